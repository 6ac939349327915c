"""The addresses that a person writes from: added with the agreement of an older one, and forgotten.

All others are told each time, since whoever has an address added can act for its person later.
"""

from datetime import timedelta

from judge.games.core.turn import Turn
from judge.mails.post import Notice
from judge.store.people import address_row, addresses_of
from judge.store.rows import id_of
from judge.store.seats import applications_by, seats_held
from judge.store.tables import Address, Application, Person, Seat

# So long a new address proves nothing by itself (judge/desk/core/proofs.py).
NEW = timedelta(days=30)


def add(turn: Turn, person: Person, address: str) -> None:
    """`address` is one of the person's from now on. It may have been an observer's."""
    row = address_row(turn.session, address) or Address(person_id=0, address=address, added_at=turn.now)
    row.person_id, row.added_at = id_of(person), turn.now
    turn.session.add(row)
    turn.session.flush()
    for older in addresses_of(turn.session, person)[:-1]:
        _tell(turn, person, older.address, address, added=True)


def is_new(turn: Turn, person: Person, address: str) -> bool:
    """Whether the person has added this address to older ones not long ago."""
    oldest, *others = addresses_of(turn.session, person)
    return any(row.address == address and row.added_at > max(oldest.added_at, turn.now - NEW) for row in others)


def why_kept(turn: Turn, person: Person, address: str) -> str:
    """Why the person cannot give up this address, as a sentence; "" if they can."""
    mine = [row.address for row in addresses_of(turn.session, person)]
    if address not in mine:
        return f"{address} is not one of your addresses. Yours: {', '.join(mine)}."
    if all(is_new(turn, person, other) for other in mine if other != address):
        return f"{address} has to stay: you have no other address that is older than {NEW.days} days."
    return ""


def forget(turn: Turn, person: Person, address: str, asker: str) -> None:
    """`address` is none of the person's any more: what is mailed there goes to their oldest address. All are told but
    the address of the `asker`.
    """
    turn.session.delete(address_row(turn.session, address))
    turn.session.flush()
    oldest, *_ = left = [row.address for row in addresses_of(turn.session, person)]
    rows: list[Seat | Application] = [*seats_held(turn.session, person), *applications_by(turn.session, person)]
    for row in rows:
        if row.address == address:
            row.address = oldest
            turn.session.add(row)
    for other in sorted({*left, address} - {asker}):
        _tell(turn, person, other, address, added=False)


def _tell(turn: Turn, person: Person, to: str, address: str, *, added: bool) -> None:
    body = turn.office.post.render("address", person.zone, address=address, added=added, new=NEW)
    subject = "An Address Was Added" if added else "An Address Was Forgotten"
    turn.mail(Notice(to=to, kind="address", subject=subject, body=body))
