"""What is a yes, and what is none: letters that bring back a code, as people and their programs write them."""

import re
from collections.abc import Iterator
from itertools import cycle, product

import pytest

from judge.store.engine import reading
from judge.store.people import person_at
from tests.commands.deskatwork import DeskAtWork, Posted

FAY, EVE, JO = "france@example.org", "eve@evil.example", "jo@example.org"
HEADING = "On Mon, 4 May 2026 at 10:01, Judge <judge@example.org> wrote:"
OUTLOOK = (
    "From: Judge <judge@example.org>\nSent: Monday, May 4, 2026 10:01 AM\nTo: Fay <france@example.org>\n"
    "Subject: Re: to the judge\n"
)
NO = [
    "No, not me!", "No", "NO!", "no.", "What is this?", "stop", "STOP", "Stop it!", "Who are you?", "unsubscribe",
    "Remove me", "I never asked for this.", "That was not me", "Not me.", "spam", "wrong address", "Please don't",
    "No thanks", "Thanks, but no", "Hello, no.", "?", "???", "What?", "Yes?", "yes, but what is this?",
    "OK, who is this?", "Yes. No.", "I do not agree", "I don't confirm", "don't confirm", "Yes, please stop this",
    "yes no", "do nothing", "Do nothing!", "nobody is registered", "If it was not you, do nothing",
    "If it is not you, do nothing: nothing changes.", "Delete my address", "I will think about it", "maybe",
    "later", "👎", ":-(", "abuse@example.org", "Who is Jo?", "Jo, who is this?",
    "Hi,\n\nwho are you?\n\nBest regards,\nJo", "Nein", "Nein danke", "Nicht ich!", "Was soll das?",
    "Ich war das nicht.", "Non", "Non merci", "Ce n'est pas moi", "Qui êtes-vous ?", "No soy yo", "¿Qué es esto?",
    "No, gracias", "Non sono io", "Cos'è questo?", "Não", "Não fui eu", "Nee", "Nee, bedankt", "Wie bent u?",
    "Nej tack", "Det var inte jag", "Nie", "To nie ja", "Ne", "Нет", "Это не я", "Hayır", "Όχι", "いいえ",
    "私ではありません", "不是我", "아니요", "CONFIRM?", "I cannot confirm this", "confirm what?",
    "I agree with nobody", "agree? no", "CONFIRM abcdefabcdef", "I am on holiday until Monday.",
    "This is private and confidential. I did not ask for it, so please delete me at once.",
]  # fmt: skip
YES = [
    "", "YES", "yes", "Yes.", "Yes!", "OK", "ok", "O.K.", "Okay", "I agree", "I AGREE.", "Agreed", "CONFIRM",
    "I confirm", "Confirmed", "*YES*", "Yes, thanks", "Yes, please.", "Yes, that is me!", "yes it's me",
    "Hello,\n\nyes.\n\nThanks,\nJo", "Hi judge,\nOK\n\nBest regards\nJo Roe", "Thanks", "Thank you!\nJo", "Hello",
    "Jo", "Ja", "Ja, das bin ich.", "Oui", "Sí", "Sì", "Sim", "Tak", "Ano", "Да", "Evet", "Ναι", "はい", "是的",
    "네", "Mit freundlichen Grüßen\nJo", "Sent from my iPhone", "YES\n\nSent from my iPhone",
    "Von meinem iPhone gesendet", "Get Outlook for iOS", "YES\n\n-- \nJo Roe\nAcme Ltd, do not disturb",
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
