"""The entries of the registry of settings: the words after SET, the sentence about a change, the words in LIST."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from judge.rules import Variant
from judge.rules.board.names import by_number, counted, listed
from judge.rules.variant.variant import Readings

_NOON = 12 * 60
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Sentences added when these values of a timing are set.
_EXPLAINED = {
    "min": " No such phase ends sooner after it has opened, even if all orders are in.",
    "delay": " When the last missing order has arrived, such a phase waits that long, at most until its deadline.",
}

# Either a text with {} for the value, or a function that makes the text from the value.
Sentence = str | Callable[[Any], str]


@dataclass(frozen=True)
class Timing:
    """The length of a phase: `next`, `min`, `grace` in hours; `clock` in minutes after midnight or -1.

    `days` has a letter per day from Sunday: `-` closed, capital open, lower case open from noon. `delay`: hours from
    the last missing order to an early end; None: the keeper's setting for all games. Raises ValueError if `days` does
    not have seven days, or if none is open at the time of `clock`.
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
        open_at_noon = self.clock < 0 or self.clock >= _NOON
        if not any(day.isupper() or (day.islower() and open_at_noon) for day in self.days):
            raise ValueError("DAYS allows no deadline at that time of day")

    @property
    def grace_is_exact(self) -> bool:
        """Return whether grace always ends exactly its hours after a deadline: neither DAYS nor CLOCK delays it."""
        return self.days.isalpha() and self.days.isupper() and (self.clock < 0 or self.grace % 24 == 0)

    @property
    def of_first_phase(self) -> "Timing":
        """Return the timing for a game's first phase: twice as long, so that people find time to begin talking."""
        return replace(self, next=2 * self.next)


MOVE = Timing(next=71, clock=1410, min=0, grace=0, days="-MTWTF-")
RETREAT = Timing(next=23, clock=-1, min=0, grace=0, days="-mTWTF-")
ADJUST = RETREAT


@dataclass(frozen=True)
class Flag:
    """Words that set a value, the value that they set, and the sentence by which all players are notified.

    `pattern`: the words after SET. `forming`: allowed only before the game begins, since people joined on that
    condition. `moderated`: allowed only in a game with a master, who knows or decides things that players do not.
    """

    pattern: str
    values: Mapping[str, bool]
    sentence: str
    forming: bool = False
    moderated: bool = False


@dataclass(frozen=True)
class Form:
    """A way to write a setting that has a separate line in HELP; the command itself does not depend on it."""

    # The spellings after SET, separated by commas, the preferred one first.
    names: str
    help: str
    # The kind of the arguments, which decides how they are read (judge/commands/core/setting_kinds.py).
    arguments: str = ""
    # The value to set if there are no arguments; for a choice, True adds the choice and False removes it.
    value: Any = None
    # The limit of a number, and the sentence if a number exceeds it.
    most: int = 0
    refusal: str = ""


@dataclass(frozen=True)
class Said:
    """Everything about a setting except its default, and except who may change it (acts.py)."""

    # The sentence that all players read when the setting changes.
    says: Sentence = ""
    # The words in `part` of the game's entry in LIST, shown if the value differs from the value in most games.
    unusual: Sentence = ""
    # Whether the clock of the open phase depends on the setting, so that a change acts at once, not from the next phase
    # on.
    clock: bool = False
    # Whether a change is refused in a letter that our mail server reports as forged.
    lasting: bool = False
    # The words that set the setting, with their sentences, and the forms that are separate commands.
    flags: tuple[Flag, ...] = ()
    forms: tuple[Form, ...] = ()
    # Makes sentences from the variant as its files have it, and from the values before and after the change.
    changed: Callable[[Variant, Any, Any], Iterable[str]] | None = None
    # Whether a change from one value to another only gives players more time.
    gives_time: Callable[[Any, Any], bool] | None = None
    part: str = "options"
    # LIST does not mention this setting in games in which the setting of this name is off.
    needs: str = ""


def setting(default: Any, says: Sentence = "", unusual: Sentence = "", *forms: Form, **more: Any) -> Any:
    """Return a field with its entry in the registry; the arguments are those of `Said`."""
    said = {"said": Said(says, unusual, forms=forms, **more)}
    return field(default_factory=dict, metadata=said) if default is dict else field(default=default, metadata=said)


# Words that negate a setting, before its name (NO MAP) or after it (MAP OFF); and words after it that change nothing.
NOT = r"(NO|NOT)\s*"
OFF, ON = ("OFF", "NO", "NONE"), ("ON", "YES")


def negated(words: str) -> tuple[str, ...]:
    """Return the patterns for the words of a setting: as they are, and in the forms that reverse their meaning."""
    return (words, f"NO {words}", f"NOT {words}", f"NO{words}")


def switch(words: str, on: str, off: str, *, opposite: str = "(?!)", forming: str = "", ruled: str = "") -> Any:
    """Return the flags of an on/off setting: the words for on, the words for off, and both sentences.

    `forming`: the values ("on off") that can be set only before the game begins; `ruled`: the value that needs a
    master.
    """
    return tuple(
        Flag(rf"{own}|{NOT}({other})", {"": how == "on"}, sentence, how in forming, how == ruled)
        for how, own, other, sentence in (("on", words, opposite, on), ("off", opposite, words, off))
    )


def timing(default: Timing, part: str, title: str, names: str, help: str) -> Any:
    """Return the field for the timing of one kind of phase: LIST's name for it, and the sentences about a change."""
    return setting(
        default, "", lambda timing: f"{part} {timing_words(timing)}", Form(names, help, "<key> <value> …"),
        part="clock", clock=True, changed=partial(timing_changes, title), gives_time=_lasts_longer,
    )  # fmt: skip


def _lasts_longer(before: Timing, after: Timing) -> bool:
    """Return whether no phase gets shorter; False if CLOCK, DAYS or DELAY differ, which may shorten some phases."""
    is_same = (before.clock, before.days, before.delay) == (after.clock, after.days, after.delay)
    return is_same and before.next <= after.next and before.min <= after.min and before.grace <= after.grace


def timing_words(timing: Timing) -> str:
    """Return a timing in words: `71 hours, then 23:30, Monday to Friday, grace 24 hours`."""
    told = [value_words("next", timing.next)]
    days = timing.days
    if timing.clock >= 0:
        told.append(f"then {value_words('clock', timing.clock)}")
        # CLOCK already says in which half of the day a deadline is.
        days = days.upper() if timing.clock >= _NOON else re.sub("[a-z]", "-", days)
    told.append(days_words(days))
    if timing.min:
        told.append(f"never in the first {value_words('min', timing.min)}")
    if timing.delay is not None:
        told.append(f"processed {value_words('delay', timing.delay)} after the last order")
    if timing.grace:
        told.append(f"grace {value_words('grace', timing.grace)}")
    return ", ".join(told)


def days_words(days: str) -> str:
    """Return days in words: `Monday to Friday, Mondays only after noon` for -mTWTF-."""
    from_monday = days[1:] + days[0]
    named = [name for name, sign in zip(_DAYS, from_monday, strict=True) if sign != "-"]
    told = "every day" if len(named) == len(_DAYS) else listed(_spans(from_monday))
    halved = [f"{name}s" for name, sign in zip(_DAYS, from_monday, strict=True) if sign.islower()]
    if not halved:
        return told
    return f"{told}, only after noon" if len(halved) == len(named) else f"{told}, {listed(halved)} only after noon"


def _spans(from_monday: str) -> Iterator[str]:
    """Yield the open days as spans: `Monday to Friday`. A span may cross the end of the week."""
    last = from_monday[-1]
    for first, sign in enumerate(from_monday):
        if sign != "-" and last == "-":
            length = len((from_monday[first:] + from_monday[:first]).partition("-")[0])
            names = [_DAYS[(first + number) % len(_DAYS)] for number in range(length)]
            yield from [f"{names[0]} to {names[-1]}"] if length > 2 else names
        last = sign


def timing_changes(phases: str, variant: Variant, before: Timing, after: Timing) -> Iterator[str]:
    """Yield a sentence on each changed value of a timing, such as `Movement NEXT: 48 hours (was 71 hours).`."""
    for key, value in vars(before).items():
        if value != getattr(after, key):
            old, new = (value_words(key, one) for one in (value, getattr(after, key)))
            why = _EXPLAINED.get(key, "") if getattr(after, key) else ""
            yield f"{phases} {key.upper()}: {new} (was {old}).{why}"
    if after.min > after.next and (before.min, before.next) != (after.min, after.next):
        least = value_words("min", after.min)
        yield f"{phases} MIN is longer than NEXT, so no deadline is less than {least} after its phase has opened."


def value_words(key: str, value: Any) -> str:
    """Return a value of a timing as people write it."""
    if value is None:
        return "this judge's default"
    if key == "clock":
        return f"{value // 60:02}:{value % 60:02}" if value >= 0 else "none"
    return days_words(value) if key == "days" else f"{value:g} {by_number(value, 'hour', 'hours')}"


def extension_words(times: int) -> str:
    """Return a sentence on the effect of SET EXTENSIONS."""
    often = by_number(times, "once", counted(times, "time"))
    return (
        "If orders are missing at a deadline, it is extended by the usual length of that phase, at most "
        f"{often} per late player in this game."
    )


def words(says: Sentence, value: Any) -> str:
    """Return the words for a value: the text with the value in it, or the result of the function."""
    return says.format(value) if isinstance(says, str) else says(value)


def assignment_changes(variant: Variant, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences on which powers are assigned to which group now, and which are drawn again."""
    for group in dict.fromkeys([*after.values(), ""]):
        powers = [power for power in {**after, **before} if after.get(power, "") == group != before.get(power, "")]
        several = len(powers) > 1
        if powers and group:
            yield f"{listed(powers)} {'go' if several else 'goes'} to {group}."
        elif powers:
            yield f"{listed(powers)} {'are' if several else 'is'} drawn."


def reading_changes(variant: Variant, before: Collection[str], after: Collection[str]) -> Iterator[str]:
    """Yield sentences on which other readings of the rules are used now, and which are no longer used."""
    known = variant.mechanism(Readings).known
    yield from (known[name].says for name in after if name not in before)
    yield from (f"This reading is no longer used: {known[name].says}" for name in before if name not in after)


def reminder_words(hours: Collection[float]) -> str:
    """Return when players who owe orders are reminded."""
    if not hours:
        return "There are no reminders."
    return f"Reminders go out {listed(value_words('next', number) for number in hours)} before a deadline."
