"""The phase as JSON beside the text of a mail, for who wants it (SET DATA): what that text tells them, no more."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC

import orjson

from judge.games.core.board import board
from judge.games.core.phase_json import phase_json
from judge.games.core.who_may_see import Viewer, viewer
from judge.games.orders.bid_report import bids_told
from judge.mails.compose import DataFile
from judge.rules import BidResult, Outcome, Position, Variant
from judge.store.tables import Game, Phase, Seat


@dataclass(frozen=True)
class PhaseData:
    """What a mail tells of the phase that begins with `position`, and of its `outcome` if it was processed; `seats`:
    all of the game; `awaited`: the phase whose deadline the mail tells.
    """

    game: Game
    seats: Sequence[Seat]
    variant: Variant
    position: Position
    awaited: Phase | None
    outcome: Outcome | None = None
    _phases: dict[tuple[BidResult, ...], dict[str, object]] = field(default_factory=dict)

    def for_reader(self, mine: Sequence[Seat]) -> DataFile:
        """The file for the reader who has the seats `mine`."""
        told = {
            "game": self.game.name,
            "variant": self.variant.name,
            "you": [seat.power for seat in mine if seat.power],
            "deadline": self._deadline(),
            "phases": [self._phase(viewer(mine, self.seats))],
        }
        text = orjson.dumps(told, option=orjson.OPT_INDENT_2).decode()
        return DataFile(f"{self.game.name}-{self.position.phase}.json", text)

    def _deadline(self) -> str | None:
        if self.awaited is None or self.game.state == "paused":
            return None
        return self.awaited.deadline_at.astimezone(UTC).isoformat().replace("+00:00", "Z")

    def _phase(self, reader: Viewer) -> dict[str, object]:
        """Made once for all who are told the same bids: mostly none."""
        bids = bids_told(self.game, self.outcome.bids, reader) if self.outcome else ()
        if bids not in self._phases:
            self._phases[bids] = phase_json(self.variant, self.position, self.outcome, bids)
        return self._phases[bids]


def data_now(game: Game, seats: Sequence[Seat], phase: Phase) -> PhaseData:
    """The open phase: where the units stand, and its deadline."""
    return PhaseData(game, seats, *board(game, phase), awaited=phase)
