"""What mail programs, lists and alias services send, and who is answered."""

from datetime import datetime, timedelta
from itertools import cycle
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.service.health import HealthReports
from judge.service.troubles import TroubleFile
from judge.shell import status
from judge.store import stats
from judge.store.engine import reading
from judge.store.tables import LetterRow, Person
from tests.commands.deskatwork import START, DeskAtWork, Posted
from tests.commands.people.test_passwordless import CHOOSE, SERVER, VERIFIED, orders
from tests.commands.understanding import Understood, understood
from tests.letters.corpus.samples import FOLDER, Sample, kept

FRANCE, GERMANY, KEEPER = "france@example.org", "germany@example.org", "keeper@example.org"
LIST = "dip@lists.example.net"
MARKS = [
    {"List-Id": "Diplomacy <dip.lists.example.net>"}, {"List-Unsubscribe": "<https://example.net/u>"},
    {"List-Help": "<mailto:help@example.net>"}, {"Mailing-List": "contact dip-help@example.net; run by ezmlm"},
    {"Precedence": "list"}, {"Precedence": "bulk"}, {"X-Auto-Response-Suppress": "All"},
    {"X-Auto-Response-Suppress": "DR, OOF, AutoReply"}, {"X-BeenThere": LIST},
    {"List-Id": "<dip.lists.example.net>", "Precedence": "list", "Sender": "dip-bounces@lists.example.net",
     "Reply-To": LIST, "To": LIST, "Return-Path": "<dip-bounces@lists.example.net>", "X-Mailman-Version": "2.1"},
]  # fmt: skip
MACHINES = [
    {"Auto-Submitted": "auto-replied"}, {"Auto-Submitted": "auto-generated"}, {"X-Autoreply": "yes"}, {"X-Judge": "1"},
    {"Return-Path": "<>"}, {"Precedence": "auto_reply"},
]  # fmt: skip
ORDERS = "SIGNON Fheron pwfrance\nA PAR - BUR\nPRESS TO Germany\nHello.\nENDPRESS"


def to(mails: list[Posted]) -> list[str]:
    return sorted(mail.to for mail in mails)


def last(desk: DeskAtWork) -> LetterRow:
    with reading(desk.engine) as session:
        row = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
    assert row
    return row


def test_a_right_sign_on_is_carried_out_and_confirmed(heron: DeskAtWork):
    for marks in MARKS:
        mails = heron.would_write(FRANCE, ORDERS, headers=marks)
        assert to(mails) == [FRANCE, GERMANY], marks
        (answer,) = [mail for mail in mails if mail.to == FRANCE]
        assert answer.answers and "Paris -> Burgundy" in answer.text
        lines = "LIST\nSIGNON Fheron pwfrance\nA PAR - PIC\nSIGNON Gheron wrong\nA MUN H"
        (answer,) = heron.would_write(FRANCE, lines, headers=marks)
        assert answer.to == FRANCE and "Paris -> Picardy" in answer.text, marks


def test_a_machine_is_not_carried_out_whatever_it_knows(heron: DeskAtWork):
    for marks in MACHINES:
        for more in ({}, MARKS[0]):
            assert heron.writes(FRANCE, ORDERS, headers=marks | more) == [] and orders(heron) == [], marks


WITHOUT_A_SIGN_ON = (
    "", "HELP", "LIST", "Hello everybody,\nwho wants to play?", "REGISTER\nName: Ann\nEND", "REGISTER", "OBSERVE heron",
    "CREATE ?gull secret", "SIGNON Fheron wrong\nA PAR - BUR", "SIGNON Fheron\nA PAR - BUR", "A PAR - BUR",
    "SIGNON Xheron pwfrance", "SIGNON Fgull pwfrance", "SIGNON ?raven secret", "FORGOT heron", "STANDBY",
    "SIGNON Fheron <your password>", "I AM ALSO france@example.org", "UNSUBSCRIBE heron", "UNSUBSCRIBE",
    "PRESS TO Germany\nHello.\nENDPRESS",
)  # fmt: skip


@pytest.mark.parametrize("sender", [FRANCE, LIST])
def test_without_one_nothing_is_done_or_answered(heron: DeskAtWork, sender: str):
    heron.writes("kim@example.org", "CREATE ?raven gm")
    heron.new_mails()
    with reading(heron.engine) as session:
        people = len(session.exec(select(Person)).all())
    for text, marks in zip(WITHOUT_A_SIGN_ON, cycle((MARKS[0], MARKS[-1], MARKS[6], MARKS[5])), strict=False):
        heron.now += timedelta(hours=1)  # wrong passwords are counted
        assert heron.writes(sender, text, headers=marks) == [], text
        assert orders(heron) == [] and last(heron).state == "ignored", text
    with reading(heron.engine) as session:
        assert len(session.exec(select(Person)).all()) == people


def test_a_token_that_an_absence_note_sends_back_does_nothing(desk: DeskAtWork):
    (asks,) = desk.writes("ann@example.org", "REGISTER\nName: Ann\nEND\nOBSERVE heron")
    word = asks.subject.rpartition("CONFIRM ")[2].rstrip(")")
    for text in ("I am away.", f"CONFIRM {word}"):
        assert desk.writes("ann@example.org", text, subject=asks.subject, headers={"Precedence": "bulk"}) == []
    assert desk.writes("ann@example.org", "", subject=asks.subject)


def test_a_list_with_its_own_address_as_the_sender_is_not_answered_but_the_player(heron: DeskAtWork):
    mails = heron.writes(f"France via dip <{LIST}>", "LIST\n" + ORDERS, headers=MARKS[-1])
    assert to(mails) == [FRANCE, GERMANY] and orders(heron) == ["A PAR - BUR"]


def test_passwords_that_are_tried_by_a_list_are_counted(heron: DeskAtWork):
    for number in range(5):
        assert heron.writes(LIST, f"SIGNON Fheron wrong{number}", headers=MARKS[0]) == []
    assert heron.writes(LIST, ORDERS, headers=MARKS[0]) == [] and orders(heron) == []
    assert "5 wrong passwords" in heron.replies(LIST, ORDERS).text


def test_without_the_password_it_may_be_an_absence_note(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_seven()
    desk.writes(FRANCE, CHOOSE, headers=VERIFIED)
    desk.writes(GERMANY, "SIGNON Gheron pwgermany\nPRESS TO France\nPeace?\nENDPRESS", headers=VERIFIED)
    about = [mail for mail in desk.all_mails() if mail.to == FRANCE][-1].message["Message-ID"]
    desk.new_mails()
    for text in ("A PAR - BUR", "Back on Monday.", "SIGNON Fheron\nA PAR - BUR"):
        assert desk.writes(FRANCE, text, answering=about, headers=VERIFIED | {"Precedence": "bulk"}) == []
    assert orders(desk) == [] and desk.writes(FRANCE, ORDERS, headers=VERIFIED | MARKS[1])
    assert orders(desk) == ["A PAR - BUR"]


COPIES = [
    {"Subject": "[dip] to the judge"}, {"Subject": "[dip] to the judge", **MARKS[-1]}, MARKS[0],
    {"To": LIST, "Received": "by lists.example.net"},
]  # fmt: skip


FOOTER = "\n\n_______\ndip mailing list\nUNSUBSCRIBE\nhttps://lists.example.net/dip"


@pytest.mark.parametrize("changed", COPIES, ids=str)
@pytest.mark.parametrize("list_first", [False, True])
def test_a_letter_that_comes_twice_acts_once(heron: DeskAtWork, changed: dict[str, str], list_first: bool):
    footer = FOOTER * (list_first == (COPIES.index(changed) % 2))
    name = {"Message-ID": "<one@example.org>", "Date": "Mon, 04 May 2026 12:00:00 +0200"}
    ways = [("", name), (footer, name | {"Date": "Mon, 04 May 2026 10:00:00 +0000"} | changed)]
    first, second = reversed(ways) if list_first else ways
    assert to(heron.writes(FRANCE, ORDERS + first[0], headers=first[1])) == [FRANCE, GERMANY]
    heron.writes(FRANCE, "SIGNON Fheron pwfrance\nA PAR - PIC")
    assert heron.writes(FRANCE, ORDERS + second[0], headers=second[1]) == []
    assert orders(heron) == ["A PAR - PIC"] and last(heron).state == "done"


@pytest.mark.parametrize("text", ["LIST", "CREATE ?gull secret", "REGISTER\nName: Ann\nEND", "STANDBY"])
def test_so_does_one_without_a_sign_on(heron: DeskAtWork, text: str):
    name = {"Message-ID": "<one@example.org>"}
    sender = "ann@example.org" if "REGISTER" in text else FRANCE
    assert heron.writes(sender, text, headers=name)
    for changed in COPIES:
        assert heron.writes(sender, text + "\n\nfooter", headers=name | changed) == []


@pytest.mark.parametrize("list_first", [False, True])
def test_a_copy_with_the_address_of_a_list_as_its_sender_acts_no_more(heron: DeskAtWork, list_first: bool):
    name = {"Message-ID": "<one@example.org>"}
    ways = [(FRANCE, {}), (f"France via dip <{LIST}>", MARKS[0])]
    first, second = reversed(ways) if list_first else ways
    assert to(heron.writes(first[0], ORDERS, headers=name | first[1])) == [FRANCE, GERMANY]
    assert heron.writes(second[0], ORDERS, headers=name | second[1]) == []


@pytest.mark.parametrize("before", [
    (FRANCE, "SIGNON Fheron pwfran\nA PAR - BUR", {}), (FRANCE, "HELP", MARKS[0]), (FRANCE, "garbled", {}),
    (GERMANY, "LIST", {}), (FRANCE, "LIST", {"Date": "Mon, 04 May 2026 09:00:00 +0000"}),
])  # fmt: skip
def test_what_has_not_acted_stands_in_no_letter_s_way(heron: DeskAtWork, before: tuple[str, str, dict[str, str]]):
    """Neither one that was ignored, refused or damaged, nor one that a program gave the same Message-ID."""
    sender, text, headers = before
    name = {"Message-ID": "<one@example.org>"}
    heron.writes(sender, text, headers=name | headers)
    assert to(heron.writes(FRANCE, ORDERS, headers=name)) == [FRANCE, GERMANY]


def test_a_question_that_also_went_to_a_list_is_answered_once(heron: DeskAtWork):
    """Whichever comes first, and even if the list changes nothing."""
    ways = [order for marks in MARKS for order in ([marks, {}], [{}, marks])]
    for number, order in enumerate(ways):
        heron.now += timedelta(minutes=9)
        name = {"Message-ID": f"<{number}@example.org>"}
        answered = [to(heron.writes(FRANCE, "LIST", headers=name | marks)) for marks in order]
        assert answered == [[] if marks else [FRANCE] for marks in order]


def test_all_of_it_on_both_databases(tmp_path: Path, store: str):
    desk = DeskAtWork(tmp_path, store, {})
    desk.seat_seven()
    desk.new_mails()
    name = {"Message-ID": "<one@example.org>", "Date": "Mon, 04 May 2026 12:00:00 +0200"}
    assert desk.writes(FRANCE, "SIGNON Fheron wrong\nA PAR - BUR", headers=name | MARKS[0]) == []
    assert to(desk.writes(FRANCE, ORDERS, headers=name | MARKS[0])) == [FRANCE, GERMANY]
    assert desk.writes(FRANCE, ORDERS, headers=name) == [] and last(desk).state == "done"
    with reading(desk.engine) as session:
        assert stats.take(session, desk.now).letters_ignored == 1


def test_letters_without_a_message_id_are_told_apart_as_before(heron: DeskAtWork):
    for name in ("", "none", "<>", f"<{'x' * 900}@example.org>"):
        for subject in ("one", "two"):
            assert heron.writes(FRANCE, ORDERS, subject=subject, headers={"Message-ID": name})


def ignored(desk: DeskAtWork, at: datetime) -> list[str]:
    """The mails to the keeper at that time."""
    reports = HealthReports(desk.engine, desk.services, START, TroubleFile(None))
    desk.sends_all()
    reports.look(at, at)
    return [mail.flat for mail in desk.new_mails() if mail.to == KEEPER]


def test_ignored_letters_of_known_people_are_counted_and_told_to_the_keeper(heron, capsys):
    heron.writes("stranger@example.com", "LIST", headers=MARKS[0])
    heron.writes(FRANCE, ORDERS, headers=MARKS[0])
    heron.writes(FRANCE, ORDERS, headers=MARKS[0] | {"Message-ID": "<letter2@example.org>"})
    assert ignored(heron, heron.now) == []
    heron.writes(FRANCE, "A PAR - BUR", headers=MARKS[0])
    heron.writes(GERMANY, ORDERS, headers=MACHINES[1])
    (told,) = ignored(heron, heron.now)
    assert "Emails from known people were ignored" in told and "2 emails" in told
    assert f"{FRANCE}, Mon May 4 2026" in told and "mailing list" in told and "auto-reply (Auto-Submitted)" in told
    assert ignored(heron, heron.now + timedelta(hours=5)) == [], "once a day"
    assert ignored(heron, heron.now + timedelta(days=2)) == []
    with reading(heron.engine) as session:
        assert stats.take(session, heron.now).letters_ignored == 2
        assert stats.day(session, heron.now - timedelta(days=1)).ignored == 2
    status.report(heron.settings)
    out = " ".join(capsys.readouterr().out.split())
    assert "ignored 2 emails from known people, the latest on Mon May 4 2026" in out and GERMANY in out


LETTERS = kept()
ON_FILE = ("A MAR - SPA", "A PAR - PIC", "F BRE - ENG")


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> DeskAtWork:
    """A desk for all these letters: each finds it as it was."""
    desk = DeskAtWork(tmp_path_factory.mktemp("heron"), "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    desk.new_mails()
    return desk


@pytest.fixture(scope="module")
def ordered(tmp_path_factory: pytest.TempPathFactory) -> DeskAtWork:
    """A desk that has the orders of the mail that letters without orders repeat."""
    desk = DeskAtWork(tmp_path_factory.mktemp("heron"), "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    desk.writes(FRANCE, "\n".join(["SIGNON Fheron pwfrance", *ON_FILE]))
    desk.new_mails()
    return desk


@pytest.mark.parametrize("sample", LETTERS, ids=lambda sample: sample.name)
def test_a_letter_of_a_mail_program_is_understood(seven: DeskAtWork, ordered: DeskAtWork, sample: Sample):
    mails = (seven if sample.orders else ordered).would_receive(sample.raw)
    if sample.silent:
        assert mails == []
        return
    found = understood(mails)
    is_read = ":: Judge:" in found.reply
    on_file = sample.orders or ON_FILE * is_read
    assert found == Understood(on_file, sample.press, sample.strays, found.reply)
    assert all(phrase in " ".join(found.reply.split()) for phrase in sample.says)
    assert "pwfrance" not in found.reply


def test_of_each_letter_it_is_said_what_must_be_understood():
    assert {path.stem for path in FOLDER.glob("*.eml")} == {sample.name for sample in LETTERS}
