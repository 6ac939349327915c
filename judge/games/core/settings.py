"""The registry of a game's settings, each a field of `GameSettings`.

A field has an entry (`Said` in judge/games/core/setting_fields.py) with all that commands, HELP, LIST and notices need.
The commands in judge/commands/master are made from these entries. The settings are kept in a column of the game's row.
Of all modules about games, only this one reads and writes that column.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime
from functools import cached_property
from operator import gt, lt
from typing import Any

from sqlalchemy import inspect

from judge.games.core.setting_fields import (
    ADJUST,
    MOVE,
    NOT,
    RETREAT,
    Flag,
    Form,
    Said,
    Timing,
    assignment_changes,
    extension_words,
    reading_changes,
    reminder_words,
    setting,
    switch,
    timing,
    value_words,
    words,
)
from judge.mails.templates import day_and_clock
from judge.rules import PhaseKind, Variant, counted, listed
from judge.rules.board.names import word_set
from judge.rules.game_options import GameOptions
from judge.rules.mechanisms.crossings import Canals
from judge.rules.mechanisms.victory import Victory
from judge.store.tables import Game, Phase

# The beginning and end of an absence, in UTC. A deadline between them moves to the end.
Span = tuple[datetime, datetime]


@dataclass(frozen=True)
class Terms:
    """The four moments of a phase, in UTC."""

    opened_at: datetime
    earliest_at: datetime
    deadline_at: datetime
    grace_ends_at: datetime


# {the field with a timing: the kind of phase that has it}.
TIMINGS: dict[str, PhaseKind] = {"move": "M", "retreat": "R", "adjust": "A"}
# Players whose orders have been due in fewer phases than this may join even a game with SET RELIABILITY.
ENOUGH_PHASES = 10
_OF_ONE_GAME = ("seed", "disorder", "holders", "about", "extended", "quiet_since", "rematch", "first_start")
_REVEALED = (
    "all bids of Diplomacy Points are {} after the game; once it has started, every player has to send this in the "
    "same phase"
)
_PRESS = r"(PRESS\s?[:=\s]\s?)?({})(\s+PRESS)?"


def _start_words(start: str) -> str:
    return f"{datetime.fromisoformat(start):%a %b %-d %Y %H:%M}"


@dataclass(frozen=True)
class GameSettings:
    """The settings of one game.

    `seed` decides who gets which power, and is recorded for appeals. `disorder` lists the powers in permanent civil
    disorder. `borders` lists the corrections of the board (judge/rules/game_options.py), oldest first. Once the game
    has begun, `holders` gives the group of each power whose group the variant does not give. `about` has the lines of
    the longer comment. `extended` says how often each power was given more time. `quiet_since` is when the game became
    quiet, or "" if it was quiet from the start. `denied` lists the addresses of people who are kept out (DENY).
    `rematch` is the name of the game where its players play again. In a rematch, `before` gives the id of the person
    who had each power in the earlier game.
    """

    seed: int = 0
    disorder: Sequence[str] = ()
    borders: Sequence[str] = ()
    holders: Mapping[str, str] = field(default_factory=dict)
    about: Sequence[str] = ()
    extended: Mapping[str, int] = field(default_factory=dict)
    quiet_since: str = ""
    denied: Sequence[str] = ()
    rematch: str = ""
    before: Mapping[str, int] = field(default_factory=dict)

    gunboat: bool = switch(
        False, "gunboat", r"(VARIANT\s+)?GUNBOAT",
        "Gunboat: only the master knows who plays what.",
        "No gunboat: the players will know each other's names and addresses.", forming="on off", ruled="on",
        lasting=True,
    )  # fmt: skip

    move: Timing = timing(
        MOVE, "moves", "Movement", "MOVE",
        "length of later movement phases: NEXT, GRACE, MIN, DELAY in hours, CLOCK 21:00, DAYS -MTWTF- "
        "(Monday to Friday)",
    )  # fmt: skip
    retreat: Timing = timing(RETREAT, "retreats", "Retreats", "RETREAT", "the same for retreats")
    adjust: Timing = timing(ADJUST, "builds", "Adjustments", "ADJUST, BUILD", "the same for builds and removals")
    # A change in either direction does more than give players time, so the setting has no `gives_time`.
    nmr: bool = setting(
        True, lambda nmr: "NMR: when grace ends, phases are processed without the missing orders." if nmr
        else "NoNMR: powers still late when grace ends become open to replacements, and the phase waits.", "NoNMR",
        Form("NMR, CD", "when grace ends, the phase is processed without the missing orders", value=True),
        Form(
            "NONMR, NO NMR, NOCD, NO CD",
            "when grace ends, late powers are opened to replacements, and the phase waits", value=False,
        ),
        clock=True,
    )  # fmt: skip
    strict_grace: bool = setting(
        False, lambda strict: f"Grace ends {'exactly on time, on any day' if strict else 'on days with deadlines'}.",
        "grace ends exactly on time",
        Form("STRICTGRACE, STRICT GRACE", "grace ends exactly on time, even on a day without deadlines", value=True),
        Form(
            "NO STRICTGRACE, NOSTRICTGRACE, NOT STRICTGRACE, NO STRICT GRACE",
            "grace ends only on days with deadlines", value=False,
        ),
        part="clock", clock=True, gives_time=gt,
    )  # fmt: skip
    # Hours before a deadline. One reminder is a day before, for players who read their email once a day. The other is
    # four hours before, since a retreat phase of 23 hours is shorter than a day.
    remind: Sequence[float] = setting(
        (24, 4), reminder_words, lambda hours: "no reminders" if not hours
        else f"reminders {listed(f'{one:g}' for one in hours)} hours before a deadline",
        Form(
            "REMIND, WARN", "how many hours before a deadline players are reminded of missing orders",
            "<hours> [<hours> …]",
        ),
        Form("NO REMIND, NOREMIND, NO WARN", "send no reminders", value=()),
        part="clock", clock=True,
    )  # fmt: skip
    # OFF is not accepted, since it could mean that no absence is allowed, or that any is.
    max_absence: int = setting(
        15, "An absence can last up to {} days.", "absences of at most {} days",
        Form(
            "MAXABSENCE, MAX ABSENCE", "the longest absence that players can set", "<days>", most=31,
            refusal="An absence can last up to 31 days, not {}. For example, write SET MAXABSENCE 15.",
        ),
        part="clock", clock=True,
    )  # fmt: skip

    # The earliest time to process the first phase: an ISO date with the offset of the game's time zone.
    first_start: str = setting(
        "", lambda start: f"The first phase won't be processed before {_start_words(start)}." if start
        else "The first phase has no START time now.", lambda start: f"first phase not before {_start_words(start)}",
        gives_time=lt,
    )  # fmt: skip

    white_press: bool = setting(True, flags=(
        Flag(_PRESS.format("WHITE"), {"white_press": True, "grey_press": False}, "Press is white: signed."),
        Flag(_PRESS.format("GR[EA]Y"), {"white_press": False, "grey_press": True}, "Press is grey: unsigned."),
        Flag(
            _PRESS.format("WHITE/GR[EA]Y|GR[EA]Y/WHITE"), {"white_press": True, "grey_press": True},
            "Press may be white (signed) or grey (unsigned).",
        ),
        Flag(
            r"NO\s*PRESS|NONE", {"white_press": False, "grey_press": False},
            "There is no press. PRESS TO M still reaches the master.",
        ),
    ))  # fmt: skip
    grey_press: bool = setting(False)
    partial_press: bool = switch(
        True, "broadcasts only", _PRESS.format("PARTIAL"),
        "Press can be sent to some powers only.", "Press goes to everyone in the game.", part="press",
    )  # fmt: skip
    rulebook_press: bool = switch(
        False, "none in retreats and builds", _PRESS.format("RULEBOOK"),
        "Only movement phases have press.", "All phases have press.", part="press",
    )  # fmt: skip
    # The blank is optional, since njudge wrote OBSERVERPRESS.
    observer_press: bool = setting(True, "", "none from observers", part="press", flags=(
        Flag(
            r"OBSERVER\s*PRESS(\s+ANY)?|ANY\s+OBSERVER\s*PRESS", {"observer_press": True, "observer_grey": True},
            "Observers may write press.",
        ),
        Flag(
            r"OBSERVER\s*PRESS\s+WHITE|WHITE\s+OBSERVER\s*PRESS", {"observer_press": True, "observer_grey": False},
            "Observers may write white press only.",
        ),
        Flag(rf"{NOT}OBSERVER\s*PRESS", {"observer_press": False}, "Observers may not write press."),
    ))  # fmt: skip
    observer_grey: bool = setting(True, "", "signed only from observers", part="press", needs="observer_press")
    late_press: bool = switch(
        True, "none from late players", r"LATE\s*PRESS",
        "Players who are late may write press.", "Players who are late may write press to the master only.",
        part="press",
    )  # fmt: skip
    grace_press: bool = switch(
        True, "none while others are late", r"GRACE\s*PRESS",
        "Press continues while others are late.", "There is no press while others are late.", part="press",
    )  # fmt: skip

    dias: bool = switch(
        True, "NoDIAS", "DIAS",
        "Draws include all survivors.", "Draws may leave survivors out: each vote lists the powers.",
    )  # fmt: skip
    concessions: bool = switch(
        True, "no concessions", "CONCESSIONS?",
        "The game may be conceded to the largest power.", "There are no concessions.",
    )  # fmt: skip
    reveal: bool = switch(
        True, "names never revealed", "REVEAL",
        "When a gunboat game ends, all players learn who played what.",
        "When a gunboat game ends, no one learns who played what.", forming="on", needs="gunboat",
    )  # fmt: skip
    quiet: bool = switch(
        False, "quiet", "QUIET",
        "Quiet: only the master learns who joins, leaves or is late.",
        "Not quiet: all players learn who joins, leaves or is late.", ruled="on",
    )  # fmt: skip
    listed: bool = switch(
        True, "not listed", "LIST(ED)?|PUBLIC",
        "LIST shows the game to everyone.", "LIST shows the game only to the people in it.",
        opposite="UNLIST(ED)?|PRIVATE",
    )  # fmt: skip
    approval: bool = switch(
        False, "master approves who joins", "APPROVAL",
        "To join, a player needs the master's approval.", "Any registered player may join.", ruled="on",
    )  # fmt: skip
    manual_start: bool = switch(
        False, "", r"MANUAL\s*START",
        "The game starts when its master sends FORCE BEGIN.",
        "The game starts as soon as its last player has joined.", opposite=r"AUTO\s*START",
    )  # fmt: skip
    reveal_bids: bool = setting(
        False, lambda revealed: "All bids of Diplomacy Points will be made public after the game." if revealed
        else "Only the master sees who bids Diplomacy Points, even after the game.",
        "bids revealed after the end",
        Form("REVEAL BIDS", _REVEALED.format("made public"), value=True),
        Form("NO REVEAL BIDS, NOREVEAL BIDS", _REVEALED.format("kept secret"), value=False),
    )  # fmt: skip
    strict_passwords: bool = switch(
        False, "password always needed", r"STRICT\s*PASSWORDS?",
        "Every sign-on needs the password, even for players who chose to play without it.",
        "Players may choose to play without their password (HELP SET PASSWORDLESS).", lasting=True,
    )  # fmt: skip
    any_centers: bool = setting(False, "", "builds in any center", flags=(
        Flag(
            r"ANY\s*CENT(RE|ER)S?", {"any_centers": True, "one_center": False},
            "A power can build in any vacant center it owns.", forming=True,
        ),
        Flag(
            r"ONE\s*CENT(RE|ER)S?", {"any_centers": False, "one_center": True},
            "A power can build in any vacant center it owns, as long as it owns one of its home centers.",
            forming=True,
        ),
        Flag(
            rf"HOME\s*CENT(RE|ER)S?|{NOT}(ANY|ONE)\s*CENT(RE|ER)S?", {"any_centers": False, "one_center": False},
            "Builds follow the rules of the variant.", forming=True,
        ),
    ))  # fmt: skip
    one_center: bool = setting(False, "", "builds in any center while it owns a home center")
    # The creator of such a game is its master and plays all its powers. The game has no deadlines.
    solo: bool = setting(False, "", "for one person, who orders for all powers")
    manual_process: bool = switch(
        False, "processed only by the master", r"MANUAL\s*PROCESS",
        "A phase is processed only when the master sends PROCESS.", "Phases are processed automatically.",
        opposite=r"AUTO\s*PROCESS", ruled="on", clock=True,
    )  # fmt: skip
    strict_wait: bool = switch(
        False, "WAIT only for those who have something to order", r"STRICT\s*WAIT",
        "Only players who have something to order can set WAIT.", "All players can set WAIT.",
    )  # fmt: skip
    # Players of an unmoderated game may do most acts of a master, some of them only together
    # (judge/games/core/acts.py).
    unmoderated: bool = switch(
        False, "unmoderated (players can also change settings)", "UNMODERATED",
        "Not moderated: players can also change settings and deadlines.",
        "Moderated: only the master can change settings and deadlines.", opposite="MODERATED", ruled="off",
        lasting=True,
    )  # fmt: skip
    late_count: bool = switch(
        False, "", r"LATE\s*COUNT",
        "LIST shows how often each power was late.", "LIST does not show how often powers were late.",
    )  # fmt: skip
    extensions: int = setting(
        0,
        lambda times: extension_words(times) if times else "There are no extensions for late players.",
        lambda times: f"{counted(times, 'extension')} for each late player",
        Form(
            "EXTENSIONS, EXTENSION",
            "how many times a deadline is extended for each late player, before grace and NMR apply; 0: never",
            "<times>", most=20, refusal="A player can have from 0 to 20 extensions.",
        ),
        gives_time=lt,
    )  # fmt: skip
    reliability: int = setting(
        0, lambda percent: f"To join, players must be at least {percent}% reliable, or have played fewer than "
        f"{ENOUGH_PHASES} phases." if percent else "Anyone can join, however reliable.",
        "only players who are at least {}% reliable may join",
        Form(
            "RELIABILITY", "how reliable players must be to join, in percent (INFO PLAYER), if orders were due from "
            "them in ten phases or more; 0: anyone can join",
            "<percent>", most=100, refusal="Players are from 0% to 100% reliable.",
        ),
    )  # fmt: skip
    # {power: its group}, for the powers for which the master has named a group.
    fixed: Mapping[str, str] = setting(
        dict, "", lambda fixed: ", ".join(f"{power} goes to {group}" for power, group in fixed.items()),
        Form(
            "GROUP, ASSIGN", "before the game starts: give a player's color one or more of the powers that are drawn; "
            "with RANDOM as the color, draw these powers again", "<power> <color> | <color>: <power>, <power>, …",
        ),
        changed=assignment_changes,
    )  # fmt: skip
    # The years in which canals open, if the master has changed them.
    canals: Mapping[str, int] = setting(
        dict, "", lambda canals: ", ".join(f"{canal} opens in {year}" for canal, year in canals.items()),
        Form("CANAL, SUEZ", "before the game starts: the year in which a canal opens", "<name> <year>"),
        changed=lambda variant, before, after: (
            f"{variant.provinces[canal].name} opens in the Spring of {after.get(canal, year)} (was "
            f"{before.get(canal, year)})."
            for canal, year in variant.canals.items() if after.get(canal) != before.get(canal)
        ),
    )  # fmt: skip
    readings: Sequence[str] = setting(
        (), "", lambda names: ", ".join(f"reading {name}" for name in names),
        Form(
            "READING", "before the game starts: use another published reading of the rules (GET RULES <variant> lists "
            "them)", "<name>", True,
        ),
        Form("NO READING", "before the game starts: no longer use that reading", "<name>", False),
        changed=reading_changes,
    )  # fmt: skip
    year_cap: int | None = setting(
        None,
        lambda year: f"{year} is the last year. If no one has won by its end, the game is a draw of all survivors."
        if year else "There is no last year.", "{} is the last year",
        Form(
            "YEAR CAP, YEARCAP",
            "before the game starts: the last year; if no one has won by the end of that year, all survivors draw",
            "<year>",
        ),
        Form("NO YEAR CAP, NO YEARCAP", "before the game starts: have no last year"),
    )  # fmt: skip
    # The number of centers that wins. None means the variant's number.
    victory: int | None = setting(
        None, "", "", Form("CENTERS, CENTRES, CENTER", "how many supply centers win", "<number>"),
        changed=lambda variant, before, after: [
            f"{after or variant.victory} centers win (was {before or variant.victory})."
        ],
    )  # fmt: skip

    def __post_init__(self) -> None:
        # JSON turns tuples into lists. They are turned back, so that settings compare equal to the defaults above.
        for name, value in vars(self).items():
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))

    @cached_property
    def house_rules(self) -> GameOptions:
        """Return the differences between the game's variant and the variant's file."""
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
        """Return the timing of phases of that kind."""
        return {"M": self.move, "R": self.retreat, "A": self.adjust}[kind]

    def to_json(self) -> dict[str, Any]:
        """Return the settings in the form kept in the database."""
        values = asdict(self).items()
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GameSettings":
        """Return the settings kept as `data`, with the default for each missing setting."""
        given: dict[str, Any] = {one.name: data[one.name] for one in fields(cls) if one.name in data}
        given |= {kind: Timing(**data[kind]) for kind in TIMINGS if kind in data}
        return cls(**given)


def settings_of(game: Game) -> GameSettings:
    """Return the current settings of `game`, parsed again only after a change.

    Code must replace `game.settings`, and never change it in place. A change in place is not noticed.
    """
    known = inspect(game).info
    if known.get("text") != game.settings:
        known.update(text=game.settings, settings=GameSettings.from_json(game.settings))
    settings: GameSettings = known["settings"]
    return settings


def change_settings(game: Game, **changes: Any) -> None:
    """Change these settings of `game`."""
    game.settings = replace(settings_of(game), **changes).to_json()


def settle_like(game: Game, other: Game, **changes: Any) -> None:
    """Give `game` the settings of `other` with these changes, except settings about one game only."""
    kept = {name: getattr(settings_of(game), name) for name in _OF_ONE_GAME}
    game.settings = replace(settings_of(other), **kept, **changes).to_json()


# {setting: its entry in the registry}.
SAID: dict[str, Said] = {one.name: one.metadata["said"] for one in fields(GameSettings) if one.metadata}
# {setting: its flags}. A flag can also change a second setting: ANY CENTERS turns off ONE CENTER.
FLAGS: dict[str, list[Flag]] = {
    name: [replace(flag, values={key or name: value for key, value in flag.values.items()}) for flag in said.flags]
    for name, said in SAID.items()
}
_USUAL = GameSettings()
# The settings that have an effect in a game of one person.
FOR_ONE = word_set("listed strict_passwords any_centers one_center fixed canals readings year_cap victory")
# The names in LIST of the parts about phases of each kind.
TIMED: Mapping[PhaseKind, str] = {"M": "Moves", "R": "Retreats", "A": "Builds"}


def change_words(
    variant: Variant, before: GameSettings, after: GameSettings, changed: Mapping[str, str]
) -> Iterator[str]:
    """Yield sentences on the settings that have changed, in the order of `changed`.

    `variant` is the published variant. `changed` gives, for each setting, the text before its sentence. A setting that
    was changed and then changed back has no sentence.
    """
    grace = after.move.grace
    timings = {kind: getattr(before, kind) for kind in TIMINGS}
    moved = [kind for kind, timing in timings.items() if timing.grace != getattr(after, kind).grace]
    if len(moved) > 1 and grace == after.retreat.grace == after.adjust.grace:
        yield f"Grace is {value_words('grace', grace)} in all later phases."
        # A change to grace that is the same for all kinds of phases gets only one sentence.
        same: dict[str, Any] = {kind: replace(timing, grace=grace) for kind, timing in timings.items()}
        before = replace(before, **same)
    for name, why in changed.items():
        lines = _changes_of(variant, name, vars(before), vars(after))
        yield from (why + line for line in lines if line)


def _changes_of(variant: Variant, name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[str]:
    names = {name, *(key for flag in FLAGS[name] for key in flag.values)}
    if all(before[key] == after[key] for key in names):
        return ()
    said = SAID[name]
    if said.changed:
        return said.changed(variant, before[name], after[name])
    for flag in FLAGS[name]:
        if flag.values.items() <= after.items():
            return (flag.sentence,)
    return (words(said.says, after[name]),)


# The meanings of abbreviations among the options, for newcomers.
SIGNS = {
    "NMR": "phases do not wait for late orders after grace",
    "NoNMR": "phases wait for late orders",
    "NoDIAS": "draws may leave survivors out",
}


def _unusual(settings: GameSettings, part: str) -> list[str]:
    return [
        words(said.unusual, getattr(settings, name))
        for name, said in SAID.items()
        if said.unusual and said.part == part and getattr(settings, name) != getattr(_USUAL, name)
        and (not said.needs or getattr(settings, said.needs))
    ]  # fmt: skip


def press_words(settings: GameSettings) -> str:
    """Return the kinds of press in words, such as `white or grey press, broadcasts only` or `no press`."""
    colours = ["white"] * settings.white_press + ["grey"] * settings.grey_press
    return ", ".join([f"{' or '.join(colours)} press", *_unusual(settings, "press")]) if colours else "no press"


def option_words(settings: GameSettings, disorder: Sequence[str]) -> list[str]:
    """Return words for the unusual settings of a game, except settings about press.

    `disorder` lists the powers in permanent civil disorder that the reader may know of.
    """
    return [*_unusual(settings, "options"), *(f"{power} in civil disorder" for power in disorder)]


def in_plain_words(options: Iterable[str], told: set[str]) -> list[str]:
    """Return the options, with the meanings of abbreviations that are not in `told`.

    The options are added to `told`, so that an email explains an abbreviation only once.
    """
    said = [f"{one} ({SIGNS[one]})" if one in SIGNS.keys() - told else one for one in options]
    told.update(options)
    return said


def _grace_with_dates(settings: GameSettings, phase: Phase, zone: str, now: datetime | None) -> str:
    due, until = (day_and_clock(moment, zone) for moment in (phase.deadline_at, phase.grace_ends_at))
    if now and phase.deadline_at <= now:
        return f"Grace ends {until}."
    if settings.extensions:
        return f"The deadline is {due}. Unless it is extended, grace ends {until}."
    return f"The deadline is {due}. Grace for late orders ends {until}."


def late_words(
    settings: GameSettings, phase: Phase | None = None, zone: str = "UTC", now: datetime | None = None
) -> str:
    """Return sentences on what happens to late players.

    If a phase is open and its clock is running, `phase` is that phase, and the sentences give dates.
    """
    if settings.solo:
        return "There are no deadlines: its master processes each phase with PROCESS."
    if settings.manual_process:
        return "A phase is processed only when the master sends PROCESS (ManualProcess)."
    sentences = [extension_words(settings.extensions)] if settings.extensions else []
    if not phase:
        end = _end_of_grace(settings)
    elif phase.grace_ends_at == phase.deadline_at:
        end = ""
    else:
        end = "When grace ends,"
        sentences.append(_grace_with_dates(settings, phase, zone, now))
    end = end or ("At a deadline that is not extended" if settings.extensions else "At the deadline")
    if settings.nmr:
        sentences.append(
            f"{end} the phase is processed without the missing orders (NMR). Units without orders then hold, and "
            "dislodged units disband."
        )
    else:
        sentences.append(
            f"{end} powers that are still late become open to replacements, and the phase waits for them (NoNMR)."
        )
    return " ".join(sentences)


def _end_of_grace(settings: GameSettings) -> str:
    """Return the beginning of a sentence on when the grace of movement phases ends, or "" if they have none."""
    timing = settings.move
    if not timing.grace:
        return ""
    is_exact = settings.strict_grace or timing.grace_is_exact
    later = "" if is_exact else " (or at the next time allowed)"
    return f"When grace ends, {value_words('grace', timing.grace)} after the deadline{later},"


def conduct(variant: Variant, settings: GameSettings, late: str) -> list[str]:
    """Return sentences on what all players should know before the first order.

    The sentences explain the condition to win, special rules of this board, and the years in which its canals open. The
    last ones are the rule for late players (`late`) and the settings of the game. A sentence that does not apply is "".
    """
    terms, canals = variant.rule(Victory), variant.rule(Canals)
    chosen = [
        press_words(settings),
        *in_plain_words(option_words(settings, ()), {"NoNMR"}),
        *_unusual(settings, "clock"),
    ]
    return [
        " ".join(terms.sentences(variant)) if terms else "",
        variant.special,
        " ".join(canals.sentences(variant)) if canals else "",
        late,
        f"Settings: {('; ' if any(', ' in one for one in chosen) else ', ').join(chosen)}.",
    ]
