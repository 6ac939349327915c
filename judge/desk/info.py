"""What anybody may ask: HELP, LIST, STATUS."""

from judge.desk.visit import GAME, Call, Command, CommandError, Visit
from judge.games import forming
from judge.games.orderbook import OrderBook
from judge.mails.views import position_view
from judge.rules import load_variant, words
from judge.store.lookups import all_games, game_named, open_phase
from judge.store.tables import Game


def help_text(visit: Visit, call: Call) -> None:
    """HELP: how to write to the judge, with every command of the table."""
    visit.title("How to write to this judge.")
    visit.say("help", commands=visit.commands)


def list_games(visit: Visit, call: Call) -> None:
    """LIST: a line for each game."""
    games = [_line(visit, game) for game in all_games(visit.session) if game.state != "finished"]
    count = f"{len(games)} game{'' if len(games) == 1 else 's'}"
    visit.title(f"{count} on this judge.")
    visit.say("list", games=games)


def status(visit: Visit, call: Call) -> None:
    """STATUS [<game>]: where the game stands; signed on, the player's own orders come with it."""
    game = _asked_game(visit, call.arguments["game"])
    phase = open_phase(visit.session, game)
    visit.answer.game, visit.answer.phase = game, phase
    visit.title(f"Status of game {game.name}.")
    context = {"game": game, "phase": phase, "variant": load_variant(game.variant).title, "waiting": 0}
    if phase:
        book = OrderBook(visit.session, game.variant, phase)
        context |= {
            "phase_title": words(phase.name),
            "position": position_view(book.variant, book.position),
            "waiting": len(book.missing()),
        }
    elif game.state == "forming":
        context["needed"] = forming.missing_players(visit.session, game)
    visit.say("status", **context)


def _asked_game(visit: Visit, name: str | None) -> Game:
    if not name:
        if not visit.game:
            raise CommandError("Which game? Write STATUS <game>; LIST shows the games.")
        return visit.game
    game = game_named(visit.session, name)
    if not game:
        raise CommandError(f'There is no game "{name}" here. LIST shows the games that are.')
    return visit.game if visit.game and visit.game.id == game.id else game


def _line(visit: Visit, game: Game) -> dict[str, str]:
    phase = open_phase(visit.session, game)
    openings = ""
    if game.state == "forming":
        needed = forming.missing_players(visit.session, game)
        openings = f"Forming: {needed} more player{'' if needed == 1 else 's'} needed. SIGNON ?{game.name} joins."
    return {
        "name": game.name,
        "phase": phase.name if phase else game.state.title(),
        "variant": load_variant(game.variant).title,
        "openings": openings,
    }


COMMANDS = (
    Command(
        names=("STATUS", "SUMMARY"),
        arguments="[<game>]",
        who="U",
        place="anywhere",
        summary="where a game stands: units, centres, deadline; signed on, your orders too",
        handler=status,
        pattern=rf"(?:\s+(?P<game>{GAME}))?",
    ),
    Command(
        names=("LIST",),
        arguments="",
        who="U",
        place="anywhere",
        summary="all games: which are forming, which are played",
        handler=list_games,
        pattern=r"(?:\s+FULL)?",
    ),
    Command(
        names=("HELP",),
        arguments="",
        who="U",
        place="anywhere",
        summary="this text",
        handler=help_text,
    ),
)
