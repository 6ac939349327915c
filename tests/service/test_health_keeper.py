"""What the judge mails about its own trouble: mails that were given up, phases that it cannot process."""

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.exc import OperationalError

from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.life import lifecycle
from judge.games.notifications import notices
from judge.games.orders import filed_orders
from judge.service.daemon import Daemon
from judge.store import outbox
from judge.store.engine import reading, transaction
from judge.store.games import held_phases
from judge.store.locks import daemon_lock_of
from judge.store.tables import Mail, Phase
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.mails.senders import composed
from tests.rows import game_named, open_phase

NOW = datetime.now(UTC).replace(microsecond=0)
KEEPER, FAY, KIM = "keeper@example.org", "france@example.org", "kim@example.org"
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


class Clock:
    """What the daemon takes for the time."""

    now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def desk(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.now = NOW - timedelta(hours=1)
    desk.seat_seven()
    desk.seat_seven("gull")
    desk.new_mails()
    return desk


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def daemon(desk, clock):
    daemon = Daemon(desk.settings, daemon_lock_of(desk.engine), clock)
    yield daemon
    daemon._daemon_lock.release()
    daemon._engine.dispose()


def give_up(desk: DeskAtWork, recipient: str, at: datetime, count: int = 1, secret: str | None = None) -> None:
    with transaction(desk.engine) as session:
        for _ in range(count):
            mail = composed(recipient, at, "JUDG:heron - News", f"Some news {secret}.")
            written = outbox.put(session, mail, "news", at, secret=secret)
            outbox.failed(session, session.get_one(Mail, written), now=at, error="550 5.1.1 no such user")
    desk.new_mails()


def works(daemon: Daemon, desk: DeskAtWork, clock: Clock, at: datetime) -> list[Posted]:
    """The mails that the daemon writes at that time."""
    clock.now = at
    daemon._swept_at = at
    desk.sends_all()
    daemon._work()
    return desk.new_mails()


def test_mails_that_were_given_up_are_gathered_in_one(desk, daemon, clock):
    give_up(desk, FAY, NOW)
    assert works(daemon, desk, clock, NOW + 9 * MINUTE) == []
    give_up(desk, "italy@example.org", NOW + 9 * MINUTE, 299)
    (mail,) = works(daemon, desk, clock, NOW + 11 * MINUTE)
    assert (mail.to, mail.subject) == (KEEPER, "JUDG: 300 emails undeliverable")
    assert FAY in mail.text and "550 5.1.1 no such user" in mail.text and "And 280 more" in mail.text
    assert "judge mails retry" in mail.text
    assert works(daemon, desk, clock, NOW + 12 * MINUTE) == []


def test_later_ones_are_told_a_day_later(desk, daemon, clock):
    give_up(desk, FAY, NOW)
    assert len(works(daemon, desk, clock, NOW + 11 * MINUTE)) == 1
    give_up(desk, FAY, NOW + 12 * MINUTE)
    assert works(daemon, desk, clock, NOW + 60 * MINUTE) == []
    (mail,) = [mail for mail in works(daemon, desk, clock, NOW + DAY + 12 * MINUTE) if "undeliverable" in mail.subject]
    assert mail.subject == "JUDG: 1 email undeliverable"


def test_a_keeper_whom_no_mail_reaches_is_sent_none_about_it(desk, daemon, clock):
    give_up(desk, KEEPER, NOW)
    assert works(daemon, desk, clock, NOW + 11 * MINUTE) == []
    with reading(desk.engine) as session:
        assert len(outbox.given_up(session)) == 1


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("broken on purpose")


def due(desk: DeskAtWork, name: str, at: datetime) -> Phase:
    with transaction(desk.engine) as session:
        phase = open_phase(session, game_named(session, name))
        phase.due_at = at
        phase.notice_at = None
        session.add(phase)
    return phase


def held(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        return [name for name, _ in held_phases(session)]


def test_a_phase_that_cannot_be_processed_is_told_to_its_game_once_and_to_the_keeper(desk, daemon, clock, monkeypatch):
    due(desk, "heron", NOW)
    monkeypatch.setattr(filed_orders, "adjudicate", broken)
    mails = works(daemon, desk, clock, NOW + MINUTE)
    told = [mail for mail in mails if mail.subject == "JUDG:heron - S1901M Delayed"]
    assert {mail.to for mail in told} >= {FAY, KIM} and len(told) == 8
    text = " ".join(told[0].text.split())
    assert "You don't need to do anything. All orders are safe" in text and KEEPER in text
    assert "The judge will try again on" in text
    (facts,) = [mail for mail in mails if mail.to == KEEPER]
    assert facts.subject == "JUDG:heron - S1901M cannot be processed"
    assert "The players have been notified." in " ".join(facts.text.split())
    assert held(desk) == ["heron"]

    for minutes in (12, 23):
        assert works(daemon, desk, clock, NOW + minutes * MINUTE) == []

    due(desk, "gull", NOW)
    mails = works(daemon, desk, clock, NOW + 24 * MINUTE)
    assert {mail.subject for mail in mails} == {"JUDG:gull - S1901M Delayed", "JUDG:gull - S1901M cannot be processed"}
    assert held(desk) == ["heron", "gull"]

    (again,) = [mail for mail in works(daemon, desk, clock, NOW + DAY + 2 * MINUTE) if "heron" in mail.subject]
    assert again.to == KEEPER

    monkeypatch.undo()
    mails = works(daemon, desk, clock, NOW + DAY + 60 * MINUTE)
    assert len([mail for mail in mails if mail.subject == "JUDG:heron - S1901M Results"]) == 8
    assert held(desk) == []


def test_a_phase_of_which_nobody_can_be_told_is_put_off_all_the_same(desk, daemon, clock, monkeypatch):
    due(desk, "heron", NOW)
    monkeypatch.setattr(filed_orders, "adjudicate", broken)
    monkeypatch.setattr(notices, "tell_all", broken)
    (facts,) = works(daemon, desk, clock, NOW + MINUTE)
    assert facts.to == KEEPER and "have been notified" not in facts.text
    with reading(desk.engine) as session:
        assert open_phase(session, game_named(session, "heron")).due_at == clock.now + lifecycle.HOLD


def test_a_database_in_trouble_leaves_nothing_of_putting_a_phase_off(desk, monkeypatch):
    """With a full disk SQLite has taken the transaction back by then: what came after that would be kept, alone."""
    phase = due(desk, "heron", NOW)

    def full(*_: object, **__: object) -> None:
        raise OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full"))

    monkeypatch.setattr(notices, "tell_all", full)
    with pytest.raises(OperationalError), transaction(desk.engine) as session:
        lifecycle.hold(Work(session, desk.services, NOW), session.get_one(Phase, phase.id))
    assert held(desk) == []


def test_a_notice_that_cannot_be_written_worries_the_keeper_alone(desk, daemon, clock, monkeypatch):
    phase = due(desk, "heron", NOW + DAY)
    with transaction(desk.engine) as session:
        schedule.rearm(
            Work(session, desk.services, NOW), game_named(session, "heron"), session.get_one(Phase, phase.id)
        )
        session.get_one(Phase, phase.id).notice_at = NOW
    monkeypatch.setattr(schedule, "tell_due", broken)
    (facts,) = works(daemon, desk, clock, NOW + MINUTE)
    assert facts.to == KEEPER and facts.subject == "JUDG:heron - A notice about S1901M cannot be written"
    assert held(desk) == ["heron"]
    monkeypatch.undo()
    works(daemon, desk, clock, NOW + 15 * MINUTE)
    assert held(desk) == []
