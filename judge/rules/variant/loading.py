"""A variant read from its folder of TOML files, and everything that is wrong with these, each mistake with its line.

`variants/<name>/variant.toml` holds the title, the start, the powers and the rules; `provinces.toml` holds the map, one
table for each province, with each border listed at both of its ends. Loading takes files without mistakes; a file that
cannot be used at all is refused with its first mistake. The check works on the texts and does not stop at the first
mistake; only in a file that is not TOML at all are further mistakes not found.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

from judge.rules.board.phase import PhaseError, split_phase
from judge.rules.mechanisms.all_mechanisms import MECHANISMS
from judge.rules.variant.variant import Variant, check_rulings, read_rulings
from judge.rules.variant_files.checking import Checking, check_powers, read_power
from judge.rules.variant_files.provinces import ProvincesCheck, read_province
from judge.rules.variant_files.schema import Lines, Mistake, Table

TABLES = {table for one in MECHANISMS for table in one.TABLES}
KEYS = {"title", "start", "sources", "special", "counts", "powers", "rulings", *TABLES}


class UnknownVariant(ValueError):
    """No variant of that name is installed."""


class VariantError(ValueError):
    """The files of a variant cannot be used; the message names the file and the mistake."""


def read_folder(folder: Path) -> Variant:
    """Return the variant in a folder that holds variant.toml and provinces.toml, and maybe rules.txt."""
    rules, provinces = ((folder / file).read_text(encoding="utf-8") for file in ("variant.toml", "provinces.toml"))
    told = folder / "rules.txt"
    return read_variant(folder.name, rules, provinces, told.read_text(encoding="utf-8") if told.is_file() else "")


def read_variant(name: str, rules_text: str, provinces_text: str, text: str = "") -> Variant:
    """Return the variant whose files hold these texts, by its name or the name of its edition; raises VariantError."""
    try:
        rules, provinces = tomllib.loads(rules_text), tomllib.loads(provinces_text)
        read = (one.read(rules) for one in MECHANISMS)
        variant = Variant(
            name=name.partition("@")[0],
            edition=name,
            title=rules["title"],
            start=rules["start"],
            powers=tuple(read_power(word, table) for word, table in rules["powers"].items()),
            provinces={abbr: read_province(abbr, table) for abbr, table in provinces.items()},
            mechanisms=tuple(one for one in read if one is not None),
            counts=rules.get("counts", {}),
            sources=rules.get("sources", ""),
            special=" ".join(rules.get("special", "").split()),
            text=text,
            rulings=read_rulings(rules.get("rulings", ())),
        )
        return variant.grouped({})
    except (tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError) as mistake:
        raise VariantError(f"{name}: {mistake}. `judge variants check` lists every mistake.") from mistake


def mistakes(rules_text: str, provinces_text: str) -> list[Mistake]:
    """Return the mistakes in the texts of variant.toml and provinces.toml, by file and line."""
    found: list[Mistake] = []
    rules = _parse("variant.toml", rules_text, found)
    provinces = _parse("provinces.toml", provinces_text, found)
    if rules is None or provinces is None:
        return found
    board = ProvincesCheck(provinces, Lines("provinces.toml", provinces_text, found))
    board.check()
    checking = Checking(rules, board, Lines("variant.toml", rules_text, found))
    _check_head(checking)
    check_powers(checking)
    for one in MECHANISMS:
        one.check(checking)
    check_rulings(checking)
    _check_counts(checking)
    return sorted(set(found))


def _parse(file: str, text: str, found: list[Mistake]) -> Table | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        at = int(line.group(1)) if line else text.count("\n") + 1
        found.append(Mistake(file, at, f"not TOML: {str(error).partition(' (at')[0]}"))
        return None


def _check_head(checking: Checking) -> None:
    """Check what belongs to no table, and that each table is known."""
    file, say = checking.file, checking.say
    for key in sorted(file.keys() - KEYS):
        say(f"there is no table {key}", key) if isinstance(file[key], dict) else say(f"there is no key {key}", "", key)
    for name, table in checking.tables_of("readings").items():
        for key in sorted(table.keys() - TABLES - {"says", "replaces"}):
            say(f"readings: there is no table {key} for {name}", f"readings.{name}", key)
    title: Any = file.get("title")
    if not isinstance(title, str):
        say("the title is missing", "", "title")
    elif not title.isprintable():
        say("the title has a character that cannot be printed", "", "title")
    if not isinstance(file.get("special", ""), str):
        say("special must be text", "", "special")
    try:
        good = split_phase(str(file.get("start", "")))[2] in "MA"
    except PhaseError:
        good = False
    if not good:
        say("start must be a movement phase or a winter, like S1901M or W1900A", "", "start")


def _check_counts(checking: Checking) -> None:
    """Check the totals that the file states."""
    counts = checking.board.counts() | {"powers": len(checking.powers), "units": checking.units}
    stated = checking.file.get("counts", {})
    for key, number in stated.items() if isinstance(stated, dict) else ():
        if key not in counts:
            checking.say(f"counts: there is no key {key}", "counts", key)
        elif number != counts[key]:
            checking.say(f"counts: {key} should be {number}, but the file has {counts[key]}", "counts", key)
