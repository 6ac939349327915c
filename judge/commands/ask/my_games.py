"""STATUS ALL: every game of the sender in one mail, and what each waits for."""

from dataclasses import dataclass
from datetime import UTC, datetime

from judge.commands.core.command import Call, Family, Place, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.queries import tell
from judge.commands.core.wording import counted
from judge.games.life import forming
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.forms import wanting
from judge.rules import words
from judge.rules.board.names import listed
from judge.store.games import open_phase
from judge.store.seats import games_of, seats_of
from judge.store.tables import Game, Phase, Seat

command = Family("questions", who=Who.ANYBODY, place=Place.ANYWHERE)


@dataclass(frozen=True)
class MyGame:
    """A game of the reader. `state` in words; `role`: what they are in it, a sentence; `phase`: the open one, whose
    deadline counts unless the game is paused; `wanting`: what they owe, a line for each thing; `told`: how it stands
    else, a sentence.
    """

    name: str
    state: str
    role: str
    phase: Phase | None
    wanting: list[str]
    told: str


@command("STATUS ALL", help="all your games: what is missing from you, the next deadline first")
def tell_my_games(context: CommandContext, call: Call) -> None:
    """STATUS ALL: the sender's games, the next deadline first."""
    person, games = context.person, []
    for game in games_of(context.session, person) if person else ():
        own = [seat for seat in seats_of(context.session, game) if person and seat.person_id == person.id]
        games.append(_my_game(context, game, own))
    games.sort(key=lambda game: (game.phase.deadline_at if game.phase else datetime.max.replace(tzinfo=UTC), game.name))
    waiting = sum(bool(entry.wanting) for entry in games)
    verdict = f"You are in {counted(len(games), 'game')}."
    if waiting:
        verdict += f" {counted(waiting, 'game')} {'waits' if waiting == 1 else 'wait'} for your orders."
    tell(context, verdict, "my_games", games=games)


def _my_game(context: CommandContext, game: Game, own: list[Seat]) -> MyGame:
    phase = open_phase(context.session, game)
    if not phase:
        needed = forming.missing_players(context.session, game)
        people = "more player is" if needed == 1 else "more players are"
        return MyGame(game.name, "forming", _role(own), None, [], f"{needed} {people} needed.")
    if game.state == "paused":
        return MyGame(game.name, f"{words(phase.name)}, paused", _role(own), None, [], "")
    return MyGame(game.name, words(phase.name), _role(own), phase, *_asked(context, game, phase, own))


def _role(own: list[Seat]) -> str:
    powers = [seat.power for seat in own if seat.power]
    roles = [f"play {listed(powers)}"] if powers else []
    roles += ["play"] * any(seat.role == "player" and not seat.power for seat in own)
    roles += ["are its master"] * any(seat.role == "master" for seat in own)
    roles += ["observe it"] * any(seat.role == "observer" for seat in own)
    return f"You {listed(roles)}."


def _asked(context: CommandContext, game: Game, phase: Phase, own: list[Seat]) -> tuple[list[str], str]:
    """(what is missing from the seats' holder, how it stands else)."""
    powers = [seat.power for seat in own if seat.power]
    by_master = any(seat.role == "master" for seat in own)
    if not (powers or by_master):
        return [], ""
    book = FiledOrders(context.session, game, phase)
    lines = [
        f"{power}: {line}" if len(powers) > 1 else line for power in powers for line in wanting(book, power)
    ]
    told = ""
    if by_master:
        missing = len(book.awaited())
        what = counted(missing, "player" if book.variant.groups else "power")
        told = f"Orders are missing from {what}." if missing else "All orders are in."
    elif not lines:
        asked = any(power in book.asked for power in powers)
        told = "Your orders are complete." if asked else "You have nothing to order."
    return lines, told
