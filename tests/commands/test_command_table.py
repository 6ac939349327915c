"""What old hands write: words, settings and blocks of njudge and DPjudge."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import listed, mapped

KIM, FRANCE = "kim@example.org", "france@example.org"
MASTER, SIGNON = "SIGNON Mheron gm\n", "SIGNON Fheron pwfrance\n"


def test_set_w_and_set_now(heron: DeskAtWork):
    assert "WAIT is set" in heron.replies(FRANCE, SIGNON + "SET W").text
    assert "WAIT is set" not in heron.replies(FRANCE, SIGNON + "SET NOW").text


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


def test_set_variant_gunboat_is_set_gunboat(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    assert "Gunboat: only the master knows who plays what." in desk.replies(KIM, MASTER + "SET VARIANT GUNBOAT").text
    assert "No gunboat" in desk.replies(KIM, MASTER + "SET NOT VARIANT GUNBOAT").text


def test_a_comment_of_several_lines(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "SET COMMENT BEGIN\nOrders by noon.\nA PAR - BUR\nEND\nSET COMMENT Friendly")
    listed = heron.replies(FRANCE, "LIST heron").text
    assert "Comment:   Friendly\n" in listed and "About:     Orders by noon.\n           A PAR - BUR\n" in listed
    heron.writes(KIM, MASTER + "SET NO COMMENT")
    assert "Orders by noon" not in heron.replies(FRANCE, "LIST heron").text
    assert "at most 60 lines" in heron.replies(KIM, MASTER + "SET COMMENT BEGIN\n" + "x\n" * 61).text


def test_set_approve_with_letters(heron: DeskAtWork):
    heron.writes(FRANCE, SIGNON + "RESIGN heron")
    heron.writes(KIM, MASTER + "SET APPROVAL")
    heron.writes("jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON Fheron hush")
    refused = heron.replies(KIM, MASTER + "SET APPROVE FE")
    assert "no one waiting for your approval has asked to play England" in refused.flat
    assert "jo@example.org. To approve one, send APPROVE <address>." in refused.flat
    assert "Jo plays France in heron." in heron.replies(KIM, MASTER + "SET APPROVE F").text


def test_list_tells_what_becomes_of_the_late(heron: DeskAtWork):
    assert "Standard Diplomacy, NMR," in heron.replies(FRANCE, "LIST").flat
    assert "disband (NMR)." in heron.replies(FRANCE, "LIST heron").flat
    heron.writes(KIM, MASTER + "SET NONMR")
    assert "the phase waits for them (NoNMR)." in heron.replies(FRANCE, "LIST heron").flat
    assert "NMR, " not in heron.replies(FRANCE, "LIST").text.replace("NoNMR, ", "")


def test_press_to_a_power_that_nobody_plays_says_so(heron: DeskAtWork):
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nRESIGN heron")
    reply = heron.replies(FRANCE, SIGNON + "PRESS TO Austria, M\nHello?\nENDPRESS")
    assert "sent to the master. No one plays Austria." in reply.flat
    heron.writes(KIM, MASTER + "SET QUIET")
    reply = heron.replies(FRANCE, SIGNON + "PRESS TO Austria, M\nHello?\nENDPRESS")
    assert "No one plays" not in reply.text


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
    assert "Only Austria, which no one plays, would have something to order in it: its results" in results.flat


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


def test_strict_wait(heron: DeskAtWork):
    told(heron, KIM, "SET STRICTWAIT")
    assert "WAIT is set" in told(heron, FRANCE, "SET WAIT")
    heron.writes(TURKEY, "SIGNON Theron pwturkey\nA CON - BUL")
    told(heron, KIM, "PROCESS!")
    told(heron, KIM, "PROCESS!")
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


def test_unmoderated_players_rule_but_see_no_orders(heron: DeskAtWork):
    assert "is for the master" in told(heron, FRANCE, "SET GRACE 24")
    told(heron, KIM, "SET UNMODERATED")
    assert "unmoderated (players can also change settings)" in told(heron, FRANCE, "LIST")
    assert "Grace is 24 hours" in told(heron, FRANCE, "SET GRACE 24")
    assert "PREDICT is for the master" in told(heron, FRANCE, "PREDICT")
    assert "BECOME is for the master" in told(heron, FRANCE, "BECOME Turkey")
    heron.observes("watch@example.org", "OBSERVE heron")
    for line in ("PROMOTE watch@example.org", "EJECT Turkey"):
        assert "this needs the word of" in told(heron, FRANCE, line)
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
            told(desk, KIM, f"CORRECT POSITION\n{position}\nEND\nPROCESS!")
            told(desk, KIM, "PROCESS!")
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


ON_FILE = "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR - SPA\nF BRE - MAO"


def test_what_people_ask_for_in_sentences_is_answered_with_the_line_to_send(heron: DeskAtWork):
    """Also where all orders are on file: nobody may think that it was done."""
    wishes = mapped("""
        Please cancel all my orders.           => CLEAR takes back all your orders
        Ignore my previous orders              => CLEAR takes back all your orders
        I withdraw my order for A PAR          => CLEAR takes back all your orders
        I resign heron                         => send RESIGN <game> on a line of its own
        I want to resign.                      => send RESIGN <game> on a line of its own
        Please remove me from the game         => send RESIGN <game> on a line of its own
        I vote for a draw                      => SET DRAW votes for a draw
        Yes to the draw!                       => SET DRAW votes for a draw
        I concede to England                   => SET CONCEDE <power> for a concession
        Could I get a 24 hour extension?       => players ask for it with PRESS TO M
        Extension please                       => players ask for it with PRESS TO M
        I am on holiday from May 3 to May 10   => write SET ABSENCE <date> TO <date>
        Absent 3 May - 10 May                  => write SET ABSENCE <date> TO <date>
        My new address is bob@example.com      => send I AM ALSO <the address you have here>
        Tell England hi                        => write PRESS TO <powers>
        To all: hello                          => write PRESS TO <powers>""")
    heron.writes(FRANCE, ON_FILE)
    for wish, line in wishes.items():
        reply = heron.would_reply(FRANCE, f"{AS_FRANCE}{wish}").flat
        assert reply.startswith("1 line refused. Orders complete."), reply
        assert f"> {wish} No" in reply and line in reply, reply
    new_password = heron.would_reply(FRANCE, f"{AS_FRANCE}Please change my password to tulip").flat
    assert "SET PASSWORD <password> changes it" in new_password and "tulip" not in new_password


def test_the_first_sentence_counts_the_lines_that_were_ignored(heron: DeskAtWork):
    heron.writes(FRANCE, ON_FILE)
    told = heron.would_reply(FRANCE, f"{AS_FRANCE}I change Paris: it holds now\nCheers\nBob").flat
    assert told.startswith("1 line ignored. Orders complete."), told


def test_in_a_message_such_sentences_go_to_its_readers(heron: DeskAtWork):
    said = "I need more time to think.\nI resign to my fate.\nCancel my orders? Never.\nI accept the draw"
    mails = heron.would_write(FRANCE, f"{AS_FRANCE}PRESS TO E\n{said}")
    assert [said in mail.text for mail in mails if mail.to == "england@example.org"] == [True]


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
    assert "turkey@example.org is not in a current game" in heron.replies("jo@example.org", f"WHO IS {TURKEY}").text
    assert "is not in a current game with you" in told(heron, FRANCE, "WHOIS jo@example.org")


AS_FRANCE = "SIGNON Fheron pwfrance\n"


def answer(desk: DeskAtWork, text: str, sender: str = "france") -> str:
    """The only mail that a letter brings."""
    (mail,) = desk.writes(f"{sender}@example.org", text)
    return mail.flat


FIRST_LINES = """\
POSTAL PRESS
postal press
PRESS FAKE TO T
PRESS
press:
PRESS T
Press Turkey
PRESS FROM Italy TO Turkey
PRESS NO FAKE +T
PRESS QUIET TO T
PRESS TO T FROM E
PRESS TO T FAKE
FAKE TO T
GREY TO T
GREY PRESS TO T
ANONYMOUS PRESS TO T
FAKE TO Turkey
DIARY
DIARY RECORD
press fake broadcast
BROADCAST FAKE TO T
BROADCAST TO T
FAKE BROADCAST
GREY BROADCAST
FAKE BROADCAST TO T
white broadcast to T
PARTIAL BROADCAST +T
"""


def test_its_text_is_left_out_up_to_its_end(heron):
    first_lines = listed(FIRST_LINES)
    ends = ["ENDBROADCAST" if "broadcast" in line.lower() else "ENDPRESS" for line in first_lines]
    blocks = "".join(f"{first}\nA PAR - GAS\nMeet me.\n{end}\n" for first, end in zip(first_lines, ends, strict=True))
    told = answer(heron, f"{AS_FRANCE}{blocks}A MAR - SPA")
    assert told.startswith(f"{len(first_lines)} messages were NOT sent: POSTAL PRESS, postal press, "), told
    assert "Army Paris, no order (will HOLD)." in told
    assert "Army Marseilles -> Spain." in told
    assert "Meet me." not in told


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("IF A BUR THEN", "ENDIF"),
        ("if A BUR", "END IF"),
        ("IF (France A BUR) OR NOT F MAO", "ENDIF"),
        ("IF A BUR\nA PAR - PIC\nELSE IF A GAS\nA PAR - BRE\nIF F MAO\nA PAR - GAS\nENDIF", "ENDIF"),
    ],
)
def test_the_orders_of_a_condition_are_left_out_up_to_its_end(heron, first, last):
    told = answer(heron, f"{AS_FRANCE}{first}\nA PAR - GAS\nMeet me.\n{last}\nA MAR - SPA")
    assert told.startswith(f"The orders below {first.partition(chr(10))[0]} were NOT recorded."), told
    assert "Army Paris, no order (will HOLD)." in told and "Army Marseilles -> Spain." in told


def test_without_its_end_it_goes_on_to_the_next_sign_on_or_to_signoff(heron):
    for first in ("POSTAL PRESS", "PRESS FAKE TO T", "DIARY", "IF A BUR THEN", "IF A BUR"):
        again = heron.would_reply("france@example.org", f"{AS_FRANCE}{first}\nA PAR - GAS\n{AS_FRANCE}A MAR - SPA").flat
        assert "Army Marseilles -> Spain." in again
        assert "Army Paris, no order (will HOLD)." in again
        told = heron.would_reply("france@example.org", f"{AS_FRANCE}{first}\nA PAR - GAS\nSIGNOFF").flat
        assert "Army Paris, no order (will HOLD)." in told


def test_the_verdict_names_them_all(heron):
    told = answer(heron, f"{AS_FRANCE}POSTAL PRESS\nx\nENDPRESS\nDIARY\ny\nENDPRESS")
    assert told.startswith("2 messages were NOT sent: POSTAL PRESS, DIARY. 3 units without orders")


def test_prose_is_no_block(heron):
    prose = "If you help me I will help you.\nPress on with the attack!\nOfficial results, please.\nMy diary"
    told = answer(heron, f"{AS_FRANCE}{prose}\nA PAR - BUR")
    assert "Refused" not in told and "NOT" not in told
    assert "Army Paris -> Burgundy." in told
