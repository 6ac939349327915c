"""On a phone held upright every name can be read, and nothing lies upon it: by boxes, nothing is drawn for it."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.maps.draw import is_named
from judge.maps.drawing_check import LETTER, NAME, PHONE, covered, unreadable
from judge.maps.geometry import Box, Geometry, contains, overview_of, part_of
from judge.maps.routes import SMALLER, dislodged_unit_position, xy
from judge.maps.scene import Scene
from judge.maps.symbols import letter_size
from judge.maps.text_metrics import label_size, names, tag_box, tag_size, unit_boxes, written
from judge.rules.board.orders import occupants
from tests.maps.boards import LAID_OUT, board, dealt, game

BOARDS = pytest.mark.parametrize("name", LAID_OUT)
POSITIONS = 4


@BOARDS
def test_every_board_can_be_read(name):
    variant, geometry = board(name)
    assert list(unreadable(variant, geometry)) == []


def test_suez_can_be_read_before_and_after_its_canal():
    variant, geometry = board("intercontinental")
    for phase in ("W1869A", "S1870M"):
        assert list(unreadable(variant.at(phase), geometry)) == []


@BOARDS
def test_at_the_width_of_a_phone_names_and_letters_are_large_enough_in_every_part(name):
    """All that is drawn in a part, not only what no other part shows."""
    _, geometry = board(name)
    letters = max((power.letter for power in dealt(name).powers), key=len)
    assert geometry.parts
    for part in geometry.parts:
        near, scale = part_of(geometry, part), PHONE / part.window.width
        for abbr in near.spots:
            if abbr in written(near) and near.spots[abbr].label_scale == 1:
                assert label_size(near, abbr) * scale >= NAME
                assert near.radius(abbr) * letter_size("F", letters) * scale >= LETTER


@BOARDS
def test_names_stand_in_their_provinces(name):
    """The middle and the corners; a name that has no room there stands outside, with a line that leads into it."""
    _, geometry = board(name)
    led = [abbr for abbr, spot in geometry.spots.items() if spot.leader]
    for abbr, spot in geometry.spots.items():
        ways = geometry.ways(abbr)
        points = [spot.leader] if spot.leader else [spot.label, *names(geometry, abbr)[abbr].box.corners]
        assert all(contains(ways, point) for point in points), abbr
    assert len(led) <= len(geometry.spots) / 6


@pytest.mark.slow
@BOARDS
def test_no_name_lies_upon_a_name_or_a_unit_in_played_positions(name):
    _, geometry = board(name)
    scenes = (game(name) * POSITIONS)[:: max(1, len(game(name)) // POSITIONS)][:POSITIONS]
    for view in _views(geometry):
        boxed = [(place, name.box) for place, name in written(view).items()]
        for scene in scenes:
            for unit, boxes in _units(view, scene):
                for text, box in boxed:
                    assert not any(map(box.overlaps, boxes)), f"{text}, {unit} in {scene.position.phase}"


@BOARDS
def test_nothing_covers_a_name_a_unit_or_a_center_in_any_sheet(name):
    """Wherever a unit may be, an army or a fleet at any coast, and whatever may be on top of a center."""
    variant, geometry = board(name)
    for view in _views(geometry):
        assert list(covered(variant, view)) == []


@BOARDS
def test_no_tag_touches_the_edge_of_its_picture(name):
    for view in _views(board(name)[1]):
        room = tag_size(view) / 3
        for abbr, tag in view.tags.items():
            if view.window.meets([tag.at]):
                box = tag_box(view, abbr)
                assert box.left - view.window.left > room and view.window.right - box.right > room, abbr


def _views(geometry: Geometry) -> list[Geometry]:
    """What the sheets of a board show."""
    whole = geometry if is_named(geometry) else overview_of(geometry, geometry.width)
    return [whole, *(part_of(geometry, part) for part in geometry.parts)]


def _units(view: Geometry, scene: Scene) -> Iterator[tuple[str, tuple[Box, ...]]]:
    """The boxes of everything that stands in a scene, dislodged units too."""
    for position in (scene.position, scene.newest):
        for _, unit in occupants(position).values():
            yield unit.place, unit_boxes(unit.kind, view.place(unit.place), view.radius(unit.place))
    for power in scene.position.dislodged.values():
        for one in power:
            at = xy(dislodged_unit_position(view, one.unit.kind, one.unit.place))
            radius = view.radius(one.unit.place) * SMALLER
            if view.window.meets([at]):
                yield f"dislodged {one.unit.place}", unit_boxes(one.unit.kind, at, radius)


# --- each fault is found ----------------------------------------------------------------------------------------


def _moved(abbr: str, board_name: str = "standard", **changes) -> set[str]:
    variant, geometry = board(board_name)
    spots = {**geometry.spots, abbr: replace(geometry.spots[abbr], **changes)}
    return set(unreadable(variant, replace(geometry, spots=spots)))


def test_a_name_that_is_too_small_or_cut_off_in_every_part():
    told = "PAR cannot be read on a phone: no part shows its name and units complete and large enough."
    assert told in _moved("PAR", label_scale=0.7)
    assert told in _moved("PAR", unit_scale=0.7)
    assert told in _moved("PAR", label=(10, 2300))


def test_a_name_that_stands_elsewhere():
    _, geometry = board("standard")
    assert "The name of PAR is not inside it." in _moved("PAR", label=geometry.spots["MOS"].label)
    assert _moved("PAR") == set()
    assert "The name of BUR overlaps that of PAR." in _moved("PAR", label=geometry.spots["BUR"].label)
    assert "The line from the name of PAR does not lead into it." in _moved("PAR", leader=(10, 10))


def test_a_name_over_an_edge_and_upon_a_unit():
    _, geometry = board("standard")
    ways = geometry.ways("PAR")
    left = min((point for way in ways for point in way), key=lambda point: point[0])
    assert "The name of PAR runs over its edge." in _moved("PAR", label=(left[0] + 30, left[1]))
    assert "The name of PAR overlaps a unit in PAR." in _moved("PAR", label=geometry.place("PAR"))


def test_a_tag_upon_a_unit_and_upon_a_name():
    variant, geometry = board("1900")
    for at, told in (
        (geometry.place("EGY"), "The tag in EGY overlaps a unit in EGY."),
        (geometry.spots["EGY"].label, "The tag in EGY overlaps the name of EGY."),
    ):
        moved = replace(geometry, tags={**geometry.tags, "EGY": geometry.tags["EGY"]._replace(at=at)})
        assert told in set(unreadable(variant, moved))


def test_a_center_upon_a_unit_and_upon_a_name():
    _, geometry = board("standard")
    assert "The sign of the center PAR overlaps a unit in PAR." in _moved("PAR", center=geometry.place("PAR"))
    told = "The sign of the center PAR overlaps the name of PAR."
    assert told in _moved("PAR", center=geometry.spots["PAR"].label)


def test_a_fleet_at_the_other_coast_and_a_coast_without_a_name():
    _, geometry = board("standard")
    units = geometry.spots["STP"].units
    swapped = {**units, "NC": units["SC"], "SC": units["NC"]}
    assert "A fleet in STP/NC is nearer to BOT than to a sea of that coast." in _moved("STP", units=swapped)
    assert "STP/SC has no place for its name." in _moved("STP", coasts={"NC": geometry.spots["STP"].coasts["NC"]})
