"""Letters that are signed or encrypted: OpenPGP inline and in MIME parts, S/MIME detached and opaque."""

from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, PRESS, TOLD, lines, marked
from tests.letters.corpus.samples import Sample, ordering, pressing
from tests.letters.corpus.wire import entity, letter, multipart, plain

_ARMOUR = [
    "-----BEGIN PGP SIGNATURE-----",
    "",
    "iQIzBAEBCAAdFiEE0+m9x2n3LVbzPO3yJ3tyN4iXq8sFAmXk1RAACgkQJ3tyN4iX",
    "q8v5Lg//Zk1XkJvWcLmH7oQF0sG8uB3n2mJ6k4aYw9c5dT1eR0fV7gU8hI2jK3l=",
    "=Xk2a",
    "-----END PGP SIGNATURE-----",
]


def samples() -> Iterator[Sample]:
    begin = ["-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA256", ""]
    yield ordering(
        "pgp-inline", "GnuPG, signed in the text", letter(plain(lines(begin, ORDERS, _ARMOUR), "us-ascii", "7bit"))
    )
    yield pressing(
        "pgp-inline-press",
        "Enigmail, signed in the text, answering",
        letter(plain(lines(begin, PRESS, "", "On 5/4/26 12:02, Judge wrote:", marked(), _ARMOUR), "utf-8", "7bit")),
    )
    yield pressing(
        "pgp-inline-unquoted-press",
        "Mailvelope, signed in the text",
        letter(plain(lines(begin, PRESS, _ARMOUR), "utf-8", "7bit")),
    )
    signature = entity(
        'application/pgp-signature; name="signature.asc"',
        lines(_ARMOUR).encode(),
        "",
        ("Content-Description", "OpenPGP digital signature"),
        ("Content-Disposition", 'attachment; filename="signature.asc"'),
    )
    yield pressing(
        "pgp-mime-press",
        "Thunderbird, signed as OpenPGP/MIME",
        letter(
            multipart(
                "signed",
                "------------sig1",
                plain(lines(PRESS, "", "On 5/4/26 12:02, Judge wrote:", marked()), "UTF-8", "7bit"),
                signature,
                parameters='; micalg=pgp-sha256; protocol="application/pgp-signature"',
                preamble=b"This is an OpenPGP/MIME signed message (RFC 4880 and 3156)\r\n",
            )
        ),
    )
    encrypted = multipart(
        "encrypted",
        "------------enc1",
        entity("application/pgp-encrypted", b"Version: 1\r\n"),
        entity(
            'application/octet-stream; name="encrypted.asc"',
            b"-----BEGIN PGP MESSAGE-----\r\n\r\nhQIMA9\r\n-----END PGP MESSAGE-----\r\n",
        ),
        parameters='; protocol="application/pgp-encrypted"',
    )
    yield ordering("pgp-encrypted", "Thunderbird, encrypted", letter(encrypted), orders=(), says=("is encrypted",))
    detached = entity(
        'application/pkcs7-signature; name="smime.p7s"',
        bytes(range(256)) * 4,
        "base64",
        ("Content-Disposition", 'attachment; filename="smime.p7s"'),
    )
    yield ordering(
        "smime-detached",
        "Apple Mail on macOS, signed",
        letter(
            multipart(
                "signed",
                "Apple-Mail=_S1",
                plain(lines(ORDERS), "us-ascii", "7bit"),
                detached,
                parameters=';\r\n\tprotocol="application/pkcs7-signature";\r\n\tmicalg=sha-256',
            )
        ),
    )
    text = plain(
        lines(ORDERS, "", "-----Original Message-----", "From: Judge <judge@example.org>", "", TOLD), "us-ascii", "7bit"
    )
    for name, program, data in (
        ("smime-opaque", "Outlook on the desk, signed, clear text off", signed_data(text)),
        ("smime-opaque-streamed", "OpenSSL, signed, in pieces of indefinite length", streamed_data(text)),
    ):
        yield ordering(
            name,
            program,
            letter(
                entity(
                    'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"',
                    data,
                    "base64",
                    ("Content-Disposition", 'attachment; filename="smime.p7m"'),
                )
            ),
        )
    yield ordering(
        "smime-encrypted",
        "Outlook on the desk, encrypted",
        letter(
            entity(
                'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
                tlv(0x30, tlv(0x06, bytes.fromhex("2a864886f70d010703")) + tlv(0xA0, tlv(0x30, bytes(64)))),
                "base64",
                ("Content-Disposition", 'attachment; filename="smime.p7m"'),
            )
        ),
        orders=(),
        says=("is encrypted",),
    )


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
