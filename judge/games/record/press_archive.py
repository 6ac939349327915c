"""Press that was sent, as it may be read again: by those who got it, by who sent it, and by all what was for all.

Since anybody may observe, anybody may read what the observers got; but players and masters whom it left out, not.
A player who takes a seat over has not got what was sent to it before.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.store.archive import press_of
from judge.store.tables import Game, Press, Seat


@dataclass(frozen=True)
class Archived:
    """A message as its reader may see it: `sender` is "" where it is not told, `to` is "" for everybody."""

    sent_at: datetime
    phase: str
    sender: str
    to: str
    grey: bool
    text: str


def read_again(session: Session, game: Game, mine: Collection[Seat]) -> list[Archived]:
    """What was sent in `game` and may be read by a person who holds, or has held, the seats `mine`; oldest first."""
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
    """Grey press names its sender to the sender and to a master alone."""
    told = any(seat.id == press.seat_id or seat.role == "master" and not seat.left_at for seat in mine)
    return press.sender if told or not press.grey else ""
