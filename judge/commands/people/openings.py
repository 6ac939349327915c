"""Sign-ons of other judges: HELLO, JOIN, TAKEOVER and RESIGN, as the first line of a block.

The words stand in sentences too. So each needs a password behind its game, and a line in small letters counts only
above all sign-ons, or where ? or @ stands in it as in no sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass

from judge.commands.core.command import GAME, PASSWORD, Call, Place, Slip
from judge.commands.core.context import CommandContext
from judge.commands.core.errors import CommandError
from judge.commands.core.proofs import Right
from judge.commands.people import own_seat, signon
from judge.commands.people.signon_variants import named_seat
from judge.store.games import game_named


@dataclass(frozen=True)
class Target:
    """The words of such a line: the power and the game, or the game alone; its password; what stands behind it."""

    target: str
    password: str
    words: str | None


def hello(context: CommandContext, call: Call, said: Target) -> None:
    """HELLO Fheron <password>, HELLO ?heron <password>: njudge's SIGNON."""
    if said.target.startswith("?"):
        _join(context, call, said.target[1:].strip(), said)
    else:
        _sign_on(context, call, said)


def join(context: CommandContext, call: Call, said: Target) -> None:
    """JOIN heron <password>, JOIN france@heron <password>: DPjudge's SIGNON ?heron, or to the open seat of a power."""
    said = _apart(context, said)
    power, _, name = said.target.lstrip("? ").rpartition("@")
    game = game_named(context.session, name.lower())
    if game and game.state == "forming":
        _join(context, call, name, said)
        if power and context.joined:
            own_seat.set_preference(context, call, power)
    elif game and not power:
        _join(context, call, name, said)
    else:
        _sign_on(context, call, said)


def take_over(context: CommandContext, call: Call, said: Target) -> None:
    """TAKEOVER Fheron <password>: DPjudge's SIGNON to a power that nobody plays."""
    _sign_on(context, call, said)


def resign(context: CommandContext, call: Call, said: Target) -> None:
    """RESIGN Fheron <password>: sign on, and leave the game at the end of the block, if nothing in it was refused."""
    context.require(Right.LASTING)
    _sign_on(context, call, said)
    context.resigns = True


def _apart(context: CommandContext, said: Target) -> Target:
    """Read the power and the game as two words, in either order, where one word is left for the password."""
    if said.words and len(said.words.split()) == 1 and (seat := named_seat(context, [said.target, said.password])):
        return Target(seat, said.words, None)
    return said


def _sign_on(context: CommandContext, call: Call, said: Target) -> None:
    said = _apart(context, said)
    if said.words:
        raise CommandError(
            f"Write SIGNON {said.target} <password>, and nothing behind the password. Nothing below this line was read."
        )
    signon.signon(context, call, said.target, said.password)


def _join(context: CommandContext, call: Call, game: str, said: Target) -> None:
    context.registered()
    if game:
        signon.join(context, call, game, said.password, said.words)
    else:
        signon.join_any(context, call, said.password)


# With these behind it, the word begins a sentence.
_PROSE = (
    r"(?!\s+(?:US|ME|MY|THE|THIS|THAT|THEM|THERE|THEIR|IT|HIM|HER|YOUR|YOU|OUR|IN|AT|A|AN|ALL|AS|IF|OR|AND|TO|FROM|FOR|"
    r"ON|OUT|NOW|WITH|FORCES|HANDS|PLEASE|DEAR|JUDGE|AGAIN|EVERYBODY|EVERYONE|FOLKS|FRIENDS?|SIR|I|WE)\b)"
)
_ANY = rf"\?\s?{GAME}|\?|[^\s@?]+@{GAME}"
_PLAIN = "[A-Za-z0-9]{2,21}"


def _opening(*names: str, handler: Callable[..., None]) -> tuple[Slip, Slip]:
    """The word with a sign that stands in no sentence, or in capitals, which counts anywhere; and else."""
    in_capitals = "|".join(rf"(?<=(?-i:{name}))" for name in names)
    return (
        Slip(
            names=names,
            place=Place.OPENING,
            handler=handler,
            pattern=rf"{_PROSE}(?:{in_capitals}|(?=\s+(?:{_ANY})\s))"
            rf"\s+(?P<target>{_ANY}|{_PLAIN})\s+{PASSWORD}{signon.VARIANT_WORDS}",
        ),
        Slip(
            names=names,
            place=Place.OPENING,
            handler=handler,
            prose=names,
            pattern=rf"{_PROSE}\s+(?P<target>{_PLAIN})\s+{PASSWORD}(?P<words>(?!))?",
        ),
    )


SLIPS = (
    # A greeting is read as one, however it goes on.
    _opening("HELLO", handler=hello)[0],
    *_opening("JOIN", handler=join),
    *_opening("TAKEOVER", "TAKE OVER", handler=take_over),
    *_opening("RESIGN", "WITHDRAW", handler=resign),
)
