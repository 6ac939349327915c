"""Letters as people write them from their phones: in bold, in lists, in sentences, all on one line."""

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


def says(desk: DeskAtWork, text: str, **how: str) -> str:
    """The reply to France, its lines joined."""
    return desk.replies(FRANCE, text, **how).flat


def test_a_letter_that_a_person_writes_is_understood(heron: DeskAtWork):
    for letter in (
        "*SIGNON Fheron pwfrance*\n*A PAR - BUR*\n*A MAR H*\n*F BRE - MAO*",
        "*SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO*",
        "**SIGNON Fheron pwfrance**\n\n**A PAR - BUR**\n**A MAR H**\n**F BRE - MAO**",
        "_SIGNON_ Fheron _pwfrance_\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "*SIGNON* *Fheron* *pwfrance*\n*A PAR* - *BUR*\n*A MAR* H\n*F BRE* - *MAO*",
        "SIGNON Fheron *pwfrance*\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON Fheron `pwfrance`\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "```\nSIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO\n```",
        "```text\nSIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO\n```",
        "- SIGNON Fheron pwfrance\n- A PAR - BUR\n- A MAR H\n- F BRE - MAO",
        "1. signon Fheron pwfrance\n2. A PAR - BUR\n3. A MAR H\n4. F BRE - MAO",
        "SIGNON Fheron pwfrance\n▪ A PAR - BUR\n◦ A MAR H\n➢ F BRE - MAO",
        "SIGNON Fheron pwfrance\n1: A PAR - BUR\n(2) A MAR H\nc) F BRE - MAO",
        "SIGNON Fheron pwfrance\n----\nA PAR - BUR\n***\nA MAR H\n=====\nF BRE - MAO",
        "SIGNON Fheron pwfrance\nA PARーBUR\nA MAR H\nF BRE ー MAO",
        "SIGNON Fheron pwfrance A PAR - BUR, A MAR H; F BRE - MAO",
        "SIGNON Fheron pwfrance A PAR - BUR A MAR H F BRE - MAO",
        "SIGNON Fheron pwfrance, A PAR - BUR. A MAR H. F BRE - MAO.",
        "SIGNON Fheron pwfrance and orders: PAR - BUR, MAR H, BRE - MAO",
        "**SIGNON Fheron pwfrance A PAR - BUR**\nA MAR H\nF BRE - MAO",
        "SIGNON F heron pwfrance A PAR - BUR\nA MAR H\nF BRE - MAO",
        "Hello judge, SIGNON Fheron pwfrance A PAR - BUR and A MAR H and F BRE - MAO",
        "Hello judge, SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "HELLO\nplease SIGNON Fheron pwfrance\nplease A PAR - BUR\nand A MAR H\nF BRE - MAO, thank you",
        "Guten Tag! *SIGNON Fheron pwfrance*\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON France heron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON heron France pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON France in heron, password pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON Fheron password: pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "Signon: Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "Hi! Here are my orders. SIGNON Fheron pwfrance 1. A PAR - BUR 2. A MAR H 3. F BRE - MAO",
        "SIGNON Fheron pwfrance\nMy orders: A PAR - BUR, A MAR H, and F BRE - MAO",
        "SIGNON Fheron <pwfrance>\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        'SIGNON "Fheron" "pwfrance"\nA PAR - BUR\nA MAR H\nF BRE - MAO',
    ):
        reply = heron.would_reply(FRANCE, letter).flat
        assert reply.startswith("Orders complete. ::"), letter
        assert "France: Army Paris -> Burgundy." in reply and "France: Army Marseilles HOLD." in reply
        assert "France: Fleet Brest -> Mid-Atlantic Ocean." in reply
        assert "pwfrance" not in reply and "ignored" not in reply


@pytest.mark.parametrize("password", ["*star", "star*", "`tick`", "<angle>", "_low_", "comma,"])
def test_a_password_may_hold_what_people_put_around_words(heron: DeskAtWork, password: str):
    says(heron, f"{SIGNON}SET PASSWORD {password}")
    assert says(heron, f"SIGNON Fheron {password}\nA PAR - BUR").startswith("2 units without orders")
    assert says(heron, f"**SIGNON Fheron {password}**\nA MAR H").startswith("1 unit without orders")
    assert "Wrong password" in says(heron, "SIGNON Fheron hush\nA PAR - BUR")


def test_a_new_password_is_kept_as_it_was_written(desk: DeskAtWork):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\n**CREATE ?heron hush**")
    assert "signed on" in desk.replies("kim@example.org", "SIGNON Mheron hush").text
    desk.writes("kim@example.org", "CREATE ?egret *hush*")
    assert "signed on" in desk.replies("kim@example.org", "SIGNON Megret *hush*").text
    assert "Wrong password" in desk.replies("kim@example.org", "SIGNON Megret hush").text


def test_press_is_text_up_to_its_end(heron: DeskAtWork):
    inside = listed("""
        *hello*
        - A PAR - BUR
        *SIGNON Fheron*
        SIGNON Fheron
        A MAR H
        ```
        Hello judge, SIGNON Fheron
        A PAR - BUR and A MAR H (so we said)
        ▪ WAIT
        ----""")
    mails = heron.writes(FRANCE, "\n".join([SIGNON.strip(), "PRESS TO Turkey", *inside, "ENDPRESS", "A PAR H"]))
    told = next(mail.text for mail in mails if mail.to == "turkey@example.org")
    body = told.partition("Press from France to Turkey:\n\n")[2].partition("\n\n:: Judge:")[0]
    assert body.split("\n") == inside
    reply = next(mail.text for mail in mails if mail.to == FRANCE)
    assert reply.startswith("2 units without orders: A MAR, F BRE.") and "Army Paris HOLD." in reply


def test_a_message_without_an_end_ends_at_a_sign_on_in_bold(heron: DeskAtWork):
    mails = heron.writes(FRANCE, f"{SIGNON}PRESS TO Turkey\nhello\n*SIGNON Fheron pwfrance*\nA MAR H")
    told = next(mail.text for mail in mails if mail.to == "turkey@example.org")
    assert "hello" in told and "A MAR H" not in told
    mails = heron.writes(
        FRANCE,
        f"{SIGNON}PRESS TO Turkey\nhello\n**SIGNON Fheron pwfrance**\nPRESS TO Germany\nservus\nENDPRESS",
    )
    assert {mail.to: "servus" in mail.text for mail in mails if "Press" in mail.subject} == {
        "turkey@example.org": False, "germany@example.org": True,
    }  # fmt: skip


def test_a_sentence_stays_one(heron: DeskAtWork):
    heron.writes(FRANCE, f"{SIGNON}A PAR - BUR")
    for line in (
        "I please you and A friend", "- wait", "1. Draw", "*Wait*", "* clear", "please wait", "and so on",
        "Please support me, A friend in Paris", "# A PAR - BUR", "• Help", "Hello, how do I SIGNON Fheron pwfrance",
    ):  # fmt: skip
        reply = heron.would_reply(FRANCE, f"{SIGNON}A MAR H\n{line}\nF BRE H").text
        assert "note: this is neither an order nor a command, so it was ignored." in reply, line
        assert reply.startswith("Orders complete.\n") and "WAIT is set" not in reply, line


def test_a_sign_on_that_cannot_be_meant_says_how_it_is_written(heron: DeskAtWork):
    for line in (
        "SIGNON", "SIGNON Fheron/pwfrance", "SIGNON is what I forgot", "SIGNON France egret pwfrance", "SIGNON Fheron",
        "SIGNON Narnia heron pwfrance",
    ):  # fmt: skip
        reply = heron.would_reply(FRANCE, f"{line}\nA PAR - BUR").flat
        assert "Write SIGNON F<game> <password>" in reply or "The password is missing" in reply, line
        assert "was refused" in reply and "pwfrance" not in reply, line


def test_power_and_game_as_two_words_without_a_password(heron: DeskAtWork):
    """The name of the game is not tried as a password."""
    reply = says(heron, "SIGNON France heron\nA PAR H")
    assert "The password is missing: write SIGNON France heron <password>." in reply
    assert "no game" in says(heron, "SIGNON Nobody heron\nA PAR H")


def test_a_sign_on_that_has_run_into_many_words_is_answered(heron: DeskAtWork):
    """The unit is the last of its words that is looked at, with all that follows."""
    for unit in ("F BRE - ENG", "A", "F B", "A PAR"):
        told = heron.would_reply(FRANCE, f"SIGNON Fheron pwfrance:: Judge: JUDG Game: heron {unit}").flat
        assert told.startswith("The judge found no command in your email"), unit


def test_a_password_behind_an_order_is_not_told_again(heron: DeskAtWork):
    told = says(heron, f"{SIGNON}F BRE - MAO SIGNON Fheron pwfrance")
    assert "at the end is not something the judge understands" in told and "pwfrance" not in told
