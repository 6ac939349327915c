"""Orders in sentences for people."""

import pytest

from judge.rules import Unit, load_variant
from judge.rules.describe import describe_removal

SEAS = [
    ("standard", "NTH", "the fleet in the North Sea"), ("standard", "EAS", "the fleet in the Eastern Mediterranean"),
    ("standard", "LYO", "the fleet in the Gulf of Lyon"), ("standard", "SKA", "the fleet in the Skagerrak"),
    ("standard", "BRE", "the fleet in Brest"), ("ambition_empire", "GIB", "the fleet in Gibraltar"),
    ("ambition_empire", "SKA", "the fleet in the Skaggerak"), ("colonia", "HUD", "the fleet in Hudson Bay"),
    ("colonia", "BBY", "the fleet in the Bay of Biscay"), ("1648", "LLA", "the fleet in Lake Ladoga"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "place", "said"), SEAS)
def test_only_what_is_named_as_water_has_the_before_it(board: str, place: str, said: str) -> None:
    assert describe_removal(load_variant(board), Unit("F", place)) == said
