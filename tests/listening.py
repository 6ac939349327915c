"""Hears what a judge asks of its database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event


def listen(engine: Engine, note: Callable[[str, Any], object]) -> Callable[[], None]:
    """Call `note` with each statement and its values (a list for many rows). Returns a function that ends this."""

    def hear(_connection: object, _cursor: object, statement: str, values: Any, *_more: object) -> None:
        note(statement, values)

    event.listen(engine, "before_cursor_execute", hear)
    return lambda: event.remove(engine, "before_cursor_execute", hear)


@contextmanager
def statements(engine: Engine) -> Iterator[list[str]]:
    """The statements that are carried out in the block."""
    asked: list[str] = []
    cease = listen(engine, lambda statement, _: asked.append(statement))
    try:
        yield asked
    finally:
        cease()
