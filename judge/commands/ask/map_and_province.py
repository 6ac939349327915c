"""The board: MAP shows all of it, SET MAP sets how results are illustrated, INFO describes one province."""

import re
from typing import NamedTuple

from judge.commands.ask.help import variant_named
from judge.commands.core.changes import Setting
from judge.commands.core.command import GAME, SEATED, Call, CommandError, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.queries import asked_game, asked_phase, show, tell, tell_text
from judge.games.core.board import border_words, outcome_of, standing, variant_now, variant_of
from judge.games.notifications import pictures
from judge.games.record.game_record import told_again
from judge.mails.boardview import map_view, province_view
from judge.rules import Variant, read_phase, start_position
from judge.rules.board.names import fold
from judge.store.games import game_named, played
from judge.store.tables import Game

_PHASE = re.compile(r"[SFWsfw]\d{1,4}[MRABmrab]?")
# A map of, for or from something is a line of a letter, as "map of the harbour".
_NO_PROSE = rf"(?!\s+(?:OF|FOR|FROM|IN|ON|TO|WITH|BY|AT|IS)\s+(?!SVG|{_PHASE.pattern}))"


command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@command(
    "MAP",
    arguments="[<game>] [<phase>] [<part> | SVG]",
    pattern=rf"{_NO_PROSE}(?:\s+(?P<first>{GAME}))?(?:\s+(?P<phase>{_PHASE.pattern}))?"
    r"(?:\s+(?P<form>SVG|[A-Z]+(?:\s+[A-Z]+){0,3}))?",
    help="the board, in words and as a picture, now or in a past phase; <part>: one part of a large board; SVG: a "
    "picture to enlarge",
)
def show_map(context: CommandContext, call: Call, first: str | None, phase: str | None, form: str | None) -> None:
    """MAP [<game>] [<phase>] [<part> | SVG]: the board in words and as a picture.

    Of a phase that was played its results are shown too. `form`: a part of a large board, shown alone, or SVG.
    """
    asked = _read_map(context, first, phase, form)
    game = asked_game(context, asked.game, "MAP")
    part = _part(game, asked.part)
    now = asked_phase(context, game)
    if asked.phase and not (now and now.name == asked.phase):
        _show_played(context, call, game, asked, part)
        return
    variant = variant_of(game)
    position = standing(context.session, game) or start_position(variant)
    when = f"before {now.name}" if now else "before it starts" if game.state == "forming" else "at its end"
    title = f"The board of {game.name} {when}."
    changes = border_words(game, variant.at(position.phase))
    tell(context, title, "map", map=map_view(variant, position), changes=changes)
    show(context, call, game, pictures.scene(game, position), asked.svg, part)


class _Asked(NamedTuple):
    """What a MAP asks for: the game's name, a phase, a part of the board, whether an SVG."""

    game: str | None
    phase: str
    part: str
    svg: bool


def _read_map(context: CommandContext, *written: str | None) -> _Asked:
    """Any of the words may be the only one; those that are neither the game, a phase nor SVG name a part."""
    words = " ".join(word for word in written if word).split()
    svg = bool(words) and words[-1].upper() == "SVG" and not game_named(context.session, words[-1])
    words = words[:-1] if svg else words
    name = None
    if words and game_named(context.session, words[0]):
        name = words.pop(0)
    phase = read_phase(words.pop(0)) if words and _PHASE.fullmatch(words[0]) else ""
    if words and not name and not (context.game and pictures.parts_of(context.game)):
        name = words.pop(0)
    return _Asked(name, phase, " ".join(words), svg)


def _part(game: Game, asked: str) -> str:
    """The part of the game's board that is asked for, "" if none is; raises CommandError if it has no such part."""
    if not asked:
        return ""
    found = pictures.part_named(game, asked)
    if not found:
        parts = pictures.parts_of(game)
        known = f"Its parts: {', '.join(parts)}." if parts else "It fits in one picture."
        raise CommandError(f'The board of {game.name} has no part "{asked}". {known}')
    return found


def _show_played(context: CommandContext, call: Call, game: Game, asked: _Asked, part: str) -> None:
    """The results of a phase, and the board on which its orders were given."""
    name = asked.phase
    phase = next((phase for phase in reversed(played(context.session, game)) if phase.name == name), None)
    if not phase:
        raise CommandError(f"{name} was not played in {game.name}. SUMMARY {game.name} shows how it went.")
    variant = variant_of(game)
    position, outcome = outcome_of(game, phase)
    page = told_again(context.services.post, context.zone, game, phase)
    changes = border_words(game, variant.at(position.phase))
    board = context.services.post.render("map", context.zone, map=map_view(variant, position), changes=changes)
    tell_text(context, f"{name} in {game.name}: its results, then the board before it.", f"{page}\n\n{board}")
    show(context, call, game, pictures.scene(game, position, outcome, "results"), asked.svg, part)


@command(
    "SET MAP",
    "SET MAPS",
    arguments="ON | OFF | SMALL | ORDERS",
    pattern=r"\s+(?P<how>ON|OFF|SMALL|ORDERS)",
    who=SEATED,
    place=Place.GAME,
    of_seat=True,
    help="whether results include a map, a small one, or none; ORDERS: confirmations include one too",
)
def set_maps(context: CommandContext, call: Call, how: str) -> Setting:
    """SET MAP ON | OFF | SMALL | ORDERS: whether the mails of this game bring pictures, and how large."""
    says = {
        "on": "with a map.",
        "off": "without a map; for one, send MAP.",
        "small": "with a small map.",
        "orders": "with a map, and every confirmation with a map of your orders.",
    }[how.lower()]
    return Setting({"maps": how.lower()}, f"results of {context.the_game.name} come {says}", context.the_seat)


@command(
    "INFO",
    arguments="<province> [<game or variant>]",
    pattern=r"\s+(?P<words>[^\s,:!?][^,:!?]{1,39})",
    help="a province: its names, its neighbors, who owns it, who is there",
)
def info(context: CommandContext, call: Call, words: str) -> None:
    """INFO <province> [<game>]: its names, its kind, its owner, its neighbors and the units there.

    The last words may name a variant (INFO EGY 1900), whose board is shown as the game begins.
    """
    board = _board_named(context, words)
    if board:
        variant, name = board
        view = province_view(variant, start_position(variant), _province(variant, name))
        title = f"{view.province.name} ({view.province.abbr}) on the board of {variant.title}, at the start."
        tell(context, title, "province", view=view)
        return
    game, name = _asked(context, words)
    asked_phase(context, game)
    variant = variant_now(context.session, game)
    position = standing(context.session, game) or start_position(variant)
    view = province_view(variant, position, _province(variant, name))
    tell(context, f"{view.province.name} ({view.province.abbr}) in {game.name}.", "province", view=view)


def _board_named(context: CommandContext, text: str) -> tuple[Variant, str] | None:
    """The variant that the last words name, and the words before them; None if they name none, or a game."""
    words = text.split()
    if context.game and context.variant.names.find(fold(text)) or game_named(context.session, words[-1]):
        return None
    for at in range(1, len(words)):
        board = variant_named(" ".join(words[at:]), exactly=False)
        if board:
            return board, " ".join(words[:at])
    return None


def _asked(context: CommandContext, text: str) -> tuple[Game, str]:
    """The game, and the words that name the province: the last word may name the game."""
    *words, last = text.split()
    in_full = context.game and context.variant.names.find(fold(text))
    game = game_named(context.session, last) if words and not in_full else None
    if game:
        return game, " ".join(words)
    return asked_game(context, None, f"INFO {text}"), text


def _province(variant: Variant, text: str) -> str:
    found = variant.names.find(fold(text))
    if not found:
        raise CommandError(f'"{text}" is not a province. {variant.names.suggestion(text)}'.rstrip())
    if len(found) > 1:
        raise CommandError(f'"{text}" could be {" or ".join(variant.names.label(abbr) for abbr in found)}.')
    return found[0]
