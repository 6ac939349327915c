"""What the pages of mails have beside their texts: colours, times to go, marks as signs, links that write a letter.

A page says what its text says. Everything in it is escaped by the template; nothing here makes HTML of a text.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from markupsafe import Markup

from judge.rules import Variant
from judge.rules.board.names import counted

# The colour of neutrals, and of whatever has none.
_GREY = "#8c8c8c"
_TITLE = Markup('<h2 style="font-size:17px;margin:20px 0 6px">{}</h2>\n')
# The characters of the verdict above the reader's orders.
_HEADLINES = 320
# The longest link that mail programs take: some of those that start them cut what is longer than 2,048 characters.
LONGEST_LINK = 1900


@dataclass(frozen=True)
class Form:
    """An email that its reader has only to complete.

    `signon`: the sign-on, like `Fheron`, with the password left open; `phase`: the one that it is for, so that it does
    nothing in a later one; `lines`: the orders; `complete`: none is left open. `passwordless`: its reader needs no
    password; `by_reply`: nor a sign-on, in a reply.
    """

    signon: str
    phase: str
    lines: tuple[str, ...]
    complete: bool
    passwordless: bool = False
    by_reply: bool = False


def arrows(text: str) -> str:
    """`->` as an arrow."""
    return text.replace("->", "\N{RIGHTWARDS ARROW}")


def colour_of(name: str, variant: Variant) -> str:
    """The colour of the power or group of that name."""
    owner = variant.power_named.get(name) or variant.seat_named.get(name)
    return owner.colour if owner else _GREY


def within(moment: datetime, now: datetime) -> str:
    """`in 2 days 3 hours`; "" if the moment has passed."""
    return f"in {time_left(now, moment)}" if moment > now else ""


def time_left(now: datetime, until: datetime) -> str:
    """Return what is left in words, by its two largest parts: `1 day 4 hours`."""
    seconds = max(0, int((until - now).total_seconds()))
    if seconds < 60:
        return counted(seconds, "second")
    parts = [(seconds // 86400, "day"), (seconds // 3600 % 24, "hour"), (seconds // 60 % 60, "minute")]
    return " ".join([counted(number, noun) for number, noun in parts if number][:2])


def in_ascii(page: str) -> str:
    """A page whose characters beyond ASCII are written as HTML knows them."""
    return page if page.isascii() else page.encode("ascii", "xmlcharrefreplace").decode()


def _letter(address: str, subject: str, lines: Iterable[str]) -> str:
    """A link that writes a letter to `address` with these lines (RFC 6068)."""
    body = "".join(f"{quote(line, safe='')}%0D%0A" for line in lines)
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={body}"


def letters_of(form: Form, address: str) -> list[tuple[str, str]]:
    """(link, what it is called) of the letters that one tap writes for the reader of a form.

    None holds a password, and none does what cannot be taken back.
    """
    game, signon = form.signon[1:], signed_on(form)
    whole = _letter(address, f"{game} orders", [signon, f"PHASE {form.phase}", *form.lines, "SIGNOFF"])
    if len(whole) > LONGEST_LINK:
        whole = _letter(address, f"{game} orders", [signon, f"PHASE {form.phase}", "", "SIGNOFF"])
    return [
        (whole, "Change orders" if form.complete else "Write orders"),
        (
            _letter(address, f"{game} wait", [signon, f"PHASE {form.phase}", "SET WAIT", "SIGNOFF"]),
            "Wait for the deadline",
        ),
        (_letter(address, f"{game} absence", [signon, "SET ABSENCE <day> TO <day>", "SIGNOFF"]), "Absence"),
        (_letter(address, f"{game} map", [f"MAP {game}"]), "Map"),
    ]


def signed_on(form: Form) -> str:
    """The first line of a form."""
    return f"SIGNON {form.signon}{'' if form.passwordless else ' <your password>'}"


def headlines(summary: Iterable[tuple[str, Sequence[str]]]) -> tuple[list[str], list[str]]:
    """Return paragraphs for the head of a page, and for its section of the reader's own orders, of {power: sentences}.

    The first sentences of all powers come first; what would push the orders off the screen of a phone is left for them.
    """
    room = _HEADLINES
    above: list[str] = []
    below: list[str] = []
    for power, sentences in summary:
        taken = 0
        for sentence in sentences:
            if len(sentence) > room:
                break
            room, taken = room - len(sentence), taken + 1
        label = f"{power}: " if power else ""
        above += [label + " ".join(sentences[:taken])] * bool(taken)
        below += [("" if taken else label) + " ".join(sentences[taken:])] * (taken < len(sentences))
    return above, below


class Written(str):
    """A text that a template has made, and its `page`, made of the same; "" if it has none."""

    page: Markup = Markup()

    @classmethod
    def of(cls, text: str, page: Markup) -> "Written":
        """The text with its page."""
        written = cls(text)
        written.page = page
        return written


def titled(title: str, text: str) -> str:
    """The text below its title."""
    whole, page = f"{title}\n\n{text}".rstrip(), page_of(text)
    return Written.of(whole, _TITLE.format(title) + page) if page else whole


def page_of(text: str) -> Markup:
    """The page of a text, if there is one."""
    return text.page if isinstance(text, Written) else Markup()


PAGE_FILTERS: Mapping[str, Callable[..., object]] = {
    "headlines": headlines,
    "arrows": arrows,
    "colour_of": colour_of,
    "within": within,
    "letters_of": letters_of,
    "signed_on": signed_on,
    "page_of": page_of,
}
