"""Open a closed phase again, as it was when it was closed (judge/store/kept.py).

ROLLBACK opens a phase that was processed. An ended game is opened again in its last phase, even if votes or the master
ended it there. Orders are not restored if the person who rolls back is a player and may have read the orders.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from judge.games.core.board import board, variant_of
from judge.games.core.settings import change_settings, settings_of
from judge.games.core.who_may_see import ANYBODY, may_see, played_stage, playing_masters, told_by_end
from judge.games.core.work import Refusal, Work
from judge.games.deadlines import schedule
from judge.games.deadlines.due import PAUSED, while_forming
from judge.games.life import corrections, forming, lifecycle, membership
from judge.games.life.corrections import Correction, Dropped
from judge.games.notifications import notices
from judge.games.notifications.gathering import OF_ENDING
from judge.games.orders import votes
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import may_bid, own_forms
from judge.rules import capitalized, listed, seats_asked
from judge.store import kept
from judge.store.games import future_lines, phases_of, votes_in
from judge.store.seats import forget_attendance, lost_in, masters_of, seats_of
from judge.store.tables import NEVER, Game, Phase, Seat

_TIMES = ("earliest_at", "deadline_at", "grace_ends_at", "floor_at", "newcomers")
# The time after its end within which a game can be opened again.
REOPENS = timedelta(days=30)


def reached(game: Game, phases: Sequence[Phase]) -> list[Phase]:
    """Return the phases that can be opened again: all processed ones, and the one in which the game ended."""
    return [phase for phase in phases if phase.outcome or (game.state == "finished" and phase is phases[-1])]


def rollback(work: Work, game: Game, name: str, ruler: str, *, plays: bool) -> tuple[Phase, Dropped]:
    """Open the last phase of that name again, and notify all players.

    If `name` is "", the last phase in which anyone could order is meant. All that was played since then is undone. The
    rows of the undone phases stay, without outcomes. The lateness of players in these phases is forgotten, unless it
    cost a power that was not given back. If `name` is the open phase, only the corrections in it are undone. `ruler`
    names who rolls back, as the beginning of a sentence. `plays` is true if that person is a player. Returns the phase
    that is open now, and the dropped orders and bids. Orders are dropped if the board has changed since.
    """
    phases = phases_of(work.session, game)
    last = phases[-1] if phases else None
    if last and last.name == name and not last.processed_at:
        return last, corrections.undo(work, game, last, ruler)
    target = phase_to_reopen(game, phases, name)
    was_processed = target.outcome is not None
    is_read = was_processed and (plays or not masters_of(work.session, game))
    # A master who plays now may have seen all bids before beginning to play.
    playing = playing_masters(game, seats_of(work.session, game))
    are_bids_known = was_processed and (may_see(ANYBODY, game, "bids", played_stage(game)) or bool(playing))
    reopened, known = game.state == "finished", told_by_end(work.session, game)

    extended = settings_of(game).extended
    back = _seats_back(work, game, phases[phases.index(target) + 1 :])
    opened = _open(work, game, phases, target, is_fresh=is_read)
    book, dropped = _file_again(work, game, target, opened, orders=not is_read, bids=not (is_read or are_bids_known))
    have_ended = votes.agreed_end(work.session, game, opened) is not None
    if have_ended:
        votes.clear(work.session, opened)
    ahead = _replace_lines(work, game, target)
    work.log("rollback", game, target.name, opened)
    sentences = [
        f"{ruler} has {'reopened and ' * reopened}rolled back {game.name} to {target.name}. Everything since "
        "then is undone.",
        *_told_of_file(book, target, is_read=is_read, are_bids_known=are_bids_known, has_votes=not have_ended),
        "Votes that would end the game again have been cleared, and players can vote again." * have_ended,
        _told_of_time(game, target, opened, is_read),
        "Other changes since then stay: settings, powers in civil disorder and who plays.",
        "Extensions used since then are available again." * (settings_of(game).extended != extended),
        f"Players still know what the end of the game revealed: {listed(known)}." if known else "",
    ]
    text = " ".join(filter(None, sentences))
    what = f"Rollback to {target.name}"
    context = {"text": text, "opens": opened.name}
    announcement = notices.Announcement(game, opened, "news", what, context, about="rollback")

    def own(mine: Sequence[Seat], _: str) -> Mapping[str, object]:
        told = [ahead[seat.power] for seat in mine if seat.power in ahead]
        again = [f"You play {one.power} again: you lost it after {target.name}, because you were late." for one in mine
                 if one in back]  # fmt: skip
        return {"text": " ".join([*again, text, *told]), "forms": own_forms(work, book, mine)}

    notices.tell_all(work, announcement, own=own)
    for seat in back:
        membership.tell_return(work, game, seat)
    why = f"{game.name} has been rolled back to {target.name}, but its board is no longer as it was then."
    corrections.tell_owners(work, book, Correction(why, "Orders Dropped"), dropped.by_seat)
    return opened, dropped


def _seats_back(work: Work, game: Game, undone: Sequence[Phase]) -> list[Seat]:
    """Give powers back to the players who lost them by being late in the `undone` phases, and return the seats."""
    lost = [seat for seat in lost_in(work.session, undone) if seat.power not in settings_of(game).disorder]
    for seat in lost:
        forming.sit_again(work, game, seat, seat.address)
    return lost


def phase_to_reopen(game: Game, phases: Sequence[Phase], name: str) -> Phase:
    """Return the last phase of that name that can be opened again. Raises Refusal.

    If `name` is "", the last phase in which anyone could order is meant.
    """
    choices = reached(game, phases)
    if name:
        choices = [phase for phase in choices if phase.name == name]
    else:
        # Leave out phases in which no one could order, since they would be processed again immediately.
        choices = [phase for phase in choices if not phase.outcome or seats_asked(*board(game, phase))]
    if not choices:
        raise Refusal(f"{name} was not played in {game.name}." if name else "Nothing has been played yet.")
    return choices[-1]


def _open(work: Work, game: Game, phases: Sequence[Phase], target: Phase, *, is_fresh: bool) -> Phase:
    """Undo everything since `target` was closed, and open a new phase in its place."""
    last, since = phases[-1], phases.index(target)
    if last.processed_at is None:
        lifecycle.close(work, game, last, seats_of(work.session, game))
    before = next((phase for phase in reversed(phases[:since]) if phase.outcome), None)
    for phase in phases[since:]:
        phase.outcome = None
    forget_attendance(work.session, phases[since:])
    then = kept.of(target)
    if "extended" in then:
        change_settings(game, extended=then["extended"])
    game.state, game.ended_at, game.result = then.get("state", "active"), None, ""
    position = corrections.without_lost(game, board(game, target)[1])
    opened = lifecycle.begin_phase(work, game, position, previous=before, number=last.number + 1)
    if not is_fresh and (game.state == "paused" or target.deadline_at > work.told_at):
        for name in _TIMES:
            setattr(opened, name, getattr(target, name))
    kept.keep(opened, **{name: then[name] for name in ("position", "orders", "bids") if name in then})
    if game.state == "paused":
        # The pause began at the same time and for the same reason as when the phase was closed.
        game.idle = then["idle"]
        schedule.stop_clock(work, game, opened, timedelta(days=work.settings.idle_limit) if game.idle else PAUSED)
        game.stopped_at = datetime.fromisoformat(then["stopped_at"])
    return opened


def _file_again(
    work: Work, game: Game, target: Phase, opened: Phase, *, orders: bool, bids: bool
) -> tuple[FiledOrders, Dropped]:
    """Restore orders and bids (if `orders` and `bids` are true), and votes and WAIT of people who still play."""
    variant, lost = variant_of(game), settings_of(game).disorder
    filed = kept.filed(work.session, target)
    wanted = [*["orders"] * orders, *["bids"] * bids]
    back = {name: [row for row in filed[name] if variant.seat_of(row["power"]) not in lost] for name in wanted}
    kept.file_again(work.session, back, opened, work.now)
    until = target.processed_at or work.now
    there = [seat for seat in seats_of(work.session, game) if seat.role != "observer" and seat.joined_at <= until]
    same = {seat.power or seat.address: seat for seat in there}
    kept.vote_again(work.session, (vote for vote in votes_in(work.session, target) if vote.power in same), opened)
    then = kept.of(target)
    if "waits" in then:
        for name, seat in same.items():
            seat.waits = name in then["waits"]
    book, dropped = corrections.set_board(work, game, opened)
    schedule.rearm(work, game, opened)
    schedule.leave_until_deadline(work, book)
    return book, dropped


def _replace_lines(work: Work, game: Game, target: Phase) -> dict[str, str]:
    """Restore the lines for later phases, and return {power: a sentence about its lines}."""
    lines = kept.of(target).get("lines")
    if lines is None:
        return {}
    now = [line.model_dump(include=kept.OF_LINE) for line in future_lines(work.session, game)]
    lines = [line for line in lines if line["power"] not in settings_of(game).disorder]
    kept.replace_lines(work.session, game, lines, work.now)
    gone = [line for line in now if line not in lines]
    told = {}
    for power in dict.fromkeys(line["power"] for line in (*lines, *gone)):
        back, lost = _phases_of(lines, power), _phases_of(gone, power)
        told[power] = f"Your orders for later phases are as they were then: {back or 'none'}."
        told[power] += f" Sent since then, and no longer on file: {lost}." if lost else ""
    return told


def _phases_of(lines: Iterable[Mapping[str, Any]], power: str) -> str:
    """Return how many lines a power has for each later phase, such as `2 for F1901M, 1 for S1902M`."""
    numbers = Counter(line["phase_name"] for line in lines if line["power"] == power)
    return ", ".join(f"{number} for {phase}" for phase, number in numbers.items())


def _told_of_file(
    book: FiledOrders, target: Phase, *, is_read: bool, are_bids_known: bool, has_votes: bool
) -> list[str]:
    """Return sentences on the orders, bids, votes and WAIT that were restored, and on those that were not."""
    bids = may_bid(book.variant, book.position)
    also = ["WAIT"] * ("waits" in kept.of(target)) + ["votes"] * has_votes
    told = []
    if is_read:
        told.append("Orders are not restored, because players have read all of them. Send your orders again.")
    if bids and (is_read or are_bids_known):
        told.append("Bids are not restored, because others in the game may know them: players need to bid again.")
    back = ["orders"] * (not is_read) + ["bids"] * (bids and not told) + also
    restored = f"{capitalized(listed(back))} of that time are restored, and players can change them." if back else ""
    return [restored, *told]


def _told_of_time(game: Game, target: Phase, opened: Phase, is_fresh: bool) -> str:
    if opened.deadline_at >= NEVER:
        return ""
    if game.state == "paused":
        return "The game is paused, as it was then."
    if opened.deadline_at == target.deadline_at and not is_fresh:
        return "The phase has its old deadline again."
    return "The phase has its full time again."


def form_again(work: Work, game: Game, ruler: str) -> None:
    """Undo the end of a game that had not begun, so that it is forming again."""
    game.state, game.ended_at, game.result = "forming", None, ""
    game.notice_at = while_forming(work.now, work.now)
    work.log("rollback", game, "forming")
    text = (
        f"{ruler} has reopened {game.name}: it is forming, as before it ended. People who had asked for a place in it "
        "have to ask again."
    )
    notices.tell_news(work, game, "Reopened", text, about=OF_ENDING)
