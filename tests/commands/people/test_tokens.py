"""Codes are derived from the letters that ask for them; one that no longer works never comes again."""

from datetime import timedelta
from pathlib import Path

import pytest

from judge.draws import Draws
from judge.games.core.work import Work
from judge.games.people import credentials
from judge.store.engine import transaction
from tests.commands.deskatwork import DeskAtWork

DATA = {"address": "jo@example.org"}
ISSUES = [credentials.issue, credentials.issue_again]


@pytest.mark.parametrize("issue", ISSUES)
@pytest.mark.parametrize("passed", [timedelta(0), 2 * credentials.LIFE])
def test_a_code_that_was_used_or_has_expired_never_comes_again(tmp_path: Path, store: str, issue, passed: timedelta):
    desk, words = DeskAtWork(tmp_path, store, {}), []
    for number in range(3):
        with transaction(desk.engine) as session:
            work = Work(session, desk.services, desk.now + number * passed, draws=Draws(b"key", "the same letter"))
            words.append(issue(work, "register", DATA))
            token = credentials.valid(work, words[-1])
            assert token
            if not passed:
                credentials.use_up(work, token)
    assert len(set(words)) == 3


@pytest.mark.parametrize("issue", ISSUES)
def test_the_same_letter_gets_the_same_code(tmp_path: Path, issue):
    words = set()
    for name in ("one", "two"):
        desk = DeskAtWork(tmp_path / name, "", {})
        with transaction(desk.engine) as session:
            draws = Draws(b"key", "the same letter")
            words.add(issue(Work(session, desk.services, desk.now, draws=draws), "register", DATA))
    assert len(words) == 1
