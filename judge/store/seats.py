"""Queries about the seats of games, applications for seats, absences of players, and punctuality.

Only this module decides which data goes with the person who leaves a seat, and which stays with its power.

| with the person | with the power, for whoever plays it next |
| --- | --- |
| vote, agreements, WAIT, tokens for the seat, the address for its mail | orders and bids on file |
| unless they may return: the password, absences, preferences, whose press is ignored | orders sent ahead |

Digests, calendars and time zones belong to the person in all games. The history of the seat (press, reliability,
letters) stays. Someone who returns gets mail at the address they write from.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, delete, insert, text
from sqlmodel import Session, col, select

from judge.store.games import open_phase
from judge.store.people import addresses_of, tokens_for
from judge.store.states import Met, Role
from judge.store.tables import LIVING, Absence, Application, Attendance, Consent, Game, Person, Phase, Seat, Vote

# Absences with the seats of the people who are away.
Absences = Sequence[tuple[Absence, Seat]]
_SITS = col(Seat.left_at).is_(None)
_OPEN = col(Phase.processed_at).is_(None)
# These queries run all the time. They are built only once, since building a statement takes longer than executing it.
_IN_GAME = select(Seat).where(Seat.game_id == bindparam("game"), _SITS).order_by(col(Seat.id))
_LIVING = select(Seat, Game).join(Game).where(Seat.person_id == bindparam("person"), _SITS, Game.state != "finished")
_LIVING = _LIVING.order_by(Game.name, col(Seat.id))
# The columns with a player's preferences for a seat, and their values in a seat without a player.
OF_THE_PERSON = {"waits": False, "preference": "", "maps": None, "passwordless": False, "guesses": 0, "ignores": []}


def seats_of(session: Session, game: Game) -> Sequence[Seat]:
    """Return the seats that are taken in `game`, in the order they were taken."""
    return session.exec(_IN_GAME, params={"game": game.id}).all()


def seats_in(session: Session, game: Game, person: Person | None, *roles: Role) -> list[Seat]:
    """Return the seats that `person` has in `game`, in these roles or in any."""
    mine = (seat for seat in seats_of(session, game) if person and seat.person_id == person.id)
    return [seat for seat in mine if not roles or seat.role in roles]


def of_role(seats: Iterable[Seat], role: Role) -> list[Seat]:
    """Return those of these seats that have the role."""
    return [seat for seat in seats if seat.role == role]


def masters_of(session: Session, game: Game) -> list[Seat]:
    """Return the seats of the game's masters."""
    return of_role(seats_of(session, game), "master")


def has_master(seats: Iterable[Seat]) -> bool:
    """Return whether one of these seats is a master's."""
    return any(seat.role == "master" for seat in seats)


def name_of(session: Session, seat: Seat) -> str:
    """Return the name of the person who has or had the seat."""
    return session.get_one(Person, seat.person_id).name


def by_address(seats: Iterable[Seat]) -> dict[str, list[Seat]]:
    """Return these seats by the address to which their mails go."""
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.address, []).append(seat)
    return found


def left_seat(session: Session, game: Game, power: str) -> Seat | None:
    """Return the seat of the last player who left `power`, or None."""
    left = [seat for seat, _ in ever_seated(session, game) if seat.power == power and seat.left_at]
    return max(left, key=lambda seat: (seat.left_at, seat.id), default=None)


def players_of(session: Session, game: Game) -> dict[str, Seat]:
    """Return the seats of the game's players, by power or group."""
    return by_power(seats_of(session, game))


def by_power(seats: Iterable[Seat]) -> dict[str, Seat]:
    """Return the players' seats among these, by power or group."""
    return {seat.power: seat for seat in seats if seat.power}


def with_players(session: Session, game: Game) -> set[str]:
    """Return the powers, or groups, that have a player."""
    return {*players_of(session, game)}


def seats_with_power(session: Session, game: Game, person_id: int) -> list[Seat]:
    """Return the seats with a power that this person has in `game`.

    If there are several, an emailed reply does not show which seat is meant.
    """
    return [seat for seat in players_of(session, game).values() if seat.person_id == person_id]


def seats_in_living_games(session: Session, person: Person | None, *roles: Role) -> list[tuple[Seat, Game]]:
    """Return the seats of `person` in games that have not ended, with the games, by name.

    If `roles` are given, only seats in these roles are returned. A stranger has no seats.
    """
    if person is None:
        return []
    held = session.exec(_LIVING, params={"person": person.id})
    return [(seat, game) for seat, game in held if not roles or seat.role in roles]


def played_by(session: Session, person: Person | None) -> list[tuple[Seat, Game]]:
    """Return the seats of the powers that `person` plays in active games, with the games."""
    held = seats_in_living_games(session, person)
    return [(seat, game) for seat, game in held if seat.power and game.state == "active"]


def next_deadline(session: Session, person: Person, now: datetime) -> datetime | None:
    """Return the next deadline after `now` in the games in which `person` plays or is a master, or None.

    If a deadline has passed, the end of its grace counts.
    """
    games = (game for _, game in seats_in_living_games(session, person, "player", "master") if game.state == "active")
    phases = filter(None, (open_phase(session, game) for game in games))
    moments = (phase.deadline_at if phase.deadline_at > now else phase.due_at for phase in phases)
    return min((at for at in moments if at and at > now), default=None)


def created_by(session: Session, person: Person, *, proved: bool) -> int:
    """Return the number of unfinished games that `person` has created and has not left.

    The creator of a game has its first seat. If `proved` is true, only games whose creating letter proved its sender
    count, otherwise only the other games.
    """
    held = seats_in_living_games(session, person)
    return sum(game.proved == proved and ever_seated(session, game)[0][0] is seat for seat, game in held)


def sitting(session: Session) -> dict[int, list[tuple[Seat, str]]]:
    """Return the seats of every game that has not ended, with people's names, by game id."""
    seats: dict[int, list[tuple[Seat, str]]] = {}
    # Databases use the index of games only for this form of the query, without an order. Otherwise a database would
    # read the seats of all ended games.
    of_living_games = col(Seat.game_id).in_(select(Game.id).where(text(f"game.{LIVING}")))
    found = session.exec(select(Seat, Person.name).join(Person).where(of_living_games, _SITS))
    for seat, name in sorted(found, key=lambda one: one[0].key):
        seats.setdefault(seat.game_id, []).append((seat, name))
    return seats


def games_of(session: Session, person: Person | None) -> Sequence[Game]:
    """Return the games that have not ended in which `person` has a seat, by name."""
    return [*{game.id: game for _, game in seats_in_living_games(session, person)}.values()]


def seats_held(session: Session, person: Person) -> Sequence[Seat]:
    """Return the seats that `person` has, in all games."""
    return session.exec(select(Seat).where(Seat.person_id == person.id, _SITS)).all()


def powers_at_end(session: Session, person: Person) -> Sequence[tuple[Game, str]]:
    """Return the ended games in which `person` has a power, with the power, the last game first."""
    held = select(Game, Seat.power).join(Seat).where(Seat.person_id == person.id, _SITS, col(Seat.power).is_not(None))
    ended = held.where(col(Game.ended_at).is_not(None)).order_by(col(Game.ended_at).desc())
    return [(game, power) for game, power in session.exec(ended) if power]


def prove_seats(session: Session, person: Person) -> None:
    """Mark the seats of `person` as wanted, since a letter has proved to be from that person."""
    for seat in session.exec(select(Seat).where(Seat.person_id == person.id, ~col(Seat.proved))):
        seat.proved = True


def seats_ever(session: Session, game: Game, person: Person) -> Sequence[Seat]:
    """Return the seats that `person` has or had in `game`."""
    return [seat for seat, one in ever_seated(session, game) if one.id == person.id]


def ever_seated(session: Session, game: Game) -> Sequence[tuple[Seat, Person]]:
    """Return all present and past seats of `game`, each with its person, in the order they joined."""
    seated = select(Seat, Person).join(Person).where(Seat.game_id == game.id)
    return session.exec(seated.order_by(col(Seat.joined_at), col(Seat.id))).all()


def places_in(session: Session, game: Game) -> dict[int, int]:
    """Return the number of each seat among all seats ever taken in `game`, by seat id.

    The first seat has the number 1.
    """
    ids = session.exec(select(Seat.id).where(Seat.game_id == game.id).order_by(col(Seat.id)))
    return {number: place for place, number in enumerate(ids, 1) if number}


def seat_in_place(session: Session, name: str, place: int) -> Seat | None:
    """Return the seat with the number `place` in the game of that name, or None if there is none."""
    seats = select(Seat).join(Game).where(Game.name == name).order_by(col(Seat.id))
    return session.exec(seats.offset(max(place - 1, 0)).limit(1)).first()


def leave_seat(session: Session, seat: Seat, now: datetime, *, may_return: bool = False) -> None:
    """Free the seat, whose player leaves it.

    If `may_return` is true, the player's password works until someone else takes the seat. A player who returns finds
    the absences and preferences as they were.
    """
    seat.left_at, seat.waits = now, False
    if not may_return:
        seat.password = ""
        for column, value in OF_THE_PERSON.items():
            setattr(seat, column, value)
        session.exec(delete(Absence).where(col(Absence.seat_id) == seat.id))
    session.add(seat)
    if seat.power:  # a vote ends when its player leaves
        is_open = select(Phase.id).where(Phase.game_id == seat.game_id, _OPEN)
        session.exec(delete(Vote).where(col(Vote.power) == seat.power, col(Vote.phase_id).in_(is_open)))
    session.exec(delete(Consent).where(col(Consent.seat_id) == seat.id))
    for token in (*tokens_for(session, "password", now), *tokens_for(session, "change", now)):
        if token.data.get("seat") == seat.id:
            token.used_at = now
            session.add(token)
    session.flush()


def lost_in(session: Session, phases: Sequence[Phase]) -> list[Seat]:
    """Return the seats that were lost by lateness in one of these phases and not taken since."""
    late = select(Attendance.seat_id).where(_in(phases), Attendance.result == "abandoned")
    lost = select(Seat, Game).join(Game).where(col(Seat.id).in_(late), ~_SITS).order_by(col(Seat.id))
    return [
        seat
        for seat, game in session.exec(lost).all()
        if seat.power and seat.power not in with_players(session, game) and left_seat(session, game, seat.power) is seat
    ]


def return_to_seat(session: Session, seat: Seat, sender: str) -> None:
    """Give `seat` back to the person who left it.

    Its mail goes to the address `sender` of the letter, if that address is theirs.
    """
    own = [row.address for row in addresses_of(session, session.get_one(Person, seat.person_id))]
    seat.address = sender if sender in own else own[0]
    seat.left_at = None
    session.add(seat)
    session.flush()


def pending(session: Session, game: Game, now: datetime) -> Absences:
    """Return the absences in `game` that are not over, with their seats, earliest first.

    Absences of people who have left their seat are not returned.
    """
    theirs = (Seat.game_id == game.id, _SITS, Absence.ends_at > now)
    absences = select(Absence, Seat).join(Seat).where(*theirs).order_by(col(Absence.starts_at), col(Absence.id))
    return session.exec(absences).all()


def open_applications(session: Session, game: Game | None = None) -> Sequence[tuple[Application, Person, Game]]:
    """Return the open applications with the applicants and games, oldest first.

    If `game` is given, only applications to that game are returned.
    """
    question = select(Application, Person, Game).join(Person).join(Game, col(Application.game_id) == Game.id)
    question = question.where(Application.game_id == game.id) if game else question
    return session.exec(question.where(~col(Application.queued)).order_by(col(Application.id))).all()


def in_line(session: Session, game: Game) -> Sequence[tuple[Application, Person]]:
    """Return the people who wait in line for a free seat in `game`, in order."""
    queued = select(Application, Person).join(Person).where(Application.game_id == game.id, col(Application.queued))
    return session.exec(queued.order_by(col(Application.asked_at), col(Application.id))).all()


def applications_of(session: Session, person: Person) -> Sequence[Application]:
    """Return all applications of the person, and their places in lines for a seat."""
    return session.exec(select(Application).where(Application.person_id == person.id)).all()


def leave_line(session: Session, person: Person, game: Game | None = None) -> None:
    """Take the person out of the line for a seat in `game`, or of all such lines."""
    for entry in applications_of(session, person):
        if entry.queued and (game is None or entry.game_id == game.id):
            session.delete(entry)
    session.flush()


# --- agreements of players ---


def consents(session: Session, game: Game) -> Sequence[Consent]:
    """Return players' answers to lines that need the agreement of all players, the oldest answer first."""
    return session.exec(select(Consent).where(Consent.game_id == game.id).order_by(col(Consent.id))).all()


def drop_consents(session: Session, game: Game, line: str) -> None:
    """Delete all answers to this line, which needs no more answers."""
    session.execute(delete(Consent).where(col(Consent.game_id) == game.id, col(Consent.line) == line))


# --- punctuality: one row per seat and phase ---


def attendance_of_phase(session: Session, phase: Phase) -> dict[int, Attendance]:
    """Return each seat's result for `phase`, as known so far, by seat id."""
    return {row.seat_id: row for row in session.exec(select(Attendance).where(Attendance.phase_id == phase.id))}


def attendance_of_person(session: Session, person_id: int) -> Sequence[tuple[Attendance, Game]]:
    """Return the result of each phase in which a person owed orders, with its game, oldest first."""
    owed = select(Attendance, Game).join(Phase, col(Attendance.phase_id) == Phase.id).join(Game)
    owed = owed.where(Attendance.person_id == person_id).order_by(col(Attendance.at), col(Attendance.id))
    return session.exec(owed).all()


def forget_attendance(session: Session, phases: Sequence[Phase]) -> None:
    """Delete the results of `phases`, which are played again.

    The results of players who lost their seats in these phases stay.
    """
    stays = (col(Attendance.result) == "abandoned") & col(Attendance.seat_id).not_in(select(Seat.id).where(_SITS))
    session.execute(delete(Attendance).where(_in(phases), ~stays))


def _in(phases: Sequence[Phase]) -> ColumnElement[bool]:
    return col(Attendance.phase_id).in_([phase.id for phase in phases])


def late_counts(session: Session, game: Game) -> Counter[int]:
    """Return the number of phases in which each player was late or gave no orders, by seat id."""
    late = select(Attendance.seat_id).join(Phase).where(Phase.game_id == game.id, Attendance.result != "on time")
    return Counter(session.exec(late))


def note_attendance(session: Session, phase: Phase, seats: Iterable[Seat], result: Met, now: datetime) -> None:
    """Record `result` for each of these seats in `phase`, unless the seat already has one."""
    rows = [
        {"phase_id": phase.key, "seat_id": seat.key, "person_id": seat.person_id, "result": result, "at": now}
        for seat in seats
    ]
    if rows:
        session.execute(insert(Attendance), rows)
