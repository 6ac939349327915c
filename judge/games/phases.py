"""A phase from its opening to its adjudication: when it is due, and what happens then.

The open phase's row is the only truth (design §5). `reckon` keeps its `due_at` right after every change;
`process` claims the row, adjudicates and opens the next phase, all in the caller's transaction.
"""

from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games import deadlines, future, notices
from judge.games.office import Office
from judge.games.orderbook import OrderBook
from judge.games.settings import GameSettings
from judge.rules import Outcome, Position, adjudicate, load_variant, outcome_to_json, position_to_json
from judge.store.lookups import claim, mailed_since, seats_of
from judge.store.tables import Event, Game, Phase

# How long a phase waits that could not be adjudicated, before it is tried again.
HOLD = timedelta(minutes=10)


def open_phase(
    session: Session, game: Game, position: Position, now: datetime, previous: Phase | None = None
) -> Phase:
    """Write the row of the phase that `position` begins; the first of a game lasts twice as long.

    It opens with the next whole second, since a mailbox's times have no finer grain, and nothing about it is
    mailed before: so a letter that reached the server before the phase opened can be told from one sent after.
    """
    settings = GameSettings.from_json(game.settings)
    terms = deadlines.terms(
        settings.timing(position.phase[-1]),
        _next_second(now),
        game.zone,
        not_before=previous.deadline_at if previous else None,
        stretch=1 if previous else 2,
    )
    phase = Phase(
        game_id=game.id,
        number=previous.number + 1 if previous else 1,
        name=position.phase,
        position=position_to_json(load_variant(game.variant), position),
        opened_at=terms.opened_at,
        earliest_at=terms.earliest_at,
        deadline_at=terms.deadline_at,
        grace_ends_at=terms.grace_ends_at,
        due_at=terms.deadline_at,
    )
    session.add(phase)
    session.flush()
    return phase


def reckon(session: Session, office: Office, game: Game, book: OrderBook, now: datetime) -> None:
    """Set when the book's phase is due: early once all orders are in and nobody waits, else at its deadline.

    A phase that is complete keeps the moment it was given, however often its orders are revised.
    """
    phase = book.phase
    if book.missing() or any(seat.waits for seat in seats_of(session, game)):
        phase.due_at = phase.deadline_at
    elif phase.due_at == phase.deadline_at:
        early = max(phase.earliest_at, now + timedelta(seconds=office.settings.early_delay))
        phase.due_at = min(early, phase.deadline_at)
    session.add(phase)


def move_deadline(
    session: Session, office: Office, game: Game, phase: Phase, moment: datetime, now: datetime
) -> None:
    """Set the deadline of `phase`; grace is never left before it; everybody is told the old and the new."""
    before = phase.deadline_at
    phase.deadline_at = phase.due_at = moment
    phase.grace_ends_at = max(phase.grace_ends_at, moment)
    reckon(session, office, game, OrderBook(session, game.variant, phase), now)
    session.add(Event(at=now, kind="deadline", game_id=game.id, phase_id=phase.id, text=f"{before} to {moment}"))
    notices.tell_deadline(session, office, game, phase, before, now)


def process_due(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> bool:
    """Adjudicate `phase` if it is still open and due; False when there was nothing to do."""
    if not claim(session, phase, now, due=True):
        return False
    _adjudicate(session, office, game, phase, now)
    return True


def process(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> bool:
    """Adjudicate `phase` now, due or not; False when another has done so."""
    if not claim(session, phase, now, due=False):
        return False
    _adjudicate(session, office, game, phase, now)
    return True


def hold(session: Session, office: Office, phase: Phase, now: datetime) -> None:
    """Put off a phase whose adjudication failed, and tell the keeper, once a day."""
    phase.due_at = now + HOLD
    session.add(phase)
    keeper = office.settings.keeper
    if not mailed_since(session, keeper, "held", now - timedelta(days=1)):
        game = session.get_one(Game, phase.game_id)
        body = office.post.render("held", office.settings.zone, game=game, phase=phase, again_at=phase.due_at)
        office.post.notice(
            session, to=keeper, kind="held", subject=f"{phase.name} cannot be processed", body=body, now=now, game=game
        )


def _adjudicate(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    book = OrderBook(session, game.variant, phase)
    outcome = adjudicate(book.variant, book.position, book.all_given())
    phase.outcome, phase.processed_at = outcome_to_json(book.variant, outcome), now
    session.add(phase)
    for seat in seats_of(session, game):
        seat.waits = False
        session.add(seat)
    session.add(Event(at=now, kind="processed", game_id=game.id, phase_id=phase.id, text=phase.name))
    following = _follow(session, game, phase, outcome, now)
    notices.tell_results(session, office, game, phase, book.position, outcome, following, now)
    if following:
        future.take_up(session, office, game, following, now)
        reckon(session, office, game, OrderBook(session, game.variant, following), now)
    if outcome.winner:
        sentence = f"{outcome.winner} has won game {game.name}. Well played."
        notices.tell_end(session, office, game, phase, sentence, now)


def _follow(session: Session, game: Game, phase: Phase, outcome: Outcome, now: datetime) -> Phase | None:
    """The next phase, or the end of the game."""
    if not outcome.winner:
        return open_phase(session, game, outcome.position, now, previous=phase)
    game.state, game.ended_at = "finished", now
    game.result = f"Victory: {outcome.winner}"
    session.add(game)
    return None


def _next_second(moment: datetime) -> datetime:
    whole = moment.replace(microsecond=0)
    return whole if whole == moment else whole + timedelta(seconds=1)
