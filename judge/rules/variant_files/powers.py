"""Finds mistakes in the powers of variant.toml: their letters, homes, units and colours."""

import math
import re
from itertools import combinations

from judge.rules.board.names import fold
from judge.rules.board.power import MOST_LETTERS
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.lines import Table, words_of

POWER_KEYS = {"adjective", "letter", "colour", "theatre", "homes", "owns", "units", "aliases"}
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
FORBIDDEN_LETTERS = {"M": "the master", "O": "an observer"}
ALIKE = 60.0  # if two colours are closer than this, people confuse them


def check_powers(checking: Checking) -> None:
    """Notes the mistakes of each power, and values that two powers must not share."""
    if not checking.powers:
        checking.say("there are no powers")
    for name, table in checking.powers.items():
        _check_power(checking, name, table)
    _check_one_each(checking)
    _check_colours(checking)


def words_of_power(name: str, table: Table) -> list[str]:
    """All words that name a power, including its letters."""
    aliases = table.get("aliases", [])
    named = [table.get("letter", ""), table.get("adjective", ""), *(aliases if isinstance(aliases, list) else [])]
    return [name, *filter(None, map(str, named))]


def _check_power(checking: Checking, name: str, table: Table) -> None:
    where, say = f"powers.{name}", checking.say
    checking.keys(table, POWER_KEYS, name, where)
    shaded = checking.grouped and "colour" not in table
    for key in ("adjective", "letter", "theatre" if shaded else "colour", "homes", "units"):
        if not isinstance(table.get(key), str):
            say(f"{name}: {key} is missing", where, key)
    _check_letter(checking, name, where, str(table.get("letter", "")))
    if not shaded and not COLOUR.fullmatch(str(table.get("colour", ""))):
        say(f"{name}: the colour must be like #5a9bd4", where, "colour")
    for key in ("homes", "owns"):
        for center in words_of(table.get(key)):
            checking.center(center, name, where, key)
    for center in {*words_of(table.get("owns", table.get("homes")))}:
        if center in checking.owned:
            key = "owns" if "owns" in table else "homes"
            say(f"{center} is owned by {checking.owned[center]} and {name}", where, key)
        checking.owned[center] = name
    for unit in str(table.get("units", "")).split(","):
        if unit.strip():
            checking.units += 1
            checking.unit(name, where, words_of(unit))


def _check_letter(checking: Checking, name: str, where: str, letter: str) -> None:
    """Checks that a seat has one letter; a power of a group has two, because it is not a seat, and so has everybody if
    there are more powers than letters.
    """
    if checking.grouped or len(checking.powers) > MOST_LETTERS:
        if not re.fullmatch(r"[A-Z]{2}", letter):
            whose = "in a group" if checking.grouped else f"among more than {MOST_LETTERS}"
            checking.say(f"{name}: the letter of a power {whose} is two capital letters", where, "letter")
        return
    check_seat_letter(checking, name, where, letter)


def check_seat_letter(checking: Checking, name: str, where: str, letter: str) -> None:
    """Checks the one letter of a seat."""
    if not re.fullmatch(r"[A-Z]", letter):
        checking.say(f"{name}: the letter must be one capital letter", where, "letter")
    if letter in FORBIDDEN_LETTERS:
        checking.say(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")


def _check_one_each(checking: Checking) -> None:
    """Checks that no word means two powers."""
    seen: dict[str, str] = {}
    for name, table in checking.powers.items():
        aliases = table.get("aliases", [])
        if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
            checking.say(f"{name}: aliases must be a list of words", f"powers.{name}", "aliases")
            aliases = []
        words = [(key, str(table.get(key, ""))) for key in ("letter", "adjective")]
        for key, text in [*words, ("", name), *(("aliases", alias) for alias in aliases)]:
            if not text.isprintable():
                checking.say(f"{name}: {text!r} has a sign that cannot be printed", f"powers.{name}", key)
            word = fold(text)
            other = seen.setdefault(word, name)
            if word and other != name:
                checking.say(f'{name}: "{word}" is {other} already', f"powers.{name}", key)


def _check_colours(checking: Checking) -> None:
    """Checks that people can tell the colours of the seats apart."""
    groups = checking.file.get("groups", {})
    played = groups if checking.grouped and isinstance(groups, dict) else checking.powers
    known = {
        name: table["colour"]
        for name, table in played.items()
        if isinstance(table, dict) and COLOUR.fullmatch(str(table.get("colour", "")))
    }
    for (name, colour), (other, another) in combinations(known.items(), 2):
        if colour_distance(colour, another) < ALIKE:
            checking.say(
                f"{other}: its colour cannot be told from that of {name}",
                f"{'groups' if checking.grouped else 'powers'}.{other}",
                "colour",
            )


def colour_distance(one: str, other: str) -> float:
    """How far two colours (#rrggbb) are apart for the eye, 0 to 765: RGB, weighted by the mean red ("redmean")."""
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return math.sqrt((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2)
