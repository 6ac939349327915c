"""Who is told what: the mails to all seats of a game, one per address, each in its reader's zone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from markupsafe import Markup
from sqlmodel import Session

from judge.games.core.board import board, border_words, variant_of
from judge.games.core.outcomes import outcome_of
from judge.games.core.services import Services
from judge.games.core.settings import settings_of
from judge.games.core.settings_in_words import conduct
from judge.games.core.timing import Terms
from judge.games.core.who_may_see import (
    ANYBODY,
    disorder_shown,
    limits_told,
    may_see,
    played_stage,
    playing_masters,
    shown_to,
    viewer,
)
from judge.games.core.work import Work
from judge.games.notifications.digests import waits_until
from judge.games.notifications.page_parts import Own, shared_pages
from judge.games.notifications.personal_summary import Concern, concern, sentences
from judge.games.notifications.phase_data import PhaseData
from judge.games.notifications.pictures import PictureFor, for_seats, scene
from judge.games.orders import bid_report
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import Form, for_holder, forms
from judge.games.orders.opening import points_at_hand, told_at_opening
from judge.games.people.tokens import unsubscribe_word
from judge.mails.calendar_entry import Due
from judge.mails.mail_writer import Notice
from judge.mails.pages import Written, page_of
from judge.mails.templates import day_and_time
from judge.mails.views import position_view, result_view, title, unmanned
from judge.rules import Outcome, Position, Variant, words
from judge.store.games import played
from judge.store.people import people_of, registered_address
from judge.store.seats import by_address, left_seat, seats_of
from judge.store.states import MailKind
from judge.store.tables import Game, Person, Phase, Seat


@dataclass(frozen=True)
class Announcement:
    """What the people of a game are told, each in a mail of their own: a template and its context.

    `phase`: the phase that it is about; no mail goes out before that opens. `prefix` stands before everything else in
    the subject. `picture_for`: the picture that goes with the mail; `data`: what it tells, for who wants JSON.
    """

    game: Game
    phase: Phase | None
    template: MailKind
    subject: str
    context: Mapping[str, object]
    prefix: str = ""
    picture_for: PictureFor | None = None
    data: PhaseData | None = None


def tell_start(work: Work, game: Game, phase: Phase) -> None:
    """The start mail: the reader's power, a form for its orders, who plays what, where the units stand, when orders are
    due.
    """
    variant, position = board(game, phase)
    people, seats, settings = people_of(work.session, game), seats_of(work.session, game), settings_of(game)
    book = FiledOrders(work.session, game, phase)
    blank = forms(book, game.name)
    view = position_view(variant, position)
    picture_for = for_seats(work, scene(game, position, occasion="start"))
    data = PhaseData(game, seats, variant, position, phase)
    masters = playing_masters(seats)
    for seat in seats:
        players = _players(game, seats, people, seat)
        context = {
            "seat": seat,
            "forms": _of(work, game, blank, seat),
            "players": players,
            "position": view,
            "changes": border_words(game, variant),
            "powers": variant.powers_of(seat.power) if seat.power else (),
            "points": points_at_hand(book, seat.power) if seat.power else "",
            "conduct": conduct(variant, settings),
            "unmanned": unmanned(variant, position),
            "fixed": settings.fixed,
            "seed": settings.seed,
            "master_plays": bool(masters - {seat.person_id}),
            "blind": limits_told(game, seats, seat.person_id),
        }
        subject = f"{phase.name} Game Starting"
        announcement = Announcement(game, phase, "start", subject, context, picture_for=picture_for, data=data)
        reader = people[seat.person_id]
        work.mail(_notice(work, [seat], announcement, reader, _both(work, announcement, reader)))


def _players(
    game: Game, seats: Sequence[Seat], people: Mapping[int, Person], reader: Seat
) -> list[tuple[str, str, str]]:
    """(power or "Master", name, address) of the players and masters, as far as `reader` may see them."""
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


def tell_position(work: Work, game: Game, phase: Phase, seat: Seat) -> None:
    """The position and the deadline, to one seat."""
    variant, position = board(game, phase)
    context = {"position": position_view(variant, position)}
    picture_for = for_seats(work, scene(game, position))
    subject, data = f"{phase.name} Position", PhaseData(game, [seat], variant, position, phase)
    tell_seat(work, seat, Announcement(game, phase, "position", subject, context, picture_for=picture_for, data=data))


def tell_results(
    work: Work,
    book: FiledOrders,
    outcome: Outcome,
    next_book: FiledOrders | None,
    seats: Sequence[Seat],
    idlers: Sequence[str] | None = None,
) -> None:
    """The results of the book's phase and the deadline of the next one, to every seat of the game (`seats`); to players
    with a form for it. Each copy begins with what the phase did to its reader, and tells about the bids what the reader
    may know.

    `next_book`: of the next phase, if people can order in it. `idlers`: the next phase is processed at once,
    since only these powers would have something to order in it, and nobody plays them; None: it is not.
    """
    game, phase, position, variant = book.game, book.phase, book.position, book.variant
    context = {
        "result": result_view(variant, position, outcome),
        "turn": phase.number,
        "at_once": idlers is not None,
        "owing": idlers or () if shown_to(None, game).changes else (),
    }
    picture_for = for_seats(work, scene(game, position, outcome, "results"))
    following = next_book.phase if next_book else None
    subject, data = f"{phase.name} Results", PhaseData(game, seats, variant, position, following, outcome)
    tell_all(
        work,
        Announcement(game, following, "results", subject, context, picture_for=picture_for, data=data),
        seats=seats,
        apart=Apart(
            blank=forms(next_book, game.name) if next_book else {},
            next_book=next_book,
            concerns=_concerns(variant, position, outcome, seats),
            ends=bid_report.endings(work.services, book, outcome, seats),
        ),
    )


def _concerns(variant: Variant, position: Position, outcome: Outcome, seats: Sequence[Seat]) -> dict[str, Concern]:
    """{power: what the phase did to its player}."""
    found = ((seat.power, concern(variant, position, outcome, seat.power)) for seat in seats if seat.power)
    return {power: one for power, one in found if one}


def tell_end(work: Work, game: Game, phase: Phase | None, sentence: str) -> None:
    """The end of the game and its reason, to every seat; and who played, as far as the game tells it."""
    players = _all_players(work, game) if game.started_at and shown_to(None, game).names else []
    context = {"sentence": sentence, "ended": phase.name if phase else "", "players": players}
    subject = f"{phase.name} {game.result}" if phase else game.result
    tell_all(work, Announcement(game, None, "end", subject, context))
    if variant_of(game).points:
        _reveal_bids(work, game)


def _all_players(work: Work, game: Game) -> list[tuple[str, str]]:
    """(power, its player) of every power; a power without a player has its last one, or is in civil disorder."""
    session, shown = work.session, shown_to(None, game)
    seats = {seat.power: seat for seat in seats_of(session, game) if seat.power}
    found = []
    for power in sorted(seat.name for seat in variant_of(game).seats):
        seat = seats.get(power)
        last = seat or left_seat(session, game, power)
        name = session.get_one(Person, last.person_id).name if last else "nobody"
        if power in disorder_shown(game, shown):
            name = f"in civil disorder{f', before that {name}' if last else ''}"
        elif not seat and shown.changes:
            name = f"open, before that {name}" if last else name
        found.append((power, name))
    return found


def _reveal_bids(work: Work, game: Game) -> None:
    """All bids, now that the game has ended: to every seat if it is set so, else to who may see them only now."""
    seats, stage = seats_of(work.session, game), played_stage(game)
    to_all = may_see(ANYBODY, game, "bids", stage)
    readers = {address: viewer(mine, seats) for address, mine in by_address(seats).items()}
    knew = {address for address, reader in readers.items() if may_see(reader, game, "bids", "processed")}
    new = {address for address, reader in readers.items() if may_see(reader, game, "bids", stage)} - knew
    if not (to_all or new):
        return
    variant, told = variant_of(game), []
    for phase in played(work.session, game):
        position, outcome = outcome_of(game, phase)
        if outcome.bids.bids:
            told.append((title(phase.name, "bids"), bid_report.full_report(variant, position, outcome.bids)))
    skip = set() if to_all else readers.keys() - new
    tell_all(work, Announcement(game, None, "revealed", "All Bids", {"told": told, "to_all": to_all}), skip)


def tell_schedule(work: Work, game: Game, phase: Phase, before: Terms, why: str) -> None:
    """The times of a phase were moved: the old ones, the new ones and `why`, a sentence."""
    context = {"before": before, "why": why}
    tell_all(work, Announcement(game, phase, "deadline", f"{phase.name} Deadline Adjustment", context))


def tell_pending(work: Work, game: Game, phase: Phase, seat: Seat, context: Mapping[str, object]) -> None:
    """The result of the orders that a player had given for this phase before it opened."""
    tell_seat(work, seat, Announcement(game, phase, "pending", f"{phase.name} Pending Orders", context))


def tell_news(work: Work, game: Game, what: str, text: str, skip: Collection[str] = ()) -> None:
    """One paragraph to every seat, except those at the addresses in `skip`."""
    tell_all(work, Announcement(game, None, "news", what, {"text": text}), skip)


def tell_comings(work: Work, game: Game, what: str, text: str, skip: Collection[str] = ()) -> None:
    """Who comes or goes: to every seat, in a quiet game only to the masters (SET QUIET)."""
    tell_news(work, game, what, text, {*skip, *kept_out(work.session, game)})


def tell_left(work: Work, game: Game, seat: Seat, why: str) -> None:
    """The holder of `seat` is told at once that they have lost it, no matter who wrote the letter that did it, and
    `why`: `its master has removed you`.
    """
    roles = {"master": "are no longer a master of", "observer": "no longer observe", "player": "are no longer in"}
    lost = f"no longer play {seat.power} in" if seat.power else roles[seat.role]
    text = (
        f"You {lost} game {game.name}: {why}. If you did not want that, write to the keeper of this judge at once: "
        f"{work.services.settings.keeper}."
    )
    tell_loser(work, seat, Announcement(game, None, "news", "You Have Left the Game", {"text": text}))


def tell_loser(work: Work, seat: Seat, announcement: Announcement) -> None:
    """Tell whoever has lost `seat`, at once: at the address they registered from, and at the game's if that is another.
    """
    person, game = work.session.get_one(Person, seat.person_id), announcement.game
    body = _body(work.services, announcement, person.zone)
    due = Due("", work.now, cancelled=True) if person.calendar else None
    for address in dict.fromkeys([registered_address(work.session, person), seat.address]):
        work.mail(
            Notice(
                to=address,
                kind=announcement.template,
                subject=announcement.subject,
                body=body,
                due=due,
                game=game,
                phase=announcement.phase,
            )
        )


def kept_out(session: Session, game: Game) -> set[str]:
    """The addresses that are not told who comes, goes or is late: in a quiet game all except the masters'."""
    seats = seats_of(session, game)
    told = {seat.address for seat in seats if shown_to(seat, game).changes}
    return {seat.address for seat in seats} - told


@dataclass(frozen=True)
class Apart:
    """What readers get beside an announcement, each their own: `blank`: {power: the form for its player's next letter};
    `next_book`: the phase of which players are told what it asks of them, above the form; `concerns`: {power: what
    happened to its player}, for the beginning; `ends`: {address: what the mail ends with}.
    """

    blank: Mapping[str, Form] = field(default_factory=dict)
    next_book: FiledOrders | None = None
    concerns: Mapping[str, Concern] | None = None
    ends: Mapping[str, str] = field(default_factory=dict)


_NOTHING_APART = Apart()


def tell_all(
    work: Work,
    announcement: Announcement,
    skip: Collection[str] = (),
    *,
    seats: Sequence[Seat] | None = None,
    apart: Apart = _NOTHING_APART,
) -> None:
    """The same mail to every seat, except those at the addresses in `skip`, once per address. It is made once for all
    readers in a zone whom it concerns in the same way; if players have groups of powers, once per group, with the
    orders of the reader's group first.

    `seats`: the seats of the game, if the caller has them.
    """
    readers = people_of(work.session, announcement.game)
    seats = seats_of(work.session, announcement.game) if seats is None else seats
    groups = {group.name for group in variant_of(announcement.game).groups}
    bodies: dict[tuple[str, str, tuple[str, ...]], str] = {}
    about = {**_about(announcement), **announcement.context}
    variant = variant_of(announcement.game)
    shared = shared_pages(work.services.post, about, variant, announcement.template, work.now)

    @cache
    def reported(zone: str, own: str) -> str:
        return work.services.post.render("_results", zone, **about, own=own)

    mails: list[Notice] = []
    for address, own_seats in by_address(seats).items():
        if address in skip:
            continue
        seat = own_seats[0]
        reader = readers[seat.person_id]
        zone = reader.zone
        own = seat.power if seat.power in groups else ""
        game = announcement.game
        concerns = _told_first(announcement, apart, own_seats, zone)
        if (zone, own, concerns) not in bodies:
            first = {} if apart.concerns is None else {"concerns": concerns, "reported": reported(zone, own)}
            bodies[zone, own, concerns] = _body(work.services, announcement, zone, own=own, **first)
        mine = [form for other in own_seats for form in _of(work, game, apart.blank, other)]
        body = bodies[zone, own, concerns]
        asked, end = _asked(apart.next_book, own_seats), apart.ends.get(address, "")
        if asked:
            body += f"\n\n{work.services.post.render('_asked', zone, sentences=asked)}"
        if mine:
            body += f"\n\n{work.services.post.render('_form', zone, forms=mine)}"
        if end:
            body += f"\n\n{end}"
        own_part = Own(own_seats, concerns, asked, mine, end)
        page = shared.for_reader(own_part, zone) if shared and reader.html else Markup()
        notice = _notice(work, own_seats, announcement, reader, Written.of(body, page))
        if not (asked or mine or notice.due or notice.data) and all(other.role != "master" for other in own_seats):
            notice = replace(notice, until=waits_until(reader, seat, announcement.template, work.now))
        mails.append(notice)
    work.mail_all(mails)


def _told_first(announcement: Announcement, apart: Apart, own: Sequence[Seat], zone: str) -> tuple[str, ...]:
    """What happened to the reader who has these seats, in a paragraph for each power or colour."""
    found = apart.concerns or {}
    mine = [found[seat.power] for seat in own if seat.power and seat.power in found]
    phase = announcement.phase
    until = ""
    if phase and announcement.game.state != "paused":
        until = day_and_time(phase.deadline_at, zone, phase.opened_at)
    return tuple(f"{f'{one.seat}: ' * (len(mine) > 1)}{' '.join(sentences(one, until))}" for one in mine)


def _asked(book: FiledOrders | None, own: Sequence[Seat]) -> list[str]:
    """What the phase asks of the player with these seats, in a sentence for each power or colour."""
    playing = [seat.power for seat in own if seat.power]
    if book is None:
        return []
    told = (told_at_opening(book, power, f"{power} has" if len(playing) > 1 else "You have") for power in playing)
    return [sentence for sentence in told if sentence]


def _of(work: Work, game: Game, blank: Mapping[str, Form], seat: Seat) -> list[Form]:
    """The form for the player of what `seat` plays."""
    form = for_holder(work, game, seat, blank.get(seat.power or ""))
    return [form] if form else []


def tell_seat(work: Work, seat: Seat, announcement: Announcement) -> None:
    """A mail to one seat."""
    reader = people_of(work.session, announcement.game)[seat.person_id]
    work.mail(_notice(work, [seat], announcement, reader, _both(work, announcement, reader)))


def _body(services: Services, announcement: Announcement, zone: str, **more: object) -> str:
    """The text for a reader in `zone`."""
    return services.post.render(announcement.template, zone, **_about(announcement), **announcement.context, **more)


def _both(work: Work, announcement: Announcement, reader: Person) -> Written:
    """The text for a reader, and its page."""
    context = {**_about(announcement), **announcement.context}
    return work.services.post.written(announcement.template, reader.zone, work.now, context, html=reader.html)


def _about(announcement: Announcement) -> dict[str, object]:
    return {"game": announcement.game, "phase": announcement.phase, "variant": variant_of(announcement.game)}


def due_now(work: Work, game: Game, phase: Phase | None, what: MailKind = "reply") -> Due | None:
    """What calendars are told with a mail about the game and that phase: the deadline, or that there is none now; None:
    nothing. `what`: the kind of the mail.
    """
    if game.state == "paused" or what == "end":
        return Due("", phase.deadline_at if phase else work.now, cancelled=True)
    return Due(words(phase.name), phase.deadline_at) if phase and not phase.processed_at else None


def _notice(work: Work, own: Sequence[Seat], announcement: Announcement, reader: Person, body: str) -> Notice:
    """The mail to the reader with these seats, about the first of them. Observers can unsubscribe with every mail; a
    player's mails are part of the game.
    """
    seat = own[0]
    return Notice(
        to=seat.address,
        kind=announcement.template,
        subject=announcement.subject,
        prefix=announcement.prefix,
        threaded=reader.threads,
        body=body,
        page=page_of(body),
        plain=not reader.html,
        due=due_now(work, announcement.game, announcement.phase, announcement.template) if reader.calendar else None,
        data=announcement.data.for_reader(own) if announcement.data and reader.data else None,
        game=announcement.game,
        phase=announcement.phase,
        picture_id=announcement.picture_for(seat) if announcement.picture_for else None,
        unsubscribe=unsubscribe_word(work.services, seat) if seat.role == "observer" else "",
    )
