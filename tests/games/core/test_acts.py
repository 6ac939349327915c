"""Who runs a game, and which changes of its settings only give players more time."""

from dataclasses import replace
from typing import Any

import pytest

from judge.games.core.acts import is_run_by_players, loosens
from judge.games.core.setting_fields import MOVE
from judge.games.core.settings import GameSettings
from judge.store.engine import reading
from judge.store.tables import Game
from tests.commands.deskatwork import DeskAtWork


@pytest.mark.parametrize(
    ("variant", "unmoderated", "by_players"),
    [("standard", True, True), ("standard", False, True), ("1648", True, False)],
)
def test_a_game_without_a_master_is_run_by_its_players_unless_it_needs_one(
    desk: DeskAtWork, variant: str, unmoderated: bool, by_players: bool
) -> None:
    settings = GameSettings(unmoderated=unmoderated).to_json()
    game = Game(id=9, name="heron", variant=variant, state="active", zone="UTC", settings=settings, created_at=desk.now)
    with reading(desk.engine) as session:
        assert is_run_by_players(session, game) == by_players


def settings(field: str, value: Any) -> GameSettings:
    """The settings with this value of a field, of their own or of movement phases."""
    if field in vars(MOVE):
        return replace(GameSettings(), move=replace(MOVE, **{field: value}))
    return replace(GameSettings(), **{field: value})


@pytest.mark.parametrize(
    ("field", "less", "more", "gives_time"),
    [("next", 71, 72, True), ("min", 0, 1, True), ("grace", 0, 1, True), ("nmr", True, False, False),
     ("strict_grace", True, False, True), ("extensions", 0, 1, True), ("clock", 60, 120, False),
     ("days", "-MTWTF-", "--TWTF-", False), ("delay", 1, 2, False), ("max_absence", 15, 16, False)],
)  # fmt: skip
def test_only_what_gives_time_loosens(field: str, less: object, more: object, gives_time: bool) -> None:
    assert loosens(settings(field, less), settings(field, more)) == gives_time
    assert not loosens(settings(field, more), settings(field, less))
    assert loosens(settings(field, less), settings(field, less))
