"""Corrections of a variant's borders for one game: borders added to its map or removed from it.

A correction that names a canal's coast counts until the canal opens and, as far as possible, after that. A correction
that names the canal without a coast counts once it is open.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from judge.rules.board.border_changes import BorderChange, in_force, parse_change, with_changes
from judge.rules.board.orders import OrderError
from judge.rules.in_words.orders_in_words import describe_place
from judge.rules.mechanisms.canals import without_coast
from judge.rules.order_texts.reader import Reader
from judge.rules.order_texts.vocabulary import TO
from judge.rules.variant.variant import Variant

_UNITS = {"ARMY": "A", "FLEET": "F"}


class BorderError(ValueError):
    """A change that cannot be made; the message says why."""


def read_change(variant: Variant, adds: bool, unit: str, places: str) -> BorderChange:
    """The change of the border between two `places` as the master wrote them (`sgk - baltic sea`); BorderError."""
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
    """The texts with one more change; if it only reverses an earlier one, both are left out."""
    back = str(new.opposite)
    if back in changes:
        return [text for text in changes if text != back]
    return [*changes, str(new)]


def with_borders(variant: Variant, changes: Iterable[str]) -> Variant:
    """The variant with its borders changed; changes that wait for a canal are kept until it opens."""
    provinces, waiting = with_changes(variant.provinces, changes)
    if provinces == variant.provinces and not waiting:
        return variant
    return replace(variant, provinces=provinces, border_changes=(*variant.border_changes, *waiting))


def check_change(variant: Variant, change: BorderChange) -> None:
    """Raises BorderError if the change cannot be made or changes nothing."""
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
    change = _on(variant, text)
    who = "Armies" if change.unit == "ARMY" else "Fleets"
    ends = " - ".join(f"{describe_place(variant, place)} [{place}]" for place in (change.one, change.other))
    return f"{who} may {'' if change.adds else 'not '}go {ends}."


def told(variant: Variant, changes: Iterable[str]) -> list[str]:
    """The changes in words, as far as they have an effect on the board now: without coasts that an open canal no longer
    has, and without changes that only count before or after its opening.
    """
    return [
        sentence
        for sentence, change in {in_words(variant, text): _on(variant, text) for text in changes}.items()
        if in_force(variant.provinces, change)
    ]


def _on(variant: Variant, text: str) -> BorderChange:
    """The change, without the coast if the canal is open."""
    change = parse_change(text)
    open_now = {abbr for abbr in variant.canals if not variant.provinces[abbr].coasts}
    return replace(
        change, one=without_coast(change.one, open_now), other=without_coast(change.other, open_now)
    )


def _check_place(variant: Variant, unit: str, place: str) -> None:
    province = variant.provinces[place.partition("/")[0]]
    if f"{_UNITS[unit]} {place}" in variant.board.spots:
        return
    if unit == "FLEET" and province.coasts:
        options = " or ".join(f"{province.abbr}/{coast}" for coast in province.coasts)
        raise BorderError(f"Which coast of {province.name}? Write {options}.")
    raise BorderError(f"No {unit.lower()} can be in {province.name}.")
