"""Letters that are signed only, with the whole letter inside the signature (S/MIME "opaque", RFC 8551 §3.5.2).

Of the Cryptographic Message Syntax (RFC 5652 §5) only the parts that lead to the content are read, in DER and in BER
with indefinite lengths (X.690 §8.1.3). The signature itself is not checked, since it does not show which registered
person wrote the letter.
"""

from collections.abc import Iterator

OPAQUE = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})

_SEQUENCE, _OCTETS, _CONSTRUCTED_OCTETS = 0x30, 0x04, 0x24
_SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
_OPEN_LENGTH = 0x80
_LONGEST_LENGTH = 4    # bytes of a length
_DEEPEST = 20


def signed_content(data: bytes) -> bytes | None:
    """The MIME entity that was signed; None if `data` is anything else: encrypted, compressed, damaged."""
    syntax = _Syntax(data)
    try:
        kind, wrapped = syntax.children(*syntax.only(0, len(data), _SEQUENCE))[:2]
        if data[kind[1] : kind[2]] != _SIGNED_DATA:
            return None
        _, _, inside = syntax.children(*syntax.only(*wrapped[1:], _SEQUENCE))[:3]
        _, content = syntax.children(*inside[1:])[:2]
        return b"".join(syntax.octets(*content[1:]))
    except (IndexError, ValueError):
        return None


class _Syntax:
    """The values in `data`. Where one without a length ends is found out once, so that reading values inside values
    takes time in proportion to the data. The methods raise ValueError or IndexError for what is no value.
    """

    def __init__(self, data: bytes):
        self._data = data
        self._ends: dict[int, int] = {}

    def only(self, start: int, end: int, tag: int) -> tuple[int, int]:
        """Begin and end of the contents of the value at `start`, which must have this tag."""
        found, begins, ends, _ = self._read(start, end)
        if found != tag:
            raise ValueError("another value was expected")
        return begins, ends

    def children(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """(tag, start, end) of the first three values between these places."""
        found: list[tuple[int, int, int]] = []
        while start < end and len(found) < 3:
            tag, begins, ends, start = self._read(start, end)
            found.append((tag, begins, ends))
        return found

    def octets(self, start: int, end: int, depth: int = 0) -> Iterator[bytes]:
        """The pieces of the octet strings between these places."""
        while start < end:
            tag, begins, ends, start = self._read(start, end, depth)
            if tag == _CONSTRUCTED_OCTETS:
                yield from self.octets(begins, ends, depth + 1)
            elif tag == _OCTETS:
                yield self._data[begins:ends]
            else:
                raise ValueError("no content")

    def _read(self, at: int, end: int, depth: int = 0) -> tuple[int, int, int, int]:
        """(tag, where the contents begin, where they end, where the next value begins)."""
        data = self._data
        if at + 2 > end or depth > _DEEPEST:
            raise ValueError("no value of the syntax")
        tag, length, start = data[at], data[at + 1], at + 2
        if length == _OPEN_LENGTH:
            if at not in self._ends:
                stop = start
                while data[stop : stop + 2] != b"\0\0":
                    stop = self._read(stop, end, depth + 1)[3]
                self._ends[at] = stop
            return tag, start, self._ends[at], self._ends[at] + 2
        if length > _OPEN_LENGTH:
            size = length - _OPEN_LENGTH
            if size > _LONGEST_LENGTH:
                raise ValueError("longer than any letter")
            length, start = int.from_bytes(data[start : start + size], "big"), start + size
        if start + length > end:
            raise ValueError("cut off")
        return tag, start, start + length, start + length
