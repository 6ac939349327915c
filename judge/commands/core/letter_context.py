"""The sender of a letter, and what they are told: all that the blocks of one letter have in common."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from judge.commands.core.answer import Answer
from judge.commands.core.command import Command
from judge.commands.core.proofs import Grant, Proof, Right, Standing, may_be_answered_at
from judge.commands.core.redaction import Redaction
from judge.games.core.work import Work
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
    """A change of the sender's own data that waits until they have sent a mail back: in words that continue "you", what
    is to change (judge/commands/people/confirming.py), and the answer to it.
    """

    said: str
    change: Change
    answer: Answer


@dataclass
class LetterContext:
    """The sender of a letter, as long as it is answered; `person`: the sender as a known person, None if unknown, or if
    the address of the letter proves nothing; `standing`: what it proves (judge/commands/core/proofs.py).

    `commands`: the table that HELP shows. `redact`: takes the passwords of the letter out of texts. `by_keeper`: the
    keeper acts in place of a master. `opened`: the phases that the letter has opened by processing the ones before.
    `answers`: the answers to the blocks that are done. `secret`: a password made for the sender, and `token`: a word in
    the reply; both are masked in the stored reply once it has gone out. `wrong_passwords`: how many wrong passwords for
    their own seats the letter had. `orders_read`: how many orders of the letter were read; `mistakes`: how many of them
    were wrong. `latest`: the last order of the letter for each unit, by the number of the phase, the power and the
    slot; `were_on_file`: the orders that its powers had before; `unread`: the lines of which its sender is told that
    they were not read. `newcomer`: the sender has still to confirm that they wish to be registered, and `deferred` has
    the numbers of the blocks that wait for it; `asked_before`: an earlier letter has asked them for that, and they have
    not answered; `confirmed`: registrations by letters whose blocks no longer wait. `wishes`: changes that wait until
    the sender has confirmed that the letter is theirs. `registered`: the sender was registered before this letter came;
    `observes`: they were not, but observe a game. `signed_on`: the people who have proved by it who they are: by a seat
    that they signed on to, or a token; what answers them is never counted or put off. `has_signed_on`: one of these
    seats was signed on to; `passwordless`: without a password; `doors`: those that were tried with wrong ones.
    `refused`: a sign-on was refused that was not meant for another person's seat. `about`: by which budget the answer
    is counted. `greeting`: what the answer begins with: which mails to the sender came back. `unanswered`: why the
    letter was not answered at once, for the log. `games`: the games that lines like sign-ons name in it.
    """

    work: Work
    commands: Sequence[Command]
    letter: Letter
    row: LetterRow
    person: Person | None = None
    redact: Redaction = field(default_factory=Redaction)
    standing: Standing = Standing(Proof.CLAIMED)
    by_keeper: bool = False
    opened: set[int | None] = field(default_factory=set)
    answers: list[Answer] = field(default_factory=list)
    secret: str | None = None
    token: str = ""
    wrong_passwords: int = 0
    orders_read: int = 0
    latest: dict[tuple[int | None, str, str], Order] = field(default_factory=dict)
    were_on_file: set[tuple[str, Order]] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)
    mistakes: int = 0
    newcomer: Newcomer | None = None
    wishes: list[Wish] = field(default_factory=list)
    asked_before: bool = False
    deferred: list[int] = field(default_factory=list)
    confirmed: list[Registration] = field(default_factory=list)
    registered: bool = False
    observes: bool = False
    signed_on: set[int] = field(default_factory=set)
    has_signed_on: bool = False
    passwordless: bool = False
    doors: list[LoginAttempts] = field(default_factory=list)
    refused: bool = False
    about: About = "other"
    greeting: str = ""
    unanswered: str = ""
    games: frozenset[str] = frozenset()

    @property
    def zone(self) -> str:
        """The zone in which the sender reads times."""
        return self.person.zone if self.person else self.work.services.settings.zone

    @property
    def has_proved_it(self) -> bool:
        """Whether the sender has signed on to a seat of their own, or brought a token of theirs."""
        return self.person is not None and self.person.id in self.signed_on

    def is_proved_to_be(self, person_id: int) -> None:
        """The sender has signed on to a seat of this person: from a new address of theirs, too, that is enough."""
        self.signed_on.add(person_id)
        owner = self.standing.owner
        if owner and owner.id == person_id:
            self.person, self.standing = owner, Standing(Proof.CLAIMED)

    def reader(self, address: str) -> Reader:
        """Who is answered at `address`, as far as the letter proves it."""
        proof: rate_limits.Proof = "none"
        if self.signed_on:
            proof = "password"
        elif self.standing.proof is Proof.VERIFIED:
            proof = "verified"
        return Reader(address, self.registered or self.observes or bool(self.signed_on), proof, self.about)

    def may(self, right: Right) -> bool:
        """Whether the letter has this right at once."""
        return self.standing.grant(right) is Grant.YES

    def may_be_answered_at(self, address: str) -> bool:
        """Whether a reply may go to this Reply-To."""
        proved = self.has_proved_it or self.standing.proof is Proof.VERIFIED
        return may_be_answered_at(self.work, address, self.person, proved=proved)
