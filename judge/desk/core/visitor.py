"""Who has written a letter, and what they are told: all that the blocks of one letter have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from judge.desk.core.answer import Answer
from judge.desk.core.command import Command
from judge.games.core.turn import Turn
from judge.letters import Letter
from judge.store.lookups import person_at
from judge.store.tables import LetterRow, Person


@dataclass(frozen=True)
class Newcomer:
    """What somebody unknown has written into the form of REGISTER, and the answer to it."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class Wish:
    """What a letter asks of the sender's own without proving that they wrote it: in words that go on from "you", what
    is to change (judge/desk/people/confirming.py), and the answer to it.
    """

    said: str
    change: dict[str, Any]
    answer: Answer


@dataclass
class Visitor:
    """The writer of a letter, as long as it is answered; `person`: as whom the judge knows them, if it does.

    `commands`: the table that HELP tells of. `by_keeper`: it is the keeper who acts, in place of a master. `answers`:
    to the blocks that are done. `secret`: a password made for them, and `token` a word that the reply brings: both are
    masked in it once it has gone. `wrong_passwords`: how often the letter had a wrong one for a seat of their own.
    `orders_read`: how many orders of the letter were looked at; `mistakes`: in how many of them something was wrong.
    `newcomer`: they have still to confirm that they wish to be registered, and `deferred` are the numbers of the blocks
    that wait for it; `asked_before`: they were asked for that by an earlier letter, and have not answered; `confirmed`:
    what is known of letters whose blocks wait no longer. `wishes`: what waits until they have confirmed that the letter
    is theirs.
    """

    turn: Turn
    commands: Sequence[Command]
    letter: Letter
    row: LetterRow
    person: Person | None = None
    by_keeper: bool = False
    answers: list[Answer] = field(default_factory=list)
    secret: str | None = None
    token: str = ""
    wrong_passwords: int = 0
    orders_read: int = 0
    mistakes: int = 0
    newcomer: Newcomer | None = None
    wishes: list[Wish] = field(default_factory=list)
    asked_before: bool = False
    deferred: list[int] = field(default_factory=list)
    confirmed: list[dict[str, Any]] = field(default_factory=list)

    @property
    def zone(self) -> str:
        """The zone in which they read times."""
        return self.person.zone if self.person else self.turn.office.settings.zone

    def may_be_answered_at(self, address: str) -> bool:
        """Whether a reply may go to this Reply-To: only to another address of the same person."""
        if not address or not self.person:
            return False
        other = person_at(self.turn.session, address)
        return other is not None and other.id == self.person.id
