"""A player takes a vacant seat: its old player, or a new one (HELP registration).

njudge moved the deadline only when the last vacant seat was filled; here a new player always gets as much time as if
the phase had just opened.
"""

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.life import forming, one_domain
from judge.games.notifications import notices
from judge.games.people.entrant import Entrant
from judge.store.seats import return_to_seat
from judge.store.tables import Game, Phase, Seat


def come_back(work: Work, game: Game, seat: Seat, sender: str) -> None:
    """The old player of `seat` is in it again; they get no extra time, since they know the game already."""
    return_to_seat(work.session, seat, sender)
    text = f"{seat.power} is played by its old player again."
    _tell(work, game, seat, "Returning Player Signon", text)


def take_over(work: Work, game: Game, phase: Phase, power: str, entrant: Entrant) -> Seat:
    """`entrant` plays `power` from now on; WAIT is set, so that nothing happens too soon."""
    seat = forming.sit(work, game, "player", entrant)
    seat.power, seat.waits = power, True
    work.session.add(seat)
    work.session.flush()
    one_domain.tell_master(work, game, phase, seat)
    _tell(work, game, seat, "New Player Signon", f"{power} has a new player.")
    quiet = settings_of(game).quiet
    who = "A seat" if quiet else power
    why = f"{who} in game {game.name} has a new player, so there is more time for {phase.name}."
    schedule.give_time(work, game, phase, why)
    return seat


def _tell(work: Work, game: Game, seat: Seat, what: str, text: str) -> None:
    letter = variant_of(game).seat_named[seat.power or ""].letter
    text = f"Game {game.name}: {text}"
    notices.tell_comings(work, game, f"{what}: {letter}", text, skip={seat.address})
    work.log("signon", game, f"{what} {seat.power}")
