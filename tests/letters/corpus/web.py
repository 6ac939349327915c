"""Web mails and their apps: Gmail, Outlook on the web, Yahoo, AOL, Proton, Fastmail, Zoho, HEY, Tuta, GMX, WEB.DE,
Roundcube, Horde, SquirrelMail, Zimbra, Mail.ru, Yandex, QQ, NetEase, Naver, Yahoo Japan and DingTalk.
"""

import html as entities
from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, PRESS, SENT_BEFORE, TOLD, breaks, divs, lines, marked, paragraphs
from tests.letters.corpus.samples import Sample, ordering, pressing
from tests.letters.corpus.tongues import GMAIL, OUTLOOK
from tests.letters.corpus.wire import html, letter, multipart, plain

# The languages in which Gmail breaks the heading behind this many characters, as in its plain part.
_WIDTH = 78


def samples() -> Iterator[Sample]:
    yield from _gmail()
    yield from _outlook_on_the_web()
    yield from _yahoo_and_aol()
    yield from _small_houses()
    yield from _german_portals()
    yield from _on_own_servers()
    yield from _russian()
    yield from _east_asian()


def folded(heading: str, width: int = _WIDTH) -> list[str]:
    """A heading as programs wrap it: at the last blank that lets a line be so long."""
    wrapped: list[str] = []
    while len(heading) > width and " " in heading[:width]:
        line, heading = heading[: heading.rindex(" ", 0, width)], heading[heading.rindex(" ", 0, width) + 1 :]
        wrapped.append(line)
    return [*wrapped, heading]


def gmail(own: list[str], tongue: str = "en", tail: str = "", width: int = _WIDTH, quoted: list[str] = TOLD) -> bytes:
    """Gmail on the web, answering: text and HTML, the quote below."""
    heading = GMAIL[tongue]
    text = lines(own, *([["", tail]] if tail else []), "", folded(heading, width), "", marked(quoted))
    page = (
        f'<div dir="ltr">{divs(own)}{f"<div><br></div><div>{tail}</div>" if tail else ""}</div><br>'
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f'{entities.escape(heading, quote=False)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px '
        f'0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">{breaks(quoted)}</blockquote></div>\n'
    )
    both = multipart("alternative", "000000000000c3b1a2063f8d9e10", plain(text, '"UTF-8"'), html(page, '"UTF-8"'))
    return letter(
        both,
        ("In-Reply-To", "<178@judge.example.org>"),
        ("References", "<178@judge.example.org>"),
        ("Message-ID", f"<CAF+{abs(hash_of(tongue + tail + own[-1])):x}=w@mail.gmail.com>"),
    )


def hash_of(text: str) -> int:
    """The same number for the same text, whenever it is asked."""
    return int.from_bytes(text.encode()[-12:], "big")


def _gmail() -> Iterator[Sample]:
    for number, tongue in enumerate(GMAIL):
        # Every other one orders, every other one writes press; some headings are broken at another place.
        width = (_WIDTH, 60, 70)[number % 3]
        if number % 2:
            yield pressing(
                f"gmail-web-{tongue}-press", f"Gmail on the web, {tongue}", gmail(PRESS, tongue, width=width)
            )
        else:
            yield ordering(f"gmail-web-{tongue}", f"Gmail on the web, {tongue}", gmail(ORDERS, tongue, width=width))
    plain_only = letter(plain(lines(folded(GMAIL["en"]), "", marked(), "", ORDERS), '"UTF-8"'))
    yield ordering("gmail-web-below", "Gmail on the web, plain text, answered below the quote", plain_only)
    mixed = []
    for before, own in zip(["Your orders?", "Anything else?", "And the fleet?", "Bye"], ORDERS, strict=True):
        mixed += [f"> {before}", own, ""]
    yield ordering(
        "gmail-web-between",
        "Gmail on the web, answered between the quoted lines",
        letter(plain(lines(folded(GMAIL["de"]), "", mixed), '"UTF-8"')),
    )
    forwarded = [
        "---------- Forwarded message ---------",
        "From: Judge <judge@example.org>",
        "Date: Mon, May 4, 2026 at 12:02 PM",
        "Subject: Re: heron",
        "To: Fay <france@example.org>",
    ]
    page = divs(ORDERS) + '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
    page += "<br>".join(map(entities.escape, forwarded)) + f"<br></div><br><br>{breaks(TOLD)}</div>"
    both = multipart(
        "alternative",
        "0000000000006b1c",
        plain(lines(ORDERS, "", forwarded, "", "", TOLD), '"UTF-8"'),
        html(f'<div dir="ltr">{page}</div>', '"UTF-8"'),
    )
    yield ordering("gmail-web-forward", "Gmail on the web, forwarding", letter(both, subject="Fwd: heron"))
    signed = [*ORDERS, "", "-- ", "Fay Example", "Player of France", "fay@example.org"]
    yield ordering(
        "gmail-web-signature",
        "Gmail on the web, with a signature",
        letter(plain(lines(signed, "", folded(GMAIL["en"]), "", marked()), '"UTF-8"')),
    )
    android = (
        f'<div dir="auto">{divs(PRESS, chr(32) + "dir=" + chr(34) + "auto" + chr(34))}</div><br><div '
        f'class="gmail_quote">'
    )
    android += f'<div dir="ltr" class="gmail_attr">{entities.escape(GMAIL["en"], quote=False)}<br></div><blockquote '
    android += (
        f'class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">{breaks(TOLD)}</blockquote></div>'
    )
    yield pressing("gmail-android-html", "Gmail for Android, HTML alone", letter(html(android, '"UTF-8"')))
    yield pressing(
        "gmail-android-quoting-own",
        "Gmail for Android, below its own letter",
        letter(plain(lines(PRESS, "", folded(GMAIL["fr"]), "", marked(SENT_BEFORE)), '"UTF-8"')),
    )
    ios = lines(ORDERS, "", "Sent from Gmail Mobile", "", folded(GMAIL["en"]), "", marked())
    yield ordering("gmail-ios", "Gmail for iOS", letter(plain(ios, '"UTF-8"')))
    fresh = multipart(
        "alternative",
        "00000000000099aa",
        plain(lines(ORDERS), '"UTF-8"', "7bit"),
        html(f'<div dir="ltr">{"<br>".join(ORDERS)}</div>\n', '"UTF-8"', "7bit"),
    )
    yield ordering("gmail-web-new", "Gmail on the web, a new mail", letter(fresh, subject="orders"))


def _outlook_on_the_web() -> Iterator[Sample]:
    style = ' class="elementToProof" style="font-family: Aptos, Calibri; font-size: 12pt; color: rgb(0, 0, 0);"'
    for tongue in ("en", "de", "uk", "he"):
        _, names, date = OUTLOOK[tongue]
        values = ("Judge <judge@example.org>", date, "Fay <france@example.org>", "Re: heron")
        block = [f"{name} {value}" for name, value in zip(names, values, strict=True)]
        fields = "<br>".join(
            f"<b>{name}</b>&nbsp;{entities.escape(value)}" for name, value in zip(names, values, strict=True)
        )
        page = (
            '<html><head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\n<style type="text/css" '
            'style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\n</head>\n<body dir="ltr">\n'
            f'{divs(PRESS, style)}<div id="appendonsend"></div>\n<hr style="display:inline-block;width:98%" '
            'tabindex="-1">\n<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" '
            f'color="#000000">{fields}</font>\n<div>&nbsp;</div>\n</div>\n<div class="BodyFragment"><div '
            f'class="PlainText">{breaks(TOLD)}</div></div>\n</body>\n</html>\n'
        )
        text = lines(PRESS, "_" * 32, block, "", TOLD)
        both = multipart("alternative", f"_000_AM0PR{tongue}_", plain(text), html(page))
        yield pressing(
            f"outlook-web-{tongue}-press",
            f"Outlook on the web, {tongue}",
            letter(both, ("Thread-Topic", "heron"), ("X-MS-Has-Attach", ""), ("Accept-Language", tongue)),
        )
        if tongue == "en":
            yield pressing("outlook-web-html-press", "Outlook on the web, HTML alone", letter(html(page)))


def _yahoo_and_aol() -> Iterator[Sample]:
    heading = "     On Monday, May 4, 2026 at 12:02:11 PM GMT+2, Judge <judge@example.org> wrote:  "
    text = lines(ORDERS, "", heading, " ", [f" {line}" for line in TOLD])
    quoted = (
        f'<div id="yahoo_quoted_5871" class="yahoo_quoted"><div style="font-size:13px"><div>{entities.escape(heading)}'
        f'</div><div><br></div><div><div dir="ltr">{breaks(TOLD)}</div></div></div></div>'
    )
    page = (
        f'<html><head></head><body><div class="ydp1 yahoo-style-wrap">{divs(ORDERS, " dir=ltr")}</div>'
        f"{quoted}</body></html>"
    )
    both = multipart("alternative", "----=_Part_981_77", plain(text, "UTF-8"), html(page, "UTF-8"))
    mailer = ("X-Mailer", "WebService/1.1.23737 YMailNovation")
    yield ordering("yahoo-web", "Yahoo Mail on the web", letter(both, mailer))
    phone = "Sent from Yahoo Mail for iPhone<https://mail.onelink.me/107872968?pid=nativeplacement>"
    mobile = lines(PRESS, "", "", phone, "", heading.strip(), "", TOLD)
    yield pressing("yahoo-ios-press", "Yahoo Mail for iPhone", letter(plain(mobile, "UTF-8"), mailer))
    android = lines(
        PRESS,
        " ",
        "  Sent from Yahoo Mail on Android ",
        " ",
        "  On Mon, May 4, 2026 at 12:02 PM, Judge<judge@example.org> wrote:   ",
        TOLD,
    )
    yield pressing("yahoo-android-press", "Yahoo Mail for Android", letter(plain(android, "UTF-8"), mailer))
    block = [
        "-----Original Message-----",
        "From: Judge <judge@example.org>",
        "To: France@example.org",
        "Sent: Mon, May 4, 2026 12:02 pm",
        "Subject: Re: heron",
    ]
    yield ordering("aol-web", "AOL Mail on the web", letter(plain(lines(ORDERS, "", block, "", TOLD), "utf-8"), mailer))
    page = (
        f"<font color='black' size='2' face='arial'>{divs(PRESS)}<br><div style='font-family:arial'>"
        f"{'<br>'.join(block)}"
    )
    page += f"<br><br><div id='AOLMsgPart_1_e2f0'>{breaks(TOLD)}</div></div></font>"
    yield pressing("aol-web-html-press", "AOL Mail on the web, HTML alone", letter(html(page), mailer))
    yield pressing(
        "aol-android-press",
        "AOL for Android",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent from AOL on Android ",
                    "",
                    "  On Mon, May 4, 2026 at 12:02 PM, Judge<judge@example.org> wrote:   ",
                    TOLD,
                )
            )
        ),
    )


def _small_houses() -> Iterator[Sample]:
    proton = "On Monday, May 4th, 2026 at 12:02, Judge <judge@example.org> wrote:"
    vendor = "Sent with [Proton Mail](https://proton.me/mail/home) secure email."
    yield pressing(
        "proton-web-press", "Proton Mail on the web", letter(plain(lines(PRESS, "", vendor, "", proton, "", marked())))
    )
    page = (
        f'<div style="font-family: Arial, sans-serif; font-size: 14px;">{divs(ORDERS)}</div><div '
        f'class="protonmail_signature'
        '_block"><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me/mail/home">Proton '
        f'Mail</a> secure email.</div></div><div class="protonmail_quote">{entities.escape(proton)}<br><blockquote '
        f'class="protonmail_quote" type="cite">{breaks(TOLD)}</blockquote><br></div>'
    )
    yield ordering("proton-web-html", "Proton Mail on the web, HTML alone", letter(html(page)))
    hyphens = "\u2010" * 7 + " Original Message " + "\u2010" * 7
    yield pressing(
        "proton-old-press",
        "ProtonMail of 2019",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Sent with ProtonMail Secure Email.",
                    "",
                    hyphens,
                    "On Monday, May 4, 2026 12:02 PM, Judge <judge@example.org> wrote:",
                    "",
                    TOLD,
                )
            )
        ),
    )
    yield ordering(
        "proton-ios",
        "Proton Mail for iOS",
        letter(plain(lines(ORDERS, "", "Sent from Proton Mail for iOS", "", proton, "", marked()))),
    )
    fast = lines(ORDERS, "", "On Mon, 4 May 2026, at 12:02 PM, Judge wrote:", marked())
    yield ordering("fastmail-web", "Fastmail", letter(plain(fast), ("User-Agent", "Cyrus-JMAP/3.13.0-alpha0")))
    zoho = "---- On Mon, 04 May 2026 12:02:11 +0200 Judge <judge@example.org> wrote ---"
    yield pressing(
        "zoho-web-press",
        "Zoho Mail",
        letter(
            plain(lines(PRESS, "", "", "Sent using https://www.zoho.com/mail/", "", "", "", zoho, "", TOLD), "UTF-8"),
            ("X-Mailer", "Zoho Mail"),
            ("User-Agent", "Zoho Mail"),
        ),
    )
    page = f'<meta /><div style="font-family: Verdana;">{divs(ORDERS)}<div class="zmail_extra"><div id="Zm-_Id_-Sgn1">'
    page += f"{entities.escape(zoho)}<br><br></div><div><blockquote id='blockquote_zmail'>{breaks(TOLD)}</blockquote>"
    yield ordering(
        "zoho-web-html", "Zoho Mail, HTML alone", letter(html(page + "</div></div></div>"), ("X-Mailer", "Zoho Mail"))
    )
    hey = "On May 4, 2026, Judge <judge@example.org> wrote:"
    page = (
        f'<!DOCTYPE html><html><body><div class="trix-content">{divs(PRESS)}</div>'
        f"{'<br>' * 2}{entities.escape(hey)}<br>"
    )
    page += f"<blockquote>{breaks(TOLD)}</blockquote></body></html>"
    yield pressing(
        "hey-press",
        "HEY",
        letter(multipart("alternative", "--==_mimepart_6a", plain(lines(PRESS, "", hey, "", marked())), html(page))),
    )
    yield pressing(
        "tuta-press",
        "Tuta",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "--",
                    "Sent with Tuta; enjoy secure & ad-free emails: https://tuta.com",
                    "",
                    "",
                    "4 May 2026, 12:02 by judge@example.org:",
                    "",
                    marked(),
                ),
                "utf-8",
                "base64",
            )
        ),
    )
    yield pressing(
        "tutanota-german-press",
        "Tutanota, German",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "Gesendet mit Tutanota, dem sicheren & werbefreien Mail-Dienst:",
                    "https://tutanota.com",
                    "",
                    "4. Mai 2026, 12:02 von judge@example.org:",
                    "",
                    marked(),
                )
            )
        ),
    )


def _german_portals() -> Iterator[Sample]:
    for house, app in (("gmx", "GMX Mail"), ("web-de", "WEB.DE Mail")):
        block = [
            "Gesendet: Montag, 04. Mai 2026 um 12:02 Uhr",
            'Von: "Judge" <judge@example.org>',
            "An: france@example.org",
            "Betreff: Re: heron",
        ]
        page = (
            f'<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">'
            f"{divs(ORDERS)}\n<div>&nbsp;\n"
            '<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; '
            'border-left:2px solid #C3D9E5;">\n'
            '<div style="margin:0 0 10px 0;">'
            + "<br/>\n".join(
                f"<b>{line.partition(':')[0]}:</b>&nbsp;{entities.escape(line.partition(':')[2].strip())}"
                for line in block
            )
            + f'</div>\n<div name="quoted-content">{breaks(TOLD)}</div></div></div></div></body></html>'
        )
        text = lines(PRESS, "", "", block, "", TOLD)
        yield ordering(
            f"{house}-web-html",
            f"{app} on the web, HTML alone",
            letter(
                html(page, "UTF-8", "7bit" if page.isascii() else "quoted-printable"),
                ("X-Priority", "3"),
                ("Importance", "normal"),
            ),
        )
        yield pressing(f"{house}-web-press", f"{app} on the web", letter(plain(text, "UTF-8")))
        sign = f"-- \nDiese Nachricht wurde von meinem Android Mobiltelefon mit {app} gesendet."
        phone = lines(ORDERS, sign, "Am 04.05.26, 12:02, Judge <judge@example.org> schrieb:", "", marked())
        yield ordering(f"{house}-android", f"{app} for Android", letter(plain(phone, "UTF-8")))


def _on_own_servers() -> Iterator[Sample]:
    agent = ("User-Agent", "Roundcube Webmail/1.6.6")
    for tongue, heading in (
        ("en", "On 2026-05-04 12:02, Judge wrote:"),
        ("de", "Am 04.05.2026 12:02, schrieb Judge:"),
        ("uk", "2026-05-04 12:02, Judge написав:"),
        ("id", "Pada 2026-05-04 12:02, Judge menulis:"),
    ):
        text = lines(ORDERS, "", heading, marked())
        yield ordering(
            f"roundcube-{tongue}", f"Roundcube, {tongue}", letter(plain(text, "UTF-8", "8bit", "format=flowed"), agent)
        )
    horde = ("User-Agent", "Horde Application Framework 5")
    for tongue, heading in (
        ("en", "Quoting Judge <judge@example.org>:"),
        ("de", "Zitat von Judge <judge@example.org>:"),
        ("it", "Citando Judge <judge@example.org>:"),
        ("hr", "Citiranje Judge <judge@example.org>:"),
    ):
        yield pressing(
            f"horde-{tongue}-press",
            f"Horde IMP, {tongue}",
            letter(
                plain(lines(PRESS, "", heading, "", marked()), "utf-8", "8bit", "format=flowed", "DelSp=Yes"), horde
            ),
        )
    yield ordering(
        "squirrelmail",
        "SquirrelMail",
        letter(
            plain(lines(ORDERS, "", "On Mon, May 4, 2026 12:02 pm, Judge wrote:", marked()), "iso-8859-1", "8bit"),
            ("User-Agent", "SquirrelMail/1.4.23 [SVN]"),
            ("X-Priority", "3 (Normal)"),
        ),
    )
    zimbra = [
        "----- Original Message -----",
        "From: Judge <judge@example.org>",
        "To: Fay <france@example.org>",
        "Sent: Mon, 4 May 2026 12:02:11 +0200 (CEST)",
        "Subject: Re: heron",
    ]
    mailer = ("X-Mailer", "Zimbra 8.8.15_GA_4581 (ZimbraWebClient - GC124 (Linux)/8.8.15_GA_4581)")
    yield ordering("zimbra", "Zimbra", letter(plain(lines(ORDERS, "", zimbra, "", TOLD)), mailer))
    fields = "<br>".join(
        f"<b>{line.partition(':')[0]}: </b>{entities.escape(line.partition(':')[2].strip())}" for line in zimbra[1:]
    )
    page = (
        f'<html><body><div style="font-family: arial">{divs(PRESS)}<br><hr id="zwchr" data-marker="__DIVIDER__"><div '
    )
    page += (
        f'data-marker="__HEADERS__"><blockquote style="border-left:2px solid #1010FF">{fields}<br></blockquote></div>'
    )
    page += f'<div data-marker="__QUOTED_TEXT__"><blockquote>{breaks(TOLD)}</blockquote></div></div></body></html>'
    yield pressing("zimbra-html-press", "Zimbra, HTML alone", letter(html(page), mailer))


def _russian() -> Iterator[Sample]:
    heading = "Понедельник, 4 мая 2026, 12:02 +03:00 от Judge <judge@example.org>:"
    yield pressing(
        "mail-ru-web-press",
        "Mail.ru on the web",
        letter(
            plain(lines(PRESS, "", heading, marked(space="")), "utf-8", "base64"), ("X-Mailer", "Mail.Ru Mailer 1.0")
        ),
    )
    page = (
        f'<HTML><BODY>{divs(PRESS)}<div><br></div><blockquote style="border-left:1px solid #0857A6; '
        f'margin:10px;">{heading}'
    )
    page += (
        f"<br><div id=''><div class='js-helper js-readmsg-msg'>{breaks(TOLD)}</div></div></blockquote></BODY></HTML>"
    )
    yield pressing("mail-ru-html-press", "Mail.ru on the web, HTML alone", letter(html(page, "utf-8", "base64")))
    app = lines(ORDERS, "", "--", "Отправлено из Mail.ru для Android", "", heading, "", marked())
    yield ordering("mail-ru-android", "Mail.ru for Android", letter(plain(app, "utf-8", "base64")))
    yandex = '04.05.2026, 12:02, "Judge" <judge@example.org>:'
    yield pressing(
        "yandex-press",
        "Yandex Mail",
        letter(
            plain(lines(PRESS, "", yandex, marked(space=" ")), "utf-8"), ("X-Mailer", "Yamail [ http://yandex.ru ] 5.0")
        ),
    )
    phone = lines(PRESS, "-- ", "Отправлено из мобильного приложения Яндекс Почты", "", yandex, "", marked())
    yield pressing("yandex-android-press", "Yandex Mail for Android", letter(plain(phone, "koi8-r", "8bit")))


def _east_asian() -> Iterator[Sample]:
    qq = [
        "------------------&nbsp;原始邮件&nbsp;------------------",
        '发件人: "Judge" <judge@example.org>;',
        "发送时间: 2026年5月4日(星期一) 中午12:02",
        '收件人: "Fay"<france@example.org>;',
        "主题: Re: heron",
    ]
    qq_plain = [line.replace("&nbsp;", "\xa0") for line in qq]
    yield ordering(
        "qq-web",
        "QQ Mail",
        letter(
            plain(lines(ORDERS, "", "", "", qq_plain, "", "", TOLD), "gb18030", "base64"),
            ("X-QQ-MIME", "TCMime 1.0 by Tencent"),
            ("X-Mailer", "QQMail 2.x"),
        ),
    )
    page = (
        f'<div>{divs(PRESS)}</div><div><includetail><div>&nbsp;</div><div style="font:Verdana"><div '
        f'style="FONT-SIZE:12px">'
    )
    page += f"{qq[0]}</div>" + "".join(
        f"<div><b>{line.partition(': ')[0]}:</b>&nbsp;{entities.escape(line.partition(': ')[2])}</div>"
        for line in qq[1:]
    )
    page += f"<div>&nbsp;</div><div>{breaks(TOLD)}</div></div></includetail></div>"
    yield pressing("qq-html-press", "QQ Mail, HTML alone", letter(html(page, '"gb18030"', "base64")))
    yield pressing(
        "qq-ios-press",
        "QQ Mail for iPhone",
        letter(
            plain(
                lines(
                    PRESS,
                    "",
                    "",
                    "发自我的iPhone",
                    "",
                    "------------------ Original ------------------",
                    qq_plain[1:],
                    "",
                    TOLD,
                ),
                "utf-8",
                "base64",
            )
        ),
    )
    netease = 'At 2026-05-04 12:02:11, "Judge" <judge@example.org> wrote:'
    yield ordering(
        "netease-web",
        "NetEase 163 on the web",
        letter(
            plain(lines(ORDERS, "", "", "", "", netease, marked(space="")), "GBK", "base64"),
            ("X-Mailer", "Coremail Webmail Server Version XT5.0.14"),
        ),
    )
    master = ["签名由 网易邮箱大师 定制", "", "在2026年05月04日 12:02，Judge<judge@example.org> 写道：", TOLD[0]]
    yield pressing(
        "netease-master-press",
        "NetEase Mail Master",
        letter(plain(lines(PRESS, "", master[:3], TOLD), "UTF-8", "base64"), ("X-Mailer", "NetEase MailMaster 7.20")),
    )
    naver = [
        "-----Original Message-----",
        'From: "Judge" <judge@example.org>',
        "To: <france@example.org>;",
        "Cc:",
        "Sent: 2026-05-04 (월) 12:02:11 (GMT+09:00)",
        "Subject: Re: heron",
    ]
    yield ordering("naver-web", "Naver", letter(plain(lines(ORDERS, "", naver, "", TOLD), "utf-8", "base64")))
    page = f'<html><body><div style="font-size:10pt">{paragraphs(PRESS, filling="&nbsp;")}<p>&nbsp;</p><p>'
    page += "<br>\n".join(
        f"<b>{line.partition(':')[0]}:</b> {entities.escape(line.partition(':')[2].strip())}" if ":" in line else line
        for line in naver
    )
    page += f"</p><p>&nbsp;</p>{paragraphs(TOLD)}</div></body></html>"
    yield pressing("naver-html-press", "Naver, HTML alone", letter(html(page, "utf-8", "base64")))
    yahoo = [
        "----- Original Message -----",
        "From: Judge <judge@example.org>",
        "To: france@example.org",
        "Date: 2026/05/04 月 12:02",
        "Subject: Re: heron",
    ]
    yield ordering(
        "yahoo-japan", "Yahoo! JAPAN Mail", letter(plain(lines(ORDERS, "", yahoo, marked()), "iso-2022-jp", "7bit"))
    )
    ding = [
        "-" * 66,
        "发件人：Judge <judge@example.org>",
        "日\u3000期：2026年05月04日 12:02:11",
        "收件人：Fay<france@example.org>",
        "主\u3000题：Re: heron",
    ]
    yield pressing(
        "dingtalk-press", "DingTalk Mail", letter(plain(lines(PRESS, "", ding, "", TOLD), "UTF-8", "base64"))
    )
    docomo = lines(
        PRESS, "", "iPhoneから送信", "", "> 2026/05/04 12:02、Judge <judge@example.org>のメール:", "> ", marked()
    )
    yield pressing(
        "apple-japanese-carrier-press",
        "Apple Mail for iPhone, Japanese, heading quoted too",
        letter(plain(docomo, "iso-2022-jp", "7bit")),
    )
