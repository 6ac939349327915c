"""Reports to the keeper on disks, faulty files and other trouble of the judge.

There is a daily report, if the settings ask for one. An alert is sent immediately when something needs the keeper.
Letters in quarantine, phases on hold and undeliverable mails are reported in separate mails.
"""

import logging
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Engine
from sqlmodel import Session

from judge.games.core.work import Services, Work
from judge.games.notifications.gathering import next_at
from judge.mails.templates import template_faults, when
from judge.maps.drawing_check import check_drawing
from judge.maps.geometry import NoGeometry, read_geometry
from judge.rules import Variant, capitalized, counted
from judge.rules.variant.registry import GEOMETRY_FILE, VariantFolder, own_variants
from judge.service.limits import exceeded
from judge.service.troubles import (
    FILING,
    LOGIN,
    MAILBOX,
    TO_DO,
    Trouble,
    TroubleFile,
    file_of,
)
from judge.settings import Settings
from judge.store import inbox, stats
from judge.store.engine import reading, transaction
from judge.store.sent_mails import answers_waiting, last_mailed

log = logging.getLogger(__name__)

MEGABYTE = 1_000_000
# The maximum number of faults reported for one variant. `judge variants check` shows all.
MOST_TOLD = 3
# The maximum number of addresses on one line.
MOST_NAMED = 5
# The time between two checks of the judge's health.
LOOK_EVERY = timedelta(minutes=1)
# The times after which an alert may be sent again, if the trouble has continued or has come back.
AGAIN_WHILE_IT_LASTS = timedelta(days=1)
AGAIN_AFTER_A_REST = timedelta(hours=1)
# The maximum number of late players, bounced addresses, ignored emails or faulty files in a report.
MOST = 30


def disks(settings: Settings) -> list[tuple[Path, float]]:
    """Return the existing folders in which the judge writes, each with its free megabytes."""
    folders = dict.fromkeys(folder.resolve() for folder in (settings.home, file_of(settings).parent))
    return [(folder, shutil.disk_usage(folder).free / MEGABYTE) for folder in folders if folder.is_dir()]


def what_may_go(settings: Settings) -> str:
    """Return a sentence on what the keeper can delete on a full disk."""
    return (
        f"Make room: delete old backups and logs, or the maps in {settings.drawn}, which are drawn again when they are "
        "needed. [keep] in judge.ini says how long emails are kept"
    )


def faults(settings: Settings) -> Iterator[str]:
    """Yield a line for each fault of the keeper's templates and variants, with file and line.

    These faults do not stop the judge. The judge uses its own text instead of a faulty template, and plays no faulty
    variant.
    """
    if settings.templates:
        yield from (f"template {fault}; the judge uses its own" for fault in template_faults(settings.templates))
    if settings.variants and not settings.variants.is_dir():
        yield f"variants {settings.variants}: there is no folder of that name"
    for own in own_variants():
        yield from _faults_of(own)


def _faults_of(own: VariantFolder) -> Iterator[str]:
    for fault in own.faults[:MOST_TOLD]:
        yield f"variant {fault}; it cannot be played"
    if own.faults[MOST_TOLD:]:
        many = counted(len(own.faults), "mistake")
        yield f"variant {own.folder}: {many}; for all: judge variants check {own.folder.name}"
    if own.variant and GEOMETRY_FILE in own.files:
        path = own.folder / GEOMETRY_FILE
        wrong = _drawn_wrong(own.variant, path)
        more = [f"and {len(wrong) - MOST_TOLD} more mistakes"] if wrong[MOST_TOLD:] else []
        for text in [*wrong[:MOST_TOLD], *more]:
            yield f"variant {path}: {text}; its maps may be missing or wrong"


@lru_cache(maxsize=64)
def _drawn_wrong(variant: Variant, path: Path) -> list[str]:
    """Return the differences between a variant's drawing and its map.

    The differences are computed again only if the files of the variant have changed.
    """
    try:
        return [fault.rstrip(".") for fault in check_drawing(variant, read_geometry(path)).faults]
    except NoGeometry as unusable:
        return [str(unusable).removeprefix(f"{path} ")]
    except Exception as error:
        return [f"cannot be used ({type(error).__name__}: {error})"]


def whose(counts: Mapping[str, int]) -> str:
    """List addresses on one line, each with the number of things that wait for it."""
    named = [f"{address} ({count})" for address, count in counts.items()]
    more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return ", ".join([*named[:MOST_NAMED], *more])


def _concerns_of_troubles(troubles: Mapping[str, Trouble]) -> Iterator[tuple[str, list[str]]]:
    found = dict(troubles)
    if withheld := found.pop(MAILBOX, None):
        yield (
            "Emails in the mailbox cannot be read",
            [
                f"{capitalized(withheld.what)}. The numbers are UIDs. The judge tries again "
                "every time it reads the mailbox.",
                "Open the mailbox with a mail program. If an email can be read there, ask its sender to send it "
                "again, then delete it or move it out of the folder. If not, your provider can repair the mailbox.",
            ],
        )
    found.pop(LOGIN, None)  # the limit on checks of the mailbox reports a failed log-in too
    if filing := found.pop(FILING, None):
        yield (
            "Emails cannot be filed away",
            [
                f"{capitalized(filing.what)}.",
                "The judge has read and answered them. It marks them instead, if the server lets it.",
                f"What to do: {TO_DO[FILING]}.",
            ],
        )
    if found:
        yield (
            "The database needs attention",
            [
                *(f"{part}: {trouble.what}" for part, trouble in found.items()),
                "judge status shows this until it is fixed. To restore a backup, see docs/keeper.md.",
            ],
        )


class HealthReports:
    """Writes reports and alerts to the keeper.

    The thread that writes to the database calls `look` regularly.
    """

    def __init__(self, engine: Engine, services: Services, started_at: datetime, troubles: TroubleFile):
        self._engine, self._services, self._settings = engine, services, services.settings
        self._troubles, self._started_at = troubles, started_at
        self._faults: list[str] = []
        self._looked_at: datetime | None = None
        self._lasting: set[str] | None = None
        self._deaf_since: datetime | None = None

    def look_at_folders(self) -> None:
        """Check the keeper's templates and variants, and log what has changed."""
        found = [*faults(self._settings)]
        for line in found:
            if line not in self._faults:
                log.warning("%s", line)
        if self._faults and not found:
            log.info("the mistakes in the folders of templates and variants are fixed")
        self._faults = found

    def look(self, now: datetime, swept_at: datetime | None, listens: bool = True) -> None:
        """Write the reports and alerts that are due now.

        `swept_at` is the last check of the mailbox since the start. `listens` is false if the port for letters cannot
        be opened.
        """
        if self._looked_at and timedelta(0) <= now - self._looked_at < LOOK_EVERY:
            return
        self._looked_at = now
        self._deaf_since = None if listens else self._deaf_since or now
        with reading(self._engine) as session:
            concerns = dict(self._concerns(session, now, swept_at or self._started_at))
            told = [subject for subject in concerns if self._is_to_tell(session, subject, now)]
            reports = self._is_report_due(session, now)
        self._lasting = set(concerns)
        if not told and not reports:
            return
        with transaction(self._engine) as session:
            work = Work(session, self._services, now)
            for subject in told:
                work.notify_keeper("alert", subject, subject=subject, paragraphs=concerns[subject])
                log.warning("the keeper is told: %s", subject)
            if reports:
                self._report(work, [*concerns])

    def _is_report_due(self, session: Session, now: datetime) -> bool:
        """Return whether the daily time for reports has passed since the last report, or since the start."""
        settings, at = self._settings, self._settings.watch.report
        if at is None:
            return False
        last = last_mailed(session, settings.keeper, "report") or self._started_at
        return next_at(last, at, settings.zone) <= now

    def _concerns(self, session: Session, now: datetime, seen_at: datetime) -> Iterator[tuple[str, list[str]]]:
        """Yield the subject and the paragraphs of each alert that applies now."""
        settings = self._settings
        for folder, free in disks(settings):
            if free < settings.least_space:
                yield (
                    "The disk is nearly full",
                    [
                        f"{free:.0f} MB are free in {folder}, less than the {settings.least_space:.0f} of least_space.",
                        "While nothing can be written, emails wait in the mailbox and deadlines are on hold.",
                        f"{what_may_go(settings)}.",
                    ],
                )
        census = replace(stats.take(session, now), last_sweep_at=seen_at)
        for limit, says in exceeded(census, settings, now, self._started_at):
            yield limit.subject, [says, limit.to_do]
        # Ignore the short time before the port for letters is opened.
        if self._deaf_since and now - self._deaf_since >= LOOK_EVERY:
            yield (
                "No emails can be delivered to the judge",
                [
                    f"[intake] names {settings.intake.host}, port {settings.intake.port}, where the judge cannot "
                    "listen. Your mail server keeps the emails, and tries again later.",
                    "See the log for the reason. To test it, run judge doctor.",
                ],
            )
        yield from _concerns_of_troubles(self._troubles.found)
        if self._faults:
            says = "For all of them, run judge status."
            yield "A template or variant cannot be used", [*self._faults[:MOST], says]
        if count := inbox.count_ignored(session, now - AGAIN_WHILE_IT_LASTS):
            yield (
                "Emails from known people were ignored",
                [
                    f"In the last 24 hours the judge ignored {counted(count, 'email')} that seemed to come from a "
                    "program or a mailing list:",
                    *(
                        f"{row.sender}, {when(row.received_at, settings.zone)}: {row.error}"
                        for row in inbox.latest_ignored(session, min(count, MOST))
                    ),
                    "Automatic replies are always ignored. An email from a mailing list takes effect if it has a "
                    "SIGNON with the right password. If a person wrote one of these, ask them to write "
                    "to the judge directly.",
                ],
            )

    def _is_to_tell(self, session: Session, subject: str, now: datetime) -> bool:
        told_at = last_mailed(session, self._settings.keeper, "alert", f"{self._settings.code}: {subject}")
        # After a start, no one knows how long the trouble has lasted.
        lasts = self._lasting is None or subject in self._lasting
        again = AGAIN_WHILE_IT_LASTS if lasts else AGAIN_AFTER_A_REST
        return told_at is None or not timedelta(0) <= now - told_at < again

    def _report(self, work: Work, needs: list[str]) -> None:
        stand, day = stats.take(work.session, work.now), stats.day(work.session, work.now - timedelta(days=1))
        needing = {
            f"Emails set aside: {stand.letters_put_aside} (judge status, judge replay)": stand.letters_put_aside,
            f"Phases that cannot be processed: {stand.phases_held} (judge status)": stand.phases_held,
            f"Emails on hold because earlier ones bounced: {stand.mails_withheld} (judge mails list)":
                stand.mails_withheld,
            f"Emails undeliverable: {stand.mails_given_up} (judge mails list)": stand.mails_given_up,
        }  # fmt: skip
        needs += [need for need, count in needing.items() if count]
        verdict = counted(len(needs), "problem") if needs else "All is well"
        work.notify_keeper(
            "report", f"Daily report: {verdict}", census=stand, day=day, late=day.late[:MOST],
            more=len(day.late) - MOST, bounced=day.bounced[:MOST], more_bounced=len(day.bounced) - MOST, needs=needs,
            ignored=inbox.latest_ignored(work.session, min(day.ignored, MOST)),
            unconfirmed=whose(Counter(letter.sender for letter in inbox.letters(work.session, "held"))),
            unanswered=whose(day.unanswered),
            delayed=whose(answers_waiting(work.session)),
            disks=[(str(folder), f"{free:.0f}") for folder, free in disks(self._settings)],
        )  # fmt: skip
