"""A phase from its opening to its adjudication, and how a game ends.

Only the row of the open phase decides what is due (docs/decisions/exactly_once.md). `due_at` says when the phase will
be processed, and `notice_at` when the next notice is due. judge/games/deadlines/schedule.py sets both. `run_due` claims
the row and does what is due next, all in the caller's transaction.

A game can end with its last phase, by a draw or a concession, or by its master's decision. Without orders for two
movement phases, it is paused. Any player's order resumes it, and so does RESUME. If no player comes back, the game
ends.
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

from sqlalchemy.exc import OperationalError

from judge.games.core.board import letters_of, variant_of
from judge.games.core.settings import change_settings, settings_of
from judge.games.core.who_may_see import shown_to
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.life import applications
from judge.games.notifications import game_mails, notices
from judge.games.orders import votes
from judge.games.orders.bids import BidLine
from judge.games.orders.deferred_orders import order_of, read_kept, shown
from judge.games.orders.filed_orders import FiledOrders, Read, Unused
from judge.games.orders.standing import on_file, own_forms, whether_done
from judge.games.people import reliability
from judge.rules import OrderError, Position, kind, listed, outcome_to_json, position_to_json
from judge.rules.parsing.lines import is_about_the_rest
from judge.store import kept
from judge.store.games import future_lines, last_moves, lock, open_phase, ordered_since
from judge.store.inbox import last_outage
from judge.store.seats import by_power, players_of, seats_of
from judge.store.sent_mails import mails_since
from judge.store.tables import FutureLine, Game, Phase, Seat

log = logging.getLogger(__name__)

# The time from a failed adjudication of a phase until the next attempt.
HOLD = timedelta(minutes=10)
# The maximum number of successive phases that are processed immediately since no one can order. A year has no more
# phases, so more idle ones would suggest a mistake in the board.
MOST_IDLE = 5
# The beginnings of a game's result. The powers that share the result are added to them.
VICTORY, CONCEDED, DRAWN = "Victory", "Game Conceded to", "Draw Declared"


def begin_phase(work: Work, game: Game, position: Position, previous: Phase | None = None, number: int = 0) -> Phase:
    """Open the phase that `position` begins, by writing its row.

    `number` is the number of the phase, if it is not the next one after `previous`. No email about the phase is sent
    before the second it opens. So an email that reached the server earlier can be distinguished from one sent later.
    """
    floor = previous.floor_at if previous else None
    terms = schedule.opening_terms(work, game, position, first=previous is None, floor=floor)
    phase = Phase(
        game_id=game.key,
        number=number or (previous.number + 1 if previous else 1),
        name=position.phase,
        position=position_to_json(variant_of(game), position),
        **vars(terms),
        floor_at=schedule.floor_of(game, position.phase, terms, first=previous is None),
        known_at=work.known_at.replace(microsecond=0),
    )
    # The game may have been paused before it was unstarted.
    game.stopped_at, game.idle = None, False
    work.session.add(phase)
    work.session.flush()
    work.opened.add(phase.key)
    schedule.begin(work, game, phase)
    return phase


def run_due(work: Work, game: Game, phase: Phase) -> str:
    """Send the notice that is due for `phase`, or process it, and return a line for the log."""
    lock(work.session, phase)
    moment = phase.rings_at
    if phase.processed_at or moment is None or moment > work.now:
        return "was no longer due"
    if game.state == "paused":
        return _look_at_paused(work, game, phase)
    if _extend_after_outage(work, game, phase, moment):
        return "extended after an outage"
    if moment == phase.deadline_at and _extend_for_late(work, game, phase):
        return "extended for late players"
    if moment == phase.due_at:
        return "processed at its time" if process(work, game, phase, due=True) else "was no longer due"
    notice = schedule.go_on(game, phase, moment)
    schedule.tell_due(work, game, phase, moment)
    _pause_if_waiting_in_vain(work, game, phase, moment)
    return f"told: {notice}"


def _look_at_paused(work: Work, game: Game, phase: Phase) -> str:
    """End a paused game that no one plays any longer, or remind its people. Return a line for the log."""
    if not game.idle:
        schedule.remind_paused(work, game, phase)
        return "is paused: told"
    days = work.settings.idle_limit
    sentence = f"{game.name} has ended without a result: no player has sent an order in the last {days:g} days."
    _end(work, game, phase, "Game Abandoned", sentence)
    return "ended: nobody plays"


def _extend_after_outage(work: Work, game: Game, phase: Phase, moment: datetime) -> bool:
    """Move a deadline or end of grace that passed in an outage, if orders were missing or WAIT was set.

    Returns whether it was moved.
    """
    gone_at, back_at = last_outage(work.session) or (moment, moment)
    if moment not in (phase.deadline_at, phase.grace_ends_at) or not gone_at < moment <= back_at:
        return False
    book = FiledOrders(work.session, game, phase)
    if not book.waits() and not book.awaited():
        return False
    hours = round((back_at - gone_at) / timedelta(hours=1))
    what = "deadline" if gone_at < phase.deadline_at <= back_at else "grace period"
    why = f"The judge was down for {hours} hours, so the {what} of {phase.name} in {game.name} has been extended."
    schedule.extend_after_outage(work, game, phase, gone_at, back_at, why)
    return True


def _extend_for_late(work: Work, game: Game, phase: Phase) -> bool:
    """Extend the deadline by NEXT if a late player has an extension left, and notify all players.

    Returns whether the deadline was extended.
    """
    settings = settings_of(game)
    if not settings.extensions:
        return False
    played, book = players_of(work.session, game), FiledOrders(work.session, game, phase)
    late = [power for power in book.late(work.now) if power in played]
    used = {power: settings.extended.get(power, 0) for power in late}
    given = {power: times + 1 for power, times in used.items() if times < settings.extensions}
    if not given:
        return False
    change_settings(game, extended={**settings.extended, **given})
    by_times = groupby(sorted(given, key=given.__getitem__), given.__getitem__)
    whose = listed(f"{listed(some)} (extension {times} of {settings.extensions})" for times, some in by_times)
    told = f"for {whose}" if shown_to(None, game).changes else "for a player who would be late"
    why = f"The deadline of {phase.name} in {game.name} has been extended {told}, because orders are missing."
    schedule.extend(work, game, phase, why)
    return True


def process(work: Work, game: Game, phase: Phase, *, due: bool = False, by: str = "") -> bool:
    """Adjudicate `phase`. Return False if another process has done so or, with `due`, if it is not due.

    `by` names who processes the phase, as the beginning of a sentence. `by` is "" if the phase is processed at its
    time. If a movement phase is processed at its time, and no player has ordered since the last one, the game is
    paused.
    """
    seats = seats_of(work.session, game)
    if not close(work, game, phase, seats, due=due):
        return False
    early = " early" if work.now < phase.deadline_at else ""
    _adjudicate(work, game, phase, seats, by and f"{by} processed this phase{early}.")
    opened = open_phase(work.session, game) if due else None
    if opened and game.state == "active" and kind(phase.name) == "M":
        before = last_moves(work.session, game, phase.number)
        if before and not ordered_since(work.session, game, before.number):
            _pause_idle(work, game, opened)
    return True


def close(work: Work, game: Game, phase: Phase, seats: Sequence[Seat], *, due: bool = False) -> bool:
    """Close `phase` and keep its state (judge/store/kept.py). Return False if another process has closed it."""
    extended = settings_of(game).extended
    return kept.close(work.session, game, phase, seats, work.now, due=due, extended=extended)


def hold(work: Work, phase: Phase) -> None:
    """Postpone an adjudication or a notice that has failed, and notify the keeper.

    The keeper is notified immediately, and then once a day for each game. If the adjudication failed, all people in the
    game are also notified, but only once.
    """
    again_at = work.now + HOLD
    adjudicating, first = schedule.try_again(phase, again_at), phase.held_since is None
    game = work.session.get_one(Game, phase.game_id)
    told = adjudicating
    if first:
        phase.held_since = work.now
        told = adjudicating and _tell_held(work, game, phase, again_at)
    keeper = work.settings.keeper
    if first or not mails_since(work.session, keeper, "held", work.now - timedelta(days=1), game):
        what = f"{phase.name} cannot be processed" if adjudicating else f"A notice about {phase.name} cannot be written"
        work.notify_keeper("held", what, game=game, what=what, again_at=again_at, told=told)


def _tell_held(work: Work, game: Game, phase: Phase, again_at: datetime) -> bool:
    """Notify all people in the game of the delay, and return whether the email could be written.

    The error in the phase may also prevent this email, but the phase must be postponed even without the email.
    """
    context = {"again_at": again_at, "keeper": work.settings.keeper}
    announcement = notices.Announcement(game, phase, "delayed", f"{phase.name} Delayed", context)
    try:
        with work.session.begin_nested():
            notices.tell_all(work, announcement)
    except OperationalError:
        raise  # roll back everything that was done before
    except Exception:
        log.exception("game=%s phase=%s: the notices that it is on hold cannot be sent", game.name, phase.name)
        return False
    return True


def _adjudicate(work: Work, game: Game, phase: Phase, seats: Sequence[Seat], why: str = "", in_a_row: int = 0) -> None:
    """Adjudicate the claimed `phase` and open the next one, which is processed too if no one can order in it.

    `seats` are the seats of the game. `why` says who has processed the phase, as a sentence. `why` is "" if the phase
    was processed at its time. `in_a_row` is the number of phases directly before this one in which no one could order.
    """
    book = FiledOrders(work.session, game, phase)
    outcome = book.adjudicated()
    players = by_power(seats)
    attending = {} if settings_of(game).solo else players
    reliability.note_processed(work, phase, attending, book.asked, book.missing())
    phase.outcome = outcome_to_json(book.variant, outcome)
    for seat in seats:
        seat.waits = False
    work.log("processed", game, phase.name, phase)
    if outcome.winner or outcome.drawn:
        sentence = f"{outcome.winner} has won {game.name}. Well played!"
        result = f"{VICTORY}: {outcome.winner}"
        if not outcome.winner:
            result, drawn = _draw_told(game, outcome.drawn)
            sentence = f"The last year is over: {drawn}"
        _finish(work, game, phase, result)
        game_mails.tell_results(work, book, outcome, None, seats, why)
        _tell_end(work, game, phase, sentence)
        return
    following = begin_phase(work, game, outcome.position, previous=phase)
    next_book = FiledOrders(work.session, game, following)
    if in_a_row < MOST_IDLE and next_book.is_idle:
        game_mails.tell_results(work, book, outcome, list(next_book.missing()), seats, why)
        if close(work, game, following, seats):
            _adjudicate(work, game, following, seats, in_a_row=in_a_row + 1)
        return
    # File kept lines before mailing the results, since the forms in results show the orders on file.
    refused = _file_kept(work, next_book)
    game_mails.tell_results(work, book, outcome, next_book, seats, why)
    schedule.tell_absences(work, game, following, outcome.position, phase)
    _tell_kept(work, next_book, players, refused)
    schedule.reckon(work, next_book)


def _file_kept(work: Work, book: FiledOrders) -> dict[str, list[Unused]]:
    """File the lines kept for the book's phase, which has just opened, and return {power: refused lines}.

    Lines for this and earlier phases are deleted. Those of powers in permanent civil disorder are not filed.
    """
    now, disorder = order_of(book.phase.name), settings_of(book.game).disorder
    due: dict[str, list[FutureLine]] = {}
    for line in future_lines(work.session, book.game):
        if line.phase_name == book.phase.name and line.power not in disorder:
            due.setdefault(line.power, []).append(line)
        if order_of(line.phase_name) <= now:
            work.session.delete(line)
    return {power: _give_kept(book, power, lines, work.now) for power, lines in due.items()}


def _tell_kept(work: Work, book: FiledOrders, players: Mapping[str, Seat], refused: Mapping[str, list[Unused]]) -> None:
    for power, unused in refused.items():
        if seat := players.get(power):
            context = {
                **on_file(book, power),
                "refused": unused,
                "verdict": whether_done(book, power),
                "forms": own_forms(work, book, [seat]),
            }
            subject = f"{book.phase.name} Pending Orders"
            notices.tell_seat(work, seat, notices.Announcement(book.game, book.phase, "pending", subject, context))


def _give_kept(book: FiledOrders, power: str, lines: Sequence[FutureLine], now: datetime) -> list[Unused]:
    """File the kept lines of a power as if its player had just sent them. Return the refused lines with reasons."""
    said = [(line, one) for line in lines for one in read_kept(book.variant, power, book.position, line.text)]
    bids = [(line.letter_id, one) for line, one in said if isinstance(one, BidLine)]
    refused = [*_give_bids(book, power, bids, now)]
    read: list[Read] = []
    for line, one in sorted(said, key=lambda said: is_about_the_rest(said[1])):
        if not isinstance(one, BidLine):
            text = shown(line.text) if isinstance(one, OrderError) else one.text
            try:
                read += [(text, *own) for own in book.understood(power, one, read)]
            except OrderError as mistake:
                refused.append((text, str(mistake)))
    return [*dict.fromkeys(refused + book.give(read, lines[-1].letter_id, now))]


def _give_bids(
    book: FiledOrders, power: str, bids: Sequence[tuple[int | None, BidLine]], now: datetime
) -> Iterator[Unused]:
    """File the kept bids of a power, those of each email together, and yield the refused bids."""
    had = book.bids.income(power)
    for letter_id, letter in groupby(bids, key=itemgetter(0)):
        bidding = [bid for _, bid in letter]
        taken = book.bids.give(power, bidding, letter_id, now)
        if taken.stored:
            yield from taken.refused
            continue
        why = f"Not recorded: with these bids you would spend {taken.spend} points, but you have {had}."
        lost = dict(taken.refused)
        yield from ((bid.text, lost.get(bid.text, why)) for bid in bidding)


# --- the end of a game ---


def end_by_votes(work: Work, game: Game, phase: Phase) -> bool:
    """End the game if all survivors have voted for the same end, and return whether the game has ended."""
    agreed = votes.agreed_end(work.session, game, phase)
    if not agreed:
        return False
    how, powers = agreed
    result, sentence = _draw_told(game, powers)
    if how == "concede":
        result = f"{CONCEDED}: {letters_of(game, powers)}"
        sentence = f"{game.name} has been conceded to {votes.names(game, powers)}. Well played!"
    _end(work, game, phase, result, sentence)
    return True


def clear_votes(work: Work, game: Game) -> None:
    """Clear the votes to end the game if something other than a vote has made them agree.

    All players may vote again.
    """
    phase = open_phase(work.session, game)
    if not phase or not votes.agreed_end(work.session, game, phase):
        return
    votes.clear(work.session, phase)
    text = (
        f"The votes to end {game.name} that were cast before this have been cleared, so the game continues. To vote "
        f"for an end in {phase.name}, send SET DRAW or SET CONCEDE again."
    )
    notices.tell_news(work, game, f"{phase.name} Votes Cleared", text, about="votes")


def _draw_told(game: Game, powers: Collection[str]) -> tuple[str, str]:
    """Return the result and the sentence of a draw, as `Draw Declared: EF` and `heron is a draw between …`."""
    named = votes.names(game, powers)
    ends = f"is a draw between {named}" if len(powers) > 1 else f"ends with {named} alone"
    return f"{DRAWN}: {letters_of(game, powers)}", f"{game.name} {ends}. Well played!"


def terminate(work: Work, game: Game, phase: Phase | None, by: str) -> None:
    """End the game without a result, whether it has begun or not.

    `by` names who does so, as the beginning of a sentence.
    """
    _end(work, game, phase, "Game Terminated", f"{by} has terminated {game.name}.")


def _end(work: Work, game: Game, phase: Phase | None, result: str, sentence: str) -> None:
    """End the game without processing its open phase, and notify all people.

    If another process has just processed the phase, the game does not end.
    """
    if phase and not close(work, game, phase, seats_of(work.session, game)):
        return
    _finish(work, game, phase, result)
    _tell_end(work, game, phase, sentence)


def _finish(work: Work, game: Game, phase: Phase | None, result: str) -> None:
    """End the game after `phase`. The caller must call `_tell_end` afterwards."""
    game.state, game.ended_at, game.result, game.notice_at = "finished", work.now, result, None
    game.idle, game.stopped_at = False, None
    work.log("ended", game, result, phase)


def _tell_end(work: Work, game: Game, phase: Phase | None, sentence: str) -> None:
    game_mails.tell_end(work, game, phase, sentence)
    applications.drop_all(work, game, f"{game.name} has ended.")


def _pause_if_waiting_in_vain(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Pause the game if a movement phase has been open for twice its length without any order.

    The phase may wait for orders or for its master.
    """
    waits = phase.due_at is None and moment - phase.deadline_at >= phase.deadline_at - phase.opened_at
    if waits and kind(phase.name) == "M" and not ordered_since(work.session, game, phase.number):
        _pause_idle(work, game, phase)


def _pause_idle(work: Work, game: Game, phase: Phase) -> None:
    days = work.settings.idle_limit
    schedule.stop_clock(work, game, phase, timedelta(days=days))
    game.idle = True
    subject = f"{phase.name} Game Paused"
    text = (
        f"{game.name} is paused: no one has sent an order for two movement phases. {phase.name} has no deadline now. "
        f"Any player's order resumes the game, with a new deadline. If no order comes, the game "
        f"ends in {days:g} days."
    )
    notices.tell_news(work, game, subject, text)
    keeper = work.settings.keeper
    if all(seat.address != keeper for seat in seats_of(work.session, game)):
        work.notify_keeper("news", subject, game=game, phase=None, variant=variant_of(game), text=text)


def wake(work: Work, game: Game, phase: Phase) -> None:
    """Resume a game that was paused for lack of orders, since a player has sent some.

    The open phase gets the time that was left when the game was paused, at least a day.
    """
    if game.idle:
        schedule.resume(work, game, phase, f"A player has sent orders, so {game.name} has resumed at {phase.name}.")
