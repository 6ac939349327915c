"""Sign-ons in other words: "SIGNON France heron hush", and HELLO, JOIN, TAKEOVER and RESIGN of other judges.

These four words begin sentences as well. So each needs a password after its game, and a line in small letters is read
only above all sign-ons, or with a ? or @ that no sentence has.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judge.commands.core.command import GAME, PASSWORD, CommandError, Place, Slip
from judge.commands.core.context import CommandContext
from judge.commands.core.decoration import AROUND_PASSWORDS, BETWEEN
from judge.commands.core.proofs import Right
from judge.commands.people import joining, own_settings, signon
from judge.commands.people.signon import ROLES
from judge.games.core.board import variant_of
from judge.games.core.who_is_meant import is_seat
from judge.store.games import game_named


def sign_on(context: CommandContext, password: str | None) -> None:
    """SIGNON and other words than the command has: they are understood if they name a game of this judge."""
    *words, last = (password or "").split() or [""]
    secret: str | None = last
    target = named_seat(context, words)
    if not target and words and (target := named_seat(context, [*words, last])):
        secret = None  # SIGNON F heron, of a player who needs no password
    if not target:
        raise CommandError(
            "Write SIGNON F<game> <password>: the letter of your power and the game as one word, then your password as "
            "another."
        )
    signon.signon(context, target, secret)


def named_seat(context: CommandContext, words: Sequence[str]) -> str:
    """Return `Fheron` or `France@heron`, as a sign-on has it; "" if the words name no seat of a game."""
    apart = (word.strip(AROUND_PASSWORDS) for word in " ".join(words).replace("@", " ").split())
    said = [word for word in apart if word and word.lower() not in BETWEEN - {"and"}]
    return _target(context, said) or _target(context, [word for word in said if word.lower() != "and"])


def _target(context: CommandContext, words: list[str]) -> str:
    if len(words) < 2:
        who, name = "".join(words)[:1], "".join(words)[1:].lstrip("-._")
        return f"{who}{name}" if who.isalpha() and game_named(context.session, name.lower()) else ""
    for *power, name in (words, words[::-1]):
        game = game_named(context.session, name.lower())
        who = " ".join(power if power == words[:-1] else power[::-1])
        if game and (who.lower() in ROLES or is_seat(variant_of(game), who)):
            return f"{who}@{name}"
    return ""




@dataclass(frozen=True)
class Target:
    """The words of such a line: the power and the game, or the game alone; its password; what stands behind it."""

    target: str
    password: str
    words: str | None


def hello(context: CommandContext, said: Target) -> None:
    """HELLO Fheron <password>, HELLO ?heron <password>: njudge's SIGNON."""
    if said.target.startswith("?"):
        _join(context, said.target[1:].strip(), said)
    else:
        _sign_on(context, said)


def join(context: CommandContext, said: Target) -> None:
    """JOIN heron <password>, JOIN france@heron <password>: DPjudge's SIGNON ?heron, or to the open seat of a power."""
    said = _apart(context, said)
    power, _, name = said.target.lstrip("? ").rpartition("@")
    game = game_named(context.session, name.lower())
    if game and game.state == "forming":
        _join(context, name, said)
        if power and context.joined:
            own_settings.set_preference(context, power).apply(context)
    elif game and not power:
        _join(context, name, said)
    else:
        _sign_on(context, said)


def take_over(context: CommandContext, said: Target) -> None:
    """TAKEOVER Fheron <password>: DPjudge's SIGNON to a power that nobody plays."""
    _sign_on(context, said)


def resign(context: CommandContext, said: Target) -> None:
    """RESIGN Fheron <password>: sign on, and leave the game at the end of the block, if nothing in it was refused."""
    context.require(Right.LASTING)
    _sign_on(context, said)
    context.resigns = True


def _apart(context: CommandContext, said: Target) -> Target:
    """Read the power and the game as two words, in either order, where one word is left for the password."""
    if said.words and len(said.words.split()) == 1 and (seat := named_seat(context, [said.target, said.password])):
        return Target(seat, said.words, None)
    return said


def _sign_on(context: CommandContext, said: Target) -> None:
    said = _apart(context, said)
    if said.words:
        raise CommandError(
            f"Write SIGNON {said.target} <password>, and nothing after it."
        )
    signon.signon(context, said.target, said.password)


def _join(context: CommandContext, game: str, said: Target) -> None:
    context.registered()
    if game:
        joining.join(context, game, said.password, said.words)
    else:
        joining.join_any(context, said.password)


# With these after it, the word begins a sentence.
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
    Slip(
        names=("SIGNON", "LOGIN", "LOGON"),
        place=Place.OPENING,
        handler=sign_on,
        # More words than these are prose.
        pattern=r"(?:\s+(?P<password>\S+(?:\s+\S+){0,4}))?",
    ),
    # A greeting is read as one, however it goes on.
    _opening("HELLO", handler=hello)[0],
    *_opening("JOIN", handler=join),
    *_opening("TAKEOVER", "TAKE OVER", handler=take_over),
    *_opening("RESIGN", "WITHDRAW", handler=resign),
)
