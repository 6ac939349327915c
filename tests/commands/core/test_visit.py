"""A block that is undone: whatever its handlers had set is gone, and what the letter has in common is not."""

from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest

from judge.commands.core.answer import Answer
from judge.commands.core.context import Acting, Announcements, CommandContext, OrderLines
from judge.commands.core.letter_context import LetterContext
from judge.games.core.settings import GameSettings
from judge.games.core.work import Work
from judge.store.engine import transaction
from judge.store.tables import Game, LetterRow, Phase, Seat
from tests.commands.deskatwork import DeskAtWork
from tests.letters.reading import read_letter

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
# What a handler may have made of each field of a visit.
SET = {
    "answers": [Answer("You are in."), Answer("You act for France.")],
    "game": Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOON, settings={}),
    "phase": Phase(
        game_id=1,
        number=1,
        name="S1901M",
        position={},
        opened_at=NOON,
        earliest_at=NOON,
        deadline_at=NOON,
        grace_ends_at=NOON,
    ),
    "seat": Seat(game_id=1, person_id=1, role="master", address="a@example.org", password="", joined_at=NOON),
    "acting": Acting(
        Seat(game_id=1, person_id=3, role="master", address="m@example.org", password="", joined_at=NOON), []
    ),
    "joined": True,
    "resigns": True,
    "passwordless": True,
    "lines": OrderLines("F1901M", "PHASE F1901M", ["DP 1: A SWI H"], True, True, {"F1901M"}, True, 1, ["A PAR - BUR"]),
    "pending": Announcements(
        {"grey_press": ["Press is grey."]},
        GameSettings(),
        [Seat(game_id=1, person_id=2, role="player", address="f@example.org", password="", joined_at=NOON)],
        ["Armies may not go Paris [PAR] - Burgundy [BUR]."],
        "M",
    ),
    "_book": object(),
}


@pytest.fixture
def context(desk: DeskAtWork):
    row = LetterRow(fingerprint="1", uidvalidity=1, uid=1, received_at=NOON, kept_at=NOON, raw=b"From: a@example.org")
    letter = read_letter(row.raw)
    with transaction(desk.engine) as session:
        yield CommandContext(LetterContext(Work(session, desk.services, NOON), (), letter, row), letter, row)


# What a visit begins with.
GIVEN = ("letter_context", "letter", "row", "by_reply")


@pytest.mark.parametrize("name", GIVEN)
@pytest.mark.parametrize("by_reply", [True, False])
def test_what_a_visit_began_with_outlives_its_undoing(context: CommandContext, name: str, by_reply: bool):
    began = replace(context, by_reply=by_reply)
    assert getattr(began.afresh(), name) == getattr(began, name)


@pytest.mark.parametrize("name", [field.name for field in fields(CommandContext) if field.name not in GIVEN])
def test_nothing_that_a_block_has_set_outlives_its_undoing(context: CommandContext, name: str):
    before = getattr(context, name)
    assert before != SET[name]
    setattr(context, name, SET[name])
    assert getattr(context.afresh(), name) == before


def test_what_the_letter_has_come_to_outlives_a_block_that_is_undone(context: CommandContext):
    context.letter_context.signons.wrong_passwords += 1
    context.letter_context.answers.append(Answer("Your registration is as it was."))
    again = context.afresh()
    assert again.letter_context is context.letter_context
    assert [answer.verdict for answer in again.all_answers] == ["Your registration is as it was.", ""]


def test_another_block_knows_nothing_of_the_one_before(desk: DeskAtWork):
    """Neither for whom its master acted nor for which phase its lines were kept."""
    desk.seat_seven()
    acting = "SIGNON Mheron gm\nBECOME France\nPHASE F1901M\nA PAR H"
    answer = desk.replies("kim@example.org", f"{acting}\nSIGNON Gheron pwgermany\nA MUN - TYR").text
    assert "1 line saved, to be checked when that phase opens." in answer
    assert "Germany: Army Munich -> Tyrolia." in answer
    # Of Germany there is a form to order with; of a power that is acted for there is none.
    assert answer.count("<your password>") == answer.count("SIGNON Gheron <your password>") == 1
