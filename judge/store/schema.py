"""Migrates the tables of a database to the form that this version of the code needs (judge/store/migrations)."""

import logging
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel

from judge.settings import Settings
from judge.store import tables as tables  # fills SQLModel.metadata
from judge.store.engine import StoreError, begin, open_engine, unusable

log = logging.getLogger(__name__)

# The errors of a database that cannot be used, or of its file.
UNUSABLE = (StoreError, DBAPIError, OSError)
# The most missing parts of a database that an error lists.
MOST_TOLD = 5

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
# Any number, as long as every judge asks PostgreSQL for the same one.
_MIGRATION_LOCK = 190_104
# The last commit that has the steps before the first of today.
_BEFORE_THE_MERGE = "ef00ee7b29efe5f4ae97073dbe68dbb9de4a8c21"


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


def migrate(engine: Engine) -> None:
    """Bring the tables to the form that this version of the code needs; does nothing when they have it.

    Runs as one transaction, so a migration that fails leaves the database as it was. Raises StoreError when the
    database cannot be used at all, or for what `check_tables` refuses.
    """
    try:
        with engine.connect() as connection, connection.begin():
            begin(connection, "BEGIN IMMEDIATE")
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            before = check_tables(connection)
            if before == newest_step():
                return
            _take_steps(connection, before)
            _refuse_incomplete(connection, before)
    except DBAPIError as error:
        raise unusable(engine, error) from error
    log.info("tables brought from=%s to=%s", before or "nothing", newest_step())


def check_tables(connection: Connection) -> str:
    """The step that has made the tables, as Alembic has noted it; "" for an empty database.

    Raises StoreError when the database was made by a newer version or by one that is too old, or when it lacks what its
    steps should have made.
    """
    taken = step_taken(connection)
    if taken == newest_step():
        _refuse_incomplete(connection, taken)
    if not taken or taken in _steps():
        return taken
    # A number alone is a step of an earlier sequence, which ended with 0027.
    if taken.isdecimal() or taken < min(_steps()):
        raise StoreError(
            f"the database is too old for this version of judge (its tables are at {taken}): first upgrade it with "
            f'commit {_BEFORE_THE_MERGE}, then with this version (docs/keeper.md, "Upgrade")'
        )
    raise StoreError(
        f"the database was made by a newer version of judge (its tables are at {taken}, "
        f"this version knows them up to {newest_step()}): "
        "install that version, or restore a backup made before it"
    )


def newest_step() -> str:
    """The name of the last step in judge/store/migrations."""
    return max(_steps())


def step_taken(connection: Connection) -> str:
    """The step that has brought the tables to their form, as Alembic has noted it; "" for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() or ""


def _steps() -> set[str]:
    """Each file in judge/store/migrations/versions has the name of its step."""
    return {path.stem for path in (_MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _take_steps(connection: Connection, before: str) -> None:
    """Take the missing steps; an empty database gets the current tables at once, and a note of all steps."""
    # Alembic takes long to import, and most starts of a judge need no migration.
    from alembic import command
    from alembic.config import Config

    # Alembic's own messages say how it works, not what was done.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if before:
        command.upgrade(config, "head")
        return
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(CreateTable(table))
        # In a fixed order: SQLite goes by it where two indexes seem equally good for a query.
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(CreateIndex(index))
    command.stamp(config, "head")


def _refuse_incomplete(connection: Connection, noted: str) -> None:
    """Raise StoreError if the database lacks what its noted step should have made; anything extra does no harm.

    A step that is inserted before others is never taken by databases that have taken those.
    """
    look = inspect(connection)
    lacks: list[str] = []
    for name, table in sorted(SQLModel.metadata.tables.items()):
        if not look.has_table(name):
            lacks.append(f"table {name}")
            continue
        columns = {column["name"] for column in look.get_columns(name)}
        indexes = {index["name"] for index in look.get_indexes(name)}
        lacks += [f"column {name}.{column}" for column in sorted({*table.columns.keys()} - columns)]
        lacks += [f"index {index}" for index in sorted({str(index.name) for index in table.indexes} - indexes)]
    if lacks:
        more = f" and {len(lacks) - MOST_TOLD} more" if lacks[MOST_TOLD:] else ""
        raise StoreError(
            f"the database has skipped a migration: it claims that its tables are at {noted}, but it lacks "
            f"{', '.join(lacks[:MOST_TOLD])}{more}. Nothing was changed: restore a backup made before that, or add "
            "what is missing, as judge/store/migrations does"
        )
