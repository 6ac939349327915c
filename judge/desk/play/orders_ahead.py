"""PHASE: the order lines that follow are for a later phase; IF: if units then stand where the condition says."""

import re
from collections.abc import Sequence

from judge.desk.core.answer import NOT_STORED, Remark
from judge.desk.core.command import Body, Call, Family, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.core.wording import counted
from judge.desk.play.courtesy import note_stray
from judge.desk.play.unsupported import refused
from judge.games.core.board import variant_of
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.life import orders_ahead
from judge.games.orders.bid_lines import BidLine, is_order_line, may_be_bid
from judge.games.orders.deferred_orders import MOST_LINES, Said, block, read_ahead, read_branches, text_of
from judge.rules import OrderError, PhaseError, Variant, looks_like_order, read_phase
from judge.rules.board.phase import kind, year
from judge.rules.mechanisms.diplomacy_points import most_income
from judge.rules.order_texts.phase_headings import UNPLACED
from judge.rules.order_texts.unfinished import joined

# A phase that could not be read: the lines below it must not count for the open phase by mistake.
UNKNOWN = "?"
NOT_KEPT = f"not kept: a letter keeps at most {MOST_LINES} lines for a later phase."


command = Family("orders", who=Who.PLAYER, when=When.OPEN)


@command(
    "IF",
    arguments="<condition> [THEN] (then orders, ELSE IF <condition>, ELSE and ENDIF, each on a line of its own)",
    pattern=r"\s+(?P<condition>\S.{0,299}?)", body=Body.CONDITION,
    help="below PHASE: these orders, if such units are there when that phase opens: IF NOT German A MUN AND (F NTH "
         "OR F ENG)",
)
def keep_choice(visit: Visit, call: Call, condition: str) -> None:
    """IF <condition> … ELSE … ENDIF: kept whole for the phase that PHASE named, or refused whole."""
    game, power = visit.the_game, visit.the_power
    if visit.ahead in ("", UNKNOWN):
        refused(visit, call, instead=f"Conditions are for a later phase: write PHASE F1903M above the IF. {_LEFT_OUT}")
    variant = variant_of(game).at(visit.ahead)
    lines = [f"IF {condition}", *call.body]
    try:
        branches = read_branches(variant, power, kind(visit.ahead), lines)
    except OrderError as wrong:
        refused(visit, call, instead=f"{wrong} {_LEFT_OUT}")
    bidding = any(isinstance(said, BidLine) for _, lines in branches for said in lines)
    if bidding and visit.acting and not visit.sees("bids", power=power):
        refused(visit, call, instead=f"{PLAYS_TOO}, so you cannot bid for others. {_LEFT_OUT}")
    if not call.ended:
        refused(visit, call, instead=f"ENDIF is missing on a line of its own. {_LEFT_OUT}")
    number = sum(len(lines) for _, lines in branches)
    orders_ahead.keep(visit.turn, game, power, visit.ahead, [block(lines)], visit.row.id)
    visit.note(call, f"{counted(number, 'line')} kept; which of them count is decided when {visit.ahead} opens.")


def below_heading(visit: Visit, line: str, wanted: str) -> None:
    """A line that is nothing but a phase acts as PHASE does. `wanted`: the phase, UNPLACED if it cannot be told which.
    """
    visit.ahead, visit.ahead_line = UNKNOWN, line
    try:
        if wanted == UNPLACED:
            raise CommandError("For which phase are the lines below? Write PHASE and its name, like PHASE F1901M.")
        _turn_to(visit, wanted)
    except CommandError as refusal:
        visit.answer.remarks.append(Remark("error", line, str(refusal)))


def _turn_to(visit: Visit, wanted: str) -> None:
    """From now on the lines are for that phase."""
    now = visit.the_phase.name
    if orders_ahead.order_of(wanted) < orders_ahead.order_of(now):
        raise CommandError(f"{wanted} is over; the open phase is {now}. The lines below were not kept.")
    if year(wanted) - year(now) > orders_ahead.YEARS_AHEAD:
        most = orders_ahead.YEARS_AHEAD
        raise CommandError(f"{wanted} is more than {most} years ahead. The lines below were not kept.")
    if visit.passwordless and wanted != now:
        raise CommandError(f"{visit.needs_password} The lines below were not kept.")
    visit.ahead = "" if wanted == now else wanted


def keep(visit: Visit, lines: list[str]) -> None:
    """Keep `lines` for the phase that PHASE named, if they can be read; they are checked when it opens."""
    game, power = visit.the_game, visit.the_power
    if visit.ahead == UNKNOWN:
        variant = variant_of(game)
        if visit.ahead_line not in visit.answer.unfiled and any(is_order_line(variant, line) for line in lines):
            visit.answer.unfiled.append(visit.ahead_line)
        return
    variant = variant_of(game).at(visit.ahead)
    good: list[Said] = []
    lines = _without_false_conditions(visit, variant, joined(variant, kind(visit.ahead), lines))
    for line in lines[:MOST_LINES]:
        if not (may_be_bid(variant, line) or looks_like_order(variant, line)):
            note_stray(visit, line)
            continue
        for kept in read_ahead(variant, power, kind(visit.ahead), line):
            if isinstance(kept, OrderError):
                visit.answer.remarks.append(Remark("error", line, str(kept)))
            else:
                good.append(kept)
    good = _affordable(visit, variant, power, good)
    visit.answer.remarks += [Remark("error", line, NOT_KEPT) for line in lines[MOST_LINES:]]
    if good:
        orders_ahead.keep(visit.turn, game, power, visit.ahead, [text_of(said) for said in good], visit.row.id)
        visit.answer.remarks.append(
            Remark("note", f"PHASE {visit.ahead}", f"{len(good)} kept. They are checked when that phase opens.")
        )


def _affordable(visit: Visit, variant: Variant, power: str, good: list[Said]) -> list[Said]:
    """The lines without their bids, if these come to more points than the power can ever have."""
    bids = [kept for kept in good if isinstance(kept, BidLine)]
    spent, most = sum(bid.points for bid in bids), most_income(variant, power)
    if spent <= most:
        return good
    why = f"not kept: they come to {spent} points, and {power} never has more than {most}."
    visit.answer.remarks += [Remark("error", bid.line, NOT_STORED) for bid in bids]
    visit.answer.foremost.append(f"Your bids for {visit.ahead} were {why}")
    return [kept for kept in good if not isinstance(kept, BidLine)]


def _without_false_conditions(visit: Visit, variant: Variant, lines: Sequence[str]) -> list[str]:
    """The lines without what stands above an ENDIF that has no IF: with WHEN or UNLESS it must not count always."""
    kept: list[str] = []
    for line in lines:
        if line.strip(" .;").upper() != "ENDIF":
            kept.append(line)
            continue
        ordered = 0
        while kept and (may_be_bid(variant, kept[-1]) or looks_like_order(variant, kept[-1])):
            kept.pop()
            ordered += 1
        began = kept.pop() if kept else ""
        above = f'"{began}" is no condition' if began else "There is no IF above it"
        why = f"{above}, so {counted(ordered, 'line')} above ENDIF {'was' if ordered == 1 else 'were'} not kept."
        instead = "Write IF NOT A MUN, for example, on a line of its own."
        visit.answer.remarks.append(Remark("error", line, f"{why} {instead}"))
    return kept


@command(
    "PHASE", arguments="<phase> | NOW", pattern=r":?\s+(?P<phase>NOW|(?=.{0,40}\d)\S.{0,80})", passwordless=True,
    heads=True,
    help="the orders below are for a later phase, like PHASE S1903M; CLEAR below it takes them back",
)
def set_phase(visit: Visit, call: Call, phase: str) -> None:
    """PHASE <phase>: what follows is kept for it; the open phase, or NOW, ends that."""
    visit.ahead, visit.ahead_line = UNKNOWN, call.line
    named = _BEYOND.split(phase, maxsplit=1)[0]
    try:
        wanted = visit.the_phase.name if named.upper() == "NOW" else read_phase(named)
    except PhaseError as wrong:
        raise CommandError(f"{wrong} The lines below were not kept.") from None
    _turn_to(visit, wanted)


# What people write behind a phase: "F1901M:", "F1901M (if all goes well)".
_BEYOND = re.compile(r" ?[:,;(]|\.? ?$")
_LEFT_OUT = "The text up to ENDIF was left out."
