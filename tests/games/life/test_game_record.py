"""What players are told: before the first order, by INFO, LIST and SUMMARY as rules change, at the top of results."""

import re
import textwrap
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from judge.rules import load_variant, variant_names
from tests.commands.deskatwork import DeskAtWork
from tests.texts import flat, table


def start_mail(desk: DeskAtWork, variant: str, reader: str, settings: str = "") -> str:
    desk.seat_all("heron", variant, settings)
    (mail,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == reader]
    return mail.flat


@pytest.mark.parametrize("name", variant_names())
def test_what_is_special_about_a_board_is_told_in_three_lines(name):
    special = load_variant(name).special
    assert len(textwrap.wrap(special, 78)) <= 3 and bool(special) is (name != "standard")


def test_the_start_mail_tells_what_wins_what_becomes_of_the_late_and_where_help_is(desk):
    text = start_mail(desk, "standard", "france@example.org")
    assert "To win, own 18 of 34 centers and more than any other power after a Fall." in text
    assert "For more, send GET RULES heron (rules), GET MAP heron (borders), MAP heron (board) or HELP" in text
    assert "At the deadline the phase is processed without the missing orders (NMR). Units" in text
    assert "without a unit" not in text, "every center has its unit"


def test_with_grace_and_without_nmr_the_late_lose_their_seats_later(desk):
    text = start_mail(desk, "standard", "kim@example.org", "SET GRACE 24\nSET NONMR")
    assert "Grace for late orders ends Tue May 12 23:30. When grace ends, powers" in text


NMR = "the phase is processed without the missing orders"


@pytest.mark.parametrize(
    ("settings", "starting", "forming"),
    [
        ("SET GRACE 24", "The deadline is Mon May 11 23:30. Grace for late orders ends Tue May 12 23:30. "
         f"When grace ends, {NMR}", f"24 hours after the deadline (or at the next time allowed), {NMR}"),
        ("SET GRACE 24\nSET MOVE DAYS -M--T--", "Grace for late orders ends Thu May 14 23:30.",
         "(or at the next time allowed),"),
        ("SET GRACE 24\nSET MOVE DAYS SMTWTFS", "ends Mon May 11 23:30.", f"24 hours after the deadline, {NMR}"),
        ("SET GRACE 10\nSET MOVE DAYS SMTWTFS", "ends Mon May 11 23:30.", "10 hours after the deadline (or at"),
        ("SET GRACE 10\nSET STRICTGRACE", "ends Tue May 12 09:30.", f"10 hours after the deadline, {NMR}"),
        ("SET EXTENSIONS 1", f"at most once for each late player. At a deadline that is not extended {NMR}",
         f"At a deadline that is not extended {NMR}"),
        ("SET EXTENSIONS 2\nSET GRACE 24", "at most 2 times for each late player. The deadline is Mon May 11 23:30. "
         f"Unless it is extended, grace ends Tue May 12 23:30. When grace ends, {NMR}", "ends, 24 hours after"),
    ],
)  # fmt: skip
def test_what_becomes_of_the_late_is_told_as_it_will_be(desk, settings, starting, forming):
    desk.writes("kim@example.org", f"REGISTER\nName: Kim\nEND\nCREATE ?raven gm standard\n{settings}")
    joined = desk.replies("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?raven pw").flat
    begun = start_mail(desk, "standard", "france@example.org", settings)
    listed = [desk.replies("al@example.org", f"LIST {game}").flat for game in ("heron", "raven")]
    for told, says in zip([begun, joined, *listed], [starting, forming, starting, forming], strict=True):
        assert says in told
        assert "EXT" not in settings or f"At the deadline {NMR}" not in told


def test_every_setting_that_was_chosen_is_told(desk):
    settings = "SET GUNBOAT\nSET CENTERS 20\nSET MOVE NEXT 47\nSET REMIND 12\nSET MAXABSENCE 5\nSET STRICTGRACE"
    text = start_mail(desk, "standard", "france@example.org", settings)
    assert "own 20 of 34 centers" in text
    assert "Settings: white press; gunboat; moves at the first 23:30 after 47 hours" in text
    assert "grace ends exactly on time" in text and "reminders 12 hours before a deadline" in text
    assert "absences of at most 5 days" in text


def test_intercontinental_2_2_and_5_2_the_last_year_and_the_canal_are_told_before_the_first_order(desk):
    text = start_mail(desk, "intercontinental", "blue@example.org", "SET SUEZ 1867\nSET YEAR CAP 1875")
    assert "You have been selected as Blue in game 'heron': " in text
    (master,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == "kim@example.org"]
    for told in (master.flat, master.page):
        assert "You are the master of heron." in told and "ou play" not in told and "selected" not in told
    assert "until its canal opens in Spring 1867" in text
    assert "by the end of the Fall of 1875, the game is a draw of all survivors." in text
    assert "Suez opens in 1867, 1875 is the last year." in text


def test_intercontinental_5_2_the_usual_year_of_the_canal_is_told_too(desk):
    assert "until its canal opens in Spring 1870" in start_mail(desk, "intercontinental", "blue@example.org")


@pytest.mark.parametrize(("variant", "told"), [("1900", "Liverpool (Britain)"), ("ambition_empire", "Liverpool (Br")])
def test_a_center_that_is_owned_and_has_no_unit_is_told(desk, variant, told):
    """1900, Short Rules 3; Ambition & Empire, II 6."""
    assert f"Centers without a unit: {told}" in start_mail(desk, variant, "france@example.org")


@pytest.mark.parametrize(
    ("variant", "reader", "told"),
    [
        ("1648", "france", "You have 6 Diplomacy Points for Spring of 1649, to spend on 31 neutrals. You can put at "
                           "most 2 points each on 2 neutrals, and 1 on others."),
        ("1648", "england", "You have 3 Diplomacy Points for Spring of 1649, to spend on 31 neutrals. You can put at "
                            "most 2 points on one neutral. For"),
        ("ambition_empire", "spain", "You have 2 Diplomacy Points for Spring of 1763, to spend on 17 neutrals. For"),
        ("intercontinental", "blue", "Diplomacy Points for Spring of 1865, to spend on 106 neutrals. You can put at "
                                     "most 2 points on one order."),
    ],
)  # fmt: skip
def test_own_points_and_their_limits_are_told(desk, variant, reader, told):
    """1648, Diplomacy Points; Ambition & Empire, IV; Intercontinental, 11.1 and 11.3."""
    assert told in start_mail(desk, variant, f"{reader}@example.org")
    (master,) = [mail for mail in desk.all_mails() if "Game Starting" in mail.subject and mail.to == "kim@example.org"]
    assert "to spend on" not in master.flat


SET = "REGISTER\nName: Kim\nEND\nCREATE ?heron gm intercontinental\nSET SUEZ 1868\nSET NO REVEAL BIDS\n"
TOLD = ("To win, own 72 of 180 centers", "Each player has four powers of one color.", "Suez opens in 1868.",
        "At the deadline the phase is processed",
        "Send LIST heron for the settings, GET RULES heron for the rules.")  # fmt: skip


def test_whoever_joins_is_told_how_the_game_is_set(desk):
    desk.writes("kim@example.org", SET)
    text = desk.replies("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?heron pw").flat
    assert not [told for told in TOLD if told not in text]


def test_whoever_is_let_in_by_the_master_is_told_so_too(desk):
    desk.writes("kim@example.org", SET + "SET APPROVAL")
    desk.writes("al@example.org", "REGISTER\nName: Al\nEND\nSIGNON ?heron pw")
    mails = desk.writes("kim@example.org", "SIGNON Mheron gm\nAPPROVE al@example.org")
    (text,) = [mail.flat for mail in mails if mail.to == "al@example.org"]
    assert not [told for told in TOLD if told not in text]


def begun(desk: DeskAtWork, variant: str, phase_name: str = "", settings: str = "", **tables: Any) -> None:
    """Game heron stands in that phase, with these tables of its position replaced."""
    desk.seat_all("heron", variant, settings)
    desk.lay(phase_name, **tables)
    desk.new_mails()


def asked(desk: DeskAtWork, question: str) -> str:
    return desk.replies("al@example.org", question).flat


@pytest.mark.parametrize(("variant", "told"), {
    "1648": """
        CRI => Builds: Russia or Turkey, while it owns the center Vassal: of Russia and Turkey
        FLA => Center: supply center, owned by Spain Builds: no one
        STO => Kind: coast, with an east coast and a west coast""",
    # The Emergency Measures Rule; Egypt & Algeria.
    "1900": """
        SIB => Builds: Russia, in an emergency only
        EGY => owned by Britain Builds: no one
        EGY => Mid-Atlantic Ocean [MID] (half strength, around the Cape of Good Hope)
    """,
    # V.1 and V.3.
    "ambition_empire": """
        PAP => Faith: Christian, for the Religious Rule; supports Catholics only
        ALG => Faith: Muslim, for the Religious Rule
        TUS => Faith: Catholic, for the Religious Rule
        CRI => Builds: Russia, while it owns the center; Denmark-Norway, ... Faith: Muslim, for the Religious Rule""",
    # Rules 5 and 6.
    "colonia": """
        ANG => Center: colony, a home center of its owner, owned by Portugal Builds: whoever owns it
        CRI => Center: special center, home center of Ottoman Empire and Russia
        LON => Center: home center of England, owned by England
        TAH => Kind: coast, closed to armies
        GIL => South Pacific [SPC]
        CUB => Center: supply center, unowned Builds: no one""",
    # 5.2, 8 and 9.1.
    "intercontinental": """
        SUEZ => Canal: opens in Spring 1870
        DUBL => additional home center by building there Sponsor: Blue""",
    "build_anywhere": "MUN => Builds: whoever owns it",
    "standard": """
        PAR => Builds: France, while it owns the center
        POR => Center: supply center, unowned Builds: no one""",
}.items())  # fmt: skip
def test_info_tells_what_the_rules_make_of_a_province(desk, variant, told):
    begun(desk, variant)
    for province, words in table(told):
        answer = asked(desk, f"INFO {province} heron")
        assert all(one in answer for one in words.split(" ... ")), (province, answer)


def test_info_tells_the_builds_of_an_emergency_while_it_lasts(desk):
    begun(desk, "1900", "W1901A", centers={"Russia": ["MOS", "SEV"]}, units={"Russia": ["A UKR", "A GAL"]})
    assert "Builds: Russia, now, in its emergency" in asked(desk, "INFO SIB heron")
    for question in ("LIST heron", "SUMMARY heron"):
        told = asked(desk, question)
        assert "Russia is in an emergency: it can have 1 more unit than centers, and can also build in Siberia." in told


@pytest.mark.parametrize(("variant", "told"), {
    "1648": """
        SWI => Orders: hold; support A VIE (- TYR), A MAR (- DAU, - SAV), ... A LOR (H), A SAV (H)
        TUN => Orders: hold; support F NAP (- ION), ... F ALG (H)""",
    # V.3: the Papal States support Catholics only.
    "ambition_empire": """
        PAP => Orders: hold; support A MIL (- TUS, - VEN), A VIE (- VEN), A TUS (H)
        SWI => Orders: hold; support A ANE (- BUR), A MIL (H, - SAV, - VEN)""",
    # 10.1: neutrals make sorties.
    "intercontinental": "HANS => Orders: hold; move - East, - Kiri, - Mukd, - Yell; support A Peki (- Mukd)",
}.items())  # fmt: skip
def test_info_says_what_a_neutral_can_be_ordered(desk, variant, told):
    begun(desk, variant)
    for province, words in table(told):
        answer = asked(desk, f"INFO {province} heron")
        assert all(one in answer for one in words.split(" ... ")), (province, answer)
    assert "Orders:" not in asked(desk, "INFO PAR heron")


def test_info_names_each_place_of_a_neutral_once_though_a_fleet_could_convoy_it(desk):
    begun(desk, "intercontinental", "S1866M", units={"United States": ["F Hatt"], "Neutral": ["A Rich"]})
    moves = asked(desk, "INFO Rich heron").partition("; move ")[2].partition(";")[0].split(", ")
    assert {"- Wash", "- Bost"} < set(moves) and len(moves) == len(set(moves)), moves


def test_centers_of_nobody_are_named(desk):
    begun(desk, "standard", "F1901M", units={"Germany": ["A HOL"]})
    told = "Unowned: Belgium, Bulgaria, Denmark, Greece, Holland, Norway, Portugal,"
    assert told in asked(desk, "STATUS heron")
    assert told.replace("Holland, ", "") in desk.ring(desk.now + timedelta(days=20))[0].flat


def test_neutrals_without_their_unit_are_named(desk):
    at_start = [unit for unit in load_variant("ambition_empire").neutral_units if unit.province not in ("COU", "CRI")]
    begun(desk, "ambition_empire", "F1764M", units={"Russia": ["A CRI"], "Neutral": [*map(str, at_start)]})
    told = "Courland, empty until its fleet returns in winter; 15 more with a neutral unit each."
    for where in ("STATUS heron", "LIST heron"):
        assert f"Unowned: Crimea, with a unit of Russia; {told}" in asked(desk, where)
    assert "Neutral: its fleet returns in winter" in asked(desk, "INFO COU heron")
    assert f"Unowned: {told}" in desk.ring(desk.now + timedelta(days=20))[0].flat


def test_neutrals_of_a_sponsor_are_counted_by_kind(desk):
    begun(desk, "intercontinental", units={"Neutral": ["A MAPU", "F BISS", "F MACA", "F LIBR"]})
    told = asked(desk, "STATUS heron")
    assert "Green's: army in Maputo; fleets in Bissau, Macão." in told
    assert "Teal's: fleet in Libreville." in told


def test_info_of_a_power_says_where_its_units_are(desk):
    desk.seat_all("globe", "intercontinental")
    for written, name in {"Argentina": "Argentina", "olive": "Olive", "Raj": "British Raj"}.items():
        answer = desk.replies("al@example.org", f"INFO {written} globe").flat
        assert f"{name} is not a province, and INFO describes one. STATUS shows all units" in answer, written


@pytest.mark.parametrize(("variant", "told"), {
    "ambition_empire": "W=Sweden",
    "intercontinental": "N=Maroon",
    "standard": "A=Austria, E=England",
}.items())  # fmt: skip
def test_the_letters_of_a_summary_are_named(desk, variant, told):
    begun(desk, variant, load_variant(variant).start.replace("S", "F"))
    desk.ring(desk.now + timedelta(days=20))
    assert told in asked(desk, "SUMMARY heron").partition("(. = unowned)")[2].partition("Year")[0]


@pytest.mark.parametrize(("variant", "told"), {"intercontinental": "players", "standard": "powers"}.items())
def test_a_summary_says_what_its_index_counts_and_which_line_is_the_comment(desk, variant, told):
    begun(desk, variant, load_variant(variant).start.replace("S", "F"))
    desk.writes("kim@example.org", "SIGNON Mheron gm\nSET COMMENT slow in summer")
    desk.ring(desk.now + timedelta(days=20))
    summary = asked(desk, "SUMMARY heron")
    assert f"divided by the number of {told})" in summary and "Comment: slow in summer" in summary


def test_only_affiliates_that_can_get_points_are_named(desk):
    begun(desk, "intercontinental", units={"Neutral": ["A Mukd", "F Hans"], "China": ["A Urga"]})
    status = desk.replies("yellow@example.org", "SIGNON Yheron pwyellow\nSTATUS").flat
    assert "Your affiliates, on which your points count double: Mukden." in status


def test_list_calls_no_power_ordered_that_has_nothing_to_order(desk):
    begun(desk, "standard", "W1901A", units={"France": ["A BUR"], "Italy": ["A ROM"]}, centers={
        "France": ["PAR"], "Germany": ["KIE"], "Italy": ["ROM", "VEN"]})  # fmt: skip
    desk.writes("germany@example.org", "SIGNON Gheron pwgermany\nBUILD F KIE")
    told = desk.replies("kim@example.org", "LIST heron").text
    for power, state in {"France": "nothing due", "Germany": "ordered", "Italy": "waited for"}.items():
        assert re.search(rf"^{power}: +\d/\d +{state} ", told, re.MULTILINE), power


def test_vassals_are_named_with_their_suzerains(desk):
    begun(desk, "1648", "F1649M")
    whose = "Vassals: Ireland and Scotland of England; Lorraine of France; Courland, Ducal Prussia and Ukraine of"
    assert whose in asked(desk, "STATUS heron")
    assert whose in desk.ring(desk.now + timedelta(days=20))[0].flat


@pytest.mark.parametrize("variant", ["standard", "1900", "1648", "ambition_empire", "colonia", "intercontinental"])
def test_results_of_a_fall_say_after_one_s_own_part_what_has_changed(desk, variant):
    board = load_variant(variant)
    (winner, loser, *_), start = [power.name for power in board.powers], board.start[1:-1]
    lost = board.power_named[loser].owns[0]
    units = {power.name: [str(unit) for unit in power.units] for power in board.powers}
    units |= {winner: [*units[winner], f"A {lost}"], loser: []}
    begun(desk, variant, f"F{start}M", units=units)
    results = [mail for mail in desk.ring(desk.now + timedelta(days=20)) if f"F{start}M Results" in mail.subject]
    assert len(results) == len(board.seats) + 1
    for mail in results:
        place = board.provinces[lost].name
        assert f"Changes: {place} to {winner} (from {loser})." in mail.flat
        assert f"Builds: {loser} " in mail.flat
        assert f"No one else builds or removes. Movement results for Fall of {start}" in mail.flat
        assert mail.flat.index("Changes:") < mail.flat.index("Ownership of supply centers:")
        assert f"Changes: {place} to {winner} (from {loser})." in flat(unescape(mail.page))
        if "heron" in mail.text and mail.to != "kim@example.org":
            assert mail.flat.index("You have ") < mail.flat.index("Changes:")
    said = asked(desk, f"HISTORY heron FROM F{start}M")
    assert f"Changes: {place} to {winner} (from {loser})." in said


def test_a_fall_without_changes_says_so(desk):
    begun(desk, "standard", "F1901M")
    assert "Changes: none. No one builds or removes." in desk.ring(desk.now + timedelta(days=20))[0].flat


def test_map_of_a_part_has_its_orders_and_no_others(desk):
    begun(desk, "intercontinental")
    desk.ring(desk.now + timedelta(days=20))
    past = desk.would_reply("blue@example.org", "MAP heron S1865M India")
    assert past.first_line == "S1865M in heron: the orders in India and Indochina."
    assert "Army Calcutta" in past.text and "Saigon" in past.text
    assert "Canada" not in past.text and "Ownership" not in past.text and len(past.text.splitlines()) < 60
    assert past.picture and past.picture[1]["parts"] == ["India and Indochina"]
    now = desk.would_reply("blue@example.org", "MAP heron India")
    assert "Calcutta" in now.text and "Halifax" not in now.text and len(now.text.splitlines()) < 90
    several = 'has no part "America". Did you mean North America, Central America or South America?'
    assert several in desk.would_reply("blue@example.org", "MAP heron America").flat


def test_info_shows_no_unit_that_has_been_disbanded(desk):
    """Of two dislodged units one has nowhere to go: it is off the board at once."""
    units = {"Germany": ["A TYR", "A BOH", "A BUR", "A MAR"], "Austria": ["A VIE"], "France": ["A PIE", "A GAS"]}
    units |= {"Italy": ["A TRI", "A BUD", "A GAL"], "England": ["A PAR"]}
    begun(desk, "standard", "F1902M", units=units)
    desk.writes(
        "germany@example.org", "SIGNON Gheron pwgermany\nA TYR - VIE\nA BOH S A TYR - VIE\nA BUR - PAR\nA MAR H"
    )
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA TRI H\nA BUD H\nA GAL H")
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA GAS S A BUR - PAR")
    desk.ring(desk.now + timedelta(days=9))
    assert desk.phase().name == "F1902R"
    assert "Here: German Army Armies:" in asked(desk, "INFO VIE heron")
    assert "Here: German Army; English Army, dislodged Armies:" in asked(desk, "INFO PAR heron")
    assert "Austrian" not in asked(desk, "MAP heron")
    assert "Austria: 0/3" in asked(desk, "LIST heron")
    refused = desk.would_reply("austria@example.org", "SIGNON Aheron pwaustria\nA VIE D").flat
    assert "Vienna has no dislodged unit." in refused


def test_a_third_home_is_told_where_it_lies_and_in_the_entry(desk):
    """Ambition & Empire, V.2, example 1: also when it is lost."""
    begun(desk, "ambition_empire", "S1765M", homes={"Spain": ["POR"]}, centers={"Spain": ["BRC", "MAD", "POR"]})
    told = asked(desk, "INFO POR heron")
    assert "Center: additional home center of Spain, owned by Spain Builds: Spain, while it owns" in told
    assert "Portugal is a home center of Spain." in asked(desk, "LIST heron")
    assert "Portugal is a home center of Spain." in asked(desk, "SUMMARY heron")


def test_a_third_home_that_is_lost_is_told_as_lost(desk):
    begun(desk, "ambition_empire", "S1765M", homes={"Spain": ["POR"]}, centers={"Spain": ["BRC", "MAD"]})
    assert "Portugal is a home center of Spain, which it does not own now." in asked(desk, "LIST heron")


def test_an_additional_home_is_its_power_s_alone(desk):
    """Intercontinental, 9.1."""
    begun(desk, "intercontinental", "S1866M", homes={"Russia": ["Gury"]}, centers={"Russia": ["Gury"]})
    assert "Center: additional home center of Russia, owned by Russia Builds: Russia, while it owns" in asked(
        desk, "INFO GURY heron"
    )


@pytest.mark.parametrize(("phase", "state"), [("S1866M", "opens in Spring 1867"), ("S1867M", "is open")])
def test_the_canal_is_told_as_it_is(desk, phase, state):
    begun(desk, "intercontinental", phase, "SET SUEZ 1867")
    assert f"The canal of Suez {state}." in asked(desk, "LIST heron")
    since = "opens in" if phase == "S1866M" else "open since"
    assert f"Canal: {since} Spring 1867" in asked(desk, "INFO SUEZ heron")


def test_centers_that_civil_disorder_made_neutral_are_told(desk):
    begun(desk, "ambition_empire", neutrals={"MAD": "A"})
    assert "Neutral since civil disorder: Madrid." in asked(desk, "LIST heron")


def test_colonia_5_the_mail_before_a_winter_lists_the_colonies_by_present_owner(desk):
    begun(
        desk,
        "colonia",
        "F1751M",
        units={"France": ["A ANG", "A PAR"], "England": ["A LON"]},
        centers={"France": ["PAR", "QUE"], "Portugal": ["ANG"], "England": ["LON", "BTL", "LPL"]},
    )
    results = desk.ring(desk.now + timedelta(days=9))[0].flat
    assert "Colonies of France: Angola, Quebec." in results
    assert "Unowned colonies: Australia, Brazil" in results


def test_after_a_spring_no_colonies_are_listed(desk):
    begun(desk, "colonia")
    assert "Colonies of" not in desk.ring(desk.now + timedelta(days=9))[0].text


@pytest.fixture
def mails(desk: DeskAtWork) -> dict[str, str]:
    """{reader: their results mail} of a phase in which France dislodged the German army in Munich."""
    desk.seat_seven()
    desk.writes(
        "kim@example.org",
        "SIGNON Mheron gm\nCORRECT POSITION\nFrance: A PAR - BUR\nItaly: A VEN - TYR\nAustria: A VIE - BOH\nEND",
    )
    desk.writes("germany@example.org", "SIGNON Gheron pwgermany\nSET ZONE Europe/Berlin")
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN")
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA TYR S A BUR - MUN")
    told = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    return {mail.to.partition("@")[0]: mail.text for mail in told if "Results" in mail.subject}


def test_each_reader_has_it_right_below_the_heading_in_their_zone(mails):
    below = {reader: flat(text.split("\n\n")[1]) for reader, text in mails.items()}
    early = "The master processed this phase early."
    assert below["germany"] == (
        "Your A MUN was dislodged by France: retreat to RUH or SIL by Tue 11:13. "
        f"NMR: you sent no orders, so your units held. You have 3 centers. {early}"
    )
    assert below["france"] == (
        f"No order for A MAR and F BRE: they held. Your order succeeded. You have 3 centers. {early}"
    )
    assert below["turkey"] == f"NMR: you sent no orders, so your units held. You have 3 centers. {early}"
    assert all(text.startswith(":: Judge: JUDG  Game: heron  Variant: Standard") for text in mails.values())


def test_whoever_plays_nothing_reads_the_results_at_once(mails):
    early, results = mails["kim"].split("\n\n")[1:3]
    silent = "Austria, England, Germany, Russia and Turkey sent no orders (NMR)."
    assert flat(early) == f"The master processed this phase early. {silent}"
    assert results.startswith("Movement results for Spring of 1901.")
