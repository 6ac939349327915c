"""What a line among prose is meant as: the one answer to "is this line meant for the judge?".

It is asked of a message without its end word, which may have swallowed what its writer meant for the judge, and of a
reply to press that has no sign-on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from judge.commands.core.context import CommandContext
from judge.games.core.board import variant_of
from judge.games.orders.line_kinds import ORDERS, kind_of
from judge.letters.signon_lines import possible_games, signon_line
from judge.rules import Variant, is_only_orders
from judge.store.seats import seats_in_living_games
from judge.store.tables import Game, Person, Seat

_GAME_AND_PASSWORD = 2


@dataclass(frozen=True)
class Meaning:
    """What a line is meant as; `surely`: people do not write it to each other, or hardly ever."""

    what: Literal["sign-on", "command", "order"]
    surely: bool


def boards_of(context: CommandContext, game: Game, seat: Seat) -> list[Variant]:
    """Return the variants of whose games the holder of the seat may have written orders, that of `game` first."""
    person = context.session.get(Person, seat.person_id)
    others = [variant_of(other) for _, other in seats_in_living_games(context.session, person, "player", "master")]
    return list(dict.fromkeys([variant_of(game), *others]))


def meaning_of(context: CommandContext, boards: Sequence[Variant], line: str) -> Meaning | None:
    """Return what a line may be meant as for the judge; None if it is for people. `boards`: as `boards_of` has them."""
    letter = context.letter
    own, reader = boards[0], letter.reader
    signon = signon_line(line)
    # The game may be on another judge.
    is_elsewhere = signon and signon.certain and signon.is_whole and len(signon.words) == _GAME_AND_PASSWORD
    if is_elsewhere or signon and not possible_games(signon.words).isdisjoint(letter.games):
        return Meaning("sign-on", surely=True)
    if reader.deliberate(letter.games, line):
        return Meaning("command", surely=True)
    what = kind_of(own, line)
    if what == "bid" or any(is_only_orders(board, line) for board in boards):
        return Meaning("order", surely=True)
    if context.reply.redact.is_near_miss(line):
        # No one sets a new password among prose; WATCH and the like begin sentences.
        return Meaning("sign-on", surely=signon is None)
    if what in ORDERS:
        return Meaning("order", surely=False)
    return Meaning("command", surely=False) if reader.is_command(line) else None
