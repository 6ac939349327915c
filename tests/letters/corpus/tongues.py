"""How mail programs speak in the languages of the world: what stands above a quoted mail, and what vendors add.

The judge's mail of Monday, 4 May 2026, 12:02; `{}` stands where the program shows its sender.
"""

from tests.texts import mapped, table

# "On … wrote:" of Gmail, by language.
GMAIL = {
    "en": "On Mon, May 4, 2026 at 12:02 PM Judge <judge@example.org> wrote:",
    "de": "Am Mo., 4. Mai 2026 um 12:02 Uhr schrieb Judge <judge@example.org>:",
    "fr": "Le lun. 4 mai 2026 à 12:02, Judge <judge@example.org> a écrit :",
    "es": "El lun, 4 may 2026 a las 12:02, Judge (<judge@example.org>) escribió:",
    "it": "Il giorno lun 4 mag 2026 alle ore 12:02 Judge <judge@example.org> ha scritto:",
    "pt-BR": "Em seg., 4 de mai. de 2026 às 12:02, Judge <judge@example.org> escreveu:",
    "pt": "Judge <judge@example.org> escreveu (segunda, 4/05/2026 à(s) 12:02):",
    "nl": "Op ma 4 mei 2026 om 12:02 schreef Judge <judge@example.org>:",
    "sv": "Den mån 4 maj 2026 kl 12:02 skrev Judge <judge@example.org>:",
    "da": "Den man. 4. maj 2026 kl. 12.02 skrev Judge <judge@example.org>:",
    "no": "man. 4. mai 2026 kl. 12:02 skrev Judge <judge@example.org>:",
    "fi": "ma 4. toukok. 2026 klo 12.02 Judge (judge@example.org) kirjoitti:",
    "pl": "pon., 4 maj 2026 o 12:02 Judge <judge@example.org> napisał(a):",
    "cs": "po 4. 5. 2026 v 12:02 odesílatel Judge <judge@example.org> napsal:",
    "sk": "po 4. 5. 2026 o 12:02 Judge <judge@example.org> napísal(a):",
    "hu": "Judge <judge@example.org> ezt írta (időpont: 2026. máj. 4., H, 12:02):",
    "ro": "În lun., 4 mai 2026 la 12:02, Judge <judge@example.org> a scris:",
    "ru": "пн, 4 мая 2026 г. в 12:02, Judge <judge@example.org>:",
    "uk": "пн, 4 трав. 2026 р. о 12:02 Judge <judge@example.org> пише:",
    "bg": "На пн, 4.05.2026 г. в 12:02 ч. Judge <judge@example.org> написа:",
    "hr": "pon, 4. svi 2026. u 12:02 Judge <judge@example.org> napisao je:",
    "sr": "пон, 4. мај 2026. у 12:02 Judge <judge@example.org> је написао/ла:",
    "sl": "V V pon., 4. maj 2026 ob 12:02 je oseba Judge <judge@example.org> napisala:",
    "et": "Kuupäev E, 4. mai 2026 kell 12:02 kirjutas Judge <judge@example.org>:",
    "lv": "pirmd., 2026. g. 4. maijs, plkst. 12:02 — lietotājs Judge (<judge@example.org>) rakstīja:",
    "lt": "2026-05-04, pr, 12:02 Judge <judge@example.org> rašė:",
    "tr": "Judge <judge@example.org>, 4 May 2026 Pzt, 12:02 tarihinde şunu yazdı:",
    "el": "Στις Δευ 4 Μαΐ 2026 στις 12:02 μ.μ., ο/η Judge <judge@example.org> έγραψε:",
    "he": (
        "\u202bבתאריך יום ב׳, 4 במאי 2026 ב-12:02 מאת \u202aJudge\u202c\u200f "
        "<\u202ajudge@example.org\u202c\u200f>:\u202c"
    ),
    "ar": "في الاثنين، 4 مايو 2026 في تمام الساعة 12:02 م تمت كتابة ما يلي بواسطة Judge <judge@example.org>:",
    "fa": "در تاریخ دوشنبه ۴ مه ۲۰۲۶، ساعت ۱۲:۰۲ Judge <judge@example.org> نوشت:",
    "hi": "सोम, 4 मई 2026 को 12:02 pm बजे को Judge <judge@example.org> ने लिखा:",
    "th": "ในวันที่ จ. 4 พ.ค. 2026 เวลา 12:02 Judge <judge@example.org> เขียนว่า:",
    "vi": "Vào Th 2, 4 thg 5, 2026 vào lúc 12:02 Judge <judge@example.org> đã viết:",
    "id": "Pada tanggal Sen, 4 Mei 2026 pukul 12.02 Judge <judge@example.org> menulis:",
    "ms": "Pada Isn, 4 Mei 2026 pada 12:02 PTG Judge <judge@example.org> menulis:",
    "ja": "2026年5月4日(月) 12:02 Judge <judge@example.org>:",
    "ko": "2026년 5월 4일 (월) 오후 12:02, Judge <judge@example.org>님이 작성:",
    "zh-CN": "Judge <judge@example.org> 于2026年5月4日周一 12:02写道：",
    "zh-TW": "Judge <judge@example.org> 於 2026年5月4日 週一 下午12:02寫道：",
    "ca": "Missatge de Judge <judge@example.org> del dia dl., 4 de maig 2026 a les 12:02:",
}
# The same of Thunderbird, which shows no address.
THUNDERBIRD = mapped("""
    en    => On 5/4/26 12:02, Judge wrote:
    de    => Am 04.05.26 um 12:02 schrieb Judge:
    fr    => Le 04/05/2026 à 12:02, Judge a écrit :
    es    => El 4/5/26 a las 12:02, Judge escribió:
    it    => Il 04/05/2026 12:02, Judge ha scritto:
    pt-BR => Em 04/05/2026 12:02, Judge escreveu:
    nl    => Op 04-05-2026 om 12:02 schreef Judge:
    pl    => W dniu 4.05.2026 o 12:02, Judge pisze:
    cs    => Dne 04. 05. 26 v 12:02 Judge napsal(a):
    sk    => Dňa 4. 5. 2026 o 12:02 Judge napísal(a):
    hu    => 2026. 05. 04. 12:02 keltezéssel, Judge írta:
    ro    => Pe 04.05.2026 12:02, Judge a scris:
    ru    => 04.05.2026 12:02, Judge пишет:
    uk    => 04.05.26 12:02, Judge пише:
    bg    => На 4.05.26 г. в 12:02, Judge написа:
    hr    => Dana 04. 05. 2026. u 12:02 Judge je napisao/la:
    sl    => Dne 4. 05. 2026 ob 12:02 je Judge napisal(a):
    tr    => 4.05.2026 12:02 tarihinde Judge yazdı:
    fi    => Judge kirjoitti 4.5.2026 klo 12.02:
    et    => 04.05.2026 12:02 Judge kirjutas:
    lt    => 2026-05-04 12:02, Judge rašė:
    el    => Στις 4/5/26 12:02, ο/η Judge έγραψε:
    he    => בתאריך 04/05/2026 12:02, Judge כתב:
    ar    => في 4/5/26 12:02، كتب Judge:
    vi    => Vào 04/05/2026 12:02, Judge đã viết:
    id    => Pada 04/05/26 12:02, Judge menulis:
    ja    => On 2026/05/04 12:02, Judge wrote:
    ko    => 2026-05-04 오후 12:02에 Judge 이(가) 쓴 글:
    zh-CN => 在 2026/5/4 12:02, Judge 写道:
    zh-TW => Judge 於 2026/5/4 12:02 寫道:""")
# Of Apple's Mail on a phone: the line it adds, and what it writes above the quote.
APPLE = {
    lang: (added, heading)
    for lang, added, heading in table("""
    en => Sent from my iPhone => On 4 May 2026, at 12:02, Judge <judge@example.org> wrote:
    de => Von meinem iPhone gesendet => Am 04.05.2026 um 12:02 schrieb Judge <judge@example.org>:
    fr => Envoyé de mon iPhone => Le 4 mai 2026 à 12:02, Judge <judge@example.org> a écrit :
    es => Enviado desde mi iPhone => El 4 may 2026, a las 12:02, Judge <judge@example.org> escribió:
    it => Inviato da iPhone => Il giorno 4 mag 2026, alle ore 12:02, Judge <judge@example.org> ha scritto:
    nl => Verstuurd vanaf mijn iPhone => Op 4 mei 2026 om 12:02 heeft Judge <judge@example.org> het volgende geschreven:
    fi => Lähetetty iPhonesta => Judge <judge@example.org> kirjoitti 4.5.2026 kello 12.02:
    pl => Wysłane z iPhone’a => Wiadomość napisana przez Judge <judge@example.org> w dniu 4 maj 2026, o godz. 12:02:
    cs => Odesláno z iPhonu => 4. 5. 2026 v 12:02, Judge <judge@example.org>:
    hu => Elküldve az iPhone-omról => Judge <judge@example.org> írta (2026. máj. 4., 12:02):
    ro => Trimis de pe iPhone-ul meu => Pe 4 mai 2026, la 12:02, Judge <judge@example.org> a scris:
    hr => Poslano s mog iPhonea => Dana 04.05.2026. u 12:02, Judge <judge@example.org> je napisao/la:
    tr => iPhone’umdan gönderildi => Judge <judge@example.org> şunları yazdı (4 May 2026 12:02):
    el => Στάλθηκε από το iPhone μου => Στις 4 Μαΐ 2026, στις 12:02, ο χρήστης Judge <judge@example.org> έγραψε:
    ru => Отправлено с iPhone => 4 мая 2026 г., в 12:02, Judge <judge@example.org> написал(а):
    uk => Надіслано з iPhone => 4 трав. 2026 р. о 12:02 Judge <judge@example.org> пише:
    ar => مرسل من الـ iPhone => في ٤ مايو ٢٠٢٦، الساعة ١٢:٠٢، كتب/كتبت Judge <judge@example.org>:
    vi => Đã gửi từ iPhone của tôi => Vào 12:02, 4 thg 5, 2026, Judge <judge@example.org> đã viết:
    id => Dikirim dari iPhone saya => Pada 4 Mei 2026, pukul 12.02, Judge <judge@example.org> menulis:
    th => ส่งจาก iPhone ของฉัน => เมื่อ 4 พ.ค. 2569 เวลา 12:02 Judge <judge@example.org> เขียนว่า:
    ja => iPhoneから送信 => 2026/05/04 12:02、Judge <judge@example.org>のメール:
    ko => 나의 iPhone에서 보냄 => 2026. 5. 4. 오후 12:02, Judge <judge@example.org> 작성:
    zh-CN => 发自我的iPhone => 在 2026年5月4日，12:02，Judge <judge@example.org> 写道：
    zh-TW => 從我的iPhone傳送 => Judge <judge@example.org> 於 2026年5月4日 中午12:02 寫道：""")
} | {
    "he": (
        "נשלח מה-iPhone שלי",
        "\u200fב-4 במאי 2026, בשעה 12:02, \u200f\u202aJudge\u202c\u200f <\u202ajudge@example.org\u202c\u200f> כתב/ה:",
    )
}
# Of Outlook: what its app adds, and the fields of the mail below: from, sent, to, subject.
OUTLOOK = {
    lang: (added, tuple(fields.split("; ")), sent)
    for lang, added, sent, fields in table("""
    de => Laden Sie Outlook für Android herunter => Montag, 4. Mai 2026 12:02:11 => Von:; Gesendet:; An:; Betreff:
    fr => Télécharger Outlook pour Android => lundi 4 mai 2026 12:02:11 => De :; Envoyé :; À :; Objet :
    es => Obtener Outlook para Android => lunes, 4 de mayo de 2026 12:02:11 => De:; Enviado:; Para:; Asunto:
    it => Scarica Outlook per Android => lunedì 4 maggio 2026 12:02:11 => Da:; Inviato:; A:; Oggetto:
    pt-BR => Obter o Outlook para Android => segunda-feira, 4 de maio de 2026 12:02 => De:; Enviado:; Para:; Assunto:
    nl => Outlook voor Android downloaden => maandag 4 mei 2026 12:02:11 => Van:; Verzonden:; Aan:; Onderwerp:
    sv => Hämta Outlook för Android => den 4 maj 2026 12:02:11 => Från:; Skickat:; Till:; Ämne:
    da => Hent Outlook til Android => 4. maj 2026 12:02:11 => Fra:; Sendt:; Til:; Emne:
    fi => Hanki Outlook Androidille => 4. toukokuuta 2026 12:02:11 => Lähettäjä:; Lähetetty:; Vastaanottaja:; Aihe:
    pl => Pobierz program Outlook dla systemu Android => poniedziałek, 4 maja 2026 12:02 => Od:; Wysłane:; Do:; Temat:
    cs => Získejte Outlook pro Android => pondělí 4. května 2026 12:02 => Od:; Odesláno:; Komu:; Předmět:
    hu => Az Outlook letöltése Android-eszközre => 2026. május 4., hétfő 12:02 => Feladó:; Elküldve:; Címzett:; Tárgy:
    ro => Obțineți Outlook pentru Android => luni, 4 mai 2026 12:02:11 => De la:; Trimis:; Către:; Subiect:
    ru => Получить Outlook для Android => понедельник, 4 мая 2026 г. 12:02:11 => От:; Отправлено:; Кому:; Тема:
    uk => Отримати Outlook для Android => понеділок, 4 травня 2026 р. 12:02:11 => Від:; Надіслано:; Кому:; Тема:
    bg => Изтегляне на Outlook за Android => понеделник, 4 май 2026 г. 12:02 => От:; Изпратено:; До:; Относно:
    hr => Nabavite Outlook za Android => ponedjeljak, 4. svibnja 2026. 12:02 => Šalje:; Poslano:; Prima:; Predmet:
    tr => Android için Outlook’u edinin => 4 Mayıs 2026 Pazartesi 12:02 => Gönderen:; Gönderildi:; Kime:; Konu:
    el => Λήψη του Outlook για Android => Δευτέρα, 4 Μαΐου 2026 12:02 => Από:; Στάλθηκε:; Προς:; Θέμα:
    he => קבל את Outlook עבור Android => יום שני 04 מאי 2026 12:02 => מאת:; נשלח:; אל:; נושא:
    ar => الحصول على Outlook لـ Android => الاثنين، 4 مايو 2026 12:02 => من:; تاريخ الإرسال:; إلى:; الموضوع:
    vi => Tải Outlook dành cho Android => Thứ Hai, 4 tháng 5, 2026 12:02 => Từ:; Đã gửi:; Đến:; Chủ đề:
    id => Dapatkan Outlook untuk Android => Senin, 04 Mei 2026 12:02 => Dari:; Dikirim:; Kepada:; Subjek:
    ja => Outlook for Android を入手 => 2026年5月4日 12:02 => 差出人:; 送信日時:; 宛先:; 件名:
    ko => Android용 Outlook 다운로드 => 2026년 5월 4일 월요일 오후 12:02 => 보낸 사람:; 보낸 날짜:; 받는 사람:; 제목:
    zh-CN => 获取适用于 Android 的 Outlook => 2026年5月4日 星期一 12:02 => 发件人:; 发送时间:; 收件人:; 主题:
    zh-TW => 取得 Android 版 Outlook => 2026年5月4日 星期一 下午 12:02 => 寄件者:; 寄件日期:; 收件者:; 主旨:""")
} | {
    "en": (
        "Get Outlook for Android<https://aka.ms/AAb9ysg>",
        ("From:", "Sent:", "To:", "Subject:"),
        "Monday, May 4, 2026 12:02:11 PM",
    )
}


def folded(heading: str, width: int = 78) -> list[str]:
    """A heading as programs wrap it: at the last blank that lets a line be so long."""
    wrapped: list[str] = []
    while len(heading) > width and " " in heading[:width]:
        line, heading = heading[: heading.rindex(" ", 0, width)], heading[heading.rindex(" ", 0, width) + 1 :]
        wrapped.append(line)
    return [*wrapped, heading]
