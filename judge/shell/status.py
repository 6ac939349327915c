"""Show the state of the judge, with what to do about each problem (`judge status`).

The module also has commands for letters and mails that are stuck. `judge replay` is for letters in quarantine, and
`judge mails list`, `retry` and `dismiss` are for unsent mails. The daemon may run at the same time. It handles the
letters and sends the mails that are to be tried again. Each command returns 0, or 1 if something could not be done.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from judge import __version__
from judge.addresses import normal
from judge.games.people.mail_trouble import in_words as mails_in_words
from judge.mails.templates import when
from judge.rules import open_catalogue
from judge.rules.board.names import by_number, counted
from judge.service.health import whose
from judge.service.limits import exceeded
from judge.settings import Settings
from judge.shell.calling import Refused, complain
from judge.shell.doctor import Look, Looks, folders, post, show, troubles_told, writable
from judge.store import bounces, inbox, outbox, sent_mails, stats
from judge.store.engine import UNUSABLE, StoreError, in_words, is_not_made_yet, opened, reading, transaction
from judge.store.games import games_by_deadline, held_phases
from judge.store.locks import holder, roll
from judge.store.states import WaitingFor
from judge.store.tables import BouncedAddress, LetterRow, Mail

# Errors that end a command, each printed on one line (judge/shell/calling.py).
ERRORS = UNUSABLE
# The reasons why a mail waits, in words for the keeper.
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
NEXT_DEADLINES = 5


def report(settings: Settings, *, json: bool = False) -> int:
    """Print the state of the judge, and return 0 if the keeper has nothing to do.

    If `json` is true, print one JSON object, with the numbers of judge/store/stats.py.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [*who_is_at_work(settings), *post(settings), *writable(settings), *troubles_told(settings)]
    numbers = None
    if is_not_made_yet(settings):
        looks.append(Look("database", "none yet: judge run creates it", False))
    else:
        try:
            with reading(opened(settings)) as session:
                now = datetime.now(UTC)
                numbers = stats.take(session, now)
                looks += in_database(session, numbers, settings, now)
        except (StoreError, DBAPIError) as error:
            looks.append(Look("database", f"NOT usable: {in_words(error)}", False))
    looks += folders(settings)
    if not json:
        return show([Look("judge", f"{settings.code} <{settings.address}>"), *looks], json=False)
    who = {"judge": settings.code, "address": settings.address, "version": __version__, "at": datetime.now(UTC)}
    return show(looks, json=True, **who, census=numbers and asdict(numbers))


def who_is_at_work(settings: Settings) -> list[Look]:
    """Report on the daemon, on a daemon that waits to take over, and on workers."""
    process = holder(settings.home / "judge.store.lock")
    hands = []
    with suppress(StoreError, DBAPIError):  # another finding reports what is wrong with the database
        hands = roll(opened(settings))
    daemon = next((where for role, where in hands if role == "daemon"), f"process {process}" if process else "")
    said = f"running ({daemon})" if daemon else "NOT running. To start it: judge run"
    looks = [Look("daemon", said, bool(daemon))]
    looks += [Look(role, where) for role, where in hands if role != "daemon"]
    if "worker" not in {role for role, _ in hands}:
        if not settings.smtp.courier:
            looks.append(_no_worker("[smtp] courier = no, so emails wait. To send"))
        if not settings.painters:
            looks.append(_no_worker("[maps] painters = 0, so emails go without maps. To draw"))
    return looks


def _no_worker(why: str) -> Look:
    return Look("worker", f"NONE, and {why} them: judge worker", False)


def in_database(session: Session, numbers: stats.Census, settings: Settings, now: datetime) -> Looks:
    """Report the problems that the database shows, and the next deadlines."""
    zone = settings.zone
    for limit, says in exceeded(numbers, settings, now):
        yield Look(limit.what, f"TOO LATE: {says}", False, limit.to_do)
    yield from _about_letters(session, numbers, zone, now)
    yield from _about_mails(session, numbers, zone)
    for name, phase in games_by_deadline(session, NEXT_DEADLINES):
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        yield Look("deadline", f"{name} {phase.name}: {when(phase.deadline_at, zone)}{late}")
    for name, phase in held_phases(session):
        since = when(phase.held_since, zone) if phase.held_since else ""
        told = f"{name} {phase.name} since {since}. See the log for the traceback, and judge games show {name}"
        yield Look("HELD", told, False)
    for letter in inbox.letters(session, "shunted"):
        again = f"See the log. To try it again: judge replay {letter.id}"
        yield Look("not handled", f"email {letter.id} from {letter.sender or '?'}. {again}", False)


def _about_letters(session: Session, numbers: stats.Census, zone: str, now: datetime) -> Looks:
    yield Look("mail check", when(numbers.last_sweep_at, zone) if numbers.last_sweep_at else "none yet")
    yield Look("letters", f"{numbers.letters_waiting} waiting, {numbers.letters_put_aside} that could not be handled")
    if latest := inbox.latest(session):
        yield Look("last letter", f"{when(latest.received_at, zone)} from {latest.sender or 'someone (not read yet)'}")
    for letter in inbox.latest_ignored(session, 1):
        many = f"{counted(numbers.letters_ignored, 'email')} from known people"
        last = f"the latest on {when(letter.received_at, zone)} from {letter.sender}: {letter.error}"
        yield Look("ignored", f"{many}, {last}")
    if unanswered := stats.unanswered(session, now - timedelta(days=1)):
        why = "in the last 24 hours, because someone else may have written them"
        yield Look("unanswered", f"{unanswered.total()} {why}: {whose(unanswered)}")
    if unconfirmed := inbox.letters(session, "held"):
        named = whose(Counter(letter.sender for letter in unconfirmed))
        yield Look("unconfirmed", f"{len(unconfirmed)} waiting for their senders to confirm them: {named}")


def _about_mails(session: Session, numbers: stats.Census, zone: str) -> Looks:
    since = f", the oldest since {when(numbers.oldest_mail_at, zone)}" if numbers.oldest_mail_at else ""
    tried = f"{numbers.mails_deferred} tried before, {numbers.mails_given_up} given up"
    yield Look("outbox", f"{numbers.mails_waiting} waiting{since}, {tried}")
    if reasons := numbers.mails_waiting_for:
        why = ", ".join(f"{count} for {IN_WORDS[reason]}" for reason, count in reasons.items())
        yield Look("waiting", f"{why}. To list them: judge mails list --waiting")
    for name, number, due_at, said_at in outbox.in_hand(session):
        said = f"the first due since {when(due_at, zone)}; last sign of life {when(said_at, zone)}"
        yield Look("in hand", f"{counted(number, 'email')} being sent by {name}, {said}")
    if numbers.mails_given_up:
        hint = "judge mails list shows them; then judge mails retry or dismiss"
        yield Look("given up", f"{numbers.mails_given_up}: {hint}", False)
    if answers := sent_mails.answers_waiting(session):
        yield Look("answers", f"{numbers.answers_waiting} delayed by the hourly limit ([limits]): {whose(answers)}")
    yield from (Look("withheld", says, is_well) for says, is_well in dead_addresses(session, zone))


# --- commands for waiting mails and letters ---


def list_mails(settings: Settings, *, waiting: bool = False) -> int:
    """List the undeliverable mails with the reason, then the dead addresses with their withheld mails.

    If `waiting` is true, list only the unsent mails, with the time of the next attempt and the reason.
    """
    zone = settings.zone
    with reading(opened(settings)) as session:
        if waiting:
            print("\n".join(_unsent(session, zone)) or "No emails are waiting.")
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
    """Yield a text on each dead address, and whether the keeper can ignore the address.

    The text says why the address is dead, and which mails are withheld.
    """
    for row in bounces.dead_rows(session):
        kinds = bounces.withheld(session, row)
        since = f" since {when(row.dead_since, zone)}" if row.dead_since else ""
        withheld = mails_in_words(kinds) or "none"
        says = f"emails to {row.address} have bounced{since} ({row.reason}); withheld: {withheld}"
        is_well = row.dismissed_at is not None or not kinds
        if not is_well:
            says += f". To send them: judge mails retry {row.address}. To hide this: judge mails dismiss {row.address}"
        yield says, is_well


def retry(settings: Settings, which: Sequence[str]) -> int:
    """Send mails again, given by number, address or `all`.

    Mails to a dead address are then no longer withheld.
    """
    now = datetime.now(UTC)
    with transaction(opened(settings)) as session:
        mails, dead, unknown = _named(session, which)
        masked = [mail for mail in mails if mail.masked]
        again = [mail.id for mail in mails if not mail.masked]
        outbox.send_again(session, again, now)
        count = len(again) + sum(bounces.revive(session, row, now) for row in dead)
        print(f"{_counted(count)} being sent again. To watch the outbox: judge status")
        for mail in masked:
            complain(_MASKED.format(mail=mail))
    return _told(unknown) or int(bool(masked))


def dismiss(settings: Settings, which: Sequence[str]) -> int:
    """Stop reporting undeliverable mails, given by number, address or `all`."""
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
    """Let the daemon handle a quarantined letter again."""
    with transaction(opened(settings)) as session:
        if not (row := session.get(LetterRow, letter)):
            raise Refused(f"There is no email {letter}.")
        if inbox.requeue(row):
            print(f"Email {letter} will be read again.")
            return 0
        became = f"{row.state} since {when(row.done_at, settings.zone)}" if row.done_at else "waiting to be read"
        received = when(row.received_at, settings.zone)
    raise Refused(f"Email {letter} from {row.sender or '?'}, received {received}, is {became}.")


def _unsent(session: Session, zone: str) -> Iterator[str]:
    for mail in outbox.unsent(session):
        why = f"waits for {IN_WORDS[mail.waiting_for]}"
        if mail.taken_by:
            since = when(mail.taken_at or mail.next_try_at, zone)
            why = f"being sent by {mail.taken_by}, which last said so on {since}"
        if mail.error:
            why += f": {mail.error}"
        next_try = "" if mail.waiting_for == "bounce" else when(mail.next_try_at, zone)
        yield _described(mail, next_try, why)


def _described(mail: Mail, at: str, why: str) -> str:
    return f"{mail.id:<7} {mail.recipient}  {at}\n        {mail.subject}\n        {' '.join(why.split())}"


def _named(session: Session, which: Sequence[str]) -> tuple[list[Mail], list[BouncedAddress], list[str]]:
    """Return the mails and dead addresses that the arguments mean, and the arguments that mean neither."""
    words = {normal(word) or word.lower() for word in which}
    mails, dead, known = list[Mail](), list[BouncedAddress](), set[str]()
    for mail in outbox.given_up(session):
        if said := words & {"all", str(mail.id), mail.recipient}:
            mails.append(mail)
            known |= said
    for row in bounces.dead_rows(session):
        if said := words & {"all", row.address}:
            dead.append(row)
            known |= said
    return mails, dead, [*words - known]


def _told(unknown: Sequence[str]) -> int:
    for word in unknown:
        complain(f'no undeliverable email matches "{word}". To list them: judge mails list')
    return int(bool(unknown))


def _counted(mails: int) -> str:
    return by_number(mails, "1 email is", f"{mails} emails are")
