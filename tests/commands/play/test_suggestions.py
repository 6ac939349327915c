"""What the judge suggests instead of an order that can never be carried out is legal where it is suggested."""

import re

import pytest

from judge.commands.play.stray_lines import suggested
from judge.rules import Position, Unit, check_order, load_variant, parse_order
from tests.texts import table

STANDARD = load_variant("standard")
BALKANS = Position(
    "F1901M",
    units={
        "Austria": (Unit("A", "SER"), Unit("A", "VEN"), Unit("A", "GAL"), Unit("F", "ADR")),
        "Turkey": (Unit("A", "BUL"), Unit("F", "BLA")),
    },
    centers={},
)


@pytest.mark.parametrize(("order", "told"), table("""
    A SER S VEN         => Did you mean A SER S A VEN - ALB or A SER S A VEN - TRI?
    A SER S BUD         => Did you mean A SER S A GAL - BUD?
    A SER S RUM         => Did you mean A SER S A GAL - RUM, A SER S A BUL - RUM or A SER S F BLA - RUM?
    A SER - ROM         => Legal: A SER - ALB, BUD, BUL, GRE, RUM or TRI.
    F ADR - VIE         => Legal: F ADR - ALB, APU, ION, TRI or VEN.
    A BUL - SER         =>
    A MOS - SER         =>
    F ADR C A TRI - VIE =>"""))
def test_only_what_is_legal_here_is_suggested(order: str, told: str) -> None:
    assert suggested(STANDARD, BALKANS, "Austria", parse_order(STANDARD, "M", order)) == told
    for found in re.findall(r"A SER S [AF] \w+ - \w+", told):
        check_order(STANDARD, BALKANS, "Austria", parse_order(STANDARD, "M", found))
