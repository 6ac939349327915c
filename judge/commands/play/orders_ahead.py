"""PHASE: the order lines that follow are for a later phase; IF: if units then stand where the condition says."""

import re
from collections.abc import Sequence

from judge.commands.core.answer import NOT_STORED
from judge.commands.core.command import Body, Call, CommandError, Family, When, Who
from judge.commands.core.context import CommandContext
from judge.commands.play.stray_lines import note_stray
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.orders import deferred_orders
from judge.games.orders.bid_lines import BidLine, is_order_line, reads_as_order
from judge.games.orders.deferred_orders import MOST_LINES, Said, block, read_ahead, read_branches
from judge.rules import OrderError, PhaseError, Variant, read_phase
from judge.rules.board.names import counted
from judge.rules.board.phase import first_from, following, kind, year
from judge.rules.mechanisms.auction import most_income
from judge.rules.parsing.decoration import UNPLACED
from judge.rules.parsing.recognition import joined

# A phase that could not be read: the lines below it must not count for the open phase by mistake.
UNKNOWN = "?"
NOT_KEPT = f"not saved: an email can have at most {MOST_LINES} lines for a later phase."


command = Family("orders", who=Who.PLAYER, when=When.OPEN)


@command(
    "IF",
    arguments="<condition> [THEN] (then orders, ELSE IF <condition>, ELSE and ENDIF, each on a line of its own)",
    pattern=r"\s+(?P<condition>\S.{0,299}?)",
    body=Body.CONDITION,
    help="after PHASE: orders that depend on where units are when that phase opens: IF NOT German A MUN AND (F NTH "
    "OR F ENG)",
)
def keep_choice(context: CommandContext, call: Call, condition: str) -> None:
    """IF <condition> … ELSE … ENDIF: kept whole for the phase that PHASE named, or refused whole."""
    power = context.the_power
    if context.lines.ahead in ("", UNKNOWN):
        phase = first_from(following(context.the_phase.name), "M")
        raise CommandError(f"IF is for a later phase: write PHASE {phase} above it. {_LEFT_OUT}")
    variant = context.variant.at(context.lines.ahead)
    lines = [f"IF {condition}", *call.body]
    try:
        branches = read_branches(variant, power, kind(context.lines.ahead), lines)
    except OrderError as wrong:
        raise CommandError(f"{wrong} {_LEFT_OUT}") from None
    bidding = any(isinstance(said, BidLine) for _, lines in branches for said in lines)
    if bidding and context.acting and not context.sees("bids", power=power):
        raise CommandError(f"{PLAYS_TOO}, so you cannot bid for others. {_LEFT_OUT}")
    if not call.ended:
        raise CommandError(f"ENDIF is missing: put it on a line of its own. {_LEFT_OUT}")
    number, phase = sum(len(lines) for _, lines in branches), context.lines.ahead
    _save(context, [block(lines)])
    context.note(call, f"{counted(number, 'line')} saved; the conditions will be tested when {phase} opens.")


def below_heading(context: CommandContext, line: str, wanted: str) -> None:
    """A line that is nothing but a phase acts as PHASE does. `wanted`: the phase, UNPLACED if unknown."""
    context.lines.ahead, context.lines.ahead_line = UNKNOWN, line
    try:
        if wanted == UNPLACED:
            raise CommandError("For which phase are the lines after this? Write PHASE and its name, like PHASE F1901M.")
        _turn_to(context, wanted)
    except CommandError as refusal:
        context.remark("error", line, str(refusal))


def _turn_to(context: CommandContext, wanted: str) -> None:
    """From now on the lines are for that phase."""
    now = context.the_phase.name
    if deferred_orders.order_of(wanted) < deferred_orders.order_of(now):
        raise CommandError(f"{wanted} is over; the open phase is {now}. The lines after it were not saved.")
    if year(wanted) - year(now) > deferred_orders.YEARS_AHEAD:
        most = deferred_orders.YEARS_AHEAD
        raise CommandError(f"{wanted} is more than {most} years ahead. The lines after it were not saved.")
    if context.passwordless and wanted != now:
        raise CommandError(f"{context.needs_password} The lines after it were not saved.")
    context.lines.ahead = "" if wanted == now else wanted


def keep(context: CommandContext, lines: list[str]) -> None:
    """Keep `lines` for the phase that PHASE named, if they can be read; they are checked when it opens."""
    power = context.the_power
    if context.lines.ahead == UNKNOWN:
        heading, unfiled = context.lines.ahead_line, context.answer.unfiled
        if heading not in unfiled and any(is_order_line(context.variant, line) for line in lines):
            unfiled.append(heading)
        return
    variant = context.variant.at(context.lines.ahead)
    good: list[Said] = []
    lines = _without_false_conditions(context, variant, joined(variant, kind(context.lines.ahead), lines))
    for line in lines[:MOST_LINES]:
        if not reads_as_order(variant, line):
            note_stray(context, line)
            continue
        read = read_ahead(variant, power, kind(context.lines.ahead), line)
        wrong = [str(one) for one in read if isinstance(one, OrderError)]
        for number, why in enumerate(wrong, 1):
            # If a part cannot be read, it is not known what the others mean, as in lines for the open phase.
            whole = " Nothing on this line was saved." * (len(read) > 1 and number == len(wrong))
            context.remark("error", line, why + whole)
        good += [one for one in read if not isinstance(one, OrderError) and not wrong]
    good = _affordable(context, variant, power, good)
    for line in lines[MOST_LINES:]:
        context.remark("error", line, NOT_KEPT)
    if good:
        _save(context, [said.text for said in good])
        told = f"{counted(len(good), 'line')} saved, to be checked when that phase opens."
        context.remark("note", f"PHASE {context.lines.ahead}", told)


def _save(context: CommandContext, texts: Sequence[str]) -> None:
    """Save the texts for the phase that PHASE named."""
    game, later = context.the_game, context.lines.ahead
    deferred_orders.keep(context.work, game, context.the_power, later, texts, context.row.id)
    context.lines.kept_for.add(later)


def _affordable(context: CommandContext, variant: Variant, power: str, good: list[Said]) -> list[Said]:
    """The lines without their bids, if these come to more points than the power can ever have."""
    bids = [kept for kept in good if isinstance(kept, BidLine)]
    spent, most = sum(bid.points for bid in bids), most_income(variant, power)
    if spent <= most:
        return good
    why = f"not saved: they would spend {counted(spent, 'point')}, and {power} never has more than {most}."
    for bid in bids:
        context.remark("error", bid.text, NOT_STORED)
    context.answer.foremost.append(f"Your bids for {context.lines.ahead} were {why}")
    return [kept for kept in good if not isinstance(kept, BidLine)]


def _without_false_conditions(context: CommandContext, variant: Variant, lines: Sequence[str]) -> list[str]:
    """The lines without what stands above an ENDIF that has no IF: with WHEN or UNLESS it must not count always."""
    kept: list[str] = []
    for line in lines:
        if line.strip(" .;").upper() != "ENDIF":
            kept.append(line)
            continue
        ordered = 0
        while kept and reads_as_order(variant, kept[-1]):
            kept.pop()
            ordered += 1
        began = kept.pop() if kept else ""
        above = f'"{began}" is not a condition' if began else "There is no IF above it"
        why = f"{above}, so {counted(ordered, 'line')} above ENDIF {'was' if ordered == 1 else 'were'} not saved."
        instead = "Write, for example, IF NOT A MUN on a line of its own."
        context.remark("error", line, f"{why} {instead}")
    return kept


@command(
    "PHASE",
    arguments="<phase> | NOW",
    pattern=r":?\s+(?P<phase>NOW|(?=.{0,40}\d)\S.{0,80})",
    passwordless=True,
    heads=True,
    help="the lines that follow are for a later phase, like PHASE S1903M; CLEAR after it takes them back",
)
def set_phase(context: CommandContext, call: Call, phase: str) -> None:
    """PHASE <phase>: what follows is kept for it; the open phase, or NOW, ends that."""
    context.lines.ahead, context.lines.ahead_line = UNKNOWN, call.line
    named = _BEYOND.split(phase, maxsplit=1)[0]
    try:
        wanted = context.the_phase.name if named.upper() == "NOW" else read_phase(named)
    except PhaseError as wrong:
        raise CommandError(f"{wrong} The lines after it were not saved.") from None
    _turn_to(context, wanted)


# What people write behind a phase: "F1901M:", "F1901M (if all goes well)".
_BEYOND = re.compile(r" ?[:,;(]|\.? ?$")
_LEFT_OUT = "The text up to ENDIF was left out."
