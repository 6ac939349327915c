"""For `make soak`: a judge is killed again and again, loses its disk, and is recovered with its mailbox.

From a backup that was made at a random moment, and from nothing but the key. Each time every table and every mail is as
it was, but for what the clock of the wall gives (tests/same_judge.py). `make soak KILLS=20` makes it shorter.
"""

import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.tables import LetterRow, Phase
from tests.acceptance.conftest import MakeJudge, on_both
from tests.acceptance.game import HOLDS, Game, gather
from tests.acceptance.harness import JudgeAtWork
from tests.acceptance.test_long_soak import KILLS
from tests.acceptance.test_recovery import recover, run
from tests.acceptance.test_soak import Storm
from tests.same_judge import Rows, differences, rows_of
from tests.servers.postgres import Postgres
from tests.service.livedagain import ASKED, RULED, STANDARD, Players, Told

# So that the games go on for long.
ENDING = {"RESIGN heron", "SET PASSWORD fresh123", "UNSTART", "EJECT north@example.org", "PAUSE"}
KIND = replace(
    STANDARD,
    asked=[line for line in ASKED if line not in ENDING],
    ruled=[line for line in RULED if line not in ENDING] + ["RESUME", "ROLLBACK"],
)

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]


@dataclass
class LastStorm(Storm):
    """All that players and masters may write; a backup is made at a random moment. `earlier`: letters before these.

    Nobody writes between a deadline and the moment at which that is processed: that it was too early for the next
    phase follows from the clock of the wall alone.
    """

    players: Players | None = None
    backs_up: Callable[[], str] = str
    backup: str = ""
    earlier: int = 0

    def write_letter(self) -> None:
        assert self.players
        for sender, subject, text in self.players.write(datetime.now(UTC)) if self.is_quiet() else []:
            person = self.judge.person("", sender)
            self.letters.append(person.writes(*text.splitlines(), subject=subject))
        if not self.backup and self.dice.random() < 1 / (2 * self.least):
            self.backup = self.backs_up()

    def set_deadlines(self) -> None:
        if self.is_quiet():
            super().set_deadlines()

    def is_quiet(self) -> bool:
        """Whether all letters are answered, and nothing is due soon."""
        soon = datetime.now(UTC) + timedelta(seconds=1)
        with self.judge.store() as engine, reading(engine) as session:
            done = session.exec(select(LetterRow.fingerprint).where(col(LetterRow.state) != "new")).all()
            due = session.exec(select(Phase.id).where(col(Phase.due_at) < soon, col(Phase.processed_at).is_(None)))
            return len(done) >= self.earlier + len(self.letters) and due.first() is None

    def calm_down(self) -> None:
        """The daemon is left to itself until it has answered the last letter and no deadline is near."""
        jo = self.judge.person("Jo")
        jo.writes("HELP")
        jo.expects(containing="How to write to this judge", seconds=self.patience)
        time.sleep(max(0.0, (self._last_due - datetime.now(UTC)).total_seconds()) + 3)
        self.judge.rests(self.patience)


@on_both
def test_a_judge_is_the_same_after_its_disk_was_lost(
    make_judge: MakeJudge, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.delenv("JUDGE_SOAK_KILLS", raising=False)  # it is no setting
    judge = make_judge(limits={"press_of_players": "10000"}, games={"open_games": "20", "early_delay": 1})
    judge.process.start()
    (heron,) = gather(judge, "heron", pictures=False)
    kills = min(KILLS, 60)
    storm = LastStorm(judge, [heron], random.Random(), kills, kills, patience=600, earlier=1 + len(HOLDS))
    home, of_postgres = judge.database.parent, bool(judge.url)
    storm.players = Players(storm.dice, KIND, lambda: told(judge), seats(heron))
    storm.backs_up = lambda: run("backup.sh", home, tmp_path / "backups", *([judge.url] * of_postgres))
    storm.rage()
    storm.backup = storm.backup or storm.backs_up()
    storm.calm_down()
    before = rows_at_rest(judge)
    key = (home / "secret.key").read_bytes()

    with ExitStack() as databases:
        server: Postgres | None = request.getfixturevalue("_running_postgres") if of_postgres else None
        for backup in (storm.backup, ""):
            shutil.rmtree(home)
            if server:
                move(judge, databases.enter_context(server.database()))
            if backup:
                said = run("restore.sh", backup, home, *([judge.url] * of_postgres))
            else:
                home.mkdir()
                (home / "secret.key").write_bytes(key)
                said = "judge recover --since 2020-01-01, before judge run"
            found, new = recover(judge, capsys, said)
            judge.process.start()
            time.sleep(3)
            judge.rests(600)
            after = rows_at_rest(judge)
            assert not (unlike := differences(before, after)), "\n".join(unlike)
            rows = sum(map(len, after.values()))
            with capsys.disabled():
                print(
                    f"\n{kills} kills; {new} of {found} letters recovered: {rows} rows in {len(after)} tables, "
                    f"{len(after['mail'])} of them mails, are as they were"
                )


def told(judge: JudgeAtWork) -> Iterator[Told]:
    for mail in reversed(judge.sink.mails):
        yield mail.recipients[0], mail.subject, mail.raw


def seats(game: Game) -> dict[str, tuple[str, str]]:
    """How each power of the standard game, and its master, sign on."""
    powers = {power[0].upper(): power for power in KIND.holds}
    assert powers.keys() == HOLDS.keys()
    those = {"master": game.master} | {powers[letter]: seat for letter, seat in game.seats.items()}
    return {who: (seat.person.address, seat.block()[0]) for who, seat in those.items()}


def rows_at_rest(judge: JudgeAtWork) -> Rows:
    """All that the judge has, which ends: what it would do later depends on the clock of the wall."""
    judge.process.kill()
    with judge.store() as engine:
        return rows_of(engine)


def move(judge: JudgeAtWork, url: str) -> None:
    """The judge uses another database from now on."""
    settings = judge.process.config.read_text()
    assert judge.url in settings
    judge.process.config.write_text(settings.replace(judge.url, url))
    judge.url = url
