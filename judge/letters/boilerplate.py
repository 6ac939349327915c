"""Lines that mail programs and telephones add below a letter: "Sent from my iPhone", "Get Outlook for Android".

They are recognised by the words for "sent" in many languages, together with the name of a device or a program, so that
no sentence of the sender is taken for one.
"""

import re

LONGEST = 160    # characters: some contain the address of a shop

_SENT = re.compile(
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
# Lines that count without the name of a program.
_MINE = re.compile(r"Sent from my\b|Von mein\w+ ", re.IGNORECASE)
_SET_PHRASES = re.compile(
    r"(?:签名由.{1,30}定制|Please excuse my brevity|^Get BlueMail for \w+$|^Posted via mobile$|"
    "^Yahoo Mail: Search, Organize, Conquer)",
    re.IGNORECASE,
)
# A program against viruses says that it has looked.
_GUARD = re.compile(r"\b(?:Avast|AVG|Avira|Kaspersky|ESET|McAfee|Bitdefender)\b", re.IGNORECASE)
_VIRUS = re.compile(r"\b(?:virus|viren|вирус|wirus)", re.IGNORECASE)
_SYSTEM = re.compile(r"Android|\biOS|\bMac\b", re.IGNORECASE)
_LINK = re.compile(r"[<(\[]?https?://\S{1,150}")
_MOST_WORDS = 7


def is_boilerplate(line: str) -> bool:
    """Whether a folded line was added by a vendor."""
    if len(line) > LONGEST:
        return False
    said = line.strip()
    if _GUARD.search(said) and _VIRUS.search(said):
        return True
    if _SENT.match(said) or _WAS_SENT.search(said):
        return _MINE.match(said) is not None or _PRODUCT.search(said) is not None
    if _SET_PHRASES.search(said):
        return True
    # An offer of Outlook's app, in any language: its name, the name of a system, and no whole sentence.
    words = _LINK.sub("", said).strip()
    is_short = len(words.split()) <= _MOST_WORDS and not words.endswith((".", "!", "?", ",", ";", ":"))
    return "Outlook" in said and _SYSTEM.search(said) is not None and is_short


def is_link(line: str) -> bool:
    """Whether a line is only a web address, as vendors put one below their own line."""
    return _LINK.fullmatch(line.strip()) is not None
