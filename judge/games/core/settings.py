"""The settings of a game, as kept in its row: the timing of each kind of phase, the seed of its draw and more.

Only `settings_of` and `keep_settings` read and write that column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any

from judge.games.core.timing import ADJUST, MOVE, RETREAT, Timing
from judge.rules.board.phase import PhaseKind
from judge.rules.game_options import GameOptions
from judge.store.rows import read_once
from judge.store.tables import Game


@dataclass(frozen=True)
class GameSettings:
    """The settings of one game; `seed` decides who gets which power and is recorded for appeals.

    `gunboat`: only the master knows who plays what (judge/games/core/who_may_see.py). `nmr`: at the end of grace a
    phase is processed with the orders on file; without it, the seats of late players become open and the phase waits.
    `strict_grace`: grace may end on a shut day. `remind`: how many hours before a deadline players who owe orders are
    reminded. By default a day before, for players who read their mail once a day, and four hours before, since a
    retreat of 23 hours has no room for more. `max_absence`: the longest absence in days that players may set.
    `reveal`: the end of a gunboat game tells who played what. `victory`: the centers that win, None: the variant's
    number. `listed`: LIST shows the game to strangers, and its open seats are offered. `approval`: its master decides
    who may join. `quiet`: only the master is told who comes and goes. `manual_start`: the game begins when its master
    says so. `disorder`: the powers in permanent civil disorder. `borders`: the corrections of the board
    (judge/rules/game_options.py), the oldest first. `reveal_bids`: when the game has ended, everybody is
    told who bid what. `fixed`: for each power whose group the master has named, that group; `holders`: once the game
    has begun, the group of each power whose group the variant does not give. `canals`: the years in which canals open,
    where the master has changed them. `year_cap`: the last year. `strict_passwords`: nobody plays without a password.
    `readings`: the other readings of the rules that the master has chosen. `about`: the lines of the longer comment.
    `strict_wait`: only who has something to order may set WAIT. `manual_process`: only PROCESS ends a phase.
    `observer_press`: observers may write press, and if `observer_grey` unsigned; `late_press`: so may players who are
    late; `grace_press`: so may everybody while others are. `any_centers`: a power builds in any center that it owns;
    `one_center`: as long as one of them is its home. `late_count`: LIST tells how often each power was late.
    `unmoderated`: the players may do what a master may do without knowing more than they.
    """

    move: Timing = MOVE
    retreat: Timing = RETREAT
    adjust: Timing = ADJUST
    seed: int = 0
    nmr: bool = True
    strict_grace: bool = False
    remind: Sequence[float] = (24, 4)
    max_absence: int = 15
    dias: bool = True
    concessions: bool = True
    white_press: bool = True
    grey_press: bool = False
    partial_press: bool = True
    gunboat: bool = False
    reveal: bool = True
    victory: int | None = None
    listed: bool = True
    approval: bool = False
    quiet: bool = False
    manual_start: bool = False
    disorder: Sequence[str] = ()
    borders: Sequence[str] = ()
    reveal_bids: bool = False
    fixed: Mapping[str, str] = field(default_factory=dict)
    holders: Mapping[str, str] = field(default_factory=dict)
    canals: Mapping[str, int] = field(default_factory=dict)
    year_cap: int | None = None
    strict_passwords: bool = False
    readings: Sequence[str] = ()
    about: Sequence[str] = ()
    strict_wait: bool = False
    manual_process: bool = False
    observer_press: bool = True
    observer_grey: bool = True
    late_press: bool = True
    grace_press: bool = True
    any_centers: bool = False
    one_center: bool = False
    late_count: bool = False
    unmoderated: bool = False

    def __post_init__(self) -> None:
        # All callers in a turn share the same settings.
        for name in _LISTS:
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for name in _TABLES:
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @cached_property
    def house_rules(self) -> GameOptions:
        """How the game's variant differs from the variant's file."""
        return GameOptions(
            borders=tuple(self.borders),
            holders=tuple(sorted(self.holders.items())),
            canals=tuple(sorted(self.canals.items())),
            victory=self.victory,
            year_cap=self.year_cap,
            readings=tuple(self.readings),
            any_centers=self.any_centers,
            one_center=self.one_center,
        )

    def timing(self, kind: PhaseKind) -> Timing:
        """The timing of phases of that kind."""
        return {"M": self.move, "R": self.retreat, "A": self.adjust}[kind]

    def to_json(self) -> dict[str, Any]:
        """The form kept in the database."""
        return {
            **{kind: getattr(self, kind).to_json() for kind in _TIMED},
            **{name: getattr(self, name) for name in _PLAIN},
            **{name: list(getattr(self, name)) for name in _LISTS},
            **{name: dict(getattr(self, name)) for name in _TABLES},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameSettings":
        """The settings kept as `data`; a setting that is missing there has its default."""
        return cls(
            move=_timing(data.get("move"), MOVE),
            retreat=_timing(data.get("retreat"), RETREAT),
            adjust=_timing(data.get("adjust"), ADJUST),
            **{name: data[name] for name in (*_PLAIN, *_LISTS, *_TABLES) if name in data},
        )


def settings_of(game: Game) -> GameSettings:
    """The current settings of `game`; parsed only once as long as they stay the same."""
    return read_once(game, "settings", GameSettings.from_json)


def keep_settings(game: Game, settings: GameSettings) -> None:
    """Give `game` these settings."""
    game.settings = settings.to_json()


def _timing(kept: dict[str, Any] | None, usual: Timing) -> Timing:
    """The timing kept as `kept`, or the usual one if none is kept."""
    return usual if kept is None else Timing(**kept)


_TIMED = ("move", "retreat", "adjust")
_LISTS = ("remind", "disorder", "borders", "readings", "about")
_TABLES = ("fixed", "holders", "canals")
_PLAIN = tuple(one.name for one in fields(GameSettings) if one.name not in (*_TIMED, *_LISTS, *_TABLES))
