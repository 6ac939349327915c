"""Seats that nobody holds: given up by the late, offered to those on the standby list (HELP deadlines)."""

from collections.abc import Sequence

from sqlmodel import Session

from judge.games.core.board import board
from judge.games.core.board import vacant as vacant_seats
from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.mails.mail_writer import Notice
from judge.store.people import standing_by
from judge.store.seats import leave_seat, left_seat, seats_of
from judge.store.tables import Game, Phase, Seat


def players_of(session: Session, game: Game) -> dict[str, Seat]:
    """{power, or group: the seat of its player}."""
    return {seat.power: seat for seat in seats_of(session, game) if seat.power}


def vacant(session: Session, game: Game, phase: Phase) -> list[str]:
    """The powers still in the game that have no player and may get one, in the variant's order."""
    return vacant_seats(game, phase, players_of(session, game))


def give_up(work: Work, game: Game, seats: Sequence[Seat], phase: Phase) -> None:
    """Open the seats to others; the old players may come back until somebody else takes them."""
    for seat in seats:
        leave_seat(work.session, seat, work.now, may_return=True)
        work.log("abandoned", game, str(seat.power), phase)


def ask_standby(work: Work, game: Game, phase: Phase, powers: Sequence[str]) -> None:
    """Ask the people on the standby list who never were in the game; only for a game that LIST shows to all."""
    if not (powers and settings_of(game).listed):
        return
    variant, position = board(game, phase)
    concerned = {seat.person_id for seat in seats_of(work.session, game)}
    concerned |= {seat.person_id for power in powers if (seat := left_seat(work.session, game, power))}
    openings = [
        (
            seat,
            variant.seat_named[seat].at(game.name),
            sum(len(position.units.get(power, ())) for power in variant.powers_of(seat)),
            sum(len(position.centers.get(power, ())) for power in variant.powers_of(seat)),
        )
        for seat in powers
    ]
    subject = f"{phase.name} Seat Open: {''.join(variant.seat_named[power].letter for power in powers)}"
    for person, address in standing_by(work.session):
        if person.id in concerned:
            continue
        context = {"game": game, "phase": phase, "variant": variant, "openings": openings}
        body = work.services.post.render("standby", person.zone, **context)
        work.mail(Notice(to=address, kind="standby", subject=subject, body=body, game=game, phase=phase))
