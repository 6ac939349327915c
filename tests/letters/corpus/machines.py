"""What machines write: absence notes in many languages, bounces, receipts, newsletters. Nobody may answer them.

And what lists and alias services pass on, which is answered if it signs on.
"""

from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, TOLD, breaks, lines, marked
from tests.letters.corpus.samples import Sample, ordering, silent
from tests.letters.corpus.wire import entity, html, letter, multipart, plain

_ABSENT = {
    "en": ("Automatic reply: heron", "I am out of the office until Monday."),
    "de": ("Automatische Antwort: heron", "Ich bin bis Montag nicht im Büro."),
    "fr": ("Réponse automatique : heron", "Je suis absent jusqu'à lundi."),
    "es": ("Respuesta automática: heron", "Estoy fuera de la oficina hasta el lunes."),
    "it": ("Risposta automatica: heron", "Sono assente fino a lunedì."),
    "pl": ("Odpowiedź automatyczna: heron", "Jestem nieobecny do poniedziałku."),
    "ru": ("Автоматический ответ: heron", "Меня нет на работе до понедельника."),
    "ja": ("自動応答: heron", "月曜日まで不在です。"),
    "zh-CN": ("自动答复: heron", "我不在办公室。"),
    "tr": ("Otomatik yanıt: heron", "Pazartesiye kadar yokum."),
}

_LISTS = (
    (
        "list-mailman",
        "Mailman, a mailing list",
        [
            ("List-Id", "Diplomacy <dip.lists.example.org>"),
            ("Precedence", "list"),
            ("List-Unsubscribe", "<mailto:dip-leave@lists.example.org>"),
        ],
    ),
    (
        "list-google",
        "Google Groups",
        [
            ("Precedence", "list"),
            ("Mailing-list", "list dip@googlegroups.com; contact dip+owners@googlegroups.com"),
            ("List-ID", "<dip.googlegroups.com>"),
            ("X-Google-Group-Id", "123456789012"),
        ],
    ),
    ("list-exchange", "Exchange, a distribution list", [("X-Auto-Response-Suppress", "All")]),
    ("alias-simplelogin", "SimpleLogin, an alias", [("List-Unsubscribe", "<mailto:u@simplelogin.example>")]),
)
_NEWSLETTER = [
    ("List-Unsubscribe", "<https://example.org/u>"), ("Precedence", "bulk"), ("X-Mailer", "MailChimp Mailer")
]  # fmt: skip


def samples() -> Iterator[Sample]:
    for number, (tongue, (subject, text)) in enumerate(_ABSENT.items()):
        fields = (
            [
                ("Auto-Submitted", "auto-generated"),
                ("X-Auto-Response-Suppress", "All"),
                ("X-MS-Exchange-Inbox-Rules-Loop", "france@example.org"),
            ],
            [("Precedence", "bulk"), ("X-Autoreply", "yes"), ("Auto-Submitted", "auto-replied")],
        )[number % 2]
        house = ("Exchange", "Gmail")[number % 2]
        raw = letter(
            multipart("alternative", "_000_oof_", plain(lines(text, "", ORDERS)), html(breaks([text]))),
            *fields,
            subject=subject,
        )
        yield silent(f"absence-{tongue}", f"{house}, absence note, {tongue}", raw)
    for name, program, fields in (
        ("absence-vacation", "vacation(1)", [("Auto-Submitted", "auto-replied (vacation)"), ("Precedence", "junk")]),
        (
            "absence-sieve",
            "Dovecot Pigeonhole, vacation",
            [("Auto-Submitted", "auto-replied (vacation)"), ("X-Sieve", "Pigeonhole Sieve 0.5.21")],
        ),
        ("absence-cpanel", "cPanel, autoresponder", [("X-Autorespond", "heron"), ("Precedence", "auto_reply")]),
    ):
        yield silent(name, program, letter(plain(lines(ORDERS, "", marked(TOLD))), *fields))
    for name, program, fields in _LISTS:
        yield ordering(name, program, letter(plain(lines(ORDERS, "", marked(TOLD))), *fields))
    # Without a sign-on nobody is answered who comes by such a way.
    name, program, fields = _LISTS[0]
    yield silent(f"{name}-no-signon", program, letter(plain(lines(ORDERS[1:], "", marked(TOLD))), *fields))
    news = plain(lines("News of this month", "", "Unsubscribe: https://example.org/u"))
    yield silent("newsletter-mailchimp", "Mailchimp, a newsletter", letter(news, *_NEWSLETTER))
    report = multipart(
        "report",
        "=_report",
        plain("The recipient's mail system says:\n550 no such user\n", "us-ascii", "7bit"),
        entity(
            "message/delivery-status",
            (
                b"Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; "
                b"france@example.org\r\nAction: failed\r\n"
            ),
        ),
        entity("message/rfc822", letter(plain(lines(ORDERS), "us-ascii", "7bit"))),
        parameters="; report-type=delivery-status",
    )
    yield silent(
        "bounce-postfix",
        "Postfix, a bounce",
        letter(
            report,
            ("Return-Path", "<>"),
            ("Auto-Submitted", "auto-replied"),
            sender="MAILER-DAEMON@example.org (Mail Delivery System)",
            subject="Undelivered Mail Returned to Sender",
        ),
    )
    yield silent(
        "bounce-exim",
        "Exim, a bounce",
        letter(
            plain(
                lines("This message was created automatically by mail delivery software.", "", ORDERS), "us-ascii", ""
            ),
            ("Return-Path", "<>"),
            ("X-Failed-Recipients", "france@example.org"),
            sender="Mail Delivery System <Mailer-Daemon@example.org>",
        ),
    )
    yield silent(
        "bounce-exchange",
        "Exchange, a bounce",
        letter(
            report, ("Auto-Submitted", "auto-replied"), sender="postmaster@example.org", subject="Undeliverable: heron"
        ),
    )
    receipt = multipart(
        "report",
        "------------mdn",
        plain("This is a receipt for the mail that you sent.\n"),
        entity(
            "message/disposition-notification",
            (
                b"Final-Recipient: rfc822;france@example.org\r\nDisposition: manual-action/MDN-sent-manually; "
                b"displayed\r\n"
            ),
        ),
        parameters="; report-type=disposition-notification",
    )
    yield silent(
        "receipt-thunderbird", "Thunderbird, a receipt", letter(receipt, subject="Return Receipt (displayed) - heron")
    )
    yield silent(
        "receipt-outlook",
        "Outlook, a receipt",
        letter(receipt, ("X-MS-Exchange-Organization-SCL", "-1"), subject="Read: heron"),
    )
