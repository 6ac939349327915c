"""What a JSON column of a row means, read once for as long as the column holds the same."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import inspect
from sqlmodel import SQLModel

T = TypeVar("T")
Meaning = TypeVar("Meaning")


def read_once(row: SQLModel, column: str, read: Callable[[T], Meaning]) -> Meaning:
    """What `read` makes of the row's `column`: kept beside the row, and read again when the column holds another value.

    What is read must not change, since whoever asks gets the same; nor may the column's value be changed in place.
    """
    held = getattr(row, column)
    beside = inspect(row).info
    known: tuple[T, Meaning] | None = beside.get(column)
    if known is None or (known[0] is not held and known[0] != held):
        known = beside[column] = held, read(held)
    return known[1]
