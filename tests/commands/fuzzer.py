"""Letters of mail programs, changed by dice, at a real desk: what must hold whatever comes.

    python -m tests.commands.fuzzer --letters 20000 --seconds 1500 --seed 1

Each letter is read, handled and undone, so that all find the same game. A finding is kept as a file that shows it, and
the exit status is 1 if there was one.
"""

import argparse
import random
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from html import unescape
from pathlib import Path

from sqlmodel import col, select

from judge.commands.handler import fingerprint_of
from judge.games.core.passwords import SlowWork
from judge.store import inbox
from judge.store.engine import transaction
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork, Posted, Received, posted
from tests.commands.understanding import understood
from tests.letters.corpus.content import TOLD
from tests.letters.corpus.mutations import Mutation, mutated
from tests.letters.corpus.samples import Sample, kept
from tests.letters.reading import as_kept

SECRET = "pwfrance"
# Where a password stands that everybody would know as one.
_PLAIN_SECRET = re.compile(rf"sign ?on[^\S\r\n]+\S+[^\S\r\n]+{SECRET}", re.IGNORECASE)
# Lines of the judge's mail to one player that nobody else may read.
_FOR_ONE = [line for line in TOLD if line.startswith(("France:", "Orders complete", "Movement orders", "    SIGNON"))]
_MACHINE = re.compile(
    rb"^(?:auto-submitted:[ \t]*auto-|return-path:[ \t]*<>[ \t]*\n(?![ \t]))", re.IGNORECASE | re.MULTILINE
)
# Marks of lists: what signs on is answered all the same.
_BULK = re.compile(rb"^(?:precedence:[ \t]*(?:bulk|list|junk)[ \t]*\r?$|list-id:)", re.IGNORECASE | re.MULTILINE)
# A head of which every line is a field or goes on with one.
_WHOLE_HEAD = re.compile(rb"(?:[!-9;-~]+[ \t]*:[^\n]*\n(?:[ \t][^\n]*\n)*)+")
# Seconds of processor time that reading a letter may take, and for each of its bytes.
_READING, _READING_A_BYTE = 0.3, 8e-6
_HANDLING = 4.0


class _Undone(Exception):
    """What a letter has done is taken back."""


@dataclass
class Outcome:
    """What became of one letter: the mails it made, how it is kept, what the log says of it."""

    mails: list[Posted]
    stored: bytes
    said: str
    reading: float
    handling: float


@dataclass
class Figures:
    """What a run has found."""

    letters: int = 0
    seconds: float = 0.0
    kept: int = 0
    unanswered: int = 0
    slowest_reading: tuple[float, int] = (0.0, 0)
    slowest_handling: float = 0.0
    by_change: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[str, list[str], bytes]] = field(default_factory=list)

    def __str__(self) -> str:
        slowest, size = self.slowest_reading
        return (
            f"{self.letters} letters in {self.seconds:.0f} s, {len(self.findings)} findings; the author's lines stayed "
            f"whole in {self.kept}, nobody was answered in {self.unanswered}; slowest: {slowest:.2f} s to read "
            f"{size:,} bytes, {self.slowest_handling:.2f} s to handle"
        )


class Fuzzer:
    """A desk, and letters for it."""

    def __init__(self, folder: Path, seed: int):
        self.dice = random.Random(seed)
        self.samples = kept()
        self.desk = DeskAtWork(folder, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
        self.desk.seat_seven()
        self.desk.new_mails()
        # Who takes a seat at this very moment has not proved by it who they are.
        self.desk.now += timedelta(minutes=1)
        self._number = 1000
        self._mails = max(mail.id or 0 for mail in self._all_mails())

    def _all_mails(self) -> Sequence[Mail]:
        with transaction(self.desk.engine) as session:
            return session.exec(select(Mail)).all()

    def run(self, letters: int, seconds: float = float("inf")) -> Figures:
        """So many letters, as far as the time goes."""
        figures = Figures()
        began = time.monotonic()
        while figures.letters < letters and time.monotonic() - began < seconds:
            sample, made = mutated(self.dice, self.samples)
            figures.letters += 1
            figures.by_change.update(mutation.name for mutation in made)
            figures.kept += all(mutation.keeps for mutation in made)
            try:
                outcome = self.handle(sample.raw)
            except Exception:
                figures.findings.append((traceback.format_exc(), [mutation.name for mutation in made], sample.raw))
                continue
            figures.unanswered += not outcome.mails
            figures.slowest_reading = max(figures.slowest_reading, (outcome.reading, len(sample.raw)))
            figures.slowest_handling = max(figures.slowest_handling, outcome.handling)
            for problem in problems(sample, made, outcome):
                figures.findings.append((problem, [mutation.name for mutation in made], sample.raw))
        figures.seconds = time.monotonic() - began
        return figures

    def handle(self, raw: bytes) -> Outcome:
        """What the letter would have done."""
        self._number += 1
        began = time.process_time()
        as_kept(raw)
        read = time.process_time()
        while True:
            try:
                with transaction(self.desk.engine) as session:
                    inbox.keep(session, [Received(raw, self.desk.now, self._number)], fingerprint_of, now=self.desk.now)
                    (row,) = inbox.in_turn(session)
                    row.id = self._number
                    session.flush()
                    said = self.desk.desk.handle(session, row, self.desk.now)
                    newer = select(Mail).where(col(Mail.id) > self._mails).order_by(col(Mail.id))
                    outcome = Outcome([posted(mail) for mail in session.exec(newer)], b"", said, 0, 0)
                    session.refresh(row)
                    # What waits for its sender's confirmation keeps its passwords until then.
                    outcome.stored = row.raw if row.state != "held" else b""
                    raise _Undone
            except SlowWork as work:
                work.do()
            except _Undone:
                break
        self.desk.desk.forget(self._number)
        outcome.reading, outcome.handling = read - began, time.process_time() - read
        return outcome


def problems(sample: Sample, made: list[Mutation], outcome: Outcome) -> Iterator[str]:
    """What should not have become of a letter."""
    head = _head(sample.raw)
    own = all(mutation.keeps for mutation in made)
    signs_on = bool(sample.orders or sample.press)
    marked = _MACHINE.search(head) or not signs_on and _BULK.search(head)
    if outcome.mails and (_WHOLE_HEAD.fullmatch(head + b"\n") and marked or own and sample.silent):
        yield f"a machine was answered: {outcome.mails[0].subject}"
    if own and not sample.silent:
        found = understood(outcome.mails)
        if found.orders != sample.orders or found.press != sample.press:
            yield f"lost: {found.orders} {found.press!r} instead of {sample.orders} {sample.press!r}"
    yield from _secrets(made, outcome)
    if outcome.reading > _READING + _READING_A_BYTE * len(sample.raw):
        yield f"{outcome.reading:.2f} s to read {len(sample.raw):,} bytes"
    if outcome.handling > _HANDLING:
        yield f"{outcome.handling:.2f} s to handle {len(sample.raw):,} bytes"


def _secrets(made: list[Mutation], outcome: Outcome) -> Iterator[str]:
    # A word that has come to stand alone in the middle of press, or a line there, is a word of press.
    moved = any(mutation.moves for mutation in made)
    for mail in outcome.mails:
        shown = f"{mail.subject}\n{mail.text}\n{unescape(mail.page)}"
        for_others = mail.message["Auto-Submitted"] != "auto-replied" and not moved
        if _PLAIN_SECRET.search(shown) or SECRET in shown and for_others:
            yield f"the password is told to {mail.to}"
        if for_others:
            yield from (f"told to {mail.to}: {line}" for line in _FOR_ONE if line in shown)
    if re.search(rf"\b{SECRET}\b", outcome.said):
        yield f"the password is logged: {outcome.said}"
    if _PLAIN_SECRET.search(_opened(outcome.stored)):
        yield "the password is stored"


def _head(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0]


def _opened(raw: bytes) -> str:
    """All that another reader of mail makes of a letter: its bytes, and its parts decoded where its head is whole.

    Where it is not, no two readers agree where the head ends, and what is in base64 then.
    """
    shown = [raw.decode("latin-1")]
    if not _WHOLE_HEAD.fullmatch(_head(raw) + b"\n"):
        return shown[0]
    try:
        message = message_from_bytes(raw, policy=policy.compat32)
        shown += [
            str(payload, "latin-1")
            for part in message.walk()
            if isinstance(payload := part.get_payload(decode=True), bytes)
        ]
    except Exception:  # noqa: BLE001  what that reader cannot open, nobody reads with it
        pass
    return "\n".join(shown)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--letters", type=int, default=20_000)
    arguments.add_argument("--seconds", type=float, default=1500)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--findings", type=Path, default=Path("build/fuzz"))
    wanted = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = Fuzzer(Path(folder), wanted.seed).run(wanted.letters, wanted.seconds)
    print(figures)
    wanted.findings.mkdir(parents=True, exist_ok=True)
    for number, (problem, changes, raw) in enumerate(figures.findings, 1):
        print(f"{number}. {problem.strip()}  ({', '.join(changes)})")
        (wanted.findings / f"{wanted.seed}-{number}.eml").write_bytes(raw)
    return 1 if figures.findings else 0


if __name__ == "__main__":
    sys.exit(main())
