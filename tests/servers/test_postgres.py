"""The throw-away PostgreSQL gives every test a database of its own."""

from sqlalchemy import create_engine, inspect, text

from tests.servers.postgres import Postgres


def test_a_database_is_new_and_takes_any_writing(postgres_url: str):
    engine = create_engine(postgres_url)
    assert inspect(engine).get_table_names() == []
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE power (name TEXT)"))
        connection.execute(text("INSERT INTO power VALUES ('Ö')"))
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT name FROM power")) == "Ö"
    engine.dispose()


def test_databases_are_dropped_though_somebody_is_still_connected(_running_postgres: Postgres):
    with _running_postgres.database() as url:
        forgotten = create_engine(url).connect()
        forgotten.execute(text("SELECT 1"))
    with _running_postgres.database() as other:
        assert other != url
