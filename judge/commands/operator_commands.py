"""The keeper stands in for a master who is gone: lines are carried out as if they stood below the master's SIGNON.

The same handlers do the same work and tell the same people; in addition all are told that it was the keeper. The
lines are kept as a letter of their own, for appeals. The keeper's seat has no row in the database, so the keeper
cannot change what belongs to a seat (a password, an absence, a wait).
"""

from collections.abc import Sequence
from datetime import datetime
from email.message import EmailMessage
from email.utils import make_msgid
from functools import partial

from sqlmodel import Session

from judge.commands.core.command import RULING, Command, Who
from judge.commands.core.context import CommandContext
from judge.commands.core.reading import Block, calls_in
from judge.commands.core.redaction import redaction_of
from judge.commands.handler import LetterHandler, fingerprint_of, play
from judge.commands.master.run import make_master
from judge.commands.replies import answer_to
from judge.games.core.work import Services, Work
from judge.games.life import forming
from judge.games.life.applications import Entrant
from judge.games.notifications import notices
from judge.letters import Line
from judge.letters.imap import Fetched
from judge.store import inbox
from judge.store.games import game_and_phase, games_among
from judge.store.people import person_at
from judge.store.rows import id_of
from judge.store.seats import seats_in
from judge.store.tables import Event, LetterRow, Seat

# A master's commands that tell only the master something.
_QUESTIONS = {"PREDICT"}


class StandInRefused(Exception):
    """None of the lines can be carried out; the sentence says why."""


def keep_slip(session: Session, services: Services, text: str, now: datetime) -> int:
    """Keep the keeper's lines as a letter that only `OperatorContext` handles; returns its number."""
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
    """Note that none of the lines could be carried out."""
    row = session.get_one(LetterRow, letter_id)
    in_hand = handler.in_hand(row)
    *_, redact = in_hand.read(session)
    inbox.done(session, row, in_hand.kept(redact), now=now, state="ignored")


class OperatorContext:
    """The keeper in place of a master of the game called `name`, with the slip that holds the lines.

    Raises StandInRefused.
    """

    def __init__(
        self, session: Session, services: Services, handler: LetterHandler, name: str, letter_id: int, now: datetime
    ):
        found = game_and_phase(session, name)
        if not found:
            raise StandInRefused(f"There is no game {name}.")
        self._session, self._services, self._handler, self._now = session, services, handler, now
        self._work = Work(session, services, now)
        self._game, self._phase = found
        self._row = session.get_one(LetterRow, letter_id)
        self._in_hand = handler.in_hand(self._row)

    def does(self) -> tuple[str, bool]:
        """Carry out the lines of the slip; return the answer, and whether all were done. May raise SlowWork."""
        context = self._context()
        signon, letter_context = Line(f"SIGNON M{self._game.name} keeper"), context.letter_context
        blocks = letter_context.blocks([signon, *self._in_hand.letter.lines])
        existing = partial(games_among, self._session)
        context.answer.redact = letter_context.redact = redaction_of(context.letter, calls_in(blocks), existing)
        if len(blocks) > 2:
            raise StandInRefused("One game at a time: there is another SIGNON in these lines.")
        play(context, blocks[1])
        refused = {remark.line for remark in context.answer.errors}
        done = dict.fromkeys(
            call.command.names[0]
            for call in calls_in([Block(None, blocks[1].items)])
            # Only what the master of a game alone can use.
            if isinstance(call.command, Command) and not call.command.who & ~(RULING | Who.BEARER)
            and call.line not in refused
        )  # fmt: skip
        self._conclude(context, list(done))
        answer = self._services.post.render("reply", context.zone, answers=context.answers, notes=[], warning="")
        return answer, all(remark.kind == "note" for remark in context.answer.remarks)

    def appoints(self, address: str) -> str:
        """Make the person registered at `address` a master; return the answer. Only that address gets the password."""
        person = person_at(self._session, address)
        if not (person and person.registered_at):
            raise StandInRefused(f"No one is registered at {address}; they have to REGISTER by email first.")
        if self._game.state == "finished":
            raise StandInRefused(f"{self._game.name} has ended.")
        mine = seats_in(self._session, self._game, person)
        if any(seat.role == "master" for seat in mine):
            raise StandInRefused(f"{address} is already a master of {self._game.name}.")
        context = self._context()
        seat = next((seat for seat in mine if seat.role == "observer"), None)
        seat = seat or forming.sit(self._work, self._game, "observer", Entrant(person, address, ""))
        make_master(context, self._game, seat)
        self._conclude(context, ["PROMOTE"])
        return f"{address} is now a master of {self._game.name}, and gets a password by email."

    def _context(self) -> CommandContext:
        """Signed on as a master."""
        letter = self._in_hand.letter
        letter_context = self._handler.letter_context(self._session, self._row, letter, self._now, by_keeper=True)
        context = CommandContext(letter_context, letter, self._row)
        keeper = self._services.settings.keeper
        seat = Seat(game_id=id_of(self._game), person_id=0, role="master", address=keeper, password="",
                    joined_at=self._now)  # fmt: skip
        context.sign_on(self._game, self._phase, seat)
        context.answer.copy_to = ""
        return context

    def _conclude(self, context: CommandContext, done: Sequence[str]) -> None:
        """Notify all players, and the holders of seats that the keeper acted in; write what was done into the log."""
        game = self._game
        notices.tell_gathered(context.work)
        for address in {answer.copy_to for answer in context.answers} - {""}:
            answer_to(
                context.letter_context, address, [answer for answer in context.answers if answer.copy_to == address]
            )
        what = ", ".join(done) or "a look"
        self._session.add(Event(at=self._now, kind="keeper", game_id=game.id, letter_id=context.row.id, text=what))
        told = [name for name in done if name not in _QUESTIONS]
        if told:
            text = f"The keeper of this judge has acted for the master of {game.name}: {', '.join(told)}."
            notices.tell_news(self._work, game, "The Keeper Stands In", text)
        kept = self._in_hand.kept(context.letter_context.redact)
        inbox.done(self._session, context.row, kept, now=self._now)
