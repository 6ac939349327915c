"""How long the judge takes to read what is long, wrong or hostile: never more than in proportion to its size."""

import re
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from judge.commands.core.reading import _compile, one_line
from judge.letters import Line
from tests.commands.deskatwork import DeskAtWork
from tests.commands.test_linear_reading import (
    FRANCE,
    KIM,
    MASS,
    MASTER,
    READER,
    ROOMS,
    SINGLE_BLANKS,
    TABLE,
    uses_by_room,
)
from tests.letters.pumps import grows_too_fast, pumps
from tests.letters.reading import as_kept, fingerprint, read_letter
from tests.letters.test_hostile_structures import STRUCTURES, Make, read
from tests.patterns_in_use import Use

pytestmark = pytest.mark.benchmarks

SIZE = 40_000
# Four times the size may take a little more than four times the time (quadratic is sixteen); in less all is noise.
RATIO, NOISE = 6.8, 0.02

@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """A judge's desk on a fresh SQLite database."""
    return DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})



def _match(pattern: re.Pattern[str], text: str) -> object:
    return pattern.fullmatch(one_line(text))


def _read_below(lines: list[Line], text: str) -> object:
    return READER.blocks([*lines, Line(text)])


def _works(use: Use) -> list[Callable[[str], object]]:
    """What is done with a text. All functions that search do the same: without making anything of what is found the
    search itself is what takes the time.
    """
    pattern, whole = use.pattern, {"match", "fullmatch"} & use.functions
    works = [getattr(pattern, function) for function in whole]
    if use.functions - whole:
        works.append(partial(pattern.subn, pattern.pattern[:0]))
    return [_in_bytes(work) for work in works] if isinstance(pattern.pattern, bytes) else works


def _in_bytes(work: Callable[[bytes], object]) -> Callable[[str], object]:
    return lambda text: work(text.encode("latin-1", "replace"))


def test_the_patterns_of_all_commands_take_time_in_proportion():
    """Also without the measure that the reader takes of a line; it is what single blanks are for that they get."""
    slow = []
    for command in {command.pattern: command for command in TABLE}.values():
        pattern = _compile(command.names[0], command.pattern)
        slow += [
            (command.names[0], *pump)
            for pump in pumps(pattern)
            if grows_too_fast(partial(_match, pattern), *pump)
        ]
    assert not slow


def test_the_reader_takes_time_in_proportion_for_every_command():
    """With what it does around the patterns: blanks, comments, several settings in a line."""
    slow = []
    for command in {command.pattern: command for command in TABLE}.values():
        for name in command.names[:1]:
            for sign in (" ", ",", "x,", "-", "<", "a ", "&", "//", " //"):
                lines = [Line("SIGNON Fheron x")]
                if grows_too_fast(partial(_read_below, lines), f"{name} x", sign):
                    slow.append((name, sign))
    assert not slow


@pytest.mark.parametrize("room", ROOMS)
def test_the_patterns_that_read_letters_take_time_in_proportion(room: str):
    slow = [
        (use.module, use.line, use.functions, *pump)
        for use in uses_by_room()[room]
        if use.module != SINGLE_BLANKS
        for work in _works(use)
        for pump in pumps(use.pattern)
        if grows_too_fast(work, *pump)
    ]
    assert not slow


@cache
def _a_second() -> float:
    """About a second of a quiet machine: what such work as reading takes here."""
    began = time.process_time()
    for number in range(60_000):
        " ".join(f"A PAR - BUR {number}".upper().replace(".", "").split())
    return 20 * (time.process_time() - began)


@pytest.mark.parametrize("what", MASS)
def test_four_times_the_letter_takes_four_times_the_time(desk: DeskAtWork, what: str):
    """A letter of an eighth of a megabyte, and of a half; what both cost whatever they say is no excuse."""
    desk.seat_seven()
    first, again, last = MASS[what]
    sender = KIM if first.startswith(MASTER) else FRANCE

    def seconds(size: int) -> float:
        text = first + "".join(again.replace("{n}", str(number)) for number in range(size // len(again))) + last
        began = time.process_time()
        desk.writes(sender, text)
        return time.process_time() - began

    # On a busy machine a time can be wrong, but hardly three times.
    assert any((whole := seconds(500_000)) < 6 * seconds(125_000) and whole < 2 * _a_second() for _ in range(3))


@pytest.mark.parametrize("body", ["<div " + "class=" * 40_000 + "xignature>", "e" + "\u0301\u0323" * 62_500,
                                  "&#" + "1" * 225_000 + ";", "From: x Sent: " * 15_000, "> " * 100_000,
                                  "<tr><td><p>a</p>" * 15_000, "\njoin a b" * 25_000, "&nbsp;" * 37_500])
def test_a_hostile_body_is_read_and_masked_in_time(body: str):
    """A quarter of a megabyte: a whole one takes sixteen times as long at most, if its time grows with the square."""
    raw = b"From: jo@example.net\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body.encode()
    began = time.process_time()
    assert read_letter(raw).sender == "jo@example.net"
    as_kept(raw)
    fingerprint(raw)
    assert time.process_time() - began < 2 * _a_second()


@pytest.mark.parametrize("kind", ["text/html", "text/plain; format=flowed"])
def test_a_letter_of_many_alternatives_is_read_in_time(kind: str):
    part = f"--b\r\nContent-Type: {kind}\r\n\r\n{'<b> ' * 800}\r\n"
    raw = f"From: jo@example.net\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n{part * 100}--b--\r\n"
    began = time.process_time()
    assert read_letter(raw.encode()).sender == "jo@example.net"
    as_kept(raw.encode())
    assert time.process_time() - began < 0.9


def seconds_to_read(raw: bytes) -> float:
    """Of the processor."""
    began = time.process_time()
    read(raw)
    return time.process_time() - began


@pytest.mark.parametrize("make", STRUCTURES.values(), ids=STRUCTURES)
def test_four_times_the_structure_takes_four_times_the_time(make: Make):
    """A time can be wrong, since others use the processor too, but hardly three times. The long letter is the first:
    what a first time costs is not taken for the time of the short one.
    """
    long, short = make(4 * SIZE), make(SIZE)
    assert any((whole := seconds_to_read(long)) < NOISE or whole < RATIO * seconds_to_read(short) for _ in range(3))
