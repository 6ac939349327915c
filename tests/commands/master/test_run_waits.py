"""What a phase still waits for: PROCESS, STATUS and mails say what happens then."""

from datetime import timedelta

import pytest

from tests.commands.deskatwork import ALL_HOLD, DeskAtWork

KIM, ITALY = "kim@example.org", "italy@example.org"
MASTER = "SIGNON Mheron gm\n"
SOON = "All orders are in. The phase will be processed on Mon May 4 2026 10:25:00 +0000."


def signon(player: str) -> str:
    return f"SIGNON {player}@heron pw{player}\n"


def order(desk: DeskAtWork, *but: str) -> None:
    """All players order, `but` some."""

    def all_order() -> None:
        for name, orders in ALL_HOLD.items():
            if name not in but:
                desk.writes(f"{name}@example.org", f"{signon(name)}{orders}")

    desk.goes_on(("order", *but), all_order)


@pytest.fixture
def retreats(heron: DeskAtWork) -> DeskAtWork:
    """A retreat phase in which Germany has ordered its only retreat."""

    def play() -> None:
        heron.writes(KIM, f"{MASTER}CORRECT POSITION\nFrance: Army Burgundy\nFrance: A MAR - RUH\nEND")
        order(heron, "france")
        heron.writes("france@example.org", f"{signon('france')}A BUR S A RUH - MUN; A RUH - MUN; A PAR H; F BRE H")
        heron.writes(KIM, f"{MASTER}PROCESS")
        heron.writes("germany@example.org", f"{signon('germany')}A MUN - TYR")

    heron.goes_on("retreats", play)
    return heron


def test_process_asks_back_at_the_wait_of_a_player_who_has_nothing_to_order(retreats: DeskAtWork) -> None:
    retreats.writes(ITALY, f"{signon('italy')}SET WAIT")
    assert "Not processed: WAIT is set for Italy." in retreats.replies(KIM, f"{MASTER}PROCESS").flat
    assert retreats.phase().name == "S1901R"
    assert "WAIT is set for Italy." in retreats.would_reply(KIM, "STATUS heron").flat
    assert "WAIT is set for" not in retreats.would_reply("england@example.org", "STATUS heron").flat


def test_process_asks_back_at_another_masters_wait_but_not_at_ones_own(heron: DeskAtWork) -> None:
    heron.observes("sue@example.org")
    (promoted, *_) = heron.writes(KIM, f"{MASTER}PROMOTE sue@example.org")
    second = next(line.strip() for line in promoted.text.splitlines() if "SIGNON Mheron" in line) + "\n"
    order(heron)
    heron.writes("sue@example.org", f"{second}SET WAIT")
    assert "Not processed: a master has set WAIT." in heron.would_reply(KIM, f"{MASTER}PROCESS").flat
    assert "A master has set WAIT." in heron.would_reply(KIM, "STATUS heron").flat
    assert "has been processed" in heron.would_reply("sue@example.org", f"{second}PROCESS").flat


def test_process_asks_back_at_points_for_which_the_phase_waits(desk: DeskAtWork) -> None:
    desk.seat_all("swan", "1648")
    waits = desk.would_reply(KIM, "SIGNON Mswan gm\nPROCESS").flat
    assert "points of" in waits and "are unspent. To process" in waits
    desk.writes(KIM, "SIGNON Mswan gm\nPROCESS!")
    assert desk.phase("swan").number == 2


@pytest.mark.parametrize("reader", [KIM, "france@example.org", "stranger@example.org"])
def test_status_says_when_a_complete_phase_is_processed(heron: DeskAtWork, reader: str) -> None:
    order(heron)
    assert SOON in heron.would_reply(reader, "STATUS heron").flat
    heron.writes(KIM, f"{MASTER}SET MANUALPROCESS")
    reply = heron.would_reply(reader, "STATUS heron").flat
    assert "All orders are in. S1901M is processed when the master sends PROCESS." in reply


@pytest.mark.parametrize(
    ("line", "early"),
    [("SET DEADLINE May 20 21:00", "Mon May 4 2026 10:26"), ("SET START May 8 9:00", "Fri May 8 2026 09:00")],
)
def test_a_new_deadline_of_a_complete_phase_says_its_early_end(heron: DeskAtWork, line: str, early: str) -> None:
    order(heron)
    mails = heron.would_write(KIM, MASTER + line)
    told = {mail.to: mail.flat for mail in mails}
    assert f"All orders are in, so it will be processed on {early}" in told[KIM]
    assert f"All orders are in. The phase will be processed on {early}" in told[ITALY]


def test_autoprocess_after_the_deadline_gives_time_to_those_who_were_not_late_until_then(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{MASTER}SET MANUALPROCESS")
    order(heron, "turkey")
    now = heron.phase().deadline_at + timedelta(days=3)
    heron.ring(now)
    mails = heron.writes(KIM, f"{MASTER}SET AUTOPROCESS")
    assert heron.phase().deadline_at > now + timedelta(days=1)
    told = next(mail.flat for mail in mails if mail.to == "turkey@example.org")
    assert "had passed while the phase waited for its master" in told and "Orders are due by" in told
    heron.ring(now + timedelta(hours=1))
    assert heron.phase().name == "S1901M"


def test_autoprocess_after_the_deadline_of_a_complete_phase_says_that_it_is_processed(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{MASTER}SET MANUALPROCESS")
    order(heron)
    heron.ring(heron.phase().deadline_at + timedelta(days=3))
    reply = heron.replies(KIM, f"{MASTER}SET AUTOPROCESS")
    assert "The time for orders in S1901M is over, so it is now processed." in reply.flat
    heron.ring(heron.now)
    assert heron.phase().name == "F1901M"


def test_nmr_after_the_end_of_grace_says_that_the_phase_is_processed(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{MASTER}SET NONMR")
    order(heron, "turkey")
    heron.ring(heron.phase().deadline_at + timedelta(days=1))
    mails = heron.writes(KIM, f"{MASTER}SET NMR")
    ends = "The time for orders in S1901M is over, so it is now processed without the missing orders."
    assert {ends in mail.flat for mail in mails if mail.to in (KIM, ITALY)} == {True}
    heron.ring(heron.now)
    assert heron.phase().name == "F1901M"


@pytest.mark.parametrize("settings", ["SET NMR", "SET MANUALPROCESS"])
def test_a_master_who_plays_learns_from_no_mail_who_has_not_ordered(heron: DeskAtWork, settings: str) -> None:
    heron.writes(KIM, f"{MASTER}{settings}\nEJECT Austria")
    heron.writes(KIM, "SIGNON Aheron pwkim")
    order(heron, "turkey", "austria")
    told = heron.would_reply(KIM, f"{MASTER}STATUS").flat
    assert "Orders are missing from 2 powers." in told
    if settings == "SET MANUALPROCESS":
        mails = heron.ring(heron.phase().deadline_at + timedelta(minutes=1))
        (waits,) = [mail.flat for mail in mails if "is waiting for you" in mail.flat]
        assert "orders of 2 powers are missing" in waits
