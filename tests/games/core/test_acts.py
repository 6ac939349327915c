"""Which changes of settings only give players more time."""

from dataclasses import replace
from typing import Any

import pytest

from judge.games.core.acts import loosens
from judge.games.core.setting_fields import MOVE
from judge.games.core.settings import GameSettings


def settings(field: str, value: Any) -> GameSettings:
    """The settings with this value of a field, of their own or of movement phases."""
    if field in vars(MOVE):
        return replace(GameSettings(), move=replace(MOVE, **{field: value}))
    return replace(GameSettings(), **{field: value})


@pytest.mark.parametrize(
    ("field", "less", "more", "gives_time"),
    [("next", 71, 72, True), ("min", 0, 1, True), ("grace", 0, 1, True), ("nmr", True, False, True),
     ("strict_grace", True, False, True), ("extensions", 0, 1, True), ("clock", 60, 120, False),
     ("days", "-MTWTF-", "--TWTF-", False), ("delay", 1, 2, False), ("max_absence", 15, 16, False)],
)  # fmt: skip
def test_only_what_gives_time_loosens(field: str, less: object, more: object, gives_time: bool) -> None:
    assert loosens(settings(field, less), settings(field, more)) == gives_time
    assert not loosens(settings(field, more), settings(field, less))
    assert loosens(settings(field, less), settings(field, less))
