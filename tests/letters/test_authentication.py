"""Letters that are never answered, and the proof of who sent one."""

import time

import pytest

from judge.letters import Letter
from judge.letters.authentication import verified
from tests.letters.reading import read_letter
from tests.letters.writing import letter, multipart, part
from tests.texts import listed, table

OWN = frozenset({"judge@example.net"})


def read(*headers: str, sender: str = "anna@example.org") -> Letter:
    return read_letter(letter("A PAR H", *headers, sender=sender), own_addresses=OWN, authserv_id="mx.example.net")


def titled(subject: str) -> Letter:
    return read_letter(letter("A PAR H").replace(b"Subject: orders", f"Subject: {subject}".encode()))


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        *table("""
        Auto-Submitted: auto-replied => auto-reply
        Auto-Submitted: AUTO-GENERATED; owner=x => auto-reply
        X-Autoreply: yes => auto-reply
        X-Auto-Response-Suppress: DR, OOF, AutoReply => auto-reply
        X-Auto-Response-Suppress: All => auto-reply
        Return-Path: <> => bounce
        Return-Path: < > => bounce
        Return-Path: <> (postmaster's) => bounce
        Return-Path: (a (b (c))) <> => bounce
        Auto-Submitted: (no) auto-replied => auto-reply
        X-Auto-Response-Suppress: All (from people) => auto-reply
        Content-Type: multipart/report (of a failure); report-type=delivery-status => bounce or receipt
        Precedence: bulk => bulk mail
        Precedence: bulk (really) => bulk mail
        Precedence: Junk => bulk mail
        List-Id: <players.example.org> => mailing list
        List-Unsubscribe: <https://example.org> => mailing list
        X-Judge: 1 => our own mail"""),
        ('Precedence: bulk\r\n\tprotocol="application/pkcs7-signature"', "bulk mail"),
    ],
)
def test_silent_header(header: str, reason: str):
    """RFC 3834 and what robots are known to write."""
    assert read(header).silent.startswith(reason)


@pytest.mark.parametrize(
    "headers",
    [
        ("Auto-Submitted: no", "Auto-Submitted: auto-replied"),
        ("Return-Path: <a@b.c>", "Return-Path: <>"),
        ("Precedence: normal", "Precedence: bulk"),
    ],
)
def test_second_field(headers: tuple[str, str]):
    """A relay may have put its own above."""
    assert read(*headers).silent


def test_report_without_parts():
    raw = b"From: anna@example.org\nContent-Type: multipart/report\n\nA PAR H"
    assert read_letter(raw).silent == "bounce or receipt"


def test_a_header_that_is_longer_than_is_read():
    """A mark may stand below; and no person's mail program writes such."""
    raw = b"From: anna@example.org\n" + b"X-A: %s\n" % (b"b" * 100) * 3000 + b"Auto-Submitted: auto-replied\n\nA PAR H"
    assert read_letter(raw).silent.startswith("too many header fields")


def test_mark_below_a_broken_line():
    """The line ends the header for other readers, and the mark counts all the same; what people write does not."""
    raw = b"From: anna@example.org\nthis is no field\nAuto-Submitted: auto-replied\n\nA PAR H"
    assert read_letter(raw).silent.startswith("auto-reply")
    assert read_letter(b"From: anna@example.org\nREGISTER\nName: Anna\nTimezone: UTC\nEND\n").silent == ""
    assert read_letter(b"From: anna@example.org\n\nA PAR H\nAuto-Submitted: auto-replied\n\n").silent == ""


@pytest.mark.parametrize(
    "subject",
    listed("""
        Automatic reply: Results
        Automatische Antwort: Results
        Réponse automatique : Results
        Respuesta automática: Results
        =?utf-8?q?Automatick=C3=A1_odpov=C4=9B=C4=8F=3A_Results?=
        自動返信: Results
        Out of Office
        Autosvar: Results
        Автоответ: Results
        Автоматичен отговор: Results
        Automatski odgovor: Results
        Trả lời tự động: Results
        Balasan otomatis: Results
        ตอบกลับอัตโนมัติ: Results"""),
)
def test_subject_of_absence_notes(subject: str):
    """Outlook's words for it, where a relay has taken the other marks away."""
    assert titled(subject).silent == "auto-reply (its subject)"


@pytest.mark.parametrize("subject", ["Re: Automatic reply: x", "automatic replying is fun", "autosvarta", "office"])
def test_subject_of_people(subject: str):
    assert titled(subject).silent == ""


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: no (by hand)",
        "Precedence: normal",
        "Return-Path: <a@b.c>",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF",
    ],
)
def test_header_of_people(header: str):
    """Outlook asks for no receipts on letters that people wrote."""
    assert read(header).silent == ""


@pytest.mark.parametrize(
    "sender",
    listed("""
        MAILER-DAEMON@example.org
        Mail Delivery <mailer-daemon@example.org>
        postmaster@example.org
        no-reply@example.org
        noreply+abc@example.org
        do_not_reply@example.org
        bounces-123@example.org
        root@example.org
        owner-players@example.org
        players-request@example.org
        players-bounces@example.org
        players-bounces+anna=example.net@example.org"""),
)
def test_machines(sender: str):
    """Addresses behind which nobody reads."""
    assert read(sender=sender).silent.startswith("a machine's address")


@pytest.mark.parametrize(
    "sender",
    [
        "noreen@example.org",
        "rooter@example.org",
        "owner@example.org",
        "request@example.org",
        "not.replying@example.org",
    ],
)
def test_people_with_odd_names(sender: str):
    """Addresses that merely look a little like it."""
    assert read(sender=sender).silent == ""


def test_own_address():
    """Our own address, also with a tag."""
    assert read(sender="Judge <JUDGE@example.net>").silent == "our own mail"
    assert read(sender="judge+out-17@example.net").silent == "our own mail"


def test_delivery_report():
    """A bounce that quotes orders is no letter with orders."""
    raw = multipart("report; report-type=delivery-status", part("SIGNON Fheron hush\nA PAR H"))
    assert read_letter(raw).silent == "bounce or receipt"


@pytest.mark.parametrize(
    "sender",
    [
        "",
        "anna",
        "Anna <anna@example.org>, Ben <ben@example.org>",
        "anna@example.org, ben@example.org",
        "Berg, anna@example.org",
        "Berg, Anna <anna@example.org>, Ben <ben@example.org>",
        "ben@example.org, Anna <anna@example.org>",
        "Berg; Anna <anna@example.org>",
        "Anna <anna@example.org>, Berg",
        "Berg, Anna <anna@example.org> ben@example.org",
        "anna@example.org <ben@example.org> <carl@example.org>",
        "undisclosed-recipients:;",
        "Anna <an na@example.org>",
        "<@example.org>",
        "Anna <anna@example.org",
        "<anna@example.org>ben@example.org",
        "x" * 300 + "@example.org",
    ],
)
def test_unusable_sender(sender: str):
    """Nobody, or more than one: such a letter has no sender."""
    found = read(sender=sender)
    assert (found.sender, found.silent) == ("", "no usable sender")


def test_two_from_fields():
    """Two From fields are a forger's trick."""
    assert read("From: ben@example.org").sender == ""


@pytest.mark.parametrize(
    ("sender", "name", "address"),
    table("""
        anna@example.org =>  => anna@example.org
        Anna@Example.ORG (Anna Berg) => Anna Berg => anna@example.org
        "Berg, Anna" <anna@example.org> => Berg, Anna => anna@example.org
        Berg, Anna <anna@example.org> => Berg, Anna => anna@example.org
        Berg, Anna, Dr. <anna@example.org> => Berg, Anna, Dr. => anna@example.org
        =?utf-8?q?B=C3=A4r?=, Anna (home) <anna@example.org> => Bär, Anna (home) => anna@example.org
        "ben@example.org" <anna@example.org> => ben@example.org => anna@example.org
        "<ben@example.org>" <anna@example.org> => <ben@example.org> => anna@example.org
        =?utf-8?q?Anna_B=C3=A4r?= <anna@example.org> => Anna Bär => anna@example.org
        Anna <anna@exämple.org> => Anna => anna@xn--exmple-cua.org
        Anna <anna@faß.example> => Anna => anna@xn--fa-hia.example
        =?utf-8?q?=E2=84=AAim?= <Kim@example.org> => Kim => Kim@example.org
        Anna (at home, mostly) <anna@example.org> => Anna (at home, mostly) => anna@example.org
        =?utf-8?q?=3Cben=40example=2Eorg=3E?= <anna@example.org> => <ben@example.org> => anna@example.org"""),
)
def test_sender(sender: str, name: str, address: str):
    """The ways to write one address; the display name is never taken for it."""
    found = read(sender=sender)
    assert (found.sender_name, found.sender) == (name, address)


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ("dmarc=pass (p=reject) header.from=example.org", True),
        ("spf=pass smtp.mailfrom=anna@example.org; dkim=none; dmarc=pass header.from=Example.org", True),
        ("dmarc=pass header.from=example.com", False),
        ("dmarc=fail header.from=example.org; dkim=pass header.d=example.org", False),
        ("dkim=pass header.d=example.org header.s=k1", True),
        ("dkim=pass header.i=@example.org; dmarc=none", True),
        ("dkim=fail header.d=example.org; dkim=pass header.d=example.com", False),
        ("dkim=pass header.d=org", False),
        ("dkim=pass header.d=ample.org", False),
        ("dkim=pass (header.d=example.org) header.d=evil.example", False),
        ("spf=pass smtp.mailfrom=anna@example.org", False),
        ("none", False),
    ],
)
def test_verdict_of_our_server(results: str, verdict: bool):
    """DMARC or an aligned DKIM signature proves the sender; SPF alone does not (it says nothing about From)."""
    assert read(f"Authentication-Results: mx.example.net; {results}").verified is verdict


DMARC_PASS = "dmarc=pass header.from=example.org"


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        # What the sender chose (a local part, a reason out of its own DNS) is quoted, or is one word.
        (f'spf=fail reason="bad; {DMARC_PASS}" smtp.mailfrom=a@evil.example', False),
        (f'spf=pass smtp.mailfrom="x; {DMARC_PASS} "@evil.example', False),
        (f'spf=pass smtp.mailfrom="x\\"; {DMARC_PASS} "@evil.example', False),
        (f'dkim=pass reason="x (" header.d=evil.example; spf=fail reason=") {DMARC_PASS}"', False),
        ("dkim=pass header.d=evil.example header.i=x.header.d=example.org@evil.example", False),
        ('dkim=pass header.d=evil.example header.i="x header.d=example.org "@evil.example', False),
        ("dkim=pass header.d=evil.example header.i=\xe0header.d=example.org", False),
        ("dmarc=pass header.from=evil.example smtp.mailfrom=x.header.from=example.org", False),
        (f"spf=fail (a comment (in one); {DMARC_PASS}) smtp.mailfrom=a@evil.example", False),
        (f"spf=fail (a \\) comment; {DMARC_PASS}) smtp.mailfrom=a@evil.example", False),
        (f'spf=fail ("); {DMARC_PASS}', True),
        # What ends nowhere proves nothing, wherever it stands.
        (f'{DMARC_PASS}; spf=fail reason="x', False),
        (f"{DMARC_PASS}; spf=fail (x", False),
        (f"{DMARC_PASS}; spf=fail x)", False),
        # Two words of one method that do not agree.
        (f"{DMARC_PASS}; dmarc=fail header.from=example.org", False),
        (f"{DMARC_PASS}; dmarc=pass header.from=evil.example", False),
        # Or two of one property.
        ("dmarc=pass header.from=evil.example header.from=example.org", False),
        ("dkim=pass header.d=example.org header.d=evil.example header.d=example.org", False),
        # As servers write it.
        ('dmarc = pass (p=reject (sp=none) "dis) header . from = "example.org"', True),
        ('dkim/1=pass reason="good signature" header.d=example.org', True),
        ('spf=pass smtp.mailfrom=<>; dkim=pass header.i="a b"@example.org header.b=Ab/c+d=', True),
        ("spf=pass smtp.mailfrom=a@b.example for c@d.example; x-tls=pass;; dmarc=pass header.from=example.org;", True),
    ],
)
def test_what_a_sender_wrote_is_no_word_of_our_server(results: str, verdict: bool):
    """RFC 8601, 2.2: quoted strings and comments, which nest, hold no results, however much they look like them."""
    assert read(f"Authentication-Results: mx.example.net; {results}").verified is verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [('"mx.example.net"', None), ('mx."example".net', None), ("(ours) mx.example.net 1", True),
     ("mx.example.net 2", False),
     ('"evil.example; mx.example.net"', None), ("(mx.example.net;) evil.example", None)],
)  # fmt: skip
def test_the_name_of_our_server(name: str, verdict: bool | None):
    """It may stand behind a comment and before a version; of another version we understand nothing."""
    assert read(f"Authentication-Results: {name}; {DMARC_PASS}").verified is verdict


@pytest.mark.parametrize("blank", [" ", "\t", "  "])
def test_a_blank_before_the_colon_is_nobodys_word(blank: str):
    """A server that removes forged fields may not know it as its own."""
    forged = f"Authentication-Results{blank}: mx.example.net; {DMARC_PASS}"
    assert read(forged).verified is None
    assert read(forged, "Authentication-Results: mx.example.net; dmarc=fail").verified is False


@pytest.mark.parametrize("start", ["(", ")", "()", '"', '"" ', '"\\', "(\\", "=", ";", "a=b;", "header.d=", " ", "\\"])
def test_our_servers_word_is_read_in_linear_time(start: str):
    """Whatever a sender has made it write."""
    times = []
    for length in (20_000, 200_000):
        value = "mx.example.net; dmarc=pass " + start * (length // len(start))
        began = time.process_time()
        verified({"authentication-results": [value]}, "mx.example.net", "a@example.org")
        times.append(time.process_time() - began)
    assert times[1] < 40 * times[0] + 0.02


@pytest.mark.parametrize(
    ("domain", "verdict"), [("xn--fa-hia.example", True), ("FAẞ.example", True), ("fass.example", False)]
)
def test_domains_are_compared_in_one_form(domain: str, verdict: bool):
    """Servers write them in ASCII; whoever has the older IDNA's fass.example is somebody else."""
    results = f"Authentication-Results: mx.example.net; dmarc=pass header.from={domain}"
    assert read(results, sender="anna@faß.example").verified is verdict


def test_signature_of_the_parent_domain():
    """A domain may sign for its subdomains, not the other way round."""
    results = "Authentication-Results: mx.example.net; dkim=pass header.d={}"
    assert read(results.format("example.org"), sender="anna@mail.example.org").verified is True
    assert read(results.format("mail.example.org")).verified is False


def test_only_our_server_counts_and_only_its_topmost_word():
    """Others' results prove nothing; of several under our name the lower ones came with the letter."""
    good = "dmarc=pass header.from=example.org"
    assert read(f"Authentication-Results: mx.example.com; {good}").verified is None
    assert read("Authentication-Results: MX.example.net (checked); dmarc=fail").verified is False
    forged = ("Authentication-Results: mx.example.net; dmarc=fail", f"Authentication-Results: mx.example.net; {good}")
    assert read(*forged).verified is False
    assert read_letter(letter("A PAR H", f"Authentication-Results: mx.example.net; {good}")).verified is None
