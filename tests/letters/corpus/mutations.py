"""Letters changed as the world changes them, and as nobody would: each change by dice, the same for the same dice.

A change that keeps leaves the lines of the letter's author whole, in their place and unquoted: what they ask for must
still be understood. The others may cost the letter, but nothing else.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from judge.letters import Part, parse_letter
from judge.letters.text import decode
from tests.letters.corpus.content import PRESS, TOLD, lines, marked
from tests.letters.corpus.samples import Sample
from tests.letters.corpus.security import signed_data, streamed_data
from tests.letters.corpus.tongues import APPLE, GMAIL, OUTLOOK, THUNDERBIRD
from tests.letters.corpus.wire import encoded, entity, multipart, text_entity

Dice = random.Random
# What comes back: the new bytes, or None where the change does not fit the letter.
Change = Callable[[Dice, Sample], bytes | None]


@dataclass(frozen=True)
class Mutation:
    """A change, by its name; `keeps`: the author's lines stay whole. `moves`: lines may come to stand elsewhere."""

    name: str
    change: Change
    keeps: bool = False
    moves: bool = False


# Below, the changes that keep.


def _noise_in_the_head(dice: Dice, sample: Sample) -> bytes:
    fields = [
        b"Received: from [192.0.2.7] (helo=mail) by mx.example.net; Mon, 4 May 2026 10:05:00 +0000\r\n",
        b"DKIM-Signature: v=1; a=rsa-sha256; d=example.org;\r\n\th=from:to; bh=AbC=; b=xYz\r\n",
        b"X-Spam-Status: No, score=-1.2\r\n",
        b"X-Mailer: \xff\xfe odd bytes\r\n",
        b"Thread-Index: AdyzQ\r\n",
        b"X-Long: " + b"x" * dice.randrange(20_000) + b"\r\n",
        b"Received-SPF: pass\r\n",
        b"Content-Language: de-DE\r\n",
    ]
    return b"".join(dice.sample(fields, dice.randrange(1, len(fields)))) + sample.raw


def _line_feeds(dice: Dice, sample: Sample) -> bytes:
    return sample.raw.replace(b"\r\n", b"\n")


def _quote_below(dice: Dice, sample: Sample) -> bytes | None:
    heading = dice.choice([*GMAIL.values(), *THUNDERBIRD.values(), *(heading for _, heading in APPLE.values())])
    told = dice.sample(TOLD, dice.randrange(2, len(TOLD)))
    return _behind(sample, lines("", heading, marked(told, space=dice.choice([" ", ""]))), unsigned=True)


def _history_below(dice: Dice, sample: Sample) -> bytes | None:
    _, names, date = dice.choice(list(OUTLOOK.values()))
    values = ("Judge <judge@example.org>", date, "Fay <france@example.org>", "Re: heron")
    block = [f"{name} {value}" for name, value in zip(names, values, strict=True)]
    rule = dice.choice(["", "_" * 32, "-----Original Message-----"])
    return _behind(sample, lines("", rule, block, "", TOLD))


def _vendor_below(dice: Dice, sample: Sample) -> bytes | None:
    vendors = [*(vendor for vendor, _ in APPLE.values()), *(vendor for vendor, _, _ in OUTLOOK.values())]
    return _behind(sample, lines("", dice.choice(vendors)))


def _signature_below(dice: Dice, sample: Sample) -> bytes | None:
    return _behind(sample, lines("", "-- ", dice.choice(["Fay", "A PAR - PIC", "SIGNOFF", "Yours\n\nF."])))


def _prose_between(dice: Dice, sample: Sample) -> bytes | None:
    said = dice.choice(["Well, well.", "Мой флот", "x" * 5000, "....", "→→→", "#", "France is great", "\u202eolleh"])

    def edit(text: str) -> str:
        return re.sub(r"(?m)^(?=A MAR S)", f"{said}\n", text, count=1)

    return _edited(sample, edit) if sample.orders else None


def _orders_doubled(dice: Dice, sample: Sample) -> bytes | None:
    def edit(text: str) -> str:
        return re.sub(r"(?m)^(A PAR - BUR\r?\n)", r"\1" * dice.randrange(2, 9), text, count=1)

    return _edited(sample, edit) if sample.orders else None


def _blank_lines(dice: Dice, sample: Sample) -> bytes | None:
    blank = dice.choice(["\r\n", " \r\n", "\t\r\n", "\u3000\r\n"]) * dice.randrange(1, 30)
    return _edited(sample, lambda text: blank + text)


def _greeting_above(dice: Dice, sample: Sample) -> bytes | None:
    said = dice.choice(
        ["Hello,", "Dear Judge:", "Grüße", "To whom it may concern:", "> old", "Здравствуйте", "-- wait", "x" * 9000]
    )
    return _edited(sample, lambda text: f"{said}\r\n\r\n{text}")


def _in_a_mixture(dice: Dice, sample: Sample) -> bytes | None:
    if not _can_be_wrapped(sample):
        return None
    head, inner = _split(sample.raw)
    beside = [
        entity("image/png; name=logo.png", b"\x89PNG" + dice.randbytes(300), "base64"),
        entity("application/octet-stream; name=a.bin", dice.randbytes(2000), "base64"),
        text_entity("text/plain", "A PAR - PIC\n", "utf-8", "8bit", 'name="old.txt"'),
        text_entity("text/calendar", "BEGIN:VCALENDAR\nEND:VCALENDAR\n", "utf-8", "base64"),
    ]
    return head + multipart("mixed", f"=_m{dice.randrange(10**9)}", inner, *dice.sample(beside, dice.randrange(1, 4)))


def _in_a_signature(dice: Dice, sample: Sample) -> bytes | None:
    if not _can_be_wrapped(sample):
        return None
    head, inner = _split(sample.raw)
    wrap = dice.choice([signed_data, streamed_data])
    return head + entity("application/pkcs7-mime; smime-type=signed-data", wrap(inner), "base64")


def _other_transfer(dice: Dice, sample: Sample) -> bytes | None:
    """Each text in another transfer encoding."""
    cte = dice.choice(["base64", "quoted-printable"])
    root = parse_letter(sample.raw)
    if root.parts or not root.content_type.startswith("text/") or root.encoding == cte:
        return None
    head, _ = _split(sample.raw)
    return head + entity(root.header("content-type") or "text/plain", root.payload, cte)


# Below, the changes that may cost the letter.


def _cut(dice: Dice, sample: Sample) -> bytes:
    return sample.raw[: dice.randrange(len(sample.raw))]


def _hole(dice: Dice, sample: Sample) -> bytes:
    start, end = _slice(dice, sample.raw)
    return sample.raw[:start] + sample.raw[end:]


def _doubled(dice: Dice, sample: Sample) -> bytes:
    start, end = _slice(dice, sample.raw)
    return sample.raw[:end] + sample.raw[start:end] * dice.choice([1, 1, 2, 7]) + sample.raw[end:]


def _blown_up(dice: Dice, sample: Sample) -> bytes:
    """A piece so often that the letter has some hundred thousand bytes."""
    start, end = _slice(dice, sample.raw, 200)
    return (
        sample.raw[:end] + sample.raw[start:end] * (dice.randrange(10_000, 400_000) // (end - start)) + sample.raw[end:]
    )


def _shuffled(dice: Dice, sample: Sample) -> bytes:
    rows = sample.raw.split(b"\r\n")
    start, end = sorted(dice.sample(range(len(rows) + 1), 2))
    some = rows[start:end]
    dice.shuffle(some)
    return b"\r\n".join([*rows[:start], *some, *rows[end:]])


def _mangled(dice: Dice, sample: Sample) -> bytes:
    raw = bytearray(sample.raw)
    for _ in range(dice.randrange(1, 30)):
        raw[dice.randrange(len(raw))] = dice.randrange(256)
    return bytes(raw)


_CHARSETS = [
    *("utf-7", "utf-8", "utf-16", "utf-32", "iso-2022-kr", "hz", "koi8-r", "cp037", "cp500", "idna", "punycode"),
    *("hex", "rot13", "x-klingon", "us-ascii"),
]


def _other_charset(dice: Dice, sample: Sample) -> bytes:
    return re.sub(rb'(?i)charset="?[\w-]+"?', lambda _: f"charset={dice.choice(_CHARSETS)}".encode(), sample.raw)


_FIELDS = [
    b"Content-Type: multipart/mixed; boundary=x",
    b"Content-Type: text/html",
    b"Content-Transfer-Encoding: base64",
    b"Content-Transfer-Encoding: x-uuencode",
    b"From: france@example.org, italy@example.org",
    b"From: <>",
    b"Subject:",
    b"Subject: =?utf-8?q?SIGNON_Fheron_pwfrance?=",
    b"Subject: SINON Fheron pwfrance",
    b"Reply-To: turkey@example.org",
    b"Auto-Submitted: auto-replied",
    b"Precedence: bulk",
    b"Return-Path: <>",
    b"Date: Mon, 99 Foo 2026",
    b"Message-ID: <",
    b"References: " + b"<a@b> " * 3000,
    b"Content-Type: application/pkcs7-mime",
    b"Content-Type: message/rfc822",
    b"\xff: \x00",
    b"List-Id: <a.b>",
    b"X-Judge: 1",
    b"Content-Disposition: attachment",
    b"To: " + b"a@b.c, " * 2000,
]


def _other_field(dice: Dice, sample: Sample) -> bytes:
    """A field above all others, or in the place of one."""
    head, blank, body = sample.raw.partition(b"\r\n\r\n")
    rows = head.split(b"\r\n")
    place = dice.randrange(len(rows))
    rows[place : place + dice.randrange(2)] = [dice.choice(_FIELDS)]
    return b"\r\n".join(rows) + blank + body


_TOKENS = [
    b"SIGNON Fheron pwfrance",
    b"SIGN\xc2\xadON Fheron pwfrance",
    b"SINON Fheron pwfrance",
    b"ENDPRESS",
    b"SIGNOFF",
    b"END",
    b"> ",
    b"-- ",
    b"<blockquote>",
    b"</blockquote>",
    b"<!--",
    b"<style>",
    b"&#x110000;",
    b"\x00",
    b"\xff\xfe",
    b"=\r\n",
    b"=?utf-8?b?",
    b"\r\n\r\n",
    b"\r\n.\r\n",
    b"\r",
    b"-----BEGIN PGP SIGNATURE-----",
    b"On Mon, 4 May 2026 at 10:00, x <a@b.c> wrote:",
    b"PRESS TO Turkey",
    b"BROADCAST",
    b":: Judge: JUDG  Game: heron",
    "‮".encode(),
    "ⅯⅯ".encode(),
    b"a\xcc\x81" * 200,
    b"IF A PAR - BUR THEN",
    b"ENDIF",
    b"//",
    b"SET PASSWORD x",
    b"A PAR - BUR - PIC - GAS" * 50,
    b"CONFIRM abcdefghjkmn",
    b"OBSERVE heron pwfrance",
    b"REGISTER\r\nName: x\r\nEND",
    b"HELP",
    b"LIST",
]


def _token(dice: Dice, sample: Sample) -> bytes:
    raw = sample.raw
    for _ in range(dice.randrange(1, 5)):
        place = dice.choice([dice.randrange(len(raw)), raw.find(b"\r\n", dice.randrange(len(raw))) + 2])
        raw = raw[:place] + dice.choice(_TOKENS) + dice.choice([b"", b"\r\n"]) + raw[place:]
    return raw


def _lines_changed_about(dice: Dice, sample: Sample) -> bytes | None:
    """Lines of the text doubled, left out, quoted, joined, in other places."""

    def edit(text: str) -> str:
        rows = text.split("\n")
        for _ in range(dice.randrange(1, 6)):
            place, other = dice.randrange(len(rows)), dice.randrange(len(rows))
            rows[place] = dice.choice(
                [rows[other], f"> {rows[place]}", f"{rows[place]} {rows[other]}", "", rows[place] * 2]
            )
        return "\n".join(rows)

    return _edited(sample, edit)


MUTATIONS = [
    *(
        Mutation(change.__name__.strip("_"), change, keeps=True)
        for change in (
            _noise_in_the_head,
            _line_feeds,
            _quote_below,
            _history_below,
            _vendor_below,
            _signature_below,
            _prose_between,
            _orders_doubled,
            _blank_lines,
            _greeting_above,
            _in_a_mixture,
            _in_a_signature,
            _other_transfer,
        )
    ),
    *(
        Mutation(
            change.__name__.strip("_"),
            change,
            moves=change in (_shuffled, _lines_changed_about, _doubled, _blown_up, _hole, _token),
        )
        for change in (
            _cut,
            _hole,
            _doubled,
            _blown_up,
            _shuffled,
            _mangled,
            _other_charset,
            _other_field,
            _token,
            _lines_changed_about,
        )
    ),
]


def _can_be_wrapped(sample: Sample) -> bool:
    """What is a machine's by its own structure is no more when that lies inside of another."""
    return b"\r\n\r\n" in sample.raw and not sample.silent


def _split(raw: bytes) -> tuple[bytes, bytes]:
    """The fields of the whole letter, and its entity: what begins with Content-."""
    head, _, body = raw.partition(b"\r\n\r\n")
    fields = re.findall(rb"[^\r\n]*(?:\r\n[ \t][^\r\n]*)*", head)
    own = [field for field in fields if field and not field.lower().startswith(b"content-")]
    kept = [field for field in fields if field.lower().startswith(b"content-")]
    return b"".join(field + b"\r\n" for field in own), b"".join(field + b"\r\n" for field in kept) + b"\r\n" + body


def _slice(dice: Dice, raw: bytes, most: int = 3000) -> tuple[int, int]:
    start = dice.randrange(len(raw))
    return start, min(len(raw), start + dice.randrange(1, most))


def _behind(sample: Sample, text: str, unsigned: bool = False) -> bytes | None:
    """The text at the end of the letter, where that is plain; what ends otherwise has nothing behind it."""
    root = parse_letter(sample.raw)
    if root.parts or root.content_type != "text/plain" or unsigned and not _ends_with_own(root):
        return None
    return _edited(sample, lambda own: own + text.replace("\n", "\r\n"))


def _ends_with_own(root: Part) -> bool:
    """Whether the last line of the letter is its author's: below an older mail nothing is."""
    text = decode(root.payload, root.parameters.get("charset", ""))
    return text.rstrip().endswith(("F BRE - MAO", PRESS[-1]))


def _edited(sample: Sample, edit: Callable[[str], str]) -> bytes | None:
    """The letter with its one plain text edited, in its own charset and encoding; None for other letters."""
    raw = sample.raw
    root = parse_letter(raw)
    if root.parts or root.content_type != "text/plain":
        return None
    charset = root.parameters.get("charset", "")
    text = decode(root.payload, charset)
    try:
        codec = next(codec for codec in (charset, "utf-8", "cp1252", "latin-1") if _decodes(root.payload, codec, text))
        data = edit(text).encode(codec)
    except (StopIteration, UnicodeEncodeError):
        return None
    return raw[: len(raw) - len(root.body)] + encoded(data, root.encoding)


def _decodes(data: bytes, codec: str, text: str) -> bool:
    try:
        return data.decode(codec) == text
    except (LookupError, ValueError):
        return False


def mutated(dice: Dice, samples: list[Sample]) -> tuple[Sample, list[Mutation]]:
    """A letter of these, changed once or more, and how."""
    sample = dice.choice(samples)
    made: list[Mutation] = []
    wanted = dice.choice([1, 1, 1, 2, 3])
    while len(made) < wanted:
        # Bare line feeds are the last that comes over a letter: the other changes know letters as they are sent.
        mutation = dice.choice(MUTATIONS)
        raw = mutation.change(dice, sample)
        if raw:
            sample = replace(sample, raw=raw)
            made.append(mutation)
        if mutation.change is _line_feeds:
            break
    return sample, made
