"""Diplomacy Points by letter: what is taken, what is refused and why, what replaces what, and who is told."""

from datetime import timedelta

import pytest

from judge.games.orders.bids import read_bid_line
from judge.games.orders.standing import bids_verdict
from judge.rules import Hold, Move, OrderError, Outcome, Position, Unit
from judge.rules.mechanisms.auction import Auction, Bid, BidResult
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import flat, listed, mapped, table

AUSTRIA, FRANCE, SPAIN, KIM = (f"{name}@example.org" for name in ("austria", "france", "spain", "kim"))
SIGNON = {
    AUSTRIA: "SIGNON Aswan pwaustria\n",
    FRANCE: "SIGNON Fswan pwfrance\n",
    SPAIN: "SIGNON Sswan pwspain\n",
    KIM: "SIGNON Mswan gm\n",
}
HOLDS = {
    AUSTRIA: "A PRA H\nA VIE H\nF TRI H\n",
    "denmark@example.org": "SIGNON Dswan pwdenmark\nF CHR H\nF COP H\nA HOL H\nDP NONE\n",
    "england@example.org": "SIGNON Eswan pwengland\nF BRI H\nF LON H\nDP NONE\n",
    FRANCE: "F BRE H\nA MAR H\nA PAR H\n",
    "poland@example.org": "SIGNON Pswan pwpoland\nA CRA H\nA VIL H\nA WAR H\nDP NONE\n",
    "russia@example.org": "SIGNON Rswan pwrussia\nA MOS H\nA NOV H\nA VOR H\nDP NONE\n",
    SPAIN: "A FLA H\nA MAD H\nF NAP H\nF SEV H\n",
    "sweden@example.org": "SIGNON Wswan pwsweden\nA ABO H\nA RIG H\nA STE H\nF STO H\nDP NONE\n",
    "turkey@example.org": "SIGNON Tswan pwturkey\nA BEL H\nF CON H\nA DAM H\nDP NONE\n",
}


def says(desk: DeskAtWork, who: str, *lines: str) -> Posted:
    """The answer to a letter with these lines below the sign-on."""
    return desk.replies(who, SIGNON[who] + "\n".join(lines))


def bids_in(reply: Posted) -> list[str]:
    """The bids on file as a reply confirms them."""
    return [line for line in reply.text.split("To order")[0].splitlines() if line.startswith("DP")]


# A bid of one point, however it is written: behind each of these, or in their middle.
WAYS = """\
1 DP on ?
DP(1) ?
I bid 1 DP: ?
1 points for ?
Bid 1 on ?
1 DPs for ?
I spend 1 points: ?
put 1 DP on ?
DP 1 for ?
DP: 1 ?
DP=1 ?
DP 1 = ?
*DP 1:* ?
DP #1: ?
DP 1 - ?
[1 DP] ?
1DP ?
DP 1, ?
DP 1; ?
Diplomacy points: 1 ?
Points 1: ?
bids: 1 ?
1) DP 1: ?
- DP 1: ?
I allocate 1 DP for ?
**1 DP** ?
DP - 1: ?
1 diplomacy points on ?
DP 1: ?
DP1 ?
1: ?
dp 1 : ?
DP 1 to ?
1 DP to ?
put 1 points into ?
I give 1 DP to ?
DP 1 -> ?
* DP 1: ?
DP 1: ?   // as agreed
? (1 DP)
?: 1 DP
?, 1 DP
? DP 1
"""
NEUTRALS = mapped("""
    SWI => Switzerland
    SAV => Savoy
    LOR => Lorraine
    BAV => Bavaria
    SWA => Swabia
    MOR => Morocco""")


def test_the_ways_to_write_a_bid(swan):
    ways = listed(WAYS)
    for some in (ways[at : at + 6] for at in range(0, len(ways), 6)):
        bids = [way.replace("?", f"A {place} H") for way, place in zip(some, NEUTRALS, strict=False)]
        reply = swan.would_reply(FRANCE, SIGNON[FRANCE] + "\n".join(bids))
        told = [f"DP 1: Army {name} HOLD." for _, name in zip(some, NEUTRALS.values(), strict=False)]
        assert bids_in(reply) == [*told, f"DP: {len(some)} of 6 used."], reply.text
        assert ">" not in reply.text.replace("->", "").replace("<your password>", ""), reply.text
    for line in ("dp 2 : swi s mar - sav", "DP 2: Army Switzerland SUPPORT French Army Marseille -> Savoy."):
        reply = swan.would_reply(FRANCE, SIGNON[FRANCE] + line)
        assert bids_in(reply)[0] == "DP 2: Army Switzerland SUPPORT French Army Marseille -> Savoy."


def test_a_colon_may_be_between_the_neutral_and_its_order(swan):
    for line in ("DP 2: Switzerland: hold", "DP 2: A SWI: H", "2 DP for SWI: holds"):
        reply = swan.would_reply(FRANCE, SIGNON[FRANCE] + line)
        assert bids_in(reply)[0] == "DP 2: Army Switzerland HOLD.", line


def test_a_correction_of_orders_takes_no_bid_and_says_how_to_give_it(swan):
    reply = swan.would_reply("kim@example.org", "SIGNON Mswan gm\nCORRECT ORDERS France: DP 2: A SWI H\n").flat
    assert "This is a bid. Write BECOME France on a line of its own, and DP 2: A SWI H below it." in reply


def test_what_has_the_parts_of_a_bid_is_asked_back_in_the_first_sentence(swan):
    lines = """
        two DP: A SWI H
        DP two: A SWI H
        2x A SWI H
        my DP: 2 on A SWI H
        BID A SWI H 2
        DP 1,1: A SWI H
        DP +2 A SWI H
        DP -2: A SWI H
        DP 1.5: A SWI H
        I'd like to bid 2 DP on A SWI H
        spend both DP on A SWI H
        2 on A SWI H
        2 A SWI H
        all my points on A SWI H
        DP 2: 2 A SWI H
        DP A SWI H 2"""
    for line in listed(lines):
        told = swan.would_reply(FRANCE, f"{SIGNON[FRANCE]}A PAR H\nA MAR H\nF BRE H\n{line}").flat
        assert told.startswith(f'The bid "{line}" was not recorded. Write DP '), line
        assert "A SWI H" in told.partition("Write DP")[2], line


def test_a_suggested_bid_has_single_spaces(swan):
    reply = swan.would_reply(FRANCE, SIGNON[FRANCE] + "| 2 | A SWI | S A MAR - DAU |")
    assert "was not recorded. Write DP 2: A SWI S A MAR - DAU." in reply.flat


@pytest.mark.parametrize(("who", "lines", "told"), [
    (SPAIN, "DP 3: A LSA H", "DP 2: A LSA H"),
    (SPAIN, "DP 2: A SWI H\nDP 3: A LSA H", "DP 1: A LSA H"),
    (SPAIN, "DP 2: A SWI H\nDP 1: A SWA H\nDP 3: A LSA H", ""),
    (SPAIN, "DP 2: A SWI H\nDP 1: A SWI S A MAR - DAU", ""),
    (FRANCE, "DP 2: A SWI H\nDP 2: A SWA H\nDP 2: A RHI S A PAR - LOR", "DP 1: A RHI S A PAR - LOR"),
])  # fmt: skip
def test_too_many_points_on_one_neutral_are_answered_with_as_many_as_are_possible(swan, who, lines, told):
    reply = says(swan, who, lines)
    assert f"Write {told}." in reply.flat if told else "Write DP" not in reply.flat
    if told:
        assert "refused" not in says(swan, who, told).first_line


def test_lines_that_earlier_bids_leave_no_points_for_are_answered_with_what_replaces_these(swan):
    says(swan, SPAIN, "DP 2: F POR H\nDP 1: F TUN H")
    reply = says(swan, SPAIN, "DP 2: A MOR H\nDP 1: F ALG H")
    assert "To replace all of them, write DP CLEAR above your DP lines." in reply.flat
    assert "DP CLEAR" not in says(swan, SPAIN, "DP 2: A MOR H\nDP 2: F ALG H").text
    assert bids_in(says(swan, SPAIN, "DP CLEAR\nDP 2: A MOR H\nDP 1: F ALG H"))[-1] == "DP: 3 of 3 used."


def test_no_points_is_said_in_words(swan):
    says(swan, FRANCE, "DP 2: A SWI H")
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", dict.fromkeys(
        ["NO DP", "no points", "No DPs.", "DP NONE", "DP: none", "DP PASS", "DP NIL"], "0 of 6 used"))  # fmt: skip


def test_a_bid_may_be_written_in_a_table_or_with_stops(swan):
    lines = ["D.P. 2: A SWI H", "D P 2: A SWI H", "DP | 2 | A SWI H", "| DP 2 | A SWI H |", "\\- DP 2: A SWI H"]
    lines += ["DP 2: \u0410 SWI H", "DP 2: A SWI S A MAR &rarr; SAV", "\U0001f4b0 DP 2: A SWI H<sup>1</sup>"]
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", dict.fromkeys(lines, "2 of 6 used"))
    asked = dict.fromkeys(["last: 2 DP A SWI H", "first, two points: A SWI H"], "DP 2: A SWI H")
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", asked)


def test_a_bid_may_have_the_neutrals_name_before_it_and_a_remark_after_it(swan):
    lines = ["DP 2: Neutral: A SWI H", "DP 2: Switzerland: Army Switzerland HOLD.", "DP 2: A SWI H (as agreed)"]
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", dict.fromkeys(lines, "2 of 6 used"))
    asked = {
        "Switzerland: Army Switzerland SUPPORT French Army Marseille -> Savoy.": "Write DP 1: A SWI S A MAR - SAV.",
        "DP 2: Savoy: A SWI H": "0 of 6 used",
        "DP: A SWI H (two)": "0 of 6 used",
        "DP 2: Army Switzerland HOLD.  (it held)": "the result of an earlier bid. Write DP 2: Army Switzerland HOLD",
        "DP: 2 of 6 used.": "1 line ignored.",
    }
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", asked)


def test_a_number_in_brackets_is_points_before_an_order_of_a_neutral(swan):
    lines = ["[2] A SWI H", "[2]: A SWI H", "- [ 2 ] - A SWI H"]
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", dict.fromkeys(lines, "DP: 2 of 6 used"))
    own = {"[2] A PAR H": "Army Paris is your own. Order it without points.", "[2] we attack": "0 of 6 used"}
    asked = dict.fromkeys(["[x] A SWI H", "A SWI H [2]", "(2) A SWI H", "[2 A SWI H", "[A SWI H] 2"], "0 of 6 used")
    swan.expects(FRANCE, SIGNON[FRANCE] + "DP CLEAR\n", own | asked)


def test_a_line_may_have_several_bids_if_each_has_its_points(swan):
    swan.expects(FRANCE, SIGNON[FRANCE], """
        DP 2: A SWI H; DP 1: A SWA H      => 3 of 6 used
        DP 2: A SWI H, 1: A SWA H         => 3 of 6 used
        2 DP: A SWI H; 1 DP: A SWA H; 1 DP: A SAV H. => 4 of 6 used
        DP 1: A SWI H, A SWA H            => Put each order for a neutral on a line of its own.""")  # fmt: skip
    kept = says(swan, FRANCE, "PHASE F1649M", "DP 2: A SWI H; DP 1: A SWA H")
    assert "DP 2: A SWI H" in kept.text and "refused" not in kept.first_line
    swan.writes(KIM, SIGNON[KIM] + "PROCESS!")
    assert bids_in(says(swan, FRANCE, "STATUS"))[-1] == "DP: 3 of 6 used."


def test_a_bid_for_a_later_phase_that_can_never_be_right_is_refused(swan):
    swan.expects(
        FRANCE,
        SIGNON[FRANCE] + "PHASE F1649M\n",
        """
        DP 3: A SWI H      => 1 line refused. ... A power can put at most 2 points on one neutral.
        DP 2: A SWI - DAU  => 1 line refused. ... it can only hold or support.
        DP 2: A SWI H      => 1 line saved for F1649M""",
    )


def test_a_comment_behind_a_bid_is_left_out(swan):
    lines = [
        "DP 2: A SWI S MAR - DAU # for Dauphiné",
        "DP 2: A SWI H // as agreed",
        "DP # 2: A SWI H",
        "DP #2: A SWI H",
    ]
    swan.expects(FRANCE, SIGNON[FRANCE], dict.fromkeys(lines, "2 of 6 used"))


def test_bids_are_taken_back_in_other_words(swan):
    says(swan, FRANCE, "DP 2: A SWI H", "DP 1: A SWA H")
    swan.expects(
        FRANCE,
        SIGNON[FRANCE],
        """
        DP CLEAR A SWI     => taken back. ... DP: 1 of 6 used.
        dp clear a swi     => taken back. ... DP: 1 of 6 used.
        DP CLEAR SWI       => taken back. ... DP: 1 of 6 used.
        dp clear Switzerland => taken back. ... DP: 1 of 6 used.
        dp clear up the mess => 3 of 6 used.
        DP CLEAR ALL       => DP: 0 of 6 used.
        CLEAR A SWI        => Your bids for A SWI stay on file. DP 0: A SWI takes them back.""",
    )
    lines = [
        "CLEAR DP",
        "CLEAR BIDS",
        "WITHDRAW BIDS",
        "WITHDRAW MY BIDS",
        "CANCEL DP",
        "Cancel my bids",
        "DELETE ALL POINTS",
    ]
    swan.expects(FRANCE, SIGNON[FRANCE], dict.fromkeys(lines, "Not done: DP CLEAR takes back all your bids"))
    assert all("RESIGN" not in says(swan, FRANCE, line).text for line in lines)


def test_no_points_for_no_order_are_answered_with_both_meanings(swan):
    lines = dict.fromkeys(["DP 0", "0 DP", "DP: 0"], "Write DP NONE to decline your points, or DP CLEAR to")
    swan.expects(FRANCE, SIGNON[FRANCE], lines)


def test_the_number_of_a_line_is_no_points(swan):
    own = ["1st: A PAR - PIC", "2nd. A PAR - PIC", "3️⃣ A PAR - PIC", "4) A PAR - PIC", "#5: A PAR - PIC"]
    swan.expects(FRANCE, SIGNON[FRANCE], dict.fromkeys(own, "2 units without orders: A MAR, F BRE."))
    of_neutral = ["1st: A SWI H", "2️⃣ A SWI H"]
    swan.expects(FRANCE, SIGNON[FRANCE], dict.fromkeys(of_neutral, "bid for it. Write DP 1: A SWI H."))


def test_bids_alone_have_a_picture_too(swan):
    reply = says(swan, FRANCE, "DP F TUN H")
    assert reply.picture and reply.picture[1]["bids"] == {"France": ["F TUN H"]}


@pytest.mark.parametrize(
    ("variant", "who", "order", "shown", "most"),
    [
        ("ambition_empire", FRANCE, "A SWI H", "Army Switzerland HOLD.", 3),
        ("intercontinental", "blue@example.org", "F DUBL H", "Fleet Dublin HOLD.", 2),
    ],
)
def test_lines_add_up_on_every_board_as_far_as_it_allows(desk, variant, who, order, shown, most):
    desk.seat_all("swan", variant)
    power = who.partition("@")[0]
    signon = f"SIGNON {power}@swan pw{power}\n"
    for _ in range(2):  # a letter replaces the one before
        reply = desk.replies(who, signon + f"DP: {order}\n" * most)
        assert f"the same order again: {most} points in total." in reply.flat
        assert bids_in(reply)[0] == f"DP {most}: {shown}" and len(bids_in(reply)) == 2
    reply = desk.replies(who, signon + f"DP: {order}\n" * (most + 1))
    assert f"DP {most}: {shown}" in bids_in(reply), "one too many is refused, and what stood stands"


def test_the_form_brings_the_bids_and_a_line_for_those_that_are_left(swan):
    reply = says(swan, AUSTRIA, "A PRA H", "DP 2: A SWA S A VIE - BAV")
    form = reply.text.split("To order")[1]
    assert "    A PRA H\n    A VIE ...\n    F TRI ...\n    DP 2: A SWA S A VIE - BAV\n    DP 1: ...  " in form
    assert "DP 1: ...  // 1 point left, 31 neutrals\n" in form
    unspent = says(swan, FRANCE, "A PAR H").text.split("To order")[1]
    assert "    DP 1: ...\n" in unspent, "0 of 6 used: the line above says it"
    sent_back = form.partition("\n\n")[2].replace("<your password>", "pwaustria")
    again = swan.replies(AUSTRIA, sent_back)
    assert "> " not in again.text.split("To order")[0].replace("->", "")
    assert "DP: 2 of 3 used." in again.text


def test_the_form_brings_dp_none(swan):
    reply = says(swan, AUSTRIA, "A PRA H", "DP 2: A SWA S A VIE - BAV", "DP NONE")
    form = reply.text.split("To order")[1]
    assert "    DP 2: A SWA S A VIE - BAV\n    DP NONE\n" in form and "DP 1: ..." not in form
    again = swan.replies(AUSTRIA, form.partition("\n\n")[2].replace("<your password>", "pwaustria"))
    assert "DP: 2 of 3 used. You have declined the rest." in again.text


# --- when a phase ends ----------------------------------------------------------------------------------------


def everybody_holds(desk: DeskAtWork) -> None:
    for who, lines in HOLDS.items():
        desk.writes(who, SIGNON.get(who, "") + lines)
    desk.new_mails()


def test_the_phase_waits_for_whoever_has_points_left(swan):
    everybody_holds(swan)
    says(swan, AUSTRIA, "DP NONE")
    says(swan, SPAIN, "DP 2: F POR H", "DP 1: A MOR H")
    reply = says(swan, FRANCE, "DP 2: A SWI H")
    assert "so this phase will run to its deadline. If you don't want to use them, send DP NONE." in reply.flat
    assert swan.ring(swan.now + timedelta(hours=20)) == []
    reply = says(swan, FRANCE, "DP NONE")
    assert "All orders are in. The phase will be processed on" in reply.text
    assert "DP: 2 of 6 used. You have declined the rest." in reply.text


def test_a_new_bid_takes_dp_none_back(swan):
    everybody_holds(swan)
    for who in (AUSTRIA, SPAIN, FRANCE):
        says(swan, who, "DP NONE")
    assert "All orders are in" not in says(swan, FRANCE, "DP 2: A SWI H").text
    assert "All orders are in" in says(swan, FRANCE, "DP 1: A SWI H", "DP NONE").text


# --- who is told ----------------------------------------------------------------------------------------------


def auctioned(desk: DeskAtWork) -> dict[str, str]:
    """{address: its results} after a Spring in which the rulebook's three allocate points to Swabia."""
    says(desk, AUSTRIA, "A VIE - BAV", "DP 1: A SWA S A VIE - BAV")
    says(desk, FRANCE, "A PAR - LOR", "DP 1: A SWA S A PAR - LOR", "DP 1: F TUN H", "DP 2: F POR S F SEV")
    says(desk, SPAIN, "DP 1: A SWA S A VIE - BAV", "DP 1: F TUN S F NAP - ION")
    desk.new_mails()
    return {mail.to: mail.text for mail in desk.ring(desk.now + timedelta(days=10)) if "Results" in mail.subject}


def test_the_results_show_the_neutrals_in_a_block_of_their_own(swan):
    told = auctioned(swan)[SPAIN]
    players, neutrals = told.split("Neutral powers\n\n")
    assert neutrals.startswith("Bavaria:  Army Bavaria HOLD.  (*dislodged*)\n")
    assert "Hold: Algiers, Brandenburg, Candia," in flat(neutrals)
    assert "Swabia:   Army Swabia SUPPORT Austrian Army Vienna -> Bavaria." in neutrals
    assert " Transylvania, Tunis, Turkestan," in flat(neutrals), "a tie is not told apart from nothing"
    assert "Austria:          Army Vienna -> Bavaria." in players
    assert "Neutral" not in players and "No Order Processed" not in neutrals


def test_the_masters_copy_has_all_bids(swan):
    told = auctioned(swan)[KIM].partition("Diplomacy Points (only you, the master, see these):")[2]
    assert "Austria: DP 1: Army Swabia SUPPORT Austrian Army Vienna -> Bavaria.  (won)\n" in told
    assert "France: DP 1: Army Swabia SUPPORT French Army Paris -> Lorraine.  (outbid)\n" in told
    assert "France: DP 1: Fleet Tunis HOLD.  (no order won, because of a tie)\n" in told
    assert "France: DP: 4 of 6 used.\n" in told
    assert "No bids: Denmark-Norway, England, Poland-Lithuania, Russia, Sweden, Turkey." in flat(told)
    assert "Swabia: 2 for Army Swabia SUPPORT Austrian Army Vienna -> Bavaria. (followed)" in flat(told)
    assert "Tunis: a tie for the most points, so this neutral holds." in told


def test_the_masters_copy_has_the_neutrals_by_name(desk):
    desk.seat_all("swan", "ambition_empire")
    says(desk, SPAIN, "DP 1: F UPR H", "DP 1: F VEN H")
    desk.new_mails()
    mails = desk.ring(desk.now + timedelta(days=10))
    (told,) = [mail.text for mail in mails if mail.to == KIM and "Results" in mail.subject]
    assert told.index("Republic of Venice: 1 for") < told.index("United Provinces: 1 for")


def test_a_players_copy_has_his_own_bids_and_whether_they_won(swan):
    told = auctioned(swan)
    assert "Your Diplomacy Points as France in Spring of 1649 (only you and the master see" in told[FRANCE]
    own = told[FRANCE].partition("see this):")[2] or told[FRANCE].partition("\nthis):")[2]
    assert own.lstrip().partition("\n\n")[0].splitlines() == [
        "DP 1: Army Swabia SUPPORT French Army Paris -> Lorraine.  (did not win)",
        "DP 1: Fleet Tunis HOLD.  (it held)",
        "DP 2: Fleet Portugal SUPPORT Spanish Fleet Seville.  (won)",
        "DP: 4 of 6 used.",
    ]


def test_a_bid_to_hold_reads_the_same_whether_others_bid_there_or_not(swan):
    """The results show that Tunis held: that somebody else bid there does not follow from it."""
    bid_against = auctioned(swan)[FRANCE]
    says(swan, FRANCE, "A PAR H", "DP 1: F TUN H")
    alone = next(mail.text for mail in swan.ring(swan.now + timedelta(days=20)) if mail.to == FRANCE)
    line = "DP 1: Fleet Tunis HOLD.  (it held)\n"
    assert line in bid_against and line in alone
    assert "F TUN held, as you bid; 1 of your 2 other bids won." in flat(bid_against)
    assert "F TUN held, as you bid. You have" in flat(alone)
    assert (
        "In Fall of 1649 you used 1 of 6 Diplomacy Points. F TUN held, as you bid."
        in swan.replies(FRANCE, "STATUS swan").flat
    )


@pytest.mark.parametrize(
    ("lines", "came", "said"),
    [
        ("A DAU H", "won", "Your bid won. You"),
        ("A TYR - BAV", "won, but the order was void", "Your bid won, but this failed: A SWI S A TYR (void)."),
        ("A DAU - SWI", "won, but the support was cut", "Your bid won, but this failed: A SWI S A TYR (cut)."),
    ],
)
def test_a_bid_that_won_says_what_came_of_its_order(swan, lines, came, said):
    swan.lay("", "swan", units={**swan.phase("swan").position["units"], "France": ["A DAU"], "Austria": ["A TYR"]})
    says(swan, AUSTRIA, lines if "TYR" in lines else "A TYR H")
    says(swan, FRANCE, "A DAU H", lines, "DP 1: A SWI S A TYR")
    results = {mail.to: mail.text for mail in swan.ring(swan.now + timedelta(days=10)) if "Results" in mail.subject}
    assert f"DP 1: Army Switzerland SUPPORT Austrian Army Tyrolia.  ({came})\n" in results[FRANCE]
    assert said in flat(results[FRANCE])
    followed = "followed" + came.removeprefix("won")
    assert f"1 for Army Switzerland SUPPORT Austrian Army Tyrolia. ({followed})" in flat(results[KIM])


def test_a_neutral_that_held_as_bid_and_was_dislodged_is_no_success(swan):
    says(swan, AUSTRIA, "A VIE - BAV", "DP 1: A SWA S A VIE - BAV")
    says(swan, SPAIN, "DP 1: A BAV H")
    says(swan, FRANCE, "A MAR H", "DP 1: A BAV H", "DP 1: A SAX H", "DP 1: A SWI S A MAR", "DP 1: A DPR S A VIL - COU")
    results = {mail.to: mail.text for mail in swan.ring(swan.now + timedelta(days=10)) if "Results" in mail.subject}
    assert "DP 1: Army Bavaria HOLD.  (it held, but the unit was dislodged)\n" in results[FRANCE]
    assert "A BAV held, as you bid, but was dislodged. You" in flat(results[SPAIN])
    assert (
        "A BAV and A SAX held, as you bid, but A BAV was dislodged; your other bid won, but this failed: "
        "A DPR S A VIL - COU (void)." in flat(results[FRANCE])
    )


@pytest.mark.parametrize(
    ("filed", "lines", "told"),
    [
        ("DP 1: A DPR H\nDP 1: A MOR H", "DP 2: A SWI S A MAR - BUR", ""),
        ("DP 1: A DPR H", "DP 2: A BAV S A PRA - SAX", "Did you mean DP 2: A BAV S A PRA - FRA"),
        ("DP 2: A DPR H", "DP 2: A BAV S A PRA - SAX", "Did you mean DP 1: A BAV S A PRA - FRA"),
        ("DP 2: A DPR H\nDP 1: A MOR H", "DP 2: A BAV S A PRA - SAX", ""),
        ("DP 2: A BAV H\nDP 1: A MOR H", "DP 2: A BAV S A PRA - SAX", "Did you mean DP 2: A BAV S A PRA - FRA"),
        ("", "DP 3: A BAV S A PRA - SAX", "Did you mean DP 2: A BAV S A PRA - FRA"),
        ("DP 1: A DPR H", "DP -1: A TRA H", "Write DP 1: A TRA H."),
        ("DP 2: A DPR H", "DP 1: A MOR H\nDP -1: A TRA H", ""),
        ("DP 2: A DPR H", "DP 2: A BAV", "Write DP 1: A BAV H"),
    ],
)
def test_a_suggested_bid_fits_the_points_that_are_left(swan, filed, lines, told):
    if filed:
        says(swan, AUSTRIA, filed)
    reply = swan.would_reply(AUSTRIA, SIGNON[AUSTRIA] + lines).flat.split("Movement orders")[0]
    assert told in reply
    if not told:
        assert "Did you mean DP" not in reply and "Write DP 1" not in reply


def test_bids_are_revealed_after_the_end_if_it_was_set_so_before_the_beginning(desk):
    desk.seat_all("swan", "1648", settings="SET REVEAL BIDS")
    desk.new_mails()
    auctioned(desk)
    mails = desk.writes(KIM, SIGNON[KIM] + "TERMINATE swan")
    revealed = {mail.to: mail.text for mail in mails if "All Bids" in mail.subject}
    assert len(revealed) == 10
    assert "Movement bids for Spring of 1649" in revealed[SPAIN]
    assert "France: DP 1: Army Swabia SUPPORT French Army Paris -> Lorraine.  (outbid)" in revealed[SPAIN]


# --- a game with points needs a master ------------------------------------------------------------------------


def test_whoever_creates_such_a_game_is_its_master_whatever_the_judge_is_set_to(tmp_path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CREATOR_IS_MASTER": "no"})
    plain = desk.replies(KIM, "REGISTER\nName: Kim\nEND\nCREATE ?heron gm")
    assert "You are in it" in plain.text
    assert "You are its master (GM)" in desk.replies(KIM, "CREATE ?swan gm 1648").text


def test_its_last_master_cannot_go(swan):
    for line in ("RESIGN swan", f"EJECT {KIM}"):
        assert "swan always needs a master, and you are the only one." in says(swan, KIM, line).flat


# --- what a master puts right ---------------------------------------------------------------------------------


def test_a_correction_takes_bids_off_the_file_that_make_no_sense_any_more(swan):
    says(swan, FRANCE, "DP 2: A SWI S A MAR - SAV", "DP 1: F TUN H")
    mails = swan.writes(KIM, SIGNON[KIM] + "CORRECT POSITION Nobody: A MAR")
    (told,) = [mail for mail in mails if mail.to == FRANCE]
    assert "> DP 2: A SWI S A MAR - SAV\n" in told.text
    assert "DP 1: Fleet Tunis HOLD.\nDP: 1 of 6 used." in told.text
    assert all("DP" not in mail.text for mail in mails if mail.to != FRANCE)


def test_a_rollback_brings_the_bids_of_then(swan):
    auctioned(swan)
    swan.writes(KIM, SIGNON[KIM] + "ROLLBACK")
    assert "DP: 4 of 6 used." in says(swan, FRANCE, "A PAR H").text


# --- civil disorder -------------------------------------------------------------------------------------------


def test_a_power_in_permanent_civil_disorder_becomes_neutral_powers(swan):
    says(swan, SPAIN, "DP 1: A SWA S A VIE - BAV", "A FLA H")
    mails = swan.writes(KIM, SIGNON[KIM] + "EJECT Austria\nSET DISORDER Austria")
    told = next(mail.text for mail in mails if mail.to == SPAIN and "Civil Disorder" in mail.subject)
    assert "Austria: Army Vienna has been removed." in told and "Vienna is now neutral, with an army." in told
    assert "> DP 1: A SWA S A VIE - BAV" in told, "its bid makes no sense any more"
    reply = says(swan, SPAIN, "DP 1: A VIE H")
    assert "DP 1: Army Vienna HOLD." in reply.text
    assert "In this variant civil disorder is final" in says(swan, KIM, "SET NO DISORDER Austria").flat
    results = swan.ring(swan.now + timedelta(days=10))
    assert "Hold: Algiers," in results[0].text and ", Venice, Vienna, Wallachia." in results[0].flat


def test_a_rollback_does_not_bring_such_a_power_back(swan):
    swan.ring(swan.now + timedelta(days=10))
    swan.writes(KIM, SIGNON[KIM] + "EJECT Austria\nSET DISORDER Austria\nROLLBACK S1649M")
    assert "DP 1: Army Vienna HOLD." in says(swan, SPAIN, "DP 1: A VIE H").text


def test_a_power_whose_name_has_an_and_in_it_is_named_whole(desk):
    desk.seat_all("swan", "ambition_empire")
    desk.new_mails()
    mails = desk.writes(FRANCE, SIGNON[FRANCE] + "PRESS TO Poland & Saxony, Spain\nShall we?\nENDPRESS")
    assert {mail.to for mail in mails} == {FRANCE, "poland@example.org", SPAIN}
    desk.writes(KIM, SIGNON[KIM] + "EJECT Poland & Saxony\nSET DISORDER Poland & Saxony")
    assert "DP 1: Army Dresden HOLD." in says(desk, FRANCE, "DP 1: A DRE H").text


PLAYERS = "Austria Denmark England France Poland Russia Spain Sweden Turkey"


def everybody_agrees(desk: DeskAtWork, line: str, *but: str) -> list[Posted]:
    """The mails that the last of the players' letters makes."""
    mails: list[Posted] = []
    for name in PLAYERS.split():
        if name not in but:
            letter = "W" if name == "Sweden" else name[0]
            mails = desk.writes(f"{name.lower()}@example.org", f"SIGNON {letter}swan pw{name.lower()}\n{line}")
    return mails


def test_once_the_game_has_begun_bids_are_revealed_only_if_every_player_agrees(swan):
    everybody_agrees(swan, "SET REVEAL BIDS", "Turkey")
    assert "bids revealed" not in swan.replies(KIM, "LIST swan").text
    mails = swan.writes("turkey@example.org", "SIGNON Tswan pwturkey\nSET REVEAL BIDS")
    assert "Every player has agreed: All bids of Diplomacy Points will be made public" in flat(
        next(mail.text for mail in mails if mail.to == SPAIN)
    )
    assert "bids revealed after the end" in swan.replies(KIM, "LIST swan").flat


def test_who_has_agreed_is_told_to_nobody_and_a_word_counts_for_its_phase(swan):
    reply = says(swan, FRANCE, "SET REVEAL BIDS")
    assert "recorded for this phase" in reply.flat
    assert [mail.to for mail in everybody_agrees(swan, "SET REVEAL BIDS", "Turkey")] == ["sweden@example.org"]
    swan.ring(swan.now + timedelta(days=9))
    swan.writes("turkey@example.org", "SIGNON Tswan pwturkey\nSET REVEAL BIDS")
    assert "bids revealed" not in swan.replies(KIM, "LIST swan").text


def test_every_player_may_agree_that_bids_are_kept_secret(desk):
    desk.seat_all("swan", "1648", settings="SET REVEAL BIDS")
    everybody_agrees(desk, "SET NO REVEAL BIDS")
    assert "bids revealed" not in desk.replies(KIM, "LIST swan").text


def test_nobody_without_points_is_asked_to_spend_any(desk):
    """Ambition & Empire, IV: a point for each center; who has lost them all has none."""
    desk.seat_all("swan", "ambition_empire")
    desk.lay(game="swan", centers={**desk.phase("swan").position["centers"], "Spain": []})
    reply = desk.replies(SPAIN, "SIGNON Sswan pwspain\nA MAD H")
    assert "DP" not in reply.text and "points" not in reply.text


def test_list_tells_the_master_whose_points_hold_the_phase_up(swan):
    everybody_holds(swan)
    says(swan, AUSTRIA, "DP NONE")
    text = says(swan, KIM, "LIST").text
    assert "France:           3/3   unspent DP  France" in text
    assert "Austria:          3/3   ordered     Austria" in text
    assert "unspent DP" not in says(swan, SPAIN, "LIST").text


def test_history_bids_brings_the_master_the_bids_of_every_phase(swan):
    auctioned(swan)
    says(swan, FRANCE, "DP 2: A LOR H")
    swan.ring(swan.now + timedelta(days=9))
    text = swan.replies(KIM, "HISTORY swan BIDS").text
    assert flat(text).startswith("Bids of swan, S1649M to F1649M.")
    assert "Movement bids for Spring of 1649.\n" in text and "Movement bids for Fall of 1649.\n" in text
    assert "France: DP 2: Army Lorraine HOLD.  (won, worth 3)" in text
    assert "Fall of 1649" not in swan.replies(KIM, "HISTORY swan BIDS FROM S1649M TO S1649M").text


def test_history_bids_brings_players_their_own_and_nobody_anothers(swan):
    auctioned(swan)
    own = swan.would_reply(FRANCE, "HISTORY swan BIDS").text
    assert flat(own).startswith("Your own bids of swan, S1649M.")
    assert "France: DP 1: Fleet Tunis HOLD.  (it held)\n" in own and "France: DP: 4 of 6 used." in own
    for secret in ("Austria:", "Spain:", "outbid", "a tie", "followed", "No bids"):
        assert secret not in own
    assert "You bid nothing in swan" in swan.would_reply("denmark@example.org", "HISTORY swan BIDS").flat


def test_history_bids_keeps_from_a_successor_what_was_bid_before(swan):
    auctioned(swan)
    swan.writes(KIM, SIGNON[KIM] + "EJECT France")
    swan.writes("jo@example.org", "REGISTER\nName: Jo\nEND\nSIGNON Fswan pwjo")
    assert "You bid nothing in swan before F1649M." in swan.would_reply("jo@example.org", "HISTORY swan BIDS").flat
    swan.writes("jo@example.org", "SIGNON Fswan pwjo\nDP 1: F ALG H")
    swan.ring(swan.now + timedelta(days=9))
    assert swan.would_reply("jo@example.org", "HISTORY swan BIDS").text.count("France: DP 1:") == 1
    assert "(it held)" in swan.would_reply(FRANCE, "HISTORY swan BIDS").text, "what they were mailed themselves"
    assert "ALG" not in swan.would_reply(FRANCE, "HISTORY swan BIDS").text.upper()


def test_two_bids_of_ones_own_that_tie_are_noted(swan):
    ties = "Your own bids tie: A SWI S A MAR - DAU and A SWI S A MAR - SAV. Unless others bid for this neutral too, it"
    swan.expects(FRANCE, SIGNON[FRANCE] + "F BRE H\nA PAR H\nA MAR - DAU\nDP 1: A SWI S A MAR - DAU\n", {
        "DP 1: A SWI S A MAR - SAV": ties, "DP 1: A SWA H": "DP: 2 of 6 used."})  # fmt: skip
    assert "tie:" not in says(swan, FRANCE, "DP 1: A SWI S A MAR - DAU", "DP 1: A SWA H").text
    # The first of two equal bids on a vassal is worth more.
    assert "tie:" not in says(swan, FRANCE, "DP 1: A LOR S A MAR - DAU", "DP 1: A LOR H").text


def test_the_move_of_a_neutral_is_never_suggested_and_its_support_is_noted(swan):
    refused = says(swan, FRANCE, "A MAR S A SWI").flat
    assert "cannot reach Switzerland to support there." in refused and "Did you mean" not in refused
    assert "Did you mean" not in says(swan, FRANCE, "A MAR S A TUS - SAV").flat
    noted = says(swan, FRANCE, "A MAR S A SWI - SAV", "A PAR S A LOR", "F BRE H").flat
    assert (
        "- No effect: A MAR S A SWI - SAV, because neutrals never move." in noted
        and "because" not in (noted.partition("neutrals never move.")[2])
    )


@pytest.mark.parametrize("lines", [
    "Rhineland: A RHI S A PAR - LOR", "Rhineland:\nA RHI S A PAR - LOR", "Neutral: A RHI S A PAR - LOR",
    "Rhineland:        Army Rhineland SUPPORT French Army Paris -> Lorraine.",
])  # fmt: skip
def test_a_guess_may_name_a_neutral_as_results_do(swan, lines):
    reply = says(swan, FRANCE, f"WHATIF\nA PAR - LOR\n{lines}\nENDWHATIF")
    assert "Army Rhineland SUPPORT French Army Paris -> Lorraine." in reply.text and "left out of W" not in reply.flat


def test_a_guess_that_cannot_be_read_is_counted_in_the_first_sentence(swan):
    reply = says(swan, FRANCE, "WHATIF\nUtopia: A PAR - LOR\nA RHI S A PAR - LON\nENDWHATIF")
    assert "2 lines left out of WHATIF." in flat(reply.text.partition("::")[0]), reply.text


def test_a_guess_says_next_to_the_neutrals_that_bids_are_left_out(swan):
    says(swan, FRANCE, "DP 1: F TUN H", "DP 1: A TUS H")
    lines = ("DP 1: A SWI S A MAR - SAV", "WHATIF", "A TUS H", "ENDWHATIF")
    guess = says(swan, FRANCE, *lines).flat.partition("Neutral powers")[2]
    left = "DP 1: F TUN H; DP 1: A SWI S A MAR - SAV. To see what"
    assert f"Wallachia. Your bids are left out of this guess: {left}" in guess
    assert "left out" not in says(swan, SPAIN, "WHATIF", "A FLA H", "ENDWHATIF").flat
    refused = says(swan, SPAIN, "DP 1: A SWI S A MAR - LON", "DP 9: A SWI H", "WHATIF", "A FLA H", "ENDWHATIF").flat
    assert "left out of this guess" not in refused


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("A DAU - SWI\nDP 1: A SWI S A TYR", "A DAU - SWI, because your bid is for A SWI S A TYR."),
        ("A DAU - SWI\nDP 1: A SWI S A SWA", "A DAU - SWI, because your bid is for A SWI S A SWA."),
        ("A DAU - SWI\nDP 1: A SWI H", ""),
        ("A DAU H\nDP 1: A SWI S A SWA", ""),
        # It is not cut by the unit that it helps to attack.
        ("A DAU - SWI\nDP 1: A SWI S A SAV - DAU", ""),
    ],
)
def test_a_move_that_cuts_the_help_bid_for_is_noted(swan, lines, told):
    swan.lay("", "swan", units={**swan.phase("swan").position["units"], "France": ["A DAU", "A TYR"]})
    said = says(swan, FRANCE, *lines.splitlines()).flat
    assert ("Cuts the support that you bid for" in said) == bool(told)
    assert told in said


def test_a_master_who_plays_reads_all_bids_when_the_game_has_ended(desk):
    desk.writes("Kim <kim@example.org>", "REGISTER\nName: Kim\nEND\nCREATE ?swan gm 1648\nSIGNON ?swan mine")
    for name in "abcdefgh":
        desk.writes(f"{name}@example.org", f"REGISTER\nName: {name}x\nEND\nSIGNON ?swan pw{name}")
    desk.ring(desk.now + timedelta(days=9))
    assert "You also play in this game, so others' bids are hidden" in says(desk, KIM, "HISTORY BIDS").flat
    desk.writes(KIM, SIGNON[KIM] + "TERMINATE swan")
    nothing = says(desk, KIM, "HISTORY BIDS").flat
    assert "Nothing was bid in swan" in nothing
    assert "For everything" not in nothing


@pytest.mark.parametrize(
    ("line", "read"),
    table("""
        DP 2: A SWI H              => bid 2 A SWI H
        DP: A SWI H                => bid 1 A SWI H
        DP F TUN H                 => bid 1 F TUN H
        2 DP on A SWI H            => bid 2 A SWI H
        A SWI H (2 DP)             => bid 2 A SWI H
        2: A SWI H                 => bid 2 A SWI H
        DP 0: A SWI H              => bid 0 A SWI H
        DP 999: A SWI H            => bid 999 A SWI H
        DP CLEAR                   => clear
        DP NONE                    => none
        NO DP                      => none
        DP 1000: A SWI H           => No one has 1000 points.
        DP -1: A SWI H             => Points must be a whole number.
        DP 1.5: A SWI H            => Points must be a whole number.
        DP 2 3: A SWI H            => It is not clear how many points go to which order.
        DP 2:                      => There is no order here.
        DP 2: A SWI H, A LAP H     => Put each order for a neutral on a line of its own."""),
)
def test_what_a_line_of_points_says(line: str, read: str) -> None:
    try:
        said = read_bid_line(line)
        told = f"bid {said.points} {said.order}" if said.verb == "bid" else said.verb
    except OrderError as wrong:
        told = wrong.message
    assert told == read


@pytest.mark.parametrize(
    ("bids", "told"),
    [
        ("HHP", "F0 and F1 held, as you bid; your other bid won."),
        ("PP", "both of your bids won."),
        ("HPPP", "F0 held, as you bid; all 3 of your other bids won."),
        ("PPX", "2 of your 3 bids won."),
        ("XX", "none of your 2 bids won."),
        ("X", "your bid did not win."),
    ],
)
def test_a_verdict_on_bids_counts_as_people_do(bids: str, told: str) -> None:
    """H: a hold that was bid for; P: another order that won; X: one that did not."""
    units = [Unit("F", f"{number}") for number in range(len(bids))]
    orders = [Hold(unit) if kind == "H" else Move(unit, "X") for kind, unit in zip(bids, units, strict=True)]
    won = zip(bids, orders, strict=True)
    results = tuple(BidResult("France", Bid(1, order), 1, kind != "X") for kind, order in won)
    position = Position("S1901M", {"Neutral": tuple(units)}, {})
    outcome = Outcome("S1901M", position, (), bids=Auction(results))
    assert bids_verdict(position, outcome, "France").replace("F ", "F") == told


def test_bids_after_orders_on_one_line_are_read_with_the_sign_on_or_below_it(desk: DeskAtWork) -> None:
    desk.seat_all("swan", "ambition_empire")
    orders, filed = "A ANK H; F CON H", "Army Ankara HOLD. Turkey: Fleet Constantinople HOLD."
    for between in ("\n", " ", "; ", ", "):
        for bids, told in {
            "; DP 1: F TUN H; DP 1: F ALG H": "DP 1: Fleet Tunis HOLD. DP 1: Fleet Algiers HOLD.",
            " DP 2: F TUN H": "DP 2: Fleet Tunis HOLD. DP: 2 of 2 used.",
            ", DP NONE": "DP: 0 of 2 used. You have declined the rest.",
        }.items():
            reply = desk.would_reply("turkey@example.org", f"SIGNON Tswan pwturkey{between}{orders}{bids}").flat
            assert reply.startswith("Orders complete.") and filed in reply and told in reply, (between, bids)
    ahead = desk.would_reply("turkey@example.org", f"SIGNON Tswan pwturkey\nPHASE F1763M\n{orders}; DP 2: F TUN H").flat
    assert "3 lines saved for F1763M" in ahead
    one = desk.would_reply("turkey@example.org", "SIGNON Tswan pwturkey\nF TUN H DP 2").flat
    assert "DP 2: Fleet Tunis HOLD." in one and "refused" not in one
