"""Read the powers of a variant from their tables in variant.toml, and check them against each other."""

import math
import re
from collections.abc import Mapping
from itertools import combinations

from judge.rules.board.power import MOST_LETTERS, Power
from judge.rules.mechanisms.files import ALIASES, CENTERS, COLOUR, TEXT, UNITS, RulesFile, Table, needed

_KINDS = {
    "adjective": needed(TEXT),
    "letter": needed(TEXT),
    "colour": COLOUR,
    "theatre": TEXT,
    "homes": needed(CENTERS),
    "owns": CENTERS,
    "units": needed(UNITS),
    "aliases": ALIASES,
}
UNGROUPED = "#8c8c8c"  # the color of a power without a group, where groups give the colors
FORBIDDEN_LETTERS = {"M": "the master", "O": "an observer"}
ALIKE = 60.0  # the minimum distance of two colors that people do not confuse


def read_powers(file: RulesFile) -> None:
    """Read the values of each power. Note mistakes in them, and values that two powers must not share."""
    file.powers = dict(file.tables_of("powers"))
    if not file.powers:
        file.say("there are no powers")
    for name, table in file.powers.items():
        where = f"powers.{name}"
        colour = "theatre" if file.grouped and "colour" not in table else "colour"
        values = file.powers[name] = file.values({**_KINDS, colour: needed(_KINDS[colour])}, table, name, where)
        _check_letter(file, name, where, values)
        _call_power(file, name, where, values)
        key = "owns" if "owns" in table else "homes"
        for center in dict.fromkeys(values.get(key, ())):
            if center in file.owned:
                file.say(f"{center} is owned by {file.owned[center]} and {name}", where, key)
            file.owned[center] = name
        values["units"] = values.get("units", ())
        for _ in file.stand(table.get("units", ""), name, where):
            continue
    if not file.grouped:
        check_colours(file, "powers", file.powers)


def _check_letter(file: RulesFile, name: str, where: str, values: Table) -> None:
    if not file.grouped and len(file.powers) <= MOST_LETTERS:
        check_seat_letter(file, name, where, values)
    elif not re.fullmatch(r"[A-Z]{2}", values.get("letter", "")):
        whose = "in a group" if file.grouped else f"among more than {MOST_LETTERS}"
        file.say(f"{name}: the letter of a power {whose} is two capital letters", where, "letter")


def _call_power(file: RulesFile, name: str, where: str, values: Table) -> None:
    for key in ("letter", "adjective"):
        file.call(values.get(key, ""), name, where, key)
    file.call(name, name, where, "")
    for alias in values.get("aliases", ()):
        file.call(alias, name, where, "aliases")


def power_of(name: str, values: Table) -> Power:
    """Return the power with these values, or raise TypeError if one is missing."""
    return Power(name=name, **{"colour": UNGROUPED, "owns": values.get("homes"), **values})


def check_seat_letter(file: RulesFile, name: str, where: str, values: Table) -> None:
    """Note mistakes in the one-letter abbreviation of a power or group, such as the F in SIGNON Fheron.

    A power in a group has no such abbreviation.
    """
    letter = values.get("letter", "")
    if not re.fullmatch(r"[A-Z]", letter):
        file.say(f"{name}: the letter must be one capital letter", where, "letter")
    if letter in FORBIDDEN_LETTERS:
        file.say(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")


def check_colours(file: RulesFile, kind: str, seats: Mapping[str, Table]) -> None:
    """Check that the colors of the powers or groups in table `kind` are easy to distinguish."""
    known = [(name, values["colour"]) for name, values in seats.items() if "colour" in values]
    for (name, colour), (other, another) in combinations(known, 2):
        if colour_distance(colour, another) < ALIKE:
            file.say(f"{other}: its colour is too close to that of {name}", f"{kind}.{other}", "colour")


def colour_distance(one: str, other: str) -> float:
    """Return how different two colors (#rrggbb) look, from 0 to 765.

    The number is the distance in RGB, weighted by the mean red ("redmean").
    """
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)
