"""`judge games list`, `show`, `do` and `appoint`: the keeper in the place of a game's master.

Each public function returns the exit status: 0, 1 if something was refused, 2 if the work could not be started. The
daemon may run at the same time: only one of the two changes games at a time, and the daemon sends the mails.
"""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial

from judge.addresses import normal
from judge.commands import operator_commands
from judge.commands.core.command import CommandError
from judge.commands.core.context import CommandContext
from judge.commands.handler import LetterHandler
from judge.games.core.passwords import SlowWork
from judge.games.core.work import make_services
from judge.mails.templates import when
from judge.rules.board.names import counted
from judge.service.public_pages import PublicPages
from judge.settings import Settings
from judge.shell.calling import Refused
from judge.shell.database import for_keepers, opened
from judge.store.engine import reading, transaction
from judge.store.games import all_games, open_phase
from judge.store.locks import take_turn
from judge.store.people import people_of
from judge.store.seats import seats_of

Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


@for_keepers
def list_games(settings: Settings) -> int:
    """Print one line per game: what it waits for, until when, and its masters."""
    lines = []
    with reading(opened(settings)) as session:
        for game in all_games(session):
            phase, people = open_phase(session, game), people_of(session, game)
            masters = [
                f"{people[seat.person_id].name} <{seat.address}>"
                for seat in seats_of(session, game) if seat.role == "master"
            ]  # fmt: skip
            until = f"{phase.name} until {when(phase.deadline_at, settings.zone)}" if phase else ""
            paused = ", paused for lack of orders" if game.idle else ", paused" if game.state == "paused" else ""
            master = f"master {', '.join(masters)}" if masters else "NO MASTER"
            lines.append(f"{game.name:<20} {until or game.result or game.state}{paused}; {master}")
    print("\n".join(lines) or "No games yet.")
    return 0


@for_keepers
def publish(settings: Settings) -> int:
    """Write all public pages again."""
    if not settings.public.folder:
        raise Refused("[public] folder in judge.ini is empty; set it to the folder for the pages", 2)
    pages = PublicPages(opened(settings), make_services(settings))
    print(f"{counted(pages.write(), 'game')} with results: {settings.public.folder / 'index.html'}")
    return 0


def show_game(settings: Settings, game: str, now: Clock = _now) -> int:
    """Print all that a master may know about a game; the log records that the keeper has looked at it."""
    return do(settings, game, ["LIST"], now)


def do(settings: Settings, game: str, lines: Sequence[str], now: Clock = _now) -> int:
    """Carry out lines in a game as its master: those given, else those of standard input."""
    return _stand_in(settings, game, "\n".join(lines) if lines else sys.stdin.read(), now, operator_commands.do_lines)


def appoint(settings: Settings, game: str, address: str, now: Clock = _now) -> int:
    """Make a registered person a master of a game."""
    appointed = partial(operator_commands.appoint, address=normal(address) or address)
    return _stand_in(settings, game, f"A new master: {address}", now, appointed)


@for_keepers
def _stand_in(
    settings: Settings, game: str, asked: str, now: Clock,
    ask: Callable[[CommandContext, LetterHandler], tuple[str, bool]],
) -> int:
    """Ask, and print the answer; the request is stored first, so that it is one letter however often it is tried."""
    engine, services = opened(settings), make_services(settings)
    handler = LetterHandler(services)
    with transaction(engine) as session:
        letter_id = operator_commands.keep_slip(session, services, asked, now())
    while True:
        try:
            with transaction(engine) as session:
                take_turn(session)
                keeper = operator_commands.stand_in(session, handler, game, letter_id, now())
                answer, good = ask(keeper, handler)
            break
        except SlowWork as slow:  # passwords are hashed between two attempts
            slow.do()
        except CommandError as refusal:
            with transaction(engine) as session:
                operator_commands.drop_slip(session, handler, letter_id, now())
            raise Refused(refusal) from None
    print(answer)
    return 0 if good else 1
