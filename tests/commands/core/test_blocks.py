"""A letter's lines cut into blocks: what is a command, what may be an order, what is skipped."""

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core.blocks import Block, read_blocks
from judge.commands.core.command import Call, Place
from judge.commands.core.reading import Reader
from judge.letters import Line

READER = Reader(COMMANDS)


def blocks_of(text: str) -> list[Block]:
    return read_blocks(READER, [Line(line) for line in text.splitlines()])


def call_in(block: Block, number: int = 0) -> Call:
    """The item of that number, which is a command."""
    call = block.items[number].call
    assert call
    return call


def opening(line: str) -> Call:
    """The command of a line that opens a block."""
    call = READER.command(line, (Place.OPENING,))
    assert call
    return call


def shape(text: str) -> list[tuple[str, list[str]]]:
    """(opening, items) of each block that holds anything, in words."""
    blocks = []
    for block in blocks_of(text.strip()):
        items = [f"<{item.call.command.names[0]}>" if item.call else item.text for item in block.items]
        if block.opening or items:
            blocks.append((block.opening.line if block.opening else "", items))
    return blocks


def test_after_signoff_nothing_is_read():
    assert shape("SIGNON Fheron pw\nA PAR - BUR\nSIGNOFF\nLIST\nA MAR H") == [("SIGNON Fheron pw", ["A PAR - BUR"])]


def test_several_sign_ons_make_several_blocks_with_or_without_signoff():
    assert shape("SIGNON Fheron pw\nA PAR H\nSIGNON Tegret pw2\nF ANK H\nSIGNOFF\nsign on Egull pw3") == [
        ("SIGNON Fheron pw", ["A PAR H"]),
        ("SIGNON Tegret pw2", ["F ANK H"]),
        ("sign on Egull pw3", []),
    ]


def test_a_form_without_end_stops_at_the_first_line_that_is_none():
    block = blocks_of("REGISTER\nName: Jo Roe\nSIGNON ?heron pw")
    assert call_in(block[0]).body == ("Name: Jo Roe",)
    assert block[1].opening and block[1].opening.line == "SIGNON ?heron pw"


@pytest.mark.parametrize(
    "prose",
    [
        "List of my orders:",
        "Help me, please",
        "Sign on the dotted line",
        "Register me!",
        "Create a game for me please",
        "Status quo is fine",
        "Process is slow today in here",
    ],
)
def test_prose_that_begins_like_a_command_is_none(prose):
    assert shape(prose) == []


def test_watch_is_a_command_where_no_sign_on_stands_above():
    assert shape("WATCH egret") == [("WATCH egret", [])]
    assert shape("SIGNON Fheron pw\nWatch out\nA PAR H") == [("SIGNON Fheron pw", ["Watch out", "A PAR H"])]
    assert shape("SIGNON Fheron pw\nSIGNOFF\nWATCH egret") == [("SIGNON Fheron pw", []), ("WATCH egret", [])]


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("SIGNON Fheron secret", {"target": "Fheron", "password": "secret"}),
        ("signon france@heron secret", {"target": "france@heron", "password": "secret"}),
        ("Sign On ?heron", {"game": "heron", "password": None, "words": None}),
        ("SIGNON ? heron secret", {"game": "heron", "password": "secret", "words": None}),
    ],
)
def test_the_forms_of_signon(line, arguments):
    assert opening(line).arguments == arguments


def test_press_ends_at_a_signature_and_keeps_quotes_above_its_end_word_alone():
    press = [Line("SIGNON Fheron pw"), Line("BROADCAST"), Line("> we agree", "quote"), Line("So do I.")]
    signature = [Line("-- ", "signature"), Line("Fay Roe, Paris", "signature")]
    assert call_in(read_blocks(READER, [*press, *signature])[1]).older == (*press[2:], *signature)
    assert call_in(read_blocks(READER, [*press, Line("ENDPRESS"), *signature])[1]).body == ("> we agree", "So do I.")


def test_press_is_taken_as_written_until_its_end_word():
    (_, block) = blocks_of("SIGNON Fheron pw\nPRESS TO TURKEY\nLet us attack.\n  A PAR - BUR\nendpress\nA PAR H")
    assert call_in(block).body == ("Let us attack.", "  A PAR - BUR")
    assert [item.line for item in block.items[1:]] == [Line("A PAR H")]
