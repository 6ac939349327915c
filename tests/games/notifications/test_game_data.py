"""SET DATA: phases come as JSON beside the text, and say the same. GET DATA: all of a game as its reader may see it."""

import json
import random
from datetime import datetime
from typing import Any

import pytest
from sqlmodel import select

from judge.mails.parts import illustrated
from judge.mails.results import results_of
from judge.mails.templates import Texts
from judge.mails.views import position_view
from judge.rules import answer_line, load_variant, needs, outcome_from_json, position_after, position_from_json
from judge.rules.board.board_state import BoardState
from judge.rules.selfplay import random_bids, random_orders
from judge.rules.variant.variant import Variant
from judge.store.engine import transaction
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.mails.test_parts import PNG

FRANCE, KIM, WALTER = "france@example.org", "kim@example.org", "walter@example.org"
AS_FRANCE, AS_KIM = "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"


def data(mail: Posted) -> dict[str, Any] | None:
    """What the mail brings for programs, None if nothing."""
    found = [part for part in mail.message.walk() if part.get_content_type() == "application/json"]
    if not found:
        return None
    (part,) = found
    octets = part.get_payload(decode=True)
    assert isinstance(octets, bytes)
    told = json.loads(octets)
    assert part.get_content_disposition() == "attachment"
    assert part.get_filename() == f"{told['game']}-{told['phases'][0]['phase']}.json"
    assert isinstance(told, dict)
    return told


def games(mail: Posted) -> dict[str, dict[str, Any]]:
    """What GET DATA brings, by the names of the files."""
    files = [part for part in mail.message.walk() if part.get_content_type() == "application/json"]
    return {part.get_filename() or "": json.loads(str(part.get_content().decode())) for part in files}


def kinds(mail: Posted) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


def about(mails: list[Posted], what: str, to: str) -> Posted:
    (mail,) = [mail for mail in mails if mail.to == to and what in mail.subject]
    return mail


def results_in_words(variant: Variant, told: dict[str, Any], turn: int) -> str:
    """The part of a mail that tells results, made of nothing but the JSON."""
    (phase,) = told["phases"]
    dated = variant.at(phase["phase"])
    position = position_from_json(dated, phase["position"])
    result = results_of(dated, position, outcome_from_json(dated, phase["outcome"], position))
    return Texts(None).render("_results", result=result, game={"name": "heron"}, turn=turn)


def orders_of_all(variant: Variant, told: dict[str, Any], dice: random.Random) -> str:
    """A letter with random orders of all powers, for the phase that comes next by the JSON of the last one."""
    (phase,) = told["phases"]
    outcome = phase.get("outcome")
    position = position_after(variant, outcome) if outcome else position_from_json(variant, phase["position"])
    dated = variant.at(position.phase)
    bids = random_bids(dated, position, dice) if position.phase[-1] == "M" else {}
    lines = []
    for power, need in needs(dated, position).items():
        lines.append(f"SIGNON {variant.seat_named[power].at('heron')} pw{power.lower().split('-')[0]}")
        lines += [str(order) for order in random_orders(BoardState(dated, position), power, need, dice)]
        lines += [f"DP {bid.points}: {bid.order}" for bid in bids.get(power, ())]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "phases", "of_kinds"), [("standard", 14, "MRA"), ("1648", 6, "MA")])
def test_results_can_be_told_word_for_word_from_the_data(
    desk: DeskAtWork, name: str, phases: int, of_kinds: str
) -> None:
    """Games of random orders, with winters, one with retreats; an observer reads the results."""
    desk.seat_all("heron", name)
    variant, dice = load_variant(name), random.Random(4)
    told = data(desk.observes(WALTER, "OBSERVE heron\nSET DATA ON")[-1])
    assert told and told["you"] == [] and "outcome" not in told["phases"][0]
    seen = set()
    for work in range(1, phases + 1):
        desk.writes("player@example.org", orders_of_all(variant, told, dice))
        mails = desk.writes(KIM, AS_KIM + "PROCESS!")
        for mail in (mail for mail in mails if mail.to == WALTER and "Results" in mail.subject):
            told = data(mail)
            assert told and results_in_words(variant, told, work) in mail.text
            (phase,) = told["phases"]
            seen |= {phase["phase"][-1], *(word for one in phase["outcome"]["orders"] for word in one["results"])}
            assert "bids" not in phase["outcome"] and not [one for one in phase["outcome"]["orders"] if "why" in one]
            due = datetime.fromisoformat(told["deadline"])
            assert f"Orders are due by {due:%a %b %e %Y %H:%M:%S} +0000.".replace("  ", " ") in mail.text
    assert seen >= {*of_kinds, "ok", "bounce"}


def test_it_is_off_until_it_is_asked_for(heron: DeskAtWork) -> None:
    mails = heron.all_mails() + heron.writes(KIM, AS_KIM + "PROCESS!")
    assert [mail for mail in mails if data(mail)] == []
    now = heron.replies(FRANCE, AS_FRANCE + "SET DATA ON")
    assert "The current phase of heron is attached." in now.flat
    told = data(now)
    assert told and told["you"] == ["France"] and told["phases"][0]["phase"] == "F1901M"
    mails = heron.writes(KIM, AS_KIM + "PROCESS!")
    assert [mail.to for mail in mails if data(mail)] == [FRANCE]
    assert data(heron.replies(FRANCE, AS_FRANCE + "SET DATA OFF")) is None
    assert not [mail for mail in heron.writes(KIM, AS_KIM + "PROCESS!") if data(mail)]


def test_the_start_brings_where_the_units_stand(desk: DeskAtWork) -> None:
    desk.writes(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm\nSET DATA ON")
    for power in desk.deal("heron"):
        desk.writes(
            f"{power.lower()}@example.org",
            f"REGISTER\nName: {power}\nEND\nSIGNON ?heron pw{power.lower()}\nSET DATA ON",
        )
    for mail in (mail for mail in desk.all_mails() if "S1901M Game Starting" in mail.subject):
        told = data(mail)
        assert told and told["variant"] == "standard" and told["deadline"]
        power = mail.to.partition("@")[0].title()
        assert told["you"] == ([] if mail.to == KIM else [power])
        (phase,) = told["phases"]
        position = position_from_json(load_variant("standard"), phase["position"])
        for owner, units in position_view(load_variant("standard"), position).units[0].entries:
            assert all(f"{owner}:".ljust(8) + f" {unit}." in mail.text for unit in units)


def test_calendar_data_and_pictures_stand_side_by_side(heron: DeskAtWork) -> None:
    heron.writes(FRANCE, AS_FRANCE + "SET DATA ON\nSET CALENDAR ON")
    mail = about(heron.writes(KIM, AS_KIM + "PROCESS!"), "Results", FRANCE)
    both = ["multipart/alternative", "text/plain", "text/html"]
    assert kinds(mail) == ["multipart/mixed", *both, "text/calendar", "application/json"]
    shown = Posted(FRANCE, illustrated(mail.raw, [PNG]))
    related = ["multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"]
    assert kinds(shown) == ["multipart/mixed", *related, "text/calendar", "application/json"]
    assert data(shown) == data(mail) and shown.text == mail.text
    assert not [defect for part in shown.message.walk() for defect in part.defects]


def test_the_widest_board_fits_into_a_mail(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "intercontinental")
    desk.observes(WALTER, "OBSERVE heron\nSET DATA ON")
    mail = about(desk.writes(KIM, AS_KIM + "PROCESS!"), "Results", WALTER)
    told = data(mail)
    assert told and len(told["phases"][0]["outcome"]["units"]) > 30
    assert len(mail.raw) < 500_000
    with transaction(desk.engine) as session:
        assert mail.raw in [row.raw for row in session.exec(select(Mail).where(Mail.recipient == WALTER))]


@pytest.mark.parametrize(("name", "settings"), [
    ("standard", "SET CENTERS 10\nSET ANYCENTERS"), ("1648", "SET REVEAL BIDS"), ("1900", "SET CANAL Suez 1905"),
    ("intercontinental", "")])  # fmt: skip
def test_the_whole_game_is_read_and_told_again_by_judge_adjudicate(desk: DeskAtWork, name: str, settings: str) -> None:
    desk.seat_all("heron", name, settings)
    desk.writes(KIM, AS_KIM + ("BORDER ADD FLEET BAL - SKA\n" if name == "standard" else ""))
    variant, dice = load_variant(name), random.Random(3)
    told = data(desk.observes(WALTER, "OBSERVE heron\nSET DATA ON")[-1])
    for _ in range(2):
        assert told
        # Of groups this knows only what was drawn, so there all hold.
        orders = orders_of_all(variant, told, dice) if not variant.groups else "STATUS heron"
        desk.writes("player@example.org", orders)
        results = [mail for mail in desk.writes(KIM, AS_KIM + "PROCESS!") if mail.to == WALTER and data(mail)]
        told = data(results[-1])
    (whole,) = games(desk.would_reply(WALTER, "GET DATA heron")).values()
    assert [one["phase"] for one in whole["phases"]][-1] == desk.phase().name and "outcome" not in whole["phases"][-1]
    assert told and told["phases"][0] in whole["phases"] and whole["deadline"] == told["deadline"]
    answered, is_good = answer_line(json.dumps(whole))
    assert is_good
    for line, phase in zip(map(json.loads, answered.splitlines()), whole["phases"][:-1], strict=False):
        for one in line["orders"]:
            one.pop("why", None)
        assert {**line, "bids": 0, "groups": 0, "settings": 0} == {
            **phase["outcome"], "bids": 0, "groups": 0, "settings": 0}  # fmt: skip


def test_of_the_open_phase_readers_get_their_own_orders_and_bids(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "1648")
    desk.writes("spain@example.org", "SIGNON Spain@heron pwspain\nA MAD H\nDP 2: A SWI H")
    desk.writes("france@example.org", "SIGNON France@heron pwfrance\nA PAR H\nDP 1: A SWI H")
    spains = {"orders": {"Spain": ["A MAD H"]}, "bids": {"Spain": [{"points": 2, "order": "A SWI H"}]}}

    def filed(reader: str, text: str = "") -> dict[str, Any]:
        (whole,) = games(desk.would_reply(f"{reader}@example.org", f"{text}GET DATA heron")).values()
        return {key: value for key, value in whole["phases"][-1]["position"].items() if key in ("orders", "bids")}

    assert filed("spain") == filed("spain", "SIGNON Spain@heron pwspain\n") == spains
    masters = filed("kim")
    assert masters["orders"]["Spain"] == ["A MAD H"] and masters["orders"]["France"] and len(masters["bids"]) == 2
    assert filed("al") == {}
    # A person signs on to a seat of another, who gets a copy: without the data.
    mails = desk.would_write("france@example.org", "SIGNON Spain@heron pwspain\nGET DATA heron")
    told = {mail.to: games(mail) for mail in mails if mail.answers}
    assert told.pop("spain@example.org") == {} and len(told) == 1
    desk.writes(KIM, AS_KIM + "PROCESS!")
    (whole,) = games(desk.would_reply("spain@example.org", "GET DATA heron")).values()
    assert {bid["power"] for bid in whole["phases"][0]["outcome"]["bids"]} == {"Spain"}
    assert filed("spain") == {"orders": {"Spain": []}}


def test_the_saved_game_is_loaded_and_replayed_by_the_package(heron: DeskAtWork) -> None:
    export = pytest.importorskip("diplomacy.utils.export", reason="pip install diplomacy, which reads these games")
    for orders in ("A PAR - BUR\nA MAR - LON\nF BRE H", "A BUR - BEL"):
        heron.writes(FRANCE, AS_FRANCE + orders)
        heron.writes(KIM, AS_KIM + "PROCESS!")
    heron.writes(FRANCE, AS_FRANCE + "BUILD A PAR")
    saved = games(heron.would_reply(FRANCE, "GET DATA heron"))["heron-diplomacy.json"]
    game = export.from_saved_game_format(saved)
    assert game.get_current_phase() == "W1901A" and export.is_valid_saved_game(saved)
    assert saved["phases"][-1]["orders"]["FRANCE"] == game.get_orders("FRANCE") == ["A PAR B"]
    assert saved["phases"][0]["orders"]["FRANCE"] == ["A PAR - BUR", "F BRE H"]
    heron.writes(KIM, AS_KIM + "TERMINATE heron")
    ended = games(heron.would_reply(WALTER, "GET DATA heron"))["heron-diplomacy.json"]
    assert export.from_saved_game_format(ended).is_game_done and export.is_valid_saved_game(ended)
    assert set(ended["phases"][-1]["orders"].values()) == {None}


def test_data_of_a_game_that_forms_and_one_on_another_board(heron: DeskAtWork) -> None:
    heron.writes(KIM, "CREATE ?gull gm")
    told = games(heron.would_reply(FRANCE, "GET DATA gull"))
    assert [one["phase"] for one in told["gull.json"]["phases"]] == ["S1901M"] and told["gull.json"]["deadline"] is None
    assert len(told["gull-diplomacy.json"]["phases"]) == 1
    # The package does not know corrections of the board.
    heron.writes(KIM, AS_KIM + "BORDER REMOVE ARMY PAR - BUR")
    assert [*games(heron.would_reply(FRANCE, "GET DATA heron"))] == ["heron.json"]
    heron.expects(FRANCE, "", {
        "GET DATA heron\nGET DATA gull": ["GET DATA gull was refused", "room for the data of one game"],
        "GET DATA nix": "There is no game \"nix\" here",
    })  # fmt: skip
