"""Who takes a power over reads what a start mail holds, as of now; and which powers of a game nobody plays."""

from datetime import timedelta

import pytest

from judge.store.engine import reading
from judge.store.seats import seats_of
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named

KIM, FRANCE, JO = "kim@example.org", "france@example.org", "jo@example.org"
AS_KIM = "SIGNON Mswan gm\n"


@pytest.fixture
def swan(desk: DeskAtWork) -> DeskAtWork:
    """The second phase of 1648, in which France has no player any more; its last one had bid."""

    def begin() -> None:
        desk.writes(JO, "REGISTER\nName: Jo\nEND")
        desk.writes(FRANCE, "SIGNON Fswan pwfrance\nDP 2: F VEN H\nRESIGN swan")
        desk.writes(KIM, AS_KIM + "PROCESS!\nCORRECT POSITION France: A PAR - LOR")

    desk.seat_all("swan", "1648")
    desk.goes_on("France is open", begin)
    desk.new_mails()
    return desk


def approved(desk: DeskAtWork) -> list[Posted]:
    desk.writes(KIM, AS_KIM + "SET APPROVAL")
    desk.writes(JO, "SIGNON Fswan hush")
    return desk.writes(KIM, AS_KIM + "APPROVE jo@example.org")


def taken(desk: DeskAtWork) -> list[Posted]:
    return desk.writes(JO, "SIGNON Fswan hush")


@pytest.mark.parametrize("takes", [taken, approved])
def test_who_takes_a_power_over_gets_what_a_start_mail_holds(swan: DeskAtWork, takes) -> None:
    mails = [mail for mail in takes(swan) if mail.to == JO]
    assert all("bids" not in mail.text and "VEN" not in mail.text for mail in mails)
    (place,) = [mail for mail in mails if "You Play France" in mail.subject]
    first = place.text.split("\n\n")[1]
    assert first.startswith("You now play France in game 'swan'.\nOrders are due by ")
    for told in ("A MAR ...", "Your vassals: Lorraine.", "To win, own 18 of 59 centers", "Kim Doe <kim@example.org>",
                 "Position for Fall of 1649.", "Ownership of supply centers:", "Brest, Marseille, Paris",
                 "to spend on"):  # fmt: skip
        assert told in place.flat and told.partition(" <")[0] in place.page, told
    assert "Starting" not in place.flat and place.picture
    assert [mail.to for mail in swan.all_mails() if "You Play" in mail.subject] == [JO]


def test_who_takes_a_power_over_reads_whose_orders_are_on_file(swan: DeskAtWork) -> None:
    filled, dots = "The orders in the form were on file before you joined.", "Replace the dots"

    def place() -> str:
        mails = swan.would_write(JO, "SIGNON Fswan hush")
        return next(mail.flat for mail in mails if mail.to == JO and "You Play France" in mail.subject)

    assert dots in place() and filled not in place()
    swan.writes(KIM, AS_KIM + "CORRECT ORDERS France: A PAR H")
    assert dots in place() and filled in place()
    swan.writes(KIM, AS_KIM + "CORRECT ORDERS France: A MAR H; F BRE H")
    swan.lay(units={"France": swan.phase("swan").position["units"]["France"]}, game="swan")
    assert dots not in place() and filled in place()


def test_a_form_of_dots_for_several_powers_holds_no_orders_of_before(desk: DeskAtWork) -> None:
    desk.seat_all("globe", "intercontinental")
    desk.writes("olive@example.org", "SIGNON Lglobe pwolive\nRESIGN globe")
    desk.writes(JO, "REGISTER\nName: Jo\nEND")
    mails = desk.would_write(JO, "SIGNON Lglobe hush")
    assert "were on file before you joined" not in next(mail.flat for mail in mails if "You Play" in mail.subject)
    desk.writes(KIM, "SIGNON Mglobe gm\nCORRECT ORDERS Russia: A Mosc H")
    mails = desk.would_write(JO, "SIGNON Lglobe hush")
    assert "were on file before you joined" in next(mail.flat for mail in mails if "You Play" in mail.subject)


def test_the_reply_to_a_take_over_says_so_first(swan: DeskAtWork) -> None:
    reply = next(mail for mail in taken(swan) if mail.to == JO and mail.answers)
    assert reply.flat.startswith("Welcome: you now play France in swan, with this password. WAIT is set for you.")


def test_force_begin_shows_the_open_powers_also_where_no_one_is_named(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm\nSET GUNBOAT, QUIET")
    desk.writes(JO, "REGISTER\nName: Jo\nEND\nSIGNON ?heron pw\nSET PREFERENCE T")
    mails = desk.writes(KIM, "SIGNON Mheron gm\nFORCE BEGIN")
    for mail in (mail for mail in mails if "Game Starting" in mail.subject):
        lines = mail.text.partition("in this game:")[2].partition("Starting position")[0].split("\n")
        who = dict(line.split(":", 1) for line in lines if line)
        assert [*who] == ["Master", "Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey"]
        assert {power for power, name in who.items() if name.strip() == "open"} == who.keys() - {"Master", "Turkey"}
        assert mail.page.count(">open<") == 6


def test_the_preference_of_an_applicant_is_theirs_once_they_are_approved(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm\nSET APPROVAL")
    asked = desk.replies(JO, "REGISTER\nName: Jo Roe\nEND\nSIGNON ?heron hush\nSET PREFERENCE FE\nSET MAP OFF")
    assert "preference saved: France, then England, then any other." in asked.flat
    assert "You have not joined yet, so these lines were not read: SET MAP OFF." in asked.flat
    wrong = desk.replies(JO, "SIGNON ?heron hush\nSET PREFERENCE XYZ")
    assert "Your earlier preference is unchanged." in wrong.flat
    desk.writes(KIM, "SIGNON Mheron gm\nAPPROVE jo@example.org")
    with reading(desk.engine) as session:
        (jo,) = [seat for seat in seats_of(session, game_named(session, "heron")) if seat.role == "player"]
        assert jo.preference == "FE"


def test_the_master_reads_who_has_joined_by_name_and_the_players_do_not(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    desk.writes(FRANCE, "REGISTER\nName: Fay France\nEND\nSIGNON ?heron hush")
    desk.now += timedelta(days=2)
    told = {mail.to: mail.flat for mail in desk.writes(JO, "REGISTER\nName: Jo Roe\nEND\nSIGNON ?heron hush")}
    assert "Jo Roe has joined heron." in told[KIM]
    assert "A new player has joined heron." in told[FRANCE] and "Jo Roe" not in told[FRANCE]


def test_the_master_reads_who_has_taken_a_power_over_by_name(swan: DeskAtWork) -> None:
    told = {mail.to: mail.flat for mail in taken(swan) if "New Player Signon" in mail.subject}
    assert "swan: France has a new player: Jo." in told[KIM]
    assert {text for to, text in told.items() if to != KIM and "Jo" in text} == set()


def test_the_master_reads_of_absences_and_no_other_does(desk: DeskAtWork) -> None:
    desk.seat_seven()
    span = "from Wed May 20 2026 00:00:00 +0000 to Fri May 22 2026 23:59:00 +0000"
    for line, will_be in (("ABSENCE 2026-05-20 TO 2026-05-22", "will be"), ("NO ABSENCE 2026-05-20", "will not be")):
        mails = desk.writes(FRANCE, f"SIGNON Fheron pwfrance\nSET {line}")
        (told,) = [mail for mail in mails if not mail.answers]
        assert told.to == KIM
        assert f"France (France) {will_be} away {span}." in told.flat
    assert [mail.answers for mail in desk.writes(KIM, "SIGNON Mheron gm\nSET ABSENCE 2026-05-20")] == [True]
