"""What its writer struck out is not done and reaches no one, and is named first."""

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import orders
from tests.letters.writing import part
from tests.texts import listed

FRANCE, ITALY = "france@example.org", "italy@example.org"
SIGNON = "SIGNON Fheron pwfrance"
STRIKES = ["<s>{}</s>", "<del>{}</del>", '<span style="text-decoration: line-through">{}</span>']


def letter(lines: list[str], text: str = "") -> bytes:
    """A letter of HTML with these lines, or of this text and HTML."""
    page = part("".join(f"<div>{line}</div>" for line in lines), "text/html; charset=utf-8")
    head = f"From: {FRANCE}\nTo: judge@example.org\nMessage-ID: <html@example.org>\nMIME-Version: 1.0\n".encode()
    if not text:
        return head + page
    mark = b"\n--frontier\n"
    kind = b"Content-Type: multipart/alternative; boundary=frontier\n"
    return head + kind + mark + part(text) + mark + page + b"\n--frontier--\n"


def replies(desk: DeskAtWork, lines: list[str], struck: str) -> list[Posted]:
    """What the desk replies to the lines after a sign-on, with `struck` in place of {}: as HTML, then as text too."""
    found = []
    for strike in STRIKES:
        page = [SIGNON, *(line.format(strike.format(struck)) for line in lines)]
        text = "\n".join([SIGNON, *(line.format(struck) for line in lines)])
        for raw in (letter(page), letter(page, text), letter(page, text.replace("\n", " \n\n"))):
            (reply,) = [mail for mail in desk.would_receive(raw) if mail.to == FRANCE]
            found.append(reply)
    plain = "\n".join(line.format(f"~~{struck}~~") for line in lines)
    return [*found, desk.would_reply(FRANCE, f"{SIGNON}\n{plain}")]


def test_a_struck_order_is_not_filed(heron: DeskAtWork):
    for lines in (["A PAR - PIC", "{}"], ["{}", "A PAR - PIC"], ["A PAR - PIC", "1. {}", "Fay"]):
        for reply in replies(heron, lines, "A PAR - BUR"):
            assert "Army Paris -> Picardy." in reply.text and reply.first_line.startswith("1 line not understood.")
            assert "A PAR - BUR~~ This is struck out, so it was not read." in reply.flat


@pytest.mark.parametrize(
    "line",
    listed("""
    SET DRAW
    SET WAIT
    CLEAR
    RESIGN heron
    PHASE F1901M
    DP 2: A PAR - BUR"""),
)
def test_a_struck_command_is_not_done(heron: DeskAtWork, line: str):
    for reply in replies(heron, ["A PAR - PIC", "{}"], line):
        assert reply.first_line.startswith("1 line not understood.") and "Army Paris -> Picardy." in reply.text
        assert f"~~{line}~~ This is struck out" in reply.flat and "is set" not in reply.flat


def test_a_struck_sign_on_signs_on_to_nothing(heron: DeskAtWork):
    for struck in STRIKES:
        page = [struck.format(SIGNON), "A PAR - PIC"]
        for raw in (letter(page), letter(page, f"{SIGNON}\nA PAR - PIC")):
            (reply,) = heron.would_receive(raw)
            assert "truck-out words were not read" in reply.flat and "Army Paris" not in reply.text
            assert "pwfrance" not in reply.text


def test_struck_words_are_no_part_of_an_order(heron: DeskAtWork):
    for reply in replies(heron, ["A PAR - {} PIC"], "BUR"):
        assert "Army Paris -> Picardy." in reply.text and "Struck-out words were not read" in reply.flat


@pytest.mark.parametrize("end", ["ENDPRESS", ""])
def test_struck_words_of_press_reach_no_one(heron: DeskAtWork, end: str):
    lines = [SIGNON, "PRESS TO Italy", "We <s>hate</s> love you.", "<del>Secret line.</del>", "Yours", end]
    text = "\n".join([SIGNON, "PRESS TO Italy", "We hate love you.", "Secret line.", "Yours", end])
    for raw in (letter(lines), letter(lines, text)):
        mails = {mail.to: mail.text for mail in heron.would_receive(raw)}
        assert "We love you.\nYours" in mails[ITALY]
        assert not any(word in told for told in mails.values() for word in ("hate", "Secret"))


def test_a_struck_line_of_a_condition_is_named(heron: DeskAtWork):
    heron.replies(FRANCE, f"{SIGNON}\nA PAR - PIC")
    reply = heron.replies(FRANCE, f"{SIGNON}\nPHASE F1901M\nIF A PIC THEN\n~~A PIC - BUR~~\nA PIC - BEL\nENDIF")
    assert "~~A PIC - BUR~~ This is struck out" in reply.flat and "A PIC - BEL" in reply.text


def test_a_struck_line_that_the_text_does_not_have(heron: DeskAtWork):
    """It may be any that the HTML does not have: none of these replaces an order."""
    heron.replies(FRANCE, f"{SIGNON}\nA PAR - PIC\nA MAR - SPA")
    page = [SIGNON, "<s>Army Paris to Burgundy</s>", "F BRE - MAO"]
    (reply,) = heron.receives(letter(page, f"{SIGNON}\nA PAR - BUR\nF BRE - MAO"))
    assert orders(heron) == ["A MAR - SPA", "A PAR - PIC", "F BRE - MAO"]
    assert reply.first_line == "1 line not understood. Orders complete." and "~~A PAR - BUR~~" in reply.text


def test_a_struck_line_of_a_form_is_left_out(desk: DeskAtWork):
    form = ["REGISTER", "<s>Name: Kim Old</s>", "Name: Kim New", "END"]
    (reply,) = desk.receives(letter(form))
    assert "Kim Old" not in reply.text and "Kim New" in reply.text
