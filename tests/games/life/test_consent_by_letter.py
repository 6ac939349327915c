"""The word of the players, by letters: in heron, which has no master."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from judge.games.life.consent import KEPT, NOTICE
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted

KIM = "kim@example.org"
NAMES = ["austria", "england", "france", "germany", "italy", "russia", "turkey"]
CHANGED = "has changed the settings of heron."
ASKED = "asks all players of heron to agree to "


@pytest.fixture
def wild(desk: DeskAtWork) -> DeskAtWork:
    """Its master has left heron to its players."""
    desk.seat_seven()
    desk.goes_on("no master", lambda: desk.writes(KIM, f"SIGNON Mheron gm\nSET UNMODERATED\nEJECT {KIM}"))
    return desk


def sends(desk: DeskAtWork, names: list[str], line: str) -> list[Posted]:
    """The mails after the letters of these players, in turn."""
    letters = [(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{line}") for name in names]
    return [mail for sender, text in letters for mail in desk.writes(sender, text)]


def test_the_game_ends_with_the_last_word_and_all_read_who_ended_it(wild: DeskAtWork) -> None:
    mails = sends(wild, NAMES[:-1], "TERMINATE heron")
    asked = [mail for mail in mails if ASKED in mail.flat]
    assert {mail.to for mail in asked} == {f"{name}@example.org" for name in NAMES[1:]}
    assert all("SIGNON Theron <your password> TERMINATE heron" in mail.flat for mail in asked if "turkey" in mail.to)
    assert wild.game().state == "active"
    told = sends(wild, NAMES[-1:], "TERMINATE heron")
    assert sum("A vote of the players has terminated heron." in mail.flat for mail in told) == len(NAMES)


@pytest.mark.parametrize(
    "line", ["PROCESS!", "SET DEADLINE in 3 minutes", "SET MOVE NEXT 1", "SET GREY", "EJECT Turkey", "SET NONMR"]
)
def test_one_player_takes_nothing_from_the_others(wild: DeskAtWork, line: str) -> None:
    before = wild.phase().deadline_at
    (reply,) = [mail for mail in sends(wild, ["france"], line) if mail.answers]
    assert reply.first_line.startswith("Not done yet: this needs the agreement of")
    assert wild.phase().deadline_at == before
    assert wild.game().settings["move"]["next"] == 71


@pytest.mark.parametrize("line", [
    "EXTEND 59 days", "SET DEADLINE 2027-01-01", "SET GRACE 2027-01-01", "SET START 2027-01-01",
])  # fmt: skip
def test_no_player_puts_a_phase_off_without_end(wild: DeskAtWork, line: str) -> None:
    before = wild.phase()
    replies = [wild.replies("france@example.org", f"SIGNON Fheron pwfrance\n{one}") for one in (line, "EXTEND 52 days")]
    assert [reply.text.startswith("Not done yet: this needs the agreement of") for reply in replies] == [True, False]
    assert wild.phase().deadline_at == before.deadline_at + timedelta(days=52)


def test_a_word_about_the_time_of_a_phase_ends_with_it(heron: DeskAtWork) -> None:
    """All but Italy agree in Spring, and Italy in Fall: that is the first word about Fall."""
    sends(heron, [name for name in NAMES if name != "italy"], "EXTEND 2 days")
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS! S1901M")
    before = heron.phase().deadline_at
    mails = sends(heron, ["italy"], "EXTEND 48 hours")
    (reply,) = [mail for mail in mails if mail.answers]
    assert reply.first_line.startswith("Not done yet: this needs the agreement of")
    # Seven days from now the phase is over.
    asked = [mail for mail in mails if ASKED in mail.flat or mail.answers]
    assert all("The question lapses when F1901M is processed." in mail.flat for mail in asked if "kim" not in mail.to)
    assert not any("have not answered" in mail.flat for mail in asked)
    assert heron.phase().deadline_at == before
    sends(heron, [name for name in NAMES if name != "italy"], "EXTEND 2 days")
    assert heron.phase().deadline_at == before + timedelta(days=2)


def rules(desk: DeskAtWork, lines: str) -> None:
    desk.writes(KIM, f"SIGNON Mheron gm\n{lines}")


def ends(desk: DeskAtWork) -> None:
    """The open phase is processed, as everybody has ordered."""
    for name, orders in ALL_HOLD.items():
        desk.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
    desk.ring(desk.phase().due_at or desk.now)


def is_played_again(desk: DeskAtWork) -> None:
    rules(desk, "PROCESS! S1901M\nROLLBACK S1901M")


def is_undone_and_played_again(desk: DeskAtWork) -> None:
    rules(desk, "ROLLBACK S1901M\nPROCESS! S1901M")


def is_paused_again(desk: DeskAtWork) -> None:
    rules(desk, "RESUME 2026-05-30 21:00\nPAUSE")


def has_another_player(desk: DeskAtWork) -> None:
    desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nRESIGN heron")
    desk.writes("nora@example.org", "REGISTER\nName: Nora New\nEND\nSIGNON Theron pwturkey")


def has_had_another_player(desk: DeskAtWork) -> None:
    desk.writes("nora@example.org", "REGISTER\nName: Nora New\nEND\nSIGNON Theron pwturkey")
    desk.writes("nora@example.org", "SIGNON Theron pwturkey\nRESIGN heron")


@pytest.mark.parametrize("begins, line, happens", [
    ("", "PROCESS! S1901M", is_played_again),
    ("PROCESS! S1901M", "ROLLBACK", ends),
    ("PROCESS! S1901M", "ROLLBACK S1901M", is_undone_and_played_again),
    ("PAUSE", "RESUME 2026-05-30 21:00", is_paused_again),
    ("", "EJECT Turkey", has_another_player),
    ("EJECT Turkey", "SET DISORDER Turkey", has_had_another_player),
])  # fmt: skip
def test_a_word_ends_with_what_it_is_about(
    heron: DeskAtWork, begins: str, line: str, happens: Callable[[DeskAtWork], None]
) -> None:
    """The phase is another one, or the player, or it was done and undone."""
    rules(heron, f"SET UNMODERATED\n{begins}")
    sends(heron, [name for name in NAMES if name != "italy" and name.title() not in line], line)
    heron.now += NOTICE
    mine = "italy@example.org", f"SIGNON Iheron pwitaly\n{line}"
    assert not heron.would_reply(*mine).text.startswith("Not done yet")
    happens(heron)
    assert heron.replies(*mine).text.startswith("Not done yet")


def test_one_player_asks_the_others_in_three_letters_a_day(heron: DeskAtWork) -> None:
    lines = [f"EXTEND {days} days" for days in range(2, 9)]
    mails = [mail for line in ["\n".join(lines), "EXTEND 9 days", "PAUSE"] for mail in sends(heron, ["france"], line)]
    assert [mail.flat.count(ASKED) for mail in mails if mail.to == "italy@example.org"] == [7, 1, 1]
    (refused,) = sends(heron, ["france"], "EXTEND 10 days")
    assert refused.first_line.startswith("1 line refused.") and "have been asked 3 times within a day" in refused.flat
    assert "asked 3 times" not in "".join(mail.flat for mail in sends(heron, ["italy"], "PAUSE\nEXTEND 11 days"))
    heron.ring(heron.now + timedelta(days=1))
    assert len(sends(heron, ["france"], "EXTEND 10 days")) == len(NAMES) + 1


@pytest.mark.parametrize("last", ["EJECT Turkey", "EJECT turkey@example.org"])
def test_the_word_of_the_one_concerned_is_not_needed(wild: DeskAtWork, last: str) -> None:
    told = [*sends(wild, NAMES[:-2], "EJECT T"), *sends(wild, NAMES[-2:-1], last)]
    (mine,) = [mail.flat for mail in told if mail.to == "turkey@example.org" and "No Longer" in mail.subject]
    assert "a vote of the players has removed you. You can reach them at england@example.org, " in mine


@pytest.mark.parametrize("lines, told", [
    ("EJECT Turkey\nPAUSE", ["A vote of the players has removed the player of Turkey", "Russia has paused heron"]),
    ("SET MOVE NEXT 1\nSET GRACE 96", [f"A vote of the players {CHANGED} Russia {CHANGED}"]),
    ("SET GRACE 96\nSET MOVE NEXT 1", [f"Russia {CHANGED} A vote of the players {CHANGED}"]),
])  # fmt: skip
def test_what_one_player_does_beside_that_is_their_own_act(wild: DeskAtWork, lines: str, told: list[str]) -> None:
    (shared,) = [line for line in lines.split("\n") if line.startswith(("EJECT", "SET MOVE"))]
    sends(wild, [name for name in NAMES if name != "russia"], shared)
    (mail,) = [mail for mail in sends(wild, ["russia"], lines) if mail.to == "england@example.org"]
    assert not [sentence for sentence in told if sentence not in mail.flat], mail.flat


def test_no_player_learns_whether_an_address_observes(wild: DeskAtWork) -> None:
    wild.observes("olly@example.org", "OBSERVE heron")
    for address in ("olly@example.org", "nobody@example.org"):
        (reply,) = [mail for mail in sends(wild, ["france"], f"PROMOTE {address}") if mail.answers]
        assert reply.flat.startswith("Not done yet: this needs the agreement of")
    mails = sends(wild, [name for name in NAMES if name != "france"], "PROMOTE olly@example.org")
    assert sum("A vote of the players has made olly a master" in mail.flat for mail in mails) >= len(NAMES)


@pytest.mark.parametrize("first, others", [
    ("SET MOVE NEXT=1", "set move next  1"), ("SET NO EXTENSIONS", "SET EXTENSIONS 0"), ("SET NONMR", "SET NMR OFF"),
    ("SET GRACE NONE", "SET NO GRACE"), ("SET BUILD NEXT 1", "SET ADJUST NEXT 1"),
    ("SET MOVE NEXT 1, GREY", "SET GREY, MOVE NEXT 1"),
])  # fmt: skip
def test_the_same_written_otherwise_is_the_same_word(wild: DeskAtWork, first: str, others: str) -> None:
    sends(wild, ["france"], "SET EXTENSIONS 2, GRACE 96")
    before = wild.game().settings
    sends(wild, ["france"], first)
    sends(wild, [name for name in NAMES if name != "france"], others)
    assert wild.game().settings != before


def test_who_disagrees_is_not_overruled_by_time(wild: DeskAtWork) -> None:
    sends(wild, ["france"], "TERMINATE heron")
    (reply,) = sends(wild, ["italy"], "DISAGREE")
    assert "you do not agree to TERMINATE heron" in reply.flat
    wild.now += KEPT
    sends(wild, ["france"], "TERMINATE heron")
    assert wild.game().state == "active"
    sends(wild, ["italy"], "TERMINATE heron")
    assert wild.game().state == "finished"


@pytest.mark.parametrize("after, state", [(KEPT - timedelta(hours=1), "active"), (KEPT, "finished")])
def test_who_has_not_answered_for_seven_days_is_not_needed(wild: DeskAtWork, after: timedelta, state: str) -> None:
    sends(wild, ["france"], "TERMINATE heron")
    wild.now += after
    sends(wild, ["france"], "TERMINATE heron")
    assert wild.game().state == state


def test_who_disagrees_with_one_line_still_agrees_to_the_others(wild: DeskAtWork) -> None:
    for line in ("SET MOVE NEXT 1", "TERMINATE heron"):
        sends(wild, [name for name in NAMES if name != "france"], line)
    (reply,) = sends(wild, ["italy"], "DISAGREE set move  next 1")
    assert "you do not agree to SET MOVE NEXT 1." in reply.flat
    (reply,) = sends(wild, ["italy"], "DISAGREE EJECT Turkey")
    assert "The players have not been asked to agree to EJECT Turkey." in reply.flat
    (reply,) = sends(wild, ["france"], "SET MOVE NEXT 1")
    assert reply.flat.startswith("Not done yet: this needs the agreement of Italy.")
    sends(wild, ["france"], "TERMINATE heron")
    assert wild.game().state == "finished"


def test_the_master_is_named_among_those_whose_word_reopens_a_game(desk: DeskAtWork) -> None:
    desk.seat_seven()
    desk.writes(KIM, "SIGNON Mheron gm\nSET UNMODERATED\nTERMINATE heron")
    *_, reply = [mail for mail in sends(desk, NAMES, "ROLLBACK") if mail.answers]
    assert "this needs the agreement of the master." in reply.flat


def test_a_word_is_kept_for_seven_days(wild: DeskAtWork) -> None:
    sends(wild, ["italy"], "TERMINATE heron")
    wild.now += timedelta(days=6)
    sends(wild, [name for name in NAMES if name != "italy"][:-1], "TERMINATE heron")
    wild.now += timedelta(days=2)
    sends(wild, NAMES[-1:], "TERMINATE heron")
    assert wild.game().state == "active"


def test_who_missed_the_last_movement_phase_is_not_needed(wild: DeskAtWork) -> None:
    for name, orders in ALL_HOLD.items():
        if name != "turkey":
            sends(wild, [name], orders)
    wild.ring(wild.phase().deadline_at)
    assert wild.phase().name == "F1901M"
    sends(wild, NAMES[:-1], "TERMINATE heron")
    assert wild.game().state == "finished"


@pytest.mark.parametrize("after, done", [(NOTICE - timedelta(hours=1), False), (NOTICE, True)])
def test_an_open_power_holds_the_game_up_until_two_days_after_a_notice(
    wild: DeskAtWork, after: timedelta, done: bool
) -> None:
    sends(wild, ["turkey"], "RESIGN heron")
    notices = [mail for mail in sends(wild, ["france"], "SET DISORDER Turkey") if mail.to == "italy@example.org"]
    assert "France wants SET DISORDER Turkey in heron. From " in notices[0].flat
    wild.now += after
    sends(wild, ["italy"], "SET DISORDER T")
    assert (wild.game().settings["disorder"] == ["Turkey"]) == done


@pytest.mark.parametrize("line, said", [
    ("PAUSE", "heron is now paused"), ("SET DEADLINE +30d", "The deadline of S1901M is now"),
    ("SET GRACE 48", "Grace is 48 hours"),
    ("SET EXTENSIONS 1", "at most once"), ("SET COMMENT Slow", "the comment has been changed"),
])  # fmt: skip
def test_one_player_gives_all_more_time(wild: DeskAtWork, line: str, said: str) -> None:
    (reply,) = [mail for mail in sends(wild, ["france"], line) if mail.answers]
    assert said in reply.flat


@pytest.mark.parametrize(("settings", "whose"), [
    ("SET GUNBOAT", "of Austria, England, Germany, Italy and Russia."), ("SET QUIET", "of the other players."),
])  # fmt: skip
def test_whose_word_is_needed_tells_nothing_that_the_game_hides(desk: DeskAtWork, settings: str, whose: str) -> None:
    """Not in which order they joined; in a quiet game not that Turkey has left."""
    desk.seat_all("heron", "standard", settings)
    sends(desk, ["turkey"], "RESIGN heron")
    assert f"needs the agreement {whose}" in sends(desk, ["france"], "EXTEND 2 days")[-1].flat


def test_whoever_has_joined_since_has_as_long_to_answer(wild: DeskAtWork) -> None:
    sends(wild, NAMES[:-1], "TERMINATE heron")
    wild.now += timedelta(days=1)
    sends(wild, ["turkey"], "RESIGN heron")
    wild.writes("bo@example.org", "REGISTER\nName: Bo Low\nEND\nSIGNON Theron pwbo")
    joined = wild.now
    wild.now += KEPT - timedelta(hours=1)
    sends(wild, NAMES[1:-1], "TERMINATE heron")
    reply = sends(wild, NAMES[:1], "TERMINATE heron")[-1]
    assert "needs the agreement of Turkey" in reply.flat and f"{joined + KEPT:%a %b} " in reply.flat
    assert wild.game().state == "active"
    wild.now = joined + KEPT
    sends(wild, NAMES[:1], "TERMINATE heron")
    assert wild.game().state == "finished"
