"""The letters that have come and are not answered yet: each is parsed once, and read once.

A transaction may be rolled back and begun again, because of a slow password or an error in another letter; the
letter's text does not change by that. This module only saves time: a letter that is not found here is parsed again
from the database.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judge.commands.core.reading import Block, Reader, calls_in
from judge.commands.core.redaction import Existing, Redaction, redaction_of
from judge.games.core.work import Services
from judge.letters import Letter, Line, Part, fingerprint, kept_letter, parse_letter, read_letter
from judge.letters.imap import Fetched
from judge.store.rows import id_of
from judge.store.tables import LetterRow

# Bytes of waiting letters that are kept here; beyond that the oldest are parsed again when their turn comes.
MOST_BYTES = 20_000_000
# About the memory that the parts of a letter take besides its bytes.
_PARTS = 5_000


@dataclass(frozen=True)
class InHand:
    """A parsed letter; its text and its blocks are computed when they are first asked for."""

    root: Part
    cut: bool
    services: Services
    reader: Reader
    _earlier: dict[int, "InHand"] = field(default_factory=dict)
    _blocks: dict[frozenset[str], Sequence[Block]] = field(default_factory=dict)
    _redactions: list[Redaction] = field(default_factory=list)
    _kept: dict[int, bytes] = field(default_factory=dict)

    @cached_property
    def letter(self) -> Letter:
        """The letter itself."""
        settings = self.services.settings
        return read_letter(
            self.root,
            own_addresses=frozenset({settings.address}),
            authserv_id=settings.mailbox.authserv_id,
            max_lines=settings.mailbox.max_lines,
            cut=self.cut,
        )

    @cached_property
    def lines(self) -> Sequence[Line]:
        """Its lines, or its subject as one: unsubscribe buttons and newcomers often write only a subject."""
        letter = self.letter
        empty = not any(line.text.strip() for line in letter.lines if line.kind == "text")
        return [Line(letter.subject)] if empty else letter.lines

    @cached_property
    def names(self) -> set[str]:
        """The names of games that one must know to read it (`Reader.names_in`)."""
        return self.reader.names_in(self.lines)

    def blocks(self, games: frozenset[str]) -> Sequence[Block]:
        """Its blocks; `games`: those of `names` that games have."""
        if games not in self._blocks:
            self._blocks[games] = self.reader.blocks(self.lines, games)
        return self._blocks[games]

    def redaction(self, read: Callable[[], Iterable[Block]], existing: Existing) -> Redaction:
        """What takes its passwords out of texts; `read`: its blocks; `existing`: those of the names that games have."""
        if not self._redactions:
            self._redactions.append(redaction_of(self.letter, calls_in(read()), existing))
        return self._redactions[0]

    def kept(self, redact: Redaction) -> bytes:
        """Its headers and its text without passwords, as they are kept."""
        if id(redact) not in self._kept:
            self._kept[id(redact)] = kept_letter(self.root, self.letter, redact)
        return self._kept[id(redact)]

    def is_of(self, row: LetterRow) -> bool:
        """Return whether it is exactly the letter in `row`, byte for byte: copies of one letter may differ."""
        return self.root.raw == row.raw and self.cut == row.cut

    def earlier(self, row: LetterRow) -> "InHand":
        """An earlier letter that waited until this one came."""
        number = id_of(row)
        if number not in self._earlier:
            self._earlier[number] = InHand(parse_letter(row.raw), row.cut, self.services, self.reader)
        return self._earlier[number]


class LettersInHand:
    """The letters in hand of one desk."""

    def __init__(self, services: Services, reader: Reader):
        self._services, self._reader = services, reader
        # By fingerprint, the oldest first; their rows have no numbers yet.
        self._come: OrderedDict[str, InHand] = OrderedDict()
        self._bytes = 0
        # By the numbers of their rows.
        self._being_answered: dict[int, InHand] = {}

    def take(self, letter: Fetched) -> str:
        """Parse a letter that has come; returns its fingerprint."""
        root = parse_letter(letter.raw)
        name = fingerprint(root)
        self._drop(name)
        self._come[name] = InHand(root, letter.cut, self._services, self._reader)
        self._bytes += _size(root)
        while self._bytes > MOST_BYTES:
            self._drop(next(iter(self._come)))
        return name

    def read(self, row: LetterRow) -> InHand:
        """The letter that stands in `row`, without a place in hand."""
        return InHand(parse_letter(row.raw), row.cut, self._services, self._reader)

    def of(self, row: LetterRow) -> InHand:
        """The letter that stands in `row`, which is about to be answered."""
        number = id_of(row)
        in_hand = self._being_answered.get(number) or self._drop(row.fingerprint)
        if not (in_hand and in_hand.is_of(row)):
            in_hand = self.read(row)
        self._being_answered[number] = in_hand
        return in_hand

    def forget(self, letter_ids: Iterable[int | None]) -> None:
        """Drop the letters in the rows of these numbers: they are answered, or put aside."""
        for number in letter_ids:
            self._being_answered.pop(number or 0, None)

    def _drop(self, fingerprint: str) -> InHand | None:
        in_hand = self._come.pop(fingerprint, None)
        self._bytes -= _size(in_hand.root) if in_hand else 0
        return in_hand


def _size(root: Part) -> int:
    return len(root.raw) + _PARTS
