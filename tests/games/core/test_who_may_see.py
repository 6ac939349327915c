"""Who may see whose name and address."""

from datetime import UTC, datetime
from typing import Any

import pytest

from judge.games.core.settings import GameSettings
from judge.games.core.who_may_see import Shown, shown_to
from judge.store.states import GameState, Role
from judge.store.tables import Game, Seat

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def seen(role: Role | None, *, gunboat: bool, state: GameState = "active", **more: Any) -> Shown:
    settings = GameSettings(gunboat=gunboat, **more).to_json()
    game = Game(name="heron", variant="standard", state=state, zone="UTC", settings=settings, created_at=NOW)
    held: dict[str, Any] = {"game_id": 1, "person_id": 1, "address": "a@example.org", "password": "", "joined_at": NOW}
    return shown_to(Seat(role=role, **held) if role else None, game)


@pytest.mark.parametrize(
    ("role", "gunboat", "state", "names", "addresses"),
    [
        (None, False, "active", True, False),
        ("observer", False, "active", True, False),
        ("player", False, "active", True, True),
        ("master", False, "active", True, True),
        (None, True, "active", False, False),
        ("observer", True, "active", False, False),
        ("player", True, "active", False, False),
        ("master", True, "active", True, True),
        (None, True, "finished", True, False),
        ("player", True, "finished", True, False),
        ("player", False, "finished", True, True),
    ],
)
def test_what_is_shown(role, gunboat, state, names, addresses):
    assert seen(role, gunboat=gunboat, state=state) == Shown(names, addresses)


@pytest.mark.parametrize(("role", "names"), [(None, False), ("player", False), ("master", True)])
def test_the_end_of_a_game_that_is_set_so_reveals_nobody(role, names):
    assert seen(role, gunboat=True, state="finished", reveal=False).names is names


@pytest.mark.parametrize(
    ("role", "state", "changes"),
    [("player", "active", False), (None, "active", False), ("master", "active", True), ("player", "finished", True)],
)
def test_who_comes_and_goes_in_a_quiet_game_is_the_master_s_business_until_its_end(role, state, changes):
    assert seen(role, gunboat=False, state=state, quiet=True).changes is changes
