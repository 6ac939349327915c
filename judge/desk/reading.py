"""The lines of a letter cut into blocks: commands and other lines, each block opened by a sign-on or by none.

Before the first sign-on and between blocks unknown lines are skipped in silence (greetings, signatures); inside
a block every line that is no command may be an order. After SIGNOFF only another sign-on is heard.

A line is matched with single blanks, and only up to a length that no command reaches: whatever somebody writes, the
time that a letter takes grows with its size and no faster.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.desk.visit import Call, Command
from judge.letters import Line
from judge.rules.notation import LONGEST_LINE

# `//` and what follows, at the beginning of a line or behind a blank, so that an address of a web page is none.
_COMMENT = re.compile(r"(^|\s)//.*")
# The words that a line begins with, of the many settings two: they say which few commands it can be.
_FIRST_WORD = re.compile(r"(?:SET\s+)?[^\W\d_]*", re.IGNORECASE)
# More settings than there are to set are no list of them.
_MOST_SETTINGS = 50


@dataclass
class Block:
    """A sign-on (None: the lobby) and what stands below it: commands and plain lines, in order."""

    opening: Call | None
    items: list[Call | str] = field(default_factory=list)


class Reader:
    """Recognises the commands of `table` in lines."""

    def __init__(self, table: Iterable[Command]):
        # By first word: most lines are orders, and begin like no command.
        self._forms: dict[str, list[tuple[re.Pattern[str], Command, bool]]] = {}
        for command in table:
            for name in command.names:
                form = (_compile(name, command.pattern), command, name in command.prose)
                self._forms.setdefault(_first_word(name), []).append(form)

    def blocks(self, lines: Sequence[Line]) -> list[Block]:
        """The blocks of a letter; the first is the lobby, often empty. Quotes and signatures are not read."""
        blocks = [Block(None)]
        heard: tuple[str, ...] = ("opening", "lobby", "anywhere")
        position = 0
        while position < len(lines):
            line, kind = _without_comment(lines[position].text), lines[position].kind
            position += 1
            if kind != "text" or not line:
                continue
            if settings := self._settings(line, heard):
                blocks[-1].items += settings
                continue
            call = self.command(line, heard)
            if call is None:
                if "game" in heard:
                    blocks[-1].items.append(line)
                continue
            if call.command.body:
                take = {"press": self._press, "lines": self._lines, "form": _form}[call.command.body]
                body, position = take(lines, position)
                call = Call(call.command, call.arguments, call.line, body)
            if call.command.place == "opening":
                blocks.append(Block(call))
                heard = ("opening", "game", "anywhere")
            elif call.command.place == "end":
                heard = ("opening",)
            else:
                blocks[-1].items.append(call)
        return blocks

    def _settings(self, line: str, heard: Sequence[str]) -> list[Call]:
        """The commands of a line with several settings, `SET GREY, GRACE 24, NMR`; none where it is not such a line.

        A comma may also stand inside of one setting: SET DRAW France, Italy. A comment goes on to the end.
        """
        word, _, rest = line.partition(" ")
        if word.upper() != "SET" or "," not in rest or "game" not in heard:
            return []
        if len(line) > LONGEST_LINE:
            return []
        first, *others = rest.split(",", _MOST_SETTINGS)
        parts = [first]
        for number, piece in enumerate(others):
            if _is_comment(parts[-1]):
                parts[-1] = ",".join([parts[-1], *others[number:]])
                break
            longer = f"{parts[-1]},{piece}"
            if not self._known(piece, heard) and self._known(longer, heard):
                parts[-1] = longer
            else:
                parts.append(piece)
        calls = [self.command(f"SET {part.strip()}", heard) for part in parts]
        whole = len(parts) > 1 and any(self._known(part, heard) for part in parts)
        return [call for call in calls if call] if whole and all(calls) else []

    def _known(self, setting: str, heard: Sequence[str]) -> bool:
        """Whether it is a setting by itself; what is only miswritten has no summary."""
        call = self.command(f"SET {setting.strip()}", heard)
        return call is not None and call.command.summary != ""

    def command(self, line: str, heard: Sequence[str]) -> Call | None:
        """The command that `line` is in these places, or None; one that is too long is none."""
        if len(line) > LONGEST_LINE:
            return None
        word = _first_word(line)
        # A setting that is only miswritten is found under SET.
        own = self._forms.get(word, [])
        for pattern, command, prose in [*own, *self._forms.get("SET", [])] if word.startswith("SET ") else own:
            if prose and "game" in heard:
                continue
            if (command.place in heard or command.place == "end") and (match := pattern.fullmatch(line)):
                return Call(command, match, line)
        return None

    def _press(self, lines: Sequence[Line], position: int) -> tuple[tuple[str, ...], int]:
        """The press text from `position`, as it was written, quotes included; and where reading goes on.

        It ends at ENDPRESS or ENDBROADCAST (swallowed), at SIGNOFF, at another sign-on, at a signature or an old mail,
        or with the letter.
        """
        taken: list[str] = []
        while position < len(lines):
            line = lines[position]
            word = "".join(line.text.split()).upper()
            if word in ("ENDPRESS", "ENDBROADCAST"):
                position += 1
                break
            if word == "SIGNOFF" or line.kind in ("signature", "history"):
                break
            if line.kind == "text" and self.command(one_line(line.text), ("opening",)):
                break
            taken.append(line.verbatim.rstrip())
            position += 1
        return tuple(taken), position

    def _lines(self, lines: Sequence[Line], position: int) -> tuple[tuple[str, ...], int]:
        """The lines from `position`, whatever they say, and where reading goes on (END is swallowed).

        They end at SIGNOFF, at another sign-on, at a signature or an old mail too, or with the letter.
        """
        taken: list[str] = []
        while position < len(lines):
            line, text = lines[position], _without_comment(lines[position].text)
            if text.upper() == "END":
                position += 1
                break
            if line.kind in ("signature", "history") or self.command(text, ("opening",)):
                break
            if line.kind == "text" and text:
                taken.append(text)
            position += 1
        return tuple(taken), position


def one_line(text: str) -> str:
    """The text with single blanks, as commands are matched."""
    return " ".join(text.split())


def _without_comment(text: str) -> str:
    return _COMMENT.sub("", one_line(text)).rstrip()


def _first_word(line: str) -> str:
    found = _FIRST_WORD.match(line)
    return found[0].upper() if found else ""


def _compile(name: str, arguments: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE)


def _is_comment(setting: str) -> bool:
    return setting.strip().upper().startswith("COMMENT ")


def _form(lines: Sequence[Line], position: int) -> tuple[tuple[str, ...], int]:
    """The `Key: value` lines from `position`, and where reading goes on (END is swallowed).

    An old mail below, where END was forgotten, is no part of it: it may hold the form of last year.
    """
    taken: list[str] = []
    while position < len(lines):
        line = lines[position].text.strip()
        if line.upper() == "END":
            return tuple(taken), position + 1
        if lines[position].kind != "text" or line and ":" not in line:
            break
        if line:
            taken.append(line)
        position += 1
    return tuple(taken), position
