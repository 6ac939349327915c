"""One form for every mail address: the judge stores, compares and mails to addresses in this form.

People write the same address in different ways: letter case, and the domain in its own script or in ASCII. But two
different addresses must never become one. A domain is mapped as mail servers and browsers do it today (UTS 46,
non-transitional: `faß.de` is `xn--fa-hia.de`; the older IDNA 2003 made it `fass.de`, which belongs to other people). No
other letter becomes an ASCII letter (the Kelvin sign is not a k).
"""

import re

import idna

# RFC 5321, 4.5.3.1: without the angle brackets.
_LONGEST = 254
_ADDRESS = re.compile(r"([^\s@<>()\[\],;:\"\\]{1,64})@([^\s@<>()\[\],;:\"\\.]+(?:\.[^\s@<>()\[\],;:\"\\.]+)*)")
_DOMAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def normal(written: str) -> str:
    """Return a bare address in its one form, its domain in ASCII (RFC 5890); "" if no mail can be sent to it."""
    found = _ADDRESS.fullmatch(written)
    if not found or len(written) > _LONGEST or not written.isprintable():
        return ""
    domain = normal_domain(found[2])
    # No letter outside of ASCII is lowered to one of ASCII.
    local = "".join(sign if sign.lower().isascii() and not sign.isascii() else sign.lower() for sign in found[1])
    return f"{local}@{domain}" if domain else ""


def normal_domain(written: str) -> str:
    """Return a domain in its one form, "" if it is not a domain."""
    try:
        domain = written if written.isascii() else idna.encode(written, uts46=True).decode()
    except UnicodeError:
        return ""
    domain = domain.lower()
    return domain if _DOMAIN.fullmatch(domain) else ""


def domain_of(address: str) -> str:
    """Return the domain of an address."""
    return address.rpartition("@")[2]


def address_in(word: str) -> str:
    """Return the address that a person wrote on a line, in its one form, "" if it is not an address."""
    return normal(word.strip("<>.,;"))


def without_tag(address: str) -> str:
    """Return the mailbox to which an address in its one form belongs: `anna+games@…` is anna's."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"
