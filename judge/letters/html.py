"""HTML letters → lines of text, for phones and mail programs that send only HTML.

A small scanner instead of html.parser, which needs quadratic time on hostile input and raises on broken markup.
It keeps what a reader of commands needs: where lines end, what is quoted (written with `> `) and where a signature
begins.
"""

import html
import re

# The beginning of a comment; a declaration; a tag. Any other "<" is text.
_MARKUP = re.compile(r"<!(?=--)|<[!?][^>]*>?|<(?P<closing>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9:-]*)(?P<attributes>[^>]*)>?")
# What ends a comment, and what is not shown.
_CLOSING = {
    "<!": re.compile("-->"),
    **{tag: re.compile(f"</{tag}[^>]*>?", re.IGNORECASE) for tag in ("script", "style", "title")},
}
_BLANKS = re.compile(r"[ \t\r\n\f]+")
# Longer than any character's number: converting it would take long, or fail.
_NO_CHARACTER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
_CLASS_OR_ID = re.compile(r"""\b(?:class|id)\s*=\s*("[^"]*|'[^']*|[^\s"'>]*)""", re.IGNORECASE)
_SIGNATURE = re.compile(r"signature(?!_prefix)", re.IGNORECASE)
_LINE_TAGS = frozenset(
    {"address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"}
    | {"table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_CELL_TAGS = frozenset({"td", "th"})
_DEEPEST_QUOTE = 5


def html_to_lines(source: str) -> list[str]:
    """The lines of an HTML letter, from top to bottom; a quoted line begins with one `>` for each level of the quote.
    """
    writer = _Writer()
    position = 0
    while found := _MARKUP.search(source, position):
        writer.text(source[position : found.start()])
        position = found.end()
        tag = (found["tag"] or found[0]).lower()
        if tag in _CLOSING and not found["closing"]:
            closer = _CLOSING[tag].search(source, position)
            position = closer.end() if closer else len(source)
        elif found["tag"]:
            writer.tag(tag, bool(found["closing"]), found["attributes"])
    writer.text(source[position:])
    writer.line()
    return writer.lines


def with_characters(source: str) -> str:
    """The source with the characters that it names (`&eacute;`, `&#233;`) in place of their names; numbers that are
    none of a character are U+FFFD.
    """
    return html.unescape(_NO_CHARACTER.sub("\ufffd", source)) if "&" in source else source


class _Writer:
    """Collects lines. Several blanks become one, as in a browser, except in <pre>."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._quotes = 0
        self._preformatted = 0
        # At which line the innermost row of a table begins, and how many cells it has.
        self._row, self._cells = -1, 0

    def text(self, source: str) -> None:
        if not source:
            return
        text = with_characters(source)
        if self._preformatted:
            first, *others = text.split("\n")
            self._line.append(first)
            for other in others:
                self.line(blank=True)
                self._line.append(other)
        else:
            self._line.append(_BLANKS.sub(" ", text))

    def tag(self, tag: str, closing: bool, attributes: str) -> None:
        if tag == "br":
            self.line(blank=True)
        elif tag in _CELL_TAGS:
            self._line.append(" ")
            self._cells += not closing
        elif tag in _LINE_TAGS:
            self.line()
        if tag == "tr":
            # Cells with one paragraph each, as Word and Outlook write them, become one line and not several.
            row = self.lines[self._row :] if self._row >= 0 else []
            if 2 <= len(row) <= self._cells and all(row) and not self._quotes:
                self.lines[self._row :] = [" ".join(row)]
            self._row, self._cells = (-1, 0) if closing else (len(self.lines), 0)
        step = -1 if closing else 1
        if tag == "blockquote":
            self._quotes = max(0, self._quotes + step)
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted + step)
        named = _CLASS_OR_ID.findall(attributes) if "ignature" in attributes and not closing else ()
        if any(map(_SIGNATURE.search, named)):
            self.line()
            if not (self.lines and self.lines[-1].strip() == "--"):
                self._line.append("-- ")
                self.line()

    def line(self, blank: bool = False) -> None:
        """End the line; an empty one is written only if the author asked for it (`blank`)."""
        text = "".join(self._line)
        self._line.clear()
        text = text.strip("\r") if self._preformatted else _BLANKS.sub(" ", text).strip(" ")
        if text or blank:
            depth = min(self._quotes, _DEEPEST_QUOTE)
            self.lines.append(">" * depth + " " + text if depth else text)
