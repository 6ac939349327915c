"""What a command may see and change, as four values: the work, the letter, the reply, and the seat signed on to.

A handler gets the CommandContext, which holds these, and the matched arguments. It changes rows in the session and says
what it did, in three ways: it settles what its reply begins with (`settle`), remarks on a line (`remark`), or says a
longer text (`say`). Only the work queue commits.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from sqlmodel import Session

from judge.commands.core.answer import ALL_TOLD, Answer, Remark
from judge.commands.core.command import Call
from judge.commands.core.proofs import Proof, Standing
from judge.commands.core.reading import Reader, Said
from judge.commands.core.redaction import Redaction
from judge.games.core.board import variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.games.core.work import Work
from judge.games.life.membership import Left
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import rate_limits
from judge.games.people.credentials import LoginAttempts
from judge.games.people.rate_limits import About
from judge.letters import Letter, Line
from judge.letters.quotes import repeats_judge
from judge.mails.blocks import Written, titled
from judge.rules import Bid, Order, Variant
from judge.rules.board.phase import PhaseKind
from judge.store.people import Change, Registration
from judge.store.seats import seats_of
from judge.store.states import MailKind
from judge.store.tables import Application, Game, LetterRow, Person, Phase, Seat

# A game that a letter names, with its open phase.
Named = tuple[Game, Phase | None]
# Bytes of texts from commands in a reply: the rest of the reply needs room too.
MOST_TEXT = 80_000
REGISTER_FIRST = (
    "Put this at the top of your email and send it again:\n"
    "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END"
)


@dataclass(frozen=True)
class Newcomer:
    """What an unknown sender has written into the form of REGISTER, and the answer to it."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class PendingChange:
    """A change of the sender's own data that waits until they have sent a mail back."""

    # In words that continue "you".
    said: str
    change: Change
    # The answer to the command.
    answer: Answer


@dataclass
class Confirmation:
    """What waits until the sender has sent a mail back."""

    # They wish to be registered.
    newcomer: Newcomer | None = None
    # The numbers of the blocks that wait for that, or for a player who may have signed on as another by mistake.
    deferred: list[int] = field(default_factory=list)
    # "France in heron" for each power that such a player has signed on to.
    acts: list[str] = field(default_factory=list)
    # An earlier letter has asked them for that, and they have not answered.
    asked_before: bool = False
    # Changes of their own data.
    changes: list[PendingChange] = field(default_factory=list)
    # Registrations, confirmed by this letter, by letters whose blocks no longer wait.
    confirmed: list[Registration] = field(default_factory=list)


@dataclass
class SignOns:
    """What the sign-ons of a letter have proved."""

    # Those who have proved who they are, by a seat of theirs or a token; what answers them is never counted or put off.
    people: set[int] = field(default_factory=set)
    # One of these seats was signed on to.
    has_signed_on: bool = False
    # A sign-on to one of these seats needed no password.
    passwordless: bool = False
    # A sign-on was refused that was not meant for another person's seat.
    refused: bool = False
    # Those that were tried with wrong passwords.
    doors: list[LoginAttempts] = field(default_factory=list)
    # How many of these were for the sender's own seats.
    wrong_passwords: int = 0


@dataclass
class OrdersRead:
    """The orders of a letter."""

    # How many were read, and how many of them were mistakes.
    number: int = 0
    mistakes: int = 0
    # The last order for each unit, by the number of the phase, the power and the slot.
    latest: dict[tuple[int | None, str, str], Order] = field(default_factory=dict)
    # The orders that its powers had before.
    were_on_file: set[tuple[str, Order]] = field(default_factory=set)
    # The lines of which its sender is told that they were not read, or knows it, since they are in a message.
    unread: set[str] = field(default_factory=set)


@dataclass
class OpenLetter:
    """A letter that is being answered, what it proves about its sender, and what its blocks have done so far."""

    # Without what the judge itself has put into it, such as a token in the subject.
    parsed: Letter
    row: LetterRow
    # Recognizes the commands of the table.
    reader: Reader
    # The existing games that the letter's lines name, if they look like sign-ons, as they are before its first block.
    named: Mapping[str, Named] = field(default_factory=dict)
    # The sender as a known person; None if unknown, or if the address of the letter proves nothing.
    person: Person | None = None
    # What its address proves (judge/commands/core/proofs.py).
    standing: Standing = Standing(Proof.CLAIMED)
    # The sender was registered before this letter came; or at least observed a game.
    registered: bool = False
    is_known: bool = False
    # The keeper acts in place of a master.
    by_keeper: bool = False
    # There is no sign-on, the letter answers a mail of the judge to the seat; so only lines that cannot be meant in
    # another way take effect.
    by_reply: bool = False
    # It came earlier, and has waited until its sender confirmed it.
    waited: bool = False
    # The phases that it has opened by processing the ones before.
    opened: set[int | None] = field(default_factory=set)
    # The lines outside of its sign-ons, as long as no seat's answer has told of them.
    outside: list[Said] = field(default_factory=list)
    # What its blocks have changed in the settings of each game, by its name.
    changed: dict[str, "Announcements"] = field(default_factory=dict)
    signons: SignOns = field(default_factory=SignOns)
    orders: OrdersRead = field(default_factory=OrdersRead)

    def said(self, text: str) -> Said:
        """Return what a line of the letter is meant as that stands among prose."""
        return self.reader.said(Line(text), self.games)

    @cached_property
    def games(self) -> frozenset[str]:
        """The names of these games."""
        return frozenset(self.named)

    @property
    def sender(self) -> str:
        """The address that it comes from, if that is true."""
        return self.parsed.sender

    @cached_property
    def repeats_judge(self) -> bool:
        """Return whether a mail of the judge is repeated in it without quote marks."""
        return repeats_judge(self.parsed.lines)

    @property
    def has_proved_it(self) -> bool:
        """Return whether the sender has signed on to a seat of their own, or brought a token of theirs."""
        return self.person is not None and self.person.id in self.signons.people

    @property
    def proves_sender(self) -> bool:
        """Return whether the letter proves that its sender wrote it: our mail server has verified it, or they have."""
        return self.standing.proof is Proof.VERIFIED or self.has_proved_it

    def is_proved_to_be(self, person_id: int) -> None:
        """The sender has signed on to a seat of this person: from a new address of theirs, too, that is enough."""
        self.signons.people.add(person_id)
        owner = self.standing.owner
        if owner and owner.id == person_id:
            self.person, self.standing = owner, Standing(Proof.CLAIMED)

    def asker(self, address: str, about: About = "other") -> rate_limits.Reader:
        """Who is answered at `address`, as far as the letter proves it; `about`: what."""
        verified = self.standing.proof is Proof.VERIFIED
        proof: rate_limits.Proof = "password" if self.signons.people else "verified" if verified else "none"
        return rate_limits.Reader(address, self.is_known or bool(self.signons.people), proof, about)


@dataclass
class Reply:
    """What the sender is answered: an answer to each block that is done, and to the one that is being read."""

    # Takes the passwords of the letter out of texts.
    redact: Redaction = field(default_factory=Redaction)
    answers: list[Answer] = field(default_factory=list)
    confirmation: Confirmation = field(default_factory=Confirmation)
    # Which mails to the sender came back.
    greeting: str = ""
    # By which budget it is counted; few answers to mail programs are sent.
    about: About = "other"
    kind: MailKind = "reply"
    # Why the letter was not answered at once, for the log; the same, since another may have written it.
    unanswered: str = ""
    doubt: str = ""
    # A password made for the sender, and a code, both masked in the stored reply once it has gone out.
    secret: str | None = None
    token: str = ""

    def begin(self, game: Game | None = None, phase: Phase | None = None) -> None:
        """Begin the answer to what is read now."""
        self.answers.append(Answer(game=game, phase=phase, redact=self.redact))


@dataclass
class Acting:
    """A master acts in the seat of another player."""

    # The seat that was signed on to.
    master: Seat
    # The orders and bids that the power had on file.
    before: Sequence[Order | Bid]
    # For a master who may not see these: what the letter has done, in sentences, and whether it has ordered anything.
    done: list[str] = field(default_factory=list)
    ordered: bool = False


@dataclass
class Announcements:
    """What all players have still to be notified of: sentences, seats that were taken, corrections of the map."""

    # By the name of each setting that was set, what stands before its sentence.
    changes: dict[str, str] = field(default_factory=dict)
    # The variant and the settings of the game before.
    before: tuple[Variant, GameSettings] | None = None
    # What is said of a new time zone.
    zone: str = ""
    # Who set them, in turn.
    by: dict[str, None] = field(default_factory=dict)
    ejected: list[Left] = field(default_factory=list)
    borders: list[str] = field(default_factory=list)
    # The block has set when phases are due, so its answer shows the next two deadlines, the second for a phase of this
    # kind.
    timed: PhaseKind | None = None
    # For each kind of phases the line that set its grace, or what happens when that ends.
    graced: dict[str, str] = field(default_factory=dict)


@dataclass
class OrderLines:
    """What the order lines of a block have been so far."""

    # The later phase that they are for, "" for the open one, and the line that names it.
    ahead: str = ""
    ahead_line: str = ""
    # The lines that bid points, which are filed at the end of the block.
    bid_lines: list[str] = field(default_factory=list)
    # There are order lines in the block; something is filed.
    gives_orders: bool = False
    ordered: bool = False
    # How many lines were kept for each later phase.
    kept_for: Counter[str] = field(default_factory=Counter)
    # STATUS was asked, so the report says all.
    asks_status: bool = False
    # How many lines were looked at that may be quoted; of these, those that may be orders and were not read, and those
    # that were, though the quoted line above them breaks off.
    doubtful_read: int = 0
    left_out: list[str] = field(default_factory=list)
    perhaps_quoted: list[str] = field(default_factory=list)


@dataclass
class Seated:
    """The seat that is signed on to, or in which a master acts, and what the lines after the sign-on have said so far.

    permissions.py has checked what the table says: that there is an open phase, or a power in a game that has begun.
    """

    session: Session
    game: Game
    phase: Phase | None
    row: Seat
    acting: Acting | None = None
    # The player signed on without the password, so only what `Command.passwordless` names may be done.
    passwordless: bool = False
    # The seat was taken in this block; it is to be left at its end.
    joined: bool = False
    resigns: bool = False
    # The players have agreed to the command that is carried out now.
    has_word: bool = False
    lines: OrderLines = field(default_factory=OrderLines)
    pending: Announcements = field(default_factory=Announcements)
    # The seats of the game as they were when it was signed on to, until one is taken.
    seats: Sequence[Seat] | None = None
    _book: FiledOrders | None = None

    @property
    def signed_on(self) -> Seat:
        """The seat that was signed on to, also while a master acts in another."""
        return self.acting.master if self.acting else self.row

    @property
    def variant(self) -> Variant:
        """The variant of the game, as its own settings have it."""
        return variant_of(self.game)

    @property
    def settings(self) -> GameSettings:
        """The settings of the game."""
        return settings_of(self.game)

    @property
    def power(self) -> str:
        """The power, or the group, of the seat."""
        assert self.row.power
        return self.row.power

    @property
    def open_phase(self) -> Phase:
        """The open phase, where there must be one."""
        assert self.phase
        return self.phase

    @property
    def book(self) -> FiledOrders:
        """The orders on file for the open phase."""
        if self._book is None or self._book.phase is not self.phase:
            self._book = FiledOrders(self.session, self.game, self.open_phase, self.seats)
        return self._book

    def forget_book(self) -> None:
        """Read the orders on file again when they are asked for next."""
        self._book = self.seats = None

    def on_file(self) -> Sequence[Order | Bid]:
        """The orders and bids of the power in the open phase."""
        if not self.phase or not self.row.power:
            return []
        return [*self.book.given(self.power), *self.book.bids.given(self.power)]


@dataclass
class CommandContext:
    """What a command of the lobby, or a sign-on with the lines after it, may see and change, and its answers."""

    work: Work
    letter: OpenLetter
    reply: Reply
    # Where the sender is signed on, if they are.
    signed_on: Seated | None = None
    # The command that is carried out now.
    call: Call = field(init=False, repr=False)
    # The sender has asked the master for a seat in this block.
    application: Application | None = None

    def begin(self) -> "CommandContext":
        """Begin the answer to a block; return the context of its commands."""
        self.reply.begin()
        return CommandContext(self.work, self.letter, self.reply)

    @property
    def session(self) -> Session:
        """The transaction in which the whole letter is handled."""
        return self.work.session

    @property
    def seat(self) -> Seated:
        """Where the sender is signed on: safe after SIGNON, as permissions.py has checked."""
        assert self.signed_on
        return self.signed_on

    @property
    def answer(self) -> Answer:
        """The answer to what is being read."""
        return self.reply.answers[-1]

    @property
    def sender_zone(self) -> str:
        """The zone in which the sender reads times."""
        person = self.letter.person
        return person.zone if person else self.work.services.settings.zone

    @property
    def zone(self) -> str:
        """The zone of the answer to this block: the sender's.

        In a gunboat game, an answer of which another person gets a copy shows times in the judge's own zone.
        """
        return self.work.services.settings.zone if self.answer.hides_people else self.sender_zone

    def written(self, template: str, **values: object) -> Written:
        """Return a text made from `template`, as its reader gets it."""
        return self.work.services.post.render(template, self.zone, **values)

    def remark(self, text: str, kind: Literal["error", "stray", "note"] = "note", line: str = "", **how: bool) -> None:
        """Say what a line has done, or that it was refused or ignored: by default that of the command."""
        self.answer.remarks.append(Remark(kind, line or self.call.line, text, **how))

    def settle(self, verdict: str) -> None:
        """Add a verdict to the answer; in a game without players it does not say that all have been notified."""
        if verdict.endswith(ALL_TOLD) and self.signed_on:
            roles = {seat.role for seat in seats_of(self.session, self.seat.game)}
            others = "player" in roles and not self.seat.settings.solo
            verdict = verdict if others else verdict.removesuffix(ALL_TOLD)
        self.answer.settle(verdict)

    def say(self, text: str, title: str = "", *, headed: bool = False) -> None:
        """Add a longer text; its title is the verdict, or stands above the text if the verdict is about a sign-on.

        `headed`: programs read this text; its heading stands above the verdict.
        """
        answer = self.answer
        if title and self.signed_on:
            text = titled(title, text)
        elif title:
            answer.is_question, answer.verdict = not answer.verdict, answer.verdict or title
            answer.headed = headed
        if text:
            answer.texts.append(text)

    def sign_on(self, game: Game, phase: Phase | None, seat: Seat, *, proved: bool = True) -> None:
        """From now on the block is about `game` with its open phase, and the sender is in `seat`.

        `proved`: it is proved that the sender holds it. For a seat that was taken in this letter nothing is.
        """
        if proved and seat.joined_at < self.work.now:
            self.letter.is_proved_to_be(seat.person_id)
            self.letter.signons.has_signed_on = True
        self.signed_on, answer, person = Seated(self.session, game, phase, seat), self.answer, self.letter.person
        answer.game, answer.phase = game, phase
        answer.verdict = f"You are signed on to {game.name} as {seat.power or seat.role}."
        if not person or person.id != seat.person_id:
            answer.copy_to, answer.copied_as = seat.address, seat.role
