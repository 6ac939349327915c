"""A phase that is opened again: as it was when it was closed, and when it is processed then."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import Session, update

from judge.store import kept
from judge.store.engine import reading, transaction
from judge.store.games import future_lines, votes_in
from judge.store.seats import seats_of
from judge.store.tables import Phase
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork, Posted
from tests.rows import game_named, open_phase

KIM, FAY, GUS = "kim@example.org", "france@example.org", "germany@example.org"
AS_KIM = "SIGNON Mheron gm\n"


@pytest.fixture(params=["SET NMR", "SET NONMR"])
def complete(request, desk: DeskAtWork) -> DeskAtWork:
    """All orders are in, and the phase was processed; then its master went back."""
    desk.seat_seven()

    def complete() -> None:
        desk.writes(KIM, f"SIGNON Mheron gm\n{request.param}")
        for name, orders in ALL_HOLD.items():
            desk.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
        desk.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK")

    desk.goes_on(("all orders are in", request.param), complete)
    return desk


def opened(desk: DeskAtWork) -> Phase:
    phase = desk.phase()
    assert phase.name == "S1901M"
    return phase


def test_a_phase_with_all_its_orders_is_due_at_its_deadline_and_not_sooner(complete):
    phase = opened(complete)
    assert phase.due_at == phase.deadline_at
    assert any("S1901M Results" in mail.subject for mail in complete.ring(phase.deadline_at))


def test_a_new_letter_reckons_anew(complete):
    complete.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    phase = opened(complete)
    assert phase.due_at is not None and phase.due_at < phase.deadline_at - timedelta(days=1)


def test_a_phase_that_lacks_orders_waits_for_them(complete):
    complete.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK S1901M")
    complete.writes("france@example.org", "SIGNON Fheron pwfrance\nCLEAR")
    complete.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK")
    assert opened(complete).due_at in (None, opened(complete).grace_ends_at)


def plays(desk: DeskAtWork, power: str, lines: str, game: str = "heron") -> list[Posted]:
    return desk.writes(f"{power}@example.org", f"SIGNON {power}@{game} pw{power}\n{lines}")


def rules(desk: DeskAtWork, lines: str) -> list[Posted]:
    return desk.writes(KIM, AS_KIM + lines)


def answer(mails: list[Posted]) -> str:
    (flat,) = [mail.flat for mail in mails if mail.answers]
    return flat


def told(mails: list[Posted], to: str) -> str:
    return " ".join(mail.flat for mail in mails if mail.to == to and not mail.answers)


def state(desk: DeskAtWork, game: str = "heron") -> dict[str, Any]:
    """All that a rollback brings back."""
    with reading(desk.engine) as session:
        row = game_named(session, game)
        about = {"state": row.state, "result": row.result, "ended": row.ended_at, "stopped": row.stopped_at}
        return about if row.state == "forming" else {**about, **_of_phase(session, row, open_phase(session, row))}


def _of_phase(session: Session, game: Any, phase: Phase) -> dict[str, Any]:
    filed = kept.filed(session, phase)
    return {
        "phase": (phase.name, phase.position, phase.earliest_at, phase.deadline_at, phase.grace_ends_at),
        "on file": {name: sorted(rows, key=str) for name, rows in filed.items()},
        "votes": sorted((vote.power, vote.kind, vote.choice) for vote in votes_in(session, phase)),
        "seats": [(seat.power, seat.waits) for seat in seats_of(session, game)],
        "lines": sorted((line.power, line.phase_name, line.text) for line in future_lines(session, game)),
    }


@pytest.fixture
def busy(heron: DeskAtWork) -> DeskAtWork:
    """Orders, lines for later, a WAIT and a vote are on file."""
    fills(heron)
    return heron


def fills(heron: DeskAtWork) -> None:
    plays(heron, "france", "A PAR - BUR\nA MAR S A PAR - BUR\nPHASE F1901M\nA BUR - MUN")
    plays(heron, "germany", "A MUN H\nSET WAIT\nSET DRAW")
    rules(heron, "SET WAIT")


def takes_a_power(heron: DeskAtWork) -> None:
    """Its master plays Austria."""
    rules(heron, "EJECT Austria")
    assert "you now play" in answer(heron.writes(KIM, "SIGNON Aheron pwkim\nA VIE H"))
    fills(heron)


# What is done, what is done after that, and what takes it back.
UNDONE = [
    ("PROCESS!", "", "ROLLBACK"), ("PROCESS!", "PROCESS!", "ROLLBACK S1901M"), ("PROCESS!", "PROCESS!", "ROLLBACK 1"),
    ("PROCESS!", "TERMINATE heron", "ROLLBACK S1901M"), ("PROCESS!", "CORRECT POSITION Nobody: A BUR", "ROLLBACK"),
    ("TERMINATE heron", "", "ROLLBACK"), ("TERMINATE heron", "", "ROLLBACK S1901M"), ("TERMINATE heron", "", "RESUME"),
    ("TERMINATE heron", "", "ROLLBACK 1"), ("CORRECT POSITION Nobody: A PAR", "", "ROLLBACK S1901M"),
    ("CORRECT POSITION Nobody: A PAR", "CORRECT POSITION Nobody: A MAR", "ROLLBACK 1"),
    ("BORDER REMOVE ARMY PAR - BUR", "CORRECT POSITION Nobody: A MAR", "BORDER ADD ARMY PAR - BUR\nROLLBACK S1901M"),
]  # fmt: skip


@pytest.mark.parametrize(("done", "after", "back"), UNDONE)
def test_undone_means_exactly_before(busy: DeskAtWork, done: str, after: str, back: str) -> None:
    before = state(busy)
    rules(busy, done)
    assert state(busy) != before if busy.game().state != "finished" else True
    plays(busy, "italy", "SET WAIT\nPHASE F1902M\nA ROM H")
    for lines in filter(None, (after, back)):
        rules(busy, lines)
    now = state(busy)
    if done[:4] in ("CORR", "BORD"):
        # What players have done since then stays.
        before = {**before, "seats": now["seats"], "lines": now["lines"]}
    assert now == before


@pytest.mark.parametrize("idle", [False, True])
def test_a_paused_game_that_ends_is_paused_again(busy: DeskAtWork, idle: bool) -> None:
    rules(busy, "PAUSE")
    with transaction(busy.engine) as session:
        game_named(session, "heron").idle = idle
    before = state(busy)
    busy.now += timedelta(days=20)
    rules(busy, "TERMINATE heron")
    mails = rules(busy, "RESUME")
    assert state(busy) == before
    assert "The game is paused, as it was then." in told(mails, FAY) and busy.game().idle == idle
    days = busy.settings.idle_limit if idle else 3
    assert busy.phase().notice_at == busy.now + timedelta(days=days)
    rules(busy, "RESUME")
    assert busy.phase().deadline_at > busy.now + timedelta(days=6)


def test_a_game_that_ends_while_it_forms_forms_again(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    before = state(desk)
    rules(desk, "TERMINATE heron")
    rules(desk, "ROLLBACK")
    assert state(desk) == before and desk.game().notice_at


@pytest.mark.parametrize("vote", ["SET DRAW", "SET CONCEDE Russia"])
def test_a_vote_that_ended_the_game_is_taken_back_with_the_end(busy: DeskAtWork, vote: str) -> None:
    before = {**state(busy), "votes": []}
    for power in ALL_HOLD:
        plays(busy, power, vote)
    assert busy.game().state == "finished"
    mails = rules(busy, "ROLLBACK")
    assert state(busy) == before
    assert told(mails, FAY).count("have been cleared") == 1
    for power in ALL_HOLD:
        plays(busy, power, vote)
    assert busy.game().state == "finished"


def test_a_victory_is_taken_back_to_the_phase_that_ended_the_game(tmp_path) -> None:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("heron", "standard", "SET CENTERS 4")
    rules(desk, "PROCESS!")
    plays(desk, "france", "A PAR H\nSET WAIT")
    before = state(desk)
    rules(desk, "PROCESS!")
    assert desk.game().result == "Victory: Russia"
    rules(desk, "ROLLBACK")
    assert state(desk) == before


def test_a_game_is_not_opened_again_after_a_month(heron: DeskAtWork) -> None:
    rules(heron, "TERMINATE heron")
    heron.now += timedelta(days=30)
    assert "only the keeper of this judge can reopen it" in answer(rules(heron, "ROLLBACK"))
    heron.now -= timedelta(minutes=2)
    assert "rolled back to S1901M" in answer(rules(heron, "ROLLBACK"))


def test_what_an_end_has_shown_is_taken_back_by_all_players_together(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "standard", "SET GUNBOAT")
    rules(desk, "TERMINATE heron")
    mails = rules(desk, "ROLLBACK")
    assert "Not done yet" in answer(mails)
    assert "The master asks all players of heron" in told(mails, FAY)
    assert "SIGNON Fheron <your password> ROLLBACK" in told(mails, FAY)
    for power in ALL_HOLD:
        assert desk.game().state == "finished"
        mails = plays(desk, power, "ROLLBACK")
    assert desk.game().state == "active"
    assert "Players still know what the end of the game revealed: who plays what." in told(mails, GUS)


@pytest.mark.parametrize("act", ["EJECT Turkey\nSET DISORDER Turkey", "CORRECT POSITION\n{}\nEND"])
def test_an_act_of_the_master_completes_no_vote(heron: DeskAtWork, act: str) -> None:
    gone = "Nobody: A CON\nNobody: A SMY\nNobody: F ANK\nRussia: CON, SMY, ANK"
    for power in ALL_HOLD.keys() - {"turkey"}:
        plays(heron, power, "SET DRAW")
    mails = rules(heron, act.format(gone))
    assert heron.game().state == "active" and state(heron)["votes"] == []
    assert all("send SET DRAW or SET CONCEDE again" in told(mails, f"{power}@example.org")
               for power in ALL_HOLD.keys() - {"turkey"})  # fmt: skip
    for power in ALL_HOLD.keys() - {"turkey"}:
        mails = plays(heron, power, "SET DRAW")
    assert heron.game().state == "finished"


def rule_themselves(heron: DeskAtWork) -> None:
    """It has no master."""
    rules(heron, f"SET UNMODERATED\nEJECT {KIM}")
    fills(heron)


@pytest.mark.parametrize("begins", [takes_a_power, rule_themselves])
def test_who_has_read_orders_does_not_keep_them_in_force(
    heron: DeskAtWork, begins: Callable[[DeskAtWork], None]
) -> None:
    begins(heron)
    deadline = heron.phase().deadline_at
    heron.ring(deadline - timedelta(hours=5))
    mails = (
        rules(heron, "PROCESS!\nROLLBACK")
        if begins is takes_a_power
        else [mail for line in ("PROCESS!", "ROLLBACK") for power in ALL_HOLD for mail in plays(heron, power, line)]
    )
    after = state(heron)
    assert after["phase"][0] == "S1901M" and after["on file"]["orders"] == []
    assert ("Germany", True) in after["seats"] and after["phase"][3] > deadline
    text = told(mails, FAY)
    assert "Orders are not restored, because players have read all of them" in text and "A PAR ..." in text
    assert "The phase has its full time again." in text
    assert "later phases are as they were then: 1 for F1901M." in text


def test_orders_that_no_one_has_read_come_back_whoever_reopens_the_game(heron: DeskAtWork) -> None:
    takes_a_power(heron)
    before = state(heron)
    for lines in ("TERMINATE heron\nROLLBACK", "CORRECT POSITION Nobody: A PAR\nROLLBACK S1901M"):
        rules(heron, lines)
        assert state(heron) == before


def test_a_deadline_that_has_passed_is_set_anew(busy: DeskAtWork) -> None:
    busy.ring(busy.phase().grace_ends_at + timedelta(seconds=1))
    mails = rules(busy, "ROLLBACK")
    assert busy.phase().deadline_at > busy.now + timedelta(days=5)
    assert "The phase has its full time again." in told(mails, FAY)


@pytest.mark.parametrize(("left", "said"), [(1, "has its old deadline again."), (0, "has its full time again.")])
def test_a_deadline_counts_until_its_second(heron: DeskAtWork, left: int, said: str) -> None:
    until = heron.phase().deadline_at
    rules(heron, "PROCESS!")
    heron.now = until - timedelta(minutes=1, seconds=left)  # the letter comes a minute later
    assert said in told(rules(heron, "ROLLBACK"), FAY)
    assert (heron.phase().deadline_at == until) == bool(left)


def test_only_who_has_lines_ahead_reads_of_them(busy: DeskAtWork) -> None:
    rules(busy, "PROCESS!")
    plays(busy, "germany", "PHASE F1902M\nA MUN H")
    mails = rules(busy, "ROLLBACK")
    assert "as they were then: 1 for F1901M." in told(mails, FAY)
    assert "as they were then: none. Sent since then, and no longer on file: 1 for F1902M." in told(mails, GUS)
    assert "later phases" not in told(mails, "italy@example.org") + told(mails, KIM)


def test_who_has_come_since_then_neither_waits_nor_votes_as_the_player_of_then(busy: DeskAtWork) -> None:
    rules(busy, "PROCESS!\nEJECT Germany")
    busy.writes(KIM, "REGISTER\nName: Kim\nEND")
    busy.writes("gil@example.org", "REGISTER\nName: Gil Poe\nEND\nSIGNON Gheron pwgil")
    busy.writes("gil@example.org", "SIGNON Gheron pwgil\nSET NOWAIT")
    rules(busy, "ROLLBACK")
    after = state(busy)
    assert after["votes"] == [] and ("Germany", False) in after["seats"]
    assert {row["text"] for row in after["on file"]["orders"]} == {"A PAR - BUR", "A MAR S A PAR - BUR", "A MUN H"}


@pytest.mark.parametrize("left", [None, {"position": {"phase": "S1901M"}}])
def test_a_phase_closed_by_an_older_version_has_its_orders_again(busy: DeskAtWork, left: dict[str, Any] | None) -> None:
    before = state(busy)
    rules(busy, "PROCESS!")
    with transaction(busy.engine) as session:
        session.execute(update(Phase).values(kept=left))
    mails = rules(busy, "ROLLBACK")
    after = state(busy)
    assert {name: after[name] for name in ("phase", "on file", "votes")} == {
        name: before[name] for name in ("phase", "on file", "votes")}  # fmt: skip
    assert "Orders and votes of that time are restored" in told(mails, FAY)


def test_the_open_phase_is_named_as_that(heron: DeskAtWork) -> None:
    for line in ("ROLLBACK S1901M", "ROLLBACK 1"):
        said = answer(rules(heron, line))
        assert "S1901M is the open phase of heron, and nothing in its position was corrected." in said


def test_a_phase_that_its_master_processes_waits_for_the_master_again(complete: DeskAtWork) -> None:
    rules(complete, "SET MANUALPROCESS\nPROCESS!\nROLLBACK")
    assert opened(complete).due_at is None


@pytest.fixture
def abandoned(heron: DeskAtWork) -> DeskAtWork:
    """Three players have lost their powers for being late after the first phase, in which all ordered."""
    rules(heron, "SET NONMR, EXTENSIONS 2")
    for power, orders in ALL_HOLD.items():
        plays(heron, power, orders)
    plays(heron, "turkey", "SET WAIT\nSET DRAW\nSET IGNORE Italy\nSET ABSENCE 2026-07-14")
    rules(heron, "PROCESS!")
    for power in ALL_HOLD.keys() - {"turkey", "russia", "italy"}:
        plays(heron, power, ALL_HOLD[power])
    while "Turkey" in dict(state(heron)["seats"]):
        heron.ring(heron.phase().rings_at or heron.now)
    assert heron.game().settings["extended"] != {}
    return heron


def test_what_the_clock_has_taken_since_then_comes_back(abandoned: DeskAtWork) -> None:
    abandoned.writes("gil@example.org", "REGISTER\nName: Gil Poe\nEND\nSIGNON Iheron pwgil")
    rules(abandoned, "SET DISORDER Russia")
    mails = rules(abandoned, "ROLLBACK S1901M")
    after = state(abandoned)
    assert ("Turkey", True) in after["seats"] and "Russia" not in dict(after["seats"])
    assert ("turkey", "Turkey", "draw") not in after["votes"] and len(after["votes"]) == 1
    assert abandoned.game().settings["extended"] == {}
    turkey, england = (told(mails, f"{name}@example.org") for name in ("turkey", "england"))
    assert "You play Turkey again: you lost it after S1901M, because you were late." in turkey
    assert "A CON ..." in turkey or "A CON H" in turkey
    assert "Turkey's original player has returned." in england and "Italy's" not in england
    assert "Other changes since then stay: settings, powers in civil disorder and who plays. Ext" in england
    assert "Extensions used since then are available again." in england
    assert "rolled back" not in told(mails, "russia@example.org") + told(mails, "italy@example.org")
    assert "Turkey" in answer(plays(abandoned, "turkey", "A CON - BUL"))
    again = answer(plays(abandoned, "turkey", "SET NO ABSENCE 2026-07-14\nSET IGNORE"))
    assert "is canceled" in again and "you ignore Italy" in again, again


def test_a_power_that_was_lost_in_the_phase_itself_is_open_as_it_was(abandoned: DeskAtWork) -> None:
    before = state(abandoned)["seats"]
    rules(abandoned, "PROCESS!\nROLLBACK")
    assert state(abandoned)["seats"] == before


def test_a_phase_that_was_undone_is_not_the_last_one(heron: DeskAtWork) -> None:
    """Nobody orders in it; that is not the second phase in a row without orders."""
    plays(heron, "france", "A PAR H")
    rules(heron, "PROCESS!\nPROCESS!\nROLLBACK S1901M")
    plays(heron, "france", "CLEAR")
    heron.ring(heron.phase().grace_ends_at)
    assert heron.game().state == "active"


def test_all_who_heard_that_a_forming_game_has_ended_hear_that_it_is_open_again(desk: DeskAtWork) -> None:
    desk.writes(f"Kim <{KIM}>", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm standard\nSET MANUALSTART")
    for reader in (FAY, GUS):
        desk.writes(reader, "REGISTER\nName: A Player\nEND\nSIGNON ?heron pwplayer")
    ended = {mail.to for mail in desk.writes(KIM, f"{AS_KIM}TERMINATE heron")}
    opened_again = desk.writes(KIM, f"{AS_KIM}ROLLBACK")
    assert {FAY, GUS} <= ended == {mail.to for mail in opened_again}
    told = next(mail.flat for mail in opened_again if mail.to == FAY)
    assert "People who had asked for a place in it have to ask again." in told


def test_the_rollback_is_told_before_the_players_who_have_returned_with_it(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{AS_KIM}SET NONMR")
    for name, orders in ALL_HOLD.items():
        heron.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
    heron.writes(KIM, f"{AS_KIM}PROCESS")
    for name, orders in ALL_HOLD.items():
        if name != "turkey":
            heron.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
    heron.ring(heron.phase().deadline_at + timedelta(minutes=1))
    (mail,) = [mail for mail in heron.writes(KIM, f"{AS_KIM}ROLLBACK S1901M") if mail.to == FAY]
    assert mail.text.startswith("The master has rolled back heron to S1901M")
    assert "Turkey's original player has returned." in mail.flat


def test_votes_that_were_cleared_are_not_said_to_be_restored(heron: DeskAtWork) -> None:
    for name in ALL_HOLD:
        heron.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\nSET DRAW")
    told = next(mail.flat for mail in heron.writes(KIM, f"{AS_KIM}ROLLBACK") if mail.to == FAY)
    assert "Orders and WAIT of that time are restored" in told and "Votes that would end the game again" in told


def test_a_rollback_sent_before_the_phase_opened_undoes_only_a_phase_that_it_names(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{AS_KIM}PROCESS!")
    before = heron.now
    heron.ring(heron.phase().deadline_at + timedelta(minutes=1))
    reply = heron.replies(KIM, f"{AS_KIM}ROLLBACK", received_at=before)
    assert "opened after you sent this email, so this line was not carried out." in reply.flat
    heron.writes(KIM, f"{AS_KIM}ROLLBACK S1901M", received_at=before)
    assert heron.phase().name == "S1901M"
