"""Signed letters that come again: a signature stays good when somebody who has a copy sends the letter once more.

Where the signature is the only proof, a letter counts once, and none counts that is older than what counted before.
"""

from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import Session, col, select

from judge.desk.core.proofs import Proof
from judge.desk.core.visit import Visit
from judge.desk.core.visitor import Visitor
from judge.games.orders.orderbook import OrderBook
from judge.rules import format_order
from judge.store.ids import id_of
from judge.store.tables import CountedLetter, Game, Phase, Seat

# How far two clocks of one person may be apart, and by how much letters may overtake each other.
_APART = timedelta(hours=1)


def why_not(visitor: Visitor, game: Game, seat: Seat, phase: Phase | None) -> str:
    """Why this letter may be one that was sent before, as sentences that end with what is on file; "" if it is not."""
    letter = visitor.letter
    if letter.not_covered:
        return letter.not_covered
    if phase and letter.date and letter.date < phase.opened_at - _APART:
        return f"By its date your letter was written before {phase.name} opened."
    counted = [one for one in _counted(visitor.turn.session, seat) if one.letter_id != visitor.row.id]
    known = any(
        (letter.message_id and one.message_id == letter.message_id) or letter.date and one.digest == letter.digest
        for one in counted
    )
    newest = max((one.written_at for one in counted if one.written_at), default=None)
    if known:
        return f"This letter has counted before. {_on_file(visitor.turn.session, game, seat, phase)}"
    if newest and letter.date and letter.date < newest - _APART:
        why = "By its date your letter is older than one that has counted since."
        return f"{why} {_on_file(visitor.turn.session, game, seat, phase)}"
    return ""


def note(visit: Visit) -> None:
    """Remember the letter that has counted for its seat, if that needs no password."""
    seat, letter, number = visit.seat, visit.letter, id_of(visit.row)
    if not (seat and seat.passwordless and visit.visitor.standing.proof is Proof.VERIFIED):
        return
    if all(one.letter_id != number for one in _counted(visit.session, seat)):
        written_at = min(letter.date, visit.received_at) if letter.date else None
        counted = CountedLetter(
            seat_id=id_of(seat),
            letter_id=number,
            message_id=letter.message_id,
            digest=letter.digest,
            written_at=written_at,
        )
        visit.session.add(counted)


def _counted(session: Session, seat: Seat) -> Sequence[CountedLetter]:
    return session.exec(select(CountedLetter).where(col(CountedLetter.seat_id) == id_of(seat))).all()


def _on_file(session: Session, game: Game, seat: Seat, phase: Phase | None) -> str:
    """What is on file for the open phase, as a sentence."""
    if not (phase and seat.power):
        return ""
    book = OrderBook(session, game, phase)
    bids = [f"DP {bid.points}: {bid.text}" for bid in book.bids.given(seat.power)]
    lines = [*map(format_order, book.given(seat.power)), *bids]
    return f"On file for {phase.name}: {'; '.join(lines) or 'nothing'}."
