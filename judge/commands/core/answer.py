"""The judge's answer to a block of a letter: a verdict, remarks on lines, longer texts, a form."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from judge.commands.core.redaction import Redaction
from judge.games.core.board import variant_of
from judge.games.core.who_may_see import hides_people
from judge.mails.forms import Form
from judge.mails.mail_writer import DataFile, Due
from judge.rules import Variant
from judge.store.states import Role
from judge.store.tables import Game, Phase

_LONGEST_ECHO = 60


def echo(text: str) -> str:
    """The text that was carried, shown to its writer; for a long text its beginning and end."""
    lines = text.split("\n")
    if len(lines) > _LONGEST_ECHO:
        half = _LONGEST_ECHO // 2
        lines = [*lines[:half], f"({len(lines) - 2 * half} more lines)", *lines[-half:]]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


# So many remarks tell what was done, and so many what was not; the rest is counted.
MOST_REMARKS = 40
MOST_COMPLAINTS = 10
# At most so many characters of a line are repeated in a reply, and as many of the remark on it.
LONGEST_SHOWN = 200
LONGEST_REMARK = 1000
# The remark on a line that is neither an order nor a command.
STRAY = "this is neither an order nor a command, so it was ignored."
# The remark on a line that is longer than any order or command.
TOO_LONG = "too long, so it was ignored. Write one order per line."
# The remark on each of several lines; the verdict says why, and how many.
NOT_STORED = "Not recorded."


# What is said once, however many commands have changed something.
ALL_TOLD = " All players have been notified."
_MOST_NAMED = 5
_LONGEST_NAMED = 40


def shortened(text: str, most: int) -> str:
    """The text, cut to `most` characters with an ellipsis if it is longer."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


@dataclass(frozen=True)
class Remark:
    """The judge's remark on one line of a letter."""

    # error (refused), stray (ignored) or note.
    kind: str
    line: str
    text: str
    # Whether it was clear what a refused line asks for.
    understood: bool = True
    # An earlier remark is about the same line.
    more: bool = False


@dataclass
class Answer:
    """The judge's answer to one block: the verdict in a line, remarks on lines, then longer texts, a form."""

    verdict: str = ""
    # Takes the passwords of the letter out of what is repeated of it.
    redact: Redaction = field(default_factory=Redaction)
    # The address of the seat's holder, if another person has signed on to it, and what they are in the game.
    copy_to: str = ""
    copied_as: Role = "player"
    game: Game | None = None
    # The power that it is about, in a game for one.
    power: str = ""
    phase: Phase | None = None
    form: Form | None = None
    remarks: list[Remark] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    # Those of the texts that confirm what is on file for the seat; the others answer the sender's questions.
    confirmed: list[str] = field(default_factory=list)
    # Sentences that always stand before the verdict: what was taken back or left out.
    foremost: list[str] = field(default_factory=list)
    # These and the verdict, without the sentences below.
    done: str = ""
    # The lines above messages that were not sent and above orders that were not filed, and commands that may be part of
    # a sentence.
    unsent: list[str] = field(default_factory=list)
    unfiled: list[str] = field(default_factory=list)
    undone: list[str] = field(default_factory=list)
    # A message that was not sent has no end, so nothing below it was read; why it needs one.
    swallowed: bool = False
    why_unsent: list[str] = field(default_factory=list)
    picture_id: int | None = None
    # The deadline for the reader's calendar.
    due: Due | None = None
    # The open phase, or the game, as JSON.
    data: list[DataFile] = field(default_factory=list)
    # The picture is that of the orders, which gives way to one that was asked for.
    shows_orders: bool = False
    # The reply begins with the two lines about the game, which programs look for, and the verdict stands below them.
    headed: bool = False
    # The verdict is the title of a text that was asked for, and stands above it.
    is_question: bool = False
    # An order was refused or may not be meant.
    doubted: bool = False
    settled: bool = False
    # The block is a form that came back unchanged; it needs no answer if the letter holds anything else.
    idle: bool = False

    @property
    def hides_people(self) -> bool:
        """Return whether the copy of this answer must not tell who wrote the letter."""
        return bool(self.copy_to and self.game and hides_people(self.game))

    @property
    def named(self) -> str:
        """The verdict, with the name of its game or power if it stands among others."""
        about = self.power or (self.game.name if self.game else "")
        return self.verdict if about in self.verdict else f"{about}: {self.verdict}"

    @property
    def copied(self) -> "Answer":
        """What the seat's holder gets: what was done for them. No line that failed, and no answer to a question.

        A line that failed may be meant for another seat; a question may be about other games, or secret.
        """
        notes = [remark for remark in self.remarks if remark.kind == "note"]
        verdict = self.done or self.verdict
        return replace(self, verdict=verdict, remarks=notes, texts=self.confirmed, picture_id=None, due=None, data=[])

    @property
    def shown(self) -> list[Remark]:
        """Return the remarks that people read: what was done, and some of what was not, without passwords.

        They are in the order of their lines; refused lines are shown before ignored ones.
        """
        notes = [remark for remark in self.remarks if remark.kind == "note"][:MOST_REMARKS]
        others = sorted((one for one in self.remarks if one.kind != "note"), key=lambda one: one.kind != "error")
        read = {*map(id, notes), *map(id, others[:MOST_COMPLAINTS])}
        return [
            replace(
                remark,
                line=shortened(self.redact(remark.line), LONGEST_SHOWN),
                text=shortened(self.redact.about(remark.line, remark.text), LONGEST_REMARK),
            )
            for remark in self.remarks
            if id(remark) in read
        ]

    def put_first(self) -> None:
        """Put what was not done, then the `foremost` sentences, at the beginning of the verdict."""
        # What became of messages and orders that stand below a line that was refused.
        first = []
        if self.unsent:
            subject = "Your message was" if len(self.unsent) == 1 else f"{len(self.unsent)} messages were"
            first.append(f"{subject} NOT sent: {self.some(self.unsent)}.")
        if self.swallowed:
            as_it_is = f" to send it as it is ({'; '.join(self.why_unsent)})" if self.why_unsent else ""
            first.append(
                f"Nothing after it was recorded: put ENDPRESS after your message{as_it_is}, and send it again with "
                "your orders."
            )
        if self.unfiled:
            first.append(f"The orders below {self.some(self.unfiled)} were NOT recorded.")
        if self.undone:
            subject = f"{self.some(self.undone)} {'was' if len(self.undone) == 1 else 'were'}"
            first.append(f"{subject} NOT done: this may be part of a sentence.")
        self.done = " ".join([*self.foremost, self.verdict]).rstrip()
        self.verdict = " ".join([*first, self.done]).rstrip()
        self.foremost, self.unsent, self.unfiled, self.undone = [], [], [], []

    def some(self, lines: Sequence[str]) -> str:
        """The first of the lines, each cut to what names it."""
        named = [shortened(self.redact(line).rstrip(" .:,;"), _LONGEST_NAMED) for line in lines[:_MOST_NAMED]]
        return ", ".join([*named, *(["…"] if len(lines) > _MOST_NAMED else [])])

    def settle(self, verdict: str) -> None:
        """Add the verdict on a line below earlier ones; the verdict of a mere sign-on is dropped."""
        if not (self.settled and verdict in self.verdict):
            earlier = self.verdict.removesuffix(ALL_TOLD) if verdict.endswith(ALL_TOLD) else self.verdict
            self.verdict = f"{earlier}\n{verdict}" if self.settled else verdict
        self.settled = True

    @property
    def variant(self) -> Variant | None:
        """The variant of the game."""
        return variant_of(self.game) if self.game else None

    @property
    def errors(self) -> list[Remark]:
        """The lines that were refused."""
        return [remark for remark in self.remarks if remark.kind == "error"]
