"""What people are told while a phase waits for orders: reminders, late notices, seats given up (HELP deadlines).

`tell` is called once for each alarm of a phase, in the transaction that sets the row to the next alarm.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.games.core.work import Work
from judge.games.deadlines.reminder_schedule import Alarms
from judge.games.notifications import notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import for_holder, form
from judge.games.orders.missing import wanting
from judge.games.people import open_seats, reliability
from judge.rules.board.names import listed
from judge.store.seats import by_address, powers_played, seats_of
from judge.store.states import MailKind
from judge.store.tables import Game, Phase, Seat


@dataclass(frozen=True)
class _Owing:
    """The powers that a phase waits for, and the seats of the powers among them that have a player."""

    powers: Sequence[str]
    seats: dict[str, Seat]


def alarms_of(game: Game, phase: Phase) -> Alarms:
    """The moments at which people are told something about `phase`."""
    settings = settings_of(game)
    return Alarms(
        opened_at=phase.opened_at,
        deadline_at=phase.deadline_at,
        grace_ends_at=phase.grace_ends_at,
        remind=settings.remind,
        nmr=settings.nmr,
        manual=settings.manual_process,
    )


def awaited(session: Session, game: Game, book: FiledOrders) -> Mapping[str, list[str]]:
    """What is missing from the powers that the phase waits for: under NMR only the powers that have a player; never a
    power in permanent civil disorder.
    """
    missing = book.missing()
    if not missing:
        return missing
    settings = settings_of(game)
    played = powers_played(session, game) if settings.nmr else missing.keys()
    return {power: things for power, things in missing.items() if power in played and power not in settings.disorder}


def tell(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Send the notices that are due at `moment`, an alarm of `phase`; if no orders are missing only to a master for
    whom the phase waits.

    A reminder or a repetition is left out if it is so late that the next alarm has passed as well.
    """
    book = FiledOrders(work.session, game, phase)
    powers = list(awaited(work.session, game, book))
    if settings_of(game).manual_process and moment >= phase.deadline_at:
        _tell_masters(work, game, phase, powers)
    if not powers:
        return
    alarms = alarms_of(game, phase)
    kind, following = alarms.kind(moment), alarms.after(moment)
    overtaken = work.now >= (following or phase.grace_ends_at)
    players = open_seats.players_of(work.session, game)
    owing = _Owing(powers, {power: players[power] for power in powers if power in players})
    if kind == "late":
        _tell_late(work, game, book, owing)
    elif kind in ("abandoned", "waiting"):
        _give_up(work, game, book, owing)
    elif kind == "reminder" and not overtaken:
        _tell_owing(work, game, book, owing, "reminder", "Reminder")
    elif kind == "again" and not overtaken:
        _tell_owing(work, game, book, owing, "late", "Late Notice")


def _tell_masters(work: Work, game: Game, phase: Phase, powers: Sequence[str]) -> None:
    """The phase waits for its master (MANUALPROCESS)."""
    missing = f"orders of {listed(powers)} are missing" if powers else "all orders are in"
    text = f"{phase.name} of game {game.name} waits for you: {missing}. PROCESS {phase.name} ends it."
    others = {seat.address for seat in seats_of(work.session, game) if seat.role != "master"}
    notices.tell_news(work, game, f"{phase.name} Waits For You", text, others)


def _tell_late(work: Work, game: Game, book: FiledOrders, owing: _Owing) -> None:
    """At the deadline: late players are told what is missing, all others who is late and how long the game waits."""
    phase = book.phase
    reliability.note(work, phase, list(owing.seats.values()), "late")
    _tell_owing(work, game, book, owing, "late", "Late Notice")
    context = {**_lateness(game, owing), "wanting": None}
    late = {seat.address for seat in owing.seats.values()}
    kept_out = notices.kept_out(work.session, game)
    what = f"{phase.name} Late Notice"
    named = f"{what}: {_letters(game, owing.powers)}"
    notices.tell_all(work, notices.Announcement(game, phase, "late", named, context), late | kept_out)
    if kept_out:
        unnamed = {**context, "late": ["some power"], "vacant": []}
        others = {seat.address for seat in seats_of(work.session, game)} - kept_out
        notices.tell_all(work, notices.Announcement(game, phase, "late", f"{what}: ?", unnamed), late | others)


def _tell_owing(work: Work, game: Game, book: FiledOrders, owing: _Owing, template: MailKind, what: str) -> None:
    """Tell each player who owes orders what is missing, with a form to fill in."""
    late = template == "late"
    quiet = settings_of(game).quiet
    for power, seat in owing.seats.items():
        named = f": {_letters(game, [power] if quiet else owing.powers)}" if late else ""
        subject, prefix = f"{book.phase.name} {what}{named}", "[You are late!] " if late else ""
        context = {
            **_lateness(game, owing),
            "power": power,
            "wanting": wanting(book, power),
            "forms": list(filter(None, [for_holder(work, game, seat, form(book, game.name, power))])),
        }
        notices.tell_seat(work, seat, notices.Announcement(game, book.phase, template, subject, context, prefix))


def _lateness(game: Game, owing: _Owing) -> dict[str, object]:
    return {
        "late": [power for power in owing.powers if power in owing.seats],
        "vacant": [power for power in owing.powers if power not in owing.seats],
        "nmr": settings_of(game).nmr,
        "manual": settings_of(game).manual_process,
    }


def _give_up(work: Work, game: Game, book: FiledOrders, owing: _Owing) -> None:
    """At the end of grace without NMR, and every two days after it: seats of late players are open, the phase waits.

    Everybody is told whose orders are incomplete, but not what is missing, since the phase is still open.
    """
    phase, seats = book.phase, list(owing.seats.values())
    silent = [power for power in owing.seats if not book.given(power)]
    incomplete = [power for power in owing.seats if power not in silent]
    openings = [(power, variant_of(game).seat_named[power].at(game.name)) for power in owing.powers]
    what = "Abandoned" if seats else "Waiting for Replacements"
    subject = f"{phase.name} {what}: {_letters(game, owing.powers)}"
    context = {"silent": silent, "incomplete": incomplete, "openings": openings, "lost": []}
    kept_out = notices.kept_out(work.session, game)
    losers = by_address(seats)
    announcement = notices.Announcement(game, phase, "abandoned", subject, context)
    notices.tell_all(work, announcement, kept_out | losers.keys())
    for address, lost in losers.items():
        own = [seat.power or "" for seat in lost]
        context = {**context, "lost": [opening for opening in openings if opening[0] in own]}
        subject = announcement.subject
        if address in kept_out:
            context["silent"] = [power for power in silent if power in own]
            context["incomplete"] = [power for power in incomplete if power in own]
            subject = f"{phase.name} {what}: {_letters(game, own)}"
        notices.tell_loser(work, lost[0], notices.Announcement(game, phase, "abandoned", subject, context))
    reliability.note(work, phase, seats, "abandoned")
    open_seats.give_up(work, game, seats, phase)
    if seats:
        open_seats.ask_standby(work, game, phase, list(owing.seats))


def _letters(game: Game, powers: Sequence[str]) -> str:
    return "".join(variant_of(game).seat_named[power].letter for power in powers)
