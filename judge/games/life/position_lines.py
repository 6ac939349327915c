"""Correct a position by hand, with lines like those in a results email.

    France: Army Burgundy               a new unit
    France: A PAR - BUR                 a unit that is now elsewhere
    Nobody: A MUN                       a unit that is removed; also Nobody: dislodged A MUN
    France: Brest, Marseilles, Paris    the owner of these centers; also Nobody: Paris

Each line is checked against the board before the first line, so that two units may change places.
"""

import re
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import partial
from typing import TypeVar

from judge.games.core.work import Refusal
from judge.mails.views import owned_unit
from judge.rules import (
    NEUTRAL,
    Hold,
    Move,
    OrderError,
    Position,
    PositionError,
    Unit,
    Variant,
    parse_order,
    position_from_json,
    position_to_json,
)
from judge.rules.board.orders import occupants, owners, sort_units
from judge.rules.json_forms import read_unit
from judge.rules.mechanisms.armed_neutrals import neutrals_at
from judge.rules.parsing.decoration import split_orders
from judge.rules.suggestions import corrected

EXAMPLE = "Write France: A BUR (a unit), Nobody: A BUR (none) or France: BEL (a center)."
_NOBODY = {"nobody", "no one", "none", "unowned"}
_DISLODGED = re.compile(r"\s*dislodged\s+(?:the\s+)?", re.IGNORECASE)
_KINDS = {"A": "an army", "F": "a fleet"}
_T = TypeVar("_T")


class Draft:
    """A position being corrected.

    `take` applies a line. Then `finished` is the position, and `changes` describes the changes in words.
    """

    def __init__(self, variant: Variant, position: Position, head: str = ""):
        """Begin with a position. Each line that an error suggests begins with `head`."""
        self._head = head
        self._variant, self._before = variant, position
        self._standing = occupants(position)
        self._units = _flat(position.units)
        self._dislodged = _flat(position.dislodged)
        self._owners = owners(position)
        self._changes: list[tuple[str, str]] = []

    @property
    def changes(self) -> list[str]:
        """Return the changes in words. For a center with a new owner, also name the unit there after all lines."""
        return [f"{said} {self._there(center)}" if center else said for said, center in self._changes]

    def _there(self, center: str) -> str:
        found = (owned_unit(self._variant, power, unit) for power, unit in self._units if unit.province == center)
        unit = next(found, "")
        return f"The unit there is the {unit}." if unit else "No unit is there."

    def take(self, line: str) -> None:
        """Apply one line, up to its first error. Raises Refusal for an error."""
        who, _, what = line.strip().rstrip(".").partition(":")
        pieces = split_orders(what)
        if not pieces:
            raise Refusal(f"Each line starts with a power, or Nobody, and a colon. {EXAMPLE}")
        who = who.strip()
        if who.casefold() in _NOBODY:
            power = ""
        elif who.casefold() == NEUTRAL.casefold() and self._variant.neutrals.units:
            power = NEUTRAL
        else:
            try:
                power = self._variant.power(who).name
            except KeyError as unknown:
                raise Refusal(f"{unknown.args[0]} To remove a unit or a center, write Nobody.") from None
        for piece in pieces:
            try:
                self._take(power, piece)
            except OrderError as mistake:
                raise Refusal(
                    corrected(mistake, partial(self._takes, power, piece), bid=f"{self._head}{who}: ")
                ) from None
            except PositionError as mistake:
                raise Refusal(str(mistake)) from None

    def finished(self) -> Position:
        """Return the position with all changes. Raises Refusal if the position is impossible."""
        owned = ((power, center) for center, power in self._owners.items())
        position = replace(
            self._before,
            units={power: sort_units(units) for power, units in _grouped(self._units).items()},
            centers={power: tuple(sorted(names)) for power, names in _grouped(owned).items()},
            dislodged={power: tuple(units) for power, units in _grouped(self._dislodged).items()},
        )
        try:
            return position_from_json(self._variant, position_to_json(self._variant, position))
        except PositionError as mistake:
            raise Refusal(str(mistake)) from None

    def _takes(self, power: str, written: str, text: str) -> bool:
        """Return whether the power could write `text` in place of `written`, without a change.

        A text with fewer words is rejected. `A PAR` in place of a misspelled `A PAR - BUR` would add a new army.
        """
        if len(text.split()) < len(written.split()):
            return False
        trial = copy(self)
        trial._units, trial._dislodged, trial._changes = [*self._units], [*self._dislodged], [*self._changes]
        trial._owners = {**self._owners}
        try:
            trial._take(power, text)
        except (OrderError, PositionError, Refusal):
            return False
        return True

    def _take(self, power: str, text: str) -> None:
        dislodged = _DISLODGED.match(text)
        order = parse_order(self._variant, "M", text[dislodged.end() :] if dislodged else text)
        if dislodged:
            if power or not isinstance(order, Hold):
                raise Refusal(
                    "A dislodged unit can only be removed, as in Nobody: dislodged A BUR. To undo the moves, use "
                    "ROLLBACK."
                )
            self._take_off_dislodged(order.unit)
        elif isinstance(order, Move) and power:
            self._move(power, order)
        elif not isinstance(order, Hold):
            raise Refusal(f'"{text}" names neither a unit nor a center. {EXAMPLE}')
        elif not order.unit.kind:
            self._give(power, order.unit.province)
        elif power:
            self._put(power, read_unit(self._variant, str(order.unit)))
        else:
            owner, unit = self._found(order.unit)
            self._remove(owner, unit)
            self._changes.append((f"{owner}: {self._unit(unit)} has been removed.", ""))

    def _put(self, power: str, unit: Unit) -> None:
        if self._standing.get(unit.province) == (power, unit):
            raise Refusal(f"{self._unit(unit)} of {power} is already there.")
        if power == NEUTRAL and unit.province not in neutrals_at(self._variant, self._before):
            name = self._variant.provinces[unit.province].name
            raise Refusal(f"{name} is not neutral. Neutrals can only be in their own centers.")
        self._units.append((power, unit))
        self._changes.append((f"{power}: {self._unit(unit)} is new.", ""))

    def _move(self, power: str, order: Move) -> None:
        owner, unit = self._found(order.unit)
        if owner != power:
            raise Refusal(f"{self._unit(unit)} belongs to {owner}, not to {power}.")
        moved = read_unit(self._variant, f"{unit.kind} {order.to}")
        self._remove(owner, unit)
        self._units.append((power, moved))
        place = self._variant.place_called(moved.place)
        self._changes.append((f"{power}: {self._unit(unit)} is in {place} now.", ""))

    def _take_off_dislodged(self, written: Unit) -> None:
        for power, one in self._dislodged:
            if one.unit.province == written.province and written.kind in ("", one.unit.kind):
                self._dislodged.remove((power, one))
                self._changes.append((f"{power}: the dislodged {self._unit(one.unit)} has been removed.", ""))
                return
        raise Refusal(f"No {self._unit(written)} is dislodged.")

    def _give(self, power: str, center: str) -> None:
        name = self._variant.provinces[center].name
        if power == NEUTRAL:
            raise Refusal("Neutrals don't own centers. Write Nobody: and the name of the center.")
        if not self._variant.provinces[center].center:
            raise Refusal(f"{name} is not a supply center.")
        before = self._owners.pop(center, "")
        if power:
            self._owners[center] = power
        # A line may be a whole list copied from the results, so only its differences are changes.
        if before != power:
            self._changes.append((f"{name} now belongs to {power or 'no one'} (before: {before or 'no one'}).", center))

    def _found(self, written: Unit) -> tuple[str, Unit]:
        """Return the power that owns the unit, and the unit with its kind and coast."""
        name = self._variant.provinces[written.province].name
        if written.province not in self._standing:
            raise Refusal(f"There is no unit in {name}.")
        owner, unit = self._standing[written.province]
        if written.kind not in ("", unit.kind):
            raise Refusal(f"The unit in {name} is {_KINDS[unit.kind]}, not {_KINDS[written.kind]}.")
        return owner, unit

    def _remove(self, owner: str, unit: Unit) -> None:
        if (owner, unit) not in self._units:
            raise Refusal(f"An earlier line has already moved or removed {self._unit(unit)}.")
        self._units.remove((owner, unit))

    def _unit(self, unit: Unit) -> str:
        return self._variant.called(unit)


def _flat(table: Mapping[str, Iterable[_T]]) -> list[tuple[str, _T]]:
    return [(power, thing) for power, things in table.items() for thing in things]


def _grouped(pairs: Iterable[tuple[str, _T]]) -> dict[str, list[_T]]:
    groups: dict[str, list[_T]] = {}
    for power, thing in pairs:
        groups.setdefault(power, []).append(thing)
    return groups
