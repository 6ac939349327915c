"""The keeper's own variants: found at once, told of where they are broken, and played as they were."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.maps.geometry import NoGeometry, load_geometry
from judge.rules import (
    UnknownVariant,
    VariantError,
    load_variant,
    load_variant_to_play,
    open_catalogue,
    variant_names,
    variants,
)
from judge.rules.variant.registry import built_in_names, in_folder, own_variants, variant_folder
from judge.rules.variant.variant import variants_folder
from tests.rules.variant.test_loading import PROVINCES, RULES

SOUND = RULES.replace("army_borders = 4", "army_borders = 3")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Path]:
    """The keeper's folder, with the variant `rivers` in it."""
    folder = tmp_path / "own"
    write(folder, "rivers")
    open_catalogue(folder, tmp_path / "kept")
    yield folder
    open_catalogue(None)


def write(own: Path, name: str, rules: str | bytes = SOUND, provinces: str | bytes = PROVINCES) -> Path:
    folder = own / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in (("variant.toml", rules), ("provinces.toml", provinces)):
        (folder / file).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


def faults(own: Path) -> dict[str, list[str]]:
    return {
        one.folder.name: [str(fault).replace(f"{own}/", "") for fault in one.faults]
        for one in own_variants()
        if one.faults
    }


def test_an_own_variant_is_there_like_those_that_come_with_the_judge(own: Path) -> None:
    assert variant_names() == sorted([*built_in_names(), "rivers"])
    assert [variant.name for variant in variants()] == variant_names()
    assert load_variant("Rivers").title == "Two Rivers"
    assert load_variant("rivers") is load_variant("rivers"), "what is known of orders and positions is kept by variant"
    assert load_variant("standard").edition == "standard"


def test_a_new_a_changed_and_a_removed_one_count_at_once(own: Path) -> None:
    write(own, "lakes", SOUND.replace("Two Rivers", "Two Lakes"))
    assert load_variant("lakes").title == "Two Lakes"
    write(own, "lakes", SOUND.replace("Two Rivers", "Ten Lakes"))
    assert load_variant("lakes").title == "Ten Lakes"
    shutil.rmtree(own / "lakes")
    with pytest.raises(UnknownVariant):
        load_variant("lakes")
    shutil.move(own, own.with_name("away"))
    assert variant_names() == list(built_in_names())


def test_a_broken_one_is_told_by_its_lines_and_harms_no_other(own: Path) -> None:
    write(own, "lakes", RULES, PROVINCES.replace('army = "AST WES"', 'army = "AST WEX"'))
    assert "rivers" in variant_names() and "lakes" not in variant_names()
    assert faults(own)["lakes"][0].startswith("lakes/provinces.toml:")
    with pytest.raises(VariantError) as refusal:
        load_variant("lakes")
    told = str(refusal.value)
    assert told.startswith('"lakes" cannot be played until the keeper of this judge fixes it: provinces.toml, li')
    assert "there is no province WEX. And " in told
    there = "1648, 1900, ambition_empire, build_anywhere, colonia, intercontinental, rivers, standard"
    assert told.endswith(f"There are: {there}.")
    assert str(own) not in told, "where the folder is concerns no player"
    write(own, "lakes")
    assert load_variant("lakes").title == "Two Rivers"


@pytest.mark.parametrize(
    ("rules", "fault"),
    [
        ("title = ", "lakes/variant.toml:1: not TOML: Invalid value"),
        (SOUND.encode() + b"# M\xfcller", f"lakes/variant.toml:{SOUND.count(chr(10)) + 1}: not UTF-8"),
        ("", "lakes/variant.toml:1: "),
        (f"a = {'[' * 5000}", "lakes"),
        ("powers = 3", "lakes"),
        ("powers = { France = 3 }", "lakes"),
        ("victory = 3\ntitle = 3\nstart = 3\ncounts = 3\ndraws = 3\ngroups = 3\ncanals = 3", "lakes"),
        ("neutrals = 3\npoints = 3\nreligion = 3\nvassals = 3\nsponsors = 3\nextra_home = 3\ndetours = 3", "lakes"),
    ],
)
def test_whatever_a_file_holds_it_is_a_fault_and_no_more(own: Path, rules: str | bytes, fault: str) -> None:
    write(own, "lakes", rules)
    assert faults(own)["lakes"][0].startswith(fault)
    assert "rivers" in variant_names()
    with pytest.raises(VariantError):
        load_variant("lakes")


@pytest.mark.parametrize("provinces", ["a = 3", "[AST]\nname = 3\nkind = 3\narmy = 3\nfleet = 3", "AST = []", "\x00"])
def test_whatever_a_map_holds_it_is_a_fault_and_no_more(own: Path, provinces: str) -> None:
    write(own, "lakes", SOUND, provinces)
    assert faults(own)["lakes"]
    assert "rivers" in variant_names()


def test_a_file_that_is_missing_or_cannot_be_read_is_named(own: Path) -> None:
    (own / "rivers" / "provinces.toml").unlink()
    write(own, "lakes")
    (own / "lakes" / "rules.txt").mkdir()
    (own / "notes").mkdir()
    (own / ".git").mkdir()
    (own / ".git" / "variant.toml").touch()
    (own / "README").touch()
    assert faults(own) == {
        "lakes": ["lakes/rules.txt: cannot be read: Is a directory"],
        "rivers": ["rivers/provinces.toml: cannot be read: No such file or directory"],
    }


def test_the_name_of_a_folder_is_one_that_a_letter_can_name_and_no_other_s(own: Path) -> None:
    write(own, "Two-Lakes")
    write(own, "standard")
    wrong, taken = faults(own)["Two-Lakes"], faults(own)["standard"]
    assert wrong == [
        "Two-Lakes: the name of the folder must be up to 30 lower-case letters, digits and _, like two_lakes"
    ]
    assert taken[0].startswith("standard: the judge's own variant standard is used instead")
    assert load_variant("standard").title == "Standard Diplomacy"
    with pytest.raises(UnknownVariant):
        load_variant("two-lakes")


def test_a_game_plays_a_copy_that_nothing_changes(own: Path, tmp_path: Path) -> None:
    (own / "rivers" / "rules.txt").write_text("Rivers flow.\n")
    played = load_variant_to_play("rivers")
    assert played.name == "rivers" and played.edition.startswith("rivers@")
    write(own, "rivers", SOUND.replace("centers = 2", "centers = 3"))
    assert load_variant("rivers").victory == 3 and load_variant("rivers").edition != played.edition
    for loaded in (played.edition, played.edition.upper()):
        assert (load_variant(loaded).victory, load_variant(loaded).text) == (2, "Rivers flow.\n")
    shutil.rmtree(own)
    assert load_variant(played.edition).edition == played.edition
    assert variant_folder(played.edition) == tmp_path / "kept" / played.edition


def test_games_of_one_edition_share_its_copy_and_nothing_else_is_left(own: Path, tmp_path: Path) -> None:
    first = load_variant_to_play("rivers")
    os.utime(own / "rivers" / "variant.toml", (1, 1))
    assert load_variant_to_play("rivers").edition == first.edition
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [first.edition]


def test_what_comes_with_the_judge_is_not_copied(own: Path, tmp_path: Path) -> None:
    assert load_variant_to_play("standard").edition == "standard"
    assert not (tmp_path / "kept").exists()


def test_a_copy_that_is_lost_is_replaced_by_what_it_was_made_of_as_long_as_that_is_the_same(
    own: Path, tmp_path: Path
) -> None:
    write(own, "brooks", SOUND.replace("Two Rivers", "Two Brooks"))
    first, second = (load_variant_to_play(name).edition for name in ("rivers", "brooks"))
    shutil.rmtree(tmp_path / "kept")
    assert load_variant(first).title == "Two Rivers"
    write(own, "brooks", SOUND.replace("Two Rivers", "Ten Brooks"))
    with pytest.raises(VariantError, match=f"the copy {second} is missing; put it back"):
        load_variant(second)


def test_a_variant_without_a_drawing_has_none_and_its_copy_has_the_drawing_that_was_there(own: Path) -> None:
    plain = load_variant_to_play("rivers").edition
    with pytest.raises(NoGeometry, match="There is no picture of rivers: it has no geometry.json."):
        load_geometry(plain)
    shutil.copytree(variants_folder() / "standard", own / "europe")
    drawn = load_variant_to_play("europe").edition
    (own / "europe" / "geometry.json").unlink()
    assert load_geometry(drawn).spots.keys() == load_variant(drawn).provinces.keys()


@pytest.mark.parametrize("name", ["../own/rivers", "rivers@../../../etc", "", ".", "rivers/", "rivers@" + "0" * 16])
def test_no_name_leads_out_of_the_folders(own: Path, name: str) -> None:
    with pytest.raises((UnknownVariant, VariantError)):
        load_variant(name)


def test_every_variant_that_comes_with_the_judge_is_without_faults() -> None:
    for name in built_in_names():
        assert in_folder(variants_folder() / name).faults == ()
