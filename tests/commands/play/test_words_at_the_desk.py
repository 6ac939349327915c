"""Orders for all units at once, and what the desk says of words that cannot count."""

import pytest

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


@pytest.mark.parametrize("lines", ["A PAR - BUR\nall others hold", "the rest holds\nA PAR - BUR"])
def test_the_others_are_those_without_an_order_wherever_the_line_stands(heron, lines):
    reply = heron.replies(FRANCE, f"{SIGNON}{lines}\n")
    assert "Orders complete." in reply.text
    assert "two orders" not in reply.text
    text = reply.flat
    assert "Army Paris -> Burgundy" in text
    assert "Fleet Brest HOLD" in text
    assert "Army Marseilles HOLD" in text


def test_the_others_may_hold_on_the_same_line(heron):
    """They were all units: the order on the line was replaced by a hold."""
    for line in ("A PAR - BUR, all others hold", "A PAR - BUR; rest hold", "A PAR - BUR and everything else holds"):
        text = heron.would_reply(FRANCE, f"{SIGNON}{line}\n").flat
        assert text.startswith("Orders complete.") and "Army Paris -> Burgundy" in text, line
        assert "Fleet Brest HOLD" in text and "Army Paris HOLD" not in text, line
    guess = heron.would_reply(FRANCE, f"{SIGNON}WHATIF\nA PAR - BUR\nall others hold\nENDWHATIF\n").flat
    assert "Army Paris -> Burgundy" in guess and "Fleet Brest HOLD" in guess


def test_what_is_on_file_is_no_other_unit(heron):
    heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\n")
    reply = heron.replies(FRANCE, f"{SIGNON}all other units hold\n")
    assert "Army Paris -> Burgundy" in reply.flat


def test_all_units_are_all_whatever_was_on_file(heron):
    heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\n")
    assert "Army Paris HOLD" in heron.replies(FRANCE, f"{SIGNON}all units hold\n").flat


def test_two_orders_for_a_unit_are_told_first(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}A PAR - BUR\nall units hold\n")
    assert reply.flat.startswith("A PAR has two orders in this email: the last one, A PAR H, is on file.")


def test_orders_for_all_units_are_kept_for_a_later_phase(heron):
    kept = heron.replies(FRANCE, f"{SIGNON}PHASE F1901M\nall others hold\nA PAR - BUR\n")
    assert "F1901M, 2" in kept.flat
    mails = heron.writes("kim@example.org", "SIGNON Mheron gm\nPROCESS S1901M\n")
    (told,) = [mail.flat for mail in mails if mail.to == FRANCE and "Pending" in mail.subject]
    assert "Army Paris -> Burgundy" in told
    assert "Fleet Brest HOLD" in told and "Army Marseilles HOLD" in told


def test_what_a_condition_stands_with_is_not_for_all(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}all units hold unless Germany attacks\n")
    assert "HOLD" not in reply.text.split("all units hold unless")[0]
    assert "Orders complete." not in reply.text


def test_a_fleet_is_told_that_it_is_not_convoyed(heron):
    reply = heron.replies(FRANCE, f"{SIGNON}F BRE - ENG via convoy\n")
    assert "a fleet is never convoyed, so this was taken as F BRE - ENG." in reply.flat
