"""Lines that mail programs write into a letter, in the languages of these programs.

Headings above an older email have several forms. "On Monday, … wrote:" may be wrapped over several lines. The older
email may follow on the same line. Others are "-----Original Message-----", and the block of From:, Sent:, To:,
Subject:. In other languages, a line with a date, a time, an address and few other words is a heading. A line with an
address, a time, and a colon at the end is a heading too.

Advertisements at the end of a letter are "Sent from my iPhone" or "Get Outlook for Android". Most are recognized by a
word for "sent" together with the name of a device or a program. So a sentence of the sender is hardly ever taken for
an advertisement.

For the headings of another program, add a word to the tables below. Lines are normalized (`judge.letters.text.fold`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from judge.letters.signon_lines import signon_line

# Lines of a letter, normalized.
Texts = Sequence[str]
# The maximum length of a line of a heading, in characters.
LONGEST = 400
# The maximum number of lines of a heading.
MOST_LINES = 4
# The verb of a heading may begin within this many characters before the end of the line above.
_LONGEST_VERB = 20
# The maximum number of lines in a block of fields.
_MOST_FIELDS = 7


# Words for "wrote" that end a heading, in about 25 languages.
_VERB_LAST = (
    r"(?:wrote|writes|a écrit|escribió|ha scritto|escreveu|napisał\(a\)|napisał|napisała|pisze|napsal\(a\)|"
    r"napsal|napísal\(a\)|napísal|napisal\(a\)|napisal|napisala|napisao/la|napisao je|napisala je|написао/ла|"
    r"написа|kirjoitti|írta|a scris|пишет|писал|написал|написала|написал\(а\)|пише|написав|написала|yazdı|έγραψε|"
    "rašė|rakstīja|đã viết|menulis|geschreven)"
)
# Words for "wrote" in German, Dutch, Swedish, Danish, Norwegian, Estonian and Arabic, where the name follows the verb.
# In English and Finnish, a time follows the verb.
_VERB_FIRST = "(?:schrieb|schreef|skrev|kirjutas|wrote on|kirjoitti|كتب)"
# Words for "wrote" in Chinese, Japanese, Korean, Hebrew and Thai, which may follow another word without a blank. Some
# headings end with only the address.
_NO_VERB = r"(?:写道|寫道|のメール|さんは書きました|작성|쓴 글|כתב|כתב/ה|เขียนว่า|<[^<>\s@]+@[^<>\s@]+>)"
_SAYS_WROTE = re.compile(rf"(?:\b{_VERB_LAST}|{_NO_VERB})\s*:\s*$|\b{_VERB_FIRST}\b")
_COLON = re.compile(r":\s*$")
_DATED = re.compile(r"\d[:.]\d\d|\d{4}|@")
_ADDRESSED = re.compile(r"[^\s<>@]{1,64}@[^\s<>@]{1,255}")
_IN_BRACKETS = re.compile(r"<\s?[^<>\s@]{1,64}@[^<>\s@]{1,255}\s?>|\(mailto:|\([^()\s@]{1,64}@[^()\s@]{1,255}\)")
_TIMED = re.compile(r"\d[:.]\d\d")
# Words that always begin a heading if a digit follows, then dates, times and names that may begin a heading.
_BEGINS = re.compile(
    r"\s*"
    "(?:On|Am|Le|El|Il|Em|No dia|Op|Den|Dnia|W dniu|Dne|Dňa|På|Στις|În|Pe|На|Dana|Vào|Pada|Kuupäev|V|בתאריך|في|"
    "در تاریخ|在|ในวันที่|เมื่อ)"
    r"(?![^\W\d_])[^\d]{0,40}\d",
    re.IGNORECASE,
)
_MAY_BEGIN = re.compile(
    r"\s*(?!\d{1,2}[.:]\d\d\s?:)(?:\d{4}\D|\d{1,2}[./]|\d{1,2}:\d\d|[^\s:]{2,5},? \d|[^\s:]{2,12}, [^\s:]{2,12} \d"
    r"|\S[^<]*<[^\s<>@]+@[^\s<>@]+>)"
)
# Beginnings of lines that are not the first line of a heading: an address, a lowercase letter, only a time.
_GOES_ON = re.compile(r"\s*(?:<|[a-zà-öø-ÿа-я]|\d{1,2}[.:]\d\d\s?:)")
_RULES = "-_*="
# The word "wrote", with or without a colon, at the end of text between two rules.
_RULED_WROTE = re.compile(rf"\b{_VERB_LAST}\s?:?$")

_ORIGINAL = (
    "Original[ -]Message|Original|Reply Message|Original[ -]?Nachricht|Ursprüngliche Nachricht|Message d.origine|"
    "Message original|Mensaje original|Messaggio originale|Mensagem original|Oorspronkelijk bericht|"
    "Ursprungligt meddelande|Opprinnelig melding|Oprindelig (?:meddelelse|besked)|Alkuperäinen viesti|"
    "Wiadomość oryginalna|Oryginalna wiadomość|Původní zpráva|Pôvodná správa|Eredeti üzenet|Mesaj original|"
    "Izvorna poruka|Izvirno sporočilo|Оригинално съобщение|Исходное сообщение|Вихідне повідомлення|Orijinal İleti|"
    "Özgün İleti|Αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية|Thư gốc|Tin nhắn gốc|Pesan asli|原始邮件|原始郵件|"
    "元のメッセージ|원본 메시지|원본 메일"
)
_FORWARDED = (
    "Forwarded message|Begin forwarded message|Weitergeleitete Nachricht|"
    "Anfang der weitergeleiteten (?:Nachricht|E-Mail)|Message transféré|Message transmis|"
    "Début du message (?:réexpédié|transféré)|Mensaje reenviado|Inicio del mensaje reenviado|Messaggio inoltrato|"
    "Inizio messaggio inoltrato|Mensagem (?:re)?encaminhada|Início da mensagem (?:re)?encaminhada|"
    "Doorgestuurd bericht|Begin doorgestuurd bericht|Vidarebefordrat (?:meddelande|mejl)|"
    "Videresendt (?:meddelelse|melding|besked)|Start på videresendt besked|Välitetty viesti(?: alkaa)?|"
    "Edelleenlähetetty viesti|Przekazana wiadomość|Początek przekazywanej wiadomości|Přeposlaná zpráva|"
    "Začátek přeposílané zprávy|Preposlaná správa|Začiatok preposlanej správy|Továbbított (?:üzenet|levél)|"
    "Továbbított levél kezdete|Mesaj redirecționat|Începe mesajul redirecționat|Proslijeđena poruka|"
    "Započni proslijeđenu poruku|Препратено съобщение|Пересылаемое сообщение|Перенаправленное сообщение|"
    "Начало переадресованного сообщения|Переслане повідомлення|Перенаправлене повідомлення|"
    "Початок листа, що пересилається|İletilmiş Mesaj|İletilen İleti|İleti başlangıcı|Προωθημένο μήνυμα|הודעה שהועברה|"
    "رسالة معاد توجيهها|Pesan terusan|转发邮件|転送メッセージ"
)
_ORIGINAL_MESSAGE = re.compile(rf"(?:{_ORIGINAL}|{_FORWARDED})\s?:?$", re.IGNORECASE)
_FORWARD = re.compile(rf"(?:{_FORWARDED})\s?:?$", re.IGNORECASE)


def _field(names: str) -> re.Pattern[str]:
    """Return a pattern for a header field in the body, also in bold (`*From:*`)."""
    return re.compile(rf"\s*\*{{0,2}}(?:{names})\s?:", re.IGNORECASE)


_FROM_FIELD = _field(
    "From|Von|De|De la|Da|Mittente|Van|Från|Fra|Lähettäjä|Od|Nadawca|Šalje|Pošiljatelj|От|Отправитель|Від|"
    "Від кого|Feladó|Expeditorul|Expeditor|Gönderen|Kimden|Από|Saatja|מאת|من|Từ|Dari|Daripada|จาก|差出人|送信者|"
    "发件人|寄件者|寄件人|보낸 ?사람"
)
_DATE_FIELD = _field(
    "Sent|Date|Gesendet|Datum|Envoyé|Enviado(?: el| em)?|Enviada em|Fecha|Data|Inviato|Verzonden|Skickat|Sendt|"
    "Dato|Lähetetty|Päivämäärä|Päiväys|Wysłan[eo]|Odesláno|Odoslané|Dátum|Elküldve|Trimis|Dată|Poslano|"
    "Отправлено|Дата|Надіслано|Відправлено|Изпратено|Gönderildi|Gönderilen|Tarih|Στάλθηκε|Ημερομηνία|Saadetud|"
    "נשלח|תאריך|تاريخ الإرسال|التاريخ|Đã gửi|Ngày|Dikirim|Tanggal|Dihantar|ส่ง|วันที่|发送时间|发送日期|"
    "日 {0,2}期|寄件日期|日期|送信日時|日時|보낸 ?날짜|날짜"
)
_OTHER_FIELD = _field(
    "To|Cc|Subject|An|Betreff|Kopie|À|Pour|Objet|Sujet|Para|Asunto|A|Oggetto|Assunto|Aan|Onderwerp|Till|Ämne|"
    "Kopia|Til|Emne|Kopi|Vastaanottaja|Aihe|Do|DW|Temat|Komu|Předmět|Pre|Predmet|Prima|Naslov|Za|Zadeva|Címzett|"
    "Tárgy|Către|Destinatarul|Subiect(?:ul)?|Кому|Тема|До|Относно|Копия|Копія|Kime|Konu|Bilgi|Προς|Θέμα|Saaja|"
    "Teema|אל|נושא|إلى|الموضوع|Đến|Chủ đề|Kepada|Ke|Subjek|Perihal|ถึง|เรื่อง|收件人|收件者|抄送|主 {0,2}题|"
    "主旨|主題|宛先|件名|받는 ?사람|제목|참조"
)
_ANY_FIELD = re.compile(r"\s{0,20}\*{0,2}[^\W\d_][^:]{0,30}:\*{0,2}\s{0,9}\S")
# Tobit's david writes a heading in English, whatever the user's language.
_DAVID = re.compile(r"\s*\[?Original Message processed by david", re.IGNORECASE)
# The beginning of a block of fields that are all on one line.
_FROM = re.compile(r"\s*\*{0,2}From:", re.IGNORECASE)
_SENT = re.compile(r"\bSent:", re.IGNORECASE)
_RULE = re.compile(r"\s*[-_=*]{5,}\s*$")
# The heading "-----Original Message-----" in a language without a row here.
_TITLED_RULE = re.compile(r"\s{0,20}[-_]{4,20}\s{0,9}[^\s_-][^_-]{0,60}[-_]{4,20}\s{0,9}")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_FIELDS = 3

# A heading that has no known verb, or text after its verb, needs a date, a time and an address. Only a few words may be
# before, between and after these.
_DATE = re.compile(
    r"\d{1,4}\s?[./年년-]\s?\d{1,2}\s?[./月월-]\s?\d{1,4}"
    r"|(?<!\d)\d{1,2}\.?,? [^\W\d_]{3}|[^\W\d_]{3}\.? {1,2}\d{1,2}(?!\d)"
    r"|(?<!\d)\d{4}(?!\d)"
)
_CLOCK = re.compile(r"\d{1,2}\s?[:.hH時点时시]\s?\d\d|\d{1,2} ?[AaPp]\.?[Mm]\b")
_ADDRESS = re.compile(r"[<(\[]{0,2}(?:mailto:)?[^\s<>@()\[\]]{1,64}@[^\s<>@()\[\],:]{1,255}[>)\]]{0,2}")
_SAYS = re.compile(rf"\b{_VERB_LAST}\s*$")
_MOST_WORDS, _MOST_BEFORE, _MOST_BEHIND = 14, 6, 3
# The maximum length of a heading that is recognized by its words alone, in characters.
_LONGEST_UNKNOWN = 240
_COLON_INSIDE = re.compile(r":\s{1,9}(?=\S)")
_MOST_COLONS = 5
# The minimum length of a line after which a mail program wraps a heading. Such a line does not end a sentence.
_WRAPPED = 35
_SENTENCE_ENDS = re.compile(r"[^\W\d]{4}[.!?]\s*$")

# --- advertisements ---

# The maximum length of an advertisement, in characters. Some contain the web address of a shop.
_LONGEST_BOILERPLATE = 160

_SAYS_SENT = re.compile(
    r"(?:Sent (?:from|via|with|using|by)\b|Gesendet (?:von|mit|aus|über)\b|"
    r"(?:This (?:e-?mail|message) was sent|Diese (?:Nachricht|E-?Mail|Mail) wurde|Ce message a été envoyé)\b|"
    r"Envoyé (?:de|depuis|à partir|avec|par|via)\b|"
    r"Enviad[oa] (?:desde|de|do|da|a partir|con|com|por|via|vía|mediante)\b|Enviat (?:des|amb)\b|"
    r"Inviat[oa] (?:da|dal|dall|con|tramite)\b|(?:Verzonden|Verstuurd) (?:vanaf|vanuit|met|via|door)\b|"
    r"Skickat (?:från|med|via)\b|Sendt (?:fra|med|via)\b|Lähetetty\b|Wysłan[eoy] (?:z|ze|za|przy|przez)\b|"
    r"Odesláno (?:z|ze|pomocí)\b|Odoslané (?:z|zo|pomocou)\b|(?:Elküldve|Küldve)\b|"
    r"Trimis (?:de|din|cu|prin|folosind)\b|Poslano (?:s|sa|z|iz|preko|pomoću)\b|Послато (?:са|из|преко)\b|"
    r"(?:Στάλθηκε|Εστάλη|Απεστάλη)\b|(?:Отправлено|Надіслано|Відправлено|Изпратено|Доставлено)\b|נשלח|"
    r"(?:أُرسلت|أرسلت|مرسل|مُرسل|تم الإرسال|أرسل)|ارسال شده|(?:Đã gửi|Được gửi|Gửi) (?:từ|bằng|qua)\b|"
    r"(?:Dikirim|Dihantar) (?:dari|dengan|melalui|menggunakan|daripada)\b|(?:ส่งจาก|ส่งมาจาก)|"
    r"(?:发自|發自|来自|寄自|從我|从我)|(?:Saadetud|Nosūtīts|Išsiųsta)\b)",
    re.IGNORECASE,
)
_WAS_SENT = re.compile(
    "(?:gesendet|送信|送信しました|送信されました|보냄|보냈습니다|보낸 메일|전송됨|gönderildi|küldve|भेजा गया|发送|"
    "發送|传送|傳送)[.。]*$"
)
_PRODUCT = re.compile(
    r"(?:iPhon|iPad|iPod|Mac\b|MacBook|Android|Outlook|Yahoo|AOL\b|Proton|Tuta(?:nota)?\b|Samsung|Galaxy|Huawei|"
    r"华为|Xiaomi|小米|Redmi|OPPO|vivo\b|OnePlus|Pixel|Nokia|Motorola|BlackBerry|Gmail|Mailbox|Spark\b|Airmail|"
    "Mailspring|Mailbird|Superhuman|Canary|BlueMail|Postbox|Shortwave|Mimestream|Polymail|Thunderbird|K-9|"
    r"FairEmail|eM Client|Foxmail|GMX\b|WEB\.DE|freenet|T-Online|Zoho|HEY\b|Fastmail|Mail<|"
    r"Mail (?:for|für|pour|para|per|voor)\b|Mail\.ru|Почт|Яндекс|QQ|网易|手机|Windows (?:Mail|Phone|1\d)|"
    r"smartphone|Handy\b|Mobiltelefon|mobile (?:device|phone)|téléphone|móvil|celular|Mail App|Telefon|"
    r"mobile mail|MailDroid|Aqua Mail|(?:Edison|Vivaldi|Libero) Mail|Nine\b|https?://)",
    re.IGNORECASE,
)
# Advertisements that are recognized without the name of a program.
_MINE = re.compile(r"Sent from my\b|Von mein\w+ ", re.IGNORECASE)
_SET_PHRASES = re.compile(
    r"(?:签名由.{1,30}定制|Please excuse my brevity|^Get BlueMail for \w+$|^Posted via mobile$|"
    "^Yahoo Mail: Search, Organize, Conquer)",
    re.IGNORECASE,
)
# Words in the line that a virus scanner adds.
_GUARD = re.compile(r"\b(?:Avast|AVG|Avira|Kaspersky|ESET|McAfee|Bitdefender)\b", re.IGNORECASE)
_VIRUS = re.compile(r"\b(?:virus|viren|вирус|wirus)", re.IGNORECASE)
_SYSTEM = re.compile(r"Android|\biOS|\bMac\b", re.IGNORECASE)
_LINK = re.compile(r"[<(\[]?https?://\S{1,150}")
_MOST_WORDS_OF_OFFER = 7


def heading(lines: Texts, number: int, above_quote: bool) -> int | None:
    """Return the first line of the heading ("On … wrote:") that ends in line `number`, or None.

    If a quote follows (`above_quote`), a heading is recognized with less evidence.
    """
    line = lines[number]
    if _COLON.search(line) and _is_part(line):
        begin = _before_colon(lines, number, above_quote)
        if begin is not None or (begin := _worded(lines, number, line)) is not None:
            return begin
    # The older email may begin on the same line, after the colon.
    colons = islice(_COLON_INSIDE.finditer(line[:_LONGEST_UNKNOWN]), _MOST_COLONS)
    begins = (_worded(lines, number, line[: colon.start() + 1]) for colon in colons)
    return next((begin for begin in begins if begin is not None), None)


def bare_heading(lines: Texts, number: int) -> int | None:
    """Return the first line of a heading without a colon that ends in line `number`, or None.

    Look for headings with a colon first, since the verb of such a heading may be on the next line.
    """
    line = lines[number]
    return _worded(lines, number, line) if "@" in "".join(lines[max(0, number - 1) : number + 1]) else None


def _before_colon(lines: Texts, number: int, above_quote: bool) -> int | None:
    """Return the first line of a heading that ends with the colon of line `number`, or None."""
    known = _is_known(lines, number, lines[number])
    texts = dict(_growing(lines, number, lines[number]))
    dated = [first for first, text in texts.items() if _DATED.search(text)]
    addressed = [first for first in dated if _is_addressed(texts[first], is_sure=known or above_quote)]
    begins: Iterable[int] = addressed
    if known:
        begins = texts
    elif above_quote:
        begins = dated
    for first in begins:
        if _BEGINS.match(lines[first]):
            return first
    for first in (*addressed, *dated):
        if first in addressed or _may_begin(lines, first, number, known, above_quote):
            return _with_its_beginning(lines, first)
    return number if known and above_quote else None


def _is_addressed(text: str, *, is_sure: bool) -> bool:
    """Return whether a heading has a time and an address. The address needs brackets unless the heading `is_sure`."""
    address = _ADDRESSED if is_sure else _IN_BRACKETS
    return _TIMED.search(text) is not None and address.search(text) is not None


def _may_begin(lines: Texts, first: int, number: int, known: bool, above_quote: bool) -> bool:
    """Return whether a heading that ends in line `number` may begin in line `first`, if the heading has a date."""
    if above_quote and first == number:
        return True
    return known and _MAY_BEGIN.match(lines[first]) is not None


def _worded(lines: Texts, number: int, said: str) -> int | None:
    """Return the first line of a heading that ends with `said`, the start of line `number`, or None.

    Only the words of the heading are tested, not the lines around it.
    """
    known = _is_known(lines, number, said)
    for first, text in _growing(lines, number, said):
        if len(text) > _LONGEST_UNKNOWN:
            return None
        if first < number:
            # A mail program wraps a heading after a full line, or after a line with an address or a time.
            line = lines[first]
            is_wrapped = len(line) >= _WRAPPED or "@" in line or _CLOCK.search(line)
            if not is_wrapped or _SENTENCE_ENDS.search(line[-20:]):
                return None
        if _says_when_and_who(text, known, is_whole=first == number):
            return _with_its_beginning(lines, first)
    return None


def _growing(lines: Texts, number: int, said: str) -> Iterator[tuple[int, str]]:
    """Yield the texts that may be a heading: `said` alone, then with one, two and three lines before it."""
    yield number, said
    for first in range(number - 1, max(-1, number - MOST_LINES), -1):
        if not _is_part(lines[first]):
            return
        said = f"{lines[first]} {said}"
        yield first, said


def _is_known(lines: Texts, number: int, said: str) -> bool:
    """Return whether a text ends with a known verb and a colon. In French, "a" may be on the line before "écrit :"."""
    above = lines[number - 1][-_LONGEST_VERB:].rstrip() if number else ""
    return _COLON.search(said) is not None and _SAYS_WROTE.search(f"{above} {said}") is not None


def _with_its_beginning(lines: Texts, begin: int) -> int:
    """Return the line before `begin` if line `begin` does not begin as a heading does, else `begin`."""
    goes_on = _GOES_ON.match(lines[begin]) and not _MAY_BEGIN.match(lines[begin])
    return begin - 1 if begin and goes_on and _is_part(lines[begin - 1]) else begin


def _says_when_and_who(text: str, known: bool, *, is_whole: bool) -> bool:
    """Return whether the text is a date, a time and an address with few words around them.

    If no colon ends the text, the text may have fewer words. If `known` is true, the text ends with a known verb and a
    colon, and needs no address. `is_whole` is true if the text was one line.
    """
    clock, date = _CLOCK.search(text), _DATE.search(text)
    if not clock or not date or _words(_ADDRESS.sub(" ", text)) > _MOST_WORDS:
        return False
    if known:
        return True
    address = _ADDRESS.search(text)
    if not address:
        return False
    before = _words(text[: min(date.start(), clock.start(), address.start())])
    behind = _words(text[max(date.end(), clock.end(), address.end()) :])
    if _COLON.search(text):
        return before <= _MOST_BEFORE and behind <= _MOST_BEHIND
    if behind > 1 and not _SAYS.search(text):
        return False
    return _begins_as_heading(text, before, in_brackets=address[0].startswith("<"), is_whole=is_whole)


def _begins_as_heading(text: str, before: int, *, in_brackets: bool, is_whole: bool) -> bool:
    """Return whether a text without a colon begins as headings do, with `before` words before its date and address.

    Several lines need care, since each may be a command: "EJECT jo@example.org", "RESUME 2026-06-20 21:00".
    """
    if _BEGINS.match(text):
        return True
    if in_brackets and before <= _MOST_BEFORE:
        return True
    if is_whole:
        return before <= 1
    return before == 0 or _MAY_BEGIN.match(text) is not None


def _words(text: str) -> int:
    return sum(any(map(str.isalpha, word)) for word in text.split())


def _is_part(line: str) -> bool:
    """Return whether a line may be part of a heading, that is, not a quote and not a sign-on."""
    if not line.strip() or len(line) > LONGEST or line.lstrip()[:1] == ">":
        return False
    signon = signon_line(line)
    return not (signon and signon.certain)


def _between_rules(line: str) -> str:
    """Return the text between two rules, such as "-----", on one line, or "" if there is none."""
    said = line.strip()
    return "" if set(said[:2] + said[-2:]) - set(_RULES) else said.strip(_RULES + " ")


def opens_block(lines: Texts, number: int) -> bool:
    """Return whether Outlook's heading begins here: "-----Original Message-----", or From:, Sent:, To:, Subject:."""
    line = lines[number]
    title = _between_rules(line)
    if title and (_ORIGINAL_MESSAGE.match(title) or _is_block(lines, number + 1)):
        return True
    if is_forward(line) or _DAVID.match(line):
        return True
    begins = _FROM.match(line)
    if begins and _SENT.search(line, begins.end()):
        return True
    return _has_fields(lines, number) if _FROM_FIELD.match(line) else _is_block(lines, number)


def _has_fields(lines: Texts, number: int) -> bool:
    """Return whether the known fields of an older email follow line `number`, which is its From field."""
    below = [line for line in lines[number + 1 : number + _MOST_FIELDS] if line.strip()][:4]
    others = sum(bool(_OTHER_FIELD.match(line)) for line in below)
    return others > 1 or others == 1 and any(map(_DATE_FIELD.match, below))


def is_forward(line: str) -> bool:
    """Return whether a line is the title of a forwarded email, after a rule or before a colon."""
    said = line.strip()
    marked = said[:2] in ("--", "__", "**", "==") or said.endswith(":")
    return marked and len(said) <= LONGEST and _FORWARD.match(said.strip(_RULES + " ")) is not None


def may_open_block(lines: Texts, number: int) -> bool:
    """Return whether an older email without quote marks may begin here, by a title or fields in an unknown language."""
    line = lines[number]
    if "--" in line and _TITLED_RULE.fullmatch(line):
        return True
    if ":" not in line:
        return False
    said = " ".join(_fields_at(lines, number))
    return "@" in said or _YEAR.search(said) is not None and _TIMED.search(said) is not None


def _is_block(lines: Texts, number: int) -> bool:
    """Return whether fields of any language begin here, the first with an address and another with a time."""
    block = _fields_at(lines, number)
    return bool(block) and _IN_BRACKETS.search(block[0]) is not None and any(map(_TIMED.search, block[1:]))


def _fields_at(lines: Texts, number: int) -> list[str]:
    """Return the three lines from line `number` on if they have the form "word: value", else none."""
    block = [line[: LONGEST + 1] for line in lines[number : number + _FIELDS]]
    return block if len(block) == _FIELDS and all(map(_ANY_FIELD.match, block)) else []


def above_block(lines: Texts, number: int) -> int:
    """Return the first line of the quoted email whose block is at line `number`.

    Its title and the rule above the title are included.
    """
    while number and (_DATE_FIELD.match(lines[number - 1]) or _OTHER_FIELD.match(lines[number - 1])):
        number -= 1
    above = last_said(lines, number)
    title = _short_line(lines, above)
    ruled = _between_rules(title)
    # "Begin forwarded message:", or "-----Judge <judge@example.org> wrote: -----".
    if _ORIGINAL_MESSAGE.match(ruled or title.strip()) or _RULED_WROTE.search(ruled):
        number, above = above, last_said(lines, above)
    return above if _RULE.match(_short_line(lines, above)) else number


def _short_line(lines: Texts, number: int) -> str:
    """Return line `number` if it may belong to a heading, else ""."""
    return lines[number] if number >= 0 and len(lines[number]) <= LONGEST else ""


def last_said(lines: Texts, number: int) -> int:
    """Return the number of the last line above `number` that is not blank, or -1."""
    return next((above for above in range(number - 1, -1, -1) if lines[above].strip()), -1)


def is_boilerplate(line: str) -> bool:
    """Return whether a mail program or a phone adds such a normalized line at the end of a letter."""
    if len(line) > _LONGEST_BOILERPLATE:
        return False
    said = line.strip()
    if _GUARD.search(said) and _VIRUS.search(said):
        return True
    if _SAYS_SENT.match(said) or _WAS_SENT.search(said):
        return _MINE.match(said) is not None or _PRODUCT.search(said) is not None
    return _SET_PHRASES.search(said) is not None or _is_offer(said)


def _is_offer(line: str) -> bool:
    """Return whether a line offers Outlook's app, in any language.

    Such a line has the names of the app and of a system, and is not a whole sentence.
    """
    if "Outlook" not in line or not _SYSTEM.search(line):
        return False
    words = _LINK.sub("", line).strip()
    return len(words.split()) <= _MOST_WORDS_OF_OFFER and not words.endswith((".", "!", "?", ",", ";", ":"))


def is_link(line: str) -> bool:
    """Return whether a line is only a web address, which vendors put after their advertisement."""
    return _LINK.fullmatch(line.strip()) is not None
