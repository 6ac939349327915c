"""The steps in judge/store/migrations make exactly the tables of judge/store/tables.py."""

import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect, text
from sqlmodel import Session, SQLModel, col, select

from judge.rules import (
    Build,
    Disband,
    Hold,
    Home,
    Move,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
    load_variant,
    parse_order,
    variant_names,
)
from judge.rules.board.order_json import order_from_json
from judge.rules.board.phase import kind
from judge.rules.selfplay import play
from judge.shell import cli
from judge.store.engine import StoreError, migrate, newest_step, steps_taken
from judge.store.tables import Address, BidRow, Game, OrderRow, Phase, Press
from tests.forked import ROOT, Forked
from tests.store.filled import begin_after

AT = datetime(2026, 5, 4, 10, tzinfo=UTC).isoformat(" ")

MIGRATIONS = ROOT / "judge" / "store" / "migrations"


def test_alembic_finds_no_difference_to_the_tables(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": True})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_the_database_itself_sees_no_difference(url: str, engine: Engine) -> None:
    """Alembic does not compare the conditions of partial indexes or the order of keys; the database does."""
    migrated = _shape(engine)
    SQLModel.metadata.drop_all(engine)
    SQLModel.metadata.create_all(engine)
    assert migrated == _shape(engine)
    assert set(migrated) == set(SQLModel.metadata.tables)


def test_migrating_again_changes_nothing(engine: Engine) -> None:
    before = _shape(engine)
    migrate(engine)
    assert _shape(engine) == before


def test_the_newest_step_is_the_one_at_which_alembic_ends(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert [newest_step()] == ScriptDirectory.from_config(config).get_heads()
    with engine.connect() as connection:
        assert steps_taken(connection) == [newest_step()]


SETTINGS = """
[judge]
code = TEST
address = judge@example.org
keeper = keeper@example.org
[store]
url = {url}
[mailbox]
host = 127.0.0.1
port = 9
security = plain
user = judge
password = secret
[smtp]
host = 127.0.0.1
port = 9
security = plain
"""

# What step 0004 makes; a history with 0005 before 0004 exists.
_WITHOUT_0004 = ("DROP TABLE application", "DROP INDEX ix_game_notice_at", "ALTER TABLE game DROP COLUMN notice_at")


@pytest.mark.parametrize("noted", ["0005", "0009", "newest"])
def test_a_database_that_skipped_a_step_is_refused_as_it_is(engine: Engine, noted: str) -> None:
    """Whether the step was skipped long ago or just now, and whatever steps are still to be taken."""
    if noted != "newest":
        begin_after(engine, noted)
    _without_step_0004(engine)
    before = _shape(engine)
    with pytest.raises(StoreError) as refused:
        migrate(engine)
    number = newest_step() if noted == "newest" else noted
    assert f"by its own note its tables are at {number}" in str(refused.value)
    assert "it lacks table application, column game.notice_at, index ix_game_notice_at." in str(refused.value)
    with engine.connect() as connection:
        assert steps_taken(connection) == [number]
    assert _shape(engine) == before


@pytest.mark.parametrize(
    "change, lack",
    [
        ("DROP INDEX mail_of_kind", "index mail_of_kind"),
        ("DROP INDEX seat_one_per_power", "index seat_one_per_power"),
        ("ALTER TABLE mail DROP COLUMN told_at", "column mail.told_at"),
    ],
)
def test_whatever_is_missing_is_named(engine: Engine, change: str, lack: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(change))
    with pytest.raises(StoreError, match=f"it lacks {lack}. Nothing was changed"):
        migrate(engine)


def test_a_column_that_must_not_be_empty_where_it_may_is_named(engine: Engine) -> None:
    """As step 0010 left out would have it."""
    with (
        engine.begin() as connection,
        Operations.context(MigrationContext.configure(connection)),
        op.batch_alter_table("press") as press,
    ):
        press.alter_column("seat_id", nullable=False)
    with pytest.raises(StoreError, match="it lacks column press.seat_id that may be empty"):
        migrate(engine)


def test_what_must_be_unique_is_missed(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE vote"))
        connection.execute(
            text("CREATE TABLE vote (id INTEGER NOT NULL, phase_id INTEGER NOT NULL, power VARCHAR NOT NULL, "
                 "kind VARCHAR NOT NULL, choice VARCHAR NOT NULL)")
        )
        connection.execute(text("CREATE INDEX ix_vote_phase_id ON vote (phase_id)"))
    with pytest.raises(StoreError, match=r"it lacks unique vote \(phase_id, power, kind\)"):
        migrate(engine)


def test_what_the_keeper_has_added_does_no_harm(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE notes (id INTEGER)"))
        connection.execute(text("CREATE INDEX of_mine ON game (comment)"))
        connection.execute(text("ALTER TABLE game ADD COLUMN remark VARCHAR"))
    before = _shape(engine)
    migrate(engine)
    assert _shape(engine) == before


@pytest.mark.parametrize("command", [["status"], ["run"], ["replay", "1"], ["games", "list"], ["mails", "list"]])
def test_the_keeper_reads_one_sentence(
    engine: Engine, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    _without_step_0004(engine)
    config = tmp_path / "judge.ini"
    config.write_text(SETTINGS.format(url=url))
    assert cli.main([*command[:1], "--config", str(config), *command[1:]]) in (1, 2)
    told = capsys.readouterr()
    assert "the database has skipped a step: by its own note" in told.out + told.err


def _without_step_0004(engine: Engine) -> None:
    with engine.begin() as connection:
        for statement in _WITHOUT_0004:
            connection.execute(text(statement))


def test_a_judge_whose_tables_are_as_they_must_be_starts_without_alembic(url: str, engine: Engine) -> None:
    """Its import takes a fifth of the time in which a judge starts."""
    program = (
        "import sys; from judge.store.engine import *; migrate(open_engine(sys.argv[1])); "
        "print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", program, url]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60).stdout == "False\n"


def test_several_processes_may_migrate_at_once(url: str, tmp_path: Path) -> None:
    """One makes the tables, the others wait and then find them made."""
    program = "import sys; from judge.store.engine import *; migrate(open_engine(sys.argv[1]))"
    errors = [tmp_path / f"errors-{number}" for number in range(3)]
    processes = [Forked([url], ROOT, (os.devnull, os.devnull, said), os.environ, program) for said in errors]
    assert [process.wait(60) for process in processes] == [0] * 3
    assert [said.read_text() for said in errors] == [""] * 3


def test_games_that_are_forming_are_told_a_week_after_the_upgrade(engine: Engine) -> None:
    """Step 0004, on a database that was in use before it."""
    begin_after(engine, "0003")
    with engine.begin() as connection:
        for name, state in (("heron", "forming"), ("gull", "active")):
            row = {"name": name, "state": state, "at": datetime(2026, 5, 4, 10, tzinfo=UTC).isoformat(" ")}
            connection.execute(
                text(
                    "INSERT INTO game (name, variant, state, zone, settings, comment, result, created_at) "
                    "VALUES (:name, 'standard', :state, 'UTC', '{}', '', '', :at)"
                ),
                row,
            )
    migrate(engine)
    with Session(engine) as session:
        told = dict(session.exec(select(Game.name, Game.notice_at)).all())
    assert told["gull"] is None
    assert told["heron"]
    assert timedelta(days=6) < told["heron"] - datetime.now(UTC) <= timedelta(days=7)


def test_press_stays_as_it_was_when_it_may_lack_a_seat(engine: Engine) -> None:
    """Step 0010, on a database that was in use before it."""
    begin_after(engine, "0009")
    at = datetime(2026, 5, 4, 10, tzinfo=UTC)
    with engine.begin() as connection:
        for statement in (
            "INSERT INTO person (id, name, zone) VALUES (1, 'Kim Doe', 'UTC')",
            "INSERT INTO game (id, name, variant, state, zone, settings, comment, result, created_at) "
            "VALUES (1, 'heron', 'standard', 'active', 'UTC', '{}', '', '', :at)",
            "INSERT INTO seat (id, game_id, person_id, role, address, password, preference, waits, joined_at) "
            "VALUES (1, 1, 1, 'master', 'kim@example.org', '', '', FALSE, :at)",
            "INSERT INTO press (id, game_id, seat_id, sent_at, sender, grey, recipients, public, readers, text) "
            "VALUES (1, 1, 1, :at, 'the master', FALSE, '', TRUE, '[2, 3]', 'Peace!')",
        ):
            connection.execute(text(statement), {"at": at.isoformat(" ")} if ":at" in statement else {})
    migrate(engine)
    with Session(engine) as session:
        (press,) = session.exec(select(Press)).all()
        session.add(Press(**{**press.model_dump(), "id": 2, "seat_id": None}))
        session.flush()
        assert [row.seat_id for row in session.exec(select(Press).order_by(col(Press.id)))] == [1, None]
    assert (press.text, press.readers, press.sent_at) == ("Peace!", [2, 3], at)


def test_orders_that_were_on_file_mean_what_their_texts_say(engine: Engine) -> None:
    """Step 0013, on a database that was in use before it: orders and bids of a game of each variant."""
    begin_after(engine, "0012")
    games = {number: load_variant(name) for number, name in enumerate(variant_names(), start=1)}
    with engine.begin() as connection:
        for number, game in games.items():
            _begin_game(connection, number, game.name)
            for line in play(game, years=2, seed=4):
                _keep_phase(connection, number, line["phase"], line["orders"], line.get("bids", {}))
    migrate(engine)
    with Session(engine) as session:
        rows = [(row.meaning, row.text, phase) for row, phase in session.exec(select(OrderRow, Phase).join(Phase))]
        bids = [(row.meaning, row.text, phase) for row, phase in session.exec(select(BidRow, Phase).join(Phase))]
    assert len(rows) > 1000 and {phase.game_id for _, _, phase in rows} == games.keys()
    assert {phase.game_id for _, _, phase in bids} == {number for number, game in games.items() if game.points}
    for meaning, words, phase in rows + bids:
        order = parse_order(games[phase.game_id].at(phase.name), kind(phase.name), words)
        assert meaning and order_from_json(meaning) == order


# What is seldom in such a game, and what the judge has never filed but could have.
IN_NORMAL_FORM = {
    ("F1901R", "A MUN - TYR"): Retreat(Unit("A", "MUN"), "TYR"),
    ("F1901R", "F NTH D"): Disband(Unit("F", "NTH")),
    ("F1901M", "A LON - NWY VIA"): Move(Unit("A", "LON"), "NWY", via=True),
    ("F1901M", "F STP/NC S PAR - SPA/SC"): Support(Unit("F", "STP/NC"), Unit("", "PAR"), "SPA/SC"),
    ("F1901M", "PAR H"): Hold(Unit("", "PAR")),
    ("W1901A", "BUILD F STP/NC"): Build(Unit("F", "STP/NC")),
    ("W1901A", "REMOVE PAR"): Remove(Unit("", "PAR")),
    ("W1901A", "WAIVE"): Waive(),
    ("W1901A", "HOME MEC"): Home("MEC"),
}


def test_every_normal_form_is_understood_and_no_bid_stays_one(engine: Engine) -> None:
    """Step 0013 again; a row that says that no more points are spent has no order."""
    begin_after(engine, "0012")
    with engine.begin() as connection:
        _begin_game(connection, 1, "standard")
        for phase, order in IN_NORMAL_FORM:
            _keep_phase(connection, 1, phase, {"France": [order]}, {"France": [{"points": 0, "order": ""}]})
    migrate(engine)
    with Session(engine) as session:
        rows = [(phase.name, row) for row, phase in session.exec(select(OrderRow, Phase).join(Phase))]
        assert {(name, row.text): order_from_json(row.meaning) for name, row in rows} == IN_NORMAL_FORM
        bids = session.exec(select(BidRow)).all()
        assert bids and {(bid.text, bid.meaning) for bid in bids} == {("", None)}


def _begin_game(connection: Connection, number: int, variant: str) -> None:
    row = {"id": number, "name": f"heron{number}", "variant": variant, "at": AT}
    connection.execute(
        text(
            "INSERT INTO game (id, name, variant, state, zone, settings, comment, result, created_at) "
            "VALUES (:id, :name, :variant, 'active', 'UTC', '{}', '', '', :at)"
        ),
        row,
    )


def _keep_phase(
    connection: Connection, game: int, name: str, orders: Mapping[str, list[str]], bids: Mapping[str, list[Any]]
) -> None:
    """A phase that was processed before step 0013, with the orders and bids that were given for it."""
    count = connection.execute(text("SELECT count(*) FROM phase")).scalar_one() + 1
    row = {"id": count, "game": game, "name": name, "at": AT}
    connection.execute(
        text(
            "INSERT INTO phase (id, game_id, number, name, position, opened_at, earliest_at, deadline_at, "
            "grace_ends_at, processed_at) VALUES (:id, :game, :id, :name, '{}', :at, :at, :at, :at, :at)"
        ),
        row,
    )
    for power, given in orders.items():
        for slot, order in enumerate(given):
            connection.execute(
                text(
                    "INSERT INTO orders (phase_id, power, slot, text, given_at) VALUES (:id, :power, :slot, :text, :at)"
                ),
                {"id": count, "power": power, "slot": str(slot), "text": order, "at": AT},
            )
    for power, lines in bids.items():
        for order, points in {bid["order"]: bid["points"] for bid in lines}.items():
            connection.execute(
                text(
                    "INSERT INTO bid (phase_id, power, points, province, text, given_at) "
                    "VALUES (:id, :power, :points, '', :text, :at)"
                ),
                {"id": count, "power": power, "points": points, "text": order, "at": AT},
            )


def test_addresses_are_kept_in_one_form(engine: Engine) -> None:
    """Step 0015, on a database that was in use before it; nobody gets the address of somebody else."""
    begin_after(engine, "0014")
    at = datetime(2026, 5, 4, 10, tzinfo=UTC).isoformat(" ")
    written = ["anna@exämple.org", "anna@faß.de", "anna@fass.de", "ben@faß.de", "ben@xn--fa-hia.de", "no address"]
    with engine.begin() as connection:
        for number, address in enumerate(written, 1):
            row = {"id": number, "address": address, "at": at}
            connection.execute(text("INSERT INTO person (id, name, zone) VALUES (:id, 'Anna', 'UTC')"), row)
            connection.execute(
                text("INSERT INTO address (id, person_id, address, added_at) VALUES (:id, :id, :address, :at)"), row
            )
    migrate(engine)
    with Session(engine) as session:
        kept = session.exec(select(Address.address).order_by(col(Address.id))).all()
    assert kept == [
        "anna@xn--exmple-cua.org",
        "anna@xn--fa-hia.de",
        "anna@fass.de",
        "ben@faß.de",
        "ben@xn--fa-hia.de",
        "no address",
    ]


def _shape(engine: Engine) -> dict[str, dict[str, Any]]:
    """Asked of all tables at once, which PostgreSQL answers many times as fast."""
    with engine.connect() as connection:
        look = inspect(connection)
        columns, indexes = look.get_multi_columns(), look.get_multi_indexes()
        unique, foreign = look.get_multi_unique_constraints(), look.get_multi_foreign_keys()
        primary = look.get_multi_pk_constraint()
    return {
        key[1]: {
            # By name: a column that was added later stands last in the database, wherever the class has it.
            "columns": {column["name"]: {**column, "type": str(column["type"])} for column in columns[key]},
            "primary key": primary[key],
            "indexes": sorted(map(_plain, indexes[key])),
            "unique": sorted(map(_plain, unique[key])),
            "foreign keys": sorted(map(_plain, foreign[key])),
        }
        for key in columns
        if key[1] != "alembic_version"
    }


def _plain(thing: Any) -> str:
    """Conditions are objects that compare by identity: as text they compare by what they say."""
    if isinstance(thing, dict):
        return str([(key, _plain(thing[key])) for key in sorted(thing)])
    return str(thing)
