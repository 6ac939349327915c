"""The normal form of mail addresses. The judge stores, compares and uses them in this form.

People write the same address in different ways. They use capitals or lowercase, and write the domain in its own
script or in ASCII. But two different addresses must never become one. A domain is mapped as mail servers and browsers
do it today (UTS 46, non-transitional). So `faß.de` is `xn--fa-hia.de`. The older IDNA 2003 made it `fass.de`, which
belongs to other people. Before the @, no letter outside ASCII becomes an ASCII letter.
"""

import re

import idna

# The maximum length of an address, without angle brackets (RFC 5321, 4.5.3.1).
_LONGEST = 254
_ADDRESS = re.compile(r"([^\s@<>()\[\],;:\"\\]{1,64})@([^\s@<>()\[\],;:\"\\.]+(?:\.[^\s@<>()\[\],;:\"\\.]+)*)")
_DOMAIN = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*")


def normal(written: str) -> str:
    """Return a bare address in its normal form, or "" if it is not a valid address.

    Its domain is in ASCII (RFC 5890).
    """
    found = _ADDRESS.fullmatch(written)
    if not found or len(written) > _LONGEST or not written.isprintable():
        return ""
    domain = normal_domain(found[2])
    # Don't lowercase a non-ASCII letter to an ASCII one (the Kelvin sign to k), which would merge two addresses.
    local = "".join(sign if sign.lower().isascii() and not sign.isascii() else sign.lower() for sign in found[1])
    return f"{local}@{domain}" if domain else ""


def normal_domain(written: str) -> str:
    """Return a domain in its normal form, or "" if it is not a domain."""
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
    """Return the normal form of an address that a person wrote on a line.

    Returns "" if it is not an address.
    """
    return normal(word.strip("<>.,;"))


def without_tag(address: str) -> str:
    """Return an address without its tag, so that `anna+games@…` becomes `anna@…`."""
    local, _, domain = address.rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}"
