"""Statements that go straight to SQLite's driver do what they do by SQLAlchemy's way."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, bindparam, exc, insert, text, update
from sqlmodel import Session, SQLModel, col, select

from judge.store import straight
from judge.store.engine import migrate, open_engine, reading, transaction
from judge.store.straight import Objects, Straight
from judge.store.tables import Event, Game, Phase
from tests.listening import statements

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
EVENTS = SQLModel.metadata.tables["event"]
GAMES = SQLModel.metadata.tables["game"]
LOG = Straight(insert(EVENTS))
GAME = Objects[Game](select(Game).where(Game.name == bindparam("name")))
BOTH = Objects[tuple[Game, Phase | None]](
    select(Game, Phase).join(Phase, col(Phase.game_id) == Game.id, isouter=True).order_by(Game.name)
)


def game(name: str, **more: Any) -> Game:
    return Game(name=name, variant="standard", state="forming", zone="UTC", created_at=NOON, **more)


@pytest.fixture
def engine_with_games(engine: Engine) -> Engine:
    with transaction(engine) as session:
        session.add_all([game("heron", settings={"press": ["none", 1.5]}), game("gull", started_at=NOON)])
    return engine


@pytest.fixture(params=["straight", "by SQLAlchemy"])
def session(engine_with_games: Engine, request: pytest.FixtureRequest) -> Iterator[Session]:
    if request.param == "straight":
        with transaction(engine_with_games) as session:
            assert bool(straight.cursor_of(session)) == (engine_with_games.dialect.name == "sqlite")
            yield session
    else:
        with Session(engine_with_games) as session, session.begin():
            assert not straight.cursor_of(session)
            yield session


def test_values_come_out_as_they_went_in(session: Session) -> None:
    """Times, JSON, words and nothing at all."""
    question = Straight(select(*GAMES.c).where(GAMES.c.name == bindparam("name")))
    row = dict(zip(GAMES.c.keys(), question.rows(session, name="heron")[0], strict=True))
    expected = session.connection().execute(GAMES.select().where(GAMES.c.name == "heron")).one()
    assert row == expected._mapping
    assert row["created_at"] == NOON and row["settings"] == {"press": ["none", 1.5]} and row["started_at"] is None


def test_values_that_a_statement_has_itself_count(session: Session) -> None:
    later = Straight(select(GAMES.c.name).where(GAMES.c.started_at > NOON - timedelta(days=1)).limit(bindparam("most")))
    assert [tuple(row) for row in later.rows(session, most=5)] == [("gull",)]
    assert later.first(session, most=0) is None and later.scalar(session, most=0) is None


def test_rows_are_written_one_and_many(session: Session) -> None:
    row = {"at": NOON, "kind": "mail", "game_id": None, "phase_id": None, "letter_id": None}
    LOG.rows(session, **row, text="first")
    LOG.many(session, [{**row, "text": "second"}, {**row, "text": "third"}])
    assert [(one.text, one.at) for one in session.exec(select(Event).order_by(col(Event.id)))] == [
        ("first", NOON), ("second", NOON), ("third", NOON)
    ]  # fmt: skip
    returning = Straight(insert(EVENTS).returning(EVENTS.c.id))
    assert returning.scalar(session, **row, text="fourth") == 4
    assert Straight(update(EVENTS).where(EVENTS.c.id == bindparam("event"))).rows(session, event=1, text="1st") == []
    assert session.exec(select(Event.text).where(Event.id == 1)).one() == "1st"


def test_whether_there_is_a_row_is_asked_in_no_session(tmp_path: Path) -> None:
    """Of SQLite alone: claims on PostgreSQL are rows that stay locked."""
    engine = open_engine(f"sqlite:///{tmp_path / 'judge.db'}")
    migrate(engine)
    named = Straight(select(GAMES.c.id).where(GAMES.c.name == bindparam("name")))
    with statements(engine) as asked, transaction(engine) as session:
        session.add(game("auk"))
        session.flush()
        assert not named.finds(engine, name="auk")  # not committed yet
    assert named.finds(engine, name="auk") and not named.finds(engine, name="heron")
    assert sum("game.name = :name" in one for one in asked) == 1
    with pytest.raises(exc.OperationalError):
        Straight(select(GAMES.c.id).where(text("nowhere = 1"))).finds(engine)
    engine.dispose()


def test_an_object_is_the_session_s_own(session: Session) -> None:
    """It is one object, whichever way it was read; what is changed in it is written before the next question."""
    heron = GAME.first(session, name="heron")
    assert heron and heron.settings == {"press": ["none", 1.5]} and heron.created_at == NOON
    assert not session.dirty and not session.new
    assert session.get(Game, heron.id) is heron
    assert session.exec(select(Game).where(Game.name == "heron")).one() is heron
    heron.name = "egret"
    assert GAME.first(session, name="egret") is heron
    assert GAME.first(session, name="heron") is None
    session.refresh(heron)
    assert heron.name == "egret"


def test_an_object_that_is_pending_is_found(session: Session) -> None:
    session.add(game("tern"))
    tern = GAME.first(session, name="tern")
    assert tern and tern.id


def test_of_two_kinds_one_may_be_missing(session: Session) -> None:
    heron = GAME.first(session, name="heron")
    assert heron and heron.id
    moments: dict[str, Any] = dict.fromkeys(("opened_at", "earliest_at", "deadline_at", "grace_ends_at"), NOON)
    session.add(Phase(game_id=heron.id, number=1, name="S1901M", position={}, **moments))
    (gull, nothing), (again, phase) = BOTH.all(session)
    assert gull.name == "gull" and nothing is None
    assert again is heron and phase and phase.name == "S1901M" and phase.opened_at == NOON


def test_what_was_changed_straight_is_rolled_back(engine_with_games: Engine) -> None:
    with pytest.raises(RuntimeError), transaction(engine_with_games) as session:
        LOG.rows(session, at=NOON, kind="mail", game_id=None, phase_id=None, letter_id=None, text="no")
        raise RuntimeError
    with reading(engine_with_games) as session:
        assert session.exec(select(Event)).all() == []


def test_what_was_changed_straight_is_undone_with_its_savepoint(session: Session) -> None:
    """Also where nothing else has been asked since."""
    row = {"at": NOON, "kind": "mail", "game_id": None, "phase_id": None, "letter_id": None}
    LOG.rows(session, **row, text="stays")
    savepoint = session.begin_nested()
    LOG.many(session, [{**row, "text": "goes"}])
    savepoint.rollback()
    assert session.exec(select(Event.text)).all() == ["stays"]


def test_an_error_is_sqlalchemy_s_and_tells_no_values(session: Session) -> None:
    known = Straight(insert(GAMES))
    row = {name: value for name, value in game("heron").model_dump().items() if name != "id"}
    with pytest.raises(exc.IntegrityError) as raised, session.begin_nested():
        known.rows(session, **{**row, "comment": "secret"})
    assert "secret" not in str(raised.value) and "INSERT INTO game" in str(raised.value)


def test_a_table_that_is_gone_is_the_database_s_fault_and_no_letter_s(engine_with_games: Engine) -> None:
    if engine_with_games.dialect.name != "sqlite":
        return
    with transaction(engine_with_games) as session:
        session.connection().exec_driver_sql("DROP TABLE event")
        with pytest.raises(exc.OperationalError):
            LOG.rows(session, at=NOON, kind="mail", game_id=None, phase_id=None, letter_id=None, text="")


def test_tests_hear_what_goes_straight(engine_with_games: Engine) -> None:
    with transaction(engine_with_games) as session, statements(engine_with_games) as asked:
        GAME.first(session, name="heron")
    assert [statement.split()[0] for statement in asked] == ["SELECT"]
