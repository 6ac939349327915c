"""A desk with a database of its own and nobody but the test to post letters."""

import copy
import random
import re
import sqlite3
import weakref
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage, Message
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import psycopg
from argon2 import PasswordHasher
from sqlalchemy import Connection, Engine, Executable, bindparam, select, update
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, col

from judge.commands.handler import LetterHandler, fingerprint_of
from judge.draws import LETTERS, Draws, Purpose
from judge.games.core.passwords import Passwords, SlowWork
from judge.games.core.work import Services, Work, make_services
from judge.games.life import forming, lifecycle
from judge.games.life.power_assignment import deal
from judge.games.people import rate_limits
from judge.rules import load_variant
from judge.settings import OAuthSettings, Settings, StoreSettings, read_settings
from judge.shell import upkeep
from judge.shell.calling import carry_out
from judge.store import inbox, sent_mails
from judge.store.engine import open_engine, reading, transaction
from judge.store.games import due_phases, game_named, next_waiting
from judge.store.tables import Game, Mail, Phase, Picture
from tests import beginnings, rows
from tests.no_password_remains import left
from tests.texts import flat, mapped, table

START = datetime(2026, 5, 4, 10, 0, tzinfo=UTC)  # a Monday
# The orders of the seven people who play the standard game (`seat_seven`), by how they write.
ALL_HOLD = mapped("""
    austria => A VIE H; A BUD H; F TRI H
    england => A LVP H; F EDI H; F LON H
    france  => A PAR H; A MAR H; F BRE H
    germany => A BER H; A MUN H; F KIE H
    italy   => A ROM H; A VEN H; F NAP H
    russia  => A MOS H; A WAR H; F SEV H; F STP/SC H
    turkey  => A CON H; A SMY H; F ANK H""")
# A password takes a tenth of a second otherwise, on purpose.
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
SAMPLE = Path(__file__).parents[2] / "judge.ini"


# To read the whole header takes ten times as long, and tests choose among hundreds of mails by their subjects.
_SUBJECT = re.compile(rb"^Subject: ([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", re.MULTILINE)


@dataclass(frozen=True)
class Posted:
    """A mail that the judge has written; `picture`: the form and the scene of the map that goes with it.

    It is read when a test looks into it: most are written to people whom the test is not about.
    """

    to: str
    raw: bytes
    picture: tuple[str, dict[str, Any]] | None = None
    number: int = field(default=0, compare=False)

    @cached_property
    def message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=policy.default)

    @cached_property
    def _plainly(self) -> Message:
        """The same, with its headers as they stand: to read them takes most of the time."""
        return message_from_bytes(self.raw)

    @cached_property
    def subject(self) -> str:
        found = _SUBJECT.search(self.raw)
        assert found
        return str(policy.default.header_fetch_parse("Subject", found[1].decode()))

    @property
    def answers(self) -> bool:
        """Whether it is the answer to a letter."""
        return b"\r\nAuto-Submitted: auto-replied\r\n" in self.raw.partition(b"\r\n\r\n")[0]

    @cached_property
    def text(self) -> str:
        text = _content(self._plainly, "text/plain")
        assert text is not None
        return text

    @cached_property
    def page(self) -> str:
        return _content(self._plainly, "text/html") or ""

    @cached_property
    def flat(self) -> str:
        """The text as one line, however it is wrapped."""
        return flat(self.text)

    @property
    def first_line(self) -> str:
        return self.text.splitlines()[0]


class QuickPasswords(Passwords):
    """Checks passwords `at_once`: most letters with a sign-on would be read twice otherwise.

    Passwords that a letter chooses are hashed between two attempts all the same, as a judge does: games are dealt by
    dice that fall in both.
    """

    at_once = True

    def matches(self, kept: str, password: str, letter_id: int | None) -> bool:
        try:
            return super().matches(kept, password, letter_id)
        except SlowWork as slow:
            if not self.at_once:
                raise
            slow.do()
        return super().matches(kept, password, letter_id)


class DrawsOfDice(Draws):
    """Codes, passwords and seeds that a test knows beforehand."""

    def __init__(self, key: bytes, event: str, dice: random.Random):
        super().__init__(key, event)
        self._dice = dice

    def seed(self) -> int:
        return self._dice.getrandbits(32)

    def word(self, purpose: Purpose) -> str:
        return "".join(self._dice.choice(LETTERS) for _ in range(12))


@dataclass(frozen=True)
class ServicesWithDice(Services):
    dice: random.Random = field(default_factory=lambda: random.Random(1))

    def draws(self, event: str = "") -> Draws:
        return DrawsOfDice(self.key, event, self.dice)


@dataclass(frozen=True)
class Snapshot:
    """What a desk has become when letters are answered."""

    database: beginnings.Copy
    dice: random.Random
    passwords: QuickPasswords
    now: datetime
    letters: int
    seen: int
    received: list[str]


# Read beside the session and its objects: every letter of every test asks for it.
_NEWER: Executable = (
    select(col(Mail.id), col(Mail.recipient), col(Mail.raw), col(Mail.picture_id))
    .where(col(Mail.id) > bindparam("seen"))
    .order_by(col(Mail.id))
)
# A picture goes to many: what it shows is read once.
_SHOWN = select(col(Picture.id), col(Picture.form), col(Picture.scene)).where(
    col(Picture.id).in_(bindparam("numbers", expanding=True))
)


@dataclass
class Received:
    """What a mailbox hands to the inbox."""

    raw: bytes
    received_at: datetime
    uid: int
    uidvalidity: int = 1
    cut: bool = False


Told = TypeVar("Told")


class _Undone(Exception):
    """Rolls a transaction back."""


# The desks that were made since the last test.
MADE: list["DeskAtWork"] = []


class DeskAtWork:
    """`writes` posts a letter and has it handled at once; `new_mails` are those written since the last look.

    at_once: check the passwords of a letter while it is handled, instead of between two attempts as a judge does.
    """

    def __init__(self, folder: Path, url: str, environment: dict[str, str], at_once: bool = True):
        self.settings = _settings(tuple(environment.items())).model_copy(update={
            "home": folder, "store": StoreSettings(url=url),
            "oauth": OAuthSettings(token_file=folder / "oauth.json")})  # fmt: skip
        self.engine: Engine = open_engine(self.settings.store_url)
        # Else thousands of files would stay open: rubbish is looked for seldom.
        weakref.finalize(self, self.engine.dispose)
        beginnings.make_tables(self.engine)
        passwords = self._passwords = QuickPasswords(b"key", QUICK)
        passwords.at_once = self._at_once = at_once
        self.services = ServicesWithDice(**{**vars(make_services(self.settings)), "passwords": passwords})
        self.desk = LetterHandler(self.services)
        self.now = START
        self._environment = environment
        # All that the letters of this desk say, for tests/no_password_remains.py.
        self.received: list[str] = []
        MADE.append(self)
        self._letters = 0
        self._tried = 0
        self._seen = 0

    @property
    def _dice(self) -> random.Random:
        return self.services.dice

    def writes(
        self,
        sender: str,
        text: str,
        *,
        subject: str = "to the judge",
        answering: str = "",
        received_at: datetime | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> list[Posted]:
        """The mails that the judge writes when this letter comes; a minute passes first."""
        self.now += timedelta(minutes=1)
        self._letters += 1
        raw = self._letter(sender, text, self._letters, subject=subject, answering=answering, headers=headers)
        self.received.append(text)
        return self._receive(Received(raw, received_at or self.now, self._letters))

    def _letter(
        self,
        sender: str,
        text: str,
        number: int,
        *,
        subject: str = "to the judge",
        answering: str = "",
        headers: Mapping[str, str] | None = None,
    ) -> bytes:
        head = {"From": sender, "To": self.settings.address, "Subject": subject}
        head["Message-ID"] = f"<letter{number}@example.org>"
        head |= {"In-Reply-To": answering} if answering else {}
        return letter({**head, **(headers or {})}, text)

    def observes(self, sender: str, text: str = "OBSERVE heron") -> list[Posted]:
        """The same, when a stranger asks to observe, and then sends the mail back that asks whether it was them."""
        return self.confirms(sender, text)

    def confirms(self, sender: str, text: str) -> list[Posted]:
        """The same, when somebody asks for something, and then sends the mail back that asks whether it was them."""
        address = sender.partition("<")[2].rstrip(">") or sender
        (asks,) = [mail for mail in self.writes(sender, text) if mail.to == address and mail.answers]
        return self.writes(sender, "", subject=asks.subject)

    def receives(self, raw: bytes) -> list[Posted]:
        """The mails that the judge writes when these bytes come; a minute passes first."""
        self.now += timedelta(minutes=1)
        self._letters += 1
        self.received.append(raw.decode("latin-1"))
        return self._receive(Received(raw, self.now, self._letters))

    def _receive(self, letter: Received) -> list[Posted]:
        if not beginnings.is_file(self.engine):
            # Slow work undoes what was kept with it, and PostgreSQL gives the letter another number then.
            with transaction(self.engine) as session:
                inbox.keep(session, [letter], fingerprint_of, now=self.now)
        while self._handle(letter):
            pass
        return self.new_mails()

    def replies(self, sender: str, text: str, **how: Any) -> Posted:
        """The one mail that answers the letter; `how` as for `writes`."""
        address = sender.partition("<")[2].rstrip(">") or sender
        mails = [mail for mail in self.writes(sender, text, **how) if mail.to == address]
        (answer,) = [mail for mail in mails if mail.answers]
        return answer

    def would_receive(self, raw: bytes, received_at: datetime | None = None) -> list[Posted]:
        """The same, but nothing remains of the letter and of what it did: the next one finds the same desk."""
        self._tried += 1
        now = self.now + timedelta(minutes=1)
        letter = Received(raw, received_at or now, self._letters + self._tried)

        def attended(session: Session) -> tuple[list[int], list[Posted]]:
            numbers = inbox.keep(session, [letter], fingerprint_of, now=now)
            for row in inbox.in_turn(session):
                self.desk.handle(session, row, now)
            session.flush()
            mails = self._newer(session.connection())
            found = left([raw.decode("latin-1")], session.connection().connection, self._seen)
            assert not found, "\n".join(found)
            return numbers, mails

        numbers, mails = self.undone(attended)
        for number in numbers:
            self.desk.forget(number)  # the next letter gets the same
        return mails

    def would_write(self, sender: str, text: str, **how: Any) -> list[Posted]:
        """What `writes` returns; nothing remains of the letter and of what it did."""
        return self.would_receive(self._letter(sender, text, self._letters + self._tried + 1, **how))

    def would_reply(self, sender: str, text: str, **how: Any) -> Posted:
        """The one mail that answers the letter, of which nothing remains; `how` as for `writes`."""
        (answer,) = [mail for mail in self.would_write(sender, text, **how) if mail.to == sender and mail.answers]
        return answer

    def expects(self, sender: str, signon: str, told: str | Mapping[str, str | Sequence[str]]) -> None:
        """{lines: words of the reply}: each is tried by itself, below the sign-on; lines may go on behind its end.

        As a text: a row each, as in `table`, "some words ... and others" of the reply.
        """
        for lines, words in table(told) if isinstance(told, str) else told.items():
            reply = self.would_reply(sender, signon + lines).flat
            missing = [one for one in (words.split(" ... ") if isinstance(words, str) else words) if one not in reply]
            assert not missing, f"{lines}\n{missing}\n{reply}"

    def undone(self, does: Callable[[Session], Told]) -> Told:
        """What it returns; all that it does to the database is undone."""
        dice = self._dice.getstate()
        while True:
            try:
                with suppress(_Undone), transaction(self.engine) as session:
                    told = does(session)
                    raise _Undone
                self._dice.setstate(dice)
                return told
            except SlowWork as slow:
                slow.do()

    def handle_all(self) -> None:
        while self._handle():
            pass

    def _handle(self, *new: Received) -> bool:
        """Whether there may be more to handle; `new`: what has just come, if it is not kept yet."""
        try:
            with transaction(self.engine) as session:
                inbox.keep(session, new, fingerprint_of, now=self.now)
                row = next(iter(inbox.in_turn(session)), None)
                if row is None:
                    return False
                self.desk.handle(session, row, self.now)
                more = bool(inbox.in_turn(session))
        except SlowWork as slow:
            slow.do()
            return True
        self.desk.forget(row.id)
        return more

    def ring(self, at: datetime) -> list[Posted]:
        """Do for every phase what is due at `at`; the mails this makes."""
        self.now = at
        while True:
            with transaction(self.engine) as session:
                phase = next((phase for _, phase in due_phases(session, self.now, 1)), None)
                game = next_waiting(session, self.now)
                work = Work(session, self.services, self.now)
                if phase:
                    lifecycle.run_due(work, session.get_one(Game, phase.game_id), phase)
                elif game:
                    forming.tell_waiting(work, game)
                elif pause := sent_mails.next_ended_pause(session, self.now):
                    rate_limits.end(work, pause)
                else:
                    break
        return self.new_mails()

    def game(self, name: str = "heron") -> Game:
        with reading(self.engine) as session:
            return rows.game_named(session, name)

    def phase(self, game: str = "heron") -> Phase:
        """The open phase of the game."""
        with reading(self.engine) as session:
            return rows.open_phase(session, rows.game_named(session, game))

    def lay(self, phase: str = "", game: str = "heron", **tables: object) -> None:
        """The open phase of the game is this one from now on, with these tables of its position in place of its own."""
        with transaction(self.engine) as session:
            row = rows.open_phase(session, rows.game_named(session, game))
            row.name = phase or row.name
            row.position = {**row.position, "phase": row.name, **tables}

    def new_mails(self) -> list[Posted]:
        with self.engine.connect() as connection:
            mails = self._newer(connection)
        self._seen = max((mail.number for mail in mails), default=self._seen)
        return mails

    def sends_all(self) -> None:
        """All mails are on their way, or would soon be reported as late."""
        with transaction(self.engine) as session:
            waiting = (col(Mail.sent_at).is_(None), col(Mail.failed_at).is_(None))
            session.execute(update(Mail).where(*waiting).values(sent_at=Mail.created_at, picture_id=None))

    def _newer(self, connection: Connection) -> list[Posted]:
        rows = connection.execute(_NEWER, {"seen": self._seen}).all()
        numbers = {picture for *_, picture in rows if picture}
        found = connection.execute(_SHOWN, {"numbers": list(numbers)}) if numbers else ()
        shown = {number: (form, scene) for number, form, scene in found}
        return [Posted(reader, raw, shown.get(picture), number) for number, reader, raw, picture in rows]

    def keeper_runs(self, command: Callable[..., int], *arguments: object) -> int:
        """The exit status of a command of judge/shell/upkeep.py that its keeper runs now."""
        with patch.object(upkeep, "_now", lambda: self.now):
            return carry_out(command, self.settings, *arguments)

    def passwords_left(self) -> list[str]:
        """Where in the database a password is that its letters gave, as sentences."""
        try:
            with closing(self.engine.raw_connection()) as connection:
                return left(self.received, connection)
        except (DBAPIError, sqlite3.Error, psycopg.Error):
            return []  # a database of the test's own, which is gone

    def all_mails(self) -> list[Posted]:
        """Every mail since the beginning, seen or not."""
        self._seen = 0
        return self.new_mails()

    def seat_seven(self, game: str = "heron", variant: str = "standard") -> None:
        """A game for seven begins: Kim is its master, seven people play, each named after their power.

        France's address is france@example.org and its password pwfrance; the master's password is gm.
        """
        self.seat_all(game, variant)

    def seat_all(self, game: str, variant: str, settings: str = "", surname: str = "") -> None:
        """A game of any variant, in the same way: Poland-Lithuania and Poland & Saxony write as poland@example.org.

        `settings`: what the master sets before anybody joins. People's names may go on behind their power's.
        Once a run this goes by letters.
        """
        self.goes_on(
            ("seat_all", game, variant, settings, surname),
            lambda: self.seat_by_letters(game, variant, settings, surname),
        )

    def goes_on(self, how: Hashable, happens: Callable[[], object]) -> None:
        """Once a run `happens` is called; another desk that is the same until here becomes what the first one became.

        The text of `how` says all that it depends on beside this desk. It must not change what the test holds of the
        desk, such as `office`.
        """

        def happened() -> Snapshot:
            happens()
            return self._snapshot()

        self._becomes(beginnings.once((*self._past(), how), happened, beginnings.is_file(self.engine)))

    def seat_by_letters(self, game: str, variant: str, settings: str = "", surname: str = "") -> None:
        """The same, always by letters, as a judge would, so that its dice do the same: to test how a game begins."""
        self._passwords.at_once = False
        begin = f"REGISTER\nName: Kim Doe{surname}\nEND\nCREATE ?{game} gm {variant}\n{settings}"
        self.writes("Kim Doe <kim@example.org>", begin)
        powers = list(self.deal(game))
        for power in powers:
            name = re.split(r"\W", power.lower())[0]
            self.writes(f"{name}@example.org", f"REGISTER\nName: {power}{surname}\nEND\nSIGNON ?{game} pw{name}")
        self._passwords.at_once = self._at_once

    def deal(self, game: str) -> list[str]:
        """The powers in the order in which those who join will get them."""
        with transaction(self.engine) as session:
            row = game_named(session, game)
            assert row
            variant = load_variant(row.variant)
            return deal(variant, [""] * len(variant.seats), row.settings["seed"])

    def _past(self) -> tuple[object, ...]:
        """All that what this desk does next depends on."""
        dice, environment = self._dice.getstate(), tuple(sorted(self._environment.items()))
        return environment, beginnings.digest(self.engine), dice, self.now, self._letters, self._seen

    def _snapshot(self) -> Snapshot:
        dice, passwords = copy.copy(self._dice), copy.deepcopy(self._passwords)
        return Snapshot(
            beginnings.copied(self.engine), dice, passwords, self.now, self._letters, self._seen, list(self.received)
        )

    def _becomes(self, snapshot: Snapshot) -> None:
        beginnings.lay(snapshot.database, self.engine)
        dice, passwords = copy.copy(snapshot.dice), copy.deepcopy(snapshot.passwords)
        self._passwords, passwords.at_once = passwords, self._at_once
        self.services = replace(self.services, dice=dice, passwords=passwords)
        self.desk = LetterHandler(self.services)
        self.now, self._letters, self._seen = snapshot.now, snapshot.letters, snapshot.seen
        self.received = list(snapshot.received)


@cache
def _settings(environment: tuple[tuple[str, str], ...]) -> Settings:
    """What judge.ini says to everybody under that environment: to read it takes as long as a short letter."""
    return read_settings(SAMPLE, dict(environment))


def letter(head: Mapping[str, str], text: str, charset: str = "utf-8") -> bytes:
    """What a mail program sends. Python's own takes as long to write it as the judge to read it; where it would write
    what it is given as it is, that is done here.
    """
    plain = charset == "utf-8" and text.isascii() and "\r" not in text
    plain = plain and all(len(line) < _SHORT for line in text.split("\n"))
    if plain and all(_is_plain(name, value) for name, value in head.items()):
        lines = [f"{name}: {value}" for name, value in head.items()] + _PLAIN_TEXT
        return "\n".join([*lines, "", text + "\n" * (not text.endswith("\n"))]).encode()
    message = EmailMessage()
    for name, value in head.items():
        message[name] = value
    message.set_content(text, charset=charset)
    return message.as_bytes()


_SHORT = 78
_PLAIN_TEXT = [
    'Content-Type: text/plain; charset="utf-8"', "Content-Transfer-Encoding: 7bit", "MIME-Version: 1.0"
]  # fmt: skip
_AS_IT_IS = ("From", "To", "Subject", "Message-ID", "In-Reply-To")
_WORDS = re.compile(r"[\w@<>.+-](?:[\w@<>.+ -]*[\w@<>.+-])?", re.ASCII)


def _is_plain(name: str, value: str) -> bool:
    """Whether a field of the header is neither folded nor encoded nor quoted."""
    return name in _AS_IT_IS and len(name) + len(value) < _SHORT - 2 and bool(_WORDS.fullmatch(value))


def _content(message: Message, kind: str) -> str | None:
    """The first part of that kind, with plain newlines."""
    for part in message.walk():
        if part.get_content_type() == kind:
            octets = part.get_payload(decode=True)
            assert isinstance(octets, bytes)
            return octets.decode("utf-8").replace("\r\n", "\n")
    return None


def posted(row: Mail) -> Posted:
    """The mail of a row, without its picture."""
    return Posted(row.recipient, row.raw)
