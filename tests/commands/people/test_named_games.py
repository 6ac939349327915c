"""A command that cannot be undone and names another game than the sign-on does nothing, in whatever state they are."""

from tests.commands.deskatwork import DeskAtWork

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
            heron.replies("france@example.org", f"SIGNON Fheron pwfrance\n{command} {who}@example.net").text
            for who in ("watcher", "nobody")
        )
        assert watcher.replace("watcher", "nobody") == nobody
