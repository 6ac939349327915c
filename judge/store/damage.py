"""Which errors say that the database is damaged, and what SQLAlchemy calls an error of SQLite's driver."""

import sqlite3

from sqlalchemy import exc


def is_damage(kind: type[BaseException]) -> bool:
    """Whether errors of that kind of SQLAlchemy's come of a database that is damaged ("malformed", "not a database").

    That is no more the fault of a letter or of a phase than a database that cannot be reached: such an error is raised
    as OperationalError.
    """
    return kind is exc.DatabaseError or kind is exc.InternalError


def error_of(error: sqlite3.Error, statement: str) -> exc.DBAPIError:
    """What SQLAlchemy would raise, without the values of the statement: they may be of a letter, or a password."""
    kind: type[exc.DBAPIError] = getattr(exc, type(error).__name__, exc.DBAPIError)
    return (exc.OperationalError if is_damage(kind) else kind)(statement, None, error, hide_parameters=True)
