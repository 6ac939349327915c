"""Who takes a seat that nobody holds: its old player, or a new one (judge-commands 2.1).

njudge moved the deadline only when the last gap was filled; a newcomer always gets fresh time here, as long as if
the phase had just opened.
"""

from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.deadlines import schedule
from judge.games.life import forming
from judge.games.telling import notices
from judge.store.tables import Event, Game, Person, Phase, Seat


def come_back(session: Session, office: Office, game: Game, seat: Seat, now: datetime) -> None:
    """Whoever had left `seat` sits in it again; no time is added for what they knew already."""
    seat.left_at = None
    session.add(seat)
    session.flush()
    text = f"{seat.power} is played by its old player again."
    _tell(session, office, game, seat, "Returning Player Signon", text, now)


def take_over(
    session: Session, office: Office, game: Game, phase: Phase, power: str, person: Person, address: str,
    password: str, now: datetime,
) -> Seat:  # fmt: skip
    """`person` plays `power` from now on, under the hash `password`; WAIT is set, so that nothing happens too soon."""
    seat = forming.sit(session, game, person, "player", address, password, now)
    seat.power, seat.waits = power, True
    session.add(seat)
    session.flush()
    _tell(session, office, game, seat, "New Player Signon", f"{power} has a new player.", now)
    quiet = GameSettings.from_json(game.settings).quiet
    who = "A seat" if quiet else power
    why = f"{who} in game {game.name} has a new player, so there is more time for {phase.name}."
    schedule.give_time(session, office, game, phase, why, now)
    return seat


def _tell(session: Session, office: Office, game: Game, seat: Seat, what: str, text: str, now: datetime) -> None:
    letter = variant_of(game).seat_named[seat.power or ""].letter
    text = f"Game {game.name}: {text}"
    notices.tell_comings(session, office, game, f"{what}: {letter}", text, now, skip={seat.address})
    session.add(Event(at=now, kind="signon", game_id=game.id, text=f"{what} {seat.power}"))
