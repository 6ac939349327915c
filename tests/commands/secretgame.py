"""A whole gunboat game of 1648 by letters, with everything in it that somebody may not know, noted as it is written."""

import re
from base64 import encodebytes
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlmodel import col, select

from judge.store.engine import transaction
from judge.store.tables import Mail, Picture
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.who_may_know import DRAWN, STEM, Search, Sent, digests, drawn
from tests.texts import mapped

LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
LETTERS = mapped("""
    Austria          => A
    Denmark-Norway   => D
    England          => E
    France           => F
    Poland-Lithuania => P
    Russia           => R
    Spain            => S
    Sweden           => W
    Turkey           => T""")


def mark(kind: str, whose: object) -> str:
    """A word that stands nowhere else."""
    return f"{STEM}{kind}{whose}"


@dataclass(frozen=True)
class Person:
    """Somebody around the game; all that they are known by is marked."""

    name: str
    zone: str
    offset: str
    secret: str = ""  # in place of the name, in the marks: two games can be the same but for them

    @property
    def word(self) -> str:
        return self.secret or self.name

    @property
    def full_name(self) -> str:
        return f"{mark('name', self.word).title()} {mark('surname', self.word).title()}"

    @property
    def address(self) -> str:
        return f"{mark('user', self.word)}@{mark('host', self.word)}.example"

    @property
    def other_address(self) -> str:
        return f"{mark('phone', self.word)}@{mark('mobile', self.word)}.example"

    @property
    def password(self) -> str:
        return mark("password", self.word)

    def headers(self, number: int) -> dict[str, str]:
        """What this person's mail program writes into a letter."""
        return {
            "Reply-To": f"{self.full_name} <{self.other_address}>",
            "User-Agent": f"{mark('program', self.word)}/{number}",
            "Message-ID": f"<{mark('letter', self.word)}-{number}@{mark('host', self.word)}.example>",
            "References": f"<{mark('before', self.word)}-{number}@{mark('host', self.word)}.example>",
            "Received": f"from {mark('machine', self.word)} by mx",
            "X-Originating-IP": mark("ip", self.word),
        }


MASTER = Person("mira", "Asia/Kathmandu", "+0545")  # plays Spain too
SECOND = Person("otto", "Asia/Kabul", "+0430")  # observes, then is a master who does not play
WATCHER = Person("obed", "Asia/Yangon", "+0630")
NEWCOMER = Person("nils", "Pacific/Kiritimati", "+1400")  # takes Poland over
STRANGER = Person("sten", "America/Caracas", "-0400")
PLAYERS = {
    "Austria": Person("anna", "Asia/Colombo", "+0530"),
    "Denmark-Norway": Person("dora", "Pacific/Marquesas", "-0930"),
    "England": Person("edda", "Australia/Eucla", "+0845"),
    "France": Person("fabian", "Australia/Darwin", "+0930"),
    "Poland-Lithuania": Person("pawel", "Pacific/Chatham", "+1245"),
    "Russia": Person("rosa", "America/St_Johns", "-0230"),
    "Spain": MASTER,
    "Sweden": Person("sven", "Asia/Pyongyang", "+0900"),
    "Turkey": Person("tarik", "Asia/Tehran", "+0330"),
}
ALL = frozenset(person.name for person in PLAYERS.values())
GAME = "swan"
QUESTIONS = "STATUS swan\nLIST\nLIST FULL\nSUMMARY swan\nHISTORY swan BROAD\nMAP swan\nINFO PLAYER\nWHOGAME swan FULL"
HOLDS = mapped("""
    Austria          => A VIE H; A BAV H; F TRI H; A PRA H
    Denmark-Norway   => F CHR H; F COP H; A HOL H
    England          => F BRI H; F LON H
    France           => F BRE H; A SAV H
    Poland-Lithuania => A CRA H; A VIL H; A WAR H
    Russia           => A MOS H; A NOV H; A VOR H
    Spain            => A FLA H; A MAD H; F NAP H; F SEV H
    Sweden           => A ABO H; A RIG H; A STE H; A BRA H; F STO H
    Turkey           => A BEL H; A DAM H; F CON H""")
# How an answer tells of a vote.
VOTED = ("is recorded for this phase", "your vote is taken back", "you had no vote")


class SecretGame:
    """The game as it is played; `search` knows all its secrets, `mails` are all that were written."""

    def __init__(self, desk: DeskAtWork, spy: str = "sven") -> None:
        """`spy`: what marks Sweden's secrets."""
        self.desk = desk
        self.search = Search()
        self.people = dict(PLAYERS)
        sweden = PLAYERS["Sweden"]
        self.people["Sweden"] = Person(sweden.name, sweden.zone, sweden.offset, spy)
        self.began_with = list(self.people.values())
        self.others = [SECOND, WATCHER, NEWCOMER, STRANGER]
        self.raw: list[bytes] = []
        self.began_until = desk.now
        self._press = 0
        self._letters = 0

    # --- who writes how ---

    @property
    def everybody(self) -> list[Person]:
        return [*self.began_with, *self.others]

    def write(self, person: Person, text: str, **how: str) -> list[Posted]:
        """A letter as this person's mail program writes it."""
        self._letters += 1
        return self.desk.writes(
            f'"{person.full_name}" <{person.address}>',
            f"{text}\n-- \n{mark('signature', person.word)}\n{person.full_name}\n",
            subject=how.get("subject", f"{mark('subject', person.word)} {self._letters}"),
            headers=person.headers(self._letters) | {name: value for name, value in how.items() if name != "subject"},
        )

    def play(self, power: str, *lines: str) -> None:
        """A letter of the player of `power`, signed on."""
        person = self.people[power]
        self.write(person, f"SIGNON {LETTERS[power]}swan {person.password}\n" + "\n".join(lines))

    def rule(self, *lines: str) -> None:
        """A letter of the master who plays."""
        self.write(MASTER, f"SIGNON Mswan {mark('password', 'master')}\n" + "\n".join(lines))

    def receive(self, person: Person, head: Sequence[str], body: str | bytes) -> None:
        """A letter with a head and a body of its own."""
        self._letters += 1
        fields = [
            f"From: {person.full_name} <{person.address}>",
            "To: judge@example.org",
            *head,
            f"Message-ID: <{mark('letter', person.word)}-{self._letters}@{mark('host', person.word)}.example>",
        ]
        raw = "\r\n".join([*fields, "", ""]).encode()
        raw += body.replace("\n", "\r\n").encode() if isinstance(body, str) else body
        self.raw.append(raw)
        self.desk.receives(raw)

    def mails(self) -> list[Sent]:
        """All mails there have been, with the scenes of their pictures."""
        names = {
            address: person.name for person in self.everybody for address in (person.address, person.other_address)
        }
        names[self.desk.settings.keeper] = "keeper"
        with transaction(self.desk.engine) as session:
            rows = session.exec(select(Mail).order_by(col(Mail.id))).all()
            return [
                Sent(
                    names[row.recipient],
                    row.created_at,
                    row.raw,
                    session.get_one(Picture, row.picture_id).scene if row.picture_id else None,
                )
                for row in rows
            ]

    def to(self, reader: str) -> list[tuple[datetime, bytes]]:
        """All that this reader was mailed up to the first results, but for the words that are drawn for each mail."""
        return [
            (mail.at, DRAWN.sub(b"", mail.raw) + drawn(mail.scene))
            for mail in self.mails()
            if mail.reader == reader and mail.at <= self.began_until
        ]

    # --- what is secret ---

    def note_people(self) -> None:
        """All that shows who somebody is."""
        for person in self.everybody:
            own = {"owners": [person.name]}
            kind = {
                MASTER: "the name of a master",
                SECOND: "the name of an observer who becomes a master",
                WATCHER: "the name of an observer",
            }.get(person, "the name of a player")
            self.search.keep(kind, *person.full_name.split(), **own)
            addresses = [mark(kind, person.word) for kind in ("user", "host", "phone", "mobile")]
            self.search.keep("an address", *addresses, **own)
            self.search.keep(
                "what a mail program has put there",
                *(mark(kind, person.word) for kind in ("program", "machine", "ip", "signature")),
                *digests(person.address),
                *digests(person.other_address),
            )
            self.search.keep("a Message-ID", mark("letter", person.word), mark("before", person.word), **own)
            self.search.keep("a subject", mark("subject", person.word), **own)
            kind = "the time zone of the game" if person is MASTER else "a time zone"
            self.search.keep(kind, person.zone, person.offset, **own)
            self.search.keep("a password", person.password)
        self.search.keep("a password", mark("password", "master"))
        self.search.masters[MASTER.name] = LONG_AGO
        self.search.playing |= ALL | {NEWCOMER.name}

    def press(self, power: str, line: str, readers: Collection[str], kind: str = "press") -> str:
        """The lines of a message of the player of `power`; it is noted for its readers."""
        return self.message(self.people[power].name, line, readers, kind)

    def message(self, sender: str, line: str, readers: Collection[str], kind: str = "press", word: str = "") -> str:
        self._press += 1
        text = mark("press", f"{self._press}{word or sender}")
        if set(readers) == {sender} and sender != MASTER.name:  # press to oneself; the master has another seat
            kind = "press that is not carried"
        later = LONG_AGO if kind == "press to observers" else None
        self.search.keep(kind, text, owners=[sender], readers=readers, later_from=later)
        return f"{line}\n{text}\nENDPRESS"

    # --- the course of the game ---

    def course(self) -> None:
        """From the first letter to what is asked after the end."""
        self.beginning()
        self.all_press()
        self.wrong_letters()
        self.fall()
        self.corrections()
        self.end()

    def beginning(self) -> None:
        """Up to the first results."""
        self.note_people()
        self.gather()
        self.spring()
        self.began_until = self.desk.now

    def gather(self) -> None:
        """All register, with two addresses each; the master creates the game and joins it; some wish for powers. Their
        mails bring the phases as data.
        """
        master = mark("password", "master")
        self.register(MASTER, f"CREATE ?swan {master} 1648\nSET GUNBOAT, WHITE/GREY\nSET DATA ON")
        for person in (SECOND, WATCHER):
            self.register(person)
            self.write(person, "OBSERVE swan\nSET DATA ON")
        self.register(NEWCOMER)
        self.confirm(NEWCOMER, self.write(NEWCOMER, "STANDBY"))
        self.register(STRANGER, QUESTIONS)
        for power in self.desk.deal(GAME):
            person = self.people[power]
            if person is not MASTER:
                self.register(person)
            wish = "SET PREFERENCE W[DT]\n" if power == "Sweden" and person.word == "sven" else ""
            word = self.press(power, "PRESS TO M", [MASTER.name])
            self.write(person, f"SIGNON ?swan {person.password}\nSET DATA ON\n{wish}{word}")
        self.search.keep("a wish", "w[dt]", "sweden, then denmark-norway or turkey", owners=["sven"])

    def register(self, person: Person, more: str = "") -> None:
        """Under both addresses, so that answers go where Reply-To says."""
        self.write(person, f"REGISTER\nName: {person.full_name}\nTimezone: {person.zone}\nEND\n{more}")
        mails = self.desk.writes(person.other_address, f"I AM ALSO {person.address}")
        self.confirm(person, mails)

    def confirm(self, person: Person, mails: list[Posted]) -> None:
        """Send back the code that is in one of the mails."""
        token = next(found[1] for mail in mails if (found := re.search(r"CONFIRM (\S+)", mail.text)))
        self.search.keep("a token", token, owners=[person.name])
        self.write(person, f"CONFIRM {token}")

    def all_press(self) -> None:
        """Press of every kind that there is, from everybody who may write it; and kinds that there are not."""
        observers = [SECOND.name, WATCHER.name]
        masters = [MASTER.name]
        france, sweden = self.people["France"].name, self.people["Sweden"].name
        for power in ("Austria", "France", "Spain", "Sweden", "Turkey"):
            self.play(
                power,
                self.press(power, "PRESS TO F", [france]),
                self.press(power, "PRESS GREY TO FRANCE, W", [france, sweden]),
                self.press(power, "PRESS WHITE TO W AND M", [sweden, *masters]),
                self.press(power, "PRESS GREY TO M", masters),
                self.press(power, "PRESS TO ALL BUT F, M, O", ALL - {france}),
                self.press(
                    power, "PRESS GREY TO ALL BUT FRANCE", {*ALL - {france}, *masters, *observers}, "press to observers"
                ),
                self.press(power, "PRESS + FW", [france, sweden]),
                self.press(power, "PRESS TO O", observers, "press to observers"),
            )
            self.play(
                power,
                self.press(power, "BROADCAST", ALL, "press to observers"),
                self.press(power, "BROADCAST GREY", ALL, "press to observers"),
                self.press(power, "PRESS FAKE TO F", [], "press that is not carried"),
                self.press(power, "BROADCAST PARTIAL FROM W TO F", [], "press that is not carried"),
                self.press(power, "PRESS TO XYZ", [], "press that is not carried"),
            )
            told = f"broadcast from {power.lower()} (sent without a name)"
            self.search.keep("the sender of grey press", told, owners=[self.people[power].name])
        self.play("France", self.answered("France", "PRESS TO W", [sweden]))
        for person in (WATCHER,):
            word = person.word
            self.write(
                person,
                "OBSERVE swan\n"
                + "\n".join(
                    [
                        self.message(person.name, "PRESS TO F", [france], word=f"o{word}"),
                        self.message(person.name, "PRESS TO M", masters, word=f"o{word}"),
                        self.message(person.name, "PRESS GREY TO W", [sweden], word=f"o{word}"),
                        self.message(person.name, "BROADCAST", ALL, "press to observers", word=f"o{word}"),
                    ]
                ),
            )
        self.rule(
            self.message(MASTER.name, "PRESS TO F", [france]),
            self.message(MASTER.name, "PRESS GREY TO W", [sweden]),
            self.message(MASTER.name, "BROADCAST", ALL, "press to observers"),
        )
        self.ask()

    def answered(self, power: str, line: str, readers: Sequence[str]) -> str:
        """Press above the judge's own mail with orders, which a mail program has quoted below it."""
        carried = self.press(power, line, readers).removesuffix("ENDPRESS")
        quoted = mark("quoted", self.people[power].word)
        self.search.keep("press that is not carried", quoted, owners=[self.people[power].name])
        return (
            f"{carried}\nOn Mon, 4 May 2026 at 10:00, JUDG <judge@example.org> wrote:\n"
            f"> Movement orders for Spring of 1649.  (swan.001)\n> France: Army Marseille -> Savoy.\n> {quoted}\n\n"
            f"Sent from my {quoted}"
        )

    def ask(self) -> None:
        """All that can be asked, by a player, one who observes too, an observer, a stranger and the masters."""
        for person in (self.people["Sweden"], self.people["Turkey"], WATCHER, STRANGER, MASTER, SECOND):
            self.write(person, QUESTIONS)

    def spring(self) -> None:
        """Orders, bids, votes, absences and words about the weather: filed, taken back, looked at by the masters."""
        self.order("France", "A MAR - SAV", "Army Marseille -> Savoy", back=("A PAR - LOR", "Army Paris -> Lorraine"))
        self.order("Austria", "A VIE - BAV", "Army Vienna -> Bavaria", back=("F TRI - VEN", "Fleet Trieste -> Venice"))
        plain = self.people["Sweden"].word == "sven"
        taken_back = ("A RIG - COU", "Army Riga -> Courland") if plain else ("A RIG - PSK", "Army Riga -> Pskov")
        self.order("Sweden", "A STE - BRA", "Army Stettin -> Brandenburg", back=taken_back)
        self.bid(
            "France", 2, "A SWI S A MAR - SAV", "Army Switzerland SUPPORT French Army Marseille -> Savoy", won=True
        )
        self.bid("France", 1, "A SWA S A PAR - LOR", "Army Swabia SUPPORT French Army Paris -> Lorraine")
        self.bid("Austria", 1, "A SWA S A VIE - BAV", "Army Swabia SUPPORT Austrian Army Vienna -> Bavaria")
        self.bid("Spain", 2, "F POR H", "Fleet Portugal HOLD", won=True)
        if plain:
            self.bid("Sweden", 2, "F COU H", "Fleet Courland HOLD", won=True)
        else:
            self.bid("Sweden", 1, "A UKR H", "Army Ukraine HOLD", won=True)
        self.play("Sweden", "A RIG H", "A ABO H")
        self.ahead("Sweden", "A STE - LOW" if plain else "A STE - HOL")
        self.vote("France", "SET DRAW")
        self.vote("Sweden", "SET DRAW" if plain else "STATUS")
        self.absence("Sweden", "2026-08-03" if plain else "2026-08-13")
        self.rule("PREDICT", "LIST", "STATUS", "HISTORY BROAD", "WHOGAME FULL")
        self.rule(
            "BECOME France", "STATUS", "SET NO DRAW", "LIST", "WHOGAME", "INFO PLAYER", "DP 1: A SWI H", "DP CLEAR"
        )
        self.ask()
        self.process("S1649M")

    def order(self, power: str, text: str, words: str, back: tuple[str, str]) -> None:
        """An order of `power` that is carried out in the end, and one that is taken back before."""
        owner = [self.people[power].name]
        self.search.keep("an order on file", text, words, owners=owner)
        self.search.keep("an order taken back", *back, owners=owner)
        self.play(power, back[0])
        self.play(power, f"{back[0].rpartition(' - ')[0]} H", text)

    def ahead(self, power: str, text: str) -> None:
        self.search.keep("an order taken back", text, owners=[self.people[power].name])
        self.play(power, "PHASE F1649M", text)
        self.play(power, "PHASE F1649M", "CLEAR")

    def bid(self, power: str, points: int, text: str, words: str, *, won: bool = False) -> None:
        """Points of `power`; an order that is not followed is itself a secret. That a neutral was ordered to hold is
        one in data: in words it looks like one without an order.
        """
        marks = (
            f"dp {points}: {text}",
            f"dp {points}: {words}",
            f"{points} for {words}",
            *((text, words) * (not won)),
            f'"power": "{power}", "points": {points}',
            *[f'"order": "{text}"'] * text.endswith(" H"),
        )
        self.search.keep("a bid", *marks, owners=[self.people[power].name])
        self.play(power, f"DP {points}: {text}")

    def vote(self, power: str, line: str) -> None:
        if line != "STATUS":
            self.search.keep("a vote", *VOTED, owners=[self.people[power].name])
        self.play(power, line)

    def absence(self, power: str, day: str, *marks: str) -> None:
        """`marks`: how it is told, where other things may be on that day."""
        told = f"{datetime.fromisoformat(day):%a %b %-d %Y}"
        self.search.keep("an absence", *(marks or (day, told)), owners=[self.people[power].name])
        self.play(power, f"SET ABSENCE {day}")

    def process(self, phase: str, *known: str) -> None:
        """The master ends the phase: from now on orders are known."""
        self.search.open("an order on file", *known, at=self.desk.now + timedelta(minutes=1))
        self.rule(f"PROCESS! {phase}")

    def wrong_letters(self) -> None:
        """Passwords in every kind of letter that goes wrong: none of them is ever seen again."""
        france, other = self.people["France"], self.people["Austria"]
        good, plain = france.password, "Content-Type: text/plain; charset=utf-8"
        signon = f"SIGNON Fswan {good}\nA PAR H"
        page = f"<html><body><p>SIG<b>NON</b> Fswan <i>{good}</i></p><p>A PAR H<br>&nbsp;</p></body></html>"
        coded = encodebytes(signon.encode()).decode()
        mixed, end = 'Content-Type: multipart/mixed; boundary="zz"', "\n--zz--\n"
        part = f"--zz\n{plain}\n\nSee the file.\n--zz\n"
        attached = "Content-Disposition: attachment; filename=orders.txt"
        said = encodebytes(f"SINON Fswan {good}".encode()).decode().strip()
        self.search.keep("a password", f"{good}x")
        for head, body in (
            ([plain], f"SINON Fswan {good}\nA PAR H"),
            ([plain], f"SIGNON F swan {good}\nA PAR H"),
            ([plain], f"SIGNON Fswan\n{good}\nA PAR H"),
            ([plain], f"SIGNON Fswam {good}\nA PAR H"),
            ([plain], f"SIGNON Aswan {good}\nA PAR H"),
            ([plain], f"SIGNON Fswan {good}x\nA PAR H"),
            ([plain], f"Hello, please signon Fswan {good} for me\nA PAR H"),
            ([plain], f"> SIGNON Fswan {good}\n> A PAR H"),
            ([plain], f"SIGNON Fswan {good}, A PAR H\nSET PASSWORD {good}\nPASSWORD={good}"),
            ([plain, f"Subject: SIGNON Fswan {good}"], "A PAR H"),
            ([plain, f"Subject: =?utf-8?b?{said}?="], "A PAR H"),
            (["Content-Type: text/html; charset=utf-8"], page),
            ([plain, "Content-Transfer-Encoding: base64"], coded),
            (["Content-Type: text/plain; charset=utf-16"], signon.encode("utf-16")),
            ([mixed], f"SIGNON Fswan {good}\n{part}{plain}\n{attached}\n\n{signon}{end}"),
            (
                [mixed],
                f"{part}Content-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n\n{coded}{end}"
                f"SIGNON Fswan {good}",
            ),
            ([mixed], f"{part}Content-Type: message/rfc822\n\nSubject: SIGNON Fswan {good}\n\n{signon}{end}"),
            ([plain, "Auto-Submitted: auto-replied"], signon),
            ([plain, "Authentication-Results: mx.example.org; dmarc=fail header.from=example"], signon),
            ([plain], signon + "\nWeather." * 6000),
        ):
            subject = [] if "Subject" in str(head) else [f"Subject: {mark('subject', france.word)}"]
            self.receive(france, [*subject, *head], body)
        self.write(other, f"SIGNON Fswan {good}\nA PAR H\nSTATUS\nINFO PLAYER\nWHOGAME\nLIST FULL")

    def fall(self) -> None:
        """People come and go: one resigns, one takes over, one is late and comes back, an observer becomes a master."""
        self.play("Poland-Lithuania", "RESIGN swan")
        self.rule("SET APPROVAL")
        self.write(NEWCOMER, f"SIGNON Pswan {NEWCOMER.password}\nSET DATA ON\nA CRA H")
        word = self.told(MASTER, r"APPROVE (\w{12})", "a token")
        self.write(MASTER, f"APPROVE {word}")
        self.people["Poland-Lithuania"] = NEWCOMER
        self.play("Poland-Lithuania", self.press("Poland-Lithuania", "PRESS TO W", ["sven"]), "HISTORY BROAD")
        gone = PLAYERS["Poland-Lithuania"]
        self.write(gone, f"SIGNON Pswan {gone.password}\nHISTORY swan BROAD")
        self.search.masters[SECOND.name] = self.desk.now + timedelta(minutes=1)
        self.search.open("the name of an observer who becomes a master", at=self.search.masters[SECOND.name])
        self.rule(f"PROMOTE {SECOND.address}")
        made = self.told(SECOND, r"SIGNON Mswan (\w{12})", "a made password")
        self.order("France", "A PAR - PIC", "Army Paris -> Picardy", back=("F BRE - GAS", "Fleet Brest -> Gascony"))
        self.bid("France", 2, "A SWI H", "Army Switzerland HOLD", won=True)
        self.bid("Austria", 2, "A VEN S A BAV - TYR", "Army Venice SUPPORT Austrian Army Bavaria -> Tyrolia")
        self.vote("Austria", "SET DRAW")
        second = f"SIGNON Mswan {made}\n"
        self.write(SECOND, f"{second}PREDICT\nLIST\nWHOGAME FULL\nHISTORY BROAD")
        self.write(SECOND, f"{second}BECOME France\nSTATUS\nSET NO DRAW\nINFO PLAYER")
        self.rule("PREDICT", "BECOME Austria", "STATUS", "DP NONE")
        russia = self.people["Russia"]
        self.write(russia, "FORGOT swan")
        self.write(russia, f"CONFIRM {self.told(russia, r'CONFIRM ([a-z0-9]{12})', 'a token')}")
        made = self.told(russia, r"Your password is ([a-z0-9]{12})", "a made password")
        self.write(russia, f"SIGNON Rswan {made}\nSET PASSWORD {russia.password}\nSET ADDRESS")
        self.rule("SET NONMR, NO REMIND, MOVE GRACE 0")
        for power in ("Austria", "Denmark-Norway", "Poland-Lithuania", "Russia", "Spain", "Sweden", "Turkey"):
            self.play(power, "DP NONE", "SET NOWAIT", *HOLDS[power].split("; "))
        self.desk.ring(datetime(2026, 6, 20, tzinfo=UTC))  # England and France are late, and lose their seats
        for power in ("England", "France"):
            self.play(power, *HOLDS[power].split("; "))
        self.process("F1649M")

    def told(self, person: Person, pattern: str, kind: str) -> str:
        """The newest word of that pattern in a mail to this person: a secret of theirs."""
        for mail in reversed(self.mails()):
            found = re.search(pattern, mail.raw.decode())
            if mail.reader == person.name and found:
                word = next(group for group in found.groups() if group)
                self.search.keep(kind, word, owners=[person.name])
                return word
        raise AssertionError(f"{person.name} was told no {kind}")

    def corrections(self) -> None:
        """The master puts things right: orders, the board, a step back, a seat; a pause, a deadline, an absence."""
        self.rule("ROLLBACK S1649M")
        self.search.keep("an order taken back", "a pra - sax", "army prague -> saxony", owners=["anna"])
        self.rule("CORRECT ORDERS Austria: A PRA - SAX")
        self.rule(
            "CORRECT ORDERS Austria: CLEAR A PRA",
            "CORRECT POSITION Nobody: A CRO",
            "BORDER REMOVE ARMY CRO - HUN",
            "PAUSE",
        )
        self.play(
            "France",
            self.press("France", "PRESS TO M", [MASTER.name, SECOND.name]),
            self.press("France", "PRESS TO W", [], "press that is not carried"),
        )
        self.rule("RESUME", "EJECT Denmark-Norway", "SET DISORDER Denmark-Norway")
        self.ask()
        self.absence("Russia", f"{self.desk.now + timedelta(days=3):%Y-%m-%d}", "russia is away")
        self.process("S1649M", "an absence")

    def end(self) -> None:
        """All that are left agree to a draw; the names are told, and bids to masters."""
        known = ("a bid", "the name of a player", "the name of an observer")
        self.search.open(*known, at=self.desk.now + timedelta(minutes=1))
        for power in ("Austria", "England", "France", "Poland-Lithuania", "Russia", "Spain", "Sweden"):
            self.vote(power, "SET DRAW")
        # The last vote ends the game, and is no secret then.
        self.play("Turkey", "SET DRAW")
        self.ask()
