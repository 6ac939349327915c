"""What is said of seats that are open since their players were late: who sent nothing, and who not all orders."""

from datetime import datetime, timedelta

from tests.commands.deskatwork import DeskAtWork, Posted

DUE = datetime.fromisoformat("2026-05-11T23:30:01+00:00")
OTHERS = {
    "austria": "A VIE H; A BUD H; F TRI H",
    "england": "A LVP H; F EDI H; F LON H",
    "germany": "A BER H; A MUN H; F KIE H",
    "russia": "A MOS H; A WAR H; F SEV H; F STP/SC H",
    "turkey": "A CON H; A SMY H; F ANK H",
}
FRANCE_OPEN = "Some orders of France are missing in heron, so that power is now open to a replacement player."


def given_up(desk: DeskAtWork, settings: str, **orders: str) -> list[Posted]:
    """The mails at the end of grace in a game in which these powers and the `OTHERS` have ordered."""
    desk.seat_all("heron", "standard", f"{settings}\nSET NONMR, MOVE GRACE 24")
    for power, lines in {**OTHERS, **orders}.items():
        desk.writes(f"{power}@example.org", f"SIGNON {power}@heron pw{power}\n{lines}")
    desk.ring(DUE)
    return [mail for mail in desk.ring(DUE + timedelta(days=1)) if "Abandoned" in mail.subject]


def said(mails: list[Posted]) -> set[str]:
    return {" ".join(mail.text.split("\n\n")[0].split()) for mail in mails}


def test_who_has_ordered_some_units_is_not_said_to_have_sent_nothing(desk):
    assert said(given_up(desk, "SET GUNBOAT", france="A PAR - BUR")) == {
        "Italy sent no orders in heron, and some orders of France are missing, so those powers are now open to "
        "replacement players."
    }


def test_where_all_have_ordered_something_nobody_is_said_to_have_sent_nothing(desk):
    mails = given_up(desk, "", france="A PAR - BUR", italy="A ROM H; A VEN H; F NAP H")
    assert said(mails) == {FRANCE_OPEN}
    # The phase is still open: what France has ordered and what not is nobody's business.
    assert not any(word in mail.text for mail in mails for word in ("Paris", "PAR", "Marseilles", "MAR", "BRE"))


def test_in_a_quiet_game_a_player_is_told_of_their_own_orders_alone(desk):
    mails = given_up(desk, "SET QUIET", france="A PAR - BUR")
    told = {mail.to.partition("@")[0]: said([mail]).pop() for mail in mails}
    assert told.keys() == {"kim", "france", "italy"}
    assert told["france"] == FRANCE_OPEN
    assert told["italy"] == "Italy sent no orders in heron, so that power is now open to a replacement player."
