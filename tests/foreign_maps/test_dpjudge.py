"""The Two Rivers of the tests of variant files, as DPjudge and jDip would write them."""

import pytest

from judge.foreign_maps import finished
from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.sketch import MapError
from judge.rules import adjudicate, parse_order, position_from_json
from tests.foreign_maps.test_sketch import as_read
from tests.rules.boards import mistakes

DPJUDGE_BASE = """\
# Two Rivers as a DPjudge map
BEGIN SPRING 1800 MOVEMENT
VICTORY 2
EAST (EASTERN:E) AST
A AST
WEST (WESTERN) WES
F WES/NC
UNOWNED ISL
Astoria               = ast asto+ria
The Bay               = bay bight
Island                = isl
The Lake              = lak the+lake water?
Middle                = mid
Westward (north coast) = wes/nc wes(nc)
Westward              = wes
Top                   = top
COAST AST    ABUTS BAY LAK mid WES/NC wes
WATER BAY    ABUTS AST LAK WES/SC
PORT  ISL    ABUTS LAK Ast
WATER LAK    ABUTS AST BAY ISL WES/NC WES/SC
LAND  MID    ABUTS AST WES TOP
COAST WES/NC ABUTS AST LAK
COAST WES/SC ABUTS BAY LAK
COAST wes    ABUTS AST MID LAK BAY
SHUT  TOP    ABUTS MID
"""


def no_other(file: str) -> str:
    raise MapError(f"{file} is not here")


def test_a_dpjudge_map_is_imported():
    variant, notes, files = as_read(finished(read_dpjudge("two_rivers", DPJUDGE_BASE, no_other)))
    assert (variant.title, variant.start, variant.victory) == ("Two Rivers", "S1800M", 2)
    assert [(power.name, power.adjective, power.letter) for power in variant.powers] == [
        ("East", "Eastern", "E"),
        ("West", "Western", "W"),
    ]
    assert [unit.text for power in variant.powers for unit in power.units] == ["A AST", "F WES/NC"]
    assert variant.centers == ("AST", "ISL", "WES")
    wes, ast, isl = (variant.provinces[name] for name in ("WES", "AST", "ISL"))
    assert (wes.army, dict(wes.fleet)) == (("AST", "MID"), {"NC": ("AST", "LAK"), "SC": ("BAY", "LAK")})
    assert ast.army == ("MID", "WES")
    assert (isl.port, isl.army, dict(isl.fleet)) == (True, (), {"": ("AST", "LAK")})
    assert dict(ast.fleet)[""] == ("BAY", "ISL", "LAK", "WES/NC")
    assert variant.provinces["TOP"].kind == "impassable"
    assert variant.provinces["AST"].aliases == ()
    assert notes == ("ISL borders on AST for fleets, but AST not on ISL: the border is now open both ways.",)
    assert mistakes(*files) == []


def test_a_dpjudge_map_may_build_on_another():
    text = "MAP two_rivers\nUNPLAYED WEST\nNORTH WES\nF WES/SC\nDROP TOP\nAMEND MID ABUTS -TOP\nAMEND ISL ABUTS -AST\n"
    read = read_dpjudge("one", text, lambda file: DPJUDGE_BASE if file == "two_rivers.map" else no_other(file))
    variant, _, files = as_read(finished(read))
    assert [(power.name, power.letter, power.homes) for power in variant.powers] == [
        ("East", "E", ("AST",)),
        ("North", "N", ("WES",)),
    ]
    assert "TOP" not in variant.provinces
    assert mistakes(*files) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("LAND NEW ABUTS AST XYZ", "NEW abuts XYZ, which is not described anywhere"),
        ("AMEND NEW ABUTS AST", "line 26: NEW has not been described yet"),
        ("USE elsewhere", "line 26: elsewhere.map is not here"),
    ],
)
def test_what_cannot_be_imported_is_said_with_its_line(line, message):
    with pytest.raises(MapError, match=message):
        finished(read_dpjudge("two_rivers", DPJUDGE_BASE + line + "\n", no_other))


JDIP_MAP = """<?xml version="1.0"?>
<PROVINCES>
  <PROVINCE shortname="ast" fullname="Astoria"><UNIQUENAME name="asto"/>
    <ADJACENCY type="mv" refs="mid wes"/><ADJACENCY type="xc" refs="bay lak wes-nc"/></PROVINCE>
  <PROVINCE shortname="bay" fullname="The Bay"><ADJACENCY type="xc" refs="asto lak wes-sc"/></PROVINCE>
  <PROVINCE shortname="isl" fullname="Island" isConvoyableCoast="true">
    <ADJACENCY type="mv" refs="isl"/><ADJACENCY type="xc" refs="lak"/></PROVINCE>
  <PROVINCE shortname="lak" fullname="The Lake"><ADJACENCY type="xc" refs="ast bay isl wes-nc wes-sc"/></PROVINCE>
  <PROVINCE shortname="mid" fullname="Middle"><ADJACENCY type="mv" refs="ast wes"/></PROVINCE>
  <PROVINCE shortname="wes" fullname="Westward"><ADJACENCY type="mv" refs="ast mid"/>
    <ADJACENCY type="nc" refs="ast lak"/><ADJACENCY type="sc" refs="bay lak"/></PROVINCE>
</PROVINCES>
"""
JDIP_RULES = """<?xml version="1.0"?>
<VARIANTS><VARIANT name="Two Rivers" version="1.0"><MAP adjacencyURI="rivers.xml"/>
  <POWER name="East" adjective="Eastern"/><POWER name="West" adjective="Western"/>
  <POWER name="Ghost" active="false" adjective="Ghostly"/>
  <STARTINGTIME turn="Spring, 1800, Movement"/>
  <VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="2"/></VICTORYCONDITIONS>
  <SUPPLYCENTER province="ast" homepower="east" owner="east"/>
  <SUPPLYCENTER province="wes" homepower="west" owner="west"/>
  <SUPPLYCENTER province="isl" owner="west"/>
  <INITIALSTATE province="asto" power="east" unit="army"/>
  <INITIALSTATE province="wes" power="west" unit="fleet" unitcoast="nc"/>
</VARIANT></VARIANTS>
"""


def test_a_jdip_variant_is_imported():
    variant, _, files = as_read(finished(read_jdip("two rivers", JDIP_RULES, {"rivers.xml": JDIP_MAP}.__getitem__)))
    assert (variant.title, variant.start, variant.victory) == ("Two Rivers", "S1800M", 2)
    assert [(power.name, power.homes, power.owns) for power in variant.powers] == [
        ("East", ("AST",), ("AST",)),
        ("West", ("WES",), ("ISL", "WES")),
    ]
    assert [unit.text for power in variant.powers for unit in power.units] == ["A AST", "F WES/NC"]
    assert variant.provinces["ISL"].port
    assert (variant.provinces["ISL"].kind, variant.provinces["LAK"].kind, variant.provinces["MID"].kind) == (
        "coast", "sea", "land",
    )  # fmt: skip
    assert mistakes(*files) == []


@pytest.mark.parametrize(
    ("rules", "borders", "message"),
    [
        (JDIP_RULES, JDIP_MAP.replace("</PROVINCES>", ""), "line 13: not XML"),
        (
            JDIP_RULES,
            JDIP_MAP.replace("ast bay isl", "ast bay xyz"),
            "LAK borders on xyz, which is not described anywhere",
        ),
        (JDIP_RULES.replace("asto", "xyz"), JDIP_MAP, "there is no province xyz"),
        (JDIP_RULES.replace("Spring, 1800", "Summer, 1800"), JDIP_MAP, "is not a phase"),
    ],
)
def test_a_broken_jdip_file_is_refused_with_the_reason(rules, borders, message):
    with pytest.raises(MapError, match=message):
        finished(read_jdip("Two Rivers", rules, {"rivers.xml": borders}.__getitem__))


def test_a_title_that_is_not_in_the_file_is_refused_with_those_that_are():
    with pytest.raises(MapError, match="there is no variant Three Rivers, only Two Rivers"):
        read_jdip("Three Rivers", JDIP_RULES, {"rivers.xml": JDIP_MAP}.__getitem__)


def test_fleets_convoy_from_a_port_that_armies_enter_too():
    channel = (
        JDIP_MAP.replace('"isl"/><ADJACENCY type="xc" refs="lak"', '"isl"/><ADJACENCY type="xc" refs="lak ast wes-nc"')
        .replace("bay lak wes-nc", "bay lak wes-nc isl")
        .replace('type="nc" refs="ast lak"', 'type="nc" refs="ast lak isl"')
    )
    variant, _, files = as_read(finished(read_jdip("Two Rivers", JDIP_RULES, {"rivers.xml": channel}.__getitem__)))
    position = position_from_json(variant, {"phase": "S1800M", "units": {"East": ["A AST", "F ISL"]}})
    orders = {"East": [parse_order(variant, "M", text) for text in ("A AST - WES VIA", "F ISL C A AST - WES")]}
    assert [one.results for one in adjudicate(variant, position, orders).results] == [("ok",), ("ok",)]
