"""The keeper's folders of a daemon at work: what is wrong in them is told, what is right counts without a restart."""

import re
from pathlib import Path

from tests.acceptance.conftest import MakeJudge
from tests.acceptance.harness import JudgeAtWork
from tests.rules.variant.test_registry import SOUND, write


def with_folders(make_judge: MakeJudge, tmp_path: Path) -> tuple[JudgeAtWork, Path, Path]:
    texts, own = tmp_path / "texts", tmp_path / "own"
    texts.mkdir()
    own.mkdir()
    return make_judge(judge={"templates": str(texts), "variants": str(own)}), texts, own


def test_what_is_broken_is_named_at_the_start_and_by_the_status_and_stops_nothing(
    make_judge: MakeJudge, tmp_path: Path
):
    judge, texts, own = with_folders(make_judge, tmp_path)
    (texts / "hint.txt.j2").write_text("Hello.\n{{ nwon }}\n")
    (texts / "list.txt.j2").write_text("Games here:\n{{ games[0].nonesuch.deep }}\n")
    write(own, "lakes", SOUND.replace('letter = "E"', 'letter = "M"'))
    write(own, "rivers")
    judge.process.start()
    line = SOUND.splitlines().index('letter = "E"') + 1
    wrong = [
        f"template {texts}/hint.txt.j2:2: there is no variable nwon here; did you mean signon?; the judge uses its own",
        f"variant {own}/lakes/variant.toml:{line}: East: the letter M means the master; it cannot be played",
    ]
    for told in wrong:
        judge.process.wait_for_log(f"WARNING {re.escape(told)}")
    status = judge.process.ask("status")
    assert status.returncode == 1
    assert [text for text in status.stdout.splitlines() if text.startswith("mend")] == [
        f"mend        {told}" for told in wrong
    ]

    jo = judge.person("Jo")
    jo.writes("Hello there, nothing you would know")
    jo.expects(containing="found no command in")
    for _ in range(2):
        jo.writes("LIST")
        jo.expects(containing="on this judge")
    assert judge.process.log().count(f"{texts}/list.txt.j2:2: UndefinedError at {{{{ games[0].nonesuch.deep }}}}") == 1

    (texts / "hint.txt.j2").write_text("House style: {{ judge.code }} found no command.\n")
    write(own, "lakes")
    judge.process.wait_for_log("the mistakes in the folders of templates and variants are fixed", 20)
    kay = judge.person("Kay")
    kay.writes("Hello there, nothing you would know")
    kay.expects(containing="House style: TEST found no command.")
    assert judge.process.ask("status").returncode == 0


def test_a_variant_is_there_without_a_restart_and_its_game_goes_on_after_one_without_it(
    make_judge: MakeJudge, tmp_path: Path
):
    judge, _, own = with_folders(make_judge, tmp_path)
    judge.process.start()
    jo = judge.person("Jo")
    jo.writes("REGISTER", "Name: Jo Doe", "END")
    jo.expects()
    jo.writes("CREATE ?heron secret rivers")
    jo.expects(containing='"rivers" is not a variant here.')
    write(own, "rivers")
    jo.writes("CREATE ?heron secret rivers", "SIGNON ?heron one")
    jo.expects(containing="heron has been created")
    ann = judge.person("Ann")
    ann.writes("REGISTER", "Name: Ann Doe", "END", "SIGNON ?heron two")
    ann.expects(containing="Two Rivers")
    write(own, "rivers", "broken")
    judge.process.restart()
    judge.process.wait_for_log("rivers/variant.toml:1: not TOML")
    jo.expects(subject="S1800M Game Starting")  # a letter from before that would be for no phase
    jo.writes("SIGNON Mheron secret", "PROCESS! S1800M")
    ann.expects(containing="Fall of 1800")
