"""What a player means: other ways to bid, wrong letters of units, orders of another phase, boards by their names."""

from datetime import timedelta

from tests.commands.deskatwork import DeskAtWork

FRANCE, AS_FRANCE = "france@example.org", "SIGNON Fheron pwfrance\n"


def remarks(text: str) -> list[str]:
    """The judge's remarks in a reply, each in one line."""
    joined = " ".join(text.split("\n\nMovement orders")[0].split("\n\nRetreat")[0].split())
    return joined.split("> ")[1:]


def test_a_wrong_letter_in_a_bid_is_told(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "1648")
    text = desk.replies(FRANCE, f"{AS_FRANCE}DP 1: F SWI H").text
    [remark] = remarks(text)
    assert "note: the unit in Switzerland is an army, so this was taken as A SWI H." in remark


def test_a_wrong_letter_of_a_unit_is_told(heron: DeskAtWork) -> None:
    text = heron.replies(FRANCE, f"{AS_FRANCE}A BRE - MAO\nF MAR S F PAR - BUR").text
    first, second = remarks(text)
    assert "note: the unit in Brest is a fleet, so this was taken as F BRE - MAO." in first
    assert "the unit in Marseilles is an army and the unit in Paris is an army, so this was taken as " in second
    assert "A MAR S A PAR - BUR." in second


def test_orders_with_the_right_letters_or_none_get_no_remark(heron: DeskAtWork) -> None:
    assert not remarks(heron.replies(FRANCE, f"{AS_FRANCE}BRE - MAO\nA MAR S PAR - BUR\nA PAR - BUR").text)


def test_what_a_letter_that_looks_meant_for_another_phase_replaces_is_told(heron: DeskAtWork) -> None:
    heron.replies(FRANCE, f"{AS_FRANCE}A PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MAO")
    text = heron.replies(FRANCE, f"{AS_FRANCE}A BUR - MUN\nA MAR - SPA\nF BRE - MAO").text
    gone, replaced = remarks(text)
    assert "There is no unit in Burgundy." in gone
    assert "note: this replaces A MAR S A PAR - BUR. Did you mean it for S1901M?" in replaced
    assert not remarks(heron.replies(FRANCE, f"{AS_FRANCE}A MAR - BUR").text), "a new letter of the same phase"


def test_an_order_of_another_kind_of_phase_replaces_nothing(heron: DeskAtWork) -> None:
    lines = ("A PAR R PIC", "A PAR D", "BUILD A PAR", "REMOVE A PAR", "A PAR B", "R A PAR")
    heron.replies(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    answer = heron.replies(FRANCE, AS_FRANCE + "\n".join(lines))
    assert answer.flat.count("this is a movement phase") == len(lines)
    assert "Army Paris -> Burgundy." in answer.text


def test_a_fleet_that_cannot_go_is_named_with_its_coast(heron: DeskAtWork) -> None:
    text = heron.replies("russia@example.org", "SIGNON Rheron pwrussia\nF STP - BAR\nA MOS S F STP - NWY").text
    assert "Fleet St. Petersburg (south coast) cannot reach Barents Sea." in " ".join(text.split())
    assert "Fleet St. Petersburg (south coast) cannot reach Norway." in " ".join(text.split())


def test_a_game_is_asked_before_a_board(desk: DeskAtWork) -> None:
    """A game may have the name of a board."""
    desk.seat_all("1900", "1900")
    assert desk.replies(FRANCE, "INFO EGY 1900").text.startswith("Egypt (EGY) in 1900.")


def test_a_retreat_that_is_replaced_by_a_move_of_the_next_phase_is_told(heron: DeskAtWork) -> None:
    """In a retreat "A MUN - RUH" is a retreat, also where it was meant for the movement that follows."""
    as_germany = "SIGNON Gheron pwgermany\n"
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA VIE - BOH")
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    with_deadline(heron)
    heron.writes("austria@example.org", "SIGNON Aheron pwaustria\nA BOH S A BUR - MUN")
    heron.writes(FRANCE, f"{AS_FRANCE}A BUR - MUN")
    with_deadline(heron)
    germany = "germany@example.org"
    heron.replies(germany, f"{as_germany}A MUN - TYR")
    text = heron.replies(germany, f"{as_germany}A BER - KIE\nA MUN - RUH").text
    assert "note: this replaces A MUN - TYR. Did you mean it for F1901R?" in " ".join(text.split())


def with_deadline(desk: DeskAtWork) -> None:
    """The open phase is processed when it is due, with whatever is on file."""
    due = desk.phase().grace_ends_at
    desk.ring(due + timedelta(seconds=1))


def test_boards_are_called_by_their_titles(desk: DeskAtWork) -> None:
    begin = "REGISTER\nName: Kim Doe\nEND\nCREATE ?heron gm"
    titles = {
        "Ambition & Empire": "Ambition & Empire", "A&E": "Ambition & Empire", "Ambition": "Ambition & Empire",
        "Build Anywhere": "Build Anywhere", "1900": "1900",
    }  # fmt: skip
    desk.expects("kim@example.org", "", {
        **{f"{begin} {title}": ("heron has been created", f"Variant: {board}") for title, board in titles.items()},
        **dict.fromkeys(["GET Ambition & Empire", "GET A&E", "HELP ambition"], "Ambition & Empire."),
        "GET RULES A&E": "The rules of Ambition & Empire.",
        "GET MAP Ambition & Empire": "The map of Ambition & Empire",
        "INFO EGY 1900": ("Egypt (EGY) on the board of 1900, at the start.", "British"),
        "INFO Hanover Ambition & Empire": "Hanover (HAN) on the board of Ambition & Empire, at the start.",
        "HELP STANDBY": "How to write STANDBY",
        f"{begin}\nSET VARIANT 1900": (
            "A game keeps the board it was created with: Standard Diplomacy.",
            "CREATE ?<game> <password> 1900"),
    })  # fmt: skip
    desk.seat_seven(game="col")
    assert "in col" in desk.replies(FRANCE, "GET MAP col").text, "a game comes first"
