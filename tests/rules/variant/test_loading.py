"""Variants as files: reading them, finding every mistake, writing them, importing foreign ones."""

import re
import time

import pytest

from judge.rules import (
    UnknownVariant,
    VariantError,
    load_variant,
    parse_order,
    start_position,
    variant_names,
)
from judge.rules.describe import portrait, sources_of_borders
from judge.rules.phases.retreats_and_winters import homes_of
from judge.rules.variant.loading import read_variant
from judge.rules.variant.variant import variants_folder
from tests.rules.boards import grid_files, mistakes
from tests.texts import table

RULES = """\
title = "Two Rivers"
start = "S1800M"

[victory]
centers = 2

[counts]
provinces = 6
centers = 3
army_borders = 4
fleet_borders = 8

[powers.East]
adjective = "Eastern"
letter = "E"
colour = "#b8352f"
homes = "AST"
units = "A AST"

[powers.West]
adjective = "Western"
letter = "W"
colour = "#27408b"
homes = "WES"
units = "F WES/NC"
"""

PROVINCES = """\
[AST]
name = "Astoria"
kind = "coast"
center = true
army = "MID WES"
fleet = "BAY LAK WES/NC"

[BAY]
name = "The Bay"
aliases = ["bight"]
kind = "sea"
fleet = "AST LAK WES/SC"

[ISL]
name = "Island"
kind = "coast"
center = true
fleet = "LAK"

[LAK]
name = "The Lake"
kind = "sea"
fleet = "AST BAY ISL WES/NC WES/SC"

[MID]
name = "Middle"
kind = "land"
army = "AST WES"

[WES]
name = "Westward"
kind = "coast"
center = true
army = "AST MID"
fleet.nc = "AST LAK"
fleet.sc = "BAY LAK"
"""


def said(rules: str = RULES, provinces: str = PROVINCES) -> list[str]:
    return [str(mistake) for mistake in mistakes(rules, provinces)]


def test_the_sample_differs_from_good_only_in_its_count():
    assert said() == ["variant.toml:10: counts: army_borders should be 4, but the file has 3"]


@pytest.mark.parametrize("name", variant_names())
def test_every_installed_variant_is_without_mistakes(name):
    folder = variants_folder() / name
    texts = [(folder / file).read_text(encoding="utf-8") for file in ("variant.toml", "provinces.toml")]
    assert mistakes(*texts) == []


# (line, what stands in the good file, what stands there instead, the message)
WRONG_PROVINCES = [
    *table("""
        28 => army = "AST WES" => army = "AST" => WES has a border with MID, but not MID with WES
        28 => army = "AST WES" => army = "AST WES XYZ" => MID: there is no province XYZ
        28 => army = "AST WES" => army = "AST WES WES" => MID: WES is there twice
        28 => army = "AST WES" => army = "AST WES MID" => MID: borders on itself
        28 => army = "AST WES" => army = "AST WES LAK" => MID: no army can enter LAK
        28 => army = "AST WES" => army = "AST WES/NC" => MID: armies have no coasts: WES/NC
        14 => fleet = "LAK" => => ISL: no fleet can get there
        14 => fleet = "LAK" => => LAK has a border with ISL, but not ISL with LAK
        36 => fleet.sc = "BAY LAK" => fleet.sc = "LAK" => BAY has a border with WES/SC, but not WES/SC with BAY
        12 => fleet = "AST LAK WES/SC" => fleet = "AST LAK WES" => BAY: which coast of WES, WES/NC or WES/SC?
        12 => fleet = "AST LAK WES/SC" => fleet = "AST LAK WES/EC" => BAY: WES has no coast EC
        12 => fleet = "AST LAK WES/SC" => fleet = "AST LAK WES/SC MID" => BAY: no fleet can enter MID, it is inland
        26 => name = "The Lake" => name = "Middle" => "Middle" is LAK and MID
        26 => aliases = ["bight"] => aliases = ["middle"] => "Middle" is BAY and MID
        10 => aliases = ["bight"] => aliases = "bight" => BAY: aliases must be a list of words
        27 => kind = "land" => kind = "lnad" => MID: kind must be one of land, coast, sea, impassable
        25 => name = "Middle" => => MID: the name is missing
        27 => name = "Middle" => name = "Middle" / centre = true => MID: there is no key centre
        27 => name = "Middle" => name = "Middle" / port = true => MID: only a coast can be a port
        27 => name = "Middle" => name = "Middle" / reconstructed = "LAK" => MID: LAK is reconstructed but no neighbour
        27 => name = "Middle" => name = "Middle" / fleet = 3 => MID: fleet must be text, or a table of texts by coast
        27 => name = "Middle" => name = "Middle" / armies = false => MID: only a coast can be closed to armies
        27 => name = "Middle" => name = "Middle" / armies = "no" => MID: armies must be true or false
        5 => army = "MID WES" => army = "MID WES" / armies = false => AST: no army can be there, but it has army borders
        29 => name = "Astoria" => name = "Astoria" / armies = false => MID: no army can enter AST
        25 => [MID] => [mid] => mid: an abbreviation has two to six letters and digits, the first a capital
        27 => kind = "land" => kind = land => not TOML: Invalid value
        14 => [ISL] => [AST] => not TOML: Cannot declare ('AST',) twice"""),
    (
        29,
        'army = "AST WES"',
        'army = "AST WES"\nfleet = "LAK"',
        "MID: no fleet can be inland, but it has fleet borders",
    ),
    (2, '"Astoria"', '"Asto\\nria"', r"AST: 'Asto\nria' has a character that cannot be printed"),
    (
        10,
        'aliases = ["bight"]',
        'aliases = ["big\\u202eht"]',
        r"BAY: 'big\u202eht' has a character that cannot be "
        r"printed",
    ),
]


@pytest.mark.parametrize(("line", "good", "bad", "message"), WRONG_PROVINCES, ids=[one[3] for one in WRONG_PROVINCES])
def test_a_mistake_on_the_map_is_found_with_its_line(line, good, bad, message):
    provinces = PROVINCES.replace(good, bad, 1)
    assert provinces != PROVINCES
    assert any(text.startswith(f"provinces.toml:{line}: {message}") for text in said(provinces=provinces))


def test_where_a_province_is_on_the_globe_is_ignored():
    provinces = PROVINCES.replace('name = "Middle"', 'name = "Middle"\nanchor = [95, 2]\nanchors.nc = 3', 1)
    assert provinces != PROVINCES and said(provinces=provinces) == said()


def test_the_line_is_the_line_of_the_key():
    provinces = PROVINCES.replace('fleet = "AST LAK WES/SC"', 'fleet = "AST LAK WES/SC QQQ"')
    line = provinces.splitlines().index('fleet = "AST LAK WES/SC QQQ"') + 1
    assert f"provinces.toml:{line}: BAY: there is no province QQQ" in said(provinces=provinces)


def test_a_province_that_nobody_can_reach_is_found():
    lonely = """
[LON]
name = "Lonely"
kind = "coast"
fleet = "SEA"

[SEA]
name = "Far Sea"
kind = "sea"
fleet = "LON"
"""
    assert any("LON cannot be reached from AST" in text for text in said(provinces=PROVINCES + lonely))


WRONG_RULES = [
    *table("""
    start = "S1800M" => start = "S1800R" => start must be a movement phase or a winter, like S1901M or W1900A
    centers = 2 => centers = 4 => victory: centers must be a number from 1 to 3
    centers = 2 => centers = 2 / year_cap = true => victory: year_cap must be a year
    centers = 2 => centers = 2 / year = 1810 => victory: there is no key year
    provinces = 6 => provinces = 7 => counts: provinces should be 7, but the file has 6
    letter = "E" => letter = "M" => East: the letter M means the master
    letter = "E" => letter = "O" => East: the letter O means an observer
    letter = "E" => letter = "W" => West: "W" is East already
    letter = "E" => letter = "ea" => East: the letter must be one capital letter
    adjective = "Eastern" =>  => East: adjective is missing
    colour = "#b8352f" => colour = "#28418c" => West: its colour is too close to that of East
    colour = "#b8352f" => colour = "red" => East: colour must be like #5a9bd4
    homes = "AST" => homes = "MID" => East: MID is not a supply center
    homes = "AST" => homes = "WES" => WES is owned by East and West
    units = "A AST" => units = "A LAK" => East: A LAK: no army can be there
    units = "A AST" => units = "F MID" => East: F MID: no fleet can be there
    units = "A AST" => units = "AST" => East: AST is not a unit like A PAR
    units = "A AST" => units = "A QQQ" => East: there is no province QQQ
    units = "A AST" => units = "A AST, F AST" => AST has a unit of East and one of East
    units = "F WES/NC" => units = "F WES" => West: F WES: which coast?
    title = "Two Rivers" => title = "Two Rivers" / victroy = 2 => there is no key victroy
    [counts] => [count] => there is no table count
    letter = "E" => letter = "E" / aliases = "Orient" => East: aliases must be a list of words
    letter = "E" => letter = "E" / aliases = ["Western"] => West: "Western" is East already
    [counts] => [build_sites] / colonies = "MID" / [counts] => build_sites: MID is not a supply center
    [counts] => [build_sites] / colonies = 3 / [counts] => build_sites: colonies must be text: names
    [counts] => [build_sites] / colonys = "ISL" / [counts] => build_sites: there is no key colonys
    [counts] => [build_sites.special] / North = "ISL" / [counts] => build_sites: there is no power North
    [counts] => [build_sites.special] / East = "LAK" / [counts] => build_sites: LAK is not a supply center
    [counts] => [build_sites] / special = 1 / [counts] => build_sites: special must be a table"""),
    ('"Two Rivers"', '"Two\\tRivers"', "the title has a character that cannot be printed"),
    ('"Eastern"', '"East\\u001bern"', r"East: 'East\x1bern' has a character that cannot be printed"),
]

MECHANISMS = """
[detours]
way = "around the Horn"
borders = "LAK-ISL BAY-WES"

[emergency.East]
extra_units = 1
sites = "MID"
"""
WRONG_MECHANISMS = table("""
    way = "around the Horn"     =>                     => detours: way is missing
    borders = "LAK-ISL BAY-WES" =>                     => detours: borders is missing
    BAY-WES                     => BAY-ISL             => detours: BAY-ISL is not a border like MID-EGY
    BAY-WES                     => BAY-QQQ             => detours: BAY-QQQ is not a border like MID-EGY
    BAY-WES                     => BAYWES              => detours: BAYWES is not a border like MID-EGY
    borders = "LAK              => border = "LAK       => detours: there is no key border
    [emergency.East]            => [emergency.North]   => emergency: there is no power North
    extra_units = 1             => extra_units = "one" => emergency: extra_units must be a number
    extra_units                 => extra               => emergency: there is no key extra
    sites = "MID"               => sites = "LAK"       => emergency: no one can build in LAK""")


@pytest.mark.parametrize(("good", "bad", "message"), WRONG_MECHANISMS, ids=[one[2] for one in WRONG_MECHANISMS])
def test_a_mistake_in_a_mechanism_is_found_with_its_line(good, bad, message):
    assert len(said(RULES + MECHANISMS)) == 1
    rules = RULES + MECHANISMS.replace(good, bad, 1)
    found = [text for text in said(rules) if text.endswith(message)]
    assert found and not found[0].startswith("variant.toml:1:")


@pytest.mark.parametrize("table", ["detours", "emergency", "emergency.East"])
def test_a_mechanism_that_is_no_table_is_a_mistake(table):
    assert f"variant.toml:1: {table.replace('.', ': ')} must be a table" in said(f"{table} = 3\n{RULES}")


@pytest.mark.parametrize(("good", "bad", "message"), WRONG_RULES, ids=[one[2] for one in WRONG_RULES])
def test_a_mistake_in_the_rules_is_found_with_its_line(good, bad, message):
    found = [text for text in said(RULES.replace(good, bad, 1)) if text.endswith(f": {message}")]
    assert [text.partition(":")[0] for text in found] == ["variant.toml"]


# Two Rivers for two players: four powers, two of them drawn, a canal at Westward, a neutral with a sponsor on the isle.
GROUPED = """\
title = "Two Rivers"
start = "S1800M"

[victory]
centers = 2

[canals]
WES = 1810

[neutrals]
units = "F ISL"
orders = "hold move"
civil_disorder = true

[points]
per_center = 1
most = 3
per_order = 2
sponsor_factor = 2
attack_voids = true

[sponsors]
Black = "ISL"

[extra_home]
by_building = true

[groups.Black]
letter = "B"
colour = "#111111"
shades = { Delta = "#222222", Hills = "#333333" }
powers = ["East"]

[groups.White]
letter = "I"
colour = "#eeeeee"
shades = { Delta = "#dddddd", Hills = "#cccccc" }
powers = ["West"]

[[draws]]
powers = ["North"]
groups = ["Black", "White"]

[[draws]]
powers = ["South"]
groups = ["Black", "White"]
but = "North"

[powers.East]
adjective = "Eastern"
letter = "EA"
theatre = "Delta"
homes = "AST"
units = "A AST"

[powers.North]
adjective = "Northern"
letter = "NO"
theatre = "Hills"
homes = ""
units = ""

[powers.South]
adjective = "Southern"
letter = "SO"
colour = "#f28c28"
homes = ""
units = ""

[powers.West]
adjective = "Western"
letter = "WE"
theatre = "Delta"
homes = "WES"
units = "F WES/NC"
"""
# (what stands in the good file, what stands there instead, the line and the message)
WRONG_GROUPS = [
    *table("""
    civil_disorder = true => civil_disorder = 1 => 13: neutrals: civil_disorder must be true or false
    attack_voids = true => attack_voids = "yes" => 20: points: attack_voids must be true or false
    per_order = 2 => per_order = 0 => 18: points: per_order must be a number, 1 or more
    sponsor_factor = 2 => sponsor_factor = 1.5 => 19: points: sponsor_factor must be a number, 1 or more
    most = 3 => most = 3 / incomes = { East = 0 } => 18: points: East must be a number, 1 or more
    by_building = true => by_building = 1 => 26: extra_home: by_building must be true or false
    by_building = true => by_bulding = true => 26: extra_home: there is no key by_bulding
    WES = 1810 => AST = 1810 => 8: canals: AST is not a province with two coasts
    WES = 1810 => WES = -1 => 8: canals: WES opens in a year, not in -1
    WES = 1810 => WES = "soon" => 8: canals: WES opens in a year, not in soon
    Black = "ISL" => Grey = "ISL" => 23: sponsors: there is no group or power Grey
    Black = "ISL" => Black = "AST" => 23: sponsors: AST is not the center of a neutral
    Black = "ISL" => Black = "ISL" / White = "ISL" => 24: sponsors: ISL has Black already
    Black = "ISL" => Black = 1 => 23: sponsors: Black must be text: centers
    letter = "B" => letter = "b" => 29: Black: the letter must be one capital letter
    letter = "B" => letter = "M" => 29: Black: the letter M means the master
    letter = "B" => letter = "O" => 29: Black: the letter O means an observer
    letter = "I" => letter = "B" => 35: White: "B" is Black already
    [groups.White] => [groups.East] => 34: East: "East" is East already
    adjective = "Eastern" => adjective = "Black" => 28: Black: "Black" is East already
    colour = "#111111" => colour = "black" => 30: Black: colour must be like #5a9bd4
    Delta = "#222222" => Delta = "dark" => 31: Black: Delta must be like #5a9bd4
    letter = "B" => letter = "B" / shade = 1 => 30: Black: there is no key shade
    powers = ["East"] => powers = ["Est"] => 32: Black: there is no power Est
    powers = ["East"] => powers = "East" => 32: Black: powers must be a list of names
    powers = ["East"] => powers = ["East", "West"] => 38: White: West already belongs to Black
    powers = ["East"] => powers = [] => 49: East does not belong to a group and is not drawn
    powers = ["North"] => powers = ["East"] => 41: draw 1: East already belongs to Black
    powers = ["North"] => powers = ["Nowhere"] => 41: draw 1: there is no power Nowhere
    powers = ["North"] => powers = ["North"] / not = 1 => 42: draw 1: there is no key not
    powers = ["North"] => powers = [] => 41: draw 1: it needs powers, and a group for each
    but = "North" => but = "South" => 47: draw 2: South has not been drawn by then
    "White"] / but = "North" => ] / but = "North" => 45: draw 2: it needs powers, and a group for each
    groups = ["Black", "White"] / but => groups = ["Black", "Grey"] / but => 46: draw 2: there is no group Grey
    groups = ["Black", "White"] / but => groups = "Black" / but => 46: draw 2: groups must be a list of names
    letter = "EA" => letter = "E" => 51: East: the letter of a power in a group is two capital letters
    theatre = "Delta" / homes = "AST" => homes = "AST" => 49: East: theatre is missing"""),
    ('Delta = "#222222", ', "", "31: Black: there is no shade for Delta"),
]  # fmt: skip


def test_the_sample_with_groups_is_good():
    assert said(GROUPED) == []


@pytest.mark.parametrize(("good", "bad", "message"), WRONG_GROUPS, ids=[one[2] for one in WRONG_GROUPS])
def test_a_mistake_about_groups_is_found_with_its_line(good, bad, message):
    assert good in GROUPED
    assert f"variant.toml:{message}" in said(GROUPED.replace(good, bad, 1))


@pytest.mark.parametrize(
    ("table", "message"),
    [("groups = 3", "groups must be a table of tables"), ("draws = 3", "draws must be tables: [[draws]]"),
     ("sponsors = 3", "sponsors must be a table"), ("canals = 3", "canals must be a table")],
)  # fmt: skip
def test_what_is_no_table_of_groups_is_a_mistake(table, message):
    assert f"variant.toml:1: {message}" in said(f"{table}\n{RULES}")


def test_groups_are_read_and_told():
    rivers = read_variant("rivers", GROUPED, PROVINCES)
    told = portrait(rivers)
    assert "To win, own 2 of 3 centers with all your powers and more than any other player" in told
    assert "A player orders the powers of a group: Black or White." in told
    assert "Drawn by lot: North, for Black or White." in told
    assert "Drawn by lot: South, one each for Black and White, but not for the one that has North." not in told
    assert "Drawn by lot: South, for Black or White, but not for the one that has North." in told
    assert "A sponsor's points on its affiliates count double. Black: Island." in told
    assert "  B  Black (#111111): East" in told and "  NO  North (Northern, Hills): " in told
    assert "becomes neutral" not in told and "its units disband" in told


def test_all_mistakes_are_found_at_once():
    found = said(RULES.replace('letter = "E"', 'letter = "M"'), PROVINCES.replace("WES/SC", "WES/EC"))
    assert {text.partition(":")[0] for text in found} == {"variant.toml", "provinces.toml"}
    assert len(found) > 3


def test_a_variant_that_cannot_be_used_is_refused_with_its_name():
    with pytest.raises(VariantError, match="rivers: .*`judge variants check` lists every mistake"):
        read_variant("rivers", RULES.replace("[victory]", "[vic]"), PROVINCES)


def test_an_unknown_variant_is_refused_with_the_names_there_are():
    with pytest.raises(UnknownVariant, match='"chess" is not a variant here. There are: .*standard'):
        load_variant("chess")


def test_names_of_variants_are_no_paths():
    with pytest.raises(UnknownVariant):
        load_variant("../variants/standard")


def test_a_board_of_four_hundred_and_sixty_provinces_is_read_without_a_mistake():
    files = grid_files()
    assert len(read_variant("grid", *files).board.spots) > 460
    assert mistakes(*files) == []


def test_a_board_of_four_times_the_provinces_is_checked_in_four_times_the_time():
    def seconds(rows: int) -> float:
        files = grid_files(rows=rows)
        began = time.process_time()
        mistakes(*files)
        return time.process_time() - began

    # On a busy machine a time can be wrong, but hardly twice.
    assert any(seconds(40) < 7 * seconds(10) for _ in range(2))


def test_the_portrait_tells_powers_rules_and_neighbours():
    text = portrait(load_variant("standard"))
    assert "To win, own 18 of 34 centers and more than any other power after a Fall." in text
    assert "F  France (French, #48b4ff): F BRE, A MAR, A PAR" in text
    assert "* STP   St. Petersburg, coast; also Petersburg" in text
    assert "fleet/NC BAR NWY" in text
    assert "Every border is published." in text


@pytest.mark.parametrize("name", variant_names())
def test_where_powers_do_not_build_is_told_as_it_is(name):
    variant = load_variant(name)
    start = start_position(variant)
    sentences = re.findall(r"(?m)^(.+) owns (.+) at the start, but does not build there\.$", portrait(variant))
    told = {(power, province) for power, provinces in sentences for province in provinces.split(" and ")}
    assert told == {
        (power.name, variant.provinces[center].name)
        for power in variant.powers
        for center in power.owns
        if center not in homes_of(variant, start, power.name)
    }


def test_only_the_suzerain_builds_in_its_vassals_centers():
    variant = load_variant("1648")
    assert "A power can also build in the centers of its own vassals while it owns them." in portrait(variant)
    assert "No one else can." in " ".join(variant.text.split())


def test_the_portrait_marks_reconstructed_borders():
    provinces = PROVINCES.replace('name = "Middle"', 'name = "Middle"\nreconstructed = "AST"')
    text = portrait(read_variant("rivers", RULES, provinces))
    assert "army   AST? WES" in text
    assert "Reconstructed borders (marked ?): 1\n  AST - MID" in text


def test_a_name_may_begin_with_a_word_that_says_nothing_elsewhere():
    rivers = read_variant("rivers", RULES, PROVINCES)
    for text in ("the fleet in the lake to the bay", "F LAK - The Bay", "F The Lake - BAY", "f lak - bight"):
        assert str(parse_order(rivers, "M", text)) == "F LAK - BAY"


def test_all_borders_of_a_province_may_be_marked_as_reconstructed_at_once():
    provinces = PROVINCES.replace('name = "Westward"', 'name = "Westward"\nreconstructed = "*"')
    assert not any("WES" in text for text in said(provinces=provinces))
    rivers = read_variant("rivers", RULES, provinces)
    west = rivers.provinces["WES"]
    assert (west.doubtful_for_armies, west.doubtful_for_fleets) == (("AST", "MID"), ("AST", "LAK", "BAY"))
    assert "Reconstructed borders (marked ?): 4\n  AST - WES\n" in portrait(rivers)


DIFFERENT = PROVINCES.replace('name = "Westward"', 'name = "Westward"\nreconstructed.fleet = "AST LAK"')


def test_a_border_may_be_stated_for_armies_and_reconstructed_for_fleets():
    rivers = read_variant("rivers", RULES, DIFFERENT)
    text = portrait(rivers)
    assert "army   AST MID" in text and "fleet/NC AST? LAK?" in text and "fleet/SC BAY LAK?" in text
    assert "Reconstructed borders (marked ?): 2\n  AST - WES (fleets)\n  LAK - WES" in text
    assert sources_of_borders(rivers)[0] == [
        "AST - BAY", "AST - LAK", "AST - MID", "AST - WES (armies)", "BAY - LAK", "BAY - WES", "ISL - LAK", "MID - WES",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ('reconstructed.army = "LAK"', "WES: LAK is reconstructed but no neighbour"),
        ('reconstructed.land = "LAK"', "WES: reconstructed has no land"),
    ],
)
def test_a_mistake_in_it_is_found(wrong, told):
    assert any(told in text for text in said(provinces=DIFFERENT.replace('reconstructed.fleet = "AST LAK"', wrong)))


def test_1648_borders_that_the_text_states_for_one_kind_of_unit_are_told_apart():
    """1648: the changelog, Brief Introduction and Diplomacy Points' example of Swabia state borders of armies."""
    given, doubtful = sources_of_borders(load_variant("1648"))
    armies = {"FLA - PIC", "AST - PER", "KAR - NOV", "NOV - SIB"}
    assert {f"{pair} (armies)" for pair in armies} | {"BRE - PIC (fleets)", "BAV - SWA", "LOR - SWA"} <= {*given}
    assert {f"{pair} (fleets)" for pair in armies} | {"BRE - PIC (armies)"} <= {*doubtful}


def test_a_portrait_with_few_published_borders_names_these():
    provinces = re.sub(r'(name = "(?!The))', r'reconstructed = "*"\n\1', PROVINCES)
    assert portrait(read_variant("rivers", RULES, provinces)).endswith("marked ?) except 1: BAY - LAK")


def test_powers_are_found_by_name_adjective_letter_and_beginning():
    standard = load_variant("standard")
    for text in ("France", "FRANCE", "french", "F", "fr", "Fran"):
        assert standard.power(text).name == "France"
    with pytest.raises(KeyError, match='"Spain" is not a power of Standard Diplomacy.'):
        standard.power("Spain")
