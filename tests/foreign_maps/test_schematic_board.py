"""A board without a drawing is laid out from its borders: every border a line between two discs, all can be read."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from math import dist
from pathlib import Path

import networkx as nx
import pytest

from judge.foreign_maps import finished
from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.schematic_board import MOST, schematic, untangled
from judge.foreign_maps.sketch import MapError
from judge.maps.drawing_check import PHONE, check_drawing
from judge.maps.geometry import Box, Geometry, Part, part_of, path_around, read_geometry
from judge.maps.ground import borders
from judge.maps.scene import scene_of
from judge.maps.text_metrics import names
from judge.rules import Variant, start_position
from judge.rules.mechanisms.crossings import ClosedSeasons
from judge.rules.variant.loading import read_folder
from judge.shell.calling import carry_out
from judge.shell.rules import check_variants, import_variant, sketch_board
from tests.foreign_maps.test_sketch import SAMPLES, as_read, no_other
from tests.maps.boards import draw


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Five Lakes as it is imported; it has a split province, seas, land, and a province that is left out."""
    own = tmp_path_factory.mktemp("variants")
    assert carry_out(import_variant, SAMPLES / "base.map", "", own, "lakes") == 0
    return own / "lakes"


@pytest.fixture(scope="module")
def lakes(folder) -> tuple[Variant, Geometry]:
    return read_folder(folder), read_geometry(folder / "geometry.json")


def test_every_border_is_a_line_between_two_discs_and_everything_can_be_read(lakes):
    variant, geometry = lakes
    drawing = check_drawing(variant, geometry)
    assert drawing.faults == () and drawing.linked == drawing.pairs == len(borders(variant))
    assert "HIG" not in geometry.spots


def test_a_line_leads_from_the_coast_on_which_fleets_use_it(lakes):
    _, geometry = lakes
    west, east = (geometry.place(f"ELM/{coast}") for coast in ("WC", "EC"))
    ends = {other: link.start if min(link.pair) == "ELM" else link.end for link in geometry.links if "ELM" in link.pair
            for other in link.pair - {"ELM"}}  # fmt: skip
    assert dist(ends["GAL"], west) < dist(ends["GAL"], east)
    assert dist(ends["CED"], east) < dist(ends["CED"], west)


def test_names_do_not_lie_upon_each_other_and_discs_do_not_touch(lakes):
    _, geometry = lakes
    boxes = [names(geometry, abbr)[abbr].box for abbr in geometry.spots]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    rings = [ring for abbr in geometry.spots for ring in geometry.ways(abbr) if len(ring) > 4]
    assert min(dist(one, other) for ours, theirs in combinations(rings, 2) for one in ours for other in theirs) > 0


def test_seas_are_told_from_land_and_centers_are_marked(lakes):
    variant, geometry = lakes
    svg = draw(scene_of(variant, start_position(variant), name="heron"), geometry)
    assert path_around(geometry.areas["FAR"]) in svg
    # The ground around the discs is left open where a sea is, so that the water below it is seen.
    open_to_water = {arc.sides[0] for ring in geometry.off for arc in (geometry.arcs[at] for at in ring)}
    assert open_to_water == {"", "CED", "GAL"}
    assert {abbr for abbr, spot in geometry.spots.items() if spot.center} == {*variant.centers}


def test_a_border_that_is_closed_in_a_season_is_marked(lakes):
    variant, geometry = lakes
    icy = variant.with_rule(ClosedSeasons({"Fall": ("GAL",)}))
    spring, fall = (replace(start_position(icy), phase=phase) for phase in ("S1800M", "F1800M"))
    assert "no border" in draw(scene_of(icy, fall), geometry)
    assert "no border" not in draw(scene_of(icy, spring), geometry)


def test_it_is_the_same_each_time(folder, lakes):
    assert json.loads(json.dumps(schematic(lakes[0]))) == json.loads((folder / "geometry.json").read_text())


def test_it_is_the_same_in_every_process():
    """What is hashed by chance has no say: neither where lines must cross nor where islands lie apart."""
    code = (
        "import networkx as nx; from judge.foreign_maps.schematic_board import untangled; graph = nx.complete_graph(6);"
        "graph.add_edge(7, 8); print(untangled(nx.relabel_nodes(graph, str)))"
    )
    ways = [{"PYTHONHASHSEED": seed, "PATH": ""} for seed in ("1", "2")]
    one, other = (subprocess.run([sys.executable, "-c", code], env=env, capture_output=True) for env in ways)
    assert one.returncode == 0 and one.stdout == other.stdout


def grid(side: int) -> "nx.Graph":
    """A board of squares, with one diagonal in each."""
    graph = nx.grid_2d_graph(side, side)
    graph.add_edges_from(((x, y), (x + 1, y + 1)) for x in range(side - 1) for y in range(side - 1))
    return nx.convert_node_labels_to_integers(graph)


def crossings(graph: "nx.Graph", at: dict) -> int:
    def side(one, other, third) -> bool:
        return ((at[other] - at[one]).conjugate() * (at[third] - at[one])).imag > 0

    return sum(
        side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
        for (a, b), (c, d) in combinations(graph.edges, 2)
        if not {a, b} & {c, d}
    )


def test_lines_of_a_board_that_can_be_drawn_without_crossings_do_not_cross():
    graph = grid(4)
    at = untangled(graph)
    assert crossings(graph, at) == 0
    assert min(abs(one - other) for one, other in combinations(at.values(), 2)) > 0.6


def test_a_board_on_which_everybody_borders_on_everybody_has_few_crossings():
    """Five points need one crossing, seven need nine."""
    for count, least in ((5, 1), (7, 9)):
        graph = nx.complete_graph(count)
        assert crossings(graph, untangled(graph)) <= least + 2


def test_islands_have_a_place_too():
    graph = nx.path_graph(4)
    graph.add_nodes_from(("here", "there"))
    places = untangled(graph).values()
    assert min(abs(one - other) for one, other in combinations(places, 2)) > 0.6
    assert len(untangled(nx.empty_graph(3))) == 3


def wide_board() -> tuple[str, str]:
    """A ring of provinces that is too large for a phone: no line of it need cross another."""
    count = 18
    ring = [(f"P{n}", f"P{(n + 1) % count}", f"P{(n - 1) % count}") for n in range(count)]
    text = "".join(f"{here} = {here}\nCOAST {here} ABUTS {after} {before} SEA\n" for here, after, before in ring)
    sea = "Sea = sea\nWATER SEA ABUTS " + " ".join(f"P{n}" for n in range(count))
    return finished(read_dpjudge("ring", f"{text}{sea}\nREDS P0\nA P0\nBLUES P9\nF P9\n", no_other)).files


def test_a_large_board_has_parts_in_which_every_name_can_be_read_on_a_phone(tmp_path):
    folder = tmp_path / "ring"
    folder.mkdir()
    for file, text in zip(("variant.toml", "provinces.toml"), wide_board(), strict=True):
        (folder / file).write_text(text)
    assert carry_out(sketch_board, str(folder)) == 0 and check_variants([str(folder)]) == 0
    geometry = read_geometry(folder / "geometry.json")
    assert len(geometry.parts) > 1
    for part in geometry.parts:
        assert part_of(geometry, part).label * PHONE / part.window.width >= 8


def test_only_what_lays_boards_out_needs_the_library():
    """A judge that imports nothing is never without room for it; one that has played a phase has not got it either."""
    needs = "import sys, judge.shell.cli, judge.shell.rules, judge.service.daemon; sys.exit('networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", needs], timeout=60).returncode == 0


def test_a_coast_may_be_read_in_another_part_than_its_province(lakes):
    variant, geometry = lakes
    discs = {f"{abbr}/{coast}" if coast else abbr: at for abbr, spot in geometry.spots.items() for coast, at in
             spot.units.items()}  # fmt: skip
    size = 6 * geometry.unit
    parts = {name: Part(name, Box.around([(x, y)], size / 2), 780) for name, (x, y) in discs.items()}
    assert check_drawing(variant, replace(geometry, parts=tuple(parts.values()))).faults == ()
    del parts["ELM/WC"]
    (fault,) = check_drawing(variant, replace(geometry, parts=tuple(parts.values()))).faults
    assert fault.startswith("ELM cannot be read on a phone")


def test_a_drawing_that_somebody_made_is_not_replaced(folder, tmp_path, capsys):
    copied = shutil.copytree(folder, tmp_path / "lakes")
    drawing = copied / "geometry.json"
    own = drawing.read_text().replace('"schematic":true', '"schematic":false')
    drawing.write_text(own)
    assert carry_out(sketch_board, str(copied)) == 2
    assert "already has a drawing" in capsys.readouterr().err and drawing.read_text() == own


def test_a_board_that_is_too_large_is_not_laid_out():
    places = "".join(f"LAND P{n} ABUTS P{n + 1} P{n - 1}\n" for n in range(1, MOST))
    text = f"LAND P0 ABUTS P1\n{places}LAND P{MOST} ABUTS P{MOST - 1}\nREDS P0\nBLUES P9\n"
    with pytest.raises(MapError, match="more than 400 provinces"):
        schematic(as_read(finished(read_dpjudge("row", text, no_other))).variant)
