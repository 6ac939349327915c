"""The words that columns may hold are those in judge/store/states.py; each transcript looks at all that it has left."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from sqlalchemy import Engine, String, text
from sqlmodel import Session

from judge.maps.album import Form
from judge.store import states
from judge.store.tables import Game
from tests.statewords import COLUMNS, strange_words

STATES = [name for name, words in vars(states).items() if name[0].isupper() and get_args(words)]


def test_every_state_belongs_to_one_column():
    assert sorted(get_args(getattr(states, name)) for name in STATES) == sorted(COLUMNS.values())


def test_no_state_has_a_word_twice():
    assert [name for name in STATES if len(set(words := get_args(getattr(states, name)))) < len(words)] == []


def test_the_columns_hold_text_of_any_length():
    """As the steps in judge/store/migrations have made them."""
    assert {(type(column.type), column.type.length) for column in COLUMNS} == {(String, None)}


def test_pictures_are_drawn_in_the_forms_that_are_kept():
    assert get_args(Form) == get_args(states.PictureForm)


@pytest.mark.parametrize(("state", "strange"), [("paused", []), ("pausd", ["game.state: pausd"])])
def test_a_strange_word_in_a_row_is_seen(engine: Engine, state: str, strange: list[str]):
    with Session(engine) as session:
        session.add(Game(name="heron", variant="standard", state="active", zone="UTC", created_at=datetime.now(UTC)))
        session.commit()
        session.execute(text("UPDATE game SET state = :state"), {"state": state})
        session.commit()
    assert strange_words(engine) == strange
