"""Read the letters of a master who is the only player of a game, and orders for all powers.

Each order is under its power's name, or only names its unit.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from judge.commands.core.blocks import Block
from judge.commands.core.command import Call, Command, Place, Who
from judge.commands.core.context import CommandContext, Heading, Seated
from judge.commands.core.reading import Said, What
from judge.games.orders.line_kinds import whose
from judge.rules import Variant
from judge.rules.board.names import fold
from judge.rules.board.power import SHORTEST_BEGINNING
from judge.rules.parsing.decoration import unmarked
from judge.rules.parsing.headings import MEANT, UNMEANT
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


@dataclass
class _Headings:
    """The headings for the orders of all powers below them: one names a phase, one says whether they are meant."""

    phase: list[Said] = field(default_factory=list)
    meant: list[Said] = field(default_factory=list)
    said: Heading | None = None

    def pass_line(self, item: Said, says: str) -> None:
        """Take the line into account. `says` is what it says as a heading."""
        self.said = self.said and self.said.at(item.is_apart)
        if says in (MEANT, UNMEANT):
            self.meant, self.said = [item], Heading(item.text)
        elif says:
            self.phase, self.said = [item], None
        if not self.said:
            self.meant = []

    def again(self, seat: Seat, lines: Sequence[Said]) -> list[Said]:
        """Return the lines below the headings, which are repeated for the power of another seat.

        The lines are as far from the repeated headings as the first line was from them. Masters have no headings.
        """
        if not seat.power:
            return [*lines]
        is_section = self.said is not None and bool(self.said.is_section)
        return [*self.phase, *self.meant, *(replace(line, is_apart=is_section) for line in lines)]


def _by_seat(context: CommandContext, block: Block) -> list[tuple[Seat, list[Said]]]:
    """Return the lines of the block, in order, grouped by the seat that they are for."""
    here = context.seat
    book, players = here.book, players_of(context.session, here.game)
    found: list[tuple[Seat, list[Said]]] = [(here.row, [])]
    # The seat that was named last.
    under, headings = here.row, _Headings()
    for item in block.items:
        seat, left = found[-1][0], [item]
        says = _heading(here, item)
        headings.pass_line(item, says)
        if says:
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
            found.append((seat, []))
            left = headings.again(seat, left)
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


def _heading(here: Seated, item: Said) -> str:
    """Return what a line says of the orders of all powers below it, as PHASE or as a heading, or ""."""
    if item.call:
        return item.text if item.call.command.word == "PHASE" else ""
    return here.heading(item.text)


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
