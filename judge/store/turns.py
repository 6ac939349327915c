"""Only one process at a time changes games: the daemon with each letter and deadline, the keeper from the shell.

SQLite lets only one write anyway; on PostgreSQL a lock that ends with the transaction has the same effect. So no order
is filed for a phase that another process is processing.
"""

from sqlalchemy import text
from sqlmodel import Session

# Any number will do, as long as every process uses the same one.
_TURN = 190_105


def take_turn(session: Session) -> None:
    """Wait until no other process changes games. Must be the first call in a transaction."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_TURN})"))
