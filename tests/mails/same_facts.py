"""Compare what the text of a results mail says with what its page says, statement by statement, both ways."""

import re
from html.parser import HTMLParser

_BLOCKS = {"p", "h1", "h2", "h3", "div", "pre"}


def differences(text: str, page: str) -> list[str]:
    """Return what the page says and the text does not, then what is left of the text when all that is struck out."""
    left, lacking = " ".join(text.split()), []
    # A longer statement may hold a shorter one.
    for statement in sorted(statements(page), key=len, reverse=True):
        if statement not in left:
            lacking.append(f"not in the text: {statement}")
        left = left.replace(statement, "\n", 1)
    return lacking + [f"not on the page: {rest.strip()}" for rest in left.split("\n") if re.search(r"\w", rest)]


def statements(page: str) -> list[str]:
    """Return all that the page of a results mail says, each order with its power as in the text."""
    reader = _Page()
    reader.feed(page)
    said = (" ".join(line.replace("\N{RIGHTWARDS ARROW}", "->").split()) for line in reader.said)
    return [statement for statement in said if statement]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._text = self._power = ""
        self._is_label = False
        self._cells: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in ("meta", "img"):
            return
        # Links that write a letter, the words above the reader's own orders, how long it is until the deadline.
        beside = known.get("class") in ("a", "l", "y")
        if self._hidden or beside or tag in ("head", "style"):
            self._hidden.append(tag)
        elif tag in _BLOCKS or tag == "table":
            self._flush()
        elif tag in ("td", "th"):
            self._text, self._is_label = "", known.get("scope") == "row"
        elif tag == "br":
            self._text += "\n"
        if tag == "table":
            self._power = ""

    def handle_endtag(self, tag: str) -> None:
        if self._hidden:
            if self._hidden[-1] == tag:
                self._hidden.pop()
        elif tag == "th" and not self._is_label:
            self._power, self._text = self._text.strip(), ""
        elif tag in ("td", "th"):
            self._cells.append(self._text.strip())
            self._text = ""
        elif tag == "tr":
            self._row()
        elif tag in _BLOCKS:
            self._flush(whole=tag != "p")

    def handle_data(self, data: str) -> None:
        if not self._hidden and not re.fullmatch(r"in \d+ \w+( \d+ \w+)?", data):
            self._text += data

    def _row(self) -> None:
        cells, self._cells = self._cells, []
        if len(cells) == 2 and re.match("[–✗]|$", cells[1]):
            self.said.append(f"{self._power} {_with_marks(f'{cells[0]} {cells[1]}')}")
        elif cells:
            self.said += [f"{cells[0]} {line}" for line in cells[1].split("\n")]

    def _flush(self, *, whole: bool = True) -> None:
        """Take the text of a block: a statement, or the orders of one power as lines of a paragraph."""
        power, *lines = [line.strip() for line in self._text.split("\n") if line.strip()] or [""]
        if lines and power.endswith(":") and not whole:
            self.said += [f"{power} {_with_marks(line)}" for line in lines]
        else:
            self.said.append(re.sub("^✗ ", "", " ".join([power, *lines])))
        self._text = ""


def _with_marks(order: str) -> str:
    """`Army Paris -> Burgundy. (*bounce*)` for an order with a sign behind it."""
    text, _, marks = re.sub("–$", "", order.strip()).partition("✗")
    return f"{text.strip()} (*{marks.strip()}*)" if marks else text.strip()
