"""What is a yes, and what is none: letters that bring back a code, and registrations that wait for it."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, product
from pathlib import Path

import pytest
from sqlmodel import SQLModel, select

from judge.games.life import forming
from judge.letters.words import PREFIXES, WORDS
from judge.store import inbox, outbox
from judge.store.engine import reading, transaction
from judge.store.people import person_at
from judge.store.tables import LetterRow, Mail
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.letters.test_words import written
from tests.texts import listed

FAY, EVE, JO = "france@example.org", "eve@evil.example", "jo@example.org"
HEADING = "On Mon, 4 May 2026 at 10:01, Judge <judge@example.org> wrote:"
OUTLOOK = (
    "From: Judge <judge@example.org>\nSent: Monday, May 4, 2026 10:01 AM\nTo: Fay <france@example.org>\n"
    "Subject: Re: to the judge\n"
)
NO = [
    *listed("""
        No, not me!
        No
        NO!
        no.
        What is this?
        stop
        STOP
        Stop it!
        Who are you?
        unsubscribe
        Remove me
        I never asked for this.
        That was not me
        Not me.
        spam
        wrong address
        Please don't
        No thanks
        Thanks, but no
        Hello, no.
        ?
        ???
        What?
        Yes?
        yes, but what is this?
        OK, who is this?
        Yes. No.
        I do not agree
        I don't confirm
        don't confirm
        Yes, please stop this
        yes no
        do nothing
        Do nothing!
        nobody is registered
        If it was not you, do nothing
        If it is not you, do nothing: nothing changes.
        Delete my address
        I will think about it
        maybe
        later
        👎
        :-(
        abuse@example.org
        Who is Jo?
        Jo, who is this?
        Nein
        Nein danke
        Nicht ich!
        Was soll das?
        Ich war das nicht.
        Non
        Non merci
        Ce n'est pas moi
        Qui êtes-vous ?
        No soy yo
        ¿Qué es esto?
        No, gracias
        Non sono io
        Cos'è questo?
        Não
        Não fui eu
        Nee
        Nee, bedankt
        Wie bent u?
        Nej tack
        Det var inte jag
        Nie
        To nie ja
        Ne
        Нет
        Это не я
        Hayır
        Όχι
        いいえ
        私ではありません
        不是我
        아니요
        CONFIRM?
        I cannot confirm this
        confirm what?
        I agree with nobody
        agree? no
        CONFIRM abcdefabcdef
        I am on holiday until Monday.
        This is private and confidential. I did not ask for it, so please delete me at once."""),
    "Hi,\n\nwho are you?\n\nBest regards,\nJo",
]  # fmt: skip
YES = [
    *listed("""
        YES
        yes
        Yes.
        Yes!
        OK
        ok
        O.K.
        Okay
        I agree
        I AGREE.
        Agreed
        CONFIRM
        I confirm
        Confirmed
        *YES*
        Yes, thanks
        Yes, please.
        Yes, that is me!
        yes it's me
        Thanks
        Hello
        Jo
        Ja
        Ja, das bin ich.
        Oui
        Sí
        Sì
        Sim
        Tak
        Ano
        Да
        Evet
        Ναι
        はい
        是的
        네
        Sent from my iPhone
        Von meinem iPhone gesendet
        Get Outlook for iOS"""),
    "",
    "Hello,\n\nyes.\n\nThanks,\nJo",
    "Hi judge,\nOK\n\nBest regards\nJo Roe",
    "Thank you!\nJo",
    "Mit freundlichen Grüßen\nJo",
    "YES\n\nSent from my iPhone",
    "YES\n\n-- \nJo Roe\nAcme Ltd, do not disturb",
    "-- \nJo Roe\nNo. 10, Downing Street",
    "This email and any files transmitted with it are confidential and intended solely for the "
    "use of the individual\nor entity to whom they are addressed. If you have received this "
    "email in error please notify the sender.",
    "OK\n\nPlease consider the environment before you print this email.",
    "Diese E-Mail ist vertraulich und nur für den Empfänger bestimmt. Sollten Sie nicht der "
    "Empfänger sein, dürfen Sie\nsie weder lesen noch weitergeben.",
]  # fmt: skip


def quoted(mail: Posted, mark: str = "> ") -> str:
    return "\n".join(f"{mark}{line}" for line in mail.text.splitlines())


def wrapped(mail: Posted) -> str:
    """Quoted, and then wrapped by a program that gives the rest of a line no mark."""
    lines = []
    for line in quoted(mail).splitlines():
        cut = line.rfind(" ", 0, 70) if len(line) > 70 else -1
        lines += [line[:cut], line[cut + 1 :]] if cut > 0 else [line]
    return "\n".join(lines)


# How the judge's mail stands in the answer: {words} are the sender's own.
WAYS = {
    "alone": lambda words, mail: words,
    "above a quote": lambda words, mail: f"{words}\n\n{HEADING}\n{quoted(mail)}",
    "below a quote": lambda words, mail: f"{HEADING}\n{quoted(mail)}\n\n{words}",
    "right below a quote": lambda words, mail: f"{HEADING}\n{quoted(mail)}\n{words}",
    "above an Outlook block": lambda words, mail: f"{words}\n\n{OUTLOOK}\n{mail.text}",
    "below an Outlook block": lambda words, mail: f"{OUTLOOK}\n{mail.text}\n\n{words}",
    "above the mail without marks": lambda words, mail: f"{words}\n\n{mail.text}",
    "below the mail without marks": lambda words, mail: f"{mail.text}\n\n{words}",
    "above a heading without marks": lambda words, mail: f"{words}\n\n{HEADING}\n\n{mail.text}",
    "below a heading without marks": lambda words, mail: f"{HEADING}\n\n{mail.text}\n\n{words}",
    "inside a quote": lambda words, mail: inside(words, mail, "> "),
    "inside a sentence of a quote": lambda words, mail: inside(words, mail, "> If it was you"),
    "above a wrapped quote": lambda words, mail: f"{words}\n\n{HEADING}\n{wrapped(mail)}",
    "below a wrapped quote": lambda words, mail: f"{HEADING}\n{wrapped(mail)}\n\n{words}",
    "above other marks": lambda words, mail: f"{words}\n\n{quoted(mail, '| ')}",
}


def inside(words: str, mail: Posted, below: str) -> str:
    """The words below the first quoted line that begins so, in the lower half of the mail if any line does."""
    lines = quoted(mail).splitlines()
    half = len(lines) // 2
    at = next(n for n, line in enumerate(lines) if line.startswith(below) and (n >= half or below != "> ")) + 1
    return "\n".join([*lines[:at], words, *lines[at:]])


def code_in(mail: Posted) -> str:
    (word,) = set(re.findall(r"CONFIRM (\w{12})", mail.text))
    return word


def name_of(desk: DeskAtWork) -> str:
    with reading(desk.engine) as session:
        person = person_at(session, JO)
        assert person
        return person.name


def agrees(desk: DeskAtWork, text: str, subject: str) -> bool:
    """Whether Jo, who is asked, has changed his name by this letter, which is then undone."""
    mails = desk.would_write(JO, text, subject=subject)
    return any("Your registration has been changed, Jo Roe." in mail.flat for mail in mails)


def asks(desk: DeskAtWork) -> Posted:
    """The mail that asks Jo to confirm that he is called Roe."""
    desk.writes(JO, "REGISTER\nName: Jo\nEND")
    return desk.replies(JO, "REGISTER\nName: Jo Roe\nEND\nVERSION")


def dealt(words: list[str]) -> Iterator[tuple[str, str]]:
    """Each of the words with one of the ways in turn, and the first with all; the words and the way."""
    yield from product(words[:1], WAYS)
    yield from zip(words[1:], cycle(WAYS), strict=False)


def test_whatever_is_not_a_yes_changes_nothing(desk: DeskAtWork):
    mail = asks(desk)
    assert not [(words, way) for words, way in dealt(NO) if agrees(desk, WAYS[way](words, mail), mail.subject)]


def test_a_yes_and_no_words_at_all_agree(desk: DeskAtWork):
    mail = asks(desk)
    assert not [(words, way) for words, way in dealt(YES) if not agrees(desk, WAYS[way](words, mail), mail.subject)]


def test_every_row_of_the_words_agrees_and_each_denial_takes_it_back(desk: DeskAtWork):
    mail = asks(desk)
    said = [*WORDS["yes"], *WORDS["courtesies"]]
    assert not [words for words in said if not agrees(desk, words, mail.subject)]
    denials = [text for row in WORDS["denials"] for text in written(row)]
    codes = [f"CONFIRM {code_in(mail)}\n\nthat: {words}" for words in ("all is well", *denials)]
    assert [text for text in codes if agrees(desk, text, "to the judge")] == codes[:1]
    subjects = [f"{prefix}: {mail.subject}" for prefix in PREFIXES]
    assert not [subject for subject in subjects if not agrees(desk, quoted(mail), subject)]


def test_what_companies_put_below_a_letter_is_no_word_of_its_writer(desk: DeskAtWork):
    mail = asks(desk)
    long = " ".join(["nothing of this letter may be read by those to whom it was not sent"] * 2)
    lines = [f"{text} {long}" for row in WORDS["disclaimers"] for text in written(row)]
    own = [f"{lines[0]} {who}" for who in WORDS["first_person"]]
    assert not [line for line in lines if not agrees(desk, f"OK\n\n{line}", mail.subject)]
    assert not [line for line in own if agrees(desk, f"OK\n\n{line}", mail.subject)]
    asked = [text for row in WORDS["environment"] for text in written(row)]
    assert not [line for line in asked if not agrees(desk, f"OK\n\n{line}", mail.subject)]


def test_words_in_the_subject_are_words_and_what_programs_put_there_is_none(desk: DeskAtWork):
    mail = asks(desk)
    for subject in ("Not me! {}", "Who are you? {}", "NO (was: {})", "Abwesend: {}"):
        assert not agrees(desk, quoted(mail), subject.format(mail.subject)), subject
    for subject in ("{}", "AW: {}", "[EXTERN] Re: {}", "Fwd: {}", "RE[2]: {}"):
        assert agrees(desk, quoted(mail), subject.format(mail.subject)), subject


def test_what_cannot_be_read_is_no_yes(desk: DeskAtWork):
    mail = asks(desk)
    raw = (
        f"From: {JO}\nTo: judge@example.org\nSubject: {mail.subject}\nMessage-ID: <sealed@x>\nMIME-Version: 1.0\n"
        "Content-Type: multipart/encrypted; boundary=b\n\n--b\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n"
        "--b\nContent-Type: application/octet-stream\n\nxxx\n--b--\n"
    )
    desk.receives(raw.encode())
    assert name_of(desk) == "Jo"


def test_the_answer_says_that_nothing_changed_and_how_to_agree_or_not(desk: DeskAtWork):
    mail = asks(desk)
    answer = desk.replies(JO, f"No, not me!\n\n{quoted(mail)}", subject=mail.subject)
    said = answer.flat
    assert answer.first_line.startswith("Nothing has changed")
    assert f"CONFIRM {code_in(mail)}" in answer.text and "YES" in said and "nothing will change" in said
    desk.writes(JO, "YES", subject=answer.subject)
    assert name_of(desk) == "Jo Roe"


def test_the_code_counts_as_the_first_own_line(desk: DeskAtWork):
    mail = asks(desk)
    desk.writes(JO, f"Who are you?\nCONFIRM {code_in(mail)}")
    assert name_of(desk) == "Jo"
    desk.writes(JO, f"Hello judge,\n\nCONFIRM {code_in(mail)}.\nLIST")
    assert name_of(desk) == "Jo Roe"


# Rights for another address.


def linked(desk: DeskAtWork) -> bool:
    with reading(desk.engine) as session:
        return person_at(session, EVE) is not None


@pytest.fixture
def asked(desk: DeskAtWork) -> tuple[DeskAtWork, Posted]:
    """France is asked whether a stranger is she."""
    desk.seat_seven()
    (mail,) = [mail for mail in desk.writes(EVE, f"I AM ALSO {FAY}") if mail.to == FAY]
    return desk, mail


def gives_rights(desk: DeskAtWork, text: str, subject: str) -> bool:
    """Whether the stranger is France's other address after this letter of hers, which is then undone."""
    mails = desk.would_write(FAY, text, subject=subject)
    return any(f"{EVE} is now one of your addresses" in mail.flat for mail in mails)


def test_nothing_but_the_code_gives_rights_to_another_address(asked: tuple[DeskAtWork, Posted]):
    desk, mail = asked
    subject = f"Re: Is this you? (CONFIRM {code_in(mail)})"
    words = [f"I never asked for CONFIRM {code_in(mail)}", "No! That is not me.", *NO[::3], "", *YES[::2]]
    assert not [(said, way) for said, way in dealt(words) if gives_rights(desk, WAYS[way](said, mail), subject)]


def test_the_code_as_the_first_own_line_does(asked: tuple[DeskAtWork, Posted]):
    desk, mail = asked
    marked = ("alone", "above a quote", "above an Outlook block", "above a heading without marks")
    for way, before in product(marked, ("", "Hello,\n\n")):
        text = WAYS[way](f"{before}CONFIRM {code_in(mail)}\n\nThanks,\nFay", mail)
        assert gives_rights(desk, text, f"Re: {mail.subject}"), (way, before)
    desk.writes(FAY, text, subject=f"Re: {mail.subject}")
    assert linked(desk)


def test_not_where_the_judges_mail_stands_without_marks(asked: tuple[DeskAtWork, Posted]):
    desk, mail = asked
    for way in ("above the mail without marks", "below the mail without marks"):
        answer = desk.replies(FAY, WAYS[way](f"CONFIRM {code_in(mail)}", mail), subject=f"Re: {mail.subject}")
        assert not linked(desk) and f"CONFIRM {code_in(mail)}" in answer.text and "YES" not in answer.text


def test_a_rest_of_the_judges_mail_is_no_code_of_ones_own(asked: tuple[DeskAtWork, Posted]):
    desk, mail = asked
    desk.writes(FAY, f"    CONFIRM {code_in(mail)}\n\nIf it is not you, do nothing: nothing has changed.")
    assert not linked(desk)


REGISTER = "REGISTER\nName: Jo Roe\nEND\n"
VERIFIED = {"Authentication-Results": "mx.example.org; dmarc=pass header.from=example.org"}


@pytest.fixture
def careful(tmp_path: Path) -> DeskAtWork:
    """A judge that confirms registrations, with a game that is forming."""
    settings = {"JUDGE_GAMES_CONFIRM_REGISTRATION": "yes", "JUDGE_MAILBOX_AUTHSERV_ID": "mx.example.org"}
    desk = DeskAtWork(tmp_path, "", settings)
    create = "REGISTER\nName: Kim\nEND\nCREATE ?heron gm"
    desk.goes_on("heron forms", lambda: desk.writes("kim@example.org", create, headers=VERIFIED))
    return desk


def token_in(text: str) -> str:
    found = re.search(r"CONFIRM (\w{12})", text)
    assert found
    return found[1]


def is_registered(desk: DeskAtWork, address: str = JO) -> bool:
    with reading(desk.engine) as session:
        person = person_at(session, address)
        return person is not None and person.registered_at is not None


def kept(desk: DeskAtWork) -> str:
    """Every value of every row."""
    with reading(desk.engine) as session:
        return "\n".join(repr(tuple(row)) for table in SQLModel.metadata.sorted_tables
                         for row in session.execute(table.select()))  # fmt: skip


def test_a_letter_that_the_mail_server_verified_needs_no_confirmation(careful: DeskAtWork):
    reply = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", headers=VERIFIED)
    assert reply.first_line == "You are registered, Jo Roe." and "You are in heron." in reply.text


def test_after_two_days_the_token_is_too_old_and_the_password_is_gone(careful: DeskAtWork):
    word = token_in(careful.replies(JO, REGISTER + "SIGNON ?heron Xyzzy-sesame").text)
    assert "Xyzzy" in kept(careful)
    careful.now += timedelta(days=2, minutes=1)
    with transaction(careful.engine) as session:
        careful.desk.forget_unconfirmed(session, careful.now)
    assert "Xyzzy" not in kept(careful)
    assert "That code is not valid" in careful.replies(JO, f"CONFIRM {word}").text
    assert not is_registered(careful)


def test_a_letter_that_waits_less_long_is_not_forgotten(careful: DeskAtWork):
    word = token_in(careful.replies(JO, REGISTER + "SIGNON ?heron sesame").text)
    careful.now += timedelta(days=1)
    with transaction(careful.engine) as session:
        careful.desk.forget_unconfirmed(session, careful.now)
    assert "You are in heron." in careful.replies(JO, f"CONFIRM {word}").text


def test_passwords_and_tokens_are_masked_once_all_is_done(careful: DeskAtWork):
    mail = careful.replies(JO, REGISTER + "SIGNON ?heron Xyzzy-sesame")
    careful.writes(JO, "yes", subject=mail.subject)
    with transaction(careful.engine) as session:
        for row in session.exec(select(Mail)).all():
            outbox.sent(session, row, now=careful.now)
    everything = kept(careful)
    assert "Xyzzy" not in everything
    with reading(careful.engine) as session:
        assert not [row.subject for row in session.exec(select(Mail)) if token_in(mail.text) in row.subject]
        assert not [row.id for row in session.exec(select(Mail)) if token_in(mail.text).encode() in row.raw]
        assert {row.state for row in session.exec(select(LetterRow))} == {"done"}


def test_a_player_who_writes_from_elsewhere_does_not_see_the_token_of_that_letter(careful: DeskAtWork):
    """The copy for the address of record says nothing of who else wishes to be registered."""
    careful.writes("kim@example.org", "SIGNON ?heron mine", headers=VERIFIED)
    mails = careful.writes(JO, REGISTER + "SIGNON ?heron other\nSIGNON Mheron gm\nSET COMMENT x")
    copy = next(mail for mail in mails if mail.to == "kim@example.org")
    assert "CONFIRM" not in copy.subject + copy.text


def test_a_crash_while_confirming_leaves_all_as_it_was(careful: DeskAtWork, monkeypatch: pytest.MonkeyPatch):
    mail = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")

    def breaks(*_: object) -> None:
        raise RuntimeError("broken on purpose")

    with monkeypatch.context() as broken:
        broken.setattr(forming, "missing_players", breaks)
        with pytest.raises(RuntimeError):
            careful.writes(JO, "", subject=mail.subject)
    assert not is_registered(careful)
    reply = careful.replies(JO, "", subject=mail.subject)
    assert "You are registered, Jo Roe.\nYou are in heron." in reply.text


def test_one_request_a_day_goes_to_an_address_however_often_somebody_writes_it(careful: DeskAtWork):
    """Who is asked again is told of the mail that waits; it takes the seat that was asked for with it, once."""
    first = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")
    again = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", subject="again")
    assert "CONFIRM" not in again.subject + again.text
    assert again.first_line.startswith("The judge sent an email to jo@example.org on Mon May 4 2026 10:02:00")
    assert "Confirm your registration first, then send this again." in again.text
    assert "after Tue May 5 2026 10:02:00 +0000" in again.flat
    assert "You are in heron. 6 more" in careful.replies(JO, "", subject=first.subject).text
    assert not is_registered(careful, "al@example.org")
    assert token_in(careful.replies("al@example.org", REGISTER).text)


def test_what_an_asked_stranger_asks_beside_is_answered(careful: DeskAtWork):
    careful.writes(JO, REGISTER)
    answer = careful.replies(JO, f"{REGISTER}LIST")
    assert "1 game on this judge." in answer.text and "CONFIRM" not in answer.text


def test_a_day_later_there_is_another_request_and_both_count_once(careful: DeskAtWork):
    first = careful.replies(JO, REGISTER + "SIGNON ?heron sesame")
    careful.now += timedelta(days=1, minutes=-2)
    assert "CONFIRM" not in careful.replies(JO, REGISTER).text
    second = careful.replies(JO, REGISTER + "SIGNON ?heron sesame", subject="again")
    assert "You are in heron. 6 more" in careful.replies(JO, "", subject=second.subject).text
    assert "You are already in heron." in careful.replies(JO, "", subject=first.subject).text


def test_what_waits_is_no_letter_that_waits_for_its_turn(careful: DeskAtWork):
    careful.writes(JO, REGISTER + "SIGNON ?heron sesame")
    with reading(careful.engine) as session:
        assert inbox.waiting(session) == 0 and not inbox.letters(session, "shunted")


def test_who_is_known_and_verified_changes_a_registration_without_a_token(careful: DeskAtWork):
    careful.writes(JO, REGISTER, headers=VERIFIED)
    answer = careful.replies(JO, "REGISTER\nName: Jo Bloggs\nEND", headers=VERIFIED)
    assert answer.first_line.startswith("Your registration has been changed")


def test_the_subject_of_a_reply_repeats_no_prefix_of_a_mail_program(desk: DeskAtWork):
    subjects = [f"{prefix}: heron" for prefix in PREFIXES]
    said = {desk.would_write(JO, "LIST", subject=subject)[0].subject for subject in subjects}
    assert said == {"Re: heron"}
    assert desk.would_write(JO, "LIST", subject="Region: heron")[0].subject == "Re: Region: heron"
