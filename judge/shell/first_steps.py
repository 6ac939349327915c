"""Before there is a judge, or beside it: `judge config`, `demo`, `serve` and `oauth login`."""

import sys
import time
from pathlib import Path

from judge.ini_file import own_folder
from judge.oauth import Invitation, OAuthError, log_in, take_refresh_token
from judge.settings import Settings, sample
from judge.shell.calling import Refused, reporting


def print_sample(_: Path | None) -> int:
    """Print judge.ini with every setting, what it does, and its default."""
    print(sample(), end="")
    return 0


@reporting()
def demo(config: Path | None, out: Path) -> int:
    """Play a game by mail, with the templates and variants that `config` names; the mails are left in `out`."""
    from judge.demo.play import run_demo

    named = {key: own_folder(config, key, {}) for key in ("templates", "variants") if config}
    return run_demo(out, own={key: folder for key, folder in named.items() if folder})


@reporting()
def serve(_: Path | None, home: Path) -> int:
    """Run a judge with a mail system of its own, and its database in `home`."""
    from judge.demo.serve import run

    return run(home)


@reporting()
def login(settings: Settings, *, refresh_token: bool) -> int:
    """Get tokens by a device code, or from a refresh token on standard input; 0 if that succeeds, else 1."""
    try:
        if refresh_token:
            take_refresh_token(settings.oauth, sys.stdin.readline().strip())
        else:
            log_in(settings.oauth, _invite, time.sleep)
    except OAuthError as error:
        raise Refused(error) from error
    print(f"The judge can log in now. Its tokens are in {settings.oauth.token_file}; judge run needs no restart.")
    return 0


def _invite(invitation: Invitation) -> None:
    print(
        f"Open {invitation.page} in a browser, log in as the judge, and enter the code {invitation.code}. "
        f"The code is valid for {invitation.seconds / 60:.0f} minutes.",
        flush=True,
    )
