"""`judge games export` and `import`: a game taken out of this judge into a file, and put into one.

Each function returns the exit status: 0, or 1 if that was refused.
"""

import json
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import Engine

from judge.games.core.office import Office
from judge.games.core.turn import Turn
from judge.games.record import moving
from judge.store.engine import reading, transaction
from judge.store.games import game_named
from judge.store.locks import take_turn
from judge.store.seats import seats_of

# Only the keeper may read it: it holds orders, press and addresses.
_MODE = 0o600
# No game is as large: a file beyond that is something else.
_MOST_BYTES = 512 * 1024 * 1024


def export(engine: Engine, office: Office, name: str, to: Path | None) -> int:
    """Write the whole game into the file `to` (`<name>.game.json`), which nobody else may read."""
    with reading(engine) as session:
        game = game_named(session, name)
        packed = moving.packed(session, game) if game else None
    if packed is None:
        return _refused(f"there is no game {name}")
    path = to or Path(f"{name}.game.json")
    if status := _write(path, json.dumps(packed, ensure_ascii=False, indent=1) + "\n"):
        return status
    print(f"Written: {path}. It holds orders, press and addresses, and no passwords. judge games import reads it.")
    return 0


def export_public(engine: Engine, office: Office, name: str, to: Path | None) -> int:
    """Write an ended game without its people: as JSON into `to` (`<name>.public.json`), as HISTORY beside it."""
    with reading(engine) as session:
        game = game_named(session, name)
        if not game:
            return _refused(f"there is no game {name}")
        if game.state != "finished":
            return _refused(f"game {name} has not ended: only then is it everybody's")
        told = json.dumps(moving.public(session, game), ensure_ascii=False, indent=1) + "\n"
        history = moving.public_history(session, game, office.post, office.settings.zone)
    path = to or Path(f"{name}.public.json")
    if status := _write(path, told) or _write(path.with_suffix(".txt"), history):
        return status
    print(f"Written: {path} and {path.with_suffix('.txt')}, without people.")
    return 0


def take_in(engine: Engine, office: Office, path: Path, name: str, now: Callable[[], datetime]) -> int:
    """Put the game in the file into this judge, all of it or nothing; its people get new passwords by mail."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            return _refused(f"{path} is too large to be a game")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return _refused(f"{path} is no text")
    try:
        with transaction(engine) as session:
            take_turn(session)
            game = moving.unpacked(Turn(session, office, now()), text, name)
            arrived, people, paused = game.name, len(seats_of(session, game)), game.state == "paused"
    except moving.NoArchive as why:
        return _refused(str(why))
    print(f"Game {arrived} is here. New passwords go to {people} {'seat' if people == 1 else 'seats'}.")
    if paused:
        print(f'It is paused until its master writes RESUME, or judge games do {arrived} "RESUME {arrived}".')
    return 0


def _write(path: Path, text: str) -> int:
    """Never over a file that is there."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return _refused(f"{path} is there already: --to FILE names another")
    return 0


def _refused(why: str) -> int:
    print(f"judge: {why}", file=sys.stderr)
    return 1
