"""A letter: all that the judge needs to know about one incoming email, read once. Nothing here raises an error.

Of alternative parts, the plainest with text is read. Mixed parts are all read, in order. Attached files are not read.
Some mail programs, like Apple Mail, show a text file inside the letter. If the letter has no other text, this file is
read, and the letter's notes say so.

HTML is read by a small scanner, since html.parser needs quadratic time on hostile input and raises on broken markup.
The scanner keeps what a reader of commands needs. It keeps the ends of lines, quotes (written with `> `), struck-out
text (in `~~`) and the beginning of a signature.

The lines are normalized: plain dashes, blanks and quotes, nothing invisible. Each line has a kind. So orders are read
only from the writer's text, and press may keep its quotes.
"""

import hashlib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from judge.addresses import without_tag
from judge.letters.authentication import digest, not_covered, verified
from judge.letters.machine_mail import bulk_mark, ignore_reason
from judge.letters.mail_programs import is_boilerplate
from judge.letters.parsed import (
    OPAQUE,
    Part,
    addresses,
    date,
    header_field,
    message_ids,
    referred_to,
    unencoded,
    words,
)
from judge.letters.quotes import Kind, Kinds, Line, doubtful, kinds
from judge.letters.signon_lines import signon_words
from judge.letters.struck import Strikes, marked, may_strike, struck_as, without_struck
from judge.letters.text import clean, decode, fold

MAX_LINES = 5000
MAX_LINE = 10_000  # the maximum length of a line, such as a long paragraph of press
MAX_REFERENCES = 50
# Header fields that are not kept with a letter. The bytes that they describe or sign are not kept either.
_OF_BYTES = ("content-", "mime-version", "dkim-signature", "arc-", "x-google-dkim", "lines", "bytes")

_TEXTS = ("text/plain", "text/html", "text/markdown", "text/x-markdown")
_LONGEST_NAME = 60
_SIGNATURE = "-- "
_PGP_BEGINS, _PGP_ENDS = "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----"
_PGP_ENCRYPTED = "-----BEGIN PGP MESSAGE-----"
# The types of parts that mail programs attach on their own, such as signatures. People write no text in such parts.
_BY_PROGRAMS = frozenset(
    {"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"}
    | {"application/pgp-keys", "text/vcard", "text/x-vcard", "text/directory"}
)
_MOST_FILES = 5

# The beginnings of a comment, a declaration and a tag. Any other "<" is text.
_MARKUP = re.compile(r"<!(?=--)|<[!?][^>]*>?|<(?P<closing>/?)(?P<tag>[a-zA-Z][a-zA-Z0-9:-]*)(?P<attributes>[^>]*)>?")
# The end of a comment, and the end of each element whose text browsers do not show.
_CLOSING = {
    "<!": re.compile("-->"),
    **{tag: re.compile(f"</{tag}[^>]*>?", re.IGNORECASE) for tag in ("script", "style", "title")},
}
_BLANKS = re.compile(r"[ \t\r\n\f]+")
# Character references with too many digits for any character. Converting them would take long, or fail.
_NO_CHARACTER = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
_CLASS_OR_ID = re.compile(r"""\b(?:class|id)\s*=\s*("[^"]*|'[^']*|[^\s"'>]*)""", re.IGNORECASE)
_NAMED_SIGNATURE = re.compile(r"signature(?!_prefix)", re.IGNORECASE)
_LINE_TAGS = frozenset(
    {"address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "footer", "form"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"}
    | {"table", "tbody", "tfoot", "thead", "tr", "ul"}
)
_CELL_TAGS = frozenset({"td", "th"})
_DEEPEST_QUOTE = 5


@dataclass(frozen=True)
class Letter:
    """One incoming email as it was read.

    `sender` is the bare, normalized address (judge/addresses.py), or "" if From is missing, ambiguous or unusable.
    `reply_to` is such an address for replies. `addressed` is true if the judge is in the only To field. `message_id`
    and `references` (In-Reply-To first) have angle brackets. `date` is by the sender's clock, in UTC.

    `silent` says why the letter must not be answered unless it signs on, or is "". If `automatic` is true, the letter
    must not be carried out either. `verified` says whether our mail server confirms the sender (None: it does not say).
    `not_covered` says why a good signature may not prove what was read, or is "". `digest` is the same for each copy of
    a signed letter, whatever fields are above the signed ones.

    `damaged` is true if some text cannot be decoded, so that no one can be certain what the sender wrote. `notes` says
    what was left out of the lines. `unread` is a sentence that names the files that were not read, or "". `pictures` is
    such a sentence for the pictures in its HTML.
    """

    sender: str
    sender_name: str
    reply_to: str
    addressed: bool
    subject: str
    message_id: str
    references: tuple[str, ...]
    date: datetime | None
    lines: tuple[Line, ...]
    silent: str
    automatic: bool
    verified: bool | None
    not_covered: str
    digest: str
    damaged: bool
    notes: tuple[str, ...]
    unread: str = ""
    pictures: str = ""

    @property
    def texts(self) -> list[str]:
        """Return the texts of the lines that seem to be the sender's own: no quotes, signatures or the like."""
        return [line.text for line in self.lines if line.kind == "text"]


def read_letter(
    root: Part,
    *,
    own_addresses: frozenset[str] = frozenset(),
    authserv_id: str = "",
    max_lines: int = MAX_LINES,
    cut: bool = False,
) -> Letter:
    """Return the letter in a tree of MIME parts.

    `own_addresses` has the judge's normalized addresses. `authserv_id` is the name under which our mail server writes
    Authentication-Results. `cut` is true if the letter was too big, and the mailbox gave only its beginning.
    """
    sender_name, sender = _one_mailbox(root, "from")
    # Ignore To if there are two such fields, since one may have been added above the signed one.
    to = root.headers.get("to", ())
    named = [address for _, address in addresses(to[0])] if len(to) == 1 else []
    answered = referred_to(root.header("in-reply-to"))
    thread = referred_to(root.header("references"))
    silent, automatic = ignore_reason(root, sender, own_addresses)
    body, notes, file = body_lines(root)
    unread = _obstacle(root, body) or _not_read(_files(root, file))
    if cut:
        notes.insert(0, "the email was too large, so only its beginning was read")
    return Letter(
        sender=sender,
        sender_name=sender_name,
        reply_to=_one_mailbox(root, "reply-to")[1],
        addressed=bool({*named, *map(without_tag, named)} & own_addresses),
        subject=words(root.header("subject")),
        # A Message-ID without brackets is just text.
        message_id=next(iter(message_ids(own_id := root.header("message-id"))), words(own_id)),
        references=tuple(dict.fromkeys([*answered, *reversed(thread)]))[:MAX_REFERENCES],
        date=date(root.header("date")),
        lines=_lines(body, max_lines, notes),
        silent=silent,
        automatic=automatic,
        verified=verified(root.headers, authserv_id, sender),
        not_covered=not_covered(root, sender),
        digest=digest(root),
        damaged=any(part.is_damaged for part in root.walk() if part.content_type.startswith("text/")),
        notes=tuple(notes),
        unread=unread,
        pictures=_not_read(_files(root, file, of_page=True)),
    )


def fingerprint(root: Part) -> str:
    """Return a value that is the same for every copy of a letter, by whatever route: 64 hexadecimal digits.

    The value is a hash of Message-ID (or Date), From, Subject and the decoded bodies. Transport headers, transfer
    encodings, line ends and blanks at line ends do not change it.

    A copy from a mailing list gets another fingerprint. That copy may be ignored, but the copy that comes directly must
    not be ignored.
    """
    digest = hashlib.sha256(b"bulk\0" if bulk_mark(root) else b"")
    # RFC 5322, 3.6: a letter should have a Message-ID and must have a Date. Without both, equal texts count as copies.
    identity = "message-id" if root.header("message-id") else "date"
    for name in (identity, "from", "subject"):
        digest.update(words(root.header(name)).encode() + b"\0")
    for part in root.walk():
        if part.parts:
            continue
        # Write all line breaks alike, since a relay may change them.
        payload = part.payload
        if part.content_type.startswith("text/"):
            text = decode(payload, part.parameters.get("charset", ""))
            payload = "\n".join(line.rstrip() for line in text.splitlines()).rstrip().encode()
        digest.update(payload + b"\0")
    return digest.hexdigest()


def kept_letter(root: Part, letter: Letter, redact: Callable[[str], str]) -> bytes:
    """Return the bytes to store of an answered letter: headers and text as they were read, without passwords.

    MIME parts, HTML and attached files are left out, since a mail program can hide a password in them.
    """
    head = [
        f"{name.title()}: {redact(unencoded(value))}"
        for name, values in root.headers.items() if not name.startswith(_OF_BYTES)
        for value in values
    ]  # fmt: skip
    head += ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: 8bit", ""]
    return "".join(f"{line}\n" for line in [*head, *(redact(line.verbatim) for line in letter.lines)]).encode(
        "utf-8", "replace"
    )


def _one_mailbox(root: Part, name: str) -> tuple[str, str]:
    """Return the name and address in a field, or "" for both unless it has exactly one address (RFC 5322)."""
    found = [mailbox for value in root.headers.get(name, ()) for mailbox in addresses(value)]
    return found[0] if len(found) == 1 else ("", "")


def _lines(body: list[str], max_lines: int, notes: list[str]) -> tuple[Line, ...]:
    """Cut the lines to size, normalize them, give each its kind, and drop blank lines at the end."""
    while body and not body[-1].strip():
        body.pop()
    if len(body) > max_lines:
        del body[max_lines:]
        notes.append(f"cut at {max_lines:,} lines")
    if any(len(line) > MAX_LINE for line in body):
        body = [line[:MAX_LINE] for line in body]
        notes.append(f"lines cut at {MAX_LINE:,} characters")
    body, sorts = _without_struck(body, notes)
    folded = [fold(line) for line in body]
    doubts = doubtful(folded, sorts)
    return tuple(map(_line, body, folded, sorts, doubts))


def _without_struck(body: list[str], notes: list[str]) -> tuple[list[str], Kinds]:
    """Return the lines without struck-out text, and the kind of each.

    A line that is struck out as a whole keeps the marks that show this.
    """
    body, struck = without_struck(body)
    sorts = kinds(body)
    own = [number for number in struck if sorts[number] in ("text", "rest")]
    for number in own:
        # The reply quotes a line that is struck out as a whole.
        if not any(map(str.isalpha, body[number])):
            body[number], sorts[number] = struck[number], "struck"
    if own:
        notes.append("struck-out words were not read")
    return body, sorts


def _line(source: str, text: str, kind: Kind, is_doubtful: bool) -> Line:
    written = clean(source)
    return Line(text, kind, "" if written == text else written, is_doubtful)


# --- the text ---


def body_lines(root: Part) -> tuple[list[str], list[str], Part | None]:
    """Return the lines of the text before normalization, notes on unusual sources, and the file read, or None."""
    lines, notes, read = _readable(root), list[str](), None
    if not _says_something(lines):
        # A letter with only one part is that part, even if it has a file name.
        files = (part for part in root.walk() if part is not root and file_name(part) and not part.is_attachment)
        read = next((file for file in files if _says_something(_text_lines(file))), None)
    if read is not None:
        lines = [*lines, *_text_lines(read)]
        notes = [f"the email has no other text, so its file {file_name(read)} was read"]
    return _without_dashes(lines), notes, read


def _without_dashes(lines: Sequence[str]) -> list[str]:
    """Remove the "- " that OpenPGP's cleartext signatures put before a dash at a line's start (RFC 9580 §7.2)."""
    signed, plain = False, []
    for line in lines:
        if line.startswith(_PGP_BEGINS):
            signed = True
        elif line.startswith(_PGP_ENDS):
            signed = False
        plain.append(line.removeprefix("- ") if signed else line)
    return plain


def file_name(part: Part) -> str:
    """Return the shortened name of an attached file, or "" for a part without a name."""
    _, disposition = header_field(part.header("content-disposition"))
    return words(disposition.get("filename") or part.parameters.get("name", ""))[:_LONGEST_NAME]


def _says_something(lines: list[str]) -> bool:
    return any(line.strip() and not is_boilerplate(fold(line)) for line in lines)


def _obstacle(root: Part, lines: list[str]) -> str:
    """Return why nothing of the letter can be read, such as encryption, or "" if it can be read."""
    parts = list(root.walk())
    kinds = {part.content_type for part in parts if not part.parts or part.content_type not in OPAQUE}
    if kinds & {"multipart/encrypted", *OPAQUE} or any(line.startswith(_PGP_ENCRYPTED) for line in lines):
        return "Your email is encrypted, so it was not read: send it as plain text."
    if not _says_something(lines) and kinds & {"application/ms-tnef", "application/vnd.ms-tnef"}:
        return "Your email came as winmail.dat, which only Outlook can read: send it as plain text."
    return ""


def _not_read(files: Iterable[str]) -> str:
    named = list(dict.fromkeys(files))
    if not named:
        return ""
    if len(named) > _MOST_FILES:
        named[_MOST_FILES:] = [f"{len(named) - _MOST_FILES} more"]
    *most, last = named
    shown, were, they_have = last, "was", "it has"
    if most:
        shown, were, they_have = f"{', '.join(most)} and {last}", "were", "they have"
    return f"{shown[0].upper()}{shown[1:]} {were} not read: if {they_have} orders, copy them into the text of an email."


def _files(root: Part, read: Part | None, *, of_page: bool = False) -> Iterator[str]:
    """Yield a phrase for each file except the part that was `read`.

    With `of_page`, yield one for each picture in the HTML.
    """
    for part, parent in _leaves(root, root):
        kind = part.content_type
        is_picture = kind.startswith("image/")
        is_in_page = is_picture and parent.content_type == "multipart/related"
        if part is read or is_in_page != of_page or not _is_file(part, parent, root):
            continue
        name = file_name(part)
        # The file name may contain a password.
        if signon_words(name):
            name = ""
        what, without_name = ("picture", "a picture") if is_picture else ("file", f"a file of type {kind}")
        if kind == "message/rfc822":
            yield "an attached email"
        else:
            yield f"the {what} {name}" if name else without_name


def _is_file(part: Part, parent: Part, root: Part) -> bool:
    """Return whether the part is an attached file, and not text or an addition by the mail program."""
    kind = part.content_type
    if kind in _BY_PROGRAMS:
        return False
    if parent.content_type == "multipart/alternative" and kind.startswith("text/") and kind != "text/calendar":
        return False
    has_name = part is not root and file_name(part) != ""
    return not _is_text(part) or part.is_attachment or has_name


def _leaves(part: Part, parent: Part) -> Iterator[tuple[Part, Part]]:
    """Yield the innermost parts, each with the part around it. An attached email is one part."""
    is_opened = part.content_type in OPAQUE or not part.is_attachment and part.content_type != "message/rfc822"
    if part.parts and is_opened:
        for child in part.parts:
            yield from _leaves(child, part)
    else:
        yield part, parent


def _is_text(part: Part) -> bool:
    """Return whether the part is text for people, as any text is if it is the whole letter."""
    return part.content_type in _TEXTS or not part.depth and part.content_type.startswith("text/")


def _readable(part: Part) -> list[str]:
    """Return the lines of a part: the plainest alternative that has text, or all parts of multipart/mixed in order."""
    is_opened = part.content_type in OPAQUE and part.parts
    if part.content_type == "message/rfc822" or part.is_attachment and not is_opened:
        return []
    if part.content_type == "multipart/alternative":
        return _plainest(part.parts)
    if part.parts:
        shown = [child for child in part.parts if child.parts or not file_name(child)]
        return [*chain.from_iterable(map(_readable, shown))]
    return _text_lines(part)


def _plainest(parts: Iterable[Part]) -> list[str]:
    """Return the lines of the plainest part that has text. Text struck out in the HTML part is between ~~."""
    in_turn = sorted(parts, key=lambda one: all(leaf.content_type != "text/plain" for leaf in one.walk()))
    for number, part in enumerate(in_turn, 1):
        lines = _readable(part)
        if any(map(str.strip, lines)):
            leaves = (leaf for other in in_turn[number:] for leaf in other.walk() if leaf.content_type == "text/html")
            page = next((source for source in map(_decoded, leaves) if may_strike(source)), "")
            return struck_as(lines, html_to_lines(page)) if page else lines
    return []


def _decoded(part: Part) -> str:
    return decode(part.payload, part.parameters.get("charset", "")).replace("\0", "")


def _text_lines(part: Part) -> list[str]:
    if not _is_text(part):
        return []
    text = _decoded(part)
    if part.content_type == "text/html":
        return html_to_lines(text)
    lines = text.splitlines()
    if part.parameters.get("format", "").lower() == "flowed":
        return unflow(lines, part.parameters.get("delsp", "").lower() == "yes")
    return lines


def unflow(lines: Iterable[str], delsp: bool = False) -> list[str]:
    """Join the lines of format=flowed (RFC 3676) that were wrapped. Quoted lines are returned as `> text`.

    A line that ends in a blank continues in the next line of the same quote depth (§4.1, §4.5). With `delsp`, that
    blank is not part of the text (§4.2).
    """
    paragraphs: list[tuple[int, list[str]]] = []
    goes_on = False
    for line in lines:
        text = line.lstrip(">")
        depth = len(line) - len(text)
        text = text.removeprefix(" ")  # the blank of space-stuffing (RFC 3676, 4.4)
        if not (goes_on and depth == paragraphs[-1][0] and text != _SIGNATURE):
            paragraphs.append((depth, []))
        goes_on = text.endswith(" ") and text != _SIGNATURE
        paragraphs[-1][1].append(text[:-1] if goes_on and delsp else text)
    return [">" * depth + " " * (depth > 0) + "".join(texts) for depth, texts in paragraphs]


def html_to_lines(source: str) -> list[str]:
    """Return the lines of an HTML letter. A quoted line begins with one `>` for each level of quotation."""
    writer = _Writer()
    position = 0
    while found := _MARKUP.search(source, position):
        writer.text(source[position : found.start()])
        position = found.end()
        tag = (found["tag"] or found[0]).lower()
        if tag in _CLOSING and not found["closing"]:
            closer = _CLOSING[tag].search(source, position)
            begin, end = closer.span() if closer else (len(source), len(source))
            if tag == "style":
                writer.strikes.learn(source[position:begin])
            position = end
        elif found["tag"]:
            writer.tag(tag, bool(found["closing"]), found["attributes"])
    writer.text(source[position:])
    writer.line()
    return writer.lines


class _Writer:
    """Collects the lines of an HTML letter. Several blanks become one, as in a browser, except inside <pre>."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.strikes = Strikes()
        # Pieces of text, each with a flag: whether it is struck out.
        self._line: list[tuple[bool, str]] = []
        self._quotes = 0
        self._preformatted = 0
        # The line at which the row of the innermost table begins, and the cells in the row so far.
        self._row, self._cells = -1, 0
        # The piece of text at which a raised text begins.
        self._raised = 0

    def text(self, source: str) -> None:
        # A reference to a character that does not exist becomes U+FFFD.
        text = html.unescape(_NO_CHARACTER.sub("\ufffd", source))
        if self._preformatted:
            first, *others = text.split("\n")
            self._add(first)
            for other in others:
                self.line(blank=True)
                self._add(other)
        else:
            self._add(_BLANKS.sub(" ", text))

    def _add(self, text: str) -> None:
        self._line.append((bool(self.strikes), text))

    def tag(self, tag: str, closing: bool, attributes: str) -> None:
        if tag == "br":
            self.line(blank=True)
        elif tag in _CELL_TAGS:
            self._add(" ")
            self._cells += not closing
        elif tag in _LINE_TAGS:
            self.line()
        if tag == "tr":
            self._row_of_table(closing)
        elif tag == "sup":
            self._raise(closing)
        step = 1
        if closing:
            step = -1
            self.strikes.end(tag)
        else:
            self.strikes.begin(tag, attributes, is_block=tag in _LINE_TAGS)
        if tag == "blockquote":
            self._quotes = max(0, self._quotes + step)
        elif tag == "pre":
            self._preformatted = max(0, self._preformatted + step)
        if not closing and "ignature" in attributes:
            self._signature(attributes)

    def _raise(self, closing: bool) -> None:
        """Write "^" before a raised number after a word, such as the number of a footnote."""
        if not closing:
            self._raised = len(self._line)
            return
        above, raised = (
            "".join(text for _, text in part) for part in (self._line[: self._raised], self._line[self._raised :])
        )
        if above[-1:].isalpha() and raised.isdecimal():
            self._line.insert(self._raised, (bool(self.strikes), "^"))

    def _row_of_table(self, closing: bool) -> None:
        """Begin or end a row of a table, whose cells become one line.

        Word and Outlook put a paragraph into each cell.
        """
        row = self.lines[self._row :] if self._row >= 0 else []
        if 2 <= len(row) <= self._cells and all(row) and not self._quotes:
            self.lines[self._row :] = [" ".join(row)]
        self._row, self._cells = (-1, 0) if closing else (len(self.lines), 0)

    def _signature(self, attributes: str) -> None:
        """Write the line "-- " above an element whose name says that it is a signature."""
        if not any(map(_NAMED_SIGNATURE.search, _CLASS_OR_ID.findall(attributes))):
            return
        self.line()
        if not self.lines or self.lines[-1].strip() != "--":
            self._line.append((False, "-- "))
            self.line()

    def line(self, blank: bool = False) -> None:
        """End the line. Write an empty line only if the author wanted one (`blank`)."""
        text = marked(self._line)
        self._line.clear()
        text = text.strip("\r") if self._preformatted else _BLANKS.sub(" ", text).strip(" ")
        if text or blank:
            depth = min(self._quotes, _DEEPEST_QUOTE)
            self.lines.append(">" * depth + " " + text if depth else text)
