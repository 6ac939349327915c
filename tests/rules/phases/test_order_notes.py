"""Which orders of one player are doubted, and which are not."""

import pytest

from judge.rules import Dislodged, Order, Position, Unit, check_order, load_variant, parse_order
from judge.rules.phases.order_notes import order_notes
from tests.texts import table

STANDARD = load_variant("standard")
BOARD = Position(
    "F1902M",
    units={
        "France": tuple(Unit(*text.split()) for text in ("A PAR", "A BUR", "A BRE", "F ENG", "F MAO", "A SPA")),
        "England": (Unit("F", "NTH"), Unit("A", "WAL"), Unit("F", "IRI")),
        "Germany": (Unit("A", "MUN"), Unit("A", "RUH")),
    },
    centers={},
)


def noted(position: Position, *lines: str) -> list[str]:
    given: list[Order] = []
    for line in lines:
        order = parse_order(STANDARD, position.phase[-1], line)
        given.append(check_order(STANDARD, position, "France", order))
    notes = order_notes(STANDARD, position, {"France": given})
    return [f"{note.doubt}: {', '.join(map(str, (*note.orders, *note.instead)))}" for note in notes]


@pytest.mark.parametrize(
    ("lines", "told"),
    table("""
    A BRE - WAL; F ENG C A BRE - WAL =>
    A BRE - WAL; F ENG H => no convoy: A BRE - WAL, F ENG C A BRE - WAL
    # By convoy although it could walk, as long as a fleet of the same power says so (DATC 4.A.3).
    A BRE - GAS VIA; F MAO C A BRE - GAS =>
    A BRE - GAS VIA; F MAO H => no convoy: A BRE - GAS VIA, F MAO C A BRE - GAS
    # The fleet in between is another's, and may convoy.
    A BRE - NWY; F ENG C A BRE - NWY => no convoy: A BRE - NWY
    F ENG C A WAL - BRE; F MAO S F IRI =>
    F ENG C A BRE - WAL; A BRE - PIC => unmatched: F ENG C A BRE - WAL, A BRE - PIC
    A PAR S A BUR; A BUR S A PAR =>
    A PAR S A BUR; A BUR - MAR => unmatched: A PAR S A BUR, A BUR - MAR
    A PAR S A BRE - GAS => unmatched: A PAR S A BRE - GAS
    A PAR S A MUN - BUR; A BUR - MAR =>
    A PAR S A MUN - BUR; A BUR H => own unit: A PAR S A MUN - BUR, A BUR H
    A PAR - PIC; A BRE - PIC => crowd: A PAR - PIC, A BRE - PIC
    A PAR - BUR; A BRE - PAR; A BUR S A RUH - MUN => stays: A PAR - BUR, A BUR S A RUH - MUN
    A PAR - BUR; A BUR - MAR =>
    A PAR - BUR; A BUR - PAR => swap: A BUR - PAR, A PAR - BUR
    A BRE - SPA VIA; A SPA - BRE VIA; F MAO C A BRE - SPA => no convoy: A SPA - BRE VIA, F MAO C A SPA - BRE
    A BRE - SPA; A SPA - GAS; F MAO C A BRE - SPA =>
    A PAR - BUR; A BUR - GAS; A SPA - MAR =>
    A SPA - MAR; F MAO - SPA/SC; A BRE - GAS; A BUR S A BRE - GAS =>"""),
)
def test_notes_on_what_does_not_fit_together(lines: str, told: str) -> None:
    assert noted(BOARD, *lines.split("; ")) == [told] * bool(told)


def test_two_retreats_to_one_province() -> None:
    beaten = tuple(Dislodged(Unit(*unit.split()), "MUN") for unit in ("A BUR", "A PIC"))
    board = Position("F1902R", units={}, centers={}, dislodged={"France": beaten})
    assert noted(board, "A BUR - PAR", "A PIC - PAR") == ["retreats: A BUR - PAR, A PIC - PAR"]
    assert noted(board, "A BUR - PAR", "A PIC - BRE") == []


def test_an_attack_of_one_own_power_on_the_support_of_another() -> None:
    """Between powers of one player; not on the support against the attacker itself, which it does not cut."""
    board = Position("F1902M", units={"France": BOARD.units["France"], "Germany": BOARD.units["Germany"]}, centers={})

    def notes(support: str) -> list[str]:
        read = {power: check_order(STANDARD, board, power, parse_order(STANDARD, "M", line))
                for power, line in (("France", "A BUR - RUH"), ("Germany", support))}  # fmt: skip
        return [note.doubt for note in order_notes(STANDARD, board, {power: [one] for power, one in read.items()})]

    assert notes("A RUH S A MUN") == ["own support"]
    assert notes("A RUH S A MUN - BUR") == ["unmatched"]
    assert notes("A RUH H") == []
