"""What is mailed about a letter that could not be handled: a polite note to its sender, the facts to the keeper."""

from contextlib import suppress

from judge.desk.desk import Desk
from judge.games.core.turn import Turn
from judge.letters import Letter
from judge.mails.post import Notice, Reply
from judge.store.tables import LetterRow
from judge.time_limit import TakesTooLong, time_limit

# Of the processor, to find out who wrote it.
_SECONDS = 1.0


def tell_shunted(turn: Turn, desk: Desk, row: LetterRow, error: str) -> None:
    """Tell the keeper; tell the sender too where the letter can be read that far."""
    office, zone = turn.office, turn.office.settings.zone
    letter = _readable(desk, row)
    row.sender = letter.sender if letter else ""
    turn.session.add(row)
    last_line = error.strip().splitlines()[-1]
    body = office.post.render("keeper", zone, letter=row, error=last_line)
    turn.mail(Notice(to=office.settings.keeper, kind="keeper", subject=f"Letter {row.id} put aside", body=body))
    if letter and letter.sender and not letter.silent:
        body = office.post.render("shunted", zone, keeper=office.settings.keeper)
        # Whatever is wrong with the letter may be wrong with its address too: then only the keeper is told.
        with suppress(ValueError):
            turn.mail(Reply(to=letter.sender, kind="shunted", letter=letter, letter_id=row.id, body=body))


def _readable(desk: Desk, row: LetterRow) -> Letter | None:
    """The letter, unless reading it is what fails, or takes too long."""
    try:
        with time_limit(_SECONDS):
            return desk.read(row)
    except (Exception, TakesTooLong):
        return None
