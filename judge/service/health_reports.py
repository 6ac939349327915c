"""Mails to the keeper about the state of the judge: a daily report, if the settings ask for it, and alerts.

An alert is sent at once about what needs the keeper and has no mail of its own, as letters that were set aside, phases
on hold and undeliverable mails have.
"""

import logging
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from sqlalchemy import Engine
from sqlmodel import Session

from judge.games.core.work import Services, Work
from judge.mails.mail_writer import Notice
from judge.mails.templates import when
from judge.service.health import MAILBOX, TroubleFile, disks, faults, whose
from judge.store import inbox, stats
from judge.store.engine import reading, transaction
from judge.store.sent_mails import answers_waiting, last_mailed

log = logging.getLogger(__name__)

# The time between two looks, and for how long the mailbox may be unreachable.
LOOK_EVERY = timedelta(minutes=1)
MAILBOX_SILENT = timedelta(minutes=20)
# The time until an alert is repeated, while the trouble lasts and if it was over meanwhile.
AGAIN_WHILE_IT_LASTS = timedelta(days=1)
AGAIN_AFTER_A_REST = timedelta(hours=1)
# The most late players, dead addresses and faults of files that are named.
MOST = 30

# The subject of an alert, and its paragraphs.
Concern = tuple[str, list[str]]


class HealthReports:
    """Writes the mails; `look` is called again and again by the thread that writes to the database."""

    def __init__(self, engine: Engine, services: Services, started_at: datetime, troubles: TroubleFile | None = None):
        """Keep the troubles of the daemon that started at that moment."""
        self._engine, self._services, self._settings = engine, services, services.settings
        self._troubles = troubles or TroubleFile(None)
        self._started_at = started_at
        self._faults: list[str] = []
        self._looked_at: datetime | None = None
        self._lasting: set[str] | None = None
        self._deaf_since: datetime | None = None

    def look_at_folders(self) -> None:
        """Check the keeper's own templates and variants; log new faults, and the end of all."""
        found = [*faults(self._settings)]
        for line in found:
            if line not in self._faults:
                log.warning("%s", line)
        if self._faults and not found:
            log.info("the folders of templates and variants have no more errors")
        self._faults = found

    def look(self, now: datetime, swept_at: datetime | None, listens: bool = True) -> None:
        """Write the mails that are due now.

        swept_at: when the mailbox was last searched since the start. listens: whether letters can be handed in.
        """
        if self._looked_at and timedelta(0) <= now - self._looked_at < LOOK_EVERY:
            return
        self._looked_at = now
        self._deaf_since = None if listens else self._deaf_since or now
        with reading(self._engine) as session:
            concerns = dict(self._concerns(session, now, swept_at or self._started_at))
            told = [subject for subject in concerns if self._is_to_tell(session, subject, now)]
            reports = self._is_to_report(session, now)
        self._lasting = set(concerns)
        if not told and not reports:
            return
        with transaction(self._engine) as session:
            work = Work(session, self._services, now)
            for subject in told:
                self._mail(work, "alert", subject, subject=subject, paragraphs=concerns[subject])
                log.warning("the keeper is told: %s", subject)
            if reports:
                self._report(work, [*concerns])

    def _concerns(self, session: Session, now: datetime, seen_at: datetime) -> Iterator[Concern]:
        """Yield all that needs the keeper now."""
        settings = self._settings
        for folder, free in disks(settings):
            if free < settings.least_space:
                yield "The disk is nearly full", [
                    f"{free:.0f} MB are free in {folder}, less than the {settings.least_space:.0f} of least_space.",
                    "Make room. When nothing can be written, emails wait in the mailbox and deadlines are on hold.",
                ]
        if now - seen_at > MAILBOX_SILENT:
            yield "The mailbox cannot be read", [
                f"The last look through the mailbox was {when(seen_at, settings.zone)}. Deadlines are on hold until "
                "it can be read again. Emails are then timed by when they reached the mailbox.",
                "See the log for the reason. To test the mailbox, run judge doctor.",
            ]
        # At a start the server is closed for a moment.
        if self._deaf_since and now - self._deaf_since >= LOOK_EVERY:
            yield "No emails can be handed in", [
                f"[intake] names {settings.intake.host}, port {settings.intake.port}, where the judge cannot listen. "
                "Your mail server keeps the emails, and tries again later.",
                "See the log for the reason. To test it, run judge doctor.",
            ]
        found = dict(self._troubles.found)
        if withheld := found.pop(MAILBOX, None):
            yield "Emails in the mailbox cannot be read", [
                f"{withheld.what[:1].upper()}{withheld.what[1:]}. The numbers are UIDs. The judge tries again at every "
                "look through the mailbox.",
                "Open the mailbox with a mail program. If an email can be read there, ask its sender to send it again, "
                "then delete it or move it out of the folder. If not, your provider can repair the mailbox.",
            ]
        if found:
            yield "The database needs attention", [
                *(f"{part}: {trouble.what}" for part, trouble in found.items()),
                "judge status shows this until it is fixed. To restore a backup, see docs/keeper.md.",
            ]
        if self._faults:
            says = "For all of them, run judge status."
            yield "A template or variant cannot be used", [*self._faults[:MOST], says]
        if count := inbox.count_ignored(session, now - AGAIN_WHILE_IT_LASTS):
            many = "1 email was" if count == 1 else f"{count} emails were"
            yield "Emails from known people were ignored", [
                f"In the last 24 hours {many} neither carried out nor answered, because they are marked as coming "
                "from a program or a mailing list:",
                *(
                    f"{row.sender}, {when(row.received_at, settings.zone)}: {row.error}"
                    for row in inbox.latest_ignored(session, min(count, MOST))
                ),
                "Automatic replies are always ignored. An email from a mailing list takes effect if it has a SIGNON "
                "with the right password. If a person wrote one of these, ask them to write to the judge directly.",
            ]

    def _is_to_tell(self, session: Session, subject: str, now: datetime) -> bool:
        told_at = last_mailed(session, self._settings.keeper, "alert", f"{self._settings.code}: {subject}")
        # After a start it is not known whether it has lasted.
        lasts = self._lasting is None or subject in self._lasting
        again = AGAIN_WHILE_IT_LASTS if lasts else AGAIN_AFTER_A_REST
        return told_at is None or not timedelta(0) <= now - told_at < again

    def _is_to_report(self, session: Session, now: datetime) -> bool:
        at = self._settings.watch.report
        # The first report comes at the next time that the settings name.
        last = at and (last_mailed(session, self._settings.keeper, "report") or self._started_at)
        return bool(at and last and next_at(last, at, self._settings.zone) <= now)

    def _report(self, work: Work, needs: list[str]) -> None:
        stand, day = stats.take(work.session), stats.day(work.session, work.now - timedelta(days=1))
        counted = {
            f"Emails set aside: {stand.letters_put_aside} (judge status, judge replay)": stand.letters_put_aside,
            f"Phases that cannot be processed: {stand.phases_held} (judge status)": stand.phases_held,
            f"Emails on hold, since earlier ones bounced: {stand.mails_withheld} (judge mails list)":
                stand.mails_withheld,
            f"Emails undeliverable: {stand.mails_given_up} (judge mails list)": stand.mails_given_up,
        }  # fmt: skip
        needs += [need for need, count in counted.items() if count]
        verdict = f"{len(needs)} to see to" if needs else "All is well"
        self._mail(
            work, "report", f"Daily report: {verdict}", census=stand, day=day, late=day.late[:MOST],
            more=len(day.late) - MOST, bounced=day.bounced[:MOST], more_bounced=len(day.bounced) - MOST, needs=needs,
            ignored=inbox.latest_ignored(work.session, min(day.ignored, MOST)),
            unconfirmed=whose(Counter(letter.sender for letter in inbox.held_letters(work.session))),
            unanswered=whose(day.unanswered),
            delayed=whose(answers_waiting(work.session)),
            disks=[(str(folder), f"{free:.0f}") for folder, free in disks(self._settings)],
        )  # fmt: skip

    def _mail(self, work: Work, kind: Literal["alert", "report"], title: str, **context: object) -> None:
        body = work.services.post.render(kind, self._settings.zone, **context)
        work.mail(Notice(to=self._settings.keeper, kind=kind, subject=title, body=body))


def next_at(after: datetime, at: time, zone: str) -> datetime:
    """Return the first moment after `after` at which the clocks of `zone` show `at`."""
    local = after.astimezone(ZoneInfo(zone))
    day = local.date() if local.time() < at else local.date() + timedelta(days=1)
    return datetime.combine(day, at, ZoneInfo(zone))
