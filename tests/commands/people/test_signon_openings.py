"""Sign-ons of other judges and as people write them, and commands that name another game than the sign-on."""

import pytest
from sqlmodel import Session, col, select

from judge.commands.handler import fingerprint_of
from judge.store import inbox
from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.seats import seats_of
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork, Received

JO = "jo@example.org"


@pytest.fixture
def forming(desk: DeskAtWork) -> DeskAtWork:
    """Two games that form: heron (standard), and after it wren (1648, gunboat); Jo is registered."""

    def begin() -> None:
        desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm\nCREATE ?wren gm 1648 Gunboat")
        desk.writes(JO, "REGISTER\nName: Jo\nEND")

    desk.goes_on("two games form", begin)
    desk.new_mails()
    return desk


def test_create_gunboat_makes_its_creator_master(forming: DeskAtWork):
    with transaction(forming.engine) as session:
        game = game_named(session, "wren")
        assert game and game.settings["gunboat"] and [seat.role for seat in seats_of(session, game)] == ["master"]


FRANCE = "france@example.org"
UNDERSTOOD = [
    "Sign-on Fheron {}", "Sign on Fheron {}", "Sign on: Fheron {}", "SIGN-ON: Fheron {}", "SIGN_ON Fheron {}",
    "Logon Fheron {}", "LOGON: Fheron {}", "Log on Fheron {}", "log-on Fheron {}", "Log in Fheron {}",
    "log-in: Fheron {}", "Sign in Fheron {}", "signin Fheron {}", "Signing on: Fheron {}", "SIGNON=Fheron {}",
    "Signon-Fheron {}", "SIGNON:Fheron {}", "Hi judge, sign-on Fheron {}", "Please log on Fheron {}",
    "SIGNON: F heron / {}", "SIGNON F heron {}", "SIGN ON F heron {}", "Logon F heron | {}", "SIGNON F / heron / {}",
    "SIGNON Fheron / {}", "SIGNON Fheron | {}", "SIGNON Fheron - {}", "SIGNON Fheron = {}", "SIGNON F-heron {}",
    "SIGNON Fheron, {}", "SIGNON F, heron, {}", "SIGNON F.heron {}", "SIGNON heron / France / {}",
    "Sign on to Fheron {}", "Sign on as France in heron with password {}", "SIGNON to heron as France, password {}",
    "SIGNON\nFheron, {}", "Logon:\nF heron / {}", "Sign-on Fheron {} A MAR H", "**Sign-on** Fheron {}",
    "TAKEOVER heron France {}", "TAKEOVER France heron {}", "TAKE OVER heron F {}", "JOIN heron France {}",
    "HELLO heron France {}",
]  # fmt: skip
TOLD = [
    "SIGNON Fheron/{}", "Logon Fherron {}", "SIGN-ON Fherron {}", "SIGNON Fheron\n{}", "SINGON Fheron {}",
    "takeover heron France {}", "> Sign-on Fheron {}", "My line was: sign-on Fheron {}",
]  # fmt: skip
PROSE = [
    "I will sign on Friday night", "Sign on Friday night, please", "Sign on the dotted line", "Log on tomorrow and see",
    "Sign in to our site",
]  # fmt: skip


def answered(desk: DeskAtWork, text: str, number: int = 1000) -> tuple[str, str]:
    """The reply to a letter of France's, and the letter as it is kept."""

    def handled(session: Session) -> tuple[str, str]:
        raw = desk._letter(FRANCE, text, number)
        inbox.keep(session, [Received(raw, desk.now, number)], fingerprint_of, now=desk.now)
        for row in inbox.in_turn(session):
            desk.desk.handle(session, row, desk.now)
            desk.desk.forget(row.id)
        session.expire_all()
        newest = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
        assert newest
        (reply,) = [mail.text for mail in desk._newer(session.connection()) if mail.to == FRANCE and mail.answers]
        return reply, newest.raw.decode()

    return desk.undone(handled)


def test_a_sign_on_in_other_words_is_understood(heron: DeskAtWork):
    for line in UNDERSTOOD:
        reply, kept = answered(heron, f"{line.format('pwfrance')}\nA PAR - BUR\n")
        assert "Army Paris -> Burgundy" in reply, line
        assert "pwfrance" not in reply and "pwfrance" not in kept and "****" in kept, line


def test_one_that_cannot_be_read_is_told(heron: DeskAtWork):
    for line in TOLD:
        reply, kept = answered(heron, f"{line.format('pwfrance')}\nA PAR - BUR\n")
        assert "was refused" in reply or "no SIGNON line" in reply, line
        assert "pwfrance" not in reply and "pwfrance" not in kept, line


def test_prose_stays_prose(heron: DeskAtWork):
    prose = "\n".join(PROSE)
    reply, kept = answered(heron, f"{prose}\nSIGNON Fheron pwfrance\nA PAR - BUR\n{prose}\nA MAR H\n")
    assert "Army Paris -> Burgundy" in reply and "Army Marseilles HOLD" in reply
    assert "was refused" not in reply and kept.count(prose) == 2


def test_a_player_resigns_with_the_game_before_the_power(heron: DeskAtWork):
    for line in ("RESIGN heron France {}", "RESIGN heron F {}", "WITHDRAW heron France {}"):
        reply, kept = answered(heron, line.format("pwfrance"))
        assert "You have left heron." in reply
        assert "pwfrance" not in reply and "pwfrance" not in kept


def test_orders_below_a_second_sign_on_in_other_words_are_not_for_the_first_game(heron: DeskAtWork):
    reply, kept = answered(heron, "SIGNON Fheron pwfrance\nA PAR - BUR\nLogon Tegret hush\nA MAR H\n")
    assert "Army Marseilles HOLD" not in reply and "hush" not in reply and "hush" not in kept


KIM, FAY = "kim@example.org", "fay@example.org"


def test_no_player_learns_by_a_refusal_whether_an_address_observes(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nSET UNMODERATED")
    heron.observes("watcher@example.net", "OBSERVE heron")
    for command in ("EJECT", "PROMOTE"):
        watcher, nobody = (
            heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{command} {who}@example.net").text
            for who in ("watcher", "nobody")
        )
        assert watcher.replace("watcher", "nobody") == nobody


def test_replace_is_told_how_to_take_over(heron: DeskAtWork) -> None:
    for line in ("REPLACE Fheron hush77", "REPLACE France in heron hush77"):
        (reply,) = heron.would_write("new@example.net", line)
        assert "SIGNON Fheron <password> takes over an open power" in reply.flat and "hush77" not in reply.flat, line
