"""`judge games export` and `import`: a game goes from one judge to another; an ended one is shown to anybody."""

import json
import re
import stat
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlmodel import select

from judge.games.core.passwords import Passwords
from judge.rules.variant.loading import VariantError
from judge.rules.variant.registry import keep_edition, open_catalogue
from judge.shell import upkeep
from judge.shell.calling import carry_out
from judge.store.engine import reading
from judge.store.games import game_named, open_phase
from judge.store.tables import Game, Person, Seat
from tests.commands.deskatwork import DeskAtWork

WALTER = "walter@elsewhere.example"
HISTORY = "HISTORY heron FROM S1901M"


@pytest.fixture
def heron(tmp_path: Path) -> DeskAtWork:
    """A game with a phase behind it, and orders and press in the next one."""
    (tmp_path / "old").mkdir()
    desk = DeskAtWork(tmp_path / "old", "", {})
    desk.seat_seven()
    desk.goes_on("a spring", lambda: _spring(desk))
    desk.new_mails()
    return desk


def _spring(desk: DeskAtWork) -> None:
    press = "PRESS TO Italy\nThe southern road.\nENDPRESS"
    desk.writes("france@example.org", f"SIGNON Fheron pwfrance\nA PAR - BUR\n{press}")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1901M")
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN")


def elsewhere(tmp_path: Path, name: str = "new") -> DeskAtWork:
    """Another judge, with another key."""
    (tmp_path / name).mkdir()
    desk = DeskAtWork(tmp_path / name, "", {})
    desk.services = replace(desk.services, passwords=Passwords(b"another key"))
    desk.desk = type(desk.desk)(desk.services)
    return desk


def exported(desk: DeskAtWork, path: Path) -> str:
    assert carry_out(upkeep.export, desk.settings, "heron", path) == 0
    return path.read_text()


def taken_in(desk: DeskAtWork, path: Path, name: str = "") -> int:
    with patch.object(upkeep, "make_services", lambda _: desk.services):  # whose passwords are hashed at once
        return desk.keeper_runs(upkeep.take_in, path, name)


def test_a_game_goes_to_another_judge_and_is_played_on_there(heron: DeskAtWork, tmp_path: Path):
    path = tmp_path / "heron.json"
    exported(heron, path)
    before = heron.replies(WALTER, HISTORY).text
    new = elsewhere(tmp_path)
    new.now = heron.now
    assert taken_in(new, path) == 0
    told = {mail.to: mail.text for mail in new.new_mails()}
    assert len(told) == 8 and all("has moved" in text and "is paused" in text for text in told.values())
    assert max(len(line) for text in told.values() for line in text.splitlines()) <= 78
    assert new.replies(WALTER, HISTORY).text.partition("Results of")[2] == before.partition("Results of")[2]
    found = re.search(r"SIGNON Fheron (\S+)\n", told["france@example.org"])
    master = re.search(r"SIGNON Mheron (\S+)\n", told["kim@example.org"])
    assert found and master
    assert "password" in new.replies("france@example.org", "SIGNON Fheron pwfrance\nSTATUS").text
    new.writes("kim@example.org", f"SIGNON Mheron {master[1]}\nRESUME heron")
    filed = new.replies("france@example.org", f"SIGNON Fheron {found[1]}\nSTATUS").text
    assert "France: Army Burgundy -> Munich." in filed
    again = new.replies("italy@example.org", f"{HISTORY} BROAD").text
    assert "The southern road." in again


def test_a_game_for_one_goes_on_without_a_pause(tmp_path: Path):
    desk, jo = elsewhere(tmp_path, "old"), "jo@example.org"
    desk.writes(jo, "REGISTER\nName: Jo Roe\nTimezone: UTC\nEND\nCREATE ?heron secret SOLO")
    desk.writes(jo, "CREATE ?heron secret SOLO")
    desk.writes(jo, "SIGNON Mheron secret\nFrance: A PAR - BUR")
    exported(desk, tmp_path / "heron.json")
    new = elsewhere(tmp_path)
    new.now = desk.now
    assert taken_in(new, tmp_path / "heron.json") == 0
    (mail,) = new.new_mails()
    found = re.search(r"SIGNON Mheron (\S+)\n", mail.text)
    assert found and "is paused" not in mail.text
    results = new.writes(jo, f"SIGNON Mheron {found[1]}\nPROCESS!")[0]
    assert "Army Paris -> Burgundy" in results.text


def test_extensions_that_were_given_are_not_given_again(heron: DeskAtWork, tmp_path: Path):
    """Each player has one in this game, and France has had it here."""
    path = tmp_path / "heron.json"
    heron.writes("kim@example.org", "SIGNON Mheron gm\nSET EXTENSIONS 1")
    heron.new_mails()
    assert "has been extended" in heron.ring(_due(heron))[0].text
    exported(heron, path)
    new = elsewhere(tmp_path)
    new.now = heron.now
    assert taken_in(new, path) == 0
    master = re.search(r"SIGNON Mheron (\S+)\n", next(mail.text for mail in new.new_mails() if "kim@" in mail.to))
    assert master
    new.writes("kim@example.org", f"SIGNON Mheron {master[1]}\nRESUME heron")
    new.new_mails()
    mails = new.ring(_due(new))
    assert any("Results" in mail.subject for mail in mails)
    assert not any("has been extended" in mail.text for mail in mails)


def _due(desk: DeskAtWork) -> datetime:
    """When the orders of the open phase are due."""
    with reading(desk.engine) as session:
        game = game_named(session, "heron")
        phase = open_phase(session, game) if game else None
        assert phase
        return phase.deadline_at


def test_the_file_is_for_the_keeper_alone_and_opens_no_seat(heron: DeskAtWork, tmp_path: Path):
    path = tmp_path / "heron.json"
    text = exported(heron, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with reading(heron.engine) as session:
        hashes = [seat.password for seat in session.exec(select(Seat)) if seat.password]
    assert len(hashes) == 8 and not any(one in text for one in hashes)
    assert '"password"' not in text and "pwfrance" not in text and "argon2" not in text and "keyed$" not in text
    assert carry_out(upkeep.export, heron.settings, "heron", path) == 1 and path.read_text() == text
    assert carry_out(upkeep.export, heron.settings, "gull", None) == 1


def test_a_name_that_is_taken_is_refused_and_another_one_helps(
    heron: DeskAtWork, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    path = tmp_path / "heron.json"
    exported(heron, path)
    assert taken_in(heron, path) == 1
    assert "there is already a game heron; to import it under another name: --name OTHER" in capsys.readouterr().err
    assert taken_in(heron, path, "gull/../x") == 1
    assert "is not a name for a game" in capsys.readouterr().err
    assert taken_in(heron, path, "gull") == 0
    with reading(heron.engine) as session:
        assert {game.name for game in session.exec(select(Game))} == {"heron", "gull"}
        assert len(session.exec(select(Person)).all()) == 8  # they are known here by their addresses


@pytest.mark.parametrize("spoil", ["{", "[]", "{}", '{"judge game": 2}', "form", "orders", "board"])
def test_what_is_no_game_changes_nothing(
    heron: DeskAtWork, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: str
):
    path, new = tmp_path / "heron.json", elsewhere(tmp_path)
    given = json.loads(exported(heron, path))
    match spoil:
        case "form":
            del given["rows"]["seat"][0]["address"]
        case "orders":
            given["rows"]["orders"][0]["phase_id"] = 999
        case "board":
            given["rows"]["phase"][0]["position"]["units"] = {"France": ["A XYZ"]}
    path.write_text(json.dumps(given) if spoil.isalpha() else spoil)
    assert taken_in(new, path) == 1 and "judge: " in capsys.readouterr().err
    with reading(new.engine) as session:
        assert not session.exec(select(Game)).all() and not session.exec(select(Person)).all()
    assert new.new_mails() == []


STRANGE: list[tuple[tuple[str | int, ...], object]] = [
    (("seat", 1, "address"), "a@example.org\r\nBcc: evil@example.org"),
    (("seat", 1, "address"), "Anna <anna@example.org>"),
    (("seat", 1, "power"), "Germany"),
    (("person", 0, "zone"), "../../etc/passwd"),
    (("person", 0, "name"), "\ud800"),
    (("game", 0, "started_at"), None),
    (("game", 0, "settings", "readings"), ["\ud800"]),
    (("game", 0, "settings", "victory"), "<script>"),
    (("game", 0, "settings", "move", "next"), float("nan")),
    (("game", 0, "settings", "move", "days"), "M"),
    (("phase", 0, "name"), "{{7*7}}"),
    (("phase", 1, "deadline_at"), "9999-12-31T23:59:59"),
    (("phase", 1, "processed_at"), "2026-05-04T10:00:00+00:00"),
    (("orders", -1, "meaning", "unit"), "A " + "A" * 100_000),
]


@pytest.mark.parametrize(("place", "value"), STRANGE, ids=[".".join(map(str, place)) for place, _ in STRANGE])
def test_a_game_that_could_not_be_told_or_played_here_is_refused(
    heron: DeskAtWork, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: tuple[str | int, ...], value: object
):
    """One of these in a list of all games, and nobody gets the list."""
    path, new = tmp_path / "heron.json", elsewhere(tmp_path)
    given = json.loads(exported(heron, path))
    at = given["rows"]
    for step in place[:-1]:
        at = at[step]
    assert at[place[-1]] != value
    at[place[-1]] = value
    path.write_text(json.dumps(given))
    assert taken_in(new, path) == 1 and "judge: " in capsys.readouterr().err
    with reading(new.engine) as session:
        assert not session.exec(select(Game)).all() and not session.exec(select(Person)).all()
    assert new.new_mails() == []


def test_an_archive_without_end_is_refused(heron: DeskAtWork, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "heron.json"
    path.write_text("[" * 200_000)
    assert taken_in(heron, path) == 1 and "this is not a file of judge games export" in capsys.readouterr().err


def test_an_ended_game_is_shown_without_its_people(heron: DeskAtWork, tmp_path: Path):
    path = tmp_path / "heron.public.json"
    assert carry_out(upkeep.export, heron.settings, "heron", path, public=True) == 1 and not path.exists()
    heron.writes("kim@example.org", "SIGNON Mheron gm\nTERMINATE heron")
    assert carry_out(upkeep.export, heron.settings, "heron", path, public=True) == 0
    told, text = path.read_text(), path.with_suffix(".txt").read_text()
    for secret in ("@example.org", "Kim Doe", "southern road", "BUR - MUN", '"bids"'):
        assert secret not in told + text, secret
    (phase,) = json.loads(told)["phases"]
    assert phase["phase"] == "S1901M" and "A PAR - BUR" in json.dumps(phase["outcome"]["orders"])
    assert text.startswith(":: Judge: JUDG  Game: heron") and "Subject: JUDG:heron - S1901M Results" in text
    assert "France:  Army Paris -> Burgundy." in text


def test_a_public_game_does_not_tell_which_neutrals_a_bid_made_hold(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("swan", "1648")
    desk.writes("france@example.org", "SIGNON Fswan pwfrance\nDP 2: A SWI H\nDP 1: F TUN S A PAR")
    desk.writes("kim@example.org", "SIGNON Mswan gm\nPROCESS!\nTERMINATE swan")
    path = tmp_path / "swan.public.json"
    assert carry_out(upkeep.export, desk.settings, "swan", path, public=True) == 0
    (phase,) = json.loads(path.read_text())["phases"]
    assert [one for one in phase["outcome"]["orders"] if one["power"] == "Neutral"] == []
    assert "bids" not in phase["outcome"]


def test_the_files_of_a_variant_must_be_those_that_were_played(tmp_path: Path):
    open_catalogue(None, tmp_path)
    try:
        with pytest.raises(VariantError):
            keep_edition("rivers@0123456789abcdef", {"variant.toml": b"title = 'Rivers'"})
        with pytest.raises(VariantError):
            keep_edition("rivers@0123456789abcdef", {"../../escape": b""})
        assert list(tmp_path.iterdir()) == []
    finally:
        open_catalogue(None)
