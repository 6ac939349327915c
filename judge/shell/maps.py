"""`judge map`: a position, an outcome or a phase of a game as a picture in a file.

Returns the exit status: 0, 1 if its input was wrong, 2 if it could not do its work.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.outcomes import outcome_of, standing
from judge.games.telling import pictures
from judge.maps import NoGeometry, Scene, load_geometry, read_scene, scene_of
from judge.maps.album import Form, sheets, tail
from judge.maps.hindsight import scene_of_answer
from judge.maps.png import PictureFailed, Renderer
from judge.rules import (
    PhaseError,
    PositionError,
    UnknownVariant,
    VariantError,
    open_catalogue,
    position_from_json,
    read_phase,
    start_position,
)
from judge.rules.json_lines import answer, variant_of_line
from judge.settings import Settings
from judge.store.engine import StoreError, open_engine, reading
from judge.store.lookups import game_named
from judge.store.records import played

_SUFFIXES = (".png", ".svg")


class NotThere(ValueError):
    """The phase or game that was asked for does not exist; the message says so."""


def map_lines(file: Path | None, out: Path, width: int) -> int:
    """A picture for every line of JSON in a file or on standard input: in-lines and out-lines of `judge adjudicate`.

    An in-line with orders is adjudicated first. `out` is a file, or a folder for files named after the phases.
    """
    status = 0
    try:
        text = file.read_text(encoding="utf-8") if file else sys.stdin.read()
        with Renderer() as renderer:
            for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
                try:
                    _write(_scene_of_line(json.loads(line)), out, width, renderer)
                except (json.JSONDecodeError, PositionError, UnknownVariant, VariantError, NoGeometry) as mistake:
                    print(f"judge: line {number}: {mistake}", file=sys.stderr)
                    status = 1
    except (OSError, UnicodeDecodeError, PictureFailed) as error:
        return _complain(error)
    return status


def map_game(settings: Settings, name: str, phase: str, out: Path, width: int) -> int:
    """A picture of a game in the judge's database: of a phase that was played, with its orders, or else of the current
    position.
    """
    try:
        open_catalogue(settings.variants, settings.editions)
        engine = open_engine(settings.store_url)
        with reading(engine) as session:
            scene = _scene_of_game(session, name, read_phase(phase) if phase else "")
        with Renderer() as renderer:
            _write(scene, out, width, renderer)
    except (OSError, StoreError, PhaseError, NotThere, VariantError, NoGeometry, PictureFailed) as error:
        return _complain(error)
    return 0


def _scene_of_line(line: Any) -> Scene:
    if not isinstance(line, Mapping):
        raise PositionError('A line must be a JSON object with the key "variant".')
    variant = variant_of_line(line)
    if "next" in line:
        return scene_of_answer(variant, line)
    position = position_from_json(variant, line)
    if "orders" not in line:
        return scene_of(variant, position)
    # The out-line also names the orders that could not be read; the position is the one that was given.
    return replace(scene_of_answer(variant, answer(line)), position=position)


def _scene_of_game(session: Session, name: str, phase: str) -> Scene:
    game = game_named(session, name)
    if not game:
        raise NotThere(f"there is no game {name}")
    if phase:
        rows = [row for row in played(session, game) if row.name == phase]
        if not rows:
            raise NotThere(f"{phase} was not played in game {name}")
        shown = pictures.scene(game, *outcome_of(game, rows[-1]), "results")
    else:
        shown = pictures.scene(game, standing(session, game) or start_position(variant_of(game)))
    if shown is None:
        raise NotThere(f"there is no map of {variant_of(game).name}")
    return read_scene(shown)


def _write(scene: Scene, out: Path, width: int, renderer: Renderer) -> None:
    """One file; if the board is too large for one picture, one more file for each of its parts."""
    named = out.suffix in _SUFFIXES
    file = out if named else out / f"{scene.name or scene.variant.name}-{scene.position.phase}.png"
    form: Form = "svg" if file.suffix == ".svg" else "png"
    file.parent.mkdir(parents=True, exist_ok=True)
    for sheet in sheets(scene, load_geometry(scene.variant.edition), form):
        target = file.with_stem(file.stem + tail(sheet.part))
        data = sheet.svg.encode() if form == "svg" else renderer.png(sheet.svg, width or sheet.width)
        target.write_bytes(data)
        print(target)


def _complain(error: object) -> int:
    print(f"judge: {error}", file=sys.stderr)
    return 2
