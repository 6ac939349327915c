"""Letters read in a process of their own: the same fingerprints; one beyond its limits is found, and harms no other."""

from judge.letters import sandbox
from judge.letters.sandbox import sandboxed_fingerprints
from tests.letters.reading import fingerprint

HEAD = b"From: france@example.org\r\nTo: judge@example.org\r\nMessage-ID: <%d@example.org>\r\n\r\n"


def test_fingerprints_in_their_order():
    letters = [HEAD % number + b"A PAR H\r\n" for number in range(3)] + [b"", b"\0\xff\n"]
    assert sandboxed_fingerprints(letters) == [fingerprint(letter) for letter in letters]
    assert sandboxed_fingerprints([]) == []


def test_a_letter_beyond_its_limits_is_found_among_others(monkeypatch):
    """No mailbox hands out 16 MB; with less memory than a letter may have it is found sooner."""
    monkeypatch.setattr(sandbox, "MEMORY", 80 * 1024 * 1024)
    good, huge = HEAD % 1 + b"A PAR H\r\n", HEAD % 2 + b"A PAR H\n" * 2_000_000
    assert sandboxed_fingerprints([good, huge, good]) == [fingerprint(good), None, fingerprint(good)]


def test_a_letter_that_needs_too_much_time_is_found(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 1)
    long = HEAD % 2 + b"A PAR H\n" * 2_000_000
    assert sandboxed_fingerprints([long]) == [None]
