"""Where players stand: what STATUS says of their own affairs, what start mails, reminders and results say of it."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judge.store.tables import Phase
from tests.commands.deskatwork import START, DeskAtWork, Posted
from tests.games.orders.test_standing_forms import begin_at
from tests.texts import flat

DOCS = Path(__file__).parents[3] / "docs"
FRANCE, SPAIN, KIM = "france@example.org", "spain@example.org", "kim@example.org"
SIGNON = {FRANCE: "SIGNON Fswan pwfrance\n", SPAIN: "SIGNON Sswan pwspain\n", KIM: "SIGNON Mswan gm\n"}


def deadline(desk: DeskAtWork, game: str) -> datetime:
    return desk.phase(game).deadline_at


def to(address: str, mails: list[Posted]) -> Posted:
    (mail,) = [mail for mail in mails if mail.to == address]
    return mail


def test_a_game_of_1648(swan):
    starts = {mail.to: mail.flat for mail in swan.all_mails() if "Game Starting" in mail.subject}
    assert "Your vassals: " in starts[FRANCE]
    vassals = starts[FRANCE][starts[FRANCE].index("Your vassals: ") :].partition(" worth 1 more.")[0]
    assert "Your vassals" not in starts[KIM]

    # A vote is named, lines that were sent ahead stand as they were written, points with their limits.
    orders = "A MAR - SAV\nA PAR H\nF BRE H\nDP 2: A SWI S A MAR - SAV\nDP 2: A TUS H\n"
    later = "PHASE F1649M\nA SAV - MIL\nIF A SAV\nA PAR - LOR\nENDIF\n"
    swan.writes(FRANCE, SIGNON[FRANCE] + orders + "DRAW France, Spain\nSET WAIT\n" + later)
    asked = SIGNON[FRANCE] + "STATUS\n"
    signed_on, by_address = swan.would_reply(FRANCE, asked), swan.would_reply(FRANCE, "STATUS swan")
    for mail in (signed_on, by_address):
        for text in (mail.text, mail.page):
            said = flat(text.replace("&gt;", ">"))
            assert "Your vote: a draw of France and Spain." in said
            assert "WAIT is set" in said
            assert "A SAV - MIL" in said
            assert "IF A SAV A PAR - LOR ENDIF" in said.replace("IF IF", "IF")
            assert "DP: 4 of 6 used." in said
            assert "You can put at most 2 points each on 2 neutrals, and 1 on others." in said
            assert "6 Diplomacy Points" not in said
            assert "Your vassals: " in said
        assert mail.text.count("Your vote") == mail.text.count(" 6 ") == 1, "no fact stands twice"
    assert vassals in by_address.flat
    # A confirmation names the vote, and only how much was sent ahead.
    told = swan.would_reply(FRANCE, SIGNON[FRANCE] + "A PAR H").text
    assert "Your vote: a draw of France and Spain." in told
    assert "Pending: F1649M, 2 orders." in told
    assert "A SAV - MIL" not in told
    assert "Your vassals" not in told

    # Nothing of that is seen by others; the master reads who is missing and what is on file, but no vote.
    others = swan.would_reply(SPAIN, SIGNON[SPAIN] + "STATUS").text + swan.would_reply(SPAIN, "STATUS swan").text
    for secret in ("Your vote: a draw of", "SAV", "DP 2", "Savoy.\nFrance", "Marseille ->"):
        assert secret not in others
    master = swan.would_reply(KIM, SIGNON[KIM] + "STATUS")
    for text in (master.text, master.page.replace("&#8594;", "->")):
        assert "Orders are missing from 8 powers: Austria, " in flat(text)
        assert "Marseille -> Savoy" in text
        assert "DP 2: Army Switzerland SUPPORT" in flat(text)
        assert "vote" not in text
    acting = swan.would_reply(KIM, SIGNON[KIM] + "BECOME France\nSTATUS\nA PAR H")
    assert "Army Marseille -> Savoy." in acting.text
    assert "vote" not in acting.text

    # Who has unspent points is reminded of them, whose orders are complete as well.
    swan.writes(SPAIN, SIGNON[SPAIN] + "A FLA H\nA MAD H\nF NAP H\nF SEV H\nDP NONE")
    when = deadline(swan, "swan")
    reminders = swan.ring(when - timedelta(hours=24))
    mine = to(FRANCE, reminders)
    assert mine.first_line == "Reminder: France has unspent points in swan."
    assert "2 unspent points: bid them, or send DP NONE." in mine.text
    assert "has unspent points in swan." in mine.page
    assert SPAIN not in {mail.to for mail in reminders}
    assert "Reminder: Austria still needs orders" in to("austria@example.org", reminders).text
    assert "3 unspent points: bid them" in to("austria@example.org", reminders).text

    # The reply to orders does not say twice that the phase will run to its deadline.
    told = swan.would_reply(FRANCE, SIGNON[FRANCE] + "A PAR H\nA MAR H\nF BRE H\nSET NO WAIT").text
    waits = swan.would_reply(FRANCE, SIGNON[FRANCE] + "A PAR H\nA MAR H\nF BRE H\nSET WAIT").text
    assert "You have unspent points" in told and "You have unspent points" not in waits
    assert "WAIT is set: the phase won't be processed before its deadline." in waits

    # Results say what became of the bids, which units had no order, and put all neutrals that held on one line.
    swan.writes(SPAIN, SIGNON[SPAIN] + "CLEAR A FLA\nCLEAR F SEV")
    mails = swan.ring(when + timedelta(minutes=30))
    results = {mail.to: mail.flat for mail in mails if "S1649M Results" in mail.subject}
    assert "A TUS held, as you bid; your other bid won." in results[FRANCE]
    assert "No order for A FLA and F SEV: they held." in results[SPAIN]
    assert "NMR: you sent no orders, so your units held." in results["turkey@example.org"]
    assert "Hold: Algiers, Bavaria, " in results[SPAIN]
    assert "bid won" not in results[SPAIN] + results[KIM]
    assert (
        "In Spring of 1649 you used 4 of 6 Diplomacy Points. A TUS held, as you bid; your other bid won."
        in swan.would_reply(FRANCE, "STATUS swan").flat
    )


@pytest.fixture
def in_grace(swan: DeskAtWork) -> list[Posted]:
    """The late notices of swan, whose master has set a grace of a day."""
    swan.writes(KIM, SIGNON[KIM] + "SET GRACE 24")
    swan.ring(deadline(swan, "swan"))
    swan.writes(FRANCE, SIGNON[FRANCE] + "A PAR H")
    return swan.ring(deadline(swan, "swan") + timedelta(minutes=1))


def test_a_late_notice_lists_no_points_since_the_phase_waits_for_none(in_grace: list[Posted]):
    late = to(FRANCE, in_grace)
    assert late.subject.startswith("[You are late!]")
    assert "Still missing: Army Marseille Fleet Brest The phase will be" in late.flat
    assert "unspent" not in late.flat


def test_status_says_once_when_grace_ends(in_grace: list[Posted], swan: DeskAtWork):
    for text in ("STATUS swan", SIGNON[FRANCE] + "STATUS", SIGNON[FRANCE] + "A MAR H"):
        assert swan.would_reply(FRANCE, text).flat.count("Grace for late orders ends") == 1


def test_who_has_nothing_to_order_is_not_offered_to_change_orders(heron):
    heron.lay("F1901R", dislodged={"Germany": [{"unit": "A MUN", "from": "BUR", "by_convoy": False}]})
    reply = heron.replies("germany@example.org", "SIGNON Gheron pwgermany\nA MUN D")
    assert "Until then you can still change your orders" in reply.flat
    told = heron.replies("france@example.org", "SIGNON Fheron pwfrance\nSTATUS").flat
    assert "All orders are in. The phase will be processed on" in told and "you can still change" not in told


def test_a_player_without_points_is_told_so(desk):
    """An eliminated power cannot "spend 1 points of 0"."""
    desk.seat_all("swan", "1648")
    own = {table: {**desk.phase("swan").position[table], "Spain": []} for table in ("units", "centers")}
    desk.lay("", "swan", **own)
    reply = desk.would_reply(SPAIN, SIGNON[SPAIN] + "DP 1: F TUN H").text
    assert "You have no points to spend in this phase" in flat(reply).replace("you have", "You have")
    assert "1 points" not in reply
    assert "to spend on" not in desk.would_reply(SPAIN, SIGNON[SPAIN] + "STATUS").text


@pytest.mark.parametrize(
    ("variant", "power", "told"),
    [
        ("intercontinental", "blue", "Your affiliates, on which your points count double: "),
        ("intercontinental", "violet", "New Orleans, Omaha, Paramaribo, Richmond and Sacramento."),
        ("colonia", "spain", "Your colonies, in which you build as in a home center: "),
        ("ambition_empire", "france", "DP: 0 of 3 used."),
    ],
)
def test_other_boards(desk, variant, power, told):
    desk.seat_all("heron", variant)
    mail = desk.would_reply(f"{power}@example.org", "STATUS heron")
    assert told in mail.flat
    assert told in flat(mail.page)
    assert "Your vassals" not in mail.text


def test_a_winter(desk):
    """Units that may be removed are named, as sites for builds are."""
    units = {"France": ["A MAR", "A PAR", "F BRE"], "England": ["F LON"]}
    begin_at(desk, "W1901A", {"units": units, "centers": {"France": ["PAR"], "England": ["LON", "LVP"]}})
    asked = desk.would_reply(FRANCE, "SIGNON Fheron pwfrance\nSTATUS\nREMOVE A MAR")
    assert "1 removal (of A PAR or F BRE): REMOVE and the unit" in asked.flat
    assert "REMOVE ...  // A PAR, F BRE" in asked.text
    builds = desk.would_reply("england@example.org", "STATUS heron").text
    assert "1 build (in Liverpool), or WAIVE" in builds


FACTS = {
    "your orders on file": "Movement orders for",
    "what is missing, and what you can choose from": r" \.\.\.$|no order \(|still needs",
    "your advance orders": r"Pending: [FW]1649",
    "your votes, and WAIT": "Your vote: .*|WAIT is set",
    "your points and bids": "DP|Diplomacy Point",
    "how you may spend your points": "You can put at most",
    "your vassals, affiliates and colonies": "Your vassals: ",
    "how many of your bids won": "[Yy]our[^.]* bids? (won|did not win)\\.|held, as you bid",
    "when orders are due": "Orders are due by|Time left",
}


def test_the_table_of_emails_is_true(swan):
    """The table in docs/formats.md against the emails of a player who has something of everything."""
    page = (DOCS / "formats.md").read_text()
    rows = re.findall(r"^\| ([a-z].*?) \|(.*)\|$", page.partition("## Which email")[2], re.MULTILINE)
    head, *table = [(name, [cell.strip() for cell in cells.split("|")]) for name, cells in rows]
    turkey = "turkey@example.org"
    signon = "SIGNON Tswan pwturkey\n"
    mails = {"start": to(turkey, [mail for mail in swan.all_mails() if "Game Starting" in mail.subject])}
    lines = "A BEL H\nDP 1: A TUS H\nDRAW\nSET WAIT\nPHASE F1649M\nF CON H\n"
    mails["confirmation"] = swan.replies(turkey, signon + lines)
    corrected = swan.writes(KIM, SIGNON[KIM] + "CORRECT POSITION Turkey: A BEL - BUL")
    mails["correction"] = to(turkey, corrected)
    when = deadline(swan, "swan")
    mails["reminder"] = to(turkey, swan.ring(when - timedelta(hours=24)))
    swan.writes(turkey, signon + "DP 1: A TUS H\nNO DRAW\nSET NOWAIT")
    rung = swan.ring(when + timedelta(minutes=30))
    mails["results"] = to(turkey, [mail for mail in rung if "Results" in mail.subject])
    swan.writes(turkey, signon + "DRAW\nPHASE W1649A\nWAIVE")
    mails["STATUS"] = swan.replies(turkey, signon + "STATUS")
    for name, cells in table:
        for column, cell in zip(head[1], cells, strict=True):
            text = mails[column].text
            found = re.search(FACTS[name], text, re.MULTILINE) or re.search(FACTS[name], flat(text))
            assert bool(found) == (cell == "yes"), (name, column, text)
    assert {name for name, _ in table} == FACTS.keys()


def test_a_page_tells_all_games_with_the_next_deadline_first(desk: DeskAtWork) -> None:
    desk.seat_seven("swan")
    desk.seat_seven()
    desk.writes(KIM, "SIGNON Mswan gm\nSET DEADLINE Tue 21:00")
    desk.writes(FRANCE, "SIGNON Fswan pwfrance\nA PAR - BUR\nA MAR S A PAR - BUR\nF BRE - MID")
    page = desk.replies(FRANCE, "STATUS ALL").page
    assert page.index(">swan: ") < page.index(">heron: ") and page.count("Missing:") == 1


SENTENCE = "The German Army in Munich can retreat to Ruhr or Silesia."
OWN = "Army Munich, dislodged: A MUN - RUH, A MUN - SIL or A MUN D"


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    """France has dislodged the German army in Munich."""
    desk.seat_seven()
    desk.goes_on("Munich is taken", lambda: take_munich(desk))
    return desk


def take_munich(desk: DeskAtWork) -> None:
    desk.writes(
        "kim@example.org",
        "SIGNON Mheron gm\nCORRECT POSITION\nFrance: A PAR - BUR\nItaly: A VEN - TYR\nAustria: A VIE - BOH\nEND",
    )
    desk.writes("france@example.org", "SIGNON Fheron pwfrance\nA BUR - MUN")
    desk.writes("italy@example.org", "SIGNON Iheron pwitaly\nA TYR S A BUR - MUN")
    desk.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS!")


def test_its_player_is_told_what_to_write_signed_on_or_not(heron):
    by_address = heron.replies("germany@example.org", "STATUS heron").text
    assert OWN in by_address and SENTENCE in by_address
    signed_on = heron.replies("germany@example.org", "SIGNON Gheron pwgermany\nSTATUS").text
    assert OWN in signed_on and SENTENCE in signed_on
    for order in OWN.partition(": ")[2].replace(" or ", ", ").split(", "):
        answer = heron.would_reply("germany@example.org", f"SIGNON Gheron pwgermany\n{order}")
        assert answer.first_line == "Orders complete."


def test_all_others_are_told_that_it_is_dislodged_and_a_new_observer_with_the_position(heron):
    for reader in ("france", "kim", "stranger"):
        for question in ("STATUS heron", "LIST heron"):
            text = heron.would_reply(f"{reader}@example.org", question).text
            assert SENTENCE in text and "Your" not in text
    mails = heron.observes("walter@example.org", "OBSERVE heron")
    assert [SENTENCE in mail.text for mail in mails if "Position" in mail.subject] == [True]


@pytest.mark.parametrize(("due", "early"), [(None, False), (1, True), (2, False), (3, False)])
def test_a_phase_ends_early_if_it_is_due_at_another_moment_than_its_own(due: int | None, early: bool) -> None:
    """2 is its deadline, 3 the end of grace."""
    hours = [START + timedelta(hours=hour) for hour in range(4)]
    times: dict[str, Any] = {"opened_at": START, "earliest_at": START}
    times |= {"deadline_at": hours[2], "grace_ends_at": hours[3]}
    due_at = None if due is None else hours[due]
    phase = Phase(game_id=1, number=1, name="S1901M", position={}, due_at=due_at, **times)
    assert phase.early_at == (due_at if early else None)


def test_after_the_deadline_all_say_until_when_there_is_grace(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "standard", "SET GRACE 24")
    desk.ring(deadline(desk, "heron") + timedelta(minutes=1))
    signon, ends = "SIGNON Fheron pwfrance\n", "Grace for late orders ends Tue May 12 2026 23:30:00 +0000."
    was = f"Orders were due by Mon May 11 2026 23:30:00 +0000. {ends}"
    told = {
        f"{signon}A PAR H": f"The deadline has passed. {ends}",
        f"{signon}STATUS": was,
        "STATUS ALL": was,
        "LIST heron": was.removesuffix(ends),
        f"{signon}SET WAIT": "The deadline of S1901M has passed, so WAIT can no longer hold it up.",
    }
    for lines, words in told.items():
        reply = desk.would_reply(FRANCE, lines)
        assert words in reply.flat and "Orders are due by" not in reply.text + reply.page, lines
        assert "Wait for the deadline" not in reply.page, lines
    corrected = desk.would_write(KIM, "SIGNON Mheron gm\nCORRECT ORDERS France: A PAR H")
    assert was in to(FRANCE, corrected).flat
