"""Letters are kept once, taken in order, and set aside when they cannot be handled."""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import Engine

from judge.store import inbox
from judge.store.engine import reading, transaction
from judge.store.tables import LetterRow

NOON = datetime(2026, 5, 15, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


@dataclass(frozen=True)
class Fetched:
    raw: bytes
    received_at: datetime = NOON
    cut: bool = False


def _hash(letter: Fetched) -> str:
    return hashlib.sha256(letter.raw).hexdigest()


def _keep(engine: Engine, *letters: Fetched) -> list[int]:
    with transaction(engine) as session:
        return inbox.keep(session, letters, _hash, now=LATER)


def _take(engine: Engine) -> bytes | None:
    """Handle the letter whose turn it is; what was in it."""
    with transaction(engine) as session:
        row = next(iter(inbox.in_turn(session)), None)
        if row is None:
            return None
        raw = row.raw
        inbox.done(session, row, inbox.Masked(raw), now=LATER)
        return raw


def _letter(engine: Engine, letter_id: int) -> LetterRow:
    with reading(engine) as session:
        return session.get_one(LetterRow, letter_id)


def test_a_letter_is_kept_as_it_came(engine: Engine) -> None:
    raw = bytes(range(256)) * 4
    (new,) = _keep(engine, Fetched(raw, cut=True))
    row = _letter(engine, new)
    assert (row.raw, row.cut) == (raw, True)
    assert (row.received_at, row.kept_at, row.state, row.attempts) == (NOON, LATER, "new", 0)


def test_a_letter_seen_before_is_not_kept_again(engine: Engine) -> None:
    first = _keep(engine, Fetched(b"a"), Fetched(b"b"))
    second = _keep(engine, Fetched(b"b"), Fetched(b"c"), Fetched(b"a", received_at=LATER))
    assert len(first) == 2
    assert [_letter(engine, new).raw for new in second] == [b"c"]


def test_letters_are_taken_as_they_reached_the_server(engine: Engine) -> None:
    """By the server's time; letters of the same second in the mailbox's order, whatever batch they came in."""
    _keep(engine, Fetched(b"3", LATER), Fetched(b"1", NOON), Fetched(b"2", NOON))
    _keep(engine, Fetched(b"0", NOON - timedelta(seconds=1)), Fetched(b"4", LATER))
    assert [_take(engine) for _ in range(6)] == [b"0", b"1", b"2", b"3", b"4", None]


def test_any_error_can_be_noted(engine: Engine) -> None:
    """What broke on a strange letter may quote it."""
    (new,) = _keep(engine, Fetched(b"a"))
    with transaction(engine) as session:
        inbox.failed(session, new, "x" * 20_000 + "NUL \0 and half a pair \ud800.")
    error = _letter(engine, new).error
    assert error.endswith("NUL \ufffd and half a pair \ufffd\ufffd\ufffd.")
    assert len(error) == inbox.MAX_ERROR


def test_a_letter_put_aside_can_have_its_turn_again(engine: Engine) -> None:
    older, newer = _keep(engine, Fetched(b"older"), Fetched(b"newer", LATER))
    with transaction(engine) as session:
        for _ in range(3):
            inbox.failed(session, older, "broke")
    with transaction(engine) as session:
        assert inbox.requeue(session.get_one(LetterRow, older))
    assert (_letter(engine, older).attempts, _letter(engine, older).error) == (0, "")
    assert _take(engine) == b"older"


@pytest.mark.parametrize("handled", [True, False])
def test_only_a_letter_put_aside_is_queued_again(engine: Engine, handled: bool) -> None:
    (new,) = _keep(engine, Fetched(b"a"))
    if handled:
        _take(engine)
    with transaction(engine) as session:
        assert not inbox.requeue(session.get_one(LetterRow, new))


def test_a_letter_whose_sender_is_not_clear_is_nobody_elses(engine: Engine) -> None:
    _keep(engine, Fetched(b"a"))
    with transaction(engine) as session:
        row = inbox.in_turn(session)[0]
        inbox.done(session, row, inbox.Masked(b"a", sender="kim@example.org"), now=LATER, state="held")
    with reading(engine) as session:
        assert [len(inbox.letters(session, "held", sender=one)) for one in ("", "kim@example.org", None)] == [0, 1, 1]
