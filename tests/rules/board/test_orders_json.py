"""An order read from its JSON form is the one that was written."""

import json
from typing import get_args

from hypothesis import given
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
)
from judge.rules.board.orders import order_from_json, order_to_json

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
