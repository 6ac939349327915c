"""kill -9 at any moment, again and again, while letters come in and deadlines fall: in the end every count is exact."""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from sqlalchemy import func
from sqlmodel import col, select

from judge.store.engine import reading
from judge.store.tables import LetterRow, Phase
from judge.store.tables import Mail as MailRow
from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.game import HOLDS, Game
from tests.acceptance.harness import JudgeAtWork
from tests.acceptance.test_kills import CONNECTIONS
from tests.servers.smtpsink import Mail, times_sent

KILLS = 12
KILLS_AT_MOST = 40  # until enough phases were played
OPENING = 0.4  # seconds in which a daemon opens the mailbox; where it takes longer all is as much slower
PHASES_WANTED = 2  # of each game, while the storm rages
STILLBORN = 0.25  # how many of the daemons die before they have opened the mailbox
LIFE = 1.0  # seconds at most that the others have from then on
BETWEEN_LETTERS = 0.3  # seconds
BETWEEN_DEADLINES = 2.5  # seconds
PHASES = ("S1901M", "F1901M", "S1902M", "F1902M", "S1903M", "F1903M", "S1904M", "F1904M", "S1905M", "F1905M")


@pytest.mark.timeout(400)
@pytest.mark.long
def test_a_storm_of_kills(make_judge: MakeJudge, begin: Begin):
    judge = make_judge(limits={"press_of_players": "10000"})
    games = begin(judge, "heron", "gull")  # kills over pictures: test_pictures.py, and the long soak
    began = newest_mail(judge)
    storm = Storm(judge, games, random.Random(1901))
    storm.rage()
    storm.calm_down()

    for letter in storm.letters:
        assert len({mail.message_id for mail in judge.answers_to(letter)}) == 1
    for game in games:
        check_messages(storm, game)
        check_results(judge, game)
    check_database(judge, began)
    repeats = sum(times_sent(judge.sink.mails).values()) - len({mail.message_id for mail in judge.sink.mails})
    assert repeats <= storm.kills * CONNECTIONS, "only what was sent and not noted yet can come again after a kill"


@dataclass
class Storm:
    """Letters, deadlines and kills at random moments; `messages` are the texts broadcast in each game. `least`, `most`:
    how many kills; `patience`: how many seconds the last answers, and then the last mails, may take.
    """

    judge: JudgeAtWork
    games: list[Game]
    dice: random.Random
    least: int = KILLS
    most: int = KILLS_AT_MOST
    patience: float = 60
    letters: list[bytes] = field(default_factory=list)
    messages: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    kills: int = 0
    pace: float = 1.0
    _numbers: count = field(default_factory=lambda: count(1))
    _next_letter: float = 0.0
    _next_deadline: float = 0.0
    _last_due: datetime = datetime.min.replace(tzinfo=UTC)

    def rage(self) -> None:
        while self.kills < self.least or (self.kills < self.most and not self.has_played_enough()):
            if self.dice.random() >= STILLBORN:
                launched = time.monotonic()
                self.write_until(lambda: "is open" in self.judge.process.log())
                self.pace = max(1.0, (time.monotonic() - launched) / OPENING)
            self.write_until(_alarm(self.dice.uniform(0, LIFE * self.pace)))
            self.judge.process.kill()
            self.kills += 1
            self.judge.process.launch()

    def has_played_enough(self) -> bool:
        masters = [(game, game.master.person.address) for game in self.games]
        return all(len(results_of(self.judge, game)[address]) >= PHASES_WANTED for game, address in masters)

    def write_until(self, over: Callable[[], bool]) -> None:
        while not over():
            now = time.monotonic()
            if now >= self._next_letter:
                self.write_letter()
                self._next_letter = now + self.dice.expovariate(1 / BETWEEN_LETTERS) * self.pace
            if now >= self._next_deadline:
                self.set_deadlines()
                self._next_deadline = now + BETWEEN_DEADLINES * self.pace
            time.sleep(0.01)

    def write_letter(self) -> None:
        """Orders for one game and a numbered message in another, or in the same."""
        person = self.dice.choice(self.games).seats[self.dice.choice("AEFGIRT")].person
        orders, press = (self.dice.choice(self.games).seat_of(person) for _ in range(2))
        text = f"message number {next(self._numbers)}."
        self.messages[press.game].append(text)
        lines = [*orders.block(*HOLDS[orders.letter]), *press.block("BROADCAST", text, "ENDBROADCAST")]
        self.letters.append(person.writes(*lines))

    def set_deadlines(self) -> None:
        """Whatever phase is open when the letter is read is due two seconds from now, or later at a slower pace."""
        moment = datetime.now(UTC) + timedelta(seconds=2 * self.pace)
        self._last_due = max(self._last_due, moment)
        set_deadline = f"SET DEADLINE {moment:%Y-%m-%d %H:%M:%S} UTC"
        lines = [line for game in self.games for line in game.master.block(set_deadline)]
        self.letters.append(self.games[0].master.person.writes(*lines))

    def calm_down(self) -> None:
        """The daemon is left alone until it has answered all and no deadline is near."""
        until = time.monotonic() + self.patience
        for letter in self.letters:
            while not self.answers(letter):
                assert time.monotonic() < until, f"a letter has no answer:\n{self.judge.process.tail()}"
                time.sleep(0.1)
        time.sleep(max(0.0, (self._last_due - datetime.now(UTC)).total_seconds()) + 2)
        self.judge.rests(self.patience)

    def answers(self, letter: bytes) -> list[Mail]:
        """The mails that answer `letter`, as often as they came."""
        return self.judge.answers_to(letter)


def _alarm(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def check_messages(storm: Storm, game: Game) -> None:
    """Each message has come to each of the eight as one mail, maybe repeated."""
    came: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for mail in storm.judge.sink.mails:
        if f"{game.name} - " in mail.subject and "Broadcast" in mail.subject:
            [text] = [line for line in mail.text.splitlines() if line.startswith("message number")]
            came[text].add((mail.message_id, mail.recipients[0]))
    assert set(came) == set(storm.messages[game.name])
    everybody = {person.address for person in game.everybody()}
    for text, mails in came.items():
        readers = Counter(reader for _, reader in mails)
        assert set(readers.values()) == {1}, text
        assert len(everybody - set(readers)) <= 1, text


def results_of(judge: JudgeAtWork, game: Game) -> dict[str, list[str]]:
    """For each address the phases whose results came there, in the order in which they came; repeats left out."""
    came: dict[str, list[str]] = defaultdict(list)
    seen: set[str] = set()
    for mail in judge.sink.mails:
        if f"{game.name} - " in mail.subject and mail.subject.endswith("Results") and mail.message_id not in seen:
            seen.add(mail.message_id)
            came[mail.recipients[0]].append(mail.subject.split()[-2])
    return came


def check_results(judge: JudgeAtWork, game: Game) -> None:
    """Everybody has had the results of the same phases, each once, in the order of play, none left out."""
    came = results_of(judge, game)
    played = list(PHASES[: len(came[game.master.person.address])])
    assert len(played) >= PHASES_WANTED
    assert came == {person.address: played for person in game.everybody()}


def newest_mail(judge: JudgeAtWork) -> int:
    """The number of the newest mail; a mail's time is that of the event, which may be earlier than the mail."""
    with judge.store() as engine, reading(engine) as session:
        return session.exec(select(func.max(MailRow.id))).one() or 0


def check_database(judge: JudgeAtWork, began: int) -> None:
    """Every letter is done, every mail noted as sent, and what was sent is what was written after mail `began`."""
    with judge.store() as engine, reading(engine) as session:
        assert set(session.exec(select(LetterRow.state))) == {"done"}
        unsent = select(MailRow.subject).where(col(MailRow.sent_at).is_(None))
        assert session.exec(unsent).all() == []
        written = select(MailRow.message_id).where(col(MailRow.id) > began)
        assert set(session.exec(written)) == {mail.message_id for mail in judge.sink.mails}
        overdue = select(Phase.name).where(col(Phase.processed_at).is_(None), col(Phase.due_at) < datetime.now(UTC))
        assert session.exec(overdue).all() == []
