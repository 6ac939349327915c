"""Sign-ons of other judges: HELLO, JOIN, TAKEOVER and RESIGN, as the first line of a block.

The words stand in sentences too. So each needs a password behind its game, and a line in small letters counts only
above all sign-ons, or where ? or @ stands in it as in no sentence.
"""

from collections.abc import Callable
from dataclasses import dataclass

from judge.desk.core.command import GAME, PASSWORD, Call, Place, Slip
from judge.desk.core.proofs import Right
from judge.desk.core.refusals import CommandError
from judge.desk.core.visit import Visit
from judge.desk.people import own_seat, signon
from judge.store.games import game_named


@dataclass(frozen=True)
class Target:
    """The words of such a line: the power and the game, or the game alone; its password; what stands behind it."""

    target: str
    password: str
    words: str | None


def hello(visit: Visit, call: Call, said: Target) -> None:
    """HELLO Fheron <password>, HELLO ?heron <password>: njudge's SIGNON."""
    if said.target.startswith("?"):
        _join(visit, call, said.target[1:].strip(), said)
    else:
        _sign_on(visit, call, said)


def join(visit: Visit, call: Call, said: Target) -> None:
    """JOIN heron <password>, JOIN france@heron <password>: DPjudge's SIGNON ?heron, or to the open seat of a power."""
    power, _, name = said.target.lstrip("? ").rpartition("@")
    game = game_named(visit.session, name.lower())
    if game and game.state == "forming":
        _join(visit, call, name, said)
        if power and visit.joined:
            own_seat.set_preference(visit, call, power)
    elif game and not power:
        _join(visit, call, name, said)
    else:
        _sign_on(visit, call, said)


def take_over(visit: Visit, call: Call, said: Target) -> None:
    """TAKEOVER Fheron <password>: DPjudge's SIGNON to a power that nobody plays."""
    _sign_on(visit, call, said)


def resign(visit: Visit, call: Call, said: Target) -> None:
    """RESIGN Fheron <password>: sign on, and leave the game at the end of the block, if nothing in it was refused."""
    visit.require(Right.LASTING)
    _sign_on(visit, call, said)
    visit.resigns = True


def _sign_on(visit: Visit, call: Call, said: Target) -> None:
    if said.words:
        raise CommandError(
            f"Write SIGNON {said.target} <password>, and nothing behind the password. Nothing below this line was read."
        )
    signon.signon(visit, call, said.target, said.password)


def _join(visit: Visit, call: Call, game: str, said: Target) -> None:
    visit.registered()
    if game:
        signon.join(visit, call, game, said.password, said.words)
    else:
        signon.join_any(visit, call, said.password)


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
