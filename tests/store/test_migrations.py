"""The steps in judge/store/migrations make exactly the tables of judge/store/tables.py."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text
from sqlmodel import SQLModel, col, select

from judge.settings import read_settings
from judge.shell import cli, daemons, doctor, status
from judge.store import engine as store
from judge.store import outbox
from judge.store.engine import StoreError, migrate, newest_step, open_engine, step_taken, transaction
from judge.store.tables import Phase
from tests.forked import ROOT, Forked

MIGRATIONS = ROOT / "judge" / "store" / "migrations"
# The tables after the last of the merged steps, as each database writes them down.
STEP_0012 = ROOT / "tests" / "data" / "step_0012"

NewStep = Callable[[str], str]


@pytest.mark.parametrize("begun", ["now", "at 0012"])
def test_alembic_finds_no_difference_to_the_tables(engine: Engine, begun: str) -> None:
    if begun == "at 0012":
        _begin_at_0012(engine)
        migrate(engine)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_server_default": begun == "now"})
        assert compare_metadata(context, SQLModel.metadata) == []


def test_the_newest_step_is_the_one_at_which_alembic_ends(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert newest_step() == ScriptDirectory.from_config(config).get_current_head() == _taken(engine)


def test_each_step_is_named_as_its_file() -> None:
    """A number alone meant another step before the steps were merged; a note has room for 32 characters."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    steps = {step.revision: Path(step.path).stem for step in ScriptDirectory.from_config(config).walk_revisions()}
    assert list(steps) == [*steps.values()]
    assert all(len(step) <= 32 and not step.isdecimal() for step in steps)


def test_a_database_at_the_last_merged_step_becomes_one_of_today(engine: Engine) -> None:
    _begin_at_0012(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO person (name, zone) VALUES ('Kim Doe', 'UTC')")
        connection.exec_driver_sql(
            "INSERT INTO mail (message_id, kind, recipient, subject, raw, created_at, next_try_at, attempts, error) "
            "VALUES ('<1@x>', 'given up', 'kim@example.org', 'x', '', '2026-05-15 12:00', '2026-05-15 12:00', 0, '')"
        )
        connection.exec_driver_sql(
            "INSERT INTO game (id, name, variant, state, zone, settings, result, created_at, comment, proved) "
            "VALUES (1, 'heron', 'standard', 'active', 'UTC', '{}', '', '2026-05-15 12:00', '', true)"
        )
        noon = ", ".join(["'2026-05-15 12:00'"] * 5)
        for number, uncorrected in ((1, """'{"phase": "S1901M"}'"""), (2, "NULL")):
            connection.exec_driver_sql(
                "INSERT INTO phase (game_id, number, name, position, uncorrected, opened_at, earliest_at, deadline_at, "
                f"grace_ends_at, processed_at) VALUES (1, {number}, 'S1901M', '{{}}', {uncorrected}, {noon})"
            )
    assert _taken(engine) == "0012_unread_columns"
    migrate(engine)
    assert _taken(engine) == newest_step()
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT name FROM person").scalars().all() == ["Kim Doe"]
    with transaction(engine) as session:
        kept = session.exec(select(Phase.kept).order_by(col(Phase.number))).all()
        assert kept == [{"position": {"phase": "S1901M"}}, None]
        assert [mail.kind for mail in outbox.due(session, datetime(2026, 5, 16, tzinfo=UTC), 9)] == ["given_up"]


FIRST, SECOND = store._BEFORE_MERGES


@pytest.mark.parametrize(
    ("step", "chain"),
    [
        ("0001", f"{FIRST} and then commit {SECOND}"), ("0026", f"{FIRST} and then commit {SECOND}"),
        ("0027", SECOND), ("0001_first", SECOND), ("0011_public_names", SECOND),
    ],
)  # fmt: skip
def test_an_older_database_is_refused_with_all_commits_that_it_needs(engine: Engine, step: str, chain: str) -> None:
    """The number alone too: it is no step of today, whatever the tables look like."""
    _note(engine, step)
    with pytest.raises(StoreError) as refused:
        migrate(engine)
    assert str(refused.value) == (
        f"the database is too old for this version of judge (its tables are at {step}): first upgrade it with "
        f'commit {chain}, then with this version (docs/keeper.md, "Upgrade")'
    )
    assert _taken(engine) == step


def test_the_keeper_finds_the_commits_in_the_guide() -> None:
    _, _, chapter = (ROOT / "docs" / "keeper.md").read_text().partition("\n## Upgrade\n")
    assert all(commit in chapter.partition("\n## ")[0] for commit in store._BEFORE_MERGES)


@pytest.mark.parametrize(
    ("name", "follows"),
    [("0001_first", "None"), ("0013_second", '"0012_unread_columns"'), ("9999_later", '"9998_gone"'), ("0014_x", "")],
)
@pytest.mark.parametrize("is_made", [True, False])
def test_two_histories_of_tables_are_named_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    name: str, follows: str, is_made: bool,
) -> None:  # fmt: skip
    """Files of another version have been installed among those of today."""
    closed = {f"JUDGE_{part}_{key}": value for part in ("MAILBOX", "SMTP")
              for key, value in (("HOST", "127.0.0.1"), ("PORT", "1"))}  # fmt: skip
    settings = read_settings(ROOT / "judge.ini", {"JUDGE_JUDGE_HOME": str(tmp_path / "home"), **closed})
    if is_made:
        migrate(open_engine(settings.store_url))
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    line = f"down_revision = {follows}\n" if follows else ""
    (folder / "versions" / f"{name}.py").write_text(f'revision = "{name}"\n{line}')
    monkeypatch.setattr(store, "_MIGRATIONS", folder)
    says: list[str] = []
    checked = partial(doctor.doctor, no_mail=True, no_dns=True, seconds=1, json=False)
    for command in (daemons.run, checked, status.report):
        assert command(settings) == 1
        shown = capsys.readouterr()
        says += [line for line in (shown.out + shown.err).splitlines() if "files of two versions" in line]
    assert len(says) == 3
    assert all(name in line and "empty folder" in line for line in says)


@pytest.fixture
def new_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> NewStep:
    """Add a step, which consists of one line, after all others; returns its name."""
    folder = tmp_path / "migrations"

    def add(line: str) -> str:
        last = newest_step()
        shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "9000_new.py").write_text(
            "import sqlalchemy as sa\nfrom alembic import op\n"
            f"revision = '9000_new'\ndown_revision = {last!r}\ndef upgrade():\n    {line}\n"
        )
        monkeypatch.setattr(store, "_MIGRATIONS", folder)
        return newest_step()

    return add


@pytest.mark.parametrize("noted", ["newest", "0012"])
def test_a_new_step_is_taken_at_the_next_start(engine: Engine, new_step: NewStep, noted: str) -> None:
    if noted == "0012":
        _begin_at_0012(engine)
    name = new_step("op.add_column('game', sa.Column('remark', sa.String))")
    migrate(engine)
    assert _taken(engine) == name == "9000_new"
    assert "remark" in _shape(engine)["game"]["columns"]


@pytest.mark.parametrize("noted", ["newest", "0012"])
def test_a_step_that_fails_leaves_the_database_as_it_was(engine: Engine, new_step: NewStep, noted: str) -> None:
    if noted == "0012":
        _begin_at_0012(engine)
    taken, before = _taken(engine), _shape(engine)
    new_step("op.add_column('game', sa.Column('remark', sa.String)); op.drop_table('nowhere')")
    with pytest.raises(StoreError, match="cannot be used: .*nowhere"):
        migrate(engine)
    assert (_taken(engine), _shape(engine)) == (taken, before)


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

# What a step that was skipped would have made.
_WITHOUT_A_STEP = ("DROP TABLE absence", "DROP INDEX ix_game_notice_at", "ALTER TABLE game DROP COLUMN notice_at")


@pytest.mark.parametrize("noted", ["newest", "0012"])
def test_a_database_that_skipped_a_step_is_refused_as_it_is(engine: Engine, noted: str) -> None:
    if noted == "0012":
        _begin_at_0012(engine)
    _without_a_step(engine)
    before, step = _shape(engine), _taken(engine)
    with pytest.raises(StoreError) as refused:
        migrate(engine)
    assert f"it claims that its tables are at {step}" in str(refused.value)
    assert "it lacks table absence, column game.notice_at, index ix_game_notice_at." in str(refused.value)
    assert (_taken(engine), _shape(engine)) == (step, before)


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


@pytest.mark.parametrize("command", [["status"], ["run"], ["games", "list"]])
def test_the_keeper_reads_one_sentence(
    engine: Engine, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    _without_a_step(engine)
    config = tmp_path / "judge.ini"
    config.write_text(SETTINGS.format(url=url))
    assert cli.main([*command[:1], "--config", str(config), *command[1:]]) in (1, 2)
    told = capsys.readouterr()
    assert "the database has skipped a migration: it claims" in told.out + told.err


def _without_a_step(engine: Engine) -> None:
    with engine.begin() as connection:
        for statement in _WITHOUT_A_STEP:
            connection.execute(text(statement))


def test_a_judge_whose_tables_are_as_they_must_be_starts_without_alembic(url: str, engine: Engine) -> None:
    """Its import takes a fifth of the time in which a judge starts."""
    program = (
        "import sys; from judge.store.engine import *; from judge.store.engine import open_engine; "
        "migrate(open_engine(sys.argv[1])); print('alembic' in sys.modules)"
    )
    command = [sys.executable, "-c", program, url]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60).stdout == "False\n"


@pytest.mark.parametrize("before", ["nothing", "0012"])
def test_several_processes_may_migrate_at_once(url: str, tmp_path: Path, before: str) -> None:
    """One makes the tables or brings them up to date, the others wait and then find that done."""
    if before == "0012":
        engine = open_engine(url)
        _begin_at_0012(engine)
        engine.dispose()
    program = (
        "import sys; from judge.store.engine import *; from judge.store.engine import open_engine; "
        "migrate(open_engine(sys.argv[1]))"
    )
    errors = [tmp_path / f"errors-{number}" for number in range(3)]
    processes = [Forked([url], ROOT, (os.devnull, os.devnull, said), os.environ, program) for said in errors]
    assert [process.wait(60) for process in processes] == [0] * 3
    assert [said.read_text() for said in errors] == [""] * 3


def _taken(engine: Engine) -> str:
    with engine.connect() as connection:
        return step_taken(connection)


def _begin_at_0012(engine: Engine) -> None:
    """The database is empty, with the tables as the last of the merged steps left them."""
    with engine.begin() as connection:
        SQLModel.metadata.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
        for statement in (STEP_0012 / f"{engine.dialect.name}.sql").read_text().splitlines():
            connection.exec_driver_sql(statement)


def _note(engine: Engine, step: str) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": step})


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
