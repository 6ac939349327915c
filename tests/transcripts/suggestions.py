"""What the judge's replies suggest, and whether it is taken: each suggested line is sent back in the same state."""

import re
from collections.abc import Iterator, Sequence

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import flat

# A line that was refused, and why.
_REMARK = re.compile(r"^> (.+)\n((?:  .+\n?)+)", re.MULTILINE)
_WRITE = re.compile(r"\bWrite ((?:[A-Z]+ |[A-Z]{2,}\b)[^.;<|…]*)\.")
_LEGAL = re.compile(r"\bLegal: ([AF] \S+) - ([^.]+)\.")
_MEANT = re.compile(r"\bDid you mean ([^?]+)\?")
_PROVINCE = re.compile(r"\((\w+)\)")
_NO_PROVINCE = re.compile(r'"(.+?)" is not a province')
_HEADS = ("SIGNON", "BECOME", "PHASE", "WHATIF", "LOGIN")


def remarks(text: str) -> list[tuple[str, str]]:
    """(a line of the letter, what the reply says about it) of each line that has a remark."""
    return [(line, flat(why)) for line, why in _REMARK.findall(text)]


def suggested(line: str, why: str) -> Iterator[str]:
    """Yield the lines that a remark suggests in place of that line."""
    for lines in _WRITE.findall(why):
        yield from re.split(r", | or ", lines)
    for unit, places in _LEGAL.findall(why):
        yield from (f"{unit} - {place}" for place in re.split(r", | or ", places))
    word = _NO_PROVINCE.search(why)
    for meant in _MEANT.findall(why):
        provinces = _PROVINCE.findall(meant)
        if word and provinces:
            yield from (line.replace(word[1], province) for province in provinces)
        elif re.match("[AF] ", meant):
            yield from re.split(r", | or ", meant)


def refused(desk: DeskAtWork, sender: str, text: str, replies: Sequence[Posted], headers: dict[str, str]) -> list[str]:
    """The lines that the replies to a letter suggest, and that the judge would not take from the same sender."""
    found: list[str] = []
    for mail in replies:
        for line, why in remarks(mail.text) if mail.answers else ():
            above = text.partition(line)[0].splitlines() if line in text else text.splitlines()
            heads = [one for one in above if one.strip().upper().startswith(_HEADS)]
            end = "\nENDWHATIF" * any(one.upper().startswith("WHATIF") for one in heads)
            for other in suggested(line, why):
                message = "\nHello\nENDPRESS" * other.startswith("PRESS")
                letter = "\n".join([*heads, other]) + message + end
                again = [one.text for one in desk.would_write(sender, letter, headers=headers) if one.answers]
                found += [f"{line}: {other}: {told}" for reply in again for told in _refusals(reply, other)]
    return found


def _refusals(reply: str, line: str) -> list[str]:
    return [why for said, why in remarks(reply) if said == line and ("left out" in why or not why.startswith("note:"))]
