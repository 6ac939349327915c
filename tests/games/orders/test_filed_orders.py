"""Who must act: a power without a choice is neither asked nor waited for, and who is out of the game is left alone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted

TURKEY, FRANCE, KIM = "turkey@example.org", "france@example.org", "kim@example.org"
AS_TURKEY, AS_FRANCE, AS_KIM = "SIGNON Theron pwturkey\n", "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"


Table = dict[str, list[str]]


def lay(desk: DeskAtWork, phase: str, units: Table, centers: Table, **more: Any) -> None:
    """The open phase of heron is this one."""
    desk.lay(phase, units=units, centers=centers, **more)
    desk.new_mails()


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """Nobody is processed without orders; late players lose their seats at once."""
    desk.seat_all("heron", "standard", "SET NONMR\nSET NO REMIND\nSET ALL GRACE 24")
    return desk


@pytest.fixture
def winter(heron: DeskAtWork) -> DeskAtWork:
    """France may build; Turkey has two units and no center any more, nobody else anything."""
    lay(heron, "W1901A", {"France": ["A BUR"], "Turkey": ["A ALB", "F AEG"]}, {"France": ["PAR", "BRE"]})
    return heron


def subjects(mails: list[Posted]) -> set[str]:
    return {mail.subject.removeprefix("JUDG:heron - ") for mail in mails}


def test_who_must_remove_all_is_not_late(winter: DeskAtWork) -> None:
    winter.writes(KIM, AS_KIM + "SET GRACE 2026-05-14 23:30")
    mails = [mail for mail in winter.ring(datetime(2026, 5, 12, tzinfo=UTC)) if "Late Notice" in mail.subject]
    assert {mail.subject.partition("W1901A ")[2] for mail in mails} == {"Late Notice: F"}
    assert not any("You are late" in mail.subject for mail in mails if mail.to == TURKEY)


def test_who_must_remove_all_keeps_nobody_waiting(winter: DeskAtWork) -> None:
    answer = winter.replies(FRANCE, AS_FRANCE + "BUILD A PAR").text
    assert "All orders are in. The phase will be processed on" in " ".join(answer.split())
    assert "W1901A Results" in subjects(winter.ring(winter.now + timedelta(hours=1)))


def test_who_must_remove_all_loses_no_seat_and_nobody_is_asked_to_take_it(winter: DeskAtWork) -> None:
    winter.confirms("stan@example.org", "REGISTER\nName: Stan\nEND\nSTANDBY")
    winter.writes(TURKEY, AS_TURKEY + "RESIGN heron")
    assert not any(mail.to == "stan@example.org" for mail in winter.new_mails())
    mails = winter.ring(winter.now + timedelta(days=9))
    assert "W1901A Abandoned: F" in subjects(mails)
    assert {mail.subject for mail in mails if mail.to == "stan@example.org"} == {"JUDG:heron - W1901A Seat Open: F"}


def test_who_must_remove_all_is_told_that_nothing_is_left_to_choose(winter: DeskAtWork) -> None:
    answer = winter.replies(TURKEY, AS_TURKEY + "REMOVE A ALB")
    assert answer.first_line == "1 line refused. You have nothing to order in W1901A."
    assert "All your units will be removed in this phase, so there is nothing to choose." in answer.flat
    assert "REMOVE ..." not in answer.text


def test_list_offers_nobody_a_power_that_must_remove_all(winter: DeskAtWork) -> None:
    winter.writes(TURKEY, AS_TURKEY + "RESIGN heron")
    listed = winter.replies("new@example.org", "LIST").text
    assert "Turkey" not in listed
    line = next(line for line in winter.replies(FRANCE, "LIST heron").text.splitlines() if "Turkey" in line)
    assert "out" in line and "open" not in line


def test_who_must_remove_all_has_no_vote(winter: DeskAtWork) -> None:
    assert "Turkey has nothing left on the board" in winter.replies(TURKEY, AS_TURKEY + "SET DRAW").text
    assert "has ended" in winter.replies(FRANCE, AS_FRANCE + "SET DRAW").text


def test_who_is_out_holds_no_phase_whenever_wait_was_set(heron: DeskAtWork) -> None:
    lay(heron, "S1902M", {"France": ["A BUR"]}, {"France": ["PAR"], "Turkey": ["SER"]})
    heron.writes(TURKEY, AS_TURKEY + "SET WAIT")
    heron.writes(FRANCE, AS_FRANCE + "A BUR H")
    told = heron.writes(KIM, AS_KIM + "CORRECT POSITION Nobody: SER")
    assert [mail.to for mail in told if "You are out of heron" in mail.flat] == [TURKEY]
    assert "All orders are in." in heron.replies(FRANCE, AS_FRANCE + "STATUS").text
    refused = heron.replies(TURKEY, AS_TURKEY + "SET WAIT")
    assert "Turkey has nothing left on the board, so it cannot hold up a phase." in refused.flat
    assert "WAIT is set" not in heron.replies(TURKEY, AS_TURKEY + "SET NOWAIT").text


def test_who_is_out_need_not_agree_that_bids_are_revealed(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "1648")
    units, centers = (desk.phase().position[one] for one in ("units", "centers"))
    desk.lay(units={"France": units["France"], "Neutral": units["Neutral"]}, centers={"France": centers["France"]})
    refused = desk.would_reply(TURKEY, AS_TURKEY + "SET REVEAL BIDS")
    assert "Turkey has nothing left on the board, so it has no vote." in refused.flat
    assert "bids revealed" not in desk.replies(FRANCE, "LIST heron").text
    desk.writes(FRANCE, AS_FRANCE + "SET REVEAL BIDS")
    assert "bids revealed" in desk.replies(FRANCE, "LIST heron").text


@pytest.mark.parametrize(("setting", "press"), [("SET NO PARTIAL", " and can write press"), ("SET NO PRESS", "")])
def test_who_is_eliminated_reads_what_they_may_still_do(winter: DeskAtWork, setting: str, press: str) -> None:
    winter.writes(KIM, AS_KIM + setting)
    winter.writes(FRANCE, AS_FRANCE + "BUILD A PAR")
    mails = [mail for mail in winter.ring(winter.now + timedelta(hours=1)) if "W1901A Results" in mail.subject]
    told = {mail.to: mail.flat for mail in mails if "You are out of heron: it does not wait for you" in mail.flat}
    assert told.keys() == {TURKEY}
    assert f"You still get its results{press}. To leave it, send RESIGN heron after SIGNON." in told[TURKEY]


def test_a_winter_in_which_nobody_has_a_choice_passes_at_once(heron: DeskAtWork) -> None:
    heron.writes(KIM, AS_KIM + "SET NMR")
    lay(heron, "F1901M", {"France": ["A BUR"], "Turkey": ["A ALB", "F AEG"]}, {"France": ["PAR"]})
    heron.writes(KIM, AS_KIM + "SET NONMR")
    heron.writes(FRANCE, AS_FRANCE + "A BUR H")
    heron.writes(TURKEY, AS_TURKEY + "A ALB H\nF AEG H")
    mails = heron.ring(heron.now + timedelta(hours=1))
    assert {"F1901M Results", "W1901A Results"} <= subjects(mails)
    fall, winter = (mail for mail in mails if mail.to == TURKEY and "Results" in mail.subject)
    told = fall.flat
    assert "2 units of yours will be removed, for lack of centers." in told and "remove 2 units" not in told
    assert "had no order" not in winter.text and "You have no centers and no units left." in winter.text
    assert ":: Deadline: S1902M" in winter.text
    back = heron.replies(KIM, AS_KIM + "ROLLBACK").text
    assert "has been rolled back to F1901M" in " ".join(back.split())


def test_who_is_out_is_not_told_that_there_is_nothing_to_order(winter: DeskAtWork) -> None:
    winter.writes(FRANCE, AS_FRANCE + "BUILD A PAR")
    (results,) = [mail for mail in winter.ring(winter.now + timedelta(hours=1)) if mail.to == TURKEY]
    assert "nothing to order" not in results.text + results.page


def test_who_has_no_choice_but_is_in_the_game_is_told_so(heron: DeskAtWork) -> None:
    units = {"France": ["A BUR"], "Turkey": ["A ALB"]}
    lay(heron, "F1901M", units, {"France": ["PAR", "BRE"], "Turkey": ["SER"]})
    heron.writes(FRANCE, AS_FRANCE + "A BUR H")
    heron.writes(TURKEY, AS_TURKEY + "A ALB H")
    (results,) = [mail for mail in heron.ring(heron.now + timedelta(hours=1)) if mail.to == TURKEY]
    assert "You have nothing to order in this phase." in results.text


def test_a_power_that_has_only_a_unit_to_retreat_can_be_taken(heron: DeskAtWork) -> None:
    dislodged = {"Turkey": [{"unit": "A SER", "from": "BUL"}]}
    lay(heron, "S1901R", {"France": ["A SER"]}, {"France": ["PAR"]}, dislodged=dislodged)
    heron.writes(TURKEY, AS_TURKEY + "RESIGN heron")
    answer = heron.replies("new@example.org", "REGISTER\nName: Nora\nEND\nSIGNON Theron pwnew\nA SER - ALB")
    assert "you now play Turkey in heron" in answer.flat
    assert "S1901R Results" in subjects(heron.ring(heron.now + timedelta(days=9)))


def test_points_alone_are_something_to_order(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "1648")
    units = desk.phase().position["units"].items()
    desk.lay(units={power: own for power, own in units if power != "France"})
    answer = desk.replies(FRANCE, AS_FRANCE + "DP NONE")
    assert answer.first_line == "Orders complete." and "nothing to order" not in answer.text
    assert "heron" in desk.replies(FRANCE, AS_FRANCE + "DP CLEAR").text


DUE = datetime.fromisoformat("2026-05-11T23:30:01+00:00")
OTHERS = {power: orders for power, orders in ALL_HOLD.items() if power not in ("france", "italy")}
FRANCE_OPEN = "Some orders of France are missing in heron. That power is now open to a replacement player."


def given_up(desk: DeskAtWork, settings: str, **orders: str) -> list[Posted]:
    """The mails at the end of grace in a game in which these powers and the `OTHERS` have ordered."""
    desk.seat_all("heron", "standard", f"{settings}\nSET NONMR, MOVE GRACE 24")
    for power, lines in {**OTHERS, **orders}.items():
        desk.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{lines}")
    desk.ring(DUE)
    return [mail for mail in desk.ring(DUE + timedelta(days=1)) if "Abandoned" in mail.subject]


def said(mails: list[Posted]) -> set[str]:
    return {" ".join(mail.text.split("\n\n")[0].split()) for mail in mails}


def test_who_has_ordered_some_units_is_not_said_to_have_sent_nothing(desk):
    assert said(given_up(desk, "SET GUNBOAT", france="A PAR - BUR")) == {
        "Italy sent no orders in heron, and some orders of France are missing. Those powers are now open to "
        "replacement players."
    }


def test_where_all_have_ordered_something_nobody_is_said_to_have_sent_nothing(desk):
    mails = given_up(desk, "", france="A PAR - BUR", italy="A ROM H; A VEN H; F NAP H")
    assert said(mails) == {FRANCE_OPEN}
    # The phase is still open: what France has ordered and what not is nobody's business.
    assert not any(word in mail.text for mail in mails for word in ("Paris", "PAR", "Marseilles", "MAR", "BRE"))


def test_in_a_quiet_game_a_player_is_told_of_their_own_orders_alone(desk):
    mails = given_up(desk, "SET QUIET", france="A PAR - BUR")
    told = {mail.to.partition("@")[0]: said([mail]).pop() for mail in mails}
    assert told.keys() == {"kim", "france", "italy"}
    assert told["france"] == FRANCE_OPEN
    assert told["italy"] == "Italy sent no orders in heron. That power is now open to a replacement player."
