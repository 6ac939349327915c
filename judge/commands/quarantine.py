"""Mails about a letter that could not be handled: a polite note to its sender, the facts to the keeper."""

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from sqlmodel import Session

from judge.commands.handler import LetterHandler
from judge.commands.replies import is_forged_stranger
from judge.games.core.work import Work
from judge.games.people import rate_limits
from judge.games.people.rate_limits import Proof, Reader
from judge.letters import Letter
from judge.mails.mail_writer import Notice, Reply
from judge.store.people import person_at
from judge.store.seats import has_seat
from judge.store.sent_mails import mails_since
from judge.store.tables import LetterRow
from judge.time_limit import TakesTooLong, time_limit

# Processor time for finding out who wrote the letter.
_SECONDS = 1.0
# So many mails about letters put aside in an hour; `judge status` shows them all.
MOST_TO_KEEPER = 10
_HOUR = timedelta(hours=1)


def tell_shunted(work: Work, handler: LetterHandler, row: LetterRow, error: str) -> None:
    """Tell the keeper; tell the sender too, if their address can be read from the letter."""
    letter = _readable(work.session, handler, row)
    row.sender = letter.sender if letter else ""
    work.session.add(row)
    tell_keeper(work, row, error)
    if letter and letter.sender and not letter.silent and not is_forged_stranger(work, letter):
        # The address of the letter may be broken too: then only the keeper is told.
        with suppress(ValueError):
            _tell_sender(work, row, letter)


def _tell_sender(work: Work, row: LetterRow, letter: Letter) -> None:
    """Tell the sender that it could not be handled: a player must hear that, at the latest when there is room."""
    services = work.services
    person = person_at(work.session, letter.sender)
    plays = person is not None and has_seat(work.session, person)
    registered = person is not None and person.registered_at is not None
    proof: Proof = "verified" if letter.verified else "none"
    reader = Reader(letter.sender, registered, proof, "needed" if plays else "other")
    body = services.post.render("shunted", services.settings.zone, keeper=services.settings.keeper)
    reply = Reply(to=letter.sender, kind="shunted", letter=letter, letter_id=row.id, body=body)
    if rate_limits.admits(work, reader):
        work.mail(reply)
    elif plays:
        rate_limits.put_off(work, reader, reply, body.partition("\n\n")[0])


def tell_keeper(work: Work, row: LetterRow, error: str) -> None:
    """Tell the keeper why the letter is put aside: the last line of `error`."""
    services = work.services
    if mails_since(work.session, services.settings.keeper, "keeper", work.now - _HOUR) >= MOST_TO_KEEPER:
        return
    body = services.post.render("keeper", services.settings.zone, letter=row, error=error.strip().splitlines()[-1])
    work.mail(Notice(to=services.settings.keeper, kind="keeper", subject=f"Email {row.id} set aside", body=body))


def _readable(session: Session, handler: LetterHandler, row: LetterRow) -> Letter | None:
    """The letter, with no password in its subject; None if reading it fails or takes too long."""
    try:
        with time_limit(_SECONDS):
            in_hand = handler.in_hand(row)
            redact = handler.redaction(session, in_hand)
            return replace(in_hand.letter, subject=redact(in_hand.letter.subject))
    except (Exception, TakesTooLong):
        return None
