"""A master who plays too, where points are bid in secret: no order of the open phase is theirs to see, and no bid until
the game has ended.
"""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted

KIM = "kim@example.org"
BLIND = (
    "You are the master of this game and also play in it, so you can't see others' orders for the current phase. You "
    "can see others' bids after the game."
)
BOARDS = {"1648": "A SWI H", "intercontinental": "F DUBL H"}


class Swan(DeskAtWork):
    """`order`: one that can be bid for; `powers`: who plays what."""

    order: str
    powers: dict[str, str]


@pytest.fixture
def desk(tmp_path: Path) -> Swan:
    return Swan(tmp_path, "", {"JUDGE_GAMES_EARLY_DELAY": "600"})


@pytest.fixture(params=BOARDS)
def swan(request, desk: Swan) -> Swan:
    """Kim is the master, and plays with Wren and Lark; Wren has bid."""
    desk.order = BOARDS[request.param]

    def join() -> None:
        desk.writes(KIM, f"REGISTER\nName: Kim Doe\nEND\nCREATE ?swan gm {request.param}")
        for name in ("kim", "wren", "lark"):
            desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()} Doe\nEND\nSIGNON ?swan pw{name}")

    desk.goes_on(("the master plays", request.param), join)
    desk.powers = dict(zip(("kim", "wren", "lark"), desk.deal("swan"), strict=False))
    return desk


@pytest.fixture
def bid(swan: Swan) -> Swan:
    def wren_bids() -> None:
        swan.writes(KIM, "SIGNON Mswan gm\nFORCE BEGIN")
        assert "DP 2: " in says(swan, "wren", f"DP 2: {swan.order}", "DP NONE").text
        swan.new_mails()

    swan.goes_on("Wren bids", wren_bids)
    return swan


def says(desk: Swan, who: str, *lines: str) -> Posted:
    return desk.replies(f"{who}@example.org", f"SIGNON {desk.powers[who]}@swan pw{who}\n" + "\n".join(lines))


def master_says(desk: Swan, *lines: str) -> list[Posted]:
    return desk.writes(KIM, "SIGNON Mswan gm\n" + "\n".join(lines))


def test_who_creates_and_joins_is_told(desk):
    created = desk.replies(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?swan gm 1648")
    assert "Everyone can then see that you play, and you can't see others' orders and bids" in created.flat
    assert BLIND in desk.replies(KIM, "SIGNON ?swan pwkim").flat
    desk.writes("wren@example.org", "REGISTER\nName: Wren Doe\nEND")
    assert BLIND not in desk.replies("wren@example.org", "SIGNON ?swan pwwren").flat


def test_the_start_mails_and_list_say_so(swan):
    assert "the master is also a player" in swan.replies("otto@example.org", "LIST").flat
    mails = [mail for mail in swan.writes(KIM, "SIGNON Mswan gm\nFORCE BEGIN") if "Game Starting" in mail.subject]
    for mail in mails:
        others = "The master of this game is also a player, so orders and bids for the current phase are hidden"
        said = BLIND if mail.to == KIM else others
        assert said in mail.flat
    assert "the master is also a player" in swan.replies("otto@example.org", "LIST swan").flat


def test_a_master_who_does_not_play_is_not_said_to(desk):
    desk.seat_all("swan", "1648")
    assert not [mail for mail in desk.new_mails() if "plays in it too" in mail.flat or BLIND in mail.flat]
    assert "also a player" not in desk.replies("otto@example.org", "LIST\nLIST swan").text


REFUSED = "You also play in this game, so PREDICT is refused: it would show you what others have ordered"


def test_a_prediction_is_refused_and_the_reason_told(bid):
    (mail,) = master_says(bid, "PREDICT")
    assert REFUSED in mail.flat
    assert "(only you, the master, see these)" not in mail.text


def test_bids_of_others_stand_whatever_a_master_who_plays_writes(bid):
    mails = master_says(bid, f"BECOME {bid.powers['wren']}", f"DP 1: {bid.order}", "DP CLEAR")
    assert "You also play in this game, so you cannot bid for others." in mails[0].flat
    assert "DP 2: " in says(bid, "wren", "STATUS").text
    own = master_says(bid, f"BECOME {bid.powers['kim']}", f"DP 1: {bid.order}")
    assert "DP: 1 of" in next(mail.text for mail in own if mail.to == KIM), "their own power's bids are theirs"


def test_who_bid_is_told_to_the_master_when_the_game_is_over_and_a_rollback_wants_new_bids(bid):
    results = [mail for mail in master_says(bid, "PROCESS!") if "Results" in mail.subject and mail.to == KIM]
    assert "(only you, the master, see these)" not in results[0].text
    told = [mail for mail in master_says(bid, "ROLLBACK") if mail.to == "wren@example.org"]
    assert "because others in the game may know them: players need to bid again." in told[0].flat
    assert "DP: 0 of" in says(bid, "wren", "STATUS").text


def test_a_master_who_takes_a_power_over_is_told(desk):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?swan gm 1648")
    desk.writes("wren@example.org", "REGISTER\nName: Wren Doe\nEND\nSIGNON ?swan pwwren")
    desk.writes(KIM, "SIGNON Mswan gm\nFORCE BEGIN")
    open_power = desk.deal("swan")[1]
    assert BLIND in desk.replies(KIM, f"SIGNON {open_power}@swan pwkim").flat
    assert REFUSED in desk.replies(KIM, "SIGNON Mswan gm\nPREDICT").flat


@pytest.fixture
def vacant(desk: Swan) -> Swan:
    """Kim is the master and does not play; Wren and Lark do, and Kim can sign on to the power that is left."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?swan gm 1648")
    for name in ("wren", "lark"):
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name.title()} Doe\nEND\nSIGNON ?swan pw{name}")
    desk.powers = dict(zip(("wren", "lark", "kim"), desk.deal("swan"), strict=False))
    desk.writes(KIM, "SIGNON Mswan gm\nFORCE BEGIN")
    return desk


SAW = "could see others' orders for S1649M, so you cannot start to play"


def test_a_master_who_could_see_the_bids_takes_no_power_over_in_that_phase(vacant):
    says(vacant, "wren", "DP 2: A SWI H")
    assert "Switzerland: 2 for" in master_says(vacant, "PREDICT")[0].flat
    assert SAW in says(vacant, "kim").flat
    says(vacant, "wren", "DP CLEAR")
    assert "you now play" in says(vacant, "kim").flat, "nobody has bid"


def test_a_master_who_lost_a_power_and_saw_the_bids_does_not_come_back_to_it_in_that_phase(vacant):
    says(vacant, "kim", "SET NOWAIT")
    master_says(vacant, "SET NONMR", "SET NO REMIND")
    vacant.ring(vacant.now + timedelta(days=40))
    says(vacant, "wren", "DP 2: A SWI H")
    assert SAW in says(vacant, "kim").flat


def test_nothing_a_master_who_plays_can_ask_tells_of_a_bid(bid):
    wren, order = bid.powers["wren"], bid.order
    province = order.split()[1]
    seen = []
    for lines in (
        ["PREDICT"],
        ["LIST", "STATUS", "WHOGAME", "HISTORY", "SUMMARY", "LIST swan FULL", "MAP", "GET points"],
        [f"BECOME {wren}", "STATUS", "SET NOWAIT"],
        [f"BECOME {wren}", f"DP 1: {order}", "DP CLEAR", "DP NONE", f"2: {order}"],
        [f"BECOME {wren}", "PHASE F1649M", f"DP 1: {order}"],
        [f"CORRECT POSITION Nobody: {province}"],
        [f"CORRECT POSITION Nobody: {order.rpartition(' ')[0]}"],
        ["ROLLBACK"],
    ):
        seen += [mail for mail in master_says(bid, *lines) if mail.to == KIM]
    for mail in seen:
        bids = [line for line in mail.text.splitlines() if re.match(r"(\S+: )?DP( \d)?:", line)]
        assert not bids and "(won)" not in mail.text, mail.text
        assert f"order of {wren}" not in mail.text and f"orders of {wren} no longer" not in mail.text
