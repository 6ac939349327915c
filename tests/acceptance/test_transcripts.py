"""Conversations of tests/transcripts on PostgreSQL: not a word is different on the other database."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.transcripts.test_transcripts import FOLDER, replay, settings_of

# What these ask of the database the others ask, too.
ELSEWHERE = {
    "board", "border", "cape", "comeback", "disorder", "form", "forming", "guessing", "help", "history",
    "intercontinental", "list", "manual", "nmr", "orders",
}  # fmt: skip
PATHS = [path for path in sorted(FOLDER.glob("*.txt")) if path.stem not in ELSEWHERE]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_transcript_on_postgresql(path: Path, tmp_path: Path, postgres_url: str):
    written = path.read_text()
    desk = DeskAtWork(tmp_path, postgres_url, settings_of(written), at_once=False)
    try:
        assert replay(written, desk) == written
    finally:
        desk.engine.dispose()  # the database is dropped then
