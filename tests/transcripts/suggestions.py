"""What the judge's mails suggest, and whether it is taken: each suggested line is sent back in the same state."""

import re
from collections.abc import Collection, Iterator, Sequence

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import flat

VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
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


# "send SET DEADLINE in 24H", "write BORDER ADD FLEET GAS - SPA/SC", "Write it like COAST SPLIT BRE: NC ENG; SC MAO".
_COMMAND = re.compile(
    r"\b(?:[Ww]rite|[Ss]end)(?: it like)? ([A-Z]{3,}(?: (?:[A-Z0-9?<-][\w<>?!:/@;,+-]*|in|\w+@[\w.]+|%s)(?!\w))*)"
)
_HEADER = re.compile(r"^:: Judge: .* Game: (\w+)", re.MULTILINE)
_INDENTED = re.compile(r"(?:^    \S.*\n?)+", re.MULTILINE)
_PASSWORD = re.compile(r"<(?:your )?password>")
# A name, or another line of the same letter, must be chosen first.
_CHOICES = ("REGISTER", "CREATE", "BECOME", "END", "SIGNOFF", "Name:", "Timezone:")


def asked_for(text: str) -> Iterator[str]:
    """Yield what a mail about a game asks its reader to send: lines, and forms as a whole."""
    game = _HEADER.search(text)
    if not game:
        return
    own = "\n".join(line for line in text.split("\n") if not line.startswith((">", "  |")))
    found = [line.rstrip(" -:;,") for line in re.findall(_COMMAND.pattern % game[1], flat(own))]
    for block in _INDENTED.findall(own):
        lines = [line.strip() for line in block.splitlines() if not line.rstrip().endswith("...")]
        found += ["\n".join(lines)] if "SIGNOFF" in lines else lines
    for line in found:
        filled = line.replace("<game>", game[1])
        if not (filled.startswith(_CHOICES) or "<" in _PASSWORD.sub("", filled)):
            yield filled


def not_taken(desk: DeskAtWork, mail: Posted, signons: Sequence[str], seen: set[str]) -> Iterator[str]:
    """Yield what a mail asks for and its reader cannot send, with one of their sign-ons or without; `seen` lines are
    left out, and grow.
    """
    for text in asked_for(mail.text):
        if text in seen:
            continue
        seen.add(text)
        name, game = mail.to.partition("@")[0], _HEADER.search(mail.text)
        assert game
        usual = f"SIGNON M{game[1]} gm" if name == "kim" else f"SIGNON {name}@{game[1]} pw{name}"
        if _PASSWORD.search(text):
            tries = [_PASSWORD.sub(signon.split()[-1], text) for signon in (*signons, usual)]
        else:
            tries = [text, *(f"{signon}\n{text}" for signon in (*signons, usual))]
        if not any(_is_taken(desk, mail.to, one, {*text.splitlines()}) for one in tries):
            yield f"{mail.subject} to {mail.to}: {text}"


def _is_taken(desk: DeskAtWork, sender: str, text: str, lines: Collection[str]) -> bool:
    # Whoever has chosen to play without a password gets forms without one.
    headers = VERIFIED if len(text.split("\n")[0].split()) == len(["SIGNON", "Fheron"]) else {}
    answers = [mail.text for mail in desk.would_write(sender, text, headers=headers) if mail.answers]
    return bool(answers) and not any(_refusals(answer, lines) for answer in answers)


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
