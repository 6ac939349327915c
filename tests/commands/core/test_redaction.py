"""Passwords are masked because they are known, wherever they stand; everything else stays as it was written."""

import base64
import quopri
from collections.abc import Iterable
from contextlib import closing
from datetime import timedelta
from email.message import EmailMessage
from html import escape
from itertools import islice, product
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.commands.command_table import COMMANDS
from judge.letters import signon_words
from judge.store.engine import transaction
from judge.store.tables import LetterRow
from tests.commands.deskatwork import DeskAtWork
from tests.letters.reading import as_kept, kept_text, read_letter, redaction
from tests.letters.writing import letter, multipart, part
from tests.no_password_remains import holding
from tests.texts import listed, table

FAY = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


# Dresses in which people write a password, and a word too many.
DRESSES = listed("""
    {}
    <{}>
    ({})
    [{}]
    <<{}>>
    '{}'
    "{}"
    ‘{}’
    ‚{}‘
    “{}”
    „{}“
    «{}»
    ‹{}›
    ´{}´
    「{}」
    `{}`
    *{}*
    **{}**
    _{}_
    *<{}>*
    {},
    {};
    {}.
    {}:
    :{}
    =<{}>""")
# What is also around or beside a password, and is never chosen with it.
ODD = ["<b>{}</b>", "&lt;{}&gt;", "{}//mine", "pw={}", "passwort:{}"]
NOT_ONE_WORD = ["{} please", "<{}> and thanks", ": {}", *ODD]
# Every command that takes a password, and other words for them.
WITH_PASSWORD = listed("""
    SIGNON Fheron {}
    SIGN ON Fheron {}
    LOGIN Fheron {}
    LOGON Fheron {}
    SIGNON France heron {}
    SIGNON heron France {}
    SIGNON France@heron {}
    SIGNON Mheron {}
    SIGNON ?swan {}
    SIGN ON ?swan {} standard
    LOGIN ?swan {}
    SIGNON ? {}
    CREATE ?nest {}
    CREATE ?nest {} standard
    OBSERVE heron {}
    WATCH heron {}
    MONITOR heron {}
    JOIN swan {}
    HELLO ?swan {}
    HELLO Fheron {}
    TAKEOVER Fheron {}
    TAKE OVER Fheron {}
    TAKEOVER France heron {}
    RESIGN Fheron {}
    WITHDRAW France@heron {}
    SET PASSWORD {}
    SET PW {}
    SET P {}
    PASSWORD {}
    SET PASSWORD: {}
    SET PASSWORD = {}
    NEW PASSWORD {}""")


# Lines that are nearly such a command: misspelt, glued, with other signs and words, in another order.
NEARLY = listed("""
    SINGON Fheron {}
    SIGNNO Fheron {}
    SIGN0N Fheron {}
    Sign in Fheron {}
    SIGNONFheron {}
    SIGNON:Fheron {}
    SIGNON Fheron{}
    SIGNON ?swan{}
    SIGNON Fheron/{}
    SIGNON Fheron={}
    SIGNON Fheron, {}
    SIGNON Fheron with password {}
    SIGNON as France to heron {}
    SIGNON heron {}
    SIGNON Fheorn {}
    "SIGNON Fheron {}"
    (signon Fheron {})
    Hello! Signon F heron {}
    1) SIGNON F heron {}
    CREATE nest {}
    CRAETE ?nest {}
    CREATE ?nest standard {}
    CREATE GAME ?nest {}
    OBSERV heron {}
    JOIN GAME heron {}
    SET PASWORD {}
    SET PWD {}
    SET MY PASSWORD TO {}
    CHANGE PASSWORD TO {}
    change my password {}
    SET WAIT, PASSWORD {}
    SET heron PASSWORD {}
    SET PASSWORD-{}
    SETPASSWORD={}
    SIGNON {} heron France
    SIGNON F-heron-{}
    SIGNON France {} heron
    SIGNON heron F {} please
    SIGNON // Fheron {}
    OBSERVE {} heron
    sign me on to Fheron {}
    (SIGNON Fheron {})
    password={}""")
# Where such a line may be in a letter.
PLACES = {
    "above all": "{lines}",
    "after a sign-on": f"{SIGNON}{{lines}}",
    "after SIGNOFF": f"{SIGNON}SIGNOFF\n{{lines}}",
    "in a message": f"{SIGNON}PRESS TO GERMANY\nHi!\n{{lines}}\nENDPRESS",
    "in a message without its end": f"{SIGNON}PRESS TO GERMANY\nHi!\n{{lines}}",
    "in a form": "REGISTER\nName: Fay\n{lines}\nEND",
    "in a what-if": f"{SIGNON}WHATIF\n{{lines}}\nENDWHATIF",
    "in a condition": f"{SIGNON}IF A PAR THEN\n{{lines}}\nENDIF",
    "in a signature": f"{SIGNON}-- \n{{lines}}",
    "in a quote": f"{SIGNON}> {{lines}}",
}


def shown(desk: DeskAtWork, words: Iterable[str]) -> list[str]:
    """Where in the mails and tables one of the words is."""
    with closing(desk.engine.raw_connection()) as connection:
        return holding(set(words), connection)


def test_every_command_that_takes_a_password_is_tried_in_every_dress():
    names = {name for command in COMMANDS if "<password>" in command.pattern for name in command.names}
    assert names == {name for name in names if any(line.startswith(f"{name} ") for line in WITH_PASSWORD)}


@pytest.mark.parametrize("command", WITH_PASSWORD)
def test_no_dress_of_a_password_lets_it_get_anywhere(heron: DeskAtWork, command: str):
    """The word is also in a comment, in a message, in lines that the reply names, and after the end."""
    heron.writes("kim@example.org", "CREATE ?swan gm")
    dresses, opening = DRESSES + NOT_ONE_WORD, command.split()[0]
    words = [f"ozmurk{first}{second}" for first, second in product("bdfgkl", repeat=2)]
    setting = SIGNON if opening in ("SET", "PASSWORD", "NEW") else ""
    told = [f"SET COMMENT so {word}\nPRESS TO GERMANY\nHi {word}!\nENDPRESS\nnot {word}" for word in words]
    given = [setting + command.format(dress.format(word)) for dress, word in zip(dresses, words, strict=False)]
    for number in range(0, len(given), 10):
        heron.now += timedelta(hours=1)
        some = slice(number, number + 10)
        # After a sign-on, WATCH and the like begin sentences.
        above, below = (given, []) if opening in ("WATCH", "MONITOR") else ([], given)
        lines = [*above[some], SIGNON, *told[some], *below[some], "SIGNOFF", *words[some]]
        heron.writes(FAY, "\n".join(lines), subject=words[number])
    assert shown(heron, words[: len(given)]) == []


@pytest.mark.parametrize("place", PLACES)
def test_no_password_leaves_in_any_dress_command_and_place(
    heron: DeskAtWork, monkeypatch: pytest.MonkeyPatch, place: str
):
    """It is in no mail, in no table and in no line of the log; the subject has one as well, and so has a page."""
    logged: list[str] = []
    handle = heron.desk.handle
    monkeypatch.setattr(heron.desk, "handle", lambda *given: logged.append(handle(*given)))
    heron.writes("kim@example.org", "CREATE ?swan gm")
    # After a sign-on, WATCH and the like begin sentences; inside a message a setting is text.
    prose = ("SET", "PASSWORD", "NEW", "CHANGE") if place == "in a message" else ("WATCH", "MONITOR")
    commands = [line for line in (*WITH_PASSWORD, *NEARLY) if not line.upper().startswith(prose)]
    pairs = islice(product(commands, DRESSES), list(PLACES).index(place), None, 11)
    words = [f"ozmurk{''.join(letters)}" for letters in product("bdfgkl", repeat=3)]
    rows = [(word, command.format(dress.format(word))) for word, (command, dress) in zip(words, pairs, strict=False)]
    for number in range(0, len(rows), 9):
        heron.now += timedelta(hours=1)
        some = [line for _, line in rows[number : number + 9]]
        between = "\n> " if place == "in a quote" else "\n"
        text = PLACES[place].format(lines=between.join(some))
        heron.writes(FAY, text, subject=some[0])
        page = "<br>".join(map(escape, text.split("\n")))
        heron.receives(letter(page, "Content-Type: text/html", sender=FAY))
    given = [word for word, _ in rows]
    assert len(given) > 100 and shown(heron, given) == []
    assert not [word for word in given if word in "\n".join(logged)]


def test_a_dressed_password_opens_its_seat_and_gets_nowhere(heron: DeskAtWork):
    below = "PRESS TO GERMANY\nIt is pwfrance.\nENDPRESS\nSET COMMENT pwfrance"
    for dress in DRESSES + ODD:
        told = heron.would_reply(FAY, f"SIGNON Fheron {dress.format('pwfrance')}\n{below}").flat
        assert "contains a password" in told and "pwfrance" not in told, dress


def test_a_placeholder_is_never_a_password(heron: DeskAtWork):
    for left in ("<password>", "<PASSWORD>", "<new>", "...", "****", "<your password>", "*<your password>*"):
        openings = ["SIGNON Fheron", "LOGON Fheron", "SIGNON ?swan", "CREATE ?nest"]
        openings += ["OBSERVE heron", "JOIN heron"] if " " not in left else []
        for line in openings:
            assert "Your password is missing" in heron.would_reply(FAY, f"{line} {left}").flat, (line, left)
        changed = heron.would_reply(FAY, f"{SIGNON}SET PASSWORD {left}").flat
        assert "the placeholder is not a password" in changed, left


def test_a_password_that_is_a_word_of_the_game_stops_only_what_gives_it_away(heron: DeskAtWork):
    for password in ("Burgundy", "Vienna", "england", "Observe", "deadline"):
        given = f"{SIGNON}SET PASSWORD <{password}>\nPRESS TO GERMANY\n"
        assert "sent to Germany" in heron.would_reply(FAY, f"{given}I like {password} best.\nENDPRESS").flat, password
        told = heron.would_reply(FAY, f"{given}My password is {password}.\nENDPRESS").flat
        assert "contains a password" in told, password


def last_letter(desk: DeskAtWork) -> LetterRow:
    with transaction(desk.engine) as session:
        row = session.exec(select(LetterRow).order_by(col(LetterRow.id).desc())).first()
        assert row
        return row


def text_of(row: LetterRow) -> str:
    return row.raw.decode().partition("\n\n")[2]


GIVEN = [
    *table("""
    SIGNON Fheron hush                          => SIGNON Fheron ****
    sign on Fheron hush                         => sign on Fheron ****
    login Fheron hush                           => login Fheron ****
    Hello judge, SIGNON Fheron hush             => Hello judge, SIGNON Fheron ****
    **SIGNON Fheron hush**                      => **SIGNON Fheron ******
    SIGNON Fheron hush A PAR - BUR, A MAR H     => SIGNON Fheron **** A PAR - BUR, A MAR H
    SIGNON France heron hush                    => SIGNON France heron ****
    SIGNON heron France hush                    => SIGNON heron France ****
    SIGNON Fheron password: hush                => SIGNON Fheron password: ****
    SIGNON Fheron hush and more                 => SIGNON Fheron **** and ****
    SIGNON Fheron:hush                          => SIGNON Fheron:****
    SIGNON Fheronhush                           => SIGNON Fheron****
    Sign in Fheron hush                         => Sign in Fheron ****
    SIGNON heron hush please                    => SIGNON heron ****
    SIGNON hush Fheron                          => SIGNON **** Fheron
    SIGNON Fheron_hush_                         => SIGNON Fheron_****_
    LOGON Fheron hush                           => LOGON Fheron ****
    SIGN-ON Fheron hush                         => SIGN-ON Fheron ****
    SIGNONFheron hush                           => SIGNONFheron ****
    SIGNOFF / SIGN-ON Fheron hush               => SIGNOFF / SIGN-ON Fheron ****
    SIGNON / Fheron, hush                       => SIGNON / Fheron, ****
    SIGNON ?heron hush                          => SIGNON ?heron ****
    SIGNON ? hush                               => SIGNON ? ****
    CREATE ?nest hush standard                  => CREATE ?nest **** standard
    OBSERVE heron hush                          => OBSERVE heron ****
    JOIN heron hush Gunboat                     => JOIN heron **** Gunboat
    HELLO Fheron hush                           => HELLO Fheron ****
    TAKEOVER France heron hush                  => TAKEOVER France heron ****
    RESIGN France heron hush                    => RESIGN France heron ****
    TAKEOVER heron France hush                  => TAKEOVER heron France ****
    RESIGN heron F hush                         => RESIGN heron F ****
    TAKEOVER Fheron hush                        => TAKEOVER Fheron ****
    RESIGN Fheron hush                          => RESIGN Fheron ****
    join france@heron hush                      => join france@heron ****
    MONITOR jo@heron hush                       => MONITOR jo@heron ****
    SIGNON Fheron other / SET PASSWORD hush     => SIGNON Fheron **** / SET PASSWORD ****
    SIGNON Fheron other / SET PASSWORD hush two => SIGNON Fheron **** / SET PASSWORD ****
    SIGNON Fheron other / SET WAIT, P hush      => SIGNON Fheron **** / SET WAIT, P ****"""),
    *(
        (f"SIGNON Fheron other\n{line}", f"SIGNON Fheron ****\n{line.replace('hush', '****')}")
        for line in (
            "My new password is hush since the old one is known",
            "change my password to hush please, as all know mine",
            "NEW PASSWORD=hush",
            "NEW PASSWORD hush",
        )
    ),
    ("SIGNON: F heron / hush", "SIGNON: F heron / ****"),
    ("\uff33\uff29\uff27\uff2e\uff2f\uff2e Fheron hush", "SIGNON Fheron ****"),
    ("SIG\u00adNON Fheron hu\u2060sh", "SIGNON Fheron ****"),
]
# Words that no line gives by a command, but nothing else can be meant by such a line.
SURE = listed("""
    SET NEW PASSWORD ozmurkel
    SET MY PASSWORD ozmurkel
    SET PASSWD ozmurkel
    SET PASSWORT: ozmurkel
    PASSWORD=ozmurkel
    My password: ozmurkel
    password ozmurkel please
    SINGON Fheron ozmurkel""")
NEAR_MISSES = [
    *table("""
    SINGON Fheron other                       => SINGON Fheron ****
    Sgnon Fnowhere other                      => Sgnon Fnowhere ****
    > SIGNON Eheron other                     => > SIGNON Eheron ****
    > > sign on Eheron other                  => > > sign on Eheron ****
    FR> SIGNON Eheron other                   => FR> SIGNON Eheron ****
    My line was: signon Fheron other          => My line was: signon Fheron ****
    set pasword other one                     => set pasword ****
    SETPASSWORD other                         => SETPASSWORD ****
    password: other                           => password: ****
    create heron other                        => create heron ****
    > Your password is other: keep this mail  => > Your password is ****: keep this mail
    > Your password is other: keep this email => > Your password is ****: keep this email
    > SIGNON Mheron <your password>           => > SIGNON Mheron <your password>"""),
    ("-- \nSIGNON Fheron other", "--\nSIGNON Fheron ****"),
]
EVERYDAY = listed("""
    Hello England, how are you?
    Watch Italy closely
    create a pact against Turkey
    Join my alliance today
    Resign yourself to it
    Observe them closely
    Login problems again
    Sinon la Russie attaquera
    Signor Rossi viene da Roma
    Signed by Fay today
    Sign in, please
    I cannot sign on to heron today
    Please set press to white
    We may create a new front, join me there
    My password does not work
    I will sign on to your plan against Turkey
    Take over Belgium then
    Withdraw from Burgundy now
    Monitor the Black Sea closely
    Log in later
    The SIGNON line is missing
    Set past quarrels aside
    HELLO EVERYBODY OUT THERE
    JOIN US TODAY
    Hallo Wien, wie geht es
    Observe Trieste carefully, my friend""")


@pytest.mark.parametrize(("written", "masked"), GIVEN)
def test_what_the_letter_gives_is_masked_wherever_it_stands(written: str, masked: str):
    elsewhere = "I hush, hush-hush, but not hushed or Fhush.\n> my word is *hush*"
    text = kept_text(letter(f"{written}\n{elsewhere}\n"))
    assert text == f"{masked}\nI ****, ****-****, but not hushed or Fhush.\n> my word is ******\n"


def test_what_is_glued_to_the_name_of_a_game_is_a_password_from_three_letters_on():
    assert kept_text(letter("SIGNON Fheronhus\nis hus\n")) == "SIGNON Fheron****\nis ****\n"
    assert kept_text(letter("SIGNON Fheronhu\nis hu\n")) == "SIGNON Fheron****\nis hu\n"


@pytest.mark.parametrize(("written", "masked"), NEAR_MISSES)
def test_a_near_miss_is_masked_on_its_own_line(written: str, masked: str):
    text = kept_text(letter(f"SIGNON Gheron hush\nA MUN - RUH\nany other time\n{written}\n"))
    assert text == f"SIGNON Gheron ****\nA MUN - RUH\nany other time\n{masked}\n"


@pytest.mark.parametrize(
    "opening",
    [
        "SIGNON Fheron",
        "SIGNON Fheron password:",
        "SIGNON F heron",
        "SIGNON\nFheron",
        "SIGNON\nF heron",
        "SIGNON Fheron pwfrance\nSET PASSWORD:",
    ],
)
def test_a_password_on_the_line_below_is_masked_everywhere(opening: str):
    for below in ("hush", "- hush", "-hush", "hush please", "my password is hush", "pw: hush, thanks", "<hush>"):
        text = kept_text(letter(f"{opening}\n{below}\nA PAR - BUR\n> it is hush\n"))
        assert "hush" not in text and "A PAR - BUR" in text, (opening, below)


@pytest.mark.parametrize("line", SURE)
def test_what_is_surely_a_password_is_not_sent(heron: DeskAtWork, line: str):
    told = heron.would_reply(FAY, f"{SIGNON}{line}\nPRESS TO GERMANY\nHi ozmurkel!\nENDPRESS")
    assert "contains a password" in told.flat and "ozmurkel" not in told.text


def test_a_heading_below_a_sign_on_is_no_password(heron: DeskAtWork):
    heron.writes(FAY, f"{SIGNON}SET PASSWORDLESS")
    for heading in ("Orders:", "orders", "Thanks", "Hello judge,", "My moves", "Spring 1901", "A PAR - BUR"):
        text = f"SIGNON Fheron\n{heading}\nPRESS TO GERMANY\n{heading} - hi.\nENDPRESS"
        assert "contains a password" not in heron.would_reply(FAY, text).flat, heading


@pytest.mark.parametrize("line", EVERYDAY)
def test_everyday_lines_stay_as_they_are(line: str):
    raw = letter(f"SIGNON Fheron hush\nA PAR - BUR\nPRESS TO G\nx\nENDPRESS\nSIGNOFF\n  {line}\n> {line}\n")
    assert kept_text(raw).endswith(f"SIGNOFF\n  {line}\n> {line}\n")
    assert redaction(raw)(f"Re: {line}") == f"Re: {line}"


BEFORE = ("", "- ", "→ ", "“", "„", "«", "`", "* ", "1. ", "• ", "★ ", "> ", "Hello judge, ", "FR> ")
WORDS = (
    "SIGNON",
    "Signon",
    "LOGIN",
    "Log in",
    "Sign on",
    "SIGN IN",
    "Signin",
    "LOG ON",
    "SIGN-ON",
    "SINGON",
    "Takeover",
)
BEHIND = ("", "”", ":", "`", "*", '"', ",", "**", "…", " -")
TARGETS = ("Fheron", "?heron", "France@heron", "“Fheron”", "? heron", "France heron")
ENDS = ("", "”", ".", "*", " A PAR - BUR")


@pytest.mark.slow
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("quoted", ["", "> "])
def test_no_dress_of_a_sign_on_shows_its_password(word: str, quoted: str):
    secret = "s3cr3tx"
    lines = [
        f"{quoted}{before}{word}{behind} {target} {secret}{ENDS[number % len(ENDS)]}"
        for number, (before, behind, target) in enumerate(islice(product(BEFORE, BEHIND, TARGETS), 0, None, 17))
    ]
    assert not [line for line in lines if secret in kept_text(letter(line))]
    assert not [line for line in lines if secret not in " ".join(signon_words(line))]


WRITTEN = "SIGNON Fheron s3cr3tx\nA PAR - BUR\nGrüße, s3cr3tx\n"


@pytest.mark.parametrize(
    "raw",
    [
        letter(quopri.encodestring(WRITTEN.encode()), "Content-Type: text/plain; charset=utf-8",
               "Content-Transfer-Encoding: quoted-printable"),
        letter(base64.encodebytes(WRITTEN.encode()), "Content-Type: text/plain; charset=utf-8",
               "Content-Transfer-Encoding: base64"),
        letter("<div>SIGNON&nbsp;Fheron <b>s3c</b>r3tx</div><!-- s3cr3tx --><p title=s3cr3tx>A PAR - BUR",
               "Content-Type: text/html"),
        letter("<table><tr><td>SIGNON<td>Fheron<td>s3cr3tx</table>A PAR - BUR", "Content-Type: text/html"),
        letter("SIGNON Fheron \ns3cr3tx\nA PAR - BUR\n", "Content-Type: text/plain; format=flowed"),
        letter("A PAR - BUR\n> SIGNON Fheron s3cr3tx\n> s3cr3tx: keep this mail\n"),
        letter("SIGNON Fheron s3cr3tx\nA PAR - BUR", "Thread-Topic: SIGNON Fheron s3cr3tx", "X-A: =?utf-8?q?s3cr3tx?="),
        letter(WRITTEN.encode("utf-16-le"), "Content-Type: text/plain; charset=utf-16-le"),
        multipart("mixed", part("SIGNON Fheron s3cr3tx\nA PAR - BUR"), part("s3cr3tx", "text/html"),
                  part(base64.encodebytes(b"s3cr3tx"), "application/pdf", "Content-Transfer-Encoding: base64")),
        b"Subject: =?utf-8?b?" + base64.b64encode(b"SIGNON Fheron s3cr3tx") + b"?=\r\n\r\nA PAR - BUR\r\n",
    ],
)  # fmt: skip
def test_however_a_letter_is_wrapped_its_text_is_kept_without_the_password(raw: bytes):
    stored = as_kept(raw)
    assert b"s3cr3tx" not in stored and base64.b64encode(b"s3cr3tx")[:8] not in stored
    assert b"A PAR - BUR" in stored and b"****" in stored
    assert read_letter(stored).lines, "what is kept is a letter, too"


def test_headers_and_text_are_kept_and_no_attached_file(heron: DeskAtWork):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = FAY, heron.settings.address, "Zug für pwfrance"
    message["Received"] = "from a.example by b.example; Mon, 4 May 2026 10:00:00 +0000"
    message.set_content(f"{SIGNON}A PAR - BUR\n\nSchöne Grüße\n> how are you, England?\n-- \nFay pwfrance\n")
    message.add_attachment(b"\x89PNG pwfrance", maintype="image", subtype="png", filename="a.png")
    heron.receives(message.as_bytes())
    row = last_letter(heron)
    head, _, text = row.raw.decode().partition("\n\n")
    assert text == "SIGNON Fheron ****\nA PAR - BUR\n\nSchöne Grüße\n> how are you, England?\n--\nFay ****\n"
    assert f"From: {FAY}\n" in head and "Received: from a.example" in head and "Subject: Zug für ****\n" in head
    assert "multipart" not in head and row.subject == "Zug für ****"


def test_raw_bytes_stay_while_a_letter_waits(tmp_path: Path):
    desk = DeskAtWork(tmp_path, "", {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes"})
    form = "REGISTER\nName: Jo\nEND\nCREATE ?nest hushing9\n"
    answer = desk.replies("jo@example.org", form)
    waiting = last_letter(desk)
    assert waiting.state == "held" and b"CREATE ?nest hushing9" in waiting.raw and "hushing9" not in answer.text
    token = answer.subject.partition("CONFIRM ")[2].rstrip(")")
    assert "nest has been created" in desk.replies("jo@example.org", f"CONFIRM {token}").text
    with transaction(desk.engine) as session:
        row = session.get_one(LetterRow, waiting.id)
        assert row.state == "done" and row.raw.endswith(b"\n\nREGISTER\nName: Jo\nEND\nCREATE ?nest ****\n")


def test_a_comment_stays_as_it_was_written_or_is_refused(heron: DeskAtWork):
    text = "Hello England, how are you?\nWatch Italy closely.\nJoin my alliance today"
    comments = f"SET COMMENT BEGIN\n{text}\nEND\nSET COMMENT Observe them closely"
    heron.replies("kim@example.org", f"SIGNON Mheron gm\n{comments}")
    told = heron.replies(FAY, "LIST heron").text
    assert all(line in told for line in text.split("\n")) and "Observe them closely" in told
    password = "gm"
    for comment in ("SET COMMENT BEGIN\nMy password is s3same8!\nEND", "SET COMMENT use s3same8 here"):
        letter = f"SIGNON Mheron {password}\nSET PASSWORD s3same8\n{comment}"
        answer, password = heron.replies("kim@example.org", letter), "s3same8"
        assert "Comment not changed: it contains a password from this email." in answer.flat
    assert "s3same8" not in heron.replies(FAY, "LIST heron").text


def test_a_letter_of_a_machine_is_kept_without_passwords(heron: DeskAtWork):
    heron.writes(FAY, f"I am away.\n\n> {SIGNON}> A PAR - BUR\n", headers={"Auto-Submitted": "auto-replied"})
    row = last_letter(heron)
    assert row.state == "ignored" and text_of(row) == "I am away.\n\n> SIGNON Fheron ****\n> A PAR - BUR\n"


def test_a_sign_on_far_inside_a_line_shows_no_password(heron: DeskAtWork):
    """A page that was damaged on its way may be one line."""
    page = f"<p>{'Ich bin nicht da. ' * 30} A PAR - BUR SIGNON Fheron pwfrance Date: Mon, 04 May 2026</p>"
    head = "From: france@example.org\r\nTo: judge@example.org\r\nMessage-ID: <far@example.org>\r\n"
    heron.receives(f"{head}Content-Type: text/html\r\n\r\n{page}\r\n".encode())
    with transaction(heron.engine) as session:
        kept = [row.raw for row in session.exec(select(LetterRow))]
    assert any(b"SIGNON Fheron" in raw for raw in kept) and not any(b"pwfrance" in raw for raw in kept)


def test_a_refused_password_is_never_said_back(heron: DeskAtWork):
    for lines in (
        "SET PASSWORD sesam7x street9", "SET P sesam7x street9", "set pasword sesam7x", "SET PASWORD sesam7x",
        "SIGNON Fheronsesam7x", "SIGNON Fheron:sesam7x", "SIGNON Fheron sesam7x please", "SIGNIN Fheron sesam7x",
        "SIGNON Fheron sesam7x sesam7x", "SINGON Fheron sesam7x", "password is what? sesam7x\nSIGNON Fheron sesam7x",
        "SIGNON Fheron sesam7x\nA PAR - BUR sesam7x",
    ):  # fmt: skip
        heron.now += timedelta(hours=1)
        mails = heron.writes(FAY, f"{SIGNON}A PAR - BUR\n{lines}\n", subject=lines.partition("\n")[0])
        row = last_letter(heron)
        kept = f"{row.subject}\n{row.raw.decode()}"
        said = "\n".join([kept, *(f"{mail.subject}\n{mail.text}\n{mail.page}" for mail in mails)]).lower()
        assert "sesam7x" not in said and "street9" not in said, lines
