"""Everything that is wrong with a variant's files, each mistake with its line.

Works on the texts and does not stop at the first mistake; only a file that is not TOML at all hides the rest.
"""

import re
import tomllib

from judge.rules.checking.lines import Lines, Mistake
from judge.rules.checking.provinces import MapCheck
from judge.rules.checking.rules import RulesCheck


def mistakes(rules_text: str, provinces_text: str) -> list[Mistake]:
    """The mistakes in the texts of variant.toml and provinces.toml, by file and line."""
    found: list[Mistake] = []
    rules = _parse("variant.toml", rules_text, found)
    provinces = _parse("provinces.toml", provinces_text, found)
    if rules is None or provinces is None:
        return found
    board = MapCheck(provinces, Lines("provinces.toml", provinces_text, found))
    board.check()
    RulesCheck(rules, board, Lines("variant.toml", rules_text, found)).check()
    return sorted(set(found))


def _parse(file: str, text: str, found: list[Mistake]) -> dict | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        at = int(line.group(1)) if line else text.count("\n") + 1
        found.append(Mistake(file, at, f"not TOML: {str(error).partition(' (at')[0]}"))
        return None
