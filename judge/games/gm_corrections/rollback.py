"""Going back: a processed phase is opened again, with the orders that were on file for it."""

from judge.games.core.board import board, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_may_see import ANYBODY, may_see, played_stage, playing_masters
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.gm_corrections.corrections import Dropped, correct_position, set_board, tell_dropped, without_lost
from judge.games.life import lifecycle
from judge.games.notifications import notices
from judge.games.orders.forms import may_bid, own_forms
from judge.rules import position_from_json, seats_asked
from judge.store.games import claim, phases_of
from judge.store.orders import bids_on_file, file_bids, file_orders, orders_on_file
from judge.store.rows import id_of
from judge.store.seats import forget_attendance, seats_of
from judge.store.tables import Game, Phase


class RollbackRefused(Exception):
    """There is no such phase to go back to; the sentence says which there are."""


def rollback(work: Work, game: Game, name: str) -> tuple[Phase, Dropped]:
    """Open the last processed phase of that name again ("": the last in which anybody had a choice); everybody is told.

    Everything played since then is undone: the rows stay, without their outcomes, and nobody counts as in time or late
    for them. With the name of the open phase, the master's corrections in it are undone.

    Returns the phase that is open now, and which of its old orders went off the file: the board may have changed since.
    """
    played = phases_of(work.session, game)
    if played and played[-1].name == name and played[-1].uncorrected and not played[-1].processed_at:
        phase = played[-1]
        position = without_lost(game, position_from_json(variant_of(game), phase.uncorrected or {}))
        changes = ["All corrections of this phase have been undone."]
        dropped = correct_position(work, game, phase, position, changes, "A rollback")
        phase.uncorrected = None
        work.session.add(phase)
        return phase, dropped
    # Without a name a phase that had passed by itself is not meant: it would wait for no one.
    meant = (one for one in reversed(played) if (one.name == name if name else seats_asked(*board(game, one))))
    target = next((phase for phase in meant if phase.outcome), None)
    if target is None:
        raise RollbackRefused(f"{name} was not played in {game.name}." if name else "Nothing has been played yet.")
    last = played[-1]
    if last.processed_at is None and claim(work.session, last, work.now, due=False):
        last.processed_at = work.now
    # A master who plays may have begun to play after that phase.
    known = may_see(ANYBODY, game, "bids", played_stage(game)) or bool(playing_masters(seats_of(work.session, game)))
    undone = played[played.index(target) :]
    for phase in undone:
        phase.outcome = None
        work.session.add(phase)
    forget_attendance(work.session, undone)
    game.state, game.ended_at, game.result = "active", None, ""
    work.session.add(game)
    work.session.flush()
    variant, before = board(game, target)
    position = without_lost(game, before)
    opened = lifecycle.open_phase(work, game, position, previous=last)
    opened.uncorrected = target.uncorrected
    lost = settings_of(game).disorder
    filed = orders_on_file(work.session, id_of(target))
    orders = [order for order in filed if variant.seat_of(order.power) not in lost]
    file_orders(work.session, id_of(opened), orders, None, work.now)
    bids = [bid for bid in bids_on_file(work.session, id_of(target)) if bid.power not in lost and not known]
    file_bids(work.session, id_of(opened), bids, None, work.now)
    book, dropped = set_board(work.session, game, opened, position)
    schedule.wait_for_deadline(work.session, book)
    work.log("rollback", game, target.name, opened)
    text = (
        f"{game.name} has been rolled back to {target.name}; everything since then is undone. Orders of that time are "
        f"restored, and players can change them. Orders sent ahead for a phase after {last.name} are kept; those for "
        "an earlier one must be sent again."
    )
    if known and may_bid(variant, position):
        text += " Bids are not restored, because others in the game may know them: players need to bid again."
    what = f"Rollback to {target.name}"
    announcement = notices.Announcement(game, opened, "news", what, {"text": text})
    notices.tell_all(work, announcement, own=lambda mine, _: {"forms": own_forms(work, book, mine)})
    why = f"{game.name} has been rolled back to {target.name}, but its board is no longer as it was then."
    tell_dropped(work, game, book, why, dropped)
    return opened, dropped
