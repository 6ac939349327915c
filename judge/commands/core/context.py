"""What the commands of a letter may see and change, and the answers they give: the letter's context, and a block's.

A handler gets the CommandContext and the matched arguments. It changes rows in the context's session and says what it
did, in three ways: it settles what its reply begins with (`settle`), remarks on a line (`remark`), or says a longer
text (`say`). Only the work queue commits.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Literal

from sqlmodel import Session

from judge.commands.core.answer import ALL_TOLD, Answer, Remark
from judge.commands.core.blocks import Block, read_blocks
from judge.commands.core.command import AfterConfirmation, Call, CommandError
from judge.commands.core.proofs import Proof, Right, Standing
from judge.commands.core.reading import Reader
from judge.commands.core.redaction import Redaction
from judge.games.core.board import signon_of, variant_of
from judge.games.core.settings import GameSettings, settings_of
from judge.games.core.who_may_see import Fact, Stage, may_see, viewer
from judge.games.core.work import Services, Work
from judge.games.life.membership import Left
from judge.games.orders.filed_orders import FiledOrders
from judge.games.people import identity, rate_limits
from judge.games.people.credentials import LoginAttempts
from judge.games.people.rate_limits import About
from judge.letters import Letter, Line
from judge.letters.quotes import repeats_judge
from judge.mails.pages import titled
from judge.mails.templates import wrap
from judge.rules import Bid, Order, Variant
from judge.rules.board.phase import PhaseKind
from judge.store.games import game_named, games_among, open_phase
from judge.store.people import Change, Registration, sender_at
from judge.store.seats import seats_in, seats_of
from judge.store.tables import Application, Game, LetterRow, Person, Phase, Seat

# Bytes of texts from commands in a reply: the rest of the reply needs room too.
MOST_TEXT = 80_000
REGISTER_FIRST = (
    "Put this at the top of your email and send it again:\n"
    "    REGISTER\n    Name: Your Name\n    Timezone: Europe/Berlin\n    END"
)


class _InTransaction:
    """What is at hand wherever a letter is handled."""

    work: Work

    @property
    def session(self) -> Session:
        """The transaction in which the whole letter is handled."""
        return self.work.session

    @property
    def services(self) -> Services:
        """What a judge has besides the database: settings, passwords, templates, dice."""
        return self.work.services

    @property
    def now(self) -> datetime:
        """The moment at which the letter is read."""
        return self.work.now


@dataclass(frozen=True)
class Newcomer:
    """What an unknown sender has written into the form of REGISTER, and the answer to it."""

    name: str
    zone: str
    answer: Answer


@dataclass(frozen=True)
class PendingChange:
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

    `newcomer`: they wish to be registered; `deferred`: the numbers of the blocks that wait for that, or (`acts`: the
    powers with their games) for a player who may have signed on as another by mistake. `asked_before`: an earlier
    letter has asked them for that, and they have not answered. `changes`: changes of their own data.
    `confirmed`: registrations, confirmed by this letter, by letters whose blocks no longer wait.
    """

    newcomer: Newcomer | None = None
    deferred: list[int] = field(default_factory=list)
    acts: list[str] = field(default_factory=list)
    asked_before: bool = False
    changes: list[PendingChange] = field(default_factory=list)
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
    orders that its powers had before. `unread`: the lines of which its sender is told that they were not read, or
    knows it, since they are in a message.
    """

    number: int = 0
    mistakes: int = 0
    latest: dict[tuple[int | None, str, str], Order] = field(default_factory=dict)
    were_on_file: set[tuple[str, Order]] = field(default_factory=set)
    unread: set[str] = field(default_factory=set)


@dataclass
class LetterContext(_InTransaction):
    """What all blocks of a letter have in common, while it is answered.

    `reader`: recognizes the commands of the table. `person`: the sender as a known person, None if unknown, or if the
    address of the letter proves nothing; `standing`: what it proves (judge/commands/core/proofs.py). `registered`: the
    sender was registered before this letter came; `is_known`: they were, or they observe a game. `by_keeper`: the
    keeper acts in place of a master. `redact`: takes the passwords of the letter out of texts. `games`: the games that
    lines like sign-ons name in it. `opened`: the phases that the letter has opened by processing the ones before.
    `changed`: what its blocks have changed in the settings of each game, by its name.

    The reply: `answers` to the blocks that are done; `greeting`: which mails to the sender came back; `about`: by which
    budget it is counted; `unanswered`: why the letter was not answered at once, for the log; `doubt`: the same, since
    another may have written it; `secret`: a password made for the sender, and `token`, a code, both masked in the
    stored reply once it has gone out; `answers_program`: a mail program wrote the letter, so few of its kind are
    answered.
    """

    work: Work
    reader: Reader
    letter: Letter
    row: LetterRow
    person: Person | None = None
    standing: Standing = Standing(Proof.CLAIMED)
    registered: bool = False
    is_known: bool = False
    by_keeper: bool = False
    redact: Redaction = field(default_factory=Redaction)
    games: frozenset[str] = frozenset()
    opened: set[int | None] = field(default_factory=set)
    changed: dict[str, "Announcements"] = field(default_factory=dict)
    confirmation: Confirmation = field(default_factory=Confirmation)
    signons: SignOns = field(default_factory=SignOns)
    orders: OrdersRead = field(default_factory=OrdersRead)
    answers: list[Answer] = field(default_factory=list)
    greeting: str = ""
    about: About = "other"
    unanswered: str = ""
    doubt: str = ""
    secret: str | None = None
    token: str = ""
    answers_program: bool = False

    @property
    def zone(self) -> str:
        """The zone in which the sender reads times."""
        return self.person.zone if self.person else self.services.settings.zone

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

    def asker(self, address: str) -> rate_limits.Reader:
        """Who is answered at `address`, as far as the letter proves it."""
        verified = self.standing.proof is Proof.VERIFIED
        proof: rate_limits.Proof = "password" if self.signons.people else "verified" if verified else "none"
        return rate_limits.Reader(address, self.is_known or bool(self.signons.people), proof, self.about)

    def blocks(self, lines: Sequence[Line]) -> list[Block]:
        """Return the blocks that other lines than those of the letter are cut into."""
        return read_blocks(self.reader, lines, games_among(self.session, self.reader.names_in(lines)))

    def may_be_answered_at(self, address: str) -> bool:
        """Return whether a reply may go to this Reply-To: only to another address of the sender's.

        To a new one only if it is proved that the letter is theirs, or anyone who has had that address added could
        write it.
        """
        found = sender_at(self.session, address, self.now - identity.NEW_ADDRESS) if address else None
        if not found or found[0] != self.person:
            return False
        return not found[1] or self.proves_sender


@dataclass
class Acting:
    """A master acts in the seat of another player.

    `master`: the seat that was signed on to. `before`: the orders and bids that the power had on file. For a master who
    may not see these: `done`, what the letter has done, in sentences; `ordered`: it has given or taken back orders.
    """

    master: Seat
    before: Sequence[Order | Bid]
    done: list[str] = field(default_factory=list)
    ordered: bool = False


@dataclass
class Announcements:
    """What all players have still to be notified of: sentences, seats that were taken, corrections of the map.

    `changes`: by the name of each setting that was set, what stands before its sentence; `before`: the variant and the
    settings of the game before; `zone`: what is said of a new time zone; `by`: who set them, in turn.
    `timed`: the block has set when phases are due, so its answer shows the next two deadlines, the second for a phase
    of this kind. `graced`: for each kind of phases the line that set its grace, or what happens when that ends.
    """

    changes: dict[str, str] = field(default_factory=dict)
    before: tuple[Variant, GameSettings] | None = None
    zone: str = ""
    by: dict[str, None] = field(default_factory=dict)
    ejected: list[Left] = field(default_factory=list)
    borders: list[str] = field(default_factory=list)
    timed: PhaseKind | None = None
    graced: dict[str, str] = field(default_factory=dict)


@dataclass
class OrderLines:
    """What the order lines of a block have been so far.

    `ahead`: the later phase that they are for, named by `ahead_line`; "" for the open phase. `bid_lines`: the lines
    that bid points, which are filed at the end of the block. `gives_orders`: there are order lines in the block;
    `ordered`: something is filed. `kept_for`: how many lines were kept for each later phase; `asks_status`: STATUS was
    asked, so that the report says all. `doubtful_read`: how many lines were looked at that may be quoted; `left_out`:
    those of them that may be orders and were not read; `perhaps_quoted`: those that were, though the quoted line above
    them breaks off.
    """

    ahead: str = ""
    ahead_line: str = ""
    bid_lines: list[str] = field(default_factory=list)
    gives_orders: bool = False
    ordered: bool = False
    kept_for: Counter[str] = field(default_factory=Counter)
    asks_status: bool = False
    doubtful_read: int = 0
    left_out: list[str] = field(default_factory=list)
    perhaps_quoted: list[str] = field(default_factory=list)


@dataclass
class CommandContext(_InTransaction):
    """What a command of the lobby, or a sign-on with the lines after it, may see and change, and the answers it leaves.

    `letter`, `row`: the letter with its lines: the one that is answered, or an earlier one that has waited for its
    sender to confirm who they are. `by_reply`: there is no sign-on, the letter answers a mail of the judge to the seat;
    so only lines that cannot be meant in another way take effect. `call`: the command that is carried out now.

    Handlers set `seat`: the seat that was signed on to, or with `acting` the seat that the master acts in.
    `passwordless`: the player signed on without the password, so only what `Command.passwordless` names may be done.
    `joined`: the seat was taken in this block. `has_word`: the players have agreed to the command `call`.
    `application`: the sender has asked the master for a seat in this block. `resigns`: the seat is to be left at its
    end.
    """

    letter_context: LetterContext
    letter: Letter
    row: LetterRow
    by_reply: bool = False
    call: Call = field(init=False, repr=False)
    answers: list[Answer] = field(init=False)
    game: Game | None = None
    phase: Phase | None = None
    seat: Seat | None = None
    acting: Acting | None = None
    passwordless: bool = False
    joined: bool = False
    has_word: bool = False
    application: Application | None = None
    resigns: bool = False
    lines: OrderLines = field(default_factory=OrderLines)
    pending: Announcements = field(default_factory=Announcements)
    _book: FiledOrders | None = None

    def __post_init__(self) -> None:
        self.work = self.letter_context.work
        self.answers = [Answer(redact=self.letter_context.redact)]

    @property
    def person(self) -> Person | None:
        """The sender as a known person; None if the judge does not know them."""
        return self.letter_context.person

    # Safe after SIGNON: permissions.py has checked that game, seat and phase exist.

    @property
    def the_game(self) -> Game:
        """The game that is signed on to."""
        assert self.game
        return self.game

    @property
    def variant(self) -> Variant:
        """The variant of that game, as its own settings have it."""
        return variant_of(self.the_game)

    @property
    def settings(self) -> GameSettings:
        """The settings of that game."""
        return settings_of(self.the_game)

    @property
    def the_seat(self) -> Seat:
        """The seat that is signed on to, or in which a master acts."""
        assert self.seat
        return self.seat

    @property
    def the_power(self) -> str:
        """The power, or the group, of that seat: a player's of a game that has begun."""
        assert self.seat and self.seat.power
        return self.seat.power

    @property
    def the_phase(self) -> Phase:
        """The open phase: where the table says that the command is for one."""
        assert self.phase
        return self.phase

    @property
    def the_book(self) -> FiledOrders:
        """The orders on file for the open phase."""
        if self._book is None or self._book.phase is not self.phase:
            self._book = FiledOrders(self.session, self.the_game, self.the_phase)
        return self._book

    def remark(self, text: str, kind: Literal["error", "stray", "note"] = "note", line: str = "", **how: bool) -> None:
        """Say what a line has done, or that it was refused or ignored: by default that of the command."""
        self.answer.remarks.append(Remark(kind, line or self.call.line, text, **how))

    def settle(self, verdict: str) -> None:
        """Add a verdict to the answer; in a game without players it does not say that all have been notified."""
        if verdict.endswith(ALL_TOLD) and self.game:
            is_played = any(seat.role == "player" for seat in seats_of(self.session, self.game))
            verdict = verdict if is_played else verdict.removesuffix(ALL_TOLD)
        self.answer.settle(verdict)

    def say(self, text: str, title: str = "", *, headed: bool = False) -> None:
        """Add a longer text; its title is the verdict, or stands above the text if the verdict is about a sign-on.

        `headed`: programs read this text; its heading stands above the verdict.
        """
        answer = self.answer
        if title and self.game:
            text = titled(wrap(title), text)
        elif title:
            answer.is_question, answer.verdict = not answer.verdict, answer.verdict or title
            answer.headed = headed
        if text:
            answer.texts.append(text)

    @property
    def master(self) -> str:
        """The words in which a sentence to all players begins that says who signed on as the master."""
        return "The keeper of this judge" if self.letter_context.by_keeper else "The master"

    @property
    def read_reply(self) -> set[str]:
        """The address of the seat whose holder reads in the reply what they have set, and needs no notice of it."""
        if self.letter_context.by_keeper:
            return set()
        return {(self.acting.master if self.acting else self.the_seat).address}

    @cached_property
    def repeats_judge(self) -> bool:
        """Return whether a mail of the judge is repeated in the letter without quote marks."""
        return repeats_judge(self.letter.lines)

    @property
    def needs_password(self) -> str:
        """Return why a command is refused to a player who signed on without the password, and what to write instead."""
        assert self.game and self.seat
        return f"This needs your password: write SIGNON {signon_of(self.game, self.seat)} <password> above it."

    def on_file(self) -> Sequence[Order | Bid]:
        """The orders and bids of the seat's power in the open phase."""
        if not self.phase or not self.the_seat.power:
            return []
        book, power = self.the_book, self.the_seat.power
        return [*book.given(power), *book.bids.given(power)]

    def look_again(self) -> None:
        """Look which phase is open now, and read the orders on file again."""
        self.phase = self.answer.phase = open_phase(self.session, self.the_game)
        self._book = None

    def written(self, template: str, **context: object) -> str:
        """Return a text made from `template`, as its reader gets it."""
        return self.services.post.written(template, self.zone, self.now, context)

    @property
    def answer(self) -> Answer:
        """The answer to what is being read."""
        return self.answers[-1]

    @property
    def all_answers(self) -> list[Answer]:
        """All answers to the letter so far."""
        return [*self.letter_context.answers, *self.answers]

    def sees(self, fact: Fact, power: str = "", *, stage: Stage = "open", game: Game | None = None) -> bool:
        """Return whether all who read the answer may see this fact about `power`, "" for all powers but their own.

        `game`: the game that is asked about, if it may be another one.
        """
        if game and not (self.seat and game is self.game):
            mine = seats_in(self.session, game, self.person)
            return may_see(viewer(mine, seats_of(self.session, game)), game, fact, stage, power)
        seats, acting = seats_of(self.session, self.the_game), self.acting
        signed_on = acting.master if acting else self.the_seat
        if self.letter_context.by_keeper:
            readers = [viewer([signed_on], [])]
        else:
            mine = [seat for seat in seats if seat.person_id == signed_on.person_id] if acting else [signed_on]
            readers = [viewer(mine, seats, *([self.person.id] if self.person and self.person.id else []))]
        if acting:
            readers.append(viewer([self.the_seat], seats))
        return all(may_see(reader, self.the_game, fact, stage, power) for reader in readers)

    @property
    def is_blind(self) -> bool:
        """Return whether the orders on file for the seat are hidden from a master who acts in it."""
        return self.acting is not None and not self.sees("orders", power=self.the_seat.power or "")

    @property
    def zone(self) -> str:
        """The zone of the answer to this block: the sender's.

        In a gunboat game, an answer of which another person gets a copy shows times in the judge's own zone.
        """
        return self.services.settings.zone if self.answer.hides_people else self.letter_context.zone

    def sign_on(self, game: Game, phase: Phase | None, seat: Seat, *, proved: bool = True) -> None:
        """From now on the block is about `game` with its open phase, and the sender is in `seat`.

        `proved`: it is proved that the sender holds it. For a seat that was taken in this letter nothing is.
        """
        if proved and seat.joined_at < self.now:
            self.letter_context.is_proved_to_be(seat.person_id)
            self.letter_context.signons.has_signed_on = True
        self.game, self.phase, self.seat = game, phase, seat
        self.answer.game, self.answer.phase = game, phase
        self.answer.verdict = f"You are signed on to {game.name} as {seat.power or seat.role}."
        if not self.person or self.person.id != seat.person_id:
            self.answer.copy_to, self.answer.copied_as = seat.address, seat.role

    def act_no_more(self) -> None:
        """Give the master who acts in another seat their own again, with an answer of their own."""
        assert self.acting
        self.seat, self.acting, before = self.acting.master, None, self.answer
        self.answers.append(Answer(game=before.game, phase=before.phase, redact=before.redact))
        self.lines = OrderLines(gives_orders=self.lines.gives_orders)

    @property
    def waited(self) -> bool:
        """Return whether the block stands in an earlier letter, which waited until its sender had confirmed it."""
        return self.row is not self.letter_context.row

    def new_password(self, chosen: str | None) -> str:
        """Return the hash of a password to keep; raise TooManyPasswords or SlowWork.

        If the letter chooses none, or no one knew who wrote it, one is made here and shown in the reply, once.
        """
        if not chosen or self.waited:
            secret = self.letter_context.secret = self.letter_context.secret or self.work.draws.word("password")
            unused = " The password in your first email was not used: anyone could have sent that." if chosen else ""
            told = f"Your password is {secret}: keep this email, the password will not be sent again.{unused}"
            self.answer.texts += [told] * (told not in self.answer.texts)
            return self.services.passwords.keep_generated(secret)
        return self.services.passwords.keep_chosen(chosen, self.row.id, self.row.fingerprint)

    def registered(self) -> Person:
        """The sender, who must be registered; raises CommandError."""
        if self.person and self.person.registered_at:
            return self.person
        if self.letter_context.standing.proof is Proof.NEW:
            self.require(Right.OWN)
        first = "Confirm your registration first, then send this again."
        if self.letter_context.confirmation.newcomer:
            raise AfterConfirmation(first)
        if self.letter_context.confirmation.asked_before:
            raise CommandError(first)
        raise CommandError(f"You are not registered yet. {REGISTER_FIRST}")

    def may(self, right: Right) -> bool:
        """Return whether the letter has this right at once."""
        return self.letter_context.standing.may(right)

    def require(self, right: Right) -> None:
        """Raise CommandError if the letter does not have this right, not even once a mail was sent back."""
        if refusal := self.letter_context.standing.refusal(right, self.zone):
            raise CommandError(refusal)

    def wait(self, said: str, change: Change) -> None:
        """Let a change of the sender's own data wait until they have sent a mail back.

        `said` continues "reply to this email to": `change your name to Jo`. See judge/commands/people/register.py.
        """
        self.letter_context.confirmation.changes.append(PendingChange(said, change, self.answer))
        self.settle(f"One more step: reply to this email to {said}.")

    @property
    def is_early(self) -> bool:
        """Return whether the letter was sent before anyone could know of the open phase, or has opened it by PROCESS.

        A letter of the second in which its first mails could go is not early, nor is the one that has opened it.
        """
        if not self.phase or self.has_opened:
            return self.has_opened
        known_at = self.phase.known_at or self.phase.opened_at
        return self.row.received_at < known_at and self.phase.id not in self.work.opened

    @property
    def has_opened(self) -> bool:
        """Return whether the letter has opened the open phase itself, by PROCESS."""
        return self.phase is not None and self.phase.id in self.letter_context.opened

    def refuse_unnamed(self, named: str | None) -> None:
        """Raise CommandError if a command that cannot be undone does not name (`named`) its game, which is under way.

        Without the name, a single word may be the end of a sentence of prose that a mail program has wrapped.
        """
        if self.letter_context.by_keeper:
            return
        game, word = self.the_game, self.call.command.word
        asked = (named or "").lower()
        under_way = game.state in ("active", "paused")
        if asked == game.name.lower() or not under_way and (not asked or asked.endswith(game.name.lower())):
            return
        if under_way and not game_named(self.session, asked):
            raise CommandError(
                f"Nothing has changed. This can't be undone, so you have to name the game: send {word} {game.name} on "
                "a line of its own."
            )
        raise CommandError(
            f"Nothing has changed: you are signed on to {game.name}, not {named}. For {game.name}, write {word} "
            f"{game.name}; for {named}, sign on to {named} first. This can't be undone."
        )
