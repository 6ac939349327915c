"""The Diplomacy Adjudicator Test Cases: positions and the result of each order, none left out."""

import pytest

from judge.rules.adjudicate import adjudicate
from judge.rules.board.phase import kind
from judge.rules.json_forms import position_from_json
from judge.rules.parsing.grammar import parse_order
from judge.rules.variant.registry import load_variant
from judge.rules.variant.variant import general_rulings
from tests.rules.cases import Case, read_cases

CASES = read_cases("datc")
POSITIONS = read_cases("positions")


@pytest.mark.parametrize("case", CASES, ids=[case.number for case in CASES])
def test_datc(case: Case) -> None:
    case.assert_outcome()


@pytest.mark.parametrize("case", POSITIONS, ids=[f"{case.variant}: {case.number}" for case in POSITIONS])
def test_position(case: Case) -> None:
    """Rules of the variants and readings of rules, as positions; comments in the files name their sections."""
    case.assert_outcome()


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.phase.endswith("A")],
    ids=[case.number for case in CASES if case.phase.endswith("A")],
)
def test_datc_removals_without_an_order(case: Case) -> None:
    """What civil disorder removes is reported apart from what was ordered."""
    variant = load_variant("standard")
    position = position_from_json(variant, case.line())
    orders: dict[str, list] = {}
    for power, text, _ in case.orders:
        orders.setdefault(power, []).append(parse_order(variant, kind(case.phase), text))
    outcome = adjudicate(variant, position, orders)
    removed = [f"{power} {unit}" for power, units in outcome.removed.items() for unit in units]
    assert "; ".join(removed) == case.facts.get("removed", "")


def test_datc_is_whole() -> None:
    """Each section has all its cases."""
    numbers = {case.number.rpartition(".")[0] for case in CASES} | {case.number for case in CASES}
    counts = {"A": 12, "B": 15, "C": 9, "D": 34, "E": 15, "F": 25, "G": 20, "H": 16, "I": 7, "J": 11}
    missing = [
        f"6.{section}.{number}"
        for section, count in counts.items()
        for number in range(1, count + 1)
        if f"6.{section}.{number}" not in numbers
    ]
    assert missing == []


def test_every_choice_that_decides_a_case_is_a_ruling_that_names_it() -> None:
    rows: dict[str, str] = {}
    for ruling in [ruling for one in general_rulings() for ruling in one.rulings if ruling.cases]:
        issues, _, numbers = ruling.cases.partition(": ")
        rows |= dict.fromkeys(issues.split(", "), numbers)
    for case in CASES:
        if case.number.count(".") == 2 and "(" not in case.number and case.number[:3] != "6.K":
            for issue in filter(None, case.facts.get("choices", "").split(", ")):
                assert covers(rows[issue], case.number), (issue, case.number)


def covers(cell: str, number: str) -> bool:
    """Whether "6.B.7 to 6.B.9, 6.B.15" names the case."""
    section, _, last = number.rpartition(".")
    for part in cell.split(", "):
        first, _, end = part.partition(" to ")
        bounds = [one.rpartition(".") for one in (first, end or first)]
        if bounds[0][0] == section and int(bounds[0][2]) <= int(last) <= int(bounds[1][2]):
            return True
    return False
