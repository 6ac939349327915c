"""What is mailed about a letter that could not be handled: a polite note to its sender, the facts to the keeper."""

from contextlib import suppress
from datetime import datetime

from sqlmodel import Session

from judge.desk.desk import Desk
from judge.games.office import Office
from judge.store.tables import LetterRow


def tell_shunted(session: Session, office: Office, desk: Desk, row: LetterRow, error: str, now: datetime) -> None:
    """Tell the keeper; tell the sender too where the letter can be read that far."""
    zone = office.settings.zone
    last_line = error.strip().splitlines()[-1]
    body = office.post.render("keeper", zone, letter=row, error=last_line)
    office.post.notice(
        session, to=office.settings.keeper, kind="keeper", subject=f"Letter {row.id} put aside", body=body, now=now
    )
    # Whatever is wrong with the letter may be wrong with its address too: then only the keeper is told.
    with suppress(ValueError):
        letter = desk.read(row)
        if letter.sender and not letter.silent:
            body = office.post.render("shunted", zone, keeper=office.settings.keeper)
            office.post.reply(
                session, to=letter.sender, kind="shunted", letter=letter, letter_id=row.id, body=body, now=now
            )
