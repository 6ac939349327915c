"""Looking for what must be there in a text."""

import re


def searched(pattern: str, text: str) -> re.Match[str]:
    """Where the pattern first matches; AssertionError with the text when it matches nowhere."""
    found = re.search(pattern, text)
    assert found, f"no {pattern} in:\n{text}"
    return found
