"""A position, and what a phase came to, are shared by everybody who asks: nobody changes them."""

from dataclasses import fields

import pytest

from judge.rules import Position, adjudicate, load_variant, parse_order, position_from_json, position_to_json
from judge.rules.board.names import fold
from judge.rules.board.orders import Unit
from judge.rules.variant.registry import built_in_names

STANDARD = load_variant("standard")
FALL = position_from_json(
    STANDARD,
    {
        "variant": "standard",
        "phase": "F1901M",
        "units": {"France": ["A PAR", "F BRE"], "Germany": ["A BUR"], "Italy": ["A MAR"]},
        "centers": {"France": ["PAR", "BRE"], "Germany": ["MUN"]},
        "homes": {"France": ["MUN"]},
        "neutrals": {"BEL": "A"},
    },
)
OUTCOME = adjudicate(
    STANDARD,
    FALL,
    {
        "Germany": [parse_order(STANDARD, "M", "A BUR - PAR")],
        "Italy": [parse_order(STANDARD, "M", "A MAR - GAS")],
        "France": [parse_order(STANDARD, "M", "F BRE - MAO")],
    },
)
TABLES = [
    (value, field.name)
    for value in (FALL, OUTCOME, OUTCOME.position)
    for field in fields(value)
    if "Mapping" in str(field.type)
]


@pytest.mark.parametrize(("value", "name"), TABLES, ids=[f"{type(value).__name__}.{name}" for value, name in TABLES])
def test_no_table_of_it_can_be_changed(value, name):
    table = getattr(value, name)
    with pytest.raises(TypeError):
        table["France"] = ()
    with pytest.raises((TypeError, AttributeError)):
        table.clear()


def test_it_is_compared_and_written_as_before():
    again = position_from_json(STANDARD, position_to_json(STANDARD, FALL))
    assert again == FALL and again is not FALL
    assert FALL.neutrals == {"BEL": "A"}


def test_what_is_made_of_another_s_tables_is_as_quick_to_ask():
    """A table is wrapped once, however many positions hand it on."""
    on = Position("S1902M", FALL.units, FALL.centers)
    assert on.units is FALL.units and on.centers is FALL.centers


@pytest.mark.parametrize("name", built_in_names())
def test_readers_find_armies_first_and_each_kind_by_name(name: str):
    variant = load_variant(name)
    units = [Unit(kind, abbr) for abbr in reversed([*variant.provinces]) for kind in "FA"]
    shown = [fold(variant.called(unit)) for unit in variant.in_order(units)]
    assert shown == sorted(shown)
