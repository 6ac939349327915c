"""Mails for an outbox, and its sender that sends all that is due at a moment."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from judge.mails.mail_writer import Draft, Letterhead, compose
from judge.mails.pictures import PictureCache
from judge.mails.sender import OutboxSender
from judge.settings import SmtpSettings
from judge.store.outbox import Composed
from judge.store.tables import Game, Picture


class WithoutPictures(PictureCache):
    """For tests about other things: mails go as they are, and wait for no picture."""

    def has(self, session: Session, picture: Picture) -> bool:
        return True

    def illustrate(self, session: Session, raw: bytes, picture: Picture, now: datetime) -> bytes:
        return raw


_WITHOUT_PICTURES = WithoutPictures(Path())

__all__ = ["Sender", "Sent", "composed", "game_of"]


def game_of(name: str, created_at: datetime) -> Game:
    return Game(name=name, variant="standard", state="active", zone="UTC", created_at=created_at)


def composed(
    to: str, at: datetime, subject: str, body: str = "text", game: Game | None = None, page: str = "", **more: Any
) -> Composed:
    """A mail of the judge JUDG."""
    draft = Draft(to=to, kind="news", subject=subject, body=body, game=game, **more)
    return compose(Letterhead("JUDG", "judge@example.org"), draft, at, page=page)


def Sent(sent: int = 0, deferred: int = 0, failed: int = 0) -> Counter[str]:
    return Counter(sent=sent, deferred=deferred, failed=failed)


class Sender(OutboxSender):
    """Of the tests: the judge's own runs again and again in a thread."""

    def __init__(
        self,
        engine: Engine,
        settings: SmtpSettings,
        sender: str,
        cache: PictureCache = _WITHOUT_PICTURES,
        bounces: int = 0,
        name: str = "this process",
    ):
        super().__init__(engine, settings, sender, cache, bounces, name)
        self._threads = settings.connections

    def run(self, now: datetime) -> Counter[str]:
        """Run, in a thread for each connection, until nothing more can be done at that moment."""
        with ThreadPoolExecutor(self._threads) as threads:
            runs = [threads.submit(self._run, now) for _ in range(self._threads)]
        return sum((run.result() for run in runs), Counter())

    def _run(self, now: datetime) -> Counter[str]:
        total: Counter[str] = Counter()
        while done := self.run_once(now):
            total += done
        return total
