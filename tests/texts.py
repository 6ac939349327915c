"""Tables in texts ("what is written => what comes of it"), and looking for what must be there."""

import re


def flat(text: str) -> str:
    """The text as one line, however it is wrapped."""
    return " ".join(text.split())


def listed(text: str) -> list[str]:
    """The lines of a text in which each stands for itself."""
    return [line.strip() for line in text.strip().splitlines()]


def table(text: str) -> list[tuple[str, ...]]:
    """The rows of "what is written => what comes of it", of two columns or more; " / " begins a new line in a cell.

    A line that begins with "# " is a comment.
    """
    rows = (line for line in listed(text) if not line.startswith("# "))
    return [tuple(cell.strip().replace(" / ", "\n") for cell in row.split("=>")) for row in rows]


def mapped(text: str) -> dict[str, str]:
    """The rows of a table of two columns, {what is written: what comes of it}."""
    return {written: told for written, told, *_ in table(text)}


def searched(pattern: str, text: str) -> re.Match[str]:
    """Where the pattern first matches; AssertionError with the text when it matches nowhere."""
    found = re.search(pattern, text)
    assert found, f"no {pattern} in:\n{text}"
    return found
