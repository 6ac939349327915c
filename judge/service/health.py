"""Faults that the database cannot show: of the disk, the keeper's own files, the daemon's work, SQLite's file.

A database that is damaged or unreachable cannot say so itself, and a daemon that waits for it looks alive. So the
daemon writes what fails into a file that `judge status` reads: next to SQLite's (`judge.db.trouble`), otherwise in the
home (`judge.store.trouble`), as long as something is wrong.

The keeper gets mails about the state of the judge: a daily report, if the settings ask for it, and alerts. An alert is
sent at once about what needs the keeper and has no mail of its own, as letters that were set aside, phases on hold and
undeliverable mails have.
"""

import logging
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic

from pydantic import TypeAdapter
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlmodel import Session

from judge.games.core.work import Services, Work
from judge.games.notifications.gathering import next_at
from judge.letters.imap import WRONG_PASSWORD
from judge.mails.templates import template_faults, when
from judge.maps.drawing_check import check_drawing
from judge.maps.geometry import NoGeometry, read_geometry
from judge.rules import Variant
from judge.rules.board.names import counted
from judge.rules.variant.registry import GEOMETRY_FILE, own_variants
from judge.service.limits import exceeded
from judge.service.threads import Loop
from judge.settings import Settings
from judge.store import inbox, stats
from judge.store.engine import reading, transaction
from judge.store.sent_mails import answers_waiting, last_mailed

log = logging.getLogger(__name__)

# The parts of the daemon's work that may be in trouble.
LETTERS, MAILS, OLD_DATA, CHECK, MAILBOX = "letters and deadlines", "mails", "old data", "database check", "mailbox"
FILING, LOGIN = "filing", "login"
# What to do about trouble with the mailbox.
TO_DO = {
    MAILBOX: "open the mailbox with a mail program, and see docs/keeper.md",
    FILING: "make room in the mailbox, or set [mailbox] processed to a folder that accepts emails",
    LOGIN: WRONG_PASSWORD.format(section="mailbox"),
}
_UNREADABLE = "trouble file"
MEGABYTE = 1_000_000
# The most faults reported of one variant (`judge variants check` shows all), and of a database.
MOST_TOLD = 3
# The most addresses named on a line.
MOST_NAMED = 5
# Seconds between the end of a check of the database and the next.
EVERY = 86_400.0
# SQLite asks after this many steps whether the check is to be broken off.
_STEPS = 10_000
# The time between two looks.
LOOK_EVERY = timedelta(minutes=1)
# The time until an alert is repeated, while the trouble lasts and if it was over meanwhile.
AGAIN_WHILE_IT_LASTS = timedelta(days=1)
AGAIN_AFTER_A_REST = timedelta(hours=1)
# The most late players, dead addresses and faults of files that are named.
MOST = 30


def disks(settings: Settings) -> list[tuple[Path, float]]:
    """Return the folders in which the judge writes, if they exist, with the megabytes that are free there."""
    folders = dict.fromkeys(folder.resolve() for folder in (settings.home, file_of(settings).parent))
    return [(folder, shutil.disk_usage(folder).free / MEGABYTE) for folder in folders if folder.is_dir()]


def what_may_go(settings: Settings) -> str:
    """Say what can be deleted on a full disk."""
    return (
        f"Make room: delete old backups and logs, or the maps in {settings.drawn}, which are drawn again when they are "
        "needed. [keep] in judge.ini says how long emails are kept"
    )


def faults(settings: Settings) -> Iterator[str]:
    """Yield a line for each fault of the keeper's templates and variants, with file and line.

    None of them stops the judge: it uses its own text in place of a faulty template, and plays no faulty variant.
    """
    if settings.templates:
        yield from (f"template {fault}; the judge uses its own" for fault in template_faults(settings.templates))
    if settings.variants and not settings.variants.is_dir():
        yield f"variants {settings.variants}: there is no folder of that name"
    for own in own_variants():
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
    """List how a drawing differs from its map. Files that were changed give another variant, which is compared anew."""
    try:
        return [fault.rstrip(".") for fault in check_drawing(variant, read_geometry(path)).faults]
    except NoGeometry as unusable:
        return [str(unusable).removeprefix(f"{path} ")]
    except Exception as error:
        return [f"cannot be used ({type(error).__name__}: {error})"]


def whose(counts: Mapping[str, int]) -> str:
    """Return the addresses that something waits for, each with its count."""
    named = [f"{address} ({count})" for address, count in counts.items()]
    more = [f"and {len(named) - MOST_NAMED} more"] if len(named) > MOST_NAMED else []
    return ", ".join([*named[:MOST_NAMED], *more])


@dataclass(frozen=True)
class Trouble:
    """A fault in words, and its beginning, None if that is not known."""

    what: str
    since: datetime | None


# What the file holds: part of the work → what is wrong with it.
_CONTENT = TypeAdapter(dict[str, Trouble])


class TroubleFile:
    """The file of one daemon; any thread may write.

    What an earlier run has left there stays until its part of the work succeeds. `found`: part of the work → what is
    wrong with it now.
    """

    def __init__(self, path: Path | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)):
        """Read the file; without a path nothing is written."""
        self._path, self._now = path, now
        self._one_at_a_time = threading.Lock()
        self.found = read_troubles(path) if path else {}
        self.note(_UNREADABLE)

    def note(self, part: str, what: str = "") -> None:
        """Record what is wrong with a part of the work, "" if it succeeds; the moment at which that began is kept."""
        with self._one_at_a_time:
            found = dict(self.found)
            known = found.pop(part, None)
            if what:
                found[part] = Trouble(what, known.since if known else self._now().replace(microsecond=0))
            if found != self.found:
                self.found = found
                self._write()

    def _write(self) -> None:
        """Replace the file as a whole, or remove it, since others may be reading it."""
        if not self._path:
            return
        try:
            new = self._path.with_name(f"{self._path.name}.new")
            new.touch(0o600)
            new.write_bytes(_CONTENT.dump_json(self.found, indent=1))
            new.replace(self._path)
            if not self.found:
                self._path.unlink()
        except OSError as error:
            log.error("%s cannot be written: %s", self._path, error.strerror)


def file_of(settings: Settings) -> Path:
    """Return the file into which the daemon with these settings writes what is wrong."""
    address = make_url(settings.store_url)
    if address.get_backend_name() == "sqlite" and address.database:
        return Path(f"{Path(address.database).resolve()}.trouble")
    return settings.home / "judge.store.trouble"


def read_troubles(path: Path) -> dict[str, Trouble]:
    """Return what is wrong with each part of the work; a file that cannot be read is a trouble itself."""
    try:
        return _CONTENT.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        return {_UNREADABLE: Trouble(f"{path} cannot be read ({type(error).__name__})", None)}


class DatabaseCheck(Loop):
    """Has SQLite search its whole file for damage (PRAGMA quick_check), at the start and every day.

    It reads on a connection of its own, so no writer waits. That takes as long as the disk takes to read the file, and
    about a second of processor time for a gigabyte. PostgreSQL has no such statement; its keeper has pg_amcheck.
    """

    def __init__(self, engine: Engine, troubles: TroubleFile):
        """Keep what to check; nothing is started yet."""
        super().__init__("database check", self.check, partial(troubles.note, CHECK))
        self._engine, self._troubles = engine, troubles

    def start(self) -> None:
        """Start the thread, if the database is a file of SQLite."""
        if self._engine.dialect.name == "sqlite":
            super().start()

    def check(self) -> float:
        """Search the file, unless the thread is to end; what is found is a trouble until a check finds nothing."""
        began = monotonic()
        try:
            # A connection outside of the pool: no one else waits for it when it is broken off.
            with closing(sqlite3.connect(self._engine.url.database or "")) as connection:
                connection.set_progress_handler(self.stopping.is_set, _STEPS)
                found = [str(row[0]) for row in connection.execute(f"PRAGMA quick_check({MOST_TOLD})")]
        except sqlite3.DatabaseError as error:
            found = [str(error)]
        if self.stopping.is_set():
            return EVERY
        if found == ["ok"]:
            self._troubles.note(CHECK)
            log.info("database checked, sound (%.1f s)", monotonic() - began)
        else:
            what = f"the database is damaged: {'; '.join(' '.join(line.split()) for line in found)}"
            self._troubles.note(CHECK, what)
            log.error("%s; to restore a backup, see docs/keeper.md", what)
        return EVERY


class HealthReports:
    """Writes the mails; `look` is called again and again by the thread that writes to the database."""

    def __init__(self, engine: Engine, services: Services, started_at: datetime, troubles: TroubleFile):
        """Keep the troubles of the daemon that started at that moment."""
        self._engine, self._services, self._settings = engine, services, services.settings
        self._troubles, self._started_at = troubles, started_at
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
            log.info("the mistakes in the folders of templates and variants are fixed")
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
            settings = self._settings
            # The first report comes at the next time that the settings name.
            last = last_mailed(session, settings.keeper, "report") or self._started_at
            at = settings.watch.report
            reports = at is not None and next_at(last, at, settings.zone) <= now
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

    def _concerns(self, session: Session, now: datetime, seen_at: datetime) -> Iterator[tuple[str, list[str]]]:
        """Yield all that needs the keeper now: the subjects of alerts, with their paragraphs."""
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
        # At a start the server is closed for a moment.
        if self._deaf_since and now - self._deaf_since >= LOOK_EVERY:
            yield (
                "No emails can be delivered to the judge",
                [
                    f"[intake] names {settings.intake.host}, port {settings.intake.port}, where the judge cannot "
                    "listen. Your mail server keeps the emails, and tries again later.",
                    "See the log for the reason. To test it, run judge doctor.",
                ],
            )
        found = dict(self._troubles.found)
        if withheld := found.pop(MAILBOX, None):
            yield (
                "Emails in the mailbox cannot be read",
                [
                    f"{withheld.what[:1].upper()}{withheld.what[1:]}. The numbers are UIDs. The judge tries again "
                    "every time it reads the mailbox.",
                    "Open the mailbox with a mail program. If an email can be read there, ask its sender to send it "
                    "again, then delete it or move it out of the folder. If not, your provider can repair the mailbox.",
                ],
            )
        found.pop(LOGIN, None)  # the limit on looks into the mailbox is about that
        if filing := found.pop(FILING, None):
            yield (
                "Emails cannot be filed away",
                [
                    f"{filing.what[:1].upper()}{filing.what[1:]}.",
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
        # After a start it is not known whether it has lasted.
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
