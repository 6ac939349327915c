"""The table of commands: every word the desk understands, who may use it and what does it.

Each family of commands keeps its part beside its handlers; HELP is made from the whole.
"""

from judge.desk import (
    approval,
    blocks,
    board,
    borders,
    clock,
    correcting,
    disorder,
    flags,
    future,
    help,
    history,
    house,
    info,
    master,
    orders,
    people,
    points,
    press,
    seats,
    signon,
    standby,
    timing,
    tokens,
    votes,
)
from judge.desk.visit import Command

SIGNOFF = Command(
    names=("SIGNOFF", "SIGN OFF", "QUIT"),
    arguments="",
    who="U",
    place="end",
    summary="the end of what the judge should read",
    handler=None,
)

COMMANDS = (
    *people.COMMANDS,
    *standby.COMMANDS,
    *signon.COMMANDS,
    *tokens.COMMANDS,
    *orders.COMMANDS,
    *points.COMMANDS,
    *future.COMMANDS,
    *press.COMMANDS,
    *seats.COMMANDS,
    *votes.COMMANDS,
    *info.COMMANDS,
    *board.COMMANDS,
    *history.COMMANDS,
    *help.COMMANDS,
    *master.COMMANDS,
    *correcting.COMMANDS,
    *borders.COMMANDS,
    *clock.COMMANDS,
    *timing.COMMANDS,
    *flags.COMMANDS,
    *house.COMMANDS,
    *disorder.COMMANDS,
    *approval.COMMANDS,
    SIGNOFF,
)
# What HELP does not show: understood well enough to be answered.
NOT_FILLED_IN = (*signon.NOT_FILLED_IN, blocks.COMMENT)
MISWRITTEN = (*signon.MISWRITTEN, *flags.MISWRITTEN, *blocks.BLOCKS)
