"""The id of a row, which the database gives it when it is written."""

from typing import Protocol


class Numbered(Protocol):
    """A row of any table; before it is written its id is None."""

    id: int | None


def id_of(row: Numbered) -> int:
    """The id of a row that was read or flushed; raises ValueError for one that never was, so that no other row comes
    to point at nothing.
    """
    if row.id is None:
        raise ValueError(f"this {type(row).__name__} was not flushed: it has no id yet")
    return row.id
