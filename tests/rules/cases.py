"""Reads tests/data/datc: cases as text, one paragraph each, into what the engine takes and what it must answer."""

from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data" / "datc"


@dataclass
class Case:
    number: str
    subject: str
    facts: dict[str, str] = field(default_factory=dict)
    orders: list[tuple[str, str, list[str]]] = field(default_factory=list)  # power, order, results

    @property
    def phase(self) -> str:
        return self.facts.get("phase", "F1901M")

    def line(self) -> dict:
        """The case as an in-line of `judge adjudicate`."""
        orders: dict[str, list[str]] = {}
        for power, order, _ in self.orders:
            orders.setdefault(power, []).append(order)
        return {
            "variant": "standard",
            "phase": self.phase,
            "units": by_power(self.facts["units"]),
            "centers": by_power(self.facts.get("centers", "nothing")),
            "dislodged": {
                power: [
                    {"unit": one["unit"], "from": one["from"], "by_convoy": one["by_convoy"]} for one in dislodged
                ]
                for power, dislodged in beaten(self.facts.get("dislodged", "")).items()
            },
            "contested": self.facts.get("contested", "").split(),
            "orders": orders,
        }


def read_cases() -> list[Case]:
    return [case for path in sorted(DATA.glob("*.txt")) for case in _cases(path.read_text(encoding="utf-8"))]


def _cases(text: str) -> list[Case]:
    cases = []
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line and not line.startswith("#")]
        if lines:
            number, _, subject = lines[0].partition("  ")
            cases.append(Case(number, subject))
            for line in lines[1:]:
                _read_line(cases[-1], line.strip())
    return cases


def _read_line(case: Case, line: str) -> None:
    word, _, rest = line.partition(" ")
    if word.endswith(":"):
        order, _, results = rest.strip().partition(" => ")
        case.orders.append((word[:-1], order, results.split(", ")))
    else:
        case.facts[word] = rest.strip()


def by_power(text: str) -> dict[str, list[str]]:
    """{"France": ["A PAR", "F BRE"]} of "France: A PAR, F BRE"."""
    if text == "nothing":
        return {}
    return {
        power: places.split(", ") for power, _, places in (part.partition(": ") for part in text.split("; "))
    }


def beaten(text: str) -> dict[str, list[dict]]:
    """The dislodged units of "France A PAR from BUR by convoy to GAS PIC; …"."""
    found: dict[str, list[dict]] = {}
    for part in filter(None, text.split("; ")):
        power, kind, place, _, source, *rest = part.split()
        by_convoy = rest[:2] == ["by", "convoy"]
        retreats = [name for name in rest[3 if by_convoy else 1 :] if name != "nowhere"]
        one = {"unit": f"{kind} {place}", "from": source, "by_convoy": by_convoy, "retreats": retreats}
        found.setdefault(power, []).append(one)
    return {power: sorted(dislodged, key=lambda one: one["unit"]) for power, dislodged in found.items()}
