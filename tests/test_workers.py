"""A run whose tests are dealt to workers ends as one in a single process would, and whatever happens is told."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFTEST = """
import os
from pathlib import Path
import pytest
from tests.workers import pytest_addoption, pytest_runtestloop

FOLDER = Path(__file__).parent

@pytest.fixture(scope="session")
def server():
    here = FOLDER / f"server-{os.getpid()}"
    here.touch()
    yield here
    here.unlink()
"""
PLAIN = """
import os, warnings
from pathlib import Path
import pytest

FOLDER = Path(__file__).parent

@pytest.fixture(scope="module")
def shared():
    with (FOLDER / "shared").open("a") as log:
        log.write(f"{os.getpid()}\\n")

@pytest.mark.parametrize("number", range(40))
def test_passes(number, server, shared, tmp_path):
    print("nobody reads this")
    assert server.exists() and tmp_path.exists()

def test_fails():
    print("said before it failed")
    assert {"a": 1} == {"a": 2}

def test_is_skipped():
    pytest.skip("there is no such thing here")

@pytest.mark.xfail(reason="known")
def test_fails_as_expected():
    assert False

def test_warns():
    warnings.warn("this is old")
"""
DEADLY = """
import os

def test_before():
    pass

def test_ends_the_worker():
    os.kill(os.getpid(), 9)

def test_behind():
    pass
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_plain.py").write_text(PLAIN)
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    """The exit status and what is printed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=folder, env={**kept, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    return done.returncode, done.stdout


def outcome(said: str) -> str:
    """`1 failed, 41 passed`, without the time."""
    (line,) = re.findall(r"^=+ (\d.*) in [\d.]+s", said, re.MULTILINE)
    return str(line)


def test_workers_tell_what_one_process_would(folder: Path):
    alone, by_three = run(folder, "--workers", "1"), run(folder, "--workers", "3")
    assert alone[0] == by_three[0] == 1
    assert outcome(alone[1]) == outcome(by_three[1]) == "1 failed, 41 passed, 1 skipped, 1 xfailed, 1 warning"
    for said in ("said before it failed", "{'a': 1} == {'a': 2}", "this is old"):
        assert said in by_three[1]
    assert "nobody reads this" not in by_three[1]
    assert not list(folder.glob("server-*"))  # what was started for the session was ended


def test_tests_of_a_file_share_what_stays_for_it(folder: Path):
    (folder / "test_more.py").write_text(PLAIN.replace("range(40)", "range(400)"))
    assert outcome(run(folder, "--workers", "2", "-k", "passes")[1]) == "440 passed, 8 deselected"
    assert len((folder / "shared").read_text().split()) < 44


def test_a_worker_that_dies_fails_its_test_alone(folder: Path):
    (folder / "test_deadly.py").write_text(DEADLY)
    status, said = run(folder, "--workers", "2", "test_deadly.py")
    assert status == 1
    assert outcome(said) == "1 failed, 2 passed"
    assert "FAILED test_deadly.py::test_ends_the_worker" in said
    assert "the worker ended with status -9 while this test ran" in said


def test_a_run_that_ends_at_its_first_failure(folder: Path):
    (folder / "test_first.py").write_text("def test_fails():\n    assert False\n")
    (folder / "test_plain.py").write_text(PLAIN.replace("range(40)", "range(1000)"))
    status, said = run(folder, "--workers", "2", "-x")
    assert status == 1
    assert "stopping after 1 failures" in said
    assert len(re.findall(r"\d+ passed", said)) == 1 and "1001 passed" not in said
    assert not list(folder.glob("server-*"))
