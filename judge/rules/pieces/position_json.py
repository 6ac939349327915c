"""The position in which a game begins, and the JSON form of a position, as `judge adjudicate` uses it."""

from collections.abc import Mapping
from typing import Any

from judge.rules.board.names import fold
from judge.rules.board.orders import Unit
from judge.rules.board.phase import PhaseError, read_phase
from judge.rules.board.position import Dislodged, Position, sort_units
from judge.rules.board.power import NEUTRAL
from judge.rules.board.ruleset import Ruleset

# A JSON object, as the json module reads and writes it.
Json = dict[str, Any]


class PositionError(ValueError):
    """An impossible position; the message says what is wrong, in one sentence."""


def start_position(variant: Ruleset) -> Position:
    """The position in which a game of the variant begins."""
    units = {power.name: sort_units(power.units) for power in variant.powers if power.units}
    if variant.neutral_units:
        units[NEUTRAL] = sort_units(variant.neutral_units)
    return Position(
        phase=variant.start,
        units=units,
        centers={power.name: tuple(sorted(power.owns)) for power in variant.powers if power.owns},
    )


def position_to_json(variant: Ruleset, position: Position) -> Json:
    """The position as plain data: the in-line of `judge adjudicate` without its orders."""
    data: Json = {
        "variant": variant.name,
        "phase": position.phase,
        "units": units_to_json(position),
        "centers": {power: list(centers) for power, centers in position.centers.items()},
    }
    if position.dislodged:
        data["dislodged"] = {
            power: [dislodged_to_json(one) for one in dislodged]
            for power, dislodged in position.dislodged.items()
        }
    if position.contested:
        data["contested"] = list(position.contested)
    if position.homes:
        data["homes"] = {power: list(homes) for power, homes in position.homes.items()}
    if position.neutrals:
        data["neutrals"] = dict(position.neutrals)
    return data


def dislodged_to_json(one: Dislodged) -> dict[str, str | bool]:
    return {"unit": str(one.unit), "from": one.attacker_from, "by_convoy": one.by_convoy}


def units_to_json(position: Position) -> dict[str, list[str]]:
    return {power: [str(unit) for unit in units] for power, units in position.units.items()}


def position_from_json(variant: Ruleset, data: Mapping[str, Any]) -> Position:
    """The position that the data describes; parts that are left out are as at the variant's start. Raises
    PositionError.
    """
    phase = _phase(data)
    variant = variant.at(phase)
    position = Position(
        phase=phase,
        units=_units(variant, data["units"]) if "units" in data else start_position(variant).units,
        centers=_places(variant, data["centers"], "centers") if "centers" in data else start_position(variant).centers,
        dislodged=_dislodged(variant, data["dislodged"]) if "dislodged" in data else {},
        contested=_contested(variant, data["contested"]) if "contested" in data else (),
        homes=_homes(variant, data["homes"]) if "homes" in data else {},
        neutrals=_neutrals(variant, data["neutrals"]) if "neutrals" in data else {},
    )
    _check(variant, position)
    return position


def _phase(data: Mapping[str, Any]) -> str:
    if not isinstance(data.get("phase"), str):
        raise PositionError('The key "phase" is missing: a name like S1901M.')
    try:
        return read_phase(data["phase"])
    except PhaseError as mistake:
        raise PositionError(str(mistake)) from mistake


def _by_power(variant: Ruleset, table: object, key: str) -> dict[str, list[Any]]:
    """The table with the powers' own names; "Neutral" is kept as it is."""
    if not isinstance(table, dict):
        raise PositionError(f'"{key}" must be an object: a power, then a list.')
    named: dict[str, list[Any]] = {}
    for text, entries in table.items():
        name = power_name(variant, text)
        if not isinstance(entries, list):
            raise PositionError(f'"{key} of {text}" must be a list.')
        named[name] = named[name] + entries if name in named else entries
    return named


def power_name(variant: Ruleset, text: str) -> str:
    """The power's own name (or "Neutral") for one written in any case; raises PositionError."""
    if text in variant.power_named:
        return text
    if text.upper() == NEUTRAL.upper():
        return NEUTRAL
    try:
        return variant.power(text).name
    except KeyError as unknown:
        raise PositionError(unknown.args[0]) from unknown


def _contested(variant: Ruleset, texts: object) -> tuple[str, ...]:
    if not isinstance(texts, list):
        raise PositionError('"contested" must be a list.')
    return tuple(sorted([_province(variant, text) for text in texts]))


def _units(variant: Ruleset, table: object) -> dict[str, tuple[Unit, ...]]:
    spots = variant.board.spots
    return {
        power: sort_units([
            spots[text].unit if isinstance(text, str) and text in spots else read_unit(variant, text) for text in texts
        ])
        for power, texts in _by_power(variant, table, "units").items()
        if texts
    }


def read_unit(variant: Ruleset, text: object) -> Unit:
    """The unit of "A PAR" or "F STP/NC"; raises PositionError if it cannot stand there."""
    if not isinstance(text, str):
        raise PositionError(f"{text!r} is not a unit. Write it like A PAR or F STP/NC.")
    spots = variant.board.spots
    spot = spots.get(text) or spots.get(" ".join(text.upper().split()))
    return spot.unit if spot else _unit_in_full(variant, text)


def _unit_in_full(variant: Ruleset, text: str) -> Unit:
    kind, _, place = text.strip().partition(" ")
    kind = {"ARMY": "A", "FLEET": "F"}.get(kind.upper(), kind.upper())
    if kind not in ("A", "F") or not place.strip():
        raise PositionError(f'"{text}" is not a unit. Write it like A PAR or F STP/NC.')
    name, _, coast = place.strip().partition("/")
    abbr = _province(variant, name)
    province = variant.provinces[abbr]
    coast = coast.strip().upper()
    if kind == "A":
        if not province.takes_armies:
            raise PositionError(f'"{text}": no army can be in {province.name}.')
        return Unit("A", abbr)
    if province.kind not in ("sea", "coast"):
        raise PositionError(f'"{text}": no fleet can be in {province.name}.')
    if province.coasts and coast not in province.coasts:
        coasts = " or ".join(f"{abbr}/{name}" for name in province.coasts)
        raise PositionError(f'"{text}": a fleet in {province.name} is on a coast, {coasts}.')
    return Unit("F", f"{abbr}/{coast}" if province.coasts else abbr)


def _province(variant: Ruleset, text: object) -> str:
    """The province of that name; raises PositionError."""
    if isinstance(text, str) and text in variant.provinces:
        return text
    found = variant.names.find(fold(text)) if isinstance(text, str) else []
    if len(found) != 1:
        raise PositionError(f'"{text}" is not a province of {variant.title}.')
    return found[0]


def _places(variant: Ruleset, table: object, key: str) -> dict[str, tuple[str, ...]]:
    centers = variant.center_set
    places: dict[str, tuple[str, ...]] = {}
    for power, texts in _by_power(variant, table, key).items():
        names = {text if isinstance(text, str) and text in centers else _province(variant, text) for text in texts}
        if others := names - centers:
            raise PositionError(f"{variant.provinces[min(others)].name} is not a supply center.")
        if names:
            places[power] = tuple(sorted(names))
    return places


def _homes(variant: Ruleset, table: object) -> dict[str, tuple[str, ...]]:
    """The homes named during play; centers that a power had as homes from the start are its homes anyway."""
    named = {
        power: tuple(center for center in centers if center not in variant.power_named[power].homes)
        for power, centers in _places(variant, table, "homes").items()
        if power != NEUTRAL
    }
    return {power: centers for power, centers in named.items() if centers}


def _neutrals(variant: Ruleset, table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        raise PositionError('"neutrals" must be an object: a center, then "A" or "F".')
    neutrals = {}
    for text, kind in table.items():
        unit = read_unit(variant, f"{kind} {text}")
        if not variant.provinces[unit.province].center:
            raise PositionError(f"{variant.provinces[unit.province].name} is not a supply center.")
        neutrals[unit.place] = unit.kind
    return neutrals


def _dislodged(variant: Ruleset, table: object) -> dict[str, tuple[Dislodged, ...]]:
    return {
        power: tuple(sorted((dislodged_from_json(variant, entry) for entry in entries), key=lambda one: str(one.unit)))
        for power, entries in _by_power(variant, table, "dislodged").items()
        if entries
    }


def dislodged_from_json(variant: Ruleset, entry: object) -> Dislodged:
    """The unit that `dislodged_to_json` wrote; raises PositionError."""
    if not isinstance(entry, dict) or not {"unit", "from"} <= set(entry):
        raise PositionError('A dislodged unit is written {"unit": "A MUN", "from": "BER", "by_convoy": false}.')
    return Dislodged(
        unit=read_unit(variant, entry["unit"]),
        attacker_from=_province(variant, str(entry["from"]).partition("/")[0]),
        by_convoy=bool(entry.get("by_convoy", False)),
    )


def _check(variant: Ruleset, position: Position) -> None:
    """Checks that no province has two units and no center has two owners."""
    standing = [unit.province for units in position.units.values() for unit in units]
    if len(set(standing)) < len(standing):
        twice = next(province for number, province in enumerate(standing) if province in standing[:number])
        raise PositionError(f"There are two units in {variant.provinces[twice].name}.")
    owned = [center for centers in position.centers.values() for center in centers]
    if len(set(owned)) < len(owned):
        twice = next(center for number, center in enumerate(owned) if center in owned[:number])
        one, other = [power for power, centers in position.centers.items() if twice in centers][:2]
        raise PositionError(f"{variant.provinces[twice].name} is owned by {one} and {other}.")
