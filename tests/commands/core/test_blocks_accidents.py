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


def test_an_address_that_somebody_has_set_does_not_keep_it_from_them(heron):
    mails = heron.writes("fay@example.net", "I AM ALSO france@example.org")
    token = next(mail for mail in mails if mail.to == "france@example.org")
    heron.writes("france@example.org", next(line for line in token.text.splitlines() if "CONFIRM" in line))
    assert "go to fay@example.net" in says(heron, FRANCE + "SET ADDRESS fay@example.net")
    assert left(heron.writes("france@example.org", FRANCE + "RESIGN heron")) == [
        "fay@example.net", "france@example.org"
    ]  # fmt: skip


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
