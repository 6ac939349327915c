"""What is known of a letter of the corpus."""

from dataclasses import dataclass

from tests.letters.corpus.content import SAID

FILED = ("A MAR S A PAR - BUR", "A PAR - BUR", "F BRE - MAO")


@dataclass(frozen=True)
class Sample:
    """A letter and what must be understood of it.

    program: the mail program and what it was doing. orders: all orders of France on file after it. press: what Turkey
    reads. strays: the lines that the reply calls no order. says: what the reply says besides. silent: a machine wrote
    it, and nobody gets an answer. own: the lines that its author wrote, which no change elsewhere may lose.
    """

    name: str
    program: str
    raw: bytes
    orders: tuple[str, ...] = FILED
    press: str = ""
    strays: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    silent: bool = False


def ordering(name: str, program: str, raw: bytes, **more: object) -> Sample:
    """A letter with three orders."""
    return Sample(name, program, raw, **more)  # type: ignore[arg-type]


def pressing(name: str, program: str, raw: bytes, press: str = SAID, **more: object) -> Sample:
    """A letter with a message to Turkey, and no orders."""
    return Sample(name, program, raw, orders=(), press=press, **more)  # type: ignore[arg-type]


def silent(name: str, program: str, raw: bytes) -> Sample:
    """What a machine has written."""
    return Sample(name, program, raw, orders=(), silent=True)
