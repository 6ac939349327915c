"""Letters and phases that miss each other: sent too early or too late, answers to old mails, commands after the end."""

from datetime import timedelta

from tests.commands.deskatwork import DeskAtWork

KIM = "kim@example.org"
MASTER = "SIGNON Mheron gm\n"
FRANCE = "france@example.org"
SIGNON = "SIGNON Fheron pwfrance\n"


def test_what_a_player_sent_before_the_phase_opened_does_not_touch_it(heron: DeskAtWork):
    phase = heron.phase()
    lines = ("SET WAIT", "CLEAR", "SET DRAW")
    reply = heron.replies(FRANCE, SIGNON + "\n".join(lines), received_at=phase.opened_at - timedelta(seconds=1))
    for line in lines:
        assert f"> {line}\n  S1901M opened after you sent this email, so this line was not carried out." in reply.text
    assert "WAIT is set" not in reply.text


def test_what_the_master_sent_before_the_phase_opened_does_not_touch_it(heron: DeskAtWork):
    phase = heron.phase()
    lines = "PROCESS\nPROCESS S1901M\nSET DEADLINE 2026-05-20 21:00\nSET WAIT"
    reply = heron.replies(KIM, MASTER + lines, received_at=phase.opened_at - timedelta(seconds=1))
    assert reply.first_line.startswith("4 lines refused.")
    after = heron.phase()
    assert (after.name, after.deadline_at) == ("S1901M", phase.deadline_at)


def test_process_twice_in_a_letter_processes_once(heron: DeskAtWork):
    """The second was written before the phase it would strike had opened."""
    heron.now += timedelta(milliseconds=500)
    heron.writes(KIM, MASTER + "PROCESS\nPROCESS\n", received_at=heron.now.replace(microsecond=0))
    assert heron.phase().name == "F1901M"


def test_commands_after_the_end_are_refused_in_the_first_line(heron: DeskAtWork):
    heron.writes(KIM, MASTER + "TERMINATE heron")
    reply = heron.replies(KIM, MASTER + "PROCESS\nSET DEADLINE Fri 21:00\nSET WAIT\nPAR - BUR")
    assert reply.first_line.startswith("3 lines refused. 1 order not recorded.")
    reply = heron.replies(FRANCE, SIGNON + "A PAR - BUR")
    assert reply.first_line == "1 order not recorded. heron has ended."
