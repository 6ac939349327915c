"""Lines for later phases are kept as their text alone; of blocks of conditions the whole text."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008_lines_ahead_as_text"
down_revision = "0004_in_hand"


def upgrade() -> None:
    """Write the text of blocks of conditions, and drop the column `meaning`."""
    lines = sa.table("future_line", sa.column("id"), sa.column("text"), sa.column("meaning", sa.JSON))
    connection = op.get_bind()
    for number, meaning in connection.execute(sa.select(lines.c.id, lines.c.meaning)).all():
        if meaning and "if" in meaning:
            connection.execute(lines.update().where(lines.c.id == number).values(text=_block(meaning["if"])))
    op.drop_column("future_line", "meaning")


def _block(branches: list[dict[str, Any]]) -> str:
    lines: list[str] = []
    for branch in branches:
        condition = f"IF {_words(branch['when'])}" if branch["when"] else ""
        lines += [f"ELSE {condition}".strip() if lines else condition, *(line["text"] for line in branch["lines"])]
    return "\n".join([*lines, "ENDIF"])


def _words(condition: list[Any]) -> str:
    match condition:
        case ["not", inner]:
            return f"NOT ({_words(inner)})"
        case ["and" | "or" as link, first, second]:
            return f"({_words(first)}) {link.upper()} ({_words(second)})"
    return " ".join(filter(None, condition[1:]))
