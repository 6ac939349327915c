"""The judge's database, as the keeper's commands open it: only `judge run` makes one."""

from pathlib import Path

from sqlalchemy import Engine, make_url
from sqlalchemy.exc import DBAPIError

from judge.games.core.work import KeyUnusable
from judge.settings import Settings
from judge.store.engine import StoreError, open_engine
from judge.store.schema import migrate

# The database or a file cannot be used.
UNUSABLE = (StoreError, KeyUnusable, DBAPIError, OSError)


def is_not_made_yet(settings: Settings) -> bool:
    """Whether the database is SQLite's and has no file yet, which only `judge run` makes."""
    address = make_url(settings.store_url)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


def opened(settings: Settings) -> Engine:
    """Open the database and migrate it; raise StoreError if there is none, or it cannot be used."""
    if is_not_made_yet(settings):
        raise StoreError("there is no database yet; judge run creates it")
    engine = open_engine(settings.store_url)
    migrate(engine)
    return engine
