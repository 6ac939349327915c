"""Names in a row, as a sentence has them."""

from collections.abc import Iterable


def listed(words: Iterable[str], joint: str = "and") -> str:
    """ "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
