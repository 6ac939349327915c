"""The texts that HELP and GET can bring, each with the part of the command table that belongs to it.

What a text says by itself stands in templates/help; how a command is written, who may use it and its synonyms
always come from the table. A family of commands that is new belongs below a topic here.
"""

from dataclasses import dataclass

from judge.desk.ask import game_list, history, map_and_province
from judge.desk.core.visit import Command
from judge.desk.master import (
    admission,
    board_settings,
    border,
    civil_disorder,
    correct,
    game_settings,
    open_phase,
    run,
    timing,
)
from judge.desk.people import own_seat, register, signon, standby, tokens
from judge.desk.play import bids, orders, orders_ahead, press, votes


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
          (*register.COMMANDS, *signon.COMMANDS, *own_seat.COMMANDS, *standby.COMMANDS, *tokens.COMMANDS)),
    Topic("orders", "how orders are written", ("syntax", "order"), (*orders.COMMANDS, *orders_ahead.COMMANDS)),
    Topic("points", "how Diplomacy Points are bid for neutrals", ("dp", "dps", "bids", "neutrals"), bids.COMMANDS),
    Topic("deadlines", "when a phase is due, and what happens then", ("deadline", "absence", "timing"),
          (*open_phase.COMMANDS, *timing.COMMANDS)),
    Topic("press", "messages between players", ("messages",), press.COMMANDS),
    Topic("draws", "how a game ends without a winner", ("draw", "concede", "votes"), votes.COMMANDS),
    Topic("questions", "what you can ask the judge", ("asking",),
          (*game_list.COMMANDS, *map_and_province.COMMANDS, *history.COMMANDS)),
    Topic("observers", "how to watch a game", ("observer", "observing"), _OBSERVING),
    Topic("master", "what the master (GM) of a game does", ("masters", "gm", "moderator", "settings", "gunboat"),
          (*run.COMMANDS, *correct.COMMANDS, *border.COMMANDS, *admission.COMMANDS, *civil_disorder.COMMANDS,
           *game_settings.COMMANDS, *board_settings.COMMANDS)),
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
