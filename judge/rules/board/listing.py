"""Several names in a row, as they stand in a sentence."""

from collections.abc import Iterable


def listed(words: Iterable[str], joint: str = "and") -> str:
    """ "one, two and three"."""
    *most, last = words
    return f"{', '.join(most)} {joint} {last}" if most else last
