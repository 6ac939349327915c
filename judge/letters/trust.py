"""Whom a letter is from, as far as that can be believed, and whether it may be answered at all.

Answering machines is how mail loops begin, so everything that RFC 3834 §2 warns of is silent. Proof of the sender
is taken only from the Authentication-Results (RFC 8601) that our own mail server wrote; SPF alone proves nothing
about From.
"""

import re

from judge.letters.mime import Headers, Part

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
    local, _, domain = sender.rpartition("@")
    return sender in own_addresses or f"{local.partition('+')[0]}@{domain}" in own_addresses


_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"\s*([A-Za-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([A-Za-z]+)")
_PROPERTY = re.compile(r"\bheader\.(from|d|i)\s*=\s*(\"[^\"]*\"|[^\s;]+)", re.IGNORECASE)


def verified(headers: Headers, authserv_id: str, sender: str) -> bool | None:
    """Did our own mail server find that `sender` sent it? None: it did not say, or we were not told its name.

    The topmost field under our server's name counts: it was added last, by us; those below came in.
    """
    if not authserv_id:
        return None
    for value in headers.get("authentication-results", ()):
        name, _, rest = _without_comments(value).partition(";")
        if name.split()[:1] and name.split()[0].strip('"').lower() == authserv_id.lower():
            return bool(sender) and _proves(rest, sender.rpartition("@")[2])
    return None


def _without_comments(value: str) -> str:
    for _ in range(5):    # comments nest
        value, found = _COMMENT.subn(" ", value)
        if not found:
            break
    return value


def _proves(results: str, domain: str) -> bool:
    """DMARC passed for this From, or, where DMARC has no say, its domain (or a parent) signed with DKIM."""
    signed = False
    for result in results.split(";"):
        verdict = _RESULT.match(result)
        if verdict is None:
            continue
        method, outcome = verdict[1].lower(), verdict[2].lower()
        properties: dict[str, str] = {
            name.lower(): text.strip('"').lower() for name, text in _PROPERTY.findall(result)
        }
        if method == "dmarc" and outcome == "pass":
            return properties.get("from", domain).rpartition("@")[2] == domain
        if method == "dmarc" and outcome == "fail":
            return False
        if method == "dkim" and outcome == "pass":
            signer = properties.get("d") or properties.get("i", "").rpartition("@")[2]
            signed = signed or _aligned(signer, domain)
    return signed


def _aligned(signer: str, domain: str) -> bool:
    return "." in signer and (domain == signer or domain.endswith("." + signer))

