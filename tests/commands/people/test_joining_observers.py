"""What an address alone proves: observers come and go, and nobody gets or loses anything by a forged letter."""

import re
from datetime import timedelta

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.people import person_at
from judge.store.tables import Game, Mail, Seat, Token
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import searched

KIM, VICTIM = "kim@example.org", "victim@elsewhere.example"
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=elsewhere.example"}
REGISTER = "REGISTER\nName: Vic Tim\nEND\n"
GAMES = 5


@pytest.fixture
def many(tmp_path) -> DeskAtWork:
    """A judge with some games that form, and one that is played."""
    settings = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org", "JUDGE_GAMES_OPEN_GAMES": "20"}
    desk = DeskAtWork(tmp_path, "", settings)
    desk.seat_seven()
    create = "".join(f"CREATE ?game{number}\n" for number in range(GAMES))
    desk.goes_on("games form", lambda: desk.writes(KIM, create))
    return desk


def watched(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        seats = select(Game.name).join(Seat).where(Seat.role == "observer", Seat.address == VICTIM)
        return sorted(session.exec(seats).all())


ALL = "".join(f"OBSERVE game{number}\n" for number in range(GAMES))


@pytest.mark.parametrize("before", ["", REGISTER])
def test_one_letter_brings_one_mail_however_many_games_it_names(many: DeskAtWork, before: str):
    (mail,) = many.writes(VICTIM, f"{before}OBSERVE heron\n{ALL}")
    assert re.search(r"CONFIRM \w{12}", mail.subject) and "If it wasn't you, ignore this email" in mail.text
    assert not watched(many)
    many.now += timedelta(days=40)
    assert not [late for late in many.ring(many.now) if late.to == VICTIM]


def test_once_it_is_sent_back_all_is_done(many: DeskAtWork):
    (mail,) = many.writes(VICTIM, "OBSERVE heron\nOBSERVE game3\nOBSERVE nowhere")
    many.writes(VICTIM, "No, who are you?", subject=mail.subject)
    assert not watched(many)
    mails = many.writes(VICTIM, "", subject=mail.subject)
    assert watched(many) == ["game3", "heron"]
    assert {one.to for one in mails} == {VICTIM} and "S1901M Position" in "".join(one.subject for one in mails)


def test_a_day_brings_one_such_mail_until_it_is_answered(many: DeskAtWork):
    (first,) = many.writes(VICTIM, "OBSERVE heron")
    again = many.replies(VICTIM, "OBSERVE game1")
    assert "CONFIRM" not in again.subject and "The judge sent an email to" in again.text
    many.writes(VICTIM, "yes", subject=first.subject)
    third = many.replies(VICTIM, "OBSERVE game2")
    assert "CONFIRM" in third.subject
    many.writes(VICTIM, "yes", subject=third.subject)
    assert watched(many) == ["game2", "heron"]


def test_verified_and_registered_senders_need_none(many: DeskAtWork):
    assert "You are now observing heron" in many.replies(VICTIM, "OBSERVE heron", headers=VERIFIED).text
    many.writes(VICTIM, REGISTER)
    assert "You are now observing game1" in many.replies(VICTIM, "OBSERVE game1").text


def test_a_password_for_it_is_made_up_if_it_waits(many: DeskAtWork):
    (mail,) = many.writes(VICTIM, "OBSERVE heron forgers")
    answer = many.replies(VICTIM, "", subject=mail.subject)
    password = re.search(r"Your password is (\w+): keep this email", answer.text)
    assert password
    assert "was refused" in many.replies(VICTIM, "SIGNON Oheron forgers").text
    assert "as observer" in many.replies(VICTIM, f"SIGNON Oheron {password[1]}").text


def test_who_is_asked_to_register_confirms_both_with_one_mail(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    asks = desk.replies(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    desk.writes(KIM, "", subject=asks.subject)
    (mail,) = desk.writes(VICTIM, f"{REGISTER}OBSERVE heron\nSIGNON ?heron forgers")
    answer = desk.replies(VICTIM, "", subject=mail.subject)
    assert "You are registered, Vic Tim." in answer.text and watched(desk) == ["heron"]
    password = re.search(r"Your password is (\w+): keep this email", answer.text)
    assert password and "anyone could have sent that" in answer.flat
    assert "with another password" in desk.replies(VICTIM, "SIGNON ?heron forgers").flat
    assert "already in heron" in desk.replies(VICTIM, f"SIGNON ?heron {password[1]}").text


# Games that LIST does not show.


@pytest.fixture
def hidden(many: DeskAtWork) -> DeskAtWork:
    """Game heron is not shown in LIST."""
    many.writes(KIM, "SIGNON Mheron gm\nSET NO LIST")
    many.new_mails()
    return many


def asked(mails: list[Posted]) -> Posted:
    (mail,) = [mail for mail in mails if mail.to == KIM]
    return mail


def test_observing_a_game_that_is_not_listed_is_for_its_master_to_decide(hidden: DeskAtWork):
    mails = hidden.writes(f"Vic Tim <{VICTIM}>", "OBSERVE heron", headers=VERIFIED)
    assert not watched(hidden)
    assert f"Vic Tim <{VICTIM}> asks to observe heron." in asked(mails).flat
    word = re.search(r"APPROVE (\w{12})", asked(mails).text)
    assert word
    mails = hidden.writes(KIM, f"APPROVE {word[1]}")
    assert watched(hidden) == ["heron"]
    told = [mail.subject for mail in mails if mail.to == VICTIM]
    assert any("Position" in subject for subject in told) and any("Joining" in subject for subject in told)


def test_the_master_may_refuse(hidden: DeskAtWork):
    word = re.search(r"REFUSE (\w{12})", asked(hidden.writes(VICTIM, "OBSERVE heron", headers=VERIFIED)).text)
    assert word
    hidden.writes(KIM, f"REFUSE {word[1]}")
    assert not watched(hidden)


def test_a_stranger_confirms_before_the_master_is_asked(hidden: DeskAtWork):
    (mail,) = hidden.writes(VICTIM, "OBSERVE heron")
    assert mail.to == VICTIM
    assert "asks to observe" in asked(hidden.writes(VICTIM, "", subject=mail.subject)).text


def test_the_master_is_not_asked_about_a_player_of_the_game(hidden: DeskAtWork):
    (answer,) = hidden.writes("france@example.org", "OBSERVE heron")
    assert "You are already in heron, so you get its results." in answer.flat


def test_a_request_to_observe_outlives_the_beginning_of_the_game(many: DeskAtWork):
    many.writes(KIM, "CREATE ?crane gm\nSET NO LIST")
    many.writes(VICTIM, "OBSERVE crane", headers=VERIFIED)
    many.writes("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?crane pw")
    mails = many.writes(KIM, "SIGNON Mcrane gm\nFORCE BEGIN")
    assert not [mail for mail in mails if mail.to == VICTIM]
    many.writes(KIM, f"SIGNON Mcrane gm\nAPPROVE {VICTIM}")
    assert watched(many) == ["crane"]


def unsubscribe_subject(desk: DeskAtWork) -> str:
    """The subject that the button under an observer's mail would write."""
    desk.seat_seven()
    (position, _) = desk.observes("otto@example.org", "OBSERVE heron")[-2:]
    header = position.message["List-Unsubscribe"].strip()
    return searched(r"^<mailto:judge@example\.org\?subject=(.*)>$", header)[1].replace("%20", " ")


def test_the_unsubscribe_button_ends_an_observers_mails(desk: DeskAtWork):
    subject = unsubscribe_subject(desk)
    answer = desk.replies("otto.private@example.org", "", subject=subject)
    assert answer.first_line == "You no longer observe heron."
    results = desk.ring(desk.now + timedelta(days=20))
    assert results and not [mail for mail in results if mail.to == "otto@example.org"]


def test_a_made_up_unsubscribe_word_does_nothing(desk: DeskAtWork):
    subject = unsubscribe_subject(desk)
    forged = subject[:-1] + ("0" if subject[-1] != "0" else "1")
    assert "was refused" in desk.replies("mallory@example.org", "", subject=forged).first_line
    assert [mail for mail in desk.ring(desk.now + timedelta(days=20)) if mail.to == "otto@example.org"]


def test_the_unsubscribe_words_of_earlier_versions_still_work(desk: DeskAtWork):
    subject = unsubscribe_subject(desk)
    with reading(desk.engine) as session:
        seat = session.exec(select(Seat).where(Seat.role == "observer")).one()
    mac = desk.services.passwords.keep_generated(f"unsubscribe {seat.id}").partition("$")[2][:32]
    assert f"{seat.id}-{mac}" not in subject
    forged = desk.would_reply("otto@example.org", "", subject=f"UNSUBSCRIBE {seat.id}-{mac[::-1]}")
    assert "was refused" in forged.first_line
    answer = desk.replies("otto.private@example.org", "", subject=f"UNSUBSCRIBE {seat.id}-{mac}")
    assert answer.first_line == "You no longer observe heron."


def test_players_mails_have_no_unsubscribe_button(heron: DeskAtWork):
    results = heron.ring(heron.now + timedelta(days=20))
    assert results and not [mail for mail in results if mail.message["List-Unsubscribe"]]


def test_news_to_all_say_nothing_to_players_alone(heron: DeskAtWork):
    heron.observes("jo@example.org")
    signon = "SIGNON Mheron gm\n"
    mails = [
        mail
        for line in ("PAUSE", "RESUME", "PROCESS!\nROLLBACK", "UNSTART")
        for mail in heron.writes("kim@example.org", signon + line)
        if not mail.answers and mail.to in ("jo@example.org", "kim@example.org")
    ]
    for what in ("Paused", "Deadline", "Rollback", "Unstart"):
        assert {mail.to for mail in mails if what in mail.subject} == {"jo@example.org", "kim@example.org"}, what
    said = [mail.flat for mail in mails if re.search(r"\byours?\b|\byou\b", mail.flat, re.IGNORECASE)]
    assert not said, said


OTTO, FAY, EVE = "otto@example.org", "france@example.org", "eve@example.org"
ASKED = {"name": "REGISTER\nName: Otto Neu\nEND", "watching": "UNSUBSCRIBE heron", "standby": "NO STANDBY"}
BY_OWN_SERVER = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
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
        desk.writes(OTTO, "REGISTER\nName: Otto Alt\nEND", headers=BY_OWN_SERVER)
        asks = desk.replies(OTTO, "STANDBY", headers=BY_OWN_SERVER)
        desk.writes(OTTO, "OBSERVE heron", headers=BY_OWN_SERVER)
        if not of_otto(desk)["standby"]:
            desk.writes(OTTO, "", headers=BY_OWN_SERVER, subject=asks.subject)
        desk.new_mails()

    desk.goes_on("Otto comes", otto_comes)
    assert of_otto(desk) == BEFORE
    return desk


@pytest.fixture
def believing(desk: DeskAtWork) -> DeskAtWork:
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
@pytest.mark.parametrize("judge", ["believing", "checked"])
def test_an_address_alone_changes_nothing_until_its_owner_sends_a_mail_back(request, judge: str, what: str):
    desk: DeskAtWork = request.getfixturevalue(judge)
    mail = desk.replies(OTTO, ASKED[what])
    assert mail.first_line.startswith("One more step: reply to this email to ")
    assert of_otto(desk) == BEFORE
    desk.replies(OTTO, "", subject=mail.subject)
    assert of_otto(desk) == BEFORE | {what: AFTER[what]}


@pytest.mark.parametrize("what", ASKED)
def test_what_our_mail_server_has_verified_is_done_at_once(checked: DeskAtWork, what: str):
    assert "CONFIRM" not in checked.replies(OTTO, ASKED[what], headers=BY_OWN_SERVER).text
    assert of_otto(checked) == BEFORE | {what: AFTER[what]}


@pytest.mark.parametrize("what", ASKED)
def test_what_it_found_forged_is_not_even_asked_about(checked: DeskAtWork, what: str):
    mail = checked.replies(OTTO, ASKED[what], headers=FORGED)
    assert "did not come from your address" in mail.flat and "CONFIRM" not in mail.text
    assert of_otto(checked) == BEFORE


def test_all_that_a_letter_asks_waits_for_one_token(believing: DeskAtWork):
    mail = believing.replies(OTTO, "\n".join(ASKED.values()))
    assert "to change your name to Otto Neu and your time zone to UTC, and to stop observing heron, and to leave" in (
        mail.flat
    )
    believing.replies(OTTO, f"CONFIRM {token_in(mail)}")
    assert of_otto(believing) == AFTER


def test_who_asks_again_gets_the_same_token_and_it_works_once(believing: DeskAtWork):
    first, again = (token_in(believing.replies(OTTO, "UNSUBSCRIBE heron")) for _ in range(2))
    assert first == again
    believing.writes(OTTO, f"CONFIRM {first}")
    believing.writes(OTTO, "OBSERVE heron")
    assert "That code is not valid" in believing.replies(OTTO, f"CONFIRM {first}").text
    assert of_otto(believing) == BEFORE


def test_what_changes_nothing_needs_no_token(believing: DeskAtWork):
    answer = believing.replies(OTTO, "REGISTER\nName: Otto Alt\nEND")
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
def test_a_token_counts_from_an_address_of_its_person_only(believing: DeskAtWork, asking: str):
    own = asking.startswith("FORGOT")
    mails = believing.writes(FAY if own else EVE, asking if own else f"{asking} {FAY}")
    (mail,) = [one for one in mails if "Is this you?" in one.subject]
    refusal = believing.replies(EVE, f"CONFIRM {token_in(mail)}").flat
    assert "That code works only from an address of the person" in refusal
    with reading(believing.engine) as session:
        assert [token.used_at for token in session.exec(select(Token).where(Token.purpose != "change"))] == [None]
        assert person_at(session, EVE) is None
    assert "was refused" not in believing.replies(FAY, f"CONFIRM {token_in(mail)}").text


def test_the_token_is_masked_once_the_mail_has_gone(believing: DeskAtWork):
    word = token_in(believing.replies(OTTO, "UNSUBSCRIBE heron"))
    with reading(believing.engine) as session:
        assert [mail.secret for mail in session.exec(select(Mail)) if word in mail.subject] == [word]


def test_letters_outside_of_ascii_are_no_part_of_a_name_or_a_word(believing: DeskAtWork):
    """No regular expression takes the long s for an s, or the dotless i for an i; nothing breaks for them."""
    for line in (
        "UNSUBSCRIBE 1-\u017f", "UNSUBSCRIBE 1-\u0130", "UNSUBSCRIBE \u0661-a", "CONFIRM \u017f", "FORGOT heron\u017f",
        "OBSERVE \u017fheron", "CREATE ?\u017fwan pw", "\u017fIGNON ?swan pw", "SIGNON F\u017fheron pw",
    ):  # fmt: skip
        believing.writes(OTTO, line)
    with reading(believing.engine) as session:
        assert [game.name for game in session.exec(select(Game))] == ["heron"]
    said = " ".join(mail.flat for mail in believing.all_mails())
    assert "unknown, used already" not in said and "is not observing" not in said


def test_wishes_may_name_powers_in_any_letters(desk: DeskAtWork):
    desk.writes(OTTO, "REGISTER\nName: Otto\nEND\nCREATE ?heron gm\nSIGNON ?heron pw")
    answer = desk.replies(OTTO, "SIGNON ?heron pw\nSET PREFERENCE \u00d6sterreich")
    assert "not an order or a command" not in answer.text


def test_nobody_in_the_game_observes_it_too(heron: DeskAtWork) -> None:
    for sender in ("kim@example.org", "france@example.org"):
        reply = heron.would_reply(sender, "OBSERVE heron").flat
        assert "You are already in heron, so you get its results." in reply


def test_an_observer_who_takes_over_a_power_gets_press_once(heron: DeskAtWork) -> None:
    heron.observes("sue@example.org")
    heron.writes("sue@example.org", "REGISTER\nName: Sue\nEND")
    heron.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    heron.writes("sue@example.org", "SIGNON Theron pwsue")
    mails = heron.writes("italy@example.org", "SIGNON Iheron pwitaly\nBROADCAST\nhello\nENDBROADCAST")
    assert [mail.to for mail in mails].count("sue@example.org") == 1
    assert "observer" not in next(mail.flat for mail in mails if mail.answers)
