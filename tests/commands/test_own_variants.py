"""Letters about a variant of the keeper's own, which is changed while games play it, and about one that is broken."""

import shutil
from pathlib import Path

import pytest

from judge.rules.variant.variant import variants_folder
from tests.commands.deskatwork import DeskAtWork
from tests.rules.variant.test_catalogue import SOUND, write


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "own"
    write(folder, "rivers")
    return folder


@pytest.fixture
def desk(tmp_path: Path, own: Path) -> DeskAtWork:
    return DeskAtWork(tmp_path, "", {"JUDGE_JUDGE_VARIANTS": str(own)})


def test_it_is_listed_told_and_played_without_pictures(desk: DeskAtWork) -> None:
    listed = desk.replies("jo@example.org", "GET variants").text
    assert "rivers            Two Rivers: 2 powers, 2 centers win" in listed
    assert "Two Rivers" in desk.replies("jo@example.org", "GET rivers").first_line
    assert "The Bay" in desk.replies("jo@example.org", "GET MAP rivers").text
    desk.seat_all("heron", "rivers")
    started = desk.all_mails()
    assert any("Variant: Two Rivers" in mail.text for mail in started)
    ordered = desk.replies("west@example.org", "SIGNON Wheron pwwest\nF WES - LAK\nSIGNON Eheron pweast\nA AST H")
    assert "The Lake" in ordered.text
    assert "There is no picture of rivers" not in ordered.text
    asked = desk.replies("west@example.org", "SIGNON Wheron pwwest\nMAP heron\nMAP heron SVG")
    results = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS S1800M")
    assert any("The Lake" in mail.text and "Results" in mail.subject for mail in results), [m.subject for m in results]
    assert {mail.picture for mail in [*started, ordered, asked, *results]} == {None}


def test_its_pictures_go_with_mails_where_it_is_drawn(desk: DeskAtWork, own: Path) -> None:
    shutil.copytree(variants_folder() / "standard", own / "europe")
    desk.seat_all("heron", "europe")
    shown = {mail.picture[1]["variant"] for mail in desk.all_mails() if mail.picture}
    assert len(shown) == 1 and shown.pop().startswith("europe@")


def test_a_game_plays_on_by_the_files_that_it_began_with(desk: DeskAtWork, own: Path) -> None:
    """And a new one by those that are there."""
    desk.seat_all("heron", "rivers")
    write(own, "rivers", SOUND.replace("Two Rivers", "New Rivers"))
    desk.seat_all("gull", "rivers")
    asked = "SIGNON Wheron pwwest\nSTATUS\nSIGNON Wgull pwwest\nSTATUS"
    told = desk.replies("west@example.org", asked).text
    assert told.count("Variant: Two Rivers") == 1 and told.count("Variant: New Rivers") == 1
    shutil.rmtree(own)
    filed = desk.replies("west@example.org", "SIGNON Wheron pwwest\nF WES - LAK")
    assert "The Lake" in filed.text
    results = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS S1800M")
    assert any("The Lake" in mail.text for mail in results)
    assert "gull" in desk.replies("west@example.org", "LIST").text


def test_one_that_is_broken_is_refused_exactly_and_the_rest_of_the_letter_counts(desk: DeskAtWork, own: Path) -> None:
    write(own, "lakes", SOUND.replace('letter = "E"', 'letter = "M"'))
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND")
    asked = "CREATE ?heron gm lakes\nCREATE ?gull gm rivers\nGET lakes\nGET RULES lakes"
    answer = desk.replies("kim@example.org", asked)
    line = SOUND.splitlines().index('letter = "E"') + 1
    why = f'"lakes" cannot be played until the keeper of this judge fixes it: variant.toml, line {line}:'
    words = answer.flat
    assert words.count(why) == 3 and "There are: 1648, 1900," in words
    assert "gull has been created" in words
    write(own, "lakes")
    assert "heron has been created" in desk.replies("kim@example.org", "CREATE ?heron gm lakes").text


def test_one_that_does_not_exist_is_answered_with_those_that_do(desk: DeskAtWork) -> None:
    desk.writes("kim@example.org", "REGISTER\nName: Kim Doe\nEND")
    told = desk.replies("kim@example.org", "CREATE ?heron gm chess").text
    assert '"chess" is not a variant here.' in told and "rivers, standard." in " ".join(told.split())
