"""Provinces and borders that are closed in a season: section 8 of the Diplomacy Adjudicator Test Cases 2.4 (ice), whose
place is here the Barents Sea of the standard board.
"""

import pytest

from judge.mails.boardview import province_view
from judge.rules import OrderError, Variant, adjudicate, load_variant, position_from_json, start_position
from judge.rules.describe import rules_in_words
from judge.rules.mechanisms.crossings import Canals, ClosedSeasons
from judge.rules.phases.retreats_and_winters import choices
from judge.rules.selfplay import play
from judge.rules.variant.loading import read_variant
from tests.rules.boards import files_of, mistakes
from tests.rules.lines import read_order
from tests.texts import table

STANDARD = load_variant("standard")
ICE = ClosedSeasons({"Spring": ("FIN-SWE",), "Fall": ("BAR", "PAR-BUR")}, "ice")
BOARD = STANDARD.with_rule(ICE)


def refused(text: str, *units: str, phase: str = "F1901M", board: Variant = BOARD) -> str:
    position = position_from_json(board, {"phase": phase, "units": {"Russia": list(units)}})
    with pytest.raises(OrderError) as why:
        read_order(board.at(phase), position, "Russia", text)
    return str(why.value)


def carried_out(text: str, *units: str, phase: str = "S1901M") -> bool:
    position = position_from_json(BOARD, {"phase": phase, "units": {"Russia": list(units)}})
    order = read_order(BOARD.at(phase), position, "Russia", text)
    return adjudicate(BOARD, position, {"Russia": [order]}).results[0].results == ("ok",)


def test_8_a_nothing_gets_in():
    assert refused("F NWG - BAR", "F NWG") == (
        "Fleet Norwegian Sea cannot reach Barents Sea in Fall: ice closes the way."
    )
    assert carried_out("F NWG - BAR", "F NWG")


def test_8_b_nothing_gets_out():
    assert "cannot reach Norwegian Sea in Fall: ice closes the way" in refused("F BAR - NWG", "F BAR")
    assert carried_out("F BAR - NWG", "F BAR")


def test_8_c_nothing_supports_from_there_or_into_it():
    assert refused("F BAR S F NWG - NWY", "F BAR", "F NWG") == (
        "Fleet Barents Sea cannot reach Norway to support there in Fall: ice closes the way."
    )
    assert "in Fall: ice closes the way" in refused("F NWG S F BAR", "F BAR", "F NWG")
    assert carried_out("F BAR S F NWG - NWY", "F BAR", "F NWG") is False, "the move was not ordered"


@pytest.mark.parametrize(("phase", "open_to"), [("S1901R", ("BAR", "NTH")), ("F1901R", ("NTH",))])
def test_8_d_nothing_retreats_there(phase, open_to):
    position = position_from_json(
        BOARD,
        {
            "phase": phase,
            "units": {"England": ["F NWG", "F EDI", "F NAO", "F CLY", "F NWY"]},
            "dislodged": {"Russia": [{"unit": "F NWG", "from": "NAO", "by_convoy": False, "retreats": []}]},
        },
    )
    assert choices(BOARD.at(phase), position)["Russia"] == {position.dislodged["Russia"][0].unit: open_to}


def test_8_e_nothing_is_convoyed_there():
    units = ("A NWY", "F BAR")
    assert refused("F BAR C A NWY - STP", *units) == (
        "Fleet Barents Sea is on no convoy route from Norway to St. Petersburg in Fall: ice closes the way."
    )
    assert refused("A NWY - STP VIA", *units) == (
        "There are no fleets that could convoy Army Norway to St. Petersburg in Fall: ice closes the way."
    )
    position = position_from_json(BOARD, {"phase": "S1901M", "units": {"Russia": list(units)}})
    read_order(BOARD.at("S1901M"), position, "Russia", "F BAR C A NWY - STP")


def test_what_stands_there_stays():
    position = position_from_json(BOARD, {"phase": "F1901M", "units": {"Russia": ["F BAR"], "England": ["F NWG"]}})
    after = adjudicate(BOARD, position, {}).position
    assert [str(unit) for unit in after.units["Russia"]] == ["F BAR"] and not after.dislodged


@pytest.mark.parametrize(
    ("text", "unit", "phase", "open_in"),
    [("A FIN - SWE", "A FIN", "S1901M", "F1901M"), ("A BUR - PAR", "A BUR", "F1902M", "S1902M")],
)
def test_a_border_is_closed_in_its_season(text, unit, phase, open_in):
    assert "ice closes the way" in refused(text, unit, phase=phase)
    assert carried_out(text, unit, phase=open_in)


OVER_THE_CHANNEL = STANDARD.with_rule(ClosedSeasons({"Fall": ("ENG-LON",)}, "ice"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("A LON - BEL", "Army London cannot reach Belgium"),
        ("A PIC S A LON - BEL", "Army London cannot reach Belgium"),
        ("F ENG C A LON - BEL", "Fleet English Channel is on no convoy route from London to Belgium"),
    ],
)
def test_a_convoy_over_a_border_that_is_closed_is_told_the_season(text, told):
    units = ("A LON", "A PIC", "F ENG")
    assert refused(text, *units, board=OVER_THE_CHANNEL) == f"{told} in Fall: ice closes the way."
    assert refused(text, *units[:2], "F IRI", board=OVER_THE_CHANNEL).endswith(("Belgium.", "English Channel."))


@pytest.mark.parametrize("text", ["F LON - BAR", "F BAR - LON", "F BAR S F LON", "F LON S F BAR"])
def test_what_is_closed_is_not_the_reason_where_no_way_leads_in_any_season(text):
    assert "Fall" not in refused(text, "F BAR", "F LON")
    assert "Fall" not in refused("A PIC S A BEL - BEL", "A PIC", "A BEL", "F ENG", board=OVER_THE_CHANNEL)


def test_no_retreat_is_told_of_a_convoy():
    away = {"unit": "A LON", "from": "WAL", "by_convoy": False, "retreats": []}
    position = position_from_json(
        BOARD, {"phase": "F1901R", "units": {"France": ["A WAL", "F ENG"]}, "dislodged": {"Russia": [away]}}
    )
    with pytest.raises(OrderError, match="^Army London cannot reach Belgium.$"):
        read_order(OVER_THE_CHANNEL.at("F1901R"), position, "Russia", "A LON - BEL")


def test_a_ruleset_of_one_season_knows_the_other():
    assert BOARD.at("F1901M").at("S1902M") is BOARD.at("S1902M") and BOARD.at("F1901M").at("W1901A") is BOARD
    assert BOARD.at("F1901M") is BOARD.at("F1907R"), "it is made once"
    assert BOARD.at("F1901R").at("W1901A").provinces["BAR"] == STANDARD.provinces["BAR"]


def test_a_canal_that_opens_does_not_thaw_anything():
    board = load_variant("1900").with_rule(ICE).with_rule(Canals({"STP": 1902}))
    assert board.at("F1902M").provinces["BAR"].fleet == {"": ()}
    assert board.at("F1902M").provinces["STP"].coasts == () == board.at("F1902M").at("S1903M").provinces["STP"].coasts
    assert board.at("F1902M").at("F1901M").provinces["STP"].coasts != ()


def test_without_a_reason_the_season_is_told():
    plain = STANDARD.with_rule(ClosedSeasons({"Fall": ("BAR",)}))
    told = refused("F NWG - BAR", "F NWG", board=plain)
    assert told == "Fleet Norwegian Sea cannot reach Barents Sea in Fall: the way is closed."


def test_what_players_read():
    said = rules_in_words(BOARD)
    spring, fall, border = (sentence for sentence in said if " is closed by " in sentence)
    assert spring.startswith("In Spring the border between Finland and Sweden is closed by ice, also for supports")
    assert border.startswith("In Fall the border between Paris and Burgundy is closed by ice, also for supports")
    assert fall == (
        "In Fall Barents Sea is closed by ice: no unit can enter or leave it, not even by retreat. Units there stay, "
        "and can neither support nor convoy."
    )


@pytest.mark.parametrize(
    ("province", "closed"),
    [
        ("BAR", ["in Fall"]),
        ("PAR", ["the way to Burgundy in Fall"]),
        ("SWE", ["the way to Finland in Spring"]),
        ("LON", []),
    ],
)
def test_what_players_read_of_a_province(province, closed):
    facts = province_view(BOARD, start_position(BOARD), province).facts
    assert [text for label, text in facts if label == "Closed"] == closed


def test_ten_years_of_random_orders():
    assert len(list(play(BOARD, 10, seed=4))) > 20


def test_its_file_is_read_without_a_mistake():
    rules, provinces = files_of("standard")
    rules += '[closed]\nSpring = "FIN-SWE"\nFall = "BAR PAR-BUR"\nby = "ice"'
    assert mistakes(rules, provinces) == []
    assert read_variant("icy", rules, provinces).rule(ClosedSeasons) == ICE


@pytest.mark.parametrize(
    ("written", "told"),
    [
        *table("""
        Fall = "QQQ"                 => closed: QQQ is neither a province nor a border
        Fall = "BAR-LON"             => closed: BAR-LON is neither a province nor a border
        Winter = "BAR"               => closed: there is no key Winter
        Fall = 'BAR FIN-SWE SWE-FIN' => closed: SWE-FIN is there twice
        Fall = 'BAR' / by = 3        => closed: by must be a line of text
        by = 'ice'                   => closed: it needs Spring or Fall
        Fall = ''                    => closed: it needs Spring or Fall
        Fall = 3                     => closed: Fall must be text: provinces and borders"""),
        ('Fall = "BAR"\nby = "ice\\nX"', "closed: by must be a line of text"),
    ],
)
def test_mistakes_in_its_table(written, told):
    rules, provinces = files_of("standard")
    assert told in [one.text for one in mistakes(f"{rules}\n[closed]\n{written}\n", provinces)]
