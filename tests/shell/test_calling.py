"""What a command says of a library that comes only with an extra."""

import ast
import configparser
import os
import re
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

from judge.shell.calling import EXTRAS
from judge.shell.cli import main
from tests.forked import ROOT

DEMO = [library for library, extra in EXTRAS.items() if extra == "demo"]


def without(library: str, folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own, which has loaded nothing before."""
    code = f"import sys; sys.modules[{library!r}] = None; {code}"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=False, timeout=60)  # fmt: skip


@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [
        ("networkx", ["variants", "sketch", "standard"], "variants"),
        ("svgelements", ["variants", "import", "pack.zip"], "variants"),
        *((library, [command], "demo") for library in DEMO for command in ("demo", "serve")),
    ],
)
def test_a_library_that_is_missing_is_named_with_what_brings_it(tmp_path: Path, library, command, extra):
    (tmp_path / "pack.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    done = without(library, tmp_path, f"from judge.shell.cli import main; sys.exit(main({command}))")
    assert done.returncode == 2
    assert done.stderr == f"judge: this needs {library}: pip install 'diplomacy-judge[{extra}]'\n"


def test_the_check_of_a_variant_goes_on_without_the_library_that_compares_colors(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "judge.maps.palette", raising=False)
    monkeypatch.setitem(sys.modules, "coloraide", None)
    assert main(["variants", "check", "standard"]) == 0
    said = capsys.readouterr().out
    assert "the colors were not compared; this needs coloraide: pip install 'diplomacy-judge[variants]'" in said
    assert "no mistakes" in said


@pytest.mark.parametrize("command", ["run", "worker", "games list"])
def test_without_the_driver_of_postgresql(tmp_path: Path, command: str):
    (tmp_path / "judge.ini").write_text((ROOT / "judge.ini").read_text())
    hosts = "'JUDGE_MAILBOX_HOST': '127.0.0.1', 'JUDGE_SMTP_HOST': '127.0.0.1'"
    url = f"import os; os.environ |= {{'JUDGE_STORE_URL': 'postgresql:///judge', {hosts}}}"
    done = without("psycopg", tmp_path, f"{url}; from judge.shell.cli import main; sys.exit(main({command.split()}))")
    assert done.returncode != 0 and "Traceback" not in done.stderr
    assert "pip install 'diplomacy-judge[postgres]'" in done.stdout + done.stderr


def test_the_tests_say_which_library_they_lack(tmp_path: Path):
    done = without("svgelements", tmp_path, "from tests.forked import run_judge; run_judge('--version')")
    assert done.stderr.endswith("this needs svgelements: pip install 'diplomacy-judge[variants]'\n")


def imported() -> set[str]:
    """The modules that do not come with Python, by what `judge/` imports anywhere."""
    trees = [ast.parse(file.read_text()) for file in (ROOT / "judge").rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names - {"judge"}


def test_every_library_that_may_be_missing_is_one_of_an_extra():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    needed, left = set(), setup["options"]["install_requires"].split("\n")
    while left:
        name = re.split(r"[^\w.-]", left.pop().strip())[0].lower().replace("_", "-")
        if name and name not in needed:
            needed.add(name)
            with suppress(PackageNotFoundError):
                left += [one for one in requires(name) or () if "extra ==" not in one]
    belongs_to = packages_distributions()
    optional = {
        module for module in imported()
        if needed.isdisjoint(name.lower().replace("_", "-") for name in belongs_to[module])
    }  # fmt: skip
    assert optional <= EXTRAS.keys()
    assert not EXTRAS.keys() - optional - {"psycopg"}, "SQLAlchemy imports that one"
    assert {*EXTRAS.values()} <= setup["options.extras_require"].keys()
