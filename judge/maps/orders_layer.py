"""The units on the board, and the lines and signs of their orders."""

from collections.abc import Iterable
from itertools import pairwise
from math import inf

from judge.maps import colors, symbols
from judge.maps.document import Element, placed
from judge.maps.geometry import Box, Geometry
from judge.maps.ground import look_of
from judge.maps.routes import SMALLER, Curve, Disc, bent, dislodged_unit_position, in_svg, near, route, shortened, xy
from judge.maps.scene import Scene
from judge.maps.text_metrics import label_size, tag_box, written
from judge.rules import NEUTRAL, Convoy, Dislodged, Move, OrderResult, Retreat, Support, Unit
from judge.rules.adjudicate import carriers, convoying
from judge.rules.board.board_state import BoardState
from judge.rules.board.orders import dislodged_units, occupants, province_of
from judge.rules.board.phase import kind
from judge.rules.describe import weakened
from judge.rules.phases.retreats_and_winters import open_places

# The curves of a route, in order.
Way = list[Curve]
_FAILURES = {"bounce", "no convoy", "disrupted"}
# The ways in which moves by sea fail.
_AT_SEA = {"no convoy", "disrupted"}
# The point of a line at which a failure is marked, from 0 to 1. It is nearer to the ordered unit than to its target.
_MARKED = 0.35
# The distances by which a mark may be moved along its line so that it hides nothing. The nearest places come first.
_ASIDE = (0, 0.04, -0.04, 0.08, -0.08, 0.12, -0.12)
# The bend of two moves in opposite directions, whose lines would otherwise cover each other.
_LEAN = 0.09
# How far an arrow's head extends to each side of its line, as a share of a unit's radius.
_WIDE = 0.6
# The number of steps for measuring the space that a line takes. In one step, a line bends by less than its width.
_STEPS = 24
# The widths and the dashes of lines that are not solid.
_STYLES = {"support": (0.2, ".02 .4"), "convoy": (0.27, ".55 .38"), "retreat": (0.27, ".55 .38")}
# Shares of a unit's radius. _SHORTEST is the shortest arrow into an empty province. _SQUEEZED is the shortest arrow
# between two units, even if it covers their rims. An arrow shorter than _SHORT is drawn above everything else.
_SHORTEST, _SQUEEZED, _SHORT = 1.6, 1.2, 2.0
# Shares of a unit's radius. _ABREAST is the distance between the lines that meet a tag. _OFF_TAG is the distance
# between a line's end and the tag's frame.
_ABREAST, _OFF_TAG = 2.4, 0.2
# How far outside the frame the middle of a sign in the legend may be, as a share of its radius.
_RECOGNIZED = 0.8
_STROKES = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


class OrdersLayer:
    """The elements that show units and orders.

    Elements `beneath` are drawn below the signs of centers, elements `below` below the labels of the board, and
    elements `above` on top of everything. `used` has the names of the signs that the legend must explain.
    """

    def __init__(self, scene: Scene, geometry: Geometry):
        self._scene, self._geometry, self._variant = scene, geometry, scene.variant
        self.beneath: list[Element] = []
        self.below: list[Element] = []
        self.used: set[str] = set()
        self._heads: list[Element] = []
        self._units: list[Element] = []
        self._short: list[Element] = []
        self._signs: list[Element] = []
        self._marks: list[Disc] = []
        self._at = occupants(scene.position)
        # Lines avoid the signs of centers, the names of provinces more, and units most.
        self._avoided = [
            Disc(complex(*spot.center), geometry.dot * spot.unit_scale * 1.4, 0.5)
            for spot in geometry.spots.values()
            if spot.center
        ]
        self._avoided += [
            Disc(complex(*spot.label), label_size(geometry, abbr) * 0.9, 1.0) for abbr, spot in geometry.spots.items()
        ]
        for _, unit in self._at.values():
            at, size = self._stands(unit)
            self._avoided.append(Disc(at, size * 1.35, 6.0))
        self._orders = [result for result in scene.results if "void" not in result.results]
        self._moves = {(order.slot, order.target): order for _, order, *_ in self._orders if isinstance(order, Move)}
        self._ways = {ends: self._way(order) for ends, order in self._moves.items()}
        {"M": self._movement, "R": self._retreats, "A": self._adjustments}[kind(scene.position.phase)]()

    @property
    def above(self) -> list[Element]:
        """Return heads of arrows that names would hide, the units, arrows that units would hide, and signs."""
        return self._heads + self._units + self._short + self._signs

    # --- movement ---

    def _movement(self) -> None:
        self._mark_units()
        for result in self._orders:
            if isinstance(result.order, Support):
                self._support(result, result.order)
        for result in self._orders:
            if isinstance(result.order, Move):
                self._move(result, result.order)
            elif isinstance(result.order, Convoy):
                self._ring("convoys", result.order.unit, result.power)
            if "bid" in result.results and result.order.slot in self._at:
                self._ring("bid", self._at[result.order.slot][1], result.power)
        self._stand(self._at.values())

    def _way(self, order: Move) -> Way:
        """Return the route of a move, to which supports of the move also point."""
        stops = [order.unit.place, *self._fleets(order), order.to]
        lean = _LEAN if (order.target, order.slot) in self._moves else 0.0
        legs = [leg for one, other in pairwise(stops) for leg in self._legs(one, other, order=order)]
        curves = [bent(*leg) if len(stops) > 2 else self._route(*leg, lean) for leg in legs]
        start, size = self._stands(order.unit)
        # The route ends at the rim of what is at the target. In an empty province, it ends deep enough for the arrow to
        # be visible.
        if order.target in self._scene.beaten:
            room = 1.9
        elif order.target in self._at:
            room = 1.35
        else:
            room = max(0.0, min(0.5, abs(start - curves[-1].end) / size - 1 - _SHORTEST))
        return _cut(curves, size, 1, room)

    def _fleets(self, order: Move) -> list[str]:
        """Return the places of the fleets that convoy a move, in order and as few as possible."""
        fleets = {fleet.province: fleet.place for fleet, _ in convoying(order, self._orders)}
        return [fleets[sea] for sea in self._variant.board.route(order.slot, order.target, fleets)]

    def _is_tagged(self, one: str, other: str) -> bool:
        """Return whether no line is drawn between two places, because a tag at each place names the other place."""
        return frozenset((province_of(one), province_of(other))) in self._geometry.tagged

    def _legs(
        self, one: str, other: str, start: complex | None = None, order: Move | None = None
    ) -> list[tuple[complex, complex]]:
        """Return the lines between two places.

        There is one line or, if tags name the other end, one to each tag.
        """
        start, end = start or self._place(one), self._place(other)
        if not self._is_tagged(one, other):
            return [(start, end)]
        first, last = self._at_tag(province_of(one), start, order), self._at_tag(province_of(other), end, order)
        return [(start, first), (last, end)]

    def _at_tag(self, abbr: str, seen_from: complex, order: Move | None) -> complex:
        """Return where a line meets the frame of the tag in a province.

        Lines of several moves are next to each other.
        """
        at = complex(*self._geometry.tags[abbr].at)
        if self._geometry.window.meets([xy(at)]):
            box, room = tag_box(self._geometry, abbr), self._geometry.unit * _OFF_TAG
            at = complex(*box.middle)
            way, across, down = seen_from - at, box.width / 2 + room, box.height / 2 + room
            at += way * min(across / (abs(way.real) or inf), down / (abs(way.imag) or inf), 1.0)
        moves = [
            move
            for move in self._moves.values()
            if abbr in (move.slot, move.target) and self._is_tagged(move.slot, move.target)
        ]
        if order in moves:
            way = at - seen_from
            aside = (moves.index(order) - (len(moves) - 1) / 2) * self._geometry.unit * _ABREAST
            at += aside * (1 if abs(way.imag) > abs(way.real) else 1j)
        return at

    def _move(self, result: OrderResult, order: Move) -> None:
        way, fleets = self._ways[order.slot, order.target], self._fleets(order)
        by_sea = order.via or fleets or _AT_SEA.intersection(result.results)
        self._arrow(way, result.power, "convoy" if by_sea else "move", hollow="bid" in result.results)
        self._mark_move(result, order, way)

    def _weakness(self, order: Move) -> str:
        """Return the sign for a move that loses strength on its way, or "" if it loses none."""
        board = self._variant.board
        if not weakened(self._variant, order, carriers(order, self._scene.results)):
            return ""
        return "nothing" if board.crossing.leaves_nothing else "half"

    def _mark_move(self, result: OrderResult, order: Move, way: Way) -> None:
        """Add signs for what weakens a move, and for the place where the move failed."""
        sign, size = self._weakness(order), self._geometry.radius(order.unit.place)
        # The lines to the two tags are in different parts of the board, so both are marked.
        pieces = _pieces(way)
        for number, piece in enumerate(pieces):
            longest = max(piece, key=lambda curve: abs(curve.start - curve.end))
            half, failed = 0.6, _MARKED
            if len(pieces) > 1:
                # Mark the failure near the tag. There the lines of several moves are farthest apart, and next to one
                # another.
                beside = max(_MARKED, 1.1 * self._geometry.unit / abs(longest.start - longest.end))
                half, failed = (0.04, 0.04 + beside) if number else (0.88, 0.88 - beside)
            if sign:
                self._mark(sign, longest, half, size * 0.6)
            if piece is pieces[-1] and len(piece) > 1 and "bounce" in result.results:
                # The army was convoyed before it bounced, so it bounced where it landed.
                self._mark("failed", piece[-1], 1 - _MARKED, size * 0.5)
            elif _FAILURES.intersection(result.results):
                self._mark("failed", longest, failed, size * 0.5)

    def _support(self, result: OrderResult, order: Support) -> None:
        start, size = self._stands(order.unit)
        color, end, hollow = self._color(result.power), "", "bid" in result.results
        shade = f'fill="#fff" stroke="{color}" stroke-width="{size * 0.1:.1f}"' if hollow else f'fill="{color}"'
        if order.to:
            # A supported move that was not ordered, or is not shown, has no route yet.
            way = self._ways.get((order.helped.province, order.target)) or self._way(Move(order.helped, order.to))
            aims = (self._nearest(start, curve.at(0.55)) for curve in way)
            curve = shortened(self._route(start, min(aims, key=lambda aim: abs(aim - start))), size, 0)
            end = f'<circle cx="{curve.end.real:.0f}" cy="{curve.end.imag:.0f}" r="{size * 0.24:.1f}" {shade}/>'
        else:
            curve = shortened(self._route(start, self._place(order.helped.place)), size, size * 1.5)
            self._ring("held", order.helped, result.power)
        self._line([curve], color, "support", end, hollow=hollow)
        if "cut" in result.results:
            self._mark("cut", curve, _MARKED, size * 0.5)

    def _mark_units(self) -> None:
        """Mark the units whose orders are void, and those that were dislodged."""
        for result in self._scene.results:
            if "void" in result.results and result.order.slot in self._at:
                unit = self._at[result.order.slot][1]
                at, size = self._stands(unit)
                self._sign("void", at + size * (0.95 - 0.95j), size * 0.5)
        for _, unit in self._at.values():
            if unit.province in self._scene.beaten:
                # The sign is below the rings that show each unit's own order.
                self._sign("dislodged", *self._stands(unit), beneath=True)

    # --- retreats and adjustments ---

    def _retreats(self) -> None:
        self._stand(self._at.values())
        is_over = self._scene.after is not None
        table = None if is_over else BoardState(self._variant, self._scene.position)
        retreats = {
            result.order.unit.province: (result.order, "ok" in result.results)
            for result in self._orders
            if isinstance(result.order, Retreat)
        }
        for province, (power, one) in dislodged_units(self._scene.position).items():
            at = dislodged_unit_position(self._geometry, one.unit.kind, one.unit.place)
            size = self._geometry.radius(one.unit.place) * SMALLER
            self._sign("dislodged", at, size, beneath=True)
            self._unit(power, one.unit, at, size)
            self._attack(one)
            if table and power != NEUTRAL:
                self._ways_out(one, table)
            order, good = retreats.get(province, (None, False))
            if order:
                self._retreat(power, order, at, good=good)
            if is_over and not good:
                self._sign("gone", at, size)

    def _retreat(self, power: str, order: Retreat, at: complex, *, good: bool) -> None:
        radius = self._geometry.radius(order.unit.place)
        way = _cut([self._route(*leg) for leg in self._legs(order.unit.place, order.to, at)], radius, 1, 0.5)
        self._arrow(way, power, "retreat")
        for curve in () if good else way:
            self._mark("failed", curve, _MARKED, radius * 0.5)

    def _attack(self, one: Dislodged) -> None:
        """Draw the way by which the attacker of a dislodged unit came, if the way is known."""
        came, unit = one.attacker_from, one.unit.province
        if came in self._geometry.spots and unit in self._at:
            power, attacker = self._at[unit]
            size = self._geometry.radius(attacker.place)
            way = [self._route(*leg) for leg in self._legs(came, attacker.place)]
            self._arrow(_cut(way, size, 0.5, 1.2), power, "attack")

    def _ways_out(self, one: Dislodged, table: BoardState) -> None:
        """Mark each empty province next to a dislodged unit as open or closed to it."""
        places = open_places(table, one)
        free = table.board.spots[one.unit.text].reach - self._at.keys()
        for sign, some in (("open", places), ("closed", sorted(free - set(map(province_of, places))))):
            for place in some:
                self._sign(sign, self._place(place), self._geometry.radius(place) * 0.62)

    def _adjustments(self) -> None:
        before, after = self._at, occupants(self._scene.after) if self._scene.after else self._at
        everybody = {**before, **after}
        self._stand(everybody.values())
        for _, unit in everybody.values():
            at, size = self._stands(unit)
            if unit.province not in before:
                self._sign("new", at, size, beneath=True)
                self._sign("built", at + size * (0.85 - 0.85j), size * 0.65)
            elif unit.province not in after:
                self._sign("removed", at, size)

    # --- units, signs and lines ---

    def _stands(self, unit: Unit) -> tuple[complex, float]:
        """Return the point at which a unit is drawn, and its radius."""
        return self._place(unit.place), self._geometry.radius(unit.place)

    def _place(self, place: str) -> complex:
        return complex(*self._geometry.place(place))

    def _stand(self, units: Iterable[tuple[str, Unit]]) -> None:
        for power, unit in units:
            self._unit(power, unit, *self._stands(unit))

    def _unit(self, power: str, unit: Unit, at: complex, size: float) -> None:
        look = look_of(self._variant, power, unit.province)
        names = [unit.word]
        if power == NEUTRAL:
            names.append("affiliate, its sponsor" if unit.province in self._variant.sponsors else "neutral")
        self._put(self._units, symbols.unit(unit.kind, size, look), at, size, *names)

    def _color(self, power: str) -> str:
        return colors.arrow(colors.NEUTRAL if power == NEUTRAL else self._variant.power_named[power].colour)

    def _ring(self, name: str, unit: Unit, power: str) -> None:
        at, size = self._stands(unit)
        self._put(self.below, symbols.ring(name, size, self._color(power)), at, size, name)

    def _mark(self, name: str, curve: Curve, share: float, radius: float) -> None:
        """Add a sign on a line, as near as possible to the point at `share` of its length.

        The sign should not hide a unit, a name or another sign.
        """
        taken = [*near(curve.start, curve.end, self._avoided), *self._marks]
        # Make the sign smaller on a short line, which it would hide.
        radius = min(radius, 0.28 * abs(curve.end - curve.start))

        def hidden(at: complex) -> float:
            return sum(cost * max(0.0, radius + room / 2 - abs(at - other)) for other, room, cost in taken)

        at = min((curve.at(share + aside) for aside in _ASIDE), key=hidden)
        self._marks.append(Disc(at, radius * 2, 6.0))
        self._sign(name, at, radius)

    def _sign(self, name: str, at: complex, radius: float, *, beneath: bool = False) -> None:
        self._put(self.beneath if beneath else self._signs, symbols.sign(name, radius), at, radius, name)

    def _put(self, layer: list[Element], svg: str, at: complex, radius: float, *names: str) -> None:
        """Add a sign wherever it reaches into the window.

        If the sign can be recognized, its name goes into the legend.
        """
        reach = radius * symbols.REACH
        layer += [placed(svg, there, reach) for (there,) in self._geometry.seen([xy(at)], reach)]
        if any(self._geometry.seen([xy(at)], radius * _RECOGNIZED)):
            self.used.update(names)

    def _route(self, start: complex, end: complex, lean: float = 0.0) -> Curve:
        return route(start, self._nearest(start, end), self._avoided, lean=lean)

    def _nearest(self, start: complex, end: complex) -> complex:
        """Return `end` or, on a board that wraps, the same point beyond the edge if that is nearer to `start`."""
        return min((end + shift for shift in self._geometry.shifts), key=lambda at: abs(at - start))

    def _arrow(self, curves: Way, power: str, meaning: str, *, hollow: bool = False) -> None:
        size, color = self._geometry.unit, self._color(power)
        starts = {curve.start for curve in curves}
        length = _length(curves)
        head = min(0.85 * size, 0.7 * length)
        heads: dict[Curve, str] = {}
        shafts = []
        for curve in curves:
            if curve.end in starts:
                shafts.append(curve)
            else:
                heads[curve] = _arrow_head(curve, head, color, hollow)
                shafts.append(shortened(curve, 0, head * 0.6))
        is_short = length < _SHORT * size
        self._line(shafts, color, meaning, "".join(heads.values()), hollow=hollow, is_short=is_short)
        for curve, svg in heads.items():
            ends = [curve.end, _middle_of_base(curve, head)]
            around = Box.around(map(xy, ends), head * 0.4)
            if not is_short and any(name.box.overlaps(around) for name in written(self._geometry).values()):
                self._draw(self._heads, svg, ends, head)

    def _line(
        self, curves: Way, color: str, meaning: str, end: str, *, hollow: bool = False, is_short: bool = False
    ) -> None:
        """Draw a line with a white edge, and the sign at its end. A short line is drawn above units and names.

        A `hollow` line is for an order to a neutral that the player has bid for.
        """
        size = self._geometry.unit
        width, dashes = _STYLES.get(meaning, (0.27, ""))
        path = "".join(curve.path for curve in curves)
        style = f' stroke-dasharray="{symbols.dashes(dashes, size)}"' if dashes else ""
        # Dots of supports have outlines. They are small, and the grey dots of neutrals would hardly be visible.
        outline = f'<path d="{path}" stroke="{colors.INK}" stroke-width="{(width + 0.12) * size:.1f}"{style}/>'
        edge = f'stroke="{colors.edge(color)}" stroke-opacity=".8" stroke-width="{(width + 0.16) * size:.1f}"'
        core = f'<path d="{path}" stroke="#fff" stroke-width="{width * size * 0.45:.1f}"{style}/>' if hollow else ""
        svg = (
            f'<path d="{path}" {edge}/>{outline if meaning == "support" else ""}'
            f'<path d="{path}" stroke="{color}" stroke-width="{width * size:.1f}"{style}/>{core}{end}'
        )
        points = [point for curve in curves for point in curve.points(_STEPS)]
        if self._draw(self._short if is_short else self.below, svg, points, size * _WIDE):
            self.used.add(meaning)

    def _draw(self, layer: list[Element], svg: str, points: Iterable[complex], room: float) -> bool:
        """Add a line through these points, and return whether it is visible.

        On a board that wraps, also add the part beyond the edge.
        """
        first, *_ = way = [*map(xy, points)]
        is_seen = False
        for there in self._geometry.seen(way, room):
            shift = there[0][0] - first[0]
            again = f'<g transform="translate({shift:g} 0)">{svg}</g>' if shift else svg
            layer.append(Element(again, Box.around(there, room), style=_STROKES))
            is_seen = is_seen or any(self._geometry.window.meets([at]) for at in there)
        return is_seen


def _length(curves: Way) -> float:
    return sum(abs(curve.end - curve.start) for curve in curves)


def _cut(curves: Way, size: float, before: float, behind: float) -> Way:
    """Cut `before` and `behind`, in radii of a unit, off the ends of a route.

    Less is cut off if too little would be left.
    """
    length = _length(curves) / size
    more = max(0.0, _SQUEEZED + before + behind - length) / 2
    first, last = max(0.0, before - more) * size, max(0.0, behind - more) * size
    return [shortened(curve, first * (curve is curves[0]), last * (curve is curves[-1])) for curve in curves]


def _pieces(curves: Way) -> list[Way]:
    """Split a route where its line is interrupted, between two tags."""
    pieces: list[Way] = []
    for curve in curves:
        if pieces and pieces[-1][-1].end == curve.start:
            pieces[-1].append(curve)
        else:
            pieces.append([curve])
    return pieces


def _arrow_head(curve: Curve, size: float, color: str, hollow: bool) -> str:
    back = _middle_of_base(curve, size)
    wing = (curve.end - back) * 0.48j
    fill, edge, width = color, colors.edge(color), 0.08
    if hollow:
        fill, edge, width = "#fff", color, 0.16
    return (
        f'<path d="M{in_svg(curve.end)}L{in_svg(back + wing)} {in_svg(back - wing)}Z" '
        f'fill="{fill}" stroke="{edge}" stroke-width="{size * width:.1f}"/>'
    )


def _middle_of_base(curve: Curve, size: float) -> complex:
    way = curve.end - curve.bend
    return curve.end - way / (abs(way) or 1.0) * size
