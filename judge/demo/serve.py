"""`judge serve`: a judge and the embedded mail system, to be tried with a mail program, until it is stopped."""

import signal
import sys
import threading
from pathlib import Path
from typing import TextIO

from judge.demo.mail_system import HOST, PASSWORD, MailSystem
from judge.demo.process import JudgeFailed, JudgeProcess, write_settings
from judge.demo.script import JUDGE

IMAP_PORT, SMTP_PORT = 1143, 1025

WELCOME = """\
A judge is at work, and a mail system of its own, on this machine only. In your mail program make an account:

    your address      any name you like, for example ada@example.org
    incoming (IMAP)   {host}, port {imap_port}, no encryption; user: the name (ada), password: {password}
    outgoing (SMTP)   {host}, port {smtp_port}, no encryption, no log-in

Then write to {judge}; the word HELP on a line of its own is a good beginning. Make as many accounts as you
want players. Nothing leaves this machine. Mail is forgotten when you stop this (Ctrl-C); the games are kept
in {folder}.
"""


def run(folder: Path, imap_port: int = IMAP_PORT, smtp_port: int = SMTP_PORT, screen: TextIO | None = None) -> int:
    """Run both until SIGINT or SIGTERM (then return 0) or until the judge dies (1); keep the games in `folder`."""
    out = screen or sys.stdout
    folder.mkdir(parents=True, exist_ok=True)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with MailSystem(imap_port=imap_port, smtp_port=smtp_port) as office:
            return _keep_up(JudgeProcess(write_settings(folder, settings_for(office))), office, stop, out)
    except OSError as error:
        print(f"cannot open ports {imap_port} and {smtp_port} on {HOST}: {error}", file=out)
        return 1


def settings_for(office: MailSystem, **games: object) -> dict[str, dict[str, object]]:
    """Return judge.ini for a judge at this mail system; `games` are more keys of its section [games]."""
    plain = {"host": office.host, "security": "plain", "timeout": 10}
    return {
        "judge": {"address": JUDGE, "keeper": "keeper@judge.test", "home": "."},
        "mailbox": {**plain, "port": office.imap_port, "user": "judge", "password": office.password},
        "smtp": {**plain, "port": office.smtp_port},
        "games": {"early_delay": 1, "sweep": 5} | games,
    }


def _keep_up(judge: JudgeProcess, office: MailSystem, stop: threading.Event, out: TextIO) -> int:
    try:
        judge.start()
        print(WELCOME.format(host=HOST, imap_port=office.imap_port, smtp_port=office.smtp_port, password=PASSWORD,
                             judge=JUDGE, folder=judge.config.parent), file=out, flush=True)
        while judge.alive and not stop.wait(0.5):
            pass
        if not judge.alive:
            raise JudgeFailed(f"the judge died:\n{judge.tail()}")
        return judge.terminate()
    except JudgeFailed as failure:
        print(failure, file=out)
        return 1
    finally:
        judge.kill()
