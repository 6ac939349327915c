"""What the judge's replies suggest, and whether it is taken: each suggested line is sent back in the same state."""

import re
from collections.abc import Collection, Iterator, Sequence

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import flat

# A line that was refused, and why.
_REMARK = re.compile(r"^> (.+)\n((?:  .+\n?)+)", re.MULTILINE)
_WRITE = re.compile(r"\bWrite ((?:[A-Z]+ |[A-Z]{2,}\b|[A-Z][a-z]+: )[^.;<|…]*)\.")
_LEGAL = re.compile(r"\bLegal: ([AF] \S+) - ([^.]+)\.")
_MEANT = re.compile(r"\bDid you mean ([^?]+)\?")
_PROVINCE = re.compile(r"\((\w+)\)")
_NO_PROVINCE = re.compile(r'"([^"]+)" is not a province')
# A line of an IF block, of which the reply names the first one.
_INSIDE = re.compile(r'"([^"]+)": ')
_TOGETHER = ("IF ", "CORRECT ")
_HEADS = ("SIGNON", "BECOME", "PHASE", "WHATIF", "LOGIN")


def remarks(text: str) -> list[tuple[str, str]]:
    """(a line of the letter, what the reply says about it) of each line that has a remark."""
    return [(line, flat(why)) for line, why in _REMARK.findall(text)]


def suggested(line: str, why: str) -> Iterator[str]:
    """Yield the lines that a remark suggests in place of that line."""
    for lines in _WRITE.findall(why):
        # "France: A BUR (a unit)" is an example, for lines of which nothing could be read.
        yield from (one for one in re.split(r", | or ", lines.removesuffix(" first")) if not one.endswith(")"))
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
            inside = _INSIDE.match(why)
            wrong = inside[1] if inside and line.startswith("IF ") and inside[1] in text else line
            for other in suggested(wrong, why):
                tried = {other, line} if line.startswith("IF ") else {other}
                again = desk.would_write(sender, _instead(text, wrong, other), headers=headers)
                refusals = (one for answer in again if answer.answers for one in _refusals(answer.text, tried))
                found += [f"{line}: {other}: {told}" for told in refusals]
    return found


def _instead(text: str, line: str, other: str) -> str:
    """The letter with the other line: alone below what heads it, or in its place where lines are taken together."""
    above = text.partition(line)[0].splitlines() if line in text else text.splitlines()
    if any(one.strip().upper().startswith(_TOGETHER) for one in (line, *above)):
        return text.replace(line, other, 1)
    heads = [one for one in above if one.strip().upper().startswith(_HEADS)]
    end = "\nENDWHATIF" * any(one.upper().startswith("WHATIF") for one in heads)
    message = "\nHello\nENDPRESS" * other.startswith("PRESS")
    return "\n".join([*heads, other]) + message + end


def _refusals(reply: str, lines: Collection[str]) -> list[str]:
    return [why for said, why in remarks(reply) if said in lines and ("left out" in why or not why.startswith("note:"))]
