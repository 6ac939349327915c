"""What a player means: other ways to order and bid, what is suggested instead, and what is said of other lines."""

import re
from datetime import timedelta

import pytest

from judge.commands.play.stray_lines import suggested
from judge.rules import Position, Unit, check_order, load_variant, parse_order
from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

FRANCE, AS_FRANCE = "france@example.org", "SIGNON Fheron pwfrance\n"


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
        "INFO EGY 1900": ("Egypt (EGY) on the board of variant 1900, at the start.", "British"),
        "INFO Hanover Ambition & Empire": "Hanover (HAN) on the board of Ambition & Empire, at the start.",
        "HELP STANDBY": "How to write STANDBY",
        f"{begin}\nSET VARIANT 1900": (
            "A game keeps the board it was created with: Standard Diplomacy.",
            "CREATE ?<game> <password> 1900"),
    })  # fmt: skip
    desk.seat_seven(game="col")
    assert "in col" in desk.replies(FRANCE, "GET MAP col").text, "a game comes first"


SIGNON = "SIGNON Fheron pwfrance\n"


def test_orders_for_all_units_are_kept_for_a_later_phase(heron):
    kept = heron.replies(FRANCE, f"{SIGNON}PHASE F1901M\nall others hold\nA PAR - BUR\n")
    assert "F1901M, 2" in kept.flat
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M\n")
    (told,) = [mail.flat for mail in mails if mail.to == FRANCE and "Pending" in mail.subject]
    assert "Army Paris -> Burgundy" in told
    assert "Fleet Brest HOLD" in told and "Army Marseilles HOLD" in told


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


@pytest.mark.parametrize("line", ["BIDS", "all bids", "POINTS?"])
def test_a_master_who_asks_for_bids_reads_where_they_are(heron: DeskAtWork, line: str) -> None:
    told = heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").flat
    assert "STATUS shows all bids on file. HISTORY BIDS shows the bids of earlier phases." in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ROLLBACK heron S1901M", "Not done. Write ROLLBACK S1901M."),
        ("HISTORY BIDS heron", "Not done. Write HISTORY BIDS."),
        ("ROLLBACK heron at once", "Not done. Write ROLLBACK [<phase or turn>]."),
    ],
)
def test_a_command_with_the_name_of_its_game_is_suggested_without_it(heron: DeskAtWork, line: str, told: str) -> None:
    assert told in heron.would_reply("kim@example.org", f"SIGNON Mheron gm\n{line}").flat


def test_an_order_for_another_kind_of_phase_is_understood(heron: DeskAtWork) -> None:
    reply = heron.would_reply("france@example.org", "SIGNON Fheron pwfrance\nBUILD A PAR")
    assert reply.first_line.startswith("1 line refused. ")


@pytest.mark.parametrize(("line", "count"), [
    ("Kim", 0), ("Kim.", 0), ("-Émile", 0), ("👍", 0), ("Thoughts:", 1), ("apar-bur", 1), ("sweet orders:", 1),
])  # fmt: skip
def test_the_first_sentence_counts_ignored_lines_but_no_names(heron: DeskAtWork, line: str, count: int) -> None:
    reply = heron.would_reply(FRANCE, f"{AS_FRANCE}{line}\nA PAR - BUR\nA MAR H\nF BRE H")
    assert reply.first_line == "1 line ignored. Orders complete." * count + "Orders complete." * (1 - count)


def test_an_order_after_the_name_of_a_later_phase_gets_the_line_to_write(heron: DeskAtWork) -> None:
    """ "Write the order only" would have filed it for the open phase."""
    later = "Not recorded: write PHASE F1901M on a line of its own, and the order below it."
    here = "Write the order only: A PAR H."
    lines = {"F1901M: A PAR H": later, "Next turn: A PAR H": later, "S1901M: A PAR H": here, "Hence: A PAR H": here}
    lines |= {"France - Fall 1901: A PAR H": later, "heron, Fall 1901: A PAR H": later}
    heron.expects(FRANCE, AS_FRANCE, lines)


CHANGED = """
    change A PAR - GAS to A PAR - BUR             => A PAR - BUR
    Please change A PAR - PIC into A PAR - BUR    => A PAR - BUR
    replace A PAR - PIC with A PAR - BUR          => A PAR - BUR
    A PAR - BUR instead of A PAR - GAS            => A PAR - BUR
    instead of A PAR - PIC: A PAR - BUR           => A PAR - BUR
    A PAR - BUR, not A PAR - GAS                  => A PAR - BUR
    Correction: not A PAR - BUR but A PAR - PIC   => A PAR - PIC
    old: A PAR - PIC, new: A PAR - BUR            => A PAR - BUR
    Army Paris to Gascony -> Army Paris to Picardy => Army Paris to Picardy
    change A MAR S A PAR - BUR to A MAR - SPA     => A MAR - SPA"""


@pytest.mark.parametrize(("line", "order"), table(CHANGED))
def test_a_line_that_changes_an_order_is_named_first_with_the_new_order(heron: DeskAtWork, line: str, order: str):
    reply = heron.would_reply(FRANCE, f"{AS_FRANCE}F BRE H\n{line}\n").flat
    assert reply.startswith(f'"{line}" was NOT recorded. Write only {order}. 2 units without orders: A MAR, A PAR.')


@pytest.mark.parametrize("line", ["A PAR - GAS or to F BRE - MAO", "change A PAR - GAS to F BRE - MAO"])
def test_a_line_with_orders_of_two_units_changes_none(heron: DeskAtWork, line: str):
    assert "Write only" not in heron.would_reply(FRANCE, f"{AS_FRANCE}{line}\n").flat


def test_an_order_that_is_conditional_or_taken_back_is_not_suggested(heron: DeskAtWork):
    for line in ("If Italy moves to PIE, A MAR H, otherwise A MAR - SPA", "not A MAR - SPA", "Cancelled: A MAR - SPA"):
        told = heron.would_reply(FRANCE, f"{AS_FRANCE}{line}\n").flat
        assert "so it was not recorded. Write the order only." in told


def test_only_the_first_lines_of_a_letter_are_searched_for_new_orders(heron: DeskAtWork):
    """Each takes a hundred times as long as an order."""
    many = "cancel A PAR H cancel A PAR H cancel A PAR H\n"
    changed = "change A PAR - GAS to A PAR - BUR\n"
    assert "Write only A PAR - BUR" in heron.would_reply(FRANCE, f"{AS_FRANCE}{many * 5}{changed}").flat
    assert "Write only" not in heron.would_reply(FRANCE, f"{AS_FRANCE}{many * 20}{changed}").flat
