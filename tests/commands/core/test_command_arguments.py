"""Every handler has a named argument for each word that its command's pattern names, and no line is two commands."""

import re
from inspect import Parameter, signature

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import DataObject, data, from_regex

from judge.commands.command_table import COMMANDS, READER, SLIPS
from judge.commands.core.command import Command, Pattern, Place, Slip
from judge.commands.core.reading import Reader, one_line
from judge.rules.parsing.decoration import LONGEST_LINE
from tests.texts import table

EVERYWHERE = tuple(Place)
TURNED = Reader(reversed((*COMMANDS, *SLIPS)))
ALONE = {command: Reader((command,)) for command in COMMANDS}
FIRST_WORDS = {(name.split()[0], command) for command in COMMANDS for name in command.names}
# Those that begin with a word with which another begins, too.
RIVALS = [
    command for command in COMMANDS
    if any(other is not command and (mine.startswith(word) or word.startswith(mine))
           for word, other in FIRST_WORDS for mine in (name.split()[0] for name in command.names))
]  # fmt: skip


@pytest.mark.parametrize("command", (*COMMANDS, *SLIPS), ids=lambda command: f"{command.names[0]} {command.pattern}")
def test_a_handler_has_a_named_argument_for_each_word(command: Pattern):
    words = re.compile(command.pattern).groupindex.keys()
    if not command.handler:
        assert isinstance(command, Command) and (command.is_order or command.place is Place.END)
        return
    parameters = list(signature(command.handler).parameters.values())[1:]
    kinds = {parameter.name: parameter.annotation for parameter in parameters}
    assert {one.name for one in parameters if one.default is Parameter.empty} <= words <= kinds.keys()
    assert {kinds[word] for word in words} <= {str, str | None}


def fits(command: Command, line: str) -> int:
    """How many words the name has with which the line is this command; 0 where it is none."""
    names = [
        name for name in command.names
        if re.match("\\s+".join(map(re.escape, name.split())) + r"(?![^\W\d_])", line, re.IGNORECASE)
    ]  # fmt: skip
    if not (names and ALONE[command].command(line, EVERYWHERE)):
        return 0
    return max(len(name.split()) for name in names)


def commands_of(line: str) -> list[Command]:
    """Those that the line is, by the longest name of any."""
    near = [command for first, command in FIRST_WORDS if line.upper().startswith(first)]
    by_length = {command: fits(command, line) for command in near}
    longest = max(by_length.values())
    return [command for command, length in by_length.items() if length == longest and length]


@pytest.mark.slow
@pytest.mark.parametrize("command", RIVALS, ids=lambda command: f"{command.names[0]} {command.arguments}")
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(data())
def test_no_line_is_two_commands(command: Command, data: DataObject):
    name = data.draw(from_regex("|".join(map(re.escape, command.names)), fullmatch=True))
    pattern = re.compile(command.pattern, re.IGNORECASE | re.ASCII)
    line = one_line(f"{name}{data.draw(from_regex(pattern, fullmatch=True))}")
    if len(line) > LONGEST_LINE or not ALONE[command].command(line, EVERYWHERE):
        return
    found = commands_of(line)
    assert len(found) == 1, line
    call = READER.command(line, EVERYWHERE)
    assert call
    assert call.command == found[0] or isinstance(call.command, Slip)


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        *table("""
            BECOME MASTER                => BECOME MASTER  =>
            BECOME France                => BECOME         => <power>
            SET GRACE 24                 => SET GRACE      => <hours>
            SET GRACE 1.5d;              => SET GRACE      => <hours>
            SET GRACE 2026-05-14         => SET GRACE      => <date>
            SET GRACE Fri 21:00          => SET GRACE      => <date>
            SET GRACE 14.05.2026         => SET GRACE      => <date>
            SET GRACE friday             => SET GRACE      => <date>
            INFO PLAYER fay@example.org  => INFO PLAYER    => [<address>]
            INFO Paris                   => INFO           => <province> [<game or variant>]
            SET NO COMMENT               => SET NO COMMENT =>
            PRESS TO ALL                 => BROADCAST      => [WHITE|GREY]
            PRESS TO ALL BUT F           => PRESS          => [WHITE|GREY] TO [ALL BUT] <powers>
            SET APPROVE FE               => SET APPROVE    => <requested powers>
            SET APPROVE ABCDEFABCDEF     => APPROVE        => <code>
            SET NOT APPROVE ABCDEFabcdef => REFUSE         => <code>
            VOTE EXTEND 2 days           => EXTEND         => <length>
            VOTE PAUSE                   => PAUSE          =>
            VOTE RESUME                  => RESUME         => [<date>]
            SET CD                       => SET NMR        =>
            SET CD France                => SET DISORDER   => <power>"""),
        ("SEND ME", "GET", COMMANDS[[command.names[0] for command in COMMANDS].index("GET")].arguments),
    ],
)
def test_lines_that_begin_alike(line: str, name: str, arguments: str):
    for reader in (READER, TURNED):
        call = reader.command(line, EVERYWHERE)
        assert call and isinstance(call.command, Command)
        assert (call.command.names[0], call.command.arguments) == (name, arguments)
