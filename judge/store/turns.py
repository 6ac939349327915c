"""Only one process at a time changes games: the daemon with each letter and deadline, the keeper from the shell.

SQLite lets only one write anyway; on PostgreSQL a lock that ends with the transaction does the same, so that no
order is filed for a phase that another process is processing.
"""

from sqlalchemy import text
from sqlmodel import Session

# Any number, as long as every process asks PostgreSQL for the same one.
_TURN = 190_105


def take_turn(session: Session) -> None:
    """Wait until nobody else changes games; to be the first thing in a transaction."""
    connection = session.connection()
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_TURN})"))
