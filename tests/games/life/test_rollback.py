"""Which phases can be opened again, and what comes back where nobody but players goes back."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from judge.games.core.work import Work
from judge.games.life.rollback import reached, rollback
from judge.store.engine import transaction
from judge.store.games import orders_on_file, phases_of
from judge.store.states import GameState
from judge.store.tables import Game, Phase
from tests import rows
from tests.commands.deskatwork import DeskAtWork

NOW = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.mark.parametrize(("state", "names"), [("active", "S1901M"), ("finished", "S1901M F1902M")])
def test_what_was_processed_and_what_the_end_has_closed_can_be_opened(state: GameState, names: str) -> None:
    """Phases that were undone have no outcome either."""
    outcomes: dict[str, Any] = {"S1901M": {"winner": ""}, "F1901M": None, "F1902M": None}
    times: dict[str, Any] = dict.fromkeys(("opened_at", "earliest_at", "deadline_at", "grace_ends_at", "known_at"), NOW)
    phases = [
        Phase(game_id=1, number=1, name=name, position={}, outcome=outcome, **times)
        for name, outcome in outcomes.items()
    ]
    game = Game(name="heron", variant="standard", state=state, zone="UTC", created_at=NOW)
    assert [phase.name for phase in reached(game, phases)] == names.split()


@pytest.mark.parametrize("has_master", [True, False])
def test_orders_come_back_only_if_a_master_keeps_them_from_players(heron: DeskAtWork, has_master: bool) -> None:
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    if not has_master:
        heron.writes("kim@example.org", "SIGNON Mheron gm\nSET UNMODERATED\nEJECT kim@example.org")
    with transaction(heron.engine) as session:
        game = rows.game_named(session, "heron")
        opened, _ = rollback(Work(session, heron.services, heron.now), game, "", "The keeper", plays=False)
        assert [order.text for order in orders_on_file(session, opened)] == ["A PAR - BUR"] * has_master


@pytest.mark.parametrize(("later", "waits"), [(timedelta(0), True), (timedelta(seconds=1), False)])
def test_the_wait_of_a_player_who_came_with_the_next_phase_does_not_come_back(
    heron: DeskAtWork, later: timedelta, waits: bool
) -> None:
    """Whoever had come by the moment in which it was processed is the player of that phase."""
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nSET WAIT")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    with transaction(heron.engine) as session:
        game = rows.game_named(session, "heron")
        (done,) = [phase for phase in phases_of(session, game) if phase.processed_at]
        seat = rows.seat_of_power(session, game, "France")
        assert done.processed_at
        seat.joined_at = done.processed_at + later
        rollback(Work(session, heron.services, heron.now), game, "", "The keeper", plays=False)
        assert seat.waits == waits


def test_without_a_name_a_phase_in_which_nobody_had_a_choice_is_not_opened(heron: DeskAtWork) -> None:
    """An army without a center is lost in a winter that waits for no one."""
    heron.lay("F1901M", units={"Austria": ["A BOH"], "France": ["A PAR"]}, centers={"France": ["PAR"]})
    heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    with transaction(heron.engine) as session:
        game = rows.game_named(session, "heron")
        assert [phase.name for phase in phases_of(session, game)] == ["F1901M", "W1901A", "S1902M"]
        opened, _ = rollback(Work(session, heron.services, heron.now), game, "", "The keeper", plays=False)
        assert opened.name == "F1901M"


def test_a_rollback_says_when_orders_are_due(heron: DeskAtWork) -> None:
    master = "SIGNON Mheron gm\n"
    heron.writes("kim@example.org", master + "PROCESS!")
    mails = heron.would_write("kim@example.org", master + "ROLLBACK")
    told = {mail.to: mail.flat.count("Orders are due by ") for mail in mails if "Rollback" in mail.subject}
    assert len(told) == 8 and set(told.values()) == {1}
    mails = heron.would_write("kim@example.org", master + "ROLLBACK\nEXTEND 48")
    assert {mail.flat.count("Orders are due by ") for mail in mails if "Rollback" in mail.subject} == {1}
