"""Queries about people, their addresses, the tokens mailed to them, and wrong passwords."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple, TypedDict

from sqlalchemy import delete, exists, func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from judge.store.states import TokenPurpose
from judge.store.tables import Address, BouncedAddress, Game, Invitation, Person, Seat, Token, WrongPassword

_ANY = aliased(Address)
_FIRST_ADDED = select(func.min(_ANY.added_at)).where(_ANY.person_id == Person.id).scalar_subquery()
_BOUNCES = exists().where(col(BouncedAddress.address) == _ANY.address, col(_ANY.person_id) == Person.id)


class Sender(NamedTuple):
    """The person who writes from an address.

    `added_at` is when the address was added to older ones, if that was recently. `is_reached` is true if no mail to the
    person has bounced.
    """

    person: Person
    added_at: datetime | None
    is_reached: bool


# The types of `Token.data`, one for each purpose of a token.


class Change(TypedDict, total=False):
    """A change that a person has asked for.

    `name` and `zone` are the person's new name and time zone. `leave` is the id of the observer's seat that the person
    leaves. `standby` says whether the person is on the standby list. `forget` is the address that the person gives up.
    """

    name: str
    zone: str
    leave: int
    standby: bool
    forget: str


class Registration(TypedDict):
    """The data of a "register" token, which registers a person at `address`.

    With an empty name, no one is registered. The blocks with these numbers, in the letter with this id, wait for the
    confirmation, and so do the changes.
    """

    address: str
    name: str
    zone: str
    letter: int | None
    blocks: list[int]
    changes: list[Change]


class Changes(TypedDict):
    """The data of a "change" token, with changes for the person with this id."""

    person: int | None
    changes: list[Change]


class NewPassword(TypedDict):
    """The data of a "password" token, with the id of the seat that gets a new password."""

    seat: int | None


class OtherAddress(TypedDict):
    """The data of an "also" token, with a further address of the person with this id."""

    person: int | None
    address: str


TokenData = Registration | Changes | NewPassword | OtherAddress


def person_at(session: Session, address: str) -> Person | None:
    """Return the person who writes from `address` (in its normal form), or None."""
    return session.exec(select(Person).join(Address).where(Address.address == address)).first()


def sender_at(session: Session, address: str, since: datetime) -> Sender | None:
    """Return the person who writes from `address`, or None.

    `added_at` is set if they added the address to older ones after `since`.
    """
    sender = select(Person, Address.added_at, _FIRST_ADDED, ~_BOUNCES).join(Address)
    found = session.exec(sender.where(Address.address == address)).first()
    if found is None:
        return None
    person, added_at, first_added_at, is_reached = found
    return Sender(person, added_at if added_at > max(since, first_added_at) else None, is_reached)


def others_who_look(session: Session, looks: str, person: Person | None) -> Sequence[str]:
    """Return the names of other registered people that look the same as `looks`.

    The name of `person` is left out.
    """
    alike = select(Person.name).where(Person.looks == looks, col(Person.registered_at).is_not(None))
    return session.exec(alike.where(col(Person.id) != person.id) if person else alike).all()


def is_registered_elsewhere(session: Session, domain: str, people: Collection[int]) -> bool:
    """Return whether anyone other than these `people` has registered an address of this domain."""
    there = col(Address.address).endswith(f"@{domain}", autoescape=True)
    others = select(Person.id).join(Address).where(there, col(Person.registered_at).is_not(None))
    return session.exec(others.where(col(Person.id).not_in(people)).limit(1)).first() is not None


def known_addresses(session: Session, addresses: Collection[str]) -> Collection[str]:
    """Return those of these addresses from which people have written to the judge before."""
    return session.exec(select(Address.address).where(col(Address.address).in_(addresses))).all()


def addresses_of(session: Session, person: Person) -> Sequence[Address]:
    """Return the addresses that `person` writes from, oldest first."""
    mine = select(Address).where(Address.person_id == person.id)
    return session.exec(mine.order_by(col(Address.added_at), col(Address.id))).all()


def address_row(session: Session, address: str) -> Address | None:
    """Return the row of `address` (in its normal form), or None."""
    return session.exec(select(Address).where(Address.address == address)).first()


def people_of(session: Session, game: Game) -> dict[int, Person]:
    """Return the people who have a seat in `game`, by id."""
    sitting = select(Person).join(Seat).where(Seat.game_id == game.id, col(Seat.left_at).is_(None))
    return {person.key: person for person in session.exec(sitting)}


def invitations_to(session: Session, digest: str) -> Sequence[Invitation]:
    """Return the invitations to the address with that digest, and its refusal of invitations, if any."""
    return session.exec(select(Invitation).where(Invitation.digest == digest)).all()


def invitations_by(session: Session, person_id: int, since: datetime) -> Sequence[Invitation]:
    """Return the invitations that a person has sent after `since`."""
    return session.exec(select(Invitation).where(Invitation.person_id == person_id, Invitation.at > since)).all()


def standing_by(session: Session) -> Sequence[tuple[Person, str]]:
    """Return everyone on the standby list with their first address, the longest waiting first."""
    waiting = select(Person).where(col(Person.standby_since).is_not(None)).order_by(col(Person.standby_since))
    return [(person, addresses_of(session, person)[0].address) for person in session.exec(waiting).all()]


def token_of(session: Session, digest: str) -> Token | None:
    """Return the token with that digest, or None."""
    return session.exec(select(Token).where(Token.digest == digest)).first()


def tokens_for(session: Session, purpose: TokenPurpose, now: datetime) -> Sequence[Token]:
    """Return the tokens for `purpose` that are neither used nor expired."""
    living = (Token.purpose == purpose, col(Token.used_at).is_(None), col(Token.expires_at) >= now)
    return session.exec(select(Token).where(*living)).all()


def latest_wrong_passwords(session: Session, game: Game, count: int, **where: str) -> Sequence[datetime]:
    """Return the times of the last `count` wrong passwords for a game, newest first.

    `where` has conditions on address, domain or seat.
    """
    mine = select(WrongPassword.at).where(WrongPassword.game_id == game.id).filter_by(**where)
    newest_first = mine.order_by(col(WrongPassword.at).desc(), col(WrongPassword.id).desc())
    return session.exec(newest_first.limit(count)).all()


def forget_wrong_passwords(session: Session, game: Game, moment: datetime) -> None:
    """Delete the wrong passwords that were recorded for this game up to `moment`."""
    old = (col(WrongPassword.game_id) == game.id, col(WrongPassword.at) <= moment)
    session.execute(delete(WrongPassword).where(*old))
