"""`judge adjudicate`: it reads one phase as a line of JSON and writes its outcome as a line of JSON.

docs/adjudication.md describes both lines. The answer to a line that cannot be used is {"error": "…"}; the next line is
handled all the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from judge.rules.adjudicate import adjudicate
from judge.rules.board.names import fold
from judge.rules.board.orders import Order, OrderError
from judge.rules.board.phase import PhaseKind, kind
from judge.rules.board.power import NEUTRAL
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.json_forms import Json, PositionError, order_or_text, outcome_to_json, position_from_json, power_name
from judge.rules.mechanisms.all_mechanisms import Readings
from judge.rules.mechanisms.auction import Bid
from judge.rules.mechanisms.build_places import named_after_fall, with_homes
from judge.rules.parsing.grammar import parse_order
from judge.rules.parsing.lines import named_waiver
from judge.rules.variant.loading import UnknownVariant, VariantError
from judge.rules.variant.registry import load_variant
from judge.rules.variant.variant import Variant

# What one game settles. An out-line says it again, since who draws it has to know: who plays which powers, which canal
# is open.
_ECHOED = ("groups", "settings")


def answer_line(text: str) -> tuple[str, bool]:
    """(the answer to one line as JSON, whether it is an outcome)."""
    try:
        return _written(answer(orjson.loads(text))), True
    except orjson.JSONDecodeError as mistake:
        reason = f"This is not JSON: {mistake.msg} at column {mistake.colno}."
    except (PositionError, UnknownVariant, VariantError) as mistake:
        reason = str(mistake)
    return _written({"error": reason}), False


def _written(data: Json) -> str:
    return orjson.dumps(data).decode()


def answer(data: object) -> Json:
    """The out-line for an in-line; raises PositionError, UnknownVariant, VariantError."""
    if not isinstance(data, dict):
        raise PositionError("A line must be a JSON object.")
    variant = variant_of_line(data)
    position = position_from_json(variant, data)
    variant = variant.at(position.phase)
    # In a winter, a power with one candidate for its home center has that, even if the line does not say so.
    if kind(position.phase) == "A" and (named := named_after_fall(variant, position.centers, position.homes)):
        position = replace(position, homes=with_homes(position.homes, named))
    texts = _order_texts(variant, data.get("orders", {}))
    orders, unread = _orders(variant, kind(position.phase), texts)
    line = outcome_to_json(variant, adjudicate(variant, position, orders, bids_of(variant, data)))
    if unread:
        read = iter(line["orders"])
        count = sum(map(len, texts.values()))
        told = [unread[number] if number in unread else next(read) for number in range(count)]
        line["orders"] = [*told, *read]
    for key in _ECHOED:
        if data.get(key):
            line[key] = data[key]
    return line


def _orders(
    variant: Variant, asked: PhaseKind, texts: Mapping[str, Sequence[str]]
) -> tuple[dict[str, list[Order]], dict[int, Json]]:
    """(the orders by power, {its number among the results of all: the result of an order that cannot be read})."""
    orders: dict[str, list[Order]] = {}
    unread: dict[int, Json] = {}
    of_groups = bool(variant.groups) and asked == "A"
    number = 0
    for power, given in texts.items():
        read: list[Order] = []
        for text in given:
            try:
                # `WAIVE China` is an order if it stands under China.
                plain = named_waiver(variant, (power,), text)[1] if of_groups else text
                read.append(parse_order(variant, asked, plain))
            except OrderError as mistake:
                unread[number] = {"power": power, "order": text, "results": ["void"], "why": str(mistake)}
            number += 1
        if read:
            orders[power] = read
    return orders, unread


def variant_of_line(data: Mapping[str, Any]) -> Variant:
    """The variant of a line, with its settings and groups; raises PositionError, UnknownVariant, VariantError."""
    if not isinstance(data.get("variant"), str):
        raise PositionError('The key "variant" is missing: a name like "standard".')
    variant = load_variant(data["variant"])
    if data.keys().isdisjoint(_ECHOED):
        return variant
    return with_house_rules(variant, _house_rules(variant, data))


def _house_rules(variant: Variant, data: Mapping[str, Any]) -> GameOptions:
    """What the line's settings and groups say, as far as it differs from the variant."""
    table = data.get("settings", {})
    if not isinstance(table, dict):
        raise PositionError('"settings" must be an object, like {"victory": 15}.')
    table = {key.lower(): value for key, value in table.items()}
    canals = {name.lower(): name for name in variant.canals}
    for key, value in table.items():
        if key == "readings":
            continue
        if key not in ("victory", "year_cap") and key not in canals:
            raise PositionError(f'"{key}" is not a setting of {variant.title}.')
        highest = len(variant.centers) if key == "victory" else 9999
        if value is not None and (type(value) is not int or not 0 < value <= highest):
            raise PositionError(f'The setting "{key}" is a number from 1 to {highest}.')
    offered, names = variant.rule(Readings), table.get("readings", [])
    known = offered.known if offered else {}
    if not isinstance(names, list) or not all(isinstance(name, str) and name in known for name in names):
        raise PositionError(f'"readings" is a list of these: {", ".join(known) or "none"}.')
    return GameOptions(
        holders=_holders(variant, data.get("groups", {})),
        canals=tuple((name, table[key]) for key, name in canals.items() if table.get(key)),
        victory=table.get("victory"),
        year_cap=table.get("year_cap"),
        readings=tuple(dict.fromkeys(names)),
    )


def _holders(variant: Variant, table: object) -> tuple[tuple[str, str], ...]:
    """(power, its group) of the line's groups."""
    if not isinstance(table, dict) or not all(isinstance(powers, list) for powers in table.values()):
        raise PositionError('"groups" must be an object: a group, then a list of powers.')
    groups = {fold(group.name): group.name for group in variant.groups}
    holders: dict[str, str] = {}
    for name, powers in table.items():
        if fold(name) not in groups:
            raise PositionError(f'"{name}" is not a group of {variant.title}.')
        for text in powers:
            power = power_name(variant, str(text))
            if holders.setdefault(power, groups[fold(name)]) != groups[fold(name)] or power == NEUTRAL:
                raise PositionError(f"{power} cannot be in {groups[fold(name)]}.")
    return tuple(sorted(holders.items()))


def bids_of(variant: Variant, data: Mapping[str, Any]) -> dict[str, list[Bid]]:
    """{bidder: its bids} of an in-line; a bid whose order cannot be read is still a bid."""
    table = data.get("bids", {})
    if not isinstance(table, dict):
        raise PositionError('"bids" must be an object: a power, then a list of bids.')
    seats = {fold(seat.name): seat.name for seat in variant.seats}
    bids: dict[str, list[Bid]] = {}
    for name, entries in table.items():
        bidder = seats.get(fold(name)) or NEUTRAL if variant.groups else power_name(variant, name)
        if bidder == NEUTRAL:
            raise PositionError(f'"{name}" does not bid in {variant.title}.')
        if not isinstance(entries, list):
            raise PositionError(f'"bids of {name}" must be a list of bids.')
        own = bids.setdefault(bidder, [])
        for entry in entries:
            match entry:
                case {"points": int() as points, "order": str() as text} if type(points) is int and points >= 0:
                    own.append(Bid(points, order_or_text(variant, "M", text)))
                case _:
                    raise PositionError('A bid is written {"points": 1, "order": "A SWI H"}.')
    return bids


def _order_texts(variant: Variant, table: object) -> dict[str, list[str]]:
    """{power: the texts of its orders}."""
    if not isinstance(table, dict):
        raise PositionError('"orders" must be an object: a power, then a list of orders.')
    by_power: dict[str, list[str]] = {}
    for name, texts in table.items():
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise PositionError(f'"orders of {name}" must be a list of texts.')
        power = power_name(variant, name)
        by_power[power] = by_power[power] + texts if power in by_power else texts
    return by_power
