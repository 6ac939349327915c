"""Letters that our own mail server found forged, with the right password: what they may do, and who is warned."""

from datetime import timedelta

import pytest

from judge.commands.command_table import COMMANDS
from judge.commands.core.command import Who
from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.seats import seats_of
from tests.commands.deskatwork import DeskAtWork, Posted

FORGED = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
REFUSED = "did not come from your address. Send it from your own mail account."
WARNING = "Your mail provider reports that this email is not from your address."
MASTER, FRANCE = "kim@example.org", "france@example.org"


@pytest.fixture
def heron(tmp_path) -> DeskAtWork:
    """A judge whose mail server checks who wrote a letter."""
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    desk.seat_seven()
    desk.new_mails()
    return desk


def forged(desk: DeskAtWork, sender: str, text: str) -> list[Posted]:
    return desk.writes(sender, text, headers=FORGED)


def state(desk: DeskAtWork) -> object:
    """What of the game a letter could change for good."""
    with transaction(desk.engine) as session:
        game = game_named(session, "heron")
        assert game
        seats = [(seat.role, seat.power, seat.address, seat.password, seat.left_at) for seat in seats_of(session, game)]
        return game.state, game.settings, seats


PLAYERS = "SET PASSWORD sesame\nSET ADDRESS\nRESIGN\nSET DRAW\nSET CONCEDE Russia"
MASTERS = """SET PASSWORD sesame
TERMINATE
EJECT France
PROMOTE wren@example.org
PROCESS!
UNSTART
SET DEADLINE Tue 21:00
SET DISORDER France
ROLLBACK
BECOME France
SET NO GUNBOAT
CORRECT POSITION Nobody: A PAR
CORRECT ORDERS France: A PAR H
BORDER REMOVE ARMY PAR - BUR
RESUME
APPROVE wren@example.org
REFUSE wren@example.org"""


@pytest.mark.parametrize(
    ("who", "signon", "lines"), [(FRANCE, "SIGNON Fheron pwfrance", PLAYERS), (MASTER, "SIGNON Mheron gm", MASTERS)]
)
def test_what_lasts_is_not_done_for_a_forged_letter(heron, who, signon, lines):
    before = state(heron)
    mails = forged(heron, who, f"{signon}\n{lines}")
    assert [mail.to for mail in mails] == [who]
    told, number = mails[0].flat, lines.count("\n") + 1
    # A reply has ten remarks.
    assert f"{number} lines refused" in told and told.count(REFUSED) == min(number, 10)
    assert mails[0].first_line == WARNING
    assert state(heron) == before


def test_every_command_of_a_master_that_may_be_done_can_be_taken_back():
    reversible = {
        "PREDICT", "SET GRACE", "SET START", "SET NO START", "PAUSE", "SET MOVE", "SET NMR", "SET NONMR",
        "SET STRICTGRACE",
        "SET NO STRICTGRACE", "SET REMIND", "SET NO REMIND", "SET MAXABSENCE", "SET RETREAT", "SET ADJUST", "SET",
        "SET GAME ZONE", "SET CENTERS", "SET COMMENT", "SET COMMENT BEGIN", "SET NO COMMENT",
        "COAST", "SET READING", "SET NO READING", "SET GROUP", "SET CANAL", "SET YEAR CAP", "SET NO YEAR CAP",
        "SET NO DISORDER", "SET EXTENSIONS", "SET RELIABILITY",
    }  # fmt: skip
    of_masters = [command for command in COMMANDS if command.who & Who.MASTER and not command.who & Who.PLAYER]
    assert {command.names[0] for command in of_masters if not command.lasting} == reversible


@pytest.mark.parametrize(
    ("board", "before", "line", "back"),
    [
        ("standard", "", "COAST JOIN STP", "COAST SPLIT STP: SC bot, fin, lvn; NC bar, nwy"),
        ("standard", "", "COAST SPLIT BRE: NC eng, pic; SC gas, mao", "COAST JOIN BRE"),
        ("standard", "COAST SPLIT BRE: NC eng, pic; SC gas, mao", "COAST JOIN BRE",
         "COAST SPLIT BRE: NC eng, pic; SC gas, mao"),
        ("1900", "", "SET READING convoys", "SET NO READING convoys"),
        ("1900", "SET READING convoys", "SET NO READING convoys", "SET READING convoys"),
    ],
)  # fmt: skip
def test_a_board_that_a_forged_letter_has_changed_is_set_back(heron, board: str, before: str, line: str, back: str):
    def settings() -> object:
        with transaction(heron.engine) as session:
            game = game_named(session, "egret")
            assert game
            return game.settings

    heron.writes(MASTER, f"CREATE ?egret gm {board}\n{before}")
    own = settings()
    reply = heron.replies(MASTER, f"SIGNON Megret gm\n{line}", headers=FORGED)
    assert reply.first_line == WARNING and settings() != own
    heron.writes(MASTER, f"SIGNON Megret gm\n{back}")
    assert settings() == own


def test_nobody_comes_back_to_a_lost_seat_by_a_forged_letter(heron):
    heron.writes(MASTER, "SIGNON Mheron gm\nSET NONMR\nSET NO REMIND")
    heron.ring(heron.now + timedelta(days=20))
    before = state(heron)
    (reply,) = forged(heron, FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert REFUSED in reply.flat
    assert state(heron) == before
    assert "you play France in heron again" in heron.replies(FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR").text


def test_orders_with_the_right_password_count_and_the_owner_is_warned(heron):
    (reply,) = forged(heron, FRANCE, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert "France: Army Paris -> Burgundy." in reply.text
    assert reply.first_line == WARNING


def test_the_owner_elsewhere_is_warned_too(heron):
    mails = forged(heron, "wren@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nRESIGN")
    assert sorted(mail.to for mail in mails) == [FRANCE, "wren@example.org"]
    owner = next(mail for mail in mails if mail.to == FRANCE)
    assert owner.first_line == "A mail provider reports that this email is not from wren@example.org."


def test_the_owner_in_a_gunboat_game_is_warned_without_the_sender(heron):
    heron.writes(MASTER, "CREATE ?egret gm\nSET GUNBOAT")
    for power in heron.deal("egret"):
        heron.writes(f"{power.lower()}@example.org", f"SIGNON ?egret pw{power}")
    heron.new_mails()
    mails = forged(heron, "wren@example.org", "SIGNON Fegret pwFrance\nA PAR - BUR")
    owner = next(mail for mail in mails if mail.to == FRANCE)
    assert owner.first_line == "A mail provider reports that this email is not from the address it claims."
    assert "wren" not in owner.text


def test_a_letter_that_is_no_forgery_warns_nobody(heron):
    good = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}
    reply = heron.replies(FRANCE, "SIGNON Fheron pwfrance\nSET PASSWORD sesame", headers=good)
    assert "provider reports" not in reply.text and "your password for this game has been changed" in reply.text
    assert "provider reports" not in heron.replies("wren@example.org", "SIGNON Fheron sesame\nA PAR H").text


def test_a_token_and_another_address_need_a_letter_that_is_no_forgery(heron):
    (token,) = [mail for mail in heron.writes(FRANCE, "FORGOT heron") if "Is this you?" in mail.subject]
    word = next(line.split()[1] for line in token.text.splitlines() if line.strip().startswith("CONFIRM"))
    assert REFUSED in forged(heron, FRANCE, f"CONFIRM {word}")[0].flat
    heron.now += timedelta(minutes=1)
    assert "You have a new password" in heron.replies(FRANCE, f"CONFIRM {word}").text
    heron.writes("lark@example.org", "REGISTER\nName: Lark\nEND")
    assert REFUSED in forged(heron, "lark@example.org", f"I AM ALSO {FRANCE}")[0].flat
