"""A club's room reads the results of listed games, and nothing that pages would not show."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from judge.service import results_hook
from judge.service.public_pages import PublicPages
from judge.service.results_hook import MOST, ResultsHook
from judge.store.outbox import PAUSES
from tests.commands.deskatwork import DeskAtWork

FRANCE, KIM = "france@example.org", "kim@example.org"
DAY = timedelta(days=1)


class Club:
    """A desk with a room; what was posted to it, and why the next posts fail ("": they do not)."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, **also: str):
        hook = {"JUDGE_WATCH_RESULTS_WEBHOOK": "https://room.example/hook?token=geheim"}
        self.desk = DeskAtWork(folder, f"sqlite:///{folder}/judge.db", {**hook, **also})
        self.said: list[str] = []
        self.fails = ""
        monkeypatch.setattr(results_hook, "post", self._post)
        self.restarts()
        self.looks()

    def restarts(self) -> None:
        """As after kill -9: only the database is what it was."""
        self.hook = ResultsHook(self.desk.engine, self.desk.services, lambda: self.desk.now)
        self.hook.start()
        self.hook.end()
        self.hook.join()

    def _post(self, url: str, told: dict[str, str], *, inside: bool) -> str:
        assert url.endswith("geheim") and told["content"] == told["text"] and not inside
        json.dumps(told)
        if not self.fails:
            self.said.append(told["text"])
        return self.fails

    def looks(self) -> list[str]:
        """What is posted until nothing more is."""
        self.said = []
        while self.hook._look() == 0:
            pass
        return self.said

    def plays(self, game: str = "heron") -> None:
        self.desk.writes(FRANCE, f"SIGNON F{game} pwfrance\nA PAR - BUR\nBROADCAST\nhello room\nENDBROADCAST")
        self.desk.writes(KIM, f"SIGNON M{game} gm\nPROCESS!")


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(tmp_path, monkeypatch)


def test_results_and_the_end_of_listed_games_are_posted_once(club: Club):
    club.desk.seat_all("heron", "standard", "", " Heronson")
    club.desk.seat_all("gull", "standard", "SET GUNBOAT", " Gullson")
    club.desk.seat_all("swan", "standard", "SET UNLISTED", " Swanson")
    for game in ("heron", "gull", "swan"):
        club.plays(game)
    club.desk.writes(KIM, "CREATE ?owl gm standard SOLO\nSIGNON Mowl gm\nPROCESS!")
    said = club.looks()
    assert [text.splitlines()[0] for text in said] == [
        "heron: S1901M Results (Standard Diplomacy)", "gull: S1901M Results (Standard Diplomacy)"]  # fmt: skip
    assert all("Army Paris -> Burgundy." in text and len(text) <= MOST for text in said)
    club.desk.writes(FRANCE, "SIGNON Fheron pwfrance\nA BUR - MUN")
    club.desk.writes(KIM, "SIGNON Mheron gm\nTERMINATE heron")
    said += club.looks()
    assert said[-1] == "heron has ended: Game Terminated" and len(said) == 3
    for secret in ("son", "hello", "-> Munich", "pwfrance", "example.org", "http"):
        assert secret not in "".join(said).replace("Heronson", "son"), secret
    assert club.looks() == []
    club.restarts()
    assert club.looks() == []


def test_a_hook_that_fails_is_tried_again_as_a_mail_is_also_after_a_crash(club: Club, caplog):
    club.desk.seat_seven()
    club.plays()
    club.fails = "it answered 500"
    assert club.looks() == []
    assert "was not posted: it answered 500; next try at" in caplog.text and "geheim" not in caplog.text
    club.fails = ""
    assert club.looks() == [], "not before the pause is over"
    club.restarts()
    club.desk.now += PAUSES[0]
    assert len(club.looks()) == 1 and club.looks() == []

    club.plays()
    club.fails = "it answered 404"
    for pause in PAUSES:
        club.looks()
        club.desk.now += pause
        club.restarts()
    club.looks()
    assert "given up" in caplog.text
    club.fails = ""
    club.plays()
    assert [text.splitlines()[0] for text in club.looks()] == ["heron: S1902M Results (Standard Diplomacy)"]


def test_what_was_before_and_what_was_taken_back_is_not_posted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    club = Club(tmp_path, monkeypatch)
    club.desk.seat_seven()
    club.plays()
    club.desk.writes(KIM, "SIGNON Mheron gm\nROLLBACK")
    assert club.looks() == []
    # An end that was taken back in between is posted once, and that of a game that nobody played not at all.
    club.desk.writes(KIM, "CREATE ?owl gm\nTERMINATE owl")
    for line in ("TERMINATE heron", "ROLLBACK", "TERMINATE heron"):
        club.desk.writes(KIM, f"SIGNON Mheron gm\n{line}")
    assert club.looks() == ["heron has ended: Game Terminated"]


def test_addresses_of_the_page_and_of_the_map_are_posted_once_they_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    web = tmp_path / "web"
    public = {"JUDGE_PUBLIC_FOLDER": str(web), "JUDGE_PUBLIC_ADDRESS": "https://games.example.org/"}
    club = Club(tmp_path, monkeypatch, **public)
    club.desk.seat_seven()
    club.plays()
    assert club.looks() == [], "its map is not there yet"
    PublicPages(club.desk.engine, club.desk.services).write()
    (said,) = club.looks()
    page, picture = said.splitlines()[-2:]
    assert page == "https://games.example.org/games/heron/index.html#p1"
    assert (web / picture.removeprefix("https://games.example.org/")).exists() and picture.endswith(".svg")
    club.plays()
    club.desk.now += timedelta(minutes=6)
    assert len(club.looks()) == 1, "pages that are not written hold nothing up for long"
