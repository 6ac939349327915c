"""Which phase orders are for, which of two orders counts, and what beside an order is no remark."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.tables import BidRow, OrderRow
from tests.commands.deskatwork import DeskAtWork
from tests.texts import listed

FRANCE, KIM = "france@example.org", "kim@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
SPRING = "A PAR - PIC\nA MAR - SPA\nF BRE - MAO\n"


def on_file(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        return sorted(order.text for order in session.exec(select(OrderRow)))


LATER = """\
F01
Fall moves:
*Fall 1901*
for next turn:
Fall 1901
F1901M
Autumn 1901 orders
Fall '01:
Next season
== Fall ==
F 1901
Orders for Fall 1901:
Movement orders for Fall of 1901.
next move:
- Fall 1901 -
Fall 1901 movement
France – Fall 1901
**France (Fall 1901)**
### Orders for Fall 1901 (France)
Fall 1901 orders for France
French moves for the Fall
heron, F1901M
Standard Diplomacy: Fall 1901
Sending my orders for Fall 1901
Please take these orders for Fall 1901:
Orders (Fall 1901)
"""


def test_a_line_that_is_nothing_but_a_phase_acts_as_phase_does(heron: DeskAtWork):
    headings = listed(LATER)
    text = "".join(f"{heading}\nA PIC - BEL\nA SPA - POR\n" for heading in headings)
    answer = heron.replies(FRANCE, f"{SIGNON}{SPRING}{text}")
    assert on_file(heron) == ["A MAR - SPA", "A PAR - PIC", "F BRE - MAO"]
    assert f"{2 * len(headings)} lines saved for F1901M" in answer.text and "refused" not in answer.text
    for heading in ("Builds:", "Winter 1901", "Adjustments", "W01", "Winter builds:"):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{SPRING}{heading}\nBUILD A PAR\n")
        assert answer.first_line.startswith("1 line saved for W1901A") and "refused" not in answer.text


def test_the_open_phase_may_stand_above_its_orders(heron: DeskAtWork):
    for heading in listed("""
        Spring 1901:
        S01
        Spring moves
        My moves:
        This turn:
        S1901M
        Spring
        France, Spring 1901
        # Spring 1901 (France)
        Movement orders for Spring of 1901.  (heron.001)"""):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{heading}\n{SPRING}")
        assert answer.first_line == "Orders complete." and "ignored" not in answer.text


def test_orders_below_a_phase_that_cannot_be_placed_are_not_filed_and_that_comes_first(heron: DeskAtWork):
    for heading in (
        "Year 1902", "1902", "Spring and Fall", "next phase:", "Fall 1900", "PHASE S1900M", "Spring builds:",
        "France, 1902", "What I plan for Fall 1901:", "Spring 1901 - F1901M",
    ):  # fmt: skip
        answer = heron.would_reply(FRANCE, f"{SIGNON}{SPRING}{heading}\nA PAR H\n")
        assert answer.first_line.startswith(f'The orders after "{heading.rstrip(":")}" were NOT recorded.')
        assert "Army Paris -> Picardy" in answer.flat


def test_a_whole_year_in_one_letter(heron: DeskAtWork):
    text = f"Spring 1901:\n{SPRING}\nFall 1901:\nA PIC - BEL\nF MAO - POR\n\nWinter:\nBUILD F BRE\n"
    answer = heron.replies(FRANCE, SIGNON + text)
    assert "1 line saved for W1901A, to be checked when it opens. Orders complete." in answer.flat
    assert "refused" not in answer.text
    heron.writes(KIM, "SIGNON Mheron gm\nPROCESS!")
    assert on_file(heron)[-2:] == ["F BRE - MAO", "F MAO - POR"]


def test_of_two_orders_for_one_unit_the_first_sentence_says_which_counts(heron: DeskAtWork):
    answer = heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\nA MAR - SPA\nF BRE - MAO\nA PAR - PIC\n")
    assert answer.first_line.startswith("A PAR has two orders in this email: the last one, A PAR - PIC, is on file.")
    assert "A PAR - PIC" in on_file(heron)


def test_wherever_in_the_letter_they_stand(heron: DeskAtWork):
    for between in ("", "SIGNON Fheron pwfrance\n", "SET WAIT\n"):
        answer = heron.would_reply(FRANCE, f"{SIGNON}A PAR - BUR\n{between}A PAR H\n")
        assert "A PAR has two orders in this email: the last one, A PAR H, is on file." in answer.flat


def test_an_order_taken_back_repeated_or_for_later_is_no_second_one(heron: DeskAtWork):
    for text in ("A PAR - BUR\nCLEAR\nA PAR H\n", "A PAR H\nA PAR H\n", "A PAR H\nPHASE F1901M\nA PAR - BUR\n"):
        assert "two orders" not in heron.would_reply(FRANCE, SIGNON + text).text


CONDITIONS = """\
(only if Italy agrees)
(unless Italy attacks)
(never!)
(cancelled)
(if you like)
(maybe)
(not this time)
(next turn)
(in the fall)
(or PIC)
(provided Italy agrees)
(tentative)
(please ignore)
(I don't mean it)
(nur wenn Italien will)
(sorry, not sure)
(sure?)
(when Italy agrees)
(draft)
(Italy permitting, otherwise hold)
if Italy agrees
, if Italy agrees
; only if Italy agrees
[only if]
{never}
<only if>
-- unless
or A PAR H
- cancelled
"""


def test_an_order_with_a_condition_is_not_filed_without_it(heron: DeskAtWork):
    lines = [f"A PAR - BUR {condition}" for condition in listed(CONDITIONS)]
    answer = heron.replies(FRANCE, SIGNON + "\n".join(lines) + "\nA MAR H\n")
    assert on_file(heron) == ["A MAR H"]
    assert "lines not understood" in answer.first_line and int(answer.first_line.split()[0]) >= len(lines)


def test_an_order_behind_an_open_box_is_refused_by_name(heron: DeskAtWork):
    boxes = ["[ ]", "[]", "☐", "☒", "✗", "❌"]
    answer = heron.replies(FRANCE, SIGNON + "".join(f"{box} A PAR - BUR\n" for box in boxes) + "[x] A MAR H\n")
    assert on_file(heron) == ["[x] A MAR H"]
    assert answer.flat.count("The box before it is not ticked.") == len(boxes)


def test_the_answer_shows_what_was_taken_for_a_remark(heron: DeskAtWork):
    for remark in ("(as agreed)", "(sorry for the delay)", "(thanks, Kim)", "(good luck)"):
        answer = heron.would_reply(FRANCE, f"{SIGNON}A PAR - BUR {remark}\n")
        assert f'"{remark}" was taken for a comment and ignored.' in answer.flat


def test_a_line_with_an_order_in_it_that_is_not_filed_is_counted(heron: DeskAtWork):
    lines = listed("""
        not A PAR - BUR
        Fall: A PAR - BUR
        ~~A PAR - BUR~~
        No: A PAR - BUR
        (A PAR - BUR)
        We SIGNON Fheron A PAR - BUR
        maybe A PAR - BUR
        [no] A PAR - BUR
        F1901M: A PAR - BUR
        I would rather A PAR - BUR""")
    answer = heron.replies(FRANCE, SIGNON + SPRING + "\n".join(lines))
    assert answer.first_line == f"{len(lines)} lines not understood. Orders complete."
    assert "A PAR - PIC" in on_file(heron)


def test_a_line_is_read_whole_or_refused_whole(heron: DeskAtWork):
    lines = ("A PAR and A MAR hold", "A PAR, A MAR hold", "A PAR - BUR, A MAR - NOWHERE")
    answer = heron.replies(FRANCE, SIGNON + "\n".join(lines))
    assert on_file(heron) == [] and answer.flat.count("Nothing on this line was recorded.") == 3


MASTER = "SIGNON Mheron gm\n"


def test_what_a_player_sent_before_the_phase_opened_does_not_touch_it(heron: DeskAtWork):
    phase = heron.phase()
    lines = ("SET WAIT", "CLEAR", "SET DRAW")
    reply = heron.replies(FRANCE, SIGNON + "\n".join(lines), received_at=phase.opened_at - timedelta(seconds=1))
    for line in lines:
        assert f"> {line}\n  S1901M opened after you sent this email, so this line was not carried out." in reply.text
    assert "WAIT is set" not in reply.text


def test_what_the_master_sent_before_the_phase_opened_does_not_touch_it(heron: DeskAtWork):
    phase = heron.phase()
    lines = "PROCESS!\nPROCESS! S1901M\nSET DEADLINE 2026-05-20 21:00\nSET WAIT"
    reply = heron.replies(KIM, MASTER + lines, received_at=phase.opened_at - timedelta(seconds=1))
    assert reply.first_line.startswith("4 lines refused.")
    after = heron.phase()
    assert (after.name, after.deadline_at) == ("S1901M", phase.deadline_at)


def test_process_twice_in_a_letter_processes_once(heron: DeskAtWork):
    """The second was written before the phase it would strike had opened."""
    heron.now += timedelta(milliseconds=500)
    heron.writes(KIM, MASTER + "PROCESS!\nPROCESS!\n", received_at=heron.now.replace(microsecond=0))
    assert heron.phase().name == "F1901M"


def test_commands_after_the_end_are_refused_in_the_first_line(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "TERMINATE heron")
    reply = heron.replies(KIM, MASTER + "PROCESS!\nSET DEADLINE Fri 21:00\nSET WAIT\nPAR - BUR")
    assert reply.first_line.startswith("3 lines refused. 1 order not recorded.")
    reply = heron.replies(FRANCE, SIGNON + "A PAR - BUR")
    assert reply.first_line == "1 order not recorded. heron has ended."


@pytest.fixture
def ordered(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    desk.replies(FRANCE, f"{SIGNON}A PAR - PIC\nA MAR H\nF BRE - ENG")
    return desk


def test_what_people_write_beside_a_phase_is_passed_over(ordered: DeskAtWork):
    for line in listed("""
        PHASE F1901M:
        PHASE: F1901M
        PHASE F1901M (planning ahead)
        PHASE F1901M.
        PHASE F1901M, if all goes well
        PHASE Fall of 1901"""):
        told = ordered.would_reply(FRANCE, f"{SIGNON}{line}\nF BRE - GAS\nA MAR - SPA").text
        assert "2 lines saved" in told and "Paris -> Picardy" in told and "Spain" not in told, line


def test_below_what_is_no_phase_nothing_is_read(ordered: DeskAtWork):
    for line in ("PHASE S02M", "PHASE Herbst 1901", "PHASE 1901", "PHASE F1901X", "PHASE 2"):
        told = ordered.would_reply(FRANCE, f"{SIGNON}{line}\nF BRE - GAS\nA MAR - SPA").text
        assert told.startswith(f'The orders after "{line}" were NOT recorded.')
        assert "Paris -> Picardy" in told and "Spain" not in told


def test_a_condition_that_is_none_does_not_make_its_orders_count_always(ordered: DeskAtWork):
    for word in ("WHEN A MUN", "UNLESS A MUN", "Wenn A MUN"):
        block = f"{word}\nF BRE - PIC\nENDIF"
        told = ordered.would_reply(FRANCE, f"{SIGNON}PHASE F1901M\nA MAR - SPA\n{block}\nA PAR - BUR").flat
        assert f'"{word}" is not a condition, so 1 line above ENDIF was not saved.' in told
        assert "2 lines saved" in told and "1 line refused" in told


def test_a_line_that_is_read_in_part_is_not_kept(ordered: DeskAtWork):
    """As in lines for the open phase: if a part cannot be read, it is not known what the others mean."""
    for phase, done in (("F1901M", "saved"), ("NOW", "recorded")):
        told = ordered.would_reply(FRANCE, f"{SIGNON}PHASE {phase}\nA PAR - BUR, A MAR - XYZ\nF BRE - MAO").flat
        assert f"Nothing on this line was {done}." in told and "Paris -> Burgundy" not in told, phase
        assert "1 line saved" in told or phase == "NOW"


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ("A MAR - SPA\nF BRE H", "A MAR - SPA\nF BRE H", ["A MAR - SPA", "F BRE H"]),
        ("A MAR - SPA", "a mar-spa.", ["a mar-spa."]),
        # The line that counts is the last.
        ("A MAR - SPA\nA MAR H", "A MAR - SPA", ["A MAR H", "A MAR - SPA"]),
        ("A MAR H\nA MAR - SPA\nA MAR H", "F BRE H", ["A MAR - SPA", "A MAR H", "F BRE H"]),
        ("IF A MUN\nA MAR H\nENDIF", "IF A MUN\nA MAR H\nENDIF", ["IF A MUN", "A MAR H", "ENDIF"]),
    ],
)
def test_a_line_that_was_sent_ahead_twice_is_kept_once(heron: DeskAtWork, first: str, second: str, kept: list[str]):
    heron.writes(FRANCE, f"{SIGNON}PHASE F1901M\n{first}")
    heron.writes(FRANCE, f"{SIGNON}PHASE F1901M\n{second}")
    told = heron.would_reply(FRANCE, f"{SIGNON}STATUS").text
    assert [line.strip() for line in told.splitlines() if line.startswith("    ")][: len(kept)] == kept


def test_waives_and_bids_that_were_sent_ahead_add_up_in_a_letter(swan: DeskAtWork):
    ahead = "SIGNON Fswan pwfrance\nPHASE W1649A\nWAIVE\nWAIVE\nPHASE F1649M\nDP 1: F ALG H\nDP 1: F ALG H"
    for _ in range(2):
        told = swan.replies(FRANCE, ahead).text
        assert told.count("    WAIVE\n") == told.count("    DP 1: F ALG H\n") == 2


def test_the_form_after_results_has_what_was_sent_ahead(heron: DeskAtWork):
    heron.writes(FRANCE, f"{SIGNON}A MAR H\nPHASE F1901M\nA MAR - SPA\nF BRE - XYZ")
    mails = heron.ring(heron.phase().deadline_at)
    (results,) = [mail for mail in mails if mail.to == FRANCE and "Results" in mail.subject]
    for text in (results.text, results.page):
        assert "A MAR - SPA" in text and "A PAR ..." in text and "A MAR ..." not in text
    assert not any("A MAR - SPA" in mail.text for mail in mails if mail.to != FRANCE)


@pytest.mark.parametrize("heading", ["Fall 1649:", "PHASE fall 1649", "F1649M"])
def test_no_phase_is_named_that_nobody_wrote(swan: DeskAtWork, heading: str):
    ahead = "SIGNON Fswan pwfrance\n"
    told = swan.would_reply(FRANCE, f"{ahead}{heading}\nA PAR H").text
    assert told.startswith("1 line saved for F1649M")
    assert "PHASE F1649M" not in told
    assert "like PHASE F1649M." in swan.would_reply(FRANCE, f"{ahead}orders for next year:\nA PAR H").flat
    assert "ROLLBACK S1649M" in swan.would_reply(KIM, "SIGNON Mswan gm\nROLLBACK 7").flat
    assert "FROM S1649M" in swan.would_reply(KIM, "HISTORY swan FROM rubbish").flat
    assert "like S1649M, F1649R or W1649A." in swan.would_reply(FRANCE, f"{ahead}PHASE X77\nA PAR H").flat


FAY = "france@example.org"


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[DeskAtWork]:
    yield DeskAtWork(tmp_path, "", {})


def test_the_text_stands_beside_as_it_was_written(prompt: DeskAtWork):
    prompt.seat_all("swan", "1648")
    prompt.writes(FAY, "SIGNON Fswan pwfrance\n * army  marseille to Gascony  // soon\nDP 1: swi h\nDP 1: A SWI H")
    with reading(prompt.engine) as session:
        (order,), (bid,) = session.exec(select(OrderRow)).all(), session.exec(select(BidRow)).all()
    assert order.text == "* army marseille to Gascony"
    assert order.meaning == {"verb": "move", "unit": "A MAR", "to": "GAS", "via": False}
    assert (bid.text, bid.points) == ("DP 1: swi h", 2)
    assert bid.meaning == {"verb": "hold", "unit": "A SWI"}


def test_an_order_is_for_what_stands_there_now(heron: DeskAtWork):
    """The letter of a unit is beside the point (DATC 4.C.2): a fleet that a master puts there has the army's order."""
    heron.writes(FAY, "SIGNON Fheron pwfrance\nA MAR - SPA")
    heron.writes("italy@example.org", "SIGNON Iheron pwitaly\nA VEN S A ROM\nA ROM H")
    heron.writes(KIM, "SIGNON Mheron gm\nCORRECT POSITION\nNobody: A ROM\nItaly: F ROM\nEND")
    with reading(heron.engine) as session:
        meanings = [order.meaning for order in session.exec(select(OrderRow).order_by(col(OrderRow.id)))]
    assert meanings == [
        {"verb": "move", "unit": "A MAR", "to": "SPA", "via": False},
        {"verb": "support", "unit": "A VEN", "helped": "F ROM", "to": ""},
        {"verb": "hold", "unit": "F ROM"},
    ]
    assert "Fleet Rome HOLD." in heron.replies("italy@example.org", "SIGNON Iheron pwitaly\nF NAP - ION").text


def test_lines_for_a_later_phase_are_said_first_and_impossible_ones_refused(heron: DeskAtWork):
    saved = "{} saved for {}, to be checked when it opens."
    one, two, winter = (
        saved.format("1 line", "F1901M"),
        saved.format("2 lines", "F1901M"),
        saved.format("1 line", "W1901A"),
    )
    told = {
        "PHASE F1901M\nA PAR - BUR\nA MAR H": [f"{two} 3 units without orders"],
        "PHASE W1901A\nA BUR - GAS": ["1 line refused. 3 units", "is not an order for the winter"],
        "PHASE W1901A\nA BUR - GAS\nBUILD A PAR": ["1 line refused.", winter],
        "PHASE F1901M\nIF A BUR\nA BUR - MUN\nELSE\nA PAR - BUR\nENDIF": [two],
        "PHASE F1901M\nIF A BUR\nA BUR - MOS\nENDIF": ["cannot reach Moscow.", "Nothing from IF to ENDIF was saved."],
        "PHASE F1901M\nA BUR H\nPHASE W1901A\nBUILD A PAR": [f"{one} {winter}"],
        "A PAR H\nPHASE F1901M\nA PAR - BUR": [f"{one} 2 units without orders"],
    }
    heron.expects("france@example.org", "SIGNON Fheron pwfrance\n", told)
    for text in ("PHASE F1901M\nA PAR - BUR", "A PAR - BUR\nA MAR H\nF BRE H\nPHASE F1901M\nA PAR - BUR"):
        assert heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{text}").flat.startswith(one)
