"""What a letter is told in which no command was found: the very thing that stands in its way."""

from email.message import EmailMessage

import pytest

from judge.rules import load_variant, start_position
from tests.commands.deskatwork import DeskAtWork
from tests.letters.corpus.wire import entity

FRANCE = "france@example.org"


def hint(desk: DeskAtWork, text: str, **how: str) -> str:
    return desk.replies(FRANCE, text, **how).flat


def hint_for(desk: DeskAtWork, raw: bytes) -> str:
    (mail,) = desk.receives(raw)
    return mail.flat


@pytest.mark.parametrize(
    ("text", "obstacle"),
    [
        ("> SIGNON Fheron pwfrance\n> A PAR - BUR", "a SIGNON line is in a quote"),
        ("Hi\n\n-----Original Message-----\nFrom: Fay\nSIGNON Fheron pwfrance\nA PAR - BUR", "of an older email"),
        ("Hi\n-- \nSIGNON Fheron pwfrance\nA PAR - BUR", "below the line that starts your signature"),
        ("Hello, how do I SIGNON Fheron pwfrance?\nA PAR - BUR", "a SIGNON is in the middle of a line"),
    ],
)
def test_the_place_of_a_sign_on_is_told(heron: DeskAtWork, text: str, obstacle: str):
    reply = hint(heron, text)
    assert obstacle in reply and "pwfrance" not in reply


def test_a_sign_on_in_the_subject_is_told(heron: DeskAtWork):
    reply = hint(heron, "A PAR - BUR", subject="Re: **SIGNON Fheron pwfrance**")
    assert "your SIGNON is in the subject" in reply and "pwfrance" not in reply
    reply = hint(heron, "A PAR - BUR", subject="SIGNON Fheron pwfrance")
    assert "your SIGNON is in the subject" in reply and "pwfrance" not in reply


def test_the_form_of_our_own_mail_below_a_reply_is_no_obstacle(heron: DeskAtWork):
    assert "is in a quote" not in hint(heron, "Thank you!\n\n> SIGNON Fheron <your password>\n> A PAR ...")


def test_an_attached_file_is_named(heron: DeskAtWork):
    for text, told in (
        ("My orders are attached.\n", "the attached file orders.txt was not read"),
        ("\nSent from my iPhone\n", "attachments are not read"),
    ):
        mail = EmailMessage()
        mail["From"] = FRANCE
        mail.set_content(text)
        mail.add_attachment("SIGNON Fheron pwfrance\nA PAR - BUR\n", cte="base64", filename="orders.txt")
        assert told in hint_for(heron, mail.as_bytes())


def test_a_letter_that_is_encrypted_is_told_so(heron: DeskAtWork):
    sealed = entity("application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m", b"0\x80\x06\x09", "base64")
    assert "the email is encrypted and cannot be read" in hint_for(heron, f"From: {FRANCE}\r\n".encode() + sealed)


def test_only_games_are_offered_whose_units_fit(heron: DeskAtWork):
    heron.writes("kim@example.org", "CREATE ?egret gm")
    dealt = heron.deal("egret")
    for power in reversed(dealt):
        heron.writes(f"{power.lower()}@example.org", f"SIGNON ?egret pw{power.lower()}")
    mine = dealt[-1 - dealt.index("France")]
    unit = start_position(load_variant("standard")).units[mine][0]
    assert mine != "France"
    heron.new_mails()
    reply = hint(heron, "A PAR - BUR\nF BRE - MAO")
    assert "SIGNON Fheron <password>" in reply and "egret <password>" not in reply
    reply = hint(heron, f"{unit} H")
    assert f"SIGNON {mine[0]}egret <password>" in reply and "heron <password>" not in reply
    others = next(power for power in dealt if power not in ("France", mine))
    assert "<password>" not in hint(heron, f"{start_position(load_variant('standard')).units[others][0]} H").partition(
        "SIGNON F<game> <password>"
    )[0]
    # Of orders that cannot be read nobody knows.
    assert "SIGNON Fheron <password>" in hint(heron, "A PAX - BUR")
