"""The desk: a letter in, its commands carried out in order, one reply out, all in the caller's transaction.

A sign-on that changes anything is carried out completely or not at all; other blocks of the letter count all the same.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial

from sqlmodel import Session

from judge.desk.command_table import COMMANDS, SLIPS
from judge.desk.core import proofs
from judge.desk.core.answer import Answer, Remark
from judge.desk.core.changes import tell_borders, tell_changes, tell_ejected
from judge.desk.core.command import Body, Call, Command
from judge.desk.core.letters_in_hand import InHand, LettersInHand
from judge.desk.core.permissions import carry_out
from judge.desk.core.reading import MOST_COMMANDS, Block, Reader, calls_in
from judge.desk.core.redaction import Redaction, redaction_of
from judge.desk.core.refusals import AfterConfirmation, CommandError, MaybeSentence, PasswordRefused, SignonRefused
from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Visitor
from judge.desk.people import own_seat, passwordless, replays, signon
from judge.desk.people.answered_press import answer_press
from judge.desk.people.by_reply import block_of_reply, tell_doubtful
from judge.desk.people.confirming import ask_to_confirm
from judge.desk.people.register import CONFIRM
from judge.desk.play import orders
from judge.desk.play.obstacles import obstacles, units_fit
from judge.desk.play.orders_ahead import below_heading
from judge.desk.play.unread_orders import give_doubtful, tell_unread
from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.core.turn import Turn
from judge.games.orders.bid_lines import is_order_line
from judge.games.people import allowance, bounces, tokens, wrong_passwords
from judge.games.people.allowance import About
from judge.letters import Letter, Line, attached_texts
from judge.letters.quotes import Doubtful
from judge.mails.compose import deliverable
from judge.mails.pages import page_of
from judge.mails.post import Notice, Reply
from judge.rules.order_texts.phase_headings import phase_heading
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
# Commands whose answers have a budget of their own (judge/games/people/allowance.py).
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


class Desk:
    """Handles letters for one office."""

    def __init__(self, office: Office):
        self._office = office
        self._reader = _reader()
        self._letters = LettersInHand(office, self._reader)

    def take(self, letter: inbox.Fetched) -> str:
        """A letter has come: keep it parsed until it is answered; returns its fingerprint."""
        return self._letters.take(letter)

    def in_hand(self, row: LetterRow) -> InHand:
        """The stored letter, as this judge reads it."""
        return self._letters.of(row)

    def forget(self, letter_ids: Sequence[int | None]) -> None:
        """Drop these letters: they are answered and the transaction is committed, or they are put aside."""
        self._letters.forget(letter_ids)
        self._office.passwords.forget_hashed(letter_ids)

    def attend(self, session: Session, row: LetterRow, now: datetime) -> str:
        """Carry out what the letter asks and mail the reply; returns a line for the log. May raise SlowWork."""
        in_hand = self.in_hand(row)
        letter, visitor = in_hand.letter, None
        ignored = letter.silent if letter.automatic else _unreachable(letter)
        if not ignored and not replays.came_before(session, letter):
            visitor = self._carried_out(session, row, in_hand, now)
            ignored = "" if visitor else letter.silent
        if visitor is None:
            return self._pass_over(session, row, in_hand, now, ignored)
        kept = kept_of(in_hand, visitor.redact)
        state: LetterState = "done"
        if replays.has_acted(visitor):
            writer = replays.writer_of(visitor)
            kept = replace(kept, sender=writer, message_id=letter.message_id, written_at=letter.date)
        if visitor.deferred:
            # What waits for its sender's confirmation is read again then.
            kept, state = replace(kept, raw=row.raw), "held"
        inbox.done(session, row, kept, now=now, state=state)
        verdict = _verdict(visitor) or "no command found"
        return f"from={letter.sender}: {verdict}{f' ({visitor.unanswered})' * bool(visitor.unanswered)}"

    def _pass_over(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime, ignored: str) -> str:
        """The letter does nothing: `ignored` says why, or it is a copy; returns a line for the log."""
        letter, kept = in_hand.letter, kept_of(in_hand, self.redaction(session, in_hand))
        report = bounces.take(Turn(session, self._office, now), in_hand.root, letter) if ignored else ""
        reason = ignored if not report and person_at(session, letter.sender) else ""
        inbox.done(session, row, kept, now=now, state="ignored" if ignored else "done", reason=reason)
        said = f"ignored: {ignored}" if ignored else "came before, so nothing was done"
        return f"from={letter.sender or '?'}: {report or said}"

    def forget_unconfirmed(self, session: Session, now: datetime) -> None:
        """Give up what waits in letters for a confirmation that now comes too late, and delete their passwords."""
        for row in inbox.held_before(session, now - tokens.LIFE):
            in_hand = self._letters.read(row)
            inbox.done(session, row, kept_of(in_hand, self.redaction(session, in_hand)), now=now)

    def redaction(self, session: Session, in_hand: InHand) -> Redaction:
        """What takes the passwords of the letter out of texts."""
        return in_hand.redaction(partial(self._read, session, in_hand), partial(games_among, session))

    def _carried_out(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime) -> Visitor | None:
        """Carry out and answer the letter; None if it came by a way that must not be answered, and does not sign on:
        then it has done nothing.
        """
        if not in_hand.letter.silent:
            return self._answer(session, row, in_hand, now)
        with session.begin_nested() as attempt:
            visitor = self._answer(session, row, in_hand, now)
            if visitor.has_signed_on:
                return visitor
            attempt.rollback()
        for door in visitor.doors:
            wrong_passwords.note(visitor.turn, door, in_hand.letter.sender)
        return None

    def _answer(self, session: Session, row: LetterRow, in_hand: InHand, now: datetime) -> Visitor:
        letter, redact = in_hand.letter, self.redaction(session, in_hand)
        turn = Turn(session, self._office, now)
        standing, person = proofs.standing(turn, letter)
        blocks, all_read = _within_measure(self._blocks(session, in_hand, now))
        if not all_read:
            letter = replace(letter, notes=(*letter.notes, f"only the first {MOST_COMMANDS} commands were read"))
        letter = replace(letter, subject=redact(_TOKEN.sub("", letter.subject)))
        visitor = self.visitor(session, row, letter, now, person)
        visitor.games, visitor.redact = games_among(session, in_hand.names), redact
        visitor.standing = standing
        visitor.registered = _is_registered(person)
        visitor.observes = person is not None and not visitor.registered and bool(observed_by(session, person))
        bounces.note_cited(visitor.turn, letter)
        forged = standing.proof is proofs.Proof.FORGED
        visitor.greeting = "" if forged else bounces.greet(visitor.turn, letter.sender, person)
        if not answer_press(visitor, blocks, self._reader):
            blocks = self._by_reply(visitor, blocks)
            _carry_out(visitor, letter, row, dict(enumerate(blocks)))
        for confirmed in visitor.confirmed:
            self._resume(visitor, in_hand, confirmed)
            if visitor.person:
                visitor.is_proved_to_be(id_of(visitor.person))
        ask_to_confirm(visitor)
        visitor.answers = [answer for answer in visitor.answers if not answer.idle] or visitor.answers[:1]
        visitor.about = _about(visitor, blocks)
        if visitor.answers:
            _reply(visitor)
        else:
            _hint(visitor, obstacles(in_hand.letter, self._reader, attached_texts(in_hand.root)))
        return visitor

    def _by_reply(self, visitor: Visitor, blocks: Sequence[Block]) -> Sequence[Block]:
        """The blocks of the letter; if it is a reply that needs no sign-on, the one block below it."""
        try:
            block = block_of_reply(visitor, blocks, partial(self.blocks, visitor.turn.session))
        except CommandError as refusal:
            notes = (*visitor.letter.notes, str(refusal).rstrip("."))
            visitor.letter = replace(visitor.letter, notes=notes)
            return blocks
        if not block:
            return blocks
        given = redaction_of(visitor.letter, calls_in([block]), partial(games_among, visitor.turn.session))
        visitor.redact = visitor.redact.joined(given)
        return _within_measure([block])[0]

    def _resume(self, visitor: Visitor, in_hand: InHand, confirmed: Registration) -> None:
        """Carry out what waited in an earlier letter, now that the letter in hand has confirmed who its sender is."""
        row = visitor.turn.session.get_one(LetterRow, confirmed["letter"])
        if row.state != "held":
            return
        earlier = in_hand.earlier(row)
        redact = self.redaction(visitor.turn.session, earlier)
        visitor.redact = visitor.redact.joined(redact)
        blocks, _ = _within_measure(self._blocks(visitor.turn.session, earlier, visitor.turn.now))
        _carry_out(visitor, earlier.letter, row, {number: blocks[number] for number in confirmed["blocks"]})
        inbox.done(visitor.turn.session, row, kept_of(earlier, redact), now=visitor.turn.now)

    def visitor(
        self, session: Session, row: LetterRow, letter: Letter, now: datetime, person: Person | None = None
    ) -> Visitor:
        """The sender of `letter`; `person`: the sender as a known person, None if unknown."""
        return Visitor(Turn(session, self._office, now), COMMANDS, letter, row, person)

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
        if tokens.valid(Turn(session, self._office, now), word[1]) or not (written or others):
            confirmed = self._reader.blocks([Line(f"CONFIRM {word[1]}")])[0].items
            return [Block(None, [*confirmed, *lobby.items]), *others]
        return blocks


def kept_of(in_hand: InHand, redact: Redaction) -> inbox.Masked:
    """What is kept of the letter when it is answered."""
    letter = in_hand.letter
    return inbox.Masked(in_hand.kept(redact), letter.sender, redact(letter.subject))


def _carry_out(visitor: Visitor, letter: Letter, row: LetterRow, blocks: dict[int, Block]) -> None:
    """Carry out these blocks of `letter`, {number: block}; each answer counts as soon as its block is done."""
    for number, block in blocks.items():
        if block.opening:
            visit = Visit(visitor, letter, row, by_reply=block.by_reply)
            visitor.answers += _signed_on(visit, number, block, block.opening).answers
            continue
        # Lines that are no commands are only read below a sign-on.
        for call in _each_once(block):
            visit = Visit(visitor, letter, row)
            _run(visit, call)
            visitor.answers += visit.answers


def _signed_on(visit: Visit, number: int, block: Block, opening: Call) -> Visit:
    """Carry out the block; if its sign-on is undone, return a fresh visit, since nothing of the first answer holds."""
    try:
        carry_out(visit, opening)
    except AfterConfirmation:
        visit = visit.afresh()
        visit.visitor.deferred.append(number)
        opened = visit.visitor.redact(opening.line)
        if visit.visitor.newcomer:
            visit.answer.settle(f"{opened} and the lines below it wait until then.")
        else:
            what = "and the lines below it wait" if block.items else "waits"
            visit.answer.settle(f"{opened} {what} until you send this mail back as it is.")
        return visit
    except CommandError as refusal:
        visit = visit.afresh()
        of_another = isinstance(refusal, SignonRefused) and bool(refusal.door.seat)
        visit.visitor.refused |= not of_another and opening.command.names[0] not in _NO_SIGNON
        if isinstance(refusal, PasswordRefused):
            visit.visitor.doors.append(refusal.door)
            wrong_passwords.note(visit.turn, refusal.door, visit.letter.sender)
        _refuse(visit, opening, refusal)
        if block.items and opening.command.names[0] == "CREATE":
            lines = [item.line if isinstance(item, Call) else str(item) for item in block.items]
            visit.answer.verdict += f" Not read, below it: {visit.answer.some(lines)}."
        return visit
    if visit.seat:
        play(visit, block)
        if visit.by_reply:
            tell_doubtful(visit)
        passwordless.tell(visit)
        replays.note(visit)
    elif block.items and not visit.answer.idle:
        visit.answer.settle("The lines below it were not read, because you have no seat yet.")
    return visit


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


def play(visit: Visit, block: Block) -> None:
    """Carry out what stands below a sign-on: orders are filed before the command that follows them runs."""
    lines: list[str] = []
    variant = variant_of(visit.the_game)
    visit.gives_orders = any(isinstance(item, str) and is_order_line(variant, item) for item in block.items)
    for item in block.items:
        if isinstance(item, Call) and not (isinstance(item.command, Command) and item.command.together):
            tell_borders(visit)
        if isinstance(item, Doubtful):
            orders.give(visit, lines)
            give_doubtful(visit, item)
            lines = []
        elif isinstance(item, str):
            heading = phase_heading(item, visit.phase.name) if visit.phase and visit.seat and visit.seat.power else ""
            if heading:
                orders.give(visit, lines)
                lines = []
                below_heading(visit, item, heading)
            else:
                lines.append(item)
        elif isinstance(item.command, Command) and item.command.is_order:
            lines.append(item.line)
        else:
            orders.give(visit, lines)
            lines = []
            _run(visit, item)
    orders.give(visit, lines)
    tell_borders(visit)
    tell_ejected(visit)
    tell_changes(visit)
    signon.begin_game(visit)
    own_seat.leave_at_end(visit)
    orders.conclude(visit)
    tell_unread(visit)
    for answer in visit.answers:
        answer.put_first()


def _run(visit: Visit, call: Call) -> None:
    try:
        said = len(visit.answer.texts)
        carry_out(visit, call)
        visit.fit_in(call, said)
    except CommandError as refusal:
        _refuse(visit, call, refusal)


def _refuse(visit: Visit, call: Call, refusal: CommandError) -> None:
    visit.answer.remarks.append(Remark("error", call.line, str(refusal)))
    if isinstance(refusal, MaybeSentence):
        visit.answer.undone.append(call.line)
    if call.command.body is Body.PRESS:
        visit.answer.unsent.append(call.line)
        visit.answer.swallowed = visit.answer.swallowed or not call.ended and bool(call.body)
    if call.command.body is Body.CONDITION and call.body:
        visit.answer.unfiled.append(call.line)
    if not visit.seat:
        visit.answer.verdict = f"{visit.visitor.redact(call.line)} was refused."


def _reply(visitor: Visitor) -> None:
    """One mail for the letter; if another sender signed on, the seat's player gets a copy of what concerns the seat.

    The sender of a letter that must not be answered may be a list: then it has only such copies.
    """
    back = visitor.letter.reply_to if visitor.may_be_answered_at(visitor.letter.reply_to) else visitor.letter.sender
    if visitor.has_proved_it or any(answer.copy_to == back for answer in visitor.answers):
        answer_to(visitor, back, visitor.answers)
    elif visitor.letter.silent:
        visitor.unanswered = "only the players are answered"
    elif is_forged_stranger(visitor.turn, visitor.letter) and not visitor.signed_on:
        visitor.unanswered = "forged, so not answered"
    elif allowance.admits(visitor.turn, visitor.reader(back)):
        answer_to(visitor, back, visitor.answers)
    else:
        _put_off(visitor, _written(visitor, back, visitor.answers))
    for address in sorted({answer.copy_to for answer in visitor.answers} - {"", back}):
        mine = visitor.may_be_answered_at(address)
        copied = [answer if mine else _done(answer) for answer in visitor.answers if answer.copy_to == address]
        if told := [answer for answer in copied if mine or not answer.hides_people]:
            answer_to(visitor, address, told)
        for answer in copied:
            if answer.hides_people and not mine:
                _copy_without_sender(visitor, answer)


def _about(visitor: Visitor, blocks: Sequence[Block]) -> About:
    """By which budget the answer is counted: what a player must hear is silenced by nothing else."""
    calls = [item for block in blocks for item in (block.opening, *block.items) if isinstance(item, Call)]
    names = {call.command.names[0] for call in calls}
    person = visitor.person or person_at(visitor.turn.session, visitor.letter.sender)
    if person and (visitor.refused or names & _NEEDED) and has_seat(visitor.turn.session, person):
        return "needed"
    return "joining" if names & _JOINING else "other"


def _put_off(visitor: Visitor, reply: Reply) -> None:
    """The answer comes later, since there have been too many."""
    reply = replace(reply, letter=visitor.letter)
    if visitor.token:
        # A token in a mail with other answers could not be sent back with the mail, and may be too old then.
        reply = replace(reply, body=_NOT_ASKED, secret=visitor.secret)
    until = allowance.put_off(visitor.turn, visitor.reader(reply.to), reply, _verdict(visitor))
    visitor.unanswered = f"answered after {until:%Y-%m-%d %H:%M} UTC"


def is_forged_stranger(turn: Turn, letter: Letter) -> bool:
    """Whether our mail server found the letter forged, and nobody is registered at its sender's address.

    A mail to that address would reach a person who has nothing to do with this judge, or tell a forger something.
    """
    return letter.verified is False and not _is_registered(person_at(turn.session, letter.sender))


def _is_registered(person: Person | None) -> bool:
    return person is not None and person.registered_at is not None


def _verdict(visitor: Visitor) -> str:
    return " ".join(answer.verdict for answer in visitor.answers)


def answer_to(visitor: Visitor, address: str, answers: list[Answer]) -> None:
    """Mail these answers to the letter to `address`."""
    visitor.turn.mail(_written(visitor, address, answers))


def _written(visitor: Visitor, address: str, answers: list[Answer]) -> Reply:
    """These answers to the letter, as a mail to `address`."""
    letter = visitor.letter
    kind: MailKind = "reply"
    if visitor.token and answers is visitor.answers:
        kind = CONFIRM if visitor.newcomer or visitor.deferred else "reply"
        # Not in an encoded subject, where a password could not be masked.
        own = letter.subject if letter.subject.isascii() else ""
        letter = replace(letter, subject=f"{own} (CONFIRM {visitor.token})".strip())
    notes = [f"{note[:1].upper()}{note[1:]}" for note in letter.notes]
    if copied := {answer.copy_to for answer in answers} - {""}:
        held = bounces.are_held(visitor.turn, copied)
        notes.append(f"This answers a letter from {letter.sender}, and {_NO_COPY if held else _COPY}")
    about = next((answer for answer in reversed(answers) if answer.game), Answer())
    warning = _warning(visitor, answers, address)
    if answers is visitor.answers:
        warning = " ".join(filter(None, (visitor.greeting, warning)))
    html = visitor.person is None or visitor.person.html
    context = {"answers": answers, "notes": notes, "warning": warning}
    body = visitor.turn.office.post.written("reply", visitor.zone, visitor.turn.now, context, html=html)
    cut = _cut_to_size(body)
    return Reply(
        to=address,
        kind=kind,
        letter=letter,
        letter_id=visitor.row.id,
        body=cut,
        page=page_of(cut),
        plain=not html,
        game=about.game,
        phase=about.phase,
        secret=" ".join(filter(None, (visitor.secret, visitor.token))) or None,
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


def _warning(visitor: Visitor, answers: Sequence[Answer], reader: str) -> str:
    """The beginning of a mail to `reader` about a sign-on in a letter that our mail server found forged.

    `reader` is "" for a player who may not be told who wrote the letter.
    """
    if visitor.letter.verified is not False or not any(answer.copy_to for answer in answers):
        return ""
    if reader == visitor.letter.sender:
        return "Your mail provider's check failed: this letter is not from your address."
    sender = visitor.letter.sender if reader else "whom it says"
    return f"A mail provider's check failed: this letter is not from {sender}."


def _done(answer: Answer) -> Answer:
    """What was done for a seat, for its holder: without the answers to questions, which are for the person who asked.

    They may tell of other games, and of what only the sender may know.
    """
    return replace(answer, texts=answer.confirmed, picture_id=None, due=None, data=None)


def _copy_without_sender(visitor: Visitor, answer: Answer) -> None:
    """Tell the holder of a seat in a gunboat game what was done for it, without the letter's text or its sender."""
    game = answer.game
    assert game
    seats = seats_of(visitor.turn.session, game)
    by_master = any(seat.role == "master" and visitor.person and seat.person_id == visitor.person.id for seat in seats)
    who = "The master of the game" if by_master else "Somebody who writes from an address that is not yours"
    note = f"{who} has signed on to your seat; this is what was done"
    done = replace(answer, remarks=[remark for remark in answer.remarks if remark.kind == "note"])
    office = visitor.turn.office
    notice = Notice(
        to=answer.copy_to,
        kind="reply",
        subject=f"{answer.phase.name} Done for You" if answer.phase else "Done for You",
        body=office.post.render(
            "reply", office.settings.zone, answers=[done], notes=[note], warning=_warning(visitor, [answer], "")
        ),
        game=game,
        phase=answer.phase,
        secret=visitor.secret,
    )
    visitor.turn.mail(notice)


def _may_hint(visitor: Visitor) -> bool:
    """Whether a letter without any command is answered: seldom, since nothing is lost if it is not."""
    turn, letter = visitor.turn, visitor.letter
    most = MOST_HINTS if visitor.person else 1
    said = mails_since(turn.session, letter.sender, "hint", turn.now - _ONE_HINT_AN_HOUR)
    return said < most and allowance.admits(turn, visitor.reader(letter.sender))


def _hint(visitor: Visitor, found: Iterable[str]) -> None:
    """Answer a letter without any command: how to write one, or, for orders without a sign-on, what is missing. That a
    player must hear.

    `found`: what keeps the sign-on of the letter from being read.
    """
    letter, signons = visitor.letter, _missing_signons(visitor)
    if signons:
        visitor.about = "needed"
    visitor.unanswered = "not answered"
    if is_forged_stranger(visitor.turn, letter) or not (signons or _may_hint(visitor)):
        return
    notes = (*filter(None, [visitor.greeting.rstrip(".")]), *letter.notes, *found)
    context = {"known": visitor.person is not None, "signons": signons, "notes": notes}
    body = visitor.turn.office.post.render("hint", visitor.zone, **context)
    reply = Reply(to=letter.sender, kind="hint", letter=letter, letter_id=visitor.row.id, body=body)
    if not signons or allowance.admits(visitor.turn, visitor.reader(letter.sender)):
        visitor.unanswered = ""
        visitor.turn.mail(reply)
    else:
        _put_off(visitor, reply)


def _missing_signons(visitor: Visitor) -> list[str]:
    """If the letter holds orders: how its sender signs on to the games they play."""
    lines = [line.text for line in visitor.letter.lines if line.kind == "text"]
    signons = []
    for seat, game in played_by(visitor.turn.session, visitor.person) if visitor.person else ():
        variant = variant_of(game)
        if units_fit(visitor.turn.session, game, seat, lines):
            signon = f"SIGNON {variant.seat_named[seat.power or ''].at(game.name)}"
            signons.append(signon if passwordless.suffices(visitor, game, seat) else f"{signon} <password>")
    return signons
