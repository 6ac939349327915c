"""What the judge needs while it works: its services, and the transaction for one letter or one moment of a phase."""

import os
import random
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

# In `home`.
KEY_FILE = "secret.key"
_KEY_BYTES = 32


class Refusal(ValueError):
    """What somebody asked of a game cannot be done or read; the sentence says why, and what to write instead."""


class KeyUnusable(ValueError):
    """The file of the secret key holds no key; the message says what to do."""


@dataclass(frozen=True)
class Services:
    """Made once, when the daemon starts; holds no state of any game.

    `key`: the judge's secret key. `dice`: draw seeds, codes and passwords, where a test wants to know them beforehand.
    """

    settings: Settings
    passwords: Passwords
    post: MailWriter
    key: bytes = field(default=b"", repr=False)
    dice: random.Random | None = None

    def draws(self, event: str = "") -> Draws:
        """Return the draws of that event; "": of one that never happens again."""
        return Draws(self.key, event, self.dice)


def make_services(settings: Settings) -> Services:
    """Return the services of a judge with these settings; from now on this process plays the keeper's variants too."""
    open_catalogue(settings.variants, settings.editions)
    key = secret_key(settings.home / KEY_FILE)
    return Services(
        settings=settings,
        passwords=Passwords(key),
        post=MailWriter(Letterhead(settings.code, settings.address), settings.templates, key, settings.html),
        key=key,
    )


def secret_key(path: Path) -> bytes:
    """The key from which passwords, codes and Message-IDs are derived, made at the first start.

    It belongs in every backup beside the database. The file is written completely before it gets its name, so that a
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
    """The transaction, the services, and the time: one moment for everything that is done in the transaction.

    `now`: the time of the event (judge/store/event_times.py); `time`: all of it, unless it is handled at that moment.
    `draws`: those of the event. `opened`: the ids of the phases that it has opened.
    `gathered`: what a letter has done, to be told in one mail to each reader (judge/games/notifications/gathering.py);
    None: each thing is told by itself.
    """

    session: Session
    services: Services
    now: datetime
    gathered: list[Any] | None = None
    time: EventTime | None = None
    draws: Draws = None  # type: ignore[assignment]
    opened: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Draw what is drawn as for an event that never happens again, if it is not said for which."""
        object.__setattr__(self, "draws", self.draws or self.services.draws())

    @property
    def handled_at(self) -> datetime:
        """From when mails can be sent."""
        return self.time.handled_at if self.time else self.now

    @property
    def told_at(self) -> datetime:
        """When a span begins within which a reader must do something."""
        return self.time.told_at if self.time else self.now

    @property
    def known_at(self) -> datetime:
        """From when a letter may know of what happens now."""
        return self.time.known_at if self.time else self.now

    def mail(self, *mails: Draft) -> None:
        """Write mails, in the order in which they go out: only if the transaction is committed."""
        self.services.post.write(self.session, mails, self.now, self.draws, self.handled_at)

    def notify(
        self, to: str, zone: str, kind: MailKind, subject: str, secret: str | None = None, /, **context: Any
    ) -> None:
        """Write a notice to one address: the template named as its kind, for a reader in `zone`.

        `context`: what the template is given; its `game` and `phase` are those that the mail is about.
        """
        body = self.services.post.render(kind, zone, **context)
        game, phase = context.get("game"), context.get("phase")
        self.mail(Draft(to=to, kind=kind, subject=subject, body=body, secret=secret, game=game, phase=phase))

    def notify_keeper(self, kind: MailKind, subject: str, /, **context: Any) -> None:
        """Write such a notice to the keeper."""
        settings = self.services.settings
        self.notify(settings.keeper, settings.zone, kind, subject, **context)

    def log(self, kind: EventKind, game: Game, text: str, phase: Phase | None = None) -> None:
        """Record what has happened in `game`."""
        phase_id = phase.id if phase else None
        self.session.add(Event(at=self.now, kind=kind, game_id=game.id, phase_id=phase_id, text=text))
