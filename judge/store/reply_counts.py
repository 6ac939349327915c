"""The answers that are counted, and the pauses in which answers wait because there were too many."""

from datetime import datetime, timedelta

from sqlalchemy import delete, func, update
from sqlmodel import Session, col, select

from judge.store.tables import Address, Answered, Pause, Seat

# No pause of a player reaches past this time before their next deadline. In that time they wait for half of what is
# left of it, or for the shortest time if that is more.
BEFORE_DEADLINE = timedelta(hours=1)
SHORTEST = timedelta(minutes=5)
_OPEN = col(Pause.ended_at).is_(None)
_COUNT = select(func.count()).select_from(Answered)


def to_account(session: Session, account: str, since: datetime) -> int:
    """How many answers were mailed to that account after `since`."""
    return session.exec(_COUNT.where(Answered.account == account, Answered.at > since)).one()


def to_domain(session: Session, domain: str, since: datetime) -> int:
    """How many answers were mailed to strangers of that domain after `since`."""
    return session.exec(_COUNT.where(Answered.domain == domain, Answered.at > since)).one()


def note(session: Session, answer: Answered) -> None:
    """Record one more answer."""
    session.add(answer)
    session.flush()


def last_pause(session: Session, account: str, now: datetime) -> Pause | None:
    """The last pause of that account, open or ended, if it is not forgotten."""
    theirs = select(Pause).where(Pause.account == account, Pause.forgotten_at > now)
    return session.exec(theirs.order_by(col(Pause.id).desc()).limit(1)).first()


def next_ended(session: Session, now: datetime) -> Pause | None:
    """The pause whose answers have been due the longest at `now`."""
    ended = select(Pause).where(_OPEN, Pause.ends_at <= now)
    return session.exec(ended.order_by(col(Pause.ends_at), col(Pause.id)).limit(1)).first()


def first_end(session: Session) -> datetime | None:
    """When the first of the open pauses ends."""
    return session.exec(select(func.min(Pause.ends_at)).where(_OPEN)).one()


def last_call(deadline: datetime, now: datetime) -> datetime:
    """When a pause of a player with that deadline ends at the latest."""
    at = deadline - BEFORE_DEADLINE
    return at if at > now else now + max((deadline - now) / 2, SHORTEST)


def hurry(session: Session, game_id: int, deadline: datetime, now: datetime) -> None:
    """The game has a new deadline: no open pause of its players reaches past its last call."""
    sits = (Seat.game_id == game_id, col(Seat.left_at).is_(None), Seat.role != "observer")
    players = select(Address.address).join(Seat, col(Seat.person_id) == Address.person_id).where(*sits)
    at = last_call(deadline, now)
    session.execute(
        update(Pause).where(_OPEN, col(Pause.ends_at) > at, col(Pause.address).in_(players)).values(ends_at=at)
    )


def waiting(session: Session) -> int:
    """How many answers wait in the open pauses."""
    return sum(len(pause.answers) + pause.more for pause in session.exec(select(Pause).where(_OPEN)))


def forget(session: Session, answered_before: datetime, now: datetime) -> None:
    """Delete the counts from before that moment, and the pauses that are forgotten at `now`."""
    session.execute(delete(Answered).where(col(Answered.at) <= answered_before))
    session.execute(delete(Pause).where(~_OPEN, col(Pause.forgotten_at) <= now))
