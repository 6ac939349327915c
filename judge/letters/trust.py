"""Whether a letter may be answered at all.

Answering machines is how mail loops begin, so everything that RFC 3834 §2 warns of is silent.
"""

import re

from judge.addresses import without_tag
from judge.letters.mime import Part

MARK = "x-judge"    # every mail we send carries it

_MACHINE = re.compile(
    r"(?:mailer-?daemon|mail-?daemon|post-?master|double-bounce|majordomo|listserv|bounces?"
    r"|(?:do[-_.]?)?not?[-_.]?reply)(?:[-_.+=\d].*)?"
)
_UNANSWERABLE_PRECEDENCE = {"bulk", "junk", "list", "auto_reply", "auto-reply"}
_AUTOMATIC_FIELDS = ("x-autoreply", "x-auto-reply", "x-autorespond", "x-autoresponse")
_LIST_FIELDS = ("list-id", "list-unsubscribe", "list-post", "mailing-list", "x-mailing-list")
# MS-OXCMAIL 2.1.3.2.20. The others (DR, NDR, RN, NRN, OOF) ask for no receipts and no absence notes: we send
# neither, and mail from people carries them.
_NO_ANSWER_WANTED = {"all", "autoreply"}


def silent_reason(letter: Part, sender: str, own_addresses: frozenset[str] = frozenset()) -> str:
    """Why this letter must never be answered, in a few words for the log; "" if it may be."""
    headers = letter.headers
    if MARK in headers or _is_own(sender, own_addresses):
        return "our own mail"
    automatic = letter.header("auto-submitted").partition(";")[0].strip().lower()
    if automatic not in ("", "no"):
        return "auto-reply (Auto-Submitted)"
    if any(name in headers for name in _AUTOMATIC_FIELDS):
        return "auto-reply"
    if letter.content_type in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return "bounce or receipt"
    if letter.header("return-path").replace(" ", "") == "<>":
        return "bounce (empty Return-Path)"
    if letter.header("precedence").lower() in _UNANSWERABLE_PRECEDENCE:
        return f"bulk mail (Precedence: {letter.header('precedence').lower()})"
    if any(name in headers for name in _LIST_FIELDS):
        return "mailing list"
    suppress = {word.strip().lower() for word in letter.header("x-auto-response-suppress").split(",")}
    if suppress & _NO_ANSWER_WANTED:
        return "auto-reply (X-Auto-Response-Suppress)"
    if not sender:
        return "no usable sender"
    if _MACHINE.fullmatch(sender.rpartition("@")[0]):
        return f"a machine's address ({sender})"
    return ""


def _is_own(sender: str, own_addresses: frozenset[str]) -> bool:
    """Also when it carries a tag, as the return path of one of our mails does."""
    return sender in own_addresses or without_tag(sender) in own_addresses
