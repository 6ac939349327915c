"""A backup of any age and the letters since then give the same judge again, as if nothing had been lost.

Players and masters write at random, by a simulated clock; the judge is a little slow. At a random moment a backup is
made. Then the disk is lost, the backup restored, and all letters are read again, long after they came.
"""

import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.games.core.work import KEY_FILE
from judge.letters.mailbox import NoMailbox
from judge.store import event_times
from judge.store.engine import reading, transaction
from judge.store.games import next_alarm
from judge.store.tables import Mail
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Received, letter
from tests.same_judge import differences, rows_of
from tests.service.daemonatwork import DaemonAtWork

GAMES = [*range(6), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))]
STEPS = 16
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
END = timedelta(days=60)
_MOVES = {
    "austria": "A VIE - GAL", "england": "F LON - NTH", "france": "A PAR - BUR", "germany": "F KIE - DEN",
    "italy": "A VEN - TYR", "russia": "A WAR - GAL", "turkey": "A CON - BUL",
}  # fmt: skip


@dataclass
class Written:
    """A letter, and when it reached the mail server."""

    at: datetime
    raw: bytes


class Life:
    """A judge that lives by a simulated clock, in a home of its own."""

    def __init__(self, home: Path, now: datetime):
        self.desk = DeskAtWork(home, f"sqlite:///{home / 'judge.db'}", {"JUDGE_GAMES_OUTAGE_LIMIT": "9999"})
        self.daemon = DaemonAtWork(self.desk)
        self.now, self.number = now, 0

    def works(self, now: datetime) -> None:
        self.daemon.now = self.now = now
        mailbox = NoMailbox(self.desk.settings.mailbox)
        self.daemon.collect(mailbox)
        self.daemon.work(mailbox)

    def waits(self, until: datetime, slowness: Callable[[], timedelta]) -> None:
        """Do what is due until then, each soon after its time."""
        while True:
            with reading(self.daemon.engine) as session:
                alarm = next_alarm(session, self.now - MINUTE)
            if not alarm or alarm >= until:
                return
            self.works(max(self.now, alarm + timedelta(seconds=1) + slowness()))
            self.now += MINUTE

    def keeps(self, letters: list[Written]) -> None:
        self.daemon.keep([Received(one.raw, one.at, number) for number, one in enumerate(letters)])

    def end(self) -> None:
        self.daemon.end()


class Players:
    """Who writes what: at random, but with the codes and passwords that the judge has mailed."""

    def __init__(self, dice: random.Random, life: Life):
        self.dice, self.life, self.guests, self.games = dice, life, 0, 0
        self.passwords = {power: f"pw{power}" for power in ALL_HOLD}
        self.addresses = {power: f"{power}@example.org" for power in ALL_HOLD}

    def writes(self) -> list[tuple[str, str, str]]:
        """(sender, subject, text) of the next letters, which come together."""
        own = self.dice.choice([*ALL_HOLD])
        choices: list[Callable[[], list[tuple[str, str, str]]]] = [
            lambda: [self.of(own, _MOVES[own])],
            lambda: [self.of(power, ALL_HOLD[power].replace("; ", "\n")) for power in ALL_HOLD],
            lambda: [self.of(power, "SET WAIT" if power == own else _MOVES[power]) for power in ALL_HOLD],
            lambda: [self.of(own, self.dice.choice(["SET WAIT", "SET NO WAIT", "STATUS", "SET DRAW", "LIST heron"]))],
            lambda: [self.of(own, "PRESS TO ALL\nHello again.\nENDPRESS")],
            lambda: [self.of(own, f"SET ABSENCE {self.day(3)} to {self.day(5)}")],
            lambda: [self.master(self.dice.choice(["PROCESS", "PROCESS!", "ROLLBACK", "SET NMR", "SET NO NMR"]))],
            lambda: [self.master(f"SET DEADLINE {self.day(self.dice.randrange(1, 9))} 20:00")],
            lambda: [self.master(self.dice.choice(["SET EXTENSIONS 2", "SET MOVE GRACE 24", "PAUSE", "RESUME"]))],
            lambda: [self.of(own, "RESIGN")],
            self.takes_over,
            self.observes,
            self.creates,
            self.confirms,
            self.confirms,
            self.signs_on,
            lambda: [(f"jo{number}@example.org", "x", "LIST") for number in range(3)],
        ]
        return self.dice.choice(choices)()

    def signs_on(self) -> list[tuple[str, str, str]]:
        """Whoever got a password from the judge last uses it."""
        with reading(self.life.daemon.engine) as session:
            told = select(Mail.recipient, Mail.raw).where(col(Mail.kind) == "reply").order_by(col(Mail.id).desc())
            for recipient, raw in session.exec(told):
                if word := re.search(rb"Your password is (\w+)", raw):
                    return [(recipient, "x", f"SIGNON Fheron {word[1].decode()}\nSIGNON ?heron {word[1].decode()}")]
        return []

    def day(self, days: int) -> str:
        return f"{self.life.now + timedelta(days=days):%b %d}"

    def of(self, power: str, lines: str) -> tuple[str, str, str]:
        signon = f"SIGNON {power[0].upper()}heron {self.passwords[power]}"
        return self.addresses[power], "to the judge", f"{signon}\n{lines}"

    def master(self, lines: str) -> tuple[str, str, str]:
        return "kim@example.org", "to the judge", f"SIGNON Mheron gm\n{lines}"

    def takes_over(self) -> list[tuple[str, str, str]]:
        """A guest asks for a power, with a password that the judge makes."""
        self.guests += 1
        power, address = self.dice.choice([*ALL_HOLD]), f"guest{self.guests}@example.org"
        told = f"REGISTER\nName: Guest {self.guests}\nEND\nSIGNON {power[0].upper()}?heron"
        return [(address, "x", told)]

    def observes(self) -> list[tuple[str, str, str]]:
        self.guests += 1
        return [(f"guest{self.guests}@example.org", "x", "OBSERVE heron")]

    def creates(self) -> list[tuple[str, str, str]]:
        self.games += 1
        return [("kim@example.org", "x", f"SIGNON Mheron gm\nCREATE ?gull{self.games} gm\nSIGNON ?gull{self.games}")]

    def confirms(self) -> list[tuple[str, str, str]]:
        """The newest mail that asks for a confirmation comes back."""
        with reading(self.life.daemon.engine) as session:
            asks = select(Mail.recipient, Mail.subject).where(col(Mail.subject).contains("CONFIRM "))
            found = session.exec(asks.order_by(col(Mail.id).desc())).first()
        return [(found[0], f"Re: {found[1]}", "")] if found else []


def backed_up(database: Path, home: Path) -> None:
    """A copy of the database and the key, as deploy/backup.sh makes it."""
    home.mkdir()
    shutil.copy(database.parent / KEY_FILE, home)
    with closing(sqlite3.connect(database)) as of, closing(sqlite3.connect(home / "judge.db")) as to:
        of.backup(to)


@pytest.mark.parametrize("seed", GAMES)
def test_a_backup_and_the_letters_give_the_same_judge_again(tmp_path: Path, seed: int):
    dice, lag = random.Random(seed), random.Random(-seed)

    def slowness() -> timedelta:
        return timedelta(seconds=lag.randrange(50))

    (tmp_path / "one").mkdir()
    desk = DeskAtWork(tmp_path / "one", f"sqlite:///{tmp_path / 'one' / 'judge.db'}", {})
    desk.seat_seven()
    life = Life(tmp_path / "one", desk.now.replace(microsecond=0))
    life.works(life.now)
    players, letters, backup_after = Players(dice, life), list[Written](), dice.randrange(STEPS)
    for step in range(STEPS):
        at = life.now + dice.choice([2 * MINUTE, 20 * MINUTE, 45 * MINUTE, 9 * HOUR, 30 * HOUR, 70 * HOUR])
        life.waits(at, slowness)
        at = max(at, life.now)
        life.now = at
        new = []
        for sender, subject, words in players.writes():
            life.number += 1
            head = {"From": sender, "To": "judge@example.org", "Subject": subject}
            head["Message-ID"] = f"<{seed}.{life.number}@example.org>"
            new.append(Written(at, letter(head, words)))
        letters += new
        life.keeps(new)
        life.works(at + slowness())
        life.now += MINUTE
        if step == backup_after:
            backed_up(tmp_path / "one" / "judge.db", tmp_path / "two")
    end = life.now + END
    life.waits(end, slowness)
    again = Life(tmp_path / "two", end + HOUR)
    with transaction(again.daemon.engine) as session:
        event_times.begin_replay(session, end)
    again.daemon.now = end
    again.keeps(letters)
    again.works(end + 2 * HOUR)
    # What counts no more is forgotten by the clock.
    life.works(end + 2 * HOUR)
    life.works(end + 3 * HOUR)
    again.works(end + 3 * HOUR)
    told = differences(rows_of(life.daemon.engine), rows_of(again.daemon.engine))
    life.end()
    again.end()
    assert not told, "\n".join(told)
