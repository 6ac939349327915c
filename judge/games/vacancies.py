"""Seats that nobody holds: given up by the late, offered to those on the standby list (judge-commands 4.3)."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from judge.games.boards import board
from judge.games.office import Office
from judge.games.settings import GameSettings
from judge.store.lookups import left_seat, seats_of
from judge.store.standby import standing_by
from judge.store.tables import Event, Game, Phase, Seat


def players_of(session: Session, game: Game) -> dict[str, Seat]:
    """{power: the seat of whoever plays it}."""
    return {seat.power: seat for seat in seats_of(session, game) if seat.power}


def vacant(session: Session, game: Game, phase: Phase) -> list[str]:
    """The powers on the board that nobody plays and that somebody may, in the variant's order."""
    variant, position = board(game, phase)
    played = players_of(session, game).keys() | set(GameSettings.from_json(game.settings).disorder)
    return [
        power.name
        for power in variant.powers
        if power.name not in played and (position.units.get(power.name) or position.centers.get(power.name))
    ]


def give_up(session: Session, game: Game, seats: Sequence[Seat], phase: Phase, now: datetime) -> None:
    """The seats are open to others; who held them may come back until then."""
    for seat in seats:
        seat.left_at, seat.waits = now, False
        session.add(seat)
        session.add(Event(at=now, kind="abandoned", game_id=game.id, phase_id=phase.id, text=str(seat.power)))
    session.flush()


def ask_standby(
    session: Session, office: Office, game: Game, phase: Phase, powers: Sequence[str], now: datetime
) -> None:
    """Ask those on the standby list who are not in the game, and never left it; of a game that LIST shows to all."""
    if not (powers and GameSettings.from_json(game.settings).listed):
        return
    variant, position = board(game, phase)
    concerned = {seat.person_id for seat in seats_of(session, game)}
    concerned |= {seat.person_id for power in powers if (seat := left_seat(session, game, power))}
    letters = {power.name: power.letter for power in variant.powers}
    openings = [
        (power, letters[power], len(position.units.get(power, ())), len(position.centers.get(power, ())))
        for power in powers
    ]
    subject = f"{phase.name} Seat Open: {''.join(letters[power] for power in powers)}"
    for person, address in standing_by(session):
        if person.id in concerned:
            continue
        context = {"game": game, "phase": phase, "variant": variant, "openings": openings}
        body = office.post.render("standby", person.zone, **context)
        office.post.notice(
            session, to=address, kind="standby", subject=subject, body=body, now=now, game=game, phase=phase
        )
