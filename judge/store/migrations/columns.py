"""Columns as the steps write them, the same in every step."""

from datetime import datetime

import sqlalchemy as sa


def identity() -> sa.Column[int]:
    """The primary key."""
    return sa.Column("id", sa.Integer, primary_key=True)


def text(name: str, *, nullable: bool = False, unique: bool = False, index: bool = False) -> sa.Column[str]:
    """A text of any length."""
    return sa.Column(name, sa.String, nullable=nullable, unique=unique or None, index=index)


def time(name: str, *, nullable: bool = False, index: bool = False) -> sa.Column[datetime]:
    """A moment, UTC."""
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable, index=index)


def link(table: str, *, nullable: bool = False, index: bool = False) -> sa.Column[int]:
    """A foreign key to `table`."""
    return sa.Column(f"{table}_id", sa.Integer, sa.ForeignKey(f"{table}.id"), nullable=nullable, index=index)


def where(name: str, *columns: str, where: str, unique: bool = False) -> sa.Index:
    """An index on the rows that `where` names."""
    condition = sa.text(where)
    return sa.Index(name, *columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
