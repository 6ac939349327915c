"""One form for every mail address: in it they are kept and compared, and to it the judge mails.

What people write differs and means the same: letter case, and the domain in its own script or in ASCII. What differs
and does not mean the same must never become one: a domain is mapped as mail servers and browsers do it today (UTS 46,
non-transitional: `faß.de` is `xn--fa-hia.de`; the older IDNA 2003 made `fass.de` of it, which is somebody else's), and
no other letter becomes one of ASCII's (the Kelvin sign is no k).
"""

import re

import idna

# RFC 5321, 4.5.3.1: without the angle brackets.
_LONGEST = 254
_ADDRESS = re.compile(r"([^\s@<>()\[\],;:\"\\]{1,64})@([^\s@<>()\[\],;:\"\\.]+(?:\.[^\s@<>()\[\],;:\"\\.]+)*)")
_DOMAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def normal(written: str) -> str:
    """A bare address in its one form, its domain in ASCII (RFC 5890); "" for what is no address to mail to."""
    found = _ADDRESS.fullmatch(written)
    if not found or len(written) > _LONGEST or not written.isprintable():
        return ""
    domain = normal_domain(found[2])
    return f"{_lower(found[1])}@{domain}" if domain else ""


def normal_domain(written: str) -> str:
    """A domain in its one form; "" for what is none."""
    try:
        domain = written if written.isascii() else idna.encode(written, uts46=True).decode()
    except UnicodeError:
        return ""
    domain = domain.lower()
    return domain if _DOMAIN.fullmatch(domain) else ""


def address_in(word: str) -> str:
    """The address that somebody has written into a line, in its one form; "" where it is none."""
    return normal(word.strip("<>.,;"))


def without_tag(address: str) -> str:
    """The mailbox that an address in its one form belongs to: `anna+games@…` is anna's."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"


def _lower(local: str) -> str:
    """In lower case, but for those letters outside of ASCII whose small letter is one of ASCII's."""
    if local.isascii():
        return local.lower()
    return "".join(sign if sign.lower().isascii() and not sign.isascii() else sign.lower() for sign in local)
