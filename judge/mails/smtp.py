"""Gives mails to the outgoing mail server (RFC 5321), and distinguishes the ways in which it refuses.

`Unavailable` is about the server, or about the judge as its client: the mails can be sent later. `Deferred` and
`Refused` are about one mail: not now, or never.
"""

import smtplib
import ssl
from base64 import b64encode
from contextlib import suppress
from itertools import chain, repeat
from typing import Any

from judge.letters.bounce import blames_address
from judge.oauth import OAuthError, access_token
from judge.settings import OAuthSettings, SmtpSettings

# Answers to MAIL FROM that refuse only this mail: it is too large, or needs an unknown parameter (RFC 5321, 4.2.3).
_ABOUT_THE_MAIL = {552, 555}
# A longer token is sent in a line of its own, for which servers have more room (RFC 4954, 4).
_LONGEST_INITIAL = 350


class Unavailable(Exception):
    """The server cannot be used now; the message is one sentence for the keeper."""


class Deferred(Exception):
    """The mail was not accepted this time; the message is the server's answer."""


class Refused(Exception):
    """The mail will never be accepted; the message is the server's answer."""


class NoSuchAddress(Refused):
    """The server says that nobody can be reached at the address (judge/letters/bounce.py)."""


class _Data(smtplib.SMTP):
    """Knows whether the server may have got the bytes of the last mail."""

    has_begun = False

    def data(self, msg: Any) -> tuple[int, bytes]:
        """Send the bytes of a mail."""
        self.has_begun = True
        return super().data(msg)


class _DataOverTls(_Data, smtplib.SMTP_SSL):
    """The same over TLS."""


class Server:
    """A connection to the outgoing mail server, for any number of mails; `used_at`: when it last sent one."""

    def __init__(self, connection: _Data, sender: str) -> None:
        self.used_at = 0.0
        self._connection = connection
        self._sender = sender

    @property
    def has_begun(self) -> bool:
        """Whether the server may have accepted the last mail: its bytes were sent, at least in part."""
        return self._connection.has_begun

    def deliver(self, recipient: str, raw: bytes, sender: str = "") -> None:
        """Return when the server has accepted the mail; raises Deferred, Refused or Unavailable.

        `sender`: where reports go, if not to the judge's own address.
        """
        self._connection.has_begun = False
        options = [] if recipient.isascii() else ["SMTPUTF8"]
        try:
            self._connection.sendmail(sender or self._sender, [recipient], raw, options)
        except smtplib.SMTPSenderRefused as error:
            answer = _answer(error.smtp_code, error.smtp_error)
            if error.smtp_code in _ABOUT_THE_MAIL:
                raise Refused(answer) from error
            raise Unavailable(f"the mail server refuses the sender {self._sender}: {answer}") from error
        except smtplib.SMTPRecipientsRefused as error:
            raise _verdict(*error.recipients[recipient], at_rcpt=True) from error
        except smtplib.SMTPResponseException as error:
            raise _verdict(error.smtp_code, error.smtp_error) from error
        except smtplib.SMTPNotSupportedError as error:
            raise Refused("the outgoing mail server takes no address outside of ASCII (SMTPUTF8)") from error
        except OSError as error:
            self._connection.close()
            raise Deferred(f"the connection broke: {error}") from error

    def ready(self) -> bool:
        """Whether another mail can be sent on the connection after one that was not accepted."""
        try:
            return self._connection.rset()[0] == 250
        except OSError:
            return False

    def close(self) -> None:
        """Say goodbye, if the server still listens."""
        with suppress(OSError):
            self._connection.quit()
        self._connection.close()


def open_server(settings: SmtpSettings, sender: str) -> Server:
    """A connection on which `sender` (the judge's address) can send; raises Unavailable if it cannot be opened."""
    try:
        return Server(_greet(settings, sender.rpartition("@")[2]), sender)
    except (OSError, OAuthError) as error:
        why = str(error)
        if isinstance(error, smtplib.SMTPResponseException):
            why = _answer(error.smtp_code, error.smtp_error)
        raise Unavailable(f"the mail server {settings.host}:{settings.port} cannot be used: {why}") from error


def _greet(settings: SmtpSettings, our_name: str) -> _Data:
    """Connect, encrypt and log in, as the settings say.

    `our_name` is the name in the greeting; without it Python asks the DNS, and waits long if there is none.
    """
    host, port, timeout = settings.host, settings.port, settings.timeout
    trust = ssl.create_default_context(cafile=settings.ca_file or None) if settings.security != "plain" else None
    connection: _Data
    if settings.security == "tls":
        connection = _DataOverTls(host, port, our_name, timeout=timeout, context=trust)
    else:
        connection = _Data(host, port, our_name, timeout)
    try:
        if settings.security == "starttls":
            connection.starttls(context=trust)
        # Python's smtplib sends nothing but ASCII, and the error it raises quotes the password.
        if settings.user and not (settings.user + settings.password).isascii():
            raise smtplib.SMTPException("user and password must be ASCII")
        if settings.user and settings.oauth:
            _log_in_by_token(connection, settings.user, settings.oauth)
        elif settings.user:
            connection.login(settings.user, settings.password)
        # Greet here: a refusal of the greeting would otherwise count as one of the first mail, again and again.
        connection.ehlo_or_helo_if_needed()
    except BaseException:
        connection.close()
        raise
    return connection


def _log_in_by_token(connection: smtplib.SMTP, user: str, oauth: OAuthSettings) -> None:
    """Log in with a token, and with a new one if the server refuses the one that we have."""
    connection.ehlo_or_helo_if_needed()
    token = access_token(oauth)
    try:
        _present(connection, user, token)
    except smtplib.SMTPAuthenticationError:
        _present(connection, user, access_token(oauth, refused=token))


def _present(connection: smtplib.SMTP, user: str, token: str) -> None:
    """Present a token by OAUTHBEARER (RFC 7628), or by XOAUTH2, which is older and known to most providers."""
    bearer = "OAUTHBEARER" in connection.esmtp_features.get("auth", "").upper().split()
    name = user.replace("=", "=3D").replace(",", "=2C")
    words = f"n,a={name},\1auth=Bearer {token}\1\1" if bearer else f"user={user}\1auth=Bearer {token}\1\1"

    # The client has to answer a refusal before the server ends the exchange.
    answers = chain([words], repeat("\1" if bearer else ""))
    in_one_line = len(words) < _LONGEST_INITIAL
    try:
        connection.auth("OAUTHBEARER" if bearer else "XOAUTH2", lambda _=None: next(answers),
                        initial_response_ok=in_one_line)  # fmt: skip
    except smtplib.SMTPAuthenticationError as refusal:  # some servers quote what they refuse
        said = _text(refusal.smtp_error).replace(b64encode(words.encode()).decode(), "****").replace(token, "****")
        raise smtplib.SMTPAuthenticationError(refusal.smtp_code, said) from None
    except ValueError:  # it is no base64
        raise smtplib.SMTPException("the answer to the log-in cannot be understood") from None


def _verdict(code: int, answer: bytes | str, *, at_rcpt: bool = False) -> Deferred | Refused:
    """What the answer means for the mail: 5xx is final, after any other answer the next attempt may succeed."""
    said = _answer(code, answer)
    if not 500 <= code <= 599:
        return Deferred(said)
    return NoSuchAddress(said) if blames_address(said, at_rcpt=at_rcpt) else Refused(said)


def _answer(code: int, text: bytes | str) -> str:
    return f"{code} {' '.join(_text(text).split())}"


def _text(words: bytes | str) -> str:
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else words
