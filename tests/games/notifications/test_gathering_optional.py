"""Which kinds of notices a reader may do without (SET NOTICES)."""

from datetime import timedelta

import pytest
from sqlmodel import select

from judge.store.engine import reading
from judge.store.tables import Press, Seat
from tests.commands.deskatwork import DeskAtWork, Posted

FRANCE, GERMANY, ITALY, KIM = (f"{name}@example.org" for name in ("france", "germany", "italy", "kim"))
AS_FRANCE, AS_KIM = "SIGNON Fheron pwfrance\n", "SIGNON Mheron gm\n"
PRESS = "SIGNON Iheron pwitaly\nPRESS TO ALL\nHello\nENDPRESS"


def readers(mails: list[Posted], subject: str) -> set[str]:
    return {mail.to for mail in mails if subject in mail.subject}


# Who writes what, and the subject of what comes of it.
OPTIONAL = {
    "press": (ITALY, PRESS, "Broadcast"),
    "news": (ITALY, "SIGNON Iheron pwitaly\nRESIGN heron", "Resignation"),
}


@pytest.mark.parametrize("kind", OPTIONAL)
def test_only_what_is_not_wanted_stays_away(heron: DeskAtWork, kind: str):
    sender, text, subject = OPTIONAL[kind]
    heron.writes(FRANCE, AS_FRANCE + f"SET NOTICES ALL BUT {kind}\nSET DIGEST 07:00")
    heron.writes(GERMANY, f"SIGNON Gheron pwgermany\nSET NOTICES {kind}")
    mails = heron.writes(sender, text)
    assert FRANCE not in readers(mails, subject) | readers(mails, "News from")
    assert GERMANY in readers(mails, subject)


def test_press_that_is_not_mailed_is_kept_and_its_author_does_not_learn_of_it(heron: DeskAtWork):
    usual = heron.would_reply(ITALY, PRESS).text
    heron.writes(FRANCE, AS_FRANCE + "SET NOTICES RESULTS")
    assert next(mail for mail in heron.writes(ITALY, PRESS) if mail.to == ITALY).text == usual
    with reading(heron.engine) as session:
        (press,) = session.exec(select(Press)).all()
        (france,) = session.exec(select(Seat.id).where(Seat.address == FRANCE))
        assert france in press.readers


@pytest.mark.parametrize(("text", "subject"), [
    ("SET DEADLINE 2026-05-20 21:00", "Deadline"),
    ("SET NONMR", "Parameter Change"),
    ("PAUSE", "Paused"),
    ("PRESS TO F\nHello\nENDPRESS", "Press from the master"),
    ("BROADCAST\nHello\nENDPRESS", "Broadcast"),
    ("EJECT France", "No Longer"),
    ("PROCESS!", "Results"),
    ("PROCESS!\nROLLBACK", "Rollback"),
    ("BORDER REMOVE ARMY PAR - BUR", "Border"),
    ("TERMINATE heron", "Terminated"),
])  # fmt: skip
def test_what_must_be_known_always_comes(heron: DeskAtWork, text: str, subject: str):
    heron.writes(FRANCE, AS_FRANCE + "SET NOTICES RESULTS")
    assert FRANCE in readers(heron.writes(KIM, AS_KIM + text), subject)


def test_who_wants_no_reminder_learns_that_they_are_late(heron: DeskAtWork):
    heron.writes(FRANCE, AS_FRANCE + "SET NOTICES RESULTS")
    heron.writes(KIM, AS_KIM + "SET GRACE 2026-05-20 21:00")
    heron.writes(ITALY, "SIGNON Iheron pwitaly\nA ROM H\nA VEN H\nF NAP H\nSET NOTICES PRESS")
    before = heron.ring(heron.phase().deadline_at - timedelta(hours=20))
    assert FRANCE not in readers(before, "Reminder") and GERMANY in readers(before, "Reminder")
    late = heron.ring(heron.phase().deadline_at)
    assert FRANCE in readers(late, "[You are late!]") and ITALY not in readers(late, "Late Notice")
    assert KIM in readers(late, "Late Notice")


def test_a_master_gets_everything_about_the_game(heron: DeskAtWork):
    heron.writes(KIM, AS_KIM + "SET NOTICES RESULTS")
    for sender, text, subject in OPTIONAL.values():
        assert KIM in readers(heron.writes(sender, text), subject)
