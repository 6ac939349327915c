"""The judge's IMAP mailbox: gives every letter that is not filed away yet, and files away letters that were stored.

A letter is fetched without being marked, stored by the caller, and only then filed away: after a crash at any moment it
is found again, and never lost. IDLE only says when to look; SEARCH says which letters there are. One thread owns a
Mailbox; after a MailboxError it is closed, and `connect` opens it again.
"""

import logging
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from select import select
from types import TracebackType
from typing import Self

from imapclient.exceptions import CapabilityError, IMAPClientAbortError, IMAPClientError

from judge.letters.imap import Fetched, IdleClient, MailboxError, Withheld, batches, fetch, mailbox_error, sizes_of
from judge.letters.junk_folders import JunkFolders, Known
from judge.letters.processed_folder import Filing, choose_filing
from judge.settings import MailboxSettings

LONGEST_IDLE = 540.0  # seconds: many routers drop a silent connection after ten minutes
LONGEST_PAUSE = 60.0  # seconds between two looks at a server without IDLE
GOODBYE = 2.0  # seconds for the answer to LOGOUT

__all__ = ["FiledLetters", "Mailbox", "MailboxError", "NoMailbox"]

log = logging.getLogger(__name__)


class Mailbox:
    """One folder of one account. A context manager: it is connected inside the block."""

    _filing: Filing

    def __init__(
        self,
        box: MailboxSettings,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        known: Known | None = None,
        withheld: Withheld | None = None,
    ):
        """clock: gives the time of a letter if the server gives none. known: which of some addresses are known
        people's; their letters are also found in folders for junk. withheld: the letters that earlier mailboxes of this
        account listed and could not hand out.
        """
        self._box = box
        self._clock = clock
        self._client: IdleClient | None = None
        self._junk = JunkFolders(box.junk, known) if known else None
        self._folder = box.folder
        self._uidvalidity = 0
        self.withheld = withheld or Withheld()

    def connect(self) -> None:
        """Log in and open the folder; a connection that is still open is closed first."""
        self._folder = self._box.folder
        self._connect()

    def _connect(self) -> None:
        self.close()
        with self._plain_words():
            client = self._client = IdleClient(self._box)
            client.log_in()
            self._open(client)

    def close(self) -> None:
        """Log out if the server still answers; never raises."""
        if self._client:
            with suppress(Exception):
                self._client.socket().settimeout(GOODBYE)
                self._client.logout()
            self._drop()

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def new_letters(self) -> Iterator[list[Fetched]]:
        """Every letter that is not filed away, in the order of UIDs, at most 50 at a time.

        All letters that reached the server before the first batch is asked for are found; a letter that comes later
        ends the next `wait` at once. After them those of known people that lie in folders for junk.
        """
        yield from self._found(lambda filing: filing.unfiled)
        if self._junk:
            yield from self._found_in_junk(self._junk)

    def _found_in_junk(self, junk: JunkFolders) -> Iterator[list[Fetched]]:
        """The letters of known people that have come into folders for junk; then our own folder is open again."""
        with self._connection() as client:
            news = junk.news(client)
        for folder, state in news.items():
            self._folder = folder
            with self._connection() as client:
                self._open(client)
                uids, strangers = junk.look(client, folder, self._uidvalidity, self._filing.unfiled)
            for letters in self._in_batches(uids):
                log.info("letters of known people in %s: %d", folder, len(letters))
                yield letters
            if not self.withheld.at_last_look[folder]:
                junk.note(folder, state, strangers)
        if news:
            self._folder = self._box.folder
            with self._connection() as client:
                self._open(client)

    def _found(self, criteria: Callable[[Filing], Sequence[str | date]]) -> Iterator[list[Fetched]]:
        """The letters that a SEARCH finds, a batch at a time."""
        with self._connection() as client:
            client.noop()  # a SEARCH alone may leave out mail that was not announced yet
            client.forget_announcements()
            uids = client.search(criteria(self._filing))
        yield from self._in_batches(uids)

    def _in_batches(self, uids: Sequence[int]) -> Iterator[list[Fetched]]:
        """These letters of the open folder; those that are not handed out are noted."""
        folder, uidvalidity, left = self._folder, self._uidvalidity, set(uids)
        with self._connection() as client:
            sizes = sizes_of(client, uids)
        for batch in batches(sizes):
            with self._plain_words():
                letters = self._fetch(batch)
            left.difference_update(letter.uid for letter in letters)
            if letters:
                yield letters
        lasted = self.withheld.lasting
        self.withheld.note(folder, uidvalidity, left)
        if self.withheld.lasting - lasted:
            log.warning("letters that the mail server lists, but does not hand out: %s", self.withheld)

    def count(self) -> int:
        """How many letters are not filed away."""
        with self._connection() as client:
            return len(client.search(self._filing.unfiled))

    def file_away(self, letters: Sequence[Fetched]) -> None:
        """File away these letters, which are stored.

        Letters from before a change of UIDVALIDITY are left alone, since their numbers may now belong to other letters;
        they will be found again under new numbers.
        """
        uids = [letter.uid for letter in letters if letter.uidvalidity == self._uidvalidity]
        if not uids:
            return
        with self._connection() as client:
            try:
                self._filing.file_away(client, uids)
            except IMAPClientAbortError:
                raise
            except IMAPClientError as refusal:
                log.info("filing away is tried again: %s", refusal)
                client.noop()  # another client may have deleted some of the letters, or the folder
                self._choose_filing(client)
                left = client.search([*self._filing.unfiled, "UID", ",".join(map(str, uids))])
                if left:
                    self._filing.file_away(client, left)

    def wait(self, seconds: float, *wake: socket.socket | int) -> None:
        """Wait until the server has news, one of `wake` is readable, or `seconds` are over (at most nine minutes).

        Everything that the server said since the last `new_letters` is news; so is a new connection whose letters were
        not fetched yet. A server without IDLE is not waited for longer than a minute. Raises MailboxError on a dead
        connection.
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
        self._choose_filing(client)
        self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))

    def _choose_filing(self, client: IdleClient) -> None:
        filing = choose_filing(client, self._box.processed, self._flags)
        if filing is None:
            raise mailbox_error(self._box, f'lets letters in "{self._folder}" be neither moved nor marked')
        self._filing = filing

    def _fetch(self, sizes: Mapping[int, int], tries: int = 2) -> list[Fetched]:
        """The letters among these that still exist, in order.

        Some servers refuse all letters, or hang up, because of one letter that they cannot read: the others must not
        wait for it. One that is refused twice on a working connection is left where it is.
        """
        try:
            found = fetch(self._connected(), sizes, self._box.max_size)
        except (OSError, IMAPClientError) as trouble:
            log.warning("letter uid=%s cannot be fetched: %s", ",".join(map(str, sizes)), trouble)
            if isinstance(trouble, OSError | IMAPClientAbortError):
                self._drop()
                self._reconnect()
            if len(sizes) > 1:
                return [letter for uid, size in sizes.items() for letter in self._fetch({uid: size})]
            return self._fetch(sizes, tries - 1) if tries > 1 else []
        return [
            Fetched(self._uidvalidity, uid, at.astimezone(UTC) if at else self._clock(), raw, cut)
            for uid, (at, raw, cut) in found.items()
        ]

    def _reconnect(self) -> None:
        before = self._uidvalidity
        self._connect()
        if self._uidvalidity != before:
            raise mailbox_error(self._box, "has numbered its letters anew")

    def _connected(self) -> IdleClient:
        if self._client is None:
            raise mailbox_error(self._box, "is not connected")
        return self._client

    @contextmanager
    def _connection(self) -> Iterator[IdleClient]:
        """The connection, whose errors are raised in plain words."""
        with self._plain_words():
            yield self._connected()

    @contextmanager
    def _plain_words(self) -> Iterator[None]:
        """Any error inside the block closes the connection and is raised as MailboxError, in one sentence."""
        try:
            yield
        except MailboxError:
            self._drop()
            raise
        except (OSError, IMAPClientError, UnicodeError) as error:
            self._drop()
            raise mailbox_error(self._box, _reason(error, self._box.timeout)) from error
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            # What imaplib and imapclient make of an answer that is no IMAP.
            self._drop()
            raise mailbox_error(self._box, f"gives an answer that cannot be understood ({error!r:.100})") from error

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client:
            with suppress(Exception):
                client.shutdown()


class NoMailbox(Mailbox):
    """In the place of a mailbox where letters only come through the letterbox: there is never anything in it."""

    def connect(self) -> None:
        """There is nothing to connect to."""

    def new_letters(self) -> Iterator[list[Fetched]]:
        """None."""
        yield from ()

    def wait(self, seconds: float, *wake: socket.socket | int) -> None:
        """Wait until one of `wake` is readable, or `seconds` are over."""
        select(wake, [], [], max(0.0, seconds))


class FiledLetters(Mailbox):
    """The letters that were filed away, wherever that is; they are read and left as they are."""

    def since(self, day: date) -> Iterator[list[Fetched]]:
        """Those that reached the server on that day or later, by the server's own calendar; a batch at a time."""
        return self._found(lambda filing: [*filing.filed, "SINCE", day])

    def _open(self, client: IdleClient) -> None:
        super()._open(client)
        if self._filing.folder:
            selected = client.select_folder(self._filing.folder, readonly=True)
            self._uidvalidity = int(selected.get(b"UIDVALIDITY", 0))


def _reason(error: Exception, timeout: float) -> str:
    """What is wrong with the server, as the end of a sentence about it."""
    match error:
        case ssl.SSLCertVerificationError():
            return f"shows a certificate that cannot be trusted: {error.verify_message}"
        case ssl.SSLError():
            return f"does not speak TLS as it should: {error.reason or error}"
        case TimeoutError():
            return f"gave no answer for {timeout:g} seconds"
        case socket.gaierror():
            return f"cannot be found: {error.strerror}"
        case ConnectionRefusedError():
            return "refuses the connection"
        case CapabilityError():
            return f"cannot do what is asked: {error}"
        case IMAPClientAbortError() | OSError():
            return f"has broken off: {error}"
        case _:
            return f"refuses: {error}"
