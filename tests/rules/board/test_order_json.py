"""An order read from its JSON form is the one that was written."""

import json
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.rules import (
    Build,
    Convoy,
    Disband,
    Hold,
    Home,
    Move,
    Order,
    Remove,
    Retreat,
    Support,
    Unit,
    Waive,
    load_variant,
    parse_order,
    variant_names,
)
from judge.rules.board.orders import order_from_json, order_to_json
from judge.rules.selfplay import play

UNITS = st.builds(Unit, st.sampled_from(["A", "F", ""]), st.sampled_from(["PAR", "STP/NC", "RedS"]))
PLACES = st.sampled_from(["BUR", "SPA/SC", "Peki"])
FORMS: dict[type, st.SearchStrategy[Order]] = {
    **{form: st.builds(form, UNITS) for form in (Hold, Disband, Build, Remove)},
    Move: st.builds(Move, UNITS, PLACES, st.booleans()),
    Support: st.builds(Support, UNITS, UNITS, PLACES | st.just("")),
    Convoy: st.builds(Convoy, UNITS, UNITS, PLACES),
    Retreat: st.builds(Retreat, UNITS, PLACES),
    Waive: st.just(Waive()),
    Home: st.builds(Home, PLACES),
}


def as_kept(order: Order) -> Order:
    """The order as it comes back from a database."""
    return order_from_json(json.loads(json.dumps(order_to_json(order))))


@given(st.one_of(*FORMS.values()))
def test_an_order_comes_back_as_it_was(order: Order):
    again = as_kept(order)
    assert type(again) is type(order) and again == order


def test_no_form_of_order_is_left_out():
    assert FORMS.keys() == set(get_args(Order))


@pytest.mark.parametrize("name", variant_names())
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_order_and_bid_of_a_game_comes_back_as_it_was(name: str, seed: int):
    variant = load_variant(name)
    for line in play(variant, years=2, seed=seed):
        texts = [text for given in line["orders"].values() for text in given]
        texts += [bid["order"] for given in line.get("bids", {}).values() for bid in given]
        read = [parse_order(variant.at(line["phase"]), line["phase"][-1], text) for text in texts]
        assert [as_kept(order) for order in read] == read
        assert [str(as_kept(order)) for order in read] == texts
