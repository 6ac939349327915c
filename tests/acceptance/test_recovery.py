"""A backup, more letters, the disk is lost: what was restored and recovered holds everything once."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from sqlmodel import select

from judge.shell import cli
from judge.store.engine import open_engine, reading
from judge.store.games import game_named, open_phase
from judge.store.tables import Game, LetterRow, OrderRow, Person
from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.harness import JudgeAtWork
from tests.same_judge import differences, rows_of
from tests.servers.dovecot import Dovecot
from tests.servers.postgres import Postgres

DEPLOY = Path(__file__).parents[2] / "deploy"


def run(script: str, *arguments: object) -> str:
    """The last line that a script of deploy/ says."""
    done = subprocess.run([DEPLOY / script, *map(str, arguments)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def recover(judge: JudgeAtWork, capsys: pytest.CaptureFixture[str], said: str) -> tuple[int, int]:
    """Does what restore.sh has said; how many letters were found, and how many were new."""
    words = re.search(r"judge (recover --since \S+), before judge run", said)
    assert words, said
    status = cli.main([*words[1].split(), "--config", str(judge.process.config)])
    assert status == 0, capsys.readouterr().err
    told = re.search(r"Filed emails .*: (\d+). New to the database: (\d+)\.", capsys.readouterr().out)
    assert told
    return int(told[1]), int(told[2])


def test_letters_from_after_the_backup_take_effect_once(
    make_judge: MakeJudge, begin: Begin, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """Each answer comes again under its Message-ID; what the database knows is answered no second time."""
    judge = make_judge()
    [heron] = begin(judge)
    known = heron["E"].signs_on("F LON - NTH")
    heron["E"].person.expects(containing="London -> North Sea")
    backup = run("backup.sh", judge.database.parent, tmp_path / "backups")
    later = [heron["F"].signs_on("A PAR - BUR"), heron["F"].signs_on("A PAR - PIC", "F BRE - MAO")]
    jo = judge.person("Jo")
    later.append(jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?raven overlord"))
    jo.expects(containing="raven has been created")
    heron["F"].person.expects(containing="Paris -> Picardy")
    judge.rests()
    judge.process.kill()

    home = judge.database.parent
    shutil.rmtree(home)
    said = run("restore.sh", backup, home)
    assert recover(judge, capsys, said) == (4, 3)
    assert recover(judge, capsys, said) == (4, 0)
    before = len(judge.sink.mails)
    judge.process.start()
    judge.sink.wait_for_count(before + 3)
    judge.rests()

    assert len(judge.answers_to(known)) == 1
    for letter in later:
        first, again = judge.answers_to(letter)
        assert first.message_id == again.message_id
        assert again.text.endswith(first.text) and again.text.startswith("The judge was restored from a backup")
    with reading(open_engine(f"sqlite:///{judge.database}")) as session:
        game = game_named(session, "heron")
        phase = game and open_phase(session, game)
        assert phase
        given = select(OrderRow).where(OrderRow.phase_id == phase.id, OrderRow.power == "France")
        orders = {row.slot: row.text for row in session.exec(given)}
        assert orders == {"PAR": "A PAR - PIC", "BRE": "F BRE - MAO"}
        assert [game.name for game in session.exec(select(Game))].count("raven") == 1
        assert [person.name for person in session.exec(select(Person))].count("Jo") == 1


@pytest.mark.parametrize("is_lost", [False, True])
def test_a_password_that_the_judge_made_after_the_backup_is_the_same_again(
    make_judge: MakeJudge, tmp_path: Path, capsys: pytest.CaptureFixture[str], is_lost: bool
):
    """So the letter that used it takes effect again, and mail programs show both answers once.

    is_lost: all backups of the database are lost, too, and only the key and the mailbox are left.
    """
    judge = make_judge()
    judge.process.start()
    jo = judge.person("Jo")
    jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?gull overlord")
    jo.expects(containing="gull has been created")
    backup = run("backup.sh", judge.database.parent, tmp_path / "backups")
    kim = judge.person("Kim")
    joined = kim.writes("REGISTER", "Name: Kim", "END", "SIGNON ?gull")
    password = re.search(r"Your password is (\w+)", kim.expects(containing="Your password is").text)
    assert password
    used = kim.writes(f"SIGNON ?gull {password[1]}", "STATUS")
    kim.expects(containing="Status of gull")
    judge.rests()
    judge.process.kill()
    with judge.store() as engine:
        before = rows_of(engine)

    home = judge.database.parent
    key = (home / "secret.key").read_text()
    shutil.rmtree(home)
    if is_lost:
        home.mkdir()
        (home / "secret.key").write_text(key)
        said = "judge recover --since 2020-01-01, before judge run"
    else:
        said = run("restore.sh", backup, home)
    recover(judge, capsys, said)
    judge.process.start()
    assert f"Your password is {password[1]}" in kim.expects(containing="Your password is").text
    kim.expects(containing="Status of gull")
    for letter in (joined, used):
        first, again = judge.answers_to(letter)
        assert first.message_id == again.message_id
    judge.rests()
    judge.process.kill()
    with judge.store() as engine:
        assert not (told := differences(before, rows_of(engine))), "\n".join(told)


def test_a_restored_judge_is_the_judge_that_was(
    make_judge: MakeJudge, begin: Begin, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """With early phases, other deadlines, a code and what it opens, in every table and every mail."""
    judge = make_judge()
    [heron] = begin(judge)
    heron["E"].signs_on("F LON - NTH")
    heron["E"].person.expects(containing="London -> North Sea")
    backup = run("backup.sh", judge.database.parent, tmp_path / "backups")
    heron["F"].signs_on("A PAR - BUR", "SET ABSENCE Dec 24 to Dec 26")
    heron["F"].person.expects(containing="Paris -> Burgundy")
    heron.master.signs_on("PROCESS!")
    heron.master.person.expects(containing="F1901M")
    heron["F"].signs_on("A BUR - MUN")
    heron["F"].person.expects(containing="Burgundy -> Munich")
    heron.master.signs_on("SET EXTENSIONS 2", "SET MOVE NEXT 48", "PROCESS!")
    jo = judge.person("Jo")
    jo.writes("OBSERVE heron")
    jo.writes("", answering=jo.expects(containing="reply to this email"))
    jo.expects(containing="You are now observing heron")
    jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?wren", "SIGNON ?wren", "SET PREFERENCE FEG")
    jo.expects(containing="Your password is")
    judge.rests()
    judge.process.kill()
    with judge.store() as engine:
        before = rows_of(engine)

    shutil.rmtree(judge.database.parent)
    recover(judge, capsys, run("restore.sh", backup, judge.database.parent))
    judge.process.start()
    jo.expects(containing="Your password is")
    judge.rests()
    judge.process.kill()
    with judge.store() as engine:
        assert not (told := differences(before, rows_of(engine))), "\n".join(told)


def test_the_same_on_postgresql(
    make_judge: MakeJudge,
    _running_postgres: Postgres,
    postgres_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Restored into a new database; one that is not empty is refused."""
    judge = make_judge(store={"url": postgres_url})
    home = judge.database.parent
    judge.process.start()
    jo = judge.person("Jo")
    jo.writes("REGISTER", "Name: Jo", "END", "CREATE ?gull overlord")
    jo.expects(containing="gull has been created")
    backup = run("backup.sh", home, tmp_path / "backups", postgres_url)
    later = jo.writes("SIGNON Mgull overlord", "SET COMMENT Birds of a feather")
    jo.expects(containing="comment")
    assert judge.process.terminate() == 0

    refused = subprocess.run(
        [DEPLOY / "restore.sh", backup, home, postgres_url], capture_output=True, text=True, timeout=120
    )
    assert (refused.returncode, refused.stderr.count("is not empty; make a new one")) == (1, 1)
    with _running_postgres.database() as other:
        shutil.rmtree(home)
        said = run("restore.sh", backup, home, other)
        settings = judge.process.config.read_text()
        assert postgres_url in settings
        judge.process.config.write_text(settings.replace(postgres_url, other))
        assert recover(judge, capsys, said) == (2, 1)
        judge.process.start()
        judge.sink.wait_for_count(3)
        assert judge.process.terminate() == 0
        first, again = judge.answers_to(later)
        assert first.message_id == again.message_id
        engine = open_engine(other)
        with reading(engine) as session:
            assert [game.comment for game in session.exec(select(Game))] == ["Birds of a feather"]
            assert len(session.exec(select(LetterRow.id)).all()) == 2
        engine.dispose()


def test_a_backup_of_nothing_fails(tmp_path: Path):
    """A home without a database is no backup of an empty one."""
    (tmp_path / "secret.key").write_text("00")
    done = subprocess.run([DEPLOY / "backup.sh", tmp_path, tmp_path / "to"], capture_output=True, timeout=60)
    assert done.returncode != 0
    assert not list((tmp_path / "to").iterdir()), "what is not finished is no backup"


@pytest.mark.parametrize("since", ["yesterday", "20.11.2026"])
def test_what_is_no_date_is_refused(make_judge: MakeJudge, capsys: pytest.CaptureFixture[str], since: str):
    judge = make_judge()
    assert cli.main(["recover", "--since", since, "--config", str(judge.process.config)]) == 2
    assert f"--since {since}: write a date" in capsys.readouterr().err


def test_a_mailbox_that_can_only_mark_letters(
    dovecot: Dovecot, make_judge: MakeJudge, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """There they stay in the inbox."""
    judge = make_judge(mailbox={"processed": ""})
    judge.process.start()
    jo = judge.person("Jo")
    jo.writes("LIST")
    jo.expects()
    backup = run("backup.sh", judge.database.parent, tmp_path / "backups")
    later = jo.writes("HELP")
    jo.expects(containing="How to write to this judge")
    judge.rests()
    judge.process.kill()
    shutil.rmtree(judge.database.parent)
    assert recover(judge, capsys, run("restore.sh", backup, judge.database.parent)) == (2, 1)
    judge.process.start()
    jo.expects(containing="How to write to this judge")
    assert len({mail.message_id for mail in judge.answers_to(later)}) == 1
    assert len(dovecot.mails()) == 2
