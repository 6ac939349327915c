"""A whole game by letters only, to a solo: with late players, a takeover, an absence and a rollback on the way.

The others open their centers to France, which owns eighteen of them after Fall 1904.
"""

from datetime import UTC, datetime, time, timedelta

import pytest

from judge.demo.mail_users import ReceivedMail
from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.game import Game, Seat
from tests.acceptance.harness import JudgeAtWork
from tests.servers.smtpsink import times_sent

SPRING_1901 = {
    "A": ("A VIE - BOH", "A BUD - GAL", "F TRI - ADR"),
    "E": ("F LON - NTH", "F EDI - NWG", "A LVP - YOR"),
    "F": ("A MAR - PIE", "A PAR - PIC", "F BRE - MAO"),
    "G": ("A BER - SIL", "A MUN - TYR", "F KIE - HEL"),
    "I": ("A VEN - APU", "A ROM - TUS", "F NAP - TYS"),
    "R": ("A MOS - UKR", "A WAR - LVN", "F SEV - BLA", "F STP/SC - BOT"),
    "T": ("A CON - BUL", "A SMY - CON", "F ANK - ARM"),
}
FALL_1901 = {
    "A": ("A BOH H", "A GAL H", "F ADR H"),
    "E": ("F NTH H", "F NWG H", "A YOR H"),
    "F": ("A PIE - VEN", "A PIC - BEL", "F MAO - SPA/SC"),
    "G": ("A SIL H", "A TYR H", "F HEL H"),
    "R": ("A UKR H", "A LVN H", "F BLA H", "F BOT H"),
}
WINTER_1901 = {"F": ("BUILD F BRE", "BUILD A MAR", "BUILD A PAR"), "I": ("REMOVE A APU",), "T": ("BUILD F SMY",)}
SPRING_1902 = ("A PAR - BUR", "F SPA/SC - WES", "A BEL - HOL", "F BRE - ENG", "A VEN H", "A MAR - SPA")
FALL_1902 = ("A SPA - POR", "A BUR - MUN", "F WES - TUN", "F ENG - LON", "A VEN - TRI", "A HOL - KIE")
WINTER_1902 = ("BUILD A BRE", "BUILD F MAR", "BUILD A PAR")
SPRING_1903 = (
    "F LON - WAL", "A TRI - SER", "A MUN - RUH", "A KIE - MUN", "F TUN - ION", "A BRE H", "F MAR H",
    "A PAR H", "A POR H",
)  # fmt: skip
# Holland is forgotten at first.
FALL_1903 = (
    "A MUN - BER", "F WAL - LVP", "A RUH H", "F ION - NAP", "A SER H", "A BRE H", "F MAR H", "A PAR H", "A POR H"
)  # fmt: skip
FALL_1904 = ("A SER - BUD", "A BER H", "F LVP H", "A HOL H", "F NAP H", "A BRE H", "F MAR H", "A PAR H", "A POR H")

# What everybody is told from the first phase to the last, in this order.
NOTICES = [
    "S1901M Results", "Parameter Change",
    "F1901M Deadline Adjustment", "F1901M Deadline Adjustment", "F1901M Deadline Adjustment", "F1901M Late Notice: IT",
    "F1901M Abandoned: T", "F1901M Deadline Adjustment, New Player Signon: T",
    "F1901M Results", "W1901A Results", "S1902M Results", "F1902M Absence Notice", "F1902M Results", "W1902A Results",
    "S1903M Results", "F1903M Results", "Rollback to F1903M", "F1903M Results", "W1903A Results", "S1904M Results",
    "F1904M Results", "F1904M Victory: France",
]  # fmt: skip
SUMMARY = """\
Center counts (index: sum of the squares divided by the number of powers)

Power     1901  '02  '03  '04
Austria      3    2    2    1
England      3    2    1    1
France       6   12   17   18
Germany      3    1    .    .
Italy        2    2    1    1
Russia       4    4    4    4
Turkey       4    4    4    4
Index:      14   27   46   51
"""


@pytest.mark.long
def test_a_game_to_a_solo(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    [heron] = begin(judge)
    turk, zoe = heron["T"], _zoe(judge)
    orders(heron, SPRING_1901)
    heron.results("S1901M")

    fall_with_late_players(heron, zoe)
    orders(heron, WINTER_1901)
    heron.results("W1901A")
    spring_with_an_absence(heron)
    play(heron, "F1902M", *FALL_1902, told="France:    12 Supply centers,  6 Units:  Builds   3 units.")
    play(heron, "W1902A", *WINTER_1902, told="Germany:   Defaults, removing the army in Tyrolia.")
    play(heron, "S1903M", *SPRING_1903)
    fall_that_is_played_twice(heron)
    play(heron, "W1903A")
    play(heron, "S1904M")
    won = "France:    18 Supply centers,  9 Units:  Builds   0 units.  (* VICTORY!! *)"
    last = play(heron, "F1904M", *FALL_1904, told=won)
    assert "\n\nFrance has won heron.\n\n" in last.text
    assert "(* VICTORY!! *)" in last.text and "Orders are due" not in last.text

    the_end(judge, heron, turk, zoe)


def fall_with_late_players(heron: Game, zoe: Seat) -> None:
    """Italy is late, but comes within grace; Turkey does not, and Zoe takes the seat, for which there is more time."""
    orders(heron, FALL_1901)
    heron.master.signs_on("SET NONMR")
    heron.master.person.expects(containing="powers still late when grace ends become open")
    deadline = heron.set_deadline(2)
    grace = deadline + max(timedelta(seconds=4), 2 * (deadline - datetime.now(UTC)))
    heron.master.signs_on(f"SET GRACE {grace:%Y-%m-%d %H:%M:%S} UTC")
    heron.master.person.expects(containing="The grace period of F1901M has been changed")
    for letter, unit in (("I", "Army Apulia"), ("T", "Fleet Armenia")):
        late = heron[letter].person.expects(subject="[You are late!] TEST:heron - F1901M Late Notice: IT")
        assert unit in late.text and f"    SIGNON {letter}heron <your password>\n    PHASE F1901M\n    A " in late.text
    heron["I"].signs_on("A APU H", "A TUS H", "F TYS H")
    heron["I"].person.expects(containing=["Orders complete", "The deadline has passed."])

    zoe.person.expects(subject="TEST:heron - F1901M Seat Open: T", containing="Turkey has 3 units and 3 supply centers")
    heron["F"].person.expects(subject="F1901M Abandoned: T", containing="Turkey sent no orders in heron")
    zoe.signs_on("A BUL H", "A CON H", "F ARM H", "SET NOWAIT")
    heron.seats["T"] = zoe
    zoe.person.expects(containing=["Orders complete", "you now play Turkey in heron"])
    heron["F"].person.expects(subject="New Player Signon: T", containing="Turkey has a new player")
    text = heron.results("F1901M").text
    assert "Turkey:  Army Bulgaria HOLD." in text and "Italy:   Army Apulia HOLD." in text
    assert "France:     6 Supply centers,  3 Units:  Builds   3 units." in text
    assert "Italy:      2 Supply centers,  3 Units:  Removes  1 unit." in text


def spring_with_an_absence(heron: Game) -> None:
    """Germany is away for two weeks: the next deadline is the first allowed moment after them."""
    today = datetime.now(UTC).date()
    first, last = today + timedelta(days=1), today + timedelta(days=14)
    heron["G"].signs_on(f"SET ABSENCE {first} TO {last}")
    heron["G"].person.expects(containing="later deadlines will skip these days")
    play(heron, "S1902M", *SPRING_1902)
    due = last + timedelta(days=1)
    while due.isoweekday() > 5:
        due += timedelta(days=1)
    deadline = datetime.combine(due, time(23, 30), UTC)
    for person in heron.everybody():
        told = person.expects(subject="F1902M Absence Notice", containing="Germany is away").text
        assert f":: Deadline: F1902M {deadline:%a %b} {deadline.day} {deadline:%Y %H:%M:%S +0000}\n" in told


def fall_that_is_played_twice(heron: Game) -> None:
    """France forgets Holland; the master takes the phase back, and only what is changed has to be sent again."""
    before = play(heron, "F1903M", *FALL_1903, told="France:    16 Supply centers,  9 Units:")
    assert "France:  Army Ruhr HOLD." in before.text
    heron.master.signs_on("ROLLBACK F1903M")
    heron.master.person.expects(containing="heron has been rolled back to F1903M. All players have been notified")
    for seat in heron.seats.values():
        seat.person.expects(subject="Rollback to F1903M", containing="is undone")
    after = play(heron, "F1903M", "A RUH - HOL", told="France:    17 Supply centers,  9 Units:")
    assert "France:  Army Munich -> Berlin." in after.text


def the_end(judge: JudgeAtWork, heron: Game, turk: Seat, zoe: Seat) -> None:
    """Everybody got every notice once, in order; the game is over for all, and is told as it was."""
    for person in heron.everybody():
        end = person.expects(subject="F1904M Victory: France", containing="France has won heron. Well played!")
        assert "Turkey:      Zoe" in end.text
    for letter in "AEFGR":
        assert notices(judge, heron[letter]) == NOTICES
    assert notices(judge, zoe) == [
        "F1901M Seat Open: T", "F1901M Deadline Adjustment", *NOTICES[NOTICES.index("F1901M Results") :]
    ]  # fmt: skip
    assert notices(judge, turk)[-1] == "F1901M Abandoned: T"

    turk.signs_on("A BUL - GRE")
    turk.person.expects(containing="Wrong password for Turkey in heron")
    heron["F"].signs_on("A PAR - BUR")
    heron["F"].person.expects(containing="1 order not recorded. heron has ended.")
    zoe.person.writes("SUMMARY heron", "LIST heron")
    told = zoe.person.expects(containing="Summary of heron through F1904M").text
    assert SUMMARY in told and "ended. Victory: France" in told
    assert "Zoe, from F1901M" in told and f"{turk.person.name}, until F1901M" in told

    assert set(times_sent(judge.sink.mails).values()) == {1}
    assert " ERROR " not in judge.process.log()
    assert judge.process.ask("status").returncode == 0
    assert judge.process.terminate() == 0


def _zoe(judge: JudgeAtWork) -> Seat:
    """Somebody on the standby list, with the password that she will choose."""
    zoe = judge.person("Zoe")
    zoe.writes("REGISTER", "Name: Zoe", "END", "STANDBY")
    zoe.expects(containing="You are on the standby list")
    return Seat(zoe, "T", "heron", "zoespassword")


def orders(heron: Game, given: dict[str, tuple[str, ...]]) -> None:
    """These powers send all their orders."""
    for letter, lines in given.items():
        heron[letter].signs_on(*lines)
    for letter in given:
        heron[letter].person.expects(containing="Orders complete.")


def play(heron: Game, phase: str, *lines: str, told: str = "") -> ReceivedMail:
    """France orders, the master ends the phase; the results, in which this is told."""
    if lines:
        orders(heron, {"F": lines})
    heron.master.signs_on(f"PROCESS {phase}")
    heron.master.person.expects(containing=f"{phase} of heron has been processed")
    results = heron.results(phase)
    assert told in results.text
    return results


def notices(judge: JudgeAtWork, seat: Seat) -> list[str]:
    """What somebody was told about the game and had not asked, from the first results on."""
    told = [mail for mail in judge.sink.to(seat.person.address) if mail.header["Auto-Submitted"] == "auto-generated"]
    return [mail.subject.partition("heron - ")[2] for mail in told]
