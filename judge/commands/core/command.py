"""Turn a function into a command: its syntax, who may use it, where and when, its line in HELP, its errors.

A family of commands is a module with a `Family`, whose decorator declares all of this above each handler;
judge/commands/core/permissions.py enforces it before the handler runs. A handler that cannot do what is asked raises
CommandError; the message is for the sender.
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
    """Who may use a command; the values can be combined.

    `BEARER`: a sender who knows the secret word in the command. `REGISTERED`: also a sender who has yet to confirm
    their registration. `MASTER`: a master, the keeper in place of one, and players where the table of acts
    (judge/games/core/acts.py) lets them run the game.
    """

    ANYBODY = auto()
    BEARER = auto()
    REGISTERED = auto()
    PLAYER = auto()
    OBSERVER = auto()
    MASTER = auto()


# Commands that do nothing by themselves, or are never words of a sentence.
_NO_SENTENCES = frozenset({"SIGNON", "SIGN ON", "LOGIN", "LOGON", "CREATE", "SIGNOFF", "SIGN OFF"})
SEATED = Who.PLAYER | Who.OBSERVER | Who.MASTER


class Place(Enum):
    """Where a command is recognized.

    OPENING: it opens a block. LOBBY: before all sign-ons, and it needs none. GAME: after a sign-on. END: it ends the
    part of the letter that is read.
    """

    OPENING = auto()
    LOBBY = auto()
    GAME = auto()
    ANYWHERE = auto()
    END = auto()


class When(Enum):
    """In which states of the game a command can be used.

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

    FORM: `Key: value` up to END. LINES: lines of any kind up to END. PRESS: a message up to ENDPRESS. CONDITION:
    everything up to ENDIF. SANDBOX: everything up to ENDWHATIF; without that, nothing after it is read.
    """

    FORM = auto()
    LINES = auto()
    PRESS = auto()
    CONDITION = auto()
    SANDBOX = auto()


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """How a line is recognized, and which function handles it."""

    # The preferred name, then its synonyms.
    names: tuple[str, ...]
    place: Place
    # The handler. It gets the context, and an argument for each group of the pattern: the text written there, or None.
    handler: Callable[..., object] | None = None
    # The pattern that the arguments must match, so that prose is not taken for the command.
    pattern: str = ""
    # Arguments are accepted only if the name is in capitals: in small letters it begins a sentence.
    capitals: bool = False
    body: Body | None = None
    # The names of the command that people also write to each other; after a sign-on they are not commands.
    prose: tuple[str, ...] = ()
    # Whether people also write the command to each other, so that it is text in press.
    is_said: bool = False
    # Whether the line has no handler, and is filed with the orders around it.
    is_order: bool = False
    # Whether the changes by lines of this command that follow each other are announced in one email.
    together: bool = False
    # Whether the line is a heading, such as PHASE F1901M, for the lines after it.
    heads: bool = False
    # Whether the lines after this one are carried out in another seat; if it is refused, they are refused too.
    becomes: bool = False
    # Whether the effect cannot be undone, changes the player of a seat, or needs only the sender's address. The line is
    # then refused in a letter that our mail server reports as forged, even with the right password.
    lasting: bool = False
    # Its name in the table of acts (judge/games/core/acts.py), if it is a master's command; "" for masters only.
    act: str = ""

    @property
    def word(self) -> str:
        """The preferred word."""
        return self.names[0]

    @property
    def stands_alone(self) -> bool:
        """Return whether its line hardly goes on with the sentence above it, or does no harm if it does."""
        is_boxed = self.body in (Body.CONDITION, Body.SANDBOX)
        return is_boxed or self.place is Place.ANYWHERE or self.is_order or self.heads or self.is_said


class Slip(Pattern):
    """A line that is almost a command, or a command of another judge, so that it gets a helpful answer."""


@dataclass(frozen=True, kw_only=True)
class Command(Pattern):
    """Something that the sender can ask for, as HELP shows it."""

    # The arguments of the command in HELP, and its explanation there.
    arguments: str
    summary: str
    # The topics of HELP that show the command.
    topics: tuple[TopicName, ...]
    who: Who
    when: When = When.ANY
    # Whether the command is about the open phase, so that a letter sent before that phase opened meant an earlier one.
    of_phase: bool = False
    # Whether the command is about the seat of its sender, so that the keeper, who has none, cannot use it.
    of_seat: bool = False
    # Whether each person can use the command only for themselves: a master who acts for others (BECOME) cannot.
    personal: bool = False
    # Whether players who have chosen to play without a password may use it without one.
    passwordless: bool = False


class Doubt(Flag):
    """Why a line may not be meant as the command that it matches.

    `WORD`: nothing follows the command, and it is neither a setting nor in capitals, so it could be a word to someone,
    such as "Clear." `SENTENCE`: it may continue the sentence on the line above.
    """

    WORD = auto()
    SENTENCE = auto()


H = TypeVar("H", bound=Callable[..., object])


class Family:
    """The commands of a module, in the order of HELP, and the fields that they share unless one overrides them.

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
        """Return the decorator for a handler. `also`: synonyms of the name; `differs`: fields of `Command`."""

        def register(handler: H) -> H:
            self.add(usage, *also, help=help, handler=handler, **differs)
            return handler

        return register

    def add(self, usage: str, *also: str, help: str, reads: str = "", **differs: Any) -> None:
        """Add a command whose handler is shared with others, or that has none.

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
    """A command as the sender wrote it: the words that match its pattern, its line, and the lines after it.

    `name`: which of its names was written. `ended`: the word that ends the body is there. `older`: for a message
    without that word, the lines after its text: a quote, an older mail, a signature. `above`: the line directly above
    it, if that is neither blank nor a command. `orders`: the orders that follow on the line of a sign-on. `secret`: the
    position of its password, or possible password, on the line.
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
        """Return whether it is a command, and not only almost one."""
        return isinstance(self.command, Command)

    @property
    def given(self) -> dict[str, str]:
        """The arguments that are written."""
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
        """Return why the line may not be meant as this command, as far as the line and the one above show that."""
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
    """A valid command changed nothing, since nothing differs or others have yet to agree; the message is its reply."""


# The error for a misspelled command.
_MOST_FORMS = 3


def forms_of(commands: Sequence[Command]) -> str:
    """Return how the commands are written, `APPROVE <code> or APPROVE <address>`: the first few."""
    return " or ".join(f"{one.names[0]} {one.arguments}".rstrip() for one in commands[:_MOST_FORMS])


@contextmanager
def refused(*errors: type[Exception], before: str = "", after: str = "") -> Iterator[None]:
    """Turn one of these errors in the block into a CommandError, with text before and after its message."""
    try:
        yield
    except errors as error:
        raise CommandError(f"{before}{error}{after}") from None


class MaybeSentence(CommandError):
    """A line looks like a command but may be part of a sentence."""

    def __init__(self, why: str = "This looks like part of the sentence above it.") -> None:
        super().__init__(f"{why} If you meant the command, write it in capitals.")


class EndMissing(CommandError):
    """A message without its end word may be incomplete, or include text not meant for it; `why`: a clause."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The message has no ENDPRESS of its own, and {why}. Write ENDPRESS on a line of its own where the message "
            "ends."
        )
        self.why = why


class SignonRefused(CommandError):
    """A sign-on is refused without trying its password; `door`: what the password was meant to open."""

    def __init__(self, message: str, door: LoginAttempts):
        super().__init__(message)
        self.door = door


class PasswordRefused(SignonRefused):
    """A password is wrong; it is counted."""


class AfterConfirmation(CommandError):
    """A command must wait until its sender has confirmed who they are, or that they wrote the letter."""
