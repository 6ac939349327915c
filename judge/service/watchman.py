"""Tells the keeper by mail how the judge is: a report every day, if the settings name a time, and at once what needs a
hand and is told by nobody else (letters put aside, phases held and mails given up have mails of their own).
"""

import logging
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlmodel import Session

from judge.games.core.office import Office
from judge.games.core.turn import Turn
from judge.mails.post import Notice
from judge.mails.templates import when
from judge.service.troubles import MAILBOX, TroubleFile
from judge.settings import Settings
from judge.store import inbox, stats
from judge.store.engine import reading, transaction
from judge.store.sent_mails import last_mailed, last_mailed_about

log = logging.getLogger(__name__)

# Between two looks for something that needs a hand, and how long the mailbox may be out of reach before it does.
LOOK_EVERY = timedelta(minutes=1)
MAILBOX_SILENT = timedelta(minutes=20)
# The same trouble is told again after so long while it lasts, and after so long if it was over meanwhile.
AGAIN_WHILE_IT_LASTS = timedelta(days=1)
AGAIN_AFTER_A_REST = timedelta(hours=1)
# How many late players, addresses from which mails come back, and faults of files, are named.
MOST = 30
MEGABYTE = 1_000_000

# What needs a hand, by its subject: paragraphs of the mail.
Troubles = dict[str, list[str]]


class Watchman:
    """`look` is called again and again by the thread that writes."""

    def __init__(self, engine: Engine, office: Office, started_at: datetime, troubles: TroubleFile | None = None):
        self._engine = engine
        self._office = office
        self._health = troubles
        self._settings = office.settings
        self._started_at = started_at
        self._looked_at: datetime | None = None
        self._reported_at: datetime | None = None
        self._lasting: set[str] | None = None
        self._deaf_since: datetime | None = None

    def look(self, now: datetime, faults: Sequence[str], swept_at: datetime | None, listens: bool = True) -> None:
        """Tell what is to be told now. `faults`: those of the keeper's own templates and variants; `swept_at`: when
        the mailbox was last looked through since the start; `listens`: whether letters can be handed in, if they may.
        """
        if self._looked_at and timedelta(0) <= now - self._looked_at < LOOK_EVERY:
            return
        self._looked_at = now
        self._deaf_since = None if listens else self._deaf_since or now
        with reading(self._engine) as session:
            troubles = self._troubles(now, faults, swept_at or self._started_at) | self._ignored(session, now)
            told = [subject for subject in troubles if self._is_to_tell(session, subject, now)]
            reports = self._is_to_report(session, now)
        self._lasting = set(troubles)
        if not told and not reports:
            return
        with transaction(self._engine) as session:
            turn = Turn(session, self._office, now)
            for subject in told:
                self._alert(turn, subject, troubles[subject])
            if reports:
                self._report(turn, troubles)

    def _troubles(self, now: datetime, faults: Sequence[str], seen_at: datetime) -> Troubles:
        """All that needs a hand now."""
        settings, found = self._settings, Troubles()
        for folder, free in _disks(settings):
            if free < settings.least_space:
                found["The disk is nearly full"] = [
                    f"{free:.0f} MB are free in {folder}, less than the {settings.least_space:.0f} of least_space.",
                    "Make room. When nothing can be written, letters wait in the mailbox and deadlines are held.",
                ]
        if now - seen_at > MAILBOX_SILENT:
            found["The mailbox is out of reach"] = [
                f"The last look through the mailbox was {when(seen_at, settings.zone)}. Deadlines are held until the "
                "judge has looked again; then letters count by the time at which they reached the mailbox.",
                "The log says why. judge doctor tries the mailbox and says what to do.",
            ]
        # At a start it is closed for a moment.
        if self._deaf_since and now - self._deaf_since >= LOOK_EVERY:
            found["No letters can be handed in"] = [
                f"[intake] names {settings.intake.host}, port {settings.intake.port}, where the judge cannot listen. "
                "Your mail server keeps the letters, and hands them in later if that does not last.",
                "The log says why. judge doctor tries it and says what to do.",
            ]
        trouble = dict(self._health.found) if self._health else {}
        if withheld := trouble.pop(MAILBOX, None):
            found["Emails in the mailbox cannot be read"] = [
                f"{withheld.what[:1].upper()}{withheld.what[1:]}. The numbers are UIDs. The judge tries again at every "
                "look through the mailbox.",
                "Open the mailbox with a mail program. If an email can be read there, ask its sender to send it again, "
                "then delete it or move it out of the folder. If not, your provider can repair the mailbox.",
            ]
        if trouble:
            found["The database needs you"] = [
                *(f"{part}: {one.what}" for part, one in trouble.items()),
                "judge status shows it as long as it lasts. docs/keeper.md says how to restore a backup.",
            ]
        if faults:
            found["A template or variant cannot be used"] = [*faults[:MOST], "judge status lists all of them."]
        return found

    def _ignored(self, session: Session, now: datetime) -> Troubles:
        """The letters of known people that were ignored within a day."""
        count = inbox.count_ignored(session, now - AGAIN_WHILE_IT_LASTS)
        if not count:
            return {}
        rows = inbox.latest_ignored(session, min(count, MOST))
        many = "1 email was" if count == 1 else f"{count} emails were"
        named = [f"{row.sender}, {when(row.received_at, self._settings.zone)}: {row.error}" for row in rows]
        return {
            "Emails from known people were ignored": [
                f"In the last 24 hours {many} neither carried out nor answered, because they bear the mark of a "
                "machine or a mailing list:",
                *named,
                "Automatic replies are always ignored. An email with the mark of a mailing list takes effect if it has "
                "a SIGNON with the right password. If a person wrote one of these, ask them to write to the judge "
                "directly.",
            ]
        }

    def _is_to_tell(self, session: Session, subject: str, now: datetime) -> bool:
        told_at = last_mailed_about(session, self._settings.keeper, "alert", f"{self._settings.code}: {subject}")
        # After a start nobody knows whether it has lasted.
        lasts = self._lasting is None or subject in self._lasting
        again = AGAIN_WHILE_IT_LASTS if lasts else AGAIN_AFTER_A_REST
        return told_at is None or not timedelta(0) <= now - told_at < again

    def _alert(self, turn: Turn, subject: str, paragraphs: list[str]) -> None:
        body = turn.office.post.render("alert", self._settings.zone, subject=subject, paragraphs=paragraphs)
        turn.mail(Notice(to=self._settings.keeper, kind="alert", subject=subject, body=body))
        log.warning("the keeper is told: %s", subject)

    def _is_to_report(self, session: Session, now: datetime) -> bool:
        at = self._settings.watch.report
        if at is None:
            return False
        if self._reported_at is None:
            # A keeper who never had a report gets the first at the next time that the settings name.
            self._reported_at = last_mailed(session, self._settings.keeper, "report") or now
        return next_at(self._reported_at, at, self._settings.zone) <= now

    def _report(self, turn: Turn, troubles: Troubles) -> None:
        since = turn.now - timedelta(days=1)
        stand, day = stats.take(turn.session), stats.day(turn.session, since)
        needs = [*troubles, *_needs(stand)]
        body = turn.office.post.render(
            "report",
            self._settings.zone,
            census=stand,
            day=day,
            late=day.late[:MOST],
            more=len(day.late) - MOST,
            bounced=day.bounced[:MOST],
            more_bounced=len(day.bounced) - MOST,
            needs=needs,
            disks=[(str(folder), f"{free:.0f}") for folder, free in _disks(self._settings)],
        )
        verdict = "All is well" if not needs else f"{len(needs)} to see to"
        turn.mail(Notice(to=self._settings.keeper, kind="report", subject=f"Daily report: {verdict}", body=body))
        self._reported_at = turn.now


def next_at(after: datetime, at: time, zone: str) -> datetime:
    """The first moment after `after` at which the clocks of `zone` show `at`."""
    local = after.astimezone(ZoneInfo(zone))
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, ZoneInfo(zone))


def _needs(stand: stats.Census) -> Iterator[str]:
    """What needs the keeper's hand in the database, with the command that shows it."""
    if stand.letters_put_aside:
        yield f"Letters put aside: {stand.letters_put_aside} (judge status, judge replay)"
    if stand.phases_held:
        yield f"Phases that cannot be processed: {stand.phases_held} (judge status)"
    if stand.mails_withheld:
        yield f"Mails withheld, since earlier ones came back: {stand.mails_withheld} (judge mails list)"
    if stand.mails_given_up:
        yield f"Mails given up: {stand.mails_given_up} (judge mails list)"


def _disks(settings: Settings) -> list[tuple[Path, float]]:
    """The folders in which the judge writes, and the megabytes that are free there."""
    folders = [settings.home]
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and address.database:
        folders.append(Path(address.database).parent)
    there = dict.fromkeys(folder.resolve() for folder in folders if folder.is_dir())
    return [(folder, shutil.disk_usage(folder).free / MEGABYTE) for folder in there]
