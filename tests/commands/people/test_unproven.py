"""What somebody asks of their own by their address alone: done where our mail server has verified it, else once they
have sent a mail back; and tokens, which count from an address of their person only.
"""

import re

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.people import person_at
from judge.store.tables import Game, Mail, Seat, Token
from tests.commands.deskatwork import DeskAtWork, Posted

OTTO, FAY, EVE = "otto@example.org", "france@example.org", "eve@example.org"
ASKED = {"name": "REGISTER\nName: Otto Neu\nEND", "watching": "UNSUBSCRIBE heron", "standby": "NO STANDBY"}
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
FORGED = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}


def of_otto(desk: DeskAtWork) -> dict[str, object]:
    """What of his the letters here would change."""
    with reading(desk.engine) as session:
        person = person_at(session, OTTO)
        assert person
        watching = session.exec(select(Seat).where(Seat.person_id == person.id, col(Seat.left_at).is_(None))).all()
        return {"name": person.name, "watching": len(watching), "standby": person.standby_since is not None}


BEFORE = {"name": "Otto Alt", "watching": 1, "standby": True}
AFTER = {"name": "Otto Neu", "watching": 0, "standby": False}


def with_otto(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()

    def otto_comes() -> None:
        desk.writes(OTTO, "REGISTER\nName: Otto Alt\nEND\nSTANDBY", headers=VERIFIED)
        desk.writes(OTTO, "OBSERVE heron", headers=VERIFIED)
        desk.new_mails()

    desk.goes_on("Otto comes", otto_comes)
    assert of_otto(desk) == BEFORE
    return desk


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """A judge that believes no mail server."""
    return with_otto(desk)


@pytest.fixture
def checked(tmp_path) -> DeskAtWork:
    """A judge whose mail server checks who wrote a letter."""
    return with_otto(DeskAtWork(tmp_path / "checked", "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}))


def token_in(mail: Posted) -> str:
    (word,) = set(re.findall(r"CONFIRM (\w{12})", mail.text))
    return word


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("judge", ["heron", "checked"])
def test_an_address_alone_changes_nothing_until_its_owner_sends_a_mail_back(request, judge: str, what: str):
    desk: DeskAtWork = request.getfixturevalue(judge)
    mail = desk.replies(OTTO, ASKED[what])
    assert mail.first_line.startswith("One more step: reply to this email to ")
    assert of_otto(desk) == BEFORE
    desk.replies(OTTO, "", subject=mail.subject)
    assert of_otto(desk) == BEFORE | {what: AFTER[what]}


@pytest.mark.parametrize("what", ASKED)
def test_what_our_mail_server_has_verified_is_done_at_once(checked: DeskAtWork, what: str):
    assert "CONFIRM" not in checked.replies(OTTO, ASKED[what], headers=VERIFIED).text
    assert of_otto(checked) == BEFORE | {what: AFTER[what]}


@pytest.mark.parametrize("what", ASKED)
def test_what_it_found_forged_is_not_even_asked_about(checked: DeskAtWork, what: str):
    mail = checked.replies(OTTO, ASKED[what], headers=FORGED)
    assert "did not come from your address" in mail.flat and "CONFIRM" not in mail.text
    assert of_otto(checked) == BEFORE


def test_all_that_a_letter_asks_waits_for_one_token(heron: DeskAtWork):
    mail = heron.replies(OTTO, "\n".join(ASKED.values()))
    assert "to change your name to Otto Neu and your time zone to UTC, and to stop observing heron, and to leave" in (
        mail.flat
    )
    heron.replies(OTTO, f"CONFIRM {token_in(mail)}")
    assert of_otto(heron) == AFTER


def test_who_asks_again_gets_the_same_token_and_it_works_once(heron: DeskAtWork):
    first, again = (token_in(heron.replies(OTTO, "UNSUBSCRIBE heron")) for _ in range(2))
    assert first == again
    heron.writes(OTTO, f"CONFIRM {first}")
    heron.writes(OTTO, "OBSERVE heron")
    assert "That code is not valid" in heron.replies(OTTO, f"CONFIRM {first}").text
    assert of_otto(heron) == BEFORE


def test_what_changes_nothing_needs_no_token(heron: DeskAtWork):
    answer = heron.replies(OTTO, "REGISTER\nName: Otto Alt\nEND")
    assert answer.first_line == "Your registration is unchanged, Otto Alt."


def test_a_newcomer_who_observes_confirms_all_with_one_mail(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes", "JUDGE_MAILBOX_AUTHSERV_ID": "mx"})
    ours = {"Authentication-Results": "mx; dmarc=pass header.from=example.org"}
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm", headers=ours)
    desk.observes(OTTO, "OBSERVE heron")
    mail = desk.replies(OTTO, f"UNSUBSCRIBE heron\n{ASKED['name']}\nSTANDBY")
    assert of_otto(desk)["watching"] == 1
    desk.replies(OTTO, "", subject=mail.subject)
    assert of_otto(desk) == {"name": "Otto Neu", "watching": 0, "standby": False}


def test_who_was_asked_whether_to_stop_observing_is_not_thought_to_be_asked_to_register(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    desk.replies("kim@example.org", "", subject=desk.replies(
        "kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm").subject)  # fmt: skip
    desk.observes(OTTO, "OBSERVE heron")
    desk.writes(OTTO, "UNSUBSCRIBE heron")
    assert "to register." in desk.replies(OTTO, ASKED["name"]).first_line


@pytest.mark.parametrize("asking", ["FORGOT heron", "I AM ALSO"])
def test_a_token_counts_from_an_address_of_its_person_only(heron: DeskAtWork, asking: str):
    own = asking.startswith("FORGOT")
    mails = heron.writes(FAY if own else EVE, asking if own else f"{asking} {FAY}")
    (mail,) = [one for one in mails if "Is this you?" in one.subject]
    refusal = heron.replies(EVE, f"CONFIRM {token_in(mail)}").flat
    assert "That code works only from an address of the person" in refusal
    with reading(heron.engine) as session:
        assert [token.used_at for token in session.exec(select(Token))] == [None]
        assert person_at(session, EVE) is None
    assert "was refused" not in heron.replies(FAY, f"CONFIRM {token_in(mail)}").text


def test_the_token_is_masked_once_the_mail_has_gone(heron: DeskAtWork):
    word = token_in(heron.replies(OTTO, "UNSUBSCRIBE heron"))
    with reading(heron.engine) as session:
        assert [mail.secret for mail in session.exec(select(Mail)) if word in mail.subject] == [word]


def test_letters_outside_of_ascii_are_no_part_of_a_name_or_a_word(heron: DeskAtWork):
    """No regular expression takes the long s for an s, or the dotless i for an i; nothing breaks for them."""
    for line in (
        "UNSUBSCRIBE 1-\u017f", "UNSUBSCRIBE 1-\u0130", "UNSUBSCRIBE \u0661-a", "CONFIRM \u017f", "FORGOT heron\u017f",
        "OBSERVE \u017fheron", "CREATE ?\u017fwan pw", "\u017fIGNON ?swan pw", "SIGNON F\u017fheron pw",
    ):  # fmt: skip
        heron.writes(OTTO, line)
    with reading(heron.engine) as session:
        assert [game.name for game in session.exec(select(Game))] == ["heron"]
    said = " ".join(mail.flat for mail in heron.all_mails())
    assert "unknown, used already" not in said and "is not observing" not in said


def test_wishes_may_name_powers_in_any_letters(desk: DeskAtWork):
    desk.writes(OTTO, "REGISTER\nName: Otto\nEND\nCREATE ?heron gm\nSIGNON ?heron pw")
    answer = desk.replies(OTTO, "SIGNON ?heron pw\nSET PREFERENCE \u00d6sterreich")
    assert "not an order or a command" not in answer.text
