"""What deploy/ and docs/keeper.md say to a keeper: the units are hardened, and what is named there is there."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from judge.settings import KEYS
from judge.shell.cli import _parser

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
# Of ten; what it counts is in systemd-analyze(1).
MOST_EXPOSED = 2.0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.stem)
def test_a_unit_may_do_little_more_than_it_must(unit: Path, tmp_path: Path):
    instance = tmp_path / unit.name.replace("@", "@1")
    shutil.copy(unit, instance)
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(instance)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    exposed = re.search(r"exposure level for \S+: ([\d.]+)", said)
    assert exposed and float(exposed[1]) <= MOST_EXPOSED, said


def test_units_may_do_what_the_judge_does():
    """Limits for the processes that read letters alone (judge/letters/sandbox.py), and for those that draw."""
    for unit in UNITS:
        filters = re.findall(r"^SystemCallFilter=(.*)$", unit.read_text(), re.MULTILINE)
        assert filters[-1].split() == ["prlimit64", "setrlimit", "setpriority"], "the last one adds"


@pytest.mark.skipif(not shutil.which("doveconf"), reason="Dovecot is not installed")
def test_dovecot_understands_its_settings():
    command = ["doveconf", "-n", "-c", str(DEPLOY / "mail" / "dovecot.conf")]
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def test_the_mailbox_s_password_is_where_dovecot_looks():
    """The container copies the secret for Dovecot's user, who may not read the keeper's file."""
    [looked_for] = re.findall(r"driver = passwd-file\n  args = (\S+)", (DEPLOY / "mail" / "dovecot.conf").read_text())
    assert f"/run/secrets/mailbox {looked_for} " in (DEPLOY / "mail" / "Containerfile").read_text()


def test_variables_are_settings():
    known = {f"JUDGE_{section}_{key}".upper() for section, keys in KEYS.items() for key in keys}
    texts = [file.read_text() for file in DEPLOY.rglob("*") if file.is_file()]
    named = {name for text in texts for name in re.findall(r"JUDGE_[A-Z_]+", text)}
    assert "JUDGE_MAILBOX_HOST" in named and named <= known


def commands() -> list[str]:
    """The lines of the page in which judge is called."""
    page = (ROOT / "docs" / "keeper.md").read_text()
    blocks = "".join(f"{block}\n" for block in re.findall(r"^    (.*)$", page.replace(" \\\n", " "), re.MULTILINE))
    inline = re.findall(r"`(judge [a-z][^`]*)`", page)
    called = re.findall(r"(?:^|-- |exec judge )(judge [a-z].*)$", blocks, re.MULTILINE)
    return [*called, *inline]


def test_commands_of_the_page_for_keepers_are_understood(capsys: pytest.CaptureFixture[str]):
    lines = commands()
    assert len(lines) > 10
    for line in lines:
        try:
            _parser().parse_args(shlex.split(line)[1:])
        except SystemExit as refusal:
            # In a sentence a command may stand by its name alone.
            assert refusal.code == 0 or "arguments are required" in capsys.readouterr().err, line


def test_files_of_the_page_for_keepers_are_there():
    # deploy/etc is made by the keeper.
    named = set(re.findall(r"\bdeploy/(?!etc\b)[\w./@-]*\w", (ROOT / "docs" / "keeper.md").read_text()))
    assert len(named) > 6
    assert not {name for name in named if not (ROOT / name).exists()}
