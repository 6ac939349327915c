"""The board in words: MAP shows all of it, INFO one province."""

from judge.desk.asking import asked_game, asked_phase, tell
from judge.desk.visit import GAME, Call, Command, CommandError, Visit
from judge.games.boards import border_words, variant_of
from judge.games.outcomes import standing
from judge.mails.boardview import map_view, province_view
from judge.rules import Variant, start_position
from judge.rules.names import fold
from judge.store.lookups import game_named
from judge.store.tables import Game


def show_map(visit: Visit, call: Call) -> None:
    """MAP [<game>]: who owns and stands where, power by power; before the start, where the units will stand."""
    game = asked_game(visit, call.arguments["game"], "MAP")
    phase = asked_phase(visit, game)
    variant = variant_of(game)
    position = standing(visit.session, game) or start_position(variant)
    when = f"before {phase.name}" if phase else "before it begins" if game.state == "forming" else "at its end"
    title = f"The board of game {game.name} {when}."
    tell(visit, title, "map", map=map_view(variant, position), changes=border_words(game))


def info(visit: Visit, call: Call) -> None:
    """INFO <province> [<game>]: its names, its kind, whose center it is, its neighbours, who is there."""
    game, words = _asked(visit, call.arguments["words"])
    asked_phase(visit, game)
    variant = variant_of(game)
    view = province_view(variant, standing(visit.session, game), _province(variant, words))
    tell(visit, f"{view.province.name} ({view.province.abbr}) in game {game.name}.", "province", view=view)


def _asked(visit: Visit, text: str) -> tuple[Game, str]:
    """The game, and the words that name the province: the last word may name the game."""
    *words, last = text.split()
    in_full = visit.game and variant_of(visit.game).names.find(fold(text))
    game = game_named(visit.session, last) if words and not in_full else None
    if game:
        return game, " ".join(words)
    return asked_game(visit, None, f"INFO {text}"), text


def _province(variant: Variant, text: str) -> str:
    found = variant.names.find(fold(text))
    if not found:
        raise CommandError(f'"{text}" is not a province. {variant.names.suggestion(text)}'.rstrip())
    if len(found) > 1:
        raise CommandError(f'"{text}" could be {" or ".join(variant.names.label(abbr) for abbr in found)}.')
    return found[0]


COMMANDS = (
    Command(
        names=("MAP",),
        arguments="[<game>]",
        who="U",
        place="anywhere",
        summary="the board as text: who owns and stands where",
        handler=show_map,
        pattern=rf"(?:\s+(?P<game>{GAME}))?",
    ),
    Command(
        names=("INFO",),
        arguments="<province> [<game>]",
        who="U",
        place="anywhere",
        summary="a province: its names, its neighbours, who owns it, who is there",
        handler=info,
        pattern=r"\s+(?!PLAYER\b)(?P<words>[^\s,:!?][^,:!?]{1,39})",
    ),
)
