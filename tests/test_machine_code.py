"""The engine as machine code: never used beside other sources than it was built of, and the same bytes out."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from judge import machine_code

MODULES = {"judge.rules.adjudicate": "judge.rules.adjudicate.so", "abc__mypyc": "abc__mypyc.so"}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A few sources of the rules."""
    (tmp_path / "judge" / "rules" / "board").mkdir(parents=True)
    for name in ("__init__.py", "adjudicate.py", "board/orders.py"):
        (tmp_path / "judge" / "rules" / name).write_text(f"# {name}\n")
    return tmp_path / "judge"


@pytest.fixture
def built(package: Path) -> Path:
    """What was built of them."""
    folder = package / "compiled"
    folder.mkdir()
    for name in MODULES.values():
        (folder / name).write_bytes(b"machine code")
    note = {"digest": machine_code.digest(package), "modules": MODULES}
    (folder / machine_code.NOTE).write_text(json.dumps(note))
    return folder


def test_what_was_built_of_these_sources_is_used(package: Path, built: Path):
    assert machine_code.usable(built, package) == {name: built / file for name, file in MODULES.items()}


@pytest.mark.parametrize("name", ["adjudicate.py", "board/orders.py", "__init__.py", "new.py"])
def test_a_changed_or_new_source_leaves_it_unused(package: Path, built: Path, name: str):
    with (package / "rules" / name).open("a") as file:
        file.write("# another idea\n")
    assert machine_code.usable(built, package) == {}


def test_a_source_that_is_gone_or_renamed_leaves_it_unused(package: Path, built: Path):
    (package / "rules" / "board" / "orders.py").rename(package / "rules" / "board" / "order.py")
    assert machine_code.usable(built, package) == {}


def test_another_python_leaves_it_unused(package: Path, built: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "version", "3.99.0")
    assert machine_code.usable(built, package) == {}


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"digest": "x", "modules": []}', "\0"])
def test_a_note_that_says_nothing_leaves_it_unused(package: Path, built: Path, note: str):
    (built / machine_code.NOTE).write_text(note)
    assert machine_code.usable(built, package) == {}


def test_a_file_that_is_missing_leaves_all_unused(package: Path, built: Path):
    (built / "abc__mypyc.so").unlink()
    assert machine_code.usable(built, package) == {}


def test_a_stale_build_is_told(package: Path, built: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine_code, "BUILT", built)
    monkeypatch.delenv(machine_code.SWITCH, raising=False)
    before = list(sys.meta_path)
    assert machine_code.offer() == "sources, since what was built is not of these"
    assert sys.meta_path == before
    shutil.rmtree(built)
    assert machine_code.offer() == "sources"


def _judge(compiled: str, *arguments: str, given: str = "") -> str:
    environment = {**os.environ, machine_code.SWITCH: compiled}
    command = [sys.executable, "-m", "judge", *arguments]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=environment).stdout


@pytest.mark.compiled
@pytest.mark.parametrize("variant", ["standard", "1648", "1900", "intercontinental"])
def test_the_outcomes_are_the_same_byte_for_byte(variant: str):
    games = "".join(_judge("no", "selfplay", variant, "--years", "4", "--seed", str(seed)) for seed in (1, 2))
    assert _judge("yes", "adjudicate", given=games) == _judge("no", "adjudicate", given=games)
    used = "import judge; from judge.rules.phases import movement; print(judge.rules_engine, movement.__file__)"
    said = subprocess.run(
        [sys.executable, "-c", used], capture_output=True, text=True, check=True,
        env={**os.environ, machine_code.SWITCH: "yes"},
    ).stdout  # fmt: skip
    assert said.startswith("machine code") and ".py\n" not in said
