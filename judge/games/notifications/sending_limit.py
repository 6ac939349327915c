"""Tell the keeper that mails wait because the provider's limits are reached; once a day at most."""

from datetime import timedelta

from judge.games.core.work import Work
from judge.mails.mail_writer import Notice
from judge.store import outbox
from judge.store.sent_mails import mails_since
from judge.store.states import MailKind

APART = timedelta(days=1)
_KIND: MailKind = "limit"


def is_to_tell(work: Work) -> bool:
    """Whether more is due than may be sent, and the keeper was not told lately."""
    smtp, session = work.services.settings.smtp, work.session
    allowed = outbox.allowed(session, work.now, smtp.per_hour, smtp.per_day)
    if allowed is None or allowed > 0 or not outbox.has_due(session, work.now, allowed):
        return False
    return not mails_since(session, work.services.settings.keeper, _KIND, work.now - APART)


def tell(work: Work) -> None:
    """Write the mail."""
    settings, backlog = work.services.settings, outbox.backlog(work.session)
    body = work.services.post.render("limit", settings.zone, waiting=backlog.waiting, since=backlog.oldest_at)
    work.mail(Notice(to=settings.keeper, kind=_KIND, subject="Mails wait for the sending limit", body=body))
