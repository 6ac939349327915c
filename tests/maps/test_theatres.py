"""A mail shows its reader the parts of the board where their own units and centers are, and no more than three."""

import pytest

from judge.maps import load_geometry
from judge.maps.theatres import MOST, theatres
from tests.maps.boards import DRAWN, busiest


def _told(name: str, *powers: str) -> list[str]:
    return theatres(load_geometry(name), busiest(name)["S"].position, powers)


def test_the_readers_own_theatres_come_first_and_the_whole_board_last():
    assert _told("standard", "England") == ["West", "East", ""]
    assert _told("standard", "Turkey") == ["East", "West", ""]
    assert _told("1648", "Russia")[0] == "East"
    assert _told("colonia", "Austria")[0] == "Eastern Europe"


def test_each_part_counts_for_what_no_part_before_it_shows():
    france = _told("colonia", "France")
    assert france[0] == "Western Europe"
    assert france[1] in ("Africa", "Americas", "India and the Indies")


def test_a_player_of_several_powers_sees_where_most_of_them_are():
    assert set(_told("intercontinental", "Brazil", "Argentina", "Peru")) == {"South America", ""}
    told = _told("intercontinental", "China", "Japan", "Argentina")
    assert told[:2] == ["China and Japan", "South America"]


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
