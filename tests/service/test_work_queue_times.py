"""Letters and deadlines happen at their own times and in their order, whenever the daemon gets to them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select, update

from judge.letters.mailbox import NoMailbox
from judge.store import event_times
from judge.store.engine import reading, transaction
from judge.store.games import phases_of
from judge.store.tables import LetterRow, OrderRow, Phase, Token
from tests import rows
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Received, letter
from tests.service.daemonatwork import DaemonAtWork

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


class Judge:
    """A daemon and a clock: letters come at minutes after `start`, and are handled when `works` says so."""

    def __init__(self, folder: Path, settings: str = ""):
        desk = DeskAtWork(folder, "", {"JUDGE_GAMES_EARLY_DELAY": "1800"})
        desk.seat_seven()
        if settings:
            desk.writes("kim@example.org", f"SIGNON Mheron gm\n{settings}")
        self.start = datetime(desk.now.year, desk.now.month, desk.now.day, 10, tzinfo=UTC) + DAY
        self.daemon = DaemonAtWork(desk)
        self._settings, self._number = desk.settings, 100
        self.works(-MINUTE)

    def works(self, after: timedelta) -> None:
        """The daemon looks into its mailbox, and does all there is to do at that time after `start`."""
        self.daemon.now = self.start + after
        mailbox = NoMailbox(self._settings.mailbox)
        self.daemon.collect(mailbox)
        self.daemon.work(mailbox)

    def comes(self, after: timedelta, sender: str, text: str) -> None:
        self._number += 1
        head = {"From": sender, "To": "judge@example.org", "Subject": "x", "Message-ID": f"<{self._number}@x.org>"}
        self.daemon.keep([Received(letter(head, text), self.start + after, self._number)])

    def all_hold(self, after: timedelta = timedelta(0)) -> None:
        for power, orders in ALL_HOLD.items():
            signon = f"SIGNON {power[0].upper()}heron pw{power}"
            self.comes(after, f"{power}@example.org", "\n".join([signon, *orders.split("; ")]))

    def phases(self) -> list[Phase]:
        with reading(self.daemon.engine) as session:
            return [*phases_of(session, rows.game_named(session, "heron"))]

    def handled(self) -> list[datetime | None]:
        """When the letters that came since `start` happened."""
        with reading(self.daemon.engine) as session:
            ours = select(LetterRow.done_at).where(col(LetterRow.received_at) >= self.start)
            return [*session.exec(ours.order_by(col(LetterRow.received_at)))]


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    return Judge(tmp_path)


@pytest.mark.parametrize("late", [45 * MINUTE, 60 * MINUTE, 90 * MINUTE])
def test_a_phase_complete_at_ten_is_processed_at_half_past_whenever_the_judge_gets_to_it(judge: Judge, late: timedelta):
    """The letters are handled in time; what is due and the next letter are not.

    That letter is filed for the next phase only if the mails about it could have been read.
    """
    judge.all_hold()
    judge.works(MINUTE)
    judge.comes(45 * MINUTE, "france@example.org", "SIGNON Fheron pwfrance\nA PAR - PIC")
    judge.works(late)
    first, second = judge.phases()
    assert [first.processed_at, second.opened_at] == [judge.start + 30 * MINUTE] * 2
    assert judge.handled()[-1] == judge.start + 45 * MINUTE
    with reading(judge.daemon.engine) as session:
        filed = session.exec(select(OrderRow.phase_id).where(OrderRow.text == "A PAR - PIC")).all()
    assert filed == ([second.id] if late == 45 * MINUTE else [])


@pytest.mark.parametrize("late", [timedelta(0), timedelta(seconds=20)])
@pytest.mark.parametrize("opens", ["ROLLBACK", "UNSTART\nFORCE BEGIN"])
def test_a_letter_knows_of_the_phase_that_it_opens_however_late_it_is_handled(
    judge: Judge, late: timedelta, opens: str
):
    if opens == "ROLLBACK":
        judge.comes(timedelta(0), "kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M")
        judge.works(timedelta(0))
    deadline = judge.start.replace(hour=20) + 3 * DAY
    judge.comes(MINUTE, "kim@example.org", f"SIGNON Mheron gm\n{opens}\nSET DEADLINE {deadline:%Y-%m-%d %H:%M} UTC")
    judge.works(MINUTE + late)
    assert judge.phases()[-1].opened_at == judge.start + MINUTE
    assert judge.phases()[-1].deadline_at == deadline


def test_what_is_handled_more_than_an_hour_late_opens_when_it_is_handled(judge: Judge):
    judge.all_hold()
    judge.works(MINUTE)
    judge.works(30 * MINUTE + HOUR + MINUTE)
    first, second = judge.phases()
    assert first.processed_at == second.opened_at == judge.start + 91 * MINUTE


def test_letters_that_come_at_once_happen_when_they_came(judge: Judge):
    """The phase is complete when the last one came, not when it was read."""
    judge.all_hold()
    judge.works(20 * MINUTE)
    assert set(judge.handled()) == {judge.start}
    assert judge.phases()[0].due_at == judge.start + 30 * MINUTE


@pytest.mark.parametrize(("hours", "opens_after"), [(0.5, 50), (1, 30)])
def test_a_phase_of_which_little_would_be_left_opens_when_it_is_handled(tmp_path: Path, hours: float, opens_after: int):
    judge = Judge(tmp_path, f"SET MOVE CLOCK NONE\nSET MOVE NEXT {hours}")
    with transaction(judge.daemon.engine) as session:
        due = dict.fromkeys(("deadline_at", "grace_ends_at", "due_at"), judge.start + 30 * MINUTE)
        session.execute(update(Phase).values(**due, notice_at=None))
    judge.works(50 * MINUTE)
    _, second = judge.phases()
    assert second.opened_at == judge.start + opens_after * MINUTE
    assert second.deadline_at == second.opened_at + hours * HOUR


def test_a_code_counts_from_when_it_could_be_mailed(judge: Judge):
    judge.comes(timedelta(0), "jo@example.org", "OBSERVE heron")
    judge.works(50 * MINUTE)
    with reading(judge.daemon.engine) as session:
        token = session.exec(select(Token).order_by(col(Token.id).desc())).first()
    assert token and token.created_at == judge.start and token.expires_at == judge.start + 50 * MINUTE + 2 * DAY


def test_a_replay_after_days_gives_the_times_of_then(judge: Judge):
    judge.all_hold()
    judge.comes(45 * MINUTE, "france@example.org", "SIGNON Fheron pwfrance\nA PAR - PIC")
    judge.comes(46 * MINUTE, "jo@example.org", "HELP orders")
    with transaction(judge.daemon.engine) as session:
        event_times.begin_replay(session, judge.start + 3 * DAY)
    judge.works(3 * DAY + MINUTE)
    first, second, *_ = judge.phases()
    assert [first.processed_at, second.opened_at] == [judge.start + 30 * MINUTE] * 2
    assert judge.handled()[-2:] == [judge.start + 45 * MINUTE, judge.start + 46 * MINUTE]
    with reading(judge.daemon.engine) as session:
        assert event_times.replays_until(session) is None


def test_a_replay_waits_for_a_look_into_the_mailbox(judge: Judge):
    """Where a letter may wait that comes before all others."""
    judge.comes(timedelta(0), "jo@example.org", "HELP orders")
    judge.daemon.now = judge.start + MINUTE
    with transaction(judge.daemon.engine) as session:
        event_times.begin_replay(session, judge.daemon.now)
    judge.daemon.work()
    assert judge.handled() == [None]
    judge.works(2 * MINUTE)
    assert judge.handled() == [judge.start]
