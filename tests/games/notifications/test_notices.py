"""Who is left out of a notice, and how its reader's loss is called: from the rows, without letters."""

from datetime import UTC, datetime
from typing import Any

import pytest

from judge.games.core.settings import change_settings
from judge.games.notifications.notices import all_but_masters, kept_out, lost
from judge.store.engine import transaction
from judge.store.tables import Game, Seat
from tests import rows
from tests.commands.deskatwork import DeskAtWork

NOW = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.mark.parametrize(
    ("role", "power", "told"),
    [
        ("player", "Turkey", "You no longer play Turkey in heron"),
        ("player", None, "You are no longer in heron"),
        ("observer", None, "You no longer observe heron"),
        ("master", None, "You are no longer a master of heron"),
    ],
)
def test_what_is_lost_is_called_by_its_name(role: Any, power: str | None, told: str) -> None:
    game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOW)
    assert (
        lost(game, Seat(game_id=1, person_id=1, role=role, power=power, address="", password="", joined_at=NOW)) == told
    )


@pytest.mark.parametrize("quiet", [False, True])
def test_in_a_quiet_game_all_but_the_masters_are_kept_out(heron: DeskAtWork, quiet: bool) -> None:
    with transaction(heron.engine) as session:
        game = rows.game_named(session, "heron")
        change_settings(game, quiet=quiet)
        others = all_but_masters(session, game)
        assert len(others) == 7 and "kim@example.org" not in others
        assert kept_out(session, game) == (others if quiet else set())
