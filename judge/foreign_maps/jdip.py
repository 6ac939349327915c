"""Reads a jDip variant: variants.xml for the powers and units, its adjacency file for the map.

In that file a province's borders have a type: "mv" for armies, "xc" for fleets on its only coast (or at sea), "nc",
"sc", "wc", "ec" for fleets on one of several coasts. Neighbours are written like "stp-sc" or "stp/sc". A province that
armies border on itself alone is an island, or impassable if no fleet gets there either.

A province may also name rules for its borders (BORDER). Two kinds are read: `season`, in which nothing gets in, either
from anywhere or `from` one province (ice), and a move that is worth one less `from` a province. Between two provinces
such a rule must hold in both directions.
"""

import re
from collections.abc import Collection
from xml.etree.ElementTree import Element

from judge.foreign_maps.beginning import read_beginning
from judge.foreign_maps.repairs import Pair, repair
from judge.foreign_maps.sketch import (
    Imported,
    Sketch,
    SketchPower,
    SketchProvince,
    finished,
)
from judge.foreign_maps.source import MapError, parse_xml
from judge.rules.board.phase import PhaseError
from judge.rules.mechanisms.build_sites import BuildAnywhere
from judge.rules.mechanisms.closed_seasons import SEASONS

ONE_COAST = "xc"
# A rule for borders: over this one moves are worth one less.
_WEAKER = "weaker"
_SEPARATORS = re.compile(r"[\s,;:]+")
_BUILDS = {
    "VALUE_BUILDS_ANY_OWNED": BuildAnywhere(),
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": BuildAnywhere(while_home=True),
}


def jdip_variants(variants_xml: str) -> dict[str, str]:
    """{the name of each variant in a variants.xml: the file with its borders}."""
    found = {}
    for variant in parse_xml(variants_xml).iter("VARIANT"):
        board = variant.find("MAP")
        found[variant.get("name", "")] = board.get("adjacencyURI", "") if board is not None else ""
    return found


def jdip_drawings(variants_xml: str, title: str) -> list[str]:
    """The SVG files that show the board of a variant, the one that jDip itself would show first."""
    root = parse_xml(variants_xml)
    files = {one.get("id", ""): one.get("URI", "") for one in root.iter("MAP_DEFINITION")}
    shown = [
        graphic
        for variant in root.iter("VARIANT")
        if variant.get("name", "").lower() == title.lower()
        for graphic in variant.iter("MAP_GRAPHIC")
    ]
    shown.sort(key=lambda graphic: graphic.get("default") != "true")
    return list(dict.fromkeys(file for graphic in shown if (file := files.get(graphic.get("ref", ""), ""))))


def read_jdip(
    name: str, title: str, variants_xml: str, adjacency_xml: str, one_way: Collection[Pair] = ()
) -> Imported:
    """The variant called `title` in variants.xml, as our `name`; `one_way`: pairs of provinces whose border is meant to
    lead only from the first to the second. Raises MapError.
    """
    chosen = [one for one in parse_xml(variants_xml).iter("VARIANT") if one.get("name", "").lower() == title.lower()]
    if not chosen:
        raise MapError(f"there is no variant {title}, but {', '.join(jdip_variants(variants_xml))}")
    sketch = Sketch(title=chosen[0].get("name", title))
    aliases = _read_map(sketch, parse_xml(adjacency_xml))
    _read_rules(sketch, chosen[0])
    _read_powers(sketch, chosen[0], aliases)
    repair(sketch, one_way)
    return finished(name, sketch, f"Imported from the jDip variant {sketch.title}.")


def _read_map(sketch: Sketch, root: Element) -> dict[str, str]:
    """Fills in the provinces; {every word for a province: its abbreviation}."""
    words: dict[str, str] = {}
    elements = list(root.iter("PROVINCE"))
    for element in elements:
        abbr = element.get("shortname", "").upper()
        province = SketchProvince(abbr, element.get("fullname", "").strip())
        province.port = element.get("isConvoyableCoast") == "true"
        province.aliases = [alias.get("name", "") for alias in element.iter("UNIQUENAME")]
        sketch.provinces[abbr] = province
        for word in (abbr, province.name, *province.aliases):
            words.setdefault(word.upper(), abbr)
    for element in elements:
        _read_borders(sketch.provinces[element.get("shortname", "").upper()], element, words)
    _read_border_rules(sketch, root, words)
    return words


def _read_border_rules(sketch: Sketch, root: Element, words: dict[str, str]) -> None:
    """The rules that provinces name for their borders; raises MapError for one that cannot be played."""
    rules = {border.get("id", ""): border for border in root.iter("BORDER")}
    ways: dict[str, set[tuple[str, str]]] = {}
    for element in root.iter("PROVINCE"):
        abbr = element.get("shortname", "").upper()
        for name in element.get("borders", "").replace(",", " ").split():
            border = rules.get(name)
            told = _kind_of(border) if border is not None else ""
            if border is None or not told:
                why = f" ({_in_words(border)})" if border is not None and _in_words(border) else ""
                raise MapError(f'the borders "{name}" of {abbr}{why} follow a rule that cannot be played here')
            origins = [_place(ref, words, abbr) for ref in _SEPARATORS.split(border.get("from", "")) if ref]
            if origins:
                ways.setdefault(told, set()).update((origin, abbr) for origin in origins)
            else:
                sketch.closed.setdefault(told, []).append(abbr)
    for told, pairs in ways.items():
        for one, other in sorted(pairs):
            if (other, one) not in pairs:
                raise MapError(f"its rule for the border from {one} to {other} does not hold on the way back")
            if one < other and told == _WEAKER:
                sketch.difficult.append((one, other))
            elif one < other:
                sketch.closed.setdefault(told, []).append(f"{one}-{other}")


def _kind_of(border: Element) -> str:
    """The season in which a rule closes a border, _WEAKER if moves over it are worth one less; "" if it is another."""
    told = {key: value for key, value in border.items() if value and key not in ("id", "description", "from")}
    season = told.get("season", "").title()
    if [*told] == ["season"] and season in SEASONS:
        return season
    return _WEAKER if told == {"baseMoveModifier": "-1"} and border.get("from") else ""


def _in_words(border: Element) -> str:
    """What a rule for borders says, in the file's own words if it has any."""
    weaker = border.get("baseMoveModifier")
    return border.get("description") or (f"moves over them have {weaker} strength" if weaker else "")


def _read_borders(province: SketchProvince, element: Element, words: dict[str, str]) -> None:
    for adjacency in element.iter("ADJACENCY"):
        kind = adjacency.get("type", "mv").strip()
        places = [_place(ref, words, province.abbr) for ref in _SEPARATORS.split(adjacency.get("refs", "")) if ref]
        places = [place for place in places if place != province.abbr]
        if kind == "mv":
            province.army += [place.partition("/")[0] for place in places]
        else:
            province.fleet.setdefault("" if kind == ONE_COAST else kind.upper(), []).extend(places)
    if element.get("isImpassable") == "true":
        province.army, province.fleet = [], {}
    walks = any(adjacency.get("type", "mv") == "mv" for adjacency in element.iter("ADJACENCY"))
    if any(province.fleet.values()):
        province.kind = "coast" if walks else "sea"
    elif province.army:
        province.kind = "land"
    else:
        province.kind, province.fleet = "impassable", {}


def _place(ref: str, words: dict[str, str], abbr: str) -> str:
    name, _, coast = ref.upper().replace("/", "-").partition("-")
    if name not in words:
        raise MapError(f"{abbr} borders on {ref}, which is nowhere described")
    return f"{words[name]}/{coast}" if coast and coast != "XC" else words[name]


def _read_rules(sketch: Sketch, variant: Element) -> None:
    turn = variant.find("STARTINGTIME")
    if turn is not None:
        try:
            sketch.start, sketch.special = read_beginning(turn.get("turn", ""))
        except (PhaseError, ValueError) as error:
            raise MapError(str(error)) from error
    for option in variant.iter("RULEOPTION"):
        if option.get("value") in _BUILDS:
            sketch.builds = _BUILDS[option.get("value", "")]
        elif option.get("value", "").endswith(("WINGS_ENABLED", "WINGS_YES")):
            raise MapError("its wings cannot be played here")
    for limit in ("GAME_LENGTH", "YEARS_WITHOUT_SC_CAPTURE"):
        if (end := variant.find(f"VICTORYCONDITIONS/{limit}")) is not None:
            sketch.note(f"{limit} {end.get('value', '')} is left out: the players vote when a game is drawn.")
    winning = variant.find("VICTORYCONDITIONS/WINNING_SUPPLY_CENTERS")
    if winning is not None:
        value = winning.get("value", "0")
        if not (value.isdecimal() and len(value) < 5):
            raise MapError(f'WINNING_SUPPLY_CENTERS is "{value[:20]}", which is no number of centers')
        sketch.victory = int(value)


def _read_powers(sketch: Sketch, variant: Element, words: dict[str, str]) -> None:
    called: dict[str, SketchPower | None] = {"none": None, "": None}
    for element in variant.iter("POWER"):
        name = element.get("name", "")
        power = None
        if element.get("active", "true") == "true":
            if element.get("emergency") == "true":
                raise MapError(f"the emergency measures of {name} cannot be played here")
            power = sketch.powers[name.lower()] = SketchPower(name, element.get("adjective", name), owns=[])
        for word in (name, *element.get("altnames", "").split(","), element.get("adjective", "")):
            called.setdefault(word.strip().lower(), power)
    for element in variant.iter("SUPPLYCENTER"):
        center = _known(element, words)
        sketch.centers.add(center)
        home, owner = _named(called, element, "homepower"), _named(called, element, "owner")
        if home:
            home.homes.append(center)
        if owner:
            owner.owns = [*(owner.owns or []), center]
    for element in variant.iter("INITIALSTATE"):
        if power := _named(called, element, "power"):
            power.units.append(_unit(element, words))


def _named(called: dict[str, SketchPower | None], element: Element, key: str) -> SketchPower | None:
    """The power that an attribute names, by its name, another name or its adjective; None for one that nobody plays."""
    name = element.get(key, "none").strip().lower()
    if name not in called:
        raise MapError(f"{key} of {element.get('province')} is {name}, and there is no such power")
    return called[name]


def _known(element: Element, words: dict[str, str]) -> str:
    name = element.get("province", "").upper()
    if name not in words:
        raise MapError(f"there is no province {name.lower()}")
    return words[name]


def _unit(element: Element, words: dict[str, str]) -> str:
    if element.get("unit") not in ("army", "fleet"):
        raise MapError(f"its unit {element.get('unit', '')} in {element.get('province')} cannot be played here")
    kind = "F" if element.get("unit") == "fleet" else "A"
    coast = element.get("unitcoast", "").upper()
    place = f"{_known(element, words)}{'/' + coast if coast and coast != 'XC' else ''}"
    if len(place.split()) != 1:
        raise MapError(f"its unit in {place} stands nowhere: a place has no blank in its name")
    return f"{kind} {place}"
