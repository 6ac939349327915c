"""Invitations to a game, also to people who do not know the judge: few, each once, and none to whoever wants none.

Only digests of their addresses are kept, so a refusal holds for ever without naming anybody.
"""

from datetime import UTC, datetime, timedelta

from judge.addresses import without_tag
from judge.games.core.board import variant_of
from judge.games.core.work import Work
from judge.games.notifications.gathering import MOST_TO_STRANGERS
from judge.games.people import rate_limits
from judge.mails.mail_writer import Draft
from judge.store.people import invitations_by, invitations_to, person_at
from judge.store.rows import id_of
from judge.store.seats import seats_in
from judge.store.sent_mails import last_mailed
from judge.store.tables import Game, Invitation, Seat

# How many one person sends in a day.
MOST = 3
_A_DAY = timedelta(days=1)
_LETTERS = 32


def invite(work: Work, game: Game, inviter: Seat, address: str) -> str:
    """Mail an invitation to that address; return why not, "" if it was mailed.

    Nobody learns whether the other is in the game, or wants no invitations.
    """
    session, person = work.session, person_at(work.session, address)
    earlier = invitations_to(session, _digest(work, address))
    if len(invitations_by(session, inviter.person_id, work.now - _A_DAY)) >= MOST:
        return f"you can send {MOST} invitations a day"
    answered = last_mailed(session, address, "reply") or datetime.min.replace(tzinfo=UTC)
    unanswered = sum(one.at > answered for one in earlier)
    is_closed = any(one.person_id is None or one.game_id == game.id for one in earlier)
    if is_closed or unanswered >= MOST_TO_STRANGERS or seats_in(session, game, person):
        return "they have had an invitation, or want none"
    if not rate_limits.admits(work, rate_limits.Reader(address, registered=False, proof="none")):
        return "many emails have gone there in the last hour"
    session.add(
        Invitation(digest=_digest(work, address), person_id=inviter.person_id, game_id=id_of(game), at=work.now)
    )
    session.flush()
    context = {"game": game, "phase": None, "variant": variant_of(game), "role": inviter.role, "known": person}
    body = work.services.post.render("invitation", work.services.settings.zone, **context)
    work.mail(Draft(to=address, kind="invitation", subject="Invitation", body=body, game=game))
    return ""


def refuse(work: Work, address: str) -> None:
    """Mail no invitation to that address any more."""
    digest = _digest(work, address)
    if all(one.person_id for one in invitations_to(work.session, digest)):
        work.session.add(Invitation(digest=digest, at=work.now))


def _digest(work: Work, address: str) -> str:
    return work.services.passwords.word_about(f"invitation {without_tag(address)}", _LETTERS)
