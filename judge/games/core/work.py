"""The judge's services, and the transaction in which it handles one email or one moment of a phase."""

import os
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from judge.draws import Draws
from judge.games.core.passwords import Passwords
from judge.mails.mail_writer import Draft, Letterhead, MailWriter
from judge.rules import open_catalogue
from judge.settings import Settings
from judge.store.event_times import EventTime
from judge.store.states import EventKind, MailKind
from judge.store.tables import Event, Game, Phase

# The file of the secret key, in the home folder of the judge.
KEY_FILE = "secret.key"
_KEY_BYTES = 32


class Refusal(ValueError):
    """A request about a game cannot be carried out or read. The text says why, and what to write in its place."""


class KeyUnusable(ValueError):
    """The file of the secret key does not contain a key. The text says what to do."""


@dataclass(frozen=True)
class Services:
    """The judge's services, made once when the daemon starts, without the state of any game.

    `key` is the judge's secret key.
    """

    settings: Settings
    passwords: Passwords
    post: MailWriter
    key: bytes = field(default=b"", repr=False)

    def draws(self, event: str = "") -> Draws:
        """Return the source of random draws for `event`, or for an event that never happens again ("")."""
        return Draws(self.key, event)


def make_services(settings: Settings) -> Services:
    """Return the services of a judge with these settings, and load the catalogue of the keeper's variants."""
    open_catalogue(settings.variants, settings.editions)
    key = secret_key(settings.home / KEY_FILE)
    return Services(
        settings=settings,
        passwords=Passwords(key),
        post=MailWriter(Letterhead(settings.code, settings.address), settings.templates, key, settings.html),
        key=key,
    )


def secret_key(path: Path) -> bytes:
    """Return the key from which passwords, codes and Message-IDs are derived, and make it at the first start.

    The key belongs in every backup, next to the database. The file is written completely before it gets its name, so a
    crash never leaves half a key.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_suffix(".new")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(_KEY_BYTES) + "\n")
        with draft.open() as file:
            os.fsync(file.fileno())
        draft.replace(path)
    try:
        key = bytes.fromhex(path.read_text().strip())
    except ValueError:
        key = b""
    if len(key) < _KEY_BYTES:
        raise KeyUnusable(f"{path} is not a whole key; put back the one that was saved with the database")
    return key


@dataclass(frozen=True)
class Work:
    """One transaction, the services, and the moment at which everything in the transaction happens.

    `now` is the time of the event, and `time` its whole EventTime (judge/store/event_times.py). Without `time`, the
    event is handled at `now`. `draws` are the random draws of the event. `opened` contains the ids of the phases that
    it has opened. `gathered` collects the news of an email, for one mail to each reader
    (judge/games/notifications/gathering.py). If it is None, each item of news is mailed separately. `notified` has
    (name of a game, address) for each player who is mailed news of that game.
    """

    session: Session
    services: Services
    now: datetime
    gathered: list[Any] | None = None
    time: EventTime | None = None
    draws: Draws = None  # type: ignore[assignment]
    opened: set[int] = field(default_factory=set)
    notified: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        object.__setattr__(self, "draws", self.draws or self.services.draws())

    @property
    def settings(self) -> Settings:
        """The settings of the judge."""
        return self.services.settings

    @property
    def handled_at(self) -> datetime:
        """The earliest time at which emails about the event can be sent."""
        return self.time.handled_at if self.time else self.now

    @property
    def told_at(self) -> datetime:
        """The moment from which the readers of the event's emails have time to act."""
        return self.time.told_at if self.time else self.now

    @property
    def known_at(self) -> datetime:
        """The earliest arrival of an email whose writer can know of this event."""
        return self.time.known_at if self.time else self.now

    def mail(self, *mails: Draft) -> None:
        """Queue emails in the order to send them in, to be sent only if the transaction is committed."""
        self.services.post.write(self.session, mails, self.now, self.draws, self.handled_at)

    def notify(
        self, to: str, zone: str, kind: MailKind, subject: str, secret: str | None = None, /, **context: Any
    ) -> None:
        """Queue a notice to one address, made from the template with the name of its kind.

        `zone` is the reader's time zone. `context` has the variables of the template. Of these, `game` and `phase` are
        the game and the phase that the email is about.
        """
        body = self.services.post.render(kind, zone, clock=self.now, **context)
        game, phase = context.get("game"), context.get("phase")
        self.mail(Draft(to=to, kind=kind, subject=subject, body=body, secret=secret, game=game, phase=phase))

    def notify_keeper(self, kind: MailKind, subject: str, /, **context: Any) -> None:
        """Queue a notice to the keeper, made from the template with the name of its kind."""
        self.notify(self.services.settings.keeper, self.services.settings.zone, kind, subject, **context)

    def log(self, kind: EventKind, game: Game, text: str, phase: Phase | None = None) -> None:
        """Log an event of `game`."""
        phase_id = phase.id if phase else None
        self.session.add(Event(at=self.now, kind=kind, game_id=game.id, phase_id=phase_id, text=text))
