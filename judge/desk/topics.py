"""The texts that HELP and GET can bring, each with the part of the command table that belongs to it.

What a text says by itself stands in templates/help; how a command is written, who may use it and its synonyms
always come from the table. A family of commands that is new belongs below a topic here.
"""

from dataclasses import dataclass

from judge.desk import (
    approval,
    board,
    borders,
    clock,
    correcting,
    disorder,
    flags,
    future,
    history,
    house,
    info,
    master,
    orders,
    people,
    points,
    press,
    seats,
    signon,
    standby,
    timing,
    tokens,
    votes,
)
from judge.desk.visit import Command


@dataclass(frozen=True)
class Topic:
    """A text to ask for: `aliases`, the names the classic judges gave it among them; `commands`: listed below it."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()


_OBSERVING = tuple(
    command
    for command in (*signon.COMMANDS, *tokens.COMMANDS)
    if {"OBSERVE", "UNSUBSCRIBE"} & set(command.names)
)

TOPICS = (
    Topic("info", "what this is, and how a letter is written", ("guide", "help", "start", "package")),
    Topic("registration", "who you are; joining and leaving games", ("form", "register", "joining"),
          (*people.COMMANDS, *signon.COMMANDS, *seats.COMMANDS, *standby.COMMANDS, *tokens.COMMANDS)),
    Topic("orders", "how orders are written", ("syntax", "order"), (*orders.COMMANDS, *future.COMMANDS)),
    Topic("points", "how Diplomacy Points are bid for neutrals", ("dp", "dps", "bids", "neutrals"), points.COMMANDS),
    Topic("deadlines", "when a phase is due, and what happens then", ("deadline", "absence", "timing"),
          (*clock.COMMANDS, *timing.COMMANDS)),
    Topic("press", "messages between players", ("messages",), press.COMMANDS),
    Topic("draws", "how a game ends without a winner", ("draw", "concede", "votes"), votes.COMMANDS),
    Topic("questions", "what you can ask the judge", ("asking",),
          (*info.COMMANDS, *board.COMMANDS, *history.COMMANDS)),
    Topic("observers", "how to watch a game", ("observer", "observing"), _OBSERVING),
    Topic("master", "what the master (GM) of a game does", ("masters", "gm", "moderator", "settings", "gunboat"),
          (*master.COMMANDS, *correcting.COMMANDS, *borders.COMMANDS, *approval.COMMANDS, *disorder.COMMANDS,
           *flags.COMMANDS, *house.COMMANDS)),
    Topic("variants", "the boards that can be played here", ("variant", "maps")),
    Topic("rules", "what this judge decides where rulebooks are silent", ("house.rules", "rulings", "datc")),
    Topic("commands", "every command, and who may use it", ("index", "command")),
)  # fmt: skip
BY_NAME = {name: topic for topic in TOPICS for name in (topic.name, *topic.aliases)}
_WHO = {"U": "anybody", "R": "registered people", "P": "players", "O": "observers", "M": "the master"}


def users(command: Command) -> str:
    """Who may use it, in words: `players and the master`."""
    *most, last = [_WHO[letter] for letter in command.who]
    return f"{', '.join(most)} and {last}" if most else last
