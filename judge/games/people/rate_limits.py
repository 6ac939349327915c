"""Limit the replies to a reader, so that no one can use the judge to flood a mailbox.

The limits also end mail loops. Anyone can write in another person's name, and some programs answer every email. So
replies to emails without a sign-on are limited by mailbox and hour. Some subjects have separate limits (`Reader.most`).
The emails themselves are handled without delay. After too many replies, a pause begins. The reader is notified once,
and the next replies under that limit wait until the pause is over. Then the judge sends them in one email. A player's
pause ends in time for their next deadline.

Forged emails do not affect the limit of a verified sender. Guests who know a password have a separate limit.
judge/commands/core/context.py decides which replies have no limit.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from judge.addresses import domain_of, without_tag
from judge.games.core.work import Work
from judge.mails.blocks import Written, marked, together
from judge.mails.mail_writer import Draft
from judge.settings import LimitSettings
from judge.store import sent_mails
from judge.store.people import person_at
from judge.store.seats import next_deadline
from judge.store.tables import Answered, Pause

HOUR = timedelta(hours=1)
LONGEST = timedelta(days=7)
# One email has at most MOST_TEXT characters of replies. After that it lists only verdicts, up to MOST_VERDICTS
# characters, and then only the number of further replies.
MOST_TEXT = 60_000
MOST_VERDICTS = 80_000
_NO_MAP = "The map was left out. To get it, ask for it again."


Proof = Literal["none", "verified", "password"]
# The subject of a reply. "needed" is a reply that a player must not miss: about a rejected sign-on, orders without one,
# or a token. "joining" is a reply to REGISTER or CREATE.
About = Literal["needed", "joining", "other"]


@dataclass(frozen=True)
class Reader:
    """The recipient of a reply, and what the reply is `about`.

    `proof` shows whether the email is from this person: "none", "verified" by the judge's mail server, or "password" if
    the email signed on to a seat. With a password, `registered` is true.
    """

    address: str
    registered: bool
    proof: Proof
    about: About = "other"

    @property
    def name(self) -> str:
        """Return the name of the limit on replies to this reader."""
        if self.about != "other":
            return self.about
        return "registered" if self.registered else "strangers"

    @property
    def grows(self) -> bool:
        """Return whether a pause is twice as long as a recent earlier one, to end a mail loop.

        Pauses in the replies that a player needs do not grow.
        """
        return self.name != "needed"

    @property
    def account(self) -> str:
        """Return the name under which replies to this reader are counted."""
        return f"{self.name} {self.proof} {without_tag(self.address)}"

    @property
    def domain(self) -> str:
        """The domain of a stranger's unverified address, for a limit on replies to it, or "" for others.

        A person who has written no other email within the hour is answered beyond that limit.
        """
        return domain_of(self.address) if (self.name, self.proof) == ("strangers", "none") else ""

    def most(self, limits: LimitSettings) -> int:
        """Return how many replies to this reader are mailed in an hour."""
        return {"registered": limits.registered, "strangers": limits.strangers}.get(self.name, 6)


def admits(work: Work, reader: Reader) -> bool:
    """Return whether one more reply may be mailed to `reader`, and count that reply if so."""
    last = sent_mails.last_pause(work.session, reader.account, work.now)
    if last and (not last.ended_at or not reader.grows and last.ended_at > work.now - HOUR):
        return False
    count = sent_mails.answers_since(work.session, work.now - HOUR, account=reader.account)
    if count >= reader.most(work.settings.limits) or count and not _domain_has_room(work, reader):
        return False
    _count(work, reader)
    return True


def put_off(work: Work, reader: Reader, reply: Draft, verdict: str) -> datetime:
    """Let this reply wait, since `admits` was false, and return the time at which the wait ends.

    `verdict` is the main sentence of the reply.
    """
    last = sent_mails.last_pause(work.session, reader.account, work.now)
    pause = last if last and not last.ended_at else _begin(work, reader, last, reply, verdict)
    text = marked(together(reply.body, _NO_MAP) if reply.picture_id else reply.body)
    written = sum(len(answer["text"]) for answer in pause.answers)
    fits = written + len(text) <= MOST_TEXT
    if not fits:
        text = verdict if written + len(verdict) <= MOST_VERDICTS else ""
    if text and reader.address == pause.address:
        # Assign a new list, since a change inside a JSON column is not detected.
        pause.answers = [*pause.answers, {"at": work.now.isoformat(), "text": text}]
        if fits and reply.secret:
            pause.secret = " ".join(filter(None, [pause.secret, reply.secret]))
    else:
        pause.more += 1
    work.session.add(pause)
    return pause.ends_at


def end(work: Work, pause: Pause) -> str:
    """Mail the replies that have waited, and return a line for the log."""
    person = person_at(work.session, pause.address)
    zone = person.zone if person else work.settings.zone
    answers = [(datetime.fromisoformat(answer["at"]), Written(answer["text"])) for answer in pause.answers]
    context = {"answers": answers, "more": pause.more}
    work.notify(pause.address, zone, "waited", "Your letters are answered", pause.secret, **context)
    _count(work, pause)
    told = len(pause.answers) + pause.more
    pause.ended_at, pause.answers, pause.more, pause.secret = work.now, [], 0, None
    return f"{told} delayed replies to {pause.address} sent"


def wait_on(work: Work, pause: Pause) -> None:
    """Let the replies wait for another hour, since they could not be mailed."""
    pause.ends_at = work.now + HOUR
    pause.forgotten_at = max(pause.forgotten_at, pause.ends_at + HOUR)


def forget(work: Work) -> None:
    """Delete counts and pauses that have expired."""
    sent_mails.forget_answers(work.session, work.now - HOUR, work.now)


def _domain_has_room(work: Work, reader: Reader) -> bool:
    if not reader.domain:
        return True
    count = sent_mails.answers_since(work.session, work.now - HOUR, domain=reader.domain)
    return count < work.settings.limits.domain


def _count(work: Work, reader: Reader | Pause) -> None:
    work.session.add(Answered(account=reader.account, domain=reader.domain, at=work.now))


def _begin(work: Work, reader: Reader, last: Pause | None, reply: Draft, verdict: str) -> Pause:
    """Begin a pause, and notify the reader unless another pause has just ended.

    Readers of a domain with too many replies are not notified either. The notice begins with the result of the reader's
    email (`verdict`).
    """
    by_domain = not _domain_has_room(work, reader)
    begun_at, length = work.told_at, HOUR
    if last and reader.grows and not by_domain:
        length = min(max(HOUR, 2 * (last.ends_at - last.begun_at)), LONGEST)
    ends_at = begun_at + length
    ended_at = last.ended_at if last and not reader.grows else None
    if ended_at:
        ends_at = max(begun_at, ended_at + HOUR)
    person = person_at(work.session, reader.address)
    # If the reader is a player or a master, the pause ends in time for their next deadline.
    if person and (due := next_deadline(work.session, person, begun_at)):
        ends_at = min(ends_at, sent_mails.last_call(due, begun_at))
    pause = Pause(
        address=reader.address,
        account=reader.account,
        domain=reader.domain,
        begun_at=begun_at,
        ends_at=ends_at,
        forgotten_at=begun_at + 2 * length,
    )
    if not by_domain and not ended_at:
        zone = person.zone if person else work.settings.zone
        body = work.services.post.render("pause", zone, until=pause.ends_at, verdict=verdict)
        work.mail(
            Draft(
                to=reader.address, kind="pause", letter=reply.letter, letter_id=reply.letter_id, body=body,
                secret=reply.secret,
            )
        )  # fmt: skip
        _count(work, reader)
    return pause
