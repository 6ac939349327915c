"""The seats of games: who has which, who asks for one, when players cannot write, and whether they were on time.

Only this module decides what goes with the person who leaves a seat, and what stays with its power.

| with the person | with the power, for whoever plays it next |
| --- | --- |
| vote, WAIT, absences, tokens for the seat, the address for its mail | orders and bids on file |
| passwordless, preference, maps, wrong passwords that were counted | orders sent ahead |
| the password, unless they may return | |

Digests, calendars and time zones are a person's own in all games. What the seat has been through (press, reliability,
letters that counted) stays as history. Someone who comes back begins like a newcomer, with their mail at the address
that they write from.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import bindparam, case, delete, func, insert, text
from sqlmodel import Session, col, select

from judge.store.people import person_at, registered_address, tokens_for
from judge.store.rows import id_of
from judge.store.states import Met, Role
from judge.store.tables import LIVING, Absence, Application, Attendance, Game, Person, Phase, Seat, Vote

_SITS = col(Seat.left_at).is_(None)
_OPEN = col(Phase.processed_at).is_(None)
_LIVES = text(f"game.{LIVING}")
# Asked each time: to build a statement anew takes longer than to execute it.
_IN_GAME = select(Seat).where(Seat.game_id == bindparam("game"), _SITS).order_by(col(Seat.id))
# In this form, and unordered, databases find the seats by their games: many games have ended.
_OF_LIVING_GAMES = col(Seat.game_id).in_(select(Game.id).where(_LIVES))
# The columns of a seat that say how its holder wants things, and what they are without a holder.
OF_THE_PERSON = {"waits": False, "preference": "", "maps": None, "passwordless": False, "guesses": 0}
_ABANDONED: Met = "abandoned"


def seats_of(session: Session, game: Game) -> Sequence[Seat]:
    """The seats people hold in `game`, in the order they were taken."""
    return session.exec(_IN_GAME, params={"game": game.id}).all()


def seats_in(session: Session, game: Game, person: Person | None, *roles: Role) -> list[Seat]:
    """The seats that `person` holds in `game`, in these roles or in any."""
    mine = (seat for seat in seats_of(session, game) if person and seat.person_id == person.id)
    return [seat for seat in mine if not roles or seat.role in roles]


def masters_of(session: Session, game: Game) -> list[Seat]:
    """The seats of the game's masters."""
    return [seat for seat in seats_of(session, game) if seat.role == "master"]


def by_address(seats: Iterable[Seat]) -> dict[str, list[Seat]]:
    """{address: the seats whose mails go there}, in their order."""
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.address, []).append(seat)
    return found


def left_seat(session: Session, game: Game, power: str) -> Seat | None:
    """The seat of the last player who left `power`."""
    left = select(Seat).where(Seat.game_id == game.id, Seat.power == power, ~_SITS)
    return session.exec(left.order_by(col(Seat.left_at).desc(), col(Seat.id).desc()).limit(1)).first()


def players_of(session: Session, game: Game) -> dict[str, Seat]:
    """{power, or group: the seat of its player}."""
    return {seat.power: seat for seat in seats_of(session, game) if seat.power}


def seats_with_power(session: Session, game: Game, person_id: int) -> list[Seat]:
    """The seats with a power that this person holds in `game`: where there are several, a reply does not say which."""
    return [seat for seat in players_of(session, game).values() if seat.person_id == person_id]


def powers_played(session: Session, game: Game) -> set[str]:
    """The powers of `game` that have a player."""
    return {*players_of(session, game)}


def seats_in_living_games(session: Session, person: Person | None) -> list[tuple[Seat, Game]]:
    """The seats that `person` holds in games that have not ended, by the names of these; a stranger has none."""
    if person is None:
        return []
    sits = select(Seat, Game).join(Game).where(Seat.person_id == person.id, _SITS, Game.state != "finished")
    return list(session.exec(sits.order_by(Game.name, col(Seat.id))))


def played_by(session: Session, person: Person | None) -> list[tuple[Seat, Game]]:
    """The powers that `person` plays in games that have begun and not ended."""
    held = seats_in_living_games(session, person)
    return [(seat, game) for seat, game in held if seat.power and game.state == "active"]


def has_seat(session: Session, person: Person | None) -> bool:
    """Whether `person` plays, or is a master, in a game that has not ended."""
    return any(seat.role != "observer" for seat, _ in seats_in_living_games(session, person))


def observed_by(session: Session, person: Person | None) -> Sequence[Game]:
    """The games that `person` observes and that have not ended, by name."""
    return [game for seat, game in seats_in_living_games(session, person) if seat.role == "observer"]


def next_deadline(session: Session, person: Person, now: datetime) -> datetime | None:
    """The next deadline, or end of grace, after `now` in a game in which `person` has a seat."""
    sits = (Seat.person_id == person.id, _SITS, Seat.role != "observer", Game.state == "active", _OPEN)
    moment = case((col(Phase.deadline_at) > now, col(Phase.deadline_at)), else_=col(Phase.due_at))
    phases = select(moment).select_from(Seat).join(Game).join(Phase, col(Phase.game_id) == Game.id)
    return min((at for at in session.exec(phases.where(*sits)) if at and at > now), default=None)


def created_by(session: Session, person: Person, *, proved: bool) -> int:
    """How many games that have not ended `person` has created and is still in; the creator has the first seat.

    `proved`: by letters that proved who wrote them, or by others.
    """
    first_seat = select(func.min(Seat.id)).where(Seat.game_id == Game.id).correlate(Game).scalar_subquery()
    theirs = (Seat.person_id == person.id, _SITS, Seat.id == first_seat)
    counted = (Game.state != "finished", Game.proved == proved)
    return session.exec(select(func.count()).select_from(Seat).join(Game).where(*theirs, *counted)).one()


def sitting(session: Session) -> dict[int, list[Seat]]:
    """{game id: the seats people hold in it} of every game that has not ended."""
    seats: dict[int, list[Seat]] = {}
    for seat in sorted(session.exec(select(Seat).where(_OF_LIVING_GAMES, _SITS)), key=id_of):
        seats.setdefault(seat.game_id, []).append(seat)
    return seats


def masters(session: Session) -> dict[int, list[str]]:
    """{game id: the names of its masters} of every game that has not ended."""
    question = select(Seat.id, Seat.game_id, Person.name).join(Person).where(Seat.role == "master")
    names: dict[int, list[str]] = {}
    for _, game, name in sorted(session.exec(question.where(_OF_LIVING_GAMES, _SITS))):
        names.setdefault(game, []).append(name)
    return names


def games_of(session: Session, person: Person | None) -> Sequence[Game]:
    """The games that have not ended in which `person` holds a seat, by name."""
    return [*{game.id: game for _, game in seats_in_living_games(session, person)}.values()]


def seats_held(session: Session, person: Person) -> Sequence[Seat]:
    """The seats that `person` holds, in all games."""
    return session.exec(select(Seat).where(Seat.person_id == person.id, _SITS)).all()


def seats_ever(session: Session, game: Game, person: Person) -> Sequence[Seat]:
    """The seats that `person` holds or has held in `game`."""
    return session.exec(select(Seat).where(Seat.game_id == game.id, Seat.person_id == person.id)).all()


def ever_seated(session: Session, game: Game) -> Sequence[tuple[Seat, Person]]:
    """All people who have held a seat in `game`, also those who left, in the order in which they joined."""
    seats = select(Seat, Person).join(Person).where(Seat.game_id == game.id)
    return session.exec(seats.order_by(col(Seat.joined_at), col(Seat.id))).all()


def leave_seat(session: Session, seat: Seat, now: datetime, *, may_return: bool = False) -> None:
    """Take the seat from its holder; `may_return`: their password works until someone else has the seat."""
    seat.left_at = now
    for column, value in OF_THE_PERSON.items():
        setattr(seat, column, value)
    if not may_return:
        seat.password = ""
    session.add(seat)
    if seat.power:  # a vote does not outlast its player
        is_open = select(Phase.id).where(Phase.game_id == seat.game_id, _OPEN)
        session.exec(delete(Vote).where(col(Vote.power) == seat.power, col(Vote.phase_id).in_(is_open)))
    session.exec(delete(Absence).where(col(Absence.seat_id) == seat.id))
    for token in (*tokens_for(session, "password", now), *tokens_for(session, "change", now)):
        if token.data.get("seat") == seat.id:
            token.used_at = now
            session.add(token)
    session.flush()


def return_to_seat(session: Session, seat: Seat, sender: str) -> None:
    """Give `seat` back to the person who left it; mail goes to the `sender` of the letter if that address is theirs."""
    person = person_at(session, sender)
    is_own = person is not None and person.id == seat.person_id
    seat.address = sender if is_own else registered_address(session, session.get_one(Person, seat.person_id))
    seat.left_at = None
    session.add(seat)
    session.flush()


def pending(session: Session, game: Game, now: datetime) -> Sequence[tuple[Absence, Seat]]:
    """The absences in `game` that are not over, of people who still have a seat in it; the earliest first."""
    theirs = (Seat.game_id == game.id, col(Seat.left_at).is_(None), Absence.ends_at > now)
    absences = select(Absence, Seat).join(Seat).where(*theirs).order_by(col(Absence.starts_at), col(Absence.id))
    return session.exec(absences).all()


def open_applications(session: Session, game: Game | None = None) -> Sequence[tuple[Application, Person, Game]]:
    """The open applications, to `game` or to all games, with the people who made them, the oldest first."""
    question = select(Application, Person, Game).join(Person).join(Game, col(Application.game_id) == Game.id)
    question = question.where(Application.game_id == game.id) if game else question
    return session.exec(question.order_by(col(Application.id))).all()


# --- who was on time: one row per seat and phase ---


def attendance_of_phase(session: Session, phase: Phase) -> dict[int, Attendance]:
    """{seat id: its result for `phase`, as known so far}."""
    return {row.seat_id: row for row in session.exec(select(Attendance).where(Attendance.phase_id == phase.id))}


def attendance_of_person(session: Session, person_id: int) -> Sequence[tuple[Met, datetime, Game]]:
    """Each phase in which a person owed orders, oldest first: the result, when it was known, the game."""
    owed = select(Attendance.result, Attendance.at, Game).select_from(Attendance).join(Phase).join(Game)
    rows = session.exec(owed.where(Attendance.person_id == person_id).order_by(col(Attendance.at), col(Attendance.id)))
    # To mypy a column that is selected by itself is just any text.
    return [(cast(Met, result), at, game) for result, at, game in rows]


def forget_attendance(session: Session, phases: Sequence[Phase]) -> None:
    """Forget the results of `phases`, which are played again, except for seats that were given up in them."""
    undone = col(Attendance.phase_id).in_([phase.id for phase in phases])
    session.execute(delete(Attendance).where(undone, col(Attendance.result) != _ABANDONED))


def late_counts(session: Session, game: Game) -> dict[int, int]:
    """{seat id: in how many phases of the game its player was late or gave no orders}."""
    late = select(Attendance.seat_id, func.count()).join(Phase)
    late = late.where(Phase.game_id == game.id, Attendance.result != "on time").group_by(col(Attendance.seat_id))
    return dict(session.exec(late).all())


def note_attendance(session: Session, phase: Phase, seats: Iterable[Seat], result: Met, now: datetime) -> None:
    """Record the first `result` of each of these seats for `phase`."""
    rows = [
        {"phase_id": id_of(phase), "seat_id": id_of(seat), "person_id": seat.person_id, "result": result, "at": now}
        for seat in seats
    ]
    if rows:
        session.execute(insert(Attendance), rows)
