"""Borders of a variant corrected for one game: added to its map, or taken away from it.

A change is kept as a text that people can read too: `ADD FLEET BAL SGK`, `REMOVE ARMY KIE MOS`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from judge.rules.orders import OrderError
from judge.rules.reader import Reader
from judge.rules.variant import Province, Variant
from judge.rules.vocabulary import TO
from judge.rules.wording import describe_place

_UNITS = {"ARMY": "A", "FLEET": "F"}


class BorderError(ValueError):
    """A change that cannot be made; the message says why."""


@dataclass(frozen=True)
class BorderChange:
    """`adds` a border for `unit` (ARMY, FLEET) between two places, or takes it away; a coast only for fleets."""

    adds: bool
    unit: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{'ADD' if self.adds else 'REMOVE'} {self.unit} {self.one} {self.other}"

    @property
    def opposite(self) -> "BorderChange":
        return replace(self, adds=not self.adds)


def read_change(variant: Variant, adds: bool, unit: str, places: str) -> BorderChange:
    """The change of the border between two `places` as somebody wrote them (`sgk - baltic sea`); BorderError."""
    reader = Reader(variant, "M", places)
    try:
        one = reader.destination()
        reader.take(TO)
        other = reader.destination()
        reader.expect_end()
    except OrderError as mistake:
        raise BorderError(str(mistake)) from mistake
    if unit == "ARMY":
        one, other = (place.partition("/")[0] for place in (one, other))
    return BorderChange(adds, unit, *sorted((one, other)))


def with_change(changes: Sequence[str], new: BorderChange) -> list[str]:
    """The texts with one more change; one that only takes another back leaves neither."""
    back = str(new.opposite)
    if back in changes:
        return [text for text in changes if text != back]
    return [*changes, str(new)]


def with_borders(variant: Variant, changes: Iterable[str]) -> Variant:
    """The variant with its borders changed. What is so already stays so: its own file may have been mended since."""
    provinces = dict(variant.provinces)
    for text in changes:
        change = _parse(text)
        for here, there in ((change.one, change.other), (change.other, change.one)):
            abbr, _, coast = here.partition("/")
            provinces[abbr] = _changed(provinces[abbr], coast, change, there)
    return replace(variant, provinces=provinces) if provinces != variant.provinces else variant


def check_change(variant: Variant, change: BorderChange) -> None:
    """Raises BorderError where the change cannot be made, or changes nothing."""
    ends = [place.partition("/")[0] for place in (change.one, change.other)]
    if ends[0] == ends[1]:
        raise BorderError("A province has no border with itself.")
    for place in (change.one, change.other):
        _check_place(variant, change.unit, place)
    after = with_borders(variant, [str(change)])
    if after is variant:
        raise BorderError(f"{in_words(variant, str(change))[:-1]} already.")
    for end in ends:
        province = after.provinces[end]
        if not (province.army or any(province.fleet.values())):
            raise BorderError(f"{province.name} would have no border left.")


def in_words(variant: Variant, text: str) -> str:
    """`Fleets may go Baltic Sea [BAL] - Skagerrak [SGK].`"""
    change = _parse(text)
    who = "Armies" if change.unit == "ARMY" else "Fleets"
    ends = " - ".join(f"{describe_place(variant, place)} [{place}]" for place in (change.one, change.other))
    return f"{who} may {'' if change.adds else 'not '}go {ends}."


def _parse(text: str) -> BorderChange:
    verb, unit, one, other = text.split()
    return BorderChange(verb == "ADD", unit, one, other)


def _check_place(variant: Variant, unit: str, place: str) -> None:
    province = variant.provinces[place.partition("/")[0]]
    if f"{_UNITS[unit]} {place}" in variant.board.spots:
        return
    if unit == "FLEET" and province.coasts:
        options = " or ".join(f"{province.abbr}/{coast}" for coast in province.coasts)
        raise BorderError(f"Which coast of {province.name}? Write {options}.")
    raise BorderError(f"No {unit.lower()} can be in {province.name}.")


def _changed(province: Province, coast: str, change: BorderChange, there: str) -> Province:
    """The province with or without a border to `there`."""
    old = province.army if change.unit == "ARMY" else province.fleet[coast]
    if (there in old) == change.adds:
        return province
    new = tuple(sorted([*old, there])) if change.adds else tuple(place for place in old if place != there)
    if change.unit == "ARMY":
        return replace(province, army=new)
    return replace(province, fleet={**province.fleet, coast: new})
