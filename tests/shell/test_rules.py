"""The commands of the rules engine, as a process: exit status, standard output, standard error."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from judge.shell.calling import carry_out
from judge.shell.rules import import_variant
from tests.foreign_maps.test_dpjudge import DPJUDGE_BASE, JDIP_RULES
from tests.forked import run_judge

ROOT = Path(__file__).resolve().parents[2]


def judge(*arguments: str, stdin: str = "", cwd: Path = ROOT, **variables: str) -> subprocess.CompletedProcess[str]:
    return run_judge(*arguments, text=stdin, folder=cwd, variables={"PYTHONPATH": str(ROOT), **variables})


def test_adjudicate_answers_every_line_and_tells_of_a_bad_one_by_its_status():
    line = json.dumps({"variant": "standard", "phase": "S1901M", "orders": {"France": ["A PAR - BUR"]}})
    done = judge("adjudicate", stdin=f"{line}\nnonsense\n\n{line}\n")
    first, second, third = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert "error" in second
    assert first == third
    assert first["orders"][0]["results"] == ["ok"]
    assert done.stderr == ""


def test_a_game_that_plays_itself_can_be_adjudicated():
    game = judge("selfplay", "standard", "--years", "2", "--seed", "5")
    assert game.returncode == 0
    assert game.stdout == judge("selfplay", "standard", "--years", "2", "--seed", "5").stdout
    done = judge("adjudicate", stdin=game.stdout)
    assert done.returncode == 0
    phases = [json.loads(line)["phase"] for line in game.stdout.splitlines()]
    assert [json.loads(line)["phase"] for line in done.stdout.splitlines()] == phases
    assert phases[0] == "S1901M"


def test_a_reader_that_has_read_enough_is_no_error():
    """As in `judge selfplay standard | head -1`."""
    command = [sys.executable, "-m", "judge", "selfplay", "standard", "--years", "40"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as playing:
        assert playing.stdout and playing.stderr and playing.stdout.read(1) == b"{"
        playing.stdout.close()
        assert playing.stderr.read() == b""
    assert playing.returncode == 0


def test_variants_are_listed_shown_and_checked():
    assert (
        "standard             Standard Diplomacy: 7 powers, 75 provinces, 34 centers, 18 to win"
        in judge("variants").stdout.splitlines()
    )
    assert "Intercontinental: 8 players of 32 powers, 463 provinces, 180 centers, 72 to win" in judge("variants").stdout
    assert judge("variants", "list").stdout == judge("variants").stdout
    shown = judge("variants", "show", "standard").stdout
    assert "F  France (French" in shown
    assert "Borders in the picture: 206 of 206 as common lines, 0 as links; 0 barriers." in shown
    checked = judge("variants", "check", "standard")
    assert (checked.returncode, checked.stdout) == (0, "standard: no mistakes\n")


def test_anybody_can_check_the_draw_of_a_game():
    done = judge("variants", "draw", "intercontinental", "--seed", "1865")
    assert (done.returncode, done.stderr) == (0, "")
    told = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert list(told) == ["Blue", "Teal", "Green", "Olive", "Yellow", "Red", "Maroon", "Violet"]
    assert told["Blue"] == "British Raj, Canada, Cape Colony, Great Britain"
    assert told["Maroon"] == "Egypt, Japan, Peru, Turkey", "as tests/rules/played/test_intercontinental.py has it"
    fixed = judge("variants", "draw", "Intercontinental", "--seed", "5", "--fix", "mexico=RED", "--fix", "dai nam=teal")
    assert "Austria" in fixed.stdout.splitlines()[5] and "Mexico" in fixed.stdout.splitlines()[5]
    assert "Đại Nam" in fixed.stdout.splitlines()[1]


def test_what_cannot_be_drawn_is_one_sentence():
    for arguments, why in {
        ("standard", "--seed", "1"): "Standard Diplomacy does not draw powers.",
        ("intercontinental", "--seed", "1", "--fix", "Iran=Maroon"):
            "Iran can belong to Green, Red, Teal or Violet, not to Maroon.",
        ("intercontinental", "--seed", "1", "--fix", "Iran=Purple"): '"Purple" is not a group of Intercontinental.',
        ("intercontinental", "--seed", "1", "--fix", "Narnia=Red"): '"Narnia" is not a power of Intercontinental.',
    }.items():  # fmt: skip
        done = judge("variants", "draw", *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"judge: {why}\n")


def test_an_unknown_variant_is_one_sentence():
    for command in (("variants", "show", "chess"), ("variants", "draw", "chess", "--seed", "1"), ("selfplay", "chess")):
        done = judge(*command)
        assert done.returncode == 2
        assert done.stderr.startswith('judge: "chess" is not a variant here.')


def test_an_import_is_written_checked_and_can_be_broken_and_checked_again(tmp_path):
    (tmp_path / "two_rivers.map").write_text(DPJUDGE_BASE + "AMEND ISL ABUTS -AST\n")
    done = judge("variants", "import", str(tmp_path / "two_rivers.map"), "--to", str(tmp_path / "out"))
    folder = tmp_path / "out" / "two_rivers"
    assert done.returncode == 0, done.stderr
    assert f"written to {folder}" in done.stdout
    assert f"{folder}: no mistakes" in done.stdout
    provinces = folder / "provinces.toml"
    provinces.write_text(provinces.read_text().replace('army = "AST WES"', 'army = "AST WEX"'))
    done = judge("variants", "check", str(provinces))
    assert done.returncode == 1
    line = 1 + provinces.read_text().splitlines().index('army = "AST WEX"')
    assert f"{provinces}:{line}: MID: there is no province WEX" in done.stdout


@pytest.mark.parametrize(
    ("rules", "title", "told"),
    [
        (JDIP_RULES, "Three", "there is no variant Three, only Two Rivers"),
        (JDIP_RULES.replace("adjacencyURI", "elsewhere"), "", "its variant Two Rivers does not name a file of borders"),
        ("<VARIANTS/>", "", "it has no variant"),
    ],
)
def test_a_jdip_variant_that_is_not_there_is_named(tmp_path, capsys, rules, title, told):
    (tmp_path / "variants.xml").write_text(rules)
    assert carry_out(import_variant, tmp_path / "variants.xml", title, tmp_path, "") == 2
    assert told in capsys.readouterr().err


def keepers(tmp_path: Path) -> Path:
    """A folder with a judge.ini whose keeper has variants of their own; its other values are of no use."""
    (tmp_path / "judge.ini").write_text("[judge]\nvariants = own\nhome = run\n[mailbox]\nport = imap\n")
    (tmp_path / "two rivers.map").write_text(DPJUDGE_BASE + "AMEND ISL ABUTS -AST\n")
    return tmp_path


def test_an_import_goes_into_the_keeper_s_folder_and_the_variant_is_there_for_all_commands(tmp_path):
    home = keepers(tmp_path)
    done = judge("variants", "import", "two rivers.map", cwd=home)
    assert done.returncode == 0, done.stderr
    assert f"written to {home / 'own' / 'two_rivers'}" in done.stdout
    listed = judge("variants", cwd=home)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert any(line.startswith("two_rivers           ") for line in listed.stdout.splitlines())
    assert "(two_rivers)" in judge("variants", "show", "two_rivers", cwd=home).stdout
    checked = judge("variants", "check", "two_rivers", cwd=home)
    assert (checked.returncode, checked.stdout) == (0, "two_rivers: no mistakes\n")
    assert judge("variants", "check", cwd=home).stdout.endswith("standard: no mistakes\ntwo_rivers: no mistakes\n")
    game = judge("selfplay", "two_rivers", "--years", "1", cwd=home)
    assert game.returncode == 0 and '"variant": "two_rivers"' in game.stdout
    done = judge("adjudicate", stdin=game.stdout, cwd=home)
    assert done.returncode == 0 and len(done.stdout.splitlines()) == len(game.stdout.splitlines())
    drawn = judge("map", "--out", "pictures", stdin=game.stdout, cwd=home)
    assert drawn.stdout.startswith("pictures/two_rivers-S1800M")
    (home / "own" / "two_rivers" / "geometry.json").unlink()
    assert "There is no picture of two_rivers" in judge("map", "--out", "pictures", stdin=game.stdout, cwd=home).stderr


def test_the_settings_are_named_before_or_behind_the_action_or_in_the_environment(tmp_path):
    home = keepers(tmp_path)
    config = str(home / "judge.ini")
    source = str(home / "two rivers.map")
    assert judge("variants", "import", source, "--name", "behind", "--config", config, cwd=Path("/")).returncode == 0
    assert judge("variants", "--config", config, "import", source, "--name", "before", cwd=Path("/")).returncode == 0
    listed = judge("variants", cwd=Path("/"), JUDGE_JUDGE_VARIANTS=str(home / "own")).stdout
    assert "before " in listed and "behind " in listed
    for command in (("adjudicate",), ("selfplay", "before"), ("variants",), ("map",)):
        done = judge(*command, "--config", "no.ini", cwd=home)
        assert (done.returncode, done.stdout) == (2, "") and "cannot read no.ini" in done.stderr


def test_an_own_variant_that_is_broken_is_told_and_leaves_the_others_alone(tmp_path):
    home = keepers(tmp_path)
    for name in ("brooks", "lakes"):
        assert judge("variants", "import", "two rivers.map", "--name", name, cwd=home).returncode == 0
    rules = home / "own" / "lakes" / "variant.toml"
    rules.write_text(rules.read_text().replace("start =", "strat ="))
    listed = judge("variants", cwd=home)
    assert listed.returncode == 1
    assert f"lakes                NOT PLAYABLE: {rules}:" in listed.stdout
    assert any(line.startswith("brooks ") for line in listed.stdout.splitlines())
    checked = judge("variants", "check", cwd=home)
    assert checked.returncode == 1
    assert "brooks: no mistakes\n" in checked.stdout and "lakes: 2 mistakes\n" in checked.stdout
    shown = judge("variants", "show", "lakes", cwd=home)
    assert shown.returncode == 2 and shown.stderr.startswith('judge: "lakes" cannot be played until')


def test_an_import_is_not_given_a_name_that_cannot_be_played(tmp_path):
    home = keepers(tmp_path)
    for name, why in {"standard": "own variant standard is used instead", "Two-Rivers": "up to 30 lower-case"}.items():
        done = judge("variants", "import", "two rivers.map", "--name", name, cwd=home)
        assert done.returncode == 2 and why in done.stderr and not (home / "own").exists()
    assert judge("variants", "import", "two rivers.map", "--name", "standard", "--to", ".", cwd=home).returncode == 0
