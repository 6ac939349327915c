"""What the keeper asks from the shell about games: `judge games list`, `show`, `do`, `appoint`.

Each public function returns the exit status: 0, 1 if something was refused, 2 if the work could not be started. The
daemon may run at the same time: the two take turns, and the daemon sends the mails that were written here.
"""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlmodel import Session

from judge.addresses import normal
from judge.commands.handler import LetterHandler
from judge.commands.operator_commands import OperatorContext, StandInRefused, drop_slip, keep_slip
from judge.games.core.passwords import SlowWork
from judge.games.core.work import make_services
from judge.mails.templates import when
from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store.engine import reading, transaction
from judge.store.games import all_games, open_phase
from judge.store.locks import take_turn
from judge.store.people import people_of
from judge.store.seats import seats_of
from judge.store.tables import Game

Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


@for_keepers
def list_games(settings: Settings) -> int:
    """One line per game: what it waits for, until when, and who its masters are."""
    with reading(opened(settings)) as session:
        print("\n".join(_line(session, game, settings.zone) for game in all_games(session)) or "No games yet.")
    return 0


def show_game(settings: Settings, game: str, now: Clock = _now) -> int:
    """Everything that a master may know about a game; the log records that the keeper has looked at it."""
    return do(settings, game, ["LIST"], now)


def do(settings: Settings, game: str, lines: Sequence[str], now: Clock = _now) -> int:
    """Carry out `lines` (if none are given, those of standard input) in a game, as its master."""
    return _stand_in(settings, game, "\n".join(lines) if lines else sys.stdin.read(), now, OperatorContext.does)


def appoint(settings: Settings, game: str, address: str, now: Clock = _now) -> int:
    """Give a game a new master."""
    known = normal(address) or address
    return _stand_in(settings, game, f"A new master: {address}", now, lambda keeper: (keeper.appoints(known), True))


@for_keepers
def _stand_in(
    settings: Settings, game: str, asked: str, now: Clock, ask: Callable[[OperatorContext], tuple[str, bool]]
) -> int:
    """Print the result; the request is stored first, so that it stays a single letter if it is tried again."""
    engine, services = opened(settings), make_services(settings)
    handler = LetterHandler(services)
    with transaction(engine) as session:
        letter_id = keep_slip(session, services, handler, asked, now())
    while True:
        try:
            with transaction(engine) as session:
                take_turn(session)
                answer, good = ask(OperatorContext(session, services, handler, game, letter_id, now()))
            break
        except SlowWork as slow:  # passwords are hashed between two attempts
            slow.do()
        except StandInRefused as refusal:
            with transaction(engine) as session:
                drop_slip(session, handler, letter_id, now())
            raise Refused(refusal) from None
    print(answer)
    return 0 if good else 1


def _line(session: Session, game: Game, zone: str) -> str:
    phase = open_phase(session, game)
    people = people_of(session, game)
    masters = [
        f"{people[seat.person_id].name} <{seat.address}>" for seat in seats_of(session, game) if seat.role == "master"
    ]
    state = f"{phase.name} until {when(phase.deadline_at, zone)}" if phase else game.result or game.state
    paused = ", paused since nobody orders" if game.idle else ", paused" if game.state == "paused" else ""
    return f"{game.name:<20} {state}{paused}; {'master ' + ', '.join(masters) if masters else 'NO MASTER'}"
