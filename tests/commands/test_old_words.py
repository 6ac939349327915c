"""What old hands write: settings, dates, numbers of turns and names as njudge and DPjudge have them."""

from datetime import timedelta

from tests.commands.deskatwork import DeskAtWork

KIM, FRANCE = "kim@example.org", "france@example.org"
MASTER, SIGNON = "SIGNON Mheron gm\n", "SIGNON Fheron pwfrance\n"


def test_set_w_and_set_now(heron: DeskAtWork):
    assert "WAIT is set" in heron.replies(FRANCE, SIGNON + "SET W").text
    assert "WAIT is set" not in heron.replies(FRANCE, SIGNON + "SET NOW").text


def test_rollback_to_a_turn(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "PROCESS")
    heron.writes(KIM, MASTER + "PROCESS")
    refused = heron.replies(KIM, MASTER + "ROLLBACK 7").text
    assert "Turn 7 was not played in heron. Its turns are 1 to 2." in refused
    heron.writes(KIM, MASTER + "ROLLBACK 1")
    assert heron.phase().name == "S1901M"


def test_history_of_days_that_have_been(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "PROCESS")
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
    heron.writes(KIM, MASTER + "PROCESS")
    opened = heron.now.replace(microsecond=0)
    early = heron.replies(FRANCE, SIGNON + "A PAR - BUR", received_at=opened - timedelta(seconds=1))
    assert "was sent before F1901M opened" in early.flat
    assert "Army Paris -> Burgundy" in heron.replies(FRANCE, SIGNON + "A PAR - BUR", received_at=opened).text


def test_a_retreat_owed_by_an_open_seat_is_told(heron: DeskAtWork):
    heron.writes("russia@example.org", "SIGNON Rheron pwrussia\nF SEV - RUM\nA MOS - UKR\nA WAR - SIL")
    heron.writes("germany@example.org", "SIGNON Gheron pwgermany\nA MUN - BOH\nA BER - SIL")
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA VIE - GAL")
    heron.writes(KIM, MASTER + "PROCESS")
    heron.writes("russia@example.org", "SIGNON Rheron pwrussia\nA UKR - GAL\nA WAR S A UKR - GAL")
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nRESIGN heron")
    heron.new_mails()
    mails = heron.writes(KIM, MASTER + "PROCESS")
    results = next(mail for mail in mails if mail.to == FRANCE)
    assert "Only Austria, which no one plays, would have something to order in it: its results" in results.flat
