"""`judge status`: the state of the judge, part by part, with what to do about each problem."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from judge import __version__
from judge.mails.templates import when
from judge.rules import open_catalogue
from judge.rules.board.names import counted
from judge.service.health import whose
from judge.settings import Settings
from judge.shell.database import is_not_made_yet, opened
from judge.shell.doctor import Look, folders, post, show, troubles_told, writable
from judge.shell.mails import IN_WORDS, dead_addresses
from judge.store import inbox, outbox, sent_mails, stats
from judge.store.engine import StoreError, in_words, open_engine, reading
from judge.store.games import games_by_deadline, held_phases
from judge.store.locks import AtWork, holder, roll

NEXT_DEADLINES = 5
# How much longer than usual a sweep may take while many phases are processed.
STUCK = timedelta(minutes=10)
# How long a mail that is due may wait for its picture, or for many other mails.
STALLED = timedelta(minutes=30)


def report(settings: Settings, *, json: bool = False) -> int:
    """Print the state of the judge; return 0 if the keeper need not do anything.

    json: as one JSON object, with the numbers of judge/store/stats.py.
    """
    open_catalogue(settings.variants, settings.editions)
    looks = [*who_is_at_work(settings), *post(settings), *writable(settings), *troubles_told(settings)]
    numbers = None
    if is_not_made_yet(settings):
        looks.append(Look("database", "none yet: judge run creates it", False))
    else:
        try:
            with reading(opened(settings)) as session:
                numbers = stats.take(session)
                looks += in_database(session, numbers, settings, datetime.now(UTC))
        except (StoreError, DBAPIError) as error:
            looks.append(Look("database", f"NOT usable: {in_words(error)}", False))
    looks += folders(settings)
    if not json:
        return show([Look("judge", f"{settings.code} <{settings.address}>"), *looks], json=False)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    who = {"judge": settings.code, "address": settings.address, "version": __version__, "at": at}
    return show(looks, json=True, **who, census=numbers and asdict(numbers))


def who_is_at_work(settings: Settings) -> list[Look]:
    """Look at the daemon, a daemon that stands by, and workers."""
    process = holder(settings.home / "judge.store.lock")
    hands: list[AtWork] = []
    if not is_not_made_yet(settings):
        with suppress(StoreError, DBAPIError):  # another look says what is wrong with the database
            hands = roll(open_engine(settings.store_url))
    daemon = next((hand.where for hand in hands if hand.role == "daemon"), f"process {process}" if process else "")
    said = f"running ({daemon})" if daemon else "NOT running. To start it: judge run"
    looks = [Look("daemon", said, bool(daemon))]
    looks += [Look(hand.role, hand.where) for hand in hands if hand.role != "daemon"]
    roles = {hand.role for hand in hands}
    if "worker" not in roles and not settings.smtp.courier:
        looks.append(Look("worker", "NONE, and [smtp] courier = no, so emails wait. To send them: judge worker", False))
    if "worker" not in roles and not settings.painters:
        none = "NONE, and [maps] painters = 0, so emails go without maps. To draw them: judge worker"
        looks.append(Look("worker", none, False))
    return looks


def in_database(session: Session, numbers: stats.Census, settings: Settings, now: datetime) -> Iterator[Look]:
    """Look at what the database says."""
    zone = settings.zone
    if (swept_at := numbers.last_sweep_at) is None:
        yield Look("last sweep", "none yet")
    else:
        # The last sweep alone shows a daemon that is stuck or cannot write its results.
        usual = timedelta(seconds=min(settings.mailbox.poll, settings.sweep)) + inbox.SWEEP_PRECISION
        stuck = "TOO LONG AGO. See the log for what the daemon is waiting for; otherwise restart judge run"
        well = now - swept_at <= 2 * usual + STUCK
        yield Look("last sweep", when(swept_at, zone) + ("" if well else f", {stuck}"), well)
    yield Look("letters", f"{numbers.letters_waiting} waiting, {numbers.letters_put_aside} set aside")
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
    since = f", the oldest since {when(numbers.oldest_mail_at, zone)}" if numbers.oldest_mail_at else ""
    tried = f"{numbers.mails_deferred} tried before, {numbers.mails_given_up} given up"
    yield Look("outbox", f"{numbers.mails_waiting} waiting{since}, {tried}")
    if reasons := numbers.mails_waiting_for:
        why = ", ".join(f"{count} for {IN_WORDS[reason]}" for reason, count in reasons.items())
        yield Look("waiting", f"{why}. To list them: judge mails list --waiting")
    next_try_at = outbox.next_due(session)
    if next_try_at and now - next_try_at > STALLED:
        yield Look("outbox", f"STUCK: an email was due {when(next_try_at, zone)}. See the log", False)
    if numbers.mails_given_up:
        hint = "judge mails list shows them; then judge mails retry or dismiss"
        yield Look("given up", f"{numbers.mails_given_up}: {hint}", False)
    if answers := sent_mails.answers_waiting(session):
        yield Look("answers", f"{numbers.answers_waiting} delayed by the hourly limit ([limits]): {whose(answers)}")
    yield from (Look("withheld", says, is_well) for says, is_well in dead_addresses(session, zone))
    for name, phase in games_by_deadline(session, NEXT_DEADLINES):
        late = "  OVERDUE" if phase.due_at and phase.due_at < now else ""
        yield Look("deadline", f"{name} {phase.name}: {when(phase.deadline_at, zone)}{late}")
    for name, phase in held_phases(session):
        since = when(phase.held_since, zone) if phase.held_since else ""
        told = f"{name} {phase.name} since {since}. See the log for the traceback, and judge games show {name}"
        yield Look("HELD", told, False)
    for letter in inbox.letters(session, "shunted"):
        again = f"See the log. To try it again: judge replay {letter.id}"
        yield Look("set aside", f"email {letter.id} from {letter.sender or '?'}. {again}", False)
