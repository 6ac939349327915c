"""What a phase did to one of its players: what stands first in their results mail, before the results of all.

`concern` finds the facts, `sentences` puts them into words: "Your A TRI was dislodged by Austria: retreat to BUD or TYR
by Thu 00:30." An observer, who plays nothing, is told nothing here.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from judge.rules import NEUTRAL, Need, Outcome, Position, Unit, Variant, needs
from judge.rules.board.names import listed
from judge.rules.board.phase import kind
from judge.rules.board.position import occupants

# What became of an order, in one word for the reader.
_FATES = {"disrupted": "no convoy"}


@dataclass(frozen=True)
class Beaten:
    """A unit of the reader that was dislodged, by whom, and where it can retreat to; with no place it is destroyed."""

    unit: Unit
    by: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Failed:
    """An order of the reader that was not carried out, in normal form, and why: ("bounce",)."""

    order: str
    fates: tuple[str, ...]


@dataclass(frozen=True)
class Concern:
    """What a phase did to the player of `seat`, a power or a group of powers.

    `beaten`: units that were dislodged. `failed`: orders that were not carried out, of the `ordered` that the player
    gave. `lost`: units that were disbanded or removed because they had no order. `centers` and `units`: how many the
    player has now; `gained`: how many centers more than before. `builds`, `removals`: what is due now; `doomed`: units
    that go in any case, since their power has no center for any of them. `won`, `drawn`: the player's share of the end,
    if the game has ended.
    """

    seat: str
    phase: str
    ordered: int
    beaten: tuple[Beaten, ...]
    failed: tuple[Failed, ...]
    lost: tuple[Unit, ...]
    centers: int
    gained: int
    units: int
    builds: int
    removals: int
    doomed: int
    won: bool
    drawn: bool


def concern(variant: Variant, position: Position, outcome: Outcome, seat: str) -> Concern | None:
    """What the `outcome` of the orders in `position` means for the player of `seat`; None if it had nothing and has
    nothing.
    """
    powers = variant.powers_of(seat)
    after = outcome.position
    centers, before = (sum(len(at.centers.get(one, ())) for one in powers) for at in (after, position))
    units = _standing(after, powers)
    if not (centers or before or units or _standing(position, powers)):
        return None
    given = [result for result in outcome.results if result.power in powers]
    due = {power: number for power in powers if (number := outcome.adjust.get(power))}
    # A power that loses all its units has nothing to choose (judge/rules/phases/needs.py).
    doomed = {power: -number for power, number in due.items() if -number == len(after.units.get(power, ()))}
    return Concern(
        seat=seat,
        phase=position.phase,
        ordered=len(given),
        beaten=tuple(_beaten(position, outcome, powers)),
        failed=tuple(
            Failed(str(result.order), fates)
            for result in given
            if (fates := tuple(_FATES.get(word, word) for word in result.results if word not in ("ok", "dislodged")))
        ),
        lost=tuple(_lost(variant, position, outcome, powers)),
        centers=centers,
        gained=centers - before,
        units=units,
        builds=sum(number for number in due.values() if number > 0),
        removals=-sum(number for power, number in due.items() if number < 0 and power not in doomed),
        doomed=sum(doomed.values()),
        won=outcome.winner == seat,
        drawn=seat in outcome.drawn,
    )


def sentences(told: Concern, until: str = "") -> list[str]:
    """The facts in words, the most urgent first; `until`: when orders for the next phase are due, as the reader reads
    it ("Thu 00:30"), "" if no order is due.
    """
    return [sentence for part in (_urgent(told, until), _orders(told), _holdings(told, until)) for sentence in part]


def _urgent(told: Concern, until: str) -> Iterator[str]:
    if told.won:
        yield "You have won."
    elif told.drawn:
        yield "You share the draw."
    by_then = f" by {until}" if until else ""
    # What still asks for an answer comes first.
    for one in sorted(told.beaten, key=lambda one: not one.places):
        if one.places:
            yield f"Your {one.unit} was dislodged by {one.by}: retreat to {listed(one.places, 'or')}{by_then}."
        else:
            yield f"Your {one.unit} was dislodged by {one.by} and destroyed: it had no retreat."
    for unit in told.lost:
        yield f"Your {unit} had no order and is {'removed' if kind(told.phase) == 'A' else 'disbanded'}."


def _orders(told: Concern) -> Iterator[str]:
    if told.failed:
        yield f"Failed: {'; '.join(f'{one.order} ({listed(one.fates)})' for one in told.failed)}."
    elif told.ordered and not told.beaten:
        whole = {1: "Your order", 2: "Both of your orders"}.get(told.ordered, f"All {told.ordered} of your orders")
        yield f"{whole} succeeded."
    elif not told.ordered and kind(told.phase) == "M" and told.units:
        yield "You gave no orders: your units held."


def _holdings(told: Concern, until: str) -> Iterator[str]:
    if not told.centers and not told.units:
        yield "You have no centers and no units left."
        return
    change = f" ({told.gained:+d})" if told.gained else ""
    due = [
        f"{verb} {_counted(number, 'unit')}"
        for verb, number in (("build", told.builds), ("remove", told.removals))
        if number
    ]
    then = f": {listed(due)}{f' by {until}' if until else ''}" if due else ""
    yield f"You have {_counted(told.centers, 'center')}{change}{then}."
    if told.doomed:
        yield f"{_counted(told.doomed, 'unit')} of yours will be removed: there are no centers for them."


def _standing(position: Position, powers: Collection[str]) -> int:
    return sum(len(position.units.get(power, ())) + len(position.dislodged.get(power, ())) for power in powers)


def _beaten(position: Position, outcome: Outcome, powers: Collection[str]) -> Iterator[Beaten]:
    before = occupants(position)
    for power in powers:
        for one, places in outcome.dislodged.get(power, ()):
            by = before.get(one.attacker_from, ("", None))[0]
            yield Beaten(one.unit, "a neutral" if by == NEUTRAL else by, places)


def _lost(variant: Variant, position: Position, outcome: Outcome, powers: Collection[str]) -> Iterator[Unit]:
    """The units that are gone for want of an order; not those that had to go in any case."""
    if kind(position.phase) == "M":
        return
    asked = needs(variant.at(position.phase), position)
    for power in powers:
        need = asked.get(power, Need())
        yield from (unit for unit in outcome.removed.get(power, ()) if unit in need.units)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
