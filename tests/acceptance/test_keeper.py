"""What the keeper of a judge sees: its settings refused by name, its status, its log, and never a password."""

import base64
import quopri
from pathlib import Path

from sqlmodel import SQLModel

from judge.demo.mail_users import STYLES
from judge.demo.process import write_settings
from judge.store.engine import open_engine, reading
from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.harness import KEEPER, JudgeAtWork
from tests.acceptance.warm import WarmJudge
from tests.servers.dovecot import Dovecot


def test_wrong_settings_are_named_before_anything_starts(make_judge: MakeJudge, tmp_path: Path):
    """All of them at once, with section and key; no home is made, no mailbox is opened."""
    good = make_judge()
    sections: dict[str, dict[str, object]] = {
        "judge": {"address": "not an address", "keeper": "keeper@judge.test", "zone": "Europe/Atlantis", "home": "new"},
        "mailbox": {"host": "127.0.0.1", "port": "imap", "security": "maybe", "user": "judge", "colour": "red"},
        "smtp": {"port": 70000, "timeout": "-1"},
        "game": {"sweep": 1},
    }
    refused = WarmJudge(write_settings(tmp_path, sections)).ask("run")
    assert refused.returncode == 2
    for complaint in (
        "[judge] address",
        "[judge] zone",
        "[mailbox] port",
        "[mailbox] security",
        "[mailbox] colour",
        "[smtp] host",
        "[smtp] port",
        "[smtp] timeout",
        "[game]",
    ):
        assert complaint in refused.stderr
    assert "Traceback" not in refused.stderr and len(refused.stderr.splitlines()) < 12
    assert not (tmp_path / "new").exists()

    good.process.config.unlink()
    missing = good.process.ask("run")
    assert missing.returncode == 2 and "judge.ini" in missing.stderr

    without_password = make_judge()
    (without_password.folder / "mailbox.password").unlink()
    refused = without_password.process.ask("run")
    assert refused.returncode == 2 and "[mailbox] password_file" in refused.stderr


def test_the_status_of_a_judge_that_is_well_and_of_one_that_is_not(judge: JudgeAtWork, dovecot: Dovecot):
    """Exit status 0; who it is, that it runs, its mailbox, its letters and mails. Exit status 1 when the daemon does
    not run, and when the mailbox is out of reach.
    """
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    judge.process.wait_for_log("mail sent")
    status = judge.process.ask("status")
    assert status.returncode == 0, status.stdout + status.stderr
    for words in (
        "judge       TEST <judge@judge.test>",
        f"daemon      running (process {judge.process.pid})",
        "mailbox     reachable (judge at localhost",
        "0 emails not fetched yet",
        "letters     0 waiting, 0 that could not be handled",
        "last letter",
        "jo@example.org",
        "outbox      0 waiting, 0 tried before, 0 given up",
    ):
        assert words in status.stdout

    judge.process.terminate()
    judge.person("Jo").writes("LIST")
    status = judge.process.ask("status")
    assert status.returncode == 1
    assert "daemon      NOT running" in status.stdout and "1 emails not fetched yet" in status.stdout
    dovecot.kill()
    judge.process.launch()
    judge.process.wait_for_log("next try")
    status = judge.process.ask("status")
    assert status.returncode == 1
    assert f"running (process {judge.process.pid})" in status.stdout and "mailbox     NOT reachable" in status.stdout


def test_a_wrong_mailbox_password(make_judge: MakeJudge):
    """The daemon says so and goes on trying; the password itself is nowhere to be read."""
    judge = make_judge(mailbox={"password": "hunter2-is-wrong"})
    judge.process.launch()
    judge.process.wait_for_log('refuses the login of "judge".*next try in 1 s')
    status = judge.process.ask("status")
    assert status.returncode == 1 and "refuses the login" in status.stdout
    assert judge.process.terminate() == 0
    assert "hunter2" not in judge.process.log() + status.stdout + status.stderr


def test_a_letter_that_cannot_be_handled(make_judge: MakeJudge):
    """After three tries it is set aside: its sender gets a polite note, the keeper the facts, the next letter an
    answer. Once the cause is mended `judge replay` has it handled, and only then is it of any effect."""
    judge = make_judge()
    jo, keeper = judge.person("Jo"), judge.person("Keeper", KEEPER)
    with judge.prepared("--fail", "judge.games.life.forming:register"):
        judge.process.start()
    letter = jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?heron swordfish", subject="hello")
    jo.expects(subject="Re: hello", containing=["stopped your email from being read", KEEPER])
    facts = keeper.expects(subject="Email 1 set aside", containing=["jo@example.org", "judge replay 1"]).text
    assert "broken on purpose" in facts
    jo.writes("LIST")
    jo.expects(containing="There are no games")
    status = judge.process.ask("status")
    assert status.returncode == 1 and "judge replay 1" in status.stdout
    assert "1 that could not be handled" in status.stdout

    judge.rests()
    judge.process.restart()
    assert judge.process.ask("replay", "1").returncode == 0
    jo.expects(containing="heron has been created")
    assert judge.process.ask("replay", "1").returncode == 1
    assert judge.process.ask("replay", "77").returncode == 1
    assert judge.process.ask("status").returncode == 0
    assert len(judge.answers_to(letter)) == 2
    judge.process.terminate()
    assert b"swordfish" not in everything(judge)


def test_a_password_is_nowhere(judge: JudgeAtWork):
    """However the mail program wrote it: not in the log, not in any mail, and once the letter is handled not in the
    database. The same for a wrong one, and for one that the judge made up, but for the one mail that tells it."""
    people = [judge.person("Jo", f"jo{number}@example.org", style) for number, style in enumerate(STYLES)]
    words = ("Xyzzy-swordfish", "Plugh-sesame-open", "Frobozz-is-wrong")
    chosen, other, wrong = ([f"{word}-{number}" for number in range(len(people))] for word in words)
    for number, jo in enumerate(people):
        jo.writes("REGISTER", "Name: Jo", "END", f"CREATE ?heron{number} {chosen[number]}", f"SIGNON ?heron{number}")
    told = [jo.expects(containing=["has been created", "Your password is"]) for jo in people]
    made_up = [mail.text.partition("Your password is ")[2].partition(":")[0] for mail in told]
    for number, jo in enumerate(people):
        jo.writes(
            f"SIGNON Mheron{number} {chosen[number]}",
            "STATUS",
            f"SIGNON ?heron{number} {other[number]}",
            answering=told[number],
        )
        jo.writes(f"SIGNON Mheron{number} {wrong[number]}", f"SIGNON ?heron{number} {made_up[number]}")
    for jo in people:
        jo.expects(containing=["is forming", "with another password"])
        jo.expects(containing=["Wrong password", "already"])
    judge.process.terminate()

    kept = everything(judge)
    found = [form for password in [*chosen, *other, *wrong, *made_up] for form in forms(password) if form in kept]
    assert found == []
    sent = "\n".join(mail.text.lower() for mail in judge.sink.mails)
    assert not [password for password in [*chosen, *other, *wrong] if password.lower() in sent]
    assert [sent.count(password) for password in made_up] == [1] * len(people)


def everything(judge: JudgeAtWork) -> bytes:
    """The log, every value of every row, and the database's own files."""
    engine = open_engine(f"sqlite:///{judge.database}")
    rows = []
    with reading(engine) as session:
        for table in SQLModel.metadata.sorted_tables:
            rows += [repr(tuple(row)).encode() for row in session.execute(table.select())]
    engine.dispose()
    files = [file.read_bytes() for file in judge.database.parent.iterdir() if file.is_file()]
    return b"\n".join([judge.process.log_file.read_bytes(), *rows, *files])


def forms(password: str) -> list[bytes]:
    """How a password may stand in a letter: as it is, quoted-printable, or base64 in any of the three alignments."""
    raw = password.encode()
    shifted = [base64.b64encode(b"x" * shift + raw)[4 if shift else 0 : -4] for shift in range(3)]
    return [raw, raw.lower(), quopri.encodestring(raw), raw.replace(b"-", b"=2D"), *shifted]


def test_the_keeper_stands_in_for_a_master_while_the_daemon_runs(make_judge: MakeJudge, begin: Begin):
    """`judge games`: what it did is mailed by the daemon; a refusal is its exit status."""
    judge = make_judge()
    [heron] = begin(judge)
    assert "NO MASTER" not in judge.process.ask("games", "list").stdout
    done = judge.process.ask("games", "do", "heron", "BECOME France", "A PAR - BUR")
    assert done.returncode == 0 and "Army Paris -> Burgundy." in done.stdout
    done = judge.process.ask("games", "do", "heron", "PROCESS!")
    assert done.returncode == 0 and "S1901M of heron has been processed" in done.stdout, done.stdout + done.stderr
    heron["F"].person.expects(subject="S1901M Results", containing="Army Paris -> Burgundy.")
    heron["T"].person.expects(subject="The Keeper Stands In", containing="of heron: PROCESS.")
    assert judge.process.ask("games", "do", "heron", "PROCESS! S1901M").returncode == 1
    assert judge.process.ask("games", "do", "nowhere", "PROCESS!").returncode == 1
