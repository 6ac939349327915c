"""Programs on desks and phones: Apple Mail, Outlook, Thunderbird, K-9, FairEmail, Spark, Samsung Email, Huawei Email,
BlackBerry, Evolution, KMail, Claws, The Bat!, eM Client, Mailspring, Lotus and HCL Notes, Mail for Windows, Mailbird,
Postbox, Airmail, Superhuman, Canary, mutt, NeoMutt, Alpine, mailx, S-nail, Gnus, MH.
"""

import html as entities
from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, PRESS, SIGNON, TOLD, breaks, divs, lines, marked, paragraphs
from tests.letters.corpus.samples import Sample, ordering, pressing
from tests.letters.corpus.tongues import APPLE, OUTLOOK, THUNDERBIRD
from tests.letters.corpus.web import folded
from tests.letters.corpus.wire import entity, html, letter, multipart, plain, text_entity

_OFFICE = (
    '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head><meta '
    'http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator '
    'content="Microsoft Word 15 (filtered '
    'medium)"><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--\n@font-face\n\t'
    "{font-family:Calibri;}\np.MsoNormal {margin:0cm;}\n--></style></head>"
)


def samples() -> Iterator[Sample]:
    yield from _apple()
    yield from _outlook()
    yield from _thunderbird()
    yield from _phones()
    yield from _desktops()
    yield from _terminals()


def _apple() -> Iterator[Sample]:
    mailer = ("X-Mailer", "iPhone Mail (22E252)")
    for number, (tongue, (vendor, heading)) in enumerate(APPLE.items()):
        own, make = (ORDERS, ordering) if number % 2 else (PRESS, pressing)
        kind = "" if number % 2 else "-press"
        if number % 4 < 2:
            text = lines(own, "", vendor, "", [f"> {part}" for part in folded(heading, 72)], "> ", marked(mark="> "))
            charset = {"ru": "koi8-r", "ja": "iso-2022-jp", "tr": "iso-8859-9"}.get(tongue, "utf-8")
            cte = "7bit" if charset == "iso-2022-jp" else "quoted-printable"
            yield make(
                f"apple-ios-{tongue}{kind}",
                f"Apple Mail for iPhone, {tongue}",
                letter(plain(text.replace("’", "'") if charset != "utf-8" else text, charset, cte), mailer),
            )
        else:
            page = (
                f'<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body '
                f'dir="auto">{divs(own)}'
                f'<br id="lineBreakAtBeginningOfSignature"><div dir="ltr">{entities.escape(vendor)}</div><div '
                f'dir="ltr"><br>'
                f'<blockquote type="cite">{entities.escape(heading, quote=False)}<br><br></blockquote></div>'
                f'<blockquote type="cite">'
                f'<div dir="ltr">{breaks(TOLD)}</div></blockquote></body></html>'
            )
            yield make(
                f"apple-ios-{tongue}-html{kind}",
                f"Apple Mail for iPhone, {tongue}, HTML alone",
                letter(html(page), mailer),
            )
    mac = ("X-Mailer", "Apple Mail (2.3826.500.181.1.5)")
    heading = "On 4. May 2026, at 12:02, Judge <judge@example.org> wrote:"
    text = lines(ORDERS, "", heading, "", marked())
    page = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=us-ascii"></head>'
        '<body style="overflow-wrap: '
        f'break-word;">{divs(ORDERS)}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote '
        f'type="cite"><div>{entities.escape(heading)}'
        f'</div><br class="Apple-interchange-newline"><div><div>{breaks(TOLD)}</div></div></blockquote>'
        f"</div><br></body></html>"
    )
    picture = entity(
        "image/png;\r\n\tname=map.png;\r\n\tx-unix-mode=0644",
        b"\x89PNG\r\n\x1a\n" + bytes(range(200)),
        "base64",
        ("Content-Disposition", "inline;\r\n\tfilename=map.png"),
        ("Content-Id", "<A1@example.org>"),
    )
    related = multipart(
        "related", "Apple-Mail=_B2", html(page, "us-ascii", "7bit"), picture, parameters=';\r\n\ttype="text/html"'
    )
    both = multipart("alternative", "Apple-Mail=_A1", plain(text, "us-ascii", "7bit"), related)
    yield ordering("apple-macos-related", "Apple Mail on macOS, with a picture in the text", letter(both, mac))
    old = [SIGNON, "A PAR - PIC", "A MAR - SPA", "F BRE - ENG"]
    attached = text_entity(
        "text/plain",
        lines(old),
        "us-ascii",
        "7bit",
        "name=old-orders.txt",
        "x-unix-mode=0644",
        fields=[("Content-Disposition", "inline;\r\n\tfilename=old-orders.txt")],
    )
    around = multipart(
        "mixed",
        "Apple-Mail=_C3",
        plain(lines(ORDERS, ""), "us-ascii", "7bit"),
        attached,
        plain("\n\n", "us-ascii", "7bit"),
    )
    yield ordering("apple-macos-attached-text", "Apple Mail on macOS, a text file attached inline", letter(around, mac))
    alone = text_entity(
        "text/plain",
        lines(ORDERS),
        "us-ascii",
        "7bit",
        "name=orders.txt",
        "x-unix-mode=0644",
        fields=[("Content-Disposition", "inline;\r\n\tfilename=orders.txt")],
    )
    yield ordering(
        "apple-macos-nothing-but-a-file",
        "Apple Mail on macOS, nothing but a text file attached inline",
        letter(multipart("mixed", "Apple-Mail=_D4", plain("\n\n", "us-ascii", "7bit"), alone), mac),
        says=("orders.txt",),
    )
    forwarded = [
        "Begin forwarded message:",
        "",
        "From: Judge <judge@example.org>",
        "Subject: Re: heron",
        "Date: 4. May 2026 at 12:02:11 CEST",
        "To: Fay <france@example.org>",
        "",
    ]
    yield ordering(
        "apple-macos-forward",
        "Apple Mail on macOS, forwarding",
        letter(
            plain(lines(ORDERS, "", "", marked([*forwarded, *TOLD])), "us-ascii", "7bit"), mac, subject="Fwd: heron"
        ),
    )
    yield ordering(
        "apple-ios-forward",
        "Apple Mail for iPhone, forwarding, German",
        letter(
            plain(
                lines(
                    ORDERS,
                    "",
                    "Von meinem iPhone gesendet",
                    "",
                    "Anfang der weitergeleiteten Nachricht:",
                    "",
                    "Von: Judge <judge@example.org>",
                    "Datum: 4. Mai 2026 um 12:02:11 MESZ",
                    "An: Fay <france@example.org>",
                    "Betreff: Re: heron",
                    "",
                    TOLD,
                )
            ),
            mailer,
            subject="Fwd: heron",
        ),
    )
    yield ordering(
        "apple-macos-below",
        "Apple Mail on macOS, answered below the quote",
        letter(plain(lines(marked([heading, "", *TOLD]), "", ORDERS), "us-ascii", "7bit"), mac),
    )


def _outlook() -> Iterator[Sample]:
    classic = ("X-Mailer", "Microsoft Outlook 16.0")
    for number, (tongue, (vendor, names, date)) in enumerate(OUTLOOK.items()):
        values = ("Judge <judge@example.org>", date, "Fay <france@example.org>", "Re: heron")
        block = [f"{name} {value}" for name, value in zip(names, values, strict=True)]
        if number % 3 == 0:
            text = lines(PRESS, "", vendor, "_" * 32, block, "", TOLD)
            yield pressing(
                f"outlook-android-{tongue}-press",
                f"Outlook for Android, {tongue}",
                letter(plain(text, "utf-8", "base64"), ("Thread-Topic", "heron")),
            )
        elif number % 3 == 1:
            text = lines(ORDERS, "", block, "", TOLD)
            yield ordering(
                f"outlook-classic-{tongue}", f"Outlook on the desk, {tongue}, text", letter(plain(text), classic)
            )
        else:
            fields = "<br>".join(
                f"<b>{name}</b> {entities.escape(value)}" for name, value in zip(names, values, strict=True)
            )
            page = (
                f'{_OFFICE}<body lang={tongue.upper()} link="#0563C1" vlink="#954F72"><div class=WordSection1>\n'
                f"{paragraphs(PRESS, ' class=MsoNormal', '<o:p>&nbsp;</o:p>')}<p class=MsoNormal>"
                f"{entities.escape(vendor)}<o:p></o:p></p>"
                f"<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p "
                f"class=MsoNormal>{fields}"
                f"<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>"
                f"{paragraphs(TOLD, ' class=MsoPlainText')}"
                "</div></body></html>"
            )
            yield pressing(
                f"outlook-classic-{tongue}-html-press",
                f"Outlook on the desk, {tongue}, HTML alone",
                letter(html(page), classic),
            )
    bold = [
        f"*{name}* {value}"
        for name, value in zip(
            ("From:", "Sent:", "To:", "Subject:"),
            ("Judge [mailto:judge@example.org]", "Monday, May 4, 2026 12:02 PM", "'Fay'", "Re: heron"),
            strict=True,
        )
    ]
    yield ordering(
        "outlook-classic-bold",
        "Outlook on the desk, made text by a gateway",
        letter(plain(lines(ORDERS, "", bold, "", TOLD)), classic),
    )
    original = [
        "-----Original Message-----",
        "From: Judge [mailto:judge@example.org] ",
        "Sent: Monday, May 4, 2026 12:02 PM",
        "To: Fay",
        "Subject: Re: heron",
    ]
    yield ordering(
        "outlook-classic-original",
        "Outlook on the desk, answering plain text",
        letter(plain(lines(ORDERS, "", original, "", TOLD), "us-ascii", "7bit"), classic),
    )
    yield ordering(
        "outlook-classic-prefixed",
        "Outlook on the desk, prefixing each line",
        letter(plain(lines(ORDERS, "", marked([*original, "", *TOLD])), "us-ascii", "7bit"), classic),
    )
    rows = [("A PAR - BUR",), ("A MAR S A PAR - BUR",), ("F BRE - MAO",)]
    table = "".join(
        f"<tr><td width=208 valign=top><p class=MsoNormal>{row[0]}<o:p></o:p></p></td></tr>" for row in rows
    )
    page = (
        f"{_OFFICE}<body><div class=WordSection1><p class=MsoNormal>{SIGNON}<o:p></o:p></p><table "
        f"class=MsoTableGrid border=1>{table}</table></div></body></html>"
    )
    yield ordering(
        "outlook-classic-table", "Outlook on the desk, orders in a table", letter(html(page, "windows-1252"), classic)
    )
    tnef = entity(
        'application/ms-tnef; name="winmail.dat"',
        b"\x78\x9f\x3e\x22\x01\x00" + bytes(200),
        "base64",
        ("Content-Disposition", 'attachment; filename="winmail.dat"'),
    )
    yield ordering(
        "outlook-classic-winmail",
        "Outlook on the desk, rich text, with winmail.dat",
        letter(
            multipart("mixed", "----=_NextPart_000_0005", plain(lines(ORDERS), '"us-ascii"', "7bit"), tnef),
            classic,
            ("X-MS-TNEF-Correlator", "<1@PC>"),
        ),
    )
    bare = entity('application/ms-tnef; name="winmail.dat"', b"\x78\x9f\x3e\x22\x01\x00" + bytes(200), "base64")
    yield ordering(
        "outlook-classic-winmail-alone",
        "Outlook on the desk, nothing but winmail.dat",
        letter(multipart("mixed", "----=_NextPart_000_0006", bare), classic),
        orders=(),
        says=("winmail.dat",),
    )
    calendar = text_entity(
        "text/calendar",
        "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nSUMMARY:A PAR - PIC\nEND:VEVENT\nEND:VCALENDAR\n",
        "utf-8",
        "base64",
        "method=REPLY",
    )
    yield ordering(
        "outlook-new-calendar",
        "The new Outlook, with a calendar part",
        letter(multipart("alternative", "_004_cal", plain(lines(ORDERS)), html(divs(ORDERS)), calendar)),
    )
    fields = "<br>".join(
        f"<b>{line.partition(':')[0]}:</b>{entities.escape(line.partition(':')[2])}" for line in original[1:]
    )
    page = (
        f'<html><head></head><body dir="auto">{divs(PRESS, " dir=auto")}<div '
        f'id="ms-outlook-mobile-signature"><div></div>Get <a href="https://aka.ms/o0ukef">Outlook for '
        f"iOS</a></div>"
    )
    page += (
        f'<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">'
        f'<font face="Calibri, sans-serif">{fields}</font><div>&nbsp;</div></div>{breaks(TOLD)}</body>'
        f"</html>"
    )
    yield pressing("outlook-ios-html-press", "Outlook for iOS, HTML alone", letter(html(page, '"us-ascii"')))


def _thunderbird() -> Iterator[Sample]:
    agent = ("User-Agent", "Mozilla Thunderbird")
    for number, (tongue, heading) in enumerate(THUNDERBIRD.items()):
        if number % 2:
            text = lines(ORDERS, "", heading, marked())
            charset = {
                "bg": "windows-1251",
                "he": "windows-1255",
                "el": "windows-1253",
                "ko": "euc-kr",
                "zh-TW": "big5",
            }.get(tongue, "UTF-8")
            yield ordering(
                f"thunderbird-{tongue}",
                f"Thunderbird, {tongue}",
                letter(plain(text, charset, "8bit", "format=flowed"), agent),
            )
        else:
            page = (
                '<!DOCTYPE html><html><head>\n<meta http-equiv="Content-Type" content="text/html; '
                'charset=UTF-8">\n</head>\n<body>\n'
                f'{paragraphs(PRESS)}<div class="moz-cite-prefix">{heading}<br>\n</div>\n<blockquote type="cite" '
                f'cite="mid:178@judge.example.org">\n<pre wrap="" class="moz-quote-pre">'
                f"{entities.escape(chr(10).join(TOLD))}</pre>\n</blockquote>\n"
                "<p><br></p>\n</body>\n</html>"
            )
            yield pressing(
                f"thunderbird-{tongue}-html-press",
                f"Thunderbird, {tongue}, HTML alone",
                letter(html(page, "UTF-8", "8bit"), agent),
            )
    below = lines(THUNDERBIRD["en"], marked(), "", ORDERS, "", "-- ", "Fay")
    yield ordering(
        "thunderbird-below",
        "Thunderbird, answered below the quote",
        letter(plain(below, "UTF-8", "7bit", "format=flowed"), agent),
    )
    wrapped = [SIGNON, "A PAR - BUR", "Army Marseilles supports Army Paris to ", "Burgundy", "F BRE - MAO"]
    yield ordering(
        "thunderbird-flowed",
        "Thunderbird, a long order wrapped softly",
        letter(plain(lines(wrapped), "UTF-8", "7bit", "format=flowed"), agent),
    )
    forwarded = [
        "-------- Forwarded Message --------",
        "Subject: \tRe: heron",
        "Date: \tMon, 4 May 2026 12:02:11 +0200",
        "From: \tJudge <judge@example.org>",
        "To: \tFay <france@example.org>",
        "",
        "",
    ]
    yield ordering(
        "thunderbird-forward",
        "Thunderbird, forwarding inline",
        letter(
            plain(lines(ORDERS, "", "", forwarded, TOLD), "UTF-8", "7bit", "format=flowed"), agent, subject="Fwd: heron"
        ),
    )
    inner = letter(plain(lines(SIGNON, "A PAR - PIC"), "us-ascii", "7bit"), subject="SIGNON Fheron pwfrance")
    as_part = entity(
        'message/rfc822; charset=UTF-8; name="heron.eml"',
        inner,
        "7bit",
        ("Content-Disposition", 'attachment; filename="heron.eml"'),
    )
    yield ordering(
        "thunderbird-forward-attached",
        "Thunderbird, forwarding as an attachment",
        letter(
            multipart("mixed", "------------0abc", plain(lines(ORDERS), "UTF-8", "7bit", "format=flowed"), as_part),
            agent,
            subject="Fwd: heron",
        ),
    )


def _phones() -> Iterator[Sample]:
    k9 = "Sent from my Android device with K-9 Mail. Please excuse my brevity."
    heading = "On May 4, 2026 12:02:11 PM GMT+02:00, Judge <judge@example.org> wrote:"
    yield pressing(
        "k9-press", "K-9 Mail", letter(plain(lines(PRESS, "-- ", k9), "utf-8"), ("User-Agent", "K-9 Mail for Android"))
    )
    german = "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet."
    yield pressing(
        "k9-german-press",
        "K-9 Mail, German, without the blank of its signature",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    german,
                    "",
                    "Am 4. Mai 2026 12:02:11 MESZ schrieb Judge <judge@example.org>:",
                    marked(space=""),
                )
            )
        ),
    )
    yield ordering(
        "thunderbird-android",
        "Thunderbird for Android",
        letter(plain(lines(ORDERS, "", heading, marked(space=""), "", "--", k9))),
    )
    page = (
        f'<!DOCTYPE html><html><body>{"<br>".join(ORDERS)}<br><br><div class="k9mail-signature">'
        f'{k9}</div><div class="gmail_quote">{entities.escape(heading)}<blockquote class="gmail_quote">'
        f"{breaks(TOLD)}</blockquote></div></body></html>"
    )
    yield ordering(
        "k9-html",
        "K-9 Mail, HTML",
        letter(
            multipart(
                "alternative", "----ABCDEF", plain(lines(ORDERS, "-- ", k9, heading, marked(space=""))), html(page)
            )
        ),
    )
    fair = (
        f"<!DOCTYPE html><html><head></head><body>{paragraphs(ORDERS, ' dir=auto')}<div "
        f'fairemail="signature"><p dir="auto">Sent with FairEmail</p></div><p>4 May 2026 12:02:11 '
        f'Judge &lt;judge@example.org&gt;:</p><blockquote type="cite">{breaks(TOLD)}</blockquote>'
        f"</body></html>"
    )
    yield ordering("fairemail-html", "FairEmail, HTML alone", letter(html(fair), ("X-FairEmail-ID", "1")))
    yield pressing(
        "fairemail-press",
        "FairEmail, text",
        letter(plain(lines(PRESS, "", "May 4, 2026 12:02:11 PM Judge <judge@example.org>:", "", marked()))),
    )
    spark = "On 4. May 2026 at 12:02 +0200, Judge <judge@example.org>, wrote:"
    yield pressing(
        "spark-press",
        "Spark",
        letter(
            plain(lines(PRESS, "", "Sent from Spark", spark, marked()), "utf-8"), ("X-Readdle-Message-ID", "1@Spark")
        ),
    )
    page = (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><body><div name="messageBodySection"><div '
        f'dir="auto">{"<br />".join(ORDERS)}</div></div><div name="messageSignatureSection"><br /><div '
        f'class="matchFont">Gesendet mit <a href="https://sparkmailapp.com/source">Spark</a></div>'
        f'</div><div name="messageReplySection">{entities.escape(spark)}<br /><blockquote type="cite" '
        f'class="spark_quote">{breaks(TOLD)}</blockquote></div></body></html>'
    )
    yield ordering("spark-html", "Spark, German, HTML alone", letter(html(page)))
    samsung = [
        "-------- Original message --------",
        "From: Judge <judge@example.org> ",
        "Date: 5/4/26  12:02  (GMT+01:00) ",
        "To: Fay <france@example.org> ",
        "Subject: Re: heron ",
    ]
    yield pressing(
        "samsung-press",
        "Samsung Email",
        letter(plain(lines(PRESS, "", "Sent from my Galaxy", "", "", samsung, "", TOLD), "utf-8", "base64")),
    )
    page = (
        f'<html><head></head><body dir="auto">{divs(ORDERS, " dir=auto")}<div><br></div><div '
        f'id="composer_signature" dir="auto"><div style="font-size:12px;color:#575757" dir="auto">Von '
        f'meinem Galaxy gesendet</div></div><div dir="auto"><br></div><div><br></div><div align="left" '
        f'dir="auto" style="font-size:100%;color:#000000"><div>-------- Ursprüngliche Nachricht '
        f"--------</div><div>Von: Judge &lt;judge@example.org&gt; </div><div>Datum: 04.05.26  12:02  "
        f"(GMT+01:00) </div><div>An: Fay &lt;france@example.org&gt; </div><div>Betreff: Re: heron "
        f"</div><div><br></div></div>{breaks(TOLD)}</body></html>"
    )
    yield ordering("samsung-html", "Samsung Email, German, HTML alone", letter(html(page)))
    yield pressing(
        "huawei-press",
        "Huawei Email",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "发自我的华为手机",
                    "",
                    "",
                    "-------- 原始邮件 --------",
                    "发件人： Judge <judge@example.org>",
                    "日期： 2026年5月4日周一 12:02",
                    "收件人： Fay <france@example.org>",
                    "主 题： Re: heron",
                    TOLD,
                ),
                "utf-8",
                "base64",
            )
        ),
    )
    yield pressing(
        "blackberry-press",
        "BlackBerry",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent via BlackBerry Hub+ Inbox for Android",
                    "",
                    "  Original Message  ",
                    "From: judge@example.org",
                    "Sent: May 4, 2026 12:02 PM",
                    "To: france@example.org",
                    "Subject: Re: heron",
                    "",
                    TOLD,
                )
            )
        ),
    )


def _desktops() -> Iterator[Sample]:
    yield ordering(
        "evolution",
        "Evolution",
        letter(
            plain(lines(ORDERS, "", "On Mon, 2026-05-04 at 12:02 +0200, Judge wrote:", marked()), '"UTF-8"', "7bit"),
            ("User-Agent", "Evolution 3.52.0"),
        ),
    )
    yield pressing(
        "kmail-press",
        "KMail",
        letter(
            plain(lines(PRESS, "", "On Monday, 4 May 2026 12:02:11 CEST Judge wrote:", marked()), '"utf-8"', "7bit"),
            ("User-Agent", "KMail/6.0"),
        ),
    )
    yield pressing(
        "kmail-german-press",
        "KMail, German",
        letter(
            plain(
                lines(
                    PRESS, "", "Am Montag, 4. Mai 2026, 12:02:11 Mitteleuropäische Sommerzeit schrieb Judge:", marked()
                ),
                '"utf-8"',
            )
        ),
    )
    yield ordering(
        "claws",
        "Claws Mail",
        letter(
            plain(
                lines(
                    "On Mon, 4 May 2026 12:02:11 +0200", "Judge <judge@example.org> wrote:", "", marked(), "", ORDERS
                ),
                "US-ASCII",
                "7bit",
            ),
            ("X-Mailer", "Claws Mail 4.2.0"),
        ),
    )
    yield ordering(
        "claws-above",
        "Claws Mail, answered above",
        letter(
            plain(
                lines(
                    ORDERS, "", "On Mon, 4 May 2026 12:02:11 +0200", "Judge <judge@example.org> wrote:", "", marked()
                ),
                "US-ASCII",
                "7bit",
            ),
            ("X-Mailer", "Claws Mail 4.2.0"),
        ),
    )
    bat = ["Monday, May 4, 2026, 12:02:11 PM, you wrote:", ""]
    yield pressing(
        "the-bat-press",
        "The Bat!",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    bat,
                    marked(mark="J>"),
                    "",
                    "",
                    "",
                    "-- ",
                    "Best regards,",
                    " Fay                            mailto:france@example.org",
                ),
                "us-ascii",
                "7bit",
            ),
            ("X-Mailer", "The Bat! (v10.5)"),
        ),
    )
    yield ordering(
        "the-bat-below",
        "The Bat!, answered below the quote",
        letter(
            plain(
                lines("Hello Judge,", "", bat, marked(mark="J>"), "", ORDERS, "", "-- ", "Best regards,", " Fay"),
                "us-ascii",
                "7bit",
            ),
            ("X-Mailer", "The Bat! (v10.5)"),
        ),
    )
    em = [
        "------ Original Message ------",
        'From "Judge" <judge@example.org>',
        "To france@example.org",
        "Date 04/05/2026 12:02:11",
        "Subject Re: heron",
        "",
    ]
    yield ordering(
        "em-client", "eM Client", letter(plain(lines(ORDERS, "", em, TOLD)), ("User-Agent", "eM_Client/10.0.3125.0"))
    )
    em_old = [
        "------ Original Message ------",
        'From: "Judge" <judge@example.org>',
        "To: france@example.org",
        "Sent: 04/05/2026 12:02:11",
        "Subject: Re: heron",
        "",
    ]
    yield pressing(
        "em-client-old-press",
        "eM Client 8",
        letter(plain(lines(PRESS, "", em_old, marked(space=""))), ("User-Agent", "eM_Client/8.2")),
    )
    spring = "On May 4 2026, at 12:02 pm, Judge <judge@example.org> wrote:"
    page = (
        f'<br/><br/><div>{divs(PRESS)}</div><br/><signature id="initial"><div><div>Sent from <a '
        f'href="https://getmailspring.com/">Mailspring</a>, the best free email app for work</div>'
        f'</div></signature><div class="gmail_quote_attribution">{entities.escape(spring)}</div>'
        f'<blockquote class="gmail_quote">{breaks(TOLD)}</blockquote>'
    )
    yield pressing(
        "mailspring-press",
        "Mailspring",
        letter(
            multipart(
                "alternative",
                "69f7_1",
                plain(
                    lines(
                        PRESS,
                        "",
                        "Sent from Mailspring (https://getmailspring.com/), the best free email app for work",
                        spring,
                        marked(),
                    )
                ),
                html(page),
            ),
            ("X-Mailer", "Mailspring"),
        ),
    )
    yield pressing("mailspring-html-press", "Mailspring, HTML alone", letter(html(page), ("X-Mailer", "Mailspring")))
    notes = [
        "-----Judge <judge@example.org> wrote: -----",
        "To: france@example.org",
        "From: Judge <judge@example.org>",
        "Date: 05/04/2026 12:02PM",
        "Subject: Re: heron",
        "",
    ]
    yield ordering(
        "notes-web",
        "Lotus iNotes",
        letter(
            plain(lines(ORDERS, "", notes, TOLD), "US-ASCII", "7bit"),
            ("X-Mailer", "Lotus Domino Web Server Release 9.0.1"),
        ),
    )
    table = [
        "From:\tJudge <judge@example.org>",
        "To:\tFay <france@example.org>",
        "Date:\t04/05/2026 12:02",
        "Subject:\tRe: heron",
        "",
        "",
        "",
    ]
    yield ordering(
        "notes-desktop",
        "HCL Notes",
        letter(
            plain(lines(ORDERS, "", "", "", table, TOLD), "US-ASCII", "7bit"), ("X-Mailer", "HCL Notes Release 14.0")
        ),
    )
    wrote = "Judge <judge@example.org> wrote on 05/04/2026 12:02:11 PM:"
    yield pressing(
        "notes-internet-style-press",
        "IBM Notes, quoting as on the Internet",
        letter(
            plain(lines(PRESS, "", wrote, "", marked()), "US-ASCII", "7bit"), ("X-Mailer", "IBM Notes Release 9.0.1")
        ),
    )
    yield pressing(
        "notes-unmarked-press",
        "IBM Notes, repeating without marks",
        letter(
            plain(lines(PRESS, "", "Judge wrote on 05/04/2026 12:02:11 PM:", "", TOLD), "US-ASCII", "7bit"),
            ("X-Mailer", "IBM Notes Release 9.0.1"),
        ),
    )
    page = (
        f'<div class="socmaildefaultfont" dir="ltr">{divs(PRESS)}<div dir="ltr">&nbsp;</div>'
        f'<blockquote data-history-content-modified="1" dir="ltr" style="border-left:solid #aaaaaa '
        f'2px">----- Original message -----<br>From: "Judge" &lt;judge@example.org&gt;<br>To: '
        f"france@example.org<br>Cc:<br>Subject: Re: heron<br>Date: Mon, May 4, 2026 12:02 PM<br>"
        f"&nbsp;<div>{breaks(TOLD)}</div></blockquote></div><BR>"
    )
    yield pressing("verse-press", "HCL Verse, HTML alone", letter(html(page, "US-ASCII", "7bit")))
    yield ordering(
        "windows-mail",
        "Mail for Windows",
        letter(
            plain(
                lines(
                    ORDERS,
                    "",
                    "Sent from Mail<https://go.microsoft.com/fwlink/?LinkId=550986> for Windows",
                    "",
                    "From: Judge<mailto:judge@example.org>",
                    "Sent: Monday, May 4, 2026 12:02 PM",
                    "To: Fay<mailto:france@example.org>",
                    "Subject: Re: heron",
                    "",
                    TOLD,
                )
            )
        ),
    )
    yield pressing(
        "mailbird-press",
        "Mailbird",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent from Mailbird [http://www.getmailbird.com/?utm_source=Mailbird]",
                    "",
                    "On 5/4/2026 12:02:11 PM, Judge <judge@example.org> wrote:",
                    TOLD,
                )
            ),
            ("X-Mailer", "Mailbird/3.0.18.0"),
        ),
    )
    yield pressing(
        "postbox-press",
        "Postbox",
        letter(
            plain(
                lines(PRESS, "", "Judge wrote on 04/05/2026, 12:02:", marked(), "", "--", "Sent from Postbox"),
                "UTF-8",
                "7bit",
                "format=flowed",
            )
        ),
    )
    yield pressing(
        "airmail-press",
        "Airmail",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent via Airmail",
                    "",
                    "On 4 May 2026 at 12:02:11, Judge (judge@example.org) wrote:",
                    "",
                    marked(),
                )
            )
        ),
    )
    yield pressing(
        "superhuman-press",
        "Superhuman",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent via Superhuman ( https://sprh.mn/?vip=fay@example.org )",
                    "",
                    "On Mon, May 04, 2026 at 12:02 PM, Judge < judge@example.org > wrote:",
                    "",
                    marked(),
                )
            )
        ),
    )
    yield pressing(
        "canary-press",
        "Canary Mail",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent from Canary (https://canarymail.io)",
                    "",
                    "On Monday, May 04, 2026 at 12:02 PM, Judge <judge@example.org (mailto:judge@example.org)> wrote:",
                    marked(),
                )
            )
        ),
    )


def _terminals() -> Iterator[Sample]:
    yield ordering(
        "mutt",
        "mutt",
        letter(
            plain(
                lines("On Mon, May 04, 2026 at 12:02:11PM +0200, Judge wrote:", marked(), "", ORDERS), "us-ascii", ""
            ),
            ("User-Agent", "Mutt/2.2.12 (2023-09-09)"),
        ),
    )
    yield pressing(
        "mutt-press",
        "mutt, answered above",
        letter(
            plain(lines(PRESS, "", "On Mon, May 04, 2026 at 12:02:11PM +0200, Judge wrote:", marked()), "us-ascii", ""),
            ("User-Agent", "Mutt/2.2.12 (2023-09-09)"),
        ),
    )
    yield ordering(
        "neomutt-latin1",
        "NeoMutt, Latin-1",
        letter(
            plain(
                lines(
                    "* Judge <judge@example.org> [2026-05-04 12:02]:", marked(), "Grüße!", "", ORDERS, "", "-- ", "Fée"
                ),
                "iso-8859-1",
                "8bit",
            )
        ),
    )
    yield ordering(
        "alpine",
        "Alpine",
        letter(
            plain(lines(ORDERS, "", "On Mon, 4 May 2026, Judge wrote:", "", marked()), "US-ASCII", "", "format=flowed"),
            ("User-Agent", "Alpine 2.26"),
        ),
    )
    yield ordering(
        "mailx",
        "Heirloom mailx",
        letter(
            plain(lines("Judge <judge@example.org> wrote:", "", marked(), "", ORDERS), "us-ascii", "7bit"),
            ("User-Agent", "Heirloom mailx 12.5 7/5/10"),
        ),
    )
    yield ordering(
        "s-nail",
        "S-nail",
        letter(
            plain(
                lines(
                    "Judge wrote in",
                    " <20260504100211.ab1@judge.example.org>:",
                    marked(mark=" |", space=""),
                    "",
                    ORDERS,
                ),
                "us-ascii",
                "",
            ),
            ("User-Agent", "s-nail v14.9.24"),
        ),
    )
    yield pressing(
        "gnus-press",
        "Gnus",
        letter(
            plain(lines(PRESS, "", "Judge <judge@example.org> writes:", "", marked()), "", ""),
            ("User-Agent", "Gnus/5.13 (Gnus v5.13)"),
        ),
    )
    yield ordering(
        "mh",
        "MH, without MIME",
        letter(b"\r\n" + lines(ORDERS).replace("\n", "\r\n").encode(), ("MIME-Version", "1.0")),
    )
