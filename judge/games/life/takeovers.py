"""A player takes a vacant seat: its old player, or a new one (HELP registration).

njudge moved the deadline only when the last vacant seat was filled; here a new player always gets as much time as if
the phase had just opened.
"""

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.turn import Turn
from judge.games.deadlines import schedule
from judge.games.life import forming, one_domain
from judge.games.people.entrant import Entrant
from judge.games.telling import notices
from judge.store.seats import return_to_seat
from judge.store.tables import Game, Phase, Seat


def come_back(turn: Turn, game: Game, seat: Seat, sender: str) -> None:
    """The old player of `seat` is in it again; they get no extra time, since they know the game already."""
    return_to_seat(turn.session, seat, sender)
    text = f"{seat.power} is played by its old player again."
    _tell(turn, game, seat, "Returning Player Signon", text)


def take_over(turn: Turn, game: Game, phase: Phase, power: str, entrant: Entrant) -> Seat:
    """`entrant` plays `power` from now on; WAIT is set, so that nothing happens too soon."""
    seat = forming.sit(turn, game, "player", entrant)
    seat.power, seat.waits = power, True
    turn.session.add(seat)
    turn.session.flush()
    one_domain.tell_master(turn, game, phase, seat)
    _tell(turn, game, seat, "New Player Signon", f"{power} has a new player.")
    quiet = settings_of(game).quiet
    who = "A seat" if quiet else power
    why = f"{who} in game {game.name} has a new player, so there is more time for {phase.name}."
    schedule.give_time(turn, game, phase, why)
    return seat


def _tell(turn: Turn, game: Game, seat: Seat, what: str, text: str) -> None:
    letter = variant_of(game).seat_named[seat.power or ""].letter
    text = f"Game {game.name}: {text}"
    notices.tell_comings(turn, game, f"{what}: {letter}", text, skip={seat.address})
    turn.log("signon", game, f"{what} {seat.power}")
