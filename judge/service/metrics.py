"""What `judge run` shows to Prometheus: the census of the database at the moment of asking, and what this process has
done since its start. No name, no address and no game is among it.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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


class Metrics:
    """Shown from `start` to `stop`, if the settings name a port. `done`: {what: how often} of this process, by the name
    of a counter; it goes on being counted.
    """

    def __init__(self, engine: Engine, settings: WatchSettings, done: Mapping[str, Counter[str]]):
        self._settings = settings
        self._registry = CollectorRegistry()
        self._registry.register(_Judge(engine, done))
        ProcessCollector(registry=self._registry)
        self._serving: tuple[Any, Thread] | None = None

    def start(self) -> None:
        """Begin to answer; a port that is taken is no reason to stop."""
        host, port = self._settings.metrics_host, self._settings.metrics_port
        if not port:
            return
        try:
            self._serving = start_http_server(port, host, self._registry)
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


class _Judge(Collector):
    def __init__(self, engine: Engine, done: Mapping[str, Counter[str]]):
        self._engine = engine
        self._done = done

    def describe(self) -> Iterable[Metric]:
        """Nothing is known before it is asked; so nothing is asked when this is registered."""
        return []

    def collect(self) -> Iterator[Metric]:
        try:
            with reading(self._engine) as session:
                census = take(session)
        except DBAPIError:
            yield GaugeMetricFamily("judge_database_up", "Whether the database can be read.", 0)
        else:
            yield GaugeMetricFamily("judge_database_up", "Whether the database can be read.", 1)
            yield from _gauges(census)
        for name, counts in self._done.items():
            told = f"{name.capitalize()} of this process, by what became of them."
            family = CounterMetricFamily(f"judge_{name}", told, labels=["what"])
            for what, count in sorted(counts.copy().items()):
                family.add_metric([what], count)
            yield family


def _gauges(census: Census) -> Iterator[Metric]:
    games = GaugeMetricFamily("judge_games", "Games by state.", labels=["state"])
    for state, count in {**census.games, "finished": census.games_ended}.items():
        games.add_metric([state], count)
    yield games
    reasons = GaugeMetricFamily("judge_mails_waiting_for", "Mails that are not sent yet, by what for.", labels=["what"])
    for reason, count in census.mails_waiting_for.items():
        reasons.add_metric([reason], count)
    yield reasons
    counts = {
        "judge_letters_waiting": ("Letters that wait for their turn.", census.letters_waiting),
        "judge_letters_put_aside": ("Letters that could not be handled.", census.letters_put_aside),
        "judge_letters_ignored": ("Letters of known people that were ignored.", census.letters_ignored),
        "judge_mails_waiting": ("Mails that are not sent yet.", census.mails_waiting),
        "judge_mails_deferred": ("Mails of these that were tried before.", census.mails_deferred),
        "judge_mails_given_up": ("Mails given up and not dismissed.", census.mails_given_up),
        "judge_addresses_dead": ("Addresses from which mails come back: most are withheld.", census.addresses_dead),
        "judge_mails_withheld": ("Mails withheld from these addresses, and not dismissed.", census.mails_withheld),
        "judge_answers_waiting": ("Answers that wait, since there were too many.", census.answers_waiting),
        "judge_phases_held": ("Phases that could not be processed.", census.phases_held),
    }
    for name, (what, count) in counts.items():
        yield GaugeMetricFamily(name, what, count)
    moments = {
        "judge_oldest_mail_timestamp_seconds": ("Since when the oldest mail waits.", census.oldest_mail_at),
        "judge_next_deadline_timestamp_seconds": ("The next deadline of a game.", census.next_deadline_at),
        "judge_last_sweep_timestamp_seconds": ("The last look through the mailbox.", census.last_sweep_at),
    }
    for name, (what, moment) in moments.items():
        if moment:
            yield GaugeMetricFamily(name, what, _seconds(moment))


def _seconds(moment: datetime) -> float:
    return moment.timestamp()
