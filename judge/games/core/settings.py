"""The settings of a game, as kept in its row: the timing of each kind of phase, the seed of its draw and more.

Only `settings_of` and `keep_settings` read and write that column.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any

from judge.rules import Variant
from judge.rules.board.names import counted, listed
from judge.rules.board.phase import PhaseKind
from judge.rules.game_options import GameOptions
from judge.rules.mechanisms.crossings import Canals
from judge.rules.mechanisms.victory import Victory
from judge.store.rows import read_once
from judge.store.tables import Game

# From, to (UTC): a deadline that falls into the span moves to its end.
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Timing:
    """How long a phase lasts: `next`, `min`, `grace` in hours; `clock` in minutes after midnight or -1.

    `days` has a letter per day from Sunday: `-` shut, capital open, lower case open from noon. `delay`: hours
    from the last missing order to an early end; None: as the keeper has set it for all games. Raises ValueError
    if these are no seven days, or none is open at the time of day that `clock` says.
    """

    next: float
    clock: int
    min: float
    grace: float
    days: str
    delay: float | None = None

    def __post_init__(self) -> None:
        if len(self.days) != 7:
            raise ValueError("a week has seven days")
        open_at_noon = self.clock < 0 or self.clock >= 12 * 60
        if not any(day.isupper() or (day.islower() and open_at_noon) for day in self.days):
            raise ValueError("DAYS allows no deadline at that time of day")

    @property
    def of_first_phase(self) -> "Timing":
        """The same for the first phase of a game: twice as long, so that people find time to begin talking."""
        return replace(self, next=2 * self.next)

    def to_json(self) -> dict[str, Any]:
        """The form kept in the game's settings."""
        return asdict(self)


MOVE = Timing(next=71, clock=1410, min=0, grace=0, days="-MTWTF-")
RETREAT = Timing(next=23, clock=-1, min=0, grace=0, days="-mTWTF-")
ADJUST = RETREAT


@dataclass(frozen=True)
class Terms:
    """The four moments of a phase's row, in UTC."""

    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime


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
    `extensions`: how many times a player who would be late is given more time; `extended`: how often each power was.
    `reliability`: who is less reliable, in percent, may not join (0: everybody may).
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
    extensions: int = 0
    extended: Mapping[str, int] = field(default_factory=dict)
    reliability: int = 0

    def __post_init__(self) -> None:
        # All that is done in one transaction shares the same settings.
        for name, value in vars(self).copy().items():
            if isinstance(value, list | tuple):
                object.__setattr__(self, name, tuple(value))
            elif isinstance(value, Mapping):
                object.__setattr__(self, name, MappingProxyType(dict(value)))

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
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameSettings":
        """The settings kept as `data`; a setting that is missing there has its default."""
        given: dict[str, Any] = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        given |= {kind: Timing(**data[kind]) for kind in ("move", "retreat", "adjust") if kind in data}
        return cls(**given)


def settings_of(game: Game) -> GameSettings:
    """The current settings of `game`; parsed only once as long as they stay the same."""
    return read_once(game, "settings", GameSettings.from_json)


def keep_settings(game: Game, settings: GameSettings) -> None:
    """Give `game` these settings."""
    game.settings = settings.to_json()


def _plain(value: Any) -> Any:
    """The value of a setting as JSON has it."""
    if isinstance(value, Timing):
        return value.to_json()
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else value


TIMED: tuple[tuple[str, PhaseKind], ...] = (("Moves", "M"), ("Retreats", "R"), ("Builds", "A"))


def press_words(settings: GameSettings) -> str:
    """`white press`, `white or grey press, broadcasts only`, `no press`."""
    colours = ["white"] * settings.white_press + ["grey"] * settings.grey_press
    if not colours:
        return "no press"
    limits = {
        "broadcasts only": not settings.partial_press,
        "none from observers": not settings.observer_press,
        "signed only from observers": settings.observer_press and not settings.observer_grey,
        "none from late players": not settings.late_press,
        "none while others are late": not settings.grace_press,
    }
    return ", ".join([f"{' or '.join(colours)} press", *(word for word, holds in limits.items() if holds)])


def option_words(settings: GameSettings, disorder: Sequence[str]) -> list[str]:
    """Say how this game differs from the usual one, apart from its press.

    `disorder`: the powers in permanent civil disorder, as far as the reader may know.
    """
    words = {
        "gunboat": settings.gunboat,
        "NoNMR": not settings.nmr,
        "NoDIAS": not settings.dias,
        "no concessions": not settings.concessions,
        "names never revealed": settings.gunboat and not settings.reveal,
        "quiet": settings.quiet,
        "not listed": not settings.listed,
        "master approves who joins": settings.approval,
        "bids revealed after the end": settings.reveal_bids,
        "password always needed": settings.strict_passwords,
        "builds in any center": settings.any_centers,
        "builds in any center while it owns a home center": settings.one_center,
        "processed only by the master": settings.manual_process,
        "WAIT only for those who have something to order": settings.strict_wait,
        "unmoderated (players can also change settings)": settings.unmoderated,
        f"{counted(settings.extensions, 'extension')} for each late player": settings.extensions > 0,
        f"only players who are at least {settings.reliability}% reliable may join": settings.reliability > 0,
    }
    told = [word for word, holds in words.items() if holds]
    told += [f"{power} goes to {group}" for power, group in settings.fixed.items()]
    told += [f"{canal} opens in {year}" for canal, year in settings.canals.items()]
    told += [f"reading {name}" for name in settings.readings]
    told += [f"{settings.year_cap} is the last year"] * bool(settings.year_cap)
    return told + [f"{power} in civil disorder" for power in disorder]


def timing_words(timing: Timing) -> str:
    """`71 hours, then 23:30 on -MTWTF-, grace 24 hours`: as judges set it, the week from Sunday."""
    clock = f"then {timing.clock // 60:02}:{timing.clock % 60:02} " if timing.clock >= 0 else ""
    grace = f", grace {timing.grace:g} hours" if timing.grace else ""
    return f"{timing.next:g} hours, {clock}on {timing.days}{grace}"


def chosen_words(settings: GameSettings, disorder: Sequence[str]) -> list[str]:
    """All that was chosen for a game: its press, how it differs from the usual one, its clock if that is its own."""
    usual = GameSettings()
    clock = [
        f"{name.lower()} {timing_words(settings.timing(letter))}"
        for name, letter in TIMED
        if settings.timing(letter) != usual.timing(letter)
    ]
    remind = f"{listed(f'{hours:g}' for hours in settings.remind)} hours" if settings.remind else "never"
    words = {
        "grace ends to the hour": settings.strict_grace,
        f"reminders {remind} before a deadline": settings.remind != usual.remind,
        f"absences of at most {settings.max_absence} days": settings.max_absence != usual.max_absence,
    }
    others = [word for word, holds in words.items() if holds]
    return [press_words(settings), *option_words(settings, disorder), *clock, *others]


def late_words(settings: GameSettings) -> str:
    """What becomes of those who are late, in a sentence."""
    if settings.manual_process:
        return "A phase is processed only when the master sends PROCESS, with whatever orders are in (ManualProcess)."
    grace = settings.move.grace
    when = f"When grace ends, {grace:g} hours after the deadline," if grace else "At the deadline"
    if settings.nmr:
        return (
            f"{when} the phase is processed with whatever orders are in: units without orders hold, dislodged units "
            "without orders disband (NMR)."
        )
    return f"{when} powers that are still late become open to replacements, and the phase waits for them (NoNMR)."


def conduct(variant: Variant, settings: GameSettings, disorder: Sequence[str] = ()) -> list[str]:
    """Say what everybody should know before the first order, a sentence or two each.

    What wins, what is special on this board, when its canals open, what becomes of the late, and all that was chosen.
    """
    terms, canals = variant.rule(Victory), variant.rule(Canals)
    return [
        " ".join(terms.sentences(variant)) if terms else "",
        variant.special,
        " ".join(canals.sentences(variant)) if canals else "",
        late_words(settings),
        f"Settings: {', '.join(chosen_words(settings, disorder))}.",
    ]
