"""Units and their orders: where the units stand, and the lines and signs of the orders."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import dist

from judge.maps import colours, symbols
from judge.maps.beside import SMALLER, beside
from judge.maps.geometry import Geometry, Point
from judge.maps.ground import colour_of, look_of
from judge.maps.routes import Curve, Disc, label_disc, route, shortened, through, unit_disc
from judge.maps.scene import Scene
from judge.rules import Convoy, Move, OrderResult, Retreat, Support, Unit
from judge.rules.board.phase import kind
from judge.rules.board.position import occupants

_FAILURES = {"bounce", "no convoy", "disrupted"}
# The bend that separates two lines in opposite directions.
_LEAN = 0.09


@dataclass
class Action:
    """The content of the layer of units and orders; `used` names the signs that the legend must explain."""

    lines: list[str] = field(default_factory=list)
    signs: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    used: dict[str, bool] = field(default_factory=dict)

    @property
    def svg(self) -> tuple[str, str]:
        """(the part below the labels, the part above them)."""
        return "".join(self.lines), "".join(self.units + self.signs)


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
        self._discs = list(_discs(geometry, self._at))

    def drawn(self) -> Action:
        {"M": self._movement, "R": self._retreats, "A": self._adjustments}[kind(self._scene.position.phase)]()
        return self._drawn

    # --- movement ---

    def _movement(self) -> None:
        orders = [result for result in self._scene.results if "void" not in result.results]
        for result in orders:
            if isinstance(result.order, Move):
                self._moves[result.order.slot, result.order.target] = result.order
            elif isinstance(result.order, Convoy):
                self._convoys.append(result.order)
        for result in orders:
            if isinstance(result.order, Support):
                self._support(result, result.order)
        for result in orders:
            if isinstance(result.order, Move):
                self._move(result, result.order)
            elif isinstance(result.order, Convoy):
                self._convoy(result, result.order)
        for power, unit in self._at.values():
            self._stand(power, unit, dislodged=unit.province in self._beaten)

    def _way(self, order: Move) -> list[Curve]:
        """The route of a move; supports point at it too."""
        key = (order.slot, order.target)
        if key not in self._ways:
            self._ways[key] = self._planned(order)
        return self._ways[key]

    def _planned(self, order: Move) -> list[Curve]:
        start, end = self._geometry.place(order.unit.place), self._geometry.place(order.to)
        if frozenset((order.unit.province, order.target)) in self._geometry.tagged:
            tags = self._geometry.tags
            legs = [(start, tags[order.unit.province].at), (tags[order.target].at, end)]
            curves = [route(*leg, self._discs) for leg in legs]
        elif fleets := self._fleets(order):
            curves = through([start, *map(self._geometry.place, fleets), end])
        else:
            curves = [route(start, self._nearest(start, end), self._discs, lean=self._lean(order))]
        size = self._geometry.radius(order.unit.place)
        room = size * (1.9 if order.target in self._beaten else 1.35 if order.target in self._at else 0.5)
        curves[0] = shortened(curves[0], size, room if len(curves) == 1 else 0)
        if len(curves) > 1:
            curves[-1] = shortened(curves[-1], 0, room)
        return curves

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
        convoyed = order.via or bool(fleets)
        self._used("failed" if failed else "convoy" if convoyed else "move")
        if convoyed:
            self._used("convoy")
        if self._comes_near(order.unit.place, order.to, *fleets):
            self._arrow(self._way(order), self._line(result.power), dashed=convoyed, failed=failed)

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
            curve = shortened(route(start, min(aims, key=lambda aim: dist(aim, start)), self._discs), size, 0)
            end = f'<circle cx="{curve.end[0]:.0f}" cy="{curve.end[1]:.0f}" r="{size * 0.24:.1f}" fill="{colour}"/>'
        else:
            held = self._geometry.place(order.helped.place)
            curve = shortened(route(start, self._nearest(start, held), self._discs), size, size * 1.5)
            end = symbols.ring(held, self._geometry.radius(order.helped.place), colour)
        self._used("support")
        self._line_along([curve], colour, width=0.2, dashes=".02 .36", end=end)
        if "cut" in result.results:
            self._used("cut")
            self._cross(curve.at(0.5), size * 0.5)

    def _convoy(self, result: OrderResult, order: Convoy) -> None:
        at, size = self._geometry.place(order.unit.place), self._geometry.radius(order.unit.place)
        self._put(self._drawn.lines, symbols.ring(at, size, self._line(result.power), dashed=True), at)

    # --- retreats and adjustments ---

    def _retreats(self) -> None:
        for power, unit in self._at.values():
            self._stand(power, unit)
        told = self._scene.after is not None
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
                self._put(self._drawn.lines, symbols.burst(at, size), at)
                self._put(self._drawn.units, self._sign(power, one.unit, at, size), at)
                order = saved.get(one.unit.province)
                if order:
                    self._retreat(power, order, at, failed=order.slot not in good)
                if told and not (order and order.slot in good):
                    self._used("gone")
                    self._cross((at[0] + size, at[1] - size), size * 0.6)

    def _retreat(self, power: str, order: Retreat, start: Point, failed: bool) -> None:
        size = self._geometry.radius(order.unit.place)
        curve = route(start, self._nearest(start, self._geometry.place(order.to)), self._discs)
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
                self._put(self._drawn.signs, symbols.plus(corner, size * 0.55), corner)
            elif unit.province not in after:
                self._used("removed")
                self._cross(corner, size * 0.55)

    # --- strokes ---

    def _stand(self, power: str, unit: Unit, dislodged: bool = False) -> None:
        at, size = self._geometry.place(unit.place), self._geometry.radius(unit.place)
        if dislodged:
            self._used("dislodged")
            self._put(self._drawn.lines, symbols.burst(at, size), at)
        self._put(self._drawn.units, self._sign(power, unit, at, size), at)

    def _sign(self, power: str, unit: Unit, at: Point, size: float) -> str:
        return symbols.unit(unit.kind, at, size, look_of(self._variant, power, unit.province))

    def _line(self, power: str) -> str:
        return colours.line(colour_of(self._variant, power))

    def _arrow(self, curves: list[Curve], colour: str, dashed: bool, failed: bool) -> None:
        size = self._geometry.unit
        tips = curves if len(curves) > 1 and curves[0].end != curves[1].start else curves[-1:]
        heads = "".join(_head(curve, size * 0.85, colour) for curve in tips)
        shafts = [shortened(curve, 0, size * 0.5) if curve in tips else curve for curve in curves]
        self._line_along(shafts, colour, width=0.27, dashes=".55 .38" if dashed else "", end=heads)
        if failed:
            longest = max(curves, key=lambda curve: dist(curve.start, curve.end))
            self._cross(longest.at(0.5), size * 0.5)

    def _line_along(self, curves: list[Curve], colour: str, width: float, dashes: str, end: str) -> None:
        """A line with a white edge, and the sign at its end; on a board that wraps, also where it comes in again."""
        size = self._geometry.unit
        path = "".join(curve.path for curve in curves)
        pattern = " ".join(f"{float(number) * size:.1f}" for number in dashes.split())
        style = f' stroke-dasharray="{pattern}"' if dashes else ""
        svg = (
            f'<path d="{path}" stroke="#fff" stroke-opacity=".8" stroke-width="{(width + 0.16) * size:.1f}"/>'
            f'<path d="{path}" stroke="{colour}" stroke-width="{width * size:.1f}"{style}/>{end}'
        )
        self._put(self._drawn.lines, svg, *(point for curve in curves for point in curve))
        self._drawn.lines += [f'<g transform="translate({shift:g} 0)">{svg}</g>' for shift in self._shifts(curves)]

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
        self._put(self._drawn.signs, symbols.cross(at, radius), at)

    def _put(self, layer: list[str], svg: str, *points: Point) -> None:
        """Add a drawing around these points if it reaches into the window."""
        if self._geometry.window.meets(points, self._geometry.unit * 2):
            layer.append(svg)

    def _used(self, sign: str) -> None:
        self._drawn.used[sign] = True


def _head(curve: Curve, size: float, colour: str) -> str:
    """The head of an arrow, at the end of its line."""
    (x, y), (dx, dy) = curve.end, curve.direction(1)
    back = (x - dx * size, y - dy * size)
    wing = size * 0.48
    return (
        f'<path d="M{x:.0f} {y:.0f}L{back[0] - dy * wing:.0f} {back[1] + dx * wing:.0f} '
        f'{back[0] + dy * wing:.0f} {back[1] - dx * wing:.0f}Z" fill="{colour}" stroke="#fff" '
        f'stroke-width="{size * 0.08:.1f}"/>'
    )


def _discs(geometry: Geometry, at: Mapping[str, tuple[str, Unit]]) -> Iterator[Disc]:
    for _, unit in at.values():
        yield unit_disc(geometry.place(unit.place), geometry.radius(unit.place) * 1.35)
    for spot in geometry.spots.values():
        yield label_disc(spot.label, geometry.label * spot.label_scale * 0.9)
