"""Supports that are only mentioned in brackets next to an order."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE, SIGNON = "france@example.org", "SIGNON Fheron pwfrance\n"


@pytest.mark.parametrize("remark", ["supported by Mar", "with support of Marseilles"])
def test_a_support_in_brackets_is_named_first_with_the_order_to_write(heron: DeskAtWork, remark: str):
    reply = heron.would_reply(FRANCE, f"{SIGNON}Army Paris to Burgundy ({remark})\n").flat
    told = f'"({remark})" is a comment, not an order: to order it, write A MAR S A PAR - BUR. 2 units without'
    assert reply.startswith(told) and "Army Paris -> Burgundy." in reply


def test_a_support_on_file_is_not_asked_for(heron: DeskAtWork):
    text = f"{SIGNON}A PAR - BUR (supported by Mar)\nA MAR S A PAR - BUR\n"
    assert heron.would_reply(FRANCE, text).flat.startswith("1 unit without orders: F BRE.")


def test_a_support_that_cannot_be_given_is_only_a_comment(heron: DeskAtWork):
    reply = heron.would_reply(FRANCE, f"{SIGNON}F BRE - MAO (supported by Mar)\n").flat
    assert reply.startswith("2 units without orders") and "was taken for a comment and ignored" in reply
