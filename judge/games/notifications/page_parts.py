"""The pages of results: what all their readers share is made once, and each reader's own comes first, marked."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from markupsafe import Markup, escape

from judge.games.orders.forms import Form
from judge.mails.mail_writer import MailWriter
from judge.mails.pages import MOST_ROWS, in_ascii
from judge.mails.templates import own_first
from judge.mails.views import ResultView
from judge.rules import Variant
from judge.store.states import MailKind
from judge.store.tables import Seat

# What stands between the powers in the template of their orders, and where each reader's own belongs in the page.
_NEXT = "<!--next-->"
_CONCERNS, _ORDERS, _LETTER = "<!--concerns-->", "<!--orders-->", "<!--letter-->"
# What stands around a text or a piece of a page. The first words of a page are what phones show of a mail before it is
# opened.
_CONCERN = '<p style="font-size:17px;font-weight:bold;margin:4px 0 10px">', "</p>\n"
_OWN = '<div class="o" style="background:#fff4cc"><b style="padding:4px">Your orders</b>\n', "</div>\n"
_BLOCK = '<h2 style="font-size:17px;margin:20px 0 6px">', "</h2>\n"


@dataclass(frozen=True)
class Own:
    """What is one reader's own in the mail: their `seats`; what happened to them; what the next phase asks of them,
    their forms for it, and what the mail ends with.
    """

    seats: Sequence[Seat]
    concerns: Sequence[str]
    asked: Sequence[str]
    forms: Sequence[Form]
    end: str


@dataclass
class SharedPages:
    """The pages of one phase's results at the moment `now`. `below`: what stands below the orders, the same for all."""

    post: MailWriter
    variant: Variant
    context: Mapping[str, object]
    result: ResultView
    now: datetime
    below: Markup
    _pages: dict[str, Sequence[str]] = field(default_factory=dict)
    _arranged: dict[frozenset[str], str] = field(default_factory=dict)

    def for_reader(self, own: Own, zone: str) -> Markup:
        """The page for a reader in that zone."""
        head, above, rest, end = self._in_zone(zone)
        concerns = [_in(_CONCERN, escape(paragraph)) for paragraph in own.concerns]
        letter = Markup()
        if own.asked or own.forms or own.end:
            letter = self.post.page("own_part", zone, asked=own.asked, forms=own.forms, end=own.end)
        # Joined as plain text: Markup would look through all of it again.
        return Markup("".join([head, *concerns, above, self._orders(own.seats), rest, letter, end]))

    def _in_zone(self, zone: str) -> Sequence[str]:
        """The page in four parts, between which the reader's own belongs; in ASCII already, as each mail needs it."""
        if zone not in self._pages:
            page = in_ascii(self.post.page("results", zone, **self.context, below=self.below, moment=self.now))
            head, _, rest = page.partition(_CONCERNS)
            above, _, rest = rest.partition(_ORDERS)
            rest, _, end = rest.partition(_LETTER)
            self._pages[zone] = head, above, rest, end
        return self._pages[zone]

    def _orders(self, seats: Sequence[Seat]) -> str:
        """All orders, those of the reader's group and powers first."""
        seated = frozenset(seat.power for seat in seats if seat.power)
        if seated not in self._arranged:
            self._arranged[seated] = "".join(self._pieces(seated))
        return self._arranged[seated]

    def _pieces(self, seated: Set[str]) -> list[str]:
        own = {power for seat in seated for power in (seat, *self.variant.powers_of(seat))}
        title = next((block.title for block in self.result.orders if block.title in seated), "")
        pieces: list[str] = []
        for block in own_first(self.result.orders, title):
            powers = [power for power, _ in block.entries]
            pieces += [_in(_BLOCK, escape(block.title))] * bool(block.title)
            pieces += [_in(_OWN, self._own_tables[power]) for power in powers if power in own]
            pieces += [self._tables[power] for power in powers if power not in own]
        return pieces

    @cached_property
    def _tables(self) -> dict[str, str]:
        """{power: its orders}: as lines if they are so many that a mail program would cut the page."""
        return self._made(brief=self._are_many)

    @cached_property
    def _own_tables(self) -> dict[str, str]:
        return self._made(brief=False) if self._are_many else self._tables

    @property
    def _are_many(self) -> bool:
        return sum(len(lines) for _, lines in self._entries) > MOST_ROWS

    @cached_property
    def _entries(self) -> list[tuple[str, list[str]]]:
        return [entry for block in self.result.orders for entry in block.entries]

    def _made(self, *, brief: bool) -> dict[str, str]:
        context = {"entries": self._entries, "brief": brief, "variant": self.variant}
        tables = in_ascii(self.post.page("orders_of_all", "UTC", **context)).split(_NEXT)
        return {power: table for (power, _), table in zip(self._entries, tables, strict=False)}


def _in(around: tuple[str, str], piece: str) -> str:
    """A piece of a page in what stands around it."""
    before, behind = around
    return f"{before}{piece}{behind}"


def shared_pages(
    post: MailWriter, about: Mapping[str, object], variant: Variant, template: MailKind, now: datetime
) -> SharedPages | None:
    """What the pages of these mails share; `about`: what the template of their text is given. None if they are no
    results, or have no pages.
    """
    result = about.get("result")
    if template != "results" or not isinstance(result, ResultView) or not post.has_page("results"):
        return None
    below = post.page("results_of_all", "UTC", result=result, variant=variant)
    return SharedPages(post, variant, about, result, now, below)
