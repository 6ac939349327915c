"""The addresses that a person writes from: added with the agreement of an older one, and forgotten.

All others are told each time, since whoever has an address added can act for its person later.
"""

from datetime import timedelta

from judge.games.core.work import Work
from judge.mails.mail_writer import Notice
from judge.store.people import address_row, addresses_of
from judge.store.rows import id_of
from judge.store.seats import applications_by, seats_held
from judge.store.tables import Address, Application, Person, Seat

# So long a new address proves nothing by itself (judge/commands/core/proofs.py).
NEW = timedelta(days=30)


def add(work: Work, person: Person, address: str) -> None:
    """`address` is one of the person's from now on. It may have been an observer's."""
    row = address_row(work.session, address) or Address(person_id=0, address=address, added_at=work.now)
    row.person_id, row.added_at = id_of(person), work.now
    work.session.add(row)
    work.session.flush()
    for older in addresses_of(work.session, person)[:-1]:
        _tell(work, person, older.address, address, added=True)


def is_new(work: Work, person: Person, address: str) -> bool:
    """Whether the person has added this address to older ones not long ago."""
    oldest, *others = addresses_of(work.session, person)
    return any(row.address == address and row.added_at > max(oldest.added_at, work.now - NEW) for row in others)


def why_kept(work: Work, person: Person, address: str) -> str:
    """Why the person cannot give up this address, as a sentence; "" if they can."""
    mine = [row.address for row in addresses_of(work.session, person)]
    if address not in mine:
        return f"{address} is not one of your addresses. Yours: {', '.join(mine)}."
    if all(is_new(work, person, other) for other in mine if other != address):
        return f"{address} has to stay: you have no other address that is older than {NEW.days} days."
    return ""


def forget(work: Work, person: Person, address: str, asker: str) -> None:
    """`address` is none of the person's any more: what is mailed there goes to their oldest address. All are told but
    the address of the `asker`.
    """
    work.session.delete(address_row(work.session, address))
    work.session.flush()
    oldest, *_ = left = [row.address for row in addresses_of(work.session, person)]
    rows: list[Seat | Application] = [*seats_held(work.session, person), *applications_by(work.session, person)]
    for row in rows:
        if row.address == address:
            row.address = oldest
            work.session.add(row)
    for other in sorted({*left, address} - {asker}):
        _tell(work, person, other, address, added=False)


def _tell(work: Work, person: Person, to: str, address: str, *, added: bool) -> None:
    body = work.services.post.render("address", person.zone, address=address, added=added, new=NEW)
    subject = "An Address Was Added" if added else "An Address Was Forgotten"
    work.mail(Notice(to=to, kind="address", subject=subject, body=body))
