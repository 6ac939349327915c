"""Show the state of games (LIST, STATUS, WHOGAME), and statistics on games that have ended (STATS).

STATUS ALL shows the games of the sender.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from judge.commands.ask.help import variant_named
from judge.commands.core.command import SEATED, CommandError, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import asked_game, held_up, seat_in, sees, sees_who_owes, shown_in
from judge.games.core.acts import rights_of_players
from judge.games.core.board import border_words, standing, turn_of, variant_now, variant_of
from judge.games.core.setting_fields import timing_words
from judge.games.core.settings import (
    SIGNS,
    TIMED,
    in_plain_words,
    late_words,
    option_words,
    press_words,
    settings_of,
)
from judge.games.core.who_may_see import Fact, disorder_shown, seats_shown, shown_to
from judge.games.life import forming, game_record, statistics
from judge.games.life.game_record import with_address
from judge.games.notifications.pictures import parts_words
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.standing import bid_view, filed_lines, wanting
from judge.games.orders.standing import standing as standing_of
from judge.games.people import reliability
from judge.mails.blocks import Written, titled, together
from judge.mails.boardview import state_now
from judge.mails.views import position_view
from judge.rules import NEUTRAL, Position, Variant, capitalized, counted, describe_order, listed, words
from judge.store.games import WithPhase, game_named, living_games, open_phase
from judge.store.people import person_at
from judge.store.seats import games_of, has_master, of_role, powers_at_end, seats_in, seats_of, sitting
from judge.store.tables import Game, Person, Phase, Seat

_FILED: tuple[Fact, ...] = ("orders", "bids")

command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@dataclass(frozen=True)
class MyGame:
    """A game of the sender in the answer to STATUS ALL."""

    name: str
    state: str
    # The sender's role in the game, as a sentence.
    role: str
    # The open phase, or None if the game is paused or has no open phase.
    phase: Phase | None
    # The orders that the sender owes, a line for each item.
    wanting: list[str]
    # A sentence on missing players or orders, or on orders that are complete, or "".
    told: str


@command("STATUS ALL", help="your games and the orders you still owe, the next deadline first")
def tell_my_games(context: CommandContext) -> None:
    """List the sender's games, the next deadline first."""
    games = [_my_game(context, game) for game in games_of(context.session, context.letter.person)]
    games.sort(key=lambda game: (game.phase.deadline_at if game.phase else datetime.max.replace(tzinfo=UTC), game.name))
    waiting = sum(bool(entry.wanting) for entry in games)
    verdict = f"You are in {counted(len(games), 'game')}."
    if waiting:
        verdict += f" {counted(waiting, 'game')} {'waits' if waiting == 1 else 'wait'} for your orders."
    context.say(context.written("my_games", games=games), verdict)


# The words after "You" for a person who has no power in a game, by the person's role.
_DOES = {"player": "play", "master": "are its master", "observer": "observe it"}


def _my_game(context: CommandContext, game: Game) -> MyGame:
    session = context.session
    own, phase = seats_in(session, game, context.letter.person), open_phase(session, game)
    powers = [seat.power for seat in own if seat.power]
    state, owed, told = _state(game, phase), list[str](), ""
    if not phase:
        told = forming.what_is_missing(session, game)
    elif game.state == "paused":
        phase = None
    else:
        book = FiledOrders(session, game, phase)
        lines = [(power, line) for power in powers for line in wanting(book, power, context.work.now)]
        owed = [f"{power}: {line}" if len(powers) > 1 else line for power, line in lines]
        told = _orders_missing(book) if has_master(own) else _whether_done(book, powers, owed)
    return MyGame(game.name, state, _role(own, powers), phase, owed, told)


def _whether_done(book: FiledOrders, powers: Sequence[str], owed: Sequence[str]) -> str:
    if owed or not powers:
        return ""
    return "You have nothing to order." if book.asked.keys().isdisjoint(powers) else "Your orders are complete."


def _role(own: Sequence[Seat], powers: Sequence[str]) -> str:
    held = {seat.role for seat in own if not seat.power}
    roles = [f"play {listed(powers)}"] if powers else []
    roles += [does for role, does in _DOES.items() if role in held]
    return f"You {listed(roles)}."


def _orders_missing(book: FiledOrders) -> str:
    missing = len(book.awaited())
    what = counted(missing, "player" if book.variant.groups else "power")
    return f"Orders are missing from {what}." if missing else "All orders are in."


def _known_at(context: CommandContext, address: str) -> tuple[Person, list[str]]:
    """Return the person at `address`, and the games in which WHOGAME shows this address to the sender.

    Raises CommandError if WHOGAME shows the address in no game and the person is not the sender.
    """
    session = context.session
    person = person_at(session, address)
    games = []
    for game in games_of(session, context.letter.person):
        shown = shown_in(context, game)
        seats = (seat for seat, _ in seats_shown(session, game, shown))
        if address in map(shown.address_of, seats):
            games.append(game.name)
    if not (person and (games or _is_sender(context, person))):
        raise CommandError(
            f"{address} is not in a current game with you, or you may not see addresses there. WHOGAME shows which "
            "you may see."
        )
    return person, games


def _is_sender(context: CommandContext, person: Person) -> bool:
    return context.letter.person is not None and person.id == context.letter.person.id


@command(
    "INFO PLAYER [<address>]",
    "GET DEDICATION",
    help="how reliable you are, or a player in your games",
)
def info_player(context: CommandContext, address: str | None) -> None:
    """Show a player's record of reliability, which for the sender includes all games."""
    address = address or context.letter.sender
    person, _ = _known_at(context, address)
    record_of = reliability.record_of if _is_sender(context, person) else reliability.record_shown
    record = record_of(context.work, person.key)
    context.say(context.written("player", name=person.name, record=record), f"The record of {person.name} <{address}>.")


def _listed(context: CommandContext) -> list[WithPhase]:
    """Return the games that have not ended, with their open phases.

    An unlisted game is included only if the sender is in it.
    """
    return [
        (game, phase)
        for game, phase in living_games(context.session)
        if settings_of(game).listed or seat_in(context, game)
    ]


def _line(game: Game, phase: Phase | None, held: list[tuple[Seat, str]], told: set[str]) -> dict[str, str]:
    """Return the texts of LIST about a game.

    `held` has the game's seats, with the names of the people in them. `told` has the abbreviations that earlier lines
    of LIST have already explained.
    """
    variant, settings, seats = variant_of(game), settings_of(game), [seat for seat, _ in held]
    options = option_words(settings, disorder_shown(game, shown_to(None, game)))
    if settings.nmr and not settings.manual_process:
        options = [*options, "NMR"]
    parts = [
        variant.title,
        *in_plain_words(options, told),
        *[f"master {name}" for seat, name in held if seat.role == "master"],
        *game_record.mastery_words(game, seats),
        press_words(settings),
    ]
    if game.state == "paused":
        parts.append("paused")
    name, gaps = (phase.name, _openings(game, phase, seats)) if phase else ("Forming", _places(variant, game, seats))
    return {"name": game.name, "phase": name, "text": ", ".join(parts), "comment": game.comment, "gaps": gaps}


def _openings(game: Game, phase: Phase, seats: Sequence[Seat]) -> str:
    """Return a sentence on the powers that anyone may take over, with a sign-on for one, or ""."""
    openings = game_record.openings(game, phase, seats)
    if not openings:
        return ""
    powers = ", ".join(f"{power} ({units}/{centers})" for power, units, centers in openings)
    first, _, _ = openings[0]
    signon = f"{variant_of(game).seat_named[first].letter}{game.name}"
    return f"Openings (units/centers): {powers}. SIGNON {signon} <password> takes over {first}."


def _places(variant: Variant, game: Game, seats: Sequence[Seat]) -> str:
    """Return sentences on the number of players that a forming game needs, and on how to join it."""
    needed = len(variant.seats) - len(of_role(seats, "player"))
    if needed <= 0:
        return "Forming: all players have joined."
    return f"Forming: {counted(needed, 'more player')} needed. SIGNON ?{game.name} joins."


def _board(context: CommandContext, game: Game, position: Position | None) -> dict[str, Any]:
    """Return the template variables about a game's board, for LIST and STATUS."""
    session, variant = context.session, variant_of(game)
    return {
        "game": game,
        "changes": border_words(game, variant_now(session, game)),
        "now": state_now(variant, position) if position else [],
        "position": position_view(variant, position) if position else None,
        "needed": forming.missing_players(session, game) if game.state == "forming" else 0,
    }


def _entry(context: CommandContext, game: Game, phase: Phase | None) -> Written:
    """Return the full entry of a game, with its settings, its players, its units and its centers."""
    work = context.work
    session, variant = context.session, variant_of(game)
    reader, shown = seat_in(context, game), shown_in(context, game)
    seats = seats_of(session, game)
    masters = [one for one in seats_shown(session, game, shown) if one[0].role == "master"]
    position = standing(session, game)
    by_master = reader is not None and reader.role == "master"
    sees_now = partial(sees, context, game=game) if by_master else None
    settings = settings_of(game)
    words = option_words(settings, disorder_shown(game, shown))
    template_values = {
        **_board(context, game, position),
        "phase": phase,
        "variant": variant,
        "settings": settings,
        "ends": game_record.ends_words(variant, settings),
        "options": [*(one for one in words if one not in SIGNS), *game_record.mastery_words(game, seats)],
        "press": press_words(settings),
        "late": late_words(settings, phase if game.state == "active" else None, context.zone, work.now),
        "timing": [(name, timing_words(settings.timing(kind))) for kind, name in TIMED.items() if not settings.solo],
        "masters": [with_address(person.name, shown.address_of(seat)) for seat, person in masters],
        "rights": rights_of_players(session, game),
        "observers": len(of_role(seats, "observer")),
        "players": (game_record.player_lines(work, game, phase, position, shown, sees_now) if position else []),
    }
    return context.written("entry", **template_values)


def _state(game: Game, phase: Phase | None) -> str:
    """Return the state of a game in words, such as "Movement for Fall of 1901" or "forming"."""
    if phase:
        return words(phase.name) + (", paused" if game.state == "paused" else "")
    return "forming" if game.state == "forming" else f"ended. {game.result}"


@command(
    "WHOIS <address>",
    "WHO IS",
    "WHO",
    help="who has this address, if WHOGAME shows you that person",
)
def who_is(context: CommandContext, address: str) -> None:
    """Show the name of a person whose address WHOGAME shows the sender, and their common games."""
    person, games = _known_at(context, address)
    context.say("", f"{person.name} <{address}>{f', in {listed(games)}' if games else ''}.")


@command(
    "STATUS [<game>]",
    help="the state of a game: units, centers, deadline; for its players also their own orders, votes and points, "
    "for its master what is on file",
)
def status(context: CommandContext, game: str | None) -> None:
    """Show the state of the game, and of the reader's power.

    After a sign-on, the report at the end of the reply shows the state of the power.
    """
    session = context.session
    asked, phase = asked_game(context, game)
    variant, title = variant_of(asked), f"Status of {asked.name}."
    shown = _board(context, asked, standing(session, asked))
    if shown["position"] and (parts := parts_words(asked)):
        shown["now"].append(parts)
    told = {
        "phase": phase,
        "state": _state(asked, phase),
        "variant": variant.label,
        "board": variant,
        "missing": forming.what_is_missing(session, asked) if asked.state == "forming" else "",
        "kind": "player" if variant.groups else "power",
        "disorder": disorder_shown(asked, shown_in(context, asked)),
        **shown,
    }
    if not phase:
        context.say(context.written("status", waiting=None, late=[], waits_for="", on_file=[], **told), title)
        return
    book, reader = FiledOrders(session, asked, phase), seat_in(context, asked)
    context.say(context.written("status", **_orders_in(context, book, reader), **told), title)
    if reader:
        _tell_own(context, book, reader)


def _orders_in(context: CommandContext, book: FiledOrders, reader: Seat | None) -> dict[str, Any]:
    """Return the template variables for STATUS about orders on file and powers that owe orders."""
    awaited = list(book.awaited())
    by_master = reader is not None and reader.role == "master"
    return {
        "waiting": len(awaited) if shown_in(context, book.game).changes else None,
        "late": awaited if by_master and sees_who_owes(context, book) else [],
        "waits_for": _waits_for(context, book, by_master=by_master),
        "on_file": list(_on_file(context, book)),
    }


def _waits_for(context: CommandContext, book: FiledOrders, *, by_master: bool) -> str:
    """Return a sentence on what a running phase waits for, apart from orders and its deadline, or ""."""
    if book.game.state == "paused":
        return ""
    if settings_of(book.game).manual_process and not settings_of(book.game).solo:
        return f"{book.phase.name} is processed when the master sends PROCESS."
    clauses = held_up(context, book) if by_master else []
    return f"{capitalized(listed(clauses))}." if clauses else ""


def _tell_own(context: CommandContext, book: FiledOrders, reader: Seat) -> None:
    """Describe the state of the reader's own power, unless the report after their sign-on describes it."""
    here = context.signed_on
    if not reader.power or reader.role != "player" or reader.left_at:
        return
    if here and here.game is book.game:
        here.lines.asks_status = True
    else:
        # The state of the game, which follows, says when grace ends.
        own = {**standing_of(context.work, book, reader, whole=True), "in_grace": False}
        context.say(context.written("orders", **own))


def _on_file(context: CommandContext, book: FiledOrders) -> Iterator[tuple[str, str]]:
    """Yield the lines on file for each power, if the reader may see them all."""
    if not all(sees(context, fact, game=book.game) for fact in _FILED):
        return
    for seat in book.variant.seat_named:
        if book.given(seat):
            yield from filed_lines(book, seat)
        elif seat in book.asked:
            yield seat, "no orders."
        if bids := bid_view(book, seat):
            yield from ((seat, line) for line in bids.lines)
    for order in book.orders_of(NEUTRAL):
        yield NEUTRAL, describe_order(book.variant, book.position, order)


@command(
    "LIST [<game> | FULL]",
    help="all games, short or in full, or one game: settings, players, units, centers",
)
def list_games(context: CommandContext, game: str | None, full: str | None) -> None:
    """Show a line for each game, or full entries.

    A named game, or the game signed on to, has a full entry. With FULL, all games have one.
    """
    if full:
        games = _listed(context)
        entries = (
            titled(f"{listed.name}: {_state(listed, phase)}.", _entry(context, listed, phase))
            for listed, phase in games
        )
        context.say(together(*entries, between="\n\n\n"), f"{counted(len(games), 'game')} on this judge.")
    elif game or context.signed_on:
        asked, phase = asked_game(context, game)
        context.say(_entry(context, asked, phase), f"{asked.name}: {_state(asked, phase)}.", headed=True)
    else:
        games = _listed(context)
        held = sitting(context.session)
        told: set[str] = set()
        lines = [_line(game, phase, held.get(game.key, []), told) for game, phase in games]
        context.say(context.written("list", games=lines), f"{counted(len(games), 'game')} on this judge.")


@command(
    "STATS [<variant or game>]",
    "STATISTICS",
    help="how games here have ended, and your own; for a variant also lengths, results by power, centers by year",
)
def tell_statistics(context: CommandContext, of: str | None) -> None:
    """Show statistics on listed games that have ended, on players who show their names, and on the sender."""
    session, person = context.session, context.letter.person
    name, title = "", "on this judge"
    if of:
        game = game_named(session, of)
        variant = variant_of(game) if game else variant_named(of, exactly=False)
        if not variant:
            raise CommandError(f'"{of}" is not a variant here. HELP VARIANTS lists them.')
        name, title = variant.name, f"of {variant.label}"
    games = statistics.ended_games(session, name)
    charts = statistics.of_variant(session, games) if name and games else [statistics.by_variant(games)]
    mine = powers_at_end(session, person) if person else ()
    own = [(game, power) for game, power in mine if name in ("", variant_of(game).name)]
    charts += [statistics.of_people(session, games), statistics.own_games(own)]
    shown = context.written("stats", charts=[chart for chart in charts if chart.rows])
    how_many = counted(len(games), "listed game") if games else "No listed game"
    context.say(shown, f"{how_many} {title} {'has' if len(games) < 2 else 'have'} ended{'' if games else ' yet'}.")


@command(
    "WHOGAME [<game>] [FULL]",
    who=SEATED,
    help="who plays what, with addresses if you play too; FULL: also the observers",
)
def who_game(context: CommandContext, game: str | None, full: str | None) -> None:
    """List the players with their powers for people of the game, and with FULL also the observers."""
    asked, _ = asked_game(context, game)
    shown = shown_in(context, asked)
    if not shown.names:
        raise CommandError(f"{asked.name} is a gunboat game, so only its master knows who plays what.")
    seated = seats_shown(context.session, asked, shown)
    told = [*seated] if full else [one for one in seated if one[0].role != "observer"]
    people = []
    told.sort(key=lambda one: turn_of(asked, one[0].power or one[0].role.title()))
    for seat, person in told:
        who = with_address(shown.name_of(seat, person), shown.address_of(seat))
        record = reliability.record_shown(context.work, seat.person_id)
        if seat.role == "player" and record.due:
            who += f", {record.score:.0%} reliable"
        people.append((seat.power or seat.role.title(), who))
    observers = len(seated) - len(told)
    context.say(context.written("whogame", people=people, observers=observers), f"The people in {asked.name}.")
