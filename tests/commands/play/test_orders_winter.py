"""Winters and victories by letter: too many builds or too few, a third home center, a game with neutrals won."""

from datetime import timedelta
from functools import partial

import pytest

from judge.rules import load_variant
from tests.commands.deskatwork import DeskAtWork, Posted

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


def test_waive_all_waives_what_the_builds_below_it_leave_also_if_it_was_kept(heron: DeskAtWork):
    centers = {"France": ["PAR", "MAR", "BRE"]}
    heron.lay("F1901M", units={"France": ["A SPA"], "Italy": ["A ROM"]}, centers=centers)
    heron.writes(FRANCE, f"{SIGNON}A SPA H\nPHASE W1901A\nWAIVE ALL\nBUILD A PAR")
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    told = next(mail.text for mail in mails if "Pending Orders" in mail.subject)
    assert "Builds an army in Paris." in told and told.count("Build waived.") == 2 and "one too many" not in told


@pytest.mark.parametrize("units", [["A SPA", "A BUR"], ["A SPA", "A MAR"]])
def test_builds_sent_ahead_for_a_winter_without_builds(heron: DeskAtWork, units: list[str]):
    """Whether the center is occupied or not, the reason is that nothing is due; that is not called complete."""
    centers = {"France": ["SPA", "MAR"], "Italy": ["ROM", "NAP", "VEN"]}
    heron.lay("F1901M", units={"France": units, "Italy": ["A ROM"]}, centers=centers)
    holds = "\n".join(f"{unit} H" for unit in units)
    heron.writes(FRANCE, f"{SIGNON}{holds}\nPHASE W1901A\nBUILD A MAR")
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    told = next(mail for mail in mails if "Pending Orders" in mail.subject)
    assert "NOT recorded: BUILD A MAR. You have nothing to order in W1901A." in told.flat
    assert "You have no units to build." in told.text and "France: nothing to order in this phase." in told.text
    assert "Orders are due" not in told.text and "omplete" not in told.text


SPAIN = "spain@example.org"
AS_SPAIN = "SIGNON Sswan pwspain\n"


@pytest.fixture
def spanish(desk: DeskAtWork) -> DeskAtWork:
    """Game swan in Winter 1763: Spain has won Portugal and Morocco and may build one unit, nobody else has to order."""
    desk.seat_all("swan", "ambition_empire")
    desk.lay(
        "W1763A",
        "swan",
        units={"Spain": ["F POR", "F MOR", "A MAD"], "France": ["A PAR"], "Neutral": ["F ALG"]},
        centers={"Spain": ["BRC", "MAD", "MOR", "POR"], "France": ["PAR"]},
    )
    return desk


def says(desk: DeskAtWork, *lines: str) -> Posted:
    return desk.replies(SPAIN, AS_SPAIN + "\n".join(lines))


def test_the_reminder_asks_for_it_and_tells_the_default(spanish):
    says(spanish, "BUILD F BRC")
    mails = [mail for day in range(1, 8) for mail in spanish.ring(spanish.now + timedelta(hours=6 * day))]
    reminder = next(mail for mail in mails if "Reminder" in mail.subject)
    assert reminder.to == SPAIN
    assert "your new home center: HOME Morocco (MOR) or Portugal (POR); else it is Morocco" in reminder.text


def test_without_a_word_it_is_the_first_by_abbreviation_and_the_results_say_so(spanish):
    results = spanish.ring(spanish.now + timedelta(days=10))[-1]
    told = results.flat
    assert "Morocco is now a home center of Spain, the first by abbreviation, because none was named." in told
    assert "Spain: 1 unused build pending." in told


def test_it_is_a_build_site_from_then_on(spanish):
    says(spanish, "BUILD F BRC", "HOME POR")
    spanish.ring(spanish.now + timedelta(days=10))
    assert spanish.phase("swan").position["homes"] == {"Spain": ["POR"]}
    spanish.lay("W1764A", "swan", units={"Spain": ["A MAD", "F BRC"]})
    reply = says(spanish, "BUILD F POR", "BUILD F MOR")
    assert "Spain: Builds a fleet in Portugal." in reply.text
    assert "Morocco is not one of your home centers." in reply.text


def test_a_build_there_can_be_sent_ahead(spanish):
    spanish.lay("F1764M", "swan", units={"Spain": ["A MAD", "F MOR"]}, homes={"Spain": ["POR"]})
    assert "1 line saved for W1764A" in says(spanish, "PHASE W1764A", "BUILD F POR").text
    mails = spanish.ring(spanish.now + timedelta(days=10))
    pending = next(mail for mail in mails if "W1764A Pending Orders" in mail.subject)
    assert "Spain: Builds a fleet in Portugal." in pending.text


def test_home_replaces_only_home(spanish):
    says(spanish, "BUILD F BRC", "HOME POR")
    reply = says(spanish, "HOME MOR")
    assert reply.flat.startswith("Your earlier HOME POR was replaced: only one center becomes your home. Orders ")
    assert "BUILD F BRC\n" in reply.text and "To have " not in reply.text


def test_the_results_of_the_fall_ask_for_it(spanish):
    spanish.lay("F1763M", "swan", centers={"Spain": ["BRC", "MAD"], "France": ["PAR"]})
    mails = spanish.ring(spanish.now + timedelta(days=10))
    told = next(mail.flat for mail in mails if mail.to == SPAIN and "F1763M Results" in mail.subject)
    assert "You have 4 centers (+2): build 1 unit and name your new home center by " in told


def after_fall(desk: DeskAtWork, variant: str, owned: dict[str, int]) -> list[Posted]:
    """The mails after a Fall in which these powers own so many centers."""
    desk.seat_all("swan", variant)
    centers = sorted(load_variant(variant).centers)
    taken = {power: [centers.pop() for _ in range(number)] for power, number in owned.items()}
    units = {power: [f"A {next(filter(partial(inland, variant), own))}"] for power, own in taken.items()}
    desk.lay(f"F{desk.phase('swan').name[1:]}", "swan", units=units, centers=taken)
    desk.new_mails()
    return desk.ring(desk.now + timedelta(days=10))


def inland(variant: str, center: str) -> bool:
    return load_variant(variant).provinces[center].kind == "land"


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_so_many_centers_win(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough - 1})
    assert "\n\nFrance has won swan.\n\n" in mails[0].text
    assert {mail.subject.rpartition(" ")[2] for mail in mails} == {"Results", "France"}


@pytest.mark.parametrize(("variant", "enough"), [("1648", 18), ("ambition_empire", 15)])
def test_if_two_are_level_the_game_goes_on(desk, variant, enough):
    mails = after_fall(desk, variant, {"France": enough, "Spain": enough})
    assert not any("won" in mail.text for mail in mails)
    assert "The next phase of 'swan' will be" in mails[-1].text


@pytest.fixture
def building(heron: DeskAtWork) -> DeskAtWork:
    """France may build two units in Winter 1901."""
    centers = {"France": ["BRE", "MAR", "PAR", "SPA", "POR"]}
    heron.lay("W1901A", centers=centers, units={"France": ["A BUR", "A GAS", "F MAO"]})
    return heron


@pytest.mark.parametrize(
    ("letters", "first", "both"),
    [
        (["BUILD A PAR", "BUILD F BRE"], "Your earlier BUILD A PAR was replaced", "BUILD A PAR\n    BUILD F BRE"),
        (["WAIVE", "BUILD F BRE"], "Your earlier WAIVE was replaced", "WAIVE\n    BUILD F BRE"),
        (["BUILD A PAR\nBUILD A MAR", "BUILD F BRE"], "Your earlier BUILD A PAR and BUILD A MAR were replaced", ""),
        (["BUILD A BRE", "BUILD F BRE"], "Your earlier BUILD A BRE was replaced", ""),
        (["BUILD A PAR", "BUILD A PAR\nBUILD F BRE"], "Orders complete.", ""),
        (["BUILD A PAR", "CLEAR\nBUILD F BRE"], "1 order taken back: BUILD A PAR.", ""),
        (["BUILD A PAR", "SET WAIT"], "1 build not ordered.", ""),
    ],
)  # fmt: skip
def test_a_winter_letter_names_first_what_it_takes_off_the_file(building: DeskAtWork, letters, first, both):
    for lines in letters:
        reply = building.replies(FRANCE, SIGNON + lines)
    assert reply.flat.startswith(first)
    assert ("To have " in reply.text) == bool(both)
    assert f"To have both, send in one email:\n\n    {both}" in reply.text or not both
    results = [mail for mail in building.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!") if mail.to == FRANCE]
    said = first.removeprefix("Your earlier ").partition(" w")[0]
    assert any(f"A later email replaced your {said}." in mail.flat for mail in results) == ("replaced" in first)


def test_what_of_an_earlier_winter_letter_still_fits_is_there_to_copy(building: DeskAtWork):
    """A build elsewhere fits beside the new one; the reminder names no center that has its build."""
    building.lay(units={"France": ["A BUR", "A GAS"]})
    building.replies(FRANCE, f"{SIGNON}BUILD A PAR\nBUILD F BRE\nBUILD A MAR")
    reply = building.replies(FRANCE, f"{SIGNON}BUILD F MAR")
    lines = "\n    ".join(["BUILD A PAR", "BUILD F BRE", "BUILD F MAR"])
    assert f"To have these 3, send in one email:\n\n    {lines}\n" in reply.text
    assert "2 builds (in Brest or Paris), or WAIVE" in building.would_reply(FRANCE, f"{SIGNON}STATUS").text


def test_a_third_winter_letter_loses_none_of_what_was_replaced(building: DeskAtWork):
    for lines in ("BUILD A PAR", "BUILD F BRE", "BUILD A MAR\nBUILD F BRE"):
        building.replies(FRANCE, SIGNON + lines)
    results = building.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")
    assert any("A later email replaced your BUILD A PAR." in mail.flat for mail in results if mail.to == FRANCE)
    assert not any("A later email" in mail.flat for mail in results if mail.to == "italy@example.org")


BLUE, AS_BLUE = "blue@example.org", "SIGNON Bglobe pwblue\n"


@pytest.fixture
def globe(desk: DeskAtWork) -> DeskAtWork:
    """Blue may build two units of British Raj and one of Cape Colony in Winter 1866."""
    desk.seat_all("globe", "intercontinental")
    centers = {"British Raj": ["Bomb", "Calc", "Delh"], "Cape Colony": ["Cape", "Durb"]}
    desk.lay("W1866A", "globe", centers=centers, units={"British Raj": ["A Laho"], "Cape Colony": ["A Durb"]})
    return desk


@pytest.mark.parametrize(
    ("letters", "first", "both"),
    [
        (["BUILD A Calc", "BUILD F Bomb"], "Your earlier BUILD A Calc was replaced: new winter orders for British Raj "
         "replace all earlier winter orders for British Raj.", "BUILD A Calc\n    BUILD F Bomb"),
        (["BUILD A Calc", "BUILD F Cape"], "1 build (British Raj) not ordered.", ""),
        (["BUILD A Calc\nWAIVE Cape", "BUILD F Cape"], "Your earlier WAIVE Cape Colony was replaced", ""),
        (["WAIVE Raj", "BUILD F Bomb"], "Your earlier WAIVE British Raj", "WAIVE British Raj\n    BUILD F Bomb"),
    ],
)  # fmt: skip
def test_a_power_of_a_group_loses_only_its_own_winter_orders(globe: DeskAtWork, letters, first, both):
    for lines in letters:
        reply = globe.replies(BLUE, AS_BLUE + lines)
    assert reply.flat.startswith(first)
    assert f"To have both, send in one email:\n\n    {both}\n\n" in reply.text or not both
    results = [mail for mail in globe.writes("kim@example.org", "SIGNON Mglobe gm\nPROCESS!") if mail.to == BLUE]
    said = first.removeprefix("Your earlier ").partition(" was")[0]
    assert any(f"A later email replaced your {said}" in mail.flat for mail in results) == ("earlier" in first)


def test_a_waiver_that_is_offered_to_a_group_names_its_power(globe: DeskAtWork):
    reply = globe.replies(BLUE, f"{AS_BLUE}STATUS")
    assert "2 builds (in Bombay, Calcutta or Delhi), or WAIVE British Raj" in reply.flat
    offered = [line.rpartition("or ")[2] for line in reply.text.splitlines() if "or WAIVE" in line]
    assert "Orders complete." not in reply.first_line and len(offered) == 4
    for line in offered:
        assert "refused" not in globe.would_reply(BLUE, AS_BLUE + line).first_line
