"""Mails wait in the outbox until they have gone, or have failed for good."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import select

from judge.store import outbox
from judge.store.engine import open_engine, reading, transaction
from judge.store.schema import migrate
from judge.store.tables import Event, Mail
from tests.listening import listen

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

_numbers = count()


def composed(
    message_id: str, recipient: str = "kim@example.org", raw: bytes = b"Subject: NEWJ:heron\r\n\r\nHello.\r\n"
) -> outbox.Composed:
    return outbox.Composed(message_id, recipient, "NEWJ:heron", raw)


def _put(engine: Engine, to: str = "kim@example.org", **also: Any) -> Mail:
    with transaction(engine) as session:
        number = outbox.put(session, composed(f"<{next(_numbers)}@x>", to), "results", NOON, **also)
        return session.get_one(Mail, number)


def _due(engine: Engine, now: datetime = NOON, limit: int = 100) -> list[int | None]:
    with transaction(engine) as session:
        return [mail.id for mail in outbox.due(session, now, limit)]


def _row(engine: Engine, mail: Mail) -> Mail:
    with reading(engine) as session:
        return session.get_one(Mail, mail.id)


def _events(engine: Engine) -> list[str]:
    with reading(engine) as session:
        return [event.text for event in session.exec(select(Event))]


def _backlog(engine: Engine) -> outbox.Backlog:
    with reading(engine) as session:
        return outbox.backlog(session)


def test_a_mail_is_due_when_its_transaction_is_committed(engine: Engine) -> None:
    with pytest.raises(RuntimeError), transaction(engine) as session:
        outbox.put(session, composed("<never@x>"), "results", NOON)
        raise RuntimeError
    assert _due(engine) == []
    mail = _put(engine)
    assert _due(engine) == [mail.id]


def test_the_longest_due_goes_first_and_of_equals_the_first_written(engine: Engine) -> None:
    first, second = _put(engine, "al@example.org").id, _put(engine, "bo@example.org").id
    older = _put(engine, "cy@example.org", not_before=NOON - MINUTE).id
    third = _put(engine, "di@example.org").id
    assert _due(engine) == [older, first, second, third]
    assert _due(engine, limit=2) == [older, first]


def test_finding_what_is_due_does_not_read_what_was_sent(tmp_path: Path) -> None:
    """The history of mails grows for years; SQLite answers from the index of those that wait."""
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    migrate(engine)
    statements: list[str] = []
    listen(engine, lambda statement, _: statements.append(statement))
    with reading(engine) as session:
        outbox.due(session, NOON, 1)
        outbox.backlog(session)
        asked = [statement for statement in statements if "mail" in statement]
        for statement in asked:
            values = (0,) * statement.count("?")
            plan = session.connection().exec_driver_sql("EXPLAIN QUERY PLAN " + statement, values)
            for step in (step[3] for step in plan if "SUBQUERY" not in step[3]):
                assert "USING" in step and "INDEX mail_" in step, step
    assert len(asked) == 3
    engine.dispose()


def test_a_mail_may_be_held_back(engine: Engine) -> None:
    mail = _put(engine, not_before=NOON + MINUTE)
    assert _due(engine, NOON) == []
    assert _due(engine, NOON + MINUTE) == [mail.id]


def test_a_message_id_is_used_once(engine: Engine) -> None:
    with pytest.raises(IntegrityError), transaction(engine) as session:
        for _ in range(2):
            outbox.put(session, composed("<same@x>"), "results", NOON)


def test_a_mail_that_was_sent_is_no_longer_due(engine: Engine) -> None:
    mail = _put(engine)
    with transaction(engine) as session:
        outbox.sent(session, mail, now=NOON + MINUTE)
    row = _row(engine, mail)
    assert (row.sent_at, row.attempts, row.failed_at) == (NOON + MINUTE, 1, None)
    assert row.raw == mail.raw
    assert _due(engine) == []


def test_a_deferred_mail_is_tried_after_growing_pauses_and_given_up_after_three_days(engine: Engine) -> None:
    mail = _put(engine)
    now, pauses = NOON, []
    while True:
        with transaction(engine) as session:
            again_at = outbox.deferred(session, mail, now=now, error="451 later")
        if again_at is None:
            break
        assert _due(engine, again_at - timedelta(seconds=1)) == []
        assert _due(engine, again_at) == [mail.id]
        pauses.append((again_at - now) // MINUTE)
        now, mail = again_at, _row(engine, mail)
    assert pauses[:6] == [1, 5, 30, 120, 360, 360]
    assert timedelta(days=2.5) < now - NOON < timedelta(days=3.5)
    row = _row(engine, mail)
    assert (row.failed_at, row.attempts) == (now, len(pauses) + 1)
    assert _due(engine, now + timedelta(days=9)) == []
    assert _events(engine) == [f"results mail {mail.id} to kim@example.org: {row.error}"]
    assert row.error == f"given up after {row.attempts} attempts: 451 later"


def test_a_mail_that_failed_for_good_is_told_to_the_keeper(engine: Engine) -> None:
    mail = _put(engine)
    with transaction(engine) as session:
        outbox.failed(session, mail, now=NOON, error="550 no such \0user")
    assert _row(engine, mail).error == "550 no such \ufffduser"
    assert _due(engine) == []
    assert _events(engine) == [f"results mail {mail.id} to kim@example.org: 550 no such \ufffduser"]


def test_a_mail_already_sent_stays_sent(engine: Engine) -> None:
    """Two pumps that took the same mail: the second one's trouble does not bring it back."""
    mail = _put(engine)
    with transaction(engine) as session:
        outbox.sent(session, mail, now=NOON)
    with transaction(engine) as session:
        outbox.deferred(session, mail, now=NOON, error="451 later")
    row = _row(engine, mail)
    assert (row.sent_at, row.next_try_at, row.error) == (NOON, NOON, "")


@pytest.mark.parametrize("settle", ["sent", "failed"])
def test_a_password_is_masked_when_its_mail_is_settled(engine: Engine, settle: str) -> None:
    with transaction(engine) as session:
        raw = b"Subject: welcome\r\n\r\nYour password: kelp-otter-7.\r\n"
        number = outbox.put(session, composed("<a@x>", raw=raw), "token", NOON, secret="kelp-otter-7")
        mail = session.get_one(Mail, number)
    assert _row(engine, mail).raw == raw
    with transaction(engine) as session:
        if settle == "sent":
            outbox.sent(session, mail, now=NOON)
        else:
            outbox.failed(session, mail, now=NOON, error="550 no")
    row = _row(engine, mail)
    assert (row.raw, row.secret) == (b"Subject: welcome\r\n\r\nYour password: ****.\r\n", None) and row.masked


def test_a_password_masked_is_gone_from_the_file(tmp_path: Path) -> None:
    """Not only from the row: a backup of the file must not hold it in a page that was freed."""
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    migrate(engine)
    with transaction(engine) as session:
        raw = b"\r\n" + b"x" * 9000 + b" kelp-otter-7 " + b"x" * 9000
        number = outbox.put(session, composed("<a@x>", raw=raw), "token", NOON, secret="kelp-otter-7")
        mail = session.get_one(Mail, number)
    with transaction(engine) as session:
        outbox.sent(session, mail, now=NOON)
    engine.dispose()
    assert b"kelp-otter-7" not in (tmp_path / "judge.db").read_bytes()
    assert [file.name for file in tmp_path.iterdir()] == ["judge.db"]


def test_status_counts_what_waits_and_what_failed(engine: Engine) -> None:
    assert _backlog(engine) == outbox.Backlog(0, 0, None, None, 0)
    first, second, third, fourth = (_put(engine) for _ in range(4))
    with transaction(engine) as session:
        outbox.sent(session, first, now=NOON)
        outbox.failed(session, second, now=NOON, error="550 no")
        outbox.deferred(session, third, now=NOON, error="451 later")
    assert _backlog(engine) == outbox.Backlog(waiting=2, deferred=1, oldest_at=NOON, next_try_at=NOON, failed=1)
    with transaction(engine) as session:
        outbox.deferred(session, fourth, now=NOON + MINUTE, error="451 later")
    assert _backlog(engine).next_try_at == NOON + MINUTE


def test_a_mail_from_before_the_clock_was_set_back_is_due(engine: Engine) -> None:
    """Unless it was to wait when it was written: for its phase, or after an attempt."""
    written = _put(engine)
    _put(engine, not_before=NOON + MINUTE)
    tried = _put(engine)
    with transaction(engine) as session:
        outbox.deferred(session, tried, now=NOON, error="450 later")
    with transaction(engine) as session:
        outbox.clock_was_set_back(session, NOON - 60 * MINUTE)
    assert _due(engine, NOON - 60 * MINUTE) == [written.id]


def test_what_is_due_is_found_without_sorting(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path}/judge.db")
    migrate(engine)
    asked: list[tuple[str, Any]] = []
    listen(engine, lambda statement, values: asked.append((statement, values)))
    _due(engine)
    with engine.connect() as connection:
        statement, values = next(question for question in asked if "FROM mail" in question[0])
        plan = [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
    assert [step for step in plan if "SUBQUERY" not in step] == [
        "SEARCH mail USING INDEX mail_waiting (next_try_at<?)",
        "SEARCH mail_1 USING INDEX mail_in_order (recipient=? AND game_id=? AND id<?)",
    ]
