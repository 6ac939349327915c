"""What GET RULES tells of a board is what the engine does: a sentence comes from its mechanism, or has tests here.

A mechanism makes its sentences of the parameters that it plays by. All else that GET RULES mails is text: the bullets
of each rules.txt and the rulings. tests/data/told_rules.txt lists each with the tests that try it, in the engine or at
the desk; a text that is added, or told otherwise, has to be given its own.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module

import pytest

from judge.rules import Move, legal_orders, load_variant, position_from_json, start_position, variant_names
from judge.rules.board.board_state import BoardState
from judge.rules.describe import rulings_of
from judge.rules.variant.variant import variants_folder
from tests.rules.cases import DATA, read_cases
from tests.rules.lines import Board, results
from tests.texts import listed
from tests.transcripts import test_transcripts as transcripts

Test = Callable[..., object]
POSITIONS = {f"{case.variant}: {case.number.partition(' (')[0]}": case for case in read_cases("positions")}


def named(name: str) -> Test:
    """A position, or several of that name, a test of another module under tests, or one of this.

    `bids.txt: Too many points`: the part of a transcript with that remark above it.
    """
    if name in POSITIONS:
        return POSITIONS[name].assert_outcome
    file, is_transcript, remark = name.partition(".txt: ")
    if is_transcript:
        text = (transcripts.FOLDER / f"{file}.txt").read_text(encoding="utf-8")
        assert f"\n# {remark}" in text, name
        return transcripts.test_transcript
    module, _, function = name.rpartition(".")
    test: Test = getattr(import_module(f"tests.{module}" if module else __name__), function)
    return test


def tried() -> dict[str, dict[str, list[Test]]]:
    """{a board, or the title of rulings: {how a part of its rules.txt begins, or the number of a ruling: its tests}}.

    Rulings of every board are told by the DATC's cases.
    """
    found: dict[str, dict[str, list[Test]]] = defaultdict(dict)
    for paragraph in (DATA / "told_rules.txt").read_text(encoding="utf-8").split("\n\n")[1:]:
        heading, *tests = listed(paragraph)
        board, _, part = heading.partition(": ")
        found[board][part] = [named(name) for name in tests]
    return found


def reach(board: str, unit: str) -> set[str]:
    """Where the unit may go, convoys aside."""
    variant = load_variant(board)
    power = variant.powers[0].name
    at = position_from_json(variant, {"phase": variant.start, "units": {power: [unit]}, "centers": {}})
    return {order.to for order in legal_orders(BoardState(variant, at), at.units[power][0]) if isinstance(order, Move)}


def coasts(board: str, province: str) -> set[str]:
    return set(load_variant(board).provinces[province].fleet)


def test_standard_a_center_is_won_after_a_fall_and_kept_until_another_stands_there_after_one():
    board, owned = Board("standard"), {"France": ["PAR"], "Germany": ["MUN"]}
    spring = board.play("S1901M", units={"France": ["A MUN"]}, centers=owned)
    assert spring["centers"] == owned
    fall = board.play("F1901M", units={"France": ["A MUN"]}, centers=owned)
    assert fall["centers"] == {"France": ["MUN", "PAR"]}
    left = board.play("F1902M", units={"France": ["A MUN"]}, centers=fall["centers"], orders={"France": "A MUN - BUR"})
    assert left["centers"] == fall["centers"]


def test_standard_as_many_units_as_centers():
    assert Board("standard").play(
        "W1901A", units={"France": ["A PAR"]}, centers={"France": ["MAR", "PAR"]}, orders={"France": "BUILD A MAR"}
    )["units"] == {"France": ["A MAR", "A PAR"]}
    assert Board("standard").play(
        "W1901A", units={"France": ["A BUR", "A PAR"]}, centers={"France": ["PAR"]}, orders={"France": "REMOVE A BUR"}
    )["units"] == {"France": ["A PAR"]}


def test_standard_coasts():
    assert coasts("standard", "SPA") == coasts("standard", "STP") == {"NC", "SC"}
    assert coasts("standard", "BUL") == {"EC", "SC"}
    assert [str(unit) for unit in start_position(load_variant("standard")).units["Russia"]][-1] == "F STP/SC"


def test_standard_canals_and_what_armies_walk():
    assert {"BLA", "AEG"} <= reach("standard", "F CON") and {"BAL", "NTH"} <= reach("standard", "F DEN")
    assert {"BAL", "HEL"} <= reach("standard", "F KIE") and {"BAL", "SKA"} <= reach("standard", "F SWE")
    assert "BAL" not in reach("standard", "F NTH") and "SWE" in reach("standard", "A DEN")


def test_standard_nobody_enters_switzerland():
    assert "SWI" not in reach("standard", "A MUN") | reach("standard", "A TYR") | reach("standard", "A BUR")


def test_1648_novgorod_karelia_holstein_and_the_papal_states_have_two_coasts_as_damascus_and_stockholm_have():
    assert all(len(coasts("1648", place)) == 2 for place in ("HOL", "KAR", "NOV", "PAP", "DAM", "STO"))


def test_1900_palestine_has_one_coast_on_the_mediterranean():
    """Map Changes 10: only the primary coast along the Mediterranean is playable."""
    assert coasts("1900", "PAL") == {""} and reach("1900", "F PAL") == {"DAM", "EAS", "EGY"}
    assert "PAL" not in reach("1900", "F HEJ")


def test_1900_spain_has_three_coasts_macedonia_and_st_petersburg_two():
    assert coasts("1900", "SPA") == {"NC", "EC", "WC"} and coasts("1900", "MAC") == {"EC", "WC"}
    assert coasts("1900", "STP") == {"NC", "SC"}


def test_1900_armies_walk_between_egypt_and_hejaz():
    assert "HEJ" in reach("1900", "A EGY") and "EGY" in reach("1900", "A HEJ")


def test_colonia_a_convoy_fails_only_when_every_route_is_broken():
    """Rule 1, and the ruling on it: not as in the rulebook of 1971, where one broken route stops the army."""
    given = {
        "England": ["A LON - ANT", "F ENG C A LON - ANT", "F NTH C A LON - ANT"],
        "Russia": ["F NGS - NTH", "F SGK S F NGS - NTH"],
    }
    units = {power: [" ".join(order.split()[:2]) for order in orders] for power, orders in given.items()}
    out = results(Board("colonia").play("S1751M", units=units, orders=given))
    assert "dislodged" in out["F NTH C A LON - ANT"] and out["A LON - ANT"] == ["ok"]


def test_colonia_coasts_and_the_black_sea():
    two = {"LPL": {"WC", "EC"}, "PTD": {"NC", "SC"}}
    assert {name: coasts("colonia", name) for name in two} == two
    assert all(len(coasts("colonia", name)) == 2 for name in ("COL", "EGY", "HON", "MEX", "PAN", "PPS"))
    seas = {place for place in reach("colonia", "F BLA") if load_variant("colonia").provinces[place[:3]].kind == "sea"}
    assert not seas and {"BLA", "AEG"} <= reach("colonia", "F CNP")


def test_colonia_the_arctic_is_impassable_and_argentina_is_agt():
    provinces = load_variant("colonia").provinces
    assert provinces["ARC"].name == "Arctic Ocean" and provinces["ARC"].kind == "impassable"
    assert provinces["AGT"].name == "Argentina" and provinces["ARG"].name == "Aragon"


def test_empire_gibraltar_is_a_sea():
    assert load_variant("ambition_empire").provinces["GIB"].kind == "sea"
    assert "A GIB" not in load_variant("ambition_empire").board.spots


@pytest.mark.parametrize(
    ("name", "power"),
    [("Britain", "Britain & Hanover"), ("Polish-Saxon", "Poland & Saxony"), ("Saxony", "Poland & Saxony"),
     ("Denmark", "Denmark-Norway"), ("Norwegian", "Denmark-Norway"), ("Ottoman", "Turkey")],
)  # fmt: skip
def test_one_half_of_a_double_name_is_enough(name: str, power: str) -> None:
    assert load_variant("ambition_empire").power(name).name == power


def parts(name: str) -> list[str]:
    """The first paragraph and the bullets of a rules.txt, each in one line."""
    text = (variants_folder() / name / "rules.txt").read_text(encoding="utf-8")
    return [" ".join(part.split()) for part in re.split(r"\n\n?- ", text)]


@pytest.mark.parametrize("name", variant_names())
def test_all_that_the_text_of_a_board_tells_is_tried(name):
    told = {part: tests for part, tests in tried()[name].items() if not part.isdigit()}
    untried = [part for part in parts(name) if sum(part.startswith(key) for key in told) != 1]
    assert not untried, "give each a test in tests/data/told_rules.txt"
    assert len(parts(name)) == len(told)
    assert all(told.values())


@pytest.mark.parametrize("name", variant_names())
def test_every_ruling_on_a_board_is_mailed_and_tried(name):
    ruled = {
        title: [part for part, tests in those.items() if part.isdigit() and tests] for title, those in tried().items()
    }
    for rulings in rulings_of(load_variant(name)):
        # One that is not mailed repeats the text of the board.
        assert rulings.mailed == rulings.rulings or load_variant(name).text
        assert [str(ruling.number) for ruling in rulings.rulings] == ruled[rulings.title]


@pytest.mark.parametrize("name", variant_names())
def test_the_text_of_a_board_tells_nothing_that_a_game_may_settle_otherwise(name):
    """The number that wins, the year of a canal, whether bids are revealed: their mechanisms tell what a game has."""
    variant, told = load_variant(name), " ".join(parts(name))
    settled = [rf"\b{variant.victory} (of|centers)", "bids are told", *map(str, variant.canals.values())]
    assert not [one for one in settled if re.search(one, told)]
