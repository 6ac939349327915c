"""Folders for junk mail: which ones an account has, which of them have news, and whose letters lie there.

Providers put letters of players there now and then. Those of people whom the judge knows are read like others; what is
from anybody else stays where it is. Its sender is remembered for a while: whoever joins may have written there before.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from imapclient import IMAPClient

from judge.letters.letter import read_letter
from judge.letters.parsed import parse_letter

# The names of such folders at providers that do not mark them (RFC 6154), in lower case.
NAMES = {"junk", "junk e-mail", "junk email", "junk mail", "spam", "bulk", "bulk mail"}
# Letters that lay there for longer when the judge first looks are left alone.
LOOKS_BACK = timedelta(days=7)
# Seconds after which it is asked again which folders there are: many appear with the first junk.
ASK_AGAIN = timedelta(minutes=5)
_SENDERS_AT_ONCE = 500
# The latest letters of strangers in a folder that are remembered.
_MOST_STRANGERS = 500
_FROM = "BODY.PEEK[HEADER.FIELDS (FROM)]"

log = logging.getLogger(__name__)

# Which of these addresses are known.
Known = Callable[[Collection[str]], Collection[str]]


class JunkFolders:
    """The junk folders of one account. `wish`: auto, no, or their names between commas."""

    def __init__(self, wish: str, known: Known, clock: Callable[[], datetime] = lambda: datetime.now(UTC)):
        self._wish = [name.strip() for name in wish.split(",") if name.strip()]
        self._known = known
        self._clock = clock
        self._folders: Sequence[str] = ()
        self._asked_at: datetime | None = None
        # By folder: its UIDVALIDITY, and the first UID that was not looked at.
        self._seen: dict[str, tuple[int, int]] = {}
        # By folder: the senders of letters that were left there, by their UIDs.
        self._strangers: dict[str, Mapping[int, str]] = {}

    def news(self, client: IMAPClient) -> dict[str, tuple[int, int]]:
        """The folders in which letters have arrived since `note` was called for them, or the writers of letters have
        become known; and what is to be noted when they were looked through.
        """
        found = {}
        for folder in self._existing(client):
            status = client.folder_status(folder, ["UIDVALIDITY", "UIDNEXT"])
            state = int(status.get(b"UIDVALIDITY", 0)), int(status.get(b"UIDNEXT", 0))
            if state != self._seen.get(folder) or self._of_known(self._strangers.get(folder, {})):
                found[folder] = state
        return found

    def note(self, folder: str, state: tuple[int, int], strangers: Mapping[int, str]) -> None:
        """The folder was looked through, as far as it had letters then, and those of strangers were left there."""
        self._seen[folder], self._strangers[folder] = state, strangers

    def look(
        self, client: IMAPClient, folder: str, uidvalidity: int, unfiled: Sequence[str]
    ) -> tuple[list[int], dict[int, str]]:
        """The UIDs of letters from known people in the folder, which is selected, that were not found yet; and the
        senders of the others, by their UIDs.
        """
        validity, first = self._seen.get(folder, (0, 1))
        is_same = validity == uidvalidity
        first = first if is_same else 1
        since = (self._clock() - LOOKS_BACK).date()
        found = client.search([*unfiled, "SINCE", since, "UID", f"{first}:*"])
        uids = [uid for uid in found if uid >= first]  # "*" is the last letter, whatever its UID
        senders = dict(self._strangers.get(folder, {})) if is_same else {}
        for start in range(0, len(uids), _SENDERS_AT_ONCE):
            for uid, data in client.fetch(uids[start : start + _SENDERS_AT_ONCE], [_FROM]).items():
                header = next((value for key, value in data.items() if key.startswith(b"BODY[HEADER")), b"") or b""
                senders[uid] = read_letter(parse_letter(header.rstrip() + b"\r\n\r\n")).sender
        known = self._of_known(senders)
        strangers = [(uid, sender) for uid, sender in sorted(senders.items()) if sender and uid not in known]
        return sorted(known), dict(strangers[-_MOST_STRANGERS:])

    def _of_known(self, senders: Mapping[int, str]) -> set[int]:
        known = set(self._known({*senders.values()} - {""})) if senders else set()
        return {uid for uid, sender in senders.items() if sender in known}

    def _existing(self, client: IMAPClient) -> Sequence[str]:
        if self._wish == ["no"] or not self._wish:
            return ()
        now = self._clock()
        if self._asked_at is None or not self._asked_at <= now < self._asked_at + ASK_AGAIN:
            listed = [(flags, name) for flags, _, name in client.list_folders() if rb"\Noselect" not in flags]
            self._folders = [name for flags, name in listed if self._is_meant(flags, name)]
            self._asked_at = now
        return self._folders

    def _is_meant(self, flags: Collection[bytes], name: str) -> bool:
        if self._wish == ["auto"]:
            last = name.replace(".", "/").rpartition("/")[2].lower()
            return rb"\Junk" in flags or last in NAMES
        return name in self._wish
