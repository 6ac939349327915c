"""PNGs: small enough for a mail, quick, with text, and a failure is an exception with a reason."""

import io
import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from judge.maps import picture
from judge.maps import png as pngs
from judge.maps.album import Sheet, sheets
from judge.maps.geometry import Window
from judge.maps.legible import PHONE
from judge.maps.pieces import Ground, Picture
from judge.maps.png import LIMIT, WHOLE, PictureFailed, Renderer
from judge.maps.theatres import theatres
from tests.maps.boards import DRAWN, board, busiest, crowded

Png = Callable[..., bytes]
# What three pictures may take of a mail's 450 kB, before base64: the rest is its text.
FOR_PICTURES = 312_000
# Seconds that a busy machine may take for one.
PATIENT = 300.0
# Seconds of the processor that a picture may take, on the average of a phase.
QUICK = 0.5
PICTURES = 8
_BARE = Ground("", (), "", 1, "")
_DOT = Picture((9, 9), 9, "", "", "#ffffff", Window(0, 0, 9, 9), 0, _BARE, (), (), ())


@pytest.fixture(scope="module")
def png() -> Iterator[Png]:
    with Renderer() as renderer:
        yield partial(renderer.png, patience=PATIENT)


@pytest.mark.parametrize("name", DRAWN)
def test_every_board_fits_into_a_mail(name: str, png: Png):
    """Also late in a game, without being made smaller: all that a reader gets, whoever it is."""
    _, geometry = board(name)
    late = crowded(name)
    bytes_of = {}
    for sheet in sheets(late, geometry, "png"):
        limit = LIMIT if sheet.part else WHOLE
        data = png(sheet.picture, sheet.width, limit=limit)
        bytes_of[sheet.part] = len(data)
        assert len(data) <= limit
        image = Image.open(io.BytesIO(data))
        assert (image.format, image.mode) == ("PNG", "P")
        assert image.width == sheet.width >= 2 * PHONE
    for powers in ([], *([power.name] for power in late.variant.powers)):
        told = theatres(geometry, late.position, powers)
        assert len(told) <= 3
        assert sum(bytes_of[part] for part in told) <= FOR_PICTURES, powers


def test_every_name_is_legible_where_it_is_read():
    """At the width of its picture a letter is at least so many pixels high, the smallest 10."""
    for name in DRAWN:
        _, geometry = board(name)
        views = [(part.window, part.pixels / part.window.width) for part in geometry.parts] or [
            (geometry.window, geometry.width / geometry.box[0])
        ]
        for abbr, spot in geometry.spots.items():
            heights = [
                geometry.label * spot.label_scale * scale for window, scale in views if window.meets([spot.label])
            ]
            assert max(heights) >= (13 if spot.label_scale == 1 and geometry.parts else 5.5), f"{name}: {abbr}"


@pytest.mark.benchmarks
@pytest.mark.parametrize("name", DRAWN)
def test_a_png_is_quickly_made(name: str):
    """In seconds of the processor: the clock on the wall also counts what others do."""
    scene, (_, geometry) = busiest(name)["M"], board(name)
    drawn = list(sheets(scene, geometry, "png"))
    start = _worked(drawn[:1], 0)
    took = (_worked(drawn, PICTURES) - start) / PICTURES
    print(f"\n{name}: {len(drawn)} pictures in {took:.2f} s, the renderer's start {start:.2f} s")
    assert took < QUICK * len(drawn)


def _worked(drawn: list[Sheet], times: int) -> float:
    """The time that a new renderer takes to draw all of these so many times."""
    began = _children_worked()
    with Renderer() as renderer:
        renderer.png(_DOT, 9)
        for sheet in drawn * times:
            renderer.png(sheet.picture, sheet.width)
    return _children_worked() - began


def _children_worked() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_smaller_picture_has_fewer_bytes(png: Png):
    _, geometry = board("standard")
    shown = picture(busiest("standard")["S"], geometry)
    whole, small = png(shown, 1400), png(shown, 900)
    assert Image.open(io.BytesIO(small)).width == 900
    assert len(small) < len(whole) * 0.7


def test_a_picture_that_is_too_large_is_made_smaller(png: Png):
    _, geometry = board("standard")
    data = png(picture(busiest("standard")["S"], geometry), 1400, limit=40_000)
    assert len(data) <= 40_000
    assert 300 < Image.open(io.BytesIO(data)).width < 1400


def test_the_text_is_there_whatever_fonts_the_machine_has(png: Png):
    """Without its font the renderer leaves text out and says nothing."""
    _, geometry = board("standard")
    shown = picture(busiest("standard")["S"], geometry)
    mute = replace(shown, page=())
    spoken, silent = (Image.open(io.BytesIO(png(one, 1400))).convert("L") for one in (shown, mute))
    title = (0, 0, 700, 40)
    dark = [sum(value < 90 for value in image.crop(title).tobytes()) for image in (spoken, silent)]
    assert dark[0] > 500 > dark[1] == 0


def test_what_is_no_svg_is_a_reason(png: Png):
    with pytest.raises(PictureFailed, match="ParsingFailed"):
        png(replace(_DOT, ground=replace(_BARE, base="<this is no picture")), 9)


def test_a_renderer_that_hangs_is_left(png: Png):
    _, geometry = board("standard")
    with pytest.raises(PictureFailed, match="longer than 0.01 s"):
        png(picture(busiest("standard")["S"], geometry), 1400, patience=0.01)


def test_a_renderer_that_cannot_start_says_what_it_misses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    script = tmp_path / "renderer.py"
    script.write_text("import sys\nprint('first this', file=sys.stderr)\nimport no_such_engine\n")
    monkeypatch.setattr(pngs, "_RENDERER", script)
    with Renderer() as renderer, pytest.raises(PictureFailed) as failure:
        renderer.png(_DOT, 9)
    assert str(failure.value) == "the renderer failed: ModuleNotFoundError: No module named 'no_such_engine'"


def test_a_limit_that_nothing_fits_is_a_reason(png: Png):
    with pytest.raises(PictureFailed, match="does not fit"):
        png(_DOT, 9, limit=10)
