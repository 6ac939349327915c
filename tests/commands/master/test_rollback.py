"""A phase that is opened again with the orders of then: when it is processed."""

from datetime import timedelta

import pytest

from judge.store.tables import Phase
from tests.commands.deskatwork import ALL_HOLD, DeskAtWork

KIM = "kim@example.org"


@pytest.fixture(params=["SET NMR", "SET NONMR"])
def complete(request, desk: DeskAtWork) -> DeskAtWork:
    """All orders are in, and the phase was processed; then its master went back."""
    desk.seat_seven()

    def complete() -> None:
        desk.writes(KIM, f"SIGNON Mheron gm\n{request.param}")
        for name, orders in ALL_HOLD.items():
            desk.writes(f"{name}@example.org", f"SIGNON {name}@heron pw{name}\n{orders}")
        desk.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK")

    desk.goes_on(("all orders are in", request.param), complete)
    return desk


def opened(desk: DeskAtWork) -> Phase:
    phase = desk.phase()
    assert phase.name == "S1901M"
    return phase


def test_a_phase_with_all_its_orders_is_due_at_its_deadline_and_not_sooner(complete):
    phase = opened(complete)
    assert phase.due_at == phase.deadline_at
    assert any("S1901M Results" in mail.subject for mail in complete.ring(phase.deadline_at))


def test_a_new_letter_reckons_anew(complete):
    complete.writes("france@example.org", "SIGNON Fheron pwfrance\nA PAR - BUR")
    phase = opened(complete)
    assert phase.due_at is not None and phase.due_at < phase.deadline_at - timedelta(days=1)


def test_a_phase_that_lacks_orders_waits_for_them(complete):
    complete.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK S1901M")
    complete.writes("france@example.org", "SIGNON Fheron pwfrance\nCLEAR")
    complete.writes(KIM, "SIGNON Mheron gm\nPROCESS!\nROLLBACK")
    assert opened(complete).due_at in (None, opened(complete).grace_ends_at)
