"""The mailbox of a mail server that the tests run."""

from typing import Any

from judge.letters.mailbox import Mailbox
from judge.settings import MailboxSettings
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem

Server = Dovecot | MailSystem


def box_of(server: Server, **changes: Any) -> MailboxSettings:
    """Where letters come from on that server; `changes`: of the settings of an ordinary one."""
    box = MailboxSettings(
        host=server.host, port=server.imap_port, security="plain", user="judge", password=server.password, timeout=5,
        junk="no",
    )  # fmt: skip
    return box.model_copy(update=changes)


def open_mailbox(server: Server, **changes: Any) -> Mailbox:
    return Mailbox(box_of(server, **changes))
