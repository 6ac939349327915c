"""Play the first year of a game with a real judge, by real letters (`judge demo`).

A master, seven players and an observer take part. With two more people they also play the opening of 1648, where
players bid for orders of neutrals.

The judge is the daemon in a separate process. Its mailbox is in the built-in mail system, through which the people
write to it and get its answers. Every mail is written to a file. If anything unexpected happens, the demo ends and
prints the reason.
"""

import re
import shutil
import smtplib
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import dropwhile
from pathlib import Path

from judge.demo import script
from judge.demo.mail_system import MailSystem
from judge.demo.mail_users import MailUser, ReceivedMail, Unanswered
from judge.demo.process import JudgeFailed, JudgeProcess, settings_for, write_settings
from judge.demo.script import GAME, GAME_1648, JUDGE, MASTER, NEWCOMERS, OBSERVER, PLAYERS, Character, Orders

# The time limit for the whole demo, in seconds. It takes a minute, but may run on a busy machine.
TIME_LIMIT = 300.0
# The time until a deadline, as a multiple of the time in which the judge answers one letter.
ANSWERS_TO_A_DEADLINE = 5
_BOLD, _DIM, _GREEN, _RED, _PLAIN = "\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[0m"
_LINES = 24  # the maximum number of lines of a mail to print


class Stage:
    """Prints the events of the demo, in color on a terminal."""

    def __init__(self, scenes: int) -> None:
        self._scenes, self._played = scenes, 0
        self._began = time.monotonic()

    def scene(self, title: str) -> None:
        """Begin the next scene."""
        self._played += 1
        bar = "■" * self._played + "□" * (self._scenes - self._played)
        self._print(f"{bar} {self.seconds:5.1f} s  {title}", _BOLD)

    def step(self, text: str) -> None:
        """Print an event.

        Raises Unanswered if the demo takes too long.
        """
        if self.seconds > TIME_LIMIT:
            raise Unanswered(f"the demo takes longer than {TIME_LIMIT:g} s")
        self._print(f"    {text}", _DIM)

    def show(self, mail: ReceivedMail, why: str, since: str = "") -> None:
        """Print a mail, and why it is worth reading.

        The first printed line is the first one that begins with `since`.
        """
        width = max(40, min(100, shutil.get_terminal_size().columns - 8))
        lines = mail.text.rstrip().splitlines()
        lines = list(dropwhile(lambda line: not line.startswith(since), lines))
        self._print(f"    {why}", _GREEN)
        self._print(f"    ┌ {mail.subject}  (to {mail.message['To']})")
        for line in lines[:_LINES]:
            self._print(f"    │ {line}" if len(line) < width else f"    │ {line[: width - 8]} …")
        self._print(f"    └ {f'… {len(lines) - _LINES} more lines' if len(lines) > _LINES else ''}".rstrip())

    def finish(self, text: str) -> None:
        """Print the last line of a successful demo."""
        self._print(f"{'■' * self._scenes} {self.seconds:5.1f} s  {text}", _GREEN)

    def fail(self, reason: str) -> None:
        """Print why the demo ends."""
        self._print(f"FAILED after {self.seconds:.1f} s: {reason}", _RED)

    @property
    def seconds(self) -> float:
        """The seconds since the demo began."""
        return time.monotonic() - self._began

    def _print(self, text: str, style: str = "") -> None:
        print(f"{style}{text}{_PLAIN}" if style and sys.stdout.isatty() else text, flush=True)


class Album:
    """The mail of all people, which is also a Post.

    Every mail that arrives is written into a numbered .eml file, in order. Each map is also written once, next to the
    file of its mail.
    """

    def __init__(self, folder: Path) -> None:
        """Make a mail system, whose mails are written into files in `folder`."""
        self._folder = folder
        self._mails: dict[str, list[ReceivedMail]] = {}
        self.office = MailSystem(on_mail=self.keep)
        self.count = 0

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """Send a letter by SMTP."""
        with smtplib.SMTP(self.office.host, self.office.smtp_port, local_hostname="localhost", timeout=10) as smtp:
            smtp.sendmail(sender, [to], raw)

    def mails(self, address: str) -> Sequence[ReceivedMail]:
        """Return all mails for `address` so far, oldest first."""
        return self._mails.get(address, ())

    def keep(self, recipient: str, raw: bytes) -> None:
        """Write a mail that has arrived into its file.

        Only one thread may call this.
        """
        self.count += 1
        mail = ReceivedMail(raw)
        self._mails.setdefault(recipient, []).append(mail)
        subject = re.sub(r"\W+", "-", mail.subject).strip("-")[:40] or "letter"
        name = f"{self.count:03d}-to-{recipient.partition('@')[0]}-{subject}.eml"
        (self._folder / name).write_bytes(raw)
        for picture, data in mail.pictures.items():
            (self._folder / f"map-{picture}").write_bytes(data)


def run_demo(out: Path, own: Mapping[str, Path]) -> int:
    """Play the demo, print the events, and leave all mails in `out`.

    `own` has the keeper's folders of templates and variants. Returns the exit status, which is 0 if all went as
    expected.
    """
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("[0-9][0-9][0-9]-to-*.eml"), *out.glob("map-*.png")]:
        old.unlink()
    shutil.rmtree(out / "judge", ignore_errors=True)
    stage = Stage(scenes=len(Play.SCENES))
    album = Album(out)
    with album.office as office:
        home = out / "judge"
        home.mkdir(parents=True)
        sections = settings_for(office, early_delay=0, sweep=1)
        sections["judge"] |= own
        judge = JudgeProcess(write_settings(home, sections))
        try:
            Play(stage, judge, album).perform()
        except (Unanswered, JudgeFailed, OSError) as failure:
            stage.fail(str(failure))
            if not judge.alive:
                stage.fail(f"the judge is not running; its last words:\n{judge.tail()}")
            return 1
        finally:
            judge.kill()
    stage.finish(f"{album.count} mails, all in {out}/; the judge's log and database are in {home}/")
    return 0


@dataclass
class Player:
    """A person with a power in a game.

    The power's letter is known after the game has started.
    """

    person: MailUser
    letter: str
    password: str
    game: str = GAME
    latest: ReceivedMail | None = None  # the mail with the start or the latest results

    def signs_on(self, *lines: str, answering: ReceivedMail | None = None) -> None:
        """Send a letter with these lines between SIGNON and SIGNOFF."""
        sign_on = f"SIGNON {self.letter}{self.game} {self.password}"
        self.person.writes(sign_on, *lines, "SIGNOFF", "-- ", self.person.name, subject=self.game, answering=answering)


class Play:
    """The scenes of the demo, in order.

    Each scene waits for the mails that it causes, and raises Unanswered if they do not arrive.
    """

    def __init__(self, stage: Stage, judge: JudgeProcess, post: Album) -> None:
        self._stage, self._judge, self._post = stage, judge, post
        self._master = Player(self._meet(MASTER), "M", "overlord")
        self._observer = self._meet(OBSERVER)
        self._players = [Player(self._meet(who), "?", _password(who.address, 1901)) for who in PLAYERS]
        self._seats: dict[str, Player] = {}
        self._slowest = 0.0  # the longest time in seconds that the judge took to answer a new player

    def perform(self) -> None:
        """Play all scenes."""
        for scene in self.SCENES:
            scene(self)

    def start(self) -> None:
        """Start the judge."""
        self._stage.scene("A judge starts: an IMAP mailbox, an SMTP server, an empty database")
        self._judge.start()
        self._stage.step(self._judge.tail(1))

    def gather(self) -> None:
        """Form the game, with its master, its players and an observer."""
        self._stage.scene("A game master, seven players and an observer write their first letters")
        self._register(MASTER, self._master.person, f"CREATE ?{GAME} {self._master.password} standard")
        self._master.person.expects(containing=f"{GAME} has been created")
        for who, player in zip(PLAYERS, self._players, strict=True):
            began = self._stage.seconds
            self._register(who, player.person, f"SIGNON ?{GAME} {player.password}")
            player.person.expects(containing=[GAME])
            self._slowest = max(self._slowest, self._stage.seconds - began)
            self._stage.step(f"{who.name} is in")
        self._seats, start = self._dealt(self._players, "S1901M")
        self._stage.show(start, f"The game begins; {self._players[-1].person.name} is dealt a power")
        self._observer.writes(f"OBSERVE {GAME}")
        self._observer.writes("Yes", answering=self._observer.expects(subject="CONFIRM"))
        self._observer.expects(containing=f"You are now observing {GAME}")

    def spring(self) -> None:
        """Play a phase that ends at its deadline, since one player has set WAIT."""
        self._stage.scene("Spring 1901: the game master sets a deadline, Turkey asks to wait for it")
        deadline = self._set_deadline(seconds=8)
        england = self._seats["E"]
        england.signs_on(*script.SPRING_SLIP)
        slip = england.person.expects(containing=["A LVP - NWY", "without order"])
        self._stage.show(slip, "England has made a mistake, and the reply says what is missing")
        self._seats["T"].signs_on("SET WAIT")
        self._seats["T"].person.expects(containing="WAIT is set")
        self._order(script.SPRING)
        self._results("S1901M", by=deadline)

    def fall(self) -> None:
        """Play a phase that ends when all orders are in."""
        self._stage.scene("Fall 1901: all orders come in, and no one waits")
        self._order(script.FALL)
        results = self._results("F1901M")
        self._stage.show(results, "An Italian army is dislodged")

    def retreat(self) -> None:
        """Play the retreats, which players order in replies to the results."""
        self._stage.scene("The retreat: those who have one answer the mail with the results")
        self._order(script.RETREATS, answering=True)
        self._results("F1901R")

    def winter(self) -> None:
        """Play the builds, for which one player sends nothing."""
        self._stage.scene("Winter 1901: builds, a removal, and Turkey sends nothing: the deadline decides")
        deadline = self._set_deadline(seconds=6)
        self._order(script.WINTER)
        results = self._results("W1901A", by=deadline)
        self._stage.show(results, "The winter is over")

    def neutrals(self) -> None:
        """Play the opening of 1648."""
        self._stage.scene("Beside it, 1648: armed neutrals, and Diplomacy Points that are bid for them in secret")
        newcomers = [*map(self._meet, NEWCOMERS)]
        for who, person in zip(NEWCOMERS, newcomers, strict=True):
            self._register(who, person)
        for person in newcomers:
            person.expects(containing="You are registered")
        master = self._master.person
        master.writes(f"CREATE ?{GAME_1648} {self._master.password} 1648")
        master.expects(containing=f"{GAME_1648} has been created")
        people = [*(player.person for player in self._players), *newcomers]
        players = [Player(person, "?", _password(person.address, 1649), GAME_1648) for person in people]
        for player in players:
            player.person.writes(f"SIGNON ?{GAME_1648} {player.password}")
        seats, _ = self._dealt(players, "S1649M")
        self._stage.step("nine powers are dealt; thirty-one neutrals stand between them")
        for letter, lines in script.OPENING_1648.items():
            seats[letter].signs_on(*lines)
        for letter in script.OPENING_1648:
            seats[letter].person.expects(containing="Orders complete")
        self._stage.step("all nine have ordered, and have bid or declined their points")
        results = f"{GAME_1648} - S1649M Results"
        copies = {letter: player.person.expects(subject=results) for letter, player in seats.items()}
        of_master = master.expects(subject=results)
        if script.SUPPORT_1648 not in " ".join(of_master.text.split()):
            raise Unanswered(f"Swabia did not do as it was bid:\n{of_master.text}")
        self._stage.step(f"Swabia: {script.SUPPORT_1648}")
        self._stage.show(of_master, "The master's copy ends with all bids", since="Diplomacy Points")
        self._stage.show(copies["F"], "France's copy ends with its own", since="Your Diplomacy Points")
        self._stage.show(copies["T"], "and Turkey, which bid nothing, learns nothing", since="Your Diplomacy Points")

    def epilogue(self) -> None:
        """Stop the judge."""
        self._stage.scene("The observer looks around, and the judge is asked to stop")
        self._observer.writes("LIST", f"STATUS {GAME}", "HELP", subject="what is there?")
        answer = self._observer.expects(containing=["S1902M", "SIGNON"])
        self._stage.show(answer, "Where the game stands")
        status = self._judge.terminate()
        if status:
            raise JudgeFailed(f"the judge stopped with exit status {status}:\n{self._judge.tail()}")

    SCENES = (start, gather, spring, fall, retreat, winter, neutrals, epilogue)

    def _meet(self, who: Character) -> MailUser:
        return MailUser(who.name, who.address, JUDGE, self._post, who.style)

    def _register(self, who: Character, person: MailUser, *lines: str) -> None:
        person.writes("REGISTER", f"Name: {who.name}", f"Timezone: {who.zone}", "END", *lines, subject="hello")

    def _dealt(self, players: Sequence[Player], phase: str) -> tuple[dict[str, Player], ReceivedMail]:
        """Wait for the start of a game.

        Returns its players by the letters of their powers, and the last start mail.
        """
        for player in players:
            subject = f"{player.game} - {phase} Game Starting"
            start = player.person.expects(subject=subject)
            found = re.search(rf"SIGNON (\w){player.game}\b", start.text)
            if not found:
                raise Unanswered(f"the start mail does not say how to sign on:\n{start.text}")
            player.letter = found[1]
        return {player.letter: player for player in players}, start

    def _set_deadline(self, seconds: float) -> datetime:
        """Let the master set the deadline, and return it.

        The deadline is farther away if answers take long.
        """
        seconds = max(seconds, ANSWERS_TO_A_DEADLINE * self._slowest)
        deadline = (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)
        self._master.signs_on(f"SET DEADLINE {deadline:%Y-%m-%d %H:%M:%S} UTC")
        self._master.person.expects(containing="The deadline of")
        self._stage.step(f"the deadline is {deadline:%H:%M:%S} UTC")
        return deadline

    def _order(self, orders: Orders, answering: bool = False) -> None:
        """Let every player send their orders, and wait until the judge has confirmed that all are complete.

        If `answering` is true, the letters are replies to the results.
        """
        for letter, lines in orders.items():
            seat = self._seats[letter]
            seat.signs_on(*lines, answering=seat.latest if answering else None)
        for letter in orders:
            self._seats[letter].person.expects(containing="Orders complete")
            self._stage.step(f"{self._seats[letter].person.name} ({letter}): orders complete")

    def _results(self, phase: str, by: datetime | None = None) -> ReceivedMail:
        """Wait until all players have the results, and return the observer's copy.

        Raises Unanswered if the results arrive before the deadline `by`.
        """
        for player in [*self._players, self._master]:
            player.latest = player.person.expects(subject=f"{phase} Results")
        results = self._observer.expects(subject=f"{phase} Results")
        if by and (early := by - datetime.now(UTC)) > timedelta(0):
            raise Unanswered(f"the results of {phase} came {early.total_seconds():.1f} s before its deadline")
        self._stage.step(f"{phase} is processed; all have the results")
        return results


def _password(address: str, year: int) -> str:
    return f"{address.partition('@')[0]}{year}"
