"""What a player did not mean: words of a sentence that are commands, lines that a mail program has wrapped."""

from itertools import cycle

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted

FRANCE = "SIGNON Fheron pwfrance\n"
MASTER = "SIGNON Mheron gm\n"
SENTENCE = "I hope that all of you will find the time to answer, since otherwise I"


def says(desk: DeskAtWork, text: str, who: str = "france") -> str:
    """The reply to a letter, its lines joined."""
    return desk.replies(f"{who}@example.org", text).flat


def left(mails: list[Posted]) -> list[str]:
    return sorted(mail.to for mail in mails if "You Have Left the Game" in mail.subject)


def test_leaving_a_game_under_way_needs_its_name(heron):
    for word in ("withdraw.", "WITHDRAW", "Resign;", "RESIGN swan", "resign now"):
        (mail,) = heron.would_write("france@example.org", FRANCE + word)
        assert mail.to == "france@example.org" and "write RESIGN heron" in mail.flat, word


@pytest.mark.parametrize("line", ["RESIGN heron", "withdraw Heron."])
def test_whoever_leaves_is_told_at_the_address_they_registered_from(heron, line):
    mails = heron.writes("stranger@example.org", FRANCE + line)
    assert "You have left heron." in mails[-1].text
    assert left(mails) == ["france@example.org"]


def test_an_address_that_somebody_has_set_does_not_keep_it_from_them(heron):
    mails = heron.writes("fay@example.net", "I AM ALSO france@example.org")
    token = next(mail for mail in mails if mail.to == "france@example.org")
    heron.writes("france@example.org", next(line for line in token.text.splitlines() if "CONFIRM" in line))
    assert "go to fay@example.net" in says(heron, FRANCE + "SET ADDRESS fay@example.net")
    assert left(heron.writes("france@example.org", FRANCE + "RESIGN heron")) == [
        "fay@example.net", "france@example.org"
    ]  # fmt: skip


def test_a_game_that_has_not_begun_is_left_by_the_word(desk):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\nCREATE ?finch gm")
    desk.writes("lou@example.org", "REGISTER\nName: Lou\nEND\nSIGNON ?finch pwlou")
    assert "You have left finch." in says(desk, "SIGNON ?finch pwlou\nRESIGN", "lou")


def test_ending_a_game_under_way_needs_its_name(heron):
    assert "write TERMINATE heron" in says(heron, MASTER + "terminate.", "kim")
    assert "heron has been terminated." in says(heron, MASTER + "TERMINATE heron", "kim")


def test_clear_says_first_what_it_took_back(heron):
    heron.writes("france@example.org", FRANCE + "A PAR - BUR\nF BRE - MAO")
    assert says(heron, FRANCE + "clear.").startswith(
        "2 orders taken back: A PAR - BUR, F BRE - MAO. 3 units without orders"
    )
    heron.writes("france@example.org", FRANCE + "A PAR - BUR\nF BRE - MAO")
    assert says(heron, FRANCE + "CLEAR A PAR").startswith("1 order taken back: A PAR - BUR.")
    heron.writes("france@example.org", FRANCE + "PHASE F1901M\nA BUR - MUN")
    assert says(heron, FRANCE + "PHASE F1901M\nCLEAR").startswith("1 order for F1901M taken back: A BUR - MUN.")


def test_points_are_not_put_on_a_unit_alone(desk):
    desk.seat_all("swan", "1648")
    answer = says(desk, "SIGNON france@swan pwfrance\nDP 1: A SWI")
    assert '"A SWI" names a unit but no order. Write A SWI H or A SWI S …' in answer, "a neutral stays where it is"
    assert "DP: 0 of" in answer


# Each acts, and each can be a part of a sentence: (who, the words).
ACTING = (
    *(("france", words) for words in (
        "resign heron.", "set draw.", "draw", "draw France and Italy", "set concede Italy", "clear", "set wait",
        "wait.",
        "set nowait", "nowait", "set password secret", "set address me@example.net",
        "set absence from May 20 to May 25",
        "set passwordless", "broadcast", "press to Italy", "withdraw heron", "set preference France", "set html off",
    )),
    *(("kim", words) for words in (
        "eject England.", "terminate heron.", "process.", "process", "pause.", "rollback.", "unstart.",
        "set deadline +24",
        "become France", "set nmr", "promote kim@example.net", "broadcast", "set move next 72", "set moderated",
        "official",
    )),
)  # fmt: skip


ABOVE = (SENTENCE, "I shall have to", "> quoted words of yours", "Italy said that it will")


@pytest.mark.slow
def test_no_sentence_that_is_broken_is_a_command(heron):
    """Wrapped by a mail program or broken by hand, in small letters and with a capital."""
    signons = {"france": FRANCE, "kim": MASTER}
    before = {who: says(heron, f"{signon}STATUS heron", who) for who, signon in signons.items()}
    forms = [(who, said) for who, words in ACTING for said in (words, words.capitalize())]
    for (who, said), above in zip(forms, cycle(ABOVE[:3] + ABOVE), strict=False):
        mails = heron.writes(f"{who}@example.org", f"{signons[who]}{above}\n{said}\nas the general put it.")
        assert [mail.to for mail in mails] == [f"{who}@example.org"], said
        told = mails[0].flat
        assert "was NOT done: this may be part of a sentence" in told.partition("::")[0] or "NOT sent" in told, told
    for who, signon in signons.items():
        after = says(heron, f"{signon}STATUS heron", who)
        assert after.partition("Time left")[0] == before[who].partition("Time left")[0]


def test_an_if_that_cannot_be_read_files_nothing_below_it(heron):
    ends = cycle(("", "\nENDIF\nF BRE - MAO"))
    for line, end in zip((
        "If Italy comes to Piedmont, then", "If Italy comes to Piedmont", "If Italy comes to Piedmont",
        "if Italy attacks:", "If A PIE is Italian,", "IF A PIE", "IF A PIE", "if Germany is in Burgundy then",
    ), ends, strict=False):  # fmt: skip
        text = f"{FRANCE}A MAR - GAS\n{line}\nA PAR - BUR\nA MAR - SPA{end}"
        answer = heron.would_reply("france@example.org", text).flat
        assert answer.startswith(f"The orders below {line.rstrip(':,')} were NOT recorded."), answer
        assert "Army Marseilles -> Gascony" in answer and "Army Paris, no order" in answer
        assert ("Fleet Brest -> Mid-Atlantic Ocean" in answer) == bool(end)


def test_lines_that_are_broken_or_alone_are_answered_exactly(heron):
    unit = "1 line not understood. 1 unit without orders: A PAR.", "Write A PAR H or A PAR - …", "Fleet Brest HOLD."
    heron.expects("france@example.org", FRANCE, {
        "Fleet Brest\n- Mid-Atlantic Ocean": "Fleet Brest -> Mid-Atlantic Ocean.",
        "Fleet Brest -\nMid-Atlantic Ocean": "Fleet Brest -> Mid-Atlantic Ocean.",
        "A MAR - SPA, F BRE\n- MAO": "Fleet Brest -> Mid-Atlantic Ocean.",
        "A\nPAR\n-\nBUR": "Army Paris -> Burgundy.",
        "A PAR\n\nBUR\n\nA MAR\n\nSPA": "Army Marseilles -> Spain.",
        "Army Marseilles supports Army Paris\n-> Burgundy": "Army Marseilles SUPPORT Army Paris -> Burgundy.",
        "A PAR\nH": ("2 units without orders: A MAR, F BRE.", "Army Paris HOLD."),
        **{f"{line}\nA MAR - SPA\nF BRE H": unit for line in ("A PAR", "Army Paris", "France: A PAR")},
        # A list of units is no table of moves, though Brest lies next to Paris.
        "A PAR\nBRE\nA MAR - SPA": ("2 lines not understood. 2 units without orders: A PAR, F BRE.",
                                    "Write A PAR H or A PAR - …", "Write BRE H or BRE - …"),
        "PHASE F1901M\nA BUR\nF MAO\n- SPA/SC\nPHASE F1901R\nA PAR": (
            "1 line saved", '"A BUR" names a unit but no order. Write A BUR H or A BUR - …',
            "Write A PAR - … or A PAR D."),
        **{f"{above}\nset draw": "your vote is recorded" for above in
           ("", "A PAR - BUR", "A PAR ...", "SET NOWAIT", "LIST heron")},
    })  # fmt: skip
    part = "This looks like part of the sentence above it."
    heron.writes("france@example.org", FRANCE + "A PAR - BUR")
    words = ("clear.", "draw", "wait.", "quit", "nowait;")
    heron.expects("france@example.org", FRANCE, {
        **{f"{SENTENCE}\n{word}\nF BRE - MAO": (part, "1 unit without orders: A MAR.") for word in words},
        f"{SENTENCE}\nCLEAR": "1 order taken back",
        "Hello.\n\nclear": "1 order taken back",
        "A MAR - SPA\nclear\nF BRE - MAO": (
            "clear was NOT done", "Army Paris -> Burgundy", "Army Marseilles -> Spain"),
        "A MAR - SPA\n\nCLEAR\nF BRE - MAO": "Army Paris, no order",
    })  # fmt: skip
    heron.expects("kim@example.org", MASTER, {
        f"{SENTENCE}\n{word}": (part, "Deadline: S1901M Mon") for word in
        ("process.", "pause.", "rollback.", "unstart.")
    })  # fmt: skip
