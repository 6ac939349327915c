"""How reliable somebody is: who is told, what it is good for (EXTENSIONS, RELIABILITY), what a rollback undoes."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.games.core.settings import change_settings
from judge.games.core.work import Work
from judge.games.people import reliability
from judge.store.engine import reading, transaction
from judge.store.games import game_named
from judge.store.people import person_at
from tests.commands.deskatwork import DeskAtWork

FAY, ITA, KIM = "france@example.org", "italy@example.org", "kim@example.org"
DEADLINE = datetime(2026, 5, 11, 23, 30, tzinfo=UTC)


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """A game in its first Fall; France was on time for the Spring, all others have missed it."""
    desk.seat_seven()

    def spring() -> None:
        desk.writes(FAY, "SIGNON Fheron pwfrance\nA PAR H\nA MAR H\nF BRE H")
        desk.ring(DEADLINE)

    desk.goes_on("France was on time", spring)
    return desk


def set_gunboat(desk: DeskAtWork) -> None:
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        change_settings(game, gunboat=True)
        session.add(game)


def record(desk: DeskAtWork, address: str) -> reliability.Reliability:
    with reading(desk.engine) as session:
        person = person_at(session, address)
        assert person
        return reliability.record_of(Work(session, desk.services, desk.now), person.id or 0)


def test_the_record_of_somebody_one_plays_with(heron: DeskAtWork):
    reply = heron.replies(FAY, f"INFO PLAYER {ITA}")
    assert reply.first_line == "The record of Italy <italy@example.org>."
    assert "Italy: orders were due in 1 phase: 0 on time, 0 late, 1 missed, 0 abandoned." in reply.text
    assert "Reliability: 0%." in reply.text
    assert "1 on time" in heron.replies(FAY, "INFO PLAYER").text
    assert "1 on time" in heron.replies(KIM, f"info player {FAY}").text


def test_who_shares_no_game_is_told_nothing_not_even_who_is_known(heron: DeskAtWork):
    heron.observes("al@example.org", "REGISTER\nName: Al\nEND\nOBSERVE heron")
    known = heron.replies("al@example.org", f"INFO PLAYER {FAY}").text
    unknown = heron.replies("al@example.org", "INFO PLAYER nobody@example.org").text
    assert known.replace(FAY, "X") == unknown.replace("nobody@example.org", "X")
    assert "france@example.org is not in a current game with you" in " ".join(known.split())
    assert heron.replies("al@example.org", "INFO PLAYER").text.endswith("no orders were due yet.\n")


def test_another_address_of_somebody_is_not_told_to_be_theirs(heron: DeskAtWork):
    heron.writes("fay@work.example", f"I AM ALSO {FAY}")
    (word,) = [line.split()[1] for mail in heron.writes("fay@work.example", f"I AM ALSO {FAY}") if mail.to == FAY
               for line in mail.text.splitlines() if line.startswith("    CONFIRM")]  # fmt: skip
    heron.writes(FAY, f"CONFIRM {word}")
    heron.now += timedelta(days=31)
    assert "fay@work.example is not in a current game" in heron.replies(ITA, "INFO PLAYER fay@work.example").text
    assert "1 on time" in heron.replies("fay@work.example", "INFO PLAYER").text


def test_whogame_tells_how_reliable_players_are(heron: DeskAtWork):
    told = heron.replies(FAY, "WHOGAME heron").text
    assert "France:     France <france@example.org>, 100% reliable" in told
    assert "Italy:      Italy <italy@example.org>, 0% reliable" in told
    assert "Master:     Kim Doe <kim@example.org>\n" in told
    assert max(map(len, told.splitlines())) <= 79


def test_in_a_gunboat_game_a_record_does_not_betray_who_was_late(heron: DeskAtWork):
    """Two people share a second, open game; what one did in the gunboat game is seen there by nobody else."""
    heron.writes(KIM, "CREATE ?gull gm")
    for power in ("france", "italy"):
        heron.writes(f"{power}@example.org", f"SIGNON ?gull pw{power}")
    assert "0% reliable" in heron.replies(FAY, "WHOGAME gull").text
    set_gunboat(heron)
    assert "reliable" not in heron.replies(FAY, "WHOGAME gull").text
    assert "no orders were due yet." in heron.replies(FAY, f"INFO PLAYER {ITA}").text
    assert "1 missed" in heron.replies(ITA, "INFO PLAYER").text
    heron.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    assert "1 missed" in heron.replies(FAY, f"INFO PLAYER {ITA}").text


def test_in_a_gunboat_game_alone_nobody_is_asked_about(heron: DeskAtWork):
    set_gunboat(heron)
    assert "italy@example.org is not in a current game" in heron.replies(FAY, f"INFO PLAYER {ITA}").text
    assert "no orders were due yet." in heron.replies(KIM, f"INFO PLAYER {ITA}").text


def test_a_phase_that_is_played_again_counts_once(heron: DeskAtWork):
    assert (record(heron, FAY).due, record(heron, ITA).due) == (1, 1)
    heron.writes(KIM, "SIGNON Mheron gm\nROLLBACK")
    assert (record(heron, FAY).due, record(heron, ITA).due) == (0, 0)
    heron.writes(ITA, "SIGNON Iheron pwitaly\nA ROM H\nA VEN H\nF NAP H")
    heron.ring(DEADLINE + timedelta(days=30))
    assert record(heron, FAY).on_time == 1 and record(heron, FAY).due == 1
    assert record(heron, ITA) == reliability.Reliability(1, 1, 0, 0, 0, 1.0)


@pytest.mark.parametrize("gil, abandoned", [("", 0), ("SIGNON Iheron pwgil", 1)])
def test_a_seat_that_is_given_back_by_a_rollback_was_never_given_up(heron: DeskAtWork, gil: str, abandoned: int):
    heron.writes(KIM, "SIGNON Mheron gm\nSET NONMR")
    heron.ring(heron.now + timedelta(days=40))
    assert record(heron, ITA).abandoned == 1
    heron.writes("gil@example.org", f"REGISTER\nName: Gil Poe\nEND\n{gil}")
    heron.writes(KIM, "SIGNON Mheron gm\nROLLBACK S1901M")
    assert record(heron, ITA).abandoned == record(heron, ITA).due == abandoned


FRANCE = "france@example.org"
MASTER = "SIGNON Mheron gm\n"


@pytest.fixture
def first_spring(desk: DeskAtWork) -> DeskAtWork:
    """All but France have ordered for the first Spring."""
    desk.seat_seven()
    for power in ("austria", "england", "germany", "italy", "russia", "turkey"):
        desk.writes(f"{power}@example.org", f"SIGNON {power[0].upper()}heron pw{power}\nall units hold")
    desk.new_mails()
    return desk


def open_now(desk: DeskAtWork) -> tuple[str, datetime]:
    phase = desk.phase()
    return phase.name, phase.deadline_at


def test_who_would_be_late_is_given_more_time_so_many_times_a_game(first_spring: DeskAtWork) -> None:
    told = first_spring.replies(KIM, f"{MASTER}SET EXTENSIONS 2").text
    assert "at most 2 times for each late player." in " ".join(told.split())
    assert "2 extensions for each late player" in first_spring.would_reply(KIM, "LIST heron").flat
    first_spring.new_mails()
    deadline = DEADLINE
    for used in (1, 2):
        mails = first_spring.ring(deadline)
        assert {mail.to for mail in mails} >= {FRANCE, KIM, "turkey@example.org"}
        assert all("Deadline Adjustment" in mail.subject for mail in mails), [mail.subject for mail in mails]
        assert f"France (extension {used} of 2)" in mails[0].flat
        name, later = open_now(first_spring)
        assert name == "S1901M" and later >= deadline + timedelta(hours=71)
        deadline = later
        first_spring.ring(deadline - timedelta(minutes=1))
    first_spring.ring(deadline)
    assert open_now(first_spring)[0] == "F1901M"


def test_a_quiet_game_does_not_say_who_and_zero_gives_none(first_spring: DeskAtWork) -> None:
    assert "can have from 0 to 20 extensions" in first_spring.would_reply(KIM, f"{MASTER}SET EXTENSIONS 21").text
    first_spring.replies(KIM, f"{MASTER}SET EXTENSIONS 1\nSET QUIET")
    first_spring.new_mails()
    mails = first_spring.ring(DEADLINE)
    assert mails and not any("France (" in mail.text for mail in mails if mail.to != FRANCE)
    assert open_now(first_spring)[0] == "S1901M"
    first_spring.replies(KIM, f"{MASTER}SET EXTENSIONS 0")
    first_spring.ring(open_now(first_spring)[1])
    assert open_now(first_spring)[0] == "F1901M"
