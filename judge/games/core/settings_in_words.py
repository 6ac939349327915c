"""How a game is set, in words: LIST, SUMMARY, the start mail and the answer to a new player tell it alike."""

from collections.abc import Sequence

from judge.games.core.settings import GameSettings
from judge.games.core.timing import Timing
from judge.rules import Variant
from judge.rules.board.names import listed
from judge.rules.board.phase import PhaseKind
from judge.rules.mechanisms.closures import Canals
from judge.rules.mechanisms.victory import Victory

TIMED: tuple[tuple[str, PhaseKind], ...] = (("Moves", "M"), ("Retreats", "R"), ("Builds", "A"))


def press_words(settings: GameSettings) -> str:
    """`white press`, `white or grey press, broadcasts only`, `no press`."""
    colours = ["white"] * settings.white_press + ["grey"] * settings.grey_press
    if not colours:
        return "no press"
    limits = {
        "broadcasts only": not settings.partial_press,
        "observers write none": not settings.observer_press,
        "observers write signed press only": settings.observer_press and not settings.observer_grey,
        "late players write none": not settings.late_press,
        "none while others are late": not settings.grace_press,
    }
    return ", ".join([f"{' or '.join(colours)} press", *(word for word, holds in limits.items() if holds)])


def option_words(settings: GameSettings, disorder: Sequence[str]) -> list[str]:
    """How this game differs from the usual one, apart from its press; `disorder`: the powers in permanent civil
    disorder, as far as the reader may know.
    """
    words = {
        "gunboat": settings.gunboat,
        "NoNMR": not settings.nmr,
        "NoDIAS": not settings.dias,
        "no concessions": not settings.concessions,
        "names never told": settings.gunboat and not settings.reveal,
        "quiet": settings.quiet,
        "not listed": not settings.listed,
        "master approves who joins": settings.approval,
        "bids revealed after the end": settings.reveal_bids,
        "no play without passwords": settings.strict_passwords,
        "builds in any center": settings.any_centers,
        "builds in any center while a home is held": settings.one_center,
        "processed by its master alone": settings.manual_process,
        "WAIT only with something to order": settings.strict_wait,
        "the players rule beside the master": settings.unmoderated,
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
    words = {
        "grace ends to the hour": settings.strict_grace,
        f"reminders {_hours(settings.remind)} before a deadline": settings.remind != usual.remind,
        f"absences of at most {settings.max_absence} days": settings.max_absence != usual.max_absence,
    }
    others = [word for word, holds in words.items() if holds]
    return [press_words(settings), *option_words(settings, disorder), *clock, *others]


def _hours(hours: Sequence[float]) -> str:
    return listed(f"{one:g}" for one in hours) + " hours" if hours else "never"


def late_words(settings: GameSettings) -> str:
    """What becomes of those who are late, in a sentence."""
    if settings.manual_process:
        return "A phase waits until its master ends it, with the orders on file then (ManualProcess)."
    grace = settings.move.grace
    when = f"When grace ends, {grace:g} hours after the deadline," if grace else "At the deadline"
    if settings.nmr:
        return (
            f"{when} a phase is processed with the orders on file: a unit without one holds, a dislodged one disbands "
            "(NMR)."
        )
    return f"{when} the seats of those who owe orders are opened to others, and the phase waits for them (NoNMR)."


def conduct(variant: Variant, settings: GameSettings, disorder: Sequence[str] = ()) -> list[str]:
    """What everybody should know before the first order, a sentence or two each: what wins, what is special on this
    board, when its canals open, what becomes of the late, all that was chosen for this game.
    """
    terms, canals = variant.rule(Victory), variant.rule(Canals)
    return [
        " ".join(terms.sentences(variant)) if terms else "",
        variant.special,
        " ".join(canals.sentences(variant)) if canals else "",
        late_words(settings),
        f"Settings: {', '.join(chosen_words(settings, disorder))}.",
    ]
