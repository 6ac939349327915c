"""What old hands write: words, settings and blocks of njudge and DPjudge."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import mapped

KIM, FRANCE = "kim@example.org", "france@example.org"
MASTER, SIGNON = "SIGNON Mheron gm\n", "SIGNON Fheron pwfrance\n"


def test_rollback_to_a_turn(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "PROCESS!")
    heron.writes(KIM, MASTER + "PROCESS!")
    refused = heron.replies(KIM, MASTER + "ROLLBACK 7").text
    assert "Turn 7 was not played in heron. Its turns are 1 to 2." in refused
    heron.writes(KIM, MASTER + "ROLLBACK 1")
    assert heron.phase().name == "S1901M"


def test_history_of_days_that_have_been(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "PROCESS!")
    heron.now += timedelta(days=3)
    for span, found in {
        "FROM Apr 1": True, "FROM May 1 TO May 6": True, "FROM 6 May": False, "FROM Mon TO May 4": True,
        "FROM Nov 1 TO Dec 1": False, "FROM May 4": True,
    }.items():  # fmt: skip
        reply = heron.would_reply(FRANCE, f"HISTORY heron {span}")
        assert ("Movement results for Spring of 1901" in reply.text) == found, reply.text
        assert found or reply.first_line.startswith("Nothing was processed in heron in that time.")


def test_a_comment_of_several_lines(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "SET COMMENT BEGIN\nOrders by noon.\nA PAR - BUR\nEND\nSET COMMENT Friendly")
    listed = heron.replies(FRANCE, "LIST heron").text
    assert "Comment:   Friendly\n" in listed and "About:     Orders by noon.\n           A PAR - BUR\n" in listed
    heron.writes(KIM, MASTER + "SET NO COMMENT")
    assert "Orders by noon" not in heron.replies(FRANCE, "LIST heron").text
    assert "at most 60 lines" in heron.replies(KIM, MASTER + "SET COMMENT BEGIN\n" + "x\n" * 61).text


def test_list_tells_what_becomes_of_the_late(heron: DeskAtWork):
    assert "Standard Diplomacy, NMR (phases do" in heron.replies(FRANCE, "LIST").flat
    assert "without the missing orders (NMR)." in heron.replies(FRANCE, "LIST heron").flat
    heron.writes(KIM, MASTER + "SET NONMR")
    assert "the phase waits for them (NoNMR)." in heron.replies(FRANCE, "LIST heron").flat
    assert ", NMR (" not in heron.replies(FRANCE, "LIST").flat


def test_a_letter_of_the_second_in_which_the_phase_opened_is_not_before_it(heron: DeskAtWork):
    heron.now += timedelta(milliseconds=700)
    heron.writes(KIM, MASTER + "PROCESS!")
    opened = heron.now.replace(microsecond=0)
    early = heron.replies(FRANCE, SIGNON + "A PAR - BUR", received_at=opened - timedelta(seconds=1))
    assert "was sent before F1901M opened" in early.flat
    assert "Army Paris -> Burgundy" in heron.replies(FRANCE, SIGNON + "A PAR - BUR", received_at=opened).text


def test_a_retreat_owed_by_an_open_seat_is_told(heron: DeskAtWork):
    heron.writes("russia@example.org", "SIGNON Rheron pwrussia\nF SEV - RUM\nA MOS - UKR\nA WAR - SIL")
    heron.writes("germany@example.org", "SIGNON Gheron pwgermany\nA MUN - BOH\nA BER - SIL")
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA VIE - GAL")
    heron.writes(KIM, MASTER + "PROCESS!")
    heron.writes("russia@example.org", "SIGNON Rheron pwrussia\nA UKR - GAL\nA WAR S A UKR - GAL")
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nRESIGN heron")
    heron.new_mails()
    mails = heron.writes(KIM, MASTER + "PROCESS!")
    results = next(mail for mail in mails if mail.to == FRANCE)
    assert "Only Austria, which no one plays, would have something to order in that phase, so" in results.flat


TURKEY = "turkey@example.org"
HOLD = mapped("""
    austria => A VIE H, A BUD H, F TRI H
    england => A LVP H, F EDI H, F LON H
    germany => A BER H, A MUN H, F KIE H
    italy   => A ROM H, A VEN H, F NAP H
    russia  => A MOS H, A WAR H, F SEV H, F STP H
    turkey  => A CON H, A SMY H, F ANK H
    france  => A PAR H, A MAR H, F BRE H""")


def told(desk: DeskAtWork, who: str, text: str) -> str:
    """What is answered to a seat's letter."""
    name = who.partition("@")[0]
    signon = "SIGNON Mheron gm" if who == KIM else f"SIGNON {name}@heron pw{name}"
    return desk.replies(who, f"{signon}\n{text}").flat


def all_order(desk: DeskAtWork, but: str = "") -> None:
    for power, orders in HOLD.items():
        if power != but:
            desk.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{orders}")


def past_the_deadline(desk: DeskAtWork, hours: float = 1) -> list[Posted]:
    phase = desk.phase()
    at = phase.deadline_at
    return desk.ring(at + timedelta(hours=hours))


def test_with_manual_process_only_the_master_ends_a_phase(heron: DeskAtWork):
    assert "processed only when the master sends PROCESS" in told(heron, KIM, "SET MANUALPROCESS")
    assert "A phase is processed only when the master sends PROCESS" in told(heron, FRANCE, "LIST")
    assert "NMR" not in heron.replies(FRANCE, "LIST").text
    all_order(heron)
    mails = past_the_deadline(heron)
    assert [mail.to for mail in mails] == [KIM]
    waits = "S1901M of heron is waiting for you: all orders are in. To process it, send PROCESS S1901M."
    assert waits in mails[0].flat
    again = past_the_deadline(heron, 26)
    assert [mail.to for mail in again] == [KIM] and heron.phase().name == "S1901M"
    told(heron, KIM, "PROCESS! S1901M")
    assert heron.phase().name == "F1901M"


def test_with_manual_process_nobody_is_late_and_the_master_is_told_every_day(heron: DeskAtWork):
    told(heron, KIM, "SET MANUALPROCESS, GRACE 24, NONMR")
    all_order(heron, but="france")
    late = past_the_deadline(heron)
    assert [mail.to for mail in late] == [KIM]
    assert "orders of France are missing" in late[0].flat
    assert {mail.to for mail in past_the_deadline(heron, 25)} == {KIM}
    assert {mail.to for mail in past_the_deadline(heron, 49)} == {KIM}
    assert heron.phase().name == "S1901M"
    assert "processed automatically" in told(heron, KIM, "SET AUTOPROCESS")
    told(heron, FRANCE, HOLD["france"])
    heron.ring(heron.now + timedelta(hours=1))
    assert heron.phase().name == "F1901M"


def test_press_of_the_late_and_while_others_are_late(heron: DeskAtWork):
    told(heron, KIM, "SET GRACE 24, NO LATE PRESS, NO GRACE PRESS")
    told(heron, KIM, "PROCESS!")
    all_order(heron, but="france")
    assert "sent to" in told(heron, FRANCE, "PRESS TO T\nHello\nENDPRESS")
    past_the_deadline(heron)
    refused = told(heron, FRANCE, "BROADCAST\nHello\nENDPRESS")
    assert "late players cannot write press. Send your orders first" in refused
    assert "sent to the master" in told(heron, FRANCE, "PRESS TO M\nHello\nENDPRESS")
    assert "no press while others are late" in told(heron, TURKEY, "PRESS TO F\nHello\nENDPRESS")
    assert "sent to" in told(heron, KIM, "PRESS TO F\nHello\nENDPRESS")
    told(heron, KIM, "SET GRACEPRESS")
    assert "sent to" in told(heron, TURKEY, "PRESS TO F\nHello\nENDPRESS")
    told(heron, KIM, "SET LATEPRESS")
    assert "sent to" in told(heron, FRANCE, "PRESS TO T\nHello\nENDPRESS")


def test_late_count(heron: DeskAtWork):
    all_order(heron, but="france")
    past_the_deadline(heron)
    assert "(late once)" not in told(heron, FRANCE, "LIST")
    told(heron, KIM, "SET LATECOUNT")
    listed = told(heron, TURKEY, "LIST")
    assert "France <france@example.org> (late once)" in listed and listed.count("(late") == 1
    told(heron, KIM, "SET QUIET")
    assert "(late" not in told(heron, TURKEY, "LIST") and "(late once)" in told(heron, KIM, "LIST")


CENTERS_ABROAD = "France: SPA\nNobody: A MAR"
NO_HOME_LEFT = "France: SPA\nGermany: PAR, MAR, BRE\nNobody: A PAR\nNobody: A MAR\nNobody: F BRE"


@pytest.mark.parametrize(("setting", "abroad", "homeless"), [
    ("ANY CENTRES", True, True), ("ONE CENTER", True, False), ("HOMECENTERS", False, None),
])  # fmt: skip
def test_where_powers_build(desk: DeskAtWork, setting: str, abroad: bool, homeless: bool | None):
    desk.seat_all("heron", "standard", f"SET {setting}")
    for position, builds in ((CENTERS_ABROAD, abroad), (NO_HOME_LEFT, homeless)):
        if builds is not None:
            told(desk, KIM, f"CORRECT POSITION\n{position}\nEND\nPROCESS!")
            told(desk, KIM, "PROCESS!")
            assert desk.phase().name == "W1901A"
            assert ("France: Builds an army in Spain." in told(desk, FRANCE, "BUILD A SPA")) == builds
            told(desk, KIM, "ROLLBACK S1901M")
            told(desk, KIM, "ROLLBACK S1901M")
