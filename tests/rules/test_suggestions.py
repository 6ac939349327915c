"""What is suggested in place of a refused line is taken, and nothing else is suggested."""

import pytest

from judge.rules import OrderError, load_variant
from judge.rules.json_forms import start_position
from judge.rules.parsing.lines import read_line
from judge.rules.suggestions import Board
from tests.texts import table

# The variant, the line of France, and what it is answered with.
TOLD = """
    standard => A PAR => "A PAR" names a unit but no order. Write A PAR H or A PAR - BRE.
    standard => A BUR => "A BUR" names a unit but no order.
    standard => A PAR xyz => not something the judge understands. Write A PAR H, A PAR - BRE or A PAR S A MAR - BUR.
    standard => move A PAR => Where should A PAR move? Write A PAR - BRE.
    standard => move A BER => Where should A BER move?
    standard => support A PAR - BUR => Which unit should support A PAR - BUR? Write A MAR S A PAR - BUR.
    standard => convoy A PAR - LON => Which unit should convoy A PAR - LON?
    standard => F BRE C A PAR => Where should F BRE convoy A PAR?
    standard => A PAR - BRU => "BRU" is not a province. Did you mean Burgundy (BUR)?
    standard => A PRA - BUR => "PRA" is not a province. Did you mean Paris (PAR)?
    standard => A PAR - LOM => "LOM" is not a province.
    standard => F BRE - EMG => "EMG" is not a province. Did you mean English Channel (ENG)?
    standard => A PAR - SPA/EC => Spain has no coast EC. It has NC and SC.
    1648 => A SWI H => Army Switzerland is neutral: bid for it. Write DP 1: A SWI H.
    1648 => A SWI - MIL => Army Switzerland is neutral: bid for it.
    standard => WAIVE => You can only use "WAIVE" in a winter phase. This is a movement phase."""
WINTER = """
    BRE => Build or remove BRE? Write BUILD A BRE or BUILD F BRE.
    BUR => Build or remove BUR?
    BUILD PAR => Build what in Paris? Write BUILD A PAR.
    BUILD MAR => Build what in Marseilles? Write BUILD A MAR or BUILD F MAR.
    BUILD A BRST => "BRST" is not a province. Did you mean Brest (BRE)?"""


def answers(board: Board, line: str) -> list[str]:
    read = read_line(board.variant, board.position, board.seat, line)
    return [board.corrected(one) for one in read if isinstance(one, OrderError)]


@pytest.mark.parametrize(("name", "line", "told"), table(TOLD))
def test_only_what_the_position_allows_is_suggested(name: str, line: str, told: str):
    variant = load_variant(name)
    (said,) = answers(Board(variant, start_position(variant), "France"), line)
    assert said.endswith(told)


@pytest.mark.parametrize(("line", "told"), table(WINTER))
def test_in_a_winter_only_what_can_be_built_or_removed_is_suggested(line: str, told: str):
    variant = load_variant("standard")
    start = start_position(variant)
    centers = {**start.centers, "France": ("BRE", "MAR", "PAR", "SPA", "POR")}
    position = type(start)("W1901A", {"France": ()}, centers)
    assert answers(Board(variant, position, "France"), line) == [told]
