"""HELP and GET: the texts that explain the judge, each with the part of the command table that belongs to it.

What a text says of a command by itself stands in templates/help; how a command is written, who may use it and its
synonyms always come from the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from judge import __version__
from judge.desk import board as boards
from judge.desk import flags, future, history, info, master, orders, people, press, seats, signon, tokens, votes
from judge.desk.asking import tell, tell_text
from judge.desk.visit import Call, Command, CommandError, Visit
from judge.rules import load_variant, variant_names
from judge.rules.portrait import rules_in_words


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
          (*people.COMMANDS, *signon.COMMANDS, *seats.COMMANDS, *tokens.COMMANDS)),
    Topic("orders", "how orders are written", ("syntax", "order"), (*orders.COMMANDS, *future.COMMANDS)),
    Topic("deadlines", "when a phase is due, and what happens then", ("deadline", "absence", "timing")),
    Topic("press", "messages between players", ("messages",), press.COMMANDS),
    Topic("draws", "how a game ends without a winner", ("draw", "concede", "votes"), votes.COMMANDS),
    Topic("questions", "what you can ask the judge", ("asking",),
          (*info.COMMANDS, *boards.COMMANDS, *history.COMMANDS)),
    Topic("observers", "how to watch a game", ("observer", "observing"), _OBSERVING),
    Topic("master", "what the master (GM) of a game does", ("masters", "gm", "moderator"),
          (*master.COMMANDS, *flags.COMMANDS)),
    Topic("variants", "the boards that can be played here", ("variant", "maps")),
    Topic("rules", "what this judge decides where rulebooks are silent", ("house.rules", "rulings", "datc")),
    Topic("commands", "every command, and who may use it", ("index", "command")),
)  # fmt: skip
_BY_NAME = {name: topic for topic in TOPICS for name in (topic.name, *topic.aliases)}
_WHO = {"U": "anybody", "R": "registered people", "P": "players", "O": "observers", "M": "the master"}


def users(command: Command) -> str:
    """Who may use it, in words: `players and the master`."""
    *most, last = [_WHO[letter] for letter in command.who]
    return f"{', '.join(most)} and {last}" if most else last


def help_text(visit: Visit, call: Call) -> None:
    """HELP [<topic>]: without a topic how to write to the judge, with every command."""
    if call.arguments["topic"]:
        get(visit, call)
        return
    texts = [_text(visit, _BY_NAME[name]) for name in ("info", "commands")]
    tell_text(visit, "How to write to this judge.", "\n\n".join(texts))


def get(visit: Visit, call: Call) -> None:
    """GET [<topic>]: a topic, a variant or what is said of one command; without a word the list of topics."""
    asked = (call.arguments["topic"] or "").lower()
    if not asked:
        tell(visit, "What you can ask for with GET <topic>:", "help/topics", topics=TOPICS)
        return
    variant = asked.rpartition(".")[2]
    named = [command for command in visit.commands if any(asked.upper() == name.split()[0] for name in command.names)]
    if asked in _BY_NAME:
        topic = _BY_NAME[asked]
        tell_text(visit, f"{topic.name.capitalize()}: {topic.title}.", _text(visit, topic))
    elif variant in variant_names():
        board = load_variant(variant)
        tell(visit, f"{board.title}.", "help/variant", variant=board, sentences=rules_in_words(board))
    elif named:
        tell(visit, f"How {asked.upper()} is written:", "help/command", commands=named, users=users)
    else:
        names = ", ".join(topic.name for topic in TOPICS)
        raise CommandError(f'There is no topic "{asked}". There are: {names}; and the names of commands and variants.')


def version(visit: Visit, call: Call) -> None:
    """VERSION: which program this is."""
    tell_text(visit, f"This is judge {__version__}.", "")


def _text(visit: Visit, topic: Topic) -> str:
    commands: Sequence[Command] = visit.commands if topic.name == "commands" else topic.commands
    return visit.office.post.render(
        f"help/{topic.name}",
        visit.zone,
        commands=commands,
        users=users,
        topics=TOPICS,
        variants=[load_variant(name) for name in variant_names()],
    )


_TOPIC = r"(?:\s+(?P<topic>[A-Z][A-Z0-9_.]{0,30}))?"

COMMANDS = (
    Command(
        names=("HELP",),
        arguments="[<topic>]",
        who="U",
        place="anywhere",
        summary="how to write to the judge; a topic, a variant or a command explained",
        handler=help_text,
        pattern=_TOPIC,
    ),
    Command(
        names=("GET", "SEND", "SEND ME"),
        arguments="[<topic>]",
        who="U",
        place="anywhere",
        summary="the same; without a topic a list of all topics",
        handler=get,
        pattern=_TOPIC,
    ),
    Command(
        names=("VERSION",),
        arguments="",
        who="U",
        place="anywhere",
        summary="which program this is",
        handler=version,
    ),
)
