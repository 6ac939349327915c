"""Declare commands at their handlers, with their syntax, permitted users, places in a letter and text for HELP.

A family of commands is a module with a `Family`. The `Family` is a decorator that declares each command at its handler.
judge/commands/core/permissions.py enforces the declaration before the handler runs. A handler that cannot carry out the
command raises CommandError with a message for the sender.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, Flag, auto
from inspect import signature
from typing import Any, Literal, TypeVar

from judge.commands.core.usage import pattern_of, split
from judge.games.people.credentials import LoginAttempts
from judge.letters import Line

# The topics of HELP (templates/help).
TopicName = Literal[
    "info", "guide", "registration", "orders", "whatif", "points", "deadlines", "press", "draws", "questions",
    "observers", "master", "acts", "hosting", "variants", "signs", "data", "rules", "commands",
]  # fmt: skip


class Who(Flag):
    """The people who may use a command. The values can be combined."""

    ANYBODY = auto()
    # Any sender who knows the secret code in the command.
    BEARER = auto()
    # Registered people, and senders who have yet to confirm their registration.
    REGISTERED = auto()
    PLAYER = auto()
    OBSERVER = auto()
    # Masters, the keeper in place of a master, and players to whom the table of acts gives the command
    # (judge/games/core/acts.py).
    MASTER = auto()


# The judge never takes these commands for part of a sentence. They need further lines, or no sentence has their words.
_NO_SENTENCES = frozenset({"SIGNON", "SIGN ON", "LOGIN", "LOGON", "CREATE", "SIGNOFF", "SIGN OFF"})
SEATED = Who.PLAYER | Who.OBSERVER | Who.MASTER


class Place(Enum):
    """The part of a letter in which a command is recognized."""

    # The command opens a block.
    OPENING = auto()
    # The command needs no sign-on, and is recognized only before all sign-ons.
    LOBBY = auto()
    # The command is recognized only after a sign-on.
    GAME = auto()
    ANYWHERE = auto()
    # The command ends the part of the letter that is read.
    END = auto()


class When(Enum):
    """The states of the game in which a command can be used."""

    ANY = auto()
    # Until the game has ended.
    LIVING = auto()
    # Before the game has begun.
    FORMING = auto()
    # While the game has an open phase.
    OPEN = auto()
    # While the game has an open phase and is not paused.
    RUNNING = auto()
    # Until the game has ended, but not while it is paused.
    UNPAUSED = auto()
    # While the game is paused, or after it has ended.
    PAUSED = auto()
    # After the game has ended.
    ENDED = auto()


class Body(Enum):
    """The lines after a command that belong to it."""

    # Lines `Key: value`, up to END.
    FORM = auto()
    # Lines of any kind, up to END.
    LINES = auto()
    # A message, up to ENDPRESS.
    PRESS = auto()
    # All lines up to ENDIF.
    CONDITION = auto()
    # All lines up to ENDWHATIF. If ENDWHATIF is missing, nothing after the command is read.
    SANDBOX = auto()


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """The rule by which a line is recognized, and the function that handles the line."""

    # The preferred name, then its synonyms.
    names: tuple[str, ...]
    place: Place
    # The function that carries out the line. Its arguments are the context and the groups of the pattern, with None for
    # a group that matches nothing.
    handler: Callable[..., object] | None = None
    # The pattern that the arguments must match, so that prose is not taken for the command.
    pattern: str = ""
    # True if a name with arguments must be in capitals, because sentences begin with the same word in lowercase.
    capitals: bool = False
    body: Body | None = None
    # Names of the command that are also words of prose. These names are not recognized after a sign-on.
    prose: tuple[str, ...] = ()
    # True if players also write the command to each other in press. Such a line in press is part of the message.
    is_said: bool = False
    # True if the line has no handler, and is filed with the orders around it.
    is_order: bool = False
    # True if one email announces the changes that consecutive lines with this command make.
    together: bool = False
    # True if the line is a heading, such as PHASE F1901M, for the lines after it.
    heads: bool = False
    # True if the lines after the command are carried out in another seat. If the command is refused, so are these
    # lines.
    becomes: bool = False
    # True if the effect cannot be undone, changes the player of a seat, or needs only the sender's address. If the
    # judge's mail server reports a letter as forged, such a command is refused, even with the right password.
    lasting: bool = False
    # The name of a master's command in the table of acts (judge/games/core/acts.py), or "" if only masters may use the
    # command.
    act: str = ""

    @property
    def word(self) -> str:
        """The preferred name of the command."""
        return self.names[0]

    @property
    def stands_alone(self) -> bool:
        """Return whether a line with this command is carried out even if it may be the end of a sentence.

        Such a line is hardly ever the end of a sentence, or does no harm if it is one.
        """
        is_boxed = self.body in (Body.CONDITION, Body.SANDBOX)
        return is_boxed or self.place is Place.ANYWHERE or self.is_order or self.heads or self.is_said


class Slip(Pattern):
    """A line that is almost a command, or a command of another judge. Its answer says what to write in its place."""


@dataclass(frozen=True, kw_only=True)
class Command(Pattern):
    """A command that HELP shows, with its permitted users and its conditions."""

    # The arguments and the explanation of the command in HELP.
    arguments: str
    summary: str
    topics: tuple[TopicName, ...]
    who: Who
    when: When = When.ANY
    # True if the command is about the open phase. Such a command is refused in a letter that was sent before that phase
    # opened.
    of_phase: bool = False
    # True if the command is about the seat of its sender. The keeper, who has no seat, cannot use it.
    of_seat: bool = False
    # True if people can use the command only for themselves. A master who acts for a player (BECOME) cannot use it.
    personal: bool = False
    # True if players who have chosen to play without a password may use the command without a password.
    passwordless: bool = False


class Doubt(Flag):
    """A reason to doubt that the sender meant a line as the command it matches."""

    # Nothing follows the command, and it is neither a setting nor in capitals. The line could be an answer to a person,
    # such as "Clear."
    WORD = auto()
    # The line may continue the sentence on the line above.
    SENTENCE = auto()


H = TypeVar("H", bound=Callable[..., object])


class Family:
    """The commands of a module, in the order of HELP.

    The fields that are given to the family apply to all its commands, but a command can override them:

       command = Family("deadlines", who=Who.MASTER, when=When.LIVING, act=acts.OTHER_SETTINGS)

       @command("SET START <date>", help="don't process this phase before that time")
       def set_start(context: CommandContext, date: str) -> str: ...
    """

    def __init__(
        self,
        *topics: TopicName,
        who: Who,
        place: Place = Place.GAME,
        when: When = When.ANY,
        act: str = "",
        **more: bool,
    ) -> None:
        self.commands: list[Command] = []
        self._shared: dict[str, Any] = {"topics": topics, "who": who, "place": place, "when": when, "act": act, **more}

    def __call__(self, usage: str, *also: str, help: str, **differs: Any) -> Callable[[H], H]:
        """Return the decorator that adds the handler's command to the family.

        `also` has synonyms of the command's name. `differs` has fields that only this command has.
        """

        def register(handler: H) -> H:
            self.add(usage, *also, help=help, handler=handler, **differs)
            return handler

        return register

    def add(self, usage: str, *also: str, help: str, reads: str = "", **differs: Any) -> None:
        """Add a command that shares its handler with other commands, or that has no handler.

        `reads` has the accepted arguments in the notation of a usage, if they are more than HELP shows.
        """
        name, arguments = split(usage)
        if "pattern" not in differs:
            handler = differs.get("handler")
            differs["pattern"] = pattern_of(reads or arguments, signature(handler).parameters if handler else ())
        fields = {**self._shared, **differs}
        self.commands.append(Command(names=(name, *also), arguments=arguments, summary=help, **fields))


# Optional punctuation between the words of a setting.
_MARKS = str.maketrans(":=,", "   ")


@dataclass(frozen=True)
class Call:
    """A command in a letter, with its line and the lines after it."""

    command: Pattern
    # For each group of the command's pattern, the words that match the group.
    arguments: Mapping[str, str | None]
    line: str
    # The name of the command that the sender has used.
    name: str = ""
    body: tuple[str, ...] = ()
    # True if the body has its end word.
    ended: bool = True
    # The lines after a message without an end word: a quote, an older email, a signature.
    older: tuple[Line, ...] = ()
    # The line directly above the command, if that line is neither blank nor a command.
    above: str = ""
    # The orders that follow on the line of a sign-on.
    orders: str = ""
    # The position of the password, or possible password, on the line.
    secret: tuple[int, int] | None = None

    @property
    def is_command(self) -> bool:
        """Return whether the line is a command, and not only almost a command (a `Slip`)."""
        return isinstance(self.command, Command)

    @property
    def given(self) -> dict[str, str]:
        """The arguments that the sender has written, by name."""
        return {name: word for name, word in self.arguments.items() if word}

    @property
    def plainly(self) -> str:
        """The command in capitals, without synonyms and punctuation, so that all spellings of a command are equal."""
        words = " ".join([self.command.word, *self.given.values()])
        return " ".join(words.translate(_MARKS).upper().split())

    @property
    def is_in_capitals(self) -> bool:
        """Return whether the name of the command is in capitals."""
        return self.line[: len(self.name)].isupper()

    @property
    def doubt(self) -> Doubt:
        """The reasons, on this line and the line above, to doubt that this command is meant."""
        found, command = Doubt(0), self.command
        if self.is_in_capitals:
            return found
        if not (self.given or self.body or self.line.upper().startswith("SET ")):
            found |= Doubt.WORD
        is_form = command.body is Body.FORM and bool(self.body)
        if self.above and not (self.name in _NO_SENTENCES or is_form or command.stands_alone):
            found |= Doubt.SENTENCE
        return found


class CommandError(Exception):
    """Raised if a command cannot be carried out. The message says to its sender what to write in its place."""


class NothingDone(Exception):
    """Raised if a valid command changed nothing, because its value is the same or other players must agree first.

    The message is the reply to the command.
    """


# The maximum number of commands that an error suggests.
_MOST_FORMS = 3


def forms_of(commands: Sequence[Command]) -> str:
    """Return how to write the first few of the commands, such as `APPROVE <code> or APPROVE <address>`."""
    return " or ".join(f"{one.names[0]} {one.arguments}".rstrip() for one in commands[:_MOST_FORMS])


@contextmanager
def refused(*errors: type[Exception], before: str = "", after: str = "") -> Iterator[None]:
    """Turn one of these errors in the `with` block into a CommandError, with texts before and after its message."""
    try:
        yield
    except errors as error:
        raise CommandError(f"{before}{error}{after}") from None


class MaybeSentence(CommandError):
    """Raised for a line that looks like a command but may be part of a sentence."""

    def __init__(self, why: str = "This looks like part of the sentence above it.") -> None:
        super().__init__(f"{why} If you meant the command, write it in capitals.")


class EndMissing(CommandError):
    """Raised for a message without an end word that may be incomplete, or may include other lines.

    `why` is the reason, as a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The message has no ENDPRESS of its own, and {why}. Write ENDPRESS on a line of its own where the message "
            "ends."
        )
        self.why = why


class SignonRefused(CommandError):
    """Raised for a sign-on that is refused without trying its password.

    `door` names the seats that the password was meant to open.
    """

    def __init__(self, message: str, door: LoginAttempts):
        super().__init__(message)
        self.door = door


class PasswordRefused(SignonRefused):
    """Raised for a sign-on with a wrong password, which is a failed attempt."""


class AfterConfirmation(CommandError):
    """Raised for a command that must wait until its sender has confirmed the letter."""
