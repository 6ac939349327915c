"""`judge adjudicate`: read each line of JSON as a phase, and write its outcome as a line of JSON.

docs/adjudication.md describes both lines. If a line cannot be used, its answer is {"error": "…"}, and the next line is
read as usual.
"""

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import orjson

from judge.rules.adjudicate import adjudicate
from judge.rules.board.names import fold
from judge.rules.board.orders import Order, OrderError
from judge.rules.board.phase import PhaseKind, kind
from judge.rules.board.power import NEUTRAL
from judge.rules.game_options import GameOptions, with_borders, with_house_rules
from judge.rules.json_forms import (
    Json,
    PositionError,
    by_name,
    order_or_text,
    outcome_to_json,
    position_from_json,
    power_name,
)
from judge.rules.mechanisms.auction import Bid
from judge.rules.mechanisms.build_places import named_after_fall, with_homes
from judge.rules.parsing.grammar import parse_order
from judge.rules.parsing.lines import named_waiver
from judge.rules.variant.loading import UnknownVariant, VariantError
from judge.rules.variant.registry import load_variant
from judge.rules.variant.variant import Readings, Variant

# The powers of each group, and the settings of the game. The output line repeats these, because a program that draws
# the map needs them.
_ECHOED = ("groups", "settings")


def answer_line(text: str) -> tuple[str, bool]:
    """Return the answer to a line as JSON, and whether the line could be adjudicated.

    If the line has a whole game, the answer has a line for each of its phases.
    """
    try:
        return "\n".join(_written(answer(line)) for line in _lines(orjson.loads(text))), True
    except orjson.JSONDecodeError as mistake:
        reason = f"This is not JSON: {mistake.msg} at column {mistake.colno}."
    except (PositionError, UnknownVariant, VariantError) as mistake:
        reason = str(mistake)
    return _written({"error": reason}), False


def _lines(data: object) -> list[object]:
    """Return the input lines of all phases of a game (from GET DATA), or a single input line."""
    match data:
        case {"phases": [*phases]}:
            return [phase.get("position") if isinstance(phase, dict) else phase for phase in phases]
    return [data]


def _written(data: Json) -> str:
    return orjson.dumps(data).decode()


def answer(data: object) -> Json:
    """Return the output line for an input line, or raise PositionError, UnknownVariant or VariantError."""
    if not isinstance(data, dict):
        raise PositionError("A line must be a JSON object.")
    variant = variant_of_line(data)
    position = position_from_json(variant, data)
    variant = variant.at(position.phase)
    # In a winter, a power with only one possible home center gets that home center without naming it.
    if kind(position.phase) == "A" and (named := named_after_fall(variant, position.centers, position.homes)):
        position = replace(position, homes=with_homes(position.homes, named))
    orders, told = _orders(variant, kind(position.phase), data)
    line = outcome_to_json(variant, adjudicate(variant, position, orders, bids_of(variant, data)))
    read = iter(line["orders"])
    line["orders"] = [*(one or next(read) for one in told), *read]
    return line | {key: data[key] for key in _ECHOED if data.get(key)}


def _orders(variant: Variant, asked: PhaseKind, data: Json) -> tuple[dict[str, list[Order]], list[Json]]:
    """Return the orders of a line, and an entry for each text.

    The entry of an order is {}. The entry of a text that cannot be read says why.
    """
    told: list[Json] = []
    orders: dict[str, list[Order]] = {}
    for power, texts in by_name(data, "orders", partial(power_name, variant), texts=True).items():
        for text in texts:
            try:
                # `WAIVE China` is an order if it is listed under China.
                plain = named_waiver(variant, (power,), text)[1] if variant.groups and asked == "A" else text
                orders.setdefault(power, []).append(parse_order(variant, asked, plain))
                told.append({})
            except OrderError as mistake:
                told.append({"power": power, "order": text, "results": ["void"], "why": str(mistake)})
    return orders, told


def variant_of_line(data: Json) -> Variant:
    """Return the variant of a line, with its settings and groups.

    Raises PositionError, UnknownVariant or VariantError.
    """
    if not isinstance(data.get("variant"), str):
        raise PositionError('The key "variant" is missing: a name like "standard".')
    variant = load_variant(data["variant"])
    if data.keys().isdisjoint(_ECHOED):
        return variant
    return with_house_rules(variant, _house_rules(variant, data))


def _check_numbers(variant: Variant, table: Json, canals: Collection[str]) -> None:
    """Raise PositionError for a setting that does not exist, or that is not a number."""
    numbers = {"victory": len(variant.centers), **dict.fromkeys(("year_cap", *canals), 9999)}
    for key, value in table.items():
        highest = numbers.get(key)
        if highest is None:
            raise PositionError(f'"{key}" is not a setting of {variant.label}.')
        if value is not None and (type(value) is not int or not 0 < value <= highest):
            raise PositionError(f'The setting "{key}" is a number from 1 to {highest}.')


def _house_rules(variant: Variant, data: Json) -> GameOptions:
    """Return the settings and groups that the line gives."""
    table = data.get("settings", {})
    if not isinstance(table, dict):
        raise PositionError('"settings" must be an object, like {"victory": 15}.')
    table = {key.lower(): value for key, value in table.items()}
    readings = _readings(variant, table.pop("readings", []))
    borders = _borders(variant, table.pop("borders", []))
    switched = {name: table.pop(name, False) is True for name in ("any_centers", "one_center")}
    canals = {name.lower(): name for name in variant.canals}
    _check_numbers(variant, table, canals)
    return GameOptions(
        holders=_holders(variant, data),
        canals=tuple((name, table[key]) for key, name in canals.items() if table.get(key)),
        victory=table.get("victory"),
        year_cap=table.get("year_cap"),
        readings=readings,
        borders=borders,
        **switched,
    )


def house_rules_to_json(variant: Variant, house: GameOptions) -> Json:
    """Return the groups and settings of a game with these options, as an input line of `judge adjudicate` has them."""
    plain = {name: getattr(house, name) for name in ("victory", "year_cap", "any_centers", "one_center")}
    settings = {**plain, "readings": [*house.readings], "borders": [*house.borders], **dict(house.canals)}
    settings = {name: value for name, value in settings.items() if value}
    groups = {group.name: [*group.powers] for group in variant.groups}
    return {key: told for key, told in (("groups", groups), ("settings", settings)) if told}


def _borders(variant: Variant, changes: object) -> tuple[str, ...]:
    try:
        assert isinstance(changes, list)
        with_borders(variant, changes)
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
        raise PositionError('"borders" is a list of corrections like "ADD FLEET BAL SGK".') from None
    return tuple(changes)


def _readings(variant: Variant, names: object) -> tuple[str, ...]:
    known = variant.mechanism(Readings).known
    if not isinstance(names, list) or not all(isinstance(name, str) and name in known for name in names):
        raise PositionError(f'"readings" is a list of these: {", ".join(known) or "none"}.')
    return tuple(dict.fromkeys(names))


def _holders(variant: Variant, data: Json) -> tuple[tuple[str, str], ...]:

    def group(name: str) -> str:
        named = next((one.name for one in variant.groups if fold(one.name) == fold(name)), None)
        if named is None:
            raise PositionError(f'"{name}" is not a group of {variant.label}.')
        return named

    holders: dict[str, str] = {}
    for name, powers in by_name(data, "groups", group, "a group, then a list of powers").items():
        for text in powers:
            power = power_name(variant, str(text))
            if holders.setdefault(power, name) != name or power == NEUTRAL:
                raise PositionError(f"{power} cannot be in {name}.")
    return tuple(sorted(holders.items()))


def bids_of(variant: Variant, data: Json) -> dict[str, list[Bid]]:
    """Return {bidder: its bids} from an input line. A bid whose order cannot be read is included, with the text."""
    seats = {fold(seat.name): seat.name for seat in variant.seats}

    def bidder(name: str) -> str:
        named = seats.get(fold(name), NEUTRAL) if variant.groups else power_name(variant, name)
        if named == NEUTRAL:
            raise PositionError(f'"{name}" does not bid in {variant.label}.')
        return named

    def bid(entry: object) -> Bid:
        match entry:
            case {"points": int() as points, "order": str() as text} if type(points) is int and points >= 0:
                return Bid(points, order_or_text(variant, "M", text))
        raise PositionError('A bid is written {"points": 1, "order": "A SWI H"}.')

    return {name: list(map(bid, entries)) for name, entries in by_name(data, "bids", bidder).items()}
