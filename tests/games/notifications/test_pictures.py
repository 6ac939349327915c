"""Maps at the desk: which mails bring one, in which form, and that nobody sees what is not theirs to see."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from judge.games.notifications import pictures
from judge.maps.geometry import NoGeometry, load_geometry
from judge.maps.scene import read_scene
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.games.orders.test_bids import AUSTRIA, FRANCE, HOLDS, KIM, SIGNON, SPAIN
from tests.maps.boards import sheets_of

STRANGER = "al@example.org"
BIDS = {FRANCE: "DP 2: A SWI S A MAR - SAV\nDP 1: A BAV H", AUSTRIA: "DP 2: A SWI H", SPAIN: "DP NONE"}


def drawn(mail: Posted) -> list[str]:
    """All that the pictures of a mail show, in words and lines."""
    assert mail.picture
    _, scene = mail.picture
    return [sheet.svg for sheet in sheets_of(read_scene(scene), load_geometry(scene["variant"]))]


def everybody_orders(desk: DeskAtWork) -> None:
    for who, lines in HOLDS.items():
        desk.writes(who, SIGNON.get(who, "") + lines.replace("A MAR H", "A MAR - SAV") + BIDS.get(who, ""))


def test_the_map_of_an_open_phase_is_the_same_whatever_is_on_file(swan):
    askers = {STRANGER: "", FRANCE: SIGNON[FRANCE], AUSTRIA: SIGNON[AUSTRIA], KIM: SIGNON[KIM]}
    before = {who: swan.replies(who, f"{signon}MAP swan") for who, signon in askers.items()}
    everybody_orders(swan)
    swan.writes(FRANCE, SIGNON[FRANCE] + "PHASE F1649M\nA PAR - MAR")
    for who, signon in askers.items():
        after = swan.replies(who, f"{signon}MAP swan")
        assert after.picture == before[who].picture
        assert drawn(after) == drawn(before[who])


def test_a_map_with_the_confirmation_of_orders_shows_none_of_them(swan):
    plain = swan.replies(STRANGER, "MAP swan")
    mail = swan.replies(FRANCE, SIGNON[FRANCE] + "A MAR - SAV\nDP 2: A SWI S A MAR - SAV\nMAP")
    assert "SAV" in mail.text
    assert drawn(mail) == drawn(plain)


def test_results_show_the_neutrals_orders_and_no_bid(swan):
    everybody_orders(swan)
    swan.writes(FRANCE, SIGNON[FRANCE] + "PHASE F1649M\nA PAR - MAR")
    mails = [mail for mail in swan.writes(KIM, SIGNON[KIM] + "PROCESS!") if "Results" in mail.subject]
    (scene,) = {json.dumps({**mail.picture[1], "parts": []}, sort_keys=True) for mail in mails if mail.picture}
    told = json.loads(scene)
    assert told["outcome"]["bids"] == []
    assert '"points"' not in scene
    orders = {entry["order"]: entry["power"] for entry in told["outcome"]["orders"]}
    assert orders["A MAR - SAV"] == "France"
    assert "A PAR - MAR" not in orders
    assert drawn(mails[0])
    later = swan.replies(STRANGER, "MAP swan S1649M")
    assert drawn(later) == drawn(next(mail for mail in mails if mail.picture and mail.picture[0] == "png"))


def test_only_the_master_gets_the_picture_of_a_prediction(swan):
    everybody_orders(swan)
    assert swan.replies(FRANCE, SIGNON[FRANCE] + "PREDICT").picture is None
    mails = swan.writes(KIM, SIGNON[KIM] + "PREDICT")
    assert [mail.to for mail in mails] == [KIM]
    assert mails[0].picture[1]["occasion"] == "prediction"
    assert mails[0].picture[1]["outcome"]["bids"] == []
    assert "A MAR - SAV" in json.dumps(mails[0].picture[1])
    # Nor does it linger: the next to ask sees the board alone.
    assert swan.replies(STRANGER, "MAP swan").picture[1]["outcome"] is None


DEADLINE = "2026-05-15 21:00"


@pytest.fixture
def desk(tmp_path) -> DeskAtWork:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    return desk


def forms(mails: list[Posted]) -> dict[str, str]:
    """{who: the form of the picture}, "" without one."""
    return {mail.to.partition("@")[0]: mail.picture[0] if mail.picture else "" for mail in mails}


def scene_of(mail: Posted) -> dict[str, Any]:
    """What the mail's picture shows."""
    assert mail.picture
    return mail.picture[1]


def results(desk: DeskAtWork) -> list[Posted]:
    mails = desk.ring(datetime.fromisoformat(DEADLINE).replace(tzinfo=UTC))
    return [mail for mail in mails if "Results" in mail.subject]


def test_the_start_brings_a_map_to_everybody(desk):
    desk._seen = 0  # from the first mail on
    mails = [mail for mail in desk.new_mails() if "Game Starting" in mail.subject]
    assert set(forms(mails).values()) == {"png"}
    assert len(mails) == 8
    assert {scene_of(mail)["occasion"] for mail in mails} == {"start"}


def test_results_bring_it_as_each_seat_wants_it(desk):
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nSET MAP OFF")
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nset map small")
    desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nSET MAP OFF\nSET MAP ON")
    desk.observes("al@example.org", "OBSERVE heron")
    got = forms(results(desk))
    assert got.pop("france") == ""
    assert got.pop("italy") == "small"
    assert "al" in got
    assert set(got.values()) == {"png"}


def test_all_readers_of_results_see_one_picture_of_what_was_processed(desk):
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    mails = results(desk)
    scenes = {json.dumps({**scene_of(mail), "parts": []}, sort_keys=True) for mail in mails}
    (scene,) = (json.loads(text) for text in scenes)
    parts = {mail.to.partition("@")[0]: scene_of(mail)["parts"] for mail in mails}
    assert parts["england"] == ["", "West", "East"]
    assert parts["turkey"] == ["", "East", "West"]
    assert scene["position"]["phase"] == "S1901M"
    assert [entry["order"] for entry in scene["outcome"]["orders"]] == ["A PAR - BUR"]


def test_who_asks_gets_a_map_even_where_results_bring_none(desk):
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nSET MAP OFF")
    assert desk.replies("france@example.org", "MAP heron").picture[0] == "png"
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nSET MAP SMALL")
    assert desk.replies("france@example.org", "MAP heron").picture[0] == "small"


def test_a_game_that_is_forming_has_a_board(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.writes("Kim <kim@example.org>", "REGISTER\nName: Kim\nEND\nCREATE ?crow gm standard")
    assert scene_of(desk.replies("kim@example.org", "MAP crow"))["position"]["phase"] == "S1901M"


def test_a_variant_without_geometry_is_told_in_words(desk, monkeypatch):
    def none(name: str):
        raise NoGeometry("no picture")

    monkeypatch.setattr(pictures, "load_geometry", none)
    assert desk.replies("al@example.org", "MAP heron").picture is None
    assert {mail.picture for mail in results(desk)} == {None}


def test_a_border_that_was_corrected_is_in_the_picture(desk):
    desk.writes("kim@example.org", "SIGNON Mheron gm\nBORDER REMOVE ARMY PAR - BUR")
    assert scene_of(desk.replies("al@example.org", "MAP heron"))["borders"] == ["REMOVE ARMY BUR PAR"]


def test_groups_and_canals_of_a_game_are_in_its_picture(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("globe", "intercontinental", "SET SUEZ 1866\nSET GROUP Mexico Red")
    desk._seen = 0
    start = next(mail for mail in desk.new_mails() if "Game Starting" in mail.subject)
    assert scene_of(start)["canals"] == {"Suez": 1866}
    assert scene_of(start)["holders"]["Mexico"] == "Red"
    asked = desk.replies("al@example.org", "MAP globe")
    assert scene_of(asked)["holders"] == scene_of(start)["holders"]
    variant = read_scene(scene_of(asked)).variant
    assert len({variant.seat_of(power.name) for power in variant.powers}) == 8
    assert variant.at("S1866M").provinces["Suez"].coasts == ()


# --- the orders of a player -------------------------------------------------------------------------------------


def old_hand(desk: DeskAtWork) -> None:
    """Two phases later: nobody is new to the game."""
    for _ in range(2):
        desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")


def test_newcomers_see_their_orders_drawn_and_nobody_elses(desk):
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA VEN - TYR")
    mail = desk.replies("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR S A PAR - BUR")
    assert mail.picture[0] == "png"
    assert scene_of(mail)["parts"] == ["West"]
    assert scene_of(mail)["occasion"] == "orders"
    assert scene_of(mail)["outcome"] is None
    assert scene_of(mail)["orders"] == {"France": ["A PAR - BUR", "A MAR S A PAR - BUR"]}
    assert scene_of(mail)["position"] == scene_of(desk.replies("al@example.org", "MAP heron"))["position"]


def test_after_two_phases_only_orders_in_doubt_are_drawn(desk):
    old_hand(desk)
    signon = "SIGNON Fheron pwfrance\n"
    assert desk.replies("france@example.org", f"{signon}A PAR - BUR").picture is None
    refused = desk.replies("france@example.org", f"{signon}A MAR - LON")
    assert scene_of(refused)["orders"] == {"France": ["A PAR - BUR"]}
    doubted = desk.replies("france@example.org", f"{signon}F PAR - PIC")
    assert "Did you mean it for" in doubted.text
    assert scene_of(doubted)["orders"] == {"France": ["A PAR - PIC"]}
    assert desk.replies("france@example.org", f"{signon}Cheers, Fay\nA PAR - BUR").picture is None


def test_each_player_decides_whether_their_orders_are_drawn(desk):
    signon = "SIGNON Fheron pwfrance\n"
    desk.writes("france@example.org", f"{signon}SET MAP OFF")
    assert desk.replies("france@example.org", f"{signon}A PAR - BUR\nA MAR - LON").picture is None
    old_hand(desk)
    desk.writes("france@example.org", f"{signon}SET MAP ORDERS")
    assert scene_of(desk.replies("france@example.org", f"{signon}F BRE - ENG"))["occasion"] == "orders"
    assert forms(desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!"))["france"] == "png"


def test_orders_are_not_drawn_where_there_is_nothing_to_see(desk):
    signon = "SIGNON Fheron pwfrance\n"
    assert desk.replies("france@example.org", signon).picture is None
    assert desk.replies("france@example.org", f"{signon}A MAR - LON").picture is None
    desk.writes("france@example.org", f"{signon}A PAR - BUR")
    assert desk.replies("france@example.org", f"{signon}CLEAR").picture is None


def test_a_map_that_was_asked_for_takes_the_place_of_the_orders(desk):
    signon = "SIGNON Fheron pwfrance\nA PAR - BUR\n"
    for letter in (f"{signon}MAP", f"{signon}SIGNON Fheron pwfrance\nMAP heron"):
        mail = desk.replies("france@example.org", letter)
        assert scene_of(mail)["occasion"] == ""
        assert "orders" not in scene_of(mail)
        assert "room for one map only" not in mail.text


def test_the_orders_that_a_master_gives_for_a_power_are_not_drawn(desk):
    mails = desk.writes("kim@example.org", "SIGNON Mheron gm\nBECOME France\nA PAR - BUR")
    assert "Army Paris -> Burgundy" in "".join(mail.text for mail in mails)
    assert set(forms(mails).values()) == {""}


def test_the_holder_of_a_seat_gets_no_picture_of_what_somebody_else_has_ordered(desk):
    mails = desk.writes("other@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert forms(mails) == {"other": "png", "france": ""}


def test_map_brings_one_part_by_its_name(desk):
    results(desk)
    for asked in ("MAP heron East", "MAP heron S1901M east"):
        mail = desk.replies("al@example.org", asked)
        assert scene_of(mail)["parts"] == ["East"]
    refused = desk.replies("al@example.org", "MAP heron Mars")
    assert 'The board of heron has no part "Mars". Its parts: West, East.' in refused.flat


def test_each_part_that_a_mail_names_can_be_had_by_the_command_that_it_names(tmp_path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("heron", "colonia")
    desk.new_mails()
    netherlands = next(mail for mail in results(desk) if mail.to.startswith("netherlands"))
    assert scene_of(netherlands)["parts"] == ["", "Western Europe", "Americas", "Africa", "India and the Indies"]
    for part in load_geometry("colonia").parts:
        for command in (f"MAP heron {part.name}", f"MAP heron S1751M {part.name}"):
            assert scene_of(desk.would_reply("al@example.org", command))["parts"] == [part.name]


def test_a_province_before_the_start_is_as_the_map_shows_it(desk: DeskAtWork):
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND\nCREATE ?gull gm standard")
    assert "Paris Army" in desk.replies("kim@example.org", "MAP gull").flat
    assert "Here: French Army" in desk.replies("kim@example.org", "INFO PAR gull").flat
