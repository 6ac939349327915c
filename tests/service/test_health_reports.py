"""The daily report to the keeper, and what the keeper is told at once."""

import re
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from judge.games.core.work import make_services
from judge.games.notifications.gathering import next_at
from judge.service.health import HealthReports
from judge.service.troubles import TroubleFile
from judge.settings import WatchSettings
from judge.shell.status import in_database
from judge.store import stats
from judge.store.engine import reading, transaction
from judge.store.seats import players_of
from judge.store.tables import Attendance, BouncedAddress, Event
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase

START = datetime(2026, 5, 4, 10, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEEPER = "keeper@example.org"


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    desk.new_mails()
    return desk


def reports(desk: DeskAtWork, report: time | None = None, **changes: object) -> HealthReports:
    watch = WatchSettings(report=report)
    changed = {"watch": watch, "zone": "Europe/Berlin", "least_space": 1, **changes}
    settings = desk.settings.model_copy(update=changed)
    return HealthReports(desk.engine, make_services(settings), START, TroubleFile(None))


def told(desk: DeskAtWork, works: HealthReports, at: datetime, swept_at: datetime | None = None) -> list[Posted]:
    """The mails that it writes at that time; all others have gone."""
    desk.sends_all()
    works.look(at, swept_at or at)
    mails = desk.new_mails()
    assert {mail.to for mail in mails} <= {KEEPER}
    return mails


def test_a_report_every_day_at_its_time(desk: DeskAtWork):
    works = reports(desk, report=time(7, 30))
    assert told(desk, works, START) == [] and told(desk, works, START + 18 * HOUR) == []
    with transaction(desk.engine) as session:
        phase = open_phase(session, game_named(session, "heron"))
        seat = players_of(session, game_named(session, "heron"))["France"]
        assert seat
        late = START + 18 * HOUR
        whose = {"phase_id": phase.key, "seat_id": seat.key, "person_id": seat.person_id}
        session.add(Attendance(**whose, result="missed", at=late))
        session.add(BouncedAddress(address="jo@example.org", bounces=3, last_at=late, dead_since=late))
        session.add(Event(at=late, kind="processed", game_id=phase.game_id, text="S1901M"))
    (mail,) = told(desk, works, datetime(2026, 5, 5, 5, 30, tzinfo=UTC))
    assert mail.subject == "JUDG: Daily report: All is well"
    assert mail.first_line == "All is well. Nothing to do."
    assert "Bounced:\n    jo@example.org: 3, only results and starts are sent there" in mail.text
    for line in ("Games: 1 active, 0 forming", "Phases processed: 1", "heron S1901M France: missed", "MB free in"):
        assert line in mail.text
    assert told(desk, works, datetime(2026, 5, 5, 20, tzinfo=UTC)) == []
    # After a start it is as if there had been none.
    again = reports(desk, report=time(7, 30))
    assert told(desk, again, datetime(2026, 5, 5, 21, tzinfo=UTC)) == []
    assert len(told(desk, again, datetime(2026, 5, 6, 9, tzinfo=UTC))) == 1


def test_what_waits_is_counted_with_whom_it_concerns(tmp_path: Path):
    limits = {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes", "JUDGE_LIMITS_REGISTERED": "2", "JUDGE_LIMITS_STRANGERS": "2"}
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", **limits})
    for name in ("jo", "max"):
        desk.writes(f"{name}@example.org", "REGISTER\nName: Jo Roe\nEND\nCREATE ?heron gm")
    for _ in range(6):
        desk.writes("ann@example.net", "HELP")
    desk.now = datetime.now(UTC)
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.com"}
    assert desk.writes("victim@example.com", "HELP", headers=forged) == []
    assert desk.writes("victim@example.com", "hello", headers=forged) == []
    with reading(desk.engine) as session:
        census = stats.take(session, desk.now)
        looks = {look.what: look.says for look in in_database(session, census, desk.settings, desk.now)}
    assert looks["unanswered"].endswith("someone else may have written them: victim@example.com (2)")
    assert looks["unconfirmed"].startswith("2 waiting for their senders to confirm them: ")
    assert looks["unconfirmed"].endswith(": jo@example.org (1), max@example.org (1)")
    assert re.fullmatch(r"\d delayed by the hourly limit .*: ann@example.net \(\d\)", looks["answers"])
    works = reports(desk, report=time(7, 30))
    desk.new_mails()
    (mail,) = told(desk, works, desk.now)
    confirm = "Waiting for their senders to confirm: jo@example.org (1), max@example.org (1)"
    assert confirm in " ".join(mail.text.split())
    assert "because they may be forged: victim@example.com (2)" in " ".join(mail.text.split())
    assert re.search(r"^Replies delayed by the hourly limit: ann@example.net \(\d\)$", mail.text, re.MULTILINE)


def test_a_disk_that_fills_up_is_told_at_once_and_daily(desk: DeskAtWork):
    works = reports(desk, least_space=999_000_000)
    (mail,) = told(desk, works, START)
    assert mail.subject == "JUDG: The disk is nearly full" and "Make room" in mail.text
    assert told(desk, works, START + 5 * HOUR) == []
    assert told(desk, reports(desk, least_space=999_000_000), START + 6 * HOUR) == [], "a start is no news"
    assert len(told(desk, works, START + DAY + HOUR)) == 1


def test_a_mailbox_out_of_reach(desk: DeskAtWork):
    works = reports(desk)
    assert told(desk, works, START + timedelta(minutes=20), swept_at=START) == []
    (mail,) = told(desk, works, START + timedelta(minutes=22), swept_at=START)
    assert mail.subject == "JUDG: The mailbox cannot be read" and "Deadlines are on hold" in " ".join(mail.text.split())
    assert told(desk, works, START + HOUR) == []
    assert len(told(desk, works, START + 5 * HOUR, swept_at=START + HOUR)) == 1, "again out of reach, after a rest"


def test_a_port_that_cannot_be_had(desk: DeskAtWork):
    works = reports(desk)
    for minutes, subjects in enumerate(([], ["JUDG: No emails can be delivered to the judge"], [])):
        at = START + timedelta(minutes=minutes)
        works.look(at, at, listens=False)
        assert [mail.subject for mail in desk.new_mails()] == subjects, "at a start it is closed for a moment"


def test_faults_of_the_keeper_s_own_files(desk: DeskAtWork, tmp_path: Path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "results.txt.j2").write_text("Results\n\n{{ nothing }}")
    works = reports(desk, templates=tmp_path / "texts")
    works.look_at_folders()
    (mail,) = told(desk, works, START)
    assert "results.txt.j2:3:" in "".join(mail.text.split()) and "run judge status" in mail.text


@pytest.mark.parametrize(
    ("after", "moment"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 3, 29, 5, tzinfo=UTC)),
        (datetime(2026, 3, 29, 5, tzinfo=UTC), datetime(2026, 3, 30, 5, tzinfo=UTC)),
        (datetime(2026, 10, 24, 5, tzinfo=UTC), datetime(2026, 10, 25, 6, tzinfo=UTC)),
    ],
)
def test_a_time_of_day_is_that_of_the_judge_s_zone_in_summer_and_winter(after: datetime, moment: datetime):
    assert next_at(after, time(7), "Europe/Berlin") == moment
