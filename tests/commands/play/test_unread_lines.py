"""Older mails in a letter: their orders and their press are never the writer's own, and orders in a quote are told."""

from itertools import product

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import mail_to, orders
from tests.letters.corpus.tongues import GMAIL, folded

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
OWN = ["A PAR - PIC", "A MAR - SPA", "F BRE - MAO"]
OWN_TEXT = "\n".join(OWN)
TOLD = """\
Orders complete.

:: Judge: JUDG  Game: heron  Variant: Standard Diplomacy
:: Deadline: S1901M Mon May 11 2026 23:30:00 +0000

Movement orders for Spring of 1901.  (heron.001)

France: Army Paris -> Burgundy.
France: Army Marseilles SUPPORT Army Paris -> Burgundy.
France: Fleet Brest -> English Channel.

Time to the deadline: 7 days 13 hours."""
ORDER_LINES = """\
France: Army Paris -> Burgundy.
Army Marseilles SUPPORT Army Paris -> Burgundy
Fleet Brest - English Channel"""
LEFT_OUT = "left out."
ONE_LEFT_OUT = "1 line that looks like an order was left out."
FULL = "> Hello Fay, what do you think of the following orders for all of your units"
TOLD_FULL = "> > > France: Army Marseilles SUPPORT Army Paris and some words more"
HEADINGS = [
    "4 May 2026, 10:11 by judge@example.org:", "Am 4.5.26 um 10:11, judge@example.org",
    "4 mai 2026 à 10h11, judge@example.org", "Judge <judge@example.org>, 4.5.2026 10:11:",
    "Mon, 4 May 2026 10:11:12 +0200, Judge (judge@example.org):", "5/4/26, 10:11 AM, Judge <judge@example.org>",
    "2026-05-04 10:11 GMT+02:00, Judge <judge@example.org>", "From judge@example.org Mon May  4 10:11:12 2026",
    "El lunes, 4 de mayo de 2026, 10:11:00 CEST, Judge <judge@example.org>", "judge@example.org, 4 May 2026 10:11",
    "On Monday, 4 May 2026 at 10:11, The Judge of the Diplomacy Games\n<judge@example.org>",
    "W dniu pon., 4.05.2026 o 10:11 Judge <judge@example.org>", "On 4/5/26 10:11 am, judge@example.org wrote",
]  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_date_a_time_and_an_address_are_a_heading(heron: DeskAtWork, heading: str):
    for old in (TOLD, "SIGNON Fheron pwfrance\nA PAR - BUR\nF BRE H"):
        reply = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{heading}\n\n{old}")
        assert_own(reply)


@pytest.mark.parametrize("heading", [HEADINGS[0], *map(GMAIL.get, ("en", "de", "fr", "pt", "ja", "zh-CN"))])
def test_an_older_mail_may_begin_behind_its_heading(heron: DeskAtWork, heading: str):
    """As some phones write it."""
    older = (TOLD, f"France: Army Paris -> Burgundy.\n{ORDER_LINES}", "A PAR - BUR")
    for width, old in zip((400, 72, 72), older, strict=True):
        text = "\n".join([SIGNON + OWN_TEXT, "", *folded(heading, width)]) + f" {old}\nA PAR H"
        assert_own(heron.would_reply(FRANCE, text))


def assert_own(reply: Posted) -> None:
    """The writer's own orders are on file, and no others."""
    on_file = reply.text.partition("To order")[0] + reply.text.partition("To change")[0]
    for told in ("Army Paris -> Picardy.", "Army Marseilles -> Spain.", "Fleet Brest -> Mid-Atlantic Ocean."):
        assert told in on_file, reply.text


@pytest.mark.parametrize("opening", ["---- Xuxu yiyi ----", "Orders complete.", "Time to the deadline: 7 days.", ""])
def test_orders_in_the_judge_s_words_replace_none_above_them(heron: DeskAtWork, opening: str):
    old = f"{opening}\n{ORDER_LINES}" if opening else TOLD
    answer = heron.replies(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{old}")
    assert orders(heron) == sorted(OWN)
    assert "3 lines that look like orders were left out." in answer.flat
    assert "may be part of a quoted email" in answer.flat


def test_a_repeated_confirmation_replaces_nothing_on_file(heron: DeskAtWork):
    heron.replies(FRANCE, SIGNON + OWN_TEXT)
    heron.replies(FRANCE, f"{SIGNON}SET WAIT\n\n{TOLD}")
    assert orders(heron) == sorted(OWN)


def test_the_judge_s_words_are_orders_where_nothing_is_doubtful(heron: DeskAtWork):
    heron.replies(FRANCE, SIGNON + OWN_TEXT)
    heron.replies(FRANCE, SIGNON + ORDER_LINES)
    assert orders(heron) == sorted(ORDER_LINES.split("\n"))
    heron.replies(FRANCE, f"{SIGNON}---- Armies ----\nArmy Paris - Picardy")
    assert "Army Paris - Picardy" in orders(heron)


def test_the_rest_of_a_quoted_line_replaces_no_order(heron: DeskAtWork):
    for rest in ("Army Paris -> Burgundy.", "France: Army Paris -> Burgundy.", "Paris -> Burgundy"):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{FULL}\n{rest}\n> Fleet")
        assert_own(answer)
        assert ONE_LEFT_OUT in answer.flat


def test_an_order_that_was_quoted_goes_on_below(heron: DeskAtWork):
    rests = ("Army Paris -> Burgundy.", "Paris -> Burgundy.", "Paris - Burgundy.")
    for quoted, rest in product((f"{FULL} SUPPORT", f"{FULL} SUPPORT Army", TOLD_FULL), rests):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{quoted}\n{rest}\n> Fleet").flat
        assert "Army Paris, no order" in answer and LEFT_OUT not in answer


def test_a_whole_order_right_below_a_full_quoted_line_counts(heron: DeskAtWork):
    for quoted, order in product((FULL, TOLD_FULL), ("A PAR - BUR", "par-bur", "France: A PAR - BUR")):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n{quoted}\n{order}\n> Fleet").flat
        assert "Army Paris -> Burgundy." in answer and LEFT_OUT not in answer


BROKEN = [
    "> The last letter of the spring asked for A PAR - PIC and",
    "> Dear Fay, in the last letter of the spring I asked for A PAR - PIC,",
    "> > Liebe Fay, im letzten Brief schlug ich vor: A PAR - PIC und",
    "> Dear Fay, these are the orders that I would give to my",
]


@pytest.mark.parametrize("quoted", BROKEN)
@pytest.mark.parametrize("rest", ["A MAR - PIE", "mar-pie", "Army Marseilles -> Piedmont"])
def test_the_rest_of_a_quoted_line_that_breaks_off_replaces_no_order(heron: DeskAtWork, quoted: str, rest: str):
    for below in ("\n> Fleet", "", "\n\nF BRE - MAO"):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{quoted}\n{rest}{below}")
        assert_own(answer)
        assert answer.flat.startswith(f"{ONE_LEFT_OUT} Orders complete.") and f"> {rest} note: this may" in answer.flat
        answer = heron.would_reply(FRANCE, f"{SIGNON}{quoted}\n{rest}\n> F BRE - ENG\n\n{OWN_TEXT}")
        assert_own(answer)


def test_the_rest_of_a_quoted_line_that_breaks_off_replaces_nothing_on_file(heron: DeskAtWork):
    heron.replies(FRANCE, SIGNON + OWN_TEXT)
    answer = heron.replies(FRANCE, f"{SIGNON}{BROKEN[0]}\nA MAR - PIE\n> Fleet")
    assert orders(heron) == sorted(OWN) and answer.first_line.startswith(ONE_LEFT_OUT)


@pytest.mark.parametrize("quoted", BROKEN)
def test_the_only_order_for_its_unit_is_taken_from_there_and_named_first(heron: DeskAtWork, quoted: str):
    answer = heron.would_reply(FRANCE, f"{SIGNON}A PAR - PIC\n{quoted}\nA MAR - PIE\n> Fleet")
    assert answer.flat.startswith("Check A MAR - PIE: it may be part of a quoted email.")
    assert "Army Marseilles -> Piedmont." in answer.text


@pytest.mark.parametrize("quoted", [
    "> What do you want to do with the army in Marseilles?", "> Tell me. And", f"{BROKEN[0]} so on.",
    f"{BROKEN[0]}\n> {'x' * 90}",
])  # fmt: skip
def test_an_order_written_between_quoted_lines_counts(heron: DeskAtWork, quoted: str):
    answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{quoted}\nA MAR - PIE\n> Thank you")
    assert answer.flat.startswith("A MAR has two orders in this email: the last one, A MAR - PIE, is on file.")


def test_what_is_no_whole_order_there_belongs_to_the_quote(heron: DeskAtWork):
    for rest in ("A PAR - BUR - MUN or what", "A MUN - BUR", "SET WAIT", "Burgundy.", "resign heron."):
        answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n{FULL}\n{rest}\n> Fleet")
        assert_own(answer)
        assert "WAIT is set" not in answer.text
        assert (LEFT_OUT in answer.flat) is rest.startswith("A ")


def test_the_rest_of_a_quoted_line_is_read_before_a_game_has_begun(desk: DeskAtWork):
    desk.replies("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?crane hush")
    for rest in ("A PAR - BUR - MUN or what", "A PAR - BUR"):
        answer = desk.replies("kim@example.org", f"SIGNON Mcrane hush\n\n{FULL}\n{rest}\n> Fleet")
        assert answer.first_line == "You are signed on to crane as master."


@pytest.mark.parametrize("text", [
    "> A PAR - BUR", ">> A PAR - BUR", "Hello,\n\n> A PAR - BUR\n> A MAR H", "-- \nA PAR - BUR",
    "> Army Paris -> Gascony.\n" * 120 + "Hello,\n> A PAR - BUR",
])  # fmt: skip
def test_orders_in_a_quote_of_one_s_own_are_told(heron: DeskAtWork, text: str):
    answer = heron.replies(FRANCE, f"{SIGNON}F BRE - MAO\n{text}")
    assert LEFT_OUT in " ".join(answer.text.split("\n\n")[0].split()) and orders(heron) == ["F BRE - MAO"]
    assert "so it was not read" in answer.flat and "A PAR - BUR" in answer.text


@pytest.mark.parametrize("known", [True, False])
def test_an_ordinary_reply_is_answered_as_ever(heron: DeskAtWork, known: bool):
    first = heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\nA MAR S A PAR - BUR")
    heron.replies(FRANCE, f"{SIGNON}A PAR - GAS\nA MAR H")
    answering = str(first.message["Message-ID"]) if known else ""
    for mark, heading in product(("> ", ""), (GMAIL["en"], GMAIL["ko"], HEADINGS[0])):
        quote = "\n".join(f"{mark}{line}".rstrip() for line in first.text.splitlines())
        answer = heron.would_reply(FRANCE, f"{SIGNON}{OWN_TEXT}\n\n{heading}\n{quote}", answering=answering)
        assert answer.first_line == "Orders complete." and LEFT_OUT not in answer.flat
        assert_own(answer)


def test_a_quoted_proposal_of_an_ally_is_no_order(heron: DeskAtWork):
    press = "PRESS TO France\nA PAR - BUR\nwould help me.\nENDPRESS"
    heron.writes("germany@example.org", f"SIGNON Gheron pwgermany\n{press}")
    text = f"{SIGNON}{OWN_TEXT}\n\nOn Mon, 4 May 2026 at 12:00, heron (JUDG) wrote:\n> A PAR - BUR\n> would help me."
    assert heron.replies(FRANCE, text, answering=mail_to(heron, FRANCE)).first_line == "Orders complete."


def test_what_is_on_file_need_not_be_told(heron: DeskAtWork):
    heron.replies(FRANCE, f"{SIGNON}{OWN_TEXT}")
    assert heron.replies(FRANCE, f"{SIGNON}SET WAIT\n> A PAR - PIC\n> F BRE - MAO").first_line == "Orders complete."


def test_what_stands_above_the_sign_on_or_below_signoff_is_told_first(heron: DeskAtWork):
    orders = "SIGNON Fheron pwfrance\nA PAR - BUR\n"
    told = {
        f"F BRE - MAO\n{orders}": "1 line above SIGNON or below SIGNOFF was not read.",
        f"{orders}SIGNOFF\nF BRE - MAO\nA MAR - SPA": "2 lines above SIGNON or below SIGNOFF were not read.",
        f"SET WAIT\n{orders}": "1 line above SIGNON or below SIGNOFF was not read.",
        f"{orders}SIGNOFF\nLIST": "1 line above SIGNON or below SIGNOFF was not read.",
        f"PRESS TO ENGLAND\nHello\nENDPRESS\n{orders}": "Your message was NOT sent: PRESS TO ENGLAND.",
        f"{orders}SIGNOFF\nBROADCAST\nHello\nENDBROADCAST": "Your message was NOT sent: BROADCAST.",
    }
    for text, words in told.items():
        reply = heron.would_reply(FRANCE, text)
        assert reply.flat.startswith(words), text
        assert "not read. Write it" in reply.flat, text
    (reply,) = heron.would_write("kim@example.org", "SIGNON Mheron gm\nSIGNOFF\nSET DEADLINE Friday")
    assert reply.flat.startswith("1 line above SIGNON or below SIGNOFF was not read.")


def test_prose_and_repeated_orders_around_the_sign_on_are_not_told(heron: DeskAtWork):
    for text in (
        "A PAR - BUR\nSIGNON Fheron pwfrance\nA PAR - BUR",
        "Hello judge,\na move to Burgundy:\nSIGNON Fheron pwfrance\nA PAR - BUR\nSIGNOFF\nThank you,\nFay",
        "SIGNON Fheron pwfrance\nA PAR - BUR\nSIGNOFF\nFrance: Army Marseilles -> Spain.\nthe press was good",
    ):
        assert heron.would_reply(FRANCE, text).first_line == "2 units without orders: A MAR, F BRE.", text


@pytest.mark.parametrize(
    ("letter", "unread"),
    [
        ("LIST\nA PAR - BUR", "A PAR - BUR was"),
        ("A PAR - BUR\nLIST", "A PAR - BUR was"),
        ("GET signs\nHello judge,\nParis to Burgundy\nSET DRAW ALL", "Paris to Burgundy, SET DRAW ALL were"),
        ("LIST\nSET NMR\nThanks, Tom", "SET NMR was"),
        ("CREATE wren hush standard\nSET NMR", "SET NMR was"),
        ("A PAR H\nSIGNON Fheron wrong", "A PAR H was"),
        ("SIGNON Fheron wrong\nA PAR H\nSIGNOFF\nA MAR H\nSET WAIT", "A MAR H, SET WAIT were"),
        ("SET WAIT", "SET WAIT was"),
        ("SET WAIT\nA PAR H", ""),
        ("LIST\nIf it was you, reply to this email within 2 days.", ""),
        ("LIST\nIF A BUR THEN\nA PAR - GAS", "IF A BUR THEN, A PAR - GAS were"),
        ("LIST\nI would like to play. A friend told me about it.\nSee you - Tom", ""),
        ("LIST\nSIGNON Fheron pwfrance\nA PAR H", ""),
        ("SIGNON Fheron pwfrance\nA PAR H\nSIGNOFF\nA MAR H", ""),
    ],
)
def test_what_stands_below_no_sign_on_is_said_first(heron: DeskAtWork, letter, unread):
    reply = heron.would_reply(FRANCE, letter)
    own = "SIGNON Fheron <password>" if " - " in letter or " H" in letter or "Paris" in letter else "your SIGNON line"
    pronoun = "they are", "them"
    if unread.endswith(" was"):
        pronoun = "it is", "it"
    said = f"{unread} not read, because {pronoun[0]} not between SIGNON and SIGNOFF: write {pronoun[1]} below {own}."
    first = reply.flat.partition("Your letter ")[2] or reply.flat
    assert first.startswith(said) if unread else "not between SIGNON and SIGNOFF: write" not in reply.flat
