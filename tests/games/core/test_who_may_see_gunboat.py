"""Gunboat, grey press and quiet games leak nothing: every mail is searched for every mark of every other player."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from sqlmodel import col, select

from judge.store.engine import transaction
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork, Posted, letter
from tests.commands.who_may_know import DRAWN


@dataclass(frozen=True)
class Person:
    """Somebody whose every mark is unmistakable: name, addresses, zone, character set, mail program, signature."""

    power: str
    name: str
    user: str
    zone: str
    charset: str
    greeting: str

    @property
    def address(self) -> str:
        return f"{self.user}@{self.user}.example"

    @property
    def other_address(self) -> str:
        return f"{self.user}.phone@{self.user}mobile.example"

    @property
    def password(self) -> str:
        return f"pw{self.user}"

    @property
    def marks(self) -> list[str]:
        """What must not be found in a mail to anybody else."""
        offset = datetime(2026, 5, 4, 12, tzinfo=UTC).astimezone(ZoneInfo(self.zone)).strftime("%z")
        return [
            *self.name.split(), self.user, self.zone, offset, self.greeting, self.charset, f"{self.user}-writes",
            f"Mailer{self.user}", "the subject of " + self.user,
        ]  # fmt: skip

    def headers(self, number: int) -> dict[str, str]:
        return {
            "Reply-To": f"{self.name} <{self.other_address}>",
            "User-Agent": f"Mailer{self.user}/{number}",
            "Message-ID": f"<{self.user}-writes-{number}@{self.user}.example>",
            "References": f"<{self.user}-writes-before-{number}@{self.user}.example>",
            "Received": f"from {self.user}-writes by mx",
        }


PEOPLE = {
    person.power: person
    for person in (
        Person("Austria", "Annegret Ahlborn", "qahl", "Australia/Eucla", "iso-8859-15", "Grüße aus Wörth"),
        Person("England", "Eberhard Eschwege", "qesch", "Asia/Kathmandu", "cp1250", "Zdravím z Příbrami"),
        Person("France", "Fulgence Fauconnier", "qfauc", "Pacific/Marquesas", "iso-8859-1", "Amitiés de Fécamp"),
        Person("Germany", "Gottlieb Gugelhupf", "qgug", "Asia/Kabul", "cp1252", "Schönes Wochenende"),
        Person("Italy", "Ippolito Iacovelli", "qiac", "Pacific/Chatham", "iso-8859-9", "Ciao da Forlì"),
        Person("Russia", "Rodion Raskolkov", "qrask", "America/St_Johns", "koi8-r", "Всего доброго"),
        Person("Turkey", "Tarkan Tezcanli", "qtez", "Asia/Yangon", "cp1254", "Sevgiler İzmir"),
    )
}
NEWCOMER = Person("Turkey", "Nepomuk Nachfolger", "qnach", "Asia/Pyongyang", "iso-8859-2", "Pozdrav z Nitry")
EVERYBODY = [*PEOPLE.values(), NEWCOMER]


class Table:
    """A game of these people, whatever power each of them gets, and the mails it makes."""

    def __init__(self, desk: DeskAtWork, settings: str):
        self.desk = desk
        self._letters = 0
        desk.goes_on(("gunboat", settings), lambda: self._seat(settings))
        self._letters = 3 * len(PEOPLE)  # as many as each has written now, however they came to be

    def _seat(self, settings: str) -> None:
        self.rule(f"REGISTER\nName: Kim Doe\nTimezone: UTC\nEND\nCREATE ?heron gm\n{settings}")
        for person in [PEOPLE[power] for power in self.desk.deal("heron")]:
            self.register(person)
            self.write(person, f"SIGNON ?heron {person.password}")

    def register(self, person: Person) -> None:
        """Under both addresses, so that replies go where Reply-To says."""
        self.write(person, f"REGISTER\nName: {person.name}\nTimezone: {person.zone}\nEND")
        mails = self.desk.writes(person.other_address, f"I AM ALSO {person.address}")
        token = next(found[1] for mail in mails if (found := re.search(r"CONFIRM (\S+)", mail.text)))
        self.write(person, f"CONFIRM {token}")

    def write(self, person: Person, text: str) -> None:
        """A letter as this person writes it."""
        self._letters += 1
        head = {
            "From": f'"{person.name}" <{person.address}>',
            "To": self.desk.settings.address,
            "Subject": f"the subject of {person.user} {self._letters}",
            **person.headers(self._letters),
        }
        self.desk.receives(letter(head, f"{text}\n-- \n{person.greeting}\n{person.name}\n", person.charset))

    def play(self, power: str, text: str) -> None:
        """A letter of whoever plays `power`, signed on."""
        self.write(PEOPLE[power], f"SIGNON {power}@heron {PEOPLE[power].password}\n{text}")

    def rule(self, text: str) -> None:
        """A letter of the master; signed on, but for the first."""
        signon = "" if text.startswith("REGISTER") else "SIGNON Mheron gm\n"
        self.desk.writes("Kim Doe <kim@kim.example>", signon + text)

    def mails(self) -> list[tuple[str, str]]:
        """(recipient, the whole mail as its reader's program shows it) of all mails there have been."""
        with transaction(self.desk.engine) as session:
            rows = session.exec(select(Mail).order_by(col(Mail.id))).all()
            # What is drawn by dice may look like a time zone.
            return [(row.recipient, decoded(DRAWN.sub(b"drawn", row.raw))) for row in rows]


@cache
def decoded(raw: bytes) -> str:
    """All headers as they are written and as they read, and the body as it reads."""
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    head = raw.partition(b"\r\n\r\n")[0].decode()
    return "\n".join([head, *(f"{name}: {value}" for name, value in message.items()), Posted("", raw).text])


def owner(address: str) -> str:
    """Whose mailbox it is."""
    return address.partition("@")[0].partition(".")[0]


def leaks(mails: list[tuple[str, str]], people: Sequence[Person], allowed: Collection[str] = ()) -> list[str]:
    """Each mark of one of `people` in a mail to anybody else but the master, as a sentence."""
    return [
        f"{mark!r} of {person.power} in a mail to {to}:\n{text}"
        for to, text in mails
        if owner(to) != "kim"
        for person in people
        if owner(to) != person.user
        for mark in person.marks
        if mark not in allowed and mark.casefold() in text.casefold()
    ]


@pytest.fixture
def gunboat(desk: DeskAtWork) -> Table:
    return Table(desk, "SET GUNBOAT, WHITE/GREY")


def finish(table: Table) -> list[tuple[str, str]]:
    """All who are left agree to a draw, then ask who it was; the mails of that."""
    before = len(table.mails())
    for power in PEOPLE:
        table.play(power, "SET DRAW")
    for power in PEOPLE:
        table.write(PEOPLE[power], "WHOGAME heron FULL\nLIST heron\nSUMMARY heron\nHISTORY heron\nSTATUS heron")
    return table.mails()[before:]


def names_of(people: Sequence[Person]) -> set[str]:
    return {word for person in people for word in person.name.split()}


def test_nobody_leaves_a_trace_while_a_gunboat_game_is_forming(desk):
    """Joining with the master's approval, press before the start, the weekly notice, a start and an UNSTART."""
    table = Table(desk, "SET GUNBOAT, APPROVAL")
    table.write(PEOPLE["Italy"], f"SIGNON ?heron {PEOPLE['Italy'].password}\nPRESS TO M\nMay I?")
    table.rule("\n".join(f"APPROVE {person.address}" for person in list(PEOPLE.values())[:4]))
    table.write(PEOPLE["France"], f"SIGNON ?heron {PEOPLE['France'].password}\nBROADCAST\nWho are you all?")
    table.write(PEOPLE["France"], f"SIGNON ?heron {PEOPLE['France'].password}\nWHOGAME FULL\nLIST\nSTATUS")
    desk.ring(desk.now + timedelta(days=8))
    table.rule(f"REFUSE {PEOPLE['Russia'].address}\nFORCE BEGIN\nUNSTART\nSET DISORDER Italy")
    mails = table.mails()
    assert not leaks(mails, EVERYBODY)
    # Three others and the master, and whoever wrote it has it repeated.
    assert sum("Who are you all?" in text for to, text in mails) == 5
    assert sum("is still forming" in text for to, text in mails) == 5
    assert sum("Asks to Join" in text for to, text in mails if owner(to) == "kim") == 7 + 3


def test_the_end_of_a_gunboat_game_tells_the_names_of_the_players_and_no_more(gunboat):
    mails = finish(gunboat)
    assert any("Fulgence Fauconnier" in text for to, text in mails if owner(to) == "qgug")
    assert not leaks(mails, EVERYBODY, allowed=names_of(EVERYBODY))


def test_a_game_that_is_set_so_tells_no_names_even_at_its_end(desk):
    table = Table(desk, "SET GUNBOAT, NO REVEAL")
    mails = finish(table)
    assert any("it stays secret who played which power" in text for _, text in mails)
    assert not leaks(table.mails(), EVERYBODY)
    assert "Fulgence Fauconnier" in desk.replies("kim@kim.example", "WHOGAME heron").text


def test_days_of_an_absence_tell_nobody_in_which_zone_they_are_lived(gunboat):
    """France lives on the Marquesas, 9:30 behind; the game's own zone is UTC."""
    gunboat.play("France", "SET ABSENCE 2026-05-06 TO 2026-05-09")
    gunboat.rule("PROCESS!")
    (notice,) = [text for to, text in gunboat.mails() if owner(to) == "kim" and "because of an absence" in text]
    assert "France is away from Wed May 6 2026 00:00:00 +0000" in notice
    assert "to Sat May 9 2026 23:59:00 +0000" in notice


def test_the_holder_of_a_seat_gets_no_copy_of_what_somebody_else_asks_below_its_sign_on(gunboat):
    """INFO PLAYER answers with the name and the address of whoever asks."""
    before = len(gunboat.mails())
    gunboat.write(PEOPLE["Italy"], f"SIGNON Aheron {PEOPLE['Austria'].password}\nINFO PLAYER\nLIST\nMAP")
    gunboat.rule("BECOME England\nINFO PLAYER\nHISTORY heron")
    mails = gunboat.mails()[before:]
    assert "The record of Ippolito Iacovelli" in next(text for to, text in mails if owner(to) == "qiac")
    for power in ("Austria", "England"):
        (copy,) = [text for to, text in mails if owner(to) == PEOPLE[power].user and "Done for You" in text]
        assert "The record of" not in copy and "kim@kim.example" not in copy
    assert not leaks(mails, EVERYBODY)


@pytest.mark.parametrize("command", ["EJECT", "PROMOTE", "BECOME"])
def test_a_player_cannot_find_out_who_plays_by_trying_addresses(gunboat, command):
    now = gunboat.desk.now

    def asked(address: str) -> str:
        gunboat.desk.now = now
        answer = gunboat.desk.replies(
            PEOPLE["France"].address, f"SIGNON Fheron {PEOPLE['France'].password}\n{command} {address}"
        )
        return answer.text.replace(address, "?")

    assert asked(PEOPLE["Italy"].address) == asked("stran@qstran.example")


def test_a_gunboat_game_keeps_its_last_master(gunboat):
    answer = gunboat.desk.replies("kim@kim.example", "SIGNON Mheron gm\nEJECT kim@kim.example")
    assert "heron always needs a master, and you are the only one. First PROMOTE an observer" in answer.flat


def test_a_game_without_a_master_cannot_be_gunboat_or_quiet(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CREATOR_IS_MASTER": "no"})
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm")
    answer = desk.replies("kim@example.org", "SIGNON ?heron gm\nSET GUNBOAT, QUIET, APPROVAL")
    assert answer.flat.count("This needs a master, and heron has none.") == 3
    answer = desk.replies("kim@example.org", "SIGNON ?heron gm\nBECOME MASTER\nSET GUNBOAT")
    assert "Gunboat: only the master knows who plays what." in answer.flat


def test_the_sender_of_grey_press_is_unknown_to_all_but_the_master(desk):
    """In a game where everybody knows everybody else: nothing tells which of them it was."""
    table = Table(desk, "SET WHITE/GREY")
    before = len(table.mails())
    table.play("Italy", "PRESS GREY TO France, Russia, O, M\nGuess who.\nENDPRESS\nBROADCAST GREY\nGuess again.")
    mails = [(to, text) for to, text in table.mails()[before:] if "Guess" in text and owner(to) != "qiac"]
    assert len(mails) == 10
    assert not leaks(mails, [PEOPLE["Italy"]])
    told = [to for to, text in mails if "Italy" in text or "from I" in text]
    assert {owner(to) for to in told} == {"kim"} and len(told) == 2


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """A quiet game that Walter watches."""
    desk.seat_all("heron", "standard", "SET QUIET")
    desk.observes("Walter Watch <walter@example.org>", "OBSERVE heron")
    desk.new_mails()
    return desk


def rule(desk: DeskAtWork, text: str, game: str = "heron") -> list[Posted]:
    return desk.writes("kim@example.org", f"SIGNON M{game} gm\n{text}")


def told(mails: list[Posted], what: str) -> list[str]:
    return sorted(mail.to.partition("@")[0] for mail in mails if what in mail.subject)


def asked(desk: DeskAtWork, who: str, text: str) -> str:
    return desk.replies(f"{who}@example.org", text).flat


def test_a_new_master_is_known_to_the_masters(heron):
    mails = rule(heron, "PROMOTE walter@example.org")
    assert told(mails, "Promotion of Walter Watch") == ["kim"]
    assert told(mails, "You are a master") == ["walter"]


def test_press_does_not_tell_its_writer_who_has_left(heron):
    rule(heron, "SET WHITE/GREY")
    kinds = ("TO Turkey", "TO T, M", "TO TI", "TO ALL", "TO ALL BUT Italy", "GREY TO Turkey, Italy")
    press = "SIGNON Fheron pwfrance\n" + "".join(f"PRESS {to}\nAre you there?\nENDPRESS\n" for to in kinds)
    before = asked(heron, "france", press)
    rule(heron, "EJECT Turkey")
    assert asked(heron, "france", press) == before and before.count("sent to") == len(kinds)
    assert "No one plays Turkey." in asked(heron, "kim", "SIGNON Mheron gm\nPRESS TO Turkey, F\nHello.\nENDPRESS")


def test_civil_disorder_and_its_end_are_told_to_the_masters_alone(heron):
    mails = rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    assert told(mails, "Civil Disorder: Turkey") == ["kim"]
    (answer,) = [mail for mail in mails if mail.subject.startswith("Re: ")]
    told_here = "Turkey is in civil disorder. This is a quiet game, so only its masters have been notified."
    assert told_here in answer.flat
    mails = rule(heron, "SET NO DISORDER Turkey")
    assert told(mails, "No Civil Disorder: Turkey") == ["kim"]


def test_answers_do_not_tell_either(heron):
    questions = ("LIST", "STATUS heron", "LIST heron", "LIST FULL", "SUMMARY heron")
    before = {question: heron.would_reply("france@example.org", question).flat for question in questions}
    rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    for question, told in before.items():
        now = heron.would_reply("france@example.org", question).flat
        assert re.sub("Time left.*?[.]", "", now) == re.sub("Time left.*?[.]", "", told.replace("from 7", "from 6"))
    heron.expects("kim@example.org", "", dict.fromkeys(questions[1:], "disorder"))


def test_whogame_tells_nobody_but_the_masters_who_has_gone(heron):
    before = asked(heron, "france", "WHOGAME heron")
    assert "Turkey: Turkey <turkey@example.org>" in before
    rule(heron, "EJECT Turkey")
    assert asked(heron, "france", "WHOGAME heron") == before
    assert "Turkey" not in asked(heron, "kim", "WHOGAME heron")
    rule(heron, "SET NO QUIET")
    assert "Turkey" not in asked(heron, "france", "WHOGAME heron")


def test_what_changes_the_board_is_told_to_everybody(desk):
    """In 1648 the centers of a power in civil disorder become neutrals, which all may order from then on."""
    desk.seat_all("swan", "1648", "SET QUIET")
    mails = rule(desk, "EJECT Turkey\nSET DISORDER Turkey", "swan")
    assert len(told(mails, "Civil Disorder: Turkey")) == 9
    texts = [mail.flat for mail in mails if "Civil Disorder" in mail.subject]
    assert all("Constantinople is now neutral" in text and "has left" not in text for text in texts)
    assert "in permanent civil disorder" in asked(desk, "france", "STATUS swan")


def test_who_is_concerned_is_told_what_they_need(heron):
    """A seat that cannot be taken, and a draw in which nobody can have part."""
    rule(heron, "EJECT Turkey\nSET DISORDER Turkey")
    heron.writes("al@example.org", "REGISTER\nName: Al Poe\nEND")
    assert "Turkey is in permanent civil disorder" in asked(heron, "al", "SIGNON Theron mine")
    assert "Turkey is in permanent civil disorder" in asked(
        heron, "france", "SIGNON Fheron pwfrance\nSET NODIAS\nSET DRAW France, Turkey"
    )
