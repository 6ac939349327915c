"""`judge games`: the keeper stands in for a master who is gone, through the handlers of the desk, on both databases."""

import io
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.shell import upkeep
from judge.shell.calling import carry_out
from judge.shell.cli import main
from judge.store.engine import migrate, open_engine, reading, transaction
from judge.store.locks import take_turn
from judge.store.tables import Event, LetterRow
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.rows import game_named, open_phase
from tests.store.conftest import BOTH
from tests.texts import table

FAY = "france@example.org"


@pytest.fixture(params=BOTH)
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> DeskAtWork:
    """A judge with a game called heron, on either database."""
    url = str(request.getfixturevalue("postgres_url")) if request.param == "postgres" else ""
    desk = DeskAtWork(tmp_path, url, {})
    desk.seat_seven()
    desk.new_mails()
    return desk


def does(desk: DeskAtWork, lines: list[str]) -> int:
    """`judge games do heron`, a minute later; the exit status."""
    desk.now += timedelta(minutes=1)
    return desk.keeper_runs(upkeep.do, "heron", lines)


def appoints(desk: DeskAtWork, address: str) -> int:
    return desk.keeper_runs(upkeep.appoint, "heron", address)


def test_everybody_is_told_what_the_keeper_has_done(desk: DeskAtWork, capsys: pytest.CaptureFixture[str]):
    desk.writes(FAY, "SIGNON Fheron pwfrance\nA PAR - BUR")
    assert does(desk, ["PROCESS! S1901M", "SET COMMENT Slowly"]) == 0
    assert "S1901M of heron has been processed" in capsys.readouterr().out
    mails = desk.new_mails()
    assert len([mail for mail in mails if mail.subject == "JUDG:heron - S1901M Results"]) == 8
    told = [mail for mail in mails if mail.subject == "JUDG:heron - The Keeper Stands In"]
    assert len(told) == 8
    assert "has acted for the master of heron: PROCESS, SET COMMENT." in " ".join(told[0].text.split())
    with reading(desk.engine) as session:
        (event,) = session.exec(select(Event).where(Event.kind == "keeper")).all()
        asked = session.get_one(LetterRow, event.letter_id)
    assert event.text == "PROCESS, SET COMMENT"
    assert asked.state == "done" and b"PROCESS! S1901M" in asked.raw and asked.sender == "keeper@example.org"


def test_corrections_and_deadlines_name_the_keeper(desk: DeskAtWork):
    assert does(desk, ["SET DEADLINE 2026-05-20 21:00", "CORRECT POSITION France: BEL"]) == 0
    text = "\n".join(mail.text for mail in desk.new_mails() if mail.to == FAY)
    assert "The keeper of this judge has moved the deadline" in " ".join(text.split())
    assert "The keeper of this judge has corrected the position" in " ".join(text.split())


def test_lines_from_standard_input(desk: DeskAtWork, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("CORRECT POSITION\nFrance: A PAR - PIC\nNobody: F BRE\nEND\n"))
    assert does(desk, []) == 0
    with reading(desk.engine) as session:
        game = game_named(session, "heron")
        assert game and open_phase(session, game).position["units"]["France"] == ["A MAR", "A PIC"]


@pytest.mark.parametrize(
    ("line", "why"),
    table("""
        PROCESS! S1905M         => The open phase of heron is S1901M, not S1905M
        SET PASSWORD sesame    => The keeper has no place in the game
        SET WAIT               => The keeper has no place in the game
        RESIGN                 => The keeper has no place in the game
        A PAR - BUR            => Only players can give orders
        what is this           => That is not a command
        SIGNON Fheron pwfrance => there is another SIGNON in these lines"""),
)
def test_what_is_refused_ends_with_status_1(desk: DeskAtWork, capsys: pytest.CaptureFixture[str], line: str, why: str):
    assert does(desk, [line]) == 1
    said = capsys.readouterr()
    assert why in " ".join((said.out + said.err).split())
    assert desk.new_mails() == []


def test_as_a_power_whose_player_gets_a_copy_and_all_others_hear_of_it(desk: DeskAtWork):
    assert does(desk, ["BECOME France", "A PAR - BUR", "SET PASSWORD sesame"]) == 1, "the password is the player's own"
    mails = desk.new_mails()
    assert "Army Paris -> Burgundy." in _of(mails, FAY, "Re: From the keeper").text
    told = " ".join(_of(mails, "italy@example.org", "Orders").text.split())
    assert "The keeper of this judge has changed orders of" in told
    assert "Burgundy" not in "".join(mail.text for mail in mails if mail.to != FAY)
    with reading(desk.engine) as session:
        assert not [row.id for row in session.exec(select(LetterRow)) if b"sesame" in row.raw]
    assert "Army Paris -> Burgundy." in desk.replies(FAY, "SIGNON Fheron pwfrance\nSTATUS").text


def test_press_of_the_keeper_reaches_everybody_and_is_kept(desk: DeskAtWork, capsys: pytest.CaptureFixture[str]):
    """The keeper has no seat that it could be kept under."""
    assert does(desk, ["BROADCAST", "The judge moves tonight.", "ENDBROADCAST", "PRESS TO F", "Write to me."]) == 0
    assert "sent to" in capsys.readouterr().out
    mails = desk.new_mails()
    sent = [mail for mail in mails if "Broadcast from the keeper of this judge" in mail.subject]
    assert len(sent) == 8 and all("The judge moves tonight." in mail.text for mail in sent)
    assert "Write to me." in _of(mails, FAY, "Press from the keeper of this judge to F").text
    read_again = "\n".join(mail.text for mail in desk.writes(FAY, "HISTORY heron FROM S1901M BROAD"))
    assert "Broadcast from the keeper of this judge:" in read_again and "Write to me." in read_again
    told_italy = "\n".join(mail.text for mail in desk.writes("italy@example.org", "HISTORY heron FROM S1901M BROAD"))
    assert "The judge moves tonight." in told_italy and "Write to me." not in told_italy


def test_the_master_is_gone_and_another_is_appointed(desk: DeskAtWork, capsys: pytest.CaptureFixture[str]):
    assert does(desk, ["EJECT kim@example.org"]) == 0
    assert carry_out(upkeep.list_games, desk.settings) == 0
    assert "NO MASTER" in capsys.readouterr().out
    assert appoints(desk, "ada@example.org") == 1
    assert "No one is registered at ada@example.org" in capsys.readouterr().err
    desk.writes("ada@example.org", "REGISTER\nName: Ada Byron\nEND")
    assert appoints(desk, "Ada@example.org") == 0
    mails = desk.new_mails()
    word = _of(mails, "ada@example.org", "You are a master").text.partition("SIGNON Mheron ")[2].split()[0]
    assert word not in capsys.readouterr().out
    assert "The keeper of this judge has made Ada Byron a master" in _of(mails, FAY, "Promotion of").text
    upkeep.list_games(desk.settings)
    assert "master Ada Byron <ada@example.org>" in capsys.readouterr().out
    assert appoints(desk, "ada@example.org") == 1


def test_a_look_tells_nobody_but_the_log(desk: DeskAtWork, capsys: pytest.CaptureFixture[str]):
    assert desk.keeper_runs(upkeep.show_game, "heron") == 0
    shown = capsys.readouterr().out
    assert "waited for" in shown and "france@example.org" in shown
    assert carry_out(upkeep.show_game, desk.settings, "gull") == 1 and desk.new_mails() == []
    with reading(desk.engine) as session:
        assert [event.text for event in session.exec(select(Event).where(Event.kind == "keeper"))] == ["a look"]


def test_the_keeper_waits_until_the_daemon_has_done_its_letter(desk: DeskAtWork):
    """Nothing is filed for a phase that somebody else is processing, nor the other way round."""
    began = threading.Event()
    asked = threading.Thread(target=lambda: (began.wait(), does(desk, ["PROCESS!"])))
    asked.start()
    with transaction(desk.engine) as session:
        take_turn(session)
        began.set()
        asked.join(0.5)
        assert asked.is_alive()
        assert session.exec(select(Event).where(col(Event.kind) == "processed")).all() == []
    asked.join(20)
    assert not asked.is_alive()
    with reading(desk.engine) as session:
        assert len(session.exec(select(Event).where(col(Event.kind) == "processed")).all()) == 1


def test_the_shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("JUDGE_JUDGE_HOME", str(tmp_path))
    config = str(Path(__file__).parents[2] / "judge.ini")
    assert main(["games", "--config", config, "list"]) == 2
    assert "there is no database yet" in capsys.readouterr().err
    migrate(open_engine(f"sqlite:///{tmp_path}/judge.db"))
    assert main(["games", "--config", config, "list"]) == 0
    assert main(["games", "--config", config, "show", "heron"]) == 1
    assert main(["games", "--config", config, "do", "heron", "PROCESS!"]) == 1
    assert main(["games", "--config", config, "appoint", "heron", "kim@example.org"]) == 1
    capsys.readouterr()
    for line in (["--config", config, "games", "list"], ["games", "list", "--config", config]):
        assert main(line) == 0
        assert capsys.readouterr().out == "No games yet.\n"
        assert main([config + ".none" if word == config else word for word in line]) == 2
        assert f"cannot read {config}.none" in capsys.readouterr().err


def _of(mails: list[Posted], to: str, subject: str) -> Posted:
    (found,) = [mail for mail in mails if mail.to == to and subject in mail.subject]
    return found
