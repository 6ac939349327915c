"""Letters that are signed only, with the whole letter inside the signature (S/MIME "opaque", RFC 8551 §3.5.2).

Of the Cryptographic Message Syntax (RFC 5652 §5) only the parts that lead to the content are read, in DER and in BER
with indefinite lengths (X.690 §8.1.3). The signature itself is not checked, since it does not show which registered
person wrote the letter.
"""

OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})

_SEQUENCE, _SET, _INTEGER, _OID, _OCTETS, _CONSTRUCTED_OCTETS, _EXPLICIT = 0x30, 0x31, 0x02, 0x06, 0x04, 0x24, 0xA0
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_DATA = bytes.fromhex("2a864886f70d010701")
_OPEN_LENGTH = 0x80
_LONGEST_LENGTH = 4    # bytes of a length
_DEEPEST = 20


def signed_content(data: bytes) -> bytes | None:
    """The MIME entity that was signed; None if `data` is anything else: encrypted, compressed, damaged."""
    try:
        kind, wrapped = _children(data, *_only(data, 0, len(data), _SEQUENCE))[:2]
        if data[kind[1] : kind[2]] != _SIGNED_DATA:
            return None
        _, _, inside = _children(data, *_only(data, *wrapped[1:], _SEQUENCE))[:3]
        _, content = _children(data, *inside[1:])[:2]
        return b"".join(_octets(data, *content[1:]))
    except (IndexError, ValueError):
        return None


def unsigned(content: bytes) -> bytes:
    """The same content in the same syntax without a signature: used when a word of the letter was masked."""
    inside = _value(_SEQUENCE, _value(_OID, _DATA) + _value(_EXPLICIT, _value(_OCTETS, content)))
    body = _value(_INTEGER, b"\x01") + _value(_SET, b"") + inside + _value(_SET, b"")
    return _value(_SEQUENCE, _value(_OID, _SIGNED_DATA) + _value(_EXPLICIT, _value(_SEQUENCE, body)))


def _value(tag: int, contents: bytes) -> bytes:
    size = len(contents)
    length = bytes([size]) if size < _OPEN_LENGTH else b"\x84" + size.to_bytes(_LONGEST_LENGTH, "big")
    return bytes([tag]) + length + contents


def _read(data: bytes, at: int, end: int, depth: int = 0) -> tuple[int, int, int, int]:
    """(tag, where the contents begin, where they end, where the next value begins); raises ValueError, IndexError."""
    if at + 2 > end or depth > _DEEPEST:
        raise ValueError("no value of the syntax")
    tag, length, start = data[at], data[at + 1], at + 2
    if length == _OPEN_LENGTH:
        stop = start
        while data[stop : stop + 2] != b"\0\0":
            stop = _read(data, stop, end, depth + 1)[3]
        return tag, start, stop, stop + 2
    if length > _OPEN_LENGTH:
        size = length - _OPEN_LENGTH
        if size > _LONGEST_LENGTH:
            raise ValueError("longer than any letter")
        length, start = int.from_bytes(data[start : start + size], "big"), start + size
    if start + length > end:
        raise ValueError("cut off")
    return tag, start, start + length, start + length


def _only(data: bytes, start: int, end: int, tag: int) -> tuple[int, int]:
    """Begin and end of the contents of the value at `start`, which must have this tag."""
    found, begins, ends, _ = _read(data, start, end)
    if found != tag:
        raise ValueError("another value was expected")
    return begins, ends


def _children(data: bytes, start: int, end: int) -> list[tuple[int, int, int]]:
    """(tag, start, end) of the first three values between these places."""
    found: list[tuple[int, int, int]] = []
    while start < end and len(found) < 3:
        tag, begins, ends, start = _read(data, start, end)
        found.append((tag, begins, ends))
    return found


def _octets(data: bytes, start: int, end: int, depth: int = 0) -> list[bytes]:
    """The pieces of the octet strings between these places."""
    pieces: list[bytes] = []
    while start < end:
        tag, begins, ends, start = _read(data, start, end, depth)
        if tag == _CONSTRUCTED_OCTETS:
            pieces += _octets(data, begins, ends, depth + 1)
        elif tag == _OCTETS:
            pieces.append(data[begins:ends])
        else:
            raise ValueError("no content")
    return pieces
