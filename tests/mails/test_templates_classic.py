"""The lines of the mails that other programs read, word for word (docs/formats.md)."""

from types import SimpleNamespace

import pytest

from judge.mails.blocks import indented
from judge.mails.results import results_of
from judge.mails.templates import Texts
from judge.rules import adjudicate, load_variant, position_from_json
from tests.rules.lines import read_order

STANDARD = load_variant("standard")
CENTERS = {"Austria": ["VIE", "BUD", "TRI"], "England": ["LVP", "LON"], "Germany": ["MUN"], "Russia": ["STP"]}


def lines(phase: str, units: dict[str, list[str]], orders: dict[str, list[str]], **more: object) -> list[str]:
    """The lines of the results of these orders, from their title on."""
    position = position_from_json(STANDARD, {"phase": phase, "units": units, "centers": CENTERS} | more)
    given = {power: [read_order(STANDARD, position, power, line) for line in texts] for power, texts in orders.items()}
    result = results_of(STANDARD, position, adjudicate(STANDARD, position, given))
    return Texts(None).render("_results", result=result, game=SimpleNamespace(name="heron"), turn=7).split("\n")


def test_a_convoyed_move_tells_its_route_over_the_fleets_that_carried_it():
    told = lines(
        "S1902M",
        {"England": ["A YOR", "F NTH"], "Germany": ["F HEL"]},
        {"England": ["A YOR - NWY", "F NTH C A YOR - NWY"], "Germany": ["F HEL - NTH"]},
    )
    assert told[0] == "Movement results for Spring of 1902.  (heron.007)"
    assert told[2] == "England: Army Yorkshire -> North Sea -> Norway."
    assert "England: Fleet North Sea CONVOY Army Yorkshire -> Norway." in told
    assert "Germany: Fleet Helgoland Bight -> North Sea.  (*bounce*)" in told


def test_a_convoy_that_nobody_ordered_tells_a_way_that_there_was():
    told = lines("S1902M", {"England": ["A LON", "F ENG"]}, {"England": ["A LON - BEL", "F ENG H"]})
    assert "England: Army London -> English Channel -> Belgium.  (*no convoy*)" in told
    told = lines("S1902M", {"England": ["A BEL", "F NTH"]}, {"England": ["A BEL - HOL VIA", "F NTH C A BEL - HOL"]})
    assert "England: Army Belgium -> North Sea -> Holland." in told
    assert "England: Army Belgium -> Holland." in lines("S1902M", {"England": ["A BEL"]}, {"England": ["A BEL - HOL"]})


def test_an_order_stays_on_one_line_with_its_marks():
    told = lines(
        "S1902M",
        {"England": ["F MID"], "France": ["F SPA/NC", "F WES", "F ENG"], "Germany": ["F NAF"]},
        {"England": ["F MID S F SPA/NC - POR"], "France": ["F SPA/NC H", "F WES - MID", "F ENG S F WES - MID"]},
    )
    order = "England: Fleet Mid-Atlantic Ocean SUPPORT French Fleet Spain (north coast) -> Portugal."
    assert f"{order}  (*void, dislodged*)" in told and len(order) > 78


def test_a_dislodged_unit_with_nowhere_to_go_was_destroyed():
    told = lines(
        "F1902M",
        {"Austria": ["A TYR", "A VIE", "A BUD", "A GAL"], "Russia": ["A BOH"], "Germany": ["A MUN", "A SIL"]},
        {"Austria": ["A VIE - BOH", "A TYR S A VIE - BOH"]},
    )
    assert "Russia:  Army Bohemia, No Order Processed.  (*dislodged*)" in told
    at = told.index("The following units were dislodged:")
    assert told[at + 1 : at + 4] == ["", "The Russian Army in Bohemia with no valid retreats was destroyed.", ""]


def test_two_that_retreat_to_one_place_are_destroyed():
    beaten = {"Austria": [{"unit": "A VIE", "from": "TRI"}], "Russia": [{"unit": "A SIL", "from": "BER"}]}
    told = lines("S1902R", {}, {"Austria": ["A VIE - BOH"], "Russia": ["A SIL - BOH"]}, dislodged=beaten)
    assert "Austria: Army Vienna -> Bohemia.  (*bounce, destroyed*)" in told


@pytest.mark.parametrize(
    ("line", "indent"),
    [
        ("Ownership of supply centers:", 2), ("The following units were dislodged:", 2),
        ("The next phase of 'heron' will be", 2), ("Status of the Movement phase", 2),
        ("Date: Mon May 4 2026", 10), ("  Subject: JUDG:heron - F1901M Results", 10),
        ("The next time we meet", 0), ("A day of no date: you and me", 0), ("Hello", 0),
    ],
)  # fmt: skip
def test_what_players_write_is_never_taken_for_the_judges_own_lines(line, indent):
    assert indented(line) == " " * indent + line
