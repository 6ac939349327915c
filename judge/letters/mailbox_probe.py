"""The judge's mailbox, looked at by a keeper who wants to know whether all of it works: `judge doctor`.

Nothing of others is changed there. A letter of the keeper's own is looked for, filed away as the judge would do it, and
removed.
"""

import time
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.parser import BytesHeaderParser

from judge.letters.mailbox import Mailbox

_JUNK = rb"\Junk"
# Seconds between two looks, whatever the server announces: the daemon may have been first.
_LOOK = 2.0


@dataclass(frozen=True)
class Found:
    """Where the letter lies, the server's time for it, its header; whether the server has announced it (IDLE)."""

    folder: str
    uid: int
    received_at: datetime
    header: Message
    announced: bool


class MailboxProbe(Mailbox):
    """The mailbox as the settings name it."""

    @property
    def idles(self) -> bool:
        """Whether the server can announce new mail (RFC 2177)."""
        with self._connection() as client:
            return bool(client.has_capability("IDLE"))

    @property
    def filing(self) -> str:
        """How letters that are done are filed away, in words."""
        ways = {
            "move": f"moved to {self._filing.folder}",
            "copy": f"copied to {self._filing.folder} and expunged",
            "keyword": "marked with a keyword",
            "read": "marked as read",
        }
        return ways[self._filing.way]

    @property
    def filed_into(self) -> str:
        """The folder into which they are filed away; "" if they stay where they arrive."""
        return self._filing.folder

    def await_letter(self, word: str, seconds: float) -> Found | None:
        """The letter with this word in its subject, as soon as it is there, wherever it has been delivered or moved;
        None if it does not come in so many seconds.
        """
        until = time.monotonic() + seconds
        announced = False
        while True:
            if found := self._found_in_any_folder(word, announced):
                return found
            if (left := until - time.monotonic()) <= 0:
                return None
            self.wait(min(left, _LOOK))
            announced = announced or self._connected().has_announced_mail
            self._connected().forget_announcements()

    def files_away(self, found: Found) -> bool:
        """File it away as the judge does; whether it has left the folder in which it arrived, or is marked."""
        with self._connection() as client:
            client.select_folder(self._box.folder)
            self._filing.file_away(client, [found.uid])
            return found.uid not in client.search(self._filing.unfiled)

    def removes(self, word: str) -> bool:
        """Remove the letter with this word in its subject; False if the server cannot expunge a single letter."""
        with self._connection() as client:
            if not client.has_capability("UIDPLUS"):
                return False
            for folder in self._folders():
                client.select_folder(folder)
                if uids := client.search(["SUBJECT", word]):
                    client.add_flags(uids, [rb"\Deleted"], silent=True)
                    client.uid_expunge(uids)
            return True

    def _folders(self) -> list[str]:
        """Those in which a letter may lie: where letters arrive, where they are filed, and the one for junk."""
        client = self._connected()
        junk = [name for flags, _, name in client.list_folders() if _JUNK in flags]
        return list(dict.fromkeys(filter(None, [self._box.folder, self._filing.folder, *junk])))

    def _found_in_any_folder(self, word: str, announced: bool) -> Found | None:
        with self._connection() as client:
            # In the order in which letters are moved, so that none is missed that is moved meanwhile.
            for folder in self._folders():
                client.select_folder(folder, readonly=True)
                uids = client.search(["SUBJECT", word])
                if uids:
                    told = client.fetch(uids[:1], ["INTERNALDATE", "BODY.PEEK[HEADER]"])[uids[0]]
                    header = BytesHeaderParser().parsebytes(told[b"BODY[HEADER]"])
                    return Found(folder, uids[0], told[b"INTERNALDATE"], header, announced)
            client.select_folder(self._box.folder, readonly=True)
            client.forget_announcements()
        return None
