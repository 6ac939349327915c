"""Borders changed for one game: what may be changed, how it is written, and that the variant itself stays as it is."""

import pytest

from judge.rules import OrderError, adjudicate, load_variant, parse_order, position_from_json
from judge.rules.board.province import BorderChange
from judge.rules.game_options import check_change, in_words, read_change, told, with_borders, with_change
from tests.rules.lines import read_order

STANDARD = load_variant("standard")
GLOBE = load_variant("intercontinental")


def changed(*texts: str):
    return with_borders(STANDARD, texts)


def position(variant, *units: str):
    return position_from_json(variant, {"phase": "S1901M", "units": {"France": list(units)}, "centers": {}})


@pytest.mark.parametrize(
    ("adds", "unit", "places", "text"),
    [
        (True, "FLEET", "ska - bal", "ADD FLEET BAL SKA"),
        (True, "FLEET", "Skagerrak Baltic Sea", "ADD FLEET BAL SKA"),
        (False, "ARMY", "paris to burgundy", "REMOVE ARMY BUR PAR"),
        (True, "FLEET", "Western Mediterranean - stp (north coast)", "ADD FLEET STP/NC WES"),
        (True, "ARMY", "spa/nc - par", "ADD ARMY PAR SPA"),
    ],
)
def test_a_change_is_read_as_people_write_it(adds, unit, places, text):
    assert str(read_change(STANDARD, adds, unit, places)) == text


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (BorderChange(True, "ARMY", "PAR", "PAR"), "A province cannot border itself."),
        (BorderChange(True, "ARMY", "LON", "NTH"), "No army can be in North Sea."),
        (BorderChange(True, "FLEET", "GAS", "PAR"), "No fleet can be in Paris."),
        (BorderChange(True, "FLEET", "GAS", "SPA"), "Which coast of Spain? Write GAS - SPA/NC or GAS - SPA/SC."),
        (BorderChange(True, "ARMY", "PAR", "SWI"), "No army can be in Switzerland."),
        (
            BorderChange(True, "ARMY", "BUR", "PAR"),
            "That is already the case. Armies can move between Burgundy [BUR] and Paris [PAR].",
        ),
        (
            BorderChange(False, "FLEET", "BAL", "SKA"),
            "That is already the case. Fleets cannot move between Baltic Sea [BAL] and Skagerrak [SKA].",
        ),
    ],
)
def test_what_cannot_be_changed_is_refused_with_the_reason(change, why):
    with pytest.raises(OrderError) as refusal:
        check_change(STANDARD, change)
    assert str(refusal.value) == why


def test_a_province_keeps_a_border():
    alone = changed("REMOVE FLEET ION TUN", "REMOVE FLEET NAF TUN", "REMOVE FLEET TUN TYS", "REMOVE FLEET TUN WES")
    with pytest.raises(OrderError, match="Tunis would have no border left"):
        check_change(alone, BorderChange(False, "ARMY", "NAF", "TUN"))


def test_an_added_border_can_be_used_in_both_directions_and_the_variant_is_untouched():
    variant = changed("ADD FLEET BAL SKA")
    for text in ("F BAL - SKA", "F SKA - BAL"):
        at = position(variant, text[:5])
        assert str(read_order(variant, at, "France", text)) == text
        outcome = adjudicate(variant, at, {"France": [parse_order(variant, "M", text)]})
        assert outcome.results[0].results == ("ok",)
        with pytest.raises(OrderError):
            read_order(STANDARD, position(STANDARD, text[:5]), "France", text)


def test_a_coast_gets_the_border_that_was_said():
    variant = changed("ADD FLEET STP/NC WES", "REMOVE FLEET BAR STP/NC")
    assert variant.provinces["STP"].fleet["NC"] == ("NWY", "WES")
    assert variant.provinces["STP"].fleet["SC"] == STANDARD.provinces["STP"].fleet["SC"]
    assert "STP/NC" in variant.provinces["WES"].fleet[""]
    assert "STP/NC" not in variant.provinces["BAR"].fleet[""]


def test_the_opposite_takes_a_change_back():
    add = BorderChange(True, "FLEET", "BAL", "SKA")
    assert with_change(["REMOVE ARMY BUR PAR", str(add)], add.opposite) == ["REMOVE ARMY BUR PAR"]
    assert with_change([], add) == ["ADD FLEET BAL SKA"]
    assert changed("ADD FLEET BAL SKA", "REMOVE FLEET BAL SKA").provinces == STANDARD.provinces


def test_a_change_that_the_variant_itself_has_by_now_does_no_harm():
    assert changed("ADD ARMY BUR PAR", "REMOVE FLEET BAL SKA") is STANDARD


def test_a_change_in_words():
    assert in_words(STANDARD, "ADD FLEET STP/NC WES") == (
        "Fleets can move between St. Petersburg (north coast) [STP/NC] and Western Mediterranean [WES]."
    )
    assert in_words(STANDARD, "REMOVE ARMY BUR PAR") == "Armies cannot move between Burgundy [BUR] and Paris [PAR]."


def ways(variant, place: str) -> set[str]:
    """Where fleets go from a place, and whence they come to it: both must be the same."""
    abbr, _, coast = place.partition("/")
    out = set(variant.provinces[abbr].fleet[coast])
    back = {
        f"{other.abbr}/{side}".rstrip("/")
        for other in variant.provinces.values()
        for side, places in other.fleet.items()
        if place in places
    }
    assert out == back
    return out


def test_what_was_corrected_before_a_canal_opens_holds_after_it():
    """Intercontinental, 5.2: on a coast until then, of the canal as a whole from then on."""
    texts = ["ADD FLEET Cand Suez/NC", "REMOVE FLEET Aswa Suez/SC", "REMOVE FLEET EMS Suez/NC", "ADD FLEET EMS Suez/SC"]
    variant = with_borders(GLOBE, texts)
    shut, open_now = variant.at("F1869M"), variant.at("S1870M")
    assert ways(shut, "Suez/NC") == {"Alex", "Cand", "Jeru"} and ways(shut, "Suez/SC") == {"EMS", "Mecc", "RedS"}
    assert ways(open_now, "Suez") == {"Alex", "Cand", "EMS", "Jeru", "Mecc", "RedS"}
    assert told(shut, texts) == [in_words(shut, text) for text in texts]
    assert told(open_now, texts) == [
        "Fleets can move between Candia [Cand] and Suez [Suez].",
        "Fleets cannot move between Aswan [Aswa] and Suez [Suez].",
        "Fleets can move between East Mediterranean Sea [EMS] and Suez [Suez].",
    ]


def test_what_is_corrected_of_an_open_canal_counts_from_its_opening_on():
    """It has no coasts then; before, and after going back to before, it has those that it had."""
    open_now = GLOBE.at("S1870M")
    for written in ("Suez - Candia", "Suez/NC - Cand", "cand - suez"):
        change = read_change(open_now, True, "FLEET", written)
        assert str(change) == "ADD FLEET Cand Suez"
    check_change(open_now, change)
    texts = ["ADD FLEET Jeru Suez/SC", str(change), "REMOVE FLEET RedS Suez", "REMOVE FLEET Jeru Suez"]
    variant = with_borders(GLOBE, texts)
    assert ways(variant.at("S1870M"), "Suez") == {"Alex", "Aswa", "Cand", "EMS", "Mecc"}
    assert "Cand" not in ways(variant.at("F1869M"), "Suez/NC")
    assert ways(variant.at("F1869M"), "Suez/SC") == {"Aswa", "Jeru", "Mecc", "RedS"}
    assert told(variant.at("S1870M"), texts) == [in_words(open_now, text) for text in texts[1:]]
    assert told(variant.at("F1869M"), texts) == [in_words(GLOBE, texts[0])]
    with pytest.raises(OrderError, match=r"already the case. .*\[Cand\] and Suez"):
        check_change(variant.at("S1870M"), change)


def test_a_border_of_a_canal_is_one_of_a_coast_as_long_as_it_is_shut():
    with pytest.raises(OrderError, match="Which coast of Suez. Write Cand - Suez/NC or Cand - Suez/SC"):
        check_change(GLOBE.at("F1869M"), BorderChange(True, "FLEET", "Cand", "Suez"))
