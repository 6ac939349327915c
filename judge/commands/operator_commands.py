"""Carry out commands of the keeper, who acts in place of a game's master.

The commands have the same effect as after a master's SIGNON, and the same people are notified. All players are also
notified that the keeper has acted. The lines are stored as a separate letter, for appeals. The keeper has no seat in
the database, so the settings of a seat (password, absence, WAIT) cannot be changed.
"""

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import make_msgid

from sqlmodel import Session

from judge.commands.core.blocks import calls_in
from judge.commands.core.command import Command, CommandError, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.handling import blocks_of
from judge.commands.core.redaction import redaction_of
from judge.commands.handler import LetterHandler, fingerprint_of, play
from judge.commands.master.run import make_master
from judge.commands.replies import copy_to_holders
from judge.games.core.work import Services
from judge.games.life import forming
from judge.games.life.applications import Entrant
from judge.games.notifications import notices
from judge.letters import Line
from judge.letters.imap import Fetched
from judge.store import inbox
from judge.store.games import game_and_phase, games_among
from judge.store.people import person_at
from judge.store.seats import has_master, seats_in
from judge.store.tables import Event, LetterRow, Seat

# Commands of masters that change nothing, and of which players are not notified.
_QUESTIONS = {"PREDICT"}


def keep_slip(session: Session, services: Services, text: str, now: datetime) -> int:
    """Store the keeper's lines as a letter that only `stand_in` handles, and return the letter's number."""
    message = EmailMessage()
    message["From"] = services.settings.keeper
    message["To"] = services.settings.address
    message["Subject"] = "From the keeper"
    message["Message-ID"] = make_msgid(domain=services.settings.domain)
    message.set_content(text)
    slip = Fetched(0, 0, now, message.as_bytes())
    (letter_id,) = inbox.keep(session, [slip], fingerprint_of, now=now)
    inbox.done(session, session.get_one(LetterRow, letter_id), inbox.Masked(slip.raw), now=now, state="held")
    return letter_id


def drop_slip(session: Session, handler: LetterHandler, letter_id: int, now: datetime) -> None:
    """Mark the letter with the keeper's lines as ignored, because no line could be carried out."""
    row = session.get_one(LetterRow, letter_id)
    inbox.done(session, row, handler.in_hand(row).kept(session), now=now, state="ignored")


def stand_in(session: Session, handler: LetterHandler, name: str, letter_id: int, now: datetime) -> CommandContext:
    """Sign the keeper on as a master of the game called `name`, by the letter with the keeper's lines.

    Raises CommandError if there is no such game.
    """
    found = game_and_phase(session, name)
    if not found:
        raise CommandError(f"There is no game {name}.")
    context = handler.unread(session, session.get_one(LetterRow, letter_id), now).begin()
    context.letter.by_keeper = True
    keeper = context.work.settings.keeper
    seat = Seat(game_id=found[0].key, person_id=0, role="master", address=keeper, password="", joined_at=now)
    context.sign_on(*found, seat)
    context.answer.copy_to = ""
    return context


def do_lines(context: CommandContext, handler: LetterHandler) -> tuple[str, bool]:
    """Carry out the keeper's lines, and return the answer, and whether all lines were carried out.

    Raises CommandError if the lines sign on to a second game, and SlowWork if a password must be hashed first.
    """
    signon, reply = Line(f"SIGNON M{context.seat.game.name} keeper"), context.reply
    blocks = blocks_of(context, [signon, *context.letter.parsed.lines])
    games = frozenset(games_among(context.session, context.letter.reader.names_in(context.letter.parsed.lines)))
    context.answer.redact = reply.redact = redaction_of(context.letter.parsed, calls_in(blocks), games)
    if len(blocks) > 2:
        raise CommandError("One game at a time: there is another SIGNON in these lines.")
    play(context, blocks[1])
    refused = {remark.line for answer in reply.answers for remark in answer.errors}
    done = dict.fromkeys(
        call.command.word
        for call in blocks[1].calls
        # Name only the commands that are reserved for masters.
        if isinstance(call.command, Command) and not call.command.who & ~(Who.MASTER | Who.BEARER)
        and call.line not in refused
    )  # fmt: skip
    _conclude(context, handler, list(done))
    answer = context.work.services.post.render(
        "reply", context.zone, clock=context.work.now, answers=reply.answers, notes=[], warning=""
    )
    return answer, all(remark.kind == "note" for one in reply.answers for remark in one.remarks)


def appoint(context: CommandContext, handler: LetterHandler, address: str) -> tuple[str, bool]:
    """Make the person registered at `address` a master, and mail the new master's password to that address only.

    Returns the same values as `do_lines`. Raises CommandError if the person cannot become a master.
    """
    person, game = person_at(context.session, address), context.seat.game
    if not (person and person.registered_at):
        raise CommandError(f"No one is registered at {address}. They have to REGISTER by email first.")
    if game.state == "finished":
        raise CommandError(f"{game.name} has ended.")
    mine = seats_in(context.session, game, person)
    if has_master(mine):
        raise CommandError(f"{address} is already a master of {game.name}.")
    seat = next((seat for seat in mine if seat.role == "observer"), None)
    seat = seat or forming.sit(context.work, game, "observer", Entrant(person, address, ""))
    make_master(context, game, seat)
    _conclude(context, handler, ["PROMOTE"])
    return f"{address} is now a master of {game.name}, and gets a password by email.", True


def _conclude(context: CommandContext, handler: LetterHandler, done: Sequence[str]) -> None:
    """Notify all players of the commands in `done`, and log the commands.

    Players in whose seats the keeper has acted get copies of the answers.
    """
    letter, work = context.letter, context.work
    game, session, now = context.seat.game, context.session, work.now
    if told := [name for name in done if name not in _QUESTIONS]:
        text = f"The keeper of this judge has acted for the master of {game.name}: {', '.join(told)}."
        notices.tell_news(work, game, "The Keeper Stands In", text)
    context.notify()
    copy_to_holders(context)
    what = ", ".join(done) or "a look"
    session.add(Event(at=now, kind="keeper", game_id=game.id, letter_id=letter.row.id, text=what))
    kept = handler.in_hand(letter.row).kept(session, context.reply.redact)
    inbox.done(session, letter.row, kept, now=now)
