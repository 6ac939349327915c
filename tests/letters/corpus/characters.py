"""Letters in all kinds of characters and encodings, whatever program wrote them."""

import base64
from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, SIGNON, lines
from tests.letters.corpus.samples import Sample, ordering, pressing
from tests.letters.corpus.wire import entity, html, letter, plain

# What people of these charsets write above their orders.
_GREETINGS = {
    "iso-2022-jp": "こんにちは、命令です。",
    "shift_jis": "こんにちは、命令です。",
    "euc-jp": "こんにちは、命令です。",
    "gb18030": "您好，这是我的命令。",
    "big5": "您好，這是我的命令。",
    "euc-kr": "안녕하세요, 명령입니다.",
    "koi8-r": "Здравствуйте, вот мои приказы.",
    "koi8-u": "Вітаю, ось мої накази.",
    "windows-1250": "Dobrý den, příkazy.",
    "windows-1251": "Здравствуйте, вот мои приказы.",
    "windows-1252": "Grüße – hier die “Befehle”…",
    "windows-1253": "Γεια σας, οι εντολές μου.",
    "windows-1254": "Merhaba, emirlerim işte.",
    "windows-1255": "שלום, הנה הפקודות.",
    "windows-1256": "مرحبا، هذه أوامري.",
    "windows-1257": "Sveiki, mano įsakymai.",
    "windows-1258": "Xin chào.",
    "windows-874": "สวัสดี",
    "iso-8859-2": "Zdravím, příkazy.",
    "iso-8859-7": "Γεια σας.",
    "iso-8859-8-i": "שלום.",
    "iso-8859-9": "Merhaba, işte.",
    "iso-8859-15": "Voilà, 5 €.",
    "utf-16": "Grüße",
    "utf-7": "Grüße",
}


def samples() -> Iterator[Sample]:
    for charset, greeting in _GREETINGS.items():
        codec = {"iso-8859-8-i": "iso-8859-8", "windows-874": "cp874"}.get(charset, charset)
        data = lines(greeting, "", ORDERS).replace("\n", "\r\n").encode(codec)
        cte = "base64" if charset == "utf-16" else "7bit" if charset in ("iso-2022-jp", "utf-7") else "quoted-printable"
        yield ordering(
            f"charset-{charset}", f"A letter in {charset}", letter(entity(f"text/plain; charset={charset}", data, cte))
        )
    dashes = [SIGNON, "A\xa0PAR\xa0– BUR", "A MAR S A PAR → BUR", "F BRE — MAO"]
    yield ordering("typed-dashes", "A phone's keyboard: dashes, arrows, hard blanks", letter(plain(lines(dashes))))
    wide = [SIGNON, "Ａ　ＰＡＲ　−　ＢＵＲ", "Ａ　ＭＡＲ　Ｓ　Ａ　ＰＡＲ　−　ＢＵＲ", "Ｆ　ＢＲＥ　−　ＭＡＯ"]
    yield ordering("typed-wide", "A Japanese keyboard: wide letters", letter(plain(lines(wide), "iso-2022-jp", "7bit")))
    yield ordering(
        "undeclared-utf-8",
        "Eight-bit text without a word about it",
        letter(b"\r\n" + "Grüße\r\n\r\n".encode() + lines(ORDERS).encode()),
    )
    yield ordering(
        "wrong-charset",
        "UTF-8 that calls itself ASCII",
        letter(entity("text/plain; charset=us-ascii", lines("Grüße", "", ORDERS).encode(), "8bit")),
    )
    unbroken = base64.b64encode(lines(ORDERS).encode())
    yield ordering(
        "base64-one-line",
        "Base64 in one line",
        letter(b"Content-Type: text/plain\r\nContent-Transfer-Encoding: BASE64\r\n\r\n" + unbroken),
    )
    yield ordering(
        "bare-line-feeds", "Line feeds alone", letter(plain(lines(ORDERS), "utf-8", "8bit")).replace(b"\r\n", b"\n")
    )
    yield ordering(
        "html-pre",
        "HTML with everything in <pre>",
        letter(html(f"<html><body><pre>{lines(ORDERS)}</pre></body></html>")),
    )
    yield ordering(
        "html-entities",
        "HTML in which all blanks are entities",
        letter(html("<br/>".join(line.replace(" ", "&nbsp;").replace("-", "&#8211;") for line in ORDERS))),
    )
    yield ordering(
        "html-list",
        "HTML with a list",
        letter(html(f"<p>{SIGNON}</p><ul>{''.join(f'<li>{line}</li>' for line in ORDERS[1:])}</ul>")),
    )
    yield pressing(
        "typed-curly-press",
        "Press with curly quotes and a picture sign",
        letter(plain(lines(SIGNON, "PRESS TO Turkey", "“Shall we?” – Let’s… 🙂"))),
        press="“Shall we?” – Let’s… 🙂",
    )
