"""What the keeper asks from the shell about games: `judge games list`, `show`, `do`, `appoint`, `export`, `import`.

Each public function returns the exit status: 0, 1 if something was refused, 2 if the work could not be started. The
daemon may run at the same time: the two take turns, and the daemon sends the mails that were written here.
"""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.addresses import normal
from judge.desk.desk import Desk
from judge.desk.keeper import StandIn, StandInRefused, drop_slip, keep_slip
from judge.games.core.office import KeyUnusable, Office, make_office
from judge.games.core.passwords import SlowWork
from judge.mails.templates import when
from judge.settings import Settings
from judge.shell import archives
from judge.shell.database import opened
from judge.store.engine import StoreError, reading, transaction
from judge.store.games import all_games, open_phase
from judge.store.locks import take_turn
from judge.store.people import people_of
from judge.store.seats import seats_of
from judge.store.tables import Game

Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


def list_games(settings: Settings) -> int:
    """One line per game: what it waits for, until when, and who its masters are."""

    def work(engine: Engine, office: Office) -> int:
        with reading(engine) as session:
            print("\n".join(_line(session, game, settings.zone) for game in all_games(session)) or "No games yet.")
        return 0

    return _at_work(settings, work)


def show_game(settings: Settings, name: str, now: Clock = _now) -> int:
    """Everything that a master may know about a game; the log records that the keeper has looked at it."""
    return do(settings, name, ["LIST"], now)


def do(settings: Settings, name: str, lines: Sequence[str], now: Clock = _now) -> int:
    """Carry out `lines` (if none are given, those of standard input) in a game, as its master."""
    asked = "\n".join(lines) if lines else sys.stdin.read()
    return _at_work(settings, lambda engine, office: _stand_in(engine, office, name, asked, now, StandIn.does))


def appoint(settings: Settings, name: str, address: str, now: Clock = _now) -> int:
    """Give a game a new master."""

    def appoints(standin: StandIn) -> tuple[str, bool]:
        return standin.appoints(normal(address) or address), True

    slip = f"A new master: {address}"
    return _at_work(settings, lambda engine, office: _stand_in(engine, office, name, slip, now, appoints))


def export(settings: Settings, name: str, to: Path | None, *, public: bool) -> int:
    """Write a game into a file: whole, or without its people (judge/shell/archives.py)."""
    write = archives.export_public if public else archives.export
    return _at_work(settings, lambda engine, office: write(engine, office, name, to))


def take_in(settings: Settings, path: Path, name: str, now: Clock = _now) -> int:
    """Put a game that was exported into this judge."""
    return _at_work(settings, lambda engine, office: archives.take_in(engine, office, path, name, now))


def _at_work(settings: Settings, work: Callable[[Engine, Office], int]) -> int:
    try:
        return work(opened(settings), make_office(settings))
    except StandInRefused as refusal:
        print(f"judge: {refusal}", file=sys.stderr)
        return 1
    except (StoreError, KeyUnusable, OperationalError, OSError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2


def _stand_in(
    engine: Engine, office: Office, name: str, asked: str, now: Clock, ask: Callable[[StandIn], tuple[str, bool]]
) -> int:
    """Print the result; the request is stored first, so that it stays a single letter if it is tried again."""
    desk = Desk(office)
    with transaction(engine) as session:
        letter_id = keep_slip(session, office, desk, asked, now())
    try:
        answer, good = _change(engine, lambda session: ask(StandIn(session, office, desk, name, letter_id, now())))
    except StandInRefused:
        with transaction(engine) as session:
            drop_slip(session, desk, letter_id, now())
        raise
    print(answer)
    return 0 if good else 1


def _change(engine: Engine, work: Callable[[Session], tuple[str, bool]]) -> tuple[str, bool]:
    """All changes are in one transaction; passwords are hashed between two attempts."""
    while True:
        try:
            with transaction(engine) as session:
                take_turn(session)
                return work(session)
        except SlowWork as slow:
            slow.do()


def _line(session: Session, game: Game, zone: str) -> str:
    phase = open_phase(session, game)
    people = people_of(session, game)
    masters = [
        f"{people[seat.person_id].name} <{seat.address}>" for seat in seats_of(session, game) if seat.role == "master"
    ]
    state = f"{phase.name} until {when(phase.deadline_at, zone)}" if phase else game.result or game.state
    paused = ", paused since nobody orders" if game.idle else ", paused" if game.state == "paused" else ""
    return f"{game.name:<20} {state}{paused}; {'master ' + ', '.join(masters) if masters else 'NO MASTER'}"
