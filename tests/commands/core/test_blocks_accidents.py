"""Letters as people write them: in bold, in lists, in sentences, with greetings; and what they did not mean."""

from itertools import cycle

import pytest

from judge.commands.play.stray_lines import is_courtesy
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import listed, table

FRANCE = "SIGNON Fheron pwfrance\n"
MASTER = "SIGNON Mheron gm\n"
SENTENCE = "I hope that all of you will find the time to answer, since otherwise I"


def says(desk: DeskAtWork, text: str, who: str = "france") -> str:
    """The reply to a letter, its lines joined."""
    return desk.replies(f"{who}@example.org", text).flat


def left(mails: list[Posted]) -> list[str]:
    return sorted(mail.to for mail in mails if "No Longer in the Game" in mail.subject)


def test_leaving_a_game_under_way_needs_its_name(heron):
    for word in ("withdraw.", "WITHDRAW", "Resign;", "RESIGN swan", "resign now"):
        (mail,) = heron.would_write("france@example.org", FRANCE + word)
        assert mail.to == "france@example.org" and "send RESIGN heron" in mail.flat, word


@pytest.mark.parametrize("line", ["RESIGN heron", "withdraw Heron."])
def test_whoever_leaves_is_told_at_the_address_they_registered_from(heron, line):
    mails = heron.writes("stranger@example.org", FRANCE + line)
    assert "France has left heron." in mails[-1].text
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
    assert "send TERMINATE heron" in says(heron, MASTER + "terminate.", "kim")
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
ACTING = table("""
    france => resign heron.
    france => set draw.
    france => draw
    france => draw France and Italy
    france => set concede Italy
    france => clear
    france => set wait
    france => wait.
    france => set nowait
    france => nowait
    france => set password secret
    france => set address me@example.net
    france => set absence from May 20 to May 25
    france => set passwordless
    france => broadcast
    france => press to Italy
    france => withdraw heron
    france => set preference France
    france => set html off
    kim    => eject England.
    kim    => terminate heron.
    kim    => process.
    kim    => process
    kim    => pause.
    kim    => rollback.
    kim    => unstart.
    kim    => set deadline +24
    kim    => become France
    kim    => set nmr
    kim    => promote kim@example.net
    kim    => broadcast
    kim    => set move next 72
    kim    => set moderated
    kim    => official""")


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


@pytest.fixture
def colonia(desk: DeskAtWork) -> DeskAtWork:
    """A game of Colonia in which a French fleet stands in the Andaman Sea (AND)."""
    desk.seat_all("heron", "colonia")
    correct = "SIGNON Mheron gm\nCORRECT POSITION France: F BOR - AND"
    desk.goes_on("a fleet in AND", lambda: desk.writes("kim@example.org", correct))
    return desk


def test_a_sentence_is_ignored(colonia):
    answer = colonia.replies(
        "france@example.org", "SIGNON Fheron pwfrance\nA PAR H\nAnd I hope you support me.\nCan you see that?"
    )
    assert "not understood" not in answer.flat
    assert answer.text.count("note: this is neither an order nor a command, so it was ignored.") == 2
    assert "Fleet Andaman Sea, no order" in answer.text


def test_an_order_is_read(colonia):
    colonia.expects(
        "france@example.org",
        "SIGNON Fheron pwfrance\n",
        """
        and h => Fleet Andaman Sea HOLD.
        AND - BBL => Fleet Andaman Sea -> Bay of Bengal.
        f and - bbl => Fleet Andaman Sea -> Bay of Bengal.
        And moves to Bay of Bengal => Fleet Andaman Sea -> Bay of Bengal.""",
    )


def test_what_is_wrong_with_an_order_is_told(colonia):
    answer = colonia.replies("france@example.org", "SIGNON Fheron pwfrance\nAND - BBX")
    assert "1 line not understood." in answer.flat


NAMES = ("Kim Doe", "Austria")


@pytest.mark.parametrize(
    "line",
    listed("""
    Hello
    Hi all,
    Dear judge,
    Hi Sam!
    Thanks!
    Thank you very much
    Best regards
    Kind regards, Kim
    Good morning everybody
    Kim
    Kim Doe
    Austria
    Cheers, Kim (Austria)
    Yours truly"""),
)
def test_courtesy(line: str) -> None:
    assert is_courtesy(line, NAMES)


@pytest.mark.parametrize("line", [
    "PROCES", "what is this", "Turkey", "hi please set wait", "Thanks, wait for me", "Hello WAIT", "Best: A PAR H",
    "Army Vienna to Galizia", "Good idea", "", "hello 5", "my regards go to all of the people whom I have met here",
])  # fmt: skip
def test_no_courtesy(line: str) -> None:
    assert not is_courtesy(line, NAMES)


def test_a_player_may_sign_their_orders_for_this_phase_or_a_later_one(desk: DeskAtWork) -> None:
    desk.seat_all("heron", "standard", surname=" Roe")
    for above in ("", "PHASE F1901M\n"):
        written = f"SIGNON Fheron pwfrance\n{above}A PAR - BUR\n"
        assert "> Roe" in desk.would_reply("france@example.org", f"{written}Roe and Doe").text
        assert "Roe" not in desk.would_reply("france@example.org", f"{written}Cheers,\nRoe").text


FAY = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


def told_to_fay(desk: DeskAtWork, text: str, **how: str) -> str:
    """The reply to France, its lines joined."""
    return desk.replies(FAY, text, **how).flat


def test_a_letter_that_a_person_writes_is_understood(heron: DeskAtWork):
    for letter in (
        "*SIGNON Fheron pwfrance*\n*A PAR - BUR*\n*A MAR H*\n*F BRE - MAO*",
        "*SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO*",
        "**SIGNON Fheron pwfrance**\n\n**A PAR - BUR**\n**A MAR H**\n**F BRE - MAO**",
        "_SIGNON_ Fheron _pwfrance_\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "*SIGNON* *Fheron* *pwfrance*\n*A PAR* - *BUR*\n*A MAR* H\n*F BRE* - *MAO*",
        "SIGNON Fheron *pwfrance*\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON Fheron `pwfrance`\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "```\nSIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO\n```",
        "```text\nSIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO\n```",
        "- SIGNON Fheron pwfrance\n- A PAR - BUR\n- A MAR H\n- F BRE - MAO",
        "1. signon Fheron pwfrance\n2. A PAR - BUR\n3. A MAR H\n4. F BRE - MAO",
        "SIGNON Fheron pwfrance\n▪ A PAR - BUR\n◦ A MAR H\n➢ F BRE - MAO",
        "SIGNON Fheron pwfrance\n1: A PAR - BUR\n(2) A MAR H\nc) F BRE - MAO",
        "SIGNON Fheron pwfrance\n----\nA PAR - BUR\n***\nA MAR H\n=====\nF BRE - MAO",
        "SIGNON Fheron pwfrance\nA PARーBUR\nA MAR H\nF BRE ー MAO",
        "SIGNON Fheron pwfrance A PAR - BUR, A MAR H; F BRE - MAO",
        "SIGNON Fheron pwfrance A PAR - BUR A MAR H F BRE - MAO",
        "SIGNON Fheron pwfrance, A PAR - BUR. A MAR H. F BRE - MAO.",
        "SIGNON Fheron pwfrance and orders: PAR - BUR, MAR H, BRE - MAO",
        "**SIGNON Fheron pwfrance A PAR - BUR**\nA MAR H\nF BRE - MAO",
        "SIGNON F heron pwfrance A PAR - BUR\nA MAR H\nF BRE - MAO",
        "Hello judge, SIGNON Fheron pwfrance A PAR - BUR and A MAR H and F BRE - MAO",
        "Hello judge, SIGNON Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "HELLO\nplease SIGNON Fheron pwfrance\nplease A PAR - BUR\nand A MAR H\nF BRE - MAO, thank you",
        "Guten Tag! *SIGNON Fheron pwfrance*\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON France heron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON heron France pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON France in heron, password pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "SIGNON Fheron password: pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "Signon: Fheron pwfrance\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        "Hi! Here are my orders. SIGNON Fheron pwfrance 1. A PAR - BUR 2. A MAR H 3. F BRE - MAO",
        "SIGNON Fheron pwfrance\nMy orders: A PAR - BUR, A MAR H, and F BRE - MAO",
        "SIGNON Fheron <pwfrance>\nA PAR - BUR\nA MAR H\nF BRE - MAO",
        'SIGNON "Fheron" "pwfrance"\nA PAR - BUR\nA MAR H\nF BRE - MAO',
    ):
        reply = heron.would_reply(FAY, letter).flat
        assert reply.startswith("Orders complete. ::"), letter
        assert "France: Army Paris -> Burgundy." in reply and "France: Army Marseilles HOLD." in reply
        assert "France: Fleet Brest -> Mid-Atlantic Ocean." in reply
        assert "pwfrance" not in reply and "ignored" not in reply


@pytest.mark.parametrize("password", ["*star", "star*", "`tick`", "<angle>", "_low_", "comma,"])
def test_a_password_may_hold_what_people_put_around_words(heron: DeskAtWork, password: str):
    told_to_fay(heron, f"{SIGNON}SET PASSWORD {password}")
    assert told_to_fay(heron, f"SIGNON Fheron {password}\nA PAR - BUR").startswith("2 units without orders")
    assert told_to_fay(heron, f"**SIGNON Fheron {password}**\nA MAR H").startswith("1 unit without orders")
    assert "Wrong password" in told_to_fay(heron, "SIGNON Fheron hush\nA PAR - BUR")


def test_a_new_password_is_kept_as_it_was_written(desk: DeskAtWork):
    desk.writes("kim@example.org", "REGISTER\nName: Kim\nEND\n**CREATE ?heron hush**")
    assert "signed on" in desk.replies("kim@example.org", "SIGNON Mheron hush").text
    desk.writes("kim@example.org", "CREATE ?egret *hush*")
    assert "signed on" in desk.replies("kim@example.org", "SIGNON Megret *hush*").text
    assert "Wrong password" in desk.replies("kim@example.org", "SIGNON Megret hush").text


def test_press_is_text_up_to_its_end(heron: DeskAtWork):
    inside = listed("""
        *hello*
        - A PAR - BUR
        *SIGNON Fheron*
        SIGNON Fheron
        A MAR H
        ```
        Hello judge, SIGNON Fheron
        A PAR - BUR and A MAR H (so we said)
        ▪ WAIT
        ----""")
    mails = heron.writes(FAY, "\n".join([SIGNON.strip(), "PRESS TO Turkey", *inside, "ENDPRESS", "A PAR H"]))
    told = next(mail.text for mail in mails if mail.to == "turkey@example.org")
    body = told.partition("Press from France to Turkey:\n\n")[2].partition("\n\n:: Judge:")[0]
    assert body.split("\n") == inside
    reply = next(mail.text for mail in mails if mail.to == FAY)
    assert reply.startswith("2 units without orders: A MAR, F BRE.") and "Army Paris HOLD." in reply


def test_a_message_without_an_end_ends_at_a_sign_on_in_bold(heron: DeskAtWork):
    mails = heron.writes(FAY, f"{SIGNON}PRESS TO Turkey\nhello\n*SIGNON Fheron pwfrance*\nA MAR H")
    told = next(mail.text for mail in mails if mail.to == "turkey@example.org")
    assert "hello" in told and "A MAR H" not in told
    mails = heron.writes(
        FAY,
        f"{SIGNON}PRESS TO Turkey\nhello\n**SIGNON Fheron pwfrance**\nPRESS TO Germany\nservus\nENDPRESS",
    )
    assert {mail.to: "servus" in mail.text for mail in mails if "Press" in mail.subject} == {
        "turkey@example.org": False, "germany@example.org": True,
    }  # fmt: skip


def test_a_sentence_stays_one(heron: DeskAtWork):
    heron.writes(FAY, f"{SIGNON}A PAR - BUR")
    for line in (
        "I please you and A friend", "- wait", "1. Draw", "*Wait*", "* clear", "please wait", "and so on",
        "Please support me, A friend in Paris", "# A PAR - BUR", "• Help", "Hello, how do I SIGNON Fheron pwfrance",
    ):  # fmt: skip
        reply = heron.would_reply(FAY, f"{SIGNON}A MAR H\n{line}\nF BRE H").text
        assert "note: this is neither an order nor a command, so it was ignored." in reply, line
        ignored = "1 line ignored. " if len(line.split()) > 1 else ""
        assert reply.startswith(f"{ignored}Orders complete.\n") and "WAIT is set" not in reply, line


def test_a_sign_on_that_cannot_be_meant_says_how_it_is_written(heron: DeskAtWork):
    for line in (
        "SIGNON", "SIGNON Fheron/pwfrance", "SIGNON is what I forgot", "SIGNON France egret pwfrance", "SIGNON Fheron",
        "SIGNON Narnia heron pwfrance",
    ):  # fmt: skip
        reply = heron.would_reply(FAY, f"{line}\nA PAR - BUR").flat
        assert "Write SIGNON F<game> <password>" in reply or "The password is missing" in reply, line
        assert "was refused" in reply and "pwfrance" not in reply, line


def test_power_and_game_as_two_words_without_a_password(heron: DeskAtWork):
    """The name of the game is not tried as a password."""
    for power in ("France", "F"):
        reply = told_to_fay(heron, f"SIGNON {power} heron\nA PAR H")
        assert f"The password is missing: write SIGNON {power} heron <password>." in reply
    assert "no game" in told_to_fay(heron, "SIGNON Nobody heron\nA PAR H")


def test_a_sign_on_that_has_run_into_many_words_is_answered(heron: DeskAtWork):
    """The unit is the last of its words that is looked at, with all that follows."""
    for unit in ("F BRE - ENG", "A", "F B", "A PAR"):
        told = heron.would_reply(FAY, f"SIGNON Fheron pwfrance:: Judge: JUDG Game: heron {unit}").flat
        assert told.startswith("The judge found no command in your email"), unit


def test_a_password_behind_an_order_is_not_told_again(heron: DeskAtWork):
    told = told_to_fay(heron, f"{SIGNON}F BRE - MAO SIGNON Fheron pwfrance")
    assert "at the end is not something the judge understands" in told and "pwfrance" not in told
