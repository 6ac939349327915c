"""Letters that are never answered, and the proof of who sent one."""

import pytest

from judge.letters import Letter
from tests.letters.reading import read_letter
from tests.letters.writing import letter, multipart, part

OWN = frozenset({"judge@example.net"})


def read(*headers: str, sender: str = "anna@example.org") -> Letter:
    return read_letter(
        letter("A PAR H", *headers, sender=sender), own_addresses=OWN, authserv_id="mx.example.net"
    )


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Auto-Submitted: auto-replied", "auto-reply"),
        ("Auto-Submitted: AUTO-GENERATED; owner=x", "auto-reply"),
        ("X-Autoreply: yes", "auto-reply"),
        ("X-Auto-Response-Suppress: DR, OOF, AutoReply", "auto-reply"),
        ("X-Auto-Response-Suppress: All", "auto-reply"),
        ("Return-Path: <>", "bounce"),
        ("Return-Path: < >", "bounce"),
        ("Precedence: bulk", "bulk mail"),
        ("Precedence: Junk", "bulk mail"),
        ("List-Id: <players.example.org>", "mailing list"),
        ("List-Unsubscribe: <https://example.org>", "mailing list"),
        ("X-Judge: 1", "our own mail"),
    ],
)
def test_silent_header(header: str, reason: str):
    """RFC 3834 and what robots are known to write."""
    assert read(header).silent.startswith(reason)


@pytest.mark.parametrize(
    "header",
    ["Auto-Submitted: no", "Precedence: normal", "X-Auto-Response-Suppress: DR, RN, NRN, OOF", "Return-Path: <a@b.c>"],
)
def test_header_of_people(header: str):
    """Outlook asks for no receipts on letters that people wrote."""
    assert read(header).silent == ""


@pytest.mark.parametrize(
    "sender",
    [
        "MAILER-DAEMON@example.org",
        "Mail Delivery <mailer-daemon@example.org>",
        "postmaster@example.org",
        "no-reply@example.org",
        "noreply+abc@example.org",
        "do_not_reply@example.org",
        "bounces-123@example.org",
    ],
)
def test_machines(sender: str):
    """Addresses behind which nobody reads."""
    assert read(sender=sender).silent.startswith("a machine's address")


@pytest.mark.parametrize("sender", ["noreen@example.org", "root@example.org", "not.replying@example.org"])
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
    [
        ("anna@example.org", "", "anna@example.org"),
        ("Anna@Example.ORG (Anna Berg)", "Anna Berg", "anna@example.org"),
        ('"Berg, Anna" <anna@example.org>', "Berg, Anna", "anna@example.org"),
        ('"ben@example.org" <anna@example.org>', "ben@example.org", "anna@example.org"),
        ('"<ben@example.org>" <anna@example.org>', "<ben@example.org>", "anna@example.org"),
        ("=?utf-8?q?Anna_B=C3=A4r?= <anna@example.org>", "Anna Bär", "anna@example.org"),
        ("Anna <anna@exämple.org>", "Anna", "anna@exämple.org"),
        ("Anna (at home, mostly) <anna@example.org>", "Anna (at home, mostly)", "anna@example.org"),
        ("=?utf-8?q?=3Cben=40example=2Eorg=3E?= <anna@example.org>", "<ben@example.org>", "anna@example.org"),
    ],
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
