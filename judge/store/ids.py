"""The id of a row, which the database gives it when it is written."""

from typing import Protocol


class Numbered(Protocol):
    """A row of any table; before it is written its id is None."""

    id: int | None


def id_of(row: Numbered) -> int:
    """The id of a row that was read or flushed. Raises ValueError for any other row, so that no foreign key is stored
    as None by mistake.
    """
    if row.id is None:
        raise ValueError(f"this {type(row).__name__} was not flushed: it has no id yet")
    return row.id
