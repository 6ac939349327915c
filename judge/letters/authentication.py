"""What our own mail server found out about the sender of a letter: its Authentication-Results (RFC 8601).

The sender of the letter can choose much of that field: local parts, selectors, reasons from their DNS. Such text is in
quoted strings and comments, or is a single word. So the field is first parsed as the RFC defines it, in one pass, and
only then searched. Only methods that are about From can prove it: DMARC, and DKIM if the signer is aligned; SPF alone
does not.

Why the judge has its own parser: `authres` on PyPI (1.2.0, of 2019, the latest) reads all of this correctly, but
refuses whole fields that servers do write (`smtp.mailfrom=<>`), recurses for every nested comment, and takes time that
grows faster than the field.
"""

import re

from judge.addresses import normal_domain
from judge.letters.parsed import Headers
from judge.letters.text import decode

_FIELD = "authentication-results"
# RFC 8601, 2.2: the version, if it is given.
_VERSION = "1"

# ASCII blanks only: non-ASCII bytes in a header are read as Latin-1, and one of them is NBSP.
_PIECE = re.compile(r'[^"()\\]++|"([^"\\]*+(?:\\.[^"\\]*+)*)"|[()"\\]', re.DOTALL)
_IN_COMMENT = re.compile(r"[^()\\]*+(?:\\.[^()\\]*+)*([()]|\\?\Z)", re.DOTALL)
# The quoted strings whose quotes can be removed. Others are replaced by a word that never matches.
_PLAIN = re.compile(r"[A-Za-z0-9._@+-]+")
_OPAQUE = '"'
_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)(?![^\s])", re.ASCII | re.IGNORECASE)
# Properties that begin as a separate word; the value ends at the next blank, whatever it contains.
_PROPERTY = re.compile(r"(?<!\S)([a-z]+)\s*\.\s*([a-z0-9_-]+)\s*=\s*(\S*)", re.ASCII | re.IGNORECASE)


def verified(headers: Headers, authserv_id: str, sender: str) -> bool | None:
    """Did our own mail server confirm that `sender` (an address in its one form) sent it? None: the server did not say,
    or we do not know its name.

    The topmost field under our server's name counts: our server added it last; fields below it came with the letter.
    """
    if not authserv_id:
        return None
    for value in headers.get(_FIELD, ()):
        text, whole = _bare(value)
        name, _, results = text.partition(";")
        words = name.split()
        if words and words[0].lower() == authserv_id.lower():
            understood = whole and words[1:] in ([], [_VERSION])
            return understood and _proves(results.split(";"), sender.rpartition("@")[2])
    return None


def _bare(value: str) -> tuple[str, bool]:
    """The field without comments and quotes, so that all its blanks and semicolons are separators of the field; and
    whether all comments and quoted strings are closed.
    """
    kept: list[str] = []
    position = 0
    while found := _PIECE.match(value, position):
        position = found.end()
        if found[0] == "(":
            kept.append(" ")
            position = _comment_end(value, position)
            if position < 0:
                return "".join(kept), False
        elif found[0] in (")", '"', "\\"):
            return "".join(kept), False
        elif found[1] is not None:
            kept.append(found[1] if _PLAIN.fullmatch(found[1]) else _OPAQUE)
        else:
            kept.append(found[0])
    return "".join(kept), True


def _comment_end(value: str, position: int) -> int:
    """The end of the comment that contains `position`; comments can be nested. -1: it has no end."""
    depth = 1
    while depth and (found := _IN_COMMENT.match(value, position)):
        if found[1] not in ("(", ")"):
            return -1
        depth += 1 if found[1] == "(" else -1
        position = found.end()
    return position


def _proves(results: list[str], domain: str) -> bool:
    """DMARC passed for this From, or, if there is no DMARC result, its domain (or a parent) signed with DKIM."""
    signed, passed = False, set()
    for result in results:
        verdict = _RESULT.match(result)
        if verdict is None:
            continue
        method, outcome = verdict[1].lower(), verdict[2].lower()
        told = _properties(result, verdict.end())
        if method == "dmarc" and outcome in ("pass", "fail"):
            passed.add(outcome == "pass" and _domain(told.get("header.from", domain)) == domain)
        elif method == "dkim" and outcome == "pass":
            signed = signed or _aligned(_domain(told.get("header.d") or told.get("header.i", "")), domain)
    return bool(domain) and (passed == {True} if passed else signed)


def _properties(result: str, start: int) -> dict[str, str]:
    """{"header.d": its value}, and so for each property of a result; of one that is there twice, what never matches."""
    told: dict[str, str] = {}
    for kind, name, text in _PROPERTY.findall(result, start):
        key = f"{kind}.{name}".lower()
        told[key] = text if told.get(key, text) == text else _OPAQUE
    return told


def _domain(value: str) -> str:
    """The domain of a domain or an address, in its one form."""
    domain = value.rpartition("@")[2]
    return normal_domain(domain if domain.isascii() else decode(domain.encode("latin-1", "replace")))


def _aligned(signer: str, domain: str) -> bool:
    return "." in signer and (domain == signer or domain.endswith("." + signer))
