"""Text to orders and back: every form that players write, and the words for what cannot be read."""

import random

import pytest

from judge.rules import (
    OrderError,
    describe_order,
    filled_in,
    format_order,
    legal_orders,
    load_variant,
    looks_like_order,
    parse_order,
    position_from_json,
    read_line,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.phases.needs import legal_builds
from tests.rules.lines import read_order
from tests.rules.positions import random_position
from tests.texts import listed, table

STANDARD = load_variant("standard")
START = start_position(STANDARD)

AT_SEA = position_from_json(
    STANDARD,
    {
        "phase": "F1902M",
        "units": {
            "England": ["F NTH", "F NWG", "A LON", "F STP/NC", "F MAO", "F BOT"],
            "France": ["A PAR", "A MAR", "A PIC", "F POR"],
            "Germany": ["A RUH", "A MUN", "A KIE"],
            "Turkey": ["F CON", "A GRE"],
        },
    },
)
RETREAT = position_from_json(
    STANDARD,
    {
        "phase": "F1902R",
        "units": {"Germany": ["A BOH", "F NTH"]},
        "dislodged": {
            "Austria": [{"unit": "A BOH", "from": "MUN"}],
            "England": [{"unit": "F NTH", "from": "SKA"}],
        },
    },
)
WINTER = position_from_json(
    STANDARD,
    {
        "phase": "W1902A",
        "units": {"Austria": ["A BOH", "A GAL"], "Russia": ["A MOS"]},
        "centers": {"Austria": ["VIE"], "Russia": ["STP", "SEV", "MOS", "WAR"]},
    },
)

POSITIONS = {"START": START, "AT_SEA": AT_SEA, "RETREAT": RETREAT, "WINTER": WINTER}

# The position, the power, the text, its normal form.
READ = [
    *table("""
        AT_SEA  => France  => A PAR-BUR                                    => A PAR - BUR
        AT_SEA  => France  => a par - bur                                  => A PAR - BUR
        AT_SEA  => France  => army paris to burgundy                       => A PAR - BUR
        AT_SEA  => France  => Paris -> Burgundy                            => A PAR - BUR
        AT_SEA  => France  => par m bur                                    => A PAR - BUR
        AT_SEA  => France  => PAR BUR                                      => A PAR - BUR
        AT_SEA  => France  => A Par --> Bur                                => A PAR - BUR
        AT_SEA  => France  => A Par – Bur                                  => A PAR - BUR
        AT_SEA  => France  => a paris moves to burgundy                    => A PAR - BUR
        AT_SEA  => France  => French army Paris - Burgundy                 => A PAR - BUR
        AT_SEA  => France  => the army in Paris goes to Burgundy           => A PAR - BUR
        AT_SEA  => France  => A PAR attacks BUR                            => A PAR - BUR
        AT_SEA  => France  => A PAR - BUR.                                 => A PAR - BUR
        AT_SEA  => France  => A PAR - BUR  (*bounce*)                      => A PAR - BUR
        AT_SEA  => France  => F PAR - BUR                                  => A PAR - BUR
        AT_SEA  => France  => Paris - Burgund                              => A PAR - BUR
        AT_SEA  => France  => A PAR will move to BUR                       => A PAR - BUR
        AT_SEA  => France  => A PAR order to BUR                           => A PAR - BUR
        AT_SEA  => France  => A PAR                                        => A PAR H
        AT_SEA  => France  => par h                                        => A PAR H
        AT_SEA  => France  => A Paris holds                                => A PAR H
        AT_SEA  => France  => army paris stand                             => A PAR H
        AT_SEA  => France  => PAR HOLDING                                  => A PAR H
        AT_SEA  => Germany => A ruh S German A mun                         => A RUH S A MUN
        AT_SEA  => Germany => A ruh s mun h                                => A RUH S A MUN
        AT_SEA  => Germany => ruh S mun                                    => A RUH S A MUN
        AT_SEA  => Germany => A RUH supports A MUN to hold                 => A RUH S A MUN
        AT_SEA  => Germany => Army Ruhr SUPPORT Army Munich.               => A RUH S A MUN
        AT_SEA  => Germany => a ruh supports Germany's army in munich      => A RUH S A MUN
        AT_SEA  => Germany => A RUH SUP MUN HOLDS                          => A RUH S A MUN
        AT_SEA  => France  => A mar s a par - bur                          => A MAR S A PAR - BUR
        AT_SEA  => France  => mar S par-bur                                => A MAR S A PAR - BUR
        AT_SEA  => France  => A Mar supports Army Paris to Burgundy        => A MAR S A PAR - BUR
        AT_SEA  => France  => A MAR S PAR MOVES TO BUR                     => A MAR S A PAR - BUR
        AT_SEA  => France  => A Mar supporting French A Paris -> Burgundy  => A MAR S A PAR - BUR
        AT_SEA  => England => F nth c A lon-nwy                            => F NTH C A LON - NWY
        AT_SEA  => England => F NTH convoys army london to norway          => F NTH C A LON - NWY
        AT_SEA  => England => North Sea convoy london - norway             => F NTH C A LON - NWY
        AT_SEA  => England => F NTH transports A LON to NOR                => F NTH C A LON - NWY
        AT_SEA  => England => F NTH C LON - NTH - NWY                      => F NTH C A LON - NWY
        AT_SEA  => England => A lon-nth-nwy                                => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY VIA                              => A LON - NWY VIA
        AT_SEA  => England => A lon - nwy via convoy                       => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY (via convoy)                     => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY by convoy                        => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY VIA C                            => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY via NTH                          => A LON - NWY VIA
        AT_SEA  => England => A LON - NWY via NTH and NWG                  => A LON - NWY VIA
        AT_SEA  => England => A LON - NTH - NWG - NWY                      => A LON - NWY VIA
        AT_SEA  => England => A lon-nwy                                    => A LON - NWY
        AT_SEA  => England => F mao - spa sc                               => F MAO - SPA/SC
        AT_SEA  => England => f mao-spa/sc                                 => F MAO - SPA/SC
        AT_SEA  => England => F MAO - Spain (south coast)                  => F MAO - SPA/SC
        AT_SEA  => England => mao - spa(sc)                                => F MAO - SPA/SC
        AT_SEA  => England => F MAO - SPA/s                                => F MAO - SPA/SC
        AT_SEA  => England => Mid-Atlantic Ocean - Spain/South Coast       => F MAO - SPA/SC
        AT_SEA  => England => mid atlantic - spain south coast             => F MAO - SPA/SC
        AT_SEA  => England => F MAO - spa (s)                              => F MAO - SPA/SC
        AT_SEA  => England => Mid-Atlantic Ocean to Spain/sc               => F MAO - SPA/SC
        AT_SEA  => England => F MAO - SPA/S.C.                             => F MAO - SPA/SC
        AT_SEA  => England => F MAO - Spain (southern coast)               => F MAO - SPA/SC
        AT_SEA  => England => f stp (nc) - bar                             => F STP/NC - BAR
        AT_SEA  => England => F St. Petersburg/north coast - Barents Sea   => F STP/NC - BAR
        # DATC 4.B.5, 4.B.2, 4.B.6.
        AT_SEA  => England => F STP/SC - BAR                               => F STP/NC - BAR
        AT_SEA  => England => F STP - NWY                                  => F STP/NC - NWY
        AT_SEA  => England => F BOT - STP                                  => F BOT - STP/SC
        AT_SEA  => France  => A MAR - SPA/NC                               => A MAR - SPA
        AT_SEA  => France  => A PIC - BRE/NC                               => A PIC - BRE
        AT_SEA  => Turkey  => A GRE S F CON - BUL                          => A GRE S F CON - BUL
        AT_SEA  => Turkey  => A GRE S F CON - BUL/SC                       => A GRE S F CON - BUL/SC
        RETREAT => Austria => A boh - tyr                                  => A BOH - TYR
        RETREAT => Austria => A boh r tyr                                  => A BOH - TYR
        RETREAT => Austria => BOH TYR                                      => A BOH - TYR
        RETREAT => Austria => A BOH retreats to TYR                        => A BOH - TYR
        RETREAT => Austria => retreat A BOH to TYR                         => A BOH - TYR
        RETREAT => Austria => A BOH R - TYR                                => A BOH - TYR
        RETREAT => Austria => A boh d                                      => A BOH D
        RETREAT => Austria => boh disband                                  => A BOH D
        RETREAT => Austria => disband A boh                                => A BOH D
        RETREAT => Austria => D BOH                                        => A BOH D
        RETREAT => Austria => Army Bohemia DISBAND.                        => A BOH D
        RETREAT => Austria => A boh disbands                               => A BOH D
        WINTER  => Russia  => b f stp/nc                                   => BUILD F STP/NC
        WINTER  => Russia  => BUILD F STP/NC                               => BUILD F STP/NC
        WINTER  => Russia  => F stp(nc) build                              => BUILD F STP/NC
        WINTER  => Russia  => build a fleet in St Petersburg (north coast) => BUILD F STP/NC
        WINTER  => Russia  => F STP/NC B                                   => BUILD F STP/NC
        WINTER  => Russia  => b a war                                      => BUILD A WAR
        WINTER  => Russia  => builds an army in Warsaw.                    => BUILD A WAR
        WINTER  => Russia  => A WAR B                                      => BUILD A WAR
        WINTER  => Russia  => BUILD A WAR                                  => BUILD A WAR
        WINTER  => Russia  => W                                            => WAIVE
        WINTER  => Russia  => waive                                        => WAIVE
        WINTER  => Russia  => WAIVES BUILD                                 => WAIVE
        WINTER  => Russia  => waived                                       => WAIVE
        WINTER  => Russia  => Build waived.                                => WAIVE
        WINTER  => Austria => r boh                                        => REMOVE A BOH
        WINTER  => Austria => remove A boh                                 => REMOVE A BOH
        WINTER  => Austria => REMOVE F BOH                                 => REMOVE A BOH
        WINTER  => Austria => A BOH D                                      => REMOVE A BOH
        WINTER  => Austria => d boh                                        => REMOVE A BOH
        WINTER  => Austria => A BOH remove                                 => REMOVE A BOH
        WINTER  => Austria => Removes the army in Bohemia.                 => REMOVE A BOH"""),
    ("AT_SEA", "France", "A PAR => BUR", "A PAR - BUR"),
]


@pytest.mark.parametrize(("position", "power", "text", "normal"), READ, ids=[text for _, _, text, _ in READ])
def test_what_players_write_is_understood(position, power, text, normal):
    assert format_order(read_order(STANDARD, POSITIONS[position], power, text)) == normal


WRONG = [
    *table("""
    START => France => F Bre - lom => "lom" is not a province. Did you mean London (LON)?
    START => France => A par - burgandi => "burgandi" is not a province. Did you mean Burgundy (BUR)?
    START => England => A Liv - yor => "Liv" could be Livonia (LVN) or Liverpool (LVP). Write one of the abbreviations.
    START => France => A BUR - PAR => There is no unit in Burgundy.
    START => France => A MUN - BUR => Army Munich is German, not yours.
    START => France => A PAR - MUN => Army Paris cannot reach Munich.
    START => France => F BRE - PAR => Fleet Brest cannot reach Paris.
    START => France => A MAR - LYO => An army cannot end in Gulf of Lyon.
    START => France => A PAR - PAR => Army Paris is already there. To stay, order it to HOLD.
    START => France => A MAR S A PAR - PIC => Army Marseilles cannot reach Picardy to support there.
    START => France => A MAR S A BUR - PAR => There is no unit in Burgundy to support.
    START => France => A PAR S A MAR - NAP => Army Marseilles cannot reach Naples.
    START => France => A PAR S A PAR => A unit cannot support itself.
    START => France => A PAR S A MAR - PAR => Army Paris cannot support an attack on its own province.
    START => France => A PAR C A MAR - SPA => Only fleets convoy.
    START => France => F BRE C A PAR - LON => Fleet Brest is not at sea, so it cannot convoy.
    AT_SEA => England => F NTH C A PAR - LON => Fleet North Sea is on no convoy route from Paris to London.
    AT_SEA => England => F NTH C F POR - LON => Fleet Portugal is a fleet: only armies can be convoyed.
    AT_SEA => England => F NTH C A BEL - LON => There is no unit in Belgium to convoy.
    AT_SEA => England => F NTH C A LON - NWG => An army cannot be convoyed to Norwegian Sea.
    AT_SEA => England => F NTH C A LON => Where should F NTH convoy A LON? Write F NTH C A LON - …
    AT_SEA => England => A LON - YOR - EDI => An army cannot be convoyed through Yorkshire.
    AT_SEA => Germany => A KIE - DEN VIA => There are no fleets that could convoy Army Kiel to Denmark.
    AT_SEA => England => F MAO - SPA => Which coast of Spain? Write F MAO - SPA/NC or F MAO - SPA/SC.
    AT_SEA => England => F MAO - SPA/EC => Spain has no coast EC. It has NC and SC.
    AT_SEA => England => F BOT - STP/NC => Fleet Gulf of Bothnia cannot reach STP/NC.
    AT_SEA => Turkey => F CON - BUL => Which coast of Bulgaria? Write F CON - BUL/EC or F CON - BUL/SC.
    AT_SEA => England => F MAO - SPA/XX => "/ XX": that is not a coast. A coast is written STP/NC.
    START => France => A PAR =>
    START => France => A PAR R BUR => You can only use "R" in a retreat phase. This is a movement phase.
    START => France => A PAR B => You can only use "B" in a winter phase. This is a movement phase.
    START => France => BUILD F BRE => You can only use "BUILD" in a winter phase. This is a movement phase.
    START => France => Remove A PAR => You can only use "Remove" in a winter phase. This is a movement phase.
    START => France => WAIVE => You can only use "WAIVE" in a winter phase. This is a movement phase.
    START => France => RETREAT A PAR - BUR => You can only use "RETREAT" in a retreat phase. This is a movement phase.
    RETREAT => Austria => BUILD A VIE => You can only use "BUILD" in a winter phase. This is a retreat phase.
    RETREAT => Austria => REMOVE A BOH => You can only use "REMOVE" in a winter phase. This is a retreat phase.
    RETREAT => Austria => WAIVE => You can only use "WAIVE" in a winter phase. This is a retreat phase.
    WINTER => Austria => RETREAT A BOH - TYR => You can only use "RETREAT" in a retreat phase. This is a winter phase.
    WINTER => Austria => A BOH BUD => "BUD" is not something the judge understands. Write BUILD A BOH or REMOVE A BOH.
    START => France => A PAR - BUR quickly => "quickly" at the end is not something the judge understands.
    START => France => A PAR - => A province is missing at the end.
    START => France => => There is no order here.
    RETREAT => Austria => A BOH - MUN => The attacker came from Munich.
    RETREAT => Austria => A BOH - BER => Army Bohemia cannot reach Berlin.
    RETREAT => Austria => A VIE - TYR => Vienna has no dislodged unit.
    RETREAT => Austria => F NTH - NWY => The dislodged Fleet North Sea is not yours.
    WINTER => Russia => BUILD A KIE => Kiel is not one of your home centers.
    WINTER => Russia => BUILD A UKR => Ukraine is not a supply center.
    WINTER => Russia => BUILD A MOS => Moscow is occupied.
    WINTER => Russia => BUILD F WAR => No fleet can be built in Warsaw: it is inland.
    WINTER => Russia => BUILD F STP => Which coast of St. Petersburg? Write BUILD F STP/NC or BUILD F STP/SC.
    WINTER => Russia => BUILD SEV => Build what in Sevastopol? Write BUILD A SEV or BUILD F SEV.
    WINTER => Russia => A SEV => Build or remove A SEV? Write BUILD A SEV or REMOVE A SEV.
    WINTER => Russia => REMOVE A MOS => You have no units to remove.
    WINTER => Austria => BUILD A VIE => You have no units to build.
    WINTER => Austria => BUILD A BUD => You do not own Budapest.
    WINTER => Austria => REMOVE A SER => You have no unit in Serbia.
    WINTER => Austria => A BOH - GAL => "A BOH - GAL" is not an order for the winter: units are built or removed."""),
    (
        "START",
        "England",
        "F EDI - north",
        '"north" could be North Africa (NAF) or North Atlantic Ocean '
        "(NAO) or North Sea (NTH). Write one of the abbreviations.",
    ),
    (
        "RETREAT",
        "England",
        "F NTH S F NWG - SKA",
        '"F NTH S F NWG - SKA" is not an order for a retreat phase: a dislodged unit retreats or disbands.',
    ),
]


@pytest.mark.parametrize(
    ("position", "power", "text", "message"), WRONG, ids=[text or "nothing" for _, _, text, _ in WRONG]
)
def test_what_is_wrong_is_said_exactly(position, power, text, message):
    if not message:
        assert read_order(STANDARD, POSITIONS[position], power, text)
        return
    with pytest.raises(OrderError) as error:
        read_order(STANDARD, POSITIONS[position], power, text)
    assert str(error.value) == message


def own_orders(position, power: str, line: str) -> list:
    """What a line of the power's letter orders, or what is wrong with it."""
    readings = read_line(STANDARD, position, power, line)
    assert {reading[0] for reading in readings if isinstance(reading, tuple)} <= {power}
    return [reading[1] if isinstance(reading, tuple) else reading for reading in readings]


def test_a_line_may_hold_several_orders_and_each_stands_for_itself():
    readings = own_orders(START, "France", "* France: F bre - eng, A par-lom; A mar s a par - bur")
    assert [str(reading) for reading in readings] == [
        "F BRE - ENG",
        '"lom" is not a province. Did you mean London (LON)?',
        "A MAR S A PAR - BUR",
    ]
    assert isinstance(readings[1], OrderError)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("A PAR - BUR // towards Munich", ["A PAR - BUR"]),
        ("A PAR H; A MAR - SPA// both safe; F BRE H", ["A PAR H", "A MAR - SPA"]),
        ("// nothing for the fleet: it waits", []),
    ],
)
def test_a_comment_behind_orders_is_passed(line, orders):
    assert [str(order) for order in own_orders(START, "France", line)] == orders


def test_a_line_for_another_power_is_refused():
    assert [str(reading) for reading in own_orders(START, "France", "Germany: A MUN H")] == ["You do not play Germany."]


def test_what_stands_below_another_powers_name_is_not_read_up_to_the_next_name():
    line = "England: A LON H; F EDI H; France: A PAR H, F BRE H; Germany: A MUN H"
    assert [str(reading) for reading in own_orders(START, "France", line)] == [
        "You do not play England.", "A PAR H", "F BRE H", "You do not play Germany.",
    ]  # fmt: skip


def test_where_each_plays_one_power_its_name_alone_heads_no_list():
    assert [str(reading) for reading in own_orders(START, "France", "France; A PAR H")] == [
        "A province is missing at the end.", "A PAR H",
    ]  # fmt: skip


def test_a_list_of_seas_after_via_is_one_order():
    readings = own_orders(AT_SEA, "England", "A LON - NWY via NTH, NWG; F MAO H")
    assert [str(reading) for reading in readings] == ["A LON - NWY VIA", "F MAO H"]


def test_waive_may_have_a_number():
    assert [str(order) for order in own_orders(WINTER, "Russia", "waive 2")] == ["WAIVE", "WAIVE"]


@pytest.mark.parametrize("bullet", ["* ", "o ", "1. ", "2) ", "- ", "• "])
def test_bullets_are_passed(bullet):
    assert [str(order) for order in own_orders(START, "France", f"{bullet}A PAR - BUR")] == ["A PAR - BUR"]


@pytest.mark.parametrize(
    "line",
    listed("""
        A PAR - BUR
        paris - burgundy
        F lom H
        A PAR
        * F BRE S A PAR - PIC
        waive
        B F LON
        remove A lom
        disband boh
        French army paris to burgundy
        north sea convoys A LON - NWY
        A Paris to Burgundi
        F Lon to Dover
        Army Marsailles to Spain"""),
)
def test_orders_look_like_orders(line):
    assert looks_like_order(STANDARD, line)


@pytest.mark.parametrize(
    "line", ["", "Cheers, Jo", "Best regards", "Here are my orders for the turn", "Sent from my phone",
    "I will be late",
             "Hi,", "Waive your flag when you see me coming", "On 3 May 2026 the judge wrote:",
             "A great game to all of you"]
)  # fmt: skip
def test_prose_does_not_look_like_an_order(line):
    assert not looks_like_order(STANDARD, line)


@pytest.mark.parametrize(
    ("line", "filled"),
    [
        ("A PAR ...", ""),
        ("f stp/sc....", ""),
        ("BUILD ...", ""),
        ("REMOVE . . .", ""),
        ("* A PAR ...", ""),
        ("A PAR ...; F BRE - MAO", " F BRE - MAO"),
        ("A PAR - BUR ...", "A PAR - BUR ..."),
        ("A PAR ... - BUR", "A PAR ... - BUR"),
        ("BUILD A PAR ...", "BUILD A PAR ..."),
        ("A PAR", "A PAR"),
        ("See you ...", "See you ..."),
    ],
)
def test_what_a_form_left_open_is_no_order(line, filled):
    assert filled_in(line) == filled


@pytest.mark.parametrize("seed", range(40))
def test_every_legal_order_reads_back_as_itself(seed):
    """parse(format(order)) == order, and the full words of a mail say the same."""
    position = random_position(STANDARD, random.Random(seed))
    for power, units in position.units.items():
        for unit in units:
            for order in legal_orders(BoardState(STANDARD, position), unit):
                assert read_order(STANDARD, position, power, format_order(order)) == order
                assert read_order(STANDARD, position, power, describe_order(STANDARD, position, order)) == order


def test_every_legal_retreat_and_adjustment_reads_back_as_itself():
    for power, dislodged in RETREAT.dislodged.items():
        for order in legal_orders(BoardState(STANDARD, RETREAT), dislodged[0].unit):
            assert read_order(STANDARD, RETREAT, power, format_order(order)) == order
            assert read_order(STANDARD, RETREAT, power, describe_order(STANDARD, RETREAT, order)) == order
    winter = [("Russia", order) for order in legal_builds(STANDARD, WINTER, "Russia")]
    winter += [
        ("Austria", order)
        for unit in WINTER.units["Austria"]
        for order in legal_orders(BoardState(STANDARD, WINTER), unit)
    ]
    assert len(winter) == 9
    for power, order in winter:
        assert read_order(STANDARD, WINTER, power, format_order(order)) == order
        assert read_order(STANDARD, WINTER, power, describe_order(STANDARD, WINTER, order)) == order


def test_every_name_and_alias_finds_its_province():
    for province in STANDARD.provinces.values():
        for word in (province.abbr, province.name, *province.aliases):
            assert STANDARD.names.exact[word.upper().replace(".", "").replace("-", " ")] == province.abbr


def test_every_beginning_finds_one_province_or_says_which_there_are():
    names = STANDARD.names
    for name, abbr in names.exact.items():
        for length in range(3, len(name)):
            found = names.find(name[:length])
            assert found == [names.exact[name[:length]]] if name[:length] in names.exact else abbr in found


def test_a_text_read_twice_is_the_same_order():
    assert parse_order(STANDARD, "M", "A PAR - BUR") is parse_order(STANDARD, "M", "A PAR - BUR")
