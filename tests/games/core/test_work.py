"""The key of generated passwords: made once, kept safe, and never half a key."""

import stat
from pathlib import Path

import pytest

from judge.games.core.work import KeyUnusable, secret_key


def test_the_key_is_made_once_and_for_the_keeper_alone(tmp_path: Path):
    path = tmp_path / "home" / "secret.key"
    key = secret_key(path)
    assert len(key) == 32 and secret_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "zz", "abcd\n"])
def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path, text: str):
    """With another key, or none, every generated password would be worthless without a word."""
    path = tmp_path / "secret.key"
    path.write_text(text)
    with pytest.raises(KeyUnusable, match="put back the one that was saved with the database"):
        secret_key(path)
    assert path.read_text() == text
