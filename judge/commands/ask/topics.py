"""The texts that HELP and GET can show; each command says itself below which of them it stands.

The texts are in templates/help; the form of a command, its users and its synonyms always come from the table.
"""

from dataclasses import dataclass

from judge.commands.core.command import TopicName


@dataclass(frozen=True)
class Topic:
    """A text that can be asked for; `aliases`: its other names, with those that the classic judges gave it."""

    name: TopicName
    title: str
    aliases: tuple[str, ...] = ()


TOPICS = (
    Topic("info", "what this is, and how to write a letter", ("help", "start", "package")),
    Topic("guide", "your first game, step by step", ("guide.player", "guide.players", "tutorial")),
    Topic("registration", "who you are; joining and leaving games", ("form", "register", "joining")),
    Topic("orders", "how to write orders", ("syntax", "order")),
    Topic("points", "how to bid Diplomacy Points for neutrals", ("dp", "dps", "bids", "neutrals")),
    Topic("deadlines", "when a phase is due, and what happens then", ("deadline", "absence", "timing")),
    Topic("press", "messages between players", ("messages",)),
    Topic("draws", "how a game ends without a winner", ("draw", "concede", "votes")),
    Topic("questions", "what you can ask the judge", ("asking",)),
    Topic("observers", "how to watch a game", ("observer", "observing")),
    Topic("master", "what the master (GM) of a game does", ("masters", "gm", "moderator", "settings", "gunboat")),
    Topic("hosting", "running a game, step by step", ("guide.master", "guide.masters", "guide.gm", "host")),
    Topic("variants", "the boards that can be played here", ("variant", "maps")),
    Topic("signs", "what the signs in the pictures mean", ("sign", "legend", "symbols", "pictures")),
    Topic("data", "phases for programs, as JSON", ("json", "programs")),
    Topic("rules", "what this judge decides where rulebooks are silent", ("house.rules", "rulings", "datc")),
    Topic("commands", "every command but those of masters, and who may use it", ("index", "command")),
)
BY_NAME = {name: topic for topic in TOPICS for name in (topic.name, *topic.aliases)}
