"""What people are told while a phase waits for orders: reminders, late notices, seats given up (judge-commands 4.3).

`tell` is called once for each alarm of a phase, in the transaction that sets the row to the next one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.deadlines.notice_times import Alarms
from judge.games.orders.forms import form
from judge.games.orders.missing import wanting
from judge.games.orders.orderbook import OrderBook
from judge.games.people import reliability, vacancies
from judge.games.telling import notices
from judge.store.lookups import powers_played, seats_of
from judge.store.states import MailKind
from judge.store.tables import Game, Phase, Seat


@dataclass(frozen=True)
class _Owing:
    """The powers that a phase waits for, and the seats of those that have a player."""

    powers: Sequence[str]
    seats: dict[str, Seat]


def alarms_of(game: Game, phase: Phase) -> Alarms:
    """When people are told something about `phase`."""
    settings = GameSettings.from_json(game.settings)
    return Alarms(phase.opened_at, phase.deadline_at, phase.grace_ends_at, settings.remind, settings.nmr)


def awaited(session: Session, game: Game, book: OrderBook) -> Mapping[str, list[str]]:
    """What is missing from the powers that the phase waits for: under NMR, only from those that have a player; never
    from one in permanent civil disorder.
    """
    missing = book.missing()
    if not missing:
        return missing
    settings = GameSettings.from_json(game.settings)
    played = powers_played(session, game) if settings.nmr else missing.keys()
    return {power: things for power, things in missing.items() if power in played and power not in settings.disorder}


def tell(session: Session, office: Office, game: Game, phase: Phase, moment: datetime, now: datetime) -> None:
    """Tell what is to be told at `moment`, an alarm of `phase`; nothing when no orders are missing.

    A reminder or a repetition that comes so late that the next alarm has passed as well is left out.
    """
    book = OrderBook(session, game, phase)
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
        _give_up(session, office, game, book, owing, now)
    elif kind == "reminder" and not overtaken:
        _tell_owing(session, office, game, book, owing, "reminder", "Reminder", now)
    elif kind == "again" and not overtaken:
        _tell_owing(session, office, game, book, owing, "late", "Late Notice", now)


def _tell_late(
    session: Session, office: Office, game: Game, book: OrderBook, owing: _Owing, now: datetime
) -> None:
    """At the deadline: the late are told what is missing, all others who is late and until when the game waits."""
    phase = book.phase
    reliability.note(session, phase, list(owing.seats.values()), "late", now)
    _tell_owing(session, office, game, book, owing, "late", "Late Notice", now)
    context = {**_lateness(session, game, phase, owing), "wanting": None}
    late = {seat.address for seat in owing.seats.values()}
    kept_out = notices.kept_out(session, game)
    what = f"{phase.name} Late Notice"
    named = f"{what}: {_letters(game, owing.powers)}"
    notices.tell_all(session, office, game, phase, "late", named, context, now, late | kept_out)
    if kept_out:
        unnamed = {**context, "late": ["some power"], "vacant": []}
        others = {seat.address for seat in seats_of(session, game)} - kept_out
        notices.tell_all(session, office, game, phase, "late", f"{what}: ?", unnamed, now, late | others)


def _tell_owing(
    session: Session, office: Office, game: Game, book: OrderBook, owing: _Owing, template: MailKind, what: str,
    now: datetime,
) -> None:  # fmt: skip
    """To each player who owes orders: what is missing, and a letter to fill in."""
    late = template == "late"
    quiet = GameSettings.from_json(game.settings).quiet
    for power, seat in owing.seats.items():
        named = f": {_letters(game, [power] if quiet else owing.powers)}" if late else ""
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


def _give_up(session: Session, office: Office, game: Game, book: OrderBook, owing: _Owing, now: datetime) -> None:
    """The end of grace without NMR, and every two days from there: seats of the late are open, the phase waits.

    What is missing from whom is not told, since the phase is still open; but whose orders are incomplete is.
    """
    phase, seats = book.phase, list(owing.seats.values())
    silent = [power for power in owing.seats if not book.given(power)]
    incomplete = [power for power in owing.seats if power not in silent]
    openings = [(power, variant_of(game).seat_named[power].letter) for power in owing.powers]
    what = "Abandoned" if seats else "Waiting for Replacements"
    subject = f"{phase.name} {what}: {_letters(game, owing.powers)}"
    context = {"silent": silent, "incomplete": incomplete, "openings": openings}
    kept_out = notices.kept_out(session, game)
    notices.tell_all(session, office, game, phase, "abandoned", subject, context, now, kept_out)
    for power, seat in owing.seats.items():
        if seat.address in kept_out:
            letter = variant_of(game).seat_named[power].letter
            own = {
                "silent": [power] if power in silent else [],
                "incomplete": [power] if power in incomplete else [],
                "openings": [(power, letter)],
            }
            subject = f"{phase.name} Abandoned: {letter}"
            notices.tell_seat(session, office, game, phase, "abandoned", subject, seat, own, now)
    reliability.note(session, phase, seats, "abandoned", now)
    vacancies.give_up(session, game, seats, phase, now)
    if seats:
        vacancies.ask_standby(session, office, game, phase, list(owing.seats), now)


def _letters(game: Game, powers: Sequence[str]) -> str:
    return "".join(variant_of(game).seat_named[power].letter for power in powers)
