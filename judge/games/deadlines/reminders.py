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

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count, takewhile
from typing import Literal

from judge.games.core.board import letters_of, variant_of
from judge.games.core.settings import GameSettings, Terms, settings_of
from judge.games.core.work import Work
from judge.games.notifications import game_mails, notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import own_forms, wanting
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


def tell(work: Work, game: Game, phase: Phase, moment: datetime) -> None:
    """Send the notices that are due at `moment`; if no orders are missing only to a master for whom the phase waits.

    A reminder or a repetition is left out if it is so late that the next alarm has passed as well.
    """
    book, settings = FiledOrders(work.session, game, phase), settings_of(game)
    powers = list(book.awaited())
    if settings.manual_process and moment >= phase.deadline_at:
        missing = f"orders of {listed(powers)} are missing" if powers else "all orders are in"
        text = f"{phase.name} of {game.name} is waiting for you: {missing}. To process it, send PROCESS {phase.name}."
        others = {seat.address for seat in seats_of(work.session, game) if seat.role != "master"}
        notices.tell_news(work, game, f"{phase.name} Waits For You", text, others)
    alarms = Alarms(phase, settings)
    kind, following = alarms.kind(moment), alarms.after(moment)
    overtaken = work.now >= (following or phase.grace_ends_at)
    players = players_of(work.session, game)
    late = {power: players[power] for power in powers if power in players}
    if kind == "reminder" and not overtaken:
        spending = {power: seat for power, seat in players.items() if book.bids.undecided(power)}
        _tell_owing(work, book, powers, {**late, **spending}, "reminder")
    elif kind in ("abandoned", "waiting") and powers:
        _give_up(work, book, powers, late)
    elif kind == "late" and powers:
        reliability.note(work, phase, [*late.values()], "late")
        _tell_owing(work, book, powers, late, "late")
        _tell_others(work, book, powers, late)
    elif kind == "again" and not overtaken:
        _tell_owing(work, book, powers, late, "late")


def _tell_others(work: Work, book: FiledOrders, powers: Sequence[str], late: Mapping[str, Seat]) -> None:
    """Mail all but the late who is late and how long the game waits; in a quiet game who is late only to masters."""
    game, phase = book.game, book.phase
    addresses = {seat.address for seat in late.values()}
    kept_out = notices.kept_out(work.session, game)
    what = f"{phase.name} Late Notice"
    context = {**_lateness(game, powers, late), "wanting": None}
    named = notices.Announcement(game, phase, "late", f"{what}: {letters_of(game, powers)}", context)
    notices.tell_all(work, named, addresses | kept_out)
    if kept_out:
        unnamed = replace(named, subject=f"{what}: ?", context={**context, "late": ["some power"], "vacant": []})
        others = {seat.address for seat in seats_of(work.session, game)} - kept_out
        notices.tell_all(work, unnamed, addresses | others)


def _tell_owing(
    work: Work, book: FiledOrders, powers: Sequence[str], owing: Mapping[str, Seat], template: MailKind
) -> None:
    """Mail each player who owes orders or points what is missing, with a form to fill in.

    `powers`: all for which the phase waits.
    """
    game, late = book.game, template == "late"
    quiet = settings_of(game).quiet
    for power, seat in owing.items():
        what = f"Late Notice: {letters_of(game, [power] if quiet else powers)}" if late else "Reminder"
        context = {
            **_lateness(game, powers, owing),
            "power": power,
            "wanting": wanting(book, power),
            "complete": not book.missing().get(power),
            "forms": own_forms(work, book, [seat]),
        }
        subject, prefix = f"{book.phase.name} {what}", "[You are late!] " if late else ""
        notices.tell_seat(work, seat, notices.Announcement(game, book.phase, template, subject, context, prefix))


def _lateness(game: Game, powers: Sequence[str], owing: Mapping[str, Seat]) -> dict[str, object]:
    settings = settings_of(game)
    return {
        "late": [*owing],
        "vacant": [power for power in powers if power not in owing],
        "nmr": settings.nmr,
        "manual": settings.manual_process,
    }


def _give_up(work: Work, book: FiledOrders, powers: Sequence[str], late: Mapping[str, Seat]) -> None:
    """Open the powers of late players to others, at the end of grace without NMR; repeat it every two days.

    Everybody sees whose orders are incomplete, but not what is missing, since the phase is still open.
    """
    game, phase = book.game, book.phase
    what = f"{phase.name} {'Abandoned' if late else 'Waiting for Replacements'}"
    kept_out, losers = notices.kept_out(work.session, game), by_address([*late.values()])

    def announcement(shown: Sequence[str], lost: Sequence[str]) -> notices.Announcement:
        """The mail in which these late powers, or vacant ones, are `shown`; `lost`: those of its reader."""
        gave = {power: bool(book.given(power)) for power in late if power in shown}
        openings = [(power, variant_of(game).seat_named[power].at(game.name)) for power in powers]
        context = {
            "silent": [power for power in gave if not gave[power]],
            "incomplete": [power for power in gave if gave[power]],
            "openings": openings,
            "lost": [opening for opening in openings if opening[0] in lost],
        }
        return notices.Announcement(game, phase, "abandoned", f"{what}: {letters_of(game, shown)}", context)

    notices.tell_all(work, announcement(powers, ()), kept_out | losers.keys())
    for address, seats in losers.items():
        own = [seat.power or "" for seat in seats]
        notices.tell_loser(work, seats[0], announcement(own if address in kept_out else powers, own))
    reliability.note(work, phase, [*late.values()], "abandoned")
    for seat in late.values():
        # The old player may come back until somebody else takes the seat.
        leave_seat(work.session, seat, work.now, may_return=True)
        work.log("abandoned", game, str(seat.power), phase)
    game_mails.ask_standby(work, game, phase, late)
