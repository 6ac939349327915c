"""HELP, GET and VERSION: what the judge tells of itself."""

from collections.abc import Sequence

from judge import __version__
from judge.desk.asking import tell, tell_text
from judge.desk.topics import BY_NAME, TOPICS, Topic, users
from judge.desk.visit import Call, Command, CommandError, Visit
from judge.rules import load_variant, variant_names
from judge.rules.portrait import rules_in_words


def help_text(visit: Visit, call: Call) -> None:
    """HELP [<topic>]: without a topic how to write to the judge, with every command."""
    if call.arguments["topic"]:
        get(visit, call)
        return
    texts = [_text(visit, BY_NAME[name]) for name in ("info", "commands")]
    tell_text(visit, "How to write to this judge.", "\n\n".join(texts))


def get(visit: Visit, call: Call) -> None:
    """GET [<topic>]: a topic, a variant or what is said of one command; without a word the list of topics."""
    asked = (call.arguments["topic"] or "").lower()
    if not asked:
        tell(visit, "What you can ask for with GET <topic>:", "help/topics", topics=TOPICS)
        return
    variant = asked.rpartition(".")[2]
    named = [command for command in visit.commands if any(asked.upper() == name.split()[0] for name in command.names)]
    if asked in BY_NAME:
        topic = BY_NAME[asked]
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


_TOPIC = r"(?:\s+(?P<topic>[A-Z0-9][A-Z0-9_.]{0,30}))?"

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
