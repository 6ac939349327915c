"""What is put right in a foreign map, and told to the keeper who imports it.

Their programs take maps that ours does not: borders that stand at one of their ends only, provinces that border on
themselves, coasts without any water, fleets' neighbours without the coast. Whatever cannot be meant otherwise is put
right; `judge variants check` finds what is left.
"""

from collections.abc import Collection, Iterator

from judge.foreign_maps.sketch import Sketch, SketchProvince
from judge.rules.board.listing import listed

Pair = tuple[str, str]


def repair(sketch: Sketch, one_way: Collection[Pair] = ()) -> None:
    """Put the map right, with a note for everything that changes. `one_way`: pairs of provinces whose border is meant
    to lead only from the first to the second.
    """
    for province in sketch.provinces.values():
        _take_out_itself(sketch, province)
        _give_name(sketch, province)
    _close(sketch)
    for province in sketch.provinces.values():
        _flood(sketch, province)
    for province in sketch.provinces.values():
        _keep_afloat(sketch, province)
        _name_coasts(sketch, province)
    for province in sketch.provinces.values():
        if province.kind == "coast" and province.army and not any(province.fleet.values()):
            province.kind, province.fleet = "land", {}
            sketch.note(f"{province.abbr} is called a coast, but no fleet can get there: it is inland now.")
    open_on_purpose = set(one_way)
    added = [*_army_borders(sketch, open_on_purpose), *_fleet_borders(sketch, open_on_purpose)]
    for here, there, kind in added:
        sketch.note(
            f"{there} borders on {here} for {kind}, but {here} not on {there}: repaired, the border is open both ways."
        )
    _leave_out_rules(sketch)


def _take_out_itself(sketch: Sketch, province: SketchProvince) -> None:
    lists = [province.army, *province.fleet.values()]
    if any(_abbr(place) == province.abbr for places in lists for place in places):
        for places in lists:
            places[:] = [place for place in places if _abbr(place) != province.abbr]
        sketch.note(f"{province.abbr} borders on itself: left out.")


def _close(sketch: Sketch) -> None:
    """No border leads into what is impassable."""
    closed = {abbr for abbr, province in sketch.provinces.items() if province.kind == "impassable"}
    reached: dict[str, None] = {}
    for province in sketch.provinces.values():
        for places in (province.army, *province.fleet.values()):
            reached |= dict.fromkeys(_abbr(place) for place in places if _abbr(place) in closed)
            places[:] = [place for place in places if _abbr(place) not in closed]
    for abbr in reached:
        sketch.note(f"{abbr} is impassable: the borders that lead there are left out.")


def _give_name(sketch: Sketch, province: SketchProvince) -> None:
    if not province.name:
        province.name = province.abbr
        sketch.note(f"{province.abbr} has no name: it is called {province.abbr}.")


def _flood(sketch: Sketch, province: SketchProvince) -> None:
    """A province whose borders are said to be for armies, but lead to none that an army could come from: fleets come
    from each of them.
    """
    if province.kind != "land" or not province.army:
        return
    around = [sketch.provinces[place] for place in province.army if place in sketch.provinces]
    if all(province.abbr not in one.army and _is_near_fleets(one, province.abbr) for one in around):
        province.kind, province.army, province.fleet = "sea", [], {"": province.army}
        sketch.note(f"{province.abbr} has borders for armies, but only fleets lead there: it is a sea now.")


def _is_near_fleets(province: SketchProvince, abbr: str) -> bool:
    return any(_abbr(place) == abbr for places in province.fleet.values() for place in places)


def _keep_afloat(sketch: Sketch, province: SketchProvince) -> None:
    """No fleet gets inland."""
    for places in province.fleet.values():
        inland = [place for place in places if (near := sketch.provinces.get(place)) and near.kind == "land"]
        places[:] = [place for place in places if place not in inland]
        for place in inland:
            sketch.note(f"{province.abbr} borders on {place} for fleets, but {place} is inland: left out.")


def _name_coasts(sketch: Sketch, province: SketchProvince) -> None:
    """A fleet's neighbour that is split, written without its coast or with one that it has not, is each coast that
    names the province.
    """
    for coast, places in province.fleet.items():
        here = f"{province.abbr}/{coast}" if coast else province.abbr
        for place in list(places):
            abbr, _, there = place.partition("/")
            other = sketch.provinces.get(abbr)
            if other is None or there in other.fleet:
                continue
            coasts = [one for one, near in other.fleet.items() if one and {here, province.abbr} & {*near}]
            if coasts:
                named = [f"{abbr}/{one}" for one in coasts]
                places[:] = [one for one in places if one != place and one not in named] + named
                wrong = f"on {place}, which is no coast" if there else f"on {place} without a coast"
                sketch.note(f"{here} borders {wrong}: taken as {listed(named)}.")


def _army_borders(sketch: Sketch, one_way: Collection[Pair]) -> Iterator[tuple[str, str, str]]:
    """Adds what is missing; yields (where it was missing, the neighbour, "armies")."""
    known = {abbr: dict.fromkeys(province.army) for abbr, province in sketch.provinces.items()}
    for abbr, province in sketch.provinces.items():
        for neighbour in known[abbr]:
            other = sketch.provinces.get(neighbour)
            if not other or other.kind not in ("land", "coast") or abbr in known[neighbour]:
                continue
            if (abbr, neighbour) in one_way:
                province.one_way.append(neighbour)
            elif province.kind in ("land", "coast"):
                other.army.append(abbr)
                yield neighbour, abbr, "armies"


def _fleet_borders(sketch: Sketch, one_way: Collection[Pair]) -> Iterator[tuple[str, str, str]]:
    coasts = [(one, coast) for one in sketch.provinces.values() for coast in one.fleet]
    known = {(one.abbr, coast): dict.fromkeys(one.fleet[coast]) for one, coast in coasts}
    for (abbr, coast), places in known.items():
        here = f"{abbr}/{coast}" if coast else abbr
        for place in places:
            neighbour, _, there = place.partition("/")
            if here in known.get((neighbour, there), (here,)):
                continue
            if (abbr, neighbour) in one_way:
                sketch.provinces[abbr].one_way.append(place)
            else:
                sketch.provinces[neighbour].fleet[there].append(here)
                yield place, here, "fleets"


def _leave_out_rules(sketch: Sketch) -> None:
    """No rule is about a border that is not there."""
    near = {
        frozenset((abbr, _abbr(place)))
        for abbr, province in sketch.provinces.items()
        for places in (province.army, *province.fleet.values())
        for place in places
    }

    def is_there(place: str) -> bool:
        if "-" not in place or frozenset(place.split("-")) in near:
            return True
        sketch.note(f"There is a rule for the border {place}, but no such border: left out.")
        return False

    for weakened in (sketch.long_ways, sketch.difficult):
        weakened[:] = [pair for pair in weakened if is_there("-".join(pair))]
    closed = {season: [*filter(is_there, dict.fromkeys(places))] for season, places in sketch.closed.items()}
    sketch.closed = {season: places for season, places in closed.items() if places}


def _abbr(place: str) -> str:
    return place.partition("/")[0]
