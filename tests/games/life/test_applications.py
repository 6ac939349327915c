"""What a person waits for in a game: the master's word, or a place in line, and one of these at a time."""

from datetime import timedelta
from itertools import permutations

import pytest

from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted

JO, KIM = "jo@example.org", "kim@example.org"
IN_LINE, ASKED, ASKED_TO_OBSERVE = "number 1 in line", "decides who joins", "decides who observes"


def full(desk: DeskAtWork) -> None:
    """owl, which LIST does not show and whose master decides who joins, is full and has not begun."""
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?owl gm\nSET NOLIST, APPROVAL, MANUALSTART")
    for name in ALL_HOLD:
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name} Doe\nEND\nSIGNON ?owl pw{name}")
        desk.writes(KIM, f"SIGNON Mowl gm\nAPPROVE {name}@example.org")
    desk.writes(JO, "REGISTER\nName: Jo Roe\nEND")


def leaves(desk: DeskAtWork, name: str) -> list[Posted]:
    return desk.writes(f"{name}@example.org", f"SIGNON ?owl pw{name}\nRESIGN owl")


@pytest.mark.parametrize("order", [*permutations(("observe", "wait", "join"))])
def test_a_later_wish_replaces_an_earlier_one(desk: DeskAtWork, order: tuple[str, ...]):
    desk.goes_on("owl is full", lambda: full(desk))
    for wish in order:
        if wish == "observe":
            assert ASKED_TO_OBSERVE in desk.replies(JO, "OBSERVE owl").flat
        elif wish == "wait":
            assert IN_LINE in desk.replies(JO, "SIGNON ?owl pw").flat
        else:
            leaves(desk, "france")
            assert ASKED in desk.replies(JO, "SIGNON ?owl pw").flat
            desk.writes("france@example.org", "SIGNON ?owl pwfrance")
            desk.writes(KIM, "SIGNON Mowl gm\nAPPROVE france@example.org")
    asked = [mail.to for mail in leaves(desk, "italy") if "Player Needed" in mail.subject]
    assert asked == [JO] * (order[-1] == "wait")


def free(desk: DeskAtWork, name: str) -> list[str]:
    """Who is asked when that player has left heron."""
    mails = desk.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\nRESIGN heron")
    return [mail.to for mail in mails if "Seat Open" in mail.subject]


def test_whoever_waits_in_line_may_watch(heron: DeskAtWork):
    heron.writes(JO, "REGISTER\nName: Jo Roe\nEND\nSIGNON ?heron pw")
    assert "now observing" in heron.replies(JO, "OBSERVE heron").flat
    assert free(heron, "turkey") == [JO]


def test_the_next_in_line_is_asked_while_the_first_may_not_be(heron: DeskAtWork):
    """Jo is asked, does not answer, and is asked again no sooner than a day later."""
    heron.writes(JO, "REGISTER\nName: Jo Roe\nEND\nSIGNON ?heron pw")
    assert free(heron, "turkey") == [JO]
    heron.writes("bo@example.org", "REGISTER\nName: Bo Low\nEND\nSIGNON Theron pw")
    for address in (JO, "al@example.org"):
        heron.writes(address, "REGISTER\nName: Al Ash\nEND\nSIGNON ?heron pw")
    assert free(heron, "italy") == ["al@example.org"]
    heron.now += timedelta(days=1, hours=1)
    assert free(heron, "france") == [JO]
