"""`judge map` and what the other commands say of drawings, as somebody at a shell sees them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from judge.maps.geometry import load_geometry
from judge.rules.variant.registry import GEOMETRY_FILE
from judge.rules.variant.variant import variants_folder
from tests.commands.deskatwork import SAMPLE, DeskAtWork
from tests.forked import run_judge
from tests.games.notifications.test_pictures import results

LINE = {"variant": "standard", "phase": "S1901M", "orders": {"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]}}
# Pixels: where it does not matter what is seen, a picture is drawn that takes little time.
SMALL = 300


def judge(*arguments: object, text: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    return run_judge(*arguments, text=text, variables=variables or None)


def test_lines_in_are_adjudicated_and_drawn(tmp_path: Path):
    done = judge("map", "--out", tmp_path, text=json.dumps(LINE))
    files = [tmp_path / f"standard-S1901M{part}.png" for part in ("", "-west", "-east")]
    assert (done.returncode, done.stdout.split()) == (0, list(map(str, files)))
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


def test_what_adjudicate_answers_is_drawn_the_same(tmp_path: Path):
    one, other = tmp_path / "one.svg", tmp_path / "other.svg"
    assert judge("map", "--out", one, text=json.dumps(LINE)).returncode == 0
    answer = judge("adjudicate", text=json.dumps(LINE)).stdout
    assert judge("map", "--out", other, text=answer).returncode == 0
    assert "failed" in one.read_text()
    assert one.read_text() == other.read_text()


def test_a_large_board_is_a_file_and_one_for_each_part(tmp_path: Path):
    groups = {"Red": ["Mexico"], "Green": ["Dutch East Indies"]}
    line = json.dumps({"variant": "intercontinental", "phase": "S1865M", "groups": groups})
    done = judge("map", "--width", SMALL, "--out", tmp_path / "world.png", text=line)
    assert done.returncode == 0
    files = [Path(name).name for name in done.stdout.split()]
    assert files[:2] == ["world.png", "world-western-europe.png"]
    assert len(files) == 1 + len(load_geometry("intercontinental").parts)
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in files)
    assert judge("map", "--out", tmp_path / "world.svg", text=line).stdout.split() == [f"{tmp_path}/world.svg"]
    assert "Red: 5" in (tmp_path / "world.svg").read_text()  # Austria and Mexico


def test_a_part_alone(tmp_path: Path):
    line = json.dumps({"variant": "intercontinental", "phase": "S1865M"})
    done = judge("map", "--part", "north america", "--out", tmp_path / "here.png", text=line)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}/here.png\n")
    assert "North America" in _svg(tmp_path, "--part", "North America", text=line)
    done = judge("map", "--part", "Mars", "--out", tmp_path, text=line)
    assert done.returncode == 1
    assert "Intercontinental has no part Mars. Its parts: Western Europe, " in done.stderr


def _svg(folder: Path, *arguments: str, text: str) -> str:
    file = folder / "drawn.svg"
    done = judge("map", *arguments, "--out", file, text=text)
    assert (done.returncode, done.stderr) == (0, "")
    return file.read_text()


@pytest.mark.parametrize("line", ["x", "[]", '{"variant": "chess"}', '{"variant": "standard", "next": "F1901M"}'])
def test_a_bad_line_is_told_and_the_others_are_drawn(tmp_path: Path, line: str):
    done = judge("map", "--width", SMALL, "--out", tmp_path, text=f"{line}\n{json.dumps(LINE)}\n")
    assert done.returncode == 1
    assert done.stderr.startswith("judge: line 1: ")
    assert "Traceback" not in done.stderr
    assert (tmp_path / "standard-S1901M.png").exists()


def test_a_game_is_drawn_from_its_database(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    results(desk)
    here = {"JUDGE_JUDGE_HOME": str(tmp_path), "PATH": ""}
    drawn = tmp_path / "heron.svg"
    done = judge("map", "--config", SAMPLE, "--game", "heron", "--phase", "S1901M", "--out", drawn, **here)
    assert (done.returncode, done.stderr) == (0, "")
    assert "heron: Spring 1901, movement: results" in drawn.read_text()
    assert judge("map", "--config", SAMPLE, "--game", "heron", "--out", drawn, **here).returncode == 0
    assert "heron: Fall 1901, movement" in drawn.read_text()
    for wrong in (["--game", "crow"], ["--game", "heron", "--phase", "F1905M"], ["--game", "heron", "--phase", "soon"]):
        done = judge("map", "--config", SAMPLE, *wrong, **here)
        assert done.returncode == 2
        assert done.stderr.startswith("judge: ")


def test_a_geometry_that_does_not_fit_its_map_is_told(tmp_path: Path):
    folder = tmp_path / "standard"
    shutil.copytree(variants_folder() / "standard", folder)
    geometry = folder / GEOMETRY_FILE
    text = geometry.read_text()
    for one, other in (("BUR", "PAR"), ("PAR", "BUR")):
        text = text.replace(f'"l","{one}","{other}"', f'"lx","{one}","{other}"')
    geometry.write_text(text)
    done = judge("variants", "check", folder)
    assert done.returncode == 1
    assert "BUR-PAR is a border but is drawn neither as a line nor as a link." in done.stdout
    geometry.write_text("{}")
    done = judge("variants", "check", folder)
    assert done.returncode == 1
    assert f"{geometry} cannot be used: KeyError('arcs')" in done.stdout
    geometry.unlink()
    assert judge("variants", "check", folder).returncode == 0
