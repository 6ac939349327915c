"""An address that was added to a registration: who is told, what it may do in its first thirty days, and its end."""

import re
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.store.engine import reading
from judge.store.people import person_at
from judge.store.tables import Seat
from tests.commands.deskatwork import DeskAtWork, Posted

FAY, WORK, HOME = "france@example.org", "fay@work.example", "fay@home.example"
SETTINGS = {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}


def verified(address: str) -> dict[str, str]:
    domain = address.rpartition("@")[2]
    return {"Authentication-Results": f"mx.example.org; dmarc=pass header.from={domain}"}


def adds(desk: DeskAtWork, address: str) -> list[Posted]:
    """The mails when France agrees that this is an address of hers."""
    (mail,) = [mail for mail in desk.writes(address, f"I AM ALSO {FAY}") if mail.to == FAY]
    word = re.search(r"CONFIRM (\w{12})", mail.text)
    assert word
    return desk.writes(FAY, f"CONFIRM {word[1]}")


@pytest.fixture
def heron(tmp_path) -> DeskAtWork:
    """France has played without a password, and has added an address at work."""
    desk = DeskAtWork(tmp_path, "", SETTINGS)
    desk.seat_seven()

    def works_elsewhere() -> None:
        desk.writes(FAY, "SIGNON Fheron pwfrance\nSET PASSWORDLESS ON", headers=verified(FAY))
        adds(desk, WORK)

    desk.goes_on("an address at work", works_elsewhere)
    return desk


def is_hers(desk: DeskAtWork, address: str) -> bool:
    with reading(desk.engine) as session:
        person, fay = person_at(session, address), person_at(session, FAY)
        return person is not None and person is fay


def test_every_older_address_is_told_and_how_to_undo_it(heron: DeskAtWork):
    told = [mail.to for mail in adds(heron, HOME) if f"FORGET ADDRESS {HOME}" in mail.flat]
    assert sorted(told) == [WORK, FAY]


def test_for_thirty_days_it_proves_nothing_by_itself(heron: DeskAtWork):
    without = "emails from it need your password"
    asked = {"SIGNON Fheron\nA PAR - BUR": "The password is missing"} | dict.fromkeys(
        ["FORGOT heron", "REGISTER\nName: Eve\nEND", "NO STANDBY", "OBSERVE heron", "CREATE ?gull pw",
         f"FORGET ADDRESS {FAY}", "I AM ALSO england@example.org"], without)  # fmt: skip
    for asks, refused in asked.items():
        (answer,) = heron.would_write(WORK, asks, headers=verified(WORK))
        assert answer.to == WORK and refused in answer.flat, asks
    heron.now += timedelta(days=30)
    for asks, refused in asked.items():
        assert refused not in heron.would_reply(WORK, asks, headers=verified(WORK)).flat, asks


def test_orders_on_file_are_not_told_to_it(heron: DeskAtWork):
    heron.writes(FAY, "SIGNON Fheron pwfrance\nA PAR - PIC")
    assert "Picardy" not in heron.replies(WORK, "STATUS heron", headers=verified(WORK)).text
    forged = heron.writes(FAY, "STATUS heron", headers={"Reply-To": WORK})
    assert [mail.to for mail in forged] == [FAY]


def test_with_the_right_password_it_may_do_what_any_may(heron: DeskAtWork):
    answer = heron.replies(WORK, f"SIGNON Fheron pwfrance\nA PAR - BUR\nSET ADDRESS {WORK}\nSET PASSWORD sesame")
    assert "Army Paris -> Burgundy." in answer.text and f"go to {WORK} from now on" in answer.flat
    assert "Army Paris -> Burgundy." in heron.replies(WORK, "SIGNON Fheron sesame\nSTATUS").flat


def test_it_is_not_exempt_from_the_limits_of_guessing(heron: DeskAtWork):
    for number in range(6):
        answer = heron.replies(WORK, f"SIGNON Fheron guess{number}")
    assert "wrong passwords" in answer.flat
    assert "wrong passwords" in heron.replies(WORK, "SIGNON Fheron pwfrance").flat
    assert "3 units without orders" in heron.replies(FAY, "SIGNON Fheron pwfrance\nVERSION").flat


def test_a_code_that_was_mailed_to_it_adds_no_other(heron: DeskAtWork):
    assert [mail.to for mail in heron.writes(HOME, f"I AM ALSO {WORK}")] == [HOME]
    heron.now += timedelta(days=31)
    assert WORK in [mail.to for mail in heron.writes(HOME, f"I AM ALSO {WORK}")]


def test_an_observers_address_is_new_when_it_is_added_however_old_it_is(heron: DeskAtWork):
    heron.observes(HOME)
    heron.now += timedelta(days=60)
    adds(heron, HOME)
    assert "The password is missing" in heron.replies(HOME, "SIGNON Fheron", headers=verified(HOME)).flat


def test_a_newcomers_first_address_is_not_new(heron: DeskAtWork):
    answer = heron.replies("england@example.org", "STATUS heron")
    assert "Your orders" in answer.text or "England" in answer.text
    assert "FORGOT" not in heron.replies("england@example.org", "FORGOT heron").flat.partition("mail with a token")[0]


@pytest.mark.parametrize("headers", [{}, verified(FAY)])
def test_a_new_address_is_forgotten_at_once(heron: DeskAtWork, headers: dict[str, str]):
    heron.writes(WORK, f"SIGNON Fheron pwfrance\nSET ADDRESS {WORK}")
    mails = heron.writes(FAY, f"FORGET ADDRESS {WORK}", headers=headers)
    assert not is_hers(heron, WORK) and [mail.to for mail in mails] == [WORK, FAY]
    with reading(heron.engine) as session:
        assert WORK not in session.exec(select(Seat.address)).all()


def test_an_old_one_when_that_is_confirmed(heron: DeskAtWork):
    heron.now += timedelta(days=31)
    answer = heron.replies(FAY, f"FORGET ADDRESS {WORK}")
    assert is_hers(heron, WORK)
    heron.writes(FAY, "No, I want to keep it", subject=answer.subject)
    assert is_hers(heron, WORK)
    heron.writes(FAY, "YES", subject=answer.subject)
    assert not is_hers(heron, WORK)


def test_the_last_old_address_stays_and_others_peoples_are_none_of_theirs(heron: DeskAtWork):
    assert "cannot be removed" in heron.replies(FAY, f"FORGET ADDRESS {FAY}", headers=verified(FAY)).flat
    answer = heron.replies(FAY, "FORGET ADDRESS england@example.org", headers=verified(FAY))
    assert "is not one of your addresses" in answer.flat
    assert "is not registered here" in heron.replies("al@else.example", f"FORGET ADDRESS {FAY}").flat


def test_a_forged_letter_forgets_nothing(heron: DeskAtWork):
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
    heron.writes(FAY, f"FORGET ADDRESS {WORK}", headers=forged)
    assert is_hers(heron, WORK)
