"""judge.ini: read, overridden, and refused with the section and key that is wrong."""

from pathlib import Path

import pytest

from judge.ini_file import SettingsError, read_folders
from judge.settings import KEYS, read_settings, sample
from tests.texts import table

SAMPLE = Path(__file__).parent.parent / "judge.ini"


def ini(tmp_path: Path, **changes: str) -> Path:
    text = SAMPLE.read_text()
    for line, new in changes.items():
        text = text.replace(line, new)
    path = tmp_path / "judge.ini"
    path.write_text(text)
    return path


def test_the_shipped_file_is_what_the_settings_say():
    """Every key, its default and its explanation; `judge config > judge.ini` writes it anew."""
    assert SAMPLE.read_text() == sample()
    assert all(one.description for keys in KEYS.values() for key, one in keys.items() if key in ("code", "host", "url"))


def test_the_shipped_file_can_be_read(tmp_path):
    settings = read_settings(ini(tmp_path), {})
    assert settings.code == "JUDG"
    assert settings.home == tmp_path / "run"
    assert settings.store_url == f"sqlite:///{tmp_path}/run/judge.db"
    assert settings.mailbox.port == 993 and settings.smtp.security == "starttls"


def test_the_environment_wins_over_the_file(tmp_path):
    settings = read_settings(ini(tmp_path), {"JUDGE_MAILBOX_HOST": "127.0.0.1", "JUDGE_SMTP_PORT": "2525"})
    assert settings.mailbox.host == "127.0.0.1"
    assert settings.smtp.port == 2525


def test_a_password_can_stand_in_a_file_of_its_own(tmp_path):
    (tmp_path / "secret").write_text("open sesame\n")
    settings = read_settings(ini(tmp_path), {"JUDGE_MAILBOX_PASSWORD_FILE": "secret"})
    assert settings.mailbox.password == "open sesame"
    assert "sesame" not in repr(settings)


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    table("""
        JUDGE_MAILBOX_PORT => 0 => [mailbox] port: '0' must be a port number from 1 to 65535
        JUDGE_MAILBOX_PORT => imap => [mailbox] port: 'imap' must be a port
        JUDGE_MAILBOX_SECURITY => ssl => [mailbox] security: 'ssl' must be one of: tls, starttls, plain
        JUDGE_MAILBOX_HOST =>  => [mailbox] host is missing
        JUDGE_JUDGE_ZONE => Mars/Olympus => [judge] zone: 'Mars/Olympus' must be a time zone's name
        JUDGE_JUDGE_ADDRESS => judge => [judge] address: 'judge' must be a bare email address
        JUDGE_JUDGE_CODE => JUDGE => [judge] code: 'JUDGE' must be four letters
        JUDGE_GAMES_EARLY_DELAY => -1 => [games] early_delay: '-1' must be a number of seconds, 0 or more
        JUDGE_GAMES_EARLY_DELAY => nan => [games] early_delay: 'nan' must be a number of seconds
        JUDGE_GAMES_CREATOR_IS_MASTER => maybe => [games] creator_is_master: 'maybe' must be one of: yes
        JUDGE_SMTP_PASSWORD_FILE => no/such => [smtp] password_file: cannot read 'no/such'"""),
)
def test_a_wrong_value_is_named_with_section_and_key(tmp_path, variable, value, message):
    with pytest.raises(SettingsError) as refusal:
        read_settings(ini(tmp_path), {variable: value})
    assert message in str(refusal.value)


def test_all_wrong_values_are_named_at_once(tmp_path):
    path = ini(tmp_path)
    path.write_text(path.read_text() + "\n[mailbox2]\nx = 1\n")
    with pytest.raises(SettingsError) as refusal:
        read_settings(path, {"JUDGE_SMTP_PORT": "x", "JUDGE_MAILBOX_PORT": "y"})
    for part in ("[mailbox2] is not a section", "[smtp] port", "[mailbox] port"):
        assert part in str(refusal.value)


def test_a_misspelt_key_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"\[mailbox\] hots is not a key; there are: host, port"):
        read_settings(ini(tmp_path, **{"host = imap.example.org": "hots = imap.example.org"}), {})
    with pytest.raises(SettingsError, match=r"\[mailbox\] pasword is not a key; did you mean password\?"):
        read_settings(ini(tmp_path, **{"password =": "pasword ="}), {})


def test_a_wrong_value_in_the_file_is_named_with_its_line(tmp_path):
    """Whatever other sections have the same key; one in the environment is in no line."""
    path = ini(tmp_path, **{"port = 587": "PORT = many"})
    line = path.read_text().splitlines().index("PORT = many") + 1
    with pytest.raises(SettingsError) as refusal:
        read_settings(path, {"JUDGE_MAILBOX_PORT": "x"})
    said = f"[mailbox] port: 'x' must be a port number from 1 to 65535; line {line}: [smtp] port: 'many' must be"
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("JUDGE_MAILBOX_PASWORD", "is not a setting; did you mean JUDGE_MAILBOX_PASSWORD?"),
        ("JUDGE_IMAP_SERVER", "is not a setting; a setting is JUDGE_<SECTION>_<KEY>, like JUDGE_MAILBOX_HOST"),
        ("JUDGE_WHATEVER", "is not a setting; a setting is JUDGE_<SECTION>_<KEY>"),
    ],
)
def test_a_misspelt_variable_is_named_and_its_value_is_not(tmp_path, variable, said):
    with pytest.raises(SettingsError) as refusal:
        read_settings(ini(tmp_path), {variable: "hunter2", "JUDGE_SMTP_PORT": "x"})
    assert f"{variable} in the environment {said}" in str(refusal.value)
    assert "[smtp] port" in str(refusal.value) and "hunter2" not in str(refusal.value)


def test_variables_of_others_are_no_settings(tmp_path):
    assert read_settings(ini(tmp_path), {"JUDGES": "1", "judge_x": "1"}).code == "JUDG"


def test_a_missing_file_is_said_plainly(tmp_path):
    with pytest.raises(SettingsError, match="cannot read .*none.ini: .* .judge config > .*none.ini creates"):
        read_settings(tmp_path / "none.ini", {})


def test_folders_of_the_keeper_s_are_relative_to_the_file_and_none_where_none_is_named(tmp_path):
    settings = read_settings(ini(tmp_path), {})
    assert (settings.templates, settings.variants) == (None, None)
    settings = read_settings(ini(tmp_path, **{"templates =": "templates = texts", "variants =": "variants = /own"}), {})
    assert (settings.templates, settings.variants) == (tmp_path / "texts", Path("/own"))
    assert settings.editions == tmp_path / "run" / "variants"


def test_the_folders_are_read_whatever_else_is_wrong(tmp_path):
    path = tmp_path / "judge.ini"
    path.write_text("[judge]\nvariants = own\nhome = there\n[mailbox]\nport = x\n")
    assert read_folders(path, {}) == (tmp_path / "own", tmp_path / "there" / "variants")
    assert read_folders(path, {"JUDGE_JUDGE_VARIANTS": ""})[0] is None
    assert read_folders(None, {"JUDGE_JUDGE_VARIANTS": "own"}) == (Path.cwd() / "own", Path.cwd() / "run" / "variants")
    with pytest.raises(SettingsError, match="cannot read"):
        read_folders(tmp_path / "none.ini", {})


def test_every_file_is_named_relative_to_the_file_of_the_settings(tmp_path):
    """Wherever judge is called: `cron` and systemd call it in other folders."""
    (tmp_path / "secret").write_text("x")
    names = {"MAILBOX_CA_FILE": "ca.pem", "OAUTH_CA_FILE": "/etc/ca.pem", "SMTP_PASSWORD_FILE": "secret"}
    settings = read_settings(ini(tmp_path), {f"JUDGE_{name}": text for name, text in names.items()})
    assert (settings.mailbox.ca_file, settings.oauth.ca_file) == (tmp_path / "ca.pem", Path("/etc/ca.pem"))
    assert settings.smtp.password_file == tmp_path / "secret" and settings.smtp.ca_file is None
