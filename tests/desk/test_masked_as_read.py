"""What the reader takes for a sign-on or a new password is masked, however it is written."""

from itertools import islice, product

import pytest

from judge.desk.command_table import COMMANDS, SLIPS
from judge.desk.core.command import Call
from judge.desk.core.reading import Reader
from judge.letters.password_lines import mask_plain
from tests.letters.reading import read_letter

READER = Reader([*COMMANDS, *SLIPS])
SECRET = "s3cr3tx"
BEFORE = (
    "", "- ", "→ ", "ー ", "“", "„", "«", "`", "* ", "1. ", "1 - ", "• ", "✔ ", "★ ", "◇ ", "> ", "Hello judge, ", "‐ ",
    "− ",
)  # fmt: skip
WORDS = (
    "SIGNON", "Signon", "LOGIN", "Log in", "Sign on", "SIGN ON", "CREATE", "Create game", "OBSERVE", "WATCH", "MONITOR",
    "Takeover",
)  # fmt: skip
BEHIND = ("", "”", ":", "`", "*", '"', ",", ".", "»", "**", "…", "!", ";", " -", "—", "..", ":::", "”:")
GAMES = ("Fheron", "?heron", "heron", "France@heron", "@heron", "“Fheron”", "? heron")
JOINTS = (" ", "\u2009", " “")
ENDS = ("", "”", ".", " standard", "*", " A PAR - BUR")
NEW = (
    "SET PASSWORD", "set pw", "PASSWORD", "SET P", "SET WAIT, P", "SET PREF *, P", "SET PASWORD", "Set Passwort",
    "SETPASSWORD",
)  # fmt: skip


def read(line: str) -> list[str]:
    """The passwords that stand in a letter of that line, below a sign-on."""
    letter = read_letter(f"From: jo@example.org\r\n\r\nSIGNON Fheron pw\r\n{line}\r\n".encode())
    calls = [call for block in READER.blocks(letter.lines) for call in (block.opening, *block.items)]
    return [str(call.arguments.get("password") or "") for call in calls if isinstance(call, Call)]


@pytest.mark.parametrize("word", WORDS)
def test_a_signon_is_masked(word: str):
    shown = []
    # Of all that can be put together one in four, in which each piece meets each other.
    for number, (before, behind, game, joint) in enumerate(islice(product(BEFORE, BEHIND, GAMES, JOINTS), 0, None, 4)):
        line = f"{before}{word}{behind} {game}{joint}{SECRET}{ENDS[number % len(ENDS)]}"
        if SECRET in mask_plain(line) and any(SECRET in password for password in read(line)):
            shown.append(line)
    assert not shown


@pytest.mark.parametrize("word", NEW)
def test_a_new_password_is_masked(word: str):
    lines = [f"{before}{word}{behind} {SECRET}{end}" for before, behind, end in product(BEFORE, BEHIND, ENDS)]
    assert not [line for line in lines if counts(line) and SECRET in mask_plain(line)]


def counts(line: str) -> bool:
    """Whether the new password is one for the reader, or stands where no sentence has such words."""
    return any(SECRET in word for word in read(line)) or line.lstrip("-*> ").upper().startswith(("SET", "PASSW"))


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1d", "\x1e"])
def test_whatever_breaks_a_line_breaks_it(end: str):
    assert SECRET not in mask_plain(f"Hello there{end}CREATE ?swan {SECRET}{end}A PAR - BUR")
