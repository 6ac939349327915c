"""What people are told while a phase waits for orders: reminders, late notices, seats given up (judge-commands 4.3).

`tell` is called once for each alarm of a phase, in the transaction that sets the row to the next one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games import notices, reliability, vacancies
from judge.games.alarms import Alarms
from judge.games.forms import form
from judge.games.office import Office
from judge.games.orderbook import OrderBook
from judge.games.settings import GameSettings
from judge.games.wanting import wanting
from judge.rules import load_variant
from judge.store.lookups import powers_played
from judge.store.tables import Game, Phase, Seat


@dataclass(frozen=True)
class _Owing:
    """The powers that a phase waits for, and the seats of those that somebody plays."""

    powers: Sequence[str]
    seats: dict[str, Seat]


def alarms_of(game: Game, phase: Phase) -> Alarms:
    """When people are told something about `phase`."""
    settings = GameSettings.from_json(game.settings)
    return Alarms(phase.opened_at, phase.deadline_at, phase.grace_ends_at, settings.remind, settings.nmr)


def awaited(session: Session, game: Game, book: OrderBook) -> dict[str, list[str]]:
    """What is missing from the powers that the phase waits for: under NMR, only from those that somebody plays."""
    missing = book.missing()
    if missing and GameSettings.from_json(game.settings).nmr:
        played = powers_played(session, game)
        return {power: things for power, things in missing.items() if power in played}
    return missing


def tell(session: Session, office: Office, game: Game, phase: Phase, moment: datetime, now: datetime) -> None:
    """Tell what is to be told at `moment`, an alarm of `phase`; nothing when no orders are missing.

    A reminder or a repetition that comes so late that the next alarm has passed as well is left out.
    """
    book = OrderBook(session, game.variant, phase)
    powers = list(awaited(session, game, book))
    if not powers:
        return
    alarms = alarms_of(game, phase)
    kind, following = alarms.kind(moment), alarms.after(moment)
    overtaken = now >= (following or phase.grace_ends_at)
    players = vacancies.players_of(session, game)
    owing = _Owing(powers, {power: players[power] for power in powers if power in players})
    if kind == "late":
        _tell_late(session, office, game, book, owing, now)
    elif kind in ("abandoned", "waiting"):
        _give_up(session, office, game, phase, owing, now)
    elif not overtaken:
        template, what = ("reminder", "Reminder") if kind == "reminder" else ("late", "Late Notice")
        _tell_owing(session, office, game, book, owing, template, what, now)


def _tell_late(
    session: Session, office: Office, game: Game, book: OrderBook, owing: _Owing, now: datetime
) -> None:
    """At the deadline: the late are told what is missing, all others who is late and until when the game waits."""
    phase = book.phase
    reliability.note(session, phase, list(owing.seats.values()), "late", now)
    _tell_owing(session, office, game, book, owing, "late", "Late Notice", now)
    context = {**_lateness(session, game, phase, owing), "wanting": None}
    addresses = {seat.address for seat in owing.seats.values()}
    what = f"{phase.name} Late Notice: {_letters(game, owing.powers)}"
    notices.tell_all(session, office, game, phase, "late", what, context, now, addresses)


def _tell_owing(
    session: Session, office: Office, game: Game, book: OrderBook, owing: _Owing, template: str, what: str,
    now: datetime,
) -> None:  # fmt: skip
    """To each player who owes orders: what is missing, and a letter to fill in."""
    late = template == "late"
    named = f": {_letters(game, owing.powers)}" if late else ""
    for power, seat in owing.seats.items():
        context = {
            **_lateness(session, game, book.phase, owing),
            "power": power,
            "wanting": wanting(book, power),
            "forms": list(filter(None, [form(book, game.name, power)])),
        }
        notices.tell_seat(
            session, office, game, book.phase, template, f"{book.phase.name} {what}{named}", seat, context, now,
            prefix="[You are late!] " if late else "",
        )  # fmt: skip


def _lateness(session: Session, game: Game, phase: Phase, owing: _Owing) -> dict[str, object]:
    return {
        "late": [power for power in owing.powers if power in owing.seats],
        "vacant": [power for power in owing.powers if power not in owing.seats],
        "nmr": GameSettings.from_json(game.settings).nmr,
    }


def _give_up(session: Session, office: Office, game: Game, phase: Phase, owing: _Owing, now: datetime) -> None:
    """The end of grace without NMR, and every two days from there: seats of the late are open, the phase waits."""
    seats = list(owing.seats.values())
    openings = [(power, load_variant(game.variant).power(power).letter) for power in owing.powers]
    what = "Abandoned" if seats else "Waiting for Replacements"
    subject = f"{phase.name} {what}: {_letters(game, owing.powers)}"
    context = {"abandoned": list(owing.seats), "openings": openings}
    notices.tell_all(session, office, game, phase, "abandoned", subject, context, now)
    reliability.note(session, phase, seats, "abandoned", now)
    vacancies.give_up(session, game, seats, phase, now)
    if seats:
        vacancies.ask_standby(session, office, game, phase, list(owing.seats), now)


def _letters(game: Game, powers: Sequence[str]) -> str:
    return "".join(load_variant(game.variant).power(power).letter for power in powers)
