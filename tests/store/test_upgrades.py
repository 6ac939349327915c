"""A database of every earlier form, with rows in every table, is brought up to date and keeps them all."""

from typing import Any

import pytest
from sqlalchemy import Connection, Engine, inspect, select
from sqlmodel import Session, SQLModel

from judge.addresses import normal
from judge.store.engine import migrate, newest_step, open_engine, steps_taken
from tests.store.filled import FILES, begin_after, fill, rows_of, steps

# Since this step addresses have one form.
NORMAL_ADDRESSES = "0015"

Rows = dict[str, list[dict[str, Any]]]


@pytest.mark.parametrize("step", steps()[:-1])
def test_every_row_is_kept(url: str, step: str) -> None:
    engine = open_engine(url)
    begin_after(engine, step)
    with engine.begin() as connection:
        fill(connection, rows_of(step))
        before = _rows(connection)
    assert before and all(len(rows) == 2 for rows in before.values())
    migrate(engine)
    with engine.connect() as connection:
        assert steps_taken(connection) == [newest_step()]
        after = _rows(connection)
    for table, rows in before.items():
        for old, new in zip(rows, after[table], strict=True):
            assert {name: new[name] for name in old} == {name: _brought(step, table, name, old[name]) for name in old}
    _check_that_all_is_read(engine)
    engine.dispose()


def test_every_released_form_has_a_file() -> None:
    assert {file.stem for file in FILES.glob("*.sql")} >= {step for step in steps() if step <= "0015"}


def _brought(step: str, table: str, name: str, old: Any) -> Any:
    """What a column holds after the steps that follow `step`."""
    if step < NORMAL_ADDRESSES and name == "address" and table in ("address", "seat", "application"):
        return normal(old)
    return old


def _rows(connection: Connection) -> Rows:
    """All rows of all tables, in order, as the database gives them."""
    return {
        table: [dict(row) for row in connection.exec_driver_sql(f'SELECT * FROM "{table}" ORDER BY id').mappings()]
        for table in inspect(connection).get_table_names()
        if table != "alembic_version"
    }


def _check_that_all_is_read(engine: Engine) -> None:
    """As the judge reads them: every table by its class."""
    with Session(engine) as session:
        for mapper in SQLModel._sa_registry.mappers:
            for row in session.execute(select(mapper.class_)).scalars():
                assert row.id
