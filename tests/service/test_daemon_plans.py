"""What the judge asks of its database, with a plan of each question: none reads a table from end to end that grows with
the years.

The statements are those that the daemon, the sender and the keeper's commands really carry out. SQLite makes its plans
from statistics as they are after ten years (tests/data/ten_years.json, made by tests/benchmarks/tenyears.py), and again
without any; PostgreSQL says whether there is another way than to read all. The daily report is not among them: once a
day it may read tables from end to end.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine
from sqlmodel import SQLModel, select

from judge.letters.imap import Fetched
from judge.mails.drawing import Drawing
from judge.mails.pictures import PictureCache
from judge.service.work_queue import store as store_letters
from judge.settings import Settings, SmtpSettings
from judge.shell import status
from judge.store import bounces, inbox, outbox, pictures, retention, sent_mails, stats
from judge.store.engine import reading, transaction
from judge.store.tables import Mail, Picture
from tests.commands.deskatwork import DeskAtWork, Received
from tests.listening import listen
from tests.mails.senders import Sender
from tests.servers.smtpsink import SmtpSink
from tests.service.daemonatwork import DaemonAtWork
from tests.texts import table

STATISTICS = Path(__file__).parents[1] / "data" / "ten_years.json"

# These do not grow with the years: what is forgotten when it is over, pictures on their way, and a single row.
SMALL = {"application", "absence", "pause", "sheet", "watch"}
# Indexes of rows that still matter: games and phases that are played; mails that wait, were given up, show pictures, or
# whose bytes are still kept.
LIVING = {
    "game_living", "phase_one_open", "phase_due", "phase_notice", "mail_waiting", "mail_in_order", "mail_taken",
    "picture_taken", "mail_failed", "pause_open", "bounced_dead", "bounced_news",
}  # fmt: skip
LIVING |= {"mail_with_picture", "mail_written"}
GROWING = {one.name for one in SQLModel.metadata.sorted_tables} - SMALL

# What each is, who writes it, and what.
LETTERS = [
    (
        "a letter with orders and press",
        "france@example.org",
        "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO\nSET WAIT\nPRESS TO T\nhello\nENDPRESS",
    ),
    *table("""
        a reply => france@example.org => A PAR - PIC
        LIST => france@example.org => LIST
        LIST FULL => france@example.org => LIST FULL
        LIST heron => france@example.org => LIST heron
        HISTORY => france@example.org => HISTORY heron
        SUMMARY => france@example.org => SUMMARY heron
        STATUS => france@example.org => SIGNON Fheron pwfrance / STATUS / WHOGAME
        a stranger => ann@example.net => REGISTER / Name: Ann / END / OBSERVE heron / CREATE ?gull secret
        a wrong password => ann@example.net => SIGNON Fheron wrong / A PAR H
        INFO PLAYER => turkey@example.org => INFO PLAYER / SIGNON Theron pwturkey / MAP"""),
]


class Asked:
    """The statements that were carried out, each with values that it had; `what` says what for."""

    def __init__(self, *engines: Engine) -> None:
        self.statements: dict[str, tuple[str, Any]] = {}
        self.what = ""
        for engine in engines:
            listen(engine, self._note)

    def _note(self, statement: str, values: Any) -> None:
        if self.what and re.match(r"SELECT|UPDATE|DELETE|INSERT|WITH", statement) and "pg_" not in statement:
            self.statements.setdefault(statement, (self.what, values[0] if isinstance(values, list) else values))


class NoMailbox:
    """A mailbox in which nothing has come."""

    def new_letters(self) -> Iterator[list[Received]]:
        return iter(())


@pytest.fixture
def asked(tmp_path: Path, store: str, smtp_sink: SmtpSink) -> Iterator[tuple[Asked, Engine]]:
    """All that is asked while letters come, phases are due, mails are sent and old things are thrown away."""
    desk = DeskAtWork(tmp_path, store, {})
    desk.now = datetime.now(UTC).replace(microsecond=0) - timedelta(days=1)
    desk.seat_seven()
    daemon = DaemonAtWork(desk)
    heard = Asked(desk.engine, daemon.engine)
    for heard.what, sender, text in LETTERS:
        answering = desk.all_mails()[-1].message["Message-ID"] if heard.what == "a reply" else ""
        desk.writes(sender, text, answering=answering)
    smtp = SmtpSettings(host="127.0.0.1", port=smtp_sink.port, security="plain", timeout=5, connections=1)
    happens: dict[str, Callable[[], object]] = {
        "a poll": lambda: _poll(daemon),
        "delivery": lambda: Sender(daemon.engine, smtp, desk.settings.address).run(datetime.now(UTC)),
        "the next delivery": lambda: _backlog(daemon.engine),
        "a master's PROCESS": lambda: desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!"),
        "deadlines": lambda: desk.ring(desk.now + timedelta(days=30)),
        "pruning": lambda: _prune(daemon.engine, datetime.now(UTC)),
        "delivery within limits": lambda: _limited(daemon.engine, desk),
        "pictures": lambda: _pictures(daemon.engine, desk.settings),
        "a mail that comes back": lambda: _bounce(daemon.engine),
        "what the keeper is told": lambda: daemon.tell_keeper(),
        "judge status": lambda: _status(daemon.engine, desk.settings),
        "judge mails": lambda: _mails(daemon.engine),
        "judge recover": lambda: _recover(daemon.engine),
        "a letter that fails": lambda: _fails(daemon.engine),
    }
    for heard.what, happen in happens.items():
        happen()
    heard.what = ""
    yield heard, desk.engine
    daemon.end()
    desk.engine.dispose()


def _poll(daemon: DaemonAtWork) -> None:
    daemon.collect(NoMailbox())
    daemon.work()


def _backlog(engine: Engine) -> None:
    with reading(engine) as session:
        outbox.backlog(session)


def _prune(engine: Engine, now: datetime) -> None:
    for prune in (retention.letters, retention.mails, retention.pictures, retention.tokens):
        with transaction(engine) as session:
            prune(session, now, 100)


def _limited(engine: Engine, desk: DeskAtWork) -> None:
    limited = SmtpSettings(host="127.0.0.1", port=9, security="plain", timeout=5, connections=1, per_hour=3, per_day=9)
    Sender(engine, limited, desk.settings.address, PictureCache(desk.settings.drawn), 3).run(datetime.now(UTC))


def _pictures(engine: Engine, settings: Settings) -> None:
    now = datetime.now(UTC)
    with transaction(engine) as session:
        picture = session.get_one(Picture, pictures.keep(session, {}, "png", now))
        pictures.lend(session, picture, {"": b"png"}, now)
        pictures.borrowed(session, picture)
        pictures.settle(session, picture, drawn_at=now)
        pictures.forget_sheets(session, now)
    Drawing(engine, settings, 1, lambda: None).run_once(now)


def _bounce(engine: Engine) -> None:
    now = datetime.now(UTC)
    with transaction(engine) as session:
        mail = session.exec(select(Mail).limit(1)).one()
        sent_mails.mails_named(session, [mail.message_id])
        bounces.note(session, mail, "no such user", now, 1)
        bounces.dead(session)
        bounces.untold(session)
        outbox.withheld(session, mail, now=now)
        bounces.note_withheld(session, mail.recipient, now)
        for row in bounces.dead_rows(session):
            bounces.withheld(session, row)
        mail.kind = "results"
        bounces.way_to(session, mail)
        bounces.rows_of(session, mail.recipient)
        sent_mails.hurry_pauses(session, 1, now, now)
        outbox.cited(session, [mail.message_id], now)
        bounces.readdress(session, mail.recipient, "ann@example.net", 1, now)
        for row in bounces.rows_of(session, mail.recipient):
            bounces.revive(session, row, now)


def _status(engine: Engine, settings: Settings) -> None:
    now = datetime.now(UTC)
    with reading(engine) as session:
        list(status.in_database(session, stats.take(session, now), settings, now))


def _mails(engine: Engine) -> None:
    now = datetime.now(UTC)
    with transaction(engine) as session:
        mail = session.exec(select(Mail).limit(1)).one()
        outbox.given_up(session)
        outbox.untold(session, "kim@example.org")
        outbox.send_again(session, [mail.id], now)


def _recover(engine: Engine) -> None:
    with reading(engine) as session:
        inbox.last_sweep(session)
    now = datetime.now(UTC)
    store_letters(engine, [Fetched(1, 7, now, b"From: a@example.org\r\n\r\nLIST\r\n")], [None], now)


def _fails(engine: Engine) -> None:
    with transaction(engine) as session:
        (row,) = inbox.in_turn(session)
        inbox.in_turn(session, beside=[0])
        inbox.those(session, [row.key])
        inbox.failed(session, row.key, "why", for_good=True)
        inbox.letters(session, "shunted")
        inbox.requeue(row)
        inbox.letters(session, "held", before=datetime.now(UTC))


def test_no_question_reads_a_growing_table_from_end_to_end(asked: tuple[Asked, Engine]) -> None:
    heard, engine = asked
    find = {"sqlite": scans_of_sqlite, "postgresql": scans_of_postgresql}[engine.dialect.name]
    found = [f"{scan}\n    for {what}: {' '.join(statement.split())}" for statement, what, scan in find(heard, engine)]
    assert not found, "\n".join(found)
    assert len(heard.statements) > 50, "the judge asks more than that"

    heard.statements = {
        "SELECT id FROM mail WHERE subject = 'heron'": ("", ()),
        "SELECT id FROM letter ORDER BY received_at LIMIT 1": ("", ()),
        "SELECT id FROM letter ORDER BY id DESC LIMIT 1": ("", ()),
    }
    scans = {statement for statement, _, _ in find(heard, engine)}
    assert scans == set(list(heard.statements)[:2]), "such a question would be found"


def scans_of_sqlite(heard: Asked, engine: Engine) -> Iterator[tuple[str, str, str]]:
    """(statement, what for, what is read from end to end), without statistics and then with those of ten years."""
    for with_statistics in (False, True):
        with engine.connect() as connection:
            raw = connection.connection.cursor()
            if with_statistics:
                _lay_statistics(raw)
            for statement, (what, values) in heard.statements.items():
                if statement.startswith("INSERT"):
                    continue  # rows that point at the new one are looked for only while some row points at nothing
                steps = [step for *_, step in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()]
                for step in steps:
                    if _is_scan(step) and not _ends_early(statement, steps):
                        yield statement, what, step


def _lay_statistics(cursor: Any) -> None:
    cursor.execute("ANALYZE")
    cursor.execute("DELETE FROM sqlite_stat1")
    cursor.executemany("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", json.loads(STATISTICS.read_text()))
    cursor.execute("ANALYZE sqlite_schema")


def _is_scan(step: str) -> bool:
    """`SCAN mail`, `SCAN phase USING INDEX …`; an index made for the one question reads all, too."""
    if "AUTOMATIC" in step:
        return True
    scan = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", step)
    return scan is not None and scan[1] in GROWING and scan[2] not in LIVING


def _ends_early(statement: str, steps: list[str]) -> bool:
    """Whether it takes the first rows of all, in an order that they already have."""
    sorted_first = any("TEMP B-TREE" in step for step in steps)
    return "LIMIT" in statement and "WHERE" not in statement and not sorted_first


# Its guess would be that hardly any game has ended.
_GAMES_THAT_HAVE_ENDED = """
    INSERT INTO game (name, variant, state, zone, settings, comment, result, created_at, proved, idle)
        SELECT 'old' || number, 'standard', 'finished', 'UTC', '{}', '', '', now(), false, false
            FROM generate_series(1, 2000) number;
    INSERT INTO seat (game_id, person_id, role, address, password, preference, waits, joined_at, guesses, passwordless,
                      proved, ignores)
        SELECT game.id, (SELECT min(id) FROM person), 'player', '', '', '', false, now(), 0, false, false, '[]'
            FROM game, generate_series(1, 8) WHERE state = 'finished';
    ANALYZE game, seat
"""


def scans_of_postgresql(heard: Asked, engine: Engine) -> Iterator[tuple[str, str, str]]:
    """The same where PostgreSQL thinks that its tables are as large, and reads one from end to end only if there is no
    other way.
    """
    with engine.connect() as connection:
        raw = connection.connection.cursor()
        for way in ("seqscan", "hashjoin", "mergejoin"):
            raw.execute(f"SET enable_{way} = off")
        raw.execute(_GAMES_THAT_HAVE_ENDED)
        for grows, index, counts in json.loads(STATISTICS.read_text()):
            rows = int(counts.partition(" ")[0])
            grown = "UPDATE pg_class SET relpages = 1, reltuples = %s WHERE relname IN (%s, %s)"
            raw.execute(grown, (rows, grows, index))
        for statement, (what, values) in heard.statements.items():
            [(plans,)] = raw.execute(f"EXPLAIN (FORMAT JSON) {statement}", values).fetchall()
            for scan in _scans(plans[0]["Plan"]):
                yield statement, what, scan


def _scans(plan: dict[str, Any], first_only: bool = False) -> Iterator[str]:
    """`first_only`: whether the rows above it end early; a sort has read all before its first row is out."""
    kind, index = plan["Node Type"], plan.get("Index Name", "")
    reads_all = kind.endswith("Scan") and "Index Cond" not in plan and index not in LIVING and not first_only
    of_a_table = kind in ("Seq Scan", "Index Scan", "Index Only Scan") and plan["Relation Name"] in GROWING
    if reads_all and (of_a_table or kind == "Bitmap Index Scan"):
        yield f"{kind} of {plan.get('Relation Name', index)}"
    for part in plan.get("Plans", ()):
        yield from _scans(part, kind == "Limit" and "Filter" not in part and part["Node Type"] != "Sort")
