"""Orders below a heading that says that they are not meant."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"
ON_FILE = "A MAR - SPA\nA PAR - PIC\nF BRE - MAO\n"


def recorded(desk: DeskAtWork, text: str) -> tuple[str, list[str]]:
    """The beginning of the reply, and the orders that it shows on file."""
    reply = desk.would_reply(FRANCE, SIGNON + text)
    orders = [line.partition(": ")[2].rstrip(".") for line in reply.text.splitlines() if line.startswith("France: ")]
    return reply.flat.partition(" ::")[0], sorted(order for order in orders if "no order" not in order)


@pytest.mark.parametrize("heading", ["Cancelled:", "Old orders:", "Option 2:", "Instead of:", "Unless Italy attacks:"])
def test_orders_below_such_a_heading_are_not_recorded(heron: DeskAtWork, heading: str):
    told, orders = recorded(heron, f"A PAR - BUR\n\n{heading}\nA MAR - SPA\nF BRE H\n")
    assert told.startswith(f'The orders after "{heading[:-1]}" were NOT recorded. To give them, send them without that')
    assert orders == ["Army Paris -> Burgundy"]


def test_a_blank_line_or_another_heading_ends_them(heron: DeskAtWork):
    for between in ("\n", "Orders:\n", "New:\n", "Spring 1901:\n", "PHASE NOW\n"):
        told, orders = recorded(heron, f"Old orders:\nA PAR - PIC\n{between}A PAR - BUR\n")
        assert told.startswith('The orders after "Old orders" were NOT recorded.') and "ignored" not in told
        assert orders == ["Army Paris -> Burgundy"]


def test_a_heading_above_a_blank_line_is_for_all_up_to_the_next(heron: DeskAtWork):
    told, orders = recorded(heron, "Old orders:\n\nA PAR - PIC\n\nA MAR - SPA\n\nNew orders:\n\nA PAR - BUR\n")
    assert told.startswith('The orders after "Old orders" were NOT recorded.')
    assert orders == ["Army Paris -> Burgundy"]


def test_orders_for_later_phases_may_be_taken_back_too(heron: DeskAtWork):
    told, _ = recorded(heron, "Fall 1901:\nA PIC - BEL\nCancelled:\nA SPA - POR\n\nF BRE H\n")
    assert told.startswith('The orders after "Cancelled" were NOT recorded.') and "2 lines saved for F1901M" in told


def test_what_is_on_file_is_named_with_what_takes_it_back(heron: DeskAtWork):
    heron.writes(FRANCE, SIGNON + ON_FILE)
    told, _ = recorded(heron, "Cancelled:\nA MAR - SPA\nA PAR - BUR\n")
    assert "A MAR - SPA is still on file; CLEAR A MAR takes it back. Orders complete." in told
    told, _ = recorded(heron, "Cancelled:\nA MAR - SPA\n\nA MAR H\n")
    assert "still on file" not in told


def test_commands_are_carried_out_and_prose_is_reported(heron: DeskAtWork):
    reply = heron.would_reply(FRANCE, f"{SIGNON}{ON_FILE}\nCancelled:\nSET WAIT\nall that we said before\n").flat
    assert reply.startswith("1 line ignored. Orders complete.") and "WAIT" in reply


def test_orders_below_the_name_of_another_game_are_not_recorded(heron: DeskAtWork):
    heron.seat_all("swan", "standard")
    text = "A PAR - BUR\nswan:\nSpring 1901:\nOrders:\nA MAR - SPA\n\nF BRE H\nSET WAIT\nheron:\nF BRE - MAO\n"
    told, orders = recorded(heron, text)
    assert told.startswith('The orders after "swan" were NOT recorded. Write SIGNON Fswan <password> above them.')
    assert orders == ["Army Paris -> Burgundy", "Fleet Brest -> Mid-Atlantic Ocean"]
    reply = heron.would_reply(FRANCE, SIGNON + text).flat
    assert "> SET WAIT not done, because this is after the name of another game." in reply
    assert "WAIT is set" not in reply


@pytest.mark.parametrize("heading", [
    "swan,", "(swan)", "== swan ==", "Fswan:", "swan S1901M:", "swan, Spring 1901:", "France in swan:", "swan (France)",
])  # fmt: skip
def test_another_game_is_named_in_many_ways(heron: DeskAtWork, heading: str):
    heron.seat_all("swan", "standard")
    told, orders = recorded(heron, f"A PAR - BUR\n{heading}\nA MAR - SPA\n")
    assert told.startswith("The orders after ") and "Write SIGNON Fswan <password> above them." in told
    assert orders == ["Army Paris -> Burgundy"]


def test_the_name_of_a_power_is_no_other_game(desk: DeskAtWork):
    desk.seat_all("swan", "1648")
    for name in ("sweden", "spring"):
        desk.writes("sweden@example.org", f"CREATE ?{name} gm standard")
    for heading in ("Sweden:", "SWEDEN", "Spring:"):
        reply = desk.would_reply("sweden@example.org", f"SIGNON Wswan pwsweden\n{heading}\nALL HOLD\n")
        assert reply.first_line == "Orders complete."


def test_a_message_below_the_name_of_another_game_is_not_sent(heron: DeskAtWork):
    heron.seat_all("swan", "standard")
    text = f"{SIGNON}swan:\nPRESS TO G\nhi\nA PAR - BUR\nSIGNOFF\n"
    [reply] = heron.would_write(FRANCE, text)
    assert reply.first_line.startswith("Your message was NOT sent: PRESS TO G.")


def test_an_order_that_is_given_again_is_not_called_still_on_file(heron: DeskAtWork):
    heron.writes(FRANCE, SIGNON + ON_FILE)
    told, _ = recorded(heron, "Cancelled:\nA MAR - SPA\n\nA MAR - SPA\n")
    assert "still on file" not in told


def test_the_name_of_a_game_that_the_sender_does_not_play_in_is_no_heading(heron: DeskAtWork):
    told, orders = recorded(heron, "swan:\nA PAR - BUR\n")
    assert told.startswith("1 line ignored.") and orders == ["Army Paris -> Burgundy"]


def test_who_signs_on_as_another_does_not_learn_of_their_games(heron: DeskAtWork):
    heron.seat_all("swan", "standard")
    for mail in heron.would_write("ally@example.org", f"{SIGNON}swan:\nA PAR - BUR\n"):
        assert "Fswan" not in mail.text
