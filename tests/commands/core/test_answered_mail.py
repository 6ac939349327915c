"""Which mail a letter answers, also behind a provider that gives our mails other Message-IDs."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import SERVER, VERIFIED, has_chosen, mail_to, orders, verified

FRANCE, GERMANY = "france@example.org", "germany@example.org"
RENAMED = "<0100018f@provider.example>"


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """France has chosen to play without the password, in both games."""
    desk = DeskAtWork(tmp_path, "", SERVER)
    desk.seat_all("heron", "standard")
    desk.seat_all("crane", "standard")
    for game in ("heron", "crane"):
        verified(desk, FRANCE, f"SIGNON France@{game} pwfrance\nSET PASSWORDLESS ON")
    assert has_chosen(desk) and has_chosen(desk, "crane")
    return desk


def thread(desk: DeskAtWork, *names: str) -> str:
    """The References of an answer to the last of these mails, which a provider has renamed."""
    mails = {str(mail.message["Message-ID"]): str(mail.message["References"]) for mail in desk.all_mails()}
    return " ".join([*(mails.get(name, name) for name in names), RENAMED])


def answered(desk: DeskAtWork, text: str, references: str) -> Posted:
    return verified(desk, FRANCE, text, answering=RENAMED, headers={**VERIFIED, "References": references})


def press(desk: DeskAtWork, game: str = "heron") -> str:
    """The Message-ID of a message from Germany to France."""
    desk.writes(GERMANY, f"SIGNON Germany@{game} pwgermany\nPRESS TO France\nHello.\nENDPRESS")
    return mail_to(desk, FRANCE)


def test_an_answer_to_a_mail_that_was_renamed_needs_no_signon(desk: DeskAtWork) -> None:
    start = mail_to(desk, FRANCE, "heron")
    for line, references in (
        ("A PAR - BUR", thread(desk, start)),
        # Of others in the thread nobody knows anything.
        ("A PAR - PIC", thread(desk, "<a@x>", start, "<b@x>", "<c@x>")),
        # A mail to somebody else, nearer or not, is none that this player answers.
        ("A PAR - GAS", thread(desk, start, mail_to(desk, GERMANY, "crane"))),
    ):
        assert answered(desk, line, references).first_line.startswith("2 units without orders")
        assert orders(desk) == [line]
    assert orders(desk, "crane") == []


def test_the_nearest_mail_of_a_game_is_the_one(desk: DeskAtWork) -> None:
    start = mail_to(desk, FRANCE, "heron")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    results = mail_to(desk, FRANCE, "S1901M Results")
    assert "S1901M, which has already been processed" in answered(desk, "A PAR - BUR", thread(desk, start)).flat
    answered(desk, "A PAR - BUR", thread(desk, results, start))
    assert orders(desk) == []
    answered(desk, "A PAR - BUR", thread(desk, start, results))
    assert orders(desk) == ["A PAR - BUR"]


def test_mails_of_two_games_ask_which_is_meant(desk: DeskAtWork) -> None:
    both = thread(desk, mail_to(desk, FRANCE, "crane"), mail_to(desk, FRANCE, "heron"))
    told = answered(desk, "A PAR - BUR", both)
    assert "several games, so say which one you mean" in told.flat and "SIGNON Fheron" in told.flat
    assert orders(desk) == orders(desk, "crane") == []


def test_an_answer_to_press_that_was_renamed_is_press(desk: DeskAtWork) -> None:
    one, other, elsewhere = press(desk), press(desk), press(desk, "crane")
    sent = answered(desk, "Shall we?", thread(desk, one))
    assert sent.first_line == "Your reply in heron was sent to Germany."
    # The answer to that is no message: what is written to it is not for Germany.
    assert "was sent" not in answered(desk, "And now?", thread(desk, one, str(sent.message["Message-ID"]))).text
    for references in (thread(desk, one, other), thread(desk, one, elsewhere)):
        told = answered(desk, "Shall we?", references)
        assert "was not sent" in told.first_line and "several messages" in told.flat
        assert "  | Shall we?" in told.text


def test_a_mail_that_is_answered_by_its_name_is_the_one(desk: DeskAtWork) -> None:
    start = mail_to(desk, FRANCE, "heron")
    headers = {**VERIFIED, "References": thread(desk, mail_to(desk, FRANCE, "crane"))}
    verified(desk, FRANCE, "A PAR - BUR", answering=start, headers=headers)
    assert orders(desk) == ["A PAR - BUR"] and orders(desk, "crane") == []
    theirs = mail_to(desk, GERMANY, "heron")
    told = verified(
        desk, FRANCE, "A PAR - PIC", answering=theirs, headers={**VERIFIED, "References": thread(desk, start)}
    )
    assert "sent to someone else" in told.flat and orders(desk) == ["A PAR - BUR"]
