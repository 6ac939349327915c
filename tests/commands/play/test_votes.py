"""Votes by letter: what they name is powers; what names none is no vote."""

from itertools import cycle

import pytest

from judge.store.engine import transaction
from judge.store.orders import votes_in
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase

POWERS = ("austria", "england", "france", "germany", "italy", "russia", "turkey")


def votes(desk: DeskAtWork) -> list[tuple[str, str]]:
    """Who has voted for what in the open phase."""
    with transaction(desk.engine) as session:
        phase = open_phase(session, game_named(session, "heron"))
        return [(vote.power, vote.choice) for vote in votes_in(session, phase)]


def says(desk: DeskAtWork, power: str, line: str) -> str:
    answer = desk.replies(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{line}")
    return answer.flat


def test_nobody_concedes_to_several_who_are_level(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nCORRECT POSITION France: SPA")
    assert "A game can only be conceded to the one power that" in says(heron, "england", "SET CONCEDE France, Russia")
    assert votes(heron) == []


def test_nothing_is_conceded_where_nobody_owns_a_center(heron):
    centers = "VIE BUD TRI LON LVP EDI PAR MAR BRE BER MUN KIE ROM NAP VEN MOS WAR SEV STP CON ANK SMY"
    heron.writes("kim@example.org", f"SIGNON Mheron gm\nCORRECT POSITION Nobody: {centers.replace(' ', ', ')}")
    assert "A game can only be conceded to the one power that" in says(heron, "england", "SET CONCEDE France")


def test_lists_are_no_votes_any_more_when_draws_include_all(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NODIAS")
    for power in POWERS[:-1]:
        says(heron, power, "SET DRAW France, Turkey")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET DIAS")
    assert "has ended" not in says(heron, "turkey", "SET DRAW")
    for power in POWERS[:-1]:
        answer = says(heron, power, "SET DRAW")
    assert "has ended" in answer


@pytest.mark.parametrize("setting", ["SET DIAS", "SET NODIAS"])
def test_the_game_is_conceded_to_the_largest_whatever_draws_include(heron, setting):
    heron.writes("kim@example.org", f"SIGNON Mheron gm\n{setting}")
    lines = cycle(("SET CONCEDE Russia", "SET DRAW Russia", "SET DRAW R"))
    for power, line in zip(POWERS, lines, strict=False):
        if power not in ("turkey", "russia"):
            assert "has ended" not in says(heron, power, line)
    assert "has ended. Game Conceded to: R." in says(heron, "turkey", next(lines))


def test_a_draw_of_one_power_is_answered_as_the_concession_that_it_is(heron):
    says(heron, "france", "SET DRAW")
    answer = says(heron, "france", "SET DRAW Russia")
    assert "a draw of one power is a concession, so your vote to concede the game to Russia is recorded" in answer
    assert votes(heron) == [("France", "Russia")], "it takes the place of the vote for a draw"
    assert "your vote to concede is still valid; SET NO CONCEDE takes it back." in says(heron, "france", "SET NO DRAW")
    assert "your vote is taken back" in says(heron, "france", "SET NO CONCEDE") and votes(heron) == []


def test_a_draw_of_one_power_is_refused_where_there_are_no_concessions(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NODIAS, NO CONCESSIONS")
    why = "A draw of one power is a concession. This game does not allow concessions."
    assert why in says(heron, "france", "SET DRAW Russia")
    assert "This game does not allow concessions." in says(heron, "france", "SET CONCEDE Russia") and votes(heron) == []


@pytest.mark.parametrize(("setting", "ended"), [("CONCESSIONS", "Game Conceded to: R"), ("NO CONCESSIONS", "")])
def test_lists_that_share_one_power_are_a_concession_too(heron, setting, ended):
    heron.writes("kim@example.org", f"SIGNON Mheron gm\nSET NODIAS, {setting}")
    others = [power for power in POWERS if power != "russia"]
    says(heron, "russia", "SET DRAW AEFGIRT")
    for power, friend in zip(others, others[1:] + others[:1], strict=True):
        answer = says(heron, power, f"SET DRAW Russia, {friend.title()}")
    assert (f"has ended. {ended}." in answer) if ended else "has ended" not in answer


def test_a_concession_counts_no_more_when_there_are_none_any_more(heron):
    for power in POWERS[:-1]:
        says(heron, power, "SET CONCEDE Russia")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NO CONCESSIONS")
    assert "has ended" not in says(heron, "turkey", "SET DRAW")


@pytest.mark.parametrize("voted", [True, False])
def test_a_master_who_acts_for_a_power_does_not_vote_for_it_nor_learn_whether_it_voted(heron, voted):
    if voted:
        says(heron, "france", "SET DRAW")
    answer = heron.replies("kim@example.org", "SIGNON Mheron gm\nBECOME France\nSET NO DRAW").text
    refused = "Only the player of France can send SET NO DRAW."
    assert refused in " ".join(answer.split()) and "vote now" not in answer
    assert bool(votes(heron)) is voted


def test_what_is_no_vote_is_said_and_changes_none(heron):
    alone = "the master and the observers cannot share a draw. Your vote was not recorded."
    for setting, write in {
        "SET DIAS": "For a draw of all survivors, write only SET DRAW",
        "SET NODIAS": "List the powers you accept in a draw: SET DRAW France, England or SET DRAW FE.",
    }.items():
        heron.writes("kim@example.org", f"SIGNON Mheron gm\n{setting}")
        named = ("M", "O", "MO", "master", "observers", "FM", "France, M")
        heron.expects("france@example.org", "SIGNON Fheron pwfrance\n", {
            **{f"SET DRAW {one}": (alone, write) for one in named},
            **{f"SET CONCEDE {one}": "Write SET CONCEDE and the power with" for one in ("M", "O", "RM")},
        })  # fmt: skip
    heron.expects("kim@example.org", "SIGNON Mheron gm\n", {
        f"SET {setting}\nLIST heron": f"Ends: {told}"
        for setting, told in {
            "NODIAS": "draws may leave survivors out (NoDIAS); concessions to the largest power",
            "NODIAS, NO CONCESSIONS": "draws may leave survivors out (NoDIAS); no concessions",
            "DIAS, CONCESSIONS": "draws include all survivors (DIAS); concessions to the largest power",
        }.items()
    })  # fmt: skip
    says(heron, "france", "SET DRAW France, Italy")
    says(heron, "france", "SET DRAW O")
    assert [who for who, _ in votes(heron)] == ["France"], "the vote that stood stands"
