"""`judge adjudicate`: a phase as a line of JSON in, its outcome as a line of JSON out."""

import json
from dataclasses import replace

import pytest

from judge.rules import answer_line, load_variant, position_from_json, position_to_json, start_position
from judge.rules.json_forms import outcome_from_json, outcome_to_json
from judge.rules.mechanisms.victory import Victory
from judge.rules.selfplay import play

STANDARD = load_variant("standard")


def outcome(**data) -> dict:
    text, ok = answer_line(json.dumps({"variant": "standard", **data}))
    assert ok, text
    return json.loads(text)


def error(text: str) -> str:
    answer, ok = answer_line(text)
    assert not ok
    return json.loads(answer)["error"]


def spring(rest: str) -> str:
    return '{"variant": "standard", "phase": "S1901M", ' + rest + "}"


def test_left_out_units_and_centers_are_the_start():
    out = outcome(phase="S1901M", orders={"France": ["A PAR - BUR"]})
    assert out["next"] == "F1901M"
    assert out["units"]["France"] == ["A BUR", "A MAR", "F BRE"]
    assert out["centers"]["Russia"] == ["MOS", "SEV", "STP", "WAR"]
    assert (out["dislodged"], out["contested"], out["homes"], out["winner"]) == ({}, [], {}, None)
    assert "adjust" not in out


def test_names_are_read_in_any_case_and_answered_in_the_variants_own():
    out = outcome(
        phase="f1901m", units={"fRANCE": ["a par", "F spa/sc", "army bur"]}, centers={"FRANCE": ["par"]},
        orders={"french": ["a paris - picardy"]},
    )  # fmt: skip
    assert out["phase"] == "F1901M"
    assert out["orders"] == [{"power": "France", "order": "A PAR - PIC", "results": ["ok"]}]
    assert out["units"] == {"France": ["A BUR", "A PIC", "F SPA/SC"]}
    assert out["centers"] == {"France": ["PAR", "SPA"]}


def test_results_stand_in_the_order_in_which_the_orders_were_given():
    out = outcome(
        phase="S1901M",
        orders={
            "Germany": ["A MUN - BUR", "A BER - XYZ", "F KIE - MUN"],
            "France": ["A MAR S A PAR - BUR", "A PAR - BUR"],
        },
    )
    assert [(entry["power"], entry["order"], entry["results"]) for entry in out["orders"]] == [
        ("Germany", "A MUN - BUR", ["bounce"]),
        ("Germany", "A BER - XYZ", ["void"]),
        ("Germany", "F KIE - MUN", ["void"]),
        ("France", "A MAR S A PAR - BUR", ["ok"]),
        ("France", "A PAR - BUR", ["ok"]),
    ]
    assert [entry.get("why", "") for entry in out["orders"]] == [
        "", '"XYZ" is not a province.', "Fleet Kiel cannot reach Munich.", "", "",
    ]  # fmt: skip


def test_of_two_orders_for_a_unit_the_last_good_one_counts():
    out = outcome(phase="S1901M", orders={"France": ["A PAR - BUR", "A PAR - PIC", "A PAR - LON"]})
    assert [entry["results"] for entry in out["orders"]] == [["void"], ["ok"], ["void"]]
    assert out["orders"][0]["why"] == "A later order for the unit replaced this one."
    assert "A PIC" in out["units"]["France"]


def test_a_dislodged_unit_is_listed_with_its_retreats_and_the_retreat_phase_follows():
    out = outcome(
        phase="F1901M",
        units={"Germany": ["A MUN", "A SIL"], "France": ["A BUR",
        "A RUH"], "Italy": ["A VEN"], "Austria": ["A VIE"]},
        centers={},
        orders={"France": ["A BUR - MUN",
        "A RUH S A BUR - MUN"], "Italy": ["A VEN - TYR"], "Austria": ["A VIE - TYR"]},
    )
    assert out["next"] == "F1901R"
    assert out["contested"] == ["TYR"]
    assert out["dislodged"] == {
        "Germany": [{"unit": "A MUN", "from": "BUR", "by_convoy": False, "retreats": ["BER", "BOH", "KIE"]}]
    }
    assert out["units"]["Germany"] == ["A SIL"]


def test_a_unit_with_nowhere_to_go_is_disbanded_without_a_retreat_phase():
    out = outcome(
        phase="S1901M",
        units={"England": ["F NAF"], "France": ["F MAO", "F WES"], "Italy": ["A TUN"]},
        orders={"France": ["F MAO - NAF", "F WES S F MAO - NAF"]},
    )
    assert out["dislodged"] == {"England": [{"unit": "F NAF", "from": "MAO", "by_convoy": False, "retreats": []}]}
    assert out["next"] == "F1901M"
    assert "England" not in out["units"]


def test_retreats_follow_from_the_line_alone():
    out = outcome(
        phase="F1901R",
        units={"France": ["A MUN"]},
        centers={"Germany": ["MUN", "BER"]},
        dislodged={"Germany": [{"unit": "A MUN", "from": "bur", "by_convoy": False}]},
        contested=["tyr"],
        orders={"Germany": ["A MUN - TYR"]},
    )
    assert out["orders"][0]["results"] == ["void"]
    assert out["orders"][0]["why"] == "Tyrolia is closed to retreats, because there was a stand-off."
    assert out["units"] == {"France": ["A MUN"]}
    assert out["centers"] == {"France": ["MUN"], "Germany": ["BER"]}
    assert (out["next"], out["adjust"]) == ("W1901A", {"Germany": 1})


def test_centers_change_hands_after_the_fall_only():
    spring = outcome(phase="S1901M", units={"France": ["A BEL"]}, centers={})
    fall = outcome(phase="F1901M", units={"France": ["A BEL"]}, centers={})
    assert (spring["centers"], fall["centers"]) == ({}, {"France": ["BEL"]})


def test_after_a_victory_there_is_no_next_phase_and_nobody_builds():
    out = outcome(phase="F1905M", units={"France": ["A PAR"]}, centers={"France": list(STANDARD.centers[:18])})
    assert (out["winner"], out["next"]) == ("France", None)
    assert "adjust" not in out and "draw" not in out


def test_after_the_draw_of_the_last_year_there_is_no_next_phase():
    line = {"units": {"France": ["A PAR"]}, "centers": {"France": ["PAR", "BRE"], "Italy": ["ROM"]}}
    out = outcome(phase="F1905M", settings={"year_cap": 1905}, **line)
    assert (out["draw"], out["next"]) == (["France", "Italy"], None)
    assert "adjust" not in out
    assert outcome(phase="F1904M", settings={"year_cap": 1905}, **line)["next"] == "W1904A"


def test_an_outcome_after_the_end_is_read_again():
    """It is stored with the last phase of a game."""
    data = outcome(phase="F1905M", units={"France": ["A PAR"]}, centers={"France": list(STANDARD.centers[:18])})
    again = outcome_from_json(STANDARD, data)
    assert (again.winner, again.over, again.position.phase) == ("France", True, "W1905A")
    assert outcome_to_json(STANDARD, again) == data


def test_selfplay_ends_with_the_draw_of_the_last_year():
    victory = STANDARD.rule(Victory)
    assert victory
    capped = STANDARD.with_rule(replace(victory, year_cap=1902))
    played = [line["phase"] for line in play(capped, years=9, seed=3)]
    assert played[-1] in ("F1902M", "F1902R")


def test_a_winter_in_which_nobody_has_anything_to_do_is_left_out():
    out = outcome(phase="F1901M", units={"France": ["A BEL", "A PAR"]}, centers={"France": ["PAR"]})
    assert out["next"] == "S1902M"
    assert "adjust" not in out


def test_builds_are_bounded_by_the_homes_that_are_free():
    out = outcome(
        phase="F1901M", units={"France": ["A PAR"]}, centers={"France": ["PAR", "BRE", "SPA", "POR", "BEL"]}
    )
    assert out["adjust"] == {"France": 1}


def test_a_winter_builds_removes_and_goes_on_to_spring():
    out = outcome(
        phase="W1901A",
        units={"France": ["A PAR"], "Germany": ["A BER", "A PRU"]},
        centers={"France": ["PAR", "BRE", "MAR"], "Germany": ["BER"]},
        orders={"France": ["BUILD F MAR", "WAIVE", "BUILD A BRE"]},
    )
    assert [entry["results"] for entry in out["orders"]] == [["ok"], ["ok"], ["void"]]
    assert out["orders"][2]["why"] == "You have only 2 to build."
    assert out["units"] == {"France": ["A PAR", "F MAR"], "Germany": ["A BER"]}
    assert out["next"] == "S1902M"


def test_the_winner_has_eighteen_and_strictly_more():
    centers = STANDARD.centers
    won = outcome(phase="F1910M", units={}, centers={"France": centers[:18], "Italy": centers[18:]})
    tied = outcome(phase="F1910M", units={}, centers={"France": centers[:17], "Italy": centers[17:]})
    assert (won["winner"], tied["winner"]) == ("France", None)


def test_nobody_wins_in_spring():
    assert outcome(phase="S1910M", units={}, centers={"France": STANDARD.centers[:18]})["winner"] is None


def test_neutrals_are_powers_of_their_own():
    out = outcome(
        phase="S1901M",
        units={"Neutral": ["A SER", "A BUL"], "Austria": ["A BUD"]},
        orders={"Neutral": ["A BUL S A BUD - SER"], "Austria": ["A BUD - SER"]},
    )
    assert [entry["results"] for entry in out["orders"]] == [["ok"], ["ok"]]
    assert out["dislodged"]["Neutral"] == [{"unit": "A SER", "from": "BUD", "by_convoy": False, "retreats": []}]
    assert out["units"] == {"Austria": ["A SER"], "Neutral": ["A BUL"]}
    assert out["next"] == "F1901M"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "This is not JSON"),
        ("[]", "A line must be a JSON object."),
        ("{}", 'The key "variant" is missing'),
        ('{"variant": "chess"}', '"chess" is not a variant here.'),
        ('{"variant": "standard"}', 'The key "phase" is missing'),
        ('{"variant": "standard", "phase": "X1901M"}', '"X1901M" is not a phase.'),
        (spring('"units": []'), '"units" must be an object'),
        (spring('"units": {"Spain": []}'), '"Spain" is not a power of Standard'),
        (spring('"units": {"France": "A PAR"}'), '"units of France" must be a list.'),
        (spring('"units": {"France": [7]}'), "7 is not a unit."),
        (spring('"units": {"France": ["A XXX"]}'), '"XXX" is not a province'),
        (spring('"units": {"France": ["F PAR"]}'), "no fleet can be in Paris"),
        (spring('"units": {"France": ["A NTH"]}'), "no army can be in North Sea"),
        (spring('"units": {"France": ["F SPA"]}'), "SPA/NC or SPA/SC"),
        (spring('"units": {"France": ["A PAR"], "Italy": ["A PAR"]}'), "There are two units in Paris."),
        (spring('"centers": {"France": ["BUR"]}'), "Burgundy is not a supply center."),
        (spring('"centers": {"France": ["PAR"], "Italy": ["PAR"]}'), "Paris is owned by France and Italy."),
        (spring('"dislodged": {"France": ["A PAR"]}'), "A dislodged unit is written"),
        (spring('"orders": {"France": "A PAR H"}'), "must be a list of texts"),
        (spring('"orders": ["A PAR H"]'), '"orders" must be an object'),
        (spring('"contested": [7]'), '"7" is not a province'),
        ("[" * 100_000, "This is not JSON: depth limit exceeded"),
        (spring(r'"orders": {"France": ["A \ud800 H"]}'), "This is not JSON: no low surrogate in string"),
    ],
)
def test_a_line_that_cannot_be_used_says_why(data, message):
    assert message in error(data)


def test_a_position_survives_its_json():
    start = start_position(STANDARD)
    assert position_from_json(STANDARD, position_to_json(STANDARD, start)) == start
    out = outcome(
        phase="F1901M",
        units={"Germany": ["A MUN"], "France": ["A BUR", "A RUH"], "Neutral": ["A BEL"]},
        orders={"France": ["A BUR - MUN", "A RUH S A BUR - MUN"]},
    )
    carried = {key: out[key] for key in ("units", "centers", "dislodged", "contested")}
    line = {"variant": "standard", "phase": out["next"], **carried}
    position = position_from_json(STANDARD, line)
    assert position.dislodged["Germany"][0].attacker_from == "BUR"
    assert position_from_json(STANDARD, position_to_json(STANDARD, position)) == position


def test_homes_that_a_power_had_from_the_start_need_not_be_named_and_may_be():
    out = outcome(
        variant="intercontinental", phase="W1866A",
        units={"China": ["A Peki"]}, centers={"China": ["Chen", "Hsia", "Peki", "Urga"]},
        homes={"China": ["Chen", "Hsia", "Peki"]}, orders={"China": ["BUILD A Urga"]},
    )  # fmt: skip
    assert out["orders"][0]["results"] == ["ok"] and out["homes"] == {"China": ["Urga"]}
