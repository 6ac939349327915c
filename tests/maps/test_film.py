"""A game as an animated picture: every phase as its own picture shows it, and small enough for a mail."""

import io

import pytest
from PIL import Image, ImageChops
from PIL.PngImagePlugin import PngImageFile

from judge.maps import film as made
from judge.maps.film import film
from judge.maps.render import render
from judge.rules import adjudicate, load_variant, parse_order, position_to_json, start_position
from judge.rules.json_forms import outcome_as_told

STANDARD = load_variant("standard")


def scene(*spring: str) -> dict:
    """The film of a game of one phase, with these orders of France, and of its end."""
    start = start_position(STANDARD)
    outcome = adjudicate(STANDARD, start, {"France": [parse_order(STANDARD, "M", line) for line in spring]})
    told = {**outcome_as_told(STANDARD, outcome), "bids": []}
    frames = [(start, None, "start"), (start, told, "results"), (outcome.position, None, "")]
    shown = [{"position": position_to_json(STANDARD, position), "outcome": result, "occasion": occasion}
             for position, result, occasion in frames]  # fmt: skip
    return {"variant": "standard", "name": "heron", **shown[-1], "frames": shown}


def opened(png: bytes) -> PngImageFile:
    image = Image.open(io.BytesIO(png))
    assert isinstance(image, PngImageFile)
    return image


def is_like(frame: Image.Image, alone: Image.Image) -> bool:
    """Whether nobody sees a difference."""
    differs = ImageChops.difference(frame.convert("RGB").crop((0, 0, *alone.size)), alone)
    return differs.point(lambda difference: max(0, difference - 8)).getbbox() is None


def test_each_frame_shows_what_the_picture_of_its_phase_shows():
    told = scene("A PAR - BUR", "F BRE - MAO")
    moving = opened(film(told))
    assert moving.n_frames == 3 and moving.info["loop"] == 0
    for number, frame in enumerate(told["frames"]):
        moving.seek(number)
        alone = opened(render({**told, **frame}, "film")).convert("RGB")
        assert is_like(moving, alone), number
    assert moving.info["duration"] > 5000, "the end stays"


def test_a_film_that_is_too_large_has_fewer_frames_and_always_the_end(monkeypatch: pytest.MonkeyPatch):
    told = scene("A PAR - BUR")
    whole = film(told)
    monkeypatch.setattr(made, "MOST_BYTES", len(whole) - 1)
    less = opened(film(told))
    less.seek(less.n_frames - 1)
    assert less.n_frames == 2
    end = opened(render({**told, **told["frames"][-1]}, "film")).convert("RGB")
    assert is_like(less, end)
