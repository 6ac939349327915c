"""Letters that are signed only, with the whole letter inside the signature (S/MIME "opaque", RFC 8551 §3.5.2).

Of the Cryptographic Message Syntax (RFC 5652 §5) only the values that lead to the content are read, in DER and in BER
with indefinite lengths (X.690 §8.1.3), each once and in order. The signature itself is not checked, since it does not
show which registered person wrote the letter.
"""

OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})

_SEQUENCE, _SET, _OID, _INTEGER, _EXPLICIT = 0x30, 0x31, 0x06, 0x02, 0xA0
_OCTETS, _CONSTRUCTED_OCTETS, _END = 0x04, 0x24, 0x00
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
# Up to the content: ContentInfo, its type; SignedData, its version and digest algorithms; the content's type.
_PATH = (_SEQUENCE, _OID, _EXPLICIT, _SEQUENCE, _INTEGER, _SET, _SEQUENCE, _OID, _EXPLICIT)
_OPEN_LENGTH = 0x80
_LONGEST_LENGTH = 4    # bytes of a length


def signed_content(data: bytes) -> bytes | None:
    """The MIME entity that was signed; None if `data` is anything else: encrypted, compressed, damaged."""
    at, pieces = 0, []
    try:
        for number, expected in enumerate(_PATH):
            tag, start, end = _value(data, at)
            if tag != expected or number == 1 and data[start:end] != _SIGNED_DATA:
                return None
            at = start if tag in (_SEQUENCE, _EXPLICIT) else _behind(data, start, end)
        while at < len(data):
            tag, start, end = _value(data, at)
            if tag not in (_OCTETS, _CONSTRUCTED_OCTETS, _END):
                break
            if tag == _OCTETS:
                pieces.append(data[start:end])
            at = end if tag == _OCTETS and end else start
    except (IndexError, ValueError):
        pass  # what came before is the content, if there is any
    return b"".join(pieces) or None


def _value(data: bytes, at: int) -> tuple[int, int, int | None]:
    """(tag, where the contents begin, where they end) of the value at this place; None: where its end is marked."""
    tag, length, start = data[at], data[at + 1], at + 2
    if length == _OPEN_LENGTH:
        return tag, start, None
    if length > _OPEN_LENGTH:
        size = length - _OPEN_LENGTH
        if size > _LONGEST_LENGTH:
            raise ValueError("longer than any letter")
        length, start = int.from_bytes(data[start : start + size], "big"), start + size
    if start + length > len(data):
        raise ValueError("cut off")
    return tag, start, start + length


def _behind(data: bytes, start: int, end: int | None) -> int:
    """Where the next value begins, behind the contents from `start` on."""
    opened = int(end is None)
    while opened:
        tag, start, end = _value(data, start)
        opened += 1 if end is None else -1 if tag == _END else 0
        start = start if end is None else end
    return start if end is None else end
