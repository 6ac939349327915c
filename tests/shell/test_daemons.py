"""The log as JSON Lines: one object a line, whatever is in it."""

import json
import logging
import sys

from judge.shell.daemons import JsonLines


def line(message: str, *values: object, error: bool = False) -> dict:
    trouble = None
    if error:
        try:
            raise ValueError("broken\non purpose")
        except ValueError:
            trouble = sys.exc_info()
    record = logging.LogRecord("judge.service.daemon", logging.WARNING, __file__, 1, message, values, trouble)
    written = JsonLines().format(record)
    assert "\n" not in written
    return json.loads(written)


def test_what_a_message_tells_is_there_by_name():
    told = line("letter=%d done (1.2 ms)", 12)
    assert (told["letter"], told["level"], told["logger"]) == ("12", "warning", "judge.service.daemon")
    assert told["message"] == "letter=12 done (1.2 ms)" and told["at"].endswith("+00:00")
    assert line("mail sent mail=%d kind=%r to=%s", 3, "given up", "kim@example.org")["kind"] == "given up"


def test_nothing_in_a_message_takes_the_place_of_its_frame():
    assert line("level=none at=never message=mine")["level"] == "warning"


def test_a_traceback_stays_on_the_line():
    assert "ValueError: broken\non purpose" in line("it failed", error=True)["error"]
