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
        SET EXTENSIONS 0    => already set; nothing changed.
        SET EXTENSIONS 20   => at most 20 times per late player
        SET EXTENSIONS 21   => A player can have from 0 to 20 extensions.
        SET RELIABILITY 100% => at least 100% reliable
        SET RELIABILITY 101 => Players are from 0% to 100% reliable.
        SET MAXABSENCE 0    => An absence can last up to 0 days.
        SET MAXABSENCE 31   => An absence can last up to 31 days.
        SET MAXABSENCE -1   => An absence can last up to 31 days, not -1.
        SET CENTERS 34      => 34 centers win (was 18).
        SET CENTERS 35      => the number to win can be from 1 to 34, not 35.
        SET CENTERS 18      => already set; nothing changed.
        SET CENTERS 4       => Russia has 4 centers already"""),
)
def test_a_number_has_limits(heron: DeskAtWork, line: str, told: str) -> None:
    assert told in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").flat
