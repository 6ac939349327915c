"""1865 and 1866 of Intercontinental by letters only: eight players with four powers each, and a hundred neutrals.

The master ends each phase; units that are not named here get no order, and hold.
"""

import re

import pytest

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Game, gather
from tests.acceptance.test_points import Orders, check_secrecy, full_report, play, the_judge_is_well

# Who is drawn matters to the letters below in these two places only.
FIXED = "SET GROUP Mexico Red\nSET GROUP Shoshone Yellow"
SPRING: Orders = {
    "B": ("A Calc - Dhak", "A Delh H", "DP 2: F Rang S A Calc - Dhak", "DP 2: F Dubl - Azor"),
    "T": ("A Pari - Brus", "F Bres H", "DP 2: F Amst S A Pari - Brus"),
    "G": ("F Lisb - Sevi", "F Opor - Azor", "DP 1: A Madr S F Lisb - Sevi"),
    "L": ("Russia: A Mosc - Mins", "A Rost - Gury", "DP 1: A Wars S A Mosc - Mins"),
    "Y": ("A Peking - Mukden", "A Seuh S A StLo - Omah", "DP 1: A Urga S A Peki - Mukd"),
    "R": ("A Buda - Krak; A Vien S A Buda - Krak", "A Mexi - Oaxa", "A Vera S A Mexi - Oaxa"),
    "N": ("A Anka - Dama", "F Smyr S A Anka - Dama", "DP 1: A Wars H"),
    "V": ("A StLo - Omah", "A Wash - Rich", "DP 1: A Madr H", "DP 2: A Rich - Wash"),
}
DONE_IN_SPRING = (
    ("British Raj", "Army Calcutta -> Dhaka."),
    ("France", "Army Paris -> Brussels."),
    ("Portugal", "Fleet Lisbon -> Seville.  (*bounce*)"),  # two points against two for Madrid: it holds
    ("Portugal", "Fleet Oporto -> Azores Current.  (*bounce*)"),  # a sortie from Dublin
    ("Russia", "Army Moscow -> Minsk."),  # Olive's point counts twice in Warsaw
    ("Russia", "Army Rostov-on-Don -> Guryev.  (*bounce*)"),
    ("China", "Army Peking -> Mukden."),
    ("Austria", "Army Buda -> Krakow."),
    ("Mexico", "Army Mexico City -> Oaxaca."),
    ("Turkey", "Army Ankara -> Damascus."),
    ("United States", "Army St. Louis -> Omaha."),
    ("United States", "Army Washington -> Richmond.  (*bounce*)"),  # whoever attacks it does not order it
)


@pytest.mark.long
def test_two_years_of_eight_players(make_judge: MakeJudge):
    judge = make_judge()
    judge.process.start()
    [swan] = gather(judge, "swan", variant="intercontinental", sets=FIXED)
    assert set(swan.seats) == set("BTGLYRNV")

    spring = play(swan, "S1865M", SPRING)
    # The parts in which most of the reader's own lies, and the whole world.
    assert "swan-S1865M-results.png" in spring.pictures and 2 <= len(spring.pictures) <= 3
    for power, line in DONE_IN_SPRING:
        assert re.search(rf"^{power}: +{re.escape(line)}$", spring.text, re.MULTILINE), (power, line)
    neutrals = spring.text.partition("Minor neutrals")[2]
    assert "Dublin:  Fleet Dublin -> Azores Current.  (*bounce*)" in neutrals
    assert re.search(r"^Hold: .*Madrid", neutrals, re.MULTILINE | re.DOTALL)
    told = full_report(judge, swan, "S1865M")
    assert "Blue: DP 2: Fleet Rangoon SUPPORT Raj Army Calcutta -> Dhaka. (won, worth 4)" in told
    assert "Madrid: no order has the most points, so it holds." in told
    assert "(had no effect: Players cannot order a neutral that their own units attack" in told

    maps_get_small(swan)
    fall = play(swan, "F1865M", {"R": ("A Oaxa - Mexi", "A Krak H"), "V": ("A Omah H",)})
    assert len(fall.pictures) == 1
    assert re.search(r"^Austria: +4 Supply centers,  3 Units:  Builds   1 unit\.$", fall.text, re.MULTILINE)
    assert "Blue has 11 of the 72 that win." in fall.text and "Oaxaca" not in fall.text.partition("Ownership")[2]

    swan["R"].signs_on("BUILD A Krak")
    swan["R"].person.expects(containing="Krakow is occupied.")
    winter = play(swan, "W1865A", {
        "B": ("BUILD F Calc",), "T": ("BUILD A Pari",), "L": ("BUILD A Mosc",), "Y": ("WAIVE",), "R": ("BUILD A Buda",),
        "N": ("BUILD A Anka",), "V": ("BUILD A StLo",),
    })  # fmt: skip
    assert "The neutral Army in Oaxaca is back." in winter.text
    assert re.search(r"^China: +Build waived\.$", winter.text, re.MULTILINE)

    play(swan, "S1866M", {"Y": ("A Mukd - Kirin", "DP 2: F Hans S A Mukd - Kiri"), "L": ("A Mins H", "DP 2: A Gury H")})
    play(swan, "F1866M", {"Y": ("A Kiri H", "DP 1: A Urga H")})
    swan["Y"].signs_on("BUILD A Tien")
    swan["Y"].person.expects(containing="You do not own Tienking.")
    swan["Y"].signs_on("BUILD F Mukd")
    swan["Y"].person.expects(containing="Builds a fleet in Mukden. (Its additional home center.)")
    winter = play(swan, "W1866A", {})
    assert "Mukden is a home center of China from now on." in winter.text

    for seat in swan.seats.values():
        seat.signs_on("SET DRAW")
    for seat in swan.seats.values():
        seat.person.expects(subject="Draw Declared: BTGLYRNV")
        assert "Movement bids for Spring of 1865" in seat.person.expects(subject="swan - All Bids").text
    check_secrecy(judge, swan)
    the_judge_is_well(judge)


def maps_get_small(swan: Game) -> None:
    """Everybody wants the whole board alone from now on, so that six parts of it are not drawn."""
    everybody = [*swan.seats.values(), swan.master]
    for seat in everybody:
        seat.signs_on("SET MAP SMALL")
    for seat in everybody:
        seat.person.expects(containing="small map")
