"""Every word and phrase that stands for a word of an order, in an order of its own; coasts, routes, all units."""

import pytest

from judge.rules import OrderError, load_variant, looks_like_order, position_from_json, read_line
from judge.rules.parsing import vocabulary as words
from judge.rules.variant.registry import built_in_names
from tests.texts import listed, mapped, table

STANDARD = load_variant("standard")
SEA = position_from_json(STANDARD, {
    "phase": "F1902M",
    "units": {"England": ["F NTH", "F NWG", "A LON", "F STP/NC", "F MAO", "F BOT", "F SPA/SC"],
              "France": ["A PAR", "A MAR", "A PIC", "F POR"]},
})  # fmt: skip
RETREATS = position_from_json(STANDARD, {
    "phase": "F1902R",
    "units": {"Germany": ["A BOH"]},
    "dislodged": {"Austria": [{"unit": "A BOH", "from": "MUN"}]},
})  # fmt: skip
BUILDS = position_from_json(STANDARD, {
    "phase": "W1902A",
    "units": {"France": ["A GAS"], "Austria": ["A BOH", "A GAL"]},
    "centers": {"France": ["PAR", "MAR", "BRE"], "Austria": ["VIE"]},
})  # fmt: skip


def read(position, power: str, line: str) -> list[str]:
    """The orders of a line in normal form; "?" and the reason for what cannot be read."""
    assert looks_like_order(STANDARD, line), line
    found = read_line(STANDARD, position, power, line)
    return [f"? {one}" if isinstance(one, OrderError) else str(one[1]) for one in found]


def of_meaning(meaning: str) -> list[str]:
    return [phrase for phrase, word in words.PHRASES.items() if word == meaning]


@pytest.mark.parametrize("phrase", [*sorted(words.ANY_SUPPORT - {"SUPPORT-HOLDS"}), *of_meaning("SUPPORTS")])
def test_words_of_a_support(phrase):
    assert read(SEA, "France", f"A PIC {phrase} A PAR - BUR") == ["A PIC S A PAR - BUR"]
    assert read(SEA, "France", f"a pic {phrase.lower()} a par") == ["A PIC S A PAR"]


@pytest.mark.parametrize("phrase", of_meaning("SUPPORT-HOLDS"))
def test_a_support_in_place_is_not_read_as_one_of_a_move(phrase):
    assert read(SEA, "France", f"A PIC {phrase} A PAR") == ["A PIC S A PAR"]
    assert read(SEA, "France", f"A PIC {phrase} A PAR - BUR") == [
        '? "- BUR" at the end is not something the judge understands.'
    ]


@pytest.mark.parametrize("noun", sorted(words.ATTEMPTS))
def test_what_is_supported_may_be_a_move_by_its_name(noun):
    assert read(SEA, "France", f"A PIC supports the {noun} of A PAR to BUR") == ["A PIC S A PAR - BUR"]
    assert read(SEA, "France", f"A PIC supports {noun} from PAR on BUR") == ["A PIC S A PAR - BUR"]
    assert read(SEA, "France", f"A PIC supports the {noun} of A PAR")[0].startswith("?")


@pytest.mark.parametrize("word", sorted(words.ANY_CONVOY))
def test_words_of_a_convoy(word):
    assert read(SEA, "England", f"F NTH {word} A LON - NWY") == ["F NTH C A LON - NWY"]


@pytest.mark.parametrize("word", sorted(words.CONVOYED))
@pytest.mark.parametrize("rest", ["to NWY", "by F NTH to NWY", "to NWY by F NTH", "via NTH to NWY", "- NWY"])
def test_an_army_is_carried(word, rest):
    assert read(SEA, "England", f"A LON is {word} {rest}") == ["A LON - NWY VIA"]


@pytest.mark.parametrize("text", [
    "A LON - NWY via NTH", "A LON - NWY by F NTH", "A LON - NWY by fleet North Sea", "A LON - NWY by F NTH and F NWG",
    "A LON - NWY via F NTH, F NWG", "A LON - NWY (C)", "A LON - NWY (convoy)", "A LON - NWY c", "A LON - NWY convoyed",
    "A LON moves by convoy to NWY", "A LON via F NTH - NWY", "A LON - C - NWY",
    "A LON by F NTH to NWY", "A LON convoys to NWY", "A LON convoy to NWY via NTH", "A LON to NWY by way of NTH",
    *(f"A LON to NWY {word} F NTH" for word in sorted(words.ALSO_BY_WAY_OF)), "A LON to NWY through NTH",
])  # fmt: skip
def test_a_route_by_convoy(text):
    assert read(SEA, "England", text) == ["A LON - NWY VIA"]


def test_who_carries_may_be_ordered_behind_the_route():
    together = read(SEA, "England", "A LON - NWY by F NWG and F NTH C A LON - NWY")
    assert together == ["A LON - NWY VIA", "F NTH C A LON - NWY"]
    assert read(SEA, "England", "A LON - NWY with support") == [
        '? "with support" at the end is not something the judge understands.'
    ]
    assert read(SEA, "France", "A PAR - BUR with A MAR") == [
        '? "with A MAR" at the end is not something the judge understands.'
    ]


def test_a_unit_behind_a_route_is_not_passed_over():
    """It has no order, which is said; only fleets and seas belong to a route."""
    first, second = read(SEA, "England", "A LON - NWY via NTH, A YOR")
    assert first == "A LON - NWY VIA" and second.startswith('? "A YOR" names a unit but no order.')
    assert len(read(SEA, "France", "A PIC - WAL via ENG and A PAR H")) == 2


FORMS = table("""
    England => A LON - NWY VIA     => A LON - NWY (NTH)
    England => A LON - NWY VIA     => A LON - NWY [NTH]
    England => A LON - NWY VIA     => A LON - NWY [via convoy]
    England => A LON - NWY VIA     => A LON - NWY via convoy (NTH)
    England => A LON - NWY VIA     => A LON - NWY, convoyed by NTH
    England => A LON - NWY VIA     => A LON - NWY, via NTH
    England => A LON - NWY VIA     => A LON (convoyed) to NWY
    England => A LON - NWY VIA     => A LON using F NTH to NWY
    England => F NTH C A LON - NWY => F(NTH) c A(LON)->NWY
    England => F NTH C A LON - NWY => F NTH c lon nwy
    England => F NTH C A LON - NWY => F NTH: convoy A LON - NWY
    England => F NTH C A LON - NWY => NTH conv LON - NWY
    England => F NTH C A LON - NWY => North Sea Fleet convoys London Army to Norway
    England => F NTH C A LON - NWY => Convoy A LON to NWY with F NTH
    England => F NTH C A LON - NWY => F.NTH C A.LON - NWY
    England => F NTH C A LON - NWY => F NTH C A LON - NWY via NTH
    England => F MAO - SPA/SC      => F MAO - Spain, SC
    England => F MAO - SPA/SC      => F MAO - Spain s
    England => F MAO - SPA/SC      => F MAO to South Spain
    England => F MAO - SPA/SC      => F MAO: SPA/SC
    England => F MAO - SPA/SC      => F-MAO - SPA [sc]
    England => F SPA/SC - LYO      => F SPA:SC - LYO
    England => F SPA/SC - LYO      => F (SPA/SC) - LYO
    England => F SPA/SC - LYO      => Fleet on the south coast of Spain to LYO
    France  => A PAR - BUR         => A.Paris - Burgundy
    France  => A PAR - BUR         => A-PAR-BUR
    France  => A PAR - BUR         => A/Paris - Burgundy
    France  => A PAR - BUR         => A (Paris) - Burgundy
    France  => A PAR - BUR         => A PAR: to BUR
    France  => A PAR - BUR         => A PAR: BUR
    France  => A PAR - BUR         => Move Paris to Burgundy
    France  => A PAR - BUR         => From Paris to Burgundy
    France  => A PAR - BUR         => Please move my army in Paris to Burgundy
    France  => A PAR - BUR         => Paris army to Burgundy
    France  => A PAR - BUR         => The Paris army attacks Burgundy
    France  => A PAR - BUR         => A PAR must move to BUR
    France  => A PAR - BUR         => A PAR is ordered to BUR
    France  => A PAR - BUR         => Let A PAR move to BUR
    France  => A PAR - BUR         => 'A PAR - BUR'
    France  => A PAR - BUR         => #1 A PAR - BUR
    France  => A PAR - BUR         => ✅ A PAR - BUR
    France  => A PAR - BUR         => A PAR - BUR [as agreed]
    France  => A PAR H             => A PAR - hold
    France  => A PAR H             => A PAR-H
    France  => A PAR H             => Paris: hold
    France  => A PAR H             => A PAR holds position
    France  => A PAR H             => A PAR stays put
    France  => A PAR H             => A PAR stands still
    France  => A PAR H             => A PAR remains in Paris
    France  => A PAR H             => A PAR holds in place
    France  => A PAR H             => A PAR does nothing
    France  => A PAR H             => Hold Paris
    France  => A MAR S A PAR - BUR => MAR supports move PAR - BUR
    France  => A MAR S A PAR - BUR => A MAR supports the attack on BUR from PAR
    France  => A MAR S A PAR - BUR => A MAR S own A PAR - BUR
    France  => A MAR S A PAR - BUR => A MAR S (French) A PAR - BUR
    France  => A MAR S A PAR - BUR => A MAR S FRE A PAR - BUR
    France  => A MAR S A PAR - BUR => Support A PAR - BUR with A MAR
    France  => A PAR S A PIC       => A PAR supports A PIC in place
    France  => A PAR S A PIC       => A PAR S A PIC hold position
    France  => A PAR S A PIC       => A PAR S/H PIC""")


@pytest.mark.parametrize(("power", "order", "text"), FORMS)
def test_what_people_write(power, order, text):
    assert read(SEA, power, text) == [order]


@pytest.mark.parametrize(
    ("position", "power", "text", "orders"),
    table("""
    SEA      => France  => Hold: PAR, MAR                 => A PAR H; A MAR H
    SEA      => France  => A PAR - BUR and the rest holds => A PAR - BUR; A MAR H; A PIC H; F POR H
    RETREATS => Austria => Retreat: A BOH to TYR          => A BOH - TYR
    RETREATS => Austria => RET A BOH - TYR                => A BOH - TYR
    RETREATS => Austria => move BOH to TYR                => A BOH - TYR
    RETREATS => Austria => A BOH off the map              => A BOH D
    RETREATS => Austria => disband both                   => A BOH D
    BUILDS   => France  => Builds: A PAR, F BRE           => BUILD A PAR; BUILD F BRE
    BUILDS   => France  => +A PAR, F BRE                  => BUILD A PAR; BUILD F BRE
    BUILDS   => France  => Build A PAR and waive          => BUILD A PAR; WAIVE
    BUILDS   => France  => waive two builds               => WAIVE; WAIVE
    BUILDS   => France  => I waive my builds              => WAIVE
    BUILDS   => Austria => Remove: A BOH, A GAL           => REMOVE A BOH; REMOVE A GAL"""),
)
def test_several_orders_as_people_write_them(position, power, text, orders):
    assert read({"SEA": SEA, "RETREATS": RETREATS, "BUILDS": BUILDS}[position], power, text) == orders.split("; ")


def test_a_plus_may_be_before_a_coast_that_is_joined():
    assert looks_like_order(STANDARD, "+F STPNC")


@pytest.mark.parametrize("text", ["F NTH con A LON - NWY", "F NWG sm F NTH - NWY"])
def test_a_misread_verb_does_not_order_the_unit_behind_it(text):
    """CON is Constantinople, too: the army would have moved without its convoy."""
    (found,) = read(SEA, "England", text)
    assert found.startswith("?")


def test_a_province_is_not_the_short_name_of_a_power():
    (found,) = read(SEA, "France", "F POR S ENG A PAR - BUR")
    assert found.startswith("?")


def test_a_convoy_is_never_passed_over_as_a_remark():
    text = "A LON - NWY (via convoy), F NTH C A LON - NWY (as agreed)"
    assert read(SEA, "England", text) == ["A LON - NWY VIA", "F NTH C A LON - NWY"]


@pytest.mark.parametrize("text", ["F NTH (C) A LON - NWY", "F NTH (c) LON - NWY", "F NTH (convoys) A LON to NWY"])
def test_a_verb_in_brackets(text):
    assert read(SEA, "England", text) == ["F NTH C A LON - NWY"]


def test_a_verb_in_brackets_is_no_coast_and_a_coast_no_verb():
    assert read(SEA, "France", "A PIC (S) A PAR - BUR") == ["A PIC S A PAR - BUR"]
    assert read(SEA, "England", "F SPA (S) F MAO - POR") == ["F SPA/SC S F MAO - POR"]
    assert read(SEA, "England", "F SPA(S) - LYO") == ["F SPA/SC - LYO"]
    assert read(SEA, "England", "F MAO - SPA(S)") == ["F MAO - SPA/SC"]


@pytest.mark.parametrize(
    "text",
    listed("""
    Spain, south coast
    SPA-SC
    SPASC
    spasc
    spa - sc
    Spain s.c.
    Spain south
    Spain southern
    SPA(S)
    south coast of Spain
    the south coast of Spain
    Spain's south coast
    Spain on the south coast
    Spain (on the south coast)
    Spain, on the south coast
    SPA/SC
    spn/sc"""),
)
def test_a_coast(text):
    assert read(SEA, "England", f"F MAO - {text}") == ["F MAO - SPA/SC"]
    assert read(SEA, "England", f"F {text} - LYO") == ["F SPA/SC - LYO"]


def test_a_direction_is_a_coast_only_where_there_are_coasts():
    assert read(SEA, "England", "F STPNC - BAR") == ["F STP/NC - BAR"]
    assert read(SEA, "France", "A PAR - BUR south") == ['? "south" at the end is not something the judge understands.']
    assert read(SEA, "France", "A PAR - BURSC")[0].startswith('? "BURSC" is not a province.')


def test_a_fleet_is_not_convoyed():
    """What is left out is told by the desk (tests/commands/play/test_stray_lines.py)."""
    assert read(SEA, "England", "F NTH - NWY via convoy") == ["F NTH - NWY"]


@pytest.mark.parametrize("verb", [*sorted(words.ANY_RETREAT), *of_meaning("WITHDRAWS")])
def test_words_of_a_retreat(verb):
    for to in ("to TYR", "TYR", "- TYR"):
        assert read(RETREATS, "Austria", f"A BOH {verb} {to}") == ["A BOH - TYR"]
    assert read(SEA, "France", f"A PAR {verb} to GAS")[0].endswith("This is a movement phase.")


@pytest.mark.parametrize("off", [*sorted(words.DISBAND), *of_meaning("D")])
def test_words_for_disbanding(off):
    for text in (f"A BOH {off}", f"A BOH R {off}", f"A BOH - {off}", f"A BOH retreats to {off}", f"A BOH is {off}"):
        assert read(RETREATS, "Austria", text) == ["A BOH D"]


@pytest.mark.parametrize("verb", sorted(words.BUILD))
def test_words_of_a_build(verb):
    assert read(BUILDS, "France", f"{verb} A PAR") == ["BUILD A PAR"]
    assert read(BUILDS, "France", f"A PAR {verb}") == ["BUILD A PAR"]


@pytest.mark.parametrize("verb", sorted(words.REMOVE))
def test_words_of_a_removal(verb):
    assert read(BUILDS, "Austria", f"{verb} A BOH") == ["REMOVE A BOH"]
    assert read(BUILDS, "Austria", f"A BOH {verb}") == ["REMOVE A BOH"]


@pytest.mark.parametrize("text", ["+ A PAR", "+A PAR", "+ army Paris", "+ BUILD A PAR"])
def test_a_plus_builds(text):
    assert read(BUILDS, "France", text) == ["BUILD A PAR"]


def test_signs_that_only_mark_a_line_decide_nothing():
    assert read(BUILDS, "France", "+ A PAR, + F BRE") == ["BUILD A PAR", "BUILD F BRE"]
    assert read(BUILDS, "France", "+ A PAR + F BRE") == ["BUILD A PAR", "BUILD F BRE"]
    assert read(SEA, "France", "+ A PAR - BUR") == ["A PAR - BUR"]
    for removal in ("- A BOH", "-A BOH", "A BOH -"):
        assert read(BUILDS, "Austria", removal)[0].startswith("?")


@pytest.mark.parametrize("text", [
    *of_meaning("WAIVE-ALL"), "waive all", "waive all builds", "waive both", "waives both builds", "waive the rest",
    "waive remaining builds", "waive everything", "WAIVE 2",
])  # fmt: skip
def test_all_builds_are_waived(text):
    assert read(BUILDS, "France", text) == ["WAIVE", "WAIVE"]


def test_one_build_is_waived():
    assert read(BUILDS, "France", "waive") == read(BUILDS, "France", "waive 1 build") == ["WAIVE"]


@pytest.mark.parametrize(
    "text",
    listed("""
    all units hold
    All units hold.
    all hold
    ALL H
    all my units hold
    hold all
    hold all units
    everything holds
    everybody stands
    all units stay
    all units hold position
    all of my units will hold
    the rest holds
    all others hold
    all other units hold
    remaining units hold
    others hold
    1. all units hold"""),
)
def test_all_units_hold(text):
    assert read(SEA, "France", text) == ["A MAR H", "A PAR H", "A PIC H", "F POR H"]


def test_all_units_of_a_kind_hold():
    assert read(SEA, "France", "all armies hold") == ["A MAR H", "A PAR H", "A PIC H"]
    assert read(SEA, "France", "all fleets hold") == ["F POR H"]
    assert read(RETREATS, "Austria", "all units disband") == ["A BOH D"]
    assert read(RETREATS, "Germany", "all units disband") == ["? You have no unit left for this order."]


@pytest.mark.parametrize("text", [
    "all units hold unless attacked", "all but PAR hold", "not all units hold", "all units may hold", "units hold",
    "all units hold?", "hold the line", "We all hold you dear", "all French units hold",
])  # fmt: skip
def test_what_is_not_surely_an_order_for_all_is_none(text):
    found = read_line(STANDARD, SEA, "France", text)
    assert all(isinstance(one, OrderError) for one in found)


NJUDGE = mapped("""
    NWY => nor nwy norw
    NWG => nwg nrg norwsea norwegian
    NTH => nth nts norsea
    NAO => nao nat
    NAF => naf nora
    MAO => mao mid mat midatlantic
    LVP => lvp livp lpl
    LVN => lvn livo lvo lva
    LYO => lyo gol gulfofl
    BOT => bot gob both gulfofb
    TYR => tyr tyl trl tyo
    TYS => tys tyrr tyn tyh
    EAS => eas emed ems eme east
    WES => wes wmed wms wme west
    ENG => eng ech channel
    EDI => edi
    HEL => hel
    HOL => hol
    SEV => sev sevastapol
    YOR => yor
    STP => stp
    SKA => ska
    SPA => spa spn""")


@pytest.mark.parametrize("province", NJUDGE)
def test_short_names_of_the_classic_judges(province):
    for name in NJUDGE[province].split():
        assert STANDARD.names.find(name.upper()) == [province], name


@pytest.mark.parametrize(
    ("board", "name", "province"),
    table("""
    1648            => Duchy of Courland                   => Courland
    1648            => Swiss Confederation                 => Switzerland
    1648            => the Electorate of Saxony            => Saxony
    1648            => Cossack Hetmanate of the Ukraine    => Ukraine
    1648            => Duchy of Prussia                    => Ducal Prussia
    1648            => United Provinces of the Netherlands => United Provinces
    ambition_empire => Duchy of Courland                   => Courland
    ambition_empire => Swiss Confederation                 => Switzerland
    ambition_empire => Khanate of Crimea                   => Crimea
    ambition_empire => Kingdom of Sardinia                 => Sardinia"""),
)
def test_minor_powers_by_their_long_names(board, name, province):
    """1648 and Ambition & Empire, "Minor Powers": the names under which the rulebooks list them."""
    variant = load_variant(board)
    found = read_line(variant, position_from_json(variant, {"phase": "S1648M", "units": {}}), "France", f"A {name} H")
    assert [str(one) for one in found] == [f"There is no unit in {province}."]


def test_no_name_of_a_province_holds_a_phrase():
    """Else an order with the name could not be read."""
    names = {name for board in built_in_names() for name in load_variant(board).names.exact}
    assert not {name for name in names for phrase in words.PHRASES if f" {phrase} " in f" {name} "}


def test_courtesies_around_an_order_are_no_part_of_it():
    before = sorted(words.COURTESIES | words.OPENINGS)
    lines = [f"{word} A PIC - BRE" for word in before] + [f"A PIC - BRE {word}" for word in sorted(words.THANKS)]
    assert not [line for line in lines if read(SEA, "France", line) != ["A PIC - BRE"]]
