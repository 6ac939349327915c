"""Give mails to the outgoing mail server (RFC 5321), and distinguish the ways in which the server refuses them.

Connections are opened when needed and kept open. Several threads may send at the same time.

`Unavailable` is about the server, or about the judge as its client, so all mails can be sent later. `Deferred` and
`Refused` are about one mail. A deferred mail can be sent later, and a refused mail never.
"""

import re
import smtplib
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from socket import SHUT_RDWR, socket
from typing import Any

from judge.letters.machine_mail import blames_address
from judge.oauth import OAuthError, access_token
from judge.settings import OAuthSettings, SmtpSettings

# Replies to MAIL FROM that refuse only this mail (RFC 5321, 4.2.3). The mail is too large, or needs an unknown
# parameter.
_ABOUT_THE_MAIL = {552, 555}
# A token longer than this is sent on a separate line, for which servers have more room (RFC 4954, 4).
_LONGEST_INITIAL = 350
# The time limit for all exchanges about one mail, as a multiple of the timeout. The timeout itself applies to each wait
# for bytes.
EXCHANGE = 2
# The number of seconds for which fewer connections are used after the server has refused one of several.
ALL_AGAIN = 60.0
# The tag in the return path of a mail. In older mails, the tag is shorter, and comes after the mail's number.
_TAG = re.compile(r"b(?:\d{1,12}-)?([0-9a-f]{12}|[0-9a-f]{20})")


class Unavailable(Exception):
    """A server that cannot be used at the moment.

    The message is one sentence for the keeper.
    """


class Deferred(Exception):
    """A mail that was not accepted this time.

    The message is the server's reply.
    """


class Closed(Deferred):
    """A mail that was not accepted this time, by a server that has ended the connection."""


class Refused(Exception):
    """A mail that will never be accepted.

    The message is the server's reply.
    """


class NoSuchAddress(Refused):
    """A mail to an address at which no one can be reached, as the server says (judge/letters/machine_mail.py)."""


class Server(smtplib.SMTP):
    """A connection to the outgoing mail server, for any number of mails from `sender`.

    `used_at` is when the last mail was sent. `has_begun` is true if some bytes of the last mail were sent, so that the
    server may have accepted it.
    """

    sender = ""
    used_at = 0.0
    has_begun = False
    _is_late = False

    def __init__(self, host: str, port: int, our_name: str, **how: Any):
        """Connect as smtplib does, but within the time limit."""
        self._most = EXCHANGE * how["timeout"]
        with self.in_time():
            super().__init__(host, port, our_name, **how)

    @contextmanager
    def in_time(self) -> Iterator[None]:
        """End the connection if the block takes too long.

        The socket's timeout never expires while the server sends a byte a second.
        """
        timer = threading.Timer(self._most, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except OSError as error:
            if self._is_late:
                raise TimeoutError(f"the exchange took longer than {self._most:g} seconds") from error
            raise
        finally:
            timer.cancel()

    def _cut(self) -> None:
        self._is_late = True
        with suppress(OSError):
            if self.sock:
                # Shut down the plain socket, not its TLS wrapper, which another thread is using.
                socket.shutdown(self.sock, SHUT_RDWR)

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the bytes of a mail, and note that sending has begun."""
        self.has_begun = True
        return super().data(msg)

    def deliver(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """Deliver a mail, and return when the server has accepted it.

        Reports go to `sender`, or to the judge's own address if that is "". Raises Deferred, Refused or Unavailable.
        """
        self.has_begun = False
        if not recipient.isprintable():  # a line break would begin another command
            raise Refused("the address contains control characters")
        try:
            with self.in_time():
                self.sendmail(sender or self.sender, [recipient], raw, [] if recipient.isascii() else ["SMTPUTF8"])
        except smtplib.SMTPSenderRefused as error:
            answer = _answer(error.smtp_code, error.smtp_error)
            if error.smtp_code in _ABOUT_THE_MAIL:
                raise Refused(answer) from error
            raise Unavailable(f"the mail server rejects the sender {self.sender}: {answer}") from error
        except smtplib.SMTPRecipientsRefused as error:
            raise _verdict(*error.recipients[recipient], at_rcpt=True) from error
        except smtplib.SMTPResponseException as error:
            raise _verdict(error.smtp_code, error.smtp_error) from error
        except smtplib.SMTPNotSupportedError as error:
            raise Refused("the outgoing mail server accepts only ASCII addresses (no SMTPUTF8)") from error
        except OSError as error:
            self.close()
            raise Deferred(f"the connection broke: {error}") from error

    def is_ready(self) -> bool:
        """Return whether the connection can be used again after the server did not accept a mail."""
        try:
            with self.in_time():
                return self.rset()[0] == 250
        except OSError:
            return False

    def leave(self) -> None:
        """End the session with QUIT, if the server still answers, and close the connection."""
        with suppress(OSError), self.in_time():
            self.quit()
        self.close()

    def __exit__(self, *_: object) -> None:
        self.leave()


class _ServerOverTls(Server, smtplib.SMTP_SSL):
    """A connection to the outgoing mail server over TLS."""


class ConnectionPool:
    """A pool, for all threads, of connections for mails from `sender`.

    There are at most `settings.connections` connections.
    """

    def __init__(self, settings: SmtpSettings, sender: str):
        self._settings = settings
        self._sender = sender
        self._free: list[Server] = []
        self._open = 0
        self._most = settings.connections
        self._fewer_since = 0.0
        self._changed = threading.Condition()

    def send(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """Send a mail, and return when the server has accepted it.

        Reports go to `sender`, or to the judge's own address if that is "". Raises Deferred, Closed, Refused or
        Unavailable.
        """
        server, is_usable = self._taken(), False
        try:
            try:
                server.deliver(recipient, raw, sender)
            except (Deferred, Unavailable):
                if not server.used_at or server.has_begun or server.is_ready():
                    raise
                # The server had closed the idle connection, so it has not seen the mail.
                server.leave()
                server = open_server(self._settings, self._sender)
                server.deliver(recipient, raw, sender)
            is_usable = True
        except (Deferred, Refused) as error:
            is_usable = server.is_ready()
            if isinstance(error, Deferred) and not is_usable:
                raise Closed(str(error)) from error
            raise
        finally:
            if not is_usable:
                server.leave()
            with self._changed:
                if is_usable:
                    server.used_at = time.monotonic()
                    self._free.append(server)  # the connection used last is taken first
                else:
                    self._open -= 1
                self._changed.notify_all()

    def close_idle(self, seconds: float) -> None:
        """Close the connections that have been idle for this number of seconds."""
        last = time.monotonic() - seconds
        with self._changed:
            old = [server for server in self._free if server.used_at <= last]
            self._free = [server for server in self._free if server not in old]
            self._open -= len(old)
        for server in old:
            server.leave()

    def _taken(self) -> Server:
        """Return a free connection, or a new one.

        Many servers allow a sender only a few connections at a time. If another connection cannot be opened, only the
        existing ones are used for a while.
        """
        while True:
            with self._changed:
                if time.monotonic() > self._fewer_since + ALL_AGAIN:
                    self._most = self._settings.connections
                self._changed.wait_for(lambda: self._free or self._open < max(1, self._most))
                if self._free:
                    return self._free.pop()
                self._open += 1
            try:
                return open_server(self._settings, self._sender)
            except BaseException as error:
                with self._changed:
                    self._open -= 1
                    self._changed.notify_all()
                    if not isinstance(error, Unavailable) or not self._open:
                        raise
                    self._most, self._fewer_since = self._open, time.monotonic()


def open_server(settings: SmtpSettings, sender: str) -> Server:
    """Connect, encrypt and log in, as the settings say.

    `sender` is the judge's address, from which mails can then be sent. Raises Unavailable if the server cannot be used.
    """
    host, port, timeout = settings.host, settings.port, settings.timeout
    # Give our name for the greeting. Without it Python asks the DNS, and waits long if no DNS server answers.
    our_name = sender.rpartition("@")[2]
    server: Server | None = None
    try:
        trust = ssl.create_default_context(cafile=settings.ca_file) if settings.security != "plain" else None
        if settings.security == "tls":
            server = _ServerOverTls(host, port, our_name, timeout=timeout, context=trust)
        else:
            server = Server(host, port, our_name, timeout=timeout)
        server.sender = sender
        with server.in_time():
            _greet(server, settings, trust)
        return server
    except (OSError, OAuthError) as error:
        if server:
            server.close()
        why = getattr(error, "strerror", None) or str(error)
        if isinstance(error, smtplib.SMTPResponseException):
            why = _answer(error.smtp_code, error.smtp_error)
        raise Unavailable(f"the mail server {host}:{port} cannot be used: {why}") from error


def _greet(server: Server, settings: SmtpSettings, trust: ssl.SSLContext | None) -> None:
    if settings.security == "starttls":
        server.starttls(context=trust)
    # Python's smtplib can send only ASCII, and its error about other characters quotes the password.
    if settings.user and not (settings.user + settings.password).isascii():
        raise smtplib.SMTPException("user and password must be ASCII")
    if settings.user and settings.oauth:
        _log_in_by_token(server, settings.user, settings.oauth)
    elif settings.user:
        server.login(settings.user, settings.password)
    # Greet the server here. Otherwise a refused greeting would be blamed on one mail after the other.
    server.ehlo_or_helo_if_needed()


def return_path(sender: str, tag: str) -> str:
    """Return the judge's address with the secret of a mail as its tag.

    Only the mail's reader sees the secret, since anyone who knows it could stop a player's mails. A Message-ID is not
    secret, since an answer to several people shows it to all of them.
    """
    local, _, domain = sender.rpartition("@")
    return f"{local}+b{tag}@{domain}"


def named_in(address: str) -> str:
    """Return the secret in the return path of a mail, or "" if there is none."""
    tag = _TAG.fullmatch(address.rpartition("@")[0].partition("+")[2])
    return tag[1] if tag else ""


def _log_in_by_token(connection: smtplib.SMTP, user: str, oauth: OAuthSettings) -> None:
    connection.ehlo_or_helo_if_needed()
    token = access_token(oauth)
    try:
        _present(connection, user, token)
    except smtplib.SMTPAuthenticationError:
        _present(connection, user, access_token(oauth, refused=token))


def _present(connection: smtplib.SMTP, user: str, token: str) -> None:
    """Log in with a token by OAUTHBEARER (RFC 7628), or by XOAUTH2, which is older but more common."""
    # The client has to reply to a refusal with `after_refusal`, before the server ends the exchange.
    mechanism, who, after_refusal = "XOAUTH2", f"user={user}", ""
    if "OAUTHBEARER" in connection.esmtp_features.get("auth", "").upper().split():
        name = user.replace("=", "=3D").replace(",", "=2C")
        mechanism, who, after_refusal = "OAUTHBEARER", f"n,a={name},", "\1"
    words = f"{who}\1auth=Bearer {token}\1\1"
    answers = chain([words], repeat(after_refusal))
    in_one_line = len(words) < _LONGEST_INITIAL
    try:
        connection.auth(mechanism, lambda _=None: next(answers), initial_response_ok=in_one_line)
    except smtplib.SMTPAuthenticationError as refusal:  # some servers quote the token that they refuse
        said = _text(refusal.smtp_error).replace(b64encode(words.encode()).decode(), "****").replace(token, "****")
        raise smtplib.SMTPAuthenticationError(refusal.smtp_code, said) from None
    except ValueError:  # the server's answer is not base64
        raise smtplib.SMTPException("the answer to the log-in is not valid") from None


def _verdict(code: int, answer: bytes | str, *, at_rcpt: bool = False) -> Deferred | Refused:
    """Return what the server's reply means for the mail.

    A reply 5xx is final. After any other reply, another attempt may succeed.
    """
    said = _answer(code, answer)
    if not 500 <= code <= 599:
        return Deferred(said)
    return NoSuchAddress(said) if blames_address(said, at_rcpt=at_rcpt) else Refused(said)


def _answer(code: int, text: bytes | str) -> str:
    return f"{code} {' '.join(_text(text).split())}"


def _text(words: bytes | str) -> str:
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else words
