"""Monitoring by other programs (`[watch]`), with metrics for Prometheus and a webhook for alerts.

The metrics are numbers from the database at the time of the request, and counters of this process. To add a metric, add
a field to `judge.store.stats.Census`. Metrics contain no names, addresses or games.

Every alert that is mailed to the keeper is also POSTed as JSON. A thread reads new alerts from the outbox, so a web
server that is slow or down delays nothing else. Alerts from before a restart are not posted. An alert that the web
server has refused three times is not posted again.
"""

import logging
import socket
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from urllib.parse import urlsplit
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from prometheus_client import CollectorRegistry, Metric, ProcessCollector, make_wsgi_app
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from judge.service.hooks import post
from judge.service.limits import LIMITS, exceeded
from judge.service.threads import Loop
from judge.settings import Settings
from judge.store.engine import reading
from judge.store.sent_mails import alerts_after, newest_mail
from judge.store.stats import take

log = logging.getLogger(__name__)
# LOOK_EVERY is the number of seconds between two checks for alerts. An alert is posted at most TRIES times, with PAUSE
# seconds between two attempts.
LOOK_EVERY = 5.0
TRIES, PAUSE = 3, 5.0
# Seconds between two attempts to open the port for metrics.
LISTEN_EVERY = 60.0
# The maximum number of clients that may ask for metrics at the same time. Each connection takes a file descriptor of
# the process, which has about a thousand.
MOST_CONNECTIONS = 10


class _Request(WSGIRequestHandler):
    timeout = 5.0  # seconds for each read and write, and for the whole request if other clients wait

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class _Server(ThreadingMixIn, WSGIServer):
    """Serves at most MOST_CONNECTIONS clients, none longer than the timeout if another client comes."""

    daemon_threads = True
    request_queue_size = 100  # clients that wait to be accepted

    def __init__(self, host: str, port: int, registry: CollectorRegistry):
        self.address_family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        self._since: dict[Any, float] = {}
        super().__init__((host, port), _Request)
        self.set_app(make_wsgi_app(registry))

    def verify_request(self, request: Any, client_address: object) -> bool:
        """Return whether there is room for another connection, after closing those that took too long."""
        now = time.monotonic()
        for one in [one for one, since in self._since.copy().items() if since + _Request.timeout < now]:
            self.shutdown_request(one)
        if len(self._since) >= MOST_CONNECTIONS:
            return False
        self._since[request] = now
        return True

    def shutdown_request(self, request: Any) -> None:
        self._since.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore a client that is slow or has hung up."""


@dataclass(eq=False)
class Metrics(Collector):
    """The metrics of a daemon, served if the settings name a port.

    `done` has the counters of this process by name. Other objects increase these counters.
    """

    engine: Engine
    judge: Settings
    done: Mapping[str, Counter[str]]
    _serving: tuple[_Server, Thread] | None = None

    def __post_init__(self) -> None:
        self._listening = Loop("metrics port", self._listen)

    def start(self) -> None:
        """Serve the metrics.

        If the port is taken, log that and try again later.
        """
        if self.judge.watch.metrics_port:
            self._listen()
            self._listening.start()

    def _listen(self) -> float:
        host, port = self.judge.watch.metrics_host, self.judge.watch.metrics_port
        if self._serving:
            return LISTEN_EVERY
        registry = CollectorRegistry()
        registry.register(self)
        ProcessCollector(registry=registry)
        try:
            server = _Server(host, port, registry)
        except OSError as error:
            log.error("metrics cannot be shown at %s:%d: %s; [watch] in judge.ini", host, port, error)
            return LISTEN_EVERY
        self._serving = server, Thread(target=server.serve_forever, name="metrics", daemon=True)
        self._serving[1].start()
        log.info("metrics are shown at http://%s:%d/metrics", host, port)
        return LISTEN_EVERY

    def end(self) -> None:
        """Stop serving the metrics."""
        self._listening.end()
        if self._serving:
            server, thread = self._serving
            server.shutdown()
            server.server_close()
            thread.join()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics, first those of the database, then the counters of this process."""
        census = None
        with suppress(DBAPIError), reading(self.engine) as session:
            census = take(session, now := datetime.now(UTC))
        yield GaugeMetricFamily("judge_database_up", "Whether the database can be read.", int(census is not None))
        if census:
            over = {limit.what for limit, _ in exceeded(census, self.judge, now)}
            family = GaugeMetricFamily("judge_over_limit", "1: waits too long, see judge status.", labels=["what"])
            yield _by(family, {limit.what: int(limit.what in over) for limit in LIMITS})
            games = {**census.games, "finished": census.games_ended}
            yield _by(GaugeMetricFamily("judge_games", "Games by state.", labels=["state"]), games)
            waiting = "Emails that are waiting, by reason."
            family = GaugeMetricFamily("judge_mails_waiting_for", waiting, labels=["what"])
            yield _by(family, census.mails_waiting_for)
            for name in (field.name for field in fields(census)):
                value, plain = getattr(census, name), name.removesuffix("_at")
                said = f"{plain.replace('_', ' ').capitalize()}: see judge status."
                if isinstance(value, datetime):
                    yield GaugeMetricFamily(f"judge_{plain}_timestamp_seconds", said, value.timestamp())
                elif isinstance(value, int):
                    yield GaugeMetricFamily(f"judge_{name}", said, value)
        for name, counts in self.done.items():
            said = f"{name.capitalize()} of this process, by outcome."
            counters = CounterMetricFamily(f"judge_{name}", said, labels=["what"])
            yield _by(counters, dict(sorted(counts.copy().items())))


def _by(family: Any, counts: Mapping[Any, int]) -> Any:
    """Add each number to the family of metrics, under its label."""
    for label, count in counts.items():
        family.add_metric([label], count)
    return family


class Webhook(Loop):
    """POSTs each alert after its transaction.

    Only the host of the URL is logged, since the URL may contain a token.
    """

    patience = 1.0  # at the end, do not wait for a server that does not answer

    def __init__(self, engine: Engine, settings: Settings):
        super().__init__("webhook", self._look)
        self._engine, self._settings = engine, settings
        self._last: int | None = None

    def start(self) -> None:
        """Start the thread, if the settings name a webhook.

        Alerts that are already in the outbox are not posted.
        """
        if self._settings.watch.webhook:
            with reading(self._engine) as session:
                self._last = newest_mail(session)
            super().start()

    def _look(self) -> float:
        with reading(self._engine) as session:
            alerts = alerts_after(session, self._settings.keeper, self._last or 0)
        for mail in alerts:
            self._last = mail.id
            at = mail.created_at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            # Post only the subject. The text stays in the mail.
            about = {"kind": mail.kind, "at": at, "text": mail.subject}
            self._post({"judge": self._settings.code, "address": self._settings.address, **about})
        return LOOK_EVERY

    def _post(self, said: dict[str, str]) -> None:
        url = self._settings.watch.webhook
        for attempt in range(1, TRIES + 1):
            # The keeper's own web server may be in the keeper's own network.
            why = post(url, said, inside=True)
            if not why:
                return
            log.warning("webhook at %s, try %d of %d: %s", urlsplit(url).hostname, attempt, TRIES, why)
            if attempt < TRIES and self.stopping.wait(PAUSE):
                return
        log.error("webhook: alert %r was not posted; the mail about it is in the outbox", said["text"])
