"""What each line of a letter is: written for us, quoted, history (an older mail below a new one) or signature.

`> ` lines are quotes wherever they stand. A line such as "On Monday … wrote:" opens the history when unquoted text
follows it; when quoted lines follow, only it is history, so that orders written below a quote are read too.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Literal

Kind = Literal["text", "quote", "signature", "history"]

# A program that strips blanks at line ends turns "-- " into "--". People draw rules so: only a short tail counts.
LONGEST_STRIPPED_SIGNATURE = 8
LONGEST_CUE = 400
# Of the words that end a heading, how much may stand on the line above.
_LONGEST_VERB = 20


def _any_of(*phrases: str) -> str:
    return "(?:" + "|".join(phrases) + ")"


# English, French, Spanish, Italian, Portuguese, Polish, Czech, Finnish, Hungarian, Russian, Turkish, Greek …
_VERB_LAST = _any_of(
    "wrote", "a écrit", "escribió", "ha scritto", "escreveu", r"napisał\(a\)", "napisał", "napisała",
    r"napsal\(a\)", "napsal", "kirjoitti", "írta", "пишет", "писал", "написал", "написала", "şunu yazdı", "έγραψε",
)  # fmt: skip
# … German, Dutch, Swedish, Danish and Norwegian, where the name follows …
_VERB_FIRST = _any_of("schrieb", "schreef", "skrev")
# … and Chinese, Japanese, or nothing but the address.
_NO_VERB = _any_of("写道", "寫道", "のメール", "さんは書きました", r"<[^<>\s@]+@[^<>\s@]+>")
_WROTE = re.compile(rf"(?:(?:\b{_VERB_LAST}|{_NO_VERB})\s*|\b{_VERB_FIRST}\b.*)[:：]\s*$")
_DATED = re.compile(r"\d|@")
# Whatever the language: a time and the address in brackets, which end with a colon.
_ADDRESSED = re.compile(r"<[^<>\s@]{1,64}@[^<>\s@]{1,255}>")
_TIMED = re.compile(r"\d[:.]\d\d")
_COLON = re.compile(r"[:：]\s*$")
_ATTRIBUTION_START = re.compile(
    r"\s*(?:(?:On|Am|Le|El|Il|Em|No dia|Op|Den|Dnia|W dniu|Dne|På|Στις)\b"
    r"|\d{1,4}\D|[^\s:]{2,5},? \d|\S[^<]*<[^\s<>@]+@[^\s<>@]+>)",
    re.IGNORECASE,
)

_ORIGINAL_MESSAGE = _any_of(
    "Original[ -]Message", "Original[ -]?Nachricht", "Ursprüngliche Nachricht", "Message d.origine",
    "Message original", "Mensaje original", "Messaggio originale", "Mensagem original", "Oorspronkelijk bericht",
    "Ursprungligt meddelande", "Opprinnelig melding", "Oprindelig meddelelse", "Alkuperäinen viesti",
    "Wiadomość oryginalna", "Исходное сообщение", "原始邮件", "Forwarded message", "Weitergeleitete Nachricht",
    "Message transféré", "Mensaje reenviado", "Messaggio inoltrato", "Doorgestuurd bericht", "Reply message",
)  # fmt: skip
_ORIGINAL = re.compile(rf"\s*[-_*=]{{2,}}\s*{_ORIGINAL_MESSAGE}\s*[-_*=]{{2,}}\s*$", re.IGNORECASE)


def _field(*names: str) -> re.Pattern[str]:
    """A header field in the body, also in bold (`*From:*`)."""
    return re.compile(rf"\s*\*{{0,2}}{_any_of(*names)}\s?[:：]", re.IGNORECASE)


_FROM_FIELD = _field(
    "From", "Von", "De", "Da", "Van", "Från", "Fra", "Lähettäjä", "Od", "От", "Feladó", "Gönderen",
    "发件人", "差出人",
)  # fmt: skip
_DATE_FIELD = _field(
    "Sent", "Date", "Gesendet", "Datum", "Envoyé", "Enviado(?: el| em)?", "Fecha", "Data", "Inviato", "Verzonden",
    "Skickat", "Sendt", "Dato", "Lähetetty", "Wysłano", "Отправлено", "Дата", "发送时间", "送信日時",
)  # fmt: skip
_OTHER_FIELD = _field(
    "To", "Cc", "Subject", "An", "Betreff", "À", "Objet", "Para", "Asunto", "A", "Oggetto", "Assunto", "Aan",
    "Onderwerp", "Till", "Ämne", "Til", "Emne", "Vastaanottaja", "Aihe", "Do", "Temat", "Кому", "Тема", "收件人",
    "主题", "宛先", "件名",
)  # fmt: skip
_ONE_LINE_HEADER = re.compile(r"\s*\*{0,2}From:(?>.*?\bSent:).*\b(?:To|Subject):", re.IGNORECASE)
_RULE = re.compile(r"\s*[-_=*]{5,}\s*$")

_MOBILE_SIGNATURE = re.compile(
    r"\s*"
    + _any_of(
        r"Sent from (?:my|Mail|Outlook|Yahoo|Proton|Samsung|Gmail)\b",
        r"Sent (?:via|with) (?:my|Proton|Spark|Mailbird|Airmail|BlackBerry)\b",
        r"Get Outlook for\b",
        r"Von mein\w+ .{2,40} gesendet",
        r"Gesendet (?:von|mit)\b",
        r"Envoyé (?:de|depuis|à partir de)\b",
        r"Enviado (?:desde|de|do|via)\b",
        r"Inviato da\b",
        r"Verzonden (?:vanaf|met)\b",
        r"Verstuurd vanaf\b",
        r"Skickat från\b",
        r"Sendt fra\b",
    ),
    re.IGNORECASE,
)
# One cheap look that lets nearly every line of orders and press pass.
_CUE = re.compile(r"\s*(?:>|--|[-_*=]{2}|\*{0,2}[^\W\d_]{1,10}\s?[:：]|[SGVEIL]\S* \S)|.*[:：]\s*$", re.IGNORECASE)


def kinds(lines: Sequence[str]) -> list[Kind]:
    """The kind of each line, in order."""
    result: list[Kind] = ["text"] * len(lines)
    cues = [
        number
        for number, line in enumerate(lines)
        if _CUE.match(line[:LONGEST_CUE]) and _note_simple_cue(line, number, result)
    ]
    for number in cues:
        if result[number] == "text":
            begin = _attribution(lines, number)
            if begin is not None:
                closes = number + 1 if _next_is_quote(lines, number) else len(lines)
                result[begin:closes] = ["history"] * (closes - begin)
            elif _opens_history(lines, number):
                begin = _above_rule(lines, number)
                result[begin:] = ["history"] * (len(lines) - begin)
                break
    _mark_signature(lines, result)
    return result


def _note_simple_cue(line: str, number: int, result: list[Kind]) -> bool:
    """Mark what one line tells by itself; True when its neighbours must be looked at."""
    if line.lstrip()[:1] == ">":
        result[number] = "quote"
        return False
    if len(line) <= 80 and _MOBILE_SIGNATURE.match(line):
        result[number] = "signature"
        return False
    return len(line) <= LONGEST_CUE


def _attribution(lines: Sequence[str], number: int) -> int | None:
    """The first line of the "On … wrote:" that ends at line `number`; it may be wrapped over three lines."""
    # The verb may be wrapped, too: "… a", below it "écrit :".
    above = lines[number - 1][-_LONGEST_VERB:].rstrip() if number else ""
    if not _WROTE.search(f"{above} {lines[number]}"):
        return _foreign_attribution(lines, number)
    for first in range(number, max(-1, number - 3), -1):
        if not lines[first].strip():
            break
        joined = " ".join(lines[first : number + 1])
        if _ATTRIBUTION_START.match(lines[first]) and _DATED.search(joined):
            return first
    return number if _next_is_quote(lines, number) else None


def _foreign_attribution(lines: Sequence[str], number: int) -> int | None:
    """The first line of a heading in a language that is not known here, which ends at line `number`."""
    if not _COLON.search(lines[number]):
        return None
    for first in range(number, max(-1, number - 3), -1):
        if not lines[first].strip():
            break
        joined = " ".join(line[:LONGEST_CUE] for line in lines[first : number + 1])
        if _ADDRESSED.search(joined) and _TIMED.search(joined):
            return first
    return None


def _next_is_quote(lines: Sequence[str], number: int) -> bool:
    following = next((line for line in lines[number + 1 : number + 10] if line.strip()), "")
    return following.lstrip().startswith(">")


def _opens_history(lines: Sequence[str], number: int) -> bool:
    """Outlook's ways: "-----Original Message-----" or the block of From:, Sent:, To:, Subject: lines."""
    line = lines[number]
    if _ORIGINAL.match(line) or _ONE_LINE_HEADER.match(line):
        return True
    if not _FROM_FIELD.match(line):
        return False
    following = [other for other in lines[number + 1 : number + 7] if other.strip()][:4]
    others = sum(bool(_OTHER_FIELD.match(other)) for other in following)
    return others >= 2 or others >= 1 and any(_DATE_FIELD.match(other) for other in following)


def _above_rule(lines: Sequence[str], number: int) -> int:
    """The line that Outlook draws above its header block belongs to it."""
    above = number - 1
    while above >= 0 and not lines[above].strip():
        above -= 1
    return above if above >= 0 and _RULE.match(lines[above]) else number


def _mark_signature(lines: Sequence[str], result: list[Kind]) -> None:
    """From the first "-- " on, what is left of the text is signature (RFC 3676 §4.3)."""
    for number, line in enumerate(lines):
        if line[:2] == "--" and line.rstrip() == "--" and result[number] == "text":
            below = (n for n in range(number + 1, len(lines)) if result[n] == "text" and lines[n].strip())
            if line == "-- " or len(list(islice(below, LONGEST_STRIPPED_SIGNATURE + 1))) <= LONGEST_STRIPPED_SIGNATURE:
                result[number:] = ["signature" if kind == "text" else kind for kind in result[number:]]
                return
