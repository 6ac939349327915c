"""SET EXTENSIONS and SET RELIABILITY: more time for who would be late, and who may not join."""

from datetime import UTC, datetime, timedelta

import pytest

from judge.games.people import reliability
from judge.store.engine import transaction
from judge.store.games import game_named, open_phase, phases_of
from judge.store.people import person_at
from judge.store.rows import id_of
from judge.store.seats import seats_of
from judge.store.tables import Attendance
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
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        return phase.name, phase.deadline_at


def test_who_would_be_late_is_given_more_time_so_many_times_a_game(heron: DeskAtWork) -> None:
    told = heron.replies(KIM, f"{MASTER}SET EXTENSIONS 2").text
    assert "at most 2 times for each late player in this game." in " ".join(told.split())
    assert "2 extensions for each late player" in " ".join(heron.would_reply(KIM, "LIST heron").text.split())
    heron.new_mails()
    deadline = DEADLINE
    for used in (1, 2):
        mails = heron.ring(deadline)
        assert {mail.to for mail in mails} >= {FRANCE, KIM, "turkey@example.org"}
        assert all("Deadline Adjustment" in mail.subject for mail in mails), [mail.subject for mail in mails]
        assert f"France (extension {used} of 2)" in " ".join(mails[0].text.split())
        name, later = open_now(heron)
        assert name == "S1901M" and later >= deadline + timedelta(hours=71)
        deadline = later
        heron.ring(deadline - timedelta(minutes=1))
    heron.ring(deadline)
    assert open_now(heron)[0] == "F1901M"


def test_a_quiet_game_does_not_say_who_and_zero_gives_none(heron: DeskAtWork) -> None:
    assert "20 extensions at most" in heron.would_reply(KIM, f"{MASTER}SET EXTENSIONS 21").text
    heron.replies(KIM, f"{MASTER}SET EXTENSIONS 1\nSET QUIET")
    heron.new_mails()
    mails = heron.ring(DEADLINE)
    assert mails and not any("France (" in mail.text for mail in mails if mail.to != FRANCE)
    assert open_now(heron)[0] == "S1901M"
    heron.replies(KIM, f"{MASTER}SET EXTENSIONS 0")
    heron.ring(open_now(heron)[1])
    assert open_now(heron)[0] == "F1901M"


def test_who_is_not_reliable_enough_may_not_join(heron: DeskAtWork, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gull", "owl"):
        heron.writes(KIM, f"CREATE ?{name} secret")
    heron.replies(KIM, "SIGNON Mgull secret\nSET RELIABILITY 80")
    assert "80% reliable or more may join" in " ".join(heron.would_reply(KIM, "LIST gull").text.split())
    with transaction(heron.engine) as session:
        game = game_named(session, "heron")
        assert game
        person, phase = person_at(session, FRANCE), phases_of(session, game)[0]
        assert person
        seat = next(seat for seat in seats_of(session, game) if seat.person_id == person.id)
        entry = {"phase_id": id_of(phase), "seat_id": id_of(seat), "person_id": id_of(person)}
        session.add(Attendance(**entry, result="late", at=phase.opened_at))
    assert "You are in gull" in heron.would_reply(FRANCE, "SIGNON ?gull hush").text
    monkeypatch.setattr(reliability, "ENOUGH", 1)
    told = " ".join(heron.replies(FRANCE, "SIGNON ?gull hush").text.split())
    assert "80% reliable or more" in told and "you are 50% reliable" in told, told
    assert "You are in owl" in heron.replies(FRANCE, "SIGNON ?owl hush").text
    assert "You are in gull" in heron.replies("turkey@example.org", "SIGNON ?gull hush").text
