"""Decide which facts about a game may be shown to whom. No other module decides that.

Who may see the orders, bids and votes of other players (`may_see`) depends on the state of their phase:

| what | open phase | processed phase | ended game |
| --- | --- | --- | --- |
| orders | a master who does not play, the keeper | anyone | anyone |
| bids | a master who does not play, the keeper | the same | masters, the keeper; anyone if the game is set so |
| votes | no one | no one | no one |

All players see their own orders, bids and votes. A phase that was never processed is an open phase in this table, even
when its game has ended. A reply with several readers shows only what all of them may see. BECOME, for example, sends
the player a copy.

What a reader may know of the people in a game (`shown_to`):

Names are public, except in a gunboat game, where only the master knows who plays. When a gunboat game ends the names
are revealed, unless the game is set otherwise (NoReveal). Addresses are shown to the players and the master, but never
to strangers or observers, since anyone may observe. The addresses in a gunboat game, and those of observers, are shown
only to the master.

In a quiet game (SET QUIET) only the master learns who is late, leaves or joins, until the game ends. All others
continue to see the last player of each power that they knew of (`seats_shown`). This player may have left.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from sqlmodel import Session

from judge.games.core.board import variant_of
from judge.games.core.settings import settings_of
from judge.store.games import bids_on_file, orders_on_file
from judge.store.seats import by_power, ever_seated, has_master, of_role, seats_of
from judge.store.tables import Game, Person, Phase, Seat

Fact = Literal["orders", "bids", "votes"]
# The stage of the phase that a fact is about. "ended" is a processed phase of a game that has ended.
Stage = Literal["open", "processed", "ended"]
# Why a request by a master who also plays is refused. It also warns masters when they begin to play.
PLAYS_TOO = "You also play in this game"


@dataclass(frozen=True)
class Viewer:
    """A reader of emails about a game.

    `powers` are the powers or groups that the reader plays. `master` is true if the reader is a master of the game, and
    `plays` if the reader plays in it.
    """

    powers: frozenset[str] = frozenset()
    master: bool = False
    plays: bool = False


ANYBODY = Viewer()


def viewer(mine: Collection[Seat], seats: Sequence[Seat], *readers: int) -> Viewer:
    """Return the reader who has the seats `mine` of a game, among all its `seats`.

    `readers` are the ids of other people who read the same email. If the reader or any of these people plays in the
    game, under any address, `plays` is true.
    """
    people = {seat.person_id for seat in mine} | set(readers)
    return Viewer(
        powers=frozenset(by_power(mine)),
        master=has_master(mine),
        plays=any(seat.role == "player" and seat.person_id in people for seat in seats),
    )


def may_see(reader: Viewer, game: Game, fact: Fact, stage: Stage, power: str = "") -> bool:
    """Return whether the reader may see this fact about `power`.

    If `power` is "", the fact is about any power that is not the reader's.
    """
    if power in reader.powers:
        return True
    if fact == "votes":
        return False
    if fact == "orders" and stage != "open":
        return True
    if stage == "ended":
        return reader.master or settings_of(game).reveal_bids
    return reader.master and (not reader.plays or settings_of(game).solo)


def played_stage(game: Game) -> Stage:
    """Return the stage of all processed phases of the game."""
    return "ended" if game.state == "finished" else "processed"


def told_by_end(session: Session, game: Game) -> list[str]:
    """Return the secrets that the end of the game has revealed.

    People still know them if the game is opened again.
    """
    settings = settings_of(game)
    if game.state != "finished" or not game.started_at:
        return []
    bids = settings.reveal_bids or bool(playing_masters(game, seats_of(session, game)))
    told = {
        "who plays what": settings.gunboat and settings.reveal,
        "who has joined, left or been late": settings.quiet,
        "the bids of processed phases": bids and variant_of(game).points is not None,
    }
    return [fact for fact, is_told in told.items() if is_told]


def playing_masters(game: Game, seats: Sequence[Seat]) -> set[int]:
    """Return the ids of masters who also play in the game, or none in a game of one person."""
    if settings_of(game).solo:
        return set()
    masters = {seat.person_id for seat in of_role(seats, "master")}
    return {seat.person_id for seat in of_role(seats, "player")} & masters


def limits_told(game: Game, seats: Sequence[Seat], person_id: int) -> str:
    """Return sentences on the facts that are hidden from a master who also plays, or "" for anyone else."""
    if person_id not in playing_masters(game, seats):
        return ""
    points = variant_of(game).points is not None
    bids = " You can see others' bids after the game." if points else ""
    never = " BECOME does not accept bids, and ROLLBACK does not restore them." if points else ""
    return (
        "You are the master of this game and also play in it, so you can't see others' orders for the current "
        f"phase.{bids} PREDICT is refused, and BECOME shows only what your own email contains.{never}"
    )


def may_have_seen(session: Session, game: Game, phase: Phase, power: str, person_id: int) -> bool:
    """Return whether a person about to play `power` could see orders or bids of others for the open `phase`."""
    seats = seats_of(session, game)
    mine = [seat for seat in seats if seat.person_id == person_id]
    if not may_see(viewer(mine, seats), game, "orders", "open"):
        return False
    own = {power, *variant_of(game).powers_of(power)}
    given = {order.power for order in orders_on_file(session, phase)}
    return bool((given | {bid.power for bid in bids_on_file(session, phase)}) - own)


@dataclass(frozen=True)
class Shown:
    """The facts about the players that `reader` may see: names, addresses, and who joins, leaves and is late."""

    names: bool
    addresses: bool
    changes: bool = True
    reader: Seat | None = field(default=None, compare=False)

    def name_of(self, seat: Seat, person: Person) -> str:
        """Return the name of the `person` in the seat, or "" if it is hidden. A master's name is always shown."""
        return person.name if self.names or seat.role == "master" else ""

    def address_of(self, seat: Seat) -> str:
        """Return the address of the seat, or "" if the address is hidden."""
        to_master = self.reader is not None and self.reader.role == "master"
        shown = to_master if seat.role == "observer" else self.addresses
        return seat.address if shown else ""


def shown_to(reader: Seat | None, game: Game) -> Shown:
    """Return what the person in the seat `reader`, or a stranger (None), may see of the players."""
    if reader and reader.role == "master":
        return Shown(names=True, addresses=True, reader=reader)
    settings = settings_of(game)
    ended = game.state == "finished"
    return Shown(
        names=not settings.gunboat or (ended and settings.reveal),
        addresses=not settings.gunboat and reader is not None and reader.role == "player",
        changes=not settings.quiet or ended,
        reader=reader,
    )


def seats_shown(session: Session, game: Game, shown: Shown) -> list[tuple[Seat, Person]]:
    """Return the seats of a game that a reader may know of, with the people in them.

    The seats are those of masters, players and observers. If joining and leaving are hidden, the players are the last
    ones that the reader knew of. Before such a game begins, no players are shown. The reader's own seats are always
    included.
    """
    ever = ever_seated(session, game)
    sitting = [(seat, person) for seat, person in ever if not seat.left_at]
    if shown.changes:
        return sitting
    me = shown.reader.person_id if shown.reader else None
    found = [(seat, person) for seat, person in sitting if seat.role != "player" or seat.person_id == me]
    known = _last_known(game, ever)
    for own in by_power(seat for seat, _ in found):
        known.pop(own, None)
    return [*found, *known.values()]


def _last_known(game: Game, ever: Iterable[tuple[Seat, Person]]) -> dict[str, tuple[Seat, Person]]:
    """Return {power: its player when the game began, or when it became quiet if that was later}."""
    began, quiet = game.started_at, settings_of(game).quiet_since
    if not began:
        return {}
    until = max(began, datetime.fromisoformat(quiet)) if quiet else began
    taken = ((seat, person) for seat, person in ever if seat.joined_at <= until)
    known = {}
    for seat, person in taken:
        left_before = seat.left_at and seat.left_at <= began
        if seat.power and not left_before:
            known[seat.power] = (seat, person)
    return known


def holders_shown(session: Session, game: Game, shown: Shown) -> dict[str, tuple[Seat, Person]]:
    """Return {power or group: its player's seat and person}, for players that a reader may know of (`seats_shown`)."""
    return {seat.power: (seat, person) for seat, person in seats_shown(session, game, shown) if seat.power}


def disorder_shown(game: Game, shown: Shown) -> Sequence[str]:
    """Return the powers in permanent civil disorder that a reader may know of.

    In a quiet game, a player may know of such powers only if the board itself shows them.
    """
    told = shown.changes or variant_of(game).neutrals.civil_disorder
    return settings_of(game).disorder if told else ()


def hides_people(game: Game) -> bool:
    """Return whether emails to a player must not reveal other people, since the game is or was gunboat."""
    return settings_of(game).gunboat
