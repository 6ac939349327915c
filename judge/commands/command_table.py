"""The table of commands: every word the desk understands, who may use it and what does it.

Each family of commands is a module whose handlers say it themselves (`command`, a `Family`); lines that are almost
commands are in SLIPS. HELP is made from the whole table, in this order. A new family needs its module and a line here.
"""

from types import ModuleType

from judge.commands.ask import game_list, help, history, map_and_province, my_games
from judge.commands.core.command import Command, Place, Slip, Who
from judge.commands.master import (
    admission,
    board_settings,
    border,
    civil_disorder,
    correct,
    game_settings,
    open_phase,
    phase_lengths,
    run,
    seats,
)
from judge.commands.people import (
    openings,
    own_mails,
    own_seat,
    passwordless,
    register,
    signon,
    signon_variants,
    standby_list,
    tokens,
)
from judge.commands.play import bids, orders, orders_ahead, press, revealing, unsupported, votes

FAMILIES: tuple[ModuleType, ...] = (
    register,
    signon,
    signon_variants,
    openings,
    own_seat,
    own_mails,
    passwordless,
    standby_list,
    tokens,
    orders,
    orders_ahead,
    bids,
    press,
    unsupported,
    votes,
    revealing,
    my_games,
    game_list,
    map_and_province,
    history,
    help,
    open_phase,
    phase_lengths,
    run,
    seats,
    correct,
    border,
    admission,
    civil_disorder,
    game_settings,
    board_settings,
)
SIGNOFF = Command(
    names=("SIGNOFF", "SIGN OFF", "QUIT"),
    arguments="",
    who=Who.ANYBODY,
    topics=("info",),
    place=Place.END,
    summary="the end of what the judge should read",
)
COMMANDS: tuple[Command, ...] = (
    *(command for family in FAMILIES if hasattr(family, "command") for command in family.command.commands),
    SIGNOFF,
)
# HELP does not show these.
SLIPS: tuple[Slip, ...] = tuple(slip for family in FAMILIES for slip in getattr(family, "SLIPS", ()))
