"""A letter as it is answered: parsed once, and read once, however often its transaction is begun again.

A transaction may be rolled back and begun again, because of a slow password or an error in another letter; the
letter's text does not change by that.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from judge.commands.core.reading import Block, Reader, calls_in
from judge.commands.core.redaction import Existing, Redaction, redaction_of
from judge.games.core.work import Services
from judge.letters import Letter, Line, Part, kept_letter, read_letter


@dataclass(frozen=True)
class InHand:
    """A parsed letter; its text and its blocks are computed when they are first asked for."""

    root: Part
    cut: bool
    services: Services
    reader: Reader
    _blocks: dict[frozenset[str], Sequence[Block]] = field(default_factory=dict)
    _redactions: list[Redaction] = field(default_factory=list)

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
        return kept_letter(self.root, self.letter, redact)
