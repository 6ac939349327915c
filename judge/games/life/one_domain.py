"""Several seats of a game that were taken within minutes from one domain: perhaps by one person, so its master is told.

Where other people are registered at the domain it is a provider's, and says nothing.
"""

from datetime import timedelta

from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.notifications import notices
from judge.rules.board.names import listed
from judge.store.people import is_registered_elsewhere
from judge.store.seats import seats_of
from judge.store.tables import Game, Phase, Seat

_MINUTES = timedelta(minutes=60)


def tell_master(work: Work, game: Game, phase: Phase | None, newcomer: Seat) -> None:
    """Tell the masters of the game if the newcomer's seat is not the first one of that kind."""
    seats = seats_of(work.session, game)
    masters = [seat for seat in seats if seat.role == "master"]
    domain = newcomer.address.rpartition("@")[2]
    alike = [seat for seat in seats if seat.role == "player" and seat.address.endswith(f"@{domain}")]
    taken = [seat for seat in alike if seat.joined_at + _MINUTES > work.now]
    people = {seat.person_id for seat in taken}
    if not masters or len(people) < 2 or is_registered_elsewhere(work.session, domain, people):
        return
    for master in masters:
        who = f": {listed(seat.address for seat in taken)}" if shown_to(master, game).addresses else ""
        text = (
            f"{len(taken)} seats of game {game.name} were taken within an hour from {domain}, where nobody else is "
            f"registered{who}. Perhaps that is one person."
        )
        context = {"text": text}
        notices.tell_seat(work, master, notices.Announcement(game, phase, "news", "Players of One Domain", context))
