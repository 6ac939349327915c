"""A change of one border of a board, and the provinces after such changes.

A change is kept as a text that people can read too: `ADD FLEET BAL SGK`, `REMOVE ARMY KIE MOS`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from judge.rules.board.province import Province


@dataclass(frozen=True)
class BorderChange:
    """`adds` a border for `unit` (ARMY, FLEET) between two places, or removes it. Only a fleet's place has a coast."""

    adds: bool
    unit: str
    one: str
    other: str

    def __str__(self) -> str:
        return f"{'ADD' if self.adds else 'REMOVE'} {self.unit} {self.one} {self.other}"

    @property
    def opposite(self) -> "BorderChange":
        return replace(self, adds=not self.adds)

    @property
    def ways(self) -> tuple[tuple[str, str], ...]:
        """(from, to) in both directions."""
        return (self.one, self.other), (self.other, self.one)


def parse_change(text: str) -> BorderChange:
    """The change that the text describes."""
    verb, unit, one, other = text.split()
    return BorderChange(verb == "ADD", unit, one, other)


def with_changes(
    provinces: Mapping[str, Province], changes: Iterable[str]
) -> tuple[dict[str, Province], tuple[str, ...]]:
    """The provinces with these changes made, and the changes that must wait: a coast that they need is not there yet,
    or one that must go first is still there.

    A change that the map already shows has no effect: the variant's own file may have been corrected since.
    """
    after, waiting = dict(provinces), []
    for text in changes:
        change = parse_change(text)
        if not _has_places(after, change):
            waiting.append(text)
            continue
        for here, there in change.ways:
            abbr, _, coast = here.partition("/")
            after[abbr] = _changed(after[abbr], coast, change, there)
    return after, tuple(waiting)


def in_force(provinces: Mapping[str, Province], change: BorderChange) -> bool:
    """Whether the border already is as the change wants it."""
    return _has_places(provinces, change) and all(
        (there in _ways_out(provinces[here.partition("/")[0]], change.unit, here.partition("/")[2])) == change.adds
        for here, there in change.ways
    )


def _has_places(provinces: Mapping[str, Province], change: BorderChange) -> bool:
    """Whether both places are there as the change names them: the coasts of a canal are gone once it is open."""
    ends = (place.partition("/") for place in (change.one, change.other))
    return change.unit == "ARMY" or all(coast in provinces[abbr].fleet for abbr, _, coast in ends)


def _ways_out(province: Province, unit: str, coast: str) -> tuple[str, ...]:
    return province.army if unit == "ARMY" else province.fleet[coast]


def _changed(province: Province, coast: str, change: BorderChange, there: str) -> Province:
    """The province with or without a border to `there`."""
    old = _ways_out(province, change.unit, coast)
    if (there in old) == change.adds:
        return province
    new = tuple(sorted([*old, there])) if change.adds else tuple(place for place in old if place != there)
    if change.unit == "ARMY":
        return replace(province, army=new)
    return replace(province, fleet={**province.fleet, coast: new})
