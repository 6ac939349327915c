"""DENY keeps somebody out of a game on every way in, until ALLOW; EJECT says what comes next."""

import pytest

from tests.commands.deskatwork import DeskAtWork

KIM, JO, ITALY = "kim@example.org", "jo@example.org", "italy@example.org"
AS_KIM = "SIGNON Mheron gm\n"
CLOSED = "heron is closed to you: its master has decided so."


@pytest.fixture
def denied(heron: DeskAtWork) -> DeskAtWork:
    """Jo, who asked to play for Italy, is kept out of heron; so is Italy's last player."""

    def begin() -> None:
        heron.writes(JO, "REGISTER\nName: Jo\nEND\nSTANDBY")
        heron.writes(KIM, AS_KIM + "SET APPROVAL\nEJECT Italy")
        heron.writes(JO, "SIGNON Iheron hush")

    heron.goes_on("Jo asks for Italy", begin)
    heron.new_mails()
    mails = heron.writes(KIM, AS_KIM + "DENY Jo@Example.org\nDENY italy@example.org")
    assert "jo@example.org is kept out of heron. To undo this, send ALLOW jo@example.org." in mails[-1].flat
    assert [mail.to for mail in mails if "has not accepted you in heron." in mail.flat] == [JO]
    return heron


@pytest.mark.parametrize("line", ["SIGNON Iheron hush", "SIGNON ?heron hush", "OBSERVE heron", "TAKEOVER Iheron hush"])
def test_no_way_leads_in_until_it_is_taken_back(denied: DeskAtWork, line: str) -> None:
    for sender in (JO, ITALY, "jo+more@example.org"):
        told = denied.would_reply(sender, line).flat
        assert CLOSED in told or "not registered" in told and sender not in (JO, ITALY), told
    allowed = denied.replies(KIM, AS_KIM + "ALLOW jo@example.org")
    assert "jo@example.org can join or observe heron again." in allowed.flat
    assert CLOSED not in denied.would_reply(JO, line).flat


def test_wrong_lines_change_nothing(denied: DeskAtWork) -> None:
    denied.expects(
        KIM,
        AS_KIM,
        """
        DENY jo@example.org => jo@example.org is kept out of heron already.
        ALLOW new@example.org => new@example.org is not kept out of heron. ... jo@example.org, italy@example.org.
    """,
    )


def test_the_standby_list_is_not_asked_for_them(denied: DeskAtWork) -> None:
    mails = denied.writes(KIM, AS_KIM + "EJECT Turkey")
    assert JO not in {mail.to for mail in mails}


@pytest.mark.parametrize(("line", "said"), [
    ("EJECT Turkey", "Turkey is open to a replacement. People on the standby list are asked to take over. If no one "
                     "comes, send SET DISORDER Turkey. To keep its last player out of heron, send DENY "
                     "turkey@example.org."),
    ("EJECT olly@example.org", "They can send OBSERVE heron again. To keep them out, send DENY olly@example.org."),
])  # fmt: skip
def test_eject_says_what_comes_next(heron: DeskAtWork, line: str, said: str) -> None:
    heron.observes("olly@example.org")
    assert said in heron.would_reply(KIM, AS_KIM + line).flat
    assert "open to a replacement" not in heron.would_reply(KIM, AS_KIM + "EJECT Turkey\nSET DISORDER Turkey").flat
    assert (
        f"{ITALY} is still in the game: to remove this person, send EJECT"
        in heron.would_reply(KIM, AS_KIM + f"DENY {ITALY}").flat
    )
