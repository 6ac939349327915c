"""What mail programs send, read as the judge reads it: every letter of tests/data/letters at the desk."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.commands.understanding import Understood, understood
from tests.letters.corpus.samples import FOLDER, Sample, kept

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


def test_of_each_letter_it_is_said_what_must_be_understood():
    assert {path.stem for path in FOLDER.glob("*.eml")} == {sample.name for sample in LETTERS}
