"""Results that were pasted among orders."""

import pytest

from tests.commands.deskatwork import DeskAtWork

FRANCE, SIGNON = "france@example.org", "SIGNON Fheron pwfrance\n"
OWN = "France: Army Paris -> Burgundy. (*bounce*)"
OTHER = "Germany: Army Munich -> Burgundy. (*bounce*)"

READ = [
    (OWN, ["A PAR - BUR"]),
    ("France: Army Paris -> Burgundy.\nFrance: Fleet Brest -> English Channel. (*dislodged*)",
     ["A PAR - BUR", "F BRE - ENG"]),
    ("Army Paris -> Burgundy. (*bounce*)", ["A PAR - BUR"]),
    # These are not of results: a plan, orders of the sender's own, a wrong name.
    ("Plan: A PAR - BUR", []),
    ("A PAR - BUR\nGermany: A MUN - BUR", ["A PAR - BUR"]),
    ("France: Army Paris -> Burgundy.\nFrance: Army Marsailes -> Burgundy.", ["A PAR - BUR"]),
]  # fmt: skip
NOT_READ = [
    (f"{OWN}\n{OTHER}", 2, "send A PAR - BUR."),
    ("Austria: Army Vienna -> Galicia.\nFrance: Army Paris -> Burgundy.", 2, "send A PAR - BUR."),
    ("France: Army Paris, No Order Processed.", 1, ""),
    (f"{OWN}\nFrance: Army Marseilles, No Order Processed.", 2, "send A PAR - BUR."),
    (f"{OWN}\nFrance: Army Gascony -> Spain. (*bounce*)", 2, "send A PAR - BUR."),
    (OTHER, 1, ""),
]


@pytest.fixture
def heron(desk: DeskAtWork) -> DeskAtWork:
    desk.seat_all("heron", "standard")
    return desk


@pytest.mark.parametrize(("text", "orders"), READ)
def test_lines_in_the_form_of_results_are_read_if_each_is_an_own_order(
    heron: DeskAtWork, text: str, orders: list[str]
) -> None:
    told = heron.would_reply(FRANCE, SIGNON + text).text
    assert "of results" not in told and all(f"    {order}\n" in told for order in orders)
    assert told.count(" ...\n") == 3 - len(orders)


@pytest.mark.parametrize(("text", "number", "instead"), NOT_READ)
def test_among_what_others_did_they_are_asked_back(heron: DeskAtWork, text: str, number: int, instead: str) -> None:
    told = heron.would_reply(FRANCE, SIGNON + text)
    lines, are = ("1 line", "is") if number == 1 else (f"{number} lines", "are")
    assert told.flat.startswith(f"{lines} of your email {are} from results, and not recorded as orders.")
    assert instead in told.flat and told.text.count(" ...\n") == 3


def test_orders_below_results_are_read_and_a_quote_is_left_alone(heron: DeskAtWork) -> None:
    told = heron.would_reply(FRANCE, f"{SIGNON}{OWN}\n{OTHER}\nA PAR - PIC")
    assert "2 lines of your email are from results" in told.flat and "    A PAR - PIC\n" in told.text
    told = heron.would_reply(FRANCE, f"{SIGNON}> {OWN}\n> {OTHER}\nA PAR - PIC")
    assert "from results" not in told.flat and "    A PAR - PIC\n" in told.text
