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
from tests.rules.lines import Board, results
from tests.rules.mechanisms import test_build_anywhere as anywhere
from tests.rules.mechanisms import test_diplomacy_points as points
from tests.rules.mechanisms import test_sorties as sorties
from tests.rules.one_game import test_border_corrections as borders
from tests.rules.played import test_1648 as b1648
from tests.rules.played import test_1900 as b1900
from tests.rules.played import test_ambition_empire as empire
from tests.rules.played import test_colonia as colonia
from tests.rules.played import test_intercontinental as globe
from tests.rules.played import test_intercontinental_play as globe_play

Test = Callable[..., object]


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
            anywhere.test_what_cannot_be_built_is_refused_with_the_reason,
        ],
        "The center can be far": [anywhere.test_builds_far_from_home_are_carried_out],
    },
    "1648": {
        "Nine powers": [b1648.test_initial_setup],
        "31 centers belong": [
            b1648.test_minor_powers,
            b1648.test_a_minor_power_without_orders_holds_and_its_support_is_cut,
            b1648.test_a_minor_power_is_driven_out_by_two_and_disbanded,
            b1648.test_a_lost_unit_comes_back_in_winter_as_it_was,
            b1648.test_a_lost_unit_does_not_come_back_where_somebody_stands_or_owns,
        ],
        "Each Spring and Fall every": [
            points.test_1648_gives_three_points_and_france_six,
            points.test_what_can_be_seen_on_entry_is_refused_with_its_reason,
            bids_by_mail.test_the_ways_to_write_a_bid,
            points.test_1648_example_of_swabia,
            points.test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has,
            points.test_income_is_counted_from_what_is_owned_when_the_phase_begins,
            bids_by_mail.test_nobody_but_the_master_sees_who_bid_what,
        ],
        "A power can bid at most 2": [
            points.test_1648_lets_a_power_put_two_points_on_a_neutral,
            points.test_france_may_put_two_points_on_two_neutrals_and_then_one_each_on_others,
        ],
        "Vassals: Ireland": [
            b1648.test_a_suzerain_builds_in_its_vassals_centers_and_in_no_other_minor_power,
            b1648.test_a_vassals_center_is_a_build_site_only_while_it_is_owned,
            points.test_a_suzerains_points_on_its_vassal_are_worth_one_more,
            points.test_crimea_has_two_suzerains,
        ],
        "Flanders is": [b1648.test_spain_never_builds_in_flanders],
        "A power in permanent": [
            b1648.test_all_units_of_a_power_in_civil_disorder_are_disbanded,
            b1648.test_its_unoccupied_centers_become_minor_powers_with_an_army,
            b1648.test_a_center_that_is_left_becomes_a_minor_power_when_it_is_empty_after_a_fall,
        ],
    },
    "1900": {
        "Seven powers": [b1900.test_powers_and_units_at_the_start],
        "Egypt is British": [b1900.test_short_rules_2_egypt_and_algeria_are_owned_but_no_build_sites],
        "Armies and fleets can move between Clyde": [
            b1900.test_geography_clyde_and_ireland_though_an_enemy_fleet_is_in_the_north_atlantic,
            b1900.test_geography_armies_walk_between_gibraltar_and_morocco,
            b1900.test_short_rules_4_gibraltar_joins_spain_and_morocco_for_armies_and_fleets,
            b1900.test_geography_a_fleet_in_gibraltar_convoys,
            b1900.test_geography_iceland_ireland_and_switzerland_are_passable,
        ],
        "Palestine has one": [
            test_1900_palestine_has_one_coast_on_the_mediterranean,
            test_1900_spain_has_three_coasts_macedonia_and_st_petersburg_two,
        ],
        "Armies and fleets can move between Egypt": [
            b1900.test_suez_1_a_fleet_moves_back_and_forth_between_egypt_and_hejaz,
            b1900.test_suez_2_egypt_or_hejaz_and_the_mid_atlantic,
            b1900.test_suez_2_is_for_fleets,
        ],
        "A move around": [
            b1900.test_suez_3_half_strength_dislodges_nobody_alone,
            b1900.test_suez_3_a_support_counts_in_full,
            b1900.test_suez_4_a_fleet_in_egypt_or_hejaz_supports_nothing_in_or_to_the_mid_atlantic,
            b1900.test_suez_5_a_fleet_in_the_mid_atlantic_supports_nothing_in_or_to_egypt_or_hejaz,
            b1900.test_suez_6_a_move_to_the_mid_atlantic_does_not_cut_the_support_of_the_fleet_there,
            b1900.test_suez_6_unless_the_fleet_in_the_mid_atlantic_is_dislodged,
        ],
        "A fleet in the Mid-Atlantic": [
            b1900.test_suez_7_an_army_is_convoyed_from_egypt_or_hejaz_at_full_strength,
            b1900.test_suez_7_an_army_is_convoyed_to_egypt_or_hejaz_at_half_strength,
        ],
        "If two units retreat": [b1900.test_suez_8_who_does_not_travel_around_africa_may_retreat],
        "While Russia owns": [
            b1900.test_emr_one_extra_unit_with_some_but_not_all_home_centers,
            b1900.test_emr_siberia_is_a_build_site_in_the_emergency_if_unoccupied,
            b1900.test_emr_regaining_all_four_home_centers_ends_it_and_the_excess_is_disbanded,
            b1900.test_emr_losing_the_last_home_center_ends_it_and_the_excess_is_disbanded,
        ],
    },
    "ambition_empire": {
        "Ten powers": [empire.test_great_powers],
        "17 centers": [
            empire.test_minor_powers,
            empire.test_a_minor_power_is_disbanded_when_it_is_driven_out_and_returns_in_winter,
            empire.test_the_minor_power_of_a_center_that_somebody_owns_does_not_return,
        ],
        "Each Spring and Fall": [
            points.test_ambition_empire_gives_a_point_for_each_center_up_to_three,
            points.test_ambition_empire_lets_all_points_go_into_one_order,
            points.test_what_can_be_seen_on_entry_is_refused_with_its_reason,
            points.test_ambition_empire_examples,
            bids_by_mail.test_nobody_but_the_master_sees_who_bid_what,
        ],
        "Austria never": [
            empire.test_austria_never_builds_in_the_austrian_netherlands,
            empire.test_crimea_is_a_home_of_russia_while_russia_owns_it,
        ],
        "Denmark-Norway, Poland": [
            empire.test_example_1_portugal_is_spains_third_home,
            empire.test_example_2_stockholm_is_a_home_of_two_powers,
            empire.test_example_3_poland_must_say_which_of_two,
        ],
        "Religion": [
            empire.test_the_papal_states_support_nobody_else_neither_in_place_nor_in_a_move,
            empire.test_a_muslim_minor_power_supports_no_christian_attack_on_a_muslim_unit,
            empire.test_a_christian_minor_power_supports_no_turkish_attack_on_a_christian_unit,
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
            colonia.test_rule_3_a_fleet_goes_from_gilberts_over_the_edge_to_south_pacific_and_to_peru
        ],
        "Armies can never": [
            colonia.test_rule_4_no_order_brings_an_army_there,
            colonia.test_rule_4_fleets_go_there_and_take_the_center,
        ],
        "A colony (GET": [
            colonia.test_rule_5_whoever_owns_a_colony_builds_in_it,
            colonia.test_rule_5_who_has_lost_a_colony_does_not_build_in_it,
            colonia.test_rule_5_a_neutral_center_is_no_colony_for_who_wins_it,
        ],
        "Crimea is also": [
            colonia.test_rule_6_special_centers_are_homes_for_the_named_powers_alone,
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
            globe_play.test_a_power_cuts_the_support_of_another_of_its_group,
            globe_play.test_a_power_dislodges_another_of_its_group,
            globe_play.test_a_power_takes_the_last_center_of_another_of_its_group,
            globe_play.test_one_power_builds_while_another_of_the_group_removes,
        ],
        "The master can set": [
            globe.test_seventy_two_centers_of_a_group_and_more_than_any_other,
            globe.test_a_year_cap,
        ],
        "106 centers are": [globe.test_neutrals_start_with_their_units, globe_play.test_what_a_neutral_can_be_ordered],
        "Their moves": [
            sorties.test_a_sortie_bounces_even_unopposed,
            sorties.test_a_sortie_cuts_support,
            sorties.test_a_sortie_keeps_an_invader_out_of_an_empty_province,
            sorties.test_a_sortie_closes_a_province_to_retreats,
            sorties.test_a_sortie_never_dislodges,
            sorties.test_a_sortie_by_convoy_cuts,
        ],
        "They disband when": [
            sorties.test_a_stationary_unit_never_retreats,
            globe_play.test_a_neutral_builds_its_unit_again_on_its_own_coast,
            globe_play.test_a_neutral_builds_nothing_where_somebody_owns_or_stands,
        ],
        "Each Spring and Fall": [
            globe_play.test_a_point_for_each_center_of_a_power_but_no_more_than_three,
            globe_play.test_two_points_on_an_order_and_no_more,
            groups_by_mail.test_points_are_the_players_and_not_a_powers,
            globe_play.test_example_11_4_northeast_asia,
        ],
        "Your points count double": [
            globe_play.test_example_11_3_1_a_sponsors_point_counts_double,
            globe.test_special_affiliates_follow_their_power,
        ],
        "Your points for a neutral": [
            globe_play.test_no_points_for_a_neutral_that_any_of_ones_units_attacks,
            globe_play.test_a_fleet_that_convoys_the_attacker_does_not_attack,
        ],
        "Each power can name": [
            globe_play.test_example_9_1_1_stockholm_or_guryev_but_not_both,
            globe_play.test_what_cannot_be_named,
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
            points.test_one_neutral_may_support_an_attack_on_another_and_cuts_nothing_by_it,
            points.test_each_neutral_fights_as_a_power_of_its_own,
        ],
        2: [
            b1648.test_a_lost_unit_comes_back_in_winter_as_it_was,
            b1648.test_a_new_minor_power_obeys_points_and_is_rebuilt_as_an_army,
        ],
        3: [
            b1648.test_a_center_in_which_another_power_stands_is_unaffected,
            b1648.test_a_center_that_is_left_becomes_a_minor_power_when_it_is_empty_after_a_fall,
        ],
        4: [points.test_the_masters_order_for_a_neutral_is_taken_as_it_is],
    },
    "Diplomacy Points": {
        1: [points.test_orders_that_differ_only_in_form_are_one_order],
        2: [
            points.test_most_points_are_not_enough_they_must_be_more_than_each_other_order_has,
            points.test_a_bid_to_hold_is_a_bid,
        ],
        3: [
            bids_by_mail.test_too_many_points_in_a_letter_none_of_it_is_stored_and_the_reply_says_so_first,
            bids_by_mail.test_a_letters_lines_for_a_neutral_replace_those_of_earlier_letters,
            bids_by_mail.test_within_a_letter_different_orders_for_a_neutral_stand_side_by_side,
            bids_by_mail.test_lines_of_one_letter_with_the_same_order_add_up_and_the_reply_says_so,
        ],
        4: [points.test_a_bid_whose_order_comes_to_nothing_on_the_board_counts_in_the_auction],
        5: [
            points.test_a_bid_that_breaks_a_limit_is_void_and_the_earlier_ones_stand,
            points.test_a_bid_that_can_never_be_carried_out_is_void_by_itself,
            points.test_void_bids_are_points_spent_too,
        ],
        6: [
            globe_play.test_no_points_for_a_neutral_that_any_of_ones_units_attacks,
            globe_play.test_what_is_no_attack_of_ones_own,
        ],
        7: [points.test_income_is_counted_from_what_is_owned_when_the_phase_begins],
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
        2: [b1648.test_a_vassals_center_is_a_build_site_only_while_it_is_owned],
    },
    "Borders of half strength": {
        1: [
            b1900.test_suez_3_two_that_come_around_the_cape_bounce,
            b1900.test_suez_3_head_to_head_both_have_half_strength,
            b1900.test_suez_3_a_support_counts_in_full,
            b1900.test_suez_3_half_strength_against_a_unit_that_fails_to_leave,
        ],
        2: [b1900.test_suez_6_a_cut_that_only_itself_would_make_possible_is_not_made],
        3: [
            b1900.test_suez_7_another_route_brings_it_to_egypt_at_full_strength,
            b1900.test_suez_7_an_army_convoyed_around_the_cape_cuts_support,
        ],
        4: [
            b1900.test_suez_8_who_does_not_travel_around_africa_may_retreat,
            b1900.test_suez_8_two_that_travel_around_africa_are_disbanded,
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
        1: [points.test_france_may_put_two_points_on_two_neutrals_and_then_one_each_on_others],
        2: [b1648.test_spain_never_builds_in_flanders],
        3: [test_1648_novgorod_karelia_holstein_and_the_papal_states_have_two_coasts_as_damascus_and_stockholm_have],
        4: [
            borders.test_an_added_border_can_be_used_in_both_directions_and_the_variant_is_untouched,
            borders_by_mail.test_everybody_is_told_observers_too,
        ],
    },
    "1900": {
        1: [
            b1900.test_emr_is_tested_after_ownership_has_changed,
            b1900.test_emr_any_build_may_go_to_siberia_and_the_extra_unit_anywhere,
        ],
        2: [
            b1900.test_geography_clyde_and_ireland_though_an_enemy_fleet_is_in_the_north_atlantic,
            test_1900_armies_walk_between_egypt_and_hejaz,
        ],
        3: [b1900.test_egypt_and_algeria_count_as_any_other_center_for_removals_that_nobody_ordered],
    },
    "Ambition & Empire": {
        1: [
            empire.test_example_1_portugal_is_spains_third_home,
            empire.test_example_3_poland_must_say_which_of_two,
            empire.test_who_does_not_say_gets_the_first_by_abbreviation,
        ],
        2: [empire.test_example_2_stockholm_is_a_home_of_two_powers],
        3: [empire.test_new_minor_powers_are_christian_unless_their_center_is_muslim],
        4: [empire.test_notes_on_the_map_for_fleets],
        5: [test_empire_gibraltar_is_a_sea],
    },
    "Colonia": {
        1: [colonia.test_rule_2_eight_powers_with_six_units_and_the_six_centers_they_stand_in],
        2: [colonia.test_rule_2_the_units_at_the_start, colonia.test_the_counts_at_the_end_of_the_list],
        3: [test_colonia_the_arctic_is_impassable_and_argentina_is_agt],
        4: [
            colonia.test_rule_4_no_order_brings_an_army_there,
            colonia.test_rule_4_the_other_islands_take_armies_by_convoy,
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
        1: [globe_play.test_two_orders_of_one_neutral_may_have_two_points_each],
        2: [groups_by_mail.test_a_warning_where_own_units_attack_the_neutral_that_is_bid_for],
        3: [
            sorties.test_head_to_head_the_sortie_defends_with_its_strength_in_attack,
            sorties.test_a_sortie_keeps_others_out_with_the_strength_of_its_supports,
            sorties.test_the_support_in_place_of_a_sortieing_unit_is_void,
        ],
        4: [sorties.test_a_sortie_closes_a_province_to_retreats],
        5: [globe_play.test_example_9_1_1_stockholm_or_guryev_but_not_both],
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
