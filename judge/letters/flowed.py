"""format=flowed (RFC 3676): lines that the sender's mail program wrapped are joined again to the original line."""

from collections.abc import Iterable

SIGNATURE = "-- "


def unflow(lines: Iterable[str], delsp: bool = False) -> list[str]:
    """The lines of the letter; quoted lines are returned as `> text`.

    A line that ends in a blank continues in the next line of the same quote depth (§4.1, §4.5); with `delsp` that blank
    is not part of the text (§4.2).
    """
    result: list[str] = []
    pending: list[str] = []
    pending_depth = 0
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        if text.startswith(" "):    # space-stuffing, §4.4
            text = text[1:]
        if pending and (depth != pending_depth or text == SIGNATURE):
            result.append(_quoted("".join(pending), pending_depth))
            pending = []
        pending_depth = depth
        if text.endswith(" ") and text != SIGNATURE:
            pending.append(text[:-1] if delsp else text)
        else:
            result.append(_quoted("".join([*pending, text]), depth))
            pending = []
    if pending:
        result.append(_quoted("".join(pending), pending_depth))
    return result


def _quoted(text: str, depth: int) -> str:
    return ">" * depth + " " + text if depth else text
