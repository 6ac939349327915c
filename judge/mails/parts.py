"""The parts of a mail: its text, an HTML page of the text with pictures, and attached files.

The text part is complete without the HTML (RFC 2046, 5.1.4: the plainest part first). The pictures are in the mail (RFC
2387, RFC 2392), so that opening it loads nothing from a server. An SVG picture is attached, since few mail programs
show one. If a mail has no HTML, every picture is attached. The same mail and pictures give the same bytes, so that a
mail sent twice is the same both times.
"""

import base64
import binascii
import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32
from typing import cast

from judge.mails.pages import PLACE, in_ascii, page_of


class _Policy(Compat32):
    """The policy compat32, except that it does not fold short and plain fields.

    To fold a field, compat32 reads it word by word, which takes time.
    """

    def fold_binary(self, name: str, value: str) -> bytes:
        field = f"{name}: {value}"
        if len(field) < _SHORT and field.isascii() and field.isprintable() and field == field.rstrip():
            return f"{field}\r\n".encode()
        return super().fold_binary(name, value)


# Use the old Message class, since EmailMessage with its policies takes much longer, and encodes long Message-IDs.
POLICY = _Policy(linesep="\r\n", mangle_from_=False)
TEXT, HTML = "text/plain; charset=utf-8", "text/html; charset=utf-8"
# The header of a mail that must not have HTML, whatever is added to it later.
NO_PAGES = "X-Judge-Parts"
# The HTML with which the only column of a page begins (templates/html/_page.html.j2).
_COLUMN = '<div class="b w"'

_LONGEST_LINE = 998  # the limit of RFC 5322, 2.1.1
_SHORT = 70
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_IMAGE = '<img src="cid:{cid}" alt="{alt}" style="width:100%;max-width:1400px;height:auto">'


@dataclass(frozen=True)
class Drawn:
    """A picture for a mail, with a description in words (`alt`) and a heading (`caption`).

    A `narrow` picture is shown on narrow screens only. Mail programs that do not know media queries hide it.
    """

    name: str
    media_type: str
    data: bytes
    alt: str
    caption: str
    narrow: bool = False


def text_part(media_type: str, text: str) -> Message:
    """Return a text as a part of a mail, unencoded or in quoted-printable (RFC 2045, 6.7)."""
    text = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n").replace("\r", "\n")).rstrip("\n") + "\n"
    part = Message(POLICY)
    part["Content-Type"] = media_type
    if text.isascii() and max(map(len, text.split("\n"))) <= _LONGEST_LINE:
        part["Content-Transfer-Encoding"] = "7bit"
    else:
        part["Content-Transfer-Encoding"] = "quoted-printable"
        text = binascii.b2a_qp(text.encode("utf-8", "replace"), istext=True).decode()
    part.set_payload(text)
    return part


def named(part: Message, name: str, disposition: str = "attachment") -> Message:
    """Turn the part into a file of that name, and return the part."""
    part["Content-Disposition"] = f'{disposition}; filename="{name}"'
    return part


def several(mail: Message, kind: str, parts: Sequence[Message]) -> Message:
    """Return a multipart of this kind (such as "mixed") for `mail`."""
    whole = Message(POLICY)
    mark = hashlib.sha256(mail["Message-ID"].encode()).hexdigest()[:24]
    whole["Content-Type"] = f'multipart/{kind}; boundary="{kind}-{mark}"'
    whole.set_payload(list(parts))
    return whole


def filled(mail: Message, texts: Sequence[Message], files: Sequence[Message]) -> bytes:
    """Return the bytes of a mail from its header `mail`, its texts and its files.

    The texts have the same content. The plainest comes first.
    """
    content = several(mail, "alternative", texts) if len(texts) > 1 else texts[0]
    if files:
        content = several(mail, "mixed", [content, *files])
    for name, value in content.items():
        mail[name] = value
    mail.set_payload(content.get_payload())
    return mail.as_bytes()


def emptied(raw: bytes) -> tuple[Message, list[Message], list[Message]]:
    """Split a mail that `filled` made into its header, its texts and its files."""
    mail = message_from_bytes(raw, policy=POLICY)
    content = Message(POLICY)
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        if name in mail:
            content[name] = mail[name]
            del mail[name]
    content.set_payload(mail.get_payload())
    files = []
    if content.get_content_subtype() == "mixed":
        content, *files = cast(list[Message], content.get_payload())
    return mail, cast(list[Message], content.get_payload()) if content.is_multipart() else [content], files


def illustrated(raw: bytes, pictures: Sequence[Drawn]) -> bytes:
    """Return the mail `raw` with these pictures, which all have one media type.

    They are in its page. They are attached if they are SVG, or if the mail has no page.
    """
    mail, texts, files = emptied(raw)
    page = _page(mail, texts)
    if pictures[0].media_type.startswith("image/svg") or not page:
        return filled(mail, texts, [*(_file(picture, "attachment") for picture in pictures), *files])
    mark, images, shown = hashlib.sha256(raw).hexdigest()[:24], [], []
    for number, picture in enumerate(pictures):
        name, file = f"{mark}.{number}@picture", _file(picture, "inline")
        file["Content-ID"] = f"<{name}>"
        images.append(file)
        caption = f'<p style="margin:14px 0 4px">{html.escape(picture.caption)}</p>\n'
        image = caption + _IMAGE.format(cid=name, alt=html.escape(picture.alt))
        shown.append(in_ascii(f'<div class="p" style="display:none">{image}</div>' if picture.narrow else image))
    shown_page = text_part(HTML, page.replace(PLACE, "\n".join(shown), 1))
    return filled(mail, [texts[0], several(mail, "related", [shown_page, *images])], files)


def _page(mail: Message, texts: Sequence[Message]) -> str:
    """Return the page for the pictures of a mail, or "" if its reader wants none, or if it would be too long."""
    if NO_PAGES in mail:
        return ""
    return _text(texts[1]) if len(texts) > 1 else page_of(_text(texts[0]))


def with_notice(raw: bytes, notice: str) -> bytes:
    """Return the mail `raw` with a notice in place of its pictures.

    In the text, the notice comes after the first paragraph.
    """
    mail, (text, *pages), files = emptied(raw)
    first, gap, rest = _text(text).rstrip("\n").partition("\n\n")
    told = [text_part(TEXT, f"{first}\n\n{notice}{gap}{rest}")]
    told += [text_part(HTML, _text(page).replace(PLACE, f"<p>{html.escape(notice)}</p>", 1)) for page in pages]
    return filled(mail, told, files)


def with_heading(raw: bytes, notice: str) -> bytes:
    """Return the mail `raw` with a notice above its text and above its page."""
    mail, (text, *pages), files = emptied(raw)
    told = [text_part(TEXT, f"{notice}\n\n{_text(text)}")]
    for page in pages:
        head, column, rest = _text(page).partition(_COLUMN)
        told.append(text_part(HTML, f"{head}<p>{html.escape(notice)}</p>{column}{rest}"))
    return filled(mail, told, files)


def sequel(raw: bytes, message_id: str, text: str) -> bytes:
    """Return a mail with only this text, and with the header of `raw` except for the Message-ID."""
    mail, *_ = emptied(raw)
    mail.replace_header("Message-ID", message_id)
    return filled(mail, [text_part(TEXT, text)], [])


def _text(part: Message) -> str:
    decoded = part.get_payload(decode=True)
    assert isinstance(decoded, bytes)
    return decoded.decode().replace("\r\n", "\n")


def _file(picture: Drawn, disposition: str) -> Message:
    part = Message(POLICY)
    part["Content-Type"] = f'{picture.media_type}; name="{picture.name}"'
    part["Content-Transfer-Encoding"] = "base64"
    part.set_payload(base64.encodebytes(picture.data).decode())
    return named(part, picture.name, disposition)
