"""Judges that live by a simulated clock, lose their disk, and live again from a backup and the letters since.

    place = Place(folder, SMALL)       where judges live, each of them from the beginning of one game for all to play in
    told = place.differences(seed=7)   what was not as it had been, as sentences

Players and masters write at random, and the judge is a little slow. At a random moment a backup is made. Then the disk
is lost, the backup restored, and all letters are read again, long after they came.
"""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path

from sqlmodel import col, select

from judge.letters.mailbox import NoMailbox
from judge.settings import StoreSettings
from judge.store import event_times
from judge.store.engine import open_engine, reading, transaction
from judge.store.games import next_alarm
from judge.store.tables import Mail
from tests import beginnings
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Received, letter
from tests.rules.variant.test_registry import write
from tests.same_judge import differences, rows_of
from tests.service.daemonatwork import DaemonAtWork
from tests.texts import mapped

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
# (sender, subject, text) of letters that come together.
Letters = list[tuple[str, str, str]]
# Recipient, subject and bytes of a mail.
Told = tuple[str, str, bytes]
_PASSWORD = re.compile(rb"[Pp]assword is (\w+)")


# What players write below their sign-on, and masters first and second.
ASKED = ("SET WAIT", "SET NO WAIT", "STATUS", "SET DRAW", "LIST heron", "CLEAR", "PRESS TO ALL\nHello.\nENDPRESS",
          "SET DIGEST 07:00", "SET ZONE Asia/Tokyo", "SET PASSWORDLESS", "SET PASSWORD fresh123", "WHATIF\nENDWHATIF",
          "SET CALENDAR ON", "SET DATA ON", "HISTORY", "RESIGN heron", "I AM ALSO me@example.net",
          "SET NOTICES RESULTS", "SET NOTICES ALL BUT PRESS", "STATS", "SET IGNORE S", "STANDBY", "NO STANDBY",
          "SET THREADS ON", "SUMMARY heron", "GET DATA heron", "INFO PLAYER",
          *["EXTEND 1 day", "PAUSE", "RESUME", "TERMINATE heron", "ROLLBACK", "PROCESS!", "DISAGREE"] * 2)  # fmt: skip
RULED = ("", *["PROCESS!"] * 6, "PROCESS", *["ROLLBACK"] * 3, "PAUSE", "PAUSE\nRESUME", "RESUME", "UNSTART",
         "EJECT north@example.org", "OFFICIAL News\nNews.\nENDOFFICIAL", "EJECT kim@example.org", "FORCE BEGIN",
         "DENY guest1@example.org", "ALLOW guest1@example.org", "TERMINATE heron")  # fmt: skip
SET = ("SET NMR", "SET NO NMR", "SET EXTENSIONS 0", "SET EXTENSIONS 2", "SET GRACE 24", "SET MOVE NEXT 24",
        "SET MOVE NEXT 48 DELAY 3 MIN 20", "SET MANUALPROCESS", "SET RETREAT NEXT 12", "SET REMIND 20 3",
        "SET NO DISORDER N", "SET DISORDER N", "SET WAIT", "SET GUNBOAT", "CORRECT ORDERS North: A ABE - DUN",
        "SET APPROVAL", "SET UNMODERATED", "BECOME N\nA ABE - MID")  # fmt: skip


@dataclass(frozen=True)
class Kind:
    """Which games are played: the variant, by whom, the lines of their letters, and how long.

    pauses: between two letters. thorough: with all that the daemon does beside letters and deadlines.
    """

    variant: str
    holds: Mapping[str, str]
    lines: Mapping[str, Sequence[str]]
    steps: range
    ends_after: Sequence[timedelta]
    pauses: Sequence[timedelta]
    thorough: bool = False
    html: bool = False
    asked: Sequence[str] = ASKED
    ruled: Sequence[str] = RULED


STANDARD = Kind(
    "standard",
    ALL_HOLD,
    {power: [orders] for power, orders in mapped("""
        austria => A VIE - GAL
        england => F LON - NTH
        france  => A PAR - BUR
        germany => F KIE - DEN
        italy   => A VEN - TYR
        russia  => A WAR - GAL
        turkey  => A CON - BUL""").items()},
    steps=range(16, 17),
    ends_after=[60 * 24 * HOUR],
    pauses=[2 * MINUTE, 20 * MINUTE, 45 * MINUTE, 9 * HOUR, 30 * HOUR, 70 * HOUR],
    thorough=True,
    html=True,
)  # fmt: skip
# Two powers write and read a fourth of what seven do.
SMALL = Kind(
    "duel",
    {"north": "A ABE H; F DUN H", "south": "A COR H; F ELM H"},
    {
        "north": ["A ABE - MID", "A MID - COR; F DUN - SEA", "F SEA - ELM", "F SEA S A MID - COR", "BUILD A ABE",
                  "A MID R ABE", "WAIVE", "PHASE F1901M; A MID - COR", "REMOVE F DUN"],
        "south": ["A COR - MID", "A MID - ABE; F ELM - SEA", "F SEA - DUN", "F SEA S A MID - ABE", "BUILD A COR",
                  "A MID R COR", "WAIVE", "PHASE F1901M; A MID - ABE", "REMOVE F ELM"],
    },
    steps=range(3, 9),
    ends_after=[MINUTE, HOUR, 30 * HOUR, 9 * 24 * HOUR],
    pauses=[SECOND, MINUTE, 20 * MINUTE, 45 * MINUTE, 9 * HOUR, 30 * HOUR, 70 * HOUR, 170 * HOUR],
)  # fmt: skip

# Its borders are those of docs/variants.md.
DUEL = """
title = "Duel"
start = "S1901M"
victory.centers = 4
[powers.North]
adjective = "Northern"
letter = "N"
colour = "#244890"
homes = "ABE DUN"
units = "A ABE, F DUN"
[powers.South]
adjective = "Southern"
letter = "S"
colour = "#d80012"
homes = "COR ELM"
units = "A COR, F ELM"
"""
_COAST = '[{}]\nname = "{}"\nkind = "coast"\ncenter = true\narmy = "{}"\nfleet = "{}"\n'
DUEL_PROVINCES = "".join([
    _COAST.format("ABE", "Aberlon", "DUN MID", "DUN SEA"),
    _COAST.format("DUN", "Dunmore", "ABE MID", "ABE SEA"),
    _COAST.format("COR", "Corby", "ELM MID", "ELM SEA"),
    _COAST.format("ELM", "Elmsey", "COR MID", "COR SEA"),
    '[MID]\nname = "Midland"\nkind = "land"\ncenter = true\narmy = "ABE DUN COR ELM"\n',
    '[SEA]\nname = "Narrow Sea"\nkind = "sea"\nfleet = "ABE DUN COR ELM"\n',
])  # fmt: skip


@dataclass
class Written:
    """A letter, and when it reached the mail server."""

    at: datetime
    raw: bytes


class Life:
    """A judge that lives by a simulated clock."""

    def __init__(self, desk: DeskAtWork, database: Path, *, thorough: bool):
        url = f"sqlite:///{database}"
        self._engine, self._thorough = open_engine(url), thorough
        self.daemon = DaemonAtWork(desk, desk.settings.model_copy(update={"store": StoreSettings(url=url)}))
        self.now = desk.now

    def begins(self, copy: beginnings.Copy, now: datetime) -> None:
        """Begin with that database, as a daemon that has just started."""
        beginnings.lay(copy, self.daemon.engine)
        self.daemon.has_just_started()
        self.now = self.daemon.now = now.replace(microsecond=0)

    def works(self, now: datetime) -> None:
        self.daemon.now = self.now = now
        mailbox = NoMailbox(self.daemon.settings.mailbox)
        self.daemon.collect(mailbox)
        if self._thorough:
            self.daemon.work(mailbox)
        else:
            self.daemon.decide()

    def waits(self, until: datetime, slowness: Callable[[], timedelta]) -> None:
        """Do what is due until then, each soon after its time."""
        while True:
            with reading(self.daemon.engine) as session:
                alarm = next_alarm(session, self.now - MINUTE)
            if not alarm or alarm >= until:
                return
            self.works(max(self.now, alarm + SECOND + slowness()))
            self.now += MINUTE

    def told(self) -> Iterator[Told]:
        """(Recipient, subject, bytes) of all mails, the newest first."""
        with reading(self.daemon.engine) as session:
            those = select(Mail.recipient, Mail.subject, Mail.raw).order_by(col(Mail.id).desc())
            yield from session.exec(those)

    def keeps(self, letters: Sequence[Written]) -> None:
        self.daemon.keep([Received(one.raw, one.at, number) for number, one in enumerate(letters)])


class Players:
    """Who writes what: at random, but with the codes and passwords that the judge has mailed.

    told: returns what was mailed, the newest first. seats: {power, or "master": (address, sign-on)}.
    """

    def __init__(
        self, dice: random.Random, kind: Kind, told: Callable[[], Iterable[Told]], seats: Mapping[str, tuple[str, str]]
    ):
        self._dice, self._kind, self._told, self._seats = dice, kind, told, seats
        self._now = datetime.min
        self._guests = self._games = 0
        self._ways: Mapping[Callable[[], Letters], int] = {
            self._orders: 3,
            self._all_hold: 2,
            self._all_order: 2,
            self._asks: 3,
            self._rules: 6,
            self._takes_over: 2,
            self._observes: 1,
            self._creates: 1,
            self._forgot: 1,
            self._confirms: 2,
            self._signs_on: 2,
            self._many_ask: 1,
            self._invites: 2,
            self._waits_in_line: 2,
            self._alone: 1,
        }
        # What follows the last letters, half of the time.
        self._then: Callable[[], Letters] | None = None

    def write(self, now: datetime) -> Letters:
        """Return the next letters, which come together."""
        self._now = now
        then, self._then = self._then, None
        if then and self._dice.random() < 0.5:
            return then()
        (way,) = self._dice.choices([*self._ways], [*self._ways.values()])
        return way()

    def _orders(self) -> Letters:
        power = self._one()
        return [self._of(power, self._line(power))]

    def _all_hold(self) -> Letters:
        return [self._of(power, orders) for power, orders in self._kind.holds.items()]

    def _asks(self) -> Letters:
        away = f"SET ABSENCE {self._day(0, 4)} to {self._day(4, 6)}"
        return [self._of(self._one(), "; ".join(self._dice.sample([away, *self._kind.asked], 2)))]

    def _rules(self) -> Letters:
        dates = [f"SET DEADLINE {self._day(0, 9)} 20:00", f"SET GRACE {self._day(1, 12)} 20:00"]
        self._then = self._dice.choice([self._rules, self._all_hold, self._all_order])
        return [self._master("\n".join([self._dice.choice(self._kind.ruled), self._dice.choice([*dates, *SET])]))]

    def _many_ask(self) -> Letters:
        return [(f"jo{number}@example.org", "x", "LIST") for number in range(3)]

    def _one(self) -> str:
        return self._dice.choice([*self._kind.holds])

    def _line(self, power: str = "") -> str:
        power = power or self._one()
        return self._dice.choice(self._kind.lines[power])

    def _all_order(self) -> Letters:
        waiting = self._dice.choice([*self._kind.holds, ""])
        return [self._of(power, "SET WAIT" if power == waiting else self._line(power)) for power in self._kind.holds]

    def _day(self, first: int, last: int) -> str:
        return f"{self._now + timedelta(days=self._dice.randint(first, last)):%b %d}"

    def _of(self, who: str, lines: str) -> tuple[str, str, str]:
        address, signon = self._seats[who]
        return address, "to the judge", f"{signon}\n" + lines.replace("; ", "\n")

    def _master(self, lines: str) -> tuple[str, str, str]:
        return self._of("master", lines)

    def _takes_over(self) -> Letters:
        """A power resigns perhaps, and a guest asks for one, with a password that the judge makes."""
        self._guests, self._then = self._guests + 1, self._signs_on
        power = self._one()
        leaves = [self._of(power, "RESIGN heron")] if self._dice.random() < 0.5 else []
        told = f"REGISTER\nName: Guest {self._guests}\nEND\nSIGNON {power[0].upper()}?heron"
        return [*leaves, (f"guest{self._guests}@example.org", "x", told)]

    def _observes(self) -> Letters:
        self._guests, self._then = self._guests + 1, self._confirms
        return [(f"guest{self._guests}@example.org", "x", "OBSERVE heron")]

    def _creates(self) -> Letters:
        self._games += 1
        game = f"gull{self._games}"
        return [self._master(f"CREATE ?{game} gm {self._kind.variant}\nSIGNON ?{game}")]

    def _invites(self) -> Letters:
        """Guests are invited to a game that forms: to the last one, if it does."""
        self._then = self._waits_in_line
        guests = " ".join(f"guest{self._dice.randint(1, 3)}@example.org" for _ in range(2))
        return [*self._creates(), self._of_game(f"INVITE {guests}"), ("guest1@example.org", "x", "NO INVITATIONS")]

    def _waits_in_line(self) -> Letters:
        """More guests join the last game than have room in it, and one of them leaves."""
        self._then = self._dice.choice([self._waits_in_line, self._signs_on])
        told = "REGISTER\nName: Guest {0}\nEND\nSIGNON ?gull{1} pwguest{0}"
        letters = [(f"guest{one}@example.org", "x", told.format(one, self._games)) for one in range(1, 4)]
        letters.append(("guest2@example.org", "x", f"RESIGN ?gull{self._games} pwguest2"))
        return [self._of_game("SET MANUALSTART"), *self._dice.sample(letters, 3)]

    def _of_game(self, lines: str) -> tuple[str, str, str]:
        """The letter of the master of the last game."""
        address, _ = self._seats["master"]
        return address, "x", f"SIGNON Mgull{self._games} gm\n{lines}"

    def _alone(self) -> Letters:
        self._games, self._then = self._games + 1, self._orders_for_all
        address, _ = self._seats["master"]
        return [(address, "x", f"CREATE ?gull{self._games} gm {self._kind.variant} SOLO")]

    def _orders_for_all(self) -> Letters:
        """In a game for one, whose master may process it and go back."""
        orders = "; ".join(f"{power.capitalize()}: {self._line(power)}" for power in self._kind.holds)
        then = self._dice.choice(["", "PROCESS!", "PROCESS! S1901M; ROLLBACK", "UNSTART"])
        return [self._of_game(f"{orders}; {then}".replace("; ", "\n"))]

    def _forgot(self) -> Letters:
        self._then = self._confirms
        address, _ = self._seats[self._one()]
        return [(address, "x", "FORGOT heron")]

    def _confirms(self) -> Letters:
        """The newest mail that asks for a confirmation comes back."""
        asks = ((recipient, subject) for recipient, subject, _ in self._told() if "CONFIRM " in subject)
        return [(recipient, f"Re: {subject}", "") for recipient, subject in islice(asks, 1)]

    def _signs_on(self) -> Letters:
        """Whoever got a password from the judge last uses it."""
        told = ((recipient, _PASSWORD.search(raw)) for recipient, _, raw in self._told())
        seats = [*(power[0].upper() for power in self._kind.holds), "?"]
        return [
            (recipient, "x", "\n".join(f"SIGNON {one}heron {word[1].decode()}" for one in seats))
            for recipient, word in islice(((recipient, word) for recipient, word in told if word), 1)
        ]


# As `DeskAtWork.seat_all` seats them.
_SEATS = {power: (f"{power}@example.org", f"SIGNON {power[0].upper()}heron pw{power}") for power in
          (*ALL_HOLD, *SMALL.holds)} | {"master": ("kim@example.org", "SIGNON Mheron gm")}  # fmt: skip


class Place:
    """Where two judges live, one after the other, again and again; all of them begin with the same game."""

    def __init__(self, home: Path, kind: Kind):
        self._kind = kind
        write(home / "own", "duel", DUEL, DUEL_PROVINCES)
        environment = {"JUDGE_GAMES_OUTAGE_LIMIT": "9999", "JUDGE_JUDGE_VARIANTS": str(home / "own")}
        environment["JUDGE_JUDGE_HTML"] = "yes" if kind.html else "no"
        desk = DeskAtWork(home, f"sqlite:///{home / 'judge.db'}", environment)
        desk.seat_all("heron", kind.variant)
        self._beginnings = [(beginnings.copied(desk.engine), desk.now)]
        # From here two deadlines pass in two days, and the first can be undone.
        terms = "SET EXTENSIONS 1\nSET GRACE 24\nSET MOVE NEXT 20\nSET RETREAT NEXT 9\nSET ADJUST NEXT 9"
        desk.writes("kim@example.org", f"SIGNON Mheron gm\n{terms}\nPROCESS! S1901M")
        self._beginnings.append((beginnings.copied(desk.engine), desk.now))
        self._lives = [Life(desk, home / f"{name}.db", thorough=kind.thorough) for name in ("one", "two")]

    def end(self) -> None:
        for life in self._lives:
            life.daemon.end()

    def differences(self, seed: int) -> list[str]:
        """Play one game, lose the disk, recover what was played; return what is not as it was."""
        (life, again), kind = self._lives, self._kind
        dice, lag = random.Random(seed), random.Random(-1 - seed)

        def slowness() -> timedelta:
            return lag.randrange(50) * SECOND

        beginning, now = dice.choice(self._beginnings)
        life.begins(beginning, now)
        life.works(life.now)
        steps = dice.choice(kind.steps)
        players, letters = Players(dice, kind, life.told, _SEATS), list[Written]()
        backup, backup_after = beginning, dice.randrange(-1, steps - 1)
        for step in range(steps):
            at = life.now + dice.choice(kind.pauses)
            life.waits(at, slowness)
            at = life.now = max(at, life.now)
            new = [self._written(at, f"{seed}.{step}.{number}", *one) for number, one in enumerate(players.write(at))]
            letters += new
            life.keeps(new)
            life.works(at + slowness())
            if step == backup_after:
                backup = beginnings.copied(life.daemon.engine)
        end = life.now + dice.choice(kind.ends_after)
        life.waits(end, slowness)
        again.begins(backup, end)
        with transaction(again.daemon.engine) as session:
            event_times.begin_replay(session, end)
        again.keeps(letters)
        again.works(end + 2 * HOUR)
        # What counts no more is forgotten by the clock.
        life.works(end + 2 * HOUR)
        life.works(end + 3 * HOUR)
        again.works(end + 3 * HOUR)
        return differences(rows_of(life.daemon.engine), rows_of(again.daemon.engine))

    def _written(self, at: datetime, number: str, sender: str, subject: str, words: str) -> Written:
        head = {"From": sender, "To": "judge@example.org", "Subject": subject}
        return Written(at, letter({**head, "Message-ID": f"<{number}@example.org>"}, words))
