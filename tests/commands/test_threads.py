"""A game is one conversation in mail programs: by what its mails refer to, and by their subject where that counts."""

from tests.commands.deskatwork import DeskAtWork, Posted

FRANCE, GERMANY, KIM = "france@example.org", "germany@example.org", "kim@example.org"
AS_FRANCE = "SIGNON Fheron pwfrance\n"


def bare(subject: str) -> str:
    """A subject as Gmail compares it."""
    return subject.removeprefix("Re: ")


def test_set_threads_gives_all_mails_of_a_game_one_subject(heron: DeskAtWork) -> None:
    note = heron.replies(FRANCE, AS_FRANCE + "SET THREADS ON")
    assert "all emails about a game will have the same subject" in note.flat
    mails = heron.writes(GERMANY, "SIGNON Gheron pwgermany\nPRESS TO France\nHello\nENDPRESS")
    mails += heron.writes(KIM, "SIGNON Mheron gm\nSET DEADLINE 2026-05-20 21:00\nPROCESS\nEJECT Turkey")
    mine = [mail for mail in mails if mail.to == FRANCE]
    # The deadline of a phase that the same letter ends is not told.
    assert len(mine) == 3 and {mail.subject for mail in mine} == {"JUDG:heron"}
    assert "JUDG:heron - S1901M Results" in {mail.subject for mail in mails if mail.to == GERMANY}
    last = mine[-1]
    reply = heron.replies(FRANCE, AS_FRANCE + "A PAR - BUR", subject=f"Re: {last.subject}",
                         answering=str(last.message["Message-ID"]))  # fmt: skip
    assert bare(reply.subject) == "JUDG:heron"
    assert len({root(mail) for mail in [*mine, reply]}) == 1
    heron.writes(FRANCE, AS_FRANCE + "SET THREADS OFF")
    later = heron.writes(KIM, "SIGNON Mheron gm\nPROCESS")
    assert "JUDG:heron - F1901M Results" in {mail.subject for mail in later if mail.to == FRANCE}


def root(mail: Posted) -> str:
    """What the mail refers to first."""
    return str(mail.message["References"]).split()[0]
