"""Maps of other programs with whatever is different in them: read, put right and told, or refused by name.

The samples (tests/data/foreign) are of our own making: each has one thing that a map of theirs has.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.foreign_maps import PALETTE, Imported, finished, read_beside, read_source
from judge.foreign_maps.dpjudge import read_dpjudge
from judge.foreign_maps.jdip import read_jdip
from judge.foreign_maps.sketch import MapError, Pair
from judge.rules import Variant, adjudicate, parse_order, position_from_json, start_position
from judge.rules.board.phase import year
from judge.rules.mechanisms.armed_neutrals import ArmedNeutrals
from judge.rules.mechanisms.build_places import BuildAnywhere, EmergencyMeasures, ExtraHomeCenters
from judge.rules.mechanisms.crossings import ClosedSeasons, DifficultBorders, HalfStrengthBorders
from judge.rules.mechanisms.powers import colour_distance
from judge.rules.phases.needs import legal_builds, needs
from judge.rules.selfplay import play
from judge.rules.variant.loading import read_variant
from tests.rules.boards import mistakes
from tests.texts import table

SAMPLES = Path(__file__).parents[1] / "data" / "foreign"


def text_of(name: str) -> str:
    return (SAMPLES / name).read_text(encoding="utf-8")


def no_other(name: str) -> str:
    raise MapError(f"{name} is not here")


class Read(NamedTuple):
    """An import whose variant was read out of its files."""

    variant: Variant
    notes: tuple[str, ...]
    files: tuple[str, str]


def as_read(found: Imported) -> Read:
    return Read(read_variant("lakes", *found.files), found.notes, found.files)


def imported(text: str, one_way: Sequence[Pair] = ()) -> Read:
    """The map, which `judge variants check` passes."""
    found = finished(read_dpjudge("lakes", text, text_of), one_way)
    assert mistakes(*found.files) == []
    return as_read(found)


def refused(*lines: str) -> str:
    with pytest.raises(MapError) as why:
        finished(read_dpjudge("lakes", text_of("base.map") + "\n".join(lines), text_of))
    return str(why.value)


def outcome(variant: Variant, units: dict[str, list[str]], orders: dict[str, list[str]]) -> list[tuple[str, ...]]:
    position = position_from_json(variant, {"phase": "S1800M", "units": units})
    read = {power: [parse_order(variant, "M", text) for text in texts] for power, texts in orders.items()}
    return [one.results for one in adjudicate(variant, position, read).results]


SOUND = [
    "base",
    "one_sided",
    "itself",
    "directives",
    "homes",
    "renamed",
    "dummies",
    "long_way",
    "winter",
    "ancient",
    "tongues",
    "frozen",
]


@pytest.mark.parametrize("name", SOUND)
def test_every_sample_plays(name):
    variant = imported(text_of(f"{name}.map")).variant
    assert len(list(play(variant, 10, seed=7))) >= 2


def test_a_sound_map_needs_no_notes():
    read = imported(text_of("base.map"))
    assert read.notes == ()
    assert read.variant.provinces["AMB"].army == ("BIR", "ELM", "FAR")


# --- borders ------------------------------------------------------------------------------------------------------


def test_a_border_that_stands_at_one_end_is_opened_both_ways_and_told():
    read = imported(text_of("one_sided.map"))
    provinces = read.variant.provinces
    assert "BIR" in provinces["FAR"].army and provinces["DUN"].fleet[""] == ("CED", "ELM/EC", "GAL")
    assert read.notes == (
        "BIR borders on FAR for armies, but FAR not on BIR: the border is now open both ways.",
        "ELM/EC borders on DUN for fleets, but DUN not on ELM/EC: the border is now open both ways.",
    )


def test_a_border_that_is_declared_to_lead_one_way_stays_so():
    read = imported(text_of("one_sided.map"), [("BIR", "FAR"), ("ELM", "DUN")])
    assert read.notes == ()
    assert read.variant.provinces["BIR"].one_way == ("FAR",)
    assert read.variant.provinces["ELM"].one_way == ("DUN",)
    there = outcome(read.variant, {"Reds": ["A BIR"]}, {"Reds": ["A BIR - FAR"]})
    back = outcome(read.variant, {"Reds": ["A FAR"]}, {"Reds": ["A FAR - BIR"]})
    assert there == [("ok",)] and back != [("ok",)]


def test_one_way_must_be_a_border_that_leads_one_way():
    rules, provinces = imported(text_of("base.map")).files
    wrong = provinces.replace("[BIR]\n", '[BIR]\none_way = "AMB"\n')
    assert [one.text for one in mistakes(rules, wrong)] == ["BIR: there is no one-way border to AMB"]


def test_a_province_beside_itself_and_a_coast_without_water():
    read = imported(text_of("itself.map"))
    assert "BIR" not in read.variant.provinces["BIR"].army
    assert read.variant.provinces["INL"].kind == "land"
    assert read.notes == (
        "BIR borders on itself: left out.",
        "INL is called a coast, but no fleet can get there, so it is now inland.",
    )


def test_a_border_with_an_asterisk_has_half_strength():
    variant = imported(text_of("long_way.map")).variant
    rule = variant.rule(HalfStrengthBorders)
    assert rule and rule.borders == (("AMB", "GAL"),)
    bounced = outcome(
        variant,
        {"Reds": ["F GAL"], "Blues": ["A BIR"]},
        {"Reds": ["F GAL - AMB"], "Blues": ["A BIR - AMB"]},
    )
    assert bounced[1] == ("ok",) and bounced[0] != ("ok",)


def test_a_border_with_a_tilde_is_difficult():
    variant = imported(text_of("frozen.map")).variant
    rule = variant.rule(DifficultBorders)
    assert rule and rule.borders == (("AMB", "FAR"),)


@pytest.mark.parametrize(
    "later",
    [
        "AMEND AMB ABUTS -far far\nAMEND FAR ABUTS -amb AMB",
        "COAST AMB ABUTS bir CED ELM/EC far\nLAND FAR ABUTS AMB",
        "AMEND BIR ABUTS FAR\nAMEND FAR ABUTS -amb BIR\nAMEND AMB ABUTS -far",
        "DROP FAR",
    ],
)
def test_a_mark_counts_as_long_as_the_border_has_it(later):
    assert imported(f"{text_of('frozen.map')}\n{later}\n").variant.rule(DifficultBorders) is None
    long_way = text_of("frozen.map").replace("far~", "*far").replace("AMB~", "*AMB")
    assert imported(f"{long_way}\n{later}\n").variant.rule(HalfStrengthBorders) is None


def test_a_mark_stays_with_a_border_whose_place_is_renamed():
    rule = imported(f"{text_of('frozen.map')}\nFAR -> Fern = fer\n").variant.rule(DifficultBorders)
    assert rule and rule.borders == (("AMB", "FER"),)


def test_a_border_with_its_mark_at_two_coasts_is_told_once():
    lines = "AMEND ELM/EC ABUTS -amb AMB~\nAMEND elm ABUTS -amb AMB~\nAMEND AMB ABUTS -elm ELM/EC~\n"
    rule = imported(f"{text_of('base.map')}\n{lines}").variant.rule(DifficultBorders)
    assert rule and rule.borders == (("AMB", "ELM"),)


def test_a_mark_at_one_end_of_a_border_is_told():
    read = imported(f"{text_of('base.map')}\nAMEND AMB ABUTS -far far~\n")
    assert read.notes == ("Only AMB marks its border with FAR with ~. Here it applies both ways.",)


@pytest.mark.parametrize("near", ["hig", "amb"])
def test_a_mark_where_there_is_no_border_is_left_out(near):
    read = imported(f"{text_of('base.map')}\nAMEND AMB ABUTS {near}~\n")
    assert read.variant.rule(DifficultBorders) is None
    assert f"There is a rule for the border AMB-{near.upper()}, but no such border: left out." in read.notes


def test_a_place_that_is_shut_in_a_season_may_be_renamed_and_dropped():
    rule = imported(f"{text_of('frozen.map')}\nGAL -> Gate = gat\n").variant.rule(ClosedSeasons)
    assert rule and rule.places == {"Fall": ("GAT",)}
    assert imported(f"{text_of('frozen.map')}\nDROP GAL\n").variant.rule(ClosedSeasons) is None


def test_a_place_that_is_shut_but_opened_in_both_seasons_refuses_the_map():
    told = refused("SHUT GAL ABUTS CED DUN ELM/WC", "IN SPRING: WATER GAL", "IN FALL: WATER GAL")
    assert told == "line 31: IN FALL: WATER GAL: it is opened twice, but can be opened only once"


def test_a_place_that_is_shut_but_in_spring_is_closed_in_fall():
    read = imported(text_of("frozen.map"))
    rule = read.variant.rule(ClosedSeasons)
    assert rule and rule.places == {"Fall": ("GAL",)} and read.notes == ()
    assert read.variant.provinces["GAL"].kind == "sea" and "GAL" in read.variant.provinces["CED"].fleet[""]
    assert read.variant.at("F1800M").provinces["GAL"].fleet == {"": ()}


def test_what_is_special_about_such_boards_is_told_at_the_start():
    assert imported(text_of("frozen.map")).variant.special == (
        "Across some borders a move has only the strength of its supports. Some routes are closed in one season. "
        "GET RULES lists them."
    )
    told = imported(text_of("long_way.map")).variant.special
    assert told == "Across some borders a move has half strength. GET RULES lists them."
    assert imported(text_of("base.map")).variant.special == ""


def test_a_place_that_is_another_in_one_season_refuses_the_map_by_name():
    assert refused("IN FALL: LAND CED") == "IN FALL: CED: to be played here, it must be SHUT in the other season"


def test_borders_of_half_strength_and_difficult_ones_are_not_on_one_board():
    assert "it has both half-strength and difficult borders" in refused("AMEND AMB ABUTS far~ *CED")


def test_a_sea_may_be_called_one():
    variant = imported(text_of("base.map").replace("WATER CED", "SEA CED")).variant
    assert variant.provinces == imported(text_of("base.map")).variant.provinces


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("AMEND CED ABUTS GAL(ELM)", "CED abuts GAL(ELM): a border that is open to some powers only"),
        ("AMEND CED ABUTS R:GAL", "CED abuts R:GAL: a border that is open to some powers only"),
        ("AMEND CED ABUTS ^GAL", "CED abuts ^GAL: a border of an unknown kind"),
    ],
)
def test_borders_that_cannot_be_played_refuse_the_map_by_name(line, told):
    assert told in refused(line)


# --- powers -------------------------------------------------------------------------------------------------------


def test_more_powers_than_letters_have_two_letters_each():
    many = "".join(f"Land+{chr(65 + n % 26)}{chr(97 + n // 26)} (L{n}:{n}) H{n}\nA H{n}\n" for n in range(34))
    places = "".join(f"Place {n} = h{n}\nLAND H{n} ABUTS H{(n + 1) % 34} H{(n - 1) % 34}\n" for n in range(34))
    read = imported(places + many)
    letters = [power.letter for power in read.variant.powers]
    assert len(set(letters)) == 34 and all(len(letter) == 2 for letter in letters)
    assert read.notes == ("There are 34 powers, too many for letters, so players sign on with power@game.",)
    assert read.variant.powers[3].at("heron") == "Land_Da@heron"
    assert len(list(play(read.variant, 2, seed=1))) > 3


def test_a_power_with_a_letter_is_called_by_it():
    assert imported(text_of("base.map")).variant.powers[0].at("heron") == "Rheron"


@pytest.mark.parametrize("letter", ["M", "O", "7", "*"])
def test_a_letter_that_no_power_can_have_is_replaced(letter):
    variant = imported(text_of("base.map").replace("(RED:R)", f"(RED:{letter})")).variant
    assert [power.letter for power in variant.powers] == ["R", "B"]


def test_powers_without_players_are_neutrals_if_their_units_are_at_home():
    read = imported(text_of("dummies.map"))
    assert [power.name for power in read.variant.powers] == ["Reds", "Blues", "Greens"]
    rule = read.variant.rule(ArmedNeutrals)
    assert rule and [unit.text for unit in rule.units] == ["F DUN"] and rule.orders == ("hold",)
    assert read.notes[0].startswith("Greys has no player: its units are neutrals, which hold.")
    assert read.notes[1] == "Greens has no player there. Here, the master of a game sends SET DISORDER."


def test_marks_before_homes():
    variant = imported(text_of("homes.map")).variant
    reds, blues = variant.powers
    assert (blues.homes, blues.owns, variant.provinces["ELM"].center) == (("FAR",), ("ELM", "FAR"), True)
    emergency, extra = variant.rule(EmergencyMeasures), variant.rule(ExtraHomeCenters)
    assert emergency and emergency.of["Blues"].sites == ("BIR",) and emergency.of["Blues"].extra_units == 1
    assert extra and extra.powers == ("Reds",)


@pytest.mark.parametrize(("unit", "other"), [("F ELM/WC", "A ELM/EC"), ("A AMB", "F AMB/NC")])
def test_a_unit_on_a_coast_that_it_cannot_have_is_a_mistake(unit, other):
    files = finished(read_dpjudge("lakes", text_of("base.map").replace(unit, other), text_of)).files
    told = [one.text for one in mistakes(*files)]
    assert len(told) == 1 and told[0].endswith(f"{other}: it is not on a coast")


@pytest.mark.parametrize("mark", ["*", "-", "~", "-*"])
def test_a_mark_without_a_home_refuses_the_map(mark):
    assert refused(f"REDS {mark}") == f"line 29: {mark}: a home center of an unknown kind"


def test_a_home_that_is_dropped_from_the_map_is_nobodys():
    variant = imported(text_of("base.map") + "DROP FAR\n").variant
    assert "FAR" not in variant.provinces and variant.provinces["AMB"].army == ("BIR", "ELM")


def test_the_palette_holds_colours_that_can_be_told_apart():
    assert min(colour_distance(a, b) for a in PALETTE for b in PALETTE if a != b) > 60


# --- names and dates ----------------------------------------------------------------------------------------------


def test_renamed_places_and_powers():
    variant = imported(text_of("renamed.map")).variant
    assert variant.provinces["BIR"].name == "Beech Downs" and variant.provinces["OAK"].name == "Oak Haven"
    assert "ELM" not in variant.provinces and "OAK/EC" in variant.provinces["AMB"].fleet[""]
    assert [(power.name, power.adjective, power.letter) for power in variant.powers] == [
        ("Blues", "Blue", "B"), ("Scarlets", "Scarlet", "S"),
    ]  # fmt: skip
    assert variant.powers[0].homes == ("OAK",) and [unit.text for unit in variant.powers[0].units] == ["F OAK/WC"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("NEW -> Newer = nwr", "NEW cannot be renamed, because it has not been described yet"),
        ("FAR -> Cedar Bay = ced", "FAR cannot be called CED: that is another place"),
        ("FAR -> Far Bay = far/nc", "FAR cannot be called FAR/NC: that is not the name of a province"),
        ("Whites -> Blacks", "Whites cannot be renamed: there is no such power yet"),
    ],
)
def test_a_new_name_that_cannot_be_given(line, told):
    assert refused(line) == f"line 29: {told}"


def test_a_map_in_another_language():
    read = imported(text_of("tongues.map"))
    variant = read.variant
    assert variant.provinces["AMB"].name == "Ámbar" and variant.provinces["OLM"].name == "Olmo"
    assert "OLM/EC" in variant.provinces["AMB"].fleet[""] and set(variant.provinces["OLM"].fleet) == {"EC", "WC"}
    assert read.notes == ("The coast ELM/CO is called EC here.",)
    assert variant.start == "F1801M"
    assert not variant.provinces["FAR"].center and variant.provinces["DUN"].center


@pytest.mark.parametrize(
    ("begins", "step", "phase", "special"),
    [
        ("A.D. 1425 MOVEMENT", 5, "S1425M", ""),
        ("B.C. 273 MOVEMENT", -1, "S1M", "Years are counted from the start of the game: year 1 is 273 B.C."),
    ],
)
def test_two_years_of_one_movement_each_are_a_spring_and_a_fall(begins, step, phase, special):
    word = begins.partition(" ")[0]
    flow = f"FLOW NEWYEAR:{step} {word}:MOVEMENT,RETREATS IFYEARDIV:{2 * abs(step)} {word}:ADJUSTMENTS"
    read = imported(f"{text_of('base.map')}\nBEGIN {begins}\n{flow}\n")
    assert (read.variant.start, read.variant.special) == (phase, special)
    assert read.notes == (f"In the original each movement is a year, {abs(step)} apart. Here a year has two.",)


def test_years_that_are_further_apart_are_told():
    read = imported(text_of("directives.map") + "\nFLOW NEWYEAR:5\n")
    assert "In the original the years are 5 apart. Here they follow one another." in read.notes


def test_a_file_that_is_missing_is_named(tmp_path):
    (tmp_path / "far.map").write_text("USE near\n")
    with pytest.raises(MapError, match="^line 1: there is no file near.map$"):
        read_dpjudge("far", read_source(tmp_path / "far.map"), lambda name: read_beside(tmp_path / "far.map", name))


@pytest.mark.parametrize(
    "data",
    [
        text_of("base.map").replace("Amber Coast", "Ámber Coast").encode("utf-8-sig"),
        text_of("base.map").replace("Amber Coast", "Ámber Coast").encode("latin-1"),
        text_of("base.map").replace("Amber Coast", "Ám\x1bber\u202e Coast\0").replace("\n", "\r\n").encode(),
    ],
    ids=["with a byte order mark", "Latin-1", "controls"],
)
def test_the_letters_of_a_file_are_read_as_they_are_meant(tmp_path, data):
    (tmp_path / "lakes.map").write_bytes(data)
    read = imported(read_source(tmp_path / "lakes.map"))
    assert read.variant.provinces["AMB"].name == "Ámber Coast" and read.notes == ()


@pytest.mark.parametrize("line", ["Amber Coast =", "=", "(", "REDS ->", "COAST", "VICTORY many", "LAND BIR = "])
def test_a_line_that_cannot_be_read_is_shown(line):
    assert refused(line) == f'line 29: "{line.strip()}" cannot be read'


def test_a_word_that_nobody_knows_is_told_as_the_power_that_it_is_taken_for():
    assert imported(text_of("base.map") + "WIBBLE\n").notes == (
        "Wibble was taken for a power, but has no center and no unit.",
    )


def test_a_map_without_units_is_told():
    text = "\n".join(line for line in text_of("base.map").splitlines() if line[:2] not in ("A ", "F "))
    assert imported(text).notes == ("No power has a unit at the start.",)


def test_a_file_that_belongs_to_a_map_is_named():
    files = {"far.map": "USE near.map\n", "near.map": "\nLAND ABC ABUTS R:DEF\n"}
    with pytest.raises(MapError, match="^line 1: far.map: line 1: near.map: line 2: ABC abuts R:DEF: a border"):
        read_dpjudge("lakes", "USE far\n", files.__getitem__)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            "BEGIN A.D. 1430 MOVEMENT\nFLOW NEWYEAR:5 A.D.:MOVEMENT,RETREATS IFYEARDIV:10 A.D.:ADJUSTMENTS",
            "BEGIN A.D. 1430 MOVEMENT: a game cannot begin between two movements here",
        ),
        ("FLOW NEWYEAR:5 A.D.:MOVEMENT,RETREATS IFYEARDIV:15 A.D.:ADJUSTMENTS", "FLOW IFYEARDIV:15: a year with other"),
        ("FLOW NEWYEAR:0 A.D.:MOVEMENT,RETREATS IFYEARDIV:0", "FLOW NEWYEAR:0: that many years cannot pass at once"),
        ("FLOW NEWYEAR:few", "FLOW NEWYEAR:few: that many years cannot pass at once"),
        ("FLOW SPRING:ADJUSTMENTS", "FLOW SPRING:ADJUSTMENTS: a year with other phases"),
        ("FLOW A:MOVEMENT,RETREATS B:ADJUSTMENTS", "FLOW B:ADJUSTMENTS: a year with other phases"),
        ("FLOW A:MOVEMENT,RETREATS B:MOVEMENT,RETREATS C:ADJUSTMENTS D:ADJUSTMENTS", "FLOW D:ADJUSTMENTS: a year"),
    ],
)
def test_a_year_that_is_not_there(line, told):
    assert told in refused(line)


def test_a_game_cannot_begin_with_retreats():
    told = refused("BEGIN SPRING 1800 RETREATS")
    assert told.startswith("BEGIN SPRING 1800 RETREATS: a game cannot begin with retreats")


def test_a_game_may_begin_in_a_winter():
    variant = imported(text_of("winter.map")).variant
    position = start_position(variant)
    assert position.phase == "W1799A" and not position.units.get("Reds")
    due = needs(variant, position)
    assert {power: need.builds for power, need in due.items()} == {"Reds": 1, "Blues": 1}
    assert "A AMB" in {str(order).removeprefix("BUILD ") for order in legal_builds(variant, position, "Reds")}
    lines = list(play(variant, 2, seed=3))
    assert [line["phase"] for line in lines[:2]] == ["W1799A", "S1800M"]


@pytest.mark.parametrize(
    ("written", "phase", "special"),
    table("""
        SPRING 1901 MOVEMENT       => S1901M =>
        WINTER 1900 ADJUSTMENTS    => W1900A =>
        Fall, 1900, Adjustment     => W1900A =>
        Spring, B.C. 273, Movement => S1M    => year 1 is 273 B.C.
        Spring, 273 BC, Movement   => S1M    => year 1 is 273 B.C.
        SPRING -273 MOVEMENT       => S1M    => year 1 is 273 B.C."""),
)
def test_beginnings(written, phase, special):
    read = imported(f"{text_of('base.map')}\nBEGIN {written}\n").variant
    assert (read.start, read.special.partition("game: ")[2]) == (phase, special)


def test_years_before_christ_are_counted_from_the_beginning():
    variant = imported(text_of("ancient.map")).variant
    assert variant.start == "S1M" and variant.special.endswith("year 1 is 273 B.C.")
    assert year(list(play(variant, 3, seed=2))[-1]["phase"]) <= 3


# --- directives ---------------------------------------------------------------------------------------------------


def test_directives_are_no_powers():
    read = imported(text_of("directives.map"))
    assert [power.name for power in read.variant.powers] == ["Reds", "Blues"]
    assert read.variant.rule(BuildAnywhere)
    assert read.notes == (
        "CAP is for games in which orders cost money, so it was left out.",
        "RULE NO_DEADLINE was left out: here the master of a game decides that.",
        "Lines for PAYOLA games only were left out.",
        "RULE CD_BUILDS was left out: here the master of a game decides that.",
    )


@pytest.mark.parametrize(
    ("line", "told"),
    table("""
        NEWHOMES 1802 1804 => NEWHOMES 1802 1804: home centers that are chosen during the game
        IN S1801M => IN S1801M: changes of the map in a certain phase
        FLOW SPRING:INCOME,MOVEMENT,RETREATS => FLOW SPRING:INCOME,MOVEMENT,RETREATS: a year with other phases
        RESERVES 2 => RESERVES 2: units beyond the centers
        LAKE SOA ABUTS CED => LAKE is not a kind of place. Write LAND, COAST, WATER, SEA, PORT, SHUT or AMEND
        RULE HOME_BUILDS => RULE HOME_BUILDS: it cannot be played here
        RULE VASSAL_DUMMIES => RULE VASSAL_DUMMIES: it cannot be played here
        REDS @FAR(AMB) => @FAR(AMB): a home center of an unknown kind
        REDS +BIR => +BIR: a home center of an unknown kind
        OWNS SC! => SC!: a center of an unknown kind"""),
)
def test_what_we_have_no_mechanism_for_refuses_the_map_by_name(line, told):
    assert refused("BLUES", line).startswith("line 30: ") and told in refused("BLUES", line)


# --- jDip ---------------------------------------------------------------------------------------------------------


def jdip(borders: str = "", rules: str = "") -> Read:
    read = read_jdip("", rules or text_of("variants.xml"), lambda _: borders or text_of("lakes.xml"))
    return as_read(finished(read))


def test_what_borders_only_on_itself_is_impassable_or_an_island():
    read = jdip()
    assert mistakes(*read.files) == []
    provinces = read.variant.provinces
    assert (provinces["HIG"].kind, provinces["DUN"].kind, provinces["DUN"].army) == ("impassable", "coast", ())
    assert read.variant.start == "S1M" and read.variant.rule(BuildAnywhere)
    assert len(list(play(read.variant, 10, seed=1))) > 4


def test_both_forms_make_the_same_map():
    ours = imported(text_of("base.map")).variant.provinces
    theirs = jdip().variant.provinces
    assert {name: (one.kind, one.army, one.fleet) for name, one in ours.items()} == {
        name: (one.kind, one.army, one.fleet) for name, one in theirs.items()
    }


def test_a_neighbour_without_its_coast_is_the_coast_that_names_the_province():
    read = jdip(text_of("lakes.xml").replace("elm/ec", "elm"))
    assert read.variant.provinces["AMB"].fleet == {"": ("CED", "ELM/EC")}
    assert read.notes[0] == "AMB borders on ELM without a coast: taken as ELM/EC."
    assert mistakes(*read.files) == []


def test_a_coast_that_is_not_there_is_the_coast_that_names_the_province():
    read = jdip(text_of("lakes.xml").replace("elm/ec", "elm/nc"))
    assert read.variant.provinces["AMB"].fleet == {"": ("CED", "ELM/EC")}
    assert read.notes[0] == "AMB borders on ELM/NC, which is not a coast: taken as ELM/EC."


def test_no_fleet_gets_inland():
    read = jdip(text_of("lakes.xml").replace('refs="ced elm/ec"', 'refs="ced elm/ec bir"'))
    assert read.notes == ("AMB borders on BIR for fleets, but BIR is inland: left out.",)
    assert read.variant.provinces == jdip().variant.provinces


def with_border_rules(*rules: tuple[str, str]) -> str:
    """The map with these BORDERs, each with the province that names it."""
    text = text_of("lakes.xml").replace("<PROVINCES>", f"<PROVINCES>{''.join(rule for rule, _ in rules)}")
    for number, (_, abbr) in enumerate(rules):
        named = f'shortname="{abbr}" borders="b{number}'
        text = text.replace(f'shortname="{abbr}" borders="', f"{named} ")
        text = text.replace(f'shortname="{abbr}" f', f'{named}" f')
    return text


def test_ice_closes_a_province_in_a_season():
    read = jdip(with_border_rules(('<BORDER id="b0" description="ice" season="fall"/>', "gal")))
    assert read.variant.rule(ClosedSeasons) == ClosedSeasons({"Fall": ("GAL",)})
    assert mistakes(*read.files) == []


def test_ice_closes_a_border_in_a_season():
    read = jdip(
        with_border_rules(
            ('<BORDER id="b0" description="ice" from="gal" season="spring"/>', "ced"),
            ('<BORDER id="b1" description="ice" from="ced" season="spring"/>', "gal"),
        )
    )
    assert read.variant.rule(ClosedSeasons) == ClosedSeasons({"Spring": ("CED-GAL",)})


def test_moves_that_are_worth_one_less_go_over_difficult_borders():
    read = jdip(
        with_border_rules(
            ('<BORDER id="b0" description="" from="amb" baseMoveModifier="-1"/>', "far"),
            ('<BORDER id="b1" description="" from="far, elm" baseMoveModifier="-1"/>', "amb"),
            ('<BORDER id="b2" description="" from="amb" baseMoveModifier="-1"/>', "elm"),
        )
    )
    assert read.variant.rule(DifficultBorders) == DifficultBorders((("AMB", "ELM"), ("AMB", "FAR")))
    assert mistakes(*read.files) == []


def test_a_rule_for_a_border_that_is_not_there_is_left_out_and_one_told_twice_is_one():
    weaker = 'description="" from="{}" baseMoveModifier="-1"'
    ice = '<BORDER id="{}" description="ice" season="fall"/>'
    read = jdip(
        with_border_rules(
            (f'<BORDER id="b0" {weaker.format("dun")}/>', "far"),
            (f'<BORDER id="b1" {weaker.format("far")}/>', "dun"),
            (ice.format("b2"), "gal"),
            (ice.format("b3"), "gal"),
        )
    )
    assert read.variant.rule(DifficultBorders) is None
    assert read.notes == ("There is a rule for the border DUN-FAR, but no such border: left out.",)
    assert read.variant.rule(ClosedSeasons) == ClosedSeasons({"Fall": ("GAL",)})


@pytest.mark.parametrize(
    "rule",
    [
        'from="amb" baseMoveModifier="-2"', 'baseMoveModifier="-1"', 'from="amb" season="winter"', 'year="odd"',
        'season="fall" unitTypes="Fleet"', 'season="fall" phase="Movement"', 'season="fall" orderTypes="Move"',
    ],
)  # fmt: skip
def test_other_rules_for_borders_refuse_the_map(rule):
    with pytest.raises(MapError, match='the borders "b0" of FAR .* follow a rule that cannot be played here'):
        jdip(with_border_rules((f'<BORDER id="b0" description="odd" {rule}/>', "far")))


def test_a_rule_that_holds_in_one_direction_only_refuses_the_map():
    with pytest.raises(MapError, match="its rule for the border from AMB to FAR applies in this direction only"):
        jdip(with_border_rules(('<BORDER id="b0" description="" from="amb" baseMoveModifier="-1"/>', "far")))


def test_a_sea_whose_borders_are_written_as_for_armies_is_a_sea():
    text = text_of("lakes.xml").replace('<ADJACENCY type="xc" refs="amb dun', '<ADJACENCY type="mv" refs="amb dun')
    read = jdip(text)
    told = "CED has borders for armies, but only fleets can get there, so it is now a sea."
    assert read.notes == (told, "CED borders on ELM without a coast: taken as ELM/EC.")
    assert read.variant.provinces["CED"] == jdip().variant.provinces["CED"]


def test_names_stand_in_one_line_of_a_mail():
    text = text_of("lakes.xml").replace("Amber Coast", "Amber&#10;:: Judge:").replace('"cedar"', '"ce&#10;dar"')
    rules = text_of("variants.xml").replace('adjective="Red"', 'adjective="Re&#x9b;d&#8238;&#10;"')
    read = jdip(text, rules=rules)
    assert read.variant.provinces["AMB"].name == "Amber :: Judge:"
    assert read.variant.provinces["CED"].aliases == ("ce dar",)
    assert read.variant.powers[0].adjective == "Red"
    assert mistakes(*read.files) == []


def test_a_type_of_borders_is_read_without_blanks():
    assert jdip(text_of("lakes.xml").replace('type="wc"', 'type="wc "')).variant.provinces == jdip().variant.provinces


def test_a_place_with_a_blank_refuses_the_map():
    with pytest.raises(MapError, match="its unit in ELM/W C has no place"):
        jdip(rules=text_of("variants.xml").replace('unitcoast="wc"', 'unitcoast="w c"'))


def test_a_power_without_a_name_refuses_the_map():
    with pytest.raises(MapError, match="^a power has no name$"):
        jdip(rules=text_of("variants.xml").replace("</VARIANT>", '<POWER name="&#x9b;"/></VARIANT>'))


def test_a_province_without_a_name_is_called_as_it_is_abbreviated():
    read = jdip(text_of("lakes.xml").replace('fullname="Far Lake"', 'fullname=" "'))
    assert read.notes == ("FAR has no name, so it is called FAR.",)
    assert mistakes(*read.files) == []


def test_a_power_goes_by_its_other_names_too():
    rules = text_of("variants.xml").replace('name="Reds" adjective="Red"', 'name="Crimson" altnames="Scarlet, Reds"')
    power = jdip(rules=rules).variant.powers[0]
    assert (power.name, power.homes, [str(unit) for unit in power.units]) == ("Crimson", ("AMB",), ["A AMB"])


def test_an_impassable_province_says_so():
    text = text_of("lakes.xml").replace('"dun" fullname="Dune Isle"', '"dun" fullname="Dune Isle" isImpassable="true"')
    read = jdip(text)
    province = read.variant.provinces["DUN"]
    assert (province.kind, province.army, province.fleet) == ("impassable", (), {})
    assert read.notes == ("DUN is impassable: the borders that lead there are left out.",)
    assert not [one for one in read.variant.provinces.values() if "DUN" in str((one.army, one.fleet))]


def test_borders_may_be_told_in_two_lines_and_with_commas():
    apart = 'type="mv" refs="bir,elm"/><ADJACENCY type="mv" refs="far"/>'
    text = text_of("lakes.xml").replace('type="mv" refs="bir elm far"/>', apart)
    assert jdip(text).variant.provinces["AMB"].army == ("BIR", "ELM", "FAR")


def test_builds_in_any_center_as_long_as_a_home_is_owned():
    rules = text_of("variants.xml").replace("VALUE_BUILDS_ANY_OWNED", "VALUE_BUILDS_ANY_IF_HOME_OWNED")
    theirs = imported(text_of("base.map") + "\nRULE REMOTE_BUILDS\n").variant
    assert jdip(rules=rules).variant.rule(BuildAnywhere) == theirs.rule(BuildAnywhere) == BuildAnywhere(while_home=True)


def test_ends_of_a_game_that_are_left_out_are_told():
    rules = (
        text_of("variants.xml")
        .replace("</WINNING_SUPPLY_CENTERS>", "")
        .replace("</VICTORYCONDITIONS>", '<GAME_LENGTH value="35"/></VICTORYCONDITIONS>')
    )
    assert jdip(rules=rules).notes == ("GAME_LENGTH 35 was left out: here the players vote for draws.",)


def test_a_center_that_nobody_can_reach_is_a_mistake():
    rules = text_of("variants.xml").replace('province="far"', 'province="hig"')
    files = finished(read_jdip("Five Lakes", rules, text_of)).files
    found = [one.text for one in mistakes(*files)]
    assert found == ["HIG: no one can reach it, so it cannot be a center"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('<POWER name="Reds"', '<POWER name="Reds" emergency="true"', "the emergency measures of Reds cannot"),
        ('homepower="reds"', 'homepower="greens"', "homepower of amb is greens, and there is no such power"),
        ('power="blues" unit', 'power="greens" unit', "power of elm is greens, and there is no such power"),
        ('fullname="Cedar Bay"', 'fullname="Cedar Bay" borders="ice"',
         'the borders "ice" of CED follow a rule that cannot be played here'),
        ("<PROVINCES>",
         '<PROVINCES><BORDER id="mx" description="" baseMoveModifier="-1"/><PROVINCE shortname="x" borders="mx"/>',
         r'the borders "mx" of X \(moves across them have -1 strength\) follow a rule that cannot be played here'),
        ('unit="fleet"', 'unit="wing"', "its unit wing in elm cannot be played here"),
        ("VALUE_BUILDS_ANY_OWNED", "VALUE_WINGS_ENABLED", "its wings cannot be played here"),
    ],
)  # fmt: skip
def test_what_jdip_alone_can_do_refuses_the_map_by_name(old, new, told):
    with pytest.raises(MapError, match=told):
        jdip(text_of("lakes.xml").replace(old, new), text_of("variants.xml").replace(old, new))
