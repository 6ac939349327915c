"""A thousand kills, for `make soak`: the storm of test_soak.py, but longer and with a game of 1648 in it, and what is
on file at the end is compared with what was sent: orders and bids, phase by phase.

`make soak KILLS=100` makes it shorter; after a few kills it goes on until phases were played.
"""

import os
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes

import pytest
from sqlmodel import col, select

from judge.rules import load_variant, start_position
from judge.store.engine import reading
from judge.store.tables import BidRow, Game, OrderRow, Phase
from tests.acceptance.conftest import MakeJudge, on_both
from tests.acceptance.game import Game as People
from tests.acceptance.game import gather
from tests.acceptance.test_kills import CONNECTIONS
from tests.acceptance.test_soak import KILLS_AT_MOST, Storm, check_database, check_messages, newest_mail, results_of
from tests.servers.smtpsink import Mail, times_sent

KILLS = int(os.environ.get("JUDGE_SOAK_KILLS", "1000"))
# Orders that leave every unit where it is, so that the same ones are good in every phase.
STANDARD = {
    "A": (("A BUD H", "A BUD S A VIE"), ("A VIE H", "A VIE S A BUD"), ("F TRI H",)),
    "E": (("A LVP H", "A LVP S F EDI"), ("F EDI H",), ("F LON H",)),
    "F": (("A MAR H",), ("A PAR H", "A PAR S F BRE"), ("F BRE H",)),
    "G": (("A BER H", "A BER S A MUN"), ("A MUN H", "A MUN S A BER"), ("F KIE H", "F KIE S A BER")),
    "I": (("A ROM H", "A ROM S A VEN"), ("A VEN H", "A VEN S A ROM"), ("F NAP H", "F NAP S A ROM")),
    "R": (("A MOS H", "A MOS S A WAR"), ("A WAR H", "A WAR S A MOS"), ("F SEV H",), ("F STP/SC H",)),
    "T": (("A CON H", "A CON S A SMY"), ("A SMY H", "A SMY S A CON"), ("F ANK H", "F ANK S A CON")),
}
NEUTRALS = ("A SWA", "A IRE")

pytestmark = [pytest.mark.soak, pytest.mark.timeout(4 * 3600)]


@dataclass
class Sent:
    """A letter, and what it orders and bids in a game."""

    raw: bytes
    game: str
    power: str
    orders: frozenset[str]
    bids: frozenset[str]


@dataclass
class BusyStorm(Storm):
    """Letters have other orders and bids each time."""

    sent: list[Sent] = field(default_factory=list)
    _answers: dict[str, list[Mail]] = field(default_factory=dict)
    _read: int = 0

    def answers(self, letter: bytes) -> list[Mail]:
        """The mails that answer `letter`, as often as they came; each mail is looked into once."""
        mails = self.judge.sink.mails[self._read :]
        self._read += len(mails)
        for mail in mails:
            self._answers.setdefault(mail.answers, []).append(mail)
        return self._answers.get(message_from_bytes(letter)["Message-ID"].strip(), [])

    def write_letter(self) -> None:
        people = self.dice.choice(self.games)
        letter, seat = self.dice.choice(list(people.seats.items()))
        variant = load_variant("1648" if people.name == "swan" else "standard")
        power = next(each.name for each in variant.seats if each.letter == letter)
        orders, bids = (self._standard(letter), []) if people.name == "heron" else self._swan(power)
        text = f"message number {next(self._numbers)}."
        self.messages[people.name].append(text)
        raw = seat.person.writes(*seat.block(*orders, *bids), *seat.block("BROADCAST", text, "ENDBROADCAST"))
        self.letters.append(raw)
        self.sent.append(Sent(raw, people.name, power, frozenset(orders), frozenset(bids)))

    def _standard(self, letter: str) -> list[str]:
        return [self.dice.choice(ways) for ways in STANDARD[letter]]

    def _swan(self, power: str) -> tuple[list[str], list[str]]:
        """Whoever has three points divides them anew with each letter."""
        first = self.dice.choice((1, 2))
        units = start_position(load_variant("1648")).units[power]
        return [f"{unit} H" for unit in units], [f"DP {first}: {NEUTRALS[0]} H", f"DP {3 - first}: {NEUTRALS[1]} H"]


@on_both
def test_a_thousand_kills(make_judge: MakeJudge, capsys: pytest.CaptureFixture):
    judge = make_judge(limits={"press_of_players": "10000"}, games={"open_games": "20"})
    judge.process.start()
    games = [*gather(judge, "heron"), *gather(judge, "swan", variant="1648")]
    judge.rests()
    judge.sink.mails.clear()
    began, before = datetime.now(UTC), newest_mail(judge)
    storm = BusyStorm(judge, games, random.Random(1901), KILLS, max(KILLS, KILLS_AT_MOST), patience=1800)
    storm.rage()
    storm.calm_down()

    for letter in storm.letters:
        assert len({mail.message_id for mail in storm.answers(letter)}) == 1
    for game in games:
        check_messages(storm, game)
        check_same_results(storm, game)
    check_database(judge, before)
    compared = check_files(storm)
    mails = {mail.message_id for mail in judge.sink.mails}
    repeats = sum(times_sent(judge.sink.mails).values()) - len(mails)
    assert repeats <= storm.kills * CONNECTIONS
    with capsys.disabled():
        print(
            f"\n{storm.kills} kills in {(datetime.now(UTC) - began).total_seconds() / 60:.0f} min: "
            f"{len(storm.letters)} letters, {len(mails)} mails, {repeats} of them twice; {phases_played(storm)} "
            f"phases, the orders and bids of {compared} powers in them compared with what was sent"
        )


def check_same_results(storm: Storm, game: People) -> None:
    """Everybody has had the results of the same phases, each once, in the same order."""
    came = results_of(storm.judge, game)
    assert came[game.master.person.address], "no phase was played"
    assert all(came[person.address] == came[game.master.person.address] for person in game.everybody())


def phases_played(storm: Storm) -> int:
    return sum(len(results_of(storm.judge, game)[game.master.person.address]) for game in storm.games)


def check_files(storm: BusyStorm) -> int:
    """What is on file for each phase is what the last letter of each power said that was meant for it, all of it and
    nothing else; returns how many powers of phases were compared.
    """
    last = {(sent.game, number, sent.power): sent for sent in storm.sent for number in _phases_of(storm, sent)}
    with storm.judge.store() as engine, reading(engine) as session:
        for (name, number, power), sent in last.items():
            phase = session.exec(select(Phase).join(Game).where(Game.name == name, Phase.number == number)).one()
            orders = select(OrderRow.text).where(OrderRow.phase_id == phase.id, OrderRow.power == power)
            bids = select(BidRow.text).where(BidRow.phase_id == phase.id, BidRow.power == power)
            where = (name, phase.name, power)
            assert set(session.exec(orders)) == set(sent.orders), where
            assert set(session.exec(bids.where(col(BidRow.points) > 0))) == set(sent.bids), where
    return len(last)


def _phases_of(storm: BusyStorm, sent: Sent) -> Iterator[int]:
    """The number of the phase for which the letter's orders were stored, as its answer tells."""
    text = storm.answers(sent.raw)[0].text
    found = re.search(rf"\({sent.game}\.(\d+)\)", text)
    if found and "not recorded" not in text:
        yield int(found[1])
