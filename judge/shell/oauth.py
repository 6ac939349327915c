"""`judge oauth login`: the keeper's consent that the judge may log in to the provider."""

import sys
import time

from judge.oauth import Invitation, OAuthError, log_in, take_refresh_token
from judge.settings import Settings
from judge.shell.calling import Refused, reporting


@reporting()
def login(settings: Settings, *, refresh_token: bool) -> int:
    """Get tokens, by a device code or from a refresh token on standard input; 0 if the judge has them, else 1."""
    try:
        if refresh_token:
            take_refresh_token(settings.oauth, sys.stdin.readline().strip())
        else:
            log_in(settings.oauth, _invite, time.sleep)
    except OAuthError as error:
        raise Refused(error) from error
    print(f"The judge may log in now; its tokens are in {settings.oauth.token_file}. judge run uses them at once.")
    return 0


def _invite(invitation: Invitation) -> None:
    print(
        f"Open {invitation.page} in a browser, log in as the judge, and enter the code {invitation.code}. "
        f"There are {invitation.seconds / 60:.0f} minutes for it.",
        flush=True,
    )
