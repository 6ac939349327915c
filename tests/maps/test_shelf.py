"""What one renderer has drawn of a board the next one finds, if it is whole and nobody else could have put it there."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from PIL import Image

from judge.maps import load_geometry, picture, png
from judge.maps.png import Renderer
from judge.maps.shelf import Shelf
from tests.maps.boards import busiest
from tests.maps.test_renderer import Counting, in_pieces, options

__all__ = ["options"]

NAME, TOLD = "a ground", ["two", 2]
RED, GREY = Image.new("RGB", (3, 2), "#ff0000"), Image.new("L", (2, 2), 7)
ROOT = os.geteuid() == 0


def filled(folder: Path, **more: int) -> Shelf:
    shelf = Shelf(folder, [], **more)
    shelf.keep(NAME, TOLD, [RED, GREY])
    return shelf


def files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


def test_what_is_kept_is_found_by_another_shelf(tmp_path: Path):
    filled(tmp_path / "new" / "boards")
    assert (tmp_path / "new" / "boards").stat().st_mode & 0o777 == 0o700
    found = Shelf(tmp_path / "new" / "boards", []).find(NAME)
    assert found
    told, (red, grey) = found
    assert (told, red.tobytes(), grey.tobytes()) == (TOLD, RED.tobytes(), GREY.tobytes())
    assert Shelf(tmp_path / "new" / "boards", []).find("another ground") is None


def test_pictures_with_a_palette_keep_it(tmp_path: Path):
    image = RED.quantize(4)
    Shelf(tmp_path, []).keep(NAME, None, [image])
    found = Shelf(tmp_path, []).find(NAME)
    assert found and found[1][0].convert("RGB").tobytes() == RED.tobytes()


def test_what_was_drawn_by_other_code_is_not_found(tmp_path: Path):
    code = tmp_path / "code"
    code.write_text("one")
    shelf = Shelf(tmp_path / "boards", [code])
    shelf.keep(NAME, TOLD, [RED])
    code.write_text("two")
    assert shelf.find(NAME) and Shelf(tmp_path / "boards", [code]).find(NAME) is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:-1],
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: b"something else",
    ],
    ids=["empty", "cut off", "a bit", "foreign"],
)
def test_a_damaged_file_is_drawn_anew(tmp_path: Path, spoil: Callable[[bytes], bytes]):
    shelf = filled(tmp_path)
    (file,) = files(tmp_path)
    file.write_bytes(spoil(file.read_bytes()))
    assert shelf.find(NAME) is None
    shelf.keep(NAME, TOLD, [RED])
    assert shelf.find(NAME)


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path, mode: int):
    filled(tmp_path)
    tmp_path.chmod(mode)
    shelf = Shelf(tmp_path, [])
    assert shelf.find(NAME) is None
    shelf.keep("more", TOLD, [RED])
    assert len(files(tmp_path)) == 1


@pytest.mark.skipif(not ROOT, reason="only root can give a folder away")
def test_a_folder_of_somebody_else_is_not_used(tmp_path: Path):
    filled(tmp_path)
    os.chown(tmp_path, 65534, 65534)
    assert Shelf(tmp_path, []).find(NAME) is None


def test_a_link_and_what_cannot_be_made_are_not_used(tmp_path: Path):
    filled(tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "link", tmp_path / "file", tmp_path / "file" / "below"):
        shelf = filled(folder)
        assert shelf.find(NAME) is None


def test_what_was_not_needed_for_the_longest_goes(tmp_path: Path):
    (tmp_path / "left.123.new").write_bytes(bytes(500))
    os.utime(tmp_path / "left.123.new", (1, 1))
    filled(tmp_path)
    room = sum(file.stat().st_size for file in files(tmp_path))
    shelf = Shelf(tmp_path, [], room=room)
    for number in range(9):
        shelf.keep(f"{number}", TOLD, [RED, GREY])
        for age, file in enumerate(sorted(files(tmp_path), key=lambda file: file.stat().st_mtime_ns, reverse=True)):
            os.utime(file, (1000 - age, 1000 - age))
        assert shelf.find(NAME), "it was needed just now"
    assert sum(file.stat().st_size for file in files(tmp_path)) <= room
    assert shelf.find("0") is None and shelf.find("8")
    assert not list(tmp_path.glob("*.new"))


def test_renderers_find_what_others_have_drawn(options, tmp_path: Path):
    scenes, geometry = busiest("standard"), load_geometry("standard")
    first, later, alone = (
        Counting(options, Shelf(tmp_path, [])), Counting(options, Shelf(tmp_path, [])), Counting(options)
    )  # fmt: skip
    shown = picture(scenes["M"], geometry)
    pictures = [in_pieces(by, shown) for by in (first, later, alone)]
    assert pictures[0] == pictures[1] == pictures[2]
    assert first.drawn == alone.drawn > 10 * later.drawn


def keeps_and_finds(folder: Path, shade: int) -> bool:
    """Each time what is found is the whole that one of all has kept."""
    shelf = Shelf(folder, [])
    for _ in range(30):
        shelf.keep(NAME, shade, [Image.new("L", (300, 300), shade)])
        found = shelf.find(NAME)
        if not found or set(found[1][0].tobytes()) != {found[0]}:
            return False
    return True


def test_many_may_keep_what_they_draw_at_once(tmp_path: Path):
    with ProcessPoolExecutor(4, get_context("fork")) as pool:
        assert all(pool.map(keeps_and_finds, [tmp_path] * 4, range(4)))
    assert len(files(tmp_path)) == 1


def test_a_new_process_finds_what_another_has_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    shown = picture(busiest("standard")["M"], load_geometry("standard"))
    pictures = []
    for _ in range(2):
        with Renderer() as renderer:
            pictures.append(renderer.png(shown, shown.pixels, patience=300))
    kept = files(tmp_path)
    assert kept
    assert pictures[0] == pictures[1]
    for file in kept:
        file.write_bytes(b"nothing")
    with Renderer() as renderer:
        assert renderer.png(shown, shown.pixels, patience=300) == pictures[0]
    assert all(file.read_bytes() != b"nothing" for file in kept)


@pytest.mark.parametrize(
    ("told", "folder"), [("/kept", "/kept/judge/boards"), ("kept", "/home/fay/.cache/judge/boards")]
)
def test_it_is_in_the_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, told: str, folder: str):
    """A path that is not absolute does not count (XDG Base Directory Specification)."""
    monkeypatch.setenv("HOME", "/home/fay")
    monkeypatch.setenv("XDG_CACHE_HOME", told)
    assert str(png.user_cache()) == folder
