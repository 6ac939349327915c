"""What a command says of a library that comes only with an extra."""

import configparser
import sys

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
def test_a_library_that_is_missing_is_named_with_what_brings_it(monkeypatch, capsys, tmp_path, library, command, extra):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pack.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    for loaded in [name for name in sys.modules if name.startswith((library, "judge.demo", "judge.foreign_maps"))]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, library, None)
    assert main(command) == 2
    assert capsys.readouterr().err == f"judge: this needs {library}: pip install 'diplomacy-judge[{extra}]'\n"


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
