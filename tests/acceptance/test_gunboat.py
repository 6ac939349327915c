"""A whole gunboat game by letters only, to a draw by vote; then every mail is searched for marks of other people.

Whatever happens in it (press white and grey, a takeover, an absence, questions, a phase processed early), a player
learns of the others what the board tells, and of their mail programs nothing; when it has ended, their names.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from tests.acceptance.game import HOLDS
from tests.acceptance.harness import JudgeAtWork
from tests.servers.mailing import MailUser
from tests.servers.smtpsink import Mail, times_sent

POWERS = {"A": "Austria", "E": "England", "F": "France", "G": "Germany", "I": "Italy", "R": "Russia", "T": "Turkey"}


@dataclass(frozen=True)
class Character:
    """Somebody with marks that are found nowhere else: `zone` has an `offset` in summer and winter that is rare."""

    name: str
    address: str
    zone: str
    offset: str
    style: str
    regards: str

    @property
    def marks(self) -> list[str]:
        """What shows that a mail has something of this person in it, in any letter case."""
        local, _, domain = self.address.partition("@")
        return [*self.name.split(), local, domain, self.zone, self.offset, self.regards]

    @property
    def password(self) -> str:
        return f"pw{self.address.partition('@')[0]}"


PLAYERS = (
    Character("Quirin Quast", "quirle@quast.example", "Asia/Kathmandu", "+0545", "plain", "Nepalese regards"),
    Character("Xaver Xanten", "xantippe@xanten.example", "Asia/Kabul", "+0430", "html", "Afghan regards"),
    Character("Ybeltje Ypma", "ypsilon@ypma.example", "Asia/Yangon", "+0630", "base64", "Burmese regards"),
    Character("Zéphyrine Zola", "zest@zola.example", "Asia/Colombo", "+0530", "latin-1", "Sinhalese regards"),
    Character("Wanda Wrzos", "wrzosek@wrzos.example", "Pacific/Marquesas", "-0930", "quoted-printable", "Reef regards"),
    Character("Upton Uzzell", "uzzie@uzzell.example", "Australia/Eucla", "+0845", "both", "Outback regards"),
    Character("Jorund Jylha", "jylhae@jylha.example", "Australia/Darwin", "+0930", "plain", "Crocodile regards"),
)
NEWCOMER = Character("Vroni Vroman", "vroom@vroman.example", "Pacific/Kiritimati", "+1400", "html", "Atoll regards")
OBSERVER = Character("Ottokar Oehm", "oehmchen@oehm.example", "America/Caracas", "-0400", "plain", "Llanos regards")
MASTER = Character("Mina Mistral", "mistral@mina.example", "UTC", "+0000", "plain", "Regards of the master")
PEOPLE = (*PLAYERS, NEWCOMER, OBSERVER)


class Table:
    """The people around the game gull; `seats` by the letter of their power."""

    def __init__(self, judge: JudgeAtWork) -> None:
        self.judge = judge
        self.who = {character: self._meet(character) for character in (*PEOPLE, MASTER)}
        self.seats: dict[str, Character] = {}

    def _meet(self, character: Character) -> MailUser:
        return self.judge.person(character.name, character.address, character.style)

    def writes(self, character: Character, *lines: str) -> None:
        """A letter with a subject and a signature that tell who writes it."""
        subject = f"{character.name} sends {character.regards}"
        self.who[character].writes(*lines, "-- ", character.name, character.regards, subject=subject)

    def plays(self, letter: str, *lines: str, told: str = "Orders complete") -> None:
        character = self.seats[letter]
        self.writes(character, f"SIGNON {letter}gull {character.password}", *lines, "SIGNOFF")
        self.who[character].expects(containing=told)

    def rules(self, *lines: str, told: str) -> None:
        """The master writes."""
        self.writes(MASTER, "SIGNON Mgull overlord", *lines, "SIGNOFF")
        self.who[MASTER].expects(containing=told)

    def all_get(self, subject: str) -> None:
        for character in (*self.seats.values(), OBSERVER, MASTER):
            self.who[character].expects(subject=subject)


@pytest.mark.long
def test_a_gunboat_game_to_a_draw(judge: JudgeAtWork):
    table = Table(judge)
    gather(table)
    spring(table)
    fall(table)
    questions(table)
    for letter in POWERS:
        table.plays(letter, "SET DRAW", told="your vote is recorded")
    subject = "TEST:gull - S1902M Draw Declared: AEFGIRT"
    table.all_get(subject)
    judge.rests()

    told_before, told_after = parted(judge.sink.mails, subject)
    assert len(told_before) > 100
    for character in PLAYERS:
        mine = "\n".join(seen_in(mail) for mail in told_before if mail.recipients == (character.address,))
        assert all(mark.casefold() in mine for mark in character.marks), "marks are found where they belong"
    for mail in told_before:
        shows_nobody_else(mail, names=False)
    for mail in told_after:
        shows_nobody_else(mail, names=True)
    [end] = [mail for mail in told_after if mail.recipients == (OBSERVER.address,)]
    assert "gull is a draw between Austria, England, France, Germany, Italy, Russia" in end.text
    for letter, character in table.seats.items():
        assert f"{POWERS[letter] + ':':12} {character.name}\n" in end.text
    assert set(times_sent(judge.sink.mails).values()) == {1}
    assert judge.process.terminate() == 0


def gather(table: Table) -> None:
    """The master creates the game, an observer watches, seven join; the start mail names powers and no people."""
    table.writes(MASTER, "REGISTER", f"Name: {MASTER.name}", "Timezone: UTC", "END", "CREATE ?gull overlord")
    table.who[MASTER].expects(containing="gull has been created")
    table.rules("SET GUNBOAT", told="gunboat")
    table.rules("SET WHITE/GREY", told="Press may be white (signed) or grey (unsigned).")
    for character in (*PLAYERS, NEWCOMER, OBSERVER):
        joins = {NEWCOMER: "STANDBY", OBSERVER: ""}.get(character, f"SIGNON ?gull {character.password}")
        table.writes(character, "REGISTER", f"Name: {character.name}", f"Timezone: {character.zone}", "END", joins)
        table.who[character].expects(containing=f"Timezone: {character.zone}")
    table.writes(OBSERVER, "OBSERVE gull")
    table.who[OBSERVER].expects(containing="You are now observing gull")
    for character in PLAYERS:
        start = table.who[character].expects(subject="gull - S1901M Game Starting").text
        found = re.search(r"SIGNON (\w)gull <your password>", start)
        assert found and start.count("(secret: a gunboat game)") == 7, start
        table.seats[found[1]] = character
    assert set(table.seats) == set(POWERS)


def spring(table: Table) -> None:
    """Press of every kind, and all orders; the phase ends early."""
    table.plays("F", "PRESS TO England", "Shall we share the Channel?", "ENDPRESS", told="sent to England")
    table.plays("G", "PRESS GREY TO France, Russia", "Trust nobody.", "ENDPRESS", told="sent to France and Russia")
    table.plays("I", "BROADCAST WHITE", "Good luck to all!", "ENDPRESS", told="sent to Austria")
    table.who[table.seats["E"]].expects(subject="Press from F to E", containing="Shall we share the Channel?")
    table.who[table.seats["R"]].expects(subject="S1901M Press to FR", containing="Trust nobody.")
    for letter, lines in HOLDS.items():
        table.plays(letter, *lines)
    table.all_get("S1901M Results")


def fall(table: Table) -> None:
    """Turkey resigns, somebody takes it over; Russia is away for a while; the master sets a deadline and goes on."""
    table.plays("T", "RESIGN gull", told="You have left gull")
    table.who[NEWCOMER].expects(subject="F1901M Seat Open: T")
    table.seats["T"] = NEWCOMER
    table.plays("T", *HOLDS["T"], told="you now play Turkey in gull")
    table.who[OBSERVER].expects(subject="Resignation: Turkey", containing="Turkey has left gull")
    table.who[OBSERVER].expects(subject="New Player Signon: T", containing="Turkey has a new player")
    today = datetime.now(UTC).date()
    table.plays("R", f"SET ABSENCE {today} TO {today + timedelta(days=12)}", told="Russia is away from")
    table.rules(f"SET DEADLINE {today + timedelta(days=2)} 21:00 UTC", told="has been changed")
    table.all_get("F1901M Deadline Adjustment")
    table.rules("PROCESS F1901M", told="F1901M of gull has been processed")
    table.all_get("F1901M Results")
    table.all_get("S1902M Absence Notice")


def questions(table: Table) -> None:
    """What can be asked, asked by a player and by the observer."""
    asked = ("LIST gull", "STATUS gull", "SUMMARY gull", "HISTORY gull FROM S1901M BROAD", "MAP gull")
    table.plays("A", *asked, "WHOGAME", told="Summary of gull through S1902M")
    table.writes(OBSERVER, *asked, "WHOGAME gull", "LIST")
    summary = table.who[OBSERVER].expects(containing="Summary of gull through S1902M").text
    assert "only its master knows who plays" in " ".join(summary.split())
    assert "Good luck to all!" in summary and "Trust nobody." not in summary


def parted(mails: list[Mail], subject: str) -> tuple[list[Mail], list[Mail]]:
    """The mails up to the end of the game, and those that tell of it or came with it."""
    ended = min(mail.at for mail in mails if mail.subject == subject)
    after = [mail for mail in mails if mail.subject == subject or mail.at > ended]
    return [mail for mail in mails if mail not in after], after


def shows_nobody_else(mail: Mail, *, names: bool) -> None:
    """Nothing of anybody but its reader and the master is in any header or line of the mail; `names` may be."""
    [reader] = mail.recipients
    if reader == MASTER.address:
        return
    seen = seen_in(mail)
    for character in PEOPLE:
        if character.address != reader:
            marks = set(character.marks) - (set(character.name.split()) if names else set())
            found = [mark for mark in marks if mark.casefold() in seen]
            assert not found, (reader, found, mail.text)
    zones = {character.address: character.offset for character in PEOPLE}
    assert set(re.findall(r"[+-]\d{4}\b(?= |$|\.|,)", mail.text, re.MULTILINE)) <= {zones[reader], "+0000"}, mail.text


def seen_in(mail: Mail) -> str:
    """All headers, decoded, and the text, in lower case."""
    return "\n".join([*(f"{name}: {value}" for name, value in mail.message.items()), mail.text]).casefold()
