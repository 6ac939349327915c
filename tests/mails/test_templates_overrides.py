"""The keeper's own templates: used where they can be, told of with their line where not; the mail goes out always."""

import logging
import os
import shutil
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from judge.mails.templates import TEMPLATES, VARIABLES_FILE, Texts, template_faults


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    mine = tmp_path / "mine"
    mine.mkdir()
    return mine


def put(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def player(folder: Path | None, name: str = "Kim") -> str:
    """What `player` says of somebody who never had to order."""
    return Texts(folder).render("player", name=name, record=Record())


class Record:
    due = 0


OURS = "Kim: no orders were due yet."


def said(folder: Path) -> list[str]:
    return [str(fault).replace(f"{folder}/", "") for fault in template_faults(folder)]


def test_the_keeper_s_template_comes_before_ours_and_a_changed_one_counts_at_once(folder: Path) -> None:
    texts = Texts(folder)

    def told() -> str:
        return texts.render("player", name="Kim", record=Record())

    assert told() == OURS
    mine = put(folder, "player.txt.j2", "{{ name }} plays here.\n")
    assert told() == "Kim plays here."
    put(folder, "player.txt.j2", "{{ name }} plays here, and well.\n")
    assert told() == "Kim plays here, and well."
    mine.unlink()
    assert told() == OURS


def test_a_part_that_others_include_is_the_keeper_s_too(folder: Path) -> None:
    put(folder, "_form.txt.j2", "Write to us. {{ forms | length }}")
    put(folder, "help/rules.txt.j2", "House rules: {% include '_form.txt.j2' ignore missing %}")
    put(folder, "player.txt.j2", "{% include '_mine.txt.j2' %}")
    put(folder, "_mine.txt.j2", "mine, {{ name }}\n")
    assert said(folder) == []
    assert Texts(folder).render("_form", forms=[1, 2]) == "Write to us. 2"
    assert player(folder) == "mine, Kim"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Hello\n{% if name %}\nKim\n", "player.txt.j2:3: Unexpected end of template. "),
        ("Hello\n\n{{ nmae }}\n", "player.txt.j2:3: there is no variable nmae here; did you mean name?"),
        ("{{ name | wrp }}", "player.txt.j2:1: there is no filter wrp; did you mean wrap?"),
        ("{% if name is defnied %}{% endif %}", "player.txt.j2:1: there is no test defnied; did you mean defined?"),
        ("\n{% include '_from.txt.j2' %}", "player.txt.j2:2: there is no template _from.txt.j2; did you mean _form"),
        ("{% block a %}{% endblock %}\n{% block a %}{% endblock %}", "player.txt.j2:2: block 'a' defined twice"),
        (b"Hello\nKim\nM\xfcller\n", "player.txt.j2:3: not UTF-8"),
        ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", "player.txt.j2: cannot be used (RecursionError)"),
    ],
)  # fmt: skip
def test_one_that_cannot_be_used_is_told_by_its_line_and_ours_is_used(
    folder: Path, text: str | bytes, fault: str
) -> None:
    put(folder, "player.txt.j2", text)
    (told,) = said(folder)
    assert told.startswith(fault)
    assert player(folder) == OURS


def test_one_that_cannot_be_read_is_told(folder: Path) -> None:
    (folder / "player.txt.j2").symlink_to(folder / "nowhere")
    (folder / "list.txt.j2").mkdir()
    assert said(folder) == [
        "list.txt.j2: cannot be read: Is a directory",
        "player.txt.j2: cannot be read: No such file or directory",
    ]
    assert player(folder) == OURS


def test_a_broken_one_leaves_the_others_alone(folder: Path) -> None:
    put(folder, "player.txt.j2", "{% include '_form.txt.j2' %}")
    put(folder, "_form.txt.j2", "{% nonsense %}")
    put(folder, "promoted.txt.j2", "You may: {{ game.name }}\n")
    texts = Texts(folder)
    assert texts.render("promoted", game=type("Game", (), {"name": "heron"}), password="x") == "You may: heron"
    assert [line.partition(":")[0] for line in said(folder)] == ["_form.txt.j2"]


def test_a_template_that_no_mail_has_is_told(folder: Path) -> None:
    put(folder, "result.txt.j2", "Hello\n")
    put(folder, "help/rules.txt.j2", "Ours.\n")
    assert said(folder) == ["result.txt.j2: no email has a template with that name; did you mean results.txt.j2?"]
    assert list(map(str, template_faults(folder / "nowhere"))) == [f"{folder}/nowhere: there is no such folder"]


def test_the_mark_that_some_editors_write_is_no_text(folder: Path) -> None:
    put(folder, "player.txt.j2", b"\xef\xbb\xbfHello {{ name }}\r\n")
    assert player(folder) == "Hello Kim"


def test_where_one_breaks_the_mail_is_written_with_ours_and_the_log_says_so_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = put(folder, "player.txt.j2", "Hello\n{{ record.nonesuch.deep }}\n")
    texts = Texts(folder)
    assert said(folder) == [], "only when it is rendered is it known what a record has"
    for _ in range(3):
        assert texts.render("player", name="Kim", record=Record()) == OURS
    assert [record.getMessage() for record in caplog.records] == [
        f"{path}:2: UndefinedError at {{{{ record.nonesuch.deep }}}}; a mail (player) was written with the judge's own "
        "templates"
    ]
    assert caplog.records[0].levelno == logging.ERROR
    os.utime(path, (1, 1))
    texts.render("player", name="Kim", record=Record())
    assert len(caplog.records) == 2, "of a file that was changed it is said again"


def test_what_was_read_half_way_is_there_for_ours(folder: Path) -> None:
    put(folder, "list.txt.j2", "{% for game in games %}{{ game }}{% endfor %}{{ games.nonesuch.deep }}")
    assert Texts(folder).render("list", games=iter([])) == Texts(None).render("list", games=[])


def test_one_that_never_ends_in_itself_harms_nobody(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    put(folder, "player.txt.j2", "{% include 'player.txt.j2' %}")
    assert player(folder) == OURS
    assert "player.txt.j2:1: RecursionError" in caplog.text


def test_no_secret_gets_into_the_log(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    put(folder, "promoted.txt.j2", "{{ {}[password].deep }} {{ game[password].deep }}")
    game = type("Game", (), {"name": "heron"})
    assert "SIGNON Mheron hush" in Texts(folder).render("promoted", game=game, password="hush", blind="", by="Jo")
    assert "promoted.txt.j2:1" in caplog.text and "hush" not in caplog.text


def test_what_is_wrong_with_the_context_is_not_the_keeper_s_fault(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(folder, "player.txt.j2", "Hello {{ name }}")
    with pytest.raises(UndefinedError):
        Texts(folder).render("player", record=Record())
    assert not caplog.records


def test_a_part_of_ours_that_lacks_what_others_import_of_it_is_noticed(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(folder, "_heading.txt.j2", "no macros here")
    now = datetime(2026, 5, 15, 19, 0, tzinfo=UTC)
    parts = {"sender": "Kim", "to": "you", "grey": False, "phase": "", "text": "Hello", "sent_at": now}
    message = type("Message", (), parts)
    told = Texts(folder).render("archived", message=message, zone="UTC")
    assert told == Texts(None).render("archived", message=message, zone="UTC")
    assert [record.getMessage().partition(";")[0] for record in caplog.records] == [f"{folder}: UndefinedError"]


def test_a_copy_of_all_of_ours_is_without_faults_and_says_the_same(folder: Path) -> None:
    """So every variable that ours use is listed for keepers."""
    shutil.copytree(TEMPLATES, folder, dirs_exist_ok=True)
    assert said(folder) == []
    assert player(folder) == OURS


def test_every_template_is_listed_and_no_other() -> None:
    listed = set(tomllib.loads((TEMPLATES / VARIABLES_FILE).read_text())) - {"always"}
    names = {path.relative_to(TEMPLATES).as_posix() for path in TEMPLATES.rglob("*.j2")}
    bare = {name.removesuffix(".txt.j2").removesuffix(".html.j2") for name in names}
    assert listed == {name for name in bare if not name.rpartition("/")[2].startswith("_")}
