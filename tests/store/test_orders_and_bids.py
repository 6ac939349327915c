"""Orders and bids come back from the file as they went there, on either database."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine
from sqlmodel import Session

from judge.store.engine import transaction
from judge.store.orders import (
    Filed,
    FiledBid,
    bids_on_file,
    file_bids,
    file_orders,
    orders_on_file,
    understand_anew,
    withdraw_bids,
    withdraw_orders,
)
from judge.store.rows import id_of
from judge.store.tables import Game, Phase

NOW = datetime(2026, 5, 4, 10, tzinfo=UTC)
MOVE = {"verb": "move", "unit": "A PAR", "to": "BUR", "via": False}
HOLD = {"verb": "hold", "unit": "F BRE"}


@pytest.fixture
def phase(engine: Engine) -> int:
    with transaction(engine) as session:
        game = Game(name="heron", variant="standard", state="active", zone="UTC", created_at=NOW)
        session.add(game)
        session.flush()
        row = Phase(
            game_id=id_of(game),
            number=1,
            name="S1901M",
            position={},
            opened_at=NOW,
            earliest_at=NOW,
            deadline_at=NOW,
            grace_ends_at=NOW,
        )
        session.add(row)
        session.flush()
        return id_of(row)


def orders(session: Session, phase: int) -> list[Filed]:
    return orders_on_file(session, phase)


def test_an_order_comes_back_and_a_later_one_takes_its_place(engine: Engine, phase: int):
    first, other = Filed("France", "PAR", "a par - Bûr", MOVE), Filed("France", "BRE", "f bre h", HOLD)
    with transaction(engine) as session:
        file_orders(session, phase, [first, other], None, NOW)
        assert orders(session, phase) == [first, other]
        later = Filed("France", "PAR", "par h", {"verb": "hold", "unit": "A PAR"})
        file_orders(session, phase, [later], None, NOW)
    with transaction(engine) as session:
        assert orders(session, phase) == [later, other]
        withdraw_orders(session, phase, [later])
        assert orders(session, phase) == [other]


def test_an_order_may_come_to_mean_something_else(engine: Engine, phase: int):
    filed = Filed("France", "PAR", "par - bur", MOVE)
    meant = filed._replace(meaning={**MOVE, "unit": "F PAR"})
    with transaction(engine) as session:
        file_orders(session, phase, [filed], None, NOW)
        understand_anew(session, phase, [meant])
    with transaction(engine) as session:
        assert orders(session, phase) == [meant]


def test_bids_come_back_and_one_that_spends_no_more_means_nothing(engine: Engine, phase: int):
    bids = [FiledBid("France", 2, "SWI", "DP 2: swi h", HOLD), FiledBid("France", 0, "", "", None)]
    with transaction(engine) as session:
        file_bids(session, phase, bids, None, NOW)
    with transaction(engine) as session:
        assert bids_on_file(session, phase) == bids
        withdraw_bids(session, phase, bids[:1])
        assert bids_on_file(session, phase) == bids[1:]
