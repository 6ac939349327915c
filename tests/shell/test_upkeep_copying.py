"""`judge copy`: a judge moves to PostgreSQL, and back, and goes on."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import SQLModel

from judge.settings import StoreSettings
from judge.shell.calling import carry_out
from judge.shell.upkeep import copy
from judge.store.engine import open_engine, transaction
from judge.store.tables import Game
from tests.commands.deskatwork import DeskAtWork

FAY = "france@example.org"


def rows(url: str) -> dict[str, list[tuple]]:
    engine = open_engine(url)
    with engine.connect() as connection:
        found = {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(table.c.id))]
            for table in SQLModel.metadata.sorted_tables
        }
    engine.dispose()
    return found


def test_every_row_arrives_on_the_other_database_and_is_counted_on(
    tmp_path: Path, postgres_url: str, capsys: pytest.CaptureFixture[str]
):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    desk.writes(FAY, "SIGNON Fheron pwfrance\nA PAR - BUR\nPRESS TO T\nGr\u00fc\u00dfe\nENDPRESS")
    before = rows(desk.settings.store_url)
    assert before["orders"] and before["press"] and before["phase"]

    assert carry_out(copy, desk.settings, postgres_url) == 0
    assert "set [store] url = postgresql" in capsys.readouterr().out
    assert rows(postgres_url) == before
    assert carry_out(copy, desk.settings, postgres_url) == 1
    assert "is not empty: it has rows in" in capsys.readouterr().err

    back = f"sqlite:///{tmp_path}/back.db"
    assert carry_out(copy, desk.settings.model_copy(update={"store": StoreSettings(url=postgres_url)}), back) == 0
    assert rows(back) == before

    engine = open_engine(postgres_url)
    with transaction(engine) as session:
        game = Game(name="gull", variant="standard", state="forming", zone="UTC", created_at=desk.now)
        session.add(game)
        session.flush()
        assert game.id == before["game"][-1][0] + 1
    engine.dispose()
