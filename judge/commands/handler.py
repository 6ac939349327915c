"""Handle a letter in the caller's transaction: carry out its commands in order and write one reply.

If a sign-on is refused, its block has no effect, but the other blocks of the letter still do.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlmodel import Session

from judge.commands.command_table import READER
from judge.commands.core import proofs
from judge.commands.core.answered_mail import without_repeated
from judge.commands.core.blocks import MOST_COMMANDS, Block, calls_in, read_blocks
from judge.commands.core.command import (
    AfterConfirmation,
    Body,
    Call,
    CommandError,
    EndMissing,
    MaybeSentence,
    PasswordRefused,
    SignonRefused,
)
from judge.commands.core.context import MOST_TEXT, CommandContext, OpenLetter, OrderLines, Reply
from judge.commands.core.handling import tell_borders, tell_changes, tell_ejected
from judge.commands.core.permissions import carry_out
from judge.commands.core.reading import Said
from judge.commands.core.redaction import Redaction, redaction_of
from judge.commands.people import first_letters, joining, own_settings, passwordless, signon
from judge.commands.people.register import ask_to_confirm
from judge.commands.play import confirmation, game_for_one, orders, quoted_forms, subjects, unread_lines
from judge.commands.play.order_commands import below_heading, stopped
from judge.commands.play.pasted_results import without_results
from judge.commands.play.stray_lines import obstacles
from judge.commands.play.unmeant_lines import is_left_out
from judge.commands.replies import hint, reply, topic_of, verdict_of
from judge.games.core.work import Refusal, Services, Work
from judge.games.orders import deferred_orders
from judge.games.orders.filed_orders import FiledOrders
from judge.games.orders.line_kinds import kind_of
from judge.games.people import credentials, mail_trouble
from judge.games.people.identity import NEW_ADDRESS
from judge.letters import (
    Letter,
    Line,
    Part,
    fingerprint,
    kept_letter,
    parse_letter,
    read_letter,
)
from judge.letters.imap import Fetched
from judge.mails.mail_writer import deliverable
from judge.store import inbox
from judge.store.event_times import EventTime
from judge.store.games import WithPhase, games_among
from judge.store.people import Registration, person_at, sender_at
from judge.store.seats import prove_seats, seats_in_living_games
from judge.store.states import LetterState
from judge.store.tables import Game, LetterRow, Phase
from judge.time_limit import TakesTooLong, time_limit

# The limit, in seconds of processor time, for reading a letter once more after its handling failed.
_SECONDS = 1.0
# These commands open a block as SIGNON does, but their sender may have no seat in the game yet.
_NO_SIGNON = {"CREATE", "OBSERVE"}
# The confirmation token that the judge puts into the subject of its emails.
_TOKEN = re.compile(r" ?\(?CONFIRM ([a-z0-9]{12})\b\)?", re.IGNORECASE | re.ASCII)


@dataclass
class InHand:
    """A parsed letter, which is parsed only once, even if its transaction is repeated."""

    root: Part
    letter: Letter
    _read: dict[frozenset[str], tuple[Sequence[Block], Redaction]] = field(default_factory=dict)

    @property
    def lines(self) -> Sequence[Line]:
        """The letter's lines, or its subject as the only line if the letter has no text.

        Unsubscribe buttons and newcomers send letters without text.
        """
        return self.letter.lines if any(map(str.strip, self.letter.texts)) else [Line(self.letter.subject)]

    def read(self, session: Session) -> tuple[Mapping[str, WithPhase], Sequence[Block], Redaction]:
        """Return the games that the letter's lines name, its blocks, and the redaction that masks its passwords."""
        if not self._read:
            self.letter = without_repeated(session, self.letter)
        named = games_among(session, READER.names_in([Line(self.letter.subject), *self.letter.lines]))
        games = frozenset(named)
        if games not in self._read:
            blocks = read_blocks(READER, self.lines, games)
            self._read[games] = blocks, redaction_of(self.letter, calls_in(blocks), games)
        return named, *self._read[games]

    def kept(self, session: Session, redact: Redaction | None = None) -> inbox.Masked:
        """Return the letter in the form to store, without passwords.

        If `redact` is not given, the passwords on the letter's own lines are masked.
        """
        redact = redact or self.read(session)[2]
        raw = kept_letter(self.root, self.letter, redact)
        return inbox.Masked(raw, self.letter.sender, redact(self.letter.subject))


class LetterHandler:
    """Carries out the commands in the letters to one judge, and answers the letters."""

    def __init__(self, services: Services):
        # The number of letters that were not answered because their writer is in doubt, by the reason for the doubt.
        self.unanswered: Counter[str] = Counter()
        self._services = services
        # The cached letters that are being handled, by the ids of their rows.
        self._in_hand: dict[int, InHand] = {}

    def in_hand(self, row: LetterRow) -> InHand:
        """Return the parsed letter of this row, which stays cached until `forget` is called."""
        number = row.key
        if number not in self._in_hand:
            self._in_hand[number] = self.read(row)
        return self._in_hand[number]

    def read(self, row: LetterRow) -> InHand:
        """Parse the stored letter of this row, without caching it."""
        root, settings = parse_letter(row.raw), self._services.settings
        letter = read_letter(
            root,
            own_addresses=frozenset({settings.address}),
            authserv_id=settings.mailbox.authserv_id,
            max_lines=settings.mailbox.max_lines,
            cut=row.cut,
        )
        letter = replace(letter, lines=READER.own_lines(letter.lines))
        return InHand(root, letter)

    def readable(self, session: Session, row: LetterRow) -> Letter | None:
        """Return a letter whose handling failed, with the passwords in its subject masked.

        Returns None if reading the letter fails or takes too long.
        """
        try:
            with time_limit(_SECONDS):
                in_hand = self.in_hand(row)
                *_, redact = in_hand.read(session)
                return replace(in_hand.letter, subject=redact(in_hand.letter.subject))
        except (Exception, TakesTooLong):
            return None

    def forget(self, letter_id: int | None) -> None:
        """Remove the letter from the cache, after its transaction is committed or the letter is set aside."""
        self._in_hand.pop(letter_id or 0, None)
        self._services.passwords.forget_hashed(letter_id)

    def handle(self, session: Session, row: LetterRow, now: datetime | EventTime) -> str:
        """Carry out the letter and mail the reply, and return a line for the log.

        `now` is when the letter reached the mail server, or an EventTime that also has the time of handling. Raises
        SlowWork if a password must be hashed first.
        """
        time = now if isinstance(now, EventTime) else EventTime(now, now)
        draws = self._services.draws(row.fingerprint)
        work = Work(session, self._services, time.at, gathered=[], time=time, draws=draws)
        in_hand = self.in_hand(row)
        ignored = _why_ignored(in_hand.letter)
        if ignored or passwordless.came_before(session, in_hand.letter):
            return self._pass_over(work, row, in_hand, ignored)
        context = self._carried_out(work, row, in_hand)
        if context is None:
            return self._pass_over(work, row, in_hand, in_hand.letter.silent)
        return self._done(context, row, in_hand)

    def _done(self, context: CommandContext, row: LetterRow, in_hand: InHand) -> str:
        """Store a letter that was carried out, and return a line for the log."""
        work, letter, doubt = context.work, in_hand.letter, context.reply.doubt
        kept = in_hand.kept(work.session, context.reply.redact)
        state: LetterState = "done"
        if passwordless.has_acted(context):
            writer = passwordless.writer_of(context)
            kept = replace(kept, sender=writer, message_id=letter.message_id, written_at=letter.date)
        if context.reply.confirmation.deferred:
            # Keep the whole letter, since the blocks that wait for the sender's confirmation are read again after it.
            kept, state = replace(kept, raw=row.raw), "held"
        self.unanswered.update([doubt] if doubt else [])
        done_at = work.told_at if state == "held" else work.now
        inbox.done(work.session, row, kept, now=done_at, state=state, reason=doubt)
        verdict = verdict_of(context) or "no command found"
        unanswered = doubt or context.reply.unanswered
        return f"from={letter.sender}: {verdict}{f' ({unanswered})' * bool(unanswered)}"

    def _pass_over(self, work: Work, row: LetterRow, in_hand: InHand, ignored: str) -> str:
        """Store a letter that has no effect, and return a line for the log.

        `ignored` is the reason why the letter is ignored. `ignored` is "" for a copy of an earlier letter.
        """
        work = replace(work, gathered=None)
        letter, kept = in_hand.letter, in_hand.kept(work.session)
        report = mail_trouble.take_bounce(work, in_hand.root, letter) if ignored else ""
        reason = ignored if not report and person_at(work.session, letter.sender) else ""
        inbox.done(work.session, row, kept, now=work.now, state="ignored" if ignored else "done", reason=reason)
        said = f"ignored: {ignored}" if ignored else "came before, so nothing was done"
        return f"from={letter.sender or '?'}: {report or said}"

    def forget_unconfirmed(self, session: Session, now: datetime) -> None:
        """Stop waiting for confirmations that would now come too late, and mask the passwords of those letters."""
        for row in inbox.letters(session, "held", before=now - credentials.LIFE):
            # Compute the time from the letter, so that it does not depend on the time of this call.
            late_at = (row.done_at or now) + credentials.LIFE
            inbox.done(session, row, self.read(row).kept(session), now=late_at)

    def _carried_out(self, work: Work, row: LetterRow, in_hand: InHand) -> CommandContext | None:
        """Carry out and answer the letter, and return its context.

        A machine's letter that does not sign on is undone, and None is returned.
        """
        if not in_hand.letter.silent:
            return self._answer(work, row, in_hand)
        with work.session.begin_nested() as attempt:
            context = self._answer(work, row, in_hand)
            if context.letter.signons.has_signed_on:
                return context
            attempt.rollback()
        for door in context.letter.signons.doors:
            credentials.note_wrong(context.work, door, in_hand.letter.sender)
        return None

    def _answer(self, work: Work, row: LetterRow, in_hand: InHand) -> CommandContext:
        """Carry out the letter, and mail the reply, or a hint if the letter has no command."""
        named, blocks, redact = in_hand.read(work.session)
        context = self._begun(work, row, in_hand.letter, named, redact)
        opened, confirmation = context.letter, context.reply.confirmation
        blocks = self._with_token(work, in_hand.letter, blocks)
        if blocks[-1].is_cut:
            opened.note(f"only the first {MOST_COMMANDS} commands in your email were read")
        blocks = _carry_out_all(context, blocks)
        if not context.reply.answers and first_letters.asks_for_help(context):
            self._help(context)
        for confirmed in confirmation.confirmed:
            self._resume(context, confirmed)
            if opened.person:
                # A token from the judge's email proves the address, also for seats that were taken before the proof.
                opened.is_proved_to_be(opened.person.key)
        if opened.person and opened.proves_sender:
            prove_seats(work.session, opened.person)
        context.notify()
        ask_to_confirm(context)
        answers = context.reply.answers
        context.reply.answers = [answer for answer in answers if not answer.idle] or answers[:1]
        context.reply.about = topic_of(context, blocks)
        if context.reply.answers:
            proofs.note_known(work, opened.standing, opened.parsed, opened.person)
            reply(context)
        else:
            hint(context, obstacles(in_hand.letter, READER))
        return context

    def _begun(
        self, work: Work, row: LetterRow, letter: Letter, named: Mapping[str, WithPhase], redact: Redaction
    ) -> CommandContext:
        """Return the context in which the letter's commands are carried out, with what proves its sender."""
        session = work.session
        sender = None if letter.verified is False else sender_at(session, letter.sender, work.now - NEW_ADDRESS)
        standing, person = proofs.standing(work, letter, row, sender)
        registered = proofs.is_registered(person)
        is_known = registered or bool(seats_in_living_games(session, person, "observer"))
        letter = replace(letter, subject=redact(_TOKEN.sub("", letter.subject)))
        context = CommandContext(
            work,
            OpenLetter(letter, row, READER, named, person, standing, registered, is_known),
            Reply(redact),
        )
        mail_trouble.note_cited(work, letter)
        if standing.proof is not proofs.Proof.FORGED and not (sender and sender.is_reached):
            context.reply.greeting = mail_trouble.greet(work, letter.sender, person)
        return context

    def _help(self, context: CommandContext) -> None:
        """Carry out HELP for a letter that asks for help in other words, after a welcome in the letter's language."""
        if lines := first_letters.welcome(context):
            context.begin().say("\n".join(lines[1:]), lines[0])
        _carry_out(context, {0: read_blocks(READER, [Line("HELP")])[0]})

    def _resume(self, context: CommandContext, confirmed: Registration) -> None:
        """Carry out the blocks of an earlier letter that waited until this letter confirmed its sender."""
        session = context.session
        row = session.get_one(LetterRow, confirmed["letter"])
        if row.state != "held":
            return
        earlier = self.read(row)
        _, blocks, redact = earlier.read(session)
        context.reply.redact = context.reply.redact.joined(redact)
        now = context.letter
        letter = replace(now, parsed=earlier.letter, row=row, by_reply=False, waited=True)
        _carry_out(replace(context, letter=letter), {number: blocks[number] for number in confirmed["blocks"]})
        now.person, now.standing = letter.person, letter.standing
        inbox.done(session, row, earlier.kept(session), now=context.work.now)

    def unread(self, session: Session, row: LetterRow, now: datetime) -> CommandContext:
        """Return a context for the letter that knows nothing about its writer."""
        work = Work(session, self._services, now, gathered=[], draws=self._services.draws(row.fingerprint))
        letter = OpenLetter(self.in_hand(row).letter, row, READER)
        return CommandContext(work, letter, Reply())

    def _with_token(self, work: Work, letter: Letter, blocks: Sequence[Block]) -> Sequence[Block]:
        """Return the blocks of the letter, where a token in its subject becomes the first command (CONFIRM).

        If the sender replies to the judge's email without writing anything, the token is only in the subject. An
        invalid token is ignored if the letter has other commands.
        """
        word, (lobby, *others) = _TOKEN.search(letter.subject), blocks
        written = [call.line for block in blocks for call in block.calls]
        if not word or any(word[1] in line for line in written):
            return blocks
        if credentials.valid(work, word[1]) or not (written or others):
            confirmed = read_blocks(READER, [Line(f"CONFIRM {word[1]}")])[0].items
            return [replace(lobby, items=[*confirmed, *lobby.items]), *others]
        return blocks


def fingerprint_of(letter: Fetched) -> str:
    """Return the fingerprint that identifies a letter."""
    return fingerprint(parse_letter(letter.raw))


def _why_ignored(letter: Letter) -> str:
    """Return why the letter is ignored, or "" if it is not.

    A letter is ignored if a machine wrote it, or if no email can reach its sender.
    """
    if letter.automatic:
        return letter.silent
    try:
        deliverable(letter.sender)
    except ValueError as unreachable:
        return str(unreachable)
    return ""


def _carry_out_all(context: CommandContext, blocks: Sequence[Block]) -> Sequence[Block]:
    """Carry out the letter, which may be a reply without a sign-on, and return its blocks."""
    if passwordless.may_be_reply(context):
        if passwordless.answer_press(context, blocks):
            return blocks
        blocks = _of_reply(context, blocks)
    blocks = _with_quoted_form(context, blocks)
    _carry_out(context, dict(enumerate(blocks)))
    return blocks


def _of_reply(context: CommandContext, blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the one block of a reply that needs no sign-on, or `blocks` for any other letter.

    If the judge does not accept a reply without a sign-on, the reason is noted in the letter.
    """
    letter = context.letter
    try:
        block = passwordless.block_of_reply(context, blocks)
    except CommandError as refusal:
        letter.note(str(refusal).rstrip("."))
        return blocks
    if not block:
        return blocks
    _redact_also(context, block)
    letter.by_reply = True
    return [block]


def _with_quoted_form(context: CommandContext, blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks. If the only sign-on is in a quoted form, append that form's block."""
    form = quoted_forms.block_of_form(context, blocks)
    if not form:
        return blocks
    _redact_also(context, form)
    return [*blocks, form]


def _redact_also(context: CommandContext, block: Block) -> None:
    given = redaction_of(context.letter.parsed, calls_in([block]), context.letter.games)
    context.reply.redact = context.reply.redact.joined(given)


def _carry_out(context: CommandContext, blocks: dict[int, Block]) -> None:
    """Carry out these blocks, which are given by their numbers in the letter."""
    for number, block in blocks.items():
        if block.opening:
            _sign_on(context.begin(), number, block, block.opening)
            continue
        # The report on the next sign-on mentions these lines, which are neither commands nor after a sign-on.
        context.letter.outside += block.outside
        # A command that is repeated before all sign-ons, such as a question, is carried out once.
        asked: dict[tuple[str, tuple[str, ...]], Call] = {}
        for call in block.calls:
            asked.setdefault((call.line.rstrip(" .;").upper(), call.body), call)
        for call in asked.values():
            _run(context.begin(), call)


def _sign_on(context: CommandContext, number: int, block: Block, opening: Call) -> None:
    """Carry out the block, or answer with the refusal if its sign-on is refused."""
    try:
        carry_out(context, opening)
    except CommandError as refusal:
        _refuse_block(_undone(context), number, block, opening, refusal)
        return
    if not context.signed_on:
        context.letter.outside += block.outside
        if block.items and not context.answer.idle:
            _keep_preference(context, block)
    elif signon.is_of_opponent(context):
        _played_by_opponent(context, number, block)
    else:
        for part in game_for_one.parts(context, block):
            play(context, part)
        passwordless.tell(context)


def _undone(context: CommandContext) -> CommandContext:
    """Remove the answer to the current block, and return a context with a new answer for the block."""
    context.reply.answers.pop()
    return context.begin()


def _refuse_block(context: CommandContext, number: int, block: Block, opening: Call, refusal: CommandError) -> None:
    """Answer a block whose sign-on was refused, or must wait for its sender's confirmation."""
    waits, signons = context.reply.confirmation, context.letter.signons
    if isinstance(refusal, AfterConfirmation):
        waits.deferred.append(number)
        opened = context.reply.redact(opening.line)
        if waits.newcomer:
            context.settle(f"{opened} and the lines after it will be read then.")
        else:
            what = " and the lines after it" * bool(block.items)
            context.settle(f"{opened}{what} will be read when you reply to this email.")
        return
    context.letter.outside += block.outside
    of_another = isinstance(refusal, SignonRefused) and bool(refusal.door.seat)
    signons.refused |= not of_another and opening.command.word not in _NO_SIGNON
    if isinstance(refusal, PasswordRefused):
        signons.doors.append(refusal.door)
        credentials.note_wrong(context.work, refusal.door, context.letter.sender)
    _refuse(context, opening, refusal)
    if block.items:
        lines = [item.text for item in block.items]
        context.answer.verdict += f" The lines after it were not read: {context.answer.some(lines)}."


def _keep_preference(context: CommandContext, block: Block) -> None:
    """Store the preferred powers of an applicant, and report the lines that were not read."""
    asked = context.application
    joins = asked is not None and asked.role == "player" and not asked.power
    calls = [call for call in block.calls if joins and call.command.handler is own_settings.set_preference]
    for context.call in calls:
        try:
            own_settings.set_preference(context, **context.call.given)
        except Refusal as mistake:
            _refuse(context, context.call, CommandError(str(mistake)))
    others = [item.text for item in block.items if item.call not in calls]
    if others:
        context.settle(f"You have not joined yet, so these lines were not read: {context.answer.some(others)}.")


def _played_by_opponent(context: CommandContext, number: int, block: Block) -> None:
    """Carry out the block of a player who signed on as another player, unless the block replaces orders on file.

    A block that replaces orders is undone. Its sender is asked whether they meant it, and the other player is notified.
    """
    here, letter, gathered = context.seat, context.letter, context.work.gathered
    assert gathered is not None
    game, phase, seat, answers = here.game, here.phase, here.row, context.reply.answers
    power = seat.power or ""
    told, answered, read, opened = len(gathered), len(answers), deepcopy(letter.orders), set(letter.opened)
    before = _kept(context.session, game, phase, power)
    with context.session.begin_nested() as attempt:
        play(context, block)
        if before <= _kept(context.session, game, phase, power):
            return
        attempt.rollback()
    del gathered[told:], answers[answered:]
    letter.orders, letter.opened = read, opened
    context = _undone(context)
    context.sign_on(game, phase, seat)
    context.answer.done = (
        f"Nothing was done for {power} in {game.name}, because this email would replace orders on file and does not "
        "come from an address of the player."
    )
    context.settle(f"{context.answer.done} To have this done, reply to this email.")
    # Only the copy to the other player has this sentence.
    context.answer.confirmed.append(
        "The sender has been asked. If you didn't know about this, send SET PASSWORD and a new password (after SIGNON)."
    )
    context.reply.confirmation.acts.append(f"{power} in {game.name}")
    context.reply.confirmation.deferred.append(number)


def _kept(session: Session, game: Game, phase: Phase | None, power: str) -> set[str]:
    """Return, as texts, the power's orders and bids on file for `phase`, and its lines for later phases."""
    if not phase:
        return set()
    book = FiledOrders(session, game, phase)
    ahead = deferred_orders.kept(session, game, power).items()
    later = {f"{name} {[line.text for line in lines]}" for name, lines in ahead}
    return {*map(repr, book.given(power)), *map(repr, book.bids.given(power)), *later}


def play(context: CommandContext, block: Block) -> None:
    """Carry out the lines after a sign-on, and report on all of them."""
    items = without_results(context, [*block.items, *subjects.ordering_subject(context)])
    written = (item.text for item in items if not item.call)
    context.seat.lines.gives_orders = any(kind_of(context.seat.variant, text) != "prose" for text in written)
    answers = context.reply.answers
    first = len(answers) - 1
    are_done = _carry_out_lines(context, items)
    quoted_forms.give_filled(context)
    _conclude(context)
    unread_lines.tell_unread(context, block.outside)
    subjects.tell_ordering_subject(context)
    for answer in answers[first:]:
        answer.put_first()
    if not are_done:
        # Put the answer that reports the refused BECOME first.
        answers.insert(first, answers.pop())


def _carry_out_lines(context: CommandContext, items: Sequence[Said]) -> bool:
    """Carry out the lines in turn, and file the orders above each command before the command runs.

    Returns False if a BECOME was refused, so that the lines after it were not carried out.
    """
    lines = []
    for number, item in enumerate(items, start=1):
        here = context.seat
        here.lines.heading = here.lines.heading and here.lines.heading.at(item.is_apart)
        may_head = item.may_order and not item.call and here.row.power
        heading = here.heading(item.text) if may_head else ""
        if is_left_out(context, item, heading):
            continue
        if item.may_order and not heading:
            lines.append(orders.with_power(here, item.text))
            continue
        call = item.call
        if call and not call.command.together:
            tell_borders(context)
        orders.give(context, lines)
        lines = []
        if heading:
            below_heading(context, item.text, heading)
        elif not call:
            unread_lines.give_doubtful(context, item.line)
        elif not _goes_on(context, call):
            _leave_undone(context, call, items[number:])
            return False
    orders.give(context, lines)
    return True


def _goes_on(context: CommandContext, call: Call) -> bool:
    """Carry out a command, and return False if the lines after it must not be carried out.

    The lines after a refused BECOME are meant for another seat.
    """
    if call.command.body is Body.SANDBOX and not call.ended:
        context.answer.foremost.insert(0, stopped(context, call))
        return True
    if call.command.becomes and context.seat.acting:
        _conclude(context)
        _act_no_more(context)
    if _run(context, call) or not call.command.becomes:
        return True
    return call.command.word != "BECOME" or context.seat.row.role != "master"


def _act_no_more(context: CommandContext) -> None:
    """Put a master who acts in another seat back into their own seat, and begin a new answer."""
    here = context.seat
    here.row, here.acting = here.signed_on, None
    here.lines = OrderLines(gives_orders=here.lines.gives_orders)
    context.reply.begin(here.game, here.phase)


def _conclude(context: CommandContext) -> None:
    """Carry out the work that must wait until all lines for a seat have been read, and write the report."""
    tell_borders(context)
    tell_ejected(context)
    tell_changes(context)
    joining.begin_game(context)
    own_settings.leave_at_end(context)
    confirmation.conclude(context)


def _leave_undone(context: CommandContext, become: Call, items: Sequence[Said]) -> None:
    """Refuse all lines after a refused BECOME, since they are meant for another seat."""
    shown = context.reply.redact(become.line)
    context.answer.foremost.append(f"Nothing after {shown} was done, because that line was refused.")
    refusal = CommandError("not done, because the BECOME above it was refused.")
    for item in items:
        if item.call:
            _refuse(context, item.call, refusal)
        elif kind_of(context.seat.variant, item.text) != "prose":
            context.remark(str(refusal), "error", item.text)


def _run(context: CommandContext, call: Call) -> bool:
    """Carry out the command, and return False if it was refused.

    Texts that would make the reply too long are dropped.
    """
    said = len(context.answer.texts)
    try:
        carry_out(context, call)
    except CommandError as refusal:
        _refuse(context, call, refusal)
        return False
    texts = context.answer.texts[said:]
    added = sum(len(text.encode()) for text in texts)
    told = sum(len(text.encode()) for answer in context.reply.answers for text in answer.texts)
    room = MOST_TEXT - told + added
    if added <= room:
        return True
    del context.answer.texts[said:]
    if room < MOST_TEXT:
        context.remark("not answered, because this reply is full. Send it again in another email.")
        return True
    whole = "\n\n".join(texts).encode()[:MOST_TEXT].decode(errors="ignore").rpartition("\n")[0]
    context.say(whole)
    context.remark("the answer was too long for an email, so its end was left out. Ask for part of it.")
    return True


def _refuse(context: CommandContext, call: Call, refusal: CommandError) -> None:
    answer = context.answer
    context.remark(str(refusal), "error", call.line)
    if isinstance(refusal, MaybeSentence):
        answer.undone.append(call.line)
    if call.command.body is Body.PRESS:
        answer.unsent.append(call.line)
        answer.swallowed = answer.swallowed or not call.ended and bool(call.body or call.older)
        answer.why_unsent += [refusal.why] if isinstance(refusal, EndMissing) else []
    if call.command.body is Body.CONDITION and call.body:
        answer.unfiled.setdefault(call.line, "")
    if not context.signed_on:
        answer.verdict = f"{context.reply.redact(call.line)} was refused."
