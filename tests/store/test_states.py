"""The words that columns may hold are those in judge/store/states.py; each transcript looks at all that it has left."""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from judge.store import states
from judge.store.tables import Game
from tests.statewords import COLUMNS, strange_words

JUDGE = Path(__file__).parents[2] / "judge"
STATES = [name for name, words in vars(states).items() if name[0].isupper() and get_args(words)]


def test_every_state_belongs_to_a_column():
    assert sorted(get_args(getattr(states, name)) for name in STATES) == sorted({*COLUMNS.values()})


@pytest.mark.parametrize(("state", "strange"), [("paused", []), ("pausd", ["game.state: pausd"])])
def test_a_strange_word_in_a_row_is_seen(engine: Engine, state: str, strange: list[str]):
    with Session(engine) as session:
        session.add(Game(name="heron", variant="standard", state="active", zone="UTC", created_at=datetime.now(UTC)))
        session.commit()
        session.execute(text("UPDATE game SET state = :state"), {"state": state})
        session.commit()
    assert strange_words(engine) == strange


def test_a_state_is_looked_for_among_its_words_alone():
    """mypy compares `state == "word"`, but not `state in ("word", "another")`. Other things have kinds, too."""
    known: dict[str, set[str]] = {}
    for column, words in COLUMNS.items():
        known.setdefault(column.name, set()).update(words)
    del known["kind"]
    sought = [words for path in JUDGE.rglob("*.py") for words in _sought(ast.parse(path.read_text()))]
    assert ("state", {"active", "paused"}) in sought
    assert [(name, words) for name, words in sought if name in known and not words <= known[name]] == []


def _sought(tree: ast.AST) -> Iterator[tuple[str, set[str]]]:
    """Of each `something.name in ("word", …)`: the name, the words."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ast.Attribute(attr=name), [ast.In() | ast.NotIn()], [ast.Tuple(these) | ast.Set(these)]):
                yield name, {str(one.value) for one in these if isinstance(one, ast.Constant)}
