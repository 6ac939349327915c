"""Proof of a letter's sender, by our own mail server (RFC 8601) and the provider's signature (RFC 6376).

A sender can choose much of an Authentication-Results field: local parts, selectors, reasons from their DNS. Text that
the sender chose is in quoted strings and comments, or is a single word. So the field is first parsed as the RFC defines
it, in one pass, and only then searched. Only a method that checks the From address proves the sender. Such methods are
DMARC, and DKIM if the signer's domain is aligned with the sender's. SPF alone proves nothing.

The parser is our own because `authres` on PyPI (1.2.0, of 2019) refuses fields that servers do write
(`smtp.mailfrom=<>`). It also recurses for every nested comment, and its time grows faster than the length of the field.

Our mail server says whether a signature is good. But someone may have added a field above the signed one, or the
signature may cover only part of the text. `not_covered` finds both faults.
"""

import hashlib
import re
from collections.abc import Mapping
from io import BytesIO

from judge.addresses import domain_of, normal_domain
from judge.letters.parsed import Headers, Part
from judge.letters.text import decode

# Only ASCII blanks are blanks here. Non-ASCII bytes in a header are read as Latin-1, where one is a no-break space.
_PIECE = re.compile(r'[^"()\\]++|"([^"\\]*+(?:\\.[^"\\]*+)*)"|\(', re.DOTALL)
_IN_COMMENT = re.compile(r"[^()\\]*+(?:\\.[^()\\]*+)*([()])", re.DOTALL)
# Quoted strings whose quotes can be removed. Other quoted strings are replaced by a word that never matches.
_PLAIN = re.compile(r"[A-Za-z0-9._@+-]+")
_OPAQUE = '"'
_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)(?![^\s])", re.ASCII | re.IGNORECASE)
# A property begins as a separate word. Its value ends at the next blank, whatever it contains.
_PROPERTY = re.compile(r"(?<!\S)([a-z]+)\s*\.\s*([a-z0-9_-]+)\s*=\s*(\S*)", re.ASCII | re.IGNORECASE)
# The fields that determine how a letter is read. RFC 5322, 3.6 and RFC 2045, 3 allow each only once.
_ONCE = ("from", "date", "message-id", "subject", "to", "in-reply-to", "references", "mime-version")
# The fields that must be signed. They say when a letter was written, and that it was written to the judge.
_SIGNED = ("date", "to")


def verified(headers: Headers, authserv_id: str, sender: str) -> bool | None:
    """Return whether our mail server confirms that `sender`, a normalized address, has sent the letter.

    Returns None if the server does not say, or if the settings do not name it. Only the topmost field with the server's
    name is used. The server added this field last, and other such fields came with the letter.

    A field whose server name is in quotes is ignored. Mail servers write no quotes there, so a server that removes
    forged fields may not recognize it.
    """
    for value in headers.get("authentication-results", ()):
        text, whole = _bare(value)
        name, _, results = text.partition(";")
        words = name.split()
        is_quoted = _OPAQUE in value.partition(";")[0]
        if words and words[0].lower() == authserv_id.lower() and not is_quoted:
            # RFC 8601, 2.2: a field may have a version.
            understood = whole and words[1:] in ([], ["1"])
            return understood and _proves(results.split(";"), domain_of(sender))
    return None


def _bare(value: str) -> tuple[str, bool]:
    """Remove comments and quotes from a field, so that every blank and semicolon left is a separator.

    Also return whether all comments and quotes were closed.
    """
    kept = []
    position = depth = 0  # comments can be nested
    while found := (_IN_COMMENT if depth else _PIECE).match(value, position):
        position = found.end()
        if depth:
            depth += 1 if found[1] == "(" else -1
        elif found[0] == "(":
            depth = 1
            kept.append(" ")
        elif found[1] is None:
            kept.append(found[0])
        else:
            kept.append(found[1] if _PLAIN.fullmatch(found[1]) else _OPAQUE)
    return "".join(kept), not depth and position == len(value)


def _proves(results: list[str], domain: str) -> bool:
    """Return whether DMARC passed for the domain of From.

    Without a DMARC result, return whether DKIM passed for the domain or a parent.
    """
    signed, passed = False, set()
    for result in results:
        verdict = _RESULT.match(result)
        if verdict is None:
            continue
        told = _properties(result, verdict.end())
        match verdict[1].lower(), verdict[2].lower():
            case "dmarc", ("pass" | "fail") as outcome:
                passed.add(outcome == "pass" and _domain(told.get("header.from", domain)) == domain)
            case "dkim", "pass":
                signer = _domain(told.get("header.d") or told.get("header.i", ""))
                signed |= "." in signer and f".{domain}".endswith(f".{signer}")
    if not domain:
        return False
    return passed == {True} if passed else signed


def _properties(result: str, begin: int) -> dict[str, str]:
    """Return the properties of the letter in one result, by name. A property that has two values matches nothing."""
    told: dict[str, str] = {}
    for kind, name, text in _PROPERTY.findall(result, begin):
        key = f"{kind}.{name}".lower()
        told[key] = text if told.get(key, text) == text else _OPAQUE
    return told


def _domain(value: str) -> str:
    """Return the normalized domain of an address, or of a bare domain."""
    return normal_domain(decode(domain_of(value).encode("latin-1", "replace")))


def not_covered(root: Part, sender: str) -> str:
    """Return a sentence on why the letter may differ from what `sender` signed, or ""."""
    for name, values in root.headers.items():
        if len(values) > 1 and (name in _ONCE or name.startswith("content-")):
            return f"Your email has {len(values)} {name.title()} fields, and only one of them can be signed."
    own = _own_signatures(root, domain_of(sender))
    if "l" in set[str]().union(*own):
        return "The signature of your mail provider covers only the beginning of your email."
    if missing := next(filter(None, map(_unsigned, own)), ""):
        return f"The signature of your mail provider does not cover the {missing.title()} field of your email."
    if own and not root.header("date"):
        return "Your email has no date."
    return ""


def _unsigned(tags: Mapping[str, str]) -> str:
    """Return a field that the signature should cover but does not, or ""."""
    signed = tags.get("h", "").lower().replace(" ", "").split(":")
    return next((name for name in _SIGNED if name not in signed), "")


def _own_signatures(root: Part, domain: str) -> list[dict[str, str]]:
    """Return the signatures by the sender's domain, by a parent of it, or by a subdomain."""
    own = []
    for tags in map(_tags, root.headers.get("dkim-signature", ())):
        signer = normal_domain(tags.get("d", "").strip())
        is_parent = signer and f".{domain}".endswith(f".{signer}")
        if is_parent or signer.endswith(f".{domain}"):
            own.append(tags)
    return own


def digest(root: Part) -> str:
    """Return a hash of Date and body (64 hex digits) that ignores changes to blanks by relays (RFC 6376, 3.4.4)."""
    found, ends = hashlib.sha256(root.header("date").encode()), 1
    for line in BytesIO(root.body):
        if words := line.split():
            found.update(b"\n" * ends + b" ".join(words))
            ends = 0
        ends += 1
    return found.hexdigest()


def _tags(value: str) -> dict[str, str]:
    """Return the tags of a signature with their values, each value on one line."""
    tags = [tag.partition("=") for tag in value.split(";") if "=" in tag]
    # Read "x l=100" as the tag "l". Another verifier may take the number for the length of the signed text.
    return {name.lower().split()[-1]: " ".join(text.split()) for name, _, text in tags if name.strip()}
