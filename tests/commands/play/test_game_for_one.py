"""A game for one: its master orders for all powers, without deadlines, and nobody else comes into it."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlmodel import select

from judge.games.life.statistics import ended_games
from judge.rules import variant_names
from judge.store.engine import reading
from judge.store.tables import Attendance, OrderRow, Seat
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import table

JO, AL = "jo@example.org", "al@example.org"
SIGNED = "SIGNON Mowl secret\n"
NAMED = "REGISTER\nName: {}\nTimezone: UTC\nEND"


def begun(desk: DeskAtWork, variant: str = "standard") -> list[Posted]:
    desk.writes(JO, NAMED.format("Jo Roe"))
    return desk.writes(JO, f"CREATE ?owl secret {variant} SOLO")


@pytest.fixture
def owl(desk: DeskAtWork) -> DeskAtWork:
    begun(desk)
    return desk


def on_file(desk: DeskAtWork) -> dict[str, str]:
    """{unit's place: whose order it has, and the phase}."""
    with reading(desk.engine) as session:
        phase = desk.phase("owl")
        return {row.slot: row.power for row in session.exec(select(OrderRow)) if row.phase_id == phase.id}


def filled(mail: Posted) -> Iterator[str]:
    """The form in the mail, filled in: nothing moves, and nothing is built."""
    form = re.search(r"^ {4}SIGNON Mowl.*?^ {4}SIGNOFF", mail.text, re.MULTILINE | re.DOTALL)
    assert form
    for line in form[0].replace("<your password>", "secret").replace("SIGNOFF", "PROCESS").splitlines():
        order, dots, choice = line.strip().partition(" ...")
        if order.startswith("DP"):
            yield "DP NONE"
        elif order == "BUILD":
            yield choice[choice.index("WAIVE") :]
        else:
            yield f"{order} H" if dots else order


@pytest.mark.parametrize("variant", variant_names())
def test_the_form_in_each_mail_is_all_that_a_turn_needs(desk: DeskAtWork, variant: str):
    mails = begun(desk, variant)
    for _ in range(3):
        assert [mail.to for mail in mails] == [JO, JO]
        before = desk.phase("owl")
        mails = desk.writes(JO, "\n".join(filled(mails[0])))
        assert f"PHASE {before.name}" not in mails[-1].text
        assert "has been processed" in mails[-1].text and before.name != desk.phase("owl").name
        assert f"owl - {before.name} Results" in mails[0].subject


@pytest.mark.parametrize(("lines", "filed"), table("""
    France / A PAR - BUR / England: / F LON - NTH => {'PAR': 'France', 'LON': 'England'}
    France: A PAR - BUR, A MAR H / England: F LON - NTH => {'PAR': 'France', 'MAR': 'France', 'LON': 'England'}
    A PAR - BUR / A MUN - BUR / F LON - NTH => {'PAR': 'France', 'MUN': 'Germany', 'LON': 'England'}
    *France* / - A PAR - BUR / ENGLISH / F LON - NTH => {'PAR': 'France', 'LON': 'England'}
    BECOME France / A PAR - BUR / BECOME England / F LON - NTH => {'PAR': 'France', 'LON': 'England'}
    Fra: A PAR - BUR / Eng: F LON - NTH => {'PAR': 'France', 'LON': 'England'}
    France A PAR - BUR => {'PAR': 'France'}
    France / A MUN - BUR / A PAR - BUR => {'PAR': 'France'}
    France / A PAR - BUR / France: CLEAR => {}
    France: A PAR H / PREDICT / A MAR H => {'PAR': 'France', 'MAR': 'France'}
    Fall 1901 / France / A PAR - BUR => {}
    PHASE F1901M / France: A PAR - BUR / England: F LON H => {}
    France / PHASE F1901M / A PAR - BUR / England / F LON H => {}
    France / IF A PAR H / A MAR H / ENDIF / England: F LON H => {'LON': 'England'}
"""))  # fmt: skip
def test_each_order_is_filed_for_the_power_that_it_is_for(owl: DeskAtWork, lines: str, filed: str):
    owl.writes(JO, SIGNED + lines.replace(" / ", "\n"))
    assert str(on_file(owl)) == filed


def test_bids_stand_under_the_names_of_their_bidders(desk: DeskAtWork):
    begun(desk, "1648")
    reply = desk.replies(JO, SIGNED + "France: DP 1: A SWI H\nSpain\nDP 2: A SWI H\nDP NONE").text
    assert "DP 1: Army Switzerland HOLD.\nDP: 1 of 6 used." in reply
    assert "DP 2: Army Switzerland HOLD.\nDP: 2 of 3 used. You have declined the rest." in reply


@pytest.mark.parametrize("line", [
    "BROADCAST\nHello\nENDBROADCAST", "PRESS TO France\nHello\nENDPRESS", "France\nSET DRAW", "France\nSET WAIT",
    "SET ABSENCE 2026-05-20", "SET DEADLINE 2026-05-20 21:00", "EXTEND 2 days", "SET NONMR", "PAUSE", "EJECT France",
    "France\nRESIGN owl", "SET DISORDER Turkey", "SET AUTOPROCESS",
    "SET GREY", "SET PRESS RULEBOOK", "SET NODIAS", "SET APPROVAL", "SET MANUALSTART", "SET STRICTWAIT",
    "SET QUIET", "SET LATECOUNT", "SET MODERATED", "France\nSET IGNORE Italy",
])  # fmt: skip
def test_what_needs_several_is_refused_and_mailed_to_no_one(owl: DeskAtWork, line: str):
    (reply,) = owl.would_write(JO, SIGNED + line)
    assert "1 line refused" in reply.first_line or "NOT sent" in reply.first_line


def test_time_does_nothing(owl: DeskAtWork):
    owl.writes(JO, SIGNED + "France: A PAR - BUR")
    assert not owl.ring(owl.now + timedelta(days=900))
    owl.writes(JO, SIGNED + "PROCESS!")
    assert not owl.ring(owl.now + timedelta(days=900))
    with reading(owl.engine) as session:
        # Nobody becomes more reliable by playing alone.
        assert not session.exec(select(Attendance)).all()


@pytest.mark.parametrize("signon", ["SIGNON ?owl hush", "SIGNON Fowl hush", "SIGNON Mowl hush", "SIGNON ? hush"])
def test_nobody_else_comes_in(owl: DeskAtWork, signon: str):
    owl.writes(AL, NAMED.format("Al Ash"))
    owl.writes(AL, f"{signon}\nA PAR - BUR")
    with reading(owl.engine) as session:
        assert {seat.address for seat in session.exec(select(Seat))} == {JO}


def test_observers_get_results_and_no_form(owl: DeskAtWork):
    owl.observes(AL, "OBSERVE owl")
    mails = owl.writes(JO, SIGNED + "PROCESS!")
    (seen,) = [mail for mail in mails if mail.to == AL]
    assert "Movement results" in seen.text and "SIGNON" not in seen.text
    assert [mail.to for mail in owl.writes(JO, SIGNED + "ROLLBACK")].count(AL) == 1


def test_a_rollback_brings_all_orders_back(owl: DeskAtWork):
    owl.writes(JO, SIGNED + "A PAR - BUR\nA MUN - BUR\nPROCESS!")
    owl.writes(JO, SIGNED + "ROLLBACK")
    assert on_file(owl) == {"PAR": "France", "MUN": "Germany"}


def test_each_power_signs_on_as_the_master(owl: DeskAtWork):
    owl.writes(JO, "SIGNON Fowl secret\nA PAR - BUR\nA MUN - BUR")
    assert on_file(owl) == {"PAR": "France", "MUN": "Germany"}
    sent = owl.writes(JO, "FORGOT owl")
    assert len([mail for mail in sent if "CONFIRM" in mail.text]) == 1


def test_statistics_leave_it_out(owl: DeskAtWork):
    owl.writes(JO, SIGNED + "PROCESS!\nTERMINATE owl")
    with reading(owl.engine) as session:
        assert not ended_games(session)


def test_it_begins_again(owl: DeskAtWork):
    owl.writes(JO, SIGNED + "UNSTART")
    owl.writes(AL, NAMED.format("Al Ash"))
    refused = owl.replies(AL, "SIGNON ?owl hush").flat
    assert "is full" in refused and "in line" not in refused
    assert "cannot use INVITE" in owl.replies(JO, SIGNED + f"INVITE {AL}").flat
    owl.writes(JO, SIGNED + "FORCE BEGIN\nFrance: A PAR - BUR")
    owl.writes(JO, SIGNED + "France: A PAR - BUR")
    assert on_file(owl) == {"PAR": "France"}


def test_a_heading_that_takes_orders_back_is_about_all_powers_below_it(owl: DeskAtWork):
    owl.writes(
        JO, f"{SIGNED}Cancelled:\nFrance: A PAR - BUR\nItaly: A ROM H\nOrders:\nItaly: A VEN H\nGermany: A MUN H"
    )
    assert on_file(owl) == {"VEN": "Italy", "MUN": "Germany"}


def test_a_blank_line_ends_such_a_heading_for_all_powers(owl: DeskAtWork):
    owl.writes(JO, f"{SIGNED}Cancelled:\nFrance: A PAR - BUR\n\nItaly: A VEN H\nItaly: A ROM H\nGermany: A MUN H")
    assert on_file(owl) == {"VEN": "Italy", "ROM": "Italy", "MUN": "Germany"}
    owl.writes(JO, f"{SIGNED}Cancelled:\n\nFrance: A PAR - BUR\n\nTurkey: A CON H\nTurkey: A SMY H")
    assert set(on_file(owl)) == {"VEN", "ROM", "MUN"}
