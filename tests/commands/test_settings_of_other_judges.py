"""Settings that njudge and DPjudge have, set by letters, and what they do then; others are refused by name."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import mapped

KIM, FRANCE, TURKEY = "kim@example.org", "france@example.org", "turkey@example.org"
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
    told(heron, KIM, "PROCESS S1901M")
    assert heron.phase().name == "F1901M"


def test_with_manual_process_the_late_are_told_every_day_and_keep_their_seats(heron: DeskAtWork):
    told(heron, KIM, "SET MANUALPROCESS, GRACE 24, NONMR")
    all_order(heron, but="france")
    late = past_the_deadline(heron)
    assert {mail.to for mail in late} == {KIM, *(f"{power}@example.org" for power in HOLD)}
    assert any("orders of France are missing" in mail.flat for mail in late if mail.to == KIM)
    assert all("when the master decides" in mail.text for mail in late if "Late Notice" in mail.subject)
    assert {mail.to for mail in past_the_deadline(heron, 25)} == {KIM, FRANCE}
    assert {mail.to for mail in past_the_deadline(heron, 49)} == {KIM, FRANCE}
    assert heron.phase().name == "S1901M"
    assert "processed automatically" in told(heron, KIM, "SET AUTOPROCESS")
    told(heron, FRANCE, HOLD["france"])
    heron.ring(heron.now + timedelta(hours=1))
    assert heron.phase().name == "F1901M"


def test_strict_wait(heron: DeskAtWork):
    told(heron, KIM, "SET STRICTWAIT")
    assert "WAIT is set" in told(heron, FRANCE, "SET WAIT")
    heron.writes(TURKEY, "SIGNON Theron pwturkey\nA CON - BUL")
    told(heron, KIM, "PROCESS")
    told(heron, KIM, "PROCESS")
    assert "only players who have something to order can set WAIT" in told(heron, FRANCE, "SET WAIT")
    assert "WAIT is set" in told(heron, TURKEY, "SET WAIT")
    told(heron, KIM, "SET NO STRICTWAIT")
    assert "WAIT is set" in told(heron, FRANCE, "SET WAIT")


def test_observers_press(heron: DeskAtWork):
    olly = "olly@example.org"
    heron.writes(olly, "REGISTER\nName: Olly\nEND")
    heron.writes(olly, "OBSERVE heron pwolly")

    def writes(text: str) -> str:
        return heron.replies(olly, f"SIGNON Oheron pwolly\n{text}\nHello.\nENDPRESS").flat

    told(heron, KIM, "SET WHITE/GREY, OBSERVER PRESS WHITE")
    assert "signed only from observers" in told(heron, FRANCE, "LIST")
    assert "observers can write white press only" in writes("BROADCAST GREY")
    assert "sent to" in writes("BROADCAST")
    told(heron, KIM, "SET NO OBSERVER PRESS")
    assert "In this game observers cannot write press" in writes("PRESS TO F")
    assert "sent to the master" in writes("PRESS TO M")
    told(heron, KIM, "SET ANY OBSERVER PRESS")
    assert "sent to" in writes("BROADCAST GREY")


def test_press_of_the_late_and_while_others_are_late(heron: DeskAtWork):
    told(heron, KIM, "SET GRACE 24, NO LATE PRESS, NO GRACE PRESS")
    told(heron, KIM, "PROCESS")
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


def test_unmoderated_players_rule_but_see_no_orders(heron: DeskAtWork):
    assert "is for the master" in told(heron, FRANCE, "SET GRACE 24")
    told(heron, KIM, "SET UNMODERATED")
    assert "unmoderated (players can also change settings)" in told(heron, FRANCE, "LIST")
    assert "Grace is 24 hours" in told(heron, FRANCE, "SET GRACE 24")
    assert "PREDICT is for the master" in told(heron, FRANCE, "PREDICT")
    assert "BECOME is for the master" in told(heron, FRANCE, "BECOME Turkey")
    heron.observes("watch@example.org", "OBSERVE heron")
    assert "PROMOTE is for the master" in told(heron, FRANCE, "PROMOTE watch@example.org")
    assert "EJECT is for the master" in told(heron, FRANCE, "EJECT Turkey")
    assert "Write SET MODERATED first." in told(heron, FRANCE, "SET QUIET")
    told(heron, KIM, "SET MODERATED, QUIET")
    assert "is for the master" in told(heron, FRANCE, "SET GRACE 48")
    assert "Write SET NO QUIET first." in told(heron, KIM, "SET UNMODERATED")


CENTERS_ABROAD = "France: SPA\nNobody: A MAR"
NO_HOME_LEFT = "France: SPA\nGermany: PAR, MAR, BRE\nNobody: A PAR\nNobody: A MAR\nNobody: F BRE"


@pytest.mark.parametrize(("setting", "abroad", "homeless"), [
    ("ANY CENTRES", True, True), ("ONE CENTER", True, False), ("HOMECENTERS", False, None),
])  # fmt: skip
def test_where_powers_build(desk: DeskAtWork, setting: str, abroad: bool, homeless: bool | None):
    desk.seat_all("heron", "standard", f"SET {setting}")
    for position, builds in ((CENTERS_ABROAD, abroad), (NO_HOME_LEFT, homeless)):
        if builds is not None:
            told(desk, KIM, f"CORRECT POSITION\n{position}\nEND\nPROCESS")
            told(desk, KIM, "PROCESS")
            assert desk.phase().name == "W1901A"
            assert ("France: Builds an army in Spain." in told(desk, FRANCE, "BUILD A SPA")) == builds
            told(desk, KIM, "ROLLBACK S1901M")
            told(desk, KIM, "ROLLBACK S1901M")


def test_what_is_not_here_is_refused_by_name(heron: DeskAtWork):
    missing = mapped("""
        SET RATED                 => this judge has no ratings
        SET DEDICATION 100        => this judge has no ratings
        SET LEVEL Novice          => this judge cannot restrict a game by level
        SET FAKE                  => this judge never fakes press
        RENAME swan               => a game keeps its name
        PROXY TO Italy            => no one can order another power's units
        RENAME heron swan         => a game keeps its name
        A PAR PROXY TO Italy      => no one can order another power's units
        PROXY A PAR TO Italy      => no one can order another power's units
        F BRE GIVE PROXY TO Italy => no one can order
        WHOIS Turkey              => write an address
        SET POSTALPRESS           => press goes to the powers it names
        ROLLFORWARD               => PROCESS plays the phases again""")
    heron.expects(KIM, "SIGNON Mheron gm\n", {
        f"{line}\nSET GRACE 48": (f"> {line} Not done: {why}", "Grace is 48 hours") for line, why in missing.items()
    })  # fmt: skip


def test_synonyms(heron: DeskAtWork):
    assert "nothing was processed" in told(heron, KIM, "PREVIEW")
    heron.writes(TURKEY, "SIGNON Theron pwturkey\nRESIGN heron")
    assert "civil disorder" in told(heron, KIM, "DUMMY Turkey")
    assert "no longer in civil disorder" in told(heron, KIM, "REVIVE Turkey")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nOFFICIAL Holidays\nNo turns in August.\nENDPRESS")
    assert sum("Holidays\n\nNo turns in August." in mail.text for mail in mails if mail.to != KIM) == 6
    assert "LIST hides" not in told(heron, KIM, "SET UNLISTED") and "LIST" in told(heron, KIM, "SET LISTED")
    assert "up to 10 days" in told(heron, KIM, "SET MAX ABSENCE 10")


def test_whois(heron: DeskAtWork):
    assert "Turkey <turkey@example.org>, in heron." in told(heron, FRANCE, "WHOIS turkey@example.org")
    heron.writes("jo@example.org", "REGISTER\nName: Jo\nEND")
    assert "You share no game with turkey@example.org" in heron.replies("jo@example.org", f"WHO IS {TURKEY}").text
    assert "You share no game" in told(heron, FRANCE, "WHOIS jo@example.org")
