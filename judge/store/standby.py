"""The standby list: people who wish to be asked when a seat is open."""

from collections.abc import Sequence

from sqlmodel import Session, col, select

from judge.store.ids import id_of
from judge.store.tables import Address, Person

_STANDING_BY = (
    select(Person, Address.address)
    .join(Address)
    .where(col(Person.standby_since).is_not(None))
    .order_by(col(Person.standby_since), col(Address.id))
)


def standing_by(session: Session) -> Sequence[tuple[Person, str]]:
    """Everyone on the list with the address they registered first; the person who has waited longest comes first."""
    first: dict[int, tuple[Person, str]] = {}
    for person, address in session.exec(_STANDING_BY):
        first.setdefault(id_of(person), (person, address))
    return list(first.values())
