"""What pages have beside their texts: marks, links that write a letter."""

from dataclasses import replace
from email.message import EmailMessage
from urllib.parse import parse_qs, urlsplit

import pytest

from judge.mails.forms import LONGEST_LINK, Form, letters_of
from judge.mails.parts import illustrated, with_notice
from tests.mails.conftest import JUDGE
from tests.mails.senders import composed
from tests.mails.test_parts import NOON, PART, PNG, SVG, _read

FORM = Form("Fheron", "F1901M", ("A PAR - BUR", "F BRE ..."), complete=False)


def letter(link: str) -> tuple[str, str, list[str]]:
    """Whom a link writes to, the subject, the lines."""
    parts = urlsplit(link)
    fields = parse_qs(parts.query)
    return parts.path, fields["subject"][0], fields["body"][0].split("\r\n")


def test_one_tap_writes_the_orders_as_they_stand_in_the_form():
    (orders, name), (wait, _), (absence, _), (map_, _) = letters_of(FORM, JUDGE)
    assert letter(orders) == (
        JUDGE, "heron orders", 
        ["SIGNON Fheron <your password>", "PHASE F1901M", "A PAR - BUR", "F BRE ...", "SIGNOFF", ""],
    )  # fmt: skip
    assert name == "Write orders"
    assert letter(wait)[2][1:3] == ["PHASE F1901M", "SET WAIT"]
    assert letter(absence)[2][1] == "SET ABSENCE <day> TO <day>"
    assert letter(map_)[2] == ["MAP heron", ""]


def test_a_player_without_password_writes_none():
    links = [letter(link)[2][0] for link, _ in letters_of(replace(FORM, passwordless=True), JUDGE)]
    assert links == ["SIGNON Fheron", "SIGNON Fheron", "SIGNON Fheron", "MAP heron"]


@pytest.mark.parametrize("count", [34, 200])
def test_no_link_is_longer_than_mail_programs_take(count: int):
    many = replace(FORM, lines=tuple(f"F STP/SC S A WAR - M{number:02}" for number in range(count)))
    links = letters_of(many, JUDGE)
    assert max(len(link) for link, _ in links) <= LONGEST_LINK
    assert letter(links[0][0])[2][0] == "SIGNON Fheron <your password>"


def _with_page(page: str, plain: bool = False) -> bytes:
    body = "The verdict.\n\nThe text."
    return composed("jo@example.org", NOON, "Results", body, page=page, plain=plain).raw


PAGES = ["<p>é</p>\n<!--pictures-->\n<p>rest</p>", f"<p>{'long ' * 300}</p>\n<!--pictures-->\n<p>=3D rest</p>"]


def _parts(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


@pytest.mark.parametrize("page", PAGES)
def test_the_text_comes_first_and_pictures_stand_in_the_page(page: str):
    raw = _with_page(page)
    assert _parts(_read(raw)) == ["multipart/alternative", "text/plain", "text/html"]
    shown = _read(illustrated(raw, [PNG, PART]))
    assert _parts(shown) == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png", "image/png",
    ]  # fmt: skip
    text, page_shown = shown.get_body(("plain",)), shown.get_body(("html",))
    assert text and page_shown
    assert text.get_content().splitlines() == ["The verdict.", "", "The text."]
    told_page = page_shown.get_content()
    assert told_page.count('src="cid:') == 2
    assert told_page.index("<img") < told_page.index("rest</p>")
    assert all(len(line) <= 998 for line in illustrated(raw, [PNG]).split(b"\r\n"))


def test_an_svg_is_attached_to_both():
    shown = _read(illustrated(_with_page(PAGES[0]), [SVG]))
    assert _parts(shown) == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html", "image/svg+xml"]


def test_who_wants_text_alone_gets_pictures_as_files():
    shown = _read(illustrated(_with_page("", plain=True), [PNG]))
    assert _parts(shown) == ["multipart/mixed", "text/plain", "image/png"]


@pytest.mark.parametrize("page", PAGES)
def test_a_picture_that_is_missing_is_told_in_both(page: str):
    message = _read(with_notice(_with_page(page), "(No picture: write MAP heron.)"))
    for kind in ("plain", "html"):
        body = message.get_body((kind,))
        assert body
        assert "(No picture: write MAP heron.)" in body.get_content()
    assert _parts(message) == ["multipart/alternative", "text/plain", "text/html"]
