"""Everything that is wrong with a variant's files, each mistake with its line.

The check works on the texts and does not stop at the first mistake; only in a file that is not TOML at all are further
mistakes not found.
"""

import re
import tomllib

from judge.rules.board.phase import PhaseError, split_phase
from judge.rules.mechanisms.all_mechanisms import MECHANISMS
from judge.rules.variant.rulings import check_rulings
from judge.rules.variant_files.checking import Checking
from judge.rules.variant_files.lines import Lines, Mistake, Table
from judge.rules.variant_files.powers import check_powers
from judge.rules.variant_files.provinces import ProvincesCheck

KEYS = {
    "title", "start", "sources", "special", "counts", "powers", "rulings",
    *(key for one in MECHANISMS for key in one.TABLES),
}  # fmt: skip
COUNTS = {"provinces", "centers", "powers", "units", "army_borders", "fleet_borders"}


def mistakes(rules_text: str, provinces_text: str) -> list[Mistake]:
    """The mistakes in the texts of variant.toml and provinces.toml, by file and line."""
    found: list[Mistake] = []
    rules = _parse("variant.toml", rules_text, found)
    provinces = _parse("provinces.toml", provinces_text, found)
    if rules is None or provinces is None:
        return found
    board = ProvincesCheck(provinces, Lines("provinces.toml", provinces_text, found))
    board.check()
    _check(Checking(rules, board, Lines("variant.toml", rules_text, found)))
    return sorted(set(found))


def _parse(file: str, text: str, found: list[Mistake]) -> Table | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        at = int(line.group(1)) if line else text.count("\n") + 1
        found.append(Mistake(file, at, f"not TOML: {str(error).partition(' (at')[0]}"))
        return None


def _check(checking: Checking) -> None:
    file, say = checking.file, checking.say
    for key in sorted(file.keys() - KEYS):
        say(f"there is no table {key}", key) if isinstance(file[key], dict) else say(f"there is no key {key}", "", key)
    if not isinstance(file.get("title"), str):
        say("the title is missing", "", "title")
    elif not file["title"].isprintable():
        say("the title has a sign that cannot be printed", "", "title")
    if not isinstance(file.get("special", ""), str):
        say("special must be a text", "", "special")
    try:
        good = split_phase(str(file.get("start", "")))[2] in "MA"
    except PhaseError:
        good = False
    if not good:
        say("start must be a movement phase or a winter, like S1901M or W1900A", "", "start")
    check_powers(checking)
    for one in MECHANISMS:
        one.check(checking)
    for name, table in checking.tables_of("readings").items():
        for key in sorted(table.keys() - KEYS - {"says"}):
            say(f"readings: there is no table {key} for {name}", f"readings.{name}", key)
    check_rulings(checking)
    _check_counts(checking)


def _check_counts(checking: Checking) -> None:
    """Checks the totals that the file states."""
    counts = checking.board.counts() | {"powers": len(checking.powers), "units": checking.units}
    stated = checking.file.get("counts", {})
    for key, number in stated.items() if isinstance(stated, dict) else ():
        if key not in COUNTS:
            checking.say(f"counts: there is no key {key}", "counts", key)
        elif number != counts[key]:
            checking.say(f"counts: {key} is said to be {number}, the file has {counts[key]}", "counts", key)
