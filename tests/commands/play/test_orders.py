"""A player with four powers, by mail: one letter orders them all, each builds and removes for itself, and together
they bid, vote, win and are written to (Intercontinental).
"""

import re

import pytest

from judge.games.orders.filed_orders import FiledOrders
from judge.rules import load_variant, position_to_json
from judge.rules.mechanisms.groups import draw
from judge.store.engine import transaction
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase
from tests.texts import flat, searched

BOARD = load_variant("intercontinental")
COLOURS = {seat.name: seat.letter for seat in BOARD.seats}
FIXED = """SET GROUP Japan Violet
SET GROUP Ethiopia to Olive
SET GROUP Zanzibar - Red"""


@pytest.fixture
def globe(desk: DeskAtWork) -> DeskAtWork:
    """A game of Intercontinental begins; blue@example.org plays Blue, with the password pwblue."""
    desk.seat_all("globe", "intercontinental", FIXED)
    return desk


def says(desk: DeskAtWork, who: str, *lines: str) -> Posted:
    """The answer to a letter of who plays this colour, or of the master."""
    signon = "SIGNON Mglobe gm" if who == "kim" else f"SIGNON {COLOURS[who.title()]}globe pw{who}"
    return desk.replies(f"{who}@example.org", "\n".join([signon, *lines]))


def mail_to(desk: DeskAtWork, who: str, subject: str) -> Posted:
    """The newest mail to them under such a subject."""
    return [mail for mail in desk.all_mails() if mail.to == f"{who}@example.org" and subject in mail.subject][-1]


def ordered(reply: Posted) -> list[str]:
    """The orders as the reply confirms them."""
    whole = re.sub(r"\n {2,}(?=\S)", " ", reply.text.partition("orders for")[2].partition("Time to")[0])
    return [line for line in whole.splitlines()[2:] if line]


def settings(desk: DeskAtWork) -> dict:
    return dict(desk.game("globe").settings)


def book(desk: DeskAtWork) -> FiledOrders:
    with transaction(desk.engine) as session:
        game = game_named(session, "globe")
        return FiledOrders(session, game, open_phase(session, game))


# --- before the game begins -----------------------------------------------------------------------------------


def test_the_start_mail_tells_who_holds_what_and_the_seed_that_anybody_can_check(globe: DeskAtWork):
    """Sections 1.2 and 3: the draw follows the seed, but for what the master has fixed."""
    start = mail_to(globe, "violet", "Starting")
    seed = int(searched(r"the seed (\d+)", start.text)[1])
    fixed = {"Japan": "Violet", "Ethiopia": "Olive", "Zanzibar": "Red"}
    holders = draw(BOARD.groups, BOARD.draws, seed, fixed)
    for group in BOARD.grouped(holders).groups:
        assert f"{group.name}: ".ljust(13) + ", ".join(group.powers) + "." in start.text
        assert len(group.powers) == 4
    assert "You have been selected as Violet in game 'globe': " in start.flat
    assert {"Japan", "Liberia", "United States"} < set(re.findall(r"    // (.*)", start.text))
    again = start.flat.replace("\\ ", "")
    assert f"judge variants draw intercontinental --seed {seed} " in again
    assert '--fix "Japan=Violet" --fix "Ethiopia=Olive" --fix "Zanzibar=Red"' in again
    assert max(map(len, start.text.splitlines())) <= 79


REFUSED = {
    "SET GROUP China Blue": "China always belongs to Yellow.",
    "SET GROUP Iran Maroon": "Iran can belong to Green, Red, Teal or Violet, not to Maroon.",
    "SET GROUP Ruritania Blue": '"Ruritania" is not a power of Intercontinental.',
    "SET GROUP Iran Purple": '"Purple" is not',
    "SET GROUP Red: Mexico Iran": "Write a comma between Mexico and Iran.",
    "SET GROUP Red Mexico Teal": "Give each power one color only.",
    f"SET GROUP {'Red ' * 400}": "Give each power one color only.",
    f"SET GROUP {'Red ' * 1500}": "too long, so it was ignored.",
    "SET GROUP to Red": "Which powers go there? Write SET GROUP Red: <power>, <power>.",
    "SET GROUP , ;": "Which power, and which color? Write SET GROUP <power> <color>.",
    "SET CANAL Panama 1870": "The canal here is Suez.",
    "SET SUEZ 1860": "The game begins in 1865",
    "SET YEAR CAP 1864": "The game begins in 1865",
}


def test_what_cannot_be_settled_is_refused_with_the_reason(desk: DeskAtWork):
    desk.expects("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\n", {
        **REFUSED,
        # Section 3.4: whoever holds Mexico gets no other of those four.
        "SET GROUP Mexico Red\nSET GROUP Peru Red": "Peru cannot belong to Red with Mexico in Red.",
    })  # fmt: skip


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("Teal: Iran, Peru", {"Iran": "Teal", "Peru": "Teal"}),
        ("TEAL Iran; Yellow: Peru and Sokoto", {"Iran": "Teal", "Peru": "Yellow", "Sokoto": "Yellow"}),
        ("Iran, Peru Teal, Mexico=Red", {"Iran": "Teal", "Peru": "Teal", "Mexico": "Red"}),
        ("Iran, Peru, Teal, Mexico, Red", {"Iran": "Teal", "Peru": "Teal", "Mexico": "Red"}),
        ("Teal: Iran, Mexico Red, Peru; Dutch East Indies - Green",
         {"Iran": "Teal", "Mexico": "Red", "Peru": "Teal", "Dutch East Indies": "Green"}),
    ],
)  # fmt: skip
def test_several_powers_are_fixed_in_one_line(desk: DeskAtWork, line: str, fixed: dict):
    begin = f"REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\nSET GROUP {line}, GREY"
    assert "refused" not in desk.replies("kim@example.org", begin).text
    assert settings(desk)["fixed"] == fixed and settings(desk)["grey_press"]


def test_each_of_several_powers_is_judged_by_itself_and_one_answer_tells_it_all(desk: DeskAtWork):
    begin = "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\nSET GROUP Mexico Red"
    desk.replies("kim@example.org", begin)
    reply = says(desk, "kim", "SET GROUP Red: Ruritania, Iran, Peru, Ethiopia; Japan Violet, Italy")
    assert reply.first_line.startswith("3 lines refused. 2 settings of globe have been changed.")
    assert "\n\nIran and Ethiopia go to Red.\nJapan goes to Violet.\n" in reply.text
    assert "> Peru\n  Peru cannot belong to Red with Mexico in Red." in reply.text
    assert '> Red: Ruritania\n  "Ruritania" is not a power of Intercontinental.' in reply.text
    assert "> Italy\n  Italy can belong to Yellow or Violet, not to Red." in reply.text
    fixed = {"Mexico": "Red", "Iran": "Red", "Ethiopia": "Red", "Japan": "Violet"}
    assert settings(desk)["fixed"] == fixed
    told = says(desk, "kim", "SET GROUP Japan, Teal: Ruritania", "SET GROUP Peru", "SET GROUP Teal").flat
    assert "Which color gets Peru? Write SET GROUP Peru <color>." in told
    assert "Which powers go there? Write SET GROUP Teal: <power>, <power>." in told
    assert settings(desk)["fixed"] == {**fixed, "Japan": "Teal"}


def test_powers_may_change_places_in_one_line_and_go_back_to_the_draw(desk: DeskAtWork):
    begin = "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\nSET GROUP Mexico Red, GROUP Peru Teal"
    desk.replies("kim@example.org", begin)
    reply = says(desk, "kim", "SET GROUP Mexico Teal, Peru Red")
    assert "refused" not in reply.text and settings(desk)["fixed"] == {"Mexico": "Teal", "Peru": "Red"}
    reply = says(desk, "kim", "SET GROUP RANDOM: Mexico, Peru")
    assert reply.first_line == "globe: Mexico and Peru are drawn." and settings(desk)["fixed"] == {}


def test_house_rules_stand_in_the_entry_of_the_game(desk: DeskAtWork):
    begin = "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\nSET SUEZ 1868, YEAR CAP 1880"
    desk.replies("kim@example.org", f"{begin}\nSET GROUP Iran Red")
    entry = desk.replies("zoe@example.org", "LIST globe").flat
    assert "Iran goes to Red, Suez opens in 1868, 1880 is the last year" in entry
    assert "bids revealed after the end" in entry
    assert "no last year" in says(desk, "kim", "SET NO YEAR CAP").flat


def test_in_other_variants_nothing_of_it_can_be_set(desk: DeskAtWork):
    begin = "REGISTER\nName: Kim\nEND\nCREATE ?heron gm standard\nSET GROUP France Germany\nSET CANAL Kiel 1905"
    reply = desk.replies("kim@example.org", begin).flat
    assert "In Standard Diplomacy no powers are drawn." in reply
    assert "There are no canals in Standard Diplomacy." in reply


def test_after_unstart_the_powers_are_drawn_anew_and_what_was_fixed_stays(globe: DeskAtWork):
    before = settings(globe)
    says(globe, "kim", "UNSTART")
    assert settings(globe)["holders"] == {} and settings(globe)["fixed"] == before["fixed"]
    says(globe, "kim", "FORCE BEGIN")
    after = settings(globe)
    assert after["seed"] != before["seed"] and after["holders"]["Japan"] == "Violet"
    assert after["holders"] == draw(BOARD.groups, BOARD.draws, after["seed"], after["fixed"])


def test_players_wish_for_colours_by_name(desk: DeskAtWork):
    """A wish is understood as the rest of what they write, and met when the colours are dealt."""
    desk.replies("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental")
    for number, wish in enumerate(("SET PREFERENCE China, blue", "PREF Violet YT", "set preference [Oliv, red] G")):
        joins = f"REGISTER\nName: P{number}\nEND\nSIGNON ?globe secret\n{wish}"
        reply = desk.replies(f"p{number}@example.org", joins).flat
        assert "note: preference saved: " in reply
    assert "preference saved: Olive or Red, then Green, then any other." in reply
    wrong = desk.replies("p0@example.org", "SIGNON ?globe secret\nSET PREFERENCE Violt, Blue")
    assert '"Violt" is not a color' in wrong.flat
    says(desk, "kim", "FORCE BEGIN")
    dealt = [searched(r"selected as (\w+)", mail_to(desk, f"p{number}", "Starting").text)[1] for number in range(3)]
    assert dealt[:2] == ["Yellow", "Violet"] and dealt[2] in ("Olive", "Red")


# --- orders ---------------------------------------------------------------------------------------------------


def test_the_results_begin_with_the_readers_own_powers(globe: DeskAtWork):
    says(globe, "kim", "PROCESS! S1865M")
    heads = {}
    for who in ("red", "blue", "kim"):
        text = mail_to(globe, who, "S1865M Results").text
        heads[who] = [line for line in text.splitlines() if line in COLOURS]
    assert heads["red"] == ["Red", "Blue", "Teal", "Green", "Olive", "Yellow", "Maroon", "Violet"]
    assert heads["blue"] == heads["kim"] == list(COLOURS)


def test_one_letter_retreats_for_two_powers(globe: DeskAtWork):
    beaten = {"Russia": [{"unit": "A Mosc", "from": "Kiev"}], "Siberia": [{"unit": "A Irku", "from": "Urga"}]}
    globe.lay("S1866R", "globe", units={"China": ["A Urga"], "Austria": ["A Mosc"]}, dislodged=beaten)
    reply = says(globe, "olive", "A Mosc - Arch", "Siberia: A Irku D")
    assert ordered(reply)[:2] == ["Russia: Army Moscow -> Archangel.", "Siberia: Army Irkutsk DISBAND."]
    assert reply.first_line == "Orders complete."
    says(globe, "kim", "PROCESS! S1866R")
    result = mail_to(globe, "blue", "S1866R Results")
    assert re.search(r"Olive\n\nRussia: +Army Moscow -> Archangel\.\n\nSiberia: +Army Irkutsk DISBAND\.", result.text)


def test_clear_takes_back_the_orders_of_all_powers_or_of_one_unit(globe: DeskAtWork):
    says(globe, "violet", "A Wash H", "F Osak H", "F Edo H")
    assert "Japan: Fleet Osaka, no order (will HOLD)." in ordered(says(globe, "violet", "CLEAR F Osak"))
    assert book(globe).given("Violet") and "no order" in says(globe, "violet", "CLEAR").flat
    assert book(globe).given("Violet") == []


@pytest.mark.parametrize("heading", [
    "Siberia (Olive)", "Siberia (Olive):", "For Siberia:", "Orders for Siberia", "Siberia's orders:", "== Siberia ==",
    "Olive (Siberia)",
])  # fmt: skip
def test_a_heading_names_its_power_in_many_ways(globe: DeskAtWork, heading: str):
    """Section 11.4.4 has "Siberia (Olive)"."""
    reply = says(globe, "olive", heading, "A Irku - Urga")
    assert "Siberia: Army Irkutsk -> Urga." in ordered(reply) and "ignored" not in reply.flat
    assert "ignored" in says(globe, "olive", heading.replace("Siberia", "the map")).flat
    assert "A Irku" not in says(globe, "olive", "WHATIF", heading, "A Irku - Urga", "ENDWHATIF").first_line


@pytest.mark.parametrize("line", ["ALL HOLD", "- all units hold.", "HOLD ALL"])
def test_an_order_for_all_units_is_for_the_power_above_it(globe: DeskAtWork, line: str):
    """It replaced the orders of the player's other powers."""
    says(globe, "olive", "A Mosc - Arch")
    reply = says(globe, "olive", "Siberia", line)
    assert "Russia: Army Moscow -> Archangel." in ordered(reply) and "Siberia: Army Irkutsk HOLD." in ordered(reply)
    assert "Russia: Army Moscow HOLD." in ordered(says(globe, "olive", "Olive:", line))
    other = says(globe, "olive", "China:", "A Irku - Urga", line)
    assert "You do not play China." in other.flat and "Siberia: Army Irkutsk -> Urga." in ordered(other)
    apart = says(globe, "olive", "Russia", "A Mosc - Arch", "Siberia", "WAIT", line)
    assert "Russia: Army Moscow -> Archangel." in ordered(apart) and "Siberia: Army Irkutsk HOLD." in ordered(apart)
    below = says(globe, "olive", "Siberia", "A Irku - Urga", "", line)
    assert "Russia: Army Moscow HOLD." in ordered(below)
    says(globe, "olive", "A Mosc - Arch")
    assert "Only players can give orders" in says(globe, "kim", "Siberia", line).flat
    cleared = says(globe, "olive", "Siberia", "CLEAR")
    assert "Russia: Army Moscow -> Archangel." in ordered(cleared)
    assert "Siberia: Army Irkutsk, no order (will HOLD)." in ordered(cleared)


def test_a_color_may_stand_after_the_power_before_an_order(globe: DeskAtWork):
    assert "Siberia: Army Irkutsk -> Urga." in ordered(says(globe, "olive", "Siberia (Olive): A Irku - Urga"))


# --- winter ---------------------------------------------------------------------------------------------------


WINTER = {
    "units": {"China": ["A Peki"], "Prussia": ["A Berl", "A Wroc", "F Danz", "F Kiel"], "Neutral": []},
    "centers": {"China": ["Chen", "Hsia", "Peki", "Urga"], "Prussia": ["Berl", "Danz"], "Ethiopia": ["Debr", "Magd"]},
}


@pytest.fixture
def winter(desk: DeskAtWork) -> DeskAtWork:
    """China, Ethiopia and Prussia are Yellow's: China builds three and may name Urga, Prussia removes two."""
    desk.seat_all("globe", "intercontinental", "SET GROUP Prussia Yellow\nSET GROUP Ethiopia Yellow")
    desk.lay("W1866A", "globe", **WINTER)
    return desk


def test_a_build_in_a_center_that_was_nobodys_home_names_it(winter: DeskAtWork):
    """Section 9.1."""
    reply = says(winter, "yellow", "BUILD A Urga")
    assert "China: Builds an army in Urga. (Its additional home center.)" in ordered(reply)
    says(winter, "kim", "PROCESS! W1866A")
    result = mail_to(winter, "blue", "W1866A Results")
    assert "Urga is now a home center of China." in result.text


def test_a_waive_is_of_the_power_above_it(winter: DeskAtWork):
    reply = says(winter, "yellow", "Ethiopia", "WAIVE 2", "China:", "BUILD A Chen", "WAIVE")
    done = ordered(reply)
    assert "not understood" not in reply.first_line and "For which power" not in reply.flat
    assert done.count("Ethiopia: Build waived.") == 2 and done.count("China: Build waived.") == 1, done
    kept = says(winter, "yellow", "PHASE W1867A", "Ethiopia", "WAIVE 2")
    assert "W1867A" in kept.flat and "not saved" not in kept.flat


def test_what_is_missing_is_said_with_its_power(winter: DeskAtWork):
    reply = says(winter, "yellow", "REMOVE A Berl", "REMOVE A Wroc", "BUILD A Chen")
    assert reply.first_line == "4 builds (China 2, Ethiopia 2) not ordered."


# --- points ---------------------------------------------------------------------------------------------------


def test_a_warning_where_own_units_attack_the_neutral_that_is_bid_for(globe: DeskAtWork):
    """Rulings, "Intercontinental" 2: refused it is not, since orders may change."""
    warned = "Your units attack Urga, or support an attack on it, so your points there have no effect unless you"
    reply = says(globe, "olive", "A Irku - Urga", "DP 2: A Urga H", "DP 1: A Mukd H")
    assert warned in reply.flat and "DP: 3 of" in reply.text
    assert warned not in says(globe, "olive", "A Irku H").flat


def test_the_sponsors_points_count_twice_and_the_master_is_told(globe: DeskAtWork):
    """Section 11.3."""
    says(globe, "blue", "DP 1: F Dubl - Azor")
    says(globe, "green", "F Opor - Azor", "DP 1: F Dubl S F Opor - Azor")
    says(globe, "kim", "PROCESS! S1865M")
    kim, blue, red = (mail_to(globe, who, "S1865M Results").flat for who in ("kim", "blue", "red"))
    assert "Blue: DP 1: Fleet Dublin -> Azores Current. (won, worth 2, but the move bounced)" in kim
    assert "Dublin: Fleet Dublin -> Azores Current. (*bounce*)" in red
    assert "worth 2" in blue and "DP 1: Fleet" not in red


# --- what counts together -------------------------------------------------------------------------------------


def test_seventy_two_centers_of_one_player_win(globe: DeskAtWork):
    """Section 2.0."""
    centers = list(BOARD.centers)
    yellow = [power for power, group in settings(globe)["holders"].items() if group == "Yellow"]
    owned = {"China": centers[:40], yellow[0]: centers[80:112], "Russia": centers[40:80]}
    globe.lay("F1870M", "globe", units={"China": ["A Peki"], "Russia": ["A Mosc"]}, centers=owned)
    says(globe, "kim", "PROCESS! F1870M")
    assert "Yellow has won globe" in mail_to(globe, "blue", "Victory: Yellow").text
    assert re.search(
        r"Yellow has 72 of the 72 centers that win\.  \(\* VICTORY!! \*\)", mail_to(globe, "red", "Results").text
    )


def test_the_last_year_ends_in_a_draw_of_all_who_survive(desk: DeskAtWork):
    """Section 2.2."""
    desk.seat_all("globe", "intercontinental", "SET YEAR CAP 1866")
    centers = {"China": ["Peki"], "Russia": ["Mosc"]}
    desk.lay("F1866M", "globe", units={"China": ["A Peki"], "Russia": ["A Mosc"]}, centers=centers)
    says(desk, "kim", "PROCESS! F1866M")
    end = mail_to(desk, "blue", "Draw Declared: LY")
    assert "The last year is over: globe is a draw between Olive and Yellow." in end.flat


@pytest.mark.parametrize("settings", ["", "SET GUNBOAT, NO REVEAL"])
def test_the_end_names_the_powers_of_each_colour(desk: DeskAtWork, settings: str):
    """Also where it does not tell who played them."""
    desk.seat_all("globe", "intercontinental", settings)
    start = mail_to(desk, "blue" if not settings else "kim", "Starting").text
    says(desk, "kim", "TERMINATE globe")
    end = mail_to(desk, "kim", "Game Terminated").text
    held = end.partition("Who played which powers:\n\n")[2].splitlines()[:8]
    assert held == start.partition("Who plays which powers:\n\n")[2].splitlines()[:8]
    assert held[0] == "Blue:        British Raj, Canada, Cape Colony, Great Britain."
    assert ("Who played what:" in end) == (settings == "")


def test_the_end_of_a_game_that_never_began_names_no_powers(desk: DeskAtWork):
    """They were not drawn."""
    desk.replies("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental")
    says(desk, "kim", "TERMINATE globe")
    assert "powers" not in mail_to(desk, "kim", "Game Terminated").text


def test_votes_are_the_groups(globe: DeskAtWork):
    for colour in COLOURS:
        reply = says(globe, colour.lower(), "SET DRAW")
    assert "globe has ended. Draw Declared: BTGLYRNV." in reply.flat


def test_a_concession_goes_to_the_player_of_a_power(globe: DeskAtWork):
    globe.lay(
        "S1866M",
        "globe",
        centers={"China": ["Peki", "Hsia"], "Russia": ["Mosc"]},
        units={"China": ["A Peki"], "Russia": ["A Mosc"]},
    )
    assert "your vote to concede the game to Olive is recorded" in says(globe, "olive", "SET CONCEDE Olive").flat
    assert "globe has ended. Game Conceded to: Y" in says(globe, "olive", "SET CONCEDE China").flat


def test_press_reaches_the_player_of_a_power(globe: DeskAtWork):
    says(globe, "yellow", "PRESS TO Siberia, B", "Shall we?", "ENDPRESS")
    mails = [mail for mail in globe.all_mails() if "Press from" in mail.subject]
    assert {mail.to for mail in mails} == {"olive@example.org", "blue@example.org"}
    assert "Press from Yellow to Blue, Olive:" in mails[0].text


def test_one_person_may_hold_several_groups(globe: DeskAtWork):
    """Rulings, "Several powers in one hand" 3: with fewer than eight people somebody takes what nobody else plays."""
    says(globe, "kim", "EJECT Yellow")
    globe.replies("blue@example.org", "SIGNON Yglobe pwmore\nA Peki H\nDP 1: A Urga H")
    both = globe.replies("blue@example.org", "SIGNON Bglobe pwblue\nF Lond H\nSIGNON Yglobe pwmore\nA Chen H")
    assert "Great Britain: Fleet London HOLD." in both.text and "China: Army Peking HOLD." in both.text
    says(globe, "kim", "PROCESS! S1865M")
    (result,) = [mail for mail in globe.all_mails() if mail.to == "blue@example.org" and "Results" in mail.subject]
    assert "SIGNON Bglobe" in result.text and "SIGNON Yglobe" in result.text
    assert "Your Diplomacy Points as Yellow" in result.text and "DP 1: Army Urga HOLD." in result.text


def test_a_group_that_nobody_plays_holds_and_may_be_given_up_for_good(globe: DeskAtWork):
    """Rulings, "Several powers in one hand" 3: ordinary civil disorder; the rules have no other."""
    says(globe, "kim", "EJECT Yellow", "SET DISORDER Yellow")
    position = book(globe).position
    game = globe.game("globe")
    assert game.settings["disorder"] == ["Yellow"]
    assert position_to_json(BOARD, position)["units"]["China"] == ["A Chen", "A Hsia", "A Peki"]


def test_a_master_corrects_the_orders_of_one_power(globe: DeskAtWork):
    reply = says(globe, "kim", "CORRECT ORDERS China: A Peki - Mukd")
    assert "The orders of Yellow for S1865M have been changed" in reply.flat
    told = mail_to(globe, "yellow", "Orders Corrected")
    assert "China: Army Peking -> Mukden." in told.text


def test_a_master_who_clears_no_unit_is_told_so(winter: DeskAtWork):
    reply = says(winter, "kim", "CORRECT ORDERS China: CLEAR WAIVE").flat
    assert '"WAIVE" is not a unit. Nothing was changed.' in reply


def test_a_group_is_late_as_one_and_gets_one_form(globe: DeskAtWork):
    says(globe, "yellow", "A Peki H")
    globe.ring(globe.now.replace(day=11, hour=22, minute=0))
    reminder = mail_to(globe, "yellow", "Reminder")
    assert "China: Army Chengtu" in reminder.text and reminder.text.count("SIGNON Yglobe") == 1


@pytest.mark.parametrize(("line", "instead"), [
    ("DP 2: F Kand - Calc", "Legal: DP 2: F Kand - Bayo, Lacc or Mald."),
    ("DP 1: A Dhak S A Calc - Kath", "Did you mean DP 1: A Dhak S A Calc or DP 1: A Dhak S A Calc - Assa?"),
    ("DP 3: F Kand H", "Write DP 2: F Kand H."),
])  # fmt: skip
def test_an_impossible_bid_is_answered_with_bids_that_are_possible(globe: DeskAtWork, line: str, instead: str):
    reply = says(globe, "blue", line).flat
    assert instead in reply and "1 line refused." in reply
    for bid in re.findall(r"DP \d: [AF] \w+ (?:- \w+|S [AF] \w+(?: - \w+)?|H)", instead):
        assert "refused" not in says(globe, "blue", bid).first_line


# --- what letters get wrong -----------------------------------------------------------------------------------


def test_clear_takes_back_the_orders_of_one_power(globe: DeskAtWork):
    says(globe, "violet", "A Wash H", "F Osak H", "F Edo H")
    told = ordered(says(globe, "violet", "CLEAR japan"))
    assert "Japan: Fleet Osaka, no order (will HOLD)." in told and "United States: Army Washington HOLD." in told
    assert "There is no order for Japan on file." in says(globe, "violet", "CLEAR Japan").text
    wrong = says(globe, "violet", "CLEAR France", "CLEAR WAIVE", "CLEAR A Osakk").text
    assert '"France" is not a province.' in wrong and '"WAIVE" is not a unit.' in wrong
    assert '"Osakk" is not a province. Did you mean Osaka' in flat(wrong)


def test_a_winter_tells_which_power_has_nothing_to_build_or_to_remove(winter: DeskAtWork):
    reply = says(
        winter, "yellow", "REMOVE A Peki", "WAIVE Prussia", "WAIVE 4 China", "R F Kiel", "R F Danz", "R A Berl"
    ).flat
    assert "China has no units to remove." in reply and "Prussia has no units to build." in reply
    assert "China has 3 builds. This line is one too many." in reply
    assert "Prussia has 2 removals. This line is one too many." in reply


@pytest.mark.parametrize("line", ["Maroon: BUILD A Edo", "France: BUILD A Pari", "WAIVE France"])
def test_an_order_for_a_power_of_another_player_is_refused_not_misunderstood(winter: DeskAtWork, line: str):
    reply = says(winter, "yellow", line)
    assert reply.first_line.startswith("1 line refused.") and "You do not play " in reply.text


def test_a_waive_of_one_power_under_the_name_of_another_is_refused(winter: DeskAtWork):
    reply = says(winter, "yellow", "China: WAIVE Ethiopia")
    assert "This is an order for Ethiopia, not China." in reply.text
    due = "5 builds (China 3, Ethiopia 2) and 2 removals (Prussia) not ordered."
    assert reply.flat.startswith(f"1 line not understood. {due}")
    assert "Yellow: no orders yet." in reply.text


@pytest.mark.parametrize(
    ("line", "setting"),
    [
        ("SET GROUP Ethiopia=Red", {"fixed": {"Ethiopia": "Red"}}),
        ("SET GROUP Ethiopia in Red", {"fixed": {"Ethiopia": "Red"}}),
        ("SET GROUP Dai Nam -> Green", {"fixed": {"Đại Nam": "Green"}}),
        ("SET GROUP Dutch East Indies Teal, GROUP et l", {"fixed": {"Dutch East Indies": "Teal", "Ethiopia": "Olive"}}),
        ("SET CANAL Suez: 1868", {"canals": {"Suez": 1868}}),
        ("SET CANAL Suez to 1868", {"canals": {"Suez": 1868}}),
        ("SET CANAL 1868", {"canals": {"Suez": 1868}}),
        ("SET SUEZ=1868", {"canals": {"Suez": 1868}}),
        ("SET CENTERS 80, YEAR CAP=1880, SUEZ 1866", {"year_cap": 1880, "canals": {"Suez": 1866}}),
    ],
)
def test_what_is_settled_may_be_written_in_several_ways(desk: DeskAtWork, line: str, setting: dict):
    desk.replies("kim@example.org", f"REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\n{line}")
    assert setting.items() <= settings(desk).items()


def test_once_a_canal_is_open_questions_are_answered_so(globe: DeskAtWork):
    closed = says(globe, "maroon", "INFO Suez").text
    assert "from the north coast" in closed and "Names:   Suez\n" in closed
    globe.lay("S1870M", "globe", units={"Egypt": ["F Suez"]})
    told = says(globe, "maroon", "INFO Suez").flat
    assert "from the north coast" not in told
    assert "Fleets: to Alexandria [Alex], Aswan [Aswa], East Mediterranean Sea [EMS]" in told
    assert "Suez/NC" in globe.replies("zoe@example.org", "GET MAP intercontinental").text
    assert "Suez/NC" not in globe.replies("zoe@example.org", "GET MAP globe").text


def test_the_late_are_told_in_the_order_of_the_colours(desk: DeskAtWork):
    desk.seat_all("globe", "intercontinental", "SET NONMR")
    mails = desk.ring(desk.now.replace(day=13))
    desk.ring(desk.now)
    assert any("Abandoned: BTGLYRNV" in mail.subject for mail in mails)


def test_a_border_of_a_canal_is_corrected_as_the_board_is_now(globe: DeskAtWork):
    """Section 5.2: two coasts until it opens, none from then on; what was corrected before it holds after it."""
    reply = says(globe, "kim", "BORDER ADD FLEET Suez - Cand").flat
    assert "Which coast of Suez? Write BORDER ADD FLEET Cand - Suez/NC or" in reply
    reply = says(globe, "kim", "BORDER REMOVE FLEET Suez/SC - Aswa").flat
    assert "Fleets cannot move between Aswan [Aswa] and Suez (south coast) [Suez/SC]." in reply
    globe.lay("S1870M", "globe", units={"Egypt": ["F Suez"]})
    assert "[Suez/SC]" not in says(globe, "maroon", "STATUS").text
    told = says(globe, "maroon", "F Suez - Aswa", "INFO Suez", "LIST globe", "MAP", "GET MAP globe").flat
    assert "Fleet Suez cannot reach Aswan." in told
    assert told.count("Fleets cannot move between Aswan [Aswa] and Suez [Suez].") >= 3 and "Suez/" not in told
    says(globe, "maroon", "F Suez - RedS")
    mails = globe.writes(
        "kim@example.org",
        "SIGNON Mglobe gm\nBORDER REMOVE FLEET Suez/SC - RedS\n"
        "BORDER ADD FLEET Suez - Aswa\nBORDER ADD FLEET Suez - Cand",
    )
    (news,) = [mail.flat for mail in mails if mail.to == "blue@example.org"]
    assert "Fleets cannot move between Red Sea [RedS] and Suez [Suez]." in news
    assert "Fleets can move between Aswan [Aswa] and Suez [Suez]." in news
    (answer,) = [mail.flat for mail in mails if mail.message["Auto-Submitted"] == "auto-replied"]
    assert "Dropped, because they are no longer possible: 1 order of Maroon." in answer and "Suez/" not in answer
    assert "Egypt: Fleet Suez -> Aswan." in ordered(says(globe, "maroon", "F Suez - Aswa"))


def test_a_canal_that_is_open_from_the_start_has_no_coasts_before_it_either(desk: DeskAtWork):
    begin = "REGISTER\nName: Kim\nEND\nCREATE ?globe gm intercontinental\nSET SUEZ 1865"
    desk.replies("kim@example.org", begin)
    assert "Suez [Suez]." in says(desk, "kim", "BORDER ADD FLEET Suez - Cand").flat
    told = desk.replies("zoe@example.org", "GET MAP globe").flat
    assert "Fleets can move between Candia [Cand] and Suez [Suez]." in told and "Suez/" not in told


def test_what_letters_get_wrong_is_answered_exactly(globe: DeskAtWork):
    begun = "globe has started"
    globe.expects("kim@example.org", "SIGNON Mglobe gm\n", {
        "SET GROUP Japan Red": begun, "SET SUEZ 1868": begun, "SET YEAR CAP 1880": begun, "SET NO YEAR CAP": begun,
        "CORRECT ORDERS China: A Peki - Mukd": "The orders of Yellow for S1865M have been changed",
        "STATUS": "Orders are missing from 8 players: Blue, Teal",
        "LIST globe": "Color, units/centers, player:",
    })  # fmt: skip
    globe.expects("blue@example.org", "SIGNON Bglobe pwblue\n", {
        "STATUS": ("Orders are missing from 8 players.", "DP: 0 of 10 used."),
        "PRESS TO YBC\nHi\nENDPRESS": ("neither a color or a power of this game nor letters of colors",
                                       "Write PRESS TO Blue, Teal or PRESS TO BT ("),
        "SET CONCEDE Neutral\nSET CONCEDE Teal": ('"Neutral" names no power of this game.',
                                                 "your vote to concede the game to Teal is recorded"),
        "DP 2: F Aden H\nDP 2: F Auck H\nDP 2: A Dhak H\nDP 2: A Bern H\nDP 2: A Rome H\nDP 2: A Fez H":
            "with them you would spend 12 points, and you have 10",
    })  # fmt: skip
    globe.expects("yellow@example.org", "SIGNON Yglobe pwyellow\n", {
        "A Urga S A Peki - Mukd":
            "Army Urga is neutral: bid for it. Write DP 1: A Urga S A Peki - Mukd.",
        "PHASE F1865M\nA Peki H\nA Chen H\nPHASE F1865M\nCLEAR A Peki": (
            "Lines for F1865M can only be taken back all together: write CLEAR on its own.", "Pending: F1865M, 2 "
            "orders"),
    })  # fmt: skip


def test_the_province_tells_which_power_an_order_is_for(globe: DeskAtWork):
    """Rulings, "Several powers in one hand" 1."""
    reply = says(globe, "violet", "A Wash - Rich", "F OSAK-YELL", "f Monrovia h")
    told = ordered(reply)
    assert "United States: Army Washington -> Richmond." in told
    assert "Japan: Fleet Osaka -> Yellow Sea." in told
    assert "Liberia: Fleet Monrovia HOLD." in told


def test_points_are_the_players_and_not_a_powers(globe: DeskAtWork):
    """Section 11.1: 1 for each center, 3 for a power at most."""
    assert "DP: 0 of 10 used." in says(globe, "blue", "STATUS").text
    told = flat(
        says(
            globe, "blue", *(f"DP 2: {unit} H" for unit in ("F Aden", "F Auck", "A Dhak", "A Bern", "A Rome", "A Fez"))
        ).text
    )
    assert "with them you would spend 12 points, and you have 10" in told
