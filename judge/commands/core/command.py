"""Declare commands at their handlers: syntax, permitted users, places in a letter, states of the game, text for HELP.

A family of commands is a module with a `Family`, which is used as a decorator to declare each command at its handler.
judge/commands/core/permissions.py enforces the declaration before the handler runs. A handler that cannot carry out the
command raises CommandError; the message is for the sender.
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
    """The people who may use a command; the values can be combined.

    `BEARER`: any sender who knows the secret code in the command. `REGISTERED`: registered people, and senders who have
    yet to confirm their registration. `MASTER`: masters, the keeper in place of a master, and players to whom the table
    of acts (judge/games/core/acts.py) gives the command.
    """

    ANYBODY = auto()
    BEARER = auto()
    REGISTERED = auto()
    PLAYER = auto()
    OBSERVER = auto()
    MASTER = auto()


# Commands that have no effect without further lines, or that no sentence contains.
_NO_SENTENCES = frozenset({"SIGNON", "SIGN ON", "LOGIN", "LOGON", "CREATE", "SIGNOFF", "SIGN OFF"})
SEATED = Who.PLAYER | Who.OBSERVER | Who.MASTER


class Place(Enum):
    """The part of a letter in which a command is recognized.

    OPENING: the command opens a block. LOBBY: before all sign-ons, since the command needs no sign-on. GAME: after a
    sign-on. END: the command ends the part of the letter that is read.
    """

    OPENING = auto()
    LOBBY = auto()
    GAME = auto()
    ANYWHERE = auto()
    END = auto()


class When(Enum):
    """The states of the game in which a command can be used.

    `LIVING`: until the game has ended. `FORMING`: before the game begins. `OPEN`: while the game has an open phase.
    `RUNNING`: while the game has an open phase and is not paused. `UNPAUSED`: like `RUNNING`, and before the game
    begins. `PAUSED`: while the game is paused, or after its end. `ENDED`: after the end of the game.
    """

    ANY = auto()
    LIVING = auto()
    FORMING = auto()
    OPEN = auto()
    RUNNING = auto()
    UNPAUSED = auto()
    PAUSED = auto()
    ENDED = auto()


class Body(Enum):
    """The body of a command, on the lines after it.

    FORM: `Key: value` up to END. LINES: lines of any kind up to END. PRESS: a message up to ENDPRESS. CONDITION: all
    lines up to ENDIF. SANDBOX: all lines up to ENDWHATIF; if ENDWHATIF is missing, nothing after the command is read.
    """

    FORM = auto()
    LINES = auto()
    PRESS = auto()
    CONDITION = auto()
    SANDBOX = auto()


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """The rule by which a line is recognized, and the function that handles the line."""

    # The preferred name, then its synonyms.
    names: tuple[str, ...]
    place: Place
    # The handler. It gets the context, and an argument for each group of the pattern: the matched text, or None.
    handler: Callable[..., object] | None = None
    # The pattern that the arguments must match, so that prose is not taken for the command.
    pattern: str = ""
    # True if a name with arguments must be in capitals, since in small letters the name begins sentences.
    capitals: bool = False
    body: Body | None = None
    # The names of the command that are also words of prose, and are not recognized after a sign-on.
    prose: tuple[str, ...] = ()
    # True if people also write the command to each other, so that such a line in press is part of the message.
    is_said: bool = False
    # True if the line has no handler, and is filed with the orders around it.
    is_order: bool = False
    # True if one email announces the changes by consecutive lines with this command.
    together: bool = False
    # True if the line is a heading, such as PHASE F1901M, for the lines after it.
    heads: bool = False
    # True if the lines after the command are carried out in another seat, and are refused if the command is refused.
    becomes: bool = False
    # True if the effect cannot be undone, changes the player of a seat, or needs only the sender's address. Such a
    # command is refused in a letter that our mail server reports as forged, even with the right password.
    lasting: bool = False
    # The name of a master's command in the table of acts (judge/games/core/acts.py); "" if only masters may use the
    # command.
    act: str = ""

    @property
    def word(self) -> str:
        """The preferred name of the command."""
        return self.names[0]

    @property
    def stands_alone(self) -> bool:
        """Return whether a line with the command is hardly ever the end of a sentence, or does no harm then."""
        is_boxed = self.body in (Body.CONDITION, Body.SANDBOX)
        return is_boxed or self.place is Place.ANYWHERE or self.is_order or self.heads or self.is_said


class Slip(Pattern):
    """A line that is almost a command, or is a command of another judge, and gets an answer with advice."""


@dataclass(frozen=True, kw_only=True)
class Command(Pattern):
    """A command that HELP shows, with its permitted users and its conditions."""

    # The arguments and the explanation of the command in HELP.
    arguments: str
    summary: str
    # The topics of HELP that show the command.
    topics: tuple[TopicName, ...]
    who: Who
    when: When = When.ANY
    # True if the command is about the open phase, so that it is refused in a letter sent before that phase opened.
    of_phase: bool = False
    # True if the command is about the seat of its sender, so that the keeper, who has no seat, cannot use it.
    of_seat: bool = False
    # True if people can use the command only for themselves, so that a master who acts for a player (BECOME) cannot use
    # it.
    personal: bool = False
    # True if players who have chosen to play without a password may use the command without a password.
    passwordless: bool = False


class Doubt(Flag):
    """A reason to doubt that a line is meant as the command that it matches.

    `WORD`: nothing follows the command, and it is neither a setting nor in capitals, so it could be an answer to a
    person, such as "Clear." `SENTENCE`: the line may continue the sentence on the line above.
    """

    WORD = auto()
    SENTENCE = auto()


H = TypeVar("H", bound=Callable[..., object])


class Family:
    """The commands of a module, in the order of HELP, and their common fields, which a command can override.

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
        """Return the decorator for a handler. `also`: synonyms of the name; `differs`: fields of this command only."""

        def register(handler: H) -> H:
            self.add(usage, *also, help=help, handler=handler, **differs)
            return handler

        return register

    def add(self, usage: str, *also: str, help: str, reads: str = "", **differs: Any) -> None:
        """Add a command that shares its handler with other commands, or that has no handler.

        `reads`: the arguments that are accepted, written as in a usage, if these are more than HELP shows.
        """
        name, arguments = split(usage)
        if "pattern" not in differs:
            handler = differs.get("handler")
            differs["pattern"] = pattern_of(reads or arguments, signature(handler).parameters if handler else ())
        fields = {**self._shared, **differs}
        self.commands.append(Command(names=(name, *also), arguments=arguments, summary=help, **fields))


# Optional marks between the words of a setting.
_MARKS = str.maketrans(":=,", "   ")


@dataclass(frozen=True)
class Call:
    """A command in a letter: the words that match the command's pattern, its line, and the lines after it.

    `name`: the name of the command that the sender has used. `body`: the lines of the command's body. `ended`: the body
    has its end word. `older`: for a message without an end word, the lines after the message: a quote, an older mail, a
    signature. `above`: the line directly above the command, if that line is neither blank nor a command. `orders`: the
    orders that follow on the line of a sign-on. `secret`: the position of the password, or possible password, on the
    line.
    """

    command: Pattern
    arguments: Mapping[str, str | None]
    line: str
    name: str = ""
    body: tuple[str, ...] = ()
    ended: bool = True
    older: tuple[Line, ...] = ()
    above: str = ""
    orders: str = ""
    secret: tuple[int, int] | None = None

    @property
    def is_command(self) -> bool:
        """Return whether the line is a command, and not a slip."""
        return isinstance(self.command, Command)

    @property
    def given(self) -> dict[str, str]:
        """The arguments that the sender has written, by name."""
        return {name: word for name, word in self.arguments.items() if word}

    @property
    def plainly(self) -> str:
        """Return the command without synonyms, marks and small letters, so that all spellings of it are equal."""
        words = " ".join([self.command.word, *self.given.values()])
        return " ".join(words.translate(_MARKS).upper().split())

    @property
    def is_in_capitals(self) -> bool:
        """Return whether the name of the command is in capitals."""
        return self.line[: len(self.name)].isupper()

    @property
    def doubt(self) -> Doubt:
        """Return the reasons to doubt that the line is meant as this command, from this line and the line above it."""
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
    """A command cannot be carried out; the message is for the sender and says what to write instead."""


class NothingDone(Exception):
    """A valid command changed nothing, since the value is the same or other players must agree first.

    The message is the reply to the command.
    """


# The most forms of commands that an error suggests.
_MOST_FORMS = 3


def forms_of(commands: Sequence[Command]) -> str:
    """Return the forms of the first few of the commands: `APPROVE <code> or APPROVE <address>`."""
    return " or ".join(f"{one.names[0]} {one.arguments}".rstrip() for one in commands[:_MOST_FORMS])


@contextmanager
def refused(*errors: type[Exception], before: str = "", after: str = "") -> Iterator[None]:
    """Turn one of these errors in the `with` block into a CommandError; put `before` and `after` around its message."""
    try:
        yield
    except errors as error:
        raise CommandError(f"{before}{error}{after}") from None


class MaybeSentence(CommandError):
    """A line looks like a command but may be part of a sentence."""

    def __init__(self, why: str = "This looks like part of the sentence above it.") -> None:
        super().__init__(f"{why} If you meant the command, write it in capitals.")


class EndMissing(CommandError):
    """A message without an end word may be incomplete, or include lines that are not part of it.

    `why`: the reason, as a clause.
    """

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The message has no ENDPRESS of its own, and {why}. Write ENDPRESS on a line of its own where the message "
            "ends."
        )
        self.why = why


class SignonRefused(CommandError):
    """A sign-on is refused without trying its password; `door`: the seats that the password is meant for."""

    def __init__(self, message: str, door: LoginAttempts):
        super().__init__(message)
        self.door = door


class PasswordRefused(SignonRefused):
    """The password of a sign-on is wrong, which is counted as a failed attempt."""


class AfterConfirmation(CommandError):
    """A command must wait until its sender has confirmed who they are, or that they wrote the letter."""
