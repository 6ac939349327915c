"""Press that HISTORY … BROAD tells again: to whom it was entitled, with no more of its sender than the mail told."""

import re
from datetime import timedelta

import pytest

from judge.store.engine import transaction
from judge.store.games import game_named
from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat

KIM = "kim@example.org"
ASK = "HISTORY heron FROM S1901M BROAD"
GREY, PARTIAL, PUBLIC = "Beware of the fleet.", "Between us.", "Peace, everybody!"


def sign(power: str) -> str:
    return f"SIGNON {power[0]}heron pw{power.lower()}\n"


def told(desk: DeskAtWork, sender: str, text: str = ASK) -> str:
    return desk.replies(sender, text).text


@pytest.fixture
def pressed(desk: DeskAtWork) -> DeskAtWork:
    """A gunboat game in which a grey broadcast, a message to Turkey and a white broadcast were sent, France's all."""
    desk.seat_seven()
    desk.goes_on("press in gunboat", lambda: press(desk))
    return desk


def press(desk: DeskAtWork) -> None:
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        game.settings = {**game.settings, "gunboat": True, "grey_press": True}
        session.add(game)
    letter = f"BROADCAST GREY\n{GREY}\nENDPRESS\nPRESS TO Turkey\n{PARTIAL}\nENDPRESS\nBROADCAST WHITE\n{PUBLIC}\n"
    reply = desk.replies("france@example.org", sign("France") + letter)
    assert reply.text.count("note: sent to") == 3


def test_who_reads_what(pressed: DeskAtWork):
    for who, partial, named in (
        ("france", True, True), ("turkey", True, False), ("italy", False, False), ("kim", False, True),
        ("stranger", False, False),
    ):  # fmt: skip
        text = pressed.would_reply(f"{who}@example.org", ASK).text
        assert "Results and press of heron, S1901M." in text
        assert f"Broadcast from France:\nSent Mon May 4 2026 10:09:00 +0000 in S1901M.\n\n{PUBLIC}" in text
        private = f"Press from France to Turkey:\nSent Mon May 4 2026 10:09:00 +0000 in S1901M.\n\n{PARTIAL}"
        assert (private in text, PARTIAL in text) == (partial, partial), who
        heading = "Broadcast from France (sent without a name):" if named else "Broadcast:"
        assert f"{heading}\nSent Mon May 4 2026 10:09:00 +0000 in S1901M.\n\n{GREY}" in text, who
        assert "@" not in text and "+0200" not in text
    assert "Nothing was processed in heron" in told(pressed, "turkey@example.org", "HISTORY heron FROM S1901M")


def test_what_left_somebody_out_is_told_to_them_neither_by_seat_nor_by_address(pressed: DeskAtWork):
    pressed.writes("england@example.org", sign("England") + "PRESS WHITE TO ALL BUT Italy\nNot to Italy.\n")
    assert "Not to Italy." not in told(pressed, "italy@example.org")
    assert "Not to Italy." not in told(pressed, "italy@example.org", sign("Italy") + ASK)
    assert "Not to Italy." in told(pressed, "germany@example.org")


def test_whoever_signs_on_from_elsewhere_reads_what_the_seat_got(pressed: DeskAtWork):
    assert PARTIAL in pressed.replies("elsewhere@example.com", sign("Turkey") + ASK).text


def test_whoever_signs_on_to_the_seat_of_another_reads_and_copies_nothing_of_their_own(pressed: DeskAtWork):
    mails = pressed.writes("france@example.org", sign("Italy") + ASK)
    assert {mail.to: PUBLIC in mail.text for mail in mails} == {"france@example.org": True, "italy@example.org": False}
    assert all(PARTIAL not in mail.text for mail in mails)
    assert all("(sent without a name)" not in mail.text for mail in mails)


def test_a_master_who_acts_for_a_power_reads_no_press_and_copies_none(pressed: DeskAtWork):
    mails = pressed.writes(KIM, f"SIGNON Mheron gm\nBECOME Turkey\n{ASK}")
    assert ["Ask in a separate email: while you act" in mail.flat for mail in mails if mail.to == KIM] == [True]
    for mail in mails:
        assert PUBLIC not in mail.text and PARTIAL not in mail.text and GREY not in mail.text


def test_a_newcomer_to_a_seat_has_not_got_what_was_sent_to_it_before(pressed: DeskAtWork):
    pressed.writes("turkey@example.org", sign("Turkey") + "RESIGN heron")
    pressed.writes("new@example.org", "REGISTER\nName: New\nEND\nSIGNON Theron newpass")
    text = told(pressed, "new@example.org")
    assert PUBLIC in text and PARTIAL not in text
    assert PARTIAL in told(pressed, "turkey@example.org")


def test_press_from_before_the_start_names_no_power_later(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    for name in ("ann", "bob", "cat", "dan", "eve", "fox", "gus"):
        press = "BROADCAST\nHi, I am Ann.\nENDPRESS\n" if name == "ann" else ""
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name}\nEND\nSIGNON ?heron pw{name}\n{press}")
    text = told(desk, "bob@example.org", "HISTORY heron FROM 2026-05-01 BROAD")
    assert "Results and press of heron, its forming." in text
    assert "Broadcast from a player:\nSent Mon May 4 2026 10:02:00 +0000.\n\nHi, I am Ann." in text
    assert "Hi, I am Ann." not in told(desk, "bob@example.org")


def test_press_with_words_of_sign_ons_is_kept_as_it_was_written(pressed: DeskAtWork):
    said = "Hello England, how are you?\nWatch Italy closely.\nLogin problems again!"
    pressed.writes("france@example.org", f"{sign('France')}BROADCAST WHITE\n{said[:45]}\nENDPRESS\n")
    assert said[:45] in told(pressed, "italy@example.org")


def test_an_animated_map_of_an_ended_game_shows_every_phase_and_no_more(heron: DeskAtWork):
    for orders in ("A PAR - BUR", "A BUR - BEL", "BUILD A PAR"):
        heron.writes("france@example.org", f"SIGNON Fheron pwfrance\n{orders}")
        heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nA BEL - HOL\nSET MAP SMALL")
    heron.expects("al@example.org", "", {"SUMMARY heron MAPS": "heron has not ended. For one phase, send MAP heron"})
    heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    for who in ("al@example.org", "france@example.org"):
        told = heron.would_reply(who, "SUMMARY heron MAPS")
        assert told.picture and told.picture[0] == "film" and "Summary of heron" in told.text
        frames = told.picture[1]["frames"]
        assert [frame["position"]["phase"] for frame in frames] == ["S1901M", "F1901M", "W1901A", "S1902M"]
        assert frames[-1]["outcome"] is None and "HOL" not in str(frames[-1]["position"]["units"])
    assert heron.would_reply("france@example.org", "SIGNON Fheron pwfrance\nSUMMARY MAPS").picture == told.picture


def test_a_map_in_words_has_each_neutral_once(swan: DeskAtWork):
    told = swan.replies("france@example.org", "MAP swan").text
    assert "Neutral: 31 units" in told and "Unowned centers" not in told
    assert told.count("Switzerland ") == 1


def test_a_map_of_a_part_counts_what_stands_there(swan: DeskAtWork):
    blocks = re.compile(r"^(\S.*): (?:(\d+) centers?, )?(\d+) units?\n((?:  .*\n)+)", re.MULTILINE)
    for part in ("West", "Center", "East"):
        told = blocks.findall(swan.replies("al@example.org", f"MAP swan {part}").text)
        for power, centers, units, shown in told:
            assert int(units) == len(re.findall(r" (?:Army|Fleet)\b", shown)), (part, power)
            assert power == "Neutral" or int(centers) == shown.count("* "), (part, power)
        assert len(told) > 2


def test_info_of_neutrals_suggests_no_province(desk: DeskAtWork) -> None:
    desk.seat_all("swan", "1648")
    for name in ("Neutral", "neutrals"):
        told = desk.replies("france@example.org", f"INFO {name} swan").flat
        assert "Neutral is not a province, and INFO describes one. STATUS shows all units." in told


def test_info_says_which_powers_may_get_a_third_home_center_there(desk: DeskAtWork):
    desk.seat_all("swan", "ambition_empire")
    desk.lay("", "swan", homes={"Spain": ["POR"]})
    told = desk.would_reply("poland@example.org", "INFO BAW swan\nINFO KON swan\nINFO ANK swan").flat
    powers = "Denmark-Norway, Poland & Saxony, Sweden or Turkey"
    if_won = "if it is the first center that the power wins"
    assert f"Builds: no one yet; {powers}, {if_won}" in told
    assert f"Builds: Prussia, while it owns the center; {powers}, {if_won}" in told
    assert f"Builds: Turkey, while it owns the center; Denmark-Norway, Poland & Saxony or Sweden, {if_won}" in told


def test_a_history_of_the_last_days_says_how_to_ask_for_everything(heron: DeskAtWork):
    """So does the start email of whoever takes over a power."""
    master = "SIGNON Mheron gm\n"
    heron.writes(KIM, master + "PROCESS!")
    assert "send HISTORY heron FROM" not in told(heron, KIM, "HISTORY heron")
    heron.now += timedelta(days=9)
    heron.writes(KIM, master + "PROCESS!")
    everything = "For everything, send HISTORY heron FROM S1901M."
    assert everything in flat(told(heron, KIM, "HISTORY heron"))
    assert everything not in flat(told(heron, KIM, "HISTORY heron FROM F1901M"))
    heron.writes(KIM, master + "EJECT France")
    mails = heron.writes("ann@example.org", "REGISTER\nName: Ann\nEND\nSIGNON Fheron annsword")
    (start,) = [mail.flat for mail in mails if "You Play France" in mail.subject]
    assert "MAP heron (board), HISTORY heron (results) or HELP (commands)." in start
