"""Queries about mails that the judge has written, about press, and about answers that wait.

Answers to letters without a sign-on are counted here. After too many answers, the next ones wait until a pause ends.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import delete, func, or_, true, update
from sqlmodel import Session, col, select

from judge.store.outbox import ANSWERS
from judge.store.rows import count
from judge.store.states import MailKind
from judge.store.tables import Address, Answered, Game, Mail, Pause, Person, Phase, Press, Seat

# A player's pause ends at least this long before their next deadline. If less time is left, the pause takes half of the
# remaining time, but at least SHORTEST.
BEFORE_DEADLINE = timedelta(hours=1)
SHORTEST = timedelta(minutes=5)
_OPEN = col(Pause.ended_at).is_(None)


def mails_named(session: Session, message_ids: Sequence[str]) -> list[Mail]:
    """Return the judge's mails with these Message-IDs, in that order."""
    found = session.exec(select(Mail).where(col(Mail.message_id).in_(message_ids))) if message_ids else ()
    return sorted(found, key=lambda mail: message_ids.index(mail.message_id))


def mails_tagged(session: Session, tags: Collection[str]) -> Sequence[Mail]:
    """Return the judge's mails with these secrets in their return paths."""
    return session.exec(select(Mail).where(col(Mail.return_tag).in_(tags))).all() if tags else ()


def last_mailed(session: Session, address: str, kind: MailKind, subject: str = "") -> datetime | None:
    """Return when the newest mail of this kind to `address` was written, or None.

    If `subject` is given, only mails with that subject count.
    """
    about = Mail.subject == subject if subject else true()
    written = (Mail.recipient == address, Mail.kind == kind, about)
    return session.exec(select(func.max(Mail.created_at)).where(*written)).one()


# The kinds of mails that ask the keeper to do something.
_ALERTS: tuple[MailKind, ...] = ("given_up", "held", "keeper", "limit", "alert", "dead")


def newest_mail(session: Session) -> int:
    """Return the id of the newest mail in the outbox, or 0 if there is none."""
    return session.exec(select(func.max(Mail.id))).one() or 0


def alerts_after(session: Session, keeper: str, number: int) -> Sequence[Mail]:
    """Return the alerts to the keeper's address that were written after the mail with that id."""
    later = select(Mail).where(col(Mail.id) > number, Mail.recipient == keeper, col(Mail.kind).in_(_ALERTS))
    return session.exec(later.order_by(col(Mail.id))).all()


def mails_with_codes(session: Session, address: str, since: datetime) -> Sequence[tuple[str, bytes]]:
    """Return the newest mails to `address` since that moment that ask for a confirmation, at most five.

    Each is returned as its subject and its bytes.
    """
    asks = or_(col(Mail.kind) == "token", col(Mail.subject).contains("CONFIRM "))
    question = select(Mail.subject, Mail.raw).where(Mail.recipient == address, col(Mail.created_at) >= since, asks)
    return session.exec(question.order_by(col(Mail.id).desc()).limit(5)).all()


def mails_since(
    session: Session, address: str, kind: MailKind, since: datetime, game: Game | None = None, words: str = ""
) -> int:
    """Return the number of mails of this kind to `address` after `since`.

    `game` limits the number to mails about that game, and `words` to mails with these words in their subjects.
    """
    about = col(Mail.game_id) == game.id if game else true()
    named = col(Mail.subject).contains(words) if words else true()
    written = (Mail.recipient == address, Mail.kind == kind, col(Mail.created_at) > since, about, named)
    return count(session, Mail, *written)


def notices_to_stranger(
    session: Session, person: Person, address: str, since: datetime, game: Game | None = None
) -> int:
    """Return the number of notices to `address` after `since` that `person` has not asked for.

    If `game` is given, all notices about the game count. Otherwise notices to the standby list count, and those about
    games that the person joined by an unproved letter.
    """
    put = select(Seat.game_id).where(Seat.person_id == person.id, ~col(Seat.proved), Seat.role != "master")
    about = Mail.game_id == game.id if game else or_(col(Mail.kind) == "standby", col(Mail.game_id).in_(put))
    notice = col(Mail.kind).not_in({*ANSWERS, "press"})
    return count(session, Mail, Mail.recipient == address, notice, col(Mail.created_at) > since, about)


# --- press ---


def press_of(session: Session, game: Game) -> Sequence[tuple[Press, str]]:
    """Return every message sent in `game`, oldest first, with the name of the phase then open.

    Before the first phase, the name is "".
    """
    messages = select(Press, Phase.name).join(Phase, isouter=True).where(Press.game_id == game.id)
    rows = session.exec(messages.order_by(col(Press.sent_at), col(Press.id)))
    return [(press, phase or "") for press, phase in rows]


def press_since(session: Session, seat: Seat, since: datetime, *, public: bool = False) -> int:
    """Return the number of messages from `seat` after `since`.

    If `public` is true, only messages that also went to observers are counted.
    """
    sent = (Press.seat_id == seat.id, Press.sent_at > since, col(Press.public) if public else true())
    return count(session, Press, *sent)


# --- counted answers, and pauses ---


def answers_since(session: Session, since: datetime, **of: str) -> int:
    """Return the number of answers after `since` to an `account`, or to strangers of a `domain`."""
    counted = select(func.count()).select_from(Answered).where(col(Answered.at) > since)
    return session.exec(counted.filter_by(**of)).one()


def last_pause(session: Session, account: str, now: datetime) -> Pause | None:
    """Return the newest pause of that account, open or ended.

    Returns None if there is none, or if it was too long ago.
    """
    pauses = select(Pause).where(Pause.account == account, Pause.forgotten_at > now)
    return session.exec(pauses.order_by(col(Pause.id).desc()).limit(1)).first()


def next_ended_pause(session: Session, now: datetime) -> Pause | None:
    """Return the pause whose answers are due at `now` and have been due the longest, or None."""
    ended = select(Pause).where(_OPEN, Pause.ends_at <= now)
    return session.exec(ended.order_by(col(Pause.ends_at), col(Pause.id)).limit(1)).first()


def last_call(deadline: datetime, now: datetime) -> datetime:
    """Return when a pause must end, if the player has to order by this deadline."""
    at = deadline - BEFORE_DEADLINE
    return at if at > now else now + max((deadline - now) / 2, SHORTEST)


def hurry_pauses(session: Session, game_id: int, deadline: datetime, now: datetime) -> None:
    """Shorten the open pauses of a game's players and masters, so that they end before its new deadline."""
    sits = (Seat.game_id == game_id, col(Seat.left_at).is_(None), Seat.role != "observer")
    players = select(Address.address).join(Seat, col(Seat.person_id) == Address.person_id).where(*sits)
    at = last_call(deadline, now)
    session.execute(
        update(Pause).where(_OPEN, col(Pause.ends_at) > at, col(Pause.address).in_(players)).values(ends_at=at)
    )


def answers_waiting(session: Session) -> dict[str, int]:
    """Return how many answers wait for each address in the open pauses."""
    pauses = session.exec(select(Pause).where(_OPEN).order_by(col(Pause.ends_at))).all()
    waiting: Counter[str] = Counter()
    for pause in pauses:
        waiting[pause.address] += len(pause.answers) + pause.more
    return +waiting


def forget_answers(session: Session, answered_before: datetime, now: datetime) -> None:
    """Delete counted answers up to `answered_before`, and pauses that are forgotten by `now`."""
    session.execute(delete(Answered).where(col(Answered.at) <= answered_before))
    session.execute(delete(Pause).where(~_OPEN, col(Pause.forgotten_at) <= now))
