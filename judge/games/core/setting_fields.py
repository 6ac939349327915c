"""The types of entries in the registry of settings (settings.py), and the sentences about values of settings."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from judge.rules import Variant, by_number, counted, listed
from judge.rules.variant.variant import Readings

_NOON = 12 * 60
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Sentences to add to a notice if these values of a timing have been set.
_EXPLAINED = {
    "min": " A phase is not processed before that time, even if all orders are in.",
    "delay": " After the last missing order, a phase waits for that time, but not beyond its deadline.",
}

# A text with {} in place of the value, or a function that makes the text from the value.
Sentence = str | Callable[[Any], str]


@dataclass(frozen=True)
class Timing:
    """The length of a phase, and the days and the time of day at which it can end.

    `next`, `min`, `grace` and `delay` are in hours. `clock` is in minutes after midnight, or -1 for any time of day.
    `days` has one character for each day, from Sunday on. A capital is a day with deadlines, `-` a day without. A
    lowercase letter is a day with deadlines from noon. `delay` is the time from the last missing order to an early end.
    If it is None, the keeper's setting for all games applies. Raises ValueError if `days` does not have seven days, or
    if none has deadlines at `clock`.
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
        """Return whether the end of grace is never delayed by DAYS or CLOCK."""
        return self.days.isalpha() and self.days.isupper() and (self.clock < 0 or self.grace % 24 == 0)

    @property
    def of_first_phase(self) -> "Timing":
        """Return the timing of a game's first phase, which is twice as long so that talks can begin."""
        return replace(self, next=2 * self.next)


MOVE = Timing(next=71, clock=1410, min=0, grace=0, days="-MTWTF-")
RETREAT = Timing(next=23, clock=-1, min=0, grace=0, days="-mTWTF-")
ADJUST = RETREAT


@dataclass(frozen=True)
class Flag:
    """Words that change a setting, with the new values and the sentence that notifies all players.

    `pattern` is the pattern of the words after SET. If `forming` is true, the words are allowed only before the game
    begins, since people joined on that condition. If `moderated` is true, the words are allowed only in a game with a
    master. Such a master knows or decides things that players do not.
    """

    pattern: str
    values: Mapping[str, bool]
    sentence: str
    forming: bool = False
    moderated: bool = False


@dataclass(frozen=True)
class Form:
    """A way to write a setting that has its own line in HELP."""

    # The spellings after SET, separated by commas. The preferred one is the first.
    names: str
    help: str
    # The arguments as HELP shows them. They decide how the value is read (judge/commands/core/setting_kinds.py).
    arguments: str = ""
    # The value to set if there are no arguments. For a choice, True adds the choice and False removes it.
    value: Any = None
    # The limit of a number, and the sentence in reply to a larger number.
    most: int = 0
    refusal: str = ""


@dataclass(frozen=True)
class Said:
    """The entry of a setting in the registry, without its default and the people who may change it (acts.py)."""

    # The sentence that all players read when the setting has changed.
    says: Sentence = ""
    # The words in LIST if the value differs from the value in most games. LIST shows these words in its part named
    # `part`.
    unusual: Sentence = ""
    # True if a change affects the clock of the open phase, and not only the clocks of later phases.
    clock: bool = False
    # True if a change is refused in an email that the judge's mail server reports as forged.
    lasting: bool = False
    # The words that change the setting: as flags, and as forms with their own lines in HELP.
    flags: tuple[Flag, ...] = ()
    forms: tuple[Form, ...] = ()
    # A function that returns sentences on a change, given the published variant and the values before and after.
    changed: Callable[[Variant, Any, Any], Iterable[str]] | None = None
    # A function that returns whether a change from one value to another only gives players more time.
    gives_time: Callable[[Any, Any], bool] | None = None
    part: str = "options"
    # The name of another setting. In games where that setting is off, LIST does not mention this one.
    needs: str = ""


def setting(default: Any, says: Sentence = "", unusual: Sentence = "", *forms: Form, **more: Any) -> Any:
    """Return a field with a default and an entry in the registry, made from the arguments of `Said`."""
    said = {"said": Said(says, unusual, forms=forms, **more)}
    return field(default_factory=dict, metadata=said) if default is dict else field(default=default, metadata=said)


# The words before a setting that negate it (NO MAP).
NOT = r"(NO|NOT)\s*"
# The words after a setting that negate it (MAP OFF), and those that change nothing (MAP ON).
OFF, ON = ("OFF", "NO", "NONE"), ("ON", "YES")


def negated(words: str) -> tuple[str, ...]:
    """Return the pattern `words` of a setting, and the patterns with NO or NOT before it."""
    return (words, f"NO {words}", f"NOT {words}", f"NO{words}")


def switch(
    default: bool, unusual: str, words: str, *says: str, opposite: str = "(?!)", forming: str = "", ruled: str = "",
    **more: Any,
) -> Any:  # fmt: skip
    """Return the field of an on/off setting with its two flags.

    `unusual` and `more` are arguments of `Said`. `words` matches the words for on, which mean off after NO. `opposite`
    matches words for off, such as PRIVATE, which mean on after NO. `says` has the sentences for all players, of on and
    of off. `forming` lists the values ("on off") that can be set only before the game begins. `ruled` is the value that
    needs a master.
    """
    flags = tuple(
        Flag(rf"{own}|{NOT}({other})", {"": how == "on"}, sentence, how in forming, how == ruled)
        for how, own, other, sentence in zip(("on", "off"), (words, opposite), (opposite, words), says, strict=True)
    )
    return setting(default, "", unusual, flags=flags, **more)


def timing(default: Timing, part: str, title: str, names: str, help: str) -> Any:
    """Return the field for the timing of one kind of phase.

    LIST calls the phases `part`, and sentences about a change call them `title`. `names` and `help` are for HELP.
    """
    return setting(
        default, "", lambda timing: f"{part} {timing_words(timing)}", Form(names, help, "<key> <value> …"),
        part="clock", clock=True, changed=partial(timing_changes, title), gives_time=_lasts_longer,
    )  # fmt: skip


def _lasts_longer(before: Timing, after: Timing) -> bool:
    """Return whether no phase gets shorter. A change to CLOCK, DAYS or DELAY may shorten some phases."""
    is_same = (before.clock, before.days, before.delay) == (after.clock, after.days, after.delay)
    return is_same and before.next <= after.next and before.min <= after.min and before.grace <= after.grace


def timing_words(timing: Timing) -> str:
    """Return a timing in words, such as `at the first 23:30 after 71 hours, Monday to Friday, grace 24 hours`."""
    told = [value_words("next", timing.next)]
    days = timing.days
    if timing.clock >= 0:
        told = [f"at the first {value_words('clock', timing.clock)} after {told[0]}"]
        # A day with deadlines from noon is open if CLOCK is in the afternoon, and closed if not.
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
    """Return days in words, such as `Monday to Friday, Mondays only after noon` for -mTWTF-."""
    from_monday = days[1:] + days[0]
    named = [name for name, sign in zip(_DAYS, from_monday, strict=True) if sign != "-"]
    told = "every day" if len(named) == len(_DAYS) else listed(_spans(from_monday))
    halved = [f"{name}s" for name, sign in zip(_DAYS, from_monday, strict=True) if sign.islower()]
    if not halved:
        return told
    return f"{told}, only after noon" if len(halved) == len(named) else f"{told}, {listed(halved)} only after noon"


def _spans(from_monday: str) -> Iterator[str]:
    """Yield the open days as spans, such as `Monday to Friday`. A span may cross the end of the week."""
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
        yield f"{phases} MIN is longer than NEXT, so each phase has at least {least} to its deadline."


def value_words(key: str, value: Any) -> str:
    """Return a value of a timing in words, such as `71 hours`."""
    if value is None:
        return "this judge's default"
    if key == "clock":
        return f"{value // 60:02}:{value % 60:02}" if value >= 0 else "none"
    return days_words(value) if key == "days" else f"{value:g} {by_number(value, 'hour', 'hours')}"


def extension_words(times: int) -> str:
    """Return a sentence on the effect of SET EXTENSIONS."""
    often = by_number(times, "once", counted(times, "time"))
    return (
        "If orders are missing at a deadline, the judge extends it by the usual length of that phase, at most "
        f"{often} for each late player."
    )


def words(says: Sentence, value: Any) -> str:
    """Return the sentence `says` with this value."""
    return says.format(value) if isinstance(says, str) else says(value)


def assignment_changes(variant: Variant, before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yield sentences on the powers that the change assigns to another group, or that will be drawn."""
    for group in dict.fromkeys([*after.values(), ""]):
        powers = [power for power in {**after, **before} if after.get(power, "") == group != before.get(power, "")]
        several = len(powers) > 1
        if powers and group:
            yield f"{listed(powers)} {'go' if several else 'goes'} to {group}."
        elif powers:
            yield f"{listed(powers)} {'are' if several else 'is'} drawn."


def reading_changes(variant: Variant, before: Collection[str], after: Collection[str]) -> Iterator[str]:
    """Yield sentences on the readings of the rules that are used from now on, or no longer used."""
    known = variant.mechanism(Readings).known
    yield from (known[name].says for name in after if name not in before)
    yield from (f"This reading is no longer used: {known[name].says}" for name in before if name not in after)


def reminder_words(hours: Collection[float]) -> str:
    """Return a sentence on when players who owe orders are reminded."""
    if not hours:
        return "There are no reminders."
    return f"Reminders go out {listed(value_words('next', number) for number in hours)} before a deadline."
