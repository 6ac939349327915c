"""The desk: a letter in, its commands carried out in order, one reply out, all in the caller's transaction.

A sign-on that changes anything is carried out completely or not at all; other blocks of the letter count all the same.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial

from sqlmodel import Session

from judge.commands.command_table import COMMANDS, SLIPS
from judge.commands.core import proofs
from judge.commands.core.answer import Answer, Remark
from judge.commands.core.changes import tell_borders, tell_changes, tell_ejected
from judge.commands.core.command import Body, Call, Command
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import AfterConfirmation, CommandError, MaybeSentence, PasswordRefused, SignonRefused
from judge.commands.core.letter_context import LetterContext
from judge.commands.core.letters_in_hand import InHand, LettersInHand
from judge.commands.core.permissions import carry_out
from judge.commands.core.reading import MOST_COMMANDS, Block, Reader, calls_in
from judge.commands.core.redaction import Redaction, redaction_of
from judge.commands.people import own_seat, passwordless, replays, signon
from judge.commands.people.answered_press import answer_press
from judge.commands.people.by_reply import block_of_reply, tell_doubtful
from judge.commands.people.confirming import ask_to_confirm
from judge.commands.people.register import CONFIRM
from judge.commands.play import orders
from judge.commands.play.orders_ahead import below_heading
from judge.commands.play.signon_hints import obstacles, units_fit
from judge.commands.play.unread_orders import give_doubtful, tell_unread
from judge.games.core.board import variant_of
from judge.games.core.work import Services, Work
from judge.games.orders.bid_lines import is_order_line
from judge.games.people import credentials, mail_trouble, rate_limits
from judge.games.people.rate_limits import About
from judge.letters import Letter, Line, attached_texts
from judge.letters.quotes import Doubtful
from judge.mails.compose import deliverable
from judge.mails.mail_writer import Notice, Reply
from judge.mails.pages import page_of
from judge.rules.parsing.decoration import phase_heading
from judge.store import inbox
from judge.store.games import games_among
from judge.store.people import Registration, person_at
from judge.store.rows import id_of
from judge.store.seats import has_seat, observed_by, played_by, seats_of
from judge.store.sent_mails import mails_since
from judge.store.states import LetterState, MailKind
from judge.store.tables import LetterRow, Person

# The limit for strangers; otherwise the judge could be used to flood a forged address with mail.
_ONE_HINT_AN_HOUR = timedelta(hours=1)
# The limit for a known sender in that time: an unrecognised automatic reply must not cause an endless exchange.
MOST_HINTS = 10
# Commands whose answers have a budget of their own (judge/games/people/rate_limits.py).
_NEEDED, _JOINING = {"CONFIRM"}, {"REGISTER", "CREATE"}
# What begins a block and signs on to no seat that its sender has.
_NO_SIGNON = {"CREATE", "OBSERVE"}
# How our mails show a token in their subject.
_TOKEN = re.compile(r" ?\(?CONFIRM ([a-z0-9]{12})\b\)?", re.IGNORECASE | re.ASCII)
# The limit of a reply; the texts of commands are cut to MOST_TEXT before, and say what is left out.
MOST_BYTES = 100_000
_NOT_ASKED = (
    "What your letter asks for has to be confirmed by a mail that you send back, and that mail could not be sent then: "
    "there had been too many. Nothing was done. Please write again."
)
_COPY = "a copy goes to the address of the seat"
_NO_COPY = (
    "no copy goes to the address of the seat: mails to it come back, so they are held until a letter comes from there. "
    "SET ADDRESS below the SIGNON, with another address that is known as yours, has them sent to that"
)


@cache
def _reader() -> Reader:
    return Reader((*COMMANDS, *SLIPS))


class LetterHandler:
    """Handles letters for one office."""

    def __init__(self, services: Services):
        self._services = services
        self._reader = _reader()
        self._letters = LettersInHand(services, self._reader)

    def take(self, letter: inbox.Fetched) -> str:
        """A letter has come: keep it parsed until it is answered; returns its fingerprint."""
        return self._letters.take(letter)

    def in_hand(self, row: LetterRow) -> InHand:
        """The stored letter, as this judge reads it."""
        return self._letters.of(row)

    def forget(self, letter_ids: Sequence[int | None]) -> None:
        """Drop these letters: they are answered and the transaction is committed, or they are put aside."""
        self._letters.forget(letter_ids)
        self._services.passwords.forget_hashed(letter_ids)

    def handle(self, session: Session, row: LetterRow, now: datetime) -> str:
        """Carry out what the letter asks and mail the reply; returns a line for the log. May raise SlowWork."""
        in_hand = self.in_hand(row)
        letter, letter_context = in_hand.letter, None
        ignored = letter.silent if letter.automatic else _unreachable(letter)
        if not ignored and not replays.came_before(session, letter):
            letter_context = self._carried_out(session, row, in_hand, now)
            ignored = "" if letter_context else letter.silent
        if letter_context is None:
            return self._pass_over(session, row, in_hand, now, ignored)
        kept = kept_of(in_hand, letter_context.redact)
        state: LetterState = "done"
        if replays.has_acted(letter_context):
            writer = replays.writer_of(letter_context)
            kept = replace(kept, sender=writer, message_id=letter.message_id, written_at=letter.date)
        if letter_context.deferred:
            # What waits for its sender's confirmation is read again then.
            kept, state = replace(kept, raw=row.raw), "held"
        inbox.done(session, row, kept, now=now, state=state)
        verdict = _verdict(letter_context) or "no command found"
        return f"from={letter.sender}: {verdict}{f' ({letter_context.unanswered})' * bool(letter_context.unanswered)}"

    def _pass_over(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime, ignored: str) -> str:
        """The letter does nothing: `ignored` says why, or it is a copy; returns a line for the log."""
        letter, kept = in_hand.letter, kept_of(in_hand, self.redaction(session, in_hand))
        report = mail_trouble.take_bounce(Work(session, self._services, now), in_hand.root, letter) if ignored else ""
        reason = ignored if not report and person_at(session, letter.sender) else ""
        inbox.done(session, row, kept, now=now, state="ignored" if ignored else "done", reason=reason)
        said = f"ignored: {ignored}" if ignored else "came before, so nothing was done"
        return f"from={letter.sender or '?'}: {report or said}"

    def forget_unconfirmed(self, session: Session, now: datetime) -> None:
        """Give up what waits in letters for a confirmation that now comes too late, and delete their passwords."""
        for row in inbox.held_before(session, now - credentials.LIFE):
            in_hand = self._letters.read(row)
            inbox.done(session, row, kept_of(in_hand, self.redaction(session, in_hand)), now=now)

    def redaction(self, session: Session, in_hand: InHand) -> Redaction:
        """What takes the passwords of the letter out of texts."""
        return in_hand.redaction(partial(self._read, session, in_hand), partial(games_among, session))

    def _carried_out(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime) -> LetterContext | None:
        """Carry out and answer the letter; None if it came by a way that must not be answered, and does not sign on:
        then it has done nothing.
        """
        if not in_hand.letter.silent:
            return self._answer(session, row, in_hand, now)
        with session.begin_nested() as attempt:
            letter_context = self._answer(session, row, in_hand, now)
            if letter_context.has_signed_on:
                return letter_context
            attempt.rollback()
        for door in letter_context.doors:
            credentials.note_wrong(letter_context.work, door, in_hand.letter.sender)
        return None

    def _answer(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime) -> LetterContext:
        letter, redact = in_hand.letter, self.redaction(session, in_hand)
        work = Work(session, self._services, now)
        standing, person = proofs.standing(work, letter)
        blocks, all_read = _within_measure(self._blocks(session, in_hand, now))
        if not all_read:
            letter = replace(letter, notes=(*letter.notes, f"only the first {MOST_COMMANDS} commands were read"))
        letter = replace(letter, subject=redact(_TOKEN.sub("", letter.subject)))
        letter_context = self.letter_context(session, row, letter, now, person)
        letter_context.games, letter_context.redact = games_among(session, in_hand.names), redact
        letter_context.standing = standing
        letter_context.registered = _is_registered(person)
        letter_context.observes = (
            person is not None and not letter_context.registered and bool(observed_by(session, person))
        )
        mail_trouble.note_cited(letter_context.work, letter)
        forged = standing.proof is proofs.Proof.FORGED
        letter_context.greeting = "" if forged else mail_trouble.greet(letter_context.work, letter.sender, person)
        if not answer_press(letter_context, blocks, self._reader):
            blocks = self._by_reply(letter_context, blocks)
            _carry_out(letter_context, letter, row, dict(enumerate(blocks)))
        for confirmed in letter_context.confirmed:
            self._resume(letter_context, in_hand, confirmed)
            if letter_context.person:
                letter_context.is_proved_to_be(id_of(letter_context.person))
        ask_to_confirm(letter_context)
        letter_context.answers = [
            answer for answer in letter_context.answers if not answer.idle
        ] or letter_context.answers[:1]
        letter_context.about = _about(letter_context, blocks)
        if letter_context.answers:
            _reply(letter_context)
        else:
            _hint(letter_context, obstacles(in_hand.letter, self._reader, attached_texts(in_hand.root)))
        return letter_context

    def _by_reply(self, letter_context: LetterContext, blocks: Sequence[Block]) -> Sequence[Block]:
        """The blocks of the letter; if it is a reply that needs no sign-on, the one block below it."""
        try:
            block = block_of_reply(letter_context, blocks, partial(self.blocks, letter_context.work.session))
        except CommandError as refusal:
            notes = (*letter_context.letter.notes, str(refusal).rstrip("."))
            letter_context.letter = replace(letter_context.letter, notes=notes)
            return blocks
        if not block:
            return blocks
        given = redaction_of(
            letter_context.letter, calls_in([block]), partial(games_among, letter_context.work.session)
        )
        letter_context.redact = letter_context.redact.joined(given)
        return _within_measure([block])[0]

    def _resume(self, letter_context: LetterContext, in_hand: InHand, confirmed: Registration) -> None:
        """Carry out what waited in an earlier letter, now that the letter in hand has confirmed who its sender is."""
        row = letter_context.work.session.get_one(LetterRow, confirmed["letter"])
        if row.state != "held":
            return
        earlier = in_hand.earlier(row)
        redact = self.redaction(letter_context.work.session, earlier)
        letter_context.redact = letter_context.redact.joined(redact)
        blocks, _ = _within_measure(self._blocks(letter_context.work.session, earlier, letter_context.work.now))
        _carry_out(letter_context, earlier.letter, row, {number: blocks[number] for number in confirmed["blocks"]})
        inbox.done(letter_context.work.session, row, kept_of(earlier, redact), now=letter_context.work.now)

    def letter_context(
        self, session: Session, row: LetterRow, letter: Letter, now: datetime, person: Person | None = None
    ) -> LetterContext:
        """The sender of `letter`; `person`: the sender as a known person, None if unknown."""
        return LetterContext(Work(session, self._services, now), COMMANDS, letter, row, person)

    def blocks(self, session: Session, lines: Sequence[Line]) -> list[Block]:
        """The blocks that `lines` are cut into."""
        return self._reader.blocks(lines, games_among(session, self._reader.names_in(lines)))

    def _read(self, session: Session, in_hand: InHand) -> Sequence[Block]:
        """The blocks of the letter as it was written."""
        return in_hand.blocks(games_among(session, in_hand.names))

    def _blocks(self, session: Session, in_hand: InHand, now: datetime) -> Sequence[Block]:
        """The blocks of the letter; if it has a token, the use of the token comes first."""
        lobby, *others = blocks = self._read(session, in_hand)
        # A sender who just returns our mail has the token in the subject, and any words above the quoted text.
        # A used token is only mentioned if there is nothing else to answer.
        word = _TOKEN.search(in_hand.letter.subject)
        written = [item.line for block in blocks for item in block.items if isinstance(item, Call)]
        if not word or any(word[1] in line for line in written):
            return blocks
        if credentials.valid(Work(session, self._services, now), word[1]) or not (written or others):
            confirmed = self._reader.blocks([Line(f"CONFIRM {word[1]}")])[0].items
            return [Block(None, [*confirmed, *lobby.items]), *others]
        return blocks


def kept_of(in_hand: InHand, redact: Redaction) -> inbox.Masked:
    """What is kept of the letter when it is answered."""
    letter = in_hand.letter
    return inbox.Masked(in_hand.kept(redact), letter.sender, redact(letter.subject))


def _carry_out(letter_context: LetterContext, letter: Letter, row: LetterRow, blocks: dict[int, Block]) -> None:
    """Carry out these blocks of `letter`, {number: block}; each answer counts as soon as its block is done."""
    for number, block in blocks.items():
        if block.opening:
            context = CommandContext(letter_context, letter, row, by_reply=block.by_reply)
            letter_context.answers += _signed_on(context, number, block, block.opening).answers
            continue
        # Lines that are no commands are only read below a sign-on.
        for call in _each_once(block):
            context = CommandContext(letter_context, letter, row)
            _run(context, call)
            letter_context.answers += context.answers


def _signed_on(context: CommandContext, number: int, block: Block, opening: Call) -> CommandContext:
    """Carry out the block; if its sign-on is undone, return a fresh visit, since nothing of the first answer holds."""
    try:
        carry_out(context, opening)
    except AfterConfirmation:
        context = context.afresh()
        context.letter_context.deferred.append(number)
        opened = context.letter_context.redact(opening.line)
        if context.letter_context.newcomer:
            context.answer.settle(f"{opened} and the lines below it wait until then.")
        else:
            what = "and the lines below it wait" if block.items else "waits"
            context.answer.settle(f"{opened} {what} until you send this mail back as it is.")
        return context
    except CommandError as refusal:
        context = context.afresh()
        of_another = isinstance(refusal, SignonRefused) and bool(refusal.door.seat)
        context.letter_context.refused |= not of_another and opening.command.names[0] not in _NO_SIGNON
        if isinstance(refusal, PasswordRefused):
            context.letter_context.doors.append(refusal.door)
            credentials.note_wrong(context.work, refusal.door, context.letter.sender)
        _refuse(context, opening, refusal)
        if block.items and opening.command.names[0] == "CREATE":
            lines = [item.line if isinstance(item, Call) else str(item) for item in block.items]
            context.answer.verdict += f" Not read, below it: {context.answer.some(lines)}."
        return context
    if context.seat:
        play(context, block)
        if context.by_reply:
            tell_doubtful(context)
        passwordless.tell(context)
        replays.note(context)
    elif block.items and not context.answer.idle:
        context.answer.settle("The lines below it were not read, because you have no seat yet.")
    return context


def _within_measure(blocks: Sequence[Block]) -> tuple[Sequence[Block], bool]:
    """The blocks up to their first MOST_COMMANDS commands, and whether that is all of them."""
    count = 0
    for number, block in enumerate(blocks):
        count += block.opening is not None
        if count > MOST_COMMANDS:
            return blocks[:number], False
        for place, item in enumerate(block.items):
            count += isinstance(item, Call)
            if count > MOST_COMMANDS:
                return [*blocks[:number], Block(block.opening, block.items[:place])], False
    return blocks, True


def _each_once(block: Block) -> list[Call]:
    """The commands of the lobby; a question that is asked twice in a letter is answered once."""
    asked: dict[tuple[str, tuple[str, ...]], Call] = {}
    for item in block.items:
        if isinstance(item, Call):
            asked.setdefault((item.line.rstrip(" .;").upper(), item.body), item)
    return list(asked.values())


def _unreachable(letter: Letter) -> str:
    """Why no mail can be sent to the sender; "" if it can."""
    try:
        deliverable(letter.sender)
    except ValueError as error:
        return str(error)
    return ""


def play(context: CommandContext, block: Block) -> None:
    """Carry out what stands below a sign-on: orders are filed before the command that follows them runs."""
    lines: list[str] = []
    variant = variant_of(context.the_game)
    context.gives_orders = any(isinstance(item, str) and is_order_line(variant, item) for item in block.items)
    for item in block.items:
        if isinstance(item, Call) and not (isinstance(item.command, Command) and item.command.together):
            tell_borders(context)
        if isinstance(item, Doubtful):
            orders.give(context, lines)
            give_doubtful(context, item)
            lines = []
        elif isinstance(item, str):
            heading = (
                phase_heading(item, context.phase.name) if context.phase and context.seat and context.seat.power else ""
            )
            if heading:
                orders.give(context, lines)
                lines = []
                below_heading(context, item, heading)
            else:
                lines.append(item)
        elif isinstance(item.command, Command) and item.command.is_order:
            lines.append(item.line)
        else:
            orders.give(context, lines)
            lines = []
            _run(context, item)
    orders.give(context, lines)
    tell_borders(context)
    tell_ejected(context)
    tell_changes(context)
    signon.begin_game(context)
    own_seat.leave_at_end(context)
    orders.conclude(context)
    tell_unread(context)
    for answer in context.answers:
        answer.put_first()


def _run(context: CommandContext, call: Call) -> None:
    try:
        said = len(context.answer.texts)
        carry_out(context, call)
        context.fit_in(call, said)
    except CommandError as refusal:
        _refuse(context, call, refusal)


def _refuse(context: CommandContext, call: Call, refusal: CommandError) -> None:
    context.answer.remarks.append(Remark("error", call.line, str(refusal)))
    if isinstance(refusal, MaybeSentence):
        context.answer.undone.append(call.line)
    if call.command.body is Body.PRESS:
        context.answer.unsent.append(call.line)
        context.answer.swallowed = context.answer.swallowed or not call.ended and bool(call.body)
    if call.command.body is Body.CONDITION and call.body:
        context.answer.unfiled.append(call.line)
    if not context.seat:
        context.answer.verdict = f"{context.letter_context.redact(call.line)} was refused."


def _reply(letter_context: LetterContext) -> None:
    """One mail for the letter; if another sender signed on, the seat's player gets a copy of what concerns the seat.

    The sender of a letter that must not be answered may be a list: then it has only such copies.
    """
    back = (
        letter_context.letter.reply_to
        if letter_context.may_be_answered_at(letter_context.letter.reply_to)
        else letter_context.letter.sender
    )
    if letter_context.has_proved_it or any(answer.copy_to == back for answer in letter_context.answers):
        answer_to(letter_context, back, letter_context.answers)
    elif letter_context.letter.silent:
        letter_context.unanswered = "only the players are answered"
    elif is_forged_stranger(letter_context.work, letter_context.letter) and not letter_context.signed_on:
        letter_context.unanswered = "forged, so not answered"
    elif rate_limits.admits(letter_context.work, letter_context.reader(back)):
        answer_to(letter_context, back, letter_context.answers)
    else:
        _put_off(letter_context, _written(letter_context, back, letter_context.answers))
    for address in sorted({answer.copy_to for answer in letter_context.answers} - {"", back}):
        mine = letter_context.may_be_answered_at(address)
        copied = [answer if mine else _done(answer) for answer in letter_context.answers if answer.copy_to == address]
        if told := [answer for answer in copied if mine or not answer.hides_people]:
            answer_to(letter_context, address, told)
        for answer in copied:
            if answer.hides_people and not mine:
                _copy_without_sender(letter_context, answer)


def _about(letter_context: LetterContext, blocks: Sequence[Block]) -> About:
    """By which budget the answer is counted: what a player must hear is silenced by nothing else."""
    calls = [item for block in blocks for item in (block.opening, *block.items) if isinstance(item, Call)]
    names = {call.command.names[0] for call in calls}
    person = letter_context.person or person_at(letter_context.work.session, letter_context.letter.sender)
    if person and (letter_context.refused or names & _NEEDED) and has_seat(letter_context.work.session, person):
        return "needed"
    return "joining" if names & _JOINING else "other"


def _put_off(letter_context: LetterContext, reply: Reply) -> None:
    """The answer comes later, since there have been too many."""
    reply = replace(reply, letter=letter_context.letter)
    if letter_context.token:
        # A token in a mail with other answers could not be sent back with the mail, and may be too old then.
        reply = replace(reply, body=_NOT_ASKED, secret=letter_context.secret)
    until = rate_limits.put_off(letter_context.work, letter_context.reader(reply.to), reply, _verdict(letter_context))
    letter_context.unanswered = f"answered after {until:%Y-%m-%d %H:%M} UTC"


def is_forged_stranger(work: Work, letter: Letter) -> bool:
    """Whether our mail server found the letter forged, and nobody is registered at its sender's address.

    A mail to that address would reach a person who has nothing to do with this judge, or tell a forger something.
    """
    return letter.verified is False and not _is_registered(person_at(work.session, letter.sender))


def _is_registered(person: Person | None) -> bool:
    return person is not None and person.registered_at is not None


def _verdict(letter_context: LetterContext) -> str:
    return " ".join(answer.verdict for answer in letter_context.answers)


def answer_to(letter_context: LetterContext, address: str, answers: list[Answer]) -> None:
    """Mail these answers to the letter to `address`."""
    letter_context.work.mail(_written(letter_context, address, answers))


def _written(letter_context: LetterContext, address: str, answers: list[Answer]) -> Reply:
    """These answers to the letter, as a mail to `address`."""
    letter = letter_context.letter
    kind: MailKind = "reply"
    if letter_context.token and answers is letter_context.answers:
        kind = CONFIRM if letter_context.newcomer or letter_context.deferred else "reply"
        # Not in an encoded subject, where a password could not be masked.
        own = letter.subject if letter.subject.isascii() else ""
        letter = replace(letter, subject=f"{own} (CONFIRM {letter_context.token})".strip())
    notes = [f"{note[:1].upper()}{note[1:]}" for note in letter.notes]
    if copied := {answer.copy_to for answer in answers} - {""}:
        held = mail_trouble.are_held(letter_context.work, copied)
        notes.append(f"This answers a letter from {letter.sender}, and {_NO_COPY if held else _COPY}")
    about = next((answer for answer in reversed(answers) if answer.game), Answer())
    warning = _warning(letter_context, answers, address)
    if answers is letter_context.answers:
        warning = " ".join(filter(None, (letter_context.greeting, warning)))
    html = letter_context.person is None or letter_context.person.html
    template_values = {"answers": answers, "notes": notes, "warning": warning}
    body = letter_context.work.services.post.written(
        "reply", letter_context.zone, letter_context.work.now, template_values, html=html
    )
    cut = _cut_to_size(body)
    return Reply(
        to=address,
        kind=kind,
        letter=letter,
        letter_id=letter_context.row.id,
        body=cut,
        page=page_of(cut),
        plain=not html,
        game=about.game,
        phase=about.phase,
        secret=" ".join(filter(None, (letter_context.secret, letter_context.token))) or None,
        picture_id=next((answer.picture_id for answer in answers if answer.picture_id), None),
        due=about.due,
        data=about.data,
    )


def _cut_to_size(body: str) -> str:
    """The body of a reply; a body that is too long is cut at the end of a line."""
    if len(body.encode()) <= MOST_BYTES:
        return body
    whole = body.encode()[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0]
    return f"{whole}\n\nThis reply was too long: its end is left out. Ask for less in one letter.\n"


def _warning(letter_context: LetterContext, answers: Sequence[Answer], reader: str) -> str:
    """The beginning of a mail to `reader` about a sign-on in a letter that our mail server found forged.

    `reader` is "" for a player who may not be told who wrote the letter.
    """
    if letter_context.letter.verified is not False or not any(answer.copy_to for answer in answers):
        return ""
    if reader == letter_context.letter.sender:
        return "Your mail provider's check failed: this letter is not from your address."
    sender = letter_context.letter.sender if reader else "whom it says"
    return f"A mail provider's check failed: this letter is not from {sender}."


def _done(answer: Answer) -> Answer:
    """What was done for a seat, for its holder: without the answers to questions, which are for the person who asked.

    They may tell of other games, and of what only the sender may know.
    """
    return replace(answer, texts=answer.confirmed, picture_id=None, due=None, data=None)


def _copy_without_sender(letter_context: LetterContext, answer: Answer) -> None:
    """Tell the holder of a seat in a gunboat game what was done for it, without the letter's text or its sender."""
    game = answer.game
    assert game
    seats = seats_of(letter_context.work.session, game)
    by_master = any(
        seat.role == "master" and letter_context.person and seat.person_id == letter_context.person.id for seat in seats
    )
    who = "The master of the game" if by_master else "Somebody who writes from an address that is not yours"
    note = f"{who} has signed on to your seat; this is what was done"
    done = replace(answer, remarks=[remark for remark in answer.remarks if remark.kind == "note"])
    services = letter_context.work.services
    notice = Notice(
        to=answer.copy_to,
        kind="reply",
        subject=f"{answer.phase.name} Done for You" if answer.phase else "Done for You",
        body=services.post.render(
            "reply",
            services.settings.zone,
            answers=[done],
            notes=[note],
            warning=_warning(letter_context, [answer], ""),
        ),
        game=game,
        phase=answer.phase,
        secret=letter_context.secret,
    )
    letter_context.work.mail(notice)


def _may_hint(letter_context: LetterContext) -> bool:
    """Whether a letter without any command is answered: seldom, since nothing is lost if it is not."""
    work, letter = letter_context.work, letter_context.letter
    most = MOST_HINTS if letter_context.person else 1
    said = mails_since(work.session, letter.sender, "hint", work.now - _ONE_HINT_AN_HOUR)
    return said < most and rate_limits.admits(work, letter_context.reader(letter.sender))


def _hint(letter_context: LetterContext, found: Iterable[str]) -> None:
    """Answer a letter without any command: how to write one, or, for orders without a sign-on, what is missing. That a
    player must hear.

    `found`: what keeps the sign-on of the letter from being read.
    """
    letter, signons = letter_context.letter, _missing_signons(letter_context)
    if signons:
        letter_context.about = "needed"
    letter_context.unanswered = "not answered"
    if is_forged_stranger(letter_context.work, letter) or not (signons or _may_hint(letter_context)):
        return
    notes = (*filter(None, [letter_context.greeting.rstrip(".")]), *letter.notes, *found)
    template_values = {"known": letter_context.person is not None, "signons": signons, "notes": notes}
    body = letter_context.work.services.post.render("hint", letter_context.zone, **template_values)
    reply = Reply(to=letter.sender, kind="hint", letter=letter, letter_id=letter_context.row.id, body=body)
    if not signons or rate_limits.admits(letter_context.work, letter_context.reader(letter.sender)):
        letter_context.unanswered = ""
        letter_context.work.mail(reply)
    else:
        _put_off(letter_context, reply)


def _missing_signons(letter_context: LetterContext) -> list[str]:
    """If the letter holds orders: how its sender signs on to the games they play."""
    lines = [line.text for line in letter_context.letter.lines if line.kind == "text"]
    signons = []
    for seat, game in played_by(letter_context.work.session, letter_context.person) if letter_context.person else ():
        variant = variant_of(game)
        if units_fit(letter_context.work.session, game, seat, lines):
            signon = f"SIGNON {variant.seat_named[seat.power or ''].at(game.name)}"
            signons.append(signon if passwordless.suffices(letter_context, game, seat) else f"{signon} <password>")
    return signons
