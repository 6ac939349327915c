"""Units and their orders: where the units stand, and the lines and signs of the orders."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import dist, inf

from judge.maps import colours, symbols
from judge.maps.beside import SMALLER, beside
from judge.maps.geometry import Geometry, Point, around
from judge.maps.ground import colour_of, look_of
from judge.maps.lettering import tag_box
from judge.maps.pieces import Piece, stamp
from judge.maps.routes import Curve, Disc, crowd, label_disc, route, shortened, through, unit_disc
from judge.maps.scene import Scene
from judge.rules import NEUTRAL, Convoy, Dislodged, Move, OrderResult, Retreat, Support, Unit
from judge.rules.board.phase import kind
from judge.rules.board.position import occupants
from judge.rules.phases.retreats import open_places
from judge.rules.pieces.layout import Table

_FAILURES = {"bounce", "no convoy", "disrupted"}
# The failures of those that wanted to go by sea.
_AT_SEA = {"no convoy", "disrupted"}
# Where on its line a failure is marked: nearer to the unit whose order it was than to those that it met.
_MARKED = 0.35
# The bend that separates two lines in opposite directions.
_LEAN = 0.09
# How far the head of an arrow extends beside its line, as a share of a unit's radius.
_WIDE = 0.6
# A line is looked at in so many steps for the room that it takes; between two of them it bends by less than its width.
_STEPS = 8
# How far a sign reaches, as a share of its radius.
_REACH = 2
_DOTS = ".02 .4"
# So long is the shortest arrow into an empty province, as a share of a unit's radius, if that has room for it.
_SHORTEST = 1.6
# So far from one another lines meet a tag, as a share of a unit's radius.
_ABREAST = 2.4
# So far from the frame of a tag lines begin and end, as a share of a unit's radius.
_BESIDE = 0.2
# Signs are drawn about the origin, and stamped where they stand.
_HERE = (0.0, 0.0)
_STROKES = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


@dataclass
class Action:
    """The content of the layer of units and orders; `used` names the signs that the legend must explain."""

    lines: list[Piece] = field(default_factory=list)
    signs: list[Piece] = field(default_factory=list)
    units: list[Piece] = field(default_factory=list)
    used: dict[str, bool] = field(default_factory=dict)

    @property
    def below(self) -> list[Piece]:
        """What lies below the labels."""
        return self.lines

    @property
    def above(self) -> list[Piece]:
        return self.units + self.signs


def action(scene: Scene, geometry: Geometry) -> Action:
    """The units and the orders of a scene."""
    return _Drawing(scene, geometry).drawn()


class _Drawing:
    """Draws one scene."""

    def __init__(self, scene: Scene, geometry: Geometry):
        self._scene, self._geometry = scene, geometry
        self._variant = scene.variant
        self._drawn = Action()
        self._at = occupants(scene.position)
        self._beaten = {unit.province for units in scene.beaten.values() for unit in units}
        self._moves: dict[tuple[str, str], Move] = {}
        self._convoys: list[Convoy] = []
        self._ways: dict[tuple[str, str], list[Curve]] = {}
        self._crowd = crowd(_discs(geometry, self._at))

    def drawn(self) -> Action:
        {"M": self._movement, "R": self._retreats, "A": self._adjustments}[kind(self._scene.position.phase)]()
        return self._drawn

    # --- movement ---

    def _movement(self) -> None:
        orders = [result for result in self._scene.results if "void" not in result.results]
        for result in self._scene.results:
            if "void" in result.results and result.order.slot in self._at:
                self._void(self._at[result.order.slot][1])
        for result in orders:
            if isinstance(result.order, Move):
                self._moves[result.order.slot, result.order.target] = result.order
            elif isinstance(result.order, Convoy):
                self._convoys.append(result.order)
        for _, unit in self._at.values():
            if unit.province in self._beaten:
                self._burst(unit)
        for result in orders:
            if isinstance(result.order, Support):
                self._support(result, result.order)
        for result in orders:
            if isinstance(result.order, Move):
                self._move(result, result.order)
            elif isinstance(result.order, Convoy):
                self._convoy(result, result.order)
        for power, unit in self._at.values():
            self._stand(power, unit)

    def _way(self, order: Move) -> list[Curve]:
        """The route of a move; supports point at it too."""
        key = (order.slot, order.target)
        if key not in self._ways:
            self._ways[key] = self._planned(order)
        return self._ways[key]

    def _planned(self, order: Move) -> list[Curve]:
        start, end = self._geometry.place(order.unit.place), self._geometry.place(order.to)
        stops = [order.unit.place, *self._fleets(order), order.to]
        if any(map(self._tagged, stops, stops[1:])):
            legs = [leg for one, other in pairwise(stops) for leg in self._legs(one, other, order)]
            curves = [route(*leg, self._crowd, lean=self._lean(order)) for leg in legs]
        elif len(stops) > 2:
            curves = through(list(map(self._geometry.place, stops)))
        else:
            curves = [route(start, self._nearest(start, end), self._crowd, lean=self._lean(order))]
        size = self._geometry.radius(order.unit.place)
        # To the rim of what stands at the target; where nothing does, as far as the arrow needs to be seen.
        near = max(0.0, min(0.5, dist(start, curves[-1].end) / size - 1 - _SHORTEST))
        room = size * (1.9 if order.target in self._beaten else 1.35 if order.target in self._at else near)
        curves[0] = shortened(curves[0], size, room if len(curves) == 1 else 0)
        if len(curves) > 1:
            curves[-1] = shortened(curves[-1], 0, room)
        return curves

    def _tagged(self, one: str, other: str) -> bool:
        """Whether the way between two places is not drawn: tags at its ends say where it leads."""
        return frozenset((one.partition("/")[0], other.partition("/")[0])) in self._geometry.tagged

    def _legs(self, one: str, other: str, order: Move) -> list[tuple[Point, Point]]:
        """The lines from place to place; by way of two tags, one line to the first, and one from the second."""
        start, end = self._geometry.place(one), self._geometry.place(other)
        if not self._tagged(one, other):
            return [(start, end)]
        first, last = self._abreast(one, start, order), self._abreast(other, end, order)
        return [(start, first), (last, end)]

    def _abreast(self, place: str, stands: Point, order: Move) -> Point:
        """Where the line of a move meets the tag in a province: beside those of the other moves that do."""
        abbr, (x, y) = place.partition("/")[0], self._rim(place, stands)
        moves = [
            other
            for _, other, *_ in self._scene.results
            if isinstance(other, Move) and abbr in (other.slot, other.target) and self._tagged(other.slot, other.target)
        ]
        if order not in moves or len(moves) < 2:
            return x, y
        aside = (moves.index(order) - (len(moves) - 1) / 2) * self._geometry.unit * _ABREAST
        return (x + aside, y) if abs(y - stands[1]) > abs(x - stands[0]) else (x, y + aside)

    def _rim(self, place: str, seen_from: Point) -> Point:
        """Where a line from the tag in a province leaves its frame, so that what it says can be read."""
        abbr, (x, y) = place.partition("/")[0], seen_from
        if not self._geometry.window.meets([self._geometry.tags[abbr].at]):
            return self._geometry.tags[abbr].at
        box = tag_box(self._geometry, abbr)
        (tag_x, tag_y), room = box.middle, self._geometry.unit * _BESIDE
        across, down = (box.right - box.left) / 2 + room, (box.bottom - box.top) / 2 + room
        share = min(across / (abs(x - tag_x) or inf), down / (abs(y - tag_y) or inf), 1.0)
        return tag_x + (x - tag_x) * share, tag_y + (y - tag_y) * share

    def _comes_near(self, *places: str) -> bool:
        """Whether a line between these places can reach into the window; on a board that wraps, always."""
        points = [self._geometry.place(place) for place in places]
        reach = max(dist(points[0], point) for point in points) * 0.35
        return self._geometry.wraps or self._geometry.window.meets(points, reach)

    def _lean(self, order: Move) -> float:
        return _LEAN if (order.target, order.slot) in self._moves else 0.0

    def _fleets(self, order: Move) -> list[str]:
        """The places of the fleets that convoy this move, from its start to its end: as few as possible."""
        fleets = {
            convoy.slot: convoy.unit.place
            for convoy in self._convoys
            if (convoy.army.province, convoy.target) == (order.slot, order.target)
        }
        if not fleets:
            return []
        lanes = self._variant.board.lanes
        chains = [[sea] for sea in fleets if sea in lanes[order.slot]]
        seen = {chain[0] for chain in chains}
        for chain in chains:
            if chain[-1] in lanes[order.target]:
                return [fleets[sea] for sea in chain]
            beyond = [sea for sea in fleets if sea in lanes[chain[-1]] and sea not in seen]
            seen.update(beyond)
            chains += [[*chain, sea] for sea in beyond]
        return []

    def _move(self, result: OrderResult, order: Move) -> None:
        failed = bool(_FAILURES & set(result.results))
        fleets = self._fleets(order)
        convoyed = order.via or bool(fleets) or bool(_AT_SEA & set(result.results))
        if not self._comes_near(order.unit.place, order.to, *fleets):
            return
        self._used("failed" if failed else "convoy" if convoyed else "move")
        if convoyed:
            self._used("convoy")
        self._arrow(self._way(order), self._line(result.power), dashed=convoyed, failed=failed)
        if self._is_weakened(order):
            leaves_nothing = self._variant.board.crossing.leaves_nothing
            self._used("nothing" if leaves_nothing else "half")
            sign = symbols.nothing if leaves_nothing else symbols.half
            way = self._way(order)
            longest = max(way, key=lambda curve: dist(curve.start, curve.end))
            # Of lines that come from a tag, near the tag: to the same place they come together.
            at, size = longest.at(0.6 if longest == way[0] else 0.12), self._geometry.unit * 0.6
            self._stamp(self._drawn.signs, sign(_HERE, size), at, size)

    def _is_weakened(self, order: Move) -> bool:
        """Whether the way leads over a border that weakens the move."""
        stops = [order.unit.province, *(place.partition("/")[0] for place in self._fleets(order)), order.target]
        return any(other in self._variant.board.beyond.get(one, ()) for one, other in pairwise(stops))

    def _support(self, result: OrderResult, order: Support) -> None:
        start = self._geometry.place(order.unit.place)
        size = self._geometry.radius(order.unit.place)
        colour = self._line(result.power)
        if not self._comes_near(order.unit.place, order.helped.place, order.to or order.helped.place):
            return
        if order.to:
            helped = self._moves.get((order.helped.province, order.target))
            if not helped:
                return
            curves = self._way(helped)
            aims = [self._nearest(start, curve.at(0.55)) for curve in curves]
            curve = shortened(route(start, min(aims, key=lambda aim: dist(aim, start)), self._crowd), size, 0)
            end = f'<circle cx="{curve.end[0]:.0f}" cy="{curve.end[1]:.0f}" r="{size * 0.24:.1f}" fill="{colour}"/>'
        else:
            self._used("held")
            held = self._geometry.place(order.helped.place)
            curve = shortened(route(start, self._nearest(start, held), self._crowd), size, size * 1.5)
            self._ring(held, self._geometry.radius(order.helped.place), colour)
            end = ""
        self._used("support")
        self._line_along([curve], colour, width=0.2, dashes=_DOTS, end=end)
        if "cut" in result.results:
            self._used("cut")
            self._cross(curve.at(_MARKED), size * 0.5)

    def _void(self, unit: Unit) -> None:
        """The sign of an order that was given and could not be carried out."""
        (x, y), size = self._geometry.place(unit.place), self._geometry.radius(unit.place)
        self._used("void")
        self._stamp(self._drawn.signs, symbols.void(_HERE, size * 0.5), (x + size * 0.95, y - size * 0.95), size * 0.5)

    def _convoy(self, result: OrderResult, order: Convoy) -> None:
        at, size = self._geometry.place(order.unit.place), self._geometry.radius(order.unit.place)
        if self._geometry.window.meets([at], size * _REACH):
            self._used("convoys")
            self._ring(at, size, self._line(result.power), dashed=True)

    # --- retreats and adjustments ---

    def _retreats(self) -> None:
        for power, unit in self._at.values():
            self._stand(power, unit)
        told = self._scene.after is not None
        table = None if told else Table(self._variant, self._scene.position)
        saved = {
            result.order.slot: result.order
            for result in self._scene.results
            if isinstance(result.order, Retreat) and "void" not in result.results
        }
        good = {result.order.slot for result in self._scene.results if "ok" in result.results}
        for power, dislodged in self._scene.position.dislodged.items():
            for one in dislodged:
                at = beside(self._geometry, one.unit.kind, one.unit.place)
                size = self._geometry.radius(one.unit.place) * SMALLER
                self._used("dislodged")
                self._stamp(self._drawn.lines, symbols.burst(_HERE, size), at, size)
                self._stamp(self._drawn.units, self._sign(power, one.unit, size), at, size)
                self._attack(one)
                if table and power != NEUTRAL:
                    self._ways_out(one, table)
                order = saved.get(one.unit.province)
                if order:
                    self._retreat(power, order, at, failed=order.slot not in good)
                if told and not (order and order.slot in good):
                    self._used("gone")
                    self._stamp(self._drawn.signs, symbols.gone(_HERE, size), at, size)

    def _attack(self, one: Dislodged) -> None:
        """The way that the attacker of a dislodged unit came, if that is known."""
        came, unit = one.attacker_from, one.unit.province
        if came not in self._geometry.spots or unit not in self._at or not self._comes_near(came, one.unit.place):
            return
        power, attacker = self._at[unit]
        start, end = self._geometry.place(came), self._geometry.place(attacker.place)
        curve = route(start, self._nearest(start, end), self._crowd)
        self._used("attack")
        size = self._geometry.radius(attacker.place)
        self._arrow([shortened(curve, size * 0.5, size * 1.2)], self._line(power), dashed=False, failed=False)

    def _ways_out(self, one: Dislodged, table: Table) -> None:
        """The provinces beside a dislodged unit that nobody stands in: open to it, or closed."""
        places = open_places(table, one)
        free = table.board.spots[one.unit.text].reach - self._at.keys()
        closed = free - {place.partition("/")[0] for place in places}
        for word, sign, some in (("open", symbols.tick, places), ("closed", symbols.bar, sorted(closed))):
            for place in some:
                self._used(word)
                size = self._geometry.radius(place) * 0.62
                self._stamp(self._drawn.signs, sign(_HERE, size), self._geometry.place(place), size)

    def _retreat(self, power: str, order: Retreat, start: Point, failed: bool) -> None:
        size = self._geometry.radius(order.unit.place)
        curve = route(start, self._nearest(start, self._geometry.place(order.to)), self._crowd)
        self._used("retreat")
        self._arrow([shortened(curve, size, size * 0.5)], self._line(power), dashed=True, failed=failed)

    def _adjustments(self) -> None:
        before, after = self._at, occupants(self._scene.after) if self._scene.after else self._at
        for power, unit in {**before, **after}.values():
            self._stand(power, unit)
            at, size = self._geometry.place(unit.place), self._geometry.radius(unit.place)
            corner = (at[0] + size * 0.85, at[1] - size * 0.85)
            if unit.province not in before:
                self._used("built")
                self._stamp(self._drawn.lines, symbols.halo(_HERE, size), at, size)
                self._stamp(self._drawn.signs, symbols.plus(_HERE, size * 0.65), corner, size * 0.65)
            elif unit.province not in after:
                self._used("removed")
                self._stamp(self._drawn.signs, symbols.gone(_HERE, size), at, size)

    # --- strokes ---

    def _burst(self, unit: Unit) -> None:
        """The sign of a unit that was dislodged in this phase: below the rings of what it did, which tell that, too."""
        at, size = self._geometry.place(unit.place), self._geometry.radius(unit.place)
        if self._geometry.window.meets([at], size * _REACH):
            self._used("dislodged")
            self._stamp(self._drawn.lines, symbols.burst(_HERE, size), at, size)

    def _stand(self, power: str, unit: Unit) -> None:
        at, size = self._geometry.place(unit.place), self._geometry.radius(unit.place)
        if not self._geometry.window.meets([at], size * _REACH):
            return
        self._stamp(self._drawn.units, self._sign(power, unit, size), at, size)

    def _sign(self, power: str, unit: Unit, size: float) -> str:
        return symbols.unit(unit.kind, _HERE, size, look_of(self._variant, power, unit.province))

    def _line(self, power: str) -> str:
        return colours.arrow(colour_of(self._variant, power))

    def _arrow(self, curves: list[Curve], colour: str, dashed: bool, failed: bool) -> None:
        size = self._geometry.unit
        tips = [one for one, other in pairwise(curves) if one.end != other.start] + curves[-1:]
        heads = "".join(_head(curve, size * 0.85, colour) for curve in tips)
        shafts = [shortened(curve, 0, size * 0.5) if curve in tips else curve for curve in curves]
        self._line_along(shafts, colour, width=0.27, dashes=".55 .38" if dashed else "", end=heads)
        if failed:
            longest = max(curves, key=lambda curve: dist(curve.start, curve.end))
            self._cross(longest.at(_MARKED), size * 0.5)

    def _line_along(self, curves: list[Curve], colour: str, width: float, dashes: str, end: str) -> None:
        """A line with a white edge, and the sign at its end; on a board that wraps, also where it comes in again."""
        size = self._geometry.unit
        path = "".join(curve.path for curve in curves)
        pattern = " ".join(f"{float(number) * size:.1f}" for number in dashes.split())
        style = f' stroke-dasharray="{pattern}"' if dashes else ""
        # Dots are outlined, since they are small: the grey ones of neutrals would hardly be seen.
        outline = f'<path d="{path}" stroke="{colours.INK}" stroke-width="{(width + 0.12) * size:.1f}"{style}/>'
        edge = f'stroke="{colours.edge(colour)}" stroke-opacity=".8" stroke-width="{(width + 0.16) * size:.1f}"'
        svg = (
            f'<path d="{path}" {edge}/>{outline if dashes == _DOTS else ""}'
            f'<path d="{path}" stroke="{colour}" stroke-width="{width * size:.1f}"{style}/>{end}'
        )
        points = [point for curve in curves for point in curve.points(_STEPS)]
        for shift in (0.0, *self._shifts(curves)):
            self._put(svg, [(x + shift, y) for x, y in points], shift)

    def _shifts(self, curves: list[Curve]) -> list[float]:
        """The shifts at which a line that leaves the board at one edge must be drawn again."""
        width = self._geometry.box[0]
        ends = [point[0] for curve in curves for point in (curve.start, curve.end)]
        return [width] * (min(ends) < 0) + [-width] * (max(ends) > width)

    def _nearest(self, start: Point, end: Point) -> Point:
        """`end`; on a board that wraps, the same point beyond the edge if that is nearer to `start`."""
        width = self._geometry.box[0]
        if not self._geometry.wraps or abs(end[0] - start[0]) <= width / 2:
            return end
        return end[0] + (width if end[0] < start[0] else -width), end[1]

    def _cross(self, at: Point, radius: float) -> None:
        self._stamp(self._drawn.signs, symbols.cross(_HERE, radius), at, radius)

    def _ring(self, at: Point, radius: float, colour: str, dashed: bool = False) -> None:
        self._stamp(self._drawn.lines, symbols.ring(_HERE, radius, colour, dashed), at, radius)

    def _stamp(self, layer: list[Piece], svg: str, at: Point, radius: float) -> None:
        """Add a sign of that radius if it reaches into the window."""
        reach = radius * _REACH
        if self._geometry.window.meets([at], reach):
            layer.append(stamp(svg, at, reach))

    def _put(self, svg: str, points: list[Point], shift: float) -> None:
        """Add a line along these points, moved so far to the east, if it reaches into the window."""
        reach = self._geometry.unit * _WIDE
        if self._geometry.window.meets(points, reach):
            moved = f'<g transform="translate({shift:g} 0)">{svg}</g>' if shift else svg
            self._drawn.lines.append(Piece(moved, around(points, reach), _STROKES))

    def _used(self, sign: str) -> None:
        self._drawn.used[sign] = True


def _head(curve: Curve, size: float, colour: str) -> str:
    """The head of an arrow, at the end of its line."""
    (x, y), (dx, dy) = curve.end, curve.direction(1)
    back = (x - dx * size, y - dy * size)
    wing = size * 0.48
    return (
        f'<path d="M{x:.0f} {y:.0f}L{back[0] - dy * wing:.0f} {back[1] + dx * wing:.0f} '
        f'{back[0] + dy * wing:.0f} {back[1] - dx * wing:.0f}Z" fill="{colour}" stroke="{colours.edge(colour)}" '
        f'stroke-width="{size * 0.08:.1f}"/>'
    )


def _discs(geometry: Geometry, at: Mapping[str, tuple[str, Unit]]) -> Iterator[Disc]:
    """What lines should avoid: units, and the names of provinces."""
    for _, unit in at.values():
        yield unit_disc(geometry.place(unit.place), geometry.radius(unit.place) * 1.35)
    yield from _names(geometry)


@lru_cache(maxsize=64)
def _names(geometry: Geometry) -> tuple[Disc, ...]:
    return tuple(
        label_disc(spot.label, geometry.label * spot.label_scale * 0.9) for spot in geometry.spots.values()
    )
