"""PHASE: the order lines that follow are for a later phase."""

from judge.desk.core.answer import STRAY, Remark
from judge.desk.core.command import Call, Command, Place, When, Who
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.games.core.board import variant_of
from judge.games.life import orders_ahead
from judge.games.orders.bid_lines import is_bid_line
from judge.games.orders.kept_lines import Kept, read_ahead
from judge.rules import OrderError, PhaseError, looks_like_order, read_phase
from judge.rules.board.phase import kind, year
from judge.rules.order_texts.unfinished import joined

# A phase that could not be read: the lines below it must not count for the open phase by mistake.
UNKNOWN = "?"


# The limit for one phase and one block: more than any power has units.
MOST_LINES = 300
NOT_KEPT = f"not kept: a letter keeps at most {MOST_LINES} lines for a later phase."


def set_phase(visit: Visit, call: Call, phase: str) -> None:
    """PHASE <phase>: what follows is kept for it; the open phase, or NOW, ends that."""
    assert visit.phase
    now = visit.phase.name
    visit.ahead = UNKNOWN
    try:
        wanted = now if phase.upper() == "NOW" else read_phase(phase)
    except PhaseError as wrong:
        raise CommandError(f"{wrong} The lines below were not kept.") from None
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
    game, seat = visit.game, visit.seat
    assert game and seat and seat.power
    if visit.ahead == UNKNOWN:
        return
    variant = variant_of(game).at(visit.ahead)
    good: list[Kept] = []
    lines = joined(variant, kind(visit.ahead), lines)
    for line in lines[:MOST_LINES]:
        if not (is_bid_line(variant, line) or looks_like_order(variant, line)):
            visit.answer.remarks.append(Remark("stray", line, STRAY))
            continue
        for kept in read_ahead(variant, seat.power, kind(visit.ahead), line):
            if isinstance(kept, OrderError):
                visit.answer.remarks.append(Remark("error", line, str(kept)))
            else:
                good.append(kept)
    visit.answer.remarks += [Remark("error", line, NOT_KEPT) for line in lines[MOST_LINES:]]
    if good:
        orders_ahead.keep(visit.turn, game, seat.power, visit.ahead, good, visit.row.id)
        visit.answer.remarks.append(
            Remark("note", f"PHASE {visit.ahead}", f"{len(good)} kept. They are checked when that phase opens.")
        )


COMMANDS = (
    Command(
        names=("PHASE",),
        arguments="<phase> | NOW",
        who=Who.PLAYER,
        topics=("orders",),
        place=Place.GAME,
        when=When.OPEN,
        passwordless=True,
        summary="the orders below are for a later phase, like PHASE S1903M; CLEAR below it takes them back",
        handler=set_phase,
        pattern=r"\s+(?P<phase>NOW|[SFWA][^\W\d]*\s*\d{4}\s*\w*)",
    ),
)
