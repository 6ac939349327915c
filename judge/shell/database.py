"""The judge's database, as the keeper's commands open it: only `judge run` makes one."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path

from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DBAPIError

from judge.games.core.office import KeyUnusable
from judge.settings import Settings
from judge.shell.calling import Given, reporting
from judge.store.engine import StoreError, in_words, migrate, open_engine


def for_keepers(command: Callable[Given, int]) -> Callable[Given, int]:
    """Let a command end with a line where it is refused (1), or where the database or a file cannot be used (2)."""

    @reporting(StoreError, KeyUnusable, OSError)
    @wraps(command)
    def run(*args: Given.args, **options: Given.kwargs) -> int:
        try:
            return command(*args, **options)
        except DBAPIError as error:
            raise StoreError(in_words(error)) from error

    return run


def is_not_made_yet(settings: Settings) -> bool:
    """Whether the database is SQLite, and without a file: then none must be made."""
    address = make_url(settings.store_url)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


def opened(settings: Settings) -> Engine:
    """The database, brought up to date; raises StoreError if there is none, or if it cannot be used."""
    if is_not_made_yet(settings):
        raise StoreError("there is no database yet: judge run makes it")
    engine = open_engine(settings.store_url)
    migrate(engine)
    return engine
