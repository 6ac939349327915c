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
from tests.texts import listed

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


def test_ways_to_join(forming: DeskAtWork):
    lines = listed("""
        SIGNON ?heron hush Standard
        SIGNON ?heron hush standard diplomacy
        SIGNON ? hush
        SIGNON ? heron hush
        HELLO ?heron hush
        hello ?heron hush
        HELLO ? hush
        JOIN heron hush
        Join heron hush
        JOIN ?heron hush
        SIGNON ?wren hush 1648 Gunboat""")
    for line in lines:
        game = "wren" if "wren" in line else "heron"
        reply = forming.would_reply(JO, f"{line}\nSIGNON ?{game} hush")
        assert reply.first_line.startswith(f"You are in {game}."), line
        assert f"You are already in {game}." in reply.flat, line


def test_another_variant_than_the_games_is_not_joined(forming: DeskAtWork):
    for words in ("Gunboat", "Standard Gunboat", "1648", "Chaos", "Blind"):
        told = forming.would_reply(JO, f"SIGNON ?heron hush {words}").flat
        assert f"heron is Standard Diplomacy, not {words}, so you have not joined it." in told
        assert "send SIGNON ?heron <password> standard." in told and "hush" not in told
    hidden = forming.replies(JO, "SIGNON ?wren hush 1648")
    assert "SIGNON ?wren <password> 1648 Gunboat" in hidden.flat


def test_create_gunboat_makes_its_creator_master(forming: DeskAtWork):
    with transaction(forming.engine) as session:
        game = game_named(session, "wren")
        assert game and game.settings["gunboat"] and [seat.role for seat in seats_of(session, game)] == ["master"]


def test_join_as_a_power_notes_the_wish(forming: DeskAtWork):
    assert "preference saved: France, then any other." in forming.replies(JO, "JOIN france@heron hush").text


def test_a_greeting_is_no_signon(forming: DeskAtWork):
    reply = forming.replies(JO, "Hello dear judge\njoin us please\nLIST")
    assert reply.first_line == "2 games on this judge."


def test_hello_signs_on_and_takes_orders(heron: DeskAtWork):
    assert "Army Paris -> Burgundy" in heron.replies("france@example.org", "HELLO Fheron pwfrance\nA PAR - BUR").text


def test_hello_in_capitals_opens_a_second_block(heron: DeskAtWork):
    letter = "SIGNON Fheron pwfrance\nF BRE - MAO\nHELLO Eheron pwengland\nF LON - NTH"
    reply = heron.replies("france@example.org", letter)
    assert "England: Fleet London -> North Sea." in reply.text


def test_such_words_in_a_message_are_its_text(heron: DeskAtWork):
    letter = "SIGNON Fheron pwfrance\nPRESS TO E\nJOIN FRANCE TODAY\njoin heron soon\nENDPRESS\nA PAR - BUR"
    mails = heron.writes("france@example.org", letter)
    (press,) = [mail for mail in mails if mail.to == "england@example.org"]
    assert "JOIN FRANCE" in press.text and "join heron" in press.text
    assert "Army Paris -> Burgundy" in mails[-1].text


def test_resign_leaves_after_the_orders(heron: DeskAtWork):
    reply = heron.replies("france@example.org", "RESIGN Fheron pwfrance\nA PAR - BUR")
    assert "You have left heron." in reply.text
    reply = heron.replies("kim@example.org", "SIGNON Mheron gm\nBECOME MASTER\nLIST")
    assert "France:  3/3   open" in reply.text


def test_resign_does_nothing_if_a_line_is_refused(heron: DeskAtWork):
    reply = heron.replies("france@example.org", "RESIGN Fheron pwfrance\nA PAR - MOS")
    assert reply.first_line.startswith("You have not left heron, because something after RESIGN was rejected.")
    assert "Wrong password for France in heron" in heron.replies(JO, "RESIGN Fheron wrong").text


def test_takeover_of_an_open_seat_and_where_to_write_it(heron: DeskAtWork):
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nRESIGN heron")
    heron.writes(JO, "REGISTER\nName: Jo\nEND")
    reply = heron.replies(JO, "SIGNON ?heron hush")
    assert "No one plays France: write SIGNON Fheron <password> for France." in reply.flat
    assert "you now play France in heron" in heron.replies(JO, "TAKEOVER Fheron hush").text


def test_monitor_observes(heron: DeskAtWork):
    assert heron.observes(JO, "MONITOR jo@heron")[-1].first_line.startswith("You are now observing heron")


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


def test_a_game_that_forms(desk: DeskAtWork):
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm\nCREATE ?egret gm")
    desk.writes(FAY, "REGISTER\nName: Fay\nEND\nSIGNON ?heron pw\nSIGNON ?egret pw")
    assert "Nothing has changed: you are signed on to" in desk.replies(KIM, "SIGNON Mheron gm\nTERMINATE egret").text
    assert "Nothing has changed: you are signed on to" in desk.replies(FAY, "SIGNON ?heron pw\nRESIGN egret").text
    assert "You have left " in desk.replies(FAY, "SIGNON ?heron pw\nRESIGN heron").text
    assert "heron has been terminated." in desk.replies(KIM, "SIGNON Mheron gm\nTERMINATE").text


def test_a_game_that_is_played(heron: DeskAtWork):
    heron.writes(KIM, "CREATE ?egret gm")
    refused = heron.would_reply("france@example.org", "SIGNON Fheron pwfrance\nRESIGN egret").text
    told = "Nothing has changed: you are signed on to heron, not egret. For heron, write RESIGN heron"
    assert told in " ".join(refused.split())
    for line in ("RESIGN", "RESIGN Fheron", "RESIGN crane"):
        assert "name the game" in heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{line}").text


def test_no_player_learns_by_a_refusal_whether_an_address_observes(heron: DeskAtWork):
    heron.writes(KIM, "SIGNON Mheron gm\nSET UNMODERATED")
    heron.observes("watcher@example.net", "OBSERVE heron")
    for command in ("EJECT", "PROMOTE"):
        watcher, nobody = (
            heron.would_reply("france@example.org", f"SIGNON Fheron pwfrance\n{command} {who}@example.net").text
            for who in ("watcher", "nobody")
        )
        assert watcher.replace("watcher", "nobody") == nobody


def test_signoff_may_end_the_line_of_a_sign_on(forming: DeskAtWork):
    for line in ("SIGNON ?heron hush SIGNOFF", "SIGNON ?heron hush standard signoff", "JOIN heron hush SIGN OFF",
                 "SIGNON ? hush SIGNOFF."):  # fmt: skip
        reply = forming.would_reply(JO, f"{line}\nSET COMMENT x").flat
        assert "You are in heron." in reply and "so it was not read" in reply, reply
    assert "nest has been created" in forming.would_reply(JO, "CREATE ?nest hush SIGNOFF").flat
    assert "nest has been created" in forming.would_reply(JO, "CREATE ?nest hush SIGN-OFF\nFROB").flat
