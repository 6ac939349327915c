"""The keeper stands in for a master who is gone: lines carried out as if they stood below the master's SIGNON.

The same handlers do the same work and tell the same people; beyond that all are told that it was the keeper. What
was asked is kept as a letter of its own, for appeals. The seat that the keeper acts from is no row: what belongs to
a seat (a password, an absence, a wait) the keeper cannot change.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import make_msgid

from sqlmodel import Session

from judge.desk.desk import Desk, answer_to, play
from judge.desk.master import make_master
from judge.desk.reading import Block
from judge.desk.visit import Call, Visit
from judge.games import forming, notices
from judge.games.office import Office
from judge.letters import Line, fingerprint, mask_passwords, read_letter
from judge.store import inbox
from judge.store.lookups import game_and_phase, person_at, seats_of
from judge.store.tables import Event, LetterRow, Seat

# A master's commands that tell only the master something.
_QUESTIONS = {"PREDICT"}


class StandInRefused(Exception):
    """Nothing of it can be done; the sentence says why."""


@dataclass
class _Slip:
    """What the keeper asks, in the form in which letters come."""

    raw: bytes
    received_at: datetime
    uid: int = 0
    uidvalidity: int = 0
    cut: bool = False


class StandIn:
    """The keeper at the desk, about the game called `name`. Raises StandInRefused."""

    def __init__(self, session: Session, office: Office, desk: Desk, name: str, now: datetime):
        found = game_and_phase(session, name)
        if not found:
            raise StandInRefused(f"There is no game {name}.")
        self._session, self._office, self._desk, self._now = session, office, desk, now
        self._game, self._phase = found

    def does(self, lines: Sequence[str]) -> tuple[str, bool]:
        """Carry out `lines`; the answer, and whether all of them were understood and done. May raise SlowWork."""
        visit = self._visit("\n".join(lines))
        block = self._block(visit)
        play(visit, block)
        calls = [item for item in block.items if isinstance(item, Call)]
        refused = {remark.line for remark in visit.answer.errors}
        done = [call for call in calls if call.shown not in refused and call.command.who == "M"]
        self._conclude(visit, list(dict.fromkeys(call.command.names[0] for call in done)))
        return self._answer(visit), all(remark.kind == "note" for remark in visit.answer.remarks)

    def shows(self) -> str:
        """The full entry of the game, as its master may see it."""
        row = LetterRow(fingerprint="", uidvalidity=0, uid=0, received_at=self._now, kept_at=self._now, raw=b"")
        visit = self._signed_on(row, _slip(self._office, "LIST", self._now))
        play(visit, self._block(visit))
        return self._answer(visit)

    def appoints(self, address: str) -> str:
        """Make whoever is registered at `address` a master; the answer. The password goes to that address alone."""
        person = person_at(self._session, address)
        if not (person and person.registered_at):
            raise StandInRefused(f"Nobody is registered at {address}: they have to REGISTER first, by mail.")
        if self._game.state == "finished":
            raise StandInRefused(f"Game {self._game.name} has ended.")
        mine = [seat for seat in seats_of(self._session, self._game) if seat.person_id == person.id]
        if any(seat.role == "master" for seat in mine):
            raise StandInRefused(f"{address} is a master of game {self._game.name} already.")
        visit = self._visit(f"(a new master: {address})")
        seat = next((seat for seat in mine if seat.role == "observer"), None)
        seat = seat or forming.sit(self._session, self._game, person, "observer", address, "", self._now)
        make_master(visit, self._game, seat)
        self._conclude(visit, ["PROMOTE"])
        return f"{address} is a master of game {self._game.name} now, and gets a password by mail."

    def _visit(self, text: str) -> Visit:
        """Signed on, with what is asked kept as a letter."""
        slip = _slip(self._office, text, self._now)
        (letter_id,) = inbox.keep(self._session, [slip], fingerprint, now=self._now)
        return self._signed_on(self._session.get_one(LetterRow, letter_id), slip)

    def _signed_on(self, row: LetterRow, slip: _Slip) -> Visit:
        visit = self._desk.visit(self._session, row, read_letter(slip.raw), None, self._now)
        visit.by_keeper = True
        visit.begin()
        keeper = self._office.settings.keeper
        seat = Seat(game_id=self._game.id or 0, person_id=0, role="master", address=keeper, password="",
                    joined_at=self._now)  # fmt: skip
        visit.sign_on(self._game, self._phase, seat)
        visit.answer.copy_to = ""
        return visit

    def _block(self, visit: Visit) -> Block:
        signon = Line(f"SIGNON M{self._game.name} keeper")
        blocks = self._desk.blocks([signon, *visit.letter.lines])
        if len(blocks) > 2:
            raise StandInRefused("One game at a time: there is another sign-on among the lines.")
        return blocks[1]

    def _conclude(self, visit: Visit, done: Sequence[str]) -> None:
        """Tell everybody, and who had a seat borrowed what became of it; put it down in the log."""
        game = self._game
        for address in {answer.copy_to for answer in visit.answers} - {""}:
            answer_to(visit, address, visit.answers)
        what = ", ".join(done) or "no command of a master"
        self._session.add(Event(at=self._now, kind="keeper", game_id=game.id, letter_id=visit.row.id, text=what))
        told = [name for name in done if name not in _QUESTIONS]
        if told:
            text = f"The keeper of this judge has stood in for the master of game {game.name}: {', '.join(told)}."
            notices.tell_news(self._session, self._office, game, "The Keeper Stands In", text, self._now)
        self._office.passwords.forget_hashed()
        inbox.done(self._session, visit.row, mask_passwords(visit.row.raw), now=self._now,
                   sender=visit.letter.sender, subject=visit.letter.subject)  # fmt: skip

    def _answer(self, visit: Visit) -> str:
        return self._office.post.render("reply", visit.zone, answers=visit.answers, notes=[])


def _slip(office: Office, text: str, now: datetime) -> _Slip:
    message = EmailMessage()
    message["From"] = office.settings.keeper
    message["To"] = office.settings.address
    message["Subject"] = "From the keeper"
    message["Message-ID"] = make_msgid(domain=office.settings.domain)
    message.set_content(text)
    return _Slip(message.as_bytes(), now)
