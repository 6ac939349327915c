"""Until when the word of the players counts, to the second; from the rows, without letters."""

from datetime import timedelta

import pytest

from judge.games.core.acts import May
from judge.games.core.work import Work
from judge.games.life.consent import KEPT, NOTICE, answer, disagree
from judge.store.engine import transaction
from judge.store.seats import masters_of
from tests import rows
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork

SECOND = timedelta(seconds=1)
ALL = [name.title() for name in ALL_HOLD]
OTHERS = [power for power in ALL if power != "France"]


def says(desk: DeskAtWork, power: str, after: timedelta = timedelta(0), alone: May = May.WORD) -> str:
    """What this player, or "" the master, is told who sends the line so long after now; "": it may be carried out."""
    with transaction(desk.engine) as session:
        work, game = Work(session, desk.services, desk.now + after), rows.game_named(session, "heron")
        seat = rows.seat_of_power(session, game, power) if power else masters_of(session, game)[0]
        return answer(work, game, seat, "TERMINATE heron", alone)


@pytest.mark.parametrize(("after", "done"), [(NOTICE - SECOND, False), (NOTICE, True)])
def test_a_notice_is_for_two_days(heron: DeskAtWork, after: timedelta, done: bool) -> None:
    assert f"From {(heron.now + NOTICE):%a %b} " in says(heron, "France", alone=May.NOTICE)
    asked = [mail.flat for mail in heron.new_mails() if "Your Word" in mail.subject]
    assert asked and all(f"From {(heron.now + NOTICE):%a %b} " in text for text in asked)
    assert (says(heron, "Italy", after, May.NOTICE) == "") == done


@pytest.mark.parametrize(
    ("after", "done"), [(KEPT - SECOND, False), (KEPT, True), (2 * KEPT - SECOND, True), (2 * KEPT, False)]
)
def test_silence_is_over_after_seven_days_and_all_is_forgotten_after_fourteen(
    heron: DeskAtWork, after: timedelta, done: bool
) -> None:
    assert says(heron, "France")
    heron.new_mails()
    assert (says(heron, "France", after) == "") == done
    asks = [mail for mail in heron.new_mails() if "Your Word" in mail.subject]
    assert bool(asks) == (after == 2 * KEPT)


@pytest.mark.parametrize(("after", "done"), [(KEPT, True), (KEPT + SECOND, False)])
def test_a_word_counts_for_seven_days(heron: DeskAtWork, after: timedelta, done: bool) -> None:
    assert all(says(heron, power) for power in OTHERS)
    assert (says(heron, "France", after) == "") == done


def test_a_no_is_never_over_and_a_yes_takes_it_back(heron: DeskAtWork) -> None:
    says(heron, "France")
    with transaction(heron.engine) as session:
        game = rows.game_named(session, "heron")
        no = disagree(Work(session, heron.services, heron.now), game, rows.seat_of_power(session, game, "Italy"))
    assert no == ["TERMINATE heron"]
    assert says(heron, "France", KEPT) and says(heron, "Italy", KEPT) == ""


def test_who_may_do_it_alone_is_not_asked_for_a_word(heron: DeskAtWork) -> None:
    assert says(heron, "France", alone=May.DOES) == "" and not heron.new_mails()


def test_after_the_end_the_master_s_silence_is_no_word(heron: DeskAtWork) -> None:
    heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    assert all(says(heron, power) for power in ALL)
    assert says(heron, "France", KEPT) and says(heron, "", KEPT) == ""
