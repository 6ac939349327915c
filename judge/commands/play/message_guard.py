"""Why a message is not sent: a line in it may be meant for the judge, or gives a password away.

A message is sent word for word or not at all. One without its end word may have swallowed what its writer meant for the
judge, so nothing in it may read like that.
"""

from collections.abc import Iterator

from judge.commands.core.answer import shortened
from judge.commands.core.command import Call
from judge.commands.core.context import CommandContext
from judge.commands.play.own_orders import may_be_own_order
from judge.games.core.board import variant_of
from judge.games.orders.bid_lines import is_bid_line
from judge.letters.signon_lines import possible_games, signon_words

_LONGEST_QUOTED = 60


def why_not_sent(context: CommandContext, call: Call) -> str:
    """What keeps the message below `call` from being sent, in a sentence; "" if nothing does."""
    if line := context.letter_context.redact.giving_away("\n".join(call.body), context.the_game.name):
        shown = shortened(context.letter_context.redact(line), _LONGEST_QUOTED)
        return f'Its line "{shown}" would give a password away. Send the message without it.'
    if call.ended:
        return ""
    meant = next(_meant_for_judge(context, call), "")
    shown = shortened(context.letter_context.redact(meant.strip()), _LONGEST_QUOTED)
    return meant and (
        f'The message has no ENDPRESS, and its line "{shown}" may be meant for the judge. Write ENDPRESS on a line of '
        "its own where the message ends."
    )


def _meant_for_judge(context: CommandContext, call: Call) -> Iterator[str]:
    """The lines of the message that may be meant for the judge: commands, orders for the writer's own units, bids, and
    sign-ons of games that there are.
    """
    yield from call.commands
    variant, games = variant_of(context.the_game), context.letter_context.games | {context.the_game.name}
    for line in call.body:
        signs_on = not possible_games(signon_words(line)).isdisjoint(games)
        if signs_on or is_bid_line(variant, line) or may_be_own_order(context, line):
            yield line
