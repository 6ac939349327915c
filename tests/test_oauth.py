"""OAuth 2: consent by a device code, tokens renewed and kept, and logins with them at real servers."""

import json
import resource
import signal
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from judge import oauth
from judge.ini_file import SettingsError
from judge.letters.mailbox import Mailbox, MailboxError
from judge.mails.smtp import Unavailable, open_server
from judge.oauth import OAuthError, access_token
from judge.settings import OAuthSettings, SmtpSettings, read_settings
from judge.shell import cli
from tests.conftest import MISSING
from tests.letters.mailboxes import box_of
from tests.servers import plainuser
from tests.servers.dovecot import Dovecot
from tests.servers.postfix import Postfix
from tests.servers.tokenserver import USER, TokenServer
from tests.test_settings import ini

# Postfix asks Dovecot whether a log-in is right.
SASL = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{port}
smtpd_client_restrictions = permit_sasl_authenticated, reject
"""
PASSDB = """\
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {port}
  }}
}}
auth_mechanisms = plain {mechanism}
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
    running.consents, running.expires_in, running.scope, running.says = True, 3600, "", None
    return running


@pytest.fixture
def settings(provider, tmp_path) -> OAuthSettings:
    return OAuthSettings(
        client_id="the-judge",
        client_secret="hush",
        device_endpoint=f"{provider.url}/device",
        token_endpoint=f"{provider.url}/token",
        scope="mail offline_access",
        token_file=tmp_path / "oauth.json",
        ca_file=provider.certificates.ca_file,
    )


def consent(settings: OAuthSettings) -> None:
    oauth.log_in(settings, lambda _: None, lambda _: None)


def kept(settings: OAuthSettings) -> dict[str, str]:
    return dict(json.loads(settings.token_file.read_text()))


def test_consent_by_a_device_code_is_waited_for_and_kept_where_nobody_else_reads(provider, settings):
    provider.consents = False
    slept: list[float] = []
    shown: list[str] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        provider.consents = len(slept) == 3

    oauth.log_in(settings, shown.append, sleep)
    assert slept == [5, 5, 5]
    assert "Open https://example.org/device in a browser" in shown[0] and "the code WXYZ-1234." in shown[0]
    assert access_token(settings) in provider.valid
    assert stat.S_IMODE(settings.token_file.stat().st_mode) == 0o600
    assert provider.asked[0] == {"client_id": "the-judge", "scope": "mail offline_access"}
    assert "hush" not in repr(settings)


def test_a_provider_names_the_scope_as_it_likes(provider, settings):
    provider.scope = "https://outlook.office.com/IMAP.AccessAsUser.All"  # Microsoft leaves offline_access out
    consent(settings)
    assert access_token(settings) in provider.valid


def test_a_provider_that_is_out_of_reach_for_a_moment_does_not_end_the_login(provider, settings):
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        provider.says = (503, "<html>later") if len(slept) < 3 else None

    oauth.log_in(settings, lambda _: None, sleep)
    assert slept == [5, 10, 20] and access_token(settings) in provider.valid
    provider.consents = False
    with pytest.raises(OAuthError, match=r"in time \(.* replied 502 Bad Gateway\); run judge oauth login again"):
        oauth.log_in(settings, lambda _: None, lambda _: setattr(provider, "says", (502, "")))


@pytest.mark.parametrize(("seconds", "interval"), [(9, 0), (9, -5), (9, "soon"), (1e300, 400), ([9], 400)])
def test_a_login_ends_whatever_the_provider_says_about_time(provider, settings, seconds, interval):
    slept: list[float] = []
    device = {"device_code": "x", "user_code": "y", "expires_in": seconds, "interval": interval}
    provider.says = 200, json.dumps(device)
    pending = 400, '{"error": "authorization_pending"}'
    with pytest.raises(OAuthError, match="not authorized in time"):
        oauth.log_in(settings, lambda _: setattr(provider, "says", pending), slept.append)
    assert min(slept) >= 1 and sum(slept) <= 1200


@pytest.mark.parametrize(
    "says",
    [
        "[]",
        '"x"',
        "12",
        "null",
        "<html>",
        '{"access_token": ["x"]}',
        '{"error": null, "access_token": "x"}',
        '{"error": ["x"]}',
        '{"access_token": "x", "expires_in": "soon"}',
        '{"access_token": "\u00fc"}',
    ],
)
def test_an_answer_that_is_none_is_told_in_one_sentence(provider, settings, says):
    consent(settings)
    before = kept(settings)
    provider.says = 200, says
    with pytest.raises(OAuthError, match=f"{provider.url}/token (did not issue a token|is not valid)"):
        access_token(settings, refused=before["access_token"])
    assert kept(settings) == before
    with pytest.raises(OAuthError, match="did not issue a code"):
        consent(settings)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"access_token": "x"}', "\udcff"])
def test_a_file_without_tokens_is_no_consent(settings, text):
    settings.token_file.write_text(text, errors="surrogateescape")
    with pytest.raises(OAuthError, match="has no token: run judge oauth login"):
        access_token(settings)


def test_nothing_is_asked_for_that_could_not_be_kept(provider, settings):
    """On a full disk a refresh would spend the old token, and lose the new one."""
    consent(settings)
    before, asked = kept(settings), len(provider.asked)
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limit[1]))
        with pytest.raises(OAuthError, match=r"oauth.json cannot be written: File too large"):
            access_token(settings, refused=before["access_token"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        signal.signal(signal.SIGXFSZ, ignored)
    assert len(provider.asked) == asked and kept(settings) == before
    assert access_token(settings, refused=before["access_token"]) in provider.valid


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
    with pytest.raises(OAuthError, match="not authorized yet: run judge oauth login"):
        access_token(settings)
    consent(settings)
    token = access_token(settings)
    provider.revoke()
    with pytest.raises(OAuthError) as ended:
        access_token(settings, refused=token)
    assert "has expired (invalid_grant: The grant was revoked.): run judge oauth login" in str(ended.value)
    assert kept(settings)["access_token"] == token


def test_a_token_server_out_of_reach_is_no_end_of_consent(settings):
    consent(settings)
    away = settings.model_copy(update={"token_endpoint": f"https://localhost:{plainuser.free_port()}/token"})
    with pytest.raises(OAuthError, match="cannot be reached") as trouble:
        access_token(away, refused=access_token(settings))
    assert "run judge oauth login" not in str(trouble.value)
    with pytest.raises(OAuthError, match="must begin with https"):
        plain = settings.model_copy(update={"token_endpoint": "http://localhost/token"})
        access_token(plain, refused=access_token(settings))


class Provider(NamedTuple):
    """A Dovecot that takes tokens, and the port at which it checks those that a Postfix was given."""

    dovecot: Dovecot
    port: int


@pytest.fixture(scope="module")
def dovecots(running) -> Iterator[dict[str, Provider]]:
    """One that knows OAUTHBEARER, and one that only knows XOAUTH2."""
    if "Dovecot" in MISSING:
        pytest.skip(MISSING["Dovecot"])
    made = {}
    for mechanism, others in (("oauthbearer", "oauthbearer xoauth2"), ("xoauth2", "xoauth2")):
        server, port = made[mechanism] = Provider(Dovecot(), plainuser.free_port())
        file = server.folder / "oauth2.conf"
        file.write_text(INTROSPECTION.format(url=running.introspection_url))
        text = PASSDB.format(mechanism=others, file=file, port=port)
        with (server.folder / "dovecot.conf").open("a") as configuration:
            configuration.write(text)
        plainuser.hand_over(server.folder)
        server.start()
    yield made
    for server, _ in made.values():
        server.remove()


@pytest.mark.parametrize("mechanism", ["oauthbearer", "xoauth2"])
def test_the_mailbox_is_opened_with_a_token_that_is_renewed_when_refused(dovecots, provider, settings, mechanism):
    consent(settings)
    box = box_of(dovecots[mechanism].dovecot, password="", oauth=settings, user=USER)
    with Mailbox(box) as mailbox:
        assert mailbox.count() == 0
    provider.valid.clear()  # what the provider has given is no good any more, though it has not expired
    with Mailbox(box) as mailbox:
        assert mailbox.count() == 0
    provider.revoke()
    with pytest.raises(MailboxError, match="run judge oauth login") as ended:
        Mailbox(box).connect()
    assert "access-" not in str(ended.value)


@pytest.mark.parametrize("mechanism", ["oauthbearer", "xoauth2"])
def test_mails_are_sent_with_a_token_that_is_renewed_when_refused(dovecots, postfix, provider, settings, mechanism):
    """Postfix takes them, and delivers them to Dovecot."""
    dovecot, port = dovecots[mechanism]
    consent(settings)
    with own_postfix(f"lmtp:[127.0.0.1]:{dovecot.lmtp_port}", SASL.format(port=port)) as postfix:
        smtp = SmtpSettings(host="127.0.0.1", port=postfix.port, security="plain", user=USER, oauth=settings)
        for subject in ("one", "two"):
            server = open_server(smtp, "judge@judge.test")
            server.deliver("judge@judge.test", f"Subject: {subject}\r\n\r\nx\r\n".encode())
            server.close()
            provider.valid.clear()  # what the provider has given is no good any more, though it has not expired
        until = time.monotonic() + 30
        while len(dovecot.mails()) < 2:
            assert time.monotonic() < until, postfix.log()
            time.sleep(0.05)
        assert f"sasl_method={mechanism.upper()}" in postfix.log()
        provider.revoke()
        with pytest.raises(Unavailable, match="run judge oauth login") as ended:
            open_server(smtp, "judge@judge.test")
        assert "access-" not in str(ended.value)


@contextmanager
def own_postfix(transport: str, settings: str) -> Iterator[Postfix]:
    if "Postfix" in MISSING:
        pytest.skip(MISSING["Postfix"])
    postfix = Postfix()
    postfix.hands_to(transport, more=settings)
    try:
        yield postfix.start()
    finally:
        postfix.remove()


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
    assert "was not authorized" in capsys.readouterr().err


def test_what_is_missing_for_oauth_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"\[oauth\] client_id is missing; \[oauth\] token_endpoint is missing"):
        read_settings(ini(tmp_path, **{"auth = password": "auth = oauth"}), {})
