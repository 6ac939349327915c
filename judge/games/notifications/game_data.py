"""A game as JSON, for programs (docs/formats.md): a phase with an email (SET DATA), or all phases (GET DATA).

A file has the orders of earlier phases. It has bids, and orders of the open phase, only if they are not secret from its
reader. The file names no people.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import orjson
from sqlmodel import Session

from judge.games.core.board import outcome_of, standing, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_may_see import Fact, Stage, may_see, played_stage, viewer
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import seems_won
from judge.mails.mail_writer import DataFile
from judge.rules import Bid, BidResult, Order, Outcome, Position, Variant, position_to_json, start_position
from judge.rules.json_forms import Json, bids_to_json, in_text, outcome_as_told
from judge.rules.json_lines import house_rules_to_json
from judge.rules.saved_games import SavedPhase, saved_game
from judge.store.games import last_phase, played
from judge.store.seats import by_power
from judge.store.tables import NEVER, Game, Phase, Seat

# A function that returns whether a reader may see a fact about a power, at a stage. The power "" means all powers but
# the reader's (judge/games/core/who_may_see.py).
Sees = Callable[[Fact, Stage, str], bool]


def phase_json(
    game: Game, variant: Variant, position: Position, outcome: Outcome | None, bids: Sequence[BidResult]
) -> Json:
    """Return the position before a phase, in the form of an input line of `judge adjudicate`.

    For a processed phase, the result also has its orders, its outcome, and the bids in `bids`.
    """
    line = position_to_json(variant, position) | house_rules_to_json(variant, settings_of(game).house_rules)
    known = {"phase": position.phase, "position": line}
    if not outcome:
        return known
    told = outcome_as_told(variant, outcome, bids)
    orders: dict[str, list[str]] = {}
    for one in told["orders"]:
        orders.setdefault(one["power"], []).append(one["order"])
    line["orders"] = orders
    return known | {"outcome": told}


def bids_known(outcome: Outcome, powers: Collection[str], sees_all: bool) -> Sequence[BidResult]:
    """Return the bids that a reader may know: all, or only the bids of `powers`, without secret details."""
    bids = outcome.bids.bids
    if sees_all:
        return bids
    return [replace(one, won=seems_won(one, outcome.bids)) for one in bids if one.bidder in powers]


def held_in(seats: Sequence[Seat], at: datetime) -> list[str]:
    """Return the powers in `seats` that had a player at the moment `at`."""
    there = (seat for seat in seats if seat.joined_at <= at and not (seat.left_at and seat.left_at <= at))
    return [*by_power(there)]


def phase_data(
    game: Game,
    seats: Sequence[Seat],
    board: tuple[Variant, Position],
    awaited: Phase | None,
    outcome: Outcome | None = None,
) -> Callable[[Sequence[Seat]], DataFile]:
    """Return a function that makes a reader's file, given that reader's seats.

    A file has only facts from its email. It is about the phase that begins with this `board`, with its `outcome` if it
    was processed. `awaited` is the phase whose deadline the email announces.
    """
    variant, position = board

    def for_reader(mine: Sequence[Seat]) -> DataFile:
        bids: Sequence[BidResult] = ()
        if outcome:
            reader = viewer(mine, seats)
            bids = bids_known(outcome, reader.powers, may_see(reader, game, "bids", "processed"))
        phase = phase_json(game, variant, position, outcome, bids)
        return _file(f"{game.name}-{position.phase}", _document(game, mine, awaited, [phase]), orjson.OPT_INDENT_2)

    return for_reader


def whole_game(session: Session, game: Game, mine: Sequence[Seat], sees: Sees) -> list[DataFile]:
    """Return the whole game as files: one in the judge's form, and one for the package `diplomacy`.

    The second file is left out if the package does not have the board. `mine` contains the seats that the reader has or
    had.
    """
    newest = last_phase(session, game)
    history = [*_history(session, game, mine, sees("bids", played_stage(game), ""))]
    now = newest if newest and not newest.processed_at else None
    told, saved = zip(*history, _present(session, game, now, sees), strict=True)
    if newest and newest.outcome:
        # The outcome of the last phase already shows the present position.
        told = told[:-1]
    files = [_file(game.name, _document(game, [seat for seat in mine if not seat.left_at], now, told))]
    if variant_of(game).package_map and not settings_of(game).borders:
        files.append(_file(f"{game.name}-diplomacy", saved_game(variant_of(game), game.name, saved, game.result)))
    return files


def _history(session: Session, game: Game, mine: Sequence[Seat], sees_all: bool) -> Iterator[tuple[Json, SavedPhase]]:
    """Yield each processed phase, as JSON and as a SavedPhase, with the bids that the reader knows."""
    for phase in played(session, game):
        position, outcome = outcome_of(game, phase)
        at = phase.processed_at or phase.opened_at
        bids = bids_known(outcome, held_in(mine, at), sees_all)
        told = phase_json(game, variant_of(game).at(phase.name), position, outcome, bids)
        yield told, SavedPhase(position, at, outcome)


def _present(session: Session, game: Game, now: Phase | None, sees: Sees) -> tuple[Json, SavedPhase]:
    """Return the present board, as JSON and as a SavedPhase, with the orders that the reader may see.

    The JSON also has the bids that the reader may see. `now` is the open phase, if there is one.
    """
    variant = variant_of(game)
    position = standing(session, game) or start_position(variant)
    told = phase_json(game, variant.at(position.phase), position, None, ())
    if not now:
        return told, SavedPhase(position, game.ended_at or game.created_at)
    book = FiledOrders(session, game, now)
    orders: dict[str, list[Order]] = {}
    bids: dict[str, list[Bid]] = {}
    for seat in variant.seat_named:
        if sees("orders", "open", seat):
            orders |= {power: book.orders_of(power) for power in variant.powers_of(seat)}
        if sees("bids", "open", seat) and (given := book.bids.given(seat)):
            bids[seat] = given
    if orders:
        told["position"]["orders"] = in_text(orders)
    if bids:
        told["position"]["bids"] = bids_to_json(bids)
    return told, SavedPhase(position, now.opened_at, orders=orders)


def _document(game: Game, mine: Sequence[Seat], awaited: Phase | None, phases: Sequence[Json]) -> Json:
    deadline = awaited.deadline_at if awaited and game.state != "paused" else NEVER
    return {
        "game": game.name,
        "variant": variant_of(game).name,
        "you": [*by_power(mine)],
        "deadline": deadline.astimezone(UTC).isoformat().replace("+00:00", "Z") if deadline < NEVER else None,
        "phases": phases,
    }


def _file(name: str, data: Json, layout: int = 0) -> DataFile:
    return DataFile(f"{name}.json", orjson.dumps(data, option=layout).decode())
