"""One function from a scene's JSON to a picture's bytes, which may be sent to another process."""

import io
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from judge.maps.render import PictureFailed, parts_of, render
from judge.rules import load_variant, position_to_json, start_position


def told(name: str) -> dict[str, Any]:
    variant = load_variant(name)
    position = position_to_json(variant, start_position(variant))
    return {"variant": name, "name": "heron", "occasion": "start", "position": position, "outcome": None}


def test_every_part_of_a_form_is_a_picture(tmp_path: Path):
    assert parts_of("standard", "png") == ["", "West", "East"]
    assert parts_of("standard", "small") == parts_of("standard", "svg") == [""]
    for part in parts_of("standard", "png"):
        work = pickle.loads(pickle.dumps(partial(render, told("standard"), "png", part, tmp_path)))
        assert Image.open(io.BytesIO(work())).format == "PNG"
    assert render(told("standard"), "svg").startswith(b"<svg")


@pytest.mark.parametrize(
    ("scene", "part", "reason"),
    [
        (told("standard"), "Atlantis", "standard has no part Atlantis"),
        (told("standard") | {"variant": "atlantis"}, "", "atlantis"),
        ({"variant": "standard"}, "", "position"),
    ],
    ids=["part", "variant", "scene"],
)
def test_what_cannot_be_drawn_is_a_reason(scene: dict[str, Any], part: str, reason: str):
    with pytest.raises(PictureFailed, match=reason):
        render(scene, "png", part)
