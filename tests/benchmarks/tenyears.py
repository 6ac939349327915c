"""A database as it is after ten years: games that have ended long ago, with their phases, letters and mails.

A thirtieth of the games has not ended.

One game is played, by letters, at a real desk. Its rows are written again for every other game, as it were in the hands
of other people and on other days, straight into the file: SQLite, since a million letters through the desk would take
hours.
"""

import random
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Column, DateTime, Table
from sqlmodel import SQLModel

from judge.games.orders.filed_orders import FiledOrders
from judge.rules import needs
from judge.rules.board.board_state import BoardState
from judge.rules.selfplay import random_orders
from judge.store.engine import migrate, open_engine, reading
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase

YEARS = 10
PHASES = 10
LIVING = 30  # one of so many games is still played
KEPT_DAYS = 90  # letters and mails are empty when they are older
PEOPLE = 2000
# Who plays the game that is written again; Kim is the first person at its desk.
PLAYERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Decade:
    """What was made: the folder of the judge, its games, and those of them that have not ended."""

    folder: Path
    games: int
    living: tuple[str, ...]


def make(folder: Path, games: int, phases: int, *, ended: bool = True) -> Decade:
    """A judge's home in `folder`, with a database of so many games of so many phases; if not `ended`, only with those
    of them that have not ended.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    desk = played(folder / "template", phases, now)
    rows = rows_of(folder / "template" / "judge.db")
    home = folder / "home"
    engine = open_engine(f"sqlite:///{home / 'judge.db'}")
    migrate(engine)
    engine.dispose()
    # Passwords are hashed with the judge's key.
    (home / "secret.key").write_bytes((folder / "template" / "secret.key").read_bytes())
    living = range(games - max(1, games // LIVING), games)
    with closing(sqlite3.connect(home / "judge.db", isolation_level=None)) as database:
        for quick in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -500000", "foreign_keys = OFF"):
            database.execute(f"PRAGMA {quick}")
        database.execute("BEGIN")
        write(database, SQLModel.metadata.tables["person"], people(rows["person"][0]))
        write(database, SQLModel.metadata.tables["address"], addresses(rows["address"][0]))
        for table in SQLModel.metadata.sorted_tables:
            if table.name not in ("person", "address", "watch"):
                copies = (
                    Copy(number, days_ago(number, games), number in living).rows(table, rows)
                    for number in (range(games) if ended else living)
                )
                write(database, table, (row for copy in copies for row in copy))
        database.execute("COMMIT")
        database.execute("PRAGMA journal_mode = WAL")
    desk.engine.dispose()
    return Decade(home, games, tuple(f"game{number}" for number in living))


def played(folder: Path, phases: int, now: datetime) -> DeskAtWork:
    """A desk with one game, of which so many phases were played, the last of them now."""
    desk = DeskAtWork(folder, "", {})
    desk.now = now - timedelta(days=3 * phases + 1)
    desk.seat_seven()
    dice = random.Random(1901)
    for _ in range(phases):
        with reading(desk.engine) as session:
            game = game_named(session, "heron")
            phase = open_phase(session, game)
            book = FiledOrders(session, game, phase)
            lines = {
                power: random_orders(BoardState(book.variant, book.position), power, need, dice)
                for power, need in needs(book.variant, book.position).items()
            }
        for power, orders in list(lines.items())[:5]:
            text = "\n".join(map(str, orders))
            desk.writes(f"{power.lower()}@example.org", f"SIGNON {power[0]}heron pw{power.lower()}\n{text}")
        press = "BROADCAST\nWe hold what we have.\nENDBROADCAST\n"
        desk.writes("france@example.org", f"SIGNON Fheron pwfrance\n{press}")
        desk.now += timedelta(days=3)
        desk.writes("kim@example.org", f"SIGNON Mheron gm\nPROCESS! {phase.name}")
    return desk


def rows_of(database: Path) -> dict[str, list[Row]]:
    """{table: its rows, oldest first}."""
    with closing(sqlite3.connect(database)) as connection:
        return {
            table.name: connection.execute(f"SELECT {_names(table)} FROM {table.name} ORDER BY id").fetchall()
            for table in SQLModel.metadata.sorted_tables
        }


def days_ago(number: int, games: int) -> int:
    """How long ago the last phase of that game was played."""
    living = max(1, games // LIVING)
    return 0 if number >= games - living else 1 + YEARS * 365 * (games - living - number) // games


def people(first: Row) -> Iterator[Row]:
    return ((number, f"Player {number}", *first[2:]) for number in range(1, PEOPLE + 1))


def addresses(first: Row) -> Iterator[Row]:
    return ((number, number, address_of(number), *first[3:]) for number in range(1, PEOPLE + 1))


def address_of(person: int) -> str:
    return f"player{person}@example.org"


def person_in(game: int, person: int) -> int:
    """Who has the part in a copied game that `person` (from 1 to 8) has in the one that was played."""
    return 1 + (8 * game + person) % PEOPLE


@dataclass(frozen=True)
class Copy:
    """One more game, the same as the one that was played, but with other people, and so many days earlier."""

    number: int
    days: int
    lives: bool

    def rows(self, table: Table, all_rows: Mapping[str, list[Row]]) -> Iterator[Row]:
        """The rows of `table` that belong to it."""
        counts = {name: max((row[0] for row in rows), default=0) for name, rows in all_rows.items()}
        changes = [(place, self._change(column, counts)) for place, column in enumerate(table.columns)]
        changes = [(place, change) for place, change in changes if change]
        for row in all_rows[table.name]:
            values = list(row)
            for place, change in changes:
                if values[place] is not None:
                    values[place] = change(values[place])
            yield tuple(self._finished(table, values))

    def _change(self, column: Column, counts: Mapping[str, int]) -> Any:
        """What becomes of a value of that column."""
        table = column.table.name
        points_at = next((key.column.table.name for key in column.foreign_keys), table if column.primary_key else "")
        if points_at == "person":
            return lambda person: person_in(self.number, person)
        if points_at:
            return lambda number: number + self.number * counts[points_at]
        if isinstance(column.type, DateTime) and self.days:
            return lambda moment: _earlier(moment[:10], self.days) + moment[10:]
        if f"{table}.{column.name}" == "game.name":
            return lambda name: f"game{self.number}"
        if column.name in ("fingerprint", "message_id", "digest"):
            return lambda word: f"{self.number}.{word}"
        if column.name in ("address", "recipient", "sender"):
            return lambda address: _address_in(self.number, address)
        if column.name == "raw" and self.days > KEPT_DAYS:
            return lambda raw: b""
        return None

    def _finished(self, table: Table, values: list[Any]) -> list[Any]:
        """Every mail was sent; a game that does not live has ended."""
        places = {column.name: place for place, column in enumerate(table.columns)}
        if table.name == "mail":
            values[places["sent_at"]] = values[places["created_at"]]
        if self.lives:
            return values
        if table.name == "game":
            values[places["state"]], values[places["ended_at"]] = "finished", values[places["started_at"]]
        if table.name == "phase" and values[places["processed_at"]] is None:
            values[places["processed_at"]] = values[places["opened_at"]]
        if table.name == "mail" and self.days > KEPT_DAYS:
            values[places["picture_id"]] = None
        return values


def write(database: sqlite3.Connection, table: Table, rows: Iterator[Row]) -> None:
    marks = ", ".join("?" * len(table.columns))
    database.executemany(f"INSERT INTO {table.name} ({_names(table)}) VALUES ({marks})", rows)


def _names(table: Table) -> str:
    return ", ".join(column.name for column in table.columns)


@cache
def _earlier(day: str, days: int) -> str:
    return (date.fromisoformat(day) - timedelta(days=days)).isoformat()


def _address_in(game: int, address: str) -> str:
    name = address.partition("@")[0]
    parts = ("kim", *PLAYERS)
    return address_of(person_in(game, parts.index(name) + 1)) if name in parts else address
