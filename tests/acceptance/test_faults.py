"""What a machine can do to the judge: disks that are full or take nothing, bytes that have changed, servers that
garble, hang and break off. The daemon says what is wrong, holds deadlines while letters may be missing, and goes on by
itself.

More of that is in test_outages.py (servers that are away), test_clock.py (clocks that jump), test_postgresql.py; what a
mailbox and a mail server can do is in tests/letters/test_mailbox.py and tests/mails/test_sender.py.
"""

import os
import random
import re
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.game import Game
from tests.acceptance.harness import JudgeAtWork
from tests.servers.dovecot import Dovecot
from tests.servers.meddler import Meddler, garbling, unchanged

pytestmark = pytest.mark.timeout(300)

NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
# Bytes that the log may still grow while nothing else can be written.
ROOM_FOR_THE_LOG = 20_000


def a_letter_in_time(stork: Game, deadline: datetime) -> None:
    """Orders that reach the mail server before the deadline, whatever becomes of the judge."""
    stork["F"].signs_on("A PAR - BUR")
    assert datetime.now(UTC) < deadline


def passed(deadline: datetime) -> None:
    """Until the deadline is over, and the sweeps after it."""
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 2.5)


def held_and_then_played(judge: JudgeAtWork, stork: Game) -> None:
    """Nobody has results yet; then everybody has, with what was in time in them, once."""
    assert "France:  Army Paris -> Burgundy." in stork.results("S1901M").text
    judge.rests()
    results = [mail for mail in judge.sink.mails if "S1901M Results" in mail.subject]
    assert len({mail.message_id for mail in results}) == 8
    assert "set aside" not in judge.process.log() and "Traceback" not in judge.process.log()


def no_results(judge: JudgeAtWork) -> bool:
    return not any("S1901M Results" in mail.subject for mail in judge.sink.mails)


@contextmanager
def full_disk(judge: JudgeAtWork) -> Iterator[None]:
    """The daemon can write its log, but nothing beyond what its files hold: the system refuses it."""
    room = judge.process.log_file.stat().st_size + ROOM_FOR_THE_LOG
    resource.prlimit(judge.process.pid, resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(judge.process.pid, resource.RLIMIT_FSIZE, NO_LIMIT)


def test_a_disk_that_is_full_over_a_deadline(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(3)
    judge.rests()
    with full_disk(judge):
        a_letter_in_time(stork, deadline)
        judge.process.wait_for_log("database: (disk I/O error|database or disk is full).*next try in")
        passed(deadline)
        assert no_results(judge)
    held_and_then_played(judge, stork)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Nothing in the folder may be written by its owner, unless that is a root with powers."""
    modes = {path: path.stat().st_mode for path in [folder, *folder.rglob("*")]}
    for path in modes:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


def test_a_home_that_is_read_only(make_judge: MakeJudge, begin: Begin):
    """The judge ends with a sentence, for whoever starts it again; then it goes on where it was."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(2)
    judge.rests()
    judge.process.terminate()
    with read_only(judge.database.parent):
        a_letter_in_time(stork, deadline)
        with judge.prepared("--powerless"):
            judge.process.launch()
            assert judge.process.wait_for_end() == 1
        assert "ermission denied" in judge.process.log()
        assert "Traceback" not in judge.process.log()
        passed(deadline)
    judge.process.start()
    held_and_then_played(judge, stork)


@contextmanager
def damaged(database: Path, *tables: str) -> Iterator[None]:
    """Other bytes stand meanwhile where these tables begin."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        marks = ", ".join("?" * len(tables))
        pages = connection.execute(f"SELECT rootpage FROM sqlite_master WHERE name IN ({marks})", tables).fetchall()
        with database.open("r+b", buffering=0) as file:
            held = {(page - 1) * size: os.pread(file.fileno(), size, (page - 1) * size) for (page,) in pages}
            for at in held:
                os.pwrite(file.fileno(), random.Random(at).randbytes(size), at)
            # Only a write makes the others read the file again.
            connection.execute("UPDATE watch SET swept_at = swept_at")
            connection.commit()
            yield
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for at, bytes_ in held.items():
                os.pwrite(file.fileno(), bytes_, at)
            connection.execute("UPDATE watch SET swept_at = swept_at")
            connection.commit()


def test_a_database_whose_bytes_have_changed(make_judge: MakeJudge, begin: Begin):
    """No letter and no phase is to blame: nothing is set aside or held for that. With the right bytes all goes on."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    deadline = stork.set_deadline(3)
    judge.rests()
    with damaged(judge.database, "letter", "phase"):
        a_letter_in_time(stork, deadline)
        judge.process.wait_for_log("database: database disk image is malformed; next try in")
        assert "malformed" in judge.process.ask("status").stdout
        passed(deadline)
        assert no_results(judge)
    held_and_then_played(judge, stork)


def test_health_is_told_outside_of_a_database_with_a_garbage_page(make_judge: MakeJudge, begin: Begin):
    """The daemon lives and answers nothing: only the file beside the database says so, until all is right again."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    trouble = judge.database.with_name(f"{judge.database.name}.trouble")
    judge.rests()
    assert "TROUBLE" not in judge.process.ask("status").stdout and not trouble.exists()
    with damaged(judge.database, "mail", "seat", "person"):
        stork["F"].signs_on("STATUS")
        until = time.monotonic() + 30
        while not trouble.exists():
            assert time.monotonic() < until, judge.process.tail()
            time.sleep(0.1)
        told = judge.process.ask("status")
        assert told.returncode == 1
        assert re.search(r"^TROUBLE +(letters and deadlines|mails): database: .*malformed.*, since ", told.stdout, re.M)
    until = time.monotonic() + 60
    while trouble.exists():
        assert time.monotonic() < until, judge.process.tail()
        time.sleep(0.1)
    assert "TROUBLE" not in judge.process.ask("status").stdout


def test_a_damaged_page_is_found_at_the_start_though_nothing_reads_it(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    begin(judge, "stork")
    judge.rests()
    judge.process.terminate()
    trouble = judge.database.with_name(f"{judge.database.name}.trouble")
    with damaged(judge.database, "absence"):
        judge.process.launch()
        judge.process.wait_for_log("the database is damaged")
        told = judge.process.ask("status")
        assert told.returncode == 1 and "database check: the database is damaged" in told.stdout
        judge.process.terminate()
    assert trouble.exists()
    judge.process.start()
    judge.process.wait_for_log("database checked, sound")
    assert not trouble.exists()


def test_a_database_that_is_none_is_refused_with_a_sentence(judge: JudgeAtWork):
    judge.process.terminate()
    judge.database.write_bytes(random.Random(1).randbytes(50_000))
    judge.process.launch()
    assert judge.process.wait_for_end() == 1
    assert "file is not a database" in judge.process.log() and "Traceback" not in judge.process.log()


def test_a_mail_server_that_garbles_over_a_deadline(make_judge: MakeJudge, begin: Begin, dovecot: Dovecot):
    with Meddler(dovecot.imap_port) as between:
        judge = make_judge(mailbox={"port": between.port, "timeout": 1})
        [stork] = begin(judge, "stork")
        deadline = stork.set_deadline(3)
        judge.rests()
        between.answers = garbling(random.Random(1), 0.2)
        a_letter_in_time(stork, deadline)
        judge.process.wait_for_log("mailbox: the mail server .*next try in")
        passed(deadline)
        assert no_results(judge)
        between.answers = unchanged
        held_and_then_played(judge, stork)
