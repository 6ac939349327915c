"""A game from its creation to its first phase: who joins it, and which powers they get."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.addresses import domain_of
from judge.games.core.board import lacks_master, variant_of
from judge.games.core.settings import GameSettings, change_settings, conduct, late_words, settings_of
from judge.games.core.work import Work
from judge.games.deadlines.due import while_forming
from judge.games.life import applications, lifecycle, power_assignment
from judge.games.life.applications import Entrant
from judge.games.notifications import game_mails, notices
from judge.games.notifications.gathering import OF_POWERS
from judge.games.people import identity
from judge.letters import Letter
from judge.rules import Variant, counted, listed, start_position
from judge.rules.mechanisms.groups import draw
from judge.store.games import claim, future_lines, last_phase, latest_starts, living_games, lock, open_phase
from judge.store.people import is_registered_elsewhere
from judge.store.seats import (
    attendance_of_phase,
    ever_seated,
    leave_line,
    leave_seat,
    masters_of,
    of_role,
    open_applications,
    return_to_seat,
    seats_of,
)
from judge.store.sent_mails import mails_since
from judge.store.states import Role
from judge.store.tables import Address, Game, Person, Phase, Seat

_DAY = timedelta(days=1)
# Departures from a forming game, and the news that it is full, are mailed at most once in this time.
HOUR = timedelta(hours=1)
MOST_STARTS = 2
# Names must fit into tables of players.
LONGEST_NAME = 60


def register(work: Work, person: Person | None, address: str, name: str, zone: str) -> Person:
    """Give `person` this name and time zone, and return them. None is a new person at `address`."""
    if person is None:
        person = _add_person(work, address, name, zone)
    person.name, person.looks, person.zone = name, identity.looks(name), zone
    person.registered_at = person.registered_at or work.now
    return person


def stranger(work: Work, letter: Letter) -> Person:
    """Return a new person for the sender of `letter`, who is not registered and only observes."""
    local = letter.sender.partition("@")[0]
    name = "" if identity.is_office(work, letter.sender_name) else identity.without_signs(letter.sender_name)
    return _add_person(work, letter.sender, (name or local)[:LONGEST_NAME], work.settings.zone)


def _add_person(work: Work, address: str, name: str, zone: str) -> Person:
    person = Person(name=name, zone=zone)
    work.session.add(person)
    work.session.flush()
    work.session.add(Address(person_id=person.key, address=address, added_at=work.now))
    work.session.flush()
    return person


def create(work: Work, name: str, variant: Variant, zone: str) -> Game:
    """Return a new game that waits for players, with its deadlines in `zone` and a seed for assigning powers."""
    revealed = variant.points is not None and variant.points.revealed
    settings = GameSettings(seed=work.draws.seed(), reveal_bids=revealed)
    game = Game(
        name=name,
        variant=variant.edition,
        state="forming",
        zone=zone,
        settings=settings.to_json(),
        created_at=work.now,
        notice_at=while_forming(work.now, work.now),
    )
    work.session.add(game)
    work.session.flush()
    work.log("created", game, f"{variant.name}, seed {settings.seed}")
    return game


def begin_for_one(work: Work, game: Game, entrant: Entrant) -> Phase:
    """Begin a game of one person, who is its master, plays all powers and signs on as master."""
    change_settings(game, solo=True, manual_process=True, white_press=False)
    for _ in variant_of(game).seats:
        sit(work, game, "player", replace(entrant, password=""))
    return start(work, game)


def sit(work: Work, game: Game, role: Role, entrant: Entrant) -> Seat:
    """Add `entrant` to the game in this role, and return the seat. New players leave the line for a place."""
    if role == "player":
        leave_line(work.session, entrant.person, game)
        _stop_observing(work, game, entrant.person.key)
    seat = Seat(
        game_id=game.key,
        person_id=entrant.person.key,
        role=role,
        address=entrant.address,
        password=entrant.password,
        preference=entrant.preference,
        joined_at=work.now,
    )
    work.session.add(seat)
    work.session.flush()
    work.log("signon", game, f"{role} {entrant.address}")
    return seat


def sit_again(work: Work, game: Game, seat: Seat, sender: str) -> None:
    """Give `seat` back to the player who left it, whose mail goes to the address `sender`, if it is theirs."""
    _stop_observing(work, game, seat.person_id)
    return_to_seat(work.session, seat, sender)


def _stop_observing(work: Work, game: Game, person_id: int) -> None:
    """Let a person who gets a power observe no longer, since observers get mails that players also get."""
    for seat in seats_of(work.session, game):
        if seat.person_id == person_id and seat.role == "observer":
            leave_seat(work.session, seat, work.now)


def missing_players(session: Session, game: Game) -> int:
    """Return how many players the game still needs."""
    return len(variant_of(game).seats) - len(of_role(seats_of(session, game), "player"))


def first_to_join(session: Session) -> Game | None:
    """Return the first forming game in LIST that needs players, or None if there is none."""
    games = (game for game, _ in living_games(session) if game.state == "forming" and settings_of(game).listed)
    return next((game for game in games if missing_players(session, game) > 0), None)


def what_is_missing(session: Session, game: Game) -> str:
    """Return `3 more players needed.`, or that the game waits for its master or its players to start it."""
    count = missing_players(session, game)
    if count > 0:
        return f"{counted(count, 'more player')} needed."
    if lacks_master(session, game):
        return f"{game.name} is full. It has Diplomacy Points, so it will start once it has a master."
    who = "its master sends" if masters_of(session, game) else "each of its players has sent"
    return f"{game.name} is full. It will start when {who} FORCE BEGIN."


def what_awaits(game: Game) -> str:
    """Return sentences for a new player about the game, on how to win, special rules and settings."""
    settings = settings_of(game)
    told = [sentence for sentence in conduct(variant_of(game), settings, late_words(settings)) if sentence]
    return "\n".join([*told, f"Send LIST {game.name} for the settings, GET RULES {game.name} for the rules."])


def enter(work: Work, game: Game, entrant: Entrant) -> Seat:
    """Let `entrant` join, and notify the people in the game, but only once a day until the game is full."""
    seat = sit(work, game, "player", entrant)
    tell_of_one_domain(work, game, None, seat)
    if can_begin(work, game):
        return seat
    missing = missing_players(work.session, game)
    players = len(variant_of(game).seats) - missing
    still = f"{missing} more needed." if missing > 0 else what_is_missing(work.session, game)
    what = f"New Player Signon: #{players}" if missing > 0 else "Ready to Start"
    joined = f"has joined {game.name}. {still}"
    apart = _DAY if missing > 0 else HOUR
    news = notices.news_of(game, what, f"A new player {joined}", about="players", apart=apart)
    notices.tell_comings(work, news, {seat.address}, f"{entrant.person.name} {joined}")
    return seat


def can_begin(work: Work, game: Game) -> bool:
    """Return whether the game is full, has a master if it needs one, and may start by itself."""
    if missing_players(work.session, game) > 0 or lacks_master(work.session, game):
        return False
    return not settings_of(game).manual_start and not next_start(work, game)


def next_start(work: Work, game: Game) -> datetime | None:
    """Return when a game that has started too often within a day may start again, or None for now."""
    latest = latest_starts(work.session, game, MOST_STARTS)
    again_at = min(latest) + _DAY if len(latest) == MOST_STARTS else work.now
    return again_at if again_at > work.now else None


def start(work: Work, game: Game, by: str = "") -> Phase:
    """Assign the powers by preferences and the game's seed, open the first phase, and notify all people.

    `by` names who starts the game, as the beginning of a sentence. `by` is "" if the game starts because the last
    player has joined.
    """
    variant, settings = variant_of(game), settings_of(game)
    if variant.draws:
        holders = draw(variant.groups, variant.draws, settings.seed, settings.fixed)
        change_settings(game, holders=holders)
        variant, settings = variant_of(game), settings_of(game)
    players = of_role(seats_of(work.session, game), "player")
    # Places that no one has taken (FORCE BEGIN) have no preference and stay open.
    wishes = [seat.preference for seat in players] + [""] * (len(variant.seats) - len(players))
    had = [had_before(game, seat.person_id) for seat in players]
    powers = power_assignment.deal(variant, wishes, settings.seed, had)
    for seat, power in zip(players, powers, strict=False):
        seat.power = power
    game.state, game.started_at, game.notice_at = "active", work.now, None
    work.log("started", game, ", ".join(powers))
    before = last_phase(work.session, game)
    phase = lifecycle.begin_phase(work, game, start_position(variant), number=before.number + 1 if before else 1)
    game_mails.tell_start(work, game, phase, by)
    why = f"{game.name} has started without you. To see whether a power is open, send LIST {game.name}."
    applications.drop_all(work, game, why, players=True)
    return phase


def had_before(game: Game, person_id: int) -> list[str]:
    """Return the person's powers in the game of which this is a rematch."""
    return [power for power, person in settings_of(game).before.items() if person == person_id]


def unstart(work: Work, game: Game, phase: Phase, by: str) -> None:
    """Return a game to forming before anything was played (UNSTART).

    The players lose their powers, and their lists of ignored senders are emptied. They may change their preferences.
    The next assignment uses another seed, so that players who saw this one cannot predict it. The master has to start
    the game.
    """
    session = work.session
    claim(session, phase, work.now, due=False)
    for seat, _ in ever_seated(session, game):
        seat.power, seat.waits, seat.ignores = None, False, []
    for undone in (*future_lines(session, game), *attendance_of_phase(session, phase).values()):
        session.delete(undone)
    seed = work.draws.seed()
    change_settings(game, seed=seed, manual_start=True, disorder=(), holders={}, extended={})
    game.state, game.started_at, game.notice_at = "forming", None, while_forming(work.now, work.now)
    work.log("unstart", game, f"seed {seed}", phase)
    text = (
        f"{by} has returned {game.name} to forming: powers will be assigned again, and players can send SET "
        "PREFERENCE again. "
        f"{what_is_missing(session, game)}"
    )
    notices.tell_news(work, game, "Unstart", text, about=OF_POWERS)


def tell_of_one_domain(work: Work, game: Game, phase: Phase | None, newcomer: Seat) -> None:
    """Warn the masters if others have just joined from the newcomer's email domain."""
    masters, domain, since = masters_of(work.session, game), domain_of(newcomer.address), work.now - HOUR
    players = of_role(seats_of(work.session, game), "player")
    taken = [seat for seat in players if seat.joined_at > since and domain_of(seat.address) == domain]
    people = {seat.person_id for seat in taken}
    if not masters or len(people) < 2 or is_registered_elsewhere(work.session, domain, people):
        return
    what = "Players of One Domain"
    if any(mails_since(work.session, master.address, "news", since, game, what) for master in masters):
        return
    text = (
        f"{len(taken)} places in {game.name} were taken within an hour from {domain}, where no one else is "
        f"registered: {listed(seat.address for seat in taken)}. They may be one person."
    )
    announcement = replace(notices.news_of(game, what, text, about="domain"), phase=phase)
    for master in masters:
        notices.tell_seat(work, master, announcement)


# The time from a failure until the notice is tried again.
_NOTICE_AGAIN = timedelta(hours=1)


def tell_waiting(work: Work, game: Game) -> str:
    """Notify the people in a forming game of what it waits for, in one email for all weekly notices due.

    Returns a line for the log.
    """
    lock(work.session, game)
    if game.state != "forming" or open_phase(work.session, game):
        game.notice_at = None
        return "is not forming"
    if game.notice_at is None or game.notice_at > work.now:
        return "was no longer due"
    unstarted = last_phase(work.session, game)
    since = unstarted.processed_at if unstarted and unstarted.processed_at else game.created_at
    game.notice_at = while_forming(since, work.now)
    what, text = _still_forming(work.session, game)
    if game.notice_at is None:
        text += " This is the last such notice."
    notices.tell_news(work, game, what, text)
    for application, person, _ in open_applications(work.session, game):
        applications.tell_masters(work, game, application, person)
    return "told: still forming"


def _still_forming(session: Session, game: Game) -> tuple[str, str]:
    """Return what the forming game waits for, as the subject of an email and in sentences."""
    count = missing_players(session, game)
    if count > 0:
        text = f"{game.name} is still forming: {counted(count, 'more player')} needed."
        text += f" If you know anyone who might play, ask them to send SIGNON ?{game.name} <password>."
        return f"Waiting for {counted(count, 'More Player')}", text
    who = "Master" if masters_of(session, game) else "Players"
    return f"Waiting for {who} to Start", what_is_missing(session, game)


def put_off_notice(work: Work, game: Game) -> None:
    """Postpone the notice about a forming game, since it could not be sent."""
    game.notice_at = work.now + _NOTICE_AGAIN
