"""A form of the judge that was filled in within the quote, as mail programs write it, is taken or named first."""

import html
from email.message import EmailMessage
from itertools import count

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import orders

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
GMAIL = "On Mon, 4 May 2026 at 12:00, heron (JUDG) <judge@example.org> wrote:\n"
HEADERS = (
    "From: heron (JUDG) <judge@example.org>\nSent: Monday, May 4, 2026 12:00 PM\nTo: fay\nSubject: Re: to the judge\n"
)
NUMBERS = count()
END, ANOTHER = "    SIGNOFF\n", "\n    SIGNON Eheron <your password>\n    A LVP ...\n    SIGNOFF\n"
FILLED = ["A MAR S A PAR - BUR", "A PAR - BUR", "F BRE - MAO"]
LEFT_OUT = "2 lines in the quote that look like orders were left out."
IN_QUOTE = "Your orders are in the quoted part of your email, so they were not recorded. Write them above it"


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in text.splitlines())


def only_form(text: str) -> str:
    return text[text.index("    SIGNON") :]


def page(text: str) -> str:
    return html.escape(text).replace("\n", "<br>\n")


# By name: (the writer's own text, the form that was filled in) to the letter.
LAYOUTS = {
    "Gmail": lambda own, form: f"{own}\n{GMAIL}{quoted(form)}",
    "Apple Mail": lambda own, form: f"{own}\n> On 4 May 2026, at 12:00, judge@example.org wrote:\n>\n{quoted(form)}",
    "Outlook, original": lambda own, form: f"{own}\n-----Original Message-----\n{HEADERS}\n{form}",
    "Outlook, line": lambda own, form: f"{own}\n________________________________\n{HEADERS}\n{form}",
    "Thunderbird": lambda own, form: f"{own}\nAm 04.05.2026 um 12:00 schrieb heron (JUDG):\n{quoted(form)}",
    "below the quote": lambda own, form: f"{GMAIL}{quoted(form)}\n\n{own}",
    "without a heading": lambda own, form: f"{own}\n{quoted(form)}",
    "without marks": lambda own, form: f"{own}\n{GMAIL}{form}",
    "only the form": lambda own, form: f"{own}\n{GMAIL}{quoted(only_form(form))}",
    "twice quoted": lambda own, form: f"{own}\n{GMAIL}{quoted(form, '>> ')}",
    "bar": lambda own, form: f"{own}\n{GMAIL}{quoted(form, '| ')}",
    "between press": lambda own, form: f"{own}PRESS TO ENGLAND\nHi\nENDPRESS\n\n{GMAIL}{quoted(form)}",
    "signature": lambda own, form: f"{own}\n-- \nFay\n\n{GMAIL}{quoted(form)}",
    "without SIGNOFF": lambda own, form: f"{own}\n{GMAIL}{quoted(form.replace(END, ''))}",
    "before another form": lambda own, form: f"{own}\n{GMAIL}{quoted(form.replace(END, '') + ANOTHER)}",
    "Gmail, HTML": lambda own, form: (
        f"<html><div>{page(own)}</div><div class='gmail_quote'><div>{page(GMAIL)}</div>"
        f"<blockquote class='gmail_quote'>{page(form)}</blockquote></div></html>"
    ),
    "Outlook, HTML": lambda own, form: (
        f"<html><div>{page(own)}</div><div style='border-top:solid'>{page(HEADERS)}</div><div>{page(form)}</div></html>"
    ),
}


@pytest.fixture
def answered(heron: DeskAtWork) -> tuple[DeskAtWork, Posted]:
    """The desk, and a confirmation whose form has two units left to order."""
    return heron, heron.replies(FRANCE, f"{SIGNON}F BRE - MAO")


def reply(desk: DeskAtWork, text: str, answering: str) -> Posted:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = FRANCE, "judge@example.org", "Re: orders"
    message["Message-ID"] = f"<form{next(NUMBERS)}@example.org>"
    if answering:
        message["In-Reply-To"] = answering
    message.set_content(text, subtype="html" if text.startswith("<html>") else "plain")
    (answer,) = [mail for mail in desk.receives(message.as_bytes()) if mail.to == FRANCE and mail.answers]
    return answer


def filled(form: str, password: str = "") -> str:
    form = form.replace("A PAR ...", FILLED[1]).replace("A MAR ...", FILLED[0])
    return form.replace("<your password>", password) if password else form


@pytest.mark.parametrize("signs_on", ["above", "within"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_form_that_was_filled_in_within_the_quote_is_taken(answered, layout: str, signs_on: str):
    desk, told = answered
    own, password, unread = (SIGNON, "", "") if signs_on == "above" else ("Hello\n", "pwfrance", "")
    if layout == "between press" and signs_on == "within":
        own = ""
        unread = (
            "PRESS TO ENGLAND was not read, because it is not between SIGNON and SIGNOFF: write it below your SIGNON "
        )
        unread += "line. "
    text = LAYOUTS[layout](own, filled(told.text, password))
    answer = reply(desk, text, str(told.message["Message-ID"]))
    assert answer.flat.startswith(f"{unread}Taken from the form in the quote: A MAR S A PAR - BUR, A PAR - BUR.")
    assert orders(desk) == FILLED


@pytest.mark.parametrize("layout", LAYOUTS)
def test_of_a_mail_that_is_not_known_only_the_first_sentence_says_so(answered, layout: str):
    desk, told = answered
    assert reply(desk, LAYOUTS[layout](SIGNON, filled(told.text)), "").flat.startswith(LEFT_OUT)
    if layout != "between press":
        assert reply(desk, LAYOUTS[layout]("Hi\n", filled(told.text, "pwfrance")), "").flat.startswith(IN_QUOTE)
    assert orders(desk) == ["F BRE - MAO"]


def test_a_form_without_a_password_is_not_taken_and_that_is_said_first(answered):
    desk, told = answered
    answer = reply(desk, LAYOUTS["Gmail"]("Hello\n", filled(told.text)), str(told.message["Message-ID"]))
    assert answer.flat.startswith(IN_QUOTE) and orders(desk) == ["F BRE - MAO"]
    answer = reply(desk, LAYOUTS["Gmail"]("Thank you!\n", told.text), str(told.message["Message-ID"]))
    assert answer.first_line.startswith("The judge found no command")


@pytest.mark.parametrize(
    ("own", "line"),
    [
        ("", "A BER - KIE"),
        ("", "A LVP H"),
        ("", "what about Paris?"),
        ("", "A PAR - MOS"),
        ("A PAR - PIC\n", "A PAR - BUR"),
    ],
)
def test_a_form_with_anything_else_is_not_taken(answered, own: str, line: str):
    desk, told = answered
    form = told.text.replace("A PAR ...", line).replace("A MAR ...", "A MAR - SPA")
    answer = reply(desk, LAYOUTS["Gmail"](SIGNON + own, form), str(told.message["Message-ID"]))
    assert "in the quote that look" in answer.flat.partition("::")[0] and "A MAR - SPA" not in orders(desk)


@pytest.mark.parametrize(
    "line", ["A PAR - MOS", "A PAR - XYZ", "A LVP - YOR", "BUILD A PAR", "A PAR - BUR if you like"]
)
def test_a_form_with_nothing_that_can_be_given_is_named_first(answered, line: str):
    desk, told = answered
    for layout in LAYOUTS.values():
        text = layout(SIGNON, told.text.replace("A PAR ...", line))
        answer = reply(desk, text, str(told.message["Message-ID"]))
        assert answer.flat.startswith("1 line in the quote that looks like an order was left out."), text


def test_in_a_winter_the_whole_form_is_taken(heron: DeskAtWork):
    centers = {"France": ["BRE", "MAR", "PAR", "SPA", "POR"]}
    heron.lay("W1901A", centers=centers, units={"France": ["A BUR", "A GAS", "F MAO"]})
    told = heron.replies(FRANCE, f"{SIGNON}BUILD A PAR")
    form = told.text.replace("BUILD ...  // in BRE, MAR; or WAIVE", "BUILD F BRE")
    answer = reply(heron, LAYOUTS["Gmail"](SIGNON, form), str(told.message["Message-ID"]))
    assert answer.flat.startswith("Taken from the form in the quote: BUILD F BRE. Orders complete.")
    assert orders(heron) == ["BUILD A PAR", "BUILD F BRE"]


def test_a_form_of_a_phase_that_is_over_is_not_taken(answered):
    desk, told = answered
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    answer = reply(desk, LAYOUTS["Gmail"](SIGNON, filled(told.text)), str(told.message["Message-ID"]))
    assert "Taken" not in answer.text


@pytest.mark.parametrize("asks", [f"{SIGNON}A MAR H", "HELP points", "HELP guide", "LIST heron"])
def test_a_mail_repeated_without_marks_is_not_read_as_the_writers_own(heron: DeskAtWork, asks: str):
    """Whatever examples it holds, and wherever the writer's own lines are: above it, or below it."""
    told = heron.replies(FRANCE, asks)
    for text in (f"{SIGNON}A PAR - BUR\n\n{told.text}", f"{SIGNON}\n{told.text}\nA PAR - BUR\n"):
        answer = reply(heron, text, str(told.message["Message-ID"]))
        assert answer.first_line == "2 units without orders: A MAR, F BRE." or "A MAR H" in asks, answer.text
        assert "note:" not in answer.text and "NONE" not in answer.text
        assert "A PAR - BUR" in orders(heron)


def test_an_own_line_within_a_mail_repeated_without_marks_is_read(answered):
    desk, told = answered
    reply(desk, f"{SIGNON}\n{filled(told.text)}", str(told.message["Message-ID"]))
    assert orders(desk) == FILLED
