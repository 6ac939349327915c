"""A variant read from its folder of TOML files, and everything that is wrong with these, each mistake with its line.

`variants/<name>/variant.toml` holds the title, the start, the powers and the rules; `provinces.toml` holds the map, one
table for each province, with each border listed at both of its ends. Both are read and checked in one go, which does
not stop at the first mistake; only in a file that is not TOML at all are further mistakes not found. A mistake that
leaves the rules complete, such as a wrong total, does not keep a game from the variant that it began with.
"""

from pathlib import Path

from judge.rules.board.phase import PhaseError, split_phase
from judge.rules.variant.variant import MECHANISMS, Variant, read_rulings
from judge.rules.variant_files.checking import Mistake, RulesFile, VariantFile, power_of, read_powers
from judge.rules.variant_files.provinces import read_provinces

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
    """Return the variant whose files hold these texts, by its name or the name of its edition.

    Raises VariantError if too much is missing to play by them.
    """
    variant, found = read_texts(name, rules_text, provinces_text, text)
    if variant is None:
        raise VariantError(f"{name}: {found[0]}. `judge variants check` lists every mistake.")
    return variant


def mistakes(rules_text: str, provinces_text: str) -> list[Mistake]:
    """Return the mistakes in the texts of variant.toml and provinces.toml, by file and line."""
    return read_texts("", rules_text, provinces_text)[1]


def read_texts(
    name: str, rules_text: str, provinces_text: str, text: str = ""
) -> tuple[Variant | None, list[Mistake]]:
    """Return (the variant of these texts, every mistake in them by file and line); None if too much is missing."""
    found: list[Mistake] = []
    board, rules = VariantFile("provinces.toml", provinces_text, found), RulesFile(rules_text, found)
    if found:
        return None, found  # one of them is not TOML
    rules.provinces = read_provinces(board)
    _check_head(rules)
    read_powers(rules)
    mechanisms = [one.read(rules) for one in MECHANISMS]
    rulings = read_rulings(rules, rules.listed("rulings", ", [[rulings]]"))
    _check_counts(rules)
    file, variant = rules.tables, None
    try:
        variant = Variant(
            name=name.partition("@")[0],
            edition=name,
            title=file["title"],
            start=file["start"],
            powers=tuple(power_of(word, values) for word, values in rules.powers.items()),
            provinces=rules.provinces,
            mechanisms=tuple(one for one in mechanisms if one is not None),
            sources=file.get("sources", ""),
            special=" ".join(file.get("special", "").split()),
            text=text,
            rulings=rulings,
        ).grouped({})
    except (KeyError, TypeError, AttributeError):
        assert found, "what is missing has been noted"
    return variant if mechanisms[0] else None, sorted(set(found))


def _check_head(rules: RulesFile) -> None:
    """Check what belongs to no table, and that each table is known."""
    file, say = rules.tables, rules.say
    for key in sorted(file.keys() - KEYS):
        say(f"there is no table {key}", key) if isinstance(file[key], dict) else say(f"there is no key {key}", "", key)
    title = file.get("title")
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


def _check_counts(rules: RulesFile) -> None:
    """Check the totals that the file states."""
    provinces = rules.provinces.values()
    there = {
        "provinces": sum(one.kind != "impassable" for one in provinces),
        "centers": sum(one.center for one in provinces),
        "army_borders": len({frozenset((one.abbr, other)) for one in provinces for other in one.army}),
        "fleet_borders": len(
            {
                frozenset((f"{one.abbr}/{coast}" if coast else one.abbr, other))
                for one in provinces
                for coast, near in one.fleet.items()
                for other in near
            }
        ),
        "powers": len(rules.powers),
        "units": sum(len(values["units"]) for values in rules.powers.values()),
    }
    for key, number in (rules.table("counts") or {}).items():
        if key not in there:
            rules.say(f"counts: there is no key {key}", "counts", key)
        elif number != there[key]:
            rules.say(f"counts: {key} should be {number}, but the file has {there[key]}", "counts", key)
