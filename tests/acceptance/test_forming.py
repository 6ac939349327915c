"""A game that forms and begins, by letters only: wishes for powers, an observer, somebody who leaves again."""

import re
from datetime import datetime

from judge.demo.mail_users import ReceivedMail
from judge.rules import load_variant, start_position
from tests.acceptance.harness import JudgeAtWork
from tests.servers.mailing import MailUser
from tests.servers.smtpsink import times_sent

# What each wishes for, in the order in which they join. Only one deal gives 45 points, and none gives more: Ann and Bob
# both want France most, and Bob gets it, since Ann minds less; Cat cannot have Russia, which Dan wants more.
WISHES = {"Ann": "[FE]", "Bob": "FT", "Cat": "[RT]", "Dan": "R", "Eve": "I", "Fox": "*", "Gus": "AG"}
DEALT = {
    "Ann": "England", "Bob": "France", "Cat": "Turkey", "Dan": "Russia", "Eve": "Italy", "Fox": "Germany",
    "Gus": "Austria",
}  # fmt: skip
STANDARD = load_variant("standard")


def test_a_game_forms_and_begins(judge: JudgeAtWork):
    kim, otto, lou = judge.person("Kim"), judge.person("Otto"), judge.person("Lou")
    people = {name: judge.person(name) for name in WISHES}
    kim.writes("REGISTER", "Name: Kim", "END", "CREATE ?finch overlord standard")
    kim.expects(containing="finch has been created; you are its master")
    otto.writes("OBSERVE finch")
    otto.writes(answering=otto.expects(subject="CONFIRM"))
    otto.expects(containing="You are now observing finch")

    for name in ("Ann", "Bob", "Cat"):
        joins(people[name], WISHES[name])
    leaves_again(lou, kim)
    joins(people["Dan"], WISHES["Dan"], "3 more players needed")
    changes_a_wish(people["Eve"])
    joins(people["Fox"], WISHES["Fox"], "1 more player needed")
    is_forming(otto)
    joins(people["Gus"], WISHES["Gus"], "which starts now. You play Austria")

    starts = {
        name: person.expects(subject="TEST:finch - S1901M Game Starting") for name, person in people.items()
    }
    assert {name: mail.text.splitlines()[3] for name, mail in starts.items()} == {
        name: f"You have been selected as {power} in game 'finch'." for name, power in DEALT.items()
    }
    for name, mail in starts.items():
        is_complete_start(mail, name)
    master, observer = (person.expects(subject="Game Starting") for person in (kim, otto))
    assert "You are the master of finch." in master.text
    assert "You are observing finch." in observer.text
    assert "Fox <fox@example.org>" in master.text and "Fox" in observer.text and "@example.org>" not in observer.text
    assert {deadline_in(mail) for mail in (*starts.values(), master, observer)} == {deadline_in(master)}
    assert re.fullmatch(r"(Mon|Tue|Wed|Thu|Fri) .* 23:30:00 \+0000", deadline_in(master))

    lou.writes("SIGNON ?finch loupass")
    lou.expects(containing="finch has begun.")
    assert not any("Game Starting" in mail.subject for mail in judge.sink.to(lou.address))
    nobody_is_told_of_wishes(judge)
    assert set(times_sent(judge.sink.mails).values()) == {1}
    assert judge.process.terminate() == 0


def joins(person: MailUser, wish: str, told: str = "more players needed") -> None:
    """Registers, joins and wishes, all in one letter: also the last one's wish counts."""
    name = person.name
    person.writes(
        "REGISTER", f"Name: {name}", "END", f"SIGNON ?finch pw{name}", f"PREFERENCE {wish}", "SIGNOFF", "-- ", name
    )
    person.expects(containing=["finch", "preference saved", told])


def leaves_again(lou: MailUser, kim: MailUser) -> None:
    """The wish of somebody who left counts nothing, and the seat is free again."""
    joins(lou, "FRIT", "3 more players needed")
    lou.writes("SIGNON ?finch pwLou", "RESIGN")
    lou.expects(containing="You have left finch")
    kim.writes("LIST finch")
    kim.expects(containing="4 more players needed. To join, send SIGNON ?finch")


def changes_a_wish(eve: MailUser) -> None:
    """A wish that cannot be read leaves the one before; a later one replaces it."""
    joins(eve, "F", "2 more players needed")
    eve.writes("SIGNON ?finch pwEve", "PREFERENCE FXI")
    eve.expects(containing='"X" is not a power of this game; your earlier preference stays')
    eve.writes("SIGNON ?finch pwEve", f"SET PREFERENCE {WISHES['Eve']}")
    eve.expects(containing=["You are already in finch.", "preference saved"])


def is_forming(otto: MailUser) -> None:
    otto.writes("LIST", "STATUS finch")
    otto.expects(containing=["finch        Forming", "Forming: 1 more player needed. SIGNON ?finch joins."])


def is_complete_start(mail: ReceivedMail, name: str) -> None:
    """The form with one's own units; who plays what, with addresses; all units; the deadline."""
    text, position = mail.text, start_position(STANDARD)
    power = STANDARD.power(DEALT[name])
    form = "\n".join(f"    {unit} ..." for unit in position.units[power.name])
    assert f"    SIGNON {power.letter}finch <your password>\n    PHASE {position.phase}\n{form}\n    SIGNOFF\n" in text
    for other, dealt in DEALT.items():
        assert f"{dealt + ':':12} {other} <{other.lower()}@example.org>\n" in text
    assert f"{'Master:':12} Kim <kim@example.org>\n" in text and "Lou" not in text and "Otto" not in text
    assert len(re.findall(r"^\w+: +(?:Army|Fleet) ", text, re.MULTILINE)) == 22
    assert "Orders are due by " in text


def deadline_in(mail: ReceivedMail) -> str:
    found = re.search(r"^:: Deadline: S1901M (.*)$", mail.text, re.MULTILINE)
    assert found, mail.text
    datetime.strptime(found[1], "%a %b %d %Y %H:%M:%S %z")
    return found[1]


def nobody_is_told_of_wishes(judge: JudgeAtWork) -> None:
    """A wish is repeated to whoever wrote it, and to nobody else."""
    written = {**{name: {wish} for name, wish in WISHES.items()}, "Lou": {"FRIT"}, "Eve": {"F", "FXI", "I"}}
    told: dict[str, set[str]] = {}
    for mail in judge.sink.mails:
        [address] = mail.recipients
        for wish in re.findall(r"^> .*PREFERENCE (.*)$", mail.text, re.MULTILINE):
            told.setdefault(address.partition("@")[0].title(), set()).add(wish)
    assert told == written
