"""The table of commands: every word that is understood, who may use it and what does it.

Each family of commands is a module whose handlers state it themselves (with a `Family`); lines that are almost commands
are in its SLIPS. HELP is made from the whole table, in this order. A new family needs its module and a word here.
"""

from types import ModuleType

from judge.commands.ask import game_list, help, history, map_and_province
from judge.commands.core.command import Command, Family, Place, Slip, Who
from judge.commands.master import admission, board_settings, correct, deadlines, game_settings, run
from judge.commands.people import joining, own_settings, passwordless, register, signon, signon_variants, tokens
from judge.commands.play import clear_and_wait, orders, orders_ahead, press, stray_lines, votes, what_if

FAMILIES: tuple[ModuleType, ...] = (
    register, signon, joining, signon_variants, own_settings, passwordless, tokens, clear_and_wait, orders_ahead,
    orders, press, what_if, stray_lines, votes, game_list, map_and_province, history, help, deadlines, run, correct,
    admission, game_settings, board_settings,
)  # fmt: skip
SIGNOFF = Command(
    names=("SIGNOFF", "SIGN OFF", "QUIT"), arguments="", who=Who.ANYBODY, topics=("info",), place=Place.END,
    summary="the end of what the judge should read",
)  # fmt: skip
COMMANDS: tuple[Command, ...] = (
    *(command for module in FAMILIES for family in vars(module).values() if isinstance(family, Family)
      for command in family.commands),
    SIGNOFF,
)  # fmt: skip
# HELP does not show these.
SLIPS: tuple[Slip, ...] = tuple(slip for module in FAMILIES for slip in getattr(module, "SLIPS", ()))
