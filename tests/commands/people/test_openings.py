"""Sign-ons as njudge and DPjudge have them: HELLO, JOIN, TAKEOVER, RESIGN, SIGNON ?, a variant behind the password."""

import pytest

from judge.store.engine import transaction
from judge.store.games import game_named
from judge.store.seats import seats_of
from tests.commands.deskatwork import DeskAtWork
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
