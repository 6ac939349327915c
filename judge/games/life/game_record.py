"""The record of a game: its entry in LIST, its history, and the press that people may read again.

Anyone may observe, so anyone may read press that observers got, except players and masters who did not get it. A player
who takes over a power cannot read press that the power got before.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from judge.games.core.board import board, outcome_of, vacant, variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.games.core.who_may_see import Fact, Shown, disorder_shown, holders_shown, playing_masters, shown_to
from judge.games.core.work import Work
from judge.games.orders.deferred_orders import order_of
from judge.games.orders.filed_orders import FiledOrders
from judge.mails.blocks import Written, colors, together
from judge.mails.mail_writer import MailWriter
from judge.mails.results import results_of
from judge.rules import Position, Variant, position_after, still_in, year
from judge.rules.board.orders import Centers
from judge.rules.board.phase import season
from judge.store.games import played
from judge.store.seats import by_power, has_master, late_counts, players_of
from judge.store.sent_mails import press_of
from judge.store.tables import Game, Phase, Press, Seat

# The state of a power in LIST, or "" if the power has no special state.
Standing = Literal[
    "",
    "out",  # the power has nothing left in the game
    "disorder",  # the power is in permanent civil disorder
    "open",  # the power has no player
    "late",
    "ordered",  # shown to the master only
    "unspent DP",  # shown to the master only, if all orders are in and the phase waits for points
    "waited for",  # shown to the master only
    "nothing due",  # shown to the master only
]


@dataclass(frozen=True)
class PlayerLine:
    """A power's line in LIST.

    `lates` is how often its player was late, if the game shows that (SET LATECOUNT).
    """

    power: str
    units: int
    centers: int
    state: Standing
    name: str = ""
    address: str = ""
    lates: int = 0


def ends_words(variant: Variant, settings: GameSettings) -> str:
    """Return how players may end the game, such as `draws may leave survivors out (NoDIAS); no concessions`."""
    if variant.ends_by_unanimity:
        return "any end that all survivors vote for: draws, concessions to one or several"
    draws = "draws include all survivors (DIAS)" if settings.dias else "draws may leave survivors out (NoDIAS)"
    return f"{draws}; {'concessions to the largest power' if settings.concessions else 'no concessions'}"


def mastery_words(game: Game, seats: Sequence[Seat]) -> list[str]:
    """Return a warning, in a list, if a master also plays, since masters can process a phase at any time."""
    return ["the master is also a player"] if playing_masters(game, seats) else []


def openings(game: Game, phase: Phase, seats: Sequence[Seat]) -> list[tuple[str, int, int]]:
    """Return (power, its units, its centers) for each power to take over, or none in a quiet game."""
    held = by_power(seats).keys()
    # Reading the board takes long in a list of many games, so first check whether a power can be open.
    if not shown_to(None, game).changes or held >= variant_of(game).seat_named.keys():
        return []
    variant, position = board(game, phase)
    return [(power, *position.holdings(variant.powers_of(power))) for power in vacant(game, phase, held)]


def player_lines(
    work: Work,
    game: Game,
    phase: Phase | None,
    position: Position,
    shown: Shown,
    sees: Callable[[Fact, str], bool] | None,
) -> list[PlayerLine]:
    """Return the line of each power for LIST in a game that has begun, in the variant's order.

    `shown` is what the reader may see of the players. `sees` says whether the reader, a master, may see a fact about a
    power's orders or points. `sees` is None for others, who learn nothing about orders except who is late.
    """
    holders = holders_shown(work.session, game, shown)
    disorder = disorder_shown(game, shown)
    past = phase is not None and phase.deadline_at < work.now and shown.changes
    book = FiledOrders(work.session, game, phase) if phase and (past or sees) else None
    missing = book.awaited() if book else {}
    late = book.late(work.now) if book and past else {}
    counted = settings_of(game).late_count and shown.changes
    lates = late_counts(work.session, game) if counted else Counter[int]()
    alive = still_in(variant_of(game).at(position.phase), position)

    def state(power: str) -> Standing:
        if power not in alive:
            return "out"
        if power in disorder:
            return "disorder"
        if phase and shown.changes and power not in holders:
            return "open"
        if power in late:
            return "late"
        return progress(power) if book and sees and sees("orders", power) else ""

    def progress(power: str) -> Standing:
        assert book and sees
        if power in missing:
            return "waited for"
        if power in holders and sees("bids", power) and book.bids.undecided(power):
            return "unspent DP"
        return "ordered" if power in book.asked else "nothing due"

    lines = []
    for seat in variant_of(game).seats:
        line = PlayerLine(seat.name, *position.holdings(seat.powers), state(seat.name))
        if held := holders.get(seat.name):
            held_by, _ = held
            name, address = shown.name_of(*held), shown.address_of(held_by)
            line = replace(line, name=name, address=address, lates=lates[held_by.key])
        lines.append(line)
    return lines


def public_players(session: Session, game: Game, public: Mapping[int | None, str]) -> dict[str, str]:
    """Return {power: its player's name}, for the names that the game and the players show to strangers.

    `public` is {a person's id: the name that public pages may show}.
    """
    shown = shown_to(None, game)
    if not (shown.names and shown.changes):
        return {}
    held = players_of(session, game)
    return {power: public[seat.person_id] for power, seat in held.items() if seat.person_id in public}


def with_address(name: str, address: str) -> str:
    """Return `Kim Doe <kim@example.org>`, or the part of it that may be shown."""
    return f"{name} <{address}>" if address else name


@dataclass(frozen=True)
class Span:
    """A part of a game between two moments or phases, both included.

    If one of them is None, there is no limit on that side. `is_usual` is true if no one has asked for its beginning.
    """

    since: datetime | str | None
    until: datetime | str | None
    is_usual: bool = False

    def has(self, phase: str, moment: datetime | None) -> bool:
        """Return whether the span includes an event at `moment` in `phase`, or before the first phase ("")."""
        order, since, until = order_of(phase) if phase else (0, 0, 0), self.since, self.until
        if isinstance(since, str):
            reached = order >= order_of(since)
        else:
            reached = since is None or moment is None or moment >= since
        if isinstance(until, str):
            within = order <= order_of(until)
        else:
            within = until is None or moment is None or moment <= until
        return reached and within


def told_again(post: MailWriter, zone: str, game: Game, phase: Phase, part: Set[str] = frozenset()) -> str:
    """Render the results of a processed phase for anyone who asks for them again.

    If `part` is given, the results are only of these provinces. The text has the header of an email, since programs
    read it (docs/formats.md).
    """
    result = results_of(variant_of(game), *outcome_of(game, phase), part)
    return post.render("history", zone, game=game, turn=phase.number, result=result, told=phase)


def results_told(post: MailWriter, game: Game, phase: Phase) -> Written:
    """Render the results of a processed phase for a page, without the header of an email."""
    variant = variant_of(game)
    result = results_of(variant, *outcome_of(game, phase))
    return together(
        Written(colors(variant)), post.render("_results", "UTC", game=game, turn=phase.number, result=result)
    )


def owners_by_year(session: Session, game: Game) -> dict[int, Centers]:
    """Return {year: {power: its centers}} after each Fall that was processed."""
    variant = variant_of(game)
    falls = (phase for phase in played(session, game) if phase.name.startswith("F"))
    ends = ((phase.name, position_after(variant, phase.outcome or {})) for phase in falls)
    return {year(name): after.centers for name, after in ends if season(after.phase) != "Fall"}


@dataclass(frozen=True)
class Archived:
    """A message as its reader may see it.

    `sender` is "" if the reader may not see it. `to` is "" for a message to all.
    """

    sent_at: datetime
    phase: str
    sender: str
    to: str
    grey: bool
    text: str


def read_again(session: Session, game: Game, mine: Collection[Seat]) -> list[Archived]:
    """Return the press of `game` that the person with the seats `mine` (past and present) may read, oldest first."""
    ids = {seat.id for seat in mine}
    is_master = has_master(seat for seat in mine if not seat.left_at)
    found = []
    for press, phase in press_of(session, game):
        if _has_reached(press, mine):
            # Only the sender and the masters see who sent grey press.
            is_named = not press.grey or is_master or press.seat_id in ids
            sender = press.sender if is_named else ""
            found.append(Archived(press.sent_at, phase, sender, press.recipients, press.grey, press.text))
    return found


def _has_reached(press: Press, mine: Collection[Seat]) -> bool:
    """Return whether people in the seats `mine` sent or got the press, or may read it since observers got it."""
    if not {seat.id for seat in mine}.isdisjoint((press.seat_id, *press.readers)):
        return True
    is_inside = any(seat.role != "observer" for seat in mine)
    return press.public and not (is_inside and press.recipients)
