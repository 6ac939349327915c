"""What alerts the keeper by mail is also POSTed as JSON to `[watch] webhook`.

A thread reads from the outbox which alerts were written, so a web server that is slow or down delays nothing else. The
mail is what is certain: alerts from before a restart, and those that the server refuses three times, are not repeated.
"""

import json
import logging
from datetime import UTC
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from sqlalchemy import Engine

from judge.service.scheduler import Loop
from judge.settings import Settings
from judge.store.engine import reading
from judge.store.sent_mails import alerts_after, newest_mail
from judge.store.tables import Mail

log = logging.getLogger(__name__)

# Seconds between two looks for alerts, and for one request; how often one alert is tried, with a pause in between.
LOOK_EVERY, TIME_LIMIT = 5.0, 10.0
TRIES, PAUSE = 3, 5.0


class Webhook(Loop):
    """POSTs each alert once it is committed. The URL may hold a token, so only its host is logged."""

    def __init__(self, engine: Engine, settings: Settings):
        """Keep the settings; nothing is started yet."""
        super().__init__("webhook", self._look, lambda what: None)
        self._engine, self._settings = engine, settings
        self._last: int | None = None

    def start(self) -> None:
        """Start the thread, if the settings name a webhook; what is already in the outbox is not posted."""
        if self._settings.watch.webhook:
            with reading(self._engine) as session:
                self._last = newest_mail(session)
            super().start()

    def stop(self) -> None:
        """End the thread. A request that waits for its server is not waited for."""
        super().stop()
        if self.is_alive():
            self.join(1.0)

    def _look(self) -> float:
        with reading(self._engine) as session:
            alerts = [(mail.id, _said(mail)) for mail in alerts_after(session, self._settings.keeper, self._last or 0)]
        for number, said in alerts:
            self._last = number
            self._post({"judge": self._settings.code, "address": self._settings.address, **said})
        return LOOK_EVERY

    def _post(self, said: dict[str, str]) -> None:
        url = self._settings.watch.webhook
        request = Request(url, json.dumps(said).encode(), {"Content-Type": "application/json"}, method="POST")
        for attempt in range(1, TRIES + 1):
            try:
                with urlopen(request, timeout=TIME_LIMIT):
                    return
            except (OSError, ValueError) as error:  # URLError and HTTPError are OSErrors
                why = f"{type(error).__name__} {getattr(error, 'code', '')}".strip()
                log.warning("webhook at %s, try %d of %d: %s", urlsplit(url).hostname, attempt, TRIES, why)
            if attempt < TRIES and self.stopping.wait(PAUSE):
                return
        log.error("webhook: alert %r was not posted; the mail about it is in the outbox", said["text"])


def _said(mail: Mail) -> dict[str, str]:
    """Return the kind, the subject and the moment of an alert. Its text stays in the mail."""
    at = mail.created_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return {"kind": mail.kind, "at": at, "text": mail.subject}
