"""Three years of Colonia by mail: a colony that builds, an island closed to armies, the edge of the map, a border that
the master corrects.
"""

import pytest

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.game import Game, gather


@pytest.mark.long
def test_three_years_of_colonia(make_judge: MakeJudge):
    judge = make_judge()
    judge.process.start()
    [tern] = gather(judge, "tern", variant="colonia", pictures=False)
    assert set(tern.seats) == set("AEFNTPRS")

    # Spring 1751: an army is not let onto Tahiti, however it is written; Turkey is a name of the Ottoman Empire.
    order(tern, "F", "A QUE - Tahiti", "A PAR - BUR", unread="Tahiti is closed to armies, by convoy too")
    order(tern, "E", "F AUS - TAS", "F LON - NTH")
    order(tern, "S", "F MNL - PFP")
    spring = play(tern, "S1751M")
    assert "France:         Army Paris -> Burgundy." in spring
    assert "France:         Army Quebec, No Order Processed." in spring

    # Fall: England takes New Zealand and builds in Australia, which is a colony.
    order(tern, "E", "F TAS - NWZ", "F NTH - SGK")
    order(tern, "S", "F PFP - WPC")
    fall = play(tern, "F1751M")
    assert "England:           7 Supply centers,  6 Units:  Builds   1 unit." in fall
    order(tern, "E", "BUILD A CUB", unread="Cuba is not one of your home centers.")
    order(tern, "E", "BUILD A AUS")
    assert "England:          Builds an army in Australia." in play(tern, "W1751A")

    # The master finds that Skagerrak should border on the Baltic: everybody is told, and the border is there.
    order(tern, "E", "F SGK - BAL", unread="Fleet Skagerrak cannot reach Baltic Sea.")
    tern.master.signs_on("BORDER ADD FLEET Skagerrak - Baltic Sea")
    tern.master.person.expects(containing="The board of tern is corrected: Fleets may go Baltic Sea [BAL] -")
    told = tern.told("tern - S1752M Border Corrected", "Fleets may go Baltic Sea [BAL] - Skagerrak [SGK].")
    assert told.text.startswith("The board of tern was corrected by its master, for this game.")
    al = judge.person("Al")
    al.writes("INFO BAL tern", "STATUS tern")
    al.expects(containing=["Skagerrak [SGK]", "The board of this game has been corrected:"])
    judge.process.terminate()
    judge.process.start()
    order(tern, "E", "F SGK - BAL", "A AUS - ARN")
    order(tern, "S", "F WPC - GIL")
    assert "England:        Fleet Skagerrak -> Baltic Sea." in play(tern, "S1752M")

    # Over the edge of the map, and into Peru.
    order(tern, "S", "F GIL - SPC")
    assert "Spain:          Fleet Gilberts -> South Pacific." in play(tern, "F1752M")
    order(tern, "S", "F SPC - PRU")
    assert "Spain:          Fleet South Pacific -> Peru." in play(tern, "S1753M")
    order(tern, "S", "F PRU H")
    assert "Spain:             7 Supply centers,  6 Units:  Builds   1 unit." in play(tern, "F1753M")
    order(tern, "S", "BUILD F MNL")
    assert "Spain:            Builds a fleet in Manila." in play(tern, "W1753A")

    al.writes("GET RULES colonia", "HISTORY tern FROM S1751M TO W1753A")
    al.expects(containing=["What differs from the standard game", "Spain:            Builds a fleet in Manila."])
    for mail in judge.sink.mails:
        assert max(map(len, mail.text.splitlines())) <= 78, mail.subject
    assert judge.process.terminate() == 0


def order(tern: Game, letter: str, *lines: str, unread: str = "") -> None:
    """A power sends orders; the answer quotes what is `unread`, why."""
    tern[letter].signs_on(*lines)
    tern[letter].person.expects(containing=unread or "(tern.")


def play(tern: Game, phase: str) -> str:
    """The master ends the phase; whoever has not ordered holds."""
    tern.master.signs_on(f"PROCESS {phase}")
    return tern.results(phase).text
