"""INFO, LIST and SUMMARY tell what a board's rules come to now; the mail before a winter lists the colonies."""

from datetime import timedelta
from typing import Any

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.texts import table


def begun(desk: DeskAtWork, variant: str, phase_name: str = "", settings: str = "", **tables: Any) -> None:
    """Game heron stands in that phase, with these tables of its position replaced."""
    desk.seat_all("heron", variant, settings)
    desk.lay(phase_name, **tables)
    desk.new_mails()


def asked(desk: DeskAtWork, question: str) -> str:
    return desk.replies("al@example.org", question).flat


@pytest.mark.parametrize(("variant", "told"), {
    "1648": """
        CRI => Builds: Russia or Turkey, while it owns the center Vassal: of Russia and Turkey
        FLA => Center: supply center, owned by Spain Builds: no one
        STO => Kind: coast, with an east coast and a west coast""",
    # The Emergency Measures Rule; Egypt & Algeria.
    "1900": """
        SIB => Builds: Russia, in an emergency only
        EGY => owned by Britain Builds: no one
        EGY => Mid-Atlantic Ocean [MID] (half strength, around the Cape of Good Hope)
    """,
    # V.1 and V.3.
    "ambition_empire": """
        PAP => Faith: Christian, for the Religious Rule; supports Catholics only
        ALG => Faith: Muslim, for the Religious Rule
        TUS => Faith: Catholic, for the Religious Rule
        CRI => Builds: Russia, while it owns the center Faith: Muslim, for the Religious Rule""",
    # Rules 5 and 6.
    "colonia": """
        ANG => Center: colony, a home center of its owner, owned by Portugal Builds: whoever owns it
        CRI => Center: special center, home center of Ottoman Empire and Russia
        LON => Center: home center of England, owned by England
        TAH => Kind: coast, closed to armies
        GIL => South Pacific [SPC]
        CUB => Center: supply center, unowned Builds: no one""",
    # 5.2, 8 and 9.1.
    "intercontinental": """
        SUEZ => Canal: opens in Spring 1870
        DUBL => additional home center by building there Sponsor: Blue""",
    "build_anywhere": "MUN => Builds: whoever owns it",
    "standard": """
        PAR => Builds: France, while it owns the center
        POR => Center: supply center, unowned Builds: no one""",
}.items())  # fmt: skip
def test_info_tells_what_the_rules_make_of_a_province(desk, variant, told):
    begun(desk, variant)
    for province, words in table(told):
        answer = asked(desk, f"INFO {province} heron")
        assert all(one in answer for one in words.split(" ... ")), (province, answer)


def test_info_tells_the_builds_of_an_emergency_while_it_lasts(desk):
    begun(desk, "1900", "W1901A", centers={"Russia": ["MOS", "SEV"]}, units={"Russia": ["A UKR", "A GAL"]})
    assert "Builds: Russia, now, in its emergency" in asked(desk, "INFO SIB heron")
    for question in ("LIST heron", "SUMMARY heron"):
        told = asked(desk, question)
        assert "Russia is in an emergency: it can have 1 more unit than centers, and can also build in Siberia." in told


def test_a_third_home_is_told_where_it_lies_and_in_the_entry(desk):
    """Ambition & Empire, V.2, example 1: also when it is lost."""
    begun(desk, "ambition_empire", "S1765M", homes={"Spain": ["POR"]}, centers={"Spain": ["BRC", "MAD", "POR"]})
    told = asked(desk, "INFO POR heron")
    assert "Center: supply center, named as a home by Spain, owned by Spain Builds: Spain, while it owns" in told
    assert "Portugal is a home center of Spain." in asked(desk, "LIST heron")
    assert "Portugal is a home center of Spain." in asked(desk, "SUMMARY heron")


def test_a_third_home_that_is_lost_is_told_as_lost(desk):
    begun(desk, "ambition_empire", "S1765M", homes={"Spain": ["POR"]}, centers={"Spain": ["BRC", "MAD"]})
    assert "Portugal is a home center of Spain, which it does not own now." in asked(desk, "LIST heron")


def test_an_additional_home_is_its_power_s_alone(desk):
    """Intercontinental, 9.1."""
    begun(desk, "intercontinental", "S1866M", homes={"Russia": ["Gury"]}, centers={"Russia": ["Gury"]})
    assert "named as a home by Russia, owned by Russia Builds: Russia, while it owns" in asked(desk, "INFO GURY heron")


@pytest.mark.parametrize(("phase", "state"), [("S1866M", "opens in Spring 1867"), ("S1867M", "is open")])
def test_the_canal_is_told_as_it_is(desk, phase, state):
    begun(desk, "intercontinental", phase, "SET SUEZ 1867")
    assert f"The canal of Suez {state}." in asked(desk, "LIST heron")
    since = "opens in" if phase == "S1866M" else "open since"
    assert f"Canal: {since} Spring 1867" in asked(desk, "INFO SUEZ heron")


def test_centers_that_civil_disorder_made_neutral_are_told(desk):
    begun(desk, "ambition_empire", neutrals={"MAD": "A"})
    assert "Neutral since civil disorder: Madrid." in asked(desk, "LIST heron")


def test_colonia_5_the_mail_before_a_winter_lists_the_colonies_by_present_owner(desk):
    begun(desk, "colonia", "F1751M", units={"France": ["A ANG", "A PAR"], "England": ["A LON"]},
          centers={"France": ["PAR", "QUE"], "Portugal": ["ANG"], "England": ["LON", "BTL", "LPL"]})
    results = desk.ring(desk.now + timedelta(days=9))[0].flat
    assert "Colonies of France: Angola, Quebec." in results
    assert "Unowned colonies: Australia, Brazil" in results


def test_after_a_spring_no_colonies_are_listed(desk):
    begun(desk, "colonia")
    assert "Colonies of" not in desk.ring(desk.now + timedelta(days=9))[0].text
