"""The table of commands: every word the desk understands, who may use it and what does it.

Each family of commands keeps its part beside its handlers; HELP is made from the whole.
"""

from judge.desk.ask import game_list, help, history, map_and_province
from judge.desk.core.visit import Command
from judge.desk.master import (
    admission,
    board_settings,
    border,
    civil_disorder,
    correct,
    game_settings,
    open_phase,
    run,
    timing,
)
from judge.desk.people import own_seat, register, signon, standby, tokens
from judge.desk.play import bids, foreign_blocks, orders, orders_ahead, press, votes

SIGNOFF = Command(
    names=("SIGNOFF", "SIGN OFF", "QUIT"),
    arguments="",
    who="U",
    place="end",
    summary="the end of what the judge should read",
    handler=None,
)

COMMANDS = (
    *register.COMMANDS,
    *standby.COMMANDS,
    *signon.COMMANDS,
    *tokens.COMMANDS,
    *orders.COMMANDS,
    *bids.COMMANDS,
    *orders_ahead.COMMANDS,
    *press.COMMANDS,
    *own_seat.COMMANDS,
    *votes.COMMANDS,
    *game_list.COMMANDS,
    *map_and_province.COMMANDS,
    *history.COMMANDS,
    *help.COMMANDS,
    *run.COMMANDS,
    *correct.COMMANDS,
    *border.COMMANDS,
    *open_phase.COMMANDS,
    *timing.COMMANDS,
    *game_settings.COMMANDS,
    *board_settings.COMMANDS,
    *civil_disorder.COMMANDS,
    *admission.COMMANDS,
    SIGNOFF,
)
# What HELP does not show: understood well enough to be answered.
NOT_FILLED_IN = (*signon.NOT_FILLED_IN, foreign_blocks.COMMENT)
MISWRITTEN = (*signon.MISWRITTEN, *game_settings.MISWRITTEN, *foreign_blocks.BLOCKS)
