"""Whole letters as mail programs send them, read into lines and facts."""

import base64
import time
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.letters import Letter, Line
from tests.letters.corpus.security import signed_data, streamed_data
from tests.letters.reading import fingerprint, read_letter
from tests.letters.writing import letter, multipart, part
from tests.texts import listed, table

ORDERS = "SIGNON Fheron secret\nA PAR - BUR\nA MAR S A PAR - BUR\nSIGNOFF"


def texts(read: Letter, kind: str = "text") -> list[str]:
    return [line.text for line in read.lines if line.kind == kind and line.text]


def test_plain_letter():
    """The facts of an ordinary letter."""
    read = read_letter(
        letter(
            ORDERS,
            "Date: Tue, 3 Nov 2026 10:00:00 +0100",
            "In-Reply-To: <results@judge.example.net>",
            "References: <start@judge.example.net> <results@judge.example.net>",
            "Reply-To: <anna.berg@example.com>",
        )
    )
    assert (read.sender, read.sender_name, read.reply_to) == ("anna@example.org", "Anna Berg", "anna.berg@example.com")
    assert (read.subject, read.message_id) == ("orders", "<1@example.org>")
    assert read.references == ("<results@judge.example.net>", "<start@judge.example.net>")
    assert read.date == datetime(2026, 11, 3, 9, tzinfo=UTC)
    assert texts(read) == ORDERS.split("\n")
    assert (read.silent, read.verified, read.notes) == ("", None, ())


@pytest.mark.parametrize(
    ("fields", "addressed"),
    [
        (["To: Judge <JUDGE@example.net>"], True),
        (["To: anna@example.org, judge+heron@example.net"], True),
        (["To: anna@example.org", "Cc: judge@example.net"], False),
        (["To: judge@example.net", "To: anna@example.org"], False),
        (['To: "judge@example.net" <anna@example.org>'], False),
        (["To: anna@example.org (judge@example.net)"], False),
        (["To: undisclosed-recipients:;"], False),
        ([], False),
    ],
    ids=str,
)
def test_whom_a_letter_is_addressed_to(fields: list[str], addressed: bool):
    """Only To counts, and only one: others can be added to a letter that is signed."""
    raw = "\r\n".join(["From: anna@example.org", *fields, "Subject: orders", "", ORDERS]).encode()
    assert read_letter(raw, own_addresses=frozenset({"judge@example.net"})).addressed is addressed


def test_alternatives():
    """Of a plain and an HTML form the plain one is read; the HTML one if the plain form is empty."""
    html = part("<p>A PAR H</p>", "text/html")
    assert texts(read_letter(multipart("alternative", part("A PAR - BUR"), html))) == ["A PAR - BUR"]
    assert texts(read_letter(multipart("alternative", html, part("A PAR - BUR")))) == ["A PAR - BUR"]
    assert texts(read_letter(multipart("alternative", part(" \n"), html))) == ["A PAR H"]


def test_mixed_parts():
    """Text around a picture is read in order; attachments are not."""
    read = read_letter(
        multipart(
            "mixed",
            part("A PAR - BUR"),
            part(b"\x89PNG", "image/png"),
            part("A MAR H"),
            part("A MUN H", "text/plain", "Content-Disposition: attachment; filename=old.txt"),
            part("Subject: old\n\nA KIE H", "message/rfc822"),
        )
    )
    assert texts(read) == ["A PAR - BUR", "A MAR H"]


def test_nothing_but_an_attachment():
    """The sender is told why nothing was found."""
    attached = part("A PAR H", "text/plain", "Content-Disposition: attachment")
    assert read_letter(multipart("mixed", attached)).unread.startswith("A file of type text/plain was not read: if it")
    encrypted = multipart("encrypted", part("Version: 1", "application/pgp-encrypted"))
    assert read_letter(encrypted).unread == "Your email is encrypted, so it was not read: send it as plain text."


NAMED = ("Content-Disposition: inline; filename=old.txt",)


@pytest.mark.parametrize("own", ["A PAR - BUR", "<p>A PAR - BUR"])
def test_a_file_shown_inside_the_letter(own: str):
    """It is no text of the letter's, above it or below."""
    kind = "text/html" if own[0] == "<" else "text/plain"
    for file in (part("A KIE H", "text/plain", *NAMED), part("A KIE H", 'text/plain; name="old.txt"')):
        for parts in ((part(own, kind), file), (file, part(own, kind)), (part(own, kind), file, part("\n"))):
            read = read_letter(multipart("mixed", *parts))
            assert (texts(read), read.notes) == (["A PAR - BUR"], ())


def test_a_text_file_whose_name_holds_a_password():
    """That it was not read is said without its name."""
    file = part("A KIE H", "text/plain", 'Content-Disposition: inline; filename="signon Fheron hush.txt"')
    read = read_letter(multipart("mixed", part("A PAR - BUR"), file))
    assert texts(read) == ["A PAR - BUR"]
    assert read.unread.startswith("A file of type text/plain was not read: ")


@pytest.mark.parametrize("own", ["", "\n \n", "\nSent from my iPhone\n"])
def test_nothing_but_a_file_shown_inside_the_letter(own: str):
    """It is read, and the letter says so."""
    read = read_letter(multipart("mixed", part(own), part("A KIE H", "text/plain", *NAMED), part("\n")))
    assert texts(read) == ["A KIE H"]
    assert read.notes == ("the email has no other text, so its file old.txt was read",)


def test_a_letter_that_is_called_like_a_file():
    read = read_letter(letter("A PAR H", "Content-Type: text/plain; name=orders.txt"))
    assert (texts(read), read.notes) == (["A PAR H"], ())


@pytest.mark.parametrize(
    "kind",
    listed("""
        text/markdown; charset=utf-8
        text/x-markdown
        text/unheard-of
        text/plain charset=utf-8
        text/plain, charset=utf-8
        text/plain: charset=utf-8
        text/plain (orders); charset=utf-8
        "text/plain"; charset=utf-8
        <text/plain>
        text / plain
        text\\plain
        plain/text
        text
        ; charset=utf-8
        =?utf-8?q?text/plain?=
        text/html charset=utf-8
        html"""),
)
def test_a_text_is_read_whatever_it_is_called(kind: str):
    read = read_letter(letter("A PÄR H", f"Content-Type: {kind}"))
    assert (texts(read), read.notes) == (["A PÄR H"], ())


def test_the_charset_of_a_garbled_type():
    kind = "Content-Type: text/plain charset=iso-8859-2; format=flowed"
    assert texts(read_letter(letter("A PÄR H".encode("iso-8859-2"), kind))) == ["A PÄR H"]


def test_parts_of_a_garbled_type():
    parts = multipart("alternative", part("A PAR H", "text/plain charset=utf-8"), part("<p>A MAR H", "text/html"))
    assert texts(read_letter(parts.replace(b"alternative;", b"alternative,"))) == ["A PAR H"]
    assert texts(read_letter(multipart("mixed", part("A PAR H", "text/markdown")))) == ["A PAR H"]


@pytest.mark.parametrize("kind", ["application/octet-stream", "image/png", "application/rtf"])
def test_why_a_letter_of_another_type_is_not_read(kind: str):
    why = "A picture was not" if "image" in kind else f"A file of type {kind} was not"
    assert read_letter(letter("A PAR H", f"Content-Type: {kind}")).unread.startswith(why)
    sheet = part("A PAR H", "text/x-amp-html")
    assert "text/x-amp-html" in read_letter(multipart("mixed", sheet)).unread


def test_winmail():
    """What Outlook alone can read."""
    read = read_letter(multipart("mixed", part(b"\x78\x9f\x3e\x22", "application/ms-tnef")))
    assert read.unread == "Your email came as winmail.dat, which only Outlook can read: send it as plain text."


@pytest.mark.parametrize("wrap", [signed_data, streamed_data])
def test_opaque_signature(wrap: Callable[[bytes], bytes]):
    """A letter that is merely signed is read, whatever parts it has, and its copies are the same letter."""
    inner = multipart("alternative", part("A PAR - BUR"), part("<p>A KIE H", "text/html"))
    signed = [
        letter(encode(wrap(text)), "Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m",
               "Content-Disposition: attachment; filename=smime.p7m", f"Content-Transfer-Encoding: {encoding}")
        for text in (part("A PAR - BUR"), inner)
        for encoding, encode in (("base64", base64.encodebytes), ("8bit", bytes))
    ]  # fmt: skip
    assert all(texts(read_letter(raw)) == ["A PAR - BUR"] and not read_letter(raw).unread for raw in signed)
    assert fingerprint(signed[0]) == fingerprint(signed[1]) != fingerprint(signed[2])


@given(st.integers(0, 200), st.integers(0, 255), st.sampled_from([signed_data, streamed_data]))
def test_damaged_signature(place: int, value: int, wrap: Callable[[bytes], bytes]):
    """A byte changed anywhere costs at most the letter."""
    data = bytearray(wrap(part("A PAR - BUR")))
    data[place % len(data)] = value
    check_storable(read_letter(letter(bytes(data), "Content-Type: application/pkcs7-mime")))


def test_a_signature_inside_of_many_costs_no_more_than_its_size():
    """Lengths left open, one inside of the other; and pieces without number."""
    for data in (b"\x30\x80" * 500_000, streamed_data(b"x" * 200_000, 1), b"\x30\x84\xff\xff\xff\xff" * 100_000):
        began = time.process_time()
        read_letter(letter(data, "Content-Type: application/pkcs7-mime"))
        assert time.process_time() - began < 3


def test_unknown_and_wrong_charsets():
    """The declared charset, else UTF-8, else Latin-1; a charset of nonsense does no harm."""
    for charset, body in [
        ("x-klingon", "Grüße".encode()),
        ("utf-8", "Grüße".encode("latin-1")),
        ("us-ascii", "Grüße".encode()),
        ("", "Grüße".encode("latin-1")),
        ("hex", "Grüße".encode()),
        ("a\0b", "Grüße".encode()),
        ("utf-16", "Grüße".encode("utf-16")),
        ("koi8-r", "Grüße".encode()),
    ]:
        read = read_letter(letter(body, f'Content-Type: text/plain; charset="{charset}"'))
        assert texts(read) == ["Grüße"] or charset == "koi8-r"
        assert len(read.lines) == 1


@pytest.mark.parametrize(
    "charset", ["iso-8859-1", "windows-1252", "ISO-8859-15", "latin1", "windows-1251", "koi8-r", "cp850"]
)
def test_utf8_that_calls_itself_a_single_byte_charset(charset: str):
    """Such a label fits all bytes, so it proves nothing where they are UTF-8; also in the words of a field."""
    kind = f'Content-Type: text/plain; charset="{charset}"'
    assert texts(read_letter(letter("Grüße – A PAR → BUR, Дж", kind))) == ["Grüße - A PAR - BUR, Дж"]
    raw = letter("A PAR H").replace(b"Subject: orders", f"Subject: =?{charset}?q?Gr=C3=BC=C3=9Fe?=".encode())
    assert read_letter(raw).subject == "Grüße"


@pytest.mark.parametrize(
    ("charset", "text"),
    table("""
        iso-8859-1   => Grüße, né à Nîmes
        windows-1251 => Привет, Её
        koi8-r       => Её армия
        iso-8859-7   => Γειά σου
        iso-8859-2   => Žluťoučký kůň
        iso-8859-8   => שלום
        cp874        => สวัสดี
        shift_jis    => 進軍
        big5         => 你好"""),
)
def test_text_in_the_charset_that_it_names(charset: str, text: str):
    assert texts(read_letter(letter(text.encode(charset), f'Content-Type: text/plain; charset="{charset}"'))) == [text]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blanks_behind_a_soft_break(end: str):
    """A relay added them; where a line goes on, they are not its text (RFC 2045, 6.7 (3))."""
    fields = "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"
    body = "A PAR - =  \nBUR\nF BRE=20=\t\n=E2=80=93 =\nMAO\n1 + 1 =3D 2  =3D\nA MAR H= "
    read = read_letter(letter(body, *fields, end=end))
    assert texts(read) == ["A PAR - BUR", "F BRE - MAO", "1 + 1 = 2  =", "A MAR H"]


def test_windows_text_that_calls_itself_latin1():
    """Bytes 0x80–0x9f in "Latin-1" are Windows' dashes and quotes."""
    read = read_letter(letter(b"A PAR \x96 BUR", "Content-Type: text/plain; charset=iso-8859-1"))
    assert texts(read) == ["A PAR - BUR"]


def test_every_line_end():
    """CR LF, LF and CR alone."""
    for end in ("\r\n", "\n", "\r"):
        read = read_letter(letter(ORDERS, end=end))
        assert (read.sender, texts(read)) == ("anna@example.org", ORDERS.split("\n"))


def test_ten_thousand_lines():
    """The first 5,000 lines are read and a note says so."""
    read = read_letter(letter("A PAR - BUR\n" * 10_000))
    assert len(read.lines) == 5000
    assert read.notes == ("cut at 5,000 lines",)
    assert len(read_letter(letter("x\n" * 50), max_lines=20).lines) == 20


def test_a_megabyte_in_one_line():
    """Lines are cut, too."""
    read = read_letter(letter("x" * 1_000_000))
    assert len(read.lines[0].text) == 10_000
    assert read.notes == ("lines cut at 10,000 characters",)


def test_cut_by_the_mailbox():
    """A letter of which the mailbox gave only the beginning says so."""
    assert read_letter(letter("A PAR H"), cut=True).notes == (
        "the email was too large, so only its beginning was read",
    )


def test_broken_mime():
    """Missing boundaries, missing blank lines and endless nesting lose as little as possible."""
    assert texts(read_letter(letter("A PAR H", "Content-Type: multipart/mixed"))) == ["A PAR H"]
    assert texts(read_letter(letter("A PAR H", 'Content-Type: multipart/mixed; boundary="no"'))) == ["A PAR H"]
    unclosed = multipart("mixed", part("A PAR H")).rpartition(b"\r\n--=_frontier--")[0]
    assert texts(read_letter(unclosed)) == ["A PAR H"]
    assert texts(read_letter(b"From: anna@example.org\r\nSubject: x\r\nA PAR H\r\n")) == ["A PAR H"]
    assert texts(read_letter(b"From someone Tue Nov  3\nFrom: anna@example.org\n\nA PAR H\n")) == ["A PAR H"]
    nested = part("A PAR H")
    for level in range(200):
        nested = part(b"--b%d\r\n" % level + nested + b"\r\n--b%d--" % level, f"multipart/mixed; boundary=b{level}")
    assert read_letter(nested).lines == ()


# A line among the fields that is none: (what stands above From, what stands below Subject).
JUNK = {
    "a sentence with a colon": (b"", b"To whom it may concern:\n"),
    "a name with blanks": (b"", b"X Spam Status: no\n"),
    "no colon": (b"", b"this is no field\n"),
    "eight-bit name": (b"", "Über: alles\n".encode()),
    "no name": (b"", b": nothing\n"),
    "several": (b"", b"To whom it may concern:\nthis is no field\n: nothing\n"),
    "with a fold below": (b"", b"To whom it may concern:\n of the\n\tjudges\n"),
    "with a field between": (b"", b"To whom it may concern:\nFoo: bar\nmore\n"),
    "mbox line": (b"From anna Tue Nov  3 10:00:00 2026\n", b""),
    "quoted mbox line": (b">From anna Tue Nov  3 10:00:00 2026\n", b""),
    "two mbox lines": (b"From anna Tue Nov  3\n>From anna Tue Nov  3\n", b""),
    "mbox line below": (b"", b"From anna Tue Nov  3\n"),
    "quoted mbox line below": (b"", b">From anna Tue Nov  3\n"),
    "on top": (b"this is no field\n", b""),
    "on top and below": (b"To whom it may concern:\n", b"To whom it may concern:\n"),
}


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize(("above", "below"), JUNK.values(), ids=JUNK)
def test_lines_in_the_header_that_are_no_fields(above: bytes, below: bytes, end: bytes):
    """Mail programs pass them over: the fields below say how the body is encoded."""
    fields = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n"
    head = above + b"From: anna@example.org\nSubject: orders\n" + below + fields
    read = read_letter(head.replace(b"\n", end) + base64.b64encode(ORDERS.encode()))
    assert texts(read) == ORDERS.split("\n")
    assert (read.sender, read.subject) == ("anna@example.org", "orders")


@pytest.mark.parametrize("junk", [below for _, below in JUNK.values() if below])
@pytest.mark.parametrize("blank", [b"", b" "], ids=["", "blank before the colon"])
def test_lines_in_the_header_of_a_part_that_are_no_fields(junk: bytes, blank: bytes):
    """The same in the parts of a letter, also where a part is found to have parts of its own."""
    encoded = b"Content-Transfer-Encoding%s: base64\n\n" % blank + base64.b64encode(ORDERS.encode())
    inner = b"Content-Type: text/plain\n" + junk + encoded
    assert texts(read_letter(multipart("mixed", inner))) == ORDERS.split("\n")
    outer = junk + b"Content-Type: multipart/mixed; boundary=inner\n\n--inner\n" + inner + b"\n--inner--"
    assert texts(read_letter(multipart("mixed", outer))) == ORDERS.split("\n")


def test_a_body_that_begins_without_a_blank_line():
    """Where no field of mail follows, the line that is none is the first of the text."""
    form = "REGISTER\nName: Anna\nTimezone: UTC\nEND"
    assert texts(read_letter(f"From: anna@example.org\n{form}\n\nSubject: none\n".encode())) == [
        *form.split("\n"), "Subject: none",
    ]  # fmt: skip
    broken = b"From: anna@example.org\nthis is no field\nMIME-Version: 1.0\nA PAR H\nNote: B\n\nA MAR H\n"
    assert texts(read_letter(broken)) == ["A PAR H", "Note: B", "A MAR H"]


def test_subject_in_encoded_words():
    """RFC 2047, also when a character is split between two words, and bare eight-bit subjects."""
    subjects = {
        "=?utf-8?q?Befehle_f=C3=BCr_Heron?=": "Befehle für Heron",
        "=?utf-8?B?QmVmZWhsZSBmw7w=?=\r\n =?utf-8?B?ciBIZXJvbg==?=": "Befehle für Heron",
        "=?utf-8?q?f=C3?= =?utf-8?q?=BCr?= Heron": "für Heron",
        "Re: =?x-klingon?b?****?= a =?broken": "Re: a =?broken",
        "für Heron": "für Heron",
        "two\r\n lines": "two lines",
    }
    for written, meant in subjects.items():
        raw = b"From: anna@example.org\r\nSubject: " + written.encode() + b"\r\n\r\n"
        assert read_letter(raw).subject == meant


def test_same_letter_by_another_way():
    """Transport headers, line ends and transfer encodings do not change the fingerprint; content does."""
    original = letter(ORDERS, "Content-Type: text/plain; charset=utf-8")
    base = fingerprint(original)
    relayed = b"Return-Path: <anna@example.org>\r\nReceived: by relay.example.org\r\nDelivered-To: x@example.net\r\n"
    encoded = letter(
        base64.encodebytes(ORDERS.replace("\n", "\r\n").encode() + b"  \r\n"),
        "Content-Transfer-Encoding: base64",
        "Content-Type: text/plain",
    )
    assert fingerprint(relayed + original) == base
    assert fingerprint(original.replace(b"\r\n", b"\n")) == base
    assert fingerprint(encoded) == base
    assert fingerprint(original.replace(b"BUR", b"GAS")) != base
    assert fingerprint(original.replace(b"<1@", b"<2@")) != base
    assert fingerprint(original.replace(b"anna@", b"hanna@")) != base


def test_the_same_words_again_without_a_message_id_are_another_letter():
    """Only the sender's clock tells them apart; a copy that a relay made has the same Date."""
    head = b"From: anna@example.org\r\nSubject: orders\r\nDate: Mon, 4 May 2026 10:00:0%d +0000\r\n\r\nLIST\r\n"
    assert fingerprint(head % 1) != fingerprint(head % 2)
    assert fingerprint(b"Received: by relay.example.org\r\n" + head % 1) == fingerprint(head % 1)


def test_line_remembers_what_was_written():
    """Press is sent on as it was written, orders are matched on folded text."""
    assert Line("a - b", "text", "a – b").verbatim == "a – b"
    assert Line("a - b").verbatim == "a - b"


def check_storable(read: Letter) -> None:
    """Everything in a letter can go into a database and a mail."""
    facts = [read.sender, read.sender_name, read.reply_to, read.subject, read.message_id, read.silent]
    facts += [*read.references, *read.notes, read.unread, read.pictures]
    facts += [text for line in read.lines for text in (line.text, line.verbatim)]
    for text in facts:
        text.encode()
        assert not {"\0", "\r", "\n"} & set(text)
    assert read.date is None or read.date.tzinfo is UTC


@given(st.binary(max_size=600))
def test_never_raises_on_any_bytes(raw: bytes):
    """No bytes make the reader raise."""
    check_storable(read_letter(raw, authserv_id="mx.example.net"))


FIELD_NAMES = ["From", "Subject", "Date", "Message-ID", "References", "Reply-To", "Content-Type", "Return-Path"]
FIELD_NAMES += ["Content-Transfer-Encoding", "Authentication-Results", "Auto-Submitted", "Content-Disposition"]
FIELD_WORDS = ["<", ">", "@", '"', "(", ")", ";", ",", ":", "=?", "?=", "?q?", "?b?", "utf-8", "=", "\\", "multipart/"]
FIELD_WORDS += ["mixed", "alternative", "boundary=b", "--b", "--b--", "text/html", "charset=", "utf-7", "base64", "a@b"]
FIELD_WORDS += ["quoted-printable", "mx.example.net", "dmarc=pass", "format=flowed", "&#xd800;", "<blockquote>", ">"]
FIELD_WORDS += [" ", "\t", "\r\n", "\n", "\r", "\r\n ", "\r\n\r\n", "\0", "\xff", "99", "+9999", "On 1 wrote:", "-- "]


@given(
    st.lists(st.tuples(st.sampled_from(FIELD_NAMES), st.lists(st.sampled_from(FIELD_WORDS), max_size=8)), max_size=6),
    st.lists(st.sampled_from(FIELD_WORDS), max_size=20),
)
def test_never_raises_on_anything_like_a_letter(fields: list[tuple[str, list[str]]], body: list[str]):
    """Nor do bytes that look like mail, broken in every place."""
    head = "\r\n".join(f"{name}: {''.join(words)}" for name, words in fields)
    check_storable(read_letter(f"{head}\r\n\r\n{''.join(body)}".encode("latin-1"), authserv_id="mx.example.net"))


def test_what_openpgp_signed_in_the_open_loses_its_escapes():
    """RFC 9580 §7.2; outside of it a hyphen stays."""
    signed = [
        "- A PAR H", "-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA512", "", "- - A PAR - BUR", "A MAR H",
        "- -- ", "Fay",
        "-----BEGIN PGP SIGNATURE-----", "- - iQ", "-----END PGP SIGNATURE-----",
    ]  # fmt: skip
    lines = read_letter(letter("\n".join(signed))).lines
    said = [line.text for line in lines if line.kind == "text"]
    assert said == ["- A PAR H", *signed[1:4], "- A PAR - BUR", "A MAR H"]
    assert [line.text for line in lines if line.kind == "signature"][:2] == ["--", "Fay"]
