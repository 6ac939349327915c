"""`judge people forget`: nothing in the files of the database holds the address any more."""

import base64
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from judge.shell.calling import carry_out
from judge.shell.upkeep import forget
from judge.store.engine import reading, transaction
from judge.store.retention import pattern_of
from judge.store.tables import Address, BouncedAddress, Event, Game, LetterRow, Pause, Person, Press
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named

FAY, ANN = "france@example.org", "ann.b@example.net"


@pytest.fixture
def desk(tmp_path: Path) -> DeskAtWork:
    """Ann watches a game that is played, has asked much, and others have written of her; mails to her come back."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    desk.writes(FAY, f"SIGNON Fheron pwfrance\nALSO {ANN}\nA PAR - BUR\nSIGNOFF")
    desk.observes(ANN, "REGISTER\nName: Ann Bee\nEND\nOBSERVE heron\nGET RULES")
    desk.writes(ANN.upper(), "SIGNON Fheron wrong\nA PAR H")
    desk.writes(ANN, "REGISTER\nName: Ann Bee-Cee\nEND")  # which needs a token, sent there
    press = "PRESS TO ALL\nwrite to Ann.B@Example.net\nENDPRESS"
    desk.writes("turkey@example.org", f"SIGNON Theron pwturkey\n{press}\nMAP {ANN}")
    assert any(mail.to == ANN for mail in desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M"))
    encoded = base64.encodebytes(f"SIGNON Theron pwturkey\nwrite to {ANN} soon".encode()).decode()
    head = "From: turkey@example.org\r\nTo: judge@example.org\r\nSubject: moves\r\nMessage-ID: <64@example.org>\r\n"
    desk.receives(f"{head}Content-Transfer-Encoding: base64\r\n\r\n{encoded}".encode())
    with transaction(desk.engine) as session:
        session.add(BouncedAddress(address=ANN, bounces=1, last_at=desk.now, reason=f"550 <{ANN}> unknown"))
        # At the beginning of a line of a text inside a column of JSON.
        when: Any = dict.fromkeys(("begun_at", "ends_at", "forgotten_at"), desk.now + timedelta(days=1))
        waiting = [{"text": f"This is what you sent:\n{ANN.upper()}\nAnn  Bee\n"}]
        session.add(Pause(address="turkey@example.org", account="t", domain="", answers=waiting, **when))
        session.add(Event(at=desk.now, kind="mail failed", text=f"reply mail 7 to {ANN}: 550 <{ANN}> unknown"))
    desk.new_mails()
    return desk


def files_hold(home: Path, what: str) -> list[str]:
    """The files of the judge in which these words stand, in any letters."""
    files = [file for file in home.rglob("*") if file.is_file()]
    return [file.name for file in files if what.lower().encode() in file.read_bytes().lower()]


def test_no_file_of_the_database_holds_the_address_afterwards(desk: DeskAtWork, tmp_path: Path, capsys):
    assert files_hold(tmp_path, ANN), "else nothing is tested"
    assert carry_out(forget, desk.settings, "Ann.B@example.net") == 0
    said = capsys.readouterr().out
    assert f"Removed: {ANN}" in said and "Backups" in said and "heron" in said
    desk.engine.dispose()
    assert files_hold(tmp_path, ANN) == [] and files_hold(tmp_path, "Ann Bee") == []
    assert files_hold(tmp_path, base64.b64encode(f"to {ANN} soon".encode()).decode()[2:-4]) == []

    with reading(desk.engine) as session:
        assert game_named(session, "heron").state == "active"
        encoded = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).all()[0].raw
        assert b"write to **** soon" in encoded
        assert [press.text for press in session.exec(select(Press))] == ["write to ****"]
        assert session.exec(select(Person).where(Person.name == "forgotten")).one().registered_at is None
        assert not session.exec(select(Address).where(Address.address == ANN)).first()
        emptied = session.exec(select(LetterRow).where(LetterRow.sender == "****")).all()
        assert emptied and all(letter.raw == b"" for letter in emptied)
    # France plays on; what others do is as it was.
    assert "A BUR" in desk.replies(FAY, "SIGNON Fheron pwfrance\nLIST").text
    assert carry_out(forget, desk.settings, ANN) == 1
    assert "is not in the database" in capsys.readouterr().err


def test_a_player_or_the_only_master_of_a_game_is_needed(desk: DeskAtWork, capsys):
    assert carry_out(forget, desk.settings, FAY) == 1
    assert 'They play France in heron. First run: judge games do heron "EJECT France"' in capsys.readouterr().err
    assert carry_out(forget, desk.settings, "kim@example.org") == 1
    refusal = "They are the only master of heron. Appoint another: judge games appoint heron ADDRESS"
    assert refusal in capsys.readouterr().err
    with reading(desk.engine) as session:
        assert session.exec(select(Address).where(Address.address == FAY)).first()


def test_a_game_that_has_ended_keeps_its_seats_and_nobody_is_mailed_there(desk: DeskAtWork, tmp_path: Path):
    with transaction(desk.engine) as session:
        game = session.exec(select(Game)).one()
        game.state, game.ended_at = "finished", desk.now
        session.add(game)
    assert carry_out(forget, desk.settings, FAY) == 0
    desk.engine.dispose()
    assert files_hold(tmp_path, FAY) == []
    history = desk.replies("turkey@example.org", "HISTORY heron\nSUMMARY heron").text
    assert "forgotten" in history or "France" in history
    mails = desk.writes("turkey@example.org", "SIGNON Theron pwturkey\nPRESS TO ALL\nwell played\nENDPRESS")
    assert all(mail.to != "****" for mail in mails)


@pytest.mark.parametrize("address", ["judge@example.org", "keeper@example.org", "nobody", "stranger@example.com"])
def test_what_cannot_be_forgotten(desk: DeskAtWork, address: str, capsys):
    assert carry_out(forget, desk.settings, address) == 1
    assert capsys.readouterr().err.startswith("judge: ")


@pytest.mark.postgres
def test_on_postgresql_too(tmp_path: Path, postgres_url: str):
    desk = DeskAtWork(tmp_path, postgres_url, {})
    desk.writes(ANN, "REGISTER\nName: Ann\nEND\nLIST")
    assert carry_out(forget, desk.settings, ANN) == 0
    with desk.engine.connect() as connection:
        for table in ("letter", "mail", "event", "person", "address", "answered"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").all()
            assert not any(
                ANN in (bytes(cell).decode("latin-1") if isinstance(cell, bytes) else str(cell)).lower()
                for row in rows
                for cell in row
            ), table


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Jo@Example.ORG wrote", "**** wrote"),
        ("<jo+judge@example.org>", "<****>"),
        ("bounce+jo=example.org@list.test", "bounce+****@list.test"),
        ("mailto:jo%40example.org", "mailto:****"),
        ("banjo@example.org jo@example.org.uk jo@example.orgy", "banjo@example.org jo@example.org.uk jo@example.orgy"),
        ("mail to jo@example.org.", "mail to ****."),
        ("Jo Roe, called jo\n  roe, not Banjo Roe or Joe Roe", "****, called ****, not Banjo Roe or Joe Roe"),
    ],
)
def test_ways_of_writing_an_address(text: str, left: str):
    assert pattern_of(["jo@example.org"], "Jo Roe").sub("****", text) == left
