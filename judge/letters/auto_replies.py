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
AUTOMATIC_SUBJECT = re.compile(rf"{_REPLY}\s*(?:[:：(\[–-]|$)", re.IGNORECASE)
_SUBJECT = re.compile(
    rf"\W{{0,3}}(?:{_REPLY}|(?:abwesenheit|abwesend|nicht im büro|urlaub|out[- ]of[- ](?:the[- ])?office|ooo|on leave"
    r"|i(?:'m| am) (?:away|out)"
    r"|away from|on vacation|vacation|absence|absente?|fuera de|ausente|ausencia|ausência|fora do"
    r"|fuori (?:ufficio|sede)"
    r"|assente|assenza|afwezig|afwezigheid|niet op kantoor|frånvaro|frånvarande|fravær|fraværende|poissa|poissaolo"
    r"|nieobecność|poza biurem|nepřítomnost|neprítomnosť|távollét|irodán kívül|absent[ăa]"
    r"|нет на месте|вне офиса|ofis dışı|εκτός γραφείου|απουσία)\b"
    r"|mimo kancel[áa]|отсутств|відсутн|不在|休假|休暇|부재|(?:auto|away):)",
    re.IGNORECASE,
)
# What hardly anybody writes but in such a note.
_NOTE = re.compile(
    r"out of (?:the |my |our )?office\b|\b(?:not|nor) (?:be )?(?:currently )?in the office"
    r"|away from (?:the |my )?(?:office|desk|e-?mails?)|\bautomat(?:ic|ed) (?:e-?mail|reply|response|message)"
    r"|\bauto-?(?:reply|response)|(?:limited|no|without) access to (?:my )?e-?mails?\b"
    r"|\b(?:annual|parental|maternity|paternity|sick) leave\b"
    r"|nicht im (?:Büro|Buero|Hause|Haus|Dienst)\b|\bau(?:ß|ss)er Haus\b|Abwesenheits(?:notiz|assistent)"
    r"|automatisch(?:e|es)? (?:Antwort|Nachricht|Abwesenheit|E-?Mail|antwoord|bericht|reactie|gegenereerd)"
    r"|wird nicht (?:automatisch )?weitergeleitet|\bin (?:Elternzeit|Mutterschutz)\b"
    r"|\b(?:ich|bin|befinde)\b(?:[^.!?]|(?<=\d)\.){0,60}(?:\babwesend\b|\bnicht erreichbar\b|\bverreist\b)"
    r"|\bje (?:suis|serai|me trouve) (?:[^.!?]|(?<=\d)\.){0,30}\babsente?\b|absente? du bureau|réponse automatique"
    r"|message d'absence"
    r"|\ben congés?\b|fuera de (?:la |mi )?oficina|(?:respuesta|resposta) automática"
    r"|\b(?:estoy|estaré|me encuentro|estou|estarei|encontro-me) (?:[^.!?]|(?<=\d)\.){0,30}\bausente\b"
    r"|\bfora do escritório"
    r"|\bfuori (?:ufficio|sede)\b|fuori dall'ufficio|risposta automatica"
    r"|\b(?:sono|sarò) (?:[^.!?]|(?<=\d)\.){0,30}\bassente\b"
    r"|\bniet (?:op (?:het )?kantoor|aanwezig|bereikbaar)\b|\bafwezig(?:heid)?\b"
    r"|\binte på (?:kontoret|plats|jobbet)\b|\bfrånvar(?:o|ande)\b|\bautosvar\b|\bautomatiskt? svar"
    r"|\bikke på kontoret\b|\bfravær(?:ende)?\b|poissa (?:toimistolta|töistä)|\bpoissaolo"
    r"|automaattinen (?:vastaus|viesti)"
    r"|\ben ole tavoitettavissa|\bpoza biurem\b|\bjestem nieobecn|\bnieobecno(?:ść|ści)"
    r"|automatyczna (?:odpowiedź|wiadomość)"
    r"|\bna urlopie\b|mimo kancelář|mimo kancelári|nepřítom[ne]|neprítom[ne]|automatická odpoveď|automatická odpověď"
    r"|\bna dovolen(?:é|ke)\b|irodán kívül|automatikus válasz|szabadságon|în afara biroului|nu sunt la birou"
    r"|răspuns automat|\bîn concediu|автоответ|автоматическ(?:ий|ое) (?:ответ|сообщение)|(?:вне|не в) офис[ае]"
    r"|на рабочем месте|в отпуске|\bя (?:буду )?отсутству|автоматична відповідь|у відпустці|поза офісом"
    r"|ofis(?:in)? dışında|ofiste (?:değilim|olmayacağım)|otomatik yanıt|\bizin(?:deyim|liyim|de olacağım)"
    r"|εκτός γραφείου|αυτόματη απάντηση|απουσιάζω|θα λείπω|不在にして|不在です|自動(?:返信|応答)|休暇中|休暇を"
    r"|不在办公室|不在辦公室|自动(?:回复|答复)|自動回覆|休假|자동 ?(?:응답|회신)|부재중|휴가 ?중",
    re.IGNORECASE,
)
# What people also write of themselves; a note says more.
_AWAY = re.compile(
    r"\bI(?: am|'m| will be|'ll be) (?:currently |presently )?(?:on (?:a )?(?:vacation|holidays?|leave)|away|absent"
    r"|travell?ing|unavailable|abroad)\b|\b(?:bin|befinde)\b(?:[^.!?]|(?<=\d)\.){0,40}\b(?:im Urlaub|auf Reisen"
    r"|unterwegs)\b"
    r"|\ben vacances\b|\bde vacaciones\b|\bin (?:ferie|vacanza)\b|\bde férias\b|\b(?:met|op) vakantie\b"
    r"|\b(?:på|har) semester\b|\b(?:på|holder|har) ferie\b|\blomalla\b|tatildeyim",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\bthank(?:s| you) for your (?:e-?mail|message|mail)|\burgent|\bcontact\b"
    r"|\b(?:will|shall) (?:reply|respond|answer|be back)"
    r"|\bon my return|\breturn(?:ing)? on\b|\bback on\b|\buntil\b|\bdringend|\bbis (?:zum|einschlie)"
    r"|\bvielen dank für Ihre"
    r"|\bwenden Sie sich|\bjusqu'au\b|\burgence|\bde retour\b|\bhasta el\b|\burgen(?:cia|te|za|ti)\b"
    r"|\bfino al\b|\baté\b"
    r"|\bcontatt|\bcontact(?:ar|er|ez)|\btot en met\b|\bdringende\b|\bt\.?o\.?m\.|\btill och med\b|\bbrådskande"
    r"|\btil og med\b|\bhast|\bkiirei|\basti\b|[^\s@]@[^\s@]|\+?\d[\d ()/-]{7,20}\d",
    re.IGNORECASE,
)
_MOST_LINES = 20


def is_automatic(subject: str, lines: Iterable[str]) -> bool:
    """Whether a letter with this subject and this text of its own reads like an automatic reply."""
    if _SUBJECT.match(subject.strip()):
        return True
    said = [line for line in lines if line.strip()][:_MOST_LINES]
    text = " ".join(" ".join(said).split())
    return _NOTE.search(text) is not None or _AWAY.search(text) is not None and _MORE.search(text) is not None
