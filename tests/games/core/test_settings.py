"""A game's settings are read once in a turn, into one value that does not change."""

import ast
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge.games.core.settings import FLAGS, SAID, GameSettings, change_settings, settings_of
from judge.games.life import lifecycle
from judge.store.tables import Game
from tests.commands.deskatwork import DeskAtWork

JUDGE = Path(__file__).parents[3] / "judge"
OWNER = JUDGE / "games" / "core" / "settings.py"
ORDERS = "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO"
CREATED = datetime(2026, 5, 1, tzinfo=UTC)
SETTLED = GameSettings(
    seed=7,
    remind=(48,),
    disorder=("Italy",),
    borders=("A PAR BUR",),
    fixed={"China": "Blue"},
    holders={"India": "Red"},
    canals={"EGY": 1905},
)


def game(**settings: Any) -> Game:
    return Game(name="heron", variant="standard", state="forming", zone="UTC", settings=settings, created_at=CREATED)


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """A desk with one game that has begun."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    desk.new_mails()
    return desk


@pytest.fixture
def readings(desk, monkeypatch) -> list[int]:
    """How often the settings of the only game were read in each turn so far: letters handled, moments of phases."""
    counts: list[int] = []
    read = GameSettings.from_json

    def reading(data: dict[str, Any]) -> GameSettings:
        counts[-1] += 1
        return read(data)

    def counted(what):
        def turn(*given):
            counts.append(0)
            return what(*given)

        return turn

    monkeypatch.setattr(GameSettings, "from_json", reading)
    monkeypatch.setattr(desk.desk, "handle", counted(desk.desk.handle))
    monkeypatch.setattr(lifecycle, "run_due", counted(lifecycle.run_due))
    return counts


def test_a_letter_with_orders_reads_them_once(desk, readings):
    assert desk.replies("france@example.org", ORDERS).first_line.startswith("Orders complete")
    assert max(readings) == 1


def test_a_deadline_reads_them_once(desk, readings):
    told = desk.ring(desk.now.replace(day=15))
    assert any("Results" in mail.subject for mail in told)
    assert len(readings) >= 3 and max(readings) == 1  # two reminders and the deadline itself


def test_what_a_letter_sets_counts_for_the_lines_below(desk, readings):
    letter = "SIGNON Mheron gm\nSET REMIND 12\nSET NONMR\nLIST heron"
    assert "the phase waits for them (NoNMR). Zone:" in desk.replies("kim@example.org", letter).flat
    assert max(readings) == 3  # at the beginning, and after each of two changes


def test_they_are_kept_beside_the_row_until_they_change():
    row = game(**SETTLED.to_json())
    settings = settings_of(row)
    assert settings == SETTLED and settings_of(row) is settings
    change_settings(row, quiet=True)
    assert settings_of(row) == replace(SETTLED, quiet=True)
    row.settings = dict(row.settings)  # as after a look into the database, which says the same
    assert settings_of(row) is settings_of(row)


def test_what_a_row_lacks_is_as_usual():
    assert settings_of(game()) == GameSettings() == GameSettings.from_json(GameSettings().to_json())


def test_each_can_be_set_and_is_told_of():
    """By words, or by forms of its own; what is set with another setting is told of with that."""
    beside = {key for name, flags in FLAGS.items() for flag in flags for key in flag.values if key != name}
    # SET START is a setting only before the game begins, and CREATE alone says that it is for one.
    assert [name for name, said in SAID.items() if not (said.flags or said.forms)] == [
        name for name in SAID if name in {*beside, "first_start", "solo"}
    ]
    assert all(said.says or said.changed for said in SAID.values() if said.forms)


def test_they_cannot_be_changed_by_one_of_those_who_ask():
    settings = settings_of(game(**SETTLED.to_json()))
    with pytest.raises(FrozenInstanceError):
        settings.quiet = True  # type: ignore[misc]


def test_nothing_else_looks_into_the_column():
    """`settings` that are not those of services, work, the doctor or the seat of a command are a game's.

    SQL may ask whether the column has changed, and what waits to be announced has the settings of before.
    """
    strangers = [
        f"{path.relative_to(JUDGE)}:{node.lineno} {ast.unparse(node)}"
        for path in sorted(JUDGE.rglob("*.py"))
        if path != OWNER
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and node.attr == "settings"
        if not ast.unparse(node.value).endswith(("services", "work", "trial", "seat", "here", "pending", "Game"))
    ]
    assert not strangers, "\n".join(strangers)
