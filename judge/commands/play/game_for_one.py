"""Read the letters of a master who is the only player of a game, and orders for all powers.

Each order is under its power's name, or only names its unit.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from judge.commands.core.blocks import Block
from judge.commands.core.command import Call, Command, Place, Who
from judge.commands.core.context import CommandContext, Seated
from judge.commands.core.reading import Said, What
from judge.games.orders.line_kinds import whose
from judge.rules import Variant
from judge.rules.board.names import fold
from judge.rules.board.power import SHORTEST_BEGINNING
from judge.rules.parsing.decoration import unmarked
from judge.rules.parsing.headings import MEANT, UNMEANT, heading
from judge.store.seats import players_of
from judge.store.tables import Seat

# The maximum number of words in the name of a power or group.
_LONGEST_NAME = 4


def parts(context: CommandContext, block: Block) -> Iterator[Block]:
    """Yield the block in parts, each for one seat, after signing on to this seat.

    Only a game that one person plays needs parts. In other games, the whole block is yielded. A line is for the power,
    or group, that it names. A line without a name is for the power that was named last.
    """
    here = context.seat
    game, master = here.game, here.row
    if not (here.settings.solo and master.role == "master" and here.phase):
        yield block
        return
    for number, (seat, items) in enumerate(_by_seat(context, block)):
        if seat is not context.seat.row:
            if number:
                context.reply.begin()
            context.sign_on(game, context.seat.phase, seat)
            context.answer.power = seat.power or ""
        yield replace(block, items=items)


def _by_seat(context: CommandContext, block: Block) -> list[tuple[Seat, list[Said]]]:
    """Return the lines of the block, in order, grouped by the seat that they are for."""
    here = context.seat
    book, players = here.book, players_of(context.session, here.game)
    found: list[tuple[Seat, list[Said]]] = [(here.row, [])]
    # The seat that was named last, and the headings that name a phase for all lines after them, or say whether these
    # are meant.
    under, phase, meant = here.row, list[Said](), list[Said]()
    for item in block.items:
        seat, left = found[-1][0], [item]
        if says := _heading(item, book.phase.name):
            phase, meant = (phase, left) if says in (MEANT, UNMEANT) else (left, [])
            left = left * bool(seat.power)
        elif item.call:
            under = seat = _seat_of_command(here, players, item.call) or under
            left = [] if item.call.command.word == "BECOME" and seat.power else left
        else:
            named, text = _named(book.variant, item.text)
            under = players.get(named, under)
            left = _read_again(context, item, text)
            seat = under if under.power else _seat_of_units(here, players, item.text) or under
        if seat is not found[-1][0]:
            found.append((seat, [*phase, *meant] * bool(seat.power)))
        found[-1][1].extend(left)
    return [part for part in found if part[1]] or found


def _seat_of_command(here: Seated, players: Mapping[str, Seat], call: Call) -> Seat | None:
    """Return the seat of the power after BECOME, or the master's own seat for other commands of masters, or None."""
    named, _ = _named(here.variant, call.arguments.get("power") or "")
    if call.command.word == "BECOME" and named in players:
        return players[named]
    is_of_master = isinstance(call.command, Command) and not call.command.who & ~Who.MASTER
    return here.row if is_of_master else None


def _seat_of_units(here: Seated, players: Mapping[str, Seat], line: str) -> Seat | None:
    """Return the seat that has the units ordered by the line, or None if the line orders no unit."""
    book = here.book
    return next(
        (seat for name, seat in players.items() if whose(book.variant, book.position, name, line) == "own"), None
    )


def _heading(item: Said, now: str) -> str:
    """Return what a line says of the orders of all powers below it, as PHASE or as a heading, or ""."""
    if item.call:
        return item.text if item.call.command.word == "PHASE" else ""
    return heading(item.text, now)


def _read_again(context: CommandContext, item: Said, text: str) -> list[Said]:
    """Return the line without the power's name in front of it. The rest may be a command, as in "France: CLEAR"."""
    if text in ("", item.text):
        return [item] if text else []
    call = context.letter.reader.meant(text, (Place.GAME,))
    if call and not call.command.body:
        return [replace(item, what=What.COMMAND, call=call)]
    return [replace(item, line=replace(item.line, text=text))]


def _named(variant: Variant, line: str) -> tuple[str, str]:
    """Return the power or group at the beginning of a line, and the rest, such as ("France", "A PAR H").

    If the line is only a name, the rest is "". If it has no name, ("", line) is returned. The name of a power in a
    group stays on the line.
    """
    text = unmarked(line)
    sides = {word: side.name for side in variant.sides for word in side.words}
    head, colon, order = text.partition(":")
    with suppress(KeyError):
        if colon and len(head.strip()) >= SHORTEST_BEGINNING:
            sides[fold(head)] = variant.seat(head.strip(), SHORTEST_BEGINNING).name
    words = text.replace(":", " ", 1).split()
    for length in range(min(len(words), _LONGEST_NAME), 0, -1):
        if name := sides.get(fold(" ".join(words[:length]))):
            seat, rest = variant.seat_of(name), " ".join(words[length:])
            return seat, rest if seat == name or not rest else f"{name}: {rest}"
    return "", line
