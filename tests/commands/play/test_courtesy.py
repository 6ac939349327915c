"""Greetings and names are for people; what may be meant for the judge is not taken for one."""

import pytest

from judge.commands.play.stray_lines import is_courtesy
from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

NAMES = ("Kim Doe", "Austria")


@pytest.mark.parametrize("line", listed("""
    Hello
    Hi all,
    Dear judge,
    Hi Sam!
    Thanks!
    Thank you very much
    Best regards
    Kind regards, Kim
    Good morning everybody
    Kim
    Kim Doe
    Austria
    Cheers, Kim (Austria)
    Yours truly"""))
def test_courtesy(line: str) -> None:
    assert is_courtesy(line, NAMES)


@pytest.mark.parametrize("line", [
    "PROCES", "what is this", "Turkey", "hi please set wait", "Thanks, wait for me", "Hello WAIT", "Best: A PAR H",
    "Army Vienna to Galizia", "Good idea", "", "hello 5", "my regards go to all of the people whom I have met here",
])  # fmt: skip
def test_no_courtesy(line: str) -> None:
    assert not is_courtesy(line, NAMES)


def test_a_player_may_sign_their_orders_for_this_phase_or_a_later_one(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "standard", surname=" Roe")
    for above in ("", "PHASE F1901M\n"):
        written = f"SIGNON Fheron pwfrance\n{above}A PAR - BUR\n"
        assert "> Roe" in desk.would_reply("france@example.org", f"{written}Roe and Doe").text
        assert "Roe" not in desk.would_reply("france@example.org", f"{written}Cheers,\nRoe").text
