"""What GET RULES tells of a board is what the engine does: a sentence comes from its mechanism, or has tests here.

A mechanism makes its sentences of the parameters that it plays by. All else that GET RULES mails is text: the bullets
of each rules.txt and the rulings. Each of them stands below with the tests that try it, in the engine or at the desk; a
text that is added, or told otherwise, has to be given its own.
"""

import re
from collections.abc import Callable

import pytest

from judge.rules import Move, legal_orders, load_variant, position_from_json, start_position, variant_names
from judge.rules.describe import rulings_of
from judge.rules.variant.variant import variants_folder
from tests.commands import test_groups as groups_by_mail
from tests.commands.master import test_border as borders_by_mail
from tests.commands.play import test_bids as bids_by_mail
from tests.rules.cases import read_cases
from tests.rules.lines import Board, results
from tests.rules.mechanisms import test_build_anywhere as anywhere
from tests.rules.mechanisms import test_diplomacy_points as points
from tests.rules.one_game import test_border_corrections as borders
from tests.rules.played import test_1648 as b1648
from tests.rules.played import test_1900 as b1900
from tests.rules.played import test_ambition_empire as empire
from tests.rules.played import test_colonia as colonia
from tests.rules.played import test_intercontinental as globe
from tests.rules.played import test_intercontinental_play as globe_play

Test = Callable[..., object]
POSITIONS = {f"{case.variant}: {case.number.partition(' (')[0]}": case for case in read_cases("positions")}


def position(name: str) -> Test:
    """The test of a position, or of several of that name, in tests/data/positions."""
    return POSITIONS[name].assert_outcome


def reach(board: str, unit: str) -> set[str]:
    """Where the unit may go, convoys aside."""
    variant = load_variant(board)
    power = variant.powers[0].name
    at = position_from_json(variant, {"phase": variant.start, "units": {power: [unit]}, "centers": {}})
    return {order.to for order in legal_orders(variant, at, at.units[power][0]) if isinstance(order, Move)}


def coasts(board: str, province: str) -> set[str]:
    return set(load_variant(board).provinces[province].fleet)


def test_standard_a_center_is_won_after_a_fall_and_kept_until_another_stands_there_after_one():
    board, owned = Board("standard"), {"France": ["PAR"], "Germany": ["MUN"]}
    spring = board.play("S1901M", units={"France": ["A MUN"]}, centers=owned)
    assert spring["centers"] == owned
    fall = board.play("F1901M", units={"France": ["A MUN"]}, centers=owned)
    assert fall["centers"] == {"France": ["MUN", "PAR"]}
    left = board.play("F1902M", units={"France": ["A MUN"]}, centers=fall["centers"],
                      orders={"France": "A MUN - BUR"})
    assert left["centers"] == fall["centers"]


def test_standard_as_many_units_as_centers():
    assert Board("standard").play("W1901A", units={"France": ["A PAR"]}, centers={"France": ["MAR", "PAR"]},
                                  orders={"France": "BUILD A MAR"})["units"] == {"France": ["A MAR", "A PAR"]}
    assert Board("standard").play("W1901A", units={"France": ["A BUR", "A PAR"]}, centers={"France": ["PAR"]},
                                  orders={"France": "REMOVE A BUR"})["units"] == {"France": ["A PAR"]}


def test_standard_coasts():
    assert coasts("standard", "SPA") == coasts("standard", "STP") == {"NC", "SC"}
    assert coasts("standard", "BUL") == {"EC", "SC"}
    assert [str(unit) for unit in start_position(load_variant("standard")).units["Russia"]][-1] == "F STP/SC"


def test_standard_canals_and_what_armies_walk():
    assert {"BLA", "AEG"} <= reach("standard", "F CON") and {"BAL", "NTH"} <= reach("standard", "F DEN")
    assert {"BAL", "HEL"} <= reach("standard", "F KIE") and {"BAL", "SKA"} <= reach("standard", "F SWE")
    assert "BAL" not in reach("standard", "F NTH") and "SWE" in reach("standard", "A DEN")


def test_standard_nobody_enters_switzerland():
    assert "SWI" not in reach("standard", "A MUN") | reach("standard", "A TYR") | reach("standard", "A BUR")


def test_1648_novgorod_karelia_holstein_and_the_papal_states_have_two_coasts_as_damascus_and_stockholm_have():
    assert all(len(coasts("1648", place)) == 2 for place in ("HOL", "KAR", "NOV", "PAP", "DAM", "STO"))


def test_1900_palestine_has_one_coast_on_the_mediterranean():
    """Map Changes 10: only the primary coast along the Mediterranean is playable."""
    assert coasts("1900", "PAL") == {""} and reach("1900", "F PAL") == {"DAM", "EAS", "EGY"}
    assert "PAL" not in reach("1900", "F HEJ")


def test_1900_spain_has_three_coasts_macedonia_and_st_petersburg_two():
    assert coasts("1900", "SPA") == {"NC", "EC", "WC"} and coasts("1900", "MAC") == {"EC", "WC"}
    assert coasts("1900", "STP") == {"NC", "SC"}


def test_1900_armies_walk_between_egypt_and_hejaz():
    assert "HEJ" in reach("1900", "A EGY") and "EGY" in reach("1900", "A HEJ")


def test_colonia_a_convoy_fails_only_when_every_route_is_broken():
    """Rule 1, and the ruling on it: not as in the rulebook of 1971, where one broken route stops the army."""
    given = {
        "England": ["A LON - ANT", "F ENG C A LON - ANT", "F NTH C A LON - ANT"],
        "Russia": ["F NGS - NTH", "F SGK S F NGS - NTH"],
    }
    units = {power: [" ".join(order.split()[:2]) for order in orders] for power, orders in given.items()}
    out = results(Board("colonia").play("S1751M", units=units, orders=given))
    assert "dislodged" in out["F NTH C A LON - ANT"] and out["A LON - ANT"] == ["ok"]


def test_colonia_coasts_and_the_black_sea():
    two = {"LPL": {"WC", "EC"}, "PTD": {"NC", "SC"}}
    assert {name: coasts("colonia", name) for name in two} == two
    assert all(len(coasts("colonia", name)) == 2 for name in ("COL", "EGY", "HON", "MEX", "PAN", "PPS"))
    seas = {place for place in reach("colonia", "F BLA") if load_variant("colonia").provinces[place[:3]].kind == "sea"}
    assert not seas and {"BLA", "AEG"} <= reach("colonia", "F CNP")


def test_colonia_the_arctic_is_impassable_and_argentina_is_agt():
    provinces = load_variant("colonia").provinces
    assert provinces["ARC"].name == "Arctic Ocean" and provinces["ARC"].kind == "impassable"
    assert provinces["AGT"].name == "Argentina" and provinces["ARG"].name == "Aragon"


def test_empire_gibraltar_is_a_sea():
    assert load_variant("ambition_empire").provinces["GIB"].kind == "sea"
    assert "A GIB" not in load_variant("ambition_empire").board.spots


# {variant: {how a part of its rules.txt begins: the tests that try it}}
TOLD: dict[str, dict[str, list[Test]]] = {
    "standard": {
        "Seven powers fight": [anywhere.test_all_else_is_the_standard_game],
        "After a Fall a power": [
            test_standard_a_center_is_won_after_a_fall_and_kept_until_another_stands_there_after_one
        ],
        "In winter each power": [test_standard_as_many_units_as_centers],
        "Spain and St. Petersburg have": [test_standard_coasts],
        "Fleets can pass": [test_standard_canals_and_what_armies_walk],
        "No unit can": [test_standard_nobody_enters_switzerland],
    },
    "build_anywhere": {
        "The standard game for seven": [anywhere.test_all_else_is_the_standard_game],
        "You can build an army": [
            anywhere.test_every_owned_and_vacant_center_is_a_site,
            position("build_anywhere: What cannot be built is refused with the reason"),
        ],
        "The center can be far": [position("build_anywhere: Builds far from home are carried out")],
    },
    "1648": {
        "Nine powers": [b1648.test_initial_setup],
        "31 centers belong": [
            b1648.test_minor_powers,
            position("1648: A minor power without orders holds and its support is cut"),
            position("1648: A minor power is driven out by two and disbanded"),
            position("1648: A lost unit comes back in winter as it was"),
            position("1648: A lost unit does not come back where somebody stands or owns"),
        ],
        "Each Spring and Fall every": [
            points.test_1648_gives_three_points_and_france_six,
            position("1648: What can be seen on entry is refused with its reason"),
            bids_by_mail.test_the_ways_to_write_a_bid,
            position("1648: 1648 example of swabia"),
            points.test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has,
            position("ambition_empire: Income is counted from what is owned when the phase begins"),
            bids_by_mail.test_nobody_but_the_master_sees_who_bid_what,
        ],
        "A power can bid at most 2": [
            position("1648: 1648 lets a power put two points on a neutral"),
            position("1648: France may put two points on two neutrals and then one each on others"),
        ],
        "Vassals: Ireland": [
            b1648.test_a_suzerain_builds_in_its_vassals_centers_and_in_no_other_minor_power,
            position("1648: A vassals center is a build site only while it is owned"),
            position("1648: A suzerains points on its vassal are worth one more"),
            position("1648: Crimea has two suzerains"),
        ],
        "Flanders is": [position("1648: Spain never builds in flanders")],
        "A power in permanent": [
            b1648.test_all_units_of_a_power_in_civil_disorder_are_disbanded,
            b1648.test_its_unoccupied_centers_become_minor_powers_with_an_army,
            b1648.test_a_center_that_is_left_becomes_a_minor_power_when_it_is_empty_after_a_fall,
        ],
    },
    "1900": {
        "Seven powers": [b1900.test_powers_and_units_at_the_start],
        "Egypt is British": [position("1900: Short rules 2 egypt and algeria are owned but no build sites")],
        "Armies and fleets can move between Clyde": [
            position("1900: Geography clyde and ireland though an enemy fleet is in the north atlantic"),
            position("1900: Geography armies walk between gibraltar and morocco"),
            b1900.test_short_rules_4_gibraltar_joins_spain_and_morocco_for_armies_and_fleets,
            position("1900: Geography a fleet in gibraltar convoys"),
            position("1900: Geography iceland ireland and switzerland are passable"),
        ],
        "Palestine has one": [
            test_1900_palestine_has_one_coast_on_the_mediterranean,
            test_1900_spain_has_three_coasts_macedonia_and_st_petersburg_two,
        ],
        "Armies and fleets can move between Egypt": [
            position("1900: Suez 1 a fleet moves back and forth between egypt and hejaz"),
            position("1900: Suez 2 egypt or hejaz and the mid atlantic"),
            position("1900: Suez 2 is for fleets"),
        ],
        "A move around": [
            position("1900: Suez 3 half strength dislodges nobody alone"),
            position("1900: Suez 3 a support counts in full"),
            position("1900: Suez 4 a fleet in egypt or hejaz supports nothing in or to the mid atlantic"),
            position("1900: Suez 5 a fleet in the mid atlantic supports nothing in or to egypt or hejaz"),
            position("1900: Suez 6 a move to the mid atlantic does not cut the support of the fleet there"),
            position("1900: Suez 6 unless the fleet in the mid atlantic is dislodged"),
        ],
        "A fleet in the Mid-Atlantic": [
            position("1900: Suez 7 an army is convoyed from egypt or hejaz at full strength"),
            position("1900: Suez 7 an army is convoyed to egypt or hejaz at half strength"),
        ],
        "If two units retreat": [position("1900: Suez 8 who does not travel around africa may retreat")],
        "While Russia owns": [
            position("1900: Emr one extra unit with some but not all home centers"),
            position("1900: Emr siberia is a build site in the emergency if unoccupied"),
            position("1900: Emr regaining all four home centers ends it and the excess is disbanded"),
            position("1900: Emr losing the last home center ends it and the excess is disbanded"),
        ],
    },
    "ambition_empire": {
        "Ten powers": [empire.test_great_powers],
        "17 centers": [
            empire.test_minor_powers,
            position("ambition_empire: A minor power is disbanded when it is driven out and returns in winter"),
            position("ambition_empire: The minor power of a center that somebody owns does not return"),
        ],
        "Each Spring and Fall": [
            position("ambition_empire: Ambition empire gives a point for each center up to three"),
            position("ambition_empire: Ambition empire lets all points go into one order"),
            position("1648: What can be seen on entry is refused with its reason"),
            position("ambition_empire: Ambition empire examples"),
            bids_by_mail.test_nobody_but_the_master_sees_who_bid_what,
        ],
        "Austria never": [
            position("ambition_empire: Austria never builds in the austrian netherlands"),
            position("ambition_empire: Crimea is a home of russia while russia owns it"),
        ],
        "Denmark-Norway, Poland": [
            position("ambition_empire: Example 1 portugal is spains third home"),
            position("ambition_empire: Example 2 stockholm is a home of two powers"),
            position("ambition_empire: Example 3 poland must say which of two"),
        ],
        "Religion": [
            position("ambition_empire: The papal states support nobody else neither in place nor in a move"),
            position("ambition_empire: A muslim minor power supports no christian attack on a muslim unit"),
            position("ambition_empire: A christian minor power supports no turkish attack on a christian unit"),
        ],
        "A power in permanent": [empire.test_civil_disorder],
        "Armies can move between Ankara": [
            empire.test_notes_on_the_map_for_armies,
            empire.test_notes_on_the_map_for_fleets,
        ],
    },
    "colonia": {
        "Eight powers": [colonia.test_rule_2_eight_powers_with_six_units_and_the_six_centers_they_stand_in],
        "Each power starts": [colonia.test_rule_2_the_units_at_the_start],
        "The map has no edge": [
            position("colonia: Rule 3 a fleet goes from gilberts over the edge to south pacific and to peru")
        ],
        "Armies can never": [
            colonia.test_rule_4_no_order_brings_an_army_there,
            position("colonia: Rule 4 fleets go there and take the center"),
        ],
        "A colony (GET": [
            colonia.test_rule_5_whoever_owns_a_colony_builds_in_it,
            position("colonia: Rule 5 who has lost a colony does not build in it"),
            position("colonia: Rule 5 a neutral center is no colony for who wins it"),
        ],
        "Crimea is also": [
            position("colonia: Rule 6 special centers are homes for the named powers alone"),
            colonia.test_rule_6_calls_the_ottoman_empire_turkey_and_so_may_players,
        ],
    },
    "intercontinental": {
        "Eight players": [globe.test_the_game_starts_in_1865, globe.test_what_always_belongs_to_a_color],
        "You play a color": [
            globe.test_there_are_eight_colors,
            globe.test_what_always_belongs_to_a_color,
            globe.test_the_same_seed_is_the_same_draw_for_ever,
            globe.test_a_master_fixes_powers_and_the_rest_is_drawn,
        ],
        "One SIGNON": [
            groups_by_mail.test_the_province_tells_which_power_an_order_is_for,
            position("intercontinental: A power cuts the support of another of its group"),
            position("intercontinental: A power dislodges another of its group"),
            position("intercontinental: A power takes the last center of another of its group"),
            position("intercontinental: One power builds while another of the group removes"),
        ],
        "The master can set": [
            globe.test_seventy_two_centers_of_a_group_and_more_than_any_other,
            globe.test_a_year_cap,
        ],
        "106 centers are": [
            globe.test_neutrals_start_with_their_units,
            position("intercontinental: What a neutral can be ordered"),
        ],
        "Their moves": [
            position("intercontinental: A sortie bounces even unopposed"),
            position("intercontinental: A sortie cuts support"),
            position("intercontinental: A sortie keeps an invader out of an empty province"),
            position("intercontinental: A sortie closes a province to retreats"),
            position("intercontinental: A sortie never dislodges"),
            position("intercontinental: A sortie by convoy cuts"),
        ],
        "They disband when": [
            position("intercontinental: A stationary unit never retreats"),
            position("intercontinental: A neutral builds its unit again on its own coast"),
            position("intercontinental: A neutral builds nothing where somebody owns or stands"),
        ],
        "Each Spring and Fall": [
            globe_play.test_a_point_for_each_center_of_a_power_but_no_more_than_three,
            position("intercontinental: Two points on an order and no more"),
            groups_by_mail.test_points_are_the_players_and_not_a_powers,
            position("intercontinental: Example 11 4 northeast asia"),
        ],
        "Your points count double": [
            position("intercontinental: Example 11 3 1 a sponsors point counts double"),
            globe.test_special_affiliates_follow_their_power,
        ],
        "Your points for a neutral": [
            position("intercontinental: No points for a neutral that any of ones units attacks"),
            position("intercontinental: A fleet that convoys the attacker does not attack"),
        ],
        "Each power can name": [
            position("intercontinental: Example 9 1 1 stockholm or guryev but not both"),
            position("intercontinental: What cannot be named"),
        ],
        "Provinces are abbreviated": [
            globe.test_abbreviations_follow_the_rubric,
            globe.test_names_are_read_in_any_case_with_and_without_their_marks,
        ],
    },
}

# {the title of rulings: {number: the tests that try it}}; those of every board are told by the DATC's cases.
RULED: dict[str, dict[int, list[Test]]] = {
    "Armed neutrals": {
        1: [
            position("ambition_empire: One neutral may support an attack on another and cuts nothing by it"),
            points.test_each_neutral_fights_as_a_power_of_its_own,
        ],
        2: [
            position("1648: A lost unit comes back in winter as it was"),
            b1648.test_a_new_minor_power_obeys_points_and_is_rebuilt_as_an_army,
        ],
        3: [
            b1648.test_a_center_in_which_another_power_stands_is_unaffected,
            b1648.test_a_center_that_is_left_becomes_a_minor_power_when_it_is_empty_after_a_fall,
        ],
        4: [position("ambition_empire: The masters order for a neutral is taken as it is")],
    },
    "Diplomacy Points": {
        1: [points.test_orders_that_differ_only_in_form_are_one_order],
        2: [
            points.test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has,
            position("ambition_empire: A bid to hold is a bid"),
        ],
        3: [
            bids_by_mail.test_too_many_points_in_a_letter_none_of_it_is_stored_and_the_reply_says_so_first,
            bids_by_mail.test_a_letters_lines_for_a_neutral_replace_those_of_earlier_letters,
            bids_by_mail.test_within_a_letter_different_orders_for_a_neutral_stand_side_by_side,
            bids_by_mail.test_lines_of_one_letter_with_the_same_order_add_up_and_the_reply_says_so,
        ],
        4: [position("ambition_empire: A bid whose order comes to nothing on the board counts in the auction")],
        5: [
            position("1648: A bid that breaks a limit is void and the earlier ones stand"),
            position("ambition_empire: A bid that can never be carried out is void by itself"),
            position("ambition_empire: Void bids are points spent too"),
        ],
        6: [
            position("intercontinental: No points for a neutral that any of ones units attacks"),
            position("intercontinental: What is no attack of ones own"),
        ],
        7: [position("ambition_empire: Income is counted from what is owned when the phase begins")],
        8: [
            bids_by_mail.test_nobody_but_the_master_sees_who_bid_what,
            bids_by_mail.test_bids_are_revealed_after_the_end_if_it_was_set_so_before_the_beginning,
        ],
    },
    "Vassals": {
        1: [
            points.test_the_bonus_is_for_one_of_two_orders_of_a_vassal,
            points.test_the_bonus_goes_to_the_bid_with_more_points,
        ],
        2: [position("1648: A vassals center is a build site only while it is owned")],
    },
    "Borders of half strength": {
        1: [
            position("1900: Suez 3 two that come around the cape bounce"),
            position("1900: Suez 3 head to head both have half strength"),
            position("1900: Suez 3 a support counts in full"),
            position("1900: Suez 3 half strength against a unit that fails to leave"),
        ],
        2: [position("1900: Suez 6 a cut that only itself would make possible is not made")],
        3: [
            position("1900: Suez 7 another route brings it to egypt at full strength"),
            position("1900: Suez 7 an army convoyed around the cape cuts support"),
        ],
        4: [
            position("1900: Suez 8 who does not travel around africa may retreat"),
            position("1900: Suez 8 two that travel around africa are disbanded"),
        ],
    },
    "Several powers in one hand": {
        1: [
            groups_by_mail.test_the_province_tells_which_power_an_order_is_for,
            groups_by_mail.test_a_letter_builds_for_one_power_and_disbands_for_another,
        ],
        2: [groups_by_mail.test_a_waive_names_its_power_where_several_have_builds],
        3: [
            groups_by_mail.test_one_person_may_hold_several_groups,
            groups_by_mail.test_a_group_that_nobody_plays_holds_and_may_be_given_up_for_good,
        ],
    },
    "1648": {
        1: [position("1648: France may put two points on two neutrals and then one each on others")],
        2: [position("1648: Spain never builds in flanders")],
        3: [test_1648_novgorod_karelia_holstein_and_the_papal_states_have_two_coasts_as_damascus_and_stockholm_have],
        4: [
            borders.test_an_added_border_can_be_used_in_both_directions_and_the_variant_is_untouched,
            borders_by_mail.test_everybody_is_told_observers_too,
        ],
    },
    "1900": {
        1: [
            position("1900: Emr is tested after ownership has changed"),
            position("1900: Emr any build may go to siberia and the extra unit anywhere"),
        ],
        2: [
            position("1900: Geography clyde and ireland though an enemy fleet is in the north atlantic"),
            test_1900_armies_walk_between_egypt_and_hejaz,
        ],
        3: [position("1900: Egypt and algeria count as any other center for removals that nobody ordered")],
    },
    "Ambition & Empire": {
        1: [
            position("ambition_empire: Example 1 portugal is spains third home"),
            position("ambition_empire: Example 3 poland must say which of two"),
            empire.test_who_does_not_say_gets_the_first_by_abbreviation,
        ],
        2: [position("ambition_empire: Example 2 stockholm is a home of two powers")],
        3: [position("ambition_empire: New minor powers are christian unless their center is muslim")],
        4: [empire.test_notes_on_the_map_for_fleets],
        5: [test_empire_gibraltar_is_a_sea],
    },
    "Colonia": {
        1: [colonia.test_rule_2_eight_powers_with_six_units_and_the_six_centers_they_stand_in],
        2: [colonia.test_rule_2_the_units_at_the_start, colonia.test_the_counts_at_the_end_of_the_list],
        3: [test_colonia_the_arctic_is_impassable_and_argentina_is_agt],
        4: [
            colonia.test_rule_4_no_order_brings_an_army_there,
            position("colonia: Rule 4 the other islands take armies by convoy"),
        ],
        5: [test_colonia_the_arctic_is_impassable_and_argentina_is_agt],
        6: [test_colonia_coasts_and_the_black_sea],
        7: [
            colonia.test_there_are_no_canals,
            colonia.test_a_fleet_changes_seas_at_constantinople_denmark_and_sweden_only_through_them,
            test_colonia_coasts_and_the_black_sea,
        ],
        8: [colonia.test_rule_3_both_borders_stand_in_the_rules_and_all_others_are_marked_as_reconstructed],
        9: [test_colonia_a_convoy_fails_only_when_every_route_is_broken],
    },
    "Intercontinental": {
        1: [position("intercontinental: Two orders of one neutral may have two points each")],
        2: [groups_by_mail.test_a_warning_where_own_units_attack_the_neutral_that_is_bid_for],
        3: [
            position("intercontinental: Head to head the sortie defends with its strength in attack"),
            position("intercontinental: A sortie keeps others out with the strength of its supports"),
            position("intercontinental: The support in place of a sortieing unit is void"),
        ],
        4: [position("intercontinental: A sortie closes a province to retreats")],
        5: [position("intercontinental: Example 9 1 1 stockholm or guryev but not both")],
        6: [globe.test_a_year_cap],
        7: [globe.test_special_affiliates_follow_their_power, globe.test_affiliates_with_their_sponsors],
        8: [globe.test_a_power_with_its_homes_and_units, globe.test_a_draw_gives_every_color_one_power_of_each_theatre],
        9: [globe.test_the_minor_neutrals],
        10: [
            borders.test_an_added_border_can_be_used_in_both_directions_and_the_variant_is_untouched,
            borders_by_mail.test_everybody_is_told_observers_too,
        ],
    },
}


def parts(name: str) -> list[str]:
    """The first paragraph and the bullets of a rules.txt, each in one line."""
    text = (variants_folder() / name / "rules.txt").read_text(encoding="utf-8")
    return [" ".join(part.split()) for part in re.split(r"\n\n?- ", text)]


@pytest.mark.parametrize("name", variant_names())
def test_all_that_the_text_of_a_board_tells_is_tried(name):
    tried = TOLD[name]
    untried = [part for part in parts(name) if sum(part.startswith(key) for key in tried) != 1]
    assert not untried, "give each a test in TOLD"
    assert len(parts(name)) == len(tried)
    assert all(tests for tests in tried.values())


@pytest.mark.parametrize("name", variant_names())
def test_every_ruling_on_a_board_is_mailed_and_tried(name):
    for rulings in rulings_of(load_variant(name)):
        # One that is not mailed repeats the text of the board.
        assert rulings.mailed == rulings.rulings or load_variant(name).text
        assert {ruling.number for ruling in rulings.rulings} == RULED[rulings.title].keys()
    assert all(tests for numbered in RULED.values() for tests in numbered.values())


@pytest.mark.parametrize("name", variant_names())
def test_the_text_of_a_board_tells_nothing_that_a_game_may_settle_otherwise(name):
    """The number that wins, the year of a canal, whether bids are revealed: their mechanisms tell what a game has."""
    variant, told = load_variant(name), " ".join(parts(name))
    settled = [rf"\b{variant.victory} (of|centers)", "bids are told", *map(str, variant.canals.values())]
    assert not [one for one in settled if re.search(one, told)]
