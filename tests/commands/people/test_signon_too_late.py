"""A person who wants to take over a power too late reads that it has a player, and which powers are open."""

import pytest

from tests.commands.deskatwork import DeskAtWork

KIM, SUE = "kim@example.org", "sue@example.org"
TOO_LATE = (
    "Wrong password for Turkey in heron. Another person plays Turkey. No one plays Italy: write SIGNON Iheron "
    "<password> for Italy."
)


@pytest.fixture
def taken(heron: DeskAtWork) -> DeskAtWork:
    """Two powers lost their players, and somebody has taken over one of them."""
    for sender in (SUE, "al@example.org"):
        heron.writes(sender, "REGISTER\nName: A Standby\nEND")
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT Turkey\nEJECT Italy")
    heron.writes("al@example.org", "SIGNON Theron pwal")
    return heron


@pytest.mark.parametrize("line", ["SIGNON Theron pwsue", "SIGNON Theron pwturkey"])
@pytest.mark.parametrize("sender", [SUE, "turkey@example.org"])
def test_who_comes_second_reads_that_the_power_has_a_player_and_which_have_none(
    taken: DeskAtWork, sender: str, line: str
) -> None:
    assert TOO_LATE in taken.would_reply(sender, line).flat


def test_neither_a_player_nor_a_stranger_reads_more_than_that_the_password_is_wrong(taken: DeskAtWork) -> None:
    for sender in ("france@example.org", "stranger@example.org"):
        assert "Another person plays" not in taken.would_reply(sender, "SIGNON Theron pwsue").flat


def test_in_a_quiet_game_nobody_reads_which_powers_have_a_player(taken: DeskAtWork) -> None:
    taken.writes(KIM, "SIGNON Mheron gm\nSET QUIET")
    reply = taken.would_reply(SUE, "SIGNON Theron pwsue").flat
    assert "Wrong password for Turkey in heron." in reply and "plays" not in reply
