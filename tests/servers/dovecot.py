"""A throw-away Dovecot: IMAP (plain and STARTTLS), IMAP over TLS, LMTP; one account; mail kept over a restart."""

import os
import shutil
import signal
import smtplib
import time
from datetime import datetime
from pathlib import Path

from imapclient import IMAPClient

from tests.servers import plainuser
from tests.servers.certificates import make_certificates

PROGRAM = plainuser.find_program("dovecot", "/usr/sbin", "/usr/local/sbin")
INSTALL = "apt-get install dovecot-imapd dovecot-lmtpd"

# A failed login is answered after 0.5 s at once, not after a penalty that grows with every failure: hence
# anvil's mode. Processes serve one client after the other (`service_count`): to start one for each costs four times as
# much as what it does.
CONFIGURATION = """\
protocols = imap lmtp
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
ssl = yes
ssl_cert = <{folder}/chain.pem
ssl_key = <{folder}/key.pem
disable_plaintext_auth = no
auth_failure_delay = 0
auth_username_format = %Ln
mail_max_userip_connections = 100
mail_location = maildir:{folder}/mail/%n
namespace inbox {{
  inbox = yes
  separator = /
}}
passdb {{
  driver = passwd-file
  args = {folder}/passwd
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%n
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    port = {imap_port}
  }}
  inet_listener imaps {{
    port = {imaps_port}
    ssl = yes
  }}
}}
service imap {{
  service_count = 1000
}}
service lmtp {{
  service_count = 1000
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp_port}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""


class Dovecot:
    """The server. `start()` before anything else, `remove()` at the end.

    One account, `user` with `password`, which takes LMTP mail for `judge@` any domain. `imap_port` speaks
    plain IMAP and STARTTLS, `imaps_port` TLS from the first byte; `ca_file` is the authority to trust, for
    the host name `localhost` as well as for 127.0.0.1.
    """

    host = "localhost"
    user = "judge"
    password = "secret"

    def __init__(self) -> None:
        self.folder = plainuser.new_folder()
        self.ca_file = make_certificates(self.folder).ca_file
        self.imap_port, self.imaps_port, self.lmtp_port = (plainuser.free_port() for _ in range(3))
        for name in ("run", "state", "mail"):
            (self.folder / name).mkdir()
        (self.folder / "passwd").write_text(f"{self.user}:{{PLAIN}}{self.password}\n")
        self._configuration = self.folder / "dovecot.conf"
        self._configuration.write_text(
            CONFIGURATION.format(
                folder=self.folder,
                user=plainuser.account().pw_name,
                group=plainuser.group(),
                imap_port=self.imap_port,
                imaps_port=self.imaps_port,
                lmtp_port=self.lmtp_port,
            )
        )
        plainuser.hand_over(self.folder)

    def start(self) -> "Dovecot":
        """Starts the server, returns when it answers (0.1 s); RuntimeError with Dovecot's log if it does not."""
        if PROGRAM is None:
            raise RuntimeError(f"Dovecot is not installed: {INSTALL}")
        command: list[str | Path] = [PROGRAM, "-F", "-c", self._configuration]
        self._process = plainuser.start(command, self.folder)
        deadline = time.monotonic() + 10
        while not all(map(plainuser.answers, (self.imap_port, self.imaps_port, self.lmtp_port))):
            if time.monotonic() > deadline:
                raise RuntimeError(f"Dovecot does not start:\n{self.log()}")
            if self._process.poll() is not None:
                # Processes of the one that was killed may hold its sockets for a moment: "already running?"
                time.sleep(0.1)
                self._process = plainuser.start(command, self.folder)
            time.sleep(0.01)
        return self

    def kill(self) -> None:
        """The server is gone at once (SIGKILL); connections break, mail stays. Returns when its ports are closed."""
        plainuser.kill(self._process)
        # A process of its group that is not quite dead takes a connection, only to break it.
        closed = time.monotonic() + 5
        while any(map(plainuser.answers, (self.imap_port, self.imaps_port, self.lmtp_port))):
            if time.monotonic() > closed:
                raise RuntimeError(f"Dovecot does not die:\n{self.log()}")
            time.sleep(0.01)

    def restart(self) -> None:
        """Down and up again, on the same ports, with the same mail."""
        self.kill()
        self.start()

    def freeze(self) -> None:
        """The server keeps its connections but says nothing any more (SIGSTOP), until `thaw` or `kill`."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        os.killpg(self._process.pid, signal.SIGCONT)

    @property
    def running(self) -> bool:
        return self._process.poll() is None

    def wipe(self) -> None:
        """All mail and folders are gone; UIDVALIDITY will be new, but in whole seconds."""
        mail = self.folder / "mail" / self.user
        if mail.exists():
            rubbish = self.folder / f"rubbish-{time.monotonic_ns()}"
            os.rename(mail, rubbish)  # at one stroke, whatever Dovecot may be writing
            shutil.rmtree(rubbish, ignore_errors=True)

    def begin_anew(self) -> None:
        """All mail and folders are gone, as after a loss, and none that is made gets the UIDVALIDITY that one had: the
        second in which a folder is made, or the next that no other folder has, so that it may be ahead of time.
        """
        with self.client() as client:
            names = [name for _, _, name in client.list_folders()]
            latest = max(client.folder_status(name, ["UIDVALIDITY"])[b"UIDVALIDITY"] for name in names)
        self.kill()
        self.wipe()
        time.sleep(max(0.0, latest + 1 - time.time()))
        self.start()

    def remove(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def deliver(self, raw: bytes, to: str, sender: str = "") -> None:
        """Delivers a mail by LMTP, as an MTA would; smtplib.SMTPException when Dovecot refuses it.

        One recipient only: smtplib reads one answer after DATA, while LMTP gives one for each recipient.
        """
        with smtplib.LMTP("127.0.0.1", self.lmtp_port, timeout=10) as post:
            post.sendmail(sender, [to], raw)

    def append(self, raw: bytes, received_at: datetime, folder: str = "INBOX") -> None:
        """Puts a mail into a folder as if it had arrived at `received_at` (aware)."""
        with self.client() as client:
            client.append(folder, raw, msg_time=received_at)

    def client(self) -> IMAPClient:
        """A client that is logged in, over plain IMAP."""
        client = IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=10)
        client.normalise_times = False
        client.login(self.user, self.password)
        return client

    def mails(self, folder: str = "INBOX") -> list[bytes]:
        """The mails in a folder, in the order of their UIDs; none when there is no such folder."""
        with self.client() as client:
            if not client.folder_exists(folder):
                return []
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
            return [found[uid][b"BODY[]"] for uid in sorted(found)]

    def log(self) -> str:
        files = (self.folder / "log", self.folder / "output")
        return "".join(file.read_text(errors="replace") for file in files if file.exists())
