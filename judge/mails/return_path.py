"""The address that a mail is sent from, where the provider delivers mail to plus-addresses: it names the mail, so that
a report that comes back is known to be about it.

It cannot be guessed from the number alone: that would let anybody have a player's mails stopped.
"""

import hashlib
import re

_TAG = re.compile(r"b(\d{1,12})-([0-9a-f]{12})")


def return_path(sender: str, number: int, message_id: str) -> str:
    """The judge's address `sender` with a tag that names the mail."""
    local, _, domain = sender.rpartition("@")
    return f"{local}+b{number}-{_check(message_id)}@{domain}"


def named_in(address: str) -> tuple[int, str] | None:
    """The number of the mail that was sent from `address`, and what `is_named` compares; None if it names none."""
    tag = _TAG.fullmatch(address.rpartition("@")[0].partition("+")[2])
    return (int(tag[1]), tag[2]) if tag else None


def is_named(message_id: str, check: str) -> bool:
    """Whether the address was that of the mail with this Message-ID."""
    return _check(message_id) == check


def _check(message_id: str) -> str:
    return hashlib.sha256(message_id.encode()).hexdigest()[:12]
