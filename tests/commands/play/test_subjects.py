"""What stands beside the text of a letter: its subject and its files, read or named first."""

from email.message import EmailMessage
from itertools import count

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import table

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
ORDERS = "A PAR - BUR\nA MAR H\nF BRE - MAO\n"
NUMBERS = count()
# The type of a file, its name, and what it is called; "": it is not named.
FILES = """
    text/html => orders.html => The file orders.html was not read: if it has orders
    text/plain => orders.txt => The file orders.txt was not read
    text/plain => => A file of type text/plain was not read
    application/vnd.openxmlformats-officedocument.wordprocessingml.document => orders.docx => The file orders.docx
    application/pdf => orders.pdf => The file orders.pdf was not read
    application/zip => orders.zip => The file orders.zip was not read
    application/octet-stream => orders.asc => The file orders.asc was not read
    application/octet-stream => => A file of type application/octet-stream was not read
    application/ms-tnef => winmail.dat => The file winmail.dat was not read
    application/rtf => orders.rtf => The file orders.rtf was not read
    text/csv => orders.csv => The file orders.csv was not read
    text/calendar => invite.ics => The file invite.ics was not read
    image/png => map.png => The picture map.png was not read
    image/jpeg => => A picture was not read
    application/pkcs7-signature => smime.p7s =>
    application/pgp-signature => signature.asc =>
    application/pgp-keys => key.asc =>
    text/vcard => fay.vcf =>"""
COMPLETE = "Orders complete."
MISSING = "3 units without orders: A MAR, A PAR, F BRE."


def email(text: str, subject: str = "orders", page: str = "") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = FRANCE, "judge@example.org", subject
    message["Message-ID"] = f"<beside{next(NUMBERS)}@example.org>"
    message.set_content(text)
    if page:
        message.add_alternative(page, subtype="html")
    return message


def first(desk: DeskAtWork, message: EmailMessage) -> str:
    """The text of the reply as one line."""
    (reply,) = [mail for mail in desk.would_receive(message.as_bytes()) if mail.to == FRANCE]
    return reply.flat


@pytest.mark.parametrize("where", ["attachment", "inline"])
@pytest.mark.parametrize(
    "text", [SIGNON + ORDERS, SIGNON, "Orders attached.\n", SIGNON + "PRESS TO ENGLAND\nHi\nENDPRESS"]
)
def test_a_file_that_was_not_read_is_named_first(heron: DeskAtWork, where: str, text: str):
    for kind, name, told in table(FILES):
        message = email(text)
        main, sub = kind.split("/")
        message.add_attachment(b"A PAR H", maintype=main, subtype=sub, disposition=where, filename=name or None)
        reply = first(heron, message)
        if where == "inline" and kind == "text/plain" and not name:
            assert "was not read" not in reply
        else:
            assert reply.startswith(told or "") and ("not read: if" in reply) == bool(told), (kind, reply)


def test_several_files_are_named_together(heron: DeskAtWork):
    message = email(SIGNON + ORDERS)
    for number in range(8):
        message.add_attachment(b"x", maintype="application", subtype="pdf", filename=f"{number}.pdf")
    told = "The file 0.pdf, the file 1.pdf, the file 2.pdf, the file 3.pdf, the file 4.pdf and 3 more were not read:"
    assert first(heron, message).startswith(f"{told} if they have orders")


def test_an_attached_email_is_named_without_its_subject_which_may_hold_a_password(heron: DeskAtWork):
    message = email(SIGNON)
    message.add_attachment(email(ORDERS, "SIGNON Fheron pwfrance"))
    assert first(heron, message).startswith("An attached email was not read: if it has orders")


def test_a_picture_of_the_page_is_named_where_orders_may_be_missing(heron: DeskAtWork):
    named = "The picture image001.png was not read"
    for text, is_named in ((SIGNON, True), (SIGNON + ORDERS, False), ("My orders", True), ("LIST", False)):
        message = email(text, page=f"<p>{text.replace(chr(10), '<br>')}</p><img src='cid:a'>")
        page = message.get_payload()[1]  # type: ignore[index]
        page.add_related(b"\x89PNG", "image", "png", cid="<a>", filename="image001.png")  # type: ignore[union-attr]
        assert first(heron, message).startswith(named) == is_named, text


def test_an_encrypted_letter_says_so_first(heron: DeskAtWork):
    reply = first(heron, email("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"))
    assert reply.startswith("Your email is encrypted, so it was not read: send it as plain text.")


SUBJECTS = [
    ("A PAR - BUR", SIGNON, "2 units without orders: A MAR, F BRE."),
    ("A PAR - BUR, A MAR H, F BRE - MAO", SIGNON, COMPLETE),
    ("Orders: A PAR - BUR", SIGNON, "2 units without orders: A MAR, F BRE."),
    ("all units hold", SIGNON, COMPLETE),
    ("A PAR - BUR", f"{SIGNON}PRESS TO ENGLAND\nHi\nENDPRESS", "2 units without orders: A MAR, F BRE."),
    ("A PAR - BUR", f"{SIGNON}A PAR - BUR", "2 units without orders"),
    ("A PAR - BUR, A MAR H", f"{SIGNON}A MAR - SPA", 'Your subject "A PAR - BUR, A MAR H" was not read'),
    ("A BER - MUN", SIGNON, MISSING),
    ("A BER - MUN", SIGNON + ORDERS, COMPLETE),
    ("A PAR - BRU", SIGNON + ORDERS, 'Your subject "A PAR - BRU" was not read, because your email has a text'),
    ("A PAR - BRU", f"{SIGNON}{ORDERS}A PAR - BRU", "1 line not understood."),
    ("A BUR - MUN", SIGNON + ORDERS, 'Your subject "A BUR - MUN" was not read, because your email has a text'),
    ("BUILD A PAR", SIGNON + ORDERS, 'Your subject "BUILD A PAR" was not read, because your email has a text'),
    ("F BRE D", SIGNON + ORDERS, 'Your subject "F BRE D" was not read, because your email has a text'),
    ("A PAR - BRU", SIGNON, "1 line not understood."),
    ("BUILD A PAR", SIGNON, "1 line"),
    ("a plan - read me", SIGNON + ORDERS, COMPLETE),
    ("a build alone", SIGNON + ORDERS, COMPLETE),
    ("waives", SIGNON + ORDERS, COMPLETE),
    ("heron: A PAR - BUR; A MAR H", SIGNON, 'Your subject "heron: A PAR - BUR; A MAR H" was not read'),
    ("S1901M: A PAR - BUR", f"{SIGNON}A MAR H", 'Your subject "S1901M: A PAR - BUR" was not read'),
    ("heron: A PAR - BUR", SIGNON + ORDERS, COMPLETE),
    ("Moving to Paris", SIGNON + ORDERS, COMPLETE),
    ("Re: A PAR - BUR", SIGNON, MISSING),
    ("RE : A PAR - BUR", f"{SIGNON}A MAR H", "2 units without orders: A PAR, F BRE."),
    (
        "SET WAIT",
        SIGNON + ORDERS,
        'Your subject "SET WAIT" was not read, because your email has a text:',
    ),
    ("LIST", SIGNON + ORDERS, 'Your subject "LIST" was not read'),
    ("PRESS TO ENGLAND", f"{SIGNON}Hello", 'Your subject "PRESS TO ENGLAND" was not read'),
    ("STATUS heron", "Hello", 'Your subject "STATUS heron" was not read'),
    ("SIGNON Fheron pwfrance", ORDERS, 'Your subject "SIGNON Fheron ****" was not read, because your email has a text'),
    ("SIGNON Fheron pwfrance", SIGNON + ORDERS, COMPLETE),
    ("SIGNON Fheron", SIGNON + ORDERS, COMPLETE),
    ("set wait", f"{SIGNON}{ORDERS}SET WAIT", COMPLETE),
    ("my orders for France", SIGNON + ORDERS, COMPLETE),
    ("press", SIGNON + ORDERS, COMPLETE),
    ("Re: JUDG:heron - S1901M Results", SIGNON + ORDERS, COMPLETE),
    ("A PAR - BUR", "", "Your email has orders but no SIGNON line"),
    ("A PAR - BUR", "Hello judge", "Your email has orders but no SIGNON line"),
]


@pytest.mark.parametrize(("subject", "text", "told"), SUBJECTS)
def test_orders_in_the_subject_are_read_if_the_text_has_none(heron: DeskAtWork, subject: str, text: str, told: str):
    assert first(heron, email(f"{text}\n", subject)).startswith(told)


POLAND = "poland@example.org"
BIDS = """
    A DRE - HEW, DP 1: A BAW H         => A DRE - HEW / DP 1: A BAW H
    DP 2: A BAW S A DRE - HEW          => DP 2: A BAW S A DRE - HEW
    A DRE - HEW; DP 1: A BAW H; DP 1: A BAV H => A DRE - HEW / DP 1: A BAW H / DP 1: A BAV H
    A WAR H DP: A BAV H                => A WAR H / DP 1: A BAV H"""
WRONG = "A DRE - HEW, DP 1: A XYZ H\nDP 1: A BAW - HEW maybe\nA DRE - HEW, DP 1"


def test_bids_in_a_subject_are_read_as_orders_are(desk: DeskAtWork):
    desk.seat_all("swan", "ambition_empire")
    signon = "SIGNON Xswan pwpoland\n"
    for subject, lines in table(BIDS):
        reply = desk.would_reply(POLAND, f"{signon}Hi judge\n", subject=subject)
        form = reply.text.rpartition("PHASE S1763M")[2]
        assert all(f"    {line}\n" in form for line in lines.split("\n")), reply.text
        assert "was not read" not in reply.text
        beside = desk.would_reply(POLAND, f"{signon}A DRE H\nA WAR H\n", subject=subject).flat
        assert beside.count(f'Your subject "{subject}" was not read') == 1, beside
    for subject in WRONG.splitlines():
        assert "1 line refused." in desk.would_reply(POLAND, signon, subject=subject).flat
