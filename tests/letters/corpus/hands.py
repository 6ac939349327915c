"""What people's hands make of a letter in these programs: bold, lists, what was copied, all of it on one line."""

from collections.abc import Iterator

from tests.letters.corpus.content import ORDERS, PRESS, SIGNON, breaks, divs, lines
from tests.letters.corpus.samples import Sample, ordering, pressing
from tests.letters.corpus.wire import html, letter, multipart, plain

_OWN = ORDERS[1:]


def samples() -> Iterator[Sample]:
    yield from _bold()
    yield from _lists()
    yield from _copied()
    yield from _sentences()


def _both(name: str, text: list[str], page: str) -> bytes:
    return letter(multipart("alternative", f"000000000000{name}", plain(lines(text), '"UTF-8"'), html(page)))


def _bold() -> Iterator[Sample]:
    bold = [f"*{line}*" for line in ORDERS]
    page = divs(ORDERS).replace("<div>", "<div><b>").replace("</div>", "</b></div>")
    yield ordering("gmail-web-bold", "Gmail on the web, each line in bold", _both("b0", bold, page))
    whole = [f"*{ORDERS[0]}", *ORDERS[1:-1], f"{ORDERS[-1]}*"]
    page = f"<div dir=ltr><b>{breaks(ORDERS)}</b></div>"
    yield ordering("gmail-web-bold-whole", "Gmail on the web, all of it in bold", _both("b1", whole, page))
    words = [SIGNON.replace("pwfrance", "*pwfrance*"), "A *PAR* - *BUR*", "*A MAR* S *A PAR* - BUR", "*F* BRE - _MAO_"]
    yield ordering("gmail-android-bold-words", "Gmail for Android, words in bold", letter(plain(lines(words))))
    press = [f"*{PRESS[0]}*", f"*{PRESS[1]}*", *PRESS[2:], "*ENDPRESS*"]
    yield pressing("gmail-web-bold-press", "Gmail on the web, commands in bold", letter(plain(lines(press))))
    thunderbird = [f"*{SIGNON}*", "_A PAR - BUR_", "/A MAR S A PAR - BUR/", "*_F BRE - MAO_*"]
    yield ordering(
        "thunderbird-bold",
        "Thunderbird, HTML sent as text: bold, underlined, in italics",
        letter(plain(lines(thunderbird), "UTF-8", "7bit", "format=flowed"), ("User-Agent", "Mozilla Thunderbird")),
    )


def _lists() -> Iterator[Sample]:
    outlook = ("X-Mailer", "Microsoft Outlook 16.0")
    for name, signs in {"bullets": "▪◦‣", "hollow": "○●■", "arrows": "➢►§", "dots": "···"}.items():
        text = [SIGNON, *(f"{sign}\t{line}" for sign, line in zip(signs, _OWN, strict=True))]
        yield ordering(
            f"outlook-classic-{name}", "Outlook on the desk, a list made text", letter(plain(lines(text)), outlook)
        )
    numbers = [SIGNON, "1.)\tA PAR - BUR", "2:\tA MAR S A PAR - BUR", "(3)\tF BRE - MAO"]
    yield ordering(
        "outlook-classic-numbers", "Outlook on the desk, numbers typed by hand", letter(plain(lines(numbers)), outlook)
    )
    yield ordering(
        "gmail-web-list",
        "Gmail on the web, a list made text",
        letter(plain(lines(SIGNON, "", *(f"   - {line}\n" for line in _OWN)))),
    )
    notes = [SIGNON, "- [ ] A PAR - BUR", "- [x] A MAR S A PAR - BUR", "☐ F BRE - MAO"]
    yield ordering(
        "apple-notes", "Apple Notes, a list to tick, shared by Mail", letter(plain(lines(notes))),
        orders=("A MAR S A PAR - BUR",), strays=("- [ ] A PAR - BUR", "☐ F BRE - MAO"),
    )  # fmt: skip
    letters = [f"- {SIGNON}", "- a) A PAR-BUR", "- b) A MAR S A PAR-BUR", "- c) F BRE-MAO"]
    yield ordering("apple-notes-letters", "Apple Notes, the sign-on in the list", letter(plain(lines(letters))))


def _copied() -> Iterator[Sample]:
    chat = [SIGNON, "*A PAR - BUR*", "*A MAR S A PAR - BUR*", "_F BRE - MAO_"]
    yield ordering("whatsapp-copied", "Copied from WhatsApp, with its marks", letter(plain(lines(chat))))
    fenced = ["```", *ORDERS, "```"]
    yield ordering("slack-copied", "Copied from Slack or Discord, a block of code", letter(plain(lines(fenced))))
    quoted = [f"`{SIGNON}`", *(f"`{line}`" for line in _OWN)]
    yield ordering("markdown-here", "Markdown Here, code in the text", letter(plain(lines(quoted))))
    signed = [
        "-----BEGIN PGP SIGNED MESSAGE-----", "Hash: SHA512", "", SIGNON, *(f"- - {line}" for line in _OWN), "",
        "-----BEGIN PGP SIGNATURE-----", "", "iQIzBAEBCgAdFiEE", "=abcd", "-----END PGP SIGNATURE-----",
    ]  # fmt: skip
    yield ordering(
        "enigmail-clear-signed", "Enigmail, signed inside the text, with a list", letter(plain(lines(signed)))
    )
    japanese = [SIGNON, "A PARーBUR", "A MAR S A PAR ー BUR", "F　BRE　ー　MAO"]
    yield ordering(
        "typed-long-vowel",
        "A Japanese keyboard: the mark of a long vowel for a dash",
        letter(plain(lines(japanese), "iso-2022-jp", "7bit")),
    )
    korean = [SIGNON, "A PAR ㅡ BUR", "A MAR S A PARㅡBUR", "F BRE ― MAO"]
    yield ordering("typed-korean-dash", "A Korean keyboard: a vowel for a dash", letter(plain(lines(korean))))


def _sentences() -> Iterator[Sample]:
    iphone = ("X-Mailer", "iPhone Mail (22E252)")
    sent = ["", "Sent from my iPhone"]
    for name, own in {
        "one-line": [f"{SIGNON} {', '.join(_OWN)}"],
        "one-line-alone": [f"{SIGNON} {' '.join(_OWN)}"],
        "greeting": [f"Hello judge, {SIGNON} {' and '.join(_OWN)}"],
        "polite": [
            "Hi Judge,", "", SIGNON, "Please move A PAR to BUR", "A MAR supports A PAR into BUR, please",
            "and Fleet Brest sails to the Mid-Atlantic Ocean (as ever)",
        ],
        "words": ["SIGNON France heron pwfrance", *(f"{line} # as we said" for line in _OWN)],
    }.items():  # fmt: skip
        text = lines(own, sent)
        # What is taken for a remark is shown.
        shown = tuple(line for line in own if line.endswith("(as ever)"))
        sample = letter(plain(text), iphone)
        yield ordering(f"apple-ios-{name}", "Apple Mail for iPhone, as people speak", sample, strays=shown)
