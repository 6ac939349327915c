"""The provider's limits: never more mails than they allow, results before press, and the keeper is told."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine
from sqlmodel import col, select

from judge.games.core.work import Work
from judge.games.people import mail_trouble
from judge.store import outbox
from judge.store.engine import transaction
from judge.store.states import MailKind
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork
from tests.mails.conftest import JUDGE, settings_for
from tests.mails.senders import Sender, composed
from tests.servers.smtpsink import SmtpSink

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def put(engine: Engine, kind: MailKind, *recipients: str) -> None:
    with transaction(engine) as session:
        for to in recipients:
            mail = composed(to, NOON, kind)
            outbox.put(session, mail, kind, NOON)


def people(count: int) -> list[str]:
    return [f"player{number}@example.org" for number in range(count)]


@pytest.fixture
def limited(engine: Engine, smtp_sink: SmtpSink) -> Iterator[Sender]:
    sender = Sender(engine, settings_for(smtp_sink, per_hour=5, per_day=10), JUDGE)
    yield sender
    sender.close()


def subjects(sink: SmtpSink) -> list[str]:
    return [mail.subject.removeprefix("NEWJ: ") for mail in sink.mails]


def test_answers_then_results_then_press_go_as_the_limits_of_hour_and_day_allow(engine, limited, smtp_sink):
    put(engine, "press", *people(4))
    put(engine, "results", *people(4))
    put(engine, "reply", *people(3))
    assert limited.run(NOON)["sent"] == 4
    assert subjects(smtp_sink) == ["reply"] * 3 + ["results"]
    assert limited.run(NOON + HOUR / 2)["sent"] == 0
    assert limited.run(NOON + HOUR)["sent"] == 4
    assert subjects(smtp_sink)[4:] == ["results"] * 3 + ["press"]
    assert limited.run(NOON + 2 * HOUR)["sent"] == 1  # ten a day, one of them for the keeper
    assert limited.run(NOON + 24 * HOUR)["sent"] == 2


def test_the_notice_of_the_limit_always_goes(engine, limited, smtp_sink):
    put(engine, "results", *people(5))
    assert limited.run(NOON)["sent"] == 4
    put(engine, "limit", "keeper@example.org")
    assert limited.run(NOON)["sent"] == 1
    assert subjects(smtp_sink)[-1] == "limit"


def test_no_results_wait_for_press_that_was_deferred_if_not_all_can_go(engine, limited, smtp_sink):
    put(engine, "press", "kim@example.org")
    smtp_sink.refuse_next(1, "451 4.7.1 greylisted", at="RCPT")
    assert limited.run(NOON)["deferred"] == 1
    put(engine, "results", *["kim@example.org"] * 5)
    assert limited.run(NOON + HOUR / 60)["sent"] == 4
    assert set(subjects(smtp_sink)) == {"results"}


def test_as_long_as_all_can_go_press_keeps_its_place(engine, limited, smtp_sink):
    put(engine, "press", *people(2))
    put(engine, "results", *people(2))
    assert limited.run(NOON)["sent"] == 4
    assert subjects(smtp_sink) == ["press"] * 2 + ["results"] * 2


def test_what_another_process_is_sending_counts(engine, limited):
    put(engine, "results", *people(5))
    with transaction(engine) as session:
        outbox.take(session, outbox.due(session, NOON, 3), "another process", NOON)
        assert outbox.allowed(session, NOON, 5, 10) == 1


def test_the_keeper_is_told_once_a_day_that_mails_wait(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_SMTP_PER_HOUR": "2"})
    put(desk.engine, "results", *people(3))

    def told(at: datetime) -> list[str]:
        with transaction(desk.engine) as session:
            work = Work(session, desk.services, at)
            is_to_tell, tell = mail_trouble.REPORTS[2]
            if is_to_tell(work):
                tell(work)
            return [mail.recipient for mail in session.exec(select(Mail).where(col(Mail.kind) == "limit"))]

    assert told(NOON) == []
    with transaction(desk.engine) as session:
        outbox.sent(session, outbox.due(session, NOON, 1)[0], now=NOON)
    assert told(NOON) == [desk.settings.keeper]
    assert told(NOON + HOUR / 2) == [desk.settings.keeper]
    desk.engine.dispose()
