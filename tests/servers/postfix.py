"""A throw-away Postfix: takes mail by SMTP on a port of its own, and hands it to whoever listens for it.

It has its own configuration and queue, and its own master, which is stopped by its process number. Its master must be
started by root; elsewhere there is none.
"""

import os
import pwd
import shutil
import smtplib
import subprocess
import time
from pathlib import Path

from tests.servers import plainuser
from tests.servers.certificates import make_certificates

FOLDER = Path("/usr/lib/postfix/sbin")
INSTALLED = (FOLDER / "master").exists() and os.getuid() == 0
INSTALL = "apt-get install postfix, and run as root"

MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = {programs}
mail_owner = postfix
setgid_group = postdrop
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
myhostname = mx.judge.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
relay_domains = judge.test
relay_transport = {transport}
default_transport = {others}
transport_maps =
alias_maps =
local_recipient_maps =
lmtp_tls_security_level = {tls}
smtp_tls_security_level = {tls}
lmtp_tls_CAfile = {folder}/ca.pem
smtp_tls_CAfile = {folder}/ca.pem
lmtp_tls_secure_cert_match = localhost
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
transport_retry_time = 1s
message_size_limit = 10000000
"""

MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 1 1 qmgr
tlsmgr    unix - - n 1 1 tlsmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
flush     unix n - n 1000 0 flush
proxymap  unix - - n - - proxymap
smtp      unix - - n - - smtp
lmtp      unix - - n - - lmtp
error     unix - - n - - error
retry     unix - - n - - error
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """The server; `hands_to` says where. `start()` before anything else, `remove()` at the end."""

    def __init__(self) -> None:
        self.folder = plainuser.new_folder()
        self.port = plainuser.free_port()
        self.certificates = make_certificates(self.folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._configuration = self.folder / "conf"
        for name in ("conf", "queue", "data"):
            (self.folder / name).mkdir()
        for path in (self.folder, self.folder / "queue"):
            path.chmod(0o755)
            shutil.chown(path, "root")
        shutil.chown(self.folder / "data", "postfix")
        owner = pwd.getpwnam("postfix")
        for name in (
            "active",
            "bounce",
            "corrupt",
            "defer",
            "deferred",
            "flush",
            "hold",
            "incoming",
            "private",
            "trace",
            "maildrop",
            "public",
            "pid",
            "saved",
        ):
            path = self.folder / "queue" / name
            path.mkdir()
            os.chown(path, 0 if name == "pid" else owner.pw_uid, -1)
        (self._configuration / "master.cf").write_text(MASTER.format(port=self.port))
        self.hands_to(f"lmtp:[127.0.0.1]:{plainuser.free_port()}")

    def hands_to(
        self, transport: str, *, tls: str = "none", others: str = "error:only the judge is served here", more: str = ""
    ) -> None:
        """Letters for judge.test go to `transport`, such as lmtp:[127.0.0.1]:2424, those for `others` there; `more`:
        lines of its settings.
        """
        text = MAIN.format(folder=self.folder, programs=FOLDER, transport=transport, tls=tls, others=others)
        # In one step, since its processes may be reading it: one of them that finds half stays away for a minute.
        written = self._configuration / "main.cf.new"
        written.write_text(text + more)
        written.replace(self._configuration / "main.cf")
        if self._process:
            self._process.send_signal(1)  # its processes end, and new ones read it

    def start(self) -> "Postfix":
        # -d: it stays in the foreground.
        command = [str(FOLDER / "master"), "-c", str(self._configuration), "-d"]
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "MAIL_CONFIG": str(self._configuration)}
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(
                command,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
                env=environment,
            )
        until = time.monotonic() + 20
        while not plainuser.answers(self.port):
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError(f"Postfix does not start:\n{self.log()}")
            time.sleep(0.02)
        return self

    def deliver(self, raw: bytes, to: str, sender: str = "") -> None:
        """Takes a mail, as from outside."""
        with smtplib.SMTP("127.0.0.1", self.port, "outside.test", timeout=20) as post:
            post.sendmail(sender, [to], raw)

    @property
    def queued(self) -> int:
        """How many letters it still has, by their names: it may move one to another folder while they are counted, so
        that a single look could find it twice, or nowhere.
        """
        folders = [self.folder / "queue" / place for place in ("incoming", "active", "deferred", "maildrop")]
        return len({path.name for folder in folders * 2 for path in folder.rglob("*") if path.is_file()})

    def log(self) -> str:
        files = (self.folder / "log", self.folder / "output")
        return "".join(file.read_text(errors="replace") for file in files if file.exists())

    def remove(self) -> None:
        if self._process:
            plainuser.kill(self._process)
        shutil.rmtree(self.folder, ignore_errors=True)
