"""News of changes: each file of changelog.d/ is in form, and becomes a line of the changelog once."""

import pytest

from docs.news import faults, fragments, main, merged
from tests.texts import table

CHANGELOG = """# Changes

## Unreleased

### Added

- Write FOO.

### Fixed

- Read BAR.

## 1.0.0

### Added

- Play.
"""


def test_all_news_are_in_form():
    texts = {path.name: path.read_text(encoding="utf-8") for path in fragments()}
    assert not [f"{name}: {fault}" for name, text in texts.items() for fault in faults(name, text)]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    table("""
        deny.added.md => Keep a person out of a game.     =>
        deny.fixed.md => Process a phase that needs it.   =>
        deny.new.md   => Keep a person out of a game.     => its name
        Deny.added.md => Keep a person out of a game.     => its name
        deny.added    => Keep a person out of a game.     => its name
        deny.added.md => Keeps a person out of a game.    => a verb
        deny.added.md => Added DENY.                      => a verb
        deny.added.md => The master can send DENY.        => a verb
        deny.added.md => You can send DENY.               => a verb
        deny.added.md => keep a person out of a game.     => a verb
        deny.added.md => Keep a person out of a game      => a sentence"""),
)
def test_the_form_of_news(name: str, text: str, fault: str):
    found = list(faults(name, f"{text}\n"))
    assert len(found) == bool(fault) and all(fault in one for one in found)


@pytest.mark.parametrize(("length", "faulty"), [(110, 0), (111, 1)])
def test_how_long_news_may_be(length: int, faulty: int):
    assert len(list(faults("deny.added.md", "Keep it" + "." * (length - 7)))) == faulty
    assert list(faults("deny.added.md", "Keep it.\nKeep that.\n")) == list(faults("deny.added.md", ""))


def test_news_become_lines_at_the_end_of_their_lists():
    found = merged(CHANGELOG, {"added": ["Write BAZ."], "changed": ["Send X."], "security": ["Keep Y."]})
    new = CHANGELOG.replace("FOO.\n", "FOO.\n- Write BAZ.\n\n### Changed\n\n- Send X.\n", 1)
    assert found == new.replace("BAR.\n", "BAR.\n\n### Security\n\n- Keep Y.\n")
    assert merged(CHANGELOG, {}) == CHANGELOG


def test_news_are_moved_once(tmp_path, monkeypatch):
    monkeypatch.setattr("docs.news.ROOT", tmp_path)
    monkeypatch.setattr("docs.news.fragments", lambda: fragments(tmp_path / "changelog.d"))
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    for name, text in {"README.md": "# News\n", "b.fixed.md": "Read BAR twice.\n", "a.fixed.md": "Keep it.\n"}.items():
        (tmp_path / "changelog.d" / name).write_text(text)
    main()
    moved = (tmp_path / "CHANGELOG.md").read_text()
    assert moved == CHANGELOG.replace("- Read BAR.\n", "- Read BAR.\n- Keep it.\n- Read BAR twice.\n")
    assert [path.name for path in (tmp_path / "changelog.d").iterdir()] == ["README.md"]
    main()
    assert (tmp_path / "CHANGELOG.md").read_text() == moved
    (tmp_path / "changelog.d" / "c.fixed.md").write_text("Added C.\n")
    with pytest.raises(SystemExit, match=r"c\.fixed\.md: it must begin with a verb"):
        main()
    assert (tmp_path / "CHANGELOG.md").read_text() == moved
