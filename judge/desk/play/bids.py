"""DP lines: points that a signed-on player puts behind orders of neutrals (HELP points).

They are filed at the end of their block, since the sum of all of them is checked together (rulings, "Diplomacy
Points" 3).
"""

from judge.desk.core.answer import NOT_STORED, Remark
from judge.desk.core.command import Family, Who
from judge.desk.core.visit import Visit
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.orders.bid_lines import BidLine, may_be_bid, read_bid_line
from judge.rules import OrderError


def set_aside(visit: Visit, lines: list[str]) -> list[str]:
    """Keep the lines that bid points for the end of the block; returns the other lines."""
    others: list[str] = []
    for line in lines:
        (visit.bid_lines if may_be_bid(visit.the_book.variant, line) else others).append(line)
    return others


def refuse_others(visit: Visit, lines: list[str]) -> list[str]:
    """Refuse lines that bid points, from a master who plays and acts for another; returns the other lines."""
    others: list[str] = []
    for line in lines:
        if may_be_bid(visit.the_book.variant, line):
            _remark(visit, "error", line, f"{PLAYS_TOO}, so you cannot bid for others.")
        else:
            others.append(line)
    return others


def file(visit: Visit) -> str:
    """File the bids of the block; returns a sentence if they were too many points, so that none was filed, else ""."""
    if not visit.bid_lines:
        return ""
    power, bids = visit.the_power, visit.the_book.bids
    lines: list[BidLine] = []
    for line in visit.bid_lines:
        try:
            lines.append(read_bid_line(line))
        except OrderError as mistake:
            _remark(visit, "error", line, str(mistake))
            instead = mistake.suggestion.rstrip(".") or str(mistake).rstrip(".")
            visit.answer.foremost.append(f'The bid "{visit.visitor.redact(line)}" was not filed. {instead}.')
    taken = bids.give(power, lines, visit.row.id, visit.now)
    for line, why in taken.refused:
        _remark(visit, "error", line, why)
    for line, what in taken.notes:
        _remark(visit, "note", line, what)
    if taken.stored:
        visit.ordered = True
        return ""
    refused = {line for line, _ in taken.refused}
    for bid in lines:
        if bid.line not in refused:
            _remark(visit, "error", bid.line, NOT_STORED)
    stand = " Your older bids stay." if bids.given(power) else ""
    has = bids.income(power)
    return (
        f"Your DP lines are not stored: with them you would spend {taken.spend} points, and you have {has}.{stand}"
    )


def _remark(visit: Visit, kind: str, line: str, text: str) -> None:
    visit.answer.remarks.append(Remark(kind, line, text))


command = Family("points", who=Who.PLAYER, is_order=True, passwordless=True)
command.add("DP CLEAR", pattern=r"(?:\s+ALL)?", help="take back all your bids for this phase")
command.add("DP NONE", help="you spend no more points in this phase, so it need not wait for you")
command.add(
    "DP", arguments="[<points>:] <order>", pattern=r"\s*\d+\s*:?\s*\S.*?",
    help="bid points (1 if you name no number) for an order of a neutral: DP 2: A SWI S A MAR - SAV; DP 0: A "
         "SWI takes them back",
)  # fmt: skip
