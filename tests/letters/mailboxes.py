"""The mailbox of a mail server that the tests run."""

from dataclasses import replace
from typing import Any

from judge.demo.postoffice import PostOffice
from judge.letters.mailbox import Mailbox
from judge.settings import MailboxSettings
from tests.servers.dovecot import Dovecot

Server = Dovecot | PostOffice


def box_of(server: Server, **changes: Any) -> MailboxSettings:
    """Where letters come from on that server; `changes`: of the settings of an ordinary one."""
    box = MailboxSettings(
        host=server.host, port=server.imap_port, security="plain", ca_file="", user="judge", password=server.password,
        folder="INBOX", processed="Processed", poll=300.0, timeout=5.0, max_size=1_000_000, max_lines=5000,
        authserv_id="",
    )  # fmt: skip
    return replace(box, **changes)


def open_mailbox(server: Server, **changes: Any) -> Mailbox:
    return Mailbox(box_of(server, **changes))
