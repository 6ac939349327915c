"""Mails wait in the outbox until they have gone, or have failed for good."""

from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import select

from judge.store import outbox, retention
from judge.store.engine import migrate, open_engine, reading, transaction
from judge.store.tables import Event, Mail

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


def test_a_mail_that_is_being_sent_while_its_reader_is_forgotten_settles_no_other(engine: Engine) -> None:
    """SQLite would give its number to the next mail, if its row were gone."""
    earlier, of_another, mail = _put(engine), _put(engine, "bo@example.org"), _put(engine, secret="pa55")
    with transaction(engine) as session:
        outbox.take(session, [mail], "this process", NOON)
    with transaction(engine) as session:
        done = retention.forget_person(session, None, ["kim@example.org"], NOON)
        assert done["mails"] == 2
    with reading(engine) as session:
        assert session.get(Mail, earlier.id) is None
    other = _put(engine, "al@example.org")
    with transaction(engine) as session:
        outbox.sent(session, mail, now=NOON)
    assert _due(engine) == [of_another.id, other.id]
    with reading(engine) as session:
        left = session.get_one(Mail, mail.id)
        assert (left.recipient, left.raw, left.subject, left.secret) == ("****", b"", "", None)
        assert not outbox.given_up(session) and len(outbox.unsent(session)) == 2
