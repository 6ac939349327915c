"""What is mailed about a letter that could not be handled: a polite note to its sender, the facts to the keeper."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from judge.desk.desk import Desk
from judge.games.core.office import Office
from judge.letters import Letter, without_passwords
from judge.store.tables import LetterRow


def tell_shunted(session: Session, office: Office, desk: Desk, row: LetterRow, error: str, now: datetime) -> None:
    """Tell the keeper; tell the sender too where the letter can be read that far."""
    zone = office.settings.zone
    letter = _readable(desk, row)
    row.sender = letter.sender if letter else ""
    session.add(row)
    last_line = error.strip().splitlines()[-1]
    body = office.post.render("keeper", zone, letter=row, error=last_line)
    office.post.notice(
        session, to=office.settings.keeper, kind="keeper", subject=f"Letter {row.id} put aside", body=body, now=now
    )
    if letter and letter.sender and not letter.silent:
        body = office.post.render("shunted", zone, keeper=office.settings.keeper)
        # Whatever is wrong with the letter may be wrong with its address too: then only the keeper is told.
        with suppress(ValueError):
            office.post.reply(
                session, to=letter.sender, kind="shunted", letter=letter, letter_id=row.id, body=body, now=now
            )


def _readable(desk: Desk, row: LetterRow) -> Letter | None:
    """The letter, with no password in its subject, unless reading it is what fails."""
    try:
        letter = desk.in_hand(row).letter
        return replace(letter, subject=without_passwords(letter.subject))
    except Exception:
        return None
