"""Texts in the envelopes of S/MIME."""


def tlv(tag: int, value: bytes) -> bytes:
    """One value in DER (X.690): tag, length, contents."""
    size = len(value)
    length = (
        bytes([size])
        if size < 128
        else bytes([0x80 | (size.bit_length() + 7) // 8]) + size.to_bytes((size.bit_length() + 7) // 8, "big")
    )
    return bytes([tag]) + length + value


_DATA, _SIGNED = bytes.fromhex("2a864886f70d010701"), bytes.fromhex("2a864886f70d010702")


def signed_data(content: bytes) -> bytes:
    """CMS SignedData (RFC 5652 §5.1) around `content`, DER, with a signer of no worth."""
    inside = tlv(0x30, tlv(0x06, _DATA) + tlv(0xA0, tlv(0x04, content)))
    algorithm = tlv(0x30, tlv(0x06, bytes.fromhex("608648016503040201")) + tlv(0x05, b""))
    body = (
        tlv(0x02, b"\x01")
        + tlv(0x31, algorithm)
        + inside
        + tlv(0xA0, tlv(0x30, bytes(120)))
        + tlv(0x31, tlv(0x30, bytes(60)))
    )
    return tlv(0x30, tlv(0x06, _SIGNED) + tlv(0xA0, tlv(0x30, body)))


def streamed_data(content: bytes, piece: int = 100) -> bytes:
    """The same with lengths left open and the content in pieces, as is written without knowing the size (BER)."""
    pieces = b"".join(tlv(0x04, content[start : start + piece]) for start in range(0, len(content), piece))
    inside = b"\x30\x80" + tlv(0x06, _DATA) + b"\xa0\x80\x24\x80" + pieces + bytes(6)
    body = b"\x30\x80" + tlv(0x02, b"\x01") + tlv(0x31, b"") + inside + tlv(0x31, b"") + bytes(2)
    return b"\x30\x80" + tlv(0x06, _SIGNED) + b"\xa0\x80" + body + bytes(4)
