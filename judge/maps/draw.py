"""A scene as drawings of the whole board and of its parts, each with a title and a legend.

A board has parts if its names would be illegible in a picture of the whole board. `parts_to_see` and `parts_showing`
choose the parts that a player gets.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from functools import lru_cache
from html import escape
from itertools import combinations
from math import ceil
from typing import Literal

from judge.maps import colors, ground, symbols
from judge.maps.document import Drawing, Element, placed
from judge.maps.geometry import Box, Geometry, Part, Point, overview_of, part_of
from judge.maps.orders_layer import OrdersLayer
from judge.maps.scene import Scene
from judge.maps.text_metrics import text_width, written
from judge.rules import NEUTRAL, Order
from judge.rules.board.orders import occupants, owners
from judge.rules.board.phase import KINDS, kind, season, year
from judge.rules.phases.retreats_and_winters import balances

# The forms of pictures. "png" means PNGs of the board and of its parts. "small" is a small PNG of the whole board.
# "svg" is an SVG with every detail. "film" is a frame of an animated PNG.
Form = Literal["png", "small", "svg", "film"]

# The width of a small picture, as a share of the width at which its names are easily legible.
_REDUCED = 0.65
# The minimum height in pixels of names in the picture of the whole board. Smaller names are only in pictures of its
# parts.
_READ = 9.0
# The maximum numbers of parts in an email: for a reader with units in these parts, and for other readers. Few people
# look at more on a phone.
MOST, FOR_OTHERS = 4, 2
# Sizes of everything around the board are in hundredths of the board's width.
_TITLE, _SMALL, _ROW = 1.75, 1.25, 2.1
_MARGIN = 0.8
# The factor for the size of title, legend and margin around a part, which people see on a phone.
_NEAR = 1.7

# A sign in the legend, and its explanation.
_Entry = tuple[str, str]


def tail(part: str) -> str:
    """Return the end of a part's file name, such as "-south-america", or "" for the whole board."""
    return f"-{part.lower().replace(' ', '-')}" if part else ""


def page_names(geometry: Geometry, form: Form) -> list[str]:
    """Return the names of the parts that get a picture in a form, where "" means the whole board."""
    return ["", *(part.name for part in geometry.parts)] if form == "png" else [""]


def is_named(geometry: Geometry) -> bool:
    """Return whether the picture of the whole board has all names.

    This is so if they are legible, or if there are no parts.
    """
    return not geometry.parts or geometry.width >= readable_width(geometry)


def readable_width(geometry: Geometry) -> int:
    """Return the minimum width in pixels at which all names in a picture of the whole board are legible."""
    smallest = geometry.label * min(spot.label_scale for spot in geometry.spots.values())
    return ceil(_READ * geometry.box[0] / smallest)


def page(scene: Scene, geometry: Geometry, form: Form, name: str = "") -> Drawing | None:
    """Return the picture of the part `name`, or of the whole board for "".

    Returns None if there is no such part.
    """
    if name:
        part = next((part for part in geometry.parts if part.name == name), None)
        return part and drawing(scene, part_of(geometry, part), part.pixels, name)
    width = round(geometry.width * _REDUCED) if form in ("small", "film") else geometry.width
    return drawing(scene, geometry if form == "svg" or is_named(geometry) else overview_of(geometry, width), width)


def drawing(scene: Scene, geometry: Geometry, pixels: int, part: str = "") -> Drawing:
    """Return the drawing of the whole board, or of the `part` of that name."""
    window, variant = geometry.window, scene.variant
    percent, head = window.width / 100, 3.2
    if part:
        percent, head = percent * _NEAR, 5.4
    orders = OrdersLayer(scene, geometry)
    top = head * percent
    bottom = top + window.height
    lines, marks = ground.lines(variant, geometry)
    groups = [*_powers(scene, geometry, percent), _signs(scene, geometry, orders.used | marks, percent)]
    legend, rows = _in_rows(groups, window.width, percent, bottom)
    phase, edge, at = scene.position.phase, _MARGIN * percent, 2.25 * percent
    # The title: `heron: Spring 1901, movement: results`, or `Europe, heron: …` for a part of the board.
    title = f"{season(phase)} {year(phase)}, {KINDS[kind(phase)].lower()}"
    if scene.name:
        title = f"{scene.name}: {title}"
    if scene.occasion:
        title += f": {'your orders' if scene.occasion == 'orders' else scene.occasion}"
    # The variant's name goes into the other corner, or below the title of a part.
    under, anchor = (window.width - edge, at), "end"
    if part:
        title = f"{part}, {title}"
        under, anchor = (edge, 4.6 * percent), "start"
    size = min(_TITLE * percent, (window.width - 2 * edge) / text_width(title, 1))
    told = _words(f"{variant.title}, {phase}", under, _SMALL * percent, anchor)
    return Drawing(
        part=part,
        title=escape(title, quote=False),
        size=(window.width, round(bottom + (rows * _ROW + _MARGIN) * percent)),
        pixels=pixels,
        window=window,
        top=top,
        border=percent * 0.12,
        areas=ground.areas(variant, geometry, scene.newest),
        stripe=round(geometry.unit * 0.8),
        lines=lines,
        board=(
            *orders.beneath,
            *ground.centers(variant, geometry, scene.newest),
            *orders.below,
            *ground.labels(variant, geometry),
            *orders.above,
        ),
        page=(_words(title, (edge, at), size), told, *legend),
    )


def _words(text: str, at: Point, size: float, anchor: str = "start") -> Element:
    """Return text that starts, ends or is centered at that point, as `anchor` says."""
    wide = text_width(text, size) + size
    left = -size / 2 if anchor == "start" else size / 2 - wide
    svg = f'<text font-size="{size:.0f}" text-anchor="{anchor}" fill="{colors.INK}">{escape(text, quote=False)}</text>'
    return Element(svg, Box(left, -size, left + wide, size * 0.4), at)


# --- the legend ---


def _in_rows(groups: list[list[_Entry]], width: float, percent: float, top: float) -> tuple[list[Element], int]:
    """Return the signs with their words, and the number of rows. Each group of signs begins a row."""
    drawn = []
    row = 0
    for entries in filter(None, groups):
        x = _MARGIN
        for sign, text in entries:
            wide = 2.2 + text_width(text, _SMALL) + 1.6
            if x + wide > width / percent and x > _MARGIN:
                x, row = _MARGIN, row + 1
            y = top + (row + 0.62) * _ROW * percent
            drawn.append(placed(sign, ((x + 0.9) * percent, y), 1.4 * percent))
            below = y + _SMALL * 0.36 * percent
            drawn.append(_words(text, ((x + 2.2) * percent, below), _SMALL * percent))
            x += wide
        row += 1
    return drawn, row


def _powers(scene: Scene, geometry: Geometry, percent: float) -> Iterator[list[_Entry]]:
    """Yield the powers in the picture, each with its sign, its centers and its builds or removals: " (+2)".

    If players have several powers, yield each player's group with the sum of its centers, and then its powers. A group
    that only sponsors units in the picture is shown without its powers.
    """
    variant, position, size = scene.variant, scene.position, percent * 0.78
    due = balances(variant, position) if kind(position.phase) == "A" else {}

    def entries(powers: Iterable[str]) -> Iterator[_Entry]:
        """Yield the powers that have a unit or a center in the picture, or had one before the phase."""
        for name in powers:
            centers = scene.newest.centers_of(name)
            units = (*scene.newest.units_of(name), *position.all_units_of(name))
            places = {unit.place for unit in units} | geometry.spots.keys() & {*centers}
            if any(geometry.window.meets([geometry.place(place)]) for place in places):
                power = variant.power_named[name]
                change = f" ({due[name]:+d})".replace("-", "\N{MINUS SIGN}") if name in due else ""
                sign = symbols.unit("A", size, symbols.owned(power.colour, power.letter))
                yield sign, f"{name} {len(centers)}{change}"

    yield [*entries(name for name in variant.power_named if not variant.in_group(name))]
    affiliates = {
        variant.sponsor(unit.province)
        for unit in position.units_of(NEUTRAL)
        if unit.province in variant.sponsors and geometry.window.meets([geometry.place(unit.place)])
    }
    only_sponsors = []
    for group in variant.groups:
        sign = symbols.unit("A", size, symbols.hollow(group.colour, group.letter))
        entry = sign, f"{group.name}: {scene.newest.holdings(group.powers)[1]}"
        if in_picture := [*entries(group.powers)]:
            yield [entry, *in_picture]
        elif group.name in affiliates:
            only_sponsors.append(entry)
    yield only_sponsors


# The style of each kind of line. Width and dashes are shares of half of the sample's length.
_LINES = {
    "move": (colors.INK, 0.3, ""),
    "convoy": (colors.INK, 0.3, ".6 .4"),
    "retreat": (colors.INK, 0.3, ".6 .4"),
    "attack": (colors.INK, 0.3, ""),
    "support": (colors.INK, 0.28, ".02 .5"),
    "A": (colors.ARMY_LINE, 0.24, ".5 .4"),
    "F": (colors.FLEET_LINE, 0.24, ".1 .4"),
    "x": (colors.FAIL, 0.16, ""),
    "link": (colors.LINK, 0.24, ".1 .4"),
}
_TOPS = {
    "home": "home center",
    "named": "home won later",
    "colony": "colony",
    "special": "special center",
    "vassal": "vassal",
    "site": "units are built here in an emergency",
}
_UNITS = ("army", "fleet", "neutral", "affiliate, its sponsor")
# The words for lines, and for signs on units or next to them.
_WORDS = {
    "move": "move",
    "convoy": "by convoy",
    "retreat": "retreat",
    "attack": "the attacker came this way",
    "support": "support",
    "A": "armies only",
    "F": "fleets only",
    "x": "no border",
    "link": "neighbors",
    "failed": "failed",
    "cut": "cut",
    "half": "half strength",
    "nothing": "no strength of its own",
    "void": "void",
    "held": "supported to hold",
    "convoys": "convoys",
    "bid": "your bid",
    "built": "built",
    "dislodged": "dislodged",
    "open": "open to retreat",
    "closed": "closed",
    "gone": "disbanded",
    "removed": "removed",
}
_PLAIN = symbols.owned("#ffffff")


def _signs(scene: Scene, geometry: Geometry, used: set[str], percent: float) -> list[_Entry]:
    """Return the legend's entries for the signs in the picture, only one for a sign with several meanings."""
    size = percent * 0.7
    words: dict[str, list[str]] = {}
    for name in _WORDS:
        if name in used:
            words.setdefault(_sample(name, size), []).append(_WORDS[name])
    return [
        *((_sample(name, size), name) for name in _UNITS if name in used),
        *_centers(scene, geometry, size * 0.6),
        *((sign, ", ".join(some)) for sign, some in words.items()),
    ]


def _sample(name: str, size: float) -> str:
    """Return a sample of the sign or line that a word of the legend explains."""
    small, kind = size * 0.7, "F" if name in ("fleet", "convoys") else "A"
    if name in _LINES:
        color, width, dashes = _LINES[name]
        cap = "round" if name in ("support", "link") else "butt"
        return (
            f'<path d="M{-size:.0f} 0H{size:.0f}" stroke="{color}" stroke-width="{width * size:.1f}" '
            f'stroke-linecap="{cap}" stroke-dasharray="{symbols.dashes(dashes, size) or "none"}"/>'
        )
    if name in _UNITS:
        looks = {"neutral": symbols.owned(colors.NEUTRAL), "affiliate, its sponsor": symbols.hollow(colors.INK, "B")}
        return symbols.unit(kind, size, looks.get(name, _PLAIN))
    if name in ("held", "convoys", "bid"):
        ring = symbols.ring(name, small * 0.85, colors.INK)
        return symbols.unit(kind, small * 0.8, _PLAIN) + ring
    struck = symbols.unit("A", small, _PLAIN) if name in ("gone", "removed") else ""
    return struck + symbols.sign(name, small)


def _centers(scene: Scene, geometry: Geometry, size: float) -> list[_Entry]:
    seen = list(ground.seen_centers(scene.variant, geometry, scene.newest))
    owned = symbols.owned(colors.INK, scene.variant.powers[0].letter)
    have_owners = {bool(one.owner) for one in seen if one.top != "site"}
    tops = {one.top for one in seen}
    without_builds = {one.top for one in seen if one.owner and not one.builds} - {""}
    signs = [
        (True in have_owners, symbols.center(size, owned), "center, its owner"),
        (False in have_owners, symbols.center(size, _PLAIN), "free"),
        *((top in tops, symbols.center(size, owned, top, True), words) for top, words in _TOPS.items()),
        (without_builds, symbols.center(size, owned, "home"), "its owner cannot build there"),
    ]
    return [(sign, words) for is_there, sign, words in signs if is_there]


# --- the pictures that a player gets ---


def parts_to_see(geometry: Geometry, scene: Scene, powers: Collection[str] = ()) -> list[str]:
    """Return "" (the whole board), then the fewest parts, up to MOST, with the places that matter to `powers`.

    If the board has at most FOR_OTHERS parts, all are chosen. Without powers (for an observer or the master), the parts
    with the most units and centers are chosen.
    """
    places = _own_places(scene, powers) or {*occupants(scene.position), *owners(scene.position)}
    chosen = _covering(geometry, [{place} for place in places], MOST if powers else FOR_OTHERS)
    if len(geometry.parts) <= FOR_OTHERS:
        chosen += [part.name for part in geometry.parts if part.name not in chosen]
    return ["", *chosen]


def _own_places(scene: Scene, powers: Collection[str]) -> set[str]:
    """Return the places of the powers' units, before and after the phase, and the targets of their failed orders.

    If the powers have no units, return the powers' centers.
    """
    found: set[str] = set()
    for power in powers:
        found.update(unit.province for now in (scene.position, scene.newest) for unit in now.all_units_of(power))
    for one in scene.results:
        if one.power in powers and {"ok", "void"}.isdisjoint(one.results):
            found |= provinces_of(one.order)
    return found or {center for power in powers for center in scene.position.centers_of(power)}


def parts_showing(geometry: Geometry, ordered: Iterable[Set[str]], bids: Iterable[Set[str]] = ()) -> list[str]:
    """Return the fewest parts that show some orders, and then the fewest for the `bids` not yet shown.

    Each order and each bid is given as a set of provinces. There are at most MOST parts. They show as many orders as
    possible whole. Without parts or provinces, choose the whole board ("").
    """
    chosen = _covering(geometry, [*filter(None, ordered)], MOST)
    shown = [provinces_in(geometry, part) for part in chosen]
    unseen = [places for places in bids if places and not any(places <= part for part in shown)]
    return [*chosen, *_covering(geometry, unseen, MOST - len(chosen))] or [""]


def provinces_in(geometry: Geometry, name: str) -> frozenset[str]:
    """Return the provinces in the part of that name."""
    return frozenset().union(*(_in(geometry, part) for part in geometry.parts if part.name == name))


def provinces_of(order: Order) -> set[str]:
    """Return the provinces where an order is drawn: its unit's, the supported or convoyed unit's, the target."""
    units = (getattr(order, name, None) for name in ("unit", "helped", "army"))
    named = {getattr(order, name, "") for name in ("target", "center")}
    return {unit.province for unit in units if unit} | named - {""}


def _covering(geometry: Geometry, wanted: Sequence[Set[str]], most: int) -> list[str]:
    """Return the fewest parts that show as many of the sets of provinces as possible, whole if they can."""
    single = [{place} for place in set().union(*wanted)]
    # {part: (a bit for each set that is whole in the part, a bit for each province in it)}.
    seen = {
        part.name: (_bits(wanted, _in(geometry, part)), _bits(single, _in(geometry, part))) for part in geometry.parts
    }

    def worth(names: Collection[str]) -> tuple[int, int, int]:
        whole = places = 0
        for name in names:
            whole |= seen[name][0]
            places |= seen[name][1]
        return whole.bit_count(), places.bit_count(), -len(names)

    choices = (names for count in range(most + 1) for names in combinations(seen, count))
    best: tuple[str, ...] = max(choices, key=worth)
    return sorted(best, key=lambda name: worth([name]), reverse=True)


def _bits(wanted: Sequence[Set[str]], inside: Set[str]) -> int:
    """Return a bit mask in which a bit is set for each of the `wanted` sets that is completely `inside`."""
    return sum(1 << number for number, places in enumerate(wanted) if places <= inside)


# All readers of all phases share the cache.
@lru_cache(maxsize=64)
def _in(geometry: Geometry, part: Part) -> frozenset[str]:
    """Return the provinces that are in a part, with their names and all places of units."""
    near = part_of(geometry, part)
    return frozenset(
        abbr
        for abbr, spot in near.spots.items()
        if abbr in written(near) and all(part.window.meets([at], -near.radius(abbr)) for at in spot.units.values())
    )
