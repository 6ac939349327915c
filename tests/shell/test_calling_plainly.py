"""Words of others that the keeper's commands print never steer the terminal, and passwords are in none of them."""

import sys
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from judge.shell import status
from judge.shell.calling import carry_out, plain, printing_plainly
from judge.shell.cli import main
from judge.store.engine import StoreError, migrate, open_engine, shown, transaction
from judge.store.locks import daemon_lock_of
from judge.store.tables import Mail
from tests.commands.deskatwork import DeskAtWork

STEERING = "550 no\x1b[2J\x1b]0;owned\x07 such\x9b31m user\r\n000001  all is well\u202e"


@pytest.fixture
def given_up(tmp_path: Path) -> DeskAtWork:
    """A mail that a foreign server has refused with words that would clear the keeper's screen."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.writes("jo@example.org", "HELP")
    with transaction(desk.engine) as session:
        mail = session.exec(select(Mail)).one()
        mail.failed_at, mail.error = desk.now + timedelta(minutes=1), STEERING
        session.add(mail)
    return desk


def test_the_list_of_mails_prints_the_words_of_a_foreign_server_plainly(
    given_up: DeskAtWork, capsys: pytest.CaptureFixture[str]
):
    with printing_plainly():
        assert carry_out(status.list_mails, given_up.settings) == 0
    out = capsys.readouterr().out
    assert "such" in out and "\\u001b[2J" in out
    assert all(char.isprintable() or char == "\n" for char in out)
    assert not any(line.startswith("000001") for line in out.splitlines()), "a line of the server's own"


def test_whatever_a_command_of_the_keeper_prints_is_plain(
    given_up: DeskAtWork, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    config = tmp_path / "judge.ini"
    config.write_text(
        f"[judge]\nhome = {given_up.settings.home}\naddress = judge@example.org\n"
        "keeper = keeper@example.org\n[mailbox]\nhost = 127.0.0.1\nport = 1\nuser = x\npassword = x\n"
        "[smtp]\nhost = 127.0.0.1\nport = 1\n"
    )
    for arguments in (
        ["mails", "list"],
        ["mails", "retry", "\x1b[31mx"],
        ["games", "do", "\x1b[2Jheron", "LIST"],
        ["people", "forget", "a\x1b[2J@example.org"],
        ["status"],
    ):
        main(["--config", str(config), *arguments])
        said = capsys.readouterr()
        assert said.out + said.err and "\x1b" not in said.out + said.err


def test_plain_text_stays_as_it_is(capsys: pytest.CaptureFixture[str]):
    text = "Zoë\t1\nКим 東 — é"
    assert plain(text) == text
    with printing_plainly():
        print(text, "\x1b", file=sys.stdout)
        print("\x9b", file=sys.stderr)
    assert tuple(capsys.readouterr()) == (f"{text} \\u001b\n", "\\u009b\n")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://judge@127.0.0.1:1/judge?password=s3cret",
        "postgresql+psycopg://127.0.0.1:1/judge?user=judge&PASSWORD=s3cret&connect_timeout=1",
        "postgresql://judge:s3cret@127.0.0.1:1/judge?sslpassword=s3cret",
        "postgresql://judge:s3cret@127.0.0.1:port/judge",
        "postgresql//judge?password=s3cret",
        "judge:s3cret@127.0.0.1/judge",
        "mysql://judge:s3cret@127.0.0.1/judge?password=s3cret",
    ],
)
def test_no_password_of_a_store_is_printed(url: str):
    """Neither where the address is refused nor where nobody answers there."""
    for use in (lambda engine: migrate(engine), lambda engine: daemon_lock_of(engine).take()):
        with pytest.raises(StoreError) as refused:
            use(open_engine(url))
        assert "s3cret" not in str(refused.value)


def test_an_address_without_a_secret_is_told_whole():
    url = open_engine("postgresql://judge@/judge?host=/run/postgresql").url
    assert shown(url).startswith("postgresql+psycopg://judge@/judge?host=")
