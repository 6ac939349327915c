"""A game from its creation to its first phase: people, seats, who gets which power."""

from datetime import datetime

from sqlmodel import Session

from judge.games import notices, phases, preferences
from judge.games.office import Office
from judge.games.settings import GameSettings
from judge.letters import Letter
from judge.rules import Variant, load_variant, start_position
from judge.store.lookups import seats_of
from judge.store.tables import Address, Event, Game, Person, Phase, Seat

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
    """Somebody who only observes: known by address, not registered."""
    name = letter.sender_name or letter.sender.partition("@")[0]
    return _add_person(session, letter.sender, name[:LONGEST_NAME], office.settings.zone, now)


def _add_person(session: Session, address: str, name: str, zone: str, now: datetime) -> Person:
    person = Person(name=name, zone=zone)
    session.add(person)
    session.flush()
    session.add(Address(person_id=person.id, address=address, added_at=now))
    session.flush()
    return person


def create(session: Session, office: Office, name: str, variant: Variant, zone: str, now: datetime) -> Game:
    """A new game that waits for its players, its clock in `zone`; the seed of its draw is fixed here."""
    settings = GameSettings(seed=office.dice.getrandbits(32))
    game = Game(
        name=name,
        variant=variant.name,
        state="forming",
        zone=zone,
        settings=settings.to_json(),
        created_at=now,
    )
    session.add(game)
    session.flush()
    session.add(Event(at=now, kind="created", game_id=game.id, text=f"{variant.name}, seed {settings.seed}"))
    return game


def sit(
    session: Session, game: Game, person: Person, role: str, address: str, password: str, now: datetime
) -> Seat:
    """A seat for `person`, whose mails about the game go to `address`; `password` is its hash."""
    seat = Seat(
        game_id=game.id, person_id=person.id, role=role, address=address, password=password, joined_at=now
    )
    session.add(seat)
    session.flush()
    session.add(Event(at=now, kind="signon", game_id=game.id, text=f"{role} {address}"))
    return seat


def missing_players(session: Session, game: Game) -> int:
    """How many players the game still waits for."""
    players = sum(seat.role == "player" for seat in seats_of(session, game))
    return len(load_variant(game.variant).powers) - players


def start(session: Session, office: Office, game: Game, now: datetime) -> Phase:
    """Deal the powers by the players' wishes and the game's seed, open the first phase, tell everybody."""
    variant = load_variant(game.variant)
    settings = GameSettings.from_json(game.settings)
    players = [seat for seat in seats_of(session, game) if seat.role == "player"]
    # Seats that nobody took (FORCE BEGIN) wish for nothing and stay open.
    wishes = [seat.preference for seat in players] + [""] * (len(variant.powers) - len(players))
    powers = preferences.deal(variant, wishes, settings.seed)
    for seat, power in zip(players, powers, strict=False):
        seat.power = power
        session.add(seat)
    game.state, game.started_at = "active", now
    session.add(game)
    session.add(Event(at=now, kind="started", game_id=game.id, text=", ".join(powers)))
    phase = phases.open_phase(session, game, start_position(variant), now)
    notices.tell_start(session, office, game, phase, now)
    return phase


def tell_new_player(session: Session, office: Office, game: Game, newcomer: Seat, now: datetime) -> None:
    """Tell those who wait already that one more is in."""
    players = [seat for seat in seats_of(session, game) if seat.role == "player"]
    notices.tell_news(
        session,
        office,
        game,
        f"New Player Signon: #{len(players)}",
        f"One more player has joined game {game.name}. {missing_players(session, game)} more needed.",
        now,
        skip={newcomer.address},
    )


def show_position(session: Session, office: Office, game: Game, phase: Phase, seat: Seat, now: datetime) -> None:
    """Mail the position to somebody who has just come to watch."""
    notices.tell_position(session, office, game, phase, seat, now)
