"""Tell the keeper about mails that could not be delivered: collected, so that a dead provider causes one mail and not
hundreds."""

from datetime import timedelta

from judge.games.core.work import Work
from judge.mails.mail_writer import Notice
from judge.store import outbox
from judge.store.sent_mails import mails_since
from judge.store.states import MailKind

# How long the judge waits for more of them, and the least time between two such mails.
GATHER = timedelta(minutes=10)
APART = timedelta(days=1)
# How many are named; `judge mails list` shows all.
MOST = 20
_KIND: MailKind = "given up"


def is_to_tell(work: Work) -> bool:
    """Whether the keeper is to be told now."""
    keeper = work.services.settings.keeper
    first = next(iter(outbox.untold(work.session, keeper)), None)
    gathered = first and first.failed_at and first.failed_at <= work.now - GATHER
    return bool(gathered) and not mails_since(work.session, keeper, _KIND, work.now - APART)


def tell(work: Work) -> None:
    """Send one mail about all undelivered mails that the keeper has not been told of yet."""
    keeper = work.services.settings.keeper
    mails = outbox.untold(work.session, keeper)
    body = work.services.post.render(
        "given_up", work.services.settings.zone, mails=mails[:MOST], more=len(mails) - MOST
    )
    what = "1 mail given up" if len(mails) == 1 else f"{len(mails)} mails given up"
    work.mail(Notice(to=keeper, kind=_KIND, subject=what, body=body))
    outbox.note_told(work.session, mails, work.now)
