"""A rival cannot silence a player: neither by what her provider refuses, nor by letters in her name."""

from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.game import Seat
from tests.acceptance.harness import ADDRESS
from tests.servers.dovecot import Dovecot


def report(message_id: str, status: str, words: str) -> bytes:
    """The report of a provider that has refused one of the judge's mails."""
    lines = [
        "From: MAILER-DAEMON@provider.example", f"To: {ADDRESS}", "Subject: Undelivered Mail Returned to Sender",
        f"Message-ID: <report-of-{message_id.strip('<>')}>", "MIME-Version: 1.0",
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b", "",
        "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx", "", "Action: failed",
        f"Status: {status}", f"Diagnostic-Code: smtp; {words}", "", "--b", "Content-Type: text/rfc822-headers", "",
        f"Message-ID: {message_id}", "", "--b--", "",
    ]  # fmt: skip
    return "\r\n".join(lines).encode()


def test_press_that_is_refused_for_its_words_costs_the_victim_nothing(
    make_judge: MakeJudge, begin: Begin, dovecot: Dovecot
):
    """It is refused by reports, and by our own mail server after DATA."""
    judge = make_judge()
    [heron] = begin(judge)
    turkey, france = heron["T"], heron["F"]
    for number in range(3):
        turkey.signs_on("PRESS TO F", f"virus {number}", "ENDPRESS")
        press = france.person.expects(containing=f"virus {number}")
        dovecot.deliver(report(press.message_id, "5.7.1", "554 5.7.1 virus found"), ADDRESS, sender="")
    judge.process.wait_for_log("came back: 554 5.7.1 virus found", count=3)
    heron.master.person.expects(subject="are refused", containing="virus found")
    heron.master.signs_on("PROCESS")
    france.person.expects(subject="S1901M Results")
    assert "withheld" not in judge.process.ask("status").stdout


def test_a_flood_in_a_player_s_name_hides_no_mistyped_password(make_judge: MakeJudge, begin: Begin):
    judge = make_judge(limits={"registered": 6})
    [heron] = begin(judge)
    france = heron["F"]
    for _ in range(8):
        france.person.writes("LIST")
    france.person.expects(containing="but the reply will come at")
    mistyped = Seat(france.person, "F", heron.name, "mistyped")
    mistyped.signs_on("A PAR - BUR")
    france.person.expects(containing="password")
    france.person.writes("A PAR - BUR")
    france.person.expects(containing="no SIGNON line")
    assert "answers     2 waiting" in judge.process.ask("status").stdout
