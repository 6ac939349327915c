"""Several corrections of the board in one letter are one mail to each reader; readings and coasts before the start."""

from judge.maps.geometry import load_geometry
from judge.maps.scene import scene_of
from judge.rules import load_variant, start_position
from judge.rules.game_options import read_coasts, with_borders
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.maps.boards import draw

KIM, AS_KIM = "Kim <kim@example.org>", "SIGNON Mheron gm\n"


def about(mails: list[Posted], what: str) -> list[Posted]:
    return [mail for mail in mails if what in mail.subject]


def test_many_borders_in_one_letter_are_one_mail(heron: DeskAtWork) -> None:
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR - SPA")
    mails = heron.writes(
        KIM,
        f"{AS_KIM}BORDER REMOVE ARMY PAR - BUR\n\nBORDER REMOVE ARMY MAR - SPA\na third:\nBORDER ADD ARMY PAR - MAR",
    )
    told = about(mails, "Border Corrected")
    assert sorted(mail.to for mail in told) == sorted({mail.to for mail in told}), "one to each"
    assert len(told) >= 7
    france = next(mail.text for mail in told if mail.to == "france@example.org")
    for sentence in (
        "Armies cannot move between Burgundy [BUR] and Paris [PAR].",
        "Armies cannot move between Marseilles [MAR] and Spain [SPA].",
        "Armies can move between Marseilles [MAR] and Paris [PAR].",
    ):
        assert all(sentence in mail.flat for mail in told)
    assert "Army Paris cannot reach Burgundy." in france and "Army Marseilles cannot reach Spain." in france


def test_a_border_counts_for_the_command_below_it(heron: DeskAtWork) -> None:
    heron.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    mails = heron.writes(KIM, f"{AS_KIM}BORDER REMOVE ARMY PAR - BUR\nLIST\nBORDER REMOVE ARMY PAR - PIC")
    answer = next(mail.text for mail in mails if mail.message["Auto-Submitted"] == "auto-replied")
    assert "Dropped, because they are no longer possible: 1 order of France." in answer
    (told,) = [mail for mail in about(mails, "Border Corrected") if mail.to == "italy@example.org"]
    assert "between Burgundy [BUR] and Paris [PAR]" in told.flat
    assert "between Paris [PAR] and Picardy [PIC]" in told.flat


# --- coasts (Colonia: rule 2 names those of two provinces, no list those of the others) -----------------------------


def test_a_corrected_coast_counts_when_the_game_begins(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "colonia", "COAST JOIN LPL\nCOAST JOIN EGY\n")
    text = desk.replies("england@example.org", "SIGNON Eheron pwengland\nF LPL - NTH").flat
    assert "Fleet Liverpool -> North Sea." in text
    refused = desk.replies(KIM, f"{AS_KIM}COAST JOIN MEX").text
    assert "1 line refused" in refused


def test_a_coast_that_is_given_back_is_as_if_it_had_never_been_corrected(desk: DeskAtWork) -> None:
    back = "COAST JOIN STP\nCOAST SPLIT STP: NC bar, nwy; SC bot, fin, lvn\n"
    desk.seat_all("heron", "standard", back)
    told = desk.replies("al@example.org", "LIST heron").flat
    assert "one coast" not in told and "has the coasts" not in told
    text = desk.replies("russia@example.org", "SIGNON Rheron pwrussia\nF STP - BOT").text
    assert "-> Gulf of Bothnia." in " ".join(text.split()), "the fleet begins on the south coast"


def test_a_province_that_is_split_has_borders_at_both_ends() -> None:
    variant = load_variant("standard")
    change = read_coasts(variant, "Brest", "NC eng, pic; SC gas, mao")
    split = with_borders(variant, [str(change)])
    assert split.provinces["BRE"].fleet == {"NC": ("ENG", "PIC"), "SC": ("GAS", "MAO")}
    assert "BRE/NC" in split.provinces["ENG"].fleet[""] and "BRE/SC" in split.provinces["MAO"].fleet[""]
    assert "BRE" not in split.provinces["ENG"].fleet[""]
    assert [str(unit) for unit in split.power_named["France"].units if unit.province == "BRE"] == ["F BRE/NC"]
    again = with_borders(split, [str(read_coasts(split, "BRE", ""))])
    assert again.provinces["BRE"].fleet == variant.provinces["BRE"].fleet
    assert set(again.provinces["ENG"].fleet[""]) == set(variant.provinces["ENG"].fleet[""])


def test_a_board_with_other_coasts_can_be_drawn() -> None:
    variant = load_variant("standard")
    for text in ("COASTS BRE NC:ENG+PIC SC:GAS+MAO", "COASTS STP"):
        changed = with_borders(variant, [text])
        assert draw(scene_of(changed, start_position(changed)), load_geometry("standard"))
