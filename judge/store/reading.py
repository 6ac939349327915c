"""What a JSON column of a row means: it is read once, and again only when the column has changed."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import inspect
from sqlmodel import SQLModel

T = TypeVar("T")
Meaning = TypeVar("Meaning")


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
