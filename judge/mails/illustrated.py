"""A mail with its pictures: they stand in its page. A mail without a page gets one that is its text.

The text part is complete without the HTML (RFC 2046, 5.1.4: the plainest part first). The pictures are in the mail
itself (RFC 2387, RFC 2392), so that nothing is loaded from a server when it is read. An SVG is attached, since few mail
programs show one; so is every picture for a reader who wants no HTML. The same mail and picture give the same bytes, so
that a mail that is sent twice is the same both times.
"""

import binascii
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from functools import lru_cache

from judge.mails.compose import NO_PAGES, PAGE
from judge.mails.enclosed import enclosed, opened
from judge.mails.parts import END, heading, joined, nested, part, taken_apart

# Where the pictures belong in a page: on a line of its own.
PLACE = "<!--pictures-->"

_PLACE = PLACE.encode()
_PARTED = re.compile(rb'Content-Type: multipart/alternative; boundary="([^"]+)"')
_PRE_PAGE = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:8px">
<pre style="{pre}">{first}</pre>
{images}
<pre style="{pre}">{rest}</pre>
</body></html>
"""
_IMAGE = '<img src="cid:{cid}" alt="{alt}" style="width:100%;max-width:1400px;height:auto">'
_PRE = "white-space:pre-wrap;font:13px/1.35 monospace"


@dataclass(frozen=True)
class Drawn:
    """A picture for a mail: its file name, its media type, its bytes, a description in words; and the heading above it,
    if any.
    """

    name: str
    media_type: str
    data: bytes
    alt: str
    caption: str = ""


def illustrated(raw: bytes, pictures: Sequence[Drawn]) -> bytes:
    """`raw`, a mail as `compose` makes it, with the pictures, all of one media type."""
    if inside := opened(raw):
        mail, files = inside
        return enclosed(illustrated(mail, pictures), files)
    head, _, body = raw.partition(END * 2)
    mark = hashlib.sha256(raw).hexdigest()[:24]
    header, whole = taken_apart(raw)
    if pictures[0].media_type.startswith("image/svg") or NO_PAGES.encode() in header:
        kind, boundary, parts = "mixed", f"mixed-{mark}", [whole, *(_file(one, "attachment") for one in pictures)]
        return END.join([*header, heading(kind, boundary), b"", joined(boundary, parts)])
    by_cid = {f"{mark}.{number}@picture": picture for number, picture in enumerate(pictures)}
    files = [_file(picture, "inline", cid) for cid, picture in by_cid.items()]
    images = "\n".join(_image(cid, picture) for cid, picture in by_cid.items())
    if parted := _parted(head, body):
        between, before, page = parted
        related = nested("related", f"related-{mark}", [_placed(page, images), *files])
        return b"".join([head, END * 2, before, related, END, b"--", between, b"--", END])
    page = part(PAGE, "quoted-printable", _quoted(_pre_page(raw, images)))
    kind, boundary = "alternative", f"alternative-{mark}"
    related = nested("related", f"related-{mark}", [page, *files])
    return END.join([*header, heading(kind, boundary), b"", joined(boundary, [whole, related])])


def with_notice(raw: bytes, notice: str) -> bytes:
    """`raw` with one more paragraph, in ASCII, where its pictures would have been: below the first paragraph of its
    text, and in its page.
    """
    if inside := opened(raw):
        mail, files = inside
        return enclosed(with_notice(mail, notice), files)
    head, _, body = raw.partition(END * 2)
    parted = _parted(head, body)
    if not parted:
        return head + END * 2 + _with_paragraph(head, body, notice)
    boundary, before, page = parted
    opening = b"--" + boundary + END
    _, text, rest = before.split(opening, 2)
    about, _, text = text.partition(END * 2)
    told = _with_paragraph(about, text.removesuffix(END), notice) + END
    page = _placed(page, f"<p>{html.escape(notice)}</p>")
    between = about + END * 2 + told + opening + rest + page + END
    return head + END * 2 + opening + between + b"--" + boundary + b"--" + END


def _with_paragraph(about: bytes, body: bytes, notice: str) -> bytes:
    """The text with the paragraph below its first one; `about`: its header."""
    text = notice.encode("ascii")
    if b"quoted-printable" in about.lower():
        text = binascii.b2a_qp(text, istext=True).replace(b"\n", END)
    first, gap, rest = body.partition(END * 2)
    paragraphs = [first, text, rest] if gap else [first.removesuffix(END), text + END]
    return (END * 2).join(paragraphs)


def _parted(head: bytes, body: bytes) -> tuple[bytes, bytes, bytes] | None:
    """Of a mail that has a page: the boundary, what stands before the page, and the page with its header."""
    found = _PARTED.search(head)
    if not found:
        return None
    opening = b"--" + found[1] + END
    before, opening, page = body.rpartition(opening)
    return found[1], before + opening, page.removesuffix(END + b"--" + found[1] + b"--" + END)


def _placed(page: bytes, put: str) -> bytes:
    """A page, as a part, with `put` where the pictures belong."""
    quoted = b"quoted-printable" in page.partition(END * 2)[0]
    said = put.encode("ascii", "xmlcharrefreplace").decode()
    return page.replace(_PLACE, _quoted(said) if quoted else said.replace("\n", "\r\n").encode(), 1)


def _quoted(text: str) -> bytes:
    return binascii.b2a_qp(text.replace("\n", "\r\n").encode(), istext=True)


def _pre_page(raw: bytes, images: str) -> str:
    """The text as HTML, with the pictures below its first paragraph: the result in words comes first."""
    message = message_from_bytes(raw)
    decoded = message.get_payload(decode=True)
    assert isinstance(decoded, bytes)
    text = decoded.decode(message.get_content_charset("ascii"), "replace").replace("\r\n", "\n").rstrip("\n")
    first, _, rest = html.escape(text).partition("\n\n")
    return _PRE_PAGE.format(first=first, rest=rest, images=images, pre=_PRE)


def _image(cid: str, picture: Drawn) -> str:
    caption = f'<p style="margin:14px 0 4px">{html.escape(picture.caption)}</p>\n' if picture.caption else ""
    return caption + _IMAGE.format(cid=cid, alt=html.escape(picture.alt))


def _file(picture: Drawn, disposition: str, cid: str = "") -> bytes:
    about = [f'Content-Disposition: {disposition}; filename="{picture.name}"']
    if cid:
        about.append(f"Content-ID: <{cid}>")
    return part(f'{picture.media_type}; name="{picture.name}"', "base64", _base64(picture.data), *about)


@lru_cache(maxsize=16)
def _base64(data: bytes) -> bytes:
    """In lines of 76 characters (RFC 2045, 6.8); a game's picture goes to all its readers, one after the other."""
    encoded = binascii.b2a_base64(data, newline=False)
    return END.join([encoded[start : start + 76] for start in range(0, len(encoded), 76)]) + END
