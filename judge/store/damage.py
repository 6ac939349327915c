"""Which errors say that the database is damaged."""

from sqlalchemy import exc


def is_damage(kind: type[BaseException]) -> bool:
    """Whether errors of that kind of SQLAlchemy's come of a database that is damaged ("malformed", "not a database").

    That is no more the fault of a letter or of a phase than a database that cannot be reached: such an error is raised
    as OperationalError.
    """
    return kind is exc.DatabaseError or kind is exc.InternalError
