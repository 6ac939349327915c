"""Games on boards of the keeper's own: changed while games play them, broken, or imported."""

import shutil
from pathlib import Path

import pytest

from judge.rules.variant.variant import variants_folder
from judge.shell.calling import carry_out
from judge.shell.rules import import_variant
from tests.commands.deskatwork import DeskAtWork
from tests.foreign_maps.test_sketch import SAMPLES
from tests.rules.variant.test_registry import SOUND, write


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
    results = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1800M")
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
    results = desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1800M")
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


MANY = 26


def desk_with(tmp_path: Path, own: Path) -> DeskAtWork:
    return DeskAtWork(tmp_path, "", {"JUDGE_JUDGE_VARIANTS": str(own)})


def test_a_game_begins_in_a_winter_with_builds(tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert carry_out(import_variant, SAMPLES / "winter.map", "", own, "lakes") == 0
    at_work = desk_with(tmp_path, own)
    at_work.seat_by_letters("heron", "lakes")
    started = next(mail for mail in at_work.all_mails() if "reds@" in mail.to and "1799" in mail.subject)
    assert "BUILD" in started.text.upper() and started.picture
    answer = at_work.replies("reds@example.org", "SIGNON Rheron pwreds\nBUILD A AMB\n")
    assert "Winter of 1799" in answer.text and "No line" not in answer.first_line
    at_work.writes("blues@example.org", "SIGNON Bheron pwblues\nBUILD F ELM/WC\n")
    at_work.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! W1799A\n")
    results = [mail for mail in at_work.all_mails() if "reds@" in mail.to][-1]
    assert "S1800M" in results.text and "Spring of 1800" in results.text


def test_a_province_that_is_closed_in_fall(tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert carry_out(import_variant, SAMPLES / "frozen.map", "", own, "lakes") == 0
    at_work = desk_with(tmp_path, own)
    at_work.seat_all("heron", "lakes")
    started = next(mail for mail in at_work.all_mails() if "blues@" in mail.to)
    assert "Some routes are closed in one season." in started.flat
    signon = "SIGNON Bheron pwblues\n"
    answer = at_work.replies("blues@example.org", f"{signon}F ELM - GAL")
    assert "Fleet Elm Port (west coast) -> Gale Sound" in answer.text
    at_work.writes("blues@example.org", f"{signon}F ELM H")
    at_work.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS! S1800M")
    answer = at_work.replies("blues@example.org", f"{signon}F ELM - GAL\nINFO GAL")
    assert "cannot reach Gale Sound in Fall: the way is closed." in answer.flat
    assert "Closed:  in Fall" in answer.text
    answer = at_work.replies("blues@example.org", f"{signon}INFO AMB")
    assert "Amber Coast (AMB) in heron." in answer.text and "Closed" not in answer.text


def test_a_border_that_is_closed_is_corrected_as_it_is_in_the_other_season(tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert carry_out(import_variant, SAMPLES / "frozen.map", "", own, "lakes") == 0
    at_work = desk_with(tmp_path, own)
    at_work.seat_all("heron", "lakes")
    master = "SIGNON Mheron gm\n"
    at_work.writes("kim@example.org", f"{master}PROCESS! S1800M")
    answer = at_work.replies("kim@example.org", f"{master}BORDER ADD FLEET GAL - CED")
    assert "That is already the case. Fleets can move between Cedar Bay [CED] and Gale Sound [GAL]." in answer.flat
    answer = at_work.replies("kim@example.org", f"{master}BORDER REMOVE FLEET GAL - CED")
    assert "Fleets cannot move between Cedar Bay [CED] and Gale Sound [GAL]. All players" in answer.flat


def test_coasts_keep_what_is_closed_as_the_game_begins(tmp_path: Path) -> None:
    own, source = tmp_path / "own", tmp_path / "thaw.map"
    (tmp_path / "base.map").write_bytes((SAMPLES / "base.map").read_bytes())
    source.write_text((SAMPLES / "frozen.map").read_text().replace("IN SPRING:", "IN FALL:"))
    assert carry_out(import_variant, source, "", own, "lakes") == 0
    at_work = desk_with(tmp_path, own)
    at_work.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm lakes\n")
    answer = at_work.replies("kim@example.org", "SIGNON Mheron gm\nCOAST SPLIT ELM: EC amb; WC ced, gal")
    assert "Elm Port [ELM] has the coasts east coast (AMB) and west coast (CED, GAL)." in answer.flat


def test_where_there_are_more_powers_than_letters_players_sign_on_with_their_power(tmp_path: Path) -> None:
    own = tmp_path / "own"
    ring = [(f"P{n}", f"P{(n + 1) % MANY}", f"P{(n - 1) % MANY}", f"Land+{chr(65 + n)}a") for n in range(MANY)]
    source = tmp_path / "ring.map"
    source.write_text(
        "".join(f"{here} = {here}\nLAND {here} ABUTS {after} {before}\n" for here, after, before, _ in ring)
        + "".join(f"{power} {here}\nA {here}\n" for here, _, _, power in ring)
    )
    assert carry_out(import_variant, source, "", own, "ring") == 0
    at_work = desk_with(tmp_path, own)
    at_work.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?heron gm ring\n")
    for n in range(MANY):
        at_work.writes(f"p{n}@example.org", f"REGISTER\nName: Player {n}\nEND\nSIGNON ?heron pw{n}\n")
    signon, other = (signon_of(at_work, f"p{n}@example.org") for n in (7, 8))
    assert signon.endswith("@heron")
    power = other.removesuffix("@heron").replace("_", " ")
    answer = at_work.replies("p7@example.org", f"SIGNON {signon} pw7\nPRESS TO {power}\nhi\nENDPRESS\n")
    assert f"sent to {power}" in answer.text
    assert "PRESS TO Land" in at_work.replies("p7@example.org", f"SIGNON {signon} pw7\nPRESS TO xyz\nENDPRESS").text


def signon_of(at_work: DeskAtWork, player: str) -> str:
    """What the start mail says that the player writes."""
    started = next(mail for mail in at_work.all_mails() if mail.to == player and "S1901M" in mail.subject)
    return next(line.split()[1] for line in started.text.splitlines() if line.strip().startswith("SIGNON Land_"))
