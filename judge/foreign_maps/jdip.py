"""Read a jDip variant. Its powers and units are in variants.xml, and its map is in another file.

In the file of the map, a border of a province has a type. "mv" is for armies, "xc" for fleets on its only coast (or at
sea). "nc", "sc", "wc" and "ec" are for fleets on one of several coasts. Neighbors are written like "stp-sc" or
"stp/sc". If a province's only border for armies is with itself, it is an island. If no fleet gets there either, it is
impassable.

A province may also name rules for its borders (BORDER). Two kinds are read. One is a `season` in which no unit may
enter, from anywhere or `from` one province (ice). The other reduces the strength of moves `from` a province by one.
Between two provinces, such a rule must apply in both directions.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException, ElementTree

from judge.foreign_maps.sketch import (
    MapError,
    Pair,
    Sketch,
    SketchPower,
    SketchProvince,
    SketchUnit,
    printed,
)
from judge.rules.board.orders import place_of, province_of
from judge.rules.mechanisms.crossings import SEASONS

_SEPARATORS = re.compile(r"[\s,;:]+")
_BUILDS = {
    "VALUE_BUILDS_ANY_OWNED": {"anywhere": True},
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": {"anywhere": True, "while_home": True},
}


def read_jdip(title: str, variants_xml: str, other_file: Callable[[str], str]) -> Sketch:
    """Read the variant of that title in variants.xml, or the first if there is no title.

    `other_file` returns the text of the file with its borders. Raises MapError, and any error that `other_file` raises.
    """
    root = parse_xml(variants_xml)
    variants = {one.get("name", ""): one for one in root.iter("VARIANT")}
    if not variants:
        raise MapError("it has no variant")
    chosen = [name for name in variants if not title or name.lower() == title.lower()]
    if not chosen:
        raise MapError(f"there is no variant {title}, only {', '.join(variants)}")
    variant, sketch = variants[chosen[0]], Sketch(chosen[0], f"Imported from the jDip variant {chosen[0]}.")
    board = variant.find("MAP")
    borders = board.get("adjacencyURI") if board is not None else None
    if not borders:
        raise MapError(f"its variant {sketch.title} does not name a file of borders (adjacencyURI)")
    reader = _Reader(sketch)
    reader.read_map(parse_xml(other_file(borders)))
    reader.read_rules(variant)
    reader.read_powers(variant)
    reader.read_centers(variant)
    reader.read_units(variant)
    sketch.drawings = _drawings(root, variant)
    return sketch


def _drawings(root: Element, variant: Element) -> list[str]:
    """Return the SVG files that show the board of a variant, in jDip's order of preference."""
    files = {one.get("id"): one.get("URI", "") for one in root.iter("MAP_DEFINITION")}
    shown = sorted(variant.iter("MAP_GRAPHIC"), key=lambda graphic: graphic.get("default") != "true")
    return [*dict.fromkeys(printed(file) for one in shown if (file := files.get(one.get("ref"))))]


def parse_xml(text: str) -> Element:
    """Parse XML.

    Raises MapError if the text is not XML, or defines entities.
    """
    try:
        root: Element = ElementTree.fromstring(text)
    except ParseError as error:
        raise MapError(f"line {error.position[0]}: not XML: {error}") from error
    except DefusedXmlException as error:
        raise MapError("it defines entities (<!ENTITY), which are not read") from error
    return root


class _Reader:
    """Adds the content of the files to a sketch.

    `words` has the province for each of its abbreviations and names. `called` has the power for each of its names and
    adjectives, or None for a power without a player.
    """

    def __init__(self, sketch: Sketch):
        self.sketch = sketch
        self.words: dict[str, SketchProvince] = {}
        self.called: dict[str, SketchPower | None] = {"none": None, "": None}

    def read_map(self, root: Element) -> None:
        """Read the file with the provinces and their borders.

        Raises MapError.
        """
        elements = {}
        for element in root.iter("PROVINCE"):
            province = elements[element] = SketchProvince(
                element.get("shortname", "").upper(),
                name=element.get("fullname", "").strip(),
                port=element.get("isConvoyableCoast") == "true",
                aliases=[alias.get("name", "") for alias in element.iter("UNIQUENAME")],
            )
            self.sketch.provinces[province.abbr] = province
            for word in (province.abbr, province.name, *province.aliases):
                self.words.setdefault(word.upper(), province)
        for element, province in elements.items():
            self._read_borders(province, element)
        self._read_border_rules(root, {element: province.abbr for element, province in elements.items()})

    def _read_borders(self, province: SketchProvince, element: Element) -> None:
        province.kind = "impassable"
        if element.get("isImpassable") == "true":
            return
        walks = marches = False
        for adjacency in element.iter("ADJACENCY"):
            kind = adjacency.get("type", "mv").strip().upper()
            coast = "" if kind == "XC" else kind
            walks |= kind == "MV"
            for place in self._places(adjacency, "refs", province.abbr):
                if place == province.abbr:
                    continue
                if kind == "MV":
                    self.sketch.armies[province.abbr, province_of(place)] = None
                    marches = True
                else:
                    self.sketch.fleets[place_of(province.abbr, coast), place] = None
                    province.coasts[coast] = None
        if province.coasts:
            province.kind = "coast" if walks else "sea"
        elif marches:
            province.kind = "land"

    def _places(self, element: Element, key: str, abbr: str) -> list[str]:
        """Return the places in an attribute of a province's element.

        `abbr` is the province, for the text of an error.
        """
        places = []
        for ref in filter(None, _SEPARATORS.split(element.get(key, ""))):
            name, _, coast = ref.upper().replace("/", "-").partition("-")
            if name not in self.words:
                raise MapError(f"{abbr} borders on {ref}, which is not described anywhere")
            places.append(place_of(self.words[name].abbr, "" if coast == "XC" else coast))
        return places

    def _read_border_rules(self, root: Element, elements: dict[Element, str]) -> None:
        """Read the rules that provinces name for their borders.

        Raises MapError for a rule that this judge does not have.
        """
        rules = {border.get("id", ""): border for border in root.iter("BORDER")}
        ways: dict[str, set[Pair]] = defaultdict(set)
        for element, abbr in elements.items():
            for name in element.get("borders", "").replace(",", " ").split():
                border = rules.get(name, root)
                told = _kind_of(border)
                if not told:
                    raise MapError(
                        f'the borders "{name}" of {abbr}{_why(border)} follow a rule that cannot be played here'
                    )
                origins = self._places(border, "from", abbr)
                ways[told].update((origin, abbr) for origin in origins)
                if not origins:
                    self.sketch.rules[told].append(abbr)
        for told, pairs in ways.items():
            self.sketch.rules[told] += _both_ways(pairs)

    def read_rules(self, variant: Element) -> None:
        """Read the first phase, where powers build, and when a game is won.

        Raises MapError.
        """
        sketch = self.sketch
        if (turn := variant.find("STARTINGTIME")) is not None:
            sketch.begin(turn.get("turn", ""))
        for option in variant.iter("RULEOPTION"):
            value = option.get("value", "")
            sketch.builds = _BUILDS.get(value, sketch.builds)
            if value.endswith(("WINGS_ENABLED", "WINGS_YES")):
                raise MapError("its wings cannot be played here")
        for limit in ("GAME_LENGTH", "YEARS_WITHOUT_SC_CAPTURE"):
            if (end := variant.find(f"VICTORYCONDITIONS/{limit}")) is not None:
                sketch.note(f"{limit} {end.get('value', '')} was left out: here the players vote for draws.")
        if (winning := variant.find("VICTORYCONDITIONS/WINNING_SUPPLY_CENTERS")) is not None:
            value = winning.get("value", "0")
            if not (value.isdecimal() and len(value) < 5):
                raise MapError(f'WINNING_SUPPLY_CENTERS is "{value[:20]}", which is not a number of centers')
            sketch.victory = int(value)

    def read_powers(self, variant: Element) -> None:
        for element in variant.iter("POWER"):
            name, power = element.get("name", ""), None
            if element.get("active", "true") == "true":
                if element.get("emergency") == "true":
                    raise MapError(f"the emergency measures of {name} cannot be played here")
                power = self.sketch.powers[name.lower()] = SketchPower(name, element.get("adjective", name), owns={})
            for word in (name, *element.get("altnames", "").split(","), element.get("adjective", "")):
                self.called.setdefault(word.strip().lower(), power)

    def read_centers(self, variant: Element) -> None:
        for element in variant.iter("SUPPLYCENTER"):
            center = self._known(element)
            self.sketch.centers.add(center)
            if home := self._power(element, "homepower"):
                home.homes[center] = None
            if owner := self._power(element, "owner"):
                owner.owned[center] = None

    def read_units(self, variant: Element) -> None:
        for element in variant.iter("INITIALSTATE"):
            if power := self._power(element, "power"):
                kind, coast = element.get("unit", ""), element.get("unitcoast", "").upper()
                if kind not in ("army", "fleet"):
                    raise MapError(f"its unit {kind} in {element.get('province')} cannot be played here")
                province = self._known(element)
                unit = SketchUnit(power, kind[0].upper(), "" if coast == "XC" else coast)
                if len((place := place_of(province.abbr, unit.coast)).split()) != 1:
                    raise MapError(f"its unit in {place} has no place: names of places cannot have spaces")
                self.sketch.units[province] = unit

    def _power(self, element: Element, key: str) -> SketchPower | None:
        name = element.get(key, "none").strip().lower()
        if name not in self.called:
            raise MapError(f"{key} of {element.get('province')} is {name}, and there is no such power")
        return self.called[name]

    def _known(self, element: Element) -> SketchProvince:
        name = element.get("province", "").upper()
        if name not in self.words:
            raise MapError(f"there is no province {name.lower()}")
        return self.words[name]


def _why(border: Element) -> str:
    if words := border.get("description"):
        return f" ({words})"
    weaker = border.get("baseMoveModifier")
    return f" (moves across them have {weaker} strength)" if weaker else ""


def _both_ways(pairs: set[Pair]) -> Iterator[str]:
    """Yield each border of a rule once.

    Raises MapError if the rule applies to a border in only one direction.
    """
    for one, other in sorted(pairs):
        if (other, one) not in pairs:
            raise MapError(f"its rule for the border from {one} to {other} applies in this direction only")
        if one < other:
            yield f"{one}-{other}"


def _kind_of(border: Element) -> str:
    """Return the season in which a rule closes a border, or "difficult" if it weakens moves.

    Returns "" for any other rule.
    """
    told = {key: value for key, value in border.items() if value and key not in ("id", "description", "from")}
    season = told.get("season", "").title()
    if [*told] == ["season"] and season in SEASONS:
        return season
    return "difficult" if told == {"baseMoveModifier": "-1"} and border.get("from") else ""
