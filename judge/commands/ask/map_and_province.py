"""The board: MAP shows all of it, SET MAP sets how results are illustrated, INFO describes one province."""

import re
from typing import Any

from judge.commands.ask.help import variant_named
from judge.commands.core.changes import Setting
from judge.commands.core.command import GAME, SEATED, CommandError, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.queries import asked_game, show, tell, tell_text
from judge.games.core.board import border_words, outcome_of, standing, variant_now, variant_of
from judge.games.life.game_record import told_again
from judge.games.notifications import pictures
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
def show_map(context: CommandContext, first: str | None, phase: str | None, form: str | None) -> None:
    """MAP [<game>] [<phase>] [<part> | SVG]: the board in words and as a picture.

    Of a phase that was played its results are shown too. `form`: a part of a large board, shown alone, or SVG.
    """
    # Any of the words may be the only one; those that are neither the game, a phase nor SVG name a part.
    words = " ".join(filter(None, (first, phase, form))).split()
    svg = bool(words) and words[-1].upper() == "SVG" and not game_named(context.session, words[-1])
    words = words[:-1] if svg else words
    name = words.pop(0) if words and game_named(context.session, words[0]) else None
    wanted = read_phase(words.pop(0)) if words and _PHASE.fullmatch(words[0]) else ""
    if words and not name and not (context.game and pictures.parts_of(context.game)):
        name = words.pop(0)
    (game, now), asked = asked_game(context, name, "MAP"), " ".join(words)
    part = pictures.part_named(game, asked) if asked else ""
    if asked and not part:
        parts = pictures.parts_of(game)
        known = f"Its parts: {', '.join(parts)}." if parts else "It fits in one picture."
        raise CommandError(f'The board of {game.name} has no part "{asked}". {known}')
    if wanted and not (now and now.name == wanted):
        scene = _tell_played(context, game, wanted)
    else:
        variant = variant_of(game)
        position = standing(context.session, game) or start_position(variant)
        when = f"before {now.name}" if now else "before it starts" if game.state == "forming" else "at its end"
        changes = border_words(game, variant.at(position.phase))
        tell(
            context, f"The board of {game.name} {when}.", "map", map=map_view(variant, position), changes=changes
        )
        scene = pictures.scene(game, position)
    show(context, game, scene, svg, part or "")


def _tell_played(context: CommandContext, game: Game, name: str) -> dict[str, Any] | None:
    """Tell the results of a phase, and the board on which its orders were given; return what its picture shows."""
    phase = next((phase for phase in reversed(played(context.session, game)) if phase.name == name), None)
    if not phase:
        raise CommandError(f"{name} was not played in {game.name}. SUMMARY {game.name} shows how it went.")
    variant, post = variant_of(game), context.services.post
    position, outcome = outcome_of(game, phase)
    changes = border_words(game, variant.at(position.phase))
    page = told_again(post, context.zone, game, phase)
    board = post.render("map", context.zone, map=map_view(variant, position), changes=changes)
    tell_text(context, f"{name} in {game.name}: its results, then the board before it.", f"{page}\n\n{board}")
    return pictures.scene(game, position, outcome, "results")


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
def set_maps(context: CommandContext, how: str) -> Setting:
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
def info(context: CommandContext, words: str) -> None:
    """INFO <province> [<game>]: its names, its kind, its owner, its neighbors and the units there.

    The last words may name a variant (INFO EGY 1900), whose board is shown as the game begins.
    """
    said = words.split()
    in_full = context.game and context.variant.names.find(fold(words))
    named = game_named(context.session, said[-1])
    for at in range(1, len(said)) if not (in_full or named) else ():
        board = variant_named(" ".join(said[at:]), exactly=False)
        if board:
            view = province_view(board, start_position(board), _province(board, " ".join(said[:at])))
            title = f"{view.province.name} ({view.province.abbr}) on the board of {board.title}, at the start."
            tell(context, title, "province", view=view)
            return
    if named and len(said) > 1 and not in_full:
        (game, _), name = asked_game(context, named.name, "INFO"), " ".join(said[:-1])
    else:
        (game, _), name = asked_game(context, None, f"INFO {words}"), words
    variant = variant_now(context.session, game)
    position = standing(context.session, game) or start_position(variant)
    view = province_view(variant, position, _province(variant, name))
    tell(context, f"{view.province.name} ({view.province.abbr}) in {game.name}.", "province", view=view)


def _province(variant: Variant, text: str) -> str:
    found = variant.names.find(fold(text))
    if not found:
        raise CommandError(f'"{text}" is not a province. {variant.names.suggestion(text)}'.rstrip())
    if len(found) > 1:
        raise CommandError(f'"{text}" could be {" or ".join(variant.names.label(abbr) for abbr in found)}.')
    return found[0]
