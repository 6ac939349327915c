"""Press that was sent, and who may read it again: its recipients, its sender, and everybody if it was for everybody.

Since anybody may observe, anybody may read what observers got, except players and masters who were left out.
A player who takes a seat over cannot read what was sent to the seat before.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.store.sent_mails import press_of
from judge.store.tables import Game, Press, Seat


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
        Archived(press.sent_at, phase, _sender(press, mine), press.recipients, press.grey, press.text)
        for press, phase in press_of(session, game)
        if _entitled(press, mine)
    ]


def _entitled(press: Press, mine: Collection[Seat]) -> bool:
    if any(seat.id == press.seat_id or seat.id in press.readers for seat in mine):
        return True
    inside = any(seat.role != "observer" for seat in mine)
    return press.public and not (inside and press.recipients)


def _sender(press: Press, mine: Collection[Seat]) -> str:
    """Only the sender and the masters see who sent grey press."""
    told = any(seat.id == press.seat_id or seat.role == "master" and not seat.left_at for seat in mine)
    return press.sender if told or not press.grey else ""
