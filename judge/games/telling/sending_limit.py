"""Tell the keeper that mails wait because the provider's limits are reached; once a day at most."""

from datetime import timedelta

from judge.games.core.turn import Turn
from judge.mails.post import Notice
from judge.store import outbox
from judge.store.sent_mails import mailed_since
from judge.store.states import MailKind

APART = timedelta(days=1)
_KIND: MailKind = "limit"


def is_to_tell(turn: Turn) -> bool:
    """Whether more is due than may be sent, and the keeper was not told lately."""
    smtp, session = turn.office.settings.smtp, turn.session
    allowed = outbox.allowed(session, turn.now, smtp.per_hour, smtp.per_day)
    if allowed is None or allowed > 0 or not outbox.has_due(session, turn.now, allowed):
        return False
    return not mailed_since(session, turn.office.settings.keeper, _KIND, turn.now - APART)


def tell(turn: Turn) -> None:
    """Write the mail."""
    settings, backlog = turn.office.settings, outbox.backlog(turn.session)
    body = turn.office.post.render("limit", settings.zone, waiting=backlog.waiting, since=backlog.oldest_at)
    turn.mail(Notice(to=settings.keeper, kind=_KIND, subject="Mails wait for the sending limit", body=body))
