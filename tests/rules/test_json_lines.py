"""`judge adjudicate`: a phase as a line of JSON in, its outcome as a line of JSON out."""

import json
from dataclasses import replace

import pytest

from judge.rules import answer_line, load_variant, position_from_json, position_to_json, start_position
from judge.rules.json_forms import outcome_from_json, outcome_to_json
from judge.rules.mechanisms.victory import Victory
from judge.rules.selfplay import play
from tests.texts import table

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


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{", "This is not JSON"),
        ("[]", "A line must be a JSON object."),
        ("{}", 'The key "variant" is missing'),
        ('{"variant": "chess"}', '"chess" is not a variant here.'),
        ('{"variant": "standard"}', 'The key "phase" is missing'),
        ('{"variant": "standard", "phase": "X1901M"}', '"X1901M" is not a phase.'),
        ("[" * 100_000, "This is not JSON: depth limit exceeded"),
        (spring(r'"orders": {"France": ["A \ud800 H"]}'), "This is not JSON: no low surrogate in string"),
        *(
            (spring(given), why)
            for given, why in table("""
            "units": []                                        => "units" must be an object
            "units": {"Spain": []}                             => "Spain" is not a power of Standard
            "units": {"France": "A PAR"}                       => "units of France" must be a list.
            "units": {"France": [7]}                           => 7 is not a unit.
            "units": {"France": ["A XXX"]}                     => "XXX" is not a province
            "units": {"France": ["F PAR"]}                     => no fleet can be in Paris
            "units": {"France": ["A NTH"]}                     => no army can be in North Sea
            "units": {"France": ["F SPA"]}                     => SPA/NC or SPA/SC
            "units": {"France": ["A PAR"], "Italy": ["A PAR"]} => There are two units in Paris.
            "centers": {"France": ["BUR"]}                     => Burgundy is not a supply center.
            "centers": {"France": ["PAR"], "Italy": ["PAR"]}   => Paris is owned by France and Italy.
            "dislodged": {"France": ["A PAR"]}                 => A dislodged unit is written
            "orders": {"France": "A PAR H"}                    => must be a list of texts
            "orders": ["A PAR H"]                              => "orders" must be an object
            "contested": [7]                                   => "7" is not a province""")
        ),
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
