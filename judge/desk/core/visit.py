"""One letter at the desk: what its commands may see and change, and the answers they leave.

A handler gets the Visit and the matched arguments; it changes rows in the visit's session and says what it
did. Only the caller of the desk commits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session

from judge.desk.core.command import Call, Command
from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.passwords import MOST_SLOW, TooManyPasswords
from judge.games.core.who_may_see import hides_people
from judge.games.orders.forms import Form
from judge.games.orders.orderbook import OrderBook
from judge.games.people.wrong_passwords import Door
from judge.letters import Letter, mask_passwords
from judge.rules import Bid, Order, Variant
from judge.store.lookups import person_at
from judge.store.tables import Game, LetterRow, Person, Phase, Seat

MOST_REMARKS = 40
# Characters of a line that a reply repeats, and of what it says to it.
LONGEST_SHOWN = 200
LONGEST_REMARK = 1000
# Bytes that commands tell in a reply: all else that it says must find room beside it.
MOST_TEXT = 80_000
# What is said to a line that is neither an order nor a command.
STRAY = "not an order or a command, ignored."
# To a line that is longer than any order or command.
TOO_LONG = "too long to be read, so it was ignored. Write each order on a line of its own."
# What is said of each of several lines; why, and how many, is in the verdict.
NOT_STORED = "Not stored."


def without_passwords(text: str) -> str:
    """A line of a letter, or its subject, as a mail or a table may repeat it: what stands for a password is `****`."""
    return mask_passwords(b"\n" + text.encode(errors="replace")).decode()[1:]


def _size(text: str) -> int:
    return len(text.encode())


def shortened(text: str, most: int) -> str:
    """The text, with an ellipsis in the place of what is beyond `most` characters."""
    return text if len(text) <= most else f"{text[:most].rstrip()} …"


class CommandError(Exception):
    """A command that cannot be done; the message is for the sender and says what to write instead."""


class PasswordRefused(CommandError):
    """A password that does not fit; it is counted."""

    def __init__(self, message: str, door: Door):
        super().__init__(message)
        self.door = door


class AfterConfirmation(CommandError):
    """A command of somebody who has still to confirm who they are."""


class PasswordsUsedUp(CommandError):
    """A command of a letter that has had as many passwords checked or kept as one letter may."""

    def __init__(self) -> None:
        super().__init__(
            f"Not done: in one letter I check or keep at most {MOST_SLOW} passwords, since each takes a while. Send "
            "this in another letter, with what stands below it."
        )


@dataclass(frozen=True)
class Remark:
    """What the judge says to one line. `kind`: error (refused), stray (not understood, ignored) or note."""

    kind: str
    line: str
    text: str


@dataclass
class Answer:
    """What the judge says to one block: the verdict in a line, remarks on lines, then longer texts, a form.

    `foremost`: sentences that stand before the verdict, whatever that becomes: what was taken back or left out.
    `copy_to`: the address the seat belongs to, where somebody else has signed on to it. `idle`: the block is a form
    that came back as it was; not worth a word where the letter holds anything else.
    """

    verdict: str = ""
    copy_to: str = ""
    game: Game | None = None
    phase: Phase | None = None
    form: Form | None = None
    remarks: list[Remark] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    foremost: list[str] = field(default_factory=list)
    picture_id: int | None = None
    settled: bool = False
    idle: bool = False

    @property
    def hides_people(self) -> bool:
        """Whether the copy of this answer must not tell whose letter it answers."""
        return bool(self.copy_to and self.game and hides_people(self.game))

    @property
    def shown(self) -> list[Remark]:
        """The remarks that a reply has room for, errors before strays when there are too many; without passwords."""
        numbers = sorted(range(len(self.remarks)), key=lambda number: self.remarks[number].kind != "error")
        shown = [self.remarks[number] for number in sorted(numbers[:MOST_REMARKS])]
        return [
            replace(
                remark,
                line=shortened(without_passwords(remark.line), LONGEST_SHOWN),
                text=shortened(remark.text, LONGEST_REMARK),
            )
            for remark in shown
        ]

    def put_first(self) -> None:
        """Let the verdict begin with what is foremost."""
        self.verdict = " ".join([*self.foremost, self.verdict]).rstrip()
        self.foremost = []

    def settle(self, verdict: str) -> None:
        """Give the verdict, behind others that were given; what only signing on would say no longer matters."""
        if not (self.settled and verdict in self.verdict):
            self.verdict = f"{self.verdict} {verdict}" if self.settled else verdict
        self.settled = True

    @property
    def variant(self) -> Variant | None:
        """The variant of the game."""
        return variant_of(self.game) if self.game else None

    @property
    def errors(self) -> list[Remark]:
        """The lines that were refused."""
        return [remark for remark in self.remarks if remark.kind == "error"]


@dataclass(frozen=True)
class Newcomer:
    """What somebody unknown has written into the form of REGISTER, and the answer to it."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class Wish:
    """What a letter asks of somebody's own that does not prove that they wrote it: in words that go on from "you", what
    is to change (judge/desk/people/confirming.py), and the answer to it.
    """

    said: str
    change: dict[str, Any]
    answer: Answer


@dataclass
class Visit:
    """The letter, who wrote it, and the seat that the current block signed on to.

    `acting`: a master signed on and acts in that seat for somebody else. `joined`: the seat was taken in this block.
    `wrong_passwords`: how often the letter had a wrong one for a seat of the sender's own.
    `wishes`: what waits until the sender has confirmed that the letter is theirs.
    `newcomer`: who has still to confirm that they wish to be registered, and `deferred` the numbers of the blocks that
    wait for it; `asked_before`: who was asked for that by an earlier letter, and has not answered; `confirmed`: what is
    known of letters whose blocks wait no longer. `orders_read`: how many orders of the letter were looked at;
    `mistakes`: in how many of them something was wrong.
    `by_keeper`: it is the keeper who acts, in place of a master. `acts_for`: the power that the master has become in
    this block, and the orders and bids it had on file then. `hides_bids`: it is the power of another, and the master
    plays too, so that its bids are neither shown nor taken. `bid_lines`: the lines of this block that bid points, which
    are filed at its end.
    """

    session: Session
    office: Office
    letter: Letter
    row: LetterRow
    person: Person | None
    now: datetime
    commands: Sequence[Command] = ()
    answers: list[Answer] = field(default_factory=list)
    secret: str | None = None
    token: str = ""
    wrong_passwords: int = 0
    game: Game | None = None
    seat: Seat | None = None
    phase: Phase | None = None
    ordered: bool = False
    orders_read: int = 0
    mistakes: int = 0
    ahead: str = ""
    acting: bool = False
    joined: bool = False
    hides_bids: bool = False
    bid_lines: list[str] = field(default_factory=list)
    newcomer: Newcomer | None = None
    wishes: list[Wish] = field(default_factory=list)
    asked_before: bool = False
    deferred: list[int] = field(default_factory=list)
    confirmed: list[dict[str, Any]] = field(default_factory=list)
    by_keeper: bool = False
    acts_for: tuple[str, Sequence[Order | Bid]] = ("", ())
    changes: list[str] = field(default_factory=list)
    _book: OrderBook | None = None

    def note(self, call: Call, text: str) -> None:
        """Say what a command has done."""
        self.answer.remarks.append(Remark("note", call.shown, text))

    def title(self, verdict: str) -> None:
        """What the answer is, where nothing more important is to be said first."""
        self.answer.verdict = self.answer.verdict or verdict

    @property
    def book(self) -> OrderBook | None:
        """The orders on file for the open phase."""
        if self.game and self.phase and (self._book is None or self._book.phase is not self.phase):
            self._book = OrderBook(self.session, self.game, self.phase)
        return self._book if self.phase else None

    @property
    def master(self) -> str:
        """Whoever signed on as the master, as everybody is told."""
        return "the keeper of this judge" if self.by_keeper else "its master"

    def read_orders_again(self) -> None:
        """What `book` knows is out of date."""
        self._book = None

    def fit_in(self, call: Call, said: int) -> None:
        """Leave out what `call` has told, the texts of the answer behind the first `said`, where the reply is full."""
        texts = self.answer.texts[said:]
        room = MOST_TEXT - sum(_size(text) for answer in self.answers for text in answer.texts) + sum(map(_size, texts))
        if sum(map(_size, texts)) <= room:
            return
        del self.answer.texts[said:]
        if room < MOST_TEXT:
            self.note(call, "left out, since this reply is full. Write it again in a letter of its own.")
            return
        whole = "\n\n".join(texts).encode()[:MOST_TEXT].decode(errors="ignore").rpartition("\n")[0]
        self.answer.texts.append(whole)
        self.note(call, "the end of what this tells is left out, since no reply is so long. Ask for a part of it.")

    def say(self, template: str, **context: object) -> None:
        """Add a text to the answer of the block, made from `template`."""
        self.answer.texts.append(self.office.post.render(template, self.zone, **context))

    @property
    def answer(self) -> Answer:
        """The answer to the block that is being read."""
        return self.answers[-1]

    @property
    def received_at(self) -> datetime:
        """When the letter reached the server."""
        return self.row.received_at

    @property
    def home_zone(self) -> str:
        """The zone in which the sender reads times."""
        return self.person.zone if self.person else self.office.settings.zone

    @property
    def zone(self) -> str:
        """The zone of the answer to this block: the sender's.

        In a gunboat game an answer that somebody else gets a copy of shows times in the judge's own.
        """
        return self.office.settings.zone if self.answers and self.answer.hides_people else self.home_zone

    def sign_on(self, game: Game, phase: Phase | None, seat: Seat) -> None:
        """From here on the block is about `game` with its open phase, and the sender is in `seat`."""
        self.game, self.phase, self.seat = game, phase, seat
        self.answer.game, self.answer.phase = game, phase
        self.answer.verdict = f"You are signed on to game {game.name} as {seat.power or seat.role}."
        if not self.person or self.person.id != seat.person_id:
            self.answer.copy_to = seat.address

    def act_for(self, seat: Seat) -> None:
        """From here on the block is about another seat of its game; who holds it gets a copy of what follows only."""
        before = self.answer
        if before.settled or before.remarks or before.texts:
            self.answers.append(Answer(game=before.game, phase=before.phase))
        self.seat, self.acting, self.answer.copy_to = seat, True, seat.address
        self.answer.verdict = f"You act for {seat.power or seat.role} in game {self.game.name if self.game else ''}."

    def keep_password(self, chosen: str) -> str:
        """The hash of a password that the letter chooses; raises PasswordsUsedUp, and SlowWork."""
        try:
            return self.office.passwords.keep_chosen(chosen, self.row.id)
        except TooManyPasswords:
            raise PasswordsUsedUp from None

    def fits(self, password: str, seat: Seat) -> bool:
        """Whether that is the seat's password; raises PasswordsUsedUp, and SlowWork."""
        try:
            return self.office.passwords.matches(seat.password, password, self.row.id)
        except TooManyPasswords:
            raise PasswordsUsedUp from None

    def begin(self) -> None:
        """A new block: signed on to nothing."""
        self.answers.append(Answer())
        self.game = self.seat = self.phase = None
        self.ordered, self.ahead, self.acting, self.joined = False, "", False, False
        self.acts_for, self.changes, self.bid_lines, self.hides_bids = ("", ()), [], [], False

    def begin_again(self) -> None:
        """The block is undone: nothing of its answer holds."""
        self.answers.pop()
        self.begin()

    def registered(self) -> Person:
        """The sender, who must be registered; raises CommandError."""
        if self.person and self.person.registered_at:
            return self.person
        first = "Confirm your registration first, then send this again."
        if self.newcomer:
            raise AfterConfirmation(first)
        if self.asked_before:
            raise CommandError(first)
        raise CommandError(
            "I do not know you yet. Register first, in this letter or one before it:\n"
            "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END"
        )

    def refuse_forged(self) -> None:
        """Raise CommandError where our mail server found the sender forged: what needs no password needs an address,
        and what is not taken back needs both.
        """
        if self.letter.verified is False:
            raise CommandError(
                "Your mail provider's check says that this letter did not come from your address, so this was not "
                "done. Send it from your own mail account."
            )

    def refuse_early(self) -> None:
        """Raise CommandError where the letter was sent before the open phase opened: it was meant for another."""
        if self.phase and self.received_at < self.phase.opened_at:
            raise CommandError(
                f"Your letter was sent before {self.phase.name} opened, so this was not done. Write it in a new letter."
            )

    def refuse_unnamed(self, call: Call, named: str | None) -> None:
        """Raise CommandError where what cannot be undone does not name the game, which is under way: `named`.

        A single word may be the end of a sentence of prose that a mail program has wrapped.
        """
        game, word = self.game, call.command.names[0]
        if not game or self.by_keeper or game.state not in ("active", "paused"):
            return
        if (named or "").lower() != game.name.lower():
            raise CommandError(
                f"Nothing has changed. This cannot be undone, so name the game: write {word} {game.name} on a line of "
                "its own."
            )

    def may_answer_to(self, address: str) -> bool:
        """Whether a reply may go to this Reply-To: only to another address of the same person."""
        if not address or not self.person:
            return False
        other = person_at(self.session, address)
        return other is not None and other.id == self.person.id
