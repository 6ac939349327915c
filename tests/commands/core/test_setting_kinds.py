"""Settings whose commands are made from the registry: the kinds of their values, and their limits."""

import pytest

from judge.commands.command_table import COMMANDS
from judge.games.core.settings import SAID
from tests.commands.deskatwork import DeskAtWork
from tests.texts import table


def test_each_form_is_one_command() -> None:
    forms = [f"SET {form.names.split(', ')[0]} {form.arguments}" for said in SAID.values() for form in said.forms]
    written = [f"{command.word} {command.arguments}" for command in COMMANDS]
    assert [written.count(form) for form in forms] == [1] * len(forms)


@pytest.mark.parametrize(
    ("line", "told"),
    table("""
        SET EXTENSIONS 0    => already set, so nothing changed.
        SET EXTENSIONS 20   => at most 20 times for each late player
        SET EXTENSIONS 21   => A player can have from 0 to 20 extensions.
        SET RELIABILITY 100% => at least 100% reliable
        SET RELIABILITY 101 => Players are from 0% to 100% reliable.
        SET MAXABSENCE 0    => An absence can last up to 0 days.
        SET MAXABSENCE 31   => An absence can last up to 31 days.
        SET MAXABSENCE -1   => An absence can last up to 31 days, not -1.
        SET CENTERS 34      => 34 centers win (was 18).
        SET CENTERS 35      => the number to win can be from 1 to 34, not 35.
        SET CENTERS 18      => already set, so nothing changed.
        SET CENTERS 4       => Russia has 4 centers already"""),
)
def test_a_number_has_limits(heron: DeskAtWork, line: str, told: str) -> None:
    assert told in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").flat


KIM = "kim@example.org"
# Each setting, and the ways to take it back. A game that forms has all of these, one that is played those without *.
BACK = """
SET STRICT PASSWORDS | SET NO STRICT PASSWORDS; SET STRICT PASSWORDS OFF
SET NOLIST | SET LIST; SET PUBLIC; SET UNLISTED OFF; SET LIST ON
SET APPROVAL | SET NO APPROVAL; SET APPROVAL OFF
SET MANUALSTART | SET AUTOSTART; SET NO MANUALSTART
* SET GUNBOAT | SET NO GUNBOAT; SET NOT VARIANT GUNBOAT; SET GUNBOAT OFF
* SET NOREVEAL | SET REVEAL
SET QUIET | SET NOQUIET; SET NO QUIET; SET QUIET OFF
SET NODIAS | SET DIAS
SET NO CONCESSIONS | SET CONCESSIONS; SET CONCESSIONS ON
SET UNMODERATED | SET MODERATED; SET NO UNMODERATED
SET LATECOUNT | SET NO LATECOUNT
* SET ANYCENTERS | SET HOMECENTERS; SET NO ANYCENTERS
* SET ONECENTER | SET HOMECENTERS; SET NO ONECENTER
SET MANUALPROCESS | SET AUTOPROCESS; SET NO MANUALPROCESS
SET STRICTWAIT | SET NO STRICTWAIT
SET NO OBSERVER PRESS | SET OBSERVER PRESS; SET OBSERVER PRESS ANY
SET OBSERVER PRESS WHITE | SET OBSERVER PRESS
SET NO LATE PRESS | SET LATE PRESS
SET NO GRACE PRESS | SET GRACE PRESS; SET GRACEPRESS
SET GREY | SET WHITE; SET PRESS WHITE
SET WHITE/GREY | SET WHITE
SET NO PRESS | SET WHITE
SET NO PARTIAL | SET PARTIAL
SET PRESS RULEBOOK | SET NO PRESS RULEBOOK; SET NO RULEBOOK; SET PRESS RULEBOOK OFF
* SET START 2026-06-20 21:00 | SET NO START; SET START NONE; SET START OFF
SET CENTERS 17 | SET CENTERS 18; SET NO CENTERS; SET CENTRES NONE; SET CENTERS OFF; SET CENTERS DEFAULT
SET COMMENT Friendly | SET NO COMMENT; SET COMMENT; SET COMMENT NONE
SET COMMENT BEGIN/Friendly/END | SET NO COMMENT
* SET YEAR CAP 1910 | SET NO YEAR CAP; SET YEARCAP OFF; SET YEAR CAP DEFAULT
SET MOVE NEXT 48 | SET MOVE NEXT 71; SET MOVE NEXT DEFAULT; SET MOVE DEFAULT
SET MOVE CLOCK 21:00 | SET MOVE CLOCK 23:30; SET MOVE CLOCK DEFAULT
SET RETREAT CLOCK 21:00 | SET RETREAT CLOCK NONE; SET RETREAT CLOCK OFF; SET RETREAT DEFAULT
SET MOVE DAYS SMTWTFS | SET MOVE DAYS -MTWTF-; SET MOVE DAYS DEFAULT
SET MOVE GRACE 24 | SET MOVE GRACE 0; SET MOVE GRACE OFF; SET MOVE GRACE NONE; SET MOVE GRACE DEFAULT
SET MOVE MIN 24 | SET MOVE MIN 0; SET MOVE MIN NONE
SET BUILD DELAY 2 | SET ADJUST DELAY DEFAULT; SET BUILD DEFAULT
SET GAME ZONE Europe/Berlin | SET GAME ZONE UTC
SET GRACE 24 | SET GRACE 0; SET NO GRACE; SET GRACE NONE; SET GRACE OFF
SET NONMR | SET NMR; SET CD; SET NMR ON
SET STRICTGRACE | SET NO STRICTGRACE; SET STRICT GRACE OFF
SET NO REMIND | SET REMIND 24 4; SET WARN 24, 4; SET REMIND DEFAULT
SET REMIND 12 | SET REMIND 24 4; SET REMIND DEFAULT
SET MAXABSENCE 10 | SET MAXABSENCE 15; SET MAX ABSENCE DEFAULT
SET EXTENSIONS 2 | SET EXTENSIONS 0; SET NO EXTENSIONS; SET EXTENSION NONE; SET EXTENSIONS DEFAULT
SET RELIABILITY 80 | SET RELIABILITY 0%; SET NO RELIABILITY; SET RELIABILITY DEFAULT
DENY jo@example.org | ALLOW jo@example.org; SET NO DENY jo@example.org
""".strip().splitlines()
ON_OTHER_BOARDS = [
    (
        "intercontinental",
        "SET CANAL Suez 1880 | SET NO CANAL Suez; SET CANAL OFF; SET SUEZ DEFAULT; SET SUEZ 1870",
    ),
    ("intercontinental", "SET GROUP Iran Teal | SET GROUP Iran RANDOM"),
    ("1900", "SET READING convoys | SET NO READING convoys; SET READING DEFAULT"),
    ("1648", "SET REVEAL BIDS | SET NO REVEAL BIDS; SET REVEAL BIDS OFF"),
]


def kept(desk: DeskAtWork) -> tuple[object, ...]:
    """All that the game's row keeps of settings, but not the moment of QUIET."""
    game = desk.game()
    return {**game.settings, "quiet_since": bool(game.settings["quiet_since"])}, game.comment, game.zone


def became(desk: DeskAtWork, line: str) -> tuple[tuple[object, ...], list[str]]:
    """What is kept of the settings after the line, and what a player is told of it."""
    mails = desk.writes(KIM, f"SIGNON Mheron gm\n{line}")
    return kept(desk), [mail.flat for mail in mails if "Parameter" in mail.subject and mail.to[:6] == "france"]


def wrongly_taken_back(desk: DeskAtWork, rows: list[str]) -> list[str]:
    """What of these settings does not set, take back, and set again: each time it is taken back in the next way."""
    wrong = []
    for row in rows:
        line, ways = row.removeprefix("* ").split(" | ")
        text, before = line.replace("/", "\n") if "BEGIN" in line else line, kept(desk)
        backs = ways.split("; ")
        times = [(became(desk, text), became(desk, way)) for way in (backs * 2)[: max(2, len(backs))]]
        (state, told), (after, told_back) = times[0]
        is_so = times == times[:1] * len(times) and after == before != state and (not told or told != told_back)
        wrong += [] if is_so else [row]
    return wrong


def test_each_setting_is_set_and_taken_back_in_each_way_while_a_game_forms(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    assert wrongly_taken_back(desk, BACK) == []


@pytest.mark.parametrize(("board", "row"), ON_OTHER_BOARDS)
def test_so_are_the_settings_of_other_boards(desk: DeskAtWork, board: str, row: str) -> None:
    desk.writes(KIM, f"REGISTER\nName: Kim\nEND\nCREATE ?heron gm {board}")
    assert wrongly_taken_back(desk, [row]) == []


@pytest.mark.parametrize(("line", "ways"), [
    ("SET START 2026-05-08 21:00", "SET NO START; SET START OFF; SET START NONE"),
    ("SET DEADLINE 2026-05-20 21:00", "SET DEADLINE 2026-05-11 23:30"),
    ("SET GRACE 2026-05-20 21:00", "SET GRACE 2026-05-13 23:30"),
    ("SET DISORDER Turkey", "SET NO DISORDER Turkey; REVIVE T"), ("PAUSE", "RESUME"),
])  # fmt: skip
def test_so_are_the_terms_of_the_open_phase(heron: DeskAtWork, line: str, ways: str) -> None:
    heron.writes(KIM, "SIGNON Mheron gm\nSET GRACE 48\nSET GRACE 2026-05-13 23:30\nEJECT Turkey")

    def state() -> tuple[object, ...]:
        phase, game = heron.phase(), heron.game()
        return phase.earliest_at, phase.deadline_at, phase.grace_ends_at, phase.due_at, game.state, game.settings

    for way in ways.split("; "):
        before, states = state(), []
        for text in (line, way, line, way):
            heron.writes(KIM, f"SIGNON Mheron gm\n{text}")
            states.append(state())
        assert states == [states[0], before] * 2 and states[0] != before, way


def test_each_setting_is_set_and_taken_back_in_each_way_in_a_game_that_is_played(heron: DeskAtWork) -> None:
    assert wrongly_taken_back(heron, [row for row in BACK if row[0] != "*"]) == []
