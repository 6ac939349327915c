"""Maps through the whole daemon: inside the mails, one for all, and no mail lost over one at kill -9."""

import pytest

from judge.demo.correspondent import ReceivedMail
from tests.acceptance.conftest import Begin, MakeJudge
from tests.servers.smtpsink import times_sent

POINTS = {
    "about to be drawn": ("before", "judge.mails.gallery:Gallery.illustrate"),
    "drawn, not kept": ("before", "judge.mails.gallery:Gallery._keep"),
    "kept, not sent": ("after", "judge.mails.gallery:Gallery._keep"),
}


def _types(mail: ReceivedMail) -> list[str]:
    return [part.get_content_type() for part in mail.message.walk()]


def test_results_come_with_a_map_to_those_who_want_it(make_judge: MakeJudge, begin: Begin):
    judge = make_judge()
    [heron] = begin(judge)
    france, italy = heron["F"], heron["I"]
    france.signs_on("A PAR - BUR", "SET MAP OFF")
    france.person.expects(containing="without a map")
    heron.master.signs_on("PROCESS")
    results = {seat.letter: seat.person.expects(subject="S1901M Results") for seat in (france, italy, heron["T"])}
    assert results["F"].pictures == {}
    assert "France:  Army Paris -> Burgundy." in results["F"].text
    assert "France:  Army Paris -> Burgundy." in results["I"].text
    assert _types(results["I"]) == [
        "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"
    ]  # fmt: skip
    assert results["I"].pictures.keys() == {"heron-S1901M-results.png"}
    assert results["I"].pictures == results["T"].pictures
    assert judge.process.log().count("picture drawn name=heron-S1901M-results.png") == 1
    italy.person.writes("MAP heron S1901M SVG", subject="to print")
    file = italy.person.expects(subject="to print").pictures
    assert file["heron-S1901M-results.svg"].startswith(b"<svg")


@pytest.mark.parametrize("when, function", POINTS.values(), ids=POINTS)
def test_killed_over_a_picture(make_judge: MakeJudge, begin: Begin, when: str, function: str):
    """Everybody has the results once, with their map."""
    judge = make_judge()
    [stork] = begin(judge, "stork")
    stork.set_deadline(2)
    judge.rests()
    judge.process.kill()
    with judge.killed(when, function):
        pass
    judge.process.start()
    results = [person.expects(subject="S1901M Results") for person in stork.everybody()]
    assert {tuple(mail.pictures) for mail in results} == {("stork-S1901M-results.png",)}
    judge.rests()
    assert set(times_sent(judge.sink.mails).values()) == {1}
