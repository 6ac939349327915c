"""Whatever happens in a game, the times in the newest emails of all its people are those of its open phase.

Games of two powers with settings drawn by dice, in which players and the master write what changes times.
"""

import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.store.engine import reading
from judge.store.games import next_alarm
from judge.store.seats import seats_of
from judge.store.tables import Phase
from tests import rows
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rules.variant.test_registry import write
from tests.service.livedagain import DUEL, DUEL_PROVINCES
from tests.texts import mapped

_DATE = r"(\w{3} \w{3} \d+ \d{4} [\d:]{8} [+-]\d{4})"
_HEADING = re.compile(rf":: Deadline: (\w+) (?:{_DATE}|none)")
_GRACE = re.compile(rf"(?:Grace for late orders ends|when grace ends:|when grace ends \(|Grace of \w+:) {_DATE}")
_EARLY = re.compile(rf"The phase will be processed on {_DATE}")
_PAUSED = re.compile(r"has paused heron|heron is (?:still )?paused")
HOUR = timedelta(hours=1)
SEATS = mapped("""
    kim@example.org   => SIGNON Mheron gm
    north@example.org => SIGNON Nheron pwnorth
    south@example.org => SIGNON Sheron pwsouth""")
KIM, *PLAYERS = SEATS
# What each of them writes; <date> is one of the next days.
BY_PLAYERS = ["SET WAIT", "SET NO WAIT", "SET ABSENCE <date>", "EXTEND 1 day", "PAUSE", "RESUME", "SET GRACE 96",
              "SET DEADLINE <date> 20:00", "STATUS heron", "<orders>", "<orders>", "<orders>", "<orders>"]  # fmt: skip
BY_MASTER = ["SET DEADLINE <date> 20:00", "SET GRACE <date> 20:00", "SET START <date> 20:00", "SET NO START", "PAUSE",
             "RESUME", "RESUME <date> 20:00", "EXTEND 1 day", "PROCESS!", "ROLLBACK", "SET NMR", "SET NONMR",
             "SET WAIT", "SET MANUALPROCESS", "SET AUTOPROCESS", "SET MOVE MIN 24", "SET MOVE DELAY 12",
             "SET ABSENCE <date>"]  # fmt: skip


def moment(text: str) -> datetime:
    return datetime.strptime(text, "%a %b %d %Y %H:%M:%S %z").astimezone(UTC)


def in_seconds(at: datetime | None) -> datetime | None:
    return at.replace(microsecond=0) if at else None


class Said:
    """What the newest mails say of times; it notes all that is not so."""

    def __init__(self, desk: DeskAtWork):
        self._desk = desk
        self.wrong: list[object] = []
        # {address: (phase, its deadline if the clock runs, the end of grace if it was named)}
        self._known: dict[str, tuple[str, datetime | None, datetime | None]] = {}

    def read(self, mails: list[Posted], what: object) -> None:
        for mail in mails:
            self._read(mail)
        with reading(self._desk.engine) as session:
            game = rows.game_named(session, "heron")
            people = {seat.address for seat in seats_of(session, game)}
        if game.state not in ("active", "paused"):
            return
        phase, is_paused = self._desk.phase(), game.state == "paused"
        for reader, (name, deadline, grace) in self._known.items():
            due = None if is_paused else in_seconds(phase.deadline_at)
            is_right = is_paused or grace in (None, in_seconds(phase.grace_ends_at))
            if reader in people and not (is_right and (name, deadline) == (phase.name, due)):
                self.wrong.append((what, reader, name, deadline, grace))
        self._check_early(mails, phase, what)

    def _read(self, mail: Posted) -> None:
        heading, grace = _HEADING.search(mail.flat), [*map(moment, _GRACE.findall(mail.flat))]
        name, *times = self._known.get(mail.to, ("", None, None))
        if heading:
            earlier = times[1] if heading[1] == name else None
            self._known[mail.to] = (
                heading[1],
                moment(heading[2]) if heading[2] else None,
                grace[0] if grace else earlier,
            )
        elif name and _PAUSED.search(mail.flat):
            self._known[mail.to] = name, None, times[1]

    def _check_early(self, mails: list[Posted], phase: Phase, what: object) -> None:
        early = [moment(text) for mail in mails if mail.answers for text in _EARLY.findall(mail.flat)]
        if early and early[-1] != in_seconds(phase.due_at):
            self.wrong.append((what, early, phase.due_at))


def settings(dice: random.Random) -> str:
    choices = (["SET NMR", "SET NONMR"], ["SET REMIND 20 3", "SET NO REMIND"], ["SET STRICTGRACE", "SET QUIET", ""])
    lines = [f"SET UNMODERATED\nSET EXTENSIONS {dice.choice([0, 0, 1, 2])}", *map(dice.choice, choices)]
    for kind in ("MOVE", "RETREAT", "ADJUST"):
        lasts = dice.choice([12, 24, 48, 71])
        grace, least, delay = dice.choice([0, 12, 24, 48]), dice.choice([0, 6, lasts]), dice.choice([0, 1, 6, 30])
        clock, days = dice.choice(["21:00", "10:00"]), dice.choice(["SMTWTFS", "-MTWTF-", "SM-WTFS"])
        lines.append(f"SET {kind} NEXT {lasts} GRACE {grace} MIN {least} DELAY {delay} CLOCK {clock} DAYS {days}")
    return "\n".join(lines)


def wait(desk: DeskAtWork, said: Said, until: datetime) -> None:
    """Do what is due until then."""
    while True:
        with reading(desk.engine) as session:
            alarm = next_alarm(session, desk.now)
        if not alarm or alarm > until:
            break
        said.read(desk.ring(max(alarm, desk.now)), alarm)
        desk.now += timedelta(seconds=1)
    desk.now = max(desk.now, until)


def lines(desk: DeskAtWork, dice: random.Random, sender: str) -> str:
    line = dice.choice(BY_MASTER if sender == KIM else BY_PLAYERS)
    power = sender.partition("@")[0].title()
    units = desk.phase().position["units"].get(power, [])
    orders = "\n".join(f"{unit} H" for unit in units) if desk.phase().name.endswith("M") else "WAIVE"
    day = desk.now + timedelta(days=dice.randint(1, 6))
    return line.replace("<orders>", orders).replace("<date>", f"{day:%b %d}")


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 12))])
def test_all_know_when_the_open_phase_is_due(tmp_path: Path, seed: int) -> None:
    write(tmp_path / "own", "duel", DUEL, DUEL_PROVINCES)
    desk = DeskAtWork(tmp_path, "", {"JUDGE_JUDGE_VARIANTS": str(tmp_path / "own"), "JUDGE_JUDGE_HTML": "no"})
    desk.seat_all("heron", "duel")
    dice, said, north = random.Random(seed), Said(desk), "north@example.org"
    said.read(desk.writes(KIM, f"{SEATS[KIM]}\n{settings(dice)}\nPROCESS! S1901M"), "begins")
    for number in range(25):
        wait(desk, said, desk.now + dice.choice([HOUR / 12, HOUR, 7 * HOUR, 26 * HOUR, 60 * HOUR]))
        if desk.game().state == "finished":
            break
        seat = dice.choice([KIM, *PLAYERS, *PLAYERS])
        text = lines(desk, dice, seat)
        said.read(desk.writes(north if "north" in seat else seat, f"{SEATS[seat]}\n{text}"), text)
        if dice.random() < 0.1:
            signon = SEATS["north@example.org"]
            said.read(desk.writes(north, f"{signon}\nRESIGN heron"), "resigns")
            north = f"guest{number}@example.org"
            said.read(desk.writes(north, f"REGISTER\nName: Guest Doe\nEND\n{signon}"), "joins")
    assert not said.wrong, said.wrong[:3]
