"""What makes a function a command: how it is written, who may use it, where and when, its line in HELP, its errors.

A family of commands is a module with a `Family` in it, whose decorator states all of this above each handler;
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

    `BEARER`: a sender who knows the secret word in the command. `REGISTERED`: also a sender who has still to confirm
    their registration. `MASTER`: a master, and the keeper in place of one; players too where the table of acts
    (judge/games/core/acts.py) lets them run the game.
    """

    ANYBODY = auto()
    BEARER = auto()
    REGISTERED = auto()
    PLAYER = auto()
    OBSERVER = auto()
    MASTER = auto()


# These do nothing by themselves, or are no words of a sentence.
_NO_SENTENCES = frozenset({"SIGNON", "SIGN ON", "LOGIN", "LOGON", "CREATE", "SIGNOFF", "SIGN OFF"})
SEATED = Who.PLAYER | Who.OBSERVER | Who.MASTER


class Place(Enum):
    """Where a command is recognized.

    OPENING: it opens a block of its own. LOBBY: above all sign-ons, and it needs none. GAME: after a sign-on. END:
    it ends the part of the letter that is read.
    """

    OPENING = auto()
    LOBBY = auto()
    GAME = auto()
    ANYWHERE = auto()
    END = auto()


class When(Enum):
    """In what state of the game a command can be used.

    `LIVING`: until it has ended; `FORMING`: before it begins; `OPEN`: while it has an open phase; `RUNNING`: the same,
    but not while it is paused; `UNPAUSED`: the same, or before it begins; `PAUSED`: only while it is paused, or has
    ended; `ENDED`: only when it has ended.
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
    """What follows a command on lines of its own.

    FORM: `Key: value` up to END. LINES: lines of any kind up to END. PRESS: a message up to ENDPRESS. CONDITION:
    everything up to ENDIF. SANDBOX: everything up to ENDWHATIF; without that, nothing below is read.
    """

    FORM = auto()
    LINES = auto()
    PRESS = auto()
    CONDITION = auto()
    SANDBOX = auto()


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """How a line is recognized, and what is done with it."""

    # First the preferred word, then its synonyms.
    names: tuple[str, ...]
    place: Place
    # It gets the context, and a parameter for each group of the pattern: what was written there, or None.
    handler: Callable[..., object] | None = None
    # The form that the arguments must have for a line to match, so that prose is not taken for it.
    pattern: str = ""
    # What follows its name counts only if that is in capitals: in small letters it begins a sentence.
    capitals: bool = False
    body: Body | None = None
    # Those of its names that people also write to each other; after a sign-on they are not commands.
    prose: tuple[str, ...] = ()
    # People also write it to each other, so it is text in press.
    is_said: bool = False
    # It has no handler, and is filed with the orders around it.
    is_order: bool = False
    # Its change and those of the next lines like it are announced in one email.
    together: bool = False
    # It is a heading, such as PHASE F1901M: the lines after it are for what it names.
    heads: bool = False
    # The lines after it are carried out in another seat, so none of them is if it is refused.
    becomes: bool = False
    # What it does cannot be undone, or changes the holder of a seat, or needs only the sender's address: it is refused
    # in a letter that our mail server found forged, even if a right password stands in it.
    lasting: bool = False

    @property
    def word(self) -> str:
        """The preferred word."""
        return self.names[0]


class Slip(Pattern):
    """A line that is almost a command, or a command of another judge: it is understood well enough to be answered."""


@dataclass(frozen=True, kw_only=True)
class Command(Pattern):
    """What the sender can ask for, as HELP shows it."""

    # What follows its name in HELP, and what HELP says of it.
    arguments: str
    summary: str
    # The topics of HELP that show it.
    topics: tuple[TopicName, ...]
    who: Who
    when: When = When.ANY
    # It is about the open phase, so a letter that was sent before that phase opened meant another phase.
    of_phase: bool = False
    # It is about the seat of its sender, so the keeper, who has none, cannot use it.
    of_seat: bool = False
    # No one does it in another's name, not even a master who acts for them (BECOME).
    personal: bool = False
    # A player who has chosen that may use it without a password.
    passwordless: bool = False
    # What it is in the table of acts (judge/games/core/acts.py), if it is one of a master; "" for what only masters do.
    act: str = ""


class Doubt(Flag):
    """Why a line may not be meant as the command that it is.

    `WORD`: nothing follows the command, and it is neither a setting nor in capitals, so that it could be a word to
    someone, such as "Clear.". `SENTENCE`: it may go on with the sentence on the line above.
    """

    WORD = auto()
    SENTENCE = auto()


H = TypeVar("H", bound=Callable[..., object])


class Family:
    """The commands of a module, in the order of HELP, and what they have in common unless one says otherwise.

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
        """The decorator of a handler. `also`: synonyms of the name; `differs`: fields of `Command`."""

        def register(handler: H) -> H:
            self.add(usage, *also, help=help, handler=handler, **differs)
            return handler

        return register

    def add(self, usage: str, *also: str, help: str, reads: str = "", **differs: Any) -> None:
        """A command whose handler is not a function of its own, or that has none.

        `reads`: what is read as arguments, written as in a usage, if that is more than HELP shows.
        """
        name, arguments = split(usage)
        if "pattern" not in differs:
            handler = differs.get("handler")
            differs["pattern"] = pattern_of(reads or arguments, signature(handler).parameters if handler else ())
        fields = {**self._shared, **differs}
        self.commands.append(Command(names=(name, *also), arguments=arguments, summary=help, **fields))


# Marks between the words of a setting, which may be left out.
_MARKS = str.maketrans(":=,", "   ")


@dataclass(frozen=True)
class Call:
    """A command as the sender wrote it: the words that match its pattern, its line, and the lines below it.

    `name`: that of its names which was written. `ended`: the word that ends the body stands there. `older`: of a
    message without that word, what follows its text: a quote, an older mail, a signature. `above`: the line right above
    it, if that is neither blank nor a command. `orders`: those that follow on the line of a sign-on. `secret`: where
    on the line its password is, or what may be one.
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
    def plainly(self) -> str:
        """The command without synonyms, marks and small letters: written in several ways it is the same."""
        words = " ".join([self.command.word, *filter(None, self.arguments.values())])
        return " ".join(words.translate(_MARKS).upper().split())

    @property
    def is_in_capitals(self) -> bool:
        """Return whether its words are in capitals, whatever its arguments are."""
        return self.line[: len(self.name)].isupper()

    @property
    def doubt(self) -> Doubt:
        """Why the line may not be meant as this command, as far as that can be told from it and the one above."""
        found, command = Doubt(0), self.command
        if self.is_in_capitals:
            return found
        if not (any(self.arguments.values()) or self.body or self.line.upper().startswith("SET ")):
            found |= Doubt.WORD
        boxed = command.body in (Body.CONDITION, Body.SANDBOX)
        idle = boxed or self.name in _NO_SENTENCES or command.place is Place.ANYWHERE
        is_form = command.body is Body.FORM and bool(self.body)
        if self.above and not (idle or is_form or command.is_order or command.heads or command.is_said):
            found |= Doubt.SENTENCE
        return found


class CommandError(Exception):
    """A command that cannot be done; the message is for the sender and says what to write instead."""


# Of a command that is miswritten.
_MOST_FORMS = 3


def forms_of(commands: Sequence[Command]) -> str:
    """How the commands are written, `APPROVE <code> or APPROVE <address>`: the first few."""
    return " or ".join(f"{one.names[0]} {one.arguments}".rstrip() for one in commands[:_MOST_FORMS])


@contextmanager
def refused(*errors: type[Exception], before: str = "", after: str = "") -> Iterator[None]:
    """Refuse the command if one of these errors is raised in the block, with what stands around its message."""
    try:
        yield
    except errors as error:
        raise CommandError(f"{before}{error}{after}") from None


class MaybeSentence(CommandError):
    """A line that looks like a command but may be part of a sentence."""

    def __init__(self, why: str = "This looks like part of the sentence above it.") -> None:
        super().__init__(f"{why} If you meant the command, write it in capitals.")


class EndMissing(CommandError):
    """A message without its end word that may not be whole, or holds more than was meant; `why`: in half a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The message has no ENDPRESS of its own, and {why}. Write ENDPRESS on a line of its own where the message "
            "ends."
        )
        self.why = why


class SignonRefused(CommandError):
    """A sign-on whose password is not tried; `door`: what it was meant to open."""

    def __init__(self, message: str, door: LoginAttempts):
        super().__init__(message)
        self.door = door


class PasswordRefused(SignonRefused):
    """A password that does not fit; it is counted."""


class AfterConfirmation(CommandError):
    """A command of a sender who has still to confirm who they are, or that they wrote the letter."""
