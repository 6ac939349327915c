"""Intercontinental, sections 1 to 8: players and powers, the draw, the map, the start; each test names its section.

What happens in play (sections 9 to 11) is in test_intercontinental_play.py, the neutrals' moves in
test_armed_neutrals.py.
"""

from collections import Counter
from itertools import product

import pytest

from judge.rules import (
    NEUTRAL,
    Bid,
    OrderError,
    PositionError,
    adjudicate,
    auction,
    legal_orders,
    looks_like_order,
    parse_order,
    position_from_json,
    position_to_json,
    read_line,
    start_position,
)
from judge.rules.board.board_state import BoardState
from judge.rules.board.names import fold
from judge.rules.describe import describe_order
from judge.rules.game_options import GameOptions, with_house_rules
from judge.rules.mechanisms.groups import DrawError, draw
from judge.rules.parsing.vocabulary import HOLD, KIND_WORDS, NOISE, ORDER_WORDS, TO
from tests.rules.lines import Board, read_order, results
from tests.texts import mapped, searched, table

BOARD = Board("intercontinental")
VARIANT = BOARD.variant

# 6: name (letters), theatre, the groups that it can belong to: its homes, with the unit that each has at the start.
POWERS = """\
Algeria (AL), Africa, Teal: A Algiers, A Oran
Angola (AN), Africa, Green: F Luanda, A Moçamedes
Argentina (AR), Americas, Maroon Olive Red Teal Yellow: A Buenos Aires, A Córdoba
Austria (AU), Europe, Red: A Buda, A Vienna, A Zagreb
Brazil (BZ), Americas, Green: A Rio de Janeiro, F Salvador, F São Luís
British Raj (BR), Asia, Blue: F Bombay, A Calcutta, A Delhi
Canada (CA), Americas, Blue: F Halifax, A Québec City
Cape Colony (CC), Africa, Blue: F Cape Town, A Durban
China (CH), Asia, Yellow: A Chengtu, A Hsi-an, A Peking
Colombia (CO), Americas, Maroon Olive Red Teal Yellow: A Bogotá, F Panama City (north coast)
Đại Nam (DN), Asia, Green Maroon Red Teal Violet: A Hanoi, F Huế
Dutch East Indies (DU), Asia, Green Maroon Red Teal Violet: F Batavia, F Medan
Egypt (EG), Africa, Maroon: A Alexandria, A Cairo
Ethiopia (ET), Africa, Olive Red Yellow: A Debre Birhan, A Magdala
France (FR), Europe, Teal: F Brest, A Paris, A Toulouse
Great Britain (GB), Europe, Blue: F Edinburgh, A Liverpool, F London
Iran (IR), Asia, Green Red Teal Violet: F Shiraz, A Tehran
Italy (IT), Europe, Violet Yellow: F Naples, A Turin
Japan (JA), Asia, Green Maroon Red Teal Violet: F Edo, F Osaka
Liberia (LI), Africa, Violet: A Greenville, F Monrovia
Mexico (ME), Americas, Red Teal: A Mexico City, A Veracruz
Peru (PE), Americas, Maroon Olive Red Teal Yellow: A Cusco, A Lima
Portugal (PO), Europe, Green: F Lisbon, F Oporto
Prussia (PR), Europe, Violet Yellow: A Berlin, F Danzig, A Wrocław
Rattanakosin (RA), Asia, Green Maroon Red Teal Violet: A Bangkok, A Chiang Mai
Russia (RU), Europe, Olive: A Moscow, A Rostov-on-Don, F St. Petersburg (south coast)
Shoshone (SH), Americas, Maroon Olive Red Teal Yellow: A Kammitikka, A Seuhubeogoi
Siberia (SI), Asia, Olive: A Irkutsk, A Yakutsk
Sokoto (SO), Africa, Olive Red Yellow: A Sakkwato, A Yola
Turkey (TU), Europe, Maroon: A Ankara, A Constantinople, F Smyrna
United States (US), Americas, Violet: F New York City, A St. Louis, A Washington
Zanzibar (ZA), Africa, Olive Red Yellow: A Mombasa, A Stone Town"""

# 7, 8.
MINORS = {
    "Africa": "A Berbera, A Fez, A Gao, A Iringa, A Kasongo, A Kumasi, F Mogadishu, A Mwibele, A Pretoria, A Sesheke, "
    "A Tabora, A Tamanrasset, A Timbuktu",
    "Europe": "F Athens, A Barcelona, A Belgrade, A Bern, A Brussels, F Christiania, F Copenhagen, A Madrid, A Munich, "
    "A Rome, A Seville, F Stockholm, A Stuttgart",
    "Americas": "A Antofagasta, A Asunción, A Caracas, F Comayagua (north coast), F Godthaab, F Havana, F Honolulu, "
    "A La Paz, F Managua (west coast), F Montevideo, F Quito, F San Juan, F Santiago de Chile",
    "Asia": "A Bukhara, F Hanseong, A Kabul, F Kuching, F Manila, A Phnom Penh, A Qalat, A Riyadh, A Viangchan",
}
AFFILIATES = {
    "Blue": "F Aden, F Auckland, A Bloemfontein, A Dhaka, F Dublin, F Freetown, F Georgetown, A Hannover, F Hong Kong, "
    "F Kandy, F Lagos, F Melbourne, A Ottawa, F Perth, F Rangoon, F Singapore, F Stanley, A St. John's, F Victoria, "
    "A Winnipeg",
    "Teal": "F Dakar, F Libreville, F Saigon",
    "Green": "F Bissau, F Macão, A Maputo",
    "Olive": "A Guryev, F Kodiak, A Minsk, A Warsaw",
    "Yellow": "A Kunming, A Lhasa, A Mukden, A Tienking, A Urga, A Ürümqi",
    "Red": "A Krakow, F Venice",
    "Maroon": "A Al Fashir, A Baghdad, F Basra, A Bucharest, A Damascus, A Khartoum, A Tripoli, F Tunis",
    "Violet": "A Austin, A Richmond, F New Orleans, A Omaha, A Sacramento",
    "Dutch East Indies": "F Amsterdam, F Boma, A Elmina, A Paramaribo",
    "Mexico": "A Chihuahua, A Oaxaca",
    "Zanzibar": "F Muscat",
}
GROUPS = {
    "Blue": ["Cape Colony", "Great Britain", "Canada", "British Raj"],
    "Teal": ["Algeria", "France"],
    "Green": ["Angola", "Portugal", "Brazil"],
    "Olive": ["Russia", "Siberia"],
    "Yellow": ["China"],
    "Red": ["Austria"],
    "Maroon": ["Egypt", "Turkey"],
    "Violet": ["Liberia", "United States"],
}


def listed(units: str) -> list[str]:
    """ "A La Paz, F Managua (west coast)" as the judge writes units: A LaPa, F Mana/WC."""
    found = []
    for text in units.split(", "):
        kind, name, coast = searched(r"^([AF]) ([^(]+?)(?: \((\w)\w+ coast\))?$", text).groups()
        [abbr] = VARIANT.names.find(fold(name))
        assert VARIANT.provinces[abbr].name == name
        found.append(f"{kind} {abbr}{f'/{coast.upper()}C' if coast else ''}")
    return sorted(found)


def drawn(seed: int, **fixed: str):
    """The variant with the groups that the seed gives."""
    return VARIANT.grouped(draw(VARIANT.groups, VARIANT.draws, seed, {as_power(name): fixed[name] for name in fixed}))


def as_power(word: str) -> str:
    return VARIANT.power(word.replace("_", " ")).name


# --- 1.1 to 1.6: the year, groups and powers ------------------------------------------------------------------------


def test_the_game_starts_in_1865():
    """1.1."""
    assert start_position(VARIANT).phase == "S1865M"


def test_there_are_eight_colors():
    """1.2; rulings, "Play" 4: Olive is L and Maroon N, for O is an observer and M the master."""
    assert {group.name: group.letter for group in VARIANT.groups} == {
        "Blue": "B", "Teal": "T", "Green": "G", "Olive": "L", "Yellow": "Y", "Red": "R", "Maroon": "N", "Violet": "V",
    }  # fmt: skip
    assert tuple(group.name for group in VARIANT.seats) == tuple(GROUPS)


@pytest.mark.parametrize(
    ("said", "seat"),
    table("""
        Blue           => Blue
        b              => Blue
        L              => Olive
        n              => Maroon
        MAR            => Maroon
        Canada         => Blue
        GB             => Blue
        Siberian       => Olive
        turkey         => Maroon
        Ottoman Empire => Maroon"""),
)
def test_a_seat_is_called_by_its_color_its_letter_or_one_of_its_powers(said, seat):
    """1.2."""
    assert VARIANT.seat(said).name == seat


@pytest.mark.parametrize(
    ("said", "why"),
    [("Purple", '"Purple" is not a color or a power of Intercontinental.'),
     ("Peru", "Peru is not assigned to a color yet."), ("C", '"C" is not a color or a power of Intercontinental.')],
)  # fmt: skip
def test_what_is_no_seat_is_said(said, why):
    with pytest.raises(KeyError) as unknown:
        VARIANT.seat(said)
    assert unknown.value.args == (why,)


def test_every_power_of_a_group_has_a_shade_of_its_color_and_the_dutch_stay_orange():
    """1.2, 6.12."""
    board = drawn(3)
    for group in board.groups:
        shades = {
            power.colour for power in board.powers if power.name in group.powers and power.name != "Dutch East Indies"
        }
        assert shades <= set(group.shades.values())
        assert len(shades) == len(set(group.powers) - {"Dutch East Indies"})
    for seed in range(5):
        assert drawn(seed).power_named["Dutch East Indies"].colour == "#f28c28"


def test_each_major_power_starts_with_two_or_three_homes_and_as_many_units():
    """1.3."""
    for power in VARIANT.powers:
        assert len(power.homes) in (2, 3)
        assert power.homes == power.owns
        assert sorted(unit.province for unit in power.units) == sorted(power.homes)


# --- 2: centers and victory -----------------------------------------------------------------------------------------


def test_one_hundred_and_eighty_centers():
    """2.0: 74 of major powers, 58 of affiliates, 48 of minor neutrals."""
    owned = {center for power in VARIANT.powers for center in power.owns}
    affiliates = set(VARIANT.sponsors)
    neutrals = {unit.province for unit in VARIANT.neutrals.units}
    assert (len(owned), len(affiliates), len(neutrals - affiliates), len(VARIANT.centers)) == (74, 58, 48, 180)
    assert owned | neutrals == set(VARIANT.centers) and not owned & neutrals


def centers(**counts: int) -> dict[str, list[str]]:
    """So many centers for each power; any will do."""
    free = list(VARIANT.centers)
    return {as_power(power): [free.pop() for _ in range(count)] for power, count in counts.items()}


@pytest.mark.parametrize(
    ("counts", "winner"),
    [
        ({"Canada": 18, "Cape_Colony": 18, "Great_Britain": 18, "British_Raj": 18}, "Blue"),
        ({"Canada": 72}, "Blue"),
        ({"Canada": 18, "Cape_Colony": 18, "Great_Britain": 18, "British_Raj": 17}, None),
        ({"Canada": 40, "France": 40, "Great_Britain": 32, "Algeria": 31}, "Blue"),
        ({"Canada": 40, "France": 40, "Great_Britain": 32, "Algeria": 33}, "Teal"),
        ({"Canada": 80, "France": 80}, None),
        # Seventy-two of two groups are nobody's.
        ({"Canada": 36, "France": 36}, None),
    ],
)  # fmt: skip
def test_seventy_two_centers_of_a_group_and_more_than_any_other(counts, winner):
    """2.0, 1.6."""
    assert BOARD.play("F1875M", centers=centers(**counts))["winner"] == winner


def spots():
    return VARIANT.board.spots


def test_example_2_0_1_two_players_tied_for_72():
    """Blue and Teal have 72 each, Maroon 36: the game goes on, or ends in a draw of the three in its last year."""
    owned = centers(Canada=30, Great_Britain=42, France=50, Algeria=22, Turkey=36)
    on = BOARD.play("F1880M", centers=owned)
    assert on["winner"] is None and "draw" not in on
    last = BOARD.play("F1880M", centers=owned, settings={"year_cap": 1880})
    assert last["winner"] is None and last["draw"] == ["Blue", "Teal", "Maroon"]


def test_affiliates_count_for_nobody():
    """2.1: neither for the victory nor for the units of their sponsor."""
    blue = [unit.text for unit in VARIANT.neutrals.units if VARIANT.sponsor(unit.province) == "Blue"]
    at = {"units": {"Neutral": blue, "Canada": ["F Hali"]}, "centers": centers(Canada=60)}
    assert len(blue) == 20 and "Hali" not in at["centers"]["Canada"]
    goes_on = BOARD.play("F1875M", **at, settings={"victory": 62})
    assert goes_on["winner"] is None
    assert goes_on["adjust"] == {"Canada": 2}, "in Québec City, and in one center that it makes its home"
    answered = BOARD.play("F1875M", **at, settings={"victory": 61})
    assert (answered["winner"], len(answered["centers"]["Canada"])) == ("Blue", 61)
    assert answered["next"] is None and "adjust" not in answered


def test_a_year_cap():
    """2.2: after the Autumn retreats of that year all who survive draw, unless somebody has won."""
    owned = centers(Canada=20, China=1, Peru=3)
    cap = {"settings": {"year_cap": 1880}, "groups": {"Olive": ["Peru"]}}
    assert "draw" not in BOARD.play("F1879M", centers=owned, **cap)
    assert "draw" not in BOARD.play("S1880M", centers=owned, **cap)
    assert BOARD.play("F1880M", centers=owned, **cap)["draw"] == ["Blue", "Olive", "Yellow"]
    assert BOARD.play("F1881M", centers=owned, **cap)["draw"] == ["Blue", "Olive", "Yellow"]
    won = BOARD.play("F1880M", centers=centers(Canada=72, China=1), **cap)
    assert won["winner"] == "Blue" and "draw" not in won


# --- 3: the draw ----------------------------------------------------------------------------------------------------

THEATRE = {line.split(" (")[0]: line.split(", ")[1] for line in POWERS.splitlines()}
CAN_HAVE = {line.split(" (")[0]: set(line.split(", ")[2].split(":")[0].split()) for line in POWERS.splitlines()}


def test_what_always_belongs_to_a_color():
    """3.1: 17 of the 32 powers."""
    assert {group.name: set(group.powers) for group in VARIANT.groups} == {
        name: set(powers) for name, powers in GROUPS.items()
    }
    assert sum(map(len, GROUPS.values())) == 17
    drawn_powers = [power for one in VARIANT.draws for power in one.powers]
    assert len(drawn_powers) == len(set(drawn_powers)) == 15
    assert {
        power.name: {VARIANT.seat_of(power.name)} if VARIANT.in_group(power.name) else choice_of(power.name)
        for power in VARIANT.powers
    } == CAN_HAVE


def choice_of(power: str) -> set[str]:
    [one] = [one for one in VARIANT.draws if power in one.powers]
    return set(one.groups)


def test_a_draw_gives_every_color_one_power_of_each_theatre():
    """3.1 to 3.5, with what each power can be."""
    for board in map(drawn, range(200)):
        for group in board.groups:
            assert {THEATRE[power] for power in group.powers} == {"Africa", "Europe", "Americas", "Asia"}
            assert len(group.powers) == 4 and set(GROUPS[group.name]) <= set(group.powers)
            assert all(group.name in CAN_HAVE[power] for power in group.powers)


def test_every_power_comes_to_every_color_that_it_can_have_about_as_often():
    """3.2 to 3.5: at random."""
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(3000):
        seen.update(draw(VARIANT.groups, VARIANT.draws, seed).items())
    assert set(seen) == {(power, group) for one in VARIANT.draws for power, group in product(one.powers, one.groups)}
    for one in VARIANT.draws:
        for power in one.powers:
            shares = {group: seen[power, group] / 3000 for group in one.groups}
            # Red and Teal share one place in the Americas; the group that has Iran gets nobody else.
            even = {
                group: 0.125 if group in ("Red", "Teal") and one.but == "Mexico"
                else 3 / 16 if one.but == "Iran" and group != "Maroon"
                else 1 / len(one.powers) if one.but else 1 / len(one.groups)
                for group in one.groups
            }  # fmt: skip
            assert all(abs(shares[group] - even[group]) < 0.035 for group in one.groups), (power, shares)


@pytest.mark.parametrize(
    ("count", "powers"),
    [(6, ("Ethiopia", "Sokoto", "Zanzibar")), (2, ("Italy", "Prussia")),
     (2 * 24, ("Mexico", "Argentina", "Colombia", "Peru", "Shoshone")),
     (4 * 24, ("Iran", "Đại Nam", "Dutch East Indies", "Japan", "Rattanakosin"))],
)  # fmt: skip
def test_every_way_to_assign_a_theatre_is_drawn(count, powers):
    """3.2, 3.3, 3.4, 3.5: so many ways there are, and no more."""
    seen = set()
    for seed in range(2500):
        holders = draw(VARIANT.groups, VARIANT.draws, seed)
        seen.add(tuple(holders[power] for power in powers))
    assert len(seen) == count


def test_mexico_decides_about_the_rest_of_the_americas_and_iran_about_asia():
    """3.4, 3.5."""
    for seed in range(300):
        holders = draw(VARIANT.groups, VARIANT.draws, seed)
        others = {holders[power] for power in ("Argentina", "Colombia", "Peru", "Shoshone")}
        assert holders["Mexico"] in ("Red", "Teal")
        assert others == {"Olive", "Yellow", "Maroon", "Red", "Teal"} - {holders["Mexico"]}
        asians = {holders[power] for power in ("Đại Nam", "Dutch East Indies", "Japan", "Rattanakosin")}
        assert holders["Iran"] in ("Green", "Red", "Teal", "Violet")
        assert asians == {"Green", "Maroon", "Red", "Teal", "Violet"} - {holders["Iran"]}


def test_the_same_seed_is_the_same_draw_for_ever():
    """Whoever has the number of an old game can check it: these were drawn when this was written."""
    assert draw(VARIANT.groups, VARIANT.draws, 1865) == draw(VARIANT.groups, VARIANT.draws, 1865)
    assert draw(VARIANT.groups, VARIANT.draws, 1865) != draw(VARIANT.groups, VARIANT.draws, 1866)
    assert draw(VARIANT.groups, VARIANT.draws, 1865) == SEED_1865


SEED_1865 = mapped("""
    Ethiopia          => Olive
    Sokoto            => Yellow
    Zanzibar          => Red
    Italy             => Yellow
    Prussia           => Violet
    Mexico            => Teal
    Argentina         => Yellow
    Colombia          => Olive
    Peru              => Maroon
    Shoshone          => Red
    Iran              => Red
    Đại Nam           => Violet
    Dutch East Indies => Teal
    Japan             => Maroon
    Rattanakosin      => Green""")


def test_a_master_fixes_powers_and_the_rest_is_drawn():
    for seed in range(40):
        board = drawn(seed, Mexico="Teal", Iran="Violet", Zanzibar="Red", Japan="Maroon")
        assert {"Mexico", "Algeria", "France"} < set(board.seat_named["Teal"].powers)
        assert "Iran" in board.seat_named["Violet"].powers
        assert "Zanzibar" in board.seat_named["Red"].powers and "Japan" in board.seat_named["Maroon"].powers
        assert all(len(group.powers) == 4 for group in board.groups)


def test_everything_may_be_fixed():
    everything = draw(VARIANT.groups, VARIANT.draws, 4)
    assert draw(VARIANT.groups, VARIANT.draws, 99, everything) == everything
    assert draw(VARIANT.groups, VARIANT.draws, 4, {"Great Britain": "Blue"}) == everything, "as it always is"


@pytest.mark.parametrize(
    ("fixed", "why"),
    [
        ({"Canada": "Red"}, "Canada always belongs to Blue."),
        ({"Mexico": "Green"}, "Mexico can belong to Red or Teal, not to Green."),
        ({"Iran": "Maroon"}, "Iran can belong to Green, Red, Teal or Violet, not to Maroon."),
        ({"Sokoto": "Blue"}, "Sokoto can belong to Olive, Red or Yellow, not to Blue."),
        ({"Ethiopia": "Red", "Sokoto": "Red"}, "Sokoto cannot belong to Red with Ethiopia in Red."),
        ({"Italy": "Violet", "Mexico": "Red", "Peru": "Red"}, "Peru cannot belong to Red with Mexico in Red."),
        ({"Argentina": "Red", "Colombia": "Teal"}, "Colombia cannot belong to Teal with Argentina in Red."),
        ({"Iran": "Green", "Japan": "Green"}, "Japan cannot belong to Green with Iran in Green."),
        ({"Đại Nam": "Green", "Japan": "Red", "Rattanakosin": "Teal", "Dutch East Indies": "Violet"},
         "Dutch East Indies cannot belong to Violet with Đại Nam in Green and Japan in Red and Rattanakosin in Teal."),
    ],
)  # fmt: skip
def test_what_cannot_be_fixed_is_refused_with_the_reason(fixed, why):
    with pytest.raises(DrawError) as refusal:
        draw(VARIANT.groups, VARIANT.draws, 1, fixed)
    assert str(refusal.value) == why


# --- 5: the map -----------------------------------------------------------------------------------------------------


def test_suez_has_two_coasts_before_1870():
    """5.2: the north coast touches the East Mediterranean, the south coast the Red Sea."""
    assert "EMS" in VARIANT.board.spots["F Suez/NC"].reach and "RedS" not in VARIANT.board.spots["F Suez/NC"].reach
    assert "RedS" in VARIANT.board.spots["F Suez/SC"].reach and "EMS" not in VARIANT.board.spots["F Suez/SC"].reach
    assert "F Suez" not in VARIANT.board.spots
    answered = BOARD.play(
        "F1869M",
        units={"Egypt": ["F EMS", "F Suez/SC"]},
        orders={"Egypt": ["F EMS - Suez", "F Suez/SC - EMS"]},
    )
    assert results(answered) == {"F EMS - Suez/NC": ["bounce"], "F Suez/SC - EMS": ["void"]}


def test_suez_is_a_canal_from_spring_1870():
    """5.2: fleets pass between it and all its neighbours."""
    open_now = VARIANT.at("S1870M")
    assert open_now.provinces["Suez"].coasts == ()
    before = {place for places in VARIANT.provinces["Suez"].fleet.values() for place in places}
    assert set(open_now.provinces["Suez"].fleet[""]) == before == {"Alex", "Aswa", "EMS", "Jeru", "Mecc", "RedS"}
    for place in sorted(before):
        assert "Suez" in open_now.provinces[place].fleet[""]
        assert not any(other.startswith("Suez/") for other in open_now.provinces[place].fleet[""])
        at = {"units": {"Egypt": ["F Suez"]}, "orders": {"Egypt": f"F Suez - {place}"}}
        assert BOARD.play("S1870M", **at)["units"] == {"Egypt": [f"F {place}"]}
    assert VARIANT.provinces["Suez"].coasts == ("NC", "SC"), "the variant itself is as it was"
    assert open_now.provinces["Suez"].army == VARIANT.provinces["Suez"].army


@pytest.mark.parametrize("text", ["F Suez/NC", "f suez (sc)", "Fleet Suez/EC", "F Suez"])
def test_a_coast_that_suez_has_no_more_is_ignored(text):
    """Rulings, "Coasts" 4."""
    unit = text if "(" not in text else "f suez/sc"
    at = BOARD.position("S1870M", units={"Egypt": [unit]})
    assert [one.text for one in at.units["Egypt"]] == ["F Suez"]
    assert str(read_order(VARIANT.at("S1870M"), at, "Egypt", f"{text} - RedS")) == "F Suez - RedS"
    assert str(read_order(VARIANT.at("S1870M"), at, "Egypt", f"{text} H")) == "F Suez H"


def test_the_year_of_the_canal_may_be_another():
    """5.2: told to the players before the game."""
    house = with_house_rules(VARIANT, GameOptions(canals=(("Suez", 1867),)))
    assert house.at("S1867M").provinces["Suez"].coasts == () and house.at("F1866M").provinces["Suez"].coasts != ()


def test_a_position_of_any_year_is_read_as_it_was_written():
    for phase, unit in (("F1869M", "F Suez/SC"), ("S1870M", "F Suez")):
        at = BOARD.position(phase, units={"Egypt": [unit]})
        assert position_from_json(VARIANT, position_to_json(VARIANT, at)) == at
    with pytest.raises(PositionError, match="a fleet in Suez is on a coast, Suez/NC or Suez/SC"):
        BOARD.position("F1869M", units={"Egypt": ["F Suez"]})


def test_the_antipodal_waters_are_waters_and_two_of_them_meet_around_the_map():
    """5.3; the text calls one of them by two names."""
    for name in ("Palmyra", "Tuamotu", "Rawaki", "Lolelaplap", "Lolelapp"):
        [abbr] = VARIANT.names.find(fold(name))
        assert VARIANT.provinces[abbr].kind == "sea"
    assert "Rawa" in VARIANT.provinces["Palm"].fleet[""] and "Palm" in VARIANT.provinces["Rawa"].fleet[""]
    at = {"units": {"Japan": ["F Palm"]}, "orders": {"Japan": "F Palmyra - Rawaki"}}
    assert BOARD.play("S1865M", **at)["units"] == {"Japan": ["F Rawa"]}


def test_abbreviations_follow_the_rubric():
    """5.4: four letters of the name, or all of a short one; EMS is in brackets on the map, and Azov is "Azov" there."""
    for province in VARIANT.provinces.values():
        letters = "".join(letter for letter in fold(province.name) if letter.isalpha())
        expected = {"East Mediterranean Sea": "EMS"}.get(province.name, letters[:4])
        assert province.abbr.upper() == expected.upper()
    assert VARIANT.provinces["Azov"].kind == "sea"


@pytest.mark.parametrize(
    ("abbr", "name"),
    table("""
        EMS  => East Mediterranean Sea
        Anka => Ankara
        SyrD => Syr-Darya
        Zaka => Zakáspiya
        Suez => Suez
        Van  => Van
        Azov => Azov"""),
)
def test_the_examples_of_the_rubric(abbr, name):
    """5.4."""
    assert VARIANT.provinces[abbr].name == name


@pytest.mark.parametrize(
    ("text", "order"),
    table("""
        a urumqi h                     => A Urum H
        A Ürümqi H                     => A Urum H
        A ÜRÜMQI H                     => A Urum H
        A URUM H                       => A Urum H
        F Sao Luis - North Brazil      =>
        f são luís h                   => F SaoL H
        f sao-luis h                   => F SaoL H
        A Wroclaw H                    => A Wroc H
        A Wrocław H                    => A Wroc H
        a breslau h                    => A Wroc H
        F Hue H                        => F Hue H
        F Huế H                        => F Hue H
        F HUÊ H                        => F Hue H
        a moçamedes h                  => A Moca H
        a mocamedes h                  => A Moca H
        a bogota h                     => A Bogo H
        a quebec city h                => A Queb H
        A Québec H                     => A Queb H
        f macau h                      => F Maca H
        a st louis h                   => A StLo H
        A St. Louis H                  => A StLo H
        A STLO H                       => A StLo H
        a stlo h                       => A StLo H
        a st johns h                   => A StJo H
        A St. John’s H                 => A StJo H
        A St. John's H                 => A StJo H
        F StPe (sc) H                  => F StPe/SC H
        f st. petersburg south coast h => F StPe/SC H
        A Syr Darya H                  => A SyrD H
        a hsi an h                     => A Hsia H
        A Rostov on Don H              => A Rost H
        A Rostov-on-Don - Azov         => A Rost - Azov
        F Osaka - Sea of Japan         => F Osak - East
        F OSAK-EAST                    => F Osak - East
        F OSAK - EMS                   => F Osak - EMS
        A Makran Coast H               => A Makr H
        F PANA/NC H                    => F Pana/NC H
        F Mana (west coast) H          => F Mana/WC H
        A Rio de Janeiro H             => A Riod H"""),
)
def test_names_are_read_in_any_case_with_and_without_their_marks(text, order):
    """5.4."""
    if order:
        assert str(parse_order(VARIANT, "M", text)) == order
    else:
        with pytest.raises(OrderError):
            parse_order(VARIANT, "M", text)


@pytest.mark.parametrize(
    ("text", "power"),
    table("""
        Dai Nam       => Đại Nam
        ĐẠI NAM       => Đại Nam
        đại nam       => Đại Nam
        Vietnam       => Đại Nam
        UNITED STATES => United States
        usa           => United States
        dutch         => Dutch East Indies
        Siam          => Rattanakosin
        persia        => Iran
        GB            => Great Britain
        br            => British Raj
        bz            => Brazil
        me            => Mexico
        pe            => Peru
        za            => Zanzibar
        so            => Sokoto"""),
)
def test_powers_are_read_by_name_letters_or_other_words(text, power):
    assert VARIANT.power(text).name == power


def test_every_province_is_read_from_its_abbreviation_in_any_case_and_from_its_name():
    """5.4: no word of an order, and no word for nothing, hides a province."""
    for abbr, province in VARIANT.provinces.items():
        for word in (abbr, abbr.upper(), abbr.lower(), province.name, province.name.upper(), fold(province.name)):
            assert VARIANT.names.find(fold(word)) == [abbr]
        if province.takes_armies:
            for word in (abbr.lower(), province.name, fold(province.name)):
                assert str(parse_order(VARIANT, "M", f"a {word} h")) == f"A {abbr} H"
                assert str(parse_order(VARIANT, "M", f"A Peki - {word}")) == f"A Peki - {abbr}"
                assert str(parse_order(VARIANT, "M", f"{word} - Peki")) == f"{abbr} - Peki"
                assert str(parse_order(VARIANT, "A", f"build a {word}")) == f"BUILD A {abbr}"
        if province.kind == "sea":
            assert str(parse_order(VARIANT, "M", f"F Peki - {province.name}")) == f"F Peki - {abbr}"
            assert str(parse_order(VARIANT, "M", f"A Peki - {abbr.upper()} - Mukd")) == "A Peki - Mukd VIA"
    assert not VARIANT.names.exact.keys() & (ORDER_WORDS | HOLD | TO | NOISE | set(KIND_WORDS))


@pytest.mark.parametrize(
    ("text", "order"),
    table("""
        Sokoto Army Yola HOLD      => A Yola H
        Zanzibar A Momb H          => A Momb H
        Siam A Bang H              => A Bang H
        Cape F Cape H              => F Cape H
        Cape H                     => Cape H
        Siam H                     => Siam H
        Sokoto - Yola              => Sakk - Yola
        A Bang S Siamese A Chia    => A Bang S A Chia
        A Bang S Cape Army Durban  => A Bang S A Durb
        A Bang S A Siam            => A Bang S A Siam
        F Zanzibar H               => F Ston H
        A Cape - Zanzibar          => A Cape - Ston
        Dutch East Indies F Bata H => F Bata H
        the neutral Army Mukden H  => A Mukd H"""),
)
def test_a_power_that_is_called_like_a_province_is_a_power_before_a_unit(text, order):
    assert str(parse_order(VARIANT, "M", text)) == order


def test_what_the_judge_writes_of_any_power_can_be_sent_back():
    start = start_position(VARIANT)
    for units in start.units.values():
        for unit in units:
            for order in legal_orders(BoardState(VARIANT, start), unit)[:40]:
                told = describe_order(VARIANT, start, order).replace("->", "-")
                assert str(parse_order(VARIANT, "M", told)) == str(order), told


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        *table("""
            A Irku - Urga, A Mosc H => Siberia: A Irku - Urga | Russia: A Mosc H
            Siberian: A Irku - Urga; A Yaku H => Siberia: A Irku - Urga | Siberia: A Yaku H
            Olive: A Irku - Urga; A Mosc H => Siberia: A Irku - Urga | Russia: A Mosc H
            Siberia: A Mosc H => This is an order for Russia, not Siberia.
            Red: A Irku - Urga => You do not play Red.
            China: A Irku - Urga; A Yaku H => You do not play China.
            A Peki H => Army Peking is Chinese, not yours.
            Siberia; A Irku - Urga; A Yaku H => Siberia: A Irku - Urga | Siberia: A Yaku H
            Russian, A Mosc H, Siberia, A Yaku H => Russia: A Mosc H | Siberia: A Yaku H
            - A Irku H; Russia; A Mosc H => Siberia: A Irku H | Russia: A Mosc H
            Siberia; A Mosc H => This is an order for Russia, not Siberia.
            Olive, A Mosc H; A Yaku H => Russia: A Mosc H | Siberia: A Yaku H
            Siberia:; A Yaku H => Siberia: A Yaku H
            China; A Peki H; A Irku - Urga => You do not play China.
            China, A Peki H, Russia, A Mosc H => You do not play China. | Russia: A Mosc H
            A Irku - Edo VIA East, Yell, Russia, A Mosc H => Army Irkutsk cannot reach Edo. | Russia: A Mosc H"""),
        (
            "Purple: A Irku - Urga",
            '"Purple" is not a color or a power of Intercontinental. Write only the order, without a heading.',
        ),
    ],
)
def test_a_line_of_a_letter_orders_any_power_of_the_group(line, answers):
    """Rulings, "Several powers in one hand" 1: the province tells which; a heading may."""
    board = drawn(1)
    assert told(board, start_position(board), line) == answers.split(" | ")


def told(board, position, line: str) -> list[str]:
    """What comes of a line of Olive's letter."""
    read = read_line(board, position, "Olive", line)
    return [str(one) if isinstance(one, OrderError) else f"{one[0]}: {one[1]}" for one in read]


@pytest.mark.parametrize(
    ("line", "answers"),
    [
        *table("""
            Siberia WAIVE => Siberia: WAIVE
            Siberia WAIVE 2 => Siberia: WAIVE | Siberia: WAIVE
            * siberian waives 2 => Siberia: WAIVE | Siberia: WAIVE
            2) RU WAIVE => Russia: WAIVE
            Siberia W; Russia build waive, Build A Mosc => Siberia: WAIVE | Russia: WAIVE | Russia: BUILD A Mosc
            Siberia, WAIVE 2, Russia, WAIVE => Siberia: WAIVE | Siberia: WAIVE | Russia: WAIVE
            Siberia BUILD A Irku => Siberia: BUILD A Irku
            China WAIVE; Russia WAIVE => You do not play China. | Russia: WAIVE
            China: BUILD A Peki; Russia WAIVE; BUILD A Hsia => You do not play China. | Russia: WAIVE
            Mar WAIVE => You do not play Maroon.
            Siberia: Russia WAIVE => This is an order for Russia, not Siberia.
            Siberia WAIVE Russia => This is an order for Russia, not Siberia.
            Olive WAIVE => For which power? Write WAIVE Russia or WAIVE Siberia.
            Russia: Olive WAIVE => Russia: WAIVE
            B W => For which power? Write WAIVE Russia or WAIVE Siberia."""),
        (
            "Siberia: BUILD A Irku; Russia WAIVE; BUILD A Yaku",
            "Siberia: BUILD A Irku | Russia: WAIVE | Siberia: BUILD A Yaku",
        ),
    ],
)
def test_a_waive_may_have_its_powers_name_before_it(line, answers):
    """Rulings, "Several powers in one hand" 2, in the other order."""
    board = drawn(1)
    at = BOARD.position("W1865A", units={}, centers={"Siberia": ["Irku", "Yaku"], "Russia": ["Mosc", "Rost"]})
    assert looks_like_order(board, line)
    assert told(board, at, line) == answers.split(" | ")


# --- 6, 7, 8: powers, minor neutrals, affiliates ---------------------------------------------------------------------


@pytest.mark.parametrize("line", POWERS.splitlines())
def test_a_power_with_its_homes_and_units(line):
    """6.1 to 6.32."""
    name, letter, theatre, groups, units = searched(r"^(.+) \((..)\), (\w+), ([\w ]+): (.+)$", line).groups()
    power = VARIANT.power_named[name]
    assert (power.letter, sorted(unit.text for unit in power.units)) == (letter, listed(units))
    assert sorted(power.homes) == sorted(unit.province for unit in power.units)
    if power.colour != "#f28c28":
        assert power.theatre == theatre
    start = start_position(VARIANT)
    assert sorted(unit.text for unit in start.units[name]) == listed(units)
    assert sorted(start.centers[name]) == sorted(power.homes)
    assert set(groups.split()) == CAN_HAVE[name]


def test_there_are_no_other_powers():
    """6."""
    assert [power.name for power in VARIANT.powers] == [line.split(" (")[0] for line in POWERS.splitlines()]


def test_the_minor_neutrals():
    """7.1 to 7.4: thirteen in each theatre, in Asia the nine that are listed."""
    minors = {unit.text for unit in VARIANT.neutrals.units if unit.province not in VARIANT.sponsors}
    assert minors == {unit for units in MINORS.values() for unit in listed(units)}
    assert {theatre: len(listed(units)) for theatre, units in MINORS.items()} == {
        "Africa": 13, "Europe": 13, "Americas": 13, "Asia": 9,
    }  # fmt: skip


@pytest.mark.parametrize("sponsor", AFFILIATES)
def test_affiliates_with_their_sponsors(sponsor):
    """8.1 to 8.10."""
    units = [unit.text for unit in VARIANT.neutrals.units if VARIANT.sponsors.get(unit.province) == sponsor]
    assert sorted(units) == listed(AFFILIATES[sponsor])


def test_how_many_affiliates_a_color_has():
    """8.1 to 8.9, over a hundred draws: as many as the headings say, those of the Dutch aside."""
    seen: dict[str, set[int]] = {group: set() for group in GROUPS}
    for seed in range(100):
        board = drawn(seed)
        dutch = {center for center, sponsor in board.sponsors.items() if sponsor == "Dutch East Indies"}
        counts = Counter(board.sponsor(center) for center in board.sponsors if center not in dutch)
        for group in GROUPS:
            seen[group].add(counts[group])
        assert {board.sponsor(center) for center in dutch} == {board.seat_of("Dutch East Indies")}
    assert seen == {
        "Blue": {20}, "Teal": {3, 5}, "Green": {3}, "Olive": {4, 5}, "Yellow": {6, 7}, "Red": {2, 3, 4, 5},
        "Maroon": {8}, "Violet": {5},
    }  # fmt: skip


def test_special_affiliates_follow_their_power():
    """8.9, 8.10; rulings, "Intercontinental" 7: Muscat's sponsor is whoever holds Zanzibar."""
    for seed in range(20):
        board = drawn(seed)
        for center, power in {"Chih": "Mexico", "Oaxa": "Mexico", "Musc": "Zanzibar", "Amst": "DU"}.items():
            assert board.sponsor(center) == board.seat_of(as_power(power))
    assert VARIANT.sponsor("Peki") == VARIANT.sponsor("Hans") == ""


@pytest.mark.parametrize(
    ("fixed", "center", "order"),
    [({"Zanzibar": "Olive"}, "Musc", "F Musc H"), ({"Zanzibar": "Yellow"}, "Musc", "F Musc H"),
     ({"Mexico": "Teal"}, "Oaxa", "A Oaxa H"), ({"Mexico": "Red"}, "Chih", "A Chih H"),
     ({"Dutch_East_Indies": "Maroon"}, "Boma", "F Boma H")],
)  # fmt: skip
def test_points_count_double_with_the_affiliates_of_a_drawn_power(fixed, center, order):
    """8.9, 8.10."""
    board = drawn(2, **fixed)
    [sponsor] = fixed.values()
    bids = {group: [Bid(1, parse_order(board, "M", order))] for group in GROUPS}
    values = {one.bidder: one.value for one in auction(board, start_position(board), bids).bids}
    assert values == {group: 2 if group == sponsor else 1 for group in GROUPS}


def test_neutrals_start_with_their_units():
    """7, 8."""
    start = start_position(VARIANT)
    assert len(start.units[NEUTRAL]) == 106
    assert {unit.text for unit in start.units[NEUTRAL] if "/" in unit.text} == {"F Coma/NC", "F Mana/WC"}
    assert adjudicate(VARIANT, start, {}).next_phase == "F1865M"
