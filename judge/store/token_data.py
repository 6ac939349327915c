"""What a token is about: the values in `Token.data`, by its purpose."""

from typing import TypedDict


class Change(TypedDict, total=False):
    """What a person has asked to change for themselves: their name with their zone; the observer's seat (its id) to be
    left; whether they are on the standby list; the address that they give up.
    """

    name: str
    zone: str
    leave: int
    standby: bool
    forget: str


class Registration(TypedDict):
    """register: a person at `address`; without a name nobody is registered. Of the letter (its id) with the form the
    blocks of these numbers wait, and changes.
    """

    address: str
    name: str
    zone: str
    letter: int | None
    blocks: list[int]
    changes: list[Change]


class Changes(TypedDict):
    """change: of the person of that id."""

    person: int | None
    changes: list[Change]


class NewPassword(TypedDict):
    """password: of the seat of that id."""

    seat: int | None


class OtherAddress(TypedDict):
    """also: the person of that id has `address`, too."""

    person: int | None
    address: str


TokenData = Registration | Changes | NewPassword | OtherAddress
