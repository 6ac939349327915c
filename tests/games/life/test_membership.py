"""What a power's new player finds: time to look around where the power owes orders, and no more than once."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.store.engine import reading
from tests import rows
from tests.commands.deskatwork import DeskAtWork, Posted

DISLODGED = {"Austria": [{"unit": "A VIE", "from": "BOH", "by_convoy": False}]}


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})
    desk.seat_seven()
    for name in ("nina", "omar", "pia"):
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()} Doe\nTimezone: UTC\nEND\n")
    return desk


def resigns(desk: DeskAtWork, power: str, player: str, password: str) -> None:
    desk.writes(f"{player}@example.org", f"SIGNON {power}heron {password}\nRESIGN heron")


def takes(desk: DeskAtWork, power: str, player: str) -> list[Posted]:
    return desk.writes(f"{player}@example.org", f"SIGNON {power}heron new{player}")


def extended(mails: list[Posted]) -> set[str]:
    return {mail.to for mail in mails if mail.subject.endswith("Deadline Adjustment")}


def waits(desk: DeskAtWork, power: str) -> bool:
    with reading(desk.engine) as session:
        return rows.seat_of_power(session, rows.game_named(session, "heron"), power).waits


def test_a_newcomer_who_owes_nothing_gets_no_time_and_no_wait(heron: DeskAtWork):
    heron.lay("S1901R", dislodged=DISLODGED)
    before = heron.phase().deadline_at
    heron.now = before - timedelta(hours=10)
    resigns(heron, "F", "france", "pwfrance")
    mails = takes(heron, "F", "nina")
    assert not extended(mails) and heron.phase().deadline_at == before and not waits(heron, "France")
    assert not [mail for mail in mails if "WAIT is set" in mail.flat]
    resigns(heron, "A", "austria", "pwaustria")
    assert extended(takes(heron, "A", "omar")) and heron.phase().deadline_at > before and waits(heron, "Austria")


def test_a_takeover_that_adds_no_time_mails_no_extension(heron: DeskAtWork):
    before = heron.phase().deadline_at
    resigns(heron, "F", "france", "pwfrance")
    assert not extended(takes(heron, "F", "nina"))
    assert heron.phase().deadline_at == before and waits(heron, "France")


def test_takeovers_in_turns_put_a_phase_off_once_a_power_and_twice_in_all(heron: DeskAtWork):
    found = []
    players = {"F": ("france", "pwfrance"), "I": ("italy", "pwitaly"), "T": ("turkey", "pwturkey")}
    for power, newcomers in (("F", ["nina", "omar"]), ("I", ["omar"]), ("T", ["pia"])):
        resigns(heron, power, *players[power])
        for newcomer in newcomers:
            heron.now = heron.phase().deadline_at - timedelta(hours=1)
            found.append((power, newcomer, bool(extended(takes(heron, power, newcomer)))))
            resigns(heron, power, newcomer, f"new{newcomer}")
    assert found == [("F", "nina", True), ("F", "omar", False), ("I", "omar", True), ("T", "pia", False)]


def test_each_phase_has_time_for_newcomers(heron: DeskAtWork):
    for player, word, newcomer in (("france", "pwfrance", "nina"), ("nina", "newnina", "omar")):
        heron.now = heron.phase().deadline_at - timedelta(hours=1)
        resigns(heron, "F", player, word)
        assert extended(takes(heron, "F", newcomer))
        heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")


@pytest.mark.parametrize(
    ("line", "state", "follows"),
    [
        *(
            (line, state, follows)
            for line in ("SIGNON Fheron pwfrance\nRESIGN heron", "SIGNON Mheron gm\nEJECT France")
            for state, follows in (
                ("at play", "France is open to a replacement."),
                ("out", "France has nothing left on the board, so no one has to replace its player."),
            )
        ),
        ("SIGNON Fheron pwfrance\nRESIGN heron", "ended", ""),
        ("RESIGN Fheron pwfrance", "ended", ""),
    ],
)
def test_all_are_told_who_may_follow_a_player(heron: DeskAtWork, line, state, follows):
    if state == "out":
        heron.lay("S1902M", units={"France": []}, centers={"France": []})
    if state == "ended":
        heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    sender = "kim@example.org" if "EJECT" in line else "france@example.org"
    told = [mail.flat for mail in heron.writes(sender, line) if mail.subject.endswith(": France")]
    assert len(told) >= 6
    for text in told:
        assert f"heron. {follows}".strip() in text
        assert ("open to a replacement" in text) is (state == "at play")


@pytest.mark.parametrize("lines", ["SIGNON Mheron gm\nRESIGN heron", "RESIGN Mheron gm"])
def test_a_master_who_resigns_steps_down_unless_no_one_would_run_the_game(heron: DeskAtWork, lines):
    kim = "kim@example.org"
    assert "You are the only master of heron. First PROMOTE an observer." in heron.would_reply(kim, lines).flat
    heron.writes(kim, "SIGNON Mheron gm\nSET UNMODERATED")
    mails = heron.writes(kim, lines)
    assert "You have left heron." in mails[-1].flat
    told = [mail.flat for mail in mails if mail.subject.endswith("Resignation of Kim Doe")]
    assert len(told) == 7 and all("Kim Doe has stepped down as a master of heron." in text for text in told)


def test_a_master_who_stops_playing_reads_what_they_have_left(heron: DeskAtWork) -> None:
    heron.writes("kim@example.org", "SIGNON Mheron gm\nEJECT Turkey")
    heron.writes("kim@example.org", "SIGNON Theron newkim")
    reply = heron.replies("kim@example.org", "SIGNON Theron newkim\nRESIGN heron")
    assert reply.first_line == "You no longer play Turkey in heron."
