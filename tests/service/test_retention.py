"""What is too old goes, a little at a time; what games were stays, and so does what a letter of today may need."""

import logging
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlmodel import col, select

from judge.service import retention
from judge.service.retention import Retention
from judge.service.troubles import TroubleFile
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.locks import daemon_lock_of
from judge.store.tables import LetterRow, Mail, Phase, Picture, Token
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase

DAY = timedelta(days=1)


@pytest.fixture
def desk(tmp_path: Path, store: str) -> DeskAtWork:
    """Heron has played a phase and is in the next; gull has ended. All mails are sent."""
    desk = DeskAtWork(tmp_path, store, {})
    desk.goes_on("two games, one of which has ended", lambda: _play(desk))
    return desk


def _play(desk: DeskAtWork) -> None:
    desk.seat_seven()
    desk.seat_seven("gull")
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nBROADCAST\nPeace!\nENDBROADCAST")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!\nSIGNON Mgull gm\nTERMINATE gull")
    desk.writes("ann@example.net", "LIST")
    _send_all(desk)


def _send_all(desk: DeskAtWork) -> None:
    with transaction(desk.engine) as session:
        while mails := outbox.due(session, desk.now, 1000):
            for mail in mails:
                outbox.sent(session, mail, now=desk.now)


def cleaned(desk: DeskAtWork) -> dict[str, int]:
    lock = daemon_lock_of(desk.engine)
    return Retention(desk.engine, desk.settings, lambda: desk.now, lock, TroubleFile(None)).clean()


def rows(desk: DeskAtWork, table: Any) -> list:
    with reading(desk.engine) as session:
        return list(session.exec(select(table).order_by(table.id)))


def extended(desk: DeskAtWork) -> None:
    """Nothing is due for a long time."""
    with transaction(desk.engine) as session:
        phase = open_phase(session, game_named(session, "heron"))
        phase.deadline_at = phase.grace_ends_at = phase.due_at = desk.now + 999 * DAY
        phase.notice_at = None
        session.add(phase)


def test_old_mails_go_and_letters_that_answer_them_are_understood_all_the_same(desk: DeskAtWork) -> None:
    mails = desk.all_mails()
    results = next(mail for mail in mails if mail.to == "france@example.org" and "S1901M Results" in mail.subject)
    start = next(mail for mail in mails if mail.to == "france@example.org" and "heron - S1901M Game St" in mail.subject)
    extended(desk)
    desk.now += 100 * DAY
    told = desk.replies("france@example.org", "SIGNON Fheron pwfrance\nHISTORY heron\nGET PRESS").text
    assert cleaned(desk)["mails"]
    with reading(desk.engine) as session:
        game = game_named(session, "heron")
        kept = list(session.exec(select(Mail).where(col(Mail.created_at) < desk.now - 90 * DAY)))
        assert {mail.game_id for mail in kept} == {game.id}, "of gull, and of no game, nobody needs one any more"
    assert {(mail.raw, mail.picture_id) for mail in kept} == {(b"", None)}
    assert rows(desk, Picture) == []
    assert desk.replies("france@example.org", "SIGNON Fheron pwfrance\nHISTORY heron\nGET PRESS").text == told

    late = desk.replies("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN",
                        answering=str(start.message["Message-ID"])).text  # fmt: skip
    assert "Army Burgundy -> Munich" not in late and "S1901M" in late
    now = desk.replies("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN",
                       answering=str(results.message["Message-ID"])).text  # fmt: skip
    assert "Army Burgundy -> Munich" in now


def test_an_old_letter_is_known_when_it_comes_again(desk: DeskAtWork) -> None:
    extended(desk)
    raw = b"From: ann@example.net\r\nTo: judge@example.org\r\nMessage-ID: <a@b>\r\nSubject: hm\r\n\r\nLIST\r\n"
    assert len(desk.receives(raw)) == 1
    desk.now += 366 * DAY
    assert cleaned(desk)["letters"] == len(rows(desk, LetterRow))
    assert {(row.raw, row.state) for row in rows(desk, LetterRow)} == {(b"", "done")}
    assert desk.receives(raw) == []
    assert len(rows(desk, Phase)) == 3


def test_what_waits_or_is_to_be_decided_upon_stays(desk: DeskAtWork) -> None:
    extended(desk)
    desk.writes("ann@example.net", "LIST\nHELP")
    desk.writes("bob@example.net", "LIST\nHELP")
    with transaction(desk.engine) as session:
        ann, bob = session.exec(select(Mail).where(col(Mail.sent_at).is_(None)))
        outbox.failed(session, bob, now=desk.now, error="550 5.1.1 no such user")
        aside = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
        assert aside
        aside.state = "shunted"
        session.add(aside)
    desk.now += 999 * DAY
    cleaned(desk)
    kept = {row.id: row.raw for row in rows(desk, Mail) if row.raw}
    assert kept == {ann.id: ann.raw, bob.id: bob.raw}
    assert [row.id for row in rows(desk, LetterRow) if row.raw] == [aside.id]


def test_tokens_go_when_they_have_expired(desk: DeskAtWork) -> None:
    with transaction(desk.engine) as session:
        for days in (-1, 1):
            until = desk.now + days * DAY
            session.add(Token(digest=str(days), purpose="register", created_at=desk.now, expires_at=until))
    assert cleaned(desk) == {"tokens": 1}
    assert [token.digest for token in rows(desk, Token)] == ["1"]


def test_nobody_waits_longer_than_for_a_few_rows(desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 20)
    changed: list[int] = []

    def note(_: object, cursor: object, statement: str, *__: object) -> None:
        if statement.startswith(("UPDATE", "DELETE")):
            changed.append(cursor.rowcount)  # type: ignore[attr-defined]

    event.listen(desk.engine, "after_cursor_execute", note)
    commits: list[object] = []
    event.listen(desk.engine, "commit", commits.append)
    extended(desk)
    desk.now += 999 * DAY
    commits.clear()
    gone = sum(cleaned(desk).values())
    assert gone > 80 and max(changed) <= 20
    assert len(commits) >= gone / 20


def test_a_clock_that_was_set_throws_nothing_away(
    desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is looked at again an hour later, by the clock as it is then; the log tells what went."""
    caplog.set_level(logging.INFO, "judge.service.retention")
    monkeypatch.setattr(retention, "EVERY", 0.01)
    readings = [datetime.now(UTC), *[datetime.now(UTC) + 9999 * DAY] * 10_000]
    ages: list[datetime] = []
    lock = daemon_lock_of(desk.engine)
    cleaning = Retention(desk.engine, desk.settings, lambda: readings.pop(0), lock, TroubleFile(None))

    def clean() -> dict[str, int]:
        ages.append(datetime.now(UTC))
        return {"mails": 7}

    monkeypatch.setattr(cleaning, "clean", clean)
    cleaning.start()
    until = time.monotonic() + 20
    while len(ages) < 2 and time.monotonic() < until:
        time.sleep(0.01)
    cleaning.end()
    said = [record.getMessage() for record in caplog.records]
    assert "the system clock was changed" in said[0]
    assert said[1] == "deleted as too old: mails=7"


def test_pictures_that_no_mail_has_shown_for_long_go(desk: DeskAtWork) -> None:
    desk.now = datetime.now(UTC)
    old, new = (desk.settings.drawn / f"{age}.png" for age in ("old", "new"))
    old.parent.mkdir()
    for file, days in ((old, 31), (new, 29)):
        file.write_bytes(b"\x89PNG")
        os.utime(file, (time.time() - days * 86400,) * 2)
    assert cleaned(desk)["pictures drawn"] == 1
    assert not old.exists() and new.exists()
