"""What the DNS says about the judge's own domain, as far as other mail servers look there: MX (RFC 5321, 5.1), SPF (RFC
7208), DKIM (RFC 6376) and DMARC (RFC 7489).

A machine without a resolver is no fault: then nobody could look, and it is said how to ask elsewhere.
"""

import re
from collections.abc import Iterator

import dns.exception
import dns.resolver

from judge.shell.status import Look

_SPF = re.compile(r"v=spf1(\s|$)", re.IGNORECASE)
_DMARC = re.compile(r"v=DMARC1\s*(;|$)", re.IGNORECASE)
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)")


class CouldNotLook(Exception):
    """No resolver has answered; the message says why, in a few words."""


class Names:
    """Asks a resolver, by default the system's."""

    def __init__(self, resolver: dns.resolver.Resolver | None = None):
        self._resolver = resolver

    def records(self, name: str, kind: str) -> list[str]:
        """The records of that kind as text, joined if they are in pieces; raises CouldNotLook."""
        try:
            self._resolver = self._resolver or dns.resolver.Resolver()
            answer = self._resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.resolver.NoResolverConfiguration:
            raise CouldNotLook("this machine has no resolver") from None
        except (dns.exception.DNSException, OSError) as error:
            raise CouldNotLook(f"the resolver gives no answer ({type(error).__name__})") from None
        return [_text(record) for record in answer]


def look_up(domain: str, signature: str, names: Names) -> list[Look]:
    """What other servers find about `domain`; `signature`: the DKIM-Signature field of a mail of ours that has come
    back, "" if there was none.
    """
    try:
        looks = [*_mail_exchangers(domain, names), *_spf(domain, names)]
        return [*looks, *_dkim(signature, names), *_dmarc(domain, names)]
    except CouldNotLook as reason:
        ask = f"where there is one: dig MX {domain}; dig TXT {domain}; dig TXT _dmarc.{domain}"
        return [Look("DNS", f"could not look at MX, SPF, DKIM and DMARC: {reason}; {ask}")]


def _mail_exchangers(domain: str, names: Names) -> Iterator[Look]:
    found = [record.split()[-1].rstrip(".") for record in names.records(domain, "MX")]
    if any(found):
        yield Look("MX", f"mail to {domain} goes to {', '.join(sorted(found))}")
    else:
        to_do = "name the server of your mailbox there, as its provider says"
        yield Look("MX", f"{domain} has none: letters do not reach the judge", False, to_do)


def _spf(domain: str, names: Names) -> Iterator[Look]:
    found = [record for record in names.records(domain, "TXT") if _SPF.match(record)]
    if len(found) == 1:
        yield Look("SPF", found[0])
    elif found:
        to_do = "make one of them: several count as none"
        yield Look("SPF", f"{domain} has {len(found)} records", False, to_do)
    else:
        to_do = f'add to {domain} a TXT record with what the provider of your [smtp] server says, like "v=spf1 mx -all"'
        yield Look("SPF", f"{domain} has none: mails may end among the junk", False, to_do)


def _dkim(signature: str, names: Names) -> Iterator[Look]:
    tags = {name: "".join(value.split()) for name, value in _TAG.findall(signature)}
    if not tags.get("d") or not tags.get("s"):
        elsewhere = "many servers sign only what leaves them: look at a mail that you got elsewhere"
        yield Look("DKIM", f"no test mail has come back with a signature; {elsewhere}")
        return
    name = f"{tags['s']}._domainkey.{tags['d']}"
    if names.records(name, "TXT"):
        yield Look("DKIM", f"signed by {tags['d']}, with the key of {name}")
    else:
        to_do = "publish it there, as the provider of your [smtp] server says"
        yield Look("DKIM", f"signed by {tags['d']}, but {name} has no key", False, to_do)


def _dmarc(domain: str, names: Names) -> Iterator[Look]:
    found = [record for record in names.records(f"_dmarc.{domain}", "TXT") if _DMARC.match(record)]
    if found:
        yield Look("DMARC", found[0])
    else:
        to_do = f'add to _dmarc.{domain} a TXT record: "v=DMARC1; p=none" asks for nothing, and large providers want it'
        yield Look("DMARC", f"{domain} has none", False, to_do)


def _text(record: object) -> str:
    pieces = getattr(record, "strings", None)
    return b"".join(pieces).decode("utf-8", "replace") if pieces else str(record)
