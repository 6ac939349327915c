"""Whatever is written to the judge, the time that reading takes grows with its size and no faster."""

import re
from collections import defaultdict
from collections.abc import Callable
from cProfile import Profile
from functools import cache
from itertools import count
from typing import Any

import pytest

from judge.commands.command_table import COMMANDS, READER, SLIPS
from judge.commands.core.blocks import MOST_COMMANDS, read_blocks
from judge.commands.core.command import Place
from judge.commands.core.redaction import _whole_words
from judge.games.core.settings import FLAGS
from judge.letters import Line
from judge.store.retention import pattern_of
from tests.beginnings import once
from tests.commands.deskatwork import DeskAtWork
from tests.linear_form import slow_text
from tests.patterns_in_use import Use, strange_imports, unknown, uses
from tests.texts import table

pytestmark = pytest.mark.slow

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
KIM = "kim@example.org"
MASTER = "SIGNON Mheron gm\n"
TABLE = (*COMMANDS, *SLIPS)
EVERYWHERE = tuple(Place)
# What the functions that make patterns make them of: flags of the table, names and addresses, which are escaped.
_OF_A_PERSON = [pattern_of(["jo@example.org", "jo.roe@example.net"], "Jo Roe").pattern]
MADE_LATER = {
    "judge.commands.ask.help._tell_where_ruled": [rf"\b{re.escape('suez canal')}"],
    "judge.commands.core.redaction._whole_words": [
        _whole_words(["hush", "*hush*", "kelp-otter-7", "a b", "a"]).pattern
    ],
    "judge.store.rows.mask": [re.escape("kelp-otter-7")],
    "judge.commands.master.game_settings.set_flag": [flag.pattern for flags in FLAGS.values() for flag in flags],
    "judge.games.core.who_is_meant._replaced": [rf"(?<!\w){re.escape('Poland & Saxony')}(?!\w)"],
    "judge.store.retention.pattern_of": _OF_A_PERSON,
    "judge.store.retention.mask_everywhere": _OF_A_PERSON,
}
# It reads the usages of commands, which are ours.
OF_USAGES = "judge.commands.core.usage"
# A line is matched with single blanks, as the reader gives it.
SINGLE_BLANKS = "judge.commands.core.reading"
PATTERNS_AT_LEAST = 330
ROOMS = (
    "addresses", "commands", "foreign_maps", "games", "letters", "mails", "maps", "rules", "service", "settings",
    "shell", "store",
)  # fmt: skip


@cache
def uses_by_room() -> dict[str, list[Use]]:
    """The uses of patterns by room."""
    rooms = defaultdict(list)
    for use in once("uses of patterns", uses):
        rooms[use.module.split(".")[1]].append(use)
    return rooms


def _as_used(use: Use) -> re.Pattern[Any]:
    if use.module != SINGLE_BLANKS or not use.pattern.flags & re.ASCII:
        return use.pattern
    blanks = str(use.pattern.pattern).replace(r"\s+", " ").replace(r"\s*", " ?")
    # A line has no line end in it, so that "." is every character.
    return re.compile(blanks, use.pattern.flags | re.DOTALL)


def test_every_pattern_is_known():
    """The room of a new one is told here; one that is made of something new must say of what."""
    assert unknown() == set(MADE_LATER)
    assert not strange_imports()
    assert set(uses_by_room()) <= set(ROOMS)
    assert sum(map(len, uses_by_room().values())) >= PATTERNS_AT_LEAST


@pytest.mark.parametrize("room", ROOMS)
def test_no_pattern_can_take_longer_by_its_form(room: str):
    found = [
        (use.module, use.line, function, text, use.pattern.pattern)
        for use in uses_by_room()[room]
        if use.module != OF_USAGES
        for function in use.functions
        if (text := slow_text(_as_used(use), function)) is not None
    ]
    assert not found


def test_no_pattern_made_later_can_take_longer_by_its_form():
    assert not [text for texts in MADE_LATER.values() for text in texts if slow_text(re.compile(text), "search")]


@pytest.mark.parametrize(
    ("pattern", "function"),
    table(r"""
        (a|a)*b                => match
        (a*)*b                 => match
        (?:ab|a|b)*c           => match
        a*a*b                  => match
        a*b                    => search
        \s+$                   => sub
        x*\w*y                 => match
        (?:(?=.*x)a)*b         => match
        a*+a                   => search
        (?i:a)*A*c             => match
        b(?:b*c)?              => sub
        \(((?:[^()\\]|\\.)*)\) => sub
        TO\s+(?P<to>\S.*?)\s*: => fullmatch
        (?m)^\s+x              => search
        signon[?\w]+ x         => search
        [^\s]+(?:&n;)+z        => match
        \b\w+\b.*=             => search"""),
)
def test_a_form_that_is_too_slow_is_found(pattern: str, function: str):
    assert slow_text(re.compile(pattern), function)


@pytest.mark.parametrize(
    ("pattern", "function"),
    table(r"""
        a*b                    => match
        a*                     => search
        :\s*$                  => search
        (?:a|b)*c              => match
        x*+\w*y                => match
        (?-i:a)*A*c            => match
        (?<!\w)\w+\s*=         => search
        \b\w+=                 => search
        (?m)^[a-z]+:           => search
        (?:(?!&n;)\S)+(?:&n;)+ => match
        (?:\w\0){12,}          => sub
        [ ]*(?=\S)[ x]*y       => match
        a*(?s:.*)              => fullmatch"""),
)
def test_a_form_that_is_linear_is_left_alone(pattern: str, function: str):
    assert slow_text(re.compile(pattern), function) is None


@pytest.mark.parametrize("pattern", ["(?:ab)*+c", "(?>ab|a)c", r"(a)\1"])
def test_what_older_engines_take_wrong_is_refused(pattern: str):
    with pytest.raises(ValueError, match="cannot be judged|taken wrong"):
        slow_text(re.compile(pattern + "x*"), "match")


def test_a_hostile_line_is_answered_like_any_other(heron: DeskAtWork):
    for line in (
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
    ):
        reply = heron.would_reply(FRANCE, f"{SIGNON}F BRE - MAO\n{line}\n")
        assert "Fleet Brest -> Mid-Atlantic Ocean." in reply.text and len(reply.text) < 20_000, line[:20]


@pytest.mark.parametrize("repeated", ["A PAR - BUR,x,x\n", "A QQQ - RRR, A PAX H\n", "SET a,a,a,a\n", "PRESS TO x,\n"])
def test_a_letter_of_many_lines_gets_a_short_answer(heron: DeskAtWork, repeated: str):
    reply = heron.replies(FRANCE, SIGNON + repeated * (200_000 // len(repeated)))
    assert len(reply.text) < 101_000


# What comes first, what is written again and again, what comes last; {n} is another number each time.
MASS = {
    "press": (f"{SIGNON}PRESS TO G\n", "We could meet in Burgundy, if you like.\n", "ENDPRESS\n"),
    "press without an end": (f"{SIGNON}PRESS TO G\n", "We could meet in Burgundy, if you like.\n", ""),
    "many messages": (SIGNON, "PRESS TO G\nx\nENDPRESS\n", ""),
    "readers": (f"{SIGNON}PRESS TO ", "Germany, ", "\nx\nENDPRESS\n"),
    "readers that are none": (f"{SIGNON}PRESS TO ", "x{n}, ", "\nx\nENDPRESS\n"),
    "sign-ons in press": (f"{SIGNON}PRESS TO G\n", "*SIGNON* Fheron x A PAR H\n", ""),
    "orders": (SIGNON, "A PAR - BUR\n", ""),
    "orders on one line": (SIGNON, "A PAR - BUR, ", ""),
    "wrong orders": (SIGNON, "A Q{n} - BUR\n", ""),
    "orders of a master": (MASTER, "France: A PAR - BUR\n", ""),
    "orders for later": (SIGNON, "PHASE F190{n}M\nA PAR H\n", ""),
    "conditions": (SIGNON, "IF A PAR - BUR\nA MAR H\n", ""),
    "bids": (SIGNON, "DP {n}: A PAR - BUR\n", ""),
    "bids on one line": (f"{SIGNON}DP ", "1: A PAR - BUR, ", ""),
    "commands": (SIGNON, "STATUS\n", ""),
    "commands of strangers": ("", "LIST x{n}\n", ""),
    "no commands": (SIGNON, "FROBNICATE x{n} y\n", ""),
    "preferences": (SIGNON, "SET PREFERENCE England 1\n", ""),
    "preferences on one line": (f"{SIGNON}SET PREFERENCE ", "E {n}, ", ""),
    "groups": (MASTER, "SET GROUP a b\n", ""),
    "groups on one line": (f"{MASTER}SET GROUP ", "a{n}, ", ""),
    "votes": (SIGNON, "SET DRAW France, Italy\n", ""),
    "votes on one line": (f"{SIGNON}SET DRAW ", "France, ", ""),
    "questions": (SIGNON, "INFO variant{n}\n", ""),
    "maps": (SIGNON, "MAP\n", ""),
    "predictions": (MASTER, "PREDICT\n", ""),
    "sign-ons": ("", SIGNON, ""),
    "wrong sign-ons": ("", "SIGNON Fheron no{n}\n", ""),
    "sign-ons in another order": ("", "sign on to heron F hush{n} please\n", ""),
    "games": ("", "CREATE ?g{n} pw\n", ""),
    "lines of a form": ("REGISTER\n", "Name: x{n}\n", "END\n"),
}


def calls(work: Callable[[], object]) -> int:
    """How many functions the work calls: what it does, whatever else the machine does meanwhile."""
    profile = Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("what", MASS)
def test_four_times_the_letter_takes_four_times_the_work(heron: DeskAtWork, what: str):
    """What both cost whatever they say is no excuse."""
    first, again, last = MASS[what]
    sender = KIM if first.startswith(MASTER) else FRANCE

    def write(size: int) -> None:
        # Other lines than before, since what was read once may still be known.
        text = first + "".join(again.replace("{n}", str(next(numbers))) for _ in range(size // len(again))) + last
        heron.writes(sender, text)

    numbers = count(10_000)
    # A line that is too long is cut into its orders, each of which is read by itself: both of these are.
    size = 3_000 if what == "orders on one line" else 1_500
    write(size)  # what is made once, and what an hour allows
    assert calls(lambda: write(4 * size)) < 5 * calls(lambda: write(size))


def test_a_command_behind_the_last_that_is_read_costs_nothing():
    lines = [Line("SIGNON Fheron x"), *[Line("PRESS TO T"), Line("x"), Line("ENDPRESS")] * 500]
    (_, block) = read_blocks(READER, lines)
    assert block.is_cut and len(block.items) == MOST_COMMANDS - 1


def test_a_long_line_of_orders_is_read_and_a_long_line_of_prose_is_not(heron: DeskAtWork):
    orders = "; ".join(["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"] * 60)
    assert len(orders) > 2000
    assert heron.replies(FRANCE, SIGNON + orders).first_line == "Orders complete."
    prose = "I would say, A PAR - PIC, and so on; " * 60
    text = heron.replies(FRANCE, SIGNON + prose).text
    assert "too long, so it was ignored" in " ".join(text.split()) and "Picardy" not in text
