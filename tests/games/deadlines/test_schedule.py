"""The clock of a game from its rows: what rings when, each thing once, whatever happens in between."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.games.core.setting_fields import MOVE
from judge.games.core.settings import change_settings
from judge.games.core.work import Refusal, Work
from judge.games.deadlines import schedule
from judge.games.life import lifecycle
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import reliability
from judge.rules import load_variant, position_from_json, position_to_json, start_position
from judge.store import inbox
from judge.store.engine import transaction
from judge.store.event_times import EventTime
from judge.store.games import game_named, open_phase
from judge.store.people import person_at
from judge.store.seats import players_of
from judge.store.tables import Game, Phase
from tests import rows
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted
from tests.mails.same_facts import differences

DEADLINE = datetime(2026, 5, 11, 23, 30, tzinfo=UTC)
SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """A game named heron has begun; its phase is due on Mon May 11 2026 23:30 UTC."""
    return begun(tmp_path, "")


@pytest.fixture
def each_desk(tmp_path: Path, store: str) -> DeskAtWork:
    """The same on each database: for what depends on its transactions."""
    return begun(tmp_path, store)


def begun(folder: Path, store: str) -> DeskAtWork:
    desk = DeskAtWork(folder, store, {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    desk.new_mails()
    return desk


def phase_of(desk: DeskAtWork) -> Phase:
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        return phase


def change(desk: DeskAtWork, grace: float = 0, **settings: Any) -> None:
    """Other settings, and so many hours of grace for the open phase."""
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        change_settings(game, **settings)
        phase = open_phase(session, game)
        assert phase
        phase.grace_ends_at = phase.deadline_at + grace * HOUR
        schedule.rearm(Work(session, desk.services, desk.now), game, phase)
        session.add(game)


def order(desk: DeskAtWork, *powers: str) -> None:
    for power in powers:
        desk.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{ALL_HOLD[power]}\n")


def all_but(power: str) -> list[str]:
    return [other for other in ALL_HOLD if other != power]


def subjects(mails: list[Posted], to: str) -> list[str]:
    return [mail.subject.partition(" - ")[2] for mail in mails if mail.to == to]


def test_without_grace_a_phase_is_processed_at_its_deadline_with_what_is_there(each_desk):
    assert phase_of(each_desk).due_at == DEADLINE
    assert subjects(each_desk.ring(DEADLINE), "france@example.org") == ["S1901M Results"]


def test_a_reminder_goes_once_and_only_to_those_who_owe_orders(desk):
    order(desk, *all_but("france"))
    mails = desk.ring(DEADLINE - DAY)
    assert [(mail.to, mail.subject) for mail in mails] == [("france@example.org", "JUDG:heron - S1901M Reminder")]
    assert desk.ring(DEADLINE - DAY + HOUR) == []


def test_a_reminder_that_comes_after_the_deadline_is_none(desk):
    assert "S1901M Reminder" not in subjects(desk.ring(DEADLINE + SECOND), "france@example.org")


@pytest.mark.parametrize("hours", [4, 1])
def test_of_two_reminders_that_are_overdue_one_is_sent(desk, hours):
    mails = desk.ring(DEADLINE - hours * HOUR)
    assert subjects(mails, "france@example.org") == ["S1901M Reminder"]


def test_in_grace_the_phase_is_processed_a_while_after_the_last_orders(desk):
    change(desk, grace=48)
    order(desk, *all_but("france"))
    assert subjects(desk.ring(DEADLINE), "italy@example.org") == ["S1901M Late Notice: F"]
    desk.now = DEADLINE + HOUR
    order(desk, "france")
    assert phase_of(desk).due_at == desk.now + timedelta(seconds=600)


def test_who_waits_is_not_waited_for_beyond_the_deadline(desk):
    change(desk, grace=48)
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nSET WAIT\n")
    order(desk, *ALL_HOLD)
    assert phase_of(desk).due_at == DEADLINE


def test_a_power_that_nobody_plays_is_waited_for_only_without_nmr(desk):
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nRESIGN heron\n")
    order(desk, *all_but("france"))
    assert phase_of(desk).due_at == desk.now + timedelta(seconds=600)
    change(desk, nmr=False, grace=24)
    assert phase_of(desk).due_at is None


def test_a_notice_that_fails_midway_is_told_once_all_the_same(each_desk):
    """The row goes to the next notice in the transaction that writes the mails."""
    change(each_desk, grace=48)
    with pytest.raises(KeyboardInterrupt), transaction(each_desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        while phase.notice_at and phase.notice_at < DEADLINE:
            lifecycle.run_due(Work(session, each_desk.services, DEADLINE), game, phase)
        lifecycle.run_due(Work(session, each_desk.services, DEADLINE), game, phase)
        raise KeyboardInterrupt
    assert each_desk.new_mails() == []
    assert subjects(each_desk.ring(DEADLINE), "italy@example.org") == ["S1901M Late Notice: AEFGIRT"]
    assert each_desk.ring(DEADLINE + SECOND) == []


def test_two_that_ring_for_the_same_do_it_once(each_desk):
    """The second has read the row before the first was through."""
    stale = phase_of(each_desk)
    each_desk.ring(DEADLINE)
    with transaction(each_desk.engine) as session:
        phase = session.merge(stale, load=False)
        game = session.get_one(Game, phase.game_id)
        assert lifecycle.run_due(Work(session, each_desk.services, DEADLINE), game, phase) == "was no longer due"
    assert each_desk.new_mails() == []


def outage(desk: DeskAtWork, gone_at: datetime, back_at: datetime) -> None:
    with transaction(desk.engine) as session:
        inbox.note_sweep(session, gone_at, 6 * HOUR)
    with transaction(desk.engine) as session:
        inbox.note_sweep(session, back_at, 6 * HOUR)


@pytest.mark.parametrize(("gone", "back", "moved"), [(-7, 0, True), (-8, -1, False), (0, 60, False), (-1, 60, True)])
def test_an_outage_in_the_second_of_the_deadline(desk, gone, back, moved):
    """Whoever wrote in the hours before it was not heard."""
    outage(desk, DEADLINE + gone * HOUR, DEADLINE + back * HOUR)
    desk.ring(DEADLINE + max(back, 0) * HOUR)
    assert phase_of(desk).name == ("S1901M" if moved else "F1901M")


def granted(desk: DeskAtWork, start: float, end: float) -> str:
    """The answer to an absence of France from so many days from now on to so many; "" if it is noted."""
    with transaction(desk.engine) as session:
        game = rows.game_named(session, "heron")
        seat = rows.seat_of_power(session, game, "France")
        try:
            schedule.grant_absence(
                Work(session, desk.services, desk.now), game, seat, *(desk.now + at * DAY for at in (start, end))
            )
        except Refusal as why:
            return str(why)
    return ""


MOMENT = 1 / 86_400


def test_an_absence_ends_after_it_begins_and_later_than_now_and_lasts_fifteen_days(desk):
    for start, end, why in (
        (1, 1, "must end after it begins"), (-2, 0, "already over"), (1, 16 + MOMENT, "up to 15 days"),
        (-2, MOMENT, ""), (1, 16, ""),
    ):  # fmt: skip
        told = granted(desk, start, end)
        assert why in told and bool(why) == bool(told)


def test_absences_may_touch_but_not_overlap_and_are_three(desk):
    assert not granted(desk, 2, 3)
    for start, end in ((1, 2 + MOMENT), (3 - MOMENT, 4), (2, 3), (1, 9)):
        assert "overlaps" in granted(desk, start, end)
    assert not granted(desk, 1, 2) and not granted(desk, 3, 4)
    assert "already have 3 absences" in granted(desk, 5, 6)


@pytest.mark.parametrize(("late", "fresh"), [(0, False), (35 * HOUR, False), (35.5 * HOUR, False), (35.6 * HOUR, True)])
def test_a_phase_that_is_told_after_half_of_its_time_begins_when_it_is_told(desk, late, fresh):
    at = desk.now.replace(microsecond=0)
    time = EventTime(at, at + (late or timedelta(0)))
    with transaction(desk.engine) as session:
        game = rows.game_named(session, "heron")
        change_settings(game, move=replace(MOVE, clock=-1, days="SMTWTFS"))
        terms = schedule.opening_terms(
            Work(session, desk.services, at, time=time), game, start_position(load_variant("standard"))
        )
    assert terms.opened_at == (time.handled_at if fresh else at)


@pytest.mark.parametrize(("start", "earliest"), [(-1, 0), (60, 60), (400, 400)])
def test_a_start_that_was_set_before_the_game_takes_no_time_from_who_is_told_late(desk, start, earliest):
    at = desk.now.replace(microsecond=0)
    time = EventTime(at, at + 72 * HOUR)
    with transaction(desk.engine) as session:
        game = rows.game_named(session, "heron")
        timing = replace(MOVE, clock=-1, days="SMTWTFS")
        change_settings(game, move=timing, first_start=(time.handled_at + start * HOUR).isoformat())
        work, position = Work(session, desk.services, at, time=time), start_position(load_variant("standard"))
        terms = schedule.opening_terms(work, game, position, first=True)
    assert terms.opened_at == time.handled_at
    assert terms.earliest_at == time.handled_at + earliest * HOUR
    assert terms.deadline_at == max(time.handled_at + 2 * timing.next * HOUR, terms.earliest_at)


def test_a_deadline_that_fell_into_an_outage_is_extended_once_and_everybody_told_why(each_desk):
    back_at = DEADLINE + 8 * HOUR
    outage(each_desk, DEADLINE - 2 * HOUR, back_at)
    told = [mail for mail in each_desk.ring(back_at + SECOND) if mail.to == "france@example.org"]
    assert [mail.subject for mail in told] == ["JUDG:heron - S1901M Deadline Adjustment"]
    assert "was down for 10 hours" in told[0].text
    assert "(The deadline was Mon May 11 2026 23:30:00 +0000.)" in told[0].text
    assert phase_of(each_desk).deadline_at == datetime(2026, 5, 13, 23, 30, tzinfo=UTC)  # a day, and then the clock
    assert each_desk.ring(back_at + HOUR) == []


def test_a_phase_that_has_all_its_orders_is_processed_after_an_outage(desk):
    order(desk, *ALL_HOLD)
    outage(desk, DEADLINE - 2 * HOUR, DEADLINE + 8 * HOUR)
    assert "S1901M Results" in subjects(desk.ring(DEADLINE + 8 * HOUR), "france@example.org")


def test_an_end_of_grace_that_fell_into_an_outage_is_extended_too(desk):
    change(desk, grace=24, nmr=False)
    desk.ring(DEADLINE)
    outage(desk, DEADLINE + 20 * HOUR, DEADLINE + 30 * HOUR)
    assert subjects(desk.ring(DEADLINE + 30 * HOUR), "france@example.org") == ["S1901M Deadline Adjustment"]
    assert phase_of(desk).deadline_at == DEADLINE
    assert phase_of(desk).grace_ends_at > DEADLINE + 54 * HOUR - SECOND


def test_a_phase_in_which_nobody_can_order_takes_no_time_and_its_results_come_after(desk):
    """Only Turkey has a retreat, and nobody plays Turkey any more."""
    variant = load_variant("standard")
    board = {"phase": "S1901M", "units": {"Austria": ["A SER", "A RUM"], "Turkey": ["A BUL", "F ANK"]}}
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        phase.position = position_to_json(variant, position_from_json(variant, board))
        session.add(phase)
    desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nRESIGN heron\n")
    desk.writes("austria@example.org", "SIGNON Aheron pwaustria\nA SER - BUL; A RUM S A SER - BUL\n")
    mails = [mail for mail in desk.ring(desk.now + HOUR) if mail.to == "austria@example.org"]
    assert subjects(mails, "austria@example.org") == ["S1901M Results", "S1901R Results"]
    assert "will be Retreats for Spring of 1901.\nOnly Turkey, which no one plays, would have" in mails[0].text
    assert [differences(mail.text, mail.page) for mail in mails] == [[], []]
    assert phase_of(desk).name == "F1901M"


KIM, KEEPER = "kim@example.org", "keeper@example.org"


def days_told(desk: DeskAtWork, since: datetime, days: int) -> dict[str, list[int]]:
    """{address: the days after `since` on which it got a mail}, of a master, a player and the keeper."""
    told: dict[str, list[int]] = {KIM: [], "italy@example.org": [], KEEPER: []}
    for day in range(days):
        for mail in desk.ring(since + day * DAY + SECOND):
            if mail.to in told:
                told[mail.to].append(day)
    return told


def test_an_open_power_is_sought_in_steps_with_what_the_master_can_do(desk):
    change(desk, nmr=False)
    order(desk, *all_but("france"))
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nRESIGN heron\n")
    assert days_told(desk, DEADLINE, 40) == {
        KIM: [0, 2, 4, 8, 15, 22, 29, 36], "italy@example.org": [0, 2, 4, 8], KEEPER: [28]
    }  # fmt: skip
    (mail,) = [mail for mail in desk.ring(DEADLINE + 43 * DAY) if mail.to == KIM]
    assert "\n    SET DISORDER France\n    SET NMR\n" in mail.text
    assert differences(mail.text, mail.page) == []
    desk.writes(KIM, "SIGNON Mheron gm\nSET DISORDER France")
    assert "S1901M Results" in subjects(desk.ring(desk.now + DAY), "italy@example.org")


def test_without_a_master_all_go_on_to_be_told(desk):
    change(desk, nmr=False)
    order(desk, *all_but("france"))
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nRESIGN heron\n")
    desk.writes(KIM, "SIGNON Mheron gm\nSET UNMODERATED\nEJECT kim@example.org")
    assert days_told(desk, DEADLINE, 40) == {KIM: [], "italy@example.org": [0, 2, 4, 8, 15, 22, 29, 36], KEEPER: [28]}


def test_nobody_is_late_in_a_phase_that_its_master_processes(desk):
    change(desk, grace=24, manual_process=True, late_press=False)
    order(desk, *all_but("france"))
    mails = [mail for hour in (0, 25, 50) for mail in desk.ring(DEADLINE + hour * HOUR + SECOND)]
    assert {mail.to for mail in mails if "Reminder" not in mail.subject} == {KIM}
    assert "orders of France are missing" in mails[-1].flat
    listed = desk.replies("italy@example.org", "SIGNON Iheron pwitaly\nLIST heron").text
    assert not [line for line in listed.splitlines() if "France" in line and "late" in line]
    mails = desk.writes("france@example.org", "SIGNON Fheron pwfrance\nPRESS TO I\nhi\nENDPRESS")
    assert "italy@example.org" in [mail.to for mail in mails]
    assert record(desk, "france").due == 0
    desk.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert record(desk, "france").missed == 1


def test_who_waits_with_complete_orders_gets_no_reminder_and_uses_no_extension(desk):
    change(desk, extensions=2, grace=24)
    order(desk, *ALL_HOLD)
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nSET WAIT\n")
    desk.new_mails()
    assert desk.ring(DEADLINE - SECOND) == []
    assert subjects(desk.ring(DEADLINE), "france@example.org") == ["S1901M Results"]
    assert not desk.game().settings["extended"]


def test_an_extension_is_asked_for_at_the_deadline_alone(desk):
    change(desk, grace=48)
    desk.ring(DEADLINE)
    change(desk, grace=48, extensions=1)
    desk.ring(DEADLINE + DAY)
    assert phase_of(desk).deadline_at == DEADLINE
    assert subjects(desk.ring(DEADLINE + 2 * DAY), "france@example.org") == ["S1901M Results"]


def test_a_game_that_was_unstarted_gives_all_extensions_again(desk):
    change(desk, extensions=1)
    desk.ring(DEADLINE)
    desk.writes("kim@example.org", "SIGNON Mheron gm\nUNSTART\nFORCE BEGIN")
    deadline = phase_of(desk).deadline_at
    desk.ring(deadline)
    assert phase_of(desk).name == "S1901M" and phase_of(desk).deadline_at > deadline


AWAY = "SIGNON Iheron pwitaly\nSET ABSENCE 2026-05-13 TO 2026-05-18"


def test_an_extension_avoids_an_absence_and_so_does_its_grace(desk):
    desk.writes("italy@example.org", AWAY)
    change(desk, extensions=1, grace=24)
    order(desk, *all_but("france"))
    desk.ring(DEADLINE)
    phase = phase_of(desk)
    assert (phase.deadline_at, phase.grace_ends_at) == (DEADLINE + 8 * DAY, DEADLINE + 9 * DAY)


@pytest.mark.parametrize("line", ["SET DEADLINE May 12 21:00", "PAUSE\nRESUME May 12 21:00"])
def test_grace_avoids_an_absence(desk, line: str):
    change(desk, grace=24)
    desk.writes("italy@example.org", AWAY)
    desk.writes(KIM, f"SIGNON Mheron gm\n{line}")
    assert phase_of(desk).grace_ends_at == DEADLINE + 8 * DAY


def test_the_grace_of_a_phase_that_opens_avoids_an_absence_unless_it_is_strict(desk):
    desk.writes("italy@example.org", AWAY)
    lines = "SIGNON Mheron gm\nSET MOVE NEXT 24 CLOCK 21:00 DAYS SMTWTFS GRACE 48\nSET DEADLINE May 11 21:00"
    desk.writes(KIM, lines)
    desk.ring(datetime(2026, 5, 11, 21, tzinfo=UTC))
    assert phase_of(desk).grace_ends_at == datetime(2026, 5, 19, 21, tzinfo=UTC)


def record(desk: DeskAtWork, power: str) -> reliability.Reliability:
    with transaction(desk.engine) as session:
        person = person_at(session, f"{power}@example.org")
        assert person
        return reliability.record_of(Work(session, desk.services, desk.now), person.id or 0)


def test_the_record_tells_who_was_on_time_late_absent_and_gone(desk):
    change(desk, grace=24, nmr=False)
    order(desk, *[power for power in ALL_HOLD if power not in ("france", "turkey")])
    desk.ring(DEADLINE)
    desk.now = DEADLINE + HOUR
    order(desk, "france")
    desk.ring(DEADLINE + DAY)
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!\n")
    assert record(desk, "italy") == reliability.Reliability(1, 1, 0, 0, 0, 1.0)
    assert record(desk, "france") == reliability.Reliability(1, 0, 1, 0, 0, 0.5)
    assert record(desk, "turkey") == reliability.Reliability(1, 0, 0, 0, 1, 0.0)


def test_who_sends_nothing_where_nobody_waits_has_missed_the_phase(desk):
    desk.ring(DEADLINE)
    assert record(desk, "france") == reliability.Reliability(1, 0, 0, 1, 0, 0.0)


def test_who_owed_orders_in_a_phase_that_was_processed_before_its_deadline_has_missed_nothing(desk):
    order(desk, "italy")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!\n")
    assert record(desk, "italy").on_time == 1
    assert record(desk, "france").due == 0


def test_an_old_sin_weighs_half_after_half_a_year(desk):
    desk.ring(DEADLINE)
    desk.now = DEADLINE + reliability.HALF_LIFE
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        book = FiledOrders(session, game, phase)
        players = players_of(session, game)
        reliability.note_processed(Work(session, desk.services, desk.now), phase, players, book.missing(), [])
    assert record(desk, "france").score == pytest.approx(2 / 3)
