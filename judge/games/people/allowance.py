"""How many answers a reader gets: nobody can use the judge to flood a mailbox, and no loop goes on.

Anybody can write in another person's name, and some programs answer every mail. So the answers to letters that do not
sign on are counted, by mailbox and hour; those to strangers whom our mail server has not verified also by domain. A
letter is carried out at once, whatever its answer does. If there were too many, the reader is told so once, and the
next answers wait: when the pause is over they come together in one mail. A pause that soon follows another is twice as
long, so that a loop dies down.

Forged letters use up nothing of what a verified sender has, and guests who know a password have an account of their
own. Answers that are never counted: judge/desk/core/visitor.py.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from judge.addresses import without_tag
from judge.games.core.turn import Turn
from judge.mails.post import Notice, Reply
from judge.store import answered
from judge.store.lookups import person_at
from judge.store.tables import Answered, Pause

HOUR = timedelta(hours=1)
LONGEST = timedelta(days=7)
# How many characters of answers one mail brings; of further letters only the verdicts, then only their number.
MOST_TEXT = 60_000
MOST_VERDICTS = 80_000
_NO_MAP = "The map that belongs here is left out; it comes if you ask for it again."


Proof = Literal["none", "verified", "password"]


@dataclass(frozen=True)
class Reader:
    """Who gets an answer. `proof`: what shows that the letter is from them: nothing; our mail server has verified the
    sender; or the letter knows the password of another person's seat (then `registered` is true).
    """

    address: str
    registered: bool
    proof: Proof

    @property
    def account(self) -> str:
        """What their answers are counted under."""
        return f"{self.proof} {without_tag(self.address)}"

    @property
    def domain(self) -> str:
        """Their domain, if they are a stranger who is not verified."""
        return "" if self.registered or self.proof != "none" else self.address.rpartition("@")[2]


def admits(turn: Turn, reader: Reader) -> bool:
    """Whether one more answer may be mailed to `reader` now; then it is counted."""
    last = answered.last_pause(turn.session, reader.account, turn.now)
    if last and not last.ended_at or not _has_room(turn, reader.account, reader.domain, registered=reader.registered):
        return False
    _count(turn, reader.account, reader.domain)
    return True


def put_off(turn: Turn, reader: Reader, reply: Reply, verdict: str) -> datetime:
    """Let this answer wait, since `admits` was false; returns until when. `verdict`: what is most important in it."""
    last = answered.last_pause(turn.session, reader.account, turn.now)
    pause = last if last and not last.ended_at else _begin(turn, reader, last, reply)
    body = f"{reply.body}\n\n{_NO_MAP}" if reply.picture_id else reply.body
    room = MOST_TEXT - sum(len(answer["text"]) for answer in pause.answers)
    fits = len(body) <= room
    text = body if fits else verdict if len(verdict) <= room + MOST_VERDICTS - MOST_TEXT else ""
    if text and reader.address == pause.address:
        # A new list, since a change inside of a JSON column is not seen.
        pause.answers = [*pause.answers, {"at": turn.now.isoformat(), "text": text}]
        if fits and reply.secret:
            pause.secret = " ".join(filter(None, [pause.secret, reply.secret]))
    else:
        pause.more += 1
    turn.session.add(pause)
    turn.session.flush()
    return pause.ends_at


def end(turn: Turn, pause: Pause) -> str:
    """Mail what has waited, if there is room for a mail now; returns a line for the log."""
    if not _has_room(turn, pause.account, pause.domain, registered=pause.registered):
        wait_on(turn, pause)
        return f"answers to {pause.address} wait on"
    person = person_at(turn.session, pause.address)
    zone = person.zone if person else turn.office.settings.zone
    answers = [(datetime.fromisoformat(answer["at"]), answer["text"]) for answer in pause.answers]
    body = turn.office.post.render("waited", zone, answers=answers, more=pause.more)
    subject = "Your letters are answered"
    turn.mail(Notice(to=pause.address, kind="waited", subject=subject, body=body, secret=pause.secret))
    _count(turn, pause.account, pause.domain)
    told = len(pause.answers) + pause.more
    pause.ended_at, pause.answers, pause.secret = turn.now, [], None
    turn.session.add(pause)
    return f"{told} answers to {pause.address} have waited"


def wait_on(turn: Turn, pause: Pause) -> None:
    """The answers wait for another hour."""
    pause.ends_at = turn.now + HOUR
    pause.forgotten_at = max(pause.forgotten_at, pause.ends_at + HOUR)
    turn.session.add(pause)


def forget(turn: Turn) -> None:
    """Delete what counts no more."""
    answered.forget(turn.session, turn.now - HOUR, turn.now)


def _has_room(turn: Turn, account: str, domain: str, *, registered: bool) -> bool:
    limits, since = turn.office.settings.limits, turn.now - HOUR
    most = limits.registered if registered else limits.strangers
    if answered.to_account(turn.session, account, since) >= most:
        return False
    return not domain or _domain_has_room(turn, domain)


def _domain_has_room(turn: Turn, domain: str) -> bool:
    return answered.to_domain(turn.session, domain, turn.now - HOUR) < turn.office.settings.limits.domain


def _count(turn: Turn, account: str, domain: str) -> None:
    answered.note(turn.session, Answered(account=account, domain=domain, at=turn.now))


def _begin(turn: Turn, reader: Reader, last: Pause | None, reply: Reply) -> Pause:
    """A new pause; the reader is told, unless it is their domain that gets too much."""
    length = min(2 * (last.ends_at - last.begun_at), LONGEST) if last else HOUR
    pause = Pause(
        address=reader.address,
        account=reader.account,
        domain=reader.domain,
        registered=reader.registered,
        begun_at=turn.now,
        ends_at=turn.now + length,
        forgotten_at=turn.now + 2 * length,
    )
    if not reader.domain or _domain_has_room(turn, reader.domain):
        person = person_at(turn.session, reader.address)
        zone = person.zone if person else turn.office.settings.zone
        body = turn.office.post.render("pause", zone, until=pause.ends_at)
        turn.mail(
            Reply(to=reader.address, kind="pause", letter=reply.letter, letter_id=reply.letter_id, body=body)
        )
        _count(turn, reader.account, reader.domain)
    return pause
