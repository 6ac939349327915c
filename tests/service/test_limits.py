"""What takes too long or fails too often: the same in `judge status`, in the metrics and in the mail to the keeper."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from sqlmodel import Session, col, select

from judge.games.core.work import make_services
from judge.service.health import HealthReports
from judge.service.limits import LIMITS
from judge.service.troubles import TroubleFile
from judge.service.watch import Metrics
from judge.shell.status import in_database
from judge.store import inbox, pictures, stats
from judge.store.engine import reading, transaction
from judge.store.states import LetterState
from judge.store.tables import LetterRow, Mail, Phase, Picture
from tests.commands.deskatwork import DeskAtWork

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
# How much later the mailbox may have been looked into.
USUAL = MINUTE
Change = Callable[[Session], object]


@pytest.fixture
def desk(tmp_path: Path, store: str) -> DeskAtWork:
    """A judge that has just done all its work."""
    desk = DeskAtWork(tmp_path, store, {})
    desk.seat_seven()
    with transaction(desk.engine) as session:
        session.execute(update(Mail).values(sent_at=NOW))
        session.execute(update(Phase).values(due_at=NOW + HOUR, notice_at=None))
        inbox.note_sweep(session, NOW, HOUR)
    return desk


def what_is_said(desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The limits that are exceeded now, by status, by the metrics, and by the mails to the keeper."""
    with reading(desk.engine) as session:
        looks = [*in_database(session, stats.take(session, NOW), desk.settings, NOW)]
    monkeypatch.setattr("judge.service.watch.datetime", type("Now", (datetime,), {"now": lambda _: NOW}))
    shown = {family.name: family for family in Metrics(desk.engine, desk.settings, {}).collect()}
    desk.new_mails()
    reports = HealthReports(desk.engine, make_services(desk.settings), NOW - 9 * HOUR, TroubleFile(None))
    with reading(desk.engine) as session:
        swept_at = inbox.last_sweep(session)
    reports.look(NOW, swept_at)
    subjects = {mail.subject.removeprefix("JUDG: ") for mail in desk.new_mails()}
    return [
        {look.what for look in looks if not look.well},
        {sample.labels["what"] for sample in shown["judge_over_limit"].samples if sample.value},
        {limit.what for limit in LIMITS if limit.subject in subjects},
    ]


def mail(**values: object) -> Change:
    some = update(Mail).where(col(Mail.kind) == "start")
    return lambda session: session.execute(some.values(sent_at=None, **values))


def letter(waits: timedelta, state: LetterState = "new") -> Change:
    came_at, kept_at = NOW - 9 * HOUR, NOW - waits
    return lambda session: session.add(
        LetterRow(fingerprint="1", raw=b"", state=state, received_at=came_at, kept_at=kept_at)
    )


def maps(*became: str, asked: timedelta = HOUR) -> Change:
    """Pictures, the oldest first: d(rawn), f(ailed), s(ent without), n(either: its mail is not due yet)."""

    def change(session: Session) -> None:
        for number, what in enumerate(became):
            picture = session.get_one(Picture, pictures.keep(session, {"number": number}, "png", NOW - asked))
            pictures.settle(session, picture, **{"d": {"drawn_at": NOW}, "f": {"failed_at": NOW}}.get(what, {}))
            shows = session.exec(select(Mail).offset(number)).first()
            assert shows
            shows.picture_id = picture.id
            shows.sent_at = NOW if what != "n" else None
            shows.next_try_at = NOW

    return change


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda session: None, ""),
        (lambda session: inbox.note_sweep(session, NOW - 20 * MINUTE, HOUR), ""),
        (lambda session: inbox.note_sweep(session, NOW - 22 * MINUTE, HOUR), "mailbox"),
        (letter(5 * MINUTE), ""),
        (letter(5 * MINUTE + USUAL), ""),
        (letter(5 * MINUTE + USUAL + SECOND), "letters"),
        (letter(7 * MINUTE), "letters"),
        (letter(HOUR, "held"), ""),
        (letter(HOUR, "done"), ""),
        (mail(next_try_at=NOW - 5 * MINUTE), ""),
        (mail(next_try_at=NOW - 7 * MINUTE), "outbox"),
        (mail(next_try_at=NOW - HOUR, taken_by="judge worker, process 7 on heron"), "outbox"),
        (mail(next_try_at=NOW - HOUR, waiting_for="server"), "outbox"),
        (mail(next_try_at=NOW - HOUR, waiting_for="picture"), "outbox"),
        (mail(next_try_at=NOW + HOUR, waiting_for="picture"), ""),
        (mail(next_try_at=NOW - HOUR, waiting_for="limit"), ""),
        (mail(next_try_at=NOW - HOUR, waiting_for="earlier mail"), ""),
        (mail(next_try_at=NOW - HOUR, failed_at=NOW, dismissed_at=NOW), ""),
        (lambda session: session.execute(update(Phase).values(due_at=NOW - 10 * MINUTE)), ""),
        (lambda session: session.execute(update(Phase).values(due_at=NOW - 12 * MINUTE)), "phases"),
        (lambda session: session.execute(update(Phase).values(due_at=NOW - HOUR, processed_at=NOW)), ""),
        (maps("f"), "maps"),
        (maps("s"), "maps"),
        (maps("n"), ""),
        (maps("f", "d"), ""),
        (maps("d", "f", "s"), "maps"),
        (maps("f", "f", asked=25 * HOUR), ""),
    ],
)  # fmt: skip
def test_a_limit_is_the_same_for_all_who_read_it(
    desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch, change: Change, what: str
):
    with transaction(desk.engine) as session:
        change(session)
    assert what_is_said(desk, monkeypatch) == 3 * [{what} - {""}]


def test_only_the_last_maps_are_counted(desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch):
    with transaction(desk.engine) as session:
        maps(*"ffffff", asked=2 * HOUR)(session)
    assert what_is_said(desk, monkeypatch)[0] == {"maps"}
    with transaction(desk.engine) as session:
        for number in range(pictures.LAST // 2):
            picture = session.get_one(Picture, pictures.keep(session, {"later": number}, "png", NOW - HOUR))
            pictures.settle(session, picture, drawn_at=NOW)
    assert what_is_said(desk, monkeypatch)[0] == set()


def test_after_a_start_there_is_time_to_catch_up(desk: DeskAtWork):
    with transaction(desk.engine) as session:
        mail(next_try_at=NOW - 9 * HOUR)(session)
        letter(9 * HOUR)(session)
    desk.new_mails()
    reports = HealthReports(desk.engine, make_services(desk.settings), NOW - MINUTE, TroubleFile(None))
    reports.look(NOW, NOW)
    assert desk.new_mails() == []
    reports.look(NOW + 6 * MINUTE, NOW + 6 * MINUTE)
    assert {mail.subject for mail in desk.new_mails()} == {
        "JUDG: Emails are not being sent", "JUDG: Emails are not being answered",
    }  # fmt: skip
