"""A line of the command table: how a command is written, who may use it, where and when, and what does it.

A new command says all of this here; judge/desk/core/permissions.py enforces it before the handler runs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Literal

# Parts of the patterns of commands.
GAME = r"[A-Za-z0-9]{1,20}"
# Of what must name the game it is about (Visit.refuse_unnamed).
NAMED_GAME = rf"(?:\s+(?P<game>{GAME}))?"
# Not the full stop or semicolon that may end any command.
PASSWORD = r"(?P<password>\S+?)"


# What HELP has a text about (templates/help).
TopicName = Literal[
    "info", "registration", "orders", "points", "deadlines", "press", "draws", "questions", "observers", "master",
    "variants", "rules", "commands",
]  # fmt: skip


class Who(Flag):
    """Who may use a command; several, where it is for several.

    `BEARER`: a sender with the secret word that it is written with. `REGISTERED`: or with a registration to confirm.
    `RULER`: the master, and in a game that has none and needs none any of its players, until it has ended. `MASTER`: a
    master alone. For both of them the keeper stands in.
    """

    ANYBODY = auto()
    BEARER = auto()
    REGISTERED = auto()
    PLAYER = auto()
    OBSERVER = auto()
    RULER = auto()
    MASTER = auto()


SEATED = Who.PLAYER | Who.OBSERVER | Who.MASTER
RULING = Who.RULER | Who.MASTER


class Place(Enum):
    """Where a command is heard: it opens a block of its own; needs no sign-on, and stands above all; below a sign-on;
    anywhere; or it ends what is read.
    """

    OPENING = auto()
    LOBBY = auto()
    GAME = auto()
    ANYWHERE = auto()
    END = auto()


class When(Enum):
    """In what state of the game a command can be used.

    `LIVING`: until it has ended; `FORMING`: before it begins; `OPEN`: while it has an open phase; `RUNNING`: the same,
    but not while it is paused; `PAUSED`: only then.
    """

    ANY = auto()
    LIVING = auto()
    FORMING = auto()
    OPEN = auto()
    RUNNING = auto()
    PAUSED = auto()


class Body(Enum):
    """What follows a command on lines of its own: `Key: value` up to END; lines of any kind up to END; a message up to
    ENDPRESS; what is up to ENDIF; the rest up to SIGNOFF.
    """

    FORM = auto()
    LINES = auto()
    PRESS = auto()
    CONDITION = auto()
    REST = auto()


@dataclass(frozen=True, kw_only=True)
class Slip:
    """A line that is almost a command, or one of another judge: it is understood well enough to be answered.

    `names`: the word to use first, then its synonyms. `pattern`: what their arguments must look like for a line to be
    this at all, so that prose is not taken for it. `handler`: gets the visit, the call, and by its name each group of
    the pattern, as what the handler says that it is (judge/desk/core/arguments.py).
    """

    names: tuple[str, ...]
    place: Place
    handler: Callable[..., None] | None = None
    pattern: str = ""
    body: Body | None = None


@dataclass(frozen=True, kw_only=True)
class Command(Slip):
    """A command as HELP shows it; `arguments` and `summary`: in its words; `topics`: what HELP tells it under.

    `is_order`: it has no handler, and is filed with the orders around it. `prose`: those of its names that people write
    to each other, too; below a sign-on they are no commands. `lasting`: what it does cannot be taken back, or changes
    whose a seat is, or rests on the sender's address alone; so a letter that our mail server found forged cannot have
    it done, whatever password stands in it. `of_phase`: it is about the open phase, so a letter that was sent before
    that opened meant another. `of_seat`: it is about the seat of its sender, so the keeper, who has none, cannot use
    it.
    """

    arguments: str
    who: Who
    summary: str
    topics: tuple[TopicName, ...]
    when: When = When.ANY
    is_order: bool = False
    prose: tuple[str, ...] = ()
    lasting: bool = False
    of_phase: bool = False
    of_seat: bool = False


@dataclass(frozen=True)
class Call:
    """A command as the sender wrote it: the words that its pattern names, its line, what is below it.

    `left_out`: how many lines below it are no part of its `body`.
    """

    command: Slip
    arguments: Mapping[str, str | None]
    line: str
    body: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def shown(self) -> str:
        """The line as a reply may repeat it: without the password."""
        password = self.arguments.get("password")
        return self.line.replace(password, "****") if password else self.line
