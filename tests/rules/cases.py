"""Reads tests/data/datc and tests/data/positions, cases as text, and checks what `judge adjudicate` answers to them.

The first lines of each file say how a case is written.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge.rules import Need, income, needs, position_from_json
from judge.rules.json_lines import answer, variant_of_line
from judge.rules.phases.retreats_and_winters import build_sites
from judge.rules.variant.registry import load_variant

DATA = Path(__file__).resolve().parents[1] / "data"
# An order (or a bid, or what a neutral did for bids) and what it must come to.
RESULT = re.compile(r"(.+?)( obeys| bids \d+)?: +(.+?) => (.+)")
BEATEN = re.compile(r"(.+?) ([AF] \S+) from (\S+?)( by convoy)?(?: to (.+))?")


@dataclass
class Case:
    number: str
    subject: str
    variant: str
    facts: dict[str, str] = field(default_factory=dict)
    orders: list[tuple[str, str, str]] = field(default_factory=list)  # power, order, results
    obeyed: list[tuple[str, str, str]] = field(default_factory=list)  # the same of what bids or the master gave
    bids: list[tuple[str, int, str, str]] = field(default_factory=list)  # bidder, points, order, what became of it

    @property
    def phase(self) -> str:
        return self.facts.get("phase", "F1901M")

    def line(self) -> dict[str, Any]:
        """The case as an in-line of `judge adjudicate`."""
        line: dict[str, Any] = {"variant": self.variant, "phase": self.phase, "orders": {}, "bids": {}}
        for key in ("units", "centers", "homes", "groups"):
            text = self.facts.get(key, "nothing")
            if text != "start":
                line[key] = by_power(text, self.variant)
        line["dislodged"] = {
            power: [{key: one[key] for key in ("unit", "from", "by_convoy")} for one in units]
            for power, units in beaten(self.facts.get("dislodged", "")).items()
        }
        line["contested"] = self.facts.get("contested", "").split()
        settings, neutrals = (map(str.split, listed(self.facts.get(key))) for key in ("settings", "neutrals"))
        line |= {"settings": {key: int(value) for key, value in settings}, "neutrals": dict(neutrals)}
        for power, order, _ in self.orders:
            line["orders"].setdefault(power, []).append(order)
        for bidder, points, order, _ in self.bids:
            line["bids"].setdefault(bidder, []).append({"points": points, "order": order})
        return line

    def assert_outcome(self) -> None:
        """Assert that `judge adjudicate` answers what the case says."""
        line = self.line()
        out = answer(line)
        given = out["orders"][: len(self.orders)]
        assert [(one["power"], come_to(one, told)) for one, (_, _, told) in zip(given, self.orders, strict=True)] == [
            (power, results) for power, _, results in self.orders
        ]
        obeyed = out["orders"][len(self.orders) :]
        assert [(one["power"], one["order"], come_to(one)) for one in obeyed] == self.obeyed
        assert [(one["power"], one["points"], fate(one)) for one in out.get("bids", [])] == [
            (bidder, points, told) for bidder, points, _, told in self.bids
        ]
        assert ordered(out["units"]) == self.units_after(line)
        if self.phase.endswith("M"):
            assert out["dislodged"] == beaten(self.facts.get("beaten", ""))
            assert out["contested"] == self.facts.get("stand-off", "").split()
        for fact, told in self.facts.items():
            if fact in SAID:
                assert SAID[fact](out, told) == told, fact
        if self.facts.keys() & {"asks", "sites", "points"}:
            variant = variant_of_line(line).at(self.phase)
            position = position_from_json(variant, line)
            asked = [f"{power} {asking(need)}" for power, need in needs(variant, position).items()]
            assert self.facts.get("asks") in (None, "; ".join(asked) or "nobody")
            for power, sites in by_power(self.facts.get("sites", "nothing")).items():
                assert list(build_sites(variant, position, power)) == sites
            for power, points in by_power(self.facts.get("points", "nothing")).items():
                assert [str(income(variant, position, power))] == points

    def units_after(self, line: dict[str, Any]) -> dict[str, list[str]]:
        if "after" in self.facts:
            return ordered(by_power(self.facts["after"], self.variant))
        start = {power.name: [unit.text for unit in power.units] for power in load_variant(self.variant).powers}
        before = line["units"] if "units" in line else start | by_power("Neutral: all", self.variant)
        changed = by_power(self.facts.get("changed", "nothing"), self.variant)
        return {power: units for power, units in ordered(before | changed).items() if units}


def come_to(one: dict[str, Any], told: str = ": ") -> str:
    """What an order came to: "void: Paris is occupied."; without the reason where the case says none."""
    return ", ".join(one["results"]) + (f": {one['why']}" if one.get("why") and ": " in told else "")


def fate(one: dict[str, Any]) -> str:
    """What became of a bid: "2 won", "0 lost: A bid needs one point or more."."""
    return f"{one['value']} {'won' if one['won'] else 'lost'}" + (f": {one['why']}" if one["why"] else "")


def in_words(centers: dict[str, list[str]], powers: Iterable[str]) -> str:
    """The centers of these powers."""
    return "; ".join(f"{power}: {', '.join(centers.get(power, ['nothing']))}" for power in powers) or "nothing"


# What a case may say beside units and results, and where the answer says it.
SAID: dict[str, Callable[[dict[str, Any], str], str]] = {
    "owned": lambda out, told: in_words(out["centers"], by_power(told)),
    "named": lambda out, told: in_words(out["homes"], out["homes"]),
    "adjust": lambda out, told: ", ".join(f"{power} {due}" for power, due in out.get("adjust", {}).items()) or "nobody",
    "next": lambda out, told: out["next"] or "nothing",
    "winner": lambda out, told: out["winner"] or "nobody",
    "draw": lambda out, told: ", ".join(out.get("draw", [])) or "nobody",
}


def asking(need: Need) -> str:
    """What is asked of a power, in words."""
    said = [f"builds {need.builds} at {' '.join(need.sites) or 'nothing'}"] if need.builds > 0 else []
    if need.builds < 0:
        said.append(f"removes {-need.builds} of {', '.join(map(str, need.units))}")
    elif need.units and not need.retreats:
        said.append(f"orders {', '.join(map(str, need.units))}")
    said += [f"{unit} to {' '.join(places)}" for unit, places in need.retreats.items()]
    chosen = {"names": need.homes, "claims": need.claims}
    return ", ".join([*said, *(f"{word} {' '.join(places)}" for word, places in chosen.items() if places)])


def read_cases(folder: str) -> list[Case]:
    """All cases of the files in a folder of tests/data; but for DATC, a file bears the name of its variant."""
    files = sorted((DATA / folder).glob("*.txt"))
    return [case for path in files for case in _cases(path.read_text(encoding="utf-8"), path.stem)]


def _cases(text: str, name: str) -> Iterable[Case]:
    variant = "standard" if name.startswith("6") or name == "others" else name
    words: dict[str, str] = {}  # what the paragraph "where" calls by one word
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if lines and lines[0] == "where":
            words = {word: said.strip() for word, _, said in (line.strip().partition(" ") for line in lines[1:])}
        elif lines:
            number, _, subject = lines[0].partition("  ")
            case = Case(number, subject, variant)
            for line in lines[1:]:
                _read_line(case, line.strip(), words)
            yield case


def _read_line(case: Case, line: str, words: dict[str, str]) -> None:
    if found := RESULT.fullmatch(line):
        power, how, order, results = found.groups()
        if not how:
            case.orders.append((power, order, results))
        elif how == " obeys":
            case.obeyed.append((power, order, results))
        else:
            case.bids.append((power, int(how.split()[1]), order, results))
    else:
        word, _, rest = line.partition(" ")
        case.facts[word] = words.get(rest.strip(), rest.strip())


def listed(text: str | None) -> list[str]:
    return text.split(", ") if text else []


def by_power(text: str, variant: str = "") -> dict[str, list[str]]:
    """{"France": ["A PAR", "F BRE"]} of "France: A PAR, F BRE"; neutrals may be "all" or "all but PAR BRE"."""
    found: dict[str, list[str]] = {}
    for part in text.split("; ") if text != "nothing" else ():
        power, _, places = part.partition(": ")
        found[power] = listed(places) if places != "nothing" else []
        if places.startswith("all"):
            gone = places.split()[2:]
            found[power] = [unit.text for unit in load_variant(variant).neutral_units if unit.province not in gone]
    return found


def ordered(units: dict[str, list[str]]) -> dict[str, list[str]]:
    return {power: sorted(own) for power, own in units.items()}


def beaten(text: str) -> dict[str, list[dict[str, Any]]]:
    """The dislodged units of "France A PAR from BUR by convoy to GAS PIC; …"."""
    found: dict[str, list[dict[str, Any]]] = {}
    for part in filter(None, text.split("; ")):
        match = BEATEN.fullmatch(part)
        assert match, part
        power, unit, source, by_convoy, places = match.groups()
        retreats = [name for name in (places or "").split() if name != "nowhere"]
        one = {"unit": unit, "from": source, "by_convoy": bool(by_convoy), "retreats": retreats}
        found.setdefault(power, []).append(one)
    return {power: sorted(dislodged, key=lambda one: one["unit"]) for power, dislodged in found.items()}
