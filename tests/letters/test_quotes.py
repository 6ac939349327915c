"""Which lines are the author's own."""

import time
from collections.abc import Iterator
from itertools import product
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from judge.letters import Line, mail_programs
from judge.letters.mail_programs import is_boilerplate
from judge.letters.quotes import carried, kinds, own_message
from tests.letters.corpus.content import SENT_BEFORE, TOLD, marked
from tests.letters.corpus.tongues import APPLE, GMAIL, OUTLOOK, THUNDERBIRD, folded
from tests.texts import listed

ATTRIBUTIONS = [
    "On Tue, 3 Nov 2026 at 10:00, The Judge <judge@example.net> wrote:",
    "On Tue, 3 Nov 2026 at 10:00, The Judge via Some Long Server\n<judge@example.net> wrote:",
    "Am 03.11.2026 um 10:00 schrieb The Judge:",
    "Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb The Judge\n<judge@example.net>:",
    "Le mar. 3 nov. 2026 à 10:00, The Judge <judge@example.net> a écrit :",
    "El mar, 3 nov 2026 a las 10:00, The Judge (<judge@example.net>) escribió:",
    "Il giorno mar 3 nov 2026 alle ore 10:00 The Judge ha scritto:",
    "Em ter., 3 de nov. de 2026 às 10:00, The Judge <judge@example.net> escreveu:",
    "Op di 3 nov. 2026 om 10:00 schreef The Judge <judge@example.net>:",
    "Den tis 3 nov. 2026 kl 10:00 skrev The Judge <judge@example.net>:",
    "W dniu 3.11.2026 o 10:00, The Judge pisze/napisał(a):",
    "2026年11月3日(火) 10:00 The Judge <judge@example.net>:",
    "The Judge <judge@example.net> 于2026年11月3日周二 10:00写道：",
    "вт, 3 нояб. 2026 г. в 10:00, The Judge <judge@example.net>:",
    "Le lun. 3 nov. 2026 à 10:00, The Judge a\nécrit :",
    "Il giorno mar 3 nov 2026 alle ore 10:00 The Judge ha\nscritto:",
    "2026년 11월 3일 (화) 오전 10:00, The Judge <judge@example.net>님이 작성:",
    "ในวันที่ อ. 3 พ.ย. 2026 เวลา 10:00 The Judge\n<judge@example.net> เขียนว่า:",
    "Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb The Judge <\njudge@example.net>:",
    "Am Di., 3. Nov. 2026 um 10:00 Uhr\nschrieb The Judge <\njudge@example.net>:",
    "Den tis 3 nov. 2026 10:00The Judge <judge@example.net> skrev:",
    "The Judge <judge@example.net> 在 2026年11月3日 周二 10:00 写道：",
    "Dne út 3. lis. 2026 10:00 The Judge <judge@example.net>\nnapsal(a):",
]
HISTORY_HEADS = [
    "-----Original Message-----",
    "----- Ursprüngliche Nachricht -----",
    "---------- Forwarded message ---------",
    "From: The Judge <judge@example.net>\nSent: Tuesday, November 3, 2026 10:00\nTo: Anna Berg\nSubject: Results",
    "________________________________\nFrom: The Judge\nSent: Tuesday\nTo: Anna\nSubject: Results",
    "*From:* The Judge\n*Sent:* Tuesday\n*To:* Anna\n*Subject:* Results",
    "Von: The Judge\nGesendet: Dienstag, 3. November 2026\nAn: Anna\nBetreff: Ergebnisse",
    "De : The Judge\nEnvoyé : mardi 3 novembre 2026\nÀ : Anna\nObjet : résultats",
    "From: The Judge Sent: Tuesday, November 3, 2026 To: Anna Subject: Results",
    "------------------------------\n\n*Van:* The Judge [mailto:judge@example.net]\n*Verzonden:* dinsdag\n*Aan:* Anna",
    "[Original Message processed by david®](https://david.tobit.software)\n**Results** 3. November 2026, 10:00 Uhr",
]


def sort(text: str) -> list[str]:
    return list(kinds(text.split("\n")))


@pytest.mark.parametrize("head", ATTRIBUTIONS)
def test_attribution_above_a_quote(head: str):
    """The attribution is history, the marked lines are a quote, and what is written below counts."""
    height = head.count("\n") + 1
    found = sort(f"A PAR H\n\n{head}\n> A MAR H\n\nA MUN H")
    assert found == ["text", "text", *["history"] * height, "quote", "text", "text"]


@pytest.mark.parametrize("head", ATTRIBUTIONS + HISTORY_HEADS)
def test_history_without_marks(head: str):
    """Without marks all that stands below is the old mail."""
    height = head.count("\n") + 1
    assert sort(f"A PAR H\n{head}\n\nA MAR H") == ["text", *["history"] * (height + 2)]


@pytest.mark.parametrize(
    "line",
    listed("""
        A PAR - BUR
        F STP/NC - NWY
        PRESS TO FRANCE:
        Italy wrote:
        From: Anna
        A MAR S A PAR - BUR ;
        -----
        DP 2: A SWI S A MAR - SAV
        Name: Anna Berg
        Sent from Paris to Burgundy, my army starves
        On the whole I agree:"""),
)
def test_ordinary_lines(line: str):
    """Nothing of this is mistaken for the beginning of an old mail."""
    assert sort(f"{line}\nA MUN H") == ["text", "text"]


def test_registration_form():
    """A form's lines are not an Outlook header."""
    assert set(sort("REGISTER\nName: Anna\nEmail: anna@example.org\nSite: Here\nEND")) == {"text"}


def test_signature():
    """All below "-- " is signature, but quotes below it stay quotes."""
    assert sort("A PAR H\n-- \nAnna\n> old") == ["text", "signature", "signature", "quote"]


def test_stripped_signature_mark():
    """ "--" without its blank counts when only a few lines follow: people draw rules, too."""
    assert sort("A PAR H\n--\nAnna") == ["text", "signature", "signature"]
    assert set(sort("First\n--\n" + "A PAR H\n\n" * 8)) == {"text", "signature"}
    assert set(sort("First\n--\n" + "A PAR H\n" * 9)) == {"text"}


@pytest.mark.parametrize("line", ["Sent from my iPhone", "Get Outlook for Android", "Von meinem iPhone gesendet"])
def test_mobile_signature(line: str):
    """What a phone adds is not the author's; orders below it still count."""
    assert sort(f"A PAR H\n{line}\nA MUN H") == ["text", "signature", "text"]


FOREIGN = [*GMAIL.values(), *THUNDERBIRD.values(), *(heading for _, heading in APPLE.values())]


@pytest.mark.parametrize("heading", FOREIGN)
def test_heading_in_every_tongue(heading: str):
    """Wrapped anywhere, it is history and nothing of it text, and orders around it stay orders."""
    for width in (30, 40, 50, 60, 78):
        wrapped = folded(heading, width)
        if len(wrapped) <= 3:
            found = sort("\n".join(["A PAR H", "", *wrapped, "> A MAR H", "", "A MUN H"]))
            assert found == ["text", "text", *["history"] * len(wrapped), "quote", "text", "text"], wrapped


@pytest.mark.parametrize("heading", [*GMAIL.values(), *(heading for _, heading in APPLE.values())])
def test_heading_without_marks_in_every_tongue(heading: str):
    """An address and a time tell, where no quoted line does."""
    assert set(sort(f"A PAR H\n\n{heading}\n\nA MAR H")[2:]) == {"history"}


@pytest.mark.parametrize("names", [names for _, names, _ in OUTLOOK.values()])
def test_fields_in_every_tongue(names: tuple[str, str, str, str]):
    """Outlook's, with and without addresses, and in bold; a rule above belongs to them."""
    for values in (("Judge", "4 May 2026", "Fay", "Re: heron"), ("Judge <j@example.org>", "4/5/26 12:02", "Fay", "x")):
        for mark in ("", "*"):
            fields = [f"{mark}{name}{mark} {value}" for name, value in zip(names, values, strict=True)]
            found = sort("\n".join(["A PAR H", "", "_" * 32, *fields, "", "A MAR H"]))
            assert found == ["text", "text", *["history"] * 7], fields


@pytest.mark.parametrize("block", [
    "Lähettäjä: x\nBla: Judge <j@example.org>\nBlub: 12:02\nBlob: y",
    "Sihe: Judge <j@example.org>\nHaha: 4/5/26 12:02\nHoho: Fay",
    "----- Xuxu yiyi -----\nSihe: Judge <j@example.org>\nHaha: 4/5/26 12:02\nHoho: Fay",
    "---- On Mon, 04 May 2026 12:02:11 +0200 Judge <judge@example.org> wrote ----",
])  # fmt: skip
def test_the_general_form(block: str):
    """Nobody knows the language."""
    found = sort(f"A PAR H\n{block}\n\nA MAR H")
    assert found[0] == "text"
    assert found[-1] == "history"


@pytest.mark.parametrize("above", ["SIGNON Fheron pw2026", "SIGNON Fheron 10:30", "1. A PAR - BUR", "A PAR - BUR"])
@pytest.mark.parametrize("line", ["PRESS TO Turkey:", "Italy wrote:", "As Tom said:", "BROADCAST:"])
def test_a_line_above_a_quote_is_no_heading_for_what_stands_above_it(above: str, line: str):
    assert sort(f"{above}\n{line}\n> He did.")[0] == "text"


def test_marks_that_count_below_a_heading_alone():
    """The Bat! quotes with initials, S-nail with a bar; an order may begin so, too."""
    heading = "Monday, May 4, 2026, 12:02:11 PM, you wrote:"
    assert sort(f"{heading}\n\nJ> A PAR H\nJ> A MAR H\nA MUN H") == ["history", "text", "quote", "quote", "text"]
    assert sort(" <1@example.org> at 12:02:\n | A PAR H\nA MUN H") == ["history", "quote", "text"]
    assert sort("PAR> BUR\n| A PAR H") == ["text", "text"]


def test_signature_of_openpgp():
    lines = "A PAR H\n-----BEGIN PGP SIGNATURE-----\n\niQIz\n=Xk\n-----END PGP SIGNATURE-----\nA MAR H"
    assert sort(lines) == ["text", *["signature"] * 5, "text"]


VENDORS = [*(vendor for vendor, _ in APPLE.values()), *(vendor for vendor, _, _ in OUTLOOK.values())]
VENDORS += [
    "Sent from Spark", "Sent with [Proton Mail](https://proton.me/mail/home) secure email.", "Sent from my couch",
    "Holen Sie sich Outlook für iOS", "Sent from Mailspring (https://getmailspring.com/), the best free email app",
    "Gesendet mit der GMX Mail App", "Von meinem Handy gesendet", "Sent via the Samsung Galaxy S24",
    "Отправлено из мобильной Почты Mail.ru", "Sent from Yahoo Mail. Get the app", "Sent from Outlook for iOS",
    "Get BlueMail for Mobile", "Sent from Edison Mail", "Sent from MailDroid", "Sent from Nine", "Posted via mobile",
    "Sent from Vivaldi Mail", "Yahoo Mail: Search, Organize, Conquer",
    "Virus-free.www.avast.com", "Sent from my iPhone, with AVG",
    "Diese E-Mail wurde von Avast-Antivirussoftware auf Viren geprüft.", "Virenfrei.www.avast.com",
    "This email has been checked for viruses by AVG antivirus software.",
    "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.", "iOS版Outlookを入手",
]  # fmt: skip


@pytest.mark.parametrize("line", VENDORS)
def test_vendor_line(line: str):
    """What telephones and programs add is not the author's, nor is the link below it; orders below still count."""
    assert sort(f"A PAR H\n{line}\nhttps://example.org/app\nA MUN H") == ["text", "signature", "signature", "text"]


@pytest.mark.parametrize(
    "line",
    listed("""
    Sent from Paris to Burgundy, my army starves
    Gesendet von Paris nach Burgund
    Inviato da Roma a Vienna
    Enviado de Madrid a Paris
    The fleet was sent
    I read this on Android, in Outlook. Did you?
    Die Flotte wird gesendet
    Tell me more!
    On my iPhone I cannot see the map
    Avast, ye scurvy dogs!
    Sent from Ninety miles away
    Get BlueMail for Mobile phones and write to me"""),
)
def test_sentences_are_no_vendor_lines(line: str):
    assert not is_boilerplate(line)


def spelled(pattern: str) -> list[str]:
    """The phrases that a pattern of a table stands for; of a set of characters the first."""
    return list(_spelled(parser.parse(pattern)))


def _spelled(parts: Any) -> Iterator[str]:
    yield from map("".join, product(*(list(_spelled_part(name, what)) for name, what in parts)))


def _spelled_part(code: Any, what: Any) -> Iterator[str]:
    match str(code):
        case "LITERAL":
            yield chr(what)
        case "IN":
            yield next((_spelled_part(*part).__next__() for part in what if str(part[0]) == "LITERAL"), "x")
        case "ANY":
            yield "'"
        case "BRANCH":
            yield from (phrase for branch in what[1] for phrase in _spelled(branch))
        case "SUBPATTERN":
            yield from _spelled(what[3])
        case "MAX_REPEAT":
            yield from (phrase * max(1, what[0]) for phrase in _spelled(what[2]))
        case _:
            yield ""


WHEN, WHO = "4 May 2026, 10:11", "Judge <judge@example.org>"
VERBS = [verb for verb in spelled(mail_programs._VERB_LAST) + spelled(mail_programs._NO_VERB) if "@" not in verb]
PREPOSITIONS = ("On", "Am", "Le", "El", "Il", "Em", "Op", "Den", "Dnia", "Dne", "На", "")
OF_TABLES = [
    *(f"{WHEN}, {WHO} {verb}:" for verb in VERBS),
    *(f"{WHEN} {verb} {WHO}:" for verb in spelled(mail_programs._VERB_FIRST)),
    *(f"{begin} {WHEN}, {WHO}:" for begin in PREPOSITIONS),
]
NO_COLON = [
    f"{WHEN} by judge@example.org:", "Am 4.5.26 um 10:11, judge@example.org", "4 mai 2026 à 10h11, judge@example.org",
    "judge@example.org, 4 May 2026 10:11", f"{WHO}, 4.5.2026 10:11:", f"2026-05-04 10:11 GMT+02:00, {WHO}",
    "2026-05-04T10:11:00Z judge@example.org", f"5/4/26, 10:11 AM, {WHO}", f"On {WHEN}, {WHO}",
    "Mon, 4 May 2026 10:11:12 +0200, Judge (judge@example.org):", "4. toukokuuta 2026 klo 10.11 judge@example.org:",
    f"W dniu pon., 4.05.2026 o 10:11 {WHO}", "Lunedì 4 Maggio 2026 10:11, judge@example.org ha scritto",
    f"On Monday, 4 May 2026 at 10:11, The Judge of the Diplomacy Games {WHO[6:]}", f"{WHEN}, {WHO}",
    f"El lunes, 4 de mayo de 2026, 10:11:00 CEST, {WHO}", f"Quoting {WHO} (Mon, 4 May 2026 10:11:12 +0200):",
    "From judge@example.org Mon May  4 10:11:12 2026", "On May 4, 2026, at 10:11 AM, judge@example.org",
]  # fmt: skip
BLOCKS = [
    *(f"----- {title} -----" for title in spelled(mail_programs._ORIGINAL_MESSAGE.pattern.removesuffix(r"\s?:?$"))),
    *("\n".join(f"{name} {value}" for name, value in zip(names, (WHO, WHEN, "Fay", "Re: x"), strict=True))
      for _, names, _ in OUTLOOK.values()),
]  # fmt: skip
OLD = {"judge": TOLD, "own": SENT_BEFORE, "press": ["PRESS TO Turkey", "I shall go to Trieste.", "ENDPRESS"]}
OURS = ["SIGNON Fheron pwfrance", "A PAR - BUR", "", "PRESS TO Turkey", "Shall we meet?", ""]


def own_and_others(heading: list[str], old: list[str]) -> tuple[list[str], list[str]]:
    """What is text above the heading, and what is text from there on."""
    sorts = kinds([*OURS, *heading, "", *old])
    above, below = sorts[: len(OURS)], sorts[len(OURS) :]
    found = [line for line, kind in zip([*heading, "", *old], below, strict=True) if kind == "text" and line.strip()]
    return [line for line, kind in zip(OURS, above, strict=True) if kind == "text"], found


@pytest.mark.parametrize("heading", [*FOREIGN, *OF_TABLES, *NO_COLON])
def test_an_older_mail_is_never_the_writer_s_own(heading: str):
    """Whatever its heading, wherever that was wrapped, whether the mail is marked or begins on the same line."""
    for width, old, mark in product((400, 72, 60), OLD.values(), ("", "> ")):
        wrapped = folded(heading, width)
        older = marked(old, mark=mark.strip(), space=" ") if mark else old
        assert own_and_others(wrapped, older) == (OURS, []), (wrapped, older)
        if heading.endswith((":", "：")) and "@" in heading:
            behind = [*wrapped[:-1], f"{wrapped[-1]} {old[0]}"]
            assert own_and_others(behind, older[1:]) == (OURS, []), behind
        # Press, of which the older mail is no part either.
        said = [Line(line) for line in [*OURS[4:], *wrapped, "", *older]]
        assert carried(said, ended=False)[0] == tuple(OURS[4:]), wrapped


@pytest.mark.parametrize("block", BLOCKS)
def test_an_older_mail_below_a_block_is_never_the_writer_s_own(block: str):
    for old in OLD.values():
        assert own_and_others(block.split("\n"), old) == (OURS, [])
        said = [Line(line) for line in [*OURS[4:], *block.split("\n"), "", *old]]
        assert carried(said, ended=False)[0] == tuple(OURS[4:])


@pytest.mark.parametrize(
    "line",
    listed("""
    Let's talk on 4 May 2026 at 10:11, mail me at fay@example.org or call.
    Meet me 4.5.2026, 10:11
    I wrote on 4 May 2026 at 10:11 to kim@example.org that I quit
    Deadline: 4 May 2026, 10:11
    SET DEADLINE 4 May 2026 10:11
    SET COMMENT Begins 4 May 2026 10:11, ask kim@example.org
    Email: fay@example.org
    As Tom wrote: let us go
    Italy wrote on Monday: I agree
    You wrote: A PAR - BUR
    SET ADDRESS fay@example.org
    I said: on 4 May 2026 we attack
    SIGNON Fheron 10:30
    Germany: A MUN - BUR
    DP 2: A SWI - TYR
    F1901M: A PAR - BUR
    At 10:11 we meet, and at 12:00 we go
    http://example.org/2026/05/04 10:11
    Our agreement of 4 May (10:11, fay@example.org) stands.
    On Monday 4 May at 10 you wrote to me: attack
    SET ABSENCE 4 May 2026 - 8 May 2026 // mail fay@example.org
    Le 4 mai, je joue. Ecris : fay@example.org
    A PAR - BUR // on 4 May 2026 at 10:11 fay@example.org said so"""),
)
def test_sentences_are_no_headings(line: str):
    assert set(sort(f"SIGNON Fheron pw\nA PAR H\n\n{line}\nA MAR H")) == {"text"}


@pytest.mark.parametrize("who", [
    "SIGNON france@crane pw", "SIGN ON france@crane pw", "Signon: France@crane", "login france@crane pw",
    "DENY jo@example.org", "EJECT jo@example.org", "SET ADDRESS jo@example.org", "Email: jo@example.org",
])  # fmt: skip
@pytest.mark.parametrize("when", [
    "RESUME 2026-06-20 21:00", "SET DEADLINE 2026-06-20 21:00", "RESUME Sat 20 Jun 21:00", "SET START 20.6.2026 21:00",
])  # fmt: skip
def test_a_command_with_an_address_and_one_with_a_date_are_no_heading(who: str, when: str):
    assert sort(f"{who}\n{when}") == sort(f"{when}\n{who}") == ["text", "text"]


@pytest.mark.parametrize("above", ["Mon, 4 May 2026 12:02", "Monday, May 4, 2026 12:02", "2026-05-04 12:02 GMT+02:00"])
def test_a_date_above_an_address_is_a_heading(above: str):
    assert sort(f"{above}\nfay@example.org")[0] == sort(f"{above}\nFay <fay@example.org>")[0] == "history"


FULL = "> Hello Fay, what do you think of the following orders for all of your units"


def test_the_wrapped_end_of_a_quoted_line():
    assert sort(f"{FULL}\nA PAR H\n> A MAR H") == ["quote", "rest", "quote"]
    assert sort(f"{FULL}\n{FULL[2:]}\nA PAR H\n> A MAR H") == ["quote", "rest", "rest", "quote"]
    assert sort(f"{FULL} SUPPORT\nA PAR H\n> A MAR H") == ["quote", "quote", "quote"]


@pytest.mark.parametrize(("end", "least"), [("x", 60), (" and", 40)])
def test_how_long_a_quoted_line_is_that_may_have_been_wrapped(end: str, least: int):
    """One that breaks off may be shorter."""
    for length in (least - 1, least):
        line, is_rest = f"> {'x' * (length - 2 - len(end))}{end}", length == least
        assert sort(f"{line}\nA PAR H\n> A MAR H")[1] == ("rest" if is_rest else "text")
        letter = [Line("Dear all,"), Line(line, "quote"), Line("so I hold")]
        assert own_message(letter) == ["Dear all,", *["so I hold"] * (not is_rest)]


@pytest.mark.parametrize("text", [
    f"{FULL}\n\nA PAR H\n> A MAR H", f"{FULL}\nA PAR H\n\n> A MAR H", f"{FULL}\nA PAR H\nA MUN H\n> A MAR H",
    "> short\nA PAR H\n> A MAR H", f"{FULL}\nA PAR H", f"{FULL[2:]}\nA PAR H\n> A MAR H",
])  # fmt: skip
def test_what_is_none(text: str):
    assert "rest" not in sort(text) and "text" in sort(text)


@pytest.mark.parametrize(
    "line",
    [FULL, "> x", "", "A PAR H", "4 May 2026, 10:11", "judge@example.org:", "a: b@c 10:11", "x: " * 200],
)
def test_a_long_letter_takes_no_longer_for_each_of_its_lines(line: str):
    began = time.process_time()
    kinds([line] * 1250 + ["x" * 70, FULL] * 500)
    assert time.process_time() - began < 2.5
