"""The sender of a letter, and what they are told: all that the blocks of one letter have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel import Session

from judge.commands.core.answer import Answer
from judge.commands.core.command import Command
from judge.commands.core.proofs import Grant, Proof, Right, Standing, may_be_answered_at
from judge.commands.core.redaction import Redaction
from judge.games.core.work import Services, Work
from judge.games.people import rate_limits
from judge.games.people.credentials import LoginAttempts
from judge.games.people.rate_limits import About, Reader
from judge.letters import Letter
from judge.rules import Order
from judge.store.people import Change, Registration
from judge.store.tables import LetterRow, Person


@dataclass(frozen=True)
class Newcomer:
    """What an unknown sender has written into the form of REGISTER, and the answer to it."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class Wish:
    """A change of the sender's own data that waits until they have sent a mail back.

    `said`: in words that continue "you". `answer`: the answer to the command. See
    judge/commands/people/register.py.
    """

    said: str
    change: Change
    answer: Answer


@dataclass
class Confirmation:
    """What waits until the sender has sent a mail back.

    `newcomer`: they wish to be registered; `deferred`: the numbers of the blocks that wait for that. `asked_before`: an
    earlier letter has asked them for that, and they have not answered. `wishes`: changes of their own data.
    `confirmed`: registrations, confirmed by this letter, by letters whose blocks no longer wait.
    """

    newcomer: Newcomer | None = None
    deferred: list[int] = field(default_factory=list)
    asked_before: bool = False
    wishes: list[Wish] = field(default_factory=list)
    confirmed: list[Registration] = field(default_factory=list)


@dataclass
class SignOns:
    """What the sign-ons of a letter have proved.

    `people`: those who have proved who they are, by a seat of theirs or a token; what answers them is never counted or
    put off. `has_signed_on`: one of these seats was signed on to; `passwordless`: without a password. `refused`: a
    sign-on was refused that was not meant for another person's seat. `doors`: those that were tried with wrong
    passwords; `wrong_passwords`: how many of these were for the sender's own seats.
    """

    people: set[int] = field(default_factory=set)
    has_signed_on: bool = False
    passwordless: bool = False
    refused: bool = False
    doors: list[LoginAttempts] = field(default_factory=list)
    wrong_passwords: int = 0


@dataclass
class OrdersRead:
    """The orders of a letter: how many were read, and how many of them were `mistakes`.

    `latest`: the last order for each unit, by the number of the phase, the power and the slot. `were_on_file`: the
    orders that its powers had before. `unread`: the lines of which its sender is told that they were not read.
    """

    number: int = 0
    mistakes: int = 0
    latest: dict[tuple[int | None, str, str], Order] = field(default_factory=dict)
    were_on_file: set[tuple[str, Order]] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)


@dataclass
class LetterContext:
    """What all blocks of a letter have in common, while it is answered.

    `commands`: the table that HELP shows. `person`: the sender as a known person, None if unknown, or if the address of
    the letter proves nothing; `standing`: what it proves (judge/commands/core/proofs.py). `registered`: the sender was
    registered before this letter came; `observes`: they were not, but observe a game. `by_keeper`: the keeper acts in
    place of a master. `redact`: takes the passwords of the letter out of texts. `games`: the games that lines like
    sign-ons name in it. `opened`: the phases that the letter has opened by processing the ones before.

    The reply: `answers` to the blocks that are done; `greeting`: which mails to the sender came back; `about`: by which
    budget it is counted; `unanswered`: why the letter was not answered at once, for the log; `is_doubted`: since
    another may have written it; `secret`: a password made for the sender, and `token`, a code, both masked in the
    stored reply once it has gone out.
    """

    work: Work
    commands: Sequence[Command]
    letter: Letter
    row: LetterRow
    person: Person | None = None
    standing: Standing = Standing(Proof.CLAIMED)
    registered: bool = False
    observes: bool = False
    by_keeper: bool = False
    redact: Redaction = field(default_factory=Redaction)
    games: frozenset[str] = frozenset()
    opened: set[int | None] = field(default_factory=set)
    confirmation: Confirmation = field(default_factory=Confirmation)
    signons: SignOns = field(default_factory=SignOns)
    orders: OrdersRead = field(default_factory=OrdersRead)
    answers: list[Answer] = field(default_factory=list)
    greeting: str = ""
    about: About = "other"
    unanswered: str = ""
    is_doubted: bool = False
    secret: str | None = None
    token: str = ""

    @property
    def session(self) -> Session:
        """The transaction in which the letter is handled."""
        return self.work.session

    @property
    def services(self) -> Services:
        """What a judge has besides the database: settings, passwords, templates, dice."""
        return self.work.services

    @property
    def now(self) -> datetime:
        """The moment at which the letter is read."""
        return self.work.now

    @property
    def zone(self) -> str:
        """The zone in which the sender reads times."""
        return self.person.zone if self.person else self.services.settings.zone

    @property
    def has_proved_it(self) -> bool:
        """Return whether the sender has signed on to a seat of their own, or brought a token of theirs."""
        return self.person is not None and self.person.id in self.signons.people

    def is_proved_to_be(self, person_id: int) -> None:
        """The sender has signed on to a seat of this person: from a new address of theirs, too, that is enough."""
        self.signons.people.add(person_id)
        owner = self.standing.owner
        if owner and owner.id == person_id:
            self.person, self.standing = owner, Standing(Proof.CLAIMED)

    def reader(self, address: str) -> Reader:
        """Who is answered at `address`, as far as the letter proves it."""
        proof: rate_limits.Proof = "none"
        if self.signons.people:
            proof = "password"
        elif self.standing.proof is Proof.VERIFIED:
            proof = "verified"
        return Reader(address, self.registered or self.observes or bool(self.signons.people), proof, self.about)

    def may(self, right: Right) -> bool:
        """Return whether the letter has this right at once."""
        return self.standing.grant(right) is Grant.YES

    def may_be_answered_at(self, address: str) -> bool:
        """Return whether a reply may go to this Reply-To."""
        proved = self.has_proved_it or self.standing.proof is Proof.VERIFIED
        return may_be_answered_at(self.work, address, self.person, proved=proved)
