"""`judge doctor` on real servers: what works, and what a keeper has to do where it does not."""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import dns.flags
import dns.message
import dns.resolver
import dns.rrset
import pytest

from judge.demo.process import write_settings
from judge.settings import read_settings, sample
from judge.shell.cli import main
from judge.shell.doctor import Look, look_up
from judge.shell.doctor import doctor as run_doctor
from judge.store.engine import migrate, open_engine
from tests.acceptance.conftest import MakeJudge, _store_url, make_judge_at, store  # noqa: F401
from tests.acceptance.harness import ADDRESS, MailServer, settings
from tests.servers.dovecot import Dovecot
from tests.servers.mailing import MailSystem
from tests.servers.plainuser import free_port
from tests.servers.smtpsink import SmtpSink

Said = Callable[..., dict[str, dict]]


@pytest.fixture
def doctor(tmp_path: Path, smtp_sink: SmtpSink, capsys: pytest.CaptureFixture[str]) -> Said:
    """What `judge doctor` says about a judge with its mailbox there: {what: the look}. `config` is changed before."""

    def says(server: MailServer, seconds: float | None = None, **changes: dict) -> dict:
        config = write_settings(tmp_path, settings(server, smtp_sink, changes=changes))
        no_mail = seconds is None
        status = run_doctor(read_settings(config, {}), no_mail=no_mail, no_dns=True, seconds=seconds or 0, json=True)
        said = json.loads(capsys.readouterr().out)
        assert status == (0 if said["well"] else 1) and said["well"] == all(look["well"] for look in said["looks"])
        return {look["what"]: look for look in said["looks"]}

    return says


@contextmanager
def delivering(sink: SmtpSink, deliver: Callable[[bytes], None]) -> Iterator[None]:
    """What the sink takes is delivered, as a mail server would."""
    waiting = threading.Thread(target=lambda: deliver(sink.wait_for(lambda _: True).message.as_bytes()))
    waiting.start()
    yield
    waiting.join()


def test_a_mail_there_and_back_by_dovecot(doctor: Said, dovecot: Dovecot, smtp_sink: SmtpSink):
    dovecot.deliver(b"From: jo@example.org\r\nSubject: a letter\r\n\r\nLIST\r\n", ADDRESS)
    with delivering(smtp_sink, lambda raw: dovecot.deliver(raw, ADDRESS)):
        said = doctor(dovecot, seconds=30)
    assert all(look["well"] for look in said.values()), said
    assert said["test mail"]["says"].startswith("arrived within")
    assert said["filing"]["says"] == "the test email was moved to Processed"
    assert said["clock"]["says"] == "agrees with the mail server's"
    assert said["database"]["says"] == "none yet: judge run creates it"
    assert len(dovecot.mails()) == 1 and dovecot.mails("Processed") == [], "only the test mail is removed"


def test_a_clock_that_differs(doctor: Said, dovecot: Dovecot, smtp_sink: SmtpSink):
    earlier = datetime.now(UTC) - timedelta(hours=1)
    with delivering(smtp_sink, lambda raw: dovecot.append(raw, earlier)):
        clock = doctor(dovecot, seconds=30)["clock"]
    assert not clock["well"] and "s behind ours" in clock["says"] and "timedatectl" in clock["to_do"]


IDS = [
    (rb"(?!)", "no", "stays as the judge writes it", None),
    (rb"(?im)^Message-ID: \S+", "no", "bounces are not recognized", "replies are recognized by them"),
    (rb"(?im)^Message-ID: \S+", "yes", "bounces are recognized by", "replies are recognized by them"),
    (rb"(?im)^(Message-ID|References): \S+", "yes", "bounces are recognized by", "replies without SIGNON are refused"),
]


@pytest.mark.parametrize("row", IDS)
def test_it_says_which_ids_survive(
    doctor: Said, dovecot: Dovecot, smtp_sink: SmtpSink, row: tuple[bytes, str, str, str | None]
):
    field, plus_addresses, of_mail, of_references = row

    def deliver(raw: bytes) -> None:
        dovecot.deliver(re.sub(field, b"Message-ID: <0100@provider.test>", raw), ADDRESS)

    with delivering(smtp_sink, deliver):
        said = doctor(dovecot, seconds=30, smtp={"plus_addresses": plus_addresses})
    assert of_mail in said["Message-ID"]["says"]
    assert ("plus_addresses = yes" in said["Message-ID"]["to_do"]) == ("not" in of_mail)
    assert of_references is None or of_references in said["References"]["says"]


def test_a_mail_that_does_not_come_back(doctor: Said, dovecot: Dovecot):
    lost = doctor(dovecot, seconds=0.1)["test mail"]
    assert not lost["well"] and "did not arrive within 0.1 seconds" in lost["says"]
    assert "the provider's log" in lost["to_do"]


def test_servers_that_cannot_be_used(doctor: Said, dovecot: Dovecot, smtp_sink: SmtpSink):
    said = doctor(dovecot, mailbox={"password": "hunter2-is-wrong"}, smtp={"port": free_port()})
    assert "refuses the login" in said["mailbox"]["says"] and "[mailbox] in judge.ini" in said["mailbox"]["to_do"]
    assert "cannot be used" in said["mail server"]["says"] and "of [smtp] in judge.ini" in said["mail server"]["to_do"]
    assert "hunter2" not in str(said)
    smtp_sink.refuse_recipient(ADDRESS)
    refused = doctor(dovecot, seconds=1)["mail server"]
    assert "refused the test email: 550" in refused["says"] and "ask the provider" in refused["to_do"]


@pytest.mark.parametrize(
    ("mailbox", "named"),
    [
        ({"password": "wrong"}, "the password of [mailbox] in judge.ini, and its user; many providers"),
        ({"port": free_port()}, "check [mailbox] host and port in judge.ini"),
        ({"host": "no-such-host.invalid"}, "check [mailbox] host in judge.ini"),
        ({"folder": "No such folder"}, "check [mailbox] folder in judge.ini"),
        ({"security": "tls"}, "check [mailbox] port and security in judge.ini"),
    ],
)
def test_what_is_wrong_with_the_mailbox_is_named_alone(doctor: Said, dovecot: Dovecot, mailbox: dict, named: str):
    look = doctor(dovecot, mailbox=mailbox)["mailbox"]
    assert not look["well"] and named in look["to_do"]
    assert "b'" not in look["says"]


def test_settings_that_are_those_of_the_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """All else that fails follows from that."""
    config = tmp_path / "judge.ini"
    config.write_text(sample())
    named = "[judge] address, [judge] keeper, [mailbox] host, [mailbox] user, [smtp] host"
    assert main(["doctor", "--config", str(config)]) == 1
    first, _, last = capsys.readouterr().out.partition("\n")
    assert first == f"settings    {config} is not filled in yet: {named}"
    assert last.endswith("1 problem found: the fix is above, after ->.\n")
    for command in ("run", "worker"):
        assert main([command, "--config", str(config)]) == 2
        says = f"judge: {config} is not filled in yet: {named}. To test it then: judge doctor\n"
        assert capsys.readouterr().err == says
    assert not (tmp_path / "run").exists()


def test_letters_that_are_handed_in_and_a_consent_that_is_missing(doctor: Said, mail_system: MailSystem):
    said = doctor(
        mail_system,
        seconds=30,
        mailbox={"host": "", "user": ""},
        intake={"protocol": "lmtp", "port": free_port()},
        smtp={"auth": "oauth", "user": "judge"},
        oauth={"client_id": "the-judge", "token_endpoint": "https://localhost/token"},
    )
    assert "NOT open at lmtp://127.0.0.1" in said["letterbox"]["says"] and not said["letterbox"]["well"]
    assert said["OAuth"]["to_do"].startswith("run judge oauth login") and not said["mail server"]["well"]
    assert "only through [intake]" in said["mailbox"]["says"] and "test mail" not in said


def test_secrets_that_others_can_read(doctor: Said, dovecot: Dovecot, tmp_path: Path):
    home = tmp_path / "run"
    home.mkdir(mode=0o755)
    said = doctor(dovecot)
    assert said["permissions"]["to_do"] == f"chmod go-rwx {home}"
    home.chmod(0o700)
    assert "permissions" not in doctor(dovecot)


def test_a_database_that_is_newer_older_or_damaged(doctor: Said, dovecot: Dovecot, tmp_path: Path):
    engine = open_engine(f"sqlite:///{tmp_path / 'run' / 'judge.db'}")
    migrate(engine)
    assert "up to date" in doctor(dovecot)["database"]["says"]
    for step, said in (
        ("9999_later", "newer version of judge"),
        ("0001", "too old for this version of judge"),
        ("0012_unread_columns", "tables at step 0012_unread_columns; judge run upgrades them to"),
    ):
        with engine.begin() as connection:
            connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{step}'")
        assert said in doctor(dovecot)["database"]["says"]
    engine.dispose()
    for file in (tmp_path / "run").iterdir():
        file.write_bytes(b"no database" * 1000)
    look = doctor(dovecot)["database"]
    assert not look["well"] and "not a database" in look["says"] and "restore a backup" in look["to_do"]


def test_a_template_that_cannot_be_used(doctor: Said, dovecot: Dovecot, tmp_path: Path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "results.txt.j2").write_text("{{ nothing }}")
    said = doctor(dovecot, judge={"templates": "texts"})["mend"]
    assert not said["well"] and "results.txt.j2" in said["says"]


def test_while_the_daemon_runs(make_judge_at: MakeJudge, mail_system: MailSystem):  # noqa: F811
    judge = make_judge_at(mail_system, smtp={"port": mail_system.smtp_port})
    judge.process.start()
    asked = judge.process.ask("doctor", "--no-dns", "--seconds", "30", seconds=60)
    assert asked.returncode == 0, asked.stdout + asked.stderr
    assert "arrived within" in asked.stdout and asked.stdout.endswith("All is well.\n")
    judge.rests()
    assert "ERROR" not in judge.process.tail()


ZONE = {
    ("judge.test.", "MX"): "10 mx.judge.test.",
    ("judge.test.", "TXT"): '"v=spf1 mx " "-all"',
    ("_dmarc.judge.test.", "TXT"): '"v=DMARC1; p=none"',
    ("one._domainkey.judge.test.", "TXT"): '"v=DKIM1; p=abc"',
}
SIGNATURE = "v=1; a=rsa-sha256; d=judge.test;\r\n\ts=one; h=from; b=xyz"


@contextmanager
def name_server(zone: dict[tuple[str, str], str]) -> Iterator[None]:
    """A server on loopback that knows this zone and nothing else."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.bind(("127.0.0.1", 0))

        def serve() -> None:
            while (asked := ear.recvfrom(4096))[0]:
                answer = dns.message.make_response(dns.message.from_wire(asked[0]))
                answer.flags |= dns.flags.RA
                name, kind = str(answer.question[0].name), dns.rdatatype.to_text(answer.question[0].rdtype)
                if text := zone.get((name, kind)):
                    answer.answer.append(dns.rrset.from_text(name, 60, "IN", kind, text))
                ear.sendto(answer.to_wire(), asked[1])

        thread = threading.Thread(target=serve)
        thread.start()
        resolver = dns.resolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], ear.getsockname()[1]
        try:
            with patch("dns.resolver.default_resolver", resolver):
                yield
        finally:
            ear.sendto(b"", ear.getsockname())
            thread.join()


def test_what_the_dns_says():
    with name_server(ZONE):
        looks = look_up("judge.test", SIGNATURE)
    assert all(look.well for look in looks)
    assert [look.says for look in looks] == [
        "mail to judge.test goes to mx.judge.test", "v=spf1 mx -all",
        "signed by judge.test, with the key of one._domainkey.judge.test", "v=DMARC1; p=none",
    ]  # fmt: skip


def test_what_the_dns_lacks():
    with name_server({}):
        looks = look_up("judge.test", SIGNATURE)
    assert [look.what for look in looks if not look.well and look.to_do] == ["MX", "SPF", "DKIM", "DMARC"]


def test_without_a_resolver_nobody_could_look():
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], free_port()
    resolver.timeout = resolver.lifetime = 0.2
    with patch("dns.resolver.default_resolver", resolver):
        (look,) = look_up("judge.test", "")
    assert isinstance(look, Look) and look.well and "were not checked" in look.says and "dig MX judge.test" in look.says
