"""A sign-on that names power and game as words, "SIGNON France heron hush", or has words around them."""

from collections.abc import Sequence

from judge.commands.core.command import Call, Place, Slip
from judge.commands.core.context import CommandContext
from judge.commands.core.decoration import AROUND_PASSWORDS, BETWEEN
from judge.commands.core.errors import CommandError
from judge.commands.people import signon
from judge.commands.people.vacant_seat import ROLES
from judge.games.core.board import variant_of
from judge.games.core.who_is_meant import is_seat
from judge.store.games import game_named


def sign_on(context: CommandContext, call: Call, password: str | None) -> None:
    """SIGNON and other words than the command has: they are understood if they name a game of this judge."""
    *words, last = (password or "").split() or [""]
    secret: str | None = last
    target = named_seat(context, words)
    if not target and words and (target := named_seat(context, [*words, last])):
        secret = None  # SIGNON F heron, of a player who needs no password
    if not target:
        raise CommandError(
            "Write SIGNON F<game> <password>: the letter of your power and the game as one word, then your password as "
            "another. Nothing below this line was read."
        )
    signon.signon(context, call, target, secret)


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


SLIPS = (
    Slip(
        names=("SIGNON", "LOGIN", "LOGON"),
        place=Place.OPENING,
        handler=sign_on,
        # More words than these are prose.
        pattern=r"(?:\s+(?P<password>\S+(?:\s+\S+){0,4}))?",
    ),
)
