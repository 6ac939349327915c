"""What came to pass is told in the results: eliminations, emergencies, canals, ties, the end; and once, in one mail."""

import re
from datetime import timedelta
from typing import Any

import pytest

from judge.mails.blocks import broken
from judge.mails.results import results_of
from judge.rules import adjudicate, load_variant, position_from_json
from tests.commands.deskatwork import Posted
from tests.texts import flat

KIM = "kim@example.org"


def told(variant_name: str, phase: str, **table: Any) -> tuple[str, str]:
    """(the news, the counts) of a phase as its results tell them."""
    variant = load_variant(variant_name).at(phase)
    position = position_from_json(variant, {"phase": phase, "units": {}, "centers": {}, **table})
    view = results_of(variant, position, adjudicate(variant, position, {}))
    return " ".join(view.news), "\n".join(count.line for count in view.counts)


# --- the emergency: 1900, the Russian Emergency Measures Rule ---------------------------------------------------------

FOUR = ["MOS", "SEV", "STP", "WAR"]


MANY = [one.abbr for one in load_variant("1900").provinces.values() if one.center and one.abbr not in FOUR]
OVER = "The emergency of Russia is over."
CANAL = "The canal of Suez is open: fleets can pass through"
BOTH = {"Germany": ["A WAR"], "Russia": ["A MOS"]}
NEWS = [
    # the variant, the phase, units, centers, what is told
    ("1900", "F1900M", BOTH, {"Russia": FOUR, "Germany": ["BER"]}, "The emergency of Russia begins."),
    ("1900", "F1900M", BOTH, {"Russia": FOUR, "Germany": ["BER"]}, "an emergency: it can have 1 more unit"),
    ("1900", "F1901M", {"Russia": ["A MOS", "A WAR"]}, {"Russia": FOUR[:3], "Germany": ["WAR"]}, OVER),
    ("1900", "F1901M", {"Russia": ["A UKR"], "Germany": ["A MOS"]}, {"Russia": ["MOS"], "Germany": ["WAR"]}, OVER),
    # Victory Conditions: a tie at the number that wins.
    ("1900", "F1905M", {"Germany": ["A BUR"], "Britain": ["F NTH"]},
     {"Germany": MANY[:18], "Britain": [*MANY[18:], *FOUR][:18]},
     "Britain and Germany have 18 centers each. No one has more than all the others, so the game continues."),
    ("standard", "F1905M", {"Germany": ["A VIE"]}, {"Austria": ["VIE"]}, "Austria is eliminated."),
    ("standard", "W1905A", {"Germany": ["A VIE"], "Austria": ["A TYR"]}, {"Germany": ["VIE"]},
     "Austria is eliminated."),
    ("intercontinental", "F1866M", {"China": ["A Lond"]}, {"Great Britain": ["Lond"]},
     "Great Britain is eliminated. Blue has nothing left on the board."),
    # Intercontinental, 5.2; 1648, Minor Powers; Ambition & Empire, V.2.
    ("intercontinental", "W1869A", {"China": ["A Peki"]}, {"China": ["Peki"]}, CANAL),
    ("1648", "W1649A", {"France": ["A PAR"]}, {"France": ["PAR"]}, "The neutral Army in Swabia is back."),
    ("ambition_empire", "F1763M", {"Spain": ["A POR"]}, {"Spain": ["BRC", "MAD"]},
     "Portugal is now a home center of Spain."),
]  # fmt: skip
NO_NEWS = [
    ("1900", "F1901M", {"Russia": ["A MOS"]}, {"Russia": FOUR[:2]}, "emergency of"),
    ("1900", "F1901M", {"Russia": ["A MOS", "A WAR"]}, {"Russia": FOUR[:3], "Germany": ["WAR"]}, "in an emergency"),
    ("1900", "F1905M", BOTH, {"Russia": FOUR, "Germany": MANY[:18]}, "emergency"),  # the game is over
    ("standard", "F1905M", {"Germany": ["A VIE"], "Austria": ["A TYR"]}, {"Austria": ["VIE"]}, "eliminated"),
    ("intercontinental", "W1868A", {"China": ["A Peki"]}, {"China": ["Peki"]}, CANAL),
    ("intercontinental", "S1869M", {"China": ["A Peki"]}, {"China": ["Peki"]}, CANAL),
]


def test_what_came_to_pass_is_told_and_nothing_else() -> None:
    for table, is_told in ((NEWS, True), (NO_NEWS, False)):
        for variant, phase, units, centers, words in table:
            said = " ".join(told(variant, phase, units=units, centers=centers))
            assert (words in said) == is_told, (variant, phase, said)


@pytest.mark.parametrize("name", ["1900", "1648", "ambition_empire", "intercontinental"])
def test_the_victory_stands_on_one_line_with_three_numbers_and_nothing_to_build(name):
    variant = load_variant(name)
    centers = [one.abbr for one in variant.provinces.values() if one.center][: variant.victory]
    power = "Great Britain" if variant.groups else max((power.name for power in variant.powers), key=len)
    _, counts = told(name, "F1901M", units={power: [f"A {centers[0]}"]}, centers={power: centers})
    (line,) = [line for line in counts.splitlines() if "VICTORY" in line]
    assert line.endswith("(* VICTORY!! *)") and broken(line, "") == line
    assert set(re.findall(r"Units?: +(.*?)\.", counts)) == {"Builds   0 units"}


# --- by mail ----------------------------------------------------------------------------------------------------------


def results(mails: list[Posted], who: str) -> str:
    return next(mail.text for mail in mails if mail.to == f"{who}@example.org" and "Results" in mail.subject)


def test_a_unit_that_was_told_as_disbanded_does_not_reappear_in_the_retreats(heron):
    heron.lay(
        "S1902M",
        units={
            "Italy": ["A TRI", "F ADR", "A VEN"],
            "Austria": ["F ALB"],
            "France": ["A BUR", "A GAS", "A MAR"],
            "Germany": ["A PAR"],
            "Turkey": ["F ION", "F GRE", "A SER"],
            "England": ["F BRE"],
        },
    )
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
    listed = heron.replies("al@example.org", "LIST heron").flat
    assert "Austrian Fleet in Albania" not in listed and "German Army in Paris" in listed
    second = flat(results(heron.ring(heron.now + timedelta(days=9)), "kim"))
    assert "Austrian Fleet in Albania" not in second and "German Army in Paris had no order and is" in second


DISORDERED = "The master has removed the player of Turkey in heron and put it into permanent civil disorder: "
EJECTED = "SIGNON Mheron gm\nEJECT Turkey\nSET DISORDER Turkey"


def test_eject_and_disorder_in_one_letter_are_one_mail_for_each_reader(heron):
    mails = heron.writes(KIM, EJECTED)
    told = [mail for mail in mails if mail.message["Auto-Submitted"] != "auto-replied"]
    assert len({mail.to for mail in told}) == len(told) == 8
    for mail in told:
        if mail.to != "turkey@example.org":
            assert mail.flat.startswith(f"{DISORDERED}its units hold")
            assert "open to others" not in mail.text
    (own,) = [mail for mail in told if mail.to == "turkey@example.org"]
    assert own.subject == "JUDG:heron - No Longer in the Game"


def test_where_disorder_makes_neutrals_it_is_one_mail_with_the_new_position(desk):
    """1648, Civil Disorder."""
    desk.seat_all("heron", "1648")
    desk.new_mails()
    mails = [mail for mail in desk.writes(KIM, EJECTED) if mail.message["Auto-Submitted"] != "auto-replied"]
    assert len({mail.to for mail in mails}) == len(mails) == 10
    (france,) = [mail for mail in mails if mail.to == "france@example.org"]
    assert france.subject == "JUDG:heron - S1649M Civil Disorder: Turkey"
    text = france.flat
    assert text.startswith(f"{DISORDERED}its centers become neutral")
    assert "Belgrade is now neutral, with an army." in text and "Neutral: Army Belgrade." in text


def test_the_end_mail_names_every_power_those_in_disorder_too(heron):
    heron.writes(KIM, EJECTED)
    heron.writes(KIM, "SIGNON Mheron gm\nEJECT Italy")
    mails = heron.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    (text,) = [mail.text for mail in mails if mail.to == "france@example.org"]
    assert "Turkey:      Turkey, until S1901M\nTurkey:      in civil disorder at the end\n" in text
    assert "Italy:       Italy, until S1901M\n" in text and "France:      France\n" in text
    assert all(f"{power.name}:" in text for power in load_variant("standard").powers)
