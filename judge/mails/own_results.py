"""What a phase did to one of its players: the paragraph with which their results mail begins.

"Your A TRI was dislodged by Austria: retreat to BUD or TYR by Thu 00:30." What still asks for an answer comes first.
"""

from collections.abc import Collection, Iterator

from judge.rules import NEUTRAL, Need, Outcome, Position, Unit, Variant, needs
from judge.rules.board.names import counted, listed
from judge.rules.board.orders import occupants
from judge.rules.board.phase import kind


def own_results(
    variant: Variant, position: Position, outcome: Outcome, seat: str, until: str = "", bids: str = ""
) -> list[str]:
    """Say what the `outcome` of the orders in `position` means for the player of `seat`, a power or a group of powers.

    `until`: when orders for the next phase are due, as the reader reads it ("Thu 00:30"); "" if none are due. `bids`:
    what became of the player's bids (`2 of your 3 bids won.`). Nothing is said to a player who had nothing and has
    nothing.
    """
    powers = variant.powers_of(seat)
    if not _has_any(position, powers) and not _has_any(outcome.position, powers):
        return []
    by_then = f" by {until}" if until else ""
    return [
        *(["You have won."] if outcome.winner == seat else ["You share the draw."] if seat in outcome.drawn else []),
        *_beaten(position, outcome, powers, by_then),
        *_lost(variant, position, outcome, powers),
        *_orders(position, outcome, powers),
        *([f"{bids[:1].upper()}{bids[1:]}"] if bids else []),
        *_holdings(position, outcome, powers, by_then),
    ]


def _has_any(position: Position, powers: Collection[str]) -> bool:
    return any(position.centers.get(one) for one in powers) or _units(position, powers) > 0


def _units(position: Position, powers: Collection[str]) -> int:
    return sum(len(position.units.get(power, ())) + len(position.dislodged.get(power, ())) for power in powers)


def _beaten(position: Position, outcome: Outcome, powers: Collection[str], by_then: str) -> Iterator[str]:
    """Say which units were dislodged and by whom; those that can retreat first."""
    before = occupants(position)
    beaten = [one for power in powers for one in outcome.dislodged.get(power, ())]
    for one, places in sorted(beaten, key=lambda unit: not unit[1]):
        by = before.get(one.attacker_from, ("", None))[0]
        what = f"Your {one.unit} was dislodged by {'a neutral' if by == NEUTRAL else by}"
        yield f"{what}: retreat to {listed(places, 'or')}{by_then}." if places else (
            f"{what} and destroyed, because it had no retreat."
        )


def _lost(variant: Variant, position: Position, outcome: Outcome, powers: Collection[str]) -> Iterator[str]:
    """Say which units are gone for want of an order; not those that had to go anyway."""
    if kind(position.phase) == "M":
        return
    asked = needs(variant.at(position.phase), position)
    gone: list[Unit] = [
        unit for power in powers for unit in outcome.removed.get(power, ()) if unit in asked.get(power, Need()).units
    ]
    for unit in gone:
        yield f"Your {unit} had no order and is {'removed' if kind(position.phase) == 'A' else 'disbanded'}."


def _orders(position: Position, outcome: Outcome, powers: Collection[str]) -> Iterator[str]:
    """Say which units had no order, which orders failed and why, that all succeeded, or that there were none."""
    given = [result for result in outcome.results if result.power in powers]
    words = {"disrupted": "no convoy"}
    failed = [
        f"{result.order} ({listed(fates)})"
        for result in given
        if (fates := [words.get(word, word) for word in result.results if word not in ("ok", "dislodged")])
    ]
    ordered = {result.order.slot for result in given}
    units = [unit for power in powers for unit in position.units.get(power, ()) if kind(position.phase) == "M"]
    idle = [str(unit) for unit in units if unit.province not in ordered]
    if given and idle:
        yield f"No order for {listed(idle)}: {'it' if len(idle) == 1 else 'they'} held."
    if failed:
        yield f"Failed: {'; '.join(failed)}."
    elif given and not any(outcome.dislodged.get(power) for power in powers):
        whole = {1: "Your order", 2: "Both of your orders"}.get(len(given), f"All {len(given)} of your orders")
        yield f"{whole} succeeded."
    elif not given and kind(outcome.phase) == "M" and _units(outcome.position, powers):
        yield "NMR: you sent no orders, so your units held."


def _holdings(position: Position, outcome: Outcome, powers: Collection[str], by_then: str) -> Iterator[str]:
    """Count the player's centers, and say what is due in the winter that comes next."""
    after = outcome.position
    centers, before = (sum(len(at.centers.get(one, ())) for one in powers) for at in (after, position))
    if not centers and not _units(after, powers):
        yield "You have no centers and no units left."
        return
    due = {power: number for power in powers if (number := outcome.adjust.get(power))}
    # A power that loses all its units has nothing to choose (judge/rules/phases/needs.py).
    doomed = {power: -number for power, number in due.items() if -number == len(after.units.get(power, ()))}
    builds = sum(number for number in due.values() if number > 0)
    removals = -sum(number for power, number in due.items() if number < 0 and power not in doomed)
    wanted = [f"build {counted(builds, 'unit')}"] * bool(builds)
    wanted += [f"remove {counted(removals, 'unit')}"] * bool(removals)
    change = f" ({centers - before:+d})" if centers != before else ""
    then = f": {listed(wanted)}{by_then}" if wanted else ""
    yield f"You have {counted(centers, 'center')}{change}{then}."
    if doomed:
        yield f"{counted(sum(doomed.values()), 'unit')} of yours will be removed, for lack of centers."
