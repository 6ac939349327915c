"""A turn: one letter or one moment of a phase, and what the judge has at hand as long as it deals with that."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.office import Office
from judge.mails.post import Notice, Reply
from judge.store.states import EventKind
from judge.store.tables import Event, Game, Phase


@dataclass(frozen=True)
class Turn:
    """The transaction, the judge at work, and what time it is: the same moment for all that is done in the turn."""

    session: Session
    office: Office
    now: datetime

    def mail(self, mail: Notice | Reply) -> None:
        """Write a mail, which goes out if what the turn does is kept."""
        self.office.post.write(self.session, mail, self.now)

    def log(self, kind: EventKind, game: Game, text: str, phase: Phase | None = None) -> None:
        """Put down in the log of events what has happened in `game`."""
        self.session.add(
            Event(at=self.now, kind=kind, game_id=game.id, phase_id=phase.id if phase else None, text=text)
        )
