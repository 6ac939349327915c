"""Letters that machines write: whether one may be carried out and answered, and the reports of bounced mails.

An answer to a machine's mail can start a mail loop, so mail that RFC 3834 §2 warns of gets no answer. Some of its marks
say that a machine wrote the letter, which is never carried out. Others say only by which way it came: distribution
lists, Exchange and alias services put them on what people write. A letter that signs on is a person's.

If no field gives an automatic reply away, `is_automatic` knows how such replies read, in many languages: notes of
absence, and what a mail program writes when its user presses a button.

Bounces are read as RFC 3464 has them, and the older ones in free text. A bounce blames an address only if it says that
no one can be reached there: by a status about the mailbox or its domain (RFC 3463), or because the address was refused
before the mail was sent (RCPT TO). Anyone who can write to a player can cause a mail to be refused for its content.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from email import message_from_string

from judge.addresses import without_tag
from judge.letters.parsed import MAX_FIELDS, Headers, Part, addresses, header_field, message_ids, words

MARK = "x-judge"  # every mail that we send has it

_MACHINE = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|post-?master|double-bounce|majordomo|listserv|bounces?|root"
    r"|(?:do[-_.]?)?not?[-_.]?reply)(?:[-_.+=\d].*)?"
    r"|owner-.*|.*-(?:owner|request|bounces)(?:\+.*)?",
    re.DOTALL,
)
_AUTOMATIC_FIELDS = {"x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse"}
# RFC 2369 and 2919; Mailman, ezmlm, Google Groups.
_LIST_FIELDS = {
    "list-id", "list-unsubscribe", "list-unsubscribe-post", "list-post", "list-help", "list-subscribe", "list-owner",
    "list-archive", "mailing-list", "x-mailing-list", "x-beenthere", "x-google-group-id",
}  # fmt: skip
_REPORTS = {"multipart/report", "message/delivery-status", "message/disposition-notification"}
# Nested comments are removed one level at a time.
_COMMENT = re.compile(r"\([^()]*\)")
_MOST_NESTED = 4
# MS-OXCMAIL 2.1.3.2.20. The other values (DR, NDR, RN, NRN, OOF) ask for no receipts and no absence notes: we send
# neither, and mail from people has these values too.
_NO_ANSWER_WANTED = {"all", "autoreply"}

# The beginnings of their subjects; after `_AUTOMATIC_SUBJECT` only the subject of the answered mail may follow.
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
_AUTOMATIC_SUBJECT = re.compile(rf"{_REPLY}\s*(?:[:：(\[–-]|$)", re.IGNORECASE)
# Phrases of automatic replies, without the signs between words and in the form of `str.casefold`. Each begins a word; a
# blank at its end ends one. Chinese, Japanese and Korean have no blanks between words.
_SUBJECTS = re.compile(
    " (?:"
    "abwesenheit|abwesend |nicht im büro|urlaub |out of office |out of the office |ooo |on leave |i m out |"
    "i m away |i am out |i am away |away from |away re |auto reply|autoreply|auto re |on vacation|vacation |"
    "absence |absent |absente |fuera de |ausente |ausencia |ausência |fora do |fuori ufficio |fuori sede |"
    "assente |assenza |afwezig|niet op kantoor |frånvaro|fravær|poissa |poissaolo|nieobecność |poza biurem |"
    "nepřítom|neprítom|mimo kancel|távollét|irodán kívül |absentă |нет на месте|вне офиса|отсутств|відсутн|"
    "ofis dışı|εκτόσ γραφείου|απουσία |不在|休假|休暇|부재"
    ")"
)
# Phrases that are hardly used outside such notes.
_NOTES = re.compile(
    " (?:"
    "out of office |out of the office |out of my office |not in the office |not be in the office |"
    "away from the office |away from my desk |away from my e|automatic reply |automatic response |"
    "automatic message |automatic e|automated reply |automated response |automated message |auto reply |"
    "autoreply |auto response |limited access to e|limited access to my e|no access to e|no access to my e|"
    "annual leave |parental leave |maternity leave |paternity leave |sick leave |nicht im büro |nicht im buero |"
    "nicht im hause |nicht im haus |nicht im dienst |ausser haus |abwesenheitsnotiz |abwesenheitsassistent|"
    "automatische antwort |automatische nachricht |elternzeit |nicht weitergeleitet |"
    "nicht automatisch weitergeleitet |in mutterschutz |absent du bureau |absente du bureau |"
    "réponse automatique |message d absence |en congé |en congés |fuera de la oficina |fuera de oficina |"
    "fuera de mi oficina |respuesta automática |resposta automática |fora do escritório |fuori ufficio |"
    "fuori sede |fuori dall ufficio |risposta automatica |niet op kantoor |niet op het kantoor |niet aanwezig |"
    "niet bereikbaar |afwezig |afwezigheid |automatisch antwoord |automatisch bericht |automatische reactie |"
    "inte på kontoret |inte på plats |frånvarande |frånvaro |autosvar |automatiskt svar |ikke på kontoret |"
    "fraværende |fravær |automatisk svar |poissa toimistolta |poissa töistä |poissaolo|automaattinen vastaus |"
    "automaattinen viesti |en ole tavoitettavissa |poza biurem |jestem nieobecn|nieobecności |"
    "automatyczna odpowiedź |na urlopie |automatyczna wiadomość |mimo kancelář|mimo kancelári|nepřítom|neprítom|"
    "automatická odpověď |automatická odpoveď |na dovolené |na dovolenke |irodán kívül |automatikus válasz |"
    "szabadságon |în afara biroului |nu sunt la birou |răspuns automat |în concediu |автоответ|"
    "автоматический ответ |автоматическое сообщение |вне офиса |не в офисе |нет на рабочем месте |в отпуске |"
    "я отсутству|я буду отсутствовать |автоматична відповідь |у відпустці |поза офісом |ofis dışında|"
    "ofiste değilim |ofiste olmayacağım |otomatik yanıt |izindeyim |izinliyim |εκτόσ γραφείου |"
    "αυτόματη απάντηση |απουσιάζω |θα λείπω "
    ")|"
    "不在にして|不在です|自動返信|自動応答|休暇中|休暇を|不在办公室|不在辦公室|自动回复|"
    "自动答复|自動回覆|休假|자동 응답|자동 회신|자동응답|자동회신|부재중|휴가 중|휴가중"
)
# Phrases that count if the writer says them of themselves: both parts in one sentence.
_OF_ONESELF = (
    (re.compile(" (?:bin |befinde mich )"), re.compile(" (?:abwesend |nicht erreichbar |verreist )")),
    (re.compile(" (?:je suis |je serai |je me trouve )"), re.compile(" (?:absent |absente )")),
    (re.compile(" (?:estoy |estaré |me encuentro |estou |estarei |encontro me )"), re.compile(" (?:ausente )")),
    (re.compile(" (?:sono |sarò )"), re.compile(" (?:assente )")),
)
# Phrases that people also write of themselves; a note says more.
_AWAY = (
    (
        re.compile(" (?:i am |i m |i will be |i ll be )"),
        re.compile(" (?:on vacation |on holidays? |on leave |away |absent |travell?ing |unavailable |abroad )"),
    ),
    (re.compile(" (?:bin |befinde mich )"), re.compile(" (?:im urlaub |auf reisen |unterwegs )")),
)
_ON_HOLIDAY = re.compile(
    " (?:"
    "en vacances |de vacaciones |in ferie |in vacanza |de férias |met vakantie |op vakantie |på semester |"
    "har semester |på ferie |holder ferie |har ferie |lomalla |tatildeyim "
    ")"
)
_MORE = re.compile(
    " (?:"
    "for your email |for your e mail |for your mail |for your message |urgent|contact|will reply |will respond |"
    "will answer |will be back |on my return |return on |back on |until |dringend|bis zum |bis einschliess|"
    "vielen dank für ihre |wenden sie sich |jusqu au |urgence|de retour |hasta el |fino al |até |contatt|"
    "tot en met |t o m |till och med |brådskande |til og med |kiirei|asti "
    ")"
)
_REACHED_AT = re.compile(r"[^\s@]@[^\s@]|\d[\d ()/-]{7,20}\d")
# The beginnings of the subjects of receipts, of recalled mails and of answers to invitations.
_PROGRAM_SUBJECT = re.compile(
    r"(?:read|not read|unread|deleted|displayed|delivered|recall|message recall (?:success|failure|report)|accepted"
    r"|tentative(?:ly accepted)?|declined|new time proposed|reaction|return receipt(?: \(displayed\))?|read receipt"
    r"|gelesen|ungelesen|gelöscht|lesebestätigung|rückruf|zugesagt|zusage|mit vorbehalt|abgelehnt|absage|reaktion"
    r"|lu|non lu|supprimé|rappel|accepté|provisoire|refusé|réaction|confirmation de lecture"
    r"|leído|no leído|eliminado|recuperar|aceptad[oa]|provisional|rechazad[oa]|reacción|confirmación de lectura"
    r"|letto|non letto|eliminato|richiamo|accettat[oa]|provvisorio|rifiutat[oa]|reazione|conferma di lettura"
    r"|lid[ao]|não lid[ao]|excluíd[ao]|cancelar|aceit[oe]|provisório|recusad[oa]|reação|confirmação de leitura"
    r"|gelezen|niet gelezen|ongelezen|verwijderd|intrekken|geaccepteerd|voorlopig|afgewezen|geweigerd|reactie"
    r"|läst|oläst|återkalla|accepterat|preliminärt|avböjt|læst|ulæst|tilbagekald|accepteret|foreløbig|afvist"
    r"|lest|ulest|tilbakekall|godtatt|avslått|luettu|hyväksytty|hylätty|przeczytan[eo]|odczytano|odwołaj"
    r"|zaakceptowano|odrzucono|přečteno|přijato|odmítnuto|прочитано|прочтено|отозвать|принято|отклонено"
    r"|開封済み|承諾|辞退|已读|已讀|撤回|接受|拒绝|拒絕|읽음|수락|거절)\s{0,3}[:：]",
    re.IGNORECASE,
)
# A line of a program that begins with a name: Jo Roe reacted to your message. People begin it with other words.
_REACTS = re.compile(
    " (?!(?:i|we|you|he|she|they|it|all|who|but|and|as|if|when|since|because|ich|wir|er|sie|je|tu|il|elle|nous|yo|io) )"
    r"(?:\w+ ){0,5}"
    "(?:(?:liked|loved|disliked|emphasi[sz]ed|laughed at|questioned|reacted (?:to|with|on)) "
    "(?:your|this|an?|the) (?:e ?mail|mail|message|post|comment|reply) "
    "|reacted (?:via|from|using) |reagiert auf (?:deine|ihre|eine) |hat (?:auf (?:deine|ihre|eine)|über gmail) "
    "|gefällt (?:deine|ihre) |a réagi (?:à|via|avec|depuis) |a aimé votre |(?:ha reaccionado|reaccionó) (?:a|con) "
    "|le (?:ha gustado|gustó) tu |ha reagito (?:a|al|con|tramite) |reagiu (?:à|a|ao|com|pelo|via) |curtiu (?:a )?sua "
    "|heeft (?:gereageerd|op je|op uw|via gmail) |(?:reagerade|reagerte|reagerede) på (?:ditt|din|dit|meldingen) "
    "|zareagowała? na |отреагировала? )"
)
# The same on a telephone, in front of the quoted words.
_TAPBACK = re.compile(
    r"\s{0,3}(?:liked|loved|disliked|emphasi[sz]ed|laughed at|questioned|reacted \S{1,9} to) [\"'“”„«‘]", re.IGNORECASE
)
# Phrases of receipts, recalled mails, answers to invitations, filters that ask who one is, and new addresses.
_OF_PROGRAMS = re.compile(
    " (?:"
    "this is a (?:return |read )?receipt |no guarantee that (?:the message|it) |deleted without being read |"
    "(?:would like|wants|attempted|tried) to recall (?:the|this|a) (?:message|e ?mail) |"
    "has (?:tentatively )?(?:accepted|declined) (?:this|your|the) (?:invitation|meeting|event|appointment) |"
    "(?:that|prove|verify|confirm) you(?: are| re) (?:a )?(?:human|person|real|not a robot|not a spammer) |"
    "click (?:on )?the (?:link|button) |to (?:deliver|release) your (?:message|e ?mail|mail) |"
    "(?:message|e ?mail|mail) (?:is being|is|has been|was) (?:hel[dt]|quarantined|on hold|put on hold|blocked) |"
    "(?:message|e ?mail|mail) (?:has|was|could) not (?:yet )?(?:be |been )?delivered |"
    "(?:awaiting|awaits|requires|needs) (?:sender )?(?:verification|confirmation|approval|authentication) |"
    "(?:approved|allowed|trusted|safe) senders? |whitelist|need to do this (?:only )?once |only need to do this |"
    "challenge response |confirm that you sent |spam protection |"
    "address (?:has|is|was) (?:been )?chang(?:ed|ing) |changed (?:my )?(?:e ?mail )?address|"
    "change of (?:e ?mail )?address|"
    "(?:my|a) new (?:e ?mail )?address |new e ?mail address |update your (?:address book|contacts?|records) |"
    "no longer (?:in use|active|valid|used|monitored|checked|in service|exists?) |"
    "no longer (?:us|check|monitor|read)(?:e|ing|s)? this |"
    "no longer (?:works?|working|employed) (?:at|for|with|here) |(?:has|have) left the company |"
    "empfangsbestätigung |lesebestätigung |ohne gelesen zu werden |hat (?:die|ihre) (?:einladung|besprechung) |"
    "dass sie ein mensch |klicken sie auf |adresse (?:hat sich|ist nicht mehr|wird nicht mehr|lautet) |"
    "neue (?:e )?mail ?adresse |neuen? e ?mail |accusé de réception |confirmation de lecture |a été lu le |"
    "rappeler le message |cliquez sur |adresse (?:e ?mail |mail |électronique )?a changé |nouvelle adresse |"
    "acuse de recibo |confirmación de lectura |(?:se leyó|fue leído|se ha leído) el |recuperar el mensaje |"
    "haga clic en |(?:correo|dirección) (?:de correo )?(?:electrónico |electrónica )?ha cambiado |nueva dirección |"
    "ricevuta di ritorno |conferma di lettura |è stato letto |richiamare il messaggio |fare clic |"
    "indirizzo (?:e ?mail |di posta )?è cambiato |nuovo indirizzo |confirmação de leitura |foi lid[ao] |"
    "endereço (?:de )?(?:e ?mail )?mudou |novo endereço |leesbevestiging |ontvangstbevestiging |is gelezen op |"
    "e ?mailadres is |nieuwe? e ?mailadres |läskvitto |läsbekräftelse|lesebekreftelse|ny e ?post(?:adress|adresse)? "
    ")"
)
# The same, of two parts in one sentence.
_PAIRS_OF_PROGRAMS = (
    (re.compile(" (?:message|e ?mail|mail) "), re.compile(" (?:was|has been) (?:read|displayed|opened) (?:on|at|by) ")),
    (re.compile(" nachricht "), re.compile(" (?:gelesen|zurückrufen) ")),
)
_REACTION = "text/vnd.google.email-reaction+json"
_CALENDARS = {"text/calendar", "application/ics"}
_ANSWERS = {"reply", "counter", "declinecounter", "refresh"}
_METHOD = re.compile(rb"^METHOD:(\w{1,20})", re.IGNORECASE | re.MULTILINE)
_DOT = "\u0307"
_SENTENCE_ENDS = re.compile(r"(?<!\d)[.!?\u3002]")
_BETWEEN_WORDS = re.compile(r"[\W_]+")
# Only the beginning of a letter is read, since a note is short.
_MOST_LINES, _LONGEST = 20, 2_000

# --- bounces ---

# Bytes of a part in which fields and Message-IDs are looked for.
_MOST = 65_536
_MOST_IDS = 10
_EMPTY_LINE = re.compile(r"\n\r?\n")
_MESSAGE_ID = re.compile(r"^[ \t>]*Message-ID:\s{0,5}(<[^<>\s]{1,250}>)", re.I | re.M)
_RETURN_PATH = re.compile(r"^Return-Path:(.*)$", re.I | re.M)
# The beginning of the returned mail in a report of free text: what follows is not the mail server's.
_MAIL_BEGINS = re.compile(r"^[ \t>]*(?:Received|Return-Path|From|To|Subject|Date|Message-ID|X-Judge):", re.I | re.M)
# Status codes of RFC 3463; not a part of an IP address.
_STATUS = re.compile(r"(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)")
# There is no such mailbox or domain (5.1.7 and 5.1.8 are about the sender), it is disabled, or no host answers for it.
_OF_ADDRESS = re.compile(r"5\.1\.(?![78]$)\d+|5\.2\.1|5\.4\.1")
# The mail was refused: because the mailbox is full, which anyone can cause, or for its length (5.2.2, 5.2.3), by the
# system's rules or its size (5.3), for its content (5.6), by policy or as junk (5.7).
_OF_MAIL = re.compile(r"5\.2\.[23]|5\.[367]\.\d+")
# Postfix, Exim and qmail say so if the address was refused before they sent the mail.
_AT_RCPT = re.compile(r"\bRCPT TO\b", re.I)
# The subjects of programs that do not write RFC 3464.
_FAILURE = re.compile(
    r"undeliver|returned mail|failure notice|delivery (?:status notification \(failure\)|fail|has failed)|"
    r"mail delivery failed|could not be delivered|unzustellbar|non remis|onbestelbaar|no se puede entregar",
    re.IGNORECASE,
)


def ignore_reason(letter: Part, sender: str, own_addresses: frozenset[str] = frozenset()) -> tuple[str, bool]:
    """Return why this letter must not be answered, in a few words, "" if it may be; and whether it is automatic.

    An automatic letter must not be carried out either, even if it signs on.
    """
    automatic = _automatic(letter, sender, own_addresses)
    return (automatic, True) if automatic else (bulk_mark(letter) or _button(letter), False)


def _button(letter: Part) -> str:
    """Say which button of a mail program was pressed, by the parts of the letter; "" if none was."""
    for part in letter.own_parts():
        disposition, _ = header_field(part.header("content-disposition"))
        if part.content_type == _REACTION or disposition == "reaction":
            return "reaction to an email"
        if part.content_type in _CALENDARS:
            written = _METHOD.search(part.payload[:_MOST])
            method = written[1].decode() if written else part.parameters.get("method", "")
            if method.lower() in _ANSWERS:
                return "answer to an invitation"
    return ""


def _automatic(letter: Part, sender: str, own_addresses: frozenset[str]) -> str:
    """Say why a machine wrote the letter, or may have written it."""
    headers = letter.headers
    # Our own address may have a tag, as in the return path of our mails.
    if MARK in headers or {sender, without_tag(sender)} & own_addresses:
        return "our own mail"
    if _first_words(headers, "auto-submitted") - {"", "no"}:
        return "auto-reply (Auto-Submitted)"
    if headers.keys() & _AUTOMATIC_FIELDS or _first_words(headers, "precedence") & {"auto_reply", "auto-reply"}:
        return "auto-reply"
    if _first_words(headers, "content-type") & _REPORTS:
        return "bounce or receipt"
    if any(_bare(value).replace(" ", "") == "<>" for value in headers.get("return-path", ())):
        return "bounce (empty Return-Path)"
    if letter.fields >= MAX_FIELDS:
        return "too many header fields to tell whether a program wrote it"
    if not sender:
        return "no usable sender"
    if _MACHINE.fullmatch(sender.rpartition("@")[0]):
        return f"a machine's address ({sender})"
    if _AUTOMATIC_SUBJECT.match(words(letter.header("subject")).strip()):
        return "auto-reply (its subject)"
    return ""


def bulk_mark(letter: Part) -> str:
    """Name the mark by which the letter may have gone to many, or wants no answer; "" if it has none."""
    headers = letter.headers
    if precedence := _first_words(headers, "precedence") & {"bulk", "junk", "list"}:
        return f"bulk mail (Precedence: {precedence.pop()})"
    if headers.keys() & _LIST_FIELDS:
        return "mailing list"
    suppressed = _bare(",".join(headers.get("x-auto-response-suppress", ()))).lower().split(",")
    if {word.strip() for word in suppressed} & _NO_ANSWER_WANTED:
        return "auto-reply (X-Auto-Response-Suppress)"
    return ""


def _first_words(headers: Headers, name: str) -> set[str]:
    """Return the first word of each such field, in small letters: without comments and what follows it."""
    values = (_bare(value).partition(";")[0].lower().split() for value in headers.get(name, ()))
    return {words[0] if words else "" for words in values}


def _bare(value: str) -> str:
    """Remove the comments from a field (RFC 5322, 3.2.2)."""
    for _ in range(_MOST_NESTED if "(" in value else 0):
        value = _COMMENT.sub("", value)
    return value


def is_automatic(subject: str, lines: Sequence[str]) -> bool:
    """Whether a letter with this subject and this text of its own reads like an automatic reply."""
    begins = subject.strip("[( ")
    if _BEGINS_AS_REPLY.match(begins) or _PROGRAM_SUBJECT.match(begins) or _SUBJECTS.match(_spaced(subject)):
        return True
    shown = [line for line in lines if line.strip()][:_MOST_LINES]
    if any(_TAPBACK.match(line) or _REACTS.match(_spaced(line[:_LONGEST])) for line in shown):
        return True
    text = " ".join(shown)[:_LONGEST]
    said = _spaced(text)
    sentences = [_spaced(sentence) for sentence in _SENTENCE_ENDS.split(text)]

    def says(pairs: Iterable[tuple[re.Pattern[str], re.Pattern[str]]]) -> bool:
        return any(who.search(sentence) and what.search(sentence) for sentence in sentences for who, what in pairs)

    if _NOTES.search(said) or _OF_PROGRAMS.search(said) or says(_PAIRS_OF_PROGRAMS) or says(_OF_ONESELF):
        return True
    is_away = says(_AWAY) or _ON_HOLIDAY.search(said) is not None
    return is_away and (_MORE.search(said) or _REACHED_AT.search(text)) is not None


def _spaced(text: str) -> str:
    """Put a blank around each word, in small letters, without the dot that a Turkish capital leaves."""
    return f" {_BETWEEN_WORDS.sub(' ', text.casefold().replace(_DOT, '')).strip()} "


# --- bounces ---


@dataclass(frozen=True)
class Report:
    """A report of a failure.

    sent_to: the addresses that it came to, and the return paths of the mails that it cites. message_ids: those mails.
    reason: the other server's words, or "". blames_address: no one can be reached at the address.
    """

    sent_to: tuple[str, ...]
    message_ids: tuple[str, ...]
    reason: str
    blames_address: bool


def blames_address(said: str, *, at_rcpt: bool) -> bool:
    """Whether a refusal in these words means that no one can be reached at the address.

    at_rcpt: the address was refused, before the mail was sent.
    """
    statuses = _STATUS.findall(said)
    if any(map(_OF_MAIL.fullmatch, statuses)):
        return False
    return at_rcpt or any(map(_OF_ADDRESS.fullmatch, statuses))


def report_of(root: Part, silent: str) -> Report | None:
    """Return the report in a letter, if it says that a mail is undeliverable; `silent`: why it is never answered."""
    statuses = [part for part in root.walk() if part.content_type == "message/delivery-status"]
    # What the mail server has written itself, for people: the text above the returned mail.
    own = _MAIL_BEGINS.split(next((_text(part) for part in root.walk() if part.content_type == "text/plain"), ""), 1)[0]
    if statuses:
        outcomes = list(_outcomes("\n\n".join(map(_text, statuses))))
        failures = [failure for failure in outcomes if failure]
        if not failures:
            return None
        reason = failures[0][1]
    elif silent.startswith(("bounce", "a machine's")) and _FAILURE.search(words(root.header("subject"))):
        reason = next((" ".join(line.split()) for line in own.splitlines() if _STATUS.search(line)), "")
        outcomes = [(own, reason)]
    else:
        return None
    at_rcpt = _AT_RCPT.search(own) is not None
    blamed = all(failure and blames_address(failure[0], at_rcpt=at_rcpt) for failure in outcomes)
    cited = [found for part in root.walk() if part is not root for found in _cited(part)]
    if not cited and not statuses:
        cited = _MESSAGE_ID.findall(_text(root))
    named = ("delivered-to", "x-original-to", "envelope-to", "to")
    # A provider may give a mail another Message-ID, and deliver its report to an alias; the return path stays.
    paths = [value for part in root.walk() if part is not root for value in _return_paths(part)]
    values = [*(value for name in named for value in root.headers.get(name, ())), *paths]
    mailboxes = [found for value in values for found in addresses(value)]
    sent_to = dict.fromkeys(address for _, address in mailboxes if address)
    return Report(tuple(sent_to), tuple(dict.fromkeys(cited))[:_MOST_IDS], reason, blamed)


def _outcomes(status: str) -> Iterator[tuple[str, str] | None]:
    """Yield for each recipient all that is said of the failure, and the words to show.

    None for a recipient for whom the mail is delayed, or was delivered.
    """
    for group in map(message_from_string, _EMPTY_LINE.split(status)):
        actions, states, said = (
            [" ".join(value.split()) for value in group.get_all(name, [])]
            for name in ("action", "status", "diagnostic-code")
        )
        if "failed" in map(str.lower, actions) or not actions and any(state.startswith("5") for state in states):
            shown = [*said, *states, ""][0]
            yield " ".join([*said, *states]), shown.partition(";")[2].strip() or shown
        elif actions or states or said:
            yield None


def _cited(part: Part) -> list[str]:
    """Return the Message-ID of the returned mail, or of its header if only that came back."""
    if part.content_type == "message/rfc822" and part.parts:
        return message_ids(part.parts[0].header("message-id"))[:1]
    if part.content_type in ("text/rfc822-headers", "message/global", "message/global-headers"):
        return _MESSAGE_ID.findall(_text(part))[:1]
    return []


def _return_paths(part: Part) -> Sequence[str]:
    """Return the return path of a returned mail, or of its header."""
    if part.content_type == "message/rfc822" and part.parts:
        return part.parts[0].headers.get("return-path", ())
    return _RETURN_PATH.findall(_text(part)) if part.content_type == "text/rfc822-headers" else ()


def _text(part: Part) -> str:
    return part.payload[:_MOST].decode("latin-1")
