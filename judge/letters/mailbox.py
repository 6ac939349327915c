"""The judge's IMAP mailbox: hands out each letter that is not filed away yet, and files away the stored letters.

A letter is fetched without being marked, stored by the caller, and only then filed away. After a crash at any moment,
the letter is found again, so it is never lost. IDLE only says when there is something to look for, and SEARCH says
which letters there are. One thread owns a Mailbox. After a MailboxError, it is closed, and `connect` opens it again.

Providers sometimes put letters of players into junk folders. Letters from people whom the judge knows are read in these
folders too. All other letters are left where they are. Their senders are remembered for a while, since someone may
register after writing a letter that went to junk.
"""

import logging
import socket
import ssl
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime, timedelta
from select import select
from typing import Any, Self

from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, IMAPClientAbortError, IMAPClientError

from judge.letters.imap import (
    KEYWORD,
    Fetched,
    Filing,
    IdleClient,
    MailboxError,
    Withheld,
    find_folder,
    in_words,
    mailbox_error,
)
from judge.letters.letter import read_letter
from judge.letters.parsed import parse_letter
from judge.settings import MailboxSettings

LONGEST_IDLE = 540.0  # the longest wait in seconds, since many routers drop a silent connection after ten minutes
LONGEST_PAUSE = 60.0  # the longest pause in seconds between two checks of a server without IDLE
GOODBYE = 2.0  # the seconds to wait for the answer to LOGOUT
# The names of junk folders at providers that do not mark them (RFC 6154), in lower case.
JUNK_NAMES = {"junk", "junk e-mail", "junk email", "junk mail", "spam", "bulk", "bulk mail"}
# The age at which the judge no longer reads a letter in a junk folder.
LOOKS_BACK = timedelta(days=7)
BATCH, BATCH_BYTES = 40, 40_000_000  # the maximum number of letters, and bytes of letters, in memory at a time
# The maximum number of UIDs in one command, which is one line. Servers limit the length of a line.
_SENDERS_AT_ONCE = 500
_FROM = "BODY.PEEK[HEADER.FIELDS (FROM)]"
# Errors that imaplib and imapclient raise if an answer is not IMAP.
_MISUNDERSTOOD = (ValueError, LookupError, TypeError, AttributeError, AssertionError)

__all__ = ["FiledLetters", "Mailbox", "MailboxError", "NoMailbox"]

# A function that returns the addresses, out of those given, that belong to known people.
Known = Callable[[Collection[str]], Collection[str]]
# Letters, a few at a time.
Batches = Iterator[list[Fetched]]
log = logging.getLogger(__name__)


class JunkFolders:
    """The junk folders of one mail account."""

    def __init__(self, wish: str, known: Known, clock: Callable[[], datetime] = lambda: datetime.now(UTC)):
        """Keep the settings. `wish` is "auto", "no", or names of folders separated by commas."""
        self._clock = clock
        self._wish = [name.strip() for name in wish.split(",") if name.strip()]
        self._known = known
        # {folder: (UIDVALIDITY and UIDNEXT at the last check, the senders of its letters by UID)}.
        self._seen: dict[str, tuple[tuple[int, int], dict[int, str]]] = {}

    def news(self, client: IMAPClient) -> dict[str, tuple[int, int]]:
        """Return the folders to check, each with its UIDVALIDITY and UIDNEXT.

        These are the folders with new letters, or with letters whose senders have become known.
        """
        found = {}
        for folder in self._existing(client):
            status = client.folder_status(folder, ["UIDVALIDITY", "UIDNEXT"])
            state = int(status.get(b"UIDVALIDITY", 0)), int(status.get(b"UIDNEXT", 0))
            before, senders = self._seen.get(folder, (None, {}))
            if state != before or self._of_known(senders):
                found[folder] = state
        return found

    def look(self, client: IMAPClient, folder: str, state: tuple[int, int], unfiled: Sequence[str]) -> list[int]:
        """Return the UIDs of letters from known people in the selected folder.

        `state` is the folder's UIDVALIDITY and UIDNEXT.
        """
        before, senders = self._seen.get(folder, (state, {}))
        uids = client.search([*unfiled, "SINCE", (self._clock() - LOOKS_BACK).date()])
        senders = {uid: senders[uid] for uid in uids if uid in senders} if before[0] == state[0] else {}
        new = [uid for uid in uids if uid not in senders]
        for start in range(0, len(new), _SENDERS_AT_ONCE):
            for uid, data in client.fetch(new[start : start + _SENDERS_AT_ONCE], [_FROM]).items():
                senders[uid] = _sender(data)
        self._seen[folder] = state, senders
        return self._of_known(senders)

    def _of_known(self, senders: Mapping[int, str]) -> list[int]:
        known = self._known({*senders.values()} - {""}) if senders else ()
        return sorted(uid for uid, sender in senders.items() if sender in known)

    def _existing(self, client: IMAPClient) -> Sequence[str]:
        """Return the junk folders on the server that the settings select."""
        if self._wish in ([], ["no"]):
            return ()
        listed = [(flags, name) for flags, _, name in client.list_folders() if rb"\Noselect" not in flags]
        if self._wish != ["auto"]:
            return [name for _, name in listed if name in self._wish]
        found = []
        for flags, name in listed:
            last_name = name.replace(".", "/").rpartition("/")[2].lower()
            if rb"\Junk" in flags or last_name in JUNK_NAMES:
                found.append(name)
        return found


def _sender(data: Mapping[bytes, Any]) -> str:
    header = next((value for key, value in data.items() if key.startswith(b"BODY[HEADER")), b"") or b""
    return read_letter(parse_letter(header.rstrip() + b"\r\n\r\n")).sender


class Mailbox:
    """One folder of one mail account. A Mailbox is also a context manager, and is connected inside the block."""

    def __init__(
        self,
        box: MailboxSettings,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        known: Known | None = None,
        withheld: Withheld | None = None,
    ):
        """Keep the settings. Nothing is connected yet.

        `clock` gives the time of a letter if the server does not. `known` picks the addresses of known people, whose
        letters are also found in junk folders. `withheld` has letters that earlier connections could not fetch.
        """
        self._box = box
        self._clock = clock
        self._client: IdleClient | None = None
        self._junk = JunkFolders(box.junk, known, clock) if known else None
        self._folder = box.folder
        self._uidvalidity = 0
        self._ways = [Filing("read")]
        self._filing = self._ways[0]
        # Two values for one connection. `_chosen` says how letters of each folder are filed, if not in the best way.
        # `_left` has the stored letters that the server refuses to move or mark, as (folder, UID).
        self._chosen: dict[str, Filing] = {}
        self._left: set[tuple[str, int]] = set()
        self._refusal = ""
        self.withheld = withheld or Withheld()

    def connect(self) -> None:
        """Log in and open the folder, after closing an open connection."""
        self._folder = self._box.folder
        self._connect()

    def _connect(self) -> None:
        self.close()
        self._refusal = ""
        self._chosen.clear()
        self._left.clear()
        with self._plain_words():
            client = self._client = IdleClient(self._box)
            client.log_in()
            self._open(client)

    def close(self) -> None:
        """Log out if the server still answers. Never raises an error."""
        if self._client:
            with suppress(Exception):
                self._client.socket().settimeout(GOODBYE)
                self._client.logout()
            self._drop()

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_letters(self) -> Batches:
        """Yield every letter that is not filed away, in the order of UIDs, a few at a time.

        All letters that reached the server before the first batch is asked for are found. A later letter ends the next
        `wait` immediately. Known people's letters in junk folders come last.
        """
        yield from self._found(self._filing.found_by())
        if self._junk is None:
            return
        with self._connection() as client:
            news = self._junk.news(client)
        for folder, state in news.items():
            self._folder = folder
            with self._connection() as client:
                self._open(client)
                uids = self._junk.look(client, folder, state, self._filing.found_by())
            for letters in self._in_batches(uids):
                log.info("emails of known people in %s: %d", folder, len(letters))
                yield letters
        if news:
            self._folder = self._box.folder
            with self._connection() as client:
                self._open(client)

    def _found(self, criteria: Sequence[str | date]) -> Batches:
        """Yield the letters that match the SEARCH criteria, a batch at a time."""
        with self._connection() as client:
            client.noop()  # send NOOP first, since SEARCH may leave out mail that was not announced yet
            client.forget_announcements()
            uids = sorted(client.search(criteria))
        yield from self._in_batches(uids)

    def _in_batches(self, uids: Sequence[int]) -> Batches:
        """Yield the letters with some UIDs in the open folder, and record those that the server does not hand out."""
        folder, uidvalidity = self._folder, self._uidvalidity
        uids = [uid for uid in uids if (folder, uid) not in self._left]
        left = set(uids)
        many = max(1, min(BATCH, BATCH_BYTES // self._box.max_size))
        for start in range(0, len(uids), many):
            with self._plain_words():
                letters = self._fetch(uids[start : start + many])
            left.difference_update(letter.uid for letter in letters)
            if letters:
                yield letters
        lasted = self.withheld.lasting
        self.withheld.note(folder, uidvalidity, left)
        if self.withheld.lasting - lasted:
            log.warning("emails that the mail server lists but does not deliver: %s", self.withheld)

    def count(self) -> int:
        """Return the number of letters that are neither filed away nor marked as filed."""
        with self._connection() as client:
            mark = next((way for way in self._ways if not way.folder), self._filing)
            return len(client.search(mark.found_by()))

    def file_away(self, letters: Sequence[Fetched]) -> str:
        """File stored letters away. Return why the best way was not used, or "" if it was.

        Letters from before a change of UIDVALIDITY are not filed, since their UIDs may have been given to other
        letters. They will be found again under new UIDs.
        """
        uids = [letter.uid for letter in letters if letter.uidvalidity == self._uidvalidity]
        if not uids:
            return self._refusal
        with self._connection() as client:
            if refusal := self._refused(client, self._filing, uids):
                log.info("the judge will try again to file emails: %s", refusal)
                client.noop()  # learn whether another client has deleted letters, or the folder
                self._ways = self._find_ways(client)
                self._file_some_way(client, uids)
        return self._refusal

    def _file_some_way(self, client: IdleClient, uids: Sequence[int]) -> None:
        """File letters in the best way that the server accepts, and use that way from now on."""
        refusals = []
        uids = client.search(["UNDELETED", "UID", ",".join(map(str, uids))])
        for way in self._ways if uids else ():
            if not (refusal := self._refused(client, way, uids)):
                self._filing = self._chosen[self._folder] = way
                break
            refusals.append(refusal)
        else:
            self._left.update((self._folder, uid) for uid in uids)
        self._refusal = refusals[0] if refusals else ""

    def _refused(self, client: IdleClient, way: Filing, uids: Sequence[int]) -> str:
        """File letters away in one way. Return the server's words if it refuses, or ""."""
        try:
            way.file_away(client, uids)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as refusal:
            return f"emails cannot be {way}: {in_words(refusal)}"
        return ""

    def wait(self, seconds: float, *wake: socket.socket | int) -> None:
        """Wait until the server has news, a socket in `wake` is readable, or `seconds` are over.

        The wait ends after nine minutes at the latest, and without IDLE after one minute. Anything that the server has
        said since the last `new_letters` is news, and so is a new connection. Raises MailboxError on a dead connection.
        """
        with self._connection() as client:
            if client.has_announced_mail:
                return
            if client.has_capability("IDLE"):
                client.idle_turn(max(0.0, min(seconds, LONGEST_IDLE)), wake)
            else:
                select(wake, [], [], max(0.0, min(seconds, LONGEST_PAUSE)))

    def _open(self, client: IdleClient) -> None:
        selected = client.select_folder(self._folder)
        self._flags = selected.get(b"PERMANENTFLAGS", selected.get(b"FLAGS", ()))
        self._ways = self._find_ways(client)
        self._filing = self._chosen.get(self._folder, self._ways[0])
        self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))

    def _find_ways(self, client: IdleClient) -> list[Filing]:
        """List the ways of filing on this connection, with the best first, or raise MailboxError if there is none."""
        name, flags = self._box.processed, self._flags
        folder = find_folder(client, name) if name else ""
        ways = [
            (Filing("move", folder), folder and client.has_capability("MOVE")),
            (Filing("copy", folder), folder and client.has_capability("UIDPLUS") and not client.has_capability("MOVE")),
            (Filing("keyword"), rb"\*" in flags or KEYWORD.encode() in flags),
            (Filing("read"), rb"\Seen" in flags),
        ]
        found = [way for way, is_possible in ways if is_possible]
        if not found:
            raise mailbox_error(self._box, f'does not let emails in "{self._folder}" be moved or marked', "folder")
        return found

    def _fetch(self, uids: Sequence[int], tries: int = 2) -> list[Fetched]:
        """Fetch the letters with some UIDs in order, if they still exist, without marking them.

        Of a big letter, only the beginning is fetched. Some servers refuse all letters, or hang up, because of one
        letter that they cannot read. The other letters must not wait for that letter. So a letter that is refused twice
        on a working connection is left where it is.
        """
        most = self._box.max_size
        try:  # one byte more than the limit shows whether a letter is bigger
            found = self._connected().fetch(uids, ["INTERNALDATE", f"BODY.PEEK[]<0.{most + 1}>"])
        except (OSError, IMAPClientError) as trouble:
            log.warning("letter uid=%s cannot be fetched: %s", ",".join(map(str, uids)), trouble)
            if isinstance(trouble, OSError | IMAPClientAbortError):
                uidvalidity = self._uidvalidity
                self._drop()
                self._connect()
                if self._uidvalidity != uidvalidity:
                    raise mailbox_error(self._box, "has renumbered its emails") from trouble
            if len(uids) > 1:
                return [letter for uid in uids for letter in self._fetch([uid])]
            return self._fetch(uids, tries - 1) if tries > 1 else []
        letters = []
        for uid, data in sorted(found.items()):
            at, raw = data.get(b"INTERNALDATE"), data.get(b"BODY[]<0>", data.get(b"BODY[]"))
            if raw:  # Dovecot gives empty bytes for a letter that was just deleted
                received_at = at.astimezone(UTC) if at else self._clock()
                letters.append(Fetched(self._uidvalidity, uid, received_at, raw[:most], cut=len(raw) > most))
        return letters

    def _connected(self) -> IdleClient:
        if self._client is None:
            raise mailbox_error(self._box, "is not connected")
        return self._client

    @contextmanager
    def _connection(self) -> Iterator[IdleClient]:
        """Yield the connection, and turn its errors into MailboxError."""
        with self._plain_words():
            yield self._connected()

    @contextmanager
    def _plain_words(self) -> Iterator[None]:
        """Turn an error in the block into a MailboxError with one sentence, and close the connection."""
        try:
            yield
        except (MailboxError, OSError, IMAPClientError, *_MISUNDERSTOOD) as error:
            self._drop()
            if isinstance(error, MailboxError):
                raise
            raise mailbox_error(self._box, *_reason(error, self._box.timeout)) from error

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client:
            with suppress(Exception):
                client.shutdown()


class NoMailbox(Mailbox):
    """A mailbox that is always empty, for a judge that gets its letters only by LMTP or SMTP."""

    def connect(self) -> None:
        """Do nothing."""

    def new_letters(self) -> Batches:
        """Yield nothing."""
        yield from ()

    def wait(self, seconds: float, *wake: socket.socket | int) -> None:
        """Wait until a socket in `wake` is readable, or `seconds` are over."""
        select(wake, [], [], max(0.0, seconds))


class FiledLetters(Mailbox):
    """The letters that were filed away, in whatever folder they are now, for reading only."""

    def since(self, day: date) -> Batches:
        """Yield the letters that came on that day or later, by the server's calendar, a batch at a time."""
        return self._found([*self._filing.found_by(""), "SINCE", day])

    def _open(self, client: IdleClient) -> None:
        super()._open(client)
        if self._filing.folder:
            selected = client.select_folder(self._filing.folder, readonly=True)
            self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))


def _reason(error: Exception, timeout: float) -> tuple[str, str]:
    """Return two texts: the end of a sentence about the fault of the server, and the settings to check."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"shows a certificate that cannot be trusted: {error.verify_message}", "host and ca_file"
        case ssl.SSLError():
            return f"does not speak TLS correctly: {error.reason or error}", "port and security"
        case TimeoutError():
            return f"gave no answer for {timeout:g} seconds", "host, port and security"
        case socket.gaierror():
            return f"cannot be found: {error.strerror}", "host"
        case ConnectionRefusedError():
            return "refuses the connection", "host and port"
        case CapabilityError():
            return f"cannot do what was asked: {in_words(error)}", "security"
        case IMAPClientAbortError() | OSError():
            return f"broke the connection: {in_words(error)}", "host, port and security"
        case IMAPClientError() | UnicodeError():
            return f"refuses: {in_words(error)}", "folder"
        case _:
            return f"gives an answer that cannot be understood ({error!r:.100})", "host and port"
