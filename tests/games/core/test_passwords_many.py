"""Passwords that people choose are slow to check: a letter has a few, an observer one, and a person so many games."""

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.games.core.passwords import MOST_SLOW, SlowWork
from judge.store.engine import reading
from judge.store.tables import Game, WrongPassword
from tests.commands.deskatwork import DeskAtWork

KIM, FAY = "kim@example.org", "france@example.org"
TOO_MANY = f"an email can contain at most {MOST_SLOW} passwords"


def says(desk: DeskAtWork, sender: str, text: str, **how: object) -> str:
    return desk.replies(sender, text, **how).flat


def games(desk: DeskAtWork) -> list[str]:
    with reading(desk.engine) as session:
        return [game.name for game in session.exec(select(Game).order_by(col(Game.id)))]


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[SlowWork]:
    """All slow work from now on."""
    works: list[SlowWork] = []
    begin = SlowWork.__init__

    def noted(work: SlowWork, do: Callable[[], None]) -> None:
        works.append(work)
        begin(work, do)

    monkeypatch.setattr(SlowWork, "__init__", noted)
    return works


def test_beyond_a_few_passwords_the_rest_of_a_letter_counts(desk: DeskAtWork, hashes: list[SlowWork]):
    creating = "\n".join(f"CREATE ?game{number} secret{number}\nSIGNOFF" for number in range(7))
    said = says(desk, KIM, f"REGISTER\nName: Kim Doe\nEND\n{creating}\nCREATE ?last")
    assert games(desk) == [*(f"game{number}" for number in range(MOST_SLOW)), "last"]
    assert said.count(TOO_MANY) == 2
    assert "> CREATE ?game6 ****" in said and "Send this line, and the lines after it, in another email" in said
    assert len(hashes) == MOST_SLOW
    assert "game6 has been created" in says(desk, KIM, "CREATE ?game6 secret6")


def test_passwords_known_from_letters_before_do_not_count(desk: DeskAtWork, hashes: list[SlowWork]):
    """Who plays in many games signs on to them all in a letter."""
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND")
    for number in range(MOST_SLOW + 2):
        desk.writes(KIM, f"CREATE ?game{number} secret{number}")
        desk.writes(KIM, f"SIGNON Mgame{number} secret{number}")
    hashes.clear()
    said = says(desk, KIM, "\n".join(f"SIGNON Mgame{number} secret{number}" for number in range(MOST_SLOW + 2)))
    assert TOO_MANY not in said
    assert hashes == []


def test_a_new_password_beyond_is_not_kept(heron: DeskAtWork):
    changes = [f"PASSWORD changed{number}" for number in range(MOST_SLOW)]
    said = says(heron, FAY, "\n".join(["SIGNON Fheron pwfrance", "A PAR - BUR", *changes]))
    assert TOO_MANY in said and "Army Paris -> Burgundy." in said
    last_kept = changes[-2].split()[1]
    assert "2 units without orders" in says(heron, FAY, f"SIGNON Fheron {last_kept}")


def test_the_passwords_of_other_observers_are_not_tried(heron: DeskAtWork, hashes: list[SlowWork]):
    for number in range(7):
        heron.writes(f"observer{number}@example.org", f"REGISTER\nName: Observer {number}\nEND")
        heron.writes(f"observer{number}@example.org", f"OBSERVE heron secret{number}")
    hashes.clear()
    assert "signed on to heron as observer" in says(heron, "observer6@example.org", "SIGNON Oheron secret6")
    assert len(hashes) == 1
    said = says(heron, "observer5@example.org", "SIGNON Oheron secret6")
    assert "Wrong password" in said
    assert len(hashes) == 2
    said = says(heron, "eve@example.org", "SIGNON Oheron secret6")
    assert "eve@example.org is not observing heron" in said and "OBSERVE heron" in said
    assert len(hashes) == 2


def test_an_observer_whose_letter_seems_forged_still_has_a_password(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"})
    desk.seat_seven()
    desk.writes("otto@example.org", "REGISTER\nName: Otto\nEND")
    desk.writes("otto@example.org", "OBSERVE heron secret")
    forged = {"Authentication-Results": "mx.example.org; dmarc=fail header.from=example.org"}
    said = says(desk, "otto@example.org", "SIGNON Oheron secret", headers=forged)
    assert "signed on to heron as observer" in said


def test_a_takeover_without_a_password_to_spare_is_no_guess(heron: DeskAtWork):
    heron.writes(FAY, "SIGNON Fheron pwfrance\nRESIGN heron")
    heron.writes("jo@example.org", "REGISTER\nName: Jo\nEND")
    creating = "\n".join(f"CREATE ?game{number} secret{number}" for number in range(MOST_SLOW))
    assert TOO_MANY in says(heron, "jo@example.org", f"{creating}\nSIGNON Fheron taken")
    with reading(heron.engine) as session:
        assert not session.exec(select(WrongPassword)).all()


def test_a_person_has_so_many_games_and_is_told_what_to_do(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_OPEN_GAMES": "2"})
    desk.writes(KIM, "REGISTER\nName: Kim Doe\nEND\nCREATE ?one gm\nSIGNOFF\nCREATE ?two gm")
    desk.writes(FAY, "REGISTER\nName: Fay\nEND\nSIGNON ?one pwfrance")
    said = says(desk, KIM, "CREATE ?three gm")
    assert "You have created 2 games that are still running" in said
    assert "TERMINATE" in said and "keeper@example.org" in said
    # Games that others have created do not count.
    desk.writes(FAY, "CREATE ?four pw\nSIGNOFF\nCREATE ?five pw")
    assert games(desk) == ["one", "two", "four", "five"]
    desk.writes(KIM, "SIGNON Mone gm\nTERMINATE")
    assert "three has been created" in says(desk, KIM, "CREATE ?three gm")
