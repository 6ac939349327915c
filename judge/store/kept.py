"""The values that are needed to reopen a phase and that no other row has (`Phase.kept`).

The rows of a closed phase still have its position, orders, bids, votes and times. When a phase is closed, `kept` gets
these values from the game. `waits` says who has set WAIT, by power, or by address for masters. `lines` has the lines
for later phases. `extended` says how often each power was given more time. `state`, `idle` and `stopped_at` are as in
the game's row.

Corrections add the `position` before the first correction. They also add, as `orders` and `bids`, the rows that the
corrections have made impossible. A phase that was closed by an older version of the judge has only its rows.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session

from judge.store.games import bids_on_file, claim, future_lines, orders_on_file
from judge.store.tables import BidRow, FutureLine, Game, OrderRow, Phase, Seat, Vote

_OF_PHASE = {"id", "phase_id", "letter_id", "given_at"}
OF_LINE = {"power", "phase_name", "text"}
_TABLES: Mapping[str, type[OrderRow | BidRow]] = {"orders": OrderRow, "bids": BidRow}
# Orders and bids as JSON, by the name of their table.
Filed = Mapping[str, Sequence[Mapping[str, Any]]]


def close(
    session: Session, game: Game, phase: Phase, seats: Sequence[Seat], now: datetime, *, due: bool, **more: Any
) -> bool:
    """Claim `phase` (judge/store/games.py) and keep the state of the game.

    Returns whether the phase could be claimed. `more` has further values to keep.
    """
    if not claim(session, phase, now, due=due):
        return False
    keep(
        phase,
        waits=[seat.power or seat.address for seat in seats if seat.waits],
        lines=[line.model_dump(include=OF_LINE) for line in future_lines(session, game)],
        state=game.state,
        idle=game.idle,
        stopped_at=game.stopped_at.isoformat() if game.stopped_at else None,
        **more,
    )
    return True


def of(phase: Phase) -> Mapping[str, Any]:
    """Return the kept values of `phase`, by name."""
    return phase.kept or {}


def keep(phase: Phase, **values: Any) -> None:
    """Keep these values of `phase`, in addition to those already kept."""
    phase.kept = {**of(phase), **values}


def filed(session: Session, phase: Phase) -> Filed:
    """Return the rows on file for `phase`, without the columns that belong to this phase only."""
    rows = {"orders": orders_on_file(session, phase), "bids": bids_on_file(session, phase)}
    return {name: [row.model_dump(exclude=_OF_PHASE) for row in rows[name]] for name in rows}


def missing(there: Filed, wanted: Filed) -> Filed:
    """Return the `wanted` rows that are not in `there`, unless a newer order or bid has replaced them."""
    found = {}
    for name in _TABLES:
        places = {*map(_place, there.get(name, ()))}
        found[name] = [row for row in wanted.get(name, ()) if _place(row) not in places]
    return found


def _place(row: Mapping[str, Any]) -> tuple[str, str]:
    return row["power"], row["slot"] if "slot" in row else row["province"]


def file_again(session: Session, rows: Filed, phase: Phase, now: datetime) -> None:
    """Put these orders and bids back on file for `phase`.

    These orders and bids were on file before, for this or another phase.
    """
    new: dict[str, Any] = {"phase_id": phase.key, "given_at": now}
    session.add_all(_TABLES[name](**row, **new) for name in rows for row in rows[name])
    session.flush()


def vote_again(session: Session, votes: Iterable[Vote], phase: Phase) -> None:
    """Cast these votes of another phase again in `phase`."""
    session.add_all(Vote(phase_id=phase.key, power=vote.power, kind=vote.kind, choice=vote.choice) for vote in votes)
    session.flush()


def replace_lines(session: Session, game: Game, lines: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """Replace all lines for later phases of `game` with these `lines`."""
    for line in future_lines(session, game):
        session.delete(line)
    session.add_all(FutureLine(game_id=game.key, given_at=now, **line) for line in lines)
    session.flush()
