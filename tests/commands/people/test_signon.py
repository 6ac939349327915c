"""A right sign-on from the address of another player of the game: it may be pasted from what its holder wrote."""

from pathlib import Path

import pytest

from judge.store.engine import transaction
from judge.store.seats import masters_of
from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import orders
from tests.rows import game_named, seat_of_power
from tests.texts import mapped

FRANCE, GERMANY, KIM, JO = "france@example.org", "germany@example.org", "kim@example.org", "jo@elsewhere.example"
AS_FRANCE = "SIGNON Fheron pwfrance\n"
ON_FILE = ["A MAR - SPA", "A PAR - BUR"]
NOT_DONE = "Nothing was done for France in heron"


@pytest.fixture(params=["SET NO GUNBOAT", "SET GUNBOAT"])
def heron(request, tmp_path: Path) -> DeskAtWork:
    """France has orders on file, and lines for the fall."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()

    def prepare() -> None:
        desk.writes(KIM, f"SIGNON Mheron gm\n{request.param}")
        desk.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR\nA MAR - SPA\nPHASE F1901M\nA BUR - MUN")

    desk.goes_on(("France has ordered", request.param), prepare)
    return desk


# Whatever else the lines do is not done either.
REPLACING = mapped("""
    order   => A PAR - PIC
    first   => F BRE - MAO; A PAR - PIC
    press   => PRESS TO RUSSIA!!Join me!!ENDPRESS!!A PAR - PIC
    vote    => SET DRAW!!A PAR - PIC
    clear   => CLEAR
    one     => CLEAR A PAR
    ahead   => PHASE F1901M!!A BUR H
    away    => PHASE F1901M!!CLEAR
    rest    => All units hold
    process => A PAR - PIC!!PROCESS""")


def holds(mails: list[Posted], reader: str) -> str:
    return " ".join(mail.flat for mail in mails if mail.to == reader)


@pytest.mark.parametrize("lines", REPLACING)
def test_what_would_replace_orders_waits_for_its_sender(heron: DeskAtWork, lines: str):
    mails = heron.writes(GERMANY, f"As France wrote to me:\n{AS_FRANCE}" + REPLACING[lines].replace("!!", "\n"))
    (asks,) = [mail for mail in mails if mail.to == GERMANY]
    assert asks.first_line.startswith(NOT_DONE) and "To have this done, reply to this email." in asks.flat
    told = holds(mails, FRANCE)
    assert NOT_DONE in told and "send SET PASSWORD and a new password" in told
    assert not any(words in told for words in ("CONFIRM", "reply to", "PIC"))
    assert {mail.to for mail in mails} == {GERMANY, FRANCE} and orders(heron) == ON_FILE
    kept = heron.replies(FRANCE, f"{AS_FRANCE}STATUS").flat
    assert "A BUR - MUN" in kept and "A BUR H" not in kept
    # No one but that sender can confirm it.
    heron.writes(JO, "", subject=asks.subject)
    assert orders(heron) == ON_FILE


def test_once_it_is_sent_back_all_is_done(heron: DeskAtWork):
    asks = heron.replies(GERMANY, f"{AS_FRANCE}A PAR - PIC\nF BRE - MAO\nPRESS TO RUSSIA\nJoin me\nENDPRESS")
    mails = heron.writes(GERMANY, "", subject=asks.subject)
    assert orders(heron) == ["A MAR - SPA", "A PAR - PIC", "F BRE - MAO"]
    assert "Join me" in holds(mails, "russia@example.org") and "Picardy" in holds(mails, FRANCE)
    heron.writes(FRANCE, f"{AS_FRANCE}A PAR - BUR")
    heron.writes(GERMANY, "", subject=asks.subject)
    assert orders(heron) == ["A MAR - SPA", "A PAR - BUR", "F BRE - MAO"]


def test_the_other_blocks_of_the_letter_are_carried_out(heron: DeskAtWork):
    text = f"LIST heron\n{AS_FRANCE}A PAR - PIC\nSIGNON Gheron pwgermany\nA MUN - RUH"
    told = heron.replies(GERMANY, text).flat
    assert NOT_DONE in told and orders(heron) == ON_FILE and orders(heron, power="Germany") == ["A MUN - RUH"]


@pytest.mark.parametrize("lines", ["F BRE - MAO", "A PAR - BUR", "SET WAIT", "STATUS", "", "PHASE S1902M\nA BUR H"])
def test_what_replaces_nothing_is_done_as_ever(heron: DeskAtWork, lines: str):
    told = heron.would_reply(GERMANY, AS_FRANCE + lines).flat
    assert NOT_DONE not in told and "CONFIRM" not in told


@pytest.mark.parametrize("sender", [FRANCE, KIM, JO])
def test_others_are_not_asked(heron: DeskAtWork, sender: str):
    heron.writes(sender, f"{AS_FRANCE}A PAR - PIC")
    assert orders(heron) == ["A MAR - SPA", "A PAR - PIC"]


def test_a_master_who_plays_too_is_not_asked(heron: DeskAtWork):
    with transaction(heron.engine) as session:
        game = game_named(session, "heron")
        seat, (master,) = seat_of_power(session, game, "Germany"), masters_of(session, game)
        seat.person_id, seat.address = master.person_id, KIM
    heron.writes(KIM, f"{AS_FRANCE}A PAR - PIC")
    assert orders(heron) == ["A MAR - SPA", "A PAR - PIC"]


def test_in_games_of_groups_no_one_is_asked(tmp_path: Path):
    """One person may play several of them."""
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_all("crane", "intercontinental")
    powers = [power for power in desk.deal("crane") if power]
    address = [f"{power.lower()}@example.org" for power in powers[:2]]
    signon = f"SIGNON {powers[0]}@crane pw{powers[0].lower()}\n"
    form = desk.replies(address[0], signon).text
    unit = next(line.split()[0:2] for line in form.splitlines() if line.strip().endswith("..."))
    for sender, order in zip(address, ("H", "H"), strict=True):
        desk.writes(sender, f"{signon}{' '.join(unit)} {order}")
    assert "CONFIRM" not in desk.replies(address[1], f"{signon}CLEAR").flat
