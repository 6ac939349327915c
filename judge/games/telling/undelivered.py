"""The keeper is told of mails that were given up: gathered, so that a dead provider makes one mail and not hundreds."""

from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core.office import Office
from judge.store import undelivered
from judge.store.lookups import mailed_since
from judge.store.states import MailKind

# How long more of them are waited for, and how much time there is at least between two such mails.
GATHER = timedelta(minutes=10)
APART = timedelta(days=1)
# How many are named; `judge mails list` has all.
MOST = 20
_KIND: MailKind = "given up"


def is_to_tell(session: Session, office: Office, now: datetime) -> bool:
    """Whether the keeper is to be told now."""
    keeper = office.settings.keeper
    mails = undelivered.untold(session, keeper)
    gathered = any(mail.failed_at and mail.failed_at <= now - GATHER for mail in mails)
    return gathered and not mailed_since(session, keeper, _KIND, now - APART)


def tell(session: Session, office: Office, now: datetime) -> None:
    """One mail about all that were given up and not told yet."""
    keeper = office.settings.keeper
    mails = undelivered.untold(session, keeper)
    body = office.post.render("given_up", office.settings.zone, mails=mails[:MOST], more=len(mails) - MOST)
    what = "1 mail given up" if len(mails) == 1 else f"{len(mails)} mails given up"
    office.post.notice(session, to=keeper, kind=_KIND, subject=what, body=body, now=now)
    undelivered.note_told(session, mails, now)
