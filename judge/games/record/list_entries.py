"""A game as LIST tells it: its settings in words, its openings, and a line for each power."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from judge.games.core.board import board, vacant, variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.games.core.who_may_see import Fact, Shown, disorder_shown, playing_masters
from judge.games.core.work import Work
from judge.games.deadlines.reminders import awaited
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Position, Variant, still_in
from judge.store.people import people_of
from judge.store.seats import late_counts, left_seat, seats_of
from judge.store.tables import Game, Person, Phase, Seat

# The state of a power; "" if there is nothing to say about it.
Standing = Literal[
    "",
    "out",  # has nothing left in the game
    "disorder",  # in civil disorder for good
    "open",  # nobody plays it
    "late",
    "ordered",  # told to the master alone
    "unspent DP",  # also told to the master alone: all orders are in, and the phase waits for points
    "waited for",  # also told to the master alone
]


@dataclass(frozen=True)
class PlayerLine:
    """A power's line; `lates`: how often its player was late, where LIST tells that (SET LATECOUNT)."""

    power: str
    units: int
    centers: int
    state: Standing
    name: str
    address: str
    lates: int = 0


@dataclass(frozen=True)
class Reader:
    """Whom a list is for: what of the players is `shown`. A master is told which powers have ordered and whose points
    the phase waits for, as far as they may see (`sees`) that fact about a power; others (None) only who is late.
    """

    shown: Shown
    sees: Callable[[Fact, str], bool] | None


def ends_words(variant: Variant, settings: GameSettings) -> str:
    """How the players may end the game: `draws include all survivors (DIAS); concessions to the largest power`."""
    if variant.ends_by_unanimity:
        return "any end that all survivors vote for: draws, concessions to one or several"
    draws = "draws include all survivors (DIAS)" if settings.dias else "draws may leave survivors out (NoDIAS)"
    return f"{draws}; {'concessions to the largest power' if settings.concessions else 'no concessions'}"


def mastery_words(seats: Sequence[Seat]) -> list[str]:
    """Say that a master plays too. Everybody should know that, since a master can process a phase at any time."""
    return ["the master plays too"] if playing_masters(seats) else []


def openings(game: Game, phase: Phase, seats: Sequence[Seat]) -> list[tuple[str, int, int]]:
    """(power, its units, its centers) of each power that a player may take; none in a quiet game."""
    held = {seat.power for seat in seats if seat.power}
    # To lay the board out takes long in a list of many games.
    if settings_of(game).quiet or held >= variant_of(game).seat_named.keys():
        return []
    variant, position = board(game, phase)
    return [(power, *_holdings(position, variant.powers_of(power))) for power in vacant(game, phase, held)]


def _holdings(position: Position, powers: Collection[str]) -> tuple[int, int]:
    """How many units and centers these powers have together."""
    units = sum(len(position.units.get(one, ())) + len(position.dislodged.get(one, ())) for one in powers)
    return units, sum(len(position.centers.get(one, ())) for one in powers)


def player_lines(
    work: Work, game: Game, phase: Phase | None, position: Position, reader: Reader
) -> list[PlayerLine]:
    """A line for each power of a game that has begun, in the variant's order.

    If the reader is not shown who comes and goes, an open seat has the name of its last player.
    """
    shown, sees = reader.shown, reader.sees
    seats = {seat.power: seat for seat in seats_of(work.session, game) if seat.power}
    people = people_of(work.session, game)
    disorder = disorder_shown(game, shown)
    late = phase is not None and phase.deadline_at < work.now and shown.changes
    book = FiledOrders(work.session, game, phase) if phase and (late or sees) else None
    missing = awaited(work.session, game, book) if book else {}
    counted = settings_of(game).late_count and shown.changes
    lates = late_counts(work.session, game) if counted else {}
    alive = still_in(variant_of(game).at(position.phase), position)
    lines = []
    for power, powers in ((seat.name, seat.powers) for seat in variant_of(game).seats):
        seat = seats.get(power)
        last = None if seat or shown.changes else left_seat(work.session, game, power)
        if last:
            people[last.person_id] = work.session.get_one(Person, last.person_id)
        units, centers = _holdings(position, powers)
        state: Standing = ""
        if power not in alive:
            state = "out"
        elif power in disorder:
            state = "disorder"
        elif phase and not seat and shown.changes:
            state = "open"
        elif phase and late and power in missing:
            state = "late"
        elif phase and sees and sees("orders", power):
            state = "waited for" if power in missing else "ordered"
            has_points = state == "ordered" and power in seats and sees("bids", power)
            if has_points and book and book.bids.undecided(power):
                state = "unspent DP"
        late_count = lates.get(seat.id, 0) if seat and seat.id else 0
        lines.append(PlayerLine(power, units, centers, state, *_who(seat or last, people, shown), late_count))
    return lines


def masters_shown(seats: Collection[Seat], people: Mapping[int, Person], shown: Shown) -> list[str]:
    """The masters: their names are told to anybody, their addresses as the players' are."""
    return [with_address(*_who(seat, people, Shown(True, shown.addresses))) for seat in seats if seat.role == "master"]


def with_address(name: str, address: str) -> str:
    """`Kim Doe <kim@example.org>`, or the part of it that is told."""
    return f"{name} <{address}>" if address else name


def _who(seat: Seat | None, people: Mapping[int, Person], shown: Shown) -> tuple[str, str]:
    if not seat or not shown.names:
        return "", ""
    return people[seat.person_id].name, seat.address if shown.addresses else ""
