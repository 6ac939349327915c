"""The fuzzer would find what it looks for (tests/acceptance/test_changed_letters.py is a short run of it)."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.commands.fuzzer import Fuzzer, problems
from tests.letters.corpus.mutations import MUTATIONS
from tests.letters.corpus.samples import Sample

KEEPING = [mutation for mutation in MUTATIONS if mutation.keeps][:1]


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Fuzzer:
    return Fuzzer(tmp_path_factory.mktemp("fuzzer"), seed=7)


def test_the_same_dice_make_the_same_letters(tmp_path: Path):
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made.append(Fuzzer(tmp_path / name, seed=3).run(5).by_change)
    assert made[0] == made[1]


def _found(fuzzer: Fuzzer, name: str, **wrong: object) -> list[str]:
    """What the fuzzer says of a letter whose outcome was this."""
    sample = next(sample for sample in fuzzer.samples if sample.name == name)
    right = fuzzer.handle(sample.raw)
    assert list(problems(sample, KEEPING, right)) == []
    return list(problems(sample, KEEPING, replace(right, **wrong)))  # type: ignore[arg-type]


def test_the_fuzzer_sees_what_is_wrong(fuzzer: Fuzzer):
    orders, press, machine = "gmail-web-en", "proton-web-press", "absence-en"
    sample = {sample.name: sample for sample in fuzzer.samples}[orders]
    assert "lost" in _found(fuzzer, orders, mails=[])[0]
    assert "lost" in _found(fuzzer, press, mails=[])[0]
    answered = fuzzer.handle(sample.raw).mails
    assert "a machine was answered" in _found(fuzzer, machine, mails=answered)[0]
    assert "is logged" in _found(fuzzer, orders, said="from=x: pwfrance")[0]
    assert "is stored" in _found(fuzzer, orders, stored=sample.raw)[0]
    assert "to read" in _found(fuzzer, orders, reading=9.0)[0]
    assert "to handle" in _found(fuzzer, orders, handling=9.0)[0]
    (told,) = (mail for mail in fuzzer.handle(_sample(fuzzer, press).raw).mails if mail.to == "turkey@example.org")
    header, about, text = told.raw.split(b"\r\n\r\n", 2)
    leak = b"France: Fleet Brest -> English Channel.\r\npwfrance\r\n"
    leaks = replace(told, raw=b"\r\n\r\n".join([header, about, leak + text]))
    found = _found(fuzzer, press, mails=[*fuzzer.handle(_sample(fuzzer, press).raw).mails, leaks])
    assert any("password is told" in problem for problem in found)
    assert any("English Channel" in problem for problem in found)


def _sample(fuzzer: Fuzzer, name: str) -> Sample:
    return next(sample for sample in fuzzer.samples if sample.name == name)
