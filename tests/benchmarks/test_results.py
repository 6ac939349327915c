"""How fast the results of the largest board are on their way to everybody; `make bench` prints the figures."""

import random
import time
from pathlib import Path
from statistics import median

import pytest

from judge.games.orders.filed_orders import FiledOrders
from judge.rules import needs
from judge.rules.selfplay import random_bids, random_orders
from judge.store.engine import transaction
from tests.commands.deskatwork import DeskAtWork
from tests.rows import game_named, open_phase

PHASES = 6
OBSERVERS = 50
GOAL = 1.0  # second, for adjudicating a phase, rendering its results and queueing them for everybody

pytestmark = pytest.mark.benchmarks


def test_a_phase_of_intercontinental_with_fifty_observers(tmp_path: Path):
    """Eight players, their master and fifty observers: all units ordered, all points bid."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("globe", "intercontinental")
    for number in range(OBSERVERS):
        desk.observes(f"observer{number}@example.org", "OBSERVE globe")
    dice, seconds, mails = random.Random(7), [], 0
    for _ in range(PHASES):
        name = _everything_is_ordered(desk, dice)
        desk.new_mails()
        began = time.perf_counter()
        mails = len(desk.writes("kim@example.org", f"SIGNON Mglobe gm\nPROCESS {name}"))
        seconds.append(time.perf_counter() - began)
        assert mails >= OBSERVERS + 9
    print(f"\nresults of Intercontinental: {mails} mails in {median(seconds):.2f} s, at most {max(seconds):.2f} s")
    assert median(seconds) < GOAL


def _everything_is_ordered(desk: DeskAtWork, dice: random.Random) -> str:
    """The name of the open phase, for which every player has sent orders and bids."""
    with transaction(desk.engine) as session:
        game = game_named(session, "globe")
        phase = open_phase(session, game)
        book = FiledOrders(session, game, phase)
        for power, need in needs(book.variant, book.position).items():
            orders = random_orders(book.variant, book.position, power, need, dice)
            book.give([(str(order), power, order) for order in orders], None, desk.now)
        letters = random_bids(book.variant, book.position, dice)
    for seat, bids in letters.items():
        letter = book.variant.seat_named[seat].letter
        lines = "\n".join(f"DP {bid.points}: {bid.order}" for bid in bids)
        desk.writes(f"{seat.lower()}@example.org", f"SIGNON {letter}globe pw{seat.lower()}\n{lines}")
    return phase.name
