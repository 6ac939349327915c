"""What is wrong with variant.toml: the start, the powers, their units and colours, and the counts that it
states.
"""

import re
from itertools import combinations

from judge.rules.board.names import fold
from judge.rules.board.phase import PhaseError, split_phase
from judge.rules.checking.groups import COLOUR, FORBIDDEN_LETTERS, GroupsCheck
from judge.rules.checking.lines import Lines, words_of
from judge.rules.checking.provinces import MapCheck
from judge.rules.checking.terms import TERMS, TermsCheck
from judge.rules.mechanisms.emergency_measures import check_emergencies
from judge.rules.mechanisms.half_strength_borders import check_detours

RULES_KEYS = {
    *("title", "start", "sources", "victory", "counts", "powers", "build_sites", "detours", "emergency"),
    *("groups", "draws", "sponsors", "canals"),
    *TERMS,
}
POWER_KEYS = {"adjective", "letter", "colour", "theatre", "homes", "owns", "units", "aliases"}
COUNTS = {"provinces", "centers", "powers", "units", "army_borders", "fleet_borders"}
ALIKE = 60.0  # distance of two colours below which people take one for the other


class RulesCheck:
    """variant.toml, against the map."""

    def __init__(self, rules: dict, board: MapCheck, lines: Lines):
        self.rules = rules
        self.board = board
        self.lines = lines
        powers = rules.get("powers", {})
        self.powers: dict[str, dict] = powers if isinstance(powers, dict) else {}
        self.grouped = bool(rules.get("groups"))
        self.theatres = {table["theatre"] for table in self.powers.values() if "theatre" in table}
        self.units = 0
        self.standing: dict[str, str] = {}
        self.owned: dict[str, str] = {}

    def check(self) -> None:
        say = self.lines.mistake
        for key in sorted(self.rules.keys() - RULES_KEYS):
            say(f"there is no key {key}", "", key) if not isinstance(self.rules[key], dict) else say(
                f"there is no table {key}", key
            )
        if not isinstance(self.rules.get("title"), str):
            say("the title is missing", "", "title")
        self._check_start()
        if not self.powers:
            say("there are no powers")
        for name, table in self.powers.items():
            self._check_power(name, table)
        self._check_one_each()
        self._check_build_sites()
        self._check_colours()
        terms = TermsCheck(self)
        terms.check()
        GroupsCheck(self).check(terms.neutrals)
        self._check_numbers()
        check_detours(self.rules.get("detours"), self.board, self.lines)
        check_emergencies(self.rules.get("emergency", {}), self.powers, self.board, self.lines)

    def _check_start(self) -> None:
        try:
            good = split_phase(str(self.rules.get("start", "")))[2] == "M"
        except PhaseError:
            good = False
        if not good:
            self.lines.mistake("start must be a movement phase, like S1901M", "", "start")

    def _check_power(self, name: str, table: dict) -> None:
        where = f"powers.{name}"
        say = self.lines.mistake
        for key in sorted(table.keys() - POWER_KEYS):
            say(f"{name}: there is no key {key}", where, key)
        shaded = self.grouped and "colour" not in table
        for key in ("adjective", "letter", "theatre" if shaded else "colour", "homes", "units"):
            if not isinstance(table.get(key), str):
                say(f"{name}: {key} is missing", where, key)
        self._check_letter(name, where, str(table.get("letter", "")))
        if not shaded and not COLOUR.fullmatch(str(table.get("colour", ""))):
            say(f"{name}: the colour must be like #5a9bd4", where, "colour")
        for key in ("homes", "owns"):
            for center in words_of(table.get(key)):
                if self.board.tables.get(center, {}).get("center") is not True:
                    say(f"{name}: {center} is not a supply center", where, key)
        for center in {*words_of(table.get("owns", table.get("homes")))}:
            if center in self.owned:
                say(
                    f"{center} is owned by {self.owned[center]} and {name}",
                    where,
                    "owns" if "owns" in table else "homes",
                )
            self.owned[center] = name
        for unit in str(table.get("units", "")).split(","):
            if unit.strip():
                self.units += 1
                self.check_unit(name, where, words_of(unit))

    def _check_letter(self, name: str, where: str, letter: str) -> None:
        """One letter for what somebody plays; a power of a group has two, for it is no seat."""
        if self.grouped:
            if not re.fullmatch(r"[A-Z]{2}", letter):
                self.lines.mistake(f"{name}: the letter of a power in a group is two capital letters", where, "letter")
            return
        if not re.fullmatch(r"[A-Z]", letter):
            self.lines.mistake(f"{name}: the letter must be one capital letter", where, "letter")
        if letter in FORBIDDEN_LETTERS:
            self.lines.mistake(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")

    def check_unit(self, name: str, where: str, unit: list[str]) -> None:
        """One unit of the power `name`, whose table is `where`."""
        text = " ".join(unit)
        say = self.lines.mistake
        if len(unit) != 2 or unit[0] not in ("A", "F"):
            say(f"{name}: {text} is not a unit like A PAR", where, "units")
            return
        province, _, coast = unit[1].partition("/")
        can = self.board.takes_armies(province) if unit[0] == "A" else self.board.kind(province) in ("sea", "coast")
        if province not in self.board.tables:
            say(f"{name}: there is no province {province}", where, "units")
        elif not can:
            say(f"{name}: {text}: {'no army' if unit[0] == 'A' else 'no fleet'} can be there", where, "units")
        elif unit[0] == "F" and self.board.coasts(province) and coast not in self.board.coasts(province):
            say(f"{name}: {text}: which coast?", where, "units")
        if province in self.standing:
            say(f"{province} holds a unit of {self.standing[province]} and one of {name}", where, "units")
        self.standing[province] = name

    def _check_one_each(self) -> None:
        seen: dict[str, str] = {}
        for name, table in self.powers.items():
            aliases = table.get("aliases", [])
            if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
                self.lines.mistake(f"{name}: aliases must be a list of words", f"powers.{name}", "aliases")
                aliases = []
            words = [(key, str(table.get(key, ""))) for key in ("letter", "adjective")]
            for key, text in [*words, ("", name), *(("aliases", alias) for alias in aliases)]:
                word = fold(text)
                other = seen.setdefault(word, name)
                if word and other != name:
                    self.lines.mistake(f'{name}: "{word}" is {other} already', f"powers.{name}", key)

    def _check_build_sites(self) -> None:
        table = self.rules.get("build_sites", {})
        special = table.get("special", {}) if isinstance(table, dict) else None
        if not isinstance(special, dict):
            self.lines.mistake("build_sites must be a table with colonies and a table special", "build_sites")
            return
        say = self.lines.mistake
        for key in sorted(table.keys() - {"colonies", "special"}):
            say(f"build_sites: there is no key {key}", "build_sites", key)
        for power in sorted(special.keys() - self.powers.keys()):
            say(f"build_sites: there is no power {power}", "build_sites.special", power)
        named = [("build_sites", "colonies", table.get("colonies", ""))]
        named += [("build_sites.special", power, centers) for power, centers in special.items()]
        for where, key, centers in named:
            if not isinstance(centers, str):
                say(f"build_sites: {key} must be a text of names", where, key)
            for center in words_of(centers):
                if self.board.tables.get(center, {}).get("center") is not True:
                    say(f"build_sites: {center} is not a supply center", where, key)

    def _check_colours(self) -> None:
        groups = self.rules.get("groups", {})
        known = {
            name: table["colour"]
            for name, table in (groups if self.grouped and isinstance(groups, dict) else self.powers).items()
            if isinstance(table, dict) and COLOUR.fullmatch(str(table.get("colour", "")))
        }
        for (name, colour), (other, another) in combinations(known.items(), 2):
            if colour_distance(colour, another) < ALIKE:
                self.lines.mistake(
                    f"{other}: its colour cannot be told from that of {name}",
                    f"{'groups' if self.grouped else 'powers'}.{other}",
                    "colour",
                )

    def _check_numbers(self) -> None:
        counts = self.board.counts() | {"powers": len(self.powers), "units": self.units}
        victory = self.rules.get("victory", {})
        centers = victory.get("centers") if isinstance(victory, dict) else None
        if not isinstance(centers, int) or not 0 < centers <= counts["centers"]:
            self.lines.mistake(f"victory needs from 1 to {counts['centers']} centers", "victory", "centers")
        stated = self.rules.get("counts", {})
        for key, number in stated.items() if isinstance(stated, dict) else ():
            if key not in COUNTS:
                self.lines.mistake(f"counts: there is no key {key}", "counts", key)
            elif number != counts[key]:
                self.lines.mistake(f"counts: {key} is said to be {number}, the file has {counts[key]}", "counts", key)


def colour_distance(one: str, other: str) -> float:
    """How far two colours (#rrggbb) are apart for the eye, 0 to 765: RGB, weighted by the mean red ("redmean")."""
    first, second = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other))
    red, green, blue = (a - b for a, b in zip(first, second, strict=True))
    mean = (first[0] + second[0]) / 2
    return ((2 + mean / 256) * red**2 + 4 * green**2 + (2 + (255 - mean) / 256) * blue**2) ** 0.5
