"""The history of a game: its results again, who played what and when, the press that may be read again."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.who_may_see import Shown
from judge.games.life.open_deferred import order_of
from judge.rules import position_after
from judge.rules.board.phase import season, year
from judge.store.games import phases_of, played
from judge.store.press import press_of
from judge.store.seats import ever_seated
from judge.store.tables import Game, Phase, Press, Seat


@dataclass(frozen=True)
class Span:
    """A part of a game: from one moment or phase to another, both included; an end that is None is open.

    `outside`: the phases outside of the span are meant.
    """

    since: datetime | str | None = None
    until: datetime | str | None = None
    outside: bool = False

    def has(self, phase: str, moment: datetime | None) -> bool:
        """Whether an event at `moment` in that phase ("": before the first) belongs to the span."""
        return (_reached(self.since, phase, moment) and _within(self.until, phase, moment)) is not self.outside


def _reached(since: datetime | str | None, phase: str, moment: datetime | None) -> bool:
    if isinstance(since, str):
        return bool(phase) and order_of(phase) >= order_of(since)
    return since is None or moment is None or moment >= since


def _within(until: datetime | str | None, phase: str, moment: datetime | None) -> bool:
    if isinstance(until, str):
        return not phase or order_of(phase) <= order_of(until)
    return until is None or moment is None or moment <= until


@dataclass(frozen=True)
class Tenure:
    """A player's time in a seat.

    `since` and `until`: the phases in which it began and ended, "" from the start or to this day.
    """

    seat: str
    name: str
    since: str
    until: str


def tenures(session: Session, game: Game, shown: Shown) -> list[Tenure]:
    """List the masters, then the players by power, in the order in which they came; names as far as `shown` allows.

    If the reader may not know who came and left, each power has one line, with its last player.
    """
    phases = phases_of(session, game)
    found = []
    for seat, person in ever_seated(session, game):
        if not seat.power and seat.role != "master":
            continue
        name = person.name if shown.names or seat.role == "master" else ""
        began = game.started_at is None or seat.joined_at <= game.started_at
        since = "" if began else _phase_at(phases, seat.joined_at)
        until = _phase_at(phases, seat.left_at) if seat.left_at else ""
        found.append(Tenure(seat.power or "Master", name, since, until))
    if not shown.changes:
        last = {tenure.seat: replace(tenure, since="", until="") for tenure in found if tenure.seat != "Master"}
        found = [tenure for tenure in found if tenure.seat == "Master"] + list(last.values())
    return sorted(found, key=lambda tenure: (tenure.seat != "Master", tenure.seat))


def _phase_at(phases: Sequence[Phase], moment: datetime) -> str:
    """The phase that was open at `moment`; "" before the first."""
    return next((phase.name for phase in reversed(phases) if phase.opened_at <= moment), "")


def owners_by_year(session: Session, game: Game) -> dict[int, Mapping[str, Sequence[str]]]:
    """{year: {power: its centers}} after each Fall that is over."""
    variant = variant_of(game)
    falls = (phase for phase in played(session, game) if phase.name.startswith("F"))
    ends = ((phase.name, position_after(variant, phase.outcome or {})) for phase in falls)
    return {year(name): after.centers for name, after in ends if season(after.phase) != "Fall"}


@dataclass(frozen=True)
class Archived:
    """A message as its reader may see it: `sender` is "" if it is not told, `to` is "" for everybody."""

    sent_at: datetime
    phase: str
    sender: str
    to: str
    grey: bool
    text: str


def read_again(session: Session, game: Game, mine: Collection[Seat]) -> list[Archived]:
    """The press sent in `game` that a person who holds, or has held, the seats `mine` may read; oldest first."""
    return [
        Archived(press.sent_at, phase, _sender_shown(press, mine), press.recipients, press.grey, press.text)
        for press, phase in press_of(session, game)
        if _entitled(press, mine)
    ]


def _entitled(press: Press, mine: Collection[Seat]) -> bool:
    if any(seat.id == press.seat_id or seat.id in press.readers for seat in mine):
        return True
    inside = any(seat.role != "observer" for seat in mine)
    return press.public and not (inside and press.recipients)


def _sender_shown(press: Press, mine: Collection[Seat]) -> str:
    """Only the sender and the masters see who sent grey press."""
    told = any(seat.id == press.seat_id or seat.role == "master" and not seat.left_at for seat in mine)
    return press.sender if told or not press.grey else ""
