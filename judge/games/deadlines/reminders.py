"""When and what people are told while a phase waits for orders (HELP deadlines).

    deadline - REMIND hours      reminder    to those who owe orders, or have unspent points
    deadline                     late        to all, where there is grace
    every 24 hours of grace      again       to the late
    end of grace, NoNMR          abandoned   to all: the seats of the late are open
    every 48 hours from there    waiting     to all: a replacement is sought
    while the game is paused, every 72 hours, a word to all that it is
    MANUALPROCESS: from the deadline every 24 hours, to its master and to the late, instead of what follows grace

The phase's own times say which of these a moment is, so its row holds only the next moment. If NMR is set, the phase is
processed at the end of grace, and nothing is left to say. `tell` is called once for each moment, in the transaction
that sets the row to the next one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count, takewhile
from typing import Literal

from judge.games.core.board import variant_of
from judge.games.core.settings import GameSettings, Terms, settings_of
from judge.games.core.work import Work
from judge.games.notifications import game_mails, notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import own_forms
from judge.games.orders.standing import wanting
from judge.games.people import reliability
from judge.rules.board.names import listed
from judge.store.seats import by_address, leave_seat, players_of, seats_of
from judge.store.states import MailKind
from judge.store.tables import Game, Phase, Seat

AGAIN = timedelta(hours=24)
WAITING = timedelta(hours=48)
PAUSED = timedelta(hours=72)

# As in the table above.
NoticeKind = Literal["reminder", "late", "again", "abandoned", "waiting"]


@dataclass(frozen=True)
class Alarms:
    """The moments at which people are notified about a phase, and of what."""

    phase: Phase | Terms
    game_settings: GameSettings

    def after(self, moment: datetime) -> datetime | None:
        """Return the next moment after `moment` at which a notice is due, if there is one."""
        return next((at for at, _ in self._all() if at > moment), None)

    def kind(self, moment: datetime) -> NoticeKind:
        """Return which notice is due at `moment`: the latest, since one that failed is sent a little later."""
        *_, latest = ("reminder", *(kind for _, kind in takewhile(lambda alarm: alarm[0] <= moment, self._all())))
        return latest

    def _all(self) -> Iterator[tuple[datetime, NoticeKind]]:
        phase, settings = self.phase, self.game_settings
        for hours in sorted(settings.remind, reverse=True):
            if phase.opened_at < (at := phase.deadline_at - timedelta(hours=hours)) < phase.deadline_at:
                yield at, "reminder"
        late = ((phase.deadline_at + number * AGAIN, number) for number in count())
        # A phase that waits for its master has no grace.
        waits = settings.manual_process
        for at, number in late if waits else takewhile(lambda alarm: alarm[0] < phase.grace_ends_at, late):
            yield at, "again" if number else "late"
        for number in count() if not settings.nmr else ():
            yield phase.grace_ends_at + number * WAITING, "waiting" if number else "abandoned"


@dataclass(frozen=True)
class _Owing:
    """The powers that a phase waits for, and the seats of the powers among them that have a player."""

    powers: Sequence[str]
    seats: dict[str, Seat]


def tell(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Send the notices that are due at `moment`; if no orders are missing only to a master for whom the phase waits.

    A reminder or a repetition is left out if it is so late that the next alarm has passed as well.
    """
    book = FiledOrders(work.session, game, phase)
    powers = list(book.awaited())
    if settings_of(game).manual_process and moment >= phase.deadline_at:
        missing = f"orders of {listed(powers)} are missing" if powers else "all orders are in"
        text = f"{phase.name} of {game.name} is waiting for you: {missing}. To process it, send PROCESS {phase.name}."
        others = {seat.address for seat in seats_of(work.session, game) if seat.role != "master"}
        notices.tell_news(work, game, f"{phase.name} Waits For You", text, others)
    if not (powers or book.variant.points):
        return
    alarms = Alarms(phase, settings_of(game))
    kind, following = alarms.kind(moment), alarms.after(moment)
    overtaken = work.now >= (following or phase.grace_ends_at)
    players = players_of(work.session, game)
    if kind == "reminder" and not overtaken:
        spending = [power for power in players if power not in powers and book.bids.undecided(power)]
        reminded = [*powers, *spending]
        due = _Owing(reminded, {power: players[power] for power in reminded if power in players})
        _tell_owing(work, game, book, due, "reminder", "Reminder")
    if not powers:
        return
    owing = _Owing(powers, {power: players[power] for power in powers if power in players})
    if kind == "late":
        _tell_late(work, game, book, owing)
    elif kind in ("abandoned", "waiting"):
        _give_up(work, game, book, owing)
    elif kind == "again" and not overtaken:
        _tell_owing(work, game, book, owing, "late", "Late Notice")


def _tell_late(work: Work, game: Game, book: FiledOrders, owing: _Owing) -> None:
    """Mail late players what is missing, and all others who is late and how long the game waits."""
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
    """Mail each player who owes orders what is missing, with a form to fill in."""
    late = template == "late"
    quiet = settings_of(game).quiet
    for power, seat in owing.seats.items():
        named = f": {_letters(game, [power] if quiet else owing.powers)}" if late else ""
        subject, prefix = f"{book.phase.name} {what}{named}", "[You are late!] " if late else ""
        context = {
            **_lateness(game, owing),
            "power": power,
            "wanting": wanting(book, power),
            "complete": not book.missing().get(power),
            "forms": own_forms(work, book, [seat]),
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
    """Open the powers of late players to others, at the end of grace without NMR; repeat it every two days.

    Everybody sees whose orders are incomplete, but not what is missing, since the phase is still open.
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
    for seat in seats:
        # The old player may come back until somebody else takes the seat.
        leave_seat(work.session, seat, work.now, may_return=True)
        work.log("abandoned", game, str(seat.power), phase)
    game_mails.ask_standby(work, game, phase, owing.seats)


def _letters(game: Game, powers: Sequence[str]) -> str:
    return "".join(variant_of(game).seat_named[power].letter for power in powers)
