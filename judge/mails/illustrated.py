"""A mail with its pictures: the text as it is, and as an alternative the same text as HTML with the pictures in it.

The text part is complete without the HTML (RFC 2046, 5.1.4: the plainest part first). The pictures are in the mail
itself (RFC 2387, RFC 2392), so that nothing is loaded from a server when it is read. An SVG is attached, since few mail
programs show one. The same mail and picture give the same bytes, so that a mail that is sent twice is the same both
times.
"""

import binascii
import hashlib
import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from functools import lru_cache

_END = b"\r\n"
_PAGE = """\
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
    """`raw`, a mail of one text part as `compose` makes it, with the pictures, all of one media type."""
    head, _, body = raw.partition(_END * 2)
    lines = head.split(_END)
    about_text = [line for line in lines if line.lower().startswith((b"content-type:", b"content-transfer-encoding:"))]
    header = [line for line in lines if line not in about_text]
    mark = hashlib.sha256(raw).hexdigest()[:24]
    text = _END.join(about_text) + _END * 2 + body
    if pictures[0].media_type.startswith("image/svg"):
        kind, parts = "mixed", [text, *(_file(picture, "attachment") for picture in pictures)]
    else:
        by_cid = {f"{mark}.{number}@picture": picture for number, picture in enumerate(pictures)}
        page = _part("text/html; charset=utf-8", "quoted-printable", _page(raw, by_cid))
        images = [_file(picture, "inline", cid) for cid, picture in by_cid.items()]
        related = _parts(f"related-{mark}", [page, *images])
        kind, parts = "alternative", [text, _heading("related", f"related-{mark}") + _END * 2 + related]
    return _END.join([*header, _heading(kind, f"{kind}-{mark}"), b"", _parts(f"{kind}-{mark}", parts)])


def with_notice(raw: bytes, notice: str) -> bytes:
    """`raw` with one more paragraph, in ASCII, where its pictures would have been: below the first paragraph."""
    head, _, body = raw.partition(_END * 2)
    text = notice.encode("ascii")
    if b"quoted-printable" in head.lower():
        text = binascii.b2a_qp(text, istext=True).replace(b"\n", _END)
    first, gap, rest = body.partition(_END * 2)
    paragraphs = [first, text, rest] if gap else [first.removesuffix(_END), text + _END]
    return head + _END * 2 + (_END * 2).join(paragraphs)


def _page(raw: bytes, pictures: Mapping[str, Drawn]) -> bytes:
    """The text as HTML, with the pictures below its first paragraph: the result in words comes first."""
    message = message_from_bytes(raw)
    decoded = message.get_payload(decode=True)
    assert isinstance(decoded, bytes)
    text = decoded.decode(message.get_content_charset("ascii"), "replace").replace("\r\n", "\n").rstrip("\n")
    first, _, rest = html.escape(text).partition("\n\n")
    images = "\n".join(_image(cid, picture) for cid, picture in pictures.items())
    page = _PAGE.format(first=first, rest=rest, images=images, pre=_PRE)
    return binascii.b2a_qp(page.replace("\n", "\r\n").encode(), istext=True)


def _image(cid: str, picture: Drawn) -> str:
    caption = f'<p style="margin:14px 0 4px">{html.escape(picture.caption)}</p>\n' if picture.caption else ""
    return caption + _IMAGE.format(cid=cid, alt=html.escape(picture.alt))


def _file(picture: Drawn, disposition: str, cid: str = "") -> bytes:
    about = [f'Content-Disposition: {disposition}; filename="{picture.name}"']
    if cid:
        about.append(f"Content-ID: <{cid}>")
    return _part(f'{picture.media_type}; name="{picture.name}"', "base64", _base64(picture.data), *about)


@lru_cache(maxsize=16)
def _base64(data: bytes) -> bytes:
    """In lines of 76 characters (RFC 2045, 6.8); a game's picture goes to all its readers, one after the other."""
    encoded = binascii.b2a_base64(data, newline=False)
    return b"".join(encoded[start : start + 76] + _END for start in range(0, len(encoded), 76))


def _part(media_type: str, encoding: str, body: bytes, *about: str) -> bytes:
    head = [f"Content-Type: {media_type}", f"Content-Transfer-Encoding: {encoding}", *about]
    return "\r\n".join(head).encode() + _END * 2 + body


def _heading(kind: str, boundary: str) -> bytes:
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"'.encode()


def _parts(boundary: str, parts: list[bytes]) -> bytes:
    """The parts with the boundaries between them (RFC 2046, 5.1.1)."""
    opened = b"".join(b"--" + boundary.encode() + _END + part + _END for part in parts)
    return opened + b"--" + boundary.encode() + b"--" + _END
