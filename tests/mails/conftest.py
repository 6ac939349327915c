"""An outbox on a database with all tables, and a sender that empties it into the test's mail server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from judge.settings import SmtpSettings
from judge.store.engine import open_engine
from tests import beginnings
from tests.mails.senders import Sender
from tests.servers.smtpsink import SmtpSink

JUDGE = "judge@example.org"


def settings_for(sink: SmtpSink, **changes: object) -> SmtpSettings:
    """How to reach `sink`; in the clear unless `changes` say otherwise."""
    plain = SmtpSettings(host=sink.host, port=sink.port, security="plain", timeout=5, connections=1)
    return plain.model_copy(update=changes)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    beginnings.make_tables(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def sender(engine: Engine, smtp_sink: SmtpSink) -> Iterator[Sender]:
    sender = Sender(engine, settings_for(smtp_sink), JUDGE)
    yield sender
    sender.close()
