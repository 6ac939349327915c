"""What `judge run` shows to Prometheus: the census of the database at the moment of asking, and what this process has
done since its start. No name, no address and no game is among it.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
from judge.store.stats import Census, take

log = logging.getLogger(__name__)


class Metrics(Collector):
    """Shown from `start` to `stop`, if the settings name a port. `done`: {what: how often} of this process, by the name
    of a counter; it goes on being counted.
    """

    def __init__(self, engine: Engine, settings: WatchSettings, done: Mapping[str, Counter[str]]):
        self._engine, self._settings, self._done = engine, settings, done
        self._serving: tuple[Any, Thread] | None = None

    def start(self) -> None:
        """Begin to answer; a port that is taken is no reason to stop."""
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
        """Answer no more."""
        if self._serving:
            server, thread = self._serving
            server.shutdown()
            server.server_close()
            thread.join()

    def describe(self) -> Iterable[Metric]:
        """Nothing is known before it is asked; so nothing is asked when this is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        census = None
        try:
            with reading(self._engine) as session:
                census = take(session)
        except DBAPIError:
            pass
        yield GaugeMetricFamily("judge_database_up", "Whether the database can be read.", int(census is not None))
        if census:
            yield from _gauges(census)
        for name, counts in self._done.items():
            told = f"{name.capitalize()} of this process, by what became of them."
            family = CounterMetricFamily(f"judge_{name}", told, labels=["what"])
            for what, count in sorted(counts.copy().items()):
                family.add_metric([what], count)
            yield family


def _gauges(census: Census) -> Iterator[Metric]:
    """Each number and each moment of the census by its name there, where what it is can be read."""
    games = GaugeMetricFamily("judge_games", "Games by state.", labels=["state"])
    for state, count in {**census.games, "finished": census.games_ended}.items():
        games.add_metric([state], count)
    yield games
    waiting = GaugeMetricFamily("judge_mails_waiting_for", "Mails that are not sent yet, by what for.", labels=["what"])
    for reason, count in census.mails_waiting_for.items():
        waiting.add_metric([reason], count)
    yield waiting
    for name in (field.name for field in fields(census)):
        value = getattr(census, name)
        said = f"{name.removesuffix('_at').replace('_', ' ').capitalize()}: see judge status."
        if isinstance(value, datetime):
            yield GaugeMetricFamily(f"judge_{name.removesuffix('_at')}_timestamp_seconds", said, value.timestamp())
        elif isinstance(value, int):
            yield GaugeMetricFamily(f"judge_{name}", said, value)
