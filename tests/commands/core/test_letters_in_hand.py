"""Letters that have come are held as they were parsed until they are answered, and only so many of them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core import letters_in_hand
from judge.commands.core.letters_in_hand import LettersInHand
from judge.commands.core.reading import Reader
from judge.letters.imap import Fetched
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def letters(desk: DeskAtWork) -> LettersInHand:
    return LettersInHand(desk.services, Reader(COMMANDS))


def letter(number: int, text: str = "LIST", headers: str = "") -> Fetched:
    raw = f"From: jo@example.org\r\nMessage-ID: <{number}@example.org>\r\n{headers}\r\n{text}\r\n"
    return Fetched(1, number, NOON, raw.encode())


def stored(letter: Fetched, fingerprint: str) -> LetterRow:
    return LetterRow(
        id=letter.uid, fingerprint=fingerprint, uidvalidity=1, uid=letter.uid, received_at=NOON, kept_at=NOON,
        raw=letter.raw, cut=letter.cut,
    )  # fmt: skip


def test_a_copy_that_came_another_way_is_not_taken_for_the_letter(letters: LettersInHand):
    """Its fingerprint is the same; what the mail server says of its sender may not be."""
    forged, good = letter(1, headers="Auto-Submitted: auto-replied\r\n"), letter(1)
    fingerprint = letters.take(forged)
    assert letters.take(good) == fingerprint
    assert letters.of(stored(forged, fingerprint)).letter.silent
    assert not letters.of(stored(good, fingerprint)).letter.silent


def test_a_letter_that_was_cut_is_not_taken_for_a_whole_one(letters: LettersInHand):
    cut = replace(letter(1), cut=True)
    fingerprint = letters.take(letter(1))
    assert letters.of(stored(cut, fingerprint)).letter.notes
    assert not letters.of(stored(letter(1), fingerprint)).letter.notes


def test_of_a_heap_of_letters_the_oldest_are_not_held(letters: LettersInHand, monkeypatch: pytest.MonkeyPatch):
    """And each is read as it stands all the same."""
    monkeypatch.setattr(letters_in_hand, "MOST_BYTES", 100_000)
    heap = [letter(number, "LIST\n" + "x" * 20_000) for number in range(10)]
    rows = [stored(one, letters.take(one)) for one in heap]
    held = [row.fingerprint in letters._come for row in rows]
    assert held == [False] * 7 + [True] * 3
    letters.take(heap[-1])
    assert [row.fingerprint in letters._come for row in rows] == held
    assert [letters.of(row).root.raw for row in rows] == [one.raw for one in heap]
    assert not letters._come and letters._bytes == 0
    letters.take(letter(11, "x" * 200_000))
    assert not letters._come and letters._bytes == 0
