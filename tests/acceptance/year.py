"""A year of a game by letters only, from its creation to its first builds, and what each of those in it gets."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from judge.demo import script
from judge.demo.mail_users import ReceivedMail
from tests.acceptance.harness import JudgeAtWork
from tests.servers.mailing import MailUser
from tests.servers.smtpsink import times_sent
from tests.texts import mapped, searched

GAME = script.GAME
POWERS = mapped("""
    A => Austria
    E => England
    F => France
    G => Germany
    I => Italy
    R => Russia
    T => Turkey""")
LATE_MAP = "This is the map of your orders"
WINTER = (
    "Austria:   Removes the fleet in Albania.",
    "England:   Builds a fleet in Edinburgh.",
    "France:    Build waived.",
    "Germany:   Builds an army in Munich.",
    "Italy:     Builds a fleet in Naples.",
    "Russia:    Builds a fleet in St. Petersburg (north coast).",
    "Turkey:    Builds an army in Smyrna.",
    "Italy:      5 Supply centers,  5 Units:  Builds   0 units.",
)


@dataclass
class Year:
    """The people of `judge.demo.script` at a judge; `players` by the letter of their power, once they have one."""

    judge: JudgeAtWork
    players: dict[str, MailUser] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.master = self._meet(script.MASTER)
        self.observer = self._meet(script.OBSERVER)
        self.people = [self._meet(character) for character in script.PLAYERS]

    def everybody(self) -> list[MailUser]:
        return [*self.people, self.master, self.observer]

    def begin(self) -> None:
        """Everybody registers in a zone of their own and joins with a password of their own."""
        self._register(script.MASTER, self.master, f"CREATE ?{GAME} overlord standard")
        self.observer.writes(f"OBSERVE {GAME}")
        self.observer.writes("Yes", answering=self.observer.expects(subject="CONFIRM"))
        for character, person in zip(script.PLAYERS, self.people, strict=True):
            self._register(character, person, f"SIGNON ?{GAME} {self._password(person)}")
        self.master.expects(containing=f"{GAME} has been created. You are its master")
        self.observer.expects(containing=f"You are now observing {GAME}")
        for person in self.people:
            person.expects(containing=["You are registered", GAME])
        for person in self.people:
            start = person.expects(subject="S1901M Game Starting", containing="You have been selected as ").text
            letter = searched(rf"SIGNON (\w){GAME} <your password>", start)[1]
            assert f"You have been selected as {POWERS[letter]} in game '{GAME}'." in start
            self.players[letter] = person
        assert set(self.players) == set(POWERS)
        self.master.expects(subject="Game Starting", containing=f"You are the master of {GAME}.")
        self.observer.expects(subject="Game Starting", containing=f"You are observing {GAME}.")

    def order(self, orders: script.Orders, answering: dict[str, ReceivedMail] | None = None) -> None:
        """All who have orders send them, maybe as an answer to the mail with the last results."""
        for letter, lines in orders.items():
            person = self.players[letter]
            person.writes(
                f"SIGNON {letter}{GAME} {self._password(person)}",
                *lines,
                "SIGNOFF",
                "-- ",
                person.name,
                answering=answering[person.address] if answering else None,
            )
        for letter in orders:
            assert self.players[letter].expects(containing="Orders complete").text.startswith("Orders complete.")

    def results(self, phase: str) -> dict[str, ReceivedMail]:
        """What everybody reads, by address: the same board, each below what concerns them and with their own orders
        first, with deadlines in a zone and a form of their own.
        """
        subject = f"TEST:{GAME} - {phase} Results"
        mails = {person.address: person.expects(subject=subject) for person in self.everybody()}
        bodies = [mail.text[mail.text.index(" results for ") :] for mail in mails.values()]
        shared = [text.partition("\n\nTo order, write to ")[0].rstrip() for text in bodies]
        own = r"Orders are due by [^.]*\.|You have nothing to order in this phase\."
        # If the machine is too busy to draw it for some.
        own += r"|The map of [^.]* could not be drawn in time\.\s+To get it, send \w+ \w+ \w+\."
        boards = {tuple(sorted(re.sub(own, "", text).rstrip().split("\n"))) for text in shared}
        assert len(boards) == 1
        return mails

    def master_says(self, *lines: str) -> None:
        self.master.writes(f"SIGNON M{GAME} overlord", *lines)

    def _register(self, character: script.Character, person: MailUser, *lines: str) -> None:
        person.writes("REGISTER", f"Name: {character.name}", f"Timezone: {character.zone}", "END", *lines)

    def _password(self, person: MailUser) -> str:
        return f"{person.address.partition('@')[0]}1901"

    def _meet(self, character: script.Character) -> MailUser:
        return self.judge.person(character.name, character.address, character.style)


def check_year(judge: JudgeAtWork) -> None:
    """Spring ends early, since all orders are in; Fall at its deadline, since somebody waits; then a retreat, and the
    builds of the winter. Everybody gets all that is for everybody, once, and nobody gets anything else. The daemon is
    started as a keeper does, with nothing learned and passwords hashed slowly.
    """
    judge.process.cold = True
    judge.process.start()
    year = Year(judge)
    year.begin()

    year.order(script.SPRING)
    spring = year.results("S1901M")
    text = spring[script.OBSERVER.address].text
    assert "England: Army Liverpool -> Yorkshire." in text
    assert "Russia:  Fleet Sevastopol -> Black Sea.  (*bounce*)" in text
    assert "The next phase of 'heron' will be Movement for Fall of 1901." in text

    began = datetime.now(UTC)
    year.master_says("SET WAIT")
    year.master.expects(containing="won't be processed by itself before its deadline")
    answered_in = datetime.now(UTC) - began
    year.order(script.FALL, answering=spring)
    deadline = (datetime.now(UTC) + timedelta(seconds=3) + 5 * answered_in).replace(microsecond=0)
    year.master_says(f"SET DEADLINE {deadline:%Y-%m-%d %H:%M:%S} UTC")
    year.master.expects(containing="The deadline of")
    for person in year.everybody():
        # The master has read it in the reply.
        if person is not year.master:
            person.expects(subject="F1901M Deadline Adjustment")
    fall = year.results("F1901M")
    assert min(mail.at for mail in judge.sink.mails if "F1901M Results" in mail.subject) > deadline.timestamp()
    text = fall[script.MASTER.address].text
    assert "Italy:   Army Trieste -> Vienna.  (*bounce, dislodged*)" in text
    assert re.search(r"Italian Army.* Trieste can retreat to Budapest or Tyrolia", text.replace("\n", " "))

    year.order(script.RETREATS, answering=fall)
    text = year.results("F1901R")[script.MASTER.address].text
    assert "Italy:   Army Trieste -> Budapest." in text
    assert "France:     5 Supply centers,  3 Units:  Builds   2 units." in text
    assert "Austria:    2 Supply centers,  3 Units:  Removes  1 unit." in text

    year.order({**script.WINTER, "T": ("B A SMY",)})
    winter = year.results("W1901A")
    text = winter[script.OBSERVER.address].text
    for line in WINTER:
        assert line in text
    assert "The next phase of 'heron' will be Movement for Spring of 1902." in text

    check_mails(year)
    assert judge.process.ask("status").returncode == 0
    assert judge.process.terminate() == 0


def check_mails(year: Year) -> None:
    """Every mail came once. Nothing is left that nobody has read but news of players joining, and maps of orders that a
    busy machine drew late; every line that a program looks for is there; times are in the reader's own zone and in UTC.
    """
    mails = year.judge.sink.mails
    assert set(times_sent(mails).values()) == {1}
    for person in year.everybody():
        left = {mail.subject for mail in person.unread if LATE_MAP not in mail.text}
        # Seven people of one domain join within minutes: their master is told.
        known = ("New Player Signon", "Players of One Domain")
        assert all(any(words in subject for words in known) for subject in left), (person.name, left)
    told = [mail for mail in mails if mail.message["Auto-Submitted"] == "auto-generated"]
    assert all(f":: Judge: TEST  Game: {GAME}  Variant: Standard" in mail.text for mail in told)
    results = [mail for mail in told if "Results" in mail.subject]
    assert len(results) == 4 * 9
    [ben] = {
        line
        for mail in results
        if mail.recipients == ("ben@example.net",) and "W1901A" in mail.subject
        for line in mail.text.splitlines()
        if line.startswith("Orders are due by")
    }
    assert re.search(r"-0[45]00", ben)
