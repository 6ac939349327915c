"""Conversations of tests/transcripts on PostgreSQL: not a word is different on the other database."""

from pathlib import Path

import pytest

from tests.commands.deskatwork import DeskAtWork
from tests.transcripts.test_transcripts import ANEW, FOLDER, replay, settings_of

# Each statement that these carry out is among those of the others.
ELSEWHERE = {
    "bids", "board", "border", "cape", "comeback", "disorder", "form", "forming", "future", "guessing", "help",
    "history", "intercontinental", "list", "manual", "nmr", "orders", "quiet", "reliability", "seats", "standing",
    "variants", "waiting", "what_if", "winter", "year",
}  # fmt: skip
PATHS = [path for path in sorted(FOLDER.glob("*.txt")) if path.stem not in ELSEWHERE]


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_transcript_on_postgresql(path: Path, tmp_path: Path, postgres_url: str):
    # What follows at a desk of its own are other words for the same.
    written = path.read_text().partition(ANEW)[0]
    desk = DeskAtWork(tmp_path, postgres_url, settings_of(written), at_once=False)
    try:
        assert replay(written, desk) == written
    finally:
        desk.engine.dispose()  # the database is dropped then
