"""A message is a box: what is inside arrives word for word and does nothing, what is below its end is read."""

from itertools import cycle, product

import pytest

from judge.commands.command_table import COMMANDS, SLIPS
from judge.rules import load_variant
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.texts import listed

FRANCE, ENGLAND = "france@example.org", "england@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
ORDERS = "A PAR - BUR\nA MAR - SPA\nF BRE - MAO"
# What is filed in turn, so that it is seen to be filed again, and how a reply says it.
PLANS = ((ORDERS, "Army Paris -> Burgundy"), ("A PAR H\nA MAR H\nF BRE H", "Army Paris HOLD"))
POWERS = tuple(seat.name for seat in load_variant("standard").seats)
SIGN_ON_WORDS = ("signon", "sign on", "sign in", "login", "log in", "logon", "join", "hello", "create", "observe")
# What people write to each other, each line beginning with a word of the judge or nearly so.
EVERYDAY = """\
Hello England, how are you?
Watch Italy closely.
create a pact against Turkey
Join my alliance today
Resign yourself to it
Observe them closely
Login problems again
Log in to the forum and look
Sign on the dotted line
Sign in at the hotel tonight
Signon problems again today
Password protected, sorry
Set your sights on Munich
Set a password for our chat
Draw a line in the sand
Draw?
Help!
Help me out here
Press on with the attack
Press Italy hard
Press to win, I say.
Broadcast nothing of this
List what you need
Status quo suits me
Map out a plan first
Clear the channel, please
Clear as day
Wait for my word
Wait.
Pause and think
Process of elimination
History repeats itself
Phase two is about Spain
If Italy comes to Piedmont, then we strike
If you agree, tell me
Concede nothing to Russia
Become my ally
Eject him from Tyrolia
Withdraw from Burgundy
Retreat and regroup
Build trust first
Hold on a second
End of story
Express your wishes
Empress Eugenie sends her love
The end
Endless talk leads nowhere
Who is with me?
Get ready
Send help
Info on Italy would be nice
Version two of my plan
Summary: we win
Register my protest
Standby for news
Forgot to mention Belgium
Confirm this quickly
Terminate the pact
Roll back the Turks
Promote peace
Zone defense works
Address the Italian question first
Unstart nothing
Officially I know nothing
Grey skies over Brest
White lies are fine
Diary of a general
DP talk is cheap
Signoff from me soon
Quit worrying
Resume talks tomorrow
Monitor the Turkish fleet
Takeover rumors abound
Guten Tag, lieber Freund
Bonjour, mon cher voisin !
Hola amigo, ¿qué tal?
Ciao bella
Hej på dig
Terve vaan
Cześć, sąsiedzie
Ahoj, jak se máš
Привет, сосед
Merhaba dostum
Γειά σου
こんにちは、友よ
"""


@pytest.fixture
def two_games(heron: DeskAtWork) -> DeskAtWork:
    """Another one, stork, in which France writes from the same address."""
    heron.seat_seven("stork")
    return heron


def sent(desk: DeskAtWork, letter: str, who: str = FRANCE) -> tuple[list[str], str]:
    """The bodies of the press that England gets, and the reply to the writer in one line."""
    mails = desk.writes(who, letter)
    reply = next(mail for mail in mails if mail.to == who and mail.answers)
    return [body(mail) for mail in mails if mail.to == ENGLAND and " Press " in mail.subject], reply.flat


def body(mail: Posted) -> str:
    """The text of a message as it arrives: between its first line and the lines about the game."""
    return mail.text.partition("\n\n")[2].rpartition("\n\n:: Judge")[0]


def carried(desk: DeskAtWork, lines: list[str]) -> list[str]:
    """The lines of a message as England gets them."""
    texts, reply = sent(desk, f"{SIGNON}PRESS TO E\n" + "\n".join(lines) + f"\nENDPRESS\n{ORDERS}")
    assert reply.startswith("Orders complete."), reply
    # What reads like a sign-on here is prose, and gives no password.
    desk.received.clear()
    (text,) = texts
    return text.split("\n")


def in_places(words: list[str]) -> list[str]:
    """A text with each of these at the beginning of a line: first, in the middle and last, and in other cases."""
    return [form for word in words for form in (word, word.lower(), word.upper())]


def test_everyday_lines_arrive_as_they_were_written(heron):
    lines = in_places(listed(EVERYDAY))
    for at in range(0, len(lines), 120):
        part = lines[at : at + 120]
        assert carried(heron, part) == part
        assert carried(heron, part[::-1]) == part[::-1]


@pytest.mark.slow
def test_no_command_word_does_anything_inside_a_message(heron):
    """Every word of the command table and every power, at the beginning of the first, a middle and the last line."""
    words = sorted({name for command in (*COMMANDS, *SLIPS) for name in command.names if name})
    words = [*words, *POWERS, *(seat[:3] for seat in POWERS), *SIGN_ON_WORDS]
    for ending in ("", " it is, says he", " Italy closely", ":"):
        lines = [line for line in in_places([f"{word}{ending}" for word in words])
                 if line.upper().rstrip(":") not in ("SIGNOFF", "SIGN OFF", "SIGN-OFF")
                 and not line.upper().startswith(BEGINNINGS)
                 and line.upper() not in ("PRESS:", "BROADCAST:")]  # fmt: skip
        for at in range(0, len(lines), 200):
            part = lines[at : at + 200]
            assert carried(heron, part) == part
            assert carried(heron, ["Dear England,", *part[::-1], "Yours, France"])[1:-1] == part[::-1]


# With a reader behind them these begin another message, which is refused (tests/commands/play/test_press.py).
BEGINNINGS = ("BROADCAST", "PRESS TO ALL")

ENDS = """\
ENDPRES
ENDPRESSS
EDNPRESS
ENPRESS
END PRES
END OF PRESS
End of press.
END
End.
PRESS END
> ENDPRESS
- ENDPRESS
* ENDPRESS
*ENDPRESS*
**ENDPRESS**
_ENDPRESS_
`ENDPRESS`
Endpress,
ENDPRESS,
ENDPRESS // done
ENDPRESS (done)
ENDPRESS -- France
ENDPRESS # end
End press
END-PRESS
[ENDPRESS]
<ENDPRESS>
1. ENDPRESS
=== ENDPRESS ===
ENDPRESS:
ENDBROADCAST
End Broadcast!
ENDBRODCAST
END MESSAGE
END OF MESSAGE
ENDPRESS.
\u2022 ENDPRESS
\u201cENDPRESS\u201d
ENDPRESS\xa0
  endpress
\u2014 ENDPRESS \u2014
ENPDRESS
ENDPERSS
NEDPRESS
ENDPREST
ENDOFPRESS
ENDOFFICIAL
end official
"""


def test_each_form_of_an_end_ends_the_message(heron):
    """Six messages a letter: what does not end one would hold the beginning of the next."""
    ends = ENDS.splitlines()
    for at, (orders, told) in zip(range(0, len(ends), 6), cycle(PLANS), strict=False):
        some = ends[at : at + 6]
        messages = "".join(f"PRESS TO E\nMeet me at the river.\n{end}\n" for end in some)
        texts, reply = sent(heron, f"{SIGNON}{messages}{orders}")
        assert texts == ["Meet me at the river."] * len(some), (some, texts)
        assert reply.startswith("Orders complete.") and told in reply, (some, reply)


def test_what_is_behind_an_end_word_is_read(heron):
    for end in ("ENDPRESS A PAR - BUR", "ENDPRESS: A PAR - GAS", "Endpress - A PAR - PIC"):
        texts, reply = sent(heron, f"{SIGNON}PRESS TO E\nMeet me at the river.\n{end}\nA MAR - SPA\nF BRE - MAO")
        assert texts == ["Meet me at the river."], end
        assert reply.startswith("Orders complete.") and end[-9:] in reply, (end, reply)


def test_an_exact_end_word_below_leaves_others_in_the_message(heron):
    for line in ("end", "End of message", "Express", "Empress", "press end", "ENDLESS", "and press", "Endpres"):
        assert carried(heron, ["Look at this:", line, "Good, no?"]) == ["Look at this:", line, "Good, no?"]


def test_words_of_a_dictionary_end_nothing(heron):
    words = ["Express", "empress", "Endless", "and press", "I'd press", "process", "address", "The end"]
    text = "\n".join(["Dear friend,", *words, "your wishes."])
    texts, reply = sent(heron, f"{SIGNON}{ORDERS}\nPRESS TO E\n{text}\nSIGNOFF")
    assert texts == [text] and reply.startswith("Orders complete."), reply


SWALLOWED = """\
A PAR - BUR
a paris to burgundy
F BRE MAO
Army Marseilles supports Army Paris
A PAR - BURGANDY
- A PAR H
France: A PAR - BUR
A BUR - MUN
Germany: A MUN - BUR
**F LON - ENG**
A BUR R PIC
BUILD A WAR, F SEV
WAIVE
A PAR -
A MUN
Signing Fstork sqf
Signed Fstork sqf
Signing on to Fstork sqf
Sing in to Fstork sqf
Sgnin Fstork sqf
Sihn on to Fstork sqf
Sgnon Felsewhere sqf
Signing on france@elsewhere sqf
SET WAIT
set wait
SET DRAW
set draw France, Italy
PHASE F1901M
CLEAR
clear a par
PRESS TO GERMANY
BROADCAST
RESIGN heron
resign heron
LIST heron
Sign in Fstork word
Sign-on France stork word
SET PASSWORD other
HELP
SET ADDRESS me@example.org
"""


def test_without_an_end_nothing_that_is_meant_for_the_judge_is_sent(two_games):
    lines = listed(SWALLOWED)
    cases = [*((line, "") for line in lines), *product(lines[::8], ("\nSIGNOFF", "\n-- \nFrance"))]
    for line, below in cases:
        mails = two_games.would_write(FRANCE, f"{SIGNON}F BRE H\nPRESS TO E\nMeet me at the river.\n{line}{below}")
        assert [mail.to for mail in mails] == [FRANCE], line
        reply = mails[0].flat
        refused = "Your message was NOT sent: PRESS TO E. Nothing after that line was recorded: put ENDPRESS"
        assert reply.startswith(refused), (line, reply)
        assert "Fleet Brest HOLD" in reply, "what is above the message is filed"
        assert "Army Paris, no order" in reply and "WAIT is set" not in reply, line


def test_an_order_of_another_game_s_board_is_not_sent_without_an_end(heron):
    """Its provinces are prose in this game."""
    lines = "A EGY - PAL", "Army Egypt to Palestine"
    assert all(sent(heron, f"{SIGNON}PRESS TO E\nMeet me.\n{line}")[0] for line in lines)
    heron.seat_all("stork", "1900")
    for line in lines:
        texts, reply = sent(heron, f"{SIGNON}PRESS TO E\nMeet me.\n{line}")
        assert not texts and f'(its line "{line}" may be meant for the judge)' in reply, line


def test_without_an_end_everything_else_is_a_message(heron):
    lines = listed("""
        I'll go A PAR - BUR, you support
        A MUN - BUR, you say?
        A PAR - BUR is what I want
        Your plan: F LON - ENG
        A PAR - BUR?
        Munich to Burgundy would be nice
        Burgundy is mine, Munich is yours
        A friend to all
        Spain is yours.
        Paris
        Signing the pact today
        Signed, France
        Sign here please
        Register my protest
        Help!
        Draw?
        draw
        Wait.
        Clear.
        Retreat!
        Hold on.
        Resign now.
        Watch Italy closely.
        Observe them closely
        Login problems again
        Join my alliance today""")
    text = "\n".join(["My friend,", *lines, "Yours, F."])
    for below in ("", "\nSIGNOFF", "\nsignoff", "\n-- \nFrance", "\nSIGNON Tswan pw\nA CON - BUL"):
        texts, reply = sent(heron, f"{SIGNON}{ORDERS}\nPRESS TO E\n{text}{below}")
        assert texts == [text], reply


def test_a_sign_on_below_a_message_without_an_end_is_read(two_games):
    for game in ("stork", "heron"):
        texts, reply = sent(two_games, f"{SIGNON}PRESS TO E\nMeet me.\n\nSIGNON F{game} pwfrance\nA PAR - GAS")
        assert texts == ["Meet me."]
        assert "Army Paris -> Gascony" in reply


def test_no_password_goes_out(two_games):
    lines = """\
SIGNON Fstork geheim
Sign on Fstork geheim
*LOGIN Fstork geheim*
signon france@stork geheim
> SIGNON Fheron pwfrance
my line: log on F heron pwfrance
- login Fstork geheim
Sign in Fstork geheim
My password is pwfrance
heron: pwfrance
Fheron pwfrance
login with pwfrance"""
    for line, end in product(listed(lines), ("\nENDPRESS", "")):
        for mail in two_games.would_write(FRANCE, f"{SIGNON}PRESS TO E\nTry this:\n{line}{end}"):
            assert "geheim" not in mail.text + mail.page and "pwfrance" not in mail.text + mail.page, (line, mail.text)


def test_a_word_that_is_a_password_by_chance_is_sent(heron):
    heron.writes(FRANCE, f"{SIGNON}SET PASSWORD river")
    texts, _ = sent(heron, "SIGNON Fheron river\nPRESS TO E\nMeet me at the river.\nENDPRESS")
    heron.received.clear()
    assert texts == ["Meet me at the river."]


def test_a_masters_broadcast_swallows_nothing(heron):
    for line in ("BECOME FRANCE\nA PAR - BUR", "become france\nA PAR H", "SET DEADLINE +24", "A PAR - BUR",
                 "EJECT Turkey"):  # fmt: skip
        (mail,) = heron.would_write("kim@example.org", f"SIGNON Mheron gm\nBROADCAST\nSorry for the delay.\n{line}")
        assert mail.to == "kim@example.org", line
        assert mail.flat.startswith("Your message was NOT sent: BROADCAST. Nothing after that line was recorded"), line


def test_a_recipient_that_cannot_be_read_changes_no_box(heron):
    wrong = ("PRESS TO Engand", "PRESS TO win", "Press to win, I say.", "PRESS TO", "PRESS FAKE TO E", "POSTAL PRESS")
    for begins, end in [*product(wrong, ("ENDPRESS", "")), (wrong[0], "END")]:
        text = f"{SIGNON}F BRE H\n{begins}\nMeet me.\n{end}\nA PAR - BUR"
        (mail,) = heron.would_write(FRANCE, text)
        told = mail.flat
        assert mail.to == FRANCE and told.startswith(f"Your message was NOT sent: {begins.rstrip('.')}."), told
        assert "Fleet Brest HOLD" in told, begins
        assert ("A PAR - BUR" in told) == bool(end), begins
        assert ("Nothing after that line was recorded" in told) == (not end), begins
