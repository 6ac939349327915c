"""OAuth 2 tokens, for providers that accept no password (RFC 6749, RFC 8628).

The keeper consents once, with `judge oauth login`. The tokens are in a file that only the judge's user can read. The
first process that needs an expired token refreshes it, under a lock. The new tokens are written immediately and as a
whole, since the old refresh token may be invalid.
"""

import fcntl
import json
import math
import os
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, HTTPSHandler, Request, build_opener

from oauthlib.oauth2 import Client, DeviceClient, OAuth2Error, WebApplicationClient

from judge.settings import OAuthSettings

# A token that expires within this number of seconds is refreshed before it is used.
MARGIN = 120.0
TIMEOUT = 30.0
_MOST_BYTES = 100_000
# Seconds between two requests that ask whether the keeper has consented (RFC 8628, 3.5). _SLOWER is added if the
# provider wants fewer requests. After _PATIENCE seconds, the judge stops asking.
_INTERVAL, _SLOWER = 5.0, 5.0
_SHORTEST, _LONGEST = 1.0, 60.0
_PATIENCE = 900.0
# The number of bytes on the disk to reserve for new tokens.
_ROOM = 65_536
# Errors after which only a new consent helps.
_ENDED = ("invalid_grant", "interaction_required", "consent_required", "login_required", "unauthorized_client")
# An object of JSON, such as the tokens.
Json = dict[str, Any]


class OAuthError(Exception):
    """A reason why no token is available, as one sentence for the keeper, without secrets."""


class _OutOfReach(OAuthError):
    """A provider that cannot be reached, or cannot answer, at the moment."""


def access_token(settings: OAuthSettings, refused: str = "") -> str:
    """Return a token to log in with.

    The token is refreshed if it has expired, or if the mail server has `refused` it. Raises OAuthError if there is no
    token.
    """
    with _lock(settings):
        tokens = _read(settings)
        expires_at = _number(tokens.get("expires_at"), 0.0)
        if tokens.get("access_token") in (None, "", refused) or expires_at <= time.time() + MARGIN:
            tokens = _refreshed(settings, tokens)
        return str(tokens["access_token"])


def log_in(settings: OAuthSettings, invite: Callable[[str], None], sleep: Callable[[float], None]) -> None:
    """Ask for the keeper's consent by a device code, wait for the consent, and store the tokens.

    `invite` is called with a sentence that says what the keeper has to do. Raises OAuthError.
    """
    if not settings.device_endpoint:
        raise OAuthError("[oauth] device_endpoint is missing")
    asked = {"client_id": settings.client_id, "scope": settings.scope}
    answer = _json(_post(settings, settings.device_endpoint, urlencode(asked)))
    if "device_code" not in answer:
        raise OAuthError(f"{settings.device_endpoint} did not issue a code: {_said(answer)}")
    left = min(_number(answer.get("expires_in"), _PATIENCE), _PATIENCE)
    page = answer.get("verification_uri") or answer.get("verification_url", "")
    invite(
        f"Open {page} in a browser, log in as the judge, and enter the code {answer.get('user_code', '')}. "
        f"The code is valid for {left / 60:.0f} minutes."
    )
    tokens = _consented(settings, answer, left, sleep)
    if not tokens.get("refresh_token"):
        raise OAuthError("the provider issued no refresh token; try adding offline_access to the [oauth] scope")
    with _lock(settings), _replacing(settings.token_file) as write:
        write(tokens)


def _consented(settings: OAuthSettings, answer: Json, left: float, sleep: Callable[[float], None]) -> Json:
    """Return the tokens as soon as the keeper has consented to the device code of `answer`.

    Raises OAuthError if that does not happen within `left` seconds.
    """
    # Do not send the scope again, since a provider may spell it otherwise or leave out unknown scopes.
    client = DeviceClient(settings.client_id)
    body = client.prepare_request_body(str(answer["device_code"]), include_client_id=True, **_secret(settings))
    interval = max(_SHORTEST, _number(answer.get("interval"), _INTERVAL))
    trouble = ""
    while left > 0:
        sleep(interval)
        left -= interval
        try:
            return _tokens(client, settings, body)
        except _OutOfReach as error:
            interval, trouble = min(2 * interval, _LONGEST), f" ({error})"
        except OAuth2Error as error:
            if error.error not in ("authorization_pending", "slow_down"):
                raise OAuthError(f"the judge was not authorized: {_reason(error)}") from None
            interval, trouble = interval + _SLOWER * (error.error == "slow_down"), ""
    raise OAuthError(f"the judge was not authorized in time{trouble}; run judge oauth login again")


def take_refresh_token(settings: OAuthSettings, refresh_token: str) -> None:
    """Try a refresh token that the keeper got in another way, and store it.

    Raises OAuthError.
    """
    if not refresh_token:
        raise OAuthError("there is no refresh token on standard input")
    with _lock(settings):
        _refreshed(settings, {"refresh_token": refresh_token})


def _refreshed(settings: OAuthSettings, tokens: Json) -> Json:
    client = WebApplicationClient(settings.client_id)
    body = client.prepare_refresh_body(
        refresh_token=tokens.get("refresh_token"), client_id=settings.client_id, **_secret(settings)
    )
    with _replacing(settings.token_file) as write:
        try:
            new = _tokens(client, settings, body)
        except OAuth2Error as error:
            if error.error in _ENDED:
                expired = f"the authorization at {settings.token_endpoint} has expired ({_reason(error)})"
                raise OAuthError(f"{expired}: run judge oauth login") from None
            raise OAuthError(f"{settings.token_endpoint} did not issue a token: {_reason(error)}") from None
        kept = {**new, "refresh_token": new.get("refresh_token") or tokens.get("refresh_token")}
        write(kept)
    return kept


def _tokens(client: Client, settings: OAuthSettings, body: str) -> Json:
    """Return the tokens from the provider.

    Raises OAuth2Error if the provider refuses, and OAuthError for any other failure.
    """
    text = _post(settings, settings.token_endpoint, body)
    try:
        tokens = dict(client.parse_request_body_response(text))
        if not isinstance(tokens["access_token"], str) or not tokens["access_token"].isascii():
            raise ValueError
    except OAuth2Error:
        raise
    except (ValueError, TypeError, AttributeError, ArithmeticError):  # oauthlib raises these for an invalid answer
        raise OAuthError(f"the answer of {settings.token_endpoint} is not valid") from None
    return tokens


def _secret(settings: OAuthSettings) -> dict[str, str]:
    return {"client_secret": settings.client_secret} if settings.client_secret else {}


class _Stay(HTTPRedirectHandler):
    """A handler that follows no redirects, since secrets may go only to the address in the settings."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _post(settings: OAuthSettings, url: str, body: str) -> str:
    """Return the provider's answer, which may be a refusal in JSON."""
    if not url.startswith("https://"):
        raise OAuthError(f"{url} must begin with https://")
    request = Request(
        url, body.encode(), {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    )
    try:
        trust = ssl.create_default_context(cafile=settings.ca_file)
        with build_opener(HTTPSHandler(context=trust), _Stay).open(request, timeout=TIMEOUT) as answer:
            return str(answer.read(_MOST_BYTES).decode("utf-8", "replace"))
    except HTTPError as refusal:
        text = ""
        with suppress(OSError, HTTPException):
            text = refusal.read(_MOST_BYTES).decode("utf-8", "replace")
        if _json(text).get("error"):
            return text
        is_passing = refusal.code >= 500 or refusal.code == 429
        raise (_OutOfReach if is_passing else OAuthError)(f"{url} replied {refusal.code} {refusal.reason}") from None
    except (URLError, OSError, HTTPException) as error:
        raise _OutOfReach(f"{url} cannot be reached: {getattr(error, 'reason', None) or error}") from None


def _json(text: str) -> Json:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _number(value: object, instead: float) -> float:
    """Return a time in seconds from JSON, or `instead` if the value is not a number."""
    try:
        number = float(value)  # type: ignore[arg-type]  # whatever JSON has
    except (TypeError, ValueError):
        return instead
    return number if math.isfinite(number) else instead


def _said(answer: Json) -> str:
    return str(answer.get("error_description") or answer.get("error") or "no reason")[:300]


def _reason(error: OAuth2Error) -> str:
    """Return the OAuth error code and the first line of its description."""
    meaning = str(error.description or "").partition("\n")[0].strip()
    return ": ".join(filter(None, (str(error.error or ""), meaning)))[:300]


def _read(settings: OAuthSettings) -> Json:
    try:
        tokens = _json(settings.token_file.read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        raise OAuthError("the judge is not authorized yet: run judge oauth login") from None
    except OSError as error:
        raise OAuthError(f"{settings.token_file} cannot be read: {error.strerror}") from None
    if not tokens.get("refresh_token"):
        raise OAuthError(f"{settings.token_file} has no token: run judge oauth login")
    return tokens


@contextmanager
def _replacing(path: Path) -> Iterator[Callable[[Json], None]]:
    """Yield a function that writes new tokens onto the disk, completely or not at all.

    Space for the tokens is reserved before the provider is asked. Otherwise, on a full disk, the old refresh token
    would be invalid and the new one lost.
    """
    new = path.with_name(f"{path.name}.new")

    def write(tokens: Json) -> None:
        text = json.dumps(tokens).encode()
        os.write(file, text)
        os.ftruncate(file, len(text))
        os.fsync(file)
        new.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    try:
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            os.fchmod(file, 0o600)
            os.posix_fallocate(file, 0, _ROOM)
            yield write
        finally:
            os.close(file)
    except OSError as error:
        raise OAuthError(f"{path} cannot be written: {error.strerror}") from None


@contextmanager
def _lock(settings: OAuthSettings) -> Iterator[None]:
    """Let one process at a time work with the tokens, since a refresh token may be valid only once."""
    path = settings.token_file.with_name(f"{settings.token_file.name}.lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise OAuthError(f"{path} cannot be opened: {error.strerror}") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)
