"""What a command says of a library that comes only with an extra."""

import configparser
import os
import subprocess
import sys
from pathlib import Path

import pytest

from judge.shell.calling import EXTRAS
from judge.shell.cli import main
from tests.forked import ROOT


@pytest.mark.parametrize(
    ("library", "command", "extra"),
    [
        ("networkx", ["variants", "sketch", "standard"], "variants"),
        ("svgelements", ["variants", "import", "pack.zip"], "variants"),
        ("pymap", ["demo"], "demo"),
        ("pymap", ["serve"], "demo"),
    ],
)
def test_a_library_that_is_missing_is_named_with_what_brings_it(tmp_path: Path, library, command, extra):
    """In a process of its own, which has loaded nothing before."""
    (tmp_path / "pack.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    code = f"import sys; sys.modules[{library!r}] = None; from judge.shell.cli import main; sys.exit(main({command}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
                          capture_output=True, text=True, check=False, timeout=60)  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"judge: this needs {library}: pip install 'diplomacy-judge[{extra}]'\n"


def test_the_check_of_a_variant_goes_on_without_the_library_that_compares_colors(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "judge.maps.palette", raising=False)
    monkeypatch.setitem(sys.modules, "coloraide", None)
    assert main(["variants", "check", "standard"]) == 0
    said = capsys.readouterr().out
    assert "the colors were not compared; this needs coloraide: pip install 'diplomacy-judge[variants]'" in said
    assert "no mistakes" in said


def test_every_library_of_an_extra_is_only_there():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    for library, extra in EXTRAS.items():
        assert library in setup["options.extras_require"][extra]
        assert library not in setup["options"]["install_requires"]
