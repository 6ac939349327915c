"""`judge adjudicate` as tests of the variants speak to it: one phase in, its answer out, in a few words."""

from judge.rules import Order, Position, Variant, check_order, load_variant, parse_order, position_from_json
from judge.rules.board.phase import kind
from judge.rules.json_lines import answer


class Board:
    """One variant. What a phase leaves out is empty here, not the variant's start."""

    def __init__(self, name: str):
        self.variant = load_variant(name)

    def play(self, phase: str, **table) -> dict:
        """The answer to a phase; an order or a bid of one power may be given as one text."""
        orders = {power: _list(texts) for power, texts in table.pop("orders", {}).items()}
        return answer({"variant": self.variant.name, "phase": phase, **EMPTY, **table, "orders": orders})

    def start(self, phase: str = "", **table) -> dict:
        """The answer to a phase that is played from the variant's start."""
        orders = {power: _list(texts) for power, texts in table.pop("orders", {}).items()}
        return answer({"variant": self.variant.name, "phase": phase or self.variant.start, **table, "orders": orders})

    def position(self, phase: str, **table):
        return position_from_json(self.variant, {"phase": phase, **EMPTY, **table})


EMPTY: dict = {"units": {}, "centers": {}}


def read_order(variant: Variant, position: Position, power: str, text: str) -> Order:
    """One order of the power in the position's phase; raises OrderError if it can never be carried out."""
    return check_order(variant, position, power, parse_order(variant, kind(position.phase), text))


def bid(points: int, order: str) -> dict:
    return {"points": points, "order": order}


def results(answered: dict) -> dict[str, list[str]]:
    """{order: its results}."""
    return {entry["order"]: entry["results"] for entry in answered["orders"]}


def neutral_orders(answered: dict) -> list[str]:
    """What the neutrals were ordered."""
    return [entry["order"] for entry in answered["orders"] if entry["power"] == "Neutral"]


def _list(texts: str | list[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else texts
