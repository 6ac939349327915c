"""A mail with its picture: what a mail program gets to see of it, and what stays as it was."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis.strategies import text

from judge.mails.parts import POLICY, Drawn, illustrated
from tests.mails.senders import composed, game_of

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PNG = Drawn("heron-S1901M.png", "image/png", bytes(range(256)) * 40, "Map of heron, S1901M", "Orders")
PART = Drawn("heron-S1901M-africa.png", "image/png", b"\x89PNG africa", "Map of heron, S1901M: Africa", "Africa")
SVG = Drawn("heron-S1901M.svg", "image/svg+xml", b"<svg/>", "Map of heron, S1901M", "Orders")
BODIES = ["Orders complete.\n\nA PAR - BUR <b> & more\n", "Grüße.\n\nÉté ✓\n" + "x" * 1200, "one line", ""]


def _mail(body: str) -> bytes:
    return composed("jo@example.org", NOON, "S1901M Results", body, game_of("heron", NOON)).raw


def _read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not [defect for part in message.walk() for defect in part.defects]
    return message


@given(text("aB1 .,=?<>@é\t", max_size=12).map(lambda words: words * 8))
def test_a_field_is_written_as_by_python_s_own_policy(value: str):
    plain = policy.Compat32(linesep="\r\n")
    assert POLICY.fold_binary("Subject", value) == plain.fold_binary("Subject", value)


@pytest.mark.parametrize("body", BODIES)
def test_the_page_holds_the_text_and_the_picture(body):
    message = _read(illustrated(_mail(body), [PNG]))
    page, image = list(message.iter_parts())[1].iter_parts()
    html = page.get_content().replace("\xa0", " ").replace("\u2060", "")
    assert page.get_content_type() == "text/html"
    for line in body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").splitlines():
        assert line in html
    assert f'src="cid:{image["Content-ID"][1:-1]}"' in html
    assert image.get_content() == PNG.data
    assert (image.get_content_type(), image.get_filename()) == ("image/png", "heron-S1901M.png")
    assert image.get_content_disposition() == "inline"


def _html(message: EmailMessage) -> str:
    html = message.get_body(("html",))
    assert html
    return str(html.get_content())


def test_nothing_is_fetched_from_anywhere():
    html = _html(_read(illustrated(_mail("text"), [PNG])))
    assert "http" not in html
    assert html.count("src=") == 1


def test_several_pictures_follow_each_other_each_under_its_name():
    message = _read(illustrated(_mail("Verdict.\n\nThe rest."), [PNG, PART]))
    page, whole, part = list(message.iter_parts())[1].iter_parts()
    html = page.get_content()
    cids = [image["Content-ID"][1:-1] for image in (whole, part)]
    assert len(set(cids)) == 2
    places = [html.index(text) for text in ("Verdict.", f"cid:{cids[0]}", ">Africa<", f"cid:{cids[1]}", "The rest.")]
    assert places == sorted(places)
    assert html.count("src=") == 2
    assert part.get_content() == PART.data
    assert (part.get_filename(), part.get_content_disposition()) == ("heron-S1901M-africa.png", "inline")


def test_pictures_are_attached_to_a_text_that_is_too_long_for_a_page():
    """Mail programs show the page if there is one, and it was empty."""
    message = _read(illustrated(_mail("Verdict.\n\n" + "A PAR - BUR and more\n" * 8_000), [PNG, PART]))
    assert _parts(message) == ["multipart/mixed", "text/plain", "image/png", "image/png"]
    assert [part.get_content_disposition() for part in message.iter_attachments()] == ["attachment"] * 2


def _parts(message: EmailMessage) -> list[str]:
    return [part.get_content_type() for part in message.walk()]


@pytest.mark.parametrize("picture", [PNG, SVG])
def test_header_and_message_id_stay_and_the_same_mail_is_the_same_bytes(picture):
    raw = _mail("text")
    before, after = _read(raw), _read(illustrated(raw, [picture]))
    ours = {"content-type", "content-transfer-encoding"}
    kept = [(name, value) for name, value in before.items() if name.lower() not in ours]
    assert [(name, value) for name, value in after.items() if name.lower() not in ours] == kept
    assert after["MIME-Version"] == "1.0"
    assert illustrated(raw, [picture]) == illustrated(raw, [picture])


@pytest.mark.parametrize("body", BODIES)
def test_lines_are_of_a_length_that_every_server_takes(body):
    for line in illustrated(_mail(body), [PNG]).split(b"\r\n"):
        assert len(line) <= 998
        assert b"\n" not in line and b"\r" not in line
