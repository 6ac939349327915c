"""Changes of players, who take a vacant power, come back, are admitted by a master, or leave.

njudge moved the deadline only when the last vacant power was filled. Here a new player who owes orders gets as much
time as if the phase had just opened. In one phase, each power gets more time only once, and at most two powers get it.
"""

from dataclasses import dataclass

from sqlmodel import Session

from judge.games.core.acts import is_run_by_players
from judge.games.core.board import needs_master, signon_of, vacant, variant_of
from judge.games.core.settings import settings_of
from judge.games.core.who_may_see import hides_people, may_have_seen, shown_to
from judge.games.core.work import Work
from judge.games.deadlines import schedule
from judge.games.life import forming
from judge.games.life.applications import Entrant, answer
from judge.games.notifications import game_mails, notices
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import standing
from judge.games.people.identity import DENIED, is_denied
from judge.store.games import open_phase
from judge.store.seats import leave_seat, masters_of, name_of, seats_of, with_players
from judge.store.tables import Application, Game, Person, Phase, Seat


def come_back(work: Work, game: Game, seat: Seat, sender: str) -> None:
    """Give the power of `seat` back to its former player, who knows the game and gets no extra time."""
    forming.sit_again(work, game, seat, sender)
    tell_return(work, game, seat)


def tell_return(work: Work, game: Game, seat: Seat) -> None:
    """Announce that the former player of `seat` plays its power again."""
    text = f"{seat.power}'s original player has returned"
    _tell_comings(work, game, seat, "Returning Player Signon", text)


def take_over(work: Work, game: Game, phase: Phase, power: str, entrant: Entrant) -> Seat:
    """Let `entrant` play `power` from now on.

    If `entrant` has something to order, WAIT is set, so that the phase is not processed too soon.
    """
    seat = forming.sit(work, game, "player", entrant)
    book = FiledOrders(work.session, game, phase)
    seat.power, seat.waits = power, power in book.asked or book.bids.undecided(power) > 0
    forming.tell_of_one_domain(work, game, phase, seat)
    _tell_comings(work, game, seat, "New Player Signon", f"{power} has a new player")
    game_mails.tell_place(work, game, phase, seat)
    if not seat.waits:
        return seat
    why = f"The deadline of {phase.name} in {game.name} has been extended."
    if shown_to(None, game).changes:
        why = f"The deadline of {phase.name} in {game.name} has been extended for a new player."
    schedule.welcome(work, game, phase, power, why)
    return seat


def _tell_comings(work: Work, game: Game, seat: Seat, what: str, text: str) -> None:
    """Announce who has joined. `text` lacks its full stop, since emails to masters add the player's name."""
    letter, text = variant_of(game).seat_named[seat.power or ""].letter, f"{game.name}: {text}"
    news = notices.news_of(game, f"{what}: {letter}", f"{text}.", about=f"player of {seat.power}")
    notices.tell_comings(work, news, {seat.address}, f"{text}: {name_of(work.session, seat)}.")
    work.log("signon", game, f"{what} {seat.power}")


def approve(work: Work, game: Game, application: Application, by: str) -> str:
    """Let the applicant join or take over the power, since `by` has approved, and return the reply to the master."""
    session = work.session
    person = session.get_one(Person, application.person_id)
    entrant = Entrant(person, application.address, application.password, application.preference)
    no_room = _no_room(session, game, application)
    if is_denied(session, game, person, application.address):
        no_room = DENIED.format(game.name)
    session.delete(application)
    phase, below = open_phase(session, game), None
    if no_room:
        text = f"You could not join: {no_room}"
        result = f"{person.name} could not join, and has been notified: {no_room}"
    elif application.role == "observer":
        seat = forming.sit(work, game, "observer", entrant)
        text = (
            f"{by} has approved your request: you are now observing {game.name}. Its results will be sent to "
            f"{seat.address}."
        )
        result = f"{person.name} is now observing {game.name}."
    elif application.power and phase:
        seat = take_over(work, game, phase, application.power, entrant)
        text = (
            f"{by} has approved your request: you play {seat.power} in {game.name}. Sign on with SIGNON "
            f"{signon_of(game, seat)} and the password you chose."
        )
        on_file = standing(work, FiledOrders(session, game, phase), seat, whole=True)
        below = work.services.post.render("orders", person.zone, **on_file)
        result = f"{person.name} plays {seat.power} in {game.name}."
    else:
        forming.enter(work, game, entrant)
        phase = forming.start(work, game) if forming.can_begin(work, game) else None
        missing = forming.what_is_missing(session, game)
        told = f"{by} has approved your request: you are in {game.name}. {missing}\n\n{forming.what_awaits(game)}"
        text = "" if phase else told
        result = f"{person.name} is in {game.name}. {'It starts now.' if phase else missing}"
    if text:
        answer(work, game, application, person, text, below)
    if phase and not no_room and application.role == "observer":
        game_mails.tell_position(work, game, phase, seat)
    return result


def _no_room(session: Session, game: Game, application: Application) -> str:
    """Return why the application can no longer be approved, or "" if it can still be approved."""
    if game.state == "finished":
        return f"{game.name} has ended."
    roles = {seat.role for seat in seats_of(session, game) if seat.person_id == application.person_id}
    if "player" in roles or roles and application.role == "observer":
        return f"They are already in {game.name}."
    if application.role == "observer":
        return ""
    phase = open_phase(session, game)
    if application.power:
        return _why_no_seat(session, game, phase, application.power, application.person_id)
    if phase:
        return f"{game.name} has started."
    return "" if forming.missing_players(session, game) > 0 else f"{game.name} is full."


def _why_no_seat(session: Session, game: Game, phase: Phase | None, power: str, person_id: int) -> str:
    """Return why the person cannot have the power, or "" if the person can have it."""
    if phase is None or not is_open(session, game, power):
        return f"{power} in {game.name} is no longer available."
    if may_have_seen(session, game, phase, power, person_id):
        return f"They are a master of {game.name} and could see others' orders for {phase.name}."
    return ""


@dataclass(frozen=True)
class Left:
    """A person who has left a game, or was removed from it.

    `why` is the end of the sentence that the person reads. If it is "", the person gets no email. `by` names who has
    removed the person, as the beginning of a sentence. `by` is "" for a person who has left by themselves.
    """

    seat: Seat
    why: str
    by: str = ""


def leave(work: Work, game: Game, left: Left) -> None:
    """Take a person out of a game and notify all players.

    If a player leaves a forming game, the first person in line (if any) is asked to join. If an observer leaves, no one
    else is notified.
    """
    vacate(work, game, left.seat)
    tell_left(work, game, left)


def why_master_stays(session: Session, game: Game, seat: Seat) -> str:
    """Return why the person in `seat` cannot leave the game, and what to send instead, or "".

    Only a master may have to stay. In a game of one person, the master plays all powers and cannot leave one.
    """
    if settings_of(game).solo and seat.role == "player":
        return f"{game.name} is a game for one: its master holds all powers."
    others = {one.role for one in seats_of(session, game) if one is not seat}
    leaves_players_alone = "player" in others and "master" not in others
    if seat.role != "master" or not leaves_players_alone:
        return ""
    if needs_master(game) or hides_people(game):
        return (
            f"{game.name} always needs a master, and you are the only one. First PROMOTE an observer, or end the game "
            f"with TERMINATE {game.name}, or ask the keeper of this judge."
        )
    if settings_of(game).unmoderated:
        return ""
    return (
        f"You are the only master of {game.name}. First PROMOTE an observer. Or send SET UNMODERATED and then this "
        "line again. Its players then run the game, and all are notified."
    )


def vacate(work: Work, game: Game, seat: Seat) -> None:
    """Take a person out of `seat` without notifying anyone yet.

    Unlike a player who lost the power by being late, this person cannot return to it.
    """
    leave_seat(work.session, seat, work.now)
    work.log("resigned", game, f"{seat.power or seat.role} {seat.address}")


def tell_left(work: Work, game: Game, left: Left) -> None:
    """Notify the person who has left the game, and all others if that person was a player or a master.

    If a player of a running game has left, the standby list is asked for another.
    """
    seat = left.seat
    if seat.role == "player":
        _tell_player_left(work, game, left)
    elif seat.role == "master":
        _tell_master_left(work, game, left)
    if left.why:
        notices.tell_left(work, game, seat, left.why)
    phase = open_phase(work.session, game)
    if phase:
        game_mails.ask_standby(work, game, [seat.power or ""])
        # Compute the deadline again, since the phase no longer has to wait for that power's orders or its WAIT.
        schedule.reckon(work, FiledOrders(work.session, game, phase))
    elif seat.role == "player" and game.state == "forming":
        game_mails.ask_line(work, game)


def _tell_player_left(work: Work, game: Game, left: Left) -> None:
    power = left.seat.power
    who, whom, about = "A player", "a player", "players"
    if power:
        who, whom, about = power, f"the player of {power}", f"player of {power}"
    what, text = f"Resignation: {power or whom}", f"{who} has left {game.name}."
    if left.by:
        what, text = f"Ejection: {power or whom}", f"{left.by} has removed {whom} from {game.name}."
    apart = None if power else forming.HOUR
    text = f"{text} {what_follows(work.session, game, left.seat)}".rstrip()
    notices.tell_comings(work, notices.news_of(game, what, text, about=about, apart=apart))


def is_open(session: Session, game: Game, power: str | None) -> bool:
    """Return whether a power of a game that is being played has units or centers, but no player."""
    phase = open_phase(session, game)
    return phase is not None and power in vacant(game, phase, with_players(session, game))


def what_follows(session: Session, game: Game, seat: Seat) -> str:
    """Return a sentence on who may replace the former player of `seat`, or "" if the game has ended."""
    if game.state == "finished":
        return ""
    if game.state == "forming":
        return forming.what_is_missing(session, game)
    if is_open(session, game, seat.power):
        return f"{seat.power} is open to a replacement."
    return f"{seat.power} has nothing left on the board, so no one has to replace its player."


def _tell_master_left(work: Work, game: Game, left: Left) -> None:
    seat = left.seat
    name = name_of(work.session, seat)
    stepped = f"{name} has stepped down as a master of {game.name}."
    text = f"{left.by} has removed {name} as a master of {game.name}." if left.by else stepped
    what = f"{'Ejection' if left.by else 'Resignation'} of {name}"
    if masters_of(work.session, game):
        notices.tell_comings(work, notices.news_of(game, what, text, about=f"master {seat.id}"))
        return
    if is_run_by_players(work.session, game):
        text = f"{text} The game has no master now: its players run it. LIST {game.name} shows what they may do."
    else:
        text = f"{text} The game has no master now. The keeper of this judge can appoint another."
    notices.tell_news(work, game, what, text, about=f"master {seat.id}")
