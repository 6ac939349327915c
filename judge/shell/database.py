"""The judge's database, as the keeper's commands open it: only `judge run` makes one."""

from pathlib import Path

from sqlalchemy import Engine, make_url

from judge.settings import Settings
from judge.store.engine import StoreError, open_engine
from judge.store.schema import migrate


def is_not_made_yet(settings: Settings) -> bool:
    """Whether the database is SQLite, and without a file: then none must be made."""
    address = make_url(settings.store_url)
    return address.get_backend_name() == "sqlite" and not Path(address.database or "").exists()


def refuse_missing(settings: Settings) -> None:
    """Raise StoreError if there is no database."""
    if is_not_made_yet(settings):
        raise StoreError("there is no database yet: judge run makes it")


def opened(settings: Settings) -> Engine:
    """The database, brought up to date; raises StoreError if there is none, or if it cannot be used."""
    refuse_missing(settings)
    engine = open_engine(settings.store_url)
    migrate(engine)
    return engine
