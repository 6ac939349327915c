"""Reports that a mail could not be delivered (RFC 3464, and the older ones in free text): of which mail they tell.

A report counts only for a mail that it names in a way that nobody can guess who has not got that mail or its report: by
the address that it was sent from (judge/mails/return_path.py) or by its Message-ID.
"""

import re
from dataclasses import dataclass

from judge.letters import headers as fields
from judge.letters.mime import Part

# Bytes of a part in which fields and Message-IDs are looked for.
_MOST = 65_536
_MOST_IDS = 10
_FIELDS = re.compile(r"^(action|status|diagnostic-code)[ \t]*:[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.I | re.M)
_MESSAGE_ID = re.compile(r"^[ \t>]*Message-ID:\s{0,5}(<[^<>\s]{1,250}>)", re.I | re.M)
# What programs that write no RFC 3464 put into the subject.
_FAILURE = re.compile(
    r"undeliver|returned mail|failure notice|delivery (?:status notification \(failure\)|fail|has failed)|"
    r"mail delivery failed|could not be delivered|unzustellbar|non remis|onbestelbaar|no se puede entregar",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Report:
    """One report of a failure. `sent_to`: the addresses that the report came to; `message_ids`: those that it cites;
    `reason`: the other server's words, "" if it said none.
    """

    sent_to: tuple[str, ...]
    message_ids: tuple[str, ...]
    reason: str


def report_of(root: Part, silent: str) -> Report | None:
    """The report that a letter is, if it tells that a mail was given up. `silent`: why it is never answered."""
    statuses = [part for part in root.walk() if part.content_type == "message/delivery-status"]
    if statuses:
        reason = _failure("\n\n".join(_text(part) for part in statuses))
    elif silent.startswith(("bounce", "a machine's")) and _FAILURE.search(fields.words(root.header("subject"))):
        reason = ""
    else:
        return None
    if reason is None:
        return None
    cited = [found for part in root.walk() if part is not root for found in _cited(part)]
    if not cited and not statuses:
        cited = _MESSAGE_ID.findall(_text(root))
    return Report(_sent_to(root), tuple(dict.fromkeys(cited))[:_MOST_IDS], reason)


def _failure(status: str) -> str | None:
    """Why it failed; None if it has not failed: it is delayed, or was delivered."""
    found: dict[str, list[str]] = {}
    for name, value in _FIELDS.findall(status):
        found.setdefault(name.lower(), []).append(" ".join(value.split()))
    actions = {value.lower() for value in found.get("action", ())}
    final = any(value.startswith("5") for value in found.get("status", ()))
    if "failed" not in actions and (actions or not final):
        return None
    said = found.get("diagnostic-code") or found.get("status") or [""]
    return said[0].partition(";")[2].strip() or said[0]


def _cited(part: Part) -> list[str]:
    """The Message-ID of the mail that came back, or of its header alone."""
    if part.content_type in ("text/rfc822-headers", "message/rfc822", "message/global", "message/global-headers"):
        return _MESSAGE_ID.findall(_text(part))[:1]
    return []


def _sent_to(root: Part) -> tuple[str, ...]:
    named = [value for name in ("delivered-to", "x-original-to", "envelope-to", "to")
             for value in root.headers.get(name, ())]
    return tuple(dict.fromkeys(address for value in named for _, address in fields.addresses(value) if address))


def _text(part: Part) -> str:
    return part.raw[part.start : min(part.end, part.start + _MOST)].decode("latin-1")
