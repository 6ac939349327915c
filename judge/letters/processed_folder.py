"""How finished letters are filed away: in the best way that the IMAP server supports, and never lost.

In this order: moved to a folder (RFC 6851); copied there and expunged (UIDPLUS, RFC 4315); marked with a keyword;
marked as read. The last way requires that no other program or person reads that mailbox, since a letter marked as read
counts as done.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

KEYWORD = "$Judged"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Filing:
    """One way to file letters away; `folder`: the full name of the folder they go to, if any."""

    way: Literal["move", "copy", "keyword", "read"]
    folder: str = ""

    @property
    def unfiled(self) -> list[str]:
        """The SEARCH criteria for the letters that are not done yet."""
        marks = {"keyword": ["UNKEYWORD", KEYWORD], "read": ["UNSEEN"]}
        return ["UNDELETED", *marks.get(self.way, [])]

    @property
    def filed(self) -> list[str]:
        """The SEARCH criteria for the letters that are done, in `folder` if they go to one."""
        marks = {"keyword": ["KEYWORD", KEYWORD], "read": ["SEEN"]}
        return ["UNDELETED", *marks.get(self.way, [])]

    def file_away(self, client: IMAPClient, uids: Sequence[int]) -> None:
        """File these letters away; a letter is expunged only if it was copied."""
        if self.way == "move":
            client.move(uids, self.folder)
        elif self.way == "copy":
            client.copy(uids, self.folder)
            client.add_flags(uids, [rb"\Deleted"], silent=True)
            client.uid_expunge(uids)
        else:
            client.add_flags(uids, [KEYWORD if self.way == "keyword" else r"\Seen"], silent=True)


def choose_filing(client: IMAPClient, name: str, flags: Collection[bytes]) -> Filing | None:
    """The best way on this connection. `name`: of the folder ("" = no folder), which is created if it is missing;
    `flags`: those that the server lets us set. Returns None if letters can be neither moved nor marked.
    """
    folder = find_folder(client, name) if name else ""
    if folder and client.has_capability("MOVE"):
        return Filing("move", folder)
    if folder and client.has_capability("UIDPLUS"):
        return Filing("copy", folder)
    if rb"\*" in flags or KEYWORD.encode() in flags:
        return Filing("keyword")
    return Filing("read") if rb"\Seen" in flags else None


def find_folder(client: IMAPClient, name: str) -> str:
    """The full name of a folder of ours (with the server's prefix and separator, RFC 2342); "" if it cannot be created.
    """
    prefix, separator = "", "/"
    if client.has_capability("NAMESPACE"):
        personal = client.namespace().personal
        prefix, separator = personal[0] if personal else ("", "/")
    name = name.replace("/", separator or "/")
    name = name if name.startswith(prefix) else prefix + name
    if any(found == name and rb"\Noselect" not in flags for flags, _, found in client.list_folders("", name)):
        return name
    try:
        client.create_folder(name)
        client.subscribe_folder(name)
    except IMAPClientAbortError:
        raise
    except IMAPClientError as refusal:
        log.warning("there can be no folder %s: %s", name, refusal)
        return ""
    return name
