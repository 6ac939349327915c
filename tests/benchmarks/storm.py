"""Many games due in the same minute: standard and 1648 in turn, all seats filled, all units ordered.

The first game of each variant begins by letters; the others are copies of its rows under names of their own, each in a
movement phase of a game that dice have played for some years, with orders by dice, so that no picture is like another.
The judge works in a process of its own, as `judge run` does; whoever measures sees it
from outside: its mails, its database, its processor time.
"""

import os
import random
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import Envelope
from sqlalchemy import Connection, Table, func, insert, select
from sqlmodel import Session, SQLModel, col, update

from judge.games.core.board import variant_of
from judge.games.orders.filed_orders import FiledOrders
from judge.rules import Position, load_variant, position_to_json
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.tables import Mail, Phase
from tests.benchmarks.games import phases, sensible_orders
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase
from tests.servers.dovecot import Dovecot
from tests.servers.smtpsink import Client, SmtpSink

VARIANTS = ("standard", "1648")
# Every game stands in one of the first years of one of so many games played by dice.
_YEARS, _PLAYED = 6, 10
_ROOT = Path(__file__).parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Arrived:
    """What is kept of a mail: thousands with their pictures are more than a measurement should hold."""

    message_id: str
    recipient: str
    subject: str
    answers: str
    has_picture: bool
    at: float


class _InOnePiece(Client):
    """Takes the bytes of a mail at once: line by line, one with its pictures would cost the server twenty milliseconds
    of the processor, and the judge is measured beside it.
    """

    line_length_limit = 50_000_000  # how much is read at once

    async def smtp_DATA(self, arg: str) -> None:
        assert self.envelope and not arg
        await self.push("354 go on")
        raw: bytes = await self._reader.readuntil(b"\r\n.\r\n")
        # Without the dot at the end, and those that were added to lines (RFC 5321, 4.5.2).
        self.envelope.original_content = raw.removesuffix(b".\r\n").replace(b"\r\n..", b"\r\n.")
        answer = await self._call_handler_hook("DATA")
        self._set_post_data_state()
        await self.push(answer)


class LightSink(SmtpSink):
    """Takes mails and keeps what they were."""

    connects_by = _InOnePiece

    def __init__(self) -> None:
        super().__init__()
        self.arrived: list[Arrived] = []

    def _take(self, envelope: Envelope) -> None:
        raw = envelope.original_content or b""
        head: Message = message_from_bytes(raw.partition(b"\r\n\r\n")[0])
        with self._news:
            self.arrived.append(
                Arrived(
                    str(head["Message-ID"]), envelope.rcpt_tos[0], str(head["Subject"]), str(head["In-Reply-To"] or ""),
                    b"Content-Type: image/png" in raw, datetime.now(UTC).timestamp(),
                )
            )  # fmt: skip
            self._news.notify_all()


def environment(server: Dovecot, sink: SmtpSink, folder: Path) -> dict[str, str]:
    """What the settings of a judge in `folder` are beside the sample."""
    return {
        "JUDGE_JUDGE_HOME": str(folder),
        "JUDGE_JUDGE_LOG_LEVEL": "warning",
        "JUDGE_MAILBOX_HOST": server.host,
        "JUDGE_MAILBOX_PORT": str(server.imap_port),
        "JUDGE_MAILBOX_SECURITY": "plain",
        "JUDGE_MAILBOX_USER": server.user,
        "JUDGE_MAILBOX_PASSWORD": server.password,
        "JUDGE_SMTP_HOST": sink.host,
        "JUDGE_SMTP_PORT": str(sink.port),
        "JUDGE_SMTP_SECURITY": "plain",
        "JUDGE_GAMES_OPEN_GAMES": "100000",
    }


def judge_with(games: int, folder: Path, settings: dict[str, str]) -> DeskAtWork:
    """So many games have begun; all mails about that are sent."""
    desk = DeskAtWork(folder, "", settings)
    desk.now = datetime.now(UTC) - timedelta(days=3)
    for number, variant in enumerate(VARIANTS[:games]):
        desk.seat_all(f"game{number}", variant)
    with transaction(desk.engine) as session:
        connection = session.connection()
        for number in range(len(VARIANTS), games):
            _copy(connection, f"game{number % len(VARIANTS)}", f"game{number}")
        session.execute(update(Mail).values(sent_at=desk.now))
    with transaction(desk.engine) as session:
        movements = [_movements(variant) for variant in VARIANTS]
        for number in range(games):
            of_variant, nth = movements[number % len(VARIANTS)], number // len(VARIANTS)
            _stands_in(session, f"game{number}", of_variant[nth % len(of_variant)])
            _everything_is_ordered(session, f"game{number}", number, desk.now)
    return desk


def _movements(variant: str) -> list[Position]:
    """The positions before movement phases of games played by dice, of all games and years in turn."""
    games = [
        [position for position, _ in phases(load_variant(variant), seed, _YEARS) if position.phase.endswith("M")]
        for seed in range(_PLAYED)
    ]
    return [position for year in zip(*games, strict=True) for position in year]


def are_due(desk: DeskAtWork, at: datetime) -> None:
    """All games are due at that moment."""
    with transaction(desk.engine) as session:
        times = {"due_at": at, "deadline_at": at, "grace_ends_at": at, "notice_at": None}
        session.execute(update(Phase).where(col(Phase.processed_at).is_(None)).values(times))


def daemon(settings: dict[str, str]) -> subprocess.Popen[bytes]:
    """`judge run`."""
    command = [sys.executable, "-m", "judge", "run", "--config", str(_ROOT / "judge.ini")]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_BENCH_")}
    return subprocess.Popen(command, cwd=_ROOT, env={**ours, **settings})


def processor_seconds(process: int) -> dict[str, float]:
    """Of the processor: what the process itself has used, and what the processes that draw for it have."""
    used, parents = dict[str, float](), dict[str, str]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        used[stat.parent.name], parents[stat.parent.name] = (int(fields[11]) + int(fields[12])) / _TICKS, fields[1]
    family = {str(process)}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more  # a pool of processes is forked by a server of its own
    own = used.pop(str(process))
    return {"deciding and sending": own, "drawing": sum(used[one] for one in family & used.keys())}


def peak_megabytes(process: int) -> float:
    """The most memory that the process has had."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    (peak,) = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    return int(peak) / 1024


def still_due(desk: DeskAtWork, at: datetime) -> int:
    """How many games are still to be processed."""
    with reading(desk.engine) as session:
        due = select(func.count()).where(col(Phase.processed_at).is_(None), col(Phase.due_at) <= at)
        return int(session.execute(due).scalar_one())


def still_waiting(desk: DeskAtWork) -> int:
    """How many mails are still to be sent."""
    with reading(desk.engine) as session:
        return outbox.backlog(session)[0]


def _stands_in(session: Session, game: str, position: Position) -> None:
    row = game_named(session, game)
    phase = open_phase(session, row)
    phase.name, phase.position = position.phase, position_to_json(variant_of(row), position)
    session.flush()


def _everything_is_ordered(session: Session, game: str, seed: int, now: datetime) -> None:
    row = game_named(session, game)
    book = FiledOrders(session, row, open_phase(session, row))
    for power, orders in sensible_orders(book.variant, book.position, random.Random(seed)).items():
        book.give([(str(order), power, order) for order in orders], None, now)


def _copy(connection: Connection, name: str, new_name: str) -> None:
    """Another game like the one of that name, as far as its open phase needs it."""
    game, seat, phase = (SQLModel.metadata.tables[name] for name in ("game", "seat", "phase"))
    (old,) = _rows(connection, game, name=name)
    (new,) = _insert(connection, game, [old | {"name": new_name}])
    _insert(connection, seat, [row | {"game_id": new} for row in _rows(connection, seat, game_id=old["id"])])
    (open_row,) = _rows(connection, phase, game_id=old["id"], processed_at=None)
    _insert(connection, phase, [open_row | {"game_id": new}])


def _rows(connection: Connection, table: Table, **where: Any) -> list[dict[str, Any]]:
    question = select(table).where(*(table.c[key] == value for key, value in where.items()))
    return [dict(row._mapping) for row in connection.execute(question)]


def _insert(connection: Connection, table: Table, rows: list[dict[str, Any]]) -> list[int]:
    plain = [{key: value for key, value in row.items() if key != "id"} for row in rows]
    return list(connection.execute(insert(table).returning(table.c.id), plain).scalars())
