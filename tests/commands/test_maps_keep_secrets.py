"""What a map may not show: bids, and anybody's orders of a phase that is open. Not even their sizes or their number."""

import json

from judge.maps import load_geometry, read_scene
from judge.maps.pages import pages
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.play.test_bids import AUSTRIA, FRANCE, HOLDS, KIM, SIGNON, SPAIN

STRANGER = "al@example.org"
BIDS = {FRANCE: "DP 2: A SWI S A MAR - SAV\nDP 1: A BAV H", AUSTRIA: "DP 2: A SWI H", SPAIN: "DP NONE"}


def drawn(mail: Posted) -> list[str]:
    """All that the pictures of a mail show, in words and lines."""
    assert mail.picture
    _, scene = mail.picture
    return [sheet.svg for sheet in pages(read_scene(scene), load_geometry(scene["variant"]), "png")]


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
    mails = [mail for mail in swan.writes(KIM, SIGNON[KIM] + "PROCESS") if "Results" in mail.subject]
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
    # Nor does it linger: the next to ask sees the board alone.
    assert swan.replies(STRANGER, "MAP swan").picture[1]["outcome"] is None
