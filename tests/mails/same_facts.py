"""Compare what the text of a mail says with what its page says: the same words, in the same order, in the same rows."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

# What a page has beside its text: what is said of it elsewhere, the button, the links.
_BESIDE = {"x", "a", "l"}
_VOID = {"meta", "img", "br", "wbr"}


def differences(text: str, page: str) -> list[str]:
    """Return how the page of a mail differs from its text; the lines for programs may stand elsewhere."""
    lines = [line for line in text.split("\n") if not line.startswith(":: ")]
    said = [(word, number) for number, line in enumerate(lines) for word in _words(line)]
    reader, at = _Page(), 0
    reader.feed(page)
    faults = [
        f"not on the page: {line}"
        for line in text.split("\n")
        if line.startswith(":: ") and line not in reader.programs
    ]
    for unit in reader.units:
        words = _words(unit.text)
        own = said[at : at + len(words)]
        if [word for word, _ in own] != words:
            there = lines[own[0][1]] if own else "(the end)"
            return [*faults, f"the page has: {unit.text.strip()[:200]}", f"the text has: {there}"]
        faults += [f"more than one row: {unit.text}"] * (unit.is_row and not _is_row(lines, said, at, at + len(words)))
        at += len(words)
    return faults + [f"not on the page: {lines[number]}" for _, number in said[at : at + 1]]


def _is_row(lines: list[str], said: list[tuple[str, int]], begin: int, end: int) -> bool:
    """Return whether these words are a whole line, or one with what had no room in it, which is indented."""
    first, *more = sorted({number for _, number in said[begin:end]}) or [-1]
    is_whole = all(not 0 < at < len(said) or said[at - 1][1] != said[at][1] for at in (begin, end))
    return is_whole and all(_margin(lines[number]) > _margin(lines[first]) for number in more)


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@dataclass
class _Unit:
    """A row of a table with its label, or any other block."""

    text: str = ""
    is_row: bool = False


class _Page(HTMLParser):
    """Reads a page; a label that stands for several rows belongs to each of them."""

    def __init__(self) -> None:
        super().__init__()
        self.units = [_Unit()]
        self.programs: list[str] = []
        self._beside: list[str] = []
        self._open: list[str] = []
        self._label, self._rows = "", 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in _VOID:
            return
        self._open.append(tag)
        if self._beside or known.get("class") in _BESIDE or tag in ("head", "style"):
            self._beside.append(tag)
        elif tag == "tr":
            self.units.append(_Unit(f"{self._label} " * (self._rows > 0), is_row=True))
            self._rows -= 1
        elif tag in ("p", "h1", "h2", "h3", "pre", "li", "div"):
            self.units.append(_Unit())
        elif tag == "th":
            self._label, self._rows = "", int(known.get("rowspan") or 1) - 1

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()
        if self._beside:
            self._beside.pop()
        elif tag in ("td", "th"):
            self.units[-1].text += " "
        elif tag in ("tr", "p"):
            self.units.append(_Unit())

    def handle_data(self, data: str) -> None:
        if self._beside:
            return
        if data.lstrip().startswith(":: "):
            self.programs += data.split("\n")
            return
        self.units[-1].text += data
        if "th" in self._open:
            self._label += data
