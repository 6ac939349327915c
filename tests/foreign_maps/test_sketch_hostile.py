"""Maps of other programs that strangers have made: what they name is read from their own folder alone, and bounded."""

import os
import time
from pathlib import Path

import pytest

from judge.foreign_maps import MOST_BYTES
from judge.foreign_maps.sketch import MOST_NEIGHBOURS, MOST_PROVINCES
from judge.shell.calling import carry_out
from judge.shell.rules import import_variant
from tests.foreign_maps.test_dpjudge import DPJUDGE_BASE, JDIP_MAP, JDIP_RULES

SECRET = "swordfish"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The stranger's folder; beside it lies something that is none of theirs."""
    (tmp_path / "secret.map").write_text(f"LAND {SECRET} ABUTS {SECRET}\n")
    (tmp_path / "secret.xml").write_text(JDIP_MAP)
    folder = tmp_path / "stranger"
    folder.mkdir()
    return folder


def imported(source: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """The exit status, and what was said."""
    status = carry_out(import_variant, source, "", source.parent / "out", "imported")
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    return status, said.out + said.err


def written(folder: Path, kind: str, reference: str) -> Path:
    """A map file that names `reference`."""
    if kind == "map":
        source, text = folder / "one.map", f"{reference}\n"
    else:
        source, text = folder / "variants.xml", JDIP_RULES.replace("rivers.xml", reference)
    source.write_text(text)
    return source


OUTSIDE = ["../secret.{}", "{up}/secret.{}", "sub/../../secret.{}", "link.{}", "linked/secret.{}"]


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("kind", ["map", "xml"])
@pytest.mark.parametrize("word", ["MAP", "USE"])
def test_what_lies_outside_of_the_folder_is_not_read(folder: Path, capsys, kind: str, word: str, path: str):
    (folder / "sub").mkdir()
    (folder / f"link.{kind}").symlink_to(folder.parent / f"secret.{kind}")
    (folder / "linked").symlink_to(folder.parent)
    reference = path.format(kind, up=folder.parent)
    status, said = imported(written(folder, kind, f"{word} {reference}" if kind == "map" else reference), capsys)
    assert status == 2 and "is outside the folder of" in said
    assert not (folder / "out").exists()


def test_what_lies_in_the_folder_or_below_it_is_read(folder: Path, capsys):
    (folder / "maps").mkdir()
    (folder / "maps" / "base.map").write_text(DPJUDGE_BASE + "AMEND ISL ABUTS -AST\n")
    (folder / "rivers.xml").write_text(JDIP_MAP)
    (folder.parent / "way").symlink_to(folder)
    assert imported(written(folder, "map", "MAP maps/base.map"), capsys)[0] == 0
    assert imported(written(folder.parent / "way", "xml", "rivers.xml"), capsys)[0] == 0


@pytest.mark.parametrize("kind", ["map", "xml"])
def test_only_files_are_read(folder: Path, capsys, kind: str):
    """A pipe would be waited for, a device read for ever."""
    os.mkfifo(folder / f"pipe.{kind}")
    (folder / f"folder.{kind}").mkdir()
    for name in (f"pipe.{kind}", f"folder.{kind}"):
        status, said = imported(written(folder, kind, f"USE {name}" if kind == "map" else name), capsys)
        assert status == 2 and f"{name} is not a file" in said
    assert imported(folder / f"pipe.{kind}", capsys)[0] == 2


@pytest.mark.parametrize(
    "name", ["http://example.org/a.xml", "file:///etc/passwd", "a" * 5000, "\\..\\secret.xml", "%2e%2e/x"]
)
def test_odd_names_are_names_of_files_that_are_not_there(folder: Path, capsys, name: str):
    for kind in ("map", "xml"):
        status, said = imported(written(folder, kind, f"USE {name}" if kind == "map" else name), capsys)
        assert status == 2 and said.startswith(f"judge: {folder}")


def test_large_files_are_not_read(folder: Path, capsys):
    for kind in ("map", "xml"):
        (folder / f"large.{kind}").write_text(" " * (MOST_BYTES + 1))
        for source in (folder / f"large.{kind}",
                       written(folder, kind, "USE large.map" if kind == "map" else "large.xml")):  # fmt: skip
            status, said = imported(source, capsys)
            assert status == 2 and f"large.{kind} is too large for a map" in said


def test_files_that_lead_to_themselves_end(folder: Path, capsys):
    (folder / "two.map").write_text("USE one\n")
    status, said = imported(written(folder, "map", "USE two"), capsys)
    assert status == 2 and "two.map has already been read" in said
    for number in range(50):
        (folder / f"n{number}.map").write_text(f"USE n{number + 1}\n")
    status, said = imported(written(folder, "map", "USE n0"), capsys)
    assert status == 2 and "too many files" in said


def test_entities_are_not_expanded(folder: Path, capsys):
    lines = ['<!ENTITY a0 "ha">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))]
    bomb = f"<?xml version='1.0'?><!DOCTYPE VARIANTS [{''.join(lines)}]><VARIANTS>&a11;</VARIANTS>"
    outside = f'<!DOCTYPE VARIANTS [<!ENTITY x SYSTEM "{folder.parent / "secret.map"}">]><VARIANTS>&x;</VARIANTS>'
    for text in (bomb, outside):
        (folder / "variants.xml").write_text(text)
        status, said = imported(folder / "variants.xml", capsys)
        assert status == 2 and "it defines entities" in said
    (folder / "rivers.xml").write_text(bomb)
    assert imported(written(folder, "xml", "rivers.xml"), capsys)[0] == 2


def test_a_name_of_a_document_type_is_no_reason_to_refuse(folder: Path, capsys):
    (folder / "rivers.xml").write_text(JDIP_MAP)
    header = '<?xml version="1.0"?>'
    doctype = f'{header}<!DOCTYPE VARIANTS SYSTEM "{folder.parent}/secret.dtd">'
    (folder / "variants.xml").write_text(JDIP_RULES.replace(header, doctype))
    assert imported(folder / "variants.xml", capsys)[0] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('homepower="east"', 'homepower="e&#x9b;2J"'),
        ('<MAP adjacencyURI="rivers.xml"/>', '<MAP adjacencyURI="rivers.xml"/><MAP_GRAPHIC ref="a"/>'),
    ],
)
def test_no_sign_that_commands_a_terminal_is_said(folder: Path, capsys, old: str, new: str):
    (folder / "rivers.xml").write_text(JDIP_MAP)
    drawing = '<MAP_DEFINITION id="a" URI="x&#x9b;2J.svg"/></VARIANTS>'
    (folder / "variants.xml").write_text(JDIP_RULES.replace(old, new).replace("</VARIANTS>", drawing))
    said = imported(folder / "variants.xml", capsys)[1]
    assert "2j" in said.lower() and "\x9b" not in said


def _places(count: int) -> str:
    return "".join(f"LAND p{n} ABUTS p{n}\n" for n in range(count))


HEAVY = {
    "one power's units": ("map", "P a\n" + "".join(f"A q{n}\n" for n in range(50_000))),
    "coasts": ("map", "".join(f"COAST a/{n} ABUTS a\n" for n in range(20_000))),
    "centers": ("map", "P a\n" + "OWNS a b c d e\n" * 30_000),
    "homes": ("map", "P a b c d e f g\n" * 30_000),
    "many homes": ("map", "P " + " ".join(f"a{n}" for n in range(70_000))),
    "nested XML": ("xml", "<a>" * (MOST_BYTES // 7) + "</a>" * (MOST_BYTES // 7)),
    "provinces": ("map", _places(MOST_PROVINCES + 1)),
    "neighbours": ("map", f"LAND a ABUTS {'b ' * (MOST_NEIGHBOURS + 1)}\n"),
    "dropped": ("map", _places(MOST_PROVINCES) + "DROP " + "p " * 200_000),
    "taken back": ("map", f"LAND a ABUTS b\nAMEND a ABUTS {'-c ' * 150_000}\n"),
    "again": ("map", "LAND a ABUTS a\n" * 30_000),
    "renamed": ("map", "LAND a ABUTS a\n" + "".join(f"{'ab'[n % 2]} -> x = {'ba'[n % 2]}\n" for n in range(40_000))),
    "names": ("map", "a = b c d e f g h\n" * 25_000),
    "powers": ("map", "".join(f"P{n} a\n" for n in range(40_000))),
    "units": ("map", "".join(f"P{n} a\nA q{n}\n" for n in range(20_000))),
    "variants": ("xml", "<VARIANTS>" + "".join(f'<VARIANT name="{n}"/>' for n in range(18_000)) + "</VARIANTS>"),
    "numbers": ("map", f"VICTORY {'9' * 400_000}\n"),
}


@pytest.mark.parametrize("what", HEAVY)
def test_whatever_fills_a_file_it_is_read_in_seconds(folder: Path, capsys, what: str):
    kind, text = HEAVY[what]
    assert len(text) <= MOST_BYTES
    (folder / f"heavy.{kind}").write_text(text)
    began = time.process_time()
    status, said = imported(folder / f"heavy.{kind}", capsys)
    assert status in (1, 2) and len(said) < 1_000_000
    assert time.process_time() - began < 30


@pytest.mark.parametrize("value", ["many", "-1", "99999", "²", ""])
def test_a_victory_condition_that_is_no_number_is_named(folder: Path, capsys, value: str):
    (folder / "rivers.xml").write_text(JDIP_MAP)
    (folder / "variants.xml").write_text(JDIP_RULES.replace('value="2"', f'value="{value}"'))
    status, said = imported(folder / "variants.xml", capsys)
    assert status == 2 and f'WINNING_SUPPLY_CENTERS is "{value}"' in said
