"""Show the board and the history of a game: MAP, SET MAP, INFO, SUMMARY and HISTORY.

MAP shows the board or a part of the board. SET MAP chooses the maps in emails. INFO describes one province.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import partial
from typing import NamedTuple

from judge.commands.ask.help import variant_named
from judge.commands.core.command import SEATED, CommandError, Family, Place, Who, refused
from judge.commands.core.context import MOST_TEXT, CommandContext
from judge.commands.core.handling import asked_game, keep, own_seats, sees, show, shown_in
from judge.commands.core.usage import SHORT_PHASE
from judge.games.core.board import border_words, outcome_of, standing, variant_now, variant_of
from judge.games.core.settings import in_plain_words, option_words, press_words, settings_of
from judge.games.core.tenures import tenures
from judge.games.core.who_may_see import PLAYS_TOO, Fact, Stage, disorder_shown, played_stage
from judge.games.core.work import Refusal
from judge.games.deadlines.dates import read_date, written
from judge.games.life import game_record
from judge.games.life.game_record import Span
from judge.games.notifications import pictures
from judge.games.notifications.game_data import held_in, whole_game
from judge.games.orders.standing import full_report, own_bids
from judge.mails.blocks import together
from judge.mails.boardview import count_tables, map_view, ownership_tables, province_view, state_now
from judge.mails.views import title
from judge.rules import NEUTRAL, PhaseError, Variant, listed, read_phase, start_position
from judge.rules.board.names import fold
from judge.store.games import game_named, last_phase, played
from judge.store.seats import has_master
from judge.store.tables import Game, Phase, Seat

_PHASE = re.compile(SHORT_PHASE, re.IGNORECASE)
USUAL_SPAN = timedelta(days=7)
USUAL_LINES = 1000
# The maximum size of a history in a reply, in bytes. The rest of MOST_TEXT is for the title and other texts.
_MOST_BYTES = MOST_TEXT - 2_000
_A_REPLY = "a reply"


command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@command(
    "MAP [<game>] [<phase>] [<part> | SVG]",
    reads="[<view>]",
    help="the board, in words and as a picture, now or in a past phase; <part>: one part of a large board; SVG: a "
    "picture to enlarge",
)
def show_map(context: CommandContext, words: str | None) -> None:
    """Show the board, or a part of a large one, in words and as a picture.

    For a phase that was processed, its results are shown as well.
    """
    view = _view_asked(context, (words or "").split())
    game, now = asked_game(context, view.game)
    part = _part_meant(game, view.part) if view.part else ""
    open_phase = now.name if now else ""
    if view.phase in ("", open_phase):
        scene = _tell_board(context, game, now, part)
    else:
        scene = _tell_played(context, game, view.phase, part)
    show(context, game, scene, view.svg, part)


class _View(NamedTuple):
    """The arguments of MAP, where `game` is by default the game signed on to, and `phase` the current one."""

    game: str | None
    phase: str
    part: str
    svg: bool


def _view_asked(context: CommandContext, said: list[str]) -> _View:
    """Return the arguments in the words after MAP. Other words than a game, a phase or SVG name a part of the board."""
    game, phase = None, ""
    last = said[-1] if said else ""
    svg = last.upper() == "SVG" and not game_named(context.session, last)
    if svg:
        said = said[:-1]
    if said and game_named(context.session, said[0]):
        game, *said = said
    if said and _PHASE.fullmatch(said[0]):
        phase, said = read_phase(said[0]), said[1:]
    has_parts = context.signed_on and pictures.parts_of(context.seat.game)
    if said and not game and not has_parts:
        game, *said = said
    return _View(game, phase, " ".join(said), svg)


def _part_meant(game: Game, asked: str) -> str:
    """Return the part of the board called `asked`, or raise CommandError if the board has no such part."""
    part, parts = pictures.part_named(game, asked), pictures.parts_of(game)
    if part:
        return part
    known = f"Its parts: {', '.join(parts)}." if parts else "To see it, send MAP."
    if like := [one for one in parts if asked.lower() in one.lower()]:
        known = f"Did you mean {listed(like, 'or')}?"
    raise CommandError(f'The board of {game.name} has no part "{asked}". {known}')


def _tell_board(context: CommandContext, game: Game, now: Phase | None, part: str) -> pictures.Scene | None:
    """Describe the current board, or a part of it, in the reply, and return the picture's scene."""
    variant = variant_of(game)
    position = standing(context.session, game) or start_position(variant)
    ended = "before it starts" if game.state == "forming" else "at its end"
    when = f"before {now.name}" if now else ended
    changes = border_words(game, variant.at(position.phase))
    shown = map_view(variant, position, pictures.provinces_of_part(game, part))
    board = context.written("map", map=shown, changes=changes)
    context.say(board, f"{f'{part} on the board' if part else 'The board'} of {game.name} {when}.")
    return pictures.scene(game, position)


def _tell_played(context: CommandContext, game: Game, name: str, part: str) -> pictures.Scene | None:
    """Describe the results of a phase, and the board before it, in the reply, and return the picture's scene.

    For a `part` of the board, only the orders are shown. Players ask for a part when results are long.
    """
    phase = next((phase for phase in reversed(played(context.session, game)) if phase.name == name), None)
    if not phase:
        raise CommandError(f"{name} was not played in {game.name}. SUMMARY {game.name} shows how it went.")
    variant, post = variant_of(game), context.work.services.post
    position, outcome = outcome_of(game, phase)
    changes = border_words(game, variant.at(position.phase))
    page = game_record.told_again(post, context.zone, game, phase, pictures.provinces_of_part(game, part))
    if part:
        context.say(page, f"{name} in {game.name}: the orders in {part}.")
        return pictures.scene(game, position, outcome, "results")
    board = post.render("map", context.zone, map=map_view(variant, position), changes=changes)
    context.say(together(page, board), f"{name} in {game.name}: its results, then the board before it.")
    return pictures.scene(game, position, outcome, "results")


@command(
    "SET MAP ON | OFF | SMALL | ORDERS",
    "SET MAPS",
    who=SEATED,
    place=Place.GAME,
    of_seat=True,
    help="whether results include a map, a small map or none; ORDERS: confirmations include a map too",
)
def set_maps(context: CommandContext, how: str) -> None:
    """Choose whether the emails of this game come with pictures, and the size of the pictures."""
    says = {
        "on": "with a map.",
        "off": "without a map. For a map, send MAP.",
        "small": "with a small map.",
        "orders": "with a map, and every confirmation with a map of your orders.",
    }[how.lower()]
    keep(context, context.seat.row, f"results of {context.seat.game.name} come {says}", maps=how.lower())


@command(
    "INFO <province> [<game or variant>]",
    reads="<province and board>",
    help="a province: its names, its neighbors, who owns it, who is there",
)
def info(context: CommandContext, words: str) -> None:
    """Show the names, kind, owner, neighbors and units of a province.

    The last words may be the name of a variant (INFO EGY 1900). Then the province at the beginning of a game is shown.
    """
    session = context.session
    said = words.split()
    in_full = context.signed_on and context.seat.variant.names.find(fold(words))
    named = game_named(session, said[-1])
    for at in range(1, len(said)) if not (in_full or named) else ():
        board = variant_named(" ".join(said[at:]), exactly=False)
        if board:
            view = province_view(board, start_position(board), _province(board, " ".join(said[:at])))
            title = f"{view.province.name} ({view.province.abbr}) on the board of {board.label}, at the start."
            context.say(context.written("province", view=view), title)
            return
    if named and len(said) > 1 and not in_full:
        (game, _), name = asked_game(context, named.name), " ".join(said[:-1])
    else:
        (game, _), name = asked_game(context, None, words), words
    variant = variant_now(session, game)
    position = standing(session, game) or start_position(variant)
    idle = disorder_shown(game, shown_in(context, game))
    view = province_view(variant, position, _province(variant, name), idle)
    context.say(context.written("province", view=view), f"{view.province.name} ({view.province.abbr}) in {game.name}.")


def _province(variant: Variant, text: str) -> str:
    found = variant.names.find(fold(text))
    side = variant.side_names.whole(text)
    name = side.name if side else NEUTRAL * (fold(text).removesuffix("S") == fold(NEUTRAL))
    if name and not found:
        raise CommandError(f"{name} is not a province, and INFO describes one. STATUS shows all units.")
    if not found:
        raise CommandError(f'"{text}" is not a province. {variant.names.suggestion(text)}'.rstrip())
    if len(found) > 1:
        raise CommandError(f'"{text}" could be {" or ".join(variant.names.label(abbr) for abbr in found)}.')
    return found[0]


@command(
    "SUMMARY [<game>] [MAPS]",
    help="who played which power and when, and who owned the centers each year; MAPS: after the end, also an animated "
    "map of all phases",
)
def summary(context: CommandContext, game: str | None, maps: str | None) -> None:
    """Show the players of each power with dates, the settings, and the owners of centers by year."""
    session = context.session
    asked, _ = asked_game(context, game)
    newest = _newest_phase(context, asked)
    if maps and asked.state != "finished":
        raise CommandError(f"{asked.name} has not ended. For one phase, send MAP {asked.name} {newest.name}.")
    variant, settings, shown = variant_of(asked), settings_of(asked), shown_in(context, asked)
    words = [*in_plain_words(option_words(settings, disorder_shown(asked, shown)), set()), press_words(settings)]
    years = game_record.owners_by_year(session, asked)
    context.say(
        context.written(
            "summary",
            game=asked,
            tenures=tenures(session, asked, shown),
            now=state_now(variant, position) if (position := standing(session, asked)) else [],
            options=", ".join([variant.title, *words]),
            initials=", ".join(f"{seat.letter}={seat.name}" for seat in variant.seats),
            owners=ownership_tables(variant, years),
            counts=count_tables(variant, years) if years else [],
            sharers="players" if variant.groups else "powers",
        ),
        f"Summary of {asked.name} through {newest.name}.",
    )
    if maps:
        show(context, asked, pictures.film(session, asked))


@command(
    "GET DATA <game>",
    "SEND DATA",
    topics=("questions", "data"),
    help="all phases of a game as JSON files, for programs and for the diplomacy package (HELP data)",
)
def get_data(context: CommandContext, game: str) -> None:
    """Attach all data of the game that the sender may see, also in the form of the package `diplomacy`."""
    asked, _ = asked_game(context, game)
    if any(answer.data for answer in context.reply.answers):
        raise CommandError("An email has room for the data of one game. Ask for this one in a separate email.")

    def may_see(fact: Fact, stage: Stage, power: str) -> bool:
        return sees(context, fact, power, stage=stage, game=asked)

    files = context.answer.data = whole_game(context.session, asked, own_seats(context, asked), may_see)
    ours, *theirs = (file.name for file in files)
    for_package = f" and {theirs[0]} (for the diplomacy package)" if theirs else ""
    context.say("", f"The data of {asked.name} is attached: {ours} (explained in HELP data){for_package}.")


@dataclass(frozen=True)
class _Kind:
    """The words for a kind of history in its title, in the answer if it is empty, and in its command."""

    shows: str
    nothing: str
    words: str


_RESULTS = _Kind("Results", "Nothing was processed", "FROM {}")
_WITH_PRESS = _Kind("Results and press", "Nothing was processed or sent", "FROM {} BROAD")
_BIDS = _Kind("Bids", "Nothing was bid", "BIDS FROM {}")
_OWN_BIDS = _Kind("Your own bids", "You bid nothing", "BIDS FROM {}")


@command(
    "HISTORY [<game>] [FROM <date or phase>] [TO <later date or phase>] [BROAD] [LINES <number>]",
    help="the results of the last seven days, or of the time you name; BROAD: also the press you may see",
)
def history(
    context: CommandContext, game: str | None, begin: str | None, end: str | None, broad: str | None, most: str | None
) -> None:
    """Show the results between two dates or phases as they were mailed, and with HISTORY BROAD also the press.

    Without FROM, show the results of the seven days before the end.
    """
    asked, _ = asked_game(context, game)
    span = _span(context, asked, begin, end)
    kind = _WITH_PRESS if broad else _RESULTS
    _tell(context, asked, _entries(context, asked, bool(broad)), span, kind, most)


@command(
    "HISTORY [<game>] BIDS [FROM <date or phase>] [TO <later date or phase>] [LINES <number>]",
    help="your own bids of Diplomacy Points, and all bids for the master",
)
def history_of_bids(
    context: CommandContext, game: str | None, begin: str | None, end: str | None, most: str | None
) -> None:
    """Show only the bids that the sender may see. Without FROM, show the bids of the whole game."""
    asked, _ = asked_game(context, game)
    span = _span(context, asked, begin, end, whole=True)
    sees_all = sees(context, "bids", stage=played_stage(asked), game=asked)
    kind = _BIDS if sees_all else _OWN_BIDS
    _tell(context, asked, _bid_entries(context, asked, sees_all), span, kind, most)


def _tell(
    context: CommandContext, game: Game, told: Sequence["_Entry"], span: Span, kind: _Kind, most: str | None
) -> None:
    """Add the entries within the span to the reply, up to the limits of a reply.

    The reply says how to ask for entries that do not fit.
    """
    entries = [entry for entry in told if span.has(entry.phase, entry.at)]
    again = f"HISTORY {game.name} {kind.words}"
    whole = again.format(variant_of(game).start)
    if not told:
        newest = _newest_phase(context, game)
        context.say("", f"{kind.nothing} in {game.name}{'' if newest.processed_at else f' before {newest.name}'}.")
        return
    if not entries:
        context.say("", f"{kind.nothing} in {game.name} in that time. For everything, send {whole}.")
        return
    limit = int(most or USUAL_LINES)
    pages, room = _pages(entries, limit)
    first, last = entries[0].phase, entries[len(pages) - 1].phase
    heading = f"{kind.shows} of {game.name}, {first or 'its forming'}{f' to {last}' if last != first else ''}."
    if len(pages) < len(entries):
        following = entries[len(pages)]
        if following.phase != first:
            more = again.format(following.phase)
        elif room == _A_REPLY:
            # Begin at least a second after the first entry, or the next answer would show the same entries.
            later = max(following.at, entries[0].at + timedelta(seconds=1))
            more = again.format(written(later, context.zone))
        else:
            more = f"{again.format(first)} LINES {min(9999, 2 * limit)}"
        heading += f" The rest did not fit into {room}. To see the rest, send {more}."
    elif span.is_usual and entries[0] is not told[0]:
        heading += f" For everything, send {whole}."
    context.say(together(*pages), heading, headed=kind in (_RESULTS, _WITH_PRESS))


@dataclass(frozen=True)
class _Entry:
    """An entry of a history."""

    at: datetime
    # The phase of the entry, or "" before the first phase.
    phase: str
    text: Callable[[], str]


def _entries(context: CommandContext, game: Game, broad: bool) -> list[_Entry]:
    """Return the results of all phases in order of time.

    If `broad` is true, the press that the sender may read is included.
    """
    work = context.work
    entries = [
        _Entry(
            phase.processed_at or work.now,
            phase.name,
            partial(game_record.told_again, work.services.post, context.zone, game, phase),
        )
        for phase in played(context.session, game)
    ]
    if broad:
        messages = game_record.read_again(context.session, game, own_seats(context, game))
        tell = partial(work.services.post.render, "archived", context.zone)
        entries += [_Entry(one.sent_at, one.phase, partial(tell, message=one)) for one in messages]
    return sorted(entries, key=lambda entry: entry.at)


def _bid_entries(context: CommandContext, game: Game, sees_all: bool) -> list[_Entry]:
    """Return an entry for each phase with bids, in order of time.

    An entry has all bids of its phase, or only the bids of the sender's seats. If the sender's seats had an earlier
    player, that player's bids are not included.
    """
    variant = variant_of(game)
    if variant.points is None:
        raise CommandError(f"There are no Diplomacy Points in {variant.label}.")
    seats = [] if sees_all else _own_bidders(context, game)
    entries = []
    for phase in played(context.session, game):
        (position, outcome), at = outcome_of(game, phase), phase.processed_at or context.work.now
        full = full_report(variant, position, outcome) if sees_all else None
        own = [own_bids(variant, position, outcome, power) for power in held_in(seats, at)]
        if not any(one.lines for one in (full.powers if full else own)):
            continue
        told = {"full": full, "own": own, "title": title(phase.name, "bids")}
        text = partial(context.work.services.post.render, "bid_history", context.zone, **told)
        entries.append(_Entry(at, phase.name, text))
    return entries


def _own_bidders(context: CommandContext, game: Game) -> list[Seat]:
    """Return the sender's seats that have a power, and so can bid, or raise CommandError if there are none."""
    mine = own_seats(context, game)
    if has_master(mine):
        context.remark(f"{PLAYS_TOO}, so others' bids are hidden until the game has ended.")
    seats = [seat for seat in mine if seat.power]
    if not seats:
        raise CommandError("Only the master can read all bids, and each player their own.")
    return seats


def _pages(entries: Sequence[_Entry], most: int) -> tuple[list[str], str]:
    """Return the texts of the entries that fit, at least one, and the name of the limit that was reached.

    The limit is "" if all entries fit.
    """
    pages: list[str] = []
    lines = size = 0
    for entry in entries:
        page = entry.text()
        lines += page.count("\n") + 2
        size += len(page.encode()) + 2
        if pages and lines > most:
            return pages, f"{most} {'line' if most == 1 else 'lines'}"
        if pages and size > _MOST_BYTES:
            return pages, _A_REPLY
        pages.append(page)
    return pages, ""


def _newest_phase(context: CommandContext, game: Game) -> Phase:
    """Return the newest phase of the game, or raise CommandError before the first phase."""
    newest = last_phase(context.session, game)
    if not newest or game.state == "forming":
        raise CommandError(f"{game.name} has not started. For its settings, send LIST {game.name}.")
    return newest


def _span(context: CommandContext, game: Game, begin: str | None, end: str | None, *, whole: bool = False) -> Span:
    """Return the span between two bounds.

    Without `begin`, the span is the seven days before its end. It begins with the game if `whole` is true, or if `end`
    is a phase.
    """
    newest = _newest_phase(context, game)
    with refused(Refusal, after=f" You can also name a phase: FROM {newest.name}."):
        first = _bound(context, begin, time(0)) if begin else None
        last = _bound(context, end, time(23, 59, 59), after=first) if end else None
    if first or whole or isinstance(last, str):
        return Span(first, last)
    return Span((last or context.work.now) - USUAL_SPAN, last, is_usual=True)


def _bound(context: CommandContext, text: str, clock: time, after: datetime | str | None = None) -> datetime | str:
    """Return the phase or the moment in `text`. A date without a time gets `clock` as its time.

    A weekday or a day without a year means the last such day in the past. If that day is before `after`, the first such
    day after `after` is meant.
    """
    if text.isdecimal():
        raise CommandError(
            f"{text} is not a complete date. For that year of the game, write HISTORY FROM S{text}M TO W{text}A."
        )
    with suppress(PhaseError):
        return read_phase(text)
    moment = read_date(text, context.work.now, context.zone, clock, "back")
    if isinstance(after, datetime) and moment < after:
        return read_date(text, context.work.now, context.zone, clock, after=after)
    return moment
