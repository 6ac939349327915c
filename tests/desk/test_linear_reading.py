"""Whatever is written to the judge, the time that reading takes grows with its size and no faster."""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import judge
from judge.desk.command_table import COMMANDS, SLIPS
from judge.desk.core.command import Place
from judge.desk.core.reading import MOST_COMMANDS, Reader, _compile, one_line
from judge.letters import Line
from tests.desk.deskatwork import DeskAtWork
from tests.letters.pumps import grows_too_fast, pumps
from tests.letters.reading import fingerprint, mask_passwords, read_letter

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
TABLE = (*COMMANDS, *SLIPS)
READER = Reader(TABLE)
EVERYWHERE = tuple(Place)
# So many patterns are found in each room at least.
ROOMS = {"judge.letters": 35, "judge.desk": 10, "judge.games": 12, "judge.rules": 15, "judge.mails": 5}
FUNCTIONS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
# What their callers show to them: no more characters than these.
SHOWN = {
    ("judge.letters.password_lines", "_LINE_BEGINS"): 40,
    ("judge.letters.quote_headings", "_WROTE"): 420,
    # In a text of single blanks.
    ("judge.games.interventions.position_lines", "_DISLODGED"): 2000,
}


def _patterns(room: str) -> Iterator[tuple[str, str, re.Pattern[Any], str]]:
    """(module, name or line, pattern, the function it is used with) of every pattern of the rooms that read letters."""
    for found in pkgutil.walk_packages(judge.__path__, "judge."):
        if not found.name.startswith(room):
            continue
        module = importlib.import_module(found.name)
        loader = found.module_finder.find_spec(found.name).loader  # type: ignore[union-attr, call-arg]
        source = loader.get_source(found.name) or ""  # type: ignore[union-attr]
        used: dict[str, str] = {}
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in FUNCTIONS:
                owner = node.func.value
                if isinstance(owner, ast.Name) and owner.id == "re" and isinstance(node.args[0], ast.Constant):
                    ignored = re.IGNORECASE if "IGNORECASE" in ast.unparse(node) else 0
                    yield found.name, f"line {node.lineno}", re.compile(node.args[0].value, ignored), node.func.attr
                while isinstance(owner, ast.Subscript):
                    owner = owner.value
                if isinstance(owner, ast.Name):
                    used[owner.id] = node.func.attr
        for name, value in vars(module).items():
            several = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else [value]
            for pattern in several:
                if isinstance(pattern, re.Pattern):
                    yield found.name, name, pattern, used.get(name, "sub" if "password" in found.name else "match")


def _match(pattern: re.Pattern[str], text: str) -> object:
    return pattern.fullmatch(one_line(text))


def _read_below(lines: list[Line], text: str) -> object:
    return READER.blocks([*lines, Line(text)])


def _work(pattern: re.Pattern[Any], function: str, most: int) -> Callable[[str], object]:
    def work(text: str) -> object:
        shown = text[:most].encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text[:most]
        if function in ("match", "fullmatch"):
            return getattr(pattern, function)(shown)
        return sum(1 for _ in pattern.finditer(shown))

    return work


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


@pytest.mark.parametrize(("room", "least"), ROOMS.items())
def test_the_patterns_that_read_letters_take_time_in_proportion(room: str, least: int):
    slow, seen = [], 0
    for module, name, pattern, function in _patterns(room):
        seen += 1
        work = _work(pattern, function, SHOWN.get((module, name), 1_000_000))
        slow += [(module, name, function, *pump) for pump in pumps(pattern) if grows_too_fast(work, *pump)]
    assert seen >= least
    assert not slow


def test_a_pump_finds_what_is_too_slow():
    pattern = re.compile(r"TO\s+(?P<to>\S.*?)\s*:")
    assert any(grows_too_fast(pattern.fullmatch, *pump) for pump in pumps(pattern))


@pytest.mark.parametrize(
    "line",
    [
        f"PRESS TO x{' ' * 9900}x",
        f"PRESS TO ALL BUT x{' ' * 9900}x",
        f"PREFERENCE x{' ' * 9900}1",
        f"SET PREF x{' ' * 9900}1",
        f"SET GROUP x{' ' * 9900}x",
        "SET a" + "," * 9900,
        "A PAR - BUR" + ",x" * 4900,
        "A PAR - BUR VIA NTH" + ",x" * 4900,
        "A PAR " + "-" * 9900,
        "A PAR " + "=" * 9900,
        "SET DRAW" + " x," * 3000,
    ],
    ids=lambda line: line[:20],
)
def test_a_hostile_line_costs_no_more_than_a_long_one(desk: DeskAtWork, line: str):
    desk.seat_seven()
    desk.new_mails()
    began = time.process_time()
    reply = desk.replies(FRANCE, f"{SIGNON}F BRE - MAO\n{line}\n")
    assert time.process_time() - began < 5
    assert "Fleet Brest -> Mid-Atlantic Ocean." in reply.text and len(reply.text) < 20_000


@pytest.mark.parametrize("repeated", ["A PAR - BUR,x,x\n", "A QQQ - RRR, A PAX H\n", "SET a,a,a,a\n", "PRESS TO x,\n"])
def test_a_letter_of_a_megabyte_is_read_in_time(desk: DeskAtWork, repeated: str):
    desk.seat_seven()
    desk.new_mails()
    began = time.process_time()
    reply = desk.replies(FRANCE, SIGNON + repeated * (1_000_000 // len(repeated)))
    assert time.process_time() - began < 20
    assert len(reply.text) < 101_000


@pytest.mark.parametrize("line", [f"SET {',' * 96}", f"SET {'x y,' * 40}", f"SET {'a,' * 48}"])
def test_settings_are_looked_for_in_no_more_lines_than_a_letter_has_commands(desk: DeskAtWork, line: str):
    desk.seat_seven()
    desk.new_mails()
    desk.replies(FRANCE, SIGNON)
    began = time.process_time()
    desk.replies(FRANCE, SIGNON + f"{line}\n" * (500_000 // len(line)))
    assert time.process_time() - began < 1.5


def test_a_command_behind_the_last_that_is_read_costs_nothing():
    lines = [Line("SIGNON Fheron x"), *[Line("PRESS TO T"), Line("x"), Line("ENDPRESS")] * 500]
    (_, block) = READER.blocks(lines)
    assert len(block.items) == MOST_COMMANDS


@pytest.mark.parametrize("body", ["<div " + "class=" * 160_000 + "xignature>", "e" + "\u0301\u0323" * 250_000,
                                  "&#" + "1" * 900_000 + ";", "From: x Sent: " * 60_000, "> " * 400_000,
                                  "<tr><td><p>a</p>" * 60_000, "\njoin a b" * 100_000, "&nbsp;" * 150_000])
def test_a_hostile_body_is_read_and_masked_in_time(body: str):
    raw = b"From: jo@example.net\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body.encode()
    began = time.process_time()
    assert read_letter(raw).sender == "jo@example.net"
    mask_passwords(raw)
    fingerprint(raw)
    assert time.process_time() - began < 15


@pytest.mark.parametrize("kind", ["text/html", "text/plain; format=flowed"])
def test_a_letter_of_many_alternatives_is_read_in_time(kind: str):
    part = f"--b\r\nContent-Type: {kind}\r\n\r\n{'<b> ' * 800}\r\n"
    raw = f"From: jo@example.net\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n{part * 300}--b--\r\n"
    began = time.process_time()
    assert read_letter(raw.encode()).sender == "jo@example.net"
    mask_passwords(raw.encode())
    assert time.process_time() - began < 8


def test_a_long_line_of_orders_is_read_and_a_long_line_of_prose_is_not(desk: DeskAtWork):
    desk.seat_seven()
    desk.new_mails()
    orders = "; ".join(["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"] * 60)
    assert len(orders) > 2000
    assert desk.replies(FRANCE, SIGNON + orders).first_line == "Orders complete."
    prose = "I would say, A PAR - PIC, and so on; " * 60
    text = desk.replies(FRANCE, SIGNON + prose).text
    assert "too long to be read, so it was ignored" in " ".join(text.split()) and "Picardy" not in text
