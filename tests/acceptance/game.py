"""The people of a game, as they write to a judge at work.

[heron] = gather(judge, "heron")
heron["F"].signs_on("A PAR - BUR")
heron.master.signs_on("SET DEADLINE 2026-05-14 21:00")
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import Engine, create_engine, update

from judge.demo.mail_users import ReceivedMail
from judge.rules import load_variant
from judge.store.tables import Seat as SeatRow
from tests import beginnings
from tests.acceptance.harness import JudgeAtWork
from tests.servers.mailing import MailUser
from tests.texts import searched

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fox", "Gus", "Hal", "Ida", "Jim")
MASTER_PASSWORD = "overlord"
# As many answers can come before a deadline that is near.
_ANSWERS = 5

# Every unit holds, in Spring 1901 and as long as nothing moves.
HOLDS = {
    "A": ("A BUD H", "A VIE H", "F TRI H"),
    "E": ("A LVP H", "F EDI H", "F LON H"),
    "F": ("A MAR H", "A PAR H", "F BRE H"),
    "G": ("A BER H", "A MUN H", "F KIE H"),
    "I": ("A ROM H", "A VEN H", "F NAP H"),
    "R": ("A MOS H", "A WAR H", "F SEV H", "F STP/SC H"),
    "T": ("A CON H", "A SMY H", "F ANK H"),
}


@dataclass
class Seat:
    """Somebody in a game, with what it takes to sign on there."""

    person: MailUser
    letter: str
    game: str
    password: str

    def block(self, *lines: str) -> list[str]:
        """The lines of a letter that signs on and goes on with `lines`."""
        return [f"SIGNON {self.letter}{self.game} {self.password}", *lines, "SIGNOFF"]

    def signs_on(self, *lines: str, answering: ReceivedMail | None = None) -> bytes:
        return self.person.writes(*self.block(*lines), answering=answering)


@dataclass
class Game:
    """`game["F"]` is who plays France."""

    name: str
    master: Seat
    seats: dict[str, Seat] = field(default_factory=dict)

    def __getitem__(self, letter: str) -> Seat:
        return self.seats[letter]

    def seat_of(self, person: MailUser) -> Seat:
        return next(seat for seat in self.seats.values() if seat.person is person)

    def everybody(self) -> list[MailUser]:
        """Players and master."""
        return [*(seat.person for seat in self.seats.values()), self.master.person]

    def orders_hold(self) -> None:
        """All send in all their orders, all units holding; the phase goes on to its deadline all the same."""
        self.master.signs_on("SET WAIT")
        self.master.person.expects(containing="won't be processed by itself before its deadline")
        for letter, seat in self.seats.items():
            seat.signs_on(*HOLDS[letter])
        for seat in self.seats.values():
            seat.person.expects(containing="Orders complete")

    def set_deadline(self, seconds: float) -> datetime:
        """The master moves the deadline to the whole second that is `seconds` from now, or the next; returns it.

        It is later on a machine that has much else to do, so that as much can happen before it as on a quiet one.
        """
        began = datetime.now(UTC)
        self.move_deadline(began + timedelta(hours=1))
        deadline = datetime.now(UTC) + (datetime.now(UTC) - began) * _ANSWERS + timedelta(seconds=seconds)
        deadline = deadline.replace(microsecond=0) + timedelta(seconds=1)
        self.move_deadline(deadline)
        return deadline

    def move_deadline(self, moment: datetime) -> None:
        self.master.signs_on(f"SET DEADLINE {moment:%Y-%m-%d %H:%M:%S} UTC")
        self.master.person.expects(containing=["The deadline of", self.name])

    def results(self, phase: str, seconds: float = 60) -> ReceivedMail:
        """The results of `phase` have come to everybody; those that F, or else the first of them, got."""
        return self.told(f"{self.name} - {phase} Results", seconds=seconds)

    def told(self, subject: str, containing: str = "", seconds: float = 60) -> ReceivedMail:
        """Everybody has got a mail under such a subject; the one that F, or else the first of them, got."""
        mails = {
            person.address: person.expects(subject=subject, containing=containing, seconds=seconds)
            for person in self.everybody()
        }
        reader = self.seats.get("F") or next(iter(self.seats.values()))
        return mails[reader.person.address]


@dataclass(frozen=True)
class Begun:
    """Games that have begun, ready to be played on at other judges: gathering people takes seconds each time.

    `home`: of the judge where they began. `seats`: {game: {letter: (the name of who has the seat, the password)}}.
    """

    home: Path
    seats: Mapping[str, Mapping[str, tuple[str, str]]]

    @classmethod
    def by_letters(cls, judge: JudgeAtWork, *names: str, holding: Sequence[str] = ()) -> "Begun":
        """In those of `holding` everybody has sent in all orders."""
        judge.process.start()
        games = {game.name: game for game in gather(judge, *names, *holding, pictures=False)}
        for name in holding:
            games[name].orders_hold()
        judge.rests()
        judge.process.terminate()
        return cls(judge.database.parent, {
            game.name: {seat.letter: (seat.person.name, seat.password) for seat in [game.master, *game.seats.values()]}
            for game in games.values()
        })  # fmt: skip

    def begin(self, judge: JudgeAtWork, *names: str, pictures: bool = False) -> list[Game]:
        """Start `judge` with the games and return those of `names` (heron, if there are none).

        pictures: everybody gets maps, which only tests about drawing need.
        """
        home = judge.database.parent
        shutil.copytree(self.home, home)
        if judge.url:
            (home / judge.database.name).unlink()
            self._lay(judge)
        if pictures:
            with judge.store() as engine, engine.begin() as connection:
                connection.execute(update(SeatRow).values(maps=None))
        judge.process.start()
        people = {name: judge.person(name) for seats in self.seats.values() for name, _ in seats.values()}
        return [self._game(name, people) for name in names or ("heron",)]

    def _game(self, name: str, people: Mapping[str, MailUser]) -> Game:
        seats = {letter: Seat(people[who], letter, name, word) for letter, (who, word) in self.seats[name].items()}
        return Game(name, seats.pop("M"), seats)

    def _lay(self, judge: JudgeAtWork) -> None:
        """The games are in the judge's own database, which is not SQLite's."""
        with judge.store() as engine:
            asked = "begun", engine.url._replace(database=None)
            beginnings.lay(beginnings.once(asked, lambda: self._taken_over(judge, engine), by_all=False), engine)

    def _taken_over(self, judge: JudgeAtWork, engine: Engine) -> beginnings.Copy:
        beginnings.make_tables(engine)
        with create_engine(f"sqlite:///{self.home / judge.database.name}").connect() as source:
            beginnings.take_over(source, engine)
        return beginnings.copied(engine)


def gather(
    judge: JudgeAtWork, *names: str, variant: str = "standard", sets: str = "", pictures: bool = True
) -> list[Game]:
    """Games of these names begin, each with a master and the same players; all have read their mails.

    sets: lines that the master writes after each CREATE; pictures: whether anybody wants maps, which take longer to
    draw than all the rest of a game.
    """
    wants = "" if pictures else "\nSET MAP OFF"
    board = load_variant(variant)
    kim = judge.person("Kim")
    creations = [f"CREATE ?{name} {MASTER_PASSWORD} {variant}\n{sets}{wants}" for name in names]
    kim.writes("REGISTER", "Name: Kim", "END", *creations)
    kim.expects(containing=[f"{name} has been created" for name in names])
    games = [Game(name, Seat(kim, "M", name, MASTER_PASSWORD)) for name in names]
    people = [judge.person(name) for name in NAMES[: len(board.seats)]]
    for person in people:
        person.writes("REGISTER", f"Name: {person.name}", "END", *(f"SIGNON ?{name}{wants}" for name in names))
    for person in people:
        # The judge makes up one password a letter.
        told = person.expects(containing=["Your password is", *names]).text
        password = searched(r"Your password is (\w+)", told)[1]
        for game in games:
            start = person.expects(subject=f"{game.name} - {board.start} Game Starting")
            letter = searched(rf"SIGNON (\w){game.name}\b", start.text)[1]
            game.seats[letter] = Seat(person, letter, game.name, password)
    for person in [kim, *people]:
        person.throw_away()
    return games
