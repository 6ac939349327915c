"""What is wrong with the groups of a variant, with what is drawn for them, with sponsors and with canals."""

import re
from typing import TYPE_CHECKING

from judge.rules.board.names import fold
from judge.rules.checking.lines import words_of

if TYPE_CHECKING:
    from judge.rules.checking.rules import RulesCheck

GROUP_KEYS = {"letter", "colour", "powers", "shades"}
DRAW_KEYS = {"powers", "groups", "but"}
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
FORBIDDEN_LETTERS = {"M": "the master", "O": "an observer"}
KINDS = {dict: "tables", str: "texts", int: "numbers"}


class GroupsCheck:
    """The tables groups, draws, sponsors and canals of variant.toml, against the powers and the map."""

    def __init__(self, rules: "RulesCheck"):
        self.rules = rules
        self.say = rules.lines.mistake
        self.groups = self._tables(rules.rules.get("groups", {}), "groups")
        self.placed: dict[str, str] = {}

    def check(self, neutrals: set[str]) -> None:
        """`neutrals`: the centers of the armed neutrals."""
        words = {fold(word): name for name, table in self.rules.powers.items() for word in _words(name, table)}
        for name, table in self.groups.items():
            self._check_group(name, table, words)
        draws = self.rules.rules.get("draws", [])
        if not isinstance(draws, list) or not all(isinstance(one, dict) for one in draws):
            self.say("draws must be tables: [[draws]]", "", "draws")
            draws = []
        for number, one in enumerate(draws, 1):
            self._check_draw(number, one)
        if self.groups:
            for power in self.rules.powers.keys() - self.placed.keys():
                self.say(f"{power} belongs to no group and is not drawn", f"powers.{power}")
        sponsored: dict[str, str] = {}
        for sponsor, centers in self._tables(self.rules.rules.get("sponsors", {}), "sponsors", str).items():
            self._check_sponsor(sponsor, centers, neutrals, sponsored)
        for name, opens in self._tables(self.rules.rules.get("canals", {}), "canals", int).items():
            if len(self.rules.board.coasts(name)) != 2:
                self.say(f"canals: {name} is not a province with two coasts", "canals", name)
            if not 0 < opens < 10_000:
                self.say(f"canals: {name} opens in a year, not in {opens}", "canals", name)

    def _tables(self, tables: object, where: str, kind: type = dict) -> dict:
        if not isinstance(tables, dict) or not all(type(entry) is kind for entry in tables.values()):
            self.say(f"{where} must be a table of {KINDS[kind]}", where)
            return {}
        return tables

    def _list(self, table: dict, key: str, whose: str, where: str) -> list[str]:
        names = table.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.say(f"{whose}: {key} must be a list of names", where, key)
            return []
        return names

    def _check_group(self, name: str, table: dict, words: dict[str, str]) -> None:
        where, letter = f"groups.{name}", str(table.get("letter", ""))
        for key in sorted(table.keys() - GROUP_KEYS):
            self.say(f"{name}: there is no key {key}", where, key)
        if not re.fullmatch(r"[A-Z]", letter):
            self.say(f"{name}: the letter must be one capital letter", where, "letter")
        if letter in FORBIDDEN_LETTERS:
            self.say(f"{name}: the letter {letter} means {FORBIDDEN_LETTERS[letter]}", where, "letter")
        for key, text in (("", name), ("letter", letter)):
            if text and fold(text) in words:
                self.say(f'{name}: "{text}" is {words[fold(text)]} already', where, key)
            words[fold(text)] = name
        shades = table.get("shades", {})
        colours = {"colour": table.get("colour", ""), **(shades if isinstance(shades, dict) else {"shades": ""})}
        for key, colour in colours.items():
            if not COLOUR.fullmatch(str(colour)):
                line = "colour" if key == "colour" else "shades"
                self.say(f"{name}: the colour {key} must be like #5a9bd4", where, line)
        for theatre in sorted(self.rules.theatres - set(colours)):
            self.say(f"{name}: there is no shade for {theatre}", where, "shades")
        for power in self._list(table, "powers", name, where):
            self._place(power, name, where)

    def _place(self, power: str, whose: str, where: str) -> None:
        if power not in self.rules.powers:
            self.say(f"{whose}: there is no power {power}", where, "powers")
        other = self.placed.setdefault(power, whose)
        if other != whose:
            self.say(f"{whose}: {power} belongs to {other} already", where, "powers")

    def _check_draw(self, number: int, one: dict) -> None:
        whose, where = f"draw {number}", f"draws.{number}"
        for key in sorted(one.keys() - DRAW_KEYS):
            self.say(f"{whose}: there is no key {key}", where, key)
        if one.get("but") and one["but"] not in self.placed:
            self.say(f"{whose}: {one['but']} is not placed by then", where, "but")
        powers, groups = (self._list(one, key, whose, where) for key in ("powers", "groups"))
        for power in powers:
            self._place(power, whose, where)
        for group in groups:
            if group not in self.groups:
                self.say(f"{whose}: there is no group {group}", where, "groups")
        if not powers or len(groups) - bool(one.get("but")) < len(powers):
            self.say(f"{whose}: it needs powers, and a group for each", where, "powers")

    def _check_sponsor(self, sponsor: str, centers: str, neutrals: set[str], sponsored: dict[str, str]) -> None:
        if sponsor not in self.groups and sponsor not in self.rules.powers:
            self.say(f"sponsors: there is no group or power {sponsor}", "sponsors", sponsor)
        for center in words_of(centers):
            if center not in neutrals:
                self.say(f"sponsors: {center} is not the center of a neutral", "sponsors", sponsor)
            other = sponsored.setdefault(center, sponsor)
            if other != sponsor:
                self.say(f"sponsors: {center} has {other} already", "sponsors", sponsor)


def _words(name: str, table: dict) -> list[str]:
    """What a power is called, its letters too."""
    aliases = table.get("aliases", [])
    named = [table.get("letter", ""), table.get("adjective", ""), *(aliases if isinstance(aliases, list) else [])]
    return [name, *filter(None, map(str, named))]
