"""The judge's answer to a block of a letter, with a verdict, remarks on lines, longer texts and a form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from judge.commands.core.redaction import Redaction
from judge.games.core.board import variant_of
from judge.games.core.who_may_see import hides_people
from judge.mails.forms import Form
from judge.mails.mail_writer import DataFile, Due
from judge.rules import Variant, counted
from judge.store.states import Role
from judge.store.tables import Game, Phase

_LONGEST_ECHO = 60


def echo(text: str) -> str:
    """Return a message as the reply shows it to its sender. A long message is cut to its beginning and end."""
    lines = text.split("\n")
    if len(lines) > _LONGEST_ECHO:
        half = _LONGEST_ECHO // 2
        lines = [*lines[:half], f"({len(lines) - 2 * half} more lines)", *lines[-half:]]
    return "\n".join(f"  | {line}".rstrip() for line in lines)


# The maximum numbers of notes and of complaints in an answer. Notes are remarks on lines that took effect, and
# complaints are remarks on refused and ignored lines.
MOST_REMARKS = 40
MOST_COMPLAINTS = 10
# The maximum lengths, in characters, of a line that a reply repeats and of the remark on the line.
LONGEST_SHOWN = 200
LONGEST_REMARK = 1000
_ONE_WORD = re.compile(r"[^\w\s:]*+[^\W\d_]*+[^\w\s:]*+")
STRAY = "this is neither an order nor a command, so it was ignored."
TOO_LONG = "too long, so it was ignored. Write one order per line."
# The remark on each of several lines that failed for one reason. The verdict says the reason once.
NOT_STORED = "Not recorded."


# An answer has this sentence once, however many commands have changed a game.
ALL_TOLD = " All players have been notified."
_MOST_NAMED = 5
_LONGEST_NAMED = 40


def shortened(text: str, most: int) -> str:
    """Return the text, cut after `most` characters and ended with an ellipsis if it is longer."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


@dataclass(frozen=True)
class Remark:
    """The judge's remark on one line of a letter."""

    # The kind of the remark: error (refused line), stray (ignored line) or note.
    kind: str
    line: str
    text: str
    # True if the judge understood the request on a refused line.
    understood: bool = True
    # True if an earlier remark in the answer is about the same line.
    more: bool = False


@dataclass
class Answer:
    """The judge's answer to one block: a verdict, remarks on lines, longer texts and a form, in this order."""

    verdict: str = ""
    # This function masks the letter's passwords in text that repeats the letter.
    redact: Redaction = field(default_factory=Redaction)
    # The address of the seat's player, if another person has signed on to the seat.
    copy_to: str = ""
    # The role of the seat's player.
    copied_as: Role = "player"
    game: Game | None = None
    # The power that the answer is about, in a game that one person plays and after BECOME.
    power: str = ""
    phase: Phase | None = None
    form: Form | None = None
    remarks: list[Remark] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    # The texts that confirm what is on file for the seat. The other texts answer the sender's questions.
    confirmed: list[str] = field(default_factory=list)
    # Sentences that always come before the verdict, for example on orders that were taken back or not read.
    foremost: list[str] = field(default_factory=list)
    # The `foremost` sentences and the verdict, without sentences on refused lines.
    done: str = ""
    # The command lines of messages that were not sent.
    unsent: list[str] = field(default_factory=list)
    # The lines above orders that were not filed, each with a sentence on what to send, or "".
    unfiled: dict[str, str] = field(default_factory=dict)
    # The lines that were not recorded because they change an order, each with the new order.
    unchanged: dict[str, str] = field(default_factory=dict)
    # The commands that were not carried out because they may be part of a sentence.
    undone: list[str] = field(default_factory=list)
    # True if an unsent message has no ENDPRESS, so that nothing after it was read.
    swallowed: bool = False
    # The reasons why an unsent message needs an ENDPRESS.
    why_unsent: list[str] = field(default_factory=list)
    picture_id: int | None = None
    # The deadline, to be attached for the reader's calendar.
    due: Due | None = None
    # The open phase, or the game, as JSON files.
    data: list[DataFile] = field(default_factory=list)
    # True if the picture shows the orders on file. A picture that the sender asks for replaces it.
    shows_orders: bool = False
    # True if the reply begins with the two lines about the game that programs look for.
    headed: bool = False
    # True if the verdict is only the title of a text that the sender has asked for.
    is_question: bool = False
    # True if an order was refused or may be a mistake.
    doubted: bool = False
    # True if a command has replaced the verdict of the sign-on.
    settled: bool = False
    # True if the block is a form that came back unchanged. If the letter has other blocks, the form needs no answer.
    idle: bool = False

    @property
    def hides_people(self) -> bool:
        """Return whether the copy of this answer must not show who wrote the letter."""
        return bool(self.copy_to and self.game and hides_people(self.game))

    @property
    def named(self) -> str:
        """Return the verdict, after the name of its power or game unless the verdict already has that name."""
        about = self.power or (self.game.name if self.game else "")
        return self.verdict if about in self.verdict else f"{about}: {self.verdict}"

    @property
    def copied(self) -> "Answer":
        """Return the copy of this answer for the seat's player, without failed lines and answers to questions.

        A line that failed may be meant for another seat. An answer to a question may be about other games, or secret.
        """
        notes = [remark for remark in self.remarks if remark.kind == "note"]
        verdict = self.done or self.verdict
        return replace(self, verdict=verdict, remarks=notes, texts=self.confirmed, picture_id=None, due=None, data=[])

    @property
    def shown(self) -> list[Remark]:
        """Return the remarks to show, without passwords, in the order of their lines.

        If there are too many complaints, those about ignored lines are dropped first.
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
        """Add sentences on refused lines to the beginning of the verdict, and after them the `foremost` sentences."""
        first = []
        if self.unsent:
            subject = "Your message was" if len(self.unsent) == 1 else f"{len(self.unsent)} messages were"
            first.append(f"{subject} NOT sent: {self.some(self.unsent)}.")
        if self.swallowed:
            as_it_is = f" to send it as it is ({'; '.join(self.why_unsent)})" if self.why_unsent else ""
            first.append(
                f"Nothing after that line was recorded: put ENDPRESS after your message{as_it_is}, and send it "
                "again with your orders."
            )
        if self.unfiled:
            first.append(f'The orders after "{self.some([*self.unfiled])}" were NOT recorded.')
            first += filter(None, dict.fromkeys(self.unfiled.values()))
        self.unchanged = dict(islice(self.unchanged.items(), _MOST_NAMED))
        for line, order in self.unchanged.items():
            first.append(f'"{shortened(self.redact(line), LONGEST_SHOWN)}" was NOT recorded. Write only {order}.')
        if self.undone:
            subject = f"{self.some(self.undone)} {'was' if len(self.undone) == 1 else 'were'}"
            first.append(f"{subject} NOT done: this may be part of a sentence.")
        self.done = " ".join([*self.foremost, self.verdict]).rstrip()
        self.verdict = " ".join([*first, *self.foremost, *self._failed(), self.verdict]).rstrip()
        self.foremost, self.unsent, self.unfiled, self.unchanged, self.undone = [], [], {}, {}, []

    def _failed(self) -> Iterator[str]:
        """Yield how many lines failed, in words, such as `2 lines refused.`.

        Lines listed in the verdict do not count. Nor do ignored lines of one word, which are usually names. Headings
        like "Thoughts:" and glued orders like "apar-bur" count.
        """
        named = {*self.unsent, *self.unfiled, *self.unchanged, *self.undone}
        told = [one for one in self.errors if one.text != NOT_STORED and one.line not in named and not one.more]
        garbled = sum(not remark.understood for remark in told)
        ignored = sum(one.text == STRAY and not _ONE_WORD.fullmatch(one.line) for one in self.remarks)
        counts = ((len(told) - garbled, "refused"), (garbled, "not understood"), (ignored, "ignored"))
        return (f"{counted(count, 'line')} {what}." for count, what in counts if count)

    def some(self, lines: Sequence[str]) -> str:
        """Return the first few of the lines as one text with commas, each line shortened."""
        named = [shortened(self.redact(line).rstrip(" .:,;"), _LONGEST_NAMED) for line in lines[:_MOST_NAMED]]
        return ", ".join([*named, *(["…"] if len(lines) > _MOST_NAMED else [])])

    def settle(self, verdict: str) -> None:
        """Add the verdict of a command to the answer. The first command's verdict replaces that of the sign-on."""
        if not (self.settled and verdict in self.verdict):
            earlier = self.verdict.replace(ALL_TOLD, "") if verdict.endswith(ALL_TOLD) else self.verdict
            self.verdict = f"{earlier}\n{verdict}" if self.settled else verdict
        self.settled = True

    @property
    def variant(self) -> Variant | None:
        """The variant of the answer's game, or None if the answer is not about a game."""
        return variant_of(self.game) if self.game else None

    @property
    def errors(self) -> list[Remark]:
        """Return the remarks on refused lines."""
        return [remark for remark in self.remarks if remark.kind == "error"]
