"""Every conversation of tests/transcripts on PostgreSQL: not a word is different on the other database."""

from pathlib import Path

from tests.commands.deskatwork import DeskAtWork
from tests.transcripts.test_transcripts import TRANSCRIPTS, replay, settings_of


@TRANSCRIPTS
def test_transcript_on_postgresql(path: Path, tmp_path: Path, postgres_url: str):
    written = path.read_text()
    desk = DeskAtWork(tmp_path, postgres_url, settings_of(written), at_once=False)
    try:
        assert replay(written, desk) == written
    finally:
        desk.engine.dispose()  # the database is dropped then
