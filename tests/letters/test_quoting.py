"""Which lines are the author's own."""

import pytest

from judge.letters.quoting import kinds

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
    [
        "A PAR - BUR",
        "F STP/NC - NWY",
        "PRESS TO FRANCE:",
        "Italy wrote:",
        "From: Anna",
        "A MAR S A PAR - BUR ;",
        "-----",
        "DP 2: A SWI S A MAR - SAV",
        "Name: Anna Berg",
        "Sent from Paris to Burgundy, my army starves",
        "On the whole I agree:",
    ],
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
    """"--" without its blank counts when only a few lines follow: people draw rules, too."""
    assert sort("A PAR H\n--\nAnna") == ["text", "signature", "signature"]
    assert set(sort("First\n--\n" + "A PAR H\n" * 20)) == {"text"}


@pytest.mark.parametrize("line", ["Sent from my iPhone", "Get Outlook for Android", "Von meinem iPhone gesendet"])
def test_mobile_signature(line: str):
    """What a phone adds is not the author's; orders below it still count."""
    assert sort(f"A PAR H\n{line}\nA MUN H") == ["text", "signature", "text"]
