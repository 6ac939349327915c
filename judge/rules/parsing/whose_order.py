"""Which of a player's powers an order is for, if the player has several (rulings, "Several powers in one hand" 1 and
2).

The province shows it: the unit that stands there, or in a winter the center in which a unit is built. Only a waive has
no province, so it must name its power: `WAIVE China`, or `China WAIVE`.
"""

from collections.abc import Sequence

from judge.rules.board.names import fold
from judge.rules.board.orders import Build, Order, OrderError
from judge.rules.board.phase import kind
from judge.rules.board.position import Position, occupants, owners
from judge.rules.parsing.reader import said_words
from judge.rules.parsing.vocabulary import ALL, BUILD, KIND_WORDS, ORDER_WORDS, WAIVE
from judge.rules.phases.winter import balances
from judge.rules.variant.variant import Variant

# (the power, its order)
OwnOrder = tuple[str, Order]
# Winter orders begin with these words; after a place they mean nothing. ("Cape R Durb" is the retreat of a unit.)
_NO_PLACE_BEFORE = BUILD | WAIVE | {"REMOVE"}


def own_power(variant: Variant, seat: str, heading: str) -> str:
    """The power meant by "France:" before an order; "" if the name is that of the player's whole group. Raises
    OrderError if it names another player's power or group.
    """
    try:
        whole = variant.seat(heading)
    except KeyError as unknown:
        raise OrderError(unknown.args[0], "Write the order alone, without a heading.") from None
    if whole.name != seat:
        named = whole.name if len(whole.powers) == 1 or fold(heading) in whole.words else variant.power(heading).name
        raise OrderError(f"You do not play {named}.")
    if len(whole.powers) == 1:
        return whole.name
    try:
        return variant.power(heading).name
    except KeyError:
        return ""


def name_before(variant: Variant, text: str) -> tuple[str, str]:
    """("China", "WAIVE 2") of "China WAIVE 2", and the same for any order that begins with BUILD or REMOVE; ("", the
    text) if no power or group has that name.
    """
    words = text.split() if variant.groups else []
    at = next((at for at, word in enumerate(words) if fold(word) in _NO_PLACE_BEFORE), 0)
    name = " ".join(words[:at])
    # A single letter is never a name here: "B W" means a waived build.
    if len(name) < 2 or fold(words[0]) in ORDER_WORDS | KIND_WORDS.keys():
        return "", text
    try:
        variant.seat(name)
    except KeyError:
        return "", text
    return name, " ".join(words[at:])


def orderer(position: Position, powers: Sequence[str], order: Order) -> str:
    """The one of `powers` that the order is for; "" if it is for none of them."""
    if len(powers) == 1:
        return powers[0]
    if isinstance(order, Build):
        whose = owners(position).get(order.slot, "")
    elif kind(position.phase) == "R":
        beaten = {one.unit.province: power for power, units in position.dislodged.items() for one in units}
        whose = beaten.get(order.slot, "")
    else:
        whose, _ = occupants(position).get(order.slot, ("", None))
    return whose if whose in powers else ""


def waiving_power(variant: Variant, position: Position, powers: Sequence[str]) -> str:
    """The power of a waive that names no power. A player who may build for one power only need not name it."""
    due = [name for name in powers if balances(variant, position).get(name, 0) > 0]
    if len(due) > 1:
        raise OrderError("For which power?", f"Write {' or '.join(f'WAIVE {name}' for name in due)}.")
    return next(iter(due), powers[0])


def named_waiver(variant: Variant, powers: Sequence[str], text: str) -> tuple[str, str]:
    """("China", "WAIVE 2") of "WAIVE 2 China"; ("", the text) if no power is named."""
    words = said_words(text)
    if words[:1] and words[0] in BUILD and words[1:2]:
        words = words[1:]
    if not words or words[0] not in WAIVE:
        return "", text
    number = "".join(word for word in words if word.isdigit()) or "ALL" * (not ALL.isdisjoint(words))
    named = " ".join(word for word in words[1:] if not (word in BUILD | ALL | {"FOR", "THE"} or word.isdigit()))
    if not named:
        return "", f"WAIVE {number}".strip()
    try:
        power = variant.power(named).name
    except KeyError as unknown:
        raise OrderError(unknown.args[0]) from None
    if power not in powers:
        raise OrderError(f"You do not play {power}.")
    return power, f"WAIVE {number}".strip()
