"""What a player means: other ways to order and bid, what is suggested instead, and what is said of other lines."""

import re
from datetime import timedelta

import pytest

from judge.commands.play.stray_lines import suggested
from judge.rules import Position, Unit, check_order, load_variant, parse_order
from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

FRANCE, AS_FRANCE = "france@example.org", "SIGNON Fheron pwfrance\n"


def remarks(text: str) -> list[str]:
    """The judge's remarks in a reply, each in one line."""
    joined = " ".join(text.split("\n\nMovement orders")[0].split("\n\nRetreat")[0].split())
    return joined.split("> ")[1:]


def test_a_wrong_letter_in_a_bid_is_told(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "1648")
    text = desk.replies(FRANCE, f"{AS_FRANCE}DP 1: F SWI H").text
    [remark] = remarks(text)
    assert "note: the unit in Switzerland is an army, so this was taken as A SWI H." in remark


def test_a_wrong_letter_of_a_unit_is_told(heron: DeskAtWork) -> None:
    text = heron.replies(FRANCE, f"{AS_FRANCE}A BRE - MAO\nF MAR S F PAR - BUR").text
    first, second = remarks(text)
    assert "note: the unit in Brest is a fleet, so this was taken as F BRE - MAO." in first
    assert "the unit in Marseilles is an army and the unit in Paris is an army, so this was taken as " in second
    assert "A MAR S A PAR - BUR." in second


def test_orders_with_the_right_letters_or_none_get_no_remark(heron: DeskAtWork) -> None:
    assert not remarks(heron.replies(FRANCE, f"{AS_FRANCE}BRE - MAO\nA MAR S PAR - BUR\nA PAR - BUR").text)


def test_what_a_letter_that_looks_meant_for_another_phase_replaces_is_told(heron: DeskAtWork) -> None:
    heron.replies(FRANCE, f"{AS_FRANCE}A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO")
    text = heron.replies(FRANCE, f"{AS_FRANCE}A BUR - MUN\nA MAR - SPA\nF BRE - MAO").text
    gone, replaced = remarks(text)
    assert "There is no unit in Burgundy." in gone
    assert "note: this replaces A MAR S A PAR - BUR. Did you mean it for S1901M?" in replaced
    assert not remarks(heron.replies(FRANCE, f"{AS_FRANCE}A MAR - BUR").text), "a new letter of the same phase"


def test_an_order_of_another_kind_of_phase_replaces_nothing(heron: DeskAtWork) -> None:
    lines = ("A PAR R PIC", "A PAR D", "BUILD A PAR", "REMOVE A PAR", "A PAR B", "R A PAR")
    heron.replies(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    answer = heron.replies(FRANCE, AS_FRANCE + "\n".join(lines))
    assert answer.flat.count("this is a movement phase") == len(lines)
    assert "Army Paris -> Burgundy." in answer.text


def test_a_fleet_that_cannot_go_is_named_with_its_coast(heron: DeskAtWork) -> None:
    text = heron.replies("russia@example.org", "SIGNON Rheron pwrussia\nF STP - BAR\nA MOS S F STP - NWY").text
    assert "Fleet St. Petersburg (south coast) cannot reach Barents Sea." in " ".join(text.split())
    assert "Fleet St. Petersburg (south coast) cannot reach Norway." in " ".join(text.split())


def test_a_game_is_asked_before_a_board(desk: DeskAtWork) -> None:
    """A game may have the name of a board."""
    desk.seat_all("1900", "1900")
    assert desk.replies(FRANCE, "INFO EGY 1900").text.startswith("Egypt (EGY) in 1900.")


def test_a_retreat_that_is_replaced_by_a_move_of_the_next_phase_is_told(heron: DeskAtWork) -> None:
    """In a retreat "A MUN - RUH" is a retreat, also where it was meant for the movement that follows."""
    as_germany = "SIGNON Gheron pwgermany\n"
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA VIE - BOH")
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    with_deadline(heron)
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA BOH S A BUR - MUN")
    heron.writes(FRANCE, f"{AS_FRANCE}A BUR - MUN")
    with_deadline(heron)
    germany = "germany@example.org"
    heron.replies(germany, f"{as_germany}A MUN - TYR")
    text = heron.replies(germany, f"{as_germany}A BER - KIE\nA MUN - RUH").text
    assert "note: this replaces A MUN - TYR. Did you mean it for F1901R?" in " ".join(text.split())


def with_deadline(desk: DeskAtWork) -> None:
    """The open phase is processed when it is due, with whatever is on file."""
    due = desk.phase().grace_ends_at
    desk.ring(due + timedelta(seconds=1))


def test_boards_are_called_by_their_titles(desk: DeskAtWork) -> None:
    begin = "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm"
    titles = {
        "Ambition & Empire": "Ambition & Empire", "A&E": "Ambition & Empire", "Ambition": "Ambition & Empire",
        "Build Anywhere": "Build Anywhere", "1900": "1900",
    }  # fmt: skip
    desk.expects("kim@example.org", "", {
        **{f"{begin} {title}": ("heron has been created", f"Variant: {board}") for title, board in titles.items()},
        **dict.fromkeys(["GET Ambition & Empire", "GET A&E", "HELP ambition"], "Ambition & Empire."),
        "GET RULES A&E": "The rules of Ambition & Empire.",
        "GET MAP Ambition & Empire": "The map of Ambition & Empire",
        "INFO EGY 1900": ("Egypt (EGY) on the board of 1900, at the start.", "British"),
        "INFO Hanover Ambition & Empire": "Hanover (HAN) on the board of Ambition & Empire, at the start.",
        "HELP STANDBY": "How to write STANDBY",
        f"{begin}\nSET VARIANT 1900": (
            "A game keeps the board it was created with: Standard Diplomacy.",
            "CREATE ?<game> <password> 1900"),
    })  # fmt: skip
    desk.seat_seven(game="col")
    assert "in col" in desk.replies(FRANCE, "GET MAP col").text, "a game comes first"


KIM, OLLY = "kim@example.org", "olly@example.org"
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


@pytest.mark.parametrize("lines", ["A PAR - BUR\nall others hold", "the rest holds\nA PAR - BUR"])
def test_the_others_are_those_without_an_order_wherever_the_line_stands(heron, lines):
    reply = heron.replies(FRANCE, f"{SIGNON}{lines}\n")
    assert "Orders complete." in reply.text
    assert "two orders" not in reply.text
    text = reply.flat
    assert "Army Paris -> Burgundy" in text
    assert "Fleet Brest HOLD" in text
    assert "Army Marseilles HOLD" in text


def test_the_others_may_hold_on_the_same_line(heron):
    """They were all units: the order on the line was replaced by a hold."""
    for line in ("A PAR - BUR, all others hold", "A PAR - BUR; rest hold", "A PAR - BUR and everything else holds"):
        text = heron.would_reply(FRANCE, f"{SIGNON}{line}\n").flat
        assert text.startswith("Orders complete.") and "Army Paris -> Burgundy" in text, line
        assert "Fleet Brest HOLD" in text and "Army Paris HOLD" not in text, line
    guess = heron.would_reply(FRANCE, f"{SIGNON}WHATIF\nA PAR - BUR\nall others hold\nENDWHATIF\n").flat
    assert "Army Paris -> Burgundy" in guess and "Fleet Brest HOLD" in guess


def test_what_is_on_file_is_no_other_unit(heron):
    heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\n")
    reply = heron.replies(FRANCE, f"{SIGNON}all other units hold\n")
    assert "Army Paris -> Burgundy" in reply.flat


def test_all_units_are_all_whatever_was_on_file(heron):
    heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\n")
    assert "Army Paris HOLD" in heron.replies(FRANCE, f"{SIGNON}all units hold\n").flat


def test_two_orders_for_a_unit_are_told_first(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\nall units hold\n")
    assert reply.flat.startswith("A PAR has two orders in this email: the last one, A PAR H, is on file.")


def test_orders_for_all_units_are_kept_for_a_later_phase(heron):
    kept = heron.replies(FRANCE, f"{SIGNON}PHASE F1901M\nall others hold\nA PAR - BUR\n")
    assert "F1901M, 2" in kept.flat
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M\n")
    (told,) = [mail.flat for mail in mails if mail.to == FRANCE and "Pending" in mail.subject]
    assert "Army Paris -> Burgundy" in told
    assert "Fleet Brest HOLD" in told and "Army Marseilles HOLD" in told


def test_what_a_condition_stands_with_is_not_for_all(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}all units hold unless Germany attacks\n")
    assert "HOLD" not in reply.text.split("all units hold unless")[0]
    assert "Orders complete." not in reply.text


def test_a_fleet_is_told_that_it_is_not_convoyed(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}F BRE - ENG via convoy\n")
    assert "a fleet is never convoyed, so this was taken as F BRE - ENG." in reply.flat


STANDARD = load_variant("standard")
BALKANS = Position(
    "F1901M",
    units={
        "Austria": (Unit("A", "SER"), Unit("A", "VEN"), Unit("A", "GAL"), Unit("F", "ADR")),
        "Turkey": (Unit("A", "BUL"), Unit("F", "BLA")),
    },
    centers={},
)


@pytest.mark.parametrize(
    ("order", "told"),
    table("""
    A SER S VEN         => Did you mean A SER S A VEN - ALB or A SER S A VEN - TRI?
    A SER S BUD         => Did you mean A SER S A GAL - BUD?
    A SER S RUM         => Did you mean A SER S A GAL - RUM, A SER S A BUL - RUM or A SER S F BLA - RUM?
    A SER - ROM         => Legal: A SER - ALB, BUD, BUL, GRE, RUM or TRI.
    F ADR - VIE         => Legal: F ADR - ALB, APU, ION, TRI or VEN.
    A BUL - SER         =>
    A MOS - SER         =>
    F ADR C A TRI - VIE =>"""),
)
def test_only_what_is_legal_here_is_suggested(order: str, told: str) -> None:
    assert suggested(STANDARD, BALKANS, "Austria", parse_order(STANDARD, "M", order)) == told
    for found in re.findall(r"A SER S [AF] \w+ - \w+", told):
        check_order(STANDARD, BALKANS, "Austria", parse_order(STANDARD, "M", found))
