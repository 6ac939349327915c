"""The desk: a letter in, its commands carried out in order, one reply out, all in the caller's transaction.

Each sign-on block is a savepoint: what a refused block had begun is undone, the other blocks count.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from judge.desk import orders, signon
from judge.desk.reading import Block, Reader
from judge.desk.table import COMMANDS, MISWRITTEN, NOT_FILLED_IN
from judge.desk.visit import Answer, Call, CommandError, Remark, Visit, without_passwords
from judge.games.office import Office
from judge.letters import Letter, Line, mask_passwords, read_letter
from judge.mails.compose import deliverable
from judge.rules import load_variant, looks_like_order
from judge.store import inbox
from judge.store.lookups import mails_since, person_at, played_by
from judge.store.tables import LetterRow

# To strangers; more often would make the judge a tool for mailing others under a forged address.
_ONE_HINT_AN_HOUR = timedelta(hours=1)
# To somebody known in that time: an absence note that does not say what it is must not go on for ever.
MOST_HINTS = 10
# More than anybody needs in one letter; what stands below the last of them is not read.
MOST_COMMANDS = 100


class Desk:
    """Handles letters for one office."""

    def __init__(self, office: Office):
        self._office = office
        self._reader = Reader((*NOT_FILLED_IN, *COMMANDS, *MISWRITTEN))

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
        blocks = self._blocks(letter)
        letter = replace(letter, subject=without_passwords(letter.subject))
        silent = letter.silent or _unreachable(letter)
        verdict = f"ignored: {silent}" if silent else self._answer(session, row, letter, blocks, now)
        inbox.done(
            session,
            row,
            mask_passwords(row.raw),
            now=now,
            state="ignored" if silent else "done",
            sender=letter.sender,
            subject=letter.subject,
        )
        return f"from={letter.sender or '?'}: {verdict}"

    def _answer(
        self, session: Session, row: LetterRow, letter: Letter, blocks: list[Block], now: datetime
    ) -> str:
        # A sender that our mail server found forged has no rights by address; a password still counts.
        person = None if letter.verified is False else person_at(session, letter.sender)
        visit = Visit(session, self._office, letter, row, person, now, COMMANDS)
        blocks, all_read = _within_measure(blocks)
        if not all_read:
            visit.letter = replace(letter, notes=(*letter.notes, f"only the first {MOST_COMMANDS} commands were read"))
        for block in blocks:
            self._block(visit, block)
        visit.answers = [answer for answer in visit.answers if not answer.idle] or visit.answers[:1]
        if visit.answers:
            _reply(visit)
        elif mails_since(session, letter.sender, "hint", now - _ONE_HINT_AN_HOUR) < (MOST_HINTS if visit.person else 1):
            _hint(visit)
        return " ".join(answer.verdict for answer in visit.answers) or "no command found"

    def _blocks(self, letter: Letter) -> list[Block]:
        # A letter may be a subject and no text: an unsubscribe button writes such ones, and so do newcomers.
        empty = not any(line.text.strip() for line in letter.lines if line.kind == "text")
        return self._reader.blocks([Line(letter.subject)] if empty else letter.lines)

    def _block(self, visit: Visit, block: Block) -> None:
        if block.opening is None:
            for call in block.items:
                visit.begin()
                _run(visit, call)
            return
        visit.begin()
        savepoint = visit.session.begin_nested()
        try:
            block.opening.command.handler(visit, block.opening)
        except CommandError as refusal:
            savepoint.rollback()
            visit.begin_again()
            _refuse(visit, block.opening, refusal)
            return
        if visit.seat:
            _play(visit, block)
        savepoint.commit()


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


def _unreachable(letter: Letter) -> str:
    """Why no mail can be sent to who wrote this; "" when it can."""
    try:
        deliverable(letter.sender)
    except ValueError as error:
        return str(error)
    return ""


def _play(visit: Visit, block: Block) -> None:
    """What stands below a sign-on: orders are filed before the command that follows them is run."""
    lines: list[str] = []
    for item in block.items:
        if isinstance(item, str):
            lines.append(item)
        else:
            orders.give(visit, lines)
            lines = []
            _run(visit, item)
    orders.give(visit, lines)
    signon.begin_game(visit)
    orders.conclude(visit)


def _run(visit: Visit, call: Call) -> None:
    try:
        call.command.handler(visit, call)
    except CommandError as refusal:
        _refuse(visit, call, refusal)


def _refuse(visit: Visit, call: Call, refusal: CommandError) -> None:
    visit.answer.remarks.append(Remark("error", call.shown, str(refusal)))
    if not visit.seat:
        visit.answer.verdict = f"{call.shown} was refused."


def _reply(visit: Visit) -> None:
    """One mail for the letter; and where somebody else signed on, the player of record gets what concerns the seat."""
    back = visit.letter.reply_to if visit.may_answer_to(visit.letter.reply_to) else visit.letter.sender
    _answer_to(visit, back, visit.answers)
    for address in sorted({answer.copy_to for answer in visit.answers} - {"", back}):
        _answer_to(visit, address, [answer for answer in visit.answers if answer.copy_to == address])


def _answer_to(visit: Visit, address: str, answers: list[Answer]) -> None:
    letter = visit.letter
    notes = [f"{note[:1].upper()}{note[1:]}" for note in letter.notes]
    if any(answer.copy_to for answer in answers):
        notes.append(f"This answers a letter from {letter.sender}, with a copy to the address the seat belongs to")
    about = next((answer for answer in reversed(answers) if answer.game), Answer())
    visit.office.post.reply(
        visit.session,
        to=address,
        kind="reply",
        letter=letter,
        letter_id=visit.row.id,
        body=visit.office.post.render("reply", visit.zone, answers=answers, notes=notes),
        now=visit.now,
        game=about.game,
        phase=about.phase,
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
        variant = load_variant(game.variant)
        if any(looks_like_order(variant, line) for line in lines):
            signons.append(f"SIGNON {variant.power(seat.power or '').letter}{game.name}")
    return signons
