"""DP lines: points that a signed-on player puts behind orders of neutrals (HELP points).

They are filed at the end of their block, since the sum of all of them is checked together (rulings, "Diplomacy
Points" 3).
"""

from judge.commands.core.answer import NOT_STORED, Remark
from judge.commands.core.command import Family, Who
from judge.commands.core.context import CommandContext
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.orders.bid_lines import BidLine, may_be_bid, read_bid_line
from judge.rules import OrderError
from judge.rules.board.names import counted


def set_aside(context: CommandContext, lines: list[str]) -> list[str]:
    """Keep the lines that bid points for the end of the block; returns the other lines."""
    others: list[str] = []
    for line in lines:
        (context.lines.bid_lines if may_be_bid(context.the_book.variant, line) else others).append(line)
    return others


def refuse_others(context: CommandContext, lines: list[str]) -> list[str]:
    """Refuse lines that bid points, from a master who plays and acts for another; returns the other lines."""
    others: list[str] = []
    for line in lines:
        if may_be_bid(context.the_book.variant, line):
            _remark(context, "error", line, f"{PLAYS_TOO}, so you cannot bid for others.")
        else:
            others.append(line)
    return others


def file(context: CommandContext) -> str:
    """File the bids of the block; returns a sentence if they were too many points, so that none was filed, else ""."""
    if not context.lines.bid_lines:
        return ""
    power, bids = context.the_power, context.the_book.bids
    lines: list[BidLine] = []
    for line in context.lines.bid_lines:
        try:
            lines.append(read_bid_line(line))
        except OrderError as mistake:
            _remark(context, "error", line, str(mistake))
            instead = mistake.suggestion.rstrip(".") or str(mistake).rstrip(".")
            shown = context.letter_context.redact(line)
            context.answer.foremost.append(f'The bid "{shown}" was not recorded. {instead}.')
    taken = bids.give(power, lines, context.row.id, context.now)
    for line, why in taken.refused:
        _remark(context, "error", line, why)
    for line, what in taken.notes:
        _remark(context, "note", line, what)
    if taken.stored:
        context.lines.ordered = True
        return ""
    refused = {line for line, _ in taken.refused}
    for bid in lines:
        if bid.line not in refused:
            _remark(context, "error", bid.line, NOT_STORED)
    stand = " Your older bids stay." if bids.given(power) else ""
    if not (has := bids.income(power)):
        return "Your DP lines were not recorded: you have no points to spend in this phase."
    return (
        f"Your DP lines were NOT recorded: with them you would spend {counted(taken.spend, 'point')}, and you have "
        f"{has}.{stand}"
    )


def _remark(context: CommandContext, kind: str, line: str, text: str) -> None:
    context.answer.remarks.append(Remark(kind, line, text))


command = Family("points", who=Who.PLAYER, is_order=True, passwordless=True)
command.add("DP CLEAR", pattern=r"(?:\s+ALL)?", help="take back all your bids for this phase")
command.add("DP NONE", help="decline your remaining points in this phase, so that it need not wait for them")
command.add(
    "DP", arguments="[<points>:] <order>", pattern=r"\s*\d+\s*:?\s*\S.*?",
    help="bid points (1 if you name no number) for an order of a neutral: DP 2: A SWI S A MAR - SAV; DP 0: A "
         "SWI takes them back",
)  # fmt: skip
