"""Takes a password out of a mail that has been sent, in any transfer encoding."""

import base64
import binascii
import re
from email import message_from_bytes, policy
from email.message import Message

MASK = b"****"

# Headers stay as they are; lines have the line ends with which they are sent.
_AS_SENT = policy.compat32.clone(linesep="\r\n", max_line_length=None)


def mask(raw: bytes, secret: str) -> bytes:
    """The mail `raw` with every `secret` in it replaced by ****."""
    return mask_pattern(raw, re.compile(re.escape(secret.encode())))


def mask_pattern(raw: bytes, sought: re.Pattern[bytes]) -> bytes:
    """The letter or mail `raw` with all that the pattern finds replaced by ****; as it is if nothing is found."""
    message = message_from_bytes(raw, policy=_AS_SENT)
    found = False
    for part in message.walk():
        content = part.get_payload(decode=True)
        if isinstance(content, bytes) and sought.search(content):
            _write(part, sought.sub(MASK, content))
            found = True
    return sought.sub(MASK, message.as_bytes() if found else raw)


def _write(part: Message, content: bytes) -> None:
    """Set the content of `part`, in the transfer encoding that it already has."""
    encoding = str(part.get("Content-Transfer-Encoding", "7bit")).strip().lower()
    if encoding == "quoted-printable":
        content = binascii.b2a_qp(content, istext=True)
    elif encoding == "base64":
        content = base64.encodebytes(content)
    part.set_payload(content.decode("ascii", "surrogateescape"))
