"""Checking variant.toml against the map: the information that each check can use, and the place where it notes a
mistake.
"""

from collections.abc import Collection

from judge.rules.variant_files.lines import Lines, Table, pair_of, words_of
from judge.rules.variant_files.provinces import ProvincesCheck

# The kinds of value that the entries of a table may have to be, in words.
KINDS = {dict: "tables", str: "texts", int: "numbers"}


class Checking:
    """The check of one variant.toml. It fills `neutrals` with the centers of armed neutrals, `owned` with the owner
    of each center at the start, and `standing` with the owner of the unit in each province.
    """

    def __init__(self, file: Table, board: ProvincesCheck, lines: Lines):
        self.file = file
        self.board = board
        self.say = lines.mistake
        powers = file.get("powers", {})
        self.powers: dict[str, Table] = powers if isinstance(powers, dict) else {}
        self.grouped = bool(file.get("groups"))
        self.theatres = {table["theatre"] for table in self.powers.values() if "theatre" in table}
        self.units = 0
        self.standing: dict[str, str] = {}
        self.owned: dict[str, str] = {}
        self.neutrals: set[str] = set()

    # --- shapes -----------------------------------------------------------------------------------------------

    def table(self, name: str, keys: Collection[str] | None = None) -> Table | None:
        """The table of that name, None if there is none or it is not a table; `keys` are the keys that it may have."""
        table = self.file.get(name)
        if table is None:
            return None
        if not isinstance(table, dict):
            self.say(f"{name} must be a table", "", name)
            return None
        if keys is not None:
            self.keys(table, keys, name, name)
        return table

    def keys(self, table: Table, keys: Collection[str], whose: str, where: str) -> None:
        """Notes each key that the table may not have."""
        for key in sorted(table.keys() - set(keys)):
            self.say(f"{whose}: there is no key {key}", where, key)

    def tables_of(self, name: str, kind: type = dict) -> Table:
        """The table of that name, whose entries are all of one kind; empty if they are not."""
        table = self.file.get(name, {})
        if not isinstance(table, dict) or not all(type(entry) is kind for entry in table.values()):
            self.say(f"{name} must be a table of {KINDS[kind]}", name)
            return {}
        return table

    def names(self, table: Table, key: str, whose: str, where: str) -> list[str]:
        """The list of names under a key; empty if it is not a list of names."""
        names = table.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            self.say(f"{whose}: {key} must be a list of names", where, key)
            return []
        return names

    def flag(self, table: Table, name: str, key: str) -> None:
        if not isinstance(table.get(key, False), bool):
            self.say(f"{name}: {key} must be true or false", name, key)

    def line(self, table: Table, name: str, key: str) -> None:
        """Notes a value that is no text, or no line of one that can stand in a mail."""
        text = table.get(key, "")
        if not isinstance(text, str) or not text.isprintable():
            self.say(f"{name}: {key} must be a line of text", name, key)

    # --- what is named ----------------------------------------------------------------------------------------

    def known_powers(self, names: object, table: str, key: str) -> None:
        for name in names if isinstance(names, list) else [names]:
            if name not in self.powers:
                self.say(f"{table}: there is no power {name}", table, key or str(name))

    def known_neutrals(self, centers: object, table: str, key: str) -> None:
        """Checks a text that lists centers of armed neutrals."""
        if not isinstance(centers, str):
            self.say(f"{table}: {key} must be a text of centers", table, key)
        for center in words_of(centers):
            if center not in self.neutrals:
                self.say(f"{table}: {center} is not the center of a neutral", table, key)

    def center(self, center: str, whose: str, where: str, key: str) -> None:
        if self.board.tables.get(center, {}).get("center") is not True:
            self.say(f"{whose}: {center} is not a supply center", where, key)

    def borders(self, table: Table, name: str) -> None:
        """Checks the text of a table that lists borders."""
        pairs = words_of(table.get("borders"))
        if not pairs:
            self.say(f"{name}: borders is missing", name, "borders")
        self.once(pairs, name, "borders")
        for pair in pairs:
            one, other = pair_of(pair)
            if one not in self.board.tables or other not in self.board.neighbours(one):
                self.say(f"{name}: {pair} is not a border like MID-EGY", name, "borders")

    def once(self, places: Collection[str], name: str, key: str) -> None:
        """Notes each province and each border, in either direction, that is there twice."""
        seen: set[frozenset[str]] = set()
        for place in places:
            ends = frozenset(place.split("-"))
            if ends in seen:
                self.say(f"{name}: {place} is there twice", name, key)
            seen.add(ends)

    def unit(self, name: str, where: str, unit: list[str]) -> None:
        """Checks one unit of the power `name`, whose table is `where`."""
        text = " ".join(unit)
        if len(unit) != 2 or unit[0] not in ("A", "F"):
            self.say(f"{name}: {text} is not a unit like A PAR", where, "units")
            return
        province, _, coast = unit[1].partition("/")
        board = self.board
        can = board.takes_armies(province) if unit[0] == "A" else board.kind(province) in ("sea", "coast")
        if province not in board.tables:
            self.say(f"{name}: there is no province {province}", where, "units")
        elif not can:
            self.say(f"{name}: {text}: {'no army' if unit[0] == 'A' else 'no fleet'} can be there", where, "units")
        elif unit[0] == "F" and board.coasts(province) and coast not in board.coasts(province):
            self.say(f"{name}: {text}: which coast?", where, "units")
        elif "/" in unit[1] and (unit[0] == "A" or not board.coasts(province)):
            self.say(f"{name}: {text}: it stands on no coast", where, "units")
        if province in self.standing:
            self.say(f"{province} holds a unit of {self.standing[province]} and one of {name}", where, "units")
        self.standing[province] = name
