"""Commands among orders, which are CLEAR, WAIT, PHASE and IF for orders of a later phase, and WHATIF for guesses.

The order lines after PHASE are for the phase that PHASE names. Orders between IF and ENDIF are filed if the condition
is true when the phase opens.

No line between WHATIF and ENDWHATIF is filed, and no other player is notified. The outcome is computed from the
player's guesses. For the player's units without a guess, the orders on file are used. All other units have no order. So
the answer reveals nothing that the player does not know.
"""

import re
from collections.abc import Sequence
from functools import partial

from judge.commands.core.answer import NOT_STORED
from judge.commands.core.command import (
    Body,
    Call,
    CommandError,
    Family,
    MaybeSentence,
    Place,
    Slip,
    When,
    Who,
    refused,
)
from judge.commands.core.context import CommandContext, Seated
from judge.commands.core.handling import blind, sees, show
from judge.commands.core.line_forms import ends_sandbox
from judge.commands.core.permissions import needs_password
from judge.commands.play.stray_lines import note_stray
from judge.games.core.who_may_see import PLAYS_TOO
from judge.games.notifications import pictures
from judge.games.orders import deferred_orders
from judge.games.orders.bids import BidLine, read_bid_lines
from judge.games.orders.deferred_orders import MOST_LINES, Said, block, read_ahead, read_branches, read_condition
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.mails.results import results_of
from judge.rules import (
    NEUTRAL,
    Order,
    OrderError,
    PhaseError,
    Variant,
    Waive,
    adjudicate,
    counted,
    kind,
    read_phase,
    year,
)
from judge.rules.board.names import fold
from judge.rules.board.phase import first_from, following
from judge.rules.mechanisms.auction import check_neutral_order, most_income
from judge.rules.parsing.decoration import UNPLACED, heading_of
from judge.rules.parsing.lines import OwnOrder, Reading, names_neutral, own_orders, readings, slot_named, whose_slot
from judge.rules.parsing.recognition import joined
from judge.rules.suggestions import corrected, is_read

# The mark for an unreadable phase. Lines after a heading with such a phase must not be filed for the open phase.
UNKNOWN = "?"
NOT_KEPT = f"not saved: an email can have at most {MOST_LINES} lines for a later phase."
command = Family("orders", who=Who.PLAYER | Who.MASTER, when=When.OPEN, of_phase=True, passwordless=True)


@command(
    "CLEAR [<unit> | <power>]",
    reads="[ALL | <unit>]",
    who=Who.PLAYER,
    help="take back all your orders for this phase, or only those of a unit or of one of your powers",
)
def clear(context: CommandContext, unit: str | None) -> None:
    """Withdraw all orders for the open phase, or only those for `unit`.

    After PHASE, withdraw all lines for the phase that PHASE named.
    """
    here = context.seat
    book, own = here.book, here.power
    if here.lines.gives_orders and not context.call.is_in_capitals:
        raise MaybeSentence("Your orders were kept, because this email also gives orders.")
    if here.lines.ahead:
        _clear_ahead(context, unit)
        return
    unit = unit or _own_heading(here)
    power, slot = _named_in_clear(book.variant, own, unit)
    gone, master = book.withdraw(power, slot), blind(context)
    if not (unit or master):
        here.lines.spared = book.bids.given(own)
    stand, given = book.given(own), context.letter.orders
    given.latest = {of: order for of, order in given.latest.items() if order in stand}
    here.lines.ordered = True
    if master:
        master.ordered = True
    elif not gone:
        if any(bid.order.slot == slot for bid in book.bids.given(own)):
            raise CommandError(f"Your bids for {unit} stay on file. DP 0: {unit} takes them back.")
        raise CommandError(f"There is no order for {unit} on file." if unit else "There are no orders on file.")
    of_unit = f" for {unit}" if unit else ""
    _note_cleared(context, "", gone, f"Any orders on file{of_unit} have been taken back.")


def _own_heading(here: Seated) -> str:
    """Return the name above CLEAR if it is one of the player's several powers, or ""."""
    above = here.lines.heading.text if here.lines.heading else ""
    named, several = here.variant.power_names.whole(above), here.variant.powers_of(here.power)
    return named.name if named and len(several) > 1 and named.name in several else ""


def _clear_ahead(context: CommandContext, unit: str | None) -> None:
    """Withdraw all lines for the phase that PHASE named."""
    here, later = context.seat, context.seat.lines.ahead
    if unit:
        raise CommandError(f"Lines for {later} can only be taken back all together: write CLEAR on its own.")
    gone = deferred_orders.drop(context.session, here.game, here.power, later)
    here.lines.kept_for.pop(later, None)
    _note_cleared(context, later, gone, f"Any lines for {later} have been taken back.")


def _named_in_clear(variant: Variant, own: str, unit: str | None) -> tuple[str, str]:
    """Return the power and the unit's province that CLEAR names.

    The province "" means all units of the power. Without `unit`, CLEAR names all units of the player's own power. A
    player of several powers can clear one by its full name, unless a province has that name. Any other text must name a
    unit, or CommandError is raised.
    """
    if not unit:
        return own, ""
    named, several = variant.power_names.whole(unit), variant.powers_of(own)
    if named and named.name in several and len(several) > 1 and fold(unit) not in variant.names.exact:
        return named.name, ""
    with refused(OrderError):
        return own, slot_named(variant, unit)


def _note_cleared(context: CommandContext, phase: str, gone: Sequence[str], unseen: str) -> None:
    """Note which orders CLEAR has taken back.

    A sender who may not see the orders on file gets the text `unseen`.
    """
    if master := blind(context):
        master.done.append(unseen)
        return
    context.seat.lines.cleared.setdefault(phase, []).extend(gone)


@command("SET WAIT", "SET W", "WAIT", of_seat=True, help="don't process this phase before its deadline")
def wait(context: CommandContext) -> None:
    """Keep the open phase from being processed before its deadline."""
    _set_wait(context, True)


@command(
    "SET NOWAIT",
    "SET NO WAIT",
    "SET NOW",
    "NOWAIT",
    "NO WAIT",
    of_seat=True,
    help="let the phase be processed as soon as all orders are in",
)
def nowait(context: CommandContext) -> None:
    """Let the open phase be processed as soon as all orders are in."""
    _set_wait(context, False)
    name = context.seat.open_phase.name
    context.remark(f"{name} will be processed as soon as all orders are in, unless someone else has set WAIT.")


def _set_wait(context: CommandContext, waits: bool) -> None:
    here = context.seat
    if here.lines.ahead:
        raise CommandError("WAIT is for the current phase only, and the PHASE line above it names another.")
    if waits and here.book.is_past_deadline(context.work.now):
        raise CommandError(f"The deadline of {here.open_phase.name} has passed, so WAIT can no longer hold it up.")
    seat = here.row
    if waits and seat.power:
        _refuse_wait(here, seat.power)
    seat.waits = waits
    context.session.add(seat)
    here.lines.ordered = True
    if master := blind(context):
        master.done.append(f"WAIT is {'set' if waits else 'not set'} now.")
    if not seat.power:
        name = here.open_phase.name
        held = f"{name} won't be processed by itself before its deadline."
        context.settle(held if waits else f"You no longer hold up {name}.")


def _refuse_wait(here: Seated, power: str) -> None:
    if power not in here.book.still_in:
        raise CommandError(f"{power} has nothing left on the board, so it cannot hold up a phase.")
    if here.settings.strict_wait and power not in here.book.asked:
        raise CommandError("In this game only players who have something to order can set WAIT (StrictWait).")


ahead = Family("orders", who=Who.PLAYER, when=When.OPEN)


@ahead(
    "IF <condition> [THEN] (then orders, ELSE IF <condition>, ELSE and ENDIF, each on a line of its own)",
    reads="<condition>",
    body=Body.CONDITION,
    help="after PHASE: orders that depend on where units are when that phase opens: IF NOT German A MUN AND (F NTH "
    "OR F ENG)",
)
def keep_choice(context: CommandContext, condition: str) -> None:
    """Save the text from IF to ENDIF for the phase that PHASE named, or refuse all of it."""
    here = context.seat
    power = here.power
    unsaved = f"Nothing from IF {'to ENDIF' if context.call.ended else 'on'} was saved."
    if here.lines.ahead in ("", UNKNOWN):
        raise CommandError(f"IF is for a later phase: write PHASE {later(context)} above it. {unsaved}")
    variant = here.variant.at(here.lines.ahead)
    lines = [f"IF {condition}", *context.call.body]
    try:
        branches = read_branches(variant, power, here.lines.ahead, lines)
    except OrderError as mistake:
        told = corrected(mistake, partial(_may_be_inside, context, variant))
        raise CommandError(f"{told} {unsaved}") from None
    bidding = any(isinstance(said, BidLine) for _, lines in branches for said in lines)
    if bidding and here.acting and not sees(context, "bids", power=power):
        raise CommandError(f"{PLAYS_TOO}, so you cannot bid for others. {unsaved}")
    if not context.call.ended:
        raise CommandError(f"ENDIF is missing: put it on a line of its own. {unsaved}")
    _save(context, [block(lines)], sum(len(lines) for _, lines in branches))


def _may_be_inside(context: CommandContext, variant: Variant, line: str) -> bool:
    """Return whether a line could be a condition, or an order within a condition."""
    return is_read(partial(read_condition, variant), line) or _is_possible(context, variant, line)


def later(context: CommandContext) -> str:
    """Return the next movement phase after the open phase, for an example that the sender can copy."""
    return first_from(following(context.seat.open_phase.name), "M")


def below_heading(context: CommandContext, line: str, wanted: str) -> None:
    """Carry out a line that is only the name of a phase, as if it began with PHASE.

    `wanted` is the phase, or UNPLACED if it cannot be determined.
    """
    context.seat.lines.ahead, context.seat.lines.ahead_line = UNKNOWN, line
    try:
        if wanted == UNPLACED:
            which = "For which phase are the lines after this?"
            raise CommandError(f"{which} Write PHASE and its name, like PHASE {later(context)}.")
        _turn_to(context, wanted)
    except CommandError as refusal:
        context.remark(str(refusal), "error", line)


def _turn_to(context: CommandContext, wanted: str) -> None:
    """Set the phase for the lines that follow, or raise CommandError if no lines can be saved for it."""
    here = context.seat
    here.lines.heading = None
    now = here.open_phase.name
    if deferred_orders.order_of(wanted) < deferred_orders.order_of(now):
        raise CommandError(f"{wanted} is over. The open phase is {now}. The lines after it were not saved.")
    if year(wanted) - year(now) > deferred_orders.YEARS_AHEAD:
        most = deferred_orders.YEARS_AHEAD
        raise CommandError(f"{wanted} is more than {most} years ahead. The lines after it were not saved.")
    if here.passwordless and wanted != now:
        raise CommandError(f"{needs_password(here)} The lines after it were not saved.")
    here.lines.ahead = "" if wanted == now else wanted


def keep(context: CommandContext, lines: list[str]) -> None:
    """Save `lines` that can be read for the phase that PHASE named, to be checked when it opens."""
    here = context.seat
    power = here.power
    if here.lines.ahead == UNKNOWN:
        heading, unfiled = here.lines.ahead_line, context.answer.unfiled
        if any(kind_of(here.variant, line) != "prose" for line in lines):
            unfiled.setdefault(heading, "")
        return
    variant = here.variant.at(here.lines.ahead)
    lines = _without_false_conditions(context, variant, joined(variant, kind(here.lines.ahead), lines))
    read = [_read_ahead(context, variant, line) for line in lines[:MOST_LINES]]
    good = _affordable(context, variant, power, _once([said for line in read for said in line]))
    for line in lines[MOST_LINES:]:
        context.remark(NOT_KEPT, "error", line)
    if good:
        _save(context, [said.text for said in good], len(good))


def _once(good: Sequence[Said]) -> list[Said]:
    """Return the lines without repetitions, keeping the last of equal lines.

    Repeated bids for one order are all kept, because they are added up. Repeated waives are all kept too.
    """
    kept: dict[object, Said] = {}
    for said in good:
        order: object = object()
        if isinstance(said, Reading) and not isinstance(said.order, Waive):
            order = said.power, said.order
            kept.pop(order, None)
        kept[order] = said
    return [*kept.values()]


def _read_ahead(context: CommandContext, variant: Variant, line: str) -> list[Said]:
    """Return the orders in a line for the phase that PHASE named, or none if one is unreadable."""
    here = context.seat
    if kind_of(variant, line) not in ORDERS:
        note_stray(context, line)
        return []
    read = read_ahead(variant, here.power, here.lines.ahead, line)
    wrong = [corrected(one, partial(_is_possible, context, variant)) for one in read if isinstance(one, OrderError)]
    if wrong and len(read) > 1:
        # If one order on a line is unreadable, the meaning of the others is uncertain.
        wrong[-1] += " Nothing on this line was saved."
    for number, why in enumerate(wrong):
        context.remark(why, "error", line, more=number > 0)
    return [one for one in read if not isinstance(one, OrderError)] if not wrong else []


def _is_possible(context: CommandContext, variant: Variant, line: str) -> bool:
    """Return whether a line could be saved for the phase that PHASE named."""
    read = read_ahead(variant, context.seat.power, context.seat.lines.ahead, line)
    return bool(read) and not any(isinstance(one, OrderError) for one in read)


def _save(context: CommandContext, texts: Sequence[str], lines: int) -> None:
    """Save the texts for the phase that PHASE named. `lines` is the number of orders in them."""
    here, later = context.seat, context.seat.lines.ahead
    deferred_orders.keep(context.work, here.game, here.power, later, texts, context.letter.row.id)
    here.lines.kept_for[later] += lines


def _affordable(context: CommandContext, variant: Variant, power: str, good: list[Said]) -> list[Said]:
    """Return the lines, but without all bids if these exceed the most points that the power can have."""
    bids = [kept for kept in good if isinstance(kept, BidLine)]
    spent, most = sum(bid.points for bid in bids), most_income(variant, power)
    if spent <= most:
        return good
    why = f"not saved: they would spend {counted(spent, 'point')}, and {power} never has more than {most}."
    for bid in bids:
        context.remark(NOT_STORED, "error", bid.text)
    context.answer.foremost.append(f"Your bids for {context.seat.lines.ahead} were {why}")
    return [kept for kept in good if not isinstance(kept, BidLine)]


def _without_false_conditions(context: CommandContext, variant: Variant, lines: Sequence[str]) -> list[str]:
    """Return the lines without the orders above an ENDIF that has no IF.

    If the condition begins with another word, such as WHEN or UNLESS, its orders must not become unconditional.
    """
    kept = []
    for line in lines:
        if line.strip(" .;").upper() != "ENDIF":
            kept.append(line)
            continue
        ordered = 0
        while kept and kind_of(variant, kept[-1]) in ORDERS:
            kept.pop()
            ordered += 1
        began = kept.pop() if kept else ""
        above = f'"{began}" is not a condition' if began else "There is no IF above it"
        why = f"{above}, so {counted(ordered, 'line')} above ENDIF {'was' if ordered == 1 else 'were'} not saved."
        instead = "Write, for example, IF NOT A MUN on a line of its own."
        context.remark(f"{why} {instead}", "error", line)
    return kept


@ahead(
    "PHASE <phase> | NOW",
    reads="<later phase>",
    passwordless=True,
    heads=True,
    help="the lines that follow are for a later phase, like PHASE S1903M; CLEAR after it takes them back",
)
def set_phase(context: CommandContext, phase: str) -> None:
    """Save the lines that follow for this later phase. After PHASE NOW, lines are for the open phase again."""
    here = context.seat
    here.lines.ahead, here.lines.ahead_line = UNKNOWN, context.call.line
    named, *beyond = _BEYOND.split(phase, maxsplit=1)
    if named.isdecimal():
        raise CommandError(
            f"{named} is a year: write PHASE S{named}M for its spring, PHASE F{named}M for its fall or PHASE W{named}A "
            "for its winter. The lines after it were not saved."
        )
    with refused(PhaseError, after=" The lines after it were not saved."):
        now = here.open_phase.name
        wanted = now if named.upper() == "NOW" else read_phase(named, now)
    if any(kind_of(here.variant, text.strip()) in ORDERS for text in beyond):
        raise CommandError(
            f"Write only PHASE {wanted} on this line, and the orders below it. The lines after it were not saved."
        )
    _turn_to(context, wanted)


# Signs that end the name of a phase, as in "F1901M:" or "F1901M (if all goes well)".
_BEYOND = re.compile(r" ?[:,;(]|\.? ?$")


# --- WHATIF -----------------------------------------------------------------------------------------------------

_NO_BIDS = "Bids are ignored here: write what the neutral would do, without DP."
guess = Family("orders", "whatif", who=Who.PLAYER, when=When.OPEN, of_phase=True, of_seat=True, personal=True)


def stopped(context: CommandContext, call: Call) -> str:
    """Return a sentence that says that the judge stopped reading at a WHATIF or a similar line."""
    end = "ENDWHATIF on a line of its own below your guesses"
    if call.name:
        return f"Nothing from WHATIF on was read or recorded, because ENDWHATIF is missing. Send it again with {end}."
    line = context.answer.some([call.line])
    if ends_sandbox(call.line):
        return (
            f'"{line}" has no WHATIF above it, so no order in this part of your email was read or recorded. Send it '
            f"again with WHATIF on a line of its own above your guesses, and {end}."
        )
    return f'Nothing from "{line}" on was read or recorded: send it again with WHATIF on a line of its own, and {end}.'


@guess(
    "WHATIF",
    body=Body.SANDBOX,
    passwordless=True,
    help="show what would happen with your orders on file and the orders on the next lines, up to ENDWHATIF; "
    "nothing is recorded",
)
def what_if(context: CommandContext) -> None:
    """Show the outcome of the orders between WHATIF and ENDWHATIF in words and as a picture, without filing them."""
    game, book = context.seat.game, context.seat.book
    guessed = _guessed(context, book, context.call.body)
    outcome = adjudicate(book.variant, book.position, guessed)
    title = f"What if, in {game.name}: these results are only a guess."
    result = results_of(book.variant, book.position, outcome)
    told = {"full": None, "is_guess": True, "left_out": _bids_left_out(context, guessed.get(NEUTRAL, ()))}
    context.say(context.written("prediction", result=result, game=game, turn=book.phase.number, **told), title)
    show(context, game, pictures.scene(game, book.position, outcome, "what if"))


def _bids_left_out(context: CommandContext, guessed: Sequence[Order]) -> str:
    """Return a sentence on the player's bids that the outcome ignores, or "" if there are none.

    The bids are on file, or will be after this letter. Bids for a neutral with a guess are not mentioned.
    """
    here, settled = context.seat, {order.slot for order in guessed}
    readable, _ = read_bid_lines(here.lines.bid_lines)
    standing = here.book.bids.would_stand(here.power, readable)
    bids = [f"DP {bid.points}: {bid.text}" for bid in standing if bid.order.slot not in settled]
    if not bids:
        return ""
    return (
        f"Your bids are left out of this guess: {'; '.join(bids)}. To see what such an order would do, write it after "
        "WHATIF without its points."
    )


def refuse_above_signon(context: CommandContext) -> None:
    """Refuse WHATIF before all sign-ons."""
    unread = "" if context.call.ended else f"{stopped(context, context.call)} "
    context.settle(f"{unread}WHATIF comes after SIGNON: sign on above it.")


def _guessed(context: CommandContext, book: FiledOrders, lines: Sequence[str]) -> dict[str, list[Order]]:
    """Return each power's orders for WHATIF.

    The orders are the guesses on the lines, and the player's own orders on file for units without a guess.
    """
    given = _guesses(context, book, lines)
    guessed = {power for power, _ in given}
    orders: dict[str, list[Order]] = {}
    for power in book.variant.powers_of(context.seat.power):
        if not (book.kind == "A" and power in guessed):
            orders[power] = [order for order in book.orders_of(power) if (power, order.slot) not in given]
    for (power, _), order in given.items():
        orders.setdefault(power, []).append(order)
    return orders


def _guesses(context: CommandContext, book: FiledOrders, lines: Sequence[str]) -> dict[tuple[str, str], Order]:
    """Return the last guess for each unit, by power and province. Lines that are not guesses get a remark."""
    given: dict[tuple[str, str], Order] = {}
    heading, left_out = "", 0
    for line in lines:
        name = heading_of(book.variant, line)
        if name or line.endswith(":"):
            heading = name or line.rstrip(" :")
            continue
        earlier = [(power, order) for (power, _), order in given.items()]
        try:
            for number, (power, order) in enumerate(_read_guess(context, book, heading, line, earlier)):
                given[power, f"{order.slot} {line} {number}" if order.slot == "WAIVE" else order.slot] = order
        except OrderError as mistake:
            told = corrected(mistake, partial(_may_be_guessed, context, book, heading, earlier))
            context.remark(f"{told} This line was left out of WHATIF.", "stray", line)
            left_out += 1
    if left_out:
        context.answer.foremost.append(f"{counted(left_out, 'line')} left out of WHATIF.")
    return given


def _may_be_guessed(
    context: CommandContext, book: FiledOrders, heading: str, earlier: Sequence[OwnOrder], line: str
) -> bool:
    try:
        return bool(_read_guess(context, book, heading, line, earlier))
    except OrderError:
        return False


def _read_guess(
    context: CommandContext, book: FiledOrders, heading: str, line: str, earlier: Sequence[OwnOrder]
) -> list[OwnOrder]:
    """Return the orders of a line, each with its power, or raise OrderError if one of them cannot be read.

    `earlier` has the orders on the lines before this one. An order for "all others" does not include their units.
    """
    variant, position = book.variant, book.position
    if kind_of(variant, line) == "bid":
        raise OrderError(_NO_BIDS)
    named, colon, rest = line.partition(":")
    whose, text = (named.strip(), rest) if colon else (heading, line)
    seat = context.seat.power
    try:
        seat = variant.seat(whose).name if whose else seat
    except KeyError as unknown:
        if not names_neutral(variant, position, whose):
            raise OrderError(unknown.args[0]) from None
        whose = ""
    text = f"{whose}: {text}" if whose else text
    found = []
    for reading in readings(variant, seat, position.kind, text):
        if isinstance(reading, OrderError):
            raise reading
        # An order without a power's name is for the power that has the unit or center.
        there = "" if whose else whose_slot(position, reading.order)
        if there == NEUTRAL:
            found.append((NEUTRAL, check_neutral_order(variant, position, reading.order)))
            continue
        owner = variant.seat_of(there) if there else seat
        found += own_orders(variant, position, owner, reading, [*earlier, *found])
    return found


SLIPS = (Slip(names=("WHATIF",), place=Place.LOBBY, handler=refuse_above_signon, body=Body.SANDBOX),)
