"""What a release is installed from: requirements.lock has all that setup.cfg asks for, the wheel all of the package.

Read from the files alone; `make locked` installs it.
"""

import configparser
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
RELEASED = ("demo", "postgres")
# A name, its version, on which systems, its hashes.
_PIN = re.compile(r"([\w.-]+)==([\w.+]+)(?: ;[^-]*?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)\s*")


def asked(*extras: str) -> list[Requirement]:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lists = [setup["options"]["install_requires"], *(setup["options.extras_require"][extra] for extra in extras)]
    return [Requirement(line) for text in lists for line in text.split("\n") if line.strip() and line[0] != "#"]


def locked() -> dict[str, tuple[str, list[str]]]:
    """{name: its version, its hashes}; a line that pins nothing is a mistake."""
    text = (ROOT / "requirements.lock").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    pins = [_PIN.fullmatch(line) for line in lines]
    assert all(pins), [line for line, pin in zip(lines, pins, strict=True) if not pin]
    return {canonicalize_name(pin[1]): (pin[2], pin[3].split()) for pin in pins if pin}


@pytest.mark.parametrize("requirement", asked(*RELEASED), ids=str)
def test_what_is_asked_for_is_locked(requirement: Requirement):
    """`make lock` after a change of setup.cfg."""
    version, hashes = locked()[canonicalize_name(requirement.name)]
    assert requirement.specifier.contains(version, prereleases=True)
    assert hashes
    for extra in requirement.extras:  # psycopg[binary] is psycopg-binary
        assert f"{requirement.name}-{extra}" in locked()


def test_what_builds_the_package_is_locked():
    """So that an installation without build isolation fetches nothing without a hash."""
    (needed,) = re.findall(r'^requires = \["([^"]+)"\]', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert f"BUILT_WITH := {needed}\n" in (ROOT / "Makefile").read_text()
    assert Requirement(needed).specifier.contains(locked()["setuptools"][0])


def test_what_is_patched_inside_is_pinned():
    """judge/demo/mail_system.py puts its own classes in the place of pymap's inner ones."""
    pinned = {requirement.name: [one.operator for one in requirement.specifier] for requirement in asked("demo")}
    assert pinned["pymap"] == ["=="]


def test_inner_classes_are_used_in_one_place():
    using = re.compile(r"^(?:from|import) pymap", re.MULTILINE)
    found = [path.name for path in (ROOT / "judge").rglob("*.py") if using.search(path.read_text())]
    assert found == ["mail_system.py"]


def test_a_package_is_built_of_the_files_of_today(tmp_path: Path):
    """What an earlier installation from the same folder has left is not packed again."""
    steps, templates = tmp_path / "judge" / "store" / "migrations" / "versions", tmp_path / "judge" / "templates"
    left = [steps / "0001_old.py", templates / "old.txt.j2"]
    for file in left:
        file.parent.mkdir(parents=True)
        file.touch()
    command = [sys.executable, "setup.py", "-q", "build_py", "--build-lib", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert "License classifiers" not in built.stderr, "newer builders warn of them"
    assert not any(file.exists() for file in left)
    assert (steps / "0012_unread_columns.py").exists() and (templates / "alert.txt.j2").exists()


def test_every_module_and_every_file_of_the_package_is_in_the_wheel():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    files = {path for path in (ROOT / "judge").rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    modules = {path for path in files if path.suffix == ".py"}
    folders = {".".join(path.parent.relative_to(ROOT).parts) for path in modules if path.name == "__init__.py"}
    assert folders <= set(setup["options"]["packages"].split())
    packed = {
        path
        for package, patterns in setup["options.package_data"].items()
        for pattern in re.split(r"[,\s]+", patterns.strip())
        for path in (ROOT / Path(*package.split("."))).glob(pattern)
    }
    assert files - modules - packed == set()
