"""What a judge at work leaves behind: its log at every level, status, its files, a backup, and what `ps` shows of it.

The keeper, who runs the judge, may know who writes and who plays what. Passwords, press, orders, bids, votes and wishes
stand in none of these, but for what the database has to keep: there passwords are hashed.
"""

import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from tests.acceptance.conftest import MakeJudge
from tests.commands.who_may_know import STEM, Search
from tests.servers.mailing import MailSystem

BACKUP = Path(__file__).parents[2] / "deploy" / "backup.sh"
PRESS, WISH = f"{STEM}press", "denmark-norway or turkey"
ORDER, BID = "army flanders", "army swabia hold"
VOTE = "is recorded for this phase"
WRONG = (
    ["SIGNON Mswan {0}x", "PREDICT"],
    ["SINON Mswan {0}", "PREDICT"],
    ["SIGNON Mswan", "{0}", "PREDICT"],
    ["> SIGNON Mswan {0}", "Is that right?"],
    ["FORGOT swan", "SIGNON Mswam {0}"],
)


def test_log_status_files_and_backup(make_judge_at: MakeJudge, mail_system: MailSystem, tmp_path: Path, monkeypatch):
    (temporary := tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    judge = make_judge_at(mail_system, judge={"log_level": "debug"})
    judge.process.start()
    kim, ann, bob = (judge.person(name) for name in ("Kim", "Ann", "Bob"))
    passwords = [f"{STEM}password{name}" for name in ("kim", "ann")]
    kim.writes("REGISTER", "Name: Kim", "END", f"CREATE ?swan {passwords[0]} 1648", "SET GUNBOAT, WHITE/GREY")
    kim.expects(containing="swan has been created")
    ann.writes("REGISTER", "Name: Ann", "END", f"SIGNON ?swan {passwords[1]}", "SET PREFERENCE S[DT]")
    ann.expects(containing="preference saved")
    bob.writes("REGISTER", "Name: Bob", "END", "SIGNON ?swan")
    made = re.search(r"Your password is (\w{12})", bob.expects(containing="Your password is").text)
    kim.writes(f"SIGNON Mswan {passwords[0]}", "FORCE BEGIN")
    letter = re.search(r"SIGNON (\w)swan", ann.expects(subject="S1649M Game Starting").text)
    assert made and letter and letter[1] == "S"
    ann.writes(f"SIGNON Sswan {passwords[1]}", "A FLA H", "DP 2: A SWA H", "SET DRAW", "PRESS TO M", PRESS, "ENDPRESS")
    ann.expects(containing=["DP 2: Army Swabia HOLD", VOTE])
    kim.expects(subject="Press from S to M", containing=PRESS)
    for lines in WRONG:
        kim.writes(*(line.format(passwords[0]) for line in lines))
        kim.expects()
    judge.rests()

    search = Search()
    search.keep("a password", *passwords, made[1], mail_system.password)
    search.keep("press", PRESS)
    search.keep("an order on file", ORDER, "a fla")
    search.keep("a bid", BID, "a swa h")
    search.keep("a vote", VOTE)
    search.keep("a wish", WISH, "s[dt]")
    mailed = b"".join(mail.raw for mail in judge.sink.mails)
    assert search.found_in(mailed) >= {PRESS, ORDER, BID, VOTE, WISH}, "the search sees them in mails"
    seen = {
        "log": judge.process.log(),
        "status": judge.process.ask("status", seconds=60).stdout,
        "games": judge.process.ask("games", "list", seconds=60).stdout,
        "ps": Path(f"/proc/{judge.process.pid}/cmdline").read_text(),
        "environment": Path(f"/proc/{judge.process.pid}/environ").read_text(),
    }
    assert "kim@example.org" in seen["log"] and "last letter" in seen["status"] and "swan" in seen["games"]
    assert {where: found for where, text in seen.items() if (found := search.found_in(text.encode()))} == {}

    home = judge.database.parent
    subprocess.run(["sh", str(BACKUP), str(home), str(tmp_path / "backup")], check=True, capture_output=True)
    # The keeper looks into the database meanwhile: the end of the daemon is not the end of all connections.
    with closing(sqlite3.connect(judge.database)) as other:
        other.execute("SELECT count(*) FROM letter").fetchone()
        assert judge.process.terminate() == 0
        assert not judge.database.with_name("judge.db-wal").stat().st_size
    secrets = {*passwords, f"{passwords[0]}x", made[1]}
    files = [file for folder in (home, tmp_path / "backup", temporary) for file in folder.rglob("*") if file.is_file()]
    assert {"judge.db", "secret.key"} <= {file.name for file in files}
    for file in files:
        data = file.read_bytes()
        assert not {secret for secret in secrets if secret.encode() in data or secret in search.found_in(data)}, file
        assert file.stat().st_mode & 0o077 == 0 or file.parent.stat().st_mode & 0o077 == 0, f"others may read {file}"
