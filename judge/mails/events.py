"""What came to pass with a phase beside its orders, a sentence for each: eliminations, emergencies, canals, ties."""

from collections.abc import Iterator

from judge.rules import NEUTRAL, Outcome, Position, Variant
from judge.rules.board.names import listed
from judge.rules.board.phase import year
from judge.rules.mechanisms.build_places import measures
from judge.rules.mechanisms.victory import center_counts


def events(variant: Variant, position: Position, outcome: Outcome) -> list[str]:
    """The events between `position` and the position after its phase; when the game is over only eliminations."""
    after = outcome.position
    told = list(_eliminated(variant, position, after))
    if not (outcome.winner or outcome.drawn):
        told += [*_emergencies(variant, position, after), *_canals(variant, position, after),
                 *_ties(variant, position, after)]  # fmt: skip
    return told


def _eliminated(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    there, left = _on_board(before), _on_board(after)
    for power in variant.powers:
        if power.name in there and power.name not in left:
            yield f"{power.name} is eliminated."
    for group in variant.groups:
        if there & {*group.powers} and not left & {*group.powers}:
            yield f"{group.name} has nothing left on the board."


def _on_board(position: Position) -> set[str]:
    """The powers that have units or centers."""
    tables = (position.units, position.dislodged, position.centers)
    return {power for table in tables for power, things in table.items() if things} - {NEUTRAL}


def _emergencies(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    for power in variant.powers:
        was, now = (measures(variant, position, power.name).extra_units for position in (before, after))
        if now and not was:
            yield f"The emergency of {power.name} begins."
        elif was and not now:
            yield f"The emergency of {power.name} is over."


def _canals(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    for name, opens in variant.canals.items():
        if year(before.phase) < opens <= year(after.phase):
            canal = variant.provinces[name].name
            yield f"The canal of {canal} is open: fleets pass through, and a fleet there is on no coast any more."


def _ties(variant: Variant, before: Position, after: Position) -> Iterator[str]:
    """Several who have the number that wins, none of them more than the others, when centers have changed hands."""
    if before.phase[0] != "F" or after.phase[0] == "F":
        return
    sizes = {name: count for name, count in center_counts(variant, after.centers).items() if name != NEUTRAL}
    most = max(sizes.values(), default=0)
    leaders = [seat.name for seat in variant.seats if sizes.get(seat.name, 0) == most]
    if most >= variant.victory and len(leaders) > 1:
        yield f"{listed(leaders)} have {most} centers each. Nobody has more than all others, so the game goes on."
