"""OAuth 2: consent by a device code, tokens renewed and kept, and logins with them at real servers."""

import json
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from judge import oauth
from judge.letters.mailbox import Mailbox, MailboxError
from judge.mails.smtp import Unavailable, open_server
from judge.oauth import ConsentEnded, OAuthError, access_token
from judge.settings import OAuthSettings, SettingsError, SmtpSettings, read_settings
from judge.shell import cli
from tests.conftest import MISSING
from tests.letters.mailboxes import box_of
from tests.servers import plainuser
from tests.servers.dovecot import Dovecot
from tests.servers.tokenserver import USER, TokenServer
from tests.test_settings import ini

PASSDB = """\
auth_mechanisms = plain oauthbearer xoauth2
passdb {{
  driver = oauth2
  mechanisms = {mechanism}
  args = {file}
}}
"""
INTROSPECTION = """\
introspection_url = {url}
introspection_mode = get
force_introspection = yes
username_attribute = username
active_attribute = active
active_value = true
"""


@pytest.fixture(scope="module")
def running(certificates) -> Iterator[TokenServer]:
    with TokenServer(certificates) as server:
        yield server


@pytest.fixture
def provider(running) -> TokenServer:
    running.revoke()
    running.asked.clear()
    running.consents, running.expires_in = True, 3600
    return running


@pytest.fixture
def settings(provider, tmp_path) -> OAuthSettings:
    return OAuthSettings(
        "the-judge", "hush", f"{provider.url}/device", f"{provider.url}/token", "mail offline_access",
        tmp_path / "oauth.json", str(provider.certificates.ca_file),
    )  # fmt: skip


def consent(settings: OAuthSettings) -> None:
    oauth.log_in(settings, lambda _: None, lambda _: None)


def kept(settings: OAuthSettings) -> dict[str, str]:
    return dict(json.loads(settings.token_file.read_text()))


def test_consent_by_a_device_code_is_waited_for_and_kept_where_nobody_else_reads(provider, settings):
    provider.consents = False
    slept: list[float] = []
    shown: list[oauth.Invitation] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        provider.consents = len(slept) == 3

    oauth.log_in(settings, shown.append, sleep)
    assert slept == [5, 5, 5]
    assert (shown[0].page, shown[0].code) == ("https://example.org/device", "WXYZ-1234")
    assert access_token(settings) == "access-1" or access_token(settings) in provider.valid
    assert stat.S_IMODE(settings.token_file.stat().st_mode) == 0o600
    assert provider.asked[0] == {"client_id": "the-judge", "scope": "mail offline_access"}
    assert "hush" not in repr(settings)


def test_a_consent_that_does_not_come_is_told(provider, settings):
    provider.consents = False
    with pytest.raises(OAuthError, match="no consent in time"):
        consent(settings)
    assert not settings.token_file.exists()


def test_a_token_that_has_expired_is_renewed_and_the_rotated_one_is_kept(provider, settings):
    provider.expires_in = 60
    consent(settings)
    first = kept(settings)
    provider.expires_in = 3600
    assert access_token(settings) != first["access_token"]
    assert kept(settings)["refresh_token"] == provider.refresh_token != first["refresh_token"]
    assert access_token(settings) == kept(settings)["access_token"]
    assert [path.name for path in settings.token_file.parent.iterdir() if path.suffix == ".new"] == []


def test_a_token_that_was_refused_is_renewed_once_for_all_who_had_it(provider, settings):
    consent(settings)
    refused = access_token(settings)
    new = access_token(settings, refused)
    assert new != refused and access_token(settings, refused) == new


def test_a_consent_that_has_ended_is_told_in_clear_words(provider, settings):
    with pytest.raises(ConsentEnded, match="no consent yet: run judge oauth login"):
        access_token(settings)
    consent(settings)
    token = access_token(settings)
    provider.revoke()
    with pytest.raises(ConsentEnded) as ended:
        access_token(settings, refused=token)
    assert "has ended (invalid_grant: The grant was revoked.): run judge oauth login" in str(ended.value)
    assert kept(settings)["access_token"] == token


def test_a_token_server_out_of_reach_is_no_end_of_consent(settings):
    consent(settings)
    away = replace(settings, token_endpoint=f"https://localhost:{plainuser.free_port()}/token")
    with pytest.raises(OAuthError, match="cannot be reached") as trouble:
        access_token(away, refused=access_token(settings))
    assert not isinstance(trouble.value, ConsentEnded)
    with pytest.raises(OAuthError, match="must begin with https"):
        access_token(replace(settings, token_endpoint="http://localhost/token"), refused=access_token(settings))


@pytest.fixture(scope="module")
def dovecots(running) -> Iterator[dict[str, Dovecot]]:
    """One that knows OAUTHBEARER, and one that only knows XOAUTH2."""
    if "Dovecot" in MISSING:
        pytest.skip(MISSING["Dovecot"])
    made = {}
    for mechanism, others in (("oauthbearer", "oauthbearer xoauth2"), ("xoauth2", "xoauth2")):
        server = made[mechanism] = Dovecot()
        file = server.folder / "oauth2.conf"
        file.write_text(INTROSPECTION.format(url=running.introspection_url))
        text = PASSDB.format(mechanism=others, file=file).replace("plain oauthbearer xoauth2", f"plain {others}")
        with (server.folder / "dovecot.conf").open("a") as configuration:
            configuration.write(text)
        plainuser.hand_over(server.folder)
        server.start()
    yield made
    for server in made.values():
        server.remove()


@pytest.mark.parametrize("mechanism", ["oauthbearer", "xoauth2"])
def test_the_mailbox_is_opened_with_a_token_that_is_renewed_when_refused(dovecots, provider, settings, mechanism):
    consent(settings)
    box = box_of(dovecots[mechanism], password="", oauth=settings, user=USER)
    with Mailbox(box) as mailbox:
        assert mailbox.count() == 0
    provider.valid.clear()  # what the provider has given is no good any more, though it has not expired
    with Mailbox(box) as mailbox:
        assert mailbox.count() == 0
    provider.revoke()
    with pytest.raises(MailboxError, match="run judge oauth login") as ended:
        Mailbox(box).connect()
    assert "access-" not in str(ended.value)


class _Provider(SMTP):
    """Takes tokens; `mechanism` is the one it knows."""

    mechanism = ""
    server: TokenServer

    async def smtp_EHLO(self, arg: str) -> None:
        await super().smtp_EHLO(arg)

    async def check(self, words: bytes) -> AuthResult:
        token = words.partition(b"Bearer ")[2].partition(b"\1")[0].decode()
        if token in self.server.valid:
            return AuthResult(success=True, auth_data=token)
        await self.challenge_auth(b'{"status":"401"}')
        return AuthResult(success=False, handled=False)


class _Bearer(_Provider):
    async def auth_OAUTHBEARER(self, _: SMTP, args: list[str]) -> AuthResult:
        return await self.check(_decoded(args[1]))


class _Xoauth2(_Provider):
    async def auth_XOAUTH2(self, _: SMTP, args: list[str]) -> AuthResult:
        return await self.check(_decoded(args[1]))


def _decoded(word: str) -> bytes:
    from base64 import b64decode

    return b64decode(word)


@pytest.mark.parametrize("protocol", [_Bearer, _Xoauth2])
def test_mails_are_sent_with_a_token_that_is_renewed_when_refused(provider, settings, protocol):
    taken = []

    class Sink:
        async def handle_DATA(self, server: SMTP, session: object, envelope: object) -> str:
            taken.append(envelope)
            return "250 OK"

    class Listener(Controller):
        def factory(self) -> SMTP:
            made = protocol(self.handler, auth_required=True, auth_require_tls=False)
            made.server = provider
            return made

    consent(settings)
    port = plainuser.free_port()
    smtp = SmtpSettings("127.0.0.1", port, "plain", "", USER, "", 5, oauth=settings)
    listener = Listener(Sink(), hostname="127.0.0.1", port=port)
    listener.start()
    try:
        provider.valid.clear()
        server = open_server(smtp, "judge@example.org")
        server.deliver("fay@example.org", b"Subject: x\r\n\r\nx\r\n")
        server.close()
        assert len(taken) == 1
        provider.revoke()
        with pytest.raises(Unavailable, match="run judge oauth login"):
            open_server(smtp, "judge@example.org")
    finally:
        listener.stop()


def keeper_s(tmp_path: Path, settings: OAuthSettings) -> list[str]:
    path = ini(tmp_path, **{
        "auth = password": "auth = oauth", "client_id =": "client_id = the-judge", "home = run": f"home = {tmp_path}",
        "device_endpoint =\n": f"device_endpoint = {settings.device_endpoint}\n",
        "token_endpoint =\n": f"token_endpoint = {settings.token_endpoint}\n",
    })  # fmt: skip
    path.write_text(path.read_text().replace("token_file = oauth.json\nca_file =", f"ca_file = {settings.ca_file}"))
    return ["--config", str(path)]


def test_the_keeper_consents_from_the_shell(provider, settings, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("judge.oauth.time.sleep", lambda _: None)
    assert cli.main(["oauth", *keeper_s(tmp_path, settings), "login"]) == 0
    out = capsys.readouterr().out
    assert "https://example.org/device" in out and "WXYZ-1234" in out and "judge run" in out
    assert access_token(settings) in provider.valid
    provider.consents = False
    assert cli.main(["oauth", *keeper_s(tmp_path, settings), "login"]) == 1
    assert "no consent" in capsys.readouterr().err


def test_what_is_missing_for_oauth_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"\[oauth\] client_id is missing; \[oauth\] token_endpoint is missing"):
        read_settings(ini(tmp_path, **{"auth = password": "auth = oauth"}), {})
