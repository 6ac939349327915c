"""Difficult borders: section 10 of the Diplomacy Adjudicator Test Cases 2.4 ("difficult passable borders"), whose board
has them between Naples and Sicily and between Cordoba and North Africa; here Rome and Naples, Tunis and North Africa,
Venice and Apulia of the standard board are their places.
"""

from collections.abc import Mapping

import pytest

from judge.rules import OrderError, Variant, adjudicate, load_variant, position_from_json
from judge.rules.board.orders import Move
from judge.rules.describe import portrait, rules_in_words, weakened
from judge.rules.mechanisms.crossings import DifficultBorders
from judge.rules.mechanisms.files import pair_of
from judge.rules.variant.loading import read_variant
from tests.rules.boards import files_of, mistakes
from tests.rules.lines import read_order

STANDARD = load_variant("standard")

Orders = Mapping[str, str]


def board(borders: str) -> Variant:
    return STANDARD.with_rule(DifficultBorders(tuple(map(pair_of, borders.split()))))


BOARD = board("ROM-NAP TUN-NAF VEN-APU")


def results(orders: Orders, board: Variant = BOARD) -> dict[str, tuple[str, ...]]:
    """{the province that an order begins with: its results}; each power's orders are parted by commas."""
    given = {power: [text.strip() for text in texts.split(",")] for power, texts in orders.items()}
    units = {power: [" ".join(text.split()[:2]) for text in texts] for power, texts in given.items()}
    position = position_from_json(board, {"phase": "S1901M", "units": units})
    read = {power: [read_order(board, position, power, text) for text in texts] for power, texts in given.items()}
    return {one.order.slot: one.results for one in adjudicate(board, position, read).results}


def refused(orders: Orders) -> str:
    with pytest.raises(OrderError) as why:
        results(orders)
    return str(why.value)


def test_10_a_a_move_without_support_cuts_none():
    found = results(
        {
            "Italy": "A ROM - NAP, F TYS H",
            "Turkey": "F NAP S F ION - TYS, F ION - TYS",
        }
    )
    assert (found["ROM"], found["NAP"], found["ION"]) == (("bounce",), ("ok",), ("ok",))
    assert "dislodged" in found["TYS"]


def test_10_b_a_move_with_support_cuts_support():
    found = results(
        {
            "Italy": "A ROM - NAP, F APU S A ROM - NAP, F TUN S F WES - TYS, F WES - TYS",
            "Turkey": "F NAP S F TYS, F TYS H",
        }
    )
    assert (found["NAP"], found["WES"]) == (("cut",), ("ok",)) and "dislodged" in found["TYS"]


def test_10_c_it_does_not_bounce_an_ordinary_move():
    found = results({"France": "A TUN - NAF", "Italy": "F WES - NAF"})
    assert found == {"TUN": ("bounce",), "WES": ("ok",)}


def test_10_d_two_such_moves_bounce():
    found = results({"Italy": "A ROM - NAP", "Turkey": "A APU - NAP"}, board("ROM-NAP APU-NAP"))
    assert found == {"ROM": ("bounce",), "APU": ("bounce",)}


def test_it_gets_into_an_empty_province():
    assert results({"Italy": "A ROM - NAP"}) == {"ROM": ("ok",)}


def test_it_gets_there_past_an_army_whose_convoy_is_broken():
    found = results(
        {
            "Italy": "A ROM - NAP",
            "Turkey": "A GRE - NAP VIA, F ION C A GRE - NAP",
            "France": "F TYS - ION, F TUN S F TYS - ION",
        }
    )
    assert found["ROM"] == ("ok",) and "ok" not in found["GRE"]


def test_10_e_nobody_supports_over_it():
    why = refused({"Italy": "A ROM S F TYS - NAP, F TYS - NAP"})
    assert why == ("Army Rome cannot support over a difficult border: it can move to Naples, but not support there.")
    assert "cannot support over a difficult border" in refused({"Italy": "A ROM S F NAP, F NAP H"})


def test_10_f_of_two_that_would_cut_each_others_support_none_does():
    found = results({"Italy": "A ROM - NAP, A APU S A ROM - NAP", "Turkey": "A VEN - APU, A NAP S A VEN - APU"})
    assert found == {"ROM": ("bounce",), "APU": ("ok",), "VEN": ("bounce",), "NAP": ("ok",)}


def test_10_g_a_support_that_nobody_attacks_ends_the_riddle():
    found = results(
        {
            "Italy": "A ROM - NAP, A APU S A ROM - NAP, F TYS S A ROM - NAP",
            "Turkey": "A VEN - APU, A NAP S A VEN - APU",
        }
    )
    assert (found["ROM"], found["APU"]) == (("ok",), ("ok",))
    assert "dislodged" in found["NAP"] and "ok" not in found["VEN"]


ROUND = {
    "Italy": "A ROM - NAP, F ION S A ROM - NAP",
    "Turkey": "F NAP S F WES - TYS, F WES - TYS",
    "France": "F TYS S F AEG - ION, F AEG - ION",
}
ROUND_BOARD = board("ROM-NAP WES-TYS AEG-ION ADR-APU")


def test_10_f_of_three_that_go_round_none_cuts_either():
    found = results(ROUND, ROUND_BOARD)
    assert [found[place] for place in ("ION", "NAP", "TYS")] == [("ok",)] * 3
    assert [found[place] for place in ("ROM", "WES", "AEG")] == [("bounce",)] * 3


def test_10_g_another_support_ends_a_riddle_of_three():
    found = results(ROUND | {"Russia": "F TUN S F WES - TYS"}, ROUND_BOARD)
    assert (found["TYS"], found["ION"], found["NAP"]) == (("cut",), ("ok",), ("cut",))


def test_10_f_of_four_that_go_round_none_cuts_either():
    found = results(
        ROUND | {"Italy": "A ROM - NAP, F ION S F ADR - APU, F ADR - APU", "Russia": "A APU S A ROM - NAP"}, ROUND_BOARD
    )
    assert [found[place] for place in ("ION", "NAP", "TYS", "APU")] == [("ok",)] * 4


@pytest.mark.parametrize("attacked", [False, True])
def test_10_h_10_i_a_ring_goes_round_unless_somebody_stronger_comes(attacked):
    orders = {"Italy": "F NAP - TYS, F TYS - ROM, A ROM - NAP"}
    found = results(orders | ({"Turkey": "F ION - NAP"} if attacked else {}))
    expected = ("bounce",) if attacked else ("ok",)
    assert all(found[place] == expected for place in ("NAP", "TYS", "ROM"))


def test_10_j_a_ring_is_not_stopped_by_such_a_move():
    found = results(
        {
            "Italy": "F NAP - ION, F ION - TYS, F TYS - NAP",
            "France": "A ROM - NAP",
        }
    )
    assert found == {"NAP": ("ok",), "ION": ("ok",), "TYS": ("ok",), "ROM": ("bounce",)}


def test_10_k_a_retreat_over_it_gives_way():
    dislodged = [{"unit": "A ROM", "from": "VEN", "by_convoy": False, "retreats": []}]
    others = [{"unit": "A APU", "from": "VEN", "by_convoy": False, "retreats": []}]
    position = position_from_json(
        BOARD,
        {"phase": "F1901R", "units": {"Austria": ["A VEN"]}, "dislodged": {"Italy": dislodged, "Turkey": others}},
    )
    orders = {
        power: [read_order(BOARD, position, power, text)]
        for power, text in {"Italy": "A ROM - NAP", "Turkey": "A APU - NAP"}.items()
    }
    outcome = adjudicate(BOARD, position, orders)
    assert [str(unit) for unit in outcome.position.units["Turkey"]] == ["A NAP"]
    assert not outcome.position.units.get("Italy")


def test_10_l_it_is_the_border_that_is_difficult_not_its_ends():
    found = results({"Italy": "A APU - NAP, F TYS S A APU - NAP", "Turkey": "A NAP H"})
    assert found["APU"] == ("ok",) and "dislodged" in found["NAP"]


@pytest.mark.parametrize("supports", [1, 2])
def test_one_support_does_not_dislodge_and_two_do(supports):
    helpers = ["F TYS S A ROM - NAP", "A APU S A ROM - NAP"][:supports]
    found = results({"Italy": ", ".join(["A ROM - NAP", *helpers]), "Turkey": "A NAP H"})
    assert ("dislodged" in found["NAP"]) == (supports == 2)


def test_10_m_10_n_a_convoy_passes_by_it():
    convoyed = "A ROM - NAP VIA, F TYS C A ROM - NAP"
    found = results({"Italy": f"{convoyed}, F ION S A ROM - NAP", "Turkey": "A NAP H"})
    assert found["ROM"] == ("ok",) and "dislodged" in found["NAP"]
    found = results({"Italy": f"{convoyed}, F ION H", "Turkey": "F NAP S F AEG - ION, F AEG - ION"})
    assert found["NAP"] == ("cut",) and found["AEG"] == ("bounce",)


def test_a_fleet_that_no_convoy_needs_is_on_no_route_there_either():
    with pytest.raises(OrderError, match="Fleet Ionian Sea is on no convoy route from Rome to Naples"):
        results({"Italy": "A ROM - NAP, F TYS H, F ION C A ROM - NAP"}, board("TYS-NAP"))


def test_10_o_a_support_by_the_side_that_is_attacked_does_not_make_it_cut():
    found = results(
        {
            "Italy": "A ROM - NAP, F ION H",
            "France": "F TYS S A ROM - NAP, F NAP S F ION",
            "Turkey": "F GRE S F AEG - ION, F AEG - ION",
        }
    )
    assert found["NAP"] == ("ok",) and found["AEG"] == ("bounce",) and found["ION"] == ("ok",)


# --- in words and in files --------------------------------------------------------------------------------------------


def test_what_players_read():
    said = rules_in_words(BOARD)
    assert (
        "These borders are difficult to cross: between Rome and Naples, between Tunis and North Africa and between "
        "Venice and Apulia."
    ) in said
    assert "A move over such a border has no strength of its own, only that of its supports." in said
    assert "NAP(difficult)" in portrait(BOARD)
    position = position_from_json(BOARD, {"phase": "S1901M", "units": {"Italy": ["A ROM"]}})
    move = read_order(BOARD, position, "Italy", "A ROM - NAP")
    assert weakened(BOARD, move) == "no strength of its own, over a difficult border"
    assert isinstance(move, Move)
    assert weakened(BOARD, Move(move.unit, "NAP", via=True)) == "", "a convoy passes by"
    assert weakened(BOARD, move, ["TYS"]) == ""


def test_its_file_is_read_without_a_mistake():
    rules, provinces = files_of("standard")
    rules += '[difficult]\nborders = "ROM-NAP TUN-NAF VEN-APU"'
    assert mistakes(rules, provinces) == []
    assert read_variant("difficult", rules, provinces).rule(DifficultBorders) == BOARD.rule(DifficultBorders)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("[difficult]", "difficult: borders is missing"),
        ('[difficult]\nborders = "ROM-LON"', "difficult: ROM-LON is not a border like MID-EGY"),
        ('[difficult]\nborders = "ROM-NAP TUN-NAF NAP-ROM"', "difficult: NAP-ROM is there twice"),
        ('[detours]\nway = "a\\nb"\nborders = "ROM-NAP"', "detours: way must be a line of text"),
        ('[difficult]\nborder = "ROM-NAP"\nborders = "ROM-NAP"', "difficult: there is no key border"),
        (
            '[difficult]\nborders = "ROM-NAP"\n[detours]\nway = "x"\nborders = "TUN-NAF"',
            "difficult: a board with detours cannot have difficult borders too",
        ),
    ],
)
def test_mistakes_in_its_table(written, told):
    rules, provinces = files_of("standard")
    assert told in [one.text for one in mistakes(f"{rules}\n{written}\n", provinces)]
