"""Helpers for rows of any table, such as storable text, and the masking of passwords."""

import base64
import binascii
import re
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes, policy
from typing import Any

from sqlalchemy import JSON, Boolean, ColumnElement, DateTime, Integer, LargeBinary, String, func, update
from sqlmodel import Session, SQLModel, col, select

from judge.store.tables import Row

MASK = b"****"
# The Python type for each type of column, and the value to put into a column that must have one.
_KINDS: tuple[tuple[type, type | tuple[type, ...], Callable[[datetime], Any]], ...] = (
    (DateTime, datetime, lambda now: now),
    (JSON, (dict, list), lambda _: {}),
    (String, str, lambda _: ""),
    (LargeBinary, bytes, lambda _: b""),
    (Boolean, bool, lambda _: False),
    (Integer, int, lambda _: 0),
)
# Keep headers as they are, and the line ends of a mail in the form in which it is sent.
_AS_SENT = policy.compat32.clone(linesep="\r\n", max_line_length=None)


def count(session: Session, table: type[Row], *which: Any) -> int:
    """Return the number of rows of a table that meet all these conditions."""
    return session.exec(select(func.count()).select_from(table).where(*which)).one()


def unlocked(table: type[Row], *which: Any) -> ColumnElement[bool]:
    """Return the condition for rows that meet these conditions and are not locked by another transaction.

    Statements about many rows need this condition. Otherwise a process frozen in a transaction would stop other
    processes.
    """
    found = select(table.id).where(*which).with_for_update(key_share=True, skip_locked=True)
    return col(table.id).in_(found)


def mend(session: Session, table: type[Row], number: int | None, now: datetime) -> list[str]:
    """Replace the values of a row that cannot be read, such as an invalid time.

    Returns the names of their columns.
    """
    columns, unreadable = SQLModel.metadata.tables[str(table.__tablename__)].columns, {}
    for column in columns:
        column_type = getattr(column.type, "impl_instance", column.type)
        kind, nothing = next((kind, nothing) for type_, kind, nothing in _KINDS if isinstance(column_type, type_))
        try:
            value = session.execute(select(column).where(columns["id"] == number)).scalar()
            is_readable = column.nullable if value is None else isinstance(value, kind)
        except Exception:
            is_readable = False
        if not is_readable:
            unreadable[column.name] = None if column.nullable else nothing(now)
    if unreadable:
        session.execute(update(columns["id"].table).where(columns["id"] == number).values(unreadable))
    return [*unreadable]


def storable(text: str) -> str:
    """Return the text with U+FFFD in place of each character that a database cannot store."""
    if text.isprintable():
        return text
    whole = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return whole.replace("\0", "\N{REPLACEMENT CHARACTER}")


def mask(raw: bytes, secret: str) -> bytes:
    """Return the mail `raw` with **** in place of every `secret`, in any transfer encoding."""
    return mask_pattern(raw, re.compile(re.escape(secret.encode())))


def mask_pattern(raw: bytes, sought: re.Pattern[bytes]) -> bytes:
    """Return the letter or mail `raw` with **** in place of every match of the pattern.

    Without a match, `raw` is returned unchanged.
    """
    message = message_from_bytes(raw, policy=_AS_SENT)
    found = False
    for part in message.walk():
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes) or not sought.search(content):
            continue
        found, content = True, sought.sub(MASK, content)
        match str(part.get("Content-Transfer-Encoding", "")).strip().lower():
            case "quoted-printable":
                content = binascii.b2a_qp(content, istext=True)
            case "base64":
                content = base64.encodebytes(content)
        part.set_payload(content.decode("ascii", "surrogateescape"))
    return sought.sub(MASK, message.as_bytes() if found else raw)
