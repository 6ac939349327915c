"""Hears what a judge asks of its database: what SQLAlchemy carries out, and what goes straight to SQLite's driver."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Engine, event
from sqlalchemy.pool import Pool
from sqlmodel import Session

from judge.store import straight

Note = Callable[[str, Any], object]

# By the pool, which an engine shares with those that are made of it for reading: only of those that are listened to.
_notes: WeakKeyDictionary[Pool, list[Note]] = WeakKeyDictionary()
_rows, _many, _finds = straight.Straight.rows, straight.Straight.many, straight.Straight.finds


def listen(engine: Engine, note: Note) -> Callable[[], None]:
    """Call `note` with each statement and its values (a list for many rows). Returns a function that ends this."""
    notes = _notes.setdefault(engine.pool, [])

    def by_sqlalchemy(_connection: object, _cursor: object, statement: str, values: Any, *_more: object) -> None:
        note(statement, values)

    def cease() -> None:
        event.remove(engine, "before_cursor_execute", by_sqlalchemy)
        notes.remove(note)
        if not notes:
            _notes.pop(engine.pool, None)

    event.listen(engine, "before_cursor_execute", by_sqlalchemy)
    notes.append(note)
    return cease


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """The statements that are carried out in the block."""
    asked: list[str] = []
    cease = listen(engine, lambda statement, _: asked.append(statement))
    try:
        yield asked
    finally:
        cease()


def _hear(statement: straight.Straight, session: Session, rows: list[Any]) -> None:
    """Tell those who listen, if the statement goes straight to SQLite's driver."""
    if _notes and straight.cursor_of(session) is not None:
        _tell(statement, session.get_bind().engine, rows)


def _tell(statement: straight.Straight, engine: Engine, rows: list[Any]) -> None:
    if notes := _notes.get(engine.pool, []):
        text = statement._text(rows[0])
        values = [text.values(row) for row in rows]
        for note in notes:
            note(text.sql, values if len(values) > 1 else values[0])


def _heard_rows(self: straight.Straight, session: Session, **asked: Any) -> Any:
    _hear(self, session, [asked])
    return _rows(self, session, **asked)


def _heard_many(self: straight.Straight, session: Session, rows: Any) -> None:
    _hear(self, session, list(rows))
    _many(self, session, rows)


def _heard_finds(self: straight.Straight, engine: Engine, **asked: Any) -> bool:
    _tell(self, engine, [asked])
    return _finds(self, engine, **asked)


straight.Straight.rows = _heard_rows  # type: ignore[method-assign]
straight.Straight.many = _heard_many  # type: ignore[method-assign]
straight.Straight.finds = _heard_finds  # type: ignore[method-assign]
