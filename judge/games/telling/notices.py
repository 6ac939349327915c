"""Who is told what: the mails to all seats of a game, one per address, each in its reader's zone."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from sqlmodel import Session

from judge.games.core import masters
from judge.games.core.board import board, border_words, variant_of
from judge.games.core.office import Office
from judge.games.core.outcomes import outcome_of
from judge.games.core.settings import GameSettings
from judge.games.core.timing import Terms
from judge.games.core.who_may_see import shown_to
from judge.games.orders import bid_report
from judge.games.orders.forms import Form, forms
from judge.games.orders.orderbook import OrderBook
from judge.games.people.tokens import unsubscribe_word
from judge.games.telling.pictures import PictureFor, for_seats, scene
from judge.mails.views import position_view, result_view, title
from judge.rules import Outcome, Position
from judge.store.lookups import people_of, registered_address, seats_of
from judge.store.records import played
from judge.store.states import MailKind
from judge.store.tables import Game, Person, Phase, Seat


def tell_start(session: Session, office: Office, game: Game, phase: Phase, now: datetime) -> None:
    """The start mail: your power, a form for its orders, who plays what, where the units stand, when they are due."""
    variant, position = board(game, phase)
    people, seats = people_of(session, game), seats_of(session, game)
    blank = forms(OrderBook(session, game, phase), game.name)
    view = position_view(variant, position)
    picture_for = for_seats(session, scene(game, position, occasion="start"), now)
    for seat in seats:
        players = _players(game, seats, people, seat)
        context = {
            "seat": seat,
            "forms": _of(blank, seat),
            "players": players,
            "position": view,
            "changes": border_words(game, variant),
            "powers": variant.powers_of(seat.power) if seat.power else (),
            "fixed": GameSettings.from_json(game.settings).fixed,
            "seed": GameSettings.from_json(game.settings).seed,
            "master_plays": masters.master_plays(seats) and not masters.plays_too(seats, seat.person_id),
            "blind": masters.blindness(session, game, people[seat.person_id]),
        }
        body = _body(office, game, phase, "start", people[seat.person_id].zone, context)
        subject = f"{phase.name} Game Starting"
        _post(session, office, game, phase, "start", subject, seat, body, now, picture_for=picture_for)


def _players(
    game: Game, seats: Sequence[Seat], people: Mapping[int, Person], reader: Seat
) -> list[tuple[str, str, str]]:
    """(power or "Master", name, address) of those who play, as far as `reader` may see them."""
    shown = shown_to(reader, game)
    return [
        (
            seat.power or seat.role.title(),
            people[seat.person_id].name if shown.names or seat.role == "master" else "",
            seat.address if shown.addresses else "",
        )
        for seat in sorted(seats, key=lambda seat: seat.power or "")
        if seat.role != "observer"
    ]


def tell_position(session: Session, office: Office, game: Game, phase: Phase, seat: Seat, now: datetime) -> None:
    """The position and the deadline, to one seat."""
    zone = people_of(session, game)[seat.person_id].zone
    variant, position = board(game, phase)
    context = {"position": position_view(variant, position)}
    body = _body(office, game, phase, "position", zone, context)
    picture_for = for_seats(session, scene(game, position), now)
    _post(session, office, game, phase, "position", f"{phase.name} Position", seat, body, now, picture_for=picture_for)


def tell_results(
    session: Session,
    office: Office,
    game: Game,
    phase: Phase,
    position: Position,
    outcome: Outcome,
    following: Phase | None,
    now: datetime,
    at_once: bool = False,
) -> None:
    """The results of `phase` and the deadline of the one that follows, to every seat; to players with a form for it.

    Each copy tells of the bids what its reader may know.

    `at_once`: the one that follows is processed at once, since nobody has anything to order in it.
    """
    view = result_view(variant_of(game), position, outcome)
    context = {"result": view, "turn": phase.number, "at_once": at_once}
    blank = forms(OrderBook(session, game, following), game.name) if following else {}
    ends = bid_report.endings(office, variant_of(game), position, outcome, seats_of(session, game))
    picture_for = for_seats(session, scene(game, position, outcome, "results"), now)
    tell_all(
        session, office, game, following, "results", f"{phase.name} Results", context, now,
        blank=blank, ends=ends, picture_for=picture_for,
    )


def tell_end(
    session: Session, office: Office, game: Game, phase: Phase | None, sentence: str, now: datetime
) -> None:
    """The end of the game and how it came, to every seat; and who played, as far as the game tells."""
    people = people_of(session, game)
    told = shown_to(None, game).names
    players = [(seat.power, people[seat.person_id].name) for seat in seats_of(session, game) if seat.power and told]
    context = {"sentence": sentence, "ended": phase.name if phase else "", "players": sorted(players)}
    subject = f"{phase.name} {game.result}" if phase else game.result
    tell_all(session, office, game, None, "end", subject, context, now)
    if GameSettings.from_json(game.settings).reveal_bids:
        _reveal_bids(session, office, game, now)


def _reveal_bids(session: Session, office: Office, game: Game, now: datetime) -> None:
    """What was the master's alone, in a game that was set so, to every seat now that it has ended."""
    variant, told = variant_of(game), []
    for phase in played(session, game):
        position, outcome = outcome_of(game, phase)
        if outcome.bids.bids:
            told.append((title(phase.name, "bids"), bid_report.full_report(variant, position, outcome.bids)))
    tell_all(session, office, game, None, "revealed", "All Bids", {"told": told}, now)


def tell_schedule(
    session: Session, office: Office, game: Game, phase: Phase, before: Terms, why: str, now: datetime
) -> None:
    """The times of a phase were moved: the old ones, the new ones and why, a sentence."""
    context = {"before": before, "why": why}
    tell_all(session, office, game, phase, "deadline", f"{phase.name} Deadline Adjustment", context, now)


def tell_pending(
    session: Session, office: Office, game: Game, phase: Phase, seat: Seat, context: dict[str, Any], now: datetime
) -> None:
    """What came of the orders that a player had given for this phase before it opened."""
    body = _body(office, game, phase, "pending", people_of(session, game)[seat.person_id].zone, context)
    _post(session, office, game, phase, "pending", f"{phase.name} Pending Orders", seat, body, now)


def tell_news(
    session: Session, office: Office, game: Game, what: str, text: str, now: datetime, skip: Collection[str] = ()
) -> None:
    """One paragraph to every seat but those at the addresses in `skip`."""
    tell_all(session, office, game, None, "news", what, {"text": text}, now, skip)


def tell_comings(
    session: Session, office: Office, game: Game, what: str, text: str, now: datetime, skip: Collection[str] = ()
) -> None:
    """Who comes or goes: to every seat, in a quiet game to the masters alone (judge-commands 2.7)."""
    tell_news(session, office, game, what, text, now, {*skip, *kept_out(session, game)})


def tell_left(session: Session, office: Office, game: Game, seat: Seat, now: datetime) -> None:
    """The holder of `seat` is told at once that they have lost it, no matter who wrote the letter that did it.

    The mail goes to the address they registered from, and to the game's where that is another one.
    """
    person = session.get_one(Person, seat.person_id)
    whom = f"You no longer play {seat.power} in game" if seat.power else "You are no longer in game"
    text = (
        f"{whom} {game.name}: you have resigned, or its master has taken your seat. If you did not want that, write "
        f"to the keeper of this judge at once: {office.settings.keeper}."
    )
    body = _body(office, game, None, "news", person.zone, {"text": text})
    for address in dict.fromkeys([registered_address(session, person), seat.address]):
        office.post.notice(
            session, to=address, kind="news", subject="You Have Left the Game", body=body, now=now, game=game
        )


def kept_out(session: Session, game: Game) -> set[str]:
    """The addresses that are not told who comes, goes or is late: in a quiet game all but the masters'."""
    seats = seats_of(session, game)
    told = {seat.address for seat in seats if shown_to(seat, game).changes}
    return {seat.address for seat in seats} - told


def tell_all(
    session: Session,
    office: Office,
    game: Game,
    phase: Phase | None,
    template: MailKind,
    subject: str,
    context: dict[str, Any],
    now: datetime,
    skip: Collection[str] = (),
    blank: Mapping[str, Form] = MappingProxyType({}),
    ends: Mapping[str, str] = MappingProxyType({}),
    picture_for: PictureFor | None = None,
) -> None:
    """The same mail to every seat, once per address; made once per zone, and where players have groups of powers once
    per group, whose orders stand first.

    `blank`: {power: the form for its player's next letter}; `ends`: {address: what the mail ends with}.
    """
    people, seats = people_of(session, game), seats_of(session, game)
    groups = {group.name for group in variant_of(game).groups}
    bodies: dict[tuple[str, str], str] = {}
    told = set(skip)
    for seat in seats:
        if seat.address in told:
            continue
        told.add(seat.address)
        zone = people[seat.person_id].zone
        kind = (zone, seat.power if seat.power in groups else "")
        if kind not in bodies:
            bodies[kind] = _body(office, game, phase, template, zone, {**context, "own": kind[1]})
        mine = [form for other in seats if other.address == seat.address for form in _of(blank, other)]
        body = bodies[kind]
        if mine:
            body += f"\n\n{office.post.render('_form', zone, forms=mine)}"
        if seat.address in ends:
            body += f"\n\n{ends[seat.address]}"
        _post(session, office, game, phase, template, subject, seat, body, now, picture_for=picture_for)


def _of(blank: Mapping[str, Form], seat: Seat) -> list[Form]:
    """The form for the player of what `seat` plays."""
    return [blank[seat.power]] if seat.power and seat.power in blank else []


def tell_seat(
    session: Session,
    office: Office,
    game: Game,
    phase: Phase | None,
    template: MailKind,
    subject: str,
    seat: Seat,
    context: dict[str, Any],
    now: datetime,
    *,
    prefix: str = "",
) -> None:
    """A mail to one seat; `prefix` stands before everything else in its subject."""
    body = _body(office, game, phase, template, people_of(session, game)[seat.person_id].zone, context)
    _post(session, office, game, phase, template, subject, seat, body, now, prefix)


def _body(
    office: Office, game: Game, phase: Phase | None, template: str, zone: str, context: dict[str, Any]
) -> str:
    variant = variant_of(game)
    return office.post.render(template, zone, game=game, phase=phase, variant=variant, **context)


def _post(
    session: Session,
    office: Office,
    game: Game,
    phase: Phase | None,
    kind: MailKind,
    subject: str,
    seat: Seat,
    body: str,
    now: datetime,
    prefix: str = "",
    picture_for: PictureFor | None = None,
) -> None:
    """Observers get a way out with every mail; a player's mails are part of the game."""
    office.post.notice(
        session,
        to=seat.address,
        kind=kind,
        subject=subject,
        prefix=prefix,
        body=body,
        now=now,
        game=game,
        phase=phase,
        picture_id=picture_for(seat) if picture_for else None,
        unsubscribe=unsubscribe_word(office, seat) if seat.role == "observer" else "",
    )
