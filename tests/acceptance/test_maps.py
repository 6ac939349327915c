"""Maps through the whole daemon: inside the mails, one for all, and no mail lost over one at kill -9."""

import os
import signal
import time

import pytest

from judge.demo.mail_users import ReceivedMail
from judge.mails.drawing import SILENT
from tests.acceptance.conftest import Begin, MakeJudge
from tests.acceptance.hangs import PATIENCE
from tests.processes import descendants
from tests.servers.smtpsink import times_sent

POINTS = {
    "about to be drawn": ("before", "judge.mails.drawing:Drawing._begun"),
    "drawn, not kept": ("before", "judge.mails.pictures:PictureCache.keep"),
    "kept, not sent": ("after", "judge.mails.pictures:PictureCache.keep"),
}


def _types(mail: ReceivedMail) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


def test_results_come_with_a_map_to_those_who_want_it(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    [heron] = begin(judge, pictures=True)
    france, italy = heron["F"], heron["I"]
    france.signs_on("A PAR - BUR", "SET MAP OFF")
    france.person.expects(containing="without a map")
    heron.master.signs_on("PROCESS!")
    results = {seat.letter: seat.person.expects(subject="S1901M Results") for seat in (france, italy, heron["T"])}
    assert results["F"].pictures == {}
    assert "France:  Army Paris -> Burgundy." in results["F"].text
    assert "France:  Army Paris -> Burgundy." in results["I"].text
    assert _types(results["I"]) == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", *["image/png"] * 2
    ]  # fmt: skip
    whole, east = "heron-S1901M-results.png", "heron-S1901M-results-east.png"
    assert results["T"].pictures.keys() == {whole, east}
    assert results["I"].pictures[whole] == results["T"].pictures[whole] and len(results["I"].pictures) == 2
    assert judge.process.log().count("picture drawn name=heron-S1901M-results.png") == 1
    italy.person.writes("MAP heron S1901M SVG", subject="to print")
    file = italy.person.expects(subject="to print").pictures
    assert file["heron-S1901M-results.svg"].startswith(b"<svg")


@pytest.mark.parametrize("when, function", POINTS.values(), ids=POINTS)
def test_killed_over_a_picture(make_judge: MakeJudge, begin: Begin, when: str, function: str):
    """Everybody has the results once, with the whole map and their part of it."""
    judge = make_judge()
    [stork] = begin(judge, "stork", pictures=True)
    stork.set_deadline(2)
    judge.rests()
    judge.process.kill()
    with judge.killed(when, function):
        pass
    with judge.prepared("--patient"):
        judge.process.start()
    results = [person.expects(subject="S1901M Results") for person in stork.everybody()]
    assert {frozenset(mail.pictures) for mail in results} == {
        frozenset({"stork-S1901M-results.png", f"stork-S1901M-results-{part}.png"}) for part in ("west", "east")
    }
    judge.rests()
    assert set(times_sent(judge.sink.mails).values()) == {1}


@pytest.mark.long
@pytest.mark.parametrize("is_busy", [False, True], ids=["idle", "busy"])
def test_every_child_of_the_daemon_may_be_killed(make_judge: MakeJudge, begin: Begin, is_busy: bool):
    """Each in turn: what keeps semaphores, what forks, what draws. Results come with their maps all the same."""
    judge = make_judge()
    [stork] = begin(judge, "stork", pictures=True)
    judge.process.kill()
    with judge.prepared("--patient"):
        judge.process.start()
    for number, phase in enumerate(("S1901M", "F1901M", "S1902M", "F1902M"), -1):
        if number >= 0 and not is_busy:
            os.kill(descendants(judge.process.pid)[number], signal.SIGKILL)
        stork["F"].signs_on("A MAR H")
        stork.master.signs_on("PROCESS!")
        if number >= 0 and is_busy:
            judge.process.wait_for_log("has been processed. The results", count=number + 2)
            os.kill(descendants(judge.process.pid)[number], signal.SIGKILL)
        # A process that ends while it holds what they share leaves all silent: that is noticed after a minute.
        results = stork["T"].person.expects(subject=f"{phase} Results", seconds=2 * SILENT)
        assert results.pictures
    judge.rests()
    assert judge.process.ask("status").returncode == 0


@pytest.mark.long
def test_a_renderer_that_hangs_holds_up_nobody_else(make_judge: MakeJudge, begin: Begin):
    """Questions are answered meanwhile; the results go out as text, each once, and the log says why."""
    judge = make_judge()
    [gull] = begin(judge, "gull", pictures=True)
    judge.rests()
    judge.process.kill()
    with judge.prepared("--hanging-renderer"):
        judge.process.start()
    began = time.monotonic()
    gull.master.signs_on("PROCESS!")
    nia = judge.person("Nia")
    nia.writes("GET DEADLINES", subject="while it hangs")  # read after the master's letter
    nia.expects(subject="while it hangs")
    assert time.monotonic() - began < PATIENCE
    assert not [mail for person in gull.everybody() for mail in person.unread if "Results" in mail.subject]
    # Readers get different parts of the board: several pictures, of which two are drawn at a time.
    results = [person.expects(subject="S1901M Results", seconds=20 * PATIENCE) for person in gull.everybody()]
    assert not [kind for mail in results for kind in _types(mail) if kind.startswith("image/")]
    assert "no picture: gull-S1901M-results.png" in judge.process.log()
    judge.rests()
    assert set(times_sent(judge.sink.mails).values()) == {1}
