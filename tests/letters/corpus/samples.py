"""The corpus: a letter each in tests/data/letters, and what must be understood of them in one file there."""

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "data" / "letters"
FILED = ("A MAR S A PAR - BUR", "A PAR - BUR", "F BRE - MAO")


@dataclass(frozen=True)
class Sample:
    """A letter and what must be understood of it.

    program: the mail program and what it was doing. orders: all orders of France on file after it. press: what Turkey
    reads. strays: the lines that the reply calls no order. says: what the reply says besides. silent: a machine wrote
    it, and nobody gets an answer.
    """

    name: str
    program: str
    raw: bytes
    orders: tuple[str, ...] = FILED
    press: str = ""
    strays: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    silent: bool = False


def kept() -> list[Sample]:
    """The letters of the folder, in the order of what is expected of them."""
    return [_sample(name, facts) for name, facts in json.loads((FOLDER / "expected.json").read_text()).items()]


def _sample(name: str, facts: dict[str, object]) -> Sample:
    told = {key: tuple(value) if isinstance(value, list) else value for key, value in facts.items()}
    return Sample(name=name, raw=(FOLDER / f"{name}.eml").read_bytes(), **told)  # type: ignore[arg-type]
