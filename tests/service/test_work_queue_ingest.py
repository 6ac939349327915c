"""Letters that a daemon had in hand when it ended uncleanly: under suspicion, and charged only with what they do."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.letters import sandbox
from judge.letters.imap import Fetched
from judge.service.work_queue import ARRIVING, InFlight, Ingest
from judge.store import inbox
from judge.store.engine import open_engine, reading, transaction
from judge.store.tables import LetterRow
from tests.beginnings import make_tables

NOW = datetime.now(UTC).replace(microsecond=0)
GOOD = b"From: a@example.org\r\nMessage-ID: <%d@example.org>\r\n\r\nHELP\r\n"
# No mailbox hands out so much of a letter. It ends a process that has LITTLE memory.
DEADLY = b"From: b@example.org\r\nMessage-ID: <b@example.org>\r\n\r\n" + b"A PAR H\n" * 2_000_000
LITTLE = 80 * 1024 * 1024


@pytest.fixture
def engine(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "MEMORY", LITTLE)
    engine = open_engine(f"sqlite:///{tmp_path / 'judge.db'}")
    make_tables(engine)
    yield engine
    engine.dispose()


class Aside:
    """What is done with a letter that must not be read."""

    def __init__(self, engine) -> None:
        self._engine = engine
        self.told: list[int] = []

    def __call__(self, letter_id: int) -> None:
        with transaction(self._engine) as session:
            inbox.failed(session, letter_id, "too much", for_good=True)
        self.told.append(letter_id)


def stored(engine, *letters: bytes) -> list[int]:
    batch = [Fetched(1, number, NOW, raw) for number, raw in enumerate(letters)]
    with transaction(engine) as session:
        return inbox.keep(session, batch, lambda letter: letter.raw[:80].hex(), now=NOW)


def states(engine) -> list[str]:
    with reading(engine) as session:
        return list(session.exec(select(LetterRow.state).order_by(col(LetterRow.id))))


def test_what_was_in_hand_is_known_after_a_crash_alone(tmp_path: Path):
    hand = InFlight(tmp_path)
    assert (hand.letter_ids, hand.may_arrive) == (set(), False)
    hand.record(3, 1)
    assert InFlight(tmp_path).letter_ids == {1, 3}
    hand.record()
    assert InFlight(tmp_path).letter_ids == set()
    hand.record(ARRIVING)
    assert InFlight(tmp_path).may_arrive
    hand.record()
    assert not InFlight(tmp_path).may_arrive


def test_an_innocent_letter_is_never_charged(engine, tmp_path):
    """However often the daemon is killed while it is in hand."""
    ids = stored(engine, GOOD % 1, GOOD % 2)
    for _ in range(2):
        InFlight(tmp_path).record(*ids)
        aside = Aside(engine)
        Ingest(engine, InFlight(tmp_path), aside).examine()
        assert aside.told == []
    assert states(engine) == ["new", "new"]
    assert InFlight(tmp_path).letter_ids == set()


def test_the_letter_that_cannot_be_read_is_put_aside(engine, tmp_path):
    ids = stored(engine, GOOD % 1, DEADLY, GOOD % 2)
    InFlight(tmp_path).record(*ids)
    aside = Aside(engine)
    Ingest(engine, InFlight(tmp_path), aside).examine()
    assert aside.told == [ids[1]]
    assert states(engine) == ["new", "shunted", "new"]


def test_one_that_ended_the_daemon_as_it_came(engine, tmp_path):
    """It has no number yet, and is met again in the mailbox."""
    InFlight(tmp_path).record(ARRIVING)
    aside = Aside(engine)
    batch = [Fetched(1, number, NOW, raw) for number, raw in enumerate([GOOD % 1, DEADLY])]
    new = Ingest(engine, InFlight(tmp_path), aside).keep(batch, NOW)
    assert len(new) == 2
    assert (states(engine), aside.told) == (["new", "shunted"], new[1:])
    again = Ingest(engine, InFlight(tmp_path), aside).keep(batch[:1], NOW)
    assert again == [], "the fingerprint is the same, wherever the letter was read"


def test_a_fingerprint_that_takes_too_long(engine, tmp_path, monkeypatch):
    """The letter is stored all the same, under the digest of its bytes, once."""

    def endless(letter: Fetched) -> str:
        while True:
            pass

    monkeypatch.setattr("judge.service.work_queue.LETTER_SECONDS", 0.1)
    monkeypatch.setattr("judge.time_limit._TICK", 0.05)
    monkeypatch.setattr("judge.service.work_queue.fingerprint_of", endless)
    intake = Ingest(engine, InFlight(tmp_path), Aside(engine))
    batch = [Fetched(1, 1, NOW, GOOD % 1)]
    assert len(intake.keep(batch, NOW)) == 1
    assert intake.keep(batch, NOW) == []
