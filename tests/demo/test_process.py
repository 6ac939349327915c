"""The settings that the demo and the tests write are settings that the judge reads."""

from pathlib import Path

from judge.demo.process import environment, settings_for, write_settings
from judge.settings import read_settings
from tests.servers.mailing import MailSystem


def test_the_judge_reads_what_was_written(tmp_path: Path):
    office = MailSystem(imap_port=1143, smtp_port=1025)
    settings = read_settings(write_settings(tmp_path, settings_for(office, early_delay=0)), environment={})
    assert (settings.address, settings.early_delay) == ("judge@judge.test", 0)
    mailbox = settings.mailbox
    assert (mailbox.host, mailbox.port, mailbox.security) == ("127.0.0.1", 1143, "plain")
    assert (mailbox.user, mailbox.password) == ("judge", office.password)
    assert settings.smtp.port == 1025


def test_passwords_stand_in_files_that_only_their_owner_reads(tmp_path: Path):
    config = write_settings(tmp_path, {"mailbox": {"user": "judge", "password": "secret"}})
    assert "secret" not in config.read_text()
    assert (tmp_path / "mailbox.password").stat().st_mode & 0o077 == 0


def test_a_judge_is_told_nothing_of_another_judge(monkeypatch):
    monkeypatch.setenv("JUDGE_JUDGE_HOME", "/of/another")
    assert "JUDGE_JUDGE_HOME" not in environment()
