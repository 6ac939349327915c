"""The demo's mail system and its users, with what only tests need of them."""

import asyncio
import time
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

from judge.demo import mail_system, mail_users


class MailSystem(mail_system.MailSystem):
    """The mail system, to which tests deliver mail directly."""

    def deliver(self, raw: bytes, to: str, received_at: datetime | None = None) -> None:
        """Put a mail into the INBOX of `to`, as arrived at `received_at` (aware; by default now)."""
        self._call(self._deliver(raw, to, received_at or datetime.now(UTC)))

    def wipe(self) -> None:
        """Delete all mail and folders. Clients that are still connected keep seeing the old ones."""

        async def clear() -> None:
            self._accounts.config.set_cache.clear()

        self._call(clear())

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)


class MailUser(mail_users.MailUser):
    """A mail user who may also get no mail."""

    def expects_nothing(self, seconds: float = 1) -> None:
        """Raise Unanswered if an unread mail is there, or comes within this time."""
        time.sleep(seconds)
        if self.unread:
            texts = "\n".join(f"Subject: {mail.subject}\n{mail.text}" for mail in self.unread)
            raise mail_users.Unanswered(f"{self.name} expected no mail, but there is:\n{texts}")

    def throw_away(self) -> None:
        """Mark all mails so far as read."""
        self._read.update(number for number, _ in self._unread())
