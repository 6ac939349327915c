"""Orders that come after their phase was processed."""

import pytest

from tests.commands.deskatwork import DeskAtWork

AUSTRIA, FRANCE, GERMANY = "austria@example.org", "france@example.org", "germany@example.org"
AS_FRANCE, AS_GERMANY = "SIGNON Fheron pwfrance\n", "SIGNON Gheron pwgermany\n"


@pytest.fixture
def munich(heron: DeskAtWork) -> DeskAtWork:
    """Germany has to retreat from Munich in F1901R, and had orders in F1901M."""
    heron.writes(AUSTRIA, "SIGNON Aheron pwaustria\nA VIE - BOH")
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    at_deadline(heron)
    heron.writes(AUSTRIA, "SIGNON Aheron pwaustria\nA BOH S A BUR - MUN")
    heron.writes(FRANCE, f"{AS_FRANCE}A BUR - MUN")
    at_deadline(heron)
    assert heron.phase().name == "F1901R"
    return heron


def at_deadline(desk: DeskAtWork) -> None:
    due = desk.phase().grace_ends_at or desk.phase().due_at
    assert due
    desk.ring(due)


def test_orders_for_the_movement_are_refused_once_and_first(munich: DeskAtWork):
    reply = munich.would_reply(GERMANY, f"{AS_GERMANY}A MUN - BUR\nA BER H\nF KIE - HOL\n").flat
    assert reply.startswith("F1901M was already processed, on Thu May 14 2026 23:30:00 +0000,")
    assert "so 3 orders for it were NOT recorded. The open phase is F1901R. 1 unit without orders: A MUN." in reply
    assert "refused" not in reply and "no dislodged unit" not in reply


def test_who_has_nothing_to_order_hears_so(munich: DeskAtWork):
    reply = munich.would_reply(FRANCE, f"{AS_FRANCE}Good luck to all!\nA MAR H\n").flat
    assert "so 1 order for it was NOT recorded. 1 line ignored. You have nothing to order in F1901R." in reply


def test_one_order_for_the_open_phase_is_recorded(munich: DeskAtWork):
    reply = munich.would_reply(GERMANY, f"{AS_GERMANY}A MUN - RUH\nA BER H\n").flat
    assert reply.startswith("1 line refused. Orders complete.") and "already processed" not in reply


def test_mistakes_are_still_explained(munich: DeskAtWork):
    reply = munich.would_reply(GERMANY, f"{AS_GERMANY}A MUN - PAR\nA BER H\n").flat
    assert reply.startswith("2 lines refused.") and "already processed" not in reply


def test_in_the_winter_the_movement_is_meant(munich: DeskAtWork):
    munich.writes(GERMANY, f"{AS_GERMANY}A MUN D")
    at_deadline(munich)
    assert munich.phase().name == "W1901A"
    reply = munich.would_reply(GERMANY, f"{AS_GERMANY}A BER - MUN\nF KIE - HOL\n").flat
    assert reply.startswith("F1901M was already processed,") and "so 2 orders for it were NOT recorded." in reply
