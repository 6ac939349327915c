"""PROCESS by hand: never over missing orders or a WAIT, unless it is written PROCESS!."""

import pytest

from tests.commands.deskatwork import ALL_HOLD, DeskAtWork

KIM = "kim@example.org"
MASTER = "SIGNON Mheron gm\n"


@pytest.fixture
def full(heron: DeskAtWork) -> DeskAtWork:
    """All orders are in, but those of Turkey."""

    def order() -> None:
        for name, orders in ALL_HOLD.items():
            if name != "turkey":
                heron.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")

    heron.goes_on("all but Turkey", order)
    return heron


def test_missing_orders_are_named_and_nothing_is_processed(full: DeskAtWork) -> None:
    reply = full.replies(KIM, f"{MASTER}PROCESS S1901M")
    assert "Not processed: orders of Turkey are missing. To process S1901M anyway, send PROCESS! S1901M." in reply.flat
    assert full.phase().name == "S1901M"


def test_a_wait_is_named(full: DeskAtWork) -> None:
    full.writes("turkey@example.org", f"SIGNON Theron pwturkey\n{ALL_HOLD['turkey']}")
    full.writes("italy@example.org", "SIGNON Iheron pwitaly\nSET WAIT")
    assert "Not processed: WAIT is set for Italy." in full.replies(KIM, f"{MASTER}PROCESS").flat
    full.writes("italy@example.org", "SIGNON Iheron pwitaly\nSET NOWAIT")
    full.writes(KIM, f"{MASTER}PROCESS")
    assert full.phase().name == "F1901M"


@pytest.mark.parametrize("line", ["PROCESS!", "PROCESS! S1901M"])
def test_with_an_exclamation_mark_it_is_processed(full: DeskAtWork, line: str) -> None:
    full.writes(KIM, f"{MASTER}{line}")
    assert full.phase().name == "F1901M"


def test_a_master_who_plays_learns_numbers_only(heron: DeskAtWork) -> None:
    heron.writes(KIM, f"{MASTER}EJECT Austria")
    heron.writes(KIM, "SIGNON Aheron pwkim")
    reply = heron.replies(KIM, f"{MASTER}PROCESS")
    assert "orders of 7 powers are missing and WAIT is set for 1 power" in reply.flat and "Turkey" not in reply.flat
