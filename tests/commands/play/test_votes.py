"""Votes by letter: what they name is powers; what names none is no vote."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.rules import adjudicate, load_variant, position_from_json
from judge.rules.mechanisms.victory import Victory, sharers
from judge.store.engine import transaction
from judge.store.games import votes_in
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase


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


def test_a_draw_of_one_power_is_answered_as_the_concession_that_it_is(heron):
    says(heron, "france", "SET DRAW")
    answer = says(heron, "france", "SET DRAW Russia")
    assert "a draw of one power is a concession, so your vote to concede the game to Russia is recorded" in answer
    assert votes(heron) == [("France", "Russia")], "it takes the place of the vote for a draw"
    assert "Your vote to concede is still valid. SET NO CONCEDE takes it back." in says(heron, "france", "SET NO DRAW")
    assert "your vote is taken back" in says(heron, "france", "SET NO CONCEDE") and votes(heron) == []


def test_a_draw_of_one_power_is_refused_where_there_are_no_concessions(heron):
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET NODIAS, NO CONCESSIONS")
    why = "A draw of one power is a concession. This game does not allow concessions."
    assert why in says(heron, "france", "SET DRAW Russia")
    assert "This game does not allow concessions." in says(heron, "france", "SET CONCEDE Russia") and votes(heron) == []


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


EARLY = load_variant("1648")


def first_name(power: str) -> str:
    return re.split(r"\W", power.lower())[0]


def vote(desk: DeskAtWork, power: str, text: str, board: str = "1648") -> list[Posted]:
    seat = next(seat for seat in load_variant(board).seats if seat.name == power)
    name = first_name(power)
    return desk.writes(f"{name}@example.org", f"SIGNON {seat.letter}heron pw{name}\n{text}")


def result(desk: DeskAtWork) -> str:
    return desk.game().result or ""


def powers(board: str = "1648") -> list[str]:
    return [seat.name for seat in load_variant(board).seats]


ENDS = [
    # what all write, the result, the sentence
    ("SET CONCEDE Sweden", "Game Conceded to: W", "heron has been conceded to Sweden."),
    ("SET CONCEDE TO France, Sweden and Spain", "Game Conceded to: FSW", "conceded to France, Spain and Sweden."),
    ("SET DRAW FW", "Draw Declared: FW", "heron is a draw between France and Sweden."),
    ("SET DRAW", "Draw Declared: ADEFPRSWT", "heron is a draw between Austria"),
]


@pytest.mark.parametrize(("text", "ended", "sentence"), ENDS, ids=[text for text, _, _ in ENDS])
def test_any_end_that_all_vote_for_ends_the_game_at_the_last_vote(desk, text, ended, sentence):
    desk.seat_all("heron", "1648")
    *most, last = powers()
    for power in most:
        mails = vote(desk, power, text)
        assert [mail.to for mail in mails] == [f"{first_name(power)}@example.org"], "nobody else learns of a vote"
    assert result(desk) == ""
    mails = vote(desk, last, text)
    assert result(desk) == ended
    assert len({mail.to for mail in mails if sentence in mail.flat}) == 10, "everybody and the master"


def test_whoever_gets_the_game_alone_need_not_vote_but_an_alliance_must(desk):
    """ "Accepted unanimously": who shares the game with others must want to share it."""
    desk.seat_all("heron", "1648")
    for power in [name for name in powers() if name not in ("France", "Sweden")]:
        vote(desk, power, "SET CONCEDE France, Sweden")
    vote(desk, "Sweden", "SET CONCEDE France, Sweden")
    assert result(desk) == ""
    for power in [name for name in powers() if name != "France"]:
        vote(desk, power, "SET CONCEDE France")
    assert result(desk) == "Game Conceded to: F"


def test_votes_for_different_ends_are_no_agreement(desk):
    desk.seat_all("heron", "1648")
    for power in powers():
        vote(desk, power, "SET DRAW France, Sweden" if power != "Spain" else "SET DRAW France, Sweden, Spain")
    assert result(desk) == ""
    vote(desk, "Spain", "SET DRAW Sweden, France")
    assert result(desk) == "Draw Declared: FW"


def test_a_vote_can_be_taken_back_and_is_void_when_the_phase_ends(desk):
    desk.seat_all("heron", "1648")
    *most, last = powers()
    for power in most:
        vote(desk, power, "SET CONCEDE Turkey" if power != "Austria" else "SET CONCEDE Turkey\nSET NO CONCEDE")
    assert result(desk) == ""
    desk.ring(desk.phase().grace_ends_at + timedelta(seconds=1))
    vote(desk, "Austria", "SET CONCEDE Turkey")
    assert result(desk) == "", "the votes of the other players were for the phase before"


def test_a_draw_of_one_power_is_a_concession_to_anyone(desk):
    desk.seat_all("heron", "1648")
    for power in [name for name in powers() if name != "Spain"]:
        vote(desk, power, "SET DRAW Spain" if power != "France" else "SET CONCEDE Spain")
    assert result(desk) == "Game Conceded to: S"


@pytest.mark.parametrize("board", ["ambition_empire", "intercontinental"])
def test_the_other_boards_with_that_rule(desk, board):
    desk.seat_all("heron", board)
    chosen = powers(board)[:2]
    for name in powers(board):
        vote(desk, name, f"SET CONCEDE {', '.join(chosen)}", board)
    seats = load_variant(board).seats
    assert result(desk) == f"Game Conceded to: {seats[0].letter}{seats[1].letter}"


# --- who shares a draw ----------------------------------------------------------------------------------------


def standing(phase: str = "F1655M", **units: list[str]):
    """France and Spain own centers; only those in `units` have pieces."""
    return position_from_json(
        EARLY, {"phase": phase, "units": units, "centers": {"France": ["PAR", "MAR"], "Spain": ["MAD"]}}
    )


def test_a_draw_counts_powers_with_pieces():
    """1648, Victory: "all players who still have pieces on the board when the game ends share equally in a draw"."""
    assert sharers(EARLY, standing(France=["A PAR"])) == {"France"}
    assert sharers(load_variant("ambition_empire"), standing(France=["A PAR"])) == {"France"}
    assert sharers(load_variant("intercontinental"), standing(France=["A PAR"])) == {"Teal", "Spain"}
    assert sharers(load_variant("standard"), standing(France=["A PAR"])) == {"France", "Spain"}


def test_the_draw_of_the_last_year_counts_pieces_too():
    victory = EARLY.rule(Victory)
    assert victory
    capped = EARLY.with_rule(replace(victory, year_cap=1655))
    outcome = adjudicate(capped, standing(France=["A PAR"]), {})
    assert (outcome.drawn, outcome.over, outcome.adjust) == (("France",), True, {})
