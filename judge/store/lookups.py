"""The queries that the desk and the games need; only `claim` changes a row.

Statements are made once: SQLAlchemy takes longer to build one than to run it. Those of every letter and every deadline
go straight to the database.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, func, or_, true, update
from sqlalchemy import select as select_columns
from sqlalchemy.orm import aliased
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel, col, select

from judge.store.answered import first_end
from judge.store.ids import id_of
from judge.store.states import MailKind, TokenPurpose
from judge.store.straight import Objects, Straight
from judge.store.tables import Address, FutureLine, Game, Mail, Person, Phase, Press, Seat, Token, Vote


class Reader(NamedTuple):
    """How a person's mails are: in which time zone, with pages or as text alone, with entries for a calendar; at which
    minute of the day news come together (None: they come at once); whether all mails about a game have one subject;
    whether phases come as JSON too.
    """

    zone: str
    html: bool
    calendar: bool
    digest: int | None = None
    threads: bool = False
    data: bool = False


# Fewer than any database takes in one statement.
_MOST_NAMES = 500
_OPEN = col(Phase.processed_at).is_(None)
_SITS = col(Seat.left_at).is_(None)

_PERSON_AT = Objects[Person](select(Person).join(Address).where(Address.address == bindparam("address")))
_WRITTEN_FROM, _OLDER = aliased(Address), aliased(Address)
_HAS_OLDER = select(_OLDER.id).where(_OLDER.person_id == Person.id, col(_OLDER.added_at) < Address.added_at).exists()
# The row of the address itself only if it is new, and not the first one of its person.
_SENDER_AT = Objects[tuple[Person, Address | None]](
    select(Person, Address)
    .join(_WRITTEN_FROM, col(_WRITTEN_FROM.person_id) == Person.id)
    .join(
        Address,
        (col(Address.id) == _WRITTEN_FROM.id) & (col(Address.added_at) > bindparam("since")) & _HAS_OLDER,
        isouter=True,
    )
    .where(_WRITTEN_FROM.address == bindparam("address"))
)
_FIRST_ADDRESS = (
    select(Address.address)
    .where(Address.person_id == bindparam("person"))
    .order_by(col(Address.added_at), col(Address.id))
    .limit(1)
)
# Faster than Session.get and Session.refresh, which write a statement each time.
_PHASE_OBJECT = Objects[Phase](select(Phase).where(Phase.id == bindparam("id")))
_GAME_OBJECT = Objects[Game](select(Game).where(Game.id == bindparam("id")))
_GAME_NAMED = Objects[Game](select(Game).where(Game.name == bindparam("name")))
_SEATS_OF = Objects[Seat](select(Seat).where(Seat.game_id == bindparam("game"), _SITS).order_by(col(Seat.id)))
_SEAT_OF_POWER = Objects[Seat](
    select(Seat).where(Seat.game_id == bindparam("game"), Seat.power == bindparam("power"), _SITS)
)
_LEFT_SEAT = Objects[Seat](
    select(Seat)
    .where(Seat.game_id == bindparam("game"), Seat.power == bindparam("power"), ~_SITS)
    .order_by(col(Seat.left_at).desc(), col(Seat.id).desc())
    .limit(1)
)
_PEOPLE_OF = Objects[Person](select(Person).join(Seat).where(Seat.game_id == bindparam("game"), _SITS).distinct())
_PEOPLE = SQLModel.metadata.tables["person"]
_SEATS = SQLModel.metadata.tables["seat"]
_SEATED = (_SEATS.c.game_id == bindparam("game"), _SEATS.c.left_at.is_(None))
_READERS_OF = Straight(
    select_columns(_PEOPLE.c.id, *(_PEOPLE.c[name] for name in Reader._fields))
    .join_from(_PEOPLE, _SEATS)
    .where(*_SEATED)
    .distinct()
)
_WAITS = Straight(select_columns(_SEATS.c.power, _SEATS.c.waits).where(*_SEATED))
_GAME_AND_PHASE = Objects[tuple[Game, Phase | None]](
    select(Game, Phase)
    .join(Phase, (col(Phase.game_id) == Game.id) & _OPEN, isouter=True)
    .where(Game.name == bindparam("name"))
)
_OPEN_PHASE = Objects[Phase](select(Phase).where(Phase.game_id == bindparam("game"), _OPEN))
_RINGS_AT = case(
    (col(Phase.due_at).is_(None), col(Phase.notice_at)),
    (col(Phase.notice_at) < col(Phase.due_at), col(Phase.notice_at)),
    else_=col(Phase.due_at),
)
_NEXT_DUE = Straight(
    select(Phase.id)
    .where(_OPEN, or_(col(Phase.due_at) <= bindparam("now"), col(Phase.notice_at) <= bindparam("now")))
    .order_by(_RINGS_AT, col(Phase.id))
    .limit(1)
)
_PHASES_RING = Straight(select(Phase.id, _RINGS_AT).where(_OPEN, _RINGS_AT.is_not(None)))
_GAMES_RING = Straight(select(Game.id, Game.notice_at).where(col(Game.notice_at).is_not(None)))
_NEXT_WAITING = Straight(
    select(Game.id)
    .where(col(Game.notice_at) <= bindparam("now"))
    .order_by(col(Game.notice_at), col(Game.id))
    .limit(1)
)
_FIRST_SEAT = select(func.min(Seat.id)).where(Seat.game_id == Game.id).correlate(Game).scalar_subquery()
_CREATED_BY = (
    select(func.count())
    .select_from(Seat)
    .join(Game)
    .where(
        Seat.person_id == bindparam("person"),
        _SITS,
        Game.state != "finished",
        Seat.id == _FIRST_SEAT,
        Game.proved == bindparam("proved"),
    )
)
_POWERS_PLAYED = Straight(select(Seat.power).where(Seat.game_id == bindparam("game"), _SITS))
_FUTURE_COUNTS = Straight(
    select(FutureLine.phase_name, func.count())
    .where(FutureLine.game_id == bindparam("game"), FutureLine.power == bindparam("whose"))
    .group_by(FutureLine.phase_name)
)
_MAIL_ABOUT = (
    select(Game, Phase, Address.person_id)
    .select_from(Mail)
    .join(Game, col(Mail.game_id) == Game.id)
    .join(Phase, col(Mail.phase_id) == Phase.id, isouter=True)
    .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    .where(Mail.message_id == bindparam("message_id"))
)
_PRESS_IN = (
    select(Press, Game, Address.person_id)
    .select_from(Mail)
    .join(Press, col(Mail.press_id) == Press.id)
    .join(Game, col(Press.game_id) == Game.id)
    .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    .where(Mail.message_id == bindparam("message_id"))
)
# A statement of SQLite can name some thousands.
_ADDRESSES_AT_ONCE = 500
_PHASE_OF_MAIL = Objects[Phase](select(Phase).join(Mail).where(Mail.message_id == bindparam("message_id")))
_PHASES = SQLModel.metadata.tables["phase"]
_CLAIM = (
    update(_PHASES)
    .where(_PHASES.c.id == bindparam("phase"), _PHASES.c.processed_at.is_(None))
    .values(processed_at=bindparam("now"))
    .returning(_PHASES.c.id)
)
_CLAIMS = {False: Straight(_CLAIM), True: Straight(_CLAIM.where(_PHASES.c.due_at <= bindparam("now")))}
_OUTCOME = Straight(update(_PHASES).where(_PHASES.c.id == bindparam("phase")).values(outcome=bindparam("outcome")))
_DEADLINE_OF = Straight(
    select_columns(_PHASES.c.deadline_at).where(_PHASES.c.id == bindparam("phase"), _PHASES.c.processed_at.is_(None))
)
_FUTURE_LINES = Objects[FutureLine](
    select(FutureLine).where(FutureLine.game_id == bindparam("game")).order_by(col(FutureLine.id))
)


def deadline_of(session: Session, phase_id: int) -> datetime | None:
    """The deadline of that phase; None if it was processed, or if there is none."""
    moment: datetime | None = _DEADLINE_OF.scalar(session, phase=phase_id)
    return moment


def person_at(session: Session, address: str) -> Person | None:
    """The person who writes from `address` (in its one form)."""
    return _PERSON_AT.first(session, address=address)


def sender_at(session: Session, address: str, since: datetime) -> tuple[Person, datetime | None] | None:
    """The person who writes from `address`, and when they added it to older addresses of theirs, if that was after
    `since`.
    """
    found = _SENDER_AT.first(session, address=address, since=since)
    return (found[0], found[1].added_at if found[1] else None) if found else None


def others_who_look(session: Session, looks: str, person: Person | None) -> Sequence[str]:
    """The names of the registered people, other than `person`, that look like this (judge/games/people/names.py)."""
    alike = select(Person.name).where(Person.looks == looks, col(Person.registered_at).is_not(None))
    return session.exec(alike.where(col(Person.id) != person.id) if person else alike).all()


def is_registered_elsewhere(session: Session, domain: str, people: Collection[int]) -> bool:
    """Whether anybody other than these `people` is registered with an address of this domain."""
    there = col(Address.address).endswith(f"@{domain}", autoescape=True)
    others = select(Person.id).join(Address).where(there, col(Person.registered_at).is_not(None))
    return session.exec(others.where(col(Person.id).not_in(people)).limit(1)).first() is not None


def known_addresses(session: Session, addresses: Collection[str]) -> Collection[str]:
    """Which of the addresses belong to people who have written to the judge before."""
    asked, found = sorted(addresses), list[str]()
    for start in range(0, len(asked), _ADDRESSES_AT_ONCE):
        some = asked[start : start + _ADDRESSES_AT_ONCE]
        found += session.exec(select(Address.address).where(col(Address.address).in_(some)))
    return found


def game_named(session: Session, name: str) -> Game | None:
    """The game of that name, in any letter case."""
    return _GAME_NAMED.first(session, name=name.lower())


def games_among(session: Session, names: Collection[str]) -> frozenset[str]:
    """Those of the `names`, in small letters, that games have."""
    asked = sorted(names)
    pieces = (asked[at : at + _MOST_NAMES] for at in range(0, len(asked), _MOST_NAMES))
    return frozenset(
        name for piece in pieces for name in session.exec(select(Game.name).where(col(Game.name).in_(piece)))
    )


def game_and_phase(session: Session, name: str) -> tuple[Game, Phase | None] | None:
    """The game of that name with its open phase."""
    return _GAME_AND_PHASE.first(session, name=name.lower())


def all_games(session: Session) -> Sequence[Game]:
    """Every game, by name."""
    return session.exec(select(Game).order_by(Game.name)).all()


def seats_of(session: Session, game: Game) -> Sequence[Seat]:
    """The seats people hold in `game`, in the order they were taken."""
    return _SEATS_OF.all(session, game=game.id)


def by_address(seats: Iterable[Seat]) -> dict[str, list[Seat]]:
    """{address: the seats whose mails go there}, in their order."""
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.address, []).append(seat)
    return found


def seat_of_power(session: Session, game: Game, power: str) -> Seat | None:
    """The seat whose holder plays `power`."""
    return _SEAT_OF_POWER.first(session, game=game.id, power=power)


def left_seat(session: Session, game: Game, power: str) -> Seat | None:
    """The seat of the last player who left `power`."""
    return _LEFT_SEAT.first(session, game=game.id, power=power)


def powers_played(session: Session, game: Game) -> set[str]:
    """The powers of `game` that have a player."""
    return {power for (power,) in _POWERS_PLAYED.rows(session, game=game.id) if power}


def waits_of(session: Session, game: Game) -> list[tuple[str | None, bool]]:
    """(power, whether its holder has set WAIT) of the seats that people hold in `game`."""
    session.flush()
    return [(power, waits) for power, waits in _WAITS.rows(session, game=game.id)]


def future_counts(session: Session, game: Game, power: str) -> dict[str, int]:
    """{phase: how many lines `power` has written for it}."""
    rows = _FUTURE_COUNTS.rows(session, game=game.id, whose=power)
    return {phase: int(count) for phase, count in rows}


def played_by(session: Session, person: Person) -> list[tuple[Seat, Game]]:
    """The powers that `person` plays in games that have begun and not ended."""
    playing = (Seat.person_id == person.id, _SITS, col(Seat.power).is_not(None), Game.state == "active")
    return [(seat, game) for seat, game in session.exec(select(Seat, Game).join(Game).where(*playing))]


def has_seat(session: Session, person: Person) -> bool:
    """Whether `person` plays, or is a master, in a game that has not ended."""
    sits = select(Seat.id).join(Game).where(Seat.person_id == person.id, _SITS, Seat.role != "observer")
    return session.exec(sits.where(Game.state != "finished").limit(1)).first() is not None


def observed_by(session: Session, person: Person) -> Sequence[Game]:
    """The games that `person` observes and that have not ended, by name."""
    watches = select(Game).join(Seat).where(Seat.person_id == person.id, _SITS, Seat.role == "observer")
    return session.exec(watches.where(Game.state != "finished").order_by(Game.name)).all()


def next_deadline(session: Session, person: Person, now: datetime) -> datetime | None:
    """The next deadline after `now` of a game in which `person` has a seat: that of the phase, or the end of its grace.
    """
    sits = (Seat.person_id == person.id, _SITS, Seat.role != "observer", Game.state == "active", _OPEN)
    moment = case((col(Phase.deadline_at) > now, col(Phase.deadline_at)), else_=col(Phase.due_at))
    phases = select(moment).select_from(Seat).join(Game).join(Phase, col(Phase.game_id) == Game.id)
    return min((at for at in session.exec(phases.where(*sits)) if at and at > now), default=None)


def created_by(session: Session, person: Person, *, proved: bool) -> int:
    """How many games `person` has created and is still in, of those that have not ended; by letters that proved who
    wrote them, or by others. The creator has the first seat.
    """
    return session.exec(_CREATED_BY, params={"person": person.id, "proved": proved}).one()


def people_of(session: Session, game: Game) -> dict[int, Person]:
    """The people who hold a seat in `game`, by id."""
    return {id_of(person): person for person in _PEOPLE_OF.all(session, game=game.id)}


def readers_of(session: Session, game: Game) -> dict[int, Reader]:
    """{person: how their mails are} of the people who hold a seat in `game`."""
    session.flush()
    rows = _READERS_OF.rows(session, game=game.id)
    return {number: Reader(*how) for number, *how in rows}


def open_phase(session: Session, game: Game) -> Phase | None:
    """The phase that is being played; None before the game starts and after it ends."""
    return _OPEN_PHASE.first(session, game=game.id)


def token_of(session: Session, digest: str) -> Token | None:
    """The token with that digest."""
    return session.exec(select(Token).where(Token.digest == digest)).first()


def tokens_for(session: Session, purpose: TokenPurpose, now: datetime) -> Sequence[Token]:
    """The tokens for `purpose` that are neither used nor expired."""
    living = (Token.purpose == purpose, col(Token.used_at).is_(None), col(Token.expires_at) >= now)
    return session.exec(select(Token).where(*living)).all()


def registered_address(session: Session, person: Person) -> str:
    """The first address of `person`."""
    return session.exec(_FIRST_ADDRESS, params={"person": person.id}).one()


def addresses_of(session: Session, person: Person) -> Sequence[Address]:
    """The addresses that `person` writes from, oldest first."""
    mine = select(Address).where(Address.person_id == person.id)
    return session.exec(mine.order_by(col(Address.added_at), col(Address.id))).all()


def address_row(session: Session, address: str) -> Address | None:
    """The row of `address` (in its one form)."""
    return session.exec(select(Address).where(Address.address == address)).first()


def phases_of(session: Session, game: Game) -> Sequence[Phase]:
    """All phases of `game`, oldest first."""
    return session.exec(select(Phase).where(Phase.game_id == game.id).order_by(col(Phase.number))).all()


def phases_since(session: Session, game: Game, moment: datetime) -> int:
    """How many phases of `game` were open at that moment or later."""
    since = or_(col(Phase.processed_at).is_(None), col(Phase.processed_at) > moment)
    return session.exec(select(func.count()).select_from(Phase).where(Phase.game_id == game.id, since)).one()


def votes_in(session: Session, phase: Phase) -> Sequence[Vote]:
    """The votes cast in `phase`."""
    return session.exec(select(Vote).where(Vote.phase_id == phase.id).order_by(col(Vote.id))).all()


def future_lines(session: Session, game: Game) -> Sequence[FutureLine]:
    """What players have written for future phases of `game`, in the order in which it arrived."""
    return _FUTURE_LINES.all(session, game=game.id)


def alarms(session: Session) -> Sequence[tuple[str, datetime]]:
    """A name for every open phase and every forming game in which something will be due, and for the answers that wait,
    and when it is due.
    """
    pause = first_end(session)
    return [
        *([("pause", pause)] if pause else []),
        *((f"phase:{phase_id}", rings_at) for phase_id, rings_at in _PHASES_RING.rows(session)),
        *((f"game:{game_id}", notice_at) for game_id, notice_at in _GAMES_RING.rows(session)),
    ]


def games_by_deadline(session: Session, limit: int) -> Sequence[tuple[str, Phase]]:
    """Names of games with their open phases, the next deadline first."""
    question = select(Game.name, Phase).join(Phase).where(_OPEN).order_by(col(Phase.deadline_at)).limit(limit)
    return [(name, phase) for name, phase in session.exec(question)]


def held_phases(session: Session) -> Sequence[tuple[str, Phase]]:
    """Names of games with the open phases that the judge could not process; the phase held longest comes first."""
    held = select(Game.name, Phase).join(Phase).where(_OPEN, col(Phase.held_since).is_not(None))
    return [(name, phase) for name, phase in session.exec(held.order_by(col(Phase.held_since)))]


def next_due(session: Session, now: datetime) -> Phase | None:
    """The open phase whose task has been due the longest at `now`."""
    # This query runs before every letter and mostly finds nothing; so a row object is made only if it finds something.
    phase_id = _NEXT_DUE.scalar(session, now=now)
    return _PHASE_OBJECT.first(session, id=phase_id) if phase_id else None


def game_of(session: Session, phase: Phase) -> Game:
    """The game that `phase` belongs to."""
    game = _GAME_OBJECT.first(session, id=phase.game_id)
    assert game
    return game


def next_waiting(session: Session, now: datetime) -> Game | None:
    """The forming game whose notice has been due the longest at `now`."""
    game_id = _NEXT_WAITING.scalar(session, now=now)
    return session.get_one(Game, game_id) if game_id else None


def claim(session: Session, phase: Phase, now: datetime, *, due: bool) -> bool:
    """Mark `phase` processed at `now`; False if another process has done so, or, with `due`, if it is no longer due.

    This one statement makes sure that an adjudication happens only once (docs/decisions/exactly_once.md): if two
    processes try, only one changes the row.
    """
    session.flush()
    if _CLAIMS[due].first(session, phase=phase.id, now=now) is None:
        return False
    set_committed_value(phase, "processed_at", now)
    return True


def note_outcome(session: Session, phase: Phase, outcome: dict[str, Any]) -> None:
    """Store the outcome of a phase that was claimed."""
    _OUTCOME.rows(session, phase=phase.id, outcome=outcome)
    set_committed_value(phase, "outcome", outcome)


def lock(session: Session, row: Phase | Game) -> None:
    """Read the row again and lock it for all others until the transaction ends; in SQLite they are since it began."""
    if isinstance(row, Phase):
        _PHASE_OBJECT.lock(session, row, id=id_of(row))
    else:
        _GAME_OBJECT.lock(session, row, id=id_of(row))


def phase_of_mail(session: Session, message_ids: Iterable[str]) -> Phase | None:
    """The phase that the first of these mails from the judge is about."""
    for message_id in message_ids:
        found = _PHASE_OF_MAIL.first(session, message_id=message_id)
        if found:
            return found
    return None


def raw_of_mail(session: Session, message_ids: Sequence[str]) -> bytes:
    """The first of these mails from the judge as it was written; b"" if there is none, or its text was deleted."""
    found = dict(session.exec(select(Mail.message_id, Mail.raw).where(col(Mail.message_id).in_(message_ids))).all())
    return next((found[message_id] for message_id in message_ids if found.get(message_id)), b"")


def mail_about(session: Session, message_id: str) -> tuple[Game, Phase | None, int | None] | None:
    """The game and the phase that the mail with this Message-ID is about, and the id of the person to whom it went
    (None: nobody known); None if the judge has written no such mail about a game.
    """
    found = session.exec(_MAIL_ABOUT, params={"message_id": message_id}).first()
    return (found[0], found[1], found[2]) if found else None


def press_in(session: Session, message_id: str) -> tuple[Press, Game, int | None] | None:
    """The message that the mail with this Message-ID carries, its game, and the id of the person to whom it went (None:
    nobody known); None if the judge has written no such mail.
    """
    found = session.exec(_PRESS_IN, params={"message_id": message_id}).first()
    return (found[0], found[1], found[2]) if found else None


def mailed_since(session: Session, address: str, kind: MailKind, since: datetime, game: Game | None = None) -> bool:
    """Whether a mail of this kind was written to `address` after `since`; with `game`, only a mail about that game."""
    return mails_since(session, address, kind, since, game) > 0


def last_mailed(session: Session, address: str, kind: MailKind) -> datetime | None:
    """When the newest mail of this kind to `address` was written."""
    return session.exec(select(func.max(Mail.created_at)).where(Mail.recipient == address, Mail.kind == kind)).one()


def mails_with_codes(session: Session, address: str, since: datetime, most: int = 5) -> Sequence[tuple[str, bytes]]:
    """(subject, bytes) of the newest mails to `address` since that moment that ask their reader to confirm."""
    asks = or_(col(Mail.kind) == "token", col(Mail.subject).contains("CONFIRM "))
    question = select(Mail.subject, Mail.raw).where(Mail.recipient == address, col(Mail.created_at) >= since, asks)
    return [(subject, raw) for subject, raw in session.exec(question.order_by(col(Mail.id).desc()).limit(most))]


def last_mailed_about(session: Session, address: str, kind: MailKind, subject: str) -> datetime | None:
    """The same, of those with this subject."""
    written = (Mail.recipient == address, Mail.kind == kind, Mail.subject == subject)
    return session.exec(select(func.max(Mail.created_at)).where(*written)).one()


def mails_since(session: Session, address: str, kind: MailKind, since: datetime, game: Game | None = None) -> int:
    """How many mails of this kind were written to `address` after `since`; with `game`, only mails about that game."""
    about = col(Mail.game_id) == game.id if game else true()
    written = (Mail.recipient == address, Mail.kind == kind, col(Mail.created_at) > since, about)
    return session.exec(select(func.count()).where(*written)).one()
