"""A person who enters a game."""

from dataclasses import dataclass

from judge.store.tables import Person


@dataclass(frozen=True)
class Entrant:
    """A person who takes a seat or asks for one: the address to which mails about the game go, the password's hash."""

    person: Person
    address: str
    password: str
