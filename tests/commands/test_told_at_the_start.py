"""What a player is told before the first order: what wins, what is special, how the game is set, points, the late."""

import textwrap

import pytest

from judge.rules import load_variant, variant_names
from tests.commands.deskatwork import DeskAtWork


def start_mail(desk: DeskAtWork, variant: str, reader: str, settings: str = "") -> str:
    desk.seat_all("heron", variant, settings)
    (mail,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == reader]
    return mail.flat


@pytest.mark.parametrize("name", variant_names())
def test_what_is_special_about_a_board_is_told_in_three_lines(name):
    special = load_variant(name).special
    assert len(textwrap.wrap(special, 78)) <= 3 and bool(special) is (name != "standard")


def test_the_start_mail_tells_what_wins_what_becomes_of_the_late_and_where_help_is(desk):
    text = start_mail(desk, "standard", "france@example.org")
    assert "To win, own 18 of 34 centers and more than any other power after a Fall." in text
    assert "For more, send GET RULES heron (rules), GET MAP heron (borders), MAP heron (board) or HELP" in text
    assert "At the deadline the phase is processed with whatever orders are in: units without orders hold" in text
    assert "without a unit" not in text, "every center has its unit"


def test_with_grace_and_without_nmr_the_late_lose_their_seats_later(desk):
    text = start_mail(desk, "standard", "kim@example.org", "SET GRACE 24\nSET NONMR")
    assert "When grace ends, 24 hours after the deadline, powers that are still late become open" in text


def test_every_setting_that_was_chosen_is_told(desk):
    settings = "SET GUNBOAT\nSET CENTERS 20\nSET MOVE NEXT 47\nSET REMIND 12\nSET MAXABSENCE 5\nSET STRICTGRACE"
    text = start_mail(desk, "standard", "france@example.org", settings)
    assert "own 20 of 34 centers" in text
    assert "Settings: white press, gunboat, moves 47 hours" in text
    assert "grace ends to the hour" in text and "reminders 12 hours before a deadline" in text
    assert "absences of at most 5 days" in text


def test_intercontinental_2_2_and_5_2_the_last_year_and_the_canal_are_told_before_the_first_order(desk):
    text = start_mail(desk, "intercontinental", "blue@example.org", "SET SUEZ 1867\nSET YEAR CAP 1875")
    assert "You have been selected as Blue in game 'heron': " in text
    (master,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == "kim@example.org"]
    for told in (master.flat, master.page):
        assert "You are the master of heron." in told and "ou play" not in told and "selected" not in told
    assert "until its canal opens in Spring 1867" in text
    assert "the game ends after the Fall of 1875 as a draw of all survivors." in text
    assert "Suez opens in 1867, 1875 is the last year." in text


def test_intercontinental_5_2_the_usual_year_of_the_canal_is_told_too(desk):
    assert "until its canal opens in Spring 1870" in start_mail(desk, "intercontinental", "blue@example.org")


@pytest.mark.parametrize(("variant", "told"), [("1900", "Liverpool (Britain)"), ("ambition_empire", "Liverpool (Br")])
def test_a_center_that_is_owned_and_has_no_unit_is_told(desk, variant, told):
    """1900, Short Rules 3; Ambition & Empire, II 6."""
    assert f"Centers without a unit: {told}" in start_mail(desk, variant, "france@example.org")


@pytest.mark.parametrize(
    ("variant", "reader", "told"),
    [
        ("1648", "france", "You have 6 Diplomacy Points for this phase, to spend on 31 neutrals. You can put at most 2 "
                           "points on one neutral, and that many on no more than 2 neutrals."),
        ("1648", "england", "You have 3 Diplomacy Points for this phase, to spend on 31 neutrals."),
        ("ambition_empire", "spain", "You have 2 Diplomacy Points for this phase, to spend on 17 neutrals. For"),
        ("intercontinental", "blue", "Diplomacy Points for this phase, to spend on 106 neutrals. You can put at most 2 "
                                     "points on one order."),
    ],
)  # fmt: skip
def test_own_points_and_their_limits_are_told(desk, variant, reader, told):
    """1648, Diplomacy Points; Ambition & Empire, IV; Intercontinental, 11.1 and 11.3."""
    assert told in start_mail(desk, variant, f"{reader}@example.org")
    (master,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == "kim@example.org"]
    assert "to spend on" not in master.flat


SET = "REGISTER\nName: Kim\nEND\nCREATE ?heron gm intercontinental\nSET SUEZ 1868\nSET NO REVEAL BIDS\n"
TOLD = ("To win, own 72 of 180 centers", "Each player has four powers of one color.", "Suez opens in 1868.",
        "At the deadline the phase is processed",
        "Send LIST heron for the settings, GET RULES heron for the rules.")  # fmt: skip


def test_whoever_joins_is_told_how_the_game_is_set(desk):
    desk.writes("kim@example.org", SET)
    text = desk.replies("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?heron pw").flat
    assert not [told for told in TOLD if told not in text]


def test_whoever_is_let_in_by_the_master_is_told_so_too(desk):
    desk.writes("kim@example.org", SET + "SET APPROVAL")
    desk.writes("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?heron pw")
    mails = desk.writes("kim@example.org", "SIGNON Mheron gm\nAPPROVE al@example.org")
    (text,) = [mail.flat for mail in mails if mail.to == "al@example.org"]
    assert not [told for told in TOLD if told not in text]
