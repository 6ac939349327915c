"""What the keeper asks from the shell about mails that were given up, or are withheld from addresses from which others
came back: `judge mails list`, `retry` and `dismiss`.

Each public function returns the exit status: 0, 1 if something could not be done, 2 if there is no database. The daemon
may run at the same time; it sends the mails that are to be tried again.
"""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError
from sqlmodel import Session

from judge.addresses import normal
from judge.games.people.bounces import in_words
from judge.mails.templates import when
from judge.settings import Settings
from judge.shell.database import opened
from judge.shell.plainly import plain
from judge.store import bounces, outbox, undelivered
from judge.store.engine import StoreError, reading, transaction
from judge.store.states import WaitingFor
from judge.store.tables import BouncedAddress, Mail

# What a mail waits for.
IN_WORDS: dict[WaitingFor, str] = {
    "": "its turn",
    "picture": "a picture",
    "greylisting": "the mail server, which has deferred it",
    "limit": "the limits of [smtp]",
    "bounce": "its reader to write, since mails to this address come back",
    "earlier mail": "an earlier mail to the same reader",
    "server": "the mail server",
}
_MASKED = (
    "judge: mail {mail.id} held a password or a code that the judge no longer has, so it cannot be sent again. "
    "{mail.recipient} can ask for a new one. To stop counting the mail: judge mails dismiss {mail.id}"
)


def list_mails(settings: Settings) -> int:
    """Each mail that was given up and not dismissed: its number, recipient, time, subject, and why it could not be
    sent; then the addresses from which mails are withheld.
    """

    def work(engine: Engine) -> int:
        with reading(engine) as session:
            mails = undelivered.given_up(session)
            print("\n".join(_described(mail, settings.zone) for mail in mails) or "No mail was given up.")
            for row in bounces.dead_rows(session):
                withheld = in_words(bounces.withheld(session, row)) or "nothing"
                since = when(row.dead_since, settings.zone) if row.dead_since else ""
                print(f"{'dead':<7} {row.address}  {since}\n        withheld: {withheld}\n        {row.reason}")
        return 0

    return _at_work(settings, work)


def list_waiting(settings: Settings) -> int:
    """Each mail that is not sent yet: its number, recipient, when it is tried next, subject, what it waits for, and
    what the mail server has said.
    """

    def work(engine: Engine) -> int:
        with reading(engine) as session:
            mails = outbox.unsent(session)
        for mail in mails:
            at = "" if mail.waiting_for == "bounce" else when(mail.next_try_at, settings.zone)
            why = "being sent" if mail.taken_by else f"waits for {IN_WORDS[mail.waiting_for]}"
            told = " ".join(f"{why}: {mail.error}".split()).rstrip(":")
            print(plain(f"{mail.id:<7} {mail.recipient}  {at}\n        {mail.subject}\n        {told}"))
        if not mails:
            print("No mail waits.")
        return 0

    return _at_work(settings, work)


def retry(settings: Settings, which: Sequence[str]) -> int:
    """Let the daemon send mails again: numbers, addresses or `all`. An address counts as if its owner had written."""

    def work(engine: Engine) -> int:
        now = datetime.now(UTC)
        with transaction(engine) as session:
            dead, rest = _dead(session, which)
            chosen, unknown = _chosen(undelivered.given_up(session), rest)
            masked = [mail for mail in chosen if mail.masked]
            again = [mail for mail in chosen if mail not in masked]
            undelivered.send_again(session, again, now)
            count = len(again) + sum(bounces.revive(session, row.address, now) for row in dead)
        print(f"{_counted(count)} sent again; judge status shows the outbox.")
        for mail in masked:
            print(_MASKED.format(mail=mail), file=sys.stderr)
        return _told_unknown(unknown) or int(bool(masked))

    return _at_work(settings, work)


def dismiss(settings: Settings, which: Sequence[str]) -> int:
    """Dismiss mails, so that they are no longer reported: numbers, addresses or `all`."""

    def work(engine: Engine) -> int:
        with transaction(engine) as session:
            dead, rest = _dead(session, which)
            chosen, unknown = _chosen(undelivered.given_up(session), rest)
            undelivered.dismiss(session, chosen, datetime.now(UTC))
            bounces.dismiss(session, dead, datetime.now(UTC))
        print(f"{_counted(len(chosen))} dismissed.")
        for row in dead:
            print(f"{row.address} is dismissed: what is withheld from it is only shown.")
        return _told_unknown(unknown)

    return _at_work(settings, work)


def _described(mail: Mail, zone: str) -> str:
    at = when(mail.failed_at, zone) if mail.failed_at else ""
    error = " ".join(mail.error.split())
    return plain(f"{mail.id:<7} {mail.recipient}  {at}\n        {mail.subject}\n        {error}")


def _dead(session: Session, which: Sequence[str]) -> tuple[list[BouncedAddress], list[str]]:
    """The dead addresses that the words name, and the words that may name something else."""
    words = {normal(word) or word.lower() for word in which}
    dead = [row for row in bounces.dead_rows(session) if words & {"all", row.address}]
    given_up = {mail.recipient for mail in undelivered.given_up(session)}
    only_dead = {row.address for row in dead} - given_up
    return dead, [word for word in which if normal(word) not in only_dead]


def _chosen(mails: Sequence[Mail], which: Sequence[str]) -> tuple[list[Mail], list[str]]:
    """The mails that the words name, and the words that name no mail."""
    names = [{"all", str(mail.id), mail.recipient} for mail in mails]
    words = [normal(word) or word.lower() for word in which]
    chosen = [mail for mail, known in zip(mails, names, strict=True) if known & set(words)]
    unknown = [word for word in words if not any(word in known for known in names)]
    return chosen, unknown


def _told_unknown(words: Sequence[str]) -> int:
    for word in words:
        print(f"judge: no mail {word} was given up; judge mails list shows those that were", file=sys.stderr)
    return int(bool(words))


def _counted(mails: int) -> str:
    return "1 mail is" if mails == 1 else f"{mails} mails are"


def _at_work(settings: Settings, work: Callable[[Engine], int]) -> int:
    try:
        return work(opened(settings))
    except (StoreError, OperationalError, OSError) as error:
        print(f"judge: {error}", file=sys.stderr)
        return 2
