"""BECOME: a master acts in several seats in one email, and each player reads what was done for them alone."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork, Posted
from tests.commands.people.test_passwordless import orders
from tests.texts import mapped

FRANCE, GERMANY, KIM = "france@example.org", "germany@example.org", "kim@example.org"
AS_KIM = "SIGNON Mheron gm\n"
IN_TURN = "BECOME France\nA PAR - PIC\nBECOME Germany\nA MUN - RUH\n"
KINDS = ["SET NO GUNBOAT", "SET GUNBOAT", "SET QUIET"]


@pytest.fixture(params=KINDS)
def heron(request, tmp_path: Path) -> DeskAtWork:
    desk = DeskAtWork(tmp_path, "", {})
    desk.seat_seven()
    desk.goes_on(("a game of that kind", request.param), lambda: desk.writes(KIM, AS_KIM + request.param))
    return desk


def copy_for(mails: list[Posted], reader: str) -> str:
    """The one copy of the reply that this player gets, with its subject; "" if there is none."""
    copies = [mail for mail in mails if mail.to == reader and "Done for You" in mail.subject]
    assert len(copies) <= 1
    return "".join(f"{mail.subject} {mail.flat}" for mail in copies)


def test_become_after_become_changes_the_power(heron: DeskAtWork):
    mails = heron.writes(KIM, AS_KIM + IN_TURN + "BECOME France\nF BRE - MAO", subject="A MUN - RUH for Germany")
    assert orders(heron) == ["A PAR - PIC", "F BRE - MAO"] and orders(heron, power="Germany") == ["A MUN - RUH"]
    for reader, own, other in ((FRANCE, "Picardy", "Ruhr"), (GERMANY, "Ruhr", "Picardy")):
        told = copy_for(mails, reader)
        assert own in told and other not in told and not (reader == FRANCE and "MUN" in told)


NEVER_DONE = mapped("""
    orders  => A MUN - RUH
    clear   => CLEAR
    press   => PRESS TO RUSSIA!!Join me!!ENDPRESS
    public  => BROADCAST!!Join me!!ENDBROADCAST
    wait    => SET WAIT
    own     => SET NMR
    further => BECOME Germany!!A MUN - RUH
    ahead   => PHASE F1901M!!A RUH - HOL""")


SLIPS = ["BECOME Germny land of mine", "become Xyzzy", "BECOME", "BECOME germany@example.org", "BECOME: Germany"]


@pytest.mark.parametrize("slip", SLIPS)
def test_nothing_below_a_become_that_was_refused_is_done(heron: DeskAtWork, slip: str):
    for above in ("BECOME France\nA PAR - PIC\n", ""):
        for lines in NEVER_DONE.values():
            mails = heron.would_write(KIM, f"{AS_KIM}{above}{slip}\n" + lines.replace("!!", "\n"))
            told = next(mail.flat for mail in mails if mail.to == KIM and mail.answers)
            assert f"Nothing after {slip} was done, because that line was refused." in told[:140]
            assert "done, because the BECOME above it was refused." in told
            others = [mail for mail in mails if mail.to != KIM]
            assert not any(word in mail.text for mail in others for word in ("Join me", "MUN", "Ruhr"))
            copy = copy_for(mails, FRANCE)
            assert bool(copy) == bool(above) and slip not in copy.replace("BECOME France", "")
            to = {mail.to for mail in others if "Orders Corrected" not in mail.subject}
            assert to == ({FRANCE} if above else set())


def test_who_acted_can_go_on_as_the_master(heron: DeskAtWork):
    heron.writes(KIM, f"{AS_KIM}BECOME France\nA PAR - PIC\nBECOME MASTER\nPRESS TO FRANCE\nYour move.\nENDPRESS")
    (press,) = [mail for mail in heron.all_mails() if mail.to == FRANCE and "Your move." in mail.text]
    assert press.first_line == "Press from the master to France:"


def test_a_copy_for_the_holder_has_no_line_that_failed(heron: DeskAtWork):
    """Nor does the copy of what someone else has written who knows the password."""
    lines = "A PAR - PIC\nA MUN - RUH\nSET FOO BAR\nPRESS TO ATLANTIS\nJoin me\nENDPRESS\nWHOIS nobody@example.org"
    for who, signon in ((KIM, AS_KIM + "BECOME France\n"), ("jo@elsewhere.example", "SIGNON Fheron pwfrance\n")):
        copy = copy_for(heron.would_write(who, signon + lines), FRANCE)
        assert "Picardy" in copy
        assert not any(word in copy for word in ("MUN", "FOO", "ATLANTIS", "Join me", "nobody@"))


def test_each_answer_counts_its_own_failed_lines_first(heron: DeskAtWork):
    mails = heron.writes(
        KIM, f"{AS_KIM}SET GRACE never\nBECOME France\nA PAR - PIC\nA MAR - LON\nBECOME Germany\nA MUN - LON"
    )
    (reply,) = [mail for mail in mails if mail.to == KIM and mail.answers]
    firsts = reply.text.partition("\n:: ")[0]
    assert (
        firsts.count("1 line refused. ") == 3
        and "\nGermany: 1 line refused. " in firsts
        and firsts.startswith("1 line refused. ")
    )


def test_a_copy_says_first_who_acted_and_counts_no_line_that_it_does_not_show(heron: DeskAtWork):
    mails = heron.writes(KIM, f"{AS_KIM}BECOME France\nA PAR - PIC\nA MAR - LON")
    (copy,) = [mail for mail in mails if mail.to == FRANCE and "Done for You" in mail.subject]
    assert copy.first_line.startswith("The master of the game")
    assert "\n\n2 units without orders: A MAR, F BRE.\n\n" in copy.text and "refused" not in copy.text
