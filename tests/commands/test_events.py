"""What came to pass is told in the results: eliminations, emergencies, canals, ties, the end; and once, in one mail."""

import re
from datetime import timedelta
from typing import Any

import pytest

from judge.mails.results import results_of
from judge.mails.templates import hang
from judge.rules import adjudicate, load_variant, position_from_json, read_order
from judge.store.engine import transaction
from judge.store.games import game_named, open_phase
from tests.commands.deskatwork import DeskAtWork, Posted

KIM = "kim@example.org"


def flat(text: str) -> str:
    return " ".join(text.split())


def told(variant_name: str, phase: str, orders: dict[str, list[str]] | None = None, **table: Any) -> tuple[str, str]:
    """(the news, the counts) of a phase as its results tell them."""
    variant = load_variant(variant_name).at(phase)
    position = position_from_json(variant, {"phase": phase, "units": {}, "centers": {}, **table})
    read = {
        power: [read_order(variant, position, power, text) for text in texts] for power, texts in (orders or {}).items()
    }
    view = results_of(variant, position, adjudicate(variant, position, read))
    return " ".join(view.news), "\n".join(count.line for count in view.counts)


# --- the emergency: 1900, the Russian Emergency Measures Rule ---------------------------------------------------------

FOUR = ["MOS", "SEV", "STP", "WAR"]


def test_an_emergency_begins():
    news, counts = told("1900", "F1900M", units={"Germany": ["A WAR"], "Russia": ["A MOS"]},
                        centers={"Russia": FOUR, "Germany": ["BER"]})
    assert "The emergency of Russia begins." in news and "Russia is in an emergency: 1 unit more" in counts


@pytest.mark.parametrize(
    ("units", "centers"),
    [
        ({"Russia": ["A MOS", "A WAR"]}, {"Russia": FOUR[:3], "Germany": ["WAR"]}),  # regains all
        ({"Russia": ["A UKR"], "Germany": ["A MOS"]}, {"Russia": ["MOS"], "Germany": ["WAR"]}),  # loses the last
    ],
)
def test_an_emergency_ends(units, centers):
    news, counts = told("1900", "F1901M", units=units, centers=centers)
    assert "The emergency of Russia is over." in news and "in an emergency" not in counts


def test_an_emergency_that_lasts_is_no_news():
    news, _ = told("1900", "F1901M", units={"Russia": ["A MOS"]}, centers={"Russia": FOUR[:2]})
    assert "emergency" not in news


MANY = [one.abbr for one in load_variant("1900").provinces.values() if one.center and one.abbr not in FOUR]


def test_after_a_victory_no_emergency_is_told():
    news, counts = told("1900", "F1905M", units={"Germany": ["A WAR"], "Russia": ["A MOS"]},
                        centers={"Russia": FOUR, "Germany": MANY[:18]})
    assert "VICTORY" in counts and "emergency" not in news + counts


# --- victory and ties -------------------------------------------------------------------------------------------------


def test_1900_victory_conditions_a_tie_at_the_number_that_wins_goes_on():
    centers = {"Germany": MANY[:18], "Britain": [*MANY[18:], *FOUR][:18]}
    news, _ = told("1900", "F1905M", units={"Germany": ["A BUR"], "Britain": ["F NTH"]}, centers=centers)
    assert "Britain and Germany have 18 centers each. Nobody has more than all others, so the game goes on." in news


def test_equals_with_fewer_centers_are_no_news():
    news, _ = told("1900", "F1905M", units={"Germany": ["A BUR"]}, centers={"Germany": MANY[:5], "Italy": MANY[5:10]})
    assert "goes on" not in news


@pytest.mark.parametrize("name", ["1900", "1648", "ambition_empire", "intercontinental"])
def test_the_victory_stands_on_one_line_with_three_numbers_and_nothing_to_build(name):
    variant = load_variant(name)
    centers = [one.abbr for one in variant.provinces.values() if one.center][: variant.victory]
    power = "Great Britain" if variant.groups else max((power.name for power in variant.powers), key=len)
    _, counts = told(name, "F1901M", units={power: [f"A {centers[0]}"]}, centers={power: centers})
    (line,) = [line for line in counts.splitlines() if "VICTORY" in line]
    assert line.endswith("(* VICTORY!! *)") and hang(line, 11) == line
    assert set(re.findall(r"Units:  (.*?)\.", counts)) == {"Builds   0 units"}


# --- eliminations, canals, neutrals -----------------------------------------------------------------------------------


def test_a_power_that_loses_its_last_is_told_as_eliminated():
    news, _ = told("standard", "F1905M", units={"Germany": ["A VIE"]}, centers={"Austria": ["VIE"]})
    assert news == "Austria is eliminated."


def test_a_power_with_units_and_no_center_is_not_eliminated_before_the_winter():
    table = {"units": {"Germany": ["A VIE"], "Austria": ["A TYR"]}, "centers": {"Austria": ["VIE"]}}
    assert told("standard", "F1905M", **table)[0] == ""
    winter = {"units": {"Germany": ["A VIE"], "Austria": ["A TYR"]}, "centers": {"Germany": ["VIE"]}}
    assert told("standard", "W1905A", **winter)[0] == "Austria is eliminated."


def test_a_power_of_a_group_is_eliminated_and_the_group_with_its_last():
    table = {"units": {"China": ["A Lond"]}, "centers": {"Great Britain": ["Lond"]}}
    news, _ = told("intercontinental", "F1866M", **table)
    assert news == "Great Britain is eliminated. Blue has nothing left on the board."


@pytest.mark.parametrize(("phase", "opened"), [("W1868A", False), ("W1869A", True), ("S1869M", False)])
def test_intercontinental_5_2_the_opening_of_the_canal_is_told(phase, opened):
    news, _ = told("intercontinental", phase, units={"China": ["A Peki"]}, centers={"China": ["Peki"]})
    assert ("The canal of Suez is open: fleets pass through" in news) is opened


def test_1648_minor_powers_a_neutral_that_comes_back_is_told():
    news, _ = told("1648", "W1649A", units={"France": ["A PAR"]}, centers={"France": ["PAR"]})
    assert "The neutral Army in Swabia is back." in news


def test_ambition_and_empire_v_2_a_home_that_is_won_is_told():
    news, _ = told("ambition_empire", "F1763M", units={"Spain": ["A POR"]}, centers={"Spain": ["BRC", "MAD"]})
    assert "Portugal is a home center of Spain from now on." in news


# --- by mail ----------------------------------------------------------------------------------------------------------


def stands(desk: DeskAtWork, phase_name: str, **tables: Any) -> None:
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        phase = open_phase(session, game)
        assert phase
        phase.name = phase_name
        phase.position = {**phase.position, "phase": phase_name, **tables}


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_seven()
    desk.new_mails()
    return desk


def results(mails: list[Posted], who: str) -> str:
    return next(mail.text for mail in mails if mail.to == f"{who}@example.org" and "Results" in mail.subject)


def test_a_player_with_nothing_to_do_reads_so(heron):
    stands(heron, "F1901M", units={"France": ["A PAR", "A MAR", "A BUR"], "Germany": ["A MUN"]},
           centers={"France": ["PAR", "MAR", "BRE"], "Germany": ["MUN", "BER"]})
    mails = heron.ring(heron.now + timedelta(days=9))
    assert "You have nothing to order in this phase." in results(mails, "france")
    assert "You have nothing to order" not in results(mails, "germany")
    assert "You have nothing to order" not in results(mails, "kim")


def test_a_unit_that_was_told_as_disbanded_does_not_reappear_in_the_retreats(heron):
    stands(heron, "S1902M", units={"Italy": ["A TRI", "F ADR", "A VEN"], "Austria": ["F ALB"],
                                   "France": ["A BUR", "A GAS", "A MAR"], "Germany": ["A PAR"],
                                   "Turkey": ["F ION", "F GRE", "A SER"], "England": ["F BRE"]})
    for who, lines in {
        "turkey": "SIGNON Theron pwturkey\nF GRE - ALB\nF ION S F GRE - ALB\nA SER S F GRE - ALB",
        "italy": "SIGNON Iheron pwitaly\nF ADR H\nA TRI H",
        "france": "SIGNON Fheron pwfrance\nA BUR - PAR\nA GAS S A BUR - PAR",
        "england": "SIGNON Eheron pwengland\nF BRE H",
    }.items():
        heron.writes(f"{who}@example.org", lines)
    mails = heron.ring(heron.now + timedelta(days=9))
    first = results(mails, "kim")
    assert "Austrian Fleet in Albania with no valid retreats was destroyed." in flat(first), first
    assert "German Army in Paris" in flat(first) and "can retreat" in flat(first)
    listed = flat(heron.replies("al@example.org", "LIST heron").text)
    assert "Austrian Fleet in Albania" not in listed and "German Army in Paris" in listed
    second = flat(results(heron.ring(heron.now + timedelta(days=9)), "kim"))
    assert "Austrian Fleet in Albania" not in second and "German Army in Paris had no order and is" in second


EJECTED = "SIGNON Mheron gm\nEJECT Turkey\nSET DISORDER Turkey"


def test_eject_and_disorder_in_one_letter_are_one_mail_for_each_reader(heron):
    mails = heron.writes(KIM, EJECTED)
    told = [mail for mail in mails if mail.message["Auto-Submitted"] != "auto-replied"]
    assert len({mail.to for mail in told}) == len(told) == 8
    for mail in told:
        if mail.to != "turkey@example.org":
            assert flat(mail.text).startswith("Turkey has left heron and is in permanent civil disorder: its")
            assert "open to others" not in mail.text
    (own,) = [mail for mail in told if mail.to == "turkey@example.org"]
    assert own.subject == "JUDG:heron - You Have Left the Game"


def test_where_disorder_makes_neutrals_it_is_one_mail_with_the_new_position(desk):
    """1648, Civil Disorder."""
    desk.seat_all("heron", "1648")
    desk.new_mails()
    mails = [mail for mail in desk.writes(KIM, EJECTED) if mail.message["Auto-Submitted"] != "auto-replied"]
    assert len({mail.to for mail in mails}) == len(mails) == 10
    (france,) = [mail for mail in mails if mail.to == "france@example.org"]
    assert france.subject == "JUDG:heron - S1649M Civil Disorder: Turkey"
    text = flat(france.text)
    assert text.startswith("Turkey has left heron and is in permanent civil disorder: its centers become neutral")
    assert "Belgrade is now neutral, with an army." in text and "Neutral: Army Belgrade." in text


def test_who_is_only_ejected_is_told_of_as_before(heron):
    mails = heron.writes(KIM, "SIGNON Mheron gm\nEJECT Turkey")
    (france,) = [mail for mail in mails if mail.to == "france@example.org"]
    assert flat(france.text).startswith("Turkey has left heron. Turkey is open to others.")


def test_the_end_mail_names_every_power_those_in_disorder_too(heron):
    heron.writes(KIM, EJECTED)
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT Italy")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    (text,) = [mail.text for mail in mails if mail.to == "france@example.org"]
    assert "Turkey:      in civil disorder, before that Turkey\n" in text
    assert "Italy:       open, before that Italy\n" in text and "France:      France\n" in text
    assert all(f"{power.name}:" in text for power in load_variant("standard").powers)
