"""Whose is it: what goes with the person who leaves a seat, and what stays with its power (judge/store/seats.py)."""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from judge.store import seats
from judge.store.engine import reading
from judge.store.seats import OF_THE_PERSON
from judge.store.tables import Seat
from tests.commands.deskatwork import START, DeskAtWork, Posted
from tests.rows import game_named, seat_of_power

FRANCE, KIM, NEW = "france@example.org", "kim@example.org", "new@example.org"
AS_FRANCE, AS_KIM = "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"
AS_NEW = "SIGNON Fheron pwnew\n"
OTHERS = ("austria", "england", "germany", "italy", "russia", "turkey")
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """A game in which late players lose their seats at once; Fay France has two addresses."""
    server = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_EARLY_DELAY": "600"}
    desk = DeskAtWork(tmp_path, "", server)
    desk.seat_all("heron", "standard", "SET NONMR\nSET NO REMIND\nSET ALL GRACE 0")
    desk.goes_on("Fay has two addresses", lambda: fay_writes_from_two(desk))
    return desk


def fay_writes_from_two(desk: DeskAtWork) -> None:
    mails = desk.writes("fay@example.net", f"I AM ALSO {FRANCE}")
    asks = next(mail for mail in mails if mail.to == FRANCE)
    desk.writes(FRANCE, next(line for line in asks.text.splitlines() if "CONFIRM" in line))
    desk.writes(NEW, "REGISTER\nName: Nora New\nEND")


def all_but_france_hold(desk: DeskAtWork) -> None:
    for power in OTHERS:
        name = power.title()
        desk.writes(f"{power}@example.org", f"SIGNON {name}@heron pw{power}\n" + "\n".join(HOLDS[power]))


HOLDS = {
    "austria": ["A VIE H", "A BUD H", "F TRI H"],
    "england": ["A LVP H", "F EDI H", "F LON H"],
    "germany": ["A BER H", "A MUN H", "F KIE H"],
    "italy": ["A ROM H", "A VEN H", "F NAP H"],
    "russia": ["A MOS H", "A WAR H", "F SEV H", "F STP/SC H"],
    "turkey": ["A CON H", "A SMY H", "F ANK H"],
}


def resigns(desk: DeskAtWork) -> list[Posted]:
    return desk.writes(FRANCE, AS_FRANCE + "RESIGN heron")


def is_ejected(desk: DeskAtWork) -> list[Posted]:
    return desk.writes(KIM, AS_KIM + "EJECT France")


def abandons(desk: DeskAtWork) -> list[Posted]:
    all_but_france_hold(desk)
    mails = desk.ring(START + timedelta(days=8))
    assert any("Abandoned: F" in mail.subject for mail in mails)
    return mails


def somebody_takes_it(desk: DeskAtWork) -> Posted:
    return desk.replies(NEW, AS_NEW)


def comes_back(desk: DeskAtWork) -> Posted:
    return desk.replies(FRANCE, AS_FRANCE)


LEAVING = (resigns, is_ejected, abandons)
NEXT = [(how, somebody_takes_it) for how in LEAVING] + [(abandons, comes_back)]
Happens = Callable[[DeskAtWork], object]


def seat(desk: DeskAtWork) -> Seat:
    with reading(desk.engine) as session:
        return seat_of_power(session, game_named(session, "heron"), "France")


def others_write(desk: DeskAtWork, line: str) -> str:
    """The last answer."""
    for power in OTHERS[:-1]:
        desk.writes(f"{power}@example.org", f"SIGNON {power.title()}@heron pw{power}\n{line}")
    return desk.replies("turkey@example.org", f"SIGNON Theron pwturkey\n{line}").text


@pytest.mark.parametrize(("leaves", "follows"), NEXT)
def test_a_vote_that_was_left_behind_ends_nothing(heron: DeskAtWork, leaves: Happens, follows: Happens) -> None:
    """Nor has anybody voted for who plays now."""
    vote = "SET DRAW" if leaves is resigns else "SET CONCEDE Russia"
    heron.writes(FRANCE, AS_FRANCE + vote)
    leaves(heron)
    assert "has ended" not in others_write(heron, vote)
    follows(heron)
    who = NEW if follows is somebody_takes_it else FRANCE
    assert "has ended" in heron.replies(who, (AS_NEW if who == NEW else AS_FRANCE) + vote).text


def test_who_comes_back_finds_what_they_had_set(heron: DeskAtWork) -> None:
    heron.writes(FRANCE, f"{AS_FRANCE}SET WAIT\nSET ADDRESS fay@example.net\nSET MAPS OFF\nSET ABSENCE 20 May - 25 May")
    heron.writes(FRANCE, AS_FRANCE + "SET PASSWORDLESS", headers=VERIFIED)
    before = seat(heron)
    assert (before.waits, before.address, before.maps, before.passwordless) == (True, "fay@example.net", "off", True)
    abandons(heron)
    comes_back(heron)
    after = seat(heron)
    assert (after.waits, after.address, after.maps, after.passwordless) == (False, FRANCE, "off", True)
    assert "is canceled" in heron.replies(FRANCE, AS_FRANCE + "SET NO ABSENCE 22 May").flat


def test_who_comes_back_from_a_strange_address_gets_mail_where_they_registered(heron: DeskAtWork) -> None:
    heron.writes(FRANCE, f"{AS_FRANCE}SET ADDRESS fay@example.net")
    abandons(heron)
    heron.writes("stranger@example.org", AS_FRANCE)
    assert seat(heron).address == FRANCE


@pytest.mark.parametrize("leaves", LEAVING)
def test_a_token_for_a_seat_ends_with_it(heron: DeskAtWork, leaves: Happens) -> None:
    asks = next(mail for mail in heron.writes(FRANCE, "FORGOT heron") if "Is this you?" in mail.subject)
    code = next(line for line in asks.text.splitlines() if "CONFIRM" in line)
    leaves(heron)
    answer = heron.replies(FRANCE, code).text
    assert "new password" not in answer and "That code is not valid" in " ".join(answer.split())


@pytest.mark.parametrize("leaves", LEAVING)
@pytest.mark.parametrize("approval", [False, True])
def test_orders_and_orders_ahead_are_shown_to_who_plays_next(
    heron: DeskAtWork, leaves: Happens, approval: bool
) -> None:
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR\nPHASE F1901M\nA BUR - MUN\nF BRE H")
    leaves(heron)
    if approval:
        heron.writes(KIM, AS_KIM + "SET APPROVAL")
        asked = heron.writes(NEW, AS_NEW)
        word = re.search(r"APPROVE \S+", next(mail for mail in asked if mail.to == KIM).text)
        assert word
        shown = next(mail for mail in heron.writes(KIM, word[0]) if "Joining" in mail.subject)
    else:
        shown = somebody_takes_it(heron)
    assert "Army Paris -> Burgundy." in shown.text
    assert "A BUR - MUN  // by the previous player\n    F BRE H  // by the previous player" in shown.text
    again = heron.replies(NEW, AS_NEW + "PHASE F1901M\nCLEAR\nA BUR - BEL")
    assert "by the previous player" not in again.text


@pytest.mark.parametrize("leaves", ["RESIGN swan", "EJECT France"])
def test_bids_stay_and_are_shown_to_who_plays_next(desk: DeskAtWork, leaves: str) -> None:
    desk.seat_all("swan", "1648")
    desk.writes(NEW, "REGISTER\nName: Nora New\nEND")
    desk.writes(FRANCE, "SIGNON france@swan pwfrance\nDP 2: A SWI S A MAR - SAV")
    own = desk.replies(FRANCE, "SIGNON france@swan pwfrance").text
    bids = re.search(r"^.*\nDP: 2 of .*$", own, re.MULTILINE)
    assert bids
    who, signon = (KIM, "SIGNON Mswan gm") if "EJECT" in leaves else (FRANCE, "SIGNON france@swan pwfrance")
    desk.writes(who, f"{signon}\n{leaves}")
    assert bids[0] in desk.replies(NEW, "SIGNON france@swan pwnew").text


def lost(mails: list[Posted], to: str = FRANCE) -> list[str]:
    """What the mails that are no answers tell about a seat that is lost, their first paragraphs."""
    told = [mail for mail in mails if mail.to == to and not mail.answers]
    return [" ".join(mail.text.partition("\n\n")[0].split()) for mail in told if "no longer" in mail.text]


BY_KIM = "the master has removed you. You can reach them at kim@example.org."


@pytest.mark.parametrize(("who", "letter", "why"), [
    (FRANCE, f"{AS_FRANCE}RESIGN heron", "you have resigned. If this was a mistake"),
    ("stranger@example.org", f"{AS_FRANCE}RESIGN heron",
     "an email from stranger@example.org with your password resigned for you."),
    (KIM, f"{AS_KIM}EJECT France", BY_KIM),
    (KIM, f"{AS_KIM}EJECT {FRANCE}", BY_KIM),
    (KIM, f"{AS_KIM}EJECT France\nSET DISORDER France", BY_KIM),
])  # fmt: skip
def test_who_loses_a_seat_is_told_by_whom(heron: DeskAtWork, who: str, letter: str, why: str) -> None:
    (text,) = lost(heron.writes(who, letter))
    assert text.startswith(f"You no longer play France in heron: {why}")


def test_who_is_removed_from_a_gunboat_game_does_not_learn_who_the_master_is(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "standard", "SET GUNBOAT")
    (text,) = lost(desk.writes(KIM, AS_KIM + "EJECT France"))
    assert "the master has removed you. If this was a mistake" in text and KIM not in text


def test_an_observer_and_a_master_who_are_removed_are_told(heron: DeskAtWork) -> None:
    heron.observes("olga@example.org")
    heron.observes("ben@example.org")
    heron.writes(KIM, AS_KIM + "PROMOTE ben@example.org")
    (text,) = lost(heron.writes(KIM, AS_KIM + "EJECT olga@example.org"), "olga@example.org")
    assert text.startswith("You no longer observe heron: the master has removed you.")
    (text,) = lost(heron.writes(KIM, AS_KIM + "EJECT ben@example.org"), "ben@example.org")
    assert text.startswith("You are no longer a master of heron: the master has removed you.")


@pytest.mark.parametrize("settings", ["", "SET QUIET", "SET GUNBOAT"])
def test_who_was_late_is_told_at_once_how_to_come_back(heron: DeskAtWork, settings: str) -> None:
    heron.writes(KIM, AS_KIM + settings)
    heron.writes(FRANCE, AS_FRANCE + "SET DIGEST 7:00")
    told = [mail for mail in abandons(heron) if mail.to == FRANCE and "Late" not in mail.subject]
    assert [mail.subject for mail in told] == ["JUDG:heron - S1901M Abandoned: F"]
    assert told[0].first_line.startswith("France sent no orders")
    text = told[0].flat
    assert "You no longer play France. You can return" in text and "SIGNON Fheron <password>" in text


def test_a_phase_waits_no_longer_for_a_master_who_has_gone(heron: DeskAtWork) -> None:
    heron.observes("ben@example.org")
    mails = heron.writes(KIM, AS_KIM + "PROMOTE ben@example.org")
    password = re.search(r"SIGNON Mheron (\S+)", next(mail for mail in mails if mail.to == "ben@example.org").text)
    assert password
    heron.writes("ben@example.org", f"SIGNON Mheron {password[1]}\nSET WAIT")
    all_but_france_hold(heron)
    heron.writes(FRANCE, AS_FRANCE + "A PAR H; A MAR H; F BRE H")
    assert heron.ring(heron.now + timedelta(hours=1)) == []
    heron.writes(KIM, AS_KIM + "EJECT ben@example.org")
    assert any("S1901M Results" in mail.subject for mail in heron.ring(heron.now + timedelta(hours=1)))


def test_everything_of_a_seat_belongs_to_somebody() -> None:
    """A new column or table must be put on one side of the table."""
    of_the_row = {
        "id", "game_id", "person_id", "role", "power", "address", "password", "joined_at", "left_at", "proved",
    }  # fmt: skip
    assert {column.name for column in SQLModel.metadata.tables["seat"].columns} == (of_the_row | OF_THE_PERSON.keys())
    about_seats = {
        table.name
        for table in SQLModel.metadata.tables.values()
        if any(key.column.table.name == "seat" for column in table.columns for key in column.foreign_keys)
    }
    assert about_seats == {"absence", "attendance", "consent", "press"}
    of_powers = {table.name for table in SQLModel.metadata.tables.values() if "power" in table.columns}
    assert of_powers == {"seat", "application", "orders", "bid", "vote", "future_line"}


def test_only_one_module_says_that_a_seat_is_left() -> None:
    judge = Path(seats.__file__).parents[1]
    writes = re.compile(r"\bleft_at\s*=(?!=)|\bleft_at, \S+ =|\.left_at, .* =")
    assert [path.name for path in judge.rglob("*.py") if "migrations" not in path.parts
            if any(writes.search(line) for line in path.read_text().splitlines())] == ["seats.py"]  # fmt: skip
