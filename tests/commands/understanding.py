"""What was understood of a letter of France's, as the mails tell that answer it."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.commands.deskatwork import Posted

_FRANCE, _TURKEY = "france@example.org", "turkey@example.org"


@dataclass(frozen=True)
class Understood:
    """What became of a letter: as Sample has it, and the reply."""

    orders: tuple[str, ...]
    press: str
    strays: tuple[str, ...]
    reply: str


def understood(mails: Sequence[Posted]) -> Understood:
    """What the mails that a letter of France's has made tell of it."""
    reply = "\n".join(mail.text for mail in mails if mail.to == _FRANCE)
    told = "\n".join(mail.text for mail in mails if mail.to == _TURKEY)
    return Understood(_orders(reply), _press(told), _strays(reply), reply)


def _orders(reply: str) -> tuple[str, ...]:
    """The orders on file, as the reply shows them at its end to be changed."""
    form = reply.rpartition("SIGNON Fheron <your password>")[2]
    return tuple(line.strip() for line in form.split("\n") if line[:6] in ("    A ", "    F ") and "..." not in line)


def _press(told: str) -> str:
    return told.partition("Press from France to Turkey:\n\n")[2].partition("\n\n:: Judge:")[0]


def _strays(reply: str) -> tuple[str, ...]:
    return tuple(line[2:] for line in reply.split("\n") if line.startswith("> ") and not line.startswith("> PRESS TO"))
