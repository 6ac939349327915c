"""What the judge says of lines that it does not carry out: none that may be a command is dropped in silence."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE, KIM, OLLY = "france@example.org", "kim@example.org", "olly@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
MASTER = "SIGNON Mheron gm\n"
ORDERS = "A PAR H\nA MAR H\nF BRE H\n"


def test_prose_with_such_a_word_is_not_taken_for_it(heron: DeskAtWork):
    prose = "Register my thanks for the game\nWe watch the standby list closely"
    assert "is read only above" not in heron.replies(FRANCE, f"{SIGNON}{ORDERS}{prose}").flat


def test_who_observes_one_game_need_not_name_it(heron: DeskAtWork):
    heron.observes(OLLY)
    heron.expects(OLLY, "", dict.fromkeys(
        ["UNSUBSCRIBE", "STOP", "Remove me", "stop"], "to stop observing heron"))  # fmt: skip


def test_who_observes_two_games_is_asked_which(heron: DeskAtWork):
    heron.seat_seven("gull")
    heron.observes(OLLY)
    heron.observes(OLLY, "OBSERVE gull")
    assert "UNSUBSCRIBE gull; UNSUBSCRIBE heron" in heron.replies(OLLY, "UNSUBSCRIBE").flat


def test_clear_says_that_bids_stay(desk: DeskAtWork):
    desk.seat_all("swan", "1648")
    signon = "SIGNON Fswan pwfrance\n"
    desk.writes(FRANCE, f"{signon}A PAR H\nDP 1: A SWI H")
    assert "Your bids stay on file; DP CLEAR takes them back." in desk.replies(FRANCE, f"{signon}CLEAR").flat


def test_bids_alone_without_a_signon_are_orders_too(desk: DeskAtWork):
    desk.seat_all("swan", "1648")
    answer = desk.replies(FRANCE, "DP 2: A SWI H")
    assert "Your email has orders but no SIGNON line" in answer.flat


@pytest.mark.parametrize("opening", ["CREATE ?heron pw", "SIGNON Fheron wrong", "SIGNON Fheron", "JOIN heron please",
                                     "SIGNON Fheron pwfrance\nA MAR H\nRESIGN heron now"])  # fmt: skip
def test_the_lines_below_a_sign_on_that_was_refused_are_named(heron: DeskAtWork, opening: str):
    """Above all else: they may be the orders of the phase."""
    answer = heron.replies(FRANCE, f"{opening}\nA PAR - BUR\nSET WAIT")
    lines = answer.flat.partition(":: Judge")[0]
    assert "was refused. The lines after it were not read: A PAR - BUR, SET WAIT." in lines


def test_a_line_that_is_not_done_is_answered_with_what_to_write(heron: DeskAtWork):
    above = ("1 line not understood. Orders complete.",
             "is read only above all SIGNON lines: write it there, or in a separate email.")  # fmt: skip
    heron.expects(FRANCE, SIGNON + ORDERS, dict.fromkeys(
        ["FORGOT heron", "STANDBY", "NO STANDBY", "UNSUBSCRIBE heron", "REGISTER", "Standby",
         "I AM ALSO x@example.net", "FORGET ADDRESS x@example.net", "CONFIRM abcdefghijkl"], above))  # fmt: skip
    heron.expects(KIM, MASTER, {
        **dict.fromkeys(["EXTEND 24H", "please extend the deadline", "Extend deadline by 2 days",
                         "POSTPONE the deadline"], ("1 line ", "SET DEADLINE Fri 21:00")),
        "REPLACE Turkey tom@example.net": ("1 line ", "EJECT <power>"),
        "DECLARE DRAW": ("1 line ", "SET DRAW"),
        "Declare a draw": ("1 line ", "TERMINATE <game>"),
        "END GAME": ("1 line ", "TERMINATE <game>"),
        "frobnicate": ("1 line ", "HELP master"),
        "France: A PAR - BUR": "To give orders for a power, write BECOME and its name above them.",
    })  # fmt: skip
