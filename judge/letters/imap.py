"""IMAP: a connection whose IDLE another thread can end, and how letters are filed away.

`IMAPClient.idle()` fails when the server announces mail before its "+". `idle_check()` gives the same answer when the
time is over and when the server is gone. Here an IDLE always ends with DONE and the server's answer to it, so a dead
connection raises an error. Announcements between two commands are remembered until `forget_announcements` is called.

Stored letters are filed away in the best way that the server supports. They are moved to a folder (RFC 6851), or copied
there and expunged (UIDPLUS, RFC 4315). Otherwise the letters are marked with a keyword, or as read. The last way
requires that no one else reads the mailbox, since every letter marked as read counts as stored.
"""

import logging
import re
import select
import socket
import ssl
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from judge.oauth import OAuthError, access_token
from judge.settings import MailboxSettings, OAuthSettings

MOST_NAMED = 10  # the maximum number of withheld letters to name in one folder
KEYWORD = "$Judged"
_ANNOUNCEMENTS = ("EXISTS", "RECENT")

# Advice to the keeper if a server refuses the login.
WRONG_PASSWORD = (
    "check the password of [{section}] in judge.ini, and its user; many providers accept only an app password "
    "(docs/keeper.md, Providers). judge run reads it at its start, so restart it after a change"
)
# For each way of filing letters, what happens to the letters.
_FILED = {
    "move": "moved to {folder}",
    "copy": "copied to {folder} and expunged",
    "keyword": "marked with a keyword",
    "read": "marked as read",
}
# How Python's repr shows bytes, which imaplib leaves in the text of its errors.
_BYTES = re.compile(r"""\[?b(?:'([^']*)'|"([^"]*)")\]?""")
# The type of the sockets that end a wait when they become readable.
Wake = Sequence[socket.socket | int]

log = logging.getLogger(__name__)


class MailboxError(Exception):
    """A mailbox that cannot be reached, or refuses the login.

    The message is one sentence for the log, without passwords. `to_do` is advice to the keeper.
    """

    def __init__(self, message: str, to_do: str):
        super().__init__(message)
        self.to_do = to_do


class LoginRefused(MailboxError):
    """A refused login to a mail server that can be reached."""


def in_words(error: Exception) -> str:
    """Return the server's own words from an error."""
    return _BYTES.sub(r"\1\2", str(error))


def mailbox_error(box: MailboxSettings, reason: str, keys: str = "host, port and security") -> MailboxError:
    """Return the error for a fault of the server.

    `reason` completes a sentence that begins with the server's name. `keys` names the keys of judge.ini that may be
    wrong.
    """
    return MailboxError(f"the mail server {box.host}:{box.port} {reason}", f"check [mailbox] {keys} in judge.ini")


def login_refused(box: MailboxSettings, answer: str) -> LoginRefused:
    """Return the error for a server that does not accept user and password."""
    to_do = "run judge oauth login" if box.oauth else WRONG_PASSWORD.format(section="mailbox")
    return LoginRefused(f'the mail server {box.host}:{box.port} refuses the login of "{box.user}": {answer}', to_do)


class IdleClient(IMAPClient):  # type: ignore[misc]  # imapclient comes without types
    """A connection to one IMAP server. Its times are aware datetimes.

    The class also calls imaplib, the layer under IMAPClient that parses the lines of the protocol.
    """

    def __init__(self, box: MailboxSettings):
        self._box = box
        context = None
        if box.security != "plain":
            try:
                context = ssl.create_default_context(cafile=box.ca_file)
            except OSError as error:
                what = f"the certificates in {box.ca_file} cannot be read: {error}"
                raise MailboxError(what, "check [mailbox] ca_file in judge.ini") from None
        direct = context if box.security == "tls" else None
        super().__init__(box.host, box.port, ssl=direct is not None, ssl_context=direct, timeout=box.timeout)
        self.normalise_times = False
        self._imap.debug = 0  # IMAPClient makes imaplib log all traffic, with letters and passwords
        self._tls = context if box.security == "starttls" else None

    def log_in(self) -> None:
        """Log in as the settings say, on an encrypted connection if they ask for one."""
        box = self._box
        if self._tls:
            self.starttls(self._tls)
        if box.oauth:
            self._log_in_by_token(box.oauth)
            return
        try:
            if not (box.user + box.password).isascii() and self.has_capability("AUTH=PLAIN"):
                self.plain_login(box.user, box.password)  # the command LOGIN takes only ASCII
            elif self.has_capability("LOGINDISABLED"):
                raise mailbox_error(box, "accepts no password without encryption: set tls or starttls", "security")
            else:
                self.login(box.user, box.password)
        except (LoginError, UnicodeError) as refusal:
            answer = in_words(refusal) if isinstance(refusal, LoginError) else "not ASCII"
            answer = answer.replace(box.password or "****", "****")
            raise login_refused(box, answer) from None

    def _log_in_by_token(self, oauth: OAuthSettings) -> None:
        """Log in by OAuth 2, with a new token if the server refuses the first."""
        refused = ""
        for _ in range(2):
            try:
                token = access_token(oauth, refused)
            except OAuthError as trouble:
                raise login_refused(self._box, str(trouble)) from None
            by_token = self.oauthbearer_login if self.has_capability("AUTH=OAUTHBEARER") else self.oauth2_login
            try:
                by_token(self._box.user, token)
                return
            except LoginError as refusal:
                answer, refused = in_words(refusal).replace(token, "****"), token
        raise login_refused(self._box, answer)

    @property
    def has_announced_mail(self) -> bool:
        """Return whether the server has announced new mail since the last `forget_announcements`."""
        return any(kind in self._imap.untagged_responses for kind in _ANNOUNCEMENTS)

    def forget_announcements(self) -> None:
        """Forget all announcements, which imaplib keeps as long as the connection is open."""
        self._imap.untagged_responses.clear()

    def idle_turn(self, seconds: float, wake: Wake) -> None:
        """Idle (RFC 2177) until the server speaks, a socket in `wake` is readable or the time is over.

        Then send DONE. Raises OSError or IMAPClientError if the connection is dead or the server refuses IDLE.
        """
        tag = self._imap._command("IDLE")
        while self._imap._get_response() is not None:
            if self._imap.tagged_commands[tag]:
                raise IMAPClientError(f"the server refuses IDLE: {self._imap.tagged_commands.pop(tag)[1]}")
        if not self.has_announced_mail and not self._has_unread():
            select.select([self.socket(), *wake], [], [], seconds)
        self._imap.send(b"DONE\r\n")
        self._imap._command_complete("IDLE", tag)

    def _has_unread(self) -> bool:
        """Return whether a buffer has bytes of an earlier answer, which `select` does not see."""
        kept = getattr(self._imap, "_readbuf", None)  # from Python 3.14 on, imaplib itself buffers these bytes
        connection = self.socket()
        if kept is not None:
            return bool(kept) or isinstance(connection, ssl.SSLSocket) and connection.pending() > 0
        connection.setblocking(False)
        try:
            with suppress(BlockingIOError, ssl.SSLWantReadError):
                return bool(self._imap.file.peek(1))
            return False
        finally:
            connection.settimeout(self._box.timeout)


@dataclass(frozen=True)
class Fetched:
    """A letter as the server gave it.

    `received_at` is the letter's INTERNALDATE, in UTC. `cut` is true if only the beginning of the letter was fetched.
    """

    uidvalidity: int
    uid: int
    received_at: datetime
    raw: bytes
    cut: bool = False


@dataclass
class Withheld:
    """Letters that the server lists but does not hand out: FETCH gives no data, or NIL, or is refused.

    A letter may be deleted between SEARCH and FETCH, so one attempt proves nothing. `lasting` has the letters that
    could not be fetched in the last two attempts. Each letter is given as (folder, UIDVALIDITY, UID).
    """

    at_last_look: dict[str, set[tuple[str, int, int]]] = field(default_factory=dict)
    lasting: set[tuple[str, int, int]] = field(default_factory=set)

    def note(self, folder: str, uidvalidity: int, uids: Iterable[int]) -> None:
        """Record all letters of the folder that could not be fetched in this attempt."""
        before, now = self.at_last_look.get(folder, set()), {(folder, uidvalidity, uid) for uid in uids}
        self.at_last_look[folder] = now
        self.lasting = {letter for letter in self.lasting if letter[0] != folder} | (before & now)

    def __str__(self) -> str:
        """Return how many letters are withheld, and which: `2 (INBOX: 7, 9)`."""
        uids: dict[str, list[int]] = {}
        for folder, _, uid in sorted(self.lasting):
            uids.setdefault(folder, []).append(uid)
        named = "; ".join(f"{folder}: {', '.join(map(str, found[:MOST_NAMED]))}" for folder, found in uids.items())
        return f"{len(self.lasting)} ({named})"


@dataclass(frozen=True)
class Filing:
    """One way to file letters away. `folder` is the full name of the folder they are moved or copied to, or ""."""

    way: Literal["move", "copy", "keyword", "read"]
    folder: str = ""

    def __str__(self) -> str:
        """Return what happens to filed letters, as the end of a sentence."""
        return _FILED[self.way].format(folder=self.folder)

    def found_by(self, un: str = "UN") -> list[str]:
        """Return SEARCH criteria for letters that are not filed yet or, if `un` is "", for filed letters."""
        return ["UNDELETED", *{"keyword": [f"{un}KEYWORD", KEYWORD], "read": [f"{un}SEEN"]}.get(self.way, [])]

    def file_away(self, client: IMAPClient, uids: Sequence[int]) -> None:
        """File letters away. A letter is expunged only after it has been copied."""
        if self.way == "move":
            client.move(uids, self.folder)
        elif self.way == "copy":
            client.copy(uids, self.folder)
            client.add_flags(uids, [rb"\Deleted"], silent=True)
            client.uid_expunge(uids)
        else:
            client.add_flags(uids, [KEYWORD if self.way == "keyword" else r"\Seen"], silent=True)


def find_folder(client: IMAPClient, name: str) -> str:
    """Return the full name of one of the judge's folders, or "" if the server cannot create it.

    The server may require a prefix and another separator (RFC 2342).
    """
    prefix, separator = "", "/"
    if client.has_capability("NAMESPACE"):
        personal = client.namespace().personal
        prefix, separator = personal[0] if personal else ("", "/")
    name = name.replace("/", separator or "/")
    name = name if name.startswith(prefix) else prefix + name

    def is_there() -> bool:
        return any(found == name and rb"\Noselect" not in flags for flags, _, found in client.list_folders("", name))

    if is_there():
        return name
    try:
        client.create_folder(name)
        client.subscribe_folder(name)
    except IMAPClientAbortError:
        raise
    except IMAPClientError as refusal:
        # Another connection may have created the folder meanwhile, such as `judge doctor` while the daemon runs.
        if not is_there():
            log.warning("the folder %s cannot be created: %s", name, refusal)
            return ""
    return name
