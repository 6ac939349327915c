"""After every test that lays letters on a desk: no password that they gave is in a mail or in the database.

The passwords are found here by the plainest rule there is, not by the judge's own: the word behind SIGNON and a game,
and its like. Passwords that the judge makes up are not meant: it tells each of them once.
"""

import base64
import binascii
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import JSON, LargeBinary, String
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlmodel import AutoString, SQLModel

_GIVEN = re.compile(
    r"^(?:SIGN ?ON|LOGIN|CREATE|OBSERVE|JOIN|HELLO|TAKEOVER|RESIGN)[ ]+\??[\w@]+[ ]+([\w-]{4,})[ ]*$"
    r"|^SET (?:PASSWORD|PW)[ ]+([\w-]{4,})",
    re.MULTILINE,
)
# Words of the judge's own that tests choose as passwords.
_ITS_WORDS = {
    "wrong", "secret", "password", "again", "other", "another", "heron", "swan", "egret", "crane", "master", "keeper",
    "standard", "gunboat", "chaos", "please", "now", "today", "with", "that", "this", "game", "right",
    "taken", "mine",
}  # fmt: skip
_BASE64 = re.compile(rb"Content-Transfer-Encoding: base64\r?\n(?:[!-~][^\n]*\n)*\r?\n([A-Za-z0-9+/=\r\n]+)")
_DONE = ("done", "ignored")
_TEXTS = (AutoString, String, JSON, LargeBinary)


def given(letters: Iterable[str]) -> set[str]:
    """The passwords that these letters give."""
    found = {word for text in letters for groups in _GIVEN.findall(text) for word in groups if word}
    return {word for word in found if word.lower() not in _ITS_WORDS}


def left(letters: Iterable[str], connection: DBAPIConnection, after: int = 0) -> list[str]:
    """Where in the mails and tables of the database a password is that these letters give, as sentences.

    after: mails up to that number were written before.
    """
    passwords = given(letters)
    return holding(passwords, connection, after) if passwords else []


def holding(passwords: set[str], connection: DBAPIConnection, after: int = 0) -> list[str]:
    """Where in the mails and tables of the database one of these passwords is, as sentences; `after`: as for `left`."""
    cells = list(_cells(connection, after))
    made_up = {word for where, data in cells if where.endswith(", secret") for word in data.decode().split()}
    words = [word.encode() for word in sorted(passwords - made_up)]
    whole = b"\0".join(data for _, data in cells)
    words = [word for word in words if word in whole]
    if not words:
        return []  # as nearly always: to look for whole words takes ten times as long
    sought = re.compile(rb"(?<!\w)(?:" + b"|".join(map(re.escape, words)) + rb")(?!\w)")
    return [
        f"{found[0].decode()} in {where}: {data[max(0, found.start() - 60) : found.end() + 20]!r}"
        for where, data in cells
        if (found := sought.search(data))
    ]


def _cells(connection: DBAPIConnection, after: int) -> Iterator[tuple[str, bytes]]:
    # The driver's own connection: this is done after thousands of tests.
    cursor = connection.cursor()
    for table, columns, asked in _questions():
        cursor.execute(f"{asked} WHERE id > {after}" if table == "mail" else asked)
        for number, *values in cursor.fetchall():
            for column, value in zip(columns, values, strict=True):
                if value:
                    yield f"{table} {number}, {column}", _shown(_octets(value))


@cache
def _questions() -> list[tuple[str, list[str], str]]:
    """(table, its columns with texts, the statement that selects them) of every table."""
    found = []
    for table in SQLModel.metadata.sorted_tables:
        columns = [column.name for column in table.c if isinstance(column.type, _TEXTS)]
        if columns:
            # What waits is still to be read.
            done = f" WHERE state IN {_DONE}" if table.name == "letter" else ""
            listed = ", ".join(f'"{column}"' for column in columns)
            found.append((table.name, columns, f'SELECT id, {listed} FROM "{table.name}"{done}'))
    return found


def _octets(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")


@lru_cache(maxsize=20_000)
def _shown(data: bytes) -> bytes:
    """The bytes, with what is encoded in them."""
    whole = data.replace(b"=\r\n", b"").replace(b"=\n", b"")
    return b"\n".join([whole, *(_decoded(found[1]) for found in _BASE64.finditer(data))])


def _decoded(letters: bytes) -> bytes:
    try:
        return base64.b64decode(letters)
    except binascii.Error:
        return b""
