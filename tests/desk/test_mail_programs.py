"""What mail programs send, read as the judge reads it: every letter of tests/data/letters at the desk."""

from dataclasses import dataclass

import pytest

from tests.desk.deskatwork import DeskAtWork, Posted
from tests.letters.corpus.kept import FOLDER, built, expectations, kept
from tests.letters.corpus.samples import Sample

LETTERS = kept()
FRANCE, TURKEY = "france@example.org", "turkey@example.org"


@dataclass(frozen=True)
class Understood:
    """What became of a letter: as Sample has it, and the reply."""

    orders: tuple[str, ...]
    press: str
    strays: tuple[str, ...]
    reply: str


def understood(mails: list[Posted]) -> Understood:
    """What the mails that a letter of France's has made tell of it."""
    reply = "\n".join(mail.text for mail in mails if mail.to == FRANCE)
    told = "\n".join(mail.text for mail in mails if mail.to == TURKEY)
    return Understood(_orders(reply), _press(told), _strays(reply), reply)


def _orders(reply: str) -> tuple[str, ...]:
    """The orders on file, as the reply shows them at its end to be changed."""
    form = reply.rpartition("SIGNON Fheron <your password>")[2]
    return tuple(line.strip() for line in form.split("\n") if line[:6] in ("    A ", "    F ") and "..." not in line)


def _press(told: str) -> str:
    return told.partition("Press from France to Turkey:\n\n")[2].partition("\n\n:: Judge:")[0]


def _strays(reply: str) -> tuple[str, ...]:
    return tuple(line[2:] for line in reply.split("\n") if line.startswith("> ") and not line.startswith("> PRESS TO"))


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    desk.new_mails()
    return desk


@pytest.mark.parametrize("sample", LETTERS, ids=lambda sample: sample.name)
def test_a_letter_of_a_mail_program_is_understood(heron: DeskAtWork, sample: Sample):
    mails = heron.receives(sample.raw)
    if sample.silent:
        assert mails == []
        return
    found = understood(mails)
    assert found == Understood(sample.orders, sample.press, sample.strays, found.reply)
    assert all(phrase in " ".join(found.reply.split()) for phrase in sample.says)
    assert "pwfrance" not in found.reply


def test_the_letters_are_those_that_the_builders_make():
    """Whoever changes one changes its builder: `python -m tests.letters.corpus.kept` writes them all."""
    made = list(built())
    assert len({sample.name for sample in made}) == len(made) >= 120
    there = {path.stem: path.read_bytes() for path in FOLDER.glob("*.eml")}
    assert there == {sample.name: sample.raw for sample in made}
    assert (FOLDER / "expected.json").read_text() == expectations(made)
