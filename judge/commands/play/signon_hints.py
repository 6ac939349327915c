"""Why nothing was found in a letter that seems to hold orders, and which games they may be for: what a hint says."""

import re
from collections.abc import Iterator, Sequence

from sqlmodel import Session

from judge.commands.core.reading import Reader
from judge.commands.play.own_orders import is_own, order_readings, own_provinces
from judge.games.core.board import board
from judge.games.orders.bid_lines import is_bid_line
from judge.letters import Letter, Line
from judge.rules import OrderError
from judge.store.games import game_and_phase
from judge.store.tables import Game, Seat

_SIGNON = re.compile(r"(?<!\w)SIGNON\s", re.IGNORECASE | re.ASCII)
_WHERE = {
    "quote": "stands in a quote (behind > or below a heading like “… wrote:”)",
    "rest": "stands between the lines of a quote",
    "history": "stands below the heading of an older mail",
    "signature": "stands below the line that begins your signature",
}


def obstacles(letter: Letter, reader: Reader, attached: Sequence[str]) -> Iterator[str]:
    """What keeps a sign-on of the letter from being read. `attached`: the names of the text files attached to it."""
    if _signs_on_within(letter.subject, reader):
        yield "your SIGNON stands in the subject, which is read only if there is no text: write it above your orders"
    unread = [line for line in letter.lines if line.kind != "text" and "SIGNON" in line.text.upper() and _is_own(line)]
    for found in dict.fromkeys(line.kind for line in unread if reader.signs_on(line.text.lstrip("> "))):
        yield f"a SIGNON line {_WHERE[found]}, where nothing is read: write it above, as a line of its own"
    if any(line.kind == "text" and _signs_on_within(line.text, reader) for line in letter.lines):
        yield "a SIGNON stands inside a line: begin a line of its own with it"
    if attached and "attachments are not read" not in letter.notes:
        yield f"the attached file {attached[0]} was not read: copy its lines into the letter"


def _is_own(line: Line) -> bool:
    """Whether the sender wrote the line: the forms of our mails, which a reply quotes, have no password."""
    return "<" not in line.text


def _signs_on_within(line: str, reader: Reader) -> bool:
    """Whether a sign-on stands somewhere in the line."""
    found = _SIGNON.search(line)
    return found is not None and reader.signs_on(line[found.start() :])


def units_fit(session: Session, game: Game, seat: Seat, lines: Sequence[str]) -> bool:
    """Whether the lines hold orders that may be for the seat's units in the game; they may if none can be read."""
    found = game_and_phase(session, game.name)
    if not found or not found[1] or not seat.power:
        return False
    variant, position = board(game, found[1])
    orders = order_readings(variant, position, seat.power, lines)
    read = [reading for reading in orders if not isinstance(reading, OrderError)]
    own = own_provinces(variant, position, seat.power)
    if variant.points and any(is_bid_line(variant, line) for line in lines):
        return True
    return any(is_own(reading, own) for reading in read) if read else bool(orders)
