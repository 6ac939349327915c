"""The return path of a mail, where the provider delivers plus-addresses: it names the mail to which a report belongs.

The tag is a secret of the mail, which appears in nothing that anyone else reads: whoever knows it can have a player's
mails stopped. A Message-ID is not secret, since an answer that goes to several people shows it to all of them.
"""

import re

_TAG = re.compile(r"b(\d{1,12})-([0-9a-f]{12})")


def return_path(sender: str, number: int, tag: str) -> str:
    """The judge's address `sender` with the number and the secret of a mail."""
    local, _, domain = sender.rpartition("@")
    return f"{local}+b{number}-{tag}@{domain}"


def named_in(address: str) -> tuple[int, str] | None:
    """The number and the secret of the mail that was sent from `address`; None if it names none."""
    tag = _TAG.fullmatch(address.rpartition("@")[0].partition("+")[2])
    return (int(tag[1]), tag[2]) if tag else None
