"""Two years of 1900 by mail, in which each of its own rules comes up."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import pytest

from judge.demo.mail_users import ReceivedMail
from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Game, gather
from tests.commands.whole_lines import may_be_long

Orders = Mapping[str, Sequence[str]]  # by the letter of the power

# Austria-Hungary and Italy never write: no movement phase ends before the master says so.
SPRING_1900: Orders = {
    "B": ("F EGY - MID", "F GIB H", "F LON - ENG", "F EDI - NTH"),
    "F": ("F BRE - MID", "A ALG - MOR", "A MAR - GAS", "A PAR - BUR"),
    "G": ("A BER - PRU", "A COL H", "F KIE - DEN", "A MUN - SIL"),
    "R": ("A WAR - GAL", "A MOS - UKR", "F Sevastapol - Rumania", "F StP (sc) - GBo"),
    "T": ("F ANK - BLA", "A CON - BUL", "A DAM - ARM"),
}
FALL_1900: Orders = {
    "B": ("F EGY - Mid-Atlantic Ocean", "F GIB C French A MOR - SPA", "F ENG H", "F NTH - NWY"),
    "F": ("F MID - POR", "A MOR - SPA", "A GAS H", "A BUR H"),
    "G": ("A PRU - WAR", "A COL H", "F DEN H", "A SIL H"),
    "R": ("A GAL H", "A UKR H", "F RUM H", "F GBO - SWE"),
    "T": ("A ARM - SEV", "A BUL H", "F BLA H"),
}
# Germany and Turkey leave their builds out.
WINTER_1900: Orders = {
    "B": ("BUILD F EGY", "BUILD F LVP"),
    "F": ("BUILD F BRE", "BUILD A ALG", "BUILD A PAR"),
    "R": ("BUILD A SIB",),
}
SPRING_1901: Orders = {
    "B": ("F MID S F GIB", "F GIB H", "F ENG H", "F NWY H", "F LVP H"),
    "F": ("F POR - MID", "F BRE S F POR - MID", "A SPA H", "A GAS H", "A BUR H", "A PAR H"),
    "R": ("A GAL - WAR", "A UKR S A GAL - WAR", "F RUM - SEV", "A SIB S F RUM - SEV", "F SWE - GBO"),
}
# All that were dislodged retreat: this phase ends by itself.
RETREATS_1901: Orders = {"B": ("F MID - EGY",), "G": ("A WAR - PRU",), "T": ("A SEV - ARM",)}
FALL_1901: Orders = {"G": ("F DEN - SWE",), "T": ("A BUL - RUM",)}
WINTER_1901: Orders = {"R": ("REMOVE A SIB",)}


@pytest.mark.timeout(100)
@pytest.mark.long
def test_two_years_of_1900(make_judge: MakeJudge):
    judge = make_judge()
    judge.process.start()
    [heron] = gather(judge, "heron", variant="1900", pictures=False)

    spring = play(heron, "S1900M", SPRING_1900)
    bounced = "Britain: Fleet Egypt -> Mid-Atlantic Ocean. (half strength, around the Cape of Good Hope) (*bounce*)"
    assert bounced in " ".join(spring.split())
    assert "France:          Fleet Brest -> Mid-Atlantic Ocean.\n" in spring

    fall = play(heron, "F1900M", FALL_1900)
    assert "Britain: Fleet Egypt -> Mid-Atlantic Ocean. (half strength, around the Cape" in " ".join(fall.split())
    assert "Britain:         Fleet Gibraltar CONVOY French Army Morocco -> Spain.\n" in fall
    assert "France:          Army Morocco -> Gibraltar -> Spain.\n" in fall
    assert "Russia:             4 Supply centers,  4 Units:  Builds   1 unit." in fall
    assert "Russia is in an emergency: 1 unit more than centers, builds in Siberia too." in fall

    refused = {"B": "Egypt is not one of your home centers.", "F": "Algeria is not one of your home centers."}
    winter = play(heron, "W1900A", WINTER_1900, answers=refused)
    assert "Russia:            Builds an army in Siberia.\n" in winter

    spring = play(heron, "S1901M", SPRING_1901)
    assert "Fleet Mid-Atlantic Ocean SUPPORT Fleet Gibraltar.  (*cut, dislodged*)" in spring
    assert "British Fleet in Mid-Atlantic Ocean can retreat to Egypt or Hejaz" in spring

    retreats = play(heron, "S1901R", RETREATS_1901, at_once=True)
    assert "Britain: Fleet Mid-Atlantic Ocean -> Egypt. (around the Cape of Good Hope)" in " ".join(retreats.split())

    fall = play(heron, "F1901M", FALL_1901)
    assert "Russia:             4 Supply centers,  5 Units:  Removes  1 unit." in fall
    assert "The emergency of Russia is over." in fall and "in an emergency" not in fall

    winter = play(heron, "W1901A", WINTER_1901)
    assert "Russia:            Removes the army in Siberia.\n" in winter

    lines = [line for mail in judge.sink.mails for line in mail.text.splitlines() if not may_be_long(line)]
    assert max(map(len, lines)) < 80
    assert judge.process.ask("status").returncode == 0


def play(
    game: Game, phase: str, orders: Orders, at_once: bool = False, answers: Mapping[str, str] = MappingProxyType({})
) -> str:
    """All send their orders, and the master ends the phase, unless it ends `at_once`; the results.

    `answers`: what the confirmation of a letter's player says.
    """
    for letter, lines in orders.items():
        game[letter].signs_on(*lines)
    # Letters on their way may overtake each other.
    for letter in orders:
        game[letter].person.expects(containing=answers.get(letter, " orders for "))
    if not at_once:
        game.master.signs_on("PROCESS")
    return unwrapped(game.results(phase))


def unwrapped(mail: ReceivedMail) -> str:
    """The text with each sentence on one line, however long."""
    return re.sub(r"\n {4,}", " ", mail.text)
