"""Letters of tests are what Python's own writer would make of them."""

from email.message import EmailMessage

import pytest

from tests.commands.deskatwork import letter

FIELDS = {
    "From": ["Kim Doe <kim@example.org>", "kim@example.org", "J.R. Doe <jr@example.org>", "Zo\u00eb <zoe@example.org>"],
    "Subject": ["to the judge", "", " moves ", "a, b: c", "=?utf-8?q?a?=", "moves " * 9, "moves " * 30, "m\u00f6ves"],
    "In-Reply-To": ["<a.b@example.org>", "<a@example.org> <b@example.org>"],
    "X-Other": ["1"],
}
TEXTS = [
    "SIGNON Fheron x\nA PAR - BUR", "", "\n", "a\n\nb\n", ".\n..a\n", "From a\n", "a " * 50, "\u00e9", "a\tb\fc\x1cd",
]  # fmt: skip


# Header and text are judged apart: each field goes with a plain text, and each text with plain fields.
CASES = [(name, value, TEXTS[0]) for name, values in FIELDS.items() for value in values]
CASES += [("Subject", "moves", text) for text in TEXTS]


@pytest.mark.parametrize(("name", "value", "text"), CASES)
def test_a_letter_is_written_as_python_writes_it(name: str, value: str, text: str):
    head = {"From": "kim@example.org", "To": "judge@example.org", "Subject": "moves", name: value}
    message = EmailMessage()
    for field, given in head.items():
        message[field] = given
    message.set_content(text)
    assert letter(head, text) == message.as_bytes()
