"""A row has an id once the database has seen it."""

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from judge.store.rows import id_of
from judge.store.tables import Person


def test_a_row_that_was_never_written_has_no_id(engine: Engine) -> None:
    person = Person(name="Kim Doe", zone="UTC")
    with pytest.raises(ValueError, match="this Person was not flushed"):
        id_of(person)
    with Session(engine) as session:
        session.add(person)
        session.flush()
        assert session.get_one(Person, id_of(person)) is person
