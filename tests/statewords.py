"""The columns that hold one of a few words (judge/store/states.py), and what rows have in them."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from sqlalchemy import Column, Engine, select
from sqlmodel import SQLModel

from judge.store.tables import Row


def _literals(annotation: Any) -> tuple[str, ...]:
    """The words of `Literal[…]` or `Literal[…] | None`."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return tuple(word for part in get_args(annotation) for word in _literals(part))


def _columns() -> Iterator[tuple[Column[str], tuple[str, ...]]]:
    for table in Row.__subclasses__():
        for name, field in table.model_fields.items():
            if words := _literals(field.annotation):
                yield SQLModel.metadata.tables[str(table.__tablename__)].c[name], words


# {the column: the words that may stand in it}
COLUMNS = dict(_columns())


def strange_words(engine: Engine) -> list[str]:
    """What stands in such a column of the database and is none of its words."""
    with engine.connect() as connection:
        found = {column: connection.execute(select(column).distinct()).scalars().all() for column in COLUMNS}
    return [
        f"{column}: {word}" for column, there in found.items() for word in there if word not in (*COLUMNS[column], None)
    ]
