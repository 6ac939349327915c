"""Invitations: few, each once, none to whoever wants none, and no word of the inviter's in them."""

from datetime import timedelta

import pytest
from sqlmodel import select

from judge.store.engine import reading
from judge.store.tables import Invitation
from tests.commands.deskatwork import DeskAtWork, Posted

KIM, JO = "kim@example.org", "jo@example.net"
SIGNED = "SIGNON Mowl gm\n"


@pytest.fixture
def owl(desk: DeskAtWork) -> DeskAtWork:
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND")
    desk.writes(KIM, "CREATE ?owl gm\nSET COMMENT Buy my book")
    desk.now += timedelta(hours=1)
    return desk


def invited(mails: list[Posted]) -> list[str]:
    return [mail.to for mail in mails if "Invitation" in mail.subject]


def test_a_letter_invites_three_however_many_it_names(owl: DeskAtWork):
    names = " ".join(f"p{number}@house{number}.example" for number in range(100))
    assert len(invited(owl.writes(KIM, f"{SIGNED}INVITE {names}"))) == 3
    assert not invited(owl.writes(KIM, f"{SIGNED}INVITE {JO}"))
    owl.now += timedelta(days=1, minutes=1)
    (mail, _) = owl.writes(KIM, f"{SIGNED}INVITE {JO}")
    assert mail.to == JO and "SIGNON ?owl" in mail.text and "book" not in mail.text and "Kim" not in mail.text


def test_nobody_is_invited_twice_or_after_a_refusal(owl: DeskAtWork):
    assert invited(owl.writes(KIM, f"{SIGNED}INVITE {JO}")) == [JO]
    assert not invited(owl.writes(KIM, f"{SIGNED}INVITE {JO} jo+tag@example.net"))
    owl.writes(JO, "NO INVITATIONS")
    owl.writes(KIM, "CREATE ?gull gm")
    owl.now += timedelta(days=900)
    mails = owl.writes(KIM, f"SIGNON Mgull gm\nINVITE {JO}")
    assert not invited(mails) and "have had an invitation, or want none" in mails[-1].flat
    with reading(owl.engine) as session:
        assert all("jo" not in one.digest for one in session.exec(select(Invitation)))


def test_who_never_answers_gets_three_from_all_games(owl: DeskAtWork):
    for number in range(5):
        owl.writes(KIM, f"CREATE ?gull{number} gm")
        owl.now += timedelta(days=2)
        sent = invited(owl.writes(KIM, f"SIGNON Mgull{number} gm\nINVITE {JO}"))
        assert bool(sent) == (number < 3)


def test_only_a_password_of_an_earlier_letter_invites(owl: DeskAtWork):
    assert not invited(owl.writes(KIM, f"CREATE ?gull gm\nINVITE {JO}"))
    assert not invited(owl.writes("al@example.org", f"SIGNON Mowl guess\nINVITE {JO}"))
    owl.observes("al@example.org", "OBSERVE owl")
    assert not invited(owl.writes("al@example.org", f"SIGNON Oowl\nINVITE {JO}"))
