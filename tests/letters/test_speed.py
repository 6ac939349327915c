"""How fast letters are read and swept; the limits leave a slow machine four times the time that a fast one took."""

import time
import timeit
from collections.abc import Callable

import pytest

from tests.letters.mailboxes import open_mailbox
from tests.letters.reading import as_kept, fingerprint, read_letter
from tests.letters.writing import letter
from tests.servers.dovecot import Dovecot

pytestmark = pytest.mark.benchmarks

ORDINARY = letter(
    "SIGNON Fheron secret\nA PAR - BUR\n" * 14,
    "Return-Path: <anna@example.org>",
    *["Received: from a.example by b.example with ESMTP id 1;\r\n\tTue, 3 Nov 2026 10:00:00 +0000"] * 3,
    "Date: Tue, 3 Nov 2026 10:00:00 +0100",
    "References: <start@judge.example.net> <results@judge.example.net>",
    "Content-Type: text/plain; charset=utf-8; format=flowed",
)


@pytest.mark.parametrize(("work", "limit"), [(read_letter, 0.5), (fingerprint, 0.1), (as_kept, 4)])
def test_milliseconds_a_letter(work: Callable[[bytes], object], limit: float):
    """An ordinary letter of a kilobyte, in milliseconds."""
    best = min(timeit.repeat(lambda: work(ORDINARY), number=200, repeat=5)) / 200 * 1000
    print(f"{work.__name__}: {best:.3f} ms")
    assert best < limit


def test_letters_a_second(dovecot: Dovecot):
    """A thousand letters fetched and filed away."""
    with dovecot.client() as client:
        client.multiappend("INBOX", [ORDINARY] * 1000)
    with open_mailbox(dovecot) as mailbox:
        began = time.perf_counter()
        count = sum(len(batch) for batch in mailbox.new_letters())
        fetched = time.perf_counter()
        for batch in mailbox.new_letters():
            mailbox.file_away(batch)
        filed = time.perf_counter()
    print(f"fetched {count / (fetched - began):.0f}/s, fetched and filed {count / (filed - fetched):.0f}/s")
    assert count == 1000 and filed - began < 4
