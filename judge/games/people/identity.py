"""The addresses and names of people, and the rules that prevent people from being taken for each other.

An address is added with the consent of an older one. All other addresses of the person are notified each time. A
stranger whose address is added could act for the person later.
"""

import re
import unicodedata
from collections.abc import Iterable
from datetime import timedelta

from sqlmodel import Session

from judge.addresses import without_tag
from judge.games.core.settings import settings_of
from judge.games.core.work import Refusal, Work
from judge.rules import Variant
from judge.rules.board.names import LOOKALIKES, word_set
from judge.store.people import address_row, addresses_of, others_who_look, sender_at
from judge.store.seats import applications_of, seats_held
from judge.store.tables import Address, Application, Game, Person, Seat

# The time for which a new address proves nothing by itself (judge/commands/core/proofs.py).
NEW_ADDRESS = timedelta(days=30)
DENIED = "{} is closed to you: its master has decided so. LIST shows other games."


def is_denied(session: Session, game: Game, person: Person | None, address: str = "") -> bool:
    """Return whether the master has barred the person, or the sender at `address`, by any of their addresses."""
    denied = {without_tag(one) for one in settings_of(game).denied}
    own = [one.address for one in addresses_of(session, person)] if denied and person else []
    return not denied.isdisjoint(map(without_tag, [address, *own]))


def refuse_denied(session: Session, game: Game, person: Person | None, address: str) -> None:
    """Raise Refusal if the master has barred the person from the game."""
    if is_denied(session, game, person, address):
        raise Refusal(DENIED.format(game.name))


def add_address(work: Work, person: Person, address: str) -> None:
    """Add `address` to the person's addresses, and notify the person's older addresses.

    If an observer has had the address before, the address is moved to the person.
    """
    row = address_row(work.session, address) or Address(person_id=0, address=address, added_at=work.now)
    row.person_id, row.added_at = person.key, work.now
    work.session.add(row)
    for older in addresses_of(work.session, person)[:-1]:
        _tell(work, person, older.address, address, added=True)


def is_new_address(work: Work, address: str) -> bool:
    """Return whether a person has recently added this address to older ones."""
    found = sender_at(work.session, address, work.now - NEW_ADDRESS)
    return found is not None and found.added_at is not None


def why_address_kept(work: Work, person: Person, address: str) -> str:
    """Return a sentence on why the person cannot give up this address, or "" if they can."""
    mine = [row.address for row in addresses_of(work.session, person)]
    if address not in mine:
        return f"{address} is not one of your addresses. Yours: {', '.join(mine)}."
    if all(is_new_address(work, other) for other in mine if other != address):
        return (
            f"{address} cannot be removed, because none of your other addresses is older than {NEW_ADDRESS.days} days."
        )
    return ""


def forget_address(work: Work, person: Person, address: str, asker: str) -> None:
    """Remove `address` from the person, and send emails about their games to their oldest address.

    All their addresses are notified, except that of the `asker`.
    """
    work.session.delete(address_row(work.session, address))
    oldest, *_ = left = [row.address for row in addresses_of(work.session, person)]
    rows: list[Seat | Application] = [*seats_held(work.session, person), *applications_of(work.session, person)]
    for row in rows:
        if row.address == address:
            row.address = oldest
    for other in sorted({*left, address} - {asker}):
        _tell(work, person, other, address, added=False)


def _tell(work: Work, person: Person, to: str, address: str, *, added: bool) -> None:
    subject = "An Address Was Added" if added else "An Address Was Forgotten"
    work.notify(to, person.zone, "address", subject, address=address, added=added, new=NEW_ADDRESS)


# Alphabets with letters that look like Latin ones. No real word mixes letters of two alphabets.
_ALPHABETS = word_set("LATIN CYRILLIC GREEK ARMENIAN CHEROKEE COPTIC")
_OFFICES = word_set("""
    judge keeper master gamemaster gm moderator admin administrator postmaster operator daemon robot bot system
    root support staff referee server
""")
_BESIDE_OFFICES = word_set("the of this a an your our game games diplomacy official mail team")
# Words in commands that are not the first word.
_GRAMMAR = word_set("""
    all but from for in as and or on off no not to then else end endif endpress endbroadcast judge game games
    master gm observer observers player players keeper full bids broad lines now svg rules power white grey gray
    none any me you yes everybody nobody army fleet hello join takeover
""")
_WORD = re.compile(r"[^\W_]+")


def looks(name: str) -> str:
    """Return a form of the name that is the same for all names that look like it.

    This form is in lowercase, with Latin letters in place of similar ones, and without accents and invisible
    characters.
    """
    plain = unicodedata.normalize("NFKD", name).translate(LOOKALIKES).casefold()
    seen = (sign for sign in plain if unicodedata.category(sign) not in ("Mn", "Me", "Cf", "Cc", "Cn", "Co"))
    return " ".join("".join(seen).split())


def without_signs(name: str) -> str:
    """Return the name without the characters <, > and @, which would make the name look like an address."""
    return " ".join(name.translate(dict.fromkeys(map(ord, "<>@"), " ")).split())


def why_not_called(work: Work, person: Person | None, name: str) -> str:
    """Return a sentence on why `person` cannot have this name, or "" if they can."""
    if is_office(work, name):
        return f'"{name}" could be mistaken for the judge, its keeper or a master. Please choose another name.'
    for word in _WORD.findall(name):
        alphabets = {unicodedata.name(sign, "").partition(" ")[0] for sign in word if sign.isalpha()}
        if len(alphabets & _ALPHABETS) > 1:
            return f'"{name}" mixes letters of different alphabets in one word. Please use one alphabet.'
    same = " ".join(name.casefold().split())
    others = others_who_look(work.session, looks(name), person)
    if any(" ".join(other.casefold().split()) != same for other in others):
        return f'"{name}" looks like the name of another person here. Please add a name or an initial to yours.'
    return ""


def is_office(work: Work, name: str) -> bool:
    """Return whether the name only says who runs a game or the judge."""
    offices = _OFFICES | {work.settings.code.casefold()}
    words = _WORD.findall(looks(name))
    return any(word in offices for word in words) and all(word in offices | _BESIDE_OFFICES for word in words)


def is_reserved(name: str, commands: Iterable[str], variant: Variant) -> bool:
    """Return whether a game of this name could be mistaken for a command, a word in one, or a power."""
    powers = {"".join(_WORD.findall(one.name.casefold())) for one in (*variant.powers, *variant.seats)}
    words = {word.casefold() for command in commands for word in command.split()}
    return len(name) == 1 and name.isalpha() or name.casefold() in _GRAMMAR | powers | words
