"""When phases end: times as people write them, CLOCK, pauses, the zone of a game, absences; and games nobody plays."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork

KIM, FRANCE, TURKEY = "kim@example.org", "france@example.org", "turkey@example.org"
AS_KIM, AS_FRANCE = "SIGNON Mheron gm\n", "SIGNON Fheron pwfrance\n"
EVERY_DAY = "SET MOVE DAYS SMTWTFS\n"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def deadline(desk: DeskAtWork, sender: str = KIM, text: str = AS_KIM) -> str:
    """The deadline as a reply names it: "Mon May 11 2026 23:30:00 +0000"."""
    found = re.search(r"^:: Deadline: \w+ (.+)$", desk.replies(sender, text).text, re.MULTILINE)
    assert found
    return found[1]


def test_three_days_are_three_days_though_a_phase_opens_after_its_clock(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + EVERY_DAY + "SET MOVE NEXT 72 CLOCK 21:00\nSET DEADLINE May 6 21:00")
    heron.ring(at("2026-05-06T21:00:01"))
    assert deadline(heron) == "Sat May 9 2026 21:00:00 +0000"


def test_late_orders_in_the_hour_after_clock_cost_no_day(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + EVERY_DAY + "SET MOVE NEXT 72 CLOCK 21:00\nSET DEADLINE May 6 21:00")
    heron.now = at("2026-05-06T21:58")
    heron.writes(KIM, AS_KIM + "PROCESS! S1901M")
    assert deadline(heron) == "Sat May 9 2026 21:00:00 +0000"


def test_the_clock_of_a_game_is_in_its_zone_and_so_are_the_dates_of_its_master(heron: DeskAtWork):
    reply = heron.replies(
        KIM, AS_KIM + EVERY_DAY + "SET MOVE NEXT 72 CLOCK 21:00\nSET GAME ZONE new york\nSET DEADLINE Fri 21:00"
    ).text
    assert "Time zone of the game: America/New_York (was UTC)." in " ".join(reply.split())
    assert reply.split("Next deadlines")[1].splitlines()[:3] == [
        ", in the time zone of heron, America/New_York:",
        "S1901M: Fri May 8 2026 21:00:00 -0400",
        "Moves after that: Mon May 11 2026 21:00:00 -0400",
    ]
    heron.ring(at("2026-05-09T01:00:01"))
    assert deadline(heron) == "Tue May 12 2026 01:00:00 +0000"


def test_the_reply_says_today_tonight_and_tomorrow(heron: DeskAtWork):
    heron.now = at("2026-05-09T18:59")  # in Berlin 20:59 on a Saturday
    heron.writes(KIM, f"{AS_KIM}SET GAME ZONE Europe/Berlin")
    said = {
        "Sat 23:30": "S1901M: Sat May 9 2026 23:30:00 +0200 (tonight) ",
        "Sat 24:00": "S1901M: Sun May 10 2026 00:00:00 +0200 (tonight at midnight) ",
        "Sat 20:00": "S1901M: Sat May 16 2026 20:00:00 +0200 Moves",
        ": Sun 2100 (as agreed)!": "S1901M: Sun May 10 2026 21:00:00 +0200 (tomorrow) ",
        "Sun 24:00": "S1901M: Mon May 11 2026 00:00:00 +0200 (tomorrow at midnight) ",
    }
    for command in ("SET DEADLINE", "PAUSE\nRESUME"):
        heron.expects(KIM, f"{AS_KIM}{command} ", said)
    heron.expects(KIM, AS_KIM, {f"SET DEADLINE{date}": line for date, line in said.items() if date[0] == ":"})
    heron.expects(KIM, AS_KIM, {
        "SET GRACE: Tue 2100 (as agreed)": "Grace of S1901M: Tue May 12 2026 21:00:00 +0200",
        "SET GRACE: 24": "Deadline: S1901M Mon May 11 2026 23:30:00 +0000",
    })  # fmt: skip
    heron.now = at("2026-05-09T08:00")
    heron.expects(KIM, f"{AS_KIM}SET DEADLINE ", {"Sat 17:59": "17:59:00 +0200 (today)", "18:00": "+0200 (tonight)"})


def test_the_deadlines_in_a_reply_count_absences_and_show_the_end_of_grace(heron: DeskAtWork):
    heron.writes(FRANCE, f"{AS_FRANCE}SET ABSENCE May 11 TO May 13")
    heron.writes(KIM, f"{AS_KIM}{EVERY_DAY}SET GRACE 24\nSET MOVE NEXT 72 CLOCK 21:00")
    reply = heron.replies(KIM, f"{AS_KIM}SET DEADLINE May 8 21:00\nSET GRACE May 10 21:00").text
    assert reply.split("UTC:\n")[1].splitlines() == [
        "S1901M: Fri May 8 2026 21:00:00 +0000",
        "Grace of S1901M: Sun May 10 2026 21:00:00 +0000",
        "Moves after that: Thu May 14 2026 21:00:00 +0000",
        "Their grace: Fri May 15 2026 21:00:00 +0000",
    ]
    heron.ring(at("2026-05-08T21:00:01"))
    heron.now = at("2026-05-08T21:10")
    heron.writes(KIM, f"{AS_KIM}PROCESS! S1901M")
    assert deadline(heron) == "Thu May 14 2026 21:00:00 +0000"


def test_an_hour_that_comes_twice_is_asked_back(heron: DeskAtWork):
    heron.now = at("2026-10-20T10:00")
    heron.writes(KIM, f"{AS_KIM}SET GAME ZONE Europe/Berlin")
    reply = heron.replies(KIM, f"{AS_KIM}SET DEADLINE Oct 25 02:30").flat
    assert "02:30 comes twice on Sun Oct 25" in reply
    assert "02:30 +0200 or 02:30 +0100" in reply
    assert deadline(heron, text=f"{AS_KIM}SET DEADLINE Oct 25 02:30 +0100").startswith("Sun Oct 25 2026 01:30:00")


def test_start_says_its_time_and_what_it_moves_and_is_taken_back(heron: DeskAtWork):
    late, soon, sooner = (f"{day} 2026 21:00:00 +0000" for day in ("Tue May 12", "Thu May 7", "Wed May 6"))
    due = "Mon May 11 2026 23:30:00 +0000"
    heron.expects(KIM, AS_KIM, {
        "SET NO START": "No START time is set for S1901M, so nothing changed.",
        "SET START May 7 21:00": f"S1901M won't be processed before {soon}. To undo this, send SET NO START.",
        "SET START May 12 21:00": f"is now {late} (was {due}). S1901M won't be processed before {late}. To undo",
    })  # fmt: skip
    heron.writes(KIM, AS_KIM + "SET START May 7 21:00")
    pulled = heron.would_write(KIM, AS_KIM + "SET DEADLINE May 6 21:00")
    assert f"S1901M won't be processed before {sooner} (START was {soon}). To undo" in pulled[-1].flat
    (told,) = [mail.flat for mail in pulled if mail.to == FRANCE]
    assert f"The phase won't be processed before {sooner}. (START was {soon}.)" in told
    for line in ("SET NO START", "SET START OFF", "SET START NONE"):
        *mails, reply = heron.would_write(KIM, AS_KIM + line)
        assert f"S1901M {due}" in reply.flat and "S1901M will be processed once all orders are in." in reply.flat
        assert "The deadline of S1901M is" not in reply.flat
        assert all(f"The phase has no START time now. (START was {soon}.)" in mail.flat for mail in mails)


def test_a_pause_of_two_days_moves_a_deadline_by_two_days(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + EVERY_DAY + "PAUSE")
    heron.now += timedelta(days=2)
    assert deadline(heron, text=f"{AS_KIM}RESUME") == "Wed May 13 2026 23:30:00 +0000"


def test_a_game_that_goes_on_has_at_least_a_day(heron: DeskAtWork):
    heron.now = at("2026-05-11T22:00")
    heron.writes(KIM, AS_KIM + EVERY_DAY + "PAUSE")
    assert deadline(heron, text=f"{AS_KIM}RESUME") == "Tue May 12 2026 23:30:00 +0000"


def test_a_paused_game_is_listed_without_a_deadline(heron: DeskAtWork):
    heron.writes(KIM, f"{AS_KIM}PAUSE")
    for question in ("LIST heron", "STATUS"):
        reply = heron.replies(FRANCE, AS_FRANCE + question)
        assert "paused" in reply.text
        assert "Orders are due" not in reply.text + reply.page


def test_an_absence_that_has_begun_is_cancelled_by_a_day_in_it(heron: DeskAtWork):
    heron.now = at("2026-12-10T10:00")
    heron.writes(FRANCE, f"{AS_FRANCE}SET ABSENCE Dec 20 TO Jan 3")
    heron.now = at("2026-12-28T10:00")
    assert "is canceled" in heron.replies(FRANCE, f"{AS_FRANCE}SET NO ABSENCE Dec 24").text


def test_an_absence_can_have_begun_and_its_end_comes_after_its_beginning(heron: DeskAtWork):
    heron.now = at("2026-12-28T10:00")
    reply = heron.replies(FRANCE, f"{AS_FRANCE}SET ABSENCE Dec 24 TO Jan 3").flat
    assert "from Thu Dec 24 2026 00:00:00 +0000 to Sun Jan 3 2027 23:59:00 +0000" in reply
    heron.now = at("2027-02-03T10:00")  # a Wednesday
    reply = heron.replies(FRANCE, f"{AS_FRANCE}SET ABSENCE Mon TO Fri").flat
    assert "from Mon Feb 8 2027 00:00:00 +0000 to Fri Feb 12 2027 23:59:00 +0000" in reply


def test_february_29_is_a_day_of_the_next_year_that_has_it(heron: DeskAtWork):
    heron.now = at("2027-12-29T10:00")
    reply = heron.replies(FRANCE, f"{AS_FRANCE}SET ABSENCE Feb 29").flat
    assert "from Tue Feb 29 2028 00:00:00 +0000 to Tue Feb 29 2028 23:59:00 +0000" in reply


def deadline_line(desk: DeskAtWork) -> str:
    return next(line for line in desk.replies(KIM, AS_KIM).text.splitlines() if line.startswith(":: Deadline: "))


def run_out(desk: DeskAtWork, phases: int) -> list[str]:
    """The subjects of the mails that Turkey and the keeper get while so many movement phases pass without a word."""
    subjects = []
    while phases:
        mails = desk.ring(desk.now + timedelta(hours=12))
        phases -= any(mail.subject.endswith("1M Results") or mail.subject.endswith("2M Results") for mail in mails)
        subjects += [f"{mail.to}: {mail.subject}" for mail in mails if mail.to in (TURKEY, desk.settings.keeper)]
    return subjects


@pytest.mark.parametrize("lines", ["A PAR - BUR", "IF A MUN\nA PAR - BUR\nENDIF"])
def test_orders_for_a_later_phase_bring_an_idle_game_back(heron: DeskAtWork, lines: str):
    run_out(heron, 2)
    assert deadline(heron, FRANCE, f"{AS_FRANCE}PHASE F1902M\n{lines}") != "none, the game is paused"


def test_a_letter_without_orders_leaves_an_idle_game_paused(heron: DeskAtWork):
    run_out(heron, 2)
    assert deadline(heron, FRANCE, f"{AS_FRANCE}A PAR - NOWHERE\nSTATUS") == "none, the game is paused"


def test_an_idle_game_that_is_rolled_back_goes_on(heron: DeskAtWork):
    run_out(heron, 2)
    heron.writes(KIM, f"{AS_KIM}ROLLBACK F1901M")
    mails = heron.ring(heron.now + timedelta(days=100))
    assert not [mail for mail in mails if "Abandoned" in mail.subject]
    assert "S1902M" in deadline_line(heron)


def test_an_idle_game_ends_after_the_days_that_the_keeper_sets(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_IDLE_LIMIT": "30"})
    desk.seat_seven()
    run_out(desk, 2)
    assert desk.ring(desk.now + timedelta(days=29)) == []
    ended = [mail for mail in desk.ring(desk.now + timedelta(days=2)) if mail.to == TURKEY]
    assert [mail.subject for mail in ended] == ["JUDG:heron - S1902M Game Abandoned"]
    assert "no player has sent an order in the last 30 days" in ended[0].flat


def test_one_order_in_two_movement_phases_keeps_a_game_going(heron: DeskAtWork):
    run_out(heron, 1)
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    assert not [one for one in run_out(heron, 1) if "Paused" in one]


def test_a_game_that_waits_for_orders_is_not_waited_for_without_end(heron: DeskAtWork):
    heron.writes(KIM, f"{AS_KIM}SET NONMR")
    subjects = []
    for _ in range(60):
        subjects += [mail.subject for mail in heron.ring(heron.now + timedelta(days=1)) if mail.to == KIM]
    assert "JUDG:heron - S1901M Game Paused" in subjects
    assert len(subjects) < 15


def early(desk: DeskAtWork, *lines: str) -> str:
    """The deadline of the phase that opens a day later by PROCESS!, after the master has sent these lines."""
    desk.writes(KIM, AS_KIM + "\n".join(["SET MOVE NEXT 72 DAYS SMTWTFS CLOCK NONE", *lines]))
    desk.now = at("2026-05-05T10:00")
    desk.writes(KIM, AS_KIM + "PROCESS! S1901M")
    return f"{desk.phase().deadline_at:%a %H:%M}"


@pytest.mark.parametrize(
    ("lines", "due"),
    [
        ((), "Fri 10:01"),
        (("SET DEADLINE May 10 21:00",), "Sun 21:00"),
        (("SET DEADLINE May 6 21:00",), "Fri 10:01"),
        (("SET START May 20 12:00",), "Wed 12:00"),
        (("PAUSE", "RESUME"), "Fri 10:01"),
        (("PAUSE", "RESUME May 10 21:00"), "Sun 21:00"),
        (("SET GRACE May 20 21:00",), "Fri 10:01"),
        (("SET MOVE MIN 80",), "Fri 18:01"),
        (("SET MOVE CLOCK 21:00",), "Fri 21:00"),
        (("SET MOVE DAYS SMTWT-S",), "Sat 00:00"),
    ],
)
def test_a_phase_counts_from_its_opening_unless_the_old_deadline_was_set(
    heron: DeskAtWork, lines: tuple[str, ...], due: str
):
    assert early(heron, *lines) == due


def test_the_holder_of_a_seat_reads_what_another_address_has_set_for_them(heron: DeskAtWork):
    heron.writes(KIM, f"{AS_KIM}SET UNMODERATED, GRACE 24\nPROCESS! S1901M")
    mails = heron.writes("jo@example.net", f"{AS_FRANCE}EXTEND 1 day\nSET GRACE 48, MOVE NEXT 96")
    (copy,) = [mail.flat for mail in mails if mail.to == FRANCE]
    assert "Grace of F1901M: Sat May 9" in copy and "Movement NEXT: 96 hours" in copy and "Grace is 48 hours" in copy


def test_a_deadline_that_is_set_back_leaves_later_phases_their_own_time(heron: DeskAtWork):
    heron.writes(KIM, f"{AS_KIM}EXTEND 2 days")
    heron.writes(KIM, f"{AS_KIM}SET DEADLINE 2026-05-11 23:30")
    heron.now = at("2026-05-05T10:00")
    heron.writes(KIM, AS_KIM + "PROCESS! S1901M")
    assert heron.phase().deadline_at == at("2026-05-08T23:30")


def test_a_deadline_set_by_the_master_holds_for_all_phases_until_then(heron: DeskAtWork):
    assert early(heron, "SET DEADLINE May 20 21:00") == "Wed 21:00"
    heron.writes(KIM, AS_KIM + "PROCESS! F1901M")
    assert heron.phase().deadline_at == at("2026-05-20T21:00")


def test_an_absence_that_put_a_deadline_off_holds_for_the_next_phase(heron: DeskAtWork):
    heron.writes(FRANCE, f"{AS_FRANCE}SET ABSENCE May 7 TO May 19")
    early(heron)
    heron.writes(FRANCE, f"{AS_FRANCE}SET NO ABSENCE May 8")
    put_off = heron.phase().deadline_at
    heron.writes(KIM, AS_KIM + "PROCESS! F1901M")
    assert heron.phase().deadline_at == put_off > at("2026-05-19T00:00")


def test_no_date_that_has_passed_is_named_for_the_moves_after_a_phase_in_grace(heron: DeskAtWork) -> None:
    heron.writes(
        KIM, AS_KIM + EVERY_DAY + "SET MOVE NEXT 72 CLOCK 21:00\nSET DEADLINE May 6 21:00\nSET GRACE May 8 21:00"
    )
    heron.ring(at("2026-05-06T23:00"))
    heron.writes(KIM, f"{AS_KIM}PAUSE")
    heron.now = at("2026-05-16T10:00")
    reply = heron.replies(KIM, f"{AS_KIM}RESUME").text
    assert "Grace of S1901M: Mon May 18 2026 21:00:00" in reply
    assert "Moves after that: Thu May 21 2026 21:00:00" in reply
