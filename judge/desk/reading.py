"""The lines of a letter cut into blocks: commands and other lines, each block opened by a sign-on or by none.

Before the first sign-on and between blocks unknown lines are skipped in silence (greetings, signatures); inside
a block every line that is no command may be an order. After SIGNOFF only another sign-on is heard.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from judge.desk.visit import Call, Command


@dataclass
class Block:
    """A sign-on (None: the lobby) and what stands below it: commands and plain lines, in order."""

    opening: Call | None
    items: list[Call | str] = field(default_factory=list)


class Reader:
    """Recognises the commands of `table` in lines."""

    def __init__(self, table: Iterable[Command]):
        self._forms = [(_compile(name, command.pattern), command) for command in table for name in command.names]

    def blocks(self, lines: Sequence[str]) -> list[Block]:
        """The blocks of a letter; the first is the lobby, often empty."""
        blocks = [Block(None)]
        heard = ("opening", "lobby", "anywhere")
        position = 0
        while position < len(lines):
            line = lines[position].strip()
            position += 1
            if not line or line.startswith("//"):
                continue
            call = self.command(line, heard)
            if call is None:
                if "game" in heard:
                    blocks[-1].items.append(line)
                continue
            if call.command.form:
                form, position = _form(lines, position)
                call = Call(call.command, call.arguments, call.line, form)
            if call.command.place == "opening":
                blocks.append(Block(call))
                heard = ("opening", "game", "anywhere")
            elif call.command.place == "end":
                heard = ("opening",)
            else:
                blocks[-1].items.append(call)
        return blocks

    def command(self, line: str, heard: Sequence[str]) -> Call | None:
        """The command that `line` is in these places, or None."""
        for pattern, command in self._forms:
            if (command.place in heard or command.place == "end") and (match := pattern.fullmatch(line)):
                return Call(command, match, line)
        return None


def _compile(name: str, arguments: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, name.split()))
    return re.compile(rf"{words}{arguments}\s*[.;]?", re.IGNORECASE)


def _form(lines: Sequence[str], position: int) -> tuple[tuple[str, ...], int]:
    """The `Key: value` lines from `position`, and where reading goes on (END is swallowed)."""
    taken: list[str] = []
    while position < len(lines):
        line = lines[position].strip()
        if line.upper() == "END":
            return tuple(taken), position + 1
        if line and ":" not in line:
            break
        if line:
            taken.append(line)
        position += 1
    return tuple(taken), position
