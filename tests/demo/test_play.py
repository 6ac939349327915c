"""The demo's judge uses what is the keeper's own."""

from pathlib import Path

import pytest

from judge.shell import cli


@pytest.mark.parametrize("before", [True, False])
def test_the_demo_takes_templates_and_variants_of_the_keeper(
    before: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wherever --config stands; settings that are no use to a real judge do here."""
    asked: dict[str, Path] = {}
    monkeypatch.setattr("judge.demo.play.run_demo", lambda out, own: asked.update(own, out=out) or 0)
    config = tmp_path / "judge.ini"
    config.write_text("[judge]\ntemplates = words\nvariants =\n")
    words = ["--config", str(config), "demo"] if before else ["demo", "--config", str(config)]
    assert cli.main([*words, "--out", "there"]) == 0
    assert asked == {"out": Path("there"), "templates": tmp_path / "words"}
    assert cli.main(["demo", "--config", str(tmp_path / "none.ini")]) == 2
    assert "cannot read" in capsys.readouterr().err
