"""Metrics for Prometheus: the census of the database when it is asked, and what this process has done so far.

A new metric is a field of `judge.store.stats.Census`. No name, no address and no game is among them.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from threading import Thread
from typing import Any

from prometheus_client import CollectorRegistry, Metric, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from judge.settings import WatchSettings
from judge.store.engine import reading
from judge.store.stats import take

log = logging.getLogger(__name__)


class Metrics(Collector):
    """The metrics of a daemon, served if the settings name a port."""

    def __init__(self, engine: Engine, settings: WatchSettings, done: Mapping[str, Counter[str]]):
        """Keep the counters of this process by name (`done`), which others go on counting."""
        self._engine, self._settings, self._done = engine, settings, done
        self._serving: tuple[Any, Thread] | None = None

    def start(self) -> None:
        """Serve the metrics; a port that is taken is only logged."""
        host, port = self._settings.metrics_host, self._settings.metrics_port
        if not port:
            return
        registry = CollectorRegistry()
        registry.register(self)
        ProcessCollector(registry=registry)
        try:
            self._serving = start_http_server(port, host, registry)
        except OSError as error:
            log.error("metrics cannot be shown at %s:%d: %s; [watch] in judge.ini", host, port, error)
            return
        log.info("metrics are shown at http://%s:%d/metrics", host, port)

    def stop(self) -> None:
        """Stop serving."""
        if self._serving:
            server, thread = self._serving
            server.shutdown()
            server.server_close()
            thread.join()

    def describe(self) -> Iterable[Metric]:
        """Return nothing, so that nothing is collected when this is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics: of the census those by state and reason, then each number and moment by its name."""
        census = None
        with suppress(DBAPIError), reading(self._engine) as session:
            census = take(session)
        yield GaugeMetricFamily("judge_database_up", "Whether the database can be read.", int(census is not None))
        if census:
            games = {**census.games, "finished": census.games_ended}
            yield _by(GaugeMetricFamily("judge_games", "Games by state.", labels=["state"]), games)
            waiting = "Mails that are not sent yet, by what for."
            family = GaugeMetricFamily("judge_mails_waiting_for", waiting, labels=["what"])
            yield _by(family, census.mails_waiting_for)
            for name in (field.name for field in fields(census)):
                value, plain = getattr(census, name), name.removesuffix("_at")
                said = f"{plain.replace('_', ' ').capitalize()}: see judge status."
                if isinstance(value, datetime):
                    yield GaugeMetricFamily(f"judge_{plain}_timestamp_seconds", said, value.timestamp())
                elif isinstance(value, int):
                    yield GaugeMetricFamily(f"judge_{name}", said, value)
        for name, counts in self._done.items():
            said = f"{name.capitalize()} of this process, by what became of them."
            counters = CounterMetricFamily(f"judge_{name}", said, labels=["what"])
            yield _by(counters, dict(sorted(counts.copy().items())))


def _by(family: Any, counts: Mapping[Any, int]) -> Any:
    """Add each count to the family, under its label."""
    for label, count in counts.items():
        family.add_metric([label], count)
    return family
