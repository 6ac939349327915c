"""The table of commands: each command with its names, its permitted users and its handler.

Each family of commands is a module that declares its commands at their handlers (with a `Family`). HELP is made from
the whole table, in the order of this module. To add a family, write its module and add it here. Lines that are almost
commands are in a module's SLIPS. Lines that always get the same answer are in near_misses.toml.
"""

import tomllib
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from types import ModuleType
from typing import NoReturn

from judge.commands.ask import board_and_history, game_list, help
from judge.commands.core.command import Body, Command, CommandError, Family, Place, Slip, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Reader
from judge.commands.master import admission, correct, deadlines, game_settings, run
from judge.commands.people import inviting, joining, own_settings, passwordless, register, signon, tokens
from judge.commands.play import order_commands, orders, press, votes
from judge.games.core.setting_fields import negated

FAMILIES: tuple[ModuleType, ...] = (
    register, signon, joining, inviting, own_settings, passwordless, tokens, order_commands, orders, press, votes,
    game_list, board_and_history, help, deadlines, run, correct, admission, game_settings,
)  # fmt: skip
SIGNOFF = Command(
    names=("SIGNOFF", "SIGN OFF", "SIGN-OFF", "QUIT"), arguments="", who=Who.ANYBODY, topics=("info",), place=Place.END,
    summary="the end of what the judge should read",
)  # fmt: skip
COMMANDS: tuple[Command, ...] = (
    *(command for module in FAMILIES for family in vars(module).values() if isinstance(family, Family)
      for command in family.commands),
    SIGNOFF,
)  # fmt: skip


def refuse(context: CommandContext, password: str | None = None, *, why: str) -> NoReturn:
    """Refuse a line, and reply `why`, which says what is wrong and what to write in its place."""
    raise CommandError(why)


def _near_misses() -> Iterator[Slip]:
    data = tomllib.loads(files(__package__).joinpath("near_misses.toml").read_text(encoding="utf-8"))
    for row in (line | form for line in data["lines"] for form in line.get("forms", [{}])):
        settings = [f"SET {form}" for word in row.get("settings", ()) for form in negated(word)]
        pattern = row.get("pattern", r"(?:\s+\S.{0,80})?" if settings else "").replace("OPTIONS", data["options"])
        yield Slip(
            names=(*row.get("names", ()), *settings), place=Place[row.get("place", "GAME")], pattern=pattern,
            handler=partial(refuse, why=row["why"]), body=Body[row["body"]] if "body" in row else None,
            **{flag: row.get(flag, False) for flag in ("is_said", "capitals", "becomes")},
        )  # fmt: skip


# Lines that are almost commands, and commands of other judges. HELP does not show them.
SLIPS: tuple[Slip, ...] = (
    *(slip for module in FAMILIES for slip in getattr(module, "SLIPS", ())),
    *_near_misses(),
)
# All letters share one reader, because a reader stores nothing about a letter.
READER = Reader((*COMMANDS, *SLIPS))
