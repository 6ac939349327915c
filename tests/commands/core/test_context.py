"""A block that is undone: whatever its handlers had set is gone, and what the letter has in common is not."""

from tests.commands.deskatwork import DeskAtWork


def test_another_block_knows_nothing_of_the_one_before(heron: DeskAtWork):
    """Neither for whom its master acted nor for which phase its lines were kept."""
    acting = "SIGNON Mheron gm\nBECOME France\nPHASE F1901M\nA PAR H"
    answer = heron.replies("kim@example.org", f"{acting}\nSIGNON Gheron pwgermany\nA MUN - TYR").text
    assert "1 line saved for F1901M, to be checked when it opens." in answer
    assert "Germany: Army Munich -> Tyrolia." in answer
    # Of Germany there is a form to order with; of a power that is acted for there is none.
    assert answer.count("<your password>") == answer.count("SIGNON Gheron <your password>") == 1
