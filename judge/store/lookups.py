"""The queries that the desk and the games need; only `claim` and `note_outcome` change a row."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, case, func, or_, true, update
from sqlalchemy.orm import aliased
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, SQLModel, col, select

from judge.store.answered import first_end
from judge.store.ids import id_of
from judge.store.states import MailKind, TokenPurpose
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


# A person, when they added an address, and when they added their first one.
_ANY = aliased(Address)
_FIRST_ADDED = select(func.min(_ANY.added_at)).where(_ANY.person_id == Person.id).scalar_subquery()
_WITH_AGE = select(Person, Address.added_at, _FIRST_ADDED).join(Address)
# Fewer than any database takes in one statement.
_MOST_NAMES = 500
_OPEN = col(Phase.processed_at).is_(None)
_SITS = col(Seat.left_at).is_(None)
_RINGS_AT = case(
    (col(Phase.due_at).is_(None), col(Phase.notice_at)),
    (col(Phase.notice_at) < col(Phase.due_at), col(Phase.notice_at)),
    else_=col(Phase.due_at),
)
# A statement of SQLite can name some thousands.
_ADDRESSES_AT_ONCE = 500
_PHASES = SQLModel.metadata.tables["phase"]


def deadline_of(session: Session, phase_id: int) -> datetime | None:
    """The deadline of that phase; None if it was processed, or if there is none."""
    return session.exec(select(Phase.deadline_at).where(Phase.id == phase_id, _OPEN)).first()


def person_at(session: Session, address: str) -> Person | None:
    """The person who writes from `address` (in its one form)."""
    return session.exec(select(Person).join(Address).where(Address.address == address)).first()


def sender_at(session: Session, address: str, since: datetime) -> tuple[Person, datetime | None] | None:
    """The person who writes from `address`, and when they added it to older addresses of theirs, if that was after
    `since`.
    """
    found = session.exec(_WITH_AGE.where(Address.address == address)).first()
    if found is None:
        return None
    person, added_at, first_added_at = found
    return person, added_at if added_at > max(since, first_added_at) else None


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
    return session.exec(select(Game).where(Game.name == name.lower())).first()


def games_among(session: Session, names: Collection[str]) -> frozenset[str]:
    """Those of the `names`, in small letters, that games have."""
    asked = sorted(names)
    pieces = (asked[at : at + _MOST_NAMES] for at in range(0, len(asked), _MOST_NAMES))
    return frozenset(
        name for piece in pieces for name in session.exec(select(Game.name).where(col(Game.name).in_(piece)))
    )


def game_and_phase(session: Session, name: str) -> tuple[Game, Phase | None] | None:
    """The game of that name with its open phase."""
    games = select(Game, Phase).join(Phase, and_(col(Phase.game_id) == Game.id, _OPEN), isouter=True)
    return session.exec(games.where(Game.name == name.lower())).first()


def all_games(session: Session) -> Sequence[Game]:
    """Every game, by name."""
    return session.exec(select(Game).order_by(Game.name)).all()


def seats_of(session: Session, game: Game) -> Sequence[Seat]:
    """The seats people hold in `game`, in the order they were taken."""
    return session.exec(select(Seat).where(Seat.game_id == game.id, _SITS).order_by(col(Seat.id))).all()


def by_address(seats: Iterable[Seat]) -> dict[str, list[Seat]]:
    """{address: the seats whose mails go there}, in their order."""
    found: dict[str, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.address, []).append(seat)
    return found


def seat_of_power(session: Session, game: Game, power: str) -> Seat | None:
    """The seat whose holder plays `power`."""
    return session.exec(select(Seat).where(Seat.game_id == game.id, Seat.power == power, _SITS)).first()


def left_seat(session: Session, game: Game, power: str) -> Seat | None:
    """The seat of the last player who left `power`."""
    left = select(Seat).where(Seat.game_id == game.id, Seat.power == power, ~_SITS)
    return session.exec(left.order_by(col(Seat.left_at).desc(), col(Seat.id).desc()).limit(1)).first()


def powers_played(session: Session, game: Game) -> set[str]:
    """The powers of `game` that have a player."""
    return {power for power in session.exec(select(Seat.power).where(Seat.game_id == game.id, _SITS)) if power}


def waits_of(session: Session, game: Game) -> list[tuple[str | None, bool]]:
    """(power, whether its holder has set WAIT) of the seats that people hold in `game`."""
    return list(session.exec(select(Seat.power, Seat.waits).where(Seat.game_id == game.id, _SITS)))


def future_counts(session: Session, game: Game, power: str) -> dict[str, int]:
    """{phase: how many lines `power` has written for it}."""
    lines = select(FutureLine.phase_name, func.count()).where(FutureLine.game_id == game.id, FutureLine.power == power)
    return dict(session.exec(lines.group_by(FutureLine.phase_name)).all())


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
    first_seat = select(func.min(Seat.id)).where(Seat.game_id == Game.id).correlate(Game).scalar_subquery()
    theirs = (Seat.person_id == person.id, _SITS, Seat.id == first_seat)
    counted = (Game.state != "finished", Game.proved == proved)
    return session.exec(select(func.count()).select_from(Seat).join(Game).where(*theirs, *counted)).one()


def people_of(session: Session, game: Game) -> dict[int, Person]:
    """The people who hold a seat in `game`, by id."""
    people = select(Person).join(Seat).where(Seat.game_id == game.id, _SITS).distinct()
    return {id_of(person): person for person in session.exec(people)}


def readers_of(session: Session, game: Game) -> dict[int, Reader]:
    """{person: how their mails are} of the people who hold a seat in `game`."""
    return {
        number: Reader(*(getattr(person, field) for field in Reader._fields))
        for number, person in people_of(session, game).items()
    }


def open_phase(session: Session, game: Game) -> Phase | None:
    """The phase that is being played; None before the game starts and after it ends."""
    return session.exec(select(Phase).where(Phase.game_id == game.id, _OPEN)).first()


def token_of(session: Session, digest: str) -> Token | None:
    """The token with that digest."""
    return session.exec(select(Token).where(Token.digest == digest)).first()


def tokens_for(session: Session, purpose: TokenPurpose, now: datetime) -> Sequence[Token]:
    """The tokens for `purpose` that are neither used nor expired."""
    living = (Token.purpose == purpose, col(Token.used_at).is_(None), col(Token.expires_at) >= now)
    return session.exec(select(Token).where(*living)).all()


def registered_address(session: Session, person: Person) -> str:
    """The first address of `person`."""
    theirs = select(Address.address).where(Address.person_id == person.id)
    return session.exec(theirs.order_by(col(Address.added_at), col(Address.id)).limit(1)).one()


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
    return session.exec(select(FutureLine).where(FutureLine.game_id == game.id).order_by(col(FutureLine.id))).all()


def alarms(session: Session) -> Sequence[tuple[str, datetime]]:
    """A name for every open phase and every forming game in which something will be due, and for the answers that wait,
    and when it is due.
    """
    pause = first_end(session)
    phases = session.exec(select(Phase.id, _RINGS_AT).where(_OPEN, _RINGS_AT.is_not(None)))
    games = session.exec(select(Game.id, Game.notice_at).where(col(Game.notice_at).is_not(None)))
    return [
        *([("pause", pause)] if pause else []),
        *((f"phase:{phase_id}", rings_at) for phase_id, rings_at in phases if rings_at),
        *((f"game:{game_id}", notice_at) for game_id, notice_at in games if notice_at),
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
    due = select(Phase).where(_OPEN, or_(col(Phase.due_at) <= now, col(Phase.notice_at) <= now))
    return session.exec(due.order_by(_RINGS_AT, col(Phase.id)).limit(1)).first()


def due_before(session: Session, moment: datetime) -> Sequence[tuple[str, Phase]]:
    """Names of games with the open phases whose task was due before that moment, the longest first."""
    due = or_(col(Phase.due_at) < moment, col(Phase.notice_at) < moment)
    question = select(Game.name, Phase).join(Phase).where(_OPEN, due).order_by(_RINGS_AT, col(Phase.id))
    return session.exec(question).all()


def games_concerned(session: Session, address: str, message_ids: Collection[str]) -> set[int]:
    """The ids of the games in which the person who writes from `address` has a seat, or that these mails are about."""
    seats = select(Seat.game_id).join(Address, col(Address.person_id) == Seat.person_id)
    mails = select(Mail.game_id).where(col(Mail.message_id).in_(message_ids), col(Mail.game_id).is_not(None))
    return {*session.exec(seats.where(Address.address == address, _SITS)), *filter(None, session.exec(mails))}


def game_of(session: Session, phase: Phase) -> Game:
    """The game that `phase` belongs to."""
    return session.get_one(Game, phase.game_id)


def next_waiting(session: Session, now: datetime) -> Game | None:
    """The forming game whose notice has been due the longest at `now`."""
    waiting = select(Game).where(col(Game.notice_at) <= now).order_by(col(Game.notice_at), col(Game.id)).limit(1)
    return session.exec(waiting).first()


def claim(session: Session, phase: Phase, now: datetime, *, due: bool) -> bool:
    """Mark `phase` processed at `now`; False if another process has done so, or, with `due`, if it is no longer due.

    This one statement makes sure that an adjudication happens only once (docs/decisions/exactly_once.md): if two
    processes try, only one changes the row.
    """
    session.flush()
    claimed = update(_PHASES).where(_PHASES.c.id == phase.id, _PHASES.c.processed_at.is_(None))
    if due:
        claimed = claimed.where(_PHASES.c.due_at <= now)
    if session.connection().execute(claimed.values(processed_at=now).returning(_PHASES.c.id)).first() is None:
        return False
    set_committed_value(phase, "processed_at", now)
    return True


def note_outcome(session: Session, phase: Phase, outcome: dict[str, Any]) -> None:
    """Store the outcome of a phase that was claimed."""
    session.connection().execute(update(_PHASES).where(_PHASES.c.id == phase.id).values(outcome=outcome))
    set_committed_value(phase, "outcome", outcome)


def lock(session: Session, row: Phase | Game) -> None:
    """Read the row again and lock it for all others until the transaction ends; in SQLite they are since it began."""
    session.flush()
    session.refresh(row, with_for_update=True)


def phase_of_mail(session: Session, message_ids: Iterable[str]) -> Phase | None:
    """The phase that the first of these mails from the judge is about."""
    for message_id in message_ids:
        found = session.exec(select(Phase).join(Mail).where(Mail.message_id == message_id)).first()
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
    about = (
        select(Game, Phase, Address.person_id)
        .select_from(Mail)
        .join(Game, col(Mail.game_id) == Game.id)
        .join(Phase, col(Mail.phase_id) == Phase.id, isouter=True)
        .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    )
    return session.exec(about.where(Mail.message_id == message_id)).first()


def press_in(session: Session, message_id: str) -> tuple[Press, Game, int | None] | None:
    """The message that the mail with this Message-ID carries, its game, and the id of the person to whom it went (None:
    nobody known); None if the judge has written no such mail.
    """
    carried = (
        select(Press, Game, Address.person_id)
        .select_from(Mail)
        .join(Press, col(Mail.press_id) == Press.id)
        .join(Game, col(Press.game_id) == Game.id)
        .join(Address, col(Mail.recipient) == Address.address, isouter=True)
    )
    return session.exec(carried.where(Mail.message_id == message_id)).first()


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
