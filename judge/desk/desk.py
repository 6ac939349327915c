"""The desk: a letter in, its commands carried out in order, one reply out, all in the caller's transaction.

A sign-on that changes anything is done whole or not at all; the other blocks of the letter count all the same.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from judge.desk.command_table import COMMANDS, SLIPS
from judge.desk.core.changes import tell_changes
from judge.desk.core.command import Call, Command
from judge.desk.core.permissions import carry_out
from judge.desk.core.reading import MOST_COMMANDS, Block, Reader
from judge.desk.core.visit import (
    AfterConfirmation,
    Answer,
    CommandError,
    PasswordRefused,
    Remark,
    Visit,
    without_passwords,
)
from judge.desk.people import signon
from judge.desk.people.confirming import ask_to_confirm
from judge.desk.people.register import CONFIRM
from judge.desk.play import orders
from judge.games.core.board import variant_of
from judge.games.core.office import Office
from judge.games.people import tokens, wrong_passwords
from judge.letters import Letter, Line, mask_passwords, read_letter
from judge.mails.compose import deliverable
from judge.rules import looks_like_order
from judge.store import inbox
from judge.store.lookups import mails_since, person_at, played_by, seats_of
from judge.store.states import MailKind
from judge.store.tables import LetterRow, Person

# To strangers; more often would make the judge a tool for mailing others under a forged address.
_ONE_HINT_AN_HOUR = timedelta(hours=1)
# To somebody known in that time: an absence note that does not say what it is must not go on for ever.
MOST_HINTS = 10
# How a mail of ours bears a token in its subject.
_TOKEN = re.compile(r" ?\(?CONFIRM ([a-z0-9]{12})\b\)?", re.IGNORECASE | re.ASCII)
# In a reply; what commands tell is kept to MOST_TEXT before, and says what is left out.
MOST_BYTES = 100_000


class Desk:
    """Handles letters for one office."""

    def __init__(self, office: Office):
        self._office = office
        self._reader = Reader((*COMMANDS, *SLIPS))

    def read(self, row: LetterRow) -> Letter:
        """The stored letter, as this judge reads it; its subject, which replies repeat, without passwords."""
        letter = self._read(row)
        return replace(letter, subject=without_passwords(letter.subject))

    def _read(self, row: LetterRow) -> Letter:
        settings = self._office.settings
        return read_letter(
            row.raw,
            own_addresses=frozenset({settings.address}),
            authserv_id=settings.mailbox.authserv_id,
            max_lines=settings.mailbox.max_lines,
            cut=row.cut,
        )

    def attend(self, session: Session, row: LetterRow, now: datetime) -> str:
        """Carry out what the letter asks and mail the reply; returns a line for the log. May raise SlowWork."""
        letter = self._read(row)
        silent = letter.silent or _unreachable(letter)
        held, verdict = False, f"ignored: {silent}"
        if not silent:
            visit = self._answer(session, row, letter, now)
            held = bool(visit.deferred)
            verdict = " ".join(answer.verdict for answer in visit.answers) or "no command found"
        inbox.done(
            session,
            row,
            row.raw if held else mask_passwords(row.raw),
            now=now,
            state="ignored" if silent else "held" if held else "done",
            sender=letter.sender,
            subject=without_passwords(letter.subject),
        )
        return f"from={letter.sender or '?'}: {verdict}"

    def forget_unconfirmed(self, session: Session, now: datetime) -> None:
        """What waits in letters for a confirmation that comes too late is never done, and their passwords go."""
        for row in inbox.held_before(session, now - tokens.LIFE):
            inbox.done(session, row, mask_passwords(row.raw), now=now, sender=row.sender, subject=row.subject)

    def _answer(self, session: Session, row: LetterRow, letter: Letter, now: datetime) -> Visit:
        # A sender that our mail server found forged has no rights by address; a password still counts.
        person = None if letter.verified is False else person_at(session, letter.sender)
        blocks, all_read = _within_measure(self._blocks(session, letter, now))
        if not all_read:
            letter = replace(letter, notes=(*letter.notes, f"only the first {MOST_COMMANDS} commands were read"))
        letter = replace(letter, subject=without_passwords(_TOKEN.sub("", letter.subject)))
        visit = self.visit(session, row, letter, person, now)
        for number, block in enumerate(blocks):
            self._block(visit, number, block)
        for data in visit.confirmed:
            self._resume(visit, data)
        ask_to_confirm(visit)
        visit.answers = [answer for answer in visit.answers if not answer.idle] or visit.answers[:1]
        if visit.answers:
            _reply(visit)
        elif mails_since(session, letter.sender, "hint", now - _ONE_HINT_AN_HOUR) < (MOST_HINTS if visit.person else 1):
            _hint(visit)
        return visit

    def _resume(self, visit: Visit, data: dict[str, Any]) -> None:
        """Carry out what waited in an earlier letter for its sender to confirm who they are."""
        row = visit.session.get_one(LetterRow, data["letter"])
        if row.state != "held":
            return
        earlier = self._read(row)
        blocks, _ = _within_measure(self._blocks(visit.session, earlier, visit.now))
        own = visit.letter, visit.row
        visit.letter, visit.row = earlier, row
        for number in data["blocks"]:
            self._block(visit, number, blocks[number])
        visit.letter, visit.row = own
        masked = mask_passwords(row.raw)
        inbox.done(visit.session, row, masked, now=visit.now, sender=row.sender, subject=row.subject)

    def visit(self, session: Session, row: LetterRow, letter: Letter, person: Person | None, now: datetime) -> Visit:
        """The beginning of what `person` asks in `letter`."""
        return Visit(session, self._office, letter, row, person, now, COMMANDS)

    def blocks(self, lines: Sequence[Line]) -> list[Block]:
        """The blocks that `lines` are cut into."""
        return self._reader.blocks(lines)

    def _blocks(self, session: Session, letter: Letter, now: datetime) -> list[Block]:
        # A letter may be a subject and no text: an unsubscribe button writes such ones, and so do newcomers.
        empty = not any(line.text.strip() for line in letter.lines if line.kind == "text")
        blocks = self._reader.blocks([Line(letter.subject)] if empty else letter.lines)
        # Who sends a mail of ours back as it is has the token in the subject, and above the quoted text whatever
        # people write there. One that is used up is only spoken of where there is nothing else to answer.
        word = _TOKEN.search(letter.subject)
        written = [item.line for block in blocks for item in block.items if isinstance(item, Call)]
        if not word or any(word[1] in line for line in written):
            return blocks
        if tokens.valid(session, self._office, word[1], now) or not (written or blocks[1:]):
            blocks[0].items[:0] = self._reader.blocks([Line(f"CONFIRM {word[1]}")])[0].items
        return blocks

    def _block(self, visit: Visit, number: int, block: Block) -> None:
        if block.opening is None:
            # The lines that are no commands are read below a sign-on only.
            for call in _each_once(block):
                visit.begin()
                _run(visit, call)
            return
        visit.begin()
        try:
            carry_out(visit, block.opening)
        except AfterConfirmation:
            visit.begin_again()
            visit.deferred.append(number)
            visit.answer.settle(f"{block.opening.shown} waits for that, with what stands below it.")
            return
        except CommandError as refusal:
            visit.begin_again()
            if isinstance(refusal, PasswordRefused):
                wrong_passwords.note(visit.session, visit.office, refusal.door, visit.letter.sender, visit.now)
            _refuse(visit, block.opening, refusal)
            return
        if visit.seat:
            play(visit, block)
        elif block.items and not visit.answer.idle:
            visit.answer.settle("What stands below that line was not read, since you have no seat yet.")


def _within_measure(blocks: list[Block]) -> tuple[list[Block], bool]:
    """The blocks as far as their first MOST_COMMANDS commands reach, and whether that is all of them."""
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
    """The commands of the lobby; what is asked twice in a letter is answered once."""
    asked: dict[tuple[str, tuple[str, ...]], Call] = {}
    for item in block.items:
        if isinstance(item, Call):
            asked.setdefault((item.line.rstrip(" .;").upper(), item.body), item)
    return list(asked.values())


def _unreachable(letter: Letter) -> str:
    """Why no mail can be sent to who wrote this; "" when it can."""
    try:
        deliverable(letter.sender)
    except ValueError as error:
        return str(error)
    return ""


def play(visit: Visit, block: Block) -> None:
    """What stands below a sign-on: orders are filed before the command that follows them is run."""
    lines: list[str] = []
    for item in block.items:
        if isinstance(item, str):
            lines.append(item)
        elif isinstance(item.command, Command) and item.command.is_order:
            lines.append(item.line)
        else:
            orders.give(visit, lines)
            lines = []
            _run(visit, item)
    orders.give(visit, lines)
    tell_changes(visit)
    signon.begin_game(visit)
    orders.conclude(visit)
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
    visit.answer.remarks.append(Remark("error", call.shown, str(refusal)))
    if not visit.seat:
        visit.answer.verdict = f"{call.shown} was refused."


def _reply(visit: Visit) -> None:
    """One mail for the letter; and where somebody else signed on, the player of record gets what concerns the seat."""
    back = visit.letter.reply_to if visit.may_answer_to(visit.letter.reply_to) else visit.letter.sender
    answer_to(visit, back, visit.answers)
    for address in sorted({answer.copy_to for answer in visit.answers} - {"", back}):
        copied = [answer for answer in visit.answers if answer.copy_to == address]
        mine = visit.may_answer_to(address)
        if told := [answer for answer in copied if mine or not answer.hides_people]:
            answer_to(visit, address, told)
        for answer in copied:
            if answer.hides_people and not mine:
                _copy_without_sender(visit, answer)


def answer_to(visit: Visit, address: str, answers: list[Answer]) -> None:
    """Mail these answers to the letter to `address`."""
    letter = visit.letter
    kind: MailKind = "reply"
    if visit.token and answers is visit.answers:
        kind = CONFIRM if visit.newcomer else "reply"
        # Not in an encoded subject, where it could not be masked.
        own = letter.subject if letter.subject.isascii() else ""
        letter = replace(letter, subject=f"{own} (CONFIRM {visit.token})".strip())
    notes = [f"{note[:1].upper()}{note[1:]}" for note in letter.notes]
    if any(answer.copy_to for answer in answers):
        notes.append(f"This answers a letter from {letter.sender}, with a copy to the address the seat belongs to")
    about = next((answer for answer in reversed(answers) if answer.game), Answer())
    warning = _warning(visit, answers, address)
    body = visit.office.post.render("reply", visit.home_zone, answers=answers, notes=notes, warning=warning)
    visit.office.post.reply(
        visit.session,
        to=address,
        kind=kind,
        letter=letter,
        letter_id=visit.row.id,
        body=_cut_to_size(body),
        now=visit.now,
        game=about.game,
        phase=about.phase,
        secret=" ".join(filter(None, (visit.secret, visit.token))) or None,
        picture_id=next((answer.picture_id for answer in answers if answer.picture_id), None),
    )


def _cut_to_size(body: str) -> str:
    """The body of a reply; of one that is longer than any answer its beginning, up to the end of a line."""
    if len(body.encode()) <= MOST_BYTES:
        return body
    whole = body.encode()[:MOST_BYTES].decode(errors="ignore").rpartition("\n")[0]
    return f"{whole}\n\nThis reply was too long: its end is left out. Ask for less in one letter.\n"


def _warning(visit: Visit, answers: Sequence[Answer], reader: str) -> str:
    """What comes before all else in a mail to `reader` about a sign-on that our mail server found forged.

    Without a reader: to somebody who may not be told who wrote the letter.
    """
    if visit.letter.verified is not False or not any(answer.copy_to for answer in answers):
        return ""
    if reader == visit.letter.sender:
        return "Your mail provider's check failed: this letter is not from your address."
    sender = visit.letter.sender if reader else "whom it says"
    return f"A mail provider's check failed: this letter is not from {sender}."


def _copy_without_sender(visit: Visit, answer: Answer) -> None:
    """What was done for a seat of a gunboat game, to whoever holds it: no word of the letter, nothing of its writer."""
    game = answer.game
    assert game
    seats = seats_of(visit.session, game)
    by_master = any(seat.role == "master" and visit.person and seat.person_id == visit.person.id for seat in seats)
    who = "The master of the game" if by_master else "Somebody who does not write from an address of yours"
    note = f"{who} has signed on to your seat; this is what was done"
    done = replace(answer, remarks=[remark for remark in answer.remarks if remark.kind == "note"])
    visit.office.post.notice(
        visit.session,
        to=answer.copy_to,
        kind="reply",
        subject=f"{answer.phase.name} Done for You" if answer.phase else "Done for You",
        body=visit.office.post.render(
            "reply", visit.office.settings.zone, answers=[done], notes=[note], warning=_warning(visit, [answer], "")
        ),
        now=visit.now,
        game=game,
        phase=answer.phase,
        secret=visit.secret,
    )


def _hint(visit: Visit) -> None:
    """To a letter without any command: how to write one; and to orders without a sign-on, what is missing."""
    letter = visit.letter
    context = {"known": visit.person is not None, "signons": _missing_signons(visit), "notes": letter.notes}
    body = visit.office.post.render("hint", visit.zone, **context)
    visit.office.post.reply(
        visit.session, to=letter.sender, kind="hint", letter=letter, letter_id=visit.row.id, body=body, now=visit.now
    )


def _missing_signons(visit: Visit) -> list[str]:
    """If the letter holds orders: how its writer signs on to the games they play."""
    lines = [line.text for line in visit.letter.lines if line.kind == "text"]
    signons = []
    for seat, game in played_by(visit.session, visit.person) if visit.person else ():
        variant = variant_of(game)
        if any(looks_like_order(variant, line) for line in lines):
            signons.append(f"SIGNON {variant.seat_named[seat.power or ''].letter}{game.name}")
    return signons
