"""A mail shows its reader the whole board, and the parts where their own units and centers are: three at most."""

from dataclasses import replace

import pytest

from judge.games.notifications.pictures import _provinces_of
from judge.maps.draw import MOST, _in, parts_showing, parts_to_see
from judge.maps.geometry import load_geometry
from tests.maps.boards import DRAWN, LAID_OUT, busiest, game


def _told(name: str, *powers: str) -> list[str]:
    return parts_to_see(load_geometry(name), busiest(name)["S"].position, powers)


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


@pytest.mark.parametrize("name", DRAWN)
def test_no_mail_brings_more_than_three(name):
    for power in busiest(name)["S"].variant.powers:
        told = _told(name, power.name)
        assert 1 < len(told) <= MOST
        assert len(set(told)) == len(told)


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
            orders = [_provinces_of(result.order) for result in scene.results if result.power in seat.powers]
            chosen = parts_showing(geometry, orders)

            if len(chosen) > 1:
                places = [*orders, *({place} for order in orders for place in order)]
                seen = [{name for name in shown if some <= shown[name]} for some in places]
                assert not set.intersection(*seen), (scene.position.phase, seat.name)
                needed = [{*chosen} & names for names in seen]
                assert all({name} in needed for name in chosen), (scene.position.phase, seat.name, chosen)


def test_an_order_from_part_to_part_is_shown_at_both_ends():
    assert set(parts_showing(load_geometry("standard"), [{"LON", "NTH", "SYR"}])) == {"West", "East"}


def test_a_players_orders_all_over_the_world_have_three_parts_at_most():
    geometry = load_geometry("intercontinental")
    assert parts_showing(geometry, [{"Pari", "Dijo"}]) == ["Western Europe"]
    assert len(parts_showing(geometry, [{abbr} for abbr in geometry.spots])) == MOST


def test_where_there_is_nothing_to_show_in_parts_it_is_the_whole_board():
    geometry = load_geometry("standard")
    assert parts_showing(geometry, []) == parts_showing(replace(geometry, parts=()), [{"PAR"}]) == [""]
