"""Emails that a reader only has to complete, and links that write such emails with one tap."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from judge.mails.blocks import Line

# The maximum length of a link. Some systems cut links after 2,048 characters.
LONGEST_LINK = 1900


class _Judge(Protocol):
    address: str


@dataclass(frozen=True)
class Form:
    """A form for orders in an email, which its reader only has to complete.

    `signon` is the sign-on without its password, like `Fheron`. `phase` is the phase of the orders, so that the email
    does nothing in a later phase. `lines` has the orders. `complete` is true if no order is left open. `passwordless`
    is true if the reader needs no password. `by_reply` is true if a reply needs no sign-on either. `is_late` is true
    after the deadline, when WAIT is refused.
    """

    signon: str
    phase: str
    lines: tuple[str, ...]
    complete: bool
    passwordless: bool = False
    by_reply: bool = False
    is_late: bool = False


def _letter(address: str, subject: str, lines: Iterable[str]) -> str:
    """Return a link that writes an email with these lines to `address` (RFC 6068)."""
    body = "".join(f"{quote(line, safe='')}%0D%0A" for line in lines)
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={body}"


def letters_of(form: Form, address: str) -> list[tuple[str, str]]:
    """Return the emails that the reader of a form can write with one tap, as links with labels.

    None of them contains a password or does anything that cannot be undone.
    """
    game, phase = form.signon[1:], f"PHASE {form.phase}"

    def signed(subject: str, *lines: str) -> str:
        return _letter(address, f"{game} {subject}", [signed_on(form), *lines, "SIGNOFF"])

    whole = signed("orders", phase, *form.lines)
    if len(whole) > LONGEST_LINK:
        whole = signed("orders", phase, "")
    return [
        (whole, "Change orders" if form.complete else "Write orders"),
        *[(signed("wait", phase, "SET WAIT"), "Wait for the deadline")] * (not form.is_late),
        (signed("absence", "SET ABSENCE <day> TO <day>"), "Absence"),
        (_letter(address, f"{game} map", [f"MAP {game}"]), "Map"),
    ]


def signed_on(form: Form) -> str:
    """Return the first line of a form, which is its sign-on."""
    return f"SIGNON {form.signon}{'' if form.passwordless else ' <your password>'}"


def button(forms: Sequence[Form], judge: _Judge) -> str:
    """Mark a button, for the HTML page only, that writes the first incomplete form.

    If all forms are complete, the button writes the first one.
    """
    todo = [*(form for form in forms if not form.complete), *forms]
    return str(Line("button", cells=letters_of(todo[0], judge.address)[0]) if todo else Line("gap"))


def links(form: Form, judge: _Judge) -> str:
    """Mark links, for the HTML page only, that write the emails of a form."""
    return str(Line("links", cells=tuple(part for pair in letters_of(form, judge.address) for part in pair)))
