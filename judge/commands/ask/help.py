"""HELP, GET and VERSION: texts about the judge, and the steps that a sender can take next.

The texts are in templates/help. The usage, users and synonyms of a command always come from the command table.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from judge import __version__
from judge.commands.core.command import CommandError, Family, Place, TopicName, Who, refused
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import seat_in
from judge.commands.core.permissions import users
from judge.commands.core.proofs import is_registered
from judge.games.core.acts import ACTS
from judge.games.core.board import border_words, signon_of, variant_now
from judge.letters.words import is_plea
from judge.mails.boardview import neutrals_view
from judge.rules import UnknownVariant, Variant, VariantError, capitalized, load_variant, variant_names, variants
from judge.rules.describe import (
    PORT,
    kind_in_words,
    rules_beside_text,
    rules_in_words,
    rulings_of,
    sources_of_borders,
    with_weakening,
)
from judge.rules.variant.registry import variant_called
from judge.rules.variant.variant import rulings_of_every_board
from judge.store.games import game_named, open_phase
from judge.store.seats import games_of
from judge.store.states import Role
from judge.store.tables import Game, Phase


@dataclass(frozen=True)
class Topic:
    """A topic of HELP and GET: a text with its names."""

    name: TopicName
    title: str
    # Other names of the topic, including its names on the classic judges.
    aliases: tuple[str, ...] = ()


TOPICS = (
    Topic("info", "what this is, and how to write to it", ("help", "start", "package")),
    Topic("guide", "your first game, step by step", ("guide.player", "guide.players", "tutorial")),
    Topic("registration", "who you are; joining and leaving games", ("form", "register", "joining")),
    Topic("orders", "how to write orders", ("syntax", "order")),
    Topic("whatif", "trying out orders before the deadline", ("sandbox", "what.if")),
    Topic("points", "how to bid Diplomacy Points for neutrals", ("dp", "dps", "bids", "neutrals")),
    Topic("deadlines", "when a phase is due, and what happens then", ("deadline", "absence", "timing")),
    Topic("press", "messages between players", ("messages",)),
    Topic("draws", "how a game ends without a winner", ("draw", "concede", "votes")),
    Topic("questions", "what you can ask the judge", ("asking",)),
    Topic("observers", "how to watch a game", ("observer", "observing")),
    Topic("master", "what the master (GM) of a game does", ("masters", "gm", "moderator", "settings", "gunboat")),
    Topic("acts", "who may do what to a game, and how it is undone", ("act", "rights", "consent", "agree")),
    Topic("hosting", "running a game, step by step", ("guide.master", "guide.masters", "guide.gm", "host")),
    Topic("variants", "the boards that can be played here", ("variant", "maps")),
    Topic("signs", "what the signs in the pictures mean", ("sign", "legend", "symbols", "pictures")),
    Topic("data", "phases for programs, as JSON", ("json", "programs")),
    Topic("rules", "how this judge decides what the rulebook leaves open", ("house.rules", "rulings", "datc")),
    Topic("commands", "the commands for players, and who may use them", ("index", "command")),
)
BY_NAME = {name: topic for topic in TOPICS for name in (topic.name, *topic.aliases)}


# The minimum length of a word that is looked up in rules. A shorter word may be in any text by chance.
_SHORTEST_WORD = 4
# The beginning of a sentence of the rules that continues the subject of the sentence before.
_GOES_ON = re.compile(r"^(?:It|This) |\bsuch a\b")
# The maximum number of the sender's games that HELP lists, so that the answer fits on a screen.
MOST_GAMES = 3


@dataclass(frozen=True)
class Step:
    """A game of the sender in HELP: the sender's role and sign-on, and the game's open phase."""

    game: str
    role: Role
    signon: str
    phase: Phase | None
    paused: bool


def _own_games(context: CommandContext) -> Sequence[Game]:
    """Return the game that the sender is signed on to, or else the games of the person at their address."""
    return [context.seat.game] if context.signed_on else games_of(context.session, context.letter.person)


_READS = "[SET <key> | RULES|MAP <variant or game> | <topic>]"

command = Family("info", who=Who.ANYBODY, place=Place.ANYWHERE)


@command(
    "GET [<topic> | SET <key> | RULES <variant> | MAP <variant or game>]",
    "SEND",
    "SEND ME",
    reads=_READS,
    help="the same; without a topic: all topics; RULES: a variant's rules; MAP: its map with all borders",
)
@command(
    "HELP [<topic> | SET <key>]",
    reads=_READS,
    help="how to write to the judge, or help on a topic, a variant, a command or a setting",
)
def get(context: CommandContext, how: str | None, of: str | None, key: str | None, topic: str | None) -> None:
    """Show a topic, a variant or the help on one command or setting.

    Without a word, HELP shows the sender's next steps and the most important commands on one screen. GET shows the list
    of topics. GET RULES and GET MAP show the rules or the map of a variant or of a game. GET SET <key> shows the
    commands that set and undo one setting.
    """
    if how and of:
        _get_of_variant(context, how.lower(), of.lower())
    elif key:
        _get_setting(context, f"SET {' '.join(key.upper().split())}")
    elif topic and not is_plea(f"help {topic}"):
        _get_topic(context, topic.lower())
    elif context.call.command.word == "GET":
        context.say(context.written("help/topics", topics=TOPICS), "Topics for GET <topic>:")
    else:
        steps = [
            Step(game.name, seat.role, signon_of(game, seat), open_phase(context.session, game), game.state == "paused")
            for game in _own_games(context)
            if (seat := seat_in(context, game))
        ]
        known = is_registered(context.letter.person)
        now = context.written("help/now", steps=steps[:MOST_GAMES], registered=known, topics=TOPICS)
        context.say(now, "How to write to this judge.")


def _get_setting(context: CommandContext, key: str) -> None:
    named = context.letter.reader.settings_named(key)
    if not named:
        raise CommandError(f'"{key.removeprefix("SET ")}" is not a setting. For a list, send HELP SET.')
    name = next((name for name in named[0].names if name != "SET" and key.startswith(f"{name} ")), key)
    context.say(context.written("help/command", commands=named, users=users), f"How to write {name}:")


def _get_topic(context: CommandContext, asked: str) -> None:
    """Show the topic or variant called `asked`, or the help on the commands that begin with this word."""
    commands = context.letter.reader.commands
    named = [one for one in commands if asked.upper() in {name.split()[0] for name in one.names}]
    if asked in BY_NAME:
        _tell_topic(context, BY_NAME[asked])
    elif board := variant_named(asked.rpartition(".")[2], exactly=bool(named)):
        told = {"variant": board, "sentences": rules_in_words(board), "neutrals": neutrals_view(board)}
        context.say(context.written("help/variant", **told), f"{capitalized(board.label)}.")
    elif named:
        context.say(context.written("help/command", commands=named, users=users), f"How to write {asked.upper()}:")
    elif not _tell_where_ruled(context, asked):
        names = ", ".join(topic.name for topic in TOPICS)
        raise CommandError(f'No help for "{asked}". Topics: {names}. Commands and variants work too.')


def _tell_topic(context: CommandContext, topic: Topic) -> None:
    # Commands for masters only are in the topic on masters, and not in the list of all commands.
    placed = (
        (one, (*one.topics, "commands" if one.who & ~Who.MASTER else "master"))
        for one in context.letter.reader.commands
    )
    text = context.work.services.post.render(
        f"help/{topic.name}", context.zone, commands=[one for one, shown_in in placed if topic.name in shown_in],
        users=users, topics=TOPICS, variants=variants(), rulings=rulings_of_every_board(), acts=ACTS.values(),
    )  # fmt: skip
    context.say(text, f"{topic.name.capitalize()}: {topic.title}.")


def _tell_where_ruled(context: CommandContext, asked: str) -> bool:
    """Answer HELP with a word from a variant's rules, such as Suez, and return whether any rules have the word.

    The answer shows sentences with the word, and GET RULES for more. The rules of the game signed on to, or of the
    sender's games, are searched first. If none of them has the word, the rules of all variants are searched.
    """
    if len(asked) < _SHORTEST_WORD:
        return False
    word = re.compile(rf"\b{re.escape(asked)}", re.IGNORECASE)
    own = [(game.name, variant_now(context.session, game)) for game in _own_games(context)]
    for boards in (own, [(one.name, one) for one in variants()]):
        texts = []
        for name, board in boards:
            sentences = rules_in_words(board)
            if word.search(f"{sentences} {board.special} {rulings_of(board)}"):
                more = f"For all rules of {board.label}, send GET RULES {name}."
                texts.append("\n".join([*_sentences_about(asked, sentences), more]))
        if texts:
            context.say("\n\n".join(texts), f"What the rules say about {asked.lower()}.")
            return True
    return False


def _sentences_about(asked: str, sentences: Sequence[str]) -> Iterator[str]:
    """Yield the sentences with the word `asked`, and sentences directly after them that continue their subject."""
    goes_on = False
    for sentence in sentences:
        goes_on = asked in sentence.casefold() or goes_on and _GOES_ON.search(sentence) is not None
        if goes_on:
            yield sentence


def _get_of_variant(context: CommandContext, part: str, name: str) -> None:
    """Show the rules or the map of the variant or game called `name`.

    The rules and the map of a game include its settings and corrections.
    """
    game = game_named(context.session, name)
    variant = variant_named(name, exactly=bool(game))
    if variant:
        game = None
    else:
        if not game:
            there = ", ".join(variant_names())
            raise CommandError(f'There is no variant or game "{name}". Variants: {there}.')
        variant = variant_now(context.session, game)
    where = f" in {game.name}" if game else ""
    if part == "rules":
        title = f"The rules of {variant.label}{where}."
        told = {"sentences": rules_beside_text(variant), "rulings": rulings_of(variant)}
        context.say(context.written("help/variant_rules", variant=variant, **told), title)
        return
    given, doubtful = sources_of_borders(variant)
    context.say(
        context.written(
            "help/variant_map",
            variant=variant,
            kind_in_words=kind_in_words,
            with_weakening=with_weakening,
            port=PORT,
            changes=border_words(game, variant) if game else [],
            given=given,
            doubtful=doubtful,
        ),
        f"The map of {variant.label}{where}: where armies and fleets may go (* supply center).",
    )


def variant_named(name: str, exactly: bool) -> Variant | None:
    """Return the variant called `name`, or None.

    `name` can also mean a game or a command. If `exactly` is true, only the full name of a variant is accepted. Raises
    CommandError if the variant exists but cannot be played.
    """
    with refused(VariantError), suppress(UnknownVariant):
        if not exactly or variant_called(name) == name:
            return load_variant(name)
    return None


@command("VERSION", help="the name and version of this program")
def version(context: CommandContext) -> None:
    """Show the name and version of this program."""
    context.say("", f"This is judge {__version__}.")
