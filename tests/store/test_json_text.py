"""JSON in columns: it is what Python's own module would have read and written, spaces apart."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.store.json_text import read, written

# Those that orjson cannot hold, too: they are rare among integers of every size.
LARGE = st.integers(2**63 - 2, 2**80)
NUMBERS = st.integers() | LARGE | LARGE.map(lambda number: -number) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(codec=None)),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_values_come_back_whichever_module_reads_them(value: object, sort_keys: bool) -> None:
    text = written(value, sort_keys=sort_keys)
    assert text.isascii()
    assert read(text) == json.loads(text) == value
    assert read(text.encode()) == read(json.dumps(value)) == value


@pytest.mark.parametrize(
    "value", ["\ud800", {"Zo\u00eb": "\udfff"}, {1: "one"}, 2**80 + 1, [1, {"": -(2**63) - 1}], "\u00e9"]
)
def test_what_only_pythons_module_writes_or_reads(value: object) -> None:
    text = written(value)
    assert text.isascii() and read(text) == json.loads(json.dumps(value))


def test_keys_are_sorted_on_demand() -> None:
    assert written({"b": 1, "a": {"d": 2, "c": 3}}, sort_keys=True) == '{"a":{"c":3,"d":2},"b":1}'
