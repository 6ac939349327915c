"""A command is written as HELP shows it: its usage says what it matches, and what its handler gets."""

import re

import pytest

from judge.commands.command_table import COMMANDS, READER
from judge.commands.core.command import Body, Place, Slip
from judge.commands.core.reading import Reader
from judge.commands.core.usage import pattern_of, split
from tests.texts import table


@pytest.mark.parametrize(
    ("usage", "written", "read"),
    table("""
        <date>              => Fri 21:00        => date Fri 21:00
        [<game>]            => heron            => game heron
        [<game>]            =>                  => game None
        [ON]                =>                  => on None
        [ON]                => ON               => on ON
        ON | OFF            => off              => how off
        <power> | <address> => jo@example.org   => power None, address jo@example.org
        <power> | <address> => Austria-Hungary  => power Austria-Hungary, address None
        <password>          => hush             => password hush
        [FULL | <game>]     => FULL             => full FULL, game None
        [<game>] [FULL]     => FULL             => game None, full FULL
        ADD|REMOVE ARMY|FLEET <places> => add army a - b => how add, what army, places a - b
        [[TO|WITH] <text>]  => with SET GREY    => how with, text SET GREY
        ?<game to join> [<password>]   => ? heron hush   => game heron, password hush
        <province>[: <coasts>]         => kiel:nc den    => province kiel, coasts nc den
        <date> [TO <later date>]       => 3 May to 5 May => date 3 May, to to, later 5 May
        <text> (then the rest, then END) => [a]        => text [a]"""),
)
def test_usage_is_the_pattern(usage: str, written: str, read: str) -> None:
    found = re.fullmatch(pattern_of(usage), f" {written}".rstrip(), re.IGNORECASE)
    assert found and ", ".join(f"{name} {word}" for name, word in found.groupdict().items()) == read


@pytest.mark.parametrize(
    ("usage", "written"), table("<date> => \n<game> => heron gull\nON | OFF => maybe\n[ON] => OFF")
)
def test_what_is_not_as_the_usage_is_no_command(usage: str, written: str) -> None:
    assert not re.fullmatch(pattern_of(usage), f" {written}".rstrip(), re.IGNORECASE)


def test_a_placeholder_of_no_kind_is_not_taken_for_text() -> None:
    with pytest.raises(KeyError):
        pattern_of("<key> <value>")


@pytest.mark.parametrize(
    ("usage", "name", "arguments"),
    table("""
        SET MAP ON | OFF         => SET MAP       => ON | OFF
        COAST JOIN|SPLIT <place> => COAST         => JOIN|SPLIT <place>
        SIGNON ?<game>           => SIGNON        => ?<game>
        SIGN-OFF                 => SIGN-OFF      =>
        SET NO DRAW              => SET NO DRAW   =>
        PRESS [GREY] TO <powers> => PRESS         => [GREY] TO <powers>
        SET COMMENT BEGIN (text) => SET COMMENT BEGIN => (text)"""),
)
def test_a_usage_begins_with_the_name(usage: str, name: str, arguments: str) -> None:
    assert split(usage) == (name, arguments)


def test_a_handler_gets_what_it_takes() -> None:
    assert re.compile(pattern_of("[FROM] <date> [TO|UNTIL <later date>]", ["later"])).groupindex.keys() == {"later"}


def test_a_slip_is_no_command() -> None:
    assert not issubclass(Slip, type(COMMANDS[0])) and not any(isinstance(one, Slip) for one in COMMANDS)


@pytest.mark.parametrize(
    ("line", "is_one"),
    table("""
        HAIL France => yes
        hail France => no
        Hail France => no
        hail        => yes
        hail.       => yes"""),
)
def test_what_begins_a_sentence_in_small_letters_counts_in_capitals_or_alone(line: str, is_one: str) -> None:
    hail = Slip(names=("HAIL",), place=Place.GAME, pattern=r"(?:\s+\S+)?", capitals=True, body=Body.PRESS)
    assert (Reader((hail,)).command(line, (Place.GAME,)) is not None) == (is_one == "yes")


@pytest.mark.parametrize(
    ("line", "secret"),
    table("""
        SIGNON Fheron hush            => hush
        signon ?heron hush 1900;      => hush
        SIGNON Fheron                 => nothing
        SIGNON France of heron hush   => France of heron hush
        CREATE ?heron hush 1900       => hush
        OBSERVE heron hush.           => hush
        SET PASSWORD hush             => hush
        SET PASSWORD: hush            => hush
        NEW PASSWORD is hush          => hush
        SET PASSWORD two words        => two words
        TAKEOVER Fheron hush          => hush"""),
)
def test_a_line_says_where_its_password_is(line: str, secret: str) -> None:
    call = READER.command(line, tuple(Place))
    assert call and (line[slice(*call.secret)] if call.secret else "nothing") == secret
