"""What mail programs send, read as the judge reads it: every letter of tests/data/letters at the desk."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.commands.understanding import Understood, understood
from tests.letters.corpus.kept import FOLDER, built, expectations, kept
from tests.letters.corpus.samples import Sample

LETTERS = kept()


@pytest.fixture(scope="module")
def heron(tmp_path_factory: pytest.TempPathFactory) -> DeskAtWork:
    """A desk for all these letters: each finds it as it was."""
    desk = DeskAtWork(tmp_path_factory.mktemp("heron"), "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    desk.new_mails()
    return desk


@pytest.mark.parametrize("sample", LETTERS, ids=lambda sample: sample.name)
def test_a_letter_of_a_mail_program_is_understood(heron: DeskAtWork, sample: Sample):
    mails = heron.would_receive(sample.raw)
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
