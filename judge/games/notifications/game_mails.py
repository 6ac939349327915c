"""The emails that every game sends: its start, the position, the results of each phase, its end, the secret bids.

judge/mails/results.py describes the results. This module decides which part of the results each reader gets.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

from judge.games.core.acts import rights_of_players
from judge.games.core.board import (
    board,
    border_words,
    letters_of,
    outcome_of,
    standing,
    turn_of,
    vacant,
    variant_now,
    variant_of,
)
from judge.games.core.settings import conduct, late_words, settings_of
from judge.games.core.tenures import tenures
from judge.games.core.who_may_see import (
    ANYBODY,
    disorder_shown,
    hides_people,
    limits_told,
    may_see,
    played_stage,
    playing_masters,
    seats_shown,
    shown_to,
    viewer,
)
from judge.games.core.work import Work
from judge.games.notifications.game_data import phase_data
from judge.games.notifications.gathering import (
    OF_ENDING,
    OF_POWERS,
    Announcement,
    Own,
    Told,
    at_end,
    has_had_enough,
    left_to_stranger,
    tell,
)
from judge.games.notifications.notices import tell_all, tell_seat
from judge.games.notifications.pictures import parts_words, scene
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import (
    bids_verdict,
    full_report,
    may_bid,
    own_bids,
    own_forms,
    points_to_put,
    special,
    told_at_opening,
)
from judge.games.people.identity import is_denied
from judge.mails.results import own_results, results_of
from judge.mails.templates import day_and_time
from judge.mails.views import position_view, title, unmanned
from judge.rules import LEFT_OPEN, Outcome, listed
from judge.store.games import open_phase, played
from judge.store.people import standing_by
from judge.store.seats import (
    by_address,
    by_power,
    in_line,
    leave_line,
    left_seat,
    of_role,
    seats_in,
    seats_of,
    with_players,
)
from judge.store.tables import NEVER, Game, Person, Phase, Seat


def tell_start(work: Work, game: Game, phase: Phase, by: str) -> None:
    """Mail all people their power or role, a form for orders, the players, the units' positions and the deadline.

    `by` names who has started the game, as the beginning of a sentence. `by` is "" if the game starts because the last
    player has joined.
    """
    announcement, own = _start_email(
        work, game, phase, f"{phase.name} Game Starting", by and f"{by} has started the game."
    )
    tell_all(work, announcement, own=own)


def tell_place(work: Work, game: Game, phase: Phase, seat: Seat) -> None:
    """Mail the new player of a power the content of the start email, with the present state of the game."""
    announcement, own = _start_email(work, game, phase, f"{phase.name} You Play {seat.power}", "")
    told = replace(announcement, context={**announcement.context, "is_new": True}, about="place")
    tell(work, Told(told, {seat.address: [seat]}, own))


def _start_email(work: Work, game: Game, phase: Phase, subject: str, started: str) -> tuple[Announcement, Own]:
    """Return the email that shows people their powers or roles, and a function for each reader's own variables.

    `started` says who has started the game, as a sentence.
    """
    variant, position = board(game, phase)
    seats, settings = seats_of(work.session, game), settings_of(game)
    book = FiledOrders(work.session, game, phase)
    running = phase if game.state == "active" else None
    also = [rights_of_players(work.session, game), published(work, game), parts_words(game)]
    context = {
        "is_new": False,
        "position": position_view(variant, position),
        "changes": border_words(game, variant),
        "unmanned": unmanned(variant, position),
        "fixed": settings.fixed,
        "seed": settings.seed,
    }

    def own(mine: Sequence[Seat], zone: str) -> Mapping[str, object]:
        seat = mine[0] if settings.solo else next((one for one in mine if one.power), mine[0])
        rules = of_role(mine, "master")
        of_power: dict[str, object] = {"powers": (), "mine": (), "points": "", "special": (), "has_orders": False}
        if power := seat.power:
            powers = variant.powers_of(power)
            of_power = {
                "powers": powers,
                "mine": {power, *powers},
                "points": points_to_put(book, power),
                "special": special(variant, position, power),
                "has_orders": bool(book.given(power) or book.bids.given(power)),
            }
        forms = own_forms(work, book, mine)
        return {
            **of_power,
            "seat": seat,
            "conduct": [started, *conduct(variant, settings, late_words(settings, running, zone, work.now)), *also],
            "rules": bool(rules),
            "forms": forms,
            "has_gaps": any(LEFT_OPEN in line for form in forms for line in form.lines),
            "solo": settings.solo,
            "players": _players(work, game, (rules or [seat])[0]),
            "master_plays": bool(playing_masters(game, seats) - {seat.person_id}),
            "blind": limits_told(game, seats, seat.person_id),
        }

    announcement = Announcement(
        game, phase, "start", subject, context,
        scene=scene(game, position, occasion="start"),
        data=phase_data(game, seats, (variant, position), phase),
        about=OF_POWERS,
    )  # fmt: skip
    return announcement, own


def published(work: Work, game: Game) -> str:
    """Return sentences on whether public pages show the game, and what they show, or "" if they do not."""
    public = work.settings.public
    if not (public.folder and settings_of(game).listed):
        return ""
    where = f" at {public.address}" if public.address else ""
    names = "" if hides_people(game) else " They show your name only if you send SET PUBLIC NAME ON."
    shown = "with its results, its map and the press to everyone"
    return f"Each processed phase of this game is published on the web{where}, {shown}.{names}"


def _players(work: Work, game: Game, reader: Seat) -> list[tuple[str, str, str]]:
    """Return (power or "Master", name, address) of the players and masters that `reader` may see.

    A power that the reader may know to have no player is shown as open or in civil disorder.
    """
    shown = shown_to(reader, game)
    rows = {power: (power, "open", "") for power in variant_of(game).seat_named}
    rows |= {power: (power, "in civil disorder", "") for power in disorder_shown(game, shown)}
    masters = []
    for seat, person in seats_shown(work.session, game, shown):
        name, address = shown.name_of(seat, person), shown.address_of(seat)
        if seat.power:
            rows[seat.power] = (seat.power, name, address)
        elif seat.role == "master":
            masters.append(("Master", name, address))
    return [*masters, *sorted(rows.values(), key=lambda one: turn_of(game, one[0]))]


def tell_position(work: Work, game: Game, phase: Phase, seat: Seat) -> None:
    """Mail the position and the deadline to the person in `seat`."""
    variant, position = board(game, phase)
    context = {"position": position_view(variant, position)}
    subject, shown = f"{phase.name} Position", scene(game, position)
    data = phase_data(game, [seat], (variant, position), phase)
    told = Announcement(game, phase, "position", subject, context, scene=shown, data=data, about="position")
    tell_seat(work, seat, told)


def tell_results(
    work: Work,
    book: FiledOrders,
    outcome: Outcome,
    then: FiledOrders | Sequence[str] | None,
    seats: Sequence[Seat],
    why: str,
) -> None:
    """Mail the results of the book's phase, and the deadline of the next one, to all people in `seats`.

    Each copy begins with the results for its reader, and ends with a form. The copy shows the bids that the reader may
    know. `then` has the orders of the next phase, if people can order in it. If the next phase is processed
    immediately, `then` lists the powers without players that could order in it. If the game is over, `then` is None.
    `why` says who has processed the phase, as a sentence. `why` is "" if the phase was processed at its time.
    """
    game, phase, position, variant = book.game, book.phase, book.position, book.variant
    next_book, following, at_once = None, None, ""
    if isinstance(then, FiledOrders):
        next_book, following = then, then.phase
    elif then is not None:
        who = "No one has anything"
        if then and shown_to(None, game).changes:
            who = f"Only {listed(then)}, which no one plays, would have something"
        at_once = f"{who} to order in that phase, so its results follow."
    context = {"result": results_of(variant, position, outcome), "turn": phase.number, "at_once": at_once}
    over = [why or f"{phase.name} has been processed.", *_silent(book, seats)]

    def own(mine: Sequence[Seat], zone: str) -> Mapping[str, object]:
        playing = [*by_power(mine)]
        asked = []
        forms = []
        until = ""
        if next_book and not next_book.phase.processed_at:
            who = "{} has" if len(playing) > 1 else "You have"
            asked = [told_at_opening(next_book, power, who.format(power)) for power in playing]
            forms = own_forms(work, next_book, mine)
            if game.state != "paused" and next_book.phase.deadline_at < NEVER:
                until = day_and_time(next_book.phase.deadline_at, zone, next_book.phase.opened_at)
        return {
            "own": {*playing, *(own for power in playing for own in variant.powers_of(power))},
            # A master who orders for all powers reads the results without a personal summary.
            "summary": [] if settings_of(game).solo else _summary(book, outcome, playing, until, why) or [("", over)],
            "asked": [*filter(None, asked)],
            "forms": forms,
            "bids": _bids(work, book, outcome, mine, seats),
        }

    announcement = Announcement(
        game,
        following,
        "results",
        f"{phase.name} Results",
        context,
        scene=scene(game, position, outcome, "results"),
        data=phase_data(game, seats, (variant, position), following, outcome),
        result_of=phase,
    )
    tell_all(work, announcement, own=own, seats=seats)


def _silent(book: FiledOrders, seats: Sequence[Seat]) -> Iterator[str]:
    """Yield a sentence on the players who sent no orders, if there are any."""
    played = {seat.power for seat in seats}
    silent = [power for power in book.asked if power in played and not book.given(power)]
    if silent:
        yield f"{listed(silent)} sent no orders{' (NMR)' if book.kind == 'M' else ''}."


def _summary(
    book: FiledOrders, outcome: Outcome, playing: Sequence[str], until: str, why: str
) -> list[tuple[str, list[str]]]:
    """Return sentences about each of the reader's powers, under its name if there are several, and after them `why`.

    There are none for a reader with nothing on the board.
    """
    told = [(power, _own_sentences(book, outcome, power, until)) for power in playing]
    said = [(power, sentences) for power, sentences in told if sentences]
    if len(said) == 1:
        said = [("", said[0][1])]
    return [*said, ("", [why])] if said and why else said


def _own_sentences(book: FiledOrders, outcome: Outcome, power: str, until: str) -> list[str]:
    variant = book.variant
    verdict = bids_verdict(book.position, outcome, power)
    sentences = [*own_results(variant, book.position, outcome, power, until, verdict)]
    displaced = [text for own in variant.powers_of(power) for text in book.displaced_by_now(own)]
    if displaced:
        sentences.append(f"A later email replaced your {listed(displaced)}.")
    is_out = not any(outcome.position.holdings(variant.powers_of(power)))
    if sentences and is_out and book.game.state != "finished":
        sentences.append(rights_of_eliminated(book.game))
    return sentences


def rights_of_eliminated(game: Game) -> str:
    """Return sentences on what a player with nothing left on the board may still do."""
    settings = settings_of(game)
    press = " and can write press" if settings.white_press or settings.grey_press else ""
    return (
        f"You are out of {game.name}: it does not wait for you, and you have no vote. You still get its "
        f"results{press}. To leave it, send RESIGN {game.name} after SIGNON."
    )


def _bids(work: Work, book: FiledOrders, outcome: Outcome, mine: Sequence[Seat], seats: Sequence[Seat]) -> str:
    """Return the report on bids for the reader of the seats `mine`, or "" if there is none.

    The report has all bids if the reader may see them, else only the reader's own bids.
    """
    variant, position = book.variant, book.position
    if not may_bid(variant, position):
        return ""
    sees_all = may_see(viewer(mine, seats), book.game, "bids", "processed")
    full = full_report(variant, position, outcome) if sees_all else None
    own = [own_bids(variant, position, outcome, seat.power) for seat in mine if seat.power]
    own = [bids for bids in own if bids.income]
    return work.services.post.render("bids", "UTC", full=full, own=own) if full or own else ""


def tell_end(work: Work, game: Game, phase: Phase | None, sentence: str) -> None:
    """Notify all people of the game's end, and of who played, if the game reveals its players."""
    context: dict[str, Any] = {"sentence": sentence, "ended": "", "players": [], "position": None}
    subject, shown = game.result, None
    if phase:
        context["ended"], subject = phase.name, f"{phase.name} {game.result}"
    if game.started_at and shown_to(None, game).names:
        context["players"] = _all_players(work, game)
    last = standing(work.session, game) if game.started_at else None
    if last:
        context["position"] = position_view(variant_now(work.session, game), last)
        shown = scene(game, last)
    tell_all(work, Announcement(game, None, "end", subject, context, scene=shown, about=OF_ENDING))
    if variant_of(game).points:
        _reveal_bids(work, game)


def _all_players(work: Work, game: Game) -> list[tuple[str, str]]:
    """Return (power, player and time) for each player of a power, and for powers without a player at the end."""
    shown = shown_to(None, game)
    found = [(one.seat, str(one)) for one in tenures(work.session, game, shown) if one.seat != "Master"]
    disorder, played_by_someone = disorder_shown(game, shown), {power for power, _ in found}
    for power in variant_of(game).seat_named:
        if power in disorder:
            found.append((power, "in civil disorder at the end"))
        elif power not in played_by_someone:
            found.append((power, "no one"))
    return sorted(found, key=lambda one: turn_of(game, one[0]))


def _reveal_bids(work: Work, game: Game) -> None:
    """Mail all bids of the ended game to all people, or only to those who may see them now."""
    seats, stage = seats_of(work.session, game), played_stage(game)
    to_all = may_see(ANYBODY, game, "bids", stage)

    def learns(mine: Sequence[Seat]) -> bool:
        reader = viewer(mine, seats)
        return may_see(reader, game, "bids", stage) and not may_see(reader, game, "bids", "processed")

    readers = by_address(seats)
    skip = {address for address, mine in readers.items() if not (to_all or learns(mine))}
    if skip == readers.keys():
        return
    variant, reports = variant_of(game), []
    for phase in played(work.session, game):
        position, outcome = outcome_of(game, phase)
        if outcome.bids.bids:
            reports.append((title(phase.name, "bids"), full_report(variant, position, outcome)))
    context = {"told": reports, "to_all": to_all}
    tell_all(work, Announcement(game, None, "revealed", "All Bids", context, about="bids"), skip)


def ask_standby(work: Work, game: Game, powers: Collection[str]) -> None:
    """Ask the people in line for the game, and the standby list, to play vacant ones of the `powers`.

    People are asked when the email that caused this has been handled. The standby list is asked only about a game in
    LIST. People who are in the game, or were the last to play one of these powers, are left out. In a game that hides
    who has left, the email does not name the powers.
    """
    at_end(work, game, _ask_standby, powers)


def ask_line(work: Work, game: Game) -> None:
    """Ask the first person in line to join a forming game that a player has left."""
    context: dict[str, Any] = {"game": game, "phase": None, "variant": variant_of(game), "openings": []}
    _mail_asked(work, "Player Needed", _first_in_line(work, game, 1), context)


def _ask_standby(work: Work, game: Game, powers: Collection[str]) -> None:
    phase = open_phase(work.session, game)
    if not phase:
        return
    free = [power for power in vacant(game, phase, with_players(work.session, game)) if power in powers]
    if not free:
        return
    variant, position = board(game, phase)
    seats = (variant.seat_named[power] for power in free)
    openings = [(seat.name, seat.at(game.name), *position.holdings(seat.powers)) for seat in seats]
    subject = f"{phase.name} Seat Open: {letters_of(game, free)}"
    context: dict[str, Any] = {"game": game, "phase": phase, "variant": variant, "openings": openings}
    if not shown_to(None, game).changes:
        subject = "Player Needed"
        context |= {"phase": None, "openings": []}
    line = _first_in_line(work, game, len(free))
    _mail_asked(work, subject, line, context)
    if settings_of(game).listed:
        others = [*_asked(work, game, free, {person.id for person, _ in line})]
        _mail_asked(work, subject, others, context, in_line=False)


def _mail_asked(
    work: Work, subject: str, asked: Iterable[tuple[Person, str]], context: Mapping[str, Any], *, in_line: bool = True
) -> None:
    for person, address in asked:
        is_last = left_to_stranger(work, person, address) == 1
        work.notify(address, person.zone, "standby", subject, is_last=is_last, in_line=in_line, **context)


def _first_in_line(work: Work, game: Game, number: int) -> list[tuple[Person, str]]:
    """Take the first `number` people who may be mailed out of the line, and return them with their addresses.

    Strangers who have been sent enough emails may not be mailed. Observers of the game may, since they asked for
    emails.
    """
    found = [
        (person, entry.address)
        for entry, person in in_line(work.session, game)
        if not is_denied(work.session, game, person)
        and (seats_in(work.session, game, person) or not has_had_enough(work, person, entry.address, game))
    ][:number]
    for person, _ in found:
        leave_line(work.session, person, game)
    return found


def _asked(work: Work, game: Game, free: Sequence[str], line: Set[int | None]) -> Iterator[tuple[Person, str]]:
    """Yield the people on the standby list to be asked to play one of the `free` powers, with their addresses.

    People whose ids are in `line` are not asked again, since they were asked as the first in line.
    """
    session = work.session
    concerned = {*line, *(seat.person_id for seat in seats_of(session, game))}
    concerned |= {seat.person_id for power in free if (seat := left_seat(session, game, power))}
    for person, address in standing_by(session):
        if person.id in concerned or is_denied(session, game, person):
            continue
        if not has_had_enough(work, person, address, game):
            yield person, address
