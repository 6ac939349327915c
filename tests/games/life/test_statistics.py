"""What is told of games that have ended: how, for each power, after how many years, and with how many centers."""

import pytest
from sqlmodel import select

from judge.games.life import statistics
from judge.store.engine import transaction
from judge.store.tables import Game, Phase
from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

FRANCE, KIM = "france@example.org", "kim@example.org"


@pytest.fixture
def ended(desk: DeskAtWork) -> DeskAtWork:
    """Two games of two years and of one, and one without any."""
    for game, phases in (("heron", 5), ("crane", 2), ("egret", 0)):
        desk.seat_seven(game)
        for _ in range(phases):
            desk.writes(FRANCE, f"SIGNON F{game} pwfrance\nA MAR - SPA\nA SPA H")
            desk.writes(KIM, f"SIGNON M{game} gm\nPROCESS!")
        desk.writes(KIM, f"SIGNON M{game} gm\nTERMINATE {game}")
    return desk


def results(desk: DeskAtWork, **found: str) -> None:
    with transaction(desk.engine) as session:
        for game in session.exec(select(Game)):
            game.result = found.get(game.name, game.result)


def rows(text: str, title: str) -> dict[str, list[str]]:
    """{label: the other cells} of the chart of that title."""
    lines = text.partition(f"{title}\n\n")[2].partition("\n\n")[0].splitlines()[1:]
    return {cells[0]: cells[1:] for cells in map(str.split, lines)}


def test_results_are_read_as_games_keep_them(ended: DeskAtWork):
    with transaction(ended.engine) as session:
        (game,) = session.exec(select(Game).where(Game.name == "heron")).all()
        for game.result, told in table("""
            Victory: France => won France
            Game Conceded to: T => won Turkey
            Draw Declared: EF => drew England France
            Game Terminated =>
            Game Abandoned =>
        """):
            how, powers = statistics.shared_in(game)
            assert " ".join([how, *powers]).strip() == told, game.result


def test_a_variant_has_lengths_results_by_power_and_centers_by_year(ended: DeskAtWork):
    results(ended, heron="Victory: France", crane="Draw Declared: EF")
    text = ended.would_reply(FRANCE, "STATS standard").text
    assert "3 listed games of Standard Diplomacy have ended." in text
    assert rows(text, "Games") == {"3": ["1", "1", "1", "0", "1", "2"]}
    powers = rows(text, "Results by power")
    assert powers["France"] == ["1", "1", "0", "4.0", "4"] and powers["England"] == ["0", "1", "0", "3.0", "3"]
    years = rows(text, "Centers by year (mean)")
    assert years["France"] == ["4.0", "4.0"] and years["Russia"] == ["4.0", "4.0"]


def test_own_games_are_told_to_their_player_and_names_only_of_those_who_show_them(ended: DeskAtWork):
    results(ended, heron="Victory: France", crane="Draw Declared: EF")
    text = ended.would_reply(FRANCE, "STATS").text
    assert rows(text, "Ended games") == {"Standard": ["Diplomacy", "3", "1", "1", "1"]}
    assert {game: cells[-1] for game, cells in rows(text, "Your ended games").items()} == {
        "heron": "won", "crane": "drew", "egret": "-"}  # fmt: skip
    assert "show their names" not in text
    ended.writes(FRANCE, "SIGNON Fheron pwfrance\nSET PUBLIC NAME ON")
    text = ended.would_reply("al@elsewhere.example", "STATS").text
    assert rows(text, "Players who show their names") == {"France": ["3", "1", "1"]} and "Your" not in text


def test_a_power_that_lost_its_centers_is_out(ended: DeskAtWork):
    with transaction(ended.engine) as session:
        for phase in session.exec(select(Phase).where(Phase.name == "F1902M")):
            outcome = phase.outcome or {}
            phase.outcome = {**outcome, "centers": {**outcome["centers"], "Italy": []}}
    assert rows(ended.would_reply(FRANCE, "STATS heron").text, "Results by power")["Italy"][2:4] == ["1", "1.5"]
