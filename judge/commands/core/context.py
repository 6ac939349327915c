"""The data that a command may read and change: the work, the letter, the reply and the seat.

A handler gets the CommandContext, which has these objects, and the matched arguments. The handler changes rows in the
session and reports its changes in three ways. It adds a sentence to the verdict (`settle`), a remark on a line
(`remark`), or a longer text (`say`). Only the work queue commits the session.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, Self

from sqlmodel import Session

from judge.commands.core.answer import ALL_TOLD, Answer, Remark
from judge.commands.core.command import Call
from judge.commands.core.proofs import Proof, Standing
from judge.commands.core.reading import Reader, Said
from judge.commands.core.redaction import Redaction
from judge.games.core.board import variant_of
from judge.games.core.settings import GameSettings, Terms, settings_of
from judge.games.core.work import Work
from judge.games.life.membership import Left
from judge.games.notifications.gathering import tell_gathered
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import rate_limits
from judge.games.people.credentials import LoginAttempts
from judge.games.people.rate_limits import About
from judge.letters import Letter, Line
from judge.letters.quotes import repeats_judge
from judge.mails.blocks import Written, titled
from judge.rules import Bid, Order, PhaseKind, Variant
from judge.rules.parsing.headings import heading
from judge.store.games import WithPhase
from judge.store.people import Change, Registration
from judge.store.states import MailKind
from judge.store.tables import Application, Game, LetterRow, Person, Phase, Seat

# The maximum size of the longer texts of commands in a reply, in bytes. The whole reply then stays within its limit.
MOST_TEXT = 80_000
REGISTER_FIRST = (
    "Put this at the top of your email and send it again:\n"
    "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END"
)


@dataclass(frozen=True)
class Newcomer:
    """The fields of an unknown sender's REGISTER form, and the judge's answer to the form."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class PendingChange:
    """A change to the sender's own data that waits until the sender confirms it by email."""

    # The change in words, as the end of a sentence to the sender, such as "change your name to Jo".
    said: str
    change: Change
    answer: Answer


@dataclass
class Confirmation:
    """Requests that are carried out once the sender has sent a confirmation email back."""

    newcomer: Newcomer | None = None
    # The numbers of the blocks that wait. They wait for the registration, or their sender may have signed on as another
    # player by mistake.
    deferred: list[int] = field(default_factory=list)
    # The powers that a player has signed on to, perhaps by mistake, each as "France in heron".
    acts: list[str] = field(default_factory=list)
    # True if the judge asked for the confirmation after an earlier letter, and the sender has not answered.
    asked_before: bool = False
    changes: list[PendingChange] = field(default_factory=list)
    # The registrations that this letter confirms. Blocks of earlier letters have waited for them.
    confirmed: list[Registration] = field(default_factory=list)


@dataclass
class SignOns:
    """The results of a letter's sign-ons: whom they prove, and which passwords were wrong."""

    # The people who have proved who they are, by a sign-on to their own seat or by a token. Answers to them are never
    # delayed by a limit.
    people: set[int] = field(default_factory=set)
    has_signed_on: bool = False
    # True if a sign-on needed no password.
    passwordless: bool = False
    # True if a sign-on to the sender's own seat was refused.
    refused: bool = False
    # The seats for which this letter gave wrong passwords.
    doors: list[LoginAttempts] = field(default_factory=list)
    # The number of wrong passwords for the sender's own seats.
    wrong_passwords: int = 0


@dataclass
class OrdersRead:
    """The orders of a letter."""

    # The number of orders that were read.
    number: int = 0
    # The number of mistakes among the orders that were read.
    mistakes: int = 0
    # The number of lines that were searched for an order that replaces another.
    searched: int = 0
    # The last order for each unit, by the id of the phase, the power and the unit's province.
    latest: dict[tuple[int | None, str, str], Order] = field(default_factory=dict)
    # The orders that were on file before the letter, each with its power.
    were_on_file: set[tuple[str, Order]] = field(default_factory=set)
    # Lines that were not read as orders and need no further report. The reply lists them, or they are in a message.
    unread: set[str] = field(default_factory=set)


@dataclass
class OpenLetter:
    """The letter being answered, what it proves about its sender, and the changes made by its blocks."""

    # The letter, without the judge's token in its subject.
    parsed: Letter
    row: LetterRow
    reader: Reader
    # The existing games that lines like sign-ons name, with their state before the letter's first block.
    named: Mapping[str, WithPhase] = field(default_factory=dict)
    # The person who is taken for the sender, or None if the From address is unknown or proves nothing.
    person: Person | None = None
    # What the letter's From address proves about its sender (judge/commands/core/proofs.py).
    standing: Standing = Standing(Proof.CLAIMED)
    # True if the sender was registered before this letter.
    registered: bool = False
    # True if the sender was registered, or observed a game, before this letter.
    is_known: bool = False
    # True if the letter has the keeper's lines, which are carried out in place of a master.
    by_keeper: bool = False
    # True if the letter has no sign-on and answers an email of the judge to the seat. Then only lines that cannot be
    # misunderstood take effect.
    by_reply: bool = False
    # True if orders or bids in the letter's subject were read.
    reads_subject: bool = False
    # True if the letter arrived earlier, and has waited until its sender confirmed it.
    waited: bool = False
    # The phases that the letter has opened by processing earlier ones.
    opened: set[int | None] = field(default_factory=set)
    # The lines before all sign-ons or after SIGNOFF that no answer has reported yet.
    outside: list[Said] = field(default_factory=list)
    # The changes that the letter's blocks have made in the settings of each game, by the game's name.
    changed: dict[str, "Announcements"] = field(default_factory=dict)
    signons: SignOns = field(default_factory=SignOns)
    orders: OrdersRead = field(default_factory=OrdersRead)

    def said(self, text: str) -> Said:
        """Return the meaning of a line among prose in the letter."""
        return self.reader.said(Line(text), self.games)

    @cached_property
    def games(self) -> frozenset[str]:
        """The names of the existing games that lines like sign-ons name."""
        return frozenset(self.named)

    @property
    def sender(self) -> str:
        """The From address of the letter, which may be forged."""
        return self.parsed.sender

    @cached_property
    def repeats_judge(self) -> bool:
        """Return whether the letter repeats an email of the judge without quote marks."""
        return repeats_judge(self.parsed.lines)

    @property
    def has_proved_it(self) -> bool:
        """Return whether the sender has signed on to their own seat, or sent a token that was mailed to them."""
        return self.person is not None and self.person.id in self.signons.people

    @property
    def proves_sender(self) -> bool:
        """Return whether the judge's mail server, a sign-on or a token proves that the sender wrote the letter."""
        return self.standing.proof is Proof.VERIFIED or self.has_proved_it

    def is_from(self, seat: Seat) -> bool:
        """Return whether the letter's sender has the seat."""
        return self.person is not None and self.person.id == seat.person_id

    def is_proved_to_be(self, person_id: int) -> None:
        """Record that the sender has signed on to a seat of this person.

        A sign-on proves the sender even if the letter comes from a new address.
        """
        self.signons.people.add(person_id)
        owner = self.standing.owner
        if owner and owner.id == person_id:
            self.person, self.standing = owner, Standing(Proof.CLAIMED)

    def note(self, text: str) -> None:
        """Add a note on the letter, to be shown at the end of the reply."""
        self.parsed = replace(self.parsed, notes=(*self.parsed.notes, text))

    def asker(self, address: str, about: About = "other") -> rate_limits.Reader:
        """Return the reader of an answer to `address`, with what the letter proves about this reader.

        `about` is the subject of the answer.
        """
        verified = self.standing.proof is Proof.VERIFIED
        proof: rate_limits.Proof = "password" if self.signons.people else "verified" if verified else "none"
        return rate_limits.Reader(address, self.is_known or bool(self.signons.people), proof, about)


@dataclass
class Reply:
    """The reply to the sender, with an answer to each block that was or is being carried out."""

    # A function that masks the letter's passwords in a text.
    redact: Redaction = field(default_factory=Redaction)
    answers: list[Answer] = field(default_factory=list)
    confirmation: Confirmation = field(default_factory=Confirmation)
    # Sentences on emails to the sender that have bounced.
    greeting: str = ""
    # The kind of rate limit that applies to the reply.
    about: About = "other"
    kind: MailKind = "reply"
    # The reason, for the log, why the reply is postponed or not sent.
    unanswered: str = ""
    # The reason why the reply is not sent, if someone else may have written the letter.
    doubt: str = ""
    # A password that the judge has made for the sender. The password is masked in the stored reply once the reply is
    # sent.
    secret: str | None = None
    # The code for a confirmation by the sender, which is masked like `secret`.
    token: str = ""

    def begin(self, game: Game | None = None, phase: Phase | None = None) -> None:
        """Begin the answer to the next block."""
        self.answers.append(Answer(game=game, phase=phase, redact=self.redact))


@dataclass
class Acting:
    """The state of a master who acts in another player's seat."""

    # The master's own seat, to which they signed on.
    master: Seat
    # The orders and bids that the power had on file before the master acted.
    before: Sequence[Order | Bid]
    # Sentences on the changes by this letter, for a master who may not see the power's orders.
    done: list[str] = field(default_factory=list)
    # True if this letter has filed an order or a bid for the power.
    ordered: bool = False


@dataclass
class Announcements:
    """Changes in a game that have yet to be announced to all players."""

    # The reason for each change, by the name of the setting. In the announcement, the reason comes before the sentence
    # on the setting.
    changes: dict[str, str] = field(default_factory=dict)
    # The variant and the settings of the game before the changes.
    before: tuple[Variant, GameSettings] | None = None
    # The sentence that announces a new time zone of the game.
    zone: str = ""
    # The authors of the changes in words, such as "The master", in the order of their changes.
    by: dict[str, None] = field(default_factory=dict)
    ejected: list[Left] = field(default_factory=list)
    borders: list[str] = field(default_factory=list)
    # The kind of phase whose timing the block has changed. The answer then shows the next two deadlines, of which the
    # second is for a phase of this kind.
    timed: PhaseKind | None = None
    # A phase whose moments the block may have changed, and these moments before.
    clock: tuple[Phase, Terms] | None = None
    # For each kind of phase, the last line that set its grace, or that set NMR.
    graced: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Heading:
    """A line that says something of the orders below it, such as the name of a power."""

    text: str
    # True if the heading is about all lines up to the next heading, not only about a paragraph. None until its first
    # line is read.
    is_section: bool | None = None

    def at(self, is_apart: bool) -> Self | None:
        """Return the heading for the next line, or None if it ends above that line.

        A heading is about the paragraph below it. If a blank line follows the heading itself, it is unclear where its
        orders end. Then it is about all lines up to the next heading. `is_apart` is true if a blank line is above.
        """
        if self.is_section is None:
            return replace(self, is_section=is_apart)
        return self if self.is_section or not is_apart else None


@dataclass(frozen=True)
class UnmeantLines(Heading):
    """A heading that says that the orders below it are not meant, or not for this game: "Cancelled:", "swan:"."""

    # What to do for these orders to be recorded.
    instead: str = ""
    # True if the lines are for another game. Only the name of the game signed on to ends them.
    of_another_game: bool = False


@dataclass
class OrderLines:
    """The state of a block's order lines while the block is carried out."""

    # The later phase that the lines are for, or "" for the open phase.
    ahead: str = ""
    # The line that names this later phase.
    ahead_line: str = ""
    # The name of a power on a line above, which says for whose units ALL HOLD, WAIVE or CLEAR is.
    heading: Heading | None = None
    # The heading that says that the lines below it are not meant, if there is one.
    unmeant: UnmeantLines | None = None
    # The sign-ons of the sender's other games, by the names of the games, once they have been looked up.
    elsewhere: Mapping[str, str] | None = None
    # The orders below such headings.
    unmeant_orders: list[str] = field(default_factory=list)
    # The lines with bids of points, which are filed at the end of the block.
    bid_lines: list[str] = field(default_factory=list)
    gives_orders: bool = False
    # True if the block has changed orders, bids or WAIT.
    ordered: bool = False
    # The orders that CLEAR has taken back, by phase. The orders for the open phase are under the key "".
    cleared: dict[str, list[str]] = field(default_factory=dict)
    # The bids that CLEAR has left on file.
    spared: Sequence[Bid] = ()
    # The number of lines that were saved for each later phase.
    kept_for: Counter[str] = field(default_factory=Counter)
    # True if the block has the command STATUS. Then the report on the block must be complete.
    asks_status: bool = False
    # The number of possibly quoted lines that were examined.
    doubtful_read: int = 0
    # The possibly quoted lines that may be orders but were not read.
    left_out: list[str] = field(default_factory=list)
    # The possibly quoted lines that were read although the quoted line above them breaks off.
    perhaps_quoted: list[str] = field(default_factory=list)


@dataclass
class Seated:
    """The seat signed on to, or that a master acts for, and what the block's lines did there.

    Handlers can rely on the conditions in the command table, which permissions.py has checked. For example, the game
    has an open phase, or the sender has a power.
    """

    session: Session
    game: Game
    phase: Phase | None
    row: Seat
    acting: Acting | None = None
    # True if the player signed on without the password, so that only commands with `Command.passwordless` are allowed.
    passwordless: bool = False
    # True if the sender has joined the game in this block.
    joined: bool = False
    # True if the sender leaves the game at the end of the block.
    resigns: bool = False
    # True if the players have agreed to the current command.
    has_word: bool = False
    lines: OrderLines = field(default_factory=OrderLines)
    pending: Announcements = field(default_factory=Announcements)
    # A cache of the game's seats, as they were at the sign-on, or None after they have changed.
    seats: Sequence[Seat] | None = None
    _book: FiledOrders | None = None

    @property
    def signed_on(self) -> Seat:
        """The seat that the sender has signed on to, also while a master acts in another player's seat."""
        return self.acting.master if self.acting else self.row

    @property
    def variant(self) -> Variant:
        """The variant of the game, with the game's own settings."""
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
        """The open phase. Use this property only if the game must have one."""
        assert self.phase
        return self.phase

    def heading(self, line: str) -> str:
        """Return what a line says as a heading of orders, as in judge/rules/parsing/headings.py."""
        if not self.phase:
            return ""
        variant = self.variant
        names = " ".join([*variant.power_words, *variant.heading_words, variant.title, self.game.name])
        return heading(line, self.phase.name, names.lower().split())

    @property
    def book(self) -> FiledOrders:
        """The orders on file for the open phase."""
        if self._book is None or self._book.phase is not self.phase:
            self._book = FiledOrders(self.session, self.game, self.open_phase, self.seats)
        return self._book

    def forget_book(self) -> None:
        """Drop the cached orders on file, so that they are read again at the next use."""
        self._book = self.seats = None

    def on_file(self) -> Sequence[Order | Bid]:
        """The orders and bids of the power in the open phase."""
        if not self.phase or not self.row.power:
            return []
        return [*self.book.given(self.power), *self.book.bids.given(self.power)]


@dataclass
class CommandContext:
    """What the commands of one block may use: the work, the letter, the reply, and the seat signed on to."""

    work: Work
    letter: OpenLetter
    reply: Reply
    signed_on: Seated | None = None
    call: Call = field(init=False, repr=False)
    # The sender's request to the master for a seat, made in this block.
    application: Application | None = None

    def begin(self) -> "CommandContext":
        """Begin the answer to a block, and return the context for its commands."""
        self.reply.begin()
        return CommandContext(self.work, self.letter, self.reply)

    @property
    def session(self) -> Session:
        """The database session, whose one transaction includes the whole letter."""
        return self.work.session

    @property
    def seat(self) -> Seated:
        """The seat that the sender is signed on to. Use it only after SIGNON, which permissions.py has checked."""
        assert self.signed_on
        return self.signed_on

    @property
    def answer(self) -> Answer:
        """The answer to the current block."""
        return self.reply.answers[-1]

    @property
    def sender_zone(self) -> str:
        """The time zone in which the sender reads times."""
        person = self.letter.person
        return person.zone if person else self.work.settings.zone

    @property
    def zone(self) -> str:
        """The time zone of the answer to this block, which is usually the sender's.

        In a gunboat game, if another person gets a copy of the answer, the zone is that of the judge.
        """
        return self.work.settings.zone if self.answer.hides_people else self.sender_zone

    def written(self, template: str, **values: object) -> Written:
        """Return a text made from `template`, with times in the time zone of the answer."""
        return self.work.services.post.render(template, self.zone, clock=self.work.now, **values)

    def remark(self, text: str, kind: Literal["error", "stray", "note"] = "note", line: str = "", **how: bool) -> None:
        """Add a remark that `line` (by default the line of the current command) was carried out, refused or ignored."""
        self.answer.remarks.append(Remark(kind, line or self.call.line, text, **how))

    def settle(self, verdict: str) -> None:
        """Add a verdict to the answer."""
        self.answer.settle(verdict)

    def notify(self) -> None:
        """Mail the news of the letter.

        "All players have been notified" is removed from answers about games in which no one else was notified.
        """
        tell_gathered(self.work)
        for answer in self.reply.answers:
            notified = {address for name, address in self.work.notified if answer.game and name == answer.game.name}
            if not notified - {self.letter.sender}:
                answer.verdict = answer.verdict.replace(ALL_TOLD, "")
                answer.done = answer.done.replace(ALL_TOLD, "")

    def say(self, text: str, title: str = "", *, headed: bool = False) -> None:
        """Add a longer text to the answer.

        Before a sign-on, the title becomes the verdict. After a sign-on, the title is put above the text. `headed` is
        true if programs read the text, so that its two lines about the game come before the verdict.
        """
        answer = self.answer
        if title and self.signed_on:
            text = titled(title, text)
        elif title:
            answer.is_question, answer.verdict = not answer.verdict, answer.verdict or title
            answer.headed = headed
        if text:
            answer.texts.append(text)

    def confirm(self, text: str) -> None:
        """Add a text that is also copied to the seat's player, if another person acts for the player."""
        self.say(text)
        self.answer.confirmed.append(self.answer.texts[-1])

    def sign_on(self, game: Game, phase: Phase | None, seat: Seat, *, proved: bool = True) -> None:
        """Set the block's game, its open phase and the sender's seat.

        `proved` is true if the sender has proved that the seat is theirs. A seat that was taken in this letter proves
        nothing.
        """
        if proved and seat.joined_at < self.work.now:
            self.letter.is_proved_to_be(seat.person_id)
            self.letter.signons.has_signed_on = True
        self.signed_on, answer = Seated(self.session, game, phase, seat), self.answer
        answer.game, answer.phase = game, phase
        answer.verdict = f"You are signed on to {game.name} as {seat.power or seat.role}."
        if not self.letter.is_from(seat):
            answer.copy_to, answer.copied_as = seat.address, seat.role
