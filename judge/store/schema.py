"""Migrates the tables of a database to the form that this version of the code needs (judge/store/migrations)."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel

from judge.store import tables as tables  # fills SQLModel.metadata
from judge.store.engine import StoreError, begin, shown

log = logging.getLogger(__name__)

# The most missing parts of a database that an error lists.
MOST_TOLD = 5

_MIGRATIONS = Path(__file__).resolve().parent / "migrations"
# Any number, as long as every judge asks PostgreSQL for the same one.
_MIGRATION_LOCK = 190_104
# The steps 0001 to 0027 were merged into one that makes the same tables; the last commit that has them.
_FIRST, _LAST_MERGED = "0001_first", "0027"
_BEFORE_THE_MERGE = "7b2fabcdd959218dd90e3dd0f6b071828ad0dace"


def migrate(engine: Engine) -> None:
    """Bring the tables to the form that this version of the code needs; does nothing when they have it.

    Runs as one transaction, so a migration that fails leaves the database as it was. Raises StoreError when the
    database cannot be used at all, or for what `check_tables` refuses.
    """
    try:
        with engine.connect() as connection, _loose_foreign_keys(connection), connection.begin():
            begin(connection, "BEGIN IMMEDIATE")
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            before = check_tables(connection)
            if before == [newest_step()]:
                return
            if before == [_LAST_MERGED]:
                connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{_FIRST}'")
            _take_steps(connection)
            _refuse_incomplete(connection, before)
            is_sqlite = connection.dialect.name == "sqlite"
            if is_sqlite and (broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first()):
                raise StoreError(f"the migration would leave rows of table {broken[0]!r} pointing at nothing")
    except DBAPIError as error:
        words = str(error.orig).partition("\n")[0]
        raise StoreError(f"the database {shown(engine.url)} cannot be used: {words}") from error
    log.info("tables brought from=%s to=%s", *(before or ("nothing",)), newest_step())


def check_tables(connection: Connection) -> list[str]:
    """The step that has made the tables, as Alembic has noted it; none for an empty database.

    Raises StoreError when the database was made by a newer version or by one that is too old, or when it lacks what its
    steps should have made.
    """
    taken = steps_taken(connection)
    unknown = set(taken) - _steps() - {_LAST_MERGED}
    at = ", ".join(sorted(unknown))
    if unknown and all(step.isdecimal() and step <= _LAST_MERGED for step in unknown):
        raise StoreError(
            f"the database is too old for this version of judge (its tables are at {at}): first upgrade it with commit "
            f'{_BEFORE_THE_MERGE}, then with this version (docs/keeper.md, "Upgrade")'
        )
    if unknown:
        raise StoreError(
            f"the database was made by a newer version of judge (its tables are at {at}, "
            f"this version knows them up to {newest_step()}): "
            "install that version, or restore a backup made before it"
        )
    if taken == [newest_step()]:
        _refuse_incomplete(connection, taken)
    return taken


def newest_step() -> str:
    """The name of the last step in judge/store/migrations."""
    return max(_steps())


def steps_taken(connection: Connection) -> list[str]:
    """The step that has brought the tables to their form, as Alembic has noted it; none for an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return []
    return list(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars())


def _steps() -> set[str]:
    """Each file in judge/store/migrations/versions has the name of its step."""
    return {path.stem for path in (_MIGRATIONS / "versions").glob("[0-9]*_*.py")}


def _take_steps(connection: Connection) -> None:
    """Take the missing steps; an empty database gets the current tables at once, and a note of all steps."""
    # Alembic takes long to import, and most starts of a judge need no migration.
    from alembic import command
    from alembic.config import Config

    # Alembic's own messages say how it works, not what was done.
    logging.getLogger("alembic").setLevel(logging.WARNING)
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    if steps_taken(connection):
        command.upgrade(config, "head")
        return
    for table in SQLModel.metadata.sorted_tables:
        connection.execute(CreateTable(table))
        # In a fixed order: SQLite goes by it where two indexes seem equally good for a query.
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            connection.execute(CreateIndex(index))
    command.stamp(config, "head")


@contextmanager
def _loose_foreign_keys(connection: Connection) -> Iterator[None]:
    """Let SQLite rebuild a table to which others point (its own advice: sqlite.org/lang_altertable, section 7).

    The pragma does nothing inside a transaction, so it is set on the driver's connection outside of one.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    pragma = connection.connection.cursor().execute
    pragma("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        pragma("PRAGMA foreign_keys = ON")


def _refuse_incomplete(connection: Connection, noted: Sequence[str]) -> None:
    """Raise StoreError if the database lacks what its noted step should have made; anything extra does no harm.

    A step that is inserted before others is never taken by databases that have taken those.
    """
    look = inspect(connection)
    all_columns, all_indexes = look.get_multi_columns(), look.get_multi_indexes()
    lacks: list[str] = []
    for name, table in sorted(SQLModel.metadata.tables.items()):
        if (None, name) not in all_columns:
            lacks.append(f"table {name}")
            continue
        columns = set(table.columns.keys()) - {column["name"] for column in all_columns[None, name]}
        indexes = {str(index.name) for index in table.indexes} - {index["name"] for index in all_indexes[None, name]}
        lacks += [f"column {name}.{column}" for column in sorted(columns)]
        lacks += [f"index {index}" for index in sorted(indexes)]
    if lacks:
        more = f" and {len(lacks) - MOST_TOLD} more" if lacks[MOST_TOLD:] else ""
        raise StoreError(
            f"the database has skipped a migration: it claims that its tables are at {', '.join(noted)}, but it lacks "
            f"{', '.join(lacks[:MOST_TOLD])}{more}. Nothing was changed: restore a backup made before that, or add "
            "what is missing, as judge/store/migrations does"
        )
