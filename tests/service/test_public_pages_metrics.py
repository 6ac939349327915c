"""What Prometheus is shown: the state of the judge, and no name of anybody."""

from collections import Counter
from contextlib import ExitStack, suppress
from pathlib import Path
from socket import create_connection, create_server
from time import monotonic, sleep
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from judge.service import watch
from judge.service.watch import MOST_CONNECTIONS, Metrics
from judge.settings import WatchSettings, read_settings
from judge.store.engine import open_engine
from tests.commands.deskatwork import DeskAtWork
from tests.servers.plainuser import free_port
from tests.service.daemonatwork import DaemonAtWork

SAMPLE = Path(__file__).parents[2] / "judge.ini"


def shown(port: int) -> tuple[dict[str, float], str]:
    """{name and labels: value}, and the whole text."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {" ".join([sample.name, *sample.labels.values()]): sample.value for sample in samples}, text


def test_the_census_and_what_was_done(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    port = free_port()
    settings = desk.settings.model_copy(update={"watch": WatchSettings(metrics_port=port)})
    daemon = DaemonAtWork(desk, settings)
    daemon.show_metrics()
    try:
        desk.now = daemon.time
        daemon.work()
        values, text = shown(port)
    finally:
        daemon.end()
    assert values["judge_database_up"] == 1 and values["judge_games active"] == 1
    assert values["judge_mails_waiting"] > 0 and values["judge_next_deadline_timestamp_seconds"] > 0
    assert "process_resident_memory_bytes" in values
    assert "example.org" not in text and "heron" not in text


def test_counters_and_a_database_that_is_gone(tmp_path: Path):
    port, done = free_port(), Counter({"sent": 2})
    engine = open_engine(f"sqlite:///{tmp_path}/empty.db")
    settings = read_settings(SAMPLE, {"JUDGE_WATCH_METRICS_PORT": str(port)})
    metrics = Metrics(engine, settings, {"mails": done})
    metrics.start()
    try:
        done["sent"] += 1
        values, _ = shown(port)
    finally:
        metrics.end()
    assert values["judge_database_up"] == 0 and values["judge_mails_total sent"] == 3


def test_idle_and_slow_clients_leave_room_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Some send nothing, some a little now and then; none makes another thread or opens another file for long."""
    monkeypatch.setattr(watch._Request, "timeout", 2.0)
    port = free_port()
    settings = read_settings(SAMPLE, {"JUDGE_WATCH_METRICS_PORT": str(port)})
    metrics = Metrics(open_engine(f"sqlite:///{tmp_path}/empty.db"), settings, {})
    metrics.start()
    try:
        with ExitStack() as open_ones:
            clients = [open_ones.enter_context(create_connection(("127.0.0.1", port), 5)) for _ in range(60)]
            began = monotonic()
            # All but ten are closed at once.
            assert clients[-1].recv(1) == b"" and clients[MOST_CONNECTIONS].recv(1) == b""
            assert monotonic() - began < 1.9
            while monotonic() < began + 2.3:
                clients[0].sendall(b"G")
                sleep(0.2)
            assert shown(port)[0]["judge_database_up"] == 0
    finally:
        metrics.end()
    assert not capfd.readouterr().err


def test_a_port_that_is_taken_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watch, "LISTEN_EVERY", 0.05)
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = read_settings(SAMPLE, {"JUDGE_WATCH_METRICS_PORT": str(port)})
        metrics = Metrics(open_engine(f"sqlite:///{tmp_path}/empty.db"), settings, {})
        metrics.start()
    until, served = monotonic() + 20, False
    while not served and monotonic() < until:
        with suppress(OSError):
            served = shown(port)[0]["judge_database_up"] == 0
    metrics.end()
    assert served
