"""What is wrong with the tables of variant.toml that add to the standard rules (`terms`)."""

from typing import TYPE_CHECKING

from judge.rules.checking.lines import words_of
from judge.rules.mechanisms.terms import VERBS

if TYPE_CHECKING:
    from judge.rules.checking.rules import RulesCheck

TERMS = {
    "neutrals": {"units", "orders", "civil_disorder"},
    "points": {
        *("income", "incomes", "per_center", "most", "per_neutral", "full", "vassal_bonus"),
        *("per_order", "sponsor_factor", "attack_voids", "revealed"),
    },
    "vassals": None,  # any power
    "religion": {"muslim_powers", "muslim_neutrals", "catholic_powers", "catholic_neutrals", "for_catholics_only"},
    "extra_home": {"powers", "by_building"},
}


class TermsCheck:
    """The tables of the terms, against the powers and the map."""

    def __init__(self, rules: "RulesCheck"):
        self.rules = rules
        self.say = rules.lines.mistake
        self.neutrals: set[str] = set()

    def check(self) -> None:
        for name, keys in TERMS.items():
            table = self.rules.rules.get(name)
            if table is None:
                continue
            if not isinstance(table, dict):
                self.say(f"{name} must be a table", "", name)
                continue
            for key in sorted(table.keys() - (keys or table.keys())):
                self.say(f"{name}: there is no key {key}", name, key)
            getattr(self, f"_check_{name}")(table)

    def _check_neutrals(self, table: dict) -> None:
        for text in str(table.get("units", "")).split(","):
            unit = words_of(text)
            if unit:
                self.rules.check_unit("Neutral", "neutrals", unit)
                center = unit[-1].partition("/")[0]
                self.neutrals.add(center)
                self._check_center(center, "neutrals", "units")
                if center in self.rules.owned:
                    self.say(f"{center} is owned by {self.rules.owned[center]} and neutral", "neutrals", "units")
        for verb in str(table.get("orders", "")).lower().split():
            if verb not in VERBS:
                self.say(f"neutrals: an order is one of {', '.join(VERBS)}, not {verb}", "neutrals", "orders")
        self._check_flag(table, "neutrals", "civil_disorder")

    def _check_points(self, table: dict) -> None:
        incomes = table.get("incomes", {})
        self._check_powers(list(incomes) if isinstance(incomes, dict) else incomes, "points", "incomes")
        amounts = [(key, amount) for key, amount in table.items() if key not in ("incomes", "attack_voids", "revealed")]
        self._check_flag(table, "points", "attack_voids")
        self._check_flag(table, "points", "revealed")
        amounts += [("incomes", amount) for amount in (incomes.values() if isinstance(incomes, dict) else ())]
        for key, amount in amounts:
            if type(amount) is not int or amount < 1:
                self.say(f"points: {key} must be a number, 1 or more", "points", key)
        if ("income" in table) == ("per_center" in table):
            self.say("points needs either income or per_center", "points")
        if ("most" in table) != ("per_center" in table):
            self.say("points: most belongs to per_center", "points", "most")
        if "full" in table and "per_neutral" not in table:
            self.say("points: full belongs to per_neutral", "points", "full")
        if not self.neutrals:
            self.say("points need neutrals", "points")

    def _check_vassals(self, table: dict) -> None:
        self._check_powers(list(table), "vassals", "")
        for power, centers in table.items():
            self._check_minors(centers, "vassals", power)

    def _check_religion(self, table: dict) -> None:
        for key in sorted(TERMS["religion"] or ()):
            if key not in table:
                self.say(f"religion: {key} is missing", "religion")
            elif key.endswith("powers"):
                self._check_powers(table[key], "religion", key)
            else:
                self._check_minors(table[key], "religion", key)

    def _check_extra_home(self, table: dict) -> None:
        self._check_powers(table.get("powers", []), "extra_home", "powers")
        self._check_flag(table, "extra_home", "by_building")

    def _check_flag(self, table: dict, name: str, key: str) -> None:
        if not isinstance(table.get(key, False), bool):
            self.say(f"{name}: {key} must be true or false", name, key)

    def _check_powers(self, names: object, table: str, key: str) -> None:
        for name in names if isinstance(names, list) else [names]:
            if name not in self.rules.powers:
                self.say(f"{table}: there is no power {name}", table, key or str(name))

    def _check_minors(self, centers: object, table: str, key: str) -> None:
        if not isinstance(centers, str):
            self.say(f"{table}: {key} must be a text of centers", table, key)
        for center in words_of(centers):
            if center not in self.neutrals:
                self.say(f"{table}: {center} is not the center of a neutral", table, key)

    def _check_center(self, center: str, table: str, key: str) -> None:
        if self.rules.board.tables.get(center, {}).get("center") is not True:
            self.say(f"{table}: {center} is not a supply center", table, key)
