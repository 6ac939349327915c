"""SET EXTENSIONS and SET RELIABILITY: more time for who would be late, and who may not join."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.commands.deskatwork import DeskAtWork

KIM, FRANCE = "kim@example.org", "france@example.org"
DEADLINE = datetime(2026, 5, 11, 23, 30, tzinfo=UTC)
MASTER = "SIGNON Mheron gm\n"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """All but France have ordered for the first Spring."""
    desk.seat_seven()
    for power in ("austria", "england", "germany", "italy", "russia", "turkey"):
        desk.writes(f"{power}@example.org", f"SIGNON {power[0].upper()}heron pw{power}\nall units hold")
    desk.new_mails()
    return desk


def open_now(desk: DeskAtWork) -> tuple[str, datetime]:
    phase = desk.phase()
    return phase.name, phase.deadline_at


def test_who_would_be_late_is_given_more_time_so_many_times_a_game(heron: DeskAtWork) -> None:
    told = heron.replies(KIM, f"{MASTER}SET EXTENSIONS 2").text
    assert "at most 2 times per late player in this game." in " ".join(told.split())
    assert "2 extensions for each late player" in heron.would_reply(KIM, "LIST heron").flat
    heron.new_mails()
    deadline = DEADLINE
    for used in (1, 2):
        mails = heron.ring(deadline)
        assert {mail.to for mail in mails} >= {FRANCE, KIM, "turkey@example.org"}
        assert all("Deadline Adjustment" in mail.subject for mail in mails), [mail.subject for mail in mails]
        assert f"France (extension {used} of 2)" in mails[0].flat
        name, later = open_now(heron)
        assert name == "S1901M" and later >= deadline + timedelta(hours=71)
        deadline = later
        heron.ring(deadline - timedelta(minutes=1))
    heron.ring(deadline)
    assert open_now(heron)[0] == "F1901M"


def test_a_quiet_game_does_not_say_who_and_zero_gives_none(heron: DeskAtWork) -> None:
    assert "at most 20 extensions" in heron.would_reply(KIM, f"{MASTER}SET EXTENSIONS 21").text
    heron.replies(KIM, f"{MASTER}SET EXTENSIONS 1\nSET QUIET")
    heron.new_mails()
    mails = heron.ring(DEADLINE)
    assert mails and not any("France (" in mail.text for mail in mails if mail.to != FRANCE)
    assert open_now(heron)[0] == "S1901M"
    heron.replies(KIM, f"{MASTER}SET EXTENSIONS 0")
    heron.ring(open_now(heron)[1])
    assert open_now(heron)[0] == "F1901M"
