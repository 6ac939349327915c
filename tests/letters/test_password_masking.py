"""Passwords disappear from the raw letter, whatever it is wrapped in; everything else stays."""

import base64
import binascii
import quopri
import re
import time
from collections.abc import Callable
from email import message_from_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.letters import without_those_of
from judge.letters.mime import parse
from tests.letters.corpus.security import signed_data, streamed_data
from tests.letters.reading import mask_passwords, read_letter
from tests.letters.writing import letter, multipart, part

HIDDEN = [
    ("SIGNON Fheron hush", "SIGNON Fheron ****"),
    ("sign on Fheron hush", "sign on Fheron ****"),
    ("> > SIGNON Fheron hush", "> > SIGNON Fheron ****"),
    ("My line was: signon Fheron hush", "My line was: signon Fheron ****"),
    ("SIGNON ? hush", "SIGNON ? ****"),
    ("SIGNON F heron hush", "SIGNON F ****"),
    ("SIGNON great britain@heron hush", "SIGNON great ****"),
    ("CREATE ?heron hush standard", "CREATE ?heron **** standard"),
    ("Re: CREATE ?heron hush standard", "Re: CREATE ?heron **** standard"),
    ("OBSERVE heron hush", "OBSERVE heron ****"),
    ("SIGNON Fheron\nhush", "SIGNON Fheron\n****"),
    ("> signon Fheron \n> hush", "> signon Fheron \n> ****"),
    ("SET PASSWORD hush", "SET PASSWORD ****"),
    ("SET PW old hush", "SET PW ****"),
    ("password: hush", "password: ****"),
    ("Hello signon Fheron hush", "Hello signon Fheron ****"),
    ("Hello judge signon Fheron hush", "Hello judge signon Fheron ****"),
    ("join set password hush", "join set password ****"),
    ("Watch my password: hush", "Watch my password: ****"),
    ("RESIGN Fheron hush", "RESIGN Fheron ****"),
    ("SIGNON Fheron:hush and more", "SIGNON Fheron:****"),
    ("> please, xsignon Fheron hush", "> please, xsignon Fheron ****"),
    ("hello observe signon Fheron hush", "hello observe signon Fheron ****"),
    ("SIG\u00adNON Fhe\u200bron hu\u2060sh", "SIG\u00adNON Fhe\u200bron ****"),
    ("SIG\x01NON Fheron hush", "SIG\x01NON Fheron ****"),
    ("Ｓｉｇｎｏｎ　Ｆheron　ｈｕｓｈ", "Ｓｉｇｎｏｎ　Ｆheron　****"),
    ("SIGNON\u00a0Fheron\u00a0hush", "SIGNON\u00a0Fheron\u00a0****"),
    ("SIGNON France heron hush", "SIGNON France ****"),
    ("SIGNON Fheron *hush*", "SIGNON Fheron ****"),
    ("**SIGNON Fheron hush**", "**SIGNON Fheron ****"),
    ("*SIGNON* *Fheron* *hush*", "*SIGNON* *Fheron* ****"),
    ("`SIGNON` Fheron hush", "`SIGNON` Fheron ****"),
    ("_SIGNON:_ Fheron,hush", "_SIGNON:_ Fheron,****"),
    ("__SIGN ON__ Fheron hush", "__SIGN ON__ Fheron ****"),
    ("- **CREATE** ?heron hush colonia", "- **CREATE** ?heron **** colonia"),
    ("1.) OBSERVE heron hush", "1.) OBSERVE heron ****"),
    ("[ ] login Fheron hush", "[ ] login Fheron ****"),
    ("**Password:** hush", "**Password:** ****"),
    ("SIGNON Fhero\x0c hush", "SIGNON Fhero\x0c ****"),
    ("*SET PASSWORD* hush", "*SET PASSWORD* ****"),
    ("SIGNON Fheron hush A PAR - BUR, A MAR H", "SIGNON Fheron ****"),
]
UNTOUCHED = [
    "SIGNON Fheron",
    "A PAR - BUR\nA MAR S A PAR - BUR",
    "I will sign on to your plan against Turkey",
    "We may create a new front, join me there",
    "Please set press to white",
]


@pytest.mark.parametrize(("written", "masked"), HIDDEN)
def test_masked_line(written: str, masked: str):
    """Each way to write a password on a line."""
    assert mask_passwords(letter(f"{written}\nA PAR - BUR")) == letter(f"{masked}\nA PAR - BUR")


@pytest.mark.parametrize("line", UNTOUCHED)
def test_untouched_line(line: str):
    """Orders and prose stay as they are, byte for byte."""
    assert mask_passwords(letter(line)) == letter(line)


def test_transfer_encodings():
    """Base64 and quoted-printable are undone, masked and done again; the text stays the same otherwise."""
    for encoding, encode in [("base64", base64.encodebytes), ("quoted-printable", quopri.encodestring)]:
        text = "Grüße =\nSIGNON Fheron hush\nA PAR – BUR"
        raw = letter(
            encode(text.encode()), "Content-Type: text/plain; charset=utf-8", f"Content-Transfer-Encoding: {encoding}"
        )
        masked = read_letter(mask_passwords(raw))
        assert [line.verbatim for line in masked.lines] == text.replace("hush", "****").split("\n")


def test_charset_stays():
    """The letter is written back in its own charset."""
    headers = "Content-Type: text/plain; charset=utf-16-le"
    raw = letter("Grüße\nSIGNON Fheron hush\n".encode("utf-16-le"), headers)
    assert mask_passwords(raw) == letter("Grüße\nSIGNON Fheron ****\n".encode("utf-16-le"), headers)


def test_html():
    """Between tags, with entities for blanks, with the password in a tag of its own."""
    html = "<div>SIGNON&nbsp;Fheron <b>hu</b>sh</div><div>A PAR - BUR</div><p>OBSERVE heron\nhush<br>A MAR H"
    masked = mask_passwords(letter(html, "Content-Type: text/html")).decode()
    assert "hu" not in masked.partition("\r\n\r\n")[2]
    assert "A PAR - BUR" in masked and "A MAR H" in masked and masked.count("****") == 2


@pytest.mark.parametrize("source", [
    "<p>&#83;IGNON Fheron hush<br>A PAR H</p>", "<p>SIG<wbr>NON Fheron hush<br>A PAR H",
    "<p>SIG&shy;NON Fheron hush<br>A PAR H",
    "<div>SIGNON</div>Fheron<p>S<i>IGNON Fheron hu</i>sh<br>A PAR H",
    "<table><tr><td>SIGNON</td><td>Fheron</td><td>hush</td></tr></table>A PAR H",
    "<table><tr><td><p>SIGNON</p></td><td><p>Fheron</p></td><td><p>hush</p></td></tr></table>A PAR H",
    "SIGNON Fheron <mark>hush</mark><br>A PAR H", "SIGNON Fheron hu<mark>sh</mark><br>A PAR H",
    "SIGNON Fheron <!-- mine -->hush<br>A PAR H", "SIGNON Fheron <img src=x>hush<br>A PAR H",
    "SIGNON Fheron&ensp;hush<br>A PAR H", "SIGNON&emsp;Fheron&Tab;hush<br>A PAR H",
    "SI&ZeroWidthSpace;GNON Fheron hush<br>A PAR H", "SIGNON Fheron hush>hush<br>A PAR H",
])  # fmt: skip
def test_html_that_shows_a_sign_on_which_its_source_hides(source: str):
    """The page becomes its text."""
    masked = mask_passwords(letter(source, "Content-Type: text/html"))
    assert b"hu" not in masked
    assert [line.text for line in read_letter(masked).lines][-2:] == ["SIGNON Fheron ****", "A PAR H"]


@pytest.mark.parametrize("source", [
    "SIGNON Fheron<br>hush<br>A PAR H", "<div>SIGNON Fheron</div><div>hush</div><div>A PAR H</div>",
    "<p>SIGNON Fheron</p>\n<p>hush</p><p>A PAR H",
])  # fmt: skip
def test_html_with_the_password_in_a_line_of_its_own(source: str):
    masked = mask_passwords(letter(source, "Content-Type: text/html"))
    lines = [line.text for line in read_letter(masked).lines]
    assert b"hu" not in masked and lines == ["SIGNON Fheron", "****", "A PAR H"]


@pytest.mark.parametrize(
    "hidden",
    [
        '<a href="mailto:judge@example.org?body=SIGNON%20Fheron%20bordeaux7">write</a>',
        '<img alt="SIGNON Fheron bordeaux7" src="cid:1">',
        '<span title="signon&#32;Fheron&#32;bordeaux7">x</span>',
        "<!-- draft: SIGNON Fheron bordeaux7 -->",
        "<style>p::before { content: 'SIGNON Fheron bordeaux7' }</style>",
    ],
)
def test_html_that_signs_on_where_nobody_sees_it(hidden: str):
    raw = b"Content-Type: text/html\n\n<p>A PAR - BUR</p>" + hidden.encode() + b"<p>A MAR H</p>\n"
    masked = mask_passwords(raw)
    assert b"bordeaux7" not in masked
    assert b"A PAR - BUR" in masked and b"A MAR H" in masked


def test_html_that_hides_no_sign_on_stays():
    raw = b'Content-Type: text/html\n\n<p title="orders">SIGNON Fheron bordeaux7<br>A PAR - BUR</p>\n'
    assert mask_passwords(raw) == raw.replace(b"bordeaux7", b"****")


def test_behind_more_fields_than_are_kept():
    raw = b"X-A: b\n" * 3000 + b"Content-Transfer-Encoding: base64\n\n"
    masked = mask_passwords(b"Content-Transfer-Encoding: base64\n" + raw + base64.encodebytes(b"SIGNON Fheron hush"))
    assert read_letter(masked).lines[0].text == "SIGNON Fheron ****"


def test_behind_the_structure_of_a_signature():
    data = base64.encodebytes(signed_data(part("A PAR H")) + b"\nSIGNON Fheron hush\n")
    raw = letter(data, "Content-Type: application/pkcs7-mime", "Content-Transfer-Encoding: base64")
    assert b"hush" not in base64.b64decode(mask_passwords(raw).partition(b"\r\n\r\n")[2])


LINE = b"SIGNON Fheron hush\nA PAR H\n"
CODED = base64.encodebytes(LINE)
SIGNED = base64.encodebytes(signed_data(part("SIGNON Fheron hush\nA PAR H\n" * 9)))
PKCS7 = ("Content-Type: application/pkcs7-mime", "Content-Transfer-Encoding: base64")


def _by_library(raw: bytes) -> bytes:
    """What Python's reader of mail decodes."""
    decoded = (found.get_payload(decode=True) for found in message_from_bytes(raw).walk())
    return b"".join(octets for octets in decoded if isinstance(octets, bytes))


def _body(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[2]


def _by_lines(raw: bytes) -> bytes:
    return b"".join(map(binascii.a2b_base64, _body(raw).split()))


def _by_uu(raw: bytes) -> bytes:
    return b"".join(binascii.a2b_uu(line) for line in _body(raw).splitlines()[1:-1])


def _from_signature(raw: bytes) -> bytes:
    """The entity that was signed, as it lies in the opaque signature that is the body."""
    found = re.match(rb"[\w+/\s]+", _body(raw))
    assert found
    letters = b"".join(found[0].split())
    opened = base64.b64decode(letters[: len(letters) // 4 * 4])
    return opened[opened.index(b"Content-Type") :]


# A letter of which we make something else than another reader, and how that one reads it.
OTHERWISE = {
    "fields beyond the last that is read": (letter(CODED, *["X: y"] * 2500, PKCS7[1]), _by_library),
    "each line padded": (
        letter(b"".join(base64.b64encode(LINE[at : at + 4]) + b"\r\n" for at in range(0, 28, 4)), PKCS7[1]), _by_lines
    ),
    "behind padding": (letter(base64.b64encode(b"A MAR H\n") + b"=\r\n" + CODED, PKCS7[1]), _by_lines),
    "the second of two fields": (
        letter(CODED, "Content-Transfer-Encoding: 8bit", PKCS7[1]), lambda raw: base64.b64decode(_body(raw))
    ),
    "a field with a comment": (
        letter(CODED, f"{PKCS7[1]} (of old)"), lambda raw: base64.b64decode(_body(raw))
    ),
    "a letter in base64": (
        letter(base64.encodebytes(letter(LINE)), "Content-Type: message/rfc822", PKCS7[1]),
        lambda raw: base64.b64decode(_body(raw)),
    ),
    "a signature in a signature in an attached letter": (
        letter(
            base64.encodebytes(
                letter(base64.encodebytes(signed_data(part(SIGNED, "application/pkcs7-mime", PKCS7[1]))), *PKCS7)
            ),
            "Content-Type: application/octet-stream; name=old.eml", PKCS7[1],
        ),
        lambda raw: _from_signature(_from_signature(base64.b64decode(_body(raw)))),
    ),
    "quoted-printable over base64": (
        letter(binascii.b2a_qp(base64.b64encode(LINE * 9)), "Content-Transfer-Encoding: quoted-printable"),
        lambda raw: base64.b64decode(binascii.a2b_qp(_body(raw))),
    ),
    "quoted-printable without its field": (
        letter(b"SIGNON=20Fheron=\r\n hu=73h", "Content-Transfer-Encoding: x-own"),
        lambda raw: binascii.a2b_qp(_body(raw)),
    ),
    "uuencode": (
        letter(b"begin 644 orders.txt\r\n" + binascii.b2a_uu(LINE) + b"\r\nend\r\n"), _by_uu
    ),
    "a part behind the end": (
        letter(b"--b\r\n\r\nA PAR H\r\n--b--\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n" + CODED,
               "Content-Type: multipart/mixed; boundary=b"),
        lambda raw: base64.b64decode(raw.rpartition(b"\r\n\r\n")[2]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERWISE)
def test_what_shows_to_another_reader(what: str):
    raw, reader = OTHERWISE[what]
    assert b"Fheron hush" in reader(raw)
    masked = mask_passwords(raw)
    assert b"Fheron" in reader(masked) and b"hush" not in reader(masked)


@pytest.mark.parametrize("size", [60, 76, 152])
def test_a_signature_laid_into_its_own_base64(size: int):
    """With padding where it begins anew, which does not end it for every reader."""
    raw = letter(SIGNED.replace(b"\n", b"")[:size] + b"=\r\n" + SIGNED, *PKCS7)
    assert b"SIGNON Fheron hush" in _by_library(raw)
    assert b"SIGNON Fheron hush" not in _by_library(mask_passwords(raw))


def test_what_every_reader_reads_alike_is_not_decoded_in_other_ways():
    """A picture stays as it is, whatever it spells when it is read askew."""
    askew = base64.b64decode(b"AA" + base64.b64encode(LINE) + b"AA")
    picture = part(base64.encodebytes(b"\0" + askew), "image/png", "Content-Transfer-Encoding: base64")
    raw = multipart("mixed", part("A PAR H"), picture)
    assert mask_passwords(raw) == raw
    damaged = raw.replace(b"image/png\r\n", b"image/png\r\nodd\r\n")
    assert mask_passwords(damaged) != damaged


def test_flowed():
    """A sign-on that was wrapped between game and password."""
    raw = letter("> SIGNON Fheron \n> hush\nA PAR H", "Content-Type: text/plain; format=flowed")
    assert mask_passwords(raw) == letter(
        "> SIGNON Fheron \n> ****\nA PAR H", "Content-Type: text/plain; format=flowed"
    )


def test_every_part():
    """Alternatives, forwarded letters and attached texts; what has no password keeps its bytes."""
    untouched = part(b"\x89PNG \x00\xff\r\n of a sign", "image/png")
    raw = multipart(
        "mixed",
        part("SIGNON Fheron hush"),
        part("<p>SIGNON Fheron hush", "text/html"),
        untouched,
        part("Subject: SIGNON Fheron hush\n\nSIGNON Fheron hush", "message/rfc822"),
        part("SIGNON Fheron hush", "text/plain", "Content-Disposition: attachment"),
    )
    masked = mask_passwords(raw)
    before, _, after = raw.partition(untouched)
    assert masked == before.replace(b"hush", b"****") + untouched + after.replace(b"hush", b"****")


def test_around_the_parts():
    """Before the first part and behind the last, where mail programs show nothing."""
    raw = multipart("mixed", part("A PAR H")).replace(b"\r\n\r\n--=_", b"\r\n\r\nSIGNON Fheron hush\r\n--=_", 1)
    raw += b"\r\nOBSERVE heron hush\r\n"
    assert raw.count(b"hush") == 2
    assert mask_passwords(raw) == raw.replace(b"hush", b"****")


@pytest.mark.parametrize("kind", ["application/octet-stream; name=orders.txt", "application/rtf", "image/png", "x/y"])
def test_attached_file(kind: str):
    """Of any kind, in any transfer encoding, as far as its text lies open."""
    encodings: dict[str, Callable[[bytes], bytes]] = {
        "7bit": bytes,
        "base64": base64.encodebytes,
        "quoted-printable": quopri.encodestring,
    }
    for encoding, encode in encodings.items():
        fields = ("Content-Disposition: attachment", f"Content-Transfer-Encoding: {encoding}")
        file = encode(b"\x89 \x00\r\nSIGNON Fheron hush\r\nA PAR H")
        raw = multipart("mixed", part("A PAR H"), part(file, kind, *fields))
        masked = mask_passwords(raw)
        assert [attached.payload.rstrip() for attached in parse(masked).parts[1:]] == [
            b"\x89 \x00\r\nSIGNON Fheron ****\r\nA PAR H"
        ]


@pytest.mark.parametrize("head", [
    "Content-Transfer-Encoding: base64", "Content-Type: text/plain; charset=utf-16",
    "Content-Type: text/plain; charset=cp500", "Content-Transfer-Encoding: base64\nContent-Type: image/png",
])  # fmt: skip
def test_plain_text_that_calls_itself_something_else(head: str):
    """Other eyes than ours would see it."""
    raw = letter("A PAR H and\r\nxSIGNON Fheron hush\r\nA MAR H!", *head.split("\n"))
    assert mask_passwords(raw) == raw.replace(b"hush", b"****")


def test_two_byte_text_in_a_file():
    """As Outlook keeps the letter once more in winmail.dat."""
    inside = b"\x78\x9f\x3e\x22\x01" + "SIGNON Fheron hush\r\nA PAR H".encode("utf-16-le") + b"\xff\xff"
    raw = multipart("mixed", part(inside, "application/ms-tnef"))
    hidden = "hush".encode("utf-16-le")
    assert hidden in raw
    assert mask_passwords(raw) == raw.replace(hidden, "****".encode("utf-16-le"))


@pytest.mark.parametrize("wrap", [signed_data, streamed_data])
def test_opaque_signature(wrap: Callable[[bytes], bytes]):
    """What lies inside stays readable; what has no password keeps its signature."""
    for text, masked in [("SIGNON Fheron hush\nA PAR H", "SIGNON Fheron ****\nA PAR H"), ("A PAR H", "A PAR H")]:
        signed = base64.encodebytes(wrap(part(text)))
        raw = letter(signed, "Content-Type: application/pkcs7-mime; smime-type=signed-data",
                     "Content-Transfer-Encoding: base64")  # fmt: skip
        found = mask_passwords(raw)
        assert [line.text for line in read_letter(found).lines] == masked.split("\n")
        assert (found == raw) is (text == masked)


SLIPS = ["SINON", "SIGON", "SINGON", "SIGNOM", "SIGNONN", "sigon", "Signin", "SIGN-ON", "SIGNON:", "Sgnon"]


@pytest.mark.parametrize("word", SLIPS)
def test_sign_on_with_a_slip(word: str):
    """In a subject, behind its marks, and at the beginning of a line."""
    line = f"{word} Fheron hush and more"
    subject = letter().replace(b"orders", f"Re: {line}".encode())
    for raw in (subject, letter(f"A PAR H\n{line}\nA MAR H"), letter(f"> {line}")):
        assert mask_passwords(raw) == raw.replace(b"hush and more", b"****")


def test_words_that_look_like_a_sign_on_with_a_slip():
    for line in ("Sinon la Russie attaquera", "Signor Rossi viene da Roma", "Signed by Fay today", "si non",
                 "Sign in, please"):  # fmt: skip
        assert mask_passwords(letter(line)) == letter(line), line
    assert mask_passwords(letter("Sinon Fheron hush")) == letter("Sinon Fheron ****")


@pytest.mark.parametrize("mark", ["Re: ", "RE: ", "Fwd: ", "Re: Fwd: AW: ", "re[2]:", "SV: ", "Antw: Re: "])
@pytest.mark.parametrize("sign_on", ["CREATE ?heron {} standard", "OBSERVE heron {}", "sign on Fheron {}"])
def test_subject_of_an_answer(mark: str, sign_on: str):
    """Whatever a mail program has put before it."""
    written = letter("A PAR - BUR").replace(b"Subject: orders", f"Subject: {mark}{sign_on}".encode())
    assert mask_passwords(written.replace(b"{}", b"hush")) == written.replace(b"{}", b"****")


def test_subject():
    """Some people write everything into the subject, and mail programs copy it."""
    raw = b"Subject: =?utf-8?q?SIGNON_Fheron_hush=C3=A4?=\r\nThread-Topic: SIGNON Fheron hush\r\n\r\nA PAR H\r\n"
    assert mask_passwords(raw) == b"Subject: SIGNON Fheron ****\r\nThread-Topic: SIGNON Fheron ****\r\n\r\nA PAR H\r\n"


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_never_raises(raw: bytes):
    """No bytes make it raise, and what was masked needs no masking again."""
    masked = mask_passwords(raw)
    assert mask_passwords(masked) == masked


@pytest.mark.parametrize(
    "pattern", [b"password" + b" " * 999, b"> " * 500, b"signon " * 140, b"create a b " * 90, b"signon <b " * 100]
)
def test_linear_time(pattern: bytes):
    """Hostile letters of half a megabyte are masked in half a second or so, in every format."""
    for content_type in ("text/plain", "text/html", "text/plain; format=flowed"):
        started = time.process_time()
        mask_passwords(letter(pattern * (500_000 // len(pattern)), f"Content-Type: {content_type}"))
        assert time.process_time() - started < 1.25


@pytest.mark.parametrize("coded", [b"", CODED.replace(b"\n", b"\r\n")])
def test_files_in_files_in_files(coded: bytes):
    """A thousand letters, each in a file of the one before it: not all of them are opened, and no password is kept."""
    own = b"Content-Transfer-Encoding: base64\r\n\r\n" + coded if coded else b"\r\n" + LINE
    nested = b"Content-Type: application/octet-stream\r\n"

    def seconds(files: int) -> float:
        began = time.process_time()
        masked = mask_passwords((nested + b"\r\n") * files + nested + own)
        assert b"hush" not in masked
        assert not coded or b"hush" not in base64.b64decode(masked.rpartition(b"\r\n\r\n")[2])
        return time.process_time() - began

    assert any(seconds(1200) < 8 * seconds(300) for _ in range(3))


def test_parts_beyond_the_last_that_is_read_are_not_kept():
    head = b"--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    one = head + b"SIGN=\r\nON Fheron secret\r\n"
    raw = b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + one * 400 + b"--b--\r\n"
    assert b"secret" not in mask_passwords(raw)


def test_text_of_two_bytes_a_letter_stays_whole_in_quoted_printable():
    body = binascii.b2a_qp("A PAR H\r\nSIGNON Fheron secret\r\nF BRE H\r\n".encode("utf-16-le"), istext=False)
    head = b"Content-Type: text/plain; charset=utf-16-le\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
    masked = mask_passwords(head + body).partition(b"\r\n\r\n")[2]
    assert binascii.a2b_qp(masked).decode("utf-16-le") == "A PAR H\r\nSIGNON Fheron ****\r\nF BRE H\r\n"


@pytest.mark.parametrize("charset", ["hex", "rot13", "utf-16", "nonsense"])
def test_an_empty_text_in_any_charset(charset: str):
    raw = letter("", f'Content-Type: text/plain; charset="{charset}"')
    assert mask_passwords(raw) == raw


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("F BRE - MAO SIGNON Fheron hush", '"SIGNON Fheron ****" at the end was not understood.'),
        ("F BRE - MAO hush", '"SIGNON Fheron hush" at the end was not understood.'),
    ],
)
def test_what_is_said_about_a_line_with_a_password(line: str, told: str):
    assert without_those_of(line, '"SIGNON Fheron hush" at the end was not understood.') == told
