"""Repairs of a foreign map, each with a note for the keeper who imports it.

Other programs accept maps that this one does not: borders that are written at one of their ends only, provinces that
border on themselves, coasts without any water, fleets' neighbors without the coast. Whatever can have only one meaning
is repaired; `judge variants check` finds the rest.
"""

from collections.abc import Callable, Collection
from itertools import chain

from judge.foreign_maps.sketch import Sketch, Ways, abbr_of, from_each, place_of
from judge.rules.board.names import listed

Pair = tuple[str, str]


def repair(sketch: Sketch, one_way: Collection[Pair] = ()) -> None:
    """Repair a map, with a note for everything that changes.

    `one_way`: pairs of provinces whose border leads only from the first to the second.
    """
    for province in sketch.provinces.values():
        if not province.name:
            province.name = province.abbr
            sketch.note(f"{province.abbr} has no name, so it is called {province.abbr}.")
    kind = {abbr: province.kind for abbr, province in sketch.provinces.items()}
    _leave_out(sketch, str.__eq__, "{0} borders on itself: left out.", sketch.armies, sketch.fleets)
    impassable = "{1} is impassable: the borders that lead there are left out."
    _leave_out(sketch, lambda _, there: kind[there] == "impassable", impassable, sketch.armies, sketch.fleets)
    _flood(sketch)
    inland = "{0} borders on {1} for fleets, but {1} is inland: left out."
    _leave_out(sketch, lambda _, there: sketch.provinces[there].kind == "land", inland, sketch.fleets)
    _name_coasts(sketch)
    afloat = {abbr_of(here) for here, _ in sketch.fleets}
    for abbr in from_each(sketch.armies):
        province = sketch.provinces[abbr]
        if province.kind == "coast" and abbr not in afloat:
            province.kind, province.coasts = "land", {}
            sketch.note(f"{abbr} is called a coast, but no fleet can get there, so it is now inland.")
    _open_both_ways(sketch, set(one_way))
    _leave_out_rules(sketch)


def _leave_out(sketch: Sketch, is_wrong: Callable[[str, str], bool], told: str, *borders: Ways) -> None:
    """Leave out the borders that are wrong between two provinces; `told` is the note about one."""
    for ways in borders:
        for way in [way for way in ways if is_wrong(*map(abbr_of, way))]:
            del ways[way]
            sketch.note(told.format(*map(abbr_of, way)))


def _flood(sketch: Sketch) -> None:
    """Make a sea of a province with borders for armies to provinces from which only fleets come."""
    by_fleet = {(abbr_of(here), abbr_of(there)) for here, there in sketch.fleets}
    for abbr, near in from_each(sketch.armies).items():
        back = [(other, abbr) for other in near]
        if sketch.provinces[abbr].kind == "land" and by_fleet.issuperset(back) and not sketch.armies.keys() & back:
            sketch.provinces[abbr].kind, sketch.provinces[abbr].coasts = "sea", {"": None}
            for other in near:
                del sketch.armies[abbr, other]
                sketch.fleets[abbr, other] = None
            sketch.note(f"{abbr} has borders for armies, but only fleets can get there, so it is now a sea.")


def _name_coasts(sketch: Sketch) -> None:
    """Name the coast of a fleet's neighbor that is written without one, or with one that it does not have.

    It is each coast that names the fleet's province.
    """
    for here, there in list(sketch.fleets):
        abbr, _, coast = there.partition("/")
        coasts = sketch.provinces[abbr].coasts
        names = [place_of(abbr, one) for one in coasts if one]
        named = [one for one in names if (one, here) in sketch.fleets or (one, abbr_of(here)) in sketch.fleets]
        if coast not in coasts and named:
            del sketch.fleets[here, there]
            sketch.fleets |= dict.fromkeys((here, one) for one in named)
            wrong = f"on {there}, which is not a coast" if coast else f"on {there} without a coast"
            sketch.note(f"{here} borders {wrong}: taken as {listed(named)}.")


def _open_both_ways(sketch: Sketch, one_way: Collection[Pair]) -> None:
    for ways, units in ((sketch.armies, "armies"), (sketch.fleets, "fleets")):
        for here, there in [way for way in ways if way[::-1] not in ways]:
            one, other = sketch.provinces[abbr_of(here)], sketch.provinces[abbr_of(there)]
            leads = other.kind in ("land", "coast") if units == "armies" else there.partition("/")[2] in other.coasts
            if leads and (one.abbr, other.abbr) in one_way:
                one.one_way.append(there)
            elif leads and (units == "fleets" or one.kind in ("land", "coast")):
                ways[there, here] = None
                sketch.note(
                    f"{here} borders on {there} for {units}, but {there} not on {here}: the border is now open both "
                    "ways."
                )


def _leave_out_rules(sketch: Sketch) -> None:
    """Leave out rules about borders that do not exist."""
    near = {frozenset(map(abbr_of, way)) for way in chain(sketch.armies, sketch.fleets)}

    def is_there(place: str) -> bool:
        if "-" not in place or frozenset(place.split("-")) in near:
            return True
        sketch.note(f"There is a rule for the border {place}, but no such border: left out.")
        return False

    for rule, places in sketch.rules.items():
        sketch.rules[rule] = [*filter(is_there, dict.fromkeys(places))]
