"""How vacation notes and other automatic replies read where no header field gives them away, in many languages."""

import re
from collections.abc import Iterable

# How their subjects begin; for `AUTOMATIC_SUBJECT` nothing but the subject of the answered mail may follow.
_REPLY = (
    r"(?:auto(?:matic|mated)?[- ]?(?:reply|response)|out of (?:the )?office|automatische (?:antwort|reactie)"
    r"|abwesenheitsnotiz|automatisch antwoord|réponse automatique|(?:respuesta|resposta) autom[áà]tica"
    r"|risposta automatica|auto(?:matisk(?:t)?)?[- ]?svar|automaattinen vastaus|automatyczna odpowied[źz]|автоответ"
    r"|автоматический ответ|автоматична відповідь|automatick[áé] odpov[eě][ďd]|automatikus válasz|răspuns automat"
    r"|αυτόματη απάντηση|otomatik yan[ıi]t|автоматичен отговор|automatski odgovor|аутоматски одговор"
    r"|samodejni odgovor|automaatvastus|automātiska atbilde|automatinis atsakymas|trả lời tự động|tự động trả lời"
    r"|(?:balas(?:an)?|jawapan) (?:otomatis|automatik)|ตอบกลับอัตโนมัติ|پاسخ خودکار"
    r"|תגובה אוטומטית|رد تلقائي|自动(?:答复|回复)|自動(?:回覆|返信|応答)|자동 ?(?:회신|응답))"
)
_BEGINS_AS_REPLY = re.compile(rf"{_REPLY}|auto:|away:", re.IGNORECASE)
AUTOMATIC_SUBJECT = re.compile(rf"{_REPLY}\s*(?:[:：(\[–-]|$)", re.IGNORECASE)
# Phrases without the signs between words and in the form of `str.casefold`. Each begins a word; a blank at its end ends
# one.
_SUBJECTS = (
    " abwesenheit", " abwesend ", " nicht im büro", " urlaub ", " out of office ", " out of the office ", " ooo ",
    " on leave ", " i m out ", " i m away ", " i am out ", " i am away ", " away from ", " away re ", " auto reply",
    " autoreply", " auto re ", " on vacation", " vacation ", " absence ", " absent ", " absente ", " fuera de ",
    " ausente ", " ausencia ", " ausência ", " fora do ", " fuori ufficio ", " fuori sede ", " assente ", " assenza ",
    " afwezig", " niet op kantoor ", " frånvaro", " fravær", " poissa ", " poissaolo", " nieobecność ",
    " poza biurem ", " nepřítom", " neprítom", " mimo kancel", " távollét", " irodán kívül ", " absentă ",
    " нет на месте", " вне офиса", " отсутств", " відсутн", " ofis dışı", " εκτόσ γραφείου", " απουσία ", " 不在",
    " 休假", " 休暇", " 부재",
)  # fmt: skip
# What hardly anybody writes but in such a note.
_NOTES = (
    "out of office ", "out of the office ", "out of my office ", "not in the office ", "not be in the office ",
    "away from the office ", "away from my desk ", "away from my e", "automatic reply ", "automatic response ",
    "automatic message ", "automatic e", "automated reply ", "automated response ", "automated message ",
    "auto reply ", "autoreply ", "auto response ", "limited access to e", "limited access to my e", "no access to e",
    "no access to my e", "annual leave ", "parental leave ", "maternity leave ", "paternity leave ", "sick leave ",
    "nicht im büro ", "nicht im buero ", "nicht im hause ", "nicht im haus ", "nicht im dienst ", "ausser haus ",
    "abwesenheitsnotiz ", "abwesenheitsassistent", "automatische antwort ", "automatische nachricht ", "elternzeit ",
    "nicht weitergeleitet ", "nicht automatisch weitergeleitet ", "in mutterschutz ", "absent du bureau ",
    "absente du bureau ", "réponse automatique ", "message d absence ", "en congé ", "en congés ",
    "fuera de la oficina ", "fuera de oficina ", "fuera de mi oficina ", "respuesta automática ",
    "resposta automática ", "fora do escritório ", "fuori ufficio ", "fuori sede ", "fuori dall ufficio ",
    "risposta automatica ", "niet op kantoor ", "niet op het kantoor ", "niet aanwezig ", "niet bereikbaar ",
    "afwezig ", "afwezigheid ", "automatisch antwoord ", "automatisch bericht ", "automatische reactie ",
    "inte på kontoret ", "inte på plats ", "frånvarande ", "frånvaro ", "autosvar ", "automatiskt svar ",
    "ikke på kontoret ", "fraværende ", "fravær ", "automatisk svar ", "poissa toimistolta ", "poissa töistä ",
    "poissaolo", "automaattinen vastaus ", "automaattinen viesti ", "en ole tavoitettavissa ", "poza biurem ",
    "jestem nieobecn", "nieobecności ", "automatyczna odpowiedź ", "na urlopie ", "automatyczna wiadomość ",
    "mimo kancelář", "mimo kancelári", "nepřítom", "neprítom", "automatická odpověď ", "automatická odpoveď ",
    "na dovolené ", "na dovolenke ", "irodán kívül ", "automatikus válasz ", "szabadságon ", "în afara biroului ",
    "nu sunt la birou ", "răspuns automat ", "în concediu ", "автоответ", "автоматический ответ ",
    "автоматическое сообщение ", "вне офиса ", "не в офисе ", "нет на рабочем месте ", "в отпуске ", "я отсутству",
    "я буду отсутствовать ", "автоматична відповідь ", "у відпустці ", "поза офісом ", "ofis dışında",
    "ofiste değilim ", "ofiste olmayacağım ", "otomatik yanıt ", "izindeyim ", "izinliyim ", "εκτόσ γραφείου ",
    "αυτόματη απάντηση ", "απουσιάζω ", "θα λείπω ", "不在にして", "不在です", "自動返信", "自動応答", "休暇中",
    "休暇を", "不在办公室", "不在辦公室",
    "自动回复", "自动答复", "自動回覆", "休假", "자동 응답", "자동 회신", "자동응답",
    "자동회신", "부재중", "휴가 중", "휴가중",
)  # fmt: skip
# What counts of oneself alone: both parts in one sentence.
_OF_ONESELF = (
    (("bin ", "befinde mich "), ("abwesend ", "nicht erreichbar ", "verreist ")),
    (("je suis ", "je serai ", "je me trouve "), ("absent ", "absente ")),
    (("estoy ", "estaré ", "me encuentro ", "estou ", "estarei ", "encontro me "), ("ausente ",)),
    (("sono ", "sarò "), ("assente ",)),
)
# What people also write of themselves; a note says more.
_AWAY = (
    ("i am ", "i m ", "i will be ", "i ll be "),
    ("on vacation ", "on holiday ", "on holidays ", "on leave ", "away ", "absent ", "travelling ", "traveling ",
     "unavailable ", "abroad "),
), (("bin ", "befinde mich "), ("im urlaub ", "auf reisen ", "unterwegs "))  # fmt: skip
_ON_HOLIDAY = (
    "en vacances ", "de vacaciones ", "in ferie ", "in vacanza ", "de férias ", "met vakantie ", "op vakantie ",
    "på semester ", "har semester ", "på ferie ", "holder ferie ", "har ferie ", "lomalla ", "tatildeyim ",
)  # fmt: skip
_MORE = (
    "for your email ", "for your e mail ", "for your mail ", "for your message ", "urgent", "contact", "will reply ",
    "will respond ", "will answer ", "will be back ", "on my return ", "return on ", "back on ", "until ", "dringend",
    "bis zum ", "bis einschliess", "vielen dank für ihre ", "wenden sie sich ", "jusqu au ", "urgence", "de retour ",
    "hasta el ", "fino al ", "até ", "contatt", "tot en met ", "t o m ", "till och med ", "brådskande ", "til og med ",
    "kiirei", "asti ",
)  # fmt: skip
_REACHED_AT = re.compile(r"[^\s@]@[^\s@]|\d[\d ()/-]{7,20}\d")
_SENTENCE_ENDS = re.compile(r"(?<!\d)[.!?\u3002]")
_DOT = "\u0307"
_BETWEEN_WORDS = re.compile(r"[\W_]+")
# Of the beginning of a letter only: a note is short.
_MOST_LINES, _LONGEST = 20, 2_000


def is_automatic(subject: str, lines: Iterable[str]) -> bool:
    """Whether a letter with this subject and this text of its own reads like an automatic reply."""
    if _BEGINS_AS_REPLY.match(subject.strip("[( ")) or _words(subject).startswith(_SUBJECTS):
        return True
    said = [line for line in lines if line.strip()][:_MOST_LINES]
    text = " ".join(said)[:_LONGEST]
    words = _words(text)
    if _has(words, _NOTES):
        return True
    sentences = [_words(sentence) for sentence in _SENTENCE_ENDS.split(text)]

    def says(pairs: Iterable[tuple[Iterable[str], Iterable[str]]]) -> bool:
        return any(_has(sentence, who) and _has(sentence, what) for sentence in sentences for who, what in pairs)

    is_away = says(_AWAY) or _has(words, _ON_HOLIDAY)
    return says(_OF_ONESELF) or is_away and (_has(words, _MORE) or _REACHED_AT.search(text) is not None)


def _words(text: str) -> str:
    """The text in small letters, with a blank around each word."""
    # A Turkish capital leaves a dot.
    return f" {_BETWEEN_WORDS.sub(' ', text.casefold().replace(_DOT, '')).strip()} "


def _has(words: str, phrases: Iterable[str]) -> bool:
    """Whether one of the phrases is there. Chinese, Japanese and Korean have no blanks between words."""
    return any(phrase in words if phrase[0] > "\u2e80" else f" {phrase}" in words for phrase in phrases)
