"""Rows of any table: their ids, what a JSON column means, and text that any database accepts."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import inspect
from sqlmodel import SQLModel

T = TypeVar("T")
Meaning = TypeVar("Meaning")


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


def read_once(row: SQLModel, column: str, read: Callable[[T], Meaning]) -> Meaning:
    """What `read` returns for the row's `column`. It is kept with the row, and read again when the column has another
    value.

    Callers must not change the result, since all of them get the same object; nor may they change the column's value in
    place.
    """
    held = getattr(row, column)
    beside = inspect(row).info
    known: tuple[T, Meaning] | None = beside.get(column)
    if known is None or (known[0] is not held and known[0] != held):
        known = beside[column] = held, read(held)
    return known[1]


def storable(text: str) -> str:
    """`text` with every character that cannot be stored replaced by U+FFFD."""
    if text.isprintable():
        return text
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")
