"""Whom an answer to press reaches, and whom it names: from the rows, without letters."""

from datetime import UTC, datetime
from typing import Any

import pytest

from judge.games.core.settings import GameSettings
from judge.games.core.work import Refusal
from judge.games.notifications.press import GREY_WRITER, Message, answer
from judge.store.tables import Game, Press, Seat
from tests.texts import table

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def seat(number: int, role: Any, power: str | None = None, *, has_left: bool = False) -> Seat:
    held: dict[str, Any] = {"game_id": 1, "person_id": number, "address": "", "password": "", "joined_at": NOW}
    return Seat(id=number, role=role, power=power, left_at=NOW if has_left else None, **held)


FRANCE, OBSERVER, MASTER = seat(1, "player", "France"), seat(2, "observer"), seat(3, "master")


def answered(
    writer: Seat | None, to: str, sender: str, *, to_all: bool, grey: bool = False, quiet: bool = False
) -> Message:
    """The answer of France to what `writer` wrote, as `sender`, to these names."""
    settings = GameSettings(quiet=quiet).to_json()
    game = Game(name="heron", variant="standard", state="active", zone="UTC", settings=settings, created_at=NOW)
    game.started_at = NOW
    press = Press(
        game_id=1, seat_id=writer.id if writer else None, sent_at=NOW, sender=sender, grey=grey, recipients=to,
        public=False, readers=[1, 5], text="Hello.",
    )  # fmt: skip
    return answer(game, press, writer, FRANCE, "Yes.", to_all=to_all)


ITALY, LEFT = seat(4, "player", "Italy"), seat(4, "player", "Italy", has_left=True)
WRITERS = {"Italy": ITALY, "left": LEFT, "moved": seat(4, "player", "Turkey"), "observer": OBSERVER, "master": MASTER}


@pytest.mark.parametrize(
    ("writer", "sender", "to", "kind", "powers", "shown"),
    table("""
        Italy    => Italy       => France, Turkey       => one       => Italy          =>
        Italy    => Italy       => France, Turkey       => all       => France, Italy, Turkey =>
        moved    => Italy       => France, Russia       => one       =>                => Italy
        moved    => Italy       => France, Russia       => all       => Russia         => Russia, Italy
        observer => an observer => France, Russia       => all       => Russia         => Russia, an observer
        observer => an observer => France               => one       =>                => an observer
        master   => the master  => France, Russia       => all       => France, Russia, M =>
        Italy    => Italy       => France, the master   => all grey  => France, M      => France, the master, GREY
        Italy    => Italy       => France, the master   => grey      =>                => GREY
        left     => Italy       => France, Turkey       => quiet     => Italy          =>"""),
)
def test_who_has_an_answer_and_who_is_named(
    writer: str, sender: str, to: str, kind: str, powers: str, shown: str
) -> None:
    how = {"to_all": "all" in kind, "grey": "grey" in kind, "quiet": "quiet" in kind}
    message = answered(WRITERS[writer], to, sender, **how)
    named = [*sorted(message.audience.powers), *["M"] * message.audience.masters]
    assert ", ".join(named) == powers and message.grey == how["grey"]
    assert message.shown == shown.replace("GREY", GREY_WRITER)
    readers = {WRITERS[writer].id, *([1, 5] if how["to_all"] else [])}
    assert message.only == (None if how["quiet"] else readers)


@pytest.mark.parametrize(
    ("writer", "why"), [(None, "by the keeper"), (LEFT, "Italy, who wrote it, has left the game.")]
)
def test_what_cannot_be_answered(writer: Seat | None, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        answered(writer, "France", "Italy", to_all=False)
