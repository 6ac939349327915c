"""Letters of mail programs, changed by dice, at a real desk: a short run of the fuzzer (`make fuzz` is a long one)."""

from pathlib import Path

from tests.commands.fuzzer import Fuzzer
from tests.letters.corpus.mutations import MUTATIONS


def test_some_hundred_letters_changed_by_dice(tmp_path: Path):
    figures = Fuzzer(tmp_path, seed=7).run(60)
    assert figures.findings == []
    assert figures.letters == 60
    assert len(figures.by_change) > len(MUTATIONS) / 2
    assert figures.kept > 10
