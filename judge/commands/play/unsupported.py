"""What other judges know and this one does not: commands, settings and blocks, refused by name, each with its reason.

The words are in unsupported.toml. The text below a block is meant for readers; read as orders or as another kind of
press it would do what nobody asked for, so it is left out with the block.
"""

import tomllib
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from typing import NoReturn

from judge.commands.core.command import Body, Call, CommandError, Place, Slip
from judge.commands.core.context import CommandContext

_SETTING = r"(?:\s+\S.{0,80})?"
_OPTIONS = "FAKE|NO ?FAKE|PARTIAL|FROM|QUIET|WHITE|GR[EA]Y|ANONYMOUS|ANONYMOUSLY|UNANONYMOUS|UNANONYMOUSLY|TO|ALL|BUT"
# An option of press, or what follows the word if that is in capitals, as commands are written.
_WITH_OPTIONS = rf"\s+(?:{_OPTIONS}|[-+])\b.{{0,300}}|\s+[-+].{{0,300}}"
# Of press, where the word stands first.
_KINDS = ("POSTAL", "FAKE", "GREY", "GRAY", "WHITE", "ANONYMOUS", "PARTIAL", "QUIET")
_NO_SUCH_PRESS = (
    "This judge has no such press, so the text after this line was left out. Write PRESS TO <powers>, PRESS GREY TO "
    "<powers> or BROADCAST, then the text, then ENDPRESS."
)


def refused(context: CommandContext, call: Call, *, instead: str) -> NoReturn:
    """Say that there is no such thing here, and what to use instead."""
    raise CommandError(instead)


def _words() -> Iterator[Slip]:
    text = files(__package__).joinpath("unsupported.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(text)["words"]:
        settings = (f"SET {no}{word}" for word in row.get("settings", ()) for no in ("", "NO ", "NOT ", "NO"))
        yield Slip(
            names=(*row.get("names", ()), *settings),
            place=Place.GAME,
            handler=partial(refused, instead=f"Not done: {row['why']}"),
            pattern=row.get("pattern", "") if "names" in row else _SETTING,
        )


def _block(*names: str, pattern: str, instead: str = _NO_SUCH_PRESS) -> Slip:
    handler = partial(refused, instead=instead)
    return Slip(names=names, place=Place.GAME, handler=handler, pattern=pattern, body=Body.PRESS)


SLIPS = (
    _block("PRESS", pattern=rf"(?:{_WITH_OPTIONS}|\s+\S{{1,60}}|(?<=(?-i:PRESS))\s.{{1,300}}|\s*:)?"),
    _block("BROADCAST", pattern=rf"(?:{_WITH_OPTIONS}|(?<=(?-i:BROADCAST))\s.{{1,300}})"),
    _block(
        "POSTAL", *(f"{kind} {word}" for kind in _KINDS for word in ("PRESS", "BROADCAST")),
        pattern=rf"(?:{_WITH_OPTIONS}|\s*:)?",
    ),
    _block("FAKE", "GREY", "GRAY", "WHITE", "PARTIAL", "QUIET", pattern=r"\s+(?-i:TO|FROM)\s.{1,300}"),
    _block(
        "DIARY", pattern=r"(?:\s+(?:RECORD|LIST|(?:READ|DELETE)\s+\d{1,4}))?",
        instead="This judge keeps no diaries, so the text after this line was left out.",
    ),
    *_words(),
)  # fmt: skip
