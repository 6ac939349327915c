"""`judge games export` and `import`: a game taken out of this judge into a file, and put into one."""

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from judge.games.core.work import Work, make_services
from judge.games.record import export_import
from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store.engine import reading, transaction
from judge.store.games import game_named
from judge.store.locks import take_turn
from judge.store.seats import seats_of

# Only the keeper may read it: it holds orders, press and addresses.
_MODE = 0o600
# No game is as large: a file beyond that is something else.
_MOST_BYTES = 512 * 1024 * 1024


@for_keepers
def export(settings: Settings, game: str, to: Path | None, *, public: bool = False) -> int:
    """Write the whole game into the file `to` (`<name>.game.json`), which nobody else may read; or, if it has ended,
    without its people: as JSON (`<name>.public.json`), as HISTORY beside it.
    """
    path = to or Path(f"{game}.{'public' if public else 'game'}.json")
    beside = path.with_suffix(".txt")
    with reading(opened(settings)) as session:
        row = game_named(session, game)
        if not row:
            raise Refused(f"there is no game {game}")
        if not public:
            texts = {path: _json(export_import.packed(session, row))}
        elif row.state == "finished":
            history = export_import.public_history(session, row, make_services(settings).post, settings.zone)
            texts = {path: _json(export_import.public(session, row)), beside: history}
        else:
            raise Refused(f"game {game} has not ended: only then is it everybody's")
    for file, text in texts.items():
        _write(file, text)
    holds = "It holds orders, press and addresses, and no passwords. judge games import reads it."
    print(f"Written: {path} and {beside}, without people." if public else f"Written: {path}. {holds}")
    return 0


@for_keepers
def take_in(
    settings: Settings, file: Path, name: str = "", now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> int:
    """Put the game in the file into this judge, all of it or nothing; its people get new passwords by mail."""
    engine, services = opened(settings), make_services(settings)
    if file.stat().st_size > _MOST_BYTES:
        raise Refused(f"{file} is too large to be a game")
    try:
        text = file.read_text(encoding="utf-8")
        with transaction(engine) as session:
            take_turn(session)
            game = export_import.unpacked(Work(session, services, now()), text, name)
            arrived, people, paused = game.name, len(seats_of(session, game)), game.state == "paused"
    except UnicodeDecodeError:
        raise Refused(f"{file} is no text") from None
    except export_import.NoArchive as why:
        raise Refused(why) from None
    print(f"Game {arrived} is here. New passwords go to {people} {'seat' if people == 1 else 'seats'}.")
    if paused:
        print(f'It is paused until its master writes RESUME, or judge games do {arrived} "RESUME {arrived}".')
    return 0


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _write(path: Path, text: str) -> None:
    """Never over a file that is there."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Refused(f"{path} is there already: --to FILE names another") from None
