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


def test_who_has_refused_can_be_invited_again_when_they_say_so(owl: DeskAtWork):
    assert "send INVITATIONS" in owl.replies(JO, "NO INVITATIONS").flat
    assert not invited(owl.writes(KIM, f"{SIGNED}INVITE {JO}"))
    owl.writes(JO, "INVITATIONS")
    assert invited(owl.writes(KIM, f"{SIGNED}INVITE {JO}")) == [JO]


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


def ended(desk: DeskAtWork, settings: str = "") -> DeskAtWork:
    """heron has ended; Turkey had resigned before."""
    desk.seat_all("heron", "standard", settings)
    desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nRESIGN heron")
    desk.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    return desk


OLD = ["austria", "england", "france", "germany", "italy", "russia"]


def test_a_rematch_asks_those_who_played_to_the_end_once(desk: DeskAtWork):
    france = "SIGNON Fheron pwfrance\nREMATCH"
    desk.writes("italy@example.org", "NO INVITATIONS")
    ended(desk, "SET GREY, NODIAS\nSET COMMENT Old")
    mails = desk.writes("france@example.org", france)
    assert sorted(invited(mails)) == [f"{name}@example.org" for name in OLD if name not in ("france", "italy")]
    assert "SIGNON ?heron2" in mails[0].text and "France asks" in mails[0].flat
    for again in (france, "SIGNON Mheron gm\nREMATCH heron", "SIGNON Eheron pwengland\nREMATCH"):
        sender = f"{'kim' if 'Mheron' in again else 'england' if 'Eheron' in again else 'france'}@example.org"
        (refused,) = desk.writes(sender, again)
        assert "The rematch of heron is heron2" in refused.flat
    listed = desk.replies("al@example.org", "LIST heron2").text
    assert "grey press" in listed and "Old" not in listed and "Standard Diplomacy" in listed


def test_a_rematch_deals_other_powers(desk: DeskAtWork):
    ended(desk).writes(KIM, "SIGNON Mheron gm\nREMATCH")
    for name in [*OLD, "turkey"]:
        desk.writes(f"{name}@example.org", f"SIGNON ?heron2 pw{name}\nSET PREFERENCE {name}")
    players = [line.lower() for line in desk.replies(KIM, "WHOGAME heron2").text.splitlines() if "@" in line]
    assert len(players) == 8
    # Turkey's player was not there at the end, so may have it.
    assert [line for line in players if f"{line.partition(':')[0]}@" in line] == [
        "turkey:     turkey <turkey@example.org>"
    ]


@pytest.mark.parametrize(("settings", "sender", "letter", "why"), [
    ("", "turkey@example.org", "SIGNON Theron pwturkey\nREMATCH", ""),
    ("", KIM, "SIGNON Mheron gm\nREMATCH owl", "not owl"),
    ("SET GUNBOAT", "france@example.org", "SIGNON Fheron pwfrance\nREMATCH", "needs a master"),
])  # fmt: skip
def test_some_cannot_ask_for_a_rematch(desk: DeskAtWork, settings: str, sender: str, letter: str, why: str):
    ended(desk, settings)
    mails = desk.writes(sender, letter)
    assert not invited(mails) and why in mails[-1].flat


def test_rematches_in_turn_are_invitations_of_a_day(desk: DeskAtWork):
    ended(desk).writes(KIM, "SIGNON Mheron gm\nREMATCH")
    for name in OLD:
        desk.writes(f"{name}@example.org", f"SIGNON ?heron2 pw{name}")
    desk.writes(KIM, "SIGNON Mheron2 gm\nFORCE BEGIN\nTERMINATE heron2")
    assert not invited(desk.writes(KIM, "SIGNON Mheron2 gm\nREMATCH"))
    desk.now += timedelta(days=1)
    assert len(invited(desk.writes(KIM, "SIGNON Mheron2 gm\nREMATCH"))) == 6


def test_a_game_is_rematched_when_it_has_ended_and_was_played(desk: DeskAtWork):
    desk.seat_seven()
    assert "heron has not ended" in desk.replies(KIM, "SIGNON Mheron gm\nREMATCH").flat
    desk.writes(KIM, "CREATE ?owl gm\nCREATE ?wren gm SOLO")
    for name in ("owl", "wren"):
        desk.writes(KIM, f"SIGNON M{name} gm\nTERMINATE {name}")
        assert "so it has no rematch" in desk.replies(KIM, f"SIGNON M{name} gm\nREMATCH").flat


def test_whoever_is_kept_out_is_not_invited(owl: DeskAtWork):
    owl.writes(KIM, f"{SIGNED}DENY {JO}")
    assert not invited(owl.writes(KIM, f"{SIGNED}INVITE {JO}"))
