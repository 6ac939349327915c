"""A phase as JSON: beside the text of a mail (SET DATA), and in the archive of a game that anyone may read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from typing import Any

import orjson

from judge.games.core.board import board
from judge.games.core.who_may_see import Viewer, may_see, viewer
from judge.games.orders.bid_report import seems_won
from judge.mails.compose import DataFile
from judge.rules import BidResult, Outcome, Position, Variant, position_to_json
from judge.rules.outcome_json import outcome_as_told
from judge.store.tables import Game, Phase, Seat


def phase_json(
    variant: Variant, position: Position, outcome: Outcome | None = None, bids: Sequence[BidResult] = ()
) -> dict[str, Any]:
    """Return the position before a phase and, once processed, its outcome with those `bids` that may be known."""
    known = {"phase": position.phase, "position": position_to_json(variant, position)}
    return known | ({"outcome": outcome_as_told(variant, outcome, bids)} if outcome else {})


@dataclass(frozen=True)
class PhaseData:
    """The phase that begins with `position`, and its `outcome` once processed, for the readers of a mail about it.

    `seats`: all of the game; `awaited`: the phase whose deadline the mail announces.
    """

    game: Game
    seats: Sequence[Seat]
    variant: Variant
    position: Position
    awaited: Phase | None
    outcome: Outcome | None = None

    def for_reader(self, mine: Sequence[Seat]) -> DataFile:
        """Return the file for the reader who has the seats `mine`: what the text says to them, no more."""
        deadline = self.awaited.deadline_at if self.awaited and self.game.state != "paused" else None
        bids = _bids_known(self.game, self.outcome, viewer(mine, self.seats)) if self.outcome else ()
        data = {
            "game": self.game.name,
            "variant": self.variant.name,
            "you": [seat.power for seat in mine if seat.power],
            "deadline": deadline.astimezone(UTC).isoformat().replace("+00:00", "Z") if deadline else None,
            "phases": [phase_json(self.variant, self.position, self.outcome, bids)],
        }
        text = orjson.dumps(data, option=orjson.OPT_INDENT_2).decode()
        return DataFile(f"{self.game.name}-{self.position.phase}.json", text)


def _bids_known(game: Game, outcome: Outcome, reader: Viewer) -> Sequence[BidResult]:
    """Return all bids, or the reader's own without what only those know who see all."""
    auction = outcome.bids
    if may_see(reader, game, "bids", "processed"):
        return auction.bids
    own = [one for one in auction.bids if may_see(reader, game, "bids", "processed", one.bidder)]
    return [replace(one, won=seems_won(one, auction)) for one in own]


def data_now(game: Game, seats: Sequence[Seat], phase: Phase) -> PhaseData:
    """Return the open phase: where the units are, and its deadline."""
    return PhaseData(game, seats, *board(game, phase), awaited=phase)
