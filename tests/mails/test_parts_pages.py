"""A mail shows its reader the whole board, and the fewest parts that show all own units: four at most."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from judge.maps.draw import FOR_OTHERS, MOST, _in, parts_showing, parts_to_see, provinces_in, provinces_of
from judge.maps.geometry import load_geometry
from tests.maps.boards import DRAWN, LAID_OUT, busiest, game


def _told(name: str, *powers: str) -> list[str]:
    return parts_to_see(load_geometry(name), busiest(name)["S"], powers)


def test_the_whole_board_comes_first_and_then_the_readers_own_theatres():
    assert _told("standard", "England") == ["", "West", "East"]
    assert _told("standard", "Turkey") == ["", "East", "West"]
    assert _told("1648", "Russia")[1] == "East"
    assert _told("colonia", "Austria")[1] == "Eastern Europe"


def test_each_part_counts_for_what_no_part_before_it_shows():
    france = _told("colonia", "France")
    assert france[1] == "Western Europe"
    assert france[2] in ("Africa", "Americas", "India and the Indies")


def test_a_player_of_several_powers_sees_where_most_of_them_are():
    assert set(_told("intercontinental", "Brazil", "Argentina", "Peru")) == {"South America", ""}
    told = _told("intercontinental", "China", "Japan", "Argentina")
    assert told[1:] == ["China and Japan", "South America"]


def test_who_has_no_power_sees_the_whole_board_first():
    assert _told("standard")[0] == ""
    assert set(_told("standard")) == {"", "West", "East"}
    assert _told("intercontinental")[0] == ""


def test_powers_in_four_corners_are_seen_in_four_parts():
    powers = "Brazil", "Japan", "Australia", "United States of America"
    scene = busiest("intercontinental")["S"]
    some = [power for power in powers if power in scene.variant.power_named]
    told = parts_to_see(load_geometry("intercontinental"), scene, some)
    assert len(told) == 1 + len(some)


@pytest.mark.parametrize("name", LAID_OUT)
def test_a_player_sees_all_own_units_and_failed_orders_in_the_fewest_parts(name):
    """Also powers drawn from all over the board; no part that is given could be missed, and no smaller set would do."""
    geometry, dice = load_geometry(name), Random(1)
    shown = {part.name: _in(geometry, part) for part in geometry.parts}
    most = 0
    for scene in game(name):
        powers = [power.name for power in scene.variant.powers if scene.position.units_of(power.name)]
        for some in ([power] for power in powers), (dice.sample(powers, min(4, len(powers))) for _ in range(5)):
            for own in some:
                _, *chosen = parts_to_see(geometry, scene, own)
                failed = [
                    one.order for one in scene.results if one.power in own and not {"ok", "void"} & {*one.results}
                ]
                units = {
                    unit.province
                    for now in (scene.position, scene.newest)
                    for power in own
                    for unit in now.all_units_of(power)
                }
                places = units.union(*map(provinces_of, failed))
                seen = set().union(*(shown[part] for part in chosen))
                fewer = combinations(shown, len(chosen) - 1)
                most = max(most, len(chosen))
                assert len(chosen) == MOST or places <= seen, (scene.position.phase, own)
                if len(shown) > FOR_OTHERS:
                    assert not any(places & seen <= set().union(*(shown[one] for one in some)) for some in fewer)
    assert most == min(MOST, len(shown))


@pytest.mark.parametrize("name", DRAWN)
def test_who_has_no_power_gets_few_parts(name):
    geometry, scene = load_geometry(name), busiest(name)["M"]
    assert len(parts_to_see(geometry, scene)) <= 1 + FOR_OTHERS


# --- somebody's orders ------------------------------------------------------------------------------------------


def test_orders_are_shown_in_the_parts_where_they_can_be_read():
    geometry = load_geometry("standard")
    assert parts_showing(geometry, [{"PAR", "BUR"}, {"MAR", "PAR", "BUR"}]) == ["West"]
    assert parts_showing(geometry, [{"CON", "BUL"}]) == ["East"]
    assert parts_showing(geometry, [{"PAR", "BUR"}, {"PIC"}, {"CON", "BUL"}]) == ["West", "East"]


@pytest.mark.parametrize("name", LAID_OUT)
def test_no_part_is_shown_whose_orders_others_show(name):
    """A player's orders are in one part if it has them all, and no part of several can be left out."""
    geometry = load_geometry(name)
    shown = {part.name: _in(geometry, part) for part in geometry.parts}
    for scene in game(name):
        for seat in scene.variant.seats:
            orders = [provinces_of(result.order) for result in scene.results if result.power in seat.powers]
            chosen = parts_showing(geometry, orders)

            if len(chosen) > 1:
                places = [*orders, *({place} for order in orders for place in order)]
                seen = [{name for name in shown if some <= shown[name]} for some in places]
                assert not set.intersection(*seen), (scene.position.phase, seat.name)
                needed = [{*chosen} & names for names in seen]
                assert all({name} in needed for name in chosen), (scene.position.phase, seat.name, chosen)


def test_an_order_from_part_to_part_is_shown_at_both_ends():
    assert set(parts_showing(load_geometry("standard"), [{"LON", "NTH", "SYR"}])) == {"West", "East"}


def test_a_players_orders_all_over_the_world_have_four_parts_at_most():
    geometry = load_geometry("intercontinental")
    assert parts_showing(geometry, [{"Pari", "Dijo"}]) == ["Western Europe"]
    assert len(parts_showing(geometry, [{abbr} for abbr in geometry.spots])) == MOST


def test_a_players_own_orders_come_before_their_bids():
    geometry = load_geometry("intercontinental")
    own, bids = [{"Vien"}, {"Magd"}, {"Mexi"}, {"Bang"}], [{abbr} for abbr in geometry.spots]
    chosen = parts_showing(geometry, own, bids)
    assert [*chosen[: len(parts_showing(geometry, own))]] == parts_showing(geometry, own)
    assert len(chosen) == MOST
    assert all(any(places <= provinces_in(geometry, part) for part in chosen) for places in own)
    assert parts_showing(geometry, [{"Vien"}], [{"Vien"}]) == parts_showing(geometry, [{"Vien"}])


def test_where_there_is_nothing_to_show_in_parts_it_is_the_whole_board():
    geometry = load_geometry("standard")
    assert parts_showing(geometry, []) == parts_showing(replace(geometry, parts=()), [{"PAR"}]) == [""]
