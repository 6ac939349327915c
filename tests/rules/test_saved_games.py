"""Games in the saved-game form of the `diplomacy` package: it loads them, and plays them again."""

from datetime import UTC, datetime, timedelta

import orjson
import pytest

from judge.rules import adjudicate, load_variant, parse_order, position_from_json
from judge.rules.board.phase import kind
from judge.rules.json_forms import Json
from judge.rules.saved_games import SavedPhase, saved_game
from judge.rules.selfplay import play
from tests.texts import table

# A unit of each kind is dislodged and has somewhere to go, and in the winter Germany removes one without an order.
FIGHT = {
    "phase": "F1902M",
    "units": {"France": ["A BUR", "F SPA/NC"], "Germany": ["A MUN", "A RUH", "A BER"], "Italy": ["F LYO", "A MAR"]},
    "centers": {"France": ["PAR", "BRE", "MAR", "SPA"], "Germany": ["MUN", "BER"], "Italy": ["ROM"]},
}
ATTACK = {
    "Germany": ["A MUN - BUR", "A RUH S A MUN - BUR"],
    "Italy": ["F LYO - SPA/SC", "A MAR S F LYO - SPA"],
    "France": ["F SPA/NC H"],
}
FIGHTS = [ATTACK, {"France": ["A BUR - PIC", "F SPA/NC - POR"]}, {"France": ["BUILD A PAR", "WAIVE"]}]


def played(name: str, first: Json, orders: list[dict[str, list[str]]], result: str = "") -> Json:
    """The game that begins with this in-line and goes on with these orders, as a program reads it."""
    variant = load_variant(name)
    position, at = position_from_json(variant, first), datetime(2026, 5, 4, tzinfo=UTC)
    phases = []
    for texts in orders:
        dated, reads = variant.at(position.phase), kind(position.phase)
        given = {power: [parse_order(dated, reads, text) for text in own] for power, own in texts.items()}
        outcome = adjudicate(dated, position, given)
        phases.append(SavedPhase(position, at, outcome))
        position, at = outcome.position, at + timedelta(days=1)
    game: Json = orjson.loads(orjson.dumps(saved_game(variant, "heron", [*phases, SavedPhase(position, at)], result)))
    return game


def random_game(name: str, years: int, seed: int, result: str = "") -> Json:
    lines = [*play(load_variant(name), years, seed)]
    return played(name, lines[0], [line["orders"] for line in lines], result)


GAMES = {
    "standard": lambda: random_game("standard", 3, 4),
    "build anywhere": lambda: random_game("build_anywhere", 3, 3),
    "retreats": lambda: played("standard", FIGHT, FIGHTS),
    "ended by a vote": lambda: random_game("standard", 1, 7, "It ended in a draw."),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_package_loads_a_game_and_replays_it(name: str):
    export = pytest.importorskip("diplomacy.utils.export", reason="pip install diplomacy, which reads these games")
    game = GAMES[name]()
    loaded = export.from_saved_game_format(game)
    *before, last = game["phases"]
    assert loaded.get_current_phase() == last["name"] and loaded.get_hash() == last["state"]["zobrist_hash"]
    assert loaded.is_game_done == (last["name"] == "COMPLETED") and loaded.note == last["state"]["note"]
    written = export.to_saved_game_format(loaded)["phases"]
    assert [phase["state"] for phase in written[:-1]] == [phase["state"] for phase in before]
    assert [phase["orders"] for phase in written[:-1]] == [phase["orders"] for phase in before]
    assert {**written[-1]["state"], "timestamp": 0, "influence": 0, "game_id": 0}.keys() == last["state"].keys()
    assert export.is_valid_saved_game(game)


def test_a_position_says_who_retreats_where_and_who_builds():
    movement, retreats, winter, spring = played("standard", FIGHT, FIGHTS)["phases"]
    assert movement["results"]["A BUR"] == movement["results"]["F SPA/NC"] == ["dislodged"]
    assert movement["results"]["A BER"] == movement["results"]["A MUN"] == []
    assert retreats["state"]["retreats"]["FRANCE"]["F SPA/NC"] == ["GAS", "MAO", "POR"]
    assert retreats["state"]["units"]["FRANCE"] == ["*A BUR", "*F SPA/NC"]
    assert retreats["orders"]["FRANCE"] == ["A BUR R PIC", "F SPA/NC R POR"]
    assert winter["state"]["builds"]["FRANCE"] == {"count": 1, "homes": ["BRE", "PAR"]}
    assert winter["orders"]["FRANCE"] == ["A PAR B"] and len(winter["orders"]["ITALY"]) == 0
    assert spring["orders"]["FRANCE"] is None and spring["state"]["influence"]["ITALY"] == ["SPA", "MAR", "LYO"]


def test_orders_are_written_as_the_package_reads_them():
    fleets = {"phase": "S1901M", "units": {"England": ["A LON", "F NTH", "F MAO", "A WAL", "F LYO"]}}
    for lines, told in table("""
        A LON - BEL; F NTH C A LON - BEL => A LON - BEL VIA; F NTH C A LON - BEL
        A LON - YOR VIA; F NTH H         => A LON H; F NTH H
        A LON - WAL; F NTH - YOR         => A LON - WAL; F NTH - YOR
        A LON - PAR; F NTH H             => F NTH H
        F LYO S F MAO - SPA/SC           => F LYO S F MAO - SPA
        F MAO - SPA/NC                   => F MAO - SPA/NC
    """):
        (phase, _) = played("standard", fleets, [{"England": lines.split("; ")}])["phases"]
        assert phase["orders"]["ENGLAND"] == told.split("; "), lines
