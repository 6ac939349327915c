"""Whether two databases are those of the same judge: after a backup was restored, and if nothing had been lost."""

import re
from collections.abc import Mapping, Sequence

from sqlalchemy import Engine, text
from sqlmodel import SQLModel

from judge.store.engine import reading

# What the clock of the wall gives: when a letter was stored, a mail sent, a picture drawn, and the mailbox looked at.
OF_THE_WALL = {
    "letter": "kept_at",
    "mail": "next_try_at sent_at taken_at taken_by",
    "phase": "known_at",
    "picture": "drawn_at taken_at taken_by",
    "sheet": "drawn_at",
    "watch": "swept_at outage_from outage_to replays_until recovered_until",
}
_DATE = re.compile(rb"^Date: .*\r\n", re.MULTILINE)
Rows = Mapping[str, Sequence[Mapping[str, object]]]


def rows_of(engine: Engine) -> Rows:
    """All tables, without row numbers and what the clock of the wall gives."""
    found = {}
    with reading(engine) as session:
        for name in SQLModel.metadata.tables:
            beside = OF_THE_WALL.get(name, "").split()
            rows = []
            for row in session.connection().execute(text(f"SELECT * FROM {name}")).mappings():
                kept = {key: value for key, value in row.items() if key not in beside and not _is_number(key)}
                if isinstance(kept.get("raw"), bytes):
                    kept["raw"] = _DATE.sub(b"", kept["raw"])
                rows.append(kept)
            found[name] = sorted(rows, key=repr)
    return found


def _is_number(column: str) -> bool:
    return column == "id" or column.endswith("_id") and column != "message_id"


def differences(before: Rows, after: Rows, most: int = 3) -> list[str]:
    """What was lost, and what is new, the first rows of each table."""
    told = []
    for name, rows in before.items():
        lost = [row for row in rows if row not in after[name]]
        new = [row for row in after[name] if row not in rows]
        told += [f"{name} has lost {row!r:.3000}" for row in lost[:most]]
        told += [f"{name} has new {row!r:.3000}" for row in new[:most]]
        if not lost and not new and len(rows) != len(after[name]):
            told.append(f"{name} had {len(rows)} rows and has {len(after[name])}")
    return told
