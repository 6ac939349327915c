"""A game from its creation to its first phase: people, seats, who gets which power."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.games.core import masters
from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.settings import GameSettings
from judge.games.life import applications, phases, power_draw
from judge.games.telling import notices
from judge.letters import Letter
from judge.rules import Variant, start_position
from judge.rules.mechanisms.groups import draw
from judge.store import attendance
from judge.store.ids import id_of
from judge.store.lookups import claim, future_lines, seats_of
from judge.store.records import ever_seated, last_phase
from judge.store.states import Role
from judge.store.tables import Address, Event, Game, Person, Phase, Seat

# Those in a game that is forming are told once a week what it waits for.
WEEK = timedelta(days=7)
# Names stand in tables of players.
LONGEST_NAME = 60


def register(
    session: Session, person: Person | None, address: str, name: str, zone: str, now: datetime
) -> Person:
    """The person who writes from `address`, made or changed."""
    if person is None:
        person = _add_person(session, address, name, zone, now)
    person.name, person.zone = name, zone
    person.registered_at = person.registered_at or now
    session.add(person)
    session.flush()
    return person


def stranger(session: Session, office: Office, letter: Letter, now: datetime) -> Person:
    """A person who only observes: known by address, not registered."""
    name = letter.sender_name or letter.sender.partition("@")[0]
    return _add_person(session, letter.sender, name[:LONGEST_NAME], office.settings.zone, now)


def _add_person(session: Session, address: str, name: str, zone: str, now: datetime) -> Person:
    person = Person(name=name, zone=zone)
    session.add(person)
    session.flush()
    session.add(Address(person_id=id_of(person), address=address, added_at=now))
    session.flush()
    return person


def create(session: Session, office: Office, name: str, variant: Variant, zone: str, now: datetime) -> Game:
    """A new game that waits for its players, its clock in `zone`; the seed of its draw is fixed here."""
    revealed = variant.points is not None and variant.points.revealed
    settings = GameSettings(seed=office.dice.getrandbits(32), reveal_bids=revealed)
    game = Game(
        name=name,
        variant=variant.edition,
        state="forming",
        zone=zone,
        settings=settings.to_json(),
        created_at=now,
        notice_at=now + WEEK,
    )
    session.add(game)
    session.flush()
    session.add(Event(at=now, kind="created", game_id=game.id, text=f"{variant.name}, seed {settings.seed}"))
    return game


def sit(
    session: Session, game: Game, person: Person, role: Role, address: str, password: str, now: datetime
) -> Seat:
    """A seat for `person`, whose mails about the game go to `address`; `password` is its hash."""
    seat = Seat(
        game_id=id_of(game),
        person_id=id_of(person),
        role=role,
        address=address,
        password=password,
        joined_at=now,
    )
    session.add(seat)
    session.flush()
    session.add(Event(at=now, kind="signon", game_id=game.id, text=f"{role} {address}"))
    return seat


def missing_players(session: Session, game: Game) -> int:
    """How many players the game still waits for."""
    players = sum(seat.role == "player" for seat in seats_of(session, game))
    return len(variant_of(game).seats) - players


def what_is_missing(session: Session, game: Game) -> str:
    """`3 more players needed.`, or that the game waits for its master."""
    count = missing_players(session, game)
    if count > 0:
        return f"{count} more {'player' if count == 1 else 'players'} needed."
    if masters.lacks_master(session, game):
        return f"All seats are taken. Game {game.name} has Diplomacy Points, so it begins when it has a master."
    return f"All seats are taken. Game {game.name} begins when its master writes FORCE BEGIN."


def join(
    session: Session, office: Office, game: Game, person: Person, address: str, password: str, now: datetime
) -> tuple[Seat, Phase | None]:
    """`person` is in, under the hash `password`; with the last player the game begins: then its first phase too."""
    seat = enter(session, office, game, person, address, password, now)
    return seat, start(session, office, game, now) if can_begin(session, game) else None


def enter(
    session: Session, office: Office, game: Game, person: Person, address: str, password: str, now: datetime
) -> Seat:
    """`person` is in, under the hash `password`; those who go on waiting are told."""
    seat = sit(session, game, person, "player", address, password, now)
    if not can_begin(session, game):
        _tell_new_player(session, office, game, seat, now)
    return seat


def can_begin(session: Session, game: Game) -> bool:
    """Whether all seats are taken, the master's where it needs one, and nobody wants to wait for the master's word."""
    if missing_players(session, game) > 0 or masters.lacks_master(session, game):
        return False
    return not GameSettings.from_json(game.settings).manual_start


def start(session: Session, office: Office, game: Game, now: datetime) -> Phase:
    """Deal the powers by the players' wishes and the game's seed, open the first phase, tell everybody."""
    _draw_groups(game)
    variant = variant_of(game)
    settings = GameSettings.from_json(game.settings)
    players = [seat for seat in seats_of(session, game) if seat.role == "player"]
    # Seats that nobody took (FORCE BEGIN) wish for nothing and stay open.
    wishes = [seat.preference for seat in players] + [""] * (len(variant.seats) - len(players))
    powers = power_draw.deal(variant, wishes, settings.seed)
    for seat, power in zip(players, powers, strict=False):
        seat.power = power
        session.add(seat)
    game.state, game.started_at, game.notice_at = "active", now, None
    session.add(game)
    session.add(Event(at=now, kind="started", game_id=game.id, text=", ".join(powers)))
    before = last_phase(session, game)
    phase = phases.open_phase(session, game, start_position(variant), now, number=before.number + 1 if before else 1)
    notices.tell_start(session, office, game, phase, now)
    why = f"Game {game.name} has begun without you. LIST {game.name} shows whether a seat in it is open."
    applications.drop_all(session, office, game, why, now)
    return phase


def _draw_groups(game: Game) -> None:
    """Give each power to a group by the variant's rules, the master's word and the game's seed."""
    variant, settings = variant_of(game), GameSettings.from_json(game.settings)
    if variant.draws:
        holders = draw(variant.groups, variant.draws, settings.seed, settings.fixed)
        game.settings = replace(settings, holders=holders).to_json()


def unstart(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """Back to forming, before anything was played (judge-commands 2.6): nobody has a power, wishes may change.

    The next deal is made with another seed: who has seen this one must not know that. It begins at its master's word.
    """
    claim(session, phase, now, due=False)
    phase.processed_at = now
    for seat, _ in ever_seated(session, game):
        seat.power, seat.waits = None, False
        session.add(seat)
    for undone in (*future_lines(session, game), *attendance.of_phase(session, phase).values()):
        session.delete(undone)
    seed = office.dice.getrandbits(32)
    settings = replace(GameSettings.from_json(game.settings), seed=seed, manual_start=True, disorder=(), holders={})
    game.settings = settings.to_json()
    game.state, game.started_at, game.notice_at = "forming", None, now + WEEK
    session.add_all([phase, game])
    session.add(Event(at=now, kind="unstart", game_id=game.id, phase_id=phase.id, text=f"seed {seed}"))
    session.flush()
    text = (
        f"Game {game.name} is forming again: powers will be dealt anew, and you may send SET PREFERENCE again. "
        f"{what_is_missing(session, game)}"
    )
    notices.tell_news(session, office, game, "Unstart", text, now)


def _tell_new_player(session: Session, office: Office, game: Game, newcomer: Seat, now: datetime) -> None:
    """Tell those who wait already that one more is in."""
    players = [seat for seat in seats_of(session, game) if seat.role == "player"]
    ready = missing_players(session, game) <= 0
    still = what_is_missing(session, game) if ready else f"{missing_players(session, game)} more needed."
    notices.tell_comings(
        session,
        office,
        game,
        "Ready to Start" if ready else f"New Player Signon: #{len(players)}",
        f"A new player has joined game {game.name}. {still}",
        now,
        skip={newcomer.address},
    )


def show_position(session: Session, office: Office, game: Game, phase: Phase, seat: Seat, now: datetime) -> None:
    """Mail the position to a new observer."""
    notices.tell_position(session, office, game, phase, seat, now)
