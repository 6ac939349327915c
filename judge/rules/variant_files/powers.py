"""The powers of variant.toml as they are read, and their mistakes: letters, homes, units and colours."""

import math
import re
from itertools import combinations

from judge.rules.board.names import fold
from judge.rules.board.power import MOST_LETTERS, Power
from judge.rules.variant_files.checking import CENTERS, Checking
from judge.rules.variant_files.schema import (
    ALIASES,
    ANYTHING,
    COLOUR,
    TEXT,
    Table,
    list_of,
    needed,
    read_keys,
    units_of,
    words_of,
)

KINDS = {
    "adjective": needed(TEXT),
    "letter": needed(TEXT),
    "colour": ANYTHING,
    "theatre": TEXT,
    "homes": needed(CENTERS),
    "owns": CENTERS,
    "units": needed(TEXT._replace(read=units_of)),
    "aliases": ALIASES,
}
UNGROUPED = "#8c8c8c"  # of a power that gets its colour from its group, while it has no group
FORBIDDEN_LETTERS = {"M": "the master", "O": "an observer"}
ALIKE = 60.0  # if two colours are closer than this, people confuse them


def read_power(name: str, table: Table) -> Power:
    """Return the power that a table without mistakes describes."""
    values = read_keys(KINDS, table)
    return Power(name=name, **{"colour": UNGROUPED, "owns": values["homes"], **values})


def check_powers(checking: Checking) -> None:
    """Note the mistakes of each power, and values that two powers must not share."""
    if not checking.powers:
        checking.say("there are no powers")
    for name, table in checking.powers.items():
        _check_power(checking, name, table)
    _check_words(checking)
    _check_colours(checking)


def words_of_power(name: str, table: Table) -> list[str]:
    """Return all words that name a power, including its letters."""
    named = (name, table.get("letter", ""), table.get("adjective", ""), *list_of(table, "aliases"))
    return [word for word in map(str, named) if word]


def _check_power(checking: Checking, name: str, table: Table) -> None:
    where, letter = f"powers.{name}", str(table.get("letter", ""))
    checking.keys(KINDS, table, name, where)
    if checking.grouped and "colour" not in table:
        if "theatre" not in table:
            checking.say(f"{name}: theatre is missing", where, "theatre")
    elif any(COLOUR.faults(checking, "", table.get("colour", ""))):
        checking.say(f"{name}: the colour must be like #5a9bd4", where, "colour")
    if not checking.grouped and len(checking.powers) <= MOST_LETTERS:
        check_seat_letter(checking, name, where, letter)
    elif not re.fullmatch(r"[A-Z]{2}", letter):
        whose = "in a group" if checking.grouped else f"among more than {MOST_LETTERS}"
        checking.say(f"{name}: the letter of a power {whose} is two capital letters", where, "letter")
    key = "owns" if "owns" in table else "homes"
    for center in dict.fromkeys(words_of(table.get(key))):
        checking.own(center, name, where, key)
    checking.units += len([*checking.stand(table.get("units", ""), name, where)])


def check_seat_letter(checking: Checking, name: str, where: str, letter: str) -> None:
    """Check the one letter of a seat. A power of a group is not a seat, and has two."""
    if not re.fullmatch(r"[A-Z]", letter):
        checking.say(f"{name}: the letter must be one capital letter", where, "letter")
    if letter in FORBIDDEN_LETTERS:
        checking.say(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")


def _check_words(checking: Checking) -> None:
    """Check that no word means two powers."""
    seen: dict[str, str] = {}
    for name, table in checking.powers.items():
        where = f"powers.{name}"
        words = [(key, str(table.get(key, ""))) for key in ("letter", "adjective")]
        for key, text in [*words, ("", name), *(("aliases", alias) for alias in list_of(table, "aliases"))]:
            if not text.isprintable():
                checking.say(f"{name}: {text!r} has a sign that cannot be printed", where, key)
            word = fold(text)
            other = seen.setdefault(word, name)
            if word and other != name:
                checking.say(f'{name}: "{word}" is {other} already', where, key)


def _check_colours(checking: Checking) -> None:
    """Check that people can tell the colours of the seats apart."""
    groups = checking.file.get("groups", {})
    kind, played = ("groups", groups) if checking.grouped else ("powers", checking.powers)
    known = {
        name: table["colour"]
        for name, table in (played.items() if isinstance(played, dict) else ())
        if isinstance(table, dict) and not any(COLOUR.faults(checking, "", table.get("colour", "")))
    }
    for (name, colour), (other, another) in combinations(known.items(), 2):
        if colour_distance(colour, another) < ALIKE:
            checking.say(f"{other}: its colour cannot be told from that of {name}", f"{kind}.{other}", "colour")


def colour_distance(one: str, other: str) -> float:
    """Return how far two colours (#rrggbb) are apart for the eye, 0 to 765.

    That is the distance in RGB, weighted by the mean red ("redmean").
    """
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)
