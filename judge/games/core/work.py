"""A turn: one letter or one moment of a phase, and what the judge needs while it deals with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.services import Services
from judge.mails.mail_writer import Notice, Reply
from judge.store.games import log_event
from judge.store.states import EventKind
from judge.store.tables import Game, Phase


@dataclass(frozen=True)
class Work:
    """The transaction, the office, and the time: the same moment for everything that is done in the turn."""

    session: Session
    services: Services
    now: datetime

    def mail(self, mail: Notice | Reply) -> None:
        """Write a mail, which goes out only if the turn's transaction is committed."""
        self.services.post.write(self.session, [mail], self.now)

    def mail_all(self, mails: Sequence[Notice]) -> None:
        """Write several notices, in the order in which they go out."""
        self.services.post.write(self.session, mails, self.now)

    def log(self, kind: EventKind, game: Game, text: str, phase: Phase | None = None) -> None:
        """Write into the log of events what has happened in `game`."""
        log_event(self.session, kind, game, phase, text, self.now)
