"""What the DNS says about the judge's own domain, as far as other mail servers look there: MX (RFC 5321, 5.1), SPF (RFC
7208), DKIM (RFC 6376) and DMARC (RFC 7489).

A machine without a resolver is no fault: then nobody could look, and it is said how to ask elsewhere.
"""

import re

import dns.exception
import dns.resolver

from judge.shell.status import Look

# What ends the version at the beginning of a record.
_BEGINNING = re.compile(r"[\s;]")
_TAG = re.compile(r"(?:^|;)\s*([a-z]+)\s*=\s*([^;]*)")


class CouldNotLook(Exception):
    """No resolver has answered; the message says why, in a few words."""


class Names:
    """Asks a resolver, by default the system's."""

    def __init__(self, resolver: dns.resolver.Resolver | None = None):
        self._resolver = resolver

    def records(self, name: str, kind: str, version: str = "") -> list[str]:
        """The records of that kind as text, joined if they are in pieces, of that version; raises CouldNotLook."""
        try:
            self._resolver = self._resolver or dns.resolver.Resolver()
            answer = self._resolver.resolve(name, kind, search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            return []
        except dns.resolver.NoResolverConfiguration:
            raise CouldNotLook("this machine has no resolver") from None
        except (dns.exception.DNSException, OSError) as error:
            raise CouldNotLook(f"the resolver gives no answer ({type(error).__name__})") from None
        texts = [b"".join(getattr(one, "strings", ())).decode("utf-8", "replace") or str(one) for one in answer]
        return [text for text in texts if not version or _BEGINNING.split(text, maxsplit=1)[0].lower() == version]


def look_up(domain: str, signature: str, names: Names) -> list[Look]:
    """What other servers find about `domain`; `signature`: the DKIM-Signature field of a mail of ours that has come
    back, "" if there was none.
    """
    server = "name the server of your mailbox there, as its provider says"
    spf = f'add to {domain} a TXT record with what the provider of your [smtp] server says, like "v=spf1 mx -all"'
    dmarc = f'add to _dmarc.{domain} a TXT record: "v=DMARC1; p=none" asks for nothing, and large providers want it'
    try:
        hosts = [record.split()[-1].rstrip(".") for record in names.records(domain, "MX")]
        goes_to = f"mail to {domain} goes to {', '.join(sorted(hosts))}" if any(hosts) else ""
        return [
            _found("MX", goes_to, f"{domain} has none: letters do not reach the judge", server),
            _policy("SPF", domain, names.records(domain, "TXT", "v=spf1"), spf),
            _dkim(signature, names),
            _policy("DMARC", domain, names.records(f"_dmarc.{domain}", "TXT", "v=dmarc1"), dmarc),
        ]
    except CouldNotLook as reason:
        ask = f"where there is one: dig MX {domain}; dig TXT {domain}; dig TXT _dmarc.{domain}"
        return [Look("DNS", f"could not look at MX, SPF, DKIM and DMARC: {reason}; {ask}")]


def _found(what: str, said: str, lacks: str, to_do: str) -> Look:
    return Look(what, said) if said else Look(what, lacks, False, to_do)


def _policy(what: str, domain: str, records: list[str], to_do: str) -> Look:
    if len(records) > 1:
        return Look(what, f"{domain} has {len(records)} records", False, "make one of them: several count as none")
    return _found(what, "".join(records), f"{domain} has none: mails may end among the junk", to_do)


def _dkim(signature: str, names: Names) -> Look:
    tags = {name: "".join(value.split()) for name, value in _TAG.findall(signature)}
    if not tags.get("d") or not tags.get("s"):
        elsewhere = "many servers sign only what leaves them: look at a mail that you got elsewhere"
        return Look("DKIM", f"no test mail has come back with a signature; {elsewhere}")
    name = f"{tags['s']}._domainkey.{tags['d']}"
    signed = f"signed by {tags['d']}, with the key of {name}" if names.records(name, "TXT") else ""
    to_do = "publish it there, as the provider of your [smtp] server says"
    return _found("DKIM", signed, f"signed by {tags['d']}, but {name} has no key", to_do)
