"""Draw a position, an outcome or a phase of a game into a file (`judge map`).

The command returns 0, 1 if its input was wrong, or 2 if it could not do its work.
"""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlmodel import Session

from judge.games.core.board import outcome_of, standing, variant_of
from judge.games.notifications import pictures
from judge.maps.draw import Form, page_names, tail
from judge.maps.geometry import Geometry, NoGeometry, load_geometry
from judge.maps.render import PictureFailed, picture
from judge.maps.scene import Scene, read_scene, scene_from_outcome, scene_of
from judge.rules import (
    PhaseError,
    PositionError,
    UnknownVariant,
    Variant,
    VariantError,
    position_from_json,
    read_phase,
    start_position,
)
from judge.rules.json_lines import answer, variant_of_line
from judge.shell.calling import complain, open_own_variants, settings_in
from judge.store.engine import UNUSABLE, opened, reading
from judge.store.games import game_named, played

_SUFFIXES = (".png", ".svg")


class NotThere(ValueError):
    """A phase, a game or a part of a board that does not exist."""


# The errors that a wrong line of input raises.
_WRONG = (json.JSONDecodeError, PositionError, UnknownVariant, VariantError, NoGeometry, NotThere)


# Errors that end the command, each printed on one line (judge/shell/calling.py).
ERRORS = (*UNUSABLE, UnicodeDecodeError, PhaseError, NotThere, VariantError, NoGeometry, PictureFailed)


def draw(config: Path | None, file: Path | None, game: str, phase: str, **wanted: Any) -> int:
    """Draw a game of the judge, or the lines in `file`, and return the exit status.

    The settings in `config` name the judge. A played phase of the game is drawn with its orders. Without `phase`, the
    current position is drawn. The lines are input or output lines of `judge adjudicate`, from standard input if there
    is no file. An input line with orders is adjudicated first. The other arguments are those of `_write`.
    """
    open_own_variants(config)
    if game:
        with reading(opened(settings_in(config))) as session:
            scene = _scene_of_game(session, game, read_phase(phase) if phase else "")
        _write(scene, **wanted)
        return 0
    status = 0
    text = file.read_text(encoding="utf-8") if file else sys.stdin.read()
    for number, line in enumerate(filter(str.strip, text.splitlines()), 1):
        try:
            _write(scene_of_line(json.loads(line)), **wanted)
        except _WRONG as mistake:
            complain(f"line {number}: {mistake}")
            status = 1
    return status


def scene_of_line(line: Any) -> Scene:
    """Return the scene for an input or output line of `judge adjudicate`.

    Raises an error of _WRONG if the line is wrong.
    """
    if not isinstance(line, dict):
        raise PositionError('A line must be a JSON object with the key "variant".')
    variant = variant_of_line(line)
    if "next" in line:
        return scene_from_outcome(variant, line)
    position = position_from_json(variant, line)
    if "orders" not in line:
        return scene_of(variant, position)
    # Keep the position of the line, since `scene_from_outcome` only reconstructs one from the outcome.
    return replace(scene_from_outcome(variant, answer(line)), position=position)


def _scene_of_game(session: Session, name: str, phase: str) -> Scene:
    game = game_named(session, name)
    if not game:
        raise NotThere(f"there is no game {name}")
    if phase:
        rows = [row for row in played(session, game) if row.name == phase]
        if not rows:
            raise NotThere(f"{phase} was not played in {name}")
        shown = pictures.scene(game, *outcome_of(game, rows[-1]), "results")
    else:
        shown = pictures.scene(game, standing(session, game) or start_position(variant_of(game)))
    if shown is None:
        raise NotThere(f"there is no map of {variant_of(game).name}")
    return read_scene(shown)


def _part_called(part: str, variant: Variant, geometry: Geometry) -> str:
    names = [*filter(None, page_names(geometry, "png"))]
    for name in names:
        if name.lower() == part.lower():
            return name
    raise NotThere(f"{variant.title} has no part {part}. Its parts: {', '.join(names) or 'none'}.")


def _write(scene: Scene, out: Path, width: int | None = None, part: str = "") -> None:
    """Write the picture to a file. For a PNG of a large board, also write one file for each part.

    `out` is a file, or a folder for files that are named after the phases. `width` is in pixels, or None for the
    board's default. `part` is the only part of the board to draw, or "" for the whole board and all its parts.
    """
    named = out.suffix in _SUFFIXES
    file = out if named else out / f"{scene.name or scene.variant.name}-{scene.position.phase}.png"
    form: Form = "svg" if file.suffix == ".svg" else "png"
    geometry = load_geometry(scene.variant.edition)
    pages = [_part_called(part, scene.variant, geometry)] if part else page_names(geometry, form)
    file.parent.mkdir(parents=True, exist_ok=True)
    for page in pages:
        target = file if part and named else file.with_stem(file.stem + tail(page))
        target.write_bytes(picture(scene, form, page, width=width or 0))
        print(target)
