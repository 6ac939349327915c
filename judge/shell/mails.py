"""`judge replay` (letters that were set aside) and `judge mails list`, `retry`, `dismiss` (mails that were not sent).

Each public function returns the exit status: 0, 1 if something could not be done, 2 if there is no database. The daemon
may run at the same time; it handles the letters and sends the mails that are to be tried again.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from sqlmodel import Session

from judge.addresses import normal
from judge.games.people.mail_trouble import in_words
from judge.mails.templates import when
from judge.settings import Settings
from judge.shell.calling import Refused, complain, plain
from judge.shell.database import UNUSABLE, opened
from judge.store import bounces, inbox, outbox
from judge.store.engine import reading, transaction
from judge.store.states import WaitingFor
from judge.store.tables import BouncedAddress, LetterRow, Mail

# The errors that end a command with a line (judge/shell/calling.py).
ERRORS = UNUSABLE
# The reasons why a mail waits, in words.
IN_WORDS: dict[WaitingFor, str] = {
    "": "its turn",
    "picture": "a picture",
    "greylisting": "the mail server, which has deferred it",
    "limit": "the limits of [smtp]",
    "bounce": "its reader to write, because emails to this address bounce",
    "earlier mail": "an earlier email to the same reader",
    "server": "the mail server",
}
_MASKED = (
    "email {mail.id} contained a password or code, which has been deleted, so it cannot be sent again. "
    "{mail.recipient} can ask for a new one. To hide it: judge mails dismiss {mail.id}"
)


def list_mails(settings: Settings, *, waiting: bool = False) -> int:
    """List the undeliverable mails with the reason, then the dead addresses and what is withheld from them.

    waiting: list the mails that are not sent yet instead, when each is tried next, and what it waits for.
    """
    zone = settings.zone
    with reading(opened(settings)) as session:
        if waiting:
            unsent = []
            for mail in outbox.unsent(session):
                why = "being sent" if mail.taken_by else f"waits for {IN_WORDS[mail.waiting_for]}"
                next_try = "" if mail.waiting_for == "bounce" else when(mail.next_try_at, zone)
                unsent.append(_described(mail, next_try, f"{why}: {mail.error}" if mail.error else why))
            print("\n".join(unsent) or "No emails are waiting.")
            return 0
        given_up = [
            _described(mail, when(mail.failed_at, zone) if mail.failed_at else "", mail.error)
            for mail in outbox.given_up(session)
        ]
        print("\n".join(given_up) or "No emails are undeliverable.")
        for said, _ in dead_addresses(session, zone):
            print(f"{'dead':<7} {said}")
    return 0


def dead_addresses(session: Session, zone: str) -> Iterator[tuple[str, bool]]:
    """Yield what is withheld from each dead address and why, and whether the keeper need not do anything about it."""
    for row in bounces.dead_rows(session):
        kinds = bounces.withheld(session, row)
        since = f" since {when(row.dead_since, zone)}" if row.dead_since else ""
        says = f"emails to {row.address} have bounced{since} ({row.reason}); withheld: {in_words(kinds) or 'none'}"
        is_well = row.dismissed_at is not None or not kinds
        if not is_well:
            says += f". To send them: judge mails retry {row.address}. To hide this: judge mails dismiss {row.address}"
        yield says, is_well


def retry(settings: Settings, which: Sequence[str]) -> int:
    """Let the daemon send mails again: numbers, addresses or `all`; a dead address is alive again."""
    now = datetime.now(UTC)
    with transaction(opened(settings)) as session:
        mails, dead, unknown = _named(session, which)
        masked = [mail for mail in mails if mail.masked]
        again = [mail for mail in mails if not mail.masked]
        outbox.send_again(again, now)
        count = len(again) + sum(bounces.revive(session, row, now) for row in dead)
        print(f"{_counted(count)} being sent again. To watch the outbox: judge status")
        for mail in masked:
            complain(_MASKED.format(mail=mail))
    return _told(unknown) or int(bool(masked))


def dismiss(settings: Settings, which: Sequence[str]) -> int:
    """Stop reporting mails: numbers, addresses or `all`."""
    now = datetime.now(UTC)
    with transaction(opened(settings)) as session:
        mails, dead, unknown = _named(session, which)
        for one in (*mails, *dead):
            one.dismissed_at = now
        print(f"{_counted(len(mails))} dismissed.")
        for row in dead:
            print(f"{row.address} was dismissed. Emails to it are still withheld.")
    return _told(unknown)


def replay(settings: Settings, letter: int) -> int:
    """Let the daemon handle a letter again that was set aside."""
    with transaction(opened(settings)) as session:
        if inbox.requeue(session, letter):
            print(f"Email {letter} will be read again.")
            return 0
        if not (row := session.get(LetterRow, letter)):
            raise Refused(f"There is no email {letter}.")
        became = f"{row.state} since {when(row.done_at, settings.zone)}" if row.done_at else "waiting to be read"
        received = when(row.received_at, settings.zone)
        sender = row.sender or "?"
    raise Refused(f"Email {letter} from {sender}, received {received}, is {became}.")


def _described(mail: Mail, at: str, why: str) -> str:
    return plain(f"{mail.id:<7} {mail.recipient}  {at}\n        {mail.subject}\n        {' '.join(why.split())}")


def _named(session: Session, which: Sequence[str]) -> tuple[list[Mail], list[BouncedAddress], list[str]]:
    """Return the mails and the dead addresses that the words name, and the words that name neither."""
    words = {normal(word) or word.lower() for word in which}
    mails = [(mail, {"all", str(mail.id), mail.recipient}) for mail in outbox.given_up(session)]
    dead = [(row, {"all", row.address}) for row in bounces.dead_rows(session)]
    unknown = words.difference(*(names for _, names in mails), *(names for _, names in dead))
    return [mail for mail, names in mails if words & names], [row for row, names in dead if words & names], [*unknown]


def _told(unknown: Sequence[str]) -> int:
    for word in unknown:
        complain(f'no undeliverable email matches "{word}". To list them: judge mails list')
    return int(bool(unknown))


def _counted(mails: int) -> str:
    return "1 email is" if mails == 1 else f"{mails} emails are"
