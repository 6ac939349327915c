"""What can never be right in a later phase is refused, and nothing that can be."""

import pytest

from judge.rules import OrderError, load_variant, parse_order
from judge.rules.board.phase import kind
from judge.rules.board.power import NEUTRAL
from judge.rules.possible import check_possible
from judge.rules.selfplay import play
from tests.texts import table

NEVER = """
    W1901A => A BUR - GAS => is not an order for the winter
    W1901A => A BUR H => is not an order for the winter
    W1901A => A BUR S A PAR => is not an order for the winter
    W1901A => BUILD A GAS => Gascony is not a supply center.
    W1901A => BUILD F PAR => No fleet can be built in Paris: it is inland.
    W1901A => BUILD A LON => London is not one of your home centers.
    W1901A => HOME PAR => You have no home center to name.
    F1901M => A PAR - MOS => Army Paris cannot reach Moscow.
    F1901M => F ENG - PAR => cannot reach Paris.
    F1901M => A BUR S A PAR - MUN => Army Paris cannot reach Munich.
    F1901M => A PAR S A TUS - ROM => Army Paris cannot reach Rome to support there.
    F1901M => F BRE C A GAS - LON => is not at sea
    F1901M => F MAO C A PAR - LON => is on no convoy route
    F1901M => A PAR S A PAR => A unit cannot support itself.
    F1901R => A PAR S A MAR => a dislodged unit retreats or disbands
    F1901R => A PAR H => a dislodged unit retreats or disbands
    F1901R => A BRE - LON => Army Brest cannot reach London."""
PERHAPS = """
    W1901A => BUILD F BRE; REMOVE A GAS; REMOVE F STP/NC; WAIVE
    F1901M => A BRE - LON; F MAR - SPA/SC; A SPA - NAP; F PAR - BUR; A VEN S F TYS - ROM; F MAO C A BRE - LON
    F1901M => A BUR H; F STP/NC - NWY; A LVP - YOR; A NWY - STP; F SPA S F MAO - POR
    F1901R => A PAR - BUR; F BRE D; F STP - NWY"""
STANDARD = load_variant("standard")


@pytest.mark.parametrize(("phase", "line", "why"), table(NEVER))
def test_what_no_position_allows_is_refused_with_the_reason(phase: str, line: str, why: str):
    with pytest.raises(OrderError) as refused:
        check_possible(STANDARD, ["France"], phase, parse_order(STANDARD, kind(phase), line))
    assert why in str(refused.value)


def test_what_some_position_allows_is_not_refused():
    for phase, lines in table(PERHAPS):
        for line in lines.split(";"):
            check_possible(STANDARD, ["France"], phase, parse_order(STANDARD, kind(phase), line.strip()))


def test_a_power_may_build_in_any_center_that_it_can_win_as_an_additional_home():
    variant = load_variant("ambition_empire")

    def check(power: str, center: str) -> None:
        check_possible(variant, [power], "W1764A", parse_order(variant, "A", f"BUILD A {center}"))

    for center in variant.centers:
        check("Turkey", center)
    with pytest.raises(OrderError, match="Tunis is not one of your home centers"):
        check("France", "TUN")
    for home in ("ANK", "ADR"):
        with pytest.raises(OrderError, match=r"^(Ankara|Adriatic Sea) cannot become your home center\.$"):
            check_possible(variant, ["Turkey"], "W1764A", parse_order(variant, "A", f"HOME {home}"))


@pytest.mark.parametrize("name", ["standard", "1648", "ambition_empire", "1900", "intercontinental", "colonia"])
def test_nothing_that_was_played_is_refused(name: str):
    variant = load_variant(name)
    for line in play(variant, years=3, seed=2):
        phase = line["phase"]
        dated = variant.at(phase)
        given = [(power, text) for power, orders in line["orders"].items() for text in orders]
        given += [(NEUTRAL, bid["order"]) for bids in line.get("bids", {}).values() for bid in bids]
        for power, text in given:
            check_possible(dated, [power], phase, parse_order(dated, kind(phase), text))
