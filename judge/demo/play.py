"""`judge demo`: nine people play the first year of a game with a real judge, by real letters, before your eyes.

With two more they play the opening of 1648, too, where orders of neutrals are bid for.

The judge is the daemon, as a process of its own, with a mailbox on the embedded mail system; the people write to it by
SMTP and read its answers by IMAP. Every mail is left as a file. If anything does not happen as expected, the demo ends
and prints the reason.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from typing import TextIO

from judge.demo import script
from judge.demo.correspondent import Correspondent, MailProgram, ReceivedMail, Unanswered
from judge.demo.postoffice import PostOffice
from judge.demo.process import JudgeFailed, JudgeProcess, write_settings
from judge.demo.script import GAME, JUDGE, MASTER, OBSERVER, PLAYERS, Character, Orders
from judge.demo.serve import settings_for
from judge.demo.stage import Album, Stage
from judge.demo.swabia import NEWCOMERS, Swabia

# It takes a minute; a machine that has other work is not hurried.
TIME_LIMIT = 300.0          # seconds for everything
PATIENCE = 60.0             # seconds to wait for one answer
NOTHING: Mapping[str, Path] = MappingProxyType({})
ANSWERS_TO_A_DEADLINE = 5   # a deadline is as far away as so many answers take


def run_demo(out: Path, screen: TextIO | None = None, own: Mapping[str, Path] = NOTHING) -> int:
    """Plays the demo on `screen` (standard output); leaves all mails in `out` and the judge's home in `out`/judge.

    `own`: the keeper's folders for the judge, {"templates" or "variants": where they are}. The exit status is 0 if
    everything went as it should.
    """
    _clear(out)
    stage = Stage(screen or sys.stdout, scenes=len(Play.SCENES))
    album = Album(out)
    with PostOffice(on_mail=album.keep) as office:
        home = out / "judge"
        home.mkdir(parents=True)
        sections = settings_for(office, early_delay=0, sweep=1)
        sections["judge"] |= own
        judge = JudgeProcess(write_settings(home, sections))
        post = MailProgram(office.host, office.smtp_port, office.imap_port, office.password)
        try:
            Play(stage, judge, post).perform()
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
    """Who plays which power; the letter is known once the game has begun."""

    person: Correspondent
    letter: str
    password: str
    results: ReceivedMail | None = None

    def signs_on(self, *lines: str, answering: ReceivedMail | None = None) -> None:
        self.person.writes(f"SIGNON {self.letter}{GAME} {self.password}", *lines, "SIGNOFF",
                           "-- ", self.person.name, subject=GAME, answering=answering)


class Play:
    """The scenes, in order. Each waits for the mails that it should cause, and raises Unanswered if they do not come.
    """

    def __init__(self, stage: Stage, judge: JudgeProcess, post: MailProgram) -> None:
        self._stage, self._judge, self._post = stage, judge, post
        self._master = Player(self._meet(MASTER), "M", "overlord")
        self._observer = self._meet(OBSERVER)
        self._players = [Player(self._meet(who), "?", f"{who.address.partition('@')[0]}1901") for who in PLAYERS]
        self._seats: dict[str, Player] = {}
        self._slowest = 0.0  # the longest that a player waited to be in, in seconds

    def perform(self) -> None:
        for scene in self.SCENES:
            scene(self)

    def open_the_office(self) -> None:
        self._stage.scene("A judge starts: an IMAP mailbox, an SMTP server, an empty database")
        self._judge.start()
        self._stage.step(self._judge.tail(1))

    def gather(self) -> None:
        self._stage.scene("A game master, seven players and an observer write their first letters")
        self._register(MASTER, self._master.person, f"CREATE ?{GAME} {self._master.password} standard")
        self._master.person.expects(containing=f"game {GAME} is created")
        for who, player in zip(PLAYERS, self._players, strict=True):
            began = self._stage.seconds
            self._register(who, player.person, f"SIGNON ?{GAME} {player.password}")
            player.person.expects(containing=[f"you are in game {GAME}"])
            self._slowest = max(self._slowest, self._stage.seconds - began)
            self._stage.step(f"{who.name} is in")
        for player in self._players:
            start = player.person.expects(subject="Game Starting")
            player.letter = _letter_in(start)
            self._seats[player.letter] = player
        self._stage.show(start, f"The game begins; {player.person.name} is dealt a power")
        self._observer.writes(f"OBSERVE {GAME}")
        self._observer.writes("Yes", answering=self._observer.expects(subject="CONFIRM"))
        self._observer.expects(containing=f"You observe game {GAME} from now on")

    def spring(self) -> None:
        self._stage.scene("Spring 1901: the game master sets a deadline, Turkey asks to wait for it")
        deadline = self._set_deadline(seconds=8)
        england = self._seats["E"]
        england.signs_on(*script.SPRING_SLIP)
        slip = england.person.expects(containing=["A LVP - NWY", "without order"])
        self._stage.show(slip, "England has slipped up, and is told what is missing")
        self._seats["T"].signs_on("SET WAIT")
        self._seats["T"].person.expects(containing="WAIT is set")
        self._order(script.SPRING)
        self._results("S1901M", by=deadline)

    def fall(self) -> None:
        self._stage.scene("Fall 1901: all orders come in, and nobody waits")
        self._order(script.FALL)
        results = self._results("F1901M")
        self._stage.show(results, "An Italian army is dislodged")

    def retreat(self) -> None:
        self._stage.scene("The retreat: those who have one answer the mail with the results")
        self._order(script.RETREATS, answering=True)
        self._results("F1901R")

    def winter(self) -> None:
        self._stage.scene("Winter 1901: builds, a removal, and Turkey sends nothing: the deadline decides")
        deadline = self._set_deadline(seconds=6)
        self._order(script.WINTER)
        results = self._results("W1901A", by=deadline)
        self._stage.show(results, "The winter is over")

    def neutrals(self) -> None:
        self._stage.scene("Beside it, 1648: armed neutrals, and Diplomacy Points that are bid for them in secret")
        for who in NEWCOMERS:
            self._register(who, self._meet(who))
        newcomers = [self._meet(who) for who in NEWCOMERS]
        for person in newcomers:
            person.expects(containing="You are registered")
        people = [*(player.person for player in self._players), *newcomers]
        Swabia(self._stage, self._master.person, people, self._patience).play()

    def epilogue(self) -> None:
        self._stage.scene("The observer looks around, and the judge is asked to stop")
        self._observer.writes("LIST", f"STATUS {GAME}", "HELP", subject="what is there?")
        answer = self._observer.expects(containing=["S1902M", "SIGNON"])
        self._stage.show(answer, "Where the game stands")
        status = self._judge.terminate()
        if status:
            raise JudgeFailed(f"the judge stopped with exit status {status}:\n{self._judge.tail()}")

    SCENES = (open_the_office, gather, spring, fall, retreat, winter, neutrals, epilogue)

    def _meet(self, who: Character) -> Correspondent:
        return Correspondent(who.name, who.address, JUDGE, self._post, who.style)

    def _register(self, who: Character, person: Correspondent, *lines: str) -> None:
        person.writes("REGISTER", f"Name: {who.name}", f"Timezone: {who.zone}", "END", *lines, subject="hello")

    def _set_deadline(self, seconds: float) -> datetime:
        """The game master moves the deadline to `seconds` from now, later if answers take long; returns the moment."""
        seconds = max(seconds, ANSWERS_TO_A_DEADLINE * self._slowest)
        deadline = (datetime.now(UTC) + timedelta(seconds=seconds)).replace(microsecond=0)
        self._master.signs_on(f"SET DEADLINE {deadline:%Y-%m-%d %H:%M:%S} UTC")
        self._master.person.expects(containing="The deadline of")
        self._stage.step(f"the deadline is {deadline:%H:%M:%S} UTC")
        return deadline

    def _order(self, orders: Orders, answering: bool = False) -> None:
        """Every player in `orders` sends their orders, perhaps as an answer to the last results (`answering`); the
        judge finds them complete.
        """
        for letter, lines in orders.items():
            seat = self._seats[letter]
            seat.signs_on(*lines, answering=seat.results if answering else None)
        for letter in orders:
            self._seats[letter].person.expects(containing="Orders complete", seconds=self._patience())
            self._stage.step(f"{self._seats[letter].person.name} ({letter}): orders complete")

    def _results(self, phase: str, by: datetime | None = None) -> ReceivedMail:
        """Every player gets the results of `phase`: with `by` after that deadline, else as soon as possible."""
        for player in [*self._players, self._master]:
            player.results = player.person.expects(subject=f"{phase} Results", seconds=self._patience())
        results = self._observer.expects(subject=f"{phase} Results", seconds=self._patience())
        if by and (early := by - datetime.now(UTC)) > timedelta(0):
            raise Unanswered(f"the results of {phase} came {early.total_seconds():.1f} s before its deadline")
        self._stage.step(f"{phase} is processed; everybody has the results")
        return results

    def _patience(self) -> float:
        left = TIME_LIMIT - self._stage.seconds
        if left <= 0:
            raise Unanswered(f"the demo takes longer than {TIME_LIMIT:g} s")
        return min(PATIENCE, left)


def _letter_in(start: ReceivedMail) -> str:
    """Which power's letter the start mail tells its reader to sign on with."""
    found = re.search(rf"SIGNON (\w){GAME}\b", start.text)
    if not found:
        raise Unanswered(f"the start mail does not say how to sign on:\n{start.text}")
    return found[1]


def _clear(out: Path) -> None:
    """Makes `out`, and takes away what an earlier demo left there."""
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("[0-9][0-9][0-9]-to-*.eml"), *out.glob("map-*.png")]:
        old.unlink()
    shutil.rmtree(out / "judge", ignore_errors=True)
